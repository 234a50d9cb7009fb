// Commands that work in all views.
import type { CommandName } from './action.ts';
import { defineEvent, toggleColumn } from './choices.ts';
import { startSearch } from './commands.ts';
import { editNote } from './edit-note.ts';
import { setFilter } from './prompts.ts';
import { type AppState, type UpdateResult, withMessage } from './state.ts';
import { addTransform } from './transforms.ts';

export function runCommand(state: AppState, name: CommandName, argument: string): UpdateResult {
  if (name === 'filter') return [setFilter(state, argument), []];
  if (argument === '') return [state, []];
  switch (name) {
    case 'search':
      return [startSearch({ ...state, search: argument }, 1), []];
    case 'apply':
      return [addTransform(state, argument), []];
    case 'derive':
      return [defineEvent(state, argument), []];
    case 'column':
      return [toggleColumn(state, argument), []];
    case 'source-dir':
      return [state, [{ type: 'source-dir', dir: argument }]];
    case 'base':
      return [withMessage(state, 'loading …'), [{ type: 'load-base', path: argument }]];
    case 'open':
      return [withMessage(state, 'loading …'), [{ type: 'open-file', path: argument }]];
    case 'note':
      return editNote(state, argument);
    case 'set':
      return [state, [{ type: 'set', text: argument }]];
    case 'write':
    case 'export':
      return [state, [{ type: name, path: argument }]];
  }
}
