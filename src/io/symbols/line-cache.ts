// Caches the line tool's answers in the user's own cache folder, by the file that was asked about: its path, size, time and build ID.
// A build ID alone is not enough: whoever makes an object chooses its ID, and would answer for another.
import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { listOf, parseJson } from '../../formats/shared/json.ts';
import type { NamedFrame } from '../../model/stacks/samples.ts';
import { privateFolder } from '../disk/private-folder.ts';
import { readRegular } from '../disk/regular.ts';
import { replaceFile } from '../disk/writing.ts';

const LARGEST = 32 << 20;
const VERSION = 2;

/** An object that a tool was asked about. */
export interface Asked {
  readonly path: string;
  readonly buildId: string | null;
  readonly tool: string;
}

/** The cache file of an object as it is now; undefined where nothing can be kept. */
function fileOf({ path, buildId, tool }: Asked): string | undefined {
  const folder = privateFolder('cache', 'lines');
  if (folder === undefined) return undefined;
  const real = realpathSync(path);
  const { size, mtimeMs, ctimeMs } = statSync(real);
  const key = JSON.stringify([VERSION, real, size, mtimeMs, ctimeMs, buildId, tool]);
  return join(folder, `${createHash('sha256').update(key).digest('hex')}.json.gz`);
}

/** Frames by address, as cached from the tool; empty if nothing is cached. */
export function readLineCache(asked: Asked): Map<bigint, NamedFrame[]> {
  const out = new Map<bigint, NamedFrame[]>();
  try {
    const file = fileOf(asked);
    if (file === undefined) return out;
    const packed = readRegular(file, LARGEST, 'none').bytes;
    for (const entry of listOf(parseJson(gunzipSync(packed, { maxOutputLength: 16 * LARGEST })))) {
      const [address, frames] = listOf(entry);
      if (typeof address !== 'string') throw new Error('not an address');
      out.set(BigInt(address), listOf(frames).map(frameOf));
    }
    return out;
  } catch {
    // Missing or unreadable cache: the tool is asked again.
    return new Map();
  }
}

/** A frame as it was written. Throws if it is something else. */
function frameOf(value: unknown): NamedFrame {
  const [name, file, line] = listOf(value);
  if (typeof name !== 'string' || !(file === null || typeof file === 'string') || typeof line !== 'number')
    throw new Error('not a frame');
  return { name, file, line };
}

export function writeLineCache(asked: Asked, frames: ReadonlyMap<bigint, readonly NamedFrame[]>): void {
  try {
    const file = fileOf(asked);
    if (file === undefined) return;
    const data = [...frames].map(([address, list]) => [`0x${address.toString(16)}`, list.map((f) => [f.name, f.file, f.line])]);
    const packed = gzipSync(JSON.stringify(data));
    if (packed.length <= LARGEST) replaceFile(file, packed);
  } catch {
    // If the cache cannot be written, the next start is slower, nothing more.
  }
}
