// --markdown: every report, read as strictly as GitHub may, says what its text says.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { visible } from '../../src/base/safe-text.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { traceEvents } from '../../src/formats/trace-events/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { type Profile, questionsOf } from '../../src/model/profile.ts';
import { stringAt } from '../../src/model/strings.ts';
import { reports } from '../../src/reports/index.ts';
import type { Report } from '../../src/reports/print.ts';
import { type ReportContext, ReportError } from '../../src/reports/report.ts';
import { unpack } from '../support/bundle.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadText } from '../support/load.ts';
import { long, some } from '../support/long.ts';
import { type Document, readMarkdown, seen } from '../support/markdown.ts';
import { contextOf } from '../support/reports.ts';
import { PLAINLY } from '../support/versus.ts';

const NO_WIDTH = { width: Number.POSITIVE_INFINITY };

async function written(print: (write: (text: string) => Promise<void>) => Promise<void>): Promise<string> {
  const pieces: string[] = [];
  await print(async (text) => {
    pieces.push(text);
  });
  return pieces.join('');
}

const markdownOf = (report: Report, context: ReportContext) =>
  written((write) => report.write('markdown', { ...context, ...NO_WIDTH }, '0', write));
const named = (name: string): Report => reports.find((r) => r.name === name) ?? assert.fail(name);
const routines = named('routines');
const bare = (text: string) => text.replace(/[\s\u00a0]+/g, '');

/** The rows of the document, without blanks, in order. */
const rowsOf = ({ tables }: Document) => tables.flatMap((t) => t.rows.map((cells) => bare(cells.map(seen).join(''))));

const FITTING: readonly (readonly string[])[] = [
  ['callgrind/default.callgrind.out'],
  ['callgrind/instr-jumps.callgrind.out.gz'],
  ['callgrind/threads.callgrind.out-01', 'callgrind/threads.callgrind.out-02'],
  ['cachegrind/heat.cachegrind.out.gz'],
  ['gperftools/pie.prof.gz'],
  ['gperftools/symbolized.prof.gz'],
  ['aprof/sorts/sorts_29651_0_4.aprof.gz'],
  ['ninja-log/tidepool-ninja-incremental/.ninja_log'],
  ['trace-events/hand/flows.json'],
  ['trace-events/clang-time-trace/parse.json.gz'],
  ['build-trace/tidepool-cmake-ninja.trace.gz'],
];

/** The context as it is, and for the costliest routines. */
function contextsOf(profile: Profile): ReportContext[] {
  const usual = { ...contextOf(profile), ascii: false, limit: 40, base: analyse(profile, profile.events), at: 1000 };
  const self = usual.analysis.totals.self[0] ?? [];
  const dearest = some([...profile.routines.name.keys()].sort((a, b) => self[b] - self[a]).slice(0, 5));
  const source = () => ({ path: 'x.c', newer: true, lines: ['int a|b; // `x`', '\tindented', '', '   '] });
  return [
    { ...usual, routine: undefined },
    { ...usual, routine: undefined, limit: 0 },
    ...dearest.map((routine) => ({ ...usual, routine })),
    ...dearest.slice(0, 1).map((routine) => ({ ...usual, routine, inverted: true, ascii: true, source })),
  ];
}

