// Focus, ignore, show-from and prune-from of a call graph: every row keeps a share of its cost. In a routine r, let b be the share of its
// cost that arrived through a routine that matches (1 in one), and a the share that goes into one below it (1 in one).
//
// Focus keeps the paths that contain a match: of self cost b; of a call, b(caller) + (1 - b(caller)) * a(callee). What then arrives in r
// is the sum over its callers of cost * (b + (1 - b) * a(r)), and what starts in it counts with b = 0: all * (b(r) + (1 - b(r)) * a(r)). What
// leaves it is b * self + sum(cost * (b + (1 - b) * a(callee))) = b * whole + (1 - b) * a * whole, the same: so totals still balance.
//
// Ignore leaves what focus takes. Show-from drops what is above the first match: b of self cost, b(caller) of a call. Prune-from cuts a path
// below its last match: a call stays if a match comes below it, or if there is none at all, a(callee) + (1 - b(caller)) * (1 - a(callee)); what was
// cut is self cost of that last match, on the line of its call.
import type { Calls } from '../../model/callgraph/tables.ts';
import { estimatedIn, left, markInclusive, picked, rowsOf } from './call-graph-draft.ts';
import { type Graph, type GraphProfile, type Into, intoOf, pauses, SLICE, throughOf } from './call-graph-flows.ts';
import { linesLeft, NewLines, type SelfShares } from './call-graph-rows.ts';

export type ShareWord = 'focus' | 'ignore' | 'show-from' | 'prune-from';

/** What of a cost stays. `b`: as above. `below`: what of the cost goes into a match below the call. */
type Keeps = (cost: number, b: number, below: number) => number;

const focused: Keeps = (cost, b, below) => {
  if (b === 1 || below === cost) return cost;
  return b === 0 ? below : b * cost + (1 - b) * below;
};

const KEEPS: Readonly<Record<ShareWord, Keeps>> = {
  focus: focused,
  ignore: (cost, b, below) => cost - focused(cost, b, below),
  'show-from': (cost, b) => b * cost,
  'prune-from': (cost, b, below) => {
    if (b === 0 || below === cost) return cost;
    return b === 1 ? below : below + (1 - b) * (cost - below);
  },
};

/** Whether what stays of a call is known, not a share of what several ways have. `known`: that of what goes into a match below it. */
function isKnown(word: ShareWord, b: number, all: boolean, known: boolean): boolean {
  if (word === 'show-from') return b === 0 || b === 1;
  // Then one of the two does not matter.
  if (all || b === (word === 'prune-from' ? 0 : 1)) return true;
  return b === (word === 'prune-from' ? 1 : 0) && known;
}

/** A transform that keeps shares, and what they are made of. */
interface Sharing {
  readonly word: ShareWord;
  readonly graph: Graph;
  readonly hit: Uint8Array;
  readonly through: readonly Float64Array[];
  /** Absent where only what comes from above counts. */
  readonly into: readonly Into[] | undefined;
}

export function* sharesLeft(graph: Graph, hit: Uint8Array, word: ShareWord): Generator<undefined, GraphProfile> {
  const { profile } = graph;
  const through = yield* throughOf(graph, hit);
  const into = word === 'show-from' ? undefined : yield* intoOf(graph, hit);
  const sharing: Sharing = { word, graph, hit, through, into };
  const self = selfShares(sharing);
  const before = estimatedIn(profile);
  const selfDoubt = before.self.slice();
  for (const c of columnsOf(graph)) {
    const cost = graph.totals.self[c];
    for (let r = 0; r < cost.length; r++) if (cost[r] !== 0 && !isWhole(self.share[c][r])) selfDoubt[r] = 1;
  }
  const cut = new NewLines(profile.columns);
  const made = profile.calls && (yield* callsLeft(sharing, profile.calls, cut, selfDoubt));
  const { lines, start } = yield* linesLeft(profile, profile.spans, self, cut);
  const inclusive = before.inclusive.map((doubt, r) => doubt | selfDoubt[r]);
  markInclusive(graph, inclusive, (e) => edgeKnown(sharing, e));
  return left(profile, {
    strings: profile.strings,
    routines: profile.routines,
    spans: { ...profile.spans, start },
    lines,
    calls: made?.calls,
    jumps: profile.jumps,
    estimated: { self: selfDoubt, inclusive, calls: made?.doubt ?? before.calls },
  });
}

