// Several runs as the base: which of them stands for all, how far they differ, and what is said of it.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import test from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { analyse } from '../../../src/analysis/answers/analyse.ts';
import { inexactReason, loadBase, spreadNotes } from '../../../src/analysis/answers/compared/runs.ts';
import { resolveRuns } from '../../../src/io/base.ts';
import { loadProfile } from '../../../src/io/load.ts';
import { type Event, eventValue } from '../../../src/model/head.ts';
import type { BaseRuns, Profile } from '../../../src/model/profile.ts';
import { FIXTURES } from '../../support/fixtures.ts';

interface Dump {
  readonly pid?: number;
  readonly part?: number;
  readonly thread?: number;
  readonly events?: string;
  /** Of each event. */
  readonly costs: string;
}

const callgrind = ({ pid, part, thread, events = 'Ir', costs }: Dump) =>
  `# callgrind format\nversion: 1\n${pid === undefined ? '' : `pid: ${pid}\n`}cmd: ./shop\n${part === undefined ? '' : `part: ${part}\n`}${
    thread === undefined ? '' : `thread: ${thread}\n`
  }events: ${events}\nfl=a.c\nfn=main\n1 ${costs}\n`;

const cachegrind = (costs: string) =>
  `desc: I1 cache: 32768 B\ncmd: ./shop\nevents: Ir\nfl=a.c\nfn=main\n1 ${costs}\nsummary: ${costs}\n`;

function folder(files: Record<string, Dump | string>): string {
  const at = mkdtempSync(join(tmpdir(), 'proftui-runs-'));
  for (const [name, dump] of Object.entries(files))
    writeFileSync(join(at, name), typeof dump === 'string' ? dump : callgrind(dump));
  return at;
}

/** What stands for the files that a pattern matches; `loads`: what was read, in order. */
async function base(at: string, pattern: string, how: BaseRuns['how'] = 'median') {
  const loads: string[] = [];
  const load = (paths: readonly string[]) => {
    loads.push(paths.map((p) => basename(p)).join(' '));
    return loadProfile(paths);
  };
  const found = await loadBase(resolveRuns([join(at, pattern)], []), how, load);
  return { ...found, loads, names: found.profile.paths.map((p) => basename(p)) };
}

const total = (profile: Profile) => eventValue(profile.events[0], analyse(profile, profile.events).totals.total, 0);
const spreadIn = (runs: BaseRuns | undefined) => [...(runs?.spread ?? [])];

const FIVE = { 'r.1': 30, 'r.2': 10, 'r.3': 50, 'r.4': 20, 'r.5': 40 };
const five = () => folder(Object.fromEntries(Object.entries(FIVE).map(([name, n]) => [name, { costs: `${n}` }])));

test('one run is loaded once and is all there is to say, of one file or several', async () => {
  const at = folder({
    old: { costs: '7' },
    'callgrind.out.3.1': { costs: '4', pid: 3, part: 1 },
    'callgrind.out.3': { costs: '5', pid: 3, part: 2 },
  });
  const one = await base(at, 'old');
  assert.deepEqual([one.runs, one.loads, total(one.profile)], [undefined, ['old'], 7]);
  const summed = await base(at, 'callgrind.out.3*');
  assert.deepEqual([summed.runs, summed.loads, total(summed.profile)], [undefined, ['callgrind.out.3.1 callgrind.out.3'], 9]);
});

test('the run with the median total stands for all, the lower one of two in the middle', async () => {
  const at = five();
  const odd = await base(at, 'r.*');
  assert.deepEqual(odd.names, ['r.1']);
  assert.deepEqual(odd.loads, ['r.1', 'r.2', 'r.3', 'r.4', 'r.5', 'r.1']);
  assert.deepEqual([odd.runs?.count, odd.runs?.how, odd.runs?.scale, spreadIn(odd.runs)], [5, 'median', 1, [['Ir', [10, 50]]]]);
  // The totals are 10, 20, 30, 40 and 50.
  assert.deepEqual([odd.runs?.variation?.get('Ir')?.mean, odd.runs?.variation?.get('Ir')?.variance], [30, 250]);
  assert.deepEqual((await base(at, 'r.[1-4]')).names, ['r.4']);
});

test('or the one with the smallest total', async () => {
  const { names, runs } = await base(five(), 'r.*', 'min');
  assert.deepEqual([names, runs?.how, runs?.scale], [['r.2'], 'min', 1]);
});

