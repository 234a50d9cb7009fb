// Counts hits of a compiler cache, from the logs of ccache and sccache.
// The end of each log is stored in the build tree, so that the next build counts only newer lines.
import { join } from 'node:path';
import { attempt } from '../../base/attempt.ts';
import { numberOf, objectOf, parseJson } from '../../formats/shared/json.ts';
import type { CacheUse } from '../../model/steps/history.ts';
import { readRegular } from '../disk/regular.ts';
import { makeFoldersInside, replaceFile } from '../disk/writing.ts';

/** ccache's results for compiles that it cannot cache. Links and preprocessor runs do not count as compiles. */
const UNCACHED_RESULTS = new Set([
  ...['bad_compiler_arguments', 'compiler_produced_stdout', 'could_not_use_modules', 'could_not_use_precompiled_header'],
  ...['ccache_disabled', 'disabled', 'modified_input_file', 'multiple_source_files', 'output_to_stdout', 'recache'],
  ...['unsupported_code_directive', 'unsupported_compiler_option', 'unsupported_environment_variable'],
  ...['unsupported_source_encoding', 'unsupported_source_language'],
]);

/** For each log: the environment variable with its path, and patterns of its lines for a hit, for a miss and for any result. */
const LOG_FORMATS = [
  ['CCACHE_STATSLOG', /^(?:direct|preprocessed)_cache_hit$/gm, /^cache_miss$/gm, /^([a-z_]+)$/gm],
  ['CCACHE_LOGFILE', /Result: (?:direct|preprocessed)_cache_hit/g, /Result: cache_miss/g, /Result: ([a-z_]+)/g],
  ['SCCACHE_ERROR_LOG', /Cache hit in /g, /Cache miss in /g, undefined],
] as const;
const MAX_LOG_BYTES = 256 << 20;
const OFFSET_FILE = 'cache-logs.json';

/** Cache results since the last call for this tree; undefined without a log. `kept`: the tree's folder of kept builds. */
export function readCacheHits(tree: string, kept: string, environment: NodeJS.ProcessEnv = process.env) {
  for (const [variable, hit, miss, result] of LOG_FORMATS) {
    const path = environment[variable];
    if (!path) continue;
    try {
      const { bytes } = readRegular(path, MAX_LOG_BYTES);
      const offsetFile = join(makeFoldersInside(tree, kept), OFFSET_FILE);
      const offsets = attempt(() => parseJson(readRegular(offsetFile, 1 << 16, 'none').bytes));
      const from = numberOf(objectOf(offsets)[path]) ?? 0;
      // A log that is shorter than before was started again, so it is read from its beginning.
      const text = bytes.subarray(from <= bytes.length ? from : 0).toString('latin1');
      replaceFile(offsetFile, JSON.stringify({ [path]: bytes.length }), 0o644);
      const reasons = new Map<string, number>();
      for (const [, word] of result ? text.matchAll(result) : [])
        if (UNCACHED_RESULTS.has(word)) reasons.set(word, (reasons.get(word) ?? 0) + 1);
      const most = [...reasons].sort((a, b) => b[1] - a[1])[0];
      const all = [...reasons.values()].reduce((sum, n) => sum + n, 0);
      const use: CacheUse = {
        ...{ hits: text.match(hit)?.length ?? 0, misses: text.match(miss)?.length ?? 0 },
        ...(most ? { uncached: all, reason: most[0] } : {}),
      };
      return { use, bySource: variable === 'CCACHE_STATSLOG' ? resultsBySource(text) : new Map<string, string>() };
    } catch {
      // The log is missing, or this user must not read it.
    }
  }
  return undefined;
}

/**
 * By source, as given to the compiler: `hit`, `miss`, or ccache's reason why it could not cache. Only ccache's statistics log has sources, each
 * as a line `# SOURCE` and then one line per result. A source with several different results is left out.
 */
function resultsBySource(text: string): Map<string, string> {
  const out = new Map<string, string>();
  const unclear = new Set(['']);
  let source = '';
  const addResult = (word: string) => {
    if ((out.get(source) ?? word) !== word) unclear.add(source);
    out.set(source, word);
  };
  for (const line of text.split('\n')) {
    if (line.startsWith('# ')) {
      const path = line.slice(2).replace(/^"(.*)"$/, '$1'); // bounded: one run
      source = Buffer.from(path, 'latin1').toString();
    } else if (/^(direct|preprocessed)_cache_hit$/.test(line)) addResult('hit');
    else if (line === 'cache_miss') addResult('miss');
    else if (UNCACHED_RESULTS.has(line)) addResult(line);
  }
  for (const path of unclear) out.delete(path);
  return out;
}
