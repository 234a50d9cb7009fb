// Keys and commands that go to places, close, and take pasted text.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { keyTableRows } from '../../scripts/key-table.ts';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { pasteAction } from '../../src/app/input.ts';
import { loadProfile } from '../../src/io/load.ts';
import { views } from '../../src/views/index.ts';
import { existing, ROOT } from '../support/fixtures.ts';
import { type Player, play } from '../support/keys.ts';

process.chdir(ROOT);
const at = (name: string) => existing(join('fixtures', name));
const screen = (player: Player) => toPlainText(drawScreen(player.state)) + '\n';

test(':120 goes to the row with this number, in Source to the line', async () => {
  const p = play(await loadProfile([at('callgrind/default.callgrind.out')]), { width: 100, height: 24 }, ['fixtures/callgrind']);
  p.press(':').type('3').press('enter');
  assert.match(screen(p), /▶ +502,345/);
  p.press(':').type('577').press('enter');
  assert.match(p.state.message!.text, /Routines has no row or line 577/);
  p.press(':').type('576').press('enter');
  assert.match(screen(p), /▶ +1 /);
  p.press(':').type('0').press('enter');
  assert.match(p.state.message!.text, /no row or line 0/);
  p.press('g', '/').type('run_calc').press('enter', 'source');
  // Line 1 is folded away at first.
  assert.doesNotMatch(screen(p), /^.{10,30} 1 .*calculator/m);
  for (const line of [1, 60, 3]) {
    p.press(':').type(String(line)).press('enter');
    assert.match(screen(p), new RegExp(`^▶.* ${line}(?: |$)`, 'm'));
  }
  p.press(':').type('99999').press('enter');
  assert.match(p.state.message!.text, /Source has no row or line 99999/);
});

test('q closes the help as it opens, and is a letter in what is typed there', async () => {
  const p = play(await loadProfile([at('callgrind/default.callgrind.out')]), { width: 80, height: 24 });
  p.press('?', 'q');
  assert.equal(p.state.panel, undefined);
  p.press('?').type('requ');
  assert.equal(p.state.panel!.text, 'requ');
  p.press('esc', ':', 'q');
  assert.equal(p.state.panel!.text, 'q');
  assert.ok(!p.effects.includes('quit'));
});

test('the help finds views that have no digit, and Enter opens them', async () => {
  const p = play(await loadProfile([at('callgrind/default.callgrind.out')]), { width: 80, height: 24 });
  p.press('?').type('graph').press('enter');
  assert.equal(p.state.view, 'graph');
});

test('^C quits from everywhere: a prompt, a panel, a key that waits for a letter', async () => {
  const profile = await loadProfile([at('callgrind/default.callgrind.out')]);
  for (const before of [[], ['/', 'a'], [':'], ['?'], ['S'], ['m'], ["'"], ['tree', '/']]) {
    const p = play(profile, { width: 80, height: 24 });
    p.press(...before, 'ctrl-c');
    assert.ok(p.effects.includes('quit'), before.join(' '));
  }
});

test('pasted text is one line of a prompt or panel, without control characters', async () => {
  const p = play(await loadProfile([at('callgrind/default.callgrind.out')]), { width: 80, height: 24 });
  const paste = (text: string) => p.act(pasteAction(p.state, text));
  paste('q');
  assert.match(p.state.message!.text, /Paste into a search/);
  p.press('&');
  paste('  two\r\nwords\u001b[A \u0003');
  assert.equal(p.state.prompt!.text, 'two words[A');
  p.press('esc', 'v');
  paste('L1 m');
  assert.equal(p.state.panel!.text, 'L1 m');
  p.press('esc', 'm');
  paste('a');
  assert.match(p.state.message!.text, /Paste into a search/);
});

test('a key has one meaning: 60 rows have all keys of all views, none of them twice', () => {
  const rows = keyTableRows();
  assert.ok(rows.length <= 60, `${rows.length} rows`);
  const all = rows.flatMap(({ keys }) => keys);
  assert.deepEqual(all, [...new Set(all)]);
  for (const view of views)
    for (const { keys, help } of view.keys) {
      const row = rows.find((one) => keys.some((key) => one.keys.includes(key)));
      // Backspace goes back out of a zoom, too.
      if (keys.length === 0 || keys.includes('backspace')) continue;
      assert.ok(row, `${view.title}: ${help}`);
      // In a plot, up and down are previous and next.
      if (view.id !== 'curve')
        assert.ok(
          keys.every((key) => row.keys.includes(key)),
          `${view.title}: ${help}`,
        );
    }
});
