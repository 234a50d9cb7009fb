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
  { say: 'These are routines, the dearest by themselves on top. j moves down.', done: moved },
  { say: 'incl is the cost with all that it calls. i sorts by it.', done: moved },
  { say: '! says in sentences what stands out. Enter goes there.', done: shows('findings') },
  { say: 'Who calls what? 3 opens the tree of calls.', done: shows('tree') },
  { say: 'x opens the hottest path.', done: (action) => action.type === 'in-view' },
  { say: '2 shows callers and callees of the routine.', done: shows('calls') },
  { say: 'Backspace goes back to where you were.', done: (action) => action.type === 'back' },
  { say: '1 goes back to the routines.', done: (_, now) => activeView(now).digit === '1' },
  {
    say: '/ searches: type count, then Enter. n goes to the next match.',
    done: (_, now, before) => now.search !== '' && before.prompt !== undefined && now.prompt === undefined,
  },
  { say: '4 is its source: cost by line.', done: shows('source') },
  { say: 'h goes to the next hot line.', done: (action) => action.type === 'in-view' },
  { say: 'I is the flame graph: the wider, the dearer.', done: shows('flame') },
  {
    say: 'S chooses what counts, by routine or file. Look, then Esc.',
    done: (_, now, before) => before.panel !== undefined && !now.panel,
  },
  {
    say: '? lists every key, and : any command. Open one, then Esc.',
    done: (_, now, before) => before.panel !== undefined && !now.panel,
  },
  { say: 'That was the tour. proftui FILE opens yours. q quits.', done: () => false },
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
