// The Curve view: cost against input size for the routine in focus, with the fitted law and a cursor to read values.
import type { Curve } from '../../../analysis/answers/inputs/points.ts';
import { predictText } from '../../../analysis/growth/laws.ts';
import { GROWTH_GUESSES, PLOT_KINDS, PLOT_TITLES } from '../../../analysis/growth/plots.ts';
import { axisRangeOf } from '../../../base/plot.ts';
import { keepEnds, visible } from '../../../base/text.ts';
import { pointColumns, sizeChangeColumns } from '../../../columns/growth/points.ts';
import { baseOfKind } from '../../../columns/listing.ts';
import { viewEntry } from '../../open-view.ts';
import { fillHeight } from '../../parts/lines.ts';
import { START, withCursorAt } from '../../parts/list.ts';
import { nextOnOff, nextValue, onOffKey } from '../../parts/options.ts';
import { drawPlot } from '../../parts/plot.ts';
import { drawTable } from '../../parts/table.ts';
import { withNoEffectReasons } from '../../parts/unchanged.ts';
import { type Binding, key, type ScreenLine, textLine, type ViewContext } from '../../view.ts';
import { drawLegend, modeText, pointDetail } from './legend.ts';
import {
  addFittedLines,
  BUCKET_BASES,
  basePointSeries,
  type CurvePoints,
  type CurveState,
  chosenLine,
  contextsByCost,
  drawnLine,
  LINE_CHOICES,
  plotAxesOf,
  plottedCostKind,
  plottedValuesOf,
  pointSeriesOf,
  SHOWN_COSTS,
  SMOOTHING_RADIUS,
  shownPoints,
} from './series.ts';

/** Width of the table next to the plot: for one run, for two runs, and for two runs with calls (on wide screens). */
const TABLE_WIDTH = 46;
const COMPARED_TABLE_WIDTH = 48;
const WIDE_COMPARED_TABLE_WIDTH = 60;
const MIN_WIDTH_WITH_CALLS = 150;

/** The legend takes at most the height divided by this number. */
const LEGEND_DIVISOR = 3;

/** The number of points; with a base, the number of sizes in either run. */
const pointCount = (state: CurveState, c: ViewContext<'inputs'>) => shownPoints(state, c)?.sizes.size.length ?? 0;

function drawPointTable(state: CurveState, points: CurvePoints, width: number, height: number): ScreenLine[] {
  const { kind } = state;
  const rows = { length: points.sizes.size.length, at: (row: number) => row };
  const title = kind === 'cost' ? plottedCostKind(state) : kind === 'frequency' ? 'calls' : kind;
  const valuesOf = (curve: Curve) => plottedValuesOf(curve, kind, plottedCostKind(state), state.guess, state.guessLog);
  return drawTable(withCursorAt(state.list, state.list.cursor, rows.length, height - 1), width, height, {
    columns: points.compared ? sizeChangeColumns(points, title, valuesOf) : pointColumns(points.now),
    rows,
    empty: 'no points',
  });
}

function drawCurvePlot(state: CurveState, points: CurvePoints, width: number, height: number, xTitle: string): ScreenLine[] {
  const { now, before, sizes } = points;
  const { kind, shown, smooth, guess, guessLog } = state;
  const series = pointSeriesOf(now, kind, shown, smooth, guess, guessLog);
  const old = basePointSeries(points, kind, plottedCostKind(state), smooth, guess, guessLog);
  const axes = plotAxesOf(series, old, points, state.zoom, state.xLog, state.yLog);
  const [line, lineBefore] = [drawnLine(state, now)?.of, drawnLine(state, before)?.of];
  const row = Math.min(state.list.cursor, sizes.size.length - 1);
  const [at, then] = [sizes.now[row], sizes.before[row]];
  const cursor = { x: sizes.size[row], y: at < 0 ? old.y[then] : series[0].y[at] };
  const drawn = addFittedLines(series, old, line, lineBefore, axes, width);
  return drawPlot({ series: drawn, axes, cursor, xTitle }, width, height);
}

const noFocusReason = (_: CurveState, c: ViewContext<'inputs'>) =>
  c.focus < 0 ? 'no routine is in focus: choose one in Growth' : undefined;
const noPointsReason = (state: CurveState, c: ViewContext<'inputs'>) =>
  noFocusReason(state, c) ?? (pointCount(state, c) === 0 ? 'the routine has no points' : undefined);
const notCostReason = (state: CurveState) => (state.kind === 'cost' ? undefined : 'only the cost plot (p) has this');
const notRatioReason = (state: CurveState) => (state.kind === 'ratio' ? undefined : 'only the ratio plot (p) has a guess');

