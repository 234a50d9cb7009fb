// Groups by file cost what the lines of the file cost: against slow readers of the files, and slow walks over generated programs.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { eventInMeasure } from '../../src/analysis/answers/compared/measure.ts';
import { displayFile, UNKNOWN_NAME } from '../../src/analysis/names/names.ts';
import { ROUTINE_GRANULARITY } from '../../src/analysis/profiles/granularity/stacks.ts';
import { buildShownProfile } from '../../src/analysis/profiles/shown.ts';
import { parseTransform } from '../../src/analysis/profiles/transforms/transform.ts';
import { readablePath } from '../../src/base/paths.ts';
import type { RoutineGroup } from '../../src/columns/routine-row.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import type { Profile } from '../../src/model/profile.ts';
import { analysisFor, routineRowsOf } from '../../src/views/routine-rows.ts';
import { FIXTURES, namesIn, readMaybeGz } from '../support/fixtures.ts';
import { profileOf } from '../support/kinds.ts';
import { loadText } from '../support/load.ts';
import { long } from '../support/long.ts';
import { versus } from '../support/versus.ts';

const analysed = (profile: Profile) => analyse(profile, profile.events, new Set());

function groupsByFile(a: Analysis, event = a.events[0]): ReadonlyMap<string, RoutineGroup> {
  const of = analysisFor(a, 'file');
  const { groups } = routineRowsOf(of, event, undefined, 'self', true, 'file', new Set(), 0);
  return new Map(groups.map((g) => [g.name, g]));
}

/** The sum of the cost lines of each file, by event: one line after the other. */
function readSlowly(text: string): { readonly events: string[]; readonly files: Map<string, number[]> } {
  const names = new Map<string, string>();
  const files = new Map<string, number[]>();
  let [events, positions, file, ofRoutine, ofCall]: [string[], number, string, string, boolean] = [
    [],
    1,
    UNKNOWN_NAME,
    UNKNOWN_NAME,
    false,
  ];
  for (const line of text.split('\n')) {
    const said = /^(fl|fi|fe|cfi|cfl|jfi)=(?:(\(\d+\)) ?)?(.*)$/.exec(line);
    if (said) {
      const [, word, id, name] = said;
      if (id && name !== '') names.set(id, name);
      if (/^f/.test(word)) file = (id ? names.get(id) : name) ?? UNKNOWN_NAME;
      if (word === 'fl') ofRoutine = file;
    } else if (line.startsWith('fn=')) {
      // Inlined code ends with its routine.
      file = ofRoutine;
    } else if (line.startsWith('events: ')) events = line.slice(8).trim().split(/\s+/);
    else if (line.startsWith('positions: ')) positions = line.slice(11).trim().split(/\s+/).length;
    else if (line.startsWith('calls=')) ofCall = true;
    else if (/^[+\-*\d]/.test(line)) {
      const shown = readablePath(file) || UNKNOWN_NAME;
      const sums = files.get(shown) ?? events.map(() => 0);
      const costs = ofCall ? [] : line.trim().split(/\s+/).slice(positions);
      costs.forEach((cost, k) => {
        sums[k] += Number(cost);
      });
      files.set(shown, sums);
      ofCall = false;
    }
  }
  return { events, files };
}

const REAL = ['callgrind', 'cachegrind', 'compare/v1', 'compare/v2'].flatMap((folder) =>
  namesIn(join(FIXTURES, folder), /\.(call|cache)grind\.out[^/]*$/).map((name) => join(folder, name)),
);
assert.ok(REAL.length > 40, 'the fixtures are there');

for (const name of REAL) {
  test(`${name}: each file has the cost of its lines, of every event`, async () => {
    const profile = await loadProfile([join(FIXTURES, name)]).catch(() => undefined);
    if (!profile) return;
    const a = analysed(profile);
    assert.deepEqual(checkProfile(analysisFor(a, 'file').profile), []);
    const { events, files } = readSlowly(readMaybeGz(join(FIXTURES, name)).toString('latin1'));
    for (const [k, event] of events.entries()) {
      const of = profile.events.find((e) => e.name === event);
      assert.ok(of);
      const wanted = [...files].map(([file, sums]) => [file, sums[k]] as const).filter(([, sum]) => sum !== 0);
      const groups = groupsByFile(a, of);
      const found = [...groups].map(([file, g]) => [file, g.self] as const).filter(([, sum]) => sum !== 0);
      assert.deepEqual(new Map(found), new Map(wanted), event);
      if (!a.costing.can.has('inclusive')) continue;
      const [, total] = [of.terms, a.totals.total[of.terms[0][1]][0]];
      for (const [file, { self, inclusive }] of groups) {
        if (inclusive === undefined || self < 0) continue;
        assert.ok(
          inclusive >= self * (1 - 1e-9) && inclusive <= total * 1.01 + 1,
          `${file} ${event}: ${inclusive} of ${total}, self ${self}`,
        );
      }
    }
  });
}

