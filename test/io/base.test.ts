// What --base names: files, folders and patterns, as runs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { findBaseCandidates, resolveRuns } from '../../src/io/base.ts';
import { long } from '../support/long.ts';

const PROFILE = '# callgrind format\nversion: 1\nevents: Ir\nfn=main\n1 5\n';
const CACHE = 'desc: I1 cache: 32768 B\ncmd: ./shop\nevents: Ir\nfl=a.c\nfn=main\n1 5\nsummary: 5\n';

/** A folder with these files: Cachegrind's by their names, empty ones after a `!`. */
function folder(...files: string[]): string {
  const at = mkdtempSync(join(tmpdir(), 'proftui-base-'));
  for (const file of files) {
    const path = join(at, file.replace(/^!/, ''));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file.startsWith('!') ? '' : /cachegrind/.test(file) ? CACHE : PROFILE);
  }
  return at;
}

/** The runs by names in the folder. */
function runs(at: string, bases: readonly string[], opened: readonly string[] = ['elsewhere']): string[][] {
  const inside = (path: string) => (path.startsWith('/') ? path : join(at, path));
  const found = resolveRuns(bases.map(inside), opened.map(inside));
  return found.map((run) => run.map((path) => path.slice(at.length + 1)));
}

test('files named one by one are runs, those of one run together', () => {
  const at = folder('old.1', 'old.2', 'callgrind.out.7-01', 'callgrind.out.7-02', '!callgrind.out.7', 'callgrind.out.8');
  assert.deepEqual(runs(at, ['old.1']), [['old.1']]);
  assert.deepEqual(runs(at, ['old.1', 'old.2']), [['old.1'], ['old.2']]);
  assert.deepEqual(runs(at, ['old.2', 'old.1', 'old.2']), [['old.2'], ['old.1']], 'no file twice');
  const threads = ['callgrind.out.7-01', 'callgrind.out.7-02'];
  assert.deepEqual(runs(at, ['callgrind.out.7-02', 'old.1', 'callgrind.out.7-01']), [threads, ['old.1']]);
  assert.deepEqual(runs(at, ['callgrind.out.7']), [threads], 'the empty file stands for its threads');
  assert.deepEqual(runs(at, ['callgrind.out.7', 'callgrind.out.7-01']), [threads]);
  assert.deepEqual(runs(at, ['callgrind.out.7-01']), [['callgrind.out.7-01']], 'only what was named');
  assert.deepEqual(runs(at, ['missing']), [['missing']], 'loading it says what is wrong');
});

test('a pattern is expanded: files of one run together, what is open left out', () => {
  const at = folder(
    'callgrind.out.7.1',
    'callgrind.out.7.2',
    'callgrind.out.7',
    'callgrind.out.10',
    'callgrind.out.9',
    'x/a.out',
    'y/a.out',
  );
  const seven = ['callgrind.out.7.1', 'callgrind.out.7.2', 'callgrind.out.7'];
  assert.deepEqual(runs(at, ['callgrind.out.*']), [['callgrind.out.10'], seven, ['callgrind.out.9']]);
  assert.deepEqual(runs(at, ['callgrind.out.*'], ['callgrind.out.10']), [seven, ['callgrind.out.9']]);
  assert.deepEqual(runs(at, ['callgrind.out.7.?']), [seven.slice(0, 2)]);
  assert.deepEqual(runs(at, ['callgrind.out.7.?', 'callgrind.out.7']), [seven]);
  assert.deepEqual(runs(at, ['[xy]/a.out']), [['x/a.out'], ['y/a.out']], 'of two folders: two runs');
  assert.throws(() => runs(at, ['z*']), /z\*: expected a file or folder that this pattern matches, found none/);
  assert.throws(() => runs(at, ['callgrind.out.9*'], ['callgrind.out.9']), /expected another profile.*only the one that is open/);
});

test('a file is its own base only where it is named', () => {
  const at = folder('a.out', 'b.out', 'v1/callgrind.out.1');
  symlinkSync('b.out', join(at, 'latest.out'));
  assert.deepEqual(runs(at, ['a.out'], ['a.out']), [['a.out']]);
  assert.deepEqual(runs(at, ['*.out'], ['b.out']), [['a.out']], 'not by way of a link either');
  assert.deepEqual(runs(at, ['*.out'], ['latest.out']), [['a.out']]);
  assert.throws(() => runs(at, ['v1'], ['v1/callgrind.out.1']), /v1: expected another profile.*only the one that is open/);
});

test('a pattern that has a file compressed, too, has it once', () => {
  const at = folder('callgrind.out.1', 'callgrind.out.1.gz', 'callgrind.out.2');
  assert.deepEqual(runs(at, ['callgrind.out.*']), [['callgrind.out.1'], ['callgrind.out.2']]);
  assert.deepEqual(runs(at, ['callgrind.out.*'], ['callgrind.out.2']), [['callgrind.out.1']]);
});

