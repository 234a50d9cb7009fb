// Curve: cost against input size for the routine in focus: points, the fitted law over them, and a cursor to read values.
import { lawText, otherLaws } from '../analysis/inputs/fit.ts';
import { type Measure, predictText } from '../analysis/inputs/laws.ts';
import { GUESSES, guessOf, LOGS, PLOT_TITLES, PLOTS } from '../analysis/inputs/plots.ts';
import type { Curve } from '../analysis/inputs/points.ts';
import { rangeOf } from '../base/plot.ts';
import { wrapped } from '../base/text.ts';
import { formatCost, formatCount, plural } from '../base/units.ts';
import { titleName } from '../columns/names.ts';
import { pointColumns } from '../columns/points.ts';
import {
  axesOf,
  BUCKETS,
  beforeOf,
  type CurveState,
  chosenLine,
  contextsOf,
  costs,
  curveIn,
  deviations,
  drawnLine,
  fitOf,
  LINES,
  measureOf,
  SHOWN,
  SMOOTH,
  seriesOf,
  withLine,
} from './curve-series.ts';
import { entry } from './open-view.ts';
import { at, START } from './parts/list.ts';
import { drawPlot } from './parts/plot.ts';
import { drawTable } from './parts/table.ts';
import { withReasons } from './parts/unchanged.ts';
import { type Binding, type Command, ofKind, type ScreenLine, textLine, type ViewContext } from './view.ts';

type Context = ViewContext<'inputs'>;

/** Narrower screens need the legend's room for the law. */
const COLOURS_FROM = 72;

/** What is drawn, in as many lines as it takes. */
function legend(state: CurveState, curve: Curve, c: Context): ScreenLine[] {
  const parts: string[] = [];
  if (state.kind !== 'cost')
    parts.push(state.kind === 'ratio' ? `worst cost / (${guessOf(state.guess, state.guessLog).name})` : PLOT_TITLES[state.kind]);
  else if (state.shown === 'all') parts.push(c.ascii ? 'w worst  a average  b best' : '▴ worst  ● average  ▾ best');
  else {
    const colours = c.width < COLOURS_FROM ? '' : ', bold from 10 % of the calls, coloured from 1 %';
    parts.push(`${state.shown}${state.shown === 'self' ? ' cost by itself' : ' cost of a call'}${colours}`);
  }
  const line = drawnLine(state, curve, c.ascii);
  const drawn = [line ? `${c.ascii ? '.' : '⠒'} ${line.name}` : ''];
  if (state.kind === 'cost' && chosenLine(state) === 'law') drawn.push(...doubts(curve, measureOf(state), c.ascii));
  const old = before(state, c) ? `${c.ascii ? 'o' : '○'} before` : '';
  return [parts.join('   '), [drawn.filter((t) => t !== '').join(', '), old].filter((t) => t !== '').join('   ')]
    .filter((t) => t !== '')
    .flatMap((t) => wrapped(t, c.width - 2, c.width - 2, 0.3))
    .map((t): ScreenLine => ({ spans: [[` ${t.trimEnd()}`, 'dim']] }));
}

/** What the law leaves open: other laws, and points that do not follow it. */
function doubts(curve: Curve, measure: Measure, ascii: boolean): string[] {
  const fit = fitOf(curve, measure);
  if (!fit?.law) return [fit ? 'no law fits' : 'too few sizes for a law'];
  const others = otherLaws(fit, ascii);
  const open = others.length > 0 ? `undecided: ${others.join(', ')} would fit, too` : 'undecided: the costs scatter';
  return [fit.outliers > 0 ? `without ${plural(fit.outliers, 'outlier')}` : '', fit.undecided ? open : ''];
}

/** The points of the run to compare with. */
const before = (state: CurveState, c: Context) =>
  state.kind === 'cost' && state.context < 0 && state.base === 0
    ? beforeOf(c.analysis, c.base, c.focus, measureOf(state), c.ascii)
    : undefined;

/** Cells of the table beside the plot. */
const BESIDE = 46;

function table(state: CurveState, curve: Curve, c: Context, width: number, height: number): ScreenLine[] {
  const spec = {
    columns: pointColumns(curve, c),
    rows: curve.size.length,
    row: (row: number) => row,
    empty: 'no points',
  };
  return drawTable(spec, at(state.list, state.list.cursor, curve.size.length, height - 1), width, height, c.ascii);
}

const noFocus = (_: CurveState, c: Context) => (c.focus < 0 ? 'no routine is in focus: choose one in Growth (5)' : undefined);
const ofCost = (state: CurveState) => (state.kind === 'cost' ? undefined : 'only the cost plot (p) has this');
const ofRatio = (state: CurveState) => (state.kind === 'ratio' ? undefined : 'only the ratio plot (p) has a guess');

