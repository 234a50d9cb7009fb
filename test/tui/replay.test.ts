// The program's own frames, any keys at any size: what is sent of the differences leaves every cell as whole frames do. In
// xterm's emulator, and at the end in tmux and screen, where those are.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import test from 'node:test';
import pty from '@lydell/node-pty';
import fc from 'fast-check';
import { createElement } from 'react';
import { globalBindings } from '../../src/app/keymap.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { type Capabilities, capabilitiesOf, XTERM } from '../../src/tui/capabilities.ts';
import { FrameWriter } from '../../src/tui/frame-writer.ts';
import { openFrameRenderer } from '../../src/tui/ink-frames.ts';
import { Screen } from '../../src/tui/Screen.tsx';
import { views } from '../../src/views/index.ts';
import { cellsOf, openEmulator, openTerminalOf, POOR_TERMINALS, write } from '../support/emulator.ts';
import { existing, FIXTURES } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';
import { loadText } from '../support/load.ts';
import { long } from '../support/long.ts';

const keys = [...new Set([...globalBindings, ...views.flatMap((v) => v.keys)].flatMap((b) => [...b.keys]))].filter(
  (k) => !['q', 'ctrl-c', 'ctrl-z', 'e', 'R'].includes(k),
);
const anyKeys = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('j', 'j', 'j', 'k', 'space', 'b', 'G', 'g', 'right', 'left') },
    { weight: 4, arbitrary: fc.constantFrom(...keys) },
    { weight: 1, arbitrary: fc.constantFrom('a', '日', '(', 'enter') },
  ),
  { minLength: 1, maxLength: 40 },
);

/** Names of wide, combining and invisible characters among plain ones. */
function oddNames(): Promise<Profile> {
  const names = [
    '計算する',
    'e\u0301te\u0301',
    'plain_name',
    'a\u0300\u0301b',
    '한국어::메서드',
    'naïve',
    '👩‍👩‍👧',
    '🇩🇪 flag',
    'x\u200by',
    'ﬀ',
    '…▶█',
  ];
  const lines = ['events: Ir', 'fl=(1) ソース.c'];
  for (let i = 0; i < 80; i++) lines.push(`fn=(${i + 1}) ${names[i % names.length]}${i}`, `${i} ${(i * 37) % 101}`);
  return loadText(callgrind, `${lines.join('\n')}\n`);
}

/** What was sent, frame by frame, and the last frame alone. */
function framesOf(
  profile: Profile,
  pressed: readonly string[],
  width: number,
  height: number,
  can: Capabilities = XTERM,
): { sent: string[]; whole: string[] } {
  const player = play(profile, { width, height }, [join(FIXTURES, 'callgrind')]);
  const writer = new FrameWriter(can);
  const sent: string[] = [];
  const whole: string[] = [];
  const frames = openFrameRenderer(width, height, (lines) => {
    sent.push(writer.renderFrame(lines, width, height));
    whole.push(new FrameWriter(can).renderFrame(lines, width, height));
  });
  const theme = { palette: 'either' } as const;
  frames.draw(createElement(Screen, { state: player.state, theme }), player.state.panel === undefined);
  for (const key of pressed) {
    player.press(key);
    frames.draw(createElement(Screen, { state: player.state, theme }), player.state.panel === undefined);
  }
  const drawn = sent.length;
  frames.close();
  // Under CI, where Ink would write once more, as anywhere.
  assert.equal(sent.length, drawn, 'nothing is drawn when it ends');
  return { sent, whole };
}

const PROFILES: Record<string, () => Promise<Profile>> = {
  'wide and combining names': oddNames,
  'instructions and jumps': () => loadProfile([existing(join(FIXTURES, 'callgrind/instr-jumps.callgrind.out'))]),
  'names of ten thousand characters': () => loadProfile([existing(join(FIXTURES, 'callgrind/edge/v39-long-name.callgrind.out'))]),
};

