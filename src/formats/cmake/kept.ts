// The format of a build kept by `proftui cmake collect`: one compressed file with a JSON line per file of the index.
// The first line is {"proftuiBuild":1,"about":{…}}, each other line is {"file":"name in the data folder","value":…}.
// Files that are not JSON, and all files kept by older versions, have "text":"…" instead of "value".
import type { Sink } from '../../model/sink.ts';
import { decodeBytes, startsWithAscii } from '../../model/strings.ts';
import type { About, Folder, FolderEntry } from '../loader.ts';
import { objectOf, readJson, textOf } from '../shared/json.ts';
import { byteOrderMarkLength } from '../shared/stream.ts';

/** The folder of a tree's kept builds, next to CMakeCache.txt, so that it is deleted together with the build tree. */
export const KEPT_BUILDS_FOLDER = '.proftui';
export const KEPT_BUILD_NAME = /^build-.*\.json\.gz$/;
export const keptHeadLine = (about: About): string => JSON.stringify({ proftuiBuild: 1, about }) + '\n';
/** The build file, relative to the data folder. */
export const BUILD_FILE = '../../../../build.ninja';
/** make's file with the dependencies between targets, relative to the data folder. */
export const MAKE_FILE = '../../../../CMakeFiles/Makefile2';
/** ninja's file with rules and pools, relative to the data folder. */
export const RULES_FILE = '../../../../CMakeFiles/rules.ninja';

export const keptTextLine = (file: string, text: string): string => JSON.stringify({ file, text }) + '\n';

/** A line that holds a valid JSON file. Control characters are removed; JSON strings cannot contain them. */
export function keptValueLine(file: string, json: Uint8Array): Buffer {
  const [head, end] = [Buffer.from(`{"file":${JSON.stringify(file)},"value":`), Buffer.from('}\n')];
  const out = Buffer.allocUnsafe(head.length + json.length + end.length);
  let at = head.copy(out);
  for (let i = byteOrderMarkLength(json); i < json.length; i++) if (json[i] >= 32) out[at++] = json[i];
  return out.subarray(0, at + end.copy(out, at));
}

/** The entry with the duration of each step, written by proftui. */
export const DURATIONS_FILE = 'proftui/course.json';
/** The entry with the compiler cache's result for each source, written by proftui as a list of pairs. */
export const CACHE_FILE = 'proftui/cache.json';
/** The entry with the compile tables, written by proftui. */
export const COMPILES_FILE = 'proftui/compiles.json';

export const isKeptBuild = (bytes: Uint8Array): boolean => startsWithAscii(bytes, 0, '{"proftuiBuild":');

const [FILE, VALUE] = ['{"file":"', '","value":'];
const QUOTE = 34;
const CLOSE_BRACE = 125;

/** The files of a kept build as a folder, by their names in the data folder. */
export class KeptFiles implements Folder {
  /** Number of lines read so far; 0 if the file is not a kept build. */
  lines = 0;
  private readonly files = new Map<string, Uint8Array>();

  constructor(
    readonly path: string,
    private readonly sink: Sink,
  ) {}

  /** Reads whole lines; returns the number of bytes consumed. */
  take(bytes: Uint8Array): number {
    if (this.lines === 0 && !isKeptBuild(bytes)) return 0;
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      this.readLine(bytes.subarray(from, end));
      from = end + 1;
    }
    return from;
  }

  readLine(bytes: Uint8Array): void {
    this.lines++;
    if (this.lines === 1 || bytes.length === 0 || this.storeValueLine(bytes)) return;
    const json = readJson(bytes);
    const value = objectOf(json.value);
    const [file, text] = [textOf(value['file']), textOf(value['text'])];
    const found = json.wrong ?? 'a line without file and text';
    if (file !== undefined && text !== undefined) this.files.set(file, new TextEncoder().encode(text));
    else this.sink.warn({ path: this.path, line: this.lines, expected: 'a file and its text', found });
  }

  /** Stores a line of the form {"file":…,"value":…} without parsing its value; false for other lines. */
  private storeValueLine(bytes: Uint8Array): boolean {
    if (!startsWithAscii(bytes, 0, FILE)) return false;
    const nameEnd = bytes.indexOf(QUOTE, FILE.length);
    const from = nameEnd + VALUE.length;
    // CMake's file names contain no escapes.
    if (nameEnd < 0 || !startsWithAscii(bytes, nameEnd, VALUE) || bytes.at(-1) !== CLOSE_BRACE) return false;
    const name = decodeBytes(bytes, FILE.length, nameEnd);
    if (name.includes('\\')) return false;
    // Node copies small values into memory that they share, which is faster than an array for each.
    const { buffer, byteOffset, length } = Buffer.from(bytes.subarray(from, bytes.length - 1));
    this.files.set(name, new Uint8Array(buffer, byteOffset, length));
    return true;
  }

  list(relative: string): FolderEntry[] {
    const prefix = relative === '' ? '' : `${relative}/`;
    return [...this.files.keys()]
      .filter((name) => name.startsWith(prefix) && !name.slice(prefix.length).includes('/'))
      .map((name) => ({ name: name.slice(prefix.length), folder: false, regular: true }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  read(relative: string): Uint8Array | undefined {
    return this.files.get(relative);
  }
}
