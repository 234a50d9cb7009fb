// The texts of the Curve view: the legend above the plot, details of a point, and the mode.

import type { Curve } from '../../../analysis/answers/inputs/points.ts';
import { doubtText, lawText } from '../../../analysis/growth/fit.ts';
import type { CostKind } from '../../../analysis/growth/laws.ts';
import { pointState } from '../../../analysis/growth/paired.ts';
import { growthGuess, PLOT_TITLES } from '../../../analysis/growth/plots.ts';
import { numbersAlong } from '../../../base/lists.ts';
import { cellWidth, visible, wrapText } from '../../../base/text.ts';
import { formatCost, formatCount, plural } from '../../../base/units.ts';
import { standardDeviations } from '../../../columns/growth/points.ts';
import { titleName } from '../../../columns/names.ts';
import type { ScreenLine, ViewContext } from '../../view.ts';
import {
  type CurvePoints,
  type CurveState,
  chosenLine,
  costsByPoint,
  drawnLine,
  fittedLawOf,
  plottedCostKind,
  shownPoints,
} from './series.ts';

/** The meaning of the style of points, shown if it fits. */
const STYLE_NOTE = ' (bold ≥ 10 % of calls, coloured ≥ 1 %)';

const withoutEmpty = (texts: readonly string[]) => texts.filter((t) => t !== '');

/** The legend in at most `most` lines. Its last line is the title of the vertical axis. */
export function drawLegend(state: CurveState, points: CurvePoints, c: ViewContext<'inputs'>, most: number): ScreenLine[] {
  const line = drawnLine(state, points.now);
  const drawn = [line ? `⠒ ${line.name}` : ''];
  const isLaw = state.kind === 'cost' && chosenLine(state) === 'law';
  if (isLaw && points.now.size.length > 0) drawn.push(...doubtTexts(points.now, plottedCostKind(state)));
  const notes = withoutEmpty([withoutEmpty(drawn).join(', '), baseLegend(state, points)]).join('   ');
  const lines = (text: string) => wrapText(visible(text), c.width - 2, c.width - 2, 0.3);
  const [title = ''] = lines(`↑ ${axisTitle(state, c)}`);
  return [...(notes === '' ? [] : lines(notes)).slice(0, most - 1), title].map(
    (t): ScreenLine => ({ spans: [[` ${t.trimEnd()}`, 'dim']] }),
  );
}

function axisTitle({ kind, shown, guess, guessLog }: CurveState, c: ViewContext<'inputs'>): string {
  if (kind === 'ratio') return `worst cost (${c.event.name}) / (${growthGuess(guess, guessLog).name})`;
  if (kind !== 'cost') return PLOT_TITLES[kind];
  if (shown === 'all') return `cost of a call (${c.event.name})  ▴ worst  ● average  ▾ best`;
  const what = `${shown === 'self' ? 'self cost' : `${shown} cost of a call`} (${c.event.name})`;
  return cellWidth(visible(what)) + STYLE_NOTE.length + 4 <= c.width ? what + STYLE_NOTE : what;
}

function baseLegend(state: CurveState, { before, compared }: CurvePoints): string {
  if (!compared) return '';
  if (before.size.length === 0) return 'before: no points';
  const line = drawnLine(state, before);
  const which = state.kind === 'cost' && state.shown === 'all' ? 'worst before' : 'before';
  return `○ ${which}${line ? `, · ${line.name}` : ''}`;
}

/** Reasons to doubt the law: outliers, and other laws that fit equally well. */
function doubtTexts(curve: Curve, measure: CostKind): string[] {
  const fit = fittedLawOf(curve, measure);
  if (!fit?.law) return [fit ? 'no law fits' : 'too few sizes for a law'];
  return [
    fit.outliers > 0 ? `without ${plural(fit.outliers, 'outlier')}` : '',
    fit.undecided ? `undecided: ${doubtText(fit)}` : '',
  ];
}

