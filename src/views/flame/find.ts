// The search of the Flame view: in the visible frames by position, else the costliest match in the complete tree.

import { costOfRoutineSet } from '../../analysis/answers/analysis.ts';
import type { FlameBox } from '../../analysis/answers/flame/layout.ts';
import { plural } from '../../base/units.ts';
import { frameShareText, widthEvent } from '../../pictures/flame.ts';
import { nameSearchOf, noMatchText, treeSearchOf, wantedRoutines } from '../tree/places.ts';
import type { View, ViewAction, ViewContext } from '../view.ts';
import { currentFilter, currentLayout, type FlameState, putCursorOn, revealNode } from './state.ts';

/** The text about the share of all matches: `, 34.5% of the total`. */
function matchesShareText(c: ViewContext, wanted: Uint8Array): string {
  const cost = costOfRoutineSet(c.analysis, wanted, widthEvent(c));
  if (!cost || Number.isNaN(cost.value)) return '';
  return `, ${frameShareText(c, cost.value, cost.estimated)} of the total`;
}

type FrameSearch = NonNullable<View<'flame', FlameState, ViewAction>['find']>;

const compareByPosition = (a: FlameBox, b: FlameBox) => a.row - b.row || a.index - b.index;

/** The next matching box after (`by` 1) or before (-1) the cursor, wrapping around. */
function nextMatchingBox(matches: readonly FlameBox[], here: FlameBox | undefined, by: 1 | -1) {
  const next =
    here &&
    (by > 0 ? matches.find((b) => compareByPosition(b, here) > 0) : matches.findLast((b) => compareByPosition(b, here) < 0));
  const first = by > 0 ? matches[0] : matches[matches.length - 1];
  return { box: next ?? first, wrapped: here !== undefined && next === undefined };
}

export const findFrame: FrameSearch = (state, text, search, by, c, ms) => {
  const until = performance.now() + ms;
  const names = nameSearchOf(c.analysis, search);
  const filter = currentFilter(c);
  if (!names.run(ms) || filter?.done === false) return { state, more: true };
  const wanted = wantedRoutines(names.now(), filter?.hit, filter?.version ?? 0);
  const layout = currentLayout(state, c);
  if (!layout.run(state.top + c.height, until - performance.now())) return { state, more: true };
  const matches = layout.rows.flatMap((row) => row.filter((b) => b.node >= 0 && wanted[state.tree.nodes[b.node].routine] === 1));
  if (matches.length > 0) {
    const { box, wrapped } = nextMatchingBox(matches, layout.boxOf.get(state.cursor), by);
    const many = matches.length === 1 ? '1 frame matches' : `${plural(matches.length, 'frame')} match`;
    const round = !wrapped ? '' : matches.length === 1 ? ', the only one' : ', search wrapped around';
    return { state: putCursorOn(state, box.node), say: `${many}${matchesShareText(c, wanted)}${round}` };
  }
  const treeSearch = treeSearchOf(c.analysis, widthEvent(c), state.tree, wanted);
  treeSearch.run(until - performance.now(), 1);
  const [node] = treeSearch.found;
  if (node === undefined && !treeSearch.done) return { state, more: true };
  if (node === undefined) return { state, say: noMatchText(treeSearch, text), wrong: true };
  const revealed = revealNode(state, node, c);
  const zoomed = revealed.zooms === state.zooms ? '' : ', in a frame that was too narrow to show';
  return { state: revealed, say: `found${matchesShareText(c, wanted)}${zoomed}` };
};
