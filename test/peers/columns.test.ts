// Filters on columns and --unit beside the numbers of pprof, KCachegrind and callgrind_annotate.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { print, rowsOf, wordsFor } from '../support/coming-from.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';

const read = (path: string) => readMaybeGz(join(FIXTURES, path)).toString();
const names = (rows: readonly { readonly routine: string }[]) => rows.map(({ routine }) => routine).sort();

type FilterCase<Row> = readonly [filter: string, wanted: (row: Row) => boolean, rows: number];

/** Each filter keeps the functions of the other tool that are wanted, and as many as the case says. */
function keepTheSame<Row extends { readonly name: string }>(
  cases: readonly FilterCase<Row>[],
  functions: readonly Row[],
  words: readonly string[],
  files: Readonly<Record<string, string>>,
): void {
  const counts = cases.map(([filter, wanted]) => {
    const found = rowsOf<{ readonly routine: string }>([...words, '--filter', filter], files);
    assert.deepEqual(
      names(found),
      functions
        .filter(wanted)
        .map(({ name }) => name)
        .sort(),
      filter,
    );
    return found.length;
  });
  assert.deepEqual(
    counts,
    cases.map(([, , count]) => count),
  );
}

test('pprof -top: functions by flat and cum', () => {
  // Flat and cum are numbers of samples, of 10 ms each.
  const rows = [...read('pprof/printed/samples.txt').matchAll(/^ *(\d+) +\S+% +\S+% +(\d+) +\S+% {2}(.*)$/gm)];
  const functions = rows.map(([, flat, cum, name]) => ({
    flat: Number(flat),
    cum: Number(cum),
    name: name.replace(/ \((?:partial-)?inline\)$/, ''),
  }));
  const whole = functions.reduce((sum, { flat }) => sum + flat, 0);
  assert.equal(functions.length, 228);
  const cases: readonly FilterCase<(typeof functions)[number]>[] = [
    ['self>1%', ({ flat }) => flat > whole / 100, 19],
    ['self>=100ms', ({ flat }) => flat >= 10, 17],
    ['self=0', ({ flat }) => flat === 0, 113],
    ['inclusive<=50ms self>10ms', ({ flat, cum }) => cum <= 5 && flat > 1, 26],
    ['inclusive>10% self<1%', ({ flat, cum }) => cum > whole / 10 && flat < whole / 100, 10],
    ['self>5% | inclusive>30%', ({ flat, cum }) => flat > whole / 20 || cum > whole * 0.3, 8],
    ['!inclusive<0.5s', ({ cum }) => cum >= 50, 21],
  ];
  keepTheSame(cases, functions, wordsFor('pprof', '`pprof -top`'), { 'cpu.pb.gz': 'pprof/cpu.pb.gz' });
});

test('KCachegrind: functions by calls, self cost and object', () => {
  const lines = read('callgrind/default.kcachegrind.tsv')
    .split('\n')
    .filter((line) => line.startsWith('fn\t'));
  const functions = lines.map((line) => {
    const [, , self, calls, , , name, file, object] = line.split('\t');
    return { self: Number(self), calls: Number(calls), name, file, object };
  });
  const cases: readonly FilterCase<(typeof functions)[number]>[] = [
    ['calls>100', ({ calls }) => calls > 100, 34],
    ['calls=1 self>1k', ({ calls, self }) => calls === 1 && self > 1000, 12],
    ['calls>=1000 | self>5%', ({ calls, self }) => calls >= 1000 || self > 3_117_398 / 20, 14],
    ['object:libstdc++ self<100', ({ object, self }) => object.includes('libstdc++') && self < 100, 65],
    ['file:src/ calls<=10', ({ file, calls }) => file.includes('src/') && calls <= 10, 15],
  ];
  keepTheSame(cases, functions, wordsFor('KCachegrind', 'function list'), {
    'callgrind.out.1': 'callgrind/default.callgrind.out',
  });
});

/** Columns of a table of routines in a unit, by the routine. */
function columnsOf(words: readonly string[], files: Readonly<Record<string, string>>, columns: readonly string[]) {
  const [head, ...rows] = print([...words, '--tsv'], files)
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  const at = columns.map((column) => head.indexOf(column));
  return rows.map((cells) => [cells[0], at.map((k) => Number(cells[k]))] as const);
}
const sorted = <Value>(entries: readonly (readonly [string, Value])[]) => [...entries].sort(([a], [b]) => (a < b ? -1 : 1));

test('pprof -sample_index=inuse_space -unit=kB: flat and cum of every function', () => {
  const words = wordsFor('pprof', '`pprof -unit=ms`').map((word) => ({ cpu: 'inuse_space', ms: 'KiB' })[word] ?? word);
  const found = columnsOf(words, { 'cpu.pb.gz': 'pprof/heap.pb.gz' }, ['self.inuse_space', 'inclusive.inuse_space']);
  const rows = [...read('pprof/printed/heap-kb.txt').matchAll(/^ *(\S+?)(?:kB)? +\S+% +\S+% +(\S+?)(?:kB)? +\S+% {2}(.*)$/gm)];
  const expected = rows.map(
    ([, flat, cum, name]) => [name.replace(/ \((?:partial-)?inline\)$/, ''), [Number(flat), Number(cum)]] as const,
  );
  // pprof rounds to two places, and leaves out functions whose objects are all freed.
  const rounded = found.map(([name, values]) => [name, values.map((value) => Number(value.toFixed(2)))] as const);
  assert.deepEqual(sorted(rounded.filter(([, [, cum]]) => cum > 0)), sorted(expected));
  assert.equal(expected.length, 14);
});

test('callgrind_annotate: the share of every line of two files', () => {
  const sections = read('callgrind/printed/default.context-3.txt')
    .split(/^-- User-annotated source: /m)
    .slice(1);
  const counts = sections.map((section) => {
    const file = section.slice(0, section.indexOf('\n'));
    const listing = section.split(/^-{80}$/m)[1];
    const expected = [...listing.matchAll(/^ *[\d,]+ \( ?([\d.]+)%\) {2}(?!=> )/gm)].map(([, share]) => share);
    const words = wordsFor('callgrind_annotate', 'a file name after the profile').with(-1, file);
    const found = columnsOf([...words, '--unit', 'percent'], { 'callgrind.out.1': 'callgrind/default.callgrind.out' }, [
      'self.Ir',
    ]);
    assert.deepEqual(
      found.flatMap(([, [share]]) => (share > 0 ? [share.toFixed(2)] : [])),
      expected,
      file,
    );
    return expected.length;
  });
  assert.deepEqual(counts, [64, 21]);
});
