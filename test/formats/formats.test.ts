// What holds for every format, from the registry.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { FormatError } from '../../src/base/problem.ts';
import { loaders } from '../../src/formats/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import { dumpProfile } from '../../src/model/dump.ts';
import { hasTable } from '../../src/model/profile.ts';
import { FIXTURES, namesIn, readMaybeGz } from '../support/fixtures.ts';
import { matchesGolden } from '../support/golden.ts';
import { loadBytes } from '../support/load.ts';

/** A small file of each format, whose dump is a golden and of which every prefix is tried. */
const SMALL: Record<string, string[]> = {
  callgrind: [
    'callgrind/edge/v15-jumps-as-callgrind-writes-them.callgrind.out',
    'callgrind/edge/v04-spec-compressed.callgrind.out',
    'callgrind/edge/v19-parts-of-threads-share-ids.callgrind.out',
    'callgrind/toggle.callgrind.out',
  ],
  cachegrind: ['callgrind/edge/v38-cachegrind-dots.callgrind.out'],
  aprof: [
    'aprof/edge/01-every-tag.aprof',
    'aprof/edge/02-every-tag-contexts.aprof',
    'aprof/edge/06-old-version-2.aprof',
    'aprof/edge/13-contexts-odd.aprof',
  ],
  'trace-events': [],
  'ninja-log': [],
  'build-trace': [],
  cmake: [],
  gperftools: [
    'gperftools/edge/i04-no-trailer.prof',
    'gperftools/edge/v05-no-map-list.prof',
    'gperftools/edge/v11-pcs-outside-all-mappings.prof',
  ],
};

const dump = (profile: Parameters<typeof dumpProfile>[0]) => [...dumpProfile(profile)].join('\n') + '\n';

for (const loader of loaders) {
  const small = SMALL[loader.name];
  test(`${loader.name} has fixtures and says how they were made`, () => {
    // Formats of many files, and traces, have tests of their own of the same kind.
    assert.ok(small);
    assert.ok(existsSync(join(FIXTURES, loader.name, 'README.md')));
  });
  for (const file of small ?? []) {
    const bytes = readMaybeGz(join(FIXTURES, file));
    const name = file.split('/').at(-1)!;

    test(`${name}: the dump is the golden, whatever the chunks`, async () => {
      const whole = dump(await loadBytes(loader, bytes));
      matchesGolden(`dumps/${name}.txt`, whole);
      for (const chunk of [1, 7, 4096]) assert.equal(dump(await loadBytes(loader, bytes, chunk)), whole, `chunks of ${chunk}`);
    });

    test(`${name}: the same from a gzip file`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
      const plain = join(folder, 'plain');
      const packed = join(folder, 'packed.gz');
      writeFileSync(plain, bytes);
      writeFileSync(packed, gzipSync(bytes));
      const options = { format: loader.name };
      assert.equal(dump(await loadProfile([packed], options)), dump(await loadProfile([plain], options)));
    });

    test(`${name}: every prefix is a profile or a FormatError`, async () => {
      for (let length = 0; length <= Math.min(bytes.length, 2500); length++) {
        try {
          const profile = await loadBytes(loader, bytes.subarray(0, length));
          assert.deepEqual(checkProfile(profile), [], `prefix of ${length}`);
        } catch (error) {
          assert.ok(error instanceof FormatError, `prefix of ${length}: ${error}`);
          assert.ok(error.problem.line !== undefined || error.problem.offset !== undefined, 'the error has a place');
        }
      }
    });
  }

  test(`${loader.name}: only its own loader says yes, with the name hidden too`, () => {
    for (const name of namesIn(join(FIXTURES, loader.name), /\.(out|prof|aprof)(\.\d+|-\d+)?(\.gz)?$/)) {
      const bytes = readMaybeGz(join(FIXTURES, loader.name, name));
      if (bytes.length === 0) continue;
      for (const path of [name, 'unknown']) {
        const answers = loaders.map((l) => [l.name, l.detect(bytes.subarray(0, 4096), path)]);
        const yes = answers.filter(([, a]) => a === 'yes').map(([n]) => n);
        // pprof writes no first line and no creator: its files are told by their body, further down than the head may reach.
        if (yes.length === 0) assert.deepEqual(answers.find(([n]) => n === loader.name)?.[1], 'maybe', name);
        else assert.deepEqual(yes, [loader.name], name);
      }
    }
  });

  test(`${loader.name}: gives no table that it does not promise`, async () => {
    for (const file of small ?? []) {
      const profile = await loadBytes(loader, readFileSync(join(FIXTURES, file)));
      for (const table of ['lines', 'calls', 'instrs', 'jumps'] as const)
        if (hasTable(profile, table)) assert.ok(loader.provides.includes(table), `${file}: ${table}`);
    }
  });
}

test('a byte changed anywhere never crashes a loader', async () => {
  const loader = loaders[0];
  const bytes = readFileSync(join(FIXTURES, SMALL['callgrind'][0]));
  for (let at = 0; at < bytes.length; at++) {
    for (const byte of [0, 10, 32, 45, 57, 61, 255]) {
      const broken = Buffer.from(bytes);
      broken[at] = byte;
      try {
        assert.deepEqual(checkProfile(await loadBytes(loader, broken)), []);
      } catch (error) {
        assert.ok(error instanceof FormatError, `byte ${at} = ${byte}: ${(error as Error).stack}`);
      }
    }
  }
});
