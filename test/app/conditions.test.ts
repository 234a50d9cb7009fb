// Filters that know columns: on the screen and in reports, against plain loops over the rows of JSON.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import type { Action } from '../../src/app/action.ts';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { initialState } from '../../src/app/first-state.ts';
import { update } from '../../src/app/update.ts';
import { parseConditions } from '../../src/base/conditions.ts';
import { compileFilter } from '../../src/base/match.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { reports } from '../../src/reports/index.ts';
import { filterFields, makeRowFilter, type ReportContext } from '../../src/reports/report.ts';
import type { ViewId } from '../../src/views/index.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { contextOf } from '../support/reports.ts';
import { runWarm } from '../support/warm.ts';

type Row = Record<string, unknown> & { readonly self: Record<string, number>; readonly inclusive: Record<string, number> };

const rowsOf = (profile: Profile, report: string, filter: string): Promise<Row[]> =>
  rowsWith(profile, report, {
    ...{ filtered: filter !== '', conditions: parseConditions(filter) },
    matches: makeRowFilter(profile, compileFilter(filter)),
  });

/** As --print and the library filter. */
const rowsIn = (profile: Profile, report: string, filter: string) => rowsWith(profile, report, filterFields(profile, filter));

async function rowsWith(profile: Profile, report: string, filter: Partial<ReportContext>): Promise<Row[]> {
  let text = '';
  const context = { ...contextOf(profile), limit: Number.POSITIVE_INFINITY, routine: undefined, ...filter };
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

test('costs have their signs', () => {
  const path = join(FIXTURES, 'cachegrind/diff.cachegrind.out.gz');
  const rows = (filter: string) => {
    const { rows } = JSON.parse(runWarm([path, '--print', 'routines', '--json', '--filter', filter]).out) as {
      rows: { self: { Ir: number } }[];
    };
    return rows.map(({ self }) => self.Ir);
  };
  const [negative, positive] = [rows('self<0'), rows('self>0')];
  assert.ok(negative.length > 5 && negative.every((cost) => cost < 0));
  assert.ok(positive.length > 1 && positive.every((cost) => cost > 0));
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

const screenOf = async (path: string, view: ViewId, filter: string, keys: readonly Action[] = []) => {
  const profile = await loadProfile([join(FIXTURES, path)]);
  let [state] = update(initialState(profile, { width: 120, height: 30 }), { type: 'view', view: 'routines' });
  [state] = update(state, { type: 'view', view });
  for (const action of [{ type: 'command', name: 'filter', argument: filter } as const, ...keys]) [state] = update(state, action);
  while (state.unfinished) [state] = update(state, { type: 'work' });
  return toPlainText(drawScreen(state));
};

test('on the screen: lists have their own columns, views of calls those of Routines, Gantt those of Steps', async () => {
  const [calls, ninja] = ['callgrind/default.callgrind.out', 'ninja-log/mbedtls/.ninja_log.gz'];
  const routines = await screenOf(calls, 'routines', 'self>10%');
  assert.match(routines, /4 of 576/);
  assert.match(routines, /_dl_lookup_symbol_x[\s\S]*operator\*[\s\S]*do_lookup_x[\s\S]*_dl_relocate_object/);
  assert.match(await screenOf(calls, 'lines', 'self>2% file:dl-'), /3 of 7,140 lines/);
  const views = ['routines', 'calls', 'graph', 'flame', 'tree', 'lines'] as const;
  for (const view of views) assert.match(await screenOf(calls, view, 'slef>1%'), /slef>1%: no such column/, view);
  for (const filter of ['duration>2.5s', 'lane=0 duration>2.5s'])
    assert.match(await screenOf(ninja, 'steps', filter), /2 rows of 429 steps match/);
  assert.match(await screenOf(ninja, 'gantt', 'duration>1.5s role=compile'), /1 matching step/);
  assert.match(await screenOf(ninja, 'gantt', 'self>1'), /no such column/);
  const growth = await screenOf('aprof/sorts/sorts_29651_0_4.aprof.gz', 'growth', 'sizes>=5');
  assert.match(growth, /18 routines/);
  assert.match(await screenOf('callgrind/default.callgrind.out', 'calls', 'self>1%'), /callee/);
});

test('Tab in a filter completes the name of a column as far as it is certain', async () => {
  const ask: Action[] = [{ type: 'prompt', kind: 'filter' }];
  const typed = (text: string): Action[] => [...ask, { type: 'input-set', text }, { type: 'input-complete' }];
  const path = 'callgrind/default.callgrind.out';
  const several = await screenOf(path, 'routines', '', typed('calls>1 c'));
  assert.match(several, /Columns: calls cycle code/);
  assert.match(several, /calls>1 c/);
  assert.match(await screenOf(path, 'tree', '', typed('rout')), /routine/);
  assert.match(await screenOf(path, 'routines', '', typed('xy')), /No column begins with xy/);
  assert.match(await screenOf(path, 'source', '', typed('')), /The view has no columns/);
});

test('in print: tree and graph keep the routines that Routines keeps', async () => {
  const profile = await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]);
  const filter = 'self>2% file:dl-';
  const wanted = new Set((await rowsOf(profile, 'routines', filter)).map((r) => r['routine']));
  const all = await rowsOf(profile, 'tree', '');
  const kept = new Set<unknown>();
  const byId = new Map(all.map((r) => [r['id'], r]));
  for (const row of all)
    if (wanted.has(row['routine']))
      for (let r: Row | undefined = row; r; r = byId.get(r['parent']))
        kept.add(JSON.stringify([r['depth'], r['routine'], r.self]));
  const found = await rowsOf(profile, 'tree', filter);
  assert.deepEqual(new Set(found.map((r) => JSON.stringify([r['depth'], r['routine'], r.self]))), kept);
  assert.ok(wanted.size > 1 && kept.size < all.length);
});

test('columns have their headings, costs the names of CSV, and numbers the spellings of people', async () => {
  const profile = await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]);
  for (const [report, filter, same] of [
    ['routines', 'self > 1%', 'self>1%'],
    ['routines', 'self.Ir>5% inclusive.Ir > 10%', 'self>5% inclusive>10%'],
    ['routines', 'self>1e5', 'self>100000'],
    ['routines', 'self==662012', 'self=662012'],
    ['routines', 'code != own calls<3', '!code=own calls<3'],
    ['routines', 'file:"matrix.hpp"', 'file:matrix.hpp'],
    ['calls', 'calls > 1000', 'count>1000'],
    ['lines', 'self>= 2%', 'self>=2%'],
  ]) {
    const found = await rowsIn(profile, report, filter);
    assert.deepEqual(found, await rowsIn(profile, report, same), filter);
    assert.ok(found.length > 0, filter);
  }
  for (const [filter, error] of [
    ['self>abc', /self>abc: expected a plain number/],
    ['self>', /self>: expected a plain number/],
    ['self=abc', /self=abc: expected a plain number/],
    ['calls=>5', /calls=>5: expected a plain number/],
    ['self>1.2.3%', /expected a plain number/],
    ['self>1%&calls>3', /expected a plain number/],
    ['self.Xx>5%', /self\.Xx>5%: no such column/],
    ['(self > 1%)', /parentheses are not supported/],
    ['self>1%|', /a condition is missing/],
  ] as const)
    await assert.rejects(async () => rowsIn(profile, 'routines', filter), error, filter);
});

