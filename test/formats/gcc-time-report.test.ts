// GCC's reports against their own sums, read by another expression.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { changesOf } from '../../src/analysis/builds/changes.ts';
import { compileRows, compilesOf } from '../../src/analysis/builds/compiles.ts';
import { profilesIn } from '../../src/io/find.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import { stringAt } from '../../src/model/strings.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';

const FOLDER = join(FIXTURES, 'gcc-time-report');

for (const file of readdirSync(FOLDER).filter((name) => /\.(txt|log)$/.test(name))) {
  test(`${file}: units and phases are the sums of the file`, async () => {
    const profile = profileOf(await loadProfile([join(FOLDER, file)]), 'steps');
    assert.deepEqual(checkProfile(profile), []);
    const text = readFileSync(join(FOLDER, file), 'utf8');
    const wall = (pattern: RegExp) => [...text.matchAll(pattern)].map((m) => Math.round(Number(m[1]) * 100));
    const totals = wall(/^ TOTAL +: +[\d.]+ +[\d.]+ +([\d.]+) /gm);
    const { units } = compilesOf(profile);
    assert.deepEqual(
      Array.from(units.totalUs, (us) => Math.round(us / 1e4)),
      totals,
    );
    // Each phase is rounded to a hundredth of a second.
    units.totalUs.forEach((us, unit) => {
      assert.ok(Math.abs(units.frontendUs[unit] + units.backendUs[unit] - us) <= 50_000, `${file}, unit ${unit}`);
    });
    const rows = new Map(compileRows(analysisOf(profile, 'steps'), 'phases').map((r) => [r.name, r]));
    for (const phase of ['phase parsing', 'phase opt and generate', 'preprocessing']) {
      const said = wall(new RegExp(`^ ${phase} +: +[\\d.]+ \\([^)]*\\) +[\\d.]+ \\([^)]*\\) +([\\d.]+) `, 'gm'));
      const row = rows.get(phase);
      assert.equal(row && Math.round(row.us / 1e4), said.length === 0 ? undefined : said.reduce((a, b) => a + b, 0), phase);
    }
  });
}

test('each unit has its own phases of 1 % and more, in the order of the report', async () => {
  const path = join(FOLDER, 'make.log');
  const profile = profileOf(await loadProfile([path]), 'steps');
  const { phases, phaseUses, units } = compilesOf(profile);
  const own = Array.from(phaseUses.unit, (unit, k) => [
    unit,
    stringAt(profile.strings, phases.name[phaseUses.phase[k]]),
    phaseUses.us[k],
  ]);
  const said = readFileSync(path, 'utf8')
    .split('Time variable')
    .slice(1)
    .flatMap((report, unit) =>
      report.split('\n').flatMap((line) => {
        const us = Number(line.slice(65, 72)) * 1e6;
        return line[36] === ':' && !line.startsWith(' TOTAL') && us >= units.totalUs[unit] / 100
          ? [[unit, line.slice(1, 36).trim(), us]]
          : [];
      }),
    );
  assert.deepEqual(own, said);
  assert.ok(own.length > 20);
});

test('user and system time and memory of phases are the sums of the file, split at its columns', async () => {
  const path = join(FOLDER, 'two-units.log');
  const profile = profileOf(await loadProfile([path]), 'steps');
  const said = new Map<string, readonly [user: number, system: number, bytes: number]>();
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    // The name takes 36 columns, and each time 14 with its share.
    const [name, user, system, memory] = [line.slice(1, 36), line.slice(37, 44), line.slice(51, 58), line.slice(79, 86)];
    if (line[36] !== ':' || name.startsWith('TOTAL')) continue;
    const scale = memory.includes('M') ? 1024 ** 2 : memory.includes('k') ? 1024 : 1;
    const before = said.get(name.trim()) ?? [0, 0, 0];
    const own = [Number(user) * 100, Number(system) * 100, Number.parseInt(memory, 10) * scale];
    said.set(name.trim(), [before[0] + own[0], before[1] + own[1], before[2] + own[2]]);
  }
  assert.ok(said.size > 30);
  const rows = compileRows(analysisOf(profile, 'steps'), 'phases');
  assert.equal(rows.length, said.size);
  for (const { name, more } of rows) {
    const [user, system, bytes] = said.get(name) ?? [];
    assert.deepEqual(
      [more?.userUs, more?.systemUs].map((us) => Math.round((us ?? 0) / 1e4)),
      [user, system].map((s) => Math.round(s ?? Number.NaN)),
      name,
    );
    assert.equal(more?.bytes, bytes, name);
  }
});

test('units have the names that the build tool printed', async () => {
  const names = async (file: string) =>
    compileRows(analysisOf(profileOf(await loadProfile([join(FOLDER, file)]), 'steps'), 'steps'), 'units')
      .map((r) => r.name)
      .sort();
  assert.deepEqual(await names('two-units.log'), ['CMakeFiles/a.dir/a.cpp.o', 'CMakeFiles/b.dir/b.c.o']);
  assert.deepEqual(await names('make.log'), ['/opt/proftui-demo/gcc/a.cpp', '/opt/proftui-demo/gcc/b.c']);
  assert.deepEqual(await names('one.txt'), ['unit 1']);
});

test('the total is the sum of the units, though nothing says when they were compiled; so do two logs compare', async () => {
  const [one, two] = await Promise.all(['one.txt', 'make.log'].map((name) => loadProfile([join(FOLDER, name)])));
  for (const profile of [one, two]) {
    const { units } = compilesOf(profileOf(profile, 'steps'));
    const sum = units.totalUs.reduce((a, b) => a + b, 0);
    assert.ok(sum > 0);
    assert.equal(analysisOf(profileOf(profile, 'steps'), 'steps').totals.total[0][0], sum);
  }
  const changes = changesOf(analysisOf(profileOf(two, 'steps'), 'steps'), analysisOf(profileOf(one, 'steps'), 'steps'));
  assert.deepEqual(changes.map(({ kind, beforeUs, afterUs }) => `${kind} ${beforeUs} ${afterUs}`).sort(), [
    'gone 2940000 NaN',
    'new NaN 2170000',
    'new NaN 70000',
  ]);
});

test('the log of a build is found in its folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-gcc-'));
  copyFileSync(join(FOLDER, 'make.log'), join(folder, 'build.log'));
  writeFileSync(join(folder, 'make.log'), 'cc -c a.c\n');
  assert.deepEqual(
    profilesIn(folder).map(({ path, format }) => [path, format]),
    [[join(folder, 'build.log'), 'gcc-time-report']],
  );
});
