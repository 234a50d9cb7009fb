// The registry of all views. A new view needs a new file and a line here.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { memo } from '../base/lists.ts';
import type { Question } from '../model/head.ts';
import { compilersView } from './builds/compilers.ts';
import { ganttView } from './builds/gantt/index.ts';
import { timelineView } from './builds/gantt/samples.ts';
import { changesTable, historyView, targetsTable, testsView, waterfallView } from './builds/lists.ts';
import { buildSections } from './builds/overview.ts';
import { processView } from './builds/process.ts';
import { compilesTable, programsTable } from './builds/process-tables.ts';
import { processesView } from './builds/processes.ts';
import { stepView } from './builds/step.ts';
import { buildStepDetail } from './builds/step-detail.ts';
import { criticalTable, stepsTable, utilizationTable } from './builds/steps.ts';
import { callsView } from './calls.ts';
import { findingsView } from './findings.ts';
import { flameView } from './flame/index.ts';
import { graphView } from './graph/index.ts';
import { curveView } from './growth/curve/index.ts';
import { growthSection, growthView } from './growth/index.ts';
import { infoView } from './info.ts';
import { instrsView } from './instrs/index.ts';
import { linesView } from './lines.ts';
import type { ViewEntry } from './open-view.ts';
import { overviewView } from './overview.ts';
import { routinesView } from './routines.ts';
import { memorySection, snapshotsView } from './snapshots.ts';
import { sourceView } from './source/index.ts';
import { stacksView, tagsView } from './stacks.ts';
import { treeView } from './tree/index.ts';

/** All views in the order of their tabs: a profile's views take the digits from 1 on, without gaps. */
const viewRegistry = [
  overviewView([...buildSections, growthSection, memorySection]),
  findingsView,
  growthView,
  curveView,
  ganttView,
  waterfallView,
  processesView,
  processView,
  programsTable,
  compilesTable,
  routinesView,
  callsView,
  graphView,
  sourceView,
  flameView(buildStepDetail),
  treeView,
  stepsTable,
  stepView,
  criticalTable,
  targetsTable,
  changesTable,
  compilersView,
  utilizationTable,
  instrsView,
  linesView,
  stacksView,
  tagsView,
  snapshotsView,
  timelineView,
  testsView,
  historyView,
  infoView,
] as const;

type RegisteredView = (typeof viewRegistry)[number];

export type ViewId = RegisteredView['id'];
/** The view that every profile has and that opens first; q leads back to it. */
export const HOME_VIEW: ViewId = 'overview';
export type AnyViewAction = RegisteredView['keys'][number]['action'];
export type AnyView = ViewEntry<ViewId, AnyViewAction>;

export const views: readonly AnyView[] = viewRegistry;

const canAnswer = ({ requires, orRequires }: AnyView, can: ReadonlySet<Question>): boolean =>
  requires.every((question) => can.has(question)) || (orRequires !== undefined && can.has(orRequires));

/** A view of a profile. `digit`: the key of its tab; '' for views that are part of another one, and for the tenth and later. */
export type TabView = AnyView & { readonly digit: string };

/** The keys 1 to 9. */
export const MOST_DIGITS = 9;

/** The views that a profile supports, in the order of tabs. Comparing views need a base. Memoized: some look at all steps. */
export const viewsOf = memo(({ costing: { can }, before, profile }: Analysis): readonly TabView[] => {
  let tabs = 0;
  return views
    .filter((v) => (!v.comparing || before !== undefined) && canAnswer(v, can) && !v.silent?.(profile))
    .map((v) => ({ ...v, digit: v.partOf === undefined && ++tabs <= MOST_DIGITS ? `${tabs}` : '' }));
}, 4);

/** The first view that lists rows in full, for flags and searches that are about rows. */
export const firstListView = (analysis: Analysis): AnyView | undefined =>
  viewsOf(analysis).find(({ id, unfiltered }) => !unfiltered && id !== 'findings');

export const viewNamed = (id: string): AnyView | undefined => views.find((v) => v.id === id);
