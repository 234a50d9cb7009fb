// The tour: what to press next, said until it was pressed. About two minutes, on a small real profile that comes with the program.
import type { Action } from './action.ts';
import { type AppState, activeView } from './state.ts';

interface Stop {
  readonly say: string;
  /** Whether the action did what was asked for; `now`: the state after it. */
  readonly done: (action: Action, now: AppState, before: AppState) => boolean;
}

const shows =
  (view: string): Stop['done'] =>
  (_, now) =>
    now.view === view;
const moved: Stop['done'] = (action, now, before) => action.type === 'in-view' && now !== before;

const STOPS: readonly Stop[] = [
  { say: 'Routines, highest self cost first. Press j to move down.', done: moved },
  { say: '"incl" includes everything the routine calls. Press i to sort by it.', done: moved },
  { say: 'Press ! for what matters most; Enter jumps to the spot.', done: shows('findings') },
  { say: 'Who calls what? Press 3 for the call tree.', done: shows('tree') },
  { say: 'Press x to open the hottest path.', done: (action) => action.type === 'in-view' },
  { say: 'Press 2 for the callers and callees of the routine.', done: shows('calls') },
  { say: 'Press Backspace to go back.', done: (action) => action.type === 'back' },
  { say: 'Press 1 for the routines again.', done: (_, now) => activeView(now).digit === '1' },
  {
    say: 'Press / to search: type count, then Enter. n is the next match.',
    done: (_, now, before) => now.search !== '' && before.prompt !== undefined && now.prompt === undefined,
  },
  { say: 'Press 4 for its source: cost by line.', done: shows('source') },
  { say: 'Press h for the next hot line.', done: (action) => action.type === 'in-view' },
  { say: 'Press I for the flame graph: wider means more expensive.', done: shows('flame') },
  {
    say: 'S narrows the profile to routines or files. Try it, then Esc.',
    done: (_, now, before) => before.panel !== undefined && !now.panel,
  },
  {
    say: 'Press ? for all keys, or : for any command; then Esc.',
    done: (_, now, before) => before.panel !== undefined && !now.panel,
  },
  { say: 'End of the tour. proftui FILE opens yours. Press q to quit.', done: () => false },
];

export class Tour {
  private at = 0;

  /** `2/15 x opens …` for the state after an action; what is typed meanwhile is not disturbed. */
  after(action: Action, before: AppState, now: AppState): AppState {
    if (STOPS[this.at].done(action, now, before)) this.at++;
    if (now.prompt || now.panel || now.message?.kind === 'error') return now;
    return { ...now, message: { text: `${this.at + 1}/${STOPS.length}  ${STOPS[this.at].say}`, kind: 'info' } };
  }
}
