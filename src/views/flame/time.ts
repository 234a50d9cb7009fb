// The Flame view in time order: the slices of each track where they were, those inside others below them.
import { analyse } from '../../analysis/answers/analyse.ts';
import { isOfKind } from '../../analysis/answers/analysis.ts';
import { lanesOf } from '../../analysis/answers/steps/lanes.ts';
import { endUs, ran, stepName, wholeWindowOf, windowOf } from '../../analysis/answers/steps/steps.ts';
import { samplesAsSteps } from '../../analysis/profiles/samples-in-time.ts';
import type { Search } from '../../base/match.ts';
import { memo } from '../../base/memo.ts';
import { cutEnd, ends, fit, visible } from '../../base/text.ts';
import { axisLine, timeText } from '../../columns/times.ts';
import type { Event } from '../../model/head.ts';
import type { ProfileOf } from '../../model/profile.ts';
import { nameInRoom } from '../parts/step-detail.ts';
import { barGlyphs, countLabel, drawLane, type LaneSpec, placeIn, type Window } from '../parts/timeline.ts';
import type { Found, ScreenLine, Span, ViewContext } from '../view.ts';
import { type FlameState, filterIn, type TimeState } from './state.ts';

type Context = ViewContext<'steps'>;

/** Whether the profile says when its calls were: slices of a trace, or samples with times. */
export const hasTimes = ({ analysis: { profile } }: ViewContext): boolean =>
  profile.kind === 'steps' || (profile.kind === 'stacks' && profile.times !== undefined);

const callsOf = memo((profile: ProfileOf<'stacks'>, event: Event, partsOff: ReadonlySet<number>) => {
  const calls = profile.times && samplesAsSteps(profile, profile.times, event);
  return calls && analyse(calls, calls.events, partsOff);
}, 2);

/** The context with the calls in time; undefined where the profile does not have any, or too many. */
function timed(c: ViewContext): Context | undefined {
  const of = (context: ViewContext): context is Context => isOfKind(context.analysis, 'steps');
  const { profile, partsOff } = c.analysis;
  if (profile.kind !== 'stacks') return of(c) ? c : undefined;
  const analysis = callsOf(profile, c.event, partsOff);
  const inTime = analysis && { ...c, analysis };
  return inTime && of(inTime) ? inTime : undefined;
}

/** The same while the view is in time order. */
export const inTimeOf = ({ time }: FlameState, c: ViewContext): Context | undefined => (time ? timed(c) : undefined);

/** Turned to time order; the same state where there are too many calls. */
export function turnedToTime(state: FlameState, c: ViewContext): FlameState {
  const inTime = timed(c);
  return inTime ? { ...state, time: startTime(inTime) } : state;
}

/** A heading for each track, then its lanes: a row is a title, or the number of a lane. */
const rowsOf = memo((analysis: Context['analysis']) => {
  const { titles, steps } = lanesOf(analysis);
  const rows: (string | number)[] = [];
  const rowOfLane: number[] = [];
  steps.forEach((_, lane) => {
    if (titles[lane] !== '' || lane === 0) rows.push(titles[lane]);
    rowOfLane[lane] = rows.length;
    rows.push(lane);
  });
  return { rows, rowOfLane };
}, 2);

export const timeRows = ({ analysis }: Context): number => rowsOf(analysis).rows.length;

/** The first slice of a row: of a heading, that of the lane below it. */
export function atTimeRow(state: TimeState, row: number, { analysis }: Context): TimeState {
  const lane = rowsOf(analysis).rowOfLane.findIndex((own) => own >= row);
  const step = lanesOf(analysis).steps[lane]?.[0];
  return step === undefined ? state : { ...state, step };
}

const firstOf = ({ analysis }: Context): number => lanesOf(analysis).steps.find((list) => list.length > 0)?.[0] ?? -1;

const startTime = (c: Context): TimeState => ({ step: firstOf(c), top: 0, zooms: [] });

function windowIn({ zooms }: TimeState, c: Context): Window {
  const { steps } = c.analysis.profile;
  const zoom = zooms.at(-1);
  if (zoom !== undefined) return { from: steps.startUs[zoom], to: endUs(steps, zoom) };
  const [from, to] = windowOf(c.analysis);
  return { from, to };
}

/** Keeps the slice in the profile, and its row on the screen. */
export function timeInSight(state: TimeState, c: Context): TimeState {
  const { of } = lanesOf(c.analysis);
  const kept = (step: number) => (of[step] ?? -1) >= 0;
  const step = kept(state.step) ? state.step : firstOf(c);
  const zooms = state.zooms.every(kept) ? state.zooms : [];
  if (step < 0) return state.step === step ? state : { step, top: 0, zooms: [] };
  const { rows, rowOfLane } = rowsOf(c.analysis);
  const row = rowOfLane[of[step]];
  const room = Math.max(1, c.height - 1);
  const top = Math.max(0, row - room + 1, Math.min(state.top, row, Math.max(0, rows.length - room)));
  // The heading of a track comes with its first lane.
  const shown = top === row && room > 1 && typeof rows[row - 1] === 'string' ? row - 1 : top;
  return step === state.step && shown === state.top && zooms === state.zooms ? state : { step, top: shown, zooms };
}

