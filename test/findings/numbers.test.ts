// The numbers of sentences are those of the views: every figure stands in a report of the same profile, or follows from figures and
// numbers of reports by a formula that is written here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import { callsBefore } from '../../src/analysis/answers/compared/measure.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { plainName } from '../../src/analysis/names/origin.ts';
import { hasPurpose, isLibrary, isNameless, PURPOSE_IDS } from '../../src/findings/cost/code-names.ts';
import { rules } from '../../src/findings/index.ts';
import type { Evidence, RuleResult } from '../../src/findings/rule.ts';
import { phraseText } from '../../src/findings/say.ts';
import { eventValue } from '../../src/model/head.ts';
import { reports } from '../../src/reports/index.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { contextOf } from '../support/reports.ts';
import { caseOf, evidence, saidBy } from './cases.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Row = { readonly [key: string]: Json };

/** All numbers in JSON. */
function* leaves(json: Json): Generator<number> {
  if (typeof json === 'number') yield json;
  else if (Array.isArray(json)) for (const item of json) yield* leaves(item);
  else if (json !== null && typeof json === 'object') for (const item of Object.values(json)) yield* leaves(item);
}

/** A report as an object, for the routine and event of the remark. */
async function reported(name: string, e: Evidence, remark: RuleResult): Promise<{ readonly [key: string]: Json }> {
  const report = reports.find((r) => r.name === name);
  assert.ok(report, name);
  const { analysis } = e;
  const event = analysis.events.find((x) => x.name === remark.target.event) ?? e.event;
  let text = '';
  await report.write(
    'json',
    {
      ...contextOf(analysis.profile),
      analysis,
      event,
      base: analysis.before,
      limit: Number.POSITIVE_INFINITY,
      routine: name === 'routines' ? undefined : remark.target.routine,
    },
    '0',
    async (piece) => {
      text += piece;
    },
  );
  return JSON.parse(text);
}

const near = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

/** Microseconds stand in reports as milliseconds. */
const stands = (value: number, among: readonly number[]) =>
  among.some((x) => near(x, value) || near(x * 1000, value) || near(-x, value) || near(-x * 1000, value));

interface Known {
  readonly f: (name: string) => number;
  readonly rows: (report: string) => readonly Row[];
  readonly head: (report: string) => Row;
  readonly e: Evidence;
  readonly remark: RuleResult;
}

const of = (row: Row | undefined, ...keys: readonly string[]): number => {
  let at: Json = row ?? null;
  for (const key of keys) at = at !== null && typeof at === 'object' && !Array.isArray(at) ? ((at as Row)[key] ?? null) : null;
  return typeof at === 'number' ? at : Number.NaN;
};
const startOf = (row: Row) => of(row, 'startMs');
const endOf = (row: Row) => startOf(row) + of(row, 'durationMs');
const ran = ({ rows }: Known) => rows('steps').filter((row) => Number.isFinite(startOf(row)));
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
/** The self cost of the routine rows that a test takes. */
const selfOf = ({ rows, e }: Known, takes: (row: Row) => boolean) =>
  sum(
    rows('routines')
      .filter(takes)
      .map((row) => of(row, 'self', e.event.name)),
  );
/** Configure, build, tests and install of one record, each from its first start to its last end. */
const stagesUs = (k: Known) =>
  sum(
    [['configure', 'generate'], ['cmakeBuild'], ['ctest'], ['cmakeInstall']].map((roles) => {
      const own = ran(k).filter((row) => roles.includes(String(row['role'])));
      return own.length === 0 ? 0 : 1000 * (Math.max(...own.map(endOf)) - Math.min(...own.map(startOf)));
    }),
  );
const failedRows = ({ rows }: Known) =>
  rows('steps').filter((row) => of(row, 'result') !== 0 && ['compile', 'link', 'custom'].includes(String(row['role'])));
const testRows = (k: Known) => ran(k).filter((row) => row['role'] === 'test');
/** The tests that ended so, and so before if that is given. */
const fates = (rows: readonly Row[], now: string, before?: string) =>
  rows.filter((row) => {
    const then = row['base'];
    const was = then !== null && typeof then === 'object' && !Array.isArray(then) ? (then as Row)['status'] : undefined;
    return row['status'] === now && (before === undefined || was === before);
  }).length;
