// Keys of Info. Expected costs are those of the files' totals: lines.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { panelRows } from '../../src/app/panels.ts';
import { printCommand } from '../../src/app/print-command.ts';
import { loadProfile } from '../../src/io/load.ts';
import { existing, FIXTURES, readMaybeGz } from '../support/fixtures.ts';
import { type Player, play } from '../support/keys.ts';
import { LOADED_PLAINLY } from '../support/loaded-with.ts';

const threads = join(FIXTURES, 'callgrind/combined-threads.callgrind.out');
const open = async (path: string) => play(await loadProfile([existing(path)]), { width: 120, height: 40 });
const total = (p: Player) => p.state.analysis.totals.total[0][0];
const command = (p: Player) => printCommand(p.state, LOADED_PLAINLY);

test('Enter shows only the part at the cursor, again all parts', async () => {
  const totals = [
    ...readMaybeGz(threads)
      .toString()
      .matchAll(/^totals: (\d+)/gm),
  ].map((m) => Number(m[1]));
  const all = totals.reduce((sum, cost) => sum + cost, 0);
  assert.equal(totals.length, 3);
  const p = (await open(threads)).press('info', 'j', 'enter');
  assert.equal(total(p), totals[1], 'three keys for the second thread: the cursor starts on the first part');
  assert.match(JSON.stringify(command(p)), /--parts 2\b/);
  p.press('j', 'enter');
  assert.equal(total(p), totals[2], 'another part takes its place');
  p.press('enter');
  assert.equal(total(p), all);
  p.press('k', '+', 'enter');
  assert.equal(total(p), totals[1], 'a part that is off is switched on');
  p.press('0');
  assert.equal(total(p), all);
});

test('Enter says why it can do nothing', async () => {
  const one = (await open(join(FIXTURES, 'callgrind/default.callgrind.out'))).press('info', 'enter');
  assert.match(toPlainText(drawScreen(one.state)), /this event is shown already/);
  one.press('g', 'enter');
  assert.match(toPlainText(drawScreen(one.state)), /move to an event or a part first/);
  const p = (await open(threads)).press('info', 'g', 'enter');
  assert.match(toPlainText(drawScreen(p.state)), /move to an event or a part first/);
});

test('S offers threads and parts as roots where there are several', async () => {
  const offered = (p: Player) => panelRows(p.press('S').state).map(({ cells }) => Object.values(cells)[0]);
  assert.ok(offered(await open(threads)).includes('tag-root=thread'));
  assert.ok(!offered(await open(join(FIXTURES, 'callgrind/default.callgrind.out'))).some((row) => row.startsWith('tag-root')));
  const p = (await open(threads)).press('S').type('tag-root=thread').press('enter');
  assert.match(JSON.stringify(command(p)), /--tag-root thread\b/);
});
