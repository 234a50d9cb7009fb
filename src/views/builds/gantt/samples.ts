// Timeline: the threads of a sampled program over time, drawn as Gantt draws a build. A bar is a phase; its routine and what it cost are below.
import { threadNames } from '../../../analysis/answers/part-columns.ts';
import { endUs, wholeWindowOf, windowOf } from '../../../analysis/answers/steps/steps.ts';
import { wholeRange } from '../../../analysis/profiles/transforms/time-range.ts';
import { filterText } from '../../../base/match.ts';
import { memo } from '../../../base/memo.ts';
import { visible } from '../../../base/text.ts';
import { formatPercent, plural } from '../../../base/units.ts';
import { barColumn, shown } from '../../../columns/builders.ts';
import type { Column } from '../../../columns/column.ts';
import { costRoom, costText, shareCell, shareColumn } from '../../../columns/costs.ts';
import { nameCell, titleName } from '../../../columns/names.ts';
import { hottestOf, type Phases, phasesIn, selfOf } from '../../../columns/timeline.ts';
import { rangeText, timeText } from '../../../columns/times.ts';
import type { Event } from '../../../model/head.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { entry } from '../../open-view.ts';
import { START } from '../../parts/list.ts';
import { nameInRoom } from '../../parts/step-detail.ts';
import { drawTable } from '../../parts/table.ts';
import { type Binding, ofKind, type Request, type ScreenLine, type ViewContext } from '../../view.ts';
import { drawChart, windowIn } from './draw.ts';
import { GANTT, type GanttAction } from './index.ts';
import { rangeRequest, startText } from './range.ts';
import { type GanttState, ganttRows, stepSifting } from './rows.ts';

type Context = ViewContext<'steps'>;

/** The profile of samples behind the phases of a context. */
const samplesBehind = new WeakMap<Context, { readonly c: ViewContext<'stacks'>; readonly phases: Phases }>();

function phaseContext(context: ViewContext): Context {
  const c = ofKind('stacks')(context);
  const phases = phasesIn(c);
  const own = { ...c, analysis: phases.analysis };
  samplesBehind.set(own, { c, phases });
  return own;
}

function behind(c: Context) {
  const found = samplesBehind.get(c);
  if (!found) throw new Error('the context is of no samples');
  return found;
}

/** The keys of Gantt that are not about builds, in words of samples. */
const OWN: ReadonlySet<GanttAction['type']> = new Set([
  ...(['next-step', 'lane', 'enter', 'zoom', 'pan', 'zoom-off', 'zoom-step'] as const),
  ...(['range-start', 'range-end', 'range-window'] as const),
]);
const inWords = (text: string) =>
  text.replace('only steps in it', 'only samples in it').replaceAll('step', 'phase').replaceAll('build', 'run');
type Why = NonNullable<Binding<GanttState, GanttAction, 'steps'>['off']>;
const saidOf = (why: Why): Why => {
  return (state, c) => {
    const text = why(state, c);
    return text === undefined ? undefined : inWords(text);
  };
};
const noTime: Why = ({ step }, { analysis: { profile } }) =>
  profile.steps.durationUs[step] === 0 ? 'this marker is a moment: no time to count' : undefined;
const KEYS = GANTT.keys
  .filter(({ action }) => OWN.has(action.type))
  .map(
    ({ off, still, ...b }): Binding<GanttState, GanttAction, 'steps'> => ({
      ...b,
      ...(b.action.type === 'enter'
        ? { help: 'count only samples of this time', footer: 'only this', off: noTime }
        : { help: inWords(b.help) }),
      ...(off ? { off: saidOf(off) } : {}),
      ...(still ? { still: saidOf(still) } : {}),
    }),
  );

/** A phase is no step of a build, which other views would show. */
const { findStep: _f, stepAt: _s, ...chart } = GANTT;

