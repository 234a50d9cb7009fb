// Frames of the signal handler: known by a mark or by being everywhere, as pprof's legacy reader has it; callers stay.

import assert from 'node:assert/strict';
import { mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import type { Profile } from '../../src/model/profile.ts';
import { Sink } from '../../src/model/sink.ts';
import { AddressStackWriter } from '../../src/model/stacks/writer.ts';
import { type Recorded, readRecords, writeRecords } from '../support/cpu-profile.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';
import { profileOf } from '../support/kinds.ts';

const FOLDER = join(FIXTURES, 'gperftools');
const { records, text } = readRecords(readMaybeGz(join(FOLDER, 'plug.prof')));
/** In no mapping, and in the middle of libc's data: no name either way. */
const STRANGE = 0x7f0000001234n;

async function load(list: readonly Recorded[], named: boolean): Promise<Profile> {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const path = join(folder, 'plug.prof');
  writeFileSync(path, writeRecords(list, text));
  utimesSync(path, 2e9, 2e9);
  const symbols = named ? { dirs: [join(FOLDER, 'bin')], maps: [] } : { dirs: [], maps: [['/', '/nowhere/']] as const };
  const profile = await loadProfile([path], { symbols: { binaries: [], ...symbols } });
  assert.deepEqual(checkProfile(profile), []);
  return profile;
}

/** Samples by stack of addresses. */
function stacksOf(profile: Profile): Map<string, number> {
  const { stacks, places } = profileOf(profile, 'stacks');
  const out = new Map<string, number>();
  for (let s = 0; s < stacks.part.length; s++) {
    const list = Array.from(stacks.frame.subarray(stacks.start[s], stacks.start[s + 1]), (f) => places?.ofFrame[f] ?? -1);
    const at = (p: number) => `${places?.high[p]}:${places?.low[p]}`;
    const key = [...new Set(list)].map(at).join(' ');
    out.set(key, (out.get(key) ?? 0) + stacks.costs[0][s]);
  }
  return out;
}

const withSecond = (pcs: readonly bigint[], added: readonly bigint[]) => [pcs[0], ...added, ...pcs.slice(1)];

for (const named of [true, false]) {
  test(`a second frame of nearly all stacks is left out and told, ${named ? 'with' : 'without'} names`, async () => {
    // pprof allows one different stack in 32: here, 10 of 399 (one stack comes with the frame and without it).
    const list = records.map((r, i) => ({ ...r, pcs: i % 40 === 7 ? r.pcs : withSecond(r.pcs, [STRANGE]) }));
    const profile = await load(list, named);
    assert.deepEqual(stacksOf(profile), stacksOf(await load(records, named)));
    const [warning] = profile.warnings.filter((w) => /second frame/.test(w.found));
    assert.match(warning.found, /^0x7f0000001233 is the second frame of 389 of 399 stacks \(469 samples\)/);
  });

  test(`two such frames, and the interrupted place behind them, ${named ? 'with' : 'without'} names`, async () => {
    const list = records.map((r) => ({ ...r, pcs: withSecond(r.pcs, [STRANGE, STRANGE + 0x100n, r.pcs[0]]) }));
    const profile = await load(list, named);
    assert.deepEqual(stacksOf(profile), stacksOf(await load(records, named)));
    assert.equal(profile.warnings.filter((w) => /second frame/.test(w.found)).length, 2);
  });

  test(`a second frame of nine in ten stacks stays, ${named ? 'with' : 'without'} names`, async () => {
    const list = records.map((r, i) => ({ ...r, pcs: i % 10 === 7 ? r.pcs : withSecond(r.pcs, [STRANGE]) }));
    const profile = await load(list, named);
    assert.notDeepEqual(stacksOf(profile), stacksOf(await load(records, named)));
    assert.ok(!profile.warnings.some((w) => /second frame/.test(w.found)));
  });
}

test('a caller with a name stays, though it is everywhere', async () => {
  const main = records.find((r) => r.pcs.length > 4)?.pcs.at(-5);
  assert.ok(main !== undefined);
  const list = records.map((r) => ({ ...r, pcs: [r.pcs[0], main] }));
  const profile = await load(list, true);
  assert.ok(!profile.warnings.some((w) => /second frame/.test(w.found)));
  assert.ok([...stacksOf(profile).keys()].every((key) => key.split(' ').length === 2));
});

/** Stacks of numbers: the first frame, the shared one, and a caller. `startOf`: where each first frame's function starts. */
function handled(startOf: (place: number) => bigint | undefined, prepare?: (samples: AddressStackWriter['samples']) => void) {
  const sink = new Sink();
  const { samples, periods } = sink.writerFor(AddressStackWriter);
  samples.hidden = { names: /^handler$/ };
  sink.addPart({ path: 'test', events: ['samples'] });
  periods.push(0);
  samples.mappings.push([{ start: 0n, end: 0x10000n, offset: 0n, executable: true, path: '/bin/test' }]);
  for (let i = 0; i < 40; i++) {
    const ids = Uint32Array.from([0x100 + 16 * i, 0x5000, 0x6000], (a) => samples.addressId(0, 0, a));
    samples.stacks.add(0, ids, 3, 2);
    const start = startOf(i);
    if (start !== undefined) samples.starts.set(ids[0], start);
  }
  prepare?.(samples);
  const profile = sink.finish('test');
  const { stacks } = profileOf(profile, 'stacks');
  return { frames: stacks.frame.length, profile };
}

test('the only caller of one function stays; under several functions it is no caller', () => {
  assert.equal(handled(() => 0x100n).frames, 120);
  assert.equal(handled((i) => BigInt(0x100 + 64 * (i >> 2))).frames, 80);
  assert.equal(handled(() => undefined).frames, 80);
});

test('the trampoline is known by its mark in the unwind table, however few stacks have it', () => {
  const { frames, profile } = handled(
    () => 0x100n,
    (samples) => samples.trampolines.add(samples.addressId(0, 0, 0x5000)),
  );
  assert.equal(frames, 80);
  assert.deepEqual(profile.warnings, []);
  assert.match(profile.notes?.join() ?? '', /40 frames of the profiler's own signal handler left out, in 80 samples/);
});
