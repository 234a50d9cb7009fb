// Lines with many stall cycles per instruction, by a model of cycles per event.

import { percentageBase } from '../../analysis/answers/analysis.ts';
import { CYCLES_PER_EVENT } from '../../analysis/answers/events.ts';
import { fileName } from '../../analysis/names/names.ts';
import { eventValue } from '../../model/event-value.ts';
import type { Event } from '../../model/head.ts';
import { isLinker } from '../cost/code-names.ts';
import { findEvent, hotLines, type RankedLine } from '../hottest.ts';
import { type Evidence, lineTarget, type RuleResult } from '../rule.ts';
import { APPROX_MARK, asCount, asShareOf, locationText, type Phrase, routineText, say } from '../say.ts';

/** An event that stalls the processor, and its cycles in the estimate CEst. */
interface Stall {
  readonly event: Event;
  readonly cycles: number;
  readonly noun: string;
}

/** Minimum share of a line's stalls in the estimated cycles, and minimum ratio to the rest of the profile, per instruction. */
const MIN_SHARE = 0.015;
const MIN_RATE_RATIO = 2;
const MAX_NAMED_LINES = 2;

export const THRESHOLD_TEXT = `a line with at least 1.5 % of the estimated cycles in these events, and at least ${MIN_RATE_RATIO} times as many per instruction as the rest of the profile; the dynamic linker is left out`;

const lineValue = (event: Event, { costs, row }: RankedLine) => eventValue(event, costs, row);

/** Finds lines with many of these events per instruction. Each result names the line's costliest event. */
export function* stalledLines(
  e: Evidence,
  nouns: Readonly<Record<string, string>>,
  model: string,
): Generator<undefined, readonly RuleResult[]> {
  const { analysis, profile } = e;
  const [ir, est] = [findEvent(e, 'Ir'), findEvent(e, 'CEst')];
  const stalls = Object.entries(nouns).flatMap(([name, noun]): Stall[] => {
    const [event, cycles] = [findEvent(e, name), CYCLES_PER_EVENT.get(name)];
    return event && cycles !== undefined ? [{ event, cycles, noun }] : [];
  });
  if (!ir || !est || stalls.length === 0) return [];
  const cyclesOf = (value: (event: Event) => number) => stalls.reduce((sum, s) => sum + s.cycles * value(s.event), 0);
  const totalOf = (event: Event) => percentageBase(analysis, event);
  const [allCycles, allIr] = [cyclesOf(totalOf), totalOf(ir)];
  // The line is compared with the rest of the profile: a dominant line would raise the mean of all.
  const isHot = (cycles: number, own: number) => cycles * (allIr - own) >= MIN_RATE_RATIO * (allCycles - cycles) * own;
  const whole = totalOf(est);
  const lines = yield* hotLines(e, est);
  return lines
    .map((line) => ({ line, cycles: cyclesOf((event) => lineValue(event, line)) }))
    .filter(
      ({ line, cycles }) => cycles >= MIN_SHARE * whole && isHot(cycles, lineValue(ir, line)) && !isLinker(profile, line.routine),
    )
    .sort((a, b) => b.cycles - a.cycles)
    .slice(0, MAX_NAMED_LINES)
    .map(({ line, cycles }): RuleResult => {
      const [first] = [...stalls].sort((a, b) => b.cycles * lineValue(b.event, line) - a.cycles * lineValue(a.event, line));
      const file = fileName(profile, line.file);
      const where = locationText(file, line.line);
      const misses = lineValue(first.event, line);
      const sentence: Phrase = say`${where} in ${routineText(profile, line.routine)} causes ${asShareOf('ofEvents', misses, totalOf(first.event))} of all ${first.noun} (${asCount('events', misses)}) with ${asShareOf('instructions', lineValue(ir, line), totalOf(ir))} of the instructions: ${APPROX_MARK}${asShareOf('cycles', cycles, whole)} of the estimated cycles`;
      return {
        ...sentence,
        why: model,
        subject: `line ${file}:${line.line} ${first.noun}`,
        share: cycles / whole,
        estimated: true,
        target: { ...lineTarget(line.routine, file, line.line), event: first.event.name },
      };
    });
}
