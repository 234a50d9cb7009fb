// Finding places in a tree of which only a part is unfolded: for the search, and for the filter.
import type { Analysis } from '../analysis/analysis.ts';
import { Filtering } from '../analysis/filtering.ts';
import { routineName } from '../analysis/names.ts';
import { openTree, type Tree } from '../analysis/tree.ts';
import { TreeSearch, withAncestors } from '../analysis/tree-search.ts';
import { scanFor } from '../base/letters.ts';
import { BY_LETTERS, type Matcher } from '../base/match.ts';
import { memo } from '../base/memo.ts';
import { plural } from '../base/units.ts';
import type { Event } from '../model/head.ts';
import { stringCount } from '../model/strings.ts';
import type { ViewContext } from './view.ts';

export const treeOf = memo(
  (analysis: Analysis, inverted: boolean, event: Event) => openTree(analysis.costing.tree(inverted), inverted, event),
  3,
);

/** Places that a filter keeps; nobody pages through more. */
const MOST_KEPT = 500;

/** What a filter keeps of a tree: what matches, the most expensive first, and the way to it. */
export class TreeFilter {
  kept: ReadonlySet<number> = new Set();
  /** Changes with `kept`. */
  version = 0;
  private readonly analysis: Analysis;
  private readonly tree: Tree;
  private readonly event: Event;
  private readonly filtering: Filtering;
  private search: TreeSearch | undefined;
  /** All routines, for the filter to look at. */
  private all: Uint32Array | undefined;

  constructor(analysis: Analysis, event: Event, tree: Tree, matcher: Matcher) {
    this.analysis = analysis;
    this.tree = tree;
    this.event = event;
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
    this.all ??= Uint32Array.from(filtering.hit.keys());
    if (!this.search && !filtering.run(this.all, ms)) return false;
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
    const letters = this.filtering.byLetters ? `, ${BY_LETTERS}` : '';
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

/** Routines whose names a search finds; 1 for each. */
const named = memo((analysis: Analysis, text: string, matches: (name: string) => boolean): Uint8Array => {
  const { profile } = analysis;
  const { strings, routines } = profile;
  const out = new Uint8Array(routines.name.length);
  const code = new TextEncoder().encode(text.toLowerCase());
  const literal = !/^\/.+\/[imsu]*$/.test(text) && code.length === text.length;
  // Decoding a million names would take a second: only those that may match are decoded.
  const maybe = new Uint8Array(stringCount(strings)).fill(literal ? 0 : 1);
  if (literal) scanFor(code)(strings.bytes, strings.start, 0, maybe.length, maybe);
  for (let r = 0; r < out.length; r++) if (maybe[routines.name[r]] === 1 && matches(routineName(profile, r))) out[r] = 1;
  return out;
});

const searching = memo(
  (
    analysis: Analysis,
    event: Event,
    tree: Tree,
    text: string,
    matches: (name: string) => boolean,
    within: TreeFilter | undefined,
  ): TreeSearch => {
    const found = named(analysis, text, matches);
    const wanted = within ? found.map((one, r) => one & within.hit[r]) : found;
    return new TreeSearch(tree, event, wanted, analysis.edges);
  },
  2,
);

/** Milliseconds that a search may take at a key: it acts while it is typed. Enter and n go on where it stopped. */
const PATIENCE = 300;

export interface TreePlace {
  readonly node: number | undefined;
  readonly say: string;
}

/** The place after (or before) the node among those whose routine matches, by cost; the first if the node is none of them. */
export function nextPlace(
  tree: Tree,
  node: number,
  text: string,
  matches: (name: string) => boolean,
  by: 1 | -1,
  c: ViewContext,
): TreePlace {
  const search = searching(c.analysis, c.event, tree, text, matches, filterOf(tree, c));
  const { found } = search;
  const at = found.indexOf(node);
  const wanted = at < 0 ? 0 : at + by;
  search.run(PATIENCE, wanted + 2);
  if (found.length === 0) {
    const far = search.cut ? ` among the ${plural(search.seen, 'costliest node')}` : '';
    return {
      node: undefined,
      say: search.done ? `nothing in the tree${far} matches ${text}` : `still looking for ${text}; n goes on`,
    };
  }
  const place = wanted < 0 ? found.length - 1 : wanted >= found.length ? 0 : wanted;
  const of = search.done ? ` of ${plural(found.length, 'place')}${search.cut ? ' or more' : ''}` : '';
  const wrapped =
    wanted < 0 || wanted >= found.length ? (found.length === 1 ? 'the only match' : 'search wrapped around') : undefined;
  return { node: found[place], say: wrapped ?? `place ${place + 1}${of}, by cost` };
}
