// docs/fleet.md: its queries run in DuckDB on rows that the program wrote, and their answers are those of the profiles.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { FIXTURES, ROOT } from '../support/fixtures.ts';
import { long } from '../support/long.ts';

const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const proftui = (...words: string[]): string =>
  execFileSync(process.execPath, [join(ROOT, 'bin/proftui.js'), ...words], { encoding: 'utf8', maxBuffer: 1 << 28 });

const RUNS = ['args', 'default', 'toggle'];

/** The queries of the guide, by the comment in their first line. */
function queries(): Map<string, string> {
  const text = readFileSync(join(ROOT, 'docs/fleet.md'), 'utf8');
  return new Map([...text.matchAll(/```sql\n-- (.*)\n([\s\S]*?)```/g)].map(([, title, sql]) => [title, sql.trim()]));
}

test('the loop of docs/fleet.md can be run again: it does not read the rows that it wrote', () => {
  const [, loop = ''] = /```\n(mkdir [\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/fleet.md'), 'utf8')) ?? [];
  const place = join(folder, 'loop');
  mkdirSync(join(place, 'profiles'), { recursive: true });
  for (const run of ['args', 'toggle'])
    copyFileSync(join(FIXTURES, `callgrind/${run}.callgrind.out`), join(place, `profiles/callgrind.out.${run}`));
  const program = `proftui() { "${process.execPath}" "${join(ROOT, 'bin/proftui.js')}" "$@"; }\n`;
  const written = [1, 2].map(() => {
    execFileSync('bash', ['-ec', program + loop], { cwd: place });
    return readdirSync(join(place, 'rows')).map((name) => [name, readFileSync(join(place, 'rows', name), 'utf8')]);
  });
  assert.deepEqual(
    written[0].map(([name, text]) => [name, JSON.parse(text.split('\n')[0]).run]),
    [
      ['callgrind.out.args.jsonl', 'callgrind.out.args'],
      ['callgrind.out.toggle.jsonl', 'callgrind.out.toggle'],
    ],
  );
  assert.deepEqual(written[1], written[0]);
});

long('every query of docs/fleet.md runs, and says what the profiles say', async () => {
  const truth = new Map<string, number>();
  for (const run of RUNS) {
    const file = join(FIXTURES, `callgrind/${run}.callgrind.out`);
    writeFileSync(join(folder, `${run}.jsonl`), proftui(file, '--print', 'routines', '--jsonl', '--run', run));
    truth.set(run, JSON.parse(proftui(file, '--print', 'summary', '--json')).totals.Ir);
  }
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const ask = async (sql: string) => {
    const result = await connection.runAndReadAll(sql.replaceAll('rows/*.jsonl', join(folder, '*.jsonl')));
    return result.getRowObjectsJson();
  };
  const asked = new Map<string, Awaited<ReturnType<typeof ask>>>();
  for (const [title, sql] of queries()) asked.set(title, await ask(sql));
  assert.ok(asked.size >= 4);
  const totals = asked.get('what each run costs') ?? [];
  assert.deepEqual(new Map(totals.map((row) => [String(row['run']), Number(row['total'])])), truth);
  const hottest = asked.get('the most expensive routines of all runs')?.[0];
  assert.equal(hottest?.['routine'], '_dl_lookup_symbol_x');
  for (const [title, rows] of asked) assert.ok(rows.length > 0, title);
  // Equal runs do not differ, though routines of one name lie in several files.
  const equal = join(folder, 'equal');
  mkdirSync(equal);
  const file = join(FIXTURES, 'callgrind/default.callgrind.out');
  for (const run of ['a', 'b', 'c'])
    writeFileSync(join(equal, `${run}.jsonl`), proftui(file, '--print', 'routines', '--jsonl', '--run', run));
  for (const title of [
    'routines whose share differs most from run to run',
    'routines that some runs call more often than others',
  ]) {
    const sql = queries().get(title);
    assert.ok(sql, title);
    const result = await connection.runAndReadAll(sql.replaceAll('rows/*.jsonl', join(equal, '*.jsonl')));
    assert.deepEqual(result.getRowObjectsJson(), [], title);
  }
  connection.closeSync();
});
