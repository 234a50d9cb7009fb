// Version 1 of the CPU profile: places with names of Java methods.

import assert from 'node:assert/strict';
import test from 'node:test';
import { routineFile, routineName } from '../../src/analysis/names/names.ts';
import { FormatError } from '../../src/base/problem.ts';
import { gperftools } from '../../src/formats/gperftools/index.ts';
import { chooseLoader } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import { Sink } from '../../src/model/sink.ts';
import { type Recorded, writeRecords } from '../support/cpu-profile.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { loadBytes } from '../support/load.ts';

const RECORDS: Recorded[] = [
  // Real files have records of 0 samples, before others.
  { count: 0, pcs: [3n] },
  { count: 2, pcs: [5n] },
  { count: 3, pcs: [6n, 7n, 8n] },
  { count: 4, pcs: [0x10n, 7n, 8n] },
  { count: 1, pcs: [0x11n, 8n] },
];
const NAMES = `
 0x00000003 GC
 0x00000005 VM
 0x0000006 com.example.Sorter.compare (Sorter.java:61)
 0x0000007 com.example.Sorter.sort (Sorter.java:30)
 0x0000008 com.example.Main.main (Main.java:-1)
 0x0000010 memcpy (/lib/libc.so.6)
 0x00000ff com.example.Unused.f (Unused.java:1)
`;

test('a profile of Java is read with the names that it has', async () => {
  for (const chunk of [1, 7, 1 << 20]) {
    const bytes = writeRecords(RECORDS, NAMES, 1);
    assert.equal(chooseLoader(bytes, 'x').name, 'gperftools');
    const profile = await loadBytes(gperftools, bytes, chunk);
    assert.deepEqual(checkProfile(profile), []);
    assert.deepEqual(profile.warnings, []);
    assert.match(profile.parts[0].notes.join(), /^version 1 of the format, for Java: .* 6 names$/);
    const { totals } = analysisOf(profile, 'stacks');
    assert.equal(totals.total[0][0], 10);
    const rows = Array.from(profile.routines.name, (_, r) => [
      routineName(profile, r),
      routineFile(profile, r),
      totals.self[0][r],
      totals.inclusive[0][r],
    ]).sort((a, b) => String(a[0]).localeCompare(String(b[0])));
    assert.deepEqual(rows, [
      ['0x11', null, 1, 1],
      ['com.example.Main.main', 'Main.java', 0, 8],
      ['com.example.Sorter.compare', 'Sorter.java', 3, 3],
      ['com.example.Sorter.sort', 'Sorter.java', 0, 7],
      ['memcpy', '/lib/libc.so.6', 4, 4],
      ['VM', null, 2, 2],
    ]);
    const { frames } = profileOf(profile, 'stacks');
    assert.deepEqual(
      [...new Set(frames.line)].sort((a, b) => a - b),
      [0, 30, 61],
    );
    assert.equal(profile.events[1].terms[0][0], 4_000_000);
  }
});

test('version 1 without names, and mixed versions, are refused for what they are', async () => {
  await assert.rejects(
    () => loadBytes(gperftools, writeRecords(RECORDS, '', 1)),
    (error) => error instanceof FormatError && error.problem.offset === 16 && /for Java/.test(error.problem.found),
  );
  for (const [first, second] of [
    [0, 1],
    [1, 0],
  ]) {
    const sink = new Sink();
    const load = async (version: number) => {
      const bytes = writeRecords(RECORDS.slice(1), NAMES, version);
      sink.paths.push(`v${version}`);
      const chunks = async function* () {
        yield bytes;
      };
      await gperftools.load({ path: `v${version}`, size: bytes.length, chunks }, sink, new AbortController().signal);
    };
    await load(first);
    await assert.rejects(() => load(second), FormatError);
  }
});

test('version 2 is refused', async () => {
  await assert.rejects(
    () => loadBytes(gperftools, writeRecords(RECORDS, NAMES, 2)),
    (error) => error instanceof FormatError && error.problem.offset === 16 && error.problem.found === 'version 2',
  );
});
