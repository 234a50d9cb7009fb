// The runs of a log of ninja, in columns, against a plain reading of the same rules with texts and maps; and build files that are costly to follow.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { LogLines, splitRuns } from '../../src/formats/ninja-runs.ts';
import { loadProfile } from '../../src/io/load.ts';
import { profileOf } from '../support/kinds.ts';
import { longest } from '../support/long.ts';

interface Line {
  readonly start: number;
  readonly end: number;
  readonly output: number;
  readonly hash: number;
}

/** `rewritten`, and the outputs of each command, of each run. */
type Runs = readonly (readonly [rewritten: boolean, commands: readonly (readonly number[])[]])[];

function plainly(lines: readonly Line[]): Runs {
  const key = (l: Line) => `${l.start} ${l.end} ${l.hash}`;
  const firstAgain = lines.findIndex((l, k) => lines.findIndex((m) => m.output === l.output) < k);
  const first = firstAgain < 0 ? lines.length : firstAgain;
  const head = lines.slice(0, first);
  const back = head.filter((l, k) => k > 0 && l.end < head[k - 1].end).length;
  const rewritten = back > 4 && back > new Set(head.map(key)).size / 4 ? first : 0;
  const runs: [boolean, Map<string, number[]>][] = [];
  lines.forEach((l, k) => {
    const commands = runs.at(-1)?.[1] ?? new Map<string, number[]>();
    // The command that made the output last in this run.
    const made = [...commands].filter(([, outputs]) => outputs.includes(l.output)).map(([of]) => of);
    const again = made.length > 0 && !made.includes(key(l));
    if (k === 0 || k === rewritten || (k > rewritten && (l.end < lines[k - 1].end || again)))
      runs.push([k < rewritten, new Map()]);
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