test('bytes have units, waits their heading, and groups the names of their keys', async () => {
  const memory = await loadProfile([join(FIXTURES, 'massif/stages.massif.out')]);
  const all = await rowsIn(memory, 'snapshots', '');
  const large = await rowsIn(memory, 'snapshots', 'total>5KiB');
  assert.deepEqual(
    large,
    all.filter((r) => Number(r['total']) > 5 * 1024),
  );
  assert.ok(large.length > 0 && large.length < all.length);
  const build = await loadProfile([join(FIXTURES, 'ninja-log/postbuild/.ninja_log')]);
  const late = await rowsIn(build, 'waterfall', 'wait>1ms');
  assert.deepEqual(late, await rowsIn(build, 'waterfall', 'waited>1ms'));
  assert.ok(late.length > 0);
  const path = join(FIXTURES, 'callgrind/default.callgrind.out');
  const groups = (filter: string) =>
    JSON.parse(runWarm([path, '--print', 'groups', '--by', 'file,routine', '--json', '--filter', filter]).out).rows as {
      by: { file: string; routine: string | null };
    }[];
  assert.ok(groups('file:matrix').length > 1 && groups('file:matrix').every(({ by }) => by.file.includes('matrix')));
  assert.ok(groups('routine:parse').length > 1 && groups('routine:parse').every(({ by }) => by.routine?.includes('parse')));
  for (const view of ['brief', 'source'])
    assert.match(runWarm([path, '--print', view, '--filter', 'self > 1%']).err, new RegExp(`the filter of ${view} takes names`));
});

