// Folders as profiles: how a loader of many files reads them.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { loaders } from '../formats/index.ts';
import type { Folder, Loader } from '../formats/loader.ts';
import { readRegular } from './disk/regular.ts';
import { isGzip } from './gzip.ts';

/** Of one file, as it is and unpacked. */
const LARGEST = 256 << 20;

export function openFolder(path: string): Folder {
  return {
    path,
    list(relative) {
      try {
        return readdirSync(join(path, relative), { withFileTypes: true })
          .map((e) => ({ name: e.name, folder: e.isDirectory(), bytes: 0 }))
          .sort((a, b) => (a.name < b.name ? -1 : 1));
      } catch {
        // Missing or unreadable: empty either way.
        return [];
      }
    },
    read(relative) {
      try {
        const { bytes } = readRegular(join(path, relative), LARGEST);
        return isGzip(bytes) ? gunzipSync(bytes, { maxOutputLength: LARGEST }) : bytes;
      } catch {
        return undefined;
      }
    },
    modifiedMs(relative) {
      try {
        const stat = statSync(join(path, relative));
        return stat.isFile() ? stat.mtimeMs : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

/** The loader that reads this folder as a whole; undefined if there is none, or the path is not a folder. */
export function folderLoader(path: string): Loader | undefined {
  try {
    if (!statSync(path).isDirectory()) return undefined;
  } catch {
    return undefined;
  }
  const folder = openFolder(path);
  return loaders.find((l) => l.ownsFolder?.(folder));
}
