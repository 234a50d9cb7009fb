// CPU and bytes a frame, drawn by Ink and written by the frame writer, for cursor moves in a table of a million routines.
import { createElement } from 'react';
import { initialState } from '../src/app/first-state.ts';
import { actionForKey } from '../src/app/keymap.ts';
import { update } from '../src/app/update.ts';
import { FrameWriter } from '../src/tui/frame-writer.ts';
import { openFrameRenderer } from '../src/tui/ink-frames.ts';
import { Screen } from '../src/tui/Screen.tsx';
import { manyRoutines } from './many-routines.ts';

const ROUTINES = Number(process.argv[2] ?? 1_000_000);
const [WIDTH, HEIGHT] = [200, 60];
const FRAMES = 400;

const profile = await manyRoutines(ROUTINES);

const writer = new FrameWriter();
let frame: string[] = [];
const frames = openFrameRenderer(WIDTH, HEIGHT, (lines) => {
  frame = lines;
});
const theme = { palette: 'either' } as const;
const opened = process.cpuUsage();
let [state] = update(initialState(profile, { width: WIDTH, height: HEIGHT }), { type: 'none' });
frames.draw(createElement(Screen, { state, theme }), true);
writer.renderFrame(frame, WIDTH, HEIGHT);
const first = process.cpuUsage(opened);
const measure = (key: string) => {
  const cpu: number[] = [];
  const size: number[] = [];
  for (let i = 0; i < FRAMES; i++) {
    const before = process.cpuUsage();
    [state] = update(state, actionForKey(state, key, key));
    frames.draw(createElement(Screen, { state, theme }), true);
    size.push(Buffer.byteLength(writer.renderFrame(frame, WIDTH, HEIGHT)));
    const used = process.cpuUsage(before);
    cpu.push((used.user + used.system) / 1000);
  }
  cpu.sort((a, b) => a - b);
  size.sort((a, b) => a - b);
  const at = (list: number[], share: number) => list[Math.floor(list.length * share)];
  return { cpuMedianMs: at(cpu, 0.5), cpu99Ms: at(cpu, 0.99), bytesMedian: at(size, 0.5), bytes99: at(size, 0.99) };
};
const moves: Record<string, unknown> = {};
const toMiddle = () => {
  [state] = update(state, { type: 'in-view', view: 'routines', action: { type: 'home' } });
  frames.draw(createElement(Screen, { state, theme }), true);
  writer.renderFrame(frame, WIDTH, HEIGHT);
};
// Warm up, then 50 moves within the screen at a time.
measure('j');
toMiddle();
moves['scroll by a line'] = (() => {
  for (let i = 0; i < 56; i++) [state] = update(state, { type: 'in-view', view: 'routines', action: { type: 'move', by: 1 } });
  return measure('j');
})();
moves['page'] = measure('space');
toMiddle();
const within: { cpu: number[]; size: number[] } = { cpu: [], size: [] };
for (let round = 0; round < 8; round++) {
  for (const key of ['j', 'k']) {
    for (let i = 0; i < 50; i++) {
      const before = process.cpuUsage();
      [state] = update(state, actionForKey(state, key, key));
      frames.draw(createElement(Screen, { state, theme }), true);
      within.size.push(Buffer.byteLength(writer.renderFrame(frame, WIDTH, HEIGHT)));
      const used = process.cpuUsage(before);
      within.cpu.push((used.user + used.system) / 1000);
    }
  }
}
const pick = (list: number[], share: number) => [...list].sort((a, b) => a - b)[Math.floor(list.length * share)];
moves['cursor move'] = {
  cpuMedianMs: pick(within.cpu, 0.5),
  cpu99Ms: pick(within.cpu, 0.99),
  bytesMedian: pick(within.size, 0.5),
  bytes99: pick(within.size, 0.99),
};
process.stdout.write(
  JSON.stringify({ routines: ROUTINES, firstFrameCpuMs: (first.user + first.system) / 1000, moves }, null, 1) + '\n',
);
process.exit(0);
