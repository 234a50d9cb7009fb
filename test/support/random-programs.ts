// Random programs that run in memory: every call is known, so that the true cost of anything is, too. With them goes the file that Callgrind
// would write of such a run, from which most of that cannot be told.
import { random } from './programs.ts';

/** The run of a program: a tree of calls, callers before callees, in the order in which they were made. */
export interface RandomProgram {
  readonly functions: readonly string[];
  /** The caller of each call; -1 for the root, which is the first. */
  readonly parent: Int32Array;
  readonly function: Int32Array;
  /** Whole numbers above zero. */
  readonly self: Float64Array;
}

export const SHAPES = ['tree', 'self', 'pair', 'parser', 'visitor', 'interpreter', 'late'] as const;
export type ProgramShape = (typeof SHAPES)[number];

export interface Recording {
  /** As in --separate-recs: f, f'2 and so on; the last has all deeper levels. Callgrind's default is 2. */
  readonly levels: number;
}

/** A place in a function that calls one of several others, some number of times. */
interface Site {
  readonly to: readonly number[];
  readonly weights: readonly number[];
  /** The mean number of calls. */
  readonly times: number;
  /** The depth at which it calls no more; calls get fewer on the way. */
  readonly until?: number;
  /** The depth at which it calls no more, without getting fewer before. */
  readonly before?: number;
}

interface Routine {
  readonly name: string;
  readonly self: number;
  readonly sites: Site[];
}

interface Source {
  readonly routines: Routine[];
  /** Called by main, again and again. */
  readonly drivers: number[];
  /** How much a function's cost, and its choice among callees, depend on its caller. At 0, the run is a Markov chain but for the depth. */
  readonly dependence: number;
}

const MOST_NODES_OF_CALL = 3000;
const FEWEST_NODES = 5000;
const MORE_NODES = 10_000;

/** Collects functions and their sites. */
class Writer {
  readonly routines: Routine[] = [];
  constructor(readonly next: () => number) {}

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  /** Self costs are spread evenly over their logarithms. */
  add(name: string): number {
    this.routines.push({ name, self: 3 * Math.exp(4 * this.next()), sites: [] });
    return this.routines.length - 1;
  }

  several(name: string, count: number): number[] {
    return Array.from({ length: count }, (_, k) => this.add(`${name}_${k + 1}`));
  }

  call(from: number, to: number | readonly number[], times: number, limit: Pick<Site, 'until' | 'before'> = {}): void {
    const all = typeof to === 'number' ? [to] : to;
    this.routines[from].sites.push({ to: all, weights: all.map(() => Math.exp(2.5 * this.next())), times, ...limit });
  }

  pick(of: readonly number[]): number {
    return of[Math.floor(this.next() * of.length)];
  }

  some(of: readonly number[], count: number): number[] {
    return [...new Set(Array.from({ length: count }, () => this.pick(of)))];
  }

  /** Helpers without recursion, each of which may call leaves. */
  helpers(count: number): number[] {
    const leaves = this.several('leaf', Math.max(2, count >> 1));
    const out = this.several('helper', count);
    for (const helper of out) for (const leaf of this.some(leaves, 2)) this.call(helper, leaf, this.between(0.2, 1.5));
    return [...out, ...leaves];
  }

  /** Calls of helpers from each of the functions. */
  useHelpers(functions: readonly number[], helpers: readonly number[]): void {
    for (const f of functions) for (const helper of this.some(helpers, 3)) this.call(f, helper, this.between(0.2, 1.2));
  }
}