/** Text may leave out what stands behind a short name. */
const isSame = (line: string, row: string) =>
  line === row || (line !== '' && row.startsWith(line) && /^[(↻+]/.test(row.slice(line.length)));

/** Checks one report; returns its rows and blocks. */
async function check(report: Report, context: ReportContext): Promise<number> {
  const text = await written((write) => report.write('text', { ...context, ascii: false, width: 20_000 }, '0', write));
  const markdown = await markdownOf(report, { ...context, ascii: false });
  const document = readMarkdown(markdown);
  assert.ok(seen(document.title).startsWith(`${report.name}: `), markdown);
  // Everything that stands in the text stands here, in its order.
  const lines = text.split('\n').map(bare);
  let at = 0;
  for (const row of rowsOf(document)) {
    const found = lines.findIndex((line, i) => i >= at && isSame(line, row));
    assert.ok(found >= 0, `${report.name}: ${row}\nin\n${text.slice(0, 2000)}`);
    at = found + 1;
  }
  for (const block of document.blocks) {
    if (text.includes(block)) continue;
    // A picture that is as wide as the text has a width of its own here.
    const narrow = await written((write) => report.write('text', { ...context, ascii: false, width: 120 }, '0', write));
    assert.ok(narrow.includes(block), block);
  }
  assert.equal(/more( rows)? \(--limit N\)$/m.test(text), /more( rows)? \(--limit N\)$/m.test(markdown), markdown);
  if (context.ascii) readMarkdown(await markdownOf(report, context));
  return rowsOf(document).length + document.blocks.length;
}

long('every report has tables that hold together, with the rows of its text', async () => {
  const full = new Set<string>();
  const build = join(unpack(join(FIXTURES, 'cmake/tidepool-ninja-ccache.json')), 'build');
  const more = [
    'clang-traces/whole-build',
    'cmake/kept/build-2026-11-01T09-00-00-0000.json.gz',
    'ctest/fates',
    'pprof/cpu.pb.gz',
    'massif/stages.massif.out',
    'perf-script/phases.perf.gz',
  ];
  for (const paths of [
    ...FITTING.map((names) => names.map((name) => join(FIXTURES, name))),
    [build],
    [join(unpack(join(FIXTURES, 'ninja-log/ferry.json')), '.ninja_log')],
    ...more.map((name) => [join(FIXTURES, name)]),
  ]) {
    const profile = await loadProfile(paths);
    const answers = questionsOf(profile);
    for (const report of reports.filter((r) => r.forms.has('markdown') && r.requires.every((q) => answers.has(q))))
      for (const context of contextsOf(profile)) {
        try {
          if ((await check(report, context)) > 0) full.add(report.name);
        } catch (error) {
          // Some need a routine, or one with points.
          if (!(error instanceof ReportError)) throw error;
        }
      }
  }
  assert.deepEqual(
    reports.filter((r) => !full.has(r.name)).map((r) => r.name),
    // Findings and stacks are items of lists, as the short answer is.
    ['brief', 'findings', 'dot', 'stacks', 'trace', 'otlp', 'compile-commands'],
  );
});

/** The rows of its first table, as a reader sees them. */
const cellsOf = ({ tables: [table] }: Document) => table.rows.map((cells) => cells.map(seen));

test('the numbers of routines are those of JSON and CSV', async () => {
  const profile = await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]);
  const context = { ...contextOf(profile), routine: undefined, limit: 40 };
  const document = readMarkdown(await markdownOf(routines, context));
  assert.deepEqual(document.tables[0].head.map(seen), ['self', '%', 'inclusive', '%', 'calls', 'routine', 'file', 'object']);
  assert.deepEqual(document.tables[0].align, [...Array<string>(5).fill('right'), ...Array<string>(3).fill('left')]);
  assert.deepEqual(document.lines.map(seen), ['… 536 more (--limit N)']);
  const { rows, totals } = JSON.parse(await written((write) => routines.write('json', context, '0', write))) as {
    totals: { Ir: number };
    rows: { routine: string; object: string; calls: number; self: { Ir: number }; inclusive: { Ir: number } }[];
  };
  const number = (text: string) => Number(text.replaceAll(/[,≈]/g, ''));
  assert.deepEqual(
    cellsOf(document).map(([self, share, incl, ofIncl, calls, routine, , object]) => [
      number(self),
      share,
      number(incl),
      ofIncl,
      number(calls),
      routine.replace(/ \(cycle \d+\)$/, ''),
      object,
    ]),
    rows.map(({ self, inclusive, calls, routine, object }) => [
      self.Ir,
      `${((100 * self.Ir) / totals.Ir).toFixed(2)}%`,
      inclusive.Ir,
      `${((100 * inclusive.Ir) / totals.Ir).toFixed(2)}%`,
      calls,
      // The one clone among them; tables have displayed names.
      routine.replace('.constprop.0', ''),
      object,
    ]),
  );
  const csv = await written((write) => routines.write('tsv', context, '0', write));
  const selfs = csv
    .split('\n')
    .slice(1, -1)
    .map((line) => Number(line.split('\t')[4]));
  assert.deepEqual(
    cellsOf(document).map(([self]) => number(self)),
    selfs,
  );
});

/** A profile whose routines, files, objects, events and command are the texts. */
const hostileProfile = (texts: readonly string[]): Promise<Profile> =>
  loadText(
    callgrind,
    `# callgrind format\ncreator: ${texts[1]}\ncmd: ${texts[2]}\nevent: Ir : ${texts[3]}\nevents: Ir ${texts[4]}\n` +
      texts.map((text, i) => `ob=${text}\nfl=${text}\nfn=${text}\n1 ${1000 - i} 1\ncfn=${texts[0]}\ncalls=1 1\n2 5 5\n`).join(''),
  );

const HOSTILE = [
  '</td><script>alert(1)</script>',
  'a|b',
  '`x`',
  '@everyone',
  '![x](http://e)',
  '```',
  '`',
  '\\|@all',
  'x\\',
  '[a]: http://e',
  'http://e.com/a?b|c',
  '**a** _b_ ~~c~~',
  '&lt;b&gt;',
  '#12 GH-12 :smile:',
  '/close',
  '---',
  '| --- | --- |',
  '$x$',
  '  indented',
  ' ',
  'e\u202e\u0007\u001b[31m│↻',
  'long '.repeat(2000).trim(),
];

