// A build kept by `proftui cmake collect`: one compressed file with an index and everything it lists, a JSON line for each file.
// The first line is {"proftuiBuild":1,"about":{…}}, the others {"file":"name in the data folder","value":…}, or "text":"…" for what is no
// JSON, and in builds that older versions kept.
import type { Sink } from '../../model/sink.ts';
import { decodeBytes, hasText } from '../../model/strings.ts';
import type { About, Folder, FolderEntry } from '../loader.ts';
import { isObject, readJson, textOf } from '../shared/json.ts';
import { markLength } from '../shared/stream.ts';

/** Where a tree's builds are kept, next to CMakeCache.txt: deleted together with the build tree. */
export const KEPT_FOLDER = '.proftui';
export const keptHeadLine = (about: About): string => JSON.stringify({ proftuiBuild: 1, about }) + '\n';
/** The build file, relative to the data folder. */
export const BUILD_FILE = '../../../../build.ninja';
/** make's file with the order of targets, relative to the data folder. */
export const MAKE_FILE = '../../../../CMakeFiles/Makefile2';
/** The file of ninja's rules and pools. */
export const RULES_FILE = '../../../../CMakeFiles/rules.ninja';

export const keptTextLine = (file: string, text: string): string => JSON.stringify({ file, text }) + '\n';

/** A line that holds a valid JSON file. Control characters are removed; JSON strings cannot contain them. */
export function keptValueLine(file: string, json: Uint8Array): Buffer {
  const [head, end] = [Buffer.from(`{"file":${JSON.stringify(file)},"value":`), Buffer.from('}\n')];
  const out = Buffer.allocUnsafe(head.length + json.length + end.length);
  let at = head.copy(out);
  for (let i = markLength(json); i < json.length; i++) if (json[i] >= 32) out[at++] = json[i];
  return out.subarray(0, at + end.copy(out, at));
}

/** proftui's file with the duration of each step. */
export const COURSE_FILE = 'proftui/course.json';
/** proftui's file with the compiler cache's result per source: a list of pairs. */
export const CACHE_FILE = 'proftui/cache.json';
/** proftui's file with the compile tables. */
export const COMPILES_FILE = 'proftui/compiles.json';

export const isKept = (bytes: Uint8Array): boolean => hasText(bytes, 0, '{"proftuiBuild":');

const [FILE, VALUE] = ['{"file":"', '","value":'];
const QUOTE = 34;
const CLOSE = 125;
const PAGE = 4 << 20;

/** The kept data folder: files by their names in it. */
export class KeptFiles implements Folder {
  /** Lines read so far; 0 for a file that is no kept build. */
  lines = 0;
  private readonly files = new Map<string, Uint8Array>();
  private page = new Uint8Array(0);
  private used = 0;

  constructor(
    readonly path: string,
    private readonly sink: Sink,
  ) {}

  /** Reads whole lines; returns how many bytes they were. */
  take(bytes: Uint8Array): number {
    if (this.lines === 0 && !isKept(bytes)) return 0;
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      this.readLine(bytes.subarray(from, end));
      from = end + 1;
    }
    return from;
  }

  /** Reads what follows the last line feed. */
  finish(rest: Uint8Array): void {
    if (rest.length > 0) this.readLine(rest);
  }

  private readLine(bytes: Uint8Array): void {
    this.lines++;
    if (this.lines === 1 || bytes.length === 0 || this.takeValueLine(bytes)) return;
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

  /** Stores a line of the form {"file":…,"value":…}; the value is parsed on demand. */
  private takeValueLine(bytes: Uint8Array): boolean {
    if (!hasText(bytes, 0, FILE)) return false;
    const nameEnd = bytes.indexOf(QUOTE, FILE.length);
    const from = nameEnd + VALUE.length;
    // CMake's file names contain no escapes.
    if (nameEnd < 0 || !hasText(bytes, nameEnd, VALUE) || bytes.at(-1) !== CLOSE) return false;
    const name = decodeBytes(bytes, FILE.length, nameEnd);
    if (name.includes('\\')) return false;
    this.files.set(name, this.copyToPage(bytes.subarray(from, bytes.length - 1)));
    return true;
  }

  /** Copies the bytes into a page shared by many values. */
  private copyToPage(bytes: Uint8Array): Uint8Array {
    if (bytes.length > this.page.length - this.used) {
      this.page = new Uint8Array(Math.max(PAGE, bytes.length));
      this.used = 0;
    }
    this.page.set(bytes, this.used);
    this.used += bytes.length;
    return this.page.subarray(this.used - bytes.length, this.used);
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
