// Loads the text output of gprof, GNU or BSD (-T): a flat profile, a call graph or both, by function or by line (-l).
// Format: https://sourceware.org/binutils/docs/gprof/Output.html and binutils' hist.c and cg_print.c.
//    61.32      0.30     0.30   172501     0.00     0.00  work                     time %, cumulative and self seconds, calls, per call
//                   0.06    0.01   60000/140000      Circle::area(int) const [4]   a caller, with the time that it causes
//   [1]    100.0    0.14    0.02  140000         integrate(int) [1]                the routine, its time and that of its callees
//                   0.02    0.00 6000000/6000000     arc(double, double) [7]       a callee
// Real files may be translated, except "seconds" in the flat heading, so rows are recognized by numbers. Names may have blanks.
// Recursive calls and calls within a cycle have a count but no time. Routines that options left out have (4) instead of [4].
import { addToList } from '../../base/lists.ts';
import { FormatError } from '../../base/problem.ts';
import { plural } from '../../base/units.ts';
import { CallGraphWriter } from '../../model/callgraph/writer.ts';
import type { RoutineId, SpanId } from '../../model/column.ts';
import { decodeBytes } from '../../model/strings.ts';
import type { Detection, Loader } from '../loader.ts';
import { FileReader, headText, makeLineLoader } from '../shared/stream.ts';
import { estimateCycleTimes, estimatesOfShares, type GprofCall, type SelfTime } from './estimates.ts';

const FLAT_HEADING = /^.{0,40} {3}seconds {3}seconds {1,9}\S/m;
const SAMPLE_SECONDS = /(?:^|\s)(\d(?:\.\d{1,9})?(?:e-\d\d)?) seconds\b/;
const FLAT_ROW =
  /^ {0,9}(\d{1,9}\.\d{1,2}) {1,20}\d{1,9}\.\d\d {1,20}(\d{1,9}\.\d\d)(?: {1,20}(\d{1,15}) {1,20}\d{1,15}\.\d\d {1,20}\d{1,15}\.\d\d {2}| {29})(\S.*)$/; // bounded: a line
const ROUTINE_ROW =
  /^\[\d{1,9}\]? {1,20}\d{1,9}\.\d {1,20}(\d{1,9}\.\d\d) {1,20}\d{1,9}\.\d\d {1,20}(?:(\d{1,15})(?:\+\d{1,15})? {1,20})?(\S.*)$/m; // bounded: a line
const CALL_ROW = /^ {9,60}(?:(\d{1,9}\.\d\d) {1,20}(\d{1,9}\.\d\d) {1,20})?(\d{1,15})(?:[/+]\d{1,15})? {1,20}(\S.*)$/; // bounded: a line
const SPONTANEOUS_ROW = /^ {40,80}<[^<>]{1,60}>$/;
const SEPARATOR_LINE = /^-{20,80}$/;
/** Percentages of the flat profile are rounded, and may lack the time of code outside all routines. */
const [MAX_PERCENT_ERROR, MAX_MISSING_PERCENT] = [0.005, 0.5];
/** `   [3] a                       [2] main (main.c)`: a row of the index. A file tells static functions of one name apart. */
const INDEX_ROW = /^ {0,9}[[(]\d{1,9}[\])] \S/;
const INDEX_ITEM = /[[(](\d{1,9})[\])] (\S.*?)(?= {1,99}[[(]\d{1,9}[\])] |$)/g; // bounded: a line
/** A routine as mentioned in a call graph, such as `name <cycle 1> [4]`. */
const ROUTINE_MENTION = /^(.*?)(?: (<[^<>]{1,60}>))? [[(](\d{1,9})[\])]$/; // bounded: a line
const CYCLE_NAME = /^<[^<>]{0,60}\d[^<>]{0,60}>$/;
/** Suffix of a name with -l: file, line and address. */
const LOCATION_SUFFIX = /^(.*) \(([^()]{1,999}):(\d{1,9}) @ [0-9a-f]{1,16}\)$/; // bounded: a line

function detect(head: Uint8Array): Detection {
  const text = headText(head);
  const isGprof =
    FLAT_HEADING.test(text) ||
    /^granularity: each sample hit covers \d/m.test(text) ||
    text.split('\n').some((line) => isEntryLine(line.trimEnd()));
  return isGprof ? 'yes' : 'no';
}

