// The summary report: what the file says about itself, and counts.
import { wholeOf } from '../analysis/answers/analysis.ts';
import type { Cell } from '../base/style.ts';
import { fit } from '../base/text.ts';
import { formatCost, formatCount, formatPercent } from '../base/units.ts';
import type { Json } from '../columns/column.ts';
import { costText } from '../columns/costs.ts';
import { nameCell } from '../columns/names.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import type { Kind } from '../model/profile.ts';
import { report } from './print.ts';
import type { ReportContext, SmallTable } from './report.ts';
import { sortedRoutines } from './routines.ts';

const HOTTEST = 5;

/** The facts that people see, in their order, and those whose labels differ from their names. */
const SHOWN =
  'creator pid parts threads routines files objects cycles costLines callSites jumps steps processes programs points contexts stacks addresses positions'.split(
    ' ',
  );
const LABELS = new Map([
  ['costLines', 'cost lines'],
  ['callSites', 'call rows'],
]);

/** Programs of processes are no routines. */
const routineCount = ({ profile, costing }: ReportContext['analysis']) =>
  costing.can.has('routines') ? profile.routines.name.length : 0;

/** The one row of the summary. */
function factsOf({ analysis }: Pick<ReportContext, 'analysis'>) {
  const { profile, totals, costing } = analysis;
  const { counts } = costing;
  const threads = new Set(profile.parts.map((p) => p.thread).filter((t) => t !== null));
  const pids = [...new Set(profile.parts.map((p) => p.pid).filter((p) => p !== null))];
  return {
    command: profile.command,
    creator: profile.creator,
    pid: pids[0] ?? null,
    parts: profile.parts.length,
    threads: threads.size > 0 ? threads.size : null,
    routines: routineCount(analysis),
    files: profile.files.name.length,
    objects: profile.objects.name.length,
    contexts: counts.contexts ?? null,
    points: counts.points ?? null,
    steps: counts.steps ?? null,
    programs: profile.kind === 'processes' ? profile.routines.name.length : null,
    processes: counts.processes ?? (pids.length > 0 ? pids.length : null),
    cycles: totals.cycles.count,
    costLines: counts.costLines ?? null,
    callSites: counts.callSites ?? null,
    jumps: counts.jumps ?? null,
    stacks: counts.stacks ?? null,
    addresses: counts.addresses ?? null,
    positions: profile.parts[0]?.positions.join(' ') ?? null,
    notes: notesOf(analysis.profile),
  };
}

function notesOf({ parts, notes = [] }: ReportContext['analysis']['profile']): string[] {
  return [...parts.flatMap((p) => p.notes), ...notes].slice(0, 50);
}

type Facts = ReturnType<typeof factsOf>;

export const summary = report<Facts, Kind>({
  name: 'summary',
  title: 'file header and counts',
  asks: [],
  table: (context) => ({
    sides: () => ({ in: 3 }),
    columns(c) {
      const then: ReadonlyMap<string, Json> = new Map(Object.entries(context.base ? factsOf({ analysis: context.base }) : {}));
      return Object.entries(factsOf(context)).map(([id, value]: [string, Json]) => ({
        id,
        title: id,
        measured: true,
        value: () => (c.side === 'before' ? then.get(id) : value),
      }));
    },
  }),
  rows: (context) => [factsOf(context)],
  head(context) {
    const facts = new Map<string, Json>(Object.entries(factsOf(context)));
    const hasNone = (value: Json | undefined) => value === null || value === undefined;
    // Processes have no routines, files, objects and cycles.
    const isZero = (value: Json | undefined) => value === '' || (context.analysis.profile.kind === 'processes' && value === 0);
    const known = SHOWN.filter((key) => !hasNone(facts.get(key)) && !isZero(facts.get(key)));
    return [
      ...known.map((key) => factLine(LABELS.get(key) ?? key, facts.get(key), key !== 'pid')),
      ...notesOf(context.analysis.profile).map((note) => factLine('note', note)),
    ];
  },
  tables: (context) => [totalTable(context), ...hottestTable(context)],
});

function factLine(label: string, value: Json | undefined, counts = true): Cell {
  const before = `${fit(label + ':', 12)} `;
  if (typeof value !== 'number') return { text: `${before}${value}`, own: [before, ''] };
  const text = before + (counts ? formatCount(value) : value);
  return { text, own: [text, ''] };
}

/** The totals of every event. */
function totalTable({ analysis }: ReportContext): SmallTable {
  const { totals, events } = analysis;
  const rows = events.map((e) => {
    // The long name of a time by samples says the period in its unit.
    const formula = e.formula && !/^\d+ samples$/.test(e.formula) ? `= ${e.formula}` : '';
    const about = [e.longName, formula].filter((t) => t).join(' ');
    const value = e.per ? eventValue(e, totals.total, 0) : exactValue(e, totals.total, 0);
    const behind = about ? `  (${about})` : '';
    return [formatCost(value, e.unit), { text: e.name + behind, own: ['', behind] as const }];
  });
  return { title: 'totals:', columns: [{ title: 'total', align: 'right', width: 22 }, { title: 'event' }], rows };
}

function hottestTable(context: ReportContext): SmallTable[] {
  const { analysis, event } = context;
  const { totals } = analysis;
  if (routineCount(analysis) === 0) return [];
  const order = sortedRoutines({ ...context, sort: undefined });
  const whole = wholeOf(analysis, event);
  const rows = Array.from(order.subarray(0, HOTTEST), (r) => {
    const value = exactValue(event, totals.self, r);
    const shown = totals.estimated?.self[r] === 1 ? costText(context, value, true) : formatCost(value, event.unit);
    return [shown, formatPercent(Number(value), whole), nameCell(context, r)];
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
