// Reads one aprof report: its lines become points, contexts and routines in the sink. Invalid lines are skipped and reported.
// Lines may come in any order, so the routine of each point is resolved at the end of the file.
import { getOrMake } from '../../base/lists.ts';
import { FormatError } from '../../base/problem.ts';
import { plural } from '../../base/units.ts';
import { type GrowableColumn, Numbering, type StringId, scaleCapacities } from '../../model/column.ts';
import { CELLS_SETTING } from '../../model/head.ts';
import type { InputField } from '../../model/inputs/tables.ts';
import { InputWriter } from '../../model/inputs/writer.ts';
import type { Sink } from '../../model/sink.ts';
import { decodeBytes } from '../../model/strings.ts';
import type { Source } from '../loader.ts';
import { FileReader } from '../shared/stream.ts';
import { FIELDS_BY_COUNT, isBlank, lastQuoteIn, NUMBER_COUNTS, NumberReader, type PointLayout } from './points.ts';

const QUOTE = 34;
const NEWEST_VERSION = NUMBER_COUNTS.length - 1;
const MAX_ID = 2 ** 32 - 1;
const BASIC_BLOCKS = { unit: 'count', longName: 'basic blocks executed' } as const;

/** Bytes to read before the rest of the file is estimated, and the largest factor by which memory is reserved. */
const ESTIMATE_AFTER_BYTES = 1 << 20;
const MAX_RESERVE_FACTOR = 64;

/** Fields whose values are checked against each other. */
const CHECKED_FIELDS: readonly InputField[] = ['min', 'max', 'sum', 'calls', 'real', 'selfSum', 'selfMax', 'sumSquares'];

export class AprofReader extends FileReader {
  private readonly tables = this.sink.writerFor(InputWriter);
  private readonly rows = this.tables.points;
  private readonly contexts = this.tables.contexts;
  private readonly firstRow = this.rows.rows;
  private readonly firstContext = this.contexts.length;
  private readonly numbers = new NumberReader();
  /** Fields of the last point, the table column of each, and the positions of the CHECKED_FIELDS among them. */
  private layout: PointLayout = [];
  private columns: readonly (GrowableColumn<Float64Array> | undefined)[] = [];
  private checkedColumns: readonly number[] = [];
  /** The routines as the file defines them: their ids in the file, and the lines that first mention them. */
  private readonly locals: { readonly id: number; readonly line: number; name?: StringId; routine: number }[] = [];
  private readonly localOf = new Numbering<number>();
  /** Index of the routine looked up last. Points of one routine are adjacent. */
  private latestIndex = 0;
  private readonly namedRoutines = new Set<number>();
  /** Index of the routine on the last r line; aprof writes the points of its contexts after it. */
  private currentIndex = -1;
  private version: number | undefined;
  /** Functions that read the points before the v line. */
  private readonly pending: (() => void)[] = [];
  private readonly header = new Map<string, string>();
  private total: bigint | undefined;
  private readonly comments: string[] = [];
  private readonly contextIds = new Map<number, { routine: number; parent: number }>();
  private hasInput = false;
  private understoodLines = 0;
  /** Number of bytes read so far. */
  private taken = 0;
  private readonly wrongBefore = this.sink.cut;

  constructor(
    sink: Sink,
    path: string,
    private readonly source: Source,
  ) {
    super(sink, path);
  }

  private reportSkippedLine(expected: string, found: string, line = this.lineNo): void {
    this.leaveOut({ line }, expected, found);
  }

  /** Reserves memory for the rest of the file as if it were like its start: pages that are never written take no memory. */
  private reserve(bytes: number): void {
    const times = Math.min(MAX_RESERVE_FACTOR, 1.2 * (bytes / this.taken));
    scaleCapacities(this.rows, times);
    scaleCapacities([...this.rows.fields.values()], times);
    this.sink.scaleCapacity(times);
  }

