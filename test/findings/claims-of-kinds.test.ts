// Claims that did not hold, of comparisons, builds, input sizes and samples: each by a small profile whose answer is known.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { runToEnd } from '../../src/base/slices.ts';
import { gatherFindings } from '../../src/findings/gather.ts';
import { phraseText } from '../../src/findings/say.ts';
import { aprof } from '../../src/formats/aprof/index.ts';
import { folded } from '../../src/formats/folded.ts';
import { perfScript } from '../../src/formats/perf-script/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { compile, START, treeOf } from '../support/cmake-tree.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadText } from '../support/load.ts';
import { PLAINLY } from '../support/versus.ts';
import { runWarm } from '../support/warm.ts';
import { against, type Case, evidence, graph, traced } from './cases.ts';

const told = async (of: Case): Promise<string[]> => runToEnd(gatherFindings(evidence(await of()))).map(phraseText);
const saying = (all: readonly string[], rule: RegExp): string => all.find((text) => rule.test(text)) ?? '';

type Call = readonly [callee: string, count: number, cost: number];
/** A program of routines: self cost and calls. */
const program = (routines: Readonly<Record<string, readonly [self: number, ...calls: Call[]]>>, fileOf = (_: string) => 'a.c') =>
  graph(
    'events: Ir',
    ...Object.entries(routines).flatMap(([name, [self, ...calls]]) => [
      ...[`fl=${fileOf(name)}`, `fn=${name}`, `10 ${self}`],
      ...calls.flatMap(([callee, count, cost], k) => [
        ...[`cfi=${fileOf(callee)}`, `cfn=${callee}`, `calls=${count} 10`, `${20 + k} ${cost}`],
      ]),
    ]),
  );

test('of new code with several callers, the named one has its share', async () => {
  const base = program({ main: [1000, ['a', 1, 100_000], ['b', 1, 100_000]], a: [100_000], b: [100_000] });
  const now = program({
    main: [1000, ['a', 1, 130_000], ['b', 1, 110_000]],
    a: [100_000, ['helper', 60, 30_000]],
    b: [100_000, ['helper', 40, 10_000]],
    helper: [40_000],
  });
  const sentence = saying(await told(against(now, base)), /^helper is new/);
  assert.match(sentence, /costs 40\.0k.*, 75\.00% of it in 60 calls from a /);
});

test('no work moved where the totals were made equal', async () => {
  const base = (await program({ main: [1000, ['a', 1, 30_000], ['b', 1, 69_000]], a: [30_000], b: [69_000] })()).profile;
  const now = (await program({ main: [2000, ['a', 1, 60_000], ['b', 1, 238_000]], a: [60_000], b: [238_000] })()).profile;
  const profile = compareProfiles(now, base, { ...PLAINLY, normalize: true });
  assert.ok(!(await told(async () => ({ profile }))).some((text) => /work moved/.test(text)));
});

test('a line does not cost more than its routine does, because its file moved', async () => {
  const run = (file: string, cost: number) =>
    program({ main: [1000, ['w', 10, cost]], w: [cost] }, (name) => (name === 'w' ? file : 'main.c'));
  const sentence = saying(await told(against(run('new/helpers.c', 55_000), run('old/util.c', 50_000))), /self cost of w/);
  assert.match(sentence, /rose from 50\.0k to 55\.0k/);
  assert.doesNotMatch(sentence, /more at/);
});

test('a function is inlined into its caller only if the caller rose about as much', async () => {
  const base = program({ main: [10_000, ['f', 10, 20_000], ['g', 5, 95_000]], f: [20_000], g: [95_000] });
  const all = await told(against(program({ main: [105_000, ['g', 5, 20_000]], g: [20_000] }), base));
  assert.equal(saying(all, /inlined into/), '');
  assert.match(saying(all, /self cost of main/), /rose from 10\.0k to 105k/);
  const inlined = program({ main: [30_000, ['g', 5, 95_000]], g: [95_000] });
  assert.match(saying(await told(against(inlined, base)), /^f seems/), /inlined into main/);
});

