// Limits on what a file may contain before it is refused as hostile or broken, far above what tools write.
// `--max NAME=N` raises a limit.
import type { Problem } from './problem.ts';

/** Each limit, by its name in --max, in the unit that UNITS says. */
export const DEFAULT_LIMITS = { line: 16 << 20, name: 1 << 20, events: 1000, value: 256 << 20, frames: 1 << 26, expansion: 200 };

export type LimitName = keyof typeof DEFAULT_LIMITS;
export type Limits = Readonly<Record<LimitName, number>>;

export const limitNames: readonly LimitName[] = ['line', 'name', 'events', 'value', 'frames', 'expansion'];

const UNITS: Readonly<Record<LimitName, string>> = {
  line: 'bytes in a line of text',
  name: 'bytes in a name',
  events: 'events of a profile',
  value: 'bytes of one JSON value',
  frames: 'frames of all stacks together',
  expansion: 'times the size of a compressed file that it may unpack to',
};

/** Compressed data may always expand to this many bytes, because small files have higher compression ratios than large ones. */
export const MIN_EXPANSION_LIMIT = 256 << 20;

/** Explains how to raise a limit. `needed`: a lower bound of the size that was found, if known. */
export const raiseLimitHint = (name: LimitName, needed?: number): string => `--max ${name}=${needed ?? 'N'} reads it anyway`;

/** The problem of an input that exceeds a limit. `needed`: the size of the input, if known. */
export const limitProblem = (limits: Limits, name: LimitName, needed?: number): Pick<Problem, 'expected' | 'found' | 'hint'> => ({
  expected: `at most ${limits[name]} ${UNITS[name]}`,
  found: `${needed ?? 'more'}`,
  hint: raiseLimitHint(name, needed),
});
