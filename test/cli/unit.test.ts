// --unit: the recorded numbers of JSON, divided.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { FIXTURES } from '../support/fixtures.ts';
import { runWarm } from '../support/warm.ts';

const FILE = join(FIXTURES, 'gperftools/nopie-g.prof.gz');
const args = [FILE, '--print', 'routines', '--event', 'time'];

interface Row {
  readonly self: { readonly time: number; readonly samples: number };
  readonly inclusive: { readonly time: number };
}

test('text, CSV and TSV are in the unit; JSON stays as recorded', () => {
  const recorded = JSON.parse(runWarm([...args, '--json']).out);
  const rows: Row[] = recorded.rows;
  const total = recorded.totals.time;
  for (const [unit, by] of [
    ['ns', 1],
    ['us', 1e3],
    ['ms', 1e6],
    ['s', 1e9],
    ['percent', total / 100],
  ] as const) {
    const [head, ...lines] = runWarm([...args, '--unit', unit, '--tsv'])
      .out.trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    const at = (name: string) => head.indexOf(name);
    assert.equal(lines.length, rows.length);
    for (const [i, cells] of lines.entries()) {
      assert.ok(Math.abs(Number(cells[at('self.time')]) - rows[i].self.time / by) < 1e-9 * total, `${unit} ${i}`);
      assert.ok(Math.abs(Number(cells[at('inclusive.time')]) - rows[i].inclusive.time / by) < 1e-9 * total, `${unit} ${i}`);
      // Samples are no time.
      if (unit !== 'percent') assert.equal(Number(cells[at('self.samples')]), rows[i].self.samples);
    }
  }
  assert.match(runWarm([...args, '--unit', 'ms']).out, /in ms\), total 1,768\n/);
});

test('limits are in the recorded unit, and units that do not fit are refused', () => {
  assert.equal(runWarm([...args, '--unit', 's', '--fail-if', 'time > 1000ms']).code, 3);
  assert.equal(runWarm([...args, '--unit', 's', '--fail-if', 'time > 2s']).code, 0);
  for (const [more, why] of [
    [['--unit', 'MiB'], /no event is in it; there are samples \(samples\), time \(ns\)/],
    [['--unit', 'ms', '--json'], /--unit is for text, markdown, csv, tsv/],
    [['--unit', 'furlong'], /--unit furlong: takes ns, us, ms/],
  ] as const) {
    const { code, err } = runWarm([...args, ...more]);
    assert.equal(code, 2, err);
    assert.match(err, why);
  }
});

test('a profile compared with itself differs by nothing in any unit', () => {
  const massif = join(FIXTURES, 'massif/words.massif.out');
  const callgrind = join(FIXTURES, 'callgrind/default.callgrind.out');
  for (const [path, unit] of [
    [massif, 'KiB'],
    [massif, 'percent'],
    [callgrind, 'percent'],
  ] as const) {
    const [head, ...lines] = runWarm([path, '--base', path, '--print', 'routines', '--unit', unit, '--tsv'])
      .out.trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    const [self, before] = [
      head.findIndex((name) => name.startsWith('self.')),
      head.findIndex((name) => name.startsWith('base.self.')),
    ];
    assert.ok(lines.length > 10 && self >= 0 && before >= 0, head.join());
    for (const cells of lines) assert.equal(cells[self], cells[before]);
    assert.ok(lines.some((cells) => Number(cells[self]) > 0));
    assert.match(runWarm([path, '--base', path, '--print', 'routines', '--unit', unit]).out, /\(0, 0\.00%\)/);
  }
});
