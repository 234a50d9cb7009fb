// How far the lines of a file have moved, where the first lines of routines are not recorded: of samples, only some lines of a routine are
// known, by chance; and not all tools order rows alike. Each line that a routine has in both runs, at one distance, is a vote for that
// distance. An edit moves all that is below it, so of the sequences of distances, one for each routine from the top of the file to its
// end, that with the most votes counts, less a penalty for each change of the distance (Viterbi's algorithm). The file stays as it is
// where that explains its lines as well (McNemar's test).
import type { LineMap } from '../costing.ts';
import { identityMap, mapByStarts, type RoutineStart } from './line-map.ts';

/** By routine: its lines in a file, in order. */
type RoutineLines = ReadonlyMap<number, readonly number[]>;

/** Votes that a change of the distance costs: chance gives one distance a few more than another. */
const PENALTY = 6;
/** Distances that are looked at, by their votes in the whole file. */
const MOST_SHIFTS = 12;
/** Pairs of lines of a file that vote; behind them, routines vote only for lines that stayed. */
const MOST_PAIRS = 1 << 20;

/** The 95 % quantile of chi-squared with one degree of freedom. */
const LEVEL = 3.84;

/** The map of a file by the lines that routines have rows of in both runs. */
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
  return more > 0 && more ** 2 > LEVEL * (onlyMoved + onlyStayed) ? moved : identityMap;
}

/** Starts of the routines that both runs have, in order of their first lines in the base. O(lines² of a routine), within MOST_PAIRS. */
function likelyStarts(now: RoutineLines, before: RoutineLines): RoutineStart[] {
  const routines: { readonly first: number; readonly votes: ReadonlyMap<number, number> }[] = [];
  let pairs = 0;
  for (const [routine, theirs] of before) {
    const ours = now.get(routine) ?? [];
    if (ours.length === 0 || theirs.length === 0) continue;
    pairs += ours.length * theirs.length;
    routines.push({
      first: theirs[0],
      votes: pairs <= MOST_PAIRS ? votesOf(ours, theirs) : new Map([[0, countCommonLines(ours, theirs)]]),
    });
  }
  routines.sort((a, b) => a.first - b.first);
  const shifts = likelyShifts(routines.map(({ votes }) => votes));
  /** By routine and distance: the distance of the routine above on the best way here. */
  const from: number[][] = [];
  let score = shifts.map((shift) => (shift === 0 ? 0 : -PENALTY));
  for (const { votes } of routines) {
    const best = score.indexOf(Math.max(...score));
    from.push(score.map((stays, k) => (stays >= score[best] - PENALTY ? k : best)));
    score = shifts.map((shift, k) => Math.max(score[k], score[best] - PENALTY) + (votes.get(shift) ?? 0));
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

/** By offset: the number of line pairs with it. */
function votesOf(now: readonly number[], before: readonly number[]): Map<number, number> {
  const votes = new Map<number, number>();
  for (const a of now) for (const b of before) votes.set(a - b, (votes.get(a - b) ?? 0) + 1);
  return votes;
}

function countCommonLines(now: readonly number[], before: readonly number[]): number {
  const there = new Set(now);
  return before.filter((line) => there.has(line)).length;
}

/** Offset 0, then the most frequent offsets. */
function likelyShifts(votes: readonly ReadonlyMap<number, number>[]): number[] {
  const sums = new Map<number, number>();
  for (const of of votes) for (const [shift, n] of of) sums.set(shift, (sums.get(shift) ?? 0) + n);
  sums.delete(0);
  const most = [...sums].sort((a, b) => b[1] - a[1] || Math.abs(a[0]) - Math.abs(b[0])).slice(0, MOST_SHIFTS);
  return [0, ...most.map(([shift]) => shift)];
}
