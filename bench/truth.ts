// npm run bench:truth: how often what is said holds, on generated data whose truth is known, and on the reports of fixtures/aprof. Seeded, so
// that every run prints the same; the seeds are others than those that constants were tuned on. bench/README.md has the tables.
import { join } from 'node:path';
import { curveOfRoutine } from '../src/analysis/answers/inputs/points.ts';
import { fitLaw } from '../src/analysis/growth/fit.ts';
import { costsOf, routineLaws } from '../src/analysis/growth/laws.ts';
import { predict } from '../src/analysis/growth/predict.ts';
import { loadProfile } from '../src/io/load.ts';
import { FIXTURES, namesIn } from '../test/support/fixtures.ts';
import { analysisOf } from '../test/support/kinds.ts';
import { NO_STEPS, saidOf as saidOfCourses, stepsFound } from '../test/support/known-courses.ts';
import { curvesOf, exponentials, JUMP, type KnownCurve, MIXED, PURE, saidOf, steepOf } from '../test/support/known-growth.ts';
import { type Claims, repeatedClaims, sampledClaims } from '../test/support/known-noise.ts';

const SEEDS = [101, 102, 103];
const EACH = 50;
const COURSES = 300;
const REPORTS = 'containers matrix-cct sorts sorts-cct readlog-rms readlog-drms readlog-merged pipeline-drms'.split(' ');

const percent = (a: number, b: number) => `${((100 * a) / Math.max(1, b)).toFixed(1)} %`;
const row = (...cells: readonly (string | number)[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`);

function head(title: string, ...columns: readonly string[]): void {
  process.stdout.write(`\n${title}\n\n`);
  row(...columns);
  row(...columns.map(() => '---'));
}

function* ofSeeds(curves: (seed: number) => Iterable<KnownCurve>): Generator<KnownCurve, void> {
  for (const seed of SEEDS) yield* curves(seed);
}

function growth(): void {
  head(
    'Laws, and 95 % intervals at ten times the largest size',
    'curves',
    'unmarked',
    'hold',
    'unmarked ones hold',
    'median width',
    'laws',
  );
  const kinds = [...Object.entries(PURE), ...Object.entries(MIXED)].map(
    ([name, make]) => [name, (seed: number) => curvesOf(make, seed, EACH)] as const,
  );
  for (const [name, curves] of [...kinds, ['bⁿ', (seed: number) => exponentials(seed, EACH)] as const]) {
    const { predicted, held, unmarked, heldUnmarked, width, names } = saidOf(ofSeeds(curves));
    const laws = Array.from(names)
      .sort((a, b) => b[1] - a[1])
      .map(([law, count]) => `${law} ${count}`);
    row(
      name,
      percent(unmarked, predicted),
      percent(held, predicted),
      percent(heldUnmarked, unmarked),
      width.toFixed(2),
      laws.join(', '),
    );
  }
  const all = SEEDS.length * EACH * 4;
  head('Curves that `grows` calls n² or worse', 'curves', 'said');
  row('n with a jump', percent(steepOf(ofSeeds((seed) => curvesOf(JUMP, seed, EACH))), all));
  row('n²', percent(steepOf(ofSeeds((seed) => curvesOf(PURE['n²'], seed, EACH))), all));
}

/** The largest size of each routine, predicted from the lower half of its sizes. */
async function reports(): Promise<void> {
  const seen = new Set<string>();
  let held = 0;
  const widths: number[] = [];
  const folder = join(FIXTURES, 'aprof');
  const paths = REPORTS.flatMap((of) => namesIn(join(folder, of), /aprof\.gz$/).map((name) => join(folder, of, name)));
  for (const path of paths) {
    const analysis = analysisOf(await loadProfile([path]), 'inputs');
    for (const { routine } of routineLaws(analysis)) {
      const curve = curveOfRoutine(analysis, routine);
      const costs = costsOf(curve, 'worst');
      const half = curve.size.length >> 1;
      const [size, cost] = [curve.size.subarray(0, half), costs.subarray(0, half)];
      const fit = fitLaw(size, cost);
      const said = fit && predict(fit, size, cost, curve.size[curve.size.length - 1]);
      if (!said || seen.has(`${routine} ${costs.join()}`)) continue;
      seen.add(`${routine} ${costs.join()}`);
      const was = costs[costs.length - 1];
      if (was >= said.low && was <= said.high) held++;
      widths.push((said.high - said.low) / Math.max(1, said.cost));
    }
  }
  widths.sort((a, b) => a - b);
  head('Reports of fixtures/aprof: the lower half of the sizes predicts the largest', 'curves', 'hold', 'median width');
  row(widths.length, held, widths[widths.length >> 1].toFixed(2));
}

async function noise(): Promise<void> {
  head('Findings of two runs of one program', 'runs', 'a routine', 'the total');
  const claims = ({ runs, routine, total }: Claims) => [percent(routine, runs), percent(total, runs)] as const;
  for (const format of ['perf', 'folded'] as const) {
    row(`${format}, 500 samples, equal`, ...claims(await sampledClaims(format, SEEDS[0], 1000, 500)));
    row(
      `${format}, 500 samples, a routine takes three times as long`,
      ...claims(await sampledClaims(format, SEEDS[1], 200, 500, 3)),
    );
  }
  for (const how of ['median', 'mean', 'min'] as const)
    for (const base of [2, 3])
      row(
        `${how} of ${base} equal runs, 3 % noise`,
        ...claims(await repeatedClaims(how, base, SEEDS[2], how === 'median' ? 1000 : 300, 0.03)),
      );
}

function courses(): void {
  head('Courses of 40 builds: what is said', 'courses', 'a step', 'a drift');
  const all = (found: (seed: number) => number) =>
    percent(
      SEEDS.reduce((sum, seed) => sum + found(seed), 0),
      SEEDS.length * COURSES,
    );
  for (const name of Object.keys(NO_STEPS))
    row(
      name,
      all((seed) => saidOfCourses(name, seed, COURSES).step),
      all((seed) => saidOfCourses(name, seed, COURSES).drift),
    );
  row(
    'five builds, then five that take 20 % longer, 3 % noise',
    all((seed) => stepsFound(seed, COURSES)),
    '',
  );
}

growth();
courses();
await reports();
await noise();
