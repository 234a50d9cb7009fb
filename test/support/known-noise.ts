// Two runs of one program whose costs differ by chance alone, or by one routine that costs more; and which findings say that something changed.
// For test/findings/noise-truth.test.ts and `npm run bench:truth`.
import { loadBase } from '../../src/analysis/answers/compared/runs.ts';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { runToEnd } from '../../src/base/slices.ts';
import { gatherFindings } from '../../src/findings/gather.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { folded } from '../../src/formats/folded.ts';
import { perfScript } from '../../src/formats/perf-script/index.ts';
import type { BaseRuns, Profile } from '../../src/model/profile.ts';
import { evidence } from '../findings/cases.ts';
import { loadText } from './load.ts';
import { gauss, type Random, random } from './random.ts';
import { PLAINLY } from './versus.ts';

/** Routines by their share of the cost: of the n-th, about 1 / n. */
function shares(r: Random, count: number): Float64Array {
  const raw = Float64Array.from({ length: count }, (_, i) => (0.5 + r()) / (i + 1));
  const sum = raw.reduce((s, x) => s + x, 0);
  return raw.map((x) => x / sum);
}

/** So many samples on average, shared out by chance. */
function sampled(r: Random, of: Float64Array, samples: number): number[] {
  const counts = Array<number>(of.length).fill(0);
  const total = Math.round(samples + Math.sqrt(samples) * gauss(r));
  for (let k = 0; k < total; k++) {
    let rest = r();
    let i = 0;
    while (i < of.length - 1 && rest >= of[i]) rest -= of[i++];
    counts[i]++;
  }
  return counts;
}

const asFolded = (counts: readonly number[]) =>
  loadText(folded, counts.map((n, i) => (n > 0 ? `main;group_${i % 5};f_${i} ${n}\n` : '')).join(''));

function asPerf(counts: readonly number[]): Promise<Profile> {
  const one = (i: number) =>
    `prog 1 1.000: 1000 cycles: \n\t1 f_${i} (/bin/prog)\n\t2 group_${i % 5} (/bin/prog)\n\t3 main (/bin/prog)\n\n`;
  return loadText(perfScript, counts.map((n, i) => one(i).repeat(n)).join(''));
}

const FORMATS = { perf: asPerf, folded: asFolded };
const OF_ROUTINES = new Set(['costlier-calls', 'more-calls', 'new-code', 'moved-cost']);

export interface Claims {
  readonly runs: number;
  /** Pairs of runs with a finding about a routine, and with one about the total. */
  readonly routine: number;
  readonly total: number;
}

function claimsOf(now: Profile, before: Profile, runs?: BaseRuns): { readonly routine: boolean; readonly total: boolean } {
  const all = runToEnd(gatherFindings(evidence({ profile: compareProfiles(now, before, { ...PLAINLY, runs }) })));
  return { routine: all.some((f) => OF_ROUTINES.has(f.rule)), total: all.some((f) => f.rule === 'total-change') };
}

/** Pairs of sampled runs; of the first, the costliest routine but three takes `times` as long. */
export async function sampledClaims(
  format: keyof typeof FORMATS,
  seed: number,
  runs: number,
  samples: number,
  times = 1,
): Promise<Claims> {
  const r = random(seed);
  let [routine, total] = [0, 0];
  for (let k = 0; k < runs; k++) {
    const of = shares(r, 20 + Math.floor(r() * 200));
    const changed = of.map((share, i) => (i === 3 ? share * times : share));
    const sum = changed.reduce((s, x) => s + x, 0);
    const now = await FORMATS[format](
      sampled(
        r,
        changed.map((x) => x / sum),
        samples * sum,
      ),
    );
    const claims = claimsOf(now, await FORMATS[format](sampled(r, of, samples)));
    if (claims.routine) routine++;
    if (claims.total) total++;
  }
  return { runs, routine, total };
}

/** Costs that vary from run to run: all of them together by half of the noise, each by itself by the other. */
function measuredRun(r: Random, of: Float64Array, noise: number): string {
  const all = Math.exp(noise * gauss(r));
  const costs = of.map((share) => Math.round(1e6 * share * all * Math.exp(noise * gauss(r))));
  const sum = costs.reduce((s, c) => s + c, 0);
  const calls = Array.from(costs, (c, i) => `cfn=f_${i}\ncalls=1 ${i + 2}\n1 ${c}`).join('\n');
  const routines = Array.from(costs, (c, i) => `fn=f_${i}\n${i + 2} ${c}`).join('\n');
  return `version: 1\nevents: Bcm\nsummary: ${sum}\nfl=a.c\nfn=main\n1 0\n${calls}\n${routines}\n`;
}

/** One run against so many equal ones of the base. */
export async function repeatedClaims(
  how: BaseRuns['how'],
  base: number,
  seed: number,
  runs: number,
  noise: number,
): Promise<Claims> {
  const r = random(seed);
  let [routine, total] = [0, 0];
  for (let k = 0; k < runs; k++) {
    const of = shares(r, 20);
    const texts = new Map(Array.from({ length: base }, (_, i) => [`base.${i}`, measuredRun(r, of, noise)]));
    const load = async (paths: readonly string[]) => loadText(callgrind, paths.map((path) => texts.get(path)).join('\n'));
    const { profile, runs: several } = await loadBase(
      Array.from(texts.keys(), (path) => [path]),
      how,
      load,
    );
    const claims = claimsOf(await loadText(callgrind, measuredRun(r, of, noise)), profile, several);
    if (claims.routine) routine++;
    if (claims.total) total++;
  }
  return { runs, routine, total };
}
