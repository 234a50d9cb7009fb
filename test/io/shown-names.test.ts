// The displayed names of routines, and the pairs of two builds whose recorded names differ.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { eventInMeasure } from '../../src/analysis/answers/compared/measure.ts';
import { exportedName, findRoutines, recordedNameOf, routineName } from '../../src/analysis/names/names.ts';
import { shortName } from '../../src/analysis/names/short.ts';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { loadProfile } from '../../src/io/load.ts';
import { findProgram } from '../../src/io/programs.ts';
import { checkProfile } from '../../src/model/check.ts';
import { eventValue } from '../../src/model/head.ts';
import type { Profile } from '../../src/model/profile.ts';
import { PLAINLY } from '../support/versus.ts';

async function load(text: string, name = 'callgrind.out.1'): Promise<Profile> {
  const path = join(mkdtempSync(join(tmpdir(), 'proftui-')), name);
  writeFileSync(path, text);
  const profile = await loadProfile([path]);
  assert.deepEqual(checkProfile(profile), []);
  return profile;
}

/** A Callgrind file: routine k has k + 1 lines of cost 1. */
const callgrindText = (names: readonly string[], file = 'a.c') =>
  `events: Ir\nfl=${file}\n${names.map((name, k) => `fn=${name}\n1 ${k + 1}\n`).join('')}`;

const namesOf = (profile: Profile) => Array.from(profile.routines.name.keys(), (r) => routineName(profile, r));

/** Recorded and displayed names. Of C++ and Rust as c++filt and rustfilt have them, without the suffix. */
const NAMES: readonly (readonly [recorded: string, shown: string])[] = [
  ['main', 'main'],
  ['work.constprop.0', 'work'],
  ['scan.isra.12.part.3', 'scan'],
  ['parse.part.0.cold', 'parse [cold]'],
  ['copy.lto_priv.0.cold.7', 'copy [cold]'],
  ["walk.isra.0'2", "walk'2"],
  ["walk.constprop.1'main", "walk'main"],
  [
    "once@@GLIBC_2.34'std::__timepunct<wchar_t>::_M_initialize_timepunct(__locale_struct*)",
    "once'std::__timepunct<wchar_t>::_M_initialize_timepunct(__locale_struct*)",
  ],
  ["main'scan.isra.0'walk@@V_1.0", "main'scan'walk"],
  ['_Z3foov.constprop.0', 'foo()'],
  ['_Z3barv.cold', 'bar() [cold]'],
  ["_Z3bazi'2", "baz(int)'2"],
  ['_Z3quxiPc@@VERS_1', 'qux(int, char*)'],
  ['strlen@plt', 'strlen'],
  ['memcpy@@GLIBC_2.34', 'memcpy'],
  ['qsort@GLIBC_2.2.5', 'qsort'],
  ['png_read@@PNG16_0', 'png_read'],
  ['_ZN2ab2cd17h7b6e470314c3c592E.llvm.99', 'ab::cd'],
  ['{closure:/srv/www/app/Slow.php:30-34}', '{closure app/Slow.php:30}'],
  ['App\\Slow->{closure:/srv/www/lib/Fast.php:7-7}', 'App\\Slow->{closure lib/Fast.php:7}'],
  ['require_once::/srv/www/lib/autoload.php', 'require_once::lib/autoload.php'],
  ['include::/srv/www/a.php', 'include::a.php'],
  // Names that only look like these.
  ['user@host', 'user@host'],
  ['run.part', 'run.part'],
  ['Config.hot', 'Config.hot'],
  ['operator"" _km', 'operator"" _km'],
  ['example.com/x.F', 'example.com/x.F'],
  ['libc.so.6+0x1f0', 'libc.so.6+0x1f0'],
  ['f2', 'f2'],
  ['<impl T for [u8; 4]>', '<impl T for [u8; 4]>'],
];

test('names are shown without what changes from build to build, and found by either name', async () => {
  const profile = await load(callgrindText(NAMES.map(([recorded]) => recorded)));
  assert.deepEqual(
    namesOf(profile),
    NAMES.map(([, shown]) => shown),
  );
  NAMES.forEach(([recorded, shown], r) => {
    assert.equal(recordedNameOf(profile, r), recorded === shown ? undefined : recorded);
    assert.equal(exportedName(profile, r), recorded);
    for (const wanted of [recorded, shown]) assert.deepEqual(findRoutines(profile, wanted), [r], wanted);
  });
});

