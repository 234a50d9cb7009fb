// The Gantt view: steps over time, one row per lane, with the load of the machine below. The cursor moves from step to step.

import {
  activeSteps,
  buildDurationUs,
  endUs,
  jobConcurrency,
  neverRan,
  stepName,
  stepText,
} from '../../../analysis/answers/steps/steps.ts';
import { criticalPath, criticalPathOf } from '../../../analysis/builds/critical.ts';
import { failedSteps } from '../../../analysis/builds/stages.ts';
import { filterStatusText } from '../../../base/match.ts';
import { formatCount, plural } from '../../../base/units.ts';
import { baseOfKind } from '../../../columns/listing.ts';
import { rangeText, timeText } from '../../../columns/times.ts';
import { viewEntry } from '../../open-view.ts';
import { nextOnOff, nextValue, onOffKey } from '../../parts/options.ts';
import { hasNoStartTimes, nearestStep } from '../../parts/step-detail.ts';
import { withNoEffectReasons } from '../../parts/unchanged.ts';
import { type Binding, key, type View, type ViewContext } from '../../view.ts';
import { stepDetail } from '../step-detail.ts';
import { runningBuildText } from './bars.ts';
import { changesText, firstLaneToShow, laneRows, visibleWindow, wholeTimeWindow } from './before.ts';
import { densityLanes } from './density.ts';
import { drawChart, drawRunningSteps, emptyChartText } from './draw.ts';
import { layOutGantt } from './layout.ts';
import { openingWindow, phaseAt, phaseChoices, shownPhase, windowOfPhase } from './phases.ts';
import { RANGE_BINDINGS, type RangeAction, rangeRequest, rangeStartText, rebaseState } from './range.ts';
import { firstStepToShow, GANTT_COLOURS, type GanttState, ganttRows, orderIndexOf, stepColumnNames, stepFilter } from './rows.ts';

export type GanttAction =
  | RangeAction
  | { readonly type: 'enter' | 'failed' | 'idle' | 'zoom-off' | 'zoom-step' | 'waterfall' }
  | { readonly type: 'colour' | 'before' | 'phase'; readonly value?: string }
  | { readonly type: 'next-step' | 'lane' | 'critical' | 'zoom' | 'pan'; readonly by: number };

/** Scrolls the lanes and the zoomed window so that the step under the cursor is visible. */
function scrollToCursor(state: GanttState, c: ViewContext<'steps'>): GanttState {
  if (state.step < 0) return state;
  const steps = c.analysis.profile.steps;
  const lane = ganttRows(c).lanes.of[state.step];
  let { zoom } = state;
  const layout = layOutGantt(state, c);
  const top = firstLaneToShow(laneRows(state, c), lane, state.top, layout.lanes, layout.barHeight);
  if (zoom) {
    const [start, end] = [steps.startUs[state.step], endUs(steps, state.step)];
    const width = zoom.to - zoom.from;
    if (end < zoom.from || start > zoom.to) {
      const from = start - width / 4;
      zoom = phaseAt(start, state, c) ?? { from, to: from + width };
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
    options: { label: 'colour by', values: () => GANTT_COLOURS, current: ({ colour }) => colour },
  }),
  key('p', { type: 'phase' }, 'show', 'next phase: configure, build, tests …, then all of the time', {
    options: { label: 'phase', values: (_, c) => phaseChoices(c), current: shownPhase },
    off: (_, c) => (phaseChoices(c).length > 0 ? undefined : 'the record has one phase'),
  }),
  key('', { type: 'waterfall' }, 'view', 'one row a step: the waterfall, with the wait before each step'),
  onOffKey('before', 'show or hide base durations', 'times of the build before', ({ before }) => before, {
    usable: (c) => baseOfKind(c, 'steps') !== undefined,
    off: (_, c) => (baseOfKind(c, 'steps') ? undefined : 'there is no build to compare with: --base BUILD'),
  }),
  ...RANGE_BINDINGS,
];

const allShownText = ({ analysis }: ViewContext<'steps'>) =>
  analysis.profile.steps.clip
    ? 'the whole range that was chosen is shown; S shows it, and removes it'
    : 'the whole time is shown';
const panLimitReason = (why: string) => (state: GanttState, c: ViewContext<'steps'>) =>
  state.zoom ? why : `${allShownText(c)}; + zooms in`;

const KEYS = withNoEffectReasons(
  BINDINGS,
  (state, action, c) => scrollToCursor(applyAction(state, action, c), c),
  {
    right: 'this is the last step',
    left: 'this is the first step',
    down: 'there is no lane below',
    up: 'there is no lane above',
    ']': 'no later step is on the critical path',
    '[': 'no earlier step is on the critical path',
    idle: 'something ran all the time: there is no gap',
    '+': 'you cannot zoom in any further',
    '-': (_, c) => allShownText(c),
    'ctrl-u': panLimitReason('this is the beginning'),
    'ctrl-d': panLimitReason('this is the end'),
    '0': (_, c) => allShownText(c),
    z: 'this is the step already',
    'range-start': 'the range starts with this step already',
  },
  (_, c) => (ganttRows(c).order.length === 0 ? emptyChartText(c) : undefined),
);

