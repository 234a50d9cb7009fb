// Options of the library: the rows are those of --print with the same flags, and both refuse the same.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { flagSpecs } from '../../src/cli/flag-table.ts';
import type { Analysis, Library, RowOptions } from '../../src/library/types.ts';
import { FIXTURES, ROOT, readMaybeGz } from '../support/fixtures.ts';
import { runWarm } from '../support/warm.ts';

// By its name, a package finds itself.
const name: string = 'proftui';
const { load, analyse, reports, exporters, FormatError }: Library = await import(name);
const DEFAULT = join(FIXTURES, 'callgrind/default.callgrind.out');
const SAMPLES = join(FIXTURES, 'perf-script/two-events.perf.gz');
const CPU = join(FIXTURES, 'pprof/cpu.pb.gz');
const BUILD = join(FIXTURES, 'ninja-log/tidepool-ninja-ccache/.ninja_log');
const TOUR = join(FIXTURES, 'tour/words.out.gz');

const folder = mkdtempSync(join(tmpdir(), 'proftui-options-'));
after(() => rmSync(folder, { recursive: true, force: true }));

type Options = RowOptions;
type Rows = readonly Readonly<Record<string, unknown>>[];

const analyses = new Map<string, Analysis>();
async function analysisOf(path: string): Promise<Analysis> {
  const known = analyses.get(path) ?? analyse(await load(path));
  analyses.set(path, known);
  return known;
}

async function rowsOf(path: string, view: string, options: Options): Promise<Rows> {
  const report = reports.find((r) => r.name === view);
  assert.ok(report);
  return (await report.rows(await analysisOf(path), options)).map(({ run: _, path: __, ...row }) => row);
}

/** The rows of --json, away from all sources but those of --source-dir. */
function printed(path: string, view: string, flags: readonly string[]): Rows {
  const { code, out, err } = runWarm([path, '--print', view, '--json', ...flags], { cwd: folder });
  assert.equal(code, 0, err);
  return JSON.parse(out).rows;
}

/** The message of --print with these flags, without the dashes of flags. */
function refused(path: string, view: string, flags: readonly string[]): string {
  const { code, err } = runWarm([path, '--print', view, ...flags], { cwd: folder });
  assert.equal(code, 2, `${view} ${flags.join(' ')}: ${err}`);
  return err
    .trim()
    .replace(/^proftui: /, '')
    .replace(/--(?=[a-z])/g, '');
}

const SAME: readonly (readonly [path: string, view: string, options: Options, flags: readonly string[]])[] = [
  [DEFAULT, 'groups', {}, []],
  [DEFAULT, 'groups', { by: ['object'] }, ['--by', 'object']],
  [DEFAULT, 'groups', { by: 'object,file' }, ['--by', 'object,file']],
  [DEFAULT, 'groups', { by: ['object', 'file', 'routine'], limit: 9 }, ['--by', 'object,file,routine', '--limit', '9']],
  [SAMPLES, 'groups', { by: ['comm', 'object'] }, ['--by', 'comm,object']],
  [DEFAULT, 'calls', { routine: 'main' }, ['--routine', 'main']],
  [DEFAULT, 'lines', { routine: '/_dl_/' }, ['--routine', '/_dl_/']],
  [DEFAULT, 'calls', { routine: '/DO_LOOKUP/i', limit: 2 }, ['--routine', '/DO_LOOKUP/i', '--limit', '2']],
  [CPU, 'lines', { routine: '/./', limit: 1 }, ['--routine', '/./', '--limit', '1']],
  [DEFAULT, 'graph', { routine: 'main', depth: 1 }, ['--routine', 'main', '--depth', '1']],
  [DEFAULT, 'graph', { routine: 'main', depth: 4 }, ['--routine', 'main', '--depth', '4']],
  [DEFAULT, 'source', { coverage: 50, sourceDir: [] }, ['--coverage', '50']],
  [TOUR, 'source', { routine: 'main', context: 1 }, ['--routine', 'main', '--context', '1']],
  [
    TOUR,
    'source',
    { coverage: 40, context: 0, sourceDir: [join(FIXTURES, 'tour')] },
    ['--coverage', '40', '--context', '0', '--source-dir', join(FIXTURES, 'tour')],
  ],
  [
    TOUR,
    'source',
    { routine: '/main|words/', context: 2, sourceDir: [join(FIXTURES, 'tour')] },
    ['--routine', '/main|words/', '--context', '2', '--source-dir', join(FIXTURES, 'tour')],
  ],
];

test('rows are those of --print --json with the same flags', async () => {
  for (const [path, view, options, flags] of SAME) {
    const rows = await rowsOf(path, view, options);
    assert.ok(rows.length > 0, view);
    assert.deepEqual(rows, printed(path, view, flags), `${view} ${flags.join(' ')}`);
  }
  const [shallow, deep] = [await rowsOf(DEFAULT, 'graph', { depth: 1 }), await rowsOf(DEFAULT, 'graph', { depth: 4 })];
  assert.ok(shallow.length < deep.length);
  const [few, more] = [await rowsOf(DEFAULT, 'source', { coverage: 50 }), await rowsOf(DEFAULT, 'source', {})];
  assert.ok(few.length < more.length);
  const dirs = { routine: 'main', sourceDir: [join(FIXTURES, 'tour')] };
  const [near, far] = [
    await rowsOf(TOUR, 'source', { ...dirs, context: 0 }),
    await rowsOf(TOUR, 'source', { ...dirs, context: 9 }),
  ];
  assert.ok(near.length < far.length && far.some(({ text }) => typeof text === 'string'));
});

