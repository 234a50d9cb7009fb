// What holds for every format, from the registry.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { FormatError } from '../../src/base/problem.ts';
import { loaders } from '../../src/formats/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import type { Question } from '../../src/model/head.ts';
import { questionsOf } from '../../src/model/profile.ts';
import { dumpProfile } from '../support/dump.ts';
import { FIXTURES, readJson, readMaybeGz } from '../support/fixtures.ts';
import { matchesGolden } from '../support/golden.ts';
import { loadBytes } from '../support/load.ts';
import { long, some } from '../support/long.ts';

/** Where the files of a format lie among the fixtures, and small ones whose dump is a golden and of which every prefix is tried. */
const FILES: Record<string, { readonly all: RegExp; readonly small: readonly string[] }> = {
  callgrind: {
    all: /\.out(\.\d+|-\d+)?(\.gz)?$/,
    small: [
      'edge/v15-jumps-as-callgrind-writes-them.callgrind.out',
      'edge/v04-spec-compressed.callgrind.out',
      'edge/v19-parts-of-threads-share-ids.callgrind.out',
      'toggle.callgrind.out',
    ],
  },
  cachegrind: { all: /\.out\.gz$/, small: ['diff.cachegrind.out'] },
  aprof: {
    all: /\.aprof(\.gz)?$/,
    small: [
      'edge/01-every-tag.aprof',
      'edge/02-every-tag-contexts.aprof',
      'edge/06-old-version-2.aprof',
      'edge/13-contexts-odd.aprof',
    ],
  },
  'trace-events': {
    all: /(hand\/(?!expected)|time-trace\/(?!truth)).*\.json(\.gz)?$/,
    small: ['hand/complete-object.json', 'hand/begin-end-array.json', 'hand/async.json', 'hand/array-unclosed-comma.json'],
  },
  'ninja-log': {
    all: /\.ninja_log(\.gz)?$/,
    small: ['tidepool-ninja-interrupted/.ninja_log', 'tidepool-ninja-failing/.ninja_log'],
  },
  'build-trace': {
    all: /\.trace(\.gz)?$/,
    small: ['edge/description-sample.trace', 'edge/env-diff.trace', 'edge/mixed-lines.trace', 'edge/crlf.trace'],
  },
  'gcc-time-report': { all: /\.(txt|log)$/, small: ['two.txt', 'two-units.log'] },
  cmake: { all: /\/data\/([a-zA-Z]+-|index\/).*\.json$/, small: [] },
  pprof: { all: /\.pb\.gz$/, small: ['block.pb.gz', 'mutex.pb.gz', 'goroutine.pb.gz'] },
  'perf-script': { all: /\.perf(\.gz)?$/, small: ['edge.perf', 'flat.perf'] },
  dhat: { all: /\.dhat\.json$/, small: ['alloc.dhat.json', 'edge.dhat.json', 'copies.dhat.json'] },
  massif: {
    all: /\.massif\.out$|\.ms$/,
    small: ['edge.massif.out', 'ends.massif.out', 'stages-stacks.massif.out', 'xtmemory.ms', 'nodetail.massif.out'],
  },
  'heap-text': { all: /\.heap$/, small: ['all.heap', 'go.heap', 'jemalloc.heap', 'java.heap'] },
  'go-text': { all: /\.txt$/, small: ['goroutine_debug1.txt', 'goroutine_debug2.txt', 'mutex_debug1.txt'] },
  austin: { all: /\.txt$/, small: ['austin_wall.txt', 'austin_full.txt'] },
  gprof: { all: /\.gprof(\.gz)?$/, small: ['parse.gprof', 'lines.gprof', 'edge.gprof'] },
  folded: { all: /\.folded(\.gz)?$/, small: ['edge.folded', 'py-spy.folded', 'two-runs.folded.gz'] },
  cpuprofile: { all: /\.cpuprofile(\.gz)?$/, small: ['no-times.cpuprofile', 'back-in-time.cpuprofile', 'old_v8.cpuprofile'] },
  heapprofile: { all: /\.heapprofile(\.gz)?$/, small: ['edge.heapprofile', 'no-samples.heapprofile'] },
  firefox: { all: /\.json(\.gz)?$/, small: ['threads.json', 'shared-last.json', 'bytes.json', 'markers.json'] },
  speedscope: { all: /\.speedscope\.json$/, small: ['evented.speedscope.json'] },
  gperftools: {
    all: /\.prof(\.\d+)?(\.gz)?$/,
    small: ['edge/i04-no-trailer.prof', 'edge/v05-no-map-list.prof', 'edge/v11-pcs-outside-all-mappings.prof'],
  },
};

interface Fixture {
  readonly name: string;
  bytes(): Buffer;
}

/** Builds of many files lie in bundles: the steps of one of them. */
const BUNDLES: Record<string, string> = { cmake: 'cmake/tidepool-ninja-plain.json' };