test('compilers that optimize by themselves, and files of options, do not tell that code is not optimized', async () => {
  const six = (options: string) => Array.from({ length: 6 }, (_, k) => `${options} -c f${k}.c -o f${k}.o`);
  const unoptimized = async (options: string) => saying(await told(traced(...six(options))), /without optimization/);
  for (const options of ['icc', 'nvcc -Xcompiler=-O3', 'armcc', 'gcc @flags.rsp', 'aarch64-none-elf-gcc @o'])
    assert.equal(await unoptimized(options), '', options);
  for (const options of ['gcc', 'aarch64-none-elf-gcc-12 -g', 'clang++ -O0', 'cc'])
    assert.match(await unoptimized(options), /^All 6 sources/, options);
  const mixed = saying(await told(traced(...six('gcc'), 'gcc @flags -c other.c -o other.o')), /without optimization/);
  assert.doesNotMatch(mixed, /^All/);
});

test('a size that explains the cost hides no input', async () => {
  const scan = (rows: readonly string[]) => async (): Promise<{ profile: Awaited<ReturnType<typeof loadText>> }> => ({
    profile: await loadText(
      aprof,
      ['c x', 'v 6', 'k 90000', 'e 90000', 'm bb-count', 'i rms', 't 1', 'a ./p', 'f ./p', 'r "scan" "/x/p" 1', ...rows, ''].join(
        '\n',
      ),
    ),
  });
  const point = (size: number, low: number, high: number) =>
    `p 1 ${size} ${low} ${high} ${7 * high} ${7 * high * high} 7 ${7 * high} ${7 * high} ${low} ${high} ${7 * high * high}`;
  const linear = scan([point(10, 100, 100), point(100, 1000, 1000), point(1000, 10_000, 10_000)]);
  assert.equal(saying(await told(linear), /although rms/), '');
  assert.match(
    saying(await told(scan([point(10, 100, 5000), point(100, 1000, 1000), point(1000, 10_000, 10_000)])), /although rms/),
    /^scan/,
  );
});

test('a build and a run of tests that were repeated with success are no failed build', async () => {
  const whole = (role: string, timeStart: number, duration: number, result: number) =>
    ({ role, timeStart, duration, result, command: role }) as const;
  const { tree } = treeOf([
    compile(100, 900, 'a.c'),
    compile(100, 500, 'b.c', { result: 1 }),
    whole('cmakeBuild', 50, 1000, 1),
    compile(60_100, 600, 'b.c'),
    whole('cmakeBuild', 60_050, 1050, 0),
    { ...whole('test', 70_000, 100, 1), testName: 't' },
    whole('ctest', 69_990, 150, 8),
    { ...whole('test', 80_000, 100, 0), testName: 't' },
    whole('ctest', 79_990, 150, 0),
  ]);
  const profile = await loadProfile([tree]);
  rmSync(tree, { recursive: true });
  const all = await told(async () => ({ profile }));
  assert.ok(START > 0 && all.every((text) => !/^The build failed|^Tests failed/.test(text)), all.join('\n'));
  assert.match(
    saying(all, /builds in this record/),
    /^1 of 2 builds in this record failed in 1 step: .*b\.c.*; the last build did not fail$/,
  );
  assert.match(saying(all, /runs of the tests/), /^1 of 2 runs of the tests failed.*; the last run did not fail$/);
});

test('a thread that ran another program is one thread, and waits are no samples of chance', async () => {
  const sample = (comm: string, at: number, event = 'cycles') =>
    `${comm} 77/77 ${at}.000000: 1000 ${event}: \n\t4005d0 main (/bin/${comm})\n\n`;
  const text = Array.from({ length: 100 }, (_, k) => sample(k < 10 ? 'sh' : 'gzip', k + 1)).join('');
  const all = await told(async () => ({ profile: await loadText(perfScript, text) }));
  assert.ok(!all.some((sentence) => /thread/.test(sentence)), all.join('\n'));
  assert.ok(all.some((sentence) => /^Only 100 samples/.test(sentence)));
  const traces = Array.from({ length: 9 }, (_, k) => sample('sh', k + 1, 'sched:sched_switch')).join('');
  assert.ok(
    !(await told(async () => ({ profile: await loadText(perfScript, traces) }))).some((sentence) => /^Only/.test(sentence)),
  );
});

