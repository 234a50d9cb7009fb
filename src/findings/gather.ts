// Runs all rules and selects findings: one per subject, at least 1 % of the total, at most twelve.

import { type Analysis, splitsCosts } from '../analysis/answers/analysis.ts';
import { Background } from '../base/background.ts';
import { memo } from '../base/memo.ts';
import { eventValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';
import { evidenceOf } from './evidence.ts';
import { ranking } from './hottest.ts';
import { rules } from './index.ts';
import type { Evidence, Finding, Remark } from './rule.ts';
import { textOf } from './say.ts';
import { topDown } from './top-down.ts';

/** Shares of the whole below this are not reported. Changes have limits of their own: one of 0.1 % may be all that changed. */
const LEAST = 0.01;
/** Longer lists are not read. */
const MOST = 9;
const MOST_REMARKS = 3;
/** Statements without a share come first, and must leave room for what has one. */
const MOST_STATEMENTS = 5;

/** Yields between slices of work. */
export function* gathering(evidence: Evidence): Generator<undefined, readonly Finding[]> {
  const found: Finding[] = [];
  yield* ranking(evidence);
  for (const rule of rules) {
    if (!rule.applies(evidence)) continue;
    for (const remark of yield* rule.find(evidence))
      found.push({ ...markEstimates(remark, evidence), rule: rule.id, isRemark: remark.isRemark ?? rule.remark === true });
    yield;
  }
  return selectFindings(found);
}

/** Costs are estimates where transforms split what several callers have, and inclusive costs in recursions. */
function markEstimates(remark: Remark, { analysis, event, whole }: Evidence): Remark {
  const { estimated, inclusive } = analysis.totals;
  const { routine } = remark.target;
  if (!estimated || remark.share === undefined) return remark;
  if (!splitsCosts(analysis)) {
    const isInclusive = routine !== undefined && eventValue(event, inclusive, routine) / whole === remark.share;
    if (!isInclusive || estimated.inclusive[routine] === 0) return remark;
    return { ...remark, estimated: true, why: `${remark.why}; estimated, because the routine is recursive` };
  }
  const exact = routine !== undefined && estimated.self[routine] === 0 && estimated.inclusive[routine] === 0;
  if (exact) return remark;
  return { ...remark, estimated: true, why: `${remark.why}; estimated: the focus splits shared costs among callers` };
}

/** The findings that are shown: facts without a share, then the most expensive ones, then remarks about the profile. */
export function selectFindings(found: readonly Finding[]): readonly Finding[] {
  const subjects = new Set(found.map((f) => f.subject));
  const alone = found.filter((f) => !f.covers?.some((subject) => subjects.has(subject)));
  const statements = alone.filter((f) => f.share === undefined && !f.isRemark);
  const shared = alone
    .filter((f) => f.share !== undefined && Number.isFinite(f.share) && (f.share >= LEAST || f.sign !== undefined))
    .sort((a, b) => (b.share ?? 0) - (a.share ?? 0));
  const costs = shared.filter((f) => !f.isRemark);
  const remarks = [...alone.filter((f) => f.share === undefined && f.isRemark), ...shared.filter((f) => f.isRemark)];
  const known = new Set<string>();
  const fresh = (finding: Finding) => {
    const [subject, text] = [`about ${finding.subject}`, textOf(finding)];
    if (known.has(subject) || known.has(text)) return false;
    known.add(subject).add(text);
    return true;
  };
  const first = statements.filter(fresh).slice(0, MOST_STATEMENTS);
  const costly = costs.filter(fresh).slice(0, MOST - first.length);
  return [...first, ...costly, ...remarks.filter(fresh).slice(0, MOST_REMARKS)];
}

/** The findings of what is shown, and the sentence above them. */
function* gatheringAll(analysis: Analysis, event: Event, newer: readonly string[]) {
  const findings = yield* gathering(evidenceOf(analysis, event, newer));
  return { findings, top: yield* topDown(analysis, event) };
}

/** The same, worked out between keys. */
export const findingsOf = memo(
  (analysis: Analysis, event: Event, newer: readonly string[]) => new Background(gatheringAll(analysis, event, newer)),
  4,
);
