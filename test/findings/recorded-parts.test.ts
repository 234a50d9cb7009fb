// Profiles of which a part is missing, or was recorded otherwise than the rest: no number and no sentence mixes the two.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { isOfKind } from '../../src/analysis/answers/analysis.ts';
import { allEvents, deriveEvent } from '../../src/analysis/answers/events.ts';
import { buildDurationUs } from '../../src/analysis/answers/steps/steps.ts';
import { criticalPath, stepWait } from '../../src/analysis/builds/critical.ts';
import { narrowWindows } from '../../src/analysis/builds/narrow.ts';
import { readyUs } from '../../src/analysis/builds/needs.ts';
import { checkLimit, parseLimit } from '../../src/analysis/limits/limits.ts';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { perfScript } from '../../src/formats/perf-script/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { compile, type Snippet, treeOf } from '../support/cmake-tree.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadText } from '../support/load.ts';
import { PLAINLY } from '../support/versus.ts';
import { saidText } from './cases.ts';

const compared = (now: Profile, before: Profile) => compareProfiles(now, before, PLAINLY);
const scratch = mkdtempSync(join(tmpdir(), 'proftui-parts-'));
after(() => rmSync(scratch, { recursive: true }));

test('events that not all parts record are said to be so, and make no formula with others', async () => {
  const part = (n: number, events: string, lines: string) => `part: ${n}\npositions: line\nevents: ${events}\nfl=a.c\n${lines}\n`;
  const profile = await loadText(
    callgrind,
    `${part(1, 'Ir', 'fn=b\n2 9000')}\n${part(2, 'Ir I1mr D1mr D1mw ILmr DLmr DLmw', 'fn=a\n1 1000 0 5 5 0 10 0')}`,
  );
  assert.match((profile.notes ?? []).join('\n'), /I1mr is recorded in 1 of 2 parts, and 5 more events not in all/);
  const events = allEvents(profile.events, []);
  assert.match(events.find(({ name }) => name === 'D1mr')?.longName ?? '', /, in 1 part only$/);
  // L1m is of events of the same part; CEst and a ratio would mix both.
  assert.ok(events.some(({ name }) => name === 'L1m'));
  assert.ok(!events.some(({ name }) => name === 'CEst'));
  assert.throws(() => deriveEvent('MPKI=1000 D1mr/Ir', events), /events beside \/ that the same parts record/);
  assert.doesNotMatch(saidText(profile), /cache misses|estimated cycles/);
  const whole = await loadText(callgrind, part(1, 'Ir I1mr D1mr D1mw ILmr DLmr DLmw', 'fn=a\n1 1000 0 5 5 0 10 0'));
  assert.ok(allEvents(whole.events, ['MPKI=1000 D1mr/Ir']).some(({ name }) => name === 'CEst'));
});

test('two files that state their totals, one of them without a part of its rows: no difference is told', async () => {
  const file = (a: number, b: number) => loadText(callgrind, `events: Ir\nsummary: 1000\nfl=a.c\nfn=a\n1 ${a}\nfn=b\n2 ${b}\n`);
  const [most, part] = [await file(300, 690), await file(300, 0)];
  const both = compared(part, most);
  const text = saidText(both);
  assert.match(
    text,
    /total-summary: The routines of this run add up to 30\.00% of the total that it states, those of the base to 99\.00%/,
  );
  assert.doesNotMatch(text, /is gone|fell|Overall/);
  const limit = parseLimit('Ir < -10%');
  assert.throws(() => checkLimit(limit, analyse(both, both.events)), /differences may be in what is missing/);
  // A little is missing: it is told, and larger differences are, too.
  const little = saidText(compared(await file(600, 380), await file(300, 699)));
  assert.match(little, /add up to 98\.00% of the total that it states, those of the base to 99\.90%/);
  assert.match(little, /work moved from b to a|self cost of a rose from 300 to 600/);
  // Both lack as much: what changed between their rows did change.
  assert.match(saidText(compared(await file(690, 300), await file(300, 690))), /work moved from b to a: 390 less there/);
});

