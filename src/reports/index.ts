// The reports of --print. A new report is one new file and one line here.

import { calls } from './calls.ts';
import { changes } from './changes.ts';
import { compileReports } from './compiles.ts';
import { curve } from './curve.ts';
import { curves } from './curves.ts';
import { dot } from './dot.ts';
import { findings } from './findings.ts';
import { flame } from './flame.ts';
import { graph } from './graph.ts';
import { historyReports } from './history.ts';
import { inputs } from './inputs.ts';
import { instrs } from './instrs.ts';
import { lines } from './lines.ts';
import type { Report } from './print.ts';
import { compileCommands, processes } from './processes.ts';
import { rebuilds } from './rebuilds.ts';
import { routines } from './routines.ts';
import { snapshots } from './snapshots.ts';
import { source } from './source.ts';
import { otlp, trace } from './spans.ts';
import { criticalpath, gantt, load, longestchain, narrow, steps, targets, waterfall, whatif } from './steps.ts';
import { summary } from './summary.ts';
import { tags } from './tags.ts';
import { tests } from './tests.ts';
import { timeline } from './timeline.ts';
import { tree } from './tree.ts';

export const reports: readonly Report[] = [
  summary,
  findings,
  routines,
  calls,
  lines,
  source,
  instrs,
  tree,
  graph,
  dot,
  flame,
  tags,
  timeline,
  snapshots,
  inputs,
  curves,
  curve,
  steps,
  gantt,
  waterfall,
  targets,
  criticalpath,
  longestchain,
  load,
  narrow,
  whatif,
  trace,
  otlp,
  ...compileReports,
  rebuilds,
  ...historyReports,
  tests,
  changes,
  processes,
  compileCommands,
];
