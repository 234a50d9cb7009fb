// The summary report: what the file says of itself, and counts.
import { wholeOf } from '../analysis/analysis.ts';
import { routineName } from '../analysis/names.ts';
import { fit } from '../base/text.ts';
import { formatCost, formatCount, formatPercent } from '../base/units.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import type { Report, ReportContext, Row } from './report.ts';
import { sortedRoutines } from './routines.ts';

const HOTTEST = 5;

const LABELS = [
  ['creator', 'creator'],
  ['pid', 'pid'],
  ['parts', 'parts'],
  ['threads', 'threads'],
  ['routines', 'routines'],
  ['files', 'files'],
  ['objects', 'objects'],
  ['cycles', 'cycles'],
  ['costLines', 'cost lines'],
  ['callSites', 'call rows'],
  ['jumps', 'jumps'],
  ['steps', 'steps'],
  ['processes', 'processes'],
  ['points', 'points'],
  ['contexts', 'contexts'],
  ['stacks', 'stacks'],
  ['addresses', 'addresses'],
  ['positions', 'positions'],
] as const;

export const summary: Report = {
  name: 'summary',
  title: 'what the file says of itself, and counts',
  requires: [],
  sorts: [],
  *rows(context) {
    const { profile, totals } = context.analysis;
    const threads = new Set(profile.parts.map((p) => p.thread).filter((t) => t !== null));
    const pids = [...new Set(profile.parts.map((p) => p.pid).filter((p) => p !== null))];
    const row: Row = {
      command: profile.command,
      creator: profile.creator,
      pid: pids[0] ?? null,
      parts: profile.parts.length,
      threads: threads.size > 0 ? threads.size : null,
      routines: profile.routines.name.length,
      files: profile.files.name.length,
      objects: profile.objects.name.length,
      contexts: profile.contexts?.id.length ?? null,
      points: profile.inputs?.size.length ?? null,
      steps: profile.steps?.name.length ?? null,
      processes: profile.processes?.id.length ?? (pids.length > 0 ? pids.length : null),
      cycles: totals.cycles.count,
      costLines: profile.lines?.line.length ?? null,
      callSites: profile.calls?.span.length ?? null,
      jumps: profile.jumps?.span.length ?? null,
      stacks: profile.stacks?.part.length ?? null,
      addresses: profile.places?.high.length ?? null,
      positions: profile.parts[0]?.positions.join(' ') ?? null,
      notes: [...profile.parts.flatMap((p) => p.notes), ...(profile.notes ?? [])].slice(0, 50),
    };
    yield row;
  },
  columns: () => [],
  head(context) {
    const [row] = summary.rows(context);
    const out = LABELS.flatMap(([key, label]) => {
      const value = row[key];
      if (value === null || value === undefined) return [];
      return [`${fit(label + ':', 12)} ${typeof value === 'number' && key !== 'pid' ? formatCount(value) : value}`];
    });
    return [...out, ...(row['notes'] as string[]).map((note) => `${fit('note:', 12)} ${note}`)];
  },
  foot: summaryFoot,
};

/** The totals of every event, and the hottest routines. */
function summaryFoot(context: ReportContext): string[] {
  const { analysis, event } = context;
  const { profile, totals } = analysis;
  const out: string[] = [];
  out.push('', 'totals:');
  for (const e of analysis.events) {
    const about = [e.longName, e.formula ? `= ${e.formula}` : ''].filter((t) => t).join(' ');
    const value = e.per ? eventValue(e, totals.total, 0) : exactValue(e, totals.total, 0);
    out.push(`  ${fit(formatCost(value, e.unit), 22, 'right')}  ${e.name}${about ? `  (${about})` : ''}`);
  }
  if (profile.routines.name.length > 0) {
    out.push('', `hottest by ${event.name} (self):`);
    const order = sortedRoutines({ ...context, sort: undefined });
    const whole = wholeOf(analysis, event);
    for (let k = 0; k < Math.min(HOTTEST, order.length); k++) {
      const r = order[k];
      const value = exactValue(event, totals.self, r);
      out.push(
        `  ${fit(formatCost(value, event.unit), 22, 'right')}  ${fit(formatPercent(Number(value), whole), 7, 'right')}  ${routineName(profile, r)}`,
      );
    }
  }
  return out;
}
