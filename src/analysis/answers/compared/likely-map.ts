// Estimates how far a file's lines have moved if the first lines of routines are not recorded, as in samples.
// Each line that a routine has in both runs, at some distance, is a vote for that distance. An edit moves everything below it.
// So a sequence of distances is chosen, one per routine from top to bottom: that with the most votes.
// Each change of the distance costs a penalty (Viterbi's algorithm).
// The file counts as unchanged if that explains its lines as well (McNemar's test).
import type { LineMap } from '../costing.ts';
import { identityMap, mapByStarts, type RoutineStart } from './line-map.ts';

/** By routine: its lines in a file, in order. */
type RoutineLines = ReadonlyMap<number, readonly number[]>;

/** The number of votes that a change of the distance costs, because some distances get a few votes by chance. */
const SHIFT_CHANGE_PENALTY = 6;
/** The maximum number of distances tried: those with the most votes in the whole file. */
const MAX_SHIFTS = 12;
/** The maximum number of line pairs that vote in a file. Beyond it, routines vote only for unmoved lines. */
const MAX_LINE_PAIRS = 1 << 20;

/** The 95 % quantile of chi-squared with one degree of freedom. */
const CHI_SQUARED_LIMIT = 3.84;

/** The line map of a file, by the lines that routines have in both runs. */
export function likelyMap(now: RoutineLines, before: RoutineLines): LineMap {
  const moved = mapByStarts(likelyStarts(now, before));
  let [onlyMoved, onlyStayed] = [0, 0];
  for (const [routine, lines] of before) {
    const there = new Set(now.get(routine));
    for (const line of lines) {
      const [isMoved, hasStayed] = [there.has(moved.now(line)), there.has(line)];
      if (isMoved && !hasStayed) onlyMoved++;
      if (hasStayed && !isMoved) onlyStayed++;
    }
  }
  const more = onlyMoved - onlyStayed;
  return more > 0 && more ** 2 > CHI_SQUARED_LIMIT * (onlyMoved + onlyStayed) ? moved : identityMap;
}

/** The starts of routines in both runs, in order of their first lines in the base. Limited by MAX_LINE_PAIRS. */
function likelyStarts(now: RoutineLines, before: RoutineLines): RoutineStart[] {
  const routines: { readonly first: number; readonly votes: ReadonlyMap<number, number> }[] = [];
  let pairs = 0;
  for (const [routine, theirs] of before) {
    const ours = now.get(routine) ?? [];
    if (ours.length === 0 || theirs.length === 0) continue;
    pairs += ours.length * theirs.length;
    routines.push({
      first: theirs[0],
      votes: pairs <= MAX_LINE_PAIRS ? countShiftVotes(ours, theirs) : new Map([[0, countCommonLines(ours, theirs)]]),
    });
  }
  routines.sort((a, b) => a.first - b.first);
  const shifts = likelyShifts(routines.map(({ votes }) => votes));
  /** By routine and distance: the distance of the routine above it on the best path. */
  const from: number[][] = [];
  let score = shifts.map((shift) => (shift === 0 ? 0 : -SHIFT_CHANGE_PENALTY));
  for (const { votes } of routines) {
    const best = score.indexOf(Math.max(...score));
    from.push(score.map((stays, k) => (stays >= score[best] - SHIFT_CHANGE_PENALTY ? k : best)));
    score = shifts.map((shift, k) => Math.max(score[k], score[best] - SHIFT_CHANGE_PENALTY) + (votes.get(shift) ?? 0));
  }
  let at = score.indexOf(Math.max(...score));
  const starts: RoutineStart[] = [];
  for (let r = routines.length - 1; r >= 0; r--) {
    const { first } = routines[r];
    starts.push({ before: first, now: first + shifts[at] });
    at = from[r][at];
  }
  return starts.reverse();
}

/** By distance: the number of line pairs with it. */
function countShiftVotes(now: readonly number[], before: readonly number[]): Map<number, number> {
  const votes = new Map<number, number>();
  for (const a of now) for (const b of before) votes.set(a - b, (votes.get(a - b) ?? 0) + 1);
  return votes;
}

function countCommonLines(now: readonly number[], before: readonly number[]): number {
  const there = new Set(now);
  return before.filter((line) => there.has(line)).length;
}

/** Distance 0, then the most frequent distances. */
function likelyShifts(votes: readonly ReadonlyMap<number, number>[]): number[] {
  const sums = new Map<number, number>();
  for (const of of votes) for (const [shift, n] of of) sums.set(shift, (sums.get(shift) ?? 0) + n);
  sums.delete(0);
  const most = [...sums].sort((a, b) => b[1] - a[1] || Math.abs(a[0]) - Math.abs(b[0])).slice(0, MAX_SHIFTS);
  return [0, ...most.map(([shift]) => shift)];
}
