// Reads header lines and parts of Callgrind files. A file has one or more parts; each part has a header and a body.
// Only the first part has all keys. Later parts inherit missing keys, except part and thread numbers, from the part before.

import { firstIndexWhere } from '../../base/lists.ts';
import type { Exact, Unit } from '../../base/units.ts';
import type { CallGraphWriter } from '../../model/callgraph/writer.ts';
import type { Sink } from '../../model/sink.ts';
import { decodeBytes } from '../../model/strings.ts';
import { type FailFunction, failBeyondLimit, readNumber, skipBlanks } from './numbers.ts';
import { countProblem, type ProblemCounts } from './specs.ts';

/** Keys that open a new part after a body. `summary` and `totals` may close a part; other keys may occur anywhere. */
const PART_OPENING_KEYS = new Set(['version', 'creator', 'pid', 'cmd', 'part', 'thread', 'desc', 'positions', 'events']);
const IGNORED_KEYS = new Set(['arch', 'timeframe (BB)', 'timeframe']);
const WRAPPED_FROM = 2n ** 63n;
const POSITION_NAMES = ['instr', 'bb', 'line'];

interface OpenPart {
  part: number | null;
  thread: number | null;
  notes: string[];
  events: string[];
  summary: Exact[] | null;
  totals: Exact[] | null;
}

export class PartReader {
  hasInstr = false;
  hasBb = false;
  hasLine = true;
  /** The subpositions of the part's lines, as given by its `positions:` line. */
  positions: string[] = ['line'];
  /** Cost column of each event of the current part. */
  columns: number[] = [];
  eventNames: string[] = [];
  hasEvents = false;
  hasBody = false;
  /** Key of the line with the sums at the end of the file. Callgrind writes its `summary:` in the header, before the costs. */
  lastKey: 'totals' | 'summary' = 'totals';
  /** Index of the part that the next rows belong to. */
  part = 0;
  /** Anomalies that do not make numbers wrong: a warning each, with the first line and a count. */
  readonly anomalies: ProblemCounts = new Map();
  /** A separator line was read, as xdebug writes between runs: the next header belongs to another program's run. */
  isAppended = false;
  private pid: number | null = null;
  private command: string | null = null;
  private creator: string | null = null;
  private openPart: OpenPart;
  /** First row of the part, and the sums of the costs of all rows before it. */
  private firstRow = 0;
  private sumsBefore: readonly number[] = [];

  constructor(
    private readonly sink: Sink,
    private readonly tables: CallGraphWriter,
    private readonly path: string,
    readonly fail: FailFunction,
    /** The line that is being read, for anomalies. */
    readonly lineNo: () => number,
  ) {
    this.part = sink.parts.length;
    this.openPart = this.newPart();
  }

  private newPart(): OpenPart {
    const { lines } = this.tables;
    this.firstRow = lines.rows;
    this.sumsBefore = lines.costs.sumsTo(lines.rows);
    return { part: null, thread: null, notes: [], events: this.eventNames, summary: null, totals: null };
  }

  failWithoutEvents(p: number): never {
    const hint = 'the events: line names the counts, as in "events: Ir"';
    this.fail(p, 'an events: line before the first cost line', 'a cost line', hint);
  }

  /** xdebug writes a memory difference below 0 as a number of 64 bits without a sign. */
  withSign(value: Exact, k: number): Exact {
    if (value < WRAPPED_FROM || !/memory/i.test(this.eventNames[k]) || !this.creator?.startsWith('xdebug')) return value;
    countProblem(this.anomalies, 'a memory difference above 2^63; read as a negative number', this.lineNo());
    return BigInt(value) - 2n ** 64n;
  }