test('costs and times are in the unit, as --csv has them', async () => {
  const csv = (path: string, view: string, unit: string) => {
    const { out } = runWarm([path, '--print', view, '--tsv', '--unit', unit, '--limit', '20'], { cwd: folder });
    const [names = '', ...lines] = out.trimEnd().split('\n');
    return lines.map((line) => Object.fromEntries(line.split('\t').map((cell, i) => [names.split('\t')[i] ?? '', cell])));
  };
  const routines = await rowsOf(CPU, 'routines', { unit: 'ms', limit: 20 });
  const recorded = await rowsOf(CPU, 'routines', { limit: 20 });
  assert.notDeepEqual(routines, recorded);
  const cost = (row: Readonly<Record<string, unknown>> | undefined) => JSON.stringify(row?.['self']);
  const shown = csv(CPU, 'routines', 'ms');
  assert.ok(shown.length > 5);
  for (const [i, row] of shown.entries())
    for (const [column, cell] of Object.entries(row))
      if (column.startsWith('self.')) assert.ok(cost(routines[i])?.includes(`"${column.slice(5)}":${cell}`), `${column} ${cell}`);
  for (const unit of ['s', 'ms', 'us'] as const) {
    const steps = await rowsOf(BUILD, 'steps', { unit, limit: 20 });
    const field = `duration${unit[0]?.toUpperCase()}${unit.slice(1)}`;
    assert.deepEqual(
      steps.map((row) => `${row[field]}`),
      csv(BUILD, 'steps', unit).map((row) => row[field]),
    );
  }
  await assert.rejects(rowsOf(BUILD, 'steps', { unit: 'percent' }), { name: 'RangeError', message: /^unit percent: the times/ });
  await assert.rejects(rowsOf(DEFAULT, 'routines', { unit: 's' }), { name: 'RangeError', message: /^unit s: no event is in it/ });
});

const VALUES: Readonly<Record<string, string | number | boolean>> = {
  ...{ threshold: 1, depth: 2, cluster: 'file', unit: 'ms', context: 1, coverage: 50, routine: 'main', inverted: true },
};

test('an option that a report does not use is refused, as the command line does', async () => {
  let count = 0;
  for (const { name: option, views, type } of flagSpecs) {
    const value = VALUES[option];
    if (!views || value === undefined) continue;
    count++;
    for (const [path, view] of [
      [DEFAULT, 'summary'],
      [DEFAULT, 'groups'],
      [DEFAULT, 'routines'],
      [BUILD, 'steps'],
    ] as const) {
      if (views.includes(view)) continue;
      const message = refused(path, view, [`--${option}`, ...(type === 'boolean' ? [] : [`${value}`])]);
      await assert.rejects(rowsOf(path, view, { [option]: value }), { name: 'RangeError', message });
    }
  }
  assert.equal(count, Object.keys(VALUES).length);
  const same: readonly (readonly [view: string, options: Options, flags: readonly string[]])[] = [
    ['groups', { by: ['objct'] }, ['--by', 'objct']],
    ['groups', { by: ['object', 'clas'] }, ['--by', 'object,clas']],
    ['groups', { by: 'file,object,class,code' }, ['--by', 'file,object,class,code']],
    ['groups', { by: ['line'] }, ['--by', 'line']],
    ['source', { coverage: 50, routine: 'main' }, ['--coverage', '50', '--routine', 'main']],
    ['source', { coverage: 50, filter: 'dl' }, ['--coverage', '50', '--filter', 'dl']],
    ['summary', { filter: 'x' }, ['--filter', 'x']],
    ['source', { filter: 'self>1' }, ['--filter', 'self>1']],
    ['graph', { routine: '/main/' }, ['--routine', '/main/']],
    ['calls', { routine: 'no_such_routine' }, ['--routine', 'no_such_routine']],
    ['calls', { routine: '/no_such_routine/' }, ['--routine', '/no_such_routine/']],
    ['source', { sort: { column: 'self' } }, ['--sort', 'self']],
    ['routine', { event: 'Ir', routine: 'main' }, ['--event', 'Ir', '--routine', 'main']],
    ['brief', { limit: 3 }, ['--limit', '3']],
  ];
  for (const [view, options, flags] of same)
    await assert.rejects(rowsOf(DEFAULT, view, options), { name: 'RangeError', message: refused(DEFAULT, view, flags) });
  await assert.rejects(rowsOf(DEFAULT, 'routines', { by: 'file' }), {
    name: 'RangeError',
    message: 'by: routines does not use it',
  });
  // The form of groups has no room for two runs.
  const { profile } = await analysisOf(DEFAULT);
  const groups = reports.find((r) => r.name === 'groups');
  await assert.rejects(async () => groups?.rows(analyse(profile, { base: profile })), {
    name: 'RangeError',
    message: 'base: the form of groups cannot hold two runs',
  });
});

