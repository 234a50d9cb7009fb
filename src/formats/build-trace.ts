// Klocwork build traces (kwinject): a stream of JSON objects, by the specification one per line; real files also have several on a
// line or one over several lines. Broken ones are skipped. Specification: "build trace file format", version 101. Ids repeat (pids
// are reused, exec keeps them): a child belongs to the latest event before it that has its parent's id, or else to any.
import { FormatError } from '../base/problem.ts';
import { enlarged } from '../model/column.ts';
import { ProcessWriter } from '../model/processes/writer.ts';
import type { Sink } from '../model/sink.ts';
import { decodeBytes, type Interner } from '../model/strings.ts';
import type { Detection, Loader, Source } from './loader.ts';
import { FileReader } from './shared/file-reader.ts';
import { isBlank, isObject, type JsonObject, listOf, readJson, textOf, valueEnd, wordOf } from './shared/json.ts';
import { FieldScan } from './shared/json-scan.ts';
import { headText, joinBytes, readLines } from './shared/stream.ts';

const LONG = 1 << 20;

function detect(head: Uint8Array, path: string): Detection {
  const text = headText(head).trimStart();
  if (/^\{\s*"version"\s*:\s*"?\d+"?\s*\}/.test(text) || /^\{\s*"creator"\s*:\s*"[^"]*(kw|trace)/.test(text)) return 'yes';
  if (/^\{[^\n]*"(parent_id|work_dir|executable)"\s*:/.test(text) && /"(executable|args)"\s*:/.test(text)) return 'yes'; // bounded: the head of a file
  return /\.trace$/.test(path) && text.startsWith('{') && !/"traceEvents"/.test(text) ? 'maybe' : 'no';
}

/** Fields of events, as they are numbered in FieldScan. */
const FIELDS = ['id', 'parent_id', 'work_dir', 'executable', 'args', 'env-diff'];
const [ID, PARENT, DIRECTORY, EXECUTABLE, ARGS, ENV_DIFF] = FIELDS.keys();

/** Finds the fields of an event in its bytes. */
class EventScan extends FieldScan {
  /** Where arguments begin and end in turn, without their quotes; then their numbers. */
  private bounds = new Uint32Array(256);
  private count = 0;

  /** `most`: the limit of bytes in the executable and in an argument. */
  constructor(private readonly most: number) {
    super(FIELDS);
  }

  /** Whether bytes[from..to) are an event with whole numbers as ids, all of its texts and no changes of the environment. */
  read(bytes: Uint8Array, from: number, to: number): boolean {
    const { at, most } = this;
    if (this.scan(bytes, from, to) !== to || at[ENV_DIFF] >= 0 || !this.isWhole(ID) || !this.isWhole(PARENT)) return false;
    if (at[ARGS] < 0 || !this.isText(DIRECTORY) || !this.isText(EXECUTABLE)) return false;
    const length = this.to[EXECUTABLE] - at[EXECUTABLE] - 2;
    return length > 0 && length <= most;
  }

  /** The numbers of the arguments; valid until the next event is read. */
  argumentIds(strings: Interner): Uint32Array {
    const { bytes, bounds, count } = this;
    for (let k = 0; k < count; k++) bounds[k] = strings.bytesId(bytes, bounds[2 * k], bounds[2 * k + 1]);
    return bounds.subarray(0, count);
  }

  protected override valueAt(field: number, at: number): number {
    if (field !== ARGS) return this.skip(at);
    this.count = 0;
    return this.list(at, this.argument);
  }

  private isWhole(field: number): boolean {
    const to = this.to[field];
    let i = this.at[field];
    if (i < 0) return false;
    while (i < to && this.bytes[i] >= 48 && this.bytes[i] <= 57) i++;
    return i === to;
  }

  private readonly argument = (at: number): number => {
    const to = this.text(at);
    if (to < 0 || to - at - 2 > this.most) return -1;
    const k = 2 * this.count++;
    if (k === this.bounds.length) this.bounds = enlarged(this.bounds, 2 * k);
    this.bounds[k] = at + 1;
    this.bounds[k + 1] = to - 1;
    return to;
  };
}

export class Reader extends FileReader {
  private readonly rows = this.sink.tables(ProcessWriter);
  private readonly scan = new EventScan(this.sink.limits.name);
  private version: string | undefined;
  private creator: string | null = null;
  private variables = 0;
  private events = 0;
  private problems = 0;
  /** Lines of an unfinished object, how many of its braces and brackets are open, and its size in bytes. */
  private pending: Uint8Array[] = [];
  private open = 0;
  private kept = 0;
  private pendingLine = 0;
  private lineNo = 0;
  known = 0;

  private problem(line: number, found: string): void {
    this.problems++;
    this.warn({ line }, 'a JSON object with version, creator, env or id', `${found.slice(0, 80)}; left out`);
  }

  /** Takes the line bytes[from..to) by itself if it is one event, written plainly; false leaves it to line(). */
  quick(bytes: Uint8Array, from: number, to: number): boolean {
    const { scan } = this;
    const { strings } = this.sink;
    if (this.pending.length > 0 || !scan.read(bytes, from, to)) return false;
    this.lineNo++;
    this.known++;
    this.events++;
    const id = (field: number, quote: number) => strings.bytesId(bytes, scan.at[field] + quote, scan.to[field] - quote);
    this.rows.push({
      id: id(ID, 0),
      parentId: id(PARENT, 0),
      part: this.part,
      line: this.lineNo,
      executable: id(EXECUTABLE, 1),
      directory: id(DIRECTORY, 1),
      args: scan.argumentIds(strings),
      env: [],
    });
    return true;
  }

  /** One line without its line end; `ended`: it had one. */
  line(bytes: Uint8Array, ended: boolean): void {
    this.lineNo++;
    if (this.pending.length === 0) this.take(bytes, this.lineNo);
    else this.goOn(bytes);
    // A JSON string cannot contain a line break: the object is broken, and the next line starts afresh.
    if (ended && this.open === IN_STRING) this.dropPending();
  }

  /** Reads the complete objects at bytes[from..]; returns where they end. */
  private objectsAt(bytes: Uint8Array, from: number, line: number): number {
    for (let at = from; ; ) {
      while (at < bytes.length && (isBlank(bytes[at]) || bytes[at] === 44)) at++;
      const to = bytes[at] === 123 ? valueEnd(bytes, at, bytes.length) : -1;
      const value = to < 0 ? undefined : objectAt(bytes, at, to);
      if (value === undefined) return at;
      this.object(value, line, decodeBytes(bytes, at, Math.min(to, at + 4096)));
      at = to;
    }
  }

  /** Reads what it can of a long line before its end arrives: a whole build on one line need not be held in memory. */
  begin(bytes: Uint8Array): number {
    return bytes.length <= LONG || this.pending.length > 0 ? 0 : this.objectsAt(bytes, 0, this.lineNo + 1);
  }

  private goOn(bytes: Uint8Array): void {
    // A line that is a complete event ends a broken object before it.
    if (startsObject(bytes)) {
      const end = valueEnd(bytes, firstByte(bytes), bytes.length);
      const value = end > 0 ? objectAt(bytes, firstByte(bytes), end) : undefined;
      if (value && isEvent(value)) {
        this.dropPending();
        return this.take(bytes, this.lineNo);
      }
    }
    this.keep(bytes);
    if (this.open > 0 || this.open === IN_STRING) {
      if (this.kept > this.sink.limits.value) this.dropPending();
      return;
    }
    // Joined once, when complete, rather than copied anew for each line.
    const joined = joinBytes(this.pending.flatMap((piece, i) => (i === 0 ? [piece] : [NEWLINE, piece])));
    this.pending = [];
    this.take(joined, this.pendingLine);
  }

  private keep(bytes: Uint8Array): void {
    this.open = openAfter(bytes, this.open);
    this.kept += bytes.length;
    this.pending.push(bytes.slice());
  }

  private dropPending(): void {
    const first = this.pending[0];
    if (first) this.problem(this.pendingLine, `unclosed object ${decodeBytes(first, 0, Math.min(60, first.length))} …`);
    this.pending = [];
    this.open = 0;
  }

  /** Reads the objects in some bytes; an unfinished one is kept. */
  private take(bytes: Uint8Array, line: number): void {
    const end = bytes.length;
    let at = this.objectsAt(bytes, 0, line);
    while (at < end && bytes[at] !== 123) {
      const next = bytes.indexOf(123, at);
      this.problem(line, decodeBytes(bytes, at, Math.min(next < 0 ? end : next, at + 200)).trim());
      if (next < 0) return;
      at = this.objectsAt(bytes, next, line);
    }
    if (at >= end) return;
    // After something broken, the rest of the line cannot be trusted.
    if (valueEnd(bytes, at, end) >= 0) return this.problem(line, decodeBytes(bytes, at, Math.min(end, at + 80)));
    this.open = 0;
    this.kept = 0;
    this.keep(bytes.subarray(at));
    this.pendingLine = line;
    // Mismatched brackets never close.
    if (this.open === 0) this.dropPending();
  }

  private object(value: JsonObject, line: number, text: string): void {
    this.known++;
    if ('id' in value || 'executable' in value || 'args' in value) return this.event(value, line, text);
    if ('version' in value) {
      this.version = wordOf(value['version']);
      const n = Number(this.version);
      if (Number.isInteger(n) && n >= 200)
        this.warn({ line }, 'version 1.x', `version ${Math.floor(n / 100)}.${n % 100}; read as version 1.1`);
      return;
    }
    if ('creator' in value) {
      this.creator = wordOf(value['creator']);
      return;
    }
    if ('env' in value) {
      if (isObject(value['env'])) this.variables = Object.keys(value['env']).length;
      return;
    }
    this.known--;
    this.problem(line, text);
  }

  private word(value: unknown, line: number): string {
    const word = wordOf(value);
    this.limit('name', word.length, { line });
    return word;
  }

  private event(value: JsonObject, line: number, text: string): void {
    const { strings } = this.sink;
    const args = listOf(value['args']).map((a) => this.word(a, line));
    const executable = typeof value['executable'] === 'string' ? this.word(value['executable'], line) : (args[0] ?? '');
    const missing = ['id', 'work_dir', 'executable', 'args'].filter((key) => value[key] === undefined || value[key] === null);
    if (executable === '' && args.length === 0) return this.problem(line, `an event without ${missing.join(' and ')}`);
    if (missing.length > 0)
      this.warn(
        { line },
        'an event with id, work_dir, executable and args',
        `an event without ${missing.join(', ')}; shown anyway`,
      );
    this.events++;
    const diff = value['env-diff'];
    const parent = value['parent_id'];
    const parentId = parent === undefined || parent === null ? NO_PARENT : idText(parent, 'parent_id', text);
    const directory = textOf(value['work_dir']);
    this.rows.push({
      id: strings.textId(idText(value['id'], 'id', text)),
      parentId: parentId === NO_PARENT ? -1 : strings.textId(parentId),
      part: this.part,
      line,
      executable: strings.textId(executable),
      directory: directory === undefined ? -1 : strings.textId(directory),
      args: args.map((arg) => strings.textId(arg)),
      env: Object.entries(isObject(diff) ? diff : {}).map(([name, v]) => [
        strings.textId(name),
        v === null ? -1 : strings.textId(wordOf(v)),
      ]),
    });
  }

  finish(cutLine: boolean): void {
    const { sink, path } = this;
    if (this.pending.length > 0 && cutLine) {
      sink.cut ??= {
        path,
        line: this.pendingLine,
        expected: 'the end of an event',
        found: 'the end of the file',
        hint: 'the file was cut off: only complete events are shown',
      };
      this.problems++;
      this.pending = [];
    } else this.dropPending();
    if (this.version === undefined && this.known > 0) this.warn({ line: 1 }, 'a version', 'no version; read as version 1.1');
    sink.creator ??= this.creator;
    sink.addPart({
      path,
      notes: [
        `version ${this.version ?? '???'}; ${this.events} events, ${this.variables} variables at the start${this.problems > 0 ? `, ${this.problems} problems` : ''}`,
      ],
      events: ['events'],
    });
  }
}

function firstByte(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length && isBlank(bytes[at])) at++;
  return at;
}

