// --unit beside the units and percentages of pprof and callgrind_annotate: every number of their texts.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { print, wordsFor } from '../support/coming-from.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';

const read = (path: string) => readMaybeGz(join(FIXTURES, path)).toString();

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
