// gprof: every row of the texts, read word by word; sums of calls; forms and languages that say the same; texts that are wrong.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { routineFile, routineName } from '../../src/analysis/names/names.ts';
import { FormatError } from '../../src/base/problem.ts';
import { gprof } from '../../src/formats/gprof/index.ts';
import { checkProfile } from '../../src/model/check.ts';
import { eventValue } from '../../src/model/head.ts';
import type { ProfileOf } from '../../src/model/profile.ts';
import { dumpProfile } from '../support/dump.ts';
import { FIXTURES, namesIn, readMaybeGz } from '../support/fixtures.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { loadBytes, loadText } from '../support/load.ts';

const FOLDER = join(FIXTURES, 'gprof');
const read = (name: string) => readMaybeGz(join(FOLDER, name));

async function load(bytes: Uint8Array | string): Promise<ProfileOf<'callgraph'>> {
  const profile = typeof bytes === 'string' ? await loadText(gprof, bytes) : await loadBytes(gprof, bytes);
  assert.deepEqual(checkProfile(profile), []);
  return profileOf(profile, 'callgraph');
}

/** A line of the call graph; hundredths of seconds, absent within a cycle. */
interface Row {
  readonly name: string;
  readonly index: string;
  readonly self?: number;
  readonly children?: number;
  readonly called: string;
}
interface Entry {
  readonly above: Row[];
  readonly own: Row;
  readonly below: Row[];
}

const hundredths = (word: string) => Math.round(Number(word) * 100);
const isTime = (word: string) => /^\d+\.\d\d$/.test(word);

function rowOf(line: string): Row {
  const words = line.trim().split(/\s+/);
  if (line.startsWith('[')) words.splice(0, 2);
  const [self, children] = isTime(words[0]) ? words.splice(0, 2).map(hundredths) : [];
  const called = /^\d/.test(words[0]) ? words.splice(0, 1)[0] : '';
  const index = words.pop()!.slice(1, -1); // every row ends with it
  const name = words
    .join(' ')
    .replace(/ <(cycle|Zyklus|\d\.) \w+>$/, '')
    .replace(/ \(\S+ @ \w+\)$/, '');
  return { name, index, called, ...(self === undefined ? {} : { self, children }) };
}