test('on the screen: blanks, headings and views without columns', async () => {
  const path = 'callgrind/default.callgrind.out';
  assert.match(await screenOf(path, 'routines', 'self > 10%'), /4 of 576/);
  assert.match(await screenOf(path, 'routines', 'self > abc'), /self>abc: expected a plain number/);
  assert.match(await screenOf(path, 'routines', '(self > 1)'), /parentheses are not supported/);
  assert.match(await screenOf(path, 'overview', 'self > 10%', [{ type: 'view', view: 'routines' }]), /4 of 576/);
  assert.match(
    await screenOf('ninja-log/mbedtls/.ninja_log.gz', 'waterfall', '', [
      { type: 'prompt', kind: 'filter' },
      { type: 'input-set', text: 'wait' },
      { type: 'input-complete' },
    ]),
    /Columns: .*\bwait\b/,
  );
});

test('generated conditions: the rows of a slow reference', async () => {
  const profile = await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]);
  const all = await rowsIn(profile, 'routines', '');
  type Wanted = { readonly text: string; readonly test: (row: Row) => boolean };
  const compare: Record<string, (a: number, b: number) => boolean> = {
    ...{ '>': (a, b) => a > b, '>=': (a, b) => a >= b, '<': (a, b) => a < b, '<=': (a, b) => a <= b },
    ...{ '=': (a, b) => a === b, '==': (a, b) => a === b, '!=': (a, b) => a !== b },
  };
  const numbers: Record<string, (row: Row) => number> = {
    ...{ self: (r) => r.self['Ir'], 'self.Ir': (r) => r.self['Ir'], Ir: (r) => r.self['Ir'] },
    ...{ inclusive: (r) => r.inclusive['Ir'], 'inclusive.Ir': (r) => r.inclusive['Ir'], calls: (r) => Number(r['calls']) },
  };
  const blank = fc.constantFrom('', ' ', '  ');
  const amount = fc.oneof(
    fc.constantFrom(...all.slice(0, 40).map((r) => r.self['Ir'])).map((n) => ({ text: String(n), n })),
    fc.nat(2000).map((n) => ({ text: n.toLocaleString('en'), n })),
    fc.tuple(fc.integer({ min: 1, max: 9 }), fc.nat(5)).map(([d, e]) => ({ text: `${d}e${e}`, n: d * 10 ** e })),
    fc.nat(300).map((n) => ({ text: `${n}k`, n: n * 1000 })),
  );
  const sized = fc
    .tuple(fc.constantFrom(...Object.keys(numbers)), blank, fc.constantFrom(...Object.keys(compare)), blank, amount)
    .map(([name, a, sign, b, { text, n }]): Wanted => {
      return { text: `${name}${a}${sign}${b}${text}`, test: (row) => compare[sign](numbers[name](row), n) };
    });
  const texts = fc
    .tuple(
      fc.constantFrom('file', 'routine', 'object', 'code'),
      blank,
      fc.constantFrom('own', 'dl-', 'demo', 'src/matrix.hpp'),
      fc.boolean(),
    )
    .chain(([name, a, value, quoted]) =>
      fc.constantFrom(':', '=', '==', '!=').map((sign): Wanted => {
        const isEqual = (row: Row) => String(row[name] ?? '').toLowerCase() === value;
        const has = (row: Row) =>
          String(row[name] ?? '')
            .toLowerCase()
            .includes(value);
        const test = sign === ':' ? has : sign === '!=' ? (row: Row) => !isEqual(row) : isEqual;
        return { text: `${name}${sign}${a}${quoted ? `"${value}"` : value}`, test };
      }),
    );
  const one = fc.tuple(fc.oneof(sized, texts), fc.boolean()).map(([{ text, test }, isNot]): Wanted => {
    return isNot ? { text: `!${text}`, test: (row) => !test(row) } : { text, test };
  });
  const filters = fc.array(fc.array(one, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(filters, fc.constantFrom('|', ' | '), async (alternatives, or) => {
      const text = alternatives.map((terms) => terms.map((term) => term.text).join(' ')).join(or);
      const wanted = all.filter((row) => alternatives.some((terms) => terms.every(({ test }) => test(row))));
      assert.deepEqual(await rowsIn(profile, 'routines', text), wanted, text);
    }),
    { numRuns: 150, seed: 7 },
  );
});
