// Transforms of every call graph there is a fixture of: what they leave and what they take are the whole.

import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../../src/analysis/answers/analyse.ts';
import { routineFile, routineName, routineObject } from '../../../src/analysis/names/names.ts';
import { compareProfiles } from '../../../src/analysis/profiles/compare/compare.ts';
import { transformProfile } from '../../../src/analysis/profiles/transforms/apply.ts';
import { exactPattern, parseTransform } from '../../../src/analysis/profiles/transforms/transform.ts';
import { getOrMake } from '../../../src/base/lists.ts';
import { FormatError } from '../../../src/base/problem.ts';
import { loadProfile } from '../../../src/io/load.ts';
import { checkProfile } from '../../../src/model/check.ts';
import type { Costs } from '../../../src/model/column.ts';
import { exactValue } from '../../../src/model/head.ts';
import type { Profile, ProfileOf } from '../../../src/model/profile.ts';
import { stringAt } from '../../../src/model/strings.ts';
import { claimedTooMuch } from '../../support/claims.ts';
import { FIXTURES, namesIn } from '../../support/fixtures.ts';
import { long } from '../../support/long.ts';
import { PLAINLY } from '../../support/versus.ts';

type Graph = ProfileOf<'callgraph'>;
const LARGEST = 200_000;

function applied(profile: Profile, ...texts: string[]): Graph {
  const now = transformProfile(profile, texts.map(parseTransform));
  assert.ok(now.kind === 'callgraph');
  assert.deepEqual(checkProfile(now), []);
  return now;
}

const paths = ['callgrind', 'cachegrind']
  .flatMap((folder) => namesIn(join(FIXTURES, folder), /\.out(\.gz|-\d+|\.\d+)?$/).map((name) => join(FIXTURES, folder, name)))
  .filter((path) => statSync(path).size < LARGEST);

/** Costs by routine, file and part (of a call, and its callee), then by line, event by event. */
type Rows = Map<string, Map<string | number, number[]>>;

function rows(profile: Graph): Rows {
  const out: Rows = new Map();
  const { spans, lines, calls, columns, strings, files } = profile;
  const add = (to: Map<string | number, number[]>, line: number, address: number | undefined, costs: Costs, row: number) => {
    const sum = getOrMake(to, address === undefined ? line : `${line} ${address}`, () => new Array<number>(columns).fill(0));
    for (let c = 0; c < columns; c++) sum[c] += costs[c][row];
  };
  const name = (r: number) => `${routineName(profile, r)}|${routineFile(profile, r)}|${routineObject(profile, r)}`;
  const names = Array.from(profile.routines.name, (_, r) => name(r));
  const place = Array.from(
    spans.routine,
    (r, s) => `${names[r]} ${spans.part[s]} ${spans.file[s] < 0 ? '?' : stringAt(strings, files.name[spans.file[s]])}`,
  );
  for (let s = 0; s < spans.routine.length; s++) {
    const to = getOrMake(out, place[s], () => new Map());
    for (let i = spans.start[s]; i < spans.start[s + 1]; i++) add(to, lines.line[i], lines.address?.[i], lines.costs, i);
  }
  calls?.span.forEach((s, i) => {
    const to = getOrMake(out, `${place[s]} > ${names[calls.callee[i]]}`, () => new Map());
    add(to, calls.line[i], calls.address?.[i], calls.costs, i);
  });
  return out;
}

/** Nothing for what is made to be refused. */
async function loaded(path: string): Promise<Graph | undefined> {
  try {
    const profile = await loadProfile([path]);
    assert.ok(profile.kind === 'callgraph');
    return profile;
  } catch (error) {
    assert.ok(error instanceof FormatError, `${path}: ${error}`);
    return undefined;
  }
}

const close = (a: number, b: number, of = Math.abs(b)) => Math.abs(a - b) <= 1e-9 * (1 + of);
const exactTotals = ({ lines }: Graph) =>
  lines.costs.map((column) => Float64Array.from(column).reduce((sum, cost) => sum + cost, 0));

