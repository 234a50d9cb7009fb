// Derived numbers of call graphs with recursion against the truth: programs whose every call is known, as Callgrind would have recorded them.
// A recording is exact without recursion; with it, much is an estimate, and the bounds below say how good it is.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { nodeValue, openTree } from '../../src/analysis/answers/tree.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { long, longest } from '../support/long.ts';
import {
  asCallgrind,
  type ProgramShape,
  pathsOf,
  type RandomProgram,
  randomProgram,
  SHAPES,
  truthOf,
} from '../support/random-programs.ts';
import { analysisOf, errorsOf, measureRandom, nothing } from '../support/recursion-errors.ts';

const LEVELS = [1, 2, 5] as const;

/** The largest errors of a shape and number of levels, as shares. */
interface Bounds {
  /** Inclusive costs of routines in cycles, but for the last level: of all their cost, and of nine in ten of those with 1 % of the total. */
  readonly inside: readonly [weighted: number, p90: number];
  /** The last level, which is all there is without levels. */
  readonly last: readonly [weighted: number, p90: number];
  /** Functions in cycles, all levels together. */
  readonly functions: readonly [weighted: number, p90: number];
  /** Costs of paths of the tree, and of the same with every recursion folded. */
  readonly paths: number;
  readonly folded: number;
  /** Cost at which branches of the tree end, as a share of the total. */
  readonly lost: number;
}

const BOUNDS: Record<ProgramShape, Record<number, Bounds>> = {
  tree: {
    1: { inside: [1e-9, 1e-9], last: [1e-9, 1e-9], functions: [1e-9, 1e-9], paths: 0.05, folded: 0.05, lost: 1e-9 },
    2: { inside: [1e-9, 1e-9], last: [1e-9, 1e-9], functions: [1e-9, 1e-9], paths: 0.05, folded: 0.05, lost: 1e-9 },
    5: { inside: [1e-9, 1e-9], last: [1e-9, 1e-9], functions: [1e-9, 1e-9], paths: 0.05, folded: 0.05, lost: 1e-9 },
  },
  self: {
    1: { inside: [1e-9, 1e-9], last: [1e-9, 1e-9], functions: [1e-9, 1e-9], paths: 0.03, folded: 0.03, lost: 1e-9 },
    2: { inside: [1e-9, 1e-9], last: [1e-9, 1e-9], functions: [1e-9, 1e-9], paths: 0.07, folded: 0.07, lost: 1e-9 },
    5: { inside: [1e-9, 1e-9], last: [1e-9, 1e-9], functions: [1e-9, 1e-9], paths: 0.11, folded: 0.11, lost: 1e-9 },
  },
  pair: {
    1: { inside: [1e-9, 1e-9], last: [0.05, 0.14], functions: [0.05, 0.14], paths: 0.34, folded: 0.03, lost: 1e-9 },
    2: { inside: [1e-9, 1e-9], last: [0.05, 0.12], functions: [1e-9, 1e-9], paths: 1.07, folded: 0.58, lost: 1e-9 },
    5: { inside: [1e-9, 1e-9], last: [0.05, 0.12], functions: [1e-9, 1e-9], paths: 0.98, folded: 0.93, lost: 0.01 },
  },
  parser: {
    1: { inside: [1e-9, 1e-9], last: [0.14, 0.34], functions: [0.14, 0.34], paths: 0.58, folded: 0.1, lost: 1e-9 },
    2: { inside: [1e-9, 1e-9], last: [0.09, 0.21], functions: [0.01, 0.01], paths: 0.78, folded: 0.36, lost: 0.01 },
    5: { inside: [1e-9, 1e-9], last: [0.12, 0.53], functions: [0.01, 0.01], paths: 0.81, folded: 0.74, lost: 0.01 },
  },
  visitor: {
    1: { inside: [1e-9, 1e-9], last: [0.18, 0.3], functions: [0.18, 0.3], paths: 1.02, folded: 0.46, lost: 0.01 },
    2: { inside: [1e-9, 1e-9], last: [0.12, 0.28], functions: [1e-9, 1e-9], paths: 1.01, folded: 0.54, lost: 0.01 },
    5: { inside: [1e-9, 1e-9], last: [0.16, 1], functions: [1e-9, 1e-9], paths: 1.03, folded: 0.87, lost: 0.01 },
  },
  interpreter: {
    1: { inside: [1e-9, 1e-9], last: [0.11, 0.18], functions: [0.11, 0.18], paths: 0.85, folded: 0.36, lost: 0.01 },
    2: { inside: [1e-9, 1e-9], last: [0.08, 0.22], functions: [1e-9, 1e-9], paths: 0.83, folded: 0.44, lost: 0.01 },
    5: { inside: [1e-9, 1e-9], last: [0.17, 0.41], functions: [1e-9, 1e-9], paths: 0.84, folded: 0.76, lost: 0.01 },
  },
  late: {
    1: { inside: [1e-9, 1e-9], last: [0.06, 0.1], functions: [0.06, 0.1], paths: 0.25, folded: 0.25, lost: 1e-9 },
    2: { inside: [0.06, 0.1], last: [1e-9, 1e-9], functions: [0.06, 0.1], paths: 0.25, folded: 0.25, lost: 1e-9 },
    5: { inside: [0.06, 0.1], last: [1e-9, 1e-9], functions: [0.06, 0.1], paths: 0.25, folded: 0.25, lost: 1e-9 },
  },
};

