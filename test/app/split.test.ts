// Two views at a time: the second follows the first once keys rest, Tab changes sides, and where there is no room there is one view.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { isFollowerBehind } from '../../src/app/split.ts';
import { contextOf, splitSizes } from '../../src/app/state.ts';
import { findingsOf } from '../../src/findings/gather.ts';
import { loadProfile } from '../../src/io/load.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { type Player, play } from '../support/keys.ts';

const profile = await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]);
const shown = (p: Player) => toPlainText(drawScreen(p.state)).split('\n');
const wide = () => play(profile, { width: 140, height: 30 });

test('side by side, every line is as wide as the screen at most, and has both views', () => {
  const p = wide().press('|');
  assert.equal(p.state.split?.other.view, 'source');
  const lines = shown(p);
  assert.equal(lines.length, 30);
  assert.match(lines[1], /\[2 Routines\].*\(4 Source\)/);
  // The line between them stands in the same column on every row of the body.
  for (const line of lines.slice(2, 28)) assert.equal(line[70], '│', line);
  assert.ok(lines.every((line) => line.length <= 140));
});

test('the second view follows when it is told that keys rest, not before', () => {
  const p = wide().press('|');
  const right = () =>
    shown(p)
      .map((line) => line.slice(71))
      .slice(2, 28)
      .join('\n');
  const first = right();
  assert.ok(!isFollowerBehind(p.state));
  p.press('j');
  assert.equal(right(), first, 'a key moves the first alone');
  assert.ok(isFollowerBehind(p.state));
  p.act({ type: 'follow' });
  assert.notEqual(right(), first);
  assert.ok(!isFollowerBehind(p.state));
  // It shows what the view alone shows of that routine.
  const alone = wide().press('j', 'source');
  const costs = (text: string) => text.match(/\d[\d,]*/g)?.slice(0, 3);
  const [title, ...rows] = right().split('\n');
  assert.match(title, /^.?Source: \S/, 'which routine it is of');
  assert.deepEqual(costs(rows.join('\n')), costs(shown(alone).slice(2).join('\n')));
});

test('Tab goes to the other side and back; digits choose the view of the side', () => {
  const p = wide().press('|', 'tab');
  assert.equal(p.state.view, 'source');
  assert.equal(p.state.split?.other.view, 'routines');
  p.press('calls');
  assert.deepEqual([p.state.view, p.state.split?.other.view], ['calls', 'routines']);
  p.press('tab');
  assert.deepEqual([p.state.view, p.state.split?.other.view], ['routines', 'calls']);
  // The other side's own view: they change places.
  p.press('calls');
  assert.deepEqual([p.state.view, p.state.split?.other.view], ['calls', 'routines']);
  p.press('|');
  while (p.state.split) p.press('|');
  assert.equal(p.state.split, undefined);
});

test('where there is no room the key says how much it takes, and a split screen shows one view until there is room again', () => {
  const small = play(profile, { width: 100, height: 30 }).press('|');
  assert.match(shown(small).join('\n'), /need 120 columns/);
  const p = wide().press('|');
  p.act({ type: 'resize', width: 100, height: 30 });
  assert.equal(splitSizes(p.state), undefined);
  assert.ok(!shown(p)[5].includes('│'));
  p.press('tab');
  assert.match(p.state.message!.text, /there is one pane/);
  p.press('calls');
  p.act({ type: 'resize', width: 140, height: 30 });
  assert.ok(shown(p)[5].includes('│'));
});

test('below each other from 40 rows on, with a line that names the second', () => {
  const p = play(profile, { width: 80, height: 50 }).press('|');
  const lines = shown(p);
  assert.equal(lines.length, 50);
  const rule = lines.findIndex((line) => /^── Calls of \S+ ─/.test(line));
  assert.ok(rule > 25 && rule < 40, `the line is at ${rule}`);
  p.press('|');
  assert.equal(p.state.split, undefined, 'there is no room beside: | goes back to one view');
});