const INITIAL_STATE: GanttState = { step: -1, top: 0, zoom: undefined, colour: 'role', before: true, rangeStart: undefined };

export const GANTT: View<'gantt', GanttState, GanttAction, 'steps'> = {
  id: 'gantt',
  title: 'Gantt',
  requires: ['steps'],
  kind: 'steps',
  report: { name: 'gantt', ofFocus: false },
  filterColumns: stepColumnNames,
  silent: hasNoStartTimes,
  followers: { beside: ['steps', 'step'], below: ['steps', 'step'] },
  hasPane: true,
  keys: KEYS,
  init: (c) => ({ ...INITIAL_STATE, zoom: openingWindow(c) }),
  update: (state, action, c) => scrollToCursor(applyAction(state, action, c), c),
  sync(state, c) {
    // While the filter is still running, the step under the cursor stays, because the filter may keep it.
    const stays = ganttRows(c).orderIndex[state.step] >= 0 || stepFilter(c)?.done === false;
    const step = stays ? state.step : firstStepToShow(state, c);
    return scrollToCursor(step === state.step ? state : { ...state, step }, c);
  },
  work: (_, c, ms) => (stepFilter(c)?.run(ms) ?? true) && criticalPathOf(c.analysis).run(ms),
  findStep: (state, step, c) => (ganttRows(c).orderIndex[step] >= 0 ? scrollToCursor({ ...state, step }, c) : state),
  draw: (state, c) => drawChart(state, c, drawRunningSteps),
  // One row for the axis, the lanes, and up to 4 strips.
  fullHeight: (_, c) => 1 + laneRows({ before: true, zoom: undefined }, c).above[ganttRows(c).lanes.count] + 4,
  printed: ({ zoom }) => ({ notInReport: zoom ? 'a part of the time' : undefined }),
  rowCount: (_, c) => ganttRows(c).order.length,
  cursor: ({ step }, c) => orderIndexOf(step, c),
  moveTo: (state, row, c) => scrollToCursor({ ...state, step: ganttRows(c).order[row] ?? -1 }, c),
  rowText: (_, row, c) => stepName(c.analysis.profile, ganttRows(c).order[row]),
  stepAt: (state) => state.step,
  request(state, action, c) {
    if (action.type === 'waterfall') return { type: 'show', view: 'waterfall' };
    if (action.type === 'enter') return state.step >= 0 ? { type: 'show', view: 'step' } : undefined;
    return rangeRequest(state, action, c);
  },
  close: (state) => (state.rangeStart === undefined ? undefined : { ...state, rangeStart: undefined }),
  rebase: (state, from, to) => rebaseState(state, from, to, INITIAL_STATE),
  detail: (state, c) => (state.step < 0 ? '' : stepDetail(c, state.step)),
  mode(state, c) {
    const { order, failed: bad } = ganttRows(c);
    // Skipped tests and expected failures also have exit codes, so failed tests are counted separately.
    const tests = bad.filter((i) => stepText(c.analysis.profile, 'role', i) === 'test').length;
    // A step of kind `whole` fails if one of its parts fails, so only the parts are counted.
    const own = new Set(bad.length > 0 ? failedSteps(c.analysis) : []);
    const failures = bad.filter((i) => own.has(i)).length;
    const window = visibleWindow(state, c);
    const groups = densityLanes(state, c, window).length;
    const lanes = groups || laneRows(state, c).tallAbove[ganttRows(c).lanes.count];
    const noun = groups > 0 && state.colour !== 'target' ? 'role' : 'lane';
    const all = c.filter ? 0 : activeSteps(c.analysis).length;
    // Active steps without a start come last.
    const rest = activeSteps(c.analysis).subarray(order.length);
    const did = rest.every((i) => neverRan(c.analysis.profile.steps, i)) ? 'ran' : 'have a start time';
    const changed = changesText(c);
    const choosing = rangeStartText(state, c);
    if (choosing !== undefined) return choosing;
    const when = rangeText(c.analysis) || timeText(buildDurationUs(c.analysis));
    return [
      `${order.length < all ? `${formatCount(order.length)} of ${plural(all, 'step')} ${did}` : plural(order.length, c.filter ? 'matching step' : 'step')}, ${when}${changed.time}${changed.steps}`,
      lanes > 0 ? `, ${plural(lanes, noun)}` : '',
      failures > 0 ? `, ${failures} failed` : '',
      tests > 0 ? `, ${plural(tests, 'test')} with exit codes` : '',
      runningBuildText(c),
      shownPhase(state, c) === '' ? `, showing ${timeText(window.to - window.from)}` : '',
      state.colour === 'role' ? '' : `, by ${state.colour}`,
      filterStatusText(c.matcher, stepFilter(c)),
    ].join('');
  },
};

