// Unnamed code in cycles: stacks that are known, written as a call graph in which all functions without a name are one.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { ROUTINE_GRANULARITY } from '../../src/analysis/profiles/granularity/stacks.ts';
import { buildShownProfile } from '../../src/analysis/profiles/shown.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { checkProfile } from '../../src/model/check.ts';
import { loadText } from '../support/load.ts';

const UNNAMED = 'UnknownFn???';

/** Stacks from the outermost frame inwards, and what the innermost frame costs by itself. */
type Sampled = readonly (readonly [frames: readonly string[], cost: number])[];

/** The call graph of the stacks, as Valgrind's xtrees have it: all unnamed functions are one. */
function asGraph(stacks: Sampled): string {
  const self = new Map<string, number>();
  const calls = new Map<string, Map<string, number>>();
  for (const [frames, cost] of stacks) {
    const last = frames.at(-1)!;
    self.set(last, (self.get(last) ?? 0) + cost);
    for (const [k, caller] of frames.slice(0, -1).entries()) {
      const own = calls.get(caller) ?? new Map<string, number>();
      calls.set(caller, own.set(frames[k + 1], (own.get(frames[k + 1]) ?? 0) + cost));
    }
  }
  const names = new Set([...self.keys(), ...calls.keys()]);
  const body = (name: string) =>
    [...(calls.get(name) ?? [])].map(([callee, cost]) => `cfn=${callee}\ncalls=1 1\n1 ${cost}\n`).join('');
  return `events: B\n${[...names].map((name) => `fn=${name}\n1 ${self.get(name) ?? 0}\n${body(name)}`).join('\n')}`;
}

async function shown(stacks: Sampled): Promise<Analysis> {
  const loaded = await loadText(callgrind, asGraph(stacks));
  const profile = buildShownProfile(loaded, {
    granularity: ROUTINE_GRANULARITY,
    transforms: [],
    own: undefined,
    versus: undefined,
  });
  assert.deepEqual(checkProfile(profile), []);
  return analyse(profile, profile.events);
}

/** `name self inclusive`, with `≈` before an estimate. */
function costsOf({ profile, totals }: Analysis): Map<string, string> {
  const mark = (flags: Uint8Array | undefined, r: number) => (flags?.[r] ? '≈' : '');
  const text = (r: number) =>
    `${mark(totals.estimated?.self, r)}${totals.self[0][r]} ${mark(totals.estimated?.inclusive, r)}${totals.inclusive[0][r]}`;
  return new Map(Array.from(profile.routines.name.keys(), (r) => [routineName(profile, r), text(r)]));
}

test('what a cycle calls is no part of it: inclusive costs are exact', async () => {
  const between = await shown([
    [[UNNAMED, 'call_init'], 100],
    [[UNNAMED, 'call_init', UNNAMED], 600],
  ]);
  assert.deepEqual(Object.fromEntries(costsOf(between)), { [UNNAMED]: '600 700', call_init: '100 700' });
  assert.equal(between.totals.cycles.count, 0);
  // Each calls unnamed code, which calls the next.
  const chain = await shown([
    [['main', UNNAMED, 'a', UNNAMED, 'b', UNNAMED], 50],
    [['main', UNNAMED, 'a', UNNAMED], 7],
    [['main', UNNAMED, 'a'], 3],
    [['main', UNNAMED, 'b'], 11],
  ]);
  assert.deepEqual(Object.fromEntries(costsOf(chain)), { main: '0 71', [UNNAMED]: '57 ≈71', a: '3 60', b: '11 61' });
});

test('of random stacks, totals and self costs stay, and an inclusive cost is the truth or an estimate', async () => {
  const name = fc.constantFrom(UNNAMED, UNNAMED, 'a', 'b', 'c', 'd');
  const stack = fc.tuple(fc.array(name, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 100 }));
  let [exact, estimated] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(stack, { minLength: 1, maxLength: 8 }), async (list) => {
      // Named functions call only later ones.
      const stacks = list.map(([frames, cost]): Sampled[number] => {
        const own = frames.filter(
          (f, k) => f === UNNAMED || frames.slice(0, k).every((before) => before === UNNAMED || before < f),
        );
        return [['main', ...own], cost];
      });
      const costs = costsOf(await shown(stacks));
      const sum = (found: Sampled) => found.reduce((total, [, cost]) => total + cost, 0);
      for (const [routine, text] of costs) {
        const self = sum(stacks.filter(([frames]) => frames.at(-1) === routine));
        const inclusive = sum(stacks.filter(([frames]) => frames.includes(routine)));
        if (text.includes(' ≈')) estimated += Number(routine !== UNNAMED);
        else {
          exact++;
          assert.equal(text, `${self} ${inclusive}`, asGraph(stacks));
        }
        assert.equal(text.split(' ')[0], String(self), asGraph(stacks));
      }
      assert.equal(costs.get('main')?.split(' ')[1], String(sum(stacks)));
    }),
    { numRuns: 300, seed: 7 },
  );
  assert.ok(exact > 9 * estimated, `${exact} exact, ${estimated} estimated`);
});