/** The text about the point under the cursor; with a base, about both runs. */
export function pointDetail(state: CurveState, c: ViewContext<'inputs'>): string {
  const points = shownPoints(state, c);
  const row = state.list.cursor;
  if (!points || row >= points.sizes.size.length) return '';
  const { now, before, sizes, compared } = points;
  const size = sizes.size[row];
  const presence = pointState(sizes, row);
  const then = [before, sizes.before[row]] as const;
  if (presence === 'gone') return `size ${formatCount(size)}: gone; before ${pointFacts(state, c, size, then)}`;
  const isNew = compared && presence === 'new';
  const facts = pointFacts(state, c, size, [now, sizes.now[row]], compared && !isNew ? then : undefined);
  return `size ${formatCount(size)}: ${isNew ? 'new; ' : ''}${facts}`;
}

type CurvePoint = readonly [curve: Curve, row: number];

/** The numbers of a point, each with the number in the base if known. */
function pointFacts(state: CurveState, c: ViewContext<'inputs'>, size: number, point: CurvePoint, base?: CurvePoint): string {
  const [curve, row] = point;
  const costOrUnknown = (v: number | undefined) =>
    v === undefined || Number.isNaN(v) ? '?' : formatCost(Math.round(v), c.event.unit);
  const withBase = (of: (curve: Curve, row: number) => string) => {
    if (!base) return of(curve, row);
    const [now, before] = [of(curve, row), of(...base)];
    return now === before ? `${now} as before` : `${now} (before ${before})`;
  };
  const calls = base
    ? withBase((of, r) => formatCount(of.calls?.[r] ?? 0)).replace(/^\S+/, (n) => (n === '1' ? '1 call' : `${n} calls`))
    : plural(curve.calls?.[row] ?? 0, 'call');
  const cost = (m: CostKind) => `${m} ${withBase((of, r) => costOrUnknown(costsByPoint(of, m)[r]))}`;
  const sd = standardDeviations(curve)[row];
  const lawValue = (of: Curve, what: string) => {
    const law = drawnLine(state, of);
    return law ? `${law.name.replace(/ \(.*/, '')} ${what} ${costOrUnknown(law.of(size))}` : '';
  };
  const laws = withoutEmpty([lawValue(curve, 'says'), base ? lawValue(base[0], 'said') : '']).join(', before ');
  return (
    [calls, ...(['worst', 'average', 'best', 'self'] as const).map(cost)].join(', ') +
    `${Number.isNaN(sd) ? '' : `, sd ${costOrUnknown(sd)}`}${laws === '' ? '' : `; ${laws}`}`
  );
}

/** The text in the tab line: the routine, its laws and the display options. */
export function modeText(state: CurveState, c: ViewContext<'inputs'>, width: number): string {
  if (c.focus < 0) return '';
  const points = shownPoints(state, c);
  const law = points && state.kind === 'cost' ? lawsText(points, plottedCostKind(state)) : '';
  const where = state.context < 0 ? '' : ` in ${contextPathText(c, state.context)}`;
  const how = withoutEmpty([
    state.bucket > 0 ? `buckets of ${state.bucket}^k` : '',
    state.smooth ? 'smoothed' : '',
    state.zoom ? 'zoomed' : '',
  ]).join(', ');
  const rest = `${where}${law ? `: ${law}` : ''}${how ? `, ${how}` : ''}`;
  return titleName(c, c.focus, width - rest.length) + rest;
}

/** The law of this run and of the base: `n² (before n log n)`. */
function lawsText({ now, before, compared }: CurvePoints, measure: CostKind): string {
  const of = (curve: Curve) => lawText(fittedLawOf(curve, measure));
  if (!compared) return of(now);
  if (now.size.length === 0) return `gone${of(before) === '' ? '' : ` (before ${of(before)})`}`;
  const then = before.size.length === 0 ? 'new' : of(before) === '' ? '' : `before ${of(before)}`;
  return withoutEmpty([of(now), then === '' ? '' : `(${then})`]).join(' ');
}

/** The callers of a context, from the root down. */
function contextPathText(c: ViewContext<'inputs'>, context: number): string {
  const { contexts } = c.analysis.profile;
  if (!contexts) return '';
  const callers = numbersAlong(contexts.parent, contexts.parent[context]).slice(0, 4).reverse();
  return callers.map((k) => titleName(c, contexts.routine[k], 24)).join(' → ') || 'no caller';
}