const MAKERS: Readonly<Record<ProgramShape, (w: Writer) => Omit<Source, 'routines'>>> = {
  tree(w) {
    const layers = Array.from({ length: w.whole(4, 7) }, (_, k) => w.several(`layer${k}`, w.whole(4, 10)));
    layers.forEach((layer, k) => {
      const below = layers.slice(k + 1).flat();
      if (below.length === 0) return;
      for (const f of layer) for (const callee of w.some(below, w.whole(2, 4))) w.call(f, callee, w.between(0.3, 1.6));
    });
    return { drivers: layers[0], dependence: 0.7 };
  },
  self(w) {
    const drivers = w.several('driver', w.whole(2, 5));
    const recursive = w.several('recurse', w.whole(2, 4));
    const helpers = w.helpers(6);
    recursive.forEach((f, k) => {
      w.call(f, f, w.between(1, 2), { until: w.between(15, 60) });
      const other = recursive[k + 1];
      if (other !== undefined) w.call(f, other, w.between(0.02, 0.2), { until: 60 });
    });
    for (const d of drivers) for (const f of w.some(recursive, 2)) w.call(d, f, w.between(0.5, 2));
    w.useHelpers([...drivers, ...recursive], helpers);
    return { drivers, dependence: 0.3 };
  },
  pair(w) {
    const drivers = w.several('driver', w.whole(3, 6));
    const helpers = w.helpers(6);
    for (let k = 1; k <= w.whole(1, 3); k++) {
      const [even, odd] = [w.add(`even_${k}`), w.add(`odd_${k}`)];
      const until = w.between(15, 60);
      w.call(even, odd, w.between(0.9, 1.8), { until });
      w.call(odd, even, w.between(0.9, 1.8), { until });
      w.useHelpers([even, odd], helpers);
      for (const d of w.some(drivers, 3)) w.call(d, [even, odd], w.between(0.3, 1.5));
    }
    w.useHelpers(drivers, helpers);
    return { drivers, dependence: 0.3 };
  },
  parser(w) {
    const drivers = ['loadConfig', 'readMessage', 'importFile', 'parseDocument'].map((name) => w.add(name));
    const [value, object, array, member, text, number, skip] = [
      'parseValue',
      'parseObject',
      'parseArray',
      'parseMember',
      'parseString',
      'parseNumber',
      'skipSpace',
    ].map((name) => w.add(name));
    const helpers = w.helpers(4);
    const until = w.between(20, 60);
    w.call(value, [object, array, text, number], 1, { until: 200 });
    w.call(value, skip, 1);
    w.call(object, member, w.between(1.5, 4), { until });
    w.call(member, text, 1);
    w.call(member, value, 1, { until: 200 });
    w.call(array, value, w.between(1.5, 4), { until });
    w.call(array, skip, w.between(0.5, 2));
    for (const d of drivers) w.call(d, value, w.between(0.5, 2));
    // A short way into the cycle, past its usual entry.
    w.call(drivers[1], object, w.between(0.2, 1));
    w.useHelpers([...drivers, object, array, text, number, skip], helpers);
    return { drivers, dependence: 0.7 };
  },
  visitor(w) {
    const drivers = ['check', 'optimise', 'print'].map((name) => w.add(name));
    const visit = w.add('visit');
    const handlers = w.several('handle', w.whole(12, 20));
    const helpers = w.helpers(8);
    w.call(visit, handlers, 1, { until: 300 });
    const until = w.between(25, 60);
    for (const h of handlers) if (w.next() < 0.75) w.call(h, visit, w.between(0.2, 3), { until });
    for (const d of drivers) w.call(d, visit, w.between(0.5, 2));
    w.useHelpers([...drivers, ...handlers], helpers);
    return { drivers, dependence: 1 };
  },
  interpreter(w) {
    const drivers = ['runScript', 'loadModule', 'callBack'].map((name) => w.add(name));
    const run = w.add('eval');
    const apply = w.add('apply');
    const builtins = w.several('builtin', w.whole(42, 50));
    const helpers = w.helpers(10);
    w.call(run, [...builtins, apply], 1, { until: 300 });
    w.call(apply, run, w.between(1, 2), { until: 70 });
    for (const b of builtins) {
      w.call(b, run, w.between(0.2, 2), { until: w.between(25, 70) });
      if (w.next() < 0.3) w.call(b, [apply, ...w.some(builtins, 2)], w.between(0.1, 0.6), { until: 70 });
    }
    w.call(drivers[0], run, w.between(1, 3));
    w.call(drivers[1], [run, apply], w.between(1, 2));
    w.call(drivers[2], apply, w.between(0.5, 2));
    w.useHelpers([...drivers, run, ...builtins], helpers);
    return { drivers, dependence: 1 };
  },
  late(w) {
    // Functions that call each other from main alone: they stand in a cycle of the graph, and never twice on a stack.
    const phases = w.several('phase', w.whole(3, 9));
    const helpers = w.helpers(6);
    phases.forEach((f, k) => {
      const others = new Set([phases[(k + 1) % phases.length], ...w.some(phases, 2)]);
      others.delete(f);
      for (const other of others) w.call(f, other, w.between(0.2, 1.2), { before: 2 });
    });
    w.useHelpers(phases, helpers);
    return { drivers: phases, dependence: 0.5 };
  },
};

