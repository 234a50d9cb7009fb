// Makes the analysis of a profile: the only place that picks a Costing by the profile's kind.
import { memo } from '../../base/lists.ts';
import { FormatError } from '../../base/problem.ts';
import type { Sliced } from '../../base/slices.ts';
import { type Event, withCalls } from '../../model/head.ts';
import { type Kind, type Profile, questionsOf } from '../../model/profile.ts';
import type { Analysis } from './analysis.ts';
import { callGraphCosting } from './callgraph/costing.ts';
import { comparedCosting } from './compared/costing.ts';
import { eventInEachRun, pairedEvents } from './compared/events.ts';
import { lineMapsOf, type SourceTexts } from './compared/lines-of-files.ts';
import { columnsOfRuns } from './compared/merge.ts';
import { type Costing, type Totals, totalsOf } from './costing.ts';
import { inputCosting } from './inputs/costing.ts';
import { once } from './once.ts';
import { olderParts } from './parts.ts';
import { processCosting } from './processes/costing.ts';
import { stackCosting } from './stacks/costing.ts';
import { stepCosting } from './steps/costing.ts';

/** The costing of one run. After transforms, percentages still refer to the total before them. */
function costingOf(profile: Profile, partsOff: ReadonlySet<number>): Costing {
  const costing = cachedCosting(profile, partsOff);
  const from = profile.transformed?.from;
  if (!from) return costing;
  const whole = once(() => cachedCosting(from, partsOff).totals().whole);
  const totals = once(() => {
    const { total, self, selfEstimated, unrecorded, recorded, calls, inlined, cycles, cycleSelf, cycleInclusive } =
      costing.totals();
    const known = { total, whole: whole(), self, calls, inlined, cycles, cycleSelf, cycleInclusive };
    return totalsOf({ ...known, selfEstimated, unrecorded, recorded }, costing.totals);
  });
  return { ...costing, totals };
}

/** Cache of costings by profile: transforms ask for the costing of their source again and again. */
const costingCache = new WeakMap<Profile, Map<string, Costing>>();
const MAX_CACHED_SELECTIONS = 2;

function cachedCosting(profile: Profile, partsOff: ReadonlySet<number>): Costing {
  const bySelection = costingCache.get(profile) ?? new Map<string, Costing>();
  costingCache.set(profile, bySelection);
  const selection = [...partsOff].sort((a, b) => a - b).join();
  const costing = bySelection.get(selection) ?? costingOfKind(profile, partsOff);
  // Re-inserting the selection makes it the most recently used: the first key is the least recently used.
  bySelection.delete(selection);
  bySelection.set(selection, costing);
  for (const oldest of bySelection.keys()) if (bySelection.size > MAX_CACHED_SELECTIONS) bySelection.delete(oldest);
  return costing;
}

/** Computes in advance what the first frame needs. Yields between slices of work. */
export function* prepareAnalysis(profile: Profile, partsOff: ReadonlySet<number>): Sliced<void> {
  const { compared } = profile;
  if (compared) {
    yield* prepareAnalysis(compared.now, partsOff);
    return yield* prepareAnalysis(compared.before, partsOffBefore(compared, partsOff));
  }
  for (const one of [profile.transformed?.from, profile]) {
    const job = one && cachedCosting(one, partsOff).preparing;
    if (job) yield* job.wait();
  }
}

/** The parts of the base that are off: as selected if both runs have equally many parts, else the base's defaults. */
function partsOffBefore({ now, before }: NonNullable<Profile['compared']>, partsOff: ReadonlySet<number>): ReadonlySet<number> {
  const usual = olderParts(now);
  const isUsual = partsOff.size === usual.size && [...usual].every((part) => partsOff.has(part));
  return isUsual || before.parts.length !== now.parts.length ? olderParts(before) : partsOff;
}

function costingOfKind(profile: Profile, partsOff: ReadonlySet<number>): Costing {
  switch (profile.kind) {
    case 'callgraph':
      return callGraphCosting(profile, partsOff);
    case 'stacks':
      return stackCosting(profile, partsOff);
    case 'inputs':
      return inputCosting(profile, partsOff);
    case 'steps':
      return stepCosting(profile, partsOff);
    case 'processes':
      return processCosting(profile, partsOff);
  }
}

/** Throws FormatError for costs per call of a profile that counts no calls. */
export function analyse(profile: Profile, events: readonly Event[], partsOff = olderParts(profile)): Analysis {
  const perCall = events.find((event) => event.per === 'calls');
  if (perCall && !questionsOf(profile).has('counts'))
    throw new FormatError({
      path: '--derive',
      expected: 'a profile that counts calls',
      found: `${perCall.formula} of one that does not`,
    });
  if (!profile.compared) return buildAnalysis({ profile, events, partsOff, costing: costingOf(profile, partsOff) });
  const { now, before, routineSides: sides } = profile.compared;
  const paired = pairedEvents(events, before.events);
  const off = partsOffBefore(profile.compared, partsOff);
  const eventsBefore = paired.map((event) => eventInEachRun(event)[1]);
  const base = buildAnalysis({ profile: before, events: eventsBefore, partsOff: off, costing: costingOf(before, off) });
  const runs = { now: costingOf(now, partsOff), before: base.costing, lineMaps: lineMapsOf(now, before) };
  const costing = comparedCosting({ ...runs, join: columnsOfRuns(now.columns, before.columns), sides });
  return buildAnalysis({ profile, events: paired, partsOff, costing, before: base });
}

/** The analysis with NaN for inclusive costs that are still being computed; undefined once all are known. */
export function analysisSoFar(analysis: Analysis): Analysis | undefined {
  const { preparing, totalsSoFar } = analysis.costing;
  if (!totalsSoFar || preparing?.ready !== undefined || analysis.totals.cycles.count === 0) return undefined;
  return withTotals(analysis, totalsSoFar);
}

const withTotals = memo(({ profile, events, partsOff, costing, before }: Analysis, totals: () => Totals) =>
  buildAnalysis({ profile, events, partsOff, before, costing: { ...costing, totals: once(totals) } }),
);

/** The analysis with the base's lines mapped to this run's by the source texts. */
export function withSourceTexts(analysis: Analysis, texts: SourceTexts): Analysis {
  const { profile, events, partsOff, before, costing } = analysis;
  if (!profile.compared || !costing.withLines) return analysis;
  const mapped = costing.withLines(lineMapsOf(profile.compared.now, profile.compared.before, texts));
  return buildAnalysis({ profile, events, partsOff, before, costing: mapped });
}

/** The analysis with other events over the same columns. In a comparison, each is paired with the base's event. */
export function withEvents({ profile, partsOff, costing, before }: Analysis, events: readonly Event[]): Analysis {
  const eventsBefore = events.map((event) => eventInEachRun(event)[1]);
  return buildAnalysis({ profile, events, partsOff, costing, before: before && withEvents(before, eventsBefore) });
}

/** Adds the totals and edges, which are computed when first asked for. */
export function buildAnalysis<K extends Kind>(given: Omit<Analysis<K>, 'totals' | 'edges'>): Analysis<K> {
  return {
    ...given,
    get totals() {
      return given.costing.totals();
    },
    get edges() {
      const edges = given.costing.edges();
      withCalls(edges.costs, edges.count);
      return edges;
    },
  };
}