function fixturesOf(format: string): Fixture[] {
  const bundle = BUNDLES[format];
  const { all } = FILES[format];
  if (bundle)
    return Object.entries(readJson<Record<string, string>>(join(FIXTURES, bundle)))
      .filter(([name]) => all.test(name))
      .map(([name, text]) => ({ name: name.split('/').at(-1)!, bytes: () => Buffer.from(text, 'latin1') }));
  return readdirSync(join(FIXTURES, format), { recursive: true, encoding: 'utf8' })
    .filter((name) => all.test(`/${name}`))
    .map((name) => ({ name, bytes: () => readMaybeGz(join(FIXTURES, format, name)) }));
}

/** The small ones; of a bundle, one of each size. */
function smallOf(format: string): Fixture[] {
  const { small } = FILES[format];
  if (small.length > 0)
    return small.map((name) => ({
      name: name.split('/').slice(-2).join('-'),
      bytes: () => readMaybeGz(join(FIXTURES, format, name)),
    }));
  const kinds = new Map(fixturesOf(format).map((f) => [f.name.split('-')[0], f]));
  return [...kinds].filter(([kind]) => kind !== 'index').map(([kind, f]) => ({ ...f, name: `${kind}.json` }));
}

/** Questions that follow from the tables: no format promises them. */
const DERIVED: readonly Question[] = ['self', 'inclusive', 'counts', 'stacks', 'samples', 'labels'];

const dump = (profile: Parameters<typeof dumpProfile>[0]) => [...dumpProfile(profile)].join('\n') + '\n';

/** Formats that are folders of files of another format have no file of their own. */
const ofFiles = loaders.filter((l) => l.name in FILES);

test('a format without files reads folders, and has fixtures', () => {
  for (const loader of loaders.filter((l) => !ofFiles.includes(l))) {
    assert.ok(loader.loadFolder && loader.ownsFolder, `${loader.name}: name its fixtures in FILES`);
    assert.ok(existsSync(join(FIXTURES, loader.name, 'README.md')), loader.name);
  }
});

for (const loader of ofFiles) {
  const small = smallOf(loader.name);
  test(`${loader.name} has fixtures and says how they were made`, () => {
    assert.ok(small.length > 0);
    assert.ok(existsSync(join(FIXTURES, loader.name, 'README.md')));
  });
  for (const { name, bytes: read } of small) {
    const bytes = read();

    test(`${loader.name} ${name}: the dump is the golden, whatever the chunks`, async () => {
      const profile = await loadBytes(loader, bytes);
      const { name: names, file, object, line } = profile.routines;
      const keys = Array.from(
        names,
        (_, r) => `${names[r]}/${file[r]}/${object[r]}/${line?.[r] ?? 0}/${profile.wholes?.[r] ?? ''}`,
      );
      assert.equal(new Set(keys).size, keys.length, 'no loader makes a routine twice');
      const whole = dump(profile);
      matchesGolden(`dumps/${loader.name}/${name}.txt`, whole);
      for (const chunk of [1, 7, 4096]) assert.equal(dump(await loadBytes(loader, bytes, chunk)), whole, `chunks of ${chunk}`);
    });

    test(`${loader.name} ${name}: the same from a gzip file`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
      const plain = join(folder, 'plain');
      const packed = join(folder, 'packed.gz');
      writeFileSync(plain, bytes);
      writeFileSync(packed, gzipSync(bytes));
      const options = { format: loader.name };
      assert.equal(dump(await loadProfile([packed], options)), dump(await loadProfile([plain], options)));
    });

    long(`${loader.name} ${name}: every prefix is a profile or a FormatError`, async () => {
      for (const length of some(Array.from({ length: Math.min(bytes.length, 2500) + 1 }, (_, i) => i))) {
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
    const fixtures = fixturesOf(loader.name);
    assert.ok(fixtures.length >= 2, `${fixtures.length} files`);
    for (const { name, bytes } of fixtures) {
      const head = bytes().subarray(0, 4096);
      if (head.length === 0) continue;
      for (const path of [name, 'unknown']) {
        const answers = new Map(loaders.map((l) => [l.name, l.detect(head, path)]));
        // Hand-made files may be of another format under a name of this one.
        const mine = answers.get(loader.name) !== 'no';
        assert.ok(mine || /^(edge|hand)\//.test(name), name);
        const others = [...answers].filter(([n, a]) => a === 'yes' && n !== loader.name);
        if (mine) assert.deepEqual(others, [], name);
      }
    }
  });

  test(`${loader.name}: answers no question that it does not promise to answer`, async () => {
    for (const { name, bytes } of small)
      for (const question of questionsOf(await loadBytes(loader, bytes())))
        assert.ok([...loader.provides, ...DERIVED].includes(question), `${name}: ${question}`);
  });
}

long('a byte changed anywhere never crashes a loader', async () => {
  const loader = loaders[0];
  const bytes = readFileSync(join(FIXTURES, 'callgrind', FILES['callgrind'].small[0]));
  for (const at of some([...bytes.keys()])) {
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
