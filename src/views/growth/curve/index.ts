// Curve: cost against input size for the routine in focus: points, the fitted law over them, and a cursor to read values.
import { isOfKind } from '../../../analysis/answers/analysis.ts';
import { predictText } from '../../../analysis/growth/laws.ts';
import { GUESSES, PLOT_TITLES, PLOTS } from '../../../analysis/growth/plots.ts';
import { rangeOf } from '../../../base/plot.ts';
import { ends, visible } from '../../../base/text.ts';
import { changeColumns, pointColumns } from '../../../columns/growth/points.ts';
import { entry } from '../../open-view.ts';
import { at, START } from '../../parts/list.ts';
import { chosen, onOrOff, switched } from '../../parts/options.ts';
import { drawPlot } from '../../parts/plot.ts';
import { drawTable } from '../../parts/table.ts';
import { withReasons } from '../../parts/unchanged.ts';
import { type Binding, type Command, key, ofKind, type ScreenLine, textLine, type ViewContext } from '../../view.ts';
import { legend, modeText, pointDetail } from './legend.ts';
import {
  axesOf,
  BUCKETS,
  beforeOf,
  type CurveState,
  chosenLine,
  contextsOf,
  drawnLine,
  LINES,
  measureOf,
  type Points,
  pointsIn,
  SHOWN,
  SMOOTH,
  seriesOf,
  valuesOf,
  withLines,
} from './series.ts';

type Context = ViewContext<'inputs'>;

/** Cells of the table beside the plot: of one run, and of two, which on wide screens have calls as well. */
const BESIDE = 46;
const COMPARED = 48;
const COMPARED_WIDE = 60;
const WIDE = 150;

/** The part of the height that the lines above the plot may take. */
const LEGEND = 3;

const baseIn = ({ base }: Context) => (base && isOfKind(base, 'inputs') ? base : undefined);

/** How many points there are, of two runs sizes of either. */
const rowsIn = (state: CurveState, c: Context) => pointsIn(state, c)?.sizes.size.length ?? 0;

/** The names of the values of the table. */
const valueTitle = (state: CurveState) =>
  state.kind === 'cost' ? measureOf(state) : state.kind === 'frequency' ? 'calls' : state.kind;

function table(state: CurveState, points: Points, width: number, height: number): ScreenLine[] {
  const rows = points.sizes.size.length;
  const values = (side: 'now' | 'before') => valuesOf(points[side], state.kind, measureOf(state), state.guess, state.guessLog);
  const spec = {
    columns: points.compared
      ? changeColumns(points, { title: valueTitle(state), now: values('now'), before: values('before') })
      : pointColumns(points.now),
    rows,
    row: (row: number) => row,
    empty: 'no points',
  };
  return drawTable(spec, at(state.list, state.list.cursor, rows, height - 1), width, height);
}

/** The points with the lines over them. */
function plot(state: CurveState, points: Points, width: number, height: number, xTitle: string): ScreenLine[] {
  const { now, before, sizes } = points;
  const { kind, shown, smooth, guess, guessLog } = state;
  const series = seriesOf(now, kind, shown, smooth, guess, guessLog);
  const old = beforeOf(points, kind, measureOf(state), smooth, guess, guessLog);
  const axes = axesOf(series, old, points, state.zoom, state.xLog, state.yLog);
  const [line, lineBefore] = [drawnLine(state, now)?.of, drawnLine(state, before)?.of];
  const row = Math.min(state.list.cursor, sizes.size.length - 1);
  const [at, then] = [sizes.now[row], sizes.before[row]];
  const cursor = { x: sizes.size[row], y: at < 0 ? old.y[then] : series[0].y[at] };
  const drawn = withLines(series, old, line, lineBefore, axes, width);
  return drawPlot({ series: drawn, axes, cursor, xTitle }, width, height);
}

const noFocus = (_: CurveState, c: Context) => (c.focus < 0 ? 'no routine is in focus: choose one in Growth (5)' : undefined);
const ofCost = (state: CurveState) => (state.kind === 'cost' ? undefined : 'only the cost plot (p) has this');
const ofRatio = (state: CurveState) => (state.kind === 'ratio' ? undefined : 'only the ratio plot (p) has a guess');

const noLine = (state: CurveState, c: Context) => {
  const points = pointsIn(state, c);
  const drawn = LINES.some((line) => {
    const chosen = { ...state, lines: { [state.placed]: line } };
    return points && (drawnLine(chosen, points.now) || drawnLine(chosen, points.before));
  });
  return ofCost(state) ?? (drawn ? undefined : 'too few sizes for a fitted curve');
};

