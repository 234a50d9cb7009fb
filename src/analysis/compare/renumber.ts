// The rows of a run with other numbers for their routines, files and objects.

import type { LineTables } from '../../model/callgraph/tables.ts';
import type { Head } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';

/** New numbers by old ones; absent where they stay. */
export interface Numbers {
  readonly routine: Uint32Array | undefined;
  readonly file: Int32Array | undefined;
  readonly object: Int32Array | undefined;
}

type Ids = Uint32Array | Int32Array;

/** -1 stays -1. */
function moved(column: Uint32Array, to: Ids | undefined): Uint32Array;
function moved(column: Int32Array, to: Ids | undefined): Int32Array;
function moved(column: Ids, to: Ids | undefined): Ids {
  if (!to) return column;
  const out = column.slice();
  for (let i = 0; i < out.length; i++) if (column[i] >= 0) out[i] = to[column[i]];
  return out;
}

/** By routine, 1 where one of the routines that became it has 1. */
function spread(column: Uint8Array, rows: number, to: Ids | undefined): Uint8Array {
  const out = new Uint8Array(rows);
  for (let r = 0; r < column.length; r++) out[to ? to[r] : r] |= column[r];
  return out;
}

/** What transforms left, with the new numbers. */
function doubts({ transformed }: Profile, routines: number, to: Numbers): Pick<Profile, 'transformed'> {
  const estimated = transformed?.estimated;
  if (!estimated) return {};
  const { self, inclusive, calls } = estimated;
  const moved = { self: spread(self, routines, to.routine), inclusive: spread(inclusive, routines, to.routine), calls };
  return { transformed: { ...transformed, estimated: moved } };
}

/** The profile, with the tables of its head replaced and all rows renumbered. */
export function renumbered(
  profile: Profile,
  head: Pick<Head, 'strings' | 'files' | 'objects' | 'routines'>,
  to: Numbers,
): Profile {
  const lines = ({ spans, lines: rows }: LineTables): LineTables => ({
    spans: { ...spans, routine: moved(spans.routine, to.routine), file: moved(spans.file, to.file) },
    lines: rows,
  });
  switch (profile.kind) {
    case 'callgraph': {
      const { calls, jumps } = profile;
      return {
        ...profile,
        ...head,
        ...doubts(profile, head.routines.name.length, to),
        ...lines(profile),
        ...(calls ? { calls: { ...calls, callee: moved(calls.callee, to.routine) } } : {}),
        ...(jumps
          ? {
              jumps: {
                ...jumps,
                targetFile: moved(jumps.targetFile, to.file),
                ...(jumps.targetRoutine ? { targetRoutine: moved(jumps.targetRoutine, to.routine) } : {}),
              },
            }
          : {}),
      };
    }
    case 'stacks': {
      const { frames, places } = profile;
      return {
        ...profile,
        ...head,
        ...lines(profile),
        frames: { ...frames, routine: moved(frames.routine, to.routine), file: moved(frames.file, to.file) },
        ...(places ? { places: { ...places, object: moved(places.object, to.object) } } : {}),
      };
    }
    case 'inputs': {
      const { inputs, contexts } = profile;
      return {
        ...profile,
        ...head,
        inputs: { ...inputs, routine: moved(inputs.routine, to.routine) },
        ...(contexts ? { contexts: { ...contexts, routine: moved(contexts.routine, to.routine) } } : {}),
      };
    }
    case 'steps':
      return { ...profile, ...head, steps: { ...profile.steps, routine: moved(profile.steps.routine, to.routine) } };
    case 'processes':
      return { ...profile, ...head, processes: { ...profile.processes, program: moved(profile.processes.program, to.routine) } };
  }
}
