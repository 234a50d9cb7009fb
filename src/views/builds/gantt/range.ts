// A range of time chosen in the Gantt view: from the start of one step to the end of another, or what the window shows.
import type { Analysis } from '../../../analysis/answers/analysis.ts';
import { isOfKind } from '../../../analysis/answers/analysis.ts';
import { endUs, stepIn, uncut, wholeWindowOf, windowOf } from '../../../analysis/answers/steps/steps.ts';
import { startOfTimes } from '../../../analysis/profiles/transforms/time.ts';
import { type TimeRange, wholeRange } from '../../../analysis/profiles/transforms/time-range.ts';
import { timeText } from '../../../columns/times.ts';
import type { Bar } from '../../parts/timeline.ts';
import { type Binding, key, type Request, type ViewContext } from '../../view.ts';
import type { GanttState } from './rows.ts';

type Context = ViewContext<'steps'>;

export interface RangeAction {
  readonly type: 'range-start' | 'range-end' | 'range-window';
}

/** From the start that was chosen to the end of the step under the cursor; undefined where there is no such range. */
function throughStep({ start, step }: GanttState, c: Context): TimeRange | undefined {
  const toUs = endUs(c.analysis.profile.steps, step);
  return start !== undefined && start < toUs ? { fromUs: start, toUs } : undefined;
}

/** The window's part of this build, in whole microseconds; undefined for nothing, or all of it. */
function inWindow({ zoom }: GanttState, c: Context): TimeRange | undefined {
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
      if (state.start === undefined) return 'Start a time range with { first';
      return throughStep(state, c) ? undefined : 'This step ends before the start of the range';
    },
  }),
  key('', { type: 'range-window' }, 'do', 'restrict the build to the visible time range', {
    off(state, c) {
      if (!state.zoom) return 'The window shows the whole build; + zooms in';
      return inWindow(state, c) ? undefined : 'No step is in the visible range';
    },
  }),
];

/** The request to the app once a range has both ends. `start`: where its times count from. */
export function rangeRequest(
  state: GanttState,
  action: { readonly type: string },
  c: Context,
  start: number = startOfTimes(c.analysis.profile),
): Request | undefined {
  const range =
    action.type === 'range-end' ? throughStep(state, c) : action.type === 'range-window' ? inWindow(state, c) : undefined;
  if (!range) return undefined;
  return { type: 'transform', transform: { word: 'time', ...wholeRange(range.fromUs - start, range.toUs - start) } };
}

/** The tab line while a range has no end. */
export function startText({ start }: GanttState, c: Context): string | undefined {
  if (start === undefined) return undefined;
  return `range of time from ${timeText(start - wholeWindowOf(c.analysis)[0])}: } ends it, Esc drops it`;
}

/** The ends of a bar that a chosen range has cut. */
export function cutEnds(step: number, { analysis }: Context): Pick<Bar, 'open' | 'close'> {
  const { steps } = analysis.profile;
  const whole = uncut(steps, step);
  if (!whole) return {};
  return {
    ...(whole.startUs < steps.startUs[step] ? { open: '‹' } : {}),
    ...(whole.startUs + whole.durationUs > endUs(steps, step) ? { close: '›' } : {}),
  };
}

/** The same view where another range of the same timeline is shown, at the same step if that is in it; `fresh` for another timeline. */
export function moved(state: GanttState, from: Analysis, to: Analysis, fresh: GanttState): GanttState {
  if (!isOfKind(from, 'steps') || !isOfKind(to, 'steps')) return fresh;
  const [old, now] = [from.profile.steps, to.profile.steps];
  if ((old.clip?.of ?? old) !== (now.clip?.of ?? now)) return fresh;
  return { ...fresh, step: stepIn(now, state.step, old), colour: state.colour, before: state.before };
}