const noLine = (state: CurveState, c: Context) => {
  const points = curveIn(state, c);
  const drawn = LINES.some((line) => points && drawnLine({ ...state, lines: { [state.placed]: line } }, points, c.ascii));
  return ofCost(state) ?? (drawn ? undefined : 'too few sizes for a fitted curve');
};

type CurveAction =
  | {
      readonly type:
        | 'shown'
        | 'x-log'
        | 'y-log'
        | 'zoom-off'
        | 'guess-log'
        | 'bucket'
        | 'smooth'
        | 'table'
        | 'next-context'
        | 'ask-predict';
    }
  | { readonly type: 'point' | 'plot' | 'line' | 'zoom' | 'pan' | 'guess'; readonly by: number };

const BINDINGS: readonly Binding<CurveState, CurveAction, 'inputs'>[] = [
  { keys: ['right', 'l', 'j', 'down'], action: { type: 'point', by: 1 }, help: 'next point', group: 'move' },
  { keys: ['left', 'h', 'k', 'up'], action: { type: 'point', by: -1 }, help: 'previous point', group: 'move' },
  { keys: ['pagedown', 'space'], action: { type: 'point', by: 10 }, help: 'ten points forward', group: 'move' },
  { keys: ['pageup'], action: { type: 'point', by: -10 }, help: 'ten points back', group: 'move' },
  { keys: ['g', 'home'], action: { type: 'point', by: -1e9 }, help: 'first point', group: 'move' },
  { keys: ['G', 'end'], action: { type: 'point', by: 1e9 }, help: 'last point', group: 'move' },
  {
    keys: ['p'],
    action: { type: 'plot', by: 1 },
    help: 'next plot: cost, frequency, variance, total, amortized, ratio',
    group: 'show',
    footer: 'plot',
  },
  {
    keys: ['w'],
    action: { type: 'shown' },
    help: 'which cost to plot: worst, all three, average, best, self',
    group: 'show',
    footer: 'cost',
    off: ofCost,
  },
  {
    keys: ['f'],
    action: { type: 'line', by: 1 },
    help: 'next fitted curve: law, robust, power, each class, none',
    group: 'show',
    footer: 'fit',
    off: noLine,
  },
  { keys: ['F'], action: { type: 'line', by: -1 }, help: 'previous fitted curve', group: 'show', off: noLine },
  { keys: ['X'], action: { type: 'x-log' }, help: 'linear or logarithmic size axis', group: 'show', footer: 'x log' },
  { keys: ['Y'], action: { type: 'y-log' }, help: 'linear or logarithmic cost axis', group: 'show', footer: 'y log' },
  { keys: ['+', '='], action: { type: 'zoom', by: 0.5 }, help: 'zoom in around the cursor', group: 'show', footer: 'zoom' },
  { keys: ['-'], action: { type: 'zoom', by: 2 }, help: 'zoom out', group: 'show' },
  { keys: ['['], action: { type: 'pan', by: -0.25 }, help: 'scroll to smaller sizes', group: 'move' },
  { keys: [']'], action: { type: 'pan', by: 0.25 }, help: 'scroll to larger sizes', group: 'move' },
  { keys: ['0'], action: { type: 'zoom-off' }, help: 'show all sizes', group: 'show' },
  { keys: ['a'], action: { type: 'guess', by: 1 }, help: 'next guess for the ratio plot: n to n³', group: 'show', off: ofRatio },
  { keys: ['A'], action: { type: 'guess', by: -1 }, help: 'previous guess', group: 'show', off: ofRatio },
  { keys: ['o'], action: { type: 'guess-log' }, help: 'guess times log n, over log n, or as is', group: 'show', off: ofRatio },
  { keys: ['b'], action: { type: 'bucket' }, help: 'bucket sizes by 2^k, by 10^k, or not at all', group: 'show' },
  { keys: ['s'], action: { type: 'smooth' }, help: `moving average over ${2 * SMOOTH + 1} points`, group: 'show' },
  { keys: ['L'], action: { type: 'table' }, help: 'show or hide the table of points', group: 'show' },
  {
    keys: ['c'],
    action: { type: 'next-context' },
    help: 'points of the next calling context, then of all',
    group: 'show',
    off: (_, c) => (contextsOf(c.analysis, c.focus).length < 2 ? 'the routine has only one calling context' : undefined),
  },
  {
    keys: ['e'],
    action: { type: 'ask-predict' },
    help: 'predict the cost at any size',
    group: 'do',
    footer: 'at size',
    off: noFocus,
  },
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
    '[': whole('these are the smallest sizes'),
    ']': whole('these are the largest sizes'),
    '0': 'all sizes are shown',
  },
  (state, c) => noFocus(state, c) ?? ((curveIn(state, c)?.size.length ?? 0) === 0 ? 'the routine has no points' : undefined),
);