const isWhole = (share: number) => share === 0 || share === 1;

/** The columns that others follow. */
const columnsOf = ({ leads }: Graph) => leads.flatMap((lead, c) => (lead === c ? [c] : []));

function selfShares({ word, hit, through }: Sharing): SelfShares {
  if (word !== 'prune-from') return { share: through, complement: word === 'ignore' };
  return { share: through.map((column) => column.map((b, r) => (hit[r] === 1 ? 0 : b))), complement: true };
}

/** Whether what stays of a call of that cost is known. */
function knownOf({ word, through, into }: Sharing, c: number, caller: number, callee: number, cost: number): boolean {
  if (cost === 0) return true;
  const of = into?.[c];
  return isKnown(word, through[c][caller], of?.through(callee, cost) === cost, of?.known(callee, cost) ?? true);
}

function edgeKnown(sharing: Sharing, e: number): boolean {
  const { caller, callee, costs } = sharing.graph.edges;
  return columnsOf(sharing.graph).every((c) => knownOf(sharing, c, caller[e], callee[e], costs[c][e]));
}

/** The calls with what stays of them, and those of them that are estimates. What is cut off is added to `cut`. */
function* callsLeft(
  sharing: Sharing,
  calls: Calls,
  cut: NewLines,
  selfDoubt: Uint8Array,
): Generator<undefined, { readonly calls: Calls; readonly doubt: Uint8Array }> {
  const { word, graph, hit, through, into } = sharing;
  const { spans, columns } = graph.profile;
  const rows = calls.span.length;
  const doubt = estimatedIn(graph.profile).calls.slice();
  const keep = new Uint8Array(rows);
  const out = Array.from({ length: columns }, () => new Float64Array(rows));
  const count = new Float64Array(rows);
  const rest = new Float64Array(columns);
  const leading = columnsOf(graph);
  const due = pauses();
  for (let i = 0; i < rows; i++) {
    if (i % SLICE === 0 && due()) yield;
    const [caller, callee] = [spans.routine[calls.span[i]], calls.callee[i]];
    let most = 0;
    for (let c = 0; c < columns; c++) {
      const lead = graph.leads[c];
      const cost = calls.costs[c][i];
      const whole = calls.costs[lead][i];
      // A half of a large count has the share of the count.
      const stays =
        c === lead
          ? KEEPS[word](cost, through[c][caller], into?.[c].through(callee, cost) ?? 0)
          : scaled(cost, out[lead][i], whole);
      out[c][i] = stays;
      rest[c] = cost - stays;
      if (stays !== 0) keep[i] = 1;
      if (c === lead && cost !== 0) most = Math.max(most, stays / cost);
    }
    count[i] = countLeft(calls.count[i], most);
    if (doubt[i] === 0 && leading.some((c) => !knownOf(sharing, c, caller, callee, calls.costs[c][i]))) doubt[i] = 1;
    if (word !== 'prune-from' || hit[caller] === 0) continue;
    const added = cut.add(calls.span[i], calls.line[i], calls.address?.[i] ?? 0, rest);
    if (added && doubt[i] === 1) selfDoubt[caller] = 1;
  }
  const kept = rowsOf(keep);
  return {
    calls: {
      span: picked(calls.span, kept),
      callee: picked(calls.callee, kept),
      line: picked(calls.line, kept),
      ...(calls.address ? { address: picked(calls.address, kept) } : {}),
      count: picked(count, kept),
      costs: out.map((column) => picked(column, kept)),
    },
    doubt: picked(doubt, kept),
  };
}

const scaled = (cost: number, stays: number, whole: number) =>
  stays === whole ? cost : whole === 0 ? 0 : (cost * stays) / whole;

/** A share of a number of calls: a call that costs something was made. 0 stays what it is: unknown, or counted elsewhere. */
export function countLeft(count: number, share: number): number {
  return share > 0 && count > 0 ? Math.max(1, Math.ceil(count * Math.min(1, share) - 1e-9)) : 0;
}
