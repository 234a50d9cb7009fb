// A finding as people read it: on the screen and in print.

import { type Analysis, isOfKind } from '../analysis/answers/analysis.ts';
import { stepName } from '../analysis/answers/steps/steps.ts';
import { routineName } from '../analysis/names/names.ts';
import { formatPercent } from '../base/units.ts';
import type { Finding, FindingTarget } from './rule.ts';

/** The share of a finding; '' for statements without one. */
export function shareText({ share, estimated, sign }: Finding): string {
  if (share === undefined) return '';
  const mark = estimated ? '≈' : '';
  return `${mark}${sign === 1 ? '+' : sign === -1 ? '-' : ''}${formatPercent(share, 1)}`;
}

/** The share as `lead`, and the sentence without that number at its start. */
export function withoutLeadingShare(finding: Finding): { readonly lead: string; readonly parts: Finding['parts'] } {
  const lead = shareText(finding);
  const [first, ...others] = finding.parts;
  if (lead === '' || first === undefined || !first.text.startsWith(`${lead} `)) return { lead, parts: finding.parts };
  return { lead, parts: [{ ...first, text: first.text.slice(lead.length + 1) }, ...others] };
}

/** The name of the routine, step or row that a finding points to; undefined for the whole profile. */
export function targetName(analysis: Analysis, { routine, step, row }: FindingTarget): string | undefined {
  if (routine !== undefined) return routineName(analysis.profile, routine);
  if (step !== undefined && isOfKind(analysis, 'steps')) return stepName(analysis.profile, step);
  return row;
}
