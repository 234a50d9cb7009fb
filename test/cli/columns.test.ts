// --columns in each report that has such columns, against the cost lines of the file, and its refusal elsewhere.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { reports } from '../../src/reports/index.ts';
import { type CostLine, costLines, summed } from '../support/cost-lines.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { long } from '../support/long.ts';
import { runWarm } from '../support/warm.ts';

const FILE = join(FIXTURES, 'callgrind/cacheuse.callgrind.out.gz');
const { lines } = costLines(FILE);
/** Two events, and a ratio of them. */
const COLUMNS = ['--columns', 'Dr,D1mr,rate', '--derive', 'rate=D1mr/Dr'];
const lineKey = ({ routine, place, file, line }: CostLine) => `${routine}\n${place}\n${file}\n${line}`;
/** A routine with all its code in one file. */
const SINGLE = 'demo::collatz(unsigned long)';
const TITLES = ['self', 'Dr', 'D1mr', 'rate'];

/** The rows of text, each by the columns named: numbers end where their headings end. */
function printed(args: readonly string[], ...titles: readonly string[]): Record<string, string>[] {
  const { code, out, err } = runWarm([FILE, '--limit', '1000000', '--width', '400', ...args]);
  assert.equal(code, 0, err);
  const [, table] = out.split('\n\n');
  const [heading, ...rows] = table.split('\n');
  const ends = titles.map((title) => {
    const found = new RegExp(`(?<= |^)${title}(?= |$)`).exec(heading);
    assert.ok(found, `${title} in ${heading}`);
    return found.index + title.length;
  });
  return rows.map((row) => Object.fromEntries(titles.map((title, k) => [title, /\S*$/.exec(row.slice(0, ends[k]))?.[0] ?? ''])));
}

const number = (text: string) => Number((text === '.' ? '0' : text).replaceAll(',', ''));

/** What the text of the columns must be. */
function expected(costs: Readonly<Record<string, number>>): (text: Readonly<Record<string, string>>) => boolean {
  const { Ir, Dr, D1mr } = costs;
  return (text) =>
    number(text['self']) === Ir &&
    number(text['Dr']) === Dr &&
    number(text['D1mr']) === D1mr &&
    // A ratio by zero is unknown; Source has a dot where nothing was counted.
    (Dr === 0 ? ['-', '.'].includes(text['rate']) : Math.abs(number(text['rate']) - D1mr / Dr) < 1e-4);
}

test('lines: events and ratios beside each line are those of the file', () => {
  const rows = printed(['--print', 'lines', ...COLUMNS], ...TITLES, 'line');
  const wanted = summed(lines, lineKey);
  assert.equal(rows.filter((row) => row['line'] !== '').length, wanted.size);
  // Names are short in text: rows are told apart by their numbers.
  const keyOf = (Ir: number, Dr: number, D1mr: number, line: string) => `${Ir} ${Dr} ${D1mr} ${line}`;
  const left = new Map<string, number>();
  for (const [key, { Ir, Dr, D1mr }] of wanted) {
    const line = key.split('\n')[3];
    const of = keyOf(Ir, Dr, D1mr, line === '0' ? '?' : line);
    left.set(of, (left.get(of) ?? 0) + 1);
  }
  for (const row of rows) {
    if (row['line'] === '') continue;
    const [Ir, Dr, D1mr] = ['self', 'Dr', 'D1mr'].map((title) => number(row[title]));
    assert.ok(expected({ Ir, Dr, D1mr })(row), JSON.stringify(row));
    const of = keyOf(Ir, Dr, D1mr, row['line']);
    assert.ok((left.get(of) ?? 0) > 0, of);
    left.set(of, (left.get(of) ?? 0) - 1);
  }
});

test('source: the same for the lines of a routine, and nothing beside calls', () => {
  const own = lines.filter(({ routine }) => routine === SINGLE);
  const wanted = summed(own, ({ line }) => String(line));
  const rows = printed(['--print', 'source', '--routine', SINGLE, ...COLUMNS], ...TITLES, 'line');
  let found = 0;
  for (const row of rows) {
    const costs = wanted.get(row['line']);
    if (row['line'] === '') assert.equal(row['Dr'], '');
    if (!costs || number(row['self']) === 0) continue;
    found++;
    assert.ok(expected(costs)(row), JSON.stringify(row));
  }
  assert.equal(found, wanted.size);
});

test('instrs: the same for each instruction', () => {
  const wanted = summed(
    lines.filter(({ routine }) => routine === 'do_lookup_x'),
    ({ address }) => address ?? '',
  );
  const rows = printed(['--print', 'instrs', '--routine', 'do_lookup_x', ...COLUMNS], 'address', ...TITLES).filter((row) =>
    row['address'].startsWith('0x'),
  );
  assert.equal(rows.length, wanted.size);
  for (const row of rows) assert.ok(expected(wanted.get(row['address']) ?? {})(row), JSON.stringify(row));
});

