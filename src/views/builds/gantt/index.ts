// Gantt: steps over time, one line per lane, with the machine's load below; the cursor moves from step to step.

import { buildUs, endUs, jobConcurrency, stepName, stepText, windowOf } from '../../../analysis/answers/steps/steps.ts';
import { criticalPath, criticalPathOf } from '../../../analysis/builds/critical.ts';
import { failedSteps } from '../../../analysis/builds/stages.ts';
import { filterText } from '../../../base/match.ts';
import { plural } from '../../../base/units.ts';
import { rangeText, timeText } from '../../../columns/times.ts';
import { entry } from '../../open-view.ts';
import { chosen, onOrOff, switched } from '../../parts/options.ts';
import { nothingRan } from '../../parts/step-detail.ts';
import { withReasons } from '../../parts/unchanged.ts';
import { type Binding, key, ofKind, type View, type ViewContext } from '../../view.ts';
import { stepDetail } from '../step-detail.ts';
import { liveText } from './bars.ts';
import { buildBefore, changesText, laneRows, topFor, wholeWindow } from './before.ts';
import { drawChart, drawMoment, nothingText, windowIn } from './draw.ts';
import { layoutOf } from './layout.ts';
import { moved, RANGE_BINDINGS, type RangeAction, rangeRequest, startText } from './range.ts';
import { COLOURS, type GanttState, ganttRows, placeOf, stepSifting } from './rows.ts';

/** Time between stages is said where it is more than this part of the build. */
const IDLE = 0.05;

type Context = ViewContext<'steps'>;

export type GanttAction =
  | RangeAction
  | { readonly type: 'enter' | 'failed' | 'idle' | 'zoom-off' | 'zoom-step' | 'waterfall' }
  | { readonly type: 'colour' | 'before'; readonly value?: string }
  | { readonly type: 'next-step' | 'lane' | 'critical' | 'zoom' | 'pan'; readonly by: number };

/** Scrolls lanes and zoom so that the step under the cursor is visible. */
function inSight(state: GanttState, c: Context): GanttState {
  if (state.step < 0) return state;
  const steps = c.analysis.profile.steps;
  const lane = ganttRows(c).lanes.of[state.step];
  let { zoom } = state;
  const layout = layoutOf(state, c);
  const top = topFor(laneRows(state, c), lane, state.top, layout.lanes, layout.tall);
  if (zoom) {
    const [start, end] = [steps.startUs[state.step], endUs(steps, state.step)];
    const width = zoom.to - zoom.from;
    if (end < zoom.from || start > zoom.to) {
      const from = start - width / 4;
      zoom = { from, to: from + width };
    }
  }
  return top === state.top && zoom === state.zoom ? state : { ...state, top, zoom };
}

const BINDINGS: readonly Binding<GanttState, GanttAction, 'steps'>[] = [
  key('right l', { type: 'next-step', by: 1 }, 'move', 'next step in time'),
  key('left h', { type: 'next-step', by: -1 }, 'move', 'previous step in time'),
  key('down j', { type: 'lane', by: 1 }, 'move', 'lane below'),
  key('up k', { type: 'lane', by: -1 }, 'move', 'lane above'),
  key('pagedown space', { type: 'next-step', by: 20 }, 'move', '20 steps forward'),
  key('pageup b', { type: 'next-step', by: -20 }, 'move', '20 steps back'),
  key('g home', { type: 'next-step', by: -1e9 }, 'move', 'first step'),
  key('G end', { type: 'next-step', by: 1e9 }, 'move', 'last step'),
  key('enter', { type: 'enter' }, 'view', 'show the step in full', { footer: 'step' }),
  key(']', { type: 'critical', by: 1 }, 'move', 'next step on the critical path', { footer: 'critical' }),
  key('[', { type: 'critical', by: -1 }, 'move', 'previous step on the critical path'),
  key('', { type: 'failed' }, 'do', 'go to the next failed step', {
    off: (_, c) =>
      ganttRows(c).failed.length > 0 ? undefined : `no step${c.filter ? ' that matches' : ''} has a nonzero result`,
  }),
  key('', { type: 'idle' }, 'do', 'go past the next gap in which nothing ran'),
  key('+ =', { type: 'zoom', by: 0.5 }, 'show', 'zoom in around the cursor', { footer: 'zoom' }),
  key('-', { type: 'zoom', by: 2 }, 'show', 'zoom out'),
  key('ctrl-u', { type: 'pan', by: -0.25 }, 'move', 'scroll to earlier times'),
  key('ctrl-d', { type: 'pan', by: 0.25 }, 'move', 'scroll to later times'),
  key('0', { type: 'zoom-off' }, 'show', 'show the whole time range'),
  key('z', { type: 'zoom-step' }, 'show', 'zoom to the step'),
  key('', { type: 'colour' }, 'show', 'colour by role, target, time, language or result', {
    options: { of: 'colour by', values: () => COLOURS, now: ({ colour }) => colour },
  }),
  key('', { type: 'waterfall' }, 'view', 'one row a step: the waterfall, with the wait before each step'),
  key('', { type: 'before' }, 'show', 'show or hide base durations', {
    options: onOrOff('times of the build before', ({ before }) => before),
    usable: (c) => buildBefore(c) !== undefined,
    off: (_, c) => (buildBefore(c) ? undefined : 'there is no build to compare with: --base BUILD'),
  }),
  ...RANGE_BINDINGS,
];

