// Rows of Stacks and Labels: each frame of a stack once, and labels that all samples share behind those that tell them apart.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { loadProfile } from '../../src/io/load.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { foldedProfile } from '../support/folded.ts';
import { type Player, play } from '../support/keys.ts';

const screen = (p: Player) => toPlainText(drawScreen(p.state)).split('\n');

test('a stack of one frame has its name once, at every width', () => {
  for (const width of [40, 60, 80, 120, 200]) {
    const p = play(
      foldedProfile([
        ['alone', 3],
        ['main;run', 2],
      ]),
      { width, height: 24 },
    ).press(':', ...'stacks', 'enter');
    const rows = screen(p).filter((line) => /alone/.test(line));
    assert.match(rows[0], /alone *$/, `at ${width}`);
    assert.doesNotMatch(rows[0], /alone.*alone/, `at ${width}`);
    assert.ok(width < 60 || screen(p).some((line) => /main › run *$/.test(line)));
  }
});

test('labels that all samples share come after those that tell samples apart', async () => {
  const profile = await loadProfile([join(FIXTURES, 'perf-script/phases.perf.gz')]);
  const p = play(profile, { width: 80, height: 24 }).press(':', ...'labels', 'enter');
  const keys = screen(p).flatMap((line) => /% *[▏▎▍▌▋▊▉█]* +(comm|process|thread|dso) /.exec(line)?.[1] ?? []);
  assert.deepEqual([...new Set(keys)], ['thread', 'dso', 'comm', 'process']);
});
