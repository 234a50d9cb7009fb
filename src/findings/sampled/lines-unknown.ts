// Cost without a source line.

import { objectName, routineName } from '../../analysis/names/names.ts';
import { eventValue } from '../../model/head.ts';
import { isNameless, isOutsideProgram } from '../cost/code-names.ts';
import { rankingBySelf } from '../hottest.ts';
import { type Evidence, makeSampledRule, type RuleResult, viewSubject } from '../rule.ts';
import { asShare, eventName, say } from '../say.ts';

/** Minimum share of cost without a line. Profiles without any known line are not reported. */
const MIN_SHARE = 0.2;
const ROWS_PER_SLICE = 1 << 16;

function* findUnknownLines(e: Evidence<'stacks'> | Evidence<'callgraph'>): Generator<undefined, RuleResult | undefined> {
  const { analysis, profile, event, whole } = e;
  const { spans, lines } = profile;
  // Allocators have the self cost of memory, and nobody compiles them.
  if (analysis.events.some(({ unit }) => unit === 'bytes')) return undefined;
  const nameless = new Uint8Array(profile.routines.name.length);
  // Nobody recompiles the kernel (`[kernel.kallsyms]` and the like) with -g for profiling.
  const kernel = Array.from(profile.objects.name, (_, object) => objectName(profile, object)?.startsWith('[') === true);
  for (const r of rankingBySelf(analysis, event).order)
    if (isNameless(routineName(profile, r)) || isOutsideProgram(profile, r) || kernel[profile.routines.object[r]])
      nameless[r] = 1;
  yield;
  let [sum, known] = [0, 0];
  for (let s = 0; s < spans.routine.length; s++) {
    if (s % ROWS_PER_SLICE === ROWS_PER_SLICE - 1) yield;
    const r = spans.routine[s];
    // Unnamed code has its own finding; kernel code and idle time are left out.
    if (analysis.partsOff.has(spans.part[s]) || nameless[r] === 1) continue;
    for (let i = spans.start[s]; i < spans.start[s + 1]; i++) {
      if (lines.line[i] === 0) sum += eventValue(event, lines.costs, i);
      else known++;
    }
  }
  if (known === 0 || sum < MIN_SHARE * whole) return undefined;
  const isNamedLater = profile.kind === 'stacks' && profile.places !== undefined;
  const advice = `compile with -g, ${isNamedLater ? 'or give the folder of the debug files: --symbol-path DIR' : 'and record again'}`;
  return {
    ...say`Named code without source lines takes ${asShare(e, 'self', sum)} of ${eventName(e)}`,
    try: profile.objects.name.length > 0 ? advice : undefined,
    why: 'self cost without a line, in code that has a name',
    ...viewSubject('lines unknown', 'routines'),
    share: sum / whole,
  };
}

const RULE_TEXTS = {
  evidence: 'the self cost of all rows without a line, in code that has a name',
  threshold: 'at least 20 % of the cost, where some lines are known',
  requires: ['lines', 'self'],
  onlyNotes: true,
} as const;

export const linesUnknownSampledRule = makeSampledRule({
  ...RULE_TEXTS,
  kind: 'stacks',
  id: 'lines-unknown',
  question: 'How many samples of named code have no source line?',
  find: findUnknownLines,
});

export const linesUnknownRule = makeSampledRule({
  ...RULE_TEXTS,
  kind: 'callgraph',
  id: 'lines-unknown-counted',
  question: 'How much counted cost of named code has no source line?',
  find: findUnknownLines,
});
