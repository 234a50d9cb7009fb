// The subject of a limit: the rows of a profile that it names, and the measure of each.
import { ChoiceError } from '../../base/errors.ts';
import { getOrMake } from '../../base/lists.ts';
import { visible } from '../../base/safe-text.ts';
import { type Exact, formatCost, formatCount, formatRatio, smallestUnits } from '../../base/units.ts';
import { type CostTable, type Event, exactValue, type Question } from '../../model/head.ts';
import { MATCH_KINDS, type Profile, questionsOf } from '../../model/profile.ts';
import { cachedCompileCount } from '../../model/steps/history.ts';
import { type Analysis, isOfKind } from '../answers/analysis.ts';
import { callsBefore, callsScale, countInMeasure, eventInMeasure } from '../answers/compared/measure.ts';
import { buildDurationUs, stepName, stepText, workStepsOf } from '../answers/steps/steps.ts';
import { changeName, changesOf, type StepChange } from '../builds/changes.ts';
import { compileRows } from '../builds/compiles.ts';
import { cacheOf } from '../builds/history.ts';
import { longestChain } from '../builds/needs.ts';
import { recordedNameOf, routineName } from '../names/names.ts';
import { findRoutinesByWord, resolveRoutine } from '../profiles/choices.ts';
import { IN_BOTH_RUNS } from '../profiles/compare/match.ts';
import type { CostPair, ValueScale } from './amounts.ts';
import { baseComparisonText, type Limit, type LimitMeasure, type RowSelection } from './grammar.ts';

export interface LimitGauge extends ValueScale {
  read(row: number): CostPair;
  /** Whether the value is an estimate. Absent: none is. */
  isEstimate?(row: number): boolean;
  /** `text` formats a value for messages, `data` for JSON. */
  text(value: Exact): string;
  data(value: Exact): Exact;
}

export interface LimitRows {
  readonly rows: Iterable<number>;
  /** Absent for the whole profile, which has no rows. */
  readonly name?: (row: number) => string;
  gauge(measure: LimitMeasure): LimitGauge;
}

/** Throws ChoiceError for a limit that cannot be checked. */
export function throwLimitError({ expr }: Pick<Limit, 'expr'>, why: string): never {
  throw new ChoiceError(`--fail-if '${expr}': ${why}`);
}

const QUESTION_NAMES: Partial<Record<Question, string>> = {
  self: 'self costs',
  inclusive: 'inclusive costs',
  counts: 'counts of calls',
  inputs: 'costs by input size',
};

/** Throws ChoiceError if one of the runs cannot answer the question. */
export function requireAnswer(limit: Limit, { profile, before }: Analysis, question: Question): void {
  const runs = [profile.compared?.now ?? profile, ...(before ? [before.profile] : [])];
  const without = runs.find((run) => !questionsOf(run).has(question));
  if (!without) return;
  throwLimitError(limit, `${pathsOf(without)} (${without.format}) has no ${QUESTION_NAMES[question] ?? question}`);
}

const pathsOf = ({ paths }: Profile) => visible(paths.join(' '));

/** The rows of a limit. Throws ChoiceError if neither run has any. */
export function rowsForLimit(limit: Limit, analysis: Analysis): LimitRows {
  const { subject } = limit;
  switch (subject.kind) {
    case 'total':
      return { rows: [0], gauge: (measure) => routineGauge(limit, analysis, measure) };
    case 'build':
    case 'failed':
      return { rows: [0], gauge: (measure) => buildGauge(limit, analysis, measure) };
    case 'step':
      return stepRows(limit, analysis, subject.which);
    case 'target':
    case 'test':
      return partRows(limit, partDurations(limit, analysis, subject.kind), subject.which, subject.kind);
    case 'header':
      return partRows(limit, headerDurations(limit, analysis), subject.which, subject.kind);
    default:
      return {
        rows: routinesForLimit(limit, analysis, subject.which),
        name: (row) => routineName(analysis.profile, row),
        gauge: (measure) => routineGauge(limit, analysis, measure),
      };
  }
}

