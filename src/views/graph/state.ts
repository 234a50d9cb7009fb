// Where the cursor of Graph is: which box of each level is chosen, and how keys walk among them.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { costliestRoutine, type Neighbour, neighboursOf, reachedFrom, type Way } from '../../analysis/answers/neighbours.ts';
import { routineName } from '../../analysis/names/names.ts';
import { appliedTo } from '../../analysis/profiles/transforms/applied.ts';
import type { Matcher } from '../../base/match.ts';
import { memo } from '../../base/memo.ts';
import { type Sifting, siftingFor } from '../../base/sifting.ts';
import type { Centre } from '../../pictures/graph-boxes.ts';
import type { Graph } from '../../pictures/graph-drawing.ts';
import { LEVELS, type Level } from '../../pictures/graph-layout.ts';
import type { ViewContext } from '../view.ts';

export interface GraphState {
  /** The level of the cursor. */
  readonly level: Level;
  /** The chosen box of each level: callers of callers, callers, callees, callees of callees. */
  readonly chosen: readonly [farther: number, caller: number, callee: number, farther: number];
  /** The cursor's row: boxes are counted from the top left. */
  readonly row: number;
  /** The focus that the cursor was placed for; it is placed again when that changes. */
  readonly placed: string;
}

export type GraphAction =
  | { readonly type: 'enter' | 'to-focus' | 'first' | 'last' }
  | { readonly type: 'beside' | 'level'; readonly by: 1 | -1 };

export const AT_FOCUS: GraphState = { level: 0, chosen: [0, 0, 0, 0], row: 0, placed: '' };

const OUTER: readonly Level[] = [-2, -1, 1, 2];
const slotOf = (level: Level) => OUTER.indexOf(level);
const chosenAt = ({ chosen }: GraphState, level: Level) => (level === 0 ? 0 : chosen[slotOf(level)]);

/** The routine in focus, or its cycle; without a focus the costliest routine. */
export function centreOf(c: ViewContext): Centre {
  if (c.focus < 0) return { routine: costliestRoutine(c.analysis, c.event), cycle: 0 };
  return { routine: c.focus, cycle: c.wholeCycle ? c.analysis.totals.cycles.of[c.focus] : 0 };
}

const siftingOf = memo((analysis: Analysis, matcher: Matcher, routine: number, cycle: number) =>
  siftingFor(matcher, reachedFrom(analysis, routine, cycle), (r) => [routineName(analysis.profile, r)]),
);

/** The filter's progress over all routines that are at most two calls away. */
export function sifting(c: ViewContext): Sifting<number> | undefined {
  const { routine, cycle } = centreOf(c);
  return c.matcher && routine >= 0 ? siftingOf(c.analysis, c.matcher, routine, cycle).begun(c.patienceMs) : undefined;
}

const keptOf = memo((found: Sifting<number>, _version: number): ReadonlySet<number> => new Set(found.kept()));
const keptIn = memo(
  (list: readonly Neighbour[], kept: ReadonlySet<number>) => list.filter(({ routine }) => kept.has(routine)),
  8,
);

type Lists = ReadonlyMap<Level, readonly Neighbour[]>;

/** The boxes of all levels, as the filter leaves them. */
function listsIn({ chosen }: Pick<GraphState, 'chosen'>, c: ViewContext): Lists {
  const { routine, cycle } = centreOf(c);
  const found = sifting(c);
  const kept = found && keptOf(found, found.version);
  const listOf = (of: number, whole: number, way: Way) => {
    const list = neighboursOf(c.analysis, c.event, of, whole, way);
    return kept ? keptIn(list, kept) : list;
  };
  const sides = (['callers', 'callees'] as const).map((way, side) => {
    const near = listOf(routine, cycle, way);
    return { near, far: listOf(near[Math.min(chosen[1 + side], near.length - 1)]?.routine ?? -1, 0, way) };
  });
  return new Map<Level, readonly Neighbour[]>([
    [-2, sides[0].far],
    [-1, sides[0].near],
    [1, sides[1].near],
    [2, sides[1].far],
  ]);
}

export function graphOf(state: GraphState, c: ViewContext): Graph {
  const isCut = appliedTo(c.analysis.profile).length > 0;
  const none = (what: string, why: string) => {
    if (c.filter) return `no ${what} that match ${c.filter}`;
    return isCut ? `no ${what} are left` : `no ${what}${why}`;
  };
  return {
    centre: centreOf(c),
    lists: listsIn(state, c),
    chosen: new Map(OUTER.map((level) => [level, chosenAt(state, level)])),
    cursor: state.level,
    none: {
      callers: none('callers', ': the start of a thread, or called from unrecorded code'),
      callees: none('callees', ''),
    },
  };
}