/** The slice of a lane that is nearest to the middle of another; -1 if the lane has none. */
function nearest(step: number, lane: number, c: Context): number {
  const { steps } = c.analysis.profile;
  const middle = (steps.startUs[step] + endUs(steps, step)) / 2;
  let best = -1;
  const away = (i: number) => Math.max(0, steps.startUs[i] - middle, middle - endUs(steps, i));
  for (const i of lanesOf(c.analysis).steps[lane] ?? []) if (best < 0 || away(i) < away(best)) best = i;
  return best;
}

/** The longest slice directly inside; -1 if there is none. */
const longest = (step: number, c: Context): number => {
  const { parent, durationUs } = c.analysis.profile.steps;
  let best = -1;
  for (let i = 0; i < parent.length; i++)
    if (parent[i] === step && ran(c.analysis.profile.steps, i) && (best < 0 || durationUs[i] > durationUs[best])) best = i;
  return best >= 0 && lanesOf(c.analysis).of[best] >= 0 ? best : -1;
};

/** The slice above or below: what it is inside of, or the longest inside it; else the nearest in the next lane. */
function across(step: number, by: 1 | -1, c: Context): number {
  const { steps } = c.analysis.profile;
  const { of, count } = lanesOf(c.analysis);
  const own = by > 0 ? longest(step, c) : (steps.parent[step] ?? -1);
  if (own >= 0 && of[own] >= 0) return own;
  for (let lane = of[step] + by; lane >= 0 && lane < count; lane += by) {
    const near = nearest(step, lane, c);
    if (near >= 0) return near;
  }
  return step;
}

function hottestSlice(step: number, c: Context): number {
  let at = step;
  for (let next = longest(at, c); next >= 0; next = longest(at, c)) at = next;
  return at;
}

/** The meaning of a key of the view in time order. */
export function changeTime(state: TimeState, action: { readonly type: string; readonly by?: number }, c: Context): TimeState {
  const { of, steps: lanes } = lanesOf(c.analysis);
  const to = (step: number | undefined) => (step === undefined || step === state.step ? state : { ...state, step });
  if (state.step < 0) return state;
  const lane = lanes[of[state.step]];
  switch (action.type) {
    case 'up':
    case 'down':
      return to(across(state.step, action.type === 'up' ? -1 : 1, c));
    case 'beside':
      return to(lane[lane.indexOf(state.step) + (action.by ?? 1)]);
    case 'page':
      return to(lane[Math.max(0, Math.min(lane.length - 1, lane.indexOf(state.step) + 20 * (action.by ?? 1)))]);
    case 'root':
      return to(firstOf(c));
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

function laneLine(lane: number, state: TimeState, c: Context, window: Window): ScreenLine {
  const { profile } = c.analysis;
  const { steps } = profile;
  const hit = filterIn(c)?.hit;
  const own = lanesOf(c.analysis).steps[lane];
  const at = placeIn(own, state.step);
  const isHere = (from: number, to: number) => at >= from && at < to;
  const spec: LaneSpec = {
    steps: own,
    start: (s) => steps.startUs[s],
    end: (s) => endUs(steps, s),
    bar: (s) => ({
      label: (room) => fit(nameInRoom(s, room, c), room),
      letter: '',
      style: hit && steps.routine[s] >= 0 && hit[steps.routine[s]] === 0 ? 'rest' : 'area1',
      lit: s === state.step,
    }),
    apart: isHere,
    many: (from, to) => ({ style: 'rest', lit: isHere(from, to), label: (room) => countLabel(to - from, false, room) }),
    glyphs: barGlyphs(c),
  };
  const spans = drawLane(spec, window, c.width).flatMap(shortLit);
  return spans.some(([, , lit]) => lit) ? { spans, cursor: true } : { spans };
}

/** A wide bar is lit only where its name begins: a move rewrites what is lit. */
const MOST_LIT = 32;
function shortLit([text, style, lit]: Span): Span[] {
  const head = cutEnd(text, MOST_LIT);
  if (!lit || head === text) return [lit ? [text, style, lit] : [text, style]];
  return [
    [head, style, true],
    [text.slice(head.length), style],
  ];
}

export function drawTime(state: TimeState, c: Context): ScreenLine[] {
  const { rows } = rowsOf(c.analysis);
  const window = windowIn(state, c);
  const [origin] = wholeWindowOf(c.analysis);
  const out: ScreenLine[] = [{ spans: [[fit(axisLine(window, origin, c.width), c.width), 'header']] }];
  for (let r = state.top; r < rows.length && out.length < c.height; r++) {
    const row = rows[r];
    if (typeof row === 'number') out.push(laneLine(row, state, c, window));
    else out.push({ spans: [[fit(visible(ends(row === '' ? 'a track without a name' : row, c.width)), c.width), 'bold']] });
  }
  while (out.length < c.height) out.push({ spans: [] });
  return out.slice(0, c.height);
}

export function timeMode(state: TimeState, c: Context): string {
  const { from, to } = windowIn(state, c);
  const zoom = state.zooms.at(-1);
  const name = zoom === undefined ? '' : `, in ${visible(ends(stepName(c.analysis.profile, zoom), 40)).slice(0, 40)}`;
  return `in time order${name}, showing ${timeText(to - from)}`;
}

/** The next slice whose name matches, lane by lane in time. */
export function findSlice(
  state: FlameState,
  time: TimeState,
  text: string,
  search: Search,
  by: 1 | -1,
  c: Context,
): Found<FlameState> {
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
