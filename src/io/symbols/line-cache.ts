// Caches the line tool's answers in the user's cache folder, by path, size, time and build ID of the object.
// The build ID alone is not enough: an object's author can choose it, and so supply answers for another object.
import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { isObject, listOf, parseJson } from '../../formats/shared/json.ts';
import { FrameRows } from '../../model/code-frames.ts';
import { privateFolder } from '../disk/private-folder.ts';
import { readRegular } from '../disk/regular.ts';
import { replaceFile } from '../disk/writing.ts';

const MAX_CACHE_BYTES = 32 << 20;
const CACHE_VERSION = 3;

/** An object, and the tool that reads its lines. */
export interface ToolQuery {
  readonly path: string;
  readonly buildId: string | null;
  readonly tool: string;
}

/** The path of the cache file for an object in its present state; undefined without a private folder. Throws if the object is gone. */
function cacheFileOf({ path, buildId, tool }: ToolQuery): string | undefined {
  const folder = privateFolder('cache', 'lines');
  if (folder === undefined) return undefined;
  const real = realpathSync(path);
  const { size, mtimeMs, ctimeMs } = statSync(real);
  const key = JSON.stringify([CACHE_VERSION, real, size, mtimeMs, ctimeMs, buildId, tool]);
  return join(folder, `${createHash('sha256').update(key).digest('hex')}.json.gz`);
}

/** The cached frames of addresses; empty if there is no cache. */
export function readLineCache(asked: ToolQuery): FrameRows {
  const out = new FrameRows();
  try {
    const file = cacheFileOf(asked);
    if (file === undefined) return out;
    const packed = readRegular(file, MAX_CACHE_BYTES, 'none').bytes;
    const data = parseJson(gunzipSync(packed, { maxOutputLength: 16 * MAX_CACHE_BYTES }));
    if (!isObject(data)) throw new Error('not a cache');
    for (const text of listOf(data['texts'])) if (typeof text === 'string') out.textId(text);
    const [parent, name, source, line, address, leaf] = ['parent', 'name', 'file', 'line', 'address', 'leaf'].map((key) =>
      listOf(data[key]),
    );
    const texts = out.texts.length;
    for (let f = 0; f < parent.length; f++)
      out.push(asRow(parent[f], f, -1), asRow(name[f], texts), asRow(source[f], texts, -1), asRow(line[f], 2 ** 32));
    for (let k = 0; k < address.length; k++) out.leafOf.set(asRow(address[k], 2 ** 53), asRow(leaf[k], parent.length));
    return out;
  } catch {
    // If the cache is missing or unreadable, the tool runs again.
    return new FrameRows();
  }
}

/** Checks that a value is a whole number from `least` to below `end`. Throws for anything else. */
function asRow(value: unknown, end: number, least = 0): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value >= end) throw new Error('not a row');
  return value;
}

export function writeLineCache(asked: ToolQuery, { parent, name, file, line, texts, leafOf }: FrameRows): void {
  try {
    const path = cacheFileOf(asked);
    if (path === undefined) return;
    const rows = Object.entries({ parent, name, file, line }).map(([key, column]) => [key, Array.from(column.done())] as const);
    const data = { texts, ...Object.fromEntries(rows), address: [...leafOf.keys()], leaf: [...leafOf.values()] };
    const packed = gzipSync(JSON.stringify(data));
    if (packed.length <= MAX_CACHE_BYTES) replaceFile(path, packed);
  } catch {
    // Without the cache, only the next start is slower.
  }
}
