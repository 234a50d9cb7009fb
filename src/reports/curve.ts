// The curve report: the points of --routine NAME with their fits, as a plot in text, as SVG, as data.
import { type ClassFit, classOf, type Fit, fitCurve, lawText, predict } from '../analysis/inputs/fit.ts';
import { costsOf, type Measure } from '../analysis/inputs/laws.ts';
import { type Curve, curveOfRoutine } from '../analysis/inputs/points.ts';
import { routineName } from '../analysis/names.ts';
import { type Axes, plotCells, rangeOf, scaleOf, ticks } from '../base/plot.ts';
import { formatCount, formatShort } from '../base/units.ts';
import { fitJson, robustJson } from '../columns/laws.ts';
import { titleName } from '../columns/names.ts';
import { pointColumns } from '../columns/points.ts';
import { report } from './print.ts';
import { ofKind, type ReportContext, ReportError } from './report.ts';

const WIDTH = 78;
const HEIGHT = 22;

interface Plotted {
  readonly routine: number;
  readonly curve: Curve;
  readonly costs: Float64Array;
  readonly fit: Fit | undefined;
  readonly axes: Axes;
  /** The law as points along the axis; empty where there is none. */
  readonly line: { readonly x: Float64Array; readonly y: Float64Array };
}

function plotted(context: ReportContext<'inputs'>, steps: number): Plotted {
  const { routine, analysis } = context;
  if (routine === undefined) throw new ReportError('--print curve needs --routine NAME');
  const curve = curveOfRoutine(analysis, routine);
  if (curve.size.length === 0) throw new ReportError(`${routineName(analysis.profile, routine)} has no points`);
  const costs = costsOf(curve, 'worst');
  const fit = fitCurve(curve.size, costs);
  const axes: Axes = { x: rangeOf([curve.size], false), y: rangeOf([costs], false), xLog: false, yLog: false };
  const law = lawOf(fit);
  const x = Float64Array.from({ length: law ? steps : 0 }, (_, i) => axes.x[0] + ((axes.x[1] - axes.x[0]) * (i + 0.5)) / steps);
  return { routine, curve, costs, fit, axes, line: { x, y: law ? x.map((n) => law.a + law.b * law.of(n)) : x } };
}

/** The class that fits best, as a function: a + b of(n). */
function lawOf(fit: Fit | undefined): (ClassFit & { readonly of: (n: number) => number }) | undefined {
  if (!fit || fit.best === 'none') return undefined;
  const law = fit.fits[fit.best];
  return law && { ...law, of: classOf(fit.best).of };
}

export const curve = report<number, 'inputs'>({
  name: 'curve',
  title: 'the points of --routine NAME with the law over them: a plot (text, --svg) or data; --at SIZE predicts',
  asks: ['inputs'],
  of: ofKind('inputs'),
  table(context) {
    const { curve: points } = plotted(context, 0);
    return { columns: (c) => pointColumns(points, c) };
  },
  rows: (context) => plotted(context, 0).curve.size.keys(),
  extra(context) {
    const { curve: points, routine, costs, fit } = plotted(context, 0);
    const of = (m: Measure) => fitJson(fitCurve(points.size, costsOf(points, m)));
    const predicted = context.at === undefined || !fit ? undefined : predict(fit, points.size, costs, context.at);
    return {
      routine: routineName(context.analysis.profile, routine),
      worst: of('worst'),
      average: of('average'),
      selfWorst: of('self'),
      robust: robustJson(points),
      ...(context.at === undefined ? {} : { predicted: predicted ? { size: context.at, ...predicted } : null }),
    };
  },
  head: (context) => plotLines(context),
  svg,
});

const ABOUT = ': worst cost of a call by size of its input';

