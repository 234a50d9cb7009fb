// Roots for the threads and dumps of a call graph: each costs what the file says of its parts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import { analyse } from '../../../src/analysis/answers/analyse.ts';
import { openTree } from '../../../src/analysis/answers/tree.ts';
import { routineName } from '../../../src/analysis/names/names.ts';
import { BY_ROUTINE } from '../../../src/analysis/profiles/granularity/stacks.ts';
import { shownProfile } from '../../../src/analysis/profiles/shown.ts';
import { NOTHING_OWN } from '../../../src/analysis/profiles/transforms/own-code.ts';
import { parseTransform } from '../../../src/analysis/profiles/transforms/transform.ts';
import { loadProfile } from '../../../src/io/load.ts';
import { checkProfile } from '../../../src/model/check.ts';
import { FIXTURES } from '../../support/fixtures.ts';

const fixture = (name: string) => join(FIXTURES, `callgrind/${name}.callgrind.out.gz`);

/** The sums of the `totals:` lines, by `thread:` or by part in the order of the file. */
function stated(name: string, key: 'thread' | 'part'): Map<string, number> {
  const sums = new Map<string, number>();
  let [thread, part] = ['', 0];
  for (const line of gunzipSync(readFileSync(fixture(name)))
    .toString('latin1')
    .split('\n')) {
    thread = /^thread: (\d+)$/.exec(line)?.[1] ?? thread;
    const total = /^totals: (\d+)/.exec(line)?.[1];
    if (total === undefined) continue;
    part++;
    const root = key === 'thread' ? `thread ${thread}` : `part ${part}`;
    sums.set(root, (sums.get(root) ?? 0) + Number(total));
  }
  return sums;
}

async function rooted(name: string, ...transforms: readonly string[]) {
  const loaded = await loadProfile([fixture(name)]);
  const shaping = { granularity: BY_ROUTINE, own: NOTHING_OWN, versus: undefined };
  const profile = shownProfile(loaded, { ...shaping, transforms: transforms.map(parseTransform) });
  return { loaded, analysis: analyse(profile, profile.events, new Set()) };
}

for (const [name, key] of [
  ['combined-threads', 'thread'],
  ['combined-threads-parts', 'thread'],
  ['combined-threads-parts', 'part'],
  ['many-parts', 'part'],
] as const)
  test(`${name}: a root for each ${key}, with the cost that the file states; nothing else changes`, async () => {
    const sums = stated(name, key);
    assert.ok(sums.size > 1);
    const { loaded, analysis } = await rooted(name, `tag-root=${key}`);
    assert.deepEqual(checkProfile(analysis.profile), []);
    const tree = openTree(analysis.costing.tree(false), false, analysis.events[0]);
    const roots = tree.roots.map(
      (id) => [routineName(analysis.profile, tree.nodes[id].routine), tree.nodes[id].inclusive[0]] as const,
    );
    assert.deepEqual(roots.filter(([, cost]) => cost !== 0).sort(), [...sums].filter(([, cost]) => cost !== 0).sort());
    const before = analyse(loaded, loaded.events, new Set());
    const costs = (a: typeof before) =>
      Array.from(a.profile.routines.name.keys())
        .map((r) => `${routineName(a.profile, r)} ${a.totals.self[0][r]}`)
        .filter((text) => !text.endsWith(' 0'));
    assert.deepEqual(costs(analysis), costs(before));
    assert.deepEqual(analysis.totals.total, before.totals.total);
  });

test('what a profile cannot have as roots is refused, with what it can', async () => {
  await assert.rejects(rooted('combined-threads', 'tag-root=cpu'), { message: 'tag-root=cpu: this profile has thread and part' });
  await assert.rejects(rooted('heat', 'tag-root=thread'), /this one has one part/);
  await assert.rejects(rooted('combined-threads', 'tag-leaf=thread'), /needs samples with labels/);
});
