// The layout of a call graph: which boxes of a level fit, their widths by cost, and their lines.
import type { EdgeLevel, Neighbour } from '../analysis/answers/neighbours.ts';
import { memo } from '../base/memo.ts';

export type GraphLevel = EdgeLevel | 0;
export const LEVELS = [-2, -1, 0, 1, 2] as const satisfies readonly GraphLevel[];

/** The number and total cost of boxes that do not fit. */
export interface RestBox {
  readonly count: number;
  readonly value: number;
}

export interface BoxPosition {
  /** Index in the level's list; -1 for the box of all that do not fit before or after. */
  readonly index: number;
  readonly rest?: RestBox;
  readonly x: number;
  readonly width: number;
}

const GAP = 1;
/** Minimum width of a box with a name. */
export const minBoxWidth = (width: number) => Math.min(width, width < 60 ? 12 : width < 120 ? 15 : 20);
/** Width of a box with `+12 more`. */
const restBoxWidth = (width: number) => (width < 60 ? 10 : width < 120 ? 12 : 18);

/** Costs as weights for widths. An infinite change, from zero to something, counts as much as the largest finite one. */
const boxWeights = memo((list: readonly Neighbour[]): Float64Array => {
  const known = list.reduce((most, { value }) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0);
  return Float64Array.from(list, ({ value }) => (Number.isFinite(value) ? Math.abs(value) : known || 1));
}, 8);

/** Prefix sums of the values. */
const prefixSums = memo((list: readonly Neighbour[]): Float64Array => {
  const sums = new Float64Array(list.length + 1);
  for (let i = 0; i < list.length; i++) sums[i + 1] = sums[i] + list[i].value;
  return sums;
}, 8);

/** The boxes of a level to show, including the chosen one; a name fits in each. `wide`: boxes that are wide enough by cost. */
function pageOf(
  count: number,
  chosen: number,
  width: number,
  restWidth: number,
  wide: number,
): { readonly from: number; readonly to: number } {
  const least = minBoxWidth(width);
  const fits = (availableWidth: number) => Math.max(1, Math.floor((availableWidth + GAP) / (least + GAP)));
  if (count <= fits(width)) return { from: 0, to: count };
  // The first page has a rest only on the right. Boxes widened beyond their cost get a third of the width.
  const first = Math.min(fits(width - restWidth - GAP), wide === 0 ? count : wide + fits(Math.floor(width / 3)));
  if (chosen < first) return { from: 0, to: first };
  const others = fits(width - 2 * (restWidth + GAP));
  const from = first + Math.floor((chosen - first) / others) * others;
  return { from, to: Math.min(count, from + others) };
}

/**
 * Widths by weight in `room` cells, none below `least`. `whole` is what all of the room stands for: what the weights leave of it stays
 * blank.
 */
function widthsOf(weights: readonly number[], whole: number, least: number, totalWidth: number): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  // The blank space is one more weight, without a minimum width.
  const all = [...weights, Math.max(0, whole - sum)];
  const fixed = all.map(() => false);
  for (;;) {
    const free = totalWidth - fixed.filter(Boolean).length * least;
    const left = all.reduce((n, w, i) => n + (fixed[i] ? 0 : w), 0);
    const share = (i: number) => (left === 0 ? 0 : (free * all[i]) / left);
    const narrow = weights.findIndex((_, i) => !fixed[i] && share(i) < least);
    if (narrow < 0) return weights.map((_, i) => (fixed[i] ? least : Math.floor(share(i))));
    fixed[narrow] = true;
  }
}

/** The boxes of a level from left to right. `whole`: the cost that the full width stands for. */
export function placeBoxes(list: readonly Neighbour[], chosen: number, whole: number, width: number): BoxPosition[] {
  const least = minBoxWidth(width);
  const fullRestWidth = restBoxWidth(width);
  // Without enough width for both, only the box is shown, not the rest.
  const restWidth = width < least + 2 * (fullRestWidth + GAP) ? 0 : fullRestWidth;
  const all = boxWeights(list);
  // The costliest come first.
  const narrow = all.subarray(0, width).findIndex((weight) => weight * width < least * whole);
  const { from, to } = pageOf(list.length, chosen, width, restWidth === 0 ? -GAP : restWidth, narrow < 0 ? all.length : narrow);
  const weights = all.subarray(from, to);
  const sums = prefixSums(list);
  const rests = [
    { count: from, value: sums[from] },
    { count: list.length - to, value: sums[list.length] - sums[to] },
  ].map((rest) => (rest.count > 0 && restWidth > 0 ? rest : undefined));
  const boxesWidth = width - rests.filter(Boolean).length * (restWidth + GAP) - (to - from - 1) * GAP;
  // Later boxes are in the rest box. The space of earlier ones stays blank: cheaper boxes must not be wider than costlier ones.
  const after = all.subarray(to).reduce((sum, weight) => sum + weight, 0);
  const widths = widthsOf([...weights], whole - after, least, boxesWidth);
  const out: BoxPosition[] = [];
  let x = 0;
  const add = (box: Omit<BoxPosition, 'x'>) => {
    out.push({ ...box, x });
    x += box.width + GAP;
  };
  if (rests[0]) add({ index: -1, rest: rests[0], width: restWidth });
  widths.forEach((w, i) => {
    add({ index: from + i, width: Math.min(w, width) });
  });
  if (rests[1]) add({ index: -1, rest: rests[1], width: restWidth });
  return out;
}

/** How the levels share the height. */
export interface Plan {
  /** Boxes have complete frames, not only walls. */
  readonly framed: boolean;
  /** A row for connecting lines lies between inner and outer levels. */
  readonly buses: boolean;
  /** Lines of text by level; other levels are hidden. */
  readonly lines: ReadonlyMap<GraphLevel, number>;
}

const PLAN_FORMS = [
  { framed: true, buses: true },
  { framed: false, buses: true },
  { framed: false, buses: false },
] as const;
const MOST_LINES = 3;
/** The order in which levels get further lines. */
const GROWTH_ORDER: readonly (readonly GraphLevel[])[] = [[0], [-1, 1], [-2, 2]];

export function heightInRows({ framed, buses, lines }: Plan): number {
  let rows = 0;
  for (const [level, n] of lines) rows += n + (framed ? 2 : 0) + (buses && Math.abs(level) === 2 ? 1 : 0);
  return rows;
}

/** The plan with the most detail that fits the height. `levels`: levels with boxes. The level of `cursor` is always shown. */
export function planFor(height: number, levels: readonly GraphLevel[], cursor: GraphLevel): Plan {
  const all = (lines: number) => new Map(levels.map((level) => [level, lines]));
  for (const form of PLAN_FORMS) {
    let plan: Plan = { ...form, lines: all(1) };
    if (heightInRows(plan) > height) continue;
    for (let most = 2; most <= MOST_LINES; most++)
      for (const growing of GROWTH_ORDER) {
        const more = growing.filter((level) => plan.lines.has(level));
        const next: Plan = { ...plan, lines: new Map([...plan.lines, ...more.map((level) => [level, most] as const)]) };
        if (heightInRows(next) <= height) plan = next;
      }
    return plan;
  }
  // One row per level: as many levels around the focus as fit, including the cursor's.
  const at = (level: GraphLevel) => levels.indexOf(level);
  const start = Math.max(0, at(0) - (height >> 1));
  const from = Math.min(Math.max(start, at(cursor) - height + 1), at(cursor), Math.max(0, levels.length - height));
  return { framed: false, buses: false, lines: new Map(levels.slice(from, from + height).map((level) => [level, 1])) };
}
