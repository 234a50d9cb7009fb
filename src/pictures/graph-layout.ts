// Where the boxes of a call graph stand: which of a level have room, how wide they are by their cost, and how many lines they have.
import type { EdgeLevel, Neighbour } from '../analysis/answers/neighbours.ts';
import { memo } from '../base/memo.ts';

export type Level = EdgeLevel | 0;
export const LEVELS = [-2, -1, 0, 1, 2] as const satisfies readonly Level[];

/** Boxes of a level that have no room, summed. */
export interface Rest {
  readonly count: number;
  readonly value: number;
}

export interface BoxPlace {
  /** Place in the level's list; -1 for the sum of those before or after. */
  readonly index: number;
  readonly rest?: Rest;
  readonly x: number;
  readonly width: number;
}

const GAP = 1;
/** Walls and a name. */
export const leastWidth = (width: number) => Math.min(width, width < 60 ? 12 : width < 120 ? 15 : 20);
/** Walls and `+12 more`. */
const restWidthOf = (width: number) => (width < 60 ? 10 : width < 120 ? 12 : 18);

/** A cost as a width: from nothing to something is more than any share, and counts as much as the greatest there is. */
const weightsOf = memo((list: readonly Neighbour[]): Float64Array => {
  const known = list.reduce((most, { value }) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0);
  return Float64Array.from(list, ({ value }) => (Number.isFinite(value) ? Math.abs(value) : known || 1));
}, 8);

/** Sums of the values before each place. */
const sumsOf = memo((list: readonly Neighbour[]): Float64Array => {
  const sums = new Float64Array(list.length + 1);
  for (let i = 0; i < list.length; i++) sums[i + 1] = sums[i] + list[i].value;
  return sums;
}, 8);

/** The page of a level that has the chosen box: all its boxes are wide enough for a name. `wide`: how many are so by their cost. */
function pageOf(
  count: number,
  chosen: number,
  width: number,
  restWidth: number,
  wide: number,
): { readonly from: number; readonly to: number } {
  const least = leastWidth(width);
  const fits = (room: number) => Math.max(1, Math.floor((room + GAP) / (least + GAP)));
  if (count <= fits(width)) return { from: 0, to: count };
  // The first page has a rest on the right alone. Boxes that are wider than their cost have a third of it.
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
function widthsOf(weights: readonly number[], whole: number, least: number, room: number): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  // The blank is one more weight, which may be of any width.
  const all = [...weights, Math.max(0, whole - sum)];
  const fixed = all.map(() => false);
  for (;;) {
    const free = room - fixed.filter(Boolean).length * least;
    const left = all.reduce((n, w, i) => n + (fixed[i] ? 0 : w), 0);
    const share = (i: number) => (left === 0 ? 0 : (free * all[i]) / left);
    const narrow = weights.findIndex((_, i) => !fixed[i] && share(i) < least);
    if (narrow < 0) return weights.map((_, i) => (fixed[i] ? least : Math.floor(share(i))));
    fixed[narrow] = true;
  }
}

/** The boxes of a level from left to right. `whole`: the cost that the full width stands for. */
export function placeBoxes(list: readonly Neighbour[], chosen: number, whole: number, width: number): BoxPlace[] {
  const least = leastWidth(width);
  const wide = restWidthOf(width);
  // Where a rest and a box have no room side by side, only the box is there.
  const restWidth = width < least + 2 * (wide + GAP) ? 0 : wide;
  const all = weightsOf(list);
  // The costliest come first.
  const narrow = all.subarray(0, width).findIndex((weight) => weight * width < least * whole);
  const { from, to } = pageOf(list.length, chosen, width, restWidth === 0 ? -GAP : restWidth, narrow < 0 ? all.length : narrow);
  const weights = all.subarray(from, to);
  const sums = sumsOf(list);
  const rests = [
    { count: from, value: sums[from] },
    { count: list.length - to, value: sums[list.length] - sums[to] },
  ].map((rest) => (rest.count > 0 && restWidth > 0 ? rest : undefined));
  const room = width - rests.filter(Boolean).length * (restWidth + GAP) - (to - from - 1) * GAP;
  // The nodes after them have a box of their own. The room before stays blank, so that cheaper boxes are no wider than costlier ones.
  const after = all.subarray(to).reduce((sum, weight) => sum + weight, 0);
  const widths = widthsOf([...weights], whole - after, least, room);
  const out: BoxPlace[] = [];
  let x = 0;
  const add = (box: Omit<BoxPlace, 'x'>) => {
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
  /** Boxes have frames, not walls alone. */
  readonly framed: boolean;
  /** Between the outer levels and the inner ones there is a row for lines. */
  readonly buses: boolean;
  /** Lines of text by level; levels without one are not shown. */
  readonly lines: ReadonlyMap<Level, number>;
}

const FORMS = [
  { framed: true, buses: true },
  { framed: false, buses: true },
  { framed: false, buses: false },
] as const;
const MOST_LINES = 3;
/** Which levels get a further line first. */
const GROWING: readonly (readonly Level[])[] = [[0], [-1, 1], [-2, 2]];

export function rowsOf({ framed, buses, lines }: Plan): number {
  let rows = 0;
  for (const [level, n] of lines) rows += n + (framed ? 2 : 0) + (buses && Math.abs(level) === 2 ? 1 : 0);
  return rows;
}

/** The fullest plan for a height. `levels`: those that have something to show. `cursor` is always among those shown. */
export function planFor(height: number, levels: readonly Level[], cursor: Level): Plan {
  const all = (lines: number) => new Map(levels.map((level) => [level, lines]));
  for (const form of FORMS) {
    let plan: Plan = { ...form, lines: all(1) };
    if (rowsOf(plan) > height) continue;
    for (let most = 2; most <= MOST_LINES; most++)
      for (const growing of GROWING) {
        const more = growing.filter((level) => plan.lines.has(level));
        const next: Plan = { ...plan, lines: new Map([...plan.lines, ...more.map((level) => [level, most] as const)]) };
        if (rowsOf(next) <= height) plan = next;
      }
    return plan;
  }
  // As many levels as there are rows, around the focus, with that of the cursor.
  const at = (level: Level) => levels.indexOf(level);
  const start = Math.max(0, at(0) - (height >> 1));
  const from = Math.min(Math.max(start, at(cursor) - height + 1), at(cursor), Math.max(0, levels.length - height));
  return { framed: false, buses: false, lines: new Map(levels.slice(from, from + height).map((level) => [level, 1])) };
}
