// The Flame view in time order: the slices of each track, with nested slices below their parents.
import { analyse } from '../../analysis/answers/analyse.ts';
import { isContextOf } from '../../analysis/answers/analysis.ts';
import { lanesOf } from '../../analysis/answers/steps/lanes.ts';
import { endUs, hasRun, stepName, timeWindowOf, wholeWindowOf } from '../../analysis/answers/steps/steps.ts';
import { samplesAsSteps } from '../../analysis/profiles/samples-in-time.ts';
import { memo } from '../../base/lists.ts';
import type { CompiledSearch } from '../../base/match.ts';
import { cutEnd, fit, keepEnds, visible } from '../../base/text.ts';
import { timeAxisText, timeText } from '../../columns/times.ts';
import type { Event } from '../../model/head.ts';
import type { ProfileOf } from '../../model/profile.ts';
import { fillHeight } from '../parts/lines.ts';
import { nearestStep, stepNameInWidth } from '../parts/step-detail.ts';
import { barGlyphs, drawLane, indexInLane, type LaneSpec, mergedCountLabel, type TimeWindow } from '../parts/timeline.ts';
import type { ScreenLine, SearchResult, Span, ViewAction, ViewContext } from '../view.ts';
import { currentFilter, type FlameState, type TimeState } from './state.ts';

/** Whether the profile records when calls ran: it is a trace, or its samples have times. */
export const hasTimes = ({ analysis: { profile } }: ViewContext): boolean =>
  profile.kind === 'steps' || (profile.kind === 'stacks' && profile.times !== undefined);

const timedCallsOf = memo((profile: ProfileOf<'stacks'>, event: Event, partsOff: ReadonlySet<number>) => {
  const calls = profile.times && samplesAsSteps(profile, profile.times, event);
  return calls && analyse(calls, calls.events, partsOff);
});

/** The context whose steps are the calls in time order; undefined if calls have no times or are too many. */
function timeContext(c: ViewContext): ViewContext<'steps'> | undefined {
  const { profile, partsOff } = c.analysis;
  if (profile.kind !== 'stacks') return isContextOf(c, 'steps') ? c : undefined;
  const analysis = timedCallsOf(profile, c.event, partsOff);
  const inTime = analysis && { ...c, analysis };
  return inTime && isContextOf(inTime, 'steps') ? inTime : undefined;
}

/** Reads the state in time order; undefined if boxes are ordered by cost, or without the context of timeContext(). */
export function inTimeOrder<R>(
  { time }: FlameState,
  c: ViewContext,
  read: (time: TimeState, inTime: ViewContext<'steps'>) => R,
): R | undefined {
  const inTime = time && timeContext(c);
  return inTime && read(time, inTime);
}

/** Switches to time order. Returns the unchanged state if there are too many calls. */
export function switchToTime(state: FlameState, c: ViewContext): FlameState {
  const inTime = timeContext(c);
  return inTime ? { ...state, time: { step: firstSlice(inTime), top: 0, zooms: [] } } : state;
}

/** The rows in time order: for each track, its title and then its lane numbers. */
const trackRows = memo((analysis: ViewContext<'steps'>['analysis']) => {
  const { titles, steps } = lanesOf(analysis);
  const rows: (string | number)[] = [];
  const rowOfLane: number[] = [];
  steps.forEach((_, lane) => {
    if (titles[lane] !== '' || lane === 0) rows.push(titles[lane]);
    rowOfLane[lane] = rows.length;
    rows.push(lane);
  });
  return { rows, rowOfLane };
});

export const timeRows = ({ analysis }: ViewContext<'steps'>): number => trackRows(analysis).rows.length;

/** Moves the cursor to the first slice of a row; for a title, of the lane below it. */
export function goToTimeRow(state: TimeState, row: number, { analysis }: ViewContext<'steps'>): TimeState {
  const lane = trackRows(analysis).rowOfLane.findIndex((own) => own >= row);
  const step = lanesOf(analysis).steps[lane]?.[0];
  return step === undefined ? state : { ...state, step };
}

