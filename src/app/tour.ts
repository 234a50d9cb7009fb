// The tour: a box with the key to press next, until it was pressed. About two minutes, on a small real profile that comes with the program.
import { type AppState, activeView } from './state.ts';

interface Stop {
  /** The keys that lead to the next stop. */
  readonly keys: readonly string[];
  readonly text: string;
  /** If present, the key counts only in a state that passes this test. */
  readonly where?: (before: AppState) => boolean;
}

const inPanel = ({ panel }: AppState) => panel !== undefined;
const viewOf = (id: string) => (state: AppState) => activeView(state).id === id;

const STOPS: readonly Stop[] = [
  { keys: ['j', 'down'], text: 'Routines, highest self cost first. Press j to move down.' },
  { keys: ['s'], text: '"incl" includes everything the routine calls. Press s for the columns to sort by.' },
  { keys: ['enter'], text: 'Type incl to narrow the list. Press Enter to sort by it.', where: inPanel },
  { keys: ['!'], text: 'Press ! for what matters most; Enter jumps to the spot.' },
  { keys: ['3'], text: 'Who calls what? Press 3 for the call tree.' },
  { keys: [']'], text: 'Press ] to open the hottest path. In every view it goes to the next hot place.', where: viewOf('tree') },
  { keys: ['2'], text: 'Press 2 for the callers and callees of the routine.' },
  { keys: ['backspace'], text: 'Press Backspace to go back.' },
  { keys: ['1'], text: 'Press 1 for the routines again.' },
  {
    keys: ['enter'],
    text: 'Press / to search: type count, then Enter. n is the next match.',
    where: ({ prompt }) => prompt?.kind === 'search',
  },
  { keys: ['4'], text: 'Press 4 for its source: cost by line.' },
  { keys: [']'], text: 'Press ] for the next hot line.', where: viewOf('source') },
  { keys: ['I'], text: 'Press I for the flame graph: wider means more expensive.' },
  { keys: ['esc'], text: 'Press S to narrow the profile to routines or files; then Esc.', where: inPanel },
  { keys: ['esc'], text: 'Press ? for all keys, or : for any command; then Esc.', where: inPanel },
  { keys: [], text: 'End of the tour. proftui FILE opens yours. Press q to quit.' },
];

/** The stop after a key; undefined once Esc left the tour. `before`: the state that had the key. */
export function tourAfter(at: number, key: string, before: AppState): number | undefined {
  const { keys, where } = STOPS[at];
  if (keys.includes(key) && (where?.(before) ?? true)) return at + 1;
  return key === 'esc' && !before.panel && !before.prompt ? undefined : at;
}

/** The text of a stop, and the box's title. */
export function tourText(at: number): { readonly title: string; readonly text: string } {
  return { title: `Tour ${at + 1}/${STOPS.length} (Esc leaves it)`, text: STOPS[at].text };
}
