// Where routines stand: how much it says that one that is gone and one that is new stand in the same place.
import { firstWhere } from '../../../base/search.ts';
import { indexBy } from '../../../model/column.ts';
import type { Profile } from '../../../model/profile.ts';
import type { LineMaps } from '../../costing.ts';
import { fileName, UNKNOWN } from '../../names.ts';
import { isOldLine } from '../line-map.ts';
import { firstLines, lineMapsOf } from '../lines-of-files.ts';
import { BOTH } from '../match.ts';

/** Bits for the same file: half of what its size says, since routines of a file often have callers and callees in common, too. */
const OF_FILE = 0.5;
const MOST_OF_FILE = 4;
const MOST_OF_LINE = 5;
const OTHER_FILE = -3;
const OTHER_OBJECT = -4;
/** Lines that are easily added or deleted above a routine, in the one that begins before it; more speak against a pair more and more. */
const NEAR_LINES = 3;
const FAR_LINES = 20;
const MOST_AGAINST = -4;

export class Places {
  /** Of `compare`. */
  bits = 0;
  sameFile = false;
  /** Lines from where the one that is gone would stand now; NaN if that is not known. */
  lines = Number.NaN;

  private readonly profile: Profile;
  /** By file: 1 if both runs have it. What stands for files that are not known is none. */
  private readonly shared: Uint8Array;
  private readonly maps: LineMaps;
  private readonly firstBefore: Uint32Array;
  private readonly firstNow: Uint32Array;
  /** By file, from 1 on: first lines of its routines of this run, in order. */
  private readonly inFile: { readonly from: Uint32Array; readonly line: Float64Array };

  constructor(profile: Profile) {
    const { compared } = profile;
    if (!compared) throw new Error('not two runs');
    this.profile = profile;
    this.shared = compared.fileSides.map((side, f) => {
      const name = fileName(profile, f);
      return side === BOTH && name !== '' && name !== UNKNOWN ? 1 : 0;
    });
    this.maps = lineMapsOf(compared.now, compared.before);
    this.firstBefore = firstLines(compared.before);
    this.firstNow = firstLines(compared.now);
    const { from, order } = indexBy(profile.routines.file, profile.files.name.length);
    const line = Float64Array.from(order, (r) => this.firstNow[r]);
    for (let f = 0; f + 1 < from.length; f++) line.subarray(from[f], from[f + 1]).sort();
    this.inFile = { from, line };
  }

  /** The file of a routine as far as both runs have it; -1 if only one has it, or it is not known. */
  sharedFile(r: number): number {
    const file = this.profile.routines.file[r];
    return file >= 0 && this.shared[file] === 1 ? file : -1;
  }

  compare(gone: number, added: number): void {
    const { routines } = this.profile;
    const [before, now] = [routines.object[gone], routines.object[added]];
    this.bits = before >= 0 && now >= 0 && before !== now ? OTHER_OBJECT : 0;
    this.lines = Number.NaN;
    const [from, to] = [this.sharedFile(gone), this.sharedFile(added)];
    this.sameFile = from >= 0 && from === to;
    if (this.sameFile) this.compareInFile(from, gone, added);
    else if (from >= 0 && to >= 0) this.bits += OTHER_FILE;
  }

  private compareInFile(file: number, gone: number, added: number): void {
    const { inFile, firstBefore, firstNow } = this;
    const [from, to] = [inFile.from[file], inFile.from[file + 1]];
    this.bits += Math.min(MOST_OF_FILE, OF_FILE * Math.log2(this.profile.routines.name.length / (to - from)));
    const [before, now] = [firstBefore[gone], firstNow[added]];
    if (before === 0 || now === 0) return;
    const map = this.maps(file);
    const moved = map.now(before);
    const expected = isOldLine(moved) ? map.after(before) : moved;
    this.lines = now - expected;
    const within = Math.max(Math.abs(this.lines), NEAR_LINES);
    const first = firstWhere(to - from, (k) => inFile.line[from + k] >= expected - within);
    const last = firstWhere(to - from, (k) => inFile.line[from + k] > expected + within);
    const rare = Math.min(MOST_OF_LINE, Math.log2((to - from + 1) / (last - first + 1)));
    this.bits += Math.max(MOST_AGAINST, rare - Math.log2(1 + (this.lines / FAR_LINES) ** 2));
  }
}
