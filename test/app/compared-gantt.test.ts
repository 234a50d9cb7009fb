// The Gantt view of two builds: the lanes of the build before below those of this one.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { isContextOf } from '../../src/analysis/answers/analysis.ts';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { drawPanes } from '../../src/app/panes.ts';
import { contextOf } from '../../src/app/state.ts';
import { targetLists } from '../../src/columns/builds/targets.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { Sink } from '../../src/model/sink.ts';
import { StepWriter } from '../../src/model/steps/writer.ts';
import { unpack } from '../support/bundle.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { matchesGolden } from '../support/golden.ts';
import { type Player, play } from '../support/keys.ts';
import { versus } from '../support/versus.ts';

const open = (name: string) => loadProfile([join(unpack(join(FIXTURES, `cmake/${name}.json`)), 'build')]);
const [accumulated, ccache] = await Promise.all([open('tidepool-ninja-accumulated'), open('tidepool-ninja-ccache')]);

const compared = (now: Profile, base: Profile, width: number, height: number, ascii = false, fills = true) =>
  play(now, { width, height, ascii, fills, versus: versus(base) }).press('gantt');
const shown = (player: Player) => toPlainText(drawScreen(player.state));
const body = (player: Player) => toPlainText(drawPanes(player.state));
const lines = (player: Player) => body(player).split('\n');

/** A build of compile steps on `places` threads, as [name, start, length] in milliseconds. */
function build(list: readonly (readonly [name: string, start: number, length: number])[], threads = 1): Profile {
  const sink = new Sink();
  sink.paths.push('test');
  const rows = sink.writerFor(StepWriter);
  const tracks = Array.from({ length: threads }, (_, t) => rows.trackId('1', String(t)));
  list.forEach(([name, start, length], k) => {
    rows.add({
      ...{ name: `compile: ${name}`, role: 'compile', target: 'app', track: tracks[k % threads], part: 0 },
      ...{ startUs: start * 1000, durationUs: length * 1000, outputs: [{ path: `${name}.o`, bytes: null }] },
    });
  });
  sink.addPart({ path: 'test', events: ['time'] });
  return sink.finish('cmake');
}

test('two real builds, each against the other', () => {
  matchesGolden('views/gantt-compared-80.txt', `${body(compared(accumulated, ccache, 80, 20))}\n`);
  const wide = compared(accumulated, ccache, 200, 20);
  matchesGolden('views/gantt-compared-200.txt', `${body(wide)}\n`);
  assert.match(
    shown(wide),
    /41 of 43 steps ran, 8\.09s \(before 12\.7s\), \d+ slower, \d+ faster, 11 new, 1 gone, 24 not run, 2 lanes/,
  );
  assert.match(shown(wide), /src\/maps\.cpp: 4\.99s from 1\.18s, before 1\.73s \(\+3\.26s, \+188%\), core/);
  matchesGolden('views/gantt-compared-ascii.txt', `${body(compared(ccache, accumulated, 100, 16, true))}\n`);
  assert.match(body(compared(ccache, accumulated, 100, 16, true)), /^[\x0a\x20-\x7e]*$/);
});

test('a key takes the lanes of the build before away; a build against itself has none', () => {
  const player = compared(accumulated, ccache, 120, 20);
  assert.match(body(player), /^before +╰/m);
  player.choose('off', 'o', 'before');
  assert.deepEqual(lines(player), lines(play(accumulated, { width: 120, height: 20 }).press('gantt')));
  player.choose('on', 'o', 'before');
  assert.match(body(player), /^before +╰/m);
  assert.doesNotMatch(body(compared(accumulated, accumulated, 120, 20)), /before|new/);
  assert.match(shown(compared(accumulated, accumulated, 120, 20)), /\(before 8\.09s\), nothing changed, 2 lanes/);
  const alone = play(accumulated, { width: 120, height: 20 }).press('gantt');
  assert.doesNotMatch(shown(alone), /before/);
});

test('a bar has the length of before, as far as the next one; small changes have none', () => {
  const now = build([
    ['a', 0, 1000],
    ['b', 1000, 1000],
    ['c', 2000, 1000],
    ['fresh', 3000, 500],
    ['d', 3500, 500],
  ]);
  const base = build([
    ['a', 0, 3000],
    ['b', 3000, 500],
    // Less than a hundredth.
    ['c', 3500, 1005],
    ['old', 4505, 10],
    ['d', 5000, 1500],
  ]);
  const player = compared(now, base, 114, 12, false, false);
  const before = () => lines(player).find((line) => line.startsWith('before')) ?? '';
  // 14 cells have the names of threads; 20 cells are a second, since the last bar of the build before ends at 5 s.
  assert.deepEqual(
    [lines(player)[0], lines(player)[2], before()].map((l) => l.slice(14).trimEnd()),
    [
      '╷0.0s     ╷0.5s     ╷1.0s     ╷1.5s     ╷2.0s     ╷2.5s     ╷3.0s     ╷3.5s     ╷4.0s     ╷4.5s',
      '▶◆a────────────────][◆b────────────────][◆c────────────────][◆new fr…][◆d──────]',
      '╰before 3.00s╌╌╌╌╌╌›╰500ms╌╌╌╯                                        ╰before 1.50s╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╯',
    ],
  );
  assert.match(
    shown(compared(now, base, 180, 12)),
    /5 steps, 4\.00s \(before 6\.50s\), 1 slower, 3 faster, 1 new, 1 not run, 1 lane/,
  );
  const detail = () => shown(player).split('\n').at(-2)?.trim();
  player.press('g');
  assert.equal(detail(), 'compile: a: 1.00s from 0µs, before 3.00s (-2.00s, -67%), app, on the critical path by times only');
  player.press('right', 'right');
  assert.match(detail() ?? '', /^compile: c: 1\.00s from 2\.00s, before 1\.00s \(-5\.0ms, -0\.5%\)/);
  player.press('right');
  assert.match(detail() ?? '', /^compile: fresh: 500ms from 3\.00s, new,/);
  // The step and what it was are both in sight.
  player.press('right', 'z');
  assert.match(before(), /^before +╰before 1\.50s╌+╯$/);
  assert.ok(before().length < 114, 'not cut off');
  player.press('0', '&').type('b').press('enter');
  assert.match(lines(player)[2], /^pid 1 \/ 0 +▶◆b─+\]$/);
  assert.match(before(), /^before +╰500ms╌+╯$/);
  player.choose('off', 'o', 'before');
  assert.match(lines(player)[2], /^pid 1 \/ 0 +▶◆b─+\]$/);
  assert.doesNotMatch(body(player), /before|╰/);
});