const INLINED = `events: Ir
fl=main.cpp
fn=main
1 10
cfl=stl_vector.h
cfn=HashTable::grow()
calls=1 900
2 100
cfl=libc.c
cfn=memcpy
calls=1 1
3 6
fl=stl_vector.h
fn=HashTable::grow()
900 40
fi=hash.cpp
12 25
cfl=libc.c
cfn=memcpy
calls=2 1
13 30
fe=stl_vector.h
901 5
fl=libc.c
fn=memcpy
1 36
`;

test('a file with inlined code has its cost, and that of the calls from its lines', async () => {
  const a = analysed(await loadText(callgrind, INLINED));
  const found = [...groupsByFile(a)].map(([file, g]) => [file, g.self, g.inclusive, g.estimated, g.routines.length]);
  // Of memcpy's 36, hash.cpp calls for 30 and main.cpp for all.
  assert.deepEqual(found, [
    ['stl_vector.h', 45, 45, false, 1],
    ['libc.c', 36, 36, false, 1],
    ['hash.cpp', 25, 55, false, 1],
    ['main.cpp', 10, 116, false, 1],
  ]);
});

/** Two levels of a recursion whose calls of itself are in inlined code. */
const RECURSION = `events: Ir
fl=main.c
fn=main
1 1
cfl=a.c
cfn=f
calls=1 1
2 45
fl=a.c
fn=f
1 10
fi=b.h
2 5
cfl=a.c
cfn=f'2
calls=1 1
2 30
fl=a.c
fn=f'2
1 20
fi=b.h
2 10
cfl=a.c
cfn=f'2
calls=1 1
2 15
`;

test('of a recursion, a file has what its lines call, and levels in a file do not all lie below the first', async () => {
  const a = analysed(await loadText(callgrind, RECURSION));
  const groups = groupsByFile(a);
  const found = (file: string) => [groups.get(file)?.self, groups.get(file)?.inclusive];
  assert.deepEqual(found('a.c'), [30, 30]);
  // Its own lines in f, and all of f'2.
  assert.deepEqual(found('b.h'), [15, 35]);
  assert.deepEqual(found('main.c'), [1, 46]);
});

/** A program: what an execution of a routine costs by itself in each file, and which routines it calls from there, how often. */
interface Part {
  readonly self: number;
  readonly calls: readonly number[];
}

const FILES = 3;
const programs = fc.integer({ min: 2, max: 6 }).chain((n) =>
  fc.array(
    fc.array(fc.record({ self: fc.nat(20), calls: fc.array(fc.constantFrom(0, 0, 1, 2), { minLength: n, maxLength: n }) }), {
      minLength: FILES,
      maxLength: FILES,
    }),
    { minLength: n, maxLength: n },
  ),
);

/** Runs a program whose routines call only later ones: what ran in lines of a file, or below calls from them. */
function run(program: readonly (readonly Part[])[], routine: number, file: number, below: boolean): number {
  return program[routine].reduce((sum, { self, calls }, f) => {
    const hit = below || f === file;
    const called = calls.map((times, callee) => (callee > routine && times > 0 ? times * run(program, callee, file, hit) : 0));
    return sum + (hit ? self : 0) + called.reduce((a, b) => a + b, 0);
  }, 0);
}