test('a perf script that ends within a line of a stack is cut off', async () => {
  const text = 'app 7/7 1.000000: 1000 cycles: \n\t4005d0 work (/bin/app)\n\t4006d0 main (/bin/app)\n\n'.repeat(3);
  assert.equal((await loadText(perfScript, text)).cut, undefined);
  for (const left of [3, 9, 20]) assert.ok((await loadText(perfScript, text.slice(0, -left))).cut, `${left} bytes less`);
});

test('the short answer marks estimates, as calls do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const path = join(folder, 'callgrind.out.1');
  writeFileSync(
    path,
    'events: Ir\nfl=a.c\nfn=main\n1 20000\ncfn=leaf\ncalls=1100 3\n2 80000\n\nfn=leaf\n3 80000\ncfn=leaf\ncalls=900 3\n4 36000\n',
  );
  assert.match(runWarm([path, '--print', 'calls', '--routine', 'leaf']).out, /≈/);
  assert.match(runWarm([path, '--brief']).out, /called by main 80\.00%, leaf ≈/);
  const { routines } = JSON.parse(runWarm([path, '--brief', '--json']).out) as {
    routines: { routine: string; callers: { routine: string; inclusive: number; estimated: boolean }[] }[];
  };
  const callers = routines.find(({ routine }) => routine === 'leaf')?.callers ?? [];
  assert.deepEqual(
    callers.map(({ routine, estimated }) => [routine, estimated]),
    [
      ['main', false],
      ['leaf', true],
    ],
  );
  assert.ok(callers.every(({ inclusive }) => Number.isInteger(inclusive)));
  rmSync(folder, { recursive: true });
});

test('overloads of a function are one group by function, instances of a template are not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const path = join(folder, 'stacks.folded');
  const names = [
    'a::f(int)',
    'a::f(char) const',
    'void g<int>(int)',
    'void g<char>(char)',
    'std::function<void (int)>::operator()(int) const',
  ];
  writeFileSync(path, names.map((name, k) => `main;${name} ${k + 1}\n`).join(''));
  const { rows } = JSON.parse(runWarm([path, '--print', 'groups', '--by', 'function', '--json']).out) as {
    rows: Record<string, unknown>[];
  };
  const groups = rows.map((row) => JSON.stringify(row['by'] ?? row));
  for (const name of ['a::f', 'g<int>', 'g<char>', 'std::function<void (int)>::operator()'])
    assert.ok(
      groups.some((text) => text.includes(JSON.stringify(name))),
      `${name} in ${groups.join('\n')}`,
    );
  assert.equal(rows.length, 5);
  rmSync(folder, { recursive: true });
});

test('a line is the hottest known one where more cost has no line; names of a kernel need rights, not another binary', async () => {
  const lines = (without: number) => graph('events: Ir', 'fl=a.c', 'fn=main', `0 ${without}`, '10 25000', '11 15000');
  assert.match(saying(await told(lines(60_000)), /^main has/), /its hottest known line, a\.c:10/);
  assert.match(saying(await told(lines(1000)), /^main has/), /its hottest line, a\.c:10/);
  const kernel = 'app 7/7 1.000000: 1000 cycles: \n\tffffffff81000130 [unknown] ([kernel.kallsyms])\n\n'.repeat(9);
  const found = runToEnd(gatherFindings(evidence({ profile: await loadText(perfScript, kernel) })));
  const advice = found.find((finding) => finding.rule === 'names-missing')?.try ?? '';
  assert.match(String(advice), /kptr_restrict/);
});

