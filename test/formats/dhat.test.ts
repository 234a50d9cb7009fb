// DHAT: the totals that Valgrind printed for the same runs, a program whose allocations are known, and files that are wrong.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { routineFile, routineName } from '../../src/analysis/names/names.ts';
import { FormatError } from '../../src/base/problem.ts';
import { dhat } from '../../src/formats/dhat.ts';
import { checkProfile } from '../../src/model/check.ts';
import { eventValue, exactValue } from '../../src/model/head.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { loadBytes, loadText } from '../support/load.ts';

const FOLDER = join(FIXTURES, 'dhat');

async function load(name: string) {
  const profile = profileOf(await loadBytes(dhat, readFileSync(join(FOLDER, `${name}.dhat.json`))), 'stacks');
  assert.deepEqual(checkProfile(profile), []);
  const { totals } = analysisOf(profile, 'stacks');
  const event = (of: string) => {
    const found = profile.events.find((e) => e.name === of);
    assert.ok(found, of);
    return found;
  };
  return {
    profile,
    total: (of: string) => Number(exactValue(event(of), totals.total, 0)),
    /** Self and inclusive cost of a routine, of all places with the name. */
    cost: (of: string, name_: string) =>
      Array.from(profile.routines.name.keys())
        .filter((r) => routineName(profile, r) === name_)
        .reduce(
          ([self, all], r) => [self + eventValue(event(of), totals.self, r), all + eventValue(event(of), totals.inclusive, r)],
          [0, 0],
        ),
  };
}

for (const name of ['alloc', 'words', 'words-stripped', 'copies'])
  test(`${name}: the totals are those that Valgrind printed`, async () => {
    const { total } = await load(name);
    const said = readFileSync(join(FOLDER, `${name}.valgrind.txt`), 'utf8');
    let checked = 0;
    const compare = (pattern: RegExp, ...events: readonly string[]) => {
      const m = pattern.exec(said);
      if (!m) return;
      checked++;
      assert.deepEqual(
        events.map(total),
        m.slice(1).map((text) => Number(text.replaceAll(',', ''))),
      );
    };
    const names = name === 'copies' ? (['copied_space', 'copies'] as const) : (['alloc_space', 'alloc_objects'] as const);
    compare(/Total: +([\d,]+) bytes in ([\d,]+) blocks/, ...names);
    compare(/t-gmax: +([\d,]+) bytes in ([\d,]+) blocks/, 'peak_space', 'peak_objects');
    compare(/t-end: +([\d,]+) bytes in ([\d,]+) blocks/, 'inuse_space', 'inuse_objects');
    compare(/Reads: +([\d,]+) bytes/, 'reads');
    compare(/Writes: +([\d,]+) bytes/, 'writes');
    assert.equal(checked, name === 'copies' ? 1 : 5);
  });

test('a program whose allocations are known: they belong to what called malloc, not to malloc', async () => {
  const { cost, profile } = await load('alloc');
  // churn: blocks of 100 to 149 bytes, freed; keep: 20 blocks of 1,000 by make, and a list of 20 pointers that is enlarged to 40.
  const churned = Array.from({ length: 50 }, (_, i) => 100 + i).reduce((a, b) => a + b, 0);
  assert.deepEqual(cost('alloc_space', 'make'), [churned + 20_000, churned + 20_000]);
  assert.deepEqual(cost('alloc_space', 'churn'), [0, churned]);
  assert.deepEqual(cost('alloc_space', 'keep'), [20 * 8 + 40 * 8, 20 * 8 + 40 * 8 + 20_000]);
  assert.deepEqual(cost('inuse_objects', 'make'), [10, 10]);
  assert.deepEqual(cost('alloc_space', 'malloc'), [0, 0]);
  assert.equal(cost('reads', 'churn')[1], churned);
  assert.match(profile.notes!.join(), /4 frames of Valgrind's allocator left out|3 frames of Valgrind's allocator left out/);
});

test('ad-hoc events, frames without a place, and counts beyond 2^53', async () => {
  const { profile, total, cost } = await load('edge');
  assert.deepEqual(
    profile.events.map((e) => e.name),
    ['units', 'events'],
  );
  assert.equal(total('events'), 4);
  const { totals } = analysisOf(profile, 'stacks');
  assert.equal(exactValue(profile.events[0], totals.total, 0), 9007199254740997n);
  const names = Array.from(profile.routines.name, (_, r) => routineName(profile, r)).sort();
  assert.deepEqual(names, ['(no stack)', '0x...', '0x... [x (deleted).so]', 'operator()(int) const']);
  assert.deepEqual(cost('events', '0x...'), [1, 1]);
});

test('places of Rust have a column behind the line: a function is one routine, whatever its lines', async () => {
  const [heap, frames] = [
    [100, 50, 7].map((tb, i) => ({ ...{ tb, tbk: 1, tl: 1, mb: tb, mbk: 1, gb: tb, gbk: 1, eb: 0, ebk: 0 }, fs: [1, i + 2] })),
    [
      '[root]',
      '0x1: app::fill (src/fill.rs:7:13)',
      ...[20, 21, 21].map((line, i) => `0x${i}2: app::main (src/main.rs:${line}:${i + 5})`),
    ],
  ];
  const file = {
    dhatFileVersion: 2,
    mode: 'rust-heap',
    verb: 'Allocated',
    cmd: 'app',
    pid: 1,
    tg: 5,
    te: 9,
    pps: heap,
    ftbl: frames,
  };
  const profile = profileOf(await loadText(dhat, JSON.stringify(file)), 'stacks');
  const { totals } = analysisOf(profile, 'stacks');
  const rows = Array.from(profile.routines.name, (_, r) => [
    routineName(profile, r),
    routineFile(profile, r),
    eventValue(profile.events[0], totals.self, r),
    eventValue(profile.events[0], totals.inclusive, r),
  ]);
  assert.deepEqual(rows, [
    ['app::fill', 'src/fill.rs', 157, 157],
    ['app::main', 'src/main.rs', 0, 157],
  ]);
});

test('what is wrong is said, with its place', async () => {
  const refused = (text: string, expected: RegExp) =>
    assert.rejects(
      loadText(dhat, text),
      (e) => e instanceof FormatError && expected.test(e.problem.expected) && e.problem.offset !== undefined,
    );
  await refused('{"dhatFileVersion":3,"pps":[],"ftbl":[]}', /version 2/);
  await refused('{"dhatFileVersion":2,"pps":[{"tb":1,"tbk":1,"fs":[4]}],"ftbl":["[root]"]}', /number of a frame/);
  await refused('{"dhatFileVersion":2,"pps":[{"tb":"x","fs":[]}],"ftbl":["[root]"]}', /number as tb/);
  await refused('{"dhatFileVersion":2,"pps":[{"tb":1,"fs":[]}]}', /ftbl/);
  await refused('{"dhatFileVersion":2,"pps":[],"ftbl":[]}', /program points/);
});

test('points that lack a number of the others are counted, and files of equal points are sound', async () => {
  const file = (points: readonly object[]) =>
    JSON.stringify({ dhatFileVersion: 2, pps: points, ftbl: ['[root]', '0x1: f (a.c:1)'] });
  const whole = { tb: 6, tbk: 2, fs: [1] };
  assert.deepEqual((await loadText(dhat, file([whole, whole]))).warnings, []);
  const { warnings } = await loadText(dhat, file([whole, { tb: 5, fs: [1] }, { tbk: 1, fs: [1] }]));
  assert.deepEqual(
    warnings.map(({ expected, found }) => [expected, found]),
    [['tb, tbk of every program point', '2 points without one of them; it counts as 0']],
  );
});
