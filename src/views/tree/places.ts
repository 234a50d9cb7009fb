// Searching and filtering a tree whose nodes are unfolded only as far as needed.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { openTree, type Tree } from '../../analysis/answers/tree.ts';
import { TreeSearch, withAncestors } from '../../analysis/answers/tree-search.ts';
import { type NameFilter, searchNames } from '../../analysis/names/filtering.ts';
import { memo } from '../../base/lists.ts';
import { type CompiledSearch, type Matcher, searchCutNote } from '../../base/match.ts';
import { memoInBackground } from '../../base/slices.ts';
import { plural } from '../../base/units.ts';
import type { Event } from '../../model/head.ts';
import { nameFilterOf } from '../routine-rows.ts';
import type { ViewContext } from '../view.ts';

/** The complete tree of the profile, or of one routine if `of` is not -1. */
export const treeOf = memo(
  ({ costing }: Analysis, inverted: boolean, event: Event, of: number) =>
    openTree(of < 0 ? costing.tree(inverted) : costing.routineTree(of, inverted), inverted, event),
  4,
);

/** The numbers of all routines, which the filter tests. */
export const allRoutines = memo(({ profile }: Analysis) => Uint32Array.from(profile.routines.name.keys()));

const MAX_KEPT_MATCHES = 500;

/** The result of a filter on a tree: the matching nodes, costliest first, and their ancestors. */
export class TreeFilter {
  kept: ReadonlySet<number> = new Set();
  /** Incremented when `kept` changes. */
  version = 0;
  private search: TreeSearch | undefined;

  constructor(
    private readonly analysis: Analysis,
    private readonly event: Event,
    private readonly tree: Tree,
    private readonly matcher: Matcher,
    private readonly filtering: NameFilter,
  ) {}

  /** By routine: 1 if its name is known to match the filter. */
  get hit(): Uint8Array {
    return this.filtering.hit;
  }

  /** Why nothing passes: conditions that cannot be tested. */
  get wrong(): string | undefined {
    return this.filtering.wrong;
  }

  get done(): boolean {
    return this.search !== undefined && (this.search.done || this.search.found.length >= MAX_KEPT_MATCHES);
  }

  /** Continues for `ms` milliseconds; true once done. */
  run(ms: number): boolean {
    if (this.done) return true;
    const { analysis, tree, event, filtering } = this;
    const until = performance.now() + ms;
    if (!this.search && !filtering.run(allRoutines(analysis), ms)) return false;
    this.search ??= new TreeSearch(tree, event, filtering.hit, analysis.edges);
    const before = this.search.found.length;
    this.search.run(until - performance.now(), MAX_KEPT_MATCHES);
    if (this.search.found.length !== before || this.done) {
      this.kept = withAncestors(tree, this.search.found);
      this.version++;
    }
    return this.done;
  }

  get matches(): readonly number[] {
    return this.search?.found ?? [];
  }

  /** The text in the tab line: the number of matches, and how they were found. */
  modeText(): string {
    // Must fit in 80 columns: the tab line drops texts that do not fit.
    const letters = `${this.filtering.usesLetters ? ' by letters' : ''}${searchCutNote(this.matcher)}`;
    if (!this.done) return `searching, ${plural(this.matches.length, 'place')} so far${letters}`;
    const more = this.search?.cut || this.matches.length >= MAX_KEPT_MATCHES ? 'the costliest ' : '';
    return `${more}${plural(this.matches.length, 'place')} that ${this.matches.length === 1 ? 'matches' : 'match'}${letters}`;
  }
}

const treeFilterOf = memo((...of: ConstructorParameters<typeof TreeFilter>) => new TreeFilter(...of));

export function currentTreeFilter(tree: Tree, c: ViewContext): TreeFilter | undefined {
  const filter = nameFilterOf(c.analysis, c);
  return c.matcher && filter && treeFilterOf(c.analysis, c.event, tree, c.matcher, filter);
}

/** The search over routine names, which runs in slices. */
export const nameSearchOf = memoInBackground(({ profile }: Analysis, search: CompiledSearch) => searchNames(profile, search), 2);

/** By routine: 1 if its name matches the search and passes the filter. */
export const wantedRoutines = memo((names: Uint8Array, filter: Uint8Array | undefined, _version: number) =>
  filter ? names.map((one, r) => one & filter[r]) : names,
);

/** The search for nodes of the wanted routines. */
export const treeSearchOf = memo(
  (analysis: Analysis, event: Event, tree: Tree, wanted: Uint8Array) => new TreeSearch(tree, event, wanted, analysis.edges),
);

/** The text about a search of the complete tree that found nothing. */
export const noMatchText = ({ cut, seen }: TreeSearch, text: string): string =>
  `nothing in the tree${cut ? ` among the ${plural(seen, 'costliest node')}` : ''} matches ${text}`;

/**
 * The match after (or before) node `id`, in order of cost; the first match if `id` is none. Works for about `ms`
 * milliseconds. `more`: the search is unfinished.
 */
export function nextMatch(tree: Tree, id: number, text: string, search: CompiledSearch, by: 1 | -1, c: ViewContext, ms: number) {
  const until = performance.now() + ms;
  const names = nameSearchOf(c.analysis, search);
  const within = currentTreeFilter(tree, c);
  if (!(within?.run(ms) ?? true) || !names.run(until - performance.now())) return { node: undefined, say: '', more: true };
  const wantedNames = wantedRoutines(names.now(), within?.hit, within?.version ?? 0);
  const treeSearch = treeSearchOf(c.analysis, c.event, tree, wantedNames);
  const { found } = treeSearch;
  const at = found.indexOf(id);
  const wanted = at < 0 ? 0 : at + by;
  treeSearch.run(until - performance.now(), wanted < 0 ? Number.POSITIVE_INFINITY : wanted + 2);
  if (!treeSearch.done && (wanted < 0 || found.length <= wanted)) return { node: undefined, say: '', more: true };
  if (found.length === 0) return { node: undefined, say: noMatchText(treeSearch, text) };
  const index = wanted < 0 ? found.length - 1 : wanted >= found.length ? 0 : wanted;
  const of = treeSearch.done ? ` of ${plural(found.length, 'place')}${treeSearch.cut ? ' or more' : ''}` : '';
  const wrapped =
    wanted < 0 || wanted >= found.length ? (found.length === 1 ? 'the only match' : 'search wrapped around') : undefined;
  return { node: found[index], say: wrapped ?? `place ${index + 1}${of}, by cost` };
}
