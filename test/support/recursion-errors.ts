// How far the derived numbers of a call graph with recursion are from the truth: of a program whose every call is known (random-programs.ts),
// or of one that was recorded with its stacks (bench/recursion.ts).
import { analyse } from '../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { canUnfold, childrenOf, nodeSelf, nodeValue, openTree, type Tree } from '../../src/analysis/answers/tree.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { loaders } from '../../src/formats/index.ts';
import { loadText } from './load.ts';
import {
  asCallgrind,
  type Paths,
  type ProgramShape,
  pathsOf,
  type Recording,
  randomProgram,
  truthOf,
} from './random-programs.ts';

/** A cost as it is and as it was found, as shares of their program's total. */
export interface Pair {
  readonly name: string;
  readonly truth: number;
  readonly found: number;
}

export interface Measured {
  /** Inclusive costs of routines in no cycle of the recorded graph. A routine that calls nobody in a circle but itself is in none. */
  readonly outside: Pair[];
  /** Routines in cycles that are never twice on a stack: all levels but the last. Callers pay exactly their inclusive cost. */
  readonly inside: Pair[];
  /** Routines in cycles that have the last level, with all deeper ones; with one level, all in cycles. */
  readonly last: Pair[];
  /** Inclusive costs of functions that have routines in cycles: all their levels together. */
  readonly functions: Pair[];
  /** Costs of the paths of the tree that have at least a hundredth of the total, in truth or as they were found. */
  readonly paths: Pair[];
  /** Those of them that are shown with as much, and marked as estimates. */
  readonly estimates: Pair[];
  /** The same, if every path goes back to where a routine stood first when it comes to it again. */
  readonly folded: Pair[];
  /** The share of the total that is in nodes of the tree and in no node below them: where branches end before their cost does. */
  readonly lost: number[];
}

/** Routines and paths below this share of the total are not looked at one by one. */
export const LEAST = 0.01;

/** A tree with more nodes than this is not unfolded further. */
const MOST_NODES = 300_000;

export interface Known {
  readonly total: number;
  /** By name of routine; names that are not there are not compared. */
  readonly inclusive: ReadonlyMap<string, number>;
  readonly functions: ReadonlyMap<string, number>;
  /** Joined and folded. A tree has no node for a routine's calls of itself. */
  readonly paths: readonly [joined: Paths, folded: Paths];
  /** The name that a routine has in the paths. */
  readonly inPaths: (routine: string) => string;
}

export const functionOf = (routine: string) => routine.replace(/'\d+$/, '');

export const nothing = (): Measured => ({
  outside: [],
  inside: [],
  last: [],
  functions: [],
  paths: [],
  estimates: [],
  folded: [],
  lost: [],
});

export async function analysisOf(text: string): Promise<Analysis> {
  const loader = loaders.find((l) => l.name === 'callgrind');
  if (!loader) throw new Error('no loader');
  const profile = await loadText(loader, text);
  return analyse(profile, profile.events);
}

/** Adds what is found of a random program to the measurements. */
export async function measureRandom(to: Measured, seed: number, shape: ProgramShape, recording: Recording): Promise<void> {
  const program = randomProgram(seed, shape);
  const known = {
    ...truthOf(program, recording),
    paths: [pathsOf(program, recording, 'joined'), pathsOf(program, recording, 'folded')] as const,
    inPaths: (name: string) => name,
  };
  measure(to, await analysisOf(asCallgrind(program, recording)), known, recording, `${shape} ${seed}: `);
}

export function measure(to: Measured, analysis: Analysis, truth: Known, { levels }: Recording, label = ''): void {
  const { profile, totals } = analysis;
  const names = Array.from(profile.routines.name, (_, r) => routineName(profile, r));
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  const inCycle = cyclicOf(analysis);
  const cyclic = new Set<string>();
  names.forEach((name, r) => {
    const is = truth.inclusive.get(name);
    if (inCycle[r]) cyclic.add(functionOf(name));
    if (is === undefined || times.get(name) !== 1) return;
    const pair = { name: label + name, truth: is / truth.total, found: totals.inclusive[0][r] / truth.total };
    const last = levels === 1 || name.endsWith(`'${levels}`);
    (inCycle[r] ? (last ? to.last : to.inside) : to.outside).push(pair);
  });
  measureFunctions(to, analysis, truth, label, { names, cyclic });
  const [joined, folded] = truth.paths;
  const inPaths = names.map(truth.inPaths);
  to.lost.push(measurePaths(to, analysis, joined, label, inPaths, LEAST));
  // Small branches come back to large paths: more of them count.
  measurePaths({ paths: to.folded, estimates: [] }, analysis, folded, label, inPaths, LEAST / 4);
}

/** 1 for routines that others stand in a cycle with; computed here, so that no error of the code under test can hide in it. */
function cyclicOf({ profile, edges }: Analysis): Uint8Array {
  const out = new Uint8Array(profile.routines.name.length);
  for (let r = 0; r < out.length; r++) {
    const seen = new Uint8Array(out.length);
    const waiting = [r];
    for (let at = waiting.pop(); at !== undefined && out[r] === 0; at = waiting.pop())
      for (let e = edges.from[at]; e < edges.from[at + 1]; e++) {
        const callee = edges.callee[e];
        if (callee === at) continue;
        if (callee === r) out[r] = 1;
        if (seen[callee] === 0) waiting.push(callee);
        seen[callee] = 1;
      }
  }
  return out;
}

function measureFunctions(
  to: Measured,
  { costing }: Analysis,
  truth: Known,
  label: string,
  { names, cyclic }: { readonly names: readonly string[]; readonly cyclic: ReadonlySet<string> },
): void {
  const wanted = [...cyclic].filter((f) => truth.functions.has(f));
  const groupOf = Int32Array.from(names, (name) => wanted.indexOf(functionOf(name)));
  const groups = costing.groups({ groupOf, groups: wanted.length, columns: [0] });
  wanted.forEach((f, k) => {
    const found = groups?.costs[0][k] ?? Number.NaN;
    if (!Number.isNaN(found))
      to.functions.push({ name: label + f, truth: (truth.functions.get(f) ?? 0) / truth.total, found: found / truth.total });
  });
}

/** Unfolds the tree to the nodes with such a share of the total, in truth or as estimated. Returns the share of the total that is lost. */
function measurePaths(
  to: Pick<Measured, 'paths' | 'estimates'>,
  analysis: Analysis,
  paths: Paths,
  label: string,
  names: readonly string[],
  unfolded: number,
): number {
  const [event] = analysis.events;
  const tree: Tree = openTree(analysis.costing.tree(false), false, event);
  const [total] = paths.inclusive;
  const found: number[] = [];
  const guessed = new Set<number>();
  let lost = 0;
  const waiting = tree.roots.map((id) => ({ id, above: 0 }));
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    const node = tree.nodes[at.id];
    const path = paths.step(at.above, names[node.routine]);
    const value = nodeValue(event, node);
    const worth = Math.max(value, paths.inclusive[path]) >= unfolded * total && tree.nodes.length < MOST_NODES;
    const children = worth && canUnfold(tree, at.id) ? childrenOf(tree, at.id, event) : [];
    const own = value - children.reduce((sum, id) => sum + nodeValue(event, tree.nodes[id]), 0);
    if (worth) lost += Math.abs(own - nodeSelf(event, node));
    found[path] = (found[path] ?? 0) + own;
    if (node.estimated) guessed.add(path);
    for (const id of children) waiting.push({ id, above: path });
  }
  paths.addUp(found);
  for (let path = 1; path < paths.name.length; path++) {
    const [is, guess] = [paths.inclusive[path], found[path] ?? 0];
    if (Math.max(is, guess) < LEAST * total) continue;
    const pair = { name: label + paths.text(path), truth: is / total, found: guess / total };
    to.paths.push(pair);
    if (guessed.has(path) && guess >= LEAST * total) to.estimates.push(pair);
  }
  return lost / total;
}

