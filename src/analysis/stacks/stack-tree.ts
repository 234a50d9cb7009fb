// The calling-context tree of sampled stacks: exact, including recursion. A node is the set of stacks with a common prefix
// (from the root, or from the innermost frame if inverted); its children are found by looking one frame further.
import type { Event } from '../../model/head.ts';
import type { ProfileOf } from '../../model/profile.ts';
import { type Active, once } from '../once.ts';
import { addNode, type Tree, type TreeNode, type TreeSource, termsValue } from '../tree.ts';
import { inlinedFrames } from './inlined.ts';

export function stackTree(profile: ProfileOf<'stacks'>, active: Active, inverted: boolean): TreeSource {
  const { start, frame } = profile.stacks;
  /** A stack's frame at a depth, counted from the root or from the innermost frame; -1 where the stack has ended. */
  const frameAt = (s: number, depth: number) => {
    const from = start[s];
    const to = start[s + 1];
    return from + depth >= to ? -1 : frame[inverted ? from + depth : to - 1 - depth];
  };
  return sourceOf(profile, active, inverted, frameAt);
}

/** The stacks with the routine, from its outermost frame up to their roots: each counts once, however often the routine is in it. */
export function stackCallers(profile: ProfileOf<'stacks'>, active: Active, of: number): TreeSource {
  const { start, frame } = profile.stacks;
  const { routine } = profile.frames;
  const outermost = once(() =>
    Uint32Array.from(profile.stacks.part, (_, s) => {
      for (let k = start[s + 1] - 1; k >= start[s]; k--) if (routine[frame[k]] === of) return k;
      return start[s + 1];
    }),
  );
  const frameAt = (s: number, depth: number) => {
    const k = outermost()[s] + depth;
    return k >= start[s + 1] ? -1 : frame[k];
  };
  return sourceOf(profile, active, true, frameAt);
}

/** The tree of what the stacks have at each depth; a stack that has nothing at depth 0 is left out. */
function sourceOf(
  profile: ProfileOf<'stacks'>,
  active: Active,
  inverted: boolean,
  frameAt: (stack: number, depth: number) => number,
): TreeSource {
  const { stacks, frames } = profile;
  const inlined = inlinedFrames(profile, profile.grain);
  const { part, costs } = stacks;
  const { routine } = frames;
  /** Stacks of each node. */
  const held: (readonly number[])[] = [];
  const at = (s: number, depth: number) => {
    const f = frameAt(s, depth);
    return f < 0 ? -1 : routine[f];
  };
  const group = (tree: Tree, parent: TreeNode | undefined, below: Iterable<number>): number[] => {
    const depth = parent ? parent.depth + 1 : 0;
    const members = new Map<number, number[]>();
    for (const s of below) {
      const r = at(s, depth);
      if (r < 0) continue;
      const list = members.get(r);
      if (list) list.push(s);
      else members.set(r, [s]);
    }
    return [...members].map(([r, list]) => {
      const inclusive = new Float64Array(costs.length);
      const self = new Float64Array(costs.length);
      for (const s of list) {
        const ends = inverted || at(s, depth + 1) < 0;
        for (let c = 0; c < costs.length; c++) {
          inclusive[c] += costs[c][s];
          if (ends) self[c] += costs[c][s];
        }
      }
      const isInlined = inlined !== undefined && list.every((s) => inlined[frameAt(s, depth)] === 1);
      const id = addNode(tree, parent, { routine: r, calls: -1, inclusive, self, ...(isInlined ? { inlined: true } : {}) });
      held[id] = list;
      return id;
    });
  };
  return {
    exact: true,
    roots(tree: Tree, event: Event, most: number) {
      const all: number[] = [];
      for (let s = 0; s < part.length; s++) if (!active || active(part[s])) all.push(s);
      const value = (id: number) => termsValue(event, tree.nodes[id].inclusive);
      const roots = group(tree, undefined, all).sort((a, b) => value(b) - value(a));
      return { shown: roots.slice(0, most), leftOut: Math.max(0, roots.length - most) };
    },
    canUnfold: (_, node) => held[node.id].some((s) => at(s, node.depth + 1) >= 0),
    unfold: (tree, node) => group(tree, node, held[node.id]),
  };
}