export const timeline = entry<'timeline', GanttState, GanttAction, 'steps'>({
  ...chart,
  id: 'timeline',
  title: 'Timeline',
  digit: '9',
  asks: ['times'],
  of: phaseContext,
  report: { name: 'timeline', ofFocus: false },
  followers: { beside: ['flame', 'routines'], below: ['flame', 'routines'] },
  keys: KEYS,
  draw: (state, c) => drawChart(state, c, drawHottest),
  work: (_, c, ms) => stepSifting(c)?.run(ms) ?? true,
  routineAt: ({ step }, { analysis }) => analysis.profile.steps.routine[step] ?? -1,
  request(state, action, c): Request | undefined {
    if (action.type !== 'enter') return rangeRequest(state, action, c, 0);
    const { steps } = c.analysis.profile;
    const { step } = state;
    return step < 0
      ? undefined
      : { type: 'transform', transform: { word: 'time', ...wholeRange(steps.startUs[step], endUs(steps, step)) } };
  },
  detail,
  mode(state, c) {
    const choosing = startText(state, c);
    if (choosing !== undefined) return choosing;
    const { order } = ganttRows(c);
    const { routine, track } = c.analysis.profile.steps;
    const phases = order.filter((i) => routine[i] >= 0);
    const threads = new Set(Array.from(phases, (i) => track[i])).size;
    const markers = order.length - phases.length;
    const [from, to] = windowOf(c.analysis);
    const window = windowIn(state, c);
    return [
      `${plural(phases.length, 'phase')}${markers > 0 ? `, ${plural(markers, 'marker')}` : ''}${c.filter ? ' that match' : ''}, ${rangeText(c.analysis) || timeText(to - from)}`,
      `, ${plural(threads, 'thread')}`,
      state.zoom ? `, showing ${timeText(window.to - window.from)}` : '',
      filterText(c.matcher, stepSifting(c)),
    ].join('');
  },
});

/** `thread 7: parse, 498ms from 0us, 31.00% of cpu-clock; most in memcpy, 61.20%`. */
function detail({ step }: GanttState, context: Context): string {
  if (step < 0) return '';
  const { c, phases } = behind(context);
  const { steps, parts } = context.analysis.profile;
  const cost = phases.costs[step];
  const best = hottestOf(cost);
  const [origin] = wholeWindowOf(context.analysis);
  const room = Math.max(20, Math.floor(c.width / 3));
  const name = (routine: number) => visible(titleName(c, routine, room));
  const own = steps.routine[step] >= 0 ? name(steps.routine[step]) : `marker ${nameInRoom(step, room, context)}`;
  const thread = threadNames(parts)[steps.part[step]];
  const when = `${timeText(steps.durationUs[step])} from ${timeText(steps.startUs[step] - origin)}`;
  const share = `${shareCell({ ...c, percent: 'total' }, cost.total).text} of ${c.event.name}`;
  const most = best && best[0] !== steps.routine[step] ? `; most in ${name(best[0])}, ${formatPercent(best[1], cost.total)}` : '';
  return `${thread === null ? '' : `${thread}: `}${own}, ${when}, ${share}${most}`;
}

type Row = readonly [routine: number, cost: number];
const rowsOf = memo((profile: ProfileOf<'stacks'>, event: Event, phases: Phases, step: number): readonly Row[] =>
  step < 0 ? [] : [...selfOf(profile, event, phases, step)].sort((a, b) => b[1] - a[1] || a[0] - b[0]),
);

/** The routines whose own code cost most in the phase under the cursor. */
function drawHottest(state: GanttState, context: Context, height: number): ScreenLine[] {
  const { c, phases } = behind(context);
  const rows = rowsOf(c.analysis.profile, c.event, phases, state.step);
  const cost = ([, value]: Row) => value;
  const columns: readonly Column<Row>[] = [
    shown('cost', (row) => costText(c, cost(row)), { ...costRoom(c, 'self'), rank: 9 }),
    ...shareColumn<Row>(c, '%', (row) => shareCell(c, cost(row))),
    ...barColumn(c, cost, rows.length > 0 ? cost(rows[0]) : 0),
    shown('routine', ([routine]) => nameCell(c, routine), {
      title: context.analysis.profile.steps.routine[state.step] >= 0 ? 'in this phase' : 'meanwhile',
      width: 14,
      flex: 1,
      rank: 9,
    }),
  ];
  const table = { columns, rows: rows.length, row: (at: number) => rows[at], empty: 'no sample of this event' };
  return drawTable(table, { ...START, cursor: -1 }, c.width, height);
}