for (const path of paths)
  long(`${basename(path)}: what is kept and what is left out are the whole`, async () => {
    const profile = await loaded(path);
    if (!profile) return;
    const analysis = analyse(profile, profile.events);
    const { totals } = analysis;
    const all = rows(profile);
    const order = [...totals.inclusive[0].keys()].sort((a, b) => totals.inclusive[0][b] - totals.inclusive[0][a]);
    const costliest = new Set([
      ...order.slice(0, 1),
      ...[...order].sort((a, b) => totals.self[0][b] - totals.self[0][a]).slice(0, 2),
      ...order.filter((r) => totals.cycles.of[r] > 0).slice(0, 4),
    ]);
    // Routines without a name are not found by it.
    for (const r of costliest) {
      if (routineName(profile, r) === '???') continue;
      const pattern = exactPattern('routine', routineName(profile, r));
      const focused = applied(profile, `focus=${pattern}`);
      const [kept, others]: Rows[] = [rows(focused), rows(applied(profile, `ignore=${pattern}`))];
      for (const [key, lines] of all)
        for (const [line, whole] of lines) {
          const [mine, rest] = [kept.get(key)?.get(line), others.get(key)?.get(line)];
          for (let c = 0; c < profile.columns; c++) {
            const [a, b] = [mine?.[c] ?? 0, rest?.[c] ?? 0];
            const isWhole = close(a + b, whole[c]) && (whole[c] < 0 || (a >= 0 && b >= -1e-9 * whole[c]));
            if (!isWhole) assert.fail(`${key} ${line}: ${a} and ${b} are ${whole[c]}`);
          }
        }
      for (const left of [kept, others])
        for (const [key, lines] of left) assert.ok([...lines.keys()].every((line) => all.get(key)?.has(line)));
      const group = Int32Array.from(totals.calls, (_, k) => (routineName(profile, k) === routineName(profile, r) ? 0 : -1));
      const costs = analysis.costing.groups({ groupOf: group, groups: 1, columns: [0] })?.costs[0][0] ?? totals.self[0][r];
      const off = Math.abs(exactTotals(focused)[0] - costs);
      assert.ok(
        profile.calls === undefined || off <= claimedTooMuch(analysis) + 1e-9 * costs,
        `${exactTotals(focused)[0]}, not ${costs}`,
      );
      hidesAll(profile, pattern);
      staysWhole(profile, pattern);
      hasRow(focused, routineName(profile, r), off);
    }
    const outside = applied(profile, 'only-own');
    if (outside.routines.name.length === 1) assert.equal(routineName(outside, 0), '(outside)');
    exactTotals(outside).forEach((sum, c) => {
      assert.ok(close(sum, exactTotals(profile)[c]), `${sum} of ${exactTotals(profile)[c]}`);
    });
  });

/** A routine that every path has costs all that is left, or an estimate of it. `off`: how far the file's own claims are off. */
function hasRow(focused: Graph, name: string, off: number): void {
  const { inclusive, estimated } = analyse(focused, focused.events).totals;
  const namesakes = [...focused.routines.name.keys()].filter((r) => routineName(focused, r) === name);
  if (namesakes.length !== 1) return;
  const [row] = namesakes;
  const left = exactTotals(focused)[0];
  const more = inclusive[0][row] - left;
  const isClose = Math.abs(more) <= off + 1e-9 * Math.abs(left);
  assert.ok(
    isClose || (estimated?.inclusive[row] === 1 && more < 0),
    `${name}: ${left} is left, its row has ${inclusive[0][row]}`,
  );
}

/** What is cut off below a routine is its own cost. */
function staysWhole(profile: Graph, pattern: string): void {
  exactTotals(applied(profile, `prune-from=${pattern}`)).forEach((sum, c) => {
    const whole = exactTotals(profile)[c];
    assert.ok(close(sum, whole), `${pattern} pruned: ${sum} of ${whole}`);
  });
}

/** Hidden cost goes to callers, and nothing else is lost than what has none. */
function hidesAll(profile: Graph, pattern: string): void {
  const now = applied(profile, `hide=${pattern}`);
  const shown = analyse(now, now.events).totals;
  const { totals } = analyse(profile, profile.events);
  exactTotals(now).forEach((sum, c) => {
    const whole = exactTotals(profile)[c];
    if (totals.self[c].some((cost) => cost < 0)) return;
    const hits = new RegExp(pattern.replace('routine:', ''));
    const hidden = totals.self[c].reduce((all, cost, r) => (hits.test(routineName(profile, r)) ? all + cost : all), 0);
    const noise = 1e-9 * whole;
    assert.ok(sum <= whole + noise && sum >= whole - hidden - noise, `${sum} of ${whole}, ${hidden} hidden`);
    assert.ok(shown.self[c].every((cost) => cost >= 0));
  });
}

test('a comparison has the estimates of both runs by their new numbers', async () => {
  const [path] = paths.filter((p) => p.includes('default.callgrind.out'));
  const profile = await loadProfile([path]);
  assert.ok(profile.kind === 'callgraph');
  const marks = (p: Profile) => {
    const { totals } = analyse(p, p.events);
    return (['self', 'inclusive'] as const).map((what) =>
      [...p.routines.name.keys()]
        .filter((r) => totals.estimated?.[what][r] === 1)
        .map((r) => routineName(p, r))
        .sort(),
    );
  };
  let some = 0;
  for (let r = 0; r < profile.routines.name.length; r++) {
    const now = applied(profile, `ignore=${exactPattern('routine', routineName(profile, r))}`);
    if (!now.estimated) continue;
    some++;
    assert.deepEqual(marks(compareProfiles(now, profile, PLAINLY)), marks(now));
    assert.deepEqual(marks(compareProfiles(profile, now, PLAINLY)), marks(now));
    if (some === 5) break;
  }
  assert.equal(some, 5);
});

test('counts beyond 2^53 are whole numbers after their costs were shared, and exact where they were not', async () => {
  const path = join(FIXTURES, 'callgrind', 'edge');
  let some = 0;
  for (const name of namesIn(path, /out(\.gz)?$/)) {
    const profile = await loaded(join(path, name));
    if (!profile?.events.some((e) => e.exact)) continue;
    for (const routine of profile.routines.name.keys())
      for (const word of ['focus', 'ignore', 'hide']) {
        const now = applied(profile, `${word}=${exactPattern('routine', routineName(profile, routine))}`);
        const { totals } = analyse(now, now.events);
        for (const event of now.events) for (const r of totals.calls.keys()) exactValue(event, totals.self, r);
      }
    some++;
  }
  assert.ok(some > 0);
});