test('a wrong value is a TypeError that names the option', async () => {
  // JavaScript checks no types: JSON.parse gives what a caller without them may pass.
  const wrong = (json: string) => JSON.parse(json);
  for (const [view, json] of [
    ['graph', '{"depth":0}'],
    ['graph', '{"depth":1.5}'],
    ['graph', '{"cluster":"class"}'],
    ['source', '{"context":-1}'],
    ['source', '{"coverage":101}'],
    ['groups', '{"by":5}'],
    ['groups', '{"by":[]}'],
    ['routines', '{"unit":"furlong"}'],
    ['calls', '{"routine":true}'],
    ['source', '{"sourceDir":"src"}'],
  ] as const)
    await assert.rejects(rowsOf(DEFAULT, view, wrong(json)), { name: 'TypeError', message: new RegExp(`^${view}: option `) });
});

test('the exporter for Graphviz takes a routine, a depth and frames, as --print dot does; the others refuse them', async () => {
  const analysis = await analysisOf(DEFAULT);
  const exporterOf = (format: string) => {
    const found = exporters.find((e) => e.name === format);
    assert.ok(found);
    return found;
  };
  for (const [options, flags] of [
    [{ routine: 'main', depth: 1 }, ['--routine', 'main', '--depth', '1']],
    [{ cluster: 'object' }, ['--cluster', 'object']],
  ] as const)
    assert.equal(
      Buffer.from(await exporterOf('dot').write(analysis, options)).toString(),
      runWarm([DEFAULT, '--print', 'dot', ...flags], { cwd: folder }).out,
    );
  await assert.rejects(exporterOf('dot').write(analysis, { depth: 1 }), {
    name: 'RangeError',
    message: /^depth goes with routine/,
  });
  for (const options of [{ routine: 'main' }, { depth: 1 }, { cluster: 'file' }] as const)
    await assert.rejects(exporterOf('pprof').write(analysis, options), {
      name: 'RangeError',
      message: /: pprof does not use it$/,
    });
});

test('the log of a build gives its steps their messages, as --log does', async () => {
  const log = join(folder, 'printed');
  const build = join(folder, '.ninja_log');
  writeFileSync(build, '# ninja log v5\n0\t2\t1\ta.o\t1\n2\t17\t2\tb.o\t2\n');
  writeFileSync(log, '[1/2] Building C object a.o\na.c:1:2: warning: unused\n[2/2] Building C object b.o\n');
  const steps = reports.find((r) => r.name === 'steps');
  const rows = (await steps?.rows(analyse(await load(build, { log })))) ?? [];
  assert.ok(JSON.stringify(rows).includes('unused'));
  assert.deepEqual(
    rows.map(({ run: _, path: __, ...row }) => row),
    printed(build, 'steps', ['--log', log]),
  );
  const wrong = await load(DEFAULT, { log }).catch((error: unknown) => error);
  assert.ok(wrong instanceof FormatError);
  assert.match(wrong.message, /expected a build, .*found a callgrind profile/);
  assert.doesNotMatch(wrong.message, /--log/);
});

test('costs per call of routines and edges are those of the rows', async () => {
  for (const path of [DEFAULT, SAMPLES, join(FIXTURES, 'callgrind/cache-branch.callgrind.out.gz')]) {
    const analysis = analyse(await load(path), path === DEFAULT ? { derive: ['Twice=2 Ir', 'Share=Ir/calls'] } : {});
    const routines = (await reports.find((r) => r.name === 'routines')?.rows(analysis)) ?? [];
    const sorted = (list: Iterable<unknown>) => [...list].map((one) => JSON.stringify(one)).sort();
    assert.deepEqual(
      sorted([...analysis.routines()].map(({ name: routine, perCall }) => [routine, perCall])),
      sorted(routines.map((row) => [row['routine'], row['perCall'] ?? null])),
    );
    if (path === SAMPLES) continue;
    const graph = (await reports.find((r) => r.name === 'graph')?.rows(analysis, { routine: 'main', depth: 1 })) ?? [];
    const endsOf = (row: unknown) => (typeof row === 'object' && row && 'routine' in row ? row.routine : undefined);
    const edges = new Map([...analysis.edges()].map((edge) => [`${edge.callerName} ${edge.calleeName}`, edge]));
    assert.ok(graph.length > 0);
    for (const row of graph)
      assert.deepEqual(edges.get(`${endsOf(row['caller'])} ${endsOf(row['callee'])}`)?.perCall, row['perCall']);
  }
});

test('the types of the package have these options', () => {
  const types = readMaybeGz(join(ROOT, 'dist/library.d.ts')).toString();
  for (const option of ['by', 'depth', 'cluster', 'context', 'coverage', 'unit', 'log', 'sourceDir'])
    assert.match(types, new RegExp(`readonly ${option}\\?:`));
});
