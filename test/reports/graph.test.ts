// The graph report has the edges that the calls report has; the dot report is text that Graphviz takes apart as it was meant.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { routineName } from '../../src/analysis/names/names.ts';
import { visible } from '../../src/base/safe-text.ts';
import { cellWidth } from '../../src/base/text.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { dot } from '../../src/reports/dot.ts';
import { reports } from '../../src/reports/index.ts';
import type { Report } from '../../src/reports/print.ts';
import { type ReportContext, ReportError } from '../../src/reports/report.ts';
import { existing, FIXTURES } from '../support/fixtures.ts';
import { matchesGolden } from '../support/golden.ts';
import { loadText } from '../support/load.ts';
import { contextOf } from '../support/reports.ts';

const load = (name: string) => loadProfile([existing(join(FIXTURES, name))]);
const named = (name: string): Report => {
  const report = reports.find((r) => r.name === name);
  assert.ok(report, name);
  return report;
};

type Form = 'json' | 'text' | 'csv' | 'markdown';

async function written(report: Report, context: ReportContext, form: Form): Promise<string> {
  let out = '';
  const write = async (text: string) => {
    out += text;
  };
  await report.write(form, context, '0', write);
  return out;
}

interface Row {
  readonly caller: { readonly routine: string; readonly file: string | null; readonly object: string | null };
  readonly callee: Row['caller'];
  readonly count: number | null;
  readonly inclusive: { readonly [event: string]: number };
  readonly level: number;
}

async function rowsOf(name: string, context: ReportContext): Promise<readonly Row[]> {
  const all = { ...context, limit: Number.POSITIVE_INFINITY };
  return (JSON.parse(await written(named(name), all, 'json')) as { rows: Row[] }).rows;
}

/** Cost and count by caller and callee. */
function summed(rows: readonly Row[]): Map<string, string> {
  const sums = new Map<string, number[]>();
  for (const { caller, callee, count, inclusive } of rows) {
    const key = JSON.stringify([caller, callee]);
    const now = [count ?? 0, ...Object.values(inclusive)];
    const known = sums.get(key);
    sums.set(key, known ? known.map((n, i) => n + now[i]) : now);
  }
  return new Map([...sums].map(([key, numbers]) => [key, numbers.join(' ')]));
}

for (const file of ['callgrind/default.callgrind.out', 'callgrind/recs1.callgrind.out', 'callgrind/cache-branch.callgrind.out'])
  test(`edges into and out of a routine are the sums of its calls: ${file}`, async () => {
    const profile = await load(file);
    const { length } = profile.routines.name;
    for (let routine = 0; routine < length; routine += Math.max(1, Math.floor(length / 30))) {
      const context = { ...contextOf(profile), routine };
      const rows = await rowsOf('graph', context);
      const near = new Map([...summed(rows.filter((r) => r.level === -1)), ...summed(rows.filter((r) => r.level === 1))]);
      const calls = summed(await rowsOf('calls', context));
      assert.equal(near.size, calls.size, routineName(profile, routine));
      for (const [key, sums] of calls) assert.equal(near.get(key), sums, `${routineName(profile, routine)}: ${key}`);
    }
  });

test('rows of far levels hang on near ones, and every level has the costliest edge first', async () => {
  const profile = await load('callgrind/default.callgrind.out');
  const main = Array.from(profile.routines.name.keys()).find((r) => routineName(profile, r) === 'demo::run_words()');
  const rows = await rowsOf('graph', { ...contextOf(profile), routine: main });
  const at = (level: number) => rows.filter((r) => r.level === level);
  const text = (name: Row['caller']) => JSON.stringify(name);
  const [callers, callees] = [new Set(at(-1).map((r) => text(r.caller))), new Set(at(1).map((r) => text(r.callee)))];
  assert.ok(at(-2).length > 0 && at(2).length > 0);
  for (const row of at(-2)) assert.ok(callers.has(text(row.callee)));
  for (const row of at(2)) assert.ok(callees.has(text(row.caller)));
  assert.deepEqual([...new Set(rows.map((r) => r.level))], [-1, 1, -2, 2], 'the nearest first');
  for (const level of [-2, -1, 1, 2])
    assert.deepEqual(
      at(level).map((r) => r.inclusive['Ir']),
      at(level)
        .map((r) => r.inclusive['Ir'])
        .sort((a, b) => b - a),
    );
  const byCount = await rowsOf('graph', {
    ...contextOf(profile),
    routine: main,
    sort: { column: 'count', descending: undefined },
  });
  const counts = byCount.map((r) => r.count ?? 0);
  assert.deepEqual(
    counts,
    [...counts].sort((a, b) => b - a),
  );
  assert.equal(byCount.length, rows.length);
});