test('a log of CTest without its end is cut, and its last test has no result', async () => {
  const block = (n: number, verdict: string) =>
    `${n}/3 Testing: t${n}\n${n}/3 Test: t${n}\nCommand: "/b/t${n}"\nDirectory: /b\nOutput:\n-----\nok\n<end of output>\nTest time =   1.00 sec\n-----\nTest ${verdict}.\n"t${n}" time elapsed: 00:00:01\n-----\n\n`;
  const log = `Start testing: Nov 29 10:00 UTC\n-----\n${block(1, 'Passed')}${block(2, 'Failed')}${block(3, 'Passed')}End testing: Nov 29 10:00 UTC\n`;
  const load = (text: string) => {
    mkdirSync(join(scratch, 'Testing/Temporary'), { recursive: true });
    writeFileSync(join(scratch, 'Testing/Temporary/LastTest.log'), text);
    return loadProfile([scratch]);
  };
  const results = (p: Profile) =>
    p.kind === 'steps' ? (p.steps.tests ?? []).map(({ name, status }) => `${name} ${status}`) : [];
  const complete = ['t1 passed', 't2 failed', 't3 passed'];
  const whole = await load(log);
  assert.equal(whole.cut, undefined);
  assert.deepEqual(results(whole), complete);
  const lines = log.split('\n');
  for (let n = 16; n < lines.length - 2; n++) {
    const cut = await load(lines.slice(0, n).join('\n'));
    assert.match(cut.cut?.found ?? '', /the end of the file after \d of 3 tests/, `cut at line ${n}`);
    // What it says of a test is what the whole log says.
    for (const result of results(cut)) assert.ok(complete.includes(result), `cut at line ${n}: ${result}`);
  }
});

/** A build of CMake, loaded; its tree is removed. */
async function build(snippets: readonly Snippet[]): Promise<Profile> {
  const { tree } = treeOf(snippets);
  try {
    return await loadProfile([tree]);
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}
const whole = (timeStart: number, duration: number, command: string, result = 0): Snippet => ({
  ...{ role: 'cmakeBuild', timeStart, duration, command, result },
});

test('each build of a record has its own -j, and the last one tells whether it failed', async () => {
  const first = Array.from({ length: 16 }, (_, k) => compile((k % 2) * 1000, 1000, `f${k}.c`));
  const then = Array.from({ length: 4 }, (_, k) => compile(100_000 + k * 1000, 1000, `g${k}.c`));
  const two = await build([
    ...first,
    whole(0, 2000, 'cmake --build . -j8'),
    ...then,
    whole(100_000, 4000, 'cmake --build . -j1'),
  ]);
  assert.doesNotMatch(saidText(two), /-j 8/);
  const analysis = analyse(two, two.events);
  if (!isOfKind(analysis, 'steps')) throw new Error('no steps');
  for (const { fromUs, possible } of narrowWindows(analysis)) assert.equal(possible, fromUs < 50e6 ? 8 : 1);
  const failing = await build([
    ...[compile(0, 500, 'a.c', { result: 1 }), whole(0, 500, 'cmake --build . -j1', 1)],
    ...[compile(60_000, 500, 'a.c'), whole(60_000, 500, 'cmake --build . -j1')],
  ]);
  const failed = (profile: Profile) => checkLimit(parseLimit('build failed'), analyse(profile, profile.events)).exceeded;
  assert.match(saidText(failing), /1 of 2 builds in this record failed.*; the last build did not fail/);
  assert.equal(failed(failing), false);
  assert.equal(failed(await build([compile(0, 500, 'a.c', { result: 1 }), whole(0, 500, 'cmake --build . -j1', 1)])), true);
});

test('builds that ran at once take the time from the first start to the last end', async () => {
  const trees = [0, 1000].map((at) => treeOf([compile(at, 4000, 'a.c'), whole(at, 4000, 'cmake --build . -j2')]).tree);
  try {
    const both = await loadProfile(trees);
    const analysis = analyse(both, both.events);
    if (!isOfKind(analysis, 'steps')) throw new Error('no steps');
    assert.equal(buildDurationUs(analysis), 5e6);
  } finally {
    for (const tree of trees) rmSync(tree, { recursive: true });
  }
});

test('a step whose dependencies are unknown has no time at which it was ready, and no cause', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-dyndep-'));
  const rule = (name: string, more = '') => `rule ${name}\n  command = ${name} $in > $out\n${more}`;
  const object = (name: string) => `build ${name}.cpp.o: cc ${name}.cpp || CXX.dd\n  dyndep = CXX.dd\n`;
  writeFileSync(
    join(folder, 'build.ninja'),
    `ninja_required_version = 1.10\n${rule('scan')}${rule('collate')}${rule('cc', '  deps = gcc\n  depfile = $out.d\n')}${rule('ld')}` +
      `build a.ddi: scan a.cpp\nbuild CXX.dd: collate a.ddi\n${object('a')}${object('b')}build app: ld a.cpp.o b.cpp.o\n`,
  );
  const times = [
    [0, 100, 'a.ddi'],
    [100, 200, 'CXX.dd'],
    [200, 3200, 'a.cpp.o'],
    [3200, 7200, 'b.cpp.o'],
    [7200, 8000, 'app'],
  ];
  writeFileSync(
    join(folder, '.ninja_log'),
    `# ninja log v5\n${times.map(([from, to, out], k) => `${from}\t${to}\t0\t${out}\t${k + 1}`).join('\n')}\n`,
  );
  const profile = await loadProfile([join(folder, '.ninja_log')]);
  rmSync(folder, { recursive: true });
  const analysis = analyse(profile, profile.events);
  if (!isOfKind(analysis, 'steps')) throw new Error('no steps');
  const { links } = criticalPath(analysis);
  // The path goes on with the step that ended last before it, which it may have needed.
  assert.deepEqual(
    links.map(({ waited }) => waited),
    ['start', 'needs', 'needs', 'after', 'needs'],
  );
  for (const i of [2, 3]) {
    assert.ok(Number.isNaN(readyUs(analysis, i)), `step ${i}`);
    assert.equal(stepWait(analysis, i), undefined, `step ${i}`);
  }
});

