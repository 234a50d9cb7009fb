// The meaning of every key. Views may make the meaning of a key more specific, but must not change it.
import { type GlobalBinding, globalBindings } from '../src/app/keymap.ts';

/** Keys that work only in views; globalBindings in keymap.ts has the others. Keys with equal meaning share a row. */
const VIEW_KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['enter', 'open what the cursor is on'],
  ['j down', 'down'],
  ['k up', 'up'],
  ['l right', 'right: open the row, the next box or step, or scroll names'],
  ['h left', 'left: close the row, the previous box or step, or scroll names'],
  ['space pagedown ctrl-f', 'a page down'],
  ['b pageup ctrl-b', 'a page up'],
  ['ctrl-d ctrl-u', 'half a page down, up; in plots, to later times or larger sizes, and back'],
  ['g home', 'the first'],
  ['G end', 'the last'],
  ['z', 'centre: the row in the middle of the screen; in Gantt, the step across the window'],
  ['] [', 'the next, the previous hot place: path, line, instruction, or step of the critical path'],
  ['+ =', 'more: zoom in, unfold all, turn a part on or off'],
  ['-', 'less: zoom out, fold all'],
  ['0', 'everything: no zoom, all parts'],
  ['i', 'invert: callers in place of callees'],
  ['p', 'plot: the curve of the routine, the next plot'],
];

export interface KeyTableRow {
  readonly keys: readonly string[];
  readonly meaning: string;
}

const isDigit = ({ action }: GlobalBinding) => action.type === 'digit';

/** All keys, one row per meaning. */
export function keyTableRows(): readonly KeyTableRow[] {
  const keyed = globalBindings.filter(({ keys }) => keys.length > 0);
  return [
    { keys: keyed.filter(isDigit).flatMap(({ keys }) => keys), meaning: 'the views of the profile; the tabs name them' },
    ...VIEW_KEYS.map(([keys, meaning]) => ({ keys: keys.split(' '), meaning })),
    ...keyed.filter((b) => !isDigit(b)).map(({ keys, help }) => ({ keys, meaning: help })),
  ];
}
