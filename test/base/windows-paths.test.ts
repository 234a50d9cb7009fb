// Paths of Windows in profiles that are read elsewhere.
import assert from 'node:assert/strict';
import test from 'node:test';
import { matchPaths } from '../../src/analysis/profiles/compare/match.ts';
import { baseName, mappedPath, withSlashes } from '../../src/base/paths.ts';
import { sourceCandidates } from '../../src/io/sources/source-text.ts';

test('a path of Windows gets slashes, any other stays', () => {
  assert.equal(withSlashes('c:\\src\\a b.c'), 'C:/src/a b.c');
  assert.equal(withSlashes('c:/src/a.c'), 'C:/src/a.c');
  assert.equal(withSlashes('\\\\srv\\share\\z.cpp'), '//srv/share/z.cpp');
  assert.equal(withSlashes('src\\a.c'), 'src/a.c');
  for (const path of ['/usr/x.c', 'src/a\\b.c', 'a.c', '', 'a:b']) assert.equal(withSlashes(path), path);
  assert.deepEqual(['C:\\x\\y.c', '/x/y.c', 'y.c', 'x\\y.c'].map(baseName), ['y.c', 'y.c', 'y.c', 'y.c']);
});

test('--path-map takes either slash and any case of the drive; sources are found below --source-dir', () => {
  for (const from of ['C:\\xampp\\app', 'c:/xampp/app', 'C:/xampp\\app'])
    assert.equal(mappedPath('C:\\xampp\\app\\public\\index.php', [from, '/w']), '/w/public/index.php', from);
  assert.equal(mappedPath('C:\\xampp\\apple\\x.php', ['C:\\xampp\\app', '/w']), undefined);
  assert.equal(mappedPath('/a/b.c', ['/a', '/w']), '/w/b.c');
  const candidates = sourceCandidates('C:\\xampp\\app\\public\\index.php', { dirs: ['/w'], maps: [], profiles: [] });
  assert.ok(candidates.includes('/w/public/index.php') && candidates.includes('/w/index.php'));
  assert.ok(candidates.every((path) => !path.includes('C:')));
});

test('files of two runs match by the ends of their paths', () => {
  assert.deepEqual([...matchPaths(['D:\\b\\src\\a.c', 'D:\\b\\lib\\a.c'], ['C:\\x\\lib\\a.c', 'C:\\x\\src\\a.c'], [])], [1, 0]);
});
