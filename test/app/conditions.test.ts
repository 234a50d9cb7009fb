// Filters that know columns: on the screen and in reports, against plain loops over the rows of JSON.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { initialState } from '../../src/app/first-state.ts';
import { update } from '../../src/app/update.ts';
import { parseConditions } from '../../src/base/conditions.ts';
import { compileFilter } from '../../src/base/match.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { reports } from '../../src/reports/index.ts';
import { makeRowFilter } from '../../src/reports/report.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { contextOf } from '../support/reports.ts';

type Row = Record<string, unknown> & { readonly self: Record<string, number>; readonly inclusive: Record<string, number> };

async function rowsOf(profile: Profile, report: string, filter: string): Promise<Row[]> {
  let text = '';
  const context = {
    ...contextOf(profile),
    limit: Number.POSITIVE_INFINITY,
    ...{ routine: undefined, filtered: filter !== '', conditions: parseConditions(filter) },
    matches: makeRowFilter(profile, compileFilter(filter)),
  };
  await reports.find((r) => r.name === report)?.write('json', context, '0', async (piece) => void (text += piece));
  return JSON.parse(text).rows;
}

test('names are no conditions', () => {
  for (const name of [
    'std::vector',
    'vector<int>',
    'operator<<',
    '/self>1/',
    'a b',
    'x|y',
    '!foo',
    'operator<=',
    'demo::f(int)',
    '-std=c++17',
  ])
    assert.equal(parseConditions(name), undefined, name);
  assert.deepEqual(parseConditions('!role=link x | self>=1.5% vector<int>'), [
    [{ column: 'role', operator: '=', value: 'link', isNot: true }, { word: 'x' }],
    [{ column: 'self', operator: '>=', value: '1.5%', isNot: false }, { word: 'vector<int>' }],
  ]);
});

test('of routines, calls and lines: the rows that a loop over all of them finds', async () => {
  const profile = await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]);
  const total = 3_117_398;
  const has = (part: unknown, text: string) => String(part).toLowerCase().includes(text);
  const cases: [report: string, filter: string, wanted: (row: Row) => boolean][] = [
    ['routines', 'self>1%', (r) => r.self['Ir'] > total / 100],
    ['routines', 'Ir>=1000 calls<10', (r) => r.self['Ir'] >= 1000 && Number(r['calls']) < 10],
    ['routines', 'file:dl- !self>1k', (r) => has(r['file'], 'dl-') && !(r.self['Ir'] > 1000)],
    ['routines', 'code=own | calls>1,000', (r) => r['code'] === 'own' || Number(r['calls']) > 1000],
    [
      'routines',
      'inclusive<=0.5% strc',
      (r) => r.inclusive['Ir'] <= total / 200 && has([r['routine'], r['file'], r['object'], r['recordedName']], 'strc'),
    ],
    ['routines', 'calls=1', (r) => r['calls'] === 1],
    ['lines', 'self>2% line>20', (r) => r.self['Ir'] > total / 50 && Number(r['line']) > 20],
    ['calls', 'callee:strcmp count>100', (r) => has(JSON.stringify(r['callee']), 'strcmp') && Number(r['count']) > 100],
  ];
  for (const [report, filter, wanted] of cases) {
    const found = await rowsOf(profile, report, filter);
    const all = (await rowsOf(profile, report, '')).filter(wanted);
    assert.deepEqual(found, all, `${report} ${filter}`);
    assert.ok(found.length > 0, `${report} ${filter}`);
  }
});

test('durations have units', async () => {
  const profile = await loadProfile([join(FIXTURES, 'ninja-log/mbedtls/.ninja_log.gz')]);
  const all = await rowsOf(profile, 'steps', '');
  for (const [filter, ms] of [
    ['duration>1.5s', 1500],
    ['durationMs>1500', 1500],
    ['duration>1500000us', 1500],
  ] as const) {
    const found = await rowsOf(profile, 'steps', filter);
    assert.deepEqual(
      found,
      all.filter((r) => Number(r['durationMs']) > ms),
      filter,
    );
    assert.equal(found.length, 2, filter);
  }
});

test('unknown columns and amounts are refused', async () => {
  const profile = await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]);
  await assert.rejects(rowsOf(profile, 'routines', 'slef>1%'), /slef>1%: no such column; there are self, .*did you mean self\?/);
  await assert.rejects(rowsOf(profile, 'routines', 'self>10ms'), /self>10ms: expected a plain number/);
  await assert.rejects(rowsOf(profile, 'routines', 'calls>1%'), /percentages go with costs/);
});

test('on the screen: Routines and lists have them, other views say that they do not', async () => {
  const open = async (path: string, view: 'routines' | 'lines' | 'steps' | 'tree', filter: string) => {
    const profile = await loadProfile([join(FIXTURES, path)]);
    let [state] = update(initialState(profile, { width: 120, height: 30 }), { type: 'view', view });
    [state] = update(state, { type: 'command', name: 'filter', argument: filter });
    while (state.unfinished) [state] = update(state, { type: 'work' });
    return toPlainText(drawScreen(state));
  };
  const routines = await open('callgrind/default.callgrind.out', 'routines', 'self>10%');
  assert.match(routines, /4 of 576/);
  assert.match(routines, /_dl_lookup_symbol_x[\s\S]*operator\*[\s\S]*do_lookup_x[\s\S]*_dl_relocate_object/);
  assert.match(await open('callgrind/default.callgrind.out', 'routines', 'slef>1%'), /no such column/);
  const lines = await open('callgrind/default.callgrind.out', 'lines', 'self>2% file:dl-');
  assert.match(lines, /3 of 7,140 lines/);
  assert.match(await open('callgrind/default.callgrind.out', 'lines', 'slef>2%'), /no such column/);
  const steps = await open('ninja-log/mbedtls/.ninja_log.gz', 'steps', 'duration>2.5s');
  assert.match(steps, /2 rows of 429 steps match/);
  assert.match(await open('ninja-log/mbedtls/.ninja_log.gz', 'steps', 'self>1'), /no such column/);
  assert.match(await open('ninja-log/mbedtls/.ninja_log.gz', 'steps', 'lane=0 duration>2.5s'), /2 rows of 429 steps match/);
  assert.match(await open('callgrind/default.callgrind.out', 'tree', 'self>1%'), /Tree/);
});