const noLineReason = (state: CurveState, c: ViewContext<'inputs'>) => {
  const points = shownPoints(state, c);
  const drawn = LINE_CHOICES.some((line) => {
    const chosen = { ...state, lines: { [state.placedFocus]: line } };
    return points && (drawnLine(chosen, points.now) || drawnLine(chosen, points.before));
  });
  return notCostReason(state) ?? (drawn ? undefined : 'too few sizes for a fitted curve');
};

type CurveAction =
  | { readonly type: 'zoom-off' | 'next-context' | 'ask-predict' }
  | {
      readonly type: 'shown' | 'x-log' | 'y-log' | 'guess' | 'guess-log' | 'bucket' | 'smooth' | 'table' | 'line';
      readonly value?: string;
    }
  | { readonly type: 'plot'; readonly by: number; readonly value?: string }
  | { readonly type: 'point' | 'zoom' | 'pan'; readonly by: number };

const GUESS_NAMES = GROWTH_GUESSES.map(({ name }) => name);
const LOG_NAMES = ['as is', 'times log n', 'over log n'];
const SMOOTHED_TEXT = `average over ${2 * SMOOTHING_RADIUS + 1} points`;
const BUCKET_NAMES = BUCKET_BASES.map((by) => (by === 0 ? 'none' : `by ${by}^k`));
/** The index of `wanted` in `names`; without `wanted`, the index after `now`. */
const nextIndex = (names: readonly string[], now: number, wanted: string | undefined) =>
  names.indexOf(nextValue(names, names[now], wanted));

const BINDINGS: readonly Binding<CurveState, CurveAction, 'inputs'>[] = [
  key('right l j down', { type: 'point', by: 1 }, 'move', 'next point'),
  key('left h k up', { type: 'point', by: -1 }, 'move', 'previous point'),
  key('pagedown space', { type: 'point', by: 10 }, 'move', 'ten points forward'),
  key('pageup b', { type: 'point', by: -10 }, 'move', 'ten points back'),
  key('g home', { type: 'point', by: -1e9 }, 'move', 'first point'),
  key('G end', { type: 'point', by: 1e9 }, 'move', 'last point'),
  key('p', { type: 'plot', by: 1 }, 'show', 'next plot: cost, frequency, variance, total, amortized, ratio', {
    footer: 'plot',
    options: { label: 'plot', values: () => PLOT_KINDS, current: ({ kind }) => kind },
  }),
  key('', { type: 'shown' }, 'show', 'which cost to plot: worst, all three, average, best, self', {
    options: { label: 'cost', values: () => SHOWN_COSTS, current: ({ shown }) => shown },
    off: notCostReason,
  }),
  key('', { type: 'line' }, 'show', 'next fitted curve: law, robust, power, each class, none', {
    options: { label: 'fitted curve', values: () => LINE_CHOICES, current: chosenLine },
    off: noLineReason,
  }),
  onOffKey('x-log', 'linear or logarithmic size axis', 'logarithmic sizes', ({ xLog }) => xLog),
  onOffKey('y-log', 'linear or logarithmic cost axis', 'logarithmic costs', ({ yLog }) => yLog),
  key('+ =', { type: 'zoom', by: 0.5 }, 'show', 'zoom in around the cursor', { footer: 'zoom' }),
  key('-', { type: 'zoom', by: 2 }, 'show', 'zoom out'),
  key('ctrl-u', { type: 'pan', by: -0.25 }, 'move', 'scroll to smaller sizes'),
  key('ctrl-d', { type: 'pan', by: 0.25 }, 'move', 'scroll to larger sizes'),
  key('0', { type: 'zoom-off' }, 'show', 'show all sizes'),
  key('', { type: 'guess' }, 'show', 'next guess for the ratio plot: n to n³', {
    options: { label: 'guess', values: () => GUESS_NAMES, current: ({ guess }) => GUESS_NAMES[guess] },
    off: notRatioReason,
  }),
  key('', { type: 'guess-log' }, 'show', 'multiply or divide the guess by log n', {
    options: { label: 'guess', values: () => LOG_NAMES, current: ({ guessLog }) => LOG_NAMES[guessLog] },
    off: notRatioReason,
  }),
  key('', { type: 'bucket' }, 'show', 'bucket sizes by 2^k, by 10^k, or not at all', {
    options: {
      label: 'buckets of sizes',
      values: () => BUCKET_NAMES,
      current: ({ bucket }) => BUCKET_NAMES[BUCKET_BASES.indexOf(bucket)],
    },
  }),
  onOffKey('smooth', `moving ${SMOOTHED_TEXT}`, SMOOTHED_TEXT, ({ smooth }) => smooth),
  onOffKey('table', 'show or hide the table of points', 'table of points', ({ table }) => table),
  key('', { type: 'next-context' }, 'show', 'points of the next calling context, then of all', {
    off: (_, c) => (contextsByCost(c.analysis, c.focus).length < 2 ? 'the routine has only one calling context' : undefined),
  }),
  key('', { type: 'ask-predict' }, 'do', 'predict the cost at any size', { off: noFocusReason }),
];

