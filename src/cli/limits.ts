// --fail-if: checks the profile against limits, and returns the exit code.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { baseComparisonText, type Limit, parseLimit } from '../analysis/limits/grammar.ts';
import { checkLimit, limitLines, limitsJson } from '../analysis/limits/limits.ts';
import { EXIT_LIMIT_EXCEEDED, UsageError } from '../base/errors.ts';

/** Parses --fail-if. Throws ChoiceError for an invalid limit, and UsageError for a limit that needs --base if that is missing. */
export function parseFailIf(exprs: readonly string[], compares: boolean): Limit[] {
  const limits = exprs.map(parseLimit);
  const compared = compares ? undefined : limits.map(baseComparisonText).find((text) => text !== undefined);
  if (compared !== undefined) throw new UsageError(`--fail-if: ${compared} needs --base, which names the run to compare with`);
  return limits;
}

/** The exit code, a line for each exceeded limit, and the results of all; no results without --fail-if. Throws ChoiceError for limits that do not apply to the profile. */
export function checkLimits(limits: readonly Limit[], analysis: Analysis) {
  const results = limits.map((limit) => checkLimit(limit, analysis));
  return {
    code: results.some((r) => r.exceeded) ? EXIT_LIMIT_EXCEEDED : 0,
    lines: limitLines(results),
    json: limits.length > 0 ? limitsJson(results) : undefined,
  };
}