  readLine(bytes: Uint8Array, from: number, to: number): void {
    this.lineNo++;
    const before = this.taken;
    this.taken += to - from + 1;
    const { size } = this.source;
    if (size && before < ESTIMATE_AFTER_BYTES && this.taken >= ESTIMATE_AFTER_BYTES) this.reserve(size);
    while (to > from && (bytes[to - 1] === 13 || bytes[to - 1] === 32 || bytes[to - 1] === 9)) to--;
    while (from < to && (bytes[from] === 32 || bytes[from] === 9)) from++;
    if (from === to) return;
    const tag = bytes[from];
    const single = from + 1 === to || bytes[from + 1] === 32 || bytes[from + 1] === 9;
    if (single && (tag === 112 || tag === 113))
      return this.readPoint(tag === 112 ? 'p' : 'q', bytes, from + 1, to, this.lineNo, this.currentIndex);
    if (single && tag === 120) return this.readContext(bytes, from + 1, to);
    if (single && tag === 114) return this.readRoutine(bytes, from + 1, to);
    this.readOtherLine(decodeBytes(bytes, from, to));
  }

  private readPoint(tag: string, bytes: Uint8Array, from: number, to: number, line: number, local: number): void {
    if (this.version === undefined) {
      // The version defines the meaning of the numbers, so points before the v line are kept until it is read.
      const own = bytes.slice(from, to);
      this.pending.push(() => this.readPoint(tag, own, 0, own.length, line, local));
      return;
    }
    const { numbers, rows } = this;
    numbers.read(bytes, from, to);
    const counts = NUMBER_COUNTS[Math.min(this.version, NEWEST_VERSION)];
    if (numbers.problem !== undefined || !counts.includes(numbers.count)) {
      const expected = `a ${tag} line with ${counts.join(' or ')} numbers`;
      if (numbers.problem === undefined) return this.reportSkippedLine(expected, `${numbers.count} numbers`, line);
      return this.reportSkippedLine(`${expected}, decimal and non-negative`, numbers.problem, line);
    }
    const layout = FIELDS_BY_COUNT[numbers.count];
    const { values } = numbers;
    const large = numbers.costProblem(layout);
    if (large !== undefined) return this.reportSkippedLine('costs up to 2^64 - 1', large, line);
    if (values[0] > MAX_ID)
      return this.reportSkippedLine(`${tag === 'p' ? 'a routine' : 'a context'} id up to 2^32 - 1`, `${values[0]}`, line);
    this.understoodLines++;
    const owner = tag === 'p' ? this.routineIndexOf(values[0], line) : local;
    rows.push(owner, tag === 'p' ? -1 : values[0], this.part, values[1], line);
    if (layout !== this.layout) {
      this.layout = layout;
      this.columns = rows.columnsOf(layout);
      this.checkedColumns = CHECKED_FIELDS.map((field) => layout.indexOf(field));
    }
    rows.add(this.columns, values, 2);
    if (numbers.anyWide)
      for (let i = 0; i < layout.length; i++) {
        const [field, exact] = [layout[i], numbers.wide[i + 2]];
        if (field && exact !== undefined) getOrMake(rows.beyond, field, () => new Map()).set(rows.rows - 1, exact);
      }
    if (numbers.count === 18) this.hasInput = true;
    this.checkPoint(line);
  }

  /** Warns if the numbers of a point contradict each other. The numbers are kept unchanged. */
  private checkPoint(line: number): void {
    const { values } = this.numbers;
    const { checkedColumns } = this;
    /** A field's value on this line; NaN if the line lacks the field, since no comparison with NaN is true. */
    const fieldValue = (field: number) => (checkedColumns[field] < 0 ? Number.NaN : values[checkedColumns[field] + 2]);
    const [min, max, sum, calls] = [fieldValue(0), fieldValue(1), fieldValue(2), fieldValue(3)];
    const [real, selfSum, selfMax, squares] = [fieldValue(4), fieldValue(5), fieldValue(6), fieldValue(7)];
    let found: string | undefined;
    if (calls === 0) found = sum === 0 && !max ? undefined : 'a cost for 0 calls';
    else if (min > max) found = `a best cost ${min} above the worst ${max}`;
    else if (max > sum) found = `a worst cost ${max} above the sum ${sum}`;
    else if (real > sum) found = `real-sum ${real} above the sum ${sum}`;
    else if (selfSum > sum) found = `self-sum ${selfSum} above the sum ${sum}`;
    else if (selfMax > max) found = `a worst self cost ${selfMax} above the worst ${max}`;
    else if (max < 2 ** 26 && squares < max * max)
      // aprof's squares overflow above 2^32. Below 2^26, the sum of squares cannot be less than the worst cost squared.
      found = `a sum of squares ${squares}, less than the worst cost ${max} squared`;
    if (calls === 0 && found === undefined) found = '0 calls';
    if (found !== undefined) this.warn({ line }, 'consistent numbers', found);
  }