test('calls from lines that are unknown are part of all calls, and names with _ are reserved in C only', async () => {
  const calls = (line: number) =>
    graph(
      ...['events: Ir', 'ob=/usr/bin/app', 'fl=/home/u/app.c', 'fn=main', '1 1000'],
      ...[
        'cob=/usr/lib/libc.so.6',
        'cfn=malloc',
        'calls=5 0',
        `${line} 6000`,
        'cob=/usr/lib/libc.so.6',
        'cfn=malloc',
        'calls=5 0',
        '7 4000',
      ],
      ...['', 'ob=/usr/lib/libc.so.6', 'fl=???', 'fn=malloc', '0 10000'],
    );
  const cause = async (line: number) => saying(await told(calls(line)), /^Allocating/);
  assert.match(await cause(5), /main causes [\d.]+%, most at app\.c:5/);
  assert.match(await cause(0), /main causes [\d.]+%$/);
  const own = async (file: string) => {
    const text = `main (/home/u/app${file}:1);_read (/home/u/io${file}:3) 90\nmain (/home/u/app${file}:2) 10\n`;
    return saying(await told(async () => ({ profile: await loadText(folded, text) })), /^Reading and writing/);
  };
  assert.equal(await own('.py'), '');
  assert.match(await own('.c'), /^Reading/);
});

test('threads of two processes with one number are told apart, and a thread of several commands has none', async () => {
  const sample = (comm: string, pid: number, tid: number, at: number) =>
    `${comm} ${pid}/${tid} ${at}.000000: 1000 cycles: \n\t4005d0 main (/bin/${comm})\n\n`;
  const threads = async (...samples: string[]) =>
    saying(await told(async () => ({ profile: await loadText(perfScript, samples.join('')) })), /^thread/);
  const many = (comm: string, pid: number, tid: number, count: number) =>
    Array.from({ length: count }, (_, k) => sample(comm, pid, tid, k + 1)).join('');
  assert.match(await threads(many('a', 1, 7, 450), many('b', 2, 7, 20)), /^thread 7 of 1 \(a\) takes/);
  assert.match(await threads(many('sh', 1, 7, 20), many('gzip', 1, 7, 450), many('b', 1, 8, 20)), /^thread 7 takes/);
});

test('a syntax without instructions is refused', () => {
  const path = join(FIXTURES, 'callgrind/default.callgrind.out');
  const { code, err } = runWarm([path, '--print', 'instrs', '--routine', 'main', '--syntax', 'intel']);
  assert.deepEqual([code, /--syntax goes with --disassemble/.test(err)], [2, true], err);
});

test('of two routines gone and two new ones of one caller, nothing says which replaces which', async () => {
  const before = program({ main: [1000, ['a', 1, 50_000], ['b', 1, 50_000]], a: [50_000], b: [50_000] });
  const after = program({ main: [1000, ['c', 9, 50_000], ['d', 8, 50_000]], c: [50_000], d: [50_000] }, (name) =>
    name === 'main' ? 'a.c' : 'new.c',
  );
  const all = await told(against(after, before));
  assert.ok(
    all.some((text) => /^c is new/.test(text)),
    all.join('\n'),
  );
  assert.ok(!all.some((text) => text.includes('replaces')), all.join('\n'));
});

test('a hashtag is no hash', async () => {
  const names = async (...all: string[]) => {
    const routines = all.map((name) => [name, [45_000]] as const);
    const calls = all.map((name): Call => [name, 3, 45_000]);
    return saying(await told(program({ main: [1000, ...calls], ...Object.fromEntries(routines) })), /^Hashing/);
  };
  assert.equal(await names('hashtag_render', 'Hashtags::draw', 'parse_hashbang'), '');
  assert.match(await names('hash_of', 'Table::rehash', 'xxHash64'), /^Hashing/);
});

test('without starts, the time on a critical path is unknown, not 0', () => {
  const log = join(FIXTURES, 'gcc-time-report/make.log');
  for (const { criticalMs, weightedMs } of JSON.parse(runWarm([log, '--print', 'targets', '--json']).out).rows)
    assert.deepEqual([criticalMs, weightedMs], [null, null]);
  assert.ok(!runWarm([log, '--brief']).out.includes('critical path'));
});

