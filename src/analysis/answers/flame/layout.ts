// Lays out a tree as a flame graph: one row of boxes per depth. A box is as wide as its cost and lies inside its parent's.
// Children too narrow to see are merged into one box and never unfolded, so a screen never needs more nodes than cells.
import type { Event } from '../../../model/head.ts';
import { canUnfold, childrenOf, nodeValue, type Tree } from '../tree.ts';

/** A box: a frame, or the sum of siblings that are too narrow to show. */
export interface FlameBox {
  /** The id of the node. A value below -1 is a sum of siblings: see sumIdInside(). */
  readonly node: number;
  /** The depth of the node. */
  readonly row: number;
  /** Index in its row, and index of the parent's box in the row above; -1 in the first row. */
  readonly index: number;
  readonly above: number;
  /** The ends of the box in units of the layout's width, not rounded. */
  readonly from: number;
  readonly to: number;
  /** The inclusive cost without its sign. */
  readonly value: number;
  /** The number of nodes in the box, without their descendants. */
  readonly nodes: number;
  /** For a sum of siblings: the number of costlier siblings, and whether the sum may be an estimate. */
  readonly sum?: { readonly after: number; readonly estimated: boolean };
}

/** The id of the box for narrow children of a node; -1 as node for the roots. There is at most one per node. */
export const sumIdInside = (node: number): number => -3 - node;

/** The node that contains a node or a sum; -1 for roots. */
export const parentNodeOf = ({ nodes }: Tree, id: number): number => (id < -1 ? -3 - id : (nodes[id]?.parent ?? -1));

export interface LayoutSize {
  readonly width: number;
  /** The minimum width. Narrower boxes are summed. 1 if the unit is a cell. */
  readonly least: number;
  /** The maximum number of boxes; deeper ones are left out. */
  readonly most?: number;
}

/** The maximum number of rows. Only endless recursion is deeper. */
const MAX_ROWS = 20_000;
/** The rounding error of sums of doubles. */
const ROUNDING_SHARE = 1e-9;

export class FlameLayout {
  /** The boxes of each depth, from left to right. Boxes above the zoomed node have the full width. */
  readonly rows: FlameBox[][] = [];
  /** By node: its box. */
  readonly boxOf = new Map<number, FlameBox>();
  done = false;
  /** Whether rows or boxes were left out because there are too many. */
  cut = false;
  /** Whether some children cost more than their parent, so that they are drawn narrower. */
  squeezed = false;
  /** By row: the total cost of sums of narrow boxes up to and including this row. */
  private readonly sums: number[] = [];
  private inSums = 0;
  /** The cost that the full width represents. */
  readonly whole: number;
  /** The number of rows above the zoomed node. */
  readonly above: number;
  private boxes = 0;
  /** The row that is being built, and the next box of the row above it. */
  private growing: FlameBox[] = [];
  private next = 0;

  /**
   * `zoom`: the node that takes the whole width; -1 for all roots. `total`: the sum of all roots, including those left out.
   * `after`: the number of costliest children of the zoom to leave out, so that the others share the whole width.
   */
  constructor(
    readonly tree: Tree,
    private readonly event: Event,
    private readonly zoom: number,
    readonly paper: LayoutSize,
    total: number,
    private readonly after = 0,
  ) {
    this.above = zoom < 0 ? 0 : tree.nodes[zoom].depth + (after > 0 ? 1 : 0);
    if (zoom >= 0) this.whole = this.zoomTo(zoom);
    else {
      const sum = this.sumOfCosts(tree.roots, 0);
      const missing = tree.rootsLeftOut > 0 ? Math.max(0, total - sum) : 0;
      this.whole = this.sumOfCosts(tree.roots, after) + missing;
      this.placeChildren(tree.roots, undefined, this.whole, missing, tree.rootsLeftOut);
      this.endRow();
    }
  }

  private sumOfCosts(ids: readonly number[], after: number): number {
    let sum = 0;
    for (let k = after; k < ids.length; k++) sum += this.costOf(ids[k]);
    return sum;
  }

  private costOf(id: number): number {
    return Math.abs(nodeValue(this.event, this.tree.nodes[id]));
  }