/** The sources that processes compile. */
const compilesIn = ({ rows }: Known) =>
  rows('processes').flatMap((row) =>
    ((row['compiles'] ?? []) as readonly Row[]).map((c) => ({
      file: String(c['file']),
      args: (row['args'] as readonly string[]).join(' '),
    })),
  );
const wholeOf = ({ head, e }: Known, report = 'routines') => of(head(report), 'percentagesOf', e.event.name);

/** When so many steps of 100, 110, 120 … ms end on so many lanes, each taken by the one that is free first. */
function lastEndOf(lanes: number, steps: number): number {
  const ends = Array.from({ length: lanes }, () => 0);
  for (let k = 0; k < steps; k++) ends[ends.indexOf(Math.min(...ends))] += 100 + 10 * k;
  return Math.max(...ends);
}

/** What follows from other numbers, by rule and figure. */
const DERIVED: Readonly<Record<string, Readonly<Record<string, (k: Known) => number>>>> = {
  'total-summary': {
    summary: (k) => wholeOf(k),
    sum: (k) => of(k.head('routines'), 'totals', k.e.event.name),
    missing: ({ f }) => f('summary') - f('sum'),
  },
  'tests-changed': {
    broke: ({ rows }) => fates(rows('tests'), 'failed', 'passed'),
    fixed: ({ rows }) => fates(rows('tests'), 'passed', 'failed'),
    others: ({ rows }) => fates(rows('tests'), 'failed') - fates(rows('tests'), 'failed', 'passed'),
    failed: ({ rows }) => fates(rows('tests'), 'failed'),
  },
  'slower-host': {
    factor: ({ rows }) => {
      const ratios = rows('changes')
        .map((row) => of(row, 'durationMs') / of(row, 'beforeMs'))
        .filter(Number.isFinite)
        .sort((a, b) => a - b);
      return (ratios[(ratios.length - 1) >> 1] + ratios[ratios.length >> 1]) / 2;
    },
  },
  // Each of the dozen costs 1.3 times as much: test/findings/cases.ts.
  'all-alike': { factor: () => 1.3, routines: () => 12, share: () => 1 },
  // 7,000 of 21,000 went from one of the dozen to another: test/findings/cases.ts.
  'unknown-compilers': { runs1: (k) => k.rows('processes').filter((row) => /mycc/.test(String(row['executable']))).length },
  'not-optimized': { compiles: (k) => compilesIn(k).filter((c) => !c.file.endsWith('.S')).length, without: () => 1 },
  'repeated-compiles': {
    compiles: (k) => compilesIn(k).length,
    again: (k) => compilesIn(k).length - new Set(compilesIn(k).map((c) => c.file)).size,
    alike: (k) => compilesIn(k).length - new Set(compilesIn(k).map((c) => c.args.replace(/-o \S+/, ''))).size,
    times1: (k) => compilesIn(k).filter((c) => c.file === '/src/f0.c').length,
    times2: (k) => compilesIn(k).filter((c) => c.file === '/src/f1.c').length,
  },
  'compiler-checks': {
    compiles: (k) => compilesIn(k).length,
    checks: (k) => compilesIn(k).filter((c) => c.file.endsWith('conftest.c')).length,
  },
  // Nine of the dozen sources are left, all with -O0 for -O2, and one is new: test/findings/cases.ts.
  'compiles-differ': {
    compiles: ({ remark }) => (remark.subject === 'new compiles' ? 1 : 3),
    known: () => 9,
    differ: () => 9,
  },
  exchanged: { fell: () => 7000, rose: () => 7000, share: () => 7000 },
  'test-time': {
    tests: (k) => testRows(k).length,
    took: (k) => 1000 * sum(testRows(k).map((row) => of(row, 'durationMs'))),
    share: ({ f }) => f('took'),
  },
  'build-change': {
    now: (k) => 1000 * (Math.max(...ran(k).map(endOf)) - Math.min(...ran(k).map(startOf))),
    before: () => 1000 * lastEndOf(4, 24),
    wall: ({ f }) => f('now') - f('before'),
    // Every step takes a fifth longer.
    work: ({ rows }) => 1000 * sum(rows('changes').map((row) => of(row, 'durationMs') / 6)),
  },
  // The records of the caches are known: test/findings/cases.ts.
  'cache-hits': { hits: () => 0, compiles: () => 39, hitsBefore: () => 39, compilesBefore: () => 39 },
  uncached: { uncached: () => 39, compiles: () => 40 },
  'jobs-differ': {
    now: (k) => 1000 * (Math.max(...ran(k).map(endOf)) - Math.min(...ran(k).map(startOf))),
    // The base is another profile, whose steps are known: test/findings/cases.ts.
    before: () => 1000 * lastEndOf(4, 24),
  },
  // Known: test/findings/cases.ts.
  'chain-grew': { now: () => 8_500_000, before: () => 6_000_000, most: () => 4_500_000, others: () => 1, moved: () => 7_500_000 },
  'steps-added': {
    work: ({ rows }) =>
      1000 *
      sum(
        rows('changes')
          .filter((row) => row['kind'] === 'new')
          .map((row) => of(row, 'durationMs')),
      ),
    share: ({ f }) => f('work'),
  },
  differences: {
    total: (k) => Math.abs(selfOf(k, () => true)),
    self: (k) => Math.abs(selfOf(k, (row) => row['routine'] === named(k))),
  },
  'few-lines': {
    few: ({ remark }) => remark.figures.filter((x) => /^line\d/.test(x.name)).length,
    self: ({ f, remark }) => sum(remark.figures.filter((x) => /^line\d/.test(x.name)).map((x) => f(x.name))),
  },
  'inlined-code': {
    // All but the costliest of the files with lines of the routine.
    inlined: (k) => {
      const files = new Map<unknown, number>();
      for (const row of k.rows('lines'))
        if (row['routine'] === named(k) && row['file'] !== null && of(row, 'line') > 0)
          files.set(row['file'], (files.get(row['file']) ?? 0) + of(row, 'self', k.e.event.name));
      return sum([...files.values()]) - Math.max(...files.values());
    },
  },
  'called-often': {
    selfPerCall: ({ f }) => f('self') / f('calls'),
    callsByCaller: (k) => {
      const [most] = callersOf(k);
      const caller = k.rows('routines').find((row) => row['routine'] === routineOf(most['caller']));
      return of(most, 'count') / of(caller, 'calls');
    },
    fromCaller: (k) => of(callersOf(k)[0], 'inclusive', k.e.event.name),
  },
  'one-edge': {
    callers: (k) => new Set(callersOf(k).map((row) => routineOf(row['caller']))).size,
  },
  'start-up': {
    // The demo has threads, whose work is not main's.
    outside: (k) =>
      wholeOf(k) -
      k.f('main') -
      of(
        k.rows('routines').find((row) => /^clone/.test(String(row['routine']))),
        'inclusive',
        k.e.event.name,
      ),
    // All code of the object, as callgrind_annotate --show=Ir sums it up by object.
    linker: (k) => selfOf(k, (row) => /\/ld-linux[^/]*$/.test(String(row['object']))),
  },
  recursion: {
    ownCalls: (k) => {
      const own = k.rows('calls').filter((row) => [row['caller'], row['callee']].every((end) => routineOf(end) === named(k)));
      return sum(own.map((row) => of(row, 'count')));
    },
    depth: deepestContext,
  },
  'recursion-depth': { depth: deepest },
  cycles: { members: (k) => membersOf(k).size, cycleInclusive: cycleCost },
  'names-missing': {
    self: (k) => selfOf(k, (row) => /^(0x|\?\?\?)/.test(String(row['routine']))),
    inObject: (k) => selfOf(k, (row) => /^(0x|\?\?\?)/.test(String(row['routine'])) && /spin/.test(String(row['object']))),
  },
  ...Object.fromEntries(
    PURPOSE_IDS.map((id) => [id, { self: (k: Known) => selfOf(k, (row) => hasPurpose(id, plainName(String(row['routine'])))) }]),
  ),
  linking: { self: (k) => selfOf(k, (row) => row['code'] === 'loader') },
  'few-samples': {
    samples: () =>
      gunzipSync(readFileSync(join(FIXTURES, 'perf-script/header.perf.gz')))
        .toString()
        .match(/ cpu-clock:/g)?.length ?? 0,
    low: (k) => binomial(k, 0),
    high: (k) => binomial(k, 1),
  },
  'lines-unknown': { self: unknownLines },
  'lines-unknown-counted': { self: unknownLines },
  'one-thread': { others: (k) => new Set(k.e.analysis.profile.parts.map((p) => p.thread)).size - 1 },
  'waited-for': {
    gain: ({ f }) => f('removed'),
    wall: stagesUs,
  },
  'failed-steps': {
    failed: (k) => failedRows(k).length,
    // The link of sort alone needs sort.cpp.o, by build.ninja of the fixture.
    stopped: () => 1,
    ...Object.fromEntries([0, 1, 2].map((at) => [`code${at + 1}`, (k: Known) => Number(failedRows(k)[at]?.['result'])])),
  },
  'idle-between': {
    whole: stagesUs,
    idle1: (k) => 1000 * (Math.max(...ran(k).map(endOf)) - Math.min(...ran(k).map(startOf))) - stagesUs(k),
  },
  'few-jobs': {
    places: () => 2,
    jobs: () => 4,
    // Rows of measured times have no simulated ones.
    full: ({ rows }) =>
      1000 *
      sum(
        rows('load')
          .filter((r) => Number(r['jobs']) >= 2 && !r['simulated'])
          .map((r) => of(r, 'durationMs')),
      ),
  },
  'long-phase': {
    share: ({ f }) => f('took'),
    // The hand-written profile fetches one.
    fetched: () => 1,
  },
  'narrow-end': {
    share: ({ f }) => f('narrow'),
    inside: ({ rows, f, remark }) => {
      const window = rows('narrow').find((row) => 1000 * of(row, 'durationMs') === f('narrow'));
      const step = rows('steps').find((row) => row['id'] === remark.target.step);
      const origin = Math.min(...rows('steps').map(startOf).filter(Number.isFinite));
      const from = of(window, 'fromMs') + origin;
      return 1000 * (Math.min(from + of(window, 'durationMs'), endOf(step ?? {})) - Math.max(from, startOf(step ?? {})));
    },
  },
  overloaded: {
    places: () => 16,
    cores: () => 2,
    over: ({ rows }) =>
      1000 *
      sum(
        rows('load')
          .filter((r) => !r['simulated'] && Number(r['jobs']) > 2)
          .map((r) => of(r, 'durationMs')),
      ),
  },
  'every-build': {
    always: () => 1,
    builds: () => 6,
    steps: (k) => k.rows('courses').length,
    taken: () => 6 * 900_000,
  },
  // By the numbers that the builds were made of (cases.ts).
  'slower-since': { after: () => 1_008_500, before: () => 502_500, more: () => 506 },
  'against-last': {
    both: () => 3,
    now: () => 1_810_000,
    before: () => 1_400_000,
    more: () => 410,
    more1: () => 400_000,
    more2: () => 10_000,
  },
  'slow-steps': {
    alike: () => 10,
    median: (k) => {
      const took = k
        .rows('steps')
        .filter((row) => row['role'] === 'compile' && row['target'] === 'core')
        .map((row) => of(row, 'durationMs'));
      const sorted = took.sort((a, b) => a - b);
      return 500 * (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]);
    },
    times: ({ f }) => f('took') / f('median'),
    work: ({ f }) => f('took'),
  },
  'compile-phase': { share: ({ f }) => f('us'), compilers: ({ rows }) => rows('steps').length },
  header: { share: ({ f }) => f('us') },
  template: { share: ({ f }) => f('us') },
  'link-steps': {
    links: (k) => k.rows('steps').filter((row) => row['role'] === 'link').length,
    us: (k) =>
      1000 *
      sum(
        k
          .rows('steps')
          .filter((row) => row['role'] === 'link')
          .map((row) => of(row, 'durationMs')),
      ),
    share: ({ f }) => f('us'),
  },
  'failed-tests': {
    failed: (k) => k.rows('tests').filter((row) => row['status'] === 'failed').length,
    tests: (k) => k.rows('tests').length,
  },
  'flaky-tests': { flaky: (k) => new Set(k.rows('tests').map((row) => row['test'])).size },
  'more-calls': { calls: (k) => of(changeOf(k), 'now', 'calls'), callsBefore: (k) => of(changeOf(k), 'before', 'calls') },
  'costlier-calls': {
    delta: (k) => Math.abs(of(changeOf(k), 'delta', 'self', k.e.event.name)),
    calls: (k) => of(changeOf(k), 'now', 'calls'),
    perCall: ({ f }) => f('now') / f('calls'),
    perCallBefore: ({ f, remark }) =>
      f('before') / (remark.figures.some((x) => x.name === 'callsBefore') ? f('callsBefore') : f('calls')),
  },
};

