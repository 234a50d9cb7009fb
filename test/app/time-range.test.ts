// Views and reports of builds and traces where a range of time was chosen: down to one in which nothing ran.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { hasRun, isJob, timeWindowOf, uncutTimes } from '../../src/analysis/answers/steps/steps.ts';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { transformProfile } from '../../src/analysis/profiles/transforms/apply.ts';
import type { TimeRange } from '../../src/analysis/profiles/transforms/time-range.ts';
import { transformText } from '../../src/analysis/profiles/transforms/transform.ts';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { drawPanes } from '../../src/app/panes.ts';
import { contextOf, openView } from '../../src/app/state.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile, ProfileOf } from '../../src/model/profile.ts';
import { Sink } from '../../src/model/sink.ts';
import { StepPairs, StepWriter } from '../../src/model/steps/writer.ts';
import { reports } from '../../src/reports/index.ts';
import { viewsOf } from '../../src/views/index.ts';
import { unpack } from '../support/bundle.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { matchesGolden } from '../support/golden.ts';
import { type Player, play } from '../support/keys.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { long, most, some } from '../support/long.ts';
import { contextOf as reportContext, wrongNumbers } from '../support/reports.ts';
import { timelines } from '../support/timelines.ts';
import { PLAINLY } from '../support/versus.ts';

const within = (profile: Profile, range: TimeRange): ProfileOf<'steps'> =>
  profileOf(transformProfile(profile, [{ word: 'time', ...range }]), 'steps');

const build = await loadProfile([join(unpack(join(FIXTURES, 'cmake/tidepool-ninja-accumulated.json')), 'build')]);
const shown = (player: Player) => toPlainText(drawScreen(player.state));

/** What the Gantt view asks the app for. */
const asked = ({ state }: Player, type: 'range-end' | 'range-window') => openView(state).request({ type }, contextOf(state));

/** Half of it, a gap, two moments of a step, and times at which there is nothing. */
function ranges(profile: ProfileOf<'steps'>): TimeRange[] {
  const [from, to] = timeWindowOf(analysisOf(profile, 'steps'));
  const { startUs, durationUs } = profile.steps;
  const longest = durationUs.reduce((best, us, i) => (hasRun(profile.steps, i) && us > durationUs[best] ? i : best), 0);
  const inside = startUs[longest] + durationUs[longest] / 2;
  return [
    { fromUs: from, toUs: (from + to) / 2 },
    { fromUs: (from + to) / 2, toUs: Number.POSITIVE_INFINITY },
    { fromUs: inside, toUs: inside + 0.001 },
    { fromUs: from, toUs: from + 1 },
    { fromUs: to + 10, toUs: to + 20 },
    { fromUs: from - 20, toUs: from - 10 },
    { fromUs: Number.NEGATIVE_INFINITY, toUs: from - 10 },
  ].filter((range) => range.fromUs < range.toUs);
}

/** Neither belongs into what a person or a machine reads; names of the fixtures have neither. */
const NO_NUMBER = /\bNaN\b|Infinity/;

test('{ and } choose from the start of one step to the end of another', () => {
  const player = play(build, { width: 120, height: 16 }).press('gantt', 'g', ']', 'range-start');
  const { steps } = profileOf(build, 'steps');
  const first = openView(player.state).stepAt(contextOf(player.state));
  matchesGolden('screens/gantt-range-start.txt', `${shown(player)}\n`);
  assert.match(shown(player), /range of time from 350ms: o ends it, Esc drops it/);
  player.press(']', ']');
  const last = openView(player.state).stepAt(contextOf(player.state));
  const range = { fromUs: steps.startUs[first], toUs: steps.startUs[last] + steps.durationUs[last] };
  const request = asked(player, 'range-end');
  assert.deepEqual(request, { type: 'transform', transform: { word: 'time', ...range } });
  const chosen = play(within(build, range), { width: 120, height: 16 }).press('gantt');
  matchesGolden('screens/gantt-range.txt', `${shown(chosen)}\n`);
  const ascii = play(within(build, { fromUs: 2e6, toUs: 3e6 }), { width: 80, height: 12, ascii: true }).press('gantt');
  matchesGolden('views/gantt-range-ascii.txt', `${toPlainText(drawPanes(ascii.state))}\n`);
  assert.match(toPlainText(drawPanes(ascii.state)), />maps\.cpp +>/);
});