function poisson(next: () => number, mean: number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = next(); product > limit; product *= next()) count++;
  return count;
}

/** How a function behaves for each of its callers: factors around 1, the same for the same numbers. */
function habits(seed: number, dependence: number): (f: number, caller: number, about: number) => number {
  const known = new Map<number, number>();
  return (f, caller, about) => {
    const key = (f * 1024 + caller) * 1024 + about;
    let factor = known.get(key);
    if (factor === undefined) {
      const next = random(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(key, 0x85ebca6b));
      known.set(key, (factor = Math.exp(dependence * 1.5 * (next() + next() - 1))));
    }
    return factor;
  };
}

/** Numbers for `about` that are no function. */
const COST = 1022;
const TIMES = 1023;

/** A run of some 5,000 to 18,000 calls, at most about 80 deep. */
export function randomProgram(seed: number, shape: ProgramShape): RandomProgram {
  const w = new Writer(random(Math.imul(seed, 7919) + SHAPES.indexOf(shape)));
  const main = w.add('main');
  const { drivers, dependence } = MAKERS[shape](w);
  const { routines, next } = w;
  const habit = habits(seed, dependence);
  const nodes = { parent: [-1], function: [main], self: [Math.ceil(routines[main].self)] };
  const add = (parent: number, f: number) => {
    const cost = routines[f].self * habit(f, nodes.function[parent], COST) * (0.4 + 1.2 * next());
    nodes.parent.push(parent);
    nodes.function.push(f);
    nodes.self.push(Math.max(1, Math.round(cost)));
    return nodes.parent.length - 1;
  };
  const callees = (f: number, caller: number, depth: number) =>
    routines[f].sites.flatMap(({ to, weights, times, until, before }) => {
      if (before !== undefined && depth >= before) return [];
      const left = until === undefined ? 1 : Math.max(0, 1 - depth / until);
      // Sites with a choice do call: a dispatcher always finds a handler.
      const mean = to.length > 1 ? times * left : times * left * habit(f, caller, TIMES);
      const count = to.length > 1 && times === 1 ? (next() < left ? 1 : 0) : poisson(next, mean);
      return Array.from({ length: count }, () => choice(next, to, (k) => weights[k] * habit(f, caller, to[k])));
    });
  const all = FEWEST_NODES + MORE_NODES * next();
  while (nodes.parent.length < all) {
    const most = nodes.parent.length + MOST_NODES_OF_CALL;
    const waiting = [{ parent: 0, f: drivers[Math.floor(next() ** 1.5 * drivers.length)], depth: 1 }];
    // A waiting call comes after everything below the calls before it: nodes are in the order of calls.
    for (let at = waiting.pop(); at && nodes.parent.length < most; at = waiting.pop()) {
      const node = add(at.parent, at.f);
      const { depth } = at;
      for (const f of callees(at.f, nodes.function[at.parent], depth)) waiting.push({ parent: node, f, depth: depth + 1 });
    }
  }
  return {
    functions: routines.map(({ name }) => name),
    parent: Int32Array.from(nodes.parent),
    function: Int32Array.from(nodes.function),
    self: Float64Array.from(nodes.self),
  };
}

