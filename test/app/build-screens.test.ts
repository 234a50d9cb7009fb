// Builds at 80 by 24: where views open, what the filter does in Gantt and Load, marks of the axis, and whole numbers.

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { commonFolder, shortStepName } from '../../src/analysis/answers/steps/step-names.ts';
import {
  isJob,
  slackUs,
  stepFailed,
  stepName,
  stepsThatRan,
  stepText,
  timeWindowOf,
} from '../../src/analysis/answers/steps/steps.ts';
import { criticalPath } from '../../src/analysis/builds/critical.ts';
import { drawScreen, toPlainText, viewsWithTabs } from '../../src/app/draw.ts';
import { panelRows } from '../../src/app/panels.ts';
import { drawPanes } from '../../src/app/panes.ts';
import { printCommand } from '../../src/app/print-command.ts';
import { contextOf, openView } from '../../src/app/state.ts';
import { applyAnswer } from '../../src/app/update.ts';
import { roundTicks } from '../../src/base/plot.ts';
import { timeAxisLabels } from '../../src/columns/times.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile, ProfileOf } from '../../src/model/profile.ts';
import { Sink } from '../../src/model/sink.ts';
import { StepWriter } from '../../src/model/steps/writer.ts';
import { views } from '../../src/views/index.ts';
import { unpack } from '../support/bundle.ts';
import { compile, treeOf } from '../support/cmake-tree.ts';
import { existing, FIXTURES, namesIn } from '../support/fixtures.ts';
import { type Player, play } from '../support/keys.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { LOADED_PLAINLY } from '../support/loaded-with.ts';
import { long, most, some } from '../support/long.ts';
import { runWarm } from '../support/warm.ts';

const SIZES = [
  { width: 80, height: 24 },
  { width: 40, height: 10 },
  { width: 200, height: 60 },
];

/** Every build of the fixtures: each build tree, and what callbacks saw. */
function builds(): string[] {
  return namesIn(join(FIXTURES, 'cmake'), /^(tidepool|mbedtls|re2)-.*\.json\.gz$/).flatMap((name) => {
    const root = unpack(join(FIXTURES, 'cmake', name.replace(/\.gz$/, '')));
    const kept = join(root, 'kept');
    const sets = existsSync(kept) ? readdirSync(kept).map((set) => join(kept, set)) : [];
    return [join(root, 'build'), ...sets].filter((path) => existsSync(path));
  });
}

const logs = namesIn(join(FIXTURES, 'ninja-log'), /^(tidepool|mbedtls)/).map((n) =>
  existing(join(FIXTURES, 'ninja-log', n, '.ninja_log')),
);

long(
  'every build: no number of the first lines is cut, Critical says what was waited for, Gantt and Steps open where it failed or was slowest',
  async () => {
    let opened = 0;
    for (const path of some([...builds(), ...logs])) {
      const profile: Profile | undefined = await loadProfile([path]).catch(() => undefined);
      if (!profile) continue;
      const analysis = play(profile, SIZES[0]).state.analysis;
      const { links } = criticalPath(analysisOf(profile, 'steps', analysis.partsOff));
      const { startUs, durationUs } = profileOf(profile, 'steps').steps;
      const slack = slackUs(profileOf(profile, 'steps').steps);
      links.forEach(({ step, before }, k) => {
        assert.equal(before, links[k - 1]?.step ?? -1, path);
        if (before < 0) return;
        assert.ok(startUs[before] <= startUs[step], `${path}: links are in order of time`);
        assert.ok(startUs[before] + durationUs[before] <= startUs[step] + slack, path);
      });
      for (const size of SIZES) {
        const build: ProfileOf<'steps'> = profileOf(profile, 'steps');
        const { steps } = build;
        for (const key of ['gantt', 'steps', 'critical', 'utilization', 'targets']) {
          const player = play(profile, size).press(key);
          const lines = toPlainText(drawScreen(player.state)).split('\n');
          // `…N` is the mark of steps that are too short to draw.
          assert.ok(!/…(?!N)/.test(lines[1]) || size.width < 80, `${path} ${key}: ${lines[1]}`);
          if (key === '7' && steps.name.length > 3 && steps.startUs.some((us) => us >= 0))
            assert.match(toPlainText(drawPanes(player.state)), /waited/, `${path} at ${size.width}`);
          if (key !== 'gantt' && key !== 'steps') continue;
          const context = contextOf(player.state);
          const at = openView(player.state).stepAt(context);
          const jobs = Array.from(steps.name.keys()).filter(
            (i) => isJob(steps, i) && !context.analysis.partsOff.has(steps.part[i]),
          );
          if (jobs.length === 0) continue;
          opened++;
          const role = (i: number) => stepText(build, 'role', i);
          const broke = jobs.find((i) => stepFailed(steps, i) && role(i) !== 'test');
          if (broke !== undefined) assert.equal(at, broke, `${path}: the step that failed`);
          // Rows of Steps may hold several commands: the slowest row is at least as slow.
          else if (key === 'gantt') assert.equal(steps.durationUs[at], Math.max(...jobs.map((i) => steps.durationUs[i])), path);
        }
      }
    }
    assert.ok(opened > most(200) - 10, `${opened}`);
  },
);

