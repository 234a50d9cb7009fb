// Exports for the Firefox Profiler, read by a reader of the published description (test/support/firefox.ts), not by ours.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { nameInData } from '../../src/analysis/names/names.ts';
import { firefox } from '../../src/exports/firefox.ts';
import { loadProfile } from '../../src/io/load.ts';
import { eventValue } from '../../src/model/head.ts';
import { type Processed, tallied } from '../support/firefox.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { contextOf } from '../support/reports.ts';

for (const path of [
  'callgrind/default.callgrind.out',
  'gperftools/pie-g.prof.gz',
  'pprof/cpu.pb.gz',
  'perf-script/two-events.perf.gz',
  'firefox/two-events.profile.json.gz',
  'speedscope/evented.speedscope.json',
])
  test(`${path}: self costs are those of Routines, and samples of a thread are in order of time`, async () => {
    const context = contextOf(await loadProfile([join(FIXTURES, path)]));
    const pieces: string[] = [];
    await firefox.write(context, '1.0', async (piece) => void pieces.push(piece.toString()));
    const written = JSON.parse(pieces.join('')) as Processed;
    assert.equal(written.meta.preprocessedProfileVersion, 47);
    const { self, total } = tallied(written);
    const { profile } = context.analysis;
    const { totals } = analyse(profile, profile.events, new Set());
    const factor = context.event.unit === 'ns' ? 1e-6 : context.event.unit === 'us' ? 1e-3 : 1;
    const near = (a: number, b: number, what: string) =>
      assert.ok(Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b)), `${what}: ${a}, ${b}`);
    near(total, eventValue(context.event, totals.total, 0) * factor, 'total');
    const wanted = new Map<string, number>();
    for (let r = 0; r < profile.routines.name.length; r++) {
      const name = nameInData(profile, r);
      wanted.set(name, (wanted.get(name) ?? 0) + eventValue(context.event, totals.self, r) * factor);
    }
    for (const [name, cost] of wanted) near(self.get(name) ?? 0, cost, name);
  });