const panLimitReason = (why: string) => (state: CurveState) => (state.zoom ? why : 'all sizes are shown; + zooms in');

const KEYS = withNoEffectReasons(
  BINDINGS,
  applyAction,
  {
    right: 'this is the largest size',
    left: 'this is the smallest size',
    '+': 'you cannot zoom in any further',
    '-': 'all sizes are shown',
    'ctrl-u': panLimitReason('these are the smallest sizes'),
    'ctrl-d': panLimitReason('these are the largest sizes'),
    '0': 'all sizes are shown',
  },
  noPointsReason,
);

export const curveView = viewEntry<'curve', CurveState, CurveAction, 'inputs'>({
  id: 'curve',
  title: 'Curve',
  unfiltered: true,
  requires: ['inputs'],
  follows: [
    { flag: 'contexts', asks: 'contexts' },
    { flag: 'at', command: 'predict' },
  ],
  kind: 'inputs',
  report: { name: 'curve', ofFocus: true },
  commands: [
    {
      ...{ name: 'predict', arg: 'SIZE', help: 'predict the cost at any size', prompt: 'cost at size: ' },
      run: (argument, c) => predictText(c.analysis, c.focus, argument, baseOfKind(c, 'inputs')),
    },
  ],
  keys: KEYS,
  init: () => ({
    list: START,
    placedFocus: -1,
    context: -1,
    kind: 'cost',
    shown: 'worst',
    lines: {},
    xLog: false,
    yLog: false,
    zoom: undefined,
    guess: 2,
    guessLog: 0,
    bucket: 0,
    smooth: false,
    table: true,
  }),
  update: applyAction,
  sync(state, c) {
    if (state.placedFocus !== c.focus)
      return resetToContext(state, c, c.choices.contexts ? (contextsByCost(c.analysis, c.focus)[0] ?? -1) : -1);
    const n = pointCount(state, c);
    return state.list.cursor >= n && n > 0 ? { ...state, list: withCursorAt(state.list, n - 1, n, c.height) } : state;
  },
  showContext: (state, calling, c) => resetToContext(state, c, calling),
  draw(state, c) {
    const points = shownPoints(state, c);
    const why = noPointsReason(state, c);
    if (!points || why !== undefined) return fillHeight([textLine(` ${why}`.slice(0, c.width), 'dim')], c.height);
    const comparedWidth = c.width >= MIN_WIDTH_WITH_CALLS ? WIDE_COMPARED_TABLE_WIDTH : COMPARED_TABLE_WIDTH;
    const tableWidth = points.compared ? comparedWidth : TABLE_WIDTH;
    const hasTable = state.table && c.width >= 100;
    const width = hasTable ? c.width - tableWidth - 1 : c.width;
    const head = drawLegend(state, points, c, Math.max(1, Math.floor(c.height / LEGEND_DIVISOR)));
    const height = Math.max(1, c.height - head.length);
    const xTitle = `size of the input (${visible(keepEnds(c.analysis.profile.inputs.metric, width))}) →`;
    const left = drawCurvePlot(state, points, width, height, xTitle);
    if (!hasTable) return fillHeight([...head, ...left], c.height);
    const right = drawPointTable(state, points, tableWidth, height);
    return fillHeight([...head, ...left.map((l, i) => joinLines(l, width, right[i]))], c.height);
  },
  rowCount: pointCount,
  cursor: (state) => state.list.cursor,
  moveTo: (state, row, c) => ({ ...state, list: withCursorAt(state.list, row, pointCount(state, c), c.height) }),
  rowText: (state, row, c) => String(shownPoints(state, c)?.sizes.size[row] ?? ''),
  /** Moves the cursor to the row of an input size. */
  goToRow(state, name, c) {
    const row = shownPoints(state, c)?.sizes.size.indexOf(Number(name)) ?? -1;
    return row < 0 ? state : { ...state, list: withCursorAt(state.list, row, pointCount(state, c), c.height) };
  },
  routineAt: (_, c) => c.focus,
  request: (_, action) => (action.type === 'ask-predict' ? { type: 'ask', command: 'predict' } : undefined),
  detail: pointDetail,
  printed: (state) => ({ notInReport: reasonNotInReport(state) }),
  mode: modeText,
});