test('marks of an axis differ from each other and are where they say, at every zoom', () => {
  for (let seed = 1; seed <= 2000; seed++) {
    const from = seed % 7 === 0 ? 0 : (seed * 7919 * 10 ** (seed % 6)) % 5e9;
    const width = 10 ** (seed % 9) * (1 + (seed % 13));
    const marks = roundTicks([from, from + width], false, 6);
    const texts = timeAxisLabels(marks);
    assert.equal(new Set(texts).size, texts.length, texts.join(' '));
    texts.forEach((text, k) => {
      const m = /^(-?)(?:(\d+)h)?(?:(\d+)m)?(?:([\d.]+)(µs|ms|s))?$/.exec(text);
      assert.ok(m && text !== '', text);
      const unit = { µs: 1, ms: 1e3, s: 1e6 }[m[5] ?? 's'] ?? Number.NaN;
      const minutes = Number(m[2] ?? 0) * 60 + Number(m[3] ?? 0);
      const us = (minutes * 60e6 + Number(m[4] ?? 0) * unit) * (m[1] === '-' ? -1 : 1);
      assert.ok(Math.abs(us - marks[k]) <= (marks[1] - marks[0]) * 0.01, `${text} for ${marks[k]}`);
    });
  }
});

/** Steps as [name, start, duration] in ms, of a host with two cores. */
function timeline(list: readonly [name: string, start: number, ms: number][]) {
  const sink = new Sink();
  sink.paths.push('test');
  const rows = sink.writerFor(StepWriter);
  const track = rows.untitledTrack('1', '1');
  rows.parallel.add(track);
  rows.facts.cores = 2;
  for (const [name, start, ms] of list)
    rows.add({ name, role: 'compile', track, part: 0, startUs: start * 1000, durationUs: ms * 1000 });
  sink.addPart({ path: 'test', events: ['time'] });
  return sink.finish('cmake');
}

test('the strip of jobs begins and ends where the bars do', () => {
  const profile = timeline([
    ['a', 0, 100],
    ['b', 500, 200],
    ['c', 900, 100],
  ]);
  for (const size of [...SIZES, { width: 30, height: 12 }]) {
    const lines = toPlainText(drawPanes(play(profile, { ...size, fills: false }).state)).split('\n');
    const table = lines.findIndex((l) => l.startsWith(' running at'));
    const strip = lines.slice(0, table < 0 ? undefined : table).findLast((l) => /[▁▂▃▄▅▆▇█]/.test(l));
    const label = /^(jobs 0-1( of \d+)?| +0) /.exec(strip ?? '')?.[0] ?? '';
    assert.equal(label === '', size.width < 40, `labels at ${size.width}`);
    const bars = lines[1].slice(label.length);
    const shown = (strip ?? '').slice(label.length);
    const cells = (text: string) => Array.from(text, (ch) => ch !== ' ');
    const [bar, load] = [cells(bars), cells(shown)];
    for (let k = 0; k < bar.length; k++)
      // A bar of part of a cell is drawn whole.
      if (bar[k] !== (load[k] ?? false))
        assert.ok(bar[k - 1] !== bar[k] || bar[k + 1] !== bar[k], `cell ${k} of ${bars}\n${shown}`);
  }
});

