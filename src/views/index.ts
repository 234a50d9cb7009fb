// The views of the screen. A new one takes one new file and one line here.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { memo } from '../base/memo.ts';
import type { Question } from '../model/head.ts';
import { criticalTable, stepsTable, utilizationTable } from './build-tables.ts';
import { calls } from './calls.ts';
import { changesTable } from './changes.ts';
import { compilers } from './compilers.ts';
import { curve } from './curve/index.ts';
import { findings } from './findings.ts';
import { flame } from './flame/index.ts';
import { gantt } from './gantt/index.ts';
import { timeline } from './gantt/samples.ts';
import { graph } from './graph/index.ts';
import { growth } from './growth.ts';
import { history } from './history.ts';
import { info } from './info.ts';
import { instrs } from './instrs/index.ts';
import { lines } from './lines.ts';
import type { ViewEntry } from './open-view.ts';
import { process } from './process.ts';
import { compilesTable, programsTable } from './process-tables.ts';
import { processes } from './processes.ts';
import { routines } from './routines.ts';
import { snapshots } from './snapshots.ts';
import { source } from './source/index.ts';
import { step } from './step.ts';
import { tags } from './tags.ts';
import { targetsTable } from './targets.ts';
import { tests } from './tests.ts';
import { tree } from './tree/index.ts';
import { waterfall } from './waterfall.ts';

// The first view that a profile supports, and that is quick, opens first.
const registry = [
  findings,
  growth,
  gantt,
  tests,
  compilers,
  stepsTable,
  waterfall,
  targetsTable,
  criticalTable,
  utilizationTable,
  changesTable,
  history,
  step,
  processes,
  programsTable,
  compilesTable,
  process,
  routines,
  calls,
  tree,
  graph,
  flame,
  timeline,
  curve,
  source,
  instrs,
  lines,
  tags,
  snapshots,
  info,
] as const;

type Registered = (typeof registry)[number];

export type ViewId = Registered['id'];
/** The actions of the keys of all views. */
export type AnyViewAction = Registered['keys'][number]['action'];
export type AnyView = ViewEntry<ViewId, AnyViewAction>;

export const views: readonly AnyView[] = registry;

/** The digit of a view in a profile that can answer these questions. */
export function digitIn({ digit, digitBesideCalls }: AnyView, can: ReadonlySet<Question>): string {
  return digitBesideCalls !== undefined && can.has('calls') ? digitBesideCalls : digit;
}

const canAnswer = ({ asks, orAsks }: AnyView, can: ReadonlySet<Question>): boolean =>
  asks.every((question) => can.has(question)) || (orAsks !== undefined && can.has(orAsks));

/** The views whose questions the profile can answer; comparing views only with a profile to compare with. Some look at all steps: worked out once. */
export const viewsOf = memo(
  ({ costing: { can }, before, profile }: Analysis): readonly AnyView[] =>
    views
      .filter((v) => (!v.comparing || before !== undefined) && canAnswer(v, can) && !v.silent?.(profile))
      .map((v) => ({ ...v, digit: digitIn(v, can) })),
  4,
);

export function viewNamed(id: string): AnyView | undefined {
  return views.find((v) => v.id === id);
}
