// What holds for every comparison, on every fixture: against itself all is 0; the difference of the total is the sum of the differences of
// rows; swapping the runs changes signs alone; and what is said of this run is what is said of it alone.
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../../src/analysis/answers/analysis.ts';
import { eventInMeasure } from '../../../src/analysis/answers/compared/measure.ts';
import { withStandardEvents } from '../../../src/analysis/answers/events.ts';
import { olderParts } from '../../../src/analysis/answers/parts.ts';
import { routineLocation, routineName } from '../../../src/analysis/names/names.ts';
import { compareProfiles } from '../../../src/analysis/profiles/compare/compare.ts';
import { FormatError } from '../../../src/base/problem.ts';
import type { Exact } from '../../../src/base/units.ts';
import { loadProfile } from '../../../src/io/load.ts';
import { eventValue, exactValue } from '../../../src/model/head.ts';
import { type Profile, questionsOf } from '../../../src/model/profile.ts';
import { reports } from '../../../src/reports/index.ts';
import { type ReportContext, ReportError } from '../../../src/reports/report.ts';
import { FIXTURES } from '../../support/fixtures.ts';
import { long, some } from '../../support/long.ts';
import { contextOf } from '../../support/reports.ts';
import { PLAINLY } from '../../support/versus.ts';

const INPUTS =
  /\.(prof|aprof|trace|ninja_log)(\.\d+)?(\.gz)?$|\.out(\.gz|-\d+|\.\d+)?$|(hand|time-trace)\/(?!truth|expected).*\.json(\.gz)?$/;
const LARGEST = 60_000;

async function profiles(): Promise<[name: string, profile: Profile][]> {
  const out: [string, Profile][] = [];
  for (const name of readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(FIXTURES, name);
    if (!INPUTS.test(name) || statSync(path).size > LARGEST) continue;
    try {
      out.push([name, await loadProfile([path])]);
    } catch (error) {
      // Some are made to be refused.
      assert.ok(error instanceof FormatError, `${name}: ${error}`);
    }
  }
  assert.ok(out.length > 90, `${out.length} profiles`);
  return out;
}

const all = profiles();

const compared = (now: Profile, before: Profile): Analysis => {
  const profile = compareProfiles(now, before, PLAINLY);
  return analyse(profile, withStandardEvents(profile.events));
};

long('a profile against itself: every difference is 0', async () => {
  for (const [name, profile] of await all) {
    const analysis = compared(profile, profile);
    const { totals, edges } = analysis;
    assert.equal(analysis.events.length, withStandardEvents(profile.events).length, name);
    assert.ok(
      analysis.profile.compared?.routineSides.every((sides) => sides === 3),
      name,
    );
    for (const event of analysis.events) {
      if (event.per) continue;
      const delta = eventInMeasure(analysis, event, 'delta');
      const tables = [totals.self, totals.inclusive, edges.costs, totals.total, totals.whole, totals.cycleInclusive];
      for (const costs of tables)
        for (let row = 0; row < (costs[0]?.length ?? 0); row++)
          assert.equal(Number(exactValue(delta, costs, row)), 0, `${name}: ${event.name}`);
    }
    const calls = totals.inclusive[totals.inclusive.length - 1];
    assert.deepEqual(Array.from(calls ?? []), Array.from(totals.calls), name);
  }
});

/** Profiles of one kind, each with the next one. */
async function pairs(): Promise<[name: string, now: Profile, before: Profile][]> {
  const list = await all;
  const out: [string, Profile, Profile][] = [];
  for (const [i, [name, now]] of list.entries()) {
    const next = list
      .slice(i + 1)
      .find(([, p]) => p.kind === now.kind && p.events.some((e) => now.events.some((o) => o.name === e.name)));
    if (next) out.push([`${name} and ${next[0]}`, now, next[1]]);
  }
  return out;
}

const whole = (value: Exact): bigint => (typeof value === 'bigint' ? value : BigInt(Math.round(value)));

/** Code without symbols is one routine an object in a comparison, unless its addresses are the same. */
const hasAddresses = (profile: Profile): boolean =>
  Array.from(profile.routines.name.keys()).some((r) => /^0x|\+0x[0-9a-f]+$/.test(routineName(profile, r)));

const usable = (pair: () => Analysis): Analysis | undefined => {
  try {
    return pair();
  } catch (error) {
    assert.ok(error instanceof FormatError, String(error));
    return undefined;
  }
};

long('the difference of the total is the sum of the differences of all rows', async () => {
  let checked = 0;
  for (const [name, now, before] of await pairs()) {
    const analysis = usable(() => compared(now, before));
    // Steps that are no slices have no row, and a report of input sizes may lack self cost.
    if (!analysis || !['callgraph', 'stacks'].includes(analysis.profile.kind)) continue;
    for (const event of analysis.events) {
      if (event.per) continue;
      const delta = eventInMeasure(analysis, event, 'delta');
      let sum = 0n;
      for (const costs of [analysis.totals.self, analysis.totals.unrecorded ?? []])
        for (let r = 0; r < (costs[0]?.length ?? 0); r++) sum += whole(exactValue(delta, costs, r));
      const total = exactValue(delta, analysis.totals.total, 0);
      if (typeof total === 'bigint' || Number.isInteger(total)) assert.equal(sum, BigInt(total), `${name}: ${event.name}`);
      checked++;
    }
  }
  assert.ok(checked > 100, `${checked} events`);
});