test('n and N in Gantt go to the next and the previous match of the step under the cursor', () => {
  const profile = timeline([
    ['a.cpp', 0, 100],
    ['b.c', 150, 300],
    ['c.cpp', 500, 100],
    ['d.cpp', 700, 100],
  ]);
  const p = play(profile, { width: 80, height: 24 }).press('g', '/').type('cpp').press('enter');
  const at = (): number => openView(p.state).stepAt(contextOf(p.state));
  const steps = [at()];
  for (const key of ['n', 'n', 'n', 'N', 'N']) {
    p.press(key);
    steps.push(at());
  }
  // From the first step on, the next one that matches is c.cpp.
  assert.deepEqual(steps, [2, 3, 0, 2, 0, 3]);
});

test('the filter in Gantt draws what matches, the keys move among it; in Load it counts what matches', () => {
  const profile = timeline([
    ['a.cpp', 0, 100],
    ['b.c', 0, 300],
    ['c.cpp', 100, 200],
    ['d.c', 300, 50],
  ]);
  const player = play(profile, { width: 100, height: 24 }).press('gantt', '&').type('cpp').press('enter');
  const gantt = toPlainText(drawScreen(player.state));
  assert.match(gantt, /2 matching steps/);
  assert.match(gantt, /a\.cpp.*c\.cpp/);
  assert.doesNotMatch(gantt, /b\.c|d\.c/);
  const under = () => stepName(profileOf(profile, 'steps'), openView(player.state).stepAt(contextOf(player.state)));
  player.press('g');
  assert.equal(under(), 'a.cpp');
  player.press('right');
  assert.equal(under(), 'c.cpp');
  player.press('right');
  assert.equal(under(), 'c.cpp', 'd.c does not match');
  player.press('utilization');
  const load = toPlainText(drawPanes(player.state));
  assert.match(load, /^▶ +1 +300ms +100\.0% /m);
  assert.doesNotMatch(load, /^ +2 /m, 'two files that match never compiled at once');
  player.press('gantt', '&', 'ctrl-u').type('nothing here').press('enter');
  assert.match(toPlainText(drawPanes(player.state)), /nothing matches/);
  player.press('esc');
  assert.match(toPlainText(drawPanes(player.state)), /b\.c/);
});

test('Waterfall has dots from when all inputs of a step were there to its start, if that is known', () => {
  const sink = new Sink();
  sink.paths.push('test');
  const rows = sink.writerFor(StepWriter);
  const track = rows.untitledTrack('1', '1');
  rows.parallel.add(track);
  const add = (name: string, start: number, ms: number, command: string) =>
    rows.add({
      ...{ name, role: 'compile', track, part: 0, command, directory: '/b', outputs: [{ path: `${name}.o`, bytes: null }] },
      ...{ startUs: start * 1000, durationUs: ms * 1000 },
    });
  add('a', 0, 100, 'cc a.c');
  add('b', 0, 200, 'cc b.c');
  add('c', 200, 100, 'cc c.c');
  add('late', 300, 100, 'ld a.o b.o');
  add('next', 390, 10, 'ld c.o');
  sink.addPart({ path: 'test', events: ['time'] });
  const screen = toPlainText(
    drawPanes(play(sink.finish('cmake'), { width: 120, height: 14 }).act({ type: 'view', view: 'waterfall' }).state),
  ).split('\n');
  const bar = (name: string) =>
    / {3,}[^ ]*( *)(·*)[◆ ]([▏▎▍▌▋▊▉█]+) *$/.exec(screen.find((l) => l.slice(1).startsWith(name)) ?? '');
  // 48 cells are 400 ms: 200 ms are 24, 300 ms 36, 390 ms 46.8.
  assert.equal(bar('late')?.[2].length, 36 - 24);
  assert.equal(bar('c')?.[2].length, 0, 'nothing says when its source was there');
  assert.equal(bar('next')?.[2].length, 46 - 36);
  assert.equal(bar('next')?.[3], '█▎', '10 ms are 1.2 cells, in eighths');
  const rest = play(sink.finish('cmake'), { width: 120, height: 6 }).act({ type: 'view', view: 'waterfall' }).press('end');
  assert.match(toPlainText(drawPanes(rest.state)), /╷200ms[\s\S]*▶next/, 'the axis is that of the rows on the screen');
});

