// All views. A new view needs one new file and one line here.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { memo } from '../base/memo.ts';
import type { Question } from '../model/head.ts';
import { compilers } from './builds/compilers.ts';
import { gantt } from './builds/gantt/index.ts';
import { timeline } from './builds/gantt/samples.ts';
import { changesTable, history, targetsTable, tests, waterfall } from './builds/lists.ts';
import { process } from './builds/process.ts';
import { compilesTable, programsTable } from './builds/process-tables.ts';
import { processes } from './builds/processes.ts';
import { step } from './builds/step.ts';
import { buildStepDetail } from './builds/step-detail.ts';
import { criticalTable, stepsTable, utilizationTable } from './builds/steps.ts';
import { calls } from './calls.ts';
import { findings } from './findings.ts';
import { flameView } from './flame/index.ts';
import { graph } from './graph/index.ts';
import { curve } from './growth/curve/index.ts';
import { growth } from './growth/index.ts';
import { info } from './info.ts';
import { instrs } from './instrs/index.ts';
import { lines } from './lines.ts';
import type { ViewEntry } from './open-view.ts';
import { routines } from './routines.ts';
import { snapshots } from './snapshots.ts';
import { source } from './source/index.ts';
import { tags } from './tags.ts';
import { tree } from './tree/index.ts';

// The first view that the profile supports, and that is not slow, opens at the start.
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
  flameView(buildStepDetail),
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

/** The key of a view in a profile with this data. */
export function digitOf({ digit, digitBesideCalls }: AnyView, can: ReadonlySet<Question>): string {
  return digitBesideCalls !== undefined && can.has('calls') ? digitBesideCalls : digit;
}

const canAnswer = ({ requires, orRequires }: AnyView, can: ReadonlySet<Question>): boolean =>
  requires.every((question) => can.has(question)) || (orRequires !== undefined && can.has(orRequires));

/** The views of a profile; views that compare need a base. Memoized: some views look at all steps. */
export const viewsOf = memo(
  ({ costing: { can }, before, profile }: Analysis): readonly AnyView[] =>
    views
      .filter((v) => (!v.comparing || before !== undefined) && canAnswer(v, can) && !v.silent?.(profile))
      .map((v) => ({ ...v, digit: digitOf(v, can) })),
  4,
);

export function viewNamed(id: string): AnyView | undefined {
  return views.find((v) => v.id === id);
}
