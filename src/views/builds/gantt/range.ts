// Time ranges selected in the Gantt view: from the start of a step to the end of another, or the visible window.
import type { Analysis } from '../../../analysis/answers/analysis.ts';
import { isOfKind } from '../../../analysis/answers/analysis.ts';
import { correspondingStep, endUs, timeWindowOf, uncutTimes, wholeWindowOf } from '../../../analysis/answers/steps/steps.ts';
import { startOfTimes } from '../../../analysis/profiles/transforms/time.ts';
import { roundRange, type TimeRange } from '../../../analysis/profiles/transforms/time-range.ts';
import { timeText } from '../../../columns/times.ts';
import type { TimelineBar } from '../../parts/timeline.ts';
import { type Binding, key, type ViewContext, type ViewRequest } from '../../view.ts';
import type { GanttState } from './rows.ts';

export interface RangeAction {
  readonly type: 'range-start' | 'range-end' | 'range-window';
}

/** The time range from the marked start to the end of the step under the cursor; undefined if it is empty. */
function rangeThroughStep({ rangeStart, step }: GanttState, c: ViewContext<'steps'>): TimeRange | undefined {
  const toUs = endUs(c.analysis.profile.steps, step);
  return rangeStart !== undefined && rangeStart < toUs ? { fromUs: rangeStart, toUs } : undefined;
}

/** The visible time range in whole microseconds; undefined if it is empty or covers the whole build. */
function visibleRange({ zoom }: GanttState, c: ViewContext<'steps'>): TimeRange | undefined {
  if (!zoom) return undefined;
  const [first, last] = timeWindowOf(c.analysis);
  const fromUs = Math.max(first, Math.round(zoom.from));
  const toUs = Math.min(last, Math.round(zoom.to));
  return fromUs < toUs ? { fromUs, toUs } : undefined;
}

export const RANGE_BINDINGS: readonly Binding<GanttState, RangeAction, 'steps'>[] = [
  key('', { type: 'range-start' }, 'do', 'start a time range at the start of this step'),
  key('', { type: 'range-end' }, 'do', 'end the time range at the end of this step; only steps in it count', {
    off(state, c) {
      if (state.rangeStart === undefined) return 'Start a time range first: o has the row';
      return rangeThroughStep(state, c) ? undefined : 'This step ends before the start of the range';
    },
  }),
  key('', { type: 'range-window' }, 'do', 'restrict the build to the visible time range', {
    off(state, c) {
      if (!state.zoom) return 'The window shows the whole build; + zooms in';
      return visibleRange(state, c) ? undefined : 'No step is in the visible range';
    },
  }),
];

/** The request that sets the time range, once start and end are known. `start`: the origin of the times. */
export function rangeRequest(
  state: GanttState,
  action: { readonly type: string },
  c: ViewContext<'steps'>,
  start: number = startOfTimes(c.analysis.profile),
): ViewRequest | undefined {
  const range =
    action.type === 'range-end' ? rangeThroughStep(state, c) : action.type === 'range-window' && visibleRange(state, c);
  if (!range) return undefined;
  return { type: 'transform', transform: { word: 'time', ...roundRange(range.fromUs - start, range.toUs - start) } };
}

/** The text in the tab line while a time range has a start but no end; undefined otherwise. */
export function rangeStartText({ rangeStart }: GanttState, c: ViewContext<'steps'>): string | undefined {
  if (rangeStart === undefined) return undefined;
  return `range of time from ${timeText(rangeStart - wholeWindowOf(c.analysis)[0])}: o ends it, Esc drops it`;
}

/** The cut ends of a bar whose step begins before the time range or ends after it. */
export function cutEnds(step: number, { analysis }: ViewContext<'steps'>): Pick<TimelineBar, 'open' | 'close'> {
  const { steps } = analysis.profile;
  const whole = uncutTimes(steps, step);
  if (!whole) return {};
  return {
    ...(whole.startUs < steps.startUs[step] ? { open: '‹' } : {}),
    ...(whole.startUs + whole.durationUs > endUs(steps, step) ? { close: '›' } : {}),
  };
}

/** The state after a change of the time range, with step and colours kept. Returns `fresh` if `to` is another timeline. */
export function rebaseState(state: GanttState, from: Analysis, to: Analysis, fresh: GanttState): GanttState {
  if (!isOfKind(from, 'steps') || !isOfKind(to, 'steps')) return fresh;
  const [old, now] = [from.profile.steps, to.profile.steps];
  if ((old.clip?.of ?? old) !== (now.clip?.of ?? now)) return fresh;
  return { ...fresh, step: correspondingStep(now, state.step, old), colour: state.colour, before: state.before };
}
