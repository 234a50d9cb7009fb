// The Gantt chart as SVG: every step has its bar, in its lane and at its time; idle time is cut out; nothing of a profile is markup.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { lanesOf } from '../../src/analysis/answers/steps/lanes.ts';
import { hasRun, stepFailed, stepName } from '../../src/analysis/answers/steps/steps.ts';
import { criticalPath } from '../../src/analysis/builds/critical.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { gantt } from '../../src/reports/builds/steps.ts';
import { compile, treeOf } from '../support/cmake-tree.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { analysisOf } from '../support/kinds.ts';
import { contextOf } from '../support/reports.ts';

async function svgOf(profile: Profile): Promise<string> {
  const pieces: string[] = [];
  await gantt.write('svg', contextOf(profile), '0', async (text) => void pieces.push(text));
  return pieces.join('');
}

interface Bar {
  readonly title: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly rest: string;
}

const barsOf = (svg: string): Bar[] =>
  Array.from(
    svg.matchAll(/<g><title>([^<]*)<\/title><rect x="([\d.]+)" y="(\d+)" width="([\d.]+)" height="\d+"([^>]*)\/>/g),
    (m) => ({
      ...{ title: m[1], x: Number(m[2]), y: Number(m[3]), width: Number(m[4]), rest: m[5] },
    }),
  );

test('bars lie in their lanes, at places in proportion to their times; critical and failed ones are marked', async () => {
  const profile = await loadProfile([join(FIXTURES, 'cmake/chains/postbuild.json.gz')]);
  const analysis = analysisOf(profile, 'steps');
  const { steps } = analysis.profile;
  const bars = barsOf(await svgOf(profile));
  const rows = Array.from(steps.name.keys()).filter((step) => hasRun(steps, step));
  assert.equal(bars.length, rows.length);
  const lanes = lanesOf(analysis);
  const [first] = bars;
  const perUs = first.width / steps.durationUs[lanes.steps[0][0]];
  lanes.steps
    .flatMap((lane) => [...lane])
    .forEach((step, k) => {
      const bar = bars[k];
      assert.ok(bar.title.startsWith(stepName(analysis.profile, step)), bar.title);
      assert.equal((bar.y - first.y) / 18, lanes.of[step]);
      assert.ok(Math.abs(bar.x - first.x - (steps.startUs[step] - steps.startUs[lanes.steps[0][0]]) * perUs) < 0.02, bar.title);
      assert.ok(Math.abs(bar.width - Math.max(0.5, steps.durationUs[step] * perUs)) < 0.02, bar.title);
      assert.equal(/stroke=/.test(bar.rest), criticalPath(analysis).on[step] === 1);
      assert.equal(/#d9534f/.test(bar.rest), stepFailed(steps, step));
    });
});

test('an hour without work is a narrow band with its length; names are no markup', async () => {
  const { index } = treeOf([
    { role: 'configure', timeStart: 0, duration: 1500, result: 0 },
    compile(3_600_000, 2000, '<script>alert("x")&.c'),
  ]);
  const svg = await svgOf(await loadProfile([index]));
  assert.match(svg, /idle 59m59s/);
  assert.doesNotMatch(svg, /<script>/);
  const [configure, compiled] = barsOf(svg);
  assert.ok(compiled.x - configure.x - configure.width <= 60.1, 'the gap is narrow');
  assert.ok(Math.abs(compiled.width / configure.width - 2000 / 1500) < 0.01, 'one scale for both');
});