test('more jobs than cores are marked where they were held', () => {
  const three = timeline([
    ['a', 0, 100],
    ['b', 0, 100],
    ['c', 0, 100],
  ]);
  const load = toPlainText(drawPanes(play(three, { width: 80, height: 24 }).press('utilization').state));
  assert.match(load, /3 +100ms .*more jobs than the host's 2 cores/);
  assert.match(toPlainText(drawPanes(play(three, { width: 80, height: 24 }).press('gantt').state)), /jobs +3 .*\n of 2 /);
  const moment = timeline([
    ['a', 0, 1000],
    ['b', 0, 1000],
    ['c', 999, 1000],
  ]);
  assert.doesNotMatch(toPlainText(drawPanes(play(moment, { width: 80, height: 24 }).press('utilization').state)), /more jobs/);
});

test('a folder that nearly all sources are in stands in the heading, once', async () => {
  const path = join(unpack(join(FIXTURES, 'cmake/tidepool-ninja-accumulated.json')), 'build');
  const profile = profileOf(await loadProfile([path]), 'steps');
  assert.equal(commonFolder(profile), '/opt/proftui-demo/tidepool/');
  const steps = Array.from(profile.steps.name.keys());
  const short = steps.map((i) => shortStepName(profile, i));
  assert.ok(!short.some((name) => name.includes('/opt/proftui-demo/tidepool/')));
  // The three programs that make a library have one name, and are told apart by themselves.
  assert.equal(new Set(short).size, new Set(steps.map((i) => stepName(profile, i))).size + 2, 'no two steps become one');
  assert.deepEqual(
    short.filter((name) => name.startsWith('link: core')),
    ['link: core (cmake)', 'link: core (ar)', 'link: core (ranlib)'],
  );
  const screen = toPlainText(drawPanes(play(profile, { width: 130, height: 24 }).press('steps').state));
  assert.equal(screen.split('/opt/proftui-demo/tidepool').length, 2, 'once');
});

test('the longest chain is printed by its own report', async () => {
  const path = join(unpack(join(FIXTURES, 'cmake/tidepool-ninja-accumulated.json')), 'build');
  const player = play(await loadProfile([path]), SIZES[0])
    .press('critical')
    .choose('longest chain');
  const text = toPlainText(drawScreen(player.state));
  assert.match(text, /longest chain, \d+ steps/);
  const made = printCommand(player.state, LOADED_PLAINLY);
  assert.match('command' in made ? made.command : made.refused, /--print longestchain/);
});

test('a filter of Load chooses the steps, on the screen and printed; Tab passes by what has no tab', async () => {
  const path = existing(join(FIXTURES, 'ninja-log/mbedtls/.ninja_log'));
  const printed = JSON.parse(runWarm([path, '--print', 'load', '--filter', 'ssl', '--json']).out) as {
    rows: { jobs: number; durationMs: number }[];
  };
  const p = play(await loadProfile([path]), { width: 100, height: 24 })
    .press('utilization', '&')
    .type('ssl')
    .press('enter');
  const shown = toPlainText(drawPanes(p.state));
  assert.ok(printed.rows.length > 1);
  for (const { jobs } of printed.rows) assert.match(shown, new RegExp(`^.\\s+${jobs} `, 'm'));
  const tabs = viewsWithTabs(p.state).map(({ id }) => id);
  assert.ok(!tabs.includes('waterfall') && tabs.includes('gantt'));
});

test('an hour between configuring and building is a phase with a chip; the picture shows the build', async () => {
  const whole = { role: 'cmakeBuild', timeStart: 3_600_000, duration: 9000, result: 0 };
  const configure = { role: 'configure', timeStart: 0, duration: 1500, result: 0 };
  const compiles = [0, 3, 6].map((s) => compile(3_600_000 + 1000 * s, 2500, `${s}.c`));
  for (const gapMs of [0, 3_598_400]) {
    const moved = [whole, ...compiles].map((s) => ({ ...s, timeStart: s.timeStart - gapMs }));
    const p = play(await loadProfile([treeOf([configure, ...moved]).index]), { width: 140, height: 30 });
    p.press('gantt');
    const lines = toPlainText(drawScreen(p.state)).split('\n');
    assert.equal(lines[2].trimEnd(), ` configure 1.50s${gapMs > 0 ? '' : '  idle 59m59s'}  ▶build 9.00s`);
    // Each compile is wide enough for its name.
    for (const s of [0, 3, 6]) assert.match(lines.slice(2, 12).join('\n'), new RegExp(`${s}\\.c`));
    // p goes from phase to phase, then to all of the time; o lists them; a step elsewhere brings its phase.
    const chips = (...keys: string[]) => toPlainText(drawScreen(p.press(...keys).state)).split('\n')[2];
    assert.doesNotMatch(chips('p'), /▶/);
    assert.match(chips('p'), /▶configure/);
    assert.match(chips('p'), /▶build/);
    assert.match(chips('g'), /▶configure/);
    assert.match(chips('G'), /▶build/);
    p.choose('configure 1.50s');
    assert.match(chips(), /▶configure/);
    p.choose('build 9.00s');
    if (gapMs === 0) {
      p.press('0');
      assert.doesNotMatch(toPlainText(drawScreen(p.state)).split('\n').slice(2, 12).join('\n'), /0\.c|3\.c/);
    }
  }
});

test('many short steps: a lane for each role says how many ran at each moment; zoomed in, jobs have their lanes again', async () => {
  const path = join(unpack(join(FIXTURES, 'cmake/mbedtls-ninja.json')), 'build');
  const profile = await loadProfile([path]);
  const p = play(profile, { width: 80, height: 24 });
  const lines = () => toPlainText(drawPanes(p.state)).split('\n');
  const { steps } = profileOf(profile, 'steps');
  const jobs = Array.from(steps.startUs.keys()).filter((i) => isJob(steps, i));
  const ofRole = (role: string) => jobs.filter((i) => stepText(profileOf(profile, 'steps'), 'role', i) === role);
  const rowOf = (role: string) => lines().findIndex((line) => `${line} `.startsWith(`${role} `));
  for (const role of ['compile', 'link', 'custom']) {
    assert.match(lines()[rowOf(role) + 1], new RegExp(`^  ${ofRole(role).length} steps `), role);
    // Counted step by step: where none of the role ran, the cell is blank; the fullest cell is the highest.
    const gutter = lines()[0].indexOf('╷');
    const width = 80 - gutter;
    const chart = [0, 1, 2].map((k) => [...lines()[rowOf(role) + k].padEnd(80).slice(gutter)]);
    const analysis = analysisOf(profile, 'steps');
    const [from, to] = timeWindowOf(analysis);
    const cell = (to - from) / width;
    const busy = Array.from({ length: width }, (_, k) =>
      ofRole(role).reduce((us, i) => {
        const [start, end] = [from + k * cell, from + (k + 1) * cell];
        return us + Math.max(0, Math.min(end, steps.startUs[i] + steps.durationUs[i]) - Math.max(start, steps.startUs[i]));
      }, 0),
    );
    const height = (k: number) => chart.reduce((sum, row) => sum + Math.max(0, ' ▁▂▃▄▅▆▇█'.indexOf(row[k])), 0);
    // The cell under the cursor shows its mark.
    const cells = Array.from({ length: width }, (_, k) => k).filter((k) => chart[2][k] !== '▶');
    assert.ok(cells.length >= width - 1);
    for (const k of cells)
      for (const other of cells)
        if (busy[k] > busy[other] + 1) assert.ok(height(k) >= height(other), `${role}: cells ${k} and ${other}`);
    for (const k of cells) assert.equal(height(k) > 0, busy[k] > 0, `${role}: cell ${k}`);
  }
  // Down and up go to the nearest step of the next lane.
  const role = () => stepText(profileOf(profile, 'steps'), 'role', openView(p.state).stepAt(contextOf(p.state)));
  assert.equal(role(), 'compile');
  const roles = ['compile', 'custom', 'link'].sort((a, b) => rowOf(a) - rowOf(b));
  p.press('up', 'up');
  assert.equal(role(), roles[0]);
  p.press('down');
  assert.equal(role(), roles[1]);
  p.press('+', '+', '+');
  assert.equal(rowOf('compile'), -1);
  p.press('0').choose('time');
  assert.equal(rowOf('compile'), -1, 'time colours single steps');
});

test('a failed step in a lane of many is marked there', async () => {
  const steps = Array.from({ length: 400 }, (_, i) => compile(100 * i, 90, `${i}.c`));
  const failing = steps.map((s, i) => (i === 200 ? { ...s, result: 1 } : s));
  const p = play(await loadProfile([treeOf(failing).index]), { width: 80, height: 24 });
  const lines = toPlainText(drawPanes(p.state)).split('\n');
  const row = lines[lines.findIndex((line) => line.startsWith('  400 steps')) + 1];
  assert.equal(row.indexOf('!'), 12 + Math.floor((200 / 400) * 68), lines.join('\n'));
});

test('the profile is replaced while a menu is open: Esc and Enter lead to the step that the view has without a menu', async () => {
  const steps = Array.from({ length: 6 }, (_, k) => compile(1000 * k, 900, `${k}.c`));
  const before = await loadProfile([treeOf(steps).index]);
  const sooner = [0, 1, 2].map((k) => compile(-1000 * (k + 1), 900, `new-${k}.c`));
  const profile = await loadProfile([treeOf([...sooner, ...steps]).index]);
  const afterReload = (...keys: string[]) => {
    const p = play(before, { width: 80, height: 24 }).press('gantt', 'G', ...keys);
    if (keys.length > 0)
      p.act({ type: 'panel-move', by: panelRows(p.state).findIndex(({ cells }) => cells['choice'] === '  target') });
    [p.state] = applyAnswer(p.state, { type: 'loaded', profile, derive: [], siblings: [], why: 'reloaded' });
    return p;
  };
  const step = ({ state }: Player) => stepName(profileOf(profile, 'steps'), openView(state).stepAt(contextOf(state)));
  const plain = step(afterReload());
  assert.notEqual(plain, '5.c', 'another build: the view starts anew');
  assert.equal(step(afterReload('o').press('esc')), plain);
  const chosen = afterReload('o').press('enter');
  assert.equal(step(chosen), plain);
  chosen.act({ type: 'resize', width: 130, height: 24 });
  assert.match(toPlainText(drawScreen(chosen.state)), /, by target/);
});

const targetUnderCursor = ({ state }: Player) =>
  stepText(profileOf(state.loaded, 'steps'), 'target', openView(state).stepAt(contextOf(state))) ?? '';

test('as many targets as there are: the largest have lanes, one lane has the rest, and the keys reach each', async () => {
  const steps = Array.from({ length: 300 }, (_, k) => compile(10 * k, 10 + (k % 7), `${k}.c`, { target: `target-${k}` }));
  const profile = await loadProfile([treeOf(steps).index]);
  for (const [height, most] of [
    [12, 4],
    [24, 8],
    [60, 8],
  ]) {
    const p = play(profile, { width: 100, height }).press('gantt').choose('target', 'o', 'colour by');
    const text = toPlainText(drawPanes(p.state));
    const lanes = Array.from(text.matchAll(/^ {2}([\d,]+) steps?\b/gm), ([, count]) => Number(count));
    if (height >= 24)
      assert.equal(
        lanes.reduce((sum, count) => sum + count, 0),
        300,
        'each step is in a lane',
      );
    assert.ok(text.includes(`${301 - lanes.length} more targets`) || height < 24, text);
    if (height >= 24) assert.match(toPlainText(drawScreen(p.state)), new RegExp(`steps, 3\\.00s, ${lanes.length} lanes`));
    // Down reaches the rest, and the lane of the cursor is always drawn.
    const seen = new Set<string>();
    for (let i = 0; i < 12; i++) {
      seen.add(targetUnderCursor(p));
      assert.ok(
        drawPanes(p.state).some(({ cursor }) => cursor),
        `${height}: down ${i}`,
      );
      p.press('down');
    }
    assert.ok(seen.size > 2 && seen.size <= most, `${height}: ${[...seen].join(', ')}`);
  }
});

test('Step: a step that never ran has no neighbours in time', async () => {
  const root = unpack(join(FIXTURES, 'cmake/tidepool-ninja-accumulated.json'));
  const profile = await loadProfile([join(root, 'build')]);
  const ran = new Set(stepsThatRan(analysisOf(profile, 'steps')));
  const never = Array.from(profileOf(profile, 'steps').steps.name.keys()).filter((step) => !ran.has(step));
  assert.equal(never.length, 2);
  const { state } = play(profile, { width: 80, height: 24 });
  const c = { ...contextOf(state), step: never[0] };
  const opened = views.find(({ id }) => id === 'step')?.open(c);
  for (const by of [1, -1] as const) {
    const action = { type: 'neighbour', by } as const;
    assert.match(opened?.off(action, c) ?? '', /^no step (after|before) this one$/);
    assert.equal(opened?.act(action, c)?.stepAt(c), never[0]);
  }
});

test('Steps and Compilers open on their costliest row, also after a failure and from a step of another view', async () => {
  const failed = play(await loadProfile([join(unpack(join(FIXTURES, 'cmake/tidepool-ninja-accumulated.json')), 'build')]), {
    width: 80,
    height: 24,
  }).press('steps');
  assert.equal(openView(failed.state).cursor(contextOf(failed.state)), 0);
  const traces = play(await loadProfile([join(FIXTURES, 'clang-traces/whole-build')]), { width: 80, height: 24 });
  traces.press('critical', 'j', 'compilers');
  assert.equal(openView(traces.state).cursor(contextOf(traces.state)), 0);
  assert.match(toPlainText(drawScreen(traces.state)).split('\n')[3], /^▶ +2\.08s .* \/usr\/include\/c\+\+\/12\/ios$/);
});

test('Step has the gain that the finding about it promises', async () => {
  const profile = await loadProfile([join(unpack(join(FIXTURES, 'cmake/tidepool-ninja-content.json')), 'build')]);
  const player = play(profile, { width: 120, height: 40 }).press('findings');
  for (let turns = 0; player.state.unfinished && turns < 1e4; turns++) player.act({ type: 'work' });
  const said = /regexes\.cpp \(1\.72s\)[^:]*: removing it would save ≈ (\d+ms)/.exec(
    toPlainText(drawScreen(player.state)).replace(/\s+/g, ' '),
  );
  assert.ok(said);
  player.press('enter');
  for (let turns = 0; player.state.unfinished && turns < 1e4; turns++) player.act({ type: 'work' });
  assert.ok(toPlainText(drawScreen(player.state)).includes(`gain       ≈ ${said[1]} if it took no time`));
});