for (const [what, load] of Object.entries(PROFILES)) {
  long(`every cell after every key: ${what}`, async () => {
    const profile = await load();
    await fc.assert(
      fc.asyncProperty(
        anyKeys,
        fc.integer({ min: 1, max: 210 }),
        fc.integer({ min: 1, max: 60 }),
        async (pressed, width, height) => {
          const { sent, whole } = framesOf(profile, pressed, width, height);
          const terminal = openEmulator(width, height);
          await write(terminal, '\u001b[?7l');
          for (let i = 0; i < sent.length; i++) {
            await write(terminal, sent[i]);
            if (i > 0) assert.doesNotMatch(sent[i], /\u001b\[2J/);
          }
          const fresh = openEmulator(width, height);
          await write(fresh, `\u001b[?7l${whole.at(-1)}`);
          assert.deepEqual(cellsOf(terminal), cellsOf(fresh));
        },
      ),
      { numRuns: 40 },
    );
  });
}

for (const term of POOR_TERMINALS)
  long(`every cell after every key in a terminal that is a ${term}`, async () => {
    const profile = await loadProfile([existing(join(FIXTURES, 'callgrind/default.callgrind.out'))]);
    const can = capabilitiesOf(term);
    assert.ok(can);
    await fc.assert(
      fc.asyncProperty(anyKeys, fc.constantFrom(80, 131), fc.integer({ min: 5, max: 40 }), async (pressed, width, height) => {
        const { sent, whole } = framesOf(profile, pressed, width, height, can);
        const terminal = openTerminalOf(term, width, height);
        await write(terminal, `\u001b[?7l${sent.join('')}`);
        const fresh = openEmulator(width, height);
        await write(fresh, `\u001b[?7l${whole.at(-1)}`);
        assert.deepEqual(cellsOf(terminal), cellsOf(fresh));
      }),
      { numRuns: 15 },
    );
  });

test('a scrolled list shows true rows in every terminal', async () => {
  const rows = (from: number) => ['title', ...Array.from({ length: 20 }, (_, i) => `${from + i} row`), 'footer'];
  for (const term of POOR_TERMINALS) {
    const writer = new FrameWriter(capabilitiesOf(term));
    const terminal = openTerminalOf(term, 40, 22);
    let frame: string[] = [];
    for (const from of [0, 1, 5, 3, 2, 12, 0]) {
      frame = rows(from);
      await write(terminal, writer.renderFrame(frame, 40, 22));
      const shown = Array.from({ length: 22 }, (_, y) => terminal.buffer.active.getLine(y)?.translateToString(true));
      assert.deepEqual(shown, frame, `${term} from ${from}`);
    }
  }
});

// The programs that stand between most users and their terminal. What they show is asked of themselves.
const KEYS = [
  'j',
  'j',
  'space',
  'j',
  'k',
  'i',
  'G',
  'k',
  'b',
  'calls',
  'j',
  'tree',
  'routines',
  'g',
  'j',
  'o',
  'o',
  'j',
  'j',
  'space',
  '?',
  'esc',
  'right',
  'j',
];
const [WIDTH, HEIGHT] = [100, 30];

async function streamFile(folder: string, marker: string, parts: readonly string[]): Promise<string> {
  const path = join(folder, `${marker}.stream`);
  writeFileSync(path, `\u001b[?7l\u001b[2J${parts.join('')}`);
  return path;
}

const there = (program: string) => spawnSync(program, ['-V'], { stdio: 'ignore' }).error === undefined;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Shows a stream, then asks the terminal where its cursor is: it answers after all before the question was drawn. */
const showAll = (stream: string, folder: string) =>
  `stty -icanon -echo min 1; cat '${stream}'; printf '\\033[6n'; dd bs=1 count=1 of='${join(folder, 'drawn')}' 2>/dev/null; sleep 600`;

/** Lines that the program shows of a stream, once it has drawn all of it and shows the same for a while. */
async function settled(shown: () => string, folder: string): Promise<string> {
  const drawn = join(folder, 'drawn');
  let last = '';
  for (let i = 0; i < 600; i++) {
    await pause(100);
    if ((statSync(drawn, { throwIfNoEntry: false })?.size ?? 0) === 0) continue;
    const now = shown();
    if (now.trim() !== '' && now === last) break;
    last = now;
  }
  rmSync(drawn, { force: true });
  return last;
}

const lines = (cells: readonly string[]) =>
  Array.from({ length: HEIGHT }, (_, y) => cells.slice(y * WIDTH, (y + 1) * WIDTH).join(''));

const trimmed = (text: string) =>
  text
    .split('\n')
    .map((l) => l.trimEnd())
    .join('\n')
    .trimEnd();

async function inTmux(stream: string, folder: string): Promise<string> {
  const tmux = (...args: string[]) =>
    spawnSync('tmux', ['-S', join(folder, 'socket'), '-f', '/dev/null', ...args], { encoding: 'utf8' });
  tmux('new-session', '-d', '-x', String(WIDTH), '-y', String(HEIGHT), '-s', 's', showAll(stream, folder));
  tmux('set', '-g', 'status', 'off');
  tmux('resize-window', '-t', 's', '-x', String(WIDTH), '-y', String(HEIGHT));
  try {
    // Attributes too; read as cells, as blanks at the ends of lines may be there or not.
    const shown = await settled(() => tmux('capture-pane', '-p', '-e', '-t', 's').stdout, folder);
    const terminal = openEmulator(WIDTH, HEIGHT);
    await write(terminal, shown.trimEnd().split('\n').join('\r\n'));
    // What tmux leaves out at the ends of lines are blanks, some of them bold or dim: nobody sees which.
    return lines(cellsOf(terminal)).join('\n');
  } finally {
    tmux('kill-server');
  }
}

async function inScreen(stream: string, folder: string): Promise<string> {
  const env = { ...process.env, SCREENDIR: folder, TERM: 'xterm-256color', LANG: 'C.UTF-8' } as Record<string, string>;
  const name = `proftui${process.pid}${basename(folder)}`;
  const child = pty.spawn('screen', ['-U', '-c', '/dev/null', '-S', name, 'sh', '-c', showAll(stream, folder)], {
    cols: WIDTH,
    rows: HEIGHT,
    env,
  });
  const copy = join(folder, 'hardcopy');
  const shown = () => {
    spawnSync('screen', ['-S', name, '-X', 'hardcopy', copy], { env });
    try {
      return readFileSync(copy, 'utf8');
    } catch {
      return '';
    }
  };
  try {
    return trimmed(await settled(shown, folder));
  } finally {
    spawnSync('screen', ['-S', name, '-X', 'quit'], { env });
    child.kill();
  }
}

for (const [program, show] of [
  ['tmux', inTmux],
  ['screen', inScreen],
] as const) {
  test(`${program} shows the same of differences as of whole frames`, {
    skip: there(program) ? false : `no ${program} here`,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
    try {
      const profile = await loadProfile([existing(join(FIXTURES, 'callgrind/instr-jumps.callgrind.out'))]);
      for (const length of [1, 4, KEYS.length]) {
        const { sent, whole } = framesOf(profile, KEYS.slice(0, length), WIDTH, HEIGHT);
        // Each has a server of its own: one that is on its way out takes new sessions along.
        const [one, other] = [mkdtempSync(join(folder, 's')), mkdtempSync(join(folder, 'w'))];
        const differences = await show(await streamFile(one, 'sent', sent), one);
        const frames = await show(await streamFile(other, 'whole', [whole.at(-1)!]), other);
        assert.match(frames.replace(/\|\d{4}\|\d*\|\d*/g, ''), /instr-jumps/);
        assert.equal(differences, frames, `after ${length} keys`);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
