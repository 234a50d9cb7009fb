// What the system refuses is told in its words, with the path, and is no error of the program.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FIXTURES, ROOT } from '../support/fixtures.ts';
import { runWarm } from '../support/warm.ts';

const folder = mkdtempSync(join(tmpdir(), 'proftui-system-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const profile = join(folder, 'm.out');
copyFileSync(join(FIXTURES, 'callgrind/default.callgrind.out'), profile);
symlinkSync('loop', join(folder, 'loop'));

test('paths that cannot be opened: the path and the reason, exit 1, whatever is asked', () => {
  const long = 'a'.repeat(300);
  const cases: [string, RegExp][] = [
    [`${profile}/x`, /m\.out\/x.*a part of the path is not a folder/],
    [long, /a{300}.*the name is too long/],
    [join(folder, 'loop'), /loop.*links that lead in a circle/],
    [join(folder, 'none'), /none.*no such file or directory/],
  ];
  for (const [path, reason] of cases)
    for (const rest of [['--print', 'summary'], ['--check'], ['--export', 'folded']]) {
      const { code, err, out } = runWarm([path, ...rest]);
      assert.deepEqual([code, out], [1, ''], `${path.slice(-20)} ${rest}`);
      assert.match(err, reason);
      assert.doesNotMatch(err, /error in the program|report it/);
    }
  const base = runWarm([profile, '--print', 'summary', '--base', long]);
  assert.deepEqual([base.code, /name is too long/.test(base.err)], [1, true]);
});

test('a current folder that is gone is told', () => {
  const gone = join(folder, 'gone');
  mkdirSync(gone);
  const { status, stderr } = spawnSync(
    'sh',
    [
      '-c',
      `cd '${gone}' && rmdir '${gone}' && exec '${process.execPath}' '${join(ROOT, 'bin/proftui.js')}' m.out --print summary`,
    ],
    { encoding: 'utf8' },
  );
  assert.equal(status, 1);
  assert.match(stderr, /the current folder no longer exists/);
});

test('-o that names the profile, its base or a link to them is refused, and the file stays', () => {
  const before = readFileSync(profile);
  symlinkSync(profile, join(folder, 'link'));
  for (const args of [
    ['m.out', '--export', 'folded', '-o', 'm.out'],
    ['m.out', '--export', 'callgrind', '-o', './m.out'],
    ['link', '--export', 'pprof', '-o', 'm.out'],
    [join(FIXTURES, 'callgrind/default.callgrind.out'), '--base', 'm.out', '--export', 'pprof', '-o', 'm.out'],
  ]) {
    const { code, err } = runWarm(args, { cwd: folder });
    assert.equal(code, 2, err);
    assert.match(err, /-o .*m\.out: that is an input, .*; give another name/);
    assert.ok(readFileSync(profile).equals(before));
  }
  assert.equal(runWarm(['m.out', '--export', 'folded', '-o', 'new.folded'], { cwd: folder }).code, 0);
  assert.equal(runWarm(['m.out', '--export', 'folded', '-o', 'new.folded'], { cwd: folder }).code, 0);
});
