// Cost without a source line.

import { objectName, routineName } from '../../analysis/names/names.ts';
import type { LineTables } from '../../model/callgraph/tables.ts';
import { eventValue } from '../../model/event-value.ts';
import type { Head } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import { isNameless, isOutside } from '../cost/code-names.ts';
import { bySelf } from '../hottest.ts';
import { type Evidence, type Remark, sampledRule } from '../rule.ts';
import { eventName, say, share, tried } from '../say.ts';

/** A profile whose lines are known in part; where none is known, or nearly all, there is nothing to say. */
const LEAST = 0.2;
const ROWS = 1 << 16;

/** By object: whether it is the kernel, `[kernel.kallsyms]` and the like, whose code nobody compiles for this. */
const isKernel = (profile: Profile): boolean[] =>
  Array.from(profile.objects.name, (_, object) => objectName(profile, object)?.startsWith('[') === true);

function* find(e: Evidence, { spans, lines }: Head & LineTables): Generator<undefined, Remark | undefined> {
  const { analysis, profile, event, whole } = e;
  const nameless = new Uint8Array(profile.routines.name.length);
  const kernel = isKernel(profile);
  for (const r of bySelf(analysis, event).order)
    if (isNameless(routineName(profile, r)) || isOutside(profile, r) || kernel[profile.routines.object[r]]) nameless[r] = 1;
  yield;
  let [sum, known] = [0, 0];
  for (let s = 0; s < spans.routine.length; s++) {
    if (s % ROWS === ROWS - 1) yield;
    const r = spans.routine[s];
    // Code without a name has a finding of its own.
    if (analysis.partsOff.has(spans.part[s]) || nameless[r] === 1) continue;
    for (let i = spans.start[s]; i < spans.start[s + 1]; i++) {
      if (lines.line[i] === 0) sum += eventValue(event, lines.costs, i);
      else known++;
    }
  }
  if (known === 0 || sum < LEAST * whole) return undefined;
  const isNamedLater = profile.kind === 'stacks' && profile.places !== undefined;
  const advice = `compile with -g, ${isNamedLater ? 'or give the folder of the debug files: --symbol-path DIR' : 'and record again'}`;
  return {
    ...say`Named code without source lines takes ${share(e, 'self', sum)} of ${eventName(e)}`,
    ...tried(profile.objects.name.length > 0 ? advice : undefined),
    why: 'self cost without a line, in code that has a name',
    subject: 'lines unknown',
    share: sum / whole,
    target: { view: 'routines', report: 'routines' },
  };
}

const HEAD = {
  evidence: 'the self cost of all rows without a line, in code that has a name',
  threshold: 'at least 20 % of the cost, where some lines are known',
  asks: ['lines', 'self'],
  remark: true,
} as const;

export const linesUnknownSampled = sampledRule({
  ...HEAD,
  kind: 'stacks',
  id: 'lines-unknown',
  question: 'How many samples of named code have no source line?',
  find: (e) => find(e, e.analysis.profile),
});

export const linesUnknown = sampledRule({
  ...HEAD,
  kind: 'callgraph',
  id: 'lines-unknown-counted',
  question: 'How much counted cost of named code has no source line?',
  find: (e) => find(e, e.analysis.profile),
});