export const ganttView = viewEntry(GANTT);

function applyAction(state: GanttState, action: GanttAction, c: ViewContext<'steps'>): GanttState {
  const steps = c.analysis.profile.steps;
  const { order } = ganttRows(c);
  const at = orderIndexOf(state.step, c);
  const stepAt = (k: number) => order[Math.max(0, Math.min(order.length - 1, k))] ?? -1;
  switch (action.type) {
    case 'next-step':
      return { ...state, step: stepAt(at + action.by) };
    case 'lane':
      return { ...state, step: nearestInLane(state, action.by, c) };
    case 'failed': {
      const bad = ganttRows(c).failed;
      const next = bad.find((i) => orderIndexOf(i, c) > at) ?? bad[0];
      return next === undefined ? state : { ...state, step: next };
    }
    case 'critical':
      return { ...state, step: nextCriticalStep(state.step, action.by, c) };
    case 'idle':
      return { ...state, step: stepAfterGap(state.step, c) };
    case 'zoom':
    case 'pan':
      return zoomOrPan(state, action.type, action.by, c);
    case 'zoom-step': {
      const start = steps.startUs[state.step];
      // The window also covers the step's bar of the base build.
      const end = Math.max(endUs(steps, state.step), laneRows(state, c).endUs[state.step] || Number.NEGATIVE_INFINITY);
      const margin = Math.max(1, (end - start) / 2);
      return { ...state, zoom: { from: start - margin, to: end + margin } };
    }
    case 'zoom-off':
      return { ...state, zoom: undefined };
    case 'colour':
      return { ...state, colour: nextValue(GANTT_COLOURS, state.colour, action.value) };
    case 'phase': {
      const zoom = windowOfPhase(nextValue(phaseChoices(c), shownPhase(state, c), action.value), c);
      const shown = { ...state, zoom };
      const { startUs } = steps;
      const isIn = !zoom || (startUs[state.step] >= zoom.from && startUs[state.step] <= zoom.to);
      return isIn ? shown : { ...shown, step: firstStepToShow(shown, c) };
    }
    case 'before':
      return { ...state, before: nextOnOff(state.before, action.value) };
    case 'range-start':
      return { ...state, rangeStart: steps.startUs[state.step] };
    default:
      return state;
  }
}

/** The next or previous step on the critical path; the given step if there is none. */
function nextCriticalStep(step: number, by: number, c: ViewContext<'steps'>): number {
  const { startUs } = c.analysis.profile.steps;
  const { orderIndex } = ganttRows(c);
  const path = criticalPath(c.analysis)
    .links.map((l) => l.step)
    .filter((s) => orderIndex[s] >= 0);
  const start = startUs[step] ?? 0;
  const at = orderIndexOf(step, c);
  const later = (s: number) => startUs[s] > start || (startUs[s] === start && orderIndexOf(s, c) > at);
  return (by > 0 ? path.find(later) : path.findLast((s) => startUs[s] < start)) ?? step;
}

/** The step that follows the next idle gap, wrapping around to the first gap; the given step if there is no gap. */
function stepAfterGap(step: number, c: ViewContext<'steps'>): number {
  const { startUs, durationUs } = c.analysis.profile.steps;
  const { us, running } = jobConcurrency(c.analysis);
  const now = startUs[step] ?? 0;
  let found = -1;
  for (let j = 0; j + 1 < us.length && (found < 0 || us[found + 1] <= now); j++)
    if (running[j] === 0 && (found < 0 || us[j + 1] > now)) found = j;
  const ends = found < 0 ? undefined : ganttRows(c).order.find((i) => startUs[i] === us[found + 1] && durationUs[i] > 0);
  return ends ?? step;
}

function nearestInLane(state: GanttState, by: number, c: ViewContext<'steps'>): number {
  const steps = c.analysis.profile.steps;
  const dense = densityLanes(state, c, visibleWindow(state, c));
  const next = dense[dense.findIndex((lane) => lane.steps.includes(state.step)) + by];
  if (dense.length > 0) return next ? nearestStep(steps, next.steps, steps.startUs[state.step]) : state.step;
  const lanes = ganttRows(c).lanes;
  let lane = lanes.of[state.step] + by;
  while (lane >= 0 && lane < lanes.count && lanes.steps[lane].length === 0) lane += by;
  const near = nearestStep(steps, lanes.steps[lane] ?? [], steps.startUs[state.step]);
  return near < 0 ? state.step : near;
}

function zoomOrPan(state: GanttState, what: 'zoom' | 'pan', by: number, c: ViewContext<'steps'>): GanttState {
  const steps = c.analysis.profile.steps;
  const { from: low, to: high } = wholeTimeWindow(state, c);
  const { from, to } = visibleWindow(state, c);
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
