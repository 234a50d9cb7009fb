// Checks the invariants of input-size points and calling contexts.
import type { Head } from '../head.ts';
import type { Invariants } from '../invariants.ts';
import type { InputCosts } from './tables.ts';

export function checkInputs({ inputs, contexts, routines, parts }: Head & InputCosts, to: Invariants): void {
  if (contexts) {
    const n = contexts.id.length;
    to.checkTable('contexts', contexts, { routine: routines.name.length });
    to.checkRows(n, (c) => {
      const p = contexts.parent[c];
      return p >= c || p < -1 || !(contexts.end[c] > c) || (p >= 0 && contexts.end[c] > contexts.end[p])
        ? `context ${c} does not lie within its parent ${p}`
        : undefined;
    });
  }
  const n = inputs.size.length;
  const { routine, context } = inputs;
  to.checkTable('inputs', inputs, { routine: routines.name.length, context: contexts?.id.length ?? 0, part: parts.length });
  to.checkRows(n, (i) =>
    context[i] >= 0 && contexts?.routine[context[i]] !== routine[i]
      ? `point ${i} belongs to a different routine than its context`
      : undefined,
  );
}
