// The reports of steps in time: steps, gantt, targets, criticalpath.
import { BASIS, criticalPath } from '../analysis/critical.ts';
import { lanesOf } from '../analysis/lanes.ts';
import { orderByNumber } from '../analysis/order.ts';
import { simulation, simulationText, withoutEach } from '../analysis/simulate.ts';
import { activeSteps, stepName, stepText } from '../analysis/steps.ts';
import { targetRows } from '../analysis/targets.ts';
import { formatCount } from '../base/units.ts';
import { stringAt } from '../model/strings.ts';
import { textColumn } from './cells.ts';
import { type Json, type Report, type ReportContext, ReportError, type Row } from './report.ts';

const ms = (us: number): number | null => (Number.isNaN(us) ? null : us / 1000);

export function stepMatches(context: ReportContext, step: number): boolean {
  if (!context.filtered) return true;
  const { profile } = context.analysis;
  return context.matches(
    stepName(profile, step),
    stepText(profile, 'target', step) ?? '',
    stepText(profile, 'command', step) ?? '',
  );
}

function stepRow(context: ReportContext, i: number): Row {
  const { analysis } = context;
  const { profile } = analysis;
  const steps = profile.steps!;
  const text = (column: Parameters<typeof stepText>[1]) => stepText(profile, column, i);
  const outputs: Json[] = [];
  for (let o = steps.outputStart[i]; o < steps.outputStart[i + 1]; o++) {
    const bytes = steps.outputBytes[o];
    outputs.push({ path: stringAt(profile.strings, steps.outputPath[o]), bytes: Number.isNaN(bytes) ? null : bytes });
  }
  const more = text('more');
  return {
    id: i,
    name: stepName(profile, i),
    role: text('role'),
    target: text('target'),
    source: text('source'),
    language: text('language'),
    config: text('config'),
    command: text('command'),
    directory: text('directory'),
    startMs: ms(steps.startUs[i]),
    durationMs: ms(steps.durationUs[i]),
    lane: lanesOf(analysis).of[i] < 0 ? null : lanesOf(analysis).of[i],
    result: Number.isNaN(steps.result[i]) ? null : steps.result[i],
    outputs,
    parent: steps.parent[i] < 0 ? null : steps.parent[i],
    part: steps.part[i],
    ...(Number.isNaN(steps.cpuUs[i]) ? {} : { cpuMs: ms(steps.cpuUs[i]) }),
    ...(more === null ? {} : { more: JSON.parse(more) as Json }),
  };
}

const msText = (us: number) => formatCount(Math.round(us) / 1000);
const msCell = (key: string) => (row: Row) =>
  row[key] === null ? '?' : formatCount(Math.round((row[key] as number) * 1000) / 1000);

function report(name: 'steps' | 'gantt', title: string): Report {
  return {
    name,
    title,
    requires: ['steps'],
    sorts: ['start', 'duration'],
    *rows(context) {
      const { analysis, sort } = context;
      const steps = analysis.profile.steps!;
      if (sort && !['start', 'duration'].includes(sort.column))
        throw new ReportError(`--sort ${sort.column}: no such column; there are start, duration`);
      const rows = activeSteps(analysis);
      const order =
        sort?.column === 'duration'
          ? orderByNumber(steps.durationUs, sort.descending ?? true, rows)
          : sort?.descending
            ? [...rows].reverse()
            : rows;
      let left = context.limit;
      for (const i of order) {
        if (!stepMatches(context, i)) continue;
        if (left-- <= 0) return;
        yield stepRow(context, i);
      }
    },
    extra: (context) => ({
      originMs: ms(context.analysis.profile.steps!.originUs ?? Number.NaN),
      cores: context.analysis.profile.steps!.cores,
    }),
    columns: () => [
      { title: 'start ms', align: 'right', cell: msCell('startMs') },
      { title: 'ms', align: 'right', cell: msCell('durationMs') },
      { title: 'lane', align: 'right', cell: (row) => (row['lane'] === null ? '' : String(row['lane'])) },
      { title: 'result', align: 'right', cell: (row) => (row['result'] === null ? '?' : String(row['result'])) },
      textColumn('name', 'step', 'middle'),
      { ...textColumn('target', 'target', 'end'), cell: (row) => (row['target'] as string | null) ?? '' },
    ],
  };
}

