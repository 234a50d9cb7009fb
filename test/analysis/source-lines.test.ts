// Lines with their calls, against the ground truth of every fixture and against slow references.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { annotateRoutine } from '../../src/analysis/answers/annotate.ts';
import { eventInMeasure } from '../../src/analysis/answers/compared/measure.ts';
import { filesByCost, hotLines } from '../../src/analysis/answers/hot-lines.ts';
import { fileName, findRoutines, nameInData, UNKNOWN_NAME } from '../../src/analysis/names/names.ts';
import { isOwnFile } from '../../src/analysis/names/origin.ts';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { recordedCost } from '../support/claims.ts';
import { existing, FIXTURES, namesIn, readJson } from '../support/fixtures.ts';
import { analysisOf } from '../support/kinds.ts';
import { loadAnalysis, loadText } from '../support/load.ts';
import { long } from '../support/long.ts';
import { contextOf } from '../support/reports.ts';
import { PLAINLY } from '../support/versus.ts';

interface Truth {
  readonly events: string[];
  readonly functions: { name: string; file: string; object: string; self: number[] }[];
  readonly calls: [caller: number, callee: number, count: number, cost: number[]][];
  readonly lines: [fn: number, file: string, line: number, cost: number[]][];
}

const FOLDER = join(FIXTURES, 'callgrind');
const NAMES = namesIn(FOLDER, /\.callgrind\.out(\.gz)?$/).map((n) => n.replace(/\.callgrind\.out(\.gz)?$/, ''));
const WITH_TRUTH = NAMES.filter((n) => namesIn(FOLDER, /\.truth\.json(\.gz)?$/).some((t) => t.startsWith(`${n}.truth.json`)));
assert.ok(WITH_TRUTH.length > 30);

long('Source has a row for each line and callee, with the counts and costs of the ground truth', async () => {
  for (const name of WITH_TRUTH) {
    const a = await loadAnalysis(existing(join(FOLDER, `${name}.callgrind.out`)));
    const truth = readJson<Truth>(join(FOLDER, `${name}.truth.json`));
    const column = a.profile.events.find((e) => e.name === truth.events[0])!.terms[0][1];
    // Names alone: functions of the same name in several objects are added up on both sides.
    const add = (map: Map<string, [number, number]>, key: string, count: number, cost: number) => {
      const [n, c] = map.get(key) ?? [0, 0];
      map.set(key, [n + count, c + cost]);
    };
    const theirs = new Map<string, [number, number]>();
    for (const [caller, callee, count, cost] of truth.calls)
      add(
        theirs,
        `${truth.functions[caller].name || UNKNOWN_NAME} > ${truth.functions[callee].name || UNKNOWN_NAME}`,
        count,
        cost[0],
      );
    const mine = new Map<string, [number, number]>();
    for (let r = 0; r < a.profile.routines.name.length; r++) {
      for (const { calls } of annotateRoutine(a, r)) {
        // In a recursion each cost counts once: its edge has what was recorded.
        const seen = new Set<string>();
        calls?.line.forEach((line, i) => {
          const key = `${line} ${calls.callee[i]}`;
          assert.ok(!seen.has(key), `${name}: two rows of line and callee ${key}`);
          seen.add(key);
          const nameOf = (routine: number) => nameInData(a.profile, routine) || UNKNOWN_NAME;
          const pair = `${nameOf(r)} > ${nameOf(calls.callee[i])}`;
          add(mine, pair, calls.count[i], recordedCost(a, r, calls, i, column));
        });
      }
    }
    assert.deepEqual(mine, theirs, name);
  }
});

