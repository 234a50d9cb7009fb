// The reports of steps in time: steps, gantt, targets, criticalpath.
import { BASIS, criticalPath, type Link } from '../analysis/steps/critical.ts';
import { simulation, simulationText, withoutEach } from '../analysis/steps/simulate.ts';
import { activeSteps, stepName, stepText } from '../analysis/steps/steps.ts';
import { type TargetRow, targetRows } from '../analysis/steps/targets.ts';
import { criticalTable } from '../columns/critical.ts';
import { stepTable } from '../columns/steps.ts';
import { targetTable } from '../columns/targets.ts';
import { ms, msText } from '../columns/times.ts';
import { type Report, report } from './print.ts';
import { ofKind, type ReportContext, sorted } from './report.ts';

type Context = ReportContext<'steps'>;

function stepMatches({ analysis, filtered, matches }: Context, step: number): boolean {
  const { profile } = analysis;
  const text = (column: 'target' | 'command') => stepText(profile, column, step) ?? '';
  return !filtered || matches(stepName(profile, step), text('target'), text('command'));
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

const without = ({ analysis }: Context) =>
  withoutEach(
    analysis,
    criticalPath(analysis).links.map((l) => l.step),
  );

export const criticalpath = report<Link, 'steps'>({
  name: 'criticalpath',
  title: 'the chain of steps that decided the end, and what each waited for',
  asks: ['steps'],
  of: ofKind('steps'),
  table: (context) => criticalTable(without(context)),
  rows: ({ analysis }) => criticalPath(analysis).links,
  extra({ analysis }) {
    const s = simulation(analysis);
    return {
      basis: criticalPath(analysis).basis,
      // An estimate: steps of the same length, started as soon as their dependencies are done and a job is free.
      simulation: s
        ? {
            jobs: s.jobs,
            asItWasMs: ms(s.asItWasUs),
            unlimitedMs: ms(s.unlimitedUs),
            withJobs: s.withJobs.map((w) => ({ jobs: w.jobs, ms: ms(w.us) })),
          }
        : null,
    };
  },
  head({ analysis }) {
    const s = simulation(analysis);
    return [
      `drawn from ${BASIS[criticalPath(analysis).basis].text}`,
      ...(s ? [`simulated: ${simulationText(s, (us) => `≈ ${msText(us)} ms`)}`] : []),
    ];
  },
});