test('a folder gives the file of the same name, else the only run of the same format', () => {
  const at = folder(
    'v1/shop.callgrind.out',
    'v1/shop.cachegrind.out',
    'v2/shop.callgrind.out',
    'v2/shop.cachegrind.out',
    'v2/other.callgrind.out',
    'v3/callgrind.out.5.1',
    'v3/callgrind.out.5',
    'v3/cachegrind.out.6',
    'v4/callgrind.out.1',
    'v4/callgrind.out.2',
    'v5/mine',
    'v6/mine',
    'v7/notes.txt',
  );
  const three = ['v3/callgrind.out.5.1', 'v3/callgrind.out.5'];
  assert.deepEqual(runs(at, ['v1'], ['v2/shop.callgrind.out']), [['v1/shop.callgrind.out']]);
  assert.deepEqual(runs(at, ['v1'], ['v2/shop.cachegrind.out']), [['v1/shop.cachegrind.out']]);
  assert.deepEqual(runs(at, ['v1'], ['v2/other.callgrind.out']), [['v1/shop.callgrind.out']], 'of the same format');
  assert.deepEqual(runs(at, ['v3'], ['v2/shop.callgrind.out']), [three], 'a whole run');
  assert.deepEqual(runs(at, ['v3'], ['v2/shop.cachegrind.out']), [['v3/cachegrind.out.6']]);
  assert.deepEqual(runs(at, ['v5'], ['v6/mine']), [['v5/mine']], 'whatever the name');
  assert.deepEqual(runs(at, ['v2'], ['v2/shop.callgrind.out']), [['v2/other.callgrind.out']], 'not the one that is open');
  assert.deepEqual(runs(at, ['v4'], ['v4/callgrind.out.1']), [['v4/callgrind.out.2']]);
  assert.deepEqual(
    runs(at, ['v[13]'], ['v2/shop.callgrind.out']),
    [['v1/shop.callgrind.out'], three],
    'folders that a pattern matches',
  );
  assert.deepEqual(runs(at, ['v1', 'v3'], ['v2/shop.cachegrind.out']), [['v1/shop.cachegrind.out'], ['v3/cachegrind.out.6']]);
  assert.throws(
    () => runs(at, ['v4'], ['v2/shop.callgrind.out']),
    /v4: expected one profile to compare with, found 2 in this folder/,
  );
  assert.deepEqual(runs(at, ['v7'], ['v2/shop.callgrind.out']), [['v7/notes.txt']], 'the only profile, whatever its name');
  mkdirSync(join(at, 'v8'));
  assert.throws(() => runs(at, ['v8'], ['v2/shop.callgrind.out']), /v8: expected a profile in this folder, found none/);
});

test('a folder gives the files of the same names as those of the run that is open', () => {
  const at = folder('v1/t.out-01', 'v1/t.out-02', 'v1/t.out-03', 'v2/t.out-01', 'v2/t.out-02', 'v2/t.out-03');
  const names = ['t.out-01', 't.out-02', 't.out-03'];
  const opened = names.map((name) => `v2/${name}`);
  assert.deepEqual(runs(at, ['v1'], opened), [names.map((name) => `v1/${name}`)]);
});

test('several runs are read twice, so each must be a file', () => {
  const at = folder('a.out');
  assert.equal(spawnSync('mkfifo', [join(at, 'pipe')]).status, 0);
  assert.deepEqual(runs(at, ['pipe']), [['pipe']]);
  assert.throws(() => runs(at, ['pipe', 'a.out']), /pipe: expected a file: one of several runs is read twice.*found a FIFO/);
  assert.throws(() => resolveRuns(['-', join(at, 'a.out')], []), /-: expected a file.*found standard input/);
  symlinkSync('loop', join(at, 'loop'));
  assert.deepEqual(runs(at, ['loop', 'a.out']), [['loop'], ['a.out']], 'loading it says what is wrong');
});

long('a thousand runs are told apart in no time to speak of', () => {
  const at = folder(...Array.from({ length: 1000 }, (_, i) => `callgrind.out.${i}`));
  const started = Date.now();
  assert.equal(runs(at, ['callgrind.out.*']).length, 1000);
  assert.ok(Date.now() - started < 10_000, `${Date.now() - started} ms`);
});

test('offered to compare with: what is named like the opened profile but for numbers first, then what begins alike', () => {
  const at = folder('a.callgrind.out', 'callgrind.out.22', 'callgrind.out.7', 'callgrind.out.shop', 'z.callgrind.out');
  const offered = findBaseCandidates({ paths: [join(at, 'callgrind.out.22')], format: 'callgrind' }).map(({ path }) =>
    path.slice(at.length + 1),
  );
  assert.deepEqual(offered.slice(0, 2), ['callgrind.out.7', 'callgrind.out.shop']);
  assert.deepEqual(offered.slice(2).sort(), ['a.callgrind.out', 'z.callgrind.out']);
});
