// What a change of a header costs: the units that ninja and make themselves compile again, and their last times. Broken and hostile files.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { rebuildRows } from '../../src/analysis/builds/compiles.ts';
import { FormatError } from '../../src/base/problem.ts';
import { durationsToJson } from '../../src/formats/cmake/about.ts';
import { makeRulesIn, readMakeGraph } from '../../src/formats/cmake/depfiles.ts';
import { FileGraph } from '../../src/formats/cmake/file-graph.ts';
import { cmake } from '../../src/formats/cmake/index.ts';
import { DURATIONS_FILE, keptHeadLine, keptTextLine, keptValueLine } from '../../src/formats/cmake/kept.ts';
import { readNinjaDeps } from '../../src/formats/cmake/ninja-deps.ts';
import { readNinjaFile } from '../../src/formats/cmake/ninja-file.ts';
import { readNinjaGraph } from '../../src/formats/cmake/rebuilds.ts';
import type { Folder } from '../../src/formats/loader.ts';
import { openFolder } from '../../src/io/folder.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import { Sink } from '../../src/model/sink.ts';
import { stringAt } from '../../src/model/strings.ts';
import { unpack } from '../support/bundle.ts';
import { FIXTURES, readJson } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';

const NINJA = unpack(join(FIXTURES, 'ninja-log/ferry.json'));
const MAKE = unpack(join(FIXTURES, 'cmake/ferry-make.json'));
const DEPS = readFileSync(join(NINJA, '.ninja_deps'));

const graphOfNinja = (folder: Folder, sink = new Sink()) =>
  readNinjaGraph({ folder, at: '', file: readNinjaFile((name) => folder.read(name), 'build.ninja', undefined) }, sink);

/** By header: what is compiled again, relative to the tree. */
const rebuiltIn = (graph: FileGraph | undefined): Record<string, string[]> =>
  Object.fromEntries(
    Array.from(graph?.rebuildsByHeader() ?? [], ({ header, units }) => [
      header,
      Array.from(units, (unit) => graph?.units[unit].output.slice(graph.root.length + 1) ?? '').sort(),
    ]),
  );

for (const [name, tree, graph] of [
  ['ninja', NINJA, graphOfNinja(openFolder(NINJA))],
  ['make', MAKE, readMakeGraph(openFolder(MAKE), '')],
] as const)
  test(`${name}: by header, what is compiled again is what ${name} compiled again when it was touched`, () => {
    const expected = readJson<Record<string, string[]>>(join(tree, 'expected.json'));
    assert.equal(Object.keys(expected).length, 14);
    assert.deepEqual(rebuiltIn(graph), expected);
  });

test('a header costs the last times of its units, in whichever run that was; headers of the system are left out', async () => {
  const log = readFileSync(join(NINJA, '.ninja_log'), 'utf8').trimEnd().split('\n').slice(1);
  const ms = new Map(log.map((line) => line.split('\t')).map(([start, end, , output]) => [output, Number(end) - Number(start)]));
  const expected = Object.entries(readJson<Record<string, string[]>>(join(NINJA, 'expected.json')));
  const profile = profileOf(await loadProfile([join(NINJA, '.ninja_log')]), 'steps');
  assert.deepEqual(checkProfile(profile), []);
  assert.ok(profile.parts.length > 1);
  const rows = rebuildRows(analysisOf(profile, 'steps'));
  assert.deepEqual(
    new Map(rows.map((row) => [row.name, [row.us / 1000, row.units]])),
    new Map(
      expected.map(([header, units]) => [header, [units.reduce((sum, unit) => sum + (ms.get(unit) ?? 0), 0), units.length]]),
    ),
  );
  assert.ok(rows.every((row, k) => k === 0 || row.us <= rows[k - 1].us));
});

