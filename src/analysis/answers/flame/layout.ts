// Lays out a tree as a flame graph: a row of boxes for each depth, as wide as what they cost, each inside the one above it. Children
// too narrow to be seen are summed in one box and never unfolded, so that a screen takes as many nodes as it has cells at most.
import type { Event } from '../../../model/head.ts';
import { canUnfold, childrenOf, nodeValue, type Tree } from '../tree.ts';

/** A frame; or the sum of those beside it that are too narrow. */
export interface Box {
  /** Below -1 for a sum: sumBelow() of the node that it is inside of. */
  readonly node: number;
  /** The depth of the node. */
  readonly row: number;
  /** Its place in the row, and the place of the box above it in the row above; -1 in the first row. */
  readonly place: number;
  readonly above: number;
  /** In the units of the layout's width, not rounded. */
  readonly from: number;
  readonly to: number;
  /** Inclusive cost, without its sign. */
  readonly value: number;
  /** How many nodes it stands for, without those below them. */
  readonly nodes: number;
  /** A sum has so many costlier nodes beside it, and may be an estimate. */
  readonly sum?: { readonly after: number; readonly estimated: boolean };
}

/** The number of the sum of narrow frames inside a node; -1 for that of the roots. A layout has one at most. */
export const sumBelow = (node: number): number => -3 - node;

/** The node that a node or sum is inside of; -1 for roots. */
export const aboveIn = ({ nodes }: Tree, id: number): number => (id < -1 ? -3 - id : (nodes[id]?.parent ?? -1));

export interface Paper {
  readonly width: number;
  /** Narrower boxes are summed: 1 where the unit is a cell. */
  readonly least: number;
  /** Boxes beyond these are left out, the deepest first. */
  readonly most?: number;
}

/** Rows beyond these are left out: only endless recursion is deeper. */
export const MOST_ROWS = 20_000;
/** The rounding error of sums of doubles. */
const HAIR = 1e-9;

export class FlameLayout {
  /** The boxes of each depth, from left to right. Those above the zoom are as wide as the whole. */
  readonly rows: Box[][] = [];
  /** The boxes of nodes. */
  readonly boxOf = new Map<number, Box>();
  /** Nothing is left to unfold. */
  done = false;
  /** Rows or boxes were left out, since there are too many. */
  cut = false;
  /** Some children together cost more than what is above them: all of these are drawn narrower. */
  squeezed = false;
  /** The cost of the sums of narrow frames, down to and with each row. */
  private readonly sums: number[] = [];
  private inSums = 0;
  /** The cost of the whole width. */
  readonly whole: number;
  /** Rows above the node that takes the whole width. */
  readonly above: number;
  private boxes = 0;
  /** The row that is being made, and the next box of the row above it. */
  private growing: Box[] = [];
  private next = 0;

  /**
   * `zoom`: the node that takes the whole width; -1 for all roots. `total`: what the roots would add up to, were none left out. `after`: so
   * many of the costliest inside the zoom are left out, for the others to have the whole width.
   */
  constructor(
    readonly tree: Tree,
    private readonly event: Event,
    private readonly zoom: number,
    private readonly paper: Paper,
    total: number,
    private readonly after = 0,
  ) {
    this.above = zoom < 0 ? 0 : tree.nodes[zoom].depth + (after > 0 ? 1 : 0);
    if (zoom >= 0) this.whole = this.zoomTo(zoom);
    else {
      const sum = this.sizes(tree.roots, 0);
      const missing = tree.rootsLeftOut > 0 ? Math.max(0, total - sum) : 0;
      this.whole = this.sizes(tree.roots, after) + missing;
      this.place(tree.roots, undefined, this.whole, missing, tree.rootsLeftOut);
      this.endRow();
    }
  }

  private sizes(ids: readonly number[], after: number): number {
    let sum = 0;
    for (let k = after; k < ids.length; k++) sum += this.size(ids[k]);
    return sum;
  }

  private size(id: number): number {
    return Math.abs(nodeValue(this.event, this.tree.nodes[id]));
  }

  /** The node and those above it, each as wide as the whole; returns what the node costs. */
  private zoomTo(zoom: number): number {
    const path: number[] = [];
    for (let id = zoom; id >= 0; id = this.tree.nodes[id].parent) path.push(id);
    for (const id of path.reverse()) {
      this.put(id, this.rows.length === 0 ? -1 : 0, 0, this.paper.width, this.size(id), 1);
      this.endRow();
    }
    return this.size(zoom);
  }