const named = ({ remark, e }: Known): Json => {
  const { routine } = remark.target;
  assert.ok(routine !== undefined);
  const { strings, routines } = e.analysis.profile;
  return new TextDecoder().decode(
    strings.bytes.subarray(strings.start[routines.name[routine]], strings.start[routines.name[routine] + 1]),
  );
};
const routineOf = (end: Json): Json =>
  end !== null && typeof end === 'object' && !Array.isArray(end) ? (end as Row)['routine'] : end;
/** The calls of the routine by others, the dearest first. */
const callersOf = (k: Known) =>
  k
    .rows('calls')
    .filter((row) => routineOf(row['callee']) === named(k) && routineOf(row['caller']) !== named(k))
    .sort((a, b) => of(b, 'inclusive', k.e.event.name) - of(a, 'inclusive', k.e.event.name));
const changeOf = (k: Known) => k.rows('changes').find((row) => row['routine'] === named(k));

/** The most frames of the routine in one stack, counted one by one. */
function deepest({ e, remark }: Known): number {
  const { profile } = e.analysis;
  assert.ok(profile.kind === 'stacks');
  const { start, frame, part } = profile.stacks;
  const depths = Array.from(
    part,
    (_, s) =>
      Array.from(frame.subarray(start[s], start[s + 1])).filter((f) => profile.frames.routine[f] === remark.target.routine)
        .length,
  );
  return Math.max(...depths);
}

