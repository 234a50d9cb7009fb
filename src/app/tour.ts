// The tour: a box names the next key until the user presses it. It takes about two minutes, on a small profile of a real program.
import { cellWidth, cutEnd, fit, wrapText } from '../base/text.ts';
import type { ScreenLine } from '../views/view.ts';
import { toAsciiLine } from './panes.ts';
import { type AppState, activeView } from './state.ts';

interface TourStop {
  readonly keys: readonly string[];
  readonly text: string;
  /** A condition on the state before the key; without it, the key always counts. */
  readonly where?: (before: AppState) => boolean;
}

const isPanelOpen = ({ panel }: AppState) => panel !== undefined;
const isViewOpen = (id: string) => (state: AppState) => activeView(state).id === id;

const TOUR_STOPS: readonly TourStop[] = [
  { keys: ['j', 'down'], text: 'Overview: findings, then your own code. Enter opens a row. Press j to move down.' },
  { keys: ['2'], text: 'Press 2 for all routines, highest self cost first.' },
  { keys: ['s'], text: '"incl" includes everything the routine calls. Press s for the columns to sort by.' },
  { keys: ['enter'], text: 'Type incl to narrow the list. Press Enter to sort by it.', where: isPanelOpen },
  { keys: ['6'], text: 'Who calls what? Press 6 for the call tree.' },
  {
    keys: [']'],
    text: 'Press ] to open the hottest path. In every view it goes to the next hot place.',
    where: isViewOpen('tree'),
  },
  { keys: ['3'], text: 'Press 3 for the callers and callees of the routine.' },
  { keys: ['backspace'], text: 'Press Backspace to go back.' },
  { keys: ['2'], text: 'Press 2 for the routines again.' },
  {
    keys: ['enter'],
    text: 'Press / to search: type count, then Enter. n is the next match.',
    where: ({ prompt }) => prompt?.kind === 'search',
  },
  { keys: ['4'], text: 'Press 4 for its source: cost by line.' },
  { keys: [']'], text: 'Press ] for the next hot line.', where: isViewOpen('source') },
  { keys: ['5'], text: 'Press 5 for the flame graph: wider means more expensive.' },
  { keys: ['esc'], text: 'Press S to narrow the profile to routines or files; then Esc.', where: isPanelOpen },
  { keys: ['esc'], text: 'Press ? for all keys, or : for any command; then Esc.', where: isPanelOpen },
  { keys: [], text: 'End of the tour. proftui FILE opens yours. Press q twice to quit.' },
];

/** The tour stop after a key; undefined if Esc ended the tour. `before`: the state in which the key was pressed. */
export function nextTourStop(at: number, key: string, before: AppState): number | undefined {
  const { keys, where } = TOUR_STOPS[at];
  if (keys.includes(key) && (where?.(before) ?? true)) return at + 1;
  return key === 'esc' && !before.panel && !before.prompt ? undefined : at;
}

export function drawTourBox({ tour, panel, width, ascii }: AppState, body: readonly ScreenLine[]): readonly ScreenLine[] {
  if (tour === undefined || panel) return body;
  const innerWidth = Math.max(1, width - 4);
  const borderLine = (left: string, label: string, right: string) => {
    const shown = cutEnd(label, innerWidth + 2);
    return left + shown + '─'.repeat(innerWidth + 2 - cellWidth(shown)) + right;
  };
  const box = [
    borderLine('┌', `─ Tour ${tour + 1}/${TOUR_STOPS.length} (Esc leaves it) `, '┐'),
    ...wrapText(TOUR_STOPS[tour].text, innerWidth, innerWidth, 0).map((line) => `│ ${fit(line, innerWidth)} │`),
    borderLine('└', '', '┘'),
  ].map((line): ScreenLine => toAsciiLine({ ascii }, { spans: [[line, 'accent']] }));
  return [...body.slice(0, Math.max(1, body.length - box.length)), ...box].slice(0, Math.max(body.length, 1));
}
