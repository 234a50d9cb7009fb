// Functions, callers and callees beside what callgrind_annotate of Valgrind 3.19 and KCachegrind 22.12 have of the same profile.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { readablePath } from '../../src/base/paths.ts';
import { rowsOf, wordsFor } from '../support/coming-from.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';

const FILES = { 'callgrind.out.1': 'callgrind/default.callgrind.out' };
const printed = (name: string) => readMaybeGz(join(FIXTURES, `callgrind/printed/default.${name}.txt`)).toString();
const here = (there: string) => wordsFor('callgrind_annotate', there);

type Costs = Readonly<Record<string, number>>;
interface Place {
  readonly routine: string;
  readonly file: string;
  readonly object: string;
}
interface Row extends Place {
  readonly calls: number;
  readonly self: Costs;
  readonly inclusive: Costs;
  /** With `--columns recorded`. */
  readonly recorded: Costs;
  readonly perCall: { readonly self: Costs; readonly inclusive: Costs };
  readonly estimated?: true;
}
interface Call {
  readonly caller: Place;
  readonly callee: Place;
  readonly file: string;
  readonly count: number;
  readonly inclusive: Costs;
  readonly recorded?: Costs;
}
interface Listed {
  readonly cost: number;
  readonly mark: string;
  readonly file: string;
  readonly name: string;
  readonly count: number;
}

/** The rows `cost (share)  mark file:name (count) [object]` of a block. */
const listedIn = (text: string): Listed[] =>
  [
    ...text.matchAll(/^ *([\d,]+) \( ?[\d.]+%\) +(?:([<*>]) +)?([^:\n]*):(.*?)(?: \(([\d,]+)x\))?(?: \[(?:\/.*|\?\?\?)\])?$/gm),
  ].map(([, cost, mark, file, name, count = '0']) => ({
    cost: Number(cost.replaceAll(',', '')),
    mark,
    file,
    name,
    count: Number(count.replaceAll(',', '')),
  }));
/** The functions of a text: below its last heading. */
const functionsIn = (name: string) =>
  printed(name)
    .split(/file:function\n-+\n/)[1]
    .split(/^-{80}$/m)[0];

