// The commands of all views.
import type { CommandName } from './action.ts';
import { derive, toggleColumn } from './choices.ts';
import { search } from './commands.ts';
import { note } from './edit-note.ts';
import { setFilter } from './prompts.ts';
import { type AppState, type Step, say } from './state.ts';
import { addTransform } from './transforms.ts';

export function command(state: AppState, name: CommandName, argument: string): Step {
  if (name === 'filter') return [setFilter(state, argument), []];
  if (argument === '') return [state, []];
  switch (name) {
    case 'search':
      return [search({ ...state, search: argument }, 1), []];
    case 'apply':
      return [addTransform(state, argument), []];
    case 'derive':
      return [derive(state, argument), []];
    case 'column':
      return [toggleColumn(state, argument), []];
    case 'source-dir':
      return [state, [{ type: 'source-dir', dir: argument }]];
    case 'base':
      return [say(state, 'loading …'), [{ type: 'load-base', path: argument }]];
    case 'open':
      return [say(state, 'loading …'), [{ type: 'open-file', path: argument }]];
    case 'note':
      return note(state, argument);
    case 'set':
      return [state, [{ type: 'set', text: argument }]];
    case 'write':
    case 'export':
      return [state, [{ type: name, path: argument }]];
  }
}