test('from 160 columns two views are shown without a word, and | says one view for the next start, too', () => {
  const at = (width: number) => play(profile, { width, height: 40, isNew: true }).act({ type: 'split-wide' });
  assert.equal(at(159).state.split, undefined);
  const p = at(160);
  assert.equal(p.state.split?.how, 'beside');
  assert.match(p.state.message?.text ?? '', /Enter opens a row/);
  p.press('|');
  assert.equal(p.state.split, undefined, 'one key closes what came unasked');
  assert.deepEqual(
    p.effects.filter((e) => e === 'keep-panes'),
    ['keep-panes'],
  );
  p.press('|');
  assert.equal(p.effects.filter((e) => e === 'keep-panes').length, 2);
});

test('the flame graph has a pane of its own: the view that came unasked gives way to it, and comes back', () => {
  const p = play(profile, { width: 200, height: 40 }).act({ type: 'split-wide' });
  assert.ok(splitSizes(p.state));
  p.press('flame');
  assert.equal(splitSizes(p.state), undefined);
  assert.equal(contextOf(p.state).width, 200);
  p.press('routines');
  assert.ok(splitSizes(p.state));
  // One that was asked for stays.
  const asked = play(profile, { width: 200, height: 40 }).press('|', 'flame');
  assert.ok(splitSizes(asked.state));
});

test('| on a flame graph whose second view gave way shows two views, not one', () => {
  const p = play(profile, { width: 200, height: 30 }).act({ type: 'split-wide' }).press('flame', '|');
  assert.ok(splitSizes(p.state));
  assert.equal(p.state.split?.how, 'beside');
});

test('a second view that came unasked is the one that follows the first best: it changes with the view, and with the finding', async () => {
  const wideOn = (of: Parameters<typeof play>[0]) => play(of, { width: 200, height: 60 }).act({ type: 'split-wide' });
  const other = (p: Player) => (splitSizes(p.state) ? p.state.split?.other.view : undefined);
  const build = wideOn(await loadProfile([join(FIXTURES, 'cmake/kept/build-2026-11-01T09-00-00-0000.json.gz')]));
  assert.deepEqual([build.state.view, other(build)], ['gantt', undefined], 'the picture has the whole width');
  assert.equal(other(build.press('targets')), 'step', 'Targets shows the longest step of a target');
  assert.equal(other(build.press('info')), undefined, 'Info has no use for another view');
  assert.equal(other(build.press('steps')), 'step', 'which Steps has use for');
  // By the findings themselves.
  const p = wideOn(profile).press('findings');
  const { analysis, event } = contextOf(p.state);
  const { findings } = findingsOf(analysis, event, []).now();
  const seen = new Set(findings.map(({ target }) => target.view));
  for (const { target } of findings) {
    assert.equal(other(p), target.view === 'calls' ? 'source' : target.view);
    p.press('j');
  }
  assert.ok(seen.size > 1, [...seen].join());
  // A view that the user chooses for the second side stays.
  p.press('routines', 'tab', 'tree', 'tab');
  assert.deepEqual([p.state.view, other(p)], ['routines', 'tree']);
  assert.equal(other(p.press('j', 'lines')), 'tree');
});

test('most cost without a known file: Calls follows Routines, not Source', async () => {
  const git = await loadProfile([join(FIXTURES, 'callgrind/real-git.callgrind.out.gz')]);
  const p = play(git, { width: 200, height: 60 }).act({ type: 'split-wide' });
  assert.deepEqual([p.state.view, p.state.split?.other.view], ['routines', 'calls']);
});

test('q leaves a view beside the Overview for the Overview, however it became the active one, and quits only there', async () => {
  const sorts = await loadProfile([join(FIXTURES, 'aprof/sorts/sorts_29651_0_4.aprof.gz')]);
  for (const way of ['3', 'tab']) {
    const p = play(sorts, { width: 200, height: 60 }).press('1').act({ type: 'split-wide' });
    assert.deepEqual([p.state.view, p.state.split?.other.view], ['overview', 'curve']);
    p.press(way);
    assert.equal(p.state.view, 'curve', way);
    p.press('q');
    assert.deepEqual([p.state.view, p.state.split?.other.view], ['overview', 'curve'], way);
    assert.ok(!p.effects.includes('quit'), way);
    p.press('q');
    assert.ok(p.effects.includes('quit'), way);
  }
});
