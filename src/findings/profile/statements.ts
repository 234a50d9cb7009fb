// Statements about the profile itself: cut off, doubtful, not recorded, or with a summary that is not the sum of its lines.

import { MIN_MISSING_SHARE, missingShares } from '../../analysis/answers/compared/measure.ts';
import { type Problem, warningText } from '../../base/problem.ts';
import { visible } from '../../base/safe-text.ts';
import { eventValue, type Question } from '../../model/head.ts';
import { type Evidence, makeProfileRule, profileSubject } from '../rule.ts';
import { asCost, asCount, asShare, asShareOf, EMPTY_PHRASE, eventName, routineText, say } from '../say.ts';

// A profile that was cut off, or lost samples while it was recorded.

export const cutOffRule = makeProfileRule({
  id: 'cut',
  question: 'Is all of the profile there?',
  evidence: 'whether the file ends where it should, and could be read in full; samples that perf says were lost',
  threshold: 'any part that could not be read, any lost sample',
  runs: 'any',
  find({ analysis }) {
    const { cut, warnings } = analysis.profile;
    const base = analysis.before?.profile;
    const problem = cut ?? base?.cut;
    const isLost = ({ sign }: Problem) => sign === 'SAMPLES LOST';
    const lost = warnings.find(isLost) ?? base?.warnings.find(isLost);
    if (!problem && lost)
      return {
        ...say`${warnings.some(isLost) ? '' : 'In the base: '}${{ called: lost.found }}: what they would have counted is in no number`,
        try: 'sample less often (perf record -F 99), or with a larger buffer (perf record -m 16M)',
        why: 'what perf says of its own recording',
        ...profileSubject('cut'),
      };
    if (!problem) return [];
    const at =
      problem.line !== undefined ? ` at line ${problem.line}` : problem.offset !== undefined ? ` at byte ${problem.offset}` : '';
    const isLeftOut = problem.sign !== undefined;
    const which = `${isLeftOut ? 'A part of the' : 'The'} ${cut ? 'profile' : 'base'}`;
    const rest = `numbers cover only the ${isLeftOut ? 'rest' : 'part before'}, and may be too small`;
    return {
      ...say`${which} ${isLeftOut ? 'could not be read' : 'is cut off'}${at}; ${analysis.before ? 'differences from the base may be due to that' : rest}`,
      why: `expected ${visible(problem.expected)}, found ${visible(problem.found.slice(0, 200))}`,
      ...profileSubject('cut'),
    };
  },
});

// Warnings that the numbers may be wrong: objects and traces that are not those of the run.

export const doubtfulNumbersRule = makeProfileRule({
  id: 'doubtful',
  onlyNotes: true,
  question: 'Do objects, records or clocks contradict the profile?',
  evidence:
    'loader warnings that the title shows: an object newer than the profile or with another build ID, contradictory records',
  threshold: 'any such warning',
  runs: 'any',
  find({ analysis }) {
    const { warnings, paths } = analysis.profile;
    // Missing names and lost samples have findings of their own.
    const signed = warnings.filter((w) => w.sign !== undefined && w.sign !== 'NO NAMES' && w.sign !== 'SAMPLES LOST');
    const [first] = signed;
    if (!first) return [];
    const more = signed.length > 1 ? say` (and ${asCount('others', signed.length - 1, 'other warning')})` : EMPTY_PHRASE;
    return {
      ...say`The numbers may be wrong: ${{ called: warningText(first, paths).slice(0, 300) }}${more}`,
      why: `expected ${first.expected}`,
      ...profileSubject('doubt'),
    };
  },
});

// Data that was not recorded, and the option that records it.

/** Tables that may be missing, and what is unknown without them; the most useful first. */
const MISSING_TABLES: readonly (readonly [table: Question, what: string, lost: string])[] = [
  ['calls', 'Calls', 'callers'],
  ['lines', 'Source lines', 'hot lines'],
  ['contexts', 'Calling contexts', 'costs by context'],
  ['instrs', 'Instructions', 'hot instructions'],
];

