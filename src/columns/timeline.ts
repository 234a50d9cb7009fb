// The columns of phases: the routines that each thread of a sampled program ran over time.
import { analyse } from '../analysis/answers/analyse.ts';
import { type Analysis, isOfKind } from '../analysis/answers/analysis.ts';
import { threadNames } from '../analysis/answers/part-columns.ts';
import { activeSteps, endUs } from '../analysis/answers/steps/steps.ts';
import { routineName } from '../analysis/names/names.ts';
import { computeActivity, type PhaseCost, phaseCosts, samplesAsPhases, selfCostBetween } from '../analysis/profiles/phases.ts';
import { memo } from '../base/lists.ts';
import { formatPercent } from '../base/units.ts';
import type { Event } from '../model/head.ts';
import type { ProfileOf } from '../model/profile.ts';
import type { Steps } from '../model/steps/tables.ts';
import { stringAt } from '../model/strings.ts';
import { barColumn, dataColumn, displayColumn, finiteOrNull, largestMagnitude, wordColumn } from './builders.ts';
import type { Column, ColumnContext } from './column.ts';
import { costColumnLayout, costText, shareCell, shareColumn } from './costs.ts';
import { makeListing } from './listing.ts';
import { nameCell, routineKey } from './names.ts';
import { timeColumn } from './times.ts';

export type Phases = NonNullable<ReturnType<typeof phasesOf>>;

/** `analysis`: the phases, converted to steps. `costs`: by phase. */
const phasesOf = memo((profile: ProfileOf<'stacks'>, event: Event, partsOff: ReadonlySet<number>) => {
  const { times } = profile;
  if (!times) return undefined;
  const phases = samplesAsPhases(profile, times, event);
  const gauge = computeActivity(profile, times, event, partsOff);
  const steps = { ...phases.steps, gauges: gauge ? [gauge] : [] };
  const analysis = analyse({ ...phases, steps }, phases.events, partsOff);
  return isOfKind(analysis, 'steps') ? { analysis, costs: phaseCosts(profile, times, event, phases) } : undefined;
}, 2);

/** The phases of a profile with timed samples. Throws for other profiles. */
export function requirePhases({ analysis, event }: Pick<ColumnContext<'stacks'>, 'analysis' | 'event'>): Phases {
  const phases = phasesOf(analysis.profile, event, analysis.partsOff);
  if (!phases) throw new Error('the samples have no times');
  return phases;
}

/** The self costs within a phase or marker, by routine. */
export function phaseSelfCosts(profile: ProfileOf<'stacks'>, event: Event, { analysis, costs }: Phases, i: number) {
  const { steps } = analysis.profile;
  if (steps.routine[i] >= 0 || !profile.times) return costs[i].self;
  return selfCostBetween(profile, profile.times, event, steps.part[i], [steps.startUs[i], endUs(steps, i)]);
}

/** The routine with the highest self cost in a phase; undefined if no routine has any. */
export function hottestRoutineOf({ self }: PhaseCost): readonly [routine: number, cost: number] | undefined {
  let best: readonly [number, number] | undefined;
  for (const [routine, cost] of self) if (!best || cost > best[1]) best = [routine, cost];
  return best;
}

const phaseRows = memo((analysis: Analysis<'steps'>): readonly number[] => Array.from(activeSteps(analysis)), 2);

export const phaseList = makeListing<number, 'stacks'>({
  ...{ name: 'timeline', requires: ['times'], kind: 'stacks' },
  keys: ['kind', 'startMs', 'durationMs', 'thread', 'part', 'routine', 'file', 'object', 'cost', 'hottest', 'hottestCost'],
  columns: phaseColumns,
  all: (c) => phaseRows(requirePhases(c).analysis),
  texts: (phase, c) => [phaseName(c.analysis, requirePhases(c).analysis.profile.steps, phase)],
});

const isMarker = ({ routine }: Steps, i: number) => routine[i] < 0;
const phaseName = ({ profile }: Analysis, { name }: Steps, i: number) => stringAt(profile.strings, name[i]) || '(no name)';

function phaseColumns(c: ColumnContext<'stacks'>): Column<number>[] {
  const { analysis, costs } = requirePhases(c);
  const { steps, parts } = analysis.profile;
  // An object by event name, as in other tables of costs.
  const byEvent = (value: number) => ({ [c.event.name]: finiteOrNull(value) });
  const threads = threadNames(parts);
  const cost = (i: number) => costs[i].total;
  const hottest = (i: number) => hottestRoutineOf(costs[i]);
  const key = (i: number) => (isMarker(steps, i) ? undefined : routineKey(c.analysis, steps.routine[i]));
  const name = (i: number) => phaseName(c.analysis, steps, i);
  return [
    // Times start at the first sample.
    { ...timeColumn<number>(c, 'start', 'start', 9, (i) => steps.startUs[i]), ascends: true },
    timeColumn(c, 'duration', 'duration', 9, (i) => steps.durationUs[i]),
    displayColumn('cost', (i) => costText(c, cost(i)), {
      ...costColumnLayout(c, c.event.name),
      key: cost,
      value: (i) => byEvent(cost(i)),
    }),
    ...shareColumn<number>(c, 'cost%', (i) => shareCell(c, cost(i))),
    ...barColumn<number>(c, cost, largestMagnitude(steps.name.keys(), cost)),
    wordColumn('thread', (i) => threads[steps.part[i]], { width: 14, cut: 'end' }),
    dataColumn('part', (i) => steps.part[i] + 1),
    displayColumn('routine', (i) => (isMarker(steps, i) ? `marker ${name(i)}` : nameCell(c, steps.routine[i])), {
      ...{ flex: 2, key: name, title: c.analysis.profile.markers ? 'routine or marker' : 'routine' },
      value: (i) => key(i)?.routine ?? null,
    }),
    dataColumn('kind', (i) => (isMarker(steps, i) ? 'marker' : 'phase')),
    dataColumn('marker', (i) => (isMarker(steps, i) ? name(i) : undefined), { optional: true }),
    dataColumn('file', (i) => key(i)?.file ?? null),
    dataColumn('object', (i) => key(i)?.object ?? null),
    displayColumn('hottest', (i) => hottestText(c, costs[i]), {
      flex: 1,
      value: (i) => (hottest(i) === undefined ? null : routineKey(c.analysis, hottest(i)?.[0] ?? 0).routine),
    }),
    dataColumn('hottestCost', (i) => byEvent(hottest(i)?.[1] ?? Number.NaN)),
  ];
}

/** `memcpy 61.20%`: the routine with the highest self cost, and its share of the phase. */
function hottestText({ analysis }: ColumnContext<'stacks'>, phase: PhaseCost): string {
  const best = hottestRoutineOf(phase);
  return best ? `${routineName(analysis.profile, best[0])} ${formatPercent(best[1], phase.total)}` : '';
}