/** True for a line of a call graph entry: its routine, or a caller or callee with a time. */
function isEntryLine(line: string): boolean {
  const own = ROUTINE_ROW.exec(line);
  const edge = own ? null : CALL_ROW.exec(line);
  return parseMention(own?.[3] ?? (edge?.[1] ? edge[4] : '')) !== undefined;
}

interface RoutineRef {
  readonly name: string;
  /** The cycle as written in the file, such as `<cycle 1>`. */
  readonly cycle: string | undefined;
  readonly index: number;
}

/** A caller or callee line of an entry. `us`: the callee's inclusive time; undefined within a cycle. */
interface CallLine extends RoutineRef {
  readonly us: number | undefined;
  readonly count: number;
}

interface GraphEntry {
  readonly line: number;
  readonly above: CallLine[];
  own: (RoutineRef & { readonly us: number; readonly calls: number }) | undefined;
  readonly below: CallLine[];
}

/** A row of the flat profile, which rarely has an index. */
interface FlatRow {
  readonly mention: Pick<RoutineRef, 'name'> & Partial<RoutineRef>;
  readonly us: number;
  readonly calls: number;
}

const toUs = (seconds: string): number => Math.round(Number(seconds) * 1e6);

class GprofReader extends FileReader {
  private readonly tables = this.sink.writerFor(CallGraphWriter);
  private inFlat = false;
  private entry: GraphEntry | undefined;
  private readonly flat: FlatRow[] = [];
  private readonly entries: (GraphEntry & { readonly own: NonNullable<GraphEntry['own']> })[] = [];
  private readonly cycleOf = new Map<RoutineId, string>();
  /** By index: the name in the index of routines, which gprof writes after the last entry. */
  private readonly indexed = new Map<number, string>();
  /** By name of several routines: their indexes. */
  private readonly namesakes = new Map<string, number[]>();
  /** The sum of the percentages of the flat profile, and how many of its rows have no count of calls. */
  private flatPercent = 0;
  private uncounted = 0;
  /** Seconds between samples; undefined if the file does not record it. */
  private sample: number | undefined;

  readLine(bytes: Uint8Array, from: number, to: number): void {
    this.lineNo++;
    const text = decodeBytes(bytes, from, to).trimEnd();
    if (FLAT_HEADING.test(text)) this.inFlat = true;
    else if (this.inFlat) this.readFlatLine(text);
    else this.readGraphLine(text);
  }

  private readFlatLine(text: string): void {
    if (text === '') {
      this.inFlat = false;
      return;
    }
    const row = FLAT_ROW.exec(text);
    if (!row) throw this.lineError('a row of the flat profile', text);
    const [, percent, seconds, calls, name] = row;
    this.flatPercent += Number(percent);
    if (calls === undefined) this.uncounted++;
    this.flat.push({ mention: parseMention(name) ?? { name }, us: toUs(seconds), calls: Number(calls ?? 0) });
  }

  private readGraphLine(text: string): void {
    const entry = this.entry ?? { line: this.lineNo, above: [], own: undefined, below: [] };
    const own = ROUTINE_ROW.exec(text);
    const edge = own ? null : CALL_ROW.exec(text);
    const mention = parseMention(own?.[3] ?? edge?.[4] ?? '');
    if (own && mention && !entry.own) entry.own = { ...mention, us: toUs(own[1]), calls: Number(own[2] ?? 0) };
    else if (edge && mention) {
      const us = edge[1] === undefined ? undefined : toUs(edge[1]) + toUs(edge[2]);
      (entry.own ? entry.below : entry.above).push({ ...mention, us, count: Number(edge[3]) });
    } else if (!SPONTANEOUS_ROW.test(text)) {
      if (this.entry && SEPARATOR_LINE.test(text)) this.endEntry(this.entry);
      else if (this.entry && text !== '') throw this.lineError('a caller, a routine or a callee', text);
      else if (INDEX_ROW.test(text))
        for (const [, index, name] of text.matchAll(INDEX_ITEM)) this.indexed.set(Number(index), name.trimEnd());
      // The line about granularity is skipped: it has a percentage, and its seconds are those of the whole run.
      else if (this.entries.length === 0 && !text.includes('%'))
        this.sample = Number(SAMPLE_SECONDS.exec(text)?.[1]) || this.sample;
      return;
    }
    this.entry = entry;
  }

