// Terminals by name: what they get, and how frames wait for slow ones.
import assert from 'node:assert/strict';
import test from 'node:test';
import { WriteStream } from 'node:tty';
import { capabilitiesOf } from '../../src/tui/capabilities.ts';
import { InputDecoder } from '../../src/tui/input-decoder.ts';
import { copyText } from '../../src/tui/outside.ts';
import { Pacer } from '../../src/tui/pacing.ts';
import { colourCountOf } from '../../src/tui/theme.ts';

/** The colours of a terminal over SSH, which passes on only TERM. */
function coloursOf(term: string, env: NodeJS.ProcessEnv = {}): number | undefined {
  const can = capabilitiesOf(term);
  return can && colourCountOf(WriteStream.prototype, { TERM: term, ...env }, can);
}

test('colours by the name of the terminal', () => {
  const names = (words: string) => words.split(' ');
  for (const term of names(
    'screen-256color tmux-256color rxvt-unicode-256color xterm-256color xterm-kitty foot foot-extra alacritty',
  ))
    assert.equal(coloursOf(term), 256, term);
  for (const term of names('xterm-ghostty wezterm konsole-256color vte-256color linux-256color putty-256color'))
    assert.equal(coloursOf(term), 256, term);
  for (const term of names('xterm-direct konsole-direct xterm-direct256')) assert.equal(coloursOf(term), 2 ** 24, term);
  for (const term of names('xterm screen tmux rxvt linux ansi')) assert.equal(coloursOf(term), 16, term);
  for (const term of names('vt100 vt102 vt220 vt320 vt420 some-new-terminal')) assert.equal(coloursOf(term), 0, term);
  for (const term of names('dumb vt52 unknown adm3a wyse60 network hp2392')) assert.equal(coloursOf(term), undefined, term);
  assert.equal(coloursOf(''), undefined);
  assert.equal(coloursOf('xterm', { COLORTERM: 'truecolor' }), 2 ** 24);
  assert.equal(coloursOf('vt100', { COLORTERM: 'truecolor' }), 0);
  assert.equal(coloursOf('vt100', { FORCE_COLOR: '2' }), 256);
});

test('the background is asked, and texts are copied, only where control strings are read', async () => {
  for (const term of ['xterm-256color', 'screen', 'tmux', 'foot']) assert.equal(capabilitiesOf(term)?.readsStrings, true, term);
  for (const term of ['linux', 'vt100', 'vt220', 'ansi']) assert.equal(capabilitiesOf(term)?.readsStrings, false, term);
  const copied = async (env: NodeJS.ProcessEnv, text = 'text') => {
    const sent: string[] = [];
    return [await copyText(text, (sequence) => sent.push(sequence), env), sent.join('')];
  };
  const osc = (text: string) => `\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`;
  assert.deepEqual(await copied({ TERM: 'linux' }), ['this terminal has no clipboard', '']);
  assert.deepEqual(await copied({ TERM: 'xterm' }), ['sent to the terminal', osc('text')]);
  // GNU screen: in strings that it passes on, none longer than it takes.
  const [said, sent] = await copied({ TERM: 'screen', STY: '1.a' }, 'x'.repeat(1000));
  assert.equal(said, 'sent through screen to the terminal');
  const pieces = String(sent).split('\u001b\\').slice(0, -1);
  assert.ok(pieces.every((piece) => piece.startsWith('\u001bP') && piece.length <= 202));
  assert.equal(pieces.map((piece) => piece.slice(2)).join(''), osc('x'.repeat(1000)));
});

test('an answer to the question for the status is told from keys, cut anywhere', () => {
  for (const cut of [1, 2, 3]) {
    const decoder = new InputDecoder(false);
    const pieces = ['j\u001b[0nk'.slice(0, cut + 1), 'j\u001b[0nk'.slice(cut + 1)].flatMap((text) => [
      ...decoder.read(Buffer.from(text), () => false),
    ]);
    const told = pieces
      .map((piece) => (Buffer.isBuffer(piece) ? piece.toString() : 'type' in piece ? piece.type : piece.kind))
      .join(' ');
    assert.equal(told, 'j status k');
  }
});

/** A link of so many bytes per millisecond and a round trip in milliseconds: when the answers to questions come. */
class Link {
  private freeMs = 0;
  readonly answers: number[] = [];

  constructor(
    private readonly rate: number,
    private readonly roundTripMs: number,
  ) {}

  write(bytes: number, asks: boolean, nowMs: number): void {
    this.freeMs = Math.max(this.freeMs, nowMs) + bytes / this.rate;
    if (asks) this.answers.push(this.freeMs + this.roundTripMs);
  }

  /** When all that was written has arrived. */
  get shownMs(): number {
    return this.freeMs + this.roundTripMs / 2;
  }
}

/** Holds a key for five seconds, each press a frame of so many bytes. The bytes written meanwhile, and the lag after its release. */
function holdKey(link: Link, frameBytes: number) {
  const pacer = new Pacer();
  let [bytes, isHeld] = [0, false];
  const draw = (now: number) => {
    isHeld = pacer.waitMs(now) !== 0;
    if (isHeld) return;
    bytes += frameBytes;
    link.write(frameBytes, pacer.addFrame(frameBytes, now), now);
  };
  draw(0);
  for (let now = 1; now < 12_000; now++) {
    while (link.answers[0] <= now) {
      link.answers.shift();
      pacer.addAnswer(now);
    }
    const isPressed = now >= 2000 && now <= 7000 && now % 33 === 0;
    if (isPressed) pacer.addKey(now);
    if (isPressed || isHeld) draw(now);
  }
  return { bytes, lagMs: link.shownMs - 7000 };
}

test('over a slow link, the screen never lags far behind a held key', () => {
  // Twice a frame's own time, the way there, and the time after which a key counts as released.
  for (const [rate, roundTripMs] of [
    [20, 150],
    [5, 300],
    [2, 600],
    [100, 50],
  ])
    for (const frameBytes of [100, 600, 1500, 4000]) {
      const { lagMs, bytes } = holdKey(new Link(rate, roundTripMs), frameBytes);
      const most = (2 * frameBytes) / rate + roundTripMs + 100;
      assert.ok(lagMs <= most, `${rate} B/ms, ${roundTripMs} ms, ${frameBytes} bytes: ${lagMs} ms, at most ${most}`);
      assert.ok(bytes >= frameBytes * 3, 'something is shown meanwhile');
    }
});

test('a fast link draws every key, and a terminal that never answers is not waited for', () => {
  assert.equal(holdKey(new Link(100_000, 1), 3000).bytes, 3000 * (1 + Math.ceil(5000 / 33)));
  const silent = new Pacer();
  assert.equal(silent.addFrame(5000, 0), true);
  assert.ok(silent.expectsAnswer);
  assert.deepEqual([silent.waitMs(10), silent.waitMs(500)], [390, 0]);
  silent.giveUp();
  assert.deepEqual([silent.addFrame(90, 90), silent.waitMs(91), silent.expectsAnswer], [false, 0, false]);
});

test('a single frame after a pause asks nothing', () => {
  const pacer = new Pacer();
  pacer.addFrame(900, 0);
  pacer.addAnswer(5);
  assert.deepEqual(
    [2000, 3000, 4000, 4030, 4060].map((ms) => pacer.addFrame(900, ms)),
    [false, false, false, false, true],
  );
});