/** Steps whose names, targets and tracks are the texts. */
const hostileTrace = (texts: readonly string[]): Promise<Profile> =>
  loadText(
    traceEvents,
    JSON.stringify(
      texts.map((name, i) => ({ ph: 'X', name, cat: name, ts: 10 * i, dur: 5, pid: 1, tid: i % 3, args: { detail: name } })),
    ),
  );

test('names stay names: nothing of a profile becomes a link, a tag, a mention or a cell', async () => {
  for (const profile of [await hostileProfile(HOSTILE), await hostileTrace(HOSTILE)]) {
    const beside = contextOf(compareProfiles(profile, profile, PLAINLY));
    const base = { ...beside, routine: undefined, source: () => 'not @here', base: beside.analysis.before };
    const answers = questionsOf(profile);
    for (const event of base.analysis.events)
      for (const ascii of [false, true])
        for (const report of reports.filter((r) => r.forms.has('markdown') && r.requires.every((q) => answers.has(q)))) {
          const context = { ...base, event, ascii, routine: ['source', 'routine'].includes(report.name) ? 1 : undefined };
          // Fails where anything outside of code marks is more than words.
          const document = readMarkdown(await markdownOf(report, context));
          assert.ok(
            document.tables.length + document.blocks.length > 0 || ['findings', 'brief'].includes(report.name),
            report.name,
          );
        }
  }
});

test('a name is in code marks, whatever it is', async () => {
  const profile = await hostileProfile(HOSTILE);
  const base = { ...contextOf(profile), routine: undefined };
  const document = readMarkdown(await markdownOf(routines, base));
  const at = document.tables[0].head.findIndex((cell) => seen(cell) === 'routine');
  const shown = document.tables[0].rows.map((cells) => seen(cells[at]).replaceAll('\u00a0', ' '));
  assert.ok(
    document.items.some((item) => item.codes.includes(HOSTILE[2])),
    'the command',
  );
  const recorded = Array.from(profile.routines.name.keys(), (r) => visible(routineName(profile, r)));
  for (const name of recorded) assert.ok(shown.includes(name), JSON.stringify(name));
  // A name is a name where it could be a number, too.
  for (const cells of document.tables[0].rows) assert.match(cells[at].outside, /^(?:&nbsp;)*\0(?:&#124;\0)?$/);
});

test('an indent stays, names are told from our own words, and each file has a table', async () => {
  const profile = await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]);
  const base = { ...contextOf(profile), extraEvents: [], routine: undefined, limit: 40 };
  const tree = readMarkdown(await markdownOf(named('tree'), base));
  const [, , , , first] = tree.tables[0].rows[0];
  const [, , , , second] = tree.tables[0].rows[1];
  assert.deepEqual([first.outside, second.outside], ['\0', '&nbsp;&nbsp;\0 +2']);
  assert.deepEqual(second.codes, ['_dl_start']);
  const calc = [...profile.files.name].findIndex((id) => stringAt(profile.strings, id).endsWith('calc.cpp'));
  assert.ok(calc >= 0);
  const lines = ['int a;', '\tint b = 1 | 2;', '    /* `x` */', ''];
  const filtered = {
    ...base,
    filtered: true,
    limit: 400,
    matches: (...texts: string[]) => texts.some((t) => /calc|main/.test(t)),
  };
  const source = readMarkdown(
    await markdownOf(named('source'), { ...filtered, source: () => ({ path: 'x', newer: true, lines }) }),
  );
  assert.ok(source.headings.length > 1);
  assert.equal(source.tables.length, source.headings.length);
  assert.ok(source.items.some((item) => /^\0: the source is newer/.test(item.outside)));
  const cells = source.tables.flatMap((t) => t.rows).map((row) => row[row.length - 1]);
  assert.ok(cells.some(({ outside, codes }) => outside === '&nbsp;&nbsp;&nbsp;&nbsp;\0' && codes[0] === 'int b = 1 | 2;'));
  assert.ok(cells.some(({ outside, codes }) => outside === '&nbsp;&nbsp;&nbsp;&nbsp;\0' && codes[0] === '/* `x` */'));
  assert.ok(cells.some(({ outside }) => /^=> \0 \([\d,]+ calls?\)$/.test(outside)));
});

test('the summary is lists and small tables', async () => {
  const profile = await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]);
  const { items, lines, tables } = readMarkdown(await markdownOf(named('summary'), contextOf(profile)));
  const all = items.map(seen);
  for (const item of ['format: callgrind', 'command: ./demo 40', 'creator: callgrind-3.19.0', 'pid: 28496', 'routines: 576'])
    assert.ok(all.includes(item), item);
  assert.deepEqual(lines.map(seen), ['totals:', 'hottest by Ir (self):']);
  assert.deepEqual(
    tables.map((t) => seen(t.rows[0][t.rows[0].length - 1])),
    ['Ir (instructions executed)', '_dl_lookup_symbol_x'],
  );
});
