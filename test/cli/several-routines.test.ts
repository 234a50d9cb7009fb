// --routine with an expression: what each of the routines has by itself, headed by its name.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { FIXTURES } from '../support/fixtures.ts';
import { runWarm } from '../support/warm.ts';

const FILE = join(FIXTURES, 'callgrind/default.callgrind.out');
const NAMES = ['demo::parse_factor(demo::Cursor&)', 'demo::skip_spaces(demo::Cursor&)', "demo::parse_factor(demo::Cursor&)'2"];
const print = (view: string, routine: string, ...more: string[]) =>
  runWarm([FILE, '--print', view, '--routine', routine, ...more]);

for (const view of ['source', 'calls', 'lines'])
  test(`${view}: the rows of each, in JSON, CSV, text and Markdown`, () => {
    const several = JSON.parse(print(view, '/skip_spaces|parse_factor/', '--json').out).rows;
    const single = NAMES.map((name) => JSON.parse(print(view, name, '--json').out).rows);
    assert.deepEqual(
      several,
      single.flatMap((rows, k) => rows.map((row: object) => ({ of: NAMES[k], ...row }))),
    );
    const csv = print(view, '/skip_spaces|parse_factor/', '--csv').out.trimEnd().split('\r\n');
    assert.match(csv[0], /^of,/);
    assert.equal(csv.length - 1, several.length);
    const text = print(view, '/skip_spaces|parse_factor/', '--limit', '100').out;
    assert.deepEqual(
      text.split('\n').filter((line) => line.startsWith('== ')),
      NAMES.map((name) => `== ${name}`),
    );
    // Without its head, the text of one is that below its heading.
    const alone = print(view, NAMES[1], '--limit', '100').out.split('\n').slice(3).join('\n');
    assert.ok(text.includes(alone.trim()), alone);
    const markdown = print(view, '/skip_spaces|parse_factor/', '--markdown').out;
    assert.equal(markdown.match(/^#### .*(?:skip_spaces|parse_factor)/gm)?.length, 3);
  });

test('expressions that name nothing, or too much, are refused', () => {
  for (const [args, why] of [
    [['lines', '/zzqq/'], /--routine \/zzqq\/: no routine matches/],
    [['lines', '/(/'], /invalid regular expression/],
    [['graph', '/main/'], /an expression may name several routines; views that list them: source, instrs, calls, lines/],
    [['instrs', '/main/', '--disassemble'], /--disassemble takes one routine|which has none/],
  ] as const) {
    const { code, err } = print(args[0], args[1], ...args.slice(2));
    assert.ok(code === 2 || code === 1, err);
    assert.match(err, why);
  }
});
