// The runs of a log of ninja, in columns, against a plain reading of the same rules with texts and maps; and build files that are costly to follow.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { outputsOf, stepText } from '../../src/analysis/answers/steps/steps.ts';
import { LogLines, splitRuns } from '../../src/formats/ninja-runs.ts';
import { loadProfile } from '../../src/io/load.ts';
import { unpack } from '../support/bundle.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { profileOf } from '../support/kinds.ts';
import { longest } from '../support/long.ts';
import { random as makeRandom } from '../support/random.ts';

interface Line {
  readonly start: number;
  readonly end: number;
  readonly output: number;
  readonly hash: number;
}

/** `rewritten`, and the outputs of each command, of each run. */
type Runs = readonly (readonly [rewritten: boolean, commands: readonly (readonly number[])[]])[];

const atOnce = (lines: readonly Line[]): number =>
  Math.max(0, ...lines.map(({ start }) => lines.filter((other) => other.start <= start && start < other.end).length));

function plainly(lines: readonly Line[]): Runs {
  const key = (l: Line) => `${l.start} ${l.end} ${l.hash}`;
  const firstAgain = lines.findIndex((l, k) => lines.findIndex((m) => m.output === l.output) < k);
  const first = firstAgain < 0 ? lines.length : firstAgain;
  const head = lines.slice(0, first);
  const back = head.filter((l, k) => k > 0 && l.end < head[k - 1].end).length;
  const rewritten = back > 4 && back > new Set(head.map(key)).size / 4 ? first : 0;
  const runs: [boolean, Map<string, number[]>][] = [];
  let from = 0;
  lines.forEach((l, k) => {
    const commands = runs.at(-1)?.[1] ?? new Map<string, number[]>();
    // The command that made the output last in this run.
    const made = [...commands].filter(([, outputs]) => outputs.includes(l.output)).map(([of]) => of);
    const again = made.length > 0 && !made.includes(key(l));
    // Times of a few milliseconds fall back only if both runs at once would need more jobs than each.
    const fallsBack = k > 0 && l.end < lines[k - 1].end && l.start <= lines[k - 1].start;
    const isOther = () => atOnce(lines.slice(from)) > Math.max(atOnce(lines.slice(from, k)), atOnce(lines.slice(k)));
    if (k === 0 || k === rewritten || (k > rewritten && (again || (fallsBack && isOther())))) {
      runs.push([k < rewritten, new Map()]);
      from = k;
    }
    const now = runs.at(-1)![1];
    now.set(key(l), [...(now.get(key(l)) ?? []), l.output]);
  });
  return runs.map(([old, commands]) => [old, [...commands.values()]]);
}

function inColumns(lines: readonly Line[]): Runs {
  const columns = new LogLines();
  for (const { start, end, output, hash } of lines) columns.add(start, end, output, 0, hash);
  const { runs, first, next } = splitRuns(columns, 100);
  return runs.map(({ isRewritten: rewritten, from, to }) => [
    rewritten,
    Array.from({ length: to - from }, (_, k) => {
      const outputs: number[] = [];
      for (let line = first[from + k]; ; line = next[line]) {
        outputs.push(lines[line].output);
        if (next[line] === 0) return outputs;
      }
    }),
  ]);
}

test('runs, commands and outputs are those of a plain reading', () => {
  const line = fc.record({
    start: fc.integer({ min: 0, max: 3 }),
    end: fc.integer({ min: 3, max: 9 }),
    output: fc.integer({ min: 0, max: 12 }),
    hash: fc.integer({ min: 0, max: 2 }),
  });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), fc.boolean(), (lines, isSorted) => {
      const given = isSorted ? [...lines].sort((a, b) => a.end - b.end) : lines;
      assert.deepEqual(inColumns(given), plainly(given));
    }),
    { numRuns: 3000 },
  );
});

/** A build with so many jobs: each command starts when one of the jobs is free. In the order of their ends, as ninja writes them. */
function buildLines(commands: number, jobs: number, firstOutput: number, random: () => number): Line[] {
  const free = Array<number>(jobs).fill(5);
  const lines = Array.from({ length: commands }, (_, k) => {
    const job = free.indexOf(Math.min(...free));
    const start = free[job] + Math.floor(random() * 5);
    const end = start + 20 + Math.floor(random() * 2000);
    free[job] = end;
    return { start, end, output: firstOutput + k, hash: firstOutput + k };
  });
  return lines.sort((a, b) => a.end - b.end);
}

