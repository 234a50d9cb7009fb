// The Timeline view: threads of a sampled program as a Gantt chart. Bars are phases; a table shows the costliest routines of one.
import { threadNames } from '../../../analysis/answers/part-columns.ts';
import { endUs, timeWindowOf, wholeWindowOf } from '../../../analysis/answers/steps/steps.ts';
import { roundRange } from '../../../analysis/profiles/transforms/time-range.ts';
import { memo } from '../../../base/lists.ts';
import { filterStatusText } from '../../../base/match.ts';
import { visible } from '../../../base/text.ts';
import { formatPercent, plural } from '../../../base/units.ts';
import { barColumn, displayColumn } from '../../../columns/builders.ts';
import type { Column } from '../../../columns/column.ts';
import { costColumnLayout, costText, shareCell, shareColumn } from '../../../columns/costs.ts';
import { nameCell, titleName } from '../../../columns/names.ts';
import { hottestRoutineOf, type Phases, phaseSelfCosts, requirePhases } from '../../../columns/timeline.ts';
import { rangeText, timeText } from '../../../columns/times.ts';
import type { Event } from '../../../model/head.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { viewEntry } from '../../open-view.ts';
import { START } from '../../parts/list.ts';
import { stepNameInWidth } from '../../parts/step-detail.ts';
import { drawTable } from '../../parts/table.ts';
import { type Binding, ofKind, type ScreenLine, type ViewContext, type ViewRequest } from '../../view.ts';
import { visibleWindow } from './before.ts';
import { drawChart } from './draw.ts';
import { GANTT, type GanttAction } from './index.ts';
import { rangeRequest, rangeStartText } from './range.ts';
import { type GanttState, ganttRows, stepFilter } from './rows.ts';

/** For each context of phases, the context of the samples from which they were made. */
const samplesByContext = new WeakMap<ViewContext<'steps'>, { readonly c: ViewContext<'stacks'>; readonly phases: Phases }>();

function phaseContext(context: ViewContext): ViewContext<'steps'> {
  const c = ofKind('stacks')(context);
  const phases = requirePhases(c);
  const own = { ...c, analysis: phases.analysis };
  samplesByContext.set(own, { c, phases });
  return own;
}

function samplesOf(c: ViewContext<'steps'>) {
  const found = samplesByContext.get(c);
  if (!found) throw new Error('the context is of no samples');
  return found;
}

const SAMPLE_ACTIONS: ReadonlySet<GanttAction['type']> = new Set([
  ...(['next-step', 'lane', 'enter', 'zoom', 'pan', 'zoom-off', 'zoom-step'] as const),
  ...(['range-start', 'range-end', 'range-window'] as const),
]);
const replaceBuildWords = (text: string) =>
  text.replace('only steps in it', 'only samples in it').replaceAll('step', 'phase').replaceAll('build', 'run');
type DisabledReason = NonNullable<Binding<GanttState, GanttAction, 'steps'>['off']>;
const inWordsOfSamples =
  (why: DisabledReason): DisabledReason =>
  (state, c) =>
    replaceBuildWords(why(state, c) ?? '') || undefined;
const noDurationReason: DisabledReason = ({ step }, { analysis: { profile } }) =>
  profile.steps.durationUs[step] === 0 ? 'this marker is a moment: no time to count' : undefined;
const KEYS = GANTT.keys
  .filter(({ action }) => SAMPLE_ACTIONS.has(action.type))
  .map(
    ({ off, noEffectReason, ...b }): Binding<GanttState, GanttAction, 'steps'> => ({
      ...b,
      ...(b.action.type === 'enter'
        ? { help: 'count only samples of this time, on all threads', footer: 'its time, all threads', off: noDurationReason }
        : { help: replaceBuildWords(b.help) }),
      ...(off ? { off: inWordsOfSamples(off) } : {}),
      ...(noEffectReason ? { noEffectReason: inWordsOfSamples(noEffectReason) } : {}),
    }),
  );

/** The Gantt view without links to other views, because phases are not build steps. */
const { findStep: _f, stepAt: _s, ...chart } = GANTT;

