// The Stacks view: a row that is too narrow for its stack names the innermost frames and the innermost own one.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { cellWidth } from '../../src/base/text.ts';
import { loadProfile } from '../../src/io/load.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';

// words.cpp: make() and count() are the program's, and all that they call is of the C++ library.
const words = await loadProfile([join(FIXTURES, 'massif/words.massif.out')]);

test('a narrow row has the innermost own frame beside what allocates', () => {
  const rows = toPlainText(drawScreen(play(words, { width: 80, height: 24 }).press('stacks').state)).split('\n');
  assert.ok(rows.some((row) => /22\.64% .* …\d+ › make\(int\) › …\d+ › _M_allocate › allocate › allocate$/.test(row)));
  assert.ok(rows.some((row) => /10\.11% .* …\d+ › make\(int\) › …\d+ › basic_string<…>::_M_mutate$/.test(row)));
});

test('rows fit every width, and a wide one has whole stacks', () => {
  for (let width = 40; width < 400; width += 7) {
    const rows = toPlainText(drawScreen(play(words, { width, height: 24 }).press('stacks').state)).split('\n');
    for (const row of rows) assert.ok(cellWidth(row) <= width, row);
  }
  const wide = toPlainText(drawScreen(play(words, { width: 900, height: 24 }).press('stacks').state));
  assert.doesNotMatch(wide, /…\d+ ›/);
  assert.match(wide, /clone › start_thread › .*make\(int\) › /);
});
