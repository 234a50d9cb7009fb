// A processed profile of the Firefox Profiler (profiler.firefox.com), of the event that is shown: a thread for each part, samples in order of time
// where that is known. https://github.com/firefox-devtools/profiler/blob/main/docs-developer/processed-profile-format.md, version 47, which
// later ones of the page take over.
import { fileName, objectName, routineName } from '../analysis/names/names.ts';
import { listsBy } from '../base/lists.ts';
import { type SafeText, safeJson, safeText } from '../base/safe-text.ts';
import { Numbering } from '../model/groups.ts';
import { Pieces } from '../reports/pieces.ts';
import type { ReportContext } from '../reports/report.ts';
import { nothingCosts, type Run, runsOf, samplesInTime, shownStacks, stacksRefused, WholeValues } from './as-stacks.ts';
import type { Exporter, Put } from './exporter.ts';

const VERSION = 47;
/** A sample of a stack: its weight, and when it was taken, in milliseconds. */
type Sample = readonly [stack: number, weight: number, ms: number];

/** The samples of a run. Without times, one follows the other in a millisecond. */
function* samplesOf(run: Run, factor: number): Generator<Sample> {
  const timed = samplesInTime(run);
  if (timed) {
    for (const [stack, cost, ns] of timed) yield [stack, cost * factor, ns / 1e6];
    return;
  }
  const values = new WholeValues(run);
  let ms = 0;
  for (const stack of shownStacks(run)) {
    const weight = Number(values.of(0, stack));
    if (weight !== 0) yield [stack, weight * factor, ms++];
  }
}

/** Columns of a table by name. */
type Columns = Readonly<Record<string, readonly unknown[]>>;

/** A thread while its samples are added: only what they need is in its tables. */
class Thread {
  private readonly strings = new Numbering<string>();
  private readonly frames = new Numbering<number>();
  private readonly functions = new Numbering<number>();
  private readonly resources = new Numbering<number>();
  /** By prefix and frame: the stack. */
  private readonly stacks = new Map<number, number>();
  private readonly stackTable = { frame: [] as number[], prefix: [] as (number | null)[] };
  private readonly samples = { stack: [] as number[], time: [] as number[], weight: [] as number[] };

  constructor(private readonly run: Run) {}

  add([stack, weight, ms]: Sample): void {
    const { start, frame } = this.run.profile.stacks;
    let prefix = -1;
    for (let k = start[stack + 1] - 1; k >= start[stack]; k--) prefix = this.below(prefix, this.frames.of(frame[k]));
    this.samples.stack.push(prefix);
    this.samples.time.push(ms);
    this.samples.weight.push(weight);
  }

  private below(prefix: number, frame: number): number {
    const key = (prefix + 1) * this.run.profile.frames.routine.length + frame;
    let stack = this.stacks.get(key);
    if (stack === undefined) {
      stack = this.stackTable.frame.push(frame) - 1;
      this.stackTable.prefix.push(prefix < 0 ? null : prefix);
      this.stacks.set(key, stack);
    }
    return stack;
  }

  /** Its tables: the last ones first, since each names rows of the next. */
  tables(weightType: string): { readonly tables: Readonly<Record<string, Columns>>; readonly strings: readonly string[] } {
    const { frames, routines } = this.run.profile;
    const { profile } = this.run;
    const all = <T>(length: number, value: T): T[] => Array<T>(length).fill(value);
    const text = (value: string | null): number | null => (value === null ? null : this.strings.of(value));
    const frameRows = Array.from(this.frames, ([frame]) => frame);
    const func = frameRows.map((frame) => this.functions.of(frames.routine[frame]));
    const functionRows = Array.from(this.functions, ([routine]) => routine);
    const resource = functionRows.map((r) => (routines.object[r] < 0 ? -1 : this.resources.of(routines.object[r])));
    const objects = Array.from(this.resources, ([object]) => object);
    const [m, n, s] = [frameRows.length, functionRows.length, this.stackTable.frame.length];
    const tables = {
      samples: { ...this.samples, weightType: [weightType] },
      stackTable: { ...this.stackTable, category: all(s, 0), subcategory: all(s, 0) },
      frameTable: {
        ...{ address: all(m, -1), category: all(m, 0), subcategory: all(m, 0), func, nativeSymbol: all(m, null) },
        ...{ innerWindowID: all(m, 0), implementation: all(m, null), column: all(m, null) },
        inlineDepth: frameRows.map((frame) => frames.inlined?.[frame] ?? 0),
        line: frameRows.map((frame) => frames.line[frame] || null),
      },
      funcTable: {
        name: functionRows.map((r) => this.strings.of(routineName(profile, r))),
        ...{ isJS: all(n, false), relevantForJS: all(n, false), resource },
        fileName: functionRows.map((r) => text(fileName(profile, routines.file[r]))),
        ...{ lineNumber: all(n, null), columnNumber: all(n, null) },
      },
      resourceTable: {
        lib: objects,
        name: objects.map((object) => this.strings.of(baseOf(objectName(profile, object) ?? ''))),
        host: all(objects.length, null),
        type: all(objects.length, LIBRARY),
      },
      nativeSymbols: { libIndex: [], address: [], name: [], functionSize: [] },
      markers: { data: [], name: [], startTime: [], endTime: [], phase: [], category: [] },
    };
    return { tables, strings: Array.from(this.strings, ([value]) => value) };
  }
}

