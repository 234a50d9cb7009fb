// npm run bench:keys -- FILE: the real program in a pseudo-terminal at 200x60: CPU and bytes from a key to its last byte, a burst of 200
// keys, a key held for five seconds, an idle minute (shortened to ten seconds), the first frame.
import { readdirSync, readFileSync } from 'node:fs';
import pty from '@lydell/node-pty';

const root = new URL('..', import.meta.url).pathname;
const file = process.argv[2];
const KEYS = Number(process.argv[3] ?? 100);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const env = { ...process.env, TERM: 'xterm-256color' };
delete env.NO_COLOR;

const started = performance.now();
const child = pty.spawn(process.execPath, [`${root}bin/proftui.js`, file], { cols: 200, rows: 60, env, cwd: root });
let bytes = 0;
let text = '';
let lastMs = 0;
child.onData((data) => {
  bytes += Buffer.byteLength(data);
  lastMs = performance.now();
  if (text.length < 1e6) text += data;
});

/** By thread, those that have ended included: nanoseconds. */
const ofThread = new Map();

/** CPU of the process, all threads, in milliseconds. */
function cpu() {
  for (const task of readdirSync(`/proc/${child.pid}/task`)) {
    try {
      ofThread.set(task, Number(readFileSync(`/proc/${child.pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]));
    } catch {
      // The thread has gone.
    }
  }
  let ns = 0;
  for (const own of ofThread.values()) ns += own;
  return ns / 1e6;
}

/** Waits until something has come since `since`, and then nothing for so long; at most a second for the first. */
async function quiet(ms, since = performance.now()) {
  while (lastMs < since && performance.now() - since < 1000) await sleep(1);
  while (performance.now() - lastMs < ms) await sleep(2);
}

const pick = (list, share) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))];
const round = (v) => Math.round(v * 10) / 10;

while (!/\[1 /.test(text)) await sleep(2);
const firstMs = performance.now() - started;
const firstCpuMs = cpu();
await sleep(1500);
const settledCpuMs = cpu();

async function keys(key, times, gap = 0) {
  const cost = [];
  const wall = [];
  const size = [];
  for (let i = 0; i < times; i++) {
    const before = { cpu: cpu(), bytes, at: performance.now() };
    child.write(key);
    await quiet(40, before.at);
    cost.push(cpu() - before.cpu);
    size.push(bytes - before.bytes);
    // A key that changes nothing writes nothing.
    if (lastMs >= before.at) wall.push(lastMs - before.at);
    if (gap) await sleep(gap);
  }
  return {
    cpuMedianMs: round(pick(cost, 0.5)),
    cpu99Ms: round(pick(cost, 0.99)),
    wallMedianMs: round(pick(wall, 0.5)),
    wall99Ms: round(pick(wall, 0.99)),
    bytesMedian: pick(size, 0.5),
    bytesMost: Math.max(...size),
  };
}

const out = { file, firstFrameMs: round(firstMs), firstFrameCpuMs: round(firstCpuMs), settledCpuMs: round(settledCpuMs) };
await keys('j', 30);
out.cursor = await keys('k', Math.min(25, KEYS));
child.write('j'.repeat(70));
await quiet(200);
out.scroll = await keys('j', KEYS);
out.page = await keys(' ', KEYS);
// A burst: all keys in one write; from the write to the last byte.
for (const [name, burst] of [
  ['burst of 200 j', 'j'.repeat(200)],
  ['burst of 200 pages', ' '.repeat(200)],
]) {
  const at = performance.now();
  const before = cpu();
  child.write(burst);
  await quiet(300, at);
  out[name] = { ms: round(lastMs - at), cpuMs: round(cpu() - before) };
}
// A held key: 30 a second.
const held = { bytes, cpu: cpu() };
for (let i = 0; i < 150; i++) {
  child.write('j');
  await sleep(33);
}
await sleep(200);
out['held for 5 s'] = { bytesAKey: Math.round((bytes - held.bytes) / 150), cpuMsAKey: round((cpu() - held.cpu) / 150) };
const idle = { bytes, cpu: cpu() };
await sleep(10_000);
out['idle 10 s'] = { bytes: bytes - idle.bytes, cpuMs: round(cpu() - idle.cpu) };
out.erased = text.split('\u001b[2J').length - 1;
process.stdout.write(`${JSON.stringify(out, null, 1)}\n`);
child.kill('SIGKILL');
process.exit(0);