export interface Errors {
  /** The sum of all differences, as a share of the sum of the true costs. */
  readonly weighted: number;
  /** Differences as shares of their true cost, of rows with at least a hundredth of the total. */
  readonly p50: number;
  readonly p90: number;
  readonly max: number;
  /** The row with the largest. */
  readonly worst: string;
  readonly rows: number;
}

export function errorsOf(pairs: readonly Pair[]): Errors {
  let [wrong, all] = [0, 0];
  for (const { truth, found } of pairs) {
    wrong += Math.abs(found - truth);
    all += truth;
  }
  const error = ({ truth, found }: Pair) => (truth === 0 ? Number.POSITIVE_INFINITY : Math.abs(found - truth) / truth);
  const rows = pairs.filter(({ truth }) => truth >= LEAST).sort((a, b) => error(a) - error(b));
  const at = (share: number) => (rows.length === 0 ? 0 : error(rows[Math.min(rows.length - 1, Math.floor(share * rows.length))]));
  return {
    weighted: all === 0 ? 0 : wrong / all,
    p50: at(0.5),
    p90: at(0.9),
    max: at(1),
    worst: rows.at(-1)?.name ?? '',
    rows: rows.length,
  };
}

/** By what factor estimates are off: at the middle, and of one in ten at least. */
export function factorsOf(pairs: readonly Pair[]): readonly [middle: number, tenth: number] {
  const factors = pairs.map(({ truth, found }) => Math.max(truth, found) / Math.min(truth, found)).sort((a, b) => a - b);
  return [factors[factors.length >> 1] ?? 1, factors[Math.floor(factors.length * 0.9)] ?? 1];
}

const share = (value: number) => `${(100 * value).toFixed(value < 0.0995 ? 1 : 0)}%`;

const SINGLE = ['p50', 'p90', 'max'];
export const TABLE_HEAD = [
  ...['program', 'levels', 'outside'],
  ...['inside', 'last', 'functions'].flatMap((title) => [title, ...SINGLE]),
  ...['paths', 'folded', '≈ by', '1 in 10', 'lost'],
];

/** A row of the table that the bench prints. */
export function tableRow(name: string, { levels }: Recording, measured: Measured): string[] {
  const errors = (pairs: readonly Pair[]) => {
    const { weighted, p50, p90, max, rows } = errorsOf(pairs);
    return rows > 0 ? [weighted, p50, p90, max].map(share) : ['', '', '', ''];
  };
  return [
    name,
    `${levels}`,
    share(errorsOf(measured.outside).weighted),
    ...[measured.inside, measured.last, measured.functions].flatMap(errors),
    ...[measured.paths, measured.folded].map((pairs) => share(errorsOf(pairs).weighted)),
    ...factorsOf(measured.estimates).map((factor) => `${factor.toFixed(2)}×`),
    share(measured.lost.reduce((a, b) => a + b, 0) / measured.lost.length),
  ];
}