function choice(next: () => number, of: readonly number[], weight: (k: number) => number): number {
  if (of.length === 1) return of[0];
  let sum = 0;
  for (let k = 0; k < of.length; k++) sum += weight(k);
  let left = next() * sum;
  for (let k = 0; k < of.length; k++) if ((left -= weight(k)) < 0) return of[k];
  return of[of.length - 1];
}

/** The routine of each call as Callgrind names it: a function and its level on the stack, up to `levels`. */
function routinesOf({ functions, parent, function: f }: RandomProgram, { levels }: Recording) {
  const names: string[] = [];
  const ids = new Map<number, number>();
  const of = new Int32Array(parent.length);
  const onStack = new Int32Array(functions.length);
  for (const node of inCalls(parent, (left) => onStack[f[left]]--)) {
    const level = Math.min(++onStack[f[node]], levels);
    const key = f[node] * (levels + 1) + level;
    let id = ids.get(key);
    if (id === undefined) {
      ids.set(key, (id = names.length));
      names.push(level === 1 ? functions[f[node]] : `${functions[f[node]]}'${level}`);
    }
    of[node] = id;
  }
  return { names, of };
}

/** All calls in order; `leave` gets each as it returns. */
function* inCalls(parent: Int32Array, leave: (node: number) => void): Generator<number, void> {
  const stack: number[] = [];
  for (let node = 0; node < parent.length; node++) {
    while (stack.length > 0 && stack[stack.length - 1] !== parent[node]) leave(stack.pop() ?? -1);
    stack.push(node);
    yield node;
  }
}

/** The cost of each call with everything below it. */
function inclusiveOf({ parent, self }: RandomProgram): Float64Array {
  const out = self.slice();
  for (let node = parent.length - 1; node > 0; node--) out[parent[node]] += out[node];
  return out;
}

export const sum = (of: Iterable<number>) => {
  let out = 0;
  for (const value of of) out += value;
  return out;
};

function add<K>(to: Map<K, number>, key: K, cost: number): void {
  to.set(key, (to.get(key) ?? 0) + cost);
}

/**
 * The file that Callgrind would write. The cost of an edge is the sum over its calls, those inside one another too: what is below a recursive
 * call counts once for each level.
 */
