// The evidence of source positions: whether a removed and an added routine are at the same place in the same file.
import { firstIndexWhere } from '../../../../base/lists.ts';
import { type Index, indexRowsBy, pickColumn } from '../../../../model/column.ts';
import type { Profile } from '../../../../model/profile.ts';
import { firstLines } from '../../../answers/compared/lines-of-files.ts';
import { orderByNumber } from '../../../answers/order.ts';
import { fileName, UNKNOWN_NAME } from '../../../names/names.ts';
import { IN_BOTH_RUNS } from '../match.ts';

/** Routines of one file often share callers and callees, so the evidence of an equal file counts only in part. */
const SAME_FILE_FACTOR = 0.5;
const MAX_SAME_FILE_BITS = 4;
const MAX_SAME_LINE_BITS = 5;
const OTHER_FILE_BITS = -3;
const OTHER_OBJECT_BITS = -4;
/** The usual number of lines inserted or deleted above a routine. Larger offsets count more and more against a pair. */
const NEAR_LINES = 3;
const FAR_LINES = 20;
const MIN_LINE_BITS = -4;

export class FileEvidence {
  /** The evidence in bits: the result of compare(). */
  bits = 0;
  sameFile = false;
  /** The line distance from where the removed routine would be now; NaN if unknown. */
  lineOffset = Number.NaN;

  private readonly routines: Profile['routines'];
  /** By file: 1 if both runs have it. Placeholders for unknown files do not count. */
  private readonly shared: Uint8Array;
  private readonly firstBefore: Uint32Array;
  private readonly firstNow: Uint32Array;
  /** By file: how many routines it has. */
  private readonly count: Uint32Array;
  /** By file: its routines in both runs in the base's order, and all of its routines in this run's order. */
  private readonly both: Index;
  private readonly now: Index;

  /** `flat`: the profile has no calls. */
  constructor(
    profile: Profile,
    private readonly flat: boolean,
  ) {
    const { compared, routines, files } = profile;
    if (!compared) throw new Error('not two runs');
    this.routines = routines;
    this.shared = compared.fileSides.map((side, f) => {
      const name = fileName(profile, f);
      return side === IN_BOTH_RUNS && name !== '' && name !== UNKNOWN_NAME ? 1 : 0;
    });
    this.count = new Uint32Array(files.name.length);
    for (const file of routines.file) if (file >= 0) this.count[file]++;
    const [before, now] = [firstLines(compared.before), firstLines(compared.now)];
    const indexInOrder = (lines: Uint32Array, isKept: (r: number) => boolean): Index => {
      const rows = orderByNumber(lines, false).filter(isKept);
      return indexRowsBy(rows, pickColumn(routines.file, rows), files.name.length);
    };
    this.firstBefore = before;
    this.firstNow = now;
    this.both = indexInOrder(before, (r) => before[r] > 0 && now[r] > 0);
    this.now = indexInOrder(now, (r) => now[r] > 0);
  }

  /** The file of a routine if both runs have it; -1 if it is unknown or in one run only. */
  sharedFile(r: number): number {
    const file = this.routines.file[r];
    return file >= 0 && this.shared[file] === 1 ? file : -1;
  }

  compare(gone: number, added: number): void {
    const { object } = this.routines;
    const [before, now] = [object[gone], object[added]];
    this.bits = before >= 0 && now >= 0 && before !== now ? OTHER_OBJECT_BITS : 0;
    this.lineOffset = Number.NaN;
    const [from, to] = [this.sharedFile(gone), this.sharedFile(added)];
    this.sameFile = from >= 0 && from === to;
    if (this.sameFile) this.compareInFile(from, gone, added);
    else if (from >= 0 && to >= 0) this.bits += OTHER_FILE_BITS;
  }

  private compareInFile(file: number, gone: number, added: number): void {
    const { firstNow, now } = this;
    const [from, to] = [now.from[file], now.from[file + 1]];
    const small = Math.log2(this.routines.name.length / Math.max(1, this.count[file] - 1));
    this.bits += this.flat ? small : Math.min(MAX_SAME_FILE_BITS, SAME_FILE_FACTOR * small);
    const expected = this.expectedLine(file, gone);
    if (expected === undefined || firstNow[added] === 0) return;
    this.lineOffset = firstNow[added] - expected;
    const within = Math.max(Math.abs(this.lineOffset), NEAR_LINES);
    const below = (line: number) => firstIndexWhere(to - from, (k) => firstNow[now.order[from + k]] >= line);
    const near = below(expected + within + 1) - below(expected - within);
    const rare = Math.min(MAX_SAME_LINE_BITS, Math.log2((to - from + 1) / (near + 1)));
    this.bits += Math.max(MIN_LINE_BITS, rare - Math.log2(1 + (this.lineOffset / FAR_LINES) ** 2));
  }

  /** The line where a removed routine would start now, at its old distance from the nearest routine above that both runs have. */
  private expectedLine(file: number, gone: number): number | undefined {
    const { both, firstBefore, firstNow } = this;
    const line = firstBefore[gone];
    if (line === 0) return undefined;
    const [from, to] = [both.from[file], both.from[file + 1]];
    const next = firstIndexWhere(to - from, (k) => firstBefore[both.order[from + k]] > line);
    if (next === 0) return line;
    const above = both.order[from + next - 1];
    return firstNow[above] + line - firstBefore[above];
  }
}
