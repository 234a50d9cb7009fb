// npm run bench -- FILE [NATIVE]: loading against the native scan (an executable that prints `scan N ms`), memory at the peak, start,
// frames. Everything as ratios in one run: the machines are noisy.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url).pathname;
process.chdir(root);
const [file, native] = process.argv.slice(2);
mkdirSync('.cache/bench', { recursive: true });
await build({
  entryPoints: ['bench/load.ts', 'bench/frames.ts', 'bench/keys.ts'],
  outdir: '.cache/bench',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  external: ['react-devtools-core'],
  splitting: true,
  logLevel: 'error',
  banner: { js: "import { createRequire as __r } from 'node:module'; const require = __r(import.meta.url);" },
});
const node = (...args) => spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
/** Milliseconds from start to end, the median of some runs. */
const timeOf = (args, times) =>
  median(
    Array.from({ length: times }, () => {
      const started = performance.now();
      spawnSync(process.execPath, args, { stdio: 'ignore' });
      return performance.now() - started;
    }),
  );

if (file) {
  const ours = [];
  const theirs = [];
  for (let i = 0; i < 5; i++) {
    ours.push(JSON.parse(node('.cache/bench/load.mjs', file).stdout));
    if (native) theirs.push(Number(/scan (\d+) ms/.exec(spawnSync(native, [file], { encoding: 'utf8' }).stdout)?.[1]));
  }
  const ms = median(ours.map((o) => o.ms));
  const mb = ours[0].bytes / 1e6;
  process.stdout.write(
    `load: ${mb.toFixed(0)} MB, ${ours[0].rows} rows, ${ours[0].routines} routines: ${ms.toFixed(0)} ms, ${((mb / ms) * 1000).toFixed(0)} MB/s (runs: ${ours.map((o) => o.ms.toFixed(0)).join(' ')})\n`,
  );
  const middle = (field) => median(ours.map((o) => o[field])).toFixed(0);
  process.stdout.write(`after the load: first frame ${middle('frameMs')} ms, all its answers ${middle('answersMs')} ms\n`);
  if (native)
    process.stdout.write(
      `native scan: ${median(theirs)} ms (runs: ${theirs.join(' ')}); ratio ${(median(theirs) / ms).toFixed(3)}\n`,
    );
  const peak = spawnSync(
    '/usr/bin/env',
    [
      'bash',
      '-c',
      `${process.execPath} bin/proftui.js "$0" --print routines --limit 1 > /dev/null & p=$!; m=0; while kill -0 $p 2>/dev/null; do r=$(awk '/VmHWM/{print $2}' /proc/$p/status 2>/dev/null); [ -n "$r" ] && m=$r; sleep 0.02; done; echo $m`,
      file,
    ],
    { encoding: 'utf8' },
  );
  const size = statSync(file).size;
  process.stdout.write(
    `memory: peak ${(Number(peak.stdout) / 1000).toFixed(0)} MB for a file of ${(size / 1e6).toFixed(0)} MB; bound ${((size * 2.5) / 1e6 + 150).toFixed(0)} MB\n`,
  );
}
const zero = timeOf(['-e', '0'], 15);
const version = timeOf(['bin/proftui.js', '--version'], 15);
process.stdout.write(
  `start: node -e 0 ${zero.toFixed(0)} ms, --version ${version.toFixed(0)} ms, ratio ${(version / zero).toFixed(2)}\n`,
);
process.stdout.write(
  `print summary of the bundled profile (${(readFileSync('fixtures/callgrind/default.callgrind.out').length / 1e3).toFixed(0)} KB): ${timeOf(['bin/proftui.js', 'fixtures/callgrind/default.callgrind.out'], 7).toFixed(0)} ms\n`,
);
process.stdout.write(`frames at 200x60: ${node('.cache/bench/frames.mjs', '1000000').stdout}`);
process.stdout.write(`keys that look at everything: ${node('.cache/bench/keys.mjs', '1000000').stdout}`);
