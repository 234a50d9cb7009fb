// GCC's reports against their own sums, read by another expression.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { changesOf } from '../../src/analysis/answers/steps/changes.ts';
import { compileRows, compilesOf } from '../../src/analysis/answers/steps/compiles.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
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
