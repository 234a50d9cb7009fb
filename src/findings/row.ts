// A finding as people read it: on the screen and in print.

import { type Analysis, isOfKind } from '../analysis/answers/analysis.ts';
import { stepName } from '../analysis/answers/steps/steps.ts';
import { routineName } from '../analysis/names/names.ts';
import { formatPercent } from '../base/units.ts';
import type { Finding, Target } from './rule.ts';

/** The share at stake; '' for statements that have none. */
export function shareText({ share, estimated, sign }: Finding): string {
  if (share === undefined) return '';
  const about = estimated ? '≈' : '';
  return `${about}${sign === 1 ? '+' : sign === -1 ? '-' : ''}${formatPercent(share, 1)}`;
}

/** A sentence beside its share: it does not begin with the same number again. */
export function besideShare(finding: Finding): { readonly lead: string; readonly parts: Finding['parts'] } {
  const lead = shareText(finding);
  const [first, ...others] = finding.parts;
  if (lead === '' || first === undefined || !first.text.startsWith(`${lead} `)) return { lead, parts: finding.parts };
  return { lead, parts: [{ ...first, text: first.text.slice(lead.length + 1) }, ...others] };
}

/** The subject of a target: a routine, a step, or the row of a table; undefined for the whole profile. */
export function targetName(analysis: Analysis, { routine, step, row }: Target): string | undefined {
  if (routine !== undefined) return routineName(analysis.profile, routine);
  if (step !== undefined && isOfKind(analysis, 'steps')) return stepName(analysis.profile, step);
  return row;
}