/** How often the routine stands on one path of calling contexts at most, each path walked by itself. */
function deepestContext({ e, remark }: Known): number {
  const { profile } = e.analysis;
  assert.ok(profile.kind === 'inputs' && profile.contexts);
  const { parent, routine } = profile.contexts;
  const depthOf = (context: number): number => {
    let deep = 0;
    for (let at = context; at >= 0; at = parent[at]) if (routine[at] === remark.target.routine) deep++;
    return deep;
  };
  return Math.max(...Array.from(parent.keys(), depthOf));
}

/** The routines that the remark's one can reach, and that can reach it. */
function membersOf({ e, remark }: Known): ReadonlySet<number> {
  const { caller, callee } = e.analysis.edges;
  const reached = (from: Uint32Array, to: Uint32Array) => {
    const seen = new Set([remark.target.routine ?? -1]);
    for (let before = 0; before < seen.size; ) {
      before = seen.size;
      from.forEach((r, k) => {
        if (seen.has(r)) seen.add(to[k]);
      });
    }
    return seen;
  };
  const up = reached(callee, caller);
  return new Set([...reached(caller, callee)].filter((r) => up.has(r)));
}

/** What its members cost by themselves, and the calls that leave it. */
function cycleCost(k: Known): number {
  const { edges, totals } = k.e.analysis;
  const members = membersOf(k);
  const self = sum([...members].map((r) => eventValue(k.e.event, totals.self, r)));
  const leaving = Array.from(edges.caller.keys()).filter((i) => members.has(edges.caller[i]) && !members.has(edges.callee[i]));
  return self + sum(leaving.map((i) => eventValue(k.e.event, edges.costs, i)));
}