const swapSome = (lines: readonly Line[], swaps: number, random: () => number): Line[] => {
  const out = [...lines];
  for (let n = 0; n < swaps; n++) {
    const [a, b] = [Math.floor(random() * out.length), Math.floor(random() * out.length)];
    [out[a], out[b]] = [out[b], out[a]];
  }
  return out;
};

function runsIn(lines: readonly Line[]): readonly number[] {
  const columns = new LogLines();
  for (const { start, end, output, hash } of lines) columns.add(start, end, output, 0, hash);
  return splitRuns(columns, 5000).runs.map(({ from, to }) => to - from);
}

test('lines of one build in any order are one run; two builds are two', () => {
  for (let seed = 0; seed < 300; seed++) {
    const random = makeRandom(seed);
    const [commands, jobs] = [40 + Math.floor(random() * 260), 1 + Math.floor(random() * 16)];
    const lines = buildLines(commands, jobs, 0, random);
    const byStart = [...lines].sort((a, b) => a.start - b.start);
    const shuffled = swapSome(lines, commands * 2, random);
    for (const order of [lines, byStart, shuffled]) assert.deepEqual(runsIn(order), [commands], `seed ${seed}`);
    // The same outputs again, then others: both are runs of their own.
    const few = Math.ceil(commands / 3);
    assert.deepEqual(runsIn([...lines, ...buildLines(few, jobs, 0, random)]), [commands, few], `seed ${seed}`);
    assert.deepEqual(runsIn([...lines, ...buildLines(few, jobs, 1000, random)]), [commands, few], `seed ${seed}`);
  }
});

test('with some lines out of order, one build is seldom taken for two', () => {
  let wrong = 0;
  for (let seed = 0; seed < 300; seed++) {
    const random = makeRandom(seed);
    const lines = buildLines(40 + Math.floor(random() * 260), 1 + Math.floor(random() * 16), 0, random);
    if (runsIn(swapSome(lines, 1 + (seed % 12), random)).length > 1) wrong++;
  }
  assert.ok(wrong <= 12, `${wrong} of 300`);
});

const lineOf = (k: number, output: string) => `${k}\t${k + 1}\t1\t${output}\t${(k + 1).toString(16)}\n`;

/** A log with its build file beside it. */
async function withBuild(outputs: readonly string[], build: string) {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  writeFileSync(join(folder, 'build.ninja'), build);
  writeFileSync(join(folder, '.ninja_log'), `# ninja log v5\n${outputs.map((o, k) => lineOf(k, o)).join('')}`);
  const profile = profileOf(await loadProfile([join(folder, '.ninja_log')]), 'steps');
  rmSync(folder, { recursive: true });
  const { needs, name } = profile.steps;
  const order = new Map(Array.from(name, (_, i) => [i, outputs[i]]));
  return {
    caveat: profile.steps.needsCaveat,
    pairs: new Set(Array.from(needs?.step ?? [], (s, k) => `${order.get(s)} ${order.get(needs!.of[k])}`)),
  };
}

test('files that no step made stand for what they are made of, through any number of others', async () => {
  const n = 20_000;
  const chain = Array.from({ length: n }, (_, k) => `build p${k + 1}: phony p${k}\nbuild o${k}: cc s${k} || p${k + 1}\n`).join(
    '',
  );
  const outputs = ['gen', ...Array.from({ length: n }, (_, k) => `o${k}`)];
  const { pairs } = await withBuild(outputs, `rule cc\n command = cc\nbuild gen: cc x\nbuild p0: phony gen\n${chain}`);
  assert.deepEqual([pairs.size, pairs.has('o0 gen'), pairs.has(`o${n - 1} gen`)], [n, true, true]);
  // Two ways to the same file, and a ring of files that nothing made.
  const both = 'build a: cc x\nbuild b: cc y\nbuild l: phony a r\nbuild r: phony b l\nbuild t: cc l r\n';
  const small = await withBuild(['a', 'b', 't'], `rule cc\n command = cc\n${both}`);
  assert.ok(small.pairs.has('t a') && small.pairs.has('t b'));
});

