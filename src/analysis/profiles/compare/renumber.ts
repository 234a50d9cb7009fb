// Renumbers the routines, files and objects that the rows of a run refer to.

import { pickColumn, withColumns } from '../../../model/column.ts';
import type { NodeGraph, Profile, ProfileOf } from '../../../model/profile.ts';
import { mergeEstimates } from '../inlined/fold.ts';
import type { NameTables } from './match.ts';

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

/** The tables of all kinds of profiles whose columns refer to routines, files or objects. */
const REFERRING_TABLES: ReadonlySet<string> = new Set([
  ...['spans', 'calls', 'jumps', 'frames', 'places'],
  ...['inputs', 'contexts', 'steps', 'processes'],
]);

function renumberTables<P extends Profile>(profile: P, to: NewNumbers): P {
  const tables: [string, object][] = Object.entries(profile).filter(([name]) => REFERRING_TABLES.has(name));
  return { ...profile, ...Object.fromEntries(tables.map(([name, table]) => [name, renumber(table, to)])) };
}

/** The nodes of a graph. If routines merge, the old routines become nodes, so calls among them are not taken for recursion. */
function nodesBeforeMerging(profile: ProfileOf<'callgraph'>, routine: Uint32Array | undefined): NodeGraph | undefined {
  if (profile.nodes || !profile.calls || !routine || new Set(routine).size === routine.length) return profile.nodes;
  return { graph: profile, routineOf: Uint32Array.from(routine.keys()), nameless: true };
}

/** The profile, with the tables of its head replaced and all rows renumbered. */
export function renumberProfile(profile: Profile, head: NameTables, to: NewNumbers): Profile {
  const renumbered = { ...renumberTables(profile, to), ...head };
  if (profile.kind !== 'callgraph') return renumbered;
  const nodes = nodesBeforeMerging(profile, to.routine);
  const { files, objects } = head;
  // Nodes keep their numbers and names.
  const renumberNodes = ({ graph, routineOf, ...kind }: NodeGraph): NodeGraph => ({
    ...kind,
    graph: { ...renumberTables(graph, { ...to, routine: undefined }), files, objects },
    routineOf: to.routine ? pickColumn(to.routine, routineOf) : routineOf,
  });
  const estimated = profile.estimated && mergeEstimates(profile.estimated, to.routine, head.routines.name.length);
  return {
    ...renumbered,
    ...(estimated ? { estimated } : {}),
    ...(nodes ? { nodes: renumberNodes(nodes) } : {}),
  };
}
