// Lines, call sites and instructions of two runs, merged. A line of the base is where a map of its file puts it; an instruction is where
// its distance from the first one of its routine puts it.
import type {
  CallSiteQuery,
  CallSites,
  Costing,
  Doubts,
  LineCalls,
  LineMap,
  LineMaps,
  MergedInstrs,
  MergedLines,
} from '../costing.ts';
import { rowAt } from '../instr-calls.ts';
import { sitesIn } from '../line-calls.ts';
import { mergeAddresses } from '../merged-sites.ts';
import { noLineCalls } from '../without.ts';
import type { Columns } from './columns.ts';

/** Rows of both runs, each with its row in the merged table. */
class Merge {
  private readonly rows = new Map<string, number>();
  readonly of: readonly [now: number[], before: number[]] = [[], []];
  /** The first row of each merged one: from the base if negative (-1 - row). */
  readonly first: number[] = [];

  /** Adds row `at` of a run by its key. */
  add(side: 0 | 1, at: number, key: string): void {
    let row = this.rows.get(key);
    if (row === undefined) {
      row = this.first.push(side === 0 ? at : -1 - at) - 1;
      this.rows.set(key, row);
    }
    this.of[side][at] = row;
  }

  has(key: string): boolean {
    return this.rows.has(key);
  }

  /** Puts the rows in the order of the comparison. */
  sort(compare: (a: number, b: number) => number): void {
    const order = [...this.first.keys()].sort((a, b) => compare(this.first[a], this.first[b]) || a - b);
    const place = new Uint32Array(order.length);
    order.forEach((row, at) => {
      place[row] = at;
    });
    for (const rows of this.of) for (let i = 0; i < rows.length; i++) rows[i] = place[rows[i]];
    const first = order.map((row) => this.first[row]);
    first.forEach((f, at) => {
      this.first[at] = f;
    });
  }

  /** Which of the runs has each row. */
  sides(): Uint8Array {
    const out = new Uint8Array(this.first.length);
    this.of.forEach((rows, side) => {
      for (const row of rows) out[row] |= side + 1;
    });
    return out;
  }

  /** A row is an estimate if it is one in a run. */
  doubts(now: Doubts | undefined, before: Doubts | undefined): { readonly estimated?: Doubts } {
    if (!now && !before) return {};
    const estimated = new Uint8Array(this.first.length);
    for (const [side, column] of [now, before].entries())
      this.of[side].forEach((row, at) => {
        estimated[row] |= column?.[at] ?? 0;
      });
    return { estimated };
  }

  sum(side: 0 | 1, column: ArrayLike<number>): Float64Array {
    const out = new Float64Array(this.first.length);
    this.of[side].forEach((row, at) => {
      out[row] += column[at];
    });
    return out;
  }

  both(join: Columns, now: readonly Float64Array[], before: readonly Float64Array[], calls?: ArrayLike<number>): Float64Array[] {
    const none = new Float64Array(this.first.length);
    return join.both(
      now.map((column) => this.sum(0, column)),
      before.map((column) => this.sum(1, column)),
      calls ? this.sum(1, calls) : none,
    );
  }
}

/** A value of the first row, of the run that has it. */
const pick =
  (now: ArrayLike<number>, before: ArrayLike<number>) =>
  (first: number): number =>
    first >= 0 ? now[first] : before[-1 - first];

export function mergedLines(now: MergedLines, before: MergedLines, maps: LineMaps, join: Columns): MergedLines {
  const merge = new Merge();
  const moved = Uint32Array.from(before.line, (line, i) => maps(before.file[i]).now(line));
  now.line.forEach((line, i) => {
    merge.add(0, i, `${now.file[i]} ${line}`);
  });
  moved.forEach((line, i) => {
    merge.add(1, i, `${before.file[i]} ${line}`);
  });
  const file = pick(now.file, before.file);
  const line = pick(now.line, moved);
  merge.sort((a, b) => file(a) - file(b) || line(a) - line(b));
  return {
    file: Int32Array.from(merge.first, file),
    line: Uint32Array.from(merge.first, line),
    costs: merge.both(join, now.costs, before.costs),
    sides: merge.sides(),
    ...merge.doubts(now.estimated, before.estimated),
  };
}

type Addresses = Pick<MergedInstrs, 'high' | 'low'>;

/** The addresses of a routine's instructions, as they would be if it began where it begins in the other run. */
function shifted(from: Addresses, by: bigint): Addresses {
  if (by === 0n) return from;
  const out = { high: from.high.slice(), low: from.low.slice() };
  for (let i = 0; i < out.low.length; i++) shift(out, i, by);
  return out;
}

