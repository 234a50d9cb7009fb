// Computes the flow through a cycle of a call graph, for any number of rounds: solutions of M x = r, and entries of M's inverse.
// M(i,i) = leaves(i) + the sum of i's edges; M(i,j) = -edge(i,j). Members with the fewest neighbours are eliminated first.
// Gaussian elimination after Grassmann, Taksar and Heyman (1985): a pivot is the sum of what still leaves.
// So nothing is subtracted, and results stay accurate even in a cycle that cost hardly ever leaves.
import type { Sliced } from '../../../base/slices.ts';
import { GrowableColumn, indexBy, pickColumn } from '../../../model/column.ts';

/**
 * The members of a cycle in elimination order. Their positions in this order serve as numbers. `position`: by member. When the member at
 * position k is eliminated, its links are later[from[k]] to later[from[k + 1] - 1], ascending.
 */
export type EliminationPattern = Readonly<Record<'position' | 'from' | 'later', Uint32Array>>;

/** The maximum number of entries in all patterns of a cycle together: about 300 MB. */
const MAX_PATTERN_ENTRIES = 10_000_000;

/** The maximum number of linked pairs over all eliminations: about 0.3 s per cost column. A dense cycle of 500 has 42 million. */
const MAX_LINKED_PAIRS = 100_000_000;

const ELIMINATIONS_PER_SLICE = 32;

/** Plans the elimination. Edges go from member `tail` to `head`. Undefined if the pattern is too large. Yields between slices. */
export function* planElimination(members: number, tail: Uint32Array, head: Uint32Array): Sliced<EliminationPattern | undefined> {
  if (tail.length === 0) {
    const position = Uint32Array.from({ length: members }, (_, i) => i);
    return { position, from: new Uint32Array(members + 1), later: new Uint32Array(0) };
  }
  if (members * bitSetWords(members) > MAX_PATTERN_ENTRIES) return undefined;
  const links = new SparseRows(members, tail, head);
  let work = 0;
  for (let k = 0; k < members; k++) {
    links.eliminateNext(k);
    work += (links.from[k + 1] - links.from[k]) ** 2;
    if (links.later.length > MAX_PATTERN_ENTRIES || work > MAX_LINKED_PAIRS) return undefined;
    if (k % ELIMINATIONS_PER_SLICE === 0) yield;
  }
  const { position, from } = links;
  return { position, from, later: sortRowEntries(from, links.later.done(), position) };
}

/** Sorts the entries of each row by position. Transposing twice is faster than sorting each row. */
function sortRowEntries(from: Uint32Array, later: Uint32Array, position: Uint32Array): Uint32Array {
  const members = position.length;
  const columns = pickColumn(position, later);
  const rowOf = new Uint32Array(later.length);
  for (let k = 0; k < members; k++) rowOf.fill(k, from[k], from[k + 1]);
  const sorted = new Uint32Array(later.length);
  const next = from.slice(0, members);
  for (const p of indexBy(columns, members).order) sorted[next[rowOf[p]]++] = columns[p];
  return sorted;
}

const bitSetWords = (bits: number) => (bits + 31) >>> 5;

/** The remaining members and their links, one bit per pair. Hot loops are methods, so that the engine compiles them once. */
class SparseRows {
  readonly position: Uint32Array;
  readonly from: Uint32Array;
  readonly later = new GrowableColumn(Uint32Array);
  private readonly words: number;
  private readonly bits: Uint32Array;
  private readonly degree: Uint32Array;
  private readonly isEliminated: Uint8Array;
  private readonly linkedWords: Uint32Array;
  /** The remaining members, ascending. Only the first `remainingCount` entries are valid, and may include eliminated ones. */
  private readonly remaining: Uint32Array;
  private remainingCount: number;

  constructor(members: number, tail: Uint32Array, head: Uint32Array) {
    this.words = bitSetWords(members);
    this.bits = new Uint32Array(members * this.words);
    this.degree = new Uint32Array(members);
    this.isEliminated = new Uint8Array(members);
    this.linkedWords = new Uint32Array(this.words);
    this.remaining = Uint32Array.from({ length: members }, (_, i) => i);
    this.remainingCount = members;
    this.position = new Uint32Array(members);
    this.from = new Uint32Array(members + 1);
    for (let e = 0; e < tail.length; e++) {
      if (tail[e] === head[e]) continue;
      this.link(tail[e], head[e]);
      this.link(head[e], tail[e]);
    }
  }

  private link(i: number, j: number): void {
    const at = i * this.words + (j >>> 5);
    const bit = 1 << (j & 31);
    if ((this.bits[at] & bit) === 0) this.degree[i]++;
    this.bits[at] |= bit;
  }

