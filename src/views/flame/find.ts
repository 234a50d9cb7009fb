// The search of the Flame view: what matches on the screen, in its order; and if nothing does, the costliest place of the tree.
import { type Analysis, wholeOf } from '../../analysis/answers/analysis.ts';
import type { Box } from '../../analysis/answers/flame/layout.ts';
import type { Tree } from '../../analysis/answers/tree.ts';
import { TreeSearch } from '../../analysis/answers/tree-search.ts';
import { searchNames } from '../../analysis/names/name-search.ts';
import type { Search } from '../../base/match.ts';
import { memo } from '../../base/memo.ts';
import { formatPercent, plural } from '../../base/units.ts';
import { eventValue } from '../../model/event-value.ts';
import type { Event } from '../../model/head.ts';
import { widthEvent } from '../../pictures/flame.ts';
import type { Found, ViewContext } from '../view.ts';
import { type FlameState, filterIn, goTo, layoutIn, reveal } from './state.ts';

const namesOf = memo((analysis: Analysis, search: Search) => searchNames(analysis.profile, search));

/** 1 for the routines that a search finds, of those that the filter keeps. */
const wantedOf = memo((names: Uint8Array, filter: Uint8Array | undefined, _version: number) =>
  filter ? names.map((one, r) => one & filter[r]) : names,
);

const placesOf = memo(
  (analysis: Analysis, event: Event, tree: Tree, wanted: Uint8Array) => new TreeSearch(tree, event, wanted, analysis.edges),
  2,
);

/** The joint cost of routines in an event, each sample or call once; undefined if unknown. */
export const costOf = memo((analysis: Analysis, wanted: Uint8Array, event: Event) => {
  const groupOf = Int32Array.from(wanted, (one) => one - 1);
  const columns = event.terms.map(([, column]) => column);
  const found = analysis.costing.groups({ groupOf, groups: 1, columns });
  return found && { value: eventValue(event, found.costs, 0), estimated: found.estimated[0] === 1 };
}, 4);

/** The sum of the matches: `34.5% of the total`. */
function shareText(c: ViewContext, wanted: Uint8Array): string {
  const event = widthEvent(c);
  const cost = costOf(c.analysis, wanted, event);
  if (!cost || Number.isNaN(cost.value)) return '';
  const mark = cost.estimated ? '≈' : '';
  return `, ${mark}${formatPercent(cost.value, wholeOf(c.analysis, event))} of the total`;
}

const inOrder = (a: Box, b: Box) => a.row - b.row || a.place - b.place;

/** The next match on the screen after the cursor, or before it; round from the last to the first. */
function nextBox(matches: readonly Box[], here: Box | undefined, by: 1 | -1): { readonly box: Box; readonly wrapped: boolean } {
  const next = here && (by > 0 ? matches.find((b) => inOrder(b, here) > 0) : matches.findLast((b) => inOrder(b, here) < 0));
  const first = by > 0 ? matches[0] : matches[matches.length - 1];
  return { box: next ?? first, wrapped: here !== undefined && next === undefined };
}

export function findFrame(
  state: FlameState,
  text: string,
  search: Search,
  by: 1 | -1,
  c: ViewContext,
  ms: number,
): Found<FlameState> {
  const until = performance.now() + ms;
  const names = namesOf(c.analysis, search);
  const filter = filterIn(c);
  if (!names.run(ms) || filter?.done === false) return { state, more: true };
  const wanted = wantedOf(names.now(), filter?.hit, filter?.version ?? 0);
  const layout = layoutIn(state, c);
  if (!layout.run(state.top + c.height, until - performance.now())) return { state, more: true };
  const matches = layout.rows.flatMap((row) => row.filter((b) => b.node >= 0 && wanted[state.tree.nodes[b.node].routine] === 1));
  if (matches.length > 0) {
    const { box, wrapped } = nextBox(matches, layout.boxOf.get(state.cursor), by);
    const many = matches.length === 1 ? '1 frame matches' : `${plural(matches.length, 'frame')} match`;
    const round = !wrapped ? '' : matches.length === 1 ? ', the only one' : ', search wrapped around';
    return { state: goTo(state, box.node), say: `${many}${shareText(c, wanted)}${round}` };
  }
  const places = placesOf(c.analysis, widthEvent(c), state.tree, wanted);
  places.run(until - performance.now(), 1);
  const [place] = places.found;
  if (place === undefined && !places.done) return { state, more: true };
  if (place === undefined) {
    const far = places.cut ? ` among the ${plural(places.seen, 'costliest node')}` : '';
    return { state, say: `nothing in the tree${far} matches ${text}`, wrong: true };
  }
  const there = reveal(state, place, c);
  const zoomed = there.zooms === state.zooms ? '' : ', in a frame that was too narrow to show';
  return { state: there, say: `found${shareText(c, wanted)}${zoomed}` };
}
