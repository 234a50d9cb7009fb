// The compiler cache's result (hit, miss …) for each compile of a kept build, matched by source path.
import { getOrMake } from '../../base/lists.ts';
import { absolutePath } from '../../base/paths.ts';
import type { StepWriter } from '../../model/steps/writer.ts';
import { listOf, parseJson, textOf } from '../shared/json.ts';

/** Maximum number of working folders in which relative source paths are resolved. */
const MAX_WORK_FOLDERS = 64;

/** Adds cache results from the row `first` on. `bytes`: JSON pairs of a source path, as on the command line, and a result. */
export function addCacheResults(bytes: Uint8Array | undefined, rows: StepWriter, first: number): void {
  const pairs = listOf(parseJson(bytes ?? new Uint8Array(0))).flatMap((pair) => {
    const [source, word] = listOf(pair).map(textOf);
    return source !== undefined && word !== undefined ? [[source, word] as const] : [];
  });
  const words = new Map(pairs);
  // Caches shared by several folders record paths relative to the compiler's working folder.
  const relative = pairs.filter(([path]) => absolutePath('/', path) !== path);
  const byFolder = new Map<string, ReadonlyMap<string, string>>();
  for (let row = first; row < rows.rows && words.size > 0; row++) {
    const source = rows.text('source', row);
    if (source === undefined || rows.text('role', row) !== 'compile') continue;
    const folder = rows.text('directory', row) ?? '';
    const path = absolutePath(folder, source);
    const absolutePairs = () => new Map(relative.map(([name, word]) => [absolutePath(folder, name), word]));
    const isKnown = relative.length > 0 && (byFolder.size < MAX_WORK_FOLDERS || byFolder.has(folder));
    rows.setWord('cache', row, words.get(path) ?? (isKnown ? getOrMake(byFolder, folder, absolutePairs).get(path) : undefined));
  }
}
