// The limits of --fail-if, held against one run or two. How they are written says limit-grammar.ts.
import { asciiMarks } from '../../base/ascii.ts';
import { visible } from '../../base/safe-text.ts';
import { type Exact, formatPercent, plural } from '../../base/units.ts';
import { type Analysis, isOfKind } from '../answers/analysis.ts';
import { isBuild, stepName } from '../answers/steps/steps.ts';
import { endOf, failedSteps } from '../builds/stages.ts';
import { degreeChange, lawChange } from '../growth/changed.ts';
import { labelOf } from '../growth/classes.ts';
import { routineLaws } from '../growth/laws.ts';
import { routineName } from '../names/names.ts';
import { comparedValue, distance, holds, minus, type Reading, wholeOfAmount } from './amounts.ts';
import { beyondNoise } from './beyond-noise.ts';
import { type Amount, type Comparison, comparedPart, type Limit, type Subject } from './grammar.ts';
import { type Gauge, need, refuse, routinesOf, rowsOf, stepsOf } from './rows.ts';

export { type Limit, parseLimit } from './grammar.ts';

export interface LimitResult {
  /** As it was written. */
  readonly expr: string;
  readonly exceeded: boolean;
  /** In `unit`; of a law its name. Null where there is none: no base, a routine that it does not have, or no law. */
  readonly base: Exact | string | null;
  readonly now: Exact | string | null;
  readonly unit: Gauge['unit'] | 'law';
  /** The routine or step that went furthest beyond the limit, or came nearest to it. */
  readonly where?: string;
  /** Its kind. */
  readonly what: Subject['kind'];
  /** The numbers of that row are estimates. */
  readonly estimated?: true;
  /** The reason to doubt that a limit was kept. */
  readonly doubt?: string;
  /** How many others exceeded it. */
  readonly others: number;
  /** The numbers for people: before, now, and by how much they differ. */
  readonly text: string;
}

/** Throws ChoiceError for a limit that this profile, or its base, cannot be held against. */
export function checkLimit(limit: Limit, analysis: Analysis): LimitResult {
  const result = resultOf(limit, analysis);
  const asksEnd = OF_DURATIONS.has(limit.subject.kind) && isOfKind(analysis, 'steps') && isBuild(analysis.profile);
  return !result.exceeded && asksEnd && endOf(analysis) === 'unknown' ? { ...result, doubt: NO_END } : result;
}

/** A build that did not come to its end says nothing of these. */
const OF_DURATIONS: ReadonlySet<Subject['kind']> = new Set(['failed', 'build', 'step', 'target', 'header']);
const NO_END = 'the file does not say whether the build came to its end';

function resultOf(limit: Limit, analysis: Analysis): LimitResult {
  const compared = comparedPart(limit);
  if (compared !== undefined && !analysis.before) refuse(limit, `${compared} needs a run to compare with`);
  const { comparisons } = limit;
  const failure = failureOf(limit, analysis);
  if (failure !== undefined) return failure;
  if (comparisons === undefined) return checkLaws(limit, analysis);
  const { rows, name, gauge } = rowsOf(limit, analysis);
  const gauges = comparisons.map((c) => [c, gauge(c.measure)] as const);
  // The first measure is the row's own.
  const [first] = comparisons;
  const [[, shown]] = gauges;
  const beyond = limit.beyondNoise ? beyondNoise(limit, analysis, rows, first.measure, shown) : undefined;
  const passed = new Furthest();
  const failed = new Furthest();
  for (const row of rows) {
    const exceeds = (beyond?.has(row) ?? true) && gauges.every(([comparison, of]) => holds(comparison, of.read(row), of));
    const reading = shown.read(row);
    (exceeds ? failed : passed).add(row, distance(first, reading), Math.abs(Number(minus(reading.now, reading.before ?? 0))));
  }
  const { row } = failed.count > 0 ? failed : passed;
  const [what, others] = [limit.subject.kind, Math.max(0, failed.count - 1)];
  const common = { expr: limit.expr, exceeded: failed.count > 0, unit: shown.unit, what, others };
  if (row === undefined) return { ...common, base: null, now: null, text: '' };
  const reading = shown.read(row);
  return {
    ...common,
    base: reading.before === undefined ? null : shown.data(reading.before),
    now: shown.data(reading.now),
    ...(name ? { where: name(row) } : {}),
    ...(shown.isEstimate?.(row) ? { estimated: true } : {}),
    text: textOf(first, reading, shown, analysis.before !== undefined),
  };
}

/**
 * A build that failed exceeds every limit of durations: what it took says nothing. Undefined where that is no question, or it did not fail
 * and the limit asks for more.
 */
function failureOf(limit: Limit, analysis: Analysis): LimitResult | undefined {
  const { kind } = limit.subject;
  if (!OF_DURATIONS.has(kind)) return undefined;
  const build = stepsOf(limit, analysis);
  // A log of ninja has the commands that succeeded alone.
  if (kind === 'failed' && !build.profile.steps.stages) refuse(limit, 'the profile does not say whether the build failed');
  const [first, ...more] = failedSteps(build);
  const common = { expr: limit.expr, unit: 'ms', what: 'step', base: null, now: null, others: more.length } as const;
  if (first !== undefined) return { ...common, exceeded: true, text: 'the build failed', where: stepName(build.profile, first) };
  if (endOf(build) === 'missing') return { ...common, exceeded: true, text: 'the build did not come to its end' };
  return kind === 'failed' ? { ...common, exceeded: false, text: '' } : undefined;
}

