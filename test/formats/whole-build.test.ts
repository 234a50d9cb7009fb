// What all compilers of a build did, against what ClangBuildAnalyzer says of the same traces, and against sums made of the events by a
// slow reading of them.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import {
  type CompileRow,
  type CompileTable,
  compileRows,
  compilesOf,
  gainWithoutHeader,
  includeChains,
} from '../../src/analysis/builds/compiles.ts';
import { drawScreen } from '../../src/app/draw.ts';
import { normalizedPath } from '../../src/base/paths.ts';
import { templateSet, templateSetBytes } from '../../src/base/template-set.ts';
import { sumCompileTrace } from '../../src/formats/trace-events/compile.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import { stringAt } from '../../src/model/strings.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';

const BUILD = join(FIXTURES, 'clang-traces/whole-build');
const profile = profileOf(await loadProfile([BUILD]), 'steps');
const analysis = analysisOf(profile, 'steps');
const said = gunzipSync(readFileSync(join(BUILD, 'ClangBuildAnalyzer.txt.gz'))).toString('utf8');

const sectionOf = (title: string): string => {
  const from = said.indexOf(`**** ${title}`);
  assert.ok(from >= 0, title);
  const to = said.indexOf('\n**** ', from + 4);
  return said.slice(from, to < 0 ? undefined : to);
};

/** A row that ClangBuildAnalyzer may mean: it cuts long names. */
const isNamed = (row: CompileRow, name: string) =>
  name.endsWith('...') ? row.name.startsWith(name.slice(0, -3)) && row.name.length > name.length - 3 : row.name === name;

/** Templates that are instantiated within themselves: ClangBuildAnalyzer adds the inner times to the outer ones, which have them already. */
const NESTED = [
  'std::__shared_count<__gnu_cxx::_S_atomic>::__shared_count<YAML::deta',
  'std::__find_if<__gnu_cxx::__normal_iterator<const char *, std::basic_',
  'std::__find_if<__gnu_cxx::__normal_iterator<std::pair<YAML::detail::n',
];

/** Whether each row of a section is one of the table: whole milliseconds, and how often. */
function isTable(table: CompileTable, title: string, pattern: RegExp, known: (name: string) => boolean = () => true): number {
  const rows = compileRows(analysis, table);
  const isNested = (name: string) => table === 'templates' && NESTED.some((start) => name.startsWith(start));
  let seen = 0;
  for (const [line, ms, name, count] of sectionOf(title).matchAll(pattern)) {
    if (name === '' || !known(name)) continue;
    const found = rows.filter((row) => isNamed(row, name));
    assert.ok(
      found.some((row) => {
        const own = Math.floor(row.us / 1000);
        return row.count === Number(count) && (own === Number(ms) || (isNested(name) && own < Number(ms)));
      }),
      `${line}: ${found.map((row) => `${row.us} us, ${row.count} times`).join('; ')}`,
    );
    seen++;
  }
  return seen;
}

