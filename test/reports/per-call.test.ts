// Costs per call: those of truth.json divided, and what they tell of two runs.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { eventInMeasure } from '../../src/analysis/answers/compared/measure.ts';
import { allEvents } from '../../src/analysis/answers/events.ts';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { eventSum } from '../../src/model/head.ts';
import type { Profile } from '../../src/model/profile.ts';
import { reports } from '../../src/reports/index.ts';
import type { ReportContext } from '../../src/reports/report.ts';
import { existing, FIXTURES, namesIn, readJson } from '../support/fixtures.ts';
import { loadText } from '../support/load.ts';
import { contextOf } from '../support/reports.ts';
import { PLAINLY } from '../support/versus.ts';
import { runWarm } from '../support/warm.ts';

interface Truth {
  readonly events: readonly string[];
  readonly functions: readonly {
    readonly name: string;
    readonly file: string | null;
    readonly object: string | null;
    readonly self: readonly number[];
    readonly callsIn: number;
    readonly outToOthers: readonly number[];
    readonly cycle: unknown;
  }[];
}
interface Row {
  readonly routine: string;
  readonly recordedName?: string;
  readonly file: string | null;
  readonly object: string | null;
  readonly calls: number;
  readonly self: Record<string, number>;
  readonly inclusive: Record<string, number>;
  readonly perCall: { readonly self: Record<string, number>; readonly inclusive: Record<string, number> } | null;
}

async function textOf(name: string, context: ReportContext, form: 'json' | 'text' = 'json'): Promise<string> {
  let text = '';
  await reports.find((r) => r.name === name)?.write(form, context, '0', async (piece) => void (text += piece));
  return text;
}

test('self and inclusive cost per call are those of truth.json', async () => {
  const folder = join(FIXTURES, 'callgrind');
  let compared = 0;
  for (const file of namesIn(folder, /\.truth\.json(\.gz)?$/)) {
    const stem = file.replace(/\.truth\.json(\.gz)?$/, '');
    const path = ['.callgrind.out', '.callgrind.out-01'].map((end) => existing(join(folder, stem + end)));
    const profile = await loadProfile([path[0]]).catch(() => undefined);
    if (!profile || profile.parts.length > 1) continue;
    const truth = readJson<Truth>(join(folder, `${stem}.truth.json`));
    const rows: Row[] = JSON.parse(
      await textOf('routines', { ...contextOf(profile), routine: undefined, limit: Number.POSITIVE_INFINITY }),
    ).rows;
    const byKey = new Map(rows.map((row) => [`${row.recordedName ?? row.routine} ${row.file} ${row.object}`, row]));
    for (const { name, file: of, object, self, callsIn, outToOthers, cycle } of truth.functions) {
      const row = byKey.get(`${name} ${of} ${object}`);
      if (!row || cycle !== null) continue;
      if (callsIn === 0) assert.equal(row.perCall, null, `${stem} ${name}`);
      for (const [e, event] of truth.events.entries()) {
        if (callsIn === 0 || !(event in row.self)) continue;
        assert.equal(row.perCall?.self[event], self[e] / callsIn, `${stem} ${name} ${event}`);
        assert.equal(row.perCall?.inclusive[event], (self[e] + outToOthers[e]) / callsIn, `${stem} ${name} ${event}`);
        compared++;
      }
    }
  }
  assert.ok(compared > 3000, `${compared}`);
});

/** Calls of f by main, and what they cost. */
const callsOf = (calls: number, cost: number) =>
  loadText(callgrind, `events: Ir\nfn=main\n1 10\ncfn=f\ncalls=${calls} 5\n2 ${cost}\nfn=f\n5 ${cost}\n`);

test('of two runs: the base has its own, and the difference is that of the averages', async () => {
  const [before, now] = [await callsOf(10, 1000), await callsOf(40, 3000)];
  const profile = compareProfiles(now, before, PLAINLY);
  const context = { ...contextOf(profile), routine: undefined };
  const rows: (Row & { readonly base: Row })[] = JSON.parse(await textOf('routines', context)).rows;
  const f = rows.find((row) => row.routine === 'f');
  assert.deepEqual([f?.perCall?.self, f?.base.perCall?.self], [{ Ir: 75 }, { Ir: 100 }]);
  const event = eventInMeasure(context.analysis, context.event, 'delta');
  const shown = await textOf('routines', { ...context, event, extraParts: ['perCall'] }, 'text');
  assert.match(shown, /Δ self\/call/);
  assert.match(shown, /\+2,000 .* -25 +-25 f\b/);
});