  private routineIndexOf(id: number, line: number): number {
    // Points of one routine are adjacent.
    if (this.locals[this.latestIndex]?.id === id) return this.latestIndex;
    const at = this.localOf.numberOf(id);
    if (at === this.locals.length) this.locals.push({ id, line, routine: -1 });
    this.latestIndex = at;
    return at;
  }

  private readContext(bytes: Uint8Array, from: number, to: number): void {
    const words = decodeBytes(bytes, from, to)
      .trim()
      .split(/[ \t]+/, 5);
    const expected = 'x ROUTINE CONTEXT PARENT';
    if (words.length !== 3) return this.reportSkippedLine(expected, `${words.filter((w) => w).length} numbers`);
    const [routine, id, parent] = words.map((w) => (/^-?\d{1,10}$/.test(w) ? Number(w) : Number.NaN)) as [number, number, number];
    if (!(routine >= 0) || !(id >= 0)) return this.reportSkippedLine(expected, `"${words.join(' ')}"`);
    if (!(parent >= -1)) return this.reportSkippedLine(`${expected}, with -1 for no parent`, `parent ${words[2]}`);
    const known = this.contextIds.get(id);
    if (known) {
      const found = `context ${id} again, with another routine or parent; the first one is used`;
      if (known.routine !== routine || known.parent !== parent) this.warn(this.position, 'each context once', found);
      return;
    }
    this.understoodLines++;
    this.contextIds.set(id, { routine, parent });
    this.contexts.push({ id, parent, routine: this.routineIndexOf(routine, this.lineNo), part: this.part, line: this.lineNo });
  }

  /** Names are not escaped and may contain quotes: the outermost quotes delimit them. */
  private readRoutine(bytes: Uint8Array, from: number, to: number): void {
    const expected = 'r "NAME" "IMAGE" ID';
    let open = from;
    while (open < to && bytes[open] !== QUOTE) open++;
    const close = lastQuoteIn(bytes, from, to);
    const { strings } = this.sink;
    let name: StringId;
    let image: StringId;
    let idText: string;
    if (open === to) {
      // The oldest reports have lines with name, address, image and id.
      const old = /^(\S+) (0x[0-9a-f]+) (.+) (\d+)$/i.exec(decodeBytes(bytes, from, to).trim()); // bounded: each run is looked at once
      if (!old || (this.version ?? 0) > 0) return this.reportSkippedLine(expected, 'names without quotes');
      this.checkLimit('name', Math.max(old[1].length, old[3].length), this.position);
      [name, image, idText] = [strings.textId(old[1]), strings.textId(old[3]), old[4]];
    } else {
      const imageOpen = lastQuoteIn(bytes, from, close);
      const nameClose = lastQuoteIn(bytes, from, imageOpen);
      idText = decodeBytes(bytes, close + 1, to).trim();
      if (idText === '') return this.reportSkippedLine(expected, 'no id');
      if (nameClose <= open) return this.reportSkippedLine(expected, 'no image');
      if (!isBlank(bytes, nameClose + 1, imageOpen) || !isBlank(bytes, from, open))
        return this.reportSkippedLine(expected, 'text outside the quotes');
      this.checkNameLength(bytes, open + 1, nameClose);
      this.checkNameLength(bytes, imageOpen + 1, close);
      name = strings.bytesId(bytes, open + 1, nameClose);
      image = strings.bytesId(bytes, imageOpen + 1, close);
    }
    if (!/^\d{1,10}$/.test(idText) || Number(idText) > MAX_ID)
      return this.reportSkippedLine(`${expected}, a number up to 2^32 - 1`, `the id "${idText}"`);
    this.understoodLines++;
    const at = this.routineIndexOf(Number(idText), this.lineNo);
    this.currentIndex = at;
    const local = this.locals[at];
    if (local.name !== undefined) {
      const [now, first] = [name, local.name].map((id) => strings.text(id));
      if (name !== local.name)
        this.warn(this.position, 'each routine once', `routine ${idText} again, now ${now}; it stays ${first}`);
      return;
    }
    local.name = name;
    const object = this.sink.objects.rowOf(image);
    const known = this.sink.routines.findId(name, -1, object);
    // Static functions of the same name in one image are distinguished by their ids.
    const isTaken = this.namedRoutines.has(known);
    local.routine = this.sink.routines.findOrAdd(isTaken ? strings.textId(`${strings.text(name)} #${idText}`) : name, -1, object);
    this.namedRoutines.add(local.routine);
  }