test('a share that a few large samples make is called uncertain', async () => {
  const sample = (k: number, period: number, name: string) =>
    `app 7/7 ${(10 + k / 1000).toFixed(6)}: ${period} cycles:u: \n\t401136 ${name}+0x6 (/srv/app)\n\n`;
  const samples = (large: number) =>
    loadText(
      perfScript,
      Array.from({ length: 600 }, (_, k) => sample(k, 1000, 'work')).join('') +
        Array.from({ length: large }, (_, k) => sample(600 + k, 1e6, 'startup')).join(''),
    );
  assert.match(saidText(await samples(3)), /few-samples: startup has 83\.33% in only 3 of 603 samples: its share is uncertain/);
  assert.doesNotMatch(saidText(await samples(200)), /few-samples/);
});

test('stacks that the sampler cut at its limit are found, and deep recursion is not taken for it', async () => {
  /** A sample whose stack is `leaf`, `depth` times visit, render and main, as far as a limit of frames lets it be. */
  const sample = (k: number, depth: number, limit: number, root = 'main') => {
    const frames = ['leaf', ...Array.from({ length: depth }, () => 'visit'), 'render', root].slice(0, limit);
    return `app 7/7 ${(10 + k / 1000).toFixed(6)}: 1000 cycles:u: \n${frames.map((f) => `\t401136 ${f}+0x6 (/srv/app)\n`).join('')}\n`;
  };
  const load = (depthOf: (k: number) => number, limit: number, root?: string) =>
    loadText(perfScript, Array.from({ length: 300 }, (_, k) => sample(k, depthOf(k), limit, root)).join(''));
  const isCut = (profile: Profile) => profile.warnings.some(({ sign }) => sign === 'STACKS CUT');
  for (const limit of [127, 64, 32, 126])
    assert.ok(isCut(await load((k) => (k % 3 === 0 ? 5 : 100 + (k % 7) * 40), limit)), `a limit of ${limit}`);
  // Whole stacks: of any depth, all of one depth, and of one that is a limit, where the first caller is nowhere inside.
  assert.ok(!isCut(await load((k) => k, 1000)));
  assert.ok(!isCut(await load(() => 124, 1000)));
  assert.ok(!isCut(await load((k) => (k % 2 === 0 ? 124 : 3), 1000)));
  // The first caller is inside other stacks, but the depths run out evenly.
  assert.ok(!isCut(await load((k) => k % 126, 1000, 'visit')));
  // 29 frames are no limit's.
  assert.ok(!isCut(await load((k) => (k % 3 === 0 ? 5 : 400), 24)));
});

test('V8 cuts stacks at 128 frames: a recording of 300 nested calls says so', async () => {
  const deep = await loadProfile([join(FIXTURES, 'heapprofile/deep.heapprofile.gz')]);
  assert.match(deep.warnings.find(({ sign }) => sign === 'STACKS CUT')?.found ?? '', /exactly 128 frames/);
});
