// The content that text and Markdown share: the facts above the table, its rows, and the line for rows left out.

import { eventInMeasure } from '../analysis/answers/compared/measure.ts';
import { compareNotes } from '../analysis/answers/compared/notes.ts';
import { narrowingTexts, remainingText, transformTexts } from '../analysis/profiles/transforms/applied.ts';
import { problemPosition, warningText } from '../base/problem.ts';
import { formatChange, formatCount, formatRatio, plural } from '../base/units.ts';
import { otherWholeText } from '../columns/costs.ts';
import { costFormat } from '../columns/times.ts';
import { exactValue, type Measure } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import type { ReportContext, ReportSpec } from './report.ts';

export type ReportFacts = ReturnType<typeof reportFacts>;

const MAX_WARNINGS = 5;

/** The facts above every table. */
export function reportFacts(name: string, { analysis, event }: ReportContext) {
  const { profile, totals } = analysis;
  const { format, paths, command, cut, warnings } = profile;
  const total = exactValue(event, totals.total, 0);
  const cost = costFormat(profile);
  const whole = otherWholeText({ analysis, event }, cost);
  const base = whole === '' ? '' : `, percentages of ${whole}`;
  const totalText = analysis.before
    ? totalChangeText({ analysis, event })
    : `total ${totals.selfEstimated?.includes(1) ? '≈' : ''}${cost(total, event.unit)}${base}`;
  return {
    format,
    paths,
    command,
    warnings: [
      ...(cut && !cut.sign ? [`the file is cut off at ${problemPosition(cut)}; complete records only`] : []),
      ...warnings.slice(0, MAX_WARNINGS).map((w) => warningText(w, paths)),
      ...(warnings.length > MAX_WARNINGS ? [`and ${warnings.length - MAX_WARNINGS} more`] : []),
    ],
    /** The selected part of the profile, and its share; '' for all of it. */
    selection: selectionText({ analysis, event }),
    /** The files of the base, and notes about the comparison. */
    base: analysis.before && {
      paths: analysis.before.profile.paths,
      notes: compareNotes(analysis, name === 'summary' ? analysis.events : [event]),
    },
    /** The shown event; undefined for the summary, which lists the totals of all events. */
    event: name === 'summary' ? undefined : { name: event.name, longName: event.longName ?? '', totals: totalText },
  };
}

function selectionText({ analysis, event }: Pick<ReportContext, 'analysis' | 'event'>): string {
  const { profile, partsOff } = analysis;
  const applied = narrowingTexts(profile);
  const older = profile.parts.filter((part, p) => part.older && partsOff.has(p)).length;
  return [
    older === 0
      ? ''
      : `${profile.parts.length - partsOff.size} of ${plural(profile.parts.length, 'part')}; --parts N or all shows others`,
    transformTexts(profile).includes('inlined') ? 'with inlined functions' : '',
    ...(applied.length === 0 ? [] : [applied.join(', then '), remainingText(analysis, event)]),
  ]
    .filter((text) => text !== '')
    .join('; ');
}

/** The total of the base, the total now, and the change, as in the title of the screen. */
function totalChangeText({ analysis, event }: Pick<ReportContext, 'analysis' | 'event'>): string {
  const { total, whole } = analysis.totals;
  const totalOf = (measure: Measure, costs = total) => exactValue(eventInMeasure(analysis, event, measure), costs, 0);
  const [before, now, delta, base] = [totalOf('before'), totalOf('now'), totalOf('delta'), totalOf('before', whole)];
  if (event.per && event.measure !== 'percent') return `${formatRatio(Number(before))} → ${formatRatio(Number(now))}`;
  const sign = delta > 0 ? '+' : '';
  const cost = costFormat(analysis.profile);
  const change = `${sign}${cost(delta, event.unit)}, ${formatChange(Number(totalOf('percent')))}`;
  const more = base === before ? '' : `, percentages of ${cost(base, event.unit)}`;
  return `${cost(before, event.unit)} → ${cost(now, event.unit)} (${change})${more}`;
}

/** The rows within --limit, with their child rows, headings of the following rows, and the line for rows that --limit leaves out. */
export function* printedRows<Row, K extends Kind>(
  spec: ReportSpec<Row, K>,
  context: ReportContext<K>,
): Generator<{ readonly row: Row } | { readonly group: string } | { readonly more: string }> {
  const { limit } = context;
  let group: string | undefined;
  let count = 0;
  // One row more than the limit is requested, to find out whether any are left out.
  for (const row of spec.rows({ ...context, limit: limit + 1 })) {
    if (count++ === limit) {
      const isCounted = spec.name === 'routines' && !context.filtered && context.threshold === undefined;
      const left = isCounted ? `${formatCount(context.analysis.profile.routines.name.length - limit)} more` : 'more rows';
      yield { more: `… ${left} (--limit N)` };
      break;
    }
    const g = spec.group?.(row, context);
    if (g !== undefined && g !== group) yield { group: (group = g) };
    yield { row };
    for (const under of spec.childRows?.(row) ?? []) yield { row: under };
  }
  const rest = spec.rest?.(context);
  if (rest) yield { more: rest.text };
}
