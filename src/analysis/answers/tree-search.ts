// Searches a tree that unfolds on demand for routines, the most expensive nodes first. Only nodes that can lead to a wanted
// routine are unfolded. A call graph unfolds to more nodes than fit into memory, so the search has limits.
import { MinHeap } from '../../base/heap.ts';
import type { Sliced } from '../../base/slices.ts';
import type { Event } from '../../model/head.ts';
import type { Edges } from './costing.ts';
import { canUnfold, childrenOf, nodeValue, type Tree } from './tree.ts';

const NODES_PER_SLICE = 200;
const ROUTINES_PER_SLICE = 5000;
/** Nodes that a search looks at, and that it makes, at most. */
const MAX_SEARCHED_NODES = 200_000;
/** Nodes of a tree beyond which no search makes any: about 700 MB. */
const MAX_TREE_NODES = 1_000_000;

/** By routine: 1 if it is wanted or the tree leads from it to a wanted one: its callers, or its callees if inverted. */
function* routinesLeadingTo(wanted: Uint8Array, { from, into, caller, callee }: Edges, inverted: boolean): Sliced<Uint8Array> {
  const to = wanted.slice();
  const queue: number[] = [];
  for (let r = 0; r < wanted.length; r++) if (wanted[r] === 1) queue.push(r);
  const put = (r: number) => {
    if (to[r] === 1) return;
    to[r] = 1;
    queue.push(r);
  };
  for (let n = 1, r = queue.pop(); r !== undefined; r = queue.pop(), n++) {
    if (inverted) for (let e = from[r]; e < from[r + 1]; e++) put(callee[e]);
    else for (let k = into.from[r]; k < into.from[r + 1]; k++) put(caller[into.order[k]]);
    if (n % ROUTINES_PER_SLICE === 0) yield;
  }
  return to;
}

export class TreeSearch {
  /** Nodes of wanted routines, the most expensive first. */
  readonly found: number[] = [];
  done = false;
  /** The search ended before it had seen everything. */
  cut = false;
  seen = 0;
  private readonly steps: Sliced<void>;

  constructor(tree: Tree, event: Event, wanted: Uint8Array, edges: Edges) {
    this.steps = this.search(tree, event, wanted, edges);
  }

  /** Looks for `ms` milliseconds, or until `most` places are found; true once done. */
  run(ms: number, most = Number.POSITIVE_INFINITY): boolean {
    const until = performance.now() + ms;
    while (!this.done && this.found.length < most) {
      if (this.steps.next().done) this.done = true;
      else if (performance.now() >= until) break;
    }
    return this.done;
  }

  /** Yields between slices, and after each found node. */
  private *search(tree: Tree, event: Event, wanted: Uint8Array, edges: Edges): Sliced<void> {
    const mayLead = yield* routinesLeadingTo(wanted, edges, tree.inverted);
    /** At this size of the tree, the search visits only existing nodes. */
    const largest = Math.min(tree.nodes.length + MAX_SEARCHED_NODES, MAX_TREE_NODES);
    const waiting = new MinHeap();
    const enqueue = (id: number) => {
      const node = tree.nodes[id];
      if (mayLead[node.routine] === 1) waiting.push(-nodeValue(event, node), id);
    };
    for (const id of tree.roots) enqueue(id);
    while (waiting.size > 0 && this.seen < MAX_SEARCHED_NODES) {
      const id = waiting.pop();
      const isWanted = wanted[tree.nodes[id].routine] === 1;
      if (isWanted) this.found.push(id);
      if (tree.nodes.length >= largest && !tree.childrenOf.has(id)) this.cut ||= canUnfold(tree, id);
      else if (canUnfold(tree, id)) for (const child of childrenOf(tree, id, event)) enqueue(child);
      if (++this.seen % NODES_PER_SLICE === 0 || isWanted) yield;
    }
    this.cut ||= waiting.size > 0;
  }
}

export function withAncestors(tree: Tree, nodes: readonly number[]): Set<number> {
  const out = new Set<number>();
  for (const node of nodes) for (let at = node; at >= 0 && !out.has(at); at = tree.nodes[at].parent) out.add(at);
  return out;
}
