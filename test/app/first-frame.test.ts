// The first frame of a view does not wait for what is worked out between keys.
import assert from 'node:assert/strict';
import test from 'node:test';
import { isOfKind } from '../../src/analysis/answers/analysis.ts';
import { criticalPathOf } from '../../src/analysis/answers/steps/critical.ts';
import { drawScreen } from '../../src/app/draw.ts';
import { openSession } from '../../src/app/start.ts';
import { update } from '../../src/app/update.ts';
import { ninjaLog } from '../../src/formats/ninja-log.ts';
import { viewsOf } from '../../src/views/index.ts';
import { loadBytes } from '../support/load.ts';

/** Eight jobs at a time. */
function log(commands: number): Uint8Array {
  const lines = Array.from({ length: commands }, (_, i) => {
    const start = Math.floor(i / 8) * 100;
    return `${start}\t${start + 90 + (i % 8)}\t1\tCMakeFiles/part${i % 40}.dir/file${i}.cpp.o\t${i.toString(16)}\n`;
  });
  return Buffer.from(`# ninja log v5\n${lines.join('')}`);
}

/** Views that are about the critical path. */
const ABOUT_IT = ['critical', 'utilization'];

test('no view of a build waits for the critical path before its first frame', async () => {
  const profile = await loadBytes(ninjaLog, log(60_000));
  const size = { width: 200, height: 60, patienceMs: 0 };
  const [opened] = openSession(profile, size);
  const views = viewsOf(opened.analysis).filter(({ id }) => !ABOUT_IT.includes(id));
  assert.ok(views.length > 5);
  for (const { id } of views) {
    let [state] = openSession(profile, size);
    [state] = update(state, { type: 'view', view: id });
    assert.equal(state.view, id);
    assert.equal(drawScreen(state).length, size.height);
    const { analysis } = state;
    assert.ok(isOfKind(analysis, 'steps'));
    assert.equal(criticalPathOf(analysis).ready, undefined, id);
  }
});
