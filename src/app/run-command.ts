// Commands that work in all views.
import type { CommandName } from './action.ts';
import { defineEvent, toggleColumn } from './choices.ts';
import { searchText, setFilter } from './commands.ts';
import { editNote } from './edit-note.ts';
import { type AppState, type UpdateResult, withMessage } from './state.ts';
import { addTransform } from './transforms.ts';

const COMMANDS: Readonly<Record<Exclude<CommandName, 'filter'>, (state: AppState, argument: string) => UpdateResult>> = {
  search: (state, text) => [searchText(state, text), []],
  apply: (state, text) => [addTransform(state, text), []],
  derive: (state, text) => [defineEvent(state, text), []],
  column: (state, name) => [toggleColumn(state, name), []],
  'source-dir': (state, dir) => [state, [{ type: 'source-dir', dir }]],
  base: (state, path) => [withMessage(state, 'loading …'), [{ type: 'load-base', path }]],
  open: (state, path) => [withMessage(state, 'loading …'), [{ type: 'open-file', path }]],
  add: (state, path) => [withMessage(state, 'loading …'), [{ type: 'add-file', path }]],
  note: editNote,
  set: (state, text) => [state, [{ type: 'set', text }]],
  write: (state, path) => [state, [{ type: 'write', path }]],
  export: (state, path) => [state, [{ type: 'export', path }]],
};

export function runCommand(state: AppState, name: CommandName, argument: string): UpdateResult {
  if (name === 'filter') return [setFilter(state, argument), []];
  return argument === '' ? [state, []] : COMMANDS[name](state, argument);
}
