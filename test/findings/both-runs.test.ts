// Conclusions that the data of two runs, or of a part of one, does not carry: none is drawn, and what stands against it is named.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { type Analysis, isOfKind } from '../../src/analysis/answers/analysis.ts';
import { allEvents } from '../../src/analysis/answers/events.ts';
import { argumentsWithoutOutput } from '../../src/analysis/builds/compile-sets.ts';
import { criticalPath } from '../../src/analysis/builds/critical.ts';
import { checkLimit, parseLimit } from '../../src/analysis/limits/limits.ts';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { remainingText } from '../../src/analysis/profiles/transforms/applied.ts';
import { movedFolders, otherWords } from '../../src/findings/builds/comparing/flags-differ.ts';
import { aprof } from '../../src/formats/aprof/index.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { ctest } from '../../src/formats/ctest.ts';
import { heapText } from '../../src/formats/heap-text.ts';
import { massif } from '../../src/formats/massif.ts';
import { perfScript } from '../../src/formats/perf-script/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { compile, type Snippet, treeOf } from '../support/cmake-tree.ts';
import { loadText } from '../support/load.ts';
import { PLAINLY } from '../support/versus.ts';
import { saidByRules } from './cases.ts';

const compared = (now: Profile, before: Profile) => compareProfiles(now, before, PLAINLY);
const refuses = (now: Profile, before: Profile, found: RegExp) => assert.throws(() => compared(now, before), found);