const NO_PARENT = '-1';
const RETURN = 13;
const IN_STRING = -1;
const NEWLINE = Uint8Array.of(10);

/** How many braces and brackets are open after some bytes; IN_STRING if they end inside a string. */
function openAfter(bytes: Uint8Array, before: number): number {
  let open = before;
  let inside = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === 34) inside = !inside;
    else if (inside) at += byte === 92 ? 1 : 0;
    else if (byte === 123 || byte === 91) open++;
    else if (byte === 125 || byte === 93) open--;
  }
  return inside ? IN_STRING : Math.max(0, open);
}

/** undefined if it is not JSON. */
function objectAt(bytes: Uint8Array, from: number, to: number): JsonObject | undefined {
  const json = readJson(bytes, from, to);
  return json.wrong === undefined && isObject(json.value) ? json.value : undefined;
}

const startsObject = (bytes: Uint8Array) => bytes[firstByte(bytes)] === 123;
const isEvent = (v: JsonObject) => ('id' in v && ('executable' in v || 'args' in v)) || 'version' in v;
/** An id as text; numbers beyond 2^53 as written in the file. */
function idText(value: unknown, key: string, text: string): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    const m = new RegExp(`"${key}"\\s*:\\s*([-+.\\deE]+)`).exec(text);
    if (m) return m[1];
  }
  return wordOf(value);
}