const withEvent = (profile: Profile, formula: string) => analyse(profile, allEvents(profile.events, [formula]));

/** The context with the cost per call of the first event as an event. */
function withDerived(profile: Profile): ReportContext {
  const analysis = withEvent(profile, `PC=${profile.events[0].name}/calls`);
  return { ...contextOf(profile), routine: undefined, limit: Number.POSITIVE_INFINITY, analysis };
}

type Costs = Record<string, number | null>;
interface DerivedRow extends Record<'self' | 'inclusive', Costs | undefined> {
  readonly perCall: Record<'self' | 'inclusive', Costs> | null;
  readonly base?: DerivedRow | null;
}

/** Checks that `PC` of the rows is the cost per call of `event`; returns how many numbers were compared. */
function checkRows(rows: readonly (DerivedRow | null | undefined)[], event: string, name: string): number {
  let compared = 0;
  for (const row of rows)
    for (const what of ['self', 'inclusive'] as const) {
      if (!row?.[what] || !(event in row[what])) continue;
      const wanted = row.perCall?.[what]?.[event] ?? null;
      if (row.perCall !== null && !(what in row.perCall)) continue;
      const found = row[what].PC ?? null;
      assert.ok(found === wanted || Math.abs(Number(found) - Number(wanted)) < 1e-9 * Math.abs(Number(wanted)), name);
      compared++;
    }
  return compared;
}

test('an event divided by calls is the cost per call, for routines and calls, of one run and of two', async () => {
  const names = [
    'callgrind/heat.callgrind.out',
    'callgrind/cache-branch.callgrind.out',
    'aprof/sorts-cct/sorts_29653_0_4.aprof',
    'gprof/parse.gprof',
  ];
  const paths = names.map((name) => existing(join(FIXTURES, name)));
  const profiles = await Promise.all(paths.map((path) => loadProfile([path])));
  const pairs = [[await callsOf(40, 3000), await callsOf(10, 1000)]];
  let compared = 0;
  for (const profile of [...profiles, ...pairs.map(([now, before]) => compareProfiles(now, before, PLAINLY))]) {
    const context = withDerived(profile);
    for (const name of ['routines', 'calls']) {
      if (name === 'calls' && !context.analysis.costing.can.has('calls')) continue;
      const { rows } = JSON.parse(await textOf(name, context));
      const all = rows.flatMap((row: DerivedRow) => [row, row.base]);
      compared += checkRows(all, profile.events[0].name, `${profile.paths} ${name}`);
    }
  }
  assert.ok(compared > 200, `${compared}`);
});

test('calls can only divide, and only in profiles that count them', async () => {
  const profile = await callsOf(10, 1000);
  assert.throws(() => withEvent(profile, 'X=Ir + calls'), /event calls is not recorded/);
  const uncounted = await loadText(callgrind, 'events: Ir\nfn=main\n1 10\n');
  assert.throws(() => withDerived(uncounted), /a profile that counts calls/);
});

test('callees of a cycle are summed before their cost is divided', async () => {
  const text =
    'events: Ir Dr\nfn=a\n1 1 1\ncfn=b\ncalls=2 5\n1 100 10\ncfn=c\ncalls=2 5\n1 60 20\nfn=b\n1 1 1\ncfn=a\ncalls=1 1\n1 50 5\ncfn=c\ncalls=4 5\n1 30 40\nfn=c\n5 90 60\n';
  const { edges, events } = withEvent(await loadText(callgrind, text), 'R=Dr/Ir');
  // c is called at 60 Ir and 20 Dr, and at 30 Ir and 40 Dr.
  const ofC = [...edges.costs[0].keys()].filter((e) => [60, 30].includes(edges.costs[0][e]));
  assert.equal(eventSum(events[2], edges.costs, ofC), 60 / 90);
});

test('the first rows have the same numbers as all rows', () => {
  const file = existing(join(FIXTURES, 'callgrind/default.callgrind.out'));
  const args = [file, '--print', 'routines', '--derive', 'Each=Ir/calls', '--event', 'Each', '--csv'];
  const all = runWarm(args).out.split('\n');
  const first = runWarm([...args, '--limit', '3']).out.split('\n');
  assert.deepEqual(first.slice(0, 4), all.slice(0, 4));
  assert.match(first[1], /,233059\.5714/);
});