type CurveAction =
  | {
      readonly type: 'zoom-off' | 'next-context' | 'ask-predict';
    }
  | {
      readonly type: 'shown' | 'x-log' | 'y-log' | 'guess' | 'guess-log' | 'bucket' | 'smooth' | 'table' | 'line';
      readonly value?: string;
    }
  | { readonly type: 'plot'; readonly by: number; readonly value?: string }
  | { readonly type: 'point' | 'zoom' | 'pan'; readonly by: number };

const GUESS_NAMES = GUESSES.map(({ name }) => name);
const LOG_NAMES = ['as is', 'times log n', 'over log n'];
const BUCKET_NAMES = BUCKETS.map((by) => (by === 0 ? 'none' : `by ${by}^k`));
/** The number of the value of that name, or of the next one. */
const numberIn = (names: readonly string[], now: number, wanted: string | undefined) =>
  names.indexOf(chosen(names, names[now], wanted));

const BINDINGS: readonly Binding<CurveState, CurveAction, 'inputs'>[] = [
  key('right l j down', { type: 'point', by: 1 }, 'move', 'next point'),
  key('left h k up', { type: 'point', by: -1 }, 'move', 'previous point'),
  key('pagedown space', { type: 'point', by: 10 }, 'move', 'ten points forward'),
  key('pageup b', { type: 'point', by: -10 }, 'move', 'ten points back'),
  key('g home', { type: 'point', by: -1e9 }, 'move', 'first point'),
  key('G end', { type: 'point', by: 1e9 }, 'move', 'last point'),
  key('p', { type: 'plot', by: 1 }, 'show', 'next plot: cost, frequency, variance, total, amortized, ratio', {
    footer: 'plot',
    options: { of: 'plot', values: () => PLOTS, now: ({ kind }) => kind },
  }),
  key('', { type: 'shown' }, 'show', 'which cost to plot: worst, all three, average, best, self', {
    options: { of: 'cost', values: () => SHOWN, now: ({ shown }) => shown },
    off: ofCost,
  }),
  key('', { type: 'line' }, 'show', 'next fitted curve: law, robust, power, each class, none', {
    options: { of: 'fitted curve', values: () => LINES, now: chosenLine },
    off: noLine,
  }),
  key('', { type: 'x-log' }, 'show', 'linear or logarithmic size axis', {
    options: onOrOff('logarithmic sizes', ({ xLog }) => xLog),
  }),
  key('', { type: 'y-log' }, 'show', 'linear or logarithmic cost axis', {
    options: onOrOff('logarithmic costs', ({ yLog }) => yLog),
  }),
  key('+ =', { type: 'zoom', by: 0.5 }, 'show', 'zoom in around the cursor', { footer: 'zoom' }),
  key('-', { type: 'zoom', by: 2 }, 'show', 'zoom out'),
  key('ctrl-u', { type: 'pan', by: -0.25 }, 'move', 'scroll to smaller sizes'),
  key('ctrl-d', { type: 'pan', by: 0.25 }, 'move', 'scroll to larger sizes'),
  key('0', { type: 'zoom-off' }, 'show', 'show all sizes'),
  key('', { type: 'guess' }, 'show', 'next guess for the ratio plot: n to n³', {
    options: { of: 'guess', values: () => GUESS_NAMES, now: ({ guess }) => GUESS_NAMES[guess] },
    off: ofRatio,
  }),
  key('', { type: 'guess-log' }, 'show', 'multiply or divide the guess by log n', {
    options: { of: 'guess', values: () => LOG_NAMES, now: ({ guessLog }) => LOG_NAMES[guessLog] },
    off: ofRatio,
  }),
  key('', { type: 'bucket' }, 'show', 'bucket sizes by 2^k, by 10^k, or not at all', {
    options: { of: 'buckets of sizes', values: () => BUCKET_NAMES, now: ({ bucket }) => BUCKET_NAMES[BUCKETS.indexOf(bucket)] },
  }),
  key('', { type: 'smooth' }, 'show', `moving average over ${2 * SMOOTH + 1} points`, {
    options: onOrOff(`average over ${2 * SMOOTH + 1} points`, ({ smooth }) => smooth),
  }),
  key('', { type: 'table' }, 'show', 'show or hide the table of points', {
    options: onOrOff('table of points', ({ table }) => table),
  }),
  key('', { type: 'next-context' }, 'show', 'points of the next calling context, then of all', {
    off: (_, c) => (contextsOf(c.analysis, c.focus).length < 2 ? 'the routine has only one calling context' : undefined),
  }),
  key('', { type: 'ask-predict' }, 'do', 'predict the cost at any size', { off: noFocus }),
];

