// What one key costs where it must look at everything: sorting and filtering a table of a million routines at 200x60, from the key to
// the bytes for the terminal. Each with a fresh column or pattern.
import { createElement } from 'react';
import type { Action } from '../src/app/action.ts';
import { initialState } from '../src/app/first-state.ts';
import { contextOf, openView } from '../src/app/state.ts';
import { prepareForKeys, update } from '../src/app/update.ts';
import { FrameWriter } from '../src/tui/frame-writer.ts';
import { openFrameRenderer } from '../src/tui/ink-frames.ts';
import { Screen } from '../src/tui/Screen.tsx';
import type { AnyViewAction } from '../src/views/index.ts';
import { manyRoutines } from './many-routines.ts';

const ROUTINES = Number(process.argv[2] ?? 1_000_000);
const [WIDTH, HEIGHT] = [200, 60];
const profile = await manyRoutines(ROUTINES);
const writer = new FrameWriter();
let frame: string[] = [];
const frames = openFrameRenderer(WIDTH, HEIGHT, (lines) => {
  frame = lines;
});
const theme = { palette: 'either' } as const;
let [state] = update(initialState(profile, { width: WIDTH, height: HEIGHT, timeBudgetMs: 10 }), { type: 'none' });
const draw = () => {
  frames.draw(createElement(Screen, { state, theme }), true);
  return writer.renderFrame(frame, WIDTH, HEIGHT).length;
};
draw();
const rows = () => openView(state).rowCount(contextOf(state));
const filter = (text: string): Action => ({ type: 'command', name: 'filter', argument: text });
const inView = (action: AnyViewAction): Action => ({ type: 'in-view', view: 'routines', action });
const actions: [string, Action][] = [
  ['sort by calls', inView({ type: 'sort', column: 'calls' })],
  ['sort by inclusive cost', inView({ type: 'sort', column: 'inclusive' })],
  ['sort by file', inView({ type: 'sort', column: 'file' })],
  ['sort by name', inView({ type: 'sort', column: 'routine' })],
  ['sort by self cost', inView({ type: 'sort', column: 'self' })],
  ['reverse', inView({ type: 'reverse' })],
  ['filter: text that many names hold', filter('method_77')],
  ['filter: text that one name holds', filter('method_999999')],
  ['filter: regular expression', filter('/Class12.*_55/')],
  ['filter: inverted', filter('!class1')],
  ['filter: letters', filter('lclmth123')],
  ['filter: letters that no name has', filter('zqxzqxzqx')],
];
const out: Record<string, unknown> = {};
// What the screen does while no key comes; a key may wait for the longest slice.
const idleFrom = performance.now();
let longestIdle = 0;
for (let left = true; left; ) {
  const slice = performance.now();
  left = !prepareForKeys(state);
  longestIdle = Math.max(longestIdle, performance.now() - slice);
}
out['names sorted while idle'] = { all: Math.round(performance.now() - idleFrom), longest: Math.round(longestIdle) };
for (const [name, action] of actions) {
  const started = performance.now();
  [state] = update(state, action);
  draw();
  const first = performance.now() - started;
  // A page of rows, and all of them; in slices, of which the longest is what a key may wait for.
  let page = rows() >= HEIGHT ? first : undefined;
  let longest = 0;
  let drawn = performance.now();
  while (state.unfinished) {
    const slice = performance.now();
    [state] = update(state, { type: 'work' });
    longest = Math.max(longest, performance.now() - slice);
    // As the screen does it.
    if (page === undefined && performance.now() - drawn > 60) {
      draw();
      drawn = performance.now();
      if (rows() >= HEIGHT) page = drawn - started;
    }
  }
  draw();
  const all = performance.now() - started;
  out[name] = Object.fromEntries(
    Object.entries({ key: first, page: page ?? all, all, longest }).map(([k, v]) => [k, Math.round(v)]),
  );
}
process.stdout.write(JSON.stringify({ routines: ROUTINES, milliseconds: out }, null, 1) + '\n');
process.exit(0);