  /** Reads `key: value` with the colon at `colon`. Returns whether the line opened a new part, or one with ids of its own. */
  readHeader(buf: Uint8Array, p: number, colon: number, end: number, line: number): 'same' | 'part' | 'run' {
    const key = decodeBytes(buf, p, colon).trim();
    const from = Math.min(end, skipBlanks(buf, colon + 1));
    const text = decodeBytes(buf, from, end);
    let opened: 'same' | 'part' | 'run' = 'same';
    if ((this.hasBody || this.openPart.totals !== null) && PART_OPENING_KEYS.has(key)) {
      this.closePart();
      this.openPart = this.newPart();
      this.hasBody = false;
      this.part = this.sink.parts.length;
      // Valgrind writes a whole header for each part, and goes on with its ids. Other writers begin anew.
      const isOfValgrind = this.creator?.startsWith('callgrind-') === true;
      opened = this.isAppended || (key === 'version' && !isOfValgrind) ? 'run' : 'part';
      if (opened === 'run') [this.pid, this.command, this.creator] = [null, null, null];
      this.isAppended = false;
    }
    const { pid } = this;
    this.applyKey(key, text, buf, from, line);
    // Another process: its file was appended to this one.
    return pid !== null && pid !== this.pid ? 'run' : opened;
  }

  private applyKey(key: string, text: string, buf: Uint8Array, at: number, line: number): void {
    const { openPart: open, sink, path } = this;
    if (key === 'version') {
      if (!/^[01](\.\d+)*$/.test(text)) this.fail(at, 'version 1', `version ${text}`);
    } else if (key === 'creator') {
      this.creator = text;
      sink.creator ??= text;
    } else if (key === 'cmd') {
      // A line break is written as \n, and a backslash as \\.
      this.command = text.replace(/\\([n\\])/g, (_, c: string) => (c === 'n' ? '\n' : '\\'));
      sink.command ??= this.command;
    } else if (key === 'pid') this.pid = this.wholeNumber(buf, at, 'pid');
    else if (key === 'part' || key === 'thread') open[key] = this.wholeNumber(buf, at, key);
    else if (key === 'desc') {
      if (text !== '') open.notes.push(text);
      const [, cache, size] = /^((?:I1|D1|L2|LL) cache): +(\d.{0,200})/.exec(text) ?? [];
      if (cache !== undefined) sink.settings.set(cache, size);
    } else if (key === 'positions') this.setPositions(text, at);
    else if (key === 'events') this.setEvents(text, at);
    else if (key === 'event') this.readEventLine(text, at, line);
    else if (key === 'summary' || key === 'totals') {
      const values = this.readCounts(buf, at);
      if (key === 'summary' && this.creator?.startsWith('xdebug')) this.notePeakMemory(values);
      open[key] = values;
      if (key === 'totals' || this.lastKey === 'summary') this.checkSums(key, values, line);
    } else if (!IGNORED_KEYS.has(key))
      sink.warn({ path, line, expected: 'a known header key', found: `unknown header key "${key}"; skipped` });
  }

  /** xdebug's summary of memory is its peak, no sum: it becomes a note. */
  private notePeakMemory(values: Exact[]): void {
    for (const [k, name] of this.eventNames.entries()) {
      if (!/memory/i.test(name) || values[k] === undefined) continue;
      this.openPart.notes.push(`peak memory: ${values[k]} bytes`);
      values[k] = 0;
    }
  }

  private wholeNumber(buf: Uint8Array, at: number, key: string): number | null {
    const v = readNumber(buf, at, true);
    if (v === undefined) this.fail(at, `a number after ${key}:`, 'none');
    return Number(v);
  }

  private setPositions(text: string, at: number): void {
    const words = text.split(/\s+/).filter((w) => w !== '');
    const places = words.map((w) => POSITION_NAMES.indexOf(w));
    if (places.includes(-1)) this.fail(at, 'positions: with any of instr bb line', `"${words[places.indexOf(-1)]}"`);
    if (places.some((place, i) => place <= places[i - 1])) this.fail(at, 'positions in the order instr bb line', `"${text}"`);
    this.positions = words.length > 0 ? words : ['line'];
    this.hasInstr = words.includes('instr');
    this.hasBb = words.includes('bb');
    this.hasLine = this.positions.includes('line');
    const { lines } = this.tables;
    if (this.hasInstr || (this.hasBb && !this.hasLine)) lines.address ??= new Uint32Array(lines.capacity);
  }

