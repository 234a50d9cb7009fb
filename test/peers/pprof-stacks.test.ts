// Stacks, callers and callees, and source beside what pprof of Go 1.19 printed of the same profile: all its numbers.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { Profile } from 'pprof-format';
import { print, rowsOf, wordsFor } from '../support/coming-from.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';

const FILES = { 'cpu.pb.gz': 'pprof/cpu.pb.gz' };
const printed = (name: string) => readMaybeGz(join(FIXTURES, `pprof/printed/${name}.txt`)).toString();
/** The words of the guide, with `.` for the expression: all functions. */
const here = (there: string) => wordsFor('pprof', `\`pprof ${there}\``).map((word) => word.replace('/insert/', '/./'));
const withoutMark = (name: string) => name.replace(/ \((?:partial-)?inline\)$/, '');

/** The samples of a time of pprof, 10 ms each. */
const samplesOf = (time: string) => Math.round(Number.parseFloat(time) * (time.endsWith('ms') ? 0.1 : 100)) || 0;

interface Costs {
  readonly samples: number;
}

test('pprof -traces: the samples and labels of every stack', () => {
  interface Row {
    readonly stack: readonly string[];
    readonly count: number;
    readonly cost: Costs;
    readonly labels: { readonly worker?: readonly string[] };
  }
  const expected = new Map<string, { samples: number; readonly workers: Set<string> }>();
  const blocks = printed('traces')
    .split(/^-{11}\+-+\n/m)
    .slice(1, -1);
  for (const block of blocks) {
    const frames = [...block.matchAll(/^(?: *(\d\S*s) {3}| {13})(\S.*)$/gm)];
    // pprof lists each combination of a stack and labels, proftui each stack with its labels.
    const stack = JSON.stringify(frames.map(([, , name]) => withoutMark(name)).reverse());
    const known = expected.get(stack) ?? { samples: 0, workers: new Set() };
    const worker = /^ +worker: +(\S+)$/m.exec(block);
    if (worker) known.workers.add(worker[1]);
    expected.set(stack, { ...known, samples: known.samples + samplesOf(frames[0][1]) });
  }
  assert.deepEqual([blocks.length, expected.size], [691, 338]);
  const rows = rowsOf<Row>(here('-traces'), FILES);
  assert.equal(rows.length, expected.size);
  for (const { stack, count, cost, labels } of rows) {
    const found = { samples: cost.samples, workers: new Set(labels.worker) };
    assert.deepEqual(found, expected.get(JSON.stringify(stack)));
    assert.equal(count, cost.samples);
  }
});

interface Node {
  readonly name: string;
  readonly flat: number;
  readonly cum: number;
  readonly calls: readonly (readonly [call: string, samples: number])[];
}

/** The nodes of -peek and -tree, each with the calls from above its line and those below. */
function nodesOf(text: string): Node[] {
  const blocks = text.split(/^-{58}\+-+\n/m).slice(2);
  return blocks.flatMap((block) => {
    const [, flat, cum, marked] = /^ *(\S+) +\S+% +\S+% +(\S+) +\S+% +\| (.*)$/m.exec(block) ?? [];
    if (marked === undefined) return [];
    const name = withoutMark(marked);
    const at = block.indexOf(`| ${marked}`);
    const calls = [...block.matchAll(/^ +(\S+) +\S+% \| {3}(.*)$/gm)].map(({ index, 1: time, 2: other }) => {
      const pair = index < at ? [withoutMark(other), name] : [name, withoutMark(other)];
      return [pair.join(' → '), samplesOf(time)] as const;
    });
    return [{ name, flat: samplesOf(flat), cum: samplesOf(cum), calls }];
  });
}

