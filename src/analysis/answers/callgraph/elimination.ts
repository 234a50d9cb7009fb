// The flow through a cycle of a call graph, however often it goes round: the solution of M x = r with M(i,i) = leaves(i) + the sum of
// i's edges and M(i,j) = -edge(i,j), and entries of the inverse of M. Gaussian elimination after Grassmann, Taksar and Heyman (1985): a pivot
// is the sum of what still leaves, so nothing is ever subtracted, and results are right to the last digits even in a cycle that is
// hardly ever left. Members with the fewest neighbours go first, which keeps a cycle of a thousand routines sparse.
import { GrowableColumn } from '../../../model/column.ts';

/** The members of a cycle in elimination order; positions in this order number them. */
export interface EliminationPattern {
  /** By member: its place. */
  readonly position: Uint32Array;
  /** The one at place k is linked with later[from[k]] to later[from[k + 1]] when it goes, in ascending order. */
  readonly from: Uint32Array;
  readonly later: Uint32Array;
}

/** Entries that the patterns of a cycle may have, all together: some 300 MB. */
export const MOST_ENTRIES = 10_000_000;

/** Most pairs of linked members, over all eliminations: about 0.3 s for each column of costs. A dense cycle of 500 routines has 42 million. */
const MOST_WORK = 100_000_000;

/** Eliminations between pauses. */
const SLICE = 32;

/** Edges go from member `tail` to member `head`. Undefined where the pattern would have too many entries. Yields between slices of work. */
export function* planElimination(
  members: number,
  tail: Uint32Array,
  head: Uint32Array,
): Generator<undefined, EliminationPattern | undefined> {
  if (tail.length === 0)
    return {
      position: Uint32Array.from({ length: members }, (_, i) => i),
      from: new Uint32Array(members + 1),
      later: new Uint32Array(0),
    };
  if (members * wordsOf(members) > MOST_ENTRIES) return undefined;
  const links = new SparseRows(members, tail, head);
  let work = 0;
  for (let k = 0; k < members; k++) {
    links.eliminateNext(k);
    work += (links.from[k + 1] - links.from[k]) ** 2;
    if (links.later.length > MOST_ENTRIES || work > MOST_WORK) return undefined;
    if (k % SLICE === 0) yield;
  }
  const { position, from } = links;
  return { position, from, later: sortRows(from, links.later.done(), position) };
}

/** The entries of each row as positions, in ascending order: transposed twice, since sorting each row takes longer. */
function sortRows(from: Uint32Array, later: Uint32Array, position: Uint32Array): Uint32Array {
  const members = position.length;
  const columnFrom = new Uint32Array(members + 1);
  for (const member of later) columnFrom[position[member] + 1]++;
  for (let j = 0; j < members; j++) columnFrom[j + 1] += columnFrom[j];
  const rowOf = new Uint32Array(later.length);
  const next = columnFrom.slice(0, members);
  for (let k = 0; k < members; k++) for (let p = from[k]; p < from[k + 1]; p++) rowOf[next[position[later[p]]]++] = k;
  const sorted = new Uint32Array(later.length);
  const nextInRow = from.slice(0, members);
  for (let j = 0; j < members; j++) for (let p = columnFrom[j]; p < columnFrom[j + 1]; p++) sorted[nextInRow[rowOf[p]]++] = j;
  return sorted;
}

const wordsOf = (bits: number) => (bits + 31) >>> 5;

/** The remaining members and their links, one bit per pair. Hot loops are methods, which the engine compiles once. */
class SparseRows {
  readonly position: Uint32Array;
  readonly from: Uint32Array;
  readonly later = new GrowableColumn(Uint32Array);
  private readonly words: number;
  private readonly bits: Uint32Array;
  private readonly degree: Uint32Array;
  private readonly isEliminated: Uint8Array;
  /** The members that are left, in ascending order; the first `remainingCount` count, and may include eliminated ones. */
  private readonly remaining: Uint32Array;
  private remainingCount: number;

