// Self cost by source line and by instruction: the file's rows, merged. A routine's or a file's at a time, as they are
// looked at; never all at once.
import { zeroCosts } from '../model/event-value.ts';
import type { Profile } from '../model/profile.ts';
import type { Analysis } from './analysis.ts';

/** Rows sorted by file, then line (or by address). routine is -1 where rows of several are merged. */
export interface MergedLines {
  readonly file: Int32Array;
  readonly line: Uint32Array;
  readonly costs: readonly Float64Array[];
}

export interface MergedInstrs {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  readonly file: Int32Array;
  readonly line: Uint32Array;
  readonly costs: readonly Float64Array[];
}

const HALF = 0x100000000;

/** Row numbers of the merged table for every line row of the spans, and the key of each merged row. */
function groupRows(
  profile: Profile,
  spans: readonly number[],
  key: (row: number, span: number) => string | number,
): { groups: number; first: number[]; firstSpan: number[]; target: Uint32Array } {
  const start = profile.spans!.start;
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
  return { groups: first.length, first, firstSpan, target };
}

/** Sums the rows of the spans by group, the groups in the given order. */
function sumRows(profile: Profile, spans: readonly number[], target: Uint32Array, place: Uint32Array): Float64Array[] {
  const start = profile.spans!.start;
  const costs = zeroCosts(profile.columns, place.length);
  for (let c = 0; c < profile.columns; c++) {
    const from = profile.lines!.costs[c];
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

function mergeByLine(analysis: Analysis, spans: readonly number[]): MergedLines {
  const { profile } = analysis;
  const line = profile.lines!.line;
  const file = profile.spans!.file;
  const g = groupRows(profile, spans, (row, span) => file[span] * HALF + line[row]);
  const { order, place } = placeSorted(
    g.groups,
    (a, b) => file[g.firstSpan[a]] - file[g.firstSpan[b]] || line[g.first[a]] - line[g.first[b]],
  );
  return {
    file: Int32Array.from(order, (k) => file[g.firstSpan[k]]),
    line: Uint32Array.from(order, (k) => line[g.first[k]]),
    costs: sumRows(profile, spans, g.target, place),
  };
}

export function spansOf(index: { order: Uint32Array; from: Uint32Array }, key: number): number[] {
  return key < 0 ? [] : Array.from(index.order.subarray(index.from[key], index.from[key + 1]));
}

/** Lines of a routine: its own file's, and of the files whose code was inlined into it. */
export function linesOfRoutine(analysis: Analysis, routine: number): MergedLines {
  return mergeByLine(analysis, spansOf(analysis.spansByRoutine, routine));
}

/** Lines of a file, of all routines that have code there. */
export function linesOfFile(analysis: Analysis, file: number): MergedLines {
  return mergeByLine(analysis, spansOf(analysis.spansByFile, file));
}

/** Instructions of a routine by address; an address that stands under several lines keeps its first. */
export function instrsOfRoutine(analysis: Analysis, routine: number): MergedInstrs {
  const { profile } = analysis;
  const spans = spansOf(analysis.spansByRoutine, routine);
  const address = profile.lines!.address!;
  const { high, file } = profile.spans!;
  const line = profile.lines!.line;
  const g = groupRows(profile, spans, (row, span) => {
    const h = high[span];
    return h < 0x200000 ? h * HALF + address[row] : `${h}:${address[row]}`;
  });
  const { order, place } = placeSorted(
    g.groups,
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
