// Finds probable renames: a removed and an added routine with nearly the same callers, callees and cost.
import { firstIndexWhere, memo } from '../../../base/lists.ts';
import { growableTable, type Index, indexRowsBy, rowsOfKey } from '../../../model/column.ts';
import type { Profile } from '../../../model/profile.ts';
import { stringAt } from '../../../model/strings.ts';
import { analyse } from '../../answers/analyse.ts';
import type { Analysis } from '../../answers/analysis.ts';
import { routineFile, routineObject } from '../../names/names.ts';
import { shortName } from '../../names/short.ts';
import { type CompareOptions, compareProfiles } from './compare.ts';
import { IN_BOTH_RUNS } from './match.ts';
import { Likeness } from './renamed/likeness.ts';
import type { NeighbourTable } from './renamed/neighbours.ts';
import type { FileEvidence } from './renamed/places.ts';
import { type ComparedRuns, collectComparedRuns } from './renamed/sides.ts';
import { type Rename, routineKey } from './renames.ts';

export interface RenameOffer {
  /** The routine that only the base has. */
  readonly removed: number;
  /** The routine that only this run has. */
  readonly now: number;
  /** The probability of the match, 0 to 1. */
  readonly likeness: number;
  /** The evidence for people: `same callers and callees, inclusive cost -0.46%`. */
  readonly why: string;
  /** The callers and callees are the same, and the costs nearly so: the rename is applied unless the user objects. */
  readonly isSure: boolean;
}

/**
 * How sure an offer is at least, round by round. At first it must be surer, since all that follows relies on it. More than half, so that
 * no routine is in two offers of a round.
 */
const MIN_CERTAINTY = [0.99, 0.95, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8];

/** Sorted by certainty, highest first. Empty for a profile of one run. */
export const findRenameOffers = memo((analysis: Analysis): readonly RenameOffer[] => {
  const sides = collectComparedRuns(analysis);
  return sides && sides.removed.length > 0 && sides.added.length > 0
    ? new RenameSearch(analysis.profile, sides).findOffers()
    : [];
}, 2);

const NOTED_NAME_WIDTH = 24;

/** With more unmatched routines, guessing takes too long, so renames are guessed only on request. */
const MAX_UNMATCHED_TO_GUESS = 20_000;

const areFewUnmatched = ({ compared }: Profile): boolean =>
  (compared?.routineSides.reduce((n, side) => n + (side === IN_BOTH_RUNS ? 0 : 1), 0) ?? 0) <= MAX_UNMATCHED_TO_GUESS;

/** The offers that are made without a request: none for a comparison with many unmatched routines. */
export const findOffersUnasked = (analysis: Analysis): readonly RenameOffer[] =>
  areFewUnmatched(analysis.profile) ? findRenameOffers(analysis) : [];

/**
 * compareProfiles(), with one row for each routine that was only renamed, unless the user objects. Throws like compareProfiles().
 */
export function compareRuns(now: Profile, before: Profile, options: CompareOptions): Profile {
  const plain = compareProfiles(now, before, options);
  const sides = plain.compared?.routineSides ?? new Uint8Array(0);
  if (options.noRenames || !areFewUnmatched(plain) || !sides.includes(1) || !sides.includes(2)) return plain;
  const offers = findRenameOffers(analyse(plain, plain.events)).filter(({ isSure }) => isSure);
  if (offers.length === 0) return plain;
  const renames = [...options.renames, ...toRenames(offers, plain)];
  const appliedRenames = offers.map(
    ({ removed, now: r, why }) =>
      `${shortName(plain.compared?.before ?? plain, removed, NOTED_NAME_WIDTH)} → ${shortName(plain, r, NOTED_NAME_WIDTH)} (${why})`,
  );
  return compareProfiles(now, before, { ...options, renames, appliedRenames });
}

/** Accepted offers as renames for compareProfiles(). Each applies only to its two routines, not to others of the same name. */
export function toRenames(offers: readonly RenameOffer[], profile: Profile): Rename[] {
  const { name: names, line } = profile.routines;
  const nameOf = (r: number) => stringAt(profile.strings, names[r]);
  const key = (r: number) => routineKey(nameOf(r), routineFile(profile, r), routineObject(profile, r), line?.[r] ?? 0);
  return offers.map(({ removed, now }) => {
    const [old, name] = [nameOf(removed), nameOf(now)];
    return {
      text: `${old}=${name}`,
      newNameOf: (other: string) => (other === old ? name : undefined),
      exactly: { before: key(removed), now: key(now) },
    };
  });
}

/** Candidate pairs, grouped by removed routine. `from`: by index into `sides.removed`, the first pair of that routine. */
const noPairs = () => growableTable({ removed: Uint32Array, now: Uint32Array, odds: Float64Array, from: Uint32Array });

