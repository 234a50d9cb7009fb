// Kept builds: what they say of themselves, which one is taken where nobody chooses, and several of them together.

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import test from 'node:test';
import { BuildSummary } from '../../src/formats/cmake/about.ts';
import { resolveRuns } from '../../src/io/base.ts';
import { collectBuild } from '../../src/io/builds/cmake-builds.ts';
import { type ProfileFile, resolvePaths, resolvePathsOrRecent, resolveWithoutScreen } from '../../src/io/find.ts';
import { loadProfile } from '../../src/io/load.ts';
import { stringAt } from '../../src/model/strings.ts';
import { unpack } from '../support/bundle.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { profileOf } from '../support/kinds.ts';
import { long } from '../support/long.ts';
import { runWarm } from '../support/warm.ts';

/** What callbacks saw, collected: by the name of the set, such as 03-postCMakeBuild. */
async function collected(bundle: string): Promise<Map<string, string>> {
  const sets = join(unpack(join(FIXTURES, `cmake/${bundle}.json`)), 'kept');
  const out = new Map<string, string>();
  for (const set of readdirSync(sets)) {
    const indexes = join(sets, set, '.cmake/instrumentation/v1/data/index');
    for (const index of existsSync(indexes) ? readdirSync(indexes) : []) {
      const kept = await collectBuild(join(indexes, index));
      if (kept) out.set(set, kept);
    }
  }
  return out;
}

/** A build tree with these kept builds, the last one the newest. */
function tree(kept: readonly string[]): { build: string; paths: string[] } {
  const build = mkdtempSync(join(tmpdir(), 'proftui-kept-'));
  mkdirSync(join(build, '.proftui'));
  const paths = kept.map((path, k) => {
    const to = join(build, '.proftui', `build-2026-11-21T0${k}-00-00-0000-1-${k}.json.gz`);
    copyFileSync(path, to);
    utimesSync(to, 1e9 + k, 1e9 + k);
    return to;
  });
  return { build, paths };
}

long('a kept build says what it was: hook, steps, duration, result', async () => {
  for (const bundle of ['tidepool-ninja-hooks', 'tidepool-make-hooks', 'tidepool-ninja-failing', 'tidepool-make-failing']) {
    for (const [set, path] of await collected(bundle)) {
      const { paths } = tree([path, path]);
      const resolved = resolvePaths([join(paths[0], '../..')]);
      const about = 'found' in resolved ? resolved.found[0].about : undefined;
      assert.ok(about, set);
      const profile = profileOf(await loadProfile([path]), 'steps');
      const { steps } = profile;
      const roles = new Set(Array.from(steps.role, (id) => stringAt(profile.strings, id)));
      assert.equal(about.hook, /-(\w+)$/.exec(set)?.[1], set);
      assert.equal(about.steps, steps.name.length, set);
      const ends = Array.from(steps.name.keys(), (i) => steps.startUs[i] + steps.durationUs[i]).filter((us) => us >= 0);
      // Milliseconds between stages belong to none.
      const idleMs = about.idleMs ?? 0;
      assert.ok(idleMs < 20, set);
      assert.equal((about.durationMs ?? Number.NaN) + idleMs, ends.length > 0 ? Math.max(...ends) / 1000 : 0, set);
      if (roles.has('compile')) assert.equal(about.what, 'build', set);
      if (/postCTest/.test(set)) assert.equal(about.what, 'tests', set);
      if (/postCMakeInstall/.test(set)) assert.equal(about.what, 'install', set);
      if (/postGenerate/.test(set)) assert.equal(about.what, 'configure', set);
      if (/failing/.test(bundle) && /postCMakeBuild/.test(set)) assert.equal(about.failed, true, set);
      if (/hooks/.test(bundle) && /postCMakeBuild/.test(set)) assert.equal(about.failed, false, set);
    }
  }
  const snippet = (role: string, command: string) => ({ role, command, timeStart: 5, duration: 2, result: 0 });
  const aboutSteps = (hook: string, snippets: readonly unknown[]) => {
    const summary = new BuildSummary();
    for (const s of snippets) summary.add(s);
    return summary.buildInfo(hook);
  };
  const what = (...list: [role: string, command: string][]) =>
    aboutSteps(
      'postBuild',
      list.map(([r, c]) => snippet(r, c)),
    ).what;
  assert.equal(what(['cmakeBuild', 'cmake --build b --target clean'], ['custom', 'cmake -P clean.cmake']), 'clean');
  assert.equal(what(['cmakeBuild', 'cmake --build b --clean-first'], ['compile', 'cc']), 'build');
  assert.equal(what(['build', ''], ['custom', '/usr/bin/ctest --force-new-ctest-process']), 'tests');
  assert.equal(what(['custom', 'mkwaves']), 'build', 'a project of custom commands');
  assert.equal(what(['build', '']), 'nothing');
  assert.equal(aboutSteps('postBuild', [undefined, [], {}]).steps, 1);
});