const boxesAt = (lists: Lists, level: Level, c: ViewContext): number =>
  level === 0 ? (centreOf(c).routine < 0 ? 0 : 1) : (lists.get(level)?.length ?? 0);

/** The box of a row; undefined if there is no such row. */
function boxOf(lists: Lists, row: number, c: ViewContext): { readonly level: Level; readonly index: number } | undefined {
  let before = 0;
  for (const level of LEVELS) {
    const boxes = boxesAt(lists, level, c);
    if (row >= before && row < before + boxes) return { level, index: row - before };
    before += boxes;
  }
  return undefined;
}

export function rowCount(state: GraphState, c: ViewContext): number {
  const lists = listsIn(state, c);
  return LEVELS.reduce<number>((rows, level) => rows + boxesAt(lists, level, c), 0);
}

/** The routine or cycle in a row, with its edges unless it is in focus. */
export function itemAt(
  state: GraphState,
  row: number,
  c: ViewContext,
): { readonly level: Level; readonly routine: number; readonly neighbour?: Neighbour } | undefined {
  const lists = listsIn(state, c);
  const box = boxOf(lists, row, c);
  if (!box) return undefined;
  const neighbour = lists.get(box.level)?.[box.index];
  return neighbour ? { level: box.level, routine: neighbour.routine, neighbour } : { level: 0, routine: centreOf(c).routine };
}

/** The state with every chosen box among those that there are, and the cursor on one of them. */
export function settled(state: GraphState, c: ViewContext): GraphState {
  const { routine, cycle } = centreOf(c);
  const placed = `${routine} ${cycle}`;
  const from = state.placed === placed ? state : AT_FOCUS;
  const lists = listsIn(from, c);
  const within = (level: Level) => Math.max(0, Math.min(chosenAt(from, level), boxesAt(lists, level, c) - 1));
  const chosen = [within(-2), within(-1), within(1), within(2)] as const;
  // A level that the filter emptied leaves its cursor to the one before it.
  const towards: readonly Level[] = from.level < 0 ? [from.level, -1, 0] : [from.level, 1, 0];
  const level = towards.find((at) => Math.abs(at) <= Math.abs(from.level) && boxesAt(lists, at, c) > 0) ?? 0;
  const above = LEVELS.reduce<number>((rows, at) => rows + (at < level ? boxesAt(lists, at, c) : 0), 0);
  const row = above + (level === 0 ? 0 : chosen[slotOf(level)]);
  const same =
    state.placed === placed && level === state.level && row === state.row && chosen.every((at, i) => at === state.chosen[i]);
  return same ? state : { level, chosen, row, placed };
}

/** The state with another box of a level chosen, and the cursor on it. */
function choose(state: GraphState, level: Level, index: number, c: ViewContext): GraphState {
  const [callersFar, caller, callee, calleesFar] = state.chosen;
  // The callers or callees of another box begin with their costliest.
  const chosen: GraphState['chosen'] =
    level === -2
      ? [index, caller, callee, calleesFar]
      : level === -1
        ? [index === caller ? callersFar : 0, index, callee, calleesFar]
        : level === 1
          ? [callersFar, caller, index, index === callee ? calleesFar : 0]
          : level === 2
            ? [callersFar, caller, callee, index]
            : state.chosen;
  return settled({ ...state, level, chosen }, c);
}

export function moveToRow(state: GraphState, row: number, c: ViewContext): GraphState {
  const box = boxOf(listsIn(state, c), row, c);
  return box ? choose(state, box.level, box.index, c) : state;
}

export function change(state: GraphState, action: GraphAction, c: ViewContext): GraphState {
  const { level } = state;
  const boxes = boxesAt(listsIn(state, c), level, c);
  switch (action.type) {
    case 'enter':
      return state;
    case 'to-focus':
      return choose(state, 0, 0, c);
    case 'first':
      return choose(state, level, 0, c);
    case 'last':
      return choose(state, level, Math.max(0, boxes - 1), c);
    case 'beside':
      return choose(state, level, Math.max(0, Math.min(boxes - 1, chosenAt(state, level) + action.by)), c);
    case 'level': {
      const next = LEVELS[LEVELS.indexOf(level) + action.by];
      const isThere = next !== undefined && boxesAt(listsIn(state, c), next, c) > 0;
      return isThere ? choose(state, next, chosenAt(state, next), c) : state;
    }
  }
}
