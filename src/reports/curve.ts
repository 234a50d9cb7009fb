// The curve report: the points of --routine NAME with their fits, as a plot in text, as SVG, as data.
import { classOf, type Fit, fitCurve, lawText, predict, robustFit } from '../analysis/fit.ts';
import { type Curve, curveOfRoutine, pointValue } from '../analysis/inputs.ts';
import { costsOf, type Measure, variances } from '../analysis/laws.ts';
import { routineName } from '../analysis/names.ts';
import { type Axes, plotCells, rangeOf, scaleOf, ticks } from '../base/plot.ts';
import { formatCount, formatShort } from '../base/units.ts';
import { INPUT_FIELDS } from '../model/inputs.ts';
import { fitJson } from './curves.ts';
import { type Json, type Report, type ReportContext, ReportError, type Row } from './report.ts';

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

function plotted(context: ReportContext, steps: number): Plotted {
  const { routine, analysis } = context;
  if (routine === undefined) throw new ReportError('--print curve needs --routine NAME');
  const curve = curveOfRoutine(analysis, routine);
  if (curve.size.length === 0) throw new ReportError(`${routineName(analysis.profile, routine)} has no points`);
  const costs = costsOf(curve, 'worst');
  const fit = fitCurve(curve.size, costs);
  const axes: Axes = { x: rangeOf([curve.size], false), y: rangeOf([costs], false), xLog: false, yLog: false };
  const law = fit && fit.best !== 'none' ? { ...fit.fits[fit.best]!, of: classOf(fit.best).of } : undefined;
  const x = Float64Array.from({ length: law ? steps : 0 }, (_, i) => axes.x[0] + ((axes.x[1] - axes.x[0]) * (i + 0.5)) / steps);
  return { routine, curve, costs, fit, axes, line: { x, y: x.map((n) => law!.a + law!.b * law!.of(n)) } };
}

export const curve: Report = {
  name: 'curve',
  title: 'the points of --routine NAME with the law over them: a plot (text, --svg) or data; --at SIZE predicts',
  requires: ['inputs'],
  sorts: [],
  *rows(context) {
    const { curve: points } = plotted(context, 0);
    const deviation = variances(points).map(Math.sqrt);
    for (let i = 0; i < points.size.length; i++) {
      const fields = INPUT_FIELDS.filter((f) => points[f]).map((f) => [f, pointValue(points, f, i) ?? null] as const);
      const sd = deviation[i];
      const row: Row = { size: points.size[i], ...Object.fromEntries(fields), deviation: Number.isNaN(sd) ? null : sd };
      yield row;
    }
  },
  extra(context) {
    const { curve: points, routine, costs, fit } = plotted(context, 0);
    const of = (m: Measure) => fitJson(fitCurve(points.size, costsOf(points, m)));
    const predicted = context.at === undefined || !fit ? undefined : predict(fit, points.size, costs, context.at);
    return {
      routine: routineName(context.analysis.profile, routine),
      worst: of('worst'),
      average: of('average'),
      selfWorst: of('self'),
      robust: { ...robustFit(points.size, costs) } as Json,
      ...(context.at === undefined ? {} : { predicted: predicted ? { size: context.at, ...predicted } : null }),
    };
  },
  columns: () => [],
  head(context) {
    const p = plotted(context, WIDTH * 2);
    const { fit } = p;
    const ascii = context.ascii;
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
    const rows = Array.from({ length: cells.rows }, (_, r) =>
      `${cells.labels[r] ?? ' '.repeat(cells.gutter)}${bar}${cells.glyphs.slice(r * cells.columns, (r + 1) * cells.columns).join('')}`.trimEnd(),
    );
    const best = fit && fit.best !== 'none' ? fit.fits[fit.best]! : undefined;
    const out = [
      `${routineName(context.analysis.profile, p.routine)}: worst cost of a call by size of its input`,
      `* measured${best ? `   . ${lawText(fit, ascii)}: ${formatShort(best.a)} + ${best.b.toPrecision(4)} f(n), r2 ${best.r2.toFixed(4)}` : fit ? '   no law fits' : '   too few sizes for a law'}`,
      '',
      ...rows,
      cells.axis,
      cells.axisLabels.trimEnd(),
    ];
    if (context.at !== undefined && fit) {
      const predicted = predict(fit, p.curve.size, p.costs, context.at);
      out.push(
        '',
        predicted
          ? `at ${formatCount(context.at)}: ${ascii ? '~' : '≈'}${formatCount(Math.round(predicted.cost))} (95 %: ${formatCount(Math.round(predicted.low))} to ${formatCount(Math.round(predicted.high))})`
          : 'no law says what other sizes cost',
      );
    }
    return out;
  },
  svg,
};

const PAPER = { width: 720, height: 420, left: 70, right: 20, top: 40, bottom: 45 };

/** A picture of its own: no script, no font of another place. */
function svg(context: ReportContext): string {
  const p = plotted(context, 200);
  const inner = { w: PAPER.width - PAPER.left - PAPER.right, h: PAPER.height - PAPER.top - PAPER.bottom };
  const sx = scaleOf(p.axes.x, false);
  const sy = scaleOf(p.axes.y, false);
  const x = (v: number) => (PAPER.left + sx(v) * inner.w).toFixed(1);
  const y = (v: number) => (PAPER.top + (1 - sy(v)) * inner.h).toFixed(1);
  const bottom = PAPER.top + inner.h;
  const xml = (t: string) =>
    t
      .replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!)
      .replace(/[^\x20-\x7e\u00a0-\uffff]/g, '?');
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
    `<text x="${PAPER.left + inner.w / 2}" y="${PAPER.height - 8}" text-anchor="middle">size of the input (${xml(context.analysis.profile.inputs!.metric ?? 'rms')})</text>`,
    '</svg>\n',
  ].join('\n');
}
