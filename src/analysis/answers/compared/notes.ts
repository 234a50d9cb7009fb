// Notes on a comparison: how routines were matched, and the limits of its numbers.
import { groupByKey, memo } from '../../../base/lists.ts';
import { warningText } from '../../../base/problem.ts';
import { formatPercent, plural } from '../../../base/units.ts';
import { type Event, eventValue, type Question } from '../../../model/head.ts';
import { MATCH_KINDS, type MatchKind, type Profile, questionsOf } from '../../../model/profile.ts';
import type { Analysis } from '../analysis.ts';
import { eventInMeasure, eventOfBothRuns, scaleFactor } from './measure.ts';
import { noiseOf, unknownNoiseReason } from './noise.ts';
import { inexactReason, spreadNotes } from './runs.ts';

const MATCH_STEP_TEXTS: Readonly<Record<MatchKind, string>> = {
  same: 'the same name, file and object',
  paths: 'paths that end alike',
  renamed: 'a new name: a sure rename, or one that was given',
  name: 'only the name, which is unique',
  clone: 'clones, to their function',
  'no symbols': 'code without symbols, one routine per object',
  none: 'not matched: new or gone',
};

/** Notes on how much of each run's cost every matching step matched. */
export function matchNotes(analysis: Analysis): string[] {
  const all = matchedCosts(analysis);
  const sum = (side: 'now' | 'base') => all.reduce((n, m) => n + m[side], 0);
  const [now, base] = [sum('now'), sum('base')];
  return all.map(
    (m) =>
      `${MATCH_STEP_TEXTS[m.by]}: ${plural(m.routines, 'routine')}, ${formatPercent(m.now, now)} of the cost now, ${formatPercent(m.base, base)} of the base's`,
  );
}

/** Names, for users, of the tables that one run may lack. */
const TABLE_NOUNS: Readonly<Partial<Record<Question, string>>> = {
  lines: 'lines',
  calls: 'calls',
  instrs: 'instructions',
  jumps: 'jumps',
  contexts: 'calling contexts',
  self: 'self cost',
};

/** Notes on the numbers of some events: scaled, left out, averaged, sampled, or variable between runs. */
export function compareNotes(analysis: Analysis, events: readonly Event[]): string[] {
  const { compared } = analysis.profile;
  if (!compared) return [];
  const { onlyNow, onlyBefore, normalize, runs } = compared;
  const { cut, warnings, paths } = compared.before;
  const [event] = analysis.events;
  const lacks = (a: Profile, b: Profile) =>
    [...questionsOf(b)].flatMap((question) => (questionsOf(a).has(question) ? [] : (TABLE_NOUNS[question] ?? [])));
  const [baseLacks, thisRunLacks] = [lacks(compared.before, compared.now), lacks(compared.now, compared.before)];
  return [
    ...(cut ? [cut.sign ? 'a part of the base could not be read' : 'the base is cut off: only the part before is compared'] : []),
    ...(warnings.length > 0 ? [`the base has ${plural(warnings.length, 'warning')}: ${warningText(warnings[0], paths)}`] : []),
    ...(normalize && event && !event.per
      ? [`the base is scaled to equal totals: ${event.name} by ${scaleFactor(analysis, event).toPrecision(4)}`]
      : []),
    ...renameNotes(compared.appliedRenames ?? []),
    ...(onlyNow.length > 0 ? [`only this run has ${onlyNow.join(', ')}, which cannot be compared`] : []),
    ...(onlyBefore.length > 0 ? [`only the base has ${onlyBefore.join(', ')}, which cannot be compared`] : []),
    ...(baseLacks.length > 0 ? [`the base has no ${baseLacks.join(', no ')}: not compared`] : []),
    ...(thisRunLacks.length > 0 ? [`this run has no ${thisRunLacks.join(', no ')}: not compared`] : []),
    ...(runs ? spreadNotes(runs, events) : []),
    ...noiseNotes(analysis, event),
    ...(runs ? [] : inexactNotes(analysis, events)),
  ];
}

const MAX_LISTED_RENAMES = 5;

/** The renames that were applied, and how to keep the names apart. */
function renameNotes(renames: readonly string[]): string[] {
  if (renames.length === 0) return [];
  const more = renames.length > MAX_LISTED_RENAMES ? `, and ${renames.length - MAX_LISTED_RENAMES} more` : '';
  const listed = renames.slice(0, MAX_LISTED_RENAMES).join('; ');
  return [`renamed: ${listed}${more}; --no-renames keeps the names apart`];
}

/** Explains ±, and the variation that it does not include. */
function noiseNotes(analysis: Analysis, event: Event | undefined): string[] {
  const noise = event && noiseOf(analysis, event);
  if (!noise || (!noise.known && noise.total)) return [];
  if (!noise.known) return [`noise unknown: ${unknownNoiseReason(event)}`];
  return noise.total
    ? ['± marks differences that lie within the 95 % interval of runs like those of the base']
    : ['± marks differences that lie within the 95 % interval of two sampled counts; other run-to-run variation is not included'];
}

/** Notes on events that vary with memory addresses, so that a difference may mean nothing. */
function inexactNotes(analysis: Analysis, events: readonly Event[]): string[] {
  const changed = events.filter((e) => eventValue(eventInMeasure(analysis, e, 'delta'), analysis.totals.total, 0) !== 0);
  return [...groupByKey(changed, (e) => inexactReason(e.name))].flatMap(([why, own]) =>
    why === undefined ? [] : `${own.map((e) => e.name).join(', ')} may vary although the program did not change: ${why}`,
  );
}

/**
 * The matching steps that matched anything, in order, with the number and the self cost of the routines; `none` is everything new or removed.
 */
export const matchedCosts = memo((analysis: Analysis) => {
  const { compared } = analysis.profile;
  const [event] = analysis.events;
  if (!compared || !event) return [];
  const { self } = analysis.totals;
  const [now, before] = eventOfBothRuns(analysis, event);
  const out = MATCH_KINDS.map((by) => ({ by, routines: 0, now: 0, base: 0 }));
  compared.match.forEach((step, r) => {
    const to = out[step];
    to.routines++;
    to.now += eventValue(now, self, r);
    to.base += eventValue(before, self, r);
  });
  // Sums of estimates are rounded, because their fractions are not significant.
  const sum = (value: number) => (analysis.totals.estimated ? Math.round(value) : value);
  return out.filter(({ routines }) => routines > 0).map((m) => ({ ...m, now: sum(m.now), base: sum(m.base) }));
});
