// Search and filter where only a part of the rows is unfolded; both act while one types.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { contextOf } from '../../src/app/state.ts';
import { loadProfile } from '../../src/io/load.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { type Player, play } from '../support/keys.ts';

const at = (name: string) => join(FIXTURES, name);
const screen = (p: Player) => toPlainText(drawScreen(p.state));
/** Bars are blanks here. */
const lines = (p: Player) =>
  screen(p)
    .replaceAll(/[▏▎▍▌▋▊▉█]/g, ' ')
    .split('\n');
const rows = (p: Player) =>
  lines(p)
    .slice(3, -2)
    .filter((line) => line.trim() !== '');
/** The name of the row under the cursor. */
const under = (p: Player) =>
  (lines(p).find((line) => line.startsWith('▶')) ?? '').replace(/^▶.*% +\S+ +\S* +[▸▾↻]? */u, '').split(/ {2,}/)[0];

const demo = async () =>
  play(await loadProfile([at('callgrind/default.callgrind.out')]), { width: 120, height: 40 }).press('tree');

test('a search in the tree opens the costliest place, then the next; N goes back', async () => {
  const p = await demo();
  assert.doesNotMatch(screen(p), /check_match/);
  p.press('/').type('check_match').press('enter');
  assert.match(under(p), /check_match/);
  assert.match(p.state.message?.text ?? '', /^place 1 of [\d,]+ places, by cost|^place 1, by cost/);
  const first = p.state.views.get('tree')?.cursor(contextOf(p.state));
  p.press('n');
  assert.match(under(p), /check_match/);
  assert.notEqual(p.state.views.get('tree')?.cursor(contextOf(p.state)), first);
  p.press('N');
  assert.match(p.state.message?.text ?? '', /^place 1/);
});

test('a search acts while one types, and Esc takes it back', async () => {
  const p = await demo();
  const before = screen(p);
  p.press('/').type('strcmp');
  assert.match(under(p), /strcmp/);
  p.press('esc');
  assert.equal(screen(p), before);
  p.press('/').type('no such routine').press('enter');
  assert.match(p.state.message?.text ?? '', /nothing in the tree matches no such routine/);
});

test('a filter keeps what matches in the tree and the way to it, while one types', async () => {
  const p = await demo();
  const all = rows(p).length;
  p.press('&').type('check_match');
  const kept = rows(p);
  assert.ok(kept.length > 3 && kept.length > all - 1);
  const depth = (line: string) => /% +\S+ +\S* ( *)/.exec(line)?.[1].length ?? 0;
  // Every row matches, or is followed by a deeper one: the way to what matches.
  kept.forEach((line, i) => {
    if (!line.includes('check_match')) assert.ok(i + 1 === kept.length || depth(kept[i + 1]) > depth(line), line);
  });
  assert.match(screen(p), /places? that match/);
  p.press('enter').press('right');
  p.press('esc', 'esc');
  assert.equal(p.state.filter, '');
  assert.match(under(p), /check_match/, 'the way to the place stays open');
});

test('what was found is marked, and Esc ends it', async () => {
  const p = await demo();
  p.press('/').type('_dl_').press('enter');
  const marked = () => drawScreen(p.state).flatMap((l) => l.spans.filter(([, style]) => style === 'match').map(([text]) => text));
  assert.ok(marked().length >= 2);
  assert.deepEqual(new Set(marked()), new Set(['_dl_']));
  p.press('esc');
  assert.deepEqual(marked(), []);
});

test('a filter by letters says that no name has the text', async () => {
  const p = await demo();
  p.press('&').type('dlrlo').press('enter');
  assert.match(screen(p).split('\n').slice(0, 2).join(' '), /by letters/);
  p.press('routines');
  assert.match(screen(p).split('\n').slice(0, 2).join(' '), /by letters/);
});

test('every view that filters by letters says so', async () => {
  for (const [name, digit, letters] of [
    ['callgrind/default.callgrind.out', 'calls', 'rlobj'],
    ['aprof/sorts-cct/sorts_29653_0_4.aprof.gz', 'growth', 'inssrt'],
    ['build-trace/harbor.trace.gz', 'processes', 'usrbn'],
    ['ninja-log/tidepool-ninja-unity/.ninja_log', 'gantt', 'tdpl'],
    ['ninja-log/tidepool-ninja-unity/.ninja_log', 'steps', 'tdpl'],
  ] as const) {
    const p = play(await loadProfile([at(name)]), { width: 200, height: 40 }).press(digit);
    p.press('&').type(letters).press('enter');
    assert.match(screen(p).split('\n').slice(0, 2).join(' '), /by letters/, `${name} ${digit}`);
    p.press('esc');
    assert.doesNotMatch(screen(p), /by letters/);
  }
});