test('the mean is the sum of all runs, to be scaled', async () => {
  const { profile, names, runs } = await base(five(), 'r.*', 'mean');
  assert.deepEqual(names, Object.keys(FIVE));
  assert.equal(total(profile) * (runs?.scale ?? 0), 30);
  assert.deepEqual(spreadIn(runs), [['Ir', [10, 50]]]);
});

test('only one of several runs is in memory at a time', async () => {
  setFlagsFromString('--expose-gc');
  const gc: () => void = runInNewContext('gc');
  const seen: WeakRef<Profile>[] = [];
  const at = five();
  await loadBase(resolveRuns([join(at, 'r.*')], []), 'median', async (paths) => {
    // A reference that is looked at keeps its target until the current job ends.
    await new Promise((resolve) => setImmediate(resolve));
    gc();
    assert.equal(seen.filter((ref) => ref.deref()).length, 0);
    const profile = await loadProfile(paths);
    seen.push(new WeakRef(profile));
    return profile;
  });
});

test('files that are named like parts of one run are several runs if each says it is the same part', async () => {
  const at = folder({
    'old.callgrind.out.1': { costs: '10', pid: 900, part: 1 },
    'old.callgrind.out.2': { costs: '30', pid: 901, part: 1 },
    'old.callgrind.out.3': { costs: '20', pid: 900, part: 1 },
    'x.cachegrind.out.1': cachegrind('3'),
    'x.cachegrind.out.2': cachegrind('1'),
    'x.cachegrind.out.3': cachegrind('2'),
    't.out.1-01': { costs: '1', pid: 5, part: 1, thread: 1 },
    't.out.1-02': { costs: '2', pid: 5, part: 1, thread: 2 },
    't.out.2-01': { costs: '3', pid: 5, part: 1, thread: 1 },
    't.out.2-02': { costs: '4', pid: 5, part: 1, thread: 2 },
    'plain.out.1': { costs: '5' },
    'plain.out.2': { costs: '6' },
  });
  const old = await base(at, 'old.callgrind.out.*');
  assert.deepEqual([old.names, old.runs?.count, spreadIn(old.runs)], [['old.callgrind.out.3'], 3, [['Ir', [10, 30]]]]);
  assert.deepEqual((await base(at, 'x.cachegrind.out.*')).names, ['x.cachegrind.out.3']);
  const threads = await base(at, 't.out.*');
  assert.deepEqual([threads.names, threads.runs?.count], [['t.out.1-01', 't.out.1-02'], 2]);
  assert.deepEqual(spreadIn(threads.runs), [['Ir', [3, 7]]]);
  assert.equal((await base(at, 'plain.out.*')).runs?.count, 2);
  const all = await base(at, '*.out.*');
  assert.equal(all.runs?.count, 3 + 3 + 2 + 2, 'beside other runs as well');
});

test('threads and parts that the tool wrote are one run', async () => {
  const files = { threads: ['-01', '-02', '-03'], parts: ['.1', ''] };
  for (const [name, ends] of Object.entries(files)) {
    const { runs, names } = await base(FIXTURES, `callgrind/${name}.callgrind.out*`);
    assert.deepEqual([runs, names], [undefined, ends.map((end) => `${name}.callgrind.out${end}`)]);
  }
});

test('an event that not all runs have is left out; the first that all have decides', async () => {
  const at = folder({
    'r.1': { events: 'Ge Ir D1mr I1mr D1mw', costs: '9 20 3 1 2' },
    'r.2': { events: 'Ir Ge', costs: '30 5' },
    'r.3': { events: 'Ir Ge', costs: '10 7' },
    's.1': { events: 'I1mr D1mr D1mw', costs: '1 2 3' },
    's.2': { events: 'I1mr D1mr D1mw', costs: '1 2 5' },
    'u.1': { events: 'Ir', costs: '1' },
    'u.2': { events: 'Dr', costs: '1' },
  });
  const { names, runs } = await base(at, 'r.*');
  assert.deepEqual(
    [names, spreadIn(runs)],
    [
      ['r.3'],
      [
        ['Ge', [5, 9]],
        ['Ir', [10, 30]],
      ],
    ],
  );
  assert.deepEqual(spreadIn((await base(at, 's.*')).runs).at(-1), ['L1m', [6, 8]], 'of standard events, too');
  await assert.rejects(base(at, 'u.*'), /u\.2: expected an event that all runs have, such as those of .*u\.1: Ir, found Dr/);
});