test('a build with a step that cannot be read is not compared, and no gap in it is explained', () => {
  const steps = [compile(0, 1000, 'a.c'), compile(1000, 2000, 'b.c'), compile(1000, 2500, 'c.c'), compile(3500, 1500, 'd.c')];
  const [whole, partial] = [treeOf(steps), treeOf(steps)];
  const data = join(partial.tree, '.cmake/instrumentation/v1/data');
  rmSync(join(data, readdirSync(data).filter((name) => name.startsWith('compile'))[2]));
  for (const args of [[whole.tree, '--base', partial.tree], [partial.tree]]) {
    const { code, out, err } = runWarm([...args, '--print', 'findings']);
    assert.equal(code, 1, err);
    assert.match(err, /expected every listed snippet/);
    assert.match(out, new RegExp(`A part of the ${args.length > 1 ? 'base' : 'profile'} could not be read`));
    assert.doesNotMatch(out, /up to date or not requested|possible jobs ran|more time|would take|would save/);
  }
  assert.match(runWarm([partial.tree, '--check']).out, /incomplete$/m);
  assert.equal(runWarm([whole.tree, '--base', whole.tree, '--print', 'findings']).code, 0);
});

test('the base is asked for warnings, too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-base-'));
  const files = ['a;b 8\na;c 20\n', 'a;b 5\na;b\na;c 10\n'].map((text, k) => {
    writeFileSync(join(folder, `${k}.folded`), text);
    return join(folder, `${k}.folded`);
  });
  assert.match(
    runWarm([files[0], '--base', files[1], '--print', 'routines']).out,
    /the base has 1 warning: line 2: "a;b"; left out/,
  );
  rmSync(folder, { recursive: true });
});

test('an event of another unit is another event', async () => {
  const now = await loadText(folded, 'a;b 8\na;c 20\n');
  const before = { ...now, events: now.events.map((event) => ({ ...event, unit: 'bytes' as const })) };
  const [{ name, unit }] = now.events;
  assert.throws(
    () => compareProfiles(now, before, PLAINLY),
    (e) =>
      e instanceof Error && e.message.includes(`expected an event that this run has: ${name} (${unit}), found ${name} (bytes)`),
  );
});

test('a limit of the total is about the total that the shares are of', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-total-'));
  const file = join(folder, 'callgrind.out.1');
  writeFileSync(file, 'events: Ir\nsummary: 100000\nfl=a.c\nfn=f\n1 3000\nfn=g\n5 1000\n');
  const [f] = JSON.parse(runWarm([file, '--print', 'routines', '--json']).out).rows;
  assert.equal(f.self.Ir, 3000);
  assert.match(runWarm([file, '--print', 'routines']).out, /3,000 +3\.00%/);
  assert.equal(runWarm([file, '--fail-if', 'routine f self Ir > 3.5% of total']).code, 0);
  assert.equal(runWarm([file, '--fail-if', 'routine f self Ir > 2.5% of total']).code, 3);
  rmSync(folder, { recursive: true });
});

test('slices without an end are doubtful', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-ends-'));
  const file = join(folder, 'trace.json');
  const event = (ph: string, name: string, ts: number) => ({ ph, name, ts, pid: 1, tid: 1 });
  const events = [event('B', 'main', 0), event('B', 'open', 100), event('B', 'whole', 200), event('E', 'whole', 900)];
  writeFileSync(file, JSON.stringify({ traceEvents: events }));
  assert.match(
    runWarm([file, '--print', 'findings']).out,
    /The numbers may be wrong: no end for open, main; shown up to the end of the trace/,
  );
  rmSync(folder, { recursive: true });
});

test('a content file that cannot be read holds no step', () => {
  const { tree } = treeOf([compile(0, 1000, 'a.c', { cmakeContent: 'content/c.json' })]);
  mkdirSync(join(tree, '.cmake/instrumentation/v1/data/content'));
  writeFileSync(join(tree, '.cmake/instrumentation/v1/data/content/c.json'), '{"project": ');
  const { code, out } = runWarm([tree, '--print', 'steps', '--json']);
  assert.equal(code, 0);
  assert.match(JSON.parse(out).warnings[0].expected, /a content file as JSON/);
  rmSync(tree, { recursive: true });
});
