// Self cost by source line and by instruction: the file's rows, merged on demand for one routine or source file at a time,
// never for all at once.
import type { LineTables } from '../model/callgraph/tables.ts';
import { type Index, indexBy } from '../model/column.ts';
import { zeroCosts } from '../model/event-value.ts';
import type { Head } from '../model/head.ts';
import type { Costing, Doubts, MergedInstrs, MergedLines } from './costing.ts';
import { type Active, once } from './once.ts';
import { noInstrs } from './without.ts';

type LineProfile = Head & LineTables;

/** Lines and instructions of a profile that has lines; parts that are off are left out. `estimated`: routines whose lines are estimates. */
export function lineCosting(
  profile: LineProfile,
  active: Active,
  estimated?: Doubts,
): Pick<Costing, 'lines' | 'instrs'> & { readonly spansByFile: () => Index } {
  const { routine, file, part } = profile.spans;
  const index = (of: ArrayLike<number>, groups: number) =>
    indexBy(active ? Int32Array.from({ length: of.length }, (_, s) => (active(part[s]) ? of[s] : -1)) : of, groups);
  const byRoutine = once(() => index(routine, profile.routines.name.length));
  const byFile = once(() => index(file, profile.files.name.length));
  return {
    spansByFile: byFile,
    lines: (of) =>
      mergeByLine(profile, 'routine' in of ? spansOf(byRoutine(), of.routine) : spansOf(byFile(), of.file), estimated),
    instrs: (r) => instrsIn(profile, spansOf(byRoutine(), r)),
  };
}

const HALF = 0x100000000;

/** Groups the line rows of the spans by key: the group of every row, and each group's first row and span. */
function groupRows(
  profile: LineProfile,
  spans: readonly number[],
  key: (row: number, span: number) => string | number,
): { first: number[]; firstSpan: number[]; target: Uint32Array } {
  const start = profile.spans.start;
  let rows = 0;
  for (const s of spans) rows += start[s + 1] - start[s];
  const target = new Uint32Array(rows);
  const first: number[] = [];
  const firstSpan: number[] = [];
  const known = new Map<string | number, number>();
  let n = 0;
  for (const s of spans) {
    for (let i = start[s]; i < start[s + 1]; i++) {
      const k = key(i, s);
      let g = known.get(k);
      if (g === undefined) {
        g = first.length;
        known.set(k, g);
        first.push(i);
        firstSpan.push(s);
      }
      target[n++] = g;
    }
  }
  return { first, firstSpan, target };
}

/** Sums the rows of the spans by group, the groups in the given order. */
function sumRows(profile: LineProfile, spans: readonly number[], target: Uint32Array, place: Uint32Array): Float64Array[] {
  const start = profile.spans.start;
  const costs = zeroCosts(profile.columns, place.length);
  for (let c = 0; c < profile.columns; c++) {
    const from = profile.lines.costs[c];
    const out = costs[c];
    let n = 0;
    for (const s of spans) for (let i = start[s]; i < start[s + 1]; i++) out[place[target[n++]]] += from[i];
  }
  return costs;
}

/** place[group] = row, for groups sorted by the comparison. */
function placeSorted(groups: number, compare: (a: number, b: number) => number): { order: number[]; place: Uint32Array } {
  const order = Array.from({ length: groups }, (_, g) => g).sort(compare);
  const place = new Uint32Array(groups);
  order.forEach((g, row) => {
    place[g] = row;
  });
  return { order, place };
}

function mergeByLine(profile: LineProfile, spans: readonly number[], estimated?: Doubts): MergedLines {
  const line = profile.lines.line;
  const file = profile.spans.file;
  const g = groupRows(profile, spans, (row, span) => file[span] * HALF + line[row]);
  const { order, place } = placeSorted(
    g.first.length,
    (a, b) => file[g.firstSpan[a]] - file[g.firstSpan[b]] || line[g.first[a]] - line[g.first[b]],
  );
  return {
    file: Int32Array.from(order, (k) => file[g.firstSpan[k]]),
    line: Uint32Array.from(order, (k) => line[g.first[k]]),
    costs: sumRows(profile, spans, g.target, place),
    ...(estimated ? { estimated: doubtsOf(profile, spans, g.target, place, estimated) } : {}),
  };
}

function doubtsOf(
  { spans: { start, routine } }: LineProfile,
  spans: readonly number[],
  target: Uint32Array,
  place: Uint32Array,
  estimated: Doubts,
): Doubts {
  const out = new Uint8Array(place.length);
  let n = 0;
  for (const s of spans) for (let i = start[s]; i < start[s + 1]; i++) out[place[target[n++]]] |= estimated[routine[s]];
  return out;
}

function spansOf(index: Index, key: number): number[] {
  return key < 0 ? [] : Array.from(index.order.subarray(index.from[key], index.from[key + 1]));
}

/** Instructions by address; an address recorded under several lines keeps the first. */
function instrsIn(profile: LineProfile, spans: readonly number[]): MergedInstrs {
  const { line, address } = profile.lines;
  if (!address) return noInstrs();
  const { high, file } = profile.spans;
  const g = groupRows(profile, spans, (row, span) => {
    const h = high[span];
    return h < 0x200000 ? h * HALF + address[row] : `${h}:${address[row]}`;
  });
  const { order, place } = placeSorted(
    g.first.length,
    (a, b) => high[g.firstSpan[a]] - high[g.firstSpan[b]] || address[g.first[a]] - address[g.first[b]],
  );
  return {
    high: Uint32Array.from(order, (k) => high[g.firstSpan[k]]),
    low: Uint32Array.from(order, (k) => address[g.first[k]]),
    file: Int32Array.from(order, (k) => file[g.firstSpan[k]]),
    line: Uint32Array.from(order, (k) => line[g.first[k]]),
    costs: sumRows(profile, spans, g.target, place),
  };
}
