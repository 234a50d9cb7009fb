// The traces that clang leaves beside its objects: found where the build tree is now, never outside it, and dated against the step.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { stepName, stepText } from '../../src/analysis/answers/steps/steps.ts';
import { COMPILE_TABLES, compileRows, compilesOf } from '../../src/analysis/builds/compiles.ts';
import { type SumsByName, sumCompileTrace } from '../../src/formats/trace-events/compile.ts';
import { collectBuild } from '../../src/io/builds/cmake-builds.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import { stringAt } from '../../src/model/strings.ts';
import { unpack } from '../support/bundle.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';

/** Where the fixture was built. */
const RECORDED = '/opt/proftui-demo/tidepool/out/ninja-accumulated/build';
const DATA = '.cmake/instrumentation/v1/data';
const TRACE = readMaybeGz(join(FIXTURES, 'trace-events/clang-time-trace/parse.json'));

type Snippet = Record<string, unknown>;

/** A build tree that has moved since. */
function tree(): string {
  const build = join(unpack(join(FIXTURES, 'cmake/tidepool-ninja-accumulated.json')), 'build');
  writeFileSync(join(build, 'CMakeCache.txt'), `CMAKE_CACHEFILE_DIR:INTERNAL=${RECORDED}\n`);
  return build;
}

/** The snippet of the one compile of parse.cpp. */
function snippet(build: string): { path: string; value: Snippet } {
  const name = readdirSync(join(build, DATA)).find(
    (n) => n.startsWith('compile-') && /src\/parse\.cpp"/.test(readFileSync(join(build, DATA, n), 'utf8')),
  )!;
  const path = join(build, DATA, name);
  return { path, value: JSON.parse(readFileSync(path, 'utf8')) as Snippet };
}

function change(build: string, by: Snippet): Snippet {
  const { path, value } = snippet(build);
  const changed = { ...value, ...by };
  writeFileSync(path, JSON.stringify(changed));
  return changed;
}

/** Writes a file of the tree, as old as the end of the step and some milliseconds. */
function put(build: string, name: string, afterMs = 0): string {
  const { value } = snippet(build);
  const path = join(build, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, TRACE);
  const seconds = (Number(value['timeStart']) + Number(value['duration']) + afterMs) / 1000;
  utimesSync(path, seconds, seconds);
  return path;
}

async function tracesOf(path: string): Promise<[name: string, trace: string, caveat: string | null][]> {
  const profile = profileOf(await loadProfile([path]), 'steps');
  assert.deepEqual(checkProfile(profile), []);
  return Array.from(profile.steps.trace.keys())
    .filter((i) => profile.steps.trace[i] >= 0)
    .map((i) => [stepName(profile, i), stepText(profile, 'trace', i)!, stepText(profile, 'traceCaveat', i)]);
}

const STEP = 'compile: /opt/proftui-demo/tidepool/src/parse.cpp';
const OBJECT = 'CMakeFiles/core.dir/src/parse.cpp.o';
const asked = { command: `/usr/bin/clang++ -ftime-trace -o ${OBJECT} -c /opt/proftui-demo/tidepool/src/parse.cpp` };

test('the fixture is as these tests take it', () => {
  const { value } = snippet(tree());
  assert.equal(value['workingDir'], RECORDED);
  assert.deepEqual(value['outputs'], [OBJECT]);
  assert.equal(value['source'], STEP.slice('compile: '.length));
});

test('a trace beside the object is found, wherever the tree is and whatever of it is opened', async () => {
  const build = tree();
  change(build, asked);
  assert.deepEqual(await tracesOf(build), []);
  const trace = put(build, 'CMakeFiles/core.dir/src/parse.cpp.json');
  put(build, 'CMakeFiles/core.dir/src/other.cpp.json');
  for (const part of ['', '.cmake', DATA]) assert.deepEqual(await tracesOf(join(build, part)), [[STEP, trace, null]], part);
  assert.deepEqual(await tracesOf(snippet(build).path), [[STEP, trace, null]]);
  const moved = join(dirname(build), 'moved');
  renameSync(build, moved);
  assert.deepEqual(await tracesOf(moved), [[STEP, join(moved, 'CMakeFiles/core.dir/src/parse.cpp.json'), null]]);
});

test('-ftime-trace=PATH: a file, or a folder, seen from where the compiler ran', async () => {
  for (const [option, at] of [
    ['"-ftime-trace=traces/of parse.json"', 'traces/of parse.json'],
    ['-ftime-trace="traces/of parse.json"', 'traces/of parse.json'],
    ['-ftime-trace=one.json', 'one.json'],
    ['-ftime-trace=traces', 'traces/parse.cpp.json'],
    ['-ftime-trace=traces/', 'traces/parse.cpp.json'],
    [`-ftime-trace=${RECORDED}/elsewhere.json`, 'elsewhere.json'],
  ]) {
    const build = tree();
    change(build, { command: `clang++ ${option} -c parse.cpp` });
    const trace = put(build, at);
    put(build, 'CMakeFiles/core.dir/src/parse.cpp.json');
    assert.deepEqual(await tracesOf(build), [[STEP, trace, null]], option);
  }
});

