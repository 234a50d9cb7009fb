// Two views never give two numbers for one question, unless one of them is marked as an estimate.
import type { Analysis } from '../src/analysis/answers/analysis.ts';
import { nodeValue, openTree } from '../src/analysis/answers/tree.ts';
import { routineName } from '../src/analysis/names/names.ts';
import { eventValue } from '../src/model/head.ts';
import { normal } from './failure.ts';
import type { Steps } from './steps.ts';

/** Sums of a million doubles differ by less. */
const TOLERANCE = 1e-6;
const MAX_ROOTS = 200;

/** The roots of the tree: none costs more than its routine, and together they cost no more than the whole. */
export async function checkViews(analysis: Analysis, steps: Steps): Promise<void> {
  const { costing, totals, profile, events } = analysis;
  if (!costing.can.has('trees') || !costing.can.has('inclusive') || analysis.before) return;
  await steps.run('views', () => {
    for (const event of events.slice(0, 2)) {
      const total = eventValue(event, totals.total, 0);
      if (event.per || !Number.isFinite(total) || totals.self.some((column) => column.some((value) => value < 0))) continue;
      const tree = openTree(costing.tree(false), false, event, MAX_ROOTS);
      const fail = (cause: string, detail: string) => steps.fail({ kind: 'views', step: 'views', cause: normal(cause), detail });
      let sum = 0;
      for (const id of tree.roots) {
        const node = tree.nodes[id];
        const [root, row] = [nodeValue(event, node), eventValue(event, totals.inclusive, node.routine)];
        if (!node.estimated) sum += root;
        if (root > row * (1 + TOLERANCE) + TOLERANCE && !node.estimated && totals.estimated?.inclusive[node.routine] !== 1)
          fail(
            'a root costs more than its routine',
            `${routineName(profile, node.routine)}: ${root} in the tree, ${row} as a routine`,
          );
      }
      if (sum > total * (1 + TOLERANCE) + TOLERANCE) fail('roots cost more than the whole', `${sum} of ${total}`);
    }
  });
}