test('calls repeated by address are one row that says from how many call sites', async () => {
  const a = await loadAnalysis(existing(join(FOLDER, 'real-python.callgrind.out')));
  const [r] = findRoutines(a.profile, '_PyEval_EvalFrameDefault');
  const sites = a.costing.callSites({ from: r })!;
  const rows = annotateRoutine(a, r).flatMap((f) => (f.calls ? [f.calls] : []));
  const total = rows.reduce((n, c) => n + c.sites.reduce((x, y) => x + y, 0), 0);
  assert.equal(total, sites.line.length);
  assert.ok(rows.some((c) => c.sites.some((n) => n > 1)));
});

test('calls to the routine itself and within its cycle are marked, and only those', async () => {
  const a = await loadAnalysis(existing(join(FOLDER, 'recs1.callgrind.out')));
  const marked = (name: string) => {
    const [r] = findRoutines(a.profile, name);
    return annotateRoutine(a, r).flatMap(({ calls }) =>
      calls ? Array.from(calls.callee, (callee, i) => [nameInData(a.profile, callee), calls.inside[i]] as const) : [],
    );
  };
  // fib calls itself; parse_expr, parse_term and parse_factor call each other.
  assert.deepEqual(
    [
      ...new Set(
        marked('demo::fib')
          .filter(([, inside]) => inside === 1)
          .map(([n]) => n),
      ),
    ],
    ['demo::fib(unsigned int)'],
  );
  const expr = marked('demo::parse_expr');
  assert.ok(expr.some(([n, inside]) => n.startsWith('demo::parse_term') && inside === 1));
  assert.ok(expr.every(([n, inside]) => /^demo::parse_/.test(n) === (inside === 1)));
});

long('the costliest file of a routine comes first, by the ground truth of every fixture', async () => {
  let inlined = 0;
  for (const name of WITH_TRUTH) {
    const a = await loadAnalysis(existing(join(FOLDER, `${name}.callgrind.out`)));
    const truth = readJson<Truth>(join(FOLDER, `${name}.truth.json`));
    const event = a.profile.events.find((e) => e.name === truth.events[0])!;
    const byFile = new Map<number, Map<string, number>>();
    for (const [fn, file, , cost] of truth.lines) {
      const files = byFile.get(fn) ?? new Map<string, number>();
      byFile.set(fn, files.set(file, (files.get(file) ?? 0) + cost[0]));
    }
    for (const [fn, files] of byFile) {
      const f = truth.functions[fn];
      const known = [...files.values()].reduce((x, y) => x + y, 0);
      const found = findRoutines(a.profile, f.name).filter((r) => a.totals.self[event.terms[0][1]][r] === f.self[0]);
      if (found.length !== 1) continue;
      const annotated = annotateRoutine(a, found[0]);
      // The test above checks what calls cost.
      const [[, column]] = event.terms;
      const calls = annotated.map((x) => x.calls?.costs[column].reduce((sum, cost) => sum + cost, 0) ?? 0);
      const sums = annotated.map(
        (x, k) => [fileName(a.profile, x.file), (files.get(fileName(a.profile, x.file) ?? '') ?? 0) + calls[k]] as const,
      );
      // The truth lists the lines of our own sources: enough to tell which file leads where nothing else outweighs it.
      const [[best, most], [, second] = ['', 0]] = sums.sort((x, y) => y[1] - x[1]);
      if (most - second <= f.self[0] - known) continue;
      const names = filesByCost(annotated, event).map((x) => fileName(a.profile, x.file));
      assert.equal(names[0], best, `${name}: ${f.name}`);
      if (names.length > 1 && best !== f.file) inlined++;
    }
  }
  assert.ok(inlined > 0, 'some routine has most of its cost in another file than its own');
});

test('lines are ranked by their cost with calls', async () => {
  const a = await loadAnalysis(existing(join(FOLDER, 'instr-jumps.callgrind.out')));
  const [event] = a.events;
  const [r] = findRoutines(a.profile, 'main');
  const files = annotateRoutine(a, r);
  // The calls of main by cost, as callgrind_annotate has them: 251,580 of run_words, 56,613 of run_matrix, 26,960 of run_calc.
  const order = hotLines(files, event).map((h) => [fileName(a.profile, files[h.file].file), files[h.file].line[h.row]]);
  assert.deepEqual(order.slice(0, 3), [
    ['src/main.cpp', 14],
    ['src/main.cpp', 12],
    ['src/main.cpp', 13],
  ]);
});