const whole = (why: string) => (state: CurveState) => (state.zoom ? why : 'all sizes are shown; + zooms in');

const KEYS = withReasons(
  BINDINGS,
  change,
  {
    right: 'this is the largest size',
    left: 'this is the smallest size',
    '+': 'you cannot zoom in any further',
    '-': 'all sizes are shown',
    'ctrl-u': whole('these are the smallest sizes'),
    'ctrl-d': whole('these are the largest sizes'),
    '0': 'all sizes are shown',
  },
  (state, c) => noFocus(state, c) ?? (rowsIn(state, c) === 0 ? 'the routine has no points' : undefined),
);

const PREDICT: Command<CurveState, 'inputs'> = {
  name: 'predict',
  arg: 'SIZE',
  help: 'predict the cost at any size',
  prompt: 'cost at size: ',
  run: (_, argument, c) => ({ say: predictText(c.analysis, c.focus, argument, baseIn(c)) }),
};

export const curve = entry<'curve', CurveState, CurveAction, 'inputs'>({
  id: 'curve',
  title: 'Curve',
  unfiltered: true,
  digit: '4',
  asks: ['inputs'],
  follows: [
    { flag: 'contexts', asks: 'contexts' },
    { flag: 'at', command: 'predict' },
  ],
  of: ofKind('inputs'),
  report: { name: 'curve', ofFocus: true },
  commands: [PREDICT],
  keys: KEYS,
  init: () => ({
    list: START,
    placed: -1,
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
  update: change,
  sync(state, c) {
    if (state.placed !== c.focus) return fresh(state, c, c.choices.contexts ? (contextsOf(c.analysis, c.focus)[0] ?? -1) : -1);
    const n = rowsIn(state, c);
    return state.list.cursor >= n && n > 0 ? { ...state, list: at(state.list, n - 1, n, c.height) } : state;
  },
  ofContext: (state, calling, c) => fresh(state, c, calling),
  draw(state, c) {
    const points = pointsIn(state, c);
    const lines = (list: ScreenLine[]) =>
      [...list, ...Array.from({ length: Math.max(0, c.height - list.length) }, () => textLine(''))].slice(0, c.height);
    if (!points || points.sizes.size.length === 0)
      return lines([
        textLine(
          ` ${c.focus < 0 ? 'no routine is in focus: choose one in Growth (5)' : 'the routine has no points'}`.slice(0, c.width),
          'dim',
        ),
      ]);
    const room = !points.compared ? BESIDE : c.width >= WIDE ? COMPARED_WIDE : COMPARED;
    const beside = state.table && c.width >= 100;
    const width = beside ? c.width - room - 1 : c.width;
    const head = legend(state, points, c, Math.max(1, Math.floor(c.height / LEGEND)));
    const height = Math.max(1, c.height - head.length);
    const left = plot(
      state,
      points,
      width,
      height,
      `size of the input (${visible(ends(c.analysis.profile.inputs.metric, width))}) →`,
    );
    if (!beside) return lines([...head, ...left]);
    const right = table(state, points, room, height);
    return lines([...head, ...left.map((l, i): ScreenLine => joined(l, width, right[i]))]);
  },
  rows: rowsIn,
  cursor: (state) => state.list.cursor,
  moveTo: (state, row, c) => ({ ...state, list: at(state.list, row, rowsIn(state, c), c.height) }),
  rowText: (state, row, c) => String(pointsIn(state, c)?.sizes.size[row] ?? ''),
  /** The row of a size. */
  goToRow(state, name, c) {
    const row = pointsIn(state, c)?.sizes.size.indexOf(Number(name)) ?? -1;
    return row < 0 ? state : { ...state, list: at(state.list, row, rowsIn(state, c), c.height) };
  },
  routineAt: (_, c) => c.focus,
  request: (_, action) => (action.type === 'ask-predict' ? { type: 'ask', command: 'predict' } : undefined),
  detail: pointDetail,
  printed: (state) => ({ unsaid: unsaid(state) }),
  mode: modeText,
});

/** The report has the worst costs of all contexts, over all sizes, with the law. */
function unsaid(state: CurveState): string | undefined {
  const { context, kind, shown, xLog, yLog, zoom, bucket, smooth } = state;
  if (context >= 0) return 'the curve of one calling context';
  if (kind !== 'cost') return `the plot "${PLOT_TITLES[kind]}"`;
  if (shown !== 'worst') return `the plot of ${shown === 'all' ? 'all three costs' : `${shown} costs`}`;
  if (chosenLine(state) !== 'law') return 'a fitted curve other than the law';
  if (xLog || yLog) return 'logarithmic axes';
  if (zoom) return 'a part of the sizes';
  return bucket > 0 || smooth ? 'sizes in buckets, or smoothed' : undefined;
}

function joined(left: ScreenLine, width: number, right: ScreenLine): ScreenLine {
  const used = left.spans.reduce((w, [t]) => w + t.length, 0);
  return { spans: [...left.spans, [' '.repeat(Math.max(0, width - used) + 1), 'plain'], ...right.spans] };
}

function fresh(state: CurveState, c: Context, context: number): CurveState {
  const next = { ...state, placed: c.focus, context, zoom: undefined, list: START };
  const n = rowsIn(next, c);
  // Start at the largest size: it matters most.
  return { ...next, list: at(START, n - 1, n, c.height) };
}

function change(state: CurveState, action: CurveAction, c: Context): CurveState {
  const points = pointsIn(state, c)?.sizes.size;
  const n = points?.length ?? 0;
  switch (action.type) {
    case 'point':
      return inSight({ ...state, list: at(state.list, state.list.cursor + action.by, n, c.height) }, points);
    case 'plot':
      return { ...state, kind: chosen(PLOTS, state.kind, action.value, action.by) };
    case 'shown':
      return { ...state, shown: chosen(SHOWN, state.shown, action.value) };
    case 'line':
      return { ...state, lines: { ...state.lines, [state.placed]: chosen(LINES, chosenLine(state), action.value) } };
    case 'x-log':
      return { ...state, xLog: switched(state.xLog, action.value) };
    case 'y-log':
      return { ...state, yLog: switched(state.yLog, action.value) };
    case 'zoom':
    case 'pan':
      return points && n > 0 ? zoomed(state, action.type, action.by, points) : state;
    case 'zoom-off':
      return { ...state, zoom: undefined };
    case 'guess':
      return { ...state, guess: numberIn(GUESS_NAMES, state.guess, action.value) };
    case 'guess-log':
      return { ...state, guessLog: numberIn(LOG_NAMES, state.guessLog, action.value) };
    case 'bucket': {
      const bucket = BUCKETS[numberIn(BUCKET_NAMES, BUCKETS.indexOf(state.bucket), action.value)];
      return { ...state, bucket, list: START, zoom: undefined };
    }
    case 'smooth':
      return { ...state, smooth: switched(state.smooth, action.value) };
    case 'table':
      return { ...state, table: switched(state.table, action.value) };
    case 'next-context': {
      const all = [-1, ...contextsOf(c.analysis, c.focus)];
      return fresh(state, c, all[(all.indexOf(state.context) + 1) % all.length]);
    }
    case 'ask-predict':
      return state;
  }
}

function zoomed(state: CurveState, what: 'zoom' | 'pan', by: number, sizes: Float64Array): CurveState {
  const all = rangeOf([sizes], state.xLog);
  const [from, to] = state.zoom ?? all;
  const log = state.xLog && from > 0;
  const to1 = (v: number) => (log ? Math.log(v) : v);
  const back = (v: number) => (log ? Math.exp(v) : v);
  const [a, b] = [to1(from), to1(to)];
  const [low, high] = [to1(all[0]), to1(all[1])];
  let width = b - a;
  let middle = (a + b) / 2;
  if (what === 'zoom') {
    width *= by;
    middle = to1(Math.max(sizes[Math.min(state.list.cursor, sizes.length - 1)], all[0]));
  } else middle += by * width;
  if (width >= high - low) return { ...state, zoom: undefined };
  const start = Math.max(low, Math.min(high - width, middle - width / 2));
  return { ...state, zoom: [back(start), back(start + width)] };
}

/** Moves the zoom to keep the cursor visible. */
function inSight(state: CurveState, sizes: Float64Array | undefined): CurveState {
  const size = sizes?.[state.list.cursor];
  if (!state.zoom || size === undefined || (size >= state.zoom[0] && size <= state.zoom[1])) return state;
  const width = state.zoom[1] - state.zoom[0];
  const from = size < state.zoom[0] ? size : size - width;
  return { ...state, zoom: [from, from + width] };
}
