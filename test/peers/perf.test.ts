// The commands of docs/coming-from.md beside what perf 6.1 printed of the same recording: all its numbers.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { print, rowsOf, wordsFor } from '../support/coming-from.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';

const FILES = { 'perf.txt': 'perf-script/printed/words.perf.gz', 'old.perf.txt': 'perf-script/printed/old.perf.gz' };
const printed = (name: string) => readMaybeGz(join(FIXTURES, `perf-script/printed/${name}.txt`)).toString();
const here = (there: string) => wordsFor('perf', `\`perf ${there}\``);
/** perf prints shares of all samples of the recording, each of 250 µs. */
const SAMPLES = Number(/^# Samples: (\d+) /m.exec(printed('children'))?.[1]);
const samplesOf = (share: string) => Math.round((Number.parseFloat(share || '0') * SAMPLES) / 100);

interface Costs {
  readonly 'cpu-clock': number;
  readonly samples: number;
}
interface Row {
  readonly routine: string;
  readonly object: string | null;
  readonly file: string | null;
  readonly rest?: true;
  readonly by: Readonly<Record<string, string>>;
  readonly level: number;
  readonly self: Costs;
  readonly inclusive: Costs;
}

/** The cells of a report's rows. */
const cellsOf = (name: string): string[][] =>
  printed(name)
    .split('\n')
    .filter((line) => line.includes('|') && !line.startsWith('#'))
    .map((line) => line.split('|').map((cell) => cell.trim().replace(/^\[[.k]\] /, '')));

/** Code without a symbol is an address for perf, and one routine of its object here. */
const NAMELESS = /^(?:0x)?[0-9a-f]{16}$|^0$|^0x[0-9a-f]+$/;
const nameOf = (symbol: string, object: string) => (NAMELESS.test(symbol) ? `0x... [${object}]` : symbol);
const objectOf = ({ object }: Row) => object?.replace(/.*\//, '') ?? '[unknown]';

/** Sums by key, sorted. */
function sumsBy<Item>(items: readonly Item[], keyOf: (item: Item) => string, valuesOf: (item: Item) => readonly number[]) {
  const sums = new Map<string, number[]>();
  for (const item of items) {
    const [key, known] = [keyOf(item), sums.get(keyOf(item))];
    sums.set(
      key,
      valuesOf(item).map((value, k) => value + (known?.[k] ?? 0)),
    );
  }
  return [...sums].filter(([, values]) => values.some((value) => value !== 0)).sort(([a], [b]) => (a < b ? -1 : 1));
}
const keyOfRow = (row: Row) => `${objectOf(row)} ${row.routine}`;
const selfOf = ({ self }: Row) => [self['cpu-clock'], self.samples];

for (const [there, name, functions] of [
  ['report --no-children', 'self', 39],
  ['report --time 0.1,0.3', 'time', 6],
] as const)
  test(`perf ${there}: period and samples of every symbol`, () => {
    const rows = rowsOf<Row>(
      here(there).map((word) => (word === '100ms..300ms' ? '20ms..50ms' : word)),
      FILES,
    );
    const cells = cellsOf(name).map((row) => row.slice(-4));
    const expected = sumsBy(
      cells,
      ([, , object, symbol]) => `${object} ${nameOf(symbol, object)}`,
      ([period, samples]) => [Number(period), Number(samples)],
    );
    assert.deepEqual(sumsBy(rows, keyOfRow, selfOf), expected);
    assert.equal(expected.length, functions);
  });

for (const [there, name, functions] of [
  ['report --children', 'children', 91],
  ['report --percent-limit 1', 'limit', 45],
] as const)
  test(`perf ${there}: share with children, period and samples of every symbol`, () => {
    const rows = rowsOf<Row>(here(there), FILES).filter(({ rest }) => !rest);
    const cells = cellsOf(name).map((row) => [row[0], ...row.slice(-4)]);
    // Several addresses without a symbol may be on one stack: their shares do not add up.
    const named = cells.filter(([, , , , symbol]) => !NAMELESS.test(symbol));
    const expected = sumsBy(
      named,
      ([, , , object, symbol]) => `${object} ${symbol}`,
      ([share, period, samples]) => [samplesOf(share), Number(period), Number(samples)],
    );
    const found = rows.filter(({ routine }) => !routine.startsWith('0x...'));
    assert.deepEqual(
      sumsBy(found, keyOfRow, (row) => [row.inclusive.samples, ...selfOf(row)]),
      expected,
    );
    assert.equal(expected.length, functions);
    for (const row of rows.filter(({ routine }) => routine.startsWith('0x...'))) {
      const shares = cells.filter(([, , , object, symbol]) => object === objectOf(row) && NAMELESS.test(symbol));
      const samples = shares.map(([share]) => samplesOf(share));
      const { inclusive } = row;
      assert.ok(Math.max(...samples) <= inclusive.samples, row.routine);
      if (name === 'children') assert.ok(inclusive.samples <= samples.reduce((a, b) => a + b), row.routine);
    }
  });

test('perf report --sort dso, --sort comm,dso,sym, --sort pid, --sort cpu: period and samples', () => {
  const expectedOf = (name: string, nameOfRow = (row: string[]) => row.slice(2).join(' ')) =>
    sumsBy(cellsOf(name), nameOfRow, ([period, samples]) => [Number(period), Number(samples)]);
  const objects = rowsOf<Row>(here('report --sort dso'), FILES);
  assert.deepEqual(sumsBy(objects, objectOf, selfOf), expectedOf('dso'));
  const groups = rowsOf<Row>(here('report --sort comm,dso,sym'), FILES).filter(({ level }) => level === 3);
  assert.deepEqual(
    sumsBy(groups, ({ by }) => `${by['comm']} ${by['dso'].replace(/.*\//, '')} ${by['routine']}`, selfOf),
    expectedOf('comm,dso,sym', ([, , comm, object, symbol]) => `${comm} ${object} ${nameOf(symbol, object)}`),
  );
  const threads = rowsOf<Row>(here('report --sort pid'), FILES);
  assert.deepEqual(
    sumsBy(threads, ({ by }) => `${by['thread']}:words`, selfOf),
    expectedOf('pid'),
  );
  interface Label {
    readonly label: string;
    readonly value: string;
    readonly cost: Costs;
  }
  const labels = rowsOf<Label>(here('report --sort cpu'), FILES).filter(({ label }) => label === 'cpu');
  assert.deepEqual(
    sumsBy(
      labels,
      ({ value }) => value.padStart(3, '0'),
      ({ cost }) => [cost['cpu-clock'], cost.samples],
    ),
    expectedOf('cpu'),
  );
});

test('perf report of several commands: period and samples of comm, comm,dso, cpu,comm and comm,dso,sym', () => {
  const sections = readMaybeGz(join(FIXTURES, 'perf-script/commands.report.txt')).toString().split('# --sort ').slice(1);
  const counts = sections.map((section) => {
    const [title, ...lines] = section.trim().split('\n');
    const keys = title.replace('sym', 'routine').split(',');
    const words = here('report --sort comm,dso,sym').with(-1, keys.join(','));
    const rows = rowsOf<Row>(words, { 'perf.txt': 'perf-script/commands.perf.gz' }).filter(({ level }) => level === keys.length);
    const expected = sumsBy(
      lines.map((line) => line.split('|')),
      ([, , ...names]) => names.map((name, k) => (keys[k] === 'routine' ? nameOf(name.slice(4), names[k - 1]) : name)).join(' '),
      ([period, samples]) => [Number(period), Number(samples)],
    );
    const keyValue = ({ by }: Row, key: string) => by[key].replace(/^.*\//, '').padStart(key === 'cpu' ? 3 : 0, '0');
    assert.deepEqual(
      sumsBy(rows, (row) => keys.map((key) => keyValue(row, key)).join(' '), selfOf),
      expected,
      title,
    );
    return expected.length;
  });
  assert.deepEqual(counts, [5, 11, 5, 30]);
});

test('perf report --comm: period and samples of every symbol of each command', () => {
  const [, list] = readMaybeGz(join(FIXTURES, 'perf-script/commands.report.txt')).toString().split('# --sort comm,dso,sym\n');
  const lines = list
    .trim()
    .split('\n')
    .map((line) => line.split('|'));
  const counts = ['sh', 'awk', 'gzip', 'seq', 'taskset'].map((comm) => {
    const words = here('report --comm words').map((word) => word.replace('=words', `=${comm}`));
    const rows = rowsOf<Row>(words, { 'perf.txt': 'perf-script/commands.perf.gz' });
    const expected = sumsBy(
      lines.filter((cells) => cells[2] === comm),
      ([, , , object, symbol]) => `${object} ${nameOf(symbol.slice(4), object)}`,
      ([period, samples]) => [Number(period), Number(samples)],
    );
    assert.deepEqual(sumsBy(rows, keyOfRow, selfOf), expected, comm);
    return expected.length;
  });
  assert.deepEqual(counts, [15, 4, 6, 3, 2]);
});

test('perf report --sort sym,srcline: period and samples of every line of every symbol', () => {
  // Without a line, perf prints the offset in the symbol. By line, proftui counts clones and PLT entries as their function.
  const lineOf = (place: string) => (/^[^+]+:[1-9]\d*$/.test(place) ? ` ${place}` : '');
  const expected = sumsBy(
    cellsOf('srcline'),
    ([, , symbol, place]) => `${/^0x/.test(symbol) ? '0x...' : symbol.replace(CLONE, '')}${lineOf(place)}`,
    ([period, samples]) => [Number(period), Number(samples)],
  );
  const rows = rowsOf<Row>(here('report --sort sym,srcline'), FILES);
  assert.deepEqual(
    sumsBy(rows, ({ routine }) => routine.replace(/^0x\.\.\..*/, '0x...'), selfOf),
    expected,
  );
  assert.equal(expected.length, 68);
});

const CLONE = /(?:\.(?:isra|constprop|part)\.\d+)+$|@plt$|@@?GLIBC.*$/;

interface TreeRow extends Row {
  readonly id: number;
  readonly parent: number | null;
}
for (const [there, name] of [
  ['report -g caller', 'caller'],
  ['report -g callee', 'callee'],
] as const)
  test(`perf ${there}: the samples of every stack and of every part of it`, () => {
    const expected = new Map<string, number>();
    for (const [, count, stack] of printed(name).matchAll(/^(\d+) (.*)$/gm)) {
      // Code without names that calls more of it is one node.
      const frames = stack
        .split(';')
        .map((frame) => (NAMELESS.test(frame) ? '0x...' : frame))
        .filter((frame, k, all) => frame !== '0x...' || frame !== all[k - 1]);
      for (let depth = 1; depth <= frames.length; depth++) {
        const path = frames.slice(0, depth).join(';');
        expected.set(path, (expected.get(path) ?? 0) + Number(count));
      }
    }
    const paths = new Map<number, string>();
    const rows = rowsOf<TreeRow>(here(there), FILES);
    for (const { id, parent, routine } of rows) {
      const own = routine.replace(/^0x\.\.\..*/, '0x...');
      paths.set(id, parent === null ? own : `${paths.get(parent)};${own}`);
    }
    const found = sumsBy(
      rows,
      ({ id }) => paths.get(id) ?? '',
      ({ inclusive }) => [inclusive.samples],
    );
    assert.deepEqual(
      found,
      [...expected].map(([path, count]) => [path, [count]]).sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  });

test('perf annotate -l: the samples of every line', () => {
  interface Line {
    readonly of: string;
    readonly file: string;
    readonly line: number;
    readonly self: Costs;
  }
  const rows = rowsOf<Line>(here('annotate`, of symbols with `count_'), FILES).filter(({ of }) => of === 'count_words');
  const whole = rows.reduce((sum, { self }) => sum + self.samples, 0);
  // perf prints shares of the symbol's samples.
  const shares = [...printed('annotate').matchAll(/^ +([\d.]+) (\S+:\d+)$/gm)];
  const expected = sumsBy(
    shares,
    ([, , place]) => place,
    ([, share]) => [Math.round((Number(share) * whole) / 100)],
  );
  assert.deepEqual(
    sumsBy(
      rows,
      ({ file, line }) => `${file}:${line}`,
      ({ self }) => [self.samples],
    ),
    expected,
  );
});

test('perf diff: the share of every symbol before, and its change', () => {
  interface Change extends Row {
    readonly before: Row;
    readonly now: Row;
  }
  const rows = rowsOf<Change>(here('diff'), FILES);
  const routines = ['old.perf.txt', 'perf.txt'].map((file) => rowsOf<Row>(here('report --no-children').with(0, file), FILES));
  const [before, now] = routines.map((of) => of.reduce((sum, { self }) => sum + self.samples, 0));
  const [old, latest] = routines.map((of) => new Map(sumsBy(of, keyOfRow, ({ self }) => [self.samples])));
  const changes = new Map(rows.map((row) => [keyOfRow(row), row]));
  const expected = cellsOf('diff').map(([share, delta, object, symbol]) => [`${object} ${nameOf(symbol, object)}`, share, delta]);
  for (const [key, share, delta] of expected) {
    // The view lists only routines with another cost than before.
    const row = changes.get(key);
    if (!row) assert.deepEqual(old.get(key), latest.get(key), key);
    const [samples] = old.get(key) ?? [0];
    const was = ((row?.before.self.samples ?? samples) * 100) / before;
    const is = ((row?.now.self.samples ?? samples) * 100) / now;
    assert.equal(share, was === 0 ? '' : was.toFixed(2), key);
    const change = `${is < was ? '' : '+'}${(is - was).toFixed(2)}%`;
    assert.equal(delta, is === 0 ? '' : change, key);
  }
  assert.equal(expected.length, new Set([...old.keys(), ...latest.keys()]).size);
});

test('every line of perf script is read', () => {
  const { warnings } = JSON.parse(print([...here('report --no-children'), '--json'], FILES));
  assert.deepEqual(warnings, []);
});
