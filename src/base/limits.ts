// Limits on what a file may contain before it is refused as hostile or broken, far above what tools write.
// `--max NAME=N` raises a limit.
import type { Problem } from './problem.ts';

/** The unit of each limit, by its name in --max. */
export const LIMIT_UNITS = {
  line: { usual: 16 << 20, help: 'bytes in a line of text' },
  name: { usual: 1 << 20, help: 'bytes in a name' },
  events: { usual: 1000, help: 'events of a profile' },
  value: { usual: 256 << 20, help: 'bytes of one JSON value' },
  frames: { usual: 1 << 26, help: 'frames of all stacks together' },
  expansion: { usual: 200, help: 'times the size of a compressed file that it may unpack to' },
} as const;

export type LimitName = keyof typeof LIMIT_UNITS;
export type Limits = Readonly<Record<LimitName, number>>;

export const limitNames: readonly LimitName[] = ['line', 'name', 'events', 'value', 'frames', 'expansion'];

export const DEFAULT_LIMITS: Limits = {
  line: LIMIT_UNITS.line.usual,
  name: LIMIT_UNITS.name.usual,
  events: LIMIT_UNITS.events.usual,
  value: LIMIT_UNITS.value.usual,
  frames: LIMIT_UNITS.frames.usual,
  expansion: LIMIT_UNITS.expansion.usual,
};

/** Compressed data may always expand to this many bytes, because small files have higher compression ratios than large ones. */
export const MIN_EXPANSION_LIMIT = 256 << 20;

/** Explains how to raise a limit. `needed`: a lower bound of the size that was found, if known. */
export function raiseLimitHint(name: LimitName, needed?: number): string {
  return `--max ${name}=${needed ?? 'N'} reads it anyway`;
}

/** The problem of an input that exceeds a limit. `needed`: the size of the input, if known. */
export function limitProblem(limits: Limits, name: LimitName, needed?: number): Pick<Problem, 'expected' | 'found' | 'hint'> {
  return {
    expected: `at most ${limits[name]} ${LIMIT_UNITS[name].help}`,
    found: needed === undefined ? 'more' : `${needed}`,
    hint: raiseLimitHint(name, needed),
  };
}