/** A build of CMake, loaded; its tree is removed. */
async function build(snippets: readonly Snippet[], more: object = {}): Promise<Profile> {
  const { tree } = treeOf(snippets, more);
  try {
    return await loadProfile([tree]);
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

const whole = (duration: number, command: string, result = 0): Snippet => ({
  ...{ role: 'cmakeBuild', timeStart: 0, duration, command, result },
});
const link = (timeStart: number, duration: number, objects: string, output = 'app'): Snippet => ({
  ...{ role: 'link', timeStart, duration, target: output, result: 0, outputs: [output] },
  ...{ command: `cc ${objects} -o ${output}` },
});

const FOUR_CORES = { staticSystemInformation: { numberOfLogicalCPU: 4 } };

/** `count` compiles one after the other, `ms` each. */
const compiles = (count: number, ms: number, more: object = {}) =>
  Array.from({ length: count }, (_, k) => compile(k * ms, ms, `f${k}.c`, more));
const objectsOf = (count: number) => Array.from({ length: count }, (_, k) => `f${k}.c.o`).join(' ');

test('a build that failed: which one comes first, and how long the two took is not compared', async () => {
  const ok = await build([...compiles(8, 500), link(4000, 300, objectsOf(8)), whole(4300, 'cmake --build . -j1')]);
  const failed = await build([
    ...compiles(3, 500),
    compile(1500, 100, 'f3.c', { result: 1 }),
    whole(1600, 'cmake --build . -j1', 1),
  ]);
  for (const [now, before, rule] of [
    [failed, ok, /^The build failed in 1 step: .*f3\.c/],
    [ok, failed, /^The build of the base failed in 1 step: .*f3\.c; how long the two builds took is not compared$/],
  ] as const) {
    const told = saidByRules(compared(now, before));
    assert.match(told['failed-steps']?.[0] ?? '', rule);
    for (const id of ['build-change', 'steps-added', 'slower-steps', 'jobs-differ', 'chain-grew'])
      assert.equal(told[id], undefined, id);
  }
  const both = compared(ok, failed);
  const limit = parseLimit('build duration > +10%');
  assert.throws(
    () => checkLimit(limit, analyse(both, both.events)),
    /the build of the base failed: its times cannot be compared/,
  );
  assert.equal(saidByRules(compared(ok, ok))['failed-steps'], undefined);
});

test('steps are slowed by the host only if most of the work is, and by a header if all of them are compiles', async () => {
  const steps = (ms: number, more: readonly Snippet[]) => [...compiles(12, ms), ...more];
  const [now, before] = [100, 50].map((ms) => steps(ms, [link(2000, 3000, objectsOf(12))]));
  assert.equal(saidByRules(compared(await build(now), await build(before)))['slower-host'], undefined);
  const [slow, fast] = [100, 50].map((ms) => steps(ms, []));
  assert.match(
    saidByRules(compared(await build(slow), await build(fast)))['slower-host']?.[0] ?? '',
    /2\.00 times as long.*header that all of them include/,
  );
});

test('compiles on other hosts, or a host whose load is below its cores, overload nothing', async () => {
  const at = (command: string, load?: number) =>
    Array.from({ length: 12 }, (_, k) => ({
      ...compile(0, 1000, `f${k}.c`, { command: `${command} -c f${k}.c` }),
      ...(load === undefined
        ? {}
        : {
            dynamicSystemInformation: {
              beforeCPULoadAverage: load,
              afterCPULoadAverage: load,
              beforeHostMemoryUsed: 1,
              afterHostMemoryUsed: 1,
            },
          }),
    }));
  const isTold = async (steps: readonly Snippet[]) =>
    saidByRules(await build([...steps, whole(1000, 'cmake --build . -j12')], FOUR_CORES)).overloaded !== undefined;
  assert.deepEqual(
    [
      await isTold(at('cc')),
      await isTold(at('distcc cc')),
      await isTold(at('ccache icecc cc')),
      await isTold(at('cc', 0.4)),
      await isTold(at('cc', 9)),
    ],
    [true, false, false, false, true],
  );
});

test('a place explains a start only if all places were taken until then', async () => {
  // -j3, and never more than two at once: b ends when d begins.
  const steps = [compile(0, 350, 'a.c'), compile(0, 350, 'b.c'), compile(350, 1, 'd.c'), compile(951, 600, 'c.c')];
  const profile = await build([...steps, whole(1551, 'cmake --build . -j3')]);
  const analysis: Analysis = analyse(profile, profile.events);
  assert.ok(isOfKind(analysis, 'steps'));
  assert.deepEqual(
    criticalPath(analysis).links.map(({ waited }) => waited),
    ['start', 'after', 'after'],
  );
});

test('flags: words that both commands have, and folders that only moved, are no difference; a folder is replaced as a whole', () => {
  const words = (now: string, then: string, a: string, b: string) =>
    otherWords(now.split(' '), then.split(' '), movedFolders(a, b)).map((set) => [...set].join(' '));
  assert.deepEqual(words('cc -I/w/one/gen -c a.c', 'cc -I/w/two/gen -c a.c', '/w/one/lib', '/w/two/lib'), ['-I./gen', '-I./gen']);
  assert.deepEqual(words('cc -I/me/app-common', 'cc -I/me/app-common', '/me/app', '/x/app'), ['', '']);
  assert.deepEqual(words('cc -I/me/app-new', 'cc -I/me/app-old', '/me/app', '/me/app'), ['-I/me/app-new', '-I/me/app-old']);
  const kept = (command: string) => argumentsWithoutOutput(command.split(' ')).join(' ');
  assert.equal(kept('cl -openmp /Foa.obj /c a.c'), 'cl -openmp /c a.c');
  assert.equal(kept('clang -F/d/Frameworks -oa.o -c a.c'), 'clang -F/d/Frameworks -c a.c');
});

test('tests that did not run although they should are failures, as CTest counts them; suites keep their tests apart', async () => {
  const xml = (...cases: string[]) =>
    loadText(ctest, `<testsuite name="s" tests="${cases.length}">${cases.join('')}</testsuite>`);
  const notRun = (name: string, message: string) =>
    `<testcase name="${name}" status="notrun"><skipped message="${message}"/></testcase>`;
  const results = async (...cases: string[]) => (await xml(...cases)).kind;
  assert.equal(await results('<testcase name="a"/>'), 'steps');
  const told = saidByRules(
    await xml(notRun('a', 'Unable to find executable'), notRun('b', 'SKIP_RETURN_CODE=77'), notRun('c', 'Disabled')),
  );
  assert.deepEqual(told['failed-tests'], ['1 of 3 tests failed: a (Unable to find executable)']);
  const words = saidByRules(
    await xml(
      '<testcase name="a" status="failed"/>',
      '<testcase name="b" status="error"/>',
      '<testcase name="c" result="failed" status="run"/>',
    ),
  );
  assert.deepEqual(words['failed-tests'], ['3 of 3 tests failed: a, b and c']);
  const suite = (name: string, inner: string) => `<testsuite name="${name}" tests="1">${inner}</testsuite>`;
  const bad = '<testcase name="big"><failure message="boom"/></testcase>';
  const two = saidByRules(
    await loadText(ctest, `<testsuites>${suite('debug', bad)}${suite('release', '<testcase name="big"/>')}</testsuites>`),
  );
  assert.deepEqual([two['failed-tests'], two['flaky-tests']], [['1 of 2 tests failed: debug: big (boom)'], undefined]);
  const { warnings } = await loadText(ctest, '<testsuite name="all" tests="5" failures="2"><testcase name="a"/></testsuite>');
  assert.deepEqual(
    warnings.map(({ expected, found }) => [expected, found]),
    [['5 tests, 2 failed, as the suite "all" states', '1 test, 0 failed']],
  );
});

test('the log of CTest calls a test without a program passed; the list of failures tells', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const temporary = join(folder, 'Testing/Temporary');
  mkdirSync(temporary, { recursive: true });
  const block = (k: number, name: string, command: string) =>
    `${k}/2 Testing: ${name}\n${k}/2 Test: ${name}\nCommand: ${command}\nOutput:\n---\n<end of output>\nTest time =   0.01 sec\n---\nTest Passed.\n\n`;
  writeFileSync(join(temporary, 'LastTest.log'), `Start testing\n${block(1, 'ta', '"/b/a"')}${block(2, 'tb', '""')}`);
  writeFileSync(join(temporary, 'LastTestsFailed.log'), '2:tb\n');
  assert.deepEqual(saidByRules(await loadProfile([folder]))['failed-tests'], ['1 of 2 tests failed: tb (Not Run)']);
  rmSync(folder, { recursive: true });
});

/** Samples of `perf script`: `count` of an event, each with a period. */
const samples = (event: string, count: number, period = 10_000) =>
  loadText(
    perfScript,
    Array.from(
      { length: count },
      (_, k) => `app 7 [000] ${100 + k / 1000}: ${period} ${event}: \n\t1000 f+0x10 (/bin/app)\n\n`,
    ).join(''),
  );

test('samples of two events, events of two formulas or descriptions, sizes in two units: not compared, and named', async () => {
  refuses(
    await samples('cycles', 90),
    await samples('cache-misses', 40),
    /expected .*samples every 10,000 cycles, found samples every 10,000 cache-misses/,
  );
  refuses(await samples('cycles:u', 9), await samples('cycles', 9), /cycles:u/);
  const graph = (head: string, costs: string) => loadText(callgrind, `${head}fl=a.c\nfn=main\n1 ${costs}\n`);
  const [two, five] = await Promise.all([2, 5].map((n) => graph(`event: Cost = Ir + ${n} Cyc\nevents: Ir Cyc\n`, '100 100')));
  assert.deepEqual(compared(five, two).compared?.onlyNow, ['Cost = Ir + 5 Cyc']);
  const branches = await graph('events: Ir Bc Bcm Bi Bim\n', '3000 9 9 9 9');
  const caches = await graph('events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw\n', '3000 9 9 9 9 9 9 9 9');
  const both = compared(caches, branches);
  assert.deepEqual(
    analyse(both, allEvents(both.events, [])).events.map(({ name }) => name),
    ['Ir'],
  );
  const heap = (root: string) =>
    loadText(
      massif,
      `desc: (none)\ncmd: ./p\ntime_unit: i\n#-\nsnapshot=0\n#-\ntime=1\nmem_heap_B=10\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=peak\nn0: 10 ${root}\n`,
    );
  refuses(
    await heap('(heap allocation functions) malloc/new/new[], --alloc-fns, etc.'),
    await heap('(page allocation syscalls) mmap/mremap/brk, --alloc-fns, etc.'),
    /bytes on the heap, found .*bytes of mapped pages/,
  );
  const dump = 'heap profile: 1: 10 [2: 20] @ heap_v2/1\n 1: 10 [2: 20] @ 0x10\n';
  refuses(
    await heap('(heap allocation functions) malloc/new/new[], --alloc-fns, etc.'),
    await loadText(heapText, dump),
    /inuse_space: bytes on the heap, found .*inuse_space: bytes in use/,
  );
  const report = (cell: number) => loadText(aprof, `v 6\nt ${cell}\nm bb-count\ni rms\nr 1 f\np 1 4 4 1 1 1 4 4 4 4 4 4\nk 4\n`);
  refuses(await report(1), await report(4), /rms in cells of 1 byte, as in this run, found .*rms in cells of 4 bytes/);
});

test('simulated caches of two sizes are named before the misses', async () => {
  const run = (size: number, misses: number) =>
    loadText(callgrind, `desc: D1 cache: ${size} B, 64 B, 8-way associative\nevents: Ir D1mr\nfn=main\n1 1000 ${misses}\n`);
  const told = saidByRules(compared(await run(262144, 5), await run(32768, 50)));
  assert.match(told['recordings-differ']?.[0] ?? '', /D1 cache 262144 B.*in the base 32768 B/);
  assert.equal(saidByRules(compared(await run(32768, 5), await run(32768, 50)))['recordings-differ'], undefined);
});

test('a routine that the other run may have below its threshold is not new; costs of both signs leave no share', async () => {
  const heap = (nodes: string, count: number) =>
    loadText(
      massif,
      `desc: (none)\ncmd: ./p\ntime_unit: i\n#-\nsnapshot=0\n#-\ntime=1\nmem_heap_B=100000\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=peak\nn${count}: 100000 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n${nodes}`,
    );
  const before = await heap(" n0: 98000 0x1: alloc_a (a.c:1)\n n0: 2000 in 2 places, all below massif's threshold (1.00%)\n", 2);
  const now = await heap(
    " n0: 98000 0x1: alloc_a (a.c:1)\n n0: 1010 0x2: alloc_c (a.c:3)\n n0: 990 in 1 place, below massif's threshold (1.00%)\n",
    3,
  );
  assert.deepEqual(
    [saidByRules(compared(now, before))['new-code'], saidByRules(compared(before, now))['new-code']],
    [undefined, undefined],
  );
  const signed = await loadText(callgrind, 'events: Ir\nfn=f\n1 600\nfn=g\n2 -400\n');
  const analysis = analyse(signed, signed.events);
  assert.equal(remainingText(analysis, analysis.events[0]), '');
});

test('builds with other phases are compared in the phases that both have', async () => {
  const install: Snippet = { role: 'cmakeInstall', timeStart: 4400, duration: 3000, command: 'cmake --install .', result: 0 };
  const took = (ms: number) => [...compiles(8, ms), whole(8 * ms, 'cmake --build . -j1')];
  const [now, before] = [await build(took(750)), await build([...took(500), install])];
  // 6 s of building instead of 4 s, though the whole of the base took 7 s.
  assert.match(
    saidByRules(compared(now, before))['build-change']?.[0] ?? '',
    /^The phases of both builds \(build\) took 50\.00% longer: 6\.00s instead of 4\.00s; install ran in the base only$/,
  );
  assert.match(saidByRules(compared(now, await build(took(500))))['build-change']?.[0] ?? '', /^The build took 50\.00% longer/);
});