test('the view opens the step of the unit that takes the longest', async () => {
  const player = play(await loadProfile([join(NINJA, '.ninja_log')]), { width: 100, height: 20 }).press('compilers', 'enter');
  const { profile } = player.state.analysis;
  assert.equal(
    stringAt(profile.strings, profileOf(profile, 'steps').steps.name[player.state.step]),
    'CMakeFiles/ferry.dir/src/report.cpp.o',
  );
});

/** The folder with some files exchanged; undefined takes one away. */
const withFiles = (path: string, files: Readonly<Record<string, Uint8Array | undefined>>): Folder => {
  const folder = openFolder(path);
  return { ...folder, path, read: (name) => (name in files ? files[name] : folder.read(name)) };
};

test('make: where compilers left no files of their own, what CMake gathered of the run before counts', () => {
  const folder = openFolder(MAKE);
  const without = { ...folder, read: (name: string) => (name.endsWith('.d') ? undefined : folder.read(name)) };
  const crew = '/opt/proftui-demo/ferry/include/ferry/crew.hpp';
  const main = 'CMakeFiles/ferry.dir/src/main.cpp.o';
  const [now, before] = [rebuiltIn(readMakeGraph(folder, ''))[crew], rebuiltIn(readMakeGraph(without, ''))[crew]];
  // The first build had an include that the second one has not.
  assert.deepEqual(before, [...now, main].sort());
});

test('make: a target outside of the tree is not looked at', () => {
  const asked: string[] = [];
  const folder = withFiles(MAKE, {
    'CMakeFiles/TargetDirectories.txt': Buffer.from(
      '/etc\n/opt/proftui-demo/ferry/make/../../x\n/opt/proftui-demo/ferry/make/t\n',
    ),
    't/build.make': Buffer.from('../../secret.o: a.c\n/etc/passwd.o: b.c\nt/c.o: c.c\n'),
  });
  const read = (name: string) => {
    asked.push(name);
    return folder.read(name);
  };
  readMakeGraph({ ...folder, read }, '');
  assert.deepEqual(asked.slice(2), ['t/build.make', 't/c.o.d', 't/compiler_depend.make']);
});

test('ninja: an output that the build file no longer has does not count', () => {
  const rules = readFileSync(join(NINJA, 'build.ninja'), 'utf8').replace(
    'build CMakeFiles/ferry.dir/src/timetable.cpp.o:',
    'build other.o:',
  );
  const rebuilt = rebuiltIn(graphOfNinja(withFiles(NINJA, { 'build.ninja': Buffer.from(rules) })));
  assert.equal(rebuilt['/opt/proftui-demo/ferry/src/table.ipp'], undefined);
});

