// Which routine of one run is which of another: one test for each step, and for what no step may do.
import assert from 'node:assert/strict';
import test from 'node:test';
import { analyse } from '../../../src/analysis/answers/analyse.ts';
import { eventInMeasure } from '../../../src/analysis/answers/compared/measure.ts';
import { routineFile, routineName } from '../../../src/analysis/names/names.ts';
import { type CompareOptions, compareProfiles } from '../../../src/analysis/profiles/compare/compare.ts';
import { matchPaths } from '../../../src/analysis/profiles/compare/match.ts';
import { parseRename } from '../../../src/analysis/profiles/compare/renames.ts';
import { ChoiceError } from '../../../src/base/errors.ts';
import { callgrind } from '../../../src/formats/callgrind/index.ts';
import { pairingName } from '../../../src/model/canonical-name.ts';
import { eventValue } from '../../../src/model/head.ts';
import { MATCH_KINDS } from '../../../src/model/profile.ts';
import { loadText } from '../../support/load.ts';
import { long } from '../../support/long.ts';
import { PLAINLY } from '../../support/versus.ts';

/** A routine by object, file and name, and its self cost. */
type Spec = readonly [object: string, file: string, name: string, cost: number];

const profile = (specs: readonly Spec[]) =>
  loadText(callgrind, `events: Ir\n${specs.map(([ob, fl, fn, cost]) => `ob=${ob}\nfl=${fl}\nfn=${fn}\n1 ${cost}\n`).join('')}`);

/** `name: before -> now by` of every routine, sorted. */
async function matched(before: readonly Spec[], now: readonly Spec[], options: Partial<CompareOptions> = {}): Promise<string[]> {
  const both = compareProfiles(await profile(now), await profile(before), { ...PLAINLY, ...options });
  const analysis = analyse(both, both.events);
  const value = (measure: 'now' | 'before', r: number) =>
    eventValue(eventInMeasure(analysis, analysis.events[0], measure), analysis.totals.self, r);
  return Array.from(both.routines.name.keys(), (r) => {
    const by = MATCH_KINDS[both.compared?.match[r] ?? 0];
    return `${routineName(both, r)}: ${value('before', r)} -> ${value('now', r)} ${by}`;
  }).sort();
}

test('same name, file and object; then paths that end alike', async () => {
  assert.deepEqual(await matched([['/a/app', '/a/x.c', 'f', 1]], [['/a/app', '/a/x.c', 'f', 2]]), ['f: 1 -> 2 same']);
  const before: Spec[] = [
    ['/v1/app', '/v1/src/x.c', 'f', 1],
    ['/v1/app', '/v1/lib/x.c', 'f', 10],
  ];
  const now: Spec[] = [
    ['/v2/app', '/v2/lib/x.c', 'f', 20],
    ['/v2/app', '/v2/src/x.c', 'f', 2],
  ];
  assert.deepEqual(await matched(before, now), ['f: 1 -> 2 paths', 'f: 10 -> 20 paths']);
});

test('paths by the longest common end, never two to one; --path-map says what the ends do not', () => {
  const of = (now: string[], before: string[], maps: [string, string][] = []) => Array.from(matchPaths(now, before, maps));
  assert.deepEqual(of(['/v2/src/x.c', '/v2/lib/x.c'], ['/v1/lib/x.c', '/v1/src/x.c']), [1, 0]);
  assert.deepEqual(of(['/b/x.c', '/c/x.c'], ['/a/x.c']), [-1], 'two fit');
  assert.deepEqual(of(['/b/x.c', '/c/x.c'], ['/a/x.c'], [['/a', '/c']]), [1]);
  assert.deepEqual(of(['/same/x.c'], ['/old/x.c', '/same/x.c']), [-1, 0], 'the same path first');
  assert.deepEqual(of(['x.c', ''], ['', 'x.c']), [1, 0]);
  const many = Array.from({ length: 20_000 }, (_, i) => `/p${i}/x.c`);
  const started = performance.now();
  assert.equal(
    of(
      many,
      many.map((path) => `${path}c`),
    ).every((n) => n === -1),
    true,
  );
  assert.ok(performance.now() - started < 10_000);
});

