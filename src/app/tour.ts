// The tour: a box with the key to press next, until it was pressed. About two minutes, on a small real profile that comes with the program.
import { type AppState, activeView } from './state.ts';

interface Stop {
  /** Names of the keys that go on, any of them. */
  readonly keys: readonly string[];
  readonly say: string;
  /** The key goes on only there; everywhere if absent. */
  readonly where?: (before: AppState) => boolean;
}

const inPanel = ({ panel }: AppState) => panel !== undefined;
const viewOf = (id: string) => (state: AppState) => activeView(state).id === id;

const STOPS: readonly Stop[] = [
  { keys: ['j', 'down'], say: 'Routines, highest self cost first. Press j to move down.' },
  { keys: ['s'], say: '"incl" includes everything the routine calls. Press s for the columns to sort by.' },
  { keys: ['enter'], say: 'Type incl to narrow the list. Press Enter to sort by it.', where: inPanel },
  { keys: ['!'], say: 'Press ! for what matters most; Enter jumps to the spot.' },
  { keys: ['3'], say: 'Who calls what? Press 3 for the call tree.' },
  { keys: [']'], say: 'Press ] to open the hottest path. In every view it goes to the next hot place.', where: viewOf('tree') },
  { keys: ['2'], say: 'Press 2 for the callers and callees of the routine.' },
  { keys: ['backspace'], say: 'Press Backspace to go back.' },
  { keys: ['1'], say: 'Press 1 for the routines again.' },
  {
    keys: ['enter'],
    say: 'Press / to search: type count, then Enter. n is the next match.',
    where: ({ prompt }) => prompt?.kind === 'search',
  },
  { keys: ['4'], say: 'Press 4 for its source: cost by line.' },
  { keys: [']'], say: 'Press ] for the next hot line.', where: viewOf('source') },
  { keys: ['I'], say: 'Press I for the flame graph: wider means more expensive.' },
  { keys: ['esc'], say: 'Press S to narrow the profile to routines or files; then Esc.', where: inPanel },
  { keys: ['esc'], say: 'Press ? for all keys, or : for any command; then Esc.', where: inPanel },
  { keys: [], say: 'End of the tour. proftui FILE opens yours. Press q to quit.' },
];

/** The stop after a key; undefined once Esc left the tour. `before`: the state that had the key. */
export function tourAfter(at: number, key: string, before: AppState): number | undefined {
  const { keys, where } = STOPS[at];
  if (keys.includes(key) && (where?.(before) ?? true)) return at + 1;
  return key === 'esc' && !before.panel && !before.prompt ? undefined : at;
}

/** The text of a stop, and the box's title. */
export function tourText(at: number): { readonly title: string; readonly text: string } {
  return { title: `Tour ${at + 1}/${STOPS.length} (Esc leaves it)`, text: STOPS[at].say };
}
