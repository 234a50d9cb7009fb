// Time 0 of a record: CMake writes times since 1970. Several files of one tree share it, so that they lie on one axis.
import type { Sink } from '../../model/sink.ts';
import { StepWriter } from '../../model/steps/writer.ts';

/** Where the rows of a file begin, and the time that those before are counted from. */
export interface Begin {
  readonly note: number;
  readonly gauge: number;
  readonly part: number;
  readonly originUs: number | null;
}

export function beginOf(sink: Sink): Begin {
  const { notes, gauges, originUs } = sink.tables(StepWriter);
  return { note: notes.length, gauge: gauges.length, part: sink.parts.length, originUs };
}

/** Moves time 0 to the start of the first step that ran, whichever file it is in. The rows of this file have times since 1970. */
export function setOrigin(sink: Sink, begin: Begin): void {
  const rows = sink.tables(StepWriter);
  if (rows.originUs !== begin.originUs) return;
  const before = begin.originUs ?? 0;
  let origin = begin.originUs ?? Number.POSITIVE_INFINITY;
  for (const s of rows.notes.slice(begin.note)) if (!s.neverRan) origin = Math.min(origin, s.startUs);
  if (origin === Number.POSITIVE_INFINITY) return;
  rows.originUs = origin;
  rows.notes.forEach((s, i) => {
    rows.notes[i] = { ...s, startUs: s.neverRan ? 0 : s.startUs + (i < begin.note ? before : 0) - origin };
  });
  rows.gauges.forEach((g, i) => {
    rows.gauges[i] = { ...g, us: g.us + (i < begin.gauge ? before : 0) - origin };
  });
}
