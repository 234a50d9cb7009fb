// Distinct stacks: against the samples that `go tool pprof -raw` lists, and on every fixture against the totals of its routines.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import { textOfCell } from '../../src/base/style.ts';
import { readColumns } from '../../src/columns/column.ts';
import { stackList } from '../../src/columns/stacks.ts';
import { folded } from '../../src/formats/folded.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { reports } from '../../src/reports/index.ts';
import { contextOfKind } from '../../src/reports/report.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadText } from '../support/load.ts';
import { locationsOf } from '../support/pprof-raw.ts';
import { contextOf } from '../support/reports.ts';

const ALL = { limit: Number.POSITIVE_INFINITY };
type Row = { readonly [key: string]: unknown };
const rowsOf = (profile: Profile, view: string, more = {}): Row[] => [
  ...(reports.find((r) => r.name === view)?.records({ ...contextOf(profile), ...ALL, ...more }) ?? []),
];
const costOf = (row: Row, what: string, event: string): number => {
  const costs = row[what];
  return costs !== null && typeof costs === 'object' && event in costs ? Number(Reflect.get(costs, event)) : Number.NaN;
};

test('each stack with its labels, samples and time is that of pprof -raw', async () => {
  const text = gunzipSync(readFileSync(join(FIXTURES, 'pprof/cpu.raw.txt.gz'))).toString();
  const lines = text.split('\n');
  const [from, to, end] = ['Samples:', 'Locations', 'Mappings'].map((title) => lines.indexOf(title));
  const functions = locationsOf(lines.slice(to + 1, end));
  const expected = new Map<string, { count: number; ns: number; readonly workers: Set<string> }>();
  for (let i = from + 2; i < to; i++) {
    const sample = /^ *(\d+) +(\d+): ([\d ]+)$/.exec(lines[i]);
    if (!sample) continue;
    const worker = /^ +worker:\[(.*)\]/.exec(lines[i + 1]);
    const names = sample[3]
      .trim()
      .split(' ')
      .flatMap((id) => functions.get(Number(id))?.map(({ name }) => name) ?? []);
    const key = JSON.stringify(names.reverse());
    const known = expected.get(key) ?? { count: 0, ns: 0, workers: new Set() };
    const workers = worker ? known.workers.add(worker[1]) : known.workers;
    expected.set(key, { count: known.count + Number(sample[1]), ns: known.ns + Number(sample[2]), workers });
  }
  const rows = rowsOf(await loadProfile([join(FIXTURES, 'pprof/cpu.pb.gz')]), 'stacks');
  const found = rows.map((row) => {
    const { worker = [] } = Object(row['labels']);
    return [JSON.stringify(row['stack']), { count: row['count'], ns: costOf(row, 'cost', 'cpu'), workers: [...worker].sort() }];
  });
  const wanted = [...expected].map(([key, { workers, ...sums }]) => [key, { ...sums, workers: [...workers].sort() }]);
  assert.ok(expected.size > 300, `${expected.size}`);
  assert.equal(new Set(rows.map((row) => JSON.stringify(row['stack']))).size, rows.length);
  assert.deepEqual(found.sort(), wanted.sort());
  const costs = rows.map((row) => costOf(row, 'cost', 'cpu'));
  assert.deepEqual(
    costs,
    [...costs].sort((a, b) => b - a),
  );
});

for (const name of [
  'perf-script/waits.perf.gz',
  'perf-script/two-events.perf.gz',
  'perf-script/levels.perf.gz',
  'pprof/heap.pb.gz',
  'pprof/goroutine.pb.gz',
  'folded/perf.folded',
  'cpuprofile/sort.cpuprofile.gz',
])
  test(`${name}: stacks are listed once, and their costs add up to the self cost of their innermost routines`, async () => {
    const profile = await loadProfile([join(FIXTURES, name)]);
    const rows = rowsOf(profile, 'stacks');
    assert.equal(new Set(rows.map((row) => JSON.stringify(row['stack']))).size, rows.length);
    for (const event of profile.events.map((e) => e.name)) {
      const own = new Map<string, number>();
      for (const row of rows) {
        const last = Array.isArray(row['stack']) ? String(row['stack'].at(-1)) : '';
        own.set(last, (own.get(last) ?? 0) + costOf(row, 'cost', event));
      }
      const self = new Map<string, number>();
      for (const row of rowsOf(profile, 'routines', { routine: undefined })) {
        const cost = costOf(row, 'self', event);
        if (cost !== 0) self.set(String(row['routine']), (self.get(String(row['routine'])) ?? 0) + cost);
      }
      const nonZero = new Map([...own].filter(([, cost]) => cost !== 0));
      assert.deepEqual(new Map([...nonZero].sort()), new Map([...self].sort()), event);
    }
  });

test('one stack of several lines or parts is one row; other labels, an empty stack and another order are rows of their own', async () => {
  const profile = await loadText(folded, 'a;b 2\na;b;c 1\nb;a 4\na;b 3\n');
  assert.deepEqual(
    rowsOf(profile, 'stacks').map((row) => [row['stack'], costOf(row, 'cost', 'samples')]),
    [
      [['a', 'b'], 5],
      [['b', 'a'], 4],
      [['a', 'b', 'c'], 1],
    ],
  );
  const context = contextOfKind('stacks', contextOf(profile));
  const column = readColumns(stackList.table(context).columns({ ...context, medium: 'screen' }), 'screen').find(
    (c) => c.id === 'stack',
  );
  assert.equal(textOfCell(column?.text?.(stackList.all(context)[2]) ?? ''), 'a › b › c');
});