  private setEvents(text: string, at: number): void {
    const names = text.split(/\s+/).filter((w) => w !== '');
    if (names.length === 0) this.fail(at, 'at least one event name after events:', 'none');
    const { limits, eventNames } = this.sink;
    const all = new Set([...eventNames, ...names]).size;
    if (all > limits.events) failBeyondLimit(this.fail, at, limits, 'events', all);
    const twice = names.find((n, i) => names.indexOf(n) !== i);
    if (twice !== undefined) this.fail(at, 'each event only once', `event ${twice} twice`);
    this.eventNames = this.openPart.events = names;
    this.columns = this.tables.eventColumns(names);
    // An event: line that comes later says more.
    for (const name of names) {
      const unit = unitOfEvent(name, '');
      if (unit && !this.sink.eventNotes.some((note) => note.name === name))
        this.sink.eventNotes.push({ name, unit, path: this.path });
    }
    this.hasEvents = true;
  }

  private readEventLine(text: string, at: number, line: number): void {
    const { eventNotes, limits } = this.sink;
    if (text.length > limits.name) failBeyondLimit(this.fail, at, limits, 'name', text.length);
    if (eventNotes.length >= limits.events) failBeyondLimit(this.fail, at, limits, 'events', eventNotes.length + 1);
    const note = eventNoteOf(text);
    if (!note) this.fail(at, 'event: NAME [= FORMULA] [: LONG NAME]', `"${text}"`);
    const unit = unitOfEvent(note.name, note.longName ?? '');
    eventNotes.push({ ...note, ...(unit ? { unit } : {}), path: this.path, line });
  }

  private readCounts(buf: Uint8Array, at: number): Exact[] {
    const out: Exact[] = [];
    for (let p = skipBlanks(buf, at); buf[p] !== 10 && buf[p] !== 13; ) {
      let q = p;
      while (buf[q] > 32) q++;
      const v = buf[p] === 46 && q === p + 1 ? 0 : readNumber(buf, p, true);
      if (v === undefined) this.fail(p, 'a count', `"${decodeBytes(buf, p, Math.min(q, p + 40))}"`);
      out.push(v);
      p = skipBlanks(buf, q);
    }
    return out;
  }

  /** Checks that the totals of the last line equal the sums of the cost lines. */
  private checkSums(key: string, totals: readonly Exact[], line: number): void {
    const sums = this.sumsOfPart();
    for (let k = 0; k < Math.min(totals.length, sums.length); k++) {
      if (BigInt(totals[k]) === BigInt(sums[k])) continue;
      const expected = `the sum of the cost lines, ${sums[k]} ${this.eventNames[k]}`;
      const found = `${key}: ${totals[k]}, while the cost lines add up to ${sums[k]}`;
      return this.sink.warn({ path: this.path, line, expected, found });
    }
  }

  private sumsOfPart(): Exact[] {
    const { lines } = this.tables;
    const { firstRow, sumsBefore } = this;
    const sums = lines.costs.sumsTo(lines.rows);
    return this.columns.map((c) => {
      const beyond = lines.costs.beyond.get(c);
      // sums[c] includes all earlier parts. If sums[c] is exact, the difference is exact, too.
      if (Math.abs(sums[c]) <= Number.MAX_SAFE_INTEGER && !beyond) return sums[c] - (sumsBefore[c] ?? 0);
      const column = lines.costs.columns[c];
      // `beyond` is sorted by row: skip the entries of earlier parts.
      let at = beyond ? firstIndexWhere(beyond.length, (k) => beyond[k][0] >= firstRow) : 0;
      let big = 0n;
      for (let i = firstRow; i < lines.rows; i++) {
        if (beyond && at < beyond.length && beyond[at][0] === i) big += beyond[at++][1];
        else big += BigInt(column[i]);
      }
      return big;
    });
  }

  private closePart(): void {
    const { path, pid, command, positions } = this;
    this.sink.addPart({ path, pid, command, positions, ...this.openPart });
  }

