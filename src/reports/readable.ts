// What all forms for people say: the facts above the table, its rows, and whether there are more.
import { wholeOf } from '../analysis/analysis.ts';
import { warningText } from '../base/problem.ts';
import { formatCost, formatCount } from '../base/units.ts';
import { exactValue } from '../model/event-value.ts';
import type { Kind } from '../model/profile.ts';
import type { ReportContext, ReportSpec } from './report.ts';

/** The facts above every table. */
export interface Facts {
  readonly format: string;
  readonly paths: readonly string[];
  readonly command: string | null;
  readonly warnings: readonly string[];
  /** Undefined for the summary, which has the totals of all events. */
  readonly event: { readonly name: string; readonly longName: string; readonly totals: string } | undefined;
}

const MOST_WARNINGS = 5;

export function factsOf(name: string, { analysis, event }: ReportContext): Facts {
  const { profile, totals } = analysis;
  const { format, paths, command, cut, warnings } = profile;
  const total = exactValue(event, totals.total, 0);
  const whole = event.per ? Number(total) : wholeOf(analysis, event);
  // The file may state more than its lines have.
  const base = whole === Math.abs(Number(total)) || event.per ? '' : `, percentages of ${formatCost(whole, event.unit)}`;
  const totalText = `total ${formatCost(total, event.unit)}${base}`;
  return {
    format,
    paths,
    command,
    warnings: [
      ...(cut ? [`the file was cut off; this is what was whole (line ${cut.line ?? '?'})`] : []),
      ...warnings.slice(0, MOST_WARNINGS).map((w) => warningText(w, paths)),
      ...(warnings.length > MOST_WARNINGS ? [`and ${warnings.length - MOST_WARNINGS} more`] : []),
    ],
    event: name === 'summary' ? undefined : { name: event.name, longName: event.longName ?? '', totals: totalText },
  };
}

/** A row, the heading of those that follow, or what is said where the limit leaves rows out. */
export type Shown<Row> = { readonly row: Row } | { readonly group: string } | { readonly more: string };

/** The first rows, with those under them. */
export function* shownRows<Row, K extends Kind>(spec: ReportSpec<Row, K>, context: ReportContext<K>): Generator<Shown<Row>> {
  const { limit } = context;
  let group: string | undefined;
  let count = 0;
  // Asking for one row more than is shown tells whether there are more.
  for (const row of spec.rows({ ...context, limit: limit + 1 })) {
    if (count++ === limit) return yield { more: moreText(spec.name, context) };
    const g = spec.group?.(row, context);
    if (g !== undefined && g !== group) yield { group: (group = g) };
    yield { row };
    for (const under of spec.under?.(row) ?? []) yield { row: under };
  }
}

function moreText(name: string, { analysis, filtered, limit }: ReportContext): string {
  if (name !== 'routines' || filtered) return '… more rows (--limit N)';
  return `… ${formatCount(analysis.profile.routines.name.length - limit)} more (--limit N)`;
}
