// Groups of routines on the screen: their order, their cost, and the calls of a whole cycle.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { loadProfile } from '../../src/io/load.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { type Player, play } from '../support/keys.ts';

const at = (name: string) => join(FIXTURES, name);
const lines = (p: Player) => toPlainText(drawScreen(p.state)).split('\n');
const open = async (name: string) => play(await loadProfile([at(name)]), { width: 140, height: 40 });
const numbers = (p: Player, column: number) =>
  lines(p)
    .slice(3, -2)
    .map(
      (line) =>
        line
          .slice(1)
          .trim()
          .split(/[ █▉▊▋▌▍▎▏]+/)[column],
    )
    .filter((cell) => /^≈?[\d,]+$/.test(cell ?? ''))
    .map((cell) => Number(cell.replace(/[≈,]/g, '')));

test('groups are in the order of the column that is sorted by', async () => {
  const p = await open('callgrind/default.callgrind.out');
  p.choose('file');
  assert.match(lines(p)[1], /by file/);
  const self = numbers(p, 0);
  assert.ok(self.length > 10);
  assert.deepEqual(
    self,
    [...self].sort((a, b) => b - a),
  );
  p.choose('inclusive', 's');
  const inclusive = numbers(p, 2);
  assert.ok(inclusive.length > 10);
  assert.deepEqual(
    inclusive,
    [...inclusive].sort((a, b) => b - a),
  );
  p.press('reverse');
  assert.match(lines(p)[2], /▲incl/);
});

test('by file, a filter means files of lines, and rows are of their routines', async () => {
  const p = await open('callgrind/default.callgrind.out');
  p.press('&').type('dl-new-hash.h').press('enter');
  assert.match(lines(p).join('\n'), /no routine matches/);
  p.choose('file').press('enter');
  // As callgrind_annotate counts the file's lines.
  assert.match(lines(p)[3], /^▶ +489,990 .* 489,990 .*▾ dl-new-hash\.h \(1\)/);
  assert.match(lines(p)[4], /^ +489,990 .* 489,990 .* \? +_dl_lookup_symbol_x .*dl-lookup\.c/);
  p.press('esc');
  const row = () => lines(p).find((line) => line.startsWith('▶'));
  for (let k = 0; k < 30 && !/489,990.*_dl_lookup/.test(row() ?? ''); k++) p.press('j');
  const before = row();
  p.press('reverse');
  assert.equal(row(), before, 'the cursor stays on the lines that it was on');
  p.press('enter');
  assert.match(lines(p)[1], /Calls\].* of _dl_lookup_symbol_x/);
});

test('groups of one function name join levels of recursion', async () => {
  const p = await open('callgrind/bb.callgrind.out.gz');
  p.press('&').type("/'2$/").press('enter');
  assert.ok(lines(p).some((line) => /'2 /.test(line)));
  p.press('esc');
  p.choose('function');
  assert.match(lines(p)[1], /by function/);
  assert.ok(!lines(p).some((line) => /▸ \w+'\d/.test(line)));
});

test('2 on a cycle shows who calls it and what it calls, and o its routines alone', async () => {
  const p = await open('callgrind/edge/v27-cycles.callgrind.out');
  p.choose('cycle');
  while (!lines(p).some((line) => /^▶.*<cycle 1>/.test(line))) p.press('j');
  p.press('calls');
  assert.match(lines(p)[1], /of <cycle 1>, all its routines/);
  const focus = lines(p).findIndex((line) => line.includes('● <cycle 1>'));
  const { cycles } = p.state.analysis.totals;
  const members = new Set(Array.from(cycles.of.keys()).filter((r) => cycles.of[r] === 1));
  const { edges } = p.state.analysis;
  const enters = new Set(Array.from(edges.caller).filter((r, e) => !members.has(r) && members.has(edges.callee[e])));
  assert.ok(focus > 0);
  assert.equal(lines(p).filter((line) => / ↓ /.test(line)).length, enters.size);
  assert.ok(
    !lines(p)
      .slice(0, -3)
      .some((line) => /↻/.test(line)),
    'no call inside the cycle',
  );
  p.choose('only the routine, or its whole cycle');
  assert.doesNotMatch(lines(p)[1], /all its routines/);
  assert.ok(lines(p).some((line) => /↻/.test(line)));
});