test('kept builds: a unit that the open one did not compile takes as long as in the last one that did', async () => {
  const tree = unpack(join(FIXTURES, 'cmake/ferry-make.json'));
  const data = join(tree, '.cmake/instrumentation/v1/data');
  const compiles = readdirSync(data).filter((name) => name.startsWith('compile-'));
  const keep = (name: string, ms: number, wanted: RegExp) => {
    const texts = compiles
      .map((file) => [file, readFileSync(join(data, file), 'utf8')] as const)
      .filter(([, text]) => wanted.test(text));
    const took = texts
      .map(([, text]) => JSON.parse(text))
      .map(({ target, source }) => ({ key: `compile ${target} ${source}`, target, ms, failed: false }));
    const course = keptValueLine(DURATIONS_FILE, Buffer.from(JSON.stringify(durationsToJson(took))));
    const lines = texts.map(([file, text]) => keptTextLine(file, text.replace(/"duration" : \d+/, `"duration" : ${ms}`)));
    mkdirSync(join(tree, '.proftui'), { recursive: true });
    const path = join(tree, '.proftui', name);
    writeFileSync(path, `${keptHeadLine({ what: 'build', hook: 'postBuild' })}${course}${lines.join('')}`);
    return path;
  };
  keep('build-2026-11-24T12-00-00-0000.json.gz', 100, /./);
  keep('build-2026-11-24T13-00-00-0000.json.gz', 200, /tide\.c"/);
  const last = keep('build-2026-11-24T14-00-00-0000.json.gz', 300, /berth\.cpp"/);
  rmSync(join(tree, '.cmake'), { recursive: true });
  const profile = profileOf(await loadProfile([last], { format: cmake.name }), 'steps');
  assert.deepEqual(checkProfile(profile), []);
  const rows = rebuildRows(analysisOf(profile, 'steps'));
  // Six units: berth.cpp took 300 ms, tide.c 200 ms, the others 100 ms each.
  assert.equal(rows.find(({ name }) => name.endsWith('tide.h'))?.us, 900_000);
});

const number = (n: number) => {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(n >>> 0);
  return out;
};
const record = (bytes: Buffer, isDeps: boolean) => Buffer.concat([number(bytes.length + (isDeps ? 2 ** 31 : 0)), bytes]);
const path = (id: number, text: string) =>
  record(Buffer.concat([Buffer.from(text), Buffer.alloc((4 - (text.length % 4)) % 4), number(~id)]), false);
const deps = (version: number, output: number, ...inputs: number[]) =>
  record(Buffer.concat([output, 0, ...(version === 3 ? [] : [0]), ...inputs].map(number)), true);
const file = (version: number, ...records: Buffer[]) =>
  Buffer.concat([Buffer.from('# ninjadeps\n'), number(version), ...records]);
const PATHS = ['a.o', 'a.c', 'long/one.h', 'b.h'].map((text, id) => path(id, text));

const textOf = ({ paths, inputs }: ReturnType<typeof readNinjaDeps>) =>
  Object.fromEntries(Array.from(inputs, ([output, files]) => [paths[output], Array.from(files, (id) => paths[id])]));

test('versions 3 and 4 are read, at any place in memory; the last record of an output counts', () => {
  for (const version of [3, 4]) {
    const bytes = file(version, ...PATHS, deps(version, 0, 1, 2), deps(version, 0, 1, 3));
    for (const shift of [0, 1]) {
      const shifted = new Uint8Array(bytes.length + shift).subarray(shift);
      shifted.set(bytes);
      assert.deepEqual(textOf(readNinjaDeps(shifted, 'x')), { 'a.o': ['a.c', 'b.h'] });
    }
  }
});

test('what is broken names its byte', () => {
  const before = file(4, ...PATHS).length;
  const cases: [bytes: Buffer, offset: number, expected: RegExp, found: RegExp][] = [
    [Buffer.alloc(0), 0, /^# ninjadeps$/, /^an empty file$/],
    [Buffer.from('# ninja log v5\n1234'), 0, /^# ninjadeps$/, /^"# ninja log /],
    [file(2, ...PATHS), 12, /^version 3 or 4$/, /^version 2$/],
    [file(-1), 12, /^version 3 or 4$/, /^version 4294967295$/],
    [
      file(4, ...PATHS, number(2 ** 30), Buffer.alloc(64)),
      before,
      /^a record of at most 524287 bytes, in fours$/,
      /^one of 1073741824$/,
    ],
    [file(4, ...PATHS, number(2 ** 31 + 14), Buffer.alloc(64)), before, /in fours$/, /^one of 14$/],
    [file(4, ...PATHS, path(5, 'c.h')), before + 8, /^the check of path 4$/, /^that of path 5$/],
    [file(4, ...PATHS, number(4), number(~4)), before + 4, /^a path$/, /^none$/],
    [file(4, ...PATHS, number(2 ** 31 + 8), Buffer.alloc(8)), before, /^an output and its time$/, /^a record of 8 bytes$/],
    [file(4, ...PATHS, deps(4, 7, 1)), before + 4, /^the number of one of 4 paths$/, /^7$/],
    [file(4, ...PATHS, deps(4, 0, 1, -1)), before + 20, /^the number of one of 4 paths$/, /^4294967295$/],
  ];
  for (const [bytes, offset, expected, found] of cases)
    assert.throws(
      () => readNinjaDeps(bytes, 'x/.ninja_deps'),
      (error: unknown) => {
        assert.ok(error instanceof FormatError);
        const { problem } = error;
        assert.equal(problem.offset, offset, problem.expected);
        assert.match(problem.expected, expected);
        assert.match(problem.found, found);
        return true;
      },
    );
});

test('a broken file is a warning beside the log, whose steps are there; a cut one counts up to there', async () => {
  for (const [bytes, headers, found] of [
    [DEPS.subarray(0, DEPS.length - 3), 14, /bytes of one; left out, as by ninja$/],
    [Buffer.concat([DEPS.subarray(0, 40), DEPS.subarray(44)]), 0, /; what headers cost is left out$/],
  ] as const) {
    const tree = unpack(join(FIXTURES, 'ninja-log/ferry.json'));
    writeFileSync(join(tree, '.ninja_deps'), bytes);
    const profile = profileOf(await loadProfile([join(tree, '.ninja_log')]), 'steps');
    assert.ok(profile.steps.name.length > 10);
    assert.equal(profile.steps.rebuilds?.headers.name.length ?? 0, headers);
    const [warning] = profile.warnings;
    assert.equal(warning.path, join(tree, '.ninja_deps'));
    assert.match(warning.found, found);
  }
});

test('every prefix is read up to its last whole record, and no change of bytes gives anything but tables or a FormatError', () => {
  const ends = new Set([16]);
  for (let at = 16; at < DEPS.length; ) ends.add((at += 4 + (DEPS.readUInt32LE(at) % 2 ** 31)));
  for (let length = 16; length < 4000; length++)
    assert.equal(readNinjaDeps(DEPS.subarray(0, length), 'x').cut === undefined, ends.has(length));
  const change = fc.array(fc.tuple(fc.nat(DEPS.length - 1), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(change, (changes) => {
      const bytes = Buffer.from(DEPS);
      for (const [at, byte] of changes) bytes[at] = byte;
      rebuiltIn(graphOfNinja(withFiles(NINJA, { '.ninja_deps': bytes })));
    }),
    { numRuns: 60 },
  );
});

test('rules of make: escapes, continued lines, commands, and colons in paths', () => {
  const text =
    'a\\ b.o: x\\#.c \\\n  y$$.h \\\r\n C:/z.h C:\\w.h\n\tcommand: none\n# no: rule\nNAME = value\nc.o d.o: e.h\nlast.o: f.h \\';
  assert.deepEqual(
    [...makeRulesIn(Buffer.from(text))].map(({ outputs, inputs }) => [outputs, inputs]),
    [
      [['a b.o'], ['x#.c', 'y$.h', 'C:/z.h', 'C:\\w.h']],
      [['c.o', 'd.o'], ['e.h']],
      [['last.o'], ['f.h']],
    ],
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'a:\\\n\r\t #$') }), (any) => void [...makeRulesIn(Buffer.from(any))]),
  );
});

test('a ring of files ends, and what grows with the square of a file is given up', () => {
  const ring = new FileGraph('/b');
  for (let k = 0; k < 100; k++) ring.addRule(`h${(k + 1) % 100}.h`, [`h${k}.h`]);
  ring.addCompile('a.o', ['a.c', 'h50.h']);
  assert.deepEqual(rebuiltIn(ring), { '/b/h50.h': ['a.o'] });
  const chain = new FileGraph('/b');
  for (let k = 0; k < 20_000; k++) {
    chain.addCompile(`${k}.o`, [`${k}.c`, `${k}.h`]);
    chain.addRule(`${k + 1}.h`, [`${k}.o`]);
  }
  assert.deepEqual(rebuiltIn(chain), {});
  assert.ok(chain.isIncomplete);
});