  /** Closes the last part at the end of the file, and checks that it is complete. `noLineEnd`: the last line had no line end. */
  finish(line: number, noLineEnd: boolean): void {
    const { openPart: open, sink, path } = this;
    const end = `the end of the file${noLineEnd ? ' within a line' : ''}`;
    const markCut = (expected: string, found: string) => {
      sink.cut ??= { path, line, expected, found, hint: 'the file was cut off: only what comes before it is shown' };
    };
    if (!this.hasEvents) this.fail(0, 'an events: line', 'the end of the file');
    // A part without cost lines is valid if it has a summary or totals.
    if (!this.hasBody && open.summary === null && open.totals === null)
      markCut('a cost line, or the summary: or totals: of a run without cost', 'the end of the file after the header');
    const sums = this.sumsOfPart();
    const promised = open.summary ?? [];
    const short = promised.findIndex((v, k) => sums[k] !== undefined && v > sums[k]);
    // Cachegrind files have no creator line but always a summary: cg_annotate requires it.
    const cachegrind = this.lastKey === 'summary';
    const valgrind = cachegrind || (this.creator?.startsWith('callgrind-') ?? false);
    // xdebug writes its summary last, since version 3.
    if (/^xdebug [3-9]/.test(this.creator ?? '') && open.summary === null)
      markCut('a summary: line at the end, as xdebug 3 writes it', end);
    for (const [found, { line: first, times }] of this.anomalies) {
      const more = times > 1 ? `, ${times} times` : '';
      sink.warn({ path, line: first, expected: 'the format as callgrind_annotate reads it', found: found + more });
    }
    if (open[this.lastKey] === null && !sink.cut && (valgrind || (noLineEnd && short >= 0))) {
      const progress = short >= 0 ? ` after ${sums[short]} of ${promised[short]} ${this.eventNames[short]}` : '';
      const found = `${end}${progress}; the file may be cut off`;
      const problem = { path, line, expected: `a ${this.lastKey}: line at the end`, found };
      // Valgrind always writes totals:, so fewer costs than in the summary mean a cut-off file. Other writers may omit totals:.
      if (cachegrind || (valgrind && (noLineEnd || short >= 0))) sink.cut ??= problem;
      else sink.warn(problem);
    }
    this.closePart();
  }
}

/** Parses `Name = formula : long name`. Formula and long name are optional; the colon needs a blank on at least one side. */
function eventNoteOf(text: string) {
  const colon = `${text} `.search(/\s:|:\s/);
  const left = (colon < 0 ? text : text.slice(0, colon)).trim();
  const longName = colon < 0 ? '' : text.slice(colon + 2).trim();
  const [, name, given = ''] = /^([^\s=]+)(?:\s*=([^:]*))?$/.exec(left) ?? [];
  const formula = given.trim();
  return name === undefined ? undefined : { name, ...(longName ? { longName } : {}), ...(formula ? { formula } : {}) };
}

/** Units as writers name them, in parentheses behind a name, or alone. */
const UNITS: ReadonlyMap<string, Unit> = new Map(
  Object.entries({
    ...{ '10ns': '10ns', ns: 'ns', nsec: 'ns', nanosecond: 'ns', nanoseconds: 'ns' },
    ...{ us: 'us', usec: 'us', '\u00b5s': 'us', '\u03bcs': 'us', microsecond: 'us', microseconds: 'us' },
    ...{ ms: 'ms', msec: 'ms', millisecond: 'ms', milliseconds: 'ms', s: 's', sec: 's', second: 's', seconds: 's' },
    ...{ byte: 'bytes', bytes: 'bytes', kb: 'KB', kib: 'KB', mb: 'MB', mib: 'MB', gb: 'GB', gib: 'GB' },
    // ruby-prof
    ...{ wall_time: 'us', process_time: 'us', gc_time: 'us' },
  } as const),
);

/** The unit of an event by its name, `Time_(10ns)` or `alloc_space/bytes`, or its long name, "elapsed us". */
export function unitOfEvent(name: string, longName: string): Unit | undefined {
  const [, behind] = /(?:\(|\/)([^()/]+)\)?$/.exec(name) ?? []; // bounded: the name of an event
  const ofName = UNITS.get((behind ?? name).trim().toLowerCase());
  if (ofName) return ofName;
  const words = longName.toLowerCase().split(/[^a-z0-9\u00b5\u03bc]+/);
  return /time|second|\bbytes?\b/i.test(`${name} ${longName}`)
    ? words.map((word) => UNITS.get(word)).find((unit) => unit !== undefined)
    : undefined;
}