/** The entries of a call graph but for cycles as a whole. */
function entriesOf(text: string): Entry[] {
  const blocks = text.replaceAll('\r', '').split(/^-+$/m).slice(0, -1);
  return blocks.flatMap((block) => {
    const lines = block.split('\n').filter((l) => /(\[\d+\]|\(\d+\))$/.test(l) && /^\[|^ {13}/.test(l));
    const at = lines.findIndex((l) => l.startsWith('['));
    const [above, own, below] = [lines.slice(0, at).map(rowOf), rowOf(lines[at]), lines.slice(at + 1).map(rowOf)];
    return own.name.startsWith('<') && own.name.endsWith('>') ? [] : [{ above, own, below }];
  });
}

/** Self time of the rows of a flat profile, by name. */
function flatOf(text: string): Map<string, number> {
  const out = new Map<string, number>();
  const lines = text.replaceAll('\r', '').split('\n');
  const from = lines.findIndex((l) => l.includes('  seconds   seconds ')) + 1;
  for (let k = from; from > 0 && k < lines.length && lines[k].trim() !== ''; k++) {
    const [, , self, ...words] = lines[k].trim().split(/\s+/);
    const name = (lines[k].slice(27, 35).trim() === '' ? words : words.slice(3)).join(' ');
    const plain = name
      .replace(/ \[\d+\]$/, '')
      .replace(/ <cycle \d>$/, '')
      .replace(/ \(\S+ @ \w+\)$/, '');
    out.set(plain, (out.get(plain) ?? 0) + hundredths(self));
  }
  return out;
}

const sortedRows = (rows: readonly (readonly (string | number | undefined)[])[]) => rows.map((r) => r.join(' | ')).sort();

/** `4+12`: calls by others, and by the routine itself. */
const sumOf = (called: string) => called.split('+').reduce((sum, n) => sum + Number(n), 0);

/** Every call of a text once: below its caller, or above its callee where the caller has no entry. */
function callsOf(entries: readonly Entry[]): { caller: string; callee: string; count: number; time?: number }[] {
  const known = new Set(entries.map(({ own }) => own.index));
  const call = (caller: string, callee: string, { self, children, called }: Row) => ({
    ...{ caller, callee, count: Number(called.split('/')[0]) },
    ...(self === undefined || children === undefined ? {} : { time: self + children }),
  });
  return entries.flatMap(({ above, own, below }) => [
    ...below.map((row) => call(own.name, row.name, row)),
    ...above.filter(({ index }) => !known.has(index)).map((row) => call(row.name, own.name, row)),
  ]);
}

// Another test reads the texts with several routines of one name.
for (const name of namesIn(FOLDER, /^(?!namesakes).*\.gprof(\.gz)?$/))
  test(`${name}: every row is there: self times, calls with their number and time, and sums of calls`, async () => {
    const text = read(name).toString('utf8');
    const profile = await load(read(name));
    const { totals } = analysisOf(profile, 'callgraph');
    const [event] = profile.events;
    const nameOf = (r: number) => routineName(profile, r);
    const entries = entriesOf(text);
    const flat = flatOf(text);
    const selves = new Map(flat);
    for (const { own } of entries) if (!selves.has(own.name)) selves.set(own.name, own.self ?? 0);
    const calls = callsOf(entries);
    for (const { caller, callee } of calls) for (const one of [caller, callee]) if (!selves.has(one)) selves.set(one, 0);
    const ours = new Map(Array.from(profile.routines.name, (_, r) => [nameOf(r), eventValue(event, totals.self, r) / 1e4]));
    assert.deepEqual([...ours].sort(), [...selves].sort());
    assert.ok(selves.size > 0);

    const { spans } = profile;
    const rows = Array.from(profile.calls?.span ?? [], (span, i) => {
      const { callee, count, costs } = profile.calls!; // they have rows
      return { caller: nameOf(spans.routine[span]), callee: nameOf(callee[i]), count: count[i], time: costs[0][i] / 1e4 };
    });
    const untimed = new Set(calls.filter((c) => c.time === undefined).map(({ caller, callee }) => `${caller} ${callee}`));
    const timeOf = (c: (typeof calls)[number]) => (untimed.has(`${c.caller} ${c.callee}`) ? '' : c.time);
    const shown = (list: typeof calls) => sortedRows(list.map((c) => [c.caller, c.callee, c.count, timeOf(c)]));
    assert.deepEqual(shown(rows), shown(calls));

    // Sums of the rows of one entry are those of its first line, but for what rounding makes of each.
    for (const { own, above, below } of entries) {
      if (entries.filter((e) => e.own.name === own.name).length > 1) continue;
      const r = [...ours.keys()].indexOf(own.name);
      // The hand-made texts have calls that nobody made.
      if (!name.startsWith('edge')) assert.equal(totals.calls[r], sumOf(own.called), own.name);
      const isWhole = [...above, ...below].every(({ self }) => self !== undefined);
      const inclusive = eventValue(event, totals.inclusive, r) / 1e4;
      if (isWhole && !name.startsWith('lines'))
        assert.ok(Math.abs(inclusive - (own.self ?? 0) - (own.children ?? 0)) <= below.length + 1, `${own.name}: ${inclusive}`);
    }
  });

test('forms and languages say the same', async () => {
  const dumps = await Promise.all(
    ['parse.gprof', 'german.gprof', 'hungarian.gprof', 'bsd.gprof'].map(async (name) =>
      // In BSD's form, the call graph comes first.
      [...dumpProfile(await load(read(name)))].filter((line) => /^( *call|event|part)/.test(line) || /^ *line/.test(line)),
    ),
  );
  const [parse, german, hungarian, bsd] = dumps;
  assert.deepEqual(german, parse);
  assert.deepEqual(hungarian, parse);
  assert.equal(bsd.length, parse.length);
});

test('calls within a cycle: each member passes on what it is paid beyond its own need', async () => {
  const profile = await load(read('parse.gprof'));
  const { calls, spans } = profile;
  assert.ok(calls);
  const us = new Map(
    Array.from(calls.callee, (callee, i) => [
      `${routineName(profile, spans.routine[calls.span[i]])} ${routineName(profile, callee)}`,
      calls.costs[0][i],
    ]),
  );
  // main pays expression 0.80 s for the cycle, and factor 0.03 s; they need 0.37 s and 0.32 s, and term 0.14 s.
  assert.equal(us.get('expression term'), 430_000);
  assert.equal(us.get('term factor'), 290_000);
  assert.equal(us.get('factor expression'), 0);
  assert.equal(us.get('fib fib'), 0);
  assert.match(profile.parts[0].notes.join(), /rounds times to 0.01 s.*gprof's estimates.*within a cycle/);
});

const graph = (...lines: readonly string[]) =>
  `granularity: each sample hit covers 2 byte(s) for 1% of 1.00 seconds\n\n${lines.join('\n')}\n`;
const DASHES = '-'.repeat(47);

test('what is paid for a cycle beyond its needs does not go round in it', async () => {
  const { calls } = await load(
    graph(
      '[1]    100.0    0.00    0.10                 main [1]',
      '                0.10    0.00       1/1           a <cycle 1> [2]',
      DASHES,
      '[2]    100.0    0.04    0.00       5         a <cycle 1> [2]',
      '                                   4             b <cycle 1> [3]',
      DASHES,
      '[3]    100.0    0.03    0.00       4         b <cycle 1> [3]',
      '                                   4             a <cycle 1> [2]',
      DASHES,
    ),
  );
  assert.deepEqual(Array.from(calls?.costs[0] ?? []), [100_000, 30_000, 0]);
});

test('samples, times and calls of a flat profile alone', async () => {
  const profile = await load(read('sort.gprof'));
  assert.deepEqual(
    profile.events.map(({ name, unit, each }) => [name, unit, each]),
    [['time', 'us', 10_000]],
  );
  const flat = read('parse.gprof').toString('utf8').split('\f')[0];
  const { events, lines } = await load(flat);
  assert.deepEqual(
    events.map((e) => e.name),
    ['time', 'calls'],
  );
  assert.deepEqual(Array.from(lines.costs[1]), [690_004, 218_400, 4, 399_600, 546_000, 363_600, 4]);
});

test('the lines of -l are those of routines and of their calls', async () => {
  const profile = await load(read('lines.gprof'));
  const { calls, lines, spans } = profile;
  assert.deepEqual(Array.from(lines.line).slice(0, 3), [6, 15, 16]);
  const fromMain = Array.from(calls?.line ?? []).filter(
    (_, i) => routineName(profile, spans.routine[calls?.span[i] ?? -1]) === 'main',
  );
  assert.deepEqual(fromMain.sort(), [20, 21, 22, 22]);
});

test('a text that is cut off is shown without its last routine', async () => {
  const text = read('parse.gprof').toString('utf8');
  const { cut, calls } = await load(text.slice(0, text.indexOf('[3]     68.5')));
  assert.match(cut?.hint ?? '', /last routine is left out/);
  assert.equal(calls?.span.length, 4);
  assert.match(
    (
      await load(
        'Flat profile:\n\n time   seconds   seconds    calls\n 50.00      0.01     0.01                             f\n 50.0',
      )
    ).cut?.hint ?? '',
    /whole lines/,
  );
});

test('the wrong row of a text is named, with its line', async () => {
  const refused = (text: string, expected: RegExp, line: number) =>
    assert.rejects(
      load(text),
      (e) => e instanceof FormatError && expected.test(`${e.problem.expected}: ${e.problem.found}`) && e.problem.line === line,
    );
  const heading = ' time   seconds   seconds    calls  ms/call  ms/call  name\n';
  await refused(`${heading} 50.00      0.01     x.01  f\n`, /a row of the flat profile: " 50.00 /, 2);
  await refused(`${heading}\n`, /a row of a flat profile, or a routine of a call graph: none/, 2);
  const caller = '                0.10    0.00       1/1           a [2]';
  await refused(graph(caller, 'and so on', DASHES), /a caller, a routine or a callee: "and so on"/, 4);
  await refused(graph(caller, DASHES), /a routine with its index: none/, 3);
});

/** A run whose routine leaf was compiled without -pg, in GNU gprof's words. */
const UNCOUNTED = `Flat profile:

Each sample counts as 0.01 seconds.
  %   cumulative   self              self     total
 time   seconds   seconds    calls  us/call  us/call  name
 55.43      0.57     0.57                             leaf
 25.28      0.83     0.26    20000    13.02    18.03  c
 19.45      1.03     0.20    40000     5.01     5.01  a

`;

test('a text that ends between two rows is cut off where time or calls are missing', async () => {
  const timeOf = (p: ProfileOf<'callgraph'>) => analysisOf(p, 'callgraph').totals.total[0][0];
  const callsOf = (p: ProfileOf<'callgraph'>) => Array.from(p.calls?.count ?? []).reduce((sum, n) => sum + n, 0);
  let cut = 0;
  for (const name of ['parse.gprof', 'bsd.gprof', 'german.gprof.gz', 'shapes.gprof.gz', 'sort-static.gprof']) {
    const lines = new TextDecoder().decode(read(name)).split('\n');
    const all = await load(lines.join('\n'));
    for (let end = 1; end < lines.length; end++) {
      const part = await load(`${lines.slice(0, end).join('\n')}\n`).catch((error) => {
        assert.ok(error instanceof FormatError, `${name}:${end}`);
      });
      if (!part || part.cut || part.warnings.length > 0) {
        cut++;
        continue;
      }
      assert.ok(Math.abs(timeOf(part) - timeOf(all)) <= 10_000, `time of ${name}:${end}`);
      if (callsOf(part) > 0) assert.equal(callsOf(part), callsOf(all), `calls of ${name}:${end}`);
    }
  }
  assert.ok(cut > 100, `${cut}`);
});

test('routines without counts of calls are counted; rows that options left out leave a warning', async () => {
  const { parts, cut, warnings } = await load(UNCOUNTED);
  assert.ok(parts[0].notes.some((note) => note.startsWith('calls of 1 routine were not counted')));
  assert.deepEqual([cut, warnings.length], [undefined, 0]);
  const without = await load(UNCOUNTED.replace(/^ 25.28.*\n/m, ''));
  assert.match(without.warnings[0].found, /rows for 74\.88 %/);
});

test('static functions of one name are told apart by the files in the index, whatever their order', async () => {
  const shown = (p: ProfileOf<'callgraph'>) => {
    const { totals } = analysisOf(p, 'callgraph');
    const rows = Array.from(p.routines.name.keys()).filter((r) => routineName(p, r) === 'work');
    return rows.map((r) => [routineFile(p, r), totals.self[0][r], totals.calls[r]]).sort();
  };
  // As the two entries `work [2]` and `work [4]`, whose files are in the index below the graph.
  const base = new TextDecoder().decode(read('namesakes-base.gprof'));
  const expected = [
    ['g.c', 50_000, 2_692_939],
    ['h.c', 30_000, 100],
  ] as const;
  assert.deepEqual(shown(await load(base)), expected);
  assert.deepEqual(shown(await load(read('namesakes-more.gprof'))), [
    ['g2.c', 50_000, 2_692_939],
    ['h.c', 60_000, 200],
  ]);
  const rows = base.split('\n');
  const [first, second] = [5, 6].map((k) => rows[k]);
  assert.match(first, /2692939 .* work$/);
  assert.deepEqual(shown(await load(rows.with(5, second).with(6, first).join('\n'))), expected);
  // Without the files, they are one routine.
  assert.deepEqual(shown(await load(base.replaceAll(/ \([gh]\.c\)/g, ''))), [[null, 80_000, 2_693_039]]);
});