test('headers, templates, their sets and functions are those of ClangBuildAnalyzer', () => {
  assert.deepEqual(checkProfile(profile), []);
  assert.equal(isTable('headers', 'Expensive headers', /^(\d+) ms: (.*) \(included (\d+) times/gm), 45);
  assert.equal(compileRows(analysis, 'headers').length, 215);
  const times = /^ *(\d+) ms: (.*) \((\d+) times/gm;
  assert.equal(isTable('templates', 'Templates that took longest', times), compileRows(analysis, 'templates').length);
  assert.equal(isTable('template sets', 'Template sets', times), compileRows(analysis, 'template sets').length);
  // Its demangler writes what functions of templates return; ours does not.
  const names = compileRows(analysis, 'function sets');
  assert.ok(isTable('function sets', 'Function sets', times, (name) => names.some((row) => isNamed(row, name))) >= 80);
});

test('units are those of ClangBuildAnalyzer', () => {
  const units = compileRows(analysis, 'units');
  for (const [title, of] of [
    ['Files that took longest to parse', (r: CompileRow) => r.us],
    ['Files that took longest to codegen', (r: CompileRow) => r.otherUs],
  ] as const) {
    const rows = [...sectionOf(title).matchAll(/^ *(\d+) ms: .*\/build\/(.*)\.o$/gm)];
    assert.equal(rows.length, 34);
    for (const [line, ms, name] of rows) {
      const unit = units.find((r) => r.name === name);
      assert.equal(unit && Math.floor(of(unit) / 1000), Number(ms), line);
    }
  }
});

interface Event {
  readonly ph: string;
  readonly name: string;
  readonly ts: number;
  readonly dur: number;
  readonly args?: { readonly detail?: string; readonly count?: number };
}

function tracesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((e) =>
    e.isDirectory() ? tracesIn(join(folder, e.name)) : e.name.endsWith('.json.gz') ? [join(folder, e.name)] : [],
  );
}

test('sums of events by a slow reading: self times, units, chains of includes, functions, and what a header is worth', () => {
  const self = new Map<string, number>();
  const units = new Map<string, Set<string>>();
  const chains = new Map<string, number>();
  const functions = { OptFunction: 0, 'CodeGen Function': 0 };
  for (const path of tracesIn(BUILD)) {
    const { traceEvents } = JSON.parse(gunzipSync(readFileSync(path)).toString('utf8')) as { traceEvents: Event[] };
    const slices = traceEvents.filter((e) => e.ph === 'X' && e.args?.count === undefined);
    for (const e of slices) if (e.name === 'OptFunction' || e.name === 'CodeGen Function') functions[e.name] += e.dur;
    const sources = slices.filter((e) => e.name === 'Source');
    const inside = (a: Event, b: Event) => a !== b && b.ts <= a.ts && a.ts + a.dur <= b.ts + b.dur;
    const nameOf = (e: Event) => normalizedPath(e.args?.detail ?? '');
    for (const e of sources) {
      // Of equal slices, the one that ended first, and so stands first, is the inner one.
      const around = sources
        .filter((o) => inside(e, o) && (o.ts < e.ts || o.dur > e.dur || sources.indexOf(o) > sources.indexOf(e)))
        .sort((a, b) => b.dur - a.dur || sources.indexOf(b) - sources.indexOf(a));
      self.set(nameOf(e), (self.get(nameOf(e)) ?? 0) + e.dur);
      const above = around.at(-1);
      if (above) self.set(nameOf(above), (self.get(nameOf(above)) ?? 0) - e.dur);
      const chain = [...around, e].map(nameOf).join(' > ');
      chains.set(chain, (chains.get(chain) ?? 0) + e.dur);
      const seen = units.get(nameOf(e));
      if (seen) seen.add(path);
      else units.set(nameOf(e), new Set([path]));
    }
  }
  const headers = compileRows(analysis, 'headers');
  let equal = 0;
  for (const row of headers) {
    assert.equal(row.units, units.get(row.name)?.size, row.name);
    const ways = includeChains(profile, row.at);
    assert.equal(
      ways.reduce((sum, way) => sum + way.us, 0),
      row.us,
      row.name,
    );
    // Slices of the same microsecond may be nested either way.
    if (row.selfUs === self.get(row.name)) equal++;
    for (const way of ways.slice(0, 3)) if (chains.get([...way.through, row.name].join(' > ')) === way.us) equal++;
    const gain = gainWithoutHeader(analysis, row.at);
    assert.ok(gain.leastUs <= gain.mostUs && gain.mostUs <= row.us, row.name);
  }
  assert.ok(equal > headers.length * 2, `${equal} of ${headers.length}`);
  const sum = (list: Float64Array) => list.reduce((a, b) => a + b, 0);
  const work = compilesOf(profile).functions;
  assert.deepEqual({ OptFunction: sum(work.us), 'CodeGen Function': sum(work.generateUs) }, functions);
  assert.equal(
    headers.reduce((all, row) => all + row.selfUs, 0),
    [...self.values()].reduce((a, b) => a + b, 0),
    'what is no header alone is in none twice',
  );
});

test('the rows below a header add up to it, and Enter leads from a header to its paths, up to the includer, and back', () => {
  const rows = compileRows(analysis, 'includers');
  const heads = rows.filter(({ depth }) => depth === 0);
  assert.ok(heads.length > 100);
  for (const head of heads) {
    const from = rows.indexOf(head) + 1;
    const to = rows.findIndex(({ depth }, at) => at >= from && depth === 0);
    const below = rows.slice(from, to < 0 ? undefined : to);
    const sum = (of: 'us' | 'count') => below.reduce((all, row) => all + row[of], 0);
    assert.deepEqual([sum('us'), sum('count')], [head.us, head.count], head.name);
  }
  const p = play(profile, { width: 100, height: 30, view: 'compilers' });
  const lines = () => drawScreen(p.state).map(({ spans }) => spans.map(([text]) => text).join(''));
  const cursorLine = () => lines().find((line) => line.startsWith('▶')) ?? '';
  const [header] = compileRows(analysis, 'headers');
  assert.ok(cursorLine().includes(header.name));
  const path = rows[rows.findIndex(({ name }) => name === header.name) + 1];
  p.press('enter');
  assert.ok(lines()[3].includes(header.name), 'it is the first row, with its paths below');
  p.press('down');
  assert.ok(cursorLine().includes(path.name));
  p.press('enter');
  assert.ok(path.includer !== undefined && cursorLine().includes(path.includer));
  p.press('enter');
  assert.match(lines()[2], /self/, 'the headers again');
  assert.ok(cursorLine().includes(path.includer ?? '?'));
});

test('asynchronous pairs of newer compilers are the same as slices', () => {
  const slice = (name: string, ts: number, dur: number, detail?: string) => ({
    ph: 'X',
    pid: 1,
    tid: 1,
    name,
    ts,
    dur,
    args: { detail },
  });
  const pair = (name: string, ts: number, dur: number, detail: string) => [
    { ph: 'b', pid: 1, tid: 1, cat: name, id: 1, name, ts, args: { detail } },
    { ph: 'e', pid: 1, tid: 1, cat: name, id: 1, name, ts: ts + dur },
  ];
  const sums = (events: readonly object[]) => {
    const found = sumCompileTrace(new TextEncoder().encode(JSON.stringify({ traceEvents: events, beginningOfTime: 5 })));
    assert.ok(found);
    const { includes, strings } = found;
    return {
      ...{ beginning: found.beginningUs, total: found.totalUs },
      includes: Array.from(includes.name, (name, k) => [
        stringAt(strings, name),
        includes.us[k],
        includes.selfUs[k],
        includes.parent[k],
      ]),
    };
  };
  const rest = [slice('Frontend', 0, 90), slice('ExecuteCompiler', 0, 100)];
  const expected = {
    ...{ beginning: 5, total: 100 },
    includes: [
      ['/a.h', 50, 30, -1],
      ['/b.h', 20, 20, 0],
    ],
  };
  assert.deepEqual(sums([slice('Source', 20, 20, '/b.h'), slice('Source', 10, 50, '/x/../a.h'), ...rest]), expected);
  // An inner pair is written before the outer one has ended.
  const [[begin, end], inner] = [pair('Source', 10, 50, '/a.h'), pair('Source', 20, 20, '/b.h')];
  assert.deepEqual(sums([begin, ...inner, end, ...rest]), expected);
});

test('sets of templates: arguments are $, operators stay; bytes say the same', () => {
  assert.equal(templateSet('std::vector<int, std::allocator<int>>::push_back<a<b>>'), 'std::vector<$>::push_back<$>');
  for (const name of ['plain', 'a<b', 'a>b', 'a::operator<<b>', '']) assert.equal(templateSet(name), name);
  fc.assert(
    fc.property(fc.array(fc.constantFrom('<', '>', 'a', 'operator', 'oper', '::', 'ä'), { maxLength: 12 }), (parts) => {
      const name = parts.join('');
      const bytes = new TextEncoder().encode(name);
      const out = new Uint8Array(2 * bytes.length);
      const length = templateSetBytes(bytes, 0, bytes.length, out);
      assert.equal(length < 0 ? name : new TextDecoder().decode(out.subarray(0, length)), templateSet(name));
    }),
  );
});
