// The stages of a recorded build: configure, build, test and install, each with its own time span.
// A record may contain a configure step from another day. The time between stages belongs to no stage.
import { medianOf } from '../../base/median.ts';

export const STAGES = ['configure', 'build', 'test', 'install'] as const;
export type StageName = (typeof STAGES)[number];

export interface StageSpan {
  readonly name: StageName;
  readonly part: number;
  readonly startUs: number;
  readonly endUs: number;
  /** Whether a step that spans the stage was recorded. Otherwise it is unknown whether the stage finished. */
  readonly hasWhole: boolean;
}

/** The stage of a step that no other step contains. */
export interface StepStage {
  readonly name: StageName;
  /** The step continues the stage before it, however much time has passed. */
  readonly follows?: boolean;
}

/** The properties of a step that determine its stage. */
export interface StageStep extends StepStage, Pick<StageSpan, 'part' | 'startUs' | 'endUs'> {
  /** Whether the step contains other steps. */
  readonly isWhole: boolean;
}

const MIN_IDLE_US = 1e6;
const IDLE_PER_MEDIAN_GAP = 10;
/** The tolerance for starts and durations, which are rounded to milliseconds. */
const ROUNDING_US = 2000;

/** Gaps longer than this are idle time; shorter ones are start-up time of the next step. */
export const longestStartUpUs = (gapsUs: readonly number[]): number =>
  Math.max(MIN_IDLE_US, IDLE_PER_MEDIAN_GAP * (gapsUs.length > 0 ? medianOf(gapsUs) : 0));

/** Stages in order of time. A step inside another stage's step belongs to that stage: a build may configure again. O(n log n). */
export function stageSpans(steps: readonly StageStep[]): StageSpan[] {
  const spans: { -readonly [K in keyof StageSpan]: StageSpan[K] }[] = [];
  const byTime = [...steps].sort((a, b) => a.part - b.part || a.startUs - b.startUs || b.endUs - a.endUs);
  const startUp = longestStartUpUs(idleGapsUs(byTime.filter((s) => !s.isWhole)));
  for (const { name, follows, isWhole, part, startUs, endUs } of byTime) {
    const last = spans.at(-1);
    const continues = (span: NonNullable<typeof last>) =>
      span.name === name && !isWhole && !span.hasWhole && (follows ?? startUs - span.endUs <= startUp);
    if (last?.part === part && (startUs < last.endUs - ROUNDING_US || continues(last))) {
      last.endUs = Math.max(last.endUs, endUs);
      last.hasWhole ||= isWhole;
    } else spans.push({ name, part, startUs, endUs, hasWhole: isWhole });
  }
  return spans.sort((a, b) => a.startUs - b.startUs);
}

/** The time before each step in which nothing ran, without the first step. Steps must be in order of start. */
export function idleGapsUs(steps: readonly Pick<StageStep, 'startUs' | 'endUs'>[]): number[] {
  let end = steps[0]?.endUs ?? 0;
  return steps.slice(1).map(({ startUs, endUs }) => {
    const gap = Math.max(0, startUs - end);
    end = Math.max(end, endUs);
    return gap;
  });
}

/** The total length of spans, in order of time. Overlaps of builds that ran at once, and those from rounding, count once. */
export function summedSpansUs(spans: readonly StageSpan[]): number {
  let end = Number.NEGATIVE_INFINITY;
  return spans.reduce((sum, { startUs, endUs }) => {
    const from = Math.max(startUs, end);
    end = Math.max(end, endUs);
    return sum + Math.max(0, endUs - from);
  }, 0);
}

/** The idle time between spans, which must be in order of time. */
export function idleBetween(spans: readonly StageSpan[]) {
  const out: Readonly<{ after: StageName; before: StageName; us: number }>[] = [];
  spans.reduce<StageSpan | undefined>((last, span) => {
    if (last && span.startUs > last.endUs) out.push({ after: last.name, before: span.name, us: span.startUs - last.endUs });
    return last && last.endUs > span.endUs ? last : span;
  }, undefined);
  return out;
}

export const totalIdleUs = (spans: readonly StageSpan[]): number => idleBetween(spans).reduce((sum, { us }) => sum + us, 0);

const JOBS_OPTION = /(?:^|\s)(?:-j|--jobs|--parallel)[\s=]*(\d+)(?=\s|$)/g; // bounded: blanks and digits belong to one option

/** The number of jobs that a command line asks for; undefined if it names none. */
export function jobsIn(command: string): number | undefined {
  const jobs = Number([...command.matchAll(JOBS_OPTION)].at(-1)?.[1]);
  return jobs > 0 ? jobs : undefined;
}