  constructor(members: number, tail: Uint32Array, head: Uint32Array) {
    this.words = wordsOf(members);
    this.bits = new Uint32Array(members * this.words);
    this.degree = new Uint32Array(members);
    this.isEliminated = new Uint8Array(members);
    this.remaining = Uint32Array.from({ length: members }, (_, i) => i);
    this.remainingCount = members;
    this.position = new Uint32Array(members);
    this.from = new Uint32Array(members + 1);
    for (let e = 0; e < tail.length; e++) {
      if (tail[e] === head[e]) continue;
      this.link(tail[e], head[e]);
      this.link(head[e], tail[e]);
    }
    for (let i = 0; i < members; i++) this.count(i);
  }

  private link(i: number, j: number): void {
    this.bits[i * this.words + (j >>> 5)] |= 1 << (j & 31);
  }

  private unlink(i: number, j: number): void {
    this.bits[i * this.words + (j >>> 5)] &= ~(1 << (j & 31));
  }

  private count(i: number): void {
    let sum = 0;
    for (let w = i * this.words; w < (i + 1) * this.words; w++) sum += bitsOf(this.bits[w]);
    this.degree[i] = sum;
  }

  private next(): number {
    const { remaining, isEliminated, degree } = this;
    let [next, fewest, kept] = [-1, Number.POSITIVE_INFINITY, 0];
    for (let k = 0; k < this.remainingCount; k++) {
      const i = remaining[k];
      if (isEliminated[i] === 1) continue;
      remaining[kept++] = i;
      if (degree[i] < fewest) {
        next = i;
        fewest = degree[i];
      }
    }
    this.remainingCount = kept;
    return next;
  }

  /** Takes the member with the fewest links as the next one: those that it is linked with are then linked with each other. */
  eliminateNext(k: number): void {
    const { words, bits, later } = this;
    const next = this.next();
    this.position[next] = k;
    this.isEliminated[next] = 1;
    const start = later.length;
    for (let w = 0; w < words; w++)
      for (let left = bits[next * words + w]; left !== 0; left &= left - 1) later.push(32 * w + 31 - Math.clz32(left & -left));
    for (let p = start; p < later.length; p++) this.mergeLinks(later.data[p], next);
    this.from[k + 1] = later.length;
  }

  private mergeLinks(i: number, next: number): void {
    const { words, bits } = this;
    for (let w = 0; w < words; w++) bits[i * words + w] |= bits[next * words + w];
    this.unlink(i, next);
    this.unlink(i, i);
    this.count(i);
  }
}

