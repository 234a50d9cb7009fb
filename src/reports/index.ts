// The reports of --print. A new report is one new file and one name here.

import { makeBriefReport } from './brief.ts';
import { changes } from './builds/changes.ts';
import { compileReports } from './builds/compiles.ts';
import { compileCommands, historyReports, processes, rebuilds, stages, tests } from './builds/lists.ts';
import { otlp, trace } from './builds/spans.ts';
import { criticalpath, gantt, jobLoad, longestchain, narrowPeriods, steps, targets, waterfall, whatIf } from './builds/steps.ts';
import { calls } from './calls.ts';
import { dot } from './dot.ts';
import { findings } from './findings.ts';
import { flame } from './flame.ts';
import { graph } from './graph.ts';
import { groups } from './groups.ts';
import { curve } from './growth/curve.ts';
import { curves } from './growth/curves.ts';
import { inputs } from './growth/inputs.ts';
import { instrs } from './instrs.ts';
import { lines } from './lines.ts';
import { snapshots, stacks, tags, timeline } from './lists.ts';
import type { Report } from './print.ts';
import { routine } from './routine.ts';
import { routines } from './routines.ts';
import { source } from './source.ts';
import { summary } from './summary.ts';
import { tree } from './tree.ts';

const ofRoutines = [summary, findings, routines, routine, groups, calls, lines, source, instrs, tree, graph, dot, flame, stacks];

const listed: readonly Report[] = [
  ...ofRoutines,
  ...[tags, timeline, snapshots],
  ...[inputs, curves, curve],
  ...[steps, stages, gantt, waterfall, targets, criticalpath, longestchain, jobLoad, narrowPeriods, whatIf, trace, otlp],
  ...compileReports,
  rebuilds,
  ...historyReports,
  ...[tests, changes, processes, compileCommands],
];

export const reports: readonly Report[] = [makeBriefReport(listed), ...listed];