test('a trace that another compile wrote says so', async () => {
  const caveat = async (afterMs: number, by: Snippet = asked) => {
    const build = tree();
    change(build, by);
    put(build, 'CMakeFiles/core.dir/src/parse.cpp.json', afterMs);
    return (await tracesOf(build))[0][2];
  };
  assert.equal(await caveat(900), null);
  assert.match((await caveat(3_600_000))!, /^newer than this step: written 2026-11-21 \d\d:\d\d:\d\d UTC, by a later compile$/);
  assert.match((await caveat(-3_600_000))!, /^older than this step: written .* by an earlier compile$/);
  assert.equal(await caveat(0, {}), 'its command has no -ftime-trace');
  // What a response file says is not known.
  assert.equal(await caveat(0, { command: 'clang++ @flags.rsp -c parse.cpp' }), null);
});

test('only regular files inside the build tree are taken', async () => {
  const build = tree();
  const outside = join(dirname(build), 'outside.json');
  writeFileSync(outside, TRACE);
  for (const by of [
    { outputs: ['../outside.o'] },
    { outputs: ['CMakeFiles/../../outside.o'] },
    { outputs: [join(dirname(build), 'outside.o')] },
    { outputs: [], command: `clang++ -ftime-trace=${outside}` },
    { outputs: [], command: 'clang++ -ftime-trace=../outside.json' },
    { workingDir: dirname(build), outputs: ['outside.o'] },
    { workingDir: '/', outputs: ['etc/passwd.o'] },
  ]) {
    change(build, by);
    assert.deepEqual(await tracesOf(build), [], JSON.stringify(by));
  }
  change(build, { outputs: [OBJECT], workingDir: RECORDED, ...asked });
  const json = join(build, 'CMakeFiles/core.dir/src/parse.cpp.json');
  mkdirSync(json, { recursive: true });
  assert.deepEqual(await tracesOf(build), [], 'a folder');
  rmSync(json, { recursive: true });
  if (spawnSync('mkfifo', [json]).status === 0) assert.deepEqual(await tracesOf(build), [], 'a pipe');
  rmSync(json, { force: true });
  put(build, 'CMakeFiles/core.dir/src/parse.cpp.json');
  assert.equal((await tracesOf(build)).length, 1);
  // Without its cache nothing says that this is the tree of the record.
  writeFileSync(join(build, 'CMakeCache.txt'), 'CMAKE_CACHEFILE_DIR:INTERNAL=/another/build\n');
  assert.deepEqual(await tracesOf(build), []);
  rmSync(join(build, 'CMakeCache.txt'));
  assert.deepEqual(await tracesOf(build), []);
});

test('a kept build finds the traces of its tree, t opens them, and one of a later build is marked', async () => {
  const build = tree();
  change(build, asked);
  const index = join(build, DATA, 'index/index-2026-01-01T00-00-01-0000.json');
  mkdirSync(dirname(index), { recursive: true });
  writeFileSync(
    index,
    JSON.stringify({ version: 1, hook: 'postBuild', snippets: readdirSync(join(build, DATA)).filter((n) => /\.json$/.test(n)) }),
  );
  const kept = (await collectBuild(index))!;
  const trace = put(build, 'CMakeFiles/core.dir/src/parse.cpp.json', 60_000);
  rmSync(join(build, '.cmake'), { recursive: true });
  const found = await tracesOf(kept);
  assert.deepEqual(
    found.map(([name, path]) => [name, path]),
    [[STEP, trace]],
  );
  assert.match(found[0][2]!, /^newer than this step/);
  const p = play(await loadProfile([kept]), { width: 100, height: 24 });
  p.press('steps', '/').type('parse.cpp').press('enter', 'enter', 'enter');
  assert.equal(p.effects.at(-1), 'open');
  // The kept file alone, in another folder, has no tree.
  const alone = join(dirname(build), 'main.json.gz');
  renameSync(kept, alone);
  assert.deepEqual(await tracesOf(alone), []);
});