export const steps = report('steps', 'steps in time, by their start');
export const gantt = report('gantt', 'as steps, with the lanes that the picture has');

export const targets: Report = {
  name: 'targets',
  title: 'time by target of a build',
  requires: ['steps'],
  sorts: ['duration', 'critical', 'steps', 'target'],
  *rows(context) {
    let left = context.limit;
    const column = context.sort?.column ?? 'duration';
    if (!targets.sorts.includes(column))
      throw new ReportError(`--sort ${column}: no such column; there are ${targets.sorts.join(', ')}`);
    const list = [...targetRows(context.analysis)];
    const key = (t: (typeof list)[number]) =>
      column === 'steps' ? t.steps : column === 'critical' ? t.criticalUs : t.durationUs;
    if (column === 'target') list.sort((a, b) => (a.target < b.target ? -1 : 1));
    else list.sort((a, b) => key(b) - key(a));
    if (context.sort?.descending === (column === 'target')) list.reverse();
    for (const t of list) {
      if (context.filtered && !context.matches(t.target)) continue;
      if (left-- <= 0) return;
      const row: Row = {
        target: t.target,
        type: t.type,
        labels: [...t.labels],
        steps: t.steps,
        durationMs: ms(t.durationUs),
        weightedMs: ms(t.weightedUs),
        compileMs: ms(t.compileUs),
        linkMs: ms(t.linkUs),
        criticalMs: ms(t.criticalUs),
        failed: t.failed,
      };
      yield row;
    }
  },
  columns: () => [
    { title: 'ms', align: 'right', cell: msCell('durationMs') },
    { title: 'critical', align: 'right', cell: msCell('criticalMs') },
    { title: 'compile', align: 'right', cell: msCell('compileMs') },
    { title: 'link', align: 'right', cell: msCell('linkMs') },
    { title: 'steps', align: 'right', cell: (row) => formatCount(row['steps'] as number) },
    textColumn('target', 'target', 'middle'),
    { title: 'type', align: 'left', cell: (row) => (row['type'] as string | null) ?? '' },
  ],
};

export const criticalpath: Report = {
  name: 'criticalpath',
  title: 'the chain of steps that decided the end, and what each waited for',
  requires: ['steps'],
  sorts: [],
  *rows(context) {
    const { analysis } = context;
    const all = analysis.profile.steps!;
    let left = context.limit;
    const { links } = criticalPath(analysis);
    const without = withoutEach(
      analysis,
      links.map((l) => l.step),
    );
    for (const link of links) {
      if (left-- <= 0) return;
      const row: Row = {
        id: link.step,
        name: stepName(analysis.profile, link.step),
        startMs: ms(all.startUs[link.step]),
        durationMs: ms(all.durationUs[link.step]),
        waitMs: ms(link.waitUs),
        withoutItMs: ms(without.get(link.step) ?? Number.NaN),
        why: link.why,
      };
      yield row;
    }
  },
  extra(context) {
    const s = simulation(context.analysis);
    return {
      basis: criticalPath(context.analysis).basis,
      // An estimate: steps of the same length, started as soon as what they need is there and a job is free.
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
  columns: () => [
    { title: 'start ms', align: 'right', cell: msCell('startMs') },
    { title: 'ms', align: 'right', cell: msCell('durationMs') },
    { title: 'wait', align: 'right', cell: msCell('waitMs') },
    { title: '≈ without', align: 'right', cell: msCell('withoutItMs'), from: 100 },
    textColumn('name', 'step', 'middle'),
    { title: 'waited for', align: 'left', flex: 'end', cell: (row) => String(row['why']) },
  ],
  head(context) {
    const s = simulation(context.analysis);
    return [
      `drawn from ${BASIS[criticalPath(context.analysis).basis]}`,
      ...(s ? [`simulated: ${simulationText(s, (us) => `≈ ${msText(us)} ms`)}`] : []),
    ];
  },
};
