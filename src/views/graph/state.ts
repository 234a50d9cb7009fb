// The state of the Graph view: the selected box of each level, and the cursor.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import {
  type ClusterKey,
  chooseNeighbours,
  costliestRoutine,
  type Neighbour,
  type NeighbourSide,
  neighboursByLevel,
  neighboursOf,
  routinesWithin,
  USUAL_DEPTH,
} from '../../analysis/answers/neighbours.ts';
import { transformTexts } from '../../analysis/profiles/transforms/applied.ts';
import { memo } from '../../base/lists.ts';
import type { Matcher } from '../../base/match.ts';
import type { Event } from '../../model/head.ts';
import type { GraphCentre } from '../../pictures/graph-boxes.ts';
import type { CallGraphPicture } from '../../pictures/graph-drawing.ts';
import { type GraphLevel, levelsOf, MAX_DEPTH } from '../../pictures/graph-layout.ts';
import { nextValue } from '../parts/options.ts';
import { filterOfRoutines } from '../routine-rows.ts';
import type { ViewContext } from '../view.ts';

export interface GraphState {
  readonly level: GraphLevel;
  /** The number of levels of callers, and of callees. */
  readonly depth: number;
  /** Whether the boxes of one file, or of one object, are framed together. */
  readonly cluster: ClusterKey | undefined;
  /** Boxes below this share of the total, in percent, are left out. */
  readonly threshold: number;
  /** The selected box of each level; the first one of a level that is absent. */
  readonly chosen: ReadonlyMap<GraphLevel, number>;
  /** The row of the cursor, where each box counts as a row, from the top left. */
  readonly row: number;
  /** The focus for which the cursor was placed. If the focus changes, the cursor is placed again. */
  readonly placedFocus: string;
}

export type GraphAction =
  | { readonly type: 'enter' | 'to-focus' | 'first' | 'last' }
  | { readonly type: 'cluster' | 'threshold'; readonly value?: string }
  | { readonly type: 'depth' | 'beside' | 'level'; readonly by: 1 | -1 };

export const CURSOR_AT_FOCUS: GraphState = {
  ...{ depth: USUAL_DEPTH, cluster: undefined, threshold: 0, level: 0, row: 0, placedFocus: '' },
  chosen: new Map(),
};

/** The cursor at the focus, in a graph of the same shape. */
const startAgain = ({ depth, cluster, threshold }: GraphState): GraphState => ({ ...CURSOR_AT_FOCUS, depth, cluster, threshold });

export const THRESHOLDS = ['0%', '1%', '5%', '10%'] as const;

const chosenBoxIndex = ({ chosen }: Pick<GraphState, 'chosen'>, level: GraphLevel) => chosen.get(level) ?? 0;

/** The routine in focus or its cycle; if there is no focus, the costliest routine. */
export function graphCentre(c: ViewContext): GraphCentre {
  if (c.focus < 0) return { routine: costliestRoutine(c.analysis, c.event), cycle: 0 };
  return { routine: c.focus, cycle: c.wholeCycle ? c.analysis.totals.cycles.of[c.focus] : 0 };
}

const routineFilterOf = memo(
  (analysis: Analysis, event: Event, matcher: Matcher, routine: number, cycle: number, depth: number) =>
    filterOfRoutines(analysis, event, matcher, routinesWithin(analysis, routine, cycle, depth)),
);

/** The filter of the routines at most `depth` calls away, run for the time budget of a key; undefined without a filter. */
export function runRoutineFilter({ routine, cycle }: GraphCentre, depth: number, c: ViewContext) {
  if (!c.matcher || routine < 0) return undefined;
  return routineFilterOf(c.analysis, c.event, c.matcher, routine, cycle, depth).runOnce(c.timeBudgetMs);
}

const keptRoutinesOf = memo((routines: readonly number[]): ReadonlySet<number> => new Set(routines));
const keptNeighbours = memo(
  (list: readonly Neighbour[], kept: ReadonlySet<number>) => list.filter(({ routine }) => kept.has(routine)),
  8,
);

type NeighboursByLevel = ReadonlyMap<GraphLevel, readonly Neighbour[]>;

/** The boxes of each level that pass the filter. */
function boxesByLevel(state: GraphState, c: ViewContext): NeighboursByLevel {
  const centre = graphCentre(c);
  const found = runRoutineFilter(centre, state.depth, c);
  const kept = found && keptRoutinesOf(found.passingRows());
  return neighboursByLevel(state.depth, state.chosen, (of, way) => {
    const list = neighboursOf(c.analysis, c.event, of ?? centre.routine, of === undefined ? centre.cycle : 0, way);
    return chooseNeighbours(kept ? keptNeighbours(list, kept) : list, c, state);
  });
}

/** The text in place of missing callers or callees. */
export function noNeighboursText(side: NeighbourSide, c: ViewContext): string {
  if (c.filter) return `no ${side} that match ${c.filter}`;
  if (transformTexts(c.analysis.profile).length > 0) return `no ${side} are left`;
  return side === 'callers' ? 'no callers: the start of a thread, or called from unrecorded code' : 'no callees';
}

export function callGraphPicture(state: GraphState, c: ViewContext): CallGraphPicture {
  return {
    centre: graphCentre(c),
    depth: state.depth,
    cluster: state.cluster,
    lists: boxesByLevel(state, c),
    chosen: state.chosen,
    cursor: state.level,
    none: { callers: noNeighboursText('callers', c), callees: noNeighboursText('callees', c) },
  };
}

