// The commands of docs/coming-from.md beside what callgrind_annotate 3.19 printed of the same profile: all its numbers.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { rowsOf, wordsFor } from '../support/coming-from.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';

const SOURCES = ['--source-dir', join(FIXTURES, 'callgrind/src')];
const printed = (name: string) => readMaybeGz(join(FIXTURES, `callgrind/printed/${name}.txt`)).toString();
const here = (there: string) => wordsFor('callgrind_annotate', there);
const RULE = `${'-'.repeat(80)}\n`;

type Costs = Readonly<Record<string, number>>;
interface Call {
  readonly callee: { readonly routine: string; readonly file: string };
  readonly count: number;
  readonly inclusive: Costs;
  /** Of a recursive call, the cost that the file has: callgrind_annotate prints that. */
  readonly recorded?: Costs;
  readonly estimated?: true;
}
interface Line {
  readonly file: string;
  readonly line: number;
  readonly text: string | null;
  readonly self: Costs;
  readonly calls: readonly Call[];
}

/** The costs in a line's columns: `1,234 ( 5.67%)`, 0, or `.` for none. */
const costsIn = (columns: string) =>
  [...columns.matchAll(/(\d[\d,]*|\.)(?: \( ?[\d.]+%\))?(?= |$)/g)].map(([, cost]) =>
    Number(cost.replaceAll(',', '').replace('.', '0')),
  );

interface Listed {
  readonly costs: readonly number[];
  text: string;
  readonly calls: string[];
}

/** The lines of an annotated file by number, from the first of the file or of a block on. */
function linesOf(section: string, events: number): Map<number, Listed> {
  const columns = new RegExp(`^(?: *(?:\\d[\\d,]*(?: \\( ?[\\d.]+%\\))?|\\.)(?= )){${events}}`);
  const [, ...lines] = section.replace(/\n$/, '').split('\n');
  const found = new Map<number, Listed>();
  let at = 0;
  for (const line of lines) {
    const block = /^-- line (\d+) -+$/.exec(line);
    const call = /^(.*) {2}=> ([^:]*):(.*) \(([\d,]+)x\)(?: \[.*\])?$/.exec(line);
    const costs = columns.exec(line)?.[0];
    if (block) at = Number(block[1]) - 1;
    else if (call) found.get(at)?.calls.push(`${costsIn(call[1])} ${call[2]} ${call[3]} ${costsIn(call[4])}`);
    else if (costs !== undefined)
      found.set(++at, { costs: costsIn(costs), text: ' '.repeat(costs.length) + line.slice(costs.length), calls: [] });
    else assert.equal(line, '');
  }
  // Texts begin in one column: that of the first that is not indented.
  const start = Math.min(...[...found.values()].map(({ text }) => text.search(/\S|$/)));
  for (const listed of found.values()) {
    listed.text = listed.text.slice(start);
    listed.calls.sort();
  }
  return found;
}

/** The annotated files of a text, each with its lines, and the names of those that were not found. */
function annotatedIn(text: string, events: number) {
  const sections = text.split(RULE);
  const files = new Map<string, Map<number, Listed>>();
  for (const [k, section] of sections.entries()) {
    const path = /^-- (?:Auto|User)-annotated source: (.*)\n$/m.exec(section)?.[1];
    if (path !== undefined) files.set(path, linesOf(sections[k + 1], events));
  }
  const lost = sections[sections.findIndex((section) => /could not be found:\n$/.test(section)) + 1];
  return { files, lost: [...lost.matchAll(/^ {2}(\S.*)$/gm)].map(([, path]) => path) };
}

interface Row extends Call {
  readonly caller: { readonly routine: string; readonly file: string };
  readonly file: string;
  readonly line: number;
}