test('calls that a routine makes of itself, or of its cycle, do not make a line hot', async () => {
  const order = async (callee: string, rest: string) => {
    const call = (line: number, fn: string, cost: number) => `${line} 10\ncfn=${fn}\ncalls=3 1\n${line} ${cost}\n`;
    const text = `events: Ir\nfl=a.c\nfn=fib\n1 50\n${call(2, callee, 900)}${call(3, 'other', 45)}fn=other\n1 45\n${rest}`;
    const a = contextOf(await loadText(callgrind, text)).analysis;
    const [r] = findRoutines(a.profile, 'fib');
    const files = annotateRoutine(a, r);
    return hotLines(files, a.events[0]).map((h) => files[h.file].line[h.row]);
  };
  assert.deepEqual(await order('fib', ''), [3, 1, 2], 'line 3 costs 10 and a call of 45');
  assert.deepEqual(await order('even', 'fn=even\n1 100\ncfn=fib\ncalls=1 1\n1 700\n'), [3, 1, 2], 'a cycle of two');
  assert.deepEqual(await order('leaf', 'fn=leaf\n1 900\n'), [2, 3, 1], 'a call that leaves the routine');
});

/** main in main.cpp, with code inlined from a header: by how much lines 10 and 11 changed, and the header's line 99. */
const inlined = async (ten: number, eleven: number, header: number) => {
  const program = (costs: readonly number[]) => {
    const [a, b, c] = costs.map((cost) => cost + 20_000);
    return loadText(
      callgrind,
      `events: Ir\nfl=/home/u/main.cpp\nfn=main\n10 ${a}\n11 ${b}\nfi=/usr/include/c++/12/bits/stl_algo.h\n99 ${c}\n`,
    );
  };
  const plain = contextOf(compareProfiles(await program([ten, eleven, header]), await program([0, 0, 0]), PLAINLY));
  const event = eventInMeasure(plain.analysis, plain.event, 'delta');
  const files = annotateRoutine(plain.analysis, 0);
  const { profile } = plain.analysis;
  return {
    order: hotLines(files, event, profile).map((h) => files[h.file].line[h.row]),
    first: fileName(profile, filesByCost(files, event, profile)[0].file),
  };
};

test('of two runs, own code comes by its change before headers inlined into it, unless it is nothing beside them', async () => {
  assert.deepEqual(await inlined(-300, 500, 9000), { order: [11, 10, 99], first: '/home/u/main.cpp' });
  // A line of less than 1 % of the costliest stays in the order of cost.
  assert.deepEqual(await inlined(30, 500, 9000), { order: [11, 99, 10], first: '/home/u/main.cpp' });
  assert.deepEqual(await inlined(3, 5, 9000), { order: [99, 11, 10], first: '/usr/include/c++/12/bits/stl_algo.h' });
});