test('without --routine it is about the costliest one, and samples have no counts', async () => {
  const context = { ...contextOf(await load('gperftools/symbolized.prof')), routine: undefined };
  const out = JSON.parse(await written(named('graph'), context, 'json')) as { focus: { routine: string }; rows: Row[] };
  assert.ok(out.rows.length > 0);
  for (const row of out.rows) {
    assert.equal(row.count, null);
    if (row.level === 1) assert.equal(row.caller.routine, out.focus.routine);
  }
});

test('the text has boxes and rows, within its width; Markdown has them in a block of code', async () => {
  const profile = await load('callgrind/default.callgrind.out');
  const routine = Array.from(profile.routines.name.keys()).find((r) => routineName(profile, r) === 'demo::run_words()');
  for (const width of [40, 80, 200]) {
    const text = await written(named('graph'), { ...contextOf(profile), routine, width, limit: 8 }, 'text');
    for (const line of text.split('\n')) assert.ok(cellWidth(line) <= width, line);
    assert.match(text, /● demo::run_words\(\)/);
    assert.match(text, /more rows/);
    if (width === 80) matchesGolden('print/graph.txt', text.replace(/^callgrind: .*\n/, ''));
  }
  const markdown = await written(named('graph'), { ...contextOf(profile), routine, width: Infinity, limit: 3 }, 'markdown');
  assert.match(markdown, /```[\s\S]*● demo::run_words[\s\S]*```/);
});

/** The tokens of a dot file: words, texts in quotes with their escapes undone, marks. Throws for what is none. */
function tokens(text: string): string[] {
  const out: string[] = [];
  const token = /\s*(?:("(?:[^"\\]|\\[\s\S])*")|([A-Za-z_0-9.-]*[A-Za-z_0-9.])|(->|[[\]{}=,;]))/y;
  while (text.slice(token.lastIndex).trim() !== '') {
    const from = token.lastIndex;
    const m = token.exec(text);
    assert.ok(m, `no token: ${text.slice(from, from + 80)}`);
    out.push(m[1] ?? m[2] ?? m[3]);
  }
  return out;
}

interface Statement {
  readonly ends: readonly string[];
  readonly attributes: ReadonlyMap<string, string>;
}

/** The statements of `digraph NAME { … }`: `a [k=v, …];` and `a -> b [k=v, …];`. */
function statements(text: string): Statement[] {
  const list = tokens(text);
  const take = (...allowed: readonly string[]) => {
    const next = list.shift() ?? '';
    assert.ok(allowed.length === 0 || allowed.includes(next), `${next} where ${allowed.join(' or ')} belongs`);
    return next;
  };
  take('digraph');
  take();
  take('{');
  const out: Statement[] = [];
  while (list[0] !== '}') {
    const ends = [take()];
    if (list[0] === '->') {
      take('->');
      ends.push(take());
    }
    take('[');
    const attributes = new Map<string, string>();
    do {
      const key = take();
      take('=');
      attributes.set(key, take());
    } while (take(',', ']') === ',');
    take(';');
    out.push({ ends, attributes });
  }
  take('}');
  assert.deepEqual(list, []);
  return out;
}