/** The routines that a name or pattern selects. Patterns are matched with the names of either run. */
export function routinesForLimit(limit: Limit, analysis: Analysis, which: RowSelection): number[] {
  requireAnswer(limit, analysis, 'routines');
  const { profile, before } = analysis;
  const all = Array.from(profile.routines.name.keys());
  if (which === 'any') return all;
  const none = () => throwLimitError(limit, `no routine of ${before ? 'either run' : 'the profile'} matches`);
  if ('name' in which) {
    // The routine may have another name in the base.
    const named = [profile, ...(before ? [before.profile] : [])].find((p) => findRoutinesByWord(p, which.name).length > 0);
    return [resolveRoutine(named ?? none(), which.name, 'routine', (why) => throwLimitError(limit, why))];
  }
  const { compared } = profile;
  const test = which.pattern.test;
  const isRenamed = (r: number) => compared?.routineSides[r] === IN_BOTH_RUNS && MATCH_KINDS[compared.match[r]] !== 'same';
  const found = all.filter(
    (r) =>
      test(routineName(profile, r)) ||
      test(recordedNameOf(profile, r) ?? '') ||
      (before !== undefined && isRenamed(r) && test(routineName(before.profile, r))),
  );
  return found.length > 0 ? found : none();
}

function routineGauge(limit: Limit, analysis: Analysis, measure: LimitMeasure): LimitGauge {
  switch (measure.of) {
    case 'calls':
      return callsGauge(limit, analysis);
    case 'total':
      return costGauge(limit, analysis, requireEvent(limit, analysis, measure.event), analysis.totals.total);
    case 'self':
    case 'inclusive': {
      const { of } = measure;
      requireAnswer(limit, analysis, of);
      return {
        ...costGauge(limit, analysis, requireEvent(limit, analysis, measure.event), analysis.totals[of]),
        isEstimate: (row) => analysis.totals.estimated?.[of][row] === 1,
      };
    }
    default:
      return throwLimitError(limit, `a routine has no ${measure.of}`);
  }
}

export function requireEvent(limit: Limit, { events, profile: { compared } }: Analysis, name: string): Event {
  const found = events.find((e) => e.name === name);
  if (found) return found;
  const known = events.map((e) => e.name).join(', ');
  if (compared?.onlyNow.includes(name)) return throwLimitError(limit, `the base has no event ${name}; both runs have ${known}`);
  if (compared?.onlyBefore.includes(name))
    return throwLimitError(limit, `only the base has an event ${name}; both runs have ${known}`);
  return throwLimitError(limit, `no such event as ${name}; there are ${known}`);
}

const UNIT_NOUNS = { ns: 'time', bytes: 'amount of memory' } as const;

function costGauge(limit: Limit, analysis: Analysis, event: Event, costs: CostTable): LimitGauge {
  const { profile, before, totals } = analysis;
  const unit = smallestUnits(event.unit);
  for (const { amount } of limit.comparisons ?? []) {
    if (amount.unit && amount.unit.of !== unit?.of)
      throwLimitError(limit, `${amount.text}: ${event.name} is no ${UNIT_NOUNS[amount.unit.of]}`);
    if (amount.percentOf === 'total' && event.per)
      throwLimitError(limit, `${amount.text}: ${event.name} is a ratio, which has no shares`);
  }
  const ours = eventInMeasure(analysis, event, 'now');
  const theirs = before && eventInMeasure(analysis, event, 'before');
  const sides = profile.compared?.routineSides;
  const readIn = (table: CostTable, row: number, absent: boolean): CostPair => ({
    now: exactValue(ours, table, row),
    before: theirs && !absent ? exactValue(theirs, table, row) : undefined,
  });
  return {
    read: (row) => readIn(costs, row, costs !== totals.total && sides?.[row] === 1),
    total: readIn(totals.whole, 0, false),
    perUnit: unit && BigInt(unit.factor),
    // Scaled costs are rounded, and could look exact by chance.
    exact: profile.compared?.normalize !== true,
    text: (value) => (event.per ? formatRatio(Number(value)) : formatCost(value, event.unit)),
    data: (value) => value,
  };
}

