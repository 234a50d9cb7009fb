// The reports of steps in time: steps, gantt, targets, criticalpath.

import type { Analysis } from '../analysis/analysis.ts';
import { stepsBefore } from '../analysis/steps/changes.ts';
import { basisText, chainLinks, criticalPath, type Link } from '../analysis/steps/critical.ts';
import { type Chance, chances, couldRun, type NarrowWindow, narrowWindows } from '../analysis/steps/narrow.ts';
import { doubt, offBy, simulation, simulationText, withoutEach } from '../analysis/steps/simulate.ts';
import { activeSteps, ran, stepTexts } from '../analysis/steps/steps.ts';
import { type TargetRow, targetRows } from '../analysis/steps/targets.ts';
import { formatCount, plural } from '../base/units.ts';
import { criticalTable } from '../columns/critical.ts';
import { chanceTable, narrowTable } from '../columns/load.ts';
import { type Pair, pairedTable, pairsBy } from '../columns/paired.ts';
import { stepTable } from '../columns/steps.ts';
import { targetTable } from '../columns/targets.ts';
import { ms, msText } from '../columns/times.ts';
import { waterfallTable } from '../columns/waterfall.ts';
import { type Report, report } from './print.ts';
import { baseOf, type ReportContext, type ReportSpec } from './report.ts';

type Context = ReportContext<'steps'>;

const textsOf = ({ profile }: Analysis<'steps'>, step: number) => stepTexts(profile, step);

/** With a build to compare with, rows are pairs of steps. */
function stepPairs(context: Context): Pair<number>[] {
  const { analysis } = context;
  const base = baseOf(context, 'steps');
  const then = base && stepsBefore(analysis, base);
  const before = (i: number) => (then && then.of(i) >= 0 ? then.of(i) : undefined);
  return [
    ...Array.from(activeSteps(analysis), (i) => ({ now: i, before: before(i) })),
    ...(then?.gone ?? []).map((i) => ({ now: undefined, before: i })),
  ];
}

function stepReport(name: 'steps' | 'gantt', title: string): Report {
  return report<Pair<number>, 'steps'>({
    ...{ name, title, asks: ['steps'], sorts: ['start', 'duration'], kind: 'steps' },
    table: (context) => pairedTable(stepTable, baseOf(context, 'steps')),
    all: stepPairs,
    texts: ({ now, before = -1 }, context) =>
      now === undefined ? textsOf(baseOf(context, 'steps') ?? context.analysis, before) : textsOf(context.analysis, now),
    extra: ({ analysis }) => ({
      originMs: ms(analysis.profile.steps.originUs ?? Number.NaN),
      cores: analysis.profile.steps.cores,
    }),
  });
}

export const steps = stepReport('steps', 'steps in time, by their start');
export const gantt = stepReport('gantt', 'as steps, with the lanes that the picture has');

const byTarget = targetTable('target');

export const targets = report<Pair<TargetRow>, 'steps'>({
  name: 'targets',
  title: 'time by target of a build',
  asks: ['steps'],
  sorts: ['duration', 'weightedMs', 'critical', 'compileMs', 'linkMs', 'steps', 'failed', 'target', 'type'],
  kind: 'steps',
  table: (context) => pairedTable(byTarget, baseOf(context, 'steps')),
  all(context) {
    const base = baseOf(context, 'steps');
    return pairsBy(targetRows(context.analysis), base ? targetRows(base) : [], (row) => row.target);
  },
  texts: ({ now, before }) => [(now ?? before)?.target ?? ''],
  usual: 'duration',
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

function linkReport(
  name: string,
  title: string,
  links: (analysis: Analysis<'steps'>) => readonly Link[],
  more: Pick<ReportSpec<Link, 'steps'>, 'extra' | 'head'>,
): Report {
  return report<Link, 'steps'>({
    ...{ name, title, asks: ['steps'], kind: 'steps' },
    table: (context) => criticalTable(without(context, links(context.analysis))),
    all: ({ analysis }) => links(analysis),
    texts: (l, { analysis }) => textsOf(analysis, l.step),
    ...more,
  });
}

export const criticalpath = linkReport(
  'criticalpath',
  'the chain of steps that decided the end, and what each waited for',
  (analysis) => criticalPath(analysis).links,
  {
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
  },
);

export const longestchain = linkReport(
  'longestchain',
  'the steps that need each other and take the longest together, whatever else ran',
  chainLinks,
  { extra: linkFacts, head: linkHead },
);

export const narrow = report<NarrowWindow, 'steps'>({
  name: 'narrow',
  title: 'when fewer jobs ran than half of those that could, and what was waited for',
  asks: ['steps'],
  sorts: ['duration', 'from', 'running', 'step'],
  kind: 'steps',
  table: () => narrowTable,
  all: ({ analysis, filtered }) => narrowWindows(analysis).filter((w) => !filtered || w.step >= 0),
  texts: (w, { analysis }) => textsOf(analysis, w.step),
  extra: ({ analysis }) => ({ jobs: couldRun(analysis) }),
});

export const whatif = report<Chance, 'steps'>({
  name: 'whatif',
  title: 'what a build would take if its longest steps were halves, not waited for, or took no time (simulated)',
  asks: ['steps'],
  sorts: ['gain', 'duration', 'what', 'step'],
  kind: 'steps',
  table: () => chanceTable,
  all: ({ analysis }) => chances(analysis),
  texts: (x, { analysis }) => textsOf(analysis, x.step),
  extra: linkFacts,
  head: linkHead,
});

export const waterfall = report<number, 'steps'>({
  name: 'waterfall',
  title: 'steps by their start, each with its bar on the axis of the whole build',
  asks: ['steps'],
  sorts: ['start', 'duration', 'step'],
  kind: 'steps',
  table: () => waterfallTable,
  all: ({ analysis }) => Array.from(activeSteps(analysis)).filter((i) => ran(analysis.profile.steps, i)),
  texts: (i, { analysis }) => textsOf(analysis, i),
});