/** The part of the state that the report cannot show: it has the worst costs for all contexts and sizes, with their law. */
function reasonNotInReport(state: CurveState): string | undefined {
  const { context, kind, shown, xLog, yLog, zoom, bucket, smooth } = state;
  if (context >= 0) return 'the curve of one calling context';
  if (kind !== 'cost') return `the plot "${PLOT_TITLES[kind]}"`;
  if (shown !== 'worst') return `the plot of ${shown === 'all' ? 'all three costs' : `${shown} costs`}`;
  if (chosenLine(state) !== 'law') return 'a fitted curve other than the law';
  if (xLog || yLog) return 'logarithmic axes';
  if (zoom) return 'a part of the sizes';
  return bucket > 0 || smooth ? 'sizes in buckets, or smoothed' : undefined;
}

function joinLines(left: ScreenLine, width: number, right: ScreenLine): ScreenLine {
  const used = left.spans.reduce((w, [t]) => w + t.length, 0);
  return { spans: [...left.spans, [' '.repeat(Math.max(0, width - used) + 1), 'plain'], ...right.spans] };
}

function resetToContext(state: CurveState, c: ViewContext<'inputs'>, context: number): CurveState {
  const next = { ...state, placedFocus: c.focus, context, zoom: undefined, list: START };
  const n = pointCount(next, c);
  // Initially, the cursor is on the largest size.
  return { ...next, list: withCursorAt(START, n - 1, n, c.height) };
}

function applyAction(state: CurveState, action: CurveAction, c: ViewContext<'inputs'>): CurveState {
  const points = shownPoints(state, c)?.sizes.size;
  const n = points?.length ?? 0;
  switch (action.type) {
    case 'point':
      return scrollToCursor({ ...state, list: withCursorAt(state.list, state.list.cursor + action.by, n, c.height) }, points);
    case 'plot':
      return { ...state, kind: nextValue(PLOT_KINDS, state.kind, action.value, action.by) };
    case 'shown':
      return { ...state, shown: nextValue(SHOWN_COSTS, state.shown, action.value) };
    case 'line': {
      const line = nextValue(LINE_CHOICES, chosenLine(state), action.value);
      return { ...state, lines: { ...state.lines, [state.placedFocus]: line } };
    }
    case 'x-log':
      return { ...state, xLog: nextOnOff(state.xLog, action.value) };
    case 'y-log':
      return { ...state, yLog: nextOnOff(state.yLog, action.value) };
    case 'zoom':
    case 'pan':
      return points && n > 0 ? zoomOrPan(state, action.type, action.by, points) : state;
    case 'zoom-off':
      return { ...state, zoom: undefined };
    case 'guess':
      return { ...state, guess: nextIndex(GUESS_NAMES, state.guess, action.value) };
    case 'guess-log':
      return { ...state, guessLog: nextIndex(LOG_NAMES, state.guessLog, action.value) };
    case 'bucket': {
      const bucket = BUCKET_BASES[nextIndex(BUCKET_NAMES, BUCKET_BASES.indexOf(state.bucket), action.value)];
      return { ...state, bucket, list: START, zoom: undefined };
    }
    case 'smooth':
      return { ...state, smooth: nextOnOff(state.smooth, action.value) };
    case 'table':
      return { ...state, table: nextOnOff(state.table, action.value) };
    case 'next-context': {
      const all = [-1, ...contextsByCost(c.analysis, c.focus)];
      return resetToContext(state, c, all[(all.indexOf(state.context) + 1) % all.length]);
    }
    case 'ask-predict':
      return state;
  }
}

function zoomOrPan(state: CurveState, what: 'zoom' | 'pan', by: number, sizes: Float64Array): CurveState {
  const all = axisRangeOf([sizes], state.xLog);
  const [from, to] = state.zoom ?? all;
  const log = state.xLog && from > 0;
  const toScale = (v: number) => (log ? Math.log(v) : v);
  const fromScale = (v: number) => (log ? Math.exp(v) : v);
  const [a, b] = [toScale(from), toScale(to)];
  const [low, high] = [toScale(all[0]), toScale(all[1])];
  let width = b - a;
  let middle = (a + b) / 2;
  if (what === 'zoom') {
    width *= by;
    middle = toScale(Math.max(sizes[Math.min(state.list.cursor, sizes.length - 1)], all[0]));
  } else middle += by * width;
  if (width >= high - low) return { ...state, zoom: undefined };
  const start = Math.max(low, Math.min(high - width, middle - width / 2));
  return { ...state, zoom: [fromScale(start), fromScale(start + width)] };
}

/** Moves the zoomed range of sizes so that the cursor is visible. */
function scrollToCursor(state: CurveState, sizes: Float64Array | undefined): CurveState {
  const size = sizes?.[state.list.cursor];
  if (!state.zoom || size === undefined || (size >= state.zoom[0] && size <= state.zoom[1])) return state;
  const width = state.zoom[1] - state.zoom[0];
  const from = size < state.zoom[0] ? size : size - width;
  return { ...state, zoom: [from, from + width] };
}
