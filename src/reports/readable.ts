// The common content of all forms for people: the facts above the table, its rows, and whether there are more.
import { wholeOf } from '../analysis/answers/analysis.ts';
import { measured } from '../analysis/answers/compared/measure.ts';
import { compareNotes } from '../analysis/answers/compared/notes.ts';
import { leftText, narrowedBy, showsInlines } from '../analysis/profiles/transforms/applied.ts';
import { placeOf, warningText } from '../base/problem.ts';
import { formatChange, formatCount, formatRatio, plural } from '../base/units.ts';
import { costFormat } from '../columns/times.ts';
import { exactValue } from '../model/event-value.ts';
import type { Measure } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import type { ReportContext, ReportSpec } from './report.ts';

/** The facts above every table. */
export interface Facts {
  readonly format: string;
  readonly paths: readonly string[];
  readonly command: string | null;
  readonly warnings: readonly string[];
  /** The selected part of the profile, and its share; '' for all of it. */
  readonly counts: string;
  /** The files of the run that it is compared with, and what is to be known of that. */
  readonly base: { readonly paths: readonly string[]; readonly notes: readonly string[] } | undefined;
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
  const cost = costFormat(profile);
  const base = whole === Math.abs(Number(total)) || event.per ? '' : `, percentages of ${cost(whole, event.unit)}`;
  const totalText = analysis.before
    ? changeText({ analysis, event })
    : `total ${totals.estimated?.self.includes(1) ? '≈' : ''}${cost(total, event.unit)}${base}`;
  return {
    format,
    paths,
    command,
    warnings: [
      ...(cut ? [`the file is cut off at ${placeOf(cut)}; complete records only`] : []),
      ...warnings.slice(0, MOST_WARNINGS).map((w) => warningText(w, paths)),
      ...(warnings.length > MOST_WARNINGS ? [`and ${warnings.length - MOST_WARNINGS} more`] : []),
    ],
    counts: countsText({ analysis, event }),
    base: analysis.before && {
      paths: analysis.before.profile.paths,
      notes: compareNotes(analysis, name === 'summary' ? analysis.events : [event]),
    },
    event: name === 'summary' ? undefined : { name: event.name, longName: event.longName ?? '', totals: totalText },
  };
}

function countsText({ analysis, event }: Pick<ReportContext, 'analysis' | 'event'>): string {
  const { profile, partsOff } = analysis;
  const applied = narrowedBy(profile);
  const older = profile.parts.filter((part, p) => part.older && partsOff.has(p)).length;
  return [
    older === 0
      ? ''
      : `${profile.parts.length - partsOff.size} of ${plural(profile.parts.length, 'part')}; --parts N or all shows others`,
    showsInlines(profile) ? 'with inlined functions' : '',
    ...(applied.length === 0 ? [] : [applied.join(', then '), leftText(analysis, event)]),
  ]
    .filter((text) => text !== '')
    .join('; ');
}

/** The total before and now, and by how much it changed. */
function changeText({ analysis, event }: Pick<ReportContext, 'analysis' | 'event'>): string {
  const { total, whole } = analysis.totals;
  const of = (measure: Measure, costs = total) => exactValue(measured(analysis, event, measure), costs, 0);
  const [before, now, delta, base] = [of('before'), of('now'), of('delta'), of('before', whole)];
  if (event.per && event.measure !== 'percent') return `total ${formatRatio(Number(before))}, now ${formatRatio(Number(now))}`;
  const sign = delta > 0 ? '+' : '';
  const cost = costFormat(analysis.profile);
  const change = `${sign}${cost(delta, event.unit)}, ${formatChange(Number(of('percent')))}`;
  const more = base === before ? '' : `, percentages of ${cost(base, event.unit)}`;
  return `total ${cost(before, event.unit)}, now ${cost(now, event.unit)} (${change})${more}`;
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
