// The reports of steps in time: steps, gantt, targets, criticalpath.

import type { Analysis } from '../analysis/analysis.ts';
import { stepsBefore } from '../analysis/steps/changes.ts';
import { basisText, chainLinks, criticalPath, type Link } from '../analysis/steps/critical.ts';
import { type Chance, chances, couldRun, type NarrowWindow, narrowWindows } from '../analysis/steps/narrow.ts';
import { doubt, offBy, simulation, simulationText, withoutEach } from '../analysis/steps/simulate.ts';
import { activeSteps, ran, stepTexts } from '../analysis/steps/steps.ts';
import { type TargetRow, targetRows } from '../analysis/steps/targets.ts';
import { formatCount, plural } from '../base/units.ts';
import type { Table } from '../columns/column.ts';
import { criticalTable } from '../columns/critical.ts';
import { chanceTable, narrowTable } from '../columns/load.ts';
import { type Pair, pairedTable, singleTable } from '../columns/paired.ts';
import { stepTable } from '../columns/steps.ts';
import { targetTable } from '../columns/targets.ts';
import { ms, msText } from '../columns/times.ts';
import { waterfallTable } from '../columns/waterfall.ts';
import { type Report, report } from './print.ts';
import { baseOf, ofKind, type ReportContext, sorted } from './report.ts';

type Context = ReportContext<'steps'>;

function stepMatches({ analysis, filtered, matches }: Context, step: number): boolean {
  return !filtered || matches(...stepTexts(analysis.profile, step));
}

/** What a build measures of a step. */
const MEASURED: ReadonlySet<string> = new Set(['startMs', 'durationMs', 'uncutMs', 'cpuMs', 'lane', 'result', 'memory', 'load']);

/** With a build to compare with, rows are pairs of steps. */
const pairedSteps = (base: Analysis<'steps'>) => pairedTable(stepTable, base, MEASURED);

function stepPairs(context: Context, base: Analysis<'steps'>): Pair<number>[] {
  const { analysis } = context;
  const { of, gone } = stepsBefore(analysis, base);
  const then = { ...context, analysis: base };
  return [
    ...Array.from(activeSteps(analysis))
      .filter((i) => stepMatches(context, i))
      .map((i) => ({ now: i, before: of(i) < 0 ? undefined : of(i) })),
    ...gone.filter((i) => stepMatches(then, i)).map((i) => ({ now: undefined, before: i })),
  ];
}

function stepReport(name: 'steps' | 'gantt', title: string): Report {
  return report<Pair<number>, 'steps'>({
    name,
    title,
    asks: ['steps'],
    sorts: ['start', 'duration'],
    of: ofKind('steps'),
    table: (context) => tableOf(context),
    rows(context) {
      const base = baseOf(context, 'steps');
      const rows: Pair<number>[] = base
        ? stepPairs(context, base)
        : Array.from(activeSteps(context.analysis))
            .filter((i) => stepMatches(context, i))
            .map((i) => ({ now: i, before: undefined }));
      return sorted(context, rows, tableOf(context).columns(context));
    },
    extra: ({ analysis }) => ({
      originMs: ms(analysis.profile.steps.originUs ?? Number.NaN),
      cores: analysis.profile.steps.cores,
    }),
  });
}

/** Without a base, the same table of pairs in which nothing was before. */
function tableOf(context: Context): Table<Pair<number>, 'steps'> {
  const base = baseOf(context, 'steps');
  return base ? pairedSteps(base) : singleTable(stepTable);
}

export const steps = stepReport('steps', 'steps in time, by their start');
export const gantt = stepReport('gantt', 'as steps, with the lanes that the picture has');

const byTarget = targetTable('target');

const TARGET_MEASURED: ReadonlySet<string> = new Set(
  'steps durationMs compileMs linkMs otherMs weightedMs criticalMs failed bytes'.split(' '),
);

function targetTableOf(context: Context): Table<Pair<TargetRow>, 'steps'> {
  const base = baseOf(context, 'steps');
  return base ? pairedTable(byTarget, base, TARGET_MEASURED) : singleTable(byTarget);
}

export const targets = report<Pair<TargetRow>, 'steps'>({
  name: 'targets',
  title: 'time by target of a build',
  asks: ['steps'],
  sorts: ['duration', 'weightedMs', 'critical', 'compileMs', 'linkMs', 'steps', 'failed', 'target', 'type'],
  of: ofKind('steps'),
  table: targetTableOf,
  rows(context) {
    const base = baseOf(context, 'steps');
    const then = new Map((base ? targetRows(base) : []).map((row) => [row.target, row]));
    const now = targetRows(context.analysis);
    const here = new Set(now.map((row) => row.target));
    const rows = [
      ...now.map((row): Pair<TargetRow> => ({ now: row, before: then.get(row.target) })),
      ...[...then.values()].filter((row) => !here.has(row.target)).map((row) => ({ now: undefined, before: row })),
    ].filter((pair) => !context.filtered || context.matches((pair.now ?? pair.before)?.target ?? ''));
    return sorted(context, rows, targetTableOf(context).columns(context), 'duration');
  },
});

