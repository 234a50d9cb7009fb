// The state of the Graph view: the selected box of each level, and the cursor.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import {
  costliestRoutine,
  type Neighbour,
  type NeighbourSide,
  neighboursOf,
  routinesWithinTwoCalls,
} from '../../analysis/answers/neighbours.ts';
import { transformTexts } from '../../analysis/profiles/transforms/applied.ts';
import type { Matcher } from '../../base/match.ts';
import { memo } from '../../base/memo.ts';
import type { IncrementalFilter } from '../../base/sifting.ts';
import type { Event } from '../../model/head.ts';
import type { GraphCentre } from '../../pictures/graph-boxes.ts';
import type { CallGraphPicture } from '../../pictures/graph-drawing.ts';
import { GRAPH_LEVELS, type GraphLevel } from '../../pictures/graph-layout.ts';
import { filterOfRoutines } from '../routine-rows.ts';
import type { ViewContext } from '../view.ts';

export interface GraphState {
  readonly level: GraphLevel;
  /** The selected box of each level: callers of callers, callers, callees, callees of callees. */
  readonly chosen: readonly [farther: number, caller: number, callee: number, farther: number];
  /** The row of the cursor, where each box counts as a row, from the top left. */
  readonly row: number;
  /** The focus for which the cursor was placed. If the focus changes, the cursor is placed again. */
  readonly placedFocus: string;
}

export type GraphAction =
  | { readonly type: 'enter' | 'to-focus' | 'first' | 'last' }
  | { readonly type: 'beside' | 'level'; readonly by: 1 | -1 };

export const CURSOR_AT_FOCUS: GraphState = { level: 0, chosen: [0, 0, 0, 0], row: 0, placedFocus: '' };

const OUTER_LEVELS: readonly GraphLevel[] = [-2, -1, 1, 2];
const outerLevelIndex = (level: GraphLevel) => OUTER_LEVELS.indexOf(level);
const chosenBoxIndex = ({ chosen }: GraphState, level: GraphLevel) => (level === 0 ? 0 : chosen[outerLevelIndex(level)]);

/** The routine in focus or its cycle; if there is no focus, the costliest routine. */
export function graphCentre(c: ViewContext): GraphCentre {
  if (c.focus < 0) return { routine: costliestRoutine(c.analysis, c.event), cycle: 0 };
  return { routine: c.focus, cycle: c.wholeCycle ? c.analysis.totals.cycles.of[c.focus] : 0 };
}

const routineFilterOf = memo((analysis: Analysis, event: Event, matcher: Matcher, routine: number, cycle: number) =>
  filterOfRoutines(analysis, event, matcher, routinesWithinTwoCalls(analysis, routine, cycle)),
);

/** The filter of all routines at most two calls away, run for the time budget of a key; undefined without a filter. */
export function runRoutineFilter(c: ViewContext): IncrementalFilter<number> | undefined {
  const { routine, cycle } = graphCentre(c);
  if (!c.matcher || routine < 0) return undefined;
  return routineFilterOf(c.analysis, c.event, c.matcher, routine, cycle).runOnce(c.timeBudgetMs);
}

const keptRoutinesOf = memo(
  (found: IncrementalFilter<number>, _version: number): ReadonlySet<number> => new Set(found.passingRows()),
);
const keptNeighbours = memo(
  (list: readonly Neighbour[], kept: ReadonlySet<number>) => list.filter(({ routine }) => kept.has(routine)),
  8,
);

type NeighboursByLevel = ReadonlyMap<GraphLevel, readonly Neighbour[]>;

/** The boxes of each level that pass the filter. */
function neighboursByLevel({ chosen }: Pick<GraphState, 'chosen'>, c: ViewContext): NeighboursByLevel {
  const { routine, cycle } = graphCentre(c);
  const found = runRoutineFilter(c);
  const kept = found && keptRoutinesOf(found, found.version);
  const listOf = (of: number, whole: number, way: NeighbourSide) => {
    const list = neighboursOf(c.analysis, c.event, of, whole, way);
    return kept ? keptNeighbours(list, kept) : list;
  };
  const sides = (['callers', 'callees'] as const).map((way, side) => {
    const near = listOf(routine, cycle, way);
    return { near, far: listOf(near[Math.min(chosen[1 + side], near.length - 1)]?.routine ?? -1, 0, way) };
  });
  return new Map<GraphLevel, readonly Neighbour[]>([
    [-2, sides[0].far],
    [-1, sides[0].near],
    [1, sides[1].near],
    [2, sides[1].far],
  ]);
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
    lists: neighboursByLevel(state, c),
    chosen: new Map(OUTER_LEVELS.map((level) => [level, chosenBoxIndex(state, level)])),
    cursor: state.level,
    none: { callers: noNeighboursText('callers', c), callees: noNeighboursText('callees', c) },
  };
}

