// Build traces against their ground truth, and the hand-made ones.

import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import test from 'node:test';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import {
  compilesOf,
  processAt,
  processTree,
  programsOf,
  projectCompiles,
} from '../../src/analysis/answers/processes/processes.ts';
import { unknownCompilers } from '../../src/analysis/builds/compile-sets.ts';
import { absolutePath } from '../../src/base/paths.ts';
import { FormatError } from '../../src/base/problem.ts';
import { buildTrace } from '../../src/formats/build-trace.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import { stringAt } from '../../src/model/strings.ts';
import { dumpProfile } from '../support/dump.ts';
import { existing, FIXTURES, namesIn, readJson, readMaybeGz } from '../support/fixtures.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { loadBytes } from '../support/load.ts';
import { long } from '../support/long.ts';

const TRACES = join(FIXTURES, 'build-trace');

interface Entry {
  directory: string;
  file: string;
  arguments: string[];
}

interface Truth {
  events: number;
  distinctIds: number;
  repeatedIds: Record<string, number>;
  roots: number[];
  orphans: number[];
  depth?: number;
  eventsAtDepth?: Record<string, number>;
  mostChildren?: { id: number; children: number }[];
  leaves?: number;
  byProgram: Record<string, number>;
  directories: number;
  envVariables: number;
  envDiff: { withDiff: number; variablesRemoved: number };
  longestCommand: { id: number; args: number; chars: number };
  compileCommands?: Entry[];
  notInCompileCommands?: string;
}

const open = async (path: string): Promise<Analysis<'processes'>> => {
  const profile = await loadProfile([existing(path)]);
  assert.equal(profile.format, 'build-trace');
  assert.deepEqual(checkProfile(profile), []);
  return analysisOf(profile, 'processes');
};

/** The truth of a CMake build is CMake's own list, which leaves out what makes dependency files. */
function withoutDepfiles(args: readonly string[]): string[] {
  const out: string[] = [];
  for (let i = 0; i < args.length; i++) {
    if (args[i] === '-MD') continue;
    if (args[i] === '-MT' || args[i] === '-MF') i++;
    else out.push(args[i]);
  }
  return out;
}

const sorted = (entries: readonly Entry[]) =>
  entries.map((e) => JSON.stringify([e.directory, absolutePath(e.directory, e.file), e.arguments])).sort();

const groups = (list: readonly (string | number)[]) => {
  const out: Record<string, number> = {};
  for (const key of list) out[key] = (out[key] ?? 0) + 1;
  return out;
};

for (const file of namesIn(TRACES, /\.truth\.json(\.gz)?$/)) {
  const name = file.replace(/\.truth\.json(\.gz)?$/, '');
  const truth = readJson<Truth>(join(TRACES, `${name}.truth.json`));
  test(`${name}: events, tree, programs and compile commands are the truth's`, async () => {
    const analysis = await open(join(TRACES, `${name}.trace`));
    const { profile } = analysis;
    const p = profileOf(profile, 'processes').processes;
    const id = (i: number) => Number(stringAt(profile.strings, p.id[i]));
    const all = Array.from(p.id.keys());
    assert.equal(all.length, truth.events);
    assert.equal(new Set(all.map(id)).size, truth.distinctIds);
    const repeated = Object.fromEntries(Object.entries(groups(all.map(id))).filter(([, n]) => n > 1));
    assert.deepEqual(repeated, truth.repeatedIds);
    const { depth, roots, order } = processTree(analysis);
    assert.deepEqual(roots.map(id), truth.roots);
    assert.deepEqual(
      profile.warnings.filter((w) => /no event has/.test(w.found)),
      truth.orphans,
    );
    assert.equal(order.length, truth.events);
    if (truth.depth !== undefined) {
      assert.equal(Math.max(...depth), truth.depth);
      assert.deepEqual(groups(Array.from(depth)), truth.eventsAtDepth);
      const children = groups(all.filter((i) => p.parent[i] >= 0).map((i) => id(p.parent[i])));
      for (const { id: of, children: n } of truth.mostChildren!) assert.equal(children[of], n, `children of ${of}`);
      assert.equal(all.filter((i) => children[id(i)] === undefined).length, truth.leaves);
    }
    assert.deepEqual(Object.fromEntries(programsOf(analysis).map((r) => [r.program, r.count])), truth.byProgram);
    const processes = all.map((i) => processAt(profile, i));
    assert.equal(new Set(processes.map((x) => x.directory)).size, truth.directories);
    assert.equal(processes.filter((x) => x.env.length > 0).length, truth.envDiff.withDiff);
    assert.equal(processes.flatMap((x) => x.env).filter(([, v]) => v === null).length, truth.envDiff.variablesRemoved);
    const longest = all.find((i) => id(i) === truth.longestCommand.id && processes[i].args.length === truth.longestCommand.args);
    assert.ok(longest !== undefined, 'the longest command');
    // The truth counts without blanks, and from before the temporary folder was renamed from /tmp to /var/tmp.
    const chars = processes[longest].args.join('').replaceAll('/var/tmp/', '/tmp/').length;
    assert.equal(chars, truth.longestCommand.chars);
    assert.ok(profile.parts[0].notes[0].includes(`${truth.envVariables} variables`));
    assert.deepEqual(profile.warnings, []);
    if (truth.compileCommands) {
      const ours = projectCompiles(analysis).map((c) => ({
        directory: c.directory,
        file: c.file,
        arguments: truth.notInCompileCommands ? withoutDepfiles(c.arguments) : [...c.arguments],
      }));
      assert.deepEqual(sorted(ours), sorted(truth.compileCommands));
    }
  });
}

