// Stacks of known cost, the call graph that a profiler would record of them, and what transforms make of the stacks themselves.
import fc from 'fast-check';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { childrenOf, openTree } from '../../src/analysis/answers/tree.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { loaders } from '../../src/formats/index.ts';
import { checkProfile } from '../../src/model/check.ts';
import type { Profile, ProfileOf } from '../../src/model/profile.ts';
import { loadText } from './load.ts';

/** Frames from the outermost, and what was spent in the innermost, by event. */
export interface Stack {
  readonly frames: readonly string[];
  readonly costs: readonly number[];
}

/** By routine and by `caller>callee`, costs by event. */
export interface Known {
  readonly self: ReadonlyMap<string, readonly number[]>;
  readonly edges: ReadonlyMap<string, readonly number[]>;
  readonly inclusive: ReadonlyMap<string, readonly number[]>;
}

const EVENTS = 2;

function add(to: Map<string, number[]>, key: string, costs: readonly number[]): void {
  const sum = to.get(key) ?? costs.map(() => 0);
  to.set(
    key,
    sum.map((s, c) => s + costs[c]),
  );
}

/** What a profiler records: an edge costs what the stacks cost that contain it. */
export function knownOf(stacks: readonly Stack[]): Known {
  const [self, edges, inclusive] = [0, 1, 2].map(() => new Map<string, number[]>());
  for (const { frames, costs } of stacks) {
    const inner = frames.at(-1);
    if (inner === undefined) continue;
    add(self, inner, costs);
    const pairs = frames.slice(1).map((callee, k) => `${frames[k]}>${callee}`);
    for (const pair of new Set(pairs)) add(edges, pair, costs);
    for (const frame of new Set(frames)) add(inclusive, frame, costs);
  }
  return { self, edges, inclusive };
}

/** Routines in files: own code is that whose name has an even number. */
export const fileOf = (name: string) => (Number(/\d+/.exec(name)?.[0] ?? 1) % 2 === 0 ? `own/${name}.c` : `/usr/${name}.c`);

export async function profileOf(stacks: readonly Stack[]): Promise<ProfileOf<'callgraph'>> {
  const { self, edges } = knownOf(stacks);
  const names = [...new Set(stacks.flatMap((s) => s.frames))].sort();
  const lines = ['events: Ir Dr'];
  for (const name of names) {
    lines.push(`fl=${fileOf(name)}`, `fn=${name}`);
    const own = self.get(name);
    if (own) lines.push(`1 ${own.join(' ')}`);
    for (const [pair, costs] of edges) {
      const [caller, callee] = pair.split('>');
      if (caller === name) lines.push(`cfi=${fileOf(callee)}`, `cfn=${callee}`, 'calls=7 1', `2 ${costs.join(' ')}`);
    }
  }
  return graphIn(`${lines.join('\n')}\n`);
}

/** A call graph in the text of a profile. */
export async function graphIn(text: string): Promise<ProfileOf<'callgraph'>> {
  const loader = loaders.find((l) => l.name === 'callgrind');
  if (!loader) throw new Error('no loader');
  const profile = await loadText(loader, text);
  if (profile.kind !== 'callgraph') throw new Error('no call graph');
  return profile;
}

/** What a profile has, and which of it is an estimate: keys as in `Known`. */
export function found(profile: Profile): Known & { readonly estimated: Record<keyof Known, ReadonlySet<string>> } {
  if (profile.kind !== 'callgraph') throw new Error('no call graph');
  const broken = checkProfile(profile);
  if (broken.length > 0) throw new Error(broken.join('; '));
  const { totals, edges } = analyse(profile, profile.events);
  const name = (r: number) => routineName(profile, r);
  const row = (costs: readonly ArrayLike<number>[], i: number) => costs.map((column) => column[i]);
  const some = (costs: readonly number[]) => costs.some((cost) => cost !== 0);
  const guessed = { self: new Set<string>(), edges: new Set<string>(), inclusive: new Set<string>() };
  const [self, paid, inclusive] = [0, 1, 2].map(() => new Map<string, readonly number[]>());
  for (let r = 0; r < totals.calls.length; r++) {
    if (some(row(totals.self, r))) self.set(name(r), row(totals.self, r));
    if (some(row(totals.inclusive, r))) inclusive.set(name(r), row(totals.inclusive, r));
    if (profile.estimated?.self[r]) guessed.self.add(name(r));
    if (totals.estimated?.inclusive[r]) guessed.inclusive.add(name(r));
  }
  for (let e = 0; e < edges.caller.length; e++)
    paid.set(`${name(edges.caller[e])}>${name(edges.callee[e])}`, row(edges.recorded ?? edges.costs, e));
  const { calls, spans } = profile;
  calls?.span.forEach((span, i) => {
    if (profile.estimated?.calls[i]) guessed.edges.add(`${name(spans.routine[span])}>${name(calls.callee[i])}`);
  });
  return { self, edges: paid, inclusive, estimated: guessed };
}

