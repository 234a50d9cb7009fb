// Caches the line tool's answers in the user's cache folder, by the file's path, size, time and build ID. A build ID is not
// enough: the maker of an object chooses its ID, and could supply answers for another object.
import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { isObject, listOf, parseJson } from '../../formats/shared/json.ts';
import { FrameRows } from '../../model/code-frames.ts';
import { privateFolder } from '../disk/private-folder.ts';
import { readRegular } from '../disk/regular.ts';
import { replaceFile } from '../disk/writing.ts';

const LARGEST = 32 << 20;
const VERSION = 3;

/** An object, and the tool that is asked about it. */
export interface ToolQuery {
  readonly path: string;
  readonly buildId: string | null;
  readonly tool: string;
}

/** The cache file of an object as it is now; undefined where nothing can be kept. */
function cacheFileOf({ path, buildId, tool }: ToolQuery): string | undefined {
  const folder = privateFolder('cache', 'lines');
  if (folder === undefined) return undefined;
  const real = realpathSync(path);
  const { size, mtimeMs, ctimeMs } = statSync(real);
  const key = JSON.stringify([VERSION, real, size, mtimeMs, ctimeMs, buildId, tool]);
  return join(folder, `${createHash('sha256').update(key).digest('hex')}.json.gz`);
}

/** The cached frames of addresses; empty if nothing is cached. */
export function readLineCache(asked: ToolQuery): FrameRows {
  const out = new FrameRows();
  try {
    const file = cacheFileOf(asked);
    if (file === undefined) return out;
    const packed = readRegular(file, LARGEST, 'none').bytes;
    const data = parseJson(gunzipSync(packed, { maxOutputLength: 16 * LARGEST }));
    if (!isObject(data)) throw new Error('not a cache');
    for (const text of listOf(data['texts'])) if (typeof text === 'string') out.textId(text);
    const [parent, name, source, line, address, leaf] = ['parent', 'name', 'file', 'line', 'address', 'leaf'].map((key) =>
      listOf(data[key]),
    );
    const texts = out.texts.length;
    for (let f = 0; f < parent.length; f++)
      out.push(row(parent[f], f, -1), row(name[f], texts), row(source[f], texts, -1), row(line[f], 2 ** 32));
    for (let k = 0; k < address.length; k++) out.leafOf.set(row(address[k], 2 ** 53), row(leaf[k], parent.length));
    return out;
  } catch {
    // Missing or unreadable cache: the tool is asked again.
    return new FrameRows();
  }
}

/** A whole number from `least` to below `end`. Throws for anything else. */
function row(value: unknown, end: number, least = 0): number {
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
    if (packed.length <= LARGEST) replaceFile(path, packed);
  } catch {
    // Without the cache, only the next start is slower.
  }
}
