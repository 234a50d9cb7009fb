// Self cost by source line and by instruction: the file's rows, merged on demand for one routine or source file at a time,
// never for all at once.
import type { LineTables } from '../../model/callgraph/tables.ts';
import { type Index, indexBy } from '../../model/column.ts';
import { Groups } from '../../model/groups.ts';
import type { Head } from '../../model/head.ts';
import { inOrder, pickRows } from '../../model/table.ts';
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

/** The line rows of the spans, and the span of each. */
function rowsOf({ spans: { start } }: LineProfile, spans: readonly number[]) {
  const row = new Uint32Array(spans.reduce((sum, s) => sum + start[s + 1] - start[s], 0));
  const span = new Uint32Array(row.length);
  let n = 0;
  for (const s of spans)
    for (let i = start[s]; i < start[s + 1]; i++) {
      row[n] = i;
      span[n++] = s;
    }
  return { row, span };
}

function mergeByLine(profile: LineProfile, spans: readonly number[], estimated?: Doubts): MergedLines {
  const { row, span } = rowsOf(profile, spans);
  const [file, line] = [inOrder(profile.spans.file, span), inOrder(profile.lines.line, row)];
  const groups = Groups.by(row.length, (k) => file[k] * HALF + line[k]).sorted(file, line);
  return {
    ...pickRows({ file, line }, groups.first),
    costs: groups.sums(profile.lines.costs, row),
    ...(estimated ? { estimated: groups.any(estimated, inOrder(profile.spans.routine, span)) } : {}),
  };
}

function spansOf(index: Index, key: number): number[] {
  return key < 0 ? [] : Array.from(index.order.subarray(index.from[key], index.from[key + 1]));
}

/** Instructions by address; an address recorded under several lines keeps the first. */
function instrsIn(profile: LineProfile, spans: readonly number[]): MergedInstrs {
  if (!profile.lines.address) return noInstrs();
  const { row, span } = rowsOf(profile, spans);
  const [high, low] = [inOrder(profile.spans.high, span), inOrder(profile.lines.address, row)];
  const groups = Groups.by(row.length, (k) => (high[k] < 0x200000 ? high[k] * HALF + low[k] : `${high[k]}:${low[k]}`)).sorted(
    high,
    low,
  );
  const [file, line] = [inOrder(profile.spans.file, span), inOrder(profile.lines.line, row)];
  return { ...pickRows({ high, low, file, line }, groups.first), costs: groups.sums(profile.lines.costs, row) };
}