test('pprof -peek and -tree: every node and every call', () => {
  interface Call {
    readonly of: string;
    readonly caller: { readonly routine: string };
    readonly callee: { readonly routine: string };
    readonly inclusive: Costs;
  }
  interface Routine {
    readonly routine: string;
    readonly self: Costs;
    readonly inclusive: Costs;
  }
  const nodes = nodesOf(printed('peek'));
  const routines = rowsOf<Routine>(here('-top'), FILES).map((row) => [row.routine, row.self.samples, row.inclusive.samples]);
  assert.deepEqual(routines.sort(), nodes.map(({ name, flat, cum }) => [name, flat, cum]).sort());
  // proftui has a row per call site and lists calls of a routine to itself, which pprof leaves out.
  const sums = (rows: readonly Call[]) => {
    const found = new Map<string, number>();
    for (const { caller, callee, inclusive } of rows) {
      const call = `${caller.routine} → ${callee.routine}`;
      if (caller.routine !== callee.routine) found.set(call, (found.get(call) ?? 0) + inclusive.samples);
    }
    return [...found].sort();
  };
  const peeked = rowsOf<Call>(here('-peek=insert'), FILES);
  for (const { name, calls } of nodes) assert.deepEqual(sums(peeked.filter(({ of }) => of === name)), [...calls].sort(), name);
  const all = new Map(nodes.flatMap(({ calls }) => calls));
  assert.deepEqual(sums(rowsOf<Call>(here('-tree'), FILES)), [...all].sort());
  assert.deepEqual([nodes.length, all.size], [228, 290]);
});

test('pprof -list: flat and cum of every line of every function', () => {
  interface Line {
    readonly of: string;
    readonly file: string;
    readonly line: number;
    readonly self: Costs;
    readonly inclusive: Costs;
  }
  const expected: (readonly [string, number, number])[] = [];
  for (const block of printed('list')
    .split(/^ROUTINE =+ /m)
    .slice(1)) {
    const [, name, path] = /^(.*) in (\S+)$/m.exec(block) ?? [];
    const lines = [...block.matchAll(/^ +(\S+) +(\S+) +(\d+):/gm)];
    for (const [, flat, cum, line] of lines) expected.push([`${name} ${path}:${line}`, samplesOf(flat), samplesOf(cum)]);
    // The heading adds up the lines: with recursion, its cum is more than that of the function.
    const [, flat, cum] = /^ +(\S+) +(\S+) \(flat, cum\)/m.exec(block) ?? [];
    const sums = [1, 2].map((k) => lines.reduce((sum, line) => sum + samplesOf(line[k]), 0));
    assert.deepEqual(sums, [samplesOf(flat), samplesOf(cum)], name);
  }
  // pprof was run with the paths of the sources cut off.
  const shortOf = (file: string) => file.replace(/^\/opt\/proftui-demo\/gp\/shown\/|^\/usr\/lib\/go-1\.19\/src\//, '');
  const found = rowsOf<Line>(here('-list=insert'), FILES)
    .filter(({ inclusive }) => inclusive.samples > 0)
    .map(({ of, file, line, self, inclusive }) => [`${of} ${shortOf(file)}:${line}`, self.samples, inclusive.samples]);
  assert.deepEqual(found.sort(), expected.sort());
  assert.equal(expected.length, 537);
});

test('pprof -proto -focus=insert: what is exported has the costs that -top prints of it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-peers-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'focused.pb.gz');
  print(here('-proto').with(-1, path), FILES);
  const rows = rowsOf<{ readonly routine: string; readonly self: Costs; readonly inclusive: Costs }>(
    [path, ...here('-top').slice(1)],
    FILES,
  );
  const text = printed('focus-insert').matchAll(/^ *(\S+) +\S+% +\S+% +(\S+) +\S+% {2}(.*)$/gm);
  const expected = [...text].map(([, flat, cum, name]) => [withoutMark(name), samplesOf(flat), samplesOf(cum)]);
  assert.deepEqual(
    rows.map(({ routine, self, inclusive }) => [routine, self.samples, inclusive.samples]).sort(),
    expected.sort(),
  );
  assert.equal(expected.length, 99);
  // pprof -diff_base takes only files with the same list of types.
  const typesOf = (file: string) => {
    const { sampleType, stringTable } = Profile.decode(readMaybeGz(file));
    return sampleType.map(({ type, unit }) => [type, unit].map((text) => stringTable.strings[Number(text)]).join('/'));
  };
  assert.deepEqual(typesOf(path), typesOf(join(FIXTURES, 'pprof/cpu.pb.gz')));
});
