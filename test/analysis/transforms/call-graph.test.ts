// Transforms of call graphs, against the same transforms of the stacks that the graphs were made of.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { transformProfile } from '../../../src/analysis/profiles/transforms/apply.ts';
import { parseTransform } from '../../../src/analysis/profiles/transforms/transform.ts';
import type { Profile } from '../../../src/model/profile.ts';
import { long } from '../../support/long.ts';
import {
  fileOf,
  found,
  graphStacks,
  type Known,
  knownOf,
  members,
  profileOf,
  REWRITES,
  rewritten,
  type Stack,
  treeStacks,
  unfolded,
} from '../../support/stacks-as-graph.ts';

const OWN = { folders: [], maps: [], hasFile: (path: string) => path.startsWith('own/') };

const applied = (profile: Profile, ...texts: string[]) => transformProfile({ ...profile, own: OWN }, texts.map(parseTransform));

const sorted = (map: ReadonlyMap<string, readonly number[]>) =>
  [...map].filter(([, costs]) => costs.some((cost) => cost !== 0)).sort(([a], [b]) => (a < b ? -1 : 1));
const WHATS = ['self', 'edges', 'inclusive'] as const;

function same(got: Known, wanted: Known, whats: readonly (keyof Known)[] = WHATS): void {
  for (const what of whats) assert.deepEqual(sorted(got[what]), sorted(wanted[what]), what);
}

/** Equal but for rounding. */
function close(got: Known, wanted: Known, whats: readonly (keyof Known)[] = WHATS): void {
  for (const what of whats)
    for (const key of new Set([...got[what].keys(), ...wanted[what].keys()]))
      for (const c of [0, 1]) {
        const [is, should] = [got[what].get(key)?.[c] ?? 0, wanted[what].get(key)?.[c] ?? 0];
        assert.ok(Math.abs(is - should) < 1e-6, `${what} ${key}: ${is}, not ${should}`);
      }
}

/** What is not marked as an estimate is what the stacks say. */
function honest(profile: Profile, wanted: Known, whats: readonly (keyof Known)[] = WHATS): void {
  const got = found(profile);
  for (const what of whats)
    for (const key of new Set([...got[what].keys(), ...wanted[what].keys()])) {
      if (got.estimated[what].has(key)) continue;
      // What is left out altogether has no mark; nothing of it can have been an estimate.
      assert.deepEqual(got[what].get(key) ?? [0, 0], wanted[what].get(key) ?? [0, 0], `${what} ${key} is no estimate`);
    }
}

const onlyOwn = (frames: readonly string[]) => {
  const own = (f: string) => fileOf(f).startsWith('own/');
  return own(frames[0]) ? frames.filter(own) : ['(outside)', ...frames.filter(own)];
};

for (const [word, change] of Object.entries(REWRITES)) {
  test(`${word} of a tree is exact: as of its stacks`, async () => {
    await fc.assert(
      fc.asyncProperty(treeStacks, members, async (stacks, { pattern, hit }) => {
        const now = applied(await profileOf(stacks), `${word}=${pattern}`);
        assert.ok(!('estimated' in now));
        same(found(now), knownOf(rewritten(stacks, (f) => change(f, hit))));
      }),
      { numRuns: 60 },
    );
  });

  test(`${word} of a graph is that of the paths that its tree unfolds to, and marks what may be wrong`, async () => {
    await fc.assert(
      fc.asyncProperty(graphStacks, members, async (stacks, { pattern, hit }) => {
        const profile = await profileOf(stacks);
        const now = applied(profile, `${word}=${pattern}`);
        close(found(now), knownOf(rewritten(unfolded(profile), (f) => change(f, hit))));
        honest(now, knownOf(rewritten(stacks, (f) => change(f, hit))));
      }),
      { numRuns: 80 },
    );
  });
}

test('only-own of a tree and of a graph: what no own code called is in one place', async () => {
  const compared = async (stacks: readonly Stack[], exact: boolean) => {
    const profile = await profileOf(stacks);
    const now = applied(profile, 'only-own');
    if (exact) same(found(now), knownOf(rewritten(stacks, onlyOwn)));
    close(found(now), knownOf(rewritten(unfolded(profile), onlyOwn)));
    honest(now, knownOf(rewritten(stacks, onlyOwn)));
  };
  await fc.assert(
    fc.asyncProperty(treeStacks, (stacks) => compared(stacks, true)),
    { numRuns: 50 },
  );
  await fc.assert(
    fc.asyncProperty(graphStacks, (stacks) => compared(stacks, false)),
    { numRuns: 60 },
  );
});

test('merged routines are one, and calls among them vanish', async () => {
  await fc.assert(
    fc.asyncProperty(treeStacks, members, async (stacks, { pattern, hit }) => {
      const now = applied(await profileOf(stacks), `merge=${pattern}`);
      const renamed = (frames: readonly string[]) =>
        frames
          .map((f) => (hit(f) ? `(${pattern.replace(/^routine:/, '')})` : f))
          .filter((f, k, all) => k === 0 || f !== `(${pattern.replace(/^routine:/, '')})` || all[k - 1] !== f);
      assert.ok(!('estimated' in now));
      // What comes back to the merged routine is a cycle, whose members have one inclusive cost.
      same(found(now), knownOf(rewritten(stacks, renamed)), ['self', 'edges']);
    }),
    { numRuns: 60 },
  );
});

long('several transforms: each of what the one before left; estimates stay estimates', async () => {
  const words = fc.constantFrom(...Object.keys(REWRITES));
  await fc.assert(
    fc.asyncProperty(graphStacks, fc.array(fc.tuple(words, members), { minLength: 2, maxLength: 3 }), async (stacks, list) => {
      const profile = await profileOf(stacks);
      const now = transformProfile(
        profile,
        list.map(([word, { pattern }]) => parseTransform(`${word}=${pattern}`)),
      );
      const wanted = list.reduce((left, [word, { hit }]) => rewritten(left, (f) => REWRITES[word](f, hit)), stacks);
      honest(now, knownOf(wanted));
      assert.equal(now.transformed?.from, profile);
    }),
    { numRuns: 300 },
  );
});

test('shares of calls that make a whole again are that number, to the last digit', async () => {
  const stacks = [
    { frames: ['f0', 'f4', 'f5', 'f7'], costs: [4, 0] },
    { frames: ['f0', 'f2', 'f4', 'f6'], costs: [40, 0] },
  ] as const;
  const left = found(applied(await profileOf(stacks), 'show=routine:^f[045]$', 'ignore=routine:^f5$'));
  assert.deepEqual(left.inclusive.get('f0'), [40, 0]);
});
