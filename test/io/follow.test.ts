// What is still being written: torn files, commands that run, and which files to read next.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  constants,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, runsLate, stepName, stepText, tookBeforeUs } from '../../src/analysis/answers/steps/steps.ts';
import { cmake } from '../../src/formats/cmake/index.ts';
import { inputStamp, pathsToFollow } from '../../src/io/find.ts';
import { openFolder } from '../../src/io/folder.ts';
import { loadProfile } from '../../src/io/load.ts';
import { runningCommandsIn } from '../../src/io/running.ts';
import { checkProfile } from '../../src/model/check.ts';
import type { Profile } from '../../src/model/profile.ts';
import { Sink } from '../../src/model/sink.ts';
import { followPath } from '../../src/tui/following.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { profileOf } from '../support/kinds.ts';
import { long } from '../support/long.ts';

const DATA = '.cmake/instrumentation/v1/data';

function tree(): string {
  const build = mkdtempSync(join(tmpdir(), 'proftui-live-'));
  mkdirSync(join(build, DATA), { recursive: true });
  return build;
}

const snippet = (source: string, startMs: number, duration: number) =>
  JSON.stringify({
    ...{ version: 1, role: 'compile', source, target: 'app', outputs: [`${source}.o`], outputSizes: [1], result: 0 },
    ...{ command: `c++ -o ${source}.o -c ${source}`, workingDir: '/b', timeStart: startMs, duration },
  });
const put = (build: string, k: number, text: string) =>
  writeFileSync(join(build, DATA, `compile-${`${k}`.padStart(20, '0')}-2026-11-22T08-00-00-0000.json`), text);

test('a file that is not whole yet is no error while it is followed, and is one else', async () => {
  const build = tree();
  put(build, 1, snippet('a.cpp', 1e12, 500));
  put(build, 2, snippet('b.cpp', 1e12, 700).slice(0, 60));
  const live = profileOf(await loadProfile([build], { live: true }), 'steps');
  assert.deepEqual(checkProfile(live), []);
  assert.equal(live.steps.name.length - (live.steps.live?.running.step.length ?? 0), 1);
  assert.deepEqual(live.warnings, []);
  const plain = await loadProfile([build]);
  assert.equal(plain.warnings.length, 1);
  put(build, 2, snippet('b.cpp', 1e12, 700));
  assert.equal(profileOf(await loadProfile([build], { live: true }), 'steps').steps.name.length, 2);
});

test('commands that run are steps up to now, beside what they took in the last build', async () => {
  const build = tree();
  const now = Date.now();
  put(build, 1, snippet('a.cpp', now - 9000, 500));
  mkdirSync(join(build, '.proftui'));
  const about = { what: 'build', hook: 'postBuild', steps: 2, durationMs: 20_000, failed: false, startMs: now - 1e6 };
  const course = {
    keys: ['compile app b.cpp', 'compile app c.cpp'],
    ms: [2000, 9000],
    failed: [],
    targets: ['app'],
    target: [0, 0],
  };
  writeFileSync(
    join(build, '.proftui/build-2026-11-21T00-00-00-0000-1-a.json.gz'),
    `${JSON.stringify({ proftuiBuild: 1, about })}\n${JSON.stringify({ file: 'proftui/course.json', value: course })}\n`,
  );
  const sink = new Sink();
  sink.paths.push(build);
  const running = () => [
    { command: '/usr/bin/c++ -O2 -o CMakeFiles/app.dir/b.cpp.o -c b.cpp', startMs: now - 6000 },
    { command: '/usr/bin/c++ -O2 -o CMakeFiles/app.dir/c.cpp.o -c c.cpp', startMs: now - 3000 },
    { command: 'python3 make.py', startMs: now - 100 },
  ];
  await cmake.loadFolder?.({ ...openFolder(build), running }, sink, new AbortController().signal);
  const profile = profileOf(sink.finish('cmake'), 'steps');
  assert.deepEqual(checkProfile(profile), []);
  const { steps } = profile;
  const rows = Array.from(steps.name.keys(), (i) => [
    stepName(profile, i),
    isRunning(steps, i),
    tookBeforeUs(steps, i) / 1e6,
    runsLate(steps, i),
    stepText(profile, 'caveat', i),
  ]);
  assert.deepEqual(rows, [
    ['compile: a.cpp', false, Number.NaN, false, null],
    ['compile: b.cpp', true, 2, true, 'still running'],
    ['compile: c.cpp', true, 9, false, 'still running'],
    ['custom: python3 make.py', true, Number.NaN, false, 'still running'],
  ]);
  assert.ok(Math.abs(steps.durationUs[1] - 6e6) < 2e6);
  // The last build took 20 seconds; in this one, nothing ran for 2.5 seconds, which is no part of what a build takes.
  assert.equal((steps.live?.expectedEndUs ?? 0) - steps.startUs[0], 22.5e6);
});

