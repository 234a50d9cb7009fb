// ] and [ in the Overview: from section to section.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { formatBytes } from '../../src/base/units.ts';
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

test('of snapshots, it has the memory of the peak and of the last one as the file has them, and the plot, which opens Memory', async () => {
  for (const name of ['words', 'stages', 'stages-bytes', 'stages-stacks', 'nodetail', 'deep']) {
    const path = existing(join(FIXTURES, `massif/${name}.massif.out`));
    const shots = readFileSync(path, 'utf8').split('snapshot=').slice(1);
    const of = (text: string, field: string) => Number(new RegExp(`^mem_${field}_B=(\\d+)`, 'm').exec(text)?.[1]);
    const total = (text: string) => of(text, 'heap') + of(text, 'heap_extra') + of(text, 'stacks');
    const peak = shots.find((text) => /heap_tree=peak/.test(text));
    const player = play(await loadProfile([path]), { width: 120, height: 40 }).press('1');
    const lines = toPlainText(drawScreen(player.state)).split('\n');
    const at = lines.findIndex((line) => line.startsWith(' Memory: '));
    if (shots.length < 2) assert.equal(at, -1, name);
    else {
      const heap = peak === undefined ? Number.NaN : of(peak, 'heap');
      const ofHeap = peak !== undefined && heap < total(peak) ? ` (heap ${formatBytes(heap)})` : '';
      const most = peak ? `${formatBytes(total(peak))} at the peak${ofHeap}, ` : '';
      const last = shots[shots.length - 1];
      assert.equal(lines[at], ` Memory: ${most}${formatBytes(total(last))} in the last of ${shots.length}`);
      assert.match(lines.slice(at + 1, at + 5).join(''), /█/, name);
      assert.equal(player.press(']', 'enter').state.view, 'snapshots', name);
    }
  }
});

test('every section that is shown has rows, at every height', async () => {
  for (const path of ['clang-traces/whole-build', 'callgrind/instr-jumps.callgrind.out.gz', 'massif/words.massif.out']) {
    const profile = await loadProfile([existing(join(FIXTURES, path))]);
    for (let height = 20; height <= 60; height += 4) {
      const player = play(profile, { width: 80, height }).press('1');
      for (let turns = 0; player.state.unfinished && turns < 1e4; turns++) player.act({ type: 'work' });
      const lines = toPlainText(drawScreen(player.state)).split('\n').slice(2);
      const recording = lines.findIndex((line) => line.startsWith(' Recording  '));
      assert.ok(recording > 0, `${path} at ${height}`);
      // The line before the recording is a row of the last section, or counts what has none.
      assert.match(lines[recording - 1], /^ ▸ |^[▶ ] .*\d/, `${path} at ${height}`);
    }
  }
});