longest('more dependencies than anyone can follow are left out, and said', async () => {
  const n = 3000;
  const names = (letter: string) => Array.from({ length: n }, (_, k) => `${letter}${k}`);
  const build =
    'rule cc\n command = cc\n' +
    names('g')
      .map((g) => `build ${g}: cc x\n`)
      .join('') +
    `build all: phony ${names('g').join(' ')}\n` +
    names('o')
      .map((o) => `build ${o}: cc s || all\n`)
      .join('');
  const { caveat } = await withBuild([...names('g'), ...names('o')], build);
  assert.match(caveat ?? '', /more than 6,000,000 dependencies/);
});

/** Runs of a log of version 6 with the clock, without an output that is made twice. `pauseMs`: from the end of a run to the next. */
function clockedRuns(seed: number, pauseMs: number, runs: number) {
  const next = makeRandom(seed);
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  const columns = new LogLines();
  columns.version = 6;
  const truth: number[] = [];
  let [origin, output] = [1_790_000_000_000, 0];
  for (let r = 0; r < runs; r++) {
    const jobs = Array.from({ length: between(1, 4) }, () => 0);
    const lines = Array.from({ length: between(1, 12) }, () => {
      const job = jobs.indexOf(Math.min(...jobs));
      const [start, end] = [jobs[job], jobs[job] + between(1, 3000)];
      jobs[job] = end;
      return { start, end };
    }).sort((a, b) => a.end - b.end);
    // The clock is that of the start, or of an output that was written later.
    for (const { start, end } of lines)
      columns.add(start, end, output++, 0, output, origin + (next() < 0.5 ? start : between(start, end)) + 0.5);
    truth.push(lines.length);
    origin += Math.max(...jobs) + pauseMs;
  }
  return { truth, found: splitRuns(columns, output).runs.map(({ from, to }) => to - from) };
}

test('from version 6 on, the clock tells runs apart', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const { truth, found } = clockedRuns(seed, 3_600_000, 4);
    assert.deepEqual(found, truth, `seed ${seed}`);
  }
});

test('a clock that agrees separates nothing: one run is one run', () => {
  for (let seed = 1; seed <= 200; seed++) assert.equal(clockedRuns(seed, 0, 1).found.length, 1, `seed ${seed}`);
});

test('build.ninja is made alone: the next line is of the next run, with its own clock', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-regenerated-'));
  const path = join(folder, '.ninja_log');
  // A log of ninja 1.11.1 -j2, whose generator slept for 0.8 s; the other outputs of the generator are of its run.
  const lines = [
    ...[
      '# ninja log v5',
      '0\t815\t1795962622045637646\tbuild.ninja\t512b8c913a5775a1',
      '0\t815\t0\tinstall.cmake\t512b8c913a5775a1',
    ],
    ...['1\t1017\t1795962623065637646\ta.o\ta636284f2914bab', '2\t1216\t1795962623261637646\tb.o\t38d191f58c0861c8'],
    ...['1017\t1837\t1795962623881637646\tc.o\t4107532df3fdf3d4', '1216\t2028\t1795962624073637646\td.o\t318959a029590144'],
    '2028\t2139\t1795962624185637646\tapp\t6df56e6aa4190632',
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  const { parts, steps } = profileOf(await loadProfile([path]), 'steps');
  rmSync(folder, { recursive: true });
  assert.equal(parts.length, 2);
  assert.deepEqual(Array.from(steps.part), [0, 1, 1, 1, 1, 1]);
});

test('without build.ninja, programs and libraries are links of the targets whose objects the log has, as CMake records the same build', async () => {
  const log = profileOf(await loadProfile([join(FIXTURES, 'ninja-log/mbedtls/.ninja_log.gz')]), 'steps');
  const build = profileOf(await loadProfile([join(unpack(join(FIXTURES, 'cmake/mbedtls-ninja.json.gz')), 'build')]), 'steps');
  const linksOf = (profile: typeof log) =>
    Array.from(profile.steps.name.keys()).flatMap((step) => {
      if (stepText(profile, 'role', step) !== 'link') return [];
      return outputsOf(profile, step).map((path) => [basename(path), stepText(profile, 'target', step)] as const);
    });
  // CMake recorded no step for one of the libraries.
  const recorded = new Map(linksOf(build));
  const found = linksOf(log).filter(([output]) => recorded.has(output));
  assert.ok(found.length > 160, `${found.length} links`);
  assert.deepEqual(
    found.filter(([output, target]) => recorded.get(output) !== target),
    [],
  );
});
