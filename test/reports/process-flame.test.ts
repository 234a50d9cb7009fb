// The flame graph of a build trace as text, as rows, and as a picture.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { routineName } from '../../src/analysis/names/names.ts';
import { cellWidth } from '../../src/base/text.ts';
import { loadProfile } from '../../src/io/load.ts';
import { flame } from '../../src/reports/flame.ts';
import type { ReportContext } from '../../src/reports/report.ts';
import { summary } from '../../src/reports/summary.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { matchesGolden } from '../support/golden.ts';
import { contextOf } from '../support/reports.ts';

async function written(write: (out: (text: string) => Promise<void>) => Promise<void>): Promise<string> {
  let all = '';
  await write(async (text) => {
    all += text;
  });
  return all;
}

const harbor = async (): Promise<ReportContext> => ({
  ...contextOf(await loadProfile([join(FIXTURES, 'build-trace/harbor.trace.gz')])),
  routine: undefined,
});

test('text is the picture, from the roots down, inverted, and of the callers of a program', async () => {
  const context = await harbor();
  const text = (more: Partial<ReportContext>) =>
    written((write) => flame.write('text', { ...context, width: 100, ...more }, '0', write));
  const gcc = Array.from(context.analysis.profile.routines.name.keys()).find(
    (r) => routineName(context.analysis.profile, r) === 'gcc',
  );
  assert.ok(gcc !== undefined);
  const all = [await text({}), await text({ inverted: true }), await text({ inverted: true, routine: gcc })].join('\n');
  for (const line of all.split('\n')) assert.ok(cellWidth(line) <= 100, line);
  matchesGolden('print/flame-processes.txt', all.replaceAll(FIXTURES, 'fixtures'));
});

test('rows are those of a tree: programs, and how many processes they are with those below', async () => {
  const context = { ...(await harbor()), limit: Number.POSITIVE_INFINITY };
  const { rows } = JSON.parse(await written((write) => flame.write('json', context, '0', write)));
  const [root, first] = rows;
  const { id, parent, depth, routine, file, object, calls, self, inclusive } = first;
  assert.deepEqual(
    { id, parent, depth, routine, file, object, calls, self, inclusive },
    {
      id: 1,
      parent: 0,
      depth: 1,
      routine: 'sh',
      file: null,
      object: null,
      calls: 13,
      self: { events: 13 },
      inclusive: { events: 46 },
    },
  );
  assert.deepEqual(
    [root.routine, root.inclusive, rows.some((row: object) => 'context' in row)],
    ['make', { events: 107 }, false],
  );
  assert.equal(
    rows.reduce((sum: number, row: { self: { events: number } }) => sum + row.self.events, 0),
    107,
  );
});

test('tooltips of the SVG say program and processes, without an empty line for a place that programs do not have', async () => {
  const svg = await written(async (write) => flame.write('svg', await harbor(), '0', write));
  assert.match(svg, /<title>sh&#10;46 events, 42\.99%, self 12\.15%<\/title>/);
});

test('the summary counts no programs as routines', async () => {
  const { rows } = JSON.parse(await written(async (write) => summary.write('json', await harbor(), '0', write)));
  assert.deepEqual([rows[0].routines, rows[0].objects, rows[0].processes], [0, 0, 107]);
});
