// Time ranges selected in Gantt: from the start of one step to the end of another, or the visible window.
import type { Analysis } from '../../../analysis/answers/analysis.ts';
import { isOfKind } from '../../../analysis/answers/analysis.ts';
import { correspondingStep, endUs, uncutTimes, wholeWindowOf, windowOf } from '../../../analysis/answers/steps/steps.ts';
import { startOfTimes } from '../../../analysis/profiles/transforms/time.ts';
import { roundRange, type TimeRange } from '../../../analysis/profiles/transforms/time-range.ts';
import { timeText } from '../../../columns/times.ts';
import type { Bar } from '../../parts/timeline.ts';
import { type Binding, key, type ViewContext, type ViewRequest } from '../../view.ts';
import type { GanttState } from './rows.ts';

export interface RangeAction {
  readonly type: 'range-start' | 'range-end' | 'range-window';
}

/** The range from the marked start to the end of the step under the cursor; undefined if it is empty. */
function rangeThroughStep({ rangeStart, step }: GanttState, c: ViewContext<'steps'>): TimeRange | undefined {
  const toUs = endUs(c.analysis.profile.steps, step);
  return rangeStart !== undefined && rangeStart < toUs ? { fromUs: rangeStart, toUs } : undefined;
}

/** The visible part of this build, in whole microseconds; undefined if it is empty or the whole build. */
function visibleRange({ zoom }: GanttState, c: ViewContext<'steps'>): TimeRange | undefined {
  if (!zoom) return undefined;
  const [first, last] = windowOf(c.analysis);
  const fromUs = Math.max(first, Math.round(zoom.from));
  const toUs = Math.min(last, Math.round(zoom.to));
  return fromUs < toUs ? { fromUs, toUs } : undefined;
}

export const RANGE_BINDINGS: readonly Binding<GanttState, RangeAction, 'steps'>[] = [
  key('{', { type: 'range-start' }, 'do', 'start a time range at the start of this step; } ends it', { footer: 'range' }),
  key('}', { type: 'range-end' }, 'do', 'end the time range at the end of this step; only steps in it count', {
    off(state, c) {
      if (state.rangeStart === undefined) return 'Start a time range with { first';
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

/** The request that sets the time range, once it has both ends. `start`: the origin of its times. */
export function rangeRequest(
  state: GanttState,
  action: { readonly type: string },
  c: ViewContext<'steps'>,
  start: number = startOfTimes(c.analysis.profile),
): ViewRequest | undefined {
  const range =
    action.type === 'range-end'
      ? rangeThroughStep(state, c)
      : action.type === 'range-window'
        ? visibleRange(state, c)
        : undefined;
  if (!range) return undefined;
  return { type: 'transform', transform: { word: 'time', ...roundRange(range.fromUs - start, range.toUs - start) } };
}

/** The tab line while the range has a start but no end. */
export function rangeStartText({ rangeStart }: GanttState, c: ViewContext<'steps'>): string | undefined {
  if (rangeStart === undefined) return undefined;
  return `range of time from ${timeText(rangeStart - wholeWindowOf(c.analysis)[0])}: } ends it, Esc drops it`;
}

/** The ends of a bar that a chosen range has cut. */
export function cutEnds(step: number, { analysis }: ViewContext<'steps'>): Pick<Bar, 'open' | 'close'> {
  const { steps } = analysis.profile;
  const whole = uncutTimes(steps, step);
  if (!whole) return {};
  return {
    ...(whole.startUs < steps.startUs[step] ? { open: '‹' } : {}),
    ...(whole.startUs + whole.durationUs > endUs(steps, step) ? { close: '›' } : {}),
  };
}

/** The state after a change of the time range: keeps step and colours. `fresh` if `to` is another timeline. */
export function rebaseState(state: GanttState, from: Analysis, to: Analysis, fresh: GanttState): GanttState {
  if (!isOfKind(from, 'steps') || !isOfKind(to, 'steps')) return fresh;
  const [old, now] = [from.profile.steps, to.profile.steps];
  if ((old.clip?.of ?? old) !== (now.clip?.of ?? now)) return fresh;
  return { ...fresh, step: correspondingStep(now, state.step, old), colour: state.colour, before: state.before };
}
