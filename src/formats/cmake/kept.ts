// A build kept by `proftui cmake collect`: one compressed file with an index and everything it lists, a JSON line for each file.
// The first line is {"proftuiBuild":1,"about":{…}}, the others {"file":"name in the data folder","text":"…"}.
import { decodeBytes } from '../../model/strings.ts';
import type { About, Folder } from '../loader.ts';
import { isObject } from '../shared/json.ts';

/** Where a tree's builds are kept, next to CMakeCache.txt: deleted together with the build tree. */
export const KEPT_FOLDER = '.proftui';
export const keptHead = (about: About): string => JSON.stringify({ proftuiBuild: 1, about }) + '\n';
/** The build file, relative to the data folder. */
export const BUILD_FILE = '../../../../build.ninja';

export const keptLine = (file: string, text: string): string => JSON.stringify({ file, text }) + '\n';

export const isKept = (bytes: Uint8Array): boolean =>
  decodeBytes(bytes, 0, Math.min(bytes.length, 64)).startsWith('{"proftuiBuild":');

/** The kept data folder; broken lines go to `warn`. */
export function keptFolder(bytes: Uint8Array, path: string, warn: (line: number, found: string) => void): Folder {
  const files = new Map<string, Uint8Array>();
  const encoder = new TextEncoder();
  let line = 0;
  for (let from = 0; from < bytes.length; ) {
    let end = bytes.indexOf(10, from);
    if (end < 0) end = bytes.length;
    line++;
    if (line > 1 && end > from) {
      try {
        const value: unknown = JSON.parse(decodeBytes(bytes, from, end));
        if (isObject(value) && typeof value['file'] === 'string' && typeof value['text'] === 'string')
          files.set(value['file'], encoder.encode(value['text']));
        else warn(line, 'a line without file and text');
      } catch (error) {
        warn(line, (error as Error).message);
      }
    }
    from = end + 1;
  }
  const names = [...files.keys()].sort();
  return {
    path,
    list(relative) {
      const prefix = relative === '' ? '' : `${relative}/`;
      return names
        .filter((n) => n.startsWith(prefix) && !n.slice(prefix.length).includes('/'))
        .map((n) => ({ name: n.slice(prefix.length), folder: false, bytes: files.get(n)!.length }));
    },
    read: (relative) => files.get(relative),
  };
}
