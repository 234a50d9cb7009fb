// Klocwork build traces (kwinject, format 101): a stream of JSON objects. The specification requires one object per line.
// In real files, a line may contain several objects, and an object may span several lines. Broken objects are skipped.
// Ids repeat, since pids are reused and exec keeps them. A parent is the latest earlier event with its id, or else any.
import { growColumn } from '../model/column.ts';
import { ProcessWriter } from '../model/processes/writer.ts';
import { decodeBytes, type Interner } from '../model/strings.ts';
import type { Detection, Loader } from './loader.ts';
import { isBlank, isObject, type JsonObject, listOf, objectOf, readJson, textOf, textOfAny, valueEnd } from './shared/json.ts';
import { FieldScan } from './shared/json-scan.ts';
import { FileReader, headText, joinBytes, makeLineLoader } from './shared/stream.ts';

const LONG_LINE_BYTES = 1 << 20;

function detect(head: Uint8Array, path: string): Detection {
  const text = headText(head).trimStart();
  if (/^\{\s*"version"\s*:\s*"?\d+"?\s*\}/.test(text) || /^\{\s*"creator"\s*:\s*"[^"]*(kw|trace)/.test(text)) return 'yes';
  if (/^\{[^\n]*"(parent_id|work_dir|executable)"\s*:/.test(text) && /"(executable|args)"\s*:/.test(text)) return 'yes'; // bounded: the head of a file
  return /\.trace$/.test(path) && text.startsWith('{') && !/"traceEvents"/.test(text) ? 'maybe' : 'no';
}

/** Field names of events. The index of a name is its field number in FieldScan. */
const EVENT_FIELDS = ['id', 'parent_id', 'work_dir', 'executable', 'args', 'env-diff'];
const [ID, PARENT, DIRECTORY, EXECUTABLE, ARGS, ENV_DIFF] = EVENT_FIELDS.keys();

/** Finds the fields of an event in its bytes. */
class BuildEventScan extends FieldScan {
  /** Start and end offsets of the arguments, alternating, without quotes. argumentIds() overwrites them with string ids. */
  private bounds = new Uint32Array(256);
  private count = 0;

  /** `mostBytes`: the maximum bytes of the executable and of an argument. */
  constructor(private readonly mostBytes: number) {
    super(EVENT_FIELDS);
  }

  /** True if bytes[from..to) is an event with integer ids, a directory, an executable and args, but no env-diff. */
  read(bytes: Uint8Array, from: number, to: number): boolean {
    const { at, mostBytes } = this;
    if (this.scan(bytes, from, to) !== to || at[ENV_DIFF] >= 0 || !this.isWhole(ID) || !this.isWhole(PARENT)) return false;
    if (at[ARGS] < 0 || !this.isText(DIRECTORY) || !this.isText(EXECUTABLE)) return false;
    const length = this.to[EXECUTABLE] - at[EXECUTABLE] - 2;
    return length > 0 && length <= mostBytes;
  }

  /** The string ids of the arguments; valid until the next event is read. */
  argumentIds(strings: Interner): Uint32Array {
    const { bytes, bounds, count } = this;
    for (let k = 0; k < count; k++) bounds[k] = strings.bytesId(bytes, bounds[2 * k], bounds[2 * k + 1]);
    return bounds.subarray(0, count);
  }

  protected override readValue(field: number, at: number): number {
    if (field !== ARGS) return this.skipValue(at);
    this.count = 0;
    return this.readList(at, this.readArgument);
  }

  private isWhole(field: number): boolean {
    const to = this.to[field];
    let i = this.at[field];
    if (i < 0) return false;
    while (i < to && this.bytes[i] >= 48 && this.bytes[i] <= 57) i++;
    return i === to;
  }

  private readonly readArgument = (at: number): number => {
    const to = this.textEnd(at);
    if (to < 0 || to - at - 2 > this.mostBytes) return -1;
    const k = 2 * this.count++;
    if (k === this.bounds.length) this.bounds = growColumn(this.bounds, 2 * k);
    this.bounds[k] = at + 1;
    this.bounds[k + 1] = to - 1;
    return to;
  };
}

export class BuildTraceReader extends FileReader {
  private readonly rows = this.sink.writerFor(ProcessWriter);
  private readonly scan = new BuildEventScan(this.sink.limits.name);
  private version: string | undefined;
  private creator: string | null = null;
  private variables = 0;
  private events = 0;
  private problems = 0;
  /** Lines of an unfinished object, the number of its open brackets (or IN_STRING), and its size in bytes. */
  private pending: Uint8Array[] = [];
  private openBrackets = 0;
  private pendingBytes = 0;
  private pendingLine = 0;
  private understoodObjects = 0;

  private warnSkipped(line: number, found: string): void {
    this.problems++;
    this.warn({ line }, 'a JSON object with version, creator, env or id', `${found.slice(0, 80)}; left out`);
  }

  /** Reads the line bytes[from..to) if it is a single plain event; otherwise returns false. */
  readPlainEvent(bytes: Uint8Array, from: number, to: number): boolean {
    const { scan } = this;
    const { strings } = this.sink;
    if (this.pending.length > 0 || !scan.read(bytes, from, to)) return false;
    this.lineNo++;
    this.understoodObjects++;
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

  readLine(bytes: Uint8Array, from: number, to: number): void {
    if (!this.readPlainEvent(bytes, from, bytes[to - 1] === CARRIAGE_RETURN ? to - 1 : to))
      this.readOtherLine(bytes.subarray(from, to), true);
  }

  /** `ended`: the line had a line end. */
  private readOtherLine(bytes: Uint8Array, ended: boolean): void {
    this.lineNo++;
    if (this.pending.length === 0) this.readObjects(bytes, this.lineNo);
    else this.continueObject(bytes);
    // A JSON string cannot contain a line break. The object is broken: drop it and start again at the next line.
    if (ended && this.openBrackets === IN_STRING) this.dropPending();
  }

  /** Reads the complete objects from bytes[from..]; returns the position after the last one. */
  private readObjectsAt(bytes: Uint8Array, from: number, line: number): number {
    for (let at = from; ; ) {
      while (at < bytes.length && (isBlank(bytes[at]) || bytes[at] === 44)) at++;
      const to = bytes[at] === 123 ? valueEnd(bytes, at, bytes.length) : -1;
      const value = to < 0 ? undefined : parseObjectAt(bytes, at, to);
      if (value === undefined) return at;
      this.readObject(value, line, decodeBytes(bytes, at, Math.min(to, at + 4096)));
      at = to;
    }
  }

  /** Reads complete objects of a long line before the line ends, so that a whole build on one line is never held in memory. */
  readLongLine(bytes: Uint8Array): number {
    return bytes.length <= LONG_LINE_BYTES || this.pending.length > 0 ? 0 : this.readObjectsAt(bytes, 0, this.lineNo + 1);
  }

  private continueObject(bytes: Uint8Array): void {
    // If this line is a complete event, the unfinished object before it is broken and is dropped.
    const from = bytes.findIndex((byte) => !isBlank(byte));
    const end = bytes[from] === 123 ? valueEnd(bytes, from, bytes.length) : -1;
    const value = end > 0 ? parseObjectAt(bytes, from, end) : undefined;
    if (value && isEvent(value)) {
      this.dropPending();
      return this.readObjects(bytes, this.lineNo);
    }
    this.keepUnfinished(bytes);
    if (this.openBrackets > 0 || this.openBrackets === IN_STRING) {
      if (this.pendingBytes > this.sink.limits.value) this.dropPending();
      return;
    }
    // The lines are joined only once, when the object is complete.
    const joined = joinBytes(this.pending.flatMap((piece, i) => (i === 0 ? [piece] : [NEWLINE, piece])));
    this.pending = [];
    this.readObjects(joined, this.pendingLine);
  }

  private keepUnfinished(bytes: Uint8Array): void {
    this.openBrackets = openBracketsAfter(bytes, this.openBrackets);
    this.pendingBytes += bytes.length;
    this.pending.push(bytes.slice());
  }

  private dropPending(): void {
    const first = this.pending[0];
    if (first) this.warnSkipped(this.pendingLine, `unclosed object ${decodeBytes(first, 0, Math.min(60, first.length))} …`);
    this.pending = [];
    this.openBrackets = 0;
  }

  /** Reads the objects in the bytes; an unfinished object is kept for the next line. */
  private readObjects(bytes: Uint8Array, line: number): void {
    const end = bytes.length;
    let at = this.readObjectsAt(bytes, 0, line);
    while (at < end && bytes[at] !== 123) {
      const next = bytes.indexOf(123, at);
      this.warnSkipped(line, decodeBytes(bytes, at, Math.min(next < 0 ? end : next, at + 200)).trim());
      if (next < 0) return;
      at = this.readObjectsAt(bytes, next, line);
    }
    if (at >= end) return;
    // A complete but invalid value: skip the rest of the line.
    if (valueEnd(bytes, at, end) >= 0) return this.warnSkipped(line, decodeBytes(bytes, at, Math.min(end, at + 80)));
    this.openBrackets = 0;
    this.pendingBytes = 0;
    this.keepUnfinished(bytes.subarray(at));
    this.pendingLine = line;
    // The brackets are mismatched: the object would never close.
    if (this.openBrackets === 0) this.dropPending();
  }

  private readObject(value: JsonObject, line: number, text: string): void {
    this.understoodObjects++;
    if ('id' in value || 'executable' in value || 'args' in value) return this.readEvent(value, line, text);
    if ('version' in value) {
      this.version = textOfAny(value['version']);
      const n = Number(this.version);
      if (Number.isInteger(n) && n >= 200)
        this.warn({ line }, 'version 1.x', `version ${Math.floor(n / 100)}.${n % 100}; read as version 1.1`);
    } else if ('creator' in value) this.creator = textOfAny(value['creator']);
    else if ('env' in value) {
      if (isObject(value['env'])) this.variables = Object.keys(value['env']).length;
    } else {
      this.understoodObjects--;
      this.warnSkipped(line, text);
    }
  }

  private checkedWord(value: unknown, line: number): string {
    const word = textOfAny(value);
    this.checkLimit('name', word.length, { line });
    return word;
  }

  private readEvent(value: JsonObject, line: number, text: string): void {
    const { strings } = this.sink;
    const args = listOf(value['args']).map((a) => this.checkedWord(a, line));
    const executable = typeof value['executable'] === 'string' ? this.checkedWord(value['executable'], line) : (args[0] ?? '');
    const missing = ['id', 'work_dir', 'executable', 'args'].filter((key) => value[key] === undefined || value[key] === null);
    if (executable === '' && args.length === 0) return this.warnSkipped(line, `an event without ${missing.join(' and ')}`);
    const found = `an event without ${missing.join(', ')}; shown anyway`;
    if (missing.length > 0) this.warn({ line }, 'an event with id, work_dir, executable and args', found);
    this.events++;
    const parent = value['parent_id'];
    const parentId = parent === undefined || parent === null ? NO_PARENT_ID : textOfId(parent, 'parent_id', text);
    const directory = textOf(value['work_dir']);
    this.rows.push({
      id: strings.textId(textOfId(value['id'], 'id', text)),
      parentId: parentId === NO_PARENT_ID ? -1 : strings.textId(parentId),
      part: this.part,
      line,
      executable: strings.textId(executable),
      directory: directory === undefined ? -1 : strings.textId(directory),
      args: args.map((arg) => strings.textId(arg)),
      env: Object.entries(objectOf(value['env-diff'])).map(([name, v]) => [
        strings.textId(name),
        v === null ? -1 : strings.textId(textOfAny(v)),
      ]),
    });
  }

  finish(rest: Uint8Array): void {
    const { sink, path } = this;
    if (rest.length > 0) this.readOtherLine(rest, false);
    if (this.pending.length > 0 && rest.length > 0) {
      this.markCut({ line: this.pendingLine }, 'the end of an event', 'the file was cut off: only complete events are shown');
      this.problems++;
      this.pending = [];
    } else this.dropPending();
    if (this.version === undefined && this.understoodObjects > 0)
      this.warn({ line: 1 }, 'a version', 'no version; read as version 1.1');
    sink.creator ??= this.creator;
    const problems = this.problems > 0 ? `, ${this.problems} problems` : '';
    const counts = `${this.events} events, ${this.variables} variables at the start${problems}`;
    sink.addPart({ path, notes: [`version ${this.version ?? '???'}; ${counts}`], events: ['events'] });
    if (this.understoodObjects === 0) throw this.error({ line: 1 }, 'JSON objects of a build trace', 'none');
  }
}

const NO_PARENT_ID = '-1';
const CARRIAGE_RETURN = 13;
const IN_STRING = -1;
const NEWLINE = Uint8Array.of(10);

/** The number of open braces and brackets after the bytes; IN_STRING if the bytes end inside a string. */
function openBracketsAfter(bytes: Uint8Array, before: number): number {
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

function parseObjectAt(bytes: Uint8Array, from: number, to: number): JsonObject | undefined {
  const { value } = readJson(bytes, from, to);
  return isObject(value) ? value : undefined;
}

const isEvent = (v: JsonObject) => ('id' in v && ('executable' in v || 'args' in v)) || 'version' in v;
/** The text of an id. Numbers beyond 2^53 are returned as written in the file. */
function textOfId(value: unknown, key: string, text: string): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    const m = new RegExp(`"${key}"\\s*:\\s*([-+.\\deE]+)`).exec(text);
    if (m) return m[1];
  }
  return textOfAny(value);
}

export const buildTrace: Loader = {
  name: 'build-trace',
  title: 'Klocwork build trace (kwinject): the commands of a build, without times',
  provides: ['processes', 'commands', 'trees'],
  make: 'kwinject --trace-out build.trace make',
  fileNames: /\.trace(\.gz)?$/,
  detect,
  load: makeLineLoader(BuildTraceReader, 'a build trace'),
};
