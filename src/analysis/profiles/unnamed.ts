// Unnamed code is not one routine: `???` or `UnknownFn???` stands for all functions without a name. As one routine it would close cycles that
// never ran. In the graph of nodes, what members of a cycle call is a node of its own for each caller, with as much of the recorded body as
// these calls cost. Each cost counts once, and the routine keeps one row.

import { addToList, groupByKey } from '../../base/lists.ts';
import type { Sliced } from '../../base/slices.ts';
import type { Calls, Lines } from '../../model/callgraph/tables.ts';
import { appendValues, concatTables, type Index, indexBy, pickColumn, pickRows, rowsOfKey } from '../../model/column.ts';
import type { ProfileOf } from '../../model/profile.ts';
import { findCycles } from '../answers/callgraph/cycles.ts';
import { nameWithoutNumber } from '../names/names.ts';
import { foldNodes } from './inlined/fold.ts';

/** A row of a body: a row of `lines`, or of `calls`. */
interface BodyRow {
  readonly table: 'lines' | 'calls';
  readonly row: number;
  readonly span: number;
}

/** A part of a body row: its cost by column. */
interface Taken extends BodyRow {
  readonly costs: number[];
}

/** The calls of a caller into unnamed code, and their cost by column. */
type Demand = Readonly<Record<'own' | 'costs', readonly number[]>>;

/** Beyond this number of visited calls and rows, unnamed code stays in its cycles. */
const MAX_STEPS = 20_000_000;

/** `?`, `U` and `[`. */
const FIRST_BYTES: ReadonlySet<number> = new Set([63, 85, 91]);
const UNNAMED = /^(?:\?+|UnknownFn\?\?\?|\[unknown\])$/;

/** The profile with a graph of nodes if its unnamed code takes part in cycles; else itself. Yields between slices of work. */
export function* splitUnnamedCode(profile: ProfileOf<'callgraph'>): Sliced<ProfileOf<'callgraph'>> {
  const { routines, calls, spans, strings } = profile;
  const n = routines.name.length;
  // Most names are told apart by their first byte.
  const mayBeUnnamed = (id: number) =>
    FIRST_BYTES.has(strings.bytes[strings.start[id]]) || strings.start[id] === strings.start[id + 1];
  const unnamed = Array.from(routines.name.keys()).filter(
    (r) => mayBeUnnamed(routines.name[r]) && UNNAMED.test(nameWithoutNumber(profile, r)),
  );
  if (unnamed.length === 0 || !calls || profile.nodes) return profile;
  const caller = pickColumn(spans.routine, calls.span);
  const outgoing = indexBy(caller, n);
  const { of } = yield* findCycles({ from: outgoing.from, callee: pickColumn(calls.callee, outgoing.order) }, n);
  const inCycles = unnamed.filter((r) => of[r] > 0);
  if (inCycles.length === 0) return profile;
  const split = new UnnamedSplit(profile, calls, caller, outgoing, of);
  for (const r of inCycles) {
    split.splitRoutine(r);
    yield;
  }
  const graph = split.finish();
  if (!graph) return profile;
  // The routine's own costs are those that were recorded.
  const { nodes, estimated: _, ...folded } = yield* foldNodes(graph);
  const estimated = profile.estimated ? { estimated: profile.estimated } : {};
  return nodes ? { ...folded, ...estimated, nodes: { ...nodes, nameless: true } } : profile;
}

class UnnamedSplit {
  /** The costs of each row that no node has taken. */
  private readonly left: Record<BodyRow['table'], readonly (Uint32Array | Float64Array)[]>;
  private readonly callee: Uint32Array;
  /** By cycle: the calls inside of it. */
  private readonly rowsOfCycle: ReadonlyMap<number, readonly number[]>;
  private readonly spansOf: Index;
  private steps = 0;
  /** By new node: the routine that it is split from, and its rows. */
  private readonly nodes: { readonly routine: number; readonly taken: readonly Taken[]; readonly isGuess: boolean }[] = [];

