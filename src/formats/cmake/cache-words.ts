// How a compiler cache served each compile of a kept build, by what the log of the cache said of its source.
import { posix } from 'node:path';
import type { StepWriter } from '../../model/steps/writer.ts';
import { listOf, readJson, textOf } from '../shared/json.ts';

/** `bytes`: pairs of a source, as the compiler was given it, and a word. `first`: the first row of the build. */
export function addCacheWords(bytes: Uint8Array | undefined, rows: StepWriter, first: number): void {
  const json = readJson(bytes ?? new Uint8Array(0));
  if (json.wrong !== undefined) return;
  const words = new Map<string, string>();
  for (const pair of listOf(json.value)) {
    const [source, word] = listOf(pair).map(textOf);
    if (source !== undefined && word !== undefined) words.set(posix.normalize(source), word);
  }
  for (let row = first; row < rows.rows && words.size > 0; row++) {
    const [source, folder] = [rows.text('source', row), rows.text('directory', row)];
    if (source === undefined || rows.text('role', row) !== 'compile') continue;
    const path = posix.resolve('/', folder ?? '', source);
    // Caches that serve several folders make paths relative.
    rows.setWord('cache', row, words.get(path) ?? words.get(posix.relative(posix.resolve('/', folder ?? ''), path)));
  }
}