const allShown = ({ analysis }: Context) =>
  analysis.profile.steps.clip
    ? 'the whole range that was chosen is shown; S shows it, and removes it'
    : 'the whole time is shown';
const whole = (why: string) => (state: GanttState, c: Context) => (state.zoom ? why : `${allShown(c)}; + zooms in`);

const KEYS = withReasons(
  BINDINGS,
  (state, action, c) => inSight(change(state, action, c), c),
  {
    right: 'this is the last step',
    left: 'this is the first step',
    down: 'there is no lane below',
    up: 'there is no lane above',
    ']': 'no later step is on the critical path',
    '[': 'no earlier step is on the critical path',
    idle: 'something ran all the time: there is no gap',
    '+': 'you cannot zoom in any further',
    '-': (_, c) => allShown(c),
    'ctrl-u': whole('this is the beginning'),
    'ctrl-d': whole('this is the end'),
    '0': (_, c) => allShown(c),
    z: 'this is the step already',
    '{': 'the range starts with this step already',
  },
  (_, c) => (ganttRows(c).order.length === 0 ? nothingText(c) : undefined),
);

const FRESH: GanttState = { step: -1, top: 0, zoom: undefined, colour: 'role', before: true, start: undefined };

export const GANTT: View<'gantt', GanttState, GanttAction, 'steps'> = {
  id: 'gantt',
  title: 'Gantt',
  digit: '4',
  asks: ['steps'],
  of: ofKind('steps'),
  report: { name: 'gantt', ofFocus: false },
  silent: nothingRan,
  followers: { beside: ['steps', 'step'], below: ['steps', 'step'] },
  keys: KEYS,
  init: () => FRESH,
  update: (state, action, c) => inSight(change(state, action, c), c),
  sync(state, c) {
    const { first, place } = ganttRows(c);
    // A step that the filter has not come to yet may be kept.
    const stays = place[state.step] >= 0 || state.step === first || stepSifting(c)?.done === false;
    return inSight(stays ? state : { ...state, step: first }, c);
  },
  work: (_, c, ms) => (stepSifting(c)?.run(ms) ?? true) && criticalPathOf(c.analysis).run(ms),
  findStep: (state, step, c) => (ganttRows(c).place[step] >= 0 ? inSight({ ...state, step }, c) : state),
  draw: (state, c) => drawChart(state, c, drawMoment),
  // The axis, the lanes, and as many strips as there are at most.
  tall: (c) => 1 + laneRows({ before: true }, c).above[ganttRows(c).lanes.count] + 4,
  printed: ({ zoom }) => ({ unsaid: zoom ? 'a part of the time' : undefined }),
  rows: (_, c) => ganttRows(c).order.length,
  cursor: ({ step }, c) => placeOf(step, c),
  moveTo: (state, row, c) => inSight({ ...state, step: ganttRows(c).order[row] ?? -1 }, c),
  rowText: (_, row, c) => stepName(c.analysis.profile, ganttRows(c).order[row]),
  stepAt: (state) => state.step,
  request(state, action, c) {
    if (action.type === 'waterfall') return { type: 'show', view: 'waterfall' };
    if (action.type === 'enter') return state.step >= 0 ? { type: 'show', view: 'step' } : undefined;
    return rangeRequest(state, action, c);
  },
  close: (state) => (state.start === undefined ? undefined : { ...state, start: undefined }),
  rebase: (state, from, to) => moved(state, from, to, FRESH),
  detail: (state, c) => (state.step < 0 ? '' : stepDetail(c, state.step)),
  mode(state, c) {
    const { order, failed: bad } = ganttRows(c);
    // Tests that are expected to fail, or skipped, have exit codes, too.
    const tests = bad.filter((i) => stepText(c.analysis.profile, 'role', i) === 'test').length;
    // A whole fails with one of its steps.
    const own = new Set(bad.length > 0 ? failedSteps(c.analysis) : []);
    const failures = bad.filter((i) => own.has(i)).length;
    const lanes = laneRows(state, c).tallAbove[ganttRows(c).lanes.count];
    const window = windowIn(state, c);
    const changed = changesText(c);
    const choosing = startText(state, c);
    if (choosing !== undefined) return choosing;
    const took = buildUs(c.analysis);
    const [from, to] = windowOf(c.analysis);
    const idle = to - from - took;
    const when = rangeText(c.analysis) || timeText(took);
    return [
      `${plural(order.length, 'step')}${c.filter ? ' that match' : ''}, ${when}${changed.time}${changed.steps}`,
      idle > IDLE * took ? `, ${timeText(idle)} between stages` : '',
      lanes > 0 ? `, ${plural(lanes, 'lane')}` : '',
      failures > 0 ? `, ${failures} failed` : '',
      tests > 0 ? `, ${plural(tests, 'test')} with exit codes` : '',
      liveText(c),
      state.zoom ? `, showing ${timeText(window.to - window.from)}` : '',
      state.colour === 'role' ? '' : `, by ${state.colour}`,
      filterText(c.matcher, stepSifting(c)),
    ].join('');
  },
};