/** What Graphviz shows for a text in quotes: its lines. */
function shown(quoted = ''): string[] {
  assert.match(quoted, /^"/);
  const lines = [''];
  for (const [, escaped, char] of quoted.slice(1, -1).matchAll(/\\([\s\S])|([\s\S])/g)) {
    if (escaped === 'n') lines.push('');
    else if (escaped !== undefined) {
      assert.match(escaped, /["\\]/, `\\${escaped} means something to Graphviz`);
      lines[lines.length - 1] += escaped;
    } else lines[lines.length - 1] += char;
  }
  return lines.map((line) => {
    assert.doesNotMatch(line, /&(?!amp;)/);
    return line.replaceAll('&amp;', '&');
  });
}

const HOSTILE = [
  'a"]; evil [label="x',
  'ends in \\',
  'two \\\\',
  '\\N\\G\\E\\T\\H\\L\\l\\r\\n',
  '\\"',
  '&lt;&quot;&#65;&amp;',
  '<b>bold</b>',
  'operator&&',
  '// no comment',
  '/* nor */ this',
  '# nor this',
  '}',
  'esc \u001b[31m tab\tbell\u0007',
  '\u202eright to left',
  'ünï日本',
  'x'.repeat(300),
];

const profileOf = (names: readonly string[]): Promise<Profile> =>
  loadText(
    callgrind,
    `# callgrind format\nevents: Ir\nob=o"b\\j\nfl=f"i\\le.c\n${names
      .map((name) => `fn=${name}\n1 10\n`)
      .join('')}fn=main\n1 1\n${names.map((name) => `cfn=${name}\ncalls=3 1\n1 10\n`).join('')}`,
  );

test('hostile names stay texts in dot', async () => {
  const profile = await profileOf(HOSTILE);
  const text = await written(dot, { ...contextOf(profile), routine: undefined, threshold: 0 }, 'text');
  assert.match(text, /^[^\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]*$/);
  const all = statements(text);
  const nodes = all.filter((s) => s.ends.length === 1 && /^n\d+$/.test(s.ends[0]));
  const edges = all.filter((s) => s.ends.length === 2);
  assert.equal(all.length, nodes.length + edges.length + 2);
  assert.equal(nodes.length, HOSTILE.length + 1);
  assert.equal(edges.length, HOSTILE.length);
  const tips = nodes.map((n) => shown(n.attributes.get('tooltip')).join('\n'));
  for (let r = 0; r < profile.routines.name.length; r++) {
    const name = visible(routineName(profile, r));
    assert.ok(
      tips.some((tip) => tip === `${name}  f"i\\le.c  [o"b\\j]`),
      name,
    );
  }
  for (const { attributes } of nodes) assert.match(shown(attributes.get('label'))[1], /^self \d+\.\d\d%, incl\. \d+\.\d*%$/);
  for (const { attributes, ends } of edges) {
    assert.equal(shown(attributes.get('label'))[1], '3 x');
    for (const end of ends) assert.ok(nodes.some((n) => n.ends[0] === end));
  }
});

test('dot has what is at or above the threshold, in the same order every time', async () => {
  const profile = await load('callgrind/default.callgrind.out');
  const context = { ...contextOf(profile), routine: undefined };
  const [{ inclusive, whole }, { edges }] = [context.analysis.totals, context.analysis];
  const counted = async (threshold: number | undefined) => {
    const all = statements(await written(dot, { ...context, threshold }, 'text'));
    return [
      all.filter((s) => /^n\d+$/.test(s.ends[0]) && s.ends.length === 1).length,
      all.filter((s) => s.ends.length === 2).length,
    ];
  };
  for (const [threshold, share] of [
    [undefined, 0.005],
    [5, 0.05],
    [50, 0.5],
    [0, 0],
  ] as const) {
    const least = whole[0][0] * share;
    const worth = (r: number) => inclusive[0][r] >= least;
    assert.deepEqual(await counted(threshold), [
      inclusive[0].filter((cost) => cost >= least).length,
      edges.costs[0].filter((cost, e) => cost >= least && worth(edges.caller[e]) && worth(edges.callee[e])).length,
    ]);
  }
  assert.equal(await written(dot, context, 'text'), await written(dot, context, 'text'));
  const routine = Array.from(profile.routines.name.keys()).find((r) => routineName(profile, r) === 'main');
  const around = statements(await written(dot, { ...context, routine, threshold: 0 }, 'text')).filter((s) => s.ends.length === 2);
  const rows = await rowsOf('graph', { ...context, routine });
  assert.equal(around.length, rows.length, 'no edge of main is on both sides');
});

test('dot is text alone: other forms are refused, and so is a ratio', async () => {
  const profile = await load('callgrind/cache-branch.callgrind.out');
  const context = contextOf(profile);
  assert.deepEqual([...dot.forms], ['text']);
  for (const form of ['json', 'csv'] as const)
    await assert.rejects(written(dot, context, form), (e) => e instanceof ReportError && /Graphviz/.test(e.message));
  const ratio = { ...context.event, name: 'CPI', per: context.event.terms };
  await assert.rejects(written(dot, { ...context, event: ratio }, 'text'), /CPI: a ratio/);
});
