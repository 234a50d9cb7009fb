// The sentence above the findings: how the cost splits, starting at the top of the program.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { childrenOf, nodeSelf, nodeValue, openTree, type Tree, type TreeNode } from '../analysis/answers/tree.ts';
import { routineName } from '../analysis/names/names.ts';
import { memo } from '../base/lists.ts';
import { runToEnd } from '../base/slices.ts';
import type { Event } from '../model/head.ts';
import { isNameless } from './cost/code-names.ts';
import { type Evidence, evidenceOf } from './rule.ts';
import { APPROX_MARK, asShare, EMPTY_PHRASE, joinWithAnd, type Phrase, routineText, say } from './say.ts';

/** Minimum share of its caller's cost at which the largest callee is followed, because the cost does not split at the caller. */
const MIN_FOLLOWED_SHARE = 0.8;
const MIN_PART_SHARE = 0.05;
const MAX_PARTS = 4;
/** Maximum number of roots to examine. Far fewer roots can have the minimum share of a named part. */
const MAX_ROOTS = 100;
const MIN_NAMED_SHARE = 0.5;
const MIN_EXPLAINING_SHARE = 0.4;
/** Maximum depth to follow: a stack may be thousands of frames deep. */
const MAX_DEPTH = 60;

/** Functions of the C library, the dynamic linker and the standard library that start a program or a thread. */
const STARTER_NAMES =
  /^(?:_start|\(below main\)|__libc_start_\w+(?:@.*)?|_dl_start(?:_\w+)?|_dl_sysdep_start|start_thread|_{0,2}clone[23]?|thread_start|_pthread_start|execute_native_thread_routine|std::thread::.*|std::__invoke.*)$/;

interface TreeWalk {
  readonly evidence: Evidence;
  readonly tree: Tree;
}

const costOf = ({ evidence }: TreeWalk, node: TreeNode): number => nodeValue(evidence.event, node);
const childrenOfNode = ({ tree, evidence }: TreeWalk, node: TreeNode): TreeNode[] =>
  childrenOf(tree, node.id, evidence.event).map((id) => tree.nodes[id]);

/** Follows callees with nearly all of the cost, down to the frame where the cost splits or is self cost. */
function findSplit(walk: TreeWalk, from: TreeNode): TreeNode {
  const least = MIN_PART_SHARE * walk.evidence.whole;
  let at = from;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const [first, second] = childrenOfNode(walk, at);
    if (!first || first.recursive || costOf(walk, first) < MIN_FOLLOWED_SHARE * costOf(walk, at)) break;
    if (nodeSelf(walk.evidence.event, at) >= least || (second && costOf(walk, second) >= least)) break;
    at = first;
  }
  return at;
}

const hasName = ({ evidence }: TreeWalk, node: TreeNode): boolean => !isNameless(routineName(evidence.profile, node.routine));
const routineTextOf = ({ evidence }: TreeWalk, node: TreeNode) => routineText(evidence.profile, node.routine);
const approxMark = (nodes: readonly TreeNode[]) => (nodes.some((n) => n.estimated) ? APPROX_MARK : '');

/** Skips the frames that start a program or a thread, including unnamed frames of libraries without symbols. */
function skipStarters(walk: TreeWalk, from: TreeNode): TreeNode {
  let [at, last] = [from, from];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const starts = !hasName(walk, at) || STARTER_NAMES.test(routineName(walk.evidence.profile, at.routine));
    const [first] = starts ? childrenOfNode(walk, at) : [];
    if (!first || costOf(walk, first) < MIN_FOLLOWED_SHARE * costOf(walk, at)) break;
    at = first;
    if (hasName(walk, at)) last = at;
  }
  return last;
}

/** Frames of one routine at the split, with their cost together. */
interface Part {
  readonly node: TreeNode;
  readonly cost: number;
}

const MAX_NESTED_FRAMES = 1000;

/** The callees of a frame, and its self cost. A routine that calls itself is one frame, whose callees are added up. */
function splitOf(walk: TreeWalk, top: TreeNode): { readonly parts: readonly Part[]; readonly self: number } {
  const nested = [top];
  const parts = new Map<number, Part>();
  let self = 0;
  for (const frame of nested) {
    self += nodeSelf(walk.evidence.event, frame);
    for (const node of childrenOfNode(walk, frame)) {
      if (node.routine === top.routine && nested.length < MAX_NESTED_FRAMES) nested.push(node);
      else {
        const known = parts.get(node.routine);
        parts.set(node.routine, { node: known?.node ?? node, cost: costOf(walk, node) + (known?.cost ?? 0) });
      }
    }
  }
  return { parts: [...parts.values()].sort((a, b) => b.cost - a.cost), self };
}

