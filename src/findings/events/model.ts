// Lines that cost more than their instructions: events that stall a processor, in estimated cycles.

import { wholeOf } from '../../analysis/answers/analysis.ts';
import { CYCLES } from '../../analysis/answers/events.ts';
import { fileName } from '../../analysis/names/names.ts';
import { eventValue } from '../../model/event-value.ts';
import type { Event } from '../../model/head.ts';
import { isLinker } from '../cost/code-names.ts';
import { eventNamed, type HotLine, hotLines } from '../hottest.ts';
import { atLine, type Evidence, type Remark } from '../rule.ts';
import { ABOUT, count, named, part, placed, type Said, say } from '../say.ts';

/** An event that makes a processor wait, and what CEst counts for one. */
interface Stall {
  readonly event: Event;
  readonly cycles: number;
  readonly noun: string;
}

/** The stalls of a line take at least this share of the estimated cycles, and so many times those of the rest of the profile by instruction. */
const LEAST = 0.015;
const TIMES = 2;
const MOST_NAMED = 2;

export const THRESHOLD = `a line with at least 1.5 % of the estimated cycles in these events, and at least ${TIMES} times as many per instruction as the rest of the profile; the dynamic linker is left out`;

const on = (event: Event, { costs, row }: HotLine) => eventValue(event, costs, row);

/** Lines with many of these events for their instructions; the event that costs a line most is named. */
export function* stalledLines(
  e: Evidence,
  nouns: Readonly<Record<string, string>>,
  model: string,
): Generator<undefined, readonly Remark[]> {
  const { analysis, profile } = e;
  const [ir, est] = [eventNamed(e, 'Ir'), eventNamed(e, 'CEst')];
  const stalls = Object.entries(nouns).flatMap(([name, noun]): Stall[] => {
    const [event, cycles] = [eventNamed(e, name), CYCLES.get(name)];
    return event && cycles !== undefined ? [{ event, cycles, noun }] : [];
  });
  if (!ir || !est || stalls.length === 0) return [];
  const cyclesOf = (value: (event: Event) => number) => stalls.reduce((sum, s) => sum + s.cycles * value(s.event), 0);
  const inAll = (event: Event) => wholeOf(analysis, event);
  const [allCycles, allIr] = [cyclesOf(inAll), inAll(ir)];
  // A line with most of them raises the mean by itself.
  const stands = (cycles: number, own: number) => cycles * (allIr - own) >= TIMES * (allCycles - cycles) * own;
  const whole = inAll(est);
  const lines = yield* hotLines(e, est);
  return lines
    .map((line) => ({ line, cycles: cyclesOf((event) => on(event, line)) }))
    .filter(({ line, cycles }) => cycles >= LEAST * whole && stands(cycles, on(ir, line)) && !isLinker(profile, line.routine))
    .sort((a, b) => b.cycles - a.cycles)
    .slice(0, MOST_NAMED)
    .map(({ line, cycles }): Remark => {
      const [first] = [...stalls].sort((a, b) => b.cycles * on(b.event, line) - a.cycles * on(a.event, line));
      const file = fileName(profile, line.file);
      const where = placed(file, line.line);
      const misses = on(first.event, line);
      const said: Said = say`${where} in ${named(profile, line.routine)} causes ${part('ofEvents', misses, inAll(first.event))} of all ${first.noun} (${count('events', misses)}) with ${part('instructions', on(ir, line), inAll(ir))} of the instructions: ${ABOUT}${part('cycles', cycles, whole)} of the estimated cycles`;
      return {
        ...said,
        why: model,
        subject: `line ${file}:${line.line} ${first.noun}`,
        share: cycles / whole,
        estimated: true,
        target: { ...atLine(line.routine, file, line.line), event: first.event.name },
      };
    });
}
