// The phases of a record (configure, build, tests, install) as a row of chips. The picture shows one phase, or all of the time.
import type { Analysis } from '../../../analysis/answers/analysis.ts';
import { endUs, stepFailed, stepsThatRan } from '../../../analysis/answers/steps/steps.ts';
import { type Phase, phasesOf } from '../../../analysis/builds/stages.ts';
import { memo } from '../../../base/lists.ts';
import { cellWidth } from '../../../base/text.ts';
import { timeText } from '../../../columns/times.ts';
import type { TimeWindow } from '../../parts/timeline.ts';
import type { ScreenLine, Span, ViewContext } from '../../view.ts';
import type { GanttState } from './rows.ts';

/** The phase option that shows all of the time. */
const ALL = 'all';

const worked = ({ name }: Phase) => name !== 'idle';
const phaseText = ({ name, fromUs, toUs }: Phase) => `${name} ${timeText(toUs - fromUs)}`;

/** The phases, idle time among them, of a record that has several in which something ran; else none. */
function severalPhases({ analysis }: Pick<ViewContext<'steps'>, 'analysis'>): readonly Phase[] {
  const phases = analysis.profile.steps.sampled ? [] : phasesOf(analysis);
  return phases.filter(worked).length > 1 ? phases : [];
}

export const hasPhaseRow = (c: ViewContext<'steps'>): boolean => c.height >= 10 && severalPhases(c).length > 0;

/** The names of the phases to choose from, each with its time; none if there is only one. */
export function phaseChoices(c: Pick<ViewContext<'steps'>, 'analysis'>): readonly string[] {
  const phases = severalPhases(c);
  return phases.length === 0 ? [] : [...phases.filter(worked).map(phaseText), ALL];
}

const windowOf = ({ fromUs, toUs }: Phase): TimeWindow => ({ from: fromUs, to: toUs });
const isShown = ({ zoom }: GanttState, { fromUs, toUs }: Phase) => zoom?.from === fromUs && zoom.to === toUs;

/** The phase in the picture, as phaseChoices() names it; '' for a part of one. */
export function shownPhase(state: GanttState, c: Pick<ViewContext<'steps'>, 'analysis'>): string {
  const shown = severalPhases(c).find((phase) => isShown(state, phase));
  return shown ? phaseText(shown) : state.zoom ? '' : ALL;
}

/** The time of a phase, by its name in phaseChoices(); undefined for all of the time. */
export function windowOfPhase(name: string, c: Pick<ViewContext<'steps'>, 'analysis'>): TimeWindow | undefined {
  const phase = severalPhases(c).find((p) => phaseText(p) === name);
  return phase && windowOf(phase);
}

/** The time of the phase that has this time, if the picture shows one phase. */
export function phaseAt(us: number, state: GanttState, c: Pick<ViewContext<'steps'>, 'analysis'>): TimeWindow | undefined {
  const phases = severalPhases(c);
  const phase = phases.some((p) => isShown(state, p)) && phases.find(({ toUs }) => toUs >= us);
  return phase ? windowOf(phase) : undefined;
}

/** The picture opens with the longest build of several phases; undefined: with all of the time. */
export function openingWindow(c: Pick<ViewContext<'steps'>, 'analysis'>): TimeWindow | undefined {
  const length = ({ fromUs, toUs }: Phase) => toUs - fromUs;
  const builds = severalPhases(c).filter(({ name }) => name === 'build');
  const [longest] = builds.sort((a, b) => length(b) - length(a));
  return longest && windowOf(longest);
}

const failuresOf = memo((analysis: Analysis<'steps'>) =>
  stepsThatRan(analysis).filter((i) => stepFailed(analysis.profile.steps, i)),
);

/** ` configure 329ms  ▶build 6.64s  ctest 1.02s ✗`: those that fit; the marked one is in the picture, a cross marks failed steps. */
export function phaseRow(state: GanttState, c: ViewContext<'steps'>): ScreenLine {
  const { steps } = c.analysis.profile;
  const spans: Span[] = [];
  let width = 0;
  for (const phase of severalPhases(c)) {
    const failed = failuresOf(c.analysis).some((i) => steps.startUs[i] >= phase.fromUs && endUs(steps, i) <= phase.toUs);
    const text = ` ${isShown(state, phase) ? '▶' : ''}${phaseText(phase)}${failed ? ' ✗' : ''} `;
    width += cellWidth(text);
    if (width > c.width) break;
    spans.push([text, failed ? 'error' : isShown(state, phase) ? 'bold' : worked(phase) ? 'plain' : 'dim']);
  }
  return { spans };
}
