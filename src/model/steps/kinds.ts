// The kinds of steps.

/** Real ones; spans that contain others (a whole build); async ones; sums that a tool wrote as events. */
export const KINDS = ['step', 'whole', 'async', 'sum'] as const;
export type StepKind = (typeof KINDS)[number];
