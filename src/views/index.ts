// The views of the screen, by number. A new one is one new file and one line here.
import { hasTable, type Profile } from '../model/profile.ts';
import { criticalTable, stepsTable, utilizationTable } from './build-tables.ts';
import { calls } from './calls.ts';
import { changesTable } from './changes.ts';
import { curve } from './curve.ts';
import { gantt } from './gantt.ts';
import { growth } from './growth.ts';
import { info } from './info.ts';
import { instrs } from './instrs.ts';
import { process } from './process.ts';
import { compilesTable, programsTable } from './process-tables.ts';
import { processes } from './processes.ts';
import { routines } from './routines.ts';
import { source } from './source.ts';
import { step } from './step.ts';
import { targetsTable } from './targets.ts';
import { tree } from './tree.ts';
import type { View } from './view.ts';

export type AnyView = View<never>;

// The first that a profile has is the one that opens.
export const views = [
  growth,
  gantt,
  stepsTable,
  targetsTable,
  criticalTable,
  utilizationTable,
  changesTable,
  step,
  processes,
  programsTable,
  compilesTable,
  process,
  routines,
  calls,
  tree,
  curve,
  source,
  instrs,
  info,
] as unknown as readonly View<unknown>[];

/** Those that the profile has the tables for; those that compare only where there is something to compare with. */
export function viewsOf(profile: Profile, base: unknown): readonly View<unknown>[] {
  return views.filter((v) => (!v.comparing || base !== undefined) && v.requires.every((t) => hasTable(profile, t)));
}
