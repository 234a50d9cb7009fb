// One routine between its callers, which are drawn above it, and its callees: two trees that share the routine's box.
import { parentNodeOf } from '../../analysis/answers/flame/layout.ts';
import { visible } from '../../base/text.ts';
import { titleName } from '../../columns/names.ts';
import { widthEvent } from '../../pictures/flame.ts';
import { treeOf } from '../tree/places.ts';
import type { ViewContext } from '../view.ts';
import { boxOfRoutine, currentLayout, type FlameState, moveToTree, NO_PLACE, otherSide, putCursorOn } from './state.ts';

/** Shows a routine between its callers and its callees, with the cursor on it, or the complete tree again. */
export function toggleSandwich(state: FlameState, routine: number, c: ViewContext): FlameState {
  if (state.sandwich) return state.sandwich.whole;
  if (routine < 0) return state;
  const [tree, above] = [false, true].map((inverted) => treeOf(c.analysis, inverted, widthEvent(c), routine));
  const sandwich = { routine, other: { tree: above, zooms: [] }, whole: state };
  const place = { ...NO_PLACE, cursor: tree.roots[0] ?? -1, top: -Math.floor(c.height / 2) };
  return { ...state, ...place, tree, sandwich };
}

/** The state after a move across the routine: up from it to its costliest caller, or down to it; undefined for other moves. */
export function crossRoutine(state: FlameState, way: 'up' | 'down', c: ViewContext): FlameState | undefined {
  const { tree, cursor } = state;
  const side = otherSide(state);
  const parent = parentNodeOf(tree, cursor);
  if (!side || tree.inverted !== (way === 'down')) return undefined;
  // From callers, the move down from one next to the routine; from callees, the move up from the routine.
  if (tree.inverted ? !tree.roots.includes(parent) : parent >= 0) return undefined;
  if (way === 'down') return putCursorOn(side, side.tree.roots[0]);
  const layout = currentLayout(side, c);
  layout.run(2, Number.POSITIVE_INFINITY);
  const caller = layout.rows[1]?.[0];
  return caller && putCursorOn(side, caller.node);
}

/** The state with the cursor on the widest box of a routine, on either side, or in the complete tree. */
export function sideWithRoutine(state: FlameState, routine: number, c: ViewContext): FlameState | undefined {
  const { sandwich } = state;
  const sides = [state, otherSide(state), sandwich && moveToTree(sandwich.whole, c)];
  for (const side of sides) {
    const box = side && boxOfRoutine(side, routine, c);
    if (box) return putCursorOn(side, box.node);
  }
  return undefined;
}

export const sandwichTitle = (routine: number, c: ViewContext, width: number): string =>
  `${visible(titleName(c, routine, Math.max(14, width - 21)))}: callers and callees`;
