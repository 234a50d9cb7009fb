// Notices on standard error: patterns that match nothing, and details for a bug report. A folder above one profile opens it.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { FIXTURES } from '../support/fixtures.ts';
import { runWarm } from '../support/warm.ts';

const folder = mkdtempSync(join(tmpdir(), 'proftui-notices-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const CALLGRIND = join(FIXTURES, 'callgrind/default.callgrind.out');
const PPROF = join(FIXTURES, 'pprof/cpu.pb.gz');

test('a pattern that matches nothing says so on standard error, others do not', () => {
  const errorOf = (...args: string[]) => runWarm([PPROF, '--print', 'routines', '--csv', ...args]).err.trim();
  for (const flag of ['focus', 'ignore', 'hide', 'show', 'prune-from']) {
    assert.equal(errorOf(`--${flag}`, 'no_such_name'), `proftui: ${flag}=no_such_name: matches no routine, file or object`);
    assert.equal(errorOf(`--${flag}`, 'main'), '');
  }
  assert.equal(
    errorOf('--focus', 'file:main.go', '--ignore', 'nothing.like.it'),
    'proftui: ignore=nothing.like.it: matches no routine, file or object',
  );
  assert.equal(errorOf('--tag-focus', 'worker=2'), '');
  assert.equal(errorOf('--filter', 'qqqqzzzz'), 'proftui: --filter qqqqzzzz: no row of routines matches');
  assert.equal(errorOf('--filter', 'insert'), '');
});

test('--debug: version, system, terminal and locale, and the sizes of the profile, without a name of it', () => {
  const { out, err, code } = runWarm([CALLGRIND, '--print', 'routines', '--limit', '1', '--json', '--debug'], {
    env: { TERM: 'vt220', LC_ALL: 'de_DE.UTF-8' },
  });
  assert.equal(code, 0);
  assert.equal(JSON.parse(out).rows.length, 1);
  const lines = err.trim().split('\n');
  assert.match(lines[0], /^proftui \S+ \(.*node v\d+.*\), \w+ \S+, \w+$/);
  assert.match(lines[1], /^TERM=vt220, COLORTERM=.*, locale de_DE\.UTF-8$/);
  assert.match(
    lines[2],
    /^callgrind, callgraph: bytes 173514, files 1, .*routines 576, sourceFiles 309, objects 8, .*costLines 10761/,
  );
  assert.doesNotMatch(err, /fixtures|demo|main/);
});

test('a folder above one profile or build opens it; above several it names them', () => {
  mkdirSync(join(folder, 'one/below'), { recursive: true });
  mkdirSync(join(folder, 'one/empty'));
  copyFileSync(CALLGRIND, join(folder, 'one/below/callgrind.out.7'));
  const { out, code } = runWarm([join(folder, 'one'), '--print', 'summary', '--json']);
  assert.deepEqual([code, JSON.parse(out).totals.Ir], [0, 3117398]);
  mkdirSync(join(folder, 'one/second'));
  copyFileSync(CALLGRIND, join(folder, 'one/second/callgrind.out.8'));
  const two = runWarm([join(folder, 'one'), '--print', 'summary']);
  assert.equal(two.code, 1);
  assert.match(two.err, /folders in it have profiles:\n {2}proftui \S+below\n {2}proftui \S+second/);
});
