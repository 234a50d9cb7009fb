// Routines whose own cost is mostly code of functions that were inlined into them.
import { recordedSelf } from '../../analysis/answers/callgraph/inlined-into.ts';
import { baseName, fileName } from '../../analysis/names/names.ts';
import { eventValue } from '../../model/event-value.ts';
import type { Nodes } from '../../model/profile.ts';
import { linesOf } from '../hottest.ts';
import { costRule, type Evidence, ofRoutine, type Remark } from '../rule.ts';
import { cost, cutName, listed, named, part, say } from '../say.ts';
import { hotRoutines } from './often.ts';

const MOST_NAMED = 3;
/** The part of a routine that is inlined, at least. */
const LEAST = 0.5;
/** The part that lies in other files than the costliest, at least. */
const LEAST_ELSEWHERE = 0.25;
/** The recorded cost of a routine, as a share of the whole. */
const HOT = 0.05;

/** With inlined functions: how much of what was recorded of a routine is theirs. */
function inlinedInto(e: Evidence, nodes: Nodes): Remark[] {
  const { profile, event, whole } = e;
  return [...recordedSelf(nodes, event)].flatMap(([routine, { self, inlined, functions }]) => {
    if (self < HOT * whole || inlined < LEAST * self) return [];
    const names = functions
      .slice(0, MOST_NAMED)
      .map(([r, value], i) => say`${named(profile, r)} (${cost(e, `function${i + 1}`, value)})`);
    return {
      ...say`${part('inlined', inlined, self)} of the self cost recorded for ${named(profile, routine)} is inlined code: ${listed(names)}`,
      why: 'the costs of its instructions, by the innermost function at their addresses',
      ...ofRoutine(routine, inlined / whole),
      subject: `inlined ${routine}`,
    };
  });
}

/** As recorded: what a routine costs in files other than the one that it costs most in is no code of its own. */
function otherFiles(e: Evidence): Remark[] {
  const { analysis, profile, event, whole } = e;
  return hotRoutines(e).flatMap((routine) => {
    const files = new Map<number, number>();
    for (const { file, value } of linesOf(analysis, event, routine)) files.set(file, (files.get(file) ?? 0) + value);
    const known = [...files].filter(([file]) => file >= 0).sort((a, b) => b[1] - a[1]);
    const others = known.slice(1);
    const sum = others.reduce((all, [, value]) => all + value, 0);
    const self = eventValue(event, e.totals.self, routine);
    if (others.length === 0 || sum < LEAST_ELSEWHERE * self) return [];
    const names = known.slice(0, MOST_NAMED).map(([file]) => cutName(baseName(fileName(profile, file) ?? '')));
    return {
      ...say`At least ${part('inlined', sum, self)} of the self cost of ${named(profile, routine)} is inlined code: its lines are in ${listed(names)}`,
      try: 'name the functions: --inlined, or u on the screen',
      why: 'the self cost of its lines outside its most expensive file',
      ...ofRoutine(routine, sum / whole, 'source'),
      subject: `inlined ${routine}`,
    };
  });
}

export const inlinedCode = costRule({
  id: 'inlined-code',
  question: 'Which hot routine consists mostly of inlined functions?',
  evidence:
    'with --inlined, the self costs of the inlined functions; without it, the lines by file (needs instruction addresses)',
  threshold: 'a self cost of at least 5 %, half of it inlined; without --inlined, a quarter of it in other files',
  asks: ['routines', 'self', 'lines', 'instrs', 'calls'],
  find(e) {
    const { profile } = e;
    if (profile.kind !== 'callgraph' || profile.transformed?.applied.some((text) => text !== 'inlined')) return [];
    return profile.nodes ? inlinedInto(e, profile.nodes) : otherFiles(e);
  },
});
