// Every fixture against itself: no limit on a difference is exceeded, whatever it is of, scaled to equal totals or not.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../../src/analysis/answers/analysis.ts';
import { allEvents } from '../../../src/analysis/answers/events.ts';
import { checkLimit, parseLimit } from '../../../src/analysis/limits/limits.ts';
import { compareProfiles } from '../../../src/analysis/profiles/compare/compare.ts';
import { loadProfile } from '../../../src/io/load.ts';
import { unpack } from '../../support/bundle.ts';
import { FIXTURES } from '../../support/fixtures.ts';
import { long } from '../../support/long.ts';
import { PLAINLY } from '../../support/versus.ts';

/** Paths below fixtures/, and how many profiles of each format there are at least. */
const PROFILES: Readonly<Record<string, readonly [files: RegExp, least: number]>> = {
  callgrind: [/\.callgrind\.out/, 40],
  cachegrind: [/\.cachegrind\.out/, 5],
  gperftools: [/\.prof(\.gz|\.0)?$/, 10],
  aprof: [/\.aprof(\.gz)?$/, 20],
  'ninja-log': [/\.ninja_log(\.gz)?$/, 6],
  'trace-events': [/\.json(\.gz)?$/, 15],
  'build-trace': [/\.trace(\.gz)?$/, 4],
};

function assertKept(analysis: Analysis, name: string): void {
  const { can } = analysis.costing;
  const names = analysis.events.map((e) => JSON.stringify(e.name));
  const subjects = [
    ...names,
    ...(['self', 'inclusive'] as const).flatMap((side) =>
      can.has('routines') && can.has(side) ? names.map((event) => `any routine ${side} ${event}`) : [],
    ),
    ...(can.has('routines') && can.has('counts') ? ['any routine calls'] : []),
    ...(can.has('steps') ? ['build duration', 'any step duration'] : []),
  ];
  for (const subject of subjects)
    for (const amount of ['> +0%', '< -0'])
      assert.equal(checkLimit(parseLimit(`${subject} ${amount}`), analysis).exceeded, false, `${name}: ${subject} ${amount}`);
  if (can.has('inputs')) assert.equal(checkLimit(parseLimit('law worse'), analysis).exceeded, false, name);
}

async function keepsLimits(path: string): Promise<boolean> {
  // Some are made to be refused.
  const profile = await loadProfile([path]).catch(() => undefined);
  if (!profile) return false;
  for (const normalize of [false, true]) {
    const both = compareProfiles(profile, profile, { ...PLAINLY, normalize });
    assertKept(analyse(both, allEvents(both.events, [])), path);
  }
  return true;
}

for (const [format, [files, least]] of Object.entries(PROFILES))
  long(`${format}: a profile against itself keeps every limit`, async () => {
    let kept = 0;
    for (const name of readdirSync(join(FIXTURES, format), { recursive: true, encoding: 'utf8' }))
      if (files.test(name) && !/truth|expected/.test(name) && (await keepsLimits(join(FIXTURES, format, name)))) kept++;
    assert.ok(kept >= least, String(kept));
  });

test('cmake: a build against itself keeps every limit', async () => {
  for (const name of ['tidepool-ninja-plain', 'tidepool-make-failing', 'tidepool-ninja-incremental'])
    assert.ok(await keepsLimits(join(unpack(join(FIXTURES, `cmake/${name}.json`)), 'build')), name);
});