test('the same build under make -j2 compiles the same', async () => {
  const [one, two] = await Promise.all(['harbor.trace', 'harbor-j2-pids.trace'].map((f) => open(join(TRACES, f))));
  const of = (a: Analysis<'processes'>) => sorted(projectCompiles(a).map((c) => ({ ...c, arguments: [...c.arguments] })));
  assert.deepEqual(of(two), of(one));
});

interface Expected {
  what: string;
  events: number | string;
  roots?: number | string;
  depth?: number;
  distinctIds?: number;
  warn?: boolean;
  problems?: number;
  orphans?: number[];
  envOf?: Record<string, Record<string, string>>;
  compiles?: Entry[];
}

const EDGE = join(TRACES, 'edge');
for (const [file, expected] of Object.entries(readJson<Record<string, Expected>>(join(EDGE, 'expected.json')))) {
  long(`${file}: ${expected.what}`, async () => {
    const bytes = readMaybeGz(join(EDGE, file));
    if (expected.events === 0 && bytes.length === 0) {
      await assert.rejects(() => loadBytes(buildTrace, bytes), FormatError);
      return;
    }
    const profile = await loadBytes(buildTrace, bytes);
    assert.deepEqual(checkProfile(profile), []);
    const analysis = analysisOf(profile, 'processes');
    const p = profileOf(profile, 'processes').processes;
    const ids = Array.from(p.id, (s) => stringAt(profile.strings, s));
    if (typeof expected.events === 'number') assert.equal(ids.length, expected.events);
    else assert.ok(ids.length > 0 && ids.length <= 6 && profile.warnings.length > 0);
    const { roots, depth, order } = processTree(analysis);
    assert.equal(order.length, ids.length, 'every event stands in the tree');
    if (typeof expected.roots === 'string') assert.equal(roots.length, Number.parseInt(expected.roots, 10));
    else if (expected.roots !== undefined) assert.equal(roots.length, expected.roots);
    if (expected.depth !== undefined) assert.equal(Math.max(...depth), expected.depth);
    if (expected.distinctIds !== undefined) assert.equal(new Set(ids).size, expected.distinctIds);
    if (expected.warn) assert.ok(profile.warnings.length > 0, 'a warning');
    if (expected.problems !== undefined)
      assert.match(profile.parts[0].notes[0], new RegExp(`\\b${expected.problems} problems?`), JSON.stringify(profile.warnings));
    if (expected.orphans)
      assert.deepEqual(
        roots.map((r) => Number(ids[r])).filter((id) => profile.warnings.some((w) => w.found.includes(`event ${id} is`))),
        expected.orphans,
      );
    if (expected.compiles) {
      const ours = compilesOf(analysis).list.map((c) => ({ directory: c.directory, file: c.file, arguments: [...c.arguments] }));
      assert.deepEqual(sorted(ours), sorted(expected.compiles));
    }
    if (file === 'same-id-exec-chain.trace') {
      const at = ids.indexOf('51');
      assert.equal(p.parent[at], ids.lastIndexOf('50', at), 'below the third event with id 50');
    }
    // However the bytes arrive.
    if (bytes.length < 4096)
      for (const chunk of [1, 7, 64])
        assert.deepEqual([...dumpProfile(await loadBytes(buildTrace, bytes, chunk))], [...dumpProfile(profile)]);
  });
}