test('the name alone, where only one routine of each run has it', async () => {
  assert.deepEqual(await matched([['/o', '/a.c', 'f', 1]], [['/o2', '/b.c', 'f', 2]]), ['f: 1 -> 2 name']);
  const two: Spec[] = [
    ['/o2', '/b.c', 'f', 2],
    ['/o2', '/c.c', 'f', 3],
  ];
  assert.deepEqual(await matched([['/o', '/a.c', 'f', 1]], two), ['f: 0 -> 2 none', 'f: 0 -> 3 none', 'f: 1 -> 0 none']);
  // One of them is matched already.
  assert.deepEqual(await matched([['/o', '/a.c', 'f', 1]], [['/o', '/a.c', 'f', 2], two[0]]), [
    'f: 0 -> 2 none',
    'f: 1 -> 2 same',
  ]);
});

test('clones go to their function among what is left over, and two rows of a run stay two', async () => {
  assert.deepEqual(await matched([['/o', '/a.c', 'f.isra.0', 1]], [['/o', '/a.c', 'f', 2]]), ['f: 1 -> 2 clone']);
  assert.deepEqual(
    await matched(
      [['/o', '/a.c', 'f', 1]],
      [
        ['/o', '/a.c', 'f', 2],
        ['/o', '/a.c', 'f.cold', 3],
      ],
    ),
    ['f.cold: 0 -> 3 none', 'f: 1 -> 2 same'],
  );
  for (const name of ["f'2", 'f.part.0', 'f.cold', 'f.isra.0.cold', 'f.constprop.1', "f.part.0'3", 'f [clone .isra.0]'])
    assert.equal(pairingName(name), 'f', name);
  for (const name of ['f.parted', 'operator()', 'a.b', "f'x"]) assert.equal(pairingName(name), name, name);
});

test('names that hold a path or a line are matched without it, several of a file in the order of lines', async () => {
  const closure = (folder: string, lines: string) => `{closure:${folder}/Slow.php:${lines}}`;
  const file = '/srv/app/Slow.php';
  assert.deepEqual(
    await matched(
      [
        ['', file, closure('/srv/app', '30-34'), 1],
        ['', file, closure('/srv/app', '90-91'), 5],
        ['', file, 'require_once::/srv/app/Slow.php', 7],
        ['', file, 'Loop.run /opt/py/events.py:678', 9],
        ['', file, 'work:20', 2],
      ],
      [
        ['', file, closure('/srv/app-new', '95-96'), 6],
        ['', file, closure('/srv/app-new', '33-37'), 2],
        ['', file, 'require_once::/srv/app-new/Slow.php', 8],
        ['', file, 'Loop.run /opt/py3/events.py:681', 10],
        ['', file, 'work:25', 3],
      ],
    ),
    [
      'Loop.run /opt/py3/events.py:681: 9 -> 10 clone',
      'require_once::/srv/app-new/Slow.php: 7 -> 8 clone',
      'work:25: 2 -> 3 clone',
      `${closure('/srv/app-new', '33-37')}: 1 -> 2 clone`,
      `${closure('/srv/app-new', '95-96')}: 5 -> 6 clone`,
    ],
  );
  // Clones of one function have no order: two of each run stay apart.
  assert.deepEqual(
    await matched(
      [
        ['', file, 'f.part.0', 1],
        ['', file, 'f.cold', 2],
      ],
      [
        ['', file, 'f.part.1', 3],
        ['', file, 'f.isra.0', 4],
      ],
    ),
    ['f.cold: 2 -> 0 none', 'f.isra.0: 0 -> 4 none', 'f.part.0: 1 -> 0 none', 'f.part.1: 0 -> 3 none'],
  );
  for (const name of ['example.com/x/y.F', 'operator/', 'a::b<c/d>', 'lists:map/2', 'std::ratio<1, 1000>', 'C:x'])
    assert.equal(pairingName(name), name, name);
  assert.equal(pairingName('C:\\app\\run.php:5'), 'run.php');
  assert.equal(pairingName('core::fmt::write::h0123456789abcdef'), 'core::fmt::write');
});

