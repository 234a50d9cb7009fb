// Checks the limits of --fail-if against one run or two. grammar.ts defines their syntax.
import { replaceMarks } from '../../base/ascii.ts';
import { visible } from '../../base/safe-text.ts';
import { type Exact, formatPercent, isTimeUnit, plural } from '../../base/units.ts';
import { type Analysis, isOfKind } from '../answers/analysis.ts';
import { areCutUnlike } from '../answers/compared/measure.ts';
import { noiseOf, significantRows, unknownNoiseReason } from '../answers/compared/noise.ts';
import { inexactReason } from '../answers/compared/runs.ts';
import { isBuild, stageSpansOf, stepName } from '../answers/steps/steps.ts';
import { buildEndState, failedSteps, spanFinder, whyNotWhole } from '../builds/stages.ts';
import { lawLabel } from '../growth/classes.ts';
import { degreeChange, lawChange, lawsByRoutine, routineLaws } from '../growth/laws.ts';
import { routineName } from '../names/names.ts';
import { type CostPair, comparedValue, isExceeded, percentBaseOf, subtractExactly, valueInDirection } from './amounts.ts';
import { baseComparisonText, type Limit, type LimitComparison, type LimitMeasure, type LimitSubject } from './grammar.ts';
import {
  type LimitGauge,
  requireAnswer,
  requireBuild,
  requireEvent,
  routinesForLimit,
  rowsForLimit,
  throwLimitError,
} from './rows.ts';

export { type Limit, parseLimit } from './grammar.ts';

export interface LimitResult {
  readonly expr: string;
  readonly exceeded: boolean;
  /** The value in the base, for durations in milliseconds; for a law its name. Null without a base, without the routine in it, or without a law. */
  readonly base: Exact | string | null;
  readonly now: Exact | string | null;
  /** The routine or step that went furthest beyond the limit, or came nearest to it. */
  readonly where?: string;
  readonly what: LimitSubject['kind'];
  /** The numbers of that row are estimates. */
  readonly estimated?: true;
  /** The reason why a limit that was not exceeded may still have been. */
  readonly doubt?: string;
  /** The number of other rows that exceeded the limit. */
  readonly others: number;
  /** Message text: the values before and now, and their difference. */
  readonly text: string;
}

/** Throws ChoiceError for a limit that this profile, or its base, cannot be held against. */
export function checkLimit(limit: Limit, analysis: Analysis): LimitResult {
  const result = evaluateLimit(limit, analysis);
  const asksEnd = DURATION_SUBJECTS.has(limit.subject.kind) && isOfKind(analysis, 'steps') && isBuild(analysis.profile);
  return !result.exceeded && asksEnd && buildEndState(analysis) === 'unknown' ? { ...result, doubt: BUILD_END_UNKNOWN } : result;
}

/** Subjects whose durations mean nothing unless the build finished. */
const DURATION_SUBJECTS: ReadonlySet<LimitSubject['kind']> = new Set(['failed', 'build', 'step', 'target', 'header']);
const BUILD_END_UNKNOWN = 'the file does not say whether the build came to its end';

function evaluateLimit(limit: Limit, analysis: Analysis): LimitResult {
  const compared = baseComparisonText(limit);
  if (compared !== undefined && !analysis.before) throwLimitError(limit, `${compared} needs a run to compare with`);
  const { comparisons } = limit;
  const failure = failureResult(limit, analysis);
  if (failure !== undefined) return failure;
  if (comparisons === undefined) return checkLaws(limit, analysis);
  if (baseComparisonText(limit) !== undefined && analysis.events[0] && areCutUnlike(analysis, analysis.events[0]))
    throwLimitError(
      limit,
      'one of the files lacks more of the total that it states than the other: differences may be in what is missing',
    );
  const { rows, name, gauge } = rowsForLimit(limit, analysis);
  const gauges = comparisons.map((c) => [c, gauge(c.measure)] as const);
  // The first measure names the row.
  const [first] = comparisons;
  const [[, firstGauge]] = gauges;
  const significant = limit.beyondNoise ? rowsBeyondNoise(limit, analysis, rows, first.measure, firstGauge) : undefined;
  const exceeds = (row: number) =>
    (significant?.has(row) ?? true) && gauges.every(([comparison, of]) => isExceeded(comparison, of.read(row), of));
  const all = Array.from(rows);
  const failed = all.filter(exceeds);
  const row = furthestRow(failed.length > 0 ? failed : all, first, firstGauge);
  const [what, others] = [limit.subject.kind, Math.max(0, failed.length - 1)];
  const common = { expr: limit.expr, exceeded: failed.length > 0, what, others };
  if (row === undefined) return { ...common, base: null, now: null, text: '' };
  const reading = firstGauge.read(row);
  return {
    ...common,
    base: reading.before === undefined ? null : firstGauge.data(reading.before),
    now: firstGauge.data(reading.now),
    ...(name ? { where: name(row) } : {}),
    ...(firstGauge.isEstimate?.(row) ? { estimated: true } : {}),
    text: valuesText(first, reading, firstGauge, analysis.before !== undefined),
  };
}