/** Searches in rounds. Each round uses the pairs of earlier rounds as common callers and callees. */
class RenameSearch {
  /** By routine: its match in this run; -1 if unknown. */
  private readonly partner: Int32Array;
  private readonly likeness: Likeness;
  private readonly candidates: Candidates;
  private readonly neighbourTables: readonly NeighbourTable[];
  /** 1 for routines with a caller or callee that was paired in the last round: they are compared again. */
  private changed: Uint8Array;
  private pairs = noPairs();

  constructor(
    profile: Profile,
    private readonly sides: ComparedRuns,
  ) {
    const both = profile.compared?.routineSides ?? new Uint8Array(0);
    this.partner = new Int32Array(both.length).fill(-1);
    for (let r = 0; r < both.length; r++) if (both[r] === IN_BOTH_RUNS) this.partner[r] = r;
    this.likeness = new Likeness(profile, sides, this.partner);
    const { callers, callees, fileEvidence } = this.likeness;
    this.neighbourTables = [callers.ends, callees.ends];
    this.candidates = new Candidates(sides, this.neighbourTables, this.partner, fileEvidence, profile.files.name.length);
    this.changed = new Uint8Array(both.length).fill(1);
  }

  findOffers(): RenameOffer[] {
    const out: RenameOffer[] = [];
    for (const least of MIN_CERTAINTY) {
      this.pairs = this.comparePairs();
      const found = this.acceptSurePairs(least);
      if (found.length === 0 && least === MIN_CERTAINTY.at(-1)) break;
      this.markNeighbours(found);
      out.push(...found);
    }
    return out.sort((a, b) => b.likeness - a.likeness || a.removed - b.removed);
  }

  /** The pairs of routines that are in no offer yet. */
  private comparePairs() {
    const { sides, partner, likeness, candidates, changed, pairs: last } = this;
    const pairs = noPairs();
    const add = (gone: number, added: number, odds: number) => {
      pairs.removed.push(gone);
      pairs.now.push(added);
      pairs.odds.push(odds);
    };
    const now = new Uint32Array(MAX_CANDIDATES);
    for (let i = 0; i < sides.removed.length; i++) {
      const gone = sides.removed[i];
      pairs.from.push(pairs.removed.length);
      if (partner[gone] >= 0) continue;
      const again = changed[gone] === 1 || sides.flat;
      const from = again ? 0 : last.from.data[i];
      const count = again ? candidates.findCandidates(gone, now) : last.from.data[i + 1] - from;
      let asked = false;
      for (let k = 0; k < count; k++) {
        const added = again ? now[k] : last.now.data[from + k];
        if (partner[added] >= 0) continue;
        if (!again && changed[added] === 0) {
          add(gone, added, last.odds.data[from + k]);
          continue;
        }
        if (!asked) likeness.setRemoved(gone);
        asked = true;
        if (likeness.compare(added)) add(gone, added, 2 ** (likeness.bits + likeness.nameBits));
      }
    }
    pairs.from.push(pairs.removed.length);
    return pairs;
  }

  /** Accepts the pairs whose probability, against all competing pairs and against no match, is at least `least`. */
  private acceptSurePairs(least: number): RenameOffer[] {
    const { pairs, likeness, partner } = this;
    const [gone, now, odds] = [pairs.removed.done(), pairs.now.done(), pairs.odds.done()];
    const ofAll = new Float64Array(partner.length);
    odds.forEach((o, k) => {
      ofAll[gone[k]] += o;
      ofAll[now[k]] += o;
    });
    const sure = (k: number) => odds[k] / (1 + Math.max(ofAll[gone[k]], ofAll[now[k]]));
    const found: RenameOffer[] = [];
    for (let k = 0; k < odds.length; k++) {
      if (sure(k) < least) continue;
      likeness.setRemoved(gone[k]);
      if (likeness.compare(now[k]) && likeness.bits >= 0)
        found.push({
          ...{ removed: gone[k], now: now[k], likeness: sure(k), why: likeness.describeEvidence(now[k]) },
          isSure: likeness.isSameRoutine(now[k]),
        });
    }
    return found.sort((a, b) => b.likeness - a.likeness).filter((offer) => this.tryAccept(offer));
  }

  /** Accepts a pair unless an earlier pair contradicts it. */
  private tryAccept({ removed, now }: RenameOffer): boolean {
    const { sides, partner, likeness } = this;
    if (sides.flat) {
      if (likeness.nameRows.isPaired(removed, now) === undefined) return false;
      likeness.nameRows.recordPair(removed, now);
    }
    partner[removed] = partner[now] = now;
    return true;
  }