function shift(addresses: Addresses, i: number, by: bigint): void {
  const address = BigInt.asUintN(64, addressAt(addresses, i) + by);
  addresses.high[i] = Number(address >> 32n);
  addresses.low[i] = Number(address & 0xffffffffn);
}

function addressAt({ high, low }: Addresses, i: number): bigint {
  return (BigInt(high[i]) << 32n) | BigInt(low[i]);
}

/** How far a routine has moved; 0 if one of the runs does not have it. */
function shiftOf(now: MergedInstrs, before: MergedInstrs): bigint {
  if (now.low.length === 0 || before.low.length === 0) return 0n;
  return addressAt(now, 0) - addressAt(before, 0);
}

export function mergedInstrs(now: MergedInstrs, before: MergedInstrs, maps: LineMaps, join: Columns): MergedInstrs {
  const merge = new Merge();
  const then = shifted(before, shiftOf(now, before));
  const moved = Uint32Array.from(before.line, (line, i) => maps(before.file[i]).now(line));
  now.low.forEach((low, i) => {
    merge.add(0, i, `${now.high[i]} ${low}`);
  });
  then.low.forEach((low, i) => {
    merge.add(1, i, `${then.high[i]} ${low}`);
  });
  const high = pick(now.high, then.high);
  const low = pick(now.low, then.low);
  merge.sort((a, b) => high(a) - high(b) || low(a) - low(b));
  return {
    high: Uint32Array.from(merge.first, high),
    low: Uint32Array.from(merge.first, low),
    file: Int32Array.from(merge.first, pick(now.file, before.file)),
    line: Uint32Array.from(merge.first, pick(now.line, moved)),
    costs: merge.both(join, now.costs, before.costs),
    sides: merge.sides(),
  };
}

/** Call sites: by caller, callee, file, line and address; what the base calls elsewhere on a line counts for the line's first call. */
export function mergedSites(
  now: Costing,
  before: Costing,
  of: CallSiteQuery,
  maps: LineMaps,
  join: Columns,
): CallSites | undefined {
  const [allNow, allBefore] = [now.callSites(of), before.callSites(of)];
  if (!allNow && !allBefore) return undefined;
  const none = emptySites();
  const placed = Boolean(allNow?.high && allBefore?.high);
  const a = placed ? (allNow ?? none) : withoutAddresses(allNow ?? none);
  const b = placed ? movedSites(allBefore ?? none, now, before) : withoutAddresses(allBefore ?? none);
  const moved = Uint32Array.from(b.line, (line, i) => maps(b.file[i]).now(line));
  const merge = new Merge();
  const lineKey = (s: CallSites, line: Uint32Array, i: number) => `${s.caller[i]} ${s.callee[i]} ${s.file[i]} ${line[i]}`;
  const at = (s: CallSites, i: number) => (s.high && s.low ? ` ${s.high[i]} ${s.low[i]}` : '');
  const firstOf = new Map<string, string>();
  for (let i = 0; i < a.line.length; i++) {
    const line = lineKey(a, a.line, i);
    const key = line + at(a, i);
    if (!firstOf.has(line)) firstOf.set(line, key);
    merge.add(0, i, key);
  }
  for (let i = 0; i < b.line.length; i++) {
    const line = lineKey(b, moved, i);
    const key = line + at(b, i);
    merge.add(1, i, merge.has(key) ? key : (firstOf.get(line) ?? key));
  }
  const column = (x: ArrayLike<number> | undefined, y: ArrayLike<number> | undefined) => pick(x ?? [], y ?? []);
  const [caller, file, line] = [pick(a.caller, b.caller), pick(a.file, b.file), pick(a.line, moved)];
  const [high, low, spread] = [column(a.high, b.high), column(a.low, b.low), column(a.spread, b.spread)];
  merge.sort(
    (x, y) =>
      caller(x) - caller(y) || file(x) - file(y) || line(x) - line(y) || (placed ? high(x) - high(y) || low(x) - low(y) : 0),
  );
  const inlined = (a.inlined ?? b.inlined) ? column(a.inlined, b.inlined) : undefined;
  return {
    caller: Uint32Array.from(merge.first, caller),
    callee: Uint32Array.from(merge.first, pick(a.callee, b.callee)),
    file: Int32Array.from(merge.first, file),
    line: Uint32Array.from(merge.first, line),
    ...(placed ? { high: Uint32Array.from(merge.first, high), low: Uint32Array.from(merge.first, low) } : {}),
    ...(placed && (a.spread || b.spread) ? { spread: Uint8Array.from(merge.first, (f) => spread(f) || 0) } : {}),
    ...(inlined ? { inlined: Uint8Array.from(merge.first, (f) => inlined(f) || 0) } : {}),
    count: merge.sum(0, a.count),
    costs: merge.both(join, a.costs, b.costs, b.count),
    sides: merge.sides(),
    ...merge.doubts(a.estimated, b.estimated),
  };
}

