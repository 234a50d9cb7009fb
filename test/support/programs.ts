// Programs that are not there: random call graphs, versions of them in which some routines have other names, are gone or are new, and
// what a profiler would write of them.

/** Numbers from 0 to 1; the same for the same seed. */
export function random(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Routine {
  name: string;
  readonly file: string;
  /** Its first; 0 if that is not known. */
  readonly line: number;
  self: number;
}

export interface Call {
  /** Numbers of routines; the callee's is the larger one. */
  readonly from: number;
  readonly to: number;
  count: number;
}

export interface Program {
  readonly routines: readonly Routine[];
  readonly calls: readonly Call[];
}

const word = (next: () => number) => Math.floor(1e9 + next() * 1e9).toString(36);

export interface Shape {
  readonly routines: number;
  /** Without: one file, and no lines. */
  readonly files?: number;
  /** Callers of a routine, at most. */
  readonly callers?: number;
}

/** Costs and counts of calls are spread evenly over their logarithms. */
export function program(next: () => number, { routines: n, files, callers = 3 }: Shape): Program {
  const routines = Array.from({ length: n }, (_, i) => ({
    name: `f_${word(next)}_${i}`,
    file: files ? `file${Math.floor((i * files) / n)}.c` : 'all.c',
    line: files ? 10 + 20 * i : 0,
    self: Math.ceil(10 * Math.exp(9 * next())),
  }));
  const calls: Call[] = [];
  for (let to = 1; to < n; to++) {
    const from = new Set(Array.from({ length: 1 + Math.floor(callers * next()) }, () => Math.floor(to * next())));
    for (const caller of from) calls.push({ from: caller, to, count: Math.ceil(Math.exp(7 * next())) });
  }
  return { routines, calls };
}

function without({ routines, calls }: Program, left: ReadonlySet<number>): Program {
  const place = new Map<number, number>();
  routines.forEach((_, i) => {
    if (!left.has(i)) place.set(i, place.size);
  });
  return {
    routines: routines.filter((_, i) => place.has(i)),
    calls: calls.flatMap(({ from, to, count }) => {
      const [a, b] = [place.get(from), place.get(to)];
      return a === undefined || b === undefined ? [] : [{ from: a, to: b, count }];
    }),
  };
}

export interface Changes {
  readonly renamed: number;
  readonly gone: number;
  readonly added: number;
  /** Self costs and counts of calls change by up to such a share. */
  readonly cost?: number;
  readonly counts?: number;
  /** The renamed ones call each other, as those of a class do. */
  readonly together?: boolean;
}

export interface Versions {
  readonly before: Program;
  readonly now: Program;
  /** New names by old ones. */
  readonly truth: ReadonlyMap<string, string>;
}

export function versions(next: () => number, whole: Program, changes: Changes): Versions {
  const { cost = 0.05, counts = 0 } = changes;
  const taken = new Set([0]);
  const pick = (k: number) => {
    const out = new Set<number>();
    while (out.size < k) {
      const i = Math.floor(next() * whole.routines.length);
      if (!taken.has(i)) out.add(i);
      taken.add(i);
    }
    return out;
  };
  const [gone, added] = [pick(changes.gone), pick(changes.added)];
  const renamed = changes.together ? neighbours(next, whole, changes.renamed, taken) : pick(changes.renamed);
  const by = (share: number) => 1 + (2 * next() - 1) * share;
  const now = {
    routines: whole.routines.map((r, i) => ({
      ...r,
      name: renamed.has(i) ? `g_${word(next)}` : r.name,
      self: Math.ceil(r.self * by(cost)),
    })),
    calls: whole.calls.map((c) => ({ ...c, count: Math.ceil(c.count * by(counts)) })),
  };
  const truth = new Map(Array.from(renamed, (i) => [whole.routines[i].name, now.routines[i].name] as const));
  return { before: without(whole, added), now: without(now, gone), truth };
}

/** So many routines that are callers or callees of one another, as far as there are. */
function neighbours(next: () => number, { calls }: Program, k: number, taken: ReadonlySet<number>): Set<number> {
  const out = new Set<number>();
  const edge = [calls[Math.floor(next() * calls.length)].to];
  while (out.size < k && edge.length > 0) {
    const [r] = edge.splice(Math.floor(next() * edge.length), 1);
    if (out.has(r) || taken.has(r)) continue;
    out.add(r);
    for (const { from, to } of calls) if (from === r || to === r) edge.push(from === r ? to : from);
  }
  return out;
}

/** A Callgrind profile. A routine's cost comes to its callers by how often they call it. `flat`: without calls, as Cachegrind has it. */
export function written({ routines, calls }: Program, flat = false): string {
  const inclusive = routines.map(({ self }) => self);
  const called = new Float64Array(routines.length);
  const made = routines.map((): Call[] => []);
  for (const call of calls) {
    called[call.to] += call.count;
    made[call.from].push(call);
  }
  const costOf = ({ to, count }: Call) => Math.round((inclusive[to] * count) / called[to]);
  for (let i = routines.length - 1; i >= 0; i--) for (const call of made[i]) inclusive[i] += costOf(call);
  const out = ['events: Ir'];
  routines.forEach(({ name, file, line, self }, i) => {
    out.push(`fl=${file}`, `fn=${name}`, `${line} ${self}`);
    if (flat) return;
    for (const call of made[i]) {
      const to = routines[call.to];
      out.push(`cfi=${to.file}`, `cfn=${to.name}`, `calls=${call.count} ${to.line}`, `${line} ${costOf(call)}`);
    }
  });
  return `${out.join('\n')}\n`;
}
