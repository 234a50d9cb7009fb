// The commands of docs/coming-from.md beside what pprof of Go 1.19 printed of the same profile: all its numbers.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { print, rowsOf, wordsFor } from '../support/coming-from.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';

const FILES = { 'cpu.pb.gz': 'pprof/cpu.pb.gz', 'old.pb.gz': 'pprof/printed/old.pb.gz' };
const printed = (name: string) => readMaybeGz(join(FIXTURES, `pprof/printed/${name}.txt`)).toString();
const here = (there: string) => wordsFor('pprof', `\`pprof ${there}\``);
const withoutMark = (name: string) => name.replace(/ \((?:partial-)?inline\)$/, '');

/** The samples of a value of pprof: 10 ms each, or their number. Its two digits after the point are exact below 10 s. */
function samplesOf(value: string): number {
  const [, digits, unit] = /^(-?[\d.]+)(m?s|)$/.exec(value === '.' ? '0' : value) ?? [];
  return Math.round(Number(digits) * { ms: 0.1, s: 100, '': 1 }[unit as 'ms' | 's' | '']);
}

interface Costs {
  readonly samples: number;
}
interface Row {
  readonly routine: string;
  readonly file: string;
  readonly rest?: true;
  readonly rows?: number;
  readonly self: Costs;
  readonly inclusive: Costs;
}
type Pair = readonly [flat: number, cum: number];

/** Flat and cum by what the rows of -top name. */
function topOf(text: string): Map<string, Pair> {
  const rows = text.matchAll(/^ *(-?[\d.]+m?s?) +\S+% +\S+% +(-?[\d.]+m?s?) +\S+% {2}(.*)$/gm);
  return new Map([...rows].map(([, flat, cum, name]) => [withoutMark(name), [samplesOf(flat), samplesOf(cum)]]));
}

const costsOf = (rows: readonly Row[], nameOf = ({ routine }: Row) => routine) =>
  new Map(rows.filter(({ rest }) => !rest).map((row) => [nameOf(row), [row.self.samples, row.inclusive.samples] as Pair]));

function same<T>(found: ReadonlyMap<string, T>, expected: ReadonlyMap<string, T>, rows: number): void {
  assert.deepEqual(new Map([...found].sort()), new Map([...expected].sort()));
  assert.equal(expected.size, rows);
}

/** Compares with -top, and its sum of flat with that of the rows. */
function sameTop(found: ReadonlyMap<string, Pair>, name: string, rows: number): void {
  const text = printed(name);
  same(found, topOf(text), rows);
  const accounted = /^Showing nodes accounting for (\S+), \S+% of/m.exec(text)?.[1] ?? '';
  assert.equal(
    [...found.values()].reduce((sum, [flat]) => sum + flat, 0),
    samplesOf(accounted),
  );
}

for (const [there, name, functions] of [
  ['-top', 'top', 228],
  ['-top -cum', 'cum', 228],
  ['-sample_index=samples', 'samples', 228],
  ['-focus=insert -ignore=sort', 'focus', 85],
  ['-hide=^runtime -show_from=^main', 'hide', 41],
  ['-nodefraction=0.01', 'nodefraction', 79],
] as const)
  test(`pprof ${there}: flat and cum of every function`, () => {
    const rows = rowsOf<Row>(here(there), FILES);
    sameTop(costsOf(rows), name, functions);
    const dropped = /^Dropped (\d+) nodes/m.exec(printed(name))?.[1];
    assert.equal(rows.find(({ rest }) => rest)?.rows, dropped && Number(dropped));
  });