/** Seeds of the short tests and of the long ones; the bench has others. */
const FEW = [1, 2];
const MANY = Array.from({ length: 4 }, (_, k) => 101 + k);

// By number of levels, Callgrind 3.19 recorded this of a program compiled with -O1 -fno-optimize-sibling-calls:
//   int leaf(int n) { int s = 0; for (int i = 0; i < n; i++) s += i ^ sink; return s; }
//   int fib(int n) { if (n < 2) return leaf(1); int a = fib(n - 1); int b = fib(n - 2); return a + b + leaf(2); }
//   int f(int n) { int r = leaf(n); if (n > 0) r += g(n - 1); return r + 1; }
//   int g(int n) { int r = leaf(2 * n); if (n > 0) r += f(n - 1); return r + 2; }
//   int h(int n) { int r = f(n); return r + 3; }
//   int main(void) { int r = fib(8); r += f(7); r += g(4); r += h(3); sink = r; return 0; }
const RECORDED: Record<number, { self: Record<string, number>; edges: Record<string, [count: number, cost: number]> }> = {
  1: {
    self: { f: 136, fib: 1035, g: 150, h: 5, leaf: 1488, main: 17 },
    edges: {
      'f>g': [8, 920],
      'f>leaf': [8, 192],
      'fib>fib': [66, 8538],
      'fib>leaf': [67, 1002],
      'g>f': [6, 686],
      'g>leaf': [9, 294],
      'h>f': [1, 138],
      'main>f': [1, 424],
      'main>fib': [1, 2037],
      'main>g': [1, 210],
      'main>h': [1, 143],
    },
  },
  2: {
    self: { f: 51, "f'2": 85, fib: 19, "fib'2": 1016, g: 54, "g'2": 96, h: 5, leaf: 1488, main: 17 },
    edges: {
      "f'2>g'2": [5, 367],
      "f'2>leaf": [5, 96],
      'f>g': [2, 456],
      "f>g'2": [1, 97],
      'f>leaf': [3, 96],
      "fib'2>fib'2": [64, 6538],
      "fib'2>leaf": [66, 984],
      "fib>fib'2": [2, 2000],
      'fib>leaf': [1, 18],
      "g'2>f'2": [3, 236],
      "g'2>leaf": [6, 132],
      'g>f': [1, 138],
      "g>f'2": [2, 312],
      'g>leaf': [3, 162],
      'h>f': [1, 138],
      'main>f': [1, 424],
      'main>fib': [1, 2037],
      'main>g': [1, 210],
      'main>h': [1, 143],
    },
  },
  5: {
    self: {
      f: 51,
      "f'2": 51,
      "f'3": 17,
      "f'4": 17,
      fib: 19,
      "fib'2": 38,
      "fib'3": 76,
      "fib'4": 152,
      "fib'5": 750,
      g: 54,
      "g'2": 50,
      "g'3": 32,
      "g'4": 14,
      h: 5,
      leaf: 1488,
      main: 17,
    },
    edges: {
      "f'2>g'2": [2, 230],
      "f'2>g'3": [1, 20],
      "f'2>leaf": [3, 60],
      "f'3>g'3": [1, 97],
      "f'3>leaf": [1, 24],
      "f'4>g'4": [1, 20],
      "f'4>leaf": [1, 12],
      'f>g': [2, 456],
      "f>g'2": [1, 97],
      'f>leaf': [3, 96],
      "fib'2>fib'3": [4, 1926],
      "fib'2>leaf": [2, 36],
      "fib'3>fib'4": [8, 1778],
      "fib'3>leaf": [4, 72],
      "fib'4>fib'5": [16, 1482],
      "fib'4>leaf": [8, 144],
      "fib'5>fib'5": [36, 1352],
      "fib'5>leaf": [52, 732],
      "fib>fib'2": [2, 2000],
      'fib>leaf': [1, 18],
      "g'2>f'2": [1, 49],
      "g'2>f'3": [1, 138],
      "g'2>leaf": [3, 90],
      "g'3>f'4": [1, 49],
      "g'3>leaf": [2, 36],
      "g'4>leaf": [1, 6],
      'g>f': [1, 138],
      "g>f'2": [2, 312],
      'g>leaf': [3, 162],
      'h>f': [1, 138],
      'main>f': [1, 424],
      'main>fib': [1, 2037],
      'main>g': [1, 210],
      'main>h': [1, 143],
    },
  },
};

