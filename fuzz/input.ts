// An input: a few files held in memory. The program reads them as it reads the disk, by a Source and a Folder.
import { gunzipSync } from 'node:zlib';
import type { Folder, Source } from '../src/formats/loader.ts';
import { Random } from './random.ts';

export interface InputFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface Input {
  readonly files: readonly InputFile[];
  /** So many files, the first ones, are opened as one run; the others lie beside them. 0: the folder is opened. */
  readonly opened: number;
}

export const sizeOf = (input: Input): number => input.files.reduce((sum, f) => sum + f.bytes.length, 0);

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

export const toText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
export const toBytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
/** Text as UTF-8, a character for each byte: mutations of text work on bytes. */
export const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

/** `a/b` from `x/..//a/./b`; undefined if it leads out of the folder. */
function plainPath(relative: string): string | undefined {
  const out: string[] = [];
  for (const piece of relative.split('/')) {
    if (piece === '' || piece === '.') continue;
    if (piece !== '..') out.push(piece);
    else if (out.pop() === undefined) return undefined;
  }
  return out.join('/');
}

/** The files as a folder, gunzipped as those of a real one. */
export function folderOf(input: Input, path = 'fuzzed'): Folder {
  const files = new Map(input.files.map((f) => [plainPath(f.path) ?? '', f.bytes]));
  return {
    path,
    list(relative) {
      const at = plainPath(relative);
      if (at === undefined) return [];
      const found = new Map<string, boolean>();
      for (const name of files.keys()) {
        if (at !== '' && !name.startsWith(`${at}/`)) continue;
        const [first, ...rest] = name.slice(at === '' ? 0 : at.length + 1).split('/');
        if (first !== '') found.set(first, rest.length > 0);
      }
      return [...found].sort((a, b) => (a[0] < b[0] ? -1 : 1)).map(([name, folder]) => ({ name, folder, regular: !folder }));
    },
    read(relative) {
      const bytes = files.get(plainPath(relative) ?? '');
      if (!bytes || !isGzip(bytes)) return bytes;
      try {
        return gunzipSync(bytes, { maxOutputLength: 1 << 26 });
      } catch {
        // Unreadable, as a real folder says it.
        return undefined;
      }
    },
    modifiedMs: (relative) => (files.has(plainPath(relative) ?? '') ? 1.8e12 : undefined),
  };
}

/** A file in chunks, split at places that the seed chooses; one chunk without a seed. */
export function sourceOf(input: Input, file: InputFile, chunkSeed: string | undefined): Source {
  const { path, bytes } = file;
  return {
    path,
    size: bytes.length,
    folder: folderOf(input),
    async *chunks() {
      if (chunkSeed === undefined) {
        if (bytes.length > 0) yield bytes.slice();
        return;
      }
      const random = new Random(chunkSeed);
      // Seldom byte by byte: each chunk costs as much as reading a kilobyte.
      const tiny = bytes.length < 300 || (bytes.length < 4000 && random.chance(0.03));
      const most = tiny ? random.pick([1, 3, 64]) : Math.ceil(bytes.length / random.pick([2, 4, 12]));
      // One buffer for all chunks, as the real source has it: a loader that keeps a chunk is found out.
      const buffer = new Uint8Array(most);
      for (let at = 0; at < bytes.length; ) {
        const part = bytes.subarray(at, at + random.between(1, most));
        buffer.fill(0xee);
        buffer.set(part);
        yield buffer.subarray(0, part.length);
        at += part.length;
      }
    },
  };
}
