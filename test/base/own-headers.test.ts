// Which headers are the project's own.
import assert from 'node:assert/strict';
import test from 'node:test';
import { isSystemHeader, projectRoot } from '../../src/base/paths.ts';

test('a project below /usr/src or /opt has headers of its own there; others of the system are foreign', () => {
  const root = projectRoot(['/usr/src/app/src/a.cpp', '/usr/src/app/src/net/b.cpp']);
  assert.equal(root, '/usr/src/app');
  assert.equal(isSystemHeader('/usr/src/app/include/big.hpp', root), false);
  assert.equal(isSystemHeader('/usr/include/c++/12/regex', root), true);
  assert.equal(isSystemHeader('/usr/src/application/x.h', root), true);
  assert.equal(projectRoot(['/opt/demo/a.cpp', '/opt/demo/b.cpp']), '/opt/demo');
});

test('sources that share only a folder of the system, or none, have no root: then folders of the system are foreign', () => {
  for (const sources of [['/opt/a/x.c', '/opt/b/y.c'], ['/usr/src/a.c', '/home/me/b.c'], [], ['a.c', 'b.c']]) {
    assert.equal(projectRoot(sources), '');
    assert.equal(isSystemHeader('/opt/a/x.h', ''), true);
    assert.equal(isSystemHeader('/home/me/x.h', ''), false);
  }
});
