// Patterns of paths: what they match, held against bash, and what they refuse.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { isPattern, matchingPaths, resolveRuns } from '../../src/io/base.ts';

const FILES = [
  'v1/shop.out',
  'v1/shop.out.2',
  'v1/.hidden.out',
  'v2/shop.out',
  'v2/deep/shop.out',
  'v10/other.out',
  '.secret/shop.out',
  'a[1].out',
  'a1.out',
  'a-.out',
  'a].out',
  'a^.out',
  'b*.out',
  'bb.out',
  'ä.out',
  '💡.out',
  'x y.out',
  'plain',
];

function folder(): string {
  const at = mkdtempSync(join(tmpdir(), 'proftui-pattern-'));
  for (const file of FILES) {
    mkdirSync(join(at, dirname(file)), { recursive: true });
    writeFileSync(join(at, file), 'x');
  }
  return at;
}

const PATTERNS = [
  '*',
  '*.out',
  '?.out',
  'v?/*.out',
  'v*/*',
  'v*/.*.out',
  '*/*/*.out',
  '.*/*.out',
  'v*/',
  '**/*.out',
  'a[1-9].out',
  'a[!1].out',
  'a[^1].out',
  'a[]1].out',
  'a[!]1].out',
  'a[1^-].out',
  'a[\\]].out',
  'b\\**',
  '[ä💡].out',
  '[a-b]?.out',
  'a[1*',
  '[.]*',
  './v1/*',
  'v1/../v2/*.out',
  'v1//*.out',
  'v*/shop.out',
  '*s*o*u*t*',
  '*a*a*a*a*a*a*a*a*b',
];

test('what a pattern matches is what bash matches', { skip: spawnSync('bash', ['--version']).status !== 0 }, () => {
  const at = folder();
  const script = 'shopt -s nullglob; cd "$1"; for p in $2; do printf "%s\\n" "$p"; done';
  for (const pattern of PATTERNS) {
    const { stdout } = spawnSync('bash', ['-c', `IFS=; ${script}`, 'bash', at, pattern], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
    const tidy = (path: string) => path.replaceAll('//', '/').replace(/^\.\/|\/$/g, '');
    // Older versions of bash take `.` and `..` for names that `.*` matches.
    const wanted = stdout.split('\n').filter((p) => p !== '' && !/(?:^|\/)\.\.?$/.test(p));
    let found: string[] = [];
    try {
      found = matchingPaths(`${at}/${pattern}`).map((p) => p.slice(at.length + 1));
    } catch (error) {
      assert.match(String(error), /expected a file or folder that this pattern matches, found none/);
    }
    assert.deepEqual(found.map(tidy).sort(), wanted.map(tidy).sort(), pattern);
  }
});

test('what a pattern matches is sorted; paths stay relative', () => {
  const at = folder();
  const before = process.cwd();
  process.chdir(at);
  try {
    assert.deepEqual(matchingPaths('v*/s*'), ['v1/shop.out', 'v1/shop.out.2', 'v2/shop.out']);
    assert.deepEqual(matchingPaths('a\\[1].out'), ['a[1].out']);
    assert.deepEqual(matchingPaths('./v[12]/shop.out'), ['./v1/shop.out', './v2/shop.out']);
  } finally {
    process.chdir(before);
  }
});

test('a path is no pattern if there is something of that name', () => {
  const at = folder();
  assert.equal(isPattern(join(at, 'a[1].out')), false);
  assert.equal(isPattern(join(at, 'b*.out')), false);
  assert.equal(isPattern(join(at, 'c*.out')), true);
  assert.equal(isPattern(join(at, 'missing.out')), false);
});

test('a pattern that matches nothing, or too much, is refused by its name', () => {
  const at = folder();
  symlinkSync('nowhere', join(at, 'dangling'));
  assert.throws(
    () => matchingPaths(join(at, 'dangl*')),
    /dangl\*: expected a file or folder that this pattern matches, found none/,
  );
  assert.throws(() => matchingPaths(join(at, 'none/*')), /found none/);
  for (let i = 0; i < 1001; i++) writeFileSync(join(at, `many.${i}`), '');
  assert.equal(matchingPaths(join(at, 'many.??')).length, 90);
  assert.throws(() => matchingPaths(join(at, 'many.*')), /expected at most 1,000 files that it matches, found more/);
});

test('a pattern of bases may match a folder without a profile; alone it is no base', () => {
  const at = mkdtempSync(join(tmpdir(), 'proftui-pattern-'));
  for (const name of ['old.1', 'old.2']) mkdirSync(join(at, name));
  writeFileSync(join(at, 'old.1/readme'), 'nothing\n');
  const profile = '# callgrind format\nevents: Ir\nfn=a\n1 5\n';
  writeFileSync(join(at, 'old.2/callgrind.out.7'), profile);
  writeFileSync(join(at, 'now.out'), profile);
  const runs = (pattern: string) => resolveRuns([join(at, pattern)], [join(at, 'now.out')]);
  assert.deepEqual(runs('old.*'), [[join(at, 'old.2/callgrind.out.7')]]);
  assert.throws(() => runs('old.[1]'), /found none that is comparable/);
});

test('a pattern made to take long does not', () => {
  const at = mkdtempSync(join(tmpdir(), 'proftui-pattern-'));
  writeFileSync(join(at, 'a'.repeat(250)), '');
  const started = Date.now();
  assert.throws(() => matchingPaths(join(at, `${'*a'.repeat(100)}*b`)), /found none/);
  assert.ok(Date.now() - started < 10_000);
});