/** The calls of that program, with the instructions that each took. */
function recordedProgram(): RandomProgram {
  const functions = ['main', 'fib', 'f', 'g', 'h', 'leaf'];
  const [parent, called, self]: number[][] = [[], [], []];
  const call = (from: number, name: string, cost: number) => {
    called.push(functions.indexOf(name));
    self.push(cost);
    return parent.push(from) - 1;
  };
  const leaf = (from: number, n: number) => call(from, 'leaf', 6 + 6 * n);
  const fib = (from: number, n: number) => {
    const id = call(from, 'fib', n < 2 ? 12 : 19);
    if (n >= 2) for (const k of [1, 2]) fib(id, n - k);
    leaf(id, n < 2 ? 1 : 2);
  };
  const f = (from: number, n: number) => {
    const id = call(from, 'f', 17);
    leaf(id, n);
    if (n > 0) g(id, n - 1);
  };
  const g = (from: number, n: number) => {
    const id = call(from, 'g', n > 0 ? 18 : 14);
    leaf(id, 2 * n);
    if (n > 0) f(id, n - 1);
  };
  const main = call(-1, 'main', 17);
  fib(main, 8);
  f(main, 7);
  g(main, 4);
  f(call(main, 'h', 5), 3);
  return { functions, parent: Int32Array.from(parent), function: Int32Array.from(called), self: Float64Array.from(self) };
}

/** Self and inclusive costs by routine, and recorded edges by `caller>callee`, as they were loaded. */
async function loaded(text: string) {
  const a = await analysisOf(text);
  const { profile, totals, edges } = a;
  const names = Array.from(profile.routines.name, (_, r) => routineName(profile, r));
  const byName = (costs: ArrayLike<number>) => Object.fromEntries(names.map((name, r) => [name, costs[r]]));
  const calls = Array.from(edges.caller, (caller, e): [string, [number, number]] => [
    `${names[caller]}>${names[edges.callee[e]]}`,
    [edges.count[e], (edges.recorded ?? edges.costs)[0][e]],
  ]);
  const tree = openTree(a.costing.tree(false), false, a.events[0]);
  return {
    self: byName(totals.self[0]),
    inclusive: byName(totals.inclusive[0]),
    edges: Object.fromEntries(calls),
    total: totals.total[0][0],
    roots: tree.roots.reduce((sum, id) => sum + nodeValue(a.events[0], tree.nodes[id]), 0),
  };
}

test('recordings of random programs are written as Callgrind writes them, recursive calls too', async () => {
  const program = recordedProgram();
  for (const levels of LEVELS) {
    const { self, edges } = await loaded(asCallgrind(program, { levels }));
    assert.deepEqual({ self, edges }, RECORDED[levels]);
  }
});

/** The truth, slowly: the stack of every call. */
function stacksOf({ functions, parent, function: called, self }: RandomProgram, levels: number) {
  const [inclusive, all, edges, paths] = [0, 1, 2, 3].map((): Record<string, number> => ({}));
  const add = (to: Record<string, number>, keys: Iterable<string>, cost: number) => {
    for (const key of new Set(keys)) to[key] = (to[key] ?? 0) + cost;
  };
  for (let node = 0; node < parent.length; node++) {
    const stack: string[] = [];
    for (let at = node; at >= 0; at = parent[at]) stack.unshift(functions[called[at]]);
    const routines = stack.map((name, k) => {
      const level = Math.min(levels, stack.slice(0, k + 1).filter((other) => other === name).length);
      return level === 1 ? name : `${name}'${level}`;
    });
    add(inclusive, routines, self[node]);
    add(all, stack, self[node]);
    add(
      edges,
      routines.slice(1).map((name, k) => `${routines[k]}>${name}`),
      self[node],
    );
    add(
      paths,
      routines.map((_, k) => routines.slice(0, k + 1).join(' > ')),
      self[node],
    );
  }
  return { inclusive, all, edges, paths };
}

