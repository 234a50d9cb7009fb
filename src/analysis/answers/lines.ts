// Self cost by source line and by instruction. Rows are merged on demand, for one routine or source file at a time.
import type { LineTables } from '../../model/callgraph/tables.ts';
import { type Index, indexBy, Numbering, type NumericArray, pickColumn, pickRows, rowsOfKey } from '../../model/column.ts';
import type { Head } from '../../model/head.ts';
import { sortTableBy } from './compared/merge.ts';
import type { Costing, EstimateFlags, MergedInstrs, MergedLines } from './costing.ts';
import { type Active, once } from './once.ts';
import { noInstrs } from './without.ts';

type LineProfile = Head & LineTables;

/** Lines and instructions of a profile that has lines; parts that are off are left out. `estimated`: routines whose lines are estimates. */
export function lineCosting(
  profile: LineProfile,
  active: Active,
  estimated?: EstimateFlags,
): Pick<Costing, 'lines' | 'instrs'> & { readonly spansByFile: () => Index } {
  const { routine, file, part } = profile.spans;
  const index = (of: ArrayLike<number>, groups: number) =>
    indexBy(active ? Int32Array.from({ length: of.length }, (_, s) => (active(part[s]) ? of[s] : -1)) : of, groups);
  const byRoutine = once(() => index(routine, profile.routines.name.length));
  const byFile = once(() => index(file, profile.files.name.length));
  return {
    spansByFile: byFile,
    lines: (of) =>
      mergeByLine(profile, 'routine' in of ? rowsOfKey(byRoutine(), of.routine) : rowsOfKey(byFile(), of.file), estimated),
    instrs: (r) => mergeByAddress(profile, rowsOfKey(byRoutine(), r)),
  };
}

/** The key of an address or another pair of 32-bit numbers; a text beyond 2^53. */
export const pairKey = (high: number, low: number): number | string =>
  high < 0x200000 ? high * 2 ** 32 + low : `${high}:${low}`;

/** Sums line rows by a column of their spans and a column of their own. Returns the first row and span of each sum. */
function sumRows(profile: LineProfile, of: Uint32Array, upper: NumericArray, lower: NumericArray, doubts?: EstimateFlags) {
  const { lines, spans } = profile;
  const { start, routine } = spans;
  const [row, span, estimated]: number[][] = [[], [], []];
  const costs: number[][] = lines.costs.map(() => []);
  const keyOf = (s: number, i: number) => pairKey(upper[s], lower[i]);
  /** The sums by key, needed only if rows are out of order. */
  let known: Numbering | undefined;
  const sumOf = (s: number, i: number): number => {
    if (!known) {
      const last = row.length - 1;
      const ahead = last < 0 ? 1 : upper[s] - upper[span[last]] || lower[i] - lower[row[last]];
      if (ahead >= 0) return ahead > 0 ? row.length : last;
      known = new Numbering();
      for (let sum = 0; sum <= last; sum++) known.numberOf(keyOf(span[sum], row[sum]));
    }
    return known.numberOf(keyOf(s, i));
  };
  for (const s of of)
    for (let from = start[s], to = from; from < start[s + 1]; from = to) {
      while (to < start[s + 1] && lower[to] === lower[from]) to++;
      const sum = sumOf(s, from);
      row[sum] ??= from;
      span[sum] ??= s;
      if (doubts) estimated[sum] |= doubts[routine[s]];
      for (let c = 0; c < costs.length; c++) {
        let cost = costs[c][sum] ?? 0;
        for (let i = from; i < to; i++) cost += lines.costs[c][i];
        costs[c][sum] = cost;
      }
    }
  const sums = { costs: costs.map((column) => new Float64Array(column)) };
  return { row, span, sums: doubts ? { ...sums, estimated: new Uint8Array(estimated) } : sums };
}

function mergeByLine(profile: LineProfile, spans: Uint32Array, estimated?: EstimateFlags): MergedLines {
  const [{ file }, { line }] = [profile.spans, profile.lines];
  const { row, span, sums } = sumRows(profile, spans, file, line, estimated);
  return sortTableBy(['file', 'line'], { file: pickColumn(file, span), line: pickColumn(line, row), ...sums });
}

/** Instructions by address; an address recorded under several lines keeps the first. */
function mergeByAddress(profile: LineProfile, spans: Uint32Array): MergedInstrs {
  const [{ high, file }, { address, line }] = [profile.spans, profile.lines];
  if (!address) return noInstrs();
  const { row, span, sums } = sumRows(profile, spans, high, address);
  const places = { ...pickRows({ high, file }, span), ...pickRows({ low: address, line }, row) };
  return sortTableBy(['high', 'low'], { ...places, ...sums });
}