export const gantt = entry(GANTT);

function change(state: GanttState, action: GanttAction, c: Context): GanttState {
  const steps = c.analysis.profile.steps;
  const { order } = ganttRows(c);
  const at = placeOf(state.step, c);
  const clamp = (k: number) => order[Math.max(0, Math.min(order.length - 1, k))] ?? -1;
  switch (action.type) {
    case 'next-step':
      return { ...state, step: clamp(at + action.by) };
    case 'lane':
      return { ...state, step: inLane(state, action.by, c) };
    case 'failed': {
      const bad = ganttRows(c).failed;
      const next = bad.find((i) => placeOf(i, c) > at) ?? bad[0];
      return next === undefined ? state : { ...state, step: next };
    }
    case 'critical':
      return { ...state, step: criticalFrom(state.step, action.by, c) };
    case 'idle':
      return { ...state, step: behindGap(state.step, c) };
    case 'zoom':
    case 'pan':
      return zoomed(state, action.type, action.by, c);
    case 'zoom-step': {
      const start = steps.startUs[state.step];
      // With the bar of the build before, if it has one.
      const end = Math.max(endUs(steps, state.step), laneRows(state, c).endUs[state.step] || Number.NEGATIVE_INFINITY);
      const margin = Math.max(1, (end - start) / 2);
      return { ...state, zoom: { from: start - margin, to: end + margin } };
    }
    case 'zoom-off':
      return { ...state, zoom: undefined };
    case 'colour':
      return { ...state, colour: chosen(COLOURS, state.colour, action.value) };
    case 'before':
      return { ...state, before: switched(state.before, action.value) };
    case 'range-start':
      return { ...state, start: steps.startUs[state.step] };
    case 'waterfall':
    case 'enter':
    case 'range-end':
    case 'range-window':
      return state;
  }
}

/** The next or previous step on the critical path; the same step if there is none. */
function criticalFrom(step: number, by: number, c: Context): number {
  const { startUs } = c.analysis.profile.steps;
  const { place } = ganttRows(c);
  const path = criticalPath(c.analysis)
    .links.map((l) => l.step)
    .filter((s) => place[s] >= 0);
  const start = startUs[step] ?? 0;
  const at = placeOf(step, c);
  const later = (s: number) => startUs[s] > start || (startUs[s] === start && placeOf(s, c) > at);
  return (by > 0 ? path.find(later) : path.findLast((s) => startUs[s] < start)) ?? step;
}

/** The step that ends the next gap after the cursor, else the first gap; the same step if there is none. */
function behindGap(step: number, c: Context): number {
  const { startUs, durationUs } = c.analysis.profile.steps;
  const { us, running } = jobConcurrency(c.analysis);
  const now = startUs[step] ?? 0;
  let found = -1;
  for (let j = 0; j + 1 < us.length && (found < 0 || us[found + 1] <= now); j++)
    if (running[j] === 0 && (found < 0 || us[j + 1] > now)) found = j;
  const ends = found < 0 ? undefined : ganttRows(c).order.find((i) => startUs[i] === us[found + 1] && durationUs[i] > 0);
  return ends ?? step;
}

/** The step nearest in time in another lane. */
function inLane(state: GanttState, by: number, c: Context): number {
  const steps = c.analysis.profile.steps;
  const lanes = ganttRows(c).lanes;
  let lane = lanes.of[state.step] + by;
  while (lane >= 0 && lane < lanes.count && lanes.steps[lane].length === 0) lane += by;
  const list = lanes.steps[lane];
  if (!list || list.length === 0) return state.step;
  const middle = steps.startUs[state.step];
  let best = list[0];
  const away = (i: number) => Math.max(0, steps.startUs[i] - middle, middle - endUs(steps, i));
  for (const i of list) if (away(i) < away(best)) best = i;
  return best;
}

function zoomed(state: GanttState, what: 'zoom' | 'pan', by: number, c: Context): GanttState {
  const steps = c.analysis.profile.steps;
  const { from: low, to: high } = wholeWindow(state, c);
  const { from, to } = windowIn(state, c);
  let width = to - from;
  let middle = (from + to) / 2;
  if (what === 'zoom') {
    width *= by;
    if (state.step >= 0 && by < 1) {
      const start = Math.max(from, steps.startUs[state.step]);
      middle = (start + Math.min(to, endUs(steps, state.step))) / 2;
    }
  } else middle += by * width;
  if (width >= high - low) return { ...state, zoom: undefined };
  // One microsecond per cell is the resolution of the data.
  width = Math.max(width, Math.min(high - low, c.width));
  const start = Math.max(low - width / 4, Math.min(high - (width * 3) / 4, middle - width / 2));
  return { ...state, zoom: { from: start, to: start + width } };
}