const boxCount = (lists: NeighboursByLevel, level: GraphLevel, c: ViewContext): number =>
  level === 0 ? (graphCentre(c).routine < 0 ? 0 : 1) : (lists.get(level)?.length ?? 0);

const boxesAbove = (lists: NeighboursByLevel, level: number, c: ViewContext): number =>
  GRAPH_LEVELS.reduce<number>((boxes, at) => boxes + (at < level ? boxCount(lists, at, c) : 0), 0);

/** The box of a row; undefined if there is no such row. */
function boxInRow(lists: NeighboursByLevel, row: number, c: ViewContext) {
  const level = row < 0 ? undefined : GRAPH_LEVELS.find((at) => row < boxesAbove(lists, at + 1, c));
  return level === undefined ? undefined : { level, index: row - boxesAbove(lists, level, c) };
}

export const rowCount = (state: GraphState, c: ViewContext): number =>
  boxesAbove(neighboursByLevel(state, c), Number.POSITIVE_INFINITY, c);

/** The routine or cycle of a row, with its edges unless it is the focus. */
export function itemInRow(state: GraphState, row: number, c: ViewContext) {
  const lists = neighboursByLevel(state, c);
  const box = boxInRow(lists, row, c);
  if (!box) return undefined;
  const neighbour = lists.get(box.level)?.[box.index];
  return { level: box.level, routine: neighbour?.routine ?? graphCentre(c).routine, neighbour };
}

/** Replaces selected boxes and a cursor that do not exist any more. */
export function keepInBounds(state: GraphState, c: ViewContext): GraphState {
  const { routine, cycle } = graphCentre(c);
  const placed = `${routine} ${cycle}`;
  const from = state.placedFocus === placed ? state : CURSOR_AT_FOCUS;
  const lists = neighboursByLevel(from, c);
  const clamp = (level: GraphLevel) => Math.max(0, Math.min(chosenBoxIndex(from, level), boxCount(lists, level, c) - 1));
  const chosen = [clamp(-2), clamp(-1), clamp(1), clamp(2)] as const;
  // If no box of the level passes the filter, the cursor moves towards the focus.
  const towards: readonly GraphLevel[] = from.level < 0 ? [from.level, -1, 0] : [from.level, 1, 0];
  const level = towards.find((at) => Math.abs(at) <= Math.abs(from.level) && boxCount(lists, at, c) > 0) ?? 0;
  const row = boxesAbove(lists, level, c) + (level === 0 ? 0 : chosen[outerLevelIndex(level)]);
  const same =
    state.placedFocus === placed && level === state.level && row === state.row && chosen.every((at, i) => at === state.chosen[i]);
  return same ? state : { level, chosen, row, placedFocus: placed };
}

/** Selects a box of a level, and puts the cursor on it. */
function chooseBox(state: GraphState, level: GraphLevel, index: number, c: ViewContext): GraphState {
  const [callersFar, caller, callee, calleesFar] = state.chosen;
  // Selecting another inner box changes the outer level, which then selects its costliest box.
  const chosen = [
    level === -2 ? index : level === -1 && index !== caller ? 0 : callersFar,
    level === -1 ? index : caller,
    level === 1 ? index : callee,
    level === 2 ? index : level === 1 && index !== callee ? 0 : calleesFar,
  ] as const;
  return keepInBounds({ ...state, level, chosen }, c);
}

export function moveToRow(state: GraphState, row: number, c: ViewContext): GraphState {
  const box = boxInRow(neighboursByLevel(state, c), row, c);
  return box ? chooseBox(state, box.level, box.index, c) : state;
}

export function applyAction(state: GraphState, action: GraphAction, c: ViewContext): GraphState {
  const { level } = state;
  const boxes = boxCount(neighboursByLevel(state, c), level, c);
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
    case 'level': {
      const next = GRAPH_LEVELS[GRAPH_LEVELS.indexOf(level) + action.by];
      const isThere = next !== undefined && boxCount(neighboursByLevel(state, c), next, c) > 0;
      return isThere ? chooseBox(state, next, chosenBoxIndex(state, next), c) : state;
    }
  }
}
