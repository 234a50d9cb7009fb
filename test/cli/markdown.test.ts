// --markdown by the built program: what it writes, which flags go with it, and which are refused.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { existing, ROOT } from '../support/fixtures.ts';
import { matchesGolden } from '../support/golden.ts';
import { long } from '../support/long.ts';
import { type Document, readMarkdown, seen } from '../support/markdown.ts';
import { runWarm } from '../support/warm.ts';

const here = { cwd: ROOT };
const DEFAULT = existing('fixtures/callgrind/default.callgrind.out');
const SORTS = 'fixtures/aprof/sorts/sorts_29651_0_4.aprof.gz';
const TRACE = 'fixtures/build-trace/tidepool-cmake-ninja.trace.gz';

function markdown(...args: string[]): { text: string; document: Document } {
  const { code, out, err } = runWarm([...args, '--markdown'], here);
  assert.equal(code, 0, err);
  return { text: out, document: readMarkdown(out) };
}

const GOLDENS: [name: string, args: string[]][] = [
  ['summary', [DEFAULT]],
  ['routines', [DEFAULT, '--print', 'routines', '--limit', '5']],
  ['tree', [DEFAULT, '--print', 'tree', '--limit', '12']],
  ['source', [DEFAULT, '--print', 'source', '--routine', 'demo::skip_spaces', '--source-dir', 'fixtures/callgrind']],
  ['curve', [SORTS, '--print', 'curve', '--routine', 'merge_sort', '--at', '999']],
  ['processes', [TRACE, '--print', 'processes', '--limit', '8']],
];

for (const [name, args] of GOLDENS) {
  test(`Markdown of ${name}`, () => matchesGolden(`print/${name}.md`, markdown(...args).text));
}

long('rows are chosen and ordered as in text', () => {
  const routines = (...args: string[]) =>
    markdown(DEFAULT, '--print', 'routines', ...args).document.tables[0].rows.map((cells) => seen(cells[5]));
  const text = (...args: string[]) => runWarm([DEFAULT, '--print', 'routines', '--json', ...args], here).out;
  const expected = (...args: string[]) =>
    (JSON.parse(text(...args)) as { rows: { routine: string }[] }).rows.map((r) => r.routine.replace(/@.*|\.constprop\.0$/, ''));
  assert.equal(routines().length, 40);
  for (const args of [
    ['--limit', '7'],
    ['--limit', '50', '--sort', 'calls'],
    ['--filter', 'matrix', '--limit', '9'],
    ['--limit', '3', '--sort', 'routine:asc'],
  ])
    assert.deepEqual(
      routines(...args).map((name) => name.replace(/ \(cycle \d+\)$/, '')),
      expected(...args),
    );
  const rows = (...args: string[]) =>
    markdown(DEFAULT, '--print', 'tree', ...args, '--limit', '1000').document.tables[0].rows.length;
  assert.ok(rows('--threshold', '20') < rows('--threshold', '5'));
});

long('--ascii leaves ASCII, and no mark that Markdown would take for its own', () => {
  for (const args of [
    [DEFAULT, '--print', 'tree'],
    [DEFAULT, '--print', 'routines'],
    [SORTS, '--print', 'curve', '--routine', 'merge_sort'],
    [SORTS, '--print', 'curves'],
  ])
    assert.match(markdown(...args, '--ascii').text, /^[\x0a\x20-\x7e]*$/);
  assert.match(markdown(DEFAULT, '--print', 'tree', '--ascii', '--limit', '9').text, /\| \\~625,613 \|/);
});

test('nothing is cut, however narrow the terminal is said to be', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const file = join(folder, 'callgrind.out.1');
  const name = `f(${'std::vector<int>, '.repeat(500)}int)`;
  writeFileSync(file, `# callgrind format\nevents: Ir\nfn=${name}\n1 5\n`);
  const { code, out } = runWarm([file, '--print', 'routines', '--markdown'], { env: { COLUMNS: '40' } });
  assert.equal(code, 0);
  assert.ok(out.includes(`\`${name}\``));
});

long('what Markdown cannot follow is refused, and why', () => {
  const cases: [string[], RegExp][] = [
    [[DEFAULT, '--markdown', '--json'], /--json and --markdown: only one form at a time/],
    [[DEFAULT, '--markdown', '--csv'], /only one form/],
    [[DEFAULT, '--markdown', '--svg'], /only one form/],
    [[DEFAULT, '--markdown', '--csv-safe'], /--csv-safe is for csv; summary is written as markdown/],
    [[DEFAULT, '--markdown', '--width', '80'], /--width is for text/],
    [[TRACE, '--print', 'compile-commands', '--markdown'], /compile-commands is a JSON array/],
    [[DEFAULT, '--print', 'dot', '--markdown'], /dot is text that another tool reads/],
    [[DEFAULT, '--print', 'lines', '--context', '3', '--markdown'], /--context: lines does not use it; views that do: source/],
  ];
  for (const [args, message] of cases) {
    const { code, out, err } = runWarm(args, here);
    assert.equal(code, 2, `${args}: ${err}`);
    assert.match(err, message);
    assert.equal(out, '');
  }
});

test('a file that was cut off says so in the list, and ends with exit 1', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const file = join(folder, 'callgrind.out.1');
  writeFileSync(file, readFileSync(join(ROOT, DEFAULT)).subarray(0, 100_000));
  const { code, out } = runWarm([file, '--print', 'routines', '--markdown']);
  assert.equal(code, 1);
  assert.ok(readMarkdown(out).items.some((item) => /^warning: the file is cut off/.test(seen(item))));
});