test('Esc drops the start of a range; } says what is missing, the window must be one', () => {
  const player = play(build, { width: 100, height: 16 }).press('gantt');
  const before = shown(player);
  const step = () => openView(player.state).stepAt(contextOf(player.state));
  const first = step();
  player.press('range-end');
  assert.match(shown(player), /Start a time range first/);
  assert.equal(asked(player, 'range-end'), undefined);
  player.press('0').choose('restrict the build to the visible time range');
  assert.match(shown(player), /The window shows the whole build; \+ zooms in/);
  player.press('range-start', 'range-start');
  assert.match(shown(player), /the range starts with this step already/);
  player.press('g', 'range-end');
  assert.match(shown(player), /This step ends before the start of the range/);
  player.press('esc', 'esc');
  assert.match(shown(player), /nothing to close/);
  player.press('p', 'p', 'p').choose('go to the next failed step').press('g');
  for (let k = 0; k < 50 && step() !== first; k++) player.press(']');
  assert.equal(shown(player).split('\n').slice(0, 14).join('\n'), before.split('\n').slice(0, 14).join('\n'));
});

test('w takes the window, as far as something of the build is in it, in whole microseconds', () => {
  const player = play(build, { width: 100, height: 16 }).press('gantt', '+', '+', 'right', 'right');
  const request = asked(player, 'range-window');
  assert.ok(request?.type === 'transform' && request.transform.word === 'time');
  const { fromUs, toUs } = request.transform;
  const [from, to] = timeWindowOf(analysisOf(build, 'steps'));
  assert.ok(from <= fromUs && fromUs < toUs && toUs <= to && Number.isInteger(fromUs) && Number.isInteger(toUs));
  assert.match(transformText(request.transform), /^time=[\d.]+(ms|s)\.\.[\d.]+s$/);
  assert.match(
    shown(play(within(build, { fromUs, toUs }), { width: 100, height: 16 }).press('gantt')),
    / to \d\.\d\ds of 8\.11s/,
  );
});

test('the cursor stays on its step when a range is chosen or dropped', () => {
  const whole = analysisOf(build, 'steps');
  const half = analysisOf(within(build, { fromUs: 2e6, toUs: 4e6 }), 'steps');
  const step = half.profile.steps.name.findIndex(
    (_, i) => isJob(half.profile.steps, i) && uncutTimes(half.profile.steps, i) !== undefined,
  );
  const row = half.profile.steps.clip?.row[step] ?? -1;
  const { state } = play(build, { width: 100, height: 16 }).press('gantt');
  const opened = openView(state).findStep(row, contextOf(state));
  assert.ok(opened);
  const there = opened.rebase(whole, half)?.rebase(half, whole);
  assert.equal(there?.stepAt(contextOf(state)), row);
  assert.equal(
    opened.rebase(whole, analysisOf(within(build, { fromUs: 8e6, toUs: 9e6 }), 'steps'))?.stepAt(contextOf(state)),
    -1,
  );
});

test('a step that a range cut says so, in Step, below Gantt, and to machines', async () => {
  const half = within(build, { fromUs: 2e6, toUs: 4e6 });
  const player = play(half, { width: 120, height: 24 }).press('gantt');
  assert.match(shown(player), /2\.00s from 2\.00s, cut, took 4\.99s/);
  player.press('enter');
  assert.match(shown(player), /cut by the time range: the whole step took 4\.99s, from 1\.18s to 6\.16s/);
  let text = '';
  const steps = reports.find((r) => r.name === 'steps');
  await steps?.write('json', reportContext(half), '0', async (piece) => {
    text += piece;
  });
  const { rows } = JSON.parse(text) as { rows: { durationMs: number; uncutMs?: number; name: string }[] };
  const maps = rows.find((r) => r.name.endsWith('src/maps.cpp') && r.uncutMs !== undefined);
  assert.deepEqual([maps?.durationMs, Math.round((maps?.uncutMs ?? 0) / 10)], [2000, 499]);
  assert.ok(rows.some((r) => r.uncutMs === undefined));
});

