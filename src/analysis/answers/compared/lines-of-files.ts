// Maps the lines of the base's files to this run's: by text if both texts are available.
// Otherwise, lines are mapped by their distance from the start of a routine, if starts are recorded or can be estimated.
import { getOrMake, groupByKey } from '../../../base/lists.ts';
import type { Profile } from '../../../model/profile.ts';
import type { LineMap, LineMaps } from '../costing.ts';
import { once } from '../once.ts';
import { likelyMap } from './likely-map.ts';
import { identityMap, mapByStarts, mapByText } from './line-map.ts';

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