export const timelineView = viewEntry<'timeline', GanttState, GanttAction, 'steps'>({
  ...chart,
  id: 'timeline',
  title: 'Timeline',
  requires: ['times'],
  narrowContext: phaseContext,
  report: { name: 'timeline', ofFocus: false },
  followers: { beside: ['flame', 'routines'], below: ['flame', 'routines'] },
  hasPane: false,
  keys: KEYS,
  draw: (state, c) => drawChart(state, c, drawHottestRoutines),
  work: (_, c, ms) => stepFilter(c)?.run(ms) ?? true,
  routineAt: ({ step }, { analysis }) => analysis.profile.steps.routine[step] ?? -1,
  request(state, action, c): ViewRequest | undefined {
    if (action.type !== 'enter') return rangeRequest(state, action, c, 0);
    const { steps } = c.analysis.profile;
    const { step } = state;
    return step < 0
      ? undefined
      : { type: 'transform', transform: { word: 'time', ...roundRange(steps.startUs[step], endUs(steps, step)) } };
  },
  detail: phaseDetail,
  mode(state, c) {
    const choosing = rangeStartText(state, c);
    if (choosing !== undefined) return choosing;
    const { order } = ganttRows(c);
    const { routine, track } = c.analysis.profile.steps;
    const phases = order.filter((i) => routine[i] >= 0);
    const threads = new Set(Array.from(phases, (i) => track[i])).size;
    const markers = order.length - phases.length;
    const [from, to] = timeWindowOf(c.analysis);
    const window = visibleWindow(state, c);
    return [
      `${plural(phases.length, c.filter ? 'matching phase' : 'phase')}${markers > 0 ? `, ${plural(markers, 'marker')}` : ''}, ${rangeText(c.analysis) || `${timeText(to - from)} elapsed`}`,
      `, ${plural(threads, 'thread')}`,
      state.zoom ? `, showing ${timeText(window.to - window.from)}` : '',
      filterStatusText(c.matcher, stepFilter(c)),
    ].join('');
  },
});

/** The facts about a phase: `thread 7: parse lasts 498ms from 0us; its samples have 31.00% of cpu-clock; most in memcpy, 61.20%`. */
function phaseDetail({ step }: GanttState, context: ViewContext<'steps'>): string {
  if (step < 0) return '';
  const { c, phases } = samplesOf(context);
  const { steps, parts } = context.analysis.profile;
  const cost = phases.costs[step];
  const best = hottestRoutineOf(cost);
  const [origin] = wholeWindowOf(context.analysis);
  const nameWidth = Math.max(20, Math.floor(c.width / 3));
  const name = (routine: number) => visible(titleName(c, routine, nameWidth));
  const own = steps.routine[step] >= 0 ? name(steps.routine[step]) : `marker ${stepNameInWidth(step, nameWidth, context)}`;
  const thread = threadNames(parts)[steps.part[step]];
  const when = `lasts ${timeText(steps.durationUs[step])} from ${timeText(steps.startUs[step] - origin)}`;
  const share = `${shareCell({ ...c, percent: 'total' }, cost.total).text} of ${c.event.name}`;
  const most = best && best[0] !== steps.routine[step] ? `; most in ${name(best[0])}, ${formatPercent(best[1], cost.total)}` : '';
  return `${thread === null ? '' : `${thread}: `}${own} ${when}; its samples have ${share}${most}`;
}

type RoutineCost = readonly [routine: number, cost: number];
const routineCosts = memo((profile: ProfileOf<'stacks'>, event: Event, phases: Phases, step: number): readonly RoutineCost[] =>
  step < 0 ? [] : [...phaseSelfCosts(profile, event, phases, step)].sort((a, b) => b[1] - a[1] || a[0] - b[0]),
);

/** A table of the routines with the highest self cost during the phase under the cursor. */
function drawHottestRoutines(state: GanttState, context: ViewContext<'steps'>, height: number): ScreenLine[] {
  const { c, phases } = samplesOf(context);
  const rows = routineCosts(c.analysis.profile, c.event, phases, state.step);
  const cost = ([, value]: RoutineCost) => value;
  // Shares are of the phase, as in the line below.
  const ofPhase = { ...c, shareBase: rows.reduce((sum, row) => sum + cost(row), 0) };
  const columns: readonly Column<RoutineCost>[] = [
    displayColumn('cost', (row) => costText(c, cost(row)), { ...costColumnLayout(c, 'self'), rank: 9 }),
    ...shareColumn<RoutineCost>(c, 'share', (row) => shareCell(ofPhase, cost(row)), { title: 'of it' }),
    ...barColumn(c, cost, rows.length > 0 ? cost(rows[0]) : 0),
    displayColumn('routine', ([routine]) => nameCell(c, routine), {
      title: context.analysis.profile.steps.routine[state.step] >= 0 ? 'in this phase' : 'meanwhile',
      width: 14,
      flex: 1,
      rank: 9,
    }),
  ];
  return drawTable({ ...START, cursor: -1 }, c.width, height, { columns, rows, empty: 'no sample of this event' });
}
