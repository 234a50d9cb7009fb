// The layout of a call graph: the boxes of each level that fit, their widths by cost, and their numbers of lines.
import type { Neighbour } from '../analysis/answers/neighbours.ts';
import { memo } from '../base/lists.ts';

/** How many calls a row of boxes is away from the focus, 0; callers are negative. */
export type GraphLevel = number;

/** More levels each way have no room on any screen. */
export const MAX_DEPTH = 9;
/** Rows of a graph whose levels have all their lines: five rows each, and one between two outer levels. */
export const fullGraphRows = (depth: number) => 12 * depth + 3;

/** All levels of a graph with so many levels of callers and of callees, from the top. */
export const levelsOf = (depth: number): GraphLevel[] => Array.from({ length: 2 * depth + 1 }, (_, k) => k - depth);

/** The boxes that do not fit: their number and total cost. */
export type RestBox = Readonly<Record<'count' | 'value', number>>;

export interface BoxPosition {
  /** The index of the box in its level; -1 for the rest box of all boxes that do not fit. */
  readonly index: number;
  readonly rest?: RestBox;
  readonly x: number;
  readonly width: number;
}

const BOX_GAP = 1;
const minBoxWidth = (width: number) => Math.min(width, width < 60 ? 12 : width < 120 ? 15 : 20);

/** Weights for the widths of boxes, by cost. An infinite relative change counts as much as the largest finite one. */
const boxWeights = memo((list: readonly Neighbour[]): Float64Array => {
  const known = list.reduce((most, { value }) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0);
  return Float64Array.from(list, ({ value }) => (Number.isFinite(value) ? Math.abs(value) : known || 1));
}, 8);

const prefixSums = memo((list: readonly Neighbour[]): Float64Array => {
  const sums = new Float64Array(list.length + 1);
  for (let i = 0; i < list.length; i++) sums[i + 1] = sums[i] + list[i].value;
  return sums;
}, 8);

/** The boxes of a level that are shown, including the chosen one. `wide`: boxes whose cost makes them wide enough for a name. */
function boxesOnPage(count: number, chosen: number, width: number, restWidth: number, wide: number) {
  const least = minBoxWidth(width);
  const fits = (availableWidth: number) => Math.max(1, Math.floor((availableWidth + BOX_GAP) / (least + BOX_GAP)));
  if (count <= fits(width)) return { from: 0, to: count };
  // The first page has a rest box only on its right. Boxes that must be widened to fit a name get a third of the width.
  const first = Math.min(fits(width - restWidth - BOX_GAP), wide === 0 ? count : wide + fits(Math.floor(width / 3)));
  if (chosen < first) return { from: 0, to: first };
  const others = fits(width - 2 * (restWidth + BOX_GAP));
  const from = first + Math.floor((chosen - first) / others) * others;
  return { from, to: Math.min(count, from + others) };
}

/**
 * Widths by weight that share `totalWidth` cells, none below `least`. `whole`: the weight that all cells stand for. Cells that
 * exceed the sum of the weights stay blank.
 */
function boxWidthsByWeight(weights: readonly number[], whole: number, least: number, totalWidth: number): number[] {
  // The blank space is one more weight, without a minimum width.
  const all = [...weights, Math.max(0, whole - weights.reduce((a, b) => a + b, 0))];
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

/** Places the boxes of a level from left to right. `whole`: the cost that the full width stands for. */
export function placeBoxes(list: readonly Neighbour[], chosen: number, whole: number, width: number): BoxPosition[] {
  const least = minBoxWidth(width);
  // A rest box contains `+12 more`. A narrow level has no rest boxes.
  const fullRestWidth = width < 60 ? 10 : width < 120 ? 12 : 18;
  const restWidth = width < least + 2 * (fullRestWidth + BOX_GAP) ? 0 : fullRestWidth;
  const all = boxWeights(list);
  // Boxes are sorted by cost, so all boxes after the first narrow one are narrow.
  const narrow = all.subarray(0, width).findIndex((weight) => weight * width < least * whole);
  const wide = narrow < 0 ? all.length : narrow;
  const { from, to } = boxesOnPage(list.length, chosen, width, restWidth === 0 ? -BOX_GAP : restWidth, wide);
  const weights = all.subarray(from, to);
  const sums = prefixSums(list);
  const rests = [
    { count: from, value: sums[from] },
    { count: list.length - to, value: sums[list.length] - sums[to] },
  ].map((rest) => (rest.count > 0 && restWidth > 0 ? rest : undefined));
  const boxesWidth = width - rests.filter(Boolean).length * (restWidth + BOX_GAP) - (to - from - 1) * BOX_GAP;
  // Later boxes are in the rest box. The space of earlier ones stays blank: cheaper boxes must not be wider than costlier ones.
  const after = all.subarray(to).reduce((sum, weight) => sum + weight, 0);
  const widths = boxWidthsByWeight([...weights], whole - after, least, boxesWidth);
  const out: BoxPosition[] = [];
  let x = 0;
  const add = (box: Omit<BoxPosition, 'x'>) => {
    out.push({ ...box, x });
    x += box.width + BOX_GAP;
  };
  if (rests[0]) add({ index: -1, rest: rests[0], width: restWidth });
  for (const [i, w] of widths.entries()) add({ index: from + i, width: Math.min(w, width) });
  if (rests[1]) add({ index: -1, rest: rests[1], width: restWidth });
  return out;
}

/** The number of rows of each level, and whether levels have frames and connecting lines. */
export interface GraphPlan {
  /** Whether boxes have complete frames instead of only walls. */
  readonly framed: boolean;
  /** Whether a row for connecting lines separates inner and outer levels. */
  readonly buses: boolean;
  /** Lines of text by level; other levels are hidden. */
  readonly lines: ReadonlyMap<GraphLevel, number>;
}

const GRAPH_PLAN_FORMS = [
  { framed: true, buses: true },
  { framed: false, buses: true },
  { framed: false, buses: false },
] as const;
const MAX_BOX_LINES = 3;
function planHeight({ framed, buses, lines }: GraphPlan): number {
  let rows = 0;
  for (const [level, n] of lines) rows += n + (framed ? 2 : 0) + (buses && Math.abs(level) >= 2 ? 1 : 0);
  return rows;
}

/** The most detailed plan that fits the height. `levels`: levels that have boxes. The level of `cursor` is always shown. */
export function chooseGraphPlan(height: number, levels: readonly GraphLevel[], cursor: GraphLevel): GraphPlan {
  const all = (lines: number) => new Map(levels.map((level) => [level, lines]));
  for (const form of GRAPH_PLAN_FORMS) {
    let plan: GraphPlan = { ...form, lines: all(1) };
    if (planHeight(plan) > height) continue;
    for (let most = 2; most <= MAX_BOX_LINES; most++)
      for (let far = 0; far <= levels.length; far++) {
        // The nearest levels get a second and third line first.
        const more = levels.filter((level) => Math.abs(level) === far);
        const next: GraphPlan = { ...plan, lines: new Map([...plan.lines, ...more.map((level) => [level, most] as const)]) };
        if (planHeight(next) <= height) plan = next;
      }
    return plan;
  }
  // One row per level: as many levels around the focus as fit, including the cursor's.
  const at = (level: GraphLevel) => levels.indexOf(level);
  const start = Math.max(0, at(0) - (height >> 1));
  const from = Math.min(Math.max(start, at(cursor) - height + 1), at(cursor), Math.max(0, levels.length - height));
  return { framed: false, buses: false, lines: new Map(levels.slice(from, from + height).map((level) => [level, 1])) };
}