  private put(node: number, above: number, from: number, to: number, value: number, nodes: number, sum?: Box['sum']): void {
    const place = this.growing.length;
    const box: Box = { node, row: this.rows.length, place, above, from, to, value, nodes, ...(sum ? { sum } : {}) };
    this.growing.push(box);
    this.boxes++;
    this.boxOf.set(node, box);
    if (sum) this.inSums += value;
  }

  private endRow(): void {
    if (this.growing.length === 0) this.done = true;
    else {
      this.rows.push(this.growing);
      this.sums.push(this.inSums);
    }
    this.growing = [];
    this.next = 0;
  }

  /** Puts nodes beside each other, the costliest first; `missing` is what `hidden` others cost that nobody made nodes of. */
  private place(ids: readonly number[], above: Box | undefined, whole: number, missing: number, hidden: number): void {
    const { nodes } = this.tree;
    const { from, to } = above ?? { from: 0, to: this.paper.width };
    const inZoom = (above?.node ?? -1) === this.zoom;
    let k = inZoom ? this.after : 0;
    const sum = missing + this.sizes(ids, k);
    if (sum === 0) return;
    const all = k > 0 ? sum : whole;
    if (sum > all * (1 + HAIR)) this.squeezed = true;
    const scale = (to - from) / Math.max(sum, all);
    const least = this.paper.least - HAIR;
    const place = above?.place ?? -1;
    let left = from;
    for (; k < ids.length; k++) {
      const value = this.size(ids[k]);
      if (value === 0 || value * scale < least) break;
      const right = Math.min(to, left + value * scale);
      this.put(ids[k], place, left, right, value, 1);
      left = right;
    }
    const rest = missing + this.sizes(ids, k);
    if (rest === 0) return;
    let estimated = false;
    for (let i = k; i < ids.length; i++) estimated ||= nodes[ids[i]].estimated;
    const right = Math.min(to, left + rest * scale);
    this.put(sumBelow(above?.node ?? -1), place, left, right, rest, ids.length - k + hidden, { after: k, estimated });
  }

  private unfold(box: Box): void {
    if (box.node < 0 || !canUnfold(this.tree, box.node)) return;
    this.place(childrenOf(this.tree, box.node, this.event), box, box.value, 0, 0);
  }

  /** Unfolds level by level until there are so many rows, for about `ms` milliseconds; true once they are there, or all there are. */
  run(rows: number, ms: number): boolean {
    const { most = Number.POSITIVE_INFINITY } = this.paper;
    const until = performance.now() + ms;
    while (!this.done && this.rows.length < rows) {
      if (this.boxes >= most || this.rows.length >= MOST_ROWS) {
        this.cut = true;
        this.endRow();
        this.done = true;
        break;
      }
      const above = this.rows[this.rows.length - 1];
      if (above === undefined) this.done = true;
      else if (this.next === above.length) this.endRow();
      else this.unfold(above[this.next++]);
      if (performance.now() >= until) break;
    }
    return this.done || this.rows.length >= rows;
  }

  /** The cost of frames too narrow to show in the first rows, with their callees. */
  narrowIn(rows: number): number {
    return this.sums[Math.min(rows, this.sums.length) - 1] ?? 0;
  }

  /** Whether all boxes of this depth are known. */
  knows(row: number): boolean {
    return this.done || this.rows.length > row;
  }

  /** The frames inside a frame, as far as they are known, with the sum of the narrow ones. */
  inside(box: Box): readonly Box[] {
    return (this.rows[box.row + 1] ?? []).filter((b) => b.above === box.place && isWide(b));
  }

  /** The frames that are inside the same one, with this one. */
  beside(box: Box): readonly Box[] {
    return (this.rows[box.row] ?? []).filter((b) => b.above === box.above && isWide(b));
  }
}

/** The cells of a box: their edges are rounded, so that boxes side by side stay so. */
export function cellsOf({ from, to }: Box): readonly [from: number, to: number] {
  return [Math.round(from), Math.round(to)];
}

/** A sum may be narrower than a cell. */
const isWide = (box: Box): boolean => {
  const [from, to] = cellsOf(box);
  return to > from;
};