const without = ({ analysis }: Context, links: readonly Link[]) =>
  withoutEach(
    analysis,
    links.map((l) => l.step),
  );

/** What both lists of links say above their rows. */
function linkFacts({ analysis }: Context) {
  const s = simulation(analysis);
  return {
    basis: criticalPath(analysis).basis,
    basisCaveat: analysis.profile.steps.needsCaveat ?? null,
    // An estimate: steps of the same length, started as soon as their dependencies are done and a place is free.
    simulation: s
      ? {
          jobs: s.jobs,
          jobsRecorded: s.recorded,
          measuredMs: ms(s.measuredUs),
          asItWasMs: ms(s.asItWasUs),
          differs: offBy(s),
          unlimitedMs: ms(s.unlimitedUs),
          withJobs: s.withJobs.map((w) => ({ jobs: w.jobs, ms: ms(w.us) })),
        }
      : null,
  };
}

function linkHead({ analysis }: Context): string[] {
  const s = simulation(analysis);
  const { profile, partsOff } = analysis;
  const last = criticalPath(analysis).links.at(-1);
  const several = profile.steps.runs && profile.parts.length - partsOff.size > 1 && last;
  const from = [
    ...(several ? [`of part ${profile.steps.part[last.step] + 1}, the last run`] : []),
    `drawn from ${basisText(analysis, 'text')}`,
  ];
  if (!s) return from;
  return [...from, `simulated: ${simulationText(s, (us) => `≈ ${msText(us)} ms`)}`, ...(doubt(s) === '' ? [] : [doubt(s)])];
}

const durationMs = ({ analysis }: Context, links: readonly Link[]) =>
  links.reduce((sum, l) => sum + analysis.profile.steps.durationUs[l.step], 0) / 1000;

export const criticalpath = report<Link, 'steps'>({
  name: 'criticalpath',
  title: 'the chain of steps that decided the end, and what each waited for',
  asks: ['steps'],
  of: ofKind('steps'),
  table: (context) => criticalTable(without(context, criticalPath(context.analysis).links)),
  rows: (context) => criticalPath(context.analysis).links.filter((l) => stepMatches(context, l.step)),
  extra(context) {
    const chain = chainLinks(context.analysis);
    return {
      ...linkFacts(context),
      longestChain: { steps: chain.map((l) => l.step), durationMs: durationMs(context, chain) },
    };
  },
  head(context) {
    const chain = chainLinks(context.analysis);
    if (chain.length === 0) return linkHead(context);
    const text = `${plural(chain.length, 'step')}, ${formatCount(durationMs(context, chain))} ms`;
    return [...linkHead(context), `longest chain of dependencies alone: ${text} (--print longestchain)`];
  },
});

export const longestchain = report<Link, 'steps'>({
  name: 'longestchain',
  title: 'the steps that need each other and take the longest together, whatever else ran',
  asks: ['steps'],
  of: ofKind('steps'),
  table: (context) => criticalTable(without(context, chainLinks(context.analysis))),
  rows: (context) => chainLinks(context.analysis).filter((l) => stepMatches(context, l.step)),
  extra: linkFacts,
  head: linkHead,
});

export const narrow = report<NarrowWindow, 'steps'>({
  name: 'narrow',
  title: 'when fewer jobs ran than half of those that could, and what was waited for',
  asks: ['steps'],
  sorts: ['duration', 'from', 'running', 'step'],
  of: ofKind('steps'),
  table: () => narrowTable,
  rows: (context) =>
    sorted(
      context,
      narrowWindows(context.analysis).filter((w) => !context.filtered || (w.step >= 0 && stepMatches(context, w.step))),
      narrowTable.columns(context),
    ),
  extra: ({ analysis }) => ({ jobs: couldRun(analysis) }),
});

export const whatif = report<Chance, 'steps'>({
  name: 'whatif',
  title: 'what a build would take if its longest steps were halves, not waited for, or took no time (simulated)',
  asks: ['steps'],
  sorts: ['gain', 'duration', 'what', 'step'],
  of: ofKind('steps'),
  table: () => chanceTable,
  rows: (context) =>
    sorted(
      context,
      chances(context.analysis).filter((x) => stepMatches(context, x.step)),
      chanceTable.columns(context),
    ),
  extra: linkFacts,
  head: linkHead,
});

export const waterfall = report<number, 'steps'>({
  name: 'waterfall',
  title: 'steps by their start, each with its bar on the axis of the whole build',
  asks: ['steps'],
  sorts: ['start', 'duration', 'step'],
  of: ofKind('steps'),
  table: () => waterfallTable,
  rows: (context) =>
    sorted(
      context,
      Array.from(activeSteps(context.analysis)).filter((i) => ran(context.analysis.profile.steps, i) && stepMatches(context, i)),
      waterfallTable.columns(context),
    ),
});