test('Load of a range adds up to it, with the time in which nothing ran', () => {
  const load = (range: TimeRange) =>
    toPlainText(drawPanes(play(within(build, range), { width: 100, height: 24 }).press('utilization').state));
  const [, to] = timeWindowOf(analysisOf(build, 'steps'));
  assert.match(load({ fromUs: 1e6, toUs: 3e6 }), /^▶ +2 +1\.99s /m);
  assert.match(load({ fromUs: to - 1, toUs: to + 100 }), /1µs +100\.0/);
  // Shares of work are of the whole, wherever the range is.
  const percent = (range: TimeRange, key: string) =>
    [...toPlainText(drawPanes(play(within(build, range), { width: 120, height: 60 }).press(key).state)).matchAll(/ (\d+\.\d+)%/g)]
      .map(([, n]) => Number(n))
      .reduce((sum, n) => sum + n, 0);
  const parts = [0, 1e6, 3e6, Number.POSITIVE_INFINITY];
  for (const key of ['targets', 'steps']) {
    const sum = parts.slice(1).reduce((all, toUs, k) => all + percent({ fromUs: parts[k], toUs }, key), 0);
    assert.ok(Math.abs(sum - 100) < 0.5, `${key}: ${sum}`);
  }
  assert.match(
    shown(play(within(build, { fromUs: 1e6, toUs: 3e6 }), { width: 140, height: 24 }).press('critical')),
    /from 1\.00s to 3\.00s of 8\.11s/,
  );
});

long(
  'every timeline, down to ranges in which nothing ran: views draw and reports print, without numbers that are none',
  async () => {
    let empty = 0;
    for (const [path, profile] of some([...(await timelines())])) {
      // Halves of a large one take long, and say no more than those of a small one.
      for (const range of ranges(profile).slice(profile.steps.name.length > 250 ? 2 : 0)) {
        const part = within(profile, range);
        const where = `${path} ${transformText({ word: 'time', ...range })}`;
        if (part.steps.name.length === 0) empty++;
        const player = play(part, { width: 100, height: 14 });
        for (const key of viewsOf(player.state.analysis).map(({ id }) => id)) {
          player.press(key, 'G');
          assert.doesNotMatch(shown(player), NO_NUMBER, `${where}, ${key}`);
          if (part.steps.name.length === 0 && ['targets', 'gantt', 'steps', 'critical'].includes(key))
            assert.match(
              shown(player),
              /nothing of this ran from -?[\d.dhmµs]+ to -?[\d.dhmµs]+ of /,
              `${where}, ${key}: ${shown(player)}`,
            );
        }
        const wrong = await wrongNumbers(part);
        assert.deepEqual([...wrong], [], where);
        const context = reportContext(part);
        for (const name of ['summary', 'steps', 'gantt', 'targets', 'criticalpath', 'longestchain']) {
          const report = reports.find((r) => r.name === name);
          const texts: string[] = [];
          const write = async (piece: string) => {
            texts.push(piece);
          };
          await report?.write('text', context, '0', write);
          await report?.write('csv', context, '0', write);
          await report?.write('markdown', context, '0', write);
          assert.ok(texts.length >= 3, where);
          assert.doesNotMatch(texts.join(''), NO_NUMBER, `${where}, ${name}`);
        }
      }
    }
    assert.ok(empty > most(80), `${empty}`);
  },
);

test('a build file that names dependencies of nothing that ran simulates nothing', async () => {
  const sink = new Sink();
  sink.paths.push('test');
  const rows = sink.writerFor(StepWriter);
  const track = rows.trackId('1', '1');
  for (const name of ['a', 'b']) rows.add({ name, role: 'compile', track, part: 0, startUs: rows.rows * 10, durationUs: 10 });
  rows.needs = new StepPairs();
  rows.needs.push(1, 0);
  sink.addPart({ path: 'test', events: ['time'] });
  const profile = sink.finish('cmake');
  for (const range of [
    { fromUs: 30, toUs: 40 },
    { fromUs: 12, toUs: 14 },
  ]) {
    const part = within(profile, range);
    assert.deepEqual([...(await wrongNumbers(part))], []);
    for (const key of ['gantt', 'critical', 'utilization'])
      assert.doesNotMatch(shown(play(part, { width: 100, height: 14 }).press(key)), NO_NUMBER);
  }
});

test('a base of which nothing ran in the range is a base of nothing', () => {
  const [half, nothing] = [within(build, { fromUs: 0, toUs: 4e6 }), within(build, { fromUs: 1e12, toUs: 2e12 })];
  assert.equal(nothing.steps.name.length, 0);
  const profile = compareProfiles(half, nothing, PLAINLY);
  assert.equal(profile.compared?.before.kind, 'steps');
});