export const unrecordedDataRule = makeProfileRule({
  id: 'not-recorded',
  onlyNotes: true,
  question: 'Which useful data was not recorded?',
  evidence: 'the tables that the format has and this file lacks, and the option that records them',
  threshold: 'any table with such an option; the most useful one is named',
  find({ analysis }) {
    const { lacks = [], format } = analysis.profile;
    // If only instructions are counted, each costs 1, so costs by instruction are of no use.
    const stalls = analysis.events.some(({ name }) => name === 'CEst');
    for (const [table, what, lost] of MISSING_TABLES) {
      const lack = lacks.find((l) => l.table === table && l.option);
      if (!lack?.option || (table === 'instrs' && !stalls)) continue;
      return {
        ...say`${what} were not recorded, so ${lost} are unknown`,
        try: `${lack.option.startsWith('-') ? 'record with' : 'run'} ${lack.option}`,
        why: `the ${format} format can hold them, and this file has none`,
        ...profileSubject('not recorded'),
      };
    }
    return [];
  },
});

// A file whose own summary is not the sum of its lines.

/** The cost that calls have and no routine below them. */
function unrecordedCallsOf(e: Evidence) {
  const { analysis, event, profile } = e;
  const { unrecorded } = analysis.totals;
  const costs = unrecorded && !event.per ? Array.from(profile.routines.name, (_, r) => eventValue(event, unrecorded, r)) : [];
  const sum = costs.reduce((all, cost) => all + Math.max(0, cost), 0);
  if (!(sum >= MIN_MISSING_SHARE * e.whole && e.whole > 0)) return [];
  const most = costs.indexOf(costs.reduce((a, b) => Math.max(a, b)));
  return {
    ...say`${asShare(e, 'unrecorded', sum)} of ${eventName(e)} is in calls, but in no routine below them: ${asShare(e, 'most', costs[most])} below ${routineText(profile, most)}`,
    why: 'costs of calls, and the costs of what is recorded below them',
    ...profileSubject('total'),
  };
}

export const totalSummaryRule = makeProfileRule({
  id: 'total-summary',
  onlyNotes: true,
  question: 'Does the file’s own summary equal the sum of its lines?',
  evidence: 'the summary line of each part and the costs of calls, compared with the sum of the cost lines',
  threshold: 'the summary, or what calls cost, exceeds the sum by at least 1 %; of two runs, in one more than in the other',
  runs: 'any',
  requires: ['routines', 'self'],
  find(e) {
    const { analysis, event } = e;
    const [now, before] = missingShares(analysis, event);
    const share = (name: string, missing: number) => asShareOf(name, 1 - missing, 1);
    // Another rule says which run is cut.
    const isCut = analysis.profile.cut ?? analysis.before?.profile.cut;
    if (!isCut && before !== undefined && Math.abs(now - before) >= MIN_MISSING_SHARE)
      return {
        ...say`The routines of this run add up to ${share('now', now)} of the total that it states, those of the base to ${share('before', before)}: differences may be in what is missing`,
        why: 'the summaries of both files',
        ...profileSubject('total'),
      };
    if (before !== undefined) return [];
    if (now < MIN_MISSING_SHARE) return unrecordedCallsOf(e);
    const [sum, stated] = [analysis.totals.total, analysis.totals.whole].map((table) => eventValue(event, table, 0));
    return {
      ...say`${asShareOf('missing', stated - sum, stated)} of the file’s stated total (${asCost(e, 'summary', stated)} ${eventName(e)}) ${analysis.profile.cut ? 'is in the part that was cut off' : 'belongs to no routine'}; the routines add up to ${asCost(e, 'sum', sum)}`,
      why: 'the summary of the file, which is the base of percentages',
      ...profileSubject('total'),
    };
  },
});