test('code without symbols is one routine an object, never matched by its address, unless no address moved', async () => {
  const before: Spec[] = [
    ['/lib.so', '???', '0x1000', 1],
    ['/lib.so', '???', '0x2000', 2],
    ['/lib.so', '/a.c', 'f', 5],
  ];
  const now: Spec[] = [
    ['/lib.so', '???', '0x1000', 10],
    ['/lib.so', '???', '0x3000', 20],
    ['/lib.so', '???', '0x4000', 30],
    ['/lib.so', '/a.c', 'f', 6],
  ];
  assert.deepEqual(await matched(before, now), ['[lib.so]: 3 -> 60 no symbols', 'f: 5 -> 6 same']);
  assert.deepEqual(await matched(before, before), ['0x1000: 1 -> 1 same', '0x2000: 2 -> 2 same', 'f: 5 -> 5 same']);
  assert.deepEqual(await matched([['/v1/lib.so', '???', '0x1', 1]], [['/v2/lib.so', '???', '0x2', 2]]), [
    '[lib.so]: 1 -> 2 no symbols',
  ]);
});

test('--rename: a name, with its arguments; an expression with groups; one that fits nothing is refused', async () => {
  const before: Spec[] = [
    ['/o', '/a.c', 'old_one(int)', 1],
    ['/o', '/a.c', 'old_two(int)', 2],
    ['/o', '/a.c', 'kept', 3],
  ];
  const now: Spec[] = [
    ['/o', '/a.c', 'new_one(int)', 10],
    ['/o', '/a.c', 'new_two(int)', 20],
    ['/o', '/a.c', 'kept', 30],
  ];
  const by = (...texts: string[]) => matched(before, now, { renames: texts.map(parseRename) });
  assert.deepEqual(await by('old_one=new_one'), [
    'kept: 3 -> 30 same',
    'new_one(int): 1 -> 10 renamed',
    'new_two(int): 0 -> 20 none',
    'old_two(int): 2 -> 0 none',
  ]);
  const both = ['kept: 3 -> 30 same', 'new_one(int): 1 -> 10 renamed', 'new_two(int): 2 -> 20 renamed'];
  assert.deepEqual(await by('/^old_(\\w+)/=new_$1'), both);
  assert.deepEqual(await by('old_one(int)=new_one(int)', 'old_two=new_two'), both);
  for (const wrong of ['nothing=new_one', 'old_one=nothing', 'kept=new_one']) await assert.rejects(by(wrong), ChoiceError, wrong);
  for (const wrong of ['', 'a', '=b', 'a=', '/(/=b']) assert.throws(() => parseRename(wrong), ChoiceError, wrong);
  assert.equal(parseRename('operator===same').newNameOf('operator=='), 'same');
});

test('paths of this run are those that are shown, and rows of the base keep theirs for its sources', async () => {
  const both = compareProfiles(
    await profile([['/v2/o', '/v2/a.c', 'f', 1]]),
    await profile([['/v1/o', '/v1/a.c', 'f', 2]]),
    PLAINLY,
  );
  assert.equal(routineFile(both, 0), '/v2/a.c');
  assert.ok(both.compared);
  assert.equal(routineFile(both.compared.before, 0), '/v1/a.c');
});

long('a hundred thousand names that only one of the runs has take no longer than reading them', async () => {
  const specs = (name: string) => Array.from({ length: 100_000 }, (_, i): Spec => ['/app', '/x.c', `${name}${i}`, 1]);
  const [now, before] = [await profile(specs('new')), await profile(specs('old'))];
  const started = performance.now();
  assert.equal(compareProfiles(now, before, PLAINLY).routines.name.length, 200_000);
  // A watchdog: it takes half a second.
  assert.ok(performance.now() - started < 10_000);
});

long('a rename of many namesakes pairs them by their places, however many there are', async () => {
  const specs = (name: string, folder: string) =>
    Array.from({ length: 60_000 }, (_, i): Spec => ['/app', `/${folder}/x${i}.c`, name, 1]);
  const only: Spec = ['/app', '/same/x.c', 'old', 5];
  const before = await profile([...specs('old', 'before').map(([o, f, n, c], i): Spec => [o, `${f}${i}`, n, c]), only]);
  const now = await profile([...specs('new', 'now'), ['/app', '/same/x.c', 'new', 6]]);
  const started = performance.now();
  const { compared } = compareProfiles(now, before, { ...PLAINLY, renames: [parseRename('old=new')] });
  assert.equal(compared?.match.filter((by) => MATCH_KINDS[by] === 'renamed').length, 1);
  // A watchdog: it takes half a second.
  assert.ok(performance.now() - started < 10_000);
});