for (const form of ['csv', 'tsv']) {
  (form === 'csv' ? test : long)(`--${form} has all events of each line and instruction, with --columns or without`, () => {
    const between = form === 'csv' ? ',' : '\t';
    const table = (args: readonly string[]) => {
      const { code, out, err } = runWarm([FILE, `--${form}`, ...args]);
      assert.equal(code, 0, err);
      const [head, ...rows] = out.trimEnd().split(/\r?\n/);
      // Names with the separator are in quotes.
      const cells = (row: string) =>
        [...row.matchAll(form === 'csv' ? /("(?:[^"]|"")*"|[^,]*)(?:,|$)/g : /([^\t]*)(?:\t|$)/g)].map((m) => m[1]);
      const titles = head.split(between);
      return rows.map((row) => Object.fromEntries(titles.map((title, k) => [title, cells(row)[k] ?? ''])));
    };
    const plain = ['--print', 'lines', '--routine', SINGLE];
    assert.deepEqual(table([...plain, '--columns', 'Dr,D1mr']), table(plain));
    const check = (rows: readonly Record<string, string>[], wanted: ReadonlyMap<string, Record<string, number>>, key: string) => {
      assert.equal(rows.length, wanted.size);
      for (const row of rows)
        for (const [event, cost] of Object.entries(wanted.get(row[key]) ?? { none: -1 }))
          assert.equal(Number(row[`self.${event}`]), cost);
    };
    const of = (name: string) => lines.filter(({ routine }) => routine === name);
    check(
      table(plain),
      summed(of(SINGLE), ({ line }) => String(line)),
      'line',
    );
    const instrs = table(['--print', 'instrs', '--routine', 'do_lookup_x', '--columns', 'Dr']);
    check(
      instrs,
      summed(of('do_lookup_x'), ({ address }) => address ?? ''),
      'address',
    );
  });
}

long('instrs: the file of each instruction, beside its line where there are several', () => {
  const name = 'demo::run_words()';
  const places = new Map(lines.filter(({ routine }) => routine === name).map((l: CostLine) => [l.address, l]));
  assert.ok(new Set([...places.values()].map(({ file }) => file)).size > 1);
  const { out } = runWarm([FILE, '--print', 'instrs', '--routine', name, '--json']);
  const rows: { address: string; file: string; line: number }[] = JSON.parse(out).rows;
  assert.equal(rows.length, places.size);
  for (const { address, file, line } of rows) {
    assert.equal(file, places.get(address)?.file, address);
    assert.equal(line, places.get(address)?.line, address);
  }
  const texts = printed(['--print', 'instrs', '--routine', name], 'address', 'line').filter((row) =>
    row['address'].startsWith('0x'),
  );
  for (const row of texts) {
    const { file, line } = places.get(row['address']) ?? { file: '', line: 0 };
    assert.equal(row['line'], `${file.replace(/.*\//, '')}:${line === 0 ? '?' : line}`);
  }
  // All of one file: the number alone, under the same heading.
  for (const row of printed(['--print', 'instrs', '--routine', SINGLE], 'address', 'line'))
    if (row['address'].startsWith('0x')) assert.match(row['line'], /^\d+$/);
});

long('--columns is refused where the view has no such column', () => {
  const refused = (args: readonly string[]) => {
    const { code, out, err } = runWarm(args);
    assert.equal(code, 2, out);
    return err;
  };
  assert.match(refused([FILE, '--print', 'lines', '--columns', 'none']), /--columns none: no such column; there are Ir, Dr/);
  const tree = refused([FILE, '--print', 'tree', '--columns', 'Dr']);
  assert.match(tree, /--columns Dr: tree has no such column; views that have: routines, lines, source, instrs/);
  const parts = join(FIXTURES, 'callgrind/combined-threads.callgrind.out.gz');
  assert.match(
    refused([parts, '--print', 'lines', '--columns', 'part 2']),
    /part 2: lines has no such column; views that have: routines/,
  );
  assert.equal(runWarm([parts, '--print', 'routines', '--columns', 'part 2']).code, 0);
});

test('lines: --limit takes the most expensive ones by the event that --sort names', () => {
  const rows = printed(['--print', 'lines', '--columns', 'D1mr', '--sort', 'D1mr'], 'D1mr').slice(0, 9);
  const most = [...summed(lines, lineKey).values()].map(({ D1mr }) => D1mr).sort((a, b) => b - a);
  assert.deepEqual(
    rows.map((row) => number(row['D1mr'])),
    most.slice(0, 9),
  );
});

long('lines: a filter looks at the file of the line as well', () => {
  const wanted = summed(
    lines.filter(({ file }) => file.endsWith('/dl-new-hash.h')),
    lineKey,
  );
  assert.ok(wanted.size > 0);
  const count = (filter: string) => JSON.parse(runWarm([FILE, '--print', 'lines', '--filter', filter, '--json']).out).rows.length;
  assert.equal(count('dl-new-hash.h'), wanted.size);
  assert.equal(count('dl-new-hash.h') + count('!dl-new-hash.h'), count(''));
});

test('each report that takes the columns of events prints them, of one run and of two', () => {
  const base = ['--base', join(FIXTURES, 'compare/v1/shop.callgrind.out.gz')];
  const file = join(FIXTURES, 'compare/v2/shop.callgrind.out.gz');
  let shown = 0;
  for (const { name, columns, compares, requires } of reports) {
    if (!columns.includes('events') || requires.includes('labels') || name === 'instrs') continue;
    for (const args of compares ? [[], base] : [[]]) {
      const { code, out, err } = runWarm([file, ...args, '--print', name, '--columns', 'Dw', '--limit', '3', '--width', '300']);
      assert.equal(code, 0, `${name}: ${err}`);
      assert.match(out, /\bDw\b/, `${name} ${args.join(' ')}`);
      shown++;
    }
  }
  assert.ok(shown >= 5, `${shown}`);
  const { code, err } = runWarm([...base, file, '--print', 'changes', '--columns', 'Dw']);
  assert.equal(code, 2);
  assert.match(err, /--columns Dw: changes has no such column/);
});
