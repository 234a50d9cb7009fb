// Matches files or objects of two runs: by path, by --path-map, or by the end of the path.

import { groupByKey } from '../../../base/lists.ts';
import { mappedPath, withSlashes } from '../../../base/paths.ts';

/** Path prefixes to replace: FROM in one run is TO in the other. */
export type PathMaps = readonly (readonly [from: string, to: string])[];

/** The maximum depth of folders that are compared. */
const MAX_FOLDER_DEPTH = 64;

/** By path of `before`: its counterpart in `now`; -1 if there is none. Counterparts are unique. */
export function matchPaths(now: readonly string[], before: readonly string[], maps: PathMaps): Int32Array {
  const out = new Int32Array(before.length).fill(-1);
  const taken = new Uint8Array(now.length);
  const take = (b: number, n: number | undefined) => {
    if (n === undefined || taken[n]) return;
    out[b] = n;
    taken[n] = 1;
  };
  const places = new Map(now.map((path, n) => [path, n]));
  for (const [b, path] of before.entries()) take(b, places.get(path));
  if (maps.length > 0) {
    const mapped = new Map(now.flatMap((path, n) => (taken[n] ? [] : [[mapPath(path, maps), n] as const])));
    for (const [b, path] of before.entries()) if (out[b] < 0) take(b, mapped.get(mapPath(path, maps)));
  }
  matchByEnds(now, before, out, taken, take);
  return out;
}

function mapPath(path: string, maps: PathMaps): string {
  const [mapped] = maps.flatMap((map) => mappedPath(path, map) ?? []);
  return mapped ?? path;
}

/** Matches paths by their longest common end. Ends that fit several paths of a run are ignored. */
function matchByEnds(
  now: readonly string[],
  before: readonly string[],
  out: Int32Array,
  taken: Uint8Array,
  take: (b: number, n: number) => void,
): void {
  let left = before.flatMap((path, b) => (out[b] < 0 ? [{ at: b, ends: pathEnds(path) }] : []));
  let free = now.flatMap((path, n) => (taken[n] ? [] : [{ at: n, ends: pathEnds(path) }]));
  const deepest = Math.min(MAX_FOLDER_DEPTH, maxEndCount(left), maxEndCount(free));
  for (let k = deepest; k > 0 && left.length > 0 && free.length > 0; k--) {
    const byEnd = (list: typeof free) => {
      const deep = list.filter(({ ends }) => ends.length >= k);
      return groupByKey(deep, ({ ends }) => ends[k - 1]);
    };
    const of = byEnd(free);
    for (const [end, list] of byEnd(left)) {
      const [only, ...more] = of.get(end) ?? [];
      if (list.length === 1 && only !== undefined && more.length === 0) take(list[0].at, only.at);
    }
    left = left.filter(({ at }) => out[at] < 0);
    free = free.filter(({ at }) => !taken[at]);
  }
}

const maxEndCount = (list: readonly { readonly ends: readonly string[] }[]) =>
  list.reduce((m, { ends }) => Math.max(m, ends.length), 0);

/** The last part of a path, the last two, and so on. */
function pathEnds(recorded: string): string[] {
  const path = withSlashes(recorded);
  const out: string[] = [];
  for (let at = path.length; at > 0 && out.length < MAX_FOLDER_DEPTH; ) {
    const slash = path.lastIndexOf('/', at - 1);
    // Empty parts are skipped.
    if (slash < at - 1) out.push(path.slice(slash + 1));
    at = slash;
  }
  return out;
}
