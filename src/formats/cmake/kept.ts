// A build kept by `proftui cmake collect`: one compressed file with an index and everything it lists, a JSON line for each file.
// The first line is {"proftuiBuild":1,"about":{…}}, the others {"file":"name in the data folder","value":…}, or "text":"…" for what is no
// JSON, and in builds that older versions kept.
import type { Sink } from '../../model/sink.ts';
import { decodeBytes, hasText } from '../../model/strings.ts';
import type { About, Entry, Folder } from '../loader.ts';
import { isObject, readJson, textOf } from '../shared/json.ts';
import { markLength } from '../shared/stream.ts';

/** Where a tree's builds are kept, next to CMakeCache.txt: deleted together with the build tree. */
export const KEPT_FOLDER = '.proftui';
export const keptHead = (about: About): string => JSON.stringify({ proftuiBuild: 1, about }) + '\n';
/** The build file, relative to the data folder. */
export const BUILD_FILE = '../../../../build.ninja';
/** The same of make: the order of its targets. */
export const MAKE_FILE = '../../../../CMakeFiles/Makefile2';
/** The file of ninja's rules and pools. */
export const RULES_FILE = '../../../../CMakeFiles/rules.ninja';

export const keptLine = (file: string, text: string): string => JSON.stringify({ file, text }) + '\n';

/** A file of valid JSON, as it is, on one line: in JSON, no text has a line feed or a tab in it. */
export function keptValue(file: string, json: Uint8Array): Buffer {
  const [head, end] = [Buffer.from(`{"file":${JSON.stringify(file)},"value":`), Buffer.from('}\n')];
  const out = Buffer.allocUnsafe(head.length + json.length + end.length);
  let at = head.copy(out);
  for (let i = markLength(json); i < json.length; i++) if (json[i] >= 32) out[at++] = json[i];
  return out.subarray(0, at + end.copy(out, at));
}

/** How long each step took, beside the files of CMake. */
export const COURSE_FILE = 'proftui/course.json';
/** How a compiler cache served each source: a list of pairs. */
export const CACHE_FILE = 'proftui/cache.json';
/** The work of the compilers. */
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
    if (this.lines === 1 || bytes.length === 0 || this.plain(bytes)) return;
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

  /** Takes a line with a value, which is parsed when it is read. */
  private plain(bytes: Uint8Array): boolean {
    if (!hasText(bytes, 0, FILE)) return false;
    const nameEnd = bytes.indexOf(QUOTE, FILE.length);
    const from = nameEnd + VALUE.length;
    // A name with an escape is none of CMake's.
    if (nameEnd < 0 || !hasText(bytes, nameEnd, VALUE) || bytes.at(-1) !== CLOSE) return false;
    const name = decodeBytes(bytes, FILE.length, nameEnd);
    if (name.includes('\\')) return false;
    this.files.set(name, this.held(bytes.subarray(from, bytes.length - 1)));
    return true;
  }

  /** A copy, of which many lie in one page. */
  private held(bytes: Uint8Array): Uint8Array {
    if (bytes.length > this.page.length - this.used) {
      this.page = new Uint8Array(Math.max(PAGE, bytes.length));
      this.used = 0;
    }
    this.page.set(bytes, this.used);
    this.used += bytes.length;
    return this.page.subarray(this.used - bytes.length, this.used);
  }

  list(relative: string): Entry[] {
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