/** Cost of rows without a line, in routines that have a name. */
function unknownLines(k: Known): number {
  const nameless = (row: Row) => isNameless(String(row['routine']));
  return sum(k.rows('lines').flatMap((row) => (of(row, 'line') > 0 || nameless(row) ? [] : [of(row, 'self', k.e.event.name)])));
}

/** The end of Wilson's interval, found by halving: the share whose own deviation is 1.96 from what was seen. */
function binomial(k: Known, side: 0 | 1): number {
  const n = k.f('samples');
  const p = k.f('self') / wholeOf(k);
  const off = (q: number) => Math.abs(p - q) - 1.96 * Math.sqrt((q * (1 - q)) / n);
  let [inner, outer]: [number, number] = [p, side];
  for (let i = 0; i < 100; i++) {
    const middle = (inner + outer) / 2;
    if (off(middle) < 0) inner = middle;
    else outer = middle;
  }
  return inner;
}

/** Further reports that a rule's numbers stand in. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  'narrow-end': ['narrow'],
  'waited-for': ['whatif', 'criticalpath', 'steps'],
  'late-start': ['whatif', 'steps'],
  'few-lines': ['lines'],
  'cache-misses': ['lines'],
  mispredictions: ['lines'],
};

/** What reports do not say: simulated, predicted or measured elsewhere, and tested there. */
const ELSEWHERE: Readonly<Record<string, RegExp>> = {
  // test/analysis/fit.test.ts: predictions against curves that go on.
  grows: /^(at|size)10+$/,
  // Tested below.
  ...Object.fromEntries(PURPOSE_IDS.map((id) => [id, /^(?:causedBy|inclusive|callback)$/])),
  // test/analysis/whole-build.test.ts
  header: /^(least|most)$/,
  noise: /^noise$/,
  'hot-instruction': /^ofRoutine$/,
  memory: /^used$/,
  'cache-misses': /^(cycles|instructions)$/,
  mispredictions: /^(cycles|instructions)$/,
};

