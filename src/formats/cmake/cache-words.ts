// How a compiler cache served each compile of a kept build, by what the log of the cache said of its source.
import { getOrMake } from '../../base/lists.ts';
import { absolutePath } from '../../base/paths.ts';
import type { StepWriter } from '../../model/steps/writer.ts';
import { listOf, readJson, textOf } from '../shared/json.ts';

/** Folders that relative paths are looked up in: compilers run in one or a few. */
const MOST_FOLDERS = 64;

/** `bytes`: pairs of a source, as the compiler was given it, and a word. `first`: the first row of the build. */
export function addCacheWords(bytes: Uint8Array | undefined, rows: StepWriter, first: number): void {
  const json = readJson(bytes ?? new Uint8Array(0));
  if (json.wrong !== undefined) return;
  const said = listOf(json.value).flatMap((pair) => {
    const [source, word] = listOf(pair).map(textOf);
    return source !== undefined && word !== undefined ? [[source, word] as const] : [];
  });
  const words = new Map(said);
  // Caches that serve several folders make paths relative to the one that the compiler ran in.
  const relative = said.filter(([path]) => absolutePath('/', path) !== path);
  const byFolder = new Map<string, ReadonlyMap<string, string>>();
  for (let row = first; row < rows.rows && words.size > 0; row++) {
    const source = rows.text('source', row);
    if (source === undefined || rows.text('role', row) !== 'compile') continue;
    const folder = rows.text('directory', row) ?? '';
    const path = absolutePath(folder, source);
    const own = () => new Map(relative.map(([name, word]) => [absolutePath(folder, name), word]));
    const isKnown = relative.length > 0 && (byFolder.size < MOST_FOLDERS || byFolder.has(folder));
    rows.setWord('cache', row, words.get(path) ?? (isKnown ? getOrMake(byFolder, folder, own).get(path) : undefined));
  }
}