test('a kept build keeps what the compilers did, not their traces', async () => {
  const build = tree();
  change(build, asked);
  put(build, 'CMakeFiles/core.dir/src/parse.cpp.json');
  const index = join(build, DATA, 'index/index-2026-01-01T00-00-01-0000.json');
  mkdirSync(dirname(index), { recursive: true });
  const snippets = readdirSync(join(build, DATA)).filter((n) => /\.json$/.test(n));
  writeFileSync(index, JSON.stringify({ version: 1, hook: 'postBuild', snippets }));
  const before = profileOf(await loadProfile([build]), 'steps');
  const kept = (await collectBuild(index))!;
  const alone = join(dirname(build), 'build.json.gz');
  renameSync(kept, alone);
  rmSync(build, { recursive: true });
  const after = profileOf(await loadProfile([alone]), 'steps');
  assert.deepEqual(checkProfile(after), []);
  const rows = (profile: typeof before) => {
    const analysis = analysisOf(profile, 'steps');
    return COMPILE_TABLES.map((table) => compileRows(analysis, table).map(({ at: _, ...row }) => row));
  };
  assert.ok(rows(before)[0].length > 5);
  assert.deepEqual(rows(after), rows(before));
  const { units, phaseUses } = compilesOf(after);
  assert.ok(phaseUses.us.length > 5);
  assert.deepEqual(phaseUses, compilesOf(before).phaseUses);
  assert.equal(stepName(after, units.step[0]), STEP);
  assert.equal(units.trace[0], -1);
});

test('a template that is instantiated within itself has its time once, in its set, too', () => {
  const slice = (name: string, ts: number, dur: number, detail: string) => ({ ph: 'X', tid: 1, name, ts, dur, args: { detail } });
  const sums = sumCompileTrace(
    Buffer.from(
      JSON.stringify({
        traceEvents: [
          { ph: 'X', tid: 1, name: 'Frontend', ts: 0, dur: 100 },
          slice('InstantiateFunction', 10, 50, 'f<int>'),
          slice('InstantiateFunction', 20, 30, 'f<int>'),
          slice('InstantiateFunction', 30, 5, 'f<long>'),
          slice('InstantiateFunction', 70, 10, 'f<int>'),
        ],
      }),
    ),
  );
  assert.ok(sums);
  const rows = ({ name, us, selfUs, count }: SumsByName) =>
    Array.from(name, (id, row) => [stringAt(sums.strings, id), us[row], selfUs[row], count[row]]);
  assert.deepEqual(rows(sums.templates), [
    ['f<int>', 60, 55, 3],
    ['f<long>', 5, 5, 1],
  ]);
  assert.deepEqual(rows(sums.templateSets), [['f<$>', 60, 60, 2]]);
});

/** Pairs of begins and ends, as clang 19 writes includes. */
const NEW_CLANG = `{"traceEvents":[
{"pid":1,"tid":1,"ts":5,"ph":"b","id":0,"cat":"Source","name":"Source","args":{"detail":"/a.h"}},
{"pid":1,"tid":1,"ts":9,"ph":"b","id":0,"cat":"Source","name":"Source","args":{"detail":"/x/../b.h"}},
{"pid":1,"tid":1,"ts":20,"ph":"e","id":0,"cat":"Source","name":"Source"},
{"pid":1,"tid":1,"ts":30,"ph":"e","id":0,"cat":"Source","name":"Source"},
{"pid":1,"tid":1,"ts":1,"ph":"X","dur":50,"name":"Frontend"},
{"pid":1,"tid":1,"ts":0,"ph":"X","dur":60,"name":"ExecuteCompiler"}],"beginningOfTime":1}`;
/** A compile that took a microsecond, without headers. */
const SHORT =
  '{"traceEvents":[{"pid":1,"tid":1,"ts":0,"ph":"X","dur":1,"name":"ExecuteCompiler"},{"pid":1,"tid":1,"ts":0,"ph":"X","dur":1,"name":"Frontend"}],"beginningOfTime":1}';

test('a single trace has the headers, templates and functions that it has in a folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-trace-'));
  const known = ['parse', 'maps', 'regexes', 'regexes-coarse'].map((name) =>
    readMaybeGz(join(FIXTURES, `trace-events/clang-time-trace/${name}.json`)),
  );
  writeFileSync(join(folder, 'short.json'), SHORT);
  for (const trace of [...known, NEW_CLANG]) {
    const path = join(folder, 'one.json');
    writeFileSync(path, trace);
    const [alone, among] = [analysisOf(await loadProfile([path]), 'steps'), analysisOf(await loadProfile([folder]), 'steps')];
    checkProfile(alone.profile);
    for (const table of ['headers', 'templates', 'template sets', 'functions', 'includes'] as const) {
      const rows = ([one, whole]: [typeof alone, typeof table]) =>
        compileRows(one, whole).map(({ name, us, selfUs, count, otherUs }) => ({ name, us, selfUs, count, otherUs }));
      assert.deepEqual(rows([alone, table]), rows([among, table]), table);
    }
    const { units } = compilesOf(alone.profile);
    assert.equal(units.totalUs[0], alone.profile.steps.durationUs[units.step[0]]);
    assert.equal(stepName(alone.profile, units.step[0]), 'ExecuteCompiler');
  }
  const newest = compileRows(analysisOf(await loadProfile([join(folder, 'one.json')]), 'steps'), 'headers');
  assert.deepEqual(
    newest.map(({ name, us, selfUs }) => [name, us, selfUs]),
    [
      ['/a.h', 25, 14],
      ['/b.h', 11, 11],
    ],
  );
});
