// The curve report: the points of --routine NAME and their fitted laws, as a text plot, SVG or data.

import type { Curve } from '../../analysis/answers/inputs/points.ts';
import { costByLaw, growthText } from '../../analysis/growth/classes.ts';
import { doubtText, fitCurve, fitLaw, type LawFit, lawText } from '../../analysis/growth/fit.ts';
import { type CostKind, costsOf, predictionText } from '../../analysis/growth/laws.ts';
import { type CurvePair, routinePair } from '../../analysis/growth/paired.ts';
import { predict } from '../../analysis/growth/predict.ts';
import { nameInData, routineName } from '../../analysis/names/names.ts';
import { type Axes, axisMapping, axisRangeOf, plotCells, roundTicks } from '../../base/plot.ts';
import { xmlText } from '../../base/safe-text.ts';
import { formatShort, plural } from '../../base/units.ts';
import type { Json, TableColumns } from '../../columns/column.ts';
import { fitJson, robustJson } from '../../columns/growth/laws.ts';
import { pointDataColumns, pointSides, sizeChangeColumns } from '../../columns/growth/points.ts';
import { baseOfKind } from '../../columns/listing.ts';
import { titleName } from '../../columns/names.ts';
import { makeReport } from '../print.ts';
import { type ReportContext, ReportError } from '../report.ts';

const PLOT_WIDTH = 78;
const PLOT_HEIGHT = 22;

/** The routine's points in one run, the law fitted to them, and its points along the x axis. */
type RunCurve = ReturnType<typeof plotCurve>['now'];

function curvePairOf(context: ReportContext<'inputs'>): CurvePair {
  const { routine, analysis } = context;
  if (routine === undefined) throw new ReportError('--print curve needs --routine NAME');
  const pair = routinePair(analysis, routine, baseOfKind(context, 'inputs'));
  if (pair.sizes.size.length === 0) throw new ReportError(`${routineName(analysis.profile, routine)} has no points`);
  return pair;
}

function plotCurve(context: ReportContext<'inputs'>, pointCount: number) {
  const pair = curvePairOf(context);
  const costs = [costsOf(pair.now, 'worst'), costsOf(pair.before, 'worst')];
  const axes: Axes = { x: axisRangeOf([pair.sizes.size], false), y: axisRangeOf(costs, false), xLog: false, yLog: false };
  const curveOfRun = (curve: Curve, worst: Float64Array) => {
    const fit = fitLaw(curve.size, worst);
    return { curve, costs: worst, fit, line: lawPoints(fit, axes, pointCount) };
  };
  return {
    ...{ routine: pair.routine, axes, now: curveOfRun(pair.now, costs[0]) },
    before: context.base ? curveOfRun(pair.before, costs[1]) : undefined,
  };
}

/** The law's points along the x axis; empty without a law. */
function lawPoints(fit: LawFit | undefined, { x: [from, to] }: Axes, pointCount: number) {
  const law = fit?.law;
  const x = Float64Array.from({ length: law ? pointCount : 0 }, (_, i) => from + ((to - from) * (i + 0.5)) / pointCount);
  return { x, y: law ? x.map((n) => costByLaw(law, n)) : x };
}

const curveTable = (context: ReportContext<'inputs'>): TableColumns<number, 'inputs'> => {
  const pair = curvePairOf(context);
  return {
    sides: (_, row) => pointSides(pair, row),
    columns: (c) => [
      ...pointDataColumns(pair, c),
      // With one run, the plot suffices for people. With two, the text also has the numbers.
      ...(context.base ? sizeChangeColumns(pair, 'worst', (curve) => costsOf(curve, 'worst')) : []),
    ],
  };
};

export const curve = makeReport<number, 'inputs'>({
  name: 'curve',
  title: 'cost by input size of --routine NAME, with the fitted law: a plot (text, --svg) or data; --at SIZE predicts',
  requires: ['inputs'],
  kind: 'inputs',
  table: curveTable,
  rows: (context) => curvePairOf(context).sizes.size.keys(),
  extra(context) {
    const { routine, now, before } = plotCurve(context, 0);
    return {
      routine: nameInData(context.analysis.profile, routine),
      ...lawsJson(now, context.predictedSize),
      ...(before ? { before: lawsJson(before, context.predictedSize) } : {}),
    };
  },
  head: plotLines,
  drawn: true,
  svg: curveSvg,
});

function lawsJson(run: RunCurve, at: number | undefined): { readonly [key: string]: Json } {
  const points = run.curve;
  const fitOf = (m: CostKind) => fitJson(fitCurve(points.size, costsOf(points, m)));
  return {
    worst: fitOf('worst'),
    average: fitOf('average'),
    selfWorst: fitOf('self'),
    robust: robustJson(points),
    ...(at === undefined ? {} : { predicted: predictedJson(run, at) }),
  };
}

function predictedJson({ curve: points, costs, fit }: RunCurve, size: number): Json {
  const predicted = fit && predict(fit, points.size, costs, size);
  if (!predicted) return null;
  const { cost, low, high, law } = predicted;
  return { size, cost, low, high, law: law.name, exponent: law.exponent ?? null, undecided: fit.undecided };
}

const TITLE_SUFFIX = ': worst cost of a call by size of its input';

