// The summary report: the header of the file, and counts of what it contains.
import { percentageBase } from '../analysis/answers/analysis.ts';
import type { TableCell } from '../base/style.ts';
import { fit } from '../base/text.ts';
import { formatCost, formatCount, formatPercent } from '../base/units.ts';
import type { Json } from '../columns/column.ts';
import { costText, hasMixedSigns } from '../columns/costs.ts';
import { nameCell } from '../columns/names.ts';
import { unrecordedText } from '../columns/unrecorded.ts';
import { eventValue, exactValue } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import { makeReport } from './print.ts';
import type { ReportContext, SmallTable } from './report.ts';
import { sortedRoutines } from './routines.ts';

const HOTTEST_COUNT = 5;

/** The facts shown in text, in order, and the labels of facts whose label differs from their name. */
const SHOWN_FACTS =
  'creator pid parts threads routines files objects cycles costLines callSites jumps steps processes programs points contexts stacks addresses positions'.split(
    ' ',
  );
const FACT_LABELS = new Map(Object.entries({ costLines: 'cost lines', callSites: 'call rows' }));

/** The number of routines; 0 for processes, because their programs do not count as routines. */
const routineCount = ({ profile, costing }: ReportContext['analysis']) =>
  costing.can.has('routines') ? profile.routines.name.length : 0;

const MAX_NOTES = 200;

function summaryRow({ analysis }: Pick<ReportContext, 'analysis'>) {
  const { profile, totals, costing } = analysis;
  const { counts } = costing;
  const countsOf = (...names: readonly (keyof typeof counts)[]) =>
    Object.fromEntries(names.map((name): [string, number | null] => [name, counts[name] ?? null]));
  const threads = new Set(profile.parts.map((p) => p.thread).filter((t) => t !== null));
  const pids = [...new Set(profile.parts.map((p) => p.pid).filter((p) => p !== null))];
  const notes = [...profile.parts.flatMap((p) => p.notes), ...(profile.notes ?? [])];
  return {
    command: profile.command,
    creator: profile.creator,
    pid: pids[0] ?? null,
    parts: profile.parts.length,
    threads: threads.size > 0 ? threads.size : null,
    routines: routineCount(analysis),
    files: profile.files.name.length,
    objects: profile.objects.name.length,
    ...countsOf('contexts', 'points', 'steps'),
    programs: profile.kind === 'processes' ? profile.routines.name.length : null,
    processes: counts.processes ?? (pids.length > 0 ? pids.length : null),
    cycles: totals.cycles.count,
    ...countsOf('costLines', 'callSites', 'jumps', 'stacks', 'addresses'),
    positions: profile.parts[0]?.positions.join(' ') ?? null,
    notes: notes.length > MAX_NOTES ? [...notes.slice(0, MAX_NOTES), `${notes.length - MAX_NOTES} more notes`] : notes,
  };
}

export const summary = makeReport<ReturnType<typeof summaryRow>, Kind>({
  name: 'summary',
  title: 'file header and counts',
  requires: [],
  table: (context) => ({
    sides: () => ({ in: 3 }),
    columns(c) {
      const baseFacts: ReadonlyMap<string, Json> = new Map(
        Object.entries(context.base ? summaryRow({ analysis: context.base }) : {}),
      );
      return Object.entries(summaryRow(context)).map(([id, value]: [string, Json]) => ({
        id,
        title: id,
        measured: true,
        value: () => (c.side === 'before' ? baseFacts.get(id) : value),
      }));
    },
  }),
  rows: (context) => [summaryRow(context)],
  head(context) {
    const row = summaryRow(context);
    const facts = new Map<string, Json>(Object.entries(row));
    // Build traces have no routines, files, objects or cycles: zeros are left out.
    const omitted = new Set<Json | undefined>([null, '', ...(context.analysis.profile.kind === 'processes' ? [0] : [])]);
    const known = SHOWN_FACTS.filter((key) => !omitted.has(facts.get(key)));
    return [
      ...known.map((key) => factLine(FACT_LABELS.get(key) ?? key, facts.get(key), key !== 'pid')),
      ...[unrecordedText(context.analysis)].flatMap((text) => (text === undefined ? [] : factLine('unexplained', text))),
      ...row.notes.map((note) => factLine('note', note)),
    ];
  },
  tables: (context) => [totalTable(context), ...hottestTable(context)],
});

function factLine(label: string, value: Json | undefined, counts = true): TableCell {
  const before = `${fit(label + ':', 12)} `;
  if (typeof value !== 'number') return { text: `${before}${value}`, own: [before, ''] };
  const text = before + (counts ? formatCount(value) : value);
  return { text, own: [text, ''] };
}

function totalTable({ analysis }: ReportContext): SmallTable {
  const { totals, events } = analysis;
  const rows = events.map((e) => {
    // For times computed from samples, the long name already contains the sampling period.
    const formula = e.formula && !/^\d+ samples$/.test(e.formula) ? `= ${e.formula}` : '';
    const description = [e.longName, formula].filter((t) => t).join(' ');
    const value = e.per ? eventValue(e, totals.total, 0) : exactValue(e, totals.total, 0);
    const suffix = description ? `  (${description})` : '';
    return [formatCost(value, e.unit), { text: e.name + suffix, own: ['', suffix] as const }];
  });
  return { title: 'totals:', columns: [{ title: 'total', align: 'right', width: 22 }, { title: 'event' }], rows };
}

function hottestTable(context: ReportContext): SmallTable[] {
  const { analysis, event } = context;
  const { totals } = analysis;
  if (routineCount(analysis) === 0) return [];
  const order = sortedRoutines({ ...context, sort: undefined });
  const whole = percentageBase(analysis, event);
  const rows = Array.from(order.subarray(0, HOTTEST_COUNT), (r) => {
    const value = exactValue(event, totals.self, r);
    const shown = totals.selfEstimated?.[r] === 1 ? costText(context, value, true) : formatCost(value, event.unit);
    return [shown, hasMixedSigns(context) ? '' : formatPercent(Number(value), whole), nameCell(context, r)];
  });
  const [before, behind] = ['hottest by ', ' (self):'];
  return [
    {
      title: { text: before + event.name + behind, own: [before, behind] },
      columns: [{ title: 'self', align: 'right', width: 22 }, { title: '%', align: 'right', width: 7 }, { title: 'routine' }],
      rows,
    },
  ];
}
