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

test('calls of one routine in a row are one name with their number, and what is left out is counted', () => {
  const names = (count: number) => Array.from({ length: count }, () => 'nest').join(';');
  const opened = play(
    foldedProfile([
      [`main;run;${names(7)}`, 9],
      [`main;run;${names(12)};leaf`, 5],
      ['main;first_of_many_stages;second_of_many_stages;third_of_many_stages;fourth_of_many_stages;nest', 3],
    ]),
    { width: 80, height: 24 },
  ).press(':', ...'stacks', 'enter');
  const screen = toPlainText(drawScreen(opened.state));
  assert.match(screen, /main › run › nest ×7/);
  assert.match(screen, /main › run › nest ×12 › leaf/);
  // Of six frames, the innermost are named, which tell stacks apart, and the others are counted.
  const [, hidden, shown] = / …(\d) › (.*)$/m.exec(screen) ?? [];
  assert.equal(Number(hidden) + shown.split(' › ').length, 6, screen);
  assert.match(shown, /fourth_of_many_stages › nest$/);
});