/** A failed or unfinished build exceeds every limit on durations. Undefined if the limit must still be checked. */
function failureResult(limit: Limit, analysis: Analysis): LimitResult | undefined {
  const { kind } = limit.subject;
  if (!DURATION_SUBJECTS.has(kind)) return undefined;
  const build = requireBuild(limit, analysis);
  // Only the last of several builds in one record tells whether the build failed.
  const spanOf = spanFinder(build.profile.steps, stageSpansOf(build));
  const lastBuild = stageSpansOf(build).findLast(({ name }) => name === 'build');
  const isOfLast = (i: number) => spanOf(i)?.name !== 'build' || spanOf(i) === lastBuild;
  const [first, ...more] = failedSteps(build).filter((i) => kind !== 'failed' || isOfLast(i));
  const common = { expr: limit.expr, exceeded: true, what: 'step', base: null, now: null, others: more.length } as const;
  if (first !== undefined) return { ...common, text: 'the build failed', where: stepName(build.profile, first) };
  // A ninja log without build stages lists only commands that succeeded.
  if (kind === 'failed' && !build.profile.steps.stages)
    throwLimitError(limit, 'the profile does not say whether the build failed');
  if (buildEndState(build) === 'missing') return { ...common, text: 'the build did not come to its end' };
  const before = analysis.before && isOfKind(analysis.before, 'steps') && whyNotWhole(analysis.before);
  if (before && baseComparisonText(limit) !== undefined)
    throwLimitError(limit, `the build of the base ${before}: its times cannot be compared`);
  return kind === 'failed' ? { ...common, exceeded: false, text: '' } : undefined;
}

/** The row that is furthest beyond its limit; among equals, the one that changed most, then the first. */
function furthestRow(rows: readonly number[], limit: LimitComparison, { read }: LimitGauge): number | undefined {
  let best: { readonly row: number; readonly far: number; readonly change: number } | undefined;
  for (const row of rows) {
    const reading = read(row);
    const distance = valueInDirection(limit, reading);
    const far = Number.isNaN(distance) ? Number.NEGATIVE_INFINITY : distance;
    const change = Math.abs(Number(subtractExactly(reading.now, reading.before ?? 0)));
    if (!best || far > best.far || (far === best.far && !(change <= best.change))) best = { row, far, change };
  }
  return best?.row;
}

/** `12,756,763 -> 12,890,000 (+1.04%, +133,237)`; without a base, `12,890,000`. */
function valuesText(comparison: LimitComparison, reading: CostPair, gauge: LimitGauge, compared: boolean): string {
  const note = compared && reading.before === undefined ? 'new' : differenceText(comparison, reading, gauge);
  const now = gauge.text(reading.now);
  return `${compared ? `${gauge.text(reading.before ?? 0)} -> ${now}` : now}${note === '' ? '' : ` (${note})`}`;
}

/** The percentage that the amount is about, and the difference: `+1.04%, +133,237`. */
function differenceText({ amount }: LimitComparison, reading: CostPair, gauge: LimitGauge): string {
  const { now, before } = reading;
  const change = before === undefined ? undefined : subtractExactly(now, before);
  const ofTotal = amount.percentOf === 'total';
  const part = ofTotal ? comparedValue(amount, reading) : (change ?? 0);
  const whole = ofTotal ? percentBaseOf(amount, reading, gauge) : before;
  const share = formatPercent(Number(part), Math.abs(Number(whole ?? 0)));
  // A share that rounds to 0 keeps the sign of the difference.
  const sharing = Number(part) < 0 && !share.startsWith('-') ? `-${share}` : withPlusOrMinus(share);
  const percent = `${ofTotal && !amount.isDifference ? share : sharing}${ofTotal ? ' of total' : ''}`;
  return [...(share === '-' ? [] : [percent]), ...(change === undefined ? [] : [withPlusOrMinus(gauge.text(change))])].join(', ');
}