async function unexplained(rule: string, remark: RuleResult, e: Evidence): Promise<string[]> {
  const can = e.analysis.costing.can;
  const names = [
    remark.target.report,
    'summary',
    'routines',
    'calls',
    ...(ALSO[rule] ?? []),
    'lines',
    'changes',
    'steps',
    'tests',
    'processes',
  ];
  const usable = [...new Set(names)].filter((name) => {
    const report = reports.find((r) => r.name === name);
    return report?.requires.every((q) => can.has(q)) && (name !== 'changes' || e.analysis.before);
  });
  const all = new Map<string, { readonly [key: string]: Json }>();
  for (const name of usable) all.set(name, await reported(name, e, remark).catch(() => ({ rows: [] })));
  const numbers = usable.map((name) => [...leaves(all.get(name) ?? null)]);
  const f = (name: string) => remark.figures.find((x) => x.name === name)?.value ?? Number.NaN;
  const head = (name: string) => all.get(name) ?? {};
  const rows = (name: string) => (head(name)['rows'] ?? []) as readonly Row[];
  return remark.figures.flatMap(({ name, value }) => {
    const derived = DERIVED[rule]?.[name];
    if (derived) {
      const expected = derived({ f, rows, head, e, remark });
      return near(expected, value) || Math.abs(expected - value) < 1e-6 * Math.abs(value)
        ? []
        : [`${name} is ${value}, not ${expected}`];
    }
    if (ELSEWHERE[rule]?.test(name) || numbers.some((among) => stands(value, among))) return [];
    return [`${name} ${value} stands in none of ${usable.join(', ')}`];
  });
}

for (const rule of rules)
  test(`${rule.id}: its numbers are those of the reports`, async () => {
    const e = evidence(await caseOf(rule).speaks());
    const wrong: string[] = [];
    for (const remark of saidBy(rule, e))
      wrong.push(...(await unexplained(rule.id, remark, e)).map((fault) => `${phraseText(remark)}: ${fault}`));
    assert.deepEqual(wrong, []);
  });

test('what one’s own code causes by sampled stacks, counted one by one, is near what the edges say', async () => {
  let looked = 0;
  for (const id of ['allocation', 'copying', 'hashing'] as const) {
    const rule = rules.find((r) => r.id === id);
    assert.ok(rule);
    const e = evidence(await caseOf({ id }).speaks());
    const { profile } = e.analysis;
    assert.ok(profile.kind === 'stacks');
    const { start, frame, part, costs } = profile.stacks;
    const { routine } = profile.frames;
    const isMember = (r: number) => hasPurpose(id, plainName(routineName(profile, r)));
    const caused = new Map<number, number>();
    let inclusive = 0;
    for (let s = 0; s < part.length; s++) {
      const frames = Array.from(frame.subarray(start[s], start[s + 1]), (f) => routine[f]);
      const at = id === 'hashing' ? (isMember(frames[0]) ? 0 : -1) : frames.findLastIndex(isMember);
      if (at < 0) continue;
      const by = frames.slice(at + 1).find((r) => !isMember(r) && !isLibrary(profile, r));
      const value = eventValue(e.event, costs, s);
      inclusive += value;
      if (by !== undefined) caused.set(by, (caused.get(by) ?? 0) + value);
    }
    const most = Math.max(...caused.values());
    for (const remark of saidBy(rule, e)) {
      const said = remark.figures.find((f) => f.name === 'causedBy');
      // A cause of less than a quarter is not named.
      if (most >= 0.3 * inclusive || said)
        assert.ok(said && Math.abs(said.value - most) <= 0.1 * most, `${phraseText(remark)}: ${most} by stacks`);
      const share = remark.figures.find((f) => f.name === 'inclusive');
      if (share) assert.equal(share.value, inclusive, phraseText(remark));
      looked++;
    }
  }
  assert.equal(looked, 3);
});

test('a column with calls of the base is there to compare with', async () => {
  const e = evidence(await caseOf({ id: 'more-calls' }).speaks());
  assert.equal(callsBefore(e.analysis), e.analysis.profile.columns - 1);
});
