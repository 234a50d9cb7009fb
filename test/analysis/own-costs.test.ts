// The cost of own code with the library code that it calls: against a count stack by stack, and against only-own.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { isOwnRoutine } from '../../src/analysis/names/origin.ts';
import { ownCostsOf } from '../../src/analysis/profiles/own-costs.ts';
import { transformProfile } from '../../src/analysis/profiles/transforms/apply.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { existing, FIXTURES, namesIn } from '../support/fixtures.ts';
import { profileOf } from '../support/kinds.ts';

/** By name, the summed cost of own routines in the first event. */
function costsByName(profile: Profile): Map<string, number> {
  const analysis = analyse(profile, profile.events);
  const sums = new Map<string, number>();
  for (const { routine, value } of ownCostsOf(analysis, analysis.events[0]).now().rows) {
    assert.ok(isOwnRoutine(profile, routine), routineName(profile, routine));
    sums.set(routineName(profile, routine), (sums.get(routineName(profile, routine)) ?? 0) + value);
  }
  return sums;
}

const add = (sums: Map<string, number>, name: string, value: number) => sums.set(name, (sums.get(name) ?? 0) + value);
const close = (got: Map<string, number>, wanted: Map<string, number>, whole: number, what: string) => {
  for (const name of new Set([...got.keys(), ...wanted.keys()])) {
    const [a, b] = [got.get(name) ?? 0, wanted.get(name) ?? 0];
    assert.ok(Math.abs(a - b) <= 1e-9 * whole + 1, `${what}: ${name} ${a} ${b}`);
  }
};

test('sampled stacks: each counts for its innermost own frame', async () => {
  for (const file of ['pprof/cpu.pb.gz', 'perf-script/phases.perf.gz', 'folded/perf.folded', 'gperftools/symbolized.prof']) {
    const profile = profileOf(await loadProfile([existing(join(FIXTURES, file))]), 'stacks');
    const { stacks, frames, events } = profile;
    const wanted = new Map<string, number>();
    for (let s = 0; s < stacks.part.length; s++) {
      const routines = Array.from(stacks.frame.subarray(stacks.start[s], stacks.start[s + 1]), (f) => frames.routine[f]);
      const own = routines.find((r) => isOwnRoutine(profile, r));
      const cost = events[0].terms.reduce((sum, [factor, column]) => sum + factor * stacks.costs[column][s], 0);
      if (own !== undefined) add(wanted, routineName(profile, own), cost);
    }
    assert.ok(wanted.size > 0, file);
    close(costsByName(profile), wanted, 1, file);
  }
});

test('call graphs: as only-own leaves them, and with what own code did not call they are the total', async () => {
  const folder = join(FIXTURES, 'callgrind');
  const names = namesIn(folder, /\.callgrind\.out(\.gz)?$/).filter(
    (name) => !/^threads\.|xtree|nothing|go-pprof|odd-mangle/.test(name),
  );
  assert.ok(names.length > 20);
  for (const name of names) {
    const profile = await loadProfile([join(folder, name)]);
    const left = transformProfile(profile, [{ word: 'only-own' }]);
    const analysis = analyse(left, left.events);
    const [event] = left.events;
    const wanted = new Map<string, number>();
    let outside = 0;
    for (let r = 0; r < left.routines.name.length; r++) {
      const cost = event.terms.reduce((sum, [factor, column]) => sum + factor * analysis.totals.self[column][r], 0);
      if (routineName(left, r) === '(outside)') outside += cost;
      else if (cost !== 0) add(wanted, routineName(left, r), cost);
    }
    const got = costsByName(profile);
    const whole = event.terms.reduce((sum, [factor, column]) => sum + factor * analysis.totals.whole[column][0], 0);
    // The transform rounds the cost of each row to a whole number; by routine there are fewer rows to round.
    for (const own of new Set([...got.keys(), ...wanted.keys()]))
      assert.ok(Math.abs((got.get(own) ?? 0) - (wanted.get(own) ?? 0)) <= 1e-3 * whole, `${name}: ${own}`);
    const sum = [...got.values()].reduce((a, b) => a + b, 0);
    assert.ok(Math.abs(sum + outside - whole) <= 2e-3 * whole, `${name}: ${sum} + ${outside} of ${whole}`);
  }
});
