// Filters with conditions, costs per call and rests, where they were wrong once.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { eventInMeasure } from '../../src/analysis/answers/compared/measure.ts';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { initialState } from '../../src/app/first-state.ts';
import { update } from '../../src/app/update.ts';
import { parseConditions } from '../../src/base/conditions.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { reports } from '../../src/reports/index.ts';
import { filterFields, type ReportContext } from '../../src/reports/report.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadText } from '../support/load.ts';
import { contextOf } from '../support/reports.ts';
import { PLAINLY } from '../support/versus.ts';
import { runWarm } from '../support/warm.ts';

const DEFAULT = join(FIXTURES, 'callgrind/default.callgrind.out');

async function written(name: string, profile: Profile, more: Partial<ReportContext>, form: 'json' | 'text' | 'csv' = 'json') {
  let text = '';
  const context = { ...contextOf(profile), routine: undefined, limit: Number.POSITIVE_INFINITY, ...more };
  await reports.find((r) => r.name === name)?.write(form, context, '0', async (piece) => void (text += piece));
  return text;
}
const rowsWith = async (name: string, profile: Profile, filter: string) =>
  JSON.parse(await written(name, profile, filterFields(profile, filter))).rows;

test('addresses of pages and drives are text', () => {
  for (const text of ['http://host/a', 'C:/file', 'c:file']) assert.equal(parseConditions(text), undefined, text);
  assert.ok(parseConditions('file:/usr/include'));
});

test('a wrong pattern beside a condition is refused, and the screen stays', async () => {
  const profile = await loadProfile([DEFAULT]);
  assert.throws(() => filterFields(profile, 'self>1 /(/'), /invalid regular expression/);
  let [state] = update(initialState(profile, { width: 100, height: 20 }), { type: 'view', view: 'routines' });
  [state] = update(state, { type: 'command', name: 'filter', argument: 'self>1 /(/' });
  assert.match(toPlainText(drawScreen(state)), /invalid regular expression/);
});

test('costs beyond 2^53 can be asked for as text, and texts with digits are texts', async () => {
  const profile = await loadText(callgrind, `events: Ir\nfl=7zip.c\nfn=main\n1 ${2n ** 60n}\nfl=b.c\nfn=f\n2 5\n`);
  const names = async (filter: string) =>
    (await rowsWith('routines', profile, filter)).map((r: { routine: string }) => r.routine);
  assert.deepEqual(await names('self:1152921504606846976'), ['main']);
  assert.deepEqual(await names('file=7zip.c'), ['main']);
  assert.deepEqual(await names('self=5'), ['f']);
});

test('costs per call can be compared', async () => {
  const profile = await loadProfile([DEFAULT]);
  const all: { perCall: { inclusive: { Ir: number } } | null }[] = await rowsWith('routines', profile, '');
  const wanted = all.filter(({ perCall }) => perCall !== null && perCall.inclusive.Ir > 100_000);
  assert.ok(wanted.length > 3);
  assert.deepEqual(await rowsWith('routines', profile, 'perCall>100k'), wanted);
});

test('costs per call of estimates are estimates', async () => {
  const profile = await loadProfile([DEFAULT]);
  const text = await written('routines', profile, { extraParts: ['perCall'], width: 400 }, 'text');
  const line = text.split('\n').find((one) => one.includes('demo::parse_expr(demo::Cursor&)'));
  assert.match(line ?? '', /≈[\d,]+ +[\d.]+% +[\d,]+ +[\d,.]+ +≈[\d,.]+ demo::parse_expr/);
});

test('CSV tells the rest where no row reaches the threshold', async () => {
  const lines = (await written('routines', await loadProfile([DEFAULT]), { threshold: 100 }, 'csv')).trimEnd().split('\r\n');
  assert.equal(lines.length, 2);
  assert.match(lines[0], /^routine,file,object,calls,self\.Ir/);
  assert.match(lines[1], /^"… 576 rows below 100%: self 3,117,398, 100\.0%",,,,3117398/);
});

test('of two runs with equal totals, --coverage lists the files that changed', async () => {
  const of = (a: number, b: number) =>
    loadText(callgrind, `events: Ir\nfl=a.c\nfn=a\n1 ${a}\nfl=b.c\nfn=b\n1 ${b}\nfl=c.c\nfn=c\n1 50\n`);
  const profile = compareProfiles(await of(300, 100), await of(100, 300), PLAINLY);
  const { analysis, event } = contextOf(profile);
  const text = await written('source', profile, { event: eventInMeasure(analysis, event, 'delta') }, 'text');
  assert.match(text, /-- a\.c/);
  assert.match(text, /-- b\.c/);
  assert.doesNotMatch(text, /-- c\.c/);
});

test('the rest of a comparison has the sum of its differences', () => {
  const [base, now] = ['v1', 'v2'].map((of) => join(FIXTURES, `compare/${of}/shop.callgrind.out.gz`));
  const lines = runWarm(['--base', base, now, '--print', 'routines', '--threshold', '1', '--limit', '1000'])
    .out.trimEnd()
    .split('\n');
  const rest = Number(/below 1%: self ([-+][\d,]+), /.exec(lines.at(-1) ?? '')?.[1].replaceAll(',', ''));
  const change = Number(/\(([-+][\d,]+), /.exec(lines.find((line) => line.startsWith('event:')) ?? '')?.[1].replaceAll(',', ''));
  const shown = lines.flatMap((line) => /^ *([-+][\d,]+) /.exec(line)?.[1].replaceAll(',', '') ?? []);
  assert.ok(shown.length > 1);
  assert.equal(
    shown.reduce((sum, cost) => sum + Number(cost), rest),
    change,
  );
});

test('a ratio by 0 is unknown in the tree and the source, as in lists', () => {
  const file = join(FIXTURES, 'callgrind/cache-branch.callgrind.out.gz');
  for (const view of ['tree', 'source', 'lines']) {
    const { out } = runWarm([
      file,
      '--derive',
      'miss=DLmw/DLmr',
      '--event',
      'miss',
      '--print',
      view,
      '--limit',
      '2000',
      '--width',
      '110',
    ]);
    const cells = out.split('\n').map((line) => line.slice(0, 30).trim().split(/ +/));
    assert.ok(
      cells.some((found) => found.includes('-')),
      view,
    );
    assert.ok(!cells.some((found) => found.includes('≈-')), view);
  }
});
