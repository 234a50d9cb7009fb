// Keeps whole parts. Flow shares are normally those of all parts together. But with roots from --tag-root, cost of a part
// goes through matching routines either completely or not at all. Whole parts then stay or go, and costs stay exact.
import { forEachInSlices, type Sliced } from '../../../base/slices.ts';
import { pickColumnInSlices, pickRowsInSlices, selectedRows } from '../../../model/column.ts';
import { zeroCosts } from '../../../model/head.ts';
import { buildRemainingProfile, estimatesOf } from './call-graph-draft.ts';
import type { GraphProfile, TransformGraph } from './call-graph-flows.ts';
import type { ShareWord } from './call-graph-shares.ts';

/** By part: 1 if all of its cost comes through routines in `hit`, 0 if none does. Undefined if any part is mixed. */
export function* partsThrough(graph: TransformGraph, hit: Uint8Array, word: ShareWord): Sliced<Uint8Array | undefined> {
  if (word === 'prune-from') return undefined;
  const { spans, lines, calls, parts, columns } = graph.profile;
  const hits = Array.from(hit.keys()).filter((r) => hit[r] === 1);
  if (!calls || parts.length < 2 || hits.length > parts.length) return undefined;
  // Calls in a cycle cost more than the cost that passes through them once.
  if (hits.some((r) => graph.totals.cycles.of[r] > 0 || graph.totals.self.some((column) => column[r] !== 0))) return undefined;
  const through = zeroCosts(columns, parts.length);
  const all = zeroCosts(columns, parts.length);
  const hasHit = new Uint8Array(parts.length);
  const addSpan = (s: number) => {
    hasHit[spans.part[s]] |= hit[spans.routine[s]];
    for (let c = 0; c < columns; c++)
      for (let i = spans.start[s]; i < spans.start[s + 1]; i++) all[c][spans.part[s]] += lines.costs[c][i];
  };
  yield* forEachInSlices(spans.routine.length, addSpan);
  const called = new Uint8Array(parts.length);
  const addCall = (i: number) => {
    const part = spans.part[calls.span[i]];
    called[part] |= hit[calls.callee[i]];
    if (hit[spans.routine[calls.span[i]]] === 0) return;
    for (let c = 0; c < columns; c++) through[c][part] += calls.costs[c][i];
  };
  yield* forEachInSlices(calls.span.length, addCall);
  // For show-from, the callers of a routine are removed.
  const stays = (is: number, p: number) =>
    is === 1
      ? called[p] * Number(word === 'show-from') === 0 && all.every((sum, c) => sum[p] === through[c][p])
      : called[p] === 0;
  return hasHit.every(stays) ? hasHit : undefined;
}

export function* keepParts(profile: GraphProfile, keep: Uint8Array): Sliced<GraphProfile> {
  const { spans, lines, calls, jumps } = profile;
  const kept = Uint8Array.from(spans.part, (part) => keep[part]);
  const keptLines = new Uint8Array(lines.line.length);
  const start = new Uint32Array(spans.start.length);
  const addSpan = (s: number) => {
    if (kept[s] === 1) keptLines.fill(1, spans.start[s], spans.start[s + 1]);
    start[s + 1] = start[s] + (kept[s] === 1 ? spans.start[s + 1] - spans.start[s] : 0);
  };
  yield* forEachInSlices(kept.length, addSpan);
  const ofSpans = (span: Uint32Array) => selectedRows(Uint8Array.from(span, (s) => kept[s]));
  const callRows = calls && (yield* ofSpans(calls.span));
  const before = estimatesOf(profile);
  return yield* buildRemainingProfile(profile, {
    spans: { ...spans, start },
    lines: yield* pickRowsInSlices(lines, yield* selectedRows(keptLines)),
    ...(calls && callRows ? { calls: yield* pickRowsInSlices(calls, callRows) } : {}),
    ...(jumps ? { jumps: yield* pickRowsInSlices(jumps, yield* ofSpans(jumps.span)) } : {}),
    estimated: { ...before, calls: callRows ? yield* pickColumnInSlices(before.calls, callRows) : before.calls },
  });
}