/** The kind of a resource that is a library or a program. */
const LIBRARY = 1;
const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Values of a piece. */
const SLICE = 1000;

async function writeList(pieces: Pieces, name: string, values: readonly unknown[]): Promise<void> {
  await pieces.add(safeText`${safeJson(name)}:[`);
  for (let i = 0; i < values.length; i += SLICE)
    await pieces.add(safeText`${i > 0 ? ',' : ''}${safeJson(values.slice(i, i + SLICE)).slice(1, -1)}`);
  await pieces.add(safeText`]`);
}

async function writeThread(pieces: Pieces, about: object, thread: Thread, weightType: string): Promise<void> {
  const { tables, strings } = thread.tables(weightType);
  await pieces.add(safeText`${safeJson(about).slice(0, -1)}`);
  for (const [name, columns] of Object.entries(tables)) {
    const [first] = Object.values(columns);
    await pieces.add(safeText`,\n${safeJson(name)}:{"length":${String(first.length)}`);
    for (const [column, values] of Object.entries(columns)) {
      await pieces.add(safeText`,`);
      if (column === 'weightType') await pieces.add(safeText`"weightType":${safeJson(values[0])}`);
      else await writeList(pieces, column, values);
    }
    await pieces.add(safeText`}`);
  }
  await pieces.add(safeText`,\n`);
  await writeList(pieces, 'stringArray', strings);
  await pieces.add(safeText`}`);
}

/** The head of a thread, beside its tables. */
function aboutThread({ profile }: Run, part: number): object {
  const { thread = null, pid = null, command = null } = part < 0 ? {} : profile.parts[part];
  const name = command ?? baseOf(profile.command ?? profile.paths[0] ?? profile.format);
  return {
    ...{
      processType: 'default',
      processStartupTime: 0,
      processShutdownTime: null,
      registerTime: 0,
      unregisterTime: null,
      pausedRanges: [],
    },
    ...{ name, isMainThread: part <= 0, processName: name, pid: String(pid ?? 0), tid: thread ?? Math.max(0, part) },
  };
}

async function write(context: ReportContext, version: string, put: Put): Promise<void> {
  const pieces = new Pieces(put);
  const [run] = runsOf(context);
  const { profile, events, estimated } = run;
  const [event] = events;
  const [weightType, factor] =
    event.unit === 'ns'
      ? ['tracing-ms', 1e-6]
      : event.unit === 'us'
        ? ['tracing-ms', 1e-3]
        : [event.unit === 'bytes' ? 'bytes' : 'samples', 1];
  const byPart = listsBy(samplesOf(run, factor), ([stack]) => profile.stacks.part[stack]);
  if (byPart.size === 0) throw nothingCosts(event);
  const title = [profile.command ?? profile.paths[0] ?? profile.format, ...(estimated ? [estimated] : [])].join(' ');
  const meta = {
    ...{ interval: 1, startTime: 0, processType: 0, product: `${title}: ${event.name}`, stackwalk: 0, debug: false },
    ...{ version: 29, preprocessedProfileVersion: VERSION, importedFrom: `proftui ${version}`, symbolicated: true },
    categories: [{ name: 'Other', color: 'grey', subcategories: ['Other'] }],
    ...{ markerSchema: [], extensions: { length: 0, id: [], name: [], baseURL: [] } },
    sampleUnits: { time: 'ms', eventDelay: 'ms', threadCPUDelta: 'ns' },
  };
  const libs = Array.from(profile.objects.name, (_, object) => {
    const path = objectName(profile, object) ?? '';
    return { arch: null, name: baseOf(path), path, debugName: baseOf(path), debugPath: path, breakpadId: '', codeId: null };
  });
  const head: SafeText = safeJson({ meta, libs, pages: [], counters: [], profilerOverhead: [] });
  await pieces.add(safeText`${head.slice(0, -1)},\n"threads":[`);
  let written = 0;
  for (const [part, samples] of [...byPart].sort(([a], [b]) => a - b)) {
    const thread = new Thread(run);
    for (const sample of samples) thread.add(sample);
    if (written++ > 0) await pieces.add(safeText`,\n`);
    await writeThread(pieces, aboutThread(run, part), thread, weightType);
  }
  await pieces.add(safeText`]}\n`);
  await pieces.flush();
}

export const firefox: Exporter = {
  name: 'firefox',
  title: 'a processed profile of the Firefox Profiler, of the event that is shown',
  endings: ['.firefox.json', '.profile.json'],
  refusal: (context) => stacksRefused(context, false),
  write,
};