/** The keys whose names the profile has. */
export const clusterChoices = ({ analysis: { profile } }: ViewContext) =>
  (['none', 'file', 'object'] as const).filter((key) => key === 'none' || profile[`${key}s`].name.length > 0);

const boxCount = (lists: NeighboursByLevel, level: GraphLevel, c: ViewContext): number =>
  level === 0 ? (graphCentre(c).routine < 0 ? 0 : 1) : (lists.get(level)?.length ?? 0);

/** The levels of the lists, which have one for each level but that of the focus. */
const levelsIn = (lists: NeighboursByLevel) => levelsOf(lists.size / 2);

const boxesAbove = (lists: NeighboursByLevel, level: number, c: ViewContext): number =>
  levelsIn(lists).reduce<number>((boxes, at) => boxes + (at < level ? boxCount(lists, at, c) : 0), 0);

/** The box of a row; undefined if there is no such row. */
function boxInRow(lists: NeighboursByLevel, row: number, c: ViewContext) {
  const level = row < 0 ? undefined : levelsIn(lists).find((at) => row < boxesAbove(lists, at + 1, c));
  return level === undefined ? undefined : { level, index: row - boxesAbove(lists, level, c) };
}

export const rowCount = (state: GraphState, c: ViewContext): number =>
  boxesAbove(boxesByLevel(state, c), Number.POSITIVE_INFINITY, c);

/** The routine or cycle of a row, with its edges unless it is the focus. */
export function itemInRow(state: GraphState, row: number, c: ViewContext) {
  const lists = boxesByLevel(state, c);
  const box = boxInRow(lists, row, c);
  if (!box) return undefined;
  const neighbour = lists.get(box.level)?.[box.index];
  return { level: box.level, routine: neighbour?.routine ?? graphCentre(c).routine, neighbour };
}

/** Replaces selected boxes and a cursor that do not exist any more. */
export function keepInBounds(state: GraphState, c: ViewContext): GraphState {
  const { routine, cycle } = graphCentre(c);
  const placed = `${routine} ${cycle}`;
  const from = state.placedFocus === placed ? state : startAgain(state);
  const lists = boxesByLevel(from, c);
  const clamp = (level: GraphLevel) => Math.max(0, Math.min(chosenBoxIndex(from, level), boxCount(lists, level, c) - 1));
  const chosen = new Map(Array.from(lists.keys(), (level) => [level, clamp(level)]));
  // If no box of the level is left, the cursor moves towards the focus.
  let { level } = from;
  while (level !== 0 && boxCount(lists, level, c) === 0) level -= Math.sign(level);
  const row = boxesAbove(lists, level, c) + (chosen.get(level) ?? 0);
  const isKept = [...chosen].every(([at, box]) => box === chosenBoxIndex(state, at));
  const same = state.placedFocus === placed && level === state.level && row === state.row && isKept;
  return same ? state : { ...from, level, chosen, row, placedFocus: placed };
}

/** Selects a box of a level, and puts the cursor on it. */
function chooseBox(state: GraphState, level: GraphLevel, index: number, c: ViewContext): GraphState {
  // Selecting another inner box changes the outer levels, which then select their costliest boxes.
  const isOuter = (at: GraphLevel) => at * level > 0 && Math.abs(at) > Math.abs(level);
  const kept = [...state.chosen].filter(([at]) => index === chosenBoxIndex(state, level) || !isOuter(at));
  return keepInBounds({ ...state, level, chosen: new Map(level === 0 ? kept : [...kept, [level, index]]) }, c);
}

export function moveToRow(state: GraphState, row: number, c: ViewContext): GraphState {
  const box = boxInRow(boxesByLevel(state, c), row, c);
  return box ? chooseBox(state, box.level, box.index, c) : state;
}

export function applyAction(state: GraphState, action: GraphAction, c: ViewContext): GraphState {
  const { level } = state;
  const boxes = boxCount(boxesByLevel(state, c), level, c);
  switch (action.type) {
    case 'enter':
      return state;
    case 'to-focus':
      return chooseBox(state, 0, 0, c);
    case 'first':
      return chooseBox(state, level, 0, c);
    case 'last':
      return chooseBox(state, level, Math.max(0, boxes - 1), c);
    case 'beside':
      return chooseBox(state, level, Math.max(0, Math.min(boxes - 1, chosenBoxIndex(state, level) + action.by)), c);
    case 'depth':
      return keepInBounds({ ...state, depth: Math.max(1, Math.min(MAX_DEPTH, state.depth + action.by)) }, c);
    case 'cluster': {
      const value = nextValue(clusterChoices(c), state.cluster ?? 'none', action.value);
      return keepInBounds({ ...startAgain(state), cluster: value === 'none' ? undefined : value }, c);
    }
    case 'threshold': {
      const value = nextValue(THRESHOLDS, `${state.threshold}%`, action.value);
      return keepInBounds({ ...startAgain(state), threshold: Number.parseFloat(value) }, c);
    }
    case 'level': {
      const next = level + action.by;
      const isThere = boxCount(boxesByLevel(state, c), next, c) > 0;
      return isThere ? chooseBox(state, next, chosenBoxIndex(state, next), c) : state;
    }
  }
}
