// Whole parts that a transform keeps. The shares of routines are those of all parts together; but where all of a part goes through routines that
// match, as through the roots of --tag-root, and nothing of the others does, parts stay or go as they are, and costs stay exact.
import { eachInSlices } from '../../../base/slices.ts';
import { zeroCosts } from '../../../model/event-value.ts';
import { picked, pickedRows, rowsOf } from '../../../model/table.ts';
import { estimatedIn, takeRemains } from './call-graph-draft.ts';
import { type Graph, type GraphProfile, SLICE } from './call-graph-flows.ts';
import type { ShareWord } from './call-graph-shares.ts';

/** By part: 1 if all of its cost comes through routines with `hit`, 0 if nothing does; undefined if that is not so of each. */
export function* partsThrough(
  { profile, totals }: Graph,
  hit: Uint8Array,
  word: ShareWord,
): Generator<undefined, Uint8Array | undefined> {
  if (word === 'prune-from') return undefined;
  const { spans, lines, calls, parts, columns } = profile;
  const hits = Array.from(hit.keys()).filter((r) => hit[r] === 1);
  if (!calls || parts.length < 2 || hits.length > parts.length) return undefined;
  // Calls in a cycle cost more than once what passes through.
  if (hits.some((r) => totals.cycles.of[r] > 0 || totals.self.some((column) => column[r] !== 0))) return undefined;
  const through = zeroCosts(columns, parts.length);
  const all = zeroCosts(columns, parts.length);
  const met = new Uint8Array(parts.length);
  const addSpan = (s: number) => {
    met[spans.part[s]] |= hit[spans.routine[s]];
    for (let c = 0; c < columns; c++)
      for (let i = spans.start[s]; i < spans.start[s + 1]; i++) all[c][spans.part[s]] += lines.costs[c][i];
  };
  yield* eachInSlices(spans.routine.length, addSpan, SLICE);
  const called = new Uint8Array(parts.length);
  const addCall = (i: number) => {
    const part = spans.part[calls.span[i]];
    called[part] |= hit[calls.callee[i]];
    if (hit[spans.routine[calls.span[i]]] === 0) return;
    for (let c = 0; c < columns; c++) through[c][part] += calls.costs[c][i];
  };
  yield* eachInSlices(calls.span.length, addCall, SLICE);
  // To show from a routine, its callers have to go.
  const stays = (is: number, p: number) =>
    is === 1
      ? called[p] * Number(word === 'show-from') === 0 && all.every((sum, c) => sum[p] === through[c][p])
      : called[p] === 0;
  return met.every(stays) ? met : undefined;
}

export function* keepParts(profile: GraphProfile, keep: Uint8Array): Generator<undefined, GraphProfile> {
  const { spans, lines, calls, jumps } = profile;
  const kept = Uint8Array.from(spans.part, (part) => keep[part]);
  const keptLines = new Uint8Array(lines.line.length);
  const start = new Uint32Array(spans.start.length);
  const addSpan = (s: number) => {
    if (kept[s] === 1) keptLines.fill(1, spans.start[s], spans.start[s + 1]);
    start[s + 1] = start[s] + (kept[s] === 1 ? spans.start[s + 1] - spans.start[s] : 0);
  };
  yield* eachInSlices(kept.length, addSpan, SLICE);
  const ofSpans = (span: Uint32Array) => rowsOf(Uint8Array.from(span, (s) => kept[s]));
  const callRows = calls && (yield* ofSpans(calls.span));
  const before = estimatedIn(profile);
  return yield* takeRemains(profile, {
    spans: { ...spans, start },
    lines: yield* pickedRows(lines, yield* rowsOf(keptLines)),
    ...(calls && callRows ? { calls: yield* pickedRows(calls, callRows) } : {}),
    ...(jumps ? { jumps: yield* pickedRows(jumps, yield* ofSpans(jumps.span)) } : {}),
    estimated: { ...before, calls: callRows ? yield* picked(before.calls, callRows) : before.calls },
  });
}
