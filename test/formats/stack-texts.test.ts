// Stacks that other tools write as text or JSON: each against a tally made here, or against what the tool itself says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { routineName, routineObject } from '../../src/analysis/names/names.ts';
import { FormatError } from '../../src/base/problem.ts';
import { cpuprofile } from '../../src/formats/cpuprofile.ts';
import { folded } from '../../src/formats/folded.ts';
import type { Loader } from '../../src/formats/loader.ts';
import { ScriptFrames } from '../../src/formats/perf-script/frames.ts';
import { perfScript } from '../../src/formats/perf-script/index.ts';
import { parseFrameLine, parseSampleLine } from '../../src/formats/perf-script/lines.ts';
import { speedscope } from '../../src/formats/speedscope.ts';
import { checkProfile } from '../../src/model/check.ts';
import { eventValue } from '../../src/model/head.ts';
import type { ProfileOf } from '../../src/model/profile.ts';
import { stringAt } from '../../src/model/strings.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { loadBytes } from '../support/load.ts';

const read = (name: string) => readMaybeGz(join(FIXTURES, name));
async function load(loader: Loader, bytes: Uint8Array | string): Promise<ProfileOf<'stacks'>> {
  const profile = await loadBytes(loader, typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes);
  assert.deepEqual(checkProfile(profile), []);
  return profileOf(profile, 'stacks');
}

/** Self and inclusive cost of each routine, by its name and what `also` says of it. */
function costs(profile: ProfileOf<'stacks'>, event: string, also = (_: number) => ''): Map<string, readonly [number, number]> {
  const wanted = profile.events.find((e) => e.name === event);
  assert.ok(wanted, event);
  const { totals } = analysisOf(profile, 'stacks');
  return new Map(
    Array.from(profile.routines.name, (_, r) => [
      routineName(profile, r) + also(r),
      [eventValue(wanted, totals.self, r), eventValue(wanted, totals.inclusive, r)],
    ]),
  );
}

const refused = (loader: Loader, text: string, found: RegExp) =>
  assert.rejects(load(loader, text), (e) => e instanceof FormatError && found.test(`${e.problem.expected}: ${e.problem.found}`));

// --- perf script

/** Periods and shares by object and symbol, of each event, from `perf report -F overhead_children,period,dso,sym`. */
function reported(text: string) {
  const out = new Map<string, { total: number; rows: { name: string; share: number; period: number }[] }>();
  let rows: { name: string; share: number; period: number }[] = [];
  let event = '';
  for (const line of text.split('\n')) {
    const head = /^# Samples: .* of event '(.*)'/.exec(line);
    if (head) event = head[1];
    const total = /^# Event count \(approx\.\): (\d+)/.exec(line);
    if (total) out.set(event, { total: Number(total[1]), rows: (rows = []) });
    const row = /^ *([\d.]+)% *\|\s*(\d+) *\|(.*?) *\|\[.\] (.*?) *$/.exec(line);
    if (row)
      rows.push({ name: `${row[4].replace(/^0x[0-9a-f]+$/, '0x...')} ${row[3]}`, share: Number(row[1]), period: Number(row[2]) });
  }
  return out;
}

for (const [file, report] of [
  ['two-events.perf.gz', 'two-events'],
  ['srcline.perf.gz', 'two-events'],
  ['header.perf.gz', 'two-events'],
])
  test(`${file}: periods and shares of every symbol are those of perf report`, async () => {
    const profile = await load(perfScript, read(`perf-script/${file}`));
    const truth = reported(readFileSync(join(FIXTURES, `perf-script/${report}.report.txt`), 'utf8'));
    assert.ok(truth.size > 0);
    for (const [event, { total, rows }] of truth) {
      const object = (r: number) => ` ${(routineObject(profile, r) ?? '[unknown]').split('/').at(-1)}`;
      const plain = (name: string, r: number) => name.replace(/^0x\.\.\. \[.*\]$/, '0x...') + object(r);
      const ours = new Map<string, [number, number]>();
      const byName = costs(profile, event, (r) => `\n${r}`);
      for (const [key, [self, all]] of byName) {
        const [name, r] = key.split('\n');
        ours.set(plain(name, Number(r)), [self, all]);
      }
      assert.equal(
        [...ours.values()].reduce((n, [self]) => n + self, 0),
        total,
      );
      // Nameless code of one object is one routine here, and a row for each address there.
      const named = rows.filter(({ name }) => !name.startsWith('0x...'));
      assert.ok(named.length > 20);
      for (const { name, share, period } of named) {
        const [self, all] = ours.get(name) ?? [Number.NaN, Number.NaN];
        assert.equal(self, period, `${event} ${name}`);
        assert.equal(((100 * all) / total).toFixed(2), share.toFixed(2), `${event} ${name}`);
      }
    }
  });