function plotLines(context: ReportContext<'inputs'>): string[] {
  const { routine, now, before, axes } = plotCurve(context, PLOT_WIDTH * 2);
  // The line of the base is dotted: one mark in every second cell.
  const gaps = before && lawPoints(before.fit, axes, PLOT_WIDTH >> 1);
  const cells = plotCells(
    [
      { x: now.curve.size, y: now.costs, mark: '*', dots: false },
      { ...now.line, mark: '.', dots: true },
      ...(before ? [{ x: before.curve.size, y: before.costs, mark: '○', dots: false }] : []),
      ...(gaps ? [{ ...gaps, mark: '·', dots: false }] : []),
    ],
    axes,
    PLOT_WIDTH,
    PLOT_HEIGHT,
  );
  const rows = Array.from({ length: cells.rows }, (_, r) => {
    const glyphs = cells.glyphs.slice(r * cells.columns, (r + 1) * cells.columns).join('');
    return `${cells.labels[r] ?? ' '.repeat(cells.gutter)}│${glyphs}`.trimEnd();
  });
  return [
    `${titleName(context, routine, context.width - TITLE_SUFFIX.length)}${TITLE_SUFFIX}`,
    `* measured   ${lawDescription(now, '.')}`,
    ...(before ? [`○ before     ${lawDescription(before, '·')}`] : []),
    '',
    ...rows,
    cells.axis,
    cells.axisLabels.trimEnd(),
    ...predictionLines(context, now),
    ...(before ? predictionLines(context, before, 'before: ') : []),
  ];
}

/** The law, its coefficients and its goodness of fit. */
function lawDescription({ fit, curve: { size } }: RunCurve, mark: string): string {
  if (!fit?.law) return fit ? 'no law fits' : size.length === 0 ? 'no points' : 'too few sizes for a law';
  const { law, r2, outliers, tail } = fit;
  const factor = law.b.toPrecision(4);
  const details = [
    law.name === 'power' ? factor : law.b === 0 ? formatShort(law.a) : `${formatShort(law.a)} + ${factor} f(n)`,
    Number.isNaN(r2) || law.b === 0 ? '' : `r2 ${r2.toFixed(4)}`,
    outliers > 0 ? `without ${plural(outliers, 'outlier')}` : '',
    tail === undefined ? '' : doubtText(fit),
  ];
  return `${mark} ${growthText(law)}${fit.undecided ? ' ?' : ''}: ${details.filter((t) => t !== '').join(', ')}`;
}

function predictionLines({ predictedSize }: ReportContext<'inputs'>, { fit, curve, costs }: RunCurve, prefix = ''): string[] {
  if (predictedSize === undefined || !fit) return [];
  const predicted = predict(fit, curve.size, costs, predictedSize);
  if (!predicted) return ['', `${prefix}no law fits, so there is no prediction`];
  return ['', prefix + predictionText(fit, predicted, predictedSize)];
}

const SVG_LAYOUT = { width: 720, height: 420, left: 70, right: 20, top: 40, bottom: 45 };

/** The plot as self-contained SVG: no scripts, no external fonts. */
function curveSvg(context: ReportContext<'inputs'>): string {
  const { routine, now, before, axes } = plotCurve(context, 200);
  const { width, height, left, top } = SVG_LAYOUT;
  const right = width - SVG_LAYOUT.right;
  const bottom = height - SVG_LAYOUT.bottom;
  const sx = axisMapping(axes.x, false);
  const sy = axisMapping(axes.y, false);
  const x = (v: number) => (left + sx(v) * (right - left)).toFixed(1);
  const y = (v: number) => (top + (1 - sy(v)) * (bottom - top)).toFixed(1);
  /** The law as a line, and the points over it. */
  const drawn = ({ curve, costs, line }: RunCurve, point: string, stroke: string) => {
    const inside = Array.from(line.y.keys()).filter((i) => line.y[i] >= axes.y[0] && line.y[i] <= axes.y[1]);
    const path = inside.map((i, k) => `${k === 0 ? 'M' : 'L'}${x(line.x[i])} ${y(line.y[i])}`).join(' ');
    return [
      ...(path ? [`<path d="${path}" fill="none" ${stroke} stroke-width="1.5"/>`] : []),
      ...Array.from(curve.size, (n, i) =>
        Number.isNaN(costs[i]) ? '' : `<circle cx="${x(n)}" cy="${y(costs[i])}" r="2.5" ${point}/>`,
      ),
    ];
  };
  const legendEntry = (below: number, point: string, text: string) => [
    `<circle cx="${left + 16}" cy="${top + below}" r="2.5" ${point}/>`,
    `<text x="${left + 26}" y="${top + below}" dominant-baseline="middle">${text}</text>`,
  ];
  const [nowPoint, beforePoint] = ['fill="#247"', 'fill="none" stroke="#888"'];
  const beforeText = before && (before.fit ? lawText(before.fit) : before.curve.size.length === 0 ? 'no points' : '');
  const laws = [now.fit ? `: ${lawText(now.fit)}` : '', beforeText ? ` (before ${beforeText})` : ''].join('');
  const title = `${routineName(context.analysis.profile, routine)}${laws}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="${left}" y="24" font-size="15">${xmlText(title)}</text>`,
    `<path d="M${left} ${top}V${bottom}H${right}" fill="none" stroke="#333"/>`,
    ...roundTicks(axes.x, false, 8).map(
      (t) => `<text x="${x(t)}" y="${bottom + 18}" text-anchor="middle">${formatShort(t)}</text>`,
    ),
    ...roundTicks(axes.y, false, 6).map(
      (t) => `<text x="${left - 8}" y="${y(t)}" text-anchor="end" dominant-baseline="middle">${formatShort(t)}</text>`,
    ),
    ...(before ? drawn(before, beforePoint, 'stroke="#888" stroke-dasharray="5 4"') : []),
    ...drawn(now, nowPoint, 'stroke="#c33"'),
    ...(before ? [...legendEntry(12, nowPoint, 'now'), ...legendEntry(28, beforePoint, 'before')] : []),
    `<text x="${(left + right) / 2}" y="${height - 8}" text-anchor="middle">size of the input (${xmlText(context.analysis.profile.inputs.metric)})</text>`,
    '</svg>\n',
  ].join('\n');
}