test('the truth is that of all stacks', () => {
  for (const [program, levels] of [
    [recordedProgram(), 1],
    [recordedProgram(), 3],
    [randomProgram(1, 'late'), 2],
  ] as const) {
    const truth = truthOf(program, { levels });
    const slow = stacksOf(program, levels);
    assert.deepEqual(Object.fromEntries(truth.inclusive), slow.inclusive);
    assert.deepEqual(Object.fromEntries(truth.functions), slow.all);
    assert.deepEqual(Object.fromEntries(truth.edges), slow.edges);
    const paths = pathsOf(program, { levels }, 'all');
    assert.deepEqual(Object.fromEntries(paths.inclusive.slice(1).map((cost, k) => [paths.text(k + 1), cost])), slow.paths);
    // The first level of a function is above all others.
    for (const [name, cost] of truth.functions) assert.equal(truth.inclusive.get(name), cost);
  }
});

async function exact(shape: ProgramShape, seeds: readonly number[]): Promise<void> {
  for (const seed of seeds)
    for (const levels of LEVELS) {
      const program = randomProgram(seed, shape);
      const truth = truthOf(program, { levels });
      const found = await loaded(asCallgrind(program, { levels }));
      const at = `${shape} ${seed}, ${levels} levels`;
      assert.equal(found.total, truth.total, at);
      assert.ok(Math.abs(found.roots - truth.total) <= 1e-9 * truth.total, `${at}: roots have ${found.roots} of ${truth.total}`);
      assert.deepEqual(found.self, Object.fromEntries(truth.self), at);
      if (shape === 'tree') assert.deepEqual(found.inclusive, Object.fromEntries(truth.inclusive), at);
      const arriving: Record<string, number> = {};
      for (const [edge, [, cost]] of Object.entries(found.edges)) {
        const callee = edge.slice(edge.indexOf('>') + 1);
        arriving[callee] = (arriving[callee] ?? 0) + cost;
        const once = truth.edges.get(edge) ?? Number.NaN;
        // Recursive calls are recorded once for each that is on the stack.
        if (shape === 'tree' || shape === 'late') assert.equal(cost, once, `${at}: ${edge}`);
        else assert.ok(cost >= once, `${at}: ${edge} has ${cost}, and ${once} once`);
      }
      // Only the last level stands more than once on a stack: what callers pay for any other is its inclusive cost, in cycles too.
      for (const [name, cost] of Object.entries(arriving))
        if (levels > 1 && !name.endsWith(`'${levels}`)) assert.equal(cost, truth.inclusive.get(name), `${at}: ${name}`);
        else assert.ok(cost >= (truth.inclusive.get(name) ?? Number.NaN), `${at}: ${name}`);
    }
}

long('self costs, totals, roots, and inclusive costs without recursion are exact', async () => {
  for (const shape of SHAPES) await exact(shape, FEW);
});

longest('self costs, totals, roots, and inclusive costs without recursion are exact, many programs', async () => {
  for (const shape of SHAPES) await exact(shape, MANY);
});

async function withinBounds(t: TestContext, shape: ProgramShape, seeds: readonly number[]): Promise<void> {
  for (const levels of LEVELS) {
    const measured = nothing();
    for (const seed of seeds) await measureRandom(measured, seed, shape, { levels });
    const [inside, last, functions] = [measured.inside, measured.last, measured.functions].map(errorsOf);
    const outside = errorsOf(measured.outside);
    assert.ok(outside.weighted < 1e-9 && outside.max < 1e-9, `${shape}, ${levels} levels: ${outside.worst} is in no cycle`);
    const bounds = BOUNDS[shape][levels];
    const found = {
      inside: [inside.weighted, inside.p90],
      last: [last.weighted, last.p90],
      functions: [functions.weighted, functions.p90],
      paths: errorsOf(measured.paths).weighted,
      folded: errorsOf(measured.folded).weighted,
      lost: measured.lost.reduce((sum, lost) => sum + lost, 0) / measured.lost.length,
    };
    t.diagnostic(JSON.stringify({ shape, levels, ...found }));
    const limits = [...bounds.inside, ...bounds.last, ...bounds.functions, bounds.paths, bounds.folded, bounds.lost];
    const all = [...found.inside, ...found.last, ...found.functions, found.paths, found.folded, found.lost];
    assert.ok(
      all.every((error, k) => error <= limits[k]),
      `${shape}, ${levels} levels: ${JSON.stringify(found)} against ${JSON.stringify(bounds)}; ${inside.worst}, ${last.worst}, ${functions.worst}`,
    );
  }
}

/** Shapes whose programs take ten seconds each: with many programs alone. */
const SLOW: readonly ProgramShape[] = ['visitor', 'interpreter'];
/** Tried in every run, as it takes half a second. */
const QUICK: ProgramShape = 'pair';

for (const shape of SHAPES) {
  if (!SLOW.includes(shape))
    (shape === QUICK ? test : long)(`errors of ${shape} programs stay in their bounds`, (t: TestContext) =>
      withinBounds(t, shape, FEW),
    );
  longest(`errors of ${shape} programs stay in their bounds, many programs`, (t) => withinBounds(t, shape, MANY));
}
