// Which files belong to one run.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { findBaseCandidates } from '../../src/io/base.ts';
import { filesOfRun, profilesIn } from '../../src/io/find.ts';

test('the files of a run are found from any of them, without the empty one that stands for its threads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const runs = [
    ['callgrind.out.7-01', 'callgrind.out.7-02', 'callgrind.out.7-03'],
    ['parts.out.1', 'parts.out.2', 'parts.out'],
    ['mine.77-01', 'mine.77-02'],
    ['own.1', 'own.2', 'own'],
    ['alone.1'],
    ['alone.2'],
    ['beside-a-folder.1'],
    ['beside-a-folder.2'],
  ];
  for (const name of runs.flat()) writeFileSync(join(folder, name), 'x');
  writeFileSync(join(folder, 'callgrind.out.7'), '');
  writeFileSync(join(folder, 'mine.77'), '');
  mkdirSync(join(folder, 'beside-a-folder'));
  for (const name of ['callgrind.out.7-04', 'alone']) symlinkSync(name, join(folder, name));
  for (const run of runs) {
    for (const name of run)
      assert.deepEqual(
        filesOfRun(join(folder, name)).map((p) => basename(p)),
        run,
        name,
      );
  }
});

test('a file and its compressed copy are one profile, never two files of a run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const text = 'events: Ir\nfn=f\n1 1\ntotals: 1\n';
  for (const name of ['callgrind.out.7', 'callgrind.out.8-01', 'callgrind.out.8-02']) {
    writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, `${name}.gz`), gzipSync(text));
  }
  const run = (name: string) => filesOfRun(join(folder, name)).map((path) => basename(path));
  assert.deepEqual(run('callgrind.out.7'), ['callgrind.out.7']);
  assert.deepEqual(run('callgrind.out.7.gz'), ['callgrind.out.7.gz']);
  assert.deepEqual(run('callgrind.out.8-01'), ['callgrind.out.8-01', 'callgrind.out.8-02']);
  assert.deepEqual(
    profilesIn(folder)
      .map(({ path }) => basename(path))
      .sort(),
    ['callgrind.out.7', 'callgrind.out.8-01', 'callgrind.out.8-02'],
  );
  writeFileSync(join(folder, 'callgrind.out.7.old'), text);
  const bases = findBaseCandidates({ paths: [join(folder, 'callgrind.out.7')], format: 'callgrind' });
  assert.equal(basename(bases[0].path), 'callgrind.out.7.old');
  assert.ok(bases.every(({ path }) => basename(path) !== 'callgrind.out.7.gz'));
});