long('swapping the runs changes signs alone', async () => {
  let rows = 0;
  for (const [name, now, before] of await pairs()) {
    const [one, other] = [usable(() => compared(now, before)), usable(() => compared(before, now))];
    if (!one || !other) continue;
    const event = one.events[0];
    if (!event || event.per) continue;
    // The name is that of this run where paths differ: what both runs call it has no path.
    const changes = (analysis: Analysis) => {
      const delta = eventInMeasure(analysis, analysis.events.find((e) => e.name === event.name) ?? event, 'delta');
      return Array.from(analysis.totals.calls.keys(), (r) => {
        const values = [analysis.totals.self, analysis.totals.inclusive].map((costs) => eventValue(delta, costs, r));
        return { name: routineName(analysis.profile, r), values };
      });
    };
    const sorted = (list: ReturnType<typeof changes>, sign: number) =>
      // Estimates of recursions are sums in another order.
      list.map((row) => `${row.name} ${row.values.map((v) => Number((v * sign).toPrecision(12)) || 0).join(' ')}`).sort();
    assert.deepEqual(sorted(changes(one), 1), sorted(changes(other), -1), name);
    rows += one.totals.calls.length;
  }
  assert.ok(rows > 1000, `${rows} rows`);
});

const ALL = { routine: undefined };

/** What a row says of one run: its numbers other than 0, of the events given. */
function figures(row: unknown, events: ReadonlySet<string>): string {
  if (typeof row !== 'object' || row === null) return '';
  const said = Object.entries(row).flatMap(([name, value]): string[] => {
    if (name === 'count') return value ? [`${name} ${value}`] : [];
    if ((name !== 'self' && name !== 'inclusive') || typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([event, cost]) => (events.has(event) && cost ? [`${name} ${event} ${cost}`] : []));
  });
  return said.sort().join(', ');
}

long('swapping the runs swaps what every row says of them', async () => {
  const shop = (version: string, format: string) => loadProfile([join(FIXTURES, `compare/${version}/shop.${format}.out.gz`)]);
  const shops: [string, Profile, Profile][] = [
    ['shop', await shop('v2', 'callgrind'), await shop('v1', 'callgrind')],
    ['shop', await shop('v2', 'cachegrind'), await shop('v1', 'cachegrind')],
  ];
  const met = new Set<string>();
  const graphs = (await pairs()).filter(([, now]) => now.kind === 'callgraph' && now.lines.line.length < 1000);
  for (const [name, now, before] of [...shops, ...some(graphs)]) {
    const [one, other] = [usable(() => compared(now, before)), usable(() => compared(before, now))];
    if (!one || !other) continue;
    const events = new Set(one.events.map((e) => e.name).filter((event) => other.events.some((o) => o.name === event)));
    for (const view of ['routines', 'calls', 'lines', 'instrs']) {
      const there: Printed | undefined = await rowsOf(one, view, ALL);
      const back: Printed | undefined = await rowsOf(other, view, ALL);
      if (!there || !back) continue;
      const pairsOf = ({ rows }: Printed, swapped: boolean) =>
        rows
          .map((row) => [figures(row, events), figures(row['base'], events)])
          .filter(([a, b]) => a !== '' || b !== '')
          .map((pair) => (swapped ? pair.reverse() : pair).join(' | '))
          .sort();
      assert.deepEqual(pairsOf(there, false), pairsOf(back, true), `${name}, ${view}`);
      if (there.rows.length > 0) met.add(view);
    }
  }
  assert.equal(met.size, 4);
});

interface Row {
  readonly [key: string]: unknown;
}

interface Printed {
  readonly totals: unknown;
  readonly rows: readonly Row[];
}

/** `choice`: what is printed if not the first routine. */
async function rowsOf(
  analysis: Analysis,
  name: string,
  choice: Pick<ReportContext, 'routine'> | undefined = undefined,
): Promise<Printed | undefined> {
  const report = reports.find((r) => r.name === name);
  if (!report || report.isArray || !report.requires.every((q) => analysis.costing.can.has(q))) return undefined;
  let text = '';
  const context = {
    ...contextOf(analysis.profile),
    analysis,
    event: analysis.events[0],
    base: analysis.before,
    limit: Number.POSITIVE_INFINITY,
    ...choice,
  };
  if (!context.event) return undefined;
  try {
    await report.write('json', { ...context, event: eventInMeasure(analysis, context.event, 'delta') }, '0', async (piece) => {
      text += piece;
    });
  } catch (error) {
    assert.ok(error instanceof ReportError, `${name}: ${error}`);
    return undefined;
  }
  return JSON.parse(text) as Printed;
}

