// Compiled code that is kept between runs: used as it was written, by the same script, from a folder of the user's own, or not at all.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { ROOT } from '../support/fixtures.ts';

const RUN = `
  import { runCompiled } from ${JSON.stringify(join(ROOT, 'dist/compiled.js'))};
  process.stdout.write(runCompiled(process.argv[1], process.argv[2] ?? 'print').text());
  if (process.argv[3]) process.exitCode = Number(process.argv[3]);
`;
const script = (word: string) => `exports.text = () => "${word}" + typeof require + __filename.endsWith("script.cjs");`;

interface Home {
  readonly path: string;
  readonly folder: string;
  run(...words: readonly string[]): string;
  files(): string[];
}

function home(): Home {
  const cache = mkdtempSync(join(tmpdir(), 'proftui-'));
  const path = join(cache, 'script.cjs');
  const folder = join(cache, 'proftui/compiled');
  writeFileSync(path, script('one '));
  const env = { ...process.env, XDG_CACHE_HOME: cache };
  return {
    path,
    folder,
    run(...words) {
      const args = ['--input-type=module', '-e', RUN, path, ...words];
      const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
      assert.equal(stderr, '');
      return stdout;
    },
    files: () => readdirSync(folder).sort(),
  };
}

const LONG_AGO = 1_000_000;

test('a second run takes the code of the first; another use and another script have their own', () => {
  const { run, files, folder, path } = home();
  assert.equal(run(), 'one functiontrue');
  const [first, ...none] = files();
  assert.deepEqual(none, []);
  assert.ok(first.startsWith(createHash('sha256').update(readFileSync(path)).digest('hex')));
  assert.ok(first.endsWith(`-${process.version}-${process.arch}-print`));
  assert.equal(statSync(join(folder, first)).mode & 0o777, 0o600);
  utimesSync(join(folder, first), LONG_AGO, LONG_AGO);
  assert.equal(run(), 'one functiontrue');
  assert.equal(statSync(join(folder, first)).mtimeMs, LONG_AGO * 1000, 'it was written again');
  run('screen');
  assert.equal(files().length, 2);
  // Of equal length.
  writeFileSync(path, script('two '));
  assert.equal(run(), 'two functiontrue');
  assert.equal(files().length, 3);
});

test('what is not as it was written is not used, and is written anew', () => {
  const { run, files, folder } = home();
  run();
  const file = join(folder, files()[0]);
  const whole = readFileSync(file);
  const flipped = (at: number) => Buffer.from(whole.map((byte, i) => (i === at ? byte ^ 1 : byte)));
  const garbage = Buffer.alloc(5000, 7);
  const wrong = {
    'a byte of the digest': flipped(3),
    'a byte of the code': flipped(whole.length >> 1),
    'cut off': whole.subarray(0, whole.length - 9),
    empty: Buffer.alloc(0),
    // V8 itself refuses it.
    'of something else': Buffer.concat([createHash('sha256').update(garbage).digest(), garbage]),
  };
  for (const [what, bytes] of Object.entries(wrong)) {
    writeFileSync(file, bytes);
    assert.equal(run(), 'one functiontrue', what);
    const now = readFileSync(file);
    assert.ok(createHash('sha256').update(now.subarray(32)).digest().equals(now.subarray(0, 32)), what);
    assert.ok(!now.equals(bytes), what);
  }
});

test('nothing is kept of a run that fails, or in a folder that others can write', () => {
  const { run, files, folder } = home();
  assert.equal(run('print', '2'), 'one functiontrue');
  assert.deepEqual(files(), []);
  chmodSync(folder, 0o777);
  assert.equal(run(), 'one functiontrue');
  assert.deepEqual(files(), []);
});

test('files of old versions are deleted', () => {
  const { run, files, folder } = home();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let k = 0; k < 10; k++) {
    writeFileSync(join(folder, `old${k}`), '');
    utimesSync(join(folder, `old${k}`), LONG_AGO + k, LONG_AGO + k);
  }
  chmodSync(join(folder, '..'), 0o700);
  run();
  const [now, ...others] = files();
  assert.match(now, /-print$/);
  assert.deepEqual(others, ['old5', 'old6', 'old7', 'old8', 'old9']);
});

test('the program has ASCII characters alone, and is no larger than 2.3 MB', () => {
  const program = readFileSync(join(ROOT, 'dist/main.cjs'));
  assert.ok(program.every((byte) => byte < 128));
  assert.ok(program.length < 2_300_000, `${program.length} bytes`);
});
