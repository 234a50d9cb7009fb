// Invariants of points and calling contexts.
import type { Head } from '../head.ts';
import type { Invariants } from '../invariants.ts';
import { INPUT_FIELDS } from './rows.ts';
import type { InputCosts } from './tables.ts';

export function checkInputs(profile: Head & InputCosts, to: Invariants): void {
  const { inputs, contexts, routines, parts } = profile;
  if (contexts) {
    const n = contexts.id.length;
    to.sameLength('contexts', n, { parent: contexts.parent, end: contexts.end, routine: contexts.routine, part: contexts.part });
    to.within('contexts.routine', contexts.routine, 0, routines.name.length);
    to.every(n, (c) => {
      const p = contexts.parent[c];
      return p >= c || p < -1 || !(contexts.end[c] > c) || (p >= 0 && contexts.end[c] > contexts.end[p])
        ? `context ${c} does not lie within its parent ${p}`
        : undefined;
    });
  }
  const n = inputs.size.length;
  const fields = Object.fromEntries(INPUT_FIELDS.map((f) => [f, inputs[f]]));
  const { routine, context, part, counted } = inputs;
  to.sameLength('inputs', n, { routine, context, part, counted, ...fields });
  to.within('inputs.routine', routine, 0, routines.name.length);
  to.within('inputs.context', context, -1, contexts?.id.length ?? 0);
  to.within('inputs.part', part, 0, parts.length);
  to.every(n, (i) =>
    context[i] >= 0 && contexts?.routine[context[i]] !== routine[i]
      ? `point ${i} belongs to a different routine than its context`
      : undefined,
  );
}