  private endEntry(entry: GraphEntry): void {
    const { own, line } = entry;
    this.entry = undefined;
    if (!own) throw this.error({ line }, 'a routine with its index', 'none');
    this.entries.push({ ...entry, own });
  }

  /** Calls and self times of the entries. The sum of a cycle is no routine. */
  private readEntries(): { readonly rows: SelfTime[]; readonly calls: GprofCall[] } {
    const [rows, calls]: [SelfTime[], GprofCall[]] = [[], []];
    const call = (from: Pick<SelfTime, 'routine' | 'line'>, callee: RoutineId, { us, count }: CallLine): GprofCall => ({
      ...{ caller: from.routine, callee, line: from.line },
      ...{ us: us ?? 0, count, isTimed: us !== undefined },
    });
    const known = new Set(this.entries.map(({ own }) => own.index));
    const above: GprofCall[] = [];
    for (const entry of this.entries) {
      const { own } = entry;
      if (!own.cycle && CYCLE_NAME.test(own.name)) continue;
      const self = this.routineOf(own);
      rows.push({ ...self, us: own.us, calls: 0 });
      for (const edge of entry.below) calls.push(call(self, this.routineOf(edge).routine, edge));
      // A call is listed in its caller's and its callee's entry. The callee's entry counts only if the caller has no entry.
      for (const edge of entry.above) if (!known.has(edge.index)) above.push(call(this.routineOf(edge), self.routine, edge));
    }
    return { rows, calls: [...calls, ...above] };
  }

  /** The routine of a name and, with -l, its line. Of several routines of one name, the index has their files; without, they are one. */
  private routineOf({ name: text, cycle, index }: FlatRow['mention']): Pick<SelfTime, 'routine' | 'line'> {
    const { sink } = this;
    this.checkLimit('name', text.length, this.position);
    const ownFile = index !== undefined && this.namesakes.has(text) ? this.fileOf(text, index) : undefined;
    const [, name = text, path = ownFile, line] = LOCATION_SUFFIX.exec(text) ?? [];
    const file = path === undefined ? -1 : sink.files.rowOf(sink.strings.textId(path));
    const routine = sink.routines.findOrAdd(sink.strings.textId(name), file, -1);
    if (cycle) this.cycleOf.set(routine, cycle);
    return { routine, line: Number(line ?? 0) };
  }

  /** The file of a static function, `g.c` of `work (g.c)`; undefined if the index does not name it. */
  private fileOf(name: string, index: number): string | undefined {
    const text = this.indexed.get(index) ?? '';
    return text.startsWith(`${name} (`) && text.endsWith(')') ? text.slice(name.length + 2, -1) : undefined;
  }

  /** The self times of the flat profile. Of several routines of one name, time and calls tell which has which index. */
  private readFlat(): SelfTime[] {
    const left = new Map(this.entries.map(({ own }) => [own.index, own]));
    return this.flat.map(({ mention, us, calls }) => {
      const among = (this.namesakes.get(mention.name) ?? []).flatMap((index) => left.get(index) ?? []);
      const own = among.find((one) => one.us === us && one.calls === calls) ?? among.find((one) => one.us === us) ?? among[0];
      if (own) left.delete(own.index);
      return { ...this.routineOf(own ? { ...mention, index: own.index } : mention), us, calls };
    });
  }

