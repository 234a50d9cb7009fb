// Routines whose self cost is mostly code of inlined functions.

import { recordedSelf } from '../../analysis/answers/callgraph/inlined-into.ts';
import { fileName } from '../../analysis/names/names.ts';
import { baseName } from '../../base/paths.ts';
import { eventValue } from '../../model/head.ts';
import type { NodeGraph } from '../../model/profile.ts';
import { costlyLinesOf } from '../hottest.ts';
import { type Evidence, makeCostRule, type RuleResult, routineSubject } from '../rule.ts';
import { asCost, asShareOf, cutName, firstNames, routineText, say } from '../say.ts';
import { hotRoutines } from './often.ts';

const MIN_INLINED_SHARE = 0.5;
const MIN_OTHER_FILE_SHARE = 0.25;
/** Minimum recorded self cost of a routine, as a share of the total. */
const MIN_RECORDED_SHARE = 0.05;

/** The results with --inlined: the share of a routine's recorded cost that belongs to inlined functions. */
function inlinedFunctionResults(e: Evidence, nodes: NodeGraph): RuleResult[] {
  const { profile, event, whole } = e;
  return [...recordedSelf(nodes, event)].flatMap(([routine, { self, inlined, functions }]) => {
    if (self < MIN_RECORDED_SHARE * whole || inlined < MIN_INLINED_SHARE * self) return [];
    const nameFunction = ([r, value]: (typeof functions)[number], k: number) =>
      say`${routineText(profile, r)} (${asCost(e, `function${k + 1}`, value)})`;
    return {
      ...say`${asShareOf('inlined', inlined, self)} of the self cost recorded for ${routineText(profile, routine)} is inlined code: ${firstNames(functions, nameFunction, '')}`,
      why: 'the costs of its instructions, by the innermost function at their addresses',
      ...routineSubject(routine, inlined / whole),
      subject: `inlined ${routine}`,
    };
  });
}

/** The results without --inlined: a routine's cost outside its costliest file is taken for inlined code. */
function otherFileResults(e: Evidence): RuleResult[] {
  const { analysis, profile, event, whole } = e;
  return hotRoutines(e).flatMap((routine) => {
    const files = new Map<number, number>();
    for (const { file, value } of costlyLinesOf(analysis, event, routine)) files.set(file, (files.get(file) ?? 0) + value);
    const known = [...files].filter(([file]) => file >= 0).sort((a, b) => b[1] - a[1]);
    const others = known.slice(1);
    const sum = others.reduce((all, [, value]) => all + value, 0);
    const self = eventValue(event, e.totals.self, routine);
    if (others.length === 0 || sum < MIN_OTHER_FILE_SHARE * self) return [];
    const names = firstNames(known, ([file]) => cutName(baseName(fileName(profile, file) ?? '')), '');
    return {
      ...say`At least ${asShareOf('inlined', sum, self)} of the self cost of ${routineText(profile, routine)} is inlined code: its lines are in ${names}`,
      try: 'name the functions: --inlined, or u on the screen',
      why: 'the self cost of its lines outside its most expensive file',
      ...routineSubject(routine, sum / whole, 'source'),
      subject: `inlined ${routine}`,
    };
  });
}

export const inlinedCodeRule = makeCostRule({
  id: 'inlined-code',
  question: 'Which hot routine consists mostly of inlined functions?',
  evidence:
    'with --inlined, the self costs of the inlined functions; without it, the lines by file (needs instruction addresses)',
  threshold: 'a self cost of at least 5 %, half of it inlined; without --inlined, a quarter of it in other files',
  requires: ['routines', 'self', 'lines', 'instrs', 'calls'],
  find(e) {
    const { profile } = e;
    if (profile.kind !== 'callgraph' || profile.transformed?.applied.some((text) => text !== 'inlined')) return [];
    return profile.nodes ? inlinedFunctionResults(e, profile.nodes) : otherFileResults(e);
  },
});
