// Rules about single events: cache misses, mispredicted branches, hot instructions.

import { percentageBase } from '../../analysis/answers/analysis.ts';
import type { MergedInstrs } from '../../analysis/answers/costing.ts';
import { CYCLES_PER_EVENT } from '../../analysis/answers/events.ts';
import { fileName } from '../../analysis/names/names.ts';
import { formatAddress } from '../../base/units.ts';
import { type Event, eventValue } from '../../model/head.ts';
import { hasNoFinding, isLinker } from '../cost/code-names.ts';
import { findEvent, hotLines, type RankedLine, rankingBySelf } from '../hottest.ts';
import { type Evidence, lineTarget, makeEventRule, type RuleResult, routineSubject } from '../rule.ts';
import { APPROX_MARK, asCount, asShareOf, cutName, EMPTY_PHRASE, locationText, routineText, say } from '../say.ts';

// Lines with many stall cycles per instruction, by a model of cycles per event.

/** Minimum share of a line's stalls in the estimated cycles, and minimum ratio to the rest of the profile, per instruction. */
const MIN_STALL_SHARE = 0.015;
const MIN_RATE_RATIO = 2;
const MAX_NAMED_LINES = 2;

const STALL_THRESHOLD_TEXT = `a line with at least 1.5 % of the estimated cycles in these events, and at least ${MIN_RATE_RATIO} times as many per instruction as the rest of the profile; the dynamic linker is left out`;

const lineValue = (event: Event, { costs, row }: RankedLine) => eventValue(event, costs, row);

/** Finds lines with many of these events per instruction. Each result names the line's costliest event. */
function* stalledLines(e: Evidence, nouns: Readonly<Record<string, string>>, model: string) {
  const { analysis, profile } = e;
  const [ir, est] = [findEvent(e, 'Ir'), findEvent(e, 'CEst')];
  // The events that stall the processor, each with its cycles in the estimate CEst.
  const stalls = Object.entries(nouns).flatMap(([name, noun]) => {
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
      ({ line, cycles }) =>
        cycles >= MIN_STALL_SHARE * whole && isHot(cycles, lineValue(ir, line)) && !isLinker(profile, line.routine),
    )
    .sort((a, b) => b.cycles - a.cycles)
    .slice(0, MAX_NAMED_LINES)
    .map(({ line, cycles }): RuleResult => {
      const [first] = [...stalls].sort((a, b) => b.cycles * lineValue(b.event, line) - a.cycles * lineValue(a.event, line));
      const file = fileName(profile, line.file);
      const where = locationText(file, line.line);
      const misses = lineValue(first.event, line);
      return {
        ...say`${where} in ${routineText(profile, line.routine)} causes ${asShareOf('ofEvents', misses, totalOf(first.event))} of all ${first.noun} (${asCount('events', misses)}) with ${asShareOf('instructions', lineValue(ir, line), totalOf(ir))} of the instructions: ${APPROX_MARK}${asShareOf('cycles', cycles, whole)} of the estimated cycles`,
        why: model,
        subject: `line ${file}:${line.line} ${first.noun}`,
        share: cycles / whole,
        estimated: true,
        target: { ...lineTarget(line.routine, file, line.line), event: first.event.name },
      };
    });
}

// Lines with many cache misses per instruction.

export const cacheMissesRule = makeEventRule({
  id: 'cache-misses',
  question: 'Which lines have many cache misses per instruction?',
  evidence: 'the events L1m, LLm and Ir of the lines of the 200 routines with the most estimated cycles',
  threshold: STALL_THRESHOLD_TEXT,
  assumes: '10 cycles per first-level miss and 100 per last-level miss, as in CEst',
  requires: ['lines', 'self'],
  find: (e) =>
    stalledLines(
      e,
      { LLm: 'last-level cache misses', L1m: 'first-level cache misses' },
      'simulated misses; model: 10 cycles per first-level miss, 100 per last-level miss',
    ),
});

// Lines with many mispredicted branches per instruction.

export const mispredictionsRule = makeEventRule({
  id: 'mispredictions',
  question: 'Which lines have many mispredicted branches per instruction?',
  evidence: 'the events Bm and Ir of the lines of the 200 routines with the most estimated cycles',
  threshold: STALL_THRESHOLD_TEXT,
  assumes: '10 cycles per mispredicted branch, as in CEst',
  requires: ['lines', 'self'],
  find: (e) =>
    stalledLines(e, { Bm: 'mispredicted branches' }, 'simulated branch prediction; model: 10 cycles per mispredicted branch'),
});

// An instruction that costs much more than the others of its routine.

/** Minimum share of the total, minimum share of the routine, and minimum instructions of the routine. */
const MIN_SHARE = 0.05;
const MIN_ROUTINE_SHARE = 0.2;
const MIN_INSTRS = 10;
const MAX_ROUTINES = 20;

export const hotInstructionRule = makeEventRule({
  id: 'hot-instruction',
  question: 'Does a single instruction cost much more than the others of its routine?',
  evidence: 'the samples or estimated cycles of the instructions of the 20 hottest routines',
  threshold: `at least 5 % of the total and 20 % of a routine of ${MIN_INSTRS} or more instructions; not for Ir, where each instruction costs 1`,
  requires: ['instrs', 'self'],
  *find(e) {
    const { analysis, profile, totals } = e;
    const event = profile.kind === 'stacks' ? e.event : findEvent(e, 'CEst');
    if (!event || event.per) return [];
    const whole = eventValue(event, totals.whole, 0);
    const { value, order } = rankingBySelf(analysis, event);
    let best: { routine: number; instrs: MergedInstrs; at: number; value: number } | undefined;
    for (const routine of order.subarray(0, MAX_ROUTINES)) {
      if (hasNoFinding(profile, routine)) continue;
      if (!(value[routine] >= MIN_SHARE * whole)) break;
      const instrs = analysis.costing.instrs(routine);
      if (instrs.low.length < MIN_INSTRS) continue;
      for (let at = 0; at < instrs.low.length; at++) {
        const v = eventValue(event, instrs.costs, at);
        if (v >= MIN_SHARE * whole && v >= MIN_ROUTINE_SHARE * value[routine] && v > (best?.value ?? 0))
          best = { routine, instrs, at, value: v };
      }
      yield;
    }
    if (!best) return [];
    const { routine, at } = best;
    const { high, low, file, line } = best.instrs;
    const path = fileName(profile, file[at]);
    const where = line[at] > 0 ? say` (${locationText(path, line[at])})` : EMPTY_PHRASE;
    const skid = profile.kind === 'stacks' ? '; samples may hit the instruction after the slow one (skid)' : '';
    return {
      ...say`One instruction of ${routineText(profile, routine)}, at ${formatAddress(high[at], low[at])}${where}, takes ${asShareOf('instr', best.value, whole)} of ${cutName(event.name)}, ${asShareOf('ofRoutine', best.value, value[routine])} of its routine`,
      why: `recorded costs by address${skid}`,
      ...routineSubject(routine, best.value / whole, 'instrs', { event: event.name }),
      subject: `instr ${routine}`,
    };
  },
});