test('pprof -files, -lines, -addresses: flat and cum', () => {
  const by = (key: string) => rowsOf<Row>(here('-files').with(-1, key), FILES);
  sameTop(costsOf(by('file')), 'files', 55);
  sameTop(
    costsOf(by('line'), ({ routine, file }) => routine.replace(/ \S+(:\d+)$/, ` ${file}$1`)),
    'lines',
    537,
  );
  // pprof also names the line of each address, and has a row for each function that another is inlined into there: its flat is 0.
  const found = costsOf(by('address'));
  const cumOf = new Map([...found].map(([name, [, cum]]) => [name.split(' ')[0], cum]));
  const expected = [...topOf(printed('addresses'))].map(
    ([name, costs]) => [name.replace(/^0*(.*) \S+:\d+$/, '0x$1'), costs] as const,
  );
  const outer = expected.filter(([name]) => !found.has(name));
  for (const [name, costs] of outer) assert.deepEqual(costs, [0, cumOf.get(name.split(' ')[0])], name);
  assert.equal(outer.length, 89);
  const inner = expected.filter(([name]) => found.has(name));
  same(found, new Map(inner), 621);
  interface Instr {
    readonly of: string;
    readonly address: string;
    readonly function: string;
    readonly self: Costs;
  }
  // With --routine, instructions of a function include those of what is inlined into it, under its own name.
  const instrs = rowsOf<Instr>(['cpu.pb.gz', '--print', 'instrs', '--routine', '/./'], FILES);
  same(
    new Map(instrs.filter((row) => row.function === row.of).map(({ of, address, self }) => [`${address} ${of}`, self.samples])),
    new Map(inner.filter(([, [flat]]) => flat > 0).map(([name, [flat]]) => [name, flat])),
    367,
  );
});

test('pprof -unit=ms: flat and cum, in the unit and in percent', () => {
  const costsIn = (unit: string, read: (cell: string) => number) => {
    const text = print([...here('-unit=ms').with(-1, unit), '--tsv'], FILES);
    const [head, ...rows] = text
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    const [name, flat, cum] = ['routine', 'self.cpu', 'inclusive.cpu'].map((column) => head.indexOf(column));
    return new Map(rows.map((cells) => [cells[name], [read(cells[flat]), read(cells[cum])] as Pair]));
  };
  sameTop(
    costsIn('ms', (cell) => Number(cell) / 10),
    'ms',
    228,
  );
  // sum% is a running sum, which proftui does not have. pprof rounds to two digits below 1%, to two places above.
  const rounded = (cell: string) => Number(Number(cell) < 1 ? Number(cell).toPrecision(2) : Number(cell).toFixed(2));
  const shares = [...printed('ms').matchAll(/^ *\S+ +(\S+)% +\S+% +\S+ +(\S+)% {2}(.*)$/gm)];
  const expected = shares.map(([, flat, cum, name]) => [withoutMark(name), [Number(flat), Number(cum)] as Pair] as const);
  same(costsIn('percent', rounded), new Map(expected), 228);
});

test('pprof -tags; -tagfocus of each: flat and cum of every function by label', () => {
  interface Label {
    readonly label: string;
    /** Null for samples without the label, which pprof leaves out. */
    readonly value: string | null;
    readonly cost: Costs;
  }
  const tags = [...printed('tags').matchAll(/^ +(\d+)\.0 \(\S+%\): (.*)$/gm)].map(
    ([, cost, tag]) => [tag, Number(cost)] as const,
  );
  const labels = rowsOf<Label>(here('-tags'), FILES).filter(({ label, value }) => label === 'worker' && value !== null);
  same(new Map(labels.map(({ value, cost }) => [String(value), cost.samples])), new Map(tags), 3);
  interface Group extends Row {
    readonly level: number;
    readonly by: { readonly worker: string; readonly routine: string };
  }
  const groups = rowsOf<Group>([...here('-top'), '--by', 'worker,routine'], FILES).filter(({ level }) => level === 2);
  for (const [worker, functions] of [
    ['0', 122],
    ['1', 156],
    ['2', 140],
  ] as const) {
    const rows = groups.filter(({ by }) => by.worker === worker);
    sameTop(
      new Map(rows.map((row) => [row.by.routine, [row.self.samples, row.inclusive.samples]])),
      `worker${worker}`,
      functions,
    );
  }
});

test('pprof -diff_base: the change of flat and cum of every function', () => {
  const rows = rowsOf<{ readonly routine: string; readonly delta: Row }>(here('-diff_base=OLD'), FILES);
  const deltas = rows.map(({ routine, delta }) => [routine, [delta.self.samples, delta.inclusive.samples] as Pair] as const);
  sameTop(new Map(deltas), 'diff', 29);
});
