// Lambdas of one file have one name: they are different routines where their code starts elsewhere, and their rows get a line.

import assert from 'node:assert/strict';
import test from 'node:test';
import { counterpartsOf } from '../../src/analysis/answers/counterparts.ts';
import { routineLine, routineLocation, routineName } from '../../src/analysis/names/names.ts';
import { GRANULARITY_NAMES, regroup } from '../../src/analysis/profiles/granularity/stacks.ts';
import { checkProfile } from '../../src/model/check.ts';
import type { Profile } from '../../src/model/profile.ts';
import { Sink } from '../../src/model/sink.ts';
import { AddressStackWriter } from '../../src/model/stacks/writer.ts';
import { analysisOf } from '../support/kinds.ts';

interface Frame {
  readonly name: string;
  readonly file?: string | null;
  readonly line: number;
  readonly home?: number;
}

/** A sample for each frame, k + 1 of frame k, called from main. */
function profileOfFrames(frames: readonly Frame[]): Profile {
  const sink = new Sink();
  const { samples, periods } = sink.writerFor(AddressStackWriter);
  sink.paths.push('test');
  periods.push(0);
  samples.mappings.push([{ start: 0n, end: 0x1000n, offset: 0n, executable: true, path: '/bin/test' }]);
  sink.addPart({ path: 'test', events: ['samples'] });
  const main = samples.addressId(0, 0, 1);
  samples.names[main] = [{ name: 'main', file: 'a.cpp', line: 5 }];
  frames.forEach(({ file = 'a.cpp', ...frame }, k) => {
    const place = samples.addressId(0, 0, 16 + k);
    samples.names[place] = [{ file, ...frame }];
    samples.stacks.add(0, Uint32Array.of(place, main), 2, k + 1);
  });
  const profile = sink.finish('test');
  assert.deepEqual(checkProfile(profile), []);
  return profile;
}

/** Line and samples of the routines with that name. */
function rowsOf(profile: Profile, name: string): (number | undefined)[][] {
  const { totals } = analysisOf(profile, 'stacks');
  return Array.from(profile.routines.name, (_, r) => r)
    .filter((r) => routineName(profile, r) === name)
    .map((r) => [routineLine(profile, r), totals.self[0][r]])
    .sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
}

const NAME = 'operator()';
const lambda = (line: number, home?: number): Frame => ({ name: NAME, line, ...(home === undefined ? {} : { home }) });

test('lambdas whose code starts elsewhere are different routines, with the first line seen of each', () => {
  const profile = profileOfFrames([lambda(10, 0x100), lambda(12, 0x100), lambda(20, 0x200)]);
  assert.deepEqual(rowsOf(profile, NAME), [
    [10, 3],
    [20, 3],
  ]);
  // main has no namesakes.
  assert.deepEqual(rowsOf(profile, 'main'), [[undefined, 0]]);
  const places = Array.from(profile.routines.name, (_, r) => routineLocation(profile, r)).sort();
  assert.deepEqual(places, ['a.cpp', 'a.cpp:10', 'a.cpp:20']);
});

test('one that was inlined in two places is one routine: its lines lie between each other', () => {
  const profile = profileOfFrames([lambda(10, 0x100), lambda(14, 0x100), lambda(12, 0x300), lambda(30, 0x200)]);
  assert.deepEqual(rowsOf(profile, NAME), [
    [10, 6],
    [30, 4],
  ]);
});

test('a name that is one function, or of which no start is known, has no line', () => {
  assert.deepEqual(rowsOf(profileOfFrames([lambda(10, 0x100), lambda(99, 0x100)]), NAME), [[undefined, 3]]);
  const unknown = profileOfFrames([lambda(10), lambda(20)]);
  assert.deepEqual(rowsOf(unknown, NAME), [[undefined, 3]]);
  assert.equal(unknown.routines.line, undefined);
});

test('every granularity keeps the samples; by routine, the routines', () => {
  const profile = profileOfFrames([lambda(10, 0x100), lambda(20, 0x200), lambda(21, 0x200)]);
  for (const grain of GRANULARITY_NAMES)
    for (const unknowns of ['object', 'address'] as const) {
      const other = regroup(profile, { name: grain, unknowns });
      assert.deepEqual(checkProfile(other), []);
      const { totals } = analysisOf(other, 'stacks');
      assert.equal(
        totals.self[0].reduce((a, b) => a + b, 0),
        6,
      );
      if (grain === 'routine') assert.deepEqual(rowsOf(other, NAME), rowsOf(profile, NAME));
      const twins = Array.from(profile.routines.name, (_, r) => counterpartsOf(profile, other)(r).length);
      assert.ok(twins.every((n) => n > 0));
    }
});

test('after a reload, namesakes are matched by their lines', () => {
  const [before, after] = [
    profileOfFrames([lambda(10, 0x100), lambda(20, 0x200)]),
    profileOfFrames([lambda(20, 0x200), lambda(10, 0x100)]),
  ];
  const twins = counterpartsOf(before, after);
  for (let r = 0; r < before.routines.name.length; r++)
    assert.deepEqual(
      twins(r).map((t) => [routineName(after, t), routineLine(after, t)]),
      [[routineName(before, r), routineLine(before, r)]],
    );
});
