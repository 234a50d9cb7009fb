// One sentence above the findings: where the cost goes, from the top of the program down to where it splits.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { childrenOf, nodeSelf, nodeValue, openTree, type Tree, type TreeNode } from '../analysis/answers/tree.ts';
import { routineName } from '../analysis/names/names.ts';
import { memo } from '../base/memo.ts';
import { atOnce } from '../base/slices.ts';
import type { Event } from '../model/head.ts';
import { isNameless } from './cost/code-names.ts';
import { evidenceOf } from './evidence.ts';
import type { Evidence } from './rule.ts';
import { ABOUT, listed, NOTHING, named, type Said, say, share } from './say.ts';

/** A single callee with this part of its caller's cost is followed: the cost does not split there. */
const MOST_OF = 0.8;
/** Parts below this share of the whole are not named. */
const LEAST = 0.05;
const MOST_PARTS = 4;
/** Roots that are looked at: many more than can have `LEAST` of the whole each. */
const MOST_ROOTS = 100;
/** Parts with less than this share of the whole together say too little. */
const LEAST_SAID = 0.5;
/** A part is explained by a callee with this share of it. */
const EXPLAINS = 0.4;
/** Frames that are followed. A stack may be thousands deep. */
const DEEPEST = 60;

/** Functions of the C library, the dynamic linker and the standard library that start a program or a thread. */
const STARTERS =
  /^(?:_start|\(below main\)|__libc_start_\w+(?:@.*)?|_dl_start(?:_\w+)?|_dl_sysdep_start|start_thread|_{0,2}clone[23]?|thread_start|_pthread_start|execute_native_thread_routine|std::thread::.*|std::__invoke.*)$/;

interface Walk {
  readonly evidence: Evidence;
  readonly tree: Tree;
}

const costOf = ({ evidence }: Walk, node: TreeNode): number => nodeValue(evidence.event, node);
const below = ({ tree, evidence }: Walk, node: TreeNode): TreeNode[] =>
  childrenOf(tree, node.id, evidence.event).map((id) => tree.nodes[id]);

/** The frame below which a frame's cost splits, or is its own: down through callees that have nearly all of it. */
function splitOf(walk: Walk, from: TreeNode): TreeNode {
  const least = LEAST * walk.evidence.whole;
  let at = from;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const [first, second] = below(walk, at);
    if (!first || first.recursive || costOf(walk, first) < MOST_OF * costOf(walk, at)) break;
    if (nodeSelf(walk.evidence.event, at) >= least || (second && costOf(walk, second) >= least)) break;
    at = first;
  }
  return at;
}

const isNamed = ({ evidence }: Walk, node: TreeNode): boolean => !isNameless(routineName(evidence.profile, node.routine));
const nameOf = ({ evidence }: Walk, node: TreeNode) => named(evidence.profile, node.routine);
const about = (nodes: readonly TreeNode[]) => (nodes.some((n) => n.estimated) ? ABOUT : '');

/** Without the frames that start a program or a thread: those of a library without symbols have no names. */
function startedBy(walk: Walk, from: TreeNode): TreeNode {
  let [at, last] = [from, from];
  for (let depth = 0; depth < DEEPEST; depth++) {
    const starts = !isNamed(walk, at) || STARTERS.test(routineName(walk.evidence.profile, at.routine));
    const [first] = starts ? below(walk, at) : [];
    if (!first || costOf(walk, first) < MOST_OF * costOf(walk, at)) break;
    at = first;
    if (isNamed(walk, at)) last = at;
  }
  return last;
}

/** `33.10% makeDoc (16.20% in formatDouble)`. */
function partOf(walk: Walk, node: TreeNode): Said {
  const { evidence } = walk;
  const cost = costOf(walk, node);
  const deep = splitOf(walk, node);
  const [first] = below(walk, deep);
  const inner = first && costOf(walk, first) >= EXPLAINS * cost && !first.recursive ? splitOf(walk, first) : deep;
  const shown = say`${about([node])}${share(evidence, 'part', cost)} ${nameOf(walk, node)}`;
  if (inner.routine === node.routine) return shown;
  return say`${shown} (${about([inner])}${share(evidence, 'within', costOf(walk, inner))} in ${nameOf(walk, inner)})`;
}

/**
 * `main: 42.10% parse, 33.00% makeDoc (16.50% in formatDouble) and 12.20% itself`: shares are of the whole. undefined where no costs are known by
 * path, nothing splits, or names are missing. Yields between slices of work.
 */
export function* topDown(analysis: Analysis, event: Event): Generator<undefined, Said | undefined> {
  const { costing, profile } = analysis;
  const evidence = evidenceOf(analysis, event, []);
  if (
    analysis.before ||
    profile.kind === 'steps' ||
    !costing.can.has('trees') ||
    !costing.can.has('self') ||
    !(evidence.whole > 0)
  )
    return undefined;
  const walk: Walk = { evidence, tree: openTree(costing.tree(false), false, event, MOST_ROOTS) };
  yield;
  const roots = walk.tree.roots.map((id) => walk.tree.nodes[id]);
  const [root] = roots;
  if (!root) return undefined;
  const isOne = costOf(walk, root) >= MOST_OF * evidence.whole;
  const top = isOne ? splitOf(walk, root) : undefined;
  yield;
  const parts = (top ? below(walk, top) : roots)
    .map((n) => startedBy(walk, n))
    .filter((n) => costOf(walk, n) >= LEAST * evidence.whole && isNamed(walk, n) && !n.recursive)
    .slice(0, MOST_PARTS);
  const self = top ? nodeSelf(event, top) : 0;
  const own =
    top && isNamed(walk, top) && self >= LEAST * evidence.whole
      ? [say`${about([top])}${share(evidence, 'itself', self)} itself`]
      : [];
  const said = parts.reduce((sum, n) => sum + costOf(walk, n), own.length > 0 ? self : 0);
  if (parts.length === 0 || said < LEAST_SAID * evidence.whole) return undefined;
  const all: Said[] = [];
  for (const part of parts) {
    all.push(partOf(walk, part));
    yield;
  }
  all.push(...own);
  // Programs have no cost that a reader would expect.
  const what = analysis.profile.kind === 'processes' ? say` of all programs executed` : NOTHING;
  return say`${top && isNamed(walk, top) ? say`${nameOf(walk, top)}: ` : NOTHING}${listed(all)}${what}`;
}

/** The same at once. */
export const topDownOf = memo((analysis: Analysis, event: Event) => atOnce(topDown(analysis, event)), 4);
