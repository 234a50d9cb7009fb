// Hits of a compiler cache, from the logs that ccache and sccache append to. Where they end now is kept in the tree: what comes after that is
// of the next build.
import { join } from 'node:path';
import { isObject, numberOf, parseJson } from '../../formats/shared/json.ts';
import type { CacheUse } from '../../model/steps/history.ts';
import { readRegular } from '../disk/regular.ts';
import { foldersInside, replaceFile } from '../disk/writing.ts';

/** ccache's words for compiles that it cannot serve. Links and runs of the preprocessor alone are no compiles. */
const UNCACHED = new Set([
  ...['bad_compiler_arguments', 'compiler_produced_stdout', 'could_not_use_modules', 'could_not_use_precompiled_header'],
  ...['ccache_disabled', 'disabled', 'modified_input_file', 'multiple_source_files', 'output_to_stdout', 'recache'],
  ...['unsupported_code_directive', 'unsupported_compiler_option', 'unsupported_environment_variable'],
  ...['unsupported_source_encoding', 'unsupported_source_language'],
]);

/** The variables that name a log, and its lines for a hit, for a miss, and for any result. */
const LOGS = [
  ['CCACHE_STATSLOG', /^(?:direct|preprocessed)_cache_hit$/gm, /^cache_miss$/gm, /^([a-z_]+)$/gm],
  ['CCACHE_LOGFILE', /Result: (?:direct|preprocessed)_cache_hit/g, /Result: cache_miss/g, /Result: ([a-z_]+)/g],
  ['SCCACHE_ERROR_LOG', /Cache hit in /g, /Cache miss in /g, undefined],
] as const;
const LARGEST = 256 << 20;
const PLACE = 'cache-logs.json';

export interface CacheLog {
  readonly use: CacheUse;
  /**
   * By source, as the compiler was given it: `hit`, `miss`, or ccache's word for the reason why it could not serve it. Only one log names
   * sources; of one that was compiled several times with different results, it does not say which compile had which.
   */
  readonly bySource: ReadonlyMap<string, string>;
}

/** The lines logged since the last call for this tree; undefined where there is no log. `kept`: the folder of kept builds in the tree. */
export function cacheHits(tree: string, kept: string, environment: NodeJS.ProcessEnv = process.env): CacheLog | undefined {
  for (const [variable, hit, miss, result] of LOGS) {
    const path = environment[variable];
    if (!path) continue;
    try {
      const { bytes } = readRegular(path, LARGEST);
      const place = join(foldersInside(tree, kept), PLACE);
      const from = endedAt(place, path);
      // A log that is shorter than it was has begun anew.
      const text = bytes.subarray(from <= bytes.length ? from : 0).toString('latin1');
      replaceFile(place, JSON.stringify({ [path]: bytes.length }), 0o644);
      const reasons = countOf(
        Array.from(result ? text.matchAll(result) : [], ([, word]) => word).filter((word) => UNCACHED.has(word)),
      );
      const most = [...reasons].sort((a, b) => b[1] - a[1])[0];
      const all = [...reasons.values()].reduce((sum, n) => sum + n, 0);
      const use = {
        ...{ hits: text.match(hit)?.length ?? 0, misses: text.match(miss)?.length ?? 0 },
        ...(most ? { uncached: all, reason: most[0] } : {}),
      };
      return { use, bySource: variable === 'CCACHE_STATSLOG' ? sourcesIn(text) : new Map() };
    } catch {
      // It is not there yet, or not ours to read.
    }
  }
  return undefined;
}

/** The words of each source in the log of statistics of ccache: a line `# SOURCE`, then lines of words. */
function sourcesIn(text: string): Map<string, string> {
  const out = new Map<string, string>();
  const unclear = new Set(['']);
  let source = '';
  const put = (word: string) => {
    if ((out.get(source) ?? word) !== word) unclear.add(source);
    out.set(source, word);
  };
  for (const line of text.split('\n')) {
    if (line.startsWith('# ')) {
      const path = line.slice(2).replace(/^"(.*)"$/, '$1'); // bounded: one run
      source = Buffer.from(path, 'latin1').toString();
    } else if (/^(direct|preprocessed)_cache_hit$/.test(line)) put('hit');
    else if (line === 'cache_miss') put('miss');
    else if (UNCACHED.has(line)) put(line);
  }
  for (const path of unclear) out.delete(path);
  return out;
}

function countOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function endedAt(place: string, path: string): number {
  try {
    const said = parseJson(readRegular(place, 1 << 16, 'none').bytes);
    return (isObject(said) ? numberOf(said[path]) : undefined) ?? 0;
  } catch {
    return 0;
  }
}