/** Counts, which have no unit. */
const COUNT_GAUGE: Omit<LimitGauge, 'read'> = {
  ...{ total: undefined, perUnit: undefined, exact: true },
  text: formatCount,
  data: (value) => value,
};

function callsGauge(limit: Limit, analysis: Analysis): LimitGauge {
  requireAnswer(limit, analysis, 'counts');
  const { totals, before, profile } = analysis;
  const then = before && totals.inclusive[callsBefore(analysis)];
  const sides = profile.compared?.routineSides;
  for (const { amount } of limit.comparisons ?? [])
    if (amount.unit) throwLimitError(limit, `${amount.text}: a number of calls is no ${UNIT_NOUNS[amount.unit.of]}`);
  return {
    ...COUNT_GAUGE,
    read: (row) => ({
      now: totals.calls[row],
      before: then && sides?.[row] !== 1 ? countInMeasure(analysis, 'before', totals.calls[row], then[row]) : undefined,
    }),
    // A mean of several runs is rounded, and could look exact by chance.
    exact: callsScale(analysis) === 1,
  };
}

/** Microseconds, shown as milliseconds; amounts without a unit are milliseconds. */
const DURATION_GAUGE: Omit<LimitGauge, 'read'> = {
  total: undefined,
  perUnit: 1000n,
  usualPerUnit: 1_000_000n,
  exact: true,
  text: (value) => formatCost(value, 'us'),
  data: (value) => Number(value) / 1000,
};

export function requireBuild(limit: Limit, analysis: Analysis): Analysis<'steps'> {
  requireAnswer(limit, analysis, 'steps');
  return isOfKind(analysis, 'steps') ? analysis : throwLimitError(limit, 'the profile has no steps');
}

function buildGauge(limit: Limit, analysis: Analysis, { of }: LimitMeasure): LimitGauge {
  const build = requireBuild(limit, analysis);
  const sum = ({ profile }: Analysis<'steps'>, steps: readonly number[]) =>
    steps.reduce((us, step) => us + profile.steps.durationUs[step], 0);
  const read = (run: Analysis<'steps'>, which: string): number => {
    if (of === 'hits' || of === 'misses') {
      const cache = cacheOf(run) ?? throwLimitError(limit, `${which} has no record of a compiler cache`);
      return of === 'hits' ? cache.hits : cachedCompileCount(cache) - cache.hits;
    }
    if (of === 'work') return sum(run, workStepsOf(run));
    if (of !== 'chain') return buildDurationUs(run);
    const chain = longestChain(run);
    return chain.length > 0 ? sum(run, chain) : throwLimitError(limit, 'nothing says which steps need which');
  };
  const both = () => ({ now: read(build, 'the build'), before: build.before && read(build.before, 'the base') });
  return { ...(of === 'hits' || of === 'misses' ? COUNT_GAUGE : DURATION_GAUGE), read: both };
}

/** The summed durations of targets or tests by name, in microseconds. Steps that were up to date in one of the builds are not compared. */
function partDurations(limit: Limit, analysis: Analysis, by: 'target' | 'test'): ReadonlyMap<string, CostPair> {
  const build = requireBuild(limit, analysis);
  const out = new Map<string, { now: number; before: number | undefined }>();
  for (const { step, before, afterUs, beforeUs } of changesThatRan(build).filter((c) => isCompared(limit, c))) {
    const { profile } = step >= 0 ? build : (build.before ?? build);
    const row = step >= 0 ? step : before;
    const isTest = stepText(profile, 'role', row) === 'test';
    const name = by === 'target' ? stepText(profile, 'target', row) : isTest ? stepName(profile, row) : null;
    if (name === null) continue;
    const part = getOrMake(out, name, () => ({ now: 0, before: undefined }));
    if (!Number.isNaN(afterUs)) part.now += afterUs;
    if (!Number.isNaN(beforeUs)) part.before = (part.before ?? 0) + beforeUs;
  }
  return out;
}

