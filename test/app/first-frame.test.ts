// The first frame of a view does not wait for what is worked out between keys.
import assert from 'node:assert/strict';
import test from 'node:test';
import { isOfKind } from '../../src/analysis/answers/analysis.ts';
import { criticalPathOf } from '../../src/analysis/builds/critical.ts';
import type { Action } from '../../src/app/action.ts';
import { drawScreen } from '../../src/app/draw.ts';
import { openSession } from '../../src/app/start.ts';
import { update } from '../../src/app/update.ts';
import { ninjaLog } from '../../src/formats/ninja-log.ts';
import { views, viewsOf } from '../../src/views/index.ts';
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