  /** Adds the node and its ancestors at full width; returns the node's cost. */
  private zoomTo(zoom: number): number {
    const path: number[] = [];
    for (let id = zoom; id >= 0; id = this.tree.nodes[id].parent) path.push(id);
    for (const id of path.reverse()) {
      const above = this.rows.length === 0 ? -1 : 0;
      this.addBox({ node: id, above, from: 0, to: this.paper.width, value: this.costOf(id), nodes: 1 });
      this.endRow();
    }
    return this.costOf(zoom);
  }

  private addBox(placed: Omit<FlameBox, 'row' | 'index'>): void {
    const box: FlameBox = { ...placed, row: this.rows.length, index: this.growing.length };
    this.growing.push(box);
    this.boxes++;
    this.boxOf.set(box.node, box);
    if (box.sum) this.inSums += box.value;
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

  /** Places siblings side by side, costliest first. `missing` is the cost of `hidden` siblings without nodes. */
  private placeChildren(ids: readonly number[], above: FlameBox | undefined, whole: number, missing: number, hidden: number) {
    const { nodes } = this.tree;
    const { from, to } = above ?? { from: 0, to: this.paper.width };
    const inZoom = (above?.node ?? -1) === this.zoom;
    let k = inZoom ? this.after : 0;
    const sum = missing + this.sumOfCosts(ids, k);
    if (sum === 0) return;
    const all = k > 0 ? sum : whole;
    if (sum > all * (1 + ROUNDING_SHARE)) this.squeezed = true;
    const scale = (to - from) / Math.max(sum, all);
    const least = this.paper.least - ROUNDING_SHARE;
    const place = { above: above?.index ?? -1 };
    let left = from;
    for (; k < ids.length; k++) {
      const value = this.costOf(ids[k]);
      if (value === 0 || value * scale < least) break;
      const right = Math.min(to, left + value * scale);
      this.addBox({ ...place, node: ids[k], from: left, to: right, value, nodes: 1 });
      left = right;
    }
    const rest = missing + this.sumOfCosts(ids, k);
    if (rest === 0) return;
    let estimated = false;
    for (let i = k; i < ids.length; i++) estimated ||= nodes[ids[i]].estimated;
    const right = Math.min(to, left + rest * scale);
    const summed = { node: sumIdInside(above?.node ?? -1), nodes: ids.length - k + hidden, sum: { after: k, estimated } };
    this.addBox({ ...place, ...summed, from: left, to: right, value: rest });
  }

  private unfold(box: FlameBox): void {
    if (box.node < 0 || !canUnfold(this.tree, box.node)) return;
    this.placeChildren(childrenOf(this.tree, box.node, this.event), box, box.value, 0, 0);
  }

  /** Unfolds for about `ms` milliseconds, until `rows` rows are complete. Returns true once they are, or all rows are. */
  run(rows: number, ms: number): boolean {
    const { most = Number.POSITIVE_INFINITY } = this.paper;
    const until = performance.now() + ms;
    while (!this.done && this.rows.length < rows) {
      if (this.boxes >= most || this.rows.length >= MAX_ROWS) {
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

  /** The number of rows known so far, down to the last one with a box of at least a cell. */
  get visibleRows(): number {
    return this.rows.findLastIndex((row) => row.some(hasCells)) + 1;
  }

  /** The cost, including callees, of frames too narrow to show in the first rows. */
  narrowIn(rows: number): number {
    return this.sums[Math.min(rows, this.sums.length) - 1] ?? 0;
  }

  hasRow(row: number): boolean {
    return this.done || this.rows.length > row;
  }

  /** The boxes directly inside a box that are known so far. */
  boxesInside(box: FlameBox): readonly FlameBox[] {
    return (this.rows[box.row + 1] ?? []).filter((b) => b.above === box.index && hasCells(b));
  }

  siblingsOf(box: FlameBox): readonly FlameBox[] {
    return (this.rows[box.row] ?? []).filter((b) => b.above === box.above && hasCells(b));
  }
}

/** The cells of a box. Edges are rounded, so that adjacent boxes stay adjacent. */
export const boxCellRange = ({ from, to }: FlameBox): readonly [from: number, to: number] => [Math.round(from), Math.round(to)];

/** Whether a box is at least one cell wide; a sum may be narrower. */
const hasCells = (box: FlameBox): boolean => {
  const [from, to] = boxCellRange(box);
  return to > from;
};
