// Sampled stacks at other granularities on the screen and in print: what of a name may be cut, and what stays open.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { drawScreen } from '../../src/app/draw.ts';
import { contextOf, openView } from '../../src/app/state.ts';
import { loadProfile } from '../../src/io/load.ts';
import { findLineTool } from '../../src/io/symbols/line-tool.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { type Player, play } from '../support/keys.ts';

const FOLDER = join(FIXTURES, 'gperftools');
const skip = !findLineTool() && 'no symbolizer here';
const loaded = skip
  ? undefined
  : await loadProfile([join(FOLDER, 'pie-g.prof.gz')], { symbols: { binaries: [], dirs: [join(FOLDER, 'bin')], maps: [] } });

function start(width: number, height = 40): Player {
  assert.ok(loaded);
  return play(loaded, { width, height });
}

const textOf = ({ state }: Player) => drawScreen(state).map((line) => line.spans.map(([text]) => text).join(''));
/** The rows of the view, without costs. */
const rowsOf = (player: Player) =>
  textOf(player)
    .slice(3, -1 - Math.max(1, player.state.detailRows))
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
const cursorOf = ({ state }: Player) => openView(state).detail(contextOf(state));

for (const width of [40, 60, 80, 120])
  for (const [digit, view] of [
    ['routines', 'Routines'],
    ['tree', 'Tree'],
    ['calls', 'Calls'],
  ] as const)
    test(`${view} by line, ${width} wide: line numbers are whole`, { skip }, () => {
      const player = start(width).press('u', digit, ...(digit === 'tree' ? [']'] : []));
      const lines = rowsOf(player).filter((line) => /[a-z]{3}/.test(line) && !/calle[re]s?\b/.test(line));
      // Instances of a template that share a line have numbers of their own.
      const numbered = lines.filter((line) => /:\d+(?:#\d+)?(?: \(inl\))?(?: |$)/.test(line));
      assert.ok(lines.length > 1);
      // _start has no line, nor has code of libraries without debug information.
      const bare = lines.filter((line) => !numbered.includes(line));
      assert.ok(numbered.length > 0 && bare.every((line) => !line.includes(':') && !line.includes('…')), bare.join('\n'));
    });

test('turning the tree over and back keeps what was open, and the cursor', { skip }, () => {
  const player = start(100).press('tree', '-', ']', 'up', 'up');
  const [rows, cursor] = [rowsOf(player), cursorOf(player)];
  assert.ok(rows.length > 5);
  player.press('i');
  assert.notDeepEqual(rowsOf(player), rows);
  player.press(']');
  const below = rowsOf(player);
  player.press('i');
  // The cursor went with its routine in between, and may be in another row; what was open is open.
  assert.deepEqual(rowsOf(player).length, rows.length);
  player.press('i');
  assert.deepEqual(rowsOf(player).length, below.length);
  const again = start(100).press('tree', '-', ']', 'up', 'up', 'i', 'i');
  assert.deepEqual([rowsOf(again), cursorOf(again)], [rows, cursor]);
});

test('the cursor goes with its routine when the tree is turned over', { skip }, () => {
  const player = start(100).press('tree', '-', ']', ']');
  const before = cursorOf(player);
  assert.match(before, /quick|msort|compare/);
  const withoutLevel = (text: string) => text.split('  (⋯')[0];
  assert.equal(withoutLevel(cursorOf(player.press('i'))), withoutLevel(before));
});

test('another granularity keeps what was open, and comes back to it', { skip }, () => {
  const player = start(100).press('tree', '-', ']');
  const [rows, cursor] = [rowsOf(player), cursorOf(player)];
  player.press('u');
  const byLine = rowsOf(player);
  // Every routine that was open is open by its lines; the cursor is on a line of its routine.
  assert.ok(byLine.length >= rows.length, byLine.join('\n'));
  assert.ok(cursorOf(player).includes(cursor.split('  ')[0]), cursorOf(player));
  // By address, file, object, and by routine again.
  player.press('u', 'u', 'u');
  assert.ok(rowsOf(player).length > 0);
  player.press('u');
  assert.deepEqual([rowsOf(player), cursorOf(player)], [rows, cursor]);
  const direct = start(100).press('tree', '-', ']', 'u');
  assert.deepEqual(rowsOf(direct), byLine);
  // One that was changed several times while another view was shown.
  const away = start(100).press('tree', '-', ']', 'routines', 'u', 'u', 'u', 'u', 'u', 'tree');
  // What was open is open, and the way to the routine in focus, too.
  const withoutMarks = (list: string[]) => list.map((line) => line.replace(/[▶▸▾]/gu, ' '));
  const back = new Set(withoutMarks(rowsOf(away)));
  assert.deepEqual(
    withoutMarks(rows).filter((row) => !back.has(row)),
    [],
  );
});

test('in Routines, the cursor goes to the costliest line of its routine', { skip }, () => {
  const player = start(100);
  const before = cursorOf(player).split('  ')[0];
  assert.ok(cursorOf(player.press('u')).startsWith(before));
});