function bitsOf(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** Edges inside a cycle, from `tail` to `head`, with weights. `leaves`: by member, the cost that leaves the cycle. */
export interface System {
  readonly tail: Uint32Array;
  readonly head: Uint32Array;
  readonly weight: ArrayLike<number>;
  readonly leaves: ArrayLike<number>;
}

/** The factorization of M. */
export class Elimination {
  private readonly n: number;
  /** By position: 1 / pivot; 0 if nothing leaves. */
  private readonly one: Float64Array;
  /** By entry of the pattern: the edge from the earlier to the later one, and the other way. */
  private readonly forward: Float64Array;
  private readonly backward: Float64Array;

  constructor(private readonly pattern: EliminationPattern) {
    this.n = pattern.position.length;
    this.one = new Float64Array(this.n);
    this.forward = new Float64Array(pattern.later.length);
    this.backward = new Float64Array(pattern.later.length);
  }

  /** Yields between slices of work. */
  *run({ tail, head, weight, leaves }: System): Generator<undefined, void> {
    const { n, forward, backward } = this;
    const { position } = this.pattern;
    const absorbed = new Float64Array(n);
    for (let i = 0; i < n; i++) absorbed[position[i]] = leaves[i];
    for (let e = 0; e < tail.length; e++) {
      const [i, j] = [position[tail[e]], position[head[e]]];
      if (i < j) forward[entryOf(this.pattern, i, j)] += weight[e];
      else if (i > j) backward[entryOf(this.pattern, j, i)] += weight[e];
    }
    for (let k = 0; k < n; k++) {
      this.pivot(k, absorbed);
      if (k % SLICE === 0) yield;
    }
  }

  /** Row i has an entry for each later member of row k. Where it has no others, the entries of both are in step. */
  private pivot(k: number, absorbed: Float64Array): void {
    const { one, forward, backward } = this;
    const { from, later } = this.pattern;
    const end = from[k + 1];
    let pivot = absorbed[k];
    for (let p = from[k]; p < end; p++) pivot += forward[p];
    const inverse = pivot > 0 ? 1 / pivot : 0;
    one[k] = inverse;
    for (let p = from[k]; p < end && inverse > 0; p++) {
      const i = later[p];
      const [toI, fromI] = [forward[p] * inverse, backward[p] * inverse];
      absorbed[i] += fromI * absorbed[k];
      if (toI === 0 && fromI === 0) continue;
      let to = from[i];
      const inStep = from[i + 1] - to === end - p - 1;
      for (let q = p + 1; q < end; q++, to++) {
        if (!inStep) while (later[to] !== later[q]) to++;
        forward[to] += fromI * forward[q];
        backward[to] += backward[q] * toI;
      }
    }
  }

  /** x of M x = r, by member. */
  solve(r: ArrayLike<number>): Float64Array {
    return this.substitute(r, this.backward, this.forward);
  }

  /** x of x M = r, by member. */
  solveLeft(r: ArrayLike<number>): Float64Array {
    return this.substitute(r, this.forward, this.backward);
  }

  private substitute(r: ArrayLike<number>, down: Float64Array, up: Float64Array): Float64Array {
    const { n, one } = this;
    const { position, from, later } = this.pattern;
    const x = new Float64Array(n);
    for (let i = 0; i < n; i++) x[position[i]] = r[i];
    for (let k = 0; k < n; k++) {
      const passed = x[k] * one[k];
      for (let p = from[k]; p < from[k + 1] && passed !== 0; p++) x[later[p]] += down[p] * passed;
    }
    for (let k = n - 1; k >= 0; k--) {
      let sum = x[k];
      for (let p = from[k]; p < from[k + 1]; p++) sum += up[p] * x[later[p]];
      x[k] = sum * one[k];
    }
    return Float64Array.from(position, (k) => x[k]);
  }

  /** Entries of the inverse of M, for equal or linked members. Overwrites the elimination, which is useless afterwards. */
  *inverse(): Generator<undefined, Inverse> {
    const { n, forward, backward, pattern } = this;
    const { position } = pattern;
    const diagonal = new Float64Array(n);
    const [row, column] = [new Float64Array(n), new Float64Array(n)];
    for (let k = n - 1; k >= 0; k--) {
      this.invert(k, diagonal, row, column);
      if (k % SLICE === 0) yield;
    }
    return (i, j) => {
      const [a, b] = [position[i], position[j]];
      if (a === b) return diagonal[a];
      const p = entryOf(pattern, Math.min(a, b), Math.max(a, b));
      return p < 0 ? 0 : a < b ? forward[p] : backward[p];
    };
  }

  /** The entries of a row and a column of the inverse, from those of later positions. `row` and `column` are scratch memory. */
  private invert(k: number, diagonal: Float64Array, row: Float64Array, column: Float64Array): void {
    const { one, forward, backward } = this;
    const { from, later } = this.pattern;
    const [first, end] = [from[k], from[k + 1]];
    for (let p = first; p < end; p++) {
      row[p - first] = forward[p] * diagonal[later[p]];
      column[p - first] = backward[p] * diagonal[later[p]];
    }
    for (let p = first; p < end; p++) {
      const m = later[p];
      const on = forward[p];
      const back = backward[p];
      let to = from[m];
      const inStep = from[m + 1] - to === end - p - 1;
      let rowSum = 0;
      let columnSum = 0;
      for (let q = p + 1; q < end; q++, to++) {
        if (!inStep) while (later[to] !== later[q]) to++;
        const ahead = forward[to];
        const behind = backward[to];
        row[q - first] += on * ahead;
        column[q - first] += back * behind;
        rowSum += forward[q] * behind;
        columnSum += backward[q] * ahead;
      }
      row[p - first] += rowSum;
      column[p - first] += columnSum;
    }
    let sum = 1;
    for (let p = first; p < end; p++) sum += forward[p] * column[p - first] * one[k];
    diagonal[k] = sum * one[k];
    for (let p = first; p < end; p++) {
      forward[p] = row[p - first] * one[k];
      backward[p] = column[p - first] * one[k];
    }
  }
}

/** The entry for two members; 0 if they are not linked. */
export type Inverse = (i: number, j: number) => number;

function entryOf({ from, later }: EliminationPattern, earlier: number, wanted: number): number {
  let [low, high] = [from[earlier], from[earlier + 1]];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (later[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low < from[earlier + 1] && later[low] === wanted ? low : -1;
}