/** Loads a trace. Tests give a reader of their own. */
export async function loadTrace(source: Source, sink: Sink, signal: AbortSignal, Of = Reader): Promise<void> {
  const { path } = source;
  const reader = new Of(sink, path);
  const { read, rest } = await readLines(
    source,
    sink.limits,
    signal,
    (bytes, from, to) => {
      if (!reader.quick(bytes, from, bytes[to - 1] === RETURN ? to - 1 : to)) reader.line(bytes.subarray(from, to), true);
    },
    { take: (bytes) => reader.begin(bytes), limit: 'value' },
  );
  if (read === 0) throw new FormatError({ path, line: 0, expected: 'a build trace', found: 'an empty file' });
  if (rest.length > 0) reader.line(rest, false);
  reader.finish(rest.length > 0);
  if (reader.known === 0) throw new FormatError({ path, line: 1, expected: 'JSON objects of a build trace', found: 'none' });
}

export const buildTrace: Loader = {
  name: 'build-trace',
  title: 'Klocwork build trace (kwinject): the commands of a build, without times',
  provides: ['processes', 'trees'],
  alone: true,
  make: 'kwinject --trace-out build.trace make',
  fileNames: /\.trace(\.gz)?$/,
  detect,
  load: (source, sink, signal) => loadTrace(source, sink, signal),
};
