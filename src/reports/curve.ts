// The curve report: the points of --routine NAME with their fits, as a plot in text, as SVG, as data.
import { shapeOf } from '../analysis/inputs/classes.ts';
import { fitCurve, fitLaw, type LawFit, lawText } from '../analysis/inputs/fit.ts';
import { costsOf, type Measure, predictedText } from '../analysis/inputs/laws.ts';
import { type Curve, curveOfRoutine } from '../analysis/inputs/points.ts';
import { type Prediction, predict } from '../analysis/inputs/predict.ts';
import { routineName } from '../analysis/names.ts';
import { type Axes, plotCells, rangeOf, scaleOf, ticks } from '../base/plot.ts';
import { formatShort, plural } from '../base/units.ts';
import type { Json } from '../columns/column.ts';
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
  readonly fit: LawFit | undefined;
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
  const fit = fitLaw(curve.size, costs);
  const axes: Axes = { x: rangeOf([curve.size], false), y: rangeOf([costs], false), xLog: false, yLog: false };
  const law = fit?.law;
  const of = law && shapeOf(law);
  const x = Float64Array.from({ length: law ? steps : 0 }, (_, i) => axes.x[0] + ((axes.x[1] - axes.x[0]) * (i + 0.5)) / steps);
  return { routine, curve, costs, fit, axes, line: { x, y: law && of ? x.map((n) => law.a + law.b * of(n)) : x } };
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
      ...(context.at === undefined ? {} : { predicted: predicted && fit ? predictedJson(context.at, predicted, fit) : null }),
    };
  },
  head: (context) => plotLines(context),
  drawn: true,
  svg,
});

const ABOUT = ': worst cost of a call by size of its input';

function predictedJson(size: number, { cost, low, high, law }: Prediction, { undecided }: LawFit): Json {
  return { size, cost, low, high, law: law.name, exponent: law.exponent ?? null, undecided };
}

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
  return [
    `${titleName(context, p.routine, context.width - ABOUT.length)}${ABOUT}`,
    `* measured   ${lawLine(fit, ascii)}`,
    '',
    ...rows,
    cells.axis,
    cells.axisLabels.trimEnd(),
    ...predictionLines(context, p),
  ];
}

/** The law with its numbers. */
function lawLine(fit: LawFit | undefined, ascii: boolean): string {
  if (!fit?.law) return fit ? 'no law fits' : 'too few sizes for a law';
  const { law, r2, outliers } = fit;
  const factor = law.b.toPrecision(4);
  const numbers = law.name === 'power' ? factor : law.b === 0 ? formatShort(law.a) : `${formatShort(law.a)} + ${factor} f(n)`;
  const how = [
    numbers,
    Number.isNaN(r2) || law.b === 0 ? '' : `r2 ${r2.toFixed(4)}`,
    outliers > 0 ? `without ${plural(outliers, 'outlier')}` : '',
  ];
  return `. ${lawText(fit, ascii)}: ${how.filter((t) => t !== '').join(', ')}`;
}

/** The prediction for --at. */
function predictionLines({ at, ascii }: ReportContext<'inputs'>, { fit, curve, costs }: Plotted): string[] {
  if (at === undefined || !fit) return [];
  const predicted = predict(fit, curve.size, costs, at);
  if (!predicted) return ['', 'no law says what other sizes cost'];
  return ['', predictedText(fit, predicted, at, ascii)];
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
