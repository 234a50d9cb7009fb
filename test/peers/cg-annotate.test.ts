// Files and functions beside what cg_annotate 3.28 printed of the same Cachegrind profiles: all its numbers.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { readablePath } from '../../src/base/paths.ts';
import { rowsOf, wordsFor } from '../support/coming-from.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';

const FILES = { 'cachegrind.out.1': 'cachegrind/demo.cachegrind.out' };
const printed = (name: string) => readMaybeGz(join(FIXTURES, `cachegrind/printed/${name}.txt`)).toString();
const here = (there: string) => wordsFor('callgrind_annotate', there);

type Costs = Readonly<Record<string, number>>;
interface Text {
  readonly events: readonly string[];
  readonly totals: readonly number[];
  /** Costs by `file` and by `file:function`, and those by `function` and by `function:file`. */
  readonly byFile: Map<string, number[]>;
  readonly byFunction: Map<string, number[]>;
}

/** The costs of a section, by the name in a line that begins with the mark, and by that and the name in one below it. */
function costsIn(section: string, mark: string, events: number): Map<string, number[]> {
  const row = new RegExp(`^([${mark} ]) ((?: *-?[\\d,]+(?: +\\([^)]*\\))?){${events}})  (.*)$`, 'gm');
  const found = new Map<string, number[]>();
  let outer = '';
  for (const [, first, columns, text] of section.matchAll(row)) {
    const costs = [...columns.matchAll(/(-?[\d,]+)(?: +\([^)]*\))?/g)].map(([, cost]) => Number(cost.replaceAll(',', '')));
    const name = text.trim();
    if (first === ' ') found.set(`${outer}:${name}`, costs);
    else if (name.endsWith(':')) found.set((outer = name.slice(0, -1)), costs);
    else {
      // A file with one function, or a function in one file, is one line with both names. Files have no colon.
      found.set(name.slice(0, mark === '<' ? name.indexOf(':') : name.lastIndexOf(':')), costs);
      found.set(name, costs);
    }
  }
  return found;
}

function read(text: string): Text {
  const events = /^Events shown: +(.*)$/m.exec(text)?.[1].split(' ') ?? [];
  const [head, files, functions] = text.split(/^-- (?:File:function|Function:file) summary$/m);
  const [, totals] = /^(.*) {2}PROGRAM TOTALS$/m.exec(head) ?? [];
  return {
    events,
    totals: [...totals.matchAll(/(-?[\d,]+)(?: \(100\.0%\))?/g)].map(([, cost]) => Number(cost.replaceAll(',', ''))),
    byFile: costsIn(files, '<', events.length),
    byFunction: costsIn(functions, '>', events.length),
  };
}

/** Sorted, without costs that are all 0: cg_annotate also lists functions that never ran there. */
const sorted = (costs: ReadonlyMap<string, readonly number[]>) =>
  new Map([...costs].filter(([, of]) => of.some((cost) => cost !== 0)).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Sums by key. */
function sumsBy<Item>(items: readonly Item[], keyOf: (item: Item) => string, costsOf: (item: Item) => readonly number[]) {
  const sums = new Map<string, number[]>();
  for (const item of items) {
    const known = sums.get(keyOf(item));
    sums.set(
      keyOf(item),
      costsOf(item).map((cost, k) => cost + (known?.[k] ?? 0)),
    );
  }
  return sums;
}

interface Group {
  readonly level: number;
  readonly by: { readonly file: string; readonly routine: string };
  readonly self: Costs;
}

test('cg_annotate: costs of every file and of every function in it, of every function and in every file', () => {
  const { events, totals, byFile, byFunction } = read(printed('demo'));
  const rows = rowsOf<Group>(here('`cg_annotate cachegrind.out.1`'), FILES);
  const costsOf = ({ self }: { readonly self: Costs }) => events.map((event) => self[event]);
  const path = (key: string) => key.replace(/^[^:]*/, readablePath);
  // Two spellings of a path are one file, and one group.
  const expected = sumsBy(
    [...byFile],
    ([key]) => path(key),
    ([, costs]) => costs,
  );
  const found = sumsBy(rows, ({ level, by }) => (level === 1 ? by.file : `${by.file}:${by.routine}`), costsOf);
  assert.deepEqual(sorted(found), sorted(expected));
  assert.equal(sorted(expected).size, 1051);
  // The same costs by function, then file.
  const inFiles = sumsBy(
    rows.filter(({ level }) => level === 2),
    ({ by }) => `${by.routine}:${by.file}`,
    costsOf,
  );
  const routines = rowsOf<{ readonly routine: string; readonly self: Costs }>(['cachegrind.out.1', '--print', 'routines'], FILES);
  const functions = sumsBy(routines, ({ routine }) => routine, costsOf);
  const turned = sumsBy(
    [...byFunction],
    ([key]) => key.replace(/(?<=[^:]:)[^:]+$/, readablePath),
    ([, costs]) => costs,
  );
  assert.deepEqual(sorted(new Map([...functions, ...inFiles])), sorted(turned));
  assert.equal(sorted(turned).size, 1227);
  assert.deepEqual(
    events.map((_, k) => [...functions.values()].reduce((sum, costs) => sum + costs[k], 0)),
    totals,
  );
});

test('cg_diff: the change of every function', () => {
  const { events, byFunction } = read(printed('diff'));
  const files = { 'callgrind.out.1': 'cachegrind/heat.cachegrind.out', 'callgrind.out.0': 'cachegrind/heat20.cachegrind.out' };
  const rows = rowsOf<{ readonly routine: string; readonly delta: { readonly self: Costs } }>(here('`cg_diff OLD NEW`'), files);
  const found = sumsBy(
    rows,
    ({ routine }) => routine,
    ({ delta }) => events.map((event) => delta.self[event]),
  );
  const expected = new Map([...byFunction].filter(([key]) => !/[^:]:[^:]/.test(key)));
  assert.deepEqual(sorted(found), sorted(expected));
  assert.equal(sorted(expected).size, 19);
});