export function asCallgrind(program: RandomProgram, recording: Recording): string {
  const { parent, self } = program;
  const { names, of } = routinesOf(program, recording);
  const inclusive = inclusiveOf(program);
  const own = new Float64Array(names.length);
  const calls = names.map(() => new Map<number, { count: number; cost: number }>());
  for (let node = 0; node < parent.length; node++) {
    own[of[node]] += self[node];
    if (parent[node] < 0) continue;
    const from = calls[of[parent[node]]];
    const call = from.get(of[node]) ?? { count: 0, cost: 0 };
    from.set(of[node], { count: call.count + 1, cost: call.cost + inclusive[node] });
  }
  const total = sum(self);
  const out = ['# callgrind format', 'version: 1', 'creator: callgrind-3.19.0', 'cmd: ./program', 'part: 1', ''];
  out.push('positions: line', 'events: Ir', `summary: ${total}`, '', 'fl=program.cpp');
  const lineOf = (routine: number) => 10 * (program.functions.indexOf(names[routine].replace(/'\d+$/, '')) + 1);
  names.forEach((name, r) => {
    out.push(`fn=${name}`, `${lineOf(r)} ${own[r]}`);
    let line = lineOf(r);
    for (const [callee, { count, cost }] of calls[r])
      out.push(`cfn=${names[callee]}`, `calls=${count} ${lineOf(callee)} `, `${++line} ${cost}`);
    out.push('');
  });
  out.push(`totals: ${total}`);
  return `${out.join('\n')}\n`;
}

/** How a path goes on with a name: as a step of its own, without a step where it is the same again, or back at its first occurrence. */
export type Steps = 'all' | 'joined' | 'folded';

/** Paths of names from the root, with what was spent in them and below. Ids are rows; 0 is the empty path, with the total. */
export class Paths {
  readonly name: string[] = [''];
  readonly parent: number[] = [-1];
  readonly inclusive: number[] = [0];
  private readonly ids = new Map<string, number>();

  constructor(readonly steps: Steps) {}

  /** The path that goes on with a name; one that is new costs nothing yet. */
  step(above: number, name: string): number {
    if (this.steps === 'joined' && this.name[above] === name) return above;
    if (this.steps === 'folded') for (let at = above; at > 0; at = this.parent[at]) if (this.name[at] === name) return at;
    const key = `${above} ${name}`;
    let id = this.ids.get(key);
    if (id === undefined) {
      this.ids.set(key, (id = this.name.length));
      this.name.push(name);
      this.parent.push(above);
      this.inclusive.push(0);
    }
    return id;
  }

  /** Adds the costs of paths to those that they begin with. */
  addUp(costs = this.inclusive): number[] {
    for (let id = this.name.length - 1; id > 0; id--) costs[this.parent[id]] = (costs[this.parent[id]] ?? 0) + (costs[id] ?? 0);
    return costs;
  }

  text(id: number): string {
    const out: string[] = [];
    for (let at = id; at > 0; at = this.parent[at]) out.push(this.name[at]);
    return out.reverse().join(' > ');
  }
}

export interface Truth {
  readonly total: number;
  /** By routine, with its level. */
  readonly self: ReadonlyMap<string, number>;
  /** Everything below the outermost call of a routine: each cost once. */
  readonly inclusive: ReadonlyMap<string, number>;
  /** The same of a function, all levels together. */
  readonly functions: ReadonlyMap<string, number>;
  /** By `caller>callee`: everything spent with such a call on the stack, each cost once. */
  readonly edges: ReadonlyMap<string, number>;
}

export function truthOf(program: RandomProgram, recording: Recording): Truth {
  const { functions: allFunctions, parent, function: f, self: own } = program;
  const { names, of } = routinesOf(program, recording);
  const cost = inclusiveOf(program);
  const [self, inclusive, functions, edges] = [0, 1, 2, 3].map(() => new Map<string, number>());
  const onStack = new Map<string, number>();
  const keys = (node: number) => {
    const routine = names[of[node]];
    return [routine, `${allFunctions[f[node]]} `, parent[node] < 0 ? '' : `${names[of[parent[node]]]}>${routine}`] as const;
  };
  const enter = (to: Map<string, number>, key: string, node: number, name = key) => {
    const depth = onStack.get(key) ?? 0;
    onStack.set(key, depth + 1);
    if (depth === 0) add(to, name, cost[node]);
  };
  const calls = inCalls(parent, (node) => {
    for (const key of keys(node)) if (key) onStack.set(key, (onStack.get(key) ?? 0) - 1);
  });
  for (const node of calls) {
    const [routine, all, edge] = keys(node);
    add(self, routine, own[node]);
    enter(inclusive, routine, node);
    enter(functions, all, node, allFunctions[f[node]]);
    if (edge) enter(edges, edge, node);
  }
  return { total: sum(own), self, inclusive, functions, edges };
}

export function pathsOf(program: RandomProgram, recording: Recording, steps: Steps): Paths {
  const { parent, self } = program;
  const { names, of } = routinesOf(program, recording);
  const paths = new Paths(steps);
  const pathOf = new Int32Array(parent.length);
  for (let node = 0; node < parent.length; node++) {
    pathOf[node] = paths.step(parent[node] < 0 ? 0 : pathOf[parent[node]], names[of[node]]);
    paths.inclusive[pathOf[node]] += self[node];
  }
  paths.addUp();
  return paths;
}
