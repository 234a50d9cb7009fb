// Looks for routines in a tree that is unfolded on demand: the most expensive places first, and without unfolding what cannot
// lead to them. A call graph unfolds to more nodes than fit into memory, so the search ends after a number of them.
import { Heap } from '../base/heap.ts';
import type { Event } from '../model/head.ts';
import type { Edges } from './costing.ts';
import { canUnfold, childrenOf, nodeValue, type Tree } from './tree.ts';

/** Nodes to look at between checks of the clock. */
const SLICE = 200;
/** The same of routines that lead to wanted ones. */
const LED = 5000;
/** Nodes that a search looks at, and that it makes, at most. */
const MOST_NODES = 200_000;
/** Nodes of a tree beyond which no search makes any: about 700 MB. */
const MOST_MADE = 1_000_000;

/** Finds the routines that are wanted, or from which the tree leads to one: callers of those, or callees where it is inverted. */
class Leads {
  /** 1 for each, as far as they are known. */
  readonly to: Uint8Array;
  private readonly queue: number[] = [];
  private readonly edges: Edges;
  private readonly inverted: boolean;

  constructor(edges: Edges, inverted: boolean, wanted: Uint8Array) {
    this.edges = edges;
    this.inverted = inverted;
    this.to = wanted.slice();
    for (let r = 0; r < wanted.length; r++) if (wanted[r] === 1) this.queue.push(r);
  }

  private put(r: number): void {
    if (this.to[r] === 1) return;
    this.to[r] = 1;
    this.queue.push(r);
  }

  /** Works until this time; true once done. */
  run(until: number): boolean {
    const { from, into, caller, callee } = this.edges;
    const { queue, inverted } = this;
    for (let n = 1, r = queue.pop(); r !== undefined; r = queue.pop(), n++) {
      if (inverted) for (let e = from[r]; e < from[r + 1]; e++) this.put(callee[e]);
      else for (let k = into.from[r]; k < into.from[r + 1]; k++) this.put(caller[into.order[k]]);
      if (n % LED === 0 && performance.now() >= until) return queue.length === 0;
    }
    return true;
  }
}

export class TreeSearch {
  /** Nodes of wanted routines, the most expensive first. */
  readonly found: number[] = [];
  /** Nothing is left to look at, or too much was. */
  done = false;
  /** The search ended before it had seen everything. */
  cut = false;
  /** Nodes looked at. */
  seen = 0;
  private readonly waiting = new Heap();
  /** The size of the tree at which this search only looks at what has been made. */
  private readonly largest: number;
  private readonly tree: Tree;
  private readonly event: Event;
  private readonly wanted: Uint8Array;
  private readonly leads: Leads;
  private led = false;

  constructor(tree: Tree, event: Event, wanted: Uint8Array, edges: Edges) {
    this.tree = tree;
    this.event = event;
    this.wanted = wanted;
    this.largest = Math.min(tree.nodes.length + MOST_NODES, MOST_MADE);
    this.leads = new Leads(edges, tree.inverted, wanted);
  }

  private wait(id: number): void {
    const node = this.tree.nodes[id];
    if (this.leads.to[node.routine] === 1) this.waiting.push(-nodeValue(this.event, node), id);
  }

  /** Looks for `ms` milliseconds, or until `most` places are found; true once done. */
  run(ms: number, most = Number.POSITIVE_INFINITY): boolean {
    const until = performance.now() + ms;
    const { tree, event, waiting, found } = this;
    if (!this.led) {
      if (!this.leads.run(until)) return false;
      this.led = true;
      for (const id of tree.roots) this.wait(id);
    }
    while (!this.done && found.length < most) {
      if (waiting.size === 0 || this.seen >= MOST_NODES) {
        this.done = true;
        this.cut ||= waiting.size > 0;
        break;
      }
      const id = waiting.pop();
      if (this.wanted[tree.nodes[id].routine] === 1) found.push(id);
      if (tree.nodes.length >= this.largest && !tree.childrenOf.has(id)) this.cut ||= canUnfold(tree, id);
      else if (canUnfold(tree, id)) for (const child of childrenOf(tree, id, event)) this.wait(child);
      if (++this.seen % SLICE === 0 && performance.now() >= until) break;
    }
    return this.done;
  }
}

/** The nodes and all above them. */
export function withAncestors(tree: Tree, nodes: readonly number[]): Set<number> {
  const out = new Set<number>();
  for (const node of nodes) for (let at = node; at >= 0 && !out.has(at); at = tree.nodes[at].parent) out.add(at);
  return out;
}