test('a build of megabytes on one line, and brackets that never fit, are read to the end', async () => {
  const event = (id: number) =>
    `{"id":${id},"parent_id":-1,"work_dir":"/w","executable":"/bin/x","args":["x","${'a'.repeat(200)}"]}`;
  const many = Array.from({ length: 20_000 }, (_, i) => event(i + 1));
  const one = await loadBytes(buildTrace, Buffer.from(`{"version":101} ${many.join(' ')}`), 1 << 16);
  assert.equal(profileOf(one, 'processes').processes.id.length, many.length);
  assert.deepEqual(one.warnings, []);
  const broken = Array.from({ length: 20_000 }, () => '{ ]').join('\n');
  const two = await loadBytes(buildTrace, Buffer.from(`{"version":101}\n${broken}\n${event(7)}\n`), 1 << 16);
  assert.equal(profileOf(two, 'processes').processes.id.length, 1);
  assert.ok(two.warnings.length > 0);
});

test('the environment of a process is what it differs in, what was removed too', async () => {
  const analysis = await open(join(EDGE, 'env-diff.trace'));
  const { profile } = analysis;
  const third = Array.from(profileOf(profile, 'processes').processes.id).findIndex((s) => stringAt(profile.strings, s) === '3');
  const env = processAt(profile, third).env;
  assert.ok(env.some(([name, value]) => name === 'NEW' && value === '1'));
  assert.ok(
    env.some(([, value]) => value === null),
    'a variable that was removed',
  );
  assert.equal(basename(profile.paths[0]), 'env-diff.trace');
});

test('programs that the user calls compilers are counted as compilers, by one word or by two', async () => {
  const event = (id: number, ...args: string[]) =>
    JSON.stringify({ id, parent_id: 1, work_dir: '/fw', executable: `/opt/${args[0]}`, args });
  const text = [
    '{"version": "101"}',
    event(1, 'make'),
    event(2, 'mycc', 'main.c', '-o', 'out', '--cpu=M4'),
    event(3, 'zig', 'c++', '-c', 'x.cpp', '-o', 'x.o'),
    event(4, 'zig', 'ar', 'rc', 'x.a', 'y.c'),
    event(5, 'ccache', 'mycc', 'uart.c', '-o', 'out'),
  ].join('\n');
  const compiled = async (compilers: readonly string[]) => {
    const profile = await loadProfile(['fw.trace'], { bytes: Buffer.from(text), compilers });
    const analysis = analysisOf(profile, 'processes');
    return { files: projectCompiles(analysis).map((c) => c.file), unknown: unknownCompilers(analysis).map((u) => u.program) };
  };
  assert.deepEqual(await compiled([]), { files: [], unknown: ['mycc', 'zig'] });
  assert.deepEqual(await compiled(['mycc']), { files: ['/fw/main.c', '/fw/uart.c'], unknown: ['zig'] });
  assert.deepEqual(await compiled(['zig c++', 'mycc']), { files: ['/fw/main.c', '/fw/x.cpp', '/fw/uart.c'], unknown: [] });
});

test('tests of the compiler by CMake, Autoconf and Meson are no compiles of the project', async () => {
  const compile = (id: number, directory: string, file: string) =>
    JSON.stringify({ id, parent_id: 0, work_dir: directory, executable: '/usr/bin/gcc', args: ['gcc', '-c', file] });
  const text = [
    '{"version": "101"}',
    compile(1, '/b/CMakeFiles/CMakeScratch/TryCompile-abc', 't.c'),
    compile(2, '/b', 'conftest.c'),
    compile(3, '/b', '/b/meson-private/tmpqx1/testfile.c'),
    compile(4, '/b/meson-private', 'sanitycheckc.c'),
    compile(5, '/b', 'myconftest.c'),
  ].join('\n');
  const profile = await loadProfile(['c.trace'], { bytes: Buffer.from(text) });
  assert.deepEqual(
    projectCompiles(analysisOf(profile, 'processes')).map((c) => c.file),
    ['/b/myconftest.c'],
  );
});

/** The sources of a trace of the given commands, run in a folder. */
async function sourcesOf(commands: readonly (readonly string[])[], directory = '/w'): Promise<string[]> {
  const events = commands.map((args, id) =>
    JSON.stringify({ id, parent_id: -1, work_dir: directory, executable: `/usr/bin/${args[0]}`, args, 'env-diff': {} }),
  );
  const profile = await loadBytes(buildTrace, Buffer.from(`{"version":101}\n${events.join('\n')}\n`));
  return compilesOf(analysisOf(profile, 'processes')).list.map(({ file }) => file);
}