  private unlink(i: number, j: number): void {
    this.bits[i * this.words + (j >>> 5)] &= ~(1 << (j & 31));
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

  /** Eliminates the member with the fewest links, and links its neighbours with each other. */
  eliminateNext(k: number): void {
    const { words, bits, later, linkedWords } = this;
    const next = this.next();
    this.position[next] = k;
    this.isEliminated[next] = 1;
    const start = later.length;
    let linked = 0;
    for (let w = 0; w < words; w++) {
      let left = bits[next * words + w];
      if (left !== 0) linkedWords[linked++] = w;
      for (; left !== 0; left &= left - 1) later.push(32 * w + 31 - Math.clz32(left & -left));
    }
    // If all that remain are linked with each other, nothing is new.
    const isComplete = later.length - start === this.remainingCount - 1;
    for (let p = start; p < later.length; p++) {
      const i = later.data[p];
      if (!isComplete) this.mergeLinks(i, next, linked);
      this.unlink(i, next);
      this.degree[i]--;
    }
    this.from[k + 1] = later.length;
  }

  /** Links member i with the other neighbours of `next`, whose row has bits in the first `linked` of `linkedWords`. */
  private mergeLinks(i: number, next: number, linked: number): void {
    const { words, bits, linkedWords } = this;
    let added = 0;
    for (let k = 0; k < linked; k++) {
      const w = linkedWords[k];
      const before = bits[i * words + w];
      const after = before | bits[next * words + w];
      if (after === before) continue;
      bits[i * words + w] = after;
      added += countBits(after & ~before);
    }
    // The row has i itself.
    this.unlink(i, i);
    this.degree[i] += added - 1;
  }
}

function countBits(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** The factorization of the matrix M. */
export class Elimination {
  private readonly n: number;
  /** By position: 1 / pivot; 0 if nothing leaves. */
  private readonly one: Float64Array;
  /** By entry of the pattern: the edge from the earlier to the later member, and the reverse edge. */
  private readonly forward: Float64Array;
  private readonly backward: Float64Array;

  constructor(private readonly pattern: EliminationPattern) {
    this.n = pattern.position.length;
    this.one = new Float64Array(this.n);
    this.forward = new Float64Array(pattern.later.length);
    this.backward = new Float64Array(pattern.later.length);
  }

  /**
   * Factorizes M, of edges inside a cycle, from `tail` to `head`, with weights. `leaves`: by member, the cost that leaves the cycle. Yields
   * between slices of work.
   */
  *run(tail: Uint32Array, head: Uint32Array, weight: ArrayLike<number>, leaves: ArrayLike<number>): Sliced<void> {
    const { n, forward, backward } = this;
    const { position } = this.pattern;
    const absorbed = new Float64Array(n);
    for (let i = 0; i < n; i++) absorbed[position[i]] = leaves[i];
    for (let e = 0; e < tail.length; e++) {
      const [i, j] = [position[tail[e]], position[head[e]]];
      if (i < j) forward[findEntry(this.pattern, i, j)] += weight[e];
      else if (i > j) backward[findEntry(this.pattern, j, i)] += weight[e];
    }
    for (let k = 0; k < n; k++) {
      this.pivot(k, absorbed);
      if (k % ELIMINATIONS_PER_SLICE === 0) yield;
    }
  }

  /** Eliminates row k. Row i has an entry for each later member of row k. If it has no others, both are scanned in parallel. */
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

  /** Solves M x = r. The result is by member. */
  solve(r: ArrayLike<number>): Float64Array {
    return this.substitute(r, this.backward, this.forward);
  }

  /** Solves x M = r. The result is by member. */
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

  /** Computes the entries of M's inverse for equal or linked members. Overwrites the factorization. */
  *inverse(): Sliced<InverseEntry> {
    const { n, forward, backward, pattern } = this;
    const { position } = pattern;
    const diagonal = new Float64Array(n);
    const [row, column] = [new Float64Array(n), new Float64Array(n)];
    for (let k = n - 1; k >= 0; k--) {
      this.invert(k, diagonal, row, column);
      if (k % ELIMINATIONS_PER_SLICE === 0) yield;
    }
    return (i, j) => {
      const [a, b] = [position[i], position[j]];
      if (a === b) return diagonal[a];
      const p = findEntry(pattern, Math.min(a, b), Math.max(a, b));
      return p < 0 ? 0 : a < b ? forward[p] : backward[p];
    };
  }

  /** Computes a row and a column of the inverse from later positions. `row` and `column` are scratch memory. */
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

/** The inverse's entry for two members; 0 if they are not linked. */
export type InverseEntry = (i: number, j: number) => number;

function findEntry({ from, later }: EliminationPattern, earlier: number, wanted: number): number {
  let [low, high] = [from[earlier], from[earlier + 1]];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (later[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low < from[earlier + 1] && later[low] === wanted ? low : -1;
}