test('of a first build: how many of the commands for all targets have run, and how long the others may take', async () => {
  const build = tree();
  const now = Date.now();
  const objects = Array.from({ length: 20 }, (_, k) => `${k}.cpp.o`);
  writeFileSync(
    join(build, 'build.ninja'),
    [
      'cmake_ninja_workdir = /b/',
      ...objects.map((o) => `build ${o}: CXX ${o.slice(0, -2)}`),
      `build libapp.a | libapp.log: AR ${objects.join(' ')}`,
      'build CMakeFiles/install.util: CUSTOM',
      'build install: phony CMakeFiles/install.util',
      'build docs.html: DOC docs.md',
      'build all: phony libapp.a',
      '',
    ].join('\n'),
  );
  for (let k = 0; k < 12; k++) put(build, k + 1, snippet(`${k}.cpp`, now - 13_000 + k * 1000, 1000));
  const load = async () => {
    const sink = new Sink();
    sink.paths.push(build);
    const running = () => [{ command: 'c++ -o 12.cpp.o -c 12.cpp', startMs: now - 1000 }];
    await cmake.loadFolder?.({ ...openFolder(build), running }, sink, new AbortController().signal);
    const profile = profileOf(sink.finish('cmake'), 'steps');
    assert.deepEqual(checkProfile(profile), []);
    return profile.steps.live;
  };
  const live = await load();
  assert.deepEqual(live?.made, { done: 12, of: 21 });
  // Twelve took 13 seconds with the one that runs: nine more take three quarters of that.
  const leftMs = ((live?.expectedEndUs ?? 0) - (live?.atUs ?? 0)) / 1000;
  assert.ok(Math.abs(leftMs - 9750) < 1000, `${leftMs}`);
  // A kept build says it better.
  mkdirSync(join(build, '.proftui'));
  const about = { what: 'build', hook: 'postBuild', steps: 21, jobs: 21, durationMs: 20_000, failed: false, startMs: now - 1e6 };
  const course = { keys: ['compile app 1.cpp'], ms: [900], failed: [], targets: ['app'], target: [0] };
  writeFileSync(
    join(build, '.proftui/build-2026-11-21T00-00-00-0000-1-a.json.gz'),
    `${JSON.stringify({ proftuiBuild: 1, about })}\n${JSON.stringify({ file: 'proftui/course.json', value: course })}\n`,
  );
  assert.equal((await load())?.made, undefined);
});

test('what runs below a build tool in the folder, and nothing else', { skip: process.platform !== 'linux' }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-tool-'));
  copyFileSync('/bin/sh', join(folder, 'make'));
  const child = spawn('./make', ['-c', 'sleep 30 & wait'], { cwd: folder, stdio: 'ignore' });
  try {
    let found = runningCommandsIn(folder);
    for (let k = 0; k < 100 && found?.length !== 1; k++) {
      await sleep(20);
      found = runningCommandsIn(folder);
    }
    assert.deepEqual(
      found?.map((r) => r.command),
      ['sleep 30'],
    );
    assert.ok(Math.abs((found?.[0].startMs ?? 0) - Date.now()) < 5000);
    assert.deepEqual(runningCommandsIn(mkdtempSync(join(tmpdir(), 'proftui-none-'))), []);
  } finally {
    spawn('pkill', ['-P', `${child.pid}`]).on('exit', () => child.kill());
  }
});

test('of a tree whose build was kept, that build; of Callgrind, the dumps as they appear', () => {
  const build = tree();
  assert.deepEqual(pathsToFollow(build), [build]);
  mkdirSync(join(build, '.proftui'));
  const kept = join(build, '.proftui/build-2026-11-21T00-00-00-0000-1-a.json.gz');
  writeFileSync(kept, `${JSON.stringify({ proftuiBuild: 1, about: { what: 'build', hook: 'postBuild' } })}\n`);
  assert.deepEqual(pathsToFollow(build), [kept]);
  const before = inputStamp(build);
  assert.equal(inputStamp(build), before);
  put(build, 1, snippet('a.cpp', 1e12, 5));
  assert.notEqual(inputStamp(build), before);
  assert.deepEqual(pathsToFollow(build), [build], 'another build runs');
  const folder = mkdtempSync(join(tmpdir(), 'proftui-dumps-'));
  const first = join(folder, 'callgrind.out.77.1');
  copyFileSync(join(FIXTURES, 'callgrind/toggle.callgrind.out'), first);
  assert.deepEqual(pathsToFollow(first), [first]);
  copyFileSync(first, join(folder, 'callgrind.out.77.2'));
  assert.equal(pathsToFollow(first).length, 2);
  rmSync(folder, { recursive: true });
});