function headerDurations(limit: Limit, analysis: Analysis): ReadonlyMap<string, CostPair> {
  const build = requireBuild(limit, analysis);
  const times = (run: Analysis<'steps'>) =>
    run.profile.steps.compiles
      ? new Map(compileRows(run, 'headers').map(({ name, us }) => [name, us]))
      : throwLimitError(limit, `${pathsOf(run.profile)} has no times of headers, as clang writes them with -ftime-trace`);
  const [now, before] = [times(build), build.before && times(build.before)];
  const names = new Set([...now.keys(), ...(before?.keys() ?? [])]);
  return new Map(Array.from(names, (name) => [name, { now: now.get(name) ?? 0, before: before?.get(name) }]));
}

function partRows(limit: Limit, parts: ReadonlyMap<string, CostPair>, which: RowSelection, what: string): LimitRows {
  const all = [...parts];
  const rows = matchingRows(all, which, ([name]) => [name]) ?? throwLimitError(limit, `no ${what} matches`);
  return { rows, name: (row) => all[row][0], gauge: () => ({ ...DURATION_GAUGE, read: (row) => all[row][1] }) };
}

/** Changes of the steps that ran; without a base, every step counts as new. */
const changesThatRan = (build: Analysis<'steps'>): StepChange[] =>
  build.before ? changesOf(build, build.before).filter((c) => c.kind !== 'not run') : stepsAsNew(build);

/** Whether a limit applies to a step. Limits on changes skip steps that were up to date in the base. */
const isCompared = (limit: Limit, { kind }: StepChange): boolean => baseComparisonText(limit) === undefined || kind !== 'run now';

/** The steps of both builds, except those that only one build ran. */
function stepRows(limit: Limit, analysis: Analysis, which: RowSelection): LimitRows {
  const build = requireBuild(limit, analysis);
  const steps = changesThatRan(build);
  const known = (us: number) => (Number.isNaN(us) ? undefined : us);
  const read = (row: number) => ({ now: known(steps[row].afterUs) ?? 0, before: known(steps[row].beforeUs) });
  const rows =
    matchingRows(steps, which, (change) => matchableTexts(build, change)) ??
    throwLimitError(limit, `no step ${build.before ? 'of either build' : 'of the build'} matches`);
  return {
    rows: rows.filter((row) => isCompared(limit, steps[row])),
    name: (row) => changeName(build, build.before ?? build, steps[row]),
    gauge: () => ({ ...DURATION_GAUGE, read }),
  };
}

function stepsAsNew(build: Analysis<'steps'>): StepChange[] {
  const { steps } = build.profile;
  return workStepsOf(build).map((step) => {
    const afterUs = steps.durationUs[step];
    return { kind: 'new', step, before: -1, beforeUs: Number.NaN, afterUs, changeUs: afterUs };
  });
}

/** The texts of a step that a name is matched with: its name and its source. */
function matchableTexts(build: Analysis<'steps'>, { step, before }: StepChange): string[] {
  const [{ profile }, row] = step >= 0 ? [build, step] : [build.before ?? build, before];
  return [stepName(profile, row), stepText(profile, 'source', row) ?? ''];
}

/** The selected rows; undefined if no text matches. A name without an exact match also matches parts of texts. */
function matchingRows<T>(all: readonly T[], which: RowSelection, textsOf: (row: T) => readonly string[]): number[] | undefined {
  if (which === 'any') return Array.from(all.keys());
  const rowsWith = (test: (text: string) => boolean) => {
    const rows = all.flatMap((one, row) => (textsOf(one).some(test) ? [row] : []));
    return rows.length > 0 ? rows : undefined;
  };
  if ('pattern' in which) return rowsWith(which.pattern.test);
  return rowsWith((text) => text === which.name) ?? rowsWith((text) => text.includes(which.name));
}
