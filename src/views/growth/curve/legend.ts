// The texts of the Curve view: the legend above the plot, the point under the cursor, the mode.

import type { Curve } from '../../../analysis/answers/inputs/points.ts';
import { doubtText, lawText } from '../../../analysis/growth/fit.ts';
import type { Measure } from '../../../analysis/growth/laws.ts';
import { stateOf } from '../../../analysis/growth/paired.ts';
import { guessOf, PLOT_TITLES } from '../../../analysis/growth/plots.ts';
import { cellWidth, visible, wrapped } from '../../../base/text.ts';
import { formatCost, formatCount, plural } from '../../../base/units.ts';
import { titleName } from '../../../columns/names.ts';
import type { ScreenLine, ViewContext } from '../../view.ts';
import { type CurveState, chosenLine, costs, deviations, drawnLine, fitOf, measureOf, type Points, pointsIn } from './series.ts';

type Context = ViewContext<'inputs'>;

/** The meaning of the points' style, where it has room. */
const COLOURS = ' (bold ≥ 10 % of calls, coloured ≥ 1 %)';

const present = (texts: readonly string[]) => texts.filter((t) => t !== '');

/** The meaning of the plot, in at most so many lines: the last one is the title of the axis below it. */
export function legend(state: CurveState, points: Points, c: Context, most: number): ScreenLine[] {
  const parts: string[] = [];
  if (state.kind !== 'cost')
    parts.push(
      state.kind === 'ratio'
        ? `worst cost (${c.event.name}) / (${guessOf(state.guess, state.guessLog).name})`
        : PLOT_TITLES[state.kind],
    );
  else if (state.shown === 'all') parts.push(`cost of a call (${c.event.name})  ▴ worst  ● average  ▾ best`);
  else {
    const what = `${state.shown === 'self' ? 'self cost' : `${state.shown} cost of a call`} (${c.event.name})`;
    parts.push(cellWidth(visible(what)) + COLOURS.length + 4 <= c.width ? what + COLOURS : what);
  }
  const line = drawnLine(state, points.now);
  const drawn = [line ? `⠒ ${line.name}` : ''];
  const isLaw = state.kind === 'cost' && chosenLine(state) === 'law';
  if (isLaw && points.now.size.length > 0) drawn.push(...doubts(points.now, measureOf(state)));
  const about = present([present(drawn).join(', '), legendBefore(state, points)]).join('   ');
  const lines = (text: string) => wrapped(visible(text), c.width - 2, c.width - 2, 0.3);
  const title = lines(`↑ ${parts.join('   ')}`).at(0) ?? '';
  return [...(about === '' ? [] : lines(about)).slice(0, most - 1), title].map(
    (t): ScreenLine => ({ spans: [[` ${t.trimEnd()}`, 'dim']] }),
  );
}

/** The points and the line of the base. */
function legendBefore(state: CurveState, { before, compared }: Points): string {
  if (!compared) return '';
  if (before.size.length === 0) return 'before: no points';
  const line = drawnLine(state, before);
  const which = state.kind === 'cost' && state.shown === 'all' ? 'worst before' : 'before';
  return `○ ${which}${line ? `, · ${line.name}` : ''}`;
}

/** The doubts about the law: other laws, and points that do not follow it. */
function doubts(curve: Curve, measure: Measure): string[] {
  const fit = fitOf(curve, measure);
  if (!fit?.law) return [fit ? 'no law fits' : 'too few sizes for a law'];
  return [
    fit.outliers > 0 ? `without ${plural(fit.outliers, 'outlier')}` : '',
    fit.undecided ? `undecided: ${doubtText(fit)}` : '',
  ];
}

/** The point under the cursor, of two runs both. */
export function pointDetail(state: CurveState, c: Context): string {
  const points = pointsIn(state, c);
  const row = state.list.cursor;
  if (!points || row >= points.sizes.size.length) return '';
  const { now, before, sizes, compared } = points;
  const size = sizes.size[row];
  const held = stateOf(sizes, row);
  if (held === 'gone') return `size ${formatCount(size)}: gone; before ${facts(state, before, sizes.before[row], size, c)}`;
  const text = (other: boolean) => facts(state, now, sizes.now[row], size, c, other ? [before, sizes.before[row]] : undefined);
  if (compared && held === 'new') return `size ${formatCount(size)}: new; ${text(false)}`;
  return `size ${formatCount(size)}: ${text(compared)}`;
}

/** The numbers of a point, each with that of the base if it is given. */
function facts(
  state: CurveState,
  curve: Curve,
  row: number,
  size: number,
  c: Context,
  base?: readonly [curve: Curve, row: number],
): string {
  const show = (v: number | undefined) => (v === undefined || Number.isNaN(v) ? '?' : formatCost(Math.round(v), c.event.unit));
  const then = (of: (curve: Curve, row: number) => string) => {
    if (!base) return of(curve, row);
    const [now, before] = [of(curve, row), of(...base)];
    return now === before ? `${now} as before` : `${now} (before ${before})`;
  };
  const calls = base
    ? then((of, r) => formatCount(of.calls?.[r] ?? 0)).replace(/^\S+/, (n) => (n === '1' ? '1 call' : `${n} calls`))
    : plural(curve.calls?.[row] ?? 0, 'call');
  const cost = (m: Measure) => `${m} ${then((of, r) => show(costs(of, m)[r]))}`;
  const sd = deviations(curve)[row];
  const says = (of: Curve, what: string) => {
    const law = drawnLine(state, of);
    return law ? `${law.name.replace(/ \(.*/, '')} ${what} ${show(law.of(size))}` : '';
  };
  const laws = present([says(curve, 'says'), base ? says(base[0], 'said') : '']).join(', before ');
  return (
    [calls, ...(['worst', 'average', 'best', 'self'] as const).map(cost)].join(', ') +
    `${Number.isNaN(sd) ? '' : `, sd ${show(sd)}`}${laws === '' ? '' : `; ${laws}`}`
  );
}

/** The curve's routine, and its laws. */
export function modeText(state: CurveState, c: Context, room: number): string {
  if (c.focus < 0) return '';
  const points = pointsIn(state, c);
  const law = points && state.kind === 'cost' ? lawsText(points, measureOf(state)) : '';
  const where = state.context < 0 ? '' : ` in ${pathOf(c, state.context)}`;
  const how = present([
    state.bucket > 0 ? `buckets of ${state.bucket}^k` : '',
    state.smooth ? 'smoothed' : '',
    state.zoom ? 'zoomed' : '',
  ]).join(', ');
  const rest = `${where}${law ? `: ${law}` : ''}${how ? `, ${how}` : ''}`;
  return titleName(c, c.focus, room - rest.length) + rest;
}

/** `n² (before n log n)` */
function lawsText({ now, before, compared }: Points, measure: Measure): string {
  const of = (curve: Curve) => lawText(fitOf(curve, measure));
  if (!compared) return of(now);
  if (now.size.length === 0) return `gone${of(before) === '' ? '' : ` (before ${of(before)})`}`;
  const then = before.size.length === 0 ? 'new' : of(before) === '' ? '' : `before ${of(before)}`;
  return present([of(now), then === '' ? '' : `(${then})`]).join(' ');
}

/** The callers of a context, from the root down. */
function pathOf(c: Context, context: number): string {
  const { contexts } = c.analysis.profile;
  if (!contexts) return '';
  const names: string[] = [];
  for (let k = contexts.parent[context]; k >= 0; k = contexts.parent[k]) names.unshift(titleName(c, contexts.routine[k], 24));
  return names.slice(-4).join(' → ') || 'no caller';
}