long('following: each change is shown once, and nothing where nothing changes', async () => {
  const log = join(mkdtempSync(join(tmpdir(), 'proftui-log-')), '.ninja_log');
  writeFileSync(log, '# ninja log v5\n0\t5\t0\ta.o\tff\n');
  const shown: number[] = [];
  const rows = (profile: Profile) => (profile.kind === 'steps' ? profile.steps.name.length : -1);
  const stop = followPath(
    log,
    {},
    (profile) => shown.push(rows(profile)),
    (error) => assert.fail(String(error)),
  );
  try {
    const until = async (count: number) => {
      for (let k = 0; k < 300 && shown.length < count; k++) await sleep(20);
    };
    await until(1);
    // A line that is not whole is left for later.
    appendFileSync(log, '5\t9\t0\tb.o\tfe\n9\t12\t0\tc');
    await until(2);
    assert.deepEqual(shown, [1, 2]);
    await sleep(1300);
    assert.deepEqual(shown, [1, 2], 'nothing has changed');
  } finally {
    stop();
  }
});

test('a folder with a log alone is followed: by its file, which grows while the folder stays as it is', async () => {
  const build = mkdtempSync(join(tmpdir(), 'proftui-live-'));
  const log = join(build, '.ninja_log');
  assert.throws(() => pathsToFollow(build), /expected a profile in this folder/);
  assert.equal(inputStamp(build), inputStamp(build));
  writeFileSync(log, '# ninja log v5\n0\t10\t0\ta.o\t1\n');
  assert.deepEqual(pathsToFollow(build), [log]);
  const stamp = () => inputStamp(build, [log]);
  const before = stamp();
  assert.equal(stamp(), before);
  appendFileSync(log, '10\t20\t0\tb.o\t2\n');
  assert.notEqual(stamp(), before);
  const live = profileOf(await loadProfile(pathsToFollow(build), { live: true }), 'steps');
  assert.equal(live.steps.name.length, 2);
});

long('a followed folder whose log is gone for a moment says so, and is read again when it is there', async () => {
  const build = mkdtempSync(join(tmpdir(), 'proftui-live-'));
  const log = join(build, '.ninja_log');
  const write = (lines: string) => writeFileSync(log, `# ninja log v5\n${lines}`);
  write('0\t10\t0\ta.o\t1\n');
  const seen: string[] = [];
  const stop = followPath(
    build,
    {},
    (profile) => seen.push(`${profile.kind === 'steps' ? profile.steps.name.length : -1} steps`),
    (error) => seen.push(String(error)),
  );
  const until = async (count: number) => {
    for (let k = 0; k < 300 && seen.length < count; k++) await sleep(20);
  };
  try {
    await until(1);
    rmSync(log);
    await until(2);
    write('0\t10\t0\ta.o\t1\n10\t20\t0\tb.o\t2\n');
    await until(3);
    assert.deepEqual([seen.length, seen[0], seen[2]], [3, '1 steps', '2 steps']);
    assert.match(seen[1], /expected a profile in this folder, found none/);
  } finally {
    stop();
  }
});

long('a pipe in place of a followed file is refused, and a file after it is read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-pipe-'));
  const path = join(folder, 'callgrind.out.1');
  const put = () => copyFileSync(join(FIXTURES, 'callgrind/default.callgrind.out'), path);
  put();
  const shown: Profile[] = [];
  const failures: unknown[] = [];
  const stop = followPath(
    path,
    {},
    (profile) => shown.push(profile),
    (error) => failures.push(error),
  );
  const until = async (holds: () => boolean) => {
    for (let waited = 0; !holds() && waited < 20_000; waited += 50) await sleep(50);
    assert.ok(holds());
  };
  await until(() => shown.length === 1);
  rmSync(path);
  assert.equal(spawnSync('mkfifo', [path]).status, 0);
  // A writer that says nothing.
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  await until(() => failures.length === 1);
  assert.match(String(failures[0]), /expected a regular file, found a FIFO/);
  closeSync(fd);
  rmSync(path);
  put();
  await until(() => shown.length === 2);
  stop();
});
