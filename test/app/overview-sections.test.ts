// ] and [ in the Overview: from section to section.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { loadProfile } from '../../src/io/load.ts';
import { existing, FIXTURES } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';

test('] goes to the first row of each section, [ back, and the last one says so', async () => {
  const profile = await loadProfile([existing(join(FIXTURES, 'callgrind/instr-jumps.callgrind.out.gz'))]);
  const player = play(profile, { width: 80, height: 24 });
  const lines = () => toPlainText(drawScreen(player.state)).split('\n');
  const marked = () => lines().find((line) => line.startsWith('▶')) ?? '';
  const after = (key: string) => {
    player.press(key);
    return marked();
  };
  player.press('1');
  const first = marked();
  assert.match(after(']'), /demo::split/);
  assert.doesNotMatch(after(']'), /demo::split/);
  assert.match(after('['), /demo::split/);
  assert.equal(after('['), first);
  for (let k = 0; k < 9; k++) after(']');
  assert.match(lines().join('\n'), /this is the last section/);
});
