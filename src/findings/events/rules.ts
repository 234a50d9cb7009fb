// Rules about single events: cache misses, mispredicted branches, hot instructions.

import type { MergedInstrs } from '../../analysis/answers/costing.ts';
import { fileName } from '../../analysis/names/names.ts';
import { formatAddress } from '../../base/units.ts';
import { eventValue } from '../../model/event-value.ts';
import { hasNoFinding } from '../cost/code-names.ts';
import { findEvent, rankingBySelf } from '../hottest.ts';
import { makeEventRule, routineSubject } from '../rule.ts';
import { asShareOf, cutName, EMPTY_PHRASE, locationText, routineText, say } from '../say.ts';
import { stalledLines, THRESHOLD_TEXT } from './model.ts';

// Lines with many cache misses per instruction.

export const cacheMissesRule = makeEventRule({
  id: 'cache-misses',
  question: 'Which lines have many cache misses per instruction?',
  evidence: 'the events L1m, LLm and Ir of the lines of the 200 routines with the most estimated cycles',
  threshold: THRESHOLD_TEXT,
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
  threshold: THRESHOLD_TEXT,
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
