// runWarm(): a command has the outcome that it has in a process of its own, whatever ran before it.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { FIXTURES, ROOT } from '../support/fixtures.ts';
import { long } from '../support/long.ts';
import { type Outcome, run } from '../support/run.ts';
import { runWarm } from '../support/warm.ts';

const folder = mkdtempSync(join(tmpdir(), 'proftui-warm-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const PROFILE = join(FIXTURES, 'callgrind/default.callgrind.out');
const MADE = join(folder, 'made.folded');

const COMMANDS: [args: string[], options: { cwd?: string; env?: Record<string, string> }][] = [
  [[PROFILE, '--print', 'routines', '--limit', '3'], {}],
  [['fixtures/callgrind/default.callgrind.out', '--print', 'tree', '--json'], { cwd: ROOT }],
  [[PROFILE, '--print', 'nope'], {}],
  [['missing'], { cwd: folder }],
  [[PROFILE, '--fail-if', 'Ir > 1'], {}],
  [[PROFILE, '--print', 'routines', '--filter', 'no such routine'], {}],
  [[PROFILE, '--print', 'summary', '--debug'], { env: { TERM: 'vt220', LC_ALL: 'de_DE.UTF-8' } }],
  [[PROFILE, '--print', 'summary', '--debug'], {}],
  [[PROFILE, '--export', 'folded', '-o', 'made.folded'], { cwd: folder }],
  // More than the 64 kB of a pipe.
  [[PROFILE, '--print', 'lines', '--json'], {}],
];

long('a command has the same outcome in a warm process as in its own', () => {
  const wanted: Outcome[] = COMMANDS.map(([args, options]) => run(args, options));
  assert.deepEqual([...new Set(wanted.map(({ code }) => code))].sort(), [0, 1, 2, 3]);
  assert.ok(wanted.some(({ out }) => out.length > 1 << 16));
  const made = readFileSync(MADE);
  rmSync(MADE);
  for (const round of ['first', 'second'])
    for (const [k, [args, options]] of COMMANDS.entries())
      assert.deepEqual(runWarm(args, options), wanted[k], `${round} ${args.join(' ')}`);
  assert.ok(readFileSync(MADE).equals(made));
});

long('a process that ends without an answer is noticed, and the next command has another', () => {
  const { code, err } = runWarm(['missing'], { cwd: join(folder, 'none') });
  assert.equal(code, null);
  assert.match(err, /the process of the commands ended.*ENOENT/s);
  assert.equal(runWarm(['--help']).code, 0);
});
