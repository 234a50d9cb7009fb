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
    const told = pieces.map((piece) => (Buffer.isBuffer(piece) ? piece.toString() : piece.kind)).join(' ');
    assert.equal(told, 'j status k');
  }
});

test('frames wait for the terminal once it has answered, small ones never', () => {
  const pacer = new Pacer();
  assert.deepEqual(
    [0, 1000, 1030, 1060].map((ms) => pacer.addFrame(5000, ms)),
    [false, false, false, true],
    'frames that follow each other ask',
  );
  assert.ok(pacer.isReady && pacer.expectsAnswer, 'frames do not wait for a terminal that has never answered');
  pacer.addFrame(5000, 1090);
  pacer.addAnswer();
  assert.ok(!pacer.isReady && pacer.expectsAnswer);
  pacer.addAnswer();
  assert.ok(pacer.isReady && !pacer.expectsAnswer);
  for (const ms of [1120, 1150, 1180]) pacer.addFrame(90, ms);
  assert.ok(pacer.isReady, 'moves of the cursor');
  pacer.addFrame(90, 1210);
  assert.ok(!pacer.isReady);
  pacer.giveUp();
  assert.ok(pacer.isReady && !pacer.expectsAnswer);
  const silent = new Pacer();
  for (const ms of [0, 30, 60]) silent.addFrame(90, ms);
  silent.giveUp();
  assert.deepEqual([silent.addFrame(90, 90), silent.isReady], [false, true]);
});
