// Paths of a call graph, with each routine's self cost split among its paths. Call graphs do not record paths.
// A path gets its share of what each of its routines passes on (flow.ts):
//   cost(child) = cost(node) * cost(edge) / into(routine)
// Recursions are unfolded while they are worth it. The remaining cost moves on in packets (class CostPackets), one path each.
// So each call and routine on these paths gets its cost, up to a packet. Rounding rests go to paths of their routine.
// Nothing is counted twice, and the self costs of a routine's paths add up to its exact self cost.
import { MinHeap } from '../../../base/heap.ts';
import { addToList } from '../../../base/lists.ts';
import { rowsOfKey } from '../../../model/column.ts';
import type { Event } from '../../../model/head.ts';
import type { Edges, GraphPaths, Totals } from '../costing.ts';
import { termsValue } from '../tree.ts';
import type { CostFlow } from './flow.ts';

/** The paths, costliest first. Nodes below the cost `least` are not unfolded, nor is any node once there are `most`. */
export function graphPaths(totals: Totals, flow: CostFlow, event: Event, least: number, most: number): GraphPaths {
  const paths = new PathBuilder(totals, flow, event);
  paths.addRoots();
  paths.unfold(least, most);
  paths.sendPackets();
  paths.assignRemainder();
  return paths;
}

export function concatPaths(all: readonly GraphPaths[]): GraphPaths {
  const self: number[][] = all[0].self.map(() => []);
  const [parent, routine]: number[][] = [[], []];
  for (const paths of all) {
    const start = parent.length;
    for (const [node, r] of paths.routine.entries()) {
      parent.push(paths.parent[node] < 0 ? -1 : start + paths.parent[node]);
      routine.push(r);
      for (const [c, column] of paths.self.entries()) self[c].push(column[node]);
    }
  }
  return { parent, routine, self };
}

/** The average path length for which the limit on frames is set. */
const USUAL_PATH_LENGTH = 50;
const MAX_PACKETS = 10_000;
/** The maximum number of calls that a packet passes, because a recursion may have hardly any cost of its own. */
const MAX_CALLS_PER_PACKET = 1000;

class PathBuilder implements GraphPaths {
  readonly parent: number[] = [];
  readonly routine: number[] = [];
  readonly self: number[][];
  /** By raw column and node: its arriving cost. */
  private readonly arriving: number[][];
  private readonly edges: Edges;
  private readonly nodesOf = new Map<number, number[]>();
  /** Nodes whose calls are followed. */
  private readonly unfolded = new Set<number>();
  private readonly children = new Map<number, number>();

  constructor(
    private readonly totals: Totals,
    private readonly flow: CostFlow,
    private readonly event: Event,
  ) {
    this.edges = flow.edges;
    this.self = flow.edges.costs.map(() => []);
    this.arriving = flow.edges.costs.map(() => []);
  }

  private add(parent: number, routine: number, flow: ArrayLike<number>): number {
    const node = this.parent.push(parent) - 1;
    this.routine.push(routine);
    for (let c = 0; c < this.arriving.length; c++) {
      this.arriving[c].push(flow[c]);
      this.self[c].push(this.shareOf(c, routine, flow[c], this.totals.self[c][routine]));
    }
    addToList(this.nodesOf, routine, node);
    this.children.set(this.keyOf(parent, routine), node);
    return node;
  }

  private keyOf(parent: number, routine: number): number {
    return (parent + 1) * this.totals.calls.length + routine;
  }

  private child(parent: number, routine: number): number {
    const nothing = this.self.map(() => 0);
    return this.children.get(this.keyOf(parent, routine)) ?? this.add(parent, routine, nothing);
  }

  private shareOf(c: number, routine: number, flow: number, cost: number): number {
    const into = this.flow.into[c][routine];
    return into === 0 ? 0 : flow === into ? cost : (cost * flow) / into;
  }

  private valueOf(flow: ArrayLike<number>): number {
    return Math.abs(termsValue(this.event, Float64Array.from(flow)));
  }

  addRoots(): void {
    for (const r of this.flow.starts) {
      const rest = this.flow.rest.map((column) => Math.max(0, column[r]));
      if (rest.some((cost) => cost > 0)) this.add(-1, r, rest);
    }
  }

  unfold(least: number, most: number): void {
    const { edges } = this;
    const waiting = new MinHeap();
    const enqueue = (node: number) => {
      const value = this.valueOf(this.arriving.map((column) => column[node]));
      if (value >= least && value > 0) waiting.push(-value, node);
    };
    for (let node = 0; node < this.parent.length; node++) enqueue(node);
    // The total length of all paths counts, because each is written out: every node may deepen a recursion.
    let frames = 0;
    const depth: number[] = this.parent.map(() => 1);
    const hasCapacity = () => this.parent.length < most && frames < most * USUAL_PATH_LENGTH;
    for (let node = waiting.pop(); node >= 0 && hasCapacity(); node = waiting.pop()) {
      const r = this.routine[node];
      this.unfolded.add(node);
      for (let e = edges.from[r]; e < edges.from[r + 1]; e++) {
        if (edges.callee[e] === r) continue;
        const flow = edges.costs.map((column, c) => this.shareOf(c, r, this.arriving[c][node], column[e]));
        if (!flow.some((cost) => cost > 0)) continue;
        depth.push(depth[node] + 1);
        frames += depth[node] + 1;
        enqueue(this.add(node, edges.callee[e], flow));
      }
    }
  }

