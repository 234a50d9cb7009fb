// Finding places in a tree of which only a part is unfolded: for the search, and for the filter.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { openTree, type Tree } from '../../analysis/answers/tree.ts';
import { TreeSearch, withAncestors } from '../../analysis/answers/tree-search.ts';
import { Filtering } from '../../analysis/names/filtering.ts';
import { searchNames } from '../../analysis/names/name-search.ts';
import { cutText, type Matcher, type Search } from '../../base/match.ts';
import { memo } from '../../base/memo.ts';
import { plural } from '../../base/units.ts';
import type { Event } from '../../model/head.ts';
import type { ViewContext } from '../view.ts';

/** A tree of the profile; that of a routine's callers, where it is not -1. */
export const treeOf = memo(
  (analysis: Analysis, inverted: boolean, event: Event, callersOf: number) =>
    openTree(callersOf < 0 ? analysis.costing.tree(inverted) : analysis.costing.callersOf(callersOf), inverted, event),
  4,
);

/** All routines, for the filter to look at. */
const allRoutines = memo(({ profile }: Analysis) => {
  const all = new Uint32Array(profile.routines.name.length);
  for (let r = 0; r < all.length; r++) all[r] = r;
  return all;
});

/** Places that a filter keeps; nobody pages through more. */
const MOST_KEPT = 500;

/** A filtered tree: matches, the most expensive first, and the paths to them. */
export class TreeFilter {
  kept: ReadonlySet<number> = new Set();
  /** Changes with `kept`. */
  version = 0;
  private readonly filtering: Filtering;
  private search: TreeSearch | undefined;

  constructor(
    private readonly analysis: Analysis,
    private readonly event: Event,
    private readonly tree: Tree,
    private readonly matcher: Matcher,
  ) {
    this.filtering = new Filtering(analysis.profile, matcher);
  }

  /** The routines that match, as far as they are known. */
  get hit(): Uint8Array {
    return this.filtering.hit;
  }

  get done(): boolean {
    return this.search !== undefined && (this.search.done || this.search.found.length >= MOST_KEPT);
  }

  /** Continues for `ms` milliseconds; true once done. */
  run(ms: number): boolean {
    if (this.done) return true;
    const { analysis, tree, event, filtering } = this;
    const until = performance.now() + ms;
    if (!this.search && !filtering.run(allRoutines(analysis), ms)) return false;
    this.search ??= new TreeSearch(tree, event, filtering.hit, analysis.edges);
    const before = this.search.found.length;
    this.search.run(until - performance.now(), MOST_KEPT);
    if (this.search.found.length !== before || this.done) {
      this.kept = withAncestors(tree, this.search.found);
      this.version++;
    }
    return this.done;
  }

  get places(): readonly number[] {
    return this.search?.found ?? [];
  }

  /** How many places match, and how they were found. */
  mode(): string {
    // Short enough for a screen of 80 columns, where pieces that do not fit are left out.
    const letters = `${this.filtering.letters ? ' by letters' : ''}${cutText(this.matcher)}`;
    if (!this.done) return `searching, ${plural(this.places.length, 'place')} so far${letters}`;
    const more = this.search?.cut || this.places.length >= MOST_KEPT ? 'the costliest ' : '';
    return `${more}${plural(this.places.length, 'place')} that ${this.places.length === 1 ? 'matches' : 'match'}${letters}`;
  }
}

const made = memo(
  (analysis: Analysis, event: Event, tree: Tree, matcher: Matcher) => new TreeFilter(analysis, event, tree, matcher),
  2,
);

export function filterOf(tree: Tree, c: ViewContext): TreeFilter | undefined {
  return c.matcher && made(c.analysis, c.event, tree, c.matcher);
}

/** Routines whose names a search finds. */
const searched = memo((analysis: Analysis, search: Search) => searchNames(analysis.profile, search));

/** Looks for places in the tree, among those that a filter keeps. */
const searching = memo(
  (analysis: Analysis, event: Event, tree: Tree, names: Uint8Array, within: TreeFilter | undefined): TreeSearch => {
    const wanted = within ? names.map((one, r) => one & within.hit[r]) : names;
    return new TreeSearch(tree, event, wanted, analysis.edges);
  },
  2,
);

export interface TreePlace {
  readonly node: number | undefined;
  readonly say: string;
  /** It is not known yet: another call goes on. */
  readonly more?: boolean;
}

/**
 * The place after (or before) the node among those whose routine matches, by cost; the first if the node is none of them.
 * Works for about `ms` milliseconds.
 */
export function nextPlace(
  tree: Tree,
  node: number,
  text: string,
  search: Search,
  by: 1 | -1,
  c: ViewContext,
  ms: number,
): TreePlace {
  const until = performance.now() + ms;
  const names = searched(c.analysis, search);
  const within = filterOf(tree, c);
  const more = { node: undefined, say: '', more: true };
  if (!(within?.run(ms) ?? true) || !names.run(until - performance.now())) return more;
  const places = searching(c.analysis, c.event, tree, names.now(), within);
  const { found } = places;
  const at = found.indexOf(node);
  const wanted = at < 0 ? 0 : at + by;
  places.run(until - performance.now(), wanted < 0 ? Number.POSITIVE_INFINITY : wanted + 2);
  if (!places.done && (wanted < 0 || found.length <= wanted)) return more;
  if (found.length === 0) {
    const far = places.cut ? ` among the ${plural(places.seen, 'costliest node')}` : '';
    return { node: undefined, say: `nothing in the tree${far} matches ${text}` };
  }
  const place = wanted < 0 ? found.length - 1 : wanted >= found.length ? 0 : wanted;
  const of = places.done ? ` of ${plural(found.length, 'place')}${places.cut ? ' or more' : ''}` : '';
  const wrapped =
    wanted < 0 || wanted >= found.length ? (found.length === 1 ? 'the only match' : 'search wrapped around') : undefined;
  return { node: found[place], say: wrapped ?? `place ${place + 1}${of}, by cost` };
}