const PREDICT: Command<CurveState, 'inputs'> = {
  name: 'predict',
  arg: 'SIZE',
  help: 'predict the cost at any size',
  prompt: 'cost at size: ',
  run: (_, argument, c) => ({ say: predictText(c.analysis, c.focus, argument, c.ascii) }),
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
    base: 0,
    smooth: false,
    table: true,
  }),
  update: change,
  sync(state, c) {
    if (state.placed !== c.focus) return fresh(state, c, c.choices.contexts ? (contextsOf(c.analysis, c.focus)[0] ?? -1) : -1);
    const n = curveIn(state, c)?.size.length ?? 0;
    return state.list.cursor >= n && n > 0 ? { ...state, list: at(state.list, n - 1, n, c.height) } : state;
  },
  ofContext: (state, calling, c) => fresh(state, c, calling),
  draw(state, c) {
    const points = curveIn(state, c);
    const lines = (list: ScreenLine[]) =>
      [...list, ...Array.from({ length: Math.max(0, c.height - list.length) }, () => textLine(''))].slice(0, c.height);
    if (!points || points.size.length === 0)
      return lines([
        textLine(
          ` ${c.focus < 0 ? 'no routine is in focus: choose one in Growth (5)' : 'the routine has no points'}`.slice(0, c.width),
          'dim',
        ),
      ]);
    const series = seriesOf(points, state.kind, state.shown, state.smooth, state.guess, state.guessLog, c.ascii);
    const old = before(state, c);
    const axes = axesOf(series, old, points, state.zoom, state.xLog, state.yLog);
    const beside = state.table && c.width >= 100;
    const width = beside ? c.width - BESIDE - 1 : c.width;
    const line = drawnLine(state, points, c.ascii);
    const drawn = withLine(series, line?.of, axes, width, old);
    const row = Math.min(state.list.cursor, points.size.length - 1);
    const cursor = { x: points.size[row], y: series[0].y[row] };
    const head = legend(state, points, c).slice(0, Math.max(1, c.height >> 1));
    const height = Math.max(1, c.height - head.length);
    const plot = drawPlot({ series: drawn, axes, cursor }, width, height, c.ascii);
    if (!beside) return lines([...head, ...plot]);
    const right = table(state, points, c, BESIDE, height);
    return lines([...head, ...plot.map((l, i): ScreenLine => joined(l, width, right[i]))]);
  },
  rows: (state, c) => curveIn(state, c)?.size.length ?? 0,
  cursor: (state) => state.list.cursor,
  moveTo: (state, row, c) => ({ ...state, list: at(state.list, row, curveIn(state, c)?.size.length ?? 0, c.height) }),
  rowText: (state, row, c) => String(curveIn(state, c)?.size[row] ?? ''),
  routineAt: (_, c) => c.focus,
  request: (_, action) => (action.type === 'ask-predict' ? { type: 'ask', command: 'predict' } : undefined),
  detail(state, c) {
    const points = curveIn(state, c);
    const row = state.list.cursor;
    if (!points || row >= points.size.length) return '';
    const unit = c.event.unit;
    const show = (v: number | undefined) => (v === undefined || Number.isNaN(v) ? '?' : formatCost(Math.round(v), unit));
    const of = (m: Measure) => show(costs(points, m)[row]);
    const sd = deviations(points)[row];
    const law = drawnLine(state, points, c.ascii);
    return (
      `size ${formatCount(points.size[row])}: ${plural(points.calls?.[row] ?? 0, 'call')}, worst ${of('worst')}, average ${of('average')}, best ${of('best')}, self ${of('self')}` +
      `${Number.isNaN(sd) ? '' : `, sd ${show(sd)}`}${law ? `; ${law.name.replace(/ \(.*/, '')} says ${show(law.of(points.size[row]))}` : ''}`
    );
  },
  printed: (state) => ({ unsaid: unsaid(state) }),
  mode(state, c, room) {
    if (c.focus < 0) return '';
    const points = curveIn(state, c);
    const law = points && state.kind === 'cost' ? lawText(fitOf(points, measureOf(state)), c.ascii) : '';
    const where = state.context < 0 ? '' : ` in ${pathOf(c, state.context)}`;
    const how = [state.base > 0 ? `buckets of ${state.base}^k` : '', state.smooth ? 'smoothed' : '', state.zoom ? 'zoomed' : '']
      .filter((t) => t)
      .join(', ');
    const rest = `${where}${law ? `: ${law}` : ''}${how ? `, ${how}` : ''}`;
    return titleName(c, c.focus, room - rest.length) + rest;
  },
});