test('runs of different kinds, and a run that was cut off, are refused by name', async () => {
  const at = folder({ 'r.1': { costs: '10' }, 'r.2': { costs: '12' } });
  const other = join(FIXTURES, 'build-trace/harbor.trace.gz');
  const load = (paths: readonly string[]) => loadProfile(paths);
  await assert.rejects(
    loadBase([[join(at, 'r.1')], [other]], 'median', load),
    /harbor\.trace\.gz: expected a profile of callgraph like .*r\.1: one of several runs represents all, found one of processes/,
  );
  await assert.rejects(loadBase([[other], [other]], 'mean', load), /expected profiles whose costs add up/);
  assert.equal((await loadBase([[other], [other]], 'min', load)).runs?.count, 2);
  const cut = async (paths: readonly string[]): Promise<Profile> => {
    const profile = await loadProfile(paths);
    return paths[0].endsWith('r.2')
      ? { ...profile, cut: { path: paths[0], expected: 'a whole file', found: 'its end' } }
      : profile;
  };
  await assert.rejects(
    loadBase([[join(at, 'r.1')], [join(at, 'r.2')]], 'min', cut),
    /r\.2: expected a whole file, found its end/,
  );
});

test('parts that a later run has replaced do not count', async () => {
  const at = folder({ 'r.1': { costs: '10' }, 'r.2': { costs: '12' } });
  const load = async (paths: readonly string[]): Promise<Profile> => {
    const profile = await loadProfile([join(at, 'r.1'), ...paths]);
    return { ...profile, parts: profile.parts.map((part, p) => (p === 0 ? { ...part, older: true } : part)) };
  };
  const { runs } = await loadBase([[join(at, 'r.1')], [join(at, 'r.2')]], 'median', load);
  assert.deepEqual(spreadIn(runs), [['Ir', [10, 12]]]);
});

test('what is said of several runs', () => {
  const spread = new Map<string, readonly [number, number]>([
    ['Ir', [500, 500]],
    ['D1mr', [12345, 12567]],
    ['DLmr', [0, 3]],
    ['Bcm', [1_000_000, 1_000_001]],
    ['time', [2_000_000, 9_000_000]],
  ]);
  const names = ['Ir', 'D1mr', 'DLmr', 'Bcm', 'unmeasured'];
  const events = [
    ...names.map((name): Event => ({ name, unit: 'count', terms: [[1, 0]] })),
    { name: 'time', unit: 'us', terms: [[1, 0]] } as const,
  ];
  assert.deepEqual(spreadNotes({ count: 3, how: 'median', scale: 1, spread }, events), [
    '3 runs, represented by the one with the median total',
    'Ir: the same in all 3',
    'D1mr: 12,345 to 12,567 (1.8 %)',
    'DLmr: 0 to 3',
    'Bcm: 1,000,000 to 1,000,001 (less than 0.1 %)',
    'time: 2 s to 9 s (350 %)',
  ]);
  assert.match(
    spreadNotes({ count: 2, how: 'min', scale: 1, spread }, events)[0],
    /^2 runs, represented by the one with the smallest total/,
  );
  assert.match(spreadNotes({ count: 2, how: 'mean', scale: 0.5, spread }, events)[0], /^2 runs, represented by their mean$/);
  assert.equal(
    spreadNotes({ count: 3, how: 'median', scale: 1, spread }, events.slice(0, 1)).length,
    2,
    'of the events asked for',
  );
});

test('which events of Valgrind may differ between runs of one program, and why', () => {
  const why = (names: string) => new Set(names.split(' ').map((name) => inexactReason(name)));
  assert.deepEqual(why('Ir Dr Dw Bc Bi Ge sysCount samples allocs'), new Set([undefined]));
  const misses = 'I1mr D1mr D1mw ILmr DLmr DLmw I2mr D2mr D2mw L1m L2m LLm ILdmr DLdmr DLdmw AcCost1 AcCost2 SpLoss1 SpLoss2';
  assert.deepEqual(why(misses), new Set(['misses depend on addresses, which may differ from run to run']));
  assert.match([...why('Bcm Bim Bm')].join(), /^mispredictions [^,]*, [^,]*$/);
  assert.match([...why('sysTime sysCpuTime')].join(), /^a clock/);
  assert.match([...why('CEst')].join(), /misses and mispredictions/);
});
