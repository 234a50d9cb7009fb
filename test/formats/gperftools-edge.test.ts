// The hand-made edge cases: valid ones give what is expected, broken ones are refused at the right byte.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { FormatError } from '../../src/base/problem.ts';
import { gperftools } from '../../src/formats/gperftools/index.ts';
import { chooseLoader } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import { exactValue } from '../../src/model/head.ts';
import { FIXTURES, namesIn, readJson, readMaybeGz } from '../support/fixtures.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { loadBytes } from '../support/load.ts';

interface Expected {
  valid: boolean;
  error?: { byte: number; why: string };
  wordSize: number;
  byteOrder: string;
  periodMicroseconds: number;
  records: number;
  samples: number | string;
  distinctStacks: number;
  maxDepth: number;
  mappings: number;
  mainBinary?: string;
  firstRecord?: { count: number | string; pcs: string[] };
}

const FOLDER = join(FIXTURES, 'gperftools/edge');
/** What is whole of these is shown, with CUT OFF in sight; printing them exits with 1. */
/** Another loader reads it. */
const HEAP = 'i14-heap-profile';
const CUT = new Set(['i03-truncated-record', 'i04-no-trailer']);

for (const file of namesIn(FOLDER, /\.expected\.json$/)) {
  const name = file.replace('.expected.json', '');
  const expected = readJson<Expected>(join(FOLDER, file));
  const bytes = readMaybeGz(join(FOLDER, `${name}.prof`));

  if (!expected.valid) {
    test(`${name}: refused at byte ${expected.error!.byte}`, async () => {
      if (CUT.has(name)) {
        const profile = await loadBytes(gperftools, bytes);
        assert.equal(profile.cut?.offset, expected.error!.byte);
        assert.deepEqual(checkProfile(profile), []);
        return;
      }
      const load = async () => {
        // A Callgrind file by another name is opened as what it is.
        const loader = name === 'i15-text' ? gperftools : chooseLoader(bytes.subarray(0, 4096), `${name}.prof`);
        assert.equal(loader.name, name === HEAP ? 'heap-text' : 'gperftools');
        return await loadBytes(gperftools, bytes);
      };
      await assert.rejects(load, (error) => error instanceof FormatError && error.problem.offset === expected.error!.byte);
    });
    continue;
  }

  test(`${name}: as expected`, async () => {
    const profile = await loadBytes(gperftools, bytes);
    assert.deepEqual(checkProfile(profile), []);
    assert.equal(profile.cut, undefined);
    const stacks = profileOf(profile, 'stacks').stacks;
    const { totals } = analysisOf(profile, 'stacks');
    assert.equal(String(exactValue(profile.events[0], totals.total, 0)), String(expected.samples));
    assert.equal(stacks.part.length, expected.distinctStacks);
    let deepest = 0;
    for (let s = 0; s < stacks.part.length; s++) deepest = Math.max(deepest, stacks.start[s + 1] - stacks.start[s]);
    assert.equal(deepest, expected.maxDepth);
    const [note] = profile.parts[0].notes;
    assert.match(
      note,
      new RegExp(
        `^${expected.wordSize * 8} bit, ${expected.byteOrder} endian; ${expected.records} records; .* ${expected.mappings} mappings`,
      ),
    );
    if (expected.mainBinary) assert.equal(profile.command, expected.mainBinary);
    const time = profile.events.find((e) => e.name === 'time');
    if (expected.periodMicroseconds === 0) {
      assert.equal(time, undefined);
      assert.ok(profile.warnings.some((w) => w.found.includes('period 0')));
    } else if (expected.samples !== 0) {
      const wanted = BigInt(expected.samples) * BigInt(expected.periodMicroseconds) * 1000n;
      assert.equal(String(exactValue(time!, totals.total, 0)), String(wanted));
    }
    if (expected.firstRecord) {
      const { places } = profileOf(profile, 'stacks');
      const pcs = Array.from(stacks.frame.subarray(0, stacks.start[1]), (f, k) => {
        const p = places!.ofFrame[f];
        return `0x${((BigInt(places!.high[p]) << 32n) + BigInt(places!.low[p]) + (k === 0 ? 0n : 1n)).toString(16)}`;
      });
      assert.deepEqual(pcs, expected.firstRecord.pcs);
    }
  });
}

test('heap and contention profiles are named for what they are', () => {
  for (const [head, what] of [
    ['--- contention:\ncycles/second = 1\n', /contention profile/],
    ['--- heap\n', /symbolized heap profile/],
    ['--- growth\n', /symbolized heap profile/],
  ] as const)
    assert.throws(
      () => chooseLoader(Buffer.from(head), 'x.prof'),
      (error) => error instanceof FormatError && error.problem.offset === 0 && what.test(error.problem.found),
    );
});