  constructor(
    private readonly profile: ProfileOf<'callgraph'>,
    private readonly calls: Calls,
    private readonly caller: Uint32Array,
    private readonly outgoing: Index,
    private readonly cycleOf: Uint32Array,
  ) {
    const { callee } = calls;
    this.rowsOfCycle = groupByKey(caller.keys(), (row) =>
      cycleOf[caller[row]] === cycleOf[callee[row]] ? cycleOf[caller[row]] : 0,
    );
    this.spansOf = indexBy(profile.spans.routine, profile.routines.name.length);
    const [lines, ofCalls] = [profile.lines, calls].map(({ costs }) => costs.map((column) => column.slice()));
    this.left = { lines, calls: ofCalls };
    this.callee = calls.callee.slice();
  }

  /** Gives each caller in the routine's cycle a node of its own, in each part. */
  splitRoutine(routine: number): void {
    const { profile, calls, caller, cycleOf } = this;
    const partOf = (row: number) => profile.spans.part[calls.span[row]];
    const inner = this.rowsOfCycle.get(cycleOf[routine]) ?? [];
    this.steps += inner.length;
    if (this.steps > MAX_STEPS) return;
    const own = Array.from(rowsOfKey(this.outgoing, routine), (row): BodyRow => ({ table: 'calls', row, span: calls.span[row] }));
    const bodies = groupByKey([...this.linesOf(routine), ...own], ({ span }) => profile.spans.part[span]);
    const callersOf = new Map<number, number[]>();
    for (const row of inner)
      if (caller[row] !== routine && calls.callee[row] !== routine) addToList(callersOf, calls.callee[row], caller[row]);
    // Calls among unnamed code stay calls of the routine by itself.
    const into = inner.filter((row) => calls.callee[row] === routine && caller[row] !== routine);
    for (const [part, rows] of groupByKey(into, partOf)) {
      const demands = [...groupByKey(rows, (row) => caller[row]).values()].map((of): Demand => {
        return { own: of, costs: calls.costs.map((column) => of.reduce((sum, row) => sum + column[row], 0)) };
      });
      // A routine that costs less is likely to be further down.
      demands.sort((a, b) => (a.costs[0] ?? 0) - (b.costs[0] ?? 0));
      const body = bodies.get(part) ?? [];
      const comesBack = ({ table, row }: BodyRow) => table === 'calls' && cycleOf[calls.callee[row]] === cycleOf[routine];
      const [inside, rest] = [body.filter(comesBack), body.filter((row) => !comesBack(row))];
      // A body that cannot be shared among all of them stays one, with estimates.
      const shares = this.share(demands, rest, inside, callersOf);
      const isGuess = demands.length > 1 || rest.some(({ table, row }) => this.left[table].some((column) => column[row] !== 0));
      for (const [k, taken] of shares.entries()) {
        const node = profile.routines.name.length + this.nodes.push({ routine, taken, isGuess }) - 1;
        for (const row of demands[k].own) this.callee[row] = node;
      }
    }
  }

  /**
   * The rows that each demand, in order, takes of a body; none, if that is too little for one. Calls into the cycle are taken last, and only
   * if their callee does not lead to the caller. `callersOf`: the callers in the cycle.
   */
  private share(
    demands: readonly Demand[],
    body: readonly BodyRow[],
    inside: readonly BodyRow[],
    callersOf: Map<number, number[]>,
  ) {
    const { callee } = this.calls;
    const above = new Map([...callersOf].map(([routine, callers]) => [routine, callers.slice()]));
    const shares: Taken[][] = [];
    for (const { own, costs } of demands) {
      const caller = this.caller[own[0]];
      const reaching = new Set([caller]);
      // The loop also visits members that it adds.
      for (const r of reaching)
        for (const one of above.get(r) ?? []) {
          reaching.add(one);
          this.steps++;
        }
      this.steps += body.length + inside.length;
      const below = inside.filter(({ row }) => !reaching.has(callee[row]));
      const taken = this.steps > MAX_STEPS ? undefined : this.take([...body, ...below], costs);
      if (!taken) {
        for (const rows of shares) this.subtract(rows, -1);
        return [];
      }
      shares.push(taken);
      for (const { table, row } of taken) if (table === 'calls') addToList(above, callee[row], caller);
    }
    return shares;
  }