test('of two runs, the line whose cost grew most with its calls comes first, then other increases, then decreases', async () => {
  const cost = fc.integer({ min: 0, max: 1000 });
  const lines = fc.array(fc.record({ now: cost, before: cost, calledNow: cost, calledBefore: cost }), {
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(lines, async (rows) => {
      const text = (side: 'now' | 'before') => {
        const called = side === 'now' ? 'calledNow' : 'calledBefore';
        const body = rows.map((r, i) => `${i + 1} ${r[side]}\ncfn=lib\ncalls=1 1\n${i + 1} ${r[called]}\n`).join('');
        return `events: Ir\nfl=/home/u/a.c\nfn=work\n${body}fn=lib\n1 ${rows.reduce((sum, r) => sum + r[called], 0)}\n`;
      };
      const plain = contextOf(
        compareProfiles(await loadText(callgrind, text('now')), await loadText(callgrind, text('before')), PLAINLY),
      );
      const files = annotateRoutine(plain.analysis, 0);
      const order = hotLines(files, eventInMeasure(plain.analysis, plain.event, 'delta'), plain.analysis.profile);
      const growth = (line: number) => {
        const r = rows[line - 1];
        return r.now + r.calledNow - r.before - r.calledBefore;
      };
      const given = order.map((h) => growth(files[h.file].line[h.row]));
      assert.deepEqual(
        given,
        [...given].sort((a, b) => Number(b > 0) - Number(a > 0) || Math.abs(b) - Math.abs(a)),
      );
    }),
    { numRuns: 60 },
  );
});

test('which files are one’s own is told by their paths', async () => {
  const own = [
    '/home/u/a.cpp',
    'src/a.h',
    './a.c',
    '/build/src/a.cpp',
    '/usr/src/myapp/a.c',
    '/home/u/elf/a.c',
    '/home/u/malloc.c',
  ];
  const others = [
    ...['/usr/include/stdio.h', '/usr/include/c++/12/bits/char_traits.h', '/opt/gcc-13/include/c++/13/vector', '???'],
    // As Debian's C library names its files.
    ...[
      './elf/./elf/dl-lookup.c',
      './ctype/./ctype/ctype.c',
      './string/../sysdeps/x86_64/strcmp.S',
      './malloc/./malloc/malloc.c',
    ],
    ...['../sysdeps/x86_64/dl-machine.h', '../csu/libc-start.c', '/build/glibc-6iIyqe/glibc-2.36/elf/rtld.c'],
  ];
  for (const [paths, is] of [[own, true] as const, [others, false] as const]) {
    const text = paths.map((path, i) => `fl=${path}\nfn=f${i}\n1 5\n`).join('');
    const profile = await loadText(callgrind, `events: Ir\n${text}`);
    for (const r of profile.routines.name.keys()) assert.equal(isOwnFile(profile, profile.routines.file[r]), is, paths[r]);
  }
});

test('a sample counts once for a line and callee, however many addresses call', async () => {
  let repeated = 0;
  for (const name of namesIn(join(FIXTURES, 'gperftools'), /\.prof(\.gz)?$/)) {
    const a = analysisOf((await loadAnalysis(join(FIXTURES, 'gperftools', name))).profile, 'stacks');
    const { stacks, frames } = a.profile;
    const sums = new Map<string, number>();
    const sites = new Map<string, Set<number>>();
    for (let s = 0; s < stacks.part.length; s++) {
      const seen = new Set<string>();
      for (let k = stacks.start[s] + 1; k < stacks.start[s + 1]; k++) {
        const f = stacks.frame[k];
        const callee = frames.routine[stacks.frame[k - 1]];
        const key = `${frames.routine[f]} ${frames.file[f]} ${frames.line[f]} ${callee}`;
        seen.add(key);
        sites.set(key, (sites.get(key) ?? new Set()).add(f));
      }
      for (const key of seen) sums.set(key, (sums.get(key) ?? 0) + stacks.costs[0][s]);
    }
    const mine = new Map<string, number>();
    for (let r = 0; r < a.profile.routines.name.length; r++) {
      for (const { file, calls } of annotateRoutine(a, r)) {
        calls?.line.forEach((line, i) => {
          const key = `${r} ${file} ${line} ${calls.callee[i]}`;
          mine.set(key, calls.costs[0][i]);
          assert.equal(calls.sites[i], sites.get(key)?.size, key);
          assert.equal(calls.inside[i] === 1, r === calls.callee[i]);
          if (calls.sites[i] > 1) repeated++;
        });
      }
    }
    assert.deepEqual(mine, sums, name);
  }
  assert.ok(repeated > 0);
});
