// The reports of steps in time: steps, gantt, targets, criticalpath.
import { basisText, chainLinks, criticalPath, type Link } from '../analysis/steps/critical.ts';
import { doubt, offBy, simulation, simulationText, withoutEach } from '../analysis/steps/simulate.ts';
import { activeSteps, stepTexts } from '../analysis/steps/steps.ts';
import { type TargetRow, targetRows } from '../analysis/steps/targets.ts';
import { formatCount, plural } from '../base/units.ts';
import { criticalTable } from '../columns/critical.ts';
import { stepTable } from '../columns/steps.ts';
import { targetTable } from '../columns/targets.ts';
import { ms, msText } from '../columns/times.ts';
import { type Report, report } from './print.ts';
import { ofKind, type ReportContext, sorted } from './report.ts';

type Context = ReportContext<'steps'>;

function stepMatches({ analysis, filtered, matches }: Context, step: number): boolean {
  return !filtered || matches(...stepTexts(analysis.profile, step));
}

function stepReport(name: 'steps' | 'gantt', title: string): Report {
  return report<number, 'steps'>({
    name,
    title,
    asks: ['steps'],
    sorts: ['start', 'duration'],
    of: ofKind('steps'),
    table: () => stepTable,
    rows(context) {
      const rows = Array.from(activeSteps(context.analysis)).filter((i) => stepMatches(context, i));
      return sorted(context, rows, stepTable.columns(context));
    },
    extra: ({ analysis }) => ({
      originMs: ms(analysis.profile.steps.originUs ?? Number.NaN),
      cores: analysis.profile.steps.cores,
    }),
  });
}

export const steps = stepReport('steps', 'steps in time, by their start');
export const gantt = stepReport('gantt', 'as steps, with the lanes that the picture has');

const byTarget = targetTable('target');

export const targets = report<TargetRow, 'steps'>({
  name: 'targets',
  title: 'time by target of a build',
  asks: ['steps'],
  sorts: ['duration', 'weightedMs', 'critical', 'compileMs', 'linkMs', 'steps', 'failed', 'target', 'type'],
  of: ofKind('steps'),
  table: () => byTarget,
  rows(context) {
    const rows = targetRows(context.analysis).filter((t) => !context.filtered || context.matches(t.target));
    return sorted(context, rows, byTarget.columns(context), 'duration');
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