/** The calls from each line by their caller. */
function callersByLine(rows: readonly Row[], wordsOf: (call: Call) => string): Map<string, string[][]> {
  const lines = new Map<string, Map<string, string[]>>();
  for (const row of rows) {
    const at = `${row.file}:${row.line}`;
    const callers = lines.get(at) ?? new Map<string, string[]>();
    const caller = JSON.stringify(row.caller);
    lines.set(at, callers.set(caller, [...(callers.get(caller) ?? []), wordsOf(row)].sort()));
  }
  return new Map([...lines].map(([at, callers]) => [at, [...callers.values()]]));
}

for (const [name, path, numbers] of [
  ['default', 'default.callgrind.out', 870],
  ['cache-branch', 'cache-branch.callgrind.out.gz', 9748],
] as const)
  test(`callgrind_annotate --auto=yes --context=8, ${name}: files, lines, costs and calls`, () => {
    const text = printed(`${name}.auto`);
    const events = /^Events shown: +(.*)$/m.exec(text)?.[1].split(' ') ?? [];
    const { files, lost } = annotatedIn(text, events.length);
    const profile = { 'callgrind.out.1': `callgrind/${path}` };
    const rows = rowsOf<Line>([...here('`--auto=yes`'), '--coverage', '100', '--context', '8', ...SOURCES], profile);
    assert.deepEqual([...new Set(rows.map(({ file }) => file))].sort(), [...files.keys(), ...lost].sort());
    const wordsOf = ({ callee, count, inclusive, recorded = inclusive }: Call) =>
      `${events.map((event) => recorded[event])} ${callee.file} ${callee.routine} ${count}`;
    const callers = callersByLine(rowsOf<Row>(here('`--tree=both`'), profile), wordsOf);
    let compared = 0;
    for (const [file, lines] of files) {
      // The C++ library need not be on this machine: without it, only lines with cost are listed, and no text.
      const isOurs = file.startsWith('src/');
      const found = rows.flatMap(({ line, text, self, calls, ...row }) => {
        const costs = events.map((event) => self[event]);
        if (row.file !== file || !(isOurs || calls.length > 0 || costs.some((cost) => cost > 0))) return [];
        const here = callers.get(`${file}:${line}`) ?? [];
        // callgrind_annotate lists the calls of only one of the functions that a line is in, the first in the file.
        const isWhole = here.length <= 1 && !calls.some(({ estimated }) => estimated);
        const one = isWhole ? undefined : here.find((list) => isDeepStrictEqual(list, lines.get(line)?.calls));
        return [{ line, costs, text: isOurs ? text : '', calls: one ?? calls.map(wordsOf).sort() }];
      });
      const listed = [...lines].filter(([, { costs, calls }]) => isOurs || calls.length > 0 || costs.some((cost) => cost > 0));
      for (const [, { costs, calls }] of listed) compared += costs.length + calls.length * (events.length + 1);
      assert.deepEqual(
        found,
        listed.map(([line, { costs, ...of }]) => ({ line, costs: events.map((_, k) => costs[k] ?? 0), ...of })),
        file,
      );
    }
    const annotated = /^(.*) {2}events annotated$/m.exec(text)?.[1] ?? '';
    const inFound = rows.filter(({ file }) => files.has(file));
    assert.deepEqual(
      costsIn(annotated),
      events.map((event) => inFound.reduce((sum, { self }) => sum + self[event], 0)),
    );
    assert.equal(compared, numbers);
  });

test('callgrind_annotate --context=3 of two files: lines and costs', () => {
  const { files } = annotatedIn(printed('default.context-3'), 1);
  const words = [...here('a file name after the profile'), ...SOURCES, ...here('`--context=3`').slice(-2)];
  assert.deepEqual([...files.keys()].sort(), ['src/calc.cpp', 'src/words.cpp']);
  for (const [file, lines] of files) {
    const rows = rowsOf<Line>(words.with(words.indexOf('calc.cpp'), file), {
      'callgrind.out.1': 'callgrind/default.callgrind.out',
    });
    const found = rows.map(({ line, self, text }) => ({ line, costs: [self['Ir']], text }));
    assert.deepEqual(
      found,
      [...lines].map(([line, { costs, text }]) => ({ line, costs, text })),
    );
  }
});
