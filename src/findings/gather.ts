// Runs all rules and selects findings: one per subject, at least 1 % of the total, at most twelve.

import { prepareAnalysis } from '../analysis/answers/analyse.ts';
import { type Analysis, splitsCosts } from '../analysis/answers/analysis.ts';
import { nameWithoutNumber } from '../analysis/names/names.ts';
import { memoInBackground } from '../base/slices.ts';
import { type CostTable, type Event, eventValue } from '../model/head.ts';
import { isNameless } from './cost/code-names.ts';
import { prepareRankings } from './hottest.ts';
import { rules } from './index.ts';
import { type Evidence, evidenceOf, type Finding, type RuleResult } from './rule.ts';
import { phraseText } from './say.ts';
import { costSplitSentence } from './top-down.ts';

/** Minimum share of a reported cost. Changes have their own limits: 0.1 % may be all that changed. */
const MIN_SHARE = 0.01;
/** Maximum findings, not counting notes: nobody reads longer lists. */
const MAX_FINDINGS = 9;
const MAX_NOTES = 3;
/** Maximum statements without a share: they come first, and must not crowd out findings with a share. */
const MAX_STATEMENTS = 5;

/** Runs all rules and selects their findings. Yields between slices of work. */
export function* gatherFindings(evidence: Evidence): Generator<undefined, readonly Finding[]> {
  const found: Finding[] = [];
  yield* prepareRankings(evidence);
  for (const rule of rules) {
    if (!rule.applies(evidence)) continue;
    for (const remark of yield* rule.find(evidence))
      found.push({ ...markEstimates(remark, evidence), rule: rule.id, isNote: remark.isNote ?? rule.onlyNotes === true });
    yield;
  }
  return selectFindings(found);
}

/** Marks results with estimates: costs that transforms split among callers, inclusive costs of recursive routines, and capped ones. */
function markEstimates(remark: RuleResult, { analysis, event, whole }: Evidence): RuleResult {
  const { estimated, inclusive, self, cycles } = analysis.totals;
  const { profile } = analysis;
  const { routine } = remark.target;
  if (!estimated || remark.share === undefined) return remark;
  if (!splitsCosts(analysis)) {
    if (routine === undefined) return remark;
    const isShare = (costs: CostTable) => eventValue(event, costs, routine) / whole === remark.share;
    const isExactSelf = isShare(self) && estimated.self[routine] === 0;
    if (isExactSelf || !isShare(inclusive) || estimated.inclusive[routine] === 0) return remark;
    const isShared = profile.kind === 'callgraph' && profile.nodes?.nameless && isNameless(nameWithoutNumber(profile, routine));
    const ofFile = profile.kind === 'callgraph' && profile.estimated && !profile.transformed;
    const unnamed = isShared ? 'its callers share unnamed code' : 'calls claim more than the program has';
    const otherReason = ofFile ? 'the file shares out times by the number of calls' : unnamed;
    const reason = cycles.of[routine] > 0 ? 'the routine is recursive' : otherReason;
    return { ...remark, estimated: true, why: `${remark.why}; estimated, because ${reason}` };
  }
  if (routine !== undefined && estimated.self[routine] === 0 && estimated.inclusive[routine] === 0) return remark;
  return { ...remark, estimated: true, why: `${remark.why}; estimated: the focus splits shared costs among callers` };
}

/** The findings to show: statements without a share, then findings by share, then notes about the profile. */
export function selectFindings(found: readonly Finding[]): readonly Finding[] {
  const subjects = new Set(found.map((f) => f.subject));
  const uncovered = found.filter((f) => !f.covers?.some((subject) => subjects.has(subject)));
  const statements = uncovered.filter((f) => f.share === undefined && !f.isNote);
  const withShare = uncovered
    .filter((f) => f.share !== undefined && Number.isFinite(f.share) && (f.share >= MIN_SHARE || f.sign !== undefined))
    // Growth is what a profile of input sizes is made for.
    .sort((a, b) => Number(b.rule === 'grows') - Number(a.rule === 'grows') || (b.share ?? 0) - (a.share ?? 0));
  const costs = withShare.filter((f) => !f.isNote);
  const remarks = [...uncovered.filter((f) => f.share === undefined && f.isNote), ...withShare.filter((f) => f.isNote)];
  const known = new Set<string>();
  const isNew = (finding: Finding) => {
    const [subject, text] = [`about ${finding.subject}`, phraseText(finding)];
    if (known.has(subject) || known.has(text)) return false;
    known.add(subject).add(text);
    return true;
  };
  const first = statements.filter(isNew).slice(0, MAX_STATEMENTS);
  const costly = costs.filter(isNew).slice(0, MAX_FINDINGS - first.length);
  return [...first, ...costly, ...remarks.filter(isNew).slice(0, MAX_NOTES)];
}

/** The findings and the sentence about how the cost splits, computed in the background between keys. */
export const findingsOf = memoInBackground(function* (analysis: Analysis, event: Event, newer: readonly string[]) {
  yield* prepareAnalysis(analysis.profile, analysis.partsOff);
  const findings = yield* gatherFindings(evidenceOf(analysis, event, newer));
  return { findings, top: yield* costSplitSentence(analysis, event) };
});
