// The report of one routine: its costs of all events side by side, of the whole run and of each part and thread.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { eventInMeasure } from '../analysis/answers/compared/measure.ts';
import { analysisOfColumn, partColumns } from '../analysis/answers/part-columns.ts';
import { nameInData, routineName } from '../analysis/names/names.ts';
import { dataColumn, displayColumn, wordColumn } from '../columns/builders.ts';
import type { Column, ColumnContext, Json } from '../columns/column.ts';
import { costCell, costJson, shareCell } from '../columns/costs.ts';
import { type Event, eventValue } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import { makeReport } from './print.ts';
import { type ReportContext, ReportError } from './report.ts';

interface EventRow {
  readonly event: Event;
  /** The part or thread; null for the whole run. */
  readonly part: string | null;
  readonly analysis: Analysis;
}

function requiredRoutine({ routine }: Pick<ReportContext, 'routine'>): number {
  if (routine === undefined) throw new ReportError('--print routine needs --routine NAME');
  return routine;
}

/** A cost and its share of the total of the same event; in a comparison, of this run, of the base, and the difference. */
function costColumns(c: ReportContext, what: 'self' | 'inclusive'): Column<EventRow>[] {
  const routine = requiredRoutine(c);
  if (!c.analysis.costing.can.has(what)) return [];
  const measures = c.analysis.before ? (['now', 'before', 'delta'] as const) : (['now'] as const);
  return measures.flatMap((measure) => {
    const contextOf = ({ event, analysis }: EventRow): ColumnContext => ({
      ...{ ...c, analysis },
      event: c.analysis.before ? eventInMeasure(analysis, event, measure) : event,
    });
    const costsOf = ({ analysis }: EventRow) => analysis.totals[what];
    const isEstimated = ({ analysis }: EventRow) => analysis.totals.estimated?.[what][routine] === 1;
    return [
      displayColumn<EventRow>(what, (r) => costCell(contextOf(r), costsOf(r), routine, isEstimated(r)), {
        ...{ title: { now: what, before: 'before', delta: 'Δ' }[measure], align: 'right' },
        ...(measure === 'now' ? { value: (r) => costJson(contextOf(r).event, costsOf(r), routine) } : {}),
      }),
      displayColumn<EventRow>('%', (r) => shareCell(contextOf(r), eventValue(contextOf(r).event, costsOf(r), routine)), {
        align: 'right',
      }),
    ];
  });
}

function baseJson(c: ReportContext, { event, analysis }: EventRow): Json {
  const of = (what: 'self' | 'inclusive') =>
    analysis.costing.can.has(what)
      ? { [what]: costJson(eventInMeasure(analysis, event, 'before'), analysis.totals[what], requiredRoutine(c)) }
      : {};
  return { ...of('self'), ...of('inclusive') };
}

export const routine = makeReport<EventRow, Kind>({
  name: 'routine',
  title: 'all events of --routine NAME side by side, in the whole run and in each part and thread',
  requires: ['routines', 'self'],
  table: (context) => ({
    keys: ['part', 'event', 'self', 'inclusive', 'calls'],
    columns: () => [
      ...costColumns(context, 'self'),
      ...costColumns(context, 'inclusive'),
      dataColumn('calls', ({ analysis }) =>
        analysis.costing.can.has('counts') ? analysis.totals.calls[requiredRoutine(context)] : null,
      ),
      ...(context.analysis.before ? [dataColumn<EventRow>('base', (r) => baseJson(context, r))] : []),
      wordColumn('event', (r) => r.event.name),
      wordColumn('part', (r) => r.part, { text: (r) => r.part ?? 'all' }),
    ],
  }),
  head: (c) => [`routine: ${routineName(c.analysis.profile, requiredRoutine(c))}`],
  extra: (c) => ({ routine: nameInData(c.analysis.profile, requiredRoutine(c)) }),
  *rows({ analysis, matches }) {
    for (const part of [null, ...partColumns(analysis.profile).map(({ name }) => name)]) {
      const of = part === null ? analysis : analysisOfColumn(analysis, part);
      for (const event of of ? analysis.events : [])
        if (of && matches(event.name, part ?? 'all')) yield { event, part, analysis: of };
    }
  },
});
