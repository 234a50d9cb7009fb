// The layout of flame graphs: what must hold of the boxes of any profile with calls.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { boxCellRange, FlameLayout } from '../../src/analysis/answers/flame/layout.ts';
import { childrenOf, nodeValue, openTree } from '../../src/analysis/answers/tree.ts';
import { loadProfile } from '../../src/io/load.ts';
import { type Event, eventValue } from '../../src/model/head.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { long, most } from '../support/long.ts';
import { fullStacks } from '../support/stacks.ts';
import { fixturesWithCalls } from '../support/with-calls.ts';

function layoutOf(a: Analysis, event: Event, inverted: boolean, width: number, zoom = -1, least = 1): FlameLayout {
  const tree = openTree(a.costing.tree(inverted), inverted, event);
  if (zoom >= 0) for (const root of tree.roots) childrenOf(tree, root, event);
  return new FlameLayout(tree, event, zoom, { width, least }, eventValue(event, a.totals.total, 0));
}

const HAIR = 1e-6;

/** What holds of every layout. */
function check(layout: FlameLayout, event: Event, width: number, least: number, where: string): void {
  layout.rows.forEach((row, r) => {
    let left = 0;
    row.forEach((box, place) => {
      const at = `${where}, row ${r}, box ${place}`;
      assert.deepEqual([box.row, box.index], [r, place], at);
      assert.ok(box.from >= left - HAIR && box.to <= width + HAIR && box.to >= box.from, at);
      left = box.to;
      if (r >= layout.above && box.node >= 0) assert.ok(box.to - box.from >= least - HAIR, `${at} is narrow`);
      if (r === 0) return;
      const above = layout.rows[r - 1][box.above];
      assert.ok(box.from >= above.from - HAIR && box.to <= above.to + HAIR, `${at} is inside`);
      const [from, to] = boxCellRange(box);
      const [first, last] = boxCellRange(above);
      assert.ok(from >= first && to <= last, `${at} has its cells inside`);
    });
    if (r <= layout.above) return;
    // Nothing is lost: boxes and sums are all that the nodes above call.
    for (const above of layout.rows[r - 1]) {
      const own = row.filter((b) => b.above === above.index);
      const sum = own.reduce((all, b) => all + b.value, 0);
      const ids = above.node < 0 ? [] : (layout.tree.childrenOf.get(above.node) ?? []);
      const children = ids.reduce((all, id) => all + Math.abs(nodeValue(event, layout.tree.nodes[id])), 0);
      assert.ok(Math.abs(sum - children) <= HAIR * Math.max(1, children), `${where}, row ${r}: ${sum} of ${children}`);
      assert.ok(own.filter((b) => b.node < 0).length <= 1 && own.slice(0, -1).every((b) => b.node >= 0), 'one sum, at the end');
      const values = own.filter((b) => b.node >= 0).map((b) => b.value);
      assert.deepEqual(
        values,
        [...values].sort((a, b) => b - a),
        'the costliest first',
      );
      const width = own.reduce((all, b) => all + b.to - b.from, 0);
      const share = above.value === 0 ? 0 : Math.min(1, sum / above.value) * (above.to - above.from);
      assert.ok(Math.abs(width - share) <= HAIR * Math.max(1, share), `${where}, row ${r}: ${width} cells for ${share}`);
    }
  });
}

long('boxes are inside what is above them, their widths and costs add up, in every fixture with calls', async () => {
  let tried = 0;
  for await (const { name, a } of fixturesWithCalls()) {
    for (const [inverted, width, least] of [
      [false, 200, 1],
      [true, 60, 1],
      [false, 1200, 0.1],
      [false, 1, 1],
    ] as const) {
      const layout = layoutOf(a, a.events[0], inverted, width, -1, least);
      layout.run(60, Number.POSITIVE_INFINITY);
      check(layout, a.events[0], width, least, `${name}${inverted ? ', inverted' : ''}, ${width}`);
      tried++;
    }
  }
  assert.ok(tried > most(200), `${tried} layouts`);
});

test('a zoomed node is as wide as the whole, and so is what is above it', async () => {
  const profile = await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]);
  const a = analyse(profile, profile.events, new Set());
  const tree = openTree(a.costing.tree(false), false, a.events[0]);
  const [child] = childrenOf(tree, tree.roots[0], a.events[0]);
  const layout = new FlameLayout(tree, a.events[0], child, { width: 100, least: 1 }, 0);
  layout.run(50, Number.POSITIVE_INFINITY);
  assert.equal(layout.above, 1);
  for (const r of [0, 1]) assert.deepEqual([layout.rows[r].length, layout.rows[r][0].from, layout.rows[r][0].to], [1, 0, 100]);
  assert.equal(layout.whole, nodeValue(a.events[0], tree.nodes[child]));
  check(layout, a.events[0], 100, 1, 'zoomed');
});

test('of a tree with more nodes than cells, only what is wide enough is unfolded, and slices give the same boxes', () => {
  const profile = fullStacks(10, 5);
  const a = analyse(profile, profile.events, new Set());
  const [event] = a.events;
  const once = layoutOf(a, event, false, 200);
  once.run(60, Number.POSITIVE_INFINITY);
  check(once, event, 200, 1, 'generated');
  const boxes = once.rows.reduce((sum, row) => sum + row.length, 0);
  assert.ok(boxes < 200 * 6, `${boxes} boxes`);
  assert.ok(once.tree.nodes.length < 10 * boxes + 10, `${once.tree.nodes.length} nodes of 111,110 for ${boxes} boxes`);
  // No time at all: a box for each call.
  const sliced = layoutOf(a, event, false, 200);
  let slices = 0;
  while (!sliced.run(60, 0) && slices < 1e6) slices++;
  assert.ok(slices > 20, `${slices} slices`);
  assert.deepEqual(sliced.rows, once.rows);
  assert.ok(sliced.done && !sliced.cut);
});

test('beyond so many boxes, deeper rows are left out, and that is known', () => {
  const profile = fullStacks(4, 5);
  const a = analyse(profile, profile.events, new Set());
  const tree = openTree(a.costing.tree(false), false, a.events[0]);
  const layout = new FlameLayout(tree, a.events[0], -1, { width: 5000, least: 1, most: 50 }, 0);
  layout.run(60, Number.POSITIVE_INFINITY);
  assert.ok(layout.cut && layout.done);
  assert.ok(layout.rows.reduce((sum, row) => sum + row.length, 0) <= 54);
});