/** Rows of the chart that are shown, as names of the steps and `before`. */
const rowsShown = (player: Player) =>
  lines(player)
    // After the axis and the critical path.
    .slice(2, -1)
    .map((l) => (l.startsWith('before') ? 'before' : (/s\d+/.exec(l)?.[0] ?? '')));

test('lanes with two rows scroll whole, and the cursor is always in sight', () => {
  const count = 12;
  // Every third step takes as long as before.
  const steps = (factor: (k: number) => number) =>
    build(
      Array.from({ length: count }, (_, k) => [`s${k}`, 10 * k, 1000 * factor(k)]),
      count,
    );
  const player = compared(
    steps(() => 1),
    steps((k) => (k % 3 === 0 ? 1 : 2)),
    100,
    15,
  );
  const room = rowsShown(player).length;
  assert.ok(room >= 5 && room < count, String(room));
  const move = (key: string) => {
    player.press(key);
    const rows = rowsShown(player);
    const name = /^ compile: (s\d+): /.exec(shown(player).split('\n').at(-2) ?? '')?.[1] ?? '';
    const at = rows.indexOf(name);
    assert.ok(at >= 0, `${name} in ${rows.join(' ')}`);
    // With the row of the build before, where there is one.
    if (Number(name.slice(1)) % 3 !== 0) assert.equal(rows[at + 1], 'before', `${name} in ${rows.join(' ')}`);
    return name;
  };
  move('g');
  const down = Array.from({ length: count - 1 }, () => move('j'));
  assert.deepEqual(
    down,
    Array.from({ length: count - 1 }, (_, k) => `s${k + 1}`),
  );
  // As many as fit whole: the one above has two rows, for which there is no room.
  assert.deepEqual(rowsShown(player), ['s8', 'before', 's9', 's10', 'before', 's11', 'before', '']);
  assert.deepEqual(
    Array.from({ length: count - 1 }, () => move('k')),
    Array.from({ length: count - 1 }, (_, k) => `s${count - 2 - k}`),
  );
  move('G');
  move('g');
  move(']');
  player.press('/').type('s7').press('enter');
  assert.ok(rowsShown(player).includes('s7'));
});

test('steps, targets and load of two builds say what the build before took', () => {
  const now = build([
    ['a.cpp', 0, 300],
    ['b.cpp', 300, 100],
  ]);
  const base = build([
    ['a.cpp', 0, 100],
    ['c.cpp', 100, 50],
  ]);
  const player = compared(now, base, 100, 20);
  const [steps, targets, load] = ['steps', 'targets', 'utilization'].map((view) => shown(player.press(view)));
  assert.match(steps, /300ms +75\.00% +\+200ms .*a\.cpp/);
  assert.match(steps, /100ms +25\.00% +new .*b\.cpp/);
  assert.match(targets, /400ms +\+250ms +100\.0% .*app/);
  assert.match(load, /1 +400ms +100\.0% +150ms/);
});

test('the rows of targets stay the same from frame to frame, so that they are sorted once', () => {
  for (const of of [play(ccache, { width: 100, height: 20 }), compared(ccache, accumulated, 100, 20)]) {
    const [first, second] = [contextOf(of.state), contextOf(of.state)];
    assert.ok(isContextOf(first, 'steps') && isContextOf(second, 'steps'));
    for (const list of targetLists.slice(0, 2)) assert.equal(list.all(first), list.all(second));
  }
});

test('a target of which a step is in both builds is neither new nor gone: one build did not run it', async () => {
  const log = (name: string) => loadProfile([join(FIXTURES, `ninja-log/tidepool-ninja-${name}/.ninja_log`)]);
  const [unity, incremental] = [await log('unity'), await log('incremental')];
  const wordsOf = (now: Profile, base: Profile) =>
    body(play(now, { width: 100, height: 30, versus: versus(base) }).press('targets'))
      .split('\n')
      .flatMap((line) => [/ (\w+) +(new|gone|run now|not run)$/.exec(line.trimEnd())?.slice(1) ?? []])
      .filter((found) => found.length > 0);
  // By hand: both logs have the links of these, and the incremental build ran none of their steps.
  const idle = ['tidal', 'app', 'objs', 'kelp'];
  assert.deepEqual(
    wordsOf(unity, incremental),
    idle.map((target) => [target, 'run now']),
  );
  assert.deepEqual(wordsOf(incremental, unity).sort(), idle.map((target) => [target, 'not run']).sort());
});
