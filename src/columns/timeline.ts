// The columns of phases: what each thread of a sampled program was busy with, and when.
import { analyse } from '../analysis/answers/analyse.ts';
import { type Analysis, isOfKind } from '../analysis/answers/analysis.ts';
import { threadNames } from '../analysis/answers/part-columns.ts';
import { activeSteps, endUs } from '../analysis/answers/steps/steps.ts';
import { routineName } from '../analysis/names/names.ts';
import { activityOf, type PhaseCost, phaseCosts, samplesAsPhases, selfBetween } from '../analysis/profiles/phases.ts';
import { memo } from '../base/memo.ts';
import { formatPercent } from '../base/units.ts';
import type { Event } from '../model/head.ts';
import type { ProfileOf } from '../model/profile.ts';
import type { Steps } from '../model/steps/tables.ts';
import { stringAt } from '../model/strings.ts';
import { barColumn, data, known, largest, shown, words } from './builders.ts';
import type { Column, ColumnContext, Table } from './column.ts';
import { costRoom, costText, shareCell, shareColumn } from './costs.ts';
import type { Listing } from './listing.ts';
import { nameCell, routineKey } from './names.ts';
import { ms, msText } from './times.ts';

type Context = ColumnContext<'stacks'>;

export interface Phases {
  /** The phases as steps. */
  readonly analysis: Analysis<'steps'>;
  /** By phase. */
  readonly costs: readonly PhaseCost[];
}

const phasesOf = memo((profile: ProfileOf<'stacks'>, event: Event, partsOff: ReadonlySet<number>): Phases | undefined => {
  const { times } = profile;
  if (!times) return undefined;
  const phases = samplesAsPhases(profile, times, event);
  const gauge = activityOf(profile, times, event, partsOff);
  const steps = { ...phases.steps, gauges: gauge ? [gauge] : [] };
  const analysis = analyse({ ...phases, steps }, phases.events, partsOff);
  return isOfKind(analysis, 'steps') ? { analysis, costs: phaseCosts(profile, times, event, phases) } : undefined;
}, 2);

/** The phases of a profile whose samples have times; throws for any other. */
export function phasesIn({ analysis: { profile, partsOff }, event }: Pick<Context, 'analysis' | 'event'>): Phases {
  const phases = phasesOf(profile, event, partsOff);
  if (!phases) throw new Error('the samples have no times');
  return phases;
}

/** The same of a phase or a marker, by routine. */
export function selfOf(
  profile: ProfileOf<'stacks'>,
  event: Event,
  { analysis, costs }: Phases,
  i: number,
): ReadonlyMap<number, number> {
  const { steps } = analysis.profile;
  if (steps.routine[i] >= 0 || !profile.times) return costs[i].self;
  return selfBetween(profile, profile.times, event, steps.part[i], [steps.startUs[i], endUs(steps, i)]);
}

/** The routine whose own code cost most in a phase; undefined where nothing did. */
export function hottestOf({ self }: PhaseCost): readonly [routine: number, cost: number] | undefined {
  let best: readonly [number, number] | undefined;
  for (const [routine, cost] of self) if (!best || cost > best[1]) best = [routine, cost];
  return best;
}

const table: Table<number, 'stacks'> = {
  keys: ['kind', 'startMs', 'durationMs', 'thread', 'part', 'routine', 'file', 'object', 'cost', 'hottest', 'hottestCost'],
  columns,
};

const rowsOf = memo((analysis: Analysis<'steps'>): readonly number[] => Array.from(activeSteps(analysis)), 2);

export const phaseList: Listing<number, 'stacks'> = {
  ...{ name: 'timeline', asks: ['times'], kind: 'stacks' },
  table: () => table,
  all: (c) => rowsOf(phasesIn(c).analysis),
  texts: (phase, c) => {
    const { steps } = phasesIn(c).analysis.profile;
    return [nameOf(c.analysis, steps, phase)];
  },
};

/** Markers are no phases: they have names of their own. */
const isMarker = ({ routine }: Steps, i: number) => routine[i] < 0;
const nameOf = ({ profile }: Analysis, { name }: Steps, i: number) => stringAt(profile.strings, name[i]) || '(no name)';

function columns(c: Context): Column<number>[] {
  const { analysis, costs } = phasesIn(c);
  const { steps, parts } = analysis.profile;
  // As tables with several events have it.
  const byEvent = (value: number) => ({ [c.event.name]: known(value) });
  const threads = threadNames(parts);
  const cost = (i: number) => costs[i].total;
  const hottest = (i: number) => hottestOf(costs[i]);
  const key = (i: number) => (isMarker(steps, i) ? undefined : routineKey(c.analysis, steps.routine[i]));
  const name = (i: number) => nameOf(c.analysis, steps, i);
  const time = (id: string, us: (i: number) => number): Column<number> => ({
    ...{ id: `${id}Ms`, also: id, title: `${id} ms`, align: 'right', key: us, ascends: id === 'start' },
    value: (i) => ms(us(i)),
    text: (i) => msText(us(i)),
  });
  return [
    // Times of samples count from the first of them.
    time('start', (i) => steps.startUs[i]),
    time('duration', (i) => steps.durationUs[i]),
    shown('cost', (i) => costText(c, cost(i)), { ...costRoom(c, c.event.name), key: cost, value: (i) => byEvent(cost(i)) }),
    ...shareColumn<number>(c, 'cost%', (i) => shareCell(c, cost(i))),
    ...barColumn<number>(c, cost, largest(steps.name.keys(), cost)),
    words('thread', (i) => threads[steps.part[i]], { width: 14, cut: 'end' }),
    data('part', (i) => steps.part[i] + 1),
    shown('routine', (i) => (isMarker(steps, i) ? `marker ${name(i)}` : nameCell(c, steps.routine[i])), {
      ...{ flex: 2, key: name, title: c.analysis.profile.markers ? 'routine or marker' : 'routine' },
      value: (i) => key(i)?.routine ?? null,
    }),
    data('kind', (i) => (isMarker(steps, i) ? 'marker' : 'phase')),
    data('marker', (i) => (isMarker(steps, i) ? name(i) : undefined), { optional: true }),
    data('file', (i) => key(i)?.file ?? null),
    data('object', (i) => key(i)?.object ?? null),
    shown('hottest', (i) => hottestText(c, costs[i]), {
      flex: 1,
      value: (i) => (hottest(i) === undefined ? null : routineKey(c.analysis, hottest(i)?.[0] ?? 0).routine),
    }),
    data('hottestCost', (i) => byEvent(hottest(i)?.[1] ?? Number.NaN)),
  ];
}

/** `memcpy 61.20%`: the routine whose own code cost most, and its share of the phase. */
function hottestText({ analysis }: Context, phase: PhaseCost): string {
  const best = hottestOf(phase);
  return best ? `${routineName(analysis.profile, best[0])} ${formatPercent(best[1], phase.total)}` : '';
}
