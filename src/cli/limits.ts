// --fail-if: holds the profile against limits, and says how the program ends.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { comparedPart, type Limit, parseLimit } from '../analysis/limits/grammar.ts';
import { checkLimit, type LimitJson, limitLines, limitsJson } from '../analysis/limits/limits.ts';
import { EXCEEDED, UsageError } from '../base/errors.ts';

export interface Checked {
  /** 0, or what the program ends with where a limit was exceeded. */
  readonly code: number;
  /** One for each limit that was exceeded. */
  readonly lines: readonly string[];
  /** All limits; absent where none was given. */
  readonly json: readonly LimitJson[] | undefined;
}

/** Throws ChoiceError for what is no limit, UsageError for one that needs a base where there is none. */
export function parseFailIf(exprs: readonly string[], compares: boolean): Limit[] {
  const limits = exprs.map(parseLimit);
  for (const limit of limits) {
    const compared = comparedPart(limit);
    if (compared !== undefined && !compares)
      throw new UsageError(`--fail-if: ${compared} needs --base, which names the run to compare with`);
  }
  return limits;
}

/** Throws ChoiceError for limits that the profile cannot be held against. */
export function checkLimits(limits: readonly Limit[], analysis: Analysis): Checked {
  const results = limits.map((limit) => checkLimit(limit, analysis));
  return {
    code: results.some((r) => r.exceeded) ? EXCEEDED : 0,
    lines: limitLines(results),
    json: limits.length > 0 ? limitsJson(results) : undefined,
  };
}