test('inlined functions are frames of their own, in the object of the function that holds them', async () => {
  const profile = await load(perfScript, read('perf-script/inlined.perf.gz'));
  const ours = costs(profile, 'cpu-clock', (r) => ` ${(routineObject(profile, r) ?? '').split('/').at(-1)}`);
  const truth = reported(readFileSync(join(FIXTURES, 'perf-script/inlined.report.txt'), 'utf8')).get('cpu-clock');
  const spin = truth?.rows.find(({ name }) => name === 'spin words');
  // perf report gives all of it to the symbol; here, what is inlined has its own cost.
  assert.equal((ours.get('mix words')?.[0] ?? 0) + (ours.get('spin words')?.[0] ?? 0) >= (spin?.period ?? Number.NaN), true);
  assert.equal(profile.frames.inlined?.includes(1), true);
});

test('perf script: every line that has a time is a sample, with or without a stack below it', async () => {
  for (const file of ['two-events.perf.gz', 'srcline.perf.gz', 'header.perf.gz', 'inlined.perf.gz', 'flat.perf', 'edge.perf']) {
    const bytes = read(`perf-script/${file}`);
    const profile = await load(perfScript, bytes);
    const samples = profile.events.find((e) => e.name === 'samples');
    assert.ok(samples, file);
    const timed = bytes.toString('latin1').match(/^[^#\n]* \d+\.\d{6}:.*$/gm) ?? [];
    assert.ok(timed.length > 3, file);
    assert.equal(eventValue(samples, analysisOf(profile, 'stacks').totals.total, 0), timed.length, file);
  }
});

test('lines of perf script', () => {
  const sample = (text: string) => {
    const s = parseSampleLine(text);
    return s && [s.command, s.pid, s.tid, s.period, s.event, s.frame?.name];
  };
  assert.deepEqual(sample('words 21244 68726.318178:    2004008  cpu-clock: '), [
    'words',
    undefined,
    21244,
    2004008,
    'cpu-clock',
    undefined,
  ]);
  assert.deepEqual(sample('pool 2 99/100 [000] d..1. 12.345800: cycles:u: '), [
    'pool 2',
    99,
    100,
    undefined,
    'cycles:u',
    undefined,
  ]);
  assert.deepEqual(sample('   swapper     0 [001] 12.3:  1 sched:sched_switch: prev_comm=x'), [
    'swapper',
    undefined,
    0,
    1,
    'sched:sched_switch',
    undefined,
  ]);
  assert.deepEqual(sample('java 1/2 4794564.1: cycles:  7f12 f+0x1 (/x)'), ['java', 1, 2, undefined, 'cycles', 'f']);
  assert.deepEqual(sample(':1 1 5.5: '), [':1', undefined, 1, undefined, '', undefined]);
  for (const none of ['', 'words', 'a b c', '\t7f12 main (/x)', '12 400', 'fn=(1) main', 'x 12 34 56'])
    assert.equal(sample(none), undefined, none);
  assert.deepEqual(parseFrameLine(' 7f12 operator()(int) const+0x14 (/usr/lib/x.so (deleted))'), {
    name: 'operator()(int) const',
    object: '/usr/lib/x.so (deleted)',
    inlined: false,
    address: 0x7f12n,
  });
  assert.deepEqual(parseFrameLine('\t1768 mix+0x18 (inlined)'), { name: 'mix', object: null, inlined: true, address: 0x1768n });
  // Code of JIT compilers has no name, and -F ip,dso prints none.
  const nameless = { name: '[unknown]', object: '/tmp/perf-1326.map', inlined: false, address: 0x7feeeba0e0cbn };
  assert.deepEqual(parseFrameLine('    7feeeba0e0cb  (/tmp/perf-1326.map)'), nameless);
  assert.deepEqual(parseFrameLine('    7feeeba0e0cb (/tmp/perf-1326.map)'), nameless);
  assert.deepEqual(parseFrameLine('    7feeeba0e0cb'), { ...nameless, object: null });
  assert.equal(parseFrameLine(' \t'), undefined);
  assert.deepEqual(parseFrameLine('\t1768 f(int)'), { name: 'f(int)', object: null, inlined: false, address: 0x1768n });
});

test('perf script: parts are threads; a sample without a stack keeps its cost', async () => {
  const profile = await load(perfScript, read('perf-script/edge.perf'));
  assert.deepEqual(
    profile.parts.map((p) => [p.command, p.pid, p.thread]),
    [
      ['swapper', null, 0],
      ['Web Content', 3127, 3131],
      ['pool 2', 99, 100],
    ],
  );
  assert.deepEqual(costs(profile, 'cpu-clock').get('(no stack)'), [7, 7]);
  assert.match(profile.warnings[0].found, /some words that are no sample/);
  assert.equal(profile.warnings[0].line, 16);
  await refused(perfScript, 'nothing of the kind\n', /the first line of a sample.*"nothing/);
  await refused(perfScript, '# a comment\n', /a sample: none/);
});

// --- folded stacks

for (const file of ['perf.folded', 'inlined.folded.gz', 'py-spy.folded', 'edge.folded'])
  test(`${file}: costs are those of a plain tally`, async () => {
    const profile = await load(folded, read(`folded/${file}`));
    const truth = new Map<string, [number, number]>();
    for (const line of read(`folded/${file}`).toString('utf8').split('\n')) {
      const m = /^(.*) ([\d.]+)$/.exec(line);
      if (!m || line.startsWith('#')) continue;
      const frames = m[1]
        .split(';')
        .filter((f) => f !== '')
        .map((f) => f.replace(/_\[[kijw]\]$/, '').replace(/ \([^()]*:\d+\)$/, ''));
      const stack = frames.length > 0 ? frames : ['(no stack)'];
      const rowOf = (name: string) => truth.get(name) ?? truth.set(name, [0, 0]).get(name) ?? [0, 0];
      rowOf(stack.at(-1) ?? '')[0] += Number(m[2]);
      for (const name of new Set(stack)) rowOf(name)[1] += Number(m[2]);
    }
    // Functions of one name in several files or objects are several routines.
    const wanted = profile.events[0];
    const { totals } = analysisOf(profile, 'stacks');
    const selves = new Map<string, number>();
    for (let r = 0; r < profile.routines.name.length; r++) {
      const name = routineName(profile, r);
      selves.set(name, (selves.get(name) ?? 0) + eventValue(wanted, totals.self, r));
    }
    assert.deepEqual(new Map([...selves].sort()), new Map([...truth].map(([name, [self]]) => [name, self] as const).sort()));
    for (const [name, [, all]] of costs(profile, 'samples'))
      if ([...profile.routines.name].filter((n) => stringAt(profile.strings, n) === name).length === 1)
        assert.equal(all, truth.get(name)?.[1], name);
  });

test('two counts are those of two runs', async () => {
  const profile = await load(folded, read('folded/two-runs.folded.gz'));
  const sums = [0, 0];
  for (const line of read('folded/two-runs.folded.gz').toString('utf8').trim().split('\n'))
    line
      .split(' ')
      .slice(-2)
      .forEach((n, i) => {
        sums[i] += Number(n);
      });
  const { totals } = analysisOf(profile, 'stacks');
  const value = (name: string) => eventValue(profile.events.find((e) => e.name === name) ?? profile.events[0], totals.total, 0);
  assert.deepEqual([value('before'), value('samples'), value('delta')], [sums[0], sums[1], sums[1] - sums[0]]);
  const uneven = await load(folded, `${'a;b 1 2\n'.repeat(60)}a;c 3\n`);
  assert.deepEqual(
    uneven.warnings.map((w) => `${w.line} ${w.expected}: ${w.found}`),
    ['61 frames with ; between them, and two counts as in the first line: "a;c 3"; left out'],
  );
  // A name may end in a number.
  assert.deepEqual(costs(await load(folded, 'main;level 5 3\nmain;other 4\n'), 'samples').get('level 5'), [3, 3]);
});

const frames = '\t    7f01 hot+0x1 (/opt/p)\n\t    7f02 main+0x2 (/opt/p)\n\n';

test('perf script: an indented line with a time begins a sample, whatever its command and the end of its line look like', async () => {
  for (const command of ['cp', 'dd', 'cafe', 'deadbeef', 'a b']) {
    const line = (i: number) => `   ${command}  1234 [001]   10.00000${i}: raw_syscalls:sys_enter: NR 1 (1, 7f12, 200)\n`;
    const profile = await load(perfScript, line(1) + line(2) + line(3));
    assert.deepEqual([...costs(profile, 'samples')], [['(no stack)', [3, 3]]], command);
    assert.equal(profile.parts[0].command, command);
    assert.deepEqual(profile.warnings, []);
  }
  const stacked = (name: string) => `   ${name} 10 [001] 1.1: 7 cycles:\n${frames}`;
  const profile = await load(perfScript, stacked('dd') + stacked('feed'));
  assert.deepEqual(costs(profile, 'cycles').get('hot'), [14, 14]);
});

test('perf script: fields between the event and the frame are no names, and tabs are blanks', async () => {
  const before = ['ffffb00000001000 40268100142 |OP LOAD|LVL L1 hit|BLK  N/A  5  33  0', '0 12345678', 'ffffffffff 1', ''];
  for (const fields of before) {
    const lines = [1, 2].map(
      (i) => `app 4711 100.0${i}: 1 mem-loads,ldlat=30/: ${fields} ffffffff8000${i}008 touch_page+0x1${i} ([k])\n`,
    );
    assert.deepEqual(costs(await load(perfScript, lines.join('')), 'samples').get('touch_page'), [2, 2], fields);
  }
  const address = await load(perfScript, `app 10 1.1: 250 cpu-clock:   7f88\n${frames}app 10 1.2: 250 cpu-clock:   0\n${frames}`);
  assert.deepEqual([...costs(address, 'samples')].sort(), [
    ['hot', [2, 2]],
    ['main', [0, 2]],
  ]);
  const tabs = `app\t10 [001] 1.1:\t\t10 cycles:u:\n${frames}`.replaceAll(/(7f0.) /g, '$1\t');
  assert.deepEqual([...costs(await load(perfScript, tabs), 'cycles:u')].sort(), [
    ['hot', [10, 10]],
    ['main', [0, 10]],
  ]);
});

test('functions that were inlined into code of Java are frames of their own; how code was compiled is no function', async () => {
  const object = '(/tmp/perf-9.map)';
  const text = [['A::run->B::put', 'Log::line->Log::emit->Log::out'], ['Log::line->Log::emit']].map(
    (names) => `java 9 [001] 1.1: 10 cycles:\n${names.map((name, i) => `\t  7f0${i} ${name}+0x1 ${object}\n`).join('')}\n`,
  );
  const found = costs(await load(perfScript, text.join('')), 'cycles');
  assert.deepEqual(Object.fromEntries(found), {
    ...{ 'A::run': [0, 10], 'B::put': [10, 10], 'Log::line': [0, 20], 'Log::emit': [10, 20], 'Log::out': [0, 10] },
  });
  const cpp = await load(perfScript, 'app 9 [001] 1.1: 10 cycles:\n\t 7f01 p<A>::operator->() const+0x1 (/opt/p)\n\n');
  assert.deepEqual([...costs(cpp, 'cycles').keys()], ['p<A>::operator->() const']);
  const compiled = await load(
    folded,
    'A.run_[0];B.work_[0] 10\nA.run_[1];B.work_[1] 20\nA.run_[j];B.work_[j] 30\nA.run_[j];B.work_[i] 5\n',
  );
  assert.deepEqual([...costs(compiled, 'samples')].sort(), [
    ['A.run', [0, 65]],
    ['B.work', [65, 65]],
  ]);
});

test('perf script: without commands, with lines of other programs first, with lost samples, off the processor', async () => {
  const lines = (ids: string) =>
    `${ids} [001] 1.1: 250000 offcpu-time:\n${frames}${ids} [001] 1.2: 250000 offcpu-time:\n${frames}`;
  for (const ids of ['10/11', '10', 'x 10', '7 10']) {
    const profile = await load(perfScript, lines(ids));
    assert.deepEqual(costs(profile, 'offcpu-time').get('hot'), [500_000, 500_000], ids);
    assert.equal(profile.events[0].unit, 'ns');
    assert.equal(profile.parts[0].thread, ids === '10/11' ? 11 : 10);
  }
  const noise = 'Warning:\nFailed to open /tmp/perf-1.map\n';
  assert.equal(perfScript.detect(Buffer.from(noise + lines('x 10')), 'x'), 'yes');
  const late = await load(perfScript, noise + lines('x 10'));
  assert.deepEqual(
    late.warnings.map((w) => `${w.line} ${w.found}`),
    ['1 "Warning:", and 1 more line like it; left out'],
  );
  const records = ['COMM: app:10/10', 'FORK(10:10):(9:9)', 'MMAP2 10/10: [0x7f(0x1) @ 0 08:01 1 1]: r-xp /opt/p'];
  const tasks = records.map((record) => `x 10 [000] 1.3: PERF_RECORD_${record}\n`).join('');
  const shown = await load(perfScript, tasks + lines('x 10') + tasks);
  assert.deepEqual(costs(shown, 'samples').get('hot'), [2, 2]);
  assert.equal(shown.events.length, 2);
  assert.deepEqual(shown.warnings, []);
  assert.deepEqual(
    (shown.notes ?? []).filter((note) => note.startsWith('mapped')),
    ['mapped: /opt/p at 0x7f, 0x1 bytes'],
  );
  const lost = `${lines('x 10')}x 10 [000] 1.3: PERF_RECORD_LOST_SAMPLES lost 5\nProcessed 2 events and LOST 1 events!\n`;
  assert.deepEqual(
    (await load(perfScript, lost)).warnings.map((w) => w.found),
    ['75.0% of the samples were lost (6)'],
  );
});

test('folded stacks: lines of other programs are left out and named by their number; a file of them is refused', async () => {
  const lines = Array.from({ length: 120 }, (_, i) => `a;f${i} 1`);
  for (const at of [0, 1, 49, 50, 77]) {
    const text = `${[...lines.slice(0, at), 'Attaching 2 probes...', ...lines.slice(at)].join('\n')}\n`;
    assert.equal(folded.detect(Buffer.from(text), 'x'), 'yes');
    const profile = await load(folded, text);
    assert.deepEqual(costs(profile, 'samples').get('a')?.[1], 120);
    assert.deepEqual(
      profile.warnings.map((w) => `${w.line} ${w.found}`),
      [`${at + 1} "Attaching 2 probes..."; left out`],
    );
  }
  const two = await load(folded, 'Lost 3 events\na;b 1 2\nLost 4 events\na;c 3 4\n');
  assert.deepEqual(costs(two, 'samples').get('a'), [0, 6]);
  assert.match(two.warnings[0].found, /^"Lost 3 events", and 1 more line like it; left out$/);
  await assert.rejects(load(folded, 'not;this\nnor;that\n'), (e) => e instanceof FormatError && e.problem.line === 1);
  assert.equal(folded.detect(Buffer.from('some text\nof 3\nand a;b 4\nmore words\n'), 'x'), 'no');
  assert.equal((await load(folded, 'a;b 1\na;c')).cut?.line, 2);
});

// --- V8

interface V8Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
    readonly hitCount: number;
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
  readonly startTime: number;
  readonly endTime: number;
}

for (const file of ['words', 'fib', 'sort'])
  test(`${file}.cpuprofile: samples and times are those of a walk from each sample to the root`, async () => {
    const bytes = read(`cpuprofile/${file}.cpuprofile.gz`);
    const v8: V8Profile = JSON.parse(bytes.toString('utf8'));
    const profile = await load(cpuprofile, bytes);
    const node = new Map(v8.nodes.map((n) => [n.id, n]));
    const parent = new Map(v8.nodes.flatMap((n) => (n.children ?? []).map((c) => [c, n.id] as const)));
    const nameOf = (id: number) => node.get(id)?.callFrame.functionName || '(anonymous)';
    const truth = new Map<string, number[]>();
    let now = v8.startTime;
    const at = v8.timeDeltas.map((delta) => (now += delta));
    assert.ok(
      at.every((t, i) => i === 0 || t >= at[i - 1]),
      'in order',
    );
    v8.samples.forEach((id, i) => {
      const time = (at[i + 1] ?? v8.endTime) - at[i];
      if (nameOf(id) === '(root)') return;
      const sums = truth.get(nameOf(id)) ?? [0, 0];
      truth.set(nameOf(id), [sums[0] + 1, sums[1] + time]);
      for (let up = parent.get(id); up !== undefined; up = parent.get(up))
        if (!truth.has(nameOf(up))) truth.set(nameOf(up), [0, 0]);
    });
    const { totals } = analysisOf(profile, 'stacks');
    const ours = new Map<string, number[]>();
    for (let r = 0; r < profile.routines.name.length; r++) {
      const sums = ours.get(routineName(profile, r)) ?? [0, 0];
      const [time, samples] = profile.events.map((e) => eventValue(e, totals.self, r));
      ours.set(routineName(profile, r), [sums[0] + samples, sums[1] + time]);
    }
    for (const [name, [samples, time]] of truth) {
      if (name === '(root)') continue;
      assert.equal(ours.get(name)?.[0], samples, name);
      assert.ok(Math.abs((ours.get(name)?.[1] ?? 0) - time) < 1e-6 * (1 + time), name);
    }
  });

test('hit counts alone; lines by ticks; names of functions without one', async () => {
  const profile = await load(cpuprofile, read('cpuprofile/no-times.cpuprofile'));
  assert.deepEqual(
    profile.events.map((e) => e.name),
    ['samples'],
  );
  assert.deepEqual(
    costs(profile, 'samples'),
    new Map([
      ['main', [3, 8]],
      ['(anonymous)', [5, 5]],
    ] as const),
  );
  const { line, costs: rows } = profile.lines;
  assert.deepEqual(
    Array.from(line, (l, i) => [l, rows[0][i]]),
    [
      [6, 1],
      [7, 2],
      [0, 5],
    ],
  );
  assert.equal(stringAt(profile.strings, profile.files.name[0]), '/home/u/a b.js');
});

test('samples out of order are put in order', async () => {
  const profile = await load(cpuprofile, read('cpuprofile/back-in-time.cpuprofile'));
  // a at 1100, a at 1300, b at 1400, the end at 2000.
  assert.deepEqual(
    costs(profile, 'time'),
    new Map([
      ['a', [300, 300]],
      ['b', [600, 600]],
    ] as const),
  );
});

test('trees that are none are refused', async () => {
  const nodes = (list: readonly object[], more: object = {}) =>
    JSON.stringify({ nodes: list, startTime: 0, endTime: 9, ...more });
  const frame = { functionName: 'f', url: '', lineNumber: 0 };
  const knot = [
    { id: 1, callFrame: frame, hitCount: 1, children: [2] },
    { id: 2, callFrame: frame, hitCount: 1, children: [1] },
  ];
  await refused(cpuprofile, nodes(knot), /a tree of nodes: node 1 below itself/);
  await refused(cpuprofile, nodes([knot[0], knot[0]]), /an id of its own for each node: 1 again/);
  await refused(cpuprofile, nodes([{ id: 1, callFrame: frame }], { samples: [4], timeDeltas: [1] }), /sample 0 of a node/);
  await refused(cpuprofile, nodes([{ id: 1, callFrame: frame }], { samples: [1], timeDeltas: [] }), /timeDeltas of 1 sample: 0/);
});

// --- speedscope

for (const file of ['words', 'function', 'nolineno', 'gil'])
  test(`${file}.speedscope.json: weights are those of a plain tally`, async () => {
    const bytes = read(`speedscope/${file}.speedscope.json`);
    const json: { shared: { frames: { name: string }[] }; profiles: { samples: number[][]; weights: number[] }[] } = JSON.parse(
      bytes.toString('utf8'),
    );
    const profile = await load(speedscope, bytes);
    const self = new Map<string, number>();
    for (const { samples, weights } of json.profiles)
      samples.forEach((stack, i) => {
        const name = json.shared.frames[stack.at(-1) ?? -1]?.name;
        if (name !== undefined) self.set(name, (self.get(name) ?? 0) + weights[i] * 1e9);
      });
    const { totals } = analysisOf(profile, 'stacks');
    const ours = new Map<string, number>();
    for (let r = 0; r < profile.routines.name.length; r++)
      ours.set(routineName(profile, r), (ours.get(routineName(profile, r)) ?? 0) + eventValue(profile.events[0], totals.self, r));
    for (const [name, sum] of self) assert.ok(Math.abs((ours.get(name) ?? 0) - sum) < 1e-6 * sum, name);
    assert.equal(profile.parts.length, json.profiles.length);
  });

test('frames that open and close; several units; frames that come last', async () => {
  const profile = await load(speedscope, read('speedscope/evented.speedscope.json'));
  const ms = (self: number, all: number) => [self * 1e6, all * 1e6] as const;
  assert.deepEqual(
    costs(profile, 'time (ms)'),
    new Map([
      ['main', ms(3, 10)],
      ['parse', ms(7, 7)],
      ['idle', ms(1.5, 1.5)],
    ]),
  );
  assert.deepEqual(
    costs(profile, 'bytes'),
    new Map([
      ['main', [64, 4160]],
      ['parse', [4096, 4096]],
      ['idle', [36, 36]],
    ] as const),
  );
});

test('speedscope: what does not fit is refused', async () => {
  const file = (profile: object) => JSON.stringify({ shared: { frames: [{ name: 'f' }, { name: 'g' }] }, profiles: [profile] });
  const evented = (events: readonly object[]) => file({ type: 'evented', unit: 'none', startValue: 0, endValue: 9, events });
  await refused(speedscope, file({ type: 'sampled', unit: 'none', samples: [[0]], weights: [] }), /weights of 1 sample: 0/);
  await refused(
    speedscope,
    file({ type: 'sampled', unit: 'none', samples: [[7]], weights: [1] }),
    /the number of a shared frame: 7/,
  );
  await refused(speedscope, file({ type: 'sampled', unit: 'pounds', samples: [], weights: [] }), /a unit of .*: "pounds"/);
  await refused(speedscope, file({ type: 'odd', unit: 'none' }), /sampled or evented: "odd"/);
  const open = { type: 'O', frame: 0, at: 1 };
  await refused(speedscope, evented([open, { type: 'C', frame: 1, at: 2 }]), /the frame that opened last to close first/);
  await refused(speedscope, evented([open, { type: 'C', frame: 0, at: 0.5 }]), /events in order: one at 0.5 after one at 1/);
});

test('perf: a frame without a symbol keeps its cost, and its caller does not pay', async () => {
  const sample = (frames: string) => `java 1326 100.5: 1 cycles:\n${frames}\n`;
  const text =
    sample('    7feeeba0e0cb  (perf-1326.map)\n    7fee00 main (/bin/java)\n') +
    sample('    7feeeba0e111  (perf-1326.map)\n    7fee00 main (/bin/java)\n') +
    sample('    7fee08 main (/bin/java)\n');
  const found = costs(await load(perfScript, text), 'samples');
  assert.deepEqual(Object.fromEntries(found), { '0x... [perf-1326.map]': [2, 2], main: [1, 3] });
  const nameless = text.replaceAll(' main ', ' ');
  assert.deepEqual(Object.fromEntries(costs(await load(perfScript, nameless), 'samples')), {
    '0x... [perf-1326.map]': [2, 2],
    '0x... [java]': [1, 3],
  });
});

test('frames of perf found by their bytes are those that are read as text', () => {
  const names = [
    'main',
    'std::vector<int, (char)1>::push',
    'operator()',
    'a b',
    '+0x12',
    'f+0x',
    'g+0x1+0x2',
    'h+0x00000000000000001',
    '[unknown]',
  ];
  const offsets = ['', '+0x1f', '+0xffffffffffffffff', '+0x11111111111111111', '+0xG', '+12'];
  const objects = ['(/usr/lib/x.so)', '(inlined)', '([unknown])', '()', '(/x (deleted))', '(a b)', ''];
  const starts = ['\t    7f12ab ', '  ffff ', ' 12 ', '        deadbeef  ', '  00000000000000001 ', ' 7FAB ', ''];
  const frames = new ScriptFrames(() => false);
  let found = 0;
  // Twice: the second time, all are known.
  for (let turn = 0; turn < 2; turn++)
    for (const start of starts)
      for (const name of names)
        for (const offset of offsets)
          for (const object of objects)
            for (const end of ['', ' ', '\r']) {
              const text = `${start}${name}${offset}${object === '' ? '' : ` ${object}`}${end}`;
              const bytes = Buffer.from(`x${text}y`);
              const frame = frames.readUsualFrame(bytes, 1, bytes.length - 1);
              if (!frame) continue;
              found++;
              const { address: _, ...line } = parseFrameLine(text)!;
              assert.deepEqual(frame.line, line, text);
            }
  assert.ok(found > 1000, `${found}`);
});

test("perf's header is among the notes, up to the first sample", async () => {
  const text = Buffer.from(read('perf-script/header.perf.gz')).toString();
  const late = text.replace(/\n\n/, '\n\n# hostname : not the header\n');
  assert.notEqual(late, text);
  const { notes = [] } = await load(perfScript, late);
  const said = (field: string) => new RegExp(`^# ${field} +: (.*\\S)`, 'm').exec(text)?.[1];
  for (const field of [
    'captured on',
    'hostname',
    'os release',
    'perf version',
    'arch',
    'nrcpus online',
    'cpudesc',
    'total memory',
    'cmdline',
  ])
    assert.deepEqual(
      notes.filter((note) => note.startsWith(`${field}: `)),
      [`${field}: ${said(field)}`],
    );
  const events = notes.filter((note) => note.startsWith('event: '));
  assert.deepEqual(
    events.map((note) => note.split(',')[0]),
    ['event: cpu-clock', 'event: task-clock'],
  );
  assert.match(events[0], /sample_freq \} = 997,.* inherit = 1/);
});

test('speedscope: frames that never close, and samples without a stack, are counted', async () => {
  const file = (profile: object) => JSON.stringify({ shared: { frames: [{ name: 'f' }, { name: 'g' }] }, profiles: [profile] });
  const event = (type: 'O' | 'C', frame: number, at: number) => ({ type, frame, at });
  const evented = (events: readonly object[]) => file({ type: 'evented', unit: 'none', startValue: 0, endValue: 9, events });
  const nested = [event('O', 0, 1), event('O', 1, 2)];
  const closed = await load(speedscope, evented([...nested, event('C', 1, 3), event('C', 0, 4)]));
  assert.deepEqual(closed.warnings, []);
  const open = await load(speedscope, evented(nested));
  assert.deepEqual(
    open.warnings.map(({ found }) => found),
    ['2 frames without; they last to the end of their profile'],
  );
  assert.deepEqual(Object.fromEntries(costs(open, 'weight')), { f: [1, 8], g: [7, 7] });
  const sampled = await load(speedscope, file({ type: 'sampled', unit: 'none', samples: [[0], [], []], weights: [3, 4, 5] }));
  assert.match((sampled.notes ?? []).join('\n'), /2 samples without a stack left out/);
});