/** The stacks that the tree of a call graph without cycles unfolds to: each path with its share. */
export function unfolded(profile: Profile): Stack[] {
  const analysis = analyse(profile, profile.events);
  const tree = openTree(analysis.costing.tree(false), false, analysis.events[0]);
  const out: Stack[] = [];
  const queue = tree.roots.map((id) => ({ id, above: [] as readonly string[] }));
  for (let at = queue.pop(); at; at = queue.pop()) {
    const node = tree.nodes[at.id];
    const frames = [...at.above, routineName(profile, node.routine)];
    if (node.self.some((cost) => cost !== 0)) out.push({ frames, costs: [...node.self] });
    for (const id of childrenOf(tree, at.id, analysis.events[0])) queue.push({ id, above: frames });
  }
  return out;
}

/** What the words mean, for stacks. `null`: the stack is left out. */
export const REWRITES: Readonly<
  Record<string, (frames: readonly string[], hit: (name: string) => boolean) => readonly string[] | null>
> = {
  focus: (frames, hit) => (frames.some(hit) ? frames : null),
  ignore: (frames, hit) => (frames.some(hit) ? null : frames),
  hide: (frames, hit) => frames.filter((f) => !hit(f)),
  show: (frames, hit) => frames.filter(hit),
  'show-from': (frames, hit) => (frames.some(hit) ? frames.slice(frames.findIndex(hit)) : null),
  'prune-from': (frames, hit) => (frames.some(hit) ? frames.slice(0, frames.findLastIndex(hit) + 1) : frames),
};

export function rewritten(stacks: readonly Stack[], change: (frames: readonly string[]) => readonly string[] | null): Stack[] {
  return stacks.flatMap(({ frames, costs }) => {
    const now = change(frames);
    return now && now.length > 0 ? [{ frames: now, costs }] : [];
  });
}

const costs = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: EVENTS, maxLength: EVENTS });
const withCost = (stack: Stack) => stack.costs.some((cost) => cost > 0);

/** Stacks of a tree: every routine has one caller. */
export const treeStacks: fc.Arbitrary<Stack[]> = fc
  .integer({ min: 2, max: 10 })
  .chain((n) => fc.tuple(fc.array(fc.nat(), { minLength: n, maxLength: n }), fc.array(costs, { minLength: n, maxLength: n })))
  .map(([parents, spent]) => {
    const path = (i: number): string[] => [...(i === 0 ? [] : path(parents[i] % i)), `f${i}`];
    return spent.map((each, i) => ({ frames: path(i), costs: each })).filter(withCost);
  })
  .filter((stacks) => stacks.length > 0);

/** Stacks of routines that call only later ones, each in any number of ways. */
export const graphStacks: fc.Arbitrary<Stack[]> = fc
  .array(fc.tuple(fc.subarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 1 }), costs), { minLength: 1, maxLength: 8 })
  .map((list) => list.map(([routines, spent]) => ({ frames: routines.map((r) => `f${r}`), costs: spent })).filter(withCost))
  .filter((stacks) => stacks.length > 0);

/** A set of routines, as a pattern and as a test of names. */
export const members = fc.subarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: 1, maxLength: 5 }).map((list) => ({
  pattern: `routine:^f[${list.join('')}]$`,
  hit: (name: string) => list.some((i) => name === `f${i}`),
}));