/** The plot as text. */
function plotLines(context: ReportContext<'inputs'>): string[] {
  const p = plotted(context, WIDTH * 2);
  const { fit } = p;
  const { ascii } = context;
  const cells = plotCells(
    [
      { name: 'worst', x: p.curve.size, y: p.costs, mark: '*', dots: false },
      { name: 'law', x: p.line.x, y: p.line.y, mark: '.', dots: true },
    ],
    p.axes,
    WIDTH,
    HEIGHT,
    ascii,
  );
  const bar = ascii ? '|' : '│';
  const rows = Array.from({ length: cells.rows }, (_, r) => {
    const glyphs = cells.glyphs.slice(r * cells.columns, (r + 1) * cells.columns).join('');
    return `${cells.labels[r] ?? ' '.repeat(cells.gutter)}${bar}${glyphs}`.trimEnd();
  });
  const law = lawOf(fit);
  const says = law
    ? `   . ${lawText(fit, ascii)}: ${formatShort(law.a)} + ${law.b.toPrecision(4)} f(n), r2 ${law.r2.toFixed(4)}`
    : `   ${fit ? 'no law fits' : 'too few sizes for a law'}`;
  return [
    `${titleName(context, p.routine, context.width - ABOUT.length)}${ABOUT}`,
    `* measured${says}`,
    '',
    ...rows,
    cells.axis,
    cells.axisLabels.trimEnd(),
    ...predictionLines(context, p),
  ];
}

/** The prediction for --at. */
function predictionLines({ at, ascii }: ReportContext<'inputs'>, { fit, curve, costs }: Plotted): string[] {
  if (at === undefined || !fit) return [];
  const predicted = predict(fit, curve.size, costs, at);
  if (!predicted) return ['', 'no law says what other sizes cost'];
  const count = (v: number) => formatCount(Math.round(v));
  const interval = `(95 %: ${count(predicted.low)} to ${count(predicted.high)})`;
  return ['', `at ${formatCount(at)}: ${ascii ? '~' : '≈'}${count(predicted.cost)} ${interval}`];
}

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

const PAPER = { width: 720, height: 420, left: 70, right: 20, top: 40, bottom: 45 };

/** A self-contained picture: no scripts, no external fonts. */
function svg(context: ReportContext<'inputs'>): string {
  const p = plotted(context, 200);
  const inner = { w: PAPER.width - PAPER.left - PAPER.right, h: PAPER.height - PAPER.top - PAPER.bottom };
  const sx = scaleOf(p.axes.x, false);
  const sy = scaleOf(p.axes.y, false);
  const x = (v: number) => (PAPER.left + sx(v) * inner.w).toFixed(1);
  const y = (v: number) => (PAPER.top + (1 - sy(v)) * inner.h).toFixed(1);
  const bottom = PAPER.top + inner.h;
  const xml = (t: string) => t.replace(/[&<>"]/g, (c) => ENTITIES.get(c) ?? c).replace(/[^\x20-\x7e\u00a0-\uffff]/g, '?');
  const title = `${routineName(context.analysis.profile, p.routine)}${p.fit ? `: ${lawText(p.fit)}` : ''}`;
  const inside = Array.from(p.line.y.keys()).filter((i) => sy(p.line.y[i]) >= 0 && sy(p.line.y[i]) <= 1);
  const path = inside.map((i, k) => `${k === 0 ? 'M' : 'L'}${x(p.line.x[i])} ${y(p.line.y[i])}`).join(' ');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${PAPER.width} ${PAPER.height}" font-family="sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="${PAPER.left}" y="24" font-size="15">${xml(title)}</text>`,
    `<path d="M${PAPER.left} ${PAPER.top}V${bottom}H${PAPER.width - PAPER.right}" fill="none" stroke="#333"/>`,
    ...ticks(p.axes.x, false, 8).map((t) => `<text x="${x(t)}" y="${bottom + 18}" text-anchor="middle">${formatShort(t)}</text>`),
    ...ticks(p.axes.y, false, 6).map(
      (t) => `<text x="${PAPER.left - 8}" y="${y(t)}" text-anchor="end" dominant-baseline="middle">${formatShort(t)}</text>`,
    ),
    ...(path ? [`<path d="${path}" fill="none" stroke="#c33" stroke-width="1.5"/>`] : []),
    ...Array.from(p.curve.size, (n, i) =>
      Number.isNaN(p.costs[i]) ? '' : `<circle cx="${x(n)}" cy="${y(p.costs[i])}" r="2.5" fill="#247"/>`,
    ),
    `<text x="${PAPER.left + inner.w / 2}" y="${PAPER.height - 8}" text-anchor="middle">size of the input (${xml(context.analysis.profile.inputs.metric)})</text>`,
    '</svg>\n',
  ].join('\n');
}
