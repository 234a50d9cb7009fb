// The reports of steps in time: steps, gantt, targets, criticalpath.

import type { Analysis } from '../../analysis/answers/analysis.ts';
import { stepsThatRan, stepTexts } from '../../analysis/answers/steps/steps.ts';
import { stepsBefore } from '../../analysis/builds/changes.ts';
import { basisText, type CriticalLink, chainLinks, criticalPath } from '../../analysis/builds/critical.ts';
import { availableParallelism } from '../../analysis/builds/narrow.ts';
import { unsureSteps } from '../../analysis/builds/needs.ts';
import { ranMoreThanSimulated, simulation, simulationErrorShare, simulationText } from '../../analysis/builds/simulate.ts';
import { plural } from '../../base/units.ts';
import { chainList, criticalList } from '../../columns/builds/critical.ts';
import { levelList, loadLevels } from '../../columns/builds/levels.ts';
import { narrowPeriodList, speedupList } from '../../columns/builds/load.ts';
import { stepList } from '../../columns/builds/steps.ts';
import { targetLists } from '../../columns/builds/targets.ts';
import { waterfallList } from '../../columns/builds/waterfall.ts';
import type { ColumnContext } from '../../columns/column.ts';
import { baseOfKind } from '../../columns/listing.ts';
import { pairRows } from '../../columns/paired.ts';
import { msOrNull, timeOrUnknown } from '../../columns/times.ts';
import { makeListReport } from '../print.ts';
import type { ReportContext } from '../report.ts';
import { ganttSvg } from './gantt-svg.ts';

/** The steps that ran and match the filter. */
export const matchingSteps = ({ analysis, filtered, matches }: ReportContext<'steps'>): readonly number[] =>
  stepsThatRan(analysis).filter((i) => !filtered || matches(...stepTexts(analysis.profile, i)));

function pairSteps(analysis: Analysis<'steps'>, base: Analysis<'steps'>) {
  const { of, removed } = stepsBefore(analysis, base);
  return { of: (i: number) => (of(i) < 0 ? undefined : of(i)), removed };
}

const baseBuild = (c: ColumnContext<'steps'>) => baseOfKind(c, 'steps');

const stepReport = {
  ...pairRows(stepList, baseBuild, pairSteps),
  sorts: ['start', 'duration'],
  extra: ({ analysis: { profile } }: ReportContext<'steps'>) => ({
    ...{ originMs: msOrNull(profile.steps.originUs ?? Number.NaN), cores: profile.steps.cores },
  }),
};

export const steps = makeListReport({ ...stepReport, name: 'steps', title: 'steps in time, by their start' });
export const gantt = makeListReport({
  ...{ ...stepReport, name: 'gantt', svg: ganttSvg },
  title: 'steps with their lanes in the Gantt chart; --svg draws it',
});

export const targets = makeListReport({
  ...targetLists[0],
  title: 'time by target of a build',
  sorts: ['duration', 'weightedMs', 'critical', 'compileMs', 'linkMs', 'steps', 'failed', 'target', 'type'],
  usual: 'duration',
});

/** JSON members of reports about dependencies: the source of the dependencies, and the simulation. */
function dependencyJson({ analysis }: ReportContext<'steps'>) {
  const s = simulation(analysis);
  return {
    basis: criticalPath(analysis).basis,
    basisCaveat: analysis.profile.steps.needsCaveat ?? null,
    unknownDependencies: unsureSteps(analysis).size,
    // An estimate: each step keeps its duration and starts as soon as its dependencies are done and a job slot is free.
    simulation: s
      ? {
          jobs: s.jobs,
          jobsRecorded: s.recorded,
          measuredMs: msOrNull(s.measuredUs),
          asItWasMs: msOrNull(s.asItWasUs),
          differs: simulationErrorShare(s),
          contradictedNeeds: s.contradicted,
          unlimitedMs: msOrNull(s.unlimitedUs),
          withDepths: s.withDepths.map((w) => ({ pool: w.pool, depth: w.depth, ms: msOrNull(w.us) })),
          withJobs: s.withJobs.map((w) => ({ jobs: w.jobs, ms: msOrNull(w.us) })),
        }
      : null,
  };
}

function dependencyHeadLines({ analysis }: ReportContext<'steps'>): string[] {
  const s = simulation(analysis);
  const { profile, partsOff } = analysis;
  const last = criticalPath(analysis).links.at(-1);
  const hasSeveralRuns = profile.steps.runs && profile.parts.length - partsOff.size > 1 && last;
  const headLines = [
    ...(hasSeveralRuns ? [`of part ${profile.steps.part[last.step] + 1}, the last run`] : []),
    `dependencies from ${basisText(analysis, 'text')}`,
  ];
  if (!s) return headLines;
  const { size } = unsureSteps(analysis);
  const cautious = size > 0 ? `, as if ${plural(size, 'step')} with unknown dependencies waited for all that they may need` : '';
  const buildingText = ranMoreThanSimulated(analysis) ? `, of the ${timeOrUnknown(s.measuredUs)} of building alone` : '';
  return [
    ...headLines,
    `simulated${buildingText}${cautious}: ${simulationText(s, (us) => `≈ ${timeOrUnknown(us)}`)}`,
    ...(s.warning === '' ? [] : [s.warning]),
  ];
}

const aboutDependencies = { extra: dependencyJson, head: dependencyHeadLines };

const totalDurationMs = ({ analysis }: ReportContext<'steps'>, links: readonly CriticalLink[]) =>
  links.reduce((sum, l) => sum + analysis.profile.steps.durationUs[l.step], 0) / 1000;

export const criticalpath = makeListReport({
  ...criticalList,
  title: 'the critical path, and what each step on it waited for',
  extra(context) {
    const chain = chainLinks(context.analysis);
    return {
      ...dependencyJson(context),
      longestChain: { steps: chain.map((l) => l.step), durationMs: totalDurationMs(context, chain) },
    };
  },
  head(context) {
    const chain = chainLinks(context.analysis);
    if (chain.length === 0) return dependencyHeadLines(context);
    const text = `${plural(chain.length, 'step')}, ${timeOrUnknown(totalDurationMs(context, chain) * 1000)}`;
    const least = unsureSteps(context.analysis).size > 0 ? 'at least ' : '';
    return [...dependencyHeadLines(context), `longest chain of dependencies: ${least}${text} (--print longestchain)`];
  },
});

export const longestchain = makeListReport({
  ...chainList,
  title: 'the longest chain of dependent steps, regardless of free jobs',
  ...aboutDependencies,
});

export const jobLoad = makeListReport({
  ...levelList,
  title: 'how many jobs ran at once and for how long, and the time with more or fewer jobs (simulated)',
  ofMatching: (context) => loadLevels(context.analysis, matchingSteps(context), true),
  ...aboutDependencies,
});

export const narrowPeriods = makeListReport({
  ...narrowPeriodList,
  title: 'periods with fewer than half of the possible jobs, and what they waited for',
  sorts: ['duration', 'from', 'running', 'step'],
  extra: ({ analysis }) => ({ jobs: availableParallelism(analysis) }),
});

export const whatIf = makeListReport({
  ...speedupList,
  title: 'simulated build time if a long step were split, taken off the dependency chain, or free',
  sorts: ['gain', 'duration', 'what', 'step'],
  ...aboutDependencies,
});

export const waterfall = makeListReport({
  ...waterfallList,
  title: 'steps by their start, each with its bar on the axis of the whole build',
  sorts: ['start', 'duration', 'step'],
});