test('without a screen the newest build is taken, not an install or tests; --base FOLDER takes the newest other build', async () => {
  const sets = await collected('tidepool-ninja-hooks');
  const of = (name: string) => sets.get([...sets.keys()].find((set) => set.endsWith(name)) ?? '') ?? assert.fail(name);
  const [first, install, tests] = [of('postCMakeBuild'), of('postCMakeInstall'), of('postCTest')];
  const { build, paths } = tree([first, first, install, tests]);
  assert.deepEqual(resolveWithoutScreen([build]), [paths[1]]);
  assert.deepEqual(resolveRuns([build], [paths[1]]), [[paths[0]]]);
  assert.deepEqual(resolveRuns([build], ['elsewhere']), [[paths[1]]]);
  const all = join(build, '.proftui/*.gz');
  assert.deepEqual(
    resolveRuns([all], [paths[1]]),
    [[paths[0]]],
    'of all that was kept, what is a build, and not the one that is open',
  );
  const one = tree([first]);
  assert.deepEqual(resolveRuns([one.build, build], [paths[1]]), [one.paths, [paths[0]]], 'two trees: two runs');
  assert.throws(() => resolveRuns([one.build], one.paths), /only the one that is open/);
  const none = tree([install, tests]);
  assert.throws(() => resolveRuns([none.build], [first]), /another profile to compare with, found none that is comparable/);
  assert.deepEqual(resolveWithoutScreen([none.build]), [none.paths[1]], 'the newest, where none is a build');
  const { code, out } = runWarm([build, '--base', build, '--print', 'changes', '--json']);
  assert.equal(code, 0);
  const rows = (JSON.parse(out) as { rows: { kind: string }[] }).rows;
  assert.ok(rows.length > 10 && rows.every((r) => r.kind === 'same'));
});

test('--base FOLDER takes a build of the same configuration, where that is known', async () => {
  const about = (path: string) => {
    const resolved = resolvePaths([join(path, '../..')]);
    return ('found' in resolved ? resolved.found : []).find((f: ProfileFile) => f.path === path)?.about?.configs;
  };
  // tidepool-ninja-hooks was built as Debug, ninja-content without a configuration of that name or with another.
  const all: string[] = [];
  for (const bundle of ['tidepool-ninja-hooks', 'tidepool-ninja-workflow', 'tidepool-ninja-failing'])
    all.push(...(await collected(bundle)).values());
  const { build, paths } = tree(all);
  for (const open of paths) {
    const own = about(open);
    if (!own?.length) continue;
    const [[base]] = resolveRuns([build], [open]);
    assert.notEqual(base, open);
    const theirs = about(base);
    assert.ok(!theirs?.length || own.some((c) => theirs.includes(c)), `${own} and ${theirs}`);
  }
});

test('several kept builds share one origin: the earliest step of all', async () => {
  const sets = [...(await collected('tidepool-ninja-hooks'))]
    .filter(([set]) => /postCMakeBuild|postCTest/.test(set))
    .map(([, path]) => path);
  assert.ok(sets.length >= 2);
  const alone = await Promise.all(sets.map(async (path) => profileOf(await loadProfile([path]), 'steps')));
  const absolute = alone.flatMap(({ steps }) => Array.from(steps.startUs, (us) => us + (steps.originUs ?? Number.NaN)));
  for (const paths of [sets, [...sets].reverse()]) {
    const { steps, parts } = profileOf(await loadProfile(paths), 'steps');
    assert.equal(steps.originUs, Math.min(...absolute.filter((us) => us >= 0)));
    const numbers = (list: readonly number[]) => list.filter((us) => us >= 0).sort((a, b) => a - b);
    assert.deepEqual(numbers(Array.from(steps.startUs, (us) => us + (steps.originUs ?? Number.NaN))), numbers(absolute));
    assert.deepEqual(
      parts.map((p) => p.path),
      paths,
    );
    assert.ok(
      steps.gauges.every((g) => g.us.every((us) => us >= -1e6 && us < 1e12)),
      'the host is drawn at the same time',
    );
  }
  assert.ok(readFileSync(sets[0]).length > 0);
});

