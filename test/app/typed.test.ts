// Hostile text in what is typed: on the screen it is visible, in every prompt and panel, and no character is split.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { render } from 'ink-testing-library';
import { createElement } from 'react';
import { rawIn } from '../../fuzz/texts.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { drawScreen, inputLine } from '../../src/app/draw.ts';
import { pasteAction } from '../../src/app/input.ts';
import { cursorRoutine } from '../../src/app/state.ts';
import { cellWidth } from '../../src/base/text.ts';
import { loadProfile } from '../../src/io/load.ts';
import { Screen } from '../../src/tui/Screen.tsx';
import { FIXTURES } from '../support/fixtures.ts';
import { foldedProfile } from '../support/folded.ts';
import { type Player, play } from '../support/keys.ts';

const ODD = 'a\u202eb\u2066c\u200fd\u{1f600}';

/** Everything that is written to the terminal, without escape sequences and line ends. */
function written(player: Player): string {
  const { lastFrame, unmount } = render(createElement(Screen, { state: player.state, theme: { palette: undefined } }));
  const frame = lastFrame() ?? '';
  unmount();
  return frame.replace(/\u001b\[[0-9;]*m/g, '').replaceAll('\n', '');
}

test('controls that are pasted into prompts and panels are shown as marks', async () => {
  const profile = await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]);
  for (const [name, opens, text] of [
    ['search', '/', ODD],
    ['filter', '&', ODD],
    ['derived event', ':', `derive ${ODD}`],
    ['file to write', ':', `write ${ODD}`],
    ['export', ':', `export ${ODD}`],
    ['help', '?', ODD],
    ['events', 'v', ODD],
    ['commands', ':', ODD],
    ['note', ':', `note ${ODD}`],
    ['bases', ':', `base ${ODD}`],
    ['what counts', 'S', `focus=${ODD}`],
    ['what counts, odd', 'S', ODD],
  ] as const)
    for (const width of [40, 80, 200]) {
      const player = play(profile, { width, height: 24 });
      player.press(opens);
      player.act(pasteAction(player.state, text));
      const typed = written(player);
      assert.equal(rawIn(typed), undefined, `${name}: ${typed}`);
      assert.match(typed, /<(202E|2066|200F)>/, name);
      player.press('enter');
      assert.equal(rawIn(written(player)), undefined, `${name}, taken`);
    }
});

test('a typed character of two code units is whole under the cursor, and the line keeps to its width', () => {
  const text = 'ab\u{1f600}\u{1f601}c\u202ed';
  for (let cursor = 0; cursor <= text.length; cursor++) {
    if (/[\udc00-\udfff]/.test(text[cursor] ?? '')) continue;
    for (const width of [12, 20, 60]) {
      const { spans } = inputLine('find: ', text, cursor, width);
      for (const [piece] of spans) assert.equal(rawIn(piece), undefined);
      assert.doesNotMatch(spans.map(([t]) => t).join(''), /<D8|<DE/);
      assert.ok(cellWidth(spans.map(([t]) => t).join('')) <= width, `${cursor} of ${width}`);
    }
  }
  assert.equal(inputLine('', text, 2, 60).spans[2][0], '\u{1f600}');
});

test('the part of a name that is inverse under the cursor ends between characters', async () => {
  for (const before of ['', 'x']) {
    const name = before + '\u{1f600}'.repeat(60);
    const folder = mkdtempSync(join(tmpdir(), 'proftui-typed-'));
    writeFileSync(join(folder, 'callgrind.out.1'), `events: Ir\nfn=${name}\n1 10\n`);
    const profile = await loadProfile([join(folder, 'callgrind.out.1')]).finally(() => rmSync(folder, { recursive: true }));
    const player = play(profile, { width: 200, height: 24 });
    for (const line of drawScreen(player.state)) for (const [text] of line.spans) assert.equal(rawIn(text), undefined, text);
  }
});

test('a paste that is too long for a line is refused whole, not cut in silence', async () => {
  const player = play(await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]), { width: 100, height: 24 });
  player.press('/');
  player.act(pasteAction(player.state, 'x'.repeat(10_000)));
  assert.equal(player.state.prompt?.text.length, 10_000);
  player.act(pasteAction(player.state, 'x'.repeat(10_001)));
  assert.equal(player.state.prompt?.text.length, 10_000);
  assert.match(player.state.message?.text ?? '', /more than 10,000 characters is not taken/);
});

test('/ goes to the best match: the whole name, its start, a word, inside, letters in order; n goes down the rows that match', () => {
  const names = ['xmalloc_all', 'operator malloc', 'malloc_usable', 'my_malloc', 'malloc', 'count_primes(unsigned int)', 'free'];
  const profile = foldedProfile(names.map((name, i): [string, number] => [name, 100 - i]));
  const found = (typed: string, keys = 0) => {
    const p = play(profile, { width: 100, height: 24 }).press('routines', '/').type(typed);
    if (keys > 0) p.press('enter', ...Array.from({ length: keys }, () => 'n'));
    return routineName(profile, cursorRoutine(p.state));
  };
  assert.equal(found('malloc'), 'malloc');
  assert.equal(found('malloc_'), 'malloc_usable');
  assert.equal(found('all'), 'xmalloc_all', 'a word begins with it');
  assert.equal(found('prim'), 'count_primes(unsigned int)');
  assert.equal(found('cprm'), 'count_primes(unsigned int)');
  assert.equal(found('count_primes'), 'count_primes(unsigned int)');
  assert.deepEqual(
    [1, 2, 3, 4].map((n) => found('malloc', n)),
    ['xmalloc_all', 'operator malloc', 'malloc_usable', 'my_malloc'],
  );
});