/** The profile of that run. The file of a routine may have none of its lines. */
function profileText(program: readonly (readonly Part[])[]): string {
  const whole = program.map((_, r) => run(program, r, 0, true));
  const runs = program.map(() => 0);
  runs[0] = 1;
  const out = ['events: Ir'];
  program.forEach((parts, r) => {
    out.push(`fl=file${r % FILES}`, `fn=f${r}`);
    parts.forEach(({ self, calls }, f) => {
      out.push(`fi=file${f}`, ...(self > 0 ? [`${f + 1} ${runs[r] * self}`] : []));
      calls.forEach((times, callee) => {
        if (callee <= r || times === 0 || runs[r] === 0) return;
        runs[callee] += runs[r] * times;
        out.push(
          `cfl=file${callee % FILES}`,
          `cfn=f${callee}`,
          `calls=${runs[r] * times} 1`,
          `9 ${runs[r] * times * whole[callee]}`,
        );
      });
    });
  });
  return `${out.join('\n')}\n`;
}

long('a file costs what ran in its lines or below them, as a program that runs has it', async () => {
  await fc.assert(
    fc.asyncProperty(programs, async (program) => {
      const a = analysed(await loadText(callgrind, profileText(program)));
      if (!a.costing.can.has('inclusive') || a.totals.total[0][0] === 0) return;
      for (const [file, { inclusive = Number.NaN }] of groupsByFile(a)) {
        const wanted = run(program, 0, Number(file.slice(4)), false);
        assert.ok(Math.abs(inclusive - wanted) <= 1e-9 * wanted, `${file}: ${inclusive}, not ${wanted}`);
      }
    }),
    { numRuns: 200 },
  );
});

test('two runs: each file has the difference of the costs of its lines', async () => {
  const [v1, v2] = ['v1', 'v2'].map((v) => join(FIXTURES, 'compare', v, 'shop.callgrind.out.gz'));
  const now = await loadProfile([v2]);
  const both = { granularity: ROUTINE_GRANULARITY, transforms: [], own: undefined, versus: versus(await loadProfile([v1])) };
  const a = analyse(buildShownProfile(now, both), now.events);
  const groups = groupsByFile(a, eventInMeasure(a, a.events[0], 'delta'));
  const [after, before] = [v2, v1].map((path) => readSlowly(readMaybeGz(path).toString('latin1')).files);
  for (const file of ['/usr/include/c++/12/bits/stl_tree.h', '/usr/include/c++/12/bits/basic_string.h'])
    assert.equal(groups.get(file)?.self, (after.get(file)?.[0] ?? 0) - (before.get(file)?.[0] ?? 0), file);
  const sum = [...groups.values()].reduce((all, g) => all + g.self, 0);
  const total = (files: Map<string, number[]>) => [...files.values()].reduce((all, [ir]) => all + ir, 0);
  assert.equal(sum, total(after) - total(before));
});

test('of what a focus leaves, the files have all', async () => {
  const loaded = await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]);
  for (const text of ['focus=run_words', 'hide=^std::', 'collapse=recursion']) {
    const left = { granularity: ROUTINE_GRANULARITY, transforms: [parseTransform(text)], own: undefined, versus: undefined };
    const a = analyse(buildShownProfile(loaded, left), loaded.events);
    assert.deepEqual(checkProfile(analysisFor(a, 'file').profile), []);
    const groups = [...groupsByFile(a).values()];
    const sum = groups.reduce((all, g) => all + g.self, 0);
    const total = a.totals.self[0].reduce((all, cost) => all + cost, 0);
    assert.ok(Math.abs(sum - total) <= 1e-9 * total && sum > 0, `${text}: ${sum} of ${total}`);
    assert.ok(groups.every((g) => g.inclusive === undefined || g.inclusive >= g.self * (1 - 1e-9)));
  }
});

test('samples count in the file of the frame, where the routine has none', async () => {
  const a = analysed(await loadProfile([join(FIXTURES, 'perf-script/srcline.perf.gz')]));
  const { frames, stacks } = profileOf(a.profile, 'stacks');
  const groups = groupsByFile(a);
  const wanted = new Map<string, [self: number, inclusive: number]>();
  stacks.costs[a.events[0].terms[0][1]].forEach((cost, s) => {
    const files = Array.from(stacks.frame.subarray(stacks.start[s], stacks.start[s + 1]), (f) =>
      displayFile(a.profile, frames.file[f]),
    );
    for (const file of new Set(files)) {
      const [self, inclusive] = wanted.get(file) ?? [0, 0];
      wanted.set(file, [self + (files[0] === file ? cost : 0), inclusive + cost]);
    }
  });
  assert.ok(wanted.size > 5);
  assert.deepEqual(new Map([...groups].map(([file, g]) => [file, [g.self, g.inclusive]])), wanted);
});