/** The report has the worst costs of all contexts, over all sizes, with the law. */
function unsaid(state: CurveState): string | undefined {
  const { context, kind, shown, xLog, yLog, zoom, base, smooth } = state;
  if (context >= 0) return 'the curve of one calling context';
  if (kind !== 'cost') return `the plot "${PLOT_TITLES[kind]}"`;
  if (shown !== 'worst') return `the plot of ${shown === 'all' ? 'all three costs' : `${shown} costs`}`;
  if (chosenLine(state) !== 'law') return 'another fitted curve than the law';
  if (xLog || yLog) return 'logarithmic axes';
  if (zoom) return 'a part of the sizes';
  return base > 0 || smooth ? 'sizes in buckets, or smoothed' : undefined;
}

/** The callers of a context, from the root down. */
function pathOf(c: Context, context: number): string {
  const { contexts } = c.analysis.profile;
  if (!contexts) return '';
  const names: string[] = [];
  for (let k = contexts.parent[context]; k >= 0; k = contexts.parent[k]) names.unshift(titleName(c, contexts.routine[k], 24));
  return names.slice(-4).join(c.ascii ? ' > ' : ' → ') || 'no caller';
}

function joined(left: ScreenLine, width: number, right: ScreenLine): ScreenLine {
  const used = left.spans.reduce((w, [t]) => w + t.length, 0);
  return { spans: [...left.spans, [' '.repeat(Math.max(0, width - used) + 1), 'plain'], ...right.spans] };
}

function fresh(state: CurveState, c: Context, context: number): CurveState {
  const next = { ...state, placed: c.focus, context, zoom: undefined, list: START };
  const n = curveIn(next, c)?.size.length ?? 0;
  // Start at the largest size: it matters most.
  return { ...next, list: at(START, n - 1, n, c.height) };
}

function change(state: CurveState, action: CurveAction, c: Context): CurveState {
  const points = curveIn(state, c);
  const n = points?.size.length ?? 0;
  const next = <T>(list: readonly T[], now: T, step = 1): T => list[(list.indexOf(now) + step + list.length) % list.length];
  switch (action.type) {
    case 'point':
      return inSight({ ...state, list: at(state.list, state.list.cursor + action.by, n, c.height) }, points);
    case 'plot':
      return { ...state, kind: next(PLOTS, state.kind, action.by) };
    case 'shown':
      return { ...state, shown: next(SHOWN, state.shown) };
    case 'line':
      return { ...state, lines: { ...state.lines, [state.placed]: next(LINES, chosenLine(state), action.by) } };
    case 'x-log':
      return { ...state, xLog: !state.xLog };
    case 'y-log':
      return { ...state, yLog: !state.yLog };
    case 'zoom':
    case 'pan':
      return points && n > 0 ? zoomed(state, action.type, action.by, points) : state;
    case 'zoom-off':
      return { ...state, zoom: undefined };
    case 'guess':
      return { ...state, guess: (state.guess + action.by + GUESSES.length) % GUESSES.length };
    case 'guess-log':
      return { ...state, guessLog: (state.guessLog + 1) % LOGS.length };
    case 'bucket':
      return { ...state, base: next(BUCKETS, state.base), list: START, zoom: undefined };
    case 'smooth':
      return { ...state, smooth: !state.smooth };
    case 'table':
      return { ...state, table: !state.table };
    case 'next-context': {
      const all = [-1, ...contextsOf(c.analysis, c.focus)];
      return fresh(state, c, next(all, state.context));
    }
    case 'ask-predict':
      return state;
  }
}

function zoomed(state: CurveState, what: 'zoom' | 'pan', by: number, points: Curve): CurveState {
  const all = rangeOf([points.size], state.xLog);
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
    middle = to1(Math.max(points.size[Math.min(state.list.cursor, points.size.length - 1)], all[0]));
  } else middle += by * width;
  if (width >= high - low) return { ...state, zoom: undefined };
  const start = Math.max(low, Math.min(high - width, middle - width / 2));
  return { ...state, zoom: [back(start), back(start + width)] };
}

/** Moves the zoom to keep the cursor visible. */
function inSight(state: CurveState, points: Curve | undefined): CurveState {
  const size = points?.size[state.list.cursor];
  if (!state.zoom || size === undefined || (size >= state.zoom[0] && size <= state.zoom[1])) return state;
  const width = state.zoom[1] - state.zoom[0];
  const from = size < state.zoom[0] ? size : size - width;
  return { ...state, zoom: [from, from + width] };
}
