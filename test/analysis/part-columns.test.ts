// Parts and threads as columns: together they are the whole.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { analysisOfColumn, partColumns } from '../../src/analysis/answers/part-columns.ts';
import { loadProfile } from '../../src/io/load.ts';
import { FIXTURES } from '../support/fixtures.ts';

test('the columns of all parts add up to the profile, and so do those of all threads', async () => {
  for (const name of [
    'combined-threads.callgrind.out.gz',
    'many-parts.callgrind.out.gz',
    'combined-threads-parts.callgrind.out.gz',
  ]) {
    const profile = await loadProfile([join(FIXTURES, 'callgrind', name)]);
    const a = analyse(profile, profile.events);
    const columns = partColumns(profile).map((c) => c.name);
    assert.ok(columns.length > 1, name);
    for (const kind of ['part', 'thread']) {
      const names = columns.filter((c) => c.startsWith(kind));
      if (names.length === 0) continue;
      const sums = new Float64Array(a.totals.calls.length);
      for (const column of names) for (const [r, v] of analysisOfColumn(a, column)?.totals.self[0].entries() ?? []) sums[r] += v;
      assert.deepEqual(sums, a.totals.self[0], `${name}: ${kind}`);
    }
  }
  const single = await loadProfile([join(FIXTURES, 'callgrind/args.callgrind.out')]);
  assert.deepEqual(partColumns(single), []);
});