  private linesOf(routine: number): BodyRow[] {
    const { start } = this.profile.spans;
    return Array.from(rowsOfKey(this.spansOf, routine)).flatMap((span) =>
      Array.from({ length: start[span + 1] - start[span] }, (_, k): BodyRow => ({ table: 'lines', row: start[span] + k, span })),
    );
  }

  /** Takes costs from rows, in their order; undefined, and nothing is taken, if they cost less. */
  private take(body: readonly BodyRow[], costs: readonly number[]): Taken[] | undefined {
    const open = costs.slice();
    const taken: Taken[] = [];
    for (const one of body) {
      if (open.every((cost) => cost === 0)) break;
      const own = open.map((cost, c) => Math.max(0, Math.min(cost, this.left[one.table][c][one.row])));
      if (own.some((cost) => cost > 0)) taken.push({ ...one, costs: own });
      for (const [c, cost] of own.entries()) open[c] -= cost;
    }
    if (open.some((cost) => cost !== 0)) return undefined;
    this.subtract(taken, 1);
    return taken;
  }

  private subtract(rows: readonly Taken[], sign: 1 | -1): void {
    for (const { table, row, costs } of rows) for (const [c, cost] of costs.entries()) this.left[table][c][row] -= sign * cost;
  }

  /** The graph whose routines are the nodes; undefined if none were split. Taken rows follow the others, in spans of their own. */
  finish(): ProfileOf<'callgraph'> | undefined {
    if (this.nodes.length === 0) return undefined;
    const { profile, calls, callee, left } = this;
    const { routines, lines } = profile;
    const { start, ...spans } = profile.spans;
    const added = this.nodes.flatMap(({ taken }, k) =>
      [...groupByKey(taken, (row) => row.span)].map(([span, rows]) => ({ node: routines.name.length + k, span, rows })),
    );
    const rowsOf = (table: BodyRow['table']) =>
      added.flatMap(({ rows }, k) =>
        rows.filter((row) => row.table === table).map((row) => ({ ...row, span: start.length - 1 + k })),
      );
    const [ofLines, ofCalls] = [rowsOf('lines'), rowsOf('calls')];
    const costs = (rows: readonly Taken[]) => left.lines.map((_, c) => Float64Array.from(rows, (row) => row.costs[c]));
    const numbers = (rows: readonly BodyRow[]) => rows.map(({ row }) => row);
    let end = lines.line.length;
    const ends = added.map(({ rows }) => (end += rows.filter(({ table }) => table === 'lines').length));
    const guesses = new Set(
      this.nodes.flatMap(({ routine, isGuess }, k) => (isGuess ? [routine, routines.name.length + k] : [])),
    );
    const flags = (rows: number) => Uint8Array.from({ length: rows }, (_, r) => Number(guesses.has(r)));
    const nodes = routines.name.length + this.nodes.length;
    const ofNoCalls = new Uint8Array(callee.length + ofCalls.length);
    const estimated = { self: flags(nodes), inclusive: new Uint8Array(nodes), calls: ofNoCalls };
    const split = this.nodes.map(({ routine }) => routine);
    const newRoutines = pickRows(routines, split);
    const spanRows = added.map(({ span }) => span);
    const newSpans = { ...pickRows(spans, spanRows), routine: Uint32Array.from(added, ({ node }) => node) };
    return {
      ...profile,
      ...(guesses.size > 0 ? { estimated } : {}),
      routines: concatTables([routines, newRoutines]),
      spans: { ...concatTables([spans, newSpans]), start: appendValues(start, ends) },
      lines: concatTables<Lines>([
        { ...lines, costs: left.lines },
        { ...pickRows(lines, numbers(ofLines)), costs: costs(ofLines) },
      ]),
      calls: concatTables<Calls>([
        { ...calls, callee, costs: left.calls },
        {
          ...pickRows({ ...calls, callee }, numbers(ofCalls)),
          span: Uint32Array.from(ofCalls, ({ span }) => span),
          // The row that a call is taken from keeps its count.
          count: new Uint32Array(ofCalls.length),
          costs: costs(ofCalls),
        },
      ]),
    };
  }
}
