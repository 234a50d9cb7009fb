// The stages of a recorded build: configure, build, test and install, each with its own time span. A record may contain a
// configure step from another day: the time between stages belongs to no stage.
import { medianOf } from '../../base/median.ts';

export const STAGES = ['configure', 'build', 'test', 'install'] as const;
export type StageName = (typeof STAGES)[number];

export interface StageSpan {
  readonly name: StageName;
  readonly part: number;
  readonly startUs: number;
  readonly endUs: number;
  /** A step that spans the stage was recorded. Without one, it is unknown whether the stage finished. */
  readonly hasWhole: boolean;
}

/** The stage of a step, where no other one contains it. */
export interface StageOf {
  readonly name: StageName;
  /** The step continues the stage before it, however long ago that was. */
  readonly follows?: boolean;
}

/** A step as far as its stage is concerned. */
export interface StageStep extends StageOf {
  /** It contains other steps. */
  readonly isWhole: boolean;
  readonly part: number;
  readonly startUs: number;
  readonly endUs: number;
}

/** The shortest time without a step that can be idle time. */
const LEAST_IDLE_US = 1e6;
const TIMES_MEDIAN = 10;
/** Starts and durations are rounded to milliseconds. */
const ROUNDED_US = 2000;

/** Gaps longer than this are idle time; shorter ones are start-up time of the next step. */
export const longestStartUpUs = (gapsUs: readonly number[]): number =>
  Math.max(LEAST_IDLE_US, TIMES_MEDIAN * (gapsUs.length > 0 ? medianOf(gapsUs) : 0));

/**
 * Stages in order of time. A step inside another stage's step belongs to that stage: a build may configure again. O(n log n).
 */
export function stageSpans(steps: readonly StageStep[]): StageSpan[] {
  const spans: { -readonly [K in keyof StageSpan]: StageSpan[K] }[] = [];
  const byTime = [...steps].sort((a, b) => a.part - b.part || a.startUs - b.startUs || b.endUs - a.endUs);
  const startUp = longestStartUpUs(gapsOf(byTime.filter((s) => !s.isWhole)));
  for (const { name, follows, isWhole, part, startUs, endUs } of byTime) {
    const last = spans.at(-1);
    const continues = (span: NonNullable<typeof last>) =>
      span.name === name && !isWhole && !span.hasWhole && (follows ?? startUs - span.endUs <= startUp);
    if (last?.part === part && (startUs < last.endUs - ROUNDED_US || continues(last))) {
      last.endUs = Math.max(last.endUs, endUs);
      last.hasWhole ||= isWhole;
    } else spans.push({ name, part, startUs, endUs, hasWhole: isWhole });
  }
  return spans.sort((a, b) => a.startUs - b.startUs);
}

/** Before each step but the first, the time in which nothing ran; for steps in order of start. */
function gapsOf(steps: readonly StageStep[]): number[] {
  let end = steps[0]?.endUs ?? 0;
  return steps.slice(1).map(({ startUs, endUs }) => {
    const gap = Math.max(0, startUs - end);
    end = Math.max(end, endUs);
    return gap;
  });
}

/** Sum of the spans, in order of time. Overlaps within a part, which rounding may cause, count once. */
export function summedSpansUs(spans: readonly StageSpan[]): number {
  const ends = new Map<number, number>();
  return spans.reduce((sum, { part, startUs, endUs }) => {
    const from = Math.max(startUs, ends.get(part) ?? startUs);
    ends.set(part, Math.max(from, endUs));
    return sum + Math.max(0, endUs - from);
  }, 0);
}

/** Time between two stages. */
export interface Idle {
  readonly after: StageName;
  readonly before: StageName;
  readonly us: number;
}

/** For spans in order of time. */
export function idleBetween(spans: readonly StageSpan[]): Idle[] {
  const out: Idle[] = [];
  spans.reduce<StageSpan | undefined>((last, span) => {
    if (last && span.startUs > last.endUs) out.push({ after: last.name, before: span.name, us: span.startUs - last.endUs });
    return last && last.endUs > span.endUs ? last : span;
  }, undefined);
  return out;
}

/** All of it together. */
export const idleUs = (spans: readonly StageSpan[]): number => idleBetween(spans).reduce((sum, { us }) => sum + us, 0);

const JOBS = /(?:^|\s)(?:-j|--jobs|--parallel)[\s=]*(\d+)(?=\s|$)/g; // bounded: blanks and digits belong to one option

/** The number of jobs that a command line asks for; undefined if it names none. */
export function jobsIn(command: string): number | undefined {
  const jobs = Number([...command.matchAll(JOBS)].at(-1)?.[1]);
  return jobs > 0 ? jobs : undefined;
}