long('each compile of a kept build says how ccache served it, by the log of statistics', async () => {
  const index = (folder: string) => {
    const indexes = join(folder, 'kept/02-postCMakeBuild/.cmake/instrumentation/v1/data/index');
    return join(indexes, readdirSync(indexes)[0]);
  };
  const compilesOf = async (path: string) => {
    const profile = profileOf(await loadProfile([path]), 'steps');
    const { steps } = profile;
    const compiles = Array.from(steps.name.keys()).filter((i) => stringAt(profile.strings, steps.role[i]) === 'compile');
    return compiles.map((i) => {
      const [source, folder, word] = [steps.source[i], steps.directory[i], steps.cache[i]].map((id) =>
        stringAt(profile.strings, id),
      );
      return { path: resolve(folder, source), folder, word };
    });
  };
  const plain = await collectBuild(index(unpack(join(FIXTURES, 'cmake/mbedtls-ninja.json'))));
  const compiles = await compilesOf(plain ?? '');
  assert.ok(compiles.length > 50 && compiles.every(({ word }) => word === ''));
  // A hit in both of the ways that ccache has, a miss, two that it cannot serve, and one by its path from the folder of the build.
  const words = ['direct_cache_hit', 'preprocessed_cache_hit', 'cache_miss', 'unsupported_compiler_option', 'recache'];
  const log = join(mkdtempSync(join(tmpdir(), 'proftui-cache-')), 'stats.log');
  const said = (k: number) => words[k % words.length];
  const named = ({ path, folder }: { path: string; folder: string }, k: number) => (k % 7 === 3 ? relative(folder, path) : path);
  const isTwice = ({ path }: { path: string }) => compiles.filter((c) => c.path === path).length > 1;
  const alone = compiles.filter((c) => !isTwice(c)).slice(1);
  const lines = alone.map((compile, k) => `# ${named(compile, k)}\n${said(k)}\ndirect_cache_miss\nlocal_storage_write\n`);
  // A source that is compiled twice, with different results.
  const twice = compiles.find(isTwice);
  assert.ok(twice && lines.length > 20);
  writeFileSync(log, `${lines.join('')}# ${twice.path}\ncache_miss\n# ${twice.path}\ndirect_cache_hit\n`);
  process.env['CCACHE_STATSLOG'] = log;
  const kept = await collectBuild(index(unpack(join(FIXTURES, 'cmake/mbedtls-ninja.json'))));
  delete process.env['CCACHE_STATSLOG'];
  const expected = (k: number) => (k % 5 < 2 ? 'hit' : k % 5 === 2 ? 'miss' : said(k));
  const place = new Map(alone.map(({ path }, k) => [path, expected(k)]));
  for (const { path, word } of await compilesOf(kept ?? '')) assert.equal(word, place.get(path) ?? '', path);
  const { out } = runWarm([kept ?? '', '--print', 'steps', '--json']);
  const rows = (JSON.parse(out) as { rows: { cache?: string }[] }).rows;
  assert.equal(rows.filter(({ cache }) => cache === 'miss').length, lines.filter((_, k) => k % 5 === 2).length);
});

test('a folder without a profile offers the folders in it that have some, before recent files', () => {
  const at = mkdtempSync(join(tmpdir(), 'proftui-above-'));
  const recent: ProfileFile[] = [{ path: '/elsewhere/callgrind.out.1', format: 'callgrind', bytes: 9, modifiedMs: 0 }];
  const offered = (named: readonly string[]) => {
    const resolved = resolvePathsOrRecent(named, recent);
    if ('paths' in resolved) return resolved.paths;
    return { ...resolved, found: resolved.found.map(({ path, format }) => `${relative(at, path)} ${format}`) };
  };
  const profile = join(FIXTURES, 'callgrind/default.callgrind.out');
  const copyTo = (folder: string, name: string) => {
    mkdirSync(join(at, folder), { recursive: true });
    copyFileSync(profile, join(at, folder, name));
  };
  mkdirSync(join(at, 'src'));
  assert.throws(() => resolvePathsOrRecent([at], recent), /a profile in this folder/);
  copyTo('a/runs', 'callgrind.out.1');
  assert.deepEqual(offered([at]), [join(at, 'a/runs/callgrind.out.1')], 'the only one is opened');
  copyTo('b', 'callgrind.out.1');
  copyTo('b', 'callgrind.out.2');
  utimesSync(join(at, 'b'), 1e9, 1e9);
  const two = ['a/runs callgrind', 'b callgrind'];
  assert.deepEqual(offered([at]), { folder: at, found: two, more: false });
  // More folders than are searched.
  for (let k = 0; k < 200; k++) mkdirSync(join(at, 'src', `part-${k}`));
  assert.deepEqual(offered([at]), { folder: at, found: two, more: true });
});