test('values of options are no sources: cl, clang and nvcc, as in a report', async () => {
  const profile = await loadProfile([join(TRACES, 'reports/options.trace')]);
  const files = compilesOf(analysisOf(profile, 'processes')).list.map(({ file }) => file);
  assert.deepEqual(
    files.filter((file) => !file.endsWith('/REAL.c')),
    [
      '/w/k.cu',
      ...['sIinc', 'sIinc', 'sDFOOc', 'sFIpreh', 'sexternalIext', 'sUX', 'sAIx', 'sFooobj'].map((name) => `C:\\p\\${name}.cpp`),
      ...['a.x', 'sTpax.cpp', 'b.y', 'sTcby.cpp', 'C.x', 'sTpCx.cpp', 'm.cpp', 'chk.cpp', 'src\\u.cpp'].map(
        (name) => `C:\\p\\${name}`,
      ),
      ...['\\abs\\v.cpp', 'D:\\q\\w.cpp', '\\\\srv\\share\\z.cpp', 'C:\\p\\sub/y.cpp'],
    ],
  );
  // Each of the other 31 commands has an option with a value that looks like a source.
  assert.equal(files.filter((file) => file.endsWith('/REAL.c')).length, 31);
});

test('bear and the trace agree; the source of a response file is the one that cc1 was given', async () => {
  const profile = await loadProfile([join(TRACES, 'reports/bear-project.trace')]);
  const files = compilesOf(analysisOf(profile, 'processes')).list.map(({ file }) => file);
  const bear = readJson<{ file: string }[]>(join(TRACES, 'reports/bear.json')).map(({ file }) => file);
  assert.deepEqual([...files].sort(), [...bear, '/srv/case/bearp/c.c'].sort());
});

test('compilers of embedded processors, of Fortran, MPI and GPUs are known by name', async () => {
  const names =
    'iccarm iccavr icc430 armcc armclang cl2000 cl430 tiarmclang ctc cctc dcc ccppc ccarm cxarm c51 cxstm8 ccrx sdcc qcc q++ nvcc hipcc icx icpx emcc mpicc mpicxx gfortran ifort xlc wcl arm-none-eabi-gcc-12.2'.split(
      ' ',
    );
  const found = await sourcesOf(names.map((name, i) => [name, '-c', `s${i}.c`]));
  assert.deepEqual(
    found,
    [...names.keys()].map((i) => `/w/s${i}.c`),
  );
  assert.deepEqual(await sourcesOf([['gfortran', '-c', 'a.f90', 'b.F', 'c.for']]), ['/w/a.f90', '/w/b.F', '/w/c.for']);
  assert.deepEqual(await sourcesOf([['iccarm', '--preprocess=n', 'o.c', '--preinclude', 'p.c', 'main.c']]), ['/w/main.c']);
  assert.deepEqual(
    await sourcesOf([
      ['make', 'a.c'],
      ['cltool', 'b.c'],
      ['iccx_wrapper', 'c.c'],
    ]),
    [],
  );
});

test('compilers whose sources are in response files are counted; what the trace shows to be links is not', async () => {
  const ran = (id: number, parent: number, executable: string, ...args: readonly string[]) =>
    JSON.stringify({ id, parent_id: parent, work_dir: '/w', executable, args: [executable, ...args] });
  const text = [
    '{"version": "101"}',
    ran(1, -1, '/usr/bin/make'),
    ...[2, 3].map((id) => ran(id, 1, 'C:\\VS\\bin\\cl.exe', `@C:\\temp\\q${id}.rsp`)),
    ran(4, 1, '/usr/bin/g++', '@flags.rsp', '-c', 'a.cpp'),
    ran(5, 1, '/usr/bin/g++', '@link.rsp', '-o', 'app'),
    ran(6, 5, '/usr/lib/gcc/collect2', '-o', 'app'),
    ran(7, 1, '/usr/bin/clang', '@hidden.rsp'),
  ].join('\n');
  const profile = await loadProfile(['r.trace'], { bytes: Buffer.from(text) });
  const analysis = analysisOf(profile, 'processes');
  const { unread, list } = compilesOf(analysis);
  assert.deepEqual(
    unread.map((i) => stringAt(profile.strings, analysis.profile.processes.executable[i])),
    ['C:\\VS\\bin\\cl.exe', 'C:\\VS\\bin\\cl.exe', '/usr/bin/clang'],
  );
  assert.deepEqual(
    list.map(({ file }) => file),
    ['/w/a.cpp'],
  );
});
