// Renumbers the routines, files and objects that the rows of a run refer to.

import type { Head } from '../../../model/head.ts';
import type { NodeGraph, Profile, ProfileOf } from '../../../model/profile.ts';
import { pickColumn, withColumns } from '../../../model/table.ts';
import { mergeEstimates } from '../inlined/fold.ts';

/** New numbers by old ones; undefined if they do not change. */
export interface NewNumbers {
  readonly routine: Uint32Array | undefined;
  readonly file: Int32Array | undefined;
  readonly object: Int32Array | undefined;
}

/** The table that columns of a name refer to, in every table. */
const REFERENCED_TABLE: Readonly<Record<string, keyof NewNumbers>> = {
  routine: 'routine',
  callee: 'routine',
  targetRoutine: 'routine',
  program: 'routine',
  file: 'file',
  targetFile: 'file',
  object: 'object',
};

/** The table with the new numbers; -1 stays -1. */
function renumber<T extends object>(table: T, to: NewNumbers): T {
  return withColumns(table, (column, name) => {
    const ids = REFERENCED_TABLE[name] && to[REFERENCED_TABLE[name]];
    if (!ids) return column;
    const out = column.slice();
    for (let i = 0; i < out.length; i++) if (column[i] >= 0) out[i] = ids[column[i]];
    return out;
  });
}

/** The estimates of transforms, with new routine numbers. */
function renumberEstimates({ transformed }: Profile, routines: number, to: NewNumbers): Pick<Profile, 'transformed'> {
  const estimated = transformed?.estimated;
  return estimated ? { transformed: { ...transformed, estimated: mergeEstimates(estimated, to.routine, routines) } } : {};
}

/** Nodes keep their numbers and names. */
function renumberNodes(
  { graph, routineOf, ...kind }: NodeGraph,
  { files, objects }: Pick<Head, 'files' | 'objects'>,
  to: NewNumbers,
): NodeGraph {
  const { spans, jumps } = graph;
  const rows = { ...to, routine: undefined };
  return {
    ...kind,
    graph: {
      ...graph,
      files,
      objects,
      spans: renumber(spans, rows),
      ...(jumps ? { jumps: renumber(jumps, rows) } : {}),
    },
    routineOf: to.routine ? pickColumn(to.routine, routineOf) : routineOf,
  };
}

/** The nodes of a graph. If routines merge, the old routines become nodes, so calls among them are not taken for recursion. */
function nodesBeforeMerging(profile: ProfileOf<'callgraph'>, routine: Uint32Array | undefined): NodeGraph | undefined {
  if (profile.nodes || !profile.calls || !routine || new Set(routine).size === routine.length) return profile.nodes;
  return { graph: profile, routineOf: Uint32Array.from(routine.keys()), nameless: true };
}

/** The profile, with the tables of its head replaced and all rows renumbered. */
export function renumberProfile(
  profile: Profile,
  head: Pick<Head, 'strings' | 'files' | 'objects' | 'routines'>,
  to: NewNumbers,
): Profile {
  switch (profile.kind) {
    case 'callgraph': {
      const { spans, calls, jumps } = profile;
      const nodes = nodesBeforeMerging(profile, to.routine);
      return {
        ...profile,
        ...head,
        ...renumberEstimates(profile, head.routines.name.length, to),
        spans: renumber(spans, to),
        ...(calls ? { calls: renumber(calls, to) } : {}),
        ...(jumps ? { jumps: renumber(jumps, to) } : {}),
        ...(nodes ? { nodes: renumberNodes(nodes, head, to) } : {}),
      };
    }
    case 'stacks': {
      const { spans, frames, places } = profile;
      const rows = {
        spans: renumber(spans, to),
        frames: renumber(frames, to),
        ...(places ? { places: renumber(places, to) } : {}),
      };
      return { ...profile, ...head, ...rows };
    }
    case 'inputs': {
      const { inputs, contexts } = profile;
      return {
        ...profile,
        ...head,
        inputs: renumber(inputs, to),
        ...(contexts ? { contexts: renumber(contexts, to) } : {}),
      };
    }
    case 'steps':
      return { ...profile, ...head, steps: renumber(profile.steps, to) };
    case 'processes':
      return { ...profile, ...head, processes: renumber(profile.processes, to) };
  }
}
