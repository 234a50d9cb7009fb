// The first frame of a view does not wait for what is worked out between keys.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { analysisSoFar } from '../../src/analysis/answers/analyse.ts';
import { isOfKind } from '../../src/analysis/answers/analysis.ts';
import { criticalPathOf } from '../../src/analysis/builds/critical.ts';
import type { Action } from '../../src/app/action.ts';
import { drawScreen } from '../../src/app/draw.ts';
import { openSession } from '../../src/app/start.ts';
import type { AppState } from '../../src/app/state.ts';
import { update } from '../../src/app/update.ts';
import { ninjaLog } from '../../src/formats/ninja-log.ts';
import { loadProfile } from '../../src/io/load.ts';
import { views, viewsOf } from '../../src/views/index.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadBytes } from '../support/load.ts';

/** Eight jobs at a time. */
function log(commands: number): Uint8Array {
  const lines = Array.from({ length: commands }, (_, i) => {
    const start = Math.floor(i / 8) * 100;
    return `${start}\t${start + 90 + (i % 8)}\t1\tCMakeFiles/part${i % 40}.dir/file${i}.cpp.o\t${i.toString(16)}\n`;
  });
  return Buffer.from(`# ninja log v5\n${lines.join('')}`);
}

function viewAction(id: string): Action {
  const found = views.find((view) => view.id === id);
  assert.ok(found, id);
  return { type: 'view', view: found.id };
}

/** Views that are about the critical path. */
const ABOUT_IT = ['critical', 'utilization'];

test('no view of a build waits for the critical path before its first frame', async () => {
  const profile = await loadBytes(ninjaLog, log(60_000));
  const size = { width: 200, height: 60, timeBudgetMs: 0 };
  const [opened] = openSession(profile, size);
  const shown = viewsOf(opened.analysis).filter(({ id }) => !ABOUT_IT.includes(id));
  assert.ok(shown.length > 5);
  for (const { id } of shown) {
    let [state] = openSession(profile, size);
    [state] = update(state, viewAction(id));
    assert.equal(state.view, id);
    assert.equal(drawScreen(state).length, size.height);
    const { analysis } = state;
    assert.ok(isOfKind(analysis, 'steps'));
    assert.equal(criticalPathOf(analysis).ready, undefined, id);
  }
});

test('views that show what is on the critical path work it out between keys', async () => {
  const profile = await loadBytes(ninjaLog, log(2000));
  for (const id of ['gantt', 'steps', 'targets', 'waterfall', 'step', 'critical']) {
    let [state] = openSession(profile, { width: 79, height: 30, timeBudgetMs: 0 });
    [state] = update(state, viewAction(id));
    for (let turns = 0; state.unfinished; turns++) {
      assert.ok(turns < 1e5, id);
      [state] = update(state, { type: 'work' });
    }
    assert.ok(isOfKind(state.analysis, 'steps'));
    assert.notEqual(criticalPathOf(state.analysis).ready, undefined, id);
  }
});

const textOf = (state: AppState) => drawScreen(state).map(({ spans }) => spans.map(([text]) => text).join(''));

for (const name of ['real-git', 'real-python', 'default', 'cacheuse', 'go-pprof'])
  test(`Routines of ${name} shows all that is known before the flow through cycles, then fills in the rest`, async () => {
    const path = [`${name}.callgrind.out`, `${name}.callgrind.out.gz`]
      .map((file) => join(FIXTURES, 'callgrind', file))
      .find(existsSync);
    assert.ok(path);
    const size = { width: 120, height: 40 };
    let [state] = openSession(await loadProfile([path]), { ...size, view: 'routines', timeBudgetMs: 0 });
    const first = textOf(state);
    const soFar = analysisSoFar(state.analysis);
    const known = soFar?.totals.inclusive.map((column) => column.slice());
    for (let turns = 0; state.unfinished; turns++) {
      assert.ok(turns < 1e5);
      [state] = update(state, { type: 'work' });
    }
    assert.equal(analysisSoFar(state.analysis), undefined);
    const last = textOf(state);
    assert.deepEqual(last, textOf(openSession(await loadProfile([path]), { ...size, view: 'routines' })[0]));
    const { cycles, inclusive } = state.analysis.totals;
    assert.equal(known !== undefined, cycles.count > 0);
    for (const [c, column] of (known ?? []).entries())
      for (const [r, cost] of column.entries()) assert.equal(cost, cycles.of[r] > 0 ? Number.NaN : inclusive[c][r]);
    const cells = (line: string) => line.trim().split(/ {2,}/);
    for (const [row, line] of first.entries())
      if (!line.includes('…')) assert.deepEqual(cells(last[row]), cells(line));
      else assert.equal(cells(last[row])[0], cells(line)[0]);
  });

test('a view opened before the Overview knows its first routine takes that routine once it is known', async () => {
  const profile = await loadProfile([join(FIXTURES, 'callgrind/heat.callgrind.out.gz')]);
  const size = { width: 100, height: 30 };
  const finish = (from: AppState) => {
    let state = from;
    for (let turns = 0; state.unfinished; turns++) {
      assert.ok(turns < 1e5);
      [state] = update(state, { type: 'work' });
    }
    return state;
  };
  for (const id of ['source', 'calls', 'tree', 'routines', 'lines']) {
    const [late] = update(finish(openSession(profile, size)[0]), viewAction(id));
    assert.ok(late.focus >= 0);
    // Another copy of the profile has no work of the first one done.
    const again = await loadProfile([join(FIXTURES, 'callgrind/heat.callgrind.out.gz')]);
    const [early] = update(openSession(again, { ...size, timeBudgetMs: 0 })[0], viewAction(id));
    assert.equal(early.focus, -1);
    assert.deepEqual(textOf(finish(early)), textOf(finish(late)), id);
    // A move of the cursor says that the user has chosen.
    const [moved] = update(early, { type: 'in-view', view: early.view, action: { type: 'down' } });
    assert.equal(finish(moved).focus, -1);
  }
});