const firstSlice = ({ analysis }: ViewContext<'steps'>): number =>
  lanesOf(analysis).steps.find((list) => list.length > 0)?.[0] ?? -1;

function visibleTimeWindow({ zooms }: TimeState, c: ViewContext<'steps'>): TimeWindow {
  const { steps } = c.analysis.profile;
  const zoom = zooms.at(-1);
  if (zoom !== undefined) return { from: steps.startUs[zoom], to: endUs(steps, zoom) };
  const [from, to] = timeWindowOf(c.analysis);
  return { from, to };
}

/** Replaces the cursor if its slice does not exist any more, and scrolls to the cursor. */
export function scrollTimeToCursor(state: TimeState, c: ViewContext<'steps'>): TimeState {
  const { of } = lanesOf(c.analysis);
  const kept = (step: number) => (of[step] ?? -1) >= 0;
  const step = kept(state.step) ? state.step : firstSlice(c);
  const zooms = state.zooms.every(kept) ? state.zooms : [];
  if (step < 0) return state.step === step ? state : { step, top: 0, zooms: [] };
  const { rows, rowOfLane } = trackRows(c.analysis);
  const row = rowOfLane[of[step]];
  const visibleRows = Math.max(1, c.height - 1);
  const top = Math.max(0, row - visibleRows + 1, Math.min(state.top, row, Math.max(0, rows.length - visibleRows)));
  // If the first visible lane is the first of its track, the title of the track is also shown.
  const shown = top === row && visibleRows > 1 && typeof rows[row - 1] === 'string' ? row - 1 : top;
  return step === state.step && shown === state.top && zooms === state.zooms ? state : { step, top: shown, zooms };
}

/** The longest child of a slice; -1 if it has none. */
const longestSliceInside = (step: number, c: ViewContext<'steps'>): number => {
  const { parent, durationUs } = c.analysis.profile.steps;
  let best = -1;
  for (let i = 0; i < parent.length; i++)
    if (parent[i] === step && hasRun(c.analysis.profile.steps, i) && (best < 0 || durationUs[i] > durationUs[best])) best = i;
  return best >= 0 && lanesOf(c.analysis).of[best] >= 0 ? best : -1;
};

/** The parent or the longest child of a slice; without one, the nearest slice in the lane above or below. */
function sliceAboveOrBelow(step: number, by: 1 | -1, c: ViewContext<'steps'>): number {
  const { steps } = c.analysis.profile;
  const { of, count, steps: lanes } = lanesOf(c.analysis);
  const own = by > 0 ? longestSliceInside(step, c) : (steps.parent[step] ?? -1);
  if (own >= 0 && of[own] >= 0) return own;
  const middle = (steps.startUs[step] + endUs(steps, step)) / 2;
  for (let lane = of[step] + by; lane >= 0 && lane < count; lane += by) {
    const near = nearestStep(steps, lanes[lane], middle);
    if (near >= 0) return near;
  }
  return step;
}

function hottestSlice(step: number, c: ViewContext<'steps'>): number {
  let at = step;
  for (let next = longestSliceInside(at, c); next >= 0; next = longestSliceInside(at, c)) at = next;
  return at;
}

export function applyTimeAction(state: TimeState, action: ViewAction, c: ViewContext<'steps'>): TimeState {
  const { of, steps: lanes } = lanesOf(c.analysis);
  const to = (step: number | undefined) => (step === undefined || step === state.step ? state : { ...state, step });
  if (state.step < 0) return state;
  const lane = lanes[of[state.step]];
  switch (action.type) {
    case 'up':
    case 'down':
      return to(sliceAboveOrBelow(state.step, action.type === 'up' ? -1 : 1, c));
    case 'beside':
      return to(lane[lane.indexOf(state.step) + (action.by ?? 1)]);
    case 'page':
      return to(lane[Math.max(0, Math.min(lane.length - 1, lane.indexOf(state.step) + 20 * (action.by ?? 1)))]);
    case 'root':
      return to(firstSlice(c));
    case 'deepest':
      return to(lanes.findLast((list) => list.length > 0)?.[0]);
    case 'hot':
      return to(hottestSlice(state.step, c));
    case 'zoom':
      if (state.zooms.at(-1) === state.step || !(c.analysis.profile.steps.durationUs[state.step] > 0)) return state;
      return { ...state, zooms: [...state.zooms, state.step] };
    case 'unzoom':
      return { ...state, zooms: state.zooms.slice(0, -1) };
    default:
      return state;
  }
}

