// c: the columns of a table and their order, kept for profiles of a kind.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { withPreferences } from '../../src/app/start.ts';
import { contextOf, openView } from '../../src/app/state.ts';
import { loadProfile } from '../../src/io/load.ts';
import { existing, FIXTURES } from '../support/fixtures.ts';
import { type Player, play } from '../support/keys.ts';

const LOOK = { width: 120, height: 20 };
const callgrind = await loadProfile([existing(join(FIXTURES, 'callgrind/default.callgrind.out'))]);
const parts = await loadProfile([existing(join(FIXTURES, 'callgrind/threads.callgrind.out-01'))]);
const heading = (p: Player) => toPlainText(drawScreen(p.state)).split('\n')[2].replace(/[▼▲]/, '').trim().split(/ +/);
const chooses = (p: Player, text: string) => p.press('c').act({ type: 'input-set', text }).press('enter');

test('columns are removed and put in order, in the view that has them, until all are chosen again', () => {
  const p = play(callgrind, LOOK).press('routines');
  const all = heading(p);
  chooses(p, 'routine, calls, self');
  assert.deepEqual(heading(p), ['routine', 'calls', 'self']);
  assert.match(p.state.message?.text ?? '', /^without self%, .*inclusive.*; c chooses again$/);
  assert.ok(p.effects.includes('keep-columns'));
  // Rows and their order are as before, and sorting by a removed column works.
  assert.equal(openView(p.state).rowCount(contextOf(p.state)), callgrind.routines.name.length);
  p.press('s').type('inclusive').press('enter');
  assert.deepEqual(heading(p), ['routine', 'calls', 'self']);
  p.press('lines');
  assert.ok(heading(p).length > 3, 'another view has its own');
  p.press('routines', 'c');
  assert.equal(p.state.prompt?.text, 'routine, calls, self');
  p.act({ type: 'input-set', text: '' }).press('enter');
  assert.deepEqual(heading(p), all);
});

test('a name that is no column is refused with those that are; blanks separate names, too, and parts have blanks', () => {
  const p = chooses(play(callgrind, LOOK).press('routines'), 'self nonsense');
  assert.equal(p.state.message?.kind, 'error');
  assert.match(p.state.message?.text ?? '', /nonsense.*self/);
  assert.equal(p.state.chosenColumns.size, 0);
  assert.deepEqual(heading(chooses(p, 'calls routine')), ['calls', 'routine']);
  const several = play(parts, { ...LOOK, columns: ['part 1'] }).press('routines');
  const names = openView(several.state).columnNames(contextOf(several.state));
  const part = names.find((name) => name.includes(' '));
  if (part !== undefined) assert.deepEqual(heading(chooses(several, `${part}, routine`)).length, 3);
  const flame = play(callgrind, LOOK).press('flame', 'c');
  assert.equal(flame.state.prompt, undefined, 'a picture has no columns');
});

test('what was chosen is there at the next start, for profiles of the kind', () => {
  const p = chooses(play(callgrind, LOOK).press('routines'), 'calls, routine');
  const shown = Array.from(p.state.chosenColumns, ([place, names]) => `${place}: ${names.join(', ')}`);
  assert.deepEqual(shown, ['callgraph routines: calls, routine']);
  const options = withPreferences(callgrind, LOOK, { sort: undefined, columns: [], shown });
  assert.deepEqual(heading(play(callgrind, options).press('routines')), ['calls', 'routine']);
  const wrong = withPreferences(callgrind, LOOK, { sort: undefined, columns: [], shown: ['callgraph routines: gone', 'x'] });
  assert.ok(heading(play(callgrind, wrong).press('routines')).length > 3);
});

test('a click sorts by the column that is under it', () => {
  const p = chooses(play(callgrind, LOOK).press('routines'), 'calls, self, routine');
  const line = toPlainText(drawScreen(p.state)).split('\n')[2];
  p.act({ type: 'click', x: line.indexOf('calls') + 1, y: 2 });
  assert.match(toPlainText(drawScreen(p.state)).split('\n')[2], /▼calls/);
});
