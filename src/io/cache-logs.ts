// Hits of a compiler cache, from the logs that ccache and sccache append to. Where they end now is kept in the tree: what comes after that is
// of the next build.
import { join } from 'node:path';
import { isObject, numberOf, parseJson } from '../formats/shared/json.ts';
import { readRegular } from './disk/regular.ts';
import { foldersInside, replaceFile } from './disk/writing.ts';

/** The variables that name a log, and what a hit and a miss look like in it. */
const LOGS = [
  ['CCACHE_STATSLOG', /^(?:direct|preprocessed)_cache_hit$/gm, /^cache_miss$/gm],
  ['CCACHE_LOGFILE', /Result: (?:direct|preprocessed)_cache_hit/g, /Result: cache_miss/g],
  ['SCCACHE_ERROR_LOG', /Cache hit in /g, /Cache miss in /g],
] as const;
const LARGEST = 256 << 20;
const PLACE = 'cache-logs.json';

export interface CacheHits {
  readonly hits: number;
  readonly misses: number;
}

/** The lines logged since the last call for this tree; undefined where there is no log. `kept`: the folder of kept builds in the tree. */
export function cacheHits(tree: string, kept: string, environment: NodeJS.ProcessEnv = process.env): CacheHits | undefined {
  for (const [variable, hit, miss] of LOGS) {
    const path = environment[variable];
    if (!path) continue;
    try {
      const { bytes } = readRegular(path, LARGEST);
      const place = join(foldersInside(tree, kept), PLACE);
      const from = endedAt(place, path);
      // A log that is shorter than it was has begun anew.
      const text = bytes.subarray(from <= bytes.length ? from : 0).toString('latin1');
      replaceFile(place, JSON.stringify({ [path]: bytes.length }), 0o644);
      return { hits: text.match(hit)?.length ?? 0, misses: text.match(miss)?.length ?? 0 };
    } catch {
      // It is not there yet, or not ours to read.
    }
  }
  return undefined;
}

function endedAt(place: string, path: string): number {
  try {
    const said = parseJson(readRegular(place, 1 << 16, 'none').bytes);
    return (isObject(said) ? numberOf(said[path]) : undefined) ?? 0;
  } catch {
    return 0;
  }
}