  /** Checks the name limit, which counts characters. Decodes the name only if its byte count exceeds the limit. */
  private checkNameLength(bytes: Uint8Array, from: number, to: number): void {
    if (to - from > this.sink.limits.name) this.checkLimit('name', decodeBytes(bytes, from, to).length, this.position);
  }

  private readOtherLine(text: string): void {
    const space = text.search(/[ \t]/);
    const tag = space < 0 ? text : text.slice(0, space);
    const rest = space < 0 ? '' : text.slice(space + 1).trim();
    // A viewer appends favourite routines as names separated by blanks, which cannot be split reliably. They are ignored.
    if (tag === 'fav') return;
    if (tag === 'c') this.comments.push(rest);
    else if (tag === 'v') {
      if (!/^\d{1,4}$/.test(rest)) return this.reportSkippedLine('v VERSION', `"${rest}"`);
      if (this.version === undefined) this.setVersion(Number(rest));
    } else if (tag === 'k') {
      if (!/^\d{1,20}$/.test(rest)) return this.reportSkippedLine('k TOTAL, a decimal number', `"${rest}"`);
      if (this.total !== undefined && this.total !== BigInt(rest))
        this.warn(this.position, 'one k line', `another k line: ${rest} after ${this.total}; the last one is used`);
      this.total = BigInt(rest);
    } else if (tag === 'u' || tag === 'd') {
      const m = /^(\d{1,10})[ \t]+"(.*)"$/.exec(rest);
      if (!m) return this.reportSkippedLine(`${tag} ID "NAME"`, `"${rest}"`);
      // Other names of a routine are not shown, but they prove that the routine exists.
      this.routineIndexOf(Number(m[1]), this.lineNo);
      // A bare power of two is the memory resolution since version 5; anything else is the date.
    } else if (tag === 't') this.header.set(/^(1|2|4|8|16)$/.test(rest) ? 'resolution' : 'created', rest);
    else if (['e', 'm', 'i', 'a', 'f'].includes(tag)) this.header.set(tag, rest);
    else {
      const found = `unknown tag ${tag.slice(0, 20)}; its line is left out`;
      return this.warn(this.position, 'one of the tags v e t c f a m k i r u d p x q', found);
    }
    this.understoodLines++;
  }

  private setVersion(version: number): void {
    this.version = version;
    if (version > NEWEST_VERSION)
      this.warn(this.position, `versions up to ${NEWEST_VERSION}`, `version ${version}; read as version ${NEWEST_VERSION}`);
    for (const read of this.pending.splice(0)) read();
  }

  finish(rest: Uint8Array): void {
    const { sink, path } = this;
    const last = this.lineNo + 1;
    if (rest.length > 0) this.readLine(rest, 0, rest.length);
    this.addPart();
    // If the last line is invalid and has no line end, the file was cut off within it.
    const problems = sink.cut && rest.length > 0 ? [sink.cut, ...sink.warnings] : [];
    const problem = problems.find((w) => w.path === path && w.line === last);
    const hint = 'the file was cut off within this line: only what comes before it is shown';
    if (problem) sink.cut = this.wrongBefore ?? { ...problem, sign: 'CUT OFF', hint };
    if (this.understoodLines === 0) throw this.error({ line: 1 }, 'lines of an aprof report (v k m r p …)', 'none');
  }