  private markNeighbours(found: readonly RenameOffer[]): void {
    this.changed = new Uint8Array(this.partner.length);
    for (const { removed, now } of found)
      for (const { row, from, neighbour } of this.neighbourTables)
        for (const r of [removed, now]) for (let k = from[row[r]]; k < from[row[r] + 1]; k++) this.changed[neighbour[k]] = 1;
  }
}

// Selects the added routines that a removed one is compared with: those with a common caller, callee or file and similar cost.
// Each list contributes only a few, so a caller with 100,000 callees costs no extra time.

export const MAX_CANDIDATES = 24;
/** Lists up to MAX_WHOLE_LIST routines are used whole. Of longer ones, NEAREST_PER_SIDE routines nearest in cost on each side. */
const MAX_WHOLE_LIST = 16;
const NEAREST_PER_SIDE = 4;
/** The maximum number of lists used: those of the rarest callers and callees, and that of the file. */
const MAX_LISTS = 6;

class Candidates {
  private readonly inclusive: Float64Array;
  /** Added routines by their callers or callees, and by file, each list in order of cost. */
  private readonly byNeighbour: readonly { readonly ends: NeighbourTable; readonly lists: Index }[];
  private readonly byFile: Index;
  private readonly seen: Int32Array;

  /** `ends`: callers and callees. `partner`: as for Neighbours; it may change between calls of `of`. */
  constructor(
    sides: ComparedRuns,
    ends: readonly NeighbourTable[],
    private readonly partner: Int32Array,
    private readonly fileEvidence: FileEvidence,
    files: number,
  ) {
    this.inclusive = sides.inclusive;
    this.byNeighbour = ends.map((e) => ({ ends: e, lists: listsByNeighbour(e, sides.added, partner.length) }));
    const file = Int32Array.from(sides.added, (r) => fileEvidence.sharedFile(r));
    this.byFile = indexRowsBy(sides.added, file, files);
    this.seen = new Int32Array(partner.length).fill(-1);
  }

  /** Writes the candidates of a removed routine, each once, to `into`; returns their number. */
  findCandidates(gone: number, into: Uint32Array): number {
    const { seen } = this;
    let count = 0;
    for (const list of this.listsOf(gone)) count = this.addNearest(list, gone, into, count);
    // Marks are reset, because the same routine may be queried again.
    for (let i = 0; i < count; i++) seen[into[i]] = -1;
    return count;
  }

  /** Adds the routines of a list that are nearest in cost. */
  private addNearest(list: Uint32Array, gone: number, into: Uint32Array, count: number): number {
    const { inclusive, partner, seen } = this;
    const { length } = list;
    const few = length <= MAX_WHOLE_LIST;
    const middle = few ? 0 : firstIndexWhere(length, (k) => inclusive[list[k]] >= inclusive[gone]);
    for (const step of [1, -1]) {
      let left = few ? MAX_WHOLE_LIST : NEAREST_PER_SIDE;
      for (let at = step > 0 ? middle : middle - 1; at >= 0 && at < length && left > 0 && count < MAX_CANDIDATES; at += step) {
        const r = list[at];
        if (partner[r] >= 0 || seen[r] === gone) continue;
        seen[r] = gone;
        into[count++] = r;
        left--;
      }
    }
    return count;
  }

  /** Sorted by length: a caller or callee that few routines share is the best evidence. */
  private listsOf(gone: number): Uint32Array[] {
    const lists: Uint32Array[] = [];
    const put = (of: Index, key: number) => {
      const list = rowsOfKey(of, key);
      if (list.length > 0) lists.push(list);
    };
    for (const { ends, lists: of } of this.byNeighbour)
      for (let k = ends.from[ends.row[gone]]; k < ends.from[ends.row[gone] + 1]; k++) {
        const end = this.partner[ends.neighbour[k]];
        if (end >= 0) put(of, end);
      }
    lists.sort((a, b) => a.length - b.length);
    if (lists.length > MAX_LISTS) lists.length = MAX_LISTS;
    const file = this.fileEvidence.sharedFile(gone);
    if (file >= 0) put(this.byFile, file);
    return lists;
  }
}

/** The routines, whose rows are the last ones of the table, by their callers or by their callees. */
function listsByNeighbour({ row, from, neighbour }: NeighbourTable, routines: Uint32Array, all: number): Index {
  const first = from[from.length - 1 - routines.length];
  const routine = new Uint32Array(neighbour.length - first);
  for (const r of routines) routine.fill(r, from[row[r]] - first, from[row[r] + 1] - first);
  return indexRowsBy(routine, neighbour.subarray(first), all);
}
