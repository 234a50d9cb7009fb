// npm run bench:link [-- COMMAND ARG ...]: how far a screen lags behind a held key over a slow link. The program runs in a
// pseudo-terminal; its output reaches an emulator through a channel of so many bytes per second and so much delay, and takes in
// everything at once, as sshd and TCP do. Keys and the terminal's answers go the same way back.
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pty from '@lydell/node-pty';
import xterm from '@xterm/headless';

/** Enough routines that no held key reaches the end of the list. */
function ownCommand() {
  const file = join(mkdtempSync(join(tmpdir(), 'proftui-')), 'callgrind.out.1');
  execFileSync(process.execPath, ['bench/grow-routines.mjs', '20000', file]);
  return [process.execPath, 'bin/proftui.js', file];
}
const command = process.argv.length > 2 ? process.argv.slice(2) : ownCommand();
/** Round trip in milliseconds, and bytes per second. */
const LINKS = [
  [0, 1e9],
  [150, 20_000],
  [300, 5000],
];
const SIZES = [
  [80, 24],
  [120, 40],
  [200, 50],
];
const KEYS = [
  ['j', 'j'],
  ['PgDn', '\u001b[6~'],
];
const [HOLD_MS, KEY_MS] = [5000, 33];
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Passes chunks on in order, each when the link has carried it. */
function openChannel(delayMs, bytesPerSecond, deliver) {
  let freeMs = 0;
  return (text) => {
    const now = performance.now();
    freeMs = Math.max(freeMs, now) + (Buffer.byteLength(text) / bytesPerSecond) * 1000;
    setTimeout(() => deliver(text), freeMs + delayMs - now);
  };
}

async function measure([roundTripMs, rate], [cols, rows], key) {
  const env = { ...process.env, TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  const child = pty.spawn(command[0], command.slice(1), { cols, rows, env });
  const terminal = new xterm.Terminal({ cols, rows, allowProposedApi: true });
  let [bytes, lastMs, first, firstMs] = [0, 0, '', 0];
  const firstPane = () => {
    const { active } = terminal.buffer;
    return Array.from({ length: rows - 1 }, (_, y) =>
      active
        .getLine(y)
        ?.translateToString()
        .slice(0, cols >> 1),
    ).join('\n');
  };
  const down = openChannel(roundTripMs / 2, rate, (text) =>
    terminal.write(text, () => {
      lastMs = performance.now();
      const now = firstPane();
      if (now !== first) [first, firstMs] = [now, lastMs];
    }),
  );
  // Pieces of 256 bytes: a link does not wait for the end of a frame.
  child.onData((text) => {
    bytes += Buffer.byteLength(text);
    for (let at = 0; at < text.length; at += 256) down(text.slice(at, at + 256));
  });
  const up = openChannel(roundTripMs / 2, 1e9, (text) => child.write(text));
  terminal.onData(up);
  await sleep(2500 + (rate < 1e6 ? 3000 : 0));
  bytes = 0;
  const start = performance.now();
  let keys = 0;
  while (performance.now() - start < HOLD_MS) {
    up(key);
    keys++;
    await sleep(Math.max(0, start + keys * KEY_MS - performance.now()));
  }
  const [released, held] = [performance.now(), bytes];
  while (performance.now() - Math.max(lastMs, released) < 2500) await sleep(100);
  child.kill('SIGKILL');
  return { lag: Math.max(0, firstMs - released), all: Math.max(0, lastMs - released), perKey: held / keys };
}

console.log('link              size     key   lag s  with pane s  bytes/key');
for (const link of LINKS)
  for (const size of SIZES)
    for (const [name, key] of KEYS) {
      const { lag, all, perKey } = await measure(link, size, key);
      const words = [`${link[0]} ms ${link[1] / 1000} kB/s`.padEnd(17), size.join('x').padEnd(8), name.padEnd(5)];
      console.log(
        [...words, (lag / 1000).toFixed(2), (all / 1000).toFixed(2).padStart(10), perKey.toFixed(0).padStart(10)].join(' '),
      );
    }
process.exit();
