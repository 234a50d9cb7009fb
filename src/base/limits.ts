// How much of a thing a file may have before it is refused as hostile or broken. Each limit is far above what tools write, and can
// be raised by --max NAME=N.
import type { Problem } from './problem.ts';

/** The units of the limits, by their names in --max. */
export const LIMITS = {
  line: { usual: 16 << 20, help: 'bytes in a line of text' },
  name: { usual: 1 << 20, help: 'bytes in a name' },
  events: { usual: 1000, help: 'events of a profile' },
  value: { usual: 256 << 20, help: 'bytes of one JSON value' },
  frames: { usual: 1 << 26, help: 'frames of all stacks together' },
  expansion: { usual: 200, help: 'times the size of a compressed file that it may unpack to' },
} as const;

export type LimitName = keyof typeof LIMITS;
export type Limits = Readonly<Record<LimitName, number>>;

export const limitNames: readonly LimitName[] = ['line', 'name', 'events', 'value', 'frames', 'expansion'];

export const USUAL_LIMITS: Limits = {
  line: LIMITS.line.usual,
  name: LIMITS.name.usual,
  events: LIMITS.events.usual,
  value: LIMITS.value.usual,
  frames: LIMITS.frames.usual,
  expansion: LIMITS.expansion.usual,
};

/** Compressed data may always unpack to this many bytes: a small file expands more than a large one. */
export const FREE_EXPANSION = 256 << 20;

/** An error about a limit: how to raise it. `needed`: at least what was found, if that is known. */
export function raiseHint(name: LimitName, needed?: number): string {
  return `--max ${name}=${needed ?? 'N'} reads it anyway`;
}

/** The problem of an input beyond a limit. `needed`: its size, if known. */
export function limitProblem(limits: Limits, name: LimitName, needed?: number): Pick<Problem, 'expected' | 'found' | 'hint'> {
  return {
    expected: `at most ${limits[name]} ${LIMITS[name].help}`,
    found: needed === undefined ? 'more' : `${needed}`,
    hint: raiseHint(name, needed),
  };
}
