// Dependencies that a build file does not tell: counted and said, and no advice gains by them. Builds whose answers are known.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { compile, type Snippet, treeOf } from '../support/cmake-tree.ts';
import { random } from '../support/random.ts';
import { runWarm } from '../support/warm.ts';

const RULES = ['rule cc', '  command = cc -c $in -o $out', 'rule ld', '  command = cc $in -o $out'];
/** A chain that ran one after the other: a.o, then b.o, which needs it, then app. */
const LOG = ['# ninja log v5', '0\t1000\t1\ta.o\taa', '1000\t3000\t1\tb.o\tbb', '3000\t3500\t1\tapp\tcc'];

/** The JSON of a view of the log with these build files. */
function inBuild(files: Readonly<Record<string, readonly string[]>>, ...args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-needs-'));
  try {
    const old = new Date('2026-01-01');
    for (const [name, lines] of Object.entries({ ...files, '.ninja_log': LOG })) {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
      if (name !== '.ninja_log') utimesSync(join(folder, name), old, old);
    }
    const { code, out, err } = runWarm([join(folder, '.ninja_log'), ...args]);
    return { code, out, err, json: args.includes('--json') ? JSON.parse(out) : undefined };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const WHOLE = [...RULES, 'build a.o: cc a.c', 'build b.o: cc b.c || a.o', 'build app: ld a.o b.o'];

/** Files in which the dependency of b.o is missing, and what a warning says. */
const PARTIAL: readonly (readonly [what: string, files: Readonly<Record<string, readonly string[]>>, warning: RegExp])[] = [
  [
    'a subninja file is missing',
    { 'build.ninja': [...RULES, 'subninja sub/build.ninja', 'build a.o: cc a.c', 'build app: ld a.o b.o'] },
    /sub\/build\.ninja: expected a file below the build folder/,
  ],
  [
    'the line has no colon',
    { 'build.ninja': [...RULES, 'build a.o: cc a.c', 'build b.o cc b.c || a.o', 'build app: ld a.o b.o'] },
    /build\.ninja:6: expected a colon and a rule/,
  ],
  [
    'the file was cut off',
    { 'build.ninja': [...RULES, 'build a.o: cc a.c', 'build app: ld a.o b.o', 'build b.o'] },
    /build\.ninja:7: expected a colon and a rule/,
  ],
  [
    'the file for modules is gone',
    { 'build.ninja': [...RULES, 'build a.o: cc a.c', 'build b.o: cc b.c || dd', '  dyndep = dd', 'build app: ld a.o b.o'] },
    /^$/,
  ],
];

for (const [what, files, warning] of PARTIAL)
  test(`${what}: its dependencies are unknown, and more jobs gain nothing by that`, () => {
    const { json, err } = inBuild(files, '--print', 'criticalpath', '--json');
    assert.equal(err, '');
    assert.equal(json.unknownDependencies, 1);
    assert.match(json.basisCaveat, /dependencies of 1 of 3 steps are unknown/);
    assert.equal(json.simulation.unlimitedMs, 3500);
    const waited = json.rows.find(({ name }: { name: string }) => name.endsWith('b.o'));
    assert.equal(waited.reason ?? null, null, JSON.stringify(waited));
    const texts: string[] = json.warnings.map(
      ({ path, line, expected }: { path: string; line?: number; expected: string }) =>
        `${path}${line ? `:${line}` : ''}: expected ${expected}`,
    );
    assert.match(texts.join('\n'), warning);
    const { out } = inBuild(files, '--print', 'findings');
    assert.doesNotMatch(out, /it would take|starting it/);
  });

test('all dependencies are known: nothing is unknown, and the chain is the same', () => {
  const { json } = inBuild({ 'build.ninja': WHOLE }, '--print', 'longestchain', '--json');
  assert.equal(json.unknownDependencies, 0);
  assert.equal(json.basisCaveat, null);
  assert.equal(json.rows.length, 3);
});

test('variables of an included file hold from there on, as in ninja', () => {
  const files = {
    'vars.ninja': ['o = .'],
    'build.ninja': [
      ...RULES,
      'include vars.ninja',
      'build $o/a.o: cc a.c',
      'build $o/b.o: cc b.c || $o/a.o',
      'build app: ld $o/a.o $o/b.o',
    ],
  };
  const { json } = inBuild(files, '--print', 'longestchain', '--json');
  assert.equal(json.basisCaveat, null);
  assert.equal(json.rows.length, 3);
});

const custom = (timeStart: number, duration: number, outputs: readonly string[]): Snippet => ({
  ...{ role: 'custom', timeStart, duration, outputs, command: './gen', result: 0 },
});
const link = (timeStart: number, duration: number, objects: readonly string[]): Snippet => ({
  ...{ role: 'link', timeStart, duration, target: 'app', outputs: ['app'], command: `cc ${objects.join(' ')} -o app`, result: 0 },
});

for (const [outputs, unsure] of [
  [[], 4],
  [['gen.h'], 4],
  [['gen.h', 'gen.c'], 4],
  [['stamp'], 4],
  [['gen.c'], 0],
] as const)
  test(`without a build file, compiles may need headers of a custom command that made ${outputs.join(', ') || 'nothing that is known'}`, () => {
    const { tree } = treeOf([
      custom(0, 300, outputs),
      compile(300, 1000, 'gen.c'),
      compile(300, 1000, 'a.c'),
      compile(1300, 1000, 'b.c'),
      compile(1300, 1000, 'c.c'),
      link(2300, 500, ['gen.c.o', 'a.c.o', 'b.c.o', 'c.c.o']),
    ]);
    const { basis, unknownDependencies, simulation } = JSON.parse(runWarm([tree, '--print', 'criticalpath', '--json']).out);
    assert.deepEqual([basis, unknownDependencies], ['outputs', unsure]);
    // The command, any compile, the link.
    assert.equal(simulation.unlimitedMs, 1800);
    rmSync(tree, { recursive: true });
  });

test('a compile that began before a custom command ended does not need it; a chain stays in its build', () => {
  const build = (at: number): Snippet[] => [
    { role: 'cmakeBuild', timeStart: at, duration: 1500, command: 'cmake --build .', result: 0 },
    ...[compile(at, 1000, 'a.c'), link(at + 1000, 500, ['a.c.o'])],
  ];
  const { tree } = treeOf([...build(0), custom(200, 100, []), ...build(60_000)]);
  const { unknownDependencies, rows } = JSON.parse(runWarm([tree, '--print', 'longestchain', '--json']).out);
  assert.equal(unknownDependencies, 1, 'the compile of the second build');
  assert.equal(rows.length, 2);
  rmSync(tree, { recursive: true });
});

test('without any dependency, those of all steps are unknown', () => {
  const { json } = inBuild({}, '--print', 'criticalpath', '--json');
  assert.deepEqual([json.basis, json.unknownDependencies, json.simulation], ['lanes', 3, null]);
});

const chainOf = (snippets: readonly Snippet[]) => {
  const { tree } = treeOf(snippets);
  const { rows, simulation, unknownDependencies } = JSON.parse(runWarm([tree, '--print', 'longestchain', '--json']).out);
  rmSync(tree, { recursive: true });
  const names: string[] = rows.map(({ name }: { name: string }) => name.replace(/.*[:/] ?/, ''));
  return { names, unlimitedMs: simulation.unlimitedMs, unknownDependencies };
};

/** A compile that names what it uses in another way than by the path of an output. */
const WAYS: readonly (readonly [what: string, made: Snippet, user: Snippet, unsure: number])[] = [
  [
    'GCC’s precompiled header, named without .gch',
    compile(0, 2000, 'all.hpp.cxx', { outputs: ['sub/all.hpp.gch'] }),
    compile(2000, 1000, 'z.cpp', { command: 'g++ -include sub/all.hpp -c z.cpp -o z.cpp.o' }),
    0,
  ],
  [
    'the precompiled header of cl',
    compile(0, 2000, 'pre.cpp', { outputs: ['out/pre.pch'] }),
    compile(2000, 1000, 'z.cpp', { command: 'cl /Yupre.h "/Fpout\\pre.pch" /c z.cpp' }),
    0,
  ],
  [
    'a library by its name, in the folder given',
    { ...link(0, 2000, ['q.o']), target: 'tar', outputs: ['lib/libtar.so.3.1'] },
    { ...link(2000, 1000, []), command: 'c++ z.o -L lib -ltar -o app' },
    0,
  ],
  [
    'a library of cl, in the folder given',
    { ...link(0, 2000, ['q.obj']), target: 'tar', outputs: ['lib/tar.lib'] },
    { ...link(2000, 1000, []), command: 'link /LIBPATH:lib tar.lib z.obj /out:app.exe' },
    0,
  ],
  [
    'a path with backslashes',
    compile(0, 2000, 'q.cpp', { outputs: ['obj/q.obj'], target: 'other' }),
    { ...link(2000, 1000, []), command: 'link obj\\q.obj /out:app.exe' },
    0,
  ],
  ['objects in a response file', compile(0, 2000, 'q.cpp'), { ...link(2000, 1000, []), command: 'c++ @app.rsp -o app' }, 1],
];

for (const [what, made, user, unsure] of WAYS)
  test(`without a build file, a step needs ${what}`, () => {
    const other = compile(0, 500, 'y.cpp', { target: 'apart' });
    const { names, unlimitedMs, unknownDependencies } = chainOf([made, other, user]);
    assert.equal(names.length, 2, names.join(', '));
    assert.deepEqual([unlimitedMs, unknownDependencies], [3000, unsure]);
  });

test('a response file hides what it names: no number of jobs is faster than what must have waited', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const next = random(seed);
    const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
    const snippets: Snippet[] = [];
    const endOf = new Map<string, number>();
    const [jobs, least] = [[0, 0], new Map<string, number>()];
    // Targets link what they compiled and the libraries before them; half of the links say so in a file only.
    const run = (name: string, ms: number, needs: readonly string[], made: (at: number, ms: number) => Snippet) => {
      const job = jobs[0] <= jobs[1] ? 0 : 1;
      const at = Math.max(jobs[job], ...needs.map((need) => endOf.get(need) ?? 0));
      jobs[job] = at + ms;
      endOf.set(name, at + ms);
      least.set(name, ms + Math.max(0, ...needs.map((need) => least.get(need) ?? 0)));
      snippets.push(made(at, ms));
    };
    const libraries: string[] = [];
    for (let t = 0; t < 4; t++) {
      const objects = Array.from({ length: between(1, 4) }, (_, k) => `t${t}_${k}.c.o`);
      for (const object of objects)
        run(object, between(100, 900), [], (at, ms) => compile(at, ms, object.slice(0, -2), { target: `t${t}` }));
      const needs = [...objects, ...libraries.filter(() => next() < 0.5)];
      const command = next() < 0.5 ? `cc @t${t}.rsp -o t${t}.a` : `cc ${needs.join(' ')} -o t${t}.a`;
      run(`t${t}.a`, between(50, 600), needs, (at, ms) => ({
        ...{ role: 'link', timeStart: at, duration: ms, target: `t${t}`, outputs: [`t${t}.a`], command, result: 0 },
      }));
      libraries.push(`t${t}.a`);
    }
    const { unlimitedMs } = chainOf(snippets);
    assert.ok(unlimitedMs >= Math.max(...least.values()), `seed ${seed}: ${unlimitedMs} of ${Math.max(...least.values())}`);
  }
});
