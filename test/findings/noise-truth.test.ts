// Equal runs: how often something is said to have changed. bench/README.md has the rates; the seeds here are others than those that the
// constants were tuned on.
import assert from 'node:assert/strict';
import test from 'node:test';
import { noiseOf } from '../../src/analysis/answers/compared/noise.ts';
import { repeatedClaims, sampledClaims } from '../support/known-noise.ts';
import { longest } from '../support/long.ts';
import { against, evidence, file } from './cases.ts';

const known = async (now: string, before: string) => {
  const { analysis, event } = evidence(await against(file(now), file(before))());
  return noiseOf(analysis, event)?.known;
};

test('the noise of folded counts and of samples that differ is unknown; of counted instructions there is none', async () => {
  assert.equal(await known('gperftools/pie.prof.gz', 'gperftools/pie-g.prof.gz'), true);
  assert.equal(await known('callgrind/default.callgrind.out', 'callgrind/default.callgrind.out'), undefined);
  assert.equal(await known('folded/perf.folded', 'folded/perf.folded'), false);
});

test('a routine that takes three times as long is found among 500 samples', async () => {
  for (const format of ['perf', 'folded'] as const) {
    const { routine, runs } = await sampledClaims(format, 7, 20, 500, 3);
    assert.ok(routine >= 0.8 * runs, `${format}: ${routine} of ${runs}`);
  }
});

longest('of two equal sampled runs, a change of a routine is said in 5 % at most, of the total in about 5 %', async () => {
  for (const format of ['perf', 'folded'] as const) {
    const { runs, routine, total } = await sampledClaims(format, 201, 400, 500);
    // The totals are tested at 5 %: of 400, 32 are three deviations above that.
    assert.ok(routine <= 0.05 * runs && total <= 0.08 * runs, `${format}: ${routine} and ${total} of ${runs}`);
  }
});

longest('with several equal runs of the base, a change of the total is said in 7 % at most', async () => {
  for (const base of [2, 3]) {
    const { runs, total } = await repeatedClaims('median', base, 201, 300, 0.03);
    assert.ok(total <= 0.07 * runs, `${base}: ${total} of ${runs}`);
  }
  const { total } = await repeatedClaims('min', 3, 201, 30, 0.03);
  assert.equal(total, 0);
});