function emptySites(): CallSites {
  const ids = new Uint32Array(0);
  return {
    caller: ids,
    callee: ids,
    file: new Int32Array(0),
    line: ids,
    high: ids,
    low: ids,
    count: new Float64Array(0),
    costs: [],
  };
}

/** By line alone: one of the runs has no addresses. */
function withoutAddresses(sites: CallSites): CallSites {
  const { high: _, low: __, spread: ___, ...rest } = mergeAddresses(sites);
  return rest;
}

/** The base's sites, where they would be if their callers began where they begin in this run. */
function movedSites(sites: CallSites, now: Costing, before: Costing): CallSites {
  const { high, low, caller } = sites;
  if (!high || !low) return sites;
  const shifts = new Map<number, bigint>();
  const out = { high: high.slice(), low: low.slice() };
  for (let i = 0; i < low.length; i++) {
    let by = shifts.get(caller[i]);
    if (by === undefined) shifts.set(caller[i], (by = shiftOf(now.instrs(caller[i]), before.instrs(caller[i]))));
    if (by !== 0n) shift(out, i, by);
  }
  return { ...sites, ...out };
}

/** A run's own calls from the lines of a file, by one routine or all (-1). */
export function ownSites(costing: Costing, file: number, routine: number): CallSites | undefined {
  const sites = costing.callSites(routine >= 0 ? { from: routine } : { inFile: file });
  return sites && sitesIn(sites, file);
}

export function mergedLineCalls(
  now: LineCalls | undefined,
  before: LineCalls | undefined,
  map: LineMap,
  join: Columns,
): LineCalls {
  return mergedCalls(now, before, { now: (line) => line, before: map.now }, join);
}

/** `merged`: the instructions of both. Each run says itself which calls stay in a cycle, and where its instructions are. */
export function mergedInstrCalls(
  now: Costing,
  before: Costing,
  routine: number,
  merged: MergedInstrs,
  join: Columns,
): LineCalls | undefined {
  const [ours, theirs] = [now.instrCalls(routine), before.instrCalls(routine)];
  if (!ours && !theirs) return undefined;
  const [a, b] = [now.instrs(routine), before.instrs(routine)];
  const then = shifted(b, shiftOf(a, b));
  const rowIn = ({ high, low }: Addresses) => {
    return (row: number) => (row < low.length ? rowAt(merged, high[row], low[row]) : row);
  };
  return mergedCalls(ours, theirs, { now: rowIn(a), before: rowIn(then) }, join);
}

/** Calls by line, or by what stands for lines; `place` says where those of each run are among those of both. */
function mergedCalls(
  now: LineCalls | undefined,
  before: LineCalls | undefined,
  place: { readonly now: (line: number) => number; readonly before: (line: number) => number },
  join: Columns,
): LineCalls {
  const [a, b] = [now ?? noLineCalls(), before ?? noLineCalls()];
  const [kept, moved] = [
    Uint32Array.from(a.line, (line) => place.now(line)),
    Uint32Array.from(b.line, (line) => place.before(line)),
  ];
  const merge = new Merge();
  kept.forEach((line, i) => {
    merge.add(0, i, `${line} ${a.callee[i]} ${a.inside[i]}`);
  });
  moved.forEach((line, i) => {
    merge.add(1, i, `${line} ${b.callee[i]} ${b.inside[i]}`);
  });
  return {
    line: Uint32Array.from(merge.first, pick(kept, moved)),
    callee: Uint32Array.from(merge.first, pick(a.callee, b.callee)),
    inside: Uint8Array.from(merge.first, pick(a.inside, b.inside)),
    sites: Uint32Array.from(merge.first, pick(a.sites, b.sites)),
    count: merge.sum(0, a.count),
    costs: merge.both(join, a.costs, b.costs, b.count),
    sides: merge.sides(),
    ...merge.doubts(a.estimated, b.estimated),
  };
}
