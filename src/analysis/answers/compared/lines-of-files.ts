// Maps the lines of the base's files to this run's: by text if both texts are available.
// Otherwise, lines are mapped by their distance from the start of a routine, if starts are recorded or can be estimated.
import { getOrMake, groupByKey } from '../../../base/lists.ts';
import type { Profile } from '../../../model/profile.ts';
import type { LineMap, LineMaps } from '../costing.ts';
import { once } from '../once.ts';
import { identityMap, mapByStarts, mapByText, type RoutineStart } from './line-map.ts';

/** The lines of a file in the base and now; undefined if one of them is unavailable. */
export type SourceTexts = (file: number) => { readonly before: readonly string[]; readonly now: readonly string[] } | undefined;

/** The line maps of two runs that have the same numbers for files and routines. */
export function lineMapsOf(now: Profile, before: Profile, texts: SourceTexts = () => undefined): LineMaps {
  const starts = once(() => [firstLines(now), firstLines(before)] as const);
  const byFile = once(() => groupByKey(now.routines.file.keys(), (r) => now.routines.file[r]));
  const known = new Map<number, LineMap>();
  // The first rows of other routines are not comparable: samples lack first instructions, and tools order rows differently.
  const areGraphs = now.kind === 'callgraph' && before.kind === 'callgraph';
  const startsAreRecorded = areGraphs && !now.lines.address === !before.lines.address;
  const recorded = once(() => [now, before].map(recordedLines));
  const make = (file: number): LineMap => {
    if (file < 0) return identityMap;
    const text = texts(file);
    if (text) return mapByText(text.before, text.now);
    const [ours, theirs] = starts();
    const list = (byFile().get(file) ?? []).flatMap((r) =>
      before.routines.file[r] === file && ours[r] > 0 && theirs[r] > 0 ? [{ now: ours[r], before: theirs[r] }] : [],
    );
    if (list.every((start) => start.now === start.before)) return identityMap;
    if (startsAreRecorded) return mapByStarts(list);
    const [linesNow, linesBefore] = recorded();
    return likelyMap(linesNow(file), linesBefore(file));
  };
  return (file) => getOrMake(known, file, make);
}

/** By file and routine: the lines of its rows, in order. */
function recordedLines(profile: Profile): (file: number) => ReadonlyMap<number, readonly number[]> {
  if (profile.kind !== 'callgraph' && profile.kind !== 'stacks') return () => new Map();
  const { spans, lines } = profile;
  const byFile = groupByKey(spans.file.keys(), (s) => spans.file[s]);
  return (file) => {
    const found = new Map<number, Set<number>>();
    for (const s of byFile.get(file) ?? []) {
      const own = getOrMake(found, spans.routine[s], () => new Set());
      for (let i = spans.start[s]; i < spans.start[s + 1]; i++) if (lines.line[i] > 0) own.add(lines.line[i]);
    }
    return new Map(Array.from(found, ([routine, own]) => [routine, [...own].sort((x, y) => x - y)]));
  };
}

/**
 * By routine: the line that it starts at, in its own file; 0 where none cost anything. Code from further up may be inlined into it, so of a
 * call graph that is the line of its first instruction, or without addresses of its first row: they stand in the order of the code, part by
 * part. A part may begin inside the routine; of the first rows of all parts, the one that is furthest up counts.
 */
export function firstLines(profile: Profile): Uint32Array {
  const out = new Uint32Array(profile.routines.name.length);
  if (profile.kind !== 'callgraph' && profile.kind !== 'stacks') return out;
  const { spans, lines, routines } = profile;
  // For samples, the first recorded instructions depend on chance.
  const ordered = profile.kind === 'callgraph';
  const address = ordered ? lines.address : undefined;
  const least = new Float64Array(out.length).fill(Number.POSITIVE_INFINITY);
  /** By routine: the part of its last row read so far, plus 1; 0 if none. Shows whether a row is its first in a part. */
  const partSeen = new Uint32Array(out.length);
  for (let s = 0; s < spans.routine.length; s++) {
    const [r, part] = [spans.routine[s], spans.part[s] + 1];
    if (spans.file[s] !== routines.file[r]) continue;
    for (let i = spans.start[s]; i < spans.start[s + 1]; i++) {
      const line = lines.line[i];
      if (line === 0 || (ordered && !address && partSeen[r] === part)) continue;
      partSeen[r] = part;
      const at = address ? spans.high[s] * 2 ** 32 + address[i] : line;
      if (at >= least[r]) continue;
      least[r] = at;
      out[r] = line;
    }
  }
  return out;
}

// Estimates how far a file's lines have moved if the first lines of routines are not recorded, as in samples.
// Each line that a routine has in both runs, at some distance, is a vote for that distance. An edit moves everything below it.
// So a sequence of distances is chosen, one per routine from top to bottom: that with the most votes.
// Each change of the distance costs a penalty (Viterbi's algorithm).
// The file counts as unchanged if that explains its lines as well (McNemar's test).

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
function likelyMap(now: RoutineLines, before: RoutineLines): LineMap {
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