function laneLine(lane: number, state: TimeState, c: ViewContext<'steps'>, window: TimeWindow): ScreenLine {
  const { steps } = c.analysis.profile;
  const hit = currentFilter(c)?.hit;
  const own = lanesOf(c.analysis).steps[lane];
  const at = indexInLane(own, state.step);
  const hasCursor = (from: number, to: number) => at >= from && at < to;
  const spec: LaneSpec = {
    steps: own,
    start: (s) => steps.startUs[s],
    end: (s) => endUs(steps, s),
    bar: (s) => ({
      label: (width) => fit(stepNameInWidth(s, width, c), width),
      letter: '',
      style: hit && steps.routine[s] >= 0 && hit[steps.routine[s]] === 0 ? 'rest' : 'area1',
      highlighted: s === state.step,
    }),
    isSeparate: hasCursor,
    mergedBar: (from, to) => ({
      style: 'rest',
      highlighted: hasCursor(from, to),
      label: (width) => mergedCountLabel(to - from, width),
    }),
    glyphs: barGlyphs(c),
  };
  const spans = drawLane(spec, window, c.width).flatMap(limitHighlight);
  return spans.some(([, , lit]) => lit) ? { spans, cursor: true } : { spans };
}

/** Maximum highlighted cells of a bar. Every cursor move outputs all of them. */
const MAX_HIGHLIGHTED_CELLS = 32;
function limitHighlight([text, style, lit]: Span): Span[] {
  const head = cutEnd(text, MAX_HIGHLIGHTED_CELLS);
  if (!lit || head === text) return [lit ? [text, style, lit] : [text, style]];
  return [
    [head, style, true],
    [text.slice(head.length), style],
  ];
}

export function drawTime(state: TimeState, c: ViewContext<'steps'>): ScreenLine[] {
  const { rows } = trackRows(c.analysis);
  const window = visibleTimeWindow(state, c);
  const [origin] = wholeWindowOf(c.analysis);
  const out: ScreenLine[] = [{ spans: [[fit(timeAxisText(window, origin, c.width), c.width), 'header']] }];
  for (let r = state.top; r < rows.length && out.length < c.height; r++) {
    const row = rows[r];
    if (typeof row === 'number') out.push(laneLine(row, state, c, window));
    else out.push({ spans: [[fit(visible(keepEnds(row === '' ? 'a track without a name' : row, c.width)), c.width), 'bold']] });
  }
  return fillHeight(out, c.height);
}

export function timeModeText(state: TimeState, c: ViewContext<'steps'>): string {
  const { from, to } = visibleTimeWindow(state, c);
  const zoom = state.zooms.at(-1);
  const name = zoom === undefined ? '' : `, in ${visible(keepEnds(stepName(c.analysis.profile, zoom), 40)).slice(0, 40)}`;
  return `in time order${name}, showing ${timeText(to - from)}`;
}

/** The next slice whose name matches, searching by lane and then by time. */
export function findSlice(
  state: FlameState,
  time: TimeState,
  text: string,
  search: CompiledSearch,
  by: 1 | -1,
  c: ViewContext<'steps'>,
): SearchResult<FlameState> {
  const all = lanesOf(c.analysis).steps.flatMap((list) => Array.from(list));
  const here = all.indexOf(time.step);
  for (let k = 1; k <= all.length; k++) {
    const at = (((here + by * k) % all.length) + all.length) % all.length;
    if (!search.test(stepName(c.analysis.profile, all[at]))) continue;
    const wrapped = by > 0 ? at <= here : at >= here;
    return { state: { ...state, time: { ...time, step: all[at], zooms: [] } }, say: wrapped ? 'search wrapped around' : '' };
  }
  return { state, say: `no slice matches ${text}`, wrong: true };
}