  finish(rest: Uint8Array): void {
    const { sink, path, cycleOf } = this;
    if (rest.length > 0) this.readLastLine(rest);
    const hint = 'gprof prints none where the program ended before the first sample, or not by exit()';
    if (this.flat.length + this.entries.length === 0)
      throw this.error(this.position, 'a row of a flat profile, or a routine of a call graph', 'none', hint);
    const cutHint = 'the text was cut off: its last routine is left out';
    if (this.entry) this.markCut({ line: this.entry.line }, 'a line of dashes below the routine', cutHint);
    this.checkWhole();
    for (const { own } of this.entries) addToList(this.namesakes, own.name, own.index);
    for (const [name, indexes] of this.namesakes) if (indexes.length === 1) this.namesakes.delete(name);
    const flat = this.readFlat();
    const { rows: graphRows, calls } = this.readEntries();
    const known = new Set(flat.map(({ routine }) => routine));
    // The call graph may contain routines that options left out of the flat profile.
    const selves = [...flat, ...graphRows.filter(({ routine }) => !known.has(routine))];
    const shared = cycleOf.size > 0 && estimateCycleTimes(calls, selves, cycleOf);
    const events = calls.length === 0 && flat.some((row) => row.calls > 0) ? ['time', 'calls'] : ['time'];
    sink.creator ??= 'gprof';
    sink.addPart({
      path,
      events,
      notes: [
        'gprof rounds times to 0.01 s: sums of them may differ from its own',
        ...(calls.length > 0
          ? ["times of calls are gprof's estimates: it shares out the time of a routine by the number of its calls"]
          : []),
        ...(this.uncounted > 0
          ? [`calls of ${plural(this.uncounted, 'routine')} were not counted (compiled without -pg), and are 0 here`]
          : []),
        ...(shared ? ['gprof tells no time of calls within a cycle: these are estimated here by the number of calls'] : []),
      ],
    });
    this.writeProfile(selves, calls, events);
  }

  /** Finds what a file cut between two rows lacks: entries of routines that the graph names, and rows of the flat profile. */
  private checkWhole(): void {
    const { entries, flat, flatPercent } = this;
    const hint = 'the text was cut off: calls and times may be missing';
    if (entries.length > 0 && this.indexed.size === 0)
      this.markCut(this.position, 'the index of routines below the call graph', hint);
    const lacks = 100 - flatPercent - flat.length * MAX_PERCENT_ERROR;
    if (flat.some(({ us }) => us > 0) && lacks > MAX_MISSING_PERCENT) {
      const found = `rows for ${flatPercent.toFixed(2)} %`;
      const { problem } = this.error(this.position, 'rows of the flat profile for 100 % of the time', found);
      if (this.inFlat) this.sink.cut ??= problem;
      else this.sink.warn(problem);
    }
  }

  /** Reads an unterminated last line; if it is invalid, the file was cut off within it. */
  private readLastLine(rest: Uint8Array): void {
    try {
      this.readLine(rest, 0, rest.length);
    } catch (error) {
      if (!(error instanceof FormatError) || this.flat.length + this.entries.length === 0) throw error;
      this.sink.cut ??= { ...error.problem, hint: 'the text was cut off: only whole lines are shown' };
    }
  }

  /** Writes the profile. `events`: time and, if callers are unknown, call counts. */
  private writeProfile(selves: readonly SelfTime[], edges: readonly GprofCall[], events: readonly string[]): void {
    const { sink, tables, path, part, sample } = this;
    const { lines, calls, spans } = tables;
    const [time, count] = tables.eventColumns(events);
    tables.estimate ??= (graph, ofCalls, routines) => estimatesOfShares(graph, ofCalls, time, routines);
    const each = sample === undefined ? {} : { each: sample * 1e6 };
    if (sink.eventNotes.length === 0)
      sink.eventNotes.push({ name: 'time', unit: 'us', longName: 'CPU time by samples', path, ...each });
    const spanOf = new Map<RoutineId, SpanId>();
    const open = (routine: RoutineId) => {
      const span = spans.push(routine, sink.routines.file.data[routine], part, 0, lines.rows);
      spanOf.set(routine, span);
      return span;
    };
    for (const { routine, line, us, calls } of selves) {
      open(routine);
      const row = lines.push(line);
      lines.costs.set(time, row, us);
      if (count !== undefined) lines.costs.set(count, row, calls);
    }
    for (const call of edges) {
      const row = calls.push(spanOf.get(call.caller) ?? open(call.caller), call.callee, call.line, 0, call.count);
      calls.costs.set(time, row, call.us);
    }
  }
}

function parseMention(text: string): RoutineRef | undefined {
  const found = ROUTINE_MENTION.exec(text);
  return found ? { name: found[1], cycle: found[2], index: Number(found[3]) } : undefined;
}

export const gprof: Loader = {
  name: 'gprof',
  title: 'text of gprof: flat profile, call graph, or both',
  provides: ['routines', 'calls', 'trees', 'lines'],
  make: 'gcc -pg, ./program, then gprof ./program gmon.out > out.gprof',
  fileNames: /\.gprof(\.txt)?(\.gz)?$|^gprof\.(out|txt)$/,
  detect,
  load: makeLineLoader(GprofReader),
};