/** The added row that went furthest; among equals, the one that changed most, then the first. */
class Furthest {
  count = 0;
  row: number | undefined;
  private far = Number.NEGATIVE_INFINITY;
  private change = 0;

  add(row: number, distance: number, change: number): void {
    const far = Number.isNaN(distance) ? Number.NEGATIVE_INFINITY : distance;
    this.count++;
    if (this.row !== undefined && (far < this.far || (far === this.far && change <= this.change))) return;
    this.row = row;
    this.far = far;
    this.change = change;
  }
}

/** `12,756,763 -> 12,890,000 (+1.04%, +133,237)`; without a base, `12,890,000`. */
function textOf({ amount }: Comparison, reading: Reading, gauge: Gauge, compared: boolean): string {
  const note = compared && reading.before === undefined ? 'new' : noteOf(amount, reading, gauge);
  const now = gauge.text(reading.now);
  return `${compared ? `${gauge.text(reading.before ?? 0)} -> ${now}` : now}${note === '' ? '' : ` (${note})`}`;
}

/** The percentage that the amount is about, and the difference: `+1.04%, +133,237`. */
function noteOf(amount: Amount, reading: Reading, gauge: Gauge): string {
  const { now, before } = reading;
  const change = before === undefined ? undefined : minus(now, before);
  const ofTotal = amount.percentOf === 'total';
  const part = ofTotal ? comparedValue(amount, reading) : (change ?? 0);
  const whole = ofTotal ? wholeOfAmount(amount, reading, gauge) : before;
  const share = formatPercent(Number(part), Math.abs(Number(whole ?? 0)));
  // A share that rounds to nothing keeps the sign of the difference.
  const sharing = Number(part) < 0 && !share.startsWith('-') ? `-${share}` : signed(share);
  const percent = `${ofTotal && !amount.differs ? share : sharing}${ofTotal ? ' of total' : ''}`;
  return [...(share === '-' ? [] : [percent]), ...(change === undefined ? [] : [signed(gauge.text(change))])].join(', ');
}

const signed = (text: string) => (text.startsWith('-') ? text : `+${text}`);

/** A routine's law got worse if neither run's law fits the points of the other, and it grows faster now. */
function checkLaws(limit: Limit, analysis: Analysis): LimitResult {
  need(limit, analysis, 'inputs');
  const base = isOfKind(analysis, 'inputs') ? analysis.before : undefined;
  if (limit.subject.kind !== 'law' || !isOfKind(analysis, 'inputs') || !base) refuse(limit, 'the profile has no laws');
  const wanted = new Set(routinesOf(limit, analysis, limit.subject.which));
  const before = new Map(routineLaws(base).map((law) => [law.routine, law.fit] as const));
  const worse = routineLaws(analysis)
    .filter((law) => wanted.has(law.routine) && lawChange(law.fit, before.get(law.routine)) === 'worse')
    .map(({ routine, fit }) => ({ routine, now: fit, old: before.get(routine) }))
    .sort((a, b) => degreeChange(b.now, b.old) - degreeChange(a.now, a.old));
  const others = Math.max(0, worse.length - 1);
  const common = { expr: limit.expr, exceeded: worse.length > 0, unit: 'law', what: 'routine', others } as const;
  const [worst] = worse;
  const [now, old] = [worst?.now?.law, worst?.old?.law];
  if (!now || !old) return { ...common, base: null, now: null, text: '' };
  const where = routineName(analysis.profile, worst.routine);
  return { ...common, base: old.name, now: now.name, where, text: asciiMarks(`${labelOf(old)} -> ${labelOf(now)}`) };
}

/** The messages about limits that were exceeded, or may have been, a line each. */
export function limitLines(results: readonly LimitResult[]): string[] {
  return results.flatMap(({ expr, exceeded, doubt, text, where, estimated, others, what }) => {
    if (!exceeded) return doubt === undefined ? [] : [visible(`${expr}: not exceeded, but ${doubt}`)];
    const more = others > 0 ? `, and in ${plural(others, `other ${what}`)}` : '';
    const about = estimated ? ' (an estimate)' : '';
    return [visible(`${expr}: exceeded: ${text}${where === undefined ? '' : ` in ${where}`}${about}${more}`)];
  });
}

/** A limit as `--json` has it. */
export type LimitJson = Pick<LimitResult, 'expr' | 'exceeded' | 'base' | 'now' | 'where' | 'estimated' | 'doubt'>;

/** The same for machines, with the limits that were kept. */
export function limitsJson(results: readonly LimitResult[]): LimitJson[] {
  return results.map(({ expr, exceeded, base, now, where, estimated, doubt }) => ({
    expr,
    exceeded,
    base,
    now,
    ...(where === undefined ? {} : { where }),
    ...(estimated ? { estimated } : {}),
    ...(doubt === undefined ? {} : { doubt }),
  }));
}