  private addPart(): void {
    const { sink, path, header } = this;
    if (this.version === undefined) this.setVersion(0);
    const metric = header.get('m') || 'bb-count';
    const isTime = metric === 'time-usec';
    if (!sink.eventNames.includes(metric)) sink.eventNames.push(metric);
    if (!sink.eventNotes.some((n) => n.name === metric))
      sink.eventNotes.push({ name: metric, path, ...(isTime ? { unit: 'us' } : BASIC_BLOCKS) });
    const input = header.get('i');
    // rvms is the old name of drms.
    const stated = input === 'rvms' ? 'drms' : input;
    this.rows.metric ??= stated ?? (this.hasInput ? 'drms' : 'rms');
    if (this.rows.metric !== 'drms')
      this.rows.misses =
        'the input may come from sources that rms does not count (aprof --drms=yes), or be a number among the arguments';
    const cells = header.has('resolution') ? ` in cells of ${plural(Number(header.get('resolution')), 'byte')}` : '';
    const known = sink.settings.get(CELLS_SETTING) ?? cells;
    // A later file may have other sizes than the first: one curve cannot have both.
    const ofSizes = stated ?? this.rows.metric;
    if (ofSizes !== this.rows.metric || (cells !== '' && cells !== known)) {
      const expected = `sizes by ${this.rows.metric}${known}, as in ${sink.paths[0]}`;
      throw new FormatError({ path, expected, found: `sizes by ${ofSizes}${cells}` });
    }
    if (cells !== '') sink.settings.set(CELLS_SETTING, cells);
    const command = header.get('f');
    const app = header.get('a');
    sink.command ??= (command && command !== '(null)' ? command : app) || null;
    sink.creator ??= 'aprof';
    this.resolveOwners();
    const self = this.selfTotal();
    const total = this.total ?? null;
    const found = `total ${total}; percentages are of the cost of all routines`;
    if (total !== null && self > Number(total) && total > 0n)
      sink.warn({ path, expected: `a total (k) of at least the cost of all routines, ${self}`, found });
    const name = /_(\d+)_(\d+)_(\d+)\.aprof(?:\.gz)?$/.exec(path); // bounded: a file name
    const notes = [
      `version ${this.version}; sizes are ${input ?? 'rms'}${cells}`,
      ...(header.has('created') ? [`created ${header.get('created')}`] : []),
      ...(header.has('e') ? [executableTime(header.get('e')!)] : []),
      ...this.comments.filter((c) => /\w/.test(c)),
      ...(this.version === 0 && this.rows.fields.size <= 2
        ? ['version 0 has one cost a point: taken as the sum of its calls']
        : []),
      ...(this.version! < 2 ? ['without real-sum: inclusive cost counts recursion again'] : []),
    ];
    sink.addPart({
      path,
      thread: name ? Number(name[2]) : null,
      pid: name ? Number(name[1]) : null,
      command: sink.command,
      notes,
      events: [metric],
      summary: total === null ? null : [total <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(total) : total],
    });
  }

  /** Replaces routines of the file by routines of the sink. Routines without an r line get a placeholder name. */
  private resolveOwners(): void {
    const { sink, rows, locals } = this;
    for (const local of locals)
      if (local.routine < 0) {
        this.warn({ line: local.line }, 'an r line for every routine', `no r line for routine ${local.id}; it has no name`);
        local.routine = sink.routines.findOrAdd(sink.strings.textId(`??? (routine ${local.id})`), -1, -1);
      }
    for (let i = this.firstRow; i < rows.rows; i++) {
      const local = rows.routine.data[i];
      rows.routine.data[i] = local < 0 ? sink.routines.findOrAdd(sink.strings.textId('???'), -1, -1) : locals[local].routine;
    }
    for (let c = this.firstContext; c < this.contexts.length; c++) {
      const note = this.contexts[c];
      this.contexts[c] = { ...note, routine: locals[note.routine].routine };
    }
  }

  private selfTotal(): number {
    const self = this.rows.fields.get('selfSum');
    let sum = 0;
    if (self) for (let i = this.firstRow; i < Math.min(this.rows.rows, self.length); i++) sum += self.data[i] || 0;
    return sum;
  }
}

function executableTime(text: string): string {
  const seconds = Number(text);
  if (!/^\d+$/.test(text) || seconds === 0 || seconds > 8e12) return `executable of ${text === '0' ? 'no known time' : text}`;
  return `executable of ${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