/** Sums by key: callgrind_annotate has one row for a name in a file, whatever the object. */
function sumsBy<Item>(items: readonly Item[], keyOf: (item: Item) => string, valuesOf: (item: Item) => readonly number[]) {
  const sums = new Map<string, number[]>();
  for (const item of items) {
    const known = sums.get(keyOf(item));
    sums.set(
      keyOf(item),
      valuesOf(item).map((value, k) => value + (known?.[k] ?? 0)),
    );
  }
  return new Map([...sums].sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface Group {
  readonly level: number;
  readonly by: { readonly file: string; readonly routine: string };
  readonly self: Costs;
  readonly inclusive: Costs;
}
/** Groups have paths as they are shown. */
const groups = () =>
  rowsOf<Group>([...here('`callgrind_annotate callgrind.out.1`'), '--by', 'file:routine'], FILES).filter(
    ({ level }) => level === 2,
  );
const keyOfGroup = ({ by }: Group) => `${by.file}:${by.routine}`;

test('callgrind_annotate: the self cost of every function in every file, and of every function', () => {
  const expected = listedIn(functionsIn('auto'));
  assert.equal(expected.length, 822);
  const costs = sumsBy(
    expected,
    ({ file, name }) => `${readablePath(file)}:${name}`,
    ({ cost }) => [cost],
  );
  assert.deepEqual(
    sumsBy(groups(), keyOfGroup, ({ self }) => [self['Ir']]),
    costs,
  );
  // proftui has one row for a routine, with the costs of its lines in all files.
  for (const there of ['`callgrind_annotate callgrind.out.1`', '`--sort=Ir`']) {
    const found = sumsBy(
      rowsOf<Row>(here(there), FILES),
      ({ routine }) => routine,
      ({ self }) => [self['Ir']],
    );
    const byName = sumsBy(
      expected,
      ({ name }) => name,
      ({ cost }) => [cost],
    );
    assert.deepEqual(found, byName);
  }
});

test('callgrind_annotate --inclusive=yes: the inclusive cost of every function in every file', () => {
  const expected = listedIn(functionsIn('incl'));
  const rows = rowsOf<Row>([...here('`--inclusive=yes`'), '--columns', 'recorded'], FILES);
  const own = sumsBy(
    rows,
    ({ file, routine }) => `${file}:${routine}`,
    ({ recorded }) => [recorded['Ir']],
  );
  // Where a routine has lines in the file of another, its costs there are a group.
  const inFiles = sumsBy(groups(), keyOfGroup, ({ inclusive }) => [inclusive['Ir']]);
  for (const { file, name, cost } of expected) {
    const found = own.get(`${file}:${name}`) ?? inFiles.get(`${readablePath(file)}:${name}`);
    // Two calls of clone cost 36, since they return at once; in the threads that they start, clone calls for 87,610.
    assert.deepEqual(found, [name === 'clone' ? cost - 36 + 50 + 87_610 : cost], name);
  }
  assert.equal(expected.length, 822);
});

test('callgrind_annotate --tree=both: cost and number of every call', () => {
  const expected = new Map<string, number[]>();
  let rows = 0;
  for (const block of functionsIn('tree').split('\n\n')) {
    const functions = listedIn(block).map(({ file, name, ...row }) => ({ ...row, at: `${file}:${name}` }));
    const focus = functions.find(({ mark }) => mark === '*');
    for (const { mark, at, cost, count } of functions) {
      if (mark === '*' || !focus) continue;
      const pair = mark === '<' ? `${at} → ${focus.at}` : `${focus.at} → ${at}`;
      // Each call is there twice, below its caller and above its callee.
      assert.deepEqual(expected.get(pair) ?? [cost, count], [cost, count]);
      expected.set(pair, [cost, count]);
      rows++;
    }
  }
  const found = sumsBy(
    rowsOf<Call>(here('`--tree=both`'), FILES),
    ({ caller, callee, file }) => `${file}:${caller.routine} → ${callee.file}:${callee.routine}`,
    ({ count, inclusive, recorded = inclusive }) => [recorded['Ir'], count],
  );
  assert.deepEqual(found, new Map([...expected].sort(([a], [b]) => (a < b ? -1 : 1))));
  assert.deepEqual([rows, expected.size], [1708, 854]);
});

test('--coverage: the files that have the share, by the costs that callgrind_annotate prints', () => {
  const known = listedIn(functionsIn('auto')).filter(({ file }) => file !== '???');
  const files = sumsBy(
    known,
    ({ file }) => file,
    ({ cost }) => [cost],
  );
  const byCost = [...files].sort(([, [a]], [, [b]]) => b - a);
  const whole = byCost.reduce((sum, [, [cost]]) => sum + cost, 0);
  const words = here('`--threshold=99`, of the annotated files');
  const counts: number[] = [];
  for (const coverage of ['50', '90', '99']) {
    let covered = 0;
    const end = byCost.findIndex(([, [cost]]) => (covered += cost) * 100 >= whole * Number(coverage)) + 1;
    const found = new Set(rowsOf<Place>([...words.slice(0, -1), coverage], FILES).map(({ file }) => file));
    assert.deepEqual(
      [...found].sort(),
      byCost
        .slice(0, end)
        .map(([file]) => file)
        .sort(),
    );
    counts.push(found.size);
  }
  assert.deepEqual(counts, [3, 11, 49]);
});

test('KCachegrind: calls, self and inclusive cost of every function, and each per call', () => {
  const text = readMaybeGz(join(FIXTURES, 'callgrind/default.kcachegrind.tsv')).toString();
  const expected = text
    .split('\n')
    .filter((line) => line.startsWith('fn\t'))
    .map((line) => line.split('\t'));
  const rows = rowsOf<Row>([...wordsFor('KCachegrind', 'cost per call').slice(0, -1), 'perCall,recorded'], FILES);
  const nameOf = ({ routine, file, object }: Place) => `${routine} ${file} ${object}`;
  const byPlace = new Map(rows.map((row) => [nameOf(row), row]));
  const recursive = rowsOf<Call>(here('`--tree=both`'), FILES).filter(({ caller, callee }) => nameOf(caller) === nameOf(callee));
  const toItself = sumsBy(
    recursive,
    ({ caller }) => nameOf(caller),
    ({ inclusive, recorded = inclusive }) => [recorded['Ir']],
  );
  let inCycles = 0;
  for (const [, inclusive, self, calls, cycle, withoutCycles, name, file, object] of expected) {
    const key = `${name} ${file || '???'} ${object || '???'}`;
    const row = byPlace.get(key);
    assert.ok(row, key);
    assert.deepEqual([row.calls, row.self['Ir']], [Number(calls), Number(self)], key);
    if (calls !== '0') assert.equal(row.perCall.self['Ir'], Number(self) / Number(calls), key);
    // As callgrind_annotate, KCachegrind has only the 36 of the calls of clone.
    if (name === 'clone') continue;
    // Without cycle detection KCachegrind leaves out only the calls of a function to itself; with it, those within the cycle.
    const [own] = toItself.get(key) ?? [0];
    assert.equal(row.recorded['Ir'] - own, Number(withoutCycles), key);
    if (cycle !== '-') inCycles++;
    else assert.equal(row.inclusive['Ir'], Number(inclusive), key);
    if (cycle === '-' && calls !== '0') assert.equal(row.perCall.inclusive['Ir'], Number(inclusive) / Number(calls), key);
  }
  assert.deepEqual([expected.length, rows.length, inCycles], [576, 576, 7]);
});

test('KCachegrind: the self cost of every object', () => {
  const text = readMaybeGz(join(FIXTURES, 'callgrind/default.kcachegrind.tsv')).toString();
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith('fn\t'))
    .map((line) => line.split('\t'));
  const words = wordsFor('KCachegrind', 'Grouping: ELF Object, Source File, C++ Class').with(-1, 'object');
  const rows = rowsOf<{ readonly by: { readonly object: string }; readonly self: Costs }>(words, FILES);
  const expected = sumsBy(
    lines,
    (cells) => cells[8] || '???',
    (cells) => [Number(cells[2])],
  );
  assert.deepEqual(
    sumsBy(
      rows,
      ({ by }) => by.object,
      ({ self }) => [self['Ir']],
    ),
    expected,
  );
  assert.equal(expected.size, 8);
});