test('functions that differ in what is not shown are numbered, and stay rows of their own in every width', async () => {
  const names = [
    '_ZN2ab2cd17h7b6e470314c3c592E',
    '_ZN2ab2cd17hd69396997e117d33E',
    'work',
    'work.constprop.0',
    'work.constprop.1',
    'other',
  ];
  const profile = await load(callgrindText(names));
  assert.deepEqual(namesOf(profile), ['ab::cd#1', 'ab::cd#2', 'work#1', 'work#2', 'work#3', 'other']);
  for (let width = 7; width < 12; width++) {
    const short = namesOf(profile).map((_, r) => shortName(profile, r, width));
    assert.equal(new Set(short).size, names.length, short.join());
    for (const name of short) assert.ok(name.length <= width, name);
  }
  assert.deepEqual(findRoutines(profile, 'work'), [2, 3, 4]);
});

test('sampled stacks keep clones apart, and merge other spellings of one name', async () => {
  const lines = ['main;work.constprop.0 3', 'main;work.constprop.1 4', 'main;work 5', 'main;_ZN1AC1Ev 6', 'main;_ZN1AC2Ev 7'];
  const profile = await load(`${lines.join('\n')}\n`, 'x.folded');
  const { totals } = analyse(profile, profile.events);
  const costs = new Map(namesOf(profile).map((name, r) => [name, eventValue(profile.events[0], totals.self, r)]));
  assert.deepEqual(
    [...costs].filter(([, cost]) => cost > 0),
    [
      ['work#1', 3],
      ['work#2', 4],
      ['work#3', 5],
      ['A::A()', 13],
    ],
  );
});

test('lines in the names of Python stay where they tell functions apart, and the routine’s own file does not', async () => {
  const names = ['main:10', 'work:20', 'work:40', 'run /srv/a.py:7', 'run /srv/b.py:7', 'a.py:3'];
  const profile = await load(callgrindText(names, '/srv/a.py'));
  assert.deepEqual(namesOf(profile), ['main', 'work:20', 'work:40', 'run', 'run /srv/b.py:7', 'a.py:3']);
});

test('D is demangled where c++filt is installed', { skip: findProgram('c++filt') === undefined }, async () => {
  assert.deepEqual(namesOf(await load(callgrindText(['_D3foo3barFiZv', '_D3', '_Dx']))), ['foo.bar(int)', '_D3', '_Dx']);
});

/** `name: before → now` of every routine of two runs of `names`, sorted. */
async function compared(now: readonly string[], before: readonly string[]): Promise<string[]> {
  const both = compareProfiles(await load(callgrindText(now)), await load(callgrindText(before)), PLAINLY);
  const analysis = analyse(both, both.events);
  const value = (measure: 'now' | 'before', r: number) =>
    eventValue(eventInMeasure(analysis, analysis.events[0], measure), analysis.totals.self, r);
  return namesOf(both)
    .map((name, r) => `${name}: ${value('before', r)} → ${value('now', r)}`)
    .sort();
}

const HASHES = ['7b6e470314c3c592', 'd69396997e117d33', '0123456789abcdef', 'fedcba9876543210'];
const rust = (hash: number) => `_ZN2ab2cd17h${HASHES[hash]}E`;

test('of two runs, equal displayed names are one row, and several that a build renamed are too', async () => {
  assert.deepEqual(await compared(['f.constprop.4', 'g@@V_2.0'], ['f.constprop.0', 'g@V_1.9']), ['f: 1 → 1', 'g: 2 → 2']);
  // The same recorded names: nothing was renamed.
  assert.deepEqual(await compared([rust(0), rust(1)], [rust(1), rust(0)]), ['ab::cd#1: 2 → 1', 'ab::cd#2: 1 → 2']);
  // Other hashes: nothing records which is which.
  assert.deepEqual(await compared([rust(0), rust(1)], [rust(2), rust(3)]), ['ab::cd: 3 → 3']);
  assert.deepEqual(await compared([rust(0), rust(1), 'z'], [rust(2), 'z']), ['ab::cd: 1 → 3', 'z: 2 → 3']);
  assert.deepEqual(await compared(['w'], ['w', 'w.isra.0']), ['w: 3 → 1']);
  const closure = (folder: string, line: number) => `{closure:/${folder}/Slow.php:${line}-${line + 4}}`;
  assert.deepEqual(await compared([closure('srv/new', 33)], [closure('srv', 30)]), ['{closure Slow.php:33}: 1 → 1']);
});
