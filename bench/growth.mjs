// npm run bench:growth: how load, memory, first frame and keys grow with the size of a profile, by the real program in a
// pseudo-terminal at 200x60. Each size in its own process; the table of bench/README.md is its output. Files are made in .cache/bench.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import pty from '@lydell/node-pty';

const root = new URL('..', import.meta.url).pathname;
process.chdir(root);
const folder = '.cache/bench';
mkdirSync(folder, { recursive: true });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const env = { ...process.env, TERM: 'xterm-256color' };
delete env.NO_COLOR;

/** Costs lines in 1000 routines; routines of ten lines; steps of a CMake build; routines of an aprof report. */
function made(kind, size) {
  const path = `${folder}/${kind}-${size}`;
  if (existsSync(path)) return path;
  // 100,000 steps take the script ten minutes: it writes their truth too.
  if (kind === 'steps') spawnSync('python3', ['fixtures/cmake/tools/synthetic.py', path, '--seed', '1', '--steps', String(size)]);
  else if (kind === 'inputs') spawnSync(process.execPath, ['bench/grow-inputs.mjs', String(size), path]);
  else {
    const [routines, lines] = kind === 'lines' ? [1000, size / 1000] : [size, 10];
    spawnSync(process.execPath, ['bench/grow-routines.mjs', String(routines), path, String(lines)]);
  }
  if (!existsSync(path)) throw new Error(`${path} was not made`);
  return path;
}

function cpu(pid) {
  let ns = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    try {
      ns += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
    } catch {
      // The thread has gone.
    }
  }
  return ns / 1e6;
}

async function measure(kind, size) {
  const path = made(kind, size);
  const started = performance.now();
  const child = pty.spawn(process.execPath, ['bin/proftui.js', path], { cols: 200, rows: 60, env, cwd: root });
  let text = '';
  let lastMs = 0;
  child.onData((data) => {
    text = (text + data).slice(-200_000);
    lastMs = performance.now();
  });
  while (!/\[1 /.test(text)) await sleep(2);
  const firstMs = performance.now() - started;
  const peakMb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1000;
  await sleep(500);
  const key = async (k) => {
    const before = cpu(child.pid);
    const at = performance.now();
    child.write(k);
    while (lastMs < at && performance.now() - at < 3000) await sleep(1);
    while (performance.now() - lastMs < 40) await sleep(2);
    return { wall: lastMs - at, cpu: cpu(child.pid) - before };
  };
  const moves = [];
  for (let i = 0; i < 40; i++) moves.push((await key(i % 2 === 0 ? 'j' : 'k')).cpu);
  moves.sort((a, b) => a - b);
  // Another view and back: all that is made anew.
  const sorted = kind === 'steps' ? await key('5') : await key('i');
  child.kill('SIGKILL');
  const load = spawnSync(process.execPath, ['bin/proftui.js', path, '--check'], { encoding: 'utf8' });
  return {
    size,
    bytes: kind === 'steps' ? 0 : statSync(path).size,
    firstMs,
    peakMb,
    move: moves[20],
    most: moves[39],
    other: sorted.wall,
    ok: load.status === 0,
  };
}

const f = (v, digits = 0) => v.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits });
for (const [kind, sizes] of [
  ['lines', [10_000, 100_000, 1_000_000, 10_000_000]],
  ['routines', [1000, 10_000, 100_000, 1_000_000]],
  ['steps', [1000, 10_000, 100_000]],
  ['inputs', [1000, 10_000, 100_000]],
]) {
  if (process.argv[2] && process.argv[2] !== kind) continue;
  process.stdout.write(
    `\n| ${kind} | file | first frame | memory | a move, CPU | the slowest of 40 | ${kind === 'steps' ? 'the Steps view' : 'sort by inclusive'} |\n| --- | --- | --- | --- | --- | --- | --- |\n`,
  );
  for (const size of sizes) {
    const m = await measure(kind, size);
    const file = m.bytes ? `${f(m.bytes / 1e6, 1)} MB` : '';
    process.stdout.write(
      `| ${f(size)} | ${file} | ${f(m.firstMs)} ms | ${f(m.peakMb)} MB | ${f(m.move, 1)} ms | ${f(m.most, 1)} ms | ${f(m.other)} ms |\n`,
    );
  }
}
process.exit(0);