  /** Follows the cut-off cost, column by column. */
  sendPackets(): void {
    const cut = this.parent.flatMap((_, node) => (this.unfolded.has(node) ? [] : [node]));
    for (const [c, own] of this.self.entries()) {
      const packets = new CostPackets(this.edges, c, this.totals.self[c]);
      const rests = cut.map((node) => packets.shareOfCalls(this.routine[node]) * this.arriving[c][node]);
      // At least the smallest positive number: the quotient may underflow to 0.
      const size = Math.max(Number.MIN_VALUE, rests.reduce((sum, rest) => sum + rest, 0) / MAX_PACKETS);
      const send = (start: number, cost: number) => {
        let node = start;
        for (let way = 0; way < MAX_CALLS_PER_PACKET; way++) {
          const next = packets.next(this.routine[node], cost, way > 0);
          if (next < 0) break;
          node = this.child(node, next);
        }
        own[node] += cost;
      };
      // Small rests of a routine are summed. Its last path gets what does not fill a packet.
      const waiting = new Map<number, { node: number; cost: number }>();
      for (const [k, node] of cut.entries()) {
        const routine = this.routine[node];
        let cost = rests[k] + (waiting.get(routine)?.cost ?? 0);
        for (; cost > 0 && cost >= size; cost -= size) send(node, size);
        waiting.set(routine, { node, cost });
      }
      for (const { node, cost } of waiting.values()) if (cost > 0) send(node, cost);
    }
  }

  /** Gives self cost that no path has so far to the paths of its routine, in proportion to their arriving cost. */
  assignRemainder(): void {
    const { self } = this.totals;
    for (let r = 0; r < this.totals.calls.length; r++) {
      // A routine may have no path yet.
      const nodes = this.nodesOf.get(r) ?? (self.some((column) => column[r] !== 0) ? [this.pathTo(r)] : []);
      for (let c = 0; c < self.length; c++) this.scaleToSum(c, nodes, self[c][r]);
    }
  }

  /** Scales the self costs of nodes so that they add up to a sum. */
  private scaleToSum(c: number, nodes: readonly number[], sum: number): void {
    const [own, flow] = [this.self[c], this.arriving[c]];
    const total = (of: readonly number[]) => nodes.reduce((all, node) => all + of[node], 0);
    const [has, arrives] = [total(own), total(flow)];
    if (has === sum) return;
    const more = sum - has;
    if (more < 0) for (const node of nodes) own[node] *= has === 0 ? 0 : sum / has;
    else if (arrives > 0) for (const node of nodes) own[node] += (more * flow[node]) / arrives;
    else own[nodes[0]] += more;
  }

  /** Makes a path to a routine that has none yet, through its costliest callers. */
  private pathTo(routine: number): number {
    const { caller, into, costs } = this.edges;
    const chain = [routine];
    const seen = new Set(chain);
    let parent = -1;
    for (let at = routine; parent < 0; ) {
      let [next, best] = [-1, 0];
      for (const e of rowsOfKey(into, at)) {
        const value = this.valueOf(costs.map((column) => column[e]));
        if (value > best && !seen.has(caller[e])) [next, best] = [caller[e], value];
      }
      if (next < 0) break;
      parent = this.nodesOf.get(next)?.[0] ?? -1;
      if (parent < 0) chain.push(next);
      seen.add(next);
      at = next;
    }
    const nothing = new Float64Array(costs.length);
    for (const r of chain.reverse()) parent = this.add(parent, r, nothing);
    return parent;
  }
}

/**
 * The ways of packets of cost through the graph, in one column. Each call of a routine, and its own cost, has a credit that grows by its share
 * of each packet that comes by: the packet goes where the credit is largest, and takes it (error diffusion, as in Floyd and Steinberg's
 * dithering). So each gets its share of all packets, to the size of a packet.
 */
class CostPackets {
  private readonly credit: Float64Array;
  private readonly ownCredit: Float64Array;
  /** By routine: the cost of its calls to other routines. */
  private readonly calls: Float64Array;

  constructor(
    private readonly edges: Edges,
    private readonly column: number,
    private readonly self: Float64Array,
  ) {
    this.credit = new Float64Array(edges.callee.length);
    this.ownCredit = new Float64Array(self.length);
    this.calls = new Float64Array(self.length);
    const { caller, callee, costs } = edges;
    for (let e = 0; e < callee.length; e++) if (caller[e] !== callee[e]) this.calls[caller[e]] += Math.max(0, costs[column][e]);
  }

  /** The share of a routine's arriving cost that goes to its callees. */
  shareOfCalls(routine: number): number {
    const calls = this.calls[routine];
    return calls === 0 ? 0 : calls / (calls + Math.max(0, this.self[routine]));
  }

  /** The routine that a packet moves to; -1 if it stays. */
  next(routine: number, cost: number, mayStay: boolean): number {
    const { edges, credit, ownCredit } = this;
    const costs = edges.costs[this.column];
    const own = mayStay ? Math.max(0, this.self[routine]) : 0;
    const unit = cost / (this.calls[routine] + own);
    let [best, most] = [-1, Number.NEGATIVE_INFINITY];
    if (own > 0) {
      ownCredit[routine] += own * unit;
      most = ownCredit[routine];
    }
    for (let e = edges.from[routine]; e < edges.from[routine + 1]; e++) {
      if (edges.callee[e] === routine || costs[e] <= 0) continue;
      credit[e] += costs[e] * unit;
      if (credit[e] > most) [best, most] = [e, credit[e]];
    }
    if (best < 0) {
      ownCredit[routine] -= cost;
      return -1;
    }
    credit[best] -= cost;
    return edges.callee[best];
  }
}