/** `33.10% makeDoc (16.20% in formatDouble by writeNumbers)`. */
function partText(walk: TreeWalk, { node, cost }: Part): Phrase {
  const { evidence } = walk;
  const shown = say`${approxMark([node])}${asShare(evidence, 'part', cost)} ${routineTextOf(walk, node)}`;
  if (cost > costOf(walk, node)) return shown;
  const deep = findSplit(walk, node);
  const [first] = childrenOfNode(walk, deep);
  const inner = first && costOf(walk, first) >= MIN_EXPLAINING_SHARE * cost && !first.recursive ? findSplit(walk, first) : deep;
  if (inner.routine === node.routine) return shown;
  // By other calls, more of the cost may be in the same routine.
  const by = inner === deep || inner === first ? EMPTY_PHRASE : say` by ${routineTextOf(walk, first)}`;
  return say`${shown} (${approxMark([inner])}${asShare(evidence, 'within', costOf(walk, inner))} in ${routineTextOf(walk, inner)}${by})`;
}

/** The frame, or if its routine is on other paths as well, that routine by all its calls: it has one cost in all views. */
function withAllCalls(walk: TreeWalk, frame: TreeNode): { readonly walk: TreeWalk; readonly top: TreeNode } {
  const { analysis, event } = walk.evidence;
  const tree = openTree(analysis.costing.routineTree(frame.routine, false), false, event);
  const top = tree.nodes[tree.roots[0]];
  return top && costOf(walk, top) > costOf(walk, frame) ? { walk: { ...walk, tree }, top } : { walk, top: frame };
}

/**
 * `main: 42.10% parse, 33.00% makeDoc (16.50% in formatDouble) and 12.20% itself`: shares are of the whole. undefined where no costs are known by
 * path, nothing splits, or names are missing. Yields between slices of work.
 */
export function* costSplitSentence(analysis: Analysis, event: Event): Generator<undefined, Phrase | undefined> {
  const { costing, profile } = analysis;
  const evidence = evidenceOf(analysis, event, []);
  const hasPaths = profile.kind !== 'steps' && costing.can.has('trees') && costing.can.has('self');
  if (analysis.before || !hasPaths || !(evidence.whole > 0)) return undefined;
  const whole: TreeWalk = { evidence, tree: openTree(costing.tree(false), false, event, MAX_ROOTS) };
  yield;
  const roots = whole.tree.roots.map((id) => whole.tree.nodes[id]);
  const [root] = roots;
  if (!root) return undefined;
  const isOne = costOf(whole, root) >= MIN_FOLLOWED_SHARE * evidence.whole;
  const { walk, top } = isOne ? withAllCalls(whole, findSplit(whole, root)) : { walk: whole, top: undefined };
  yield;
  const split = top ? splitOf(walk, top) : { parts: roots.map((node) => ({ node, cost: costOf(walk, node) })), self: 0 };
  const { self } = split;
  const parts = split.parts
    .map(({ node, cost }) => {
      const shown = skipStarters(walk, node);
      return { node: shown, cost: shown === node ? cost : costOf(walk, shown) };
    })
    .filter(({ node, cost }) => cost >= MIN_PART_SHARE * evidence.whole && hasName(walk, node) && !node.recursive)
    .slice(0, MAX_PARTS);
  const own =
    top && hasName(walk, top) && self >= MIN_PART_SHARE * evidence.whole
      ? [say`${approxMark([top])}${asShare(evidence, 'itself', self)} itself`]
      : [];
  const namedCost = parts.reduce((sum, { cost }) => sum + cost, own.length > 0 ? self : 0);
  if (parts.length === 0 || namedCost < MIN_NAMED_SHARE * evidence.whole) return undefined;
  const all: Phrase[] = [];
  for (const part of parts) {
    all.push(partText(walk, part));
    yield;
  }
  all.push(...own);
  // Readers do not expect programs as a cost, so name what the shares refer to.
  const what = analysis.profile.kind === 'processes' ? say` of all programs executed` : EMPTY_PHRASE;
  return say`${top && hasName(walk, top) ? say`${routineTextOf(walk, top)}: ` : EMPTY_PHRASE}${joinWithAnd(all)}${what}`;
}

/** costSplitSentence() without pauses. */
export const costSplitSentenceOf = memo((analysis: Analysis, event: Event) => runToEnd(costSplitSentence(analysis, event)), 4);