const VIEWS = [
  'routines',
  'calls',
  'graph',
  'lines',
  'instrs',
  'tree',
  'inputs',
  'curves',
  'steps',
  'targets',
  'processes',
  'criticalpath',
  'gantt',
];

long('what is said of this run beside another is what is said of it alone', async () => {
  const met = new Set<string>();
  for (const [name, now, before] of [
    ...(await pairs()),
    ...some(await all).map(([n, p]): [string, Profile, Profile] => [`${n} and itself`, p, p]),
  ]) {
    const both = usable(() => compared(now, before));
    if (!both) continue;
    // Where the base lacks what a view asks for, there is no such view; and code without symbols becomes one routine an object.
    if (hasAddresses(now) || hasAddresses(before)) continue;
    // What the base does not have is compared in neither.
    if ([...questionsOf(now)].some((question) => !questionsOf(before).has(question))) continue;
    const own = analyse(
      now,
      withStandardEvents(now.events).filter((e) => both.events.some((b) => b.name === e.name)),
      olderParts(now),
    );
    for (const view of VIEWS) {
      const beside: Printed | undefined = await rowsOf(both, view);
      const alone: Printed | undefined = await rowsOf(own, view);
      if (!beside || !alone || !questionsOf(now).size) continue;
      const strip = (row: Row): Row => {
        const {
          base: _,
          state: __,
          id: ___,
          parent: ____,
          baseId: _____,
          before: ______,
          change: _______,
          leftOut: ________,
          ...rest
        } = row;
        // Of a run without remainders: the other has some.
        const { unrecorded, ...others } = rest;
        return unrecorded && Object.values(unrecorded).some((cost) => cost !== 0) ? rest : others;
      };
      const texts = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(strip(row))).sort();
      const kept = beside.rows.filter((row) => row['state'] !== 'gone');
      const [shown, wanted] = [texts(kept), texts(alone.rows)];
      // A tree of two runs also has what only the base has enough of.
      if (view === 'tree') for (const text of wanted) assert.ok(shown.includes(text), `${name}, ${view}: ${text}`);
      else assert.deepEqual(shown, wanted, `${name}, ${view}`);
      assert.deepEqual(beside.totals, alone.totals, `${name}, ${view}`);
      if (wanted.length > 0) met.add(view);
    }
  }
  assert.deepEqual(
    VIEWS.filter((view) => !met.has(view)),
    [],
  );
});

long('routines that are told apart stay apart: none of a run is two of the other, and none is lost', async () => {
  for (const [name, now, before] of await pairs()) {
    const analysis = usable(() => compared(now, before));
    if (!analysis) continue;
    const { routineSides: sides = new Uint8Array(0) } = analysis.profile.compared ?? {};
    if (hasAddresses(now) || hasAddresses(before)) continue;
    const count = (bit: number) => sides.filter((s) => s & bit).length;
    assert.equal(count(1), now.routines.name.length, name);
    assert.equal(count(2), before.routines.name.length, name);
    for (let r = 0; r < now.routines.name.length; r++)
      assert.equal(
        routineName(analysis.profile, r) + routineLocation(analysis.profile, r),
        routineName(now, r) + routineLocation(now, r),
        name,
      );
  }
});

// Code without symbols becomes one routine an object: calls among it are no recursion of what has a name.
test('beside another run, routines with names cost what they cost alone', async () => {
  let some = 0;
  const list = (await all).filter(([name]) => /callgrind\/[^/]*$/.test(name));
  for (const [i, [name, now]] of list.entries()) {
    const before = list[(i + 1) % list.length][1];
    if (!hasAddresses(now)) continue;
    const both = usable(() => compared(now, before))?.profile.compared;
    // With other recursion levels, routines are compared by function (levels.test.ts).
    if (!both || both.now.notes?.some((note) => /are merged: the two runs/.test(note))) continue;
    for (const [alone, beside] of [
      [now, both.now],
      [before, both.before],
    ]) {
      const [own, shown] = [alone, beside].map((p) => analyse(p, p.events));
      const key = (p: Profile, r: number) => `${routineName(p, r)}${routineLocation(p, r)}`;
      const rows = new Map<string, number>();
      // Namesakes at one place are not told apart here.
      for (const r of beside.routines.name.keys()) rows.set(key(beside, r), rows.has(key(beside, r)) ? -1 : r);
      for (let r = 0; r < alone.routines.name.length; r++) {
        if (/^0x|\?\?\?/.test(routineName(alone, r))) continue;
        const row = rows.get(key(alone, r));
        // A file has another path in the other run.
        if (row === undefined || row < 0) continue;
        for (const [c, costs] of own.totals.inclusive.entries())
          assert.equal(shown.totals.inclusive[c][row], costs[r], `${name}: ${routineName(alone, r)}`);
        some++;
      }
    }
  }
  assert.ok(some > 500, `${some} routines`);
});