const withPlusOrMinus = (text: string) => (text.startsWith('-') ? text : `+${text}`);

/** A routine's law got worse if neither run's law fits the points of the other, and it grows faster now. */
function checkLaws(limit: Limit, analysis: Analysis): LimitResult {
  requireAnswer(limit, analysis, 'inputs');
  const base = isOfKind(analysis, 'inputs') ? analysis.before : undefined;
  if (limit.subject.kind !== 'law' || !isOfKind(analysis, 'inputs') || !base) throwLimitError(limit, 'the profile has no laws');
  const wanted = new Set(routinesForLimit(limit, analysis, limit.subject.which));
  const worse = routineLaws(analysis)
    .filter((law) => wanted.has(law.routine))
    .map((law) => ({ routine: law.routine, now: law.fit, old: lawsByRoutine(base).get(law.routine)?.fit }))
    .filter(({ now, old }) => lawChange(now, old) === 'worse')
    .sort((a, b) => degreeChange(b.now, b.old) - degreeChange(a.now, a.old));
  const others = Math.max(0, worse.length - 1);
  const common = { expr: limit.expr, exceeded: worse.length > 0, what: 'routine', others } as const;
  const [worst] = worse;
  const [now, old] = [worst?.now?.law, worst?.old?.law];
  if (!now || !old) return { ...common, base: null, now: null, text: '' };
  const where = routineName(analysis.profile, worst.routine);
  return { ...common, base: old.name, now: now.name, where, text: replaceMarks(`${lawLabel(old)} -> ${lawLabel(now)}`) };
}

/** Messages about limits that were exceeded, or may have been, one line each. */
export function limitLines(results: readonly LimitResult[]): string[] {
  return results.flatMap(({ expr, exceeded, doubt, text, where, estimated, others, what }) => {
    if (!exceeded) return doubt === undefined ? [] : [visible(`${expr}: not exceeded, but ${doubt}`)];
    const more = others > 0 ? `, and in ${plural(others, `other ${what}`)}` : '';
    const about = estimated ? ' (an estimate)' : '';
    return [visible(`${expr}: exceeded: ${text}${where === undefined ? '' : ` in ${where}`}${about}${more}`)];
  });
}

/** A limit as `--json` prints it. */
export type LimitJson = Pick<LimitResult, 'expr' | 'exceeded' | 'base' | 'now' | 'where' | 'estimated' | 'doubt'>;

/** All results for `--json`, including limits that were not exceeded. */
export const limitsJson = (results: readonly LimitResult[]): LimitJson[] =>
  results.map(({ what: _, others: __, text: ___, ...json }) => json);

/** Throws ChoiceError if the noise is unknown. */
function rowsBeyondNoise(limit: Limit, analysis: Analysis, rows: Iterable<number>, measure: LimitMeasure, gauge: LimitGauge) {
  if (!('event' in measure))
    return measure.of === 'calls'
      ? new Set(rows)
      : throwLimitError(limit, 'nothing says how far durations of equal builds differ');
  const event = requireEvent(limit, analysis, measure.event);
  const noise = noiseOf(analysis, event);
  const bothCosts = (row: number) => {
    const { now, before = 0 } = gauge.read(row);
    return [Number(now), Number(before)] as const;
  };
  if (!noise) {
    const why = event.per ? 'it is a ratio' : !isTimeUnit(event.unit) ? inexactReason(event.name) : 'a clock measures it';
    const exact = why === undefined || analysis.profile.compared?.runs !== undefined;
    return exact
      ? new Set(rows)
      : throwLimitError(limit, `the noise of ${event.name} is unknown (${why}): compare with several runs of the base`);
  }
  if (!noise.known)
    return throwLimitError(
      limit,
      `the noise of ${event.name} is unknown: ${noise.total ? 'one run is not to be compared with the least of several' : unknownNoiseReason(event)}`,
    );
  if (measure.of !== 'total') return new Set(significantRows(Array.from(rows), (row) => noise.chance(...bothCosts(row))));
  const isBeyond = (row: number) => {
    const [now, before] = bothCosts(row);
    return noise.total ? Math.abs(now - noise.total.mean) > noise.total.half : Math.abs(now - before) > noise.half(now, before);
  };
  return new Set(Array.from(rows).filter(isBeyond));
}
