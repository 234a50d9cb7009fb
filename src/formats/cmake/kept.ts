// A build kept by `proftui cmake collect`: one compressed file with an index and everything it lists, a JSON line for each file.
// The first line is {"proftuiBuild":1,"about":{…}}, the others {"file":"name in the data folder","text":"…"}.
import type { Sink } from '../../model/sink.ts';
import { decodeBytes } from '../../model/strings.ts';
import type { About, Folder } from '../loader.ts';
import { isObject, readJson, textOf } from '../shared/json.ts';

/** Where a tree's builds are kept, next to CMakeCache.txt: deleted together with the build tree. */
export const KEPT_FOLDER = '.proftui';
export const keptHead = (about: About): string => JSON.stringify({ proftuiBuild: 1, about }) + '\n';
/** The build file, relative to the data folder. */
export const BUILD_FILE = '../../../../build.ninja';

export const keptLine = (file: string, text: string): string => JSON.stringify({ file, text }) + '\n';

export const isKept = (bytes: Uint8Array): boolean =>
  decodeBytes(bytes, 0, Math.min(bytes.length, 64)).startsWith('{"proftuiBuild":');

/** The kept data folder: files by their names in it. */
export class KeptFiles implements Folder {
  readonly path: string;
  /** Lines read so far; 0 for a file that is no kept build. */
  lines = 0;
  private readonly files = new Map<string, Uint8Array>();
  private readonly sink: Sink;

  constructor(path: string, sink: Sink) {
    this.path = path;
    this.sink = sink;
  }

  /** Reads whole lines; returns how many bytes they were. */
  take(bytes: Uint8Array): number {
    if (this.lines === 0 && !isKept(bytes)) return 0;
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      this.line(bytes.subarray(from, end));
      from = end + 1;
    }
    return from;
  }

  /** Reads what follows the last line feed. */
  finish(rest: Uint8Array): void {
    if (rest.length > 0) this.line(rest);
  }

  private line(bytes: Uint8Array): void {
    this.lines++;
    if (this.lines === 1 || bytes.length === 0) return;
    const json = readJson(bytes);
    const value = json.wrong === undefined && isObject(json.value) ? json.value : {};
    const [file, text] = [textOf(value['file']), textOf(value['text'])];
    if (file !== undefined && text !== undefined) this.files.set(file, new TextEncoder().encode(text));
    else
      this.sink.warn({
        path: this.path,
        line: this.lines,
        expected: 'a file and its text',
        found: json.wrong ?? 'a line without file and text',
      });
  }

  list(relative: string): { name: string; folder: boolean; bytes: number }[] {
    const prefix = relative === '' ? '' : `${relative}/`;
    return [...this.files]
      .filter(([name]) => name.startsWith(prefix) && !name.slice(prefix.length).includes('/'))
      .map(([name, { length }]) => ({ name: name.slice(prefix.length), folder: false, bytes: length }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  read(relative: string): Uint8Array | undefined {
    return this.files.get(relative);
  }
}
