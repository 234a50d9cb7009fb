// What is shown while a file loads: true of what was read, and at the end of the whole.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { percentageBase } from '../../src/analysis/answers/analysis.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import type { Preview } from '../../src/model/sink.ts';
import { Sink } from '../../src/model/sink.ts';
import { existing, FIXTURES, readMaybeGz } from '../support/fixtures.ts';
import { loadAnalysis } from '../support/load.ts';

test('a preview grows with the file, and at its end is the profile without its last span', async () => {
  const path = existing(join(FIXTURES, 'callgrind/default.callgrind.out'));
  const bytes = readMaybeGz(path);
  const sink = new Sink();
  const seen: Preview[] = [];
  const look = () => {
    const preview = sink.currentWriter?.preview?.(20);
    if (preview) seen.push(preview);
  };
  const source = {
    path,
    size: bytes.length,
    async *chunks() {
      for (let at = 0; at < bytes.length; at += 20_000) {
        yield bytes.subarray(at, at + 20_000);
        look();
      }
    },
  };
  await callgrind.load(source, sink, new AbortController().signal);
  look();
  assert.ok(seen.length > 5);
  for (let i = 1; i < seen.length; i++) assert.ok(seen[i].total >= seen[i - 1].total);
  const analysis = await loadAnalysis(path);
  const { profile, totals } = analysis;
  const last = seen.at(-1)!;
  assert.equal(last.event, 'Ir');
  const whole = percentageBase(analysis, analysis.events[0]);
  assert.ok(last.total <= whole && last.total > whole * 0.99, `${last.total} of ${whole}`);
  const names = Array.from(profile.routines.name.keys(), (r) => ({ name: routineName(profile, r), self: totals.self[0][r] }));
  names.sort((a, b) => b.self - a.self);
  assert.deepEqual(last.routines.slice(0, 10), names.slice(0, 10));
});
