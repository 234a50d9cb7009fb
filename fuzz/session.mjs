// npm run fuzz:session -- [KEYS] [SEED]: random keys in the real program, in a pseudo-terminal: ten profiles in turn, opened from within, with
// reloads, comparisons, resizes and all views in between. Prints the memory after each round; at the end, whether it grew, and files that are
// left in the folder for temporary files. Exit code 1 where it ended by itself, grew, or left a file.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import pty from '@lydell/node-pty';

const root = new URL('..', import.meta.url).pathname;
const KEYS = Number(process.argv[2] ?? 100_000);
const SEED = Number(process.argv[3] ?? 1);
const FILES = [
  ...['callgrind/default.callgrind.out', 'callgrind/instr-jumps.callgrind.out.gz', 'cachegrind/demo.cachegrind.out.gz'],
  ...['gperftools/pie-g.prof.gz', 'pprof/cpu.pb.gz', 'perf-script/two-events.perf.gz', 'folded/perf.folded'],
  ...['aprof/sorts-cct/sorts_29653_0_4.aprof.gz', 'cmake/mbedtls-ninja.json.gz', 'trace-events/hand/complete-object.json'],
];
/** Rounds go through all profiles once. */
const ROUNDS = 10;
/** Keys between two waits. */
const BATCH = 20;
/** Megabytes by which the memory after a round may differ from that of the third, when caches have filled. */
const MOST_GROWN = 150;

let x = 88172645 ^ (SEED * 2654435761);
const below = (n) => {
  x ^= x << 13;
  x ^= x >>> 17;
  x ^= x << 5;
  return (x >>> 0) % n;
};
const pick = (list) => list[below(list.length)];
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const MOVES = ['j', 'k', 'h', 'l', ' ', 'b', 'g', 'G', '\x1b[A', '\x1b[B', '\x1b[C', '\x1b[D', '\x1b[5~', '\x1b[6~', '\t', '\r'];
const VIEWS = [...'123456789!IW'];
// Without those that end the program, start an editor, or ask where to write.
const OTHERS = [..."nNm'zs<>ro+-0ip{}vV%TuBc*.][^|&/?SR@H\\`x", '\x1b', '\x7f'];
const WORDS = ['main\r', 'a\r', '\x1b', '/./\r', '12\r', 'zz\x1b'];

function key() {
  const kind = below(20);
  if (kind < 8) return pick(MOVES);
  if (kind < 12) return pick(VIEWS);
  if (kind < 13) return `${pick(['/', '&'])}${pick(WORDS)}`;
  return pick(OTHERS);
}

const home = mkdtempSync(join(tmpdir(), 'proftui-session-'));
// Marks and notes are written beside the profile.
const files = FILES.map((name, nth) => {
  const path = join(home, `${nth}`, basename(name));
  mkdirSync(dirname(path));
  copyFileSync(join(root, 'fixtures', name), path);
  return path;
});
const env = {
  ...process.env,
  TERM: 'xterm-256color',
  HOME: home,
  TMPDIR: home,
  XDG_CONFIG_HOME: home,
  XDG_CACHE_HOME: home,
  EDITOR: 'true',
  VISUAL: 'true',
};
const child = pty.spawn(process.execPath, [join(root, 'bin/proftui.js'), '--debug', files[0]], {
  cols: 120,
  rows: 40,
  env,
  cwd: home,
});
let lastMs = 0;
let ended;
let said = '';
const sent = [];
child.onData((data) => {
  lastMs = performance.now();
  said = (said + data).slice(-20_000);
});
child.onExit(({ exitCode, signal }) => {
  ended = `exit ${exitCode}, signal ${signal}`;
});

/** Waits until nothing has come for so long. */
async function quiet(ms, most = 5000) {
  const from = performance.now();
  while (!ended && performance.now() - Math.max(lastMs, from) < ms && performance.now() - from < most) await sleep(1);
}

function residentMb() {
  const found = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
  return Math.round(Number(found?.[1] ?? 0) / 1024);
}

await quiet(500);
const each = Math.ceil(KEYS / ROUNDS / FILES.length);
const memory = [];
let pressed = 0;
for (let round = 0; round < ROUNDS && !ended; round++) {
  for (const file of files) {
    if (ended) break;
    child.write('\x1b');
    await quiet(60);
    child.write(`\x1b`);
    await quiet(60);
    child.write(`:open ${file}\r`);
    await quiet(150);
    if (below(3) === 0 && !ended) child.resize(20 + below(180), 5 + below(55));
    for (let n = 0; n < each && !ended; n += BATCH) {
      const keys = Array.from({ length: Math.min(BATCH, each - n) }, key).join('');
      sent.push(keys);
      child.write(keys);
      pressed += BATCH;
      await quiet(4);
    }
  }
  if (ended) break;
  await quiet(1000);
  memory.push(residentMb());
  console.log(`${pressed.toLocaleString('en')} keys: ${memory.at(-1)} MB`);
}
const wrong = [];
if (ended) {
  const last = said.slice(said.lastIndexOf('\x1b[?1049l')).replace(/\x1b\[[\d;?]*[a-zA-Z]/g, '');
  wrong.push(
    `the program ended by itself after ${pressed} keys: ${ended}; the last ones: ${JSON.stringify(sent.slice(-3).join(''))}\n${last}`,
  );
} else {
  const grown = memory.at(-1) - memory[Math.min(2, memory.length - 1)];
  if (grown > MOST_GROWN) wrong.push(`memory grew by ${grown} MB after the third round`);
  child.write('\x03');
  for (let i = 0; i < 100 && !ended; i++) await sleep(50);
  if (!ended)
    wrong.push(
      `^C did not end it; the last keys: ${JSON.stringify(sent.slice(-3).join(''))}; the last bytes: ${JSON.stringify(said.slice(-1500))}`,
    );
}
const left = readdirSync(home).filter((name) => name.startsWith('proftui-'));
if (left.length > 0) wrong.push(`left in the folder for temporary files: ${left.join(', ')}`);
console.log(wrong.length > 0 ? wrong.join('\n') : 'nothing is wrong');
if (!ended) child.kill('SIGKILL');
await sleep(200);
rmSync(home, { recursive: true, force: true });
process.exit(wrong.length > 0 ? 1 : 0);
