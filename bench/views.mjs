// npm run bench:views -- [--size WxH] FILE ...: CPU of the frames of every view of a profile, in milliseconds and without a terminal: from the
// profile to the first frame, until all rows are there, and of two keys. A frame should cost what its rows on the screen do, however large the
// profile is: a view that is slower than the others of its profile does work for rows that nobody sees.
import { mkdirSync } from 'node:fs';
import { build } from 'esbuild';
import { ownPlace } from '../scripts/own-place.mjs';

const root = new URL('..', import.meta.url).pathname;
process.chdir(root);
process.env.NODE_ENV = 'production';
const words = process.argv.slice(2);
const sizeAt = words.indexOf('--size');
const [width, height] = sizeAt < 0 ? [200, 60] : words.splice(sizeAt, 2)[1].split('x').map(Number);

/** As in src/tui/run.tsx: work that takes longer goes on after the frame. */
const PATIENCE_MS = 10;

// Bundled, since tsx names each function again whenever it is made.
mkdirSync('.cache/bench', { recursive: true });
const outfile = '.cache/bench/screen.mjs';
const exported = {
  './src/app/start.ts': 'openSession',
  './src/app/keymap.ts': 'actionForKey',
  './src/app/update.ts': 'update',
  './src/io/load.ts': 'loadProfile',
  './src/tui/frame-writer.ts': 'FrameWriter',
  './src/tui/ink-frames.ts': 'openFrameRenderer',
  './src/tui/Screen.tsx': 'Screen',
  './src/views/index.ts': 'viewsOf',
};
const contents = Object.entries(exported).map(([from, name]) => `export { ${name} } from '${from}';`);
await build({
  stdin: { contents: contents.join('\n'), resolveDir: root },
  ...{ outfile, bundle: true, format: 'esm', platform: 'node', target: 'node20', packages: 'external', jsx: 'automatic' },
  ...{ define: { 'process.env.NODE_ENV': '"production"' }, plugins: [ownPlace], logLevel: 'warning' },
});
const { openSession, actionForKey, update, loadProfile, FrameWriter, openFrameRenderer, Screen, viewsOf } = await import(
  root + outfile
);
const { createElement } = await import('react');

let lines = [];
const frames = openFrameRenderer(width, height, (drawn) => {
  lines = drawn;
});
const theme = { palette: 'either' };
const pick = (list, share) => list.toSorted((a, b) => a - b)[Math.floor((list.length - 1) * share)];
const shown = (ms) => ms.toFixed(1).padStart(8);

function cpu(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

console.log('view               first frame   all rows |  j: median   1 in 20 | ctrl-d: median   1 in 20');
for (const file of words) {
  const profile = await loadProfile([file]);
  console.log(file.slice(-70));
  const open = () => openSession(profile, { width, height, timeBudgetMs: PATIENCE_MS })[0];
  for (const { id: view } of viewsOf(open().analysis)) {
    const writer = new FrameWriter();
    let state;
    const show = () => {
      frames.draw(createElement(Screen, { state, theme }), true);
      writer.renderFrame(lines, width, height);
    };
    const first = cpu(() => {
      state = open();
      if (state.view !== view) [state] = update(state, { type: 'view', view });
      show();
    });
    if (state.view !== view) throw new Error(`${view} does not open: ${state.message?.text}`);
    const rest = cpu(() => {
      while (state.unfinished) [state] = update(state, { type: 'work' });
      show();
    });
    const times = ['j', 'ctrl-d'].map((key) =>
      Array.from({ length: 60 }, () =>
        cpu(() => {
          [state] = update(state, actionForKey(state, key, key));
          show();
        }),
      ),
    );
    const [j, page] = times.map((list) => `${shown(pick(list, 0.5))} ${shown(pick(list, 0.95))} `);
    console.log(`  ${view.padEnd(18)} ${shown(first)}   ${shown(rest)} | ${j} | ${page}`);
  }
}
process.exit(0);
