// Writes a processed profile of the Firefox Profiler (profiler.firefox.com) for the shown event: one thread per part, samples in
// time order if times are known. Version 47; later versions of the web page convert it. Format:
// https://github.com/firefox-devtools/profiler/blob/main/docs-developer/processed-profile-format.md

import { exportedName, fileName, objectName } from '../analysis/names/names.ts';
import { getOrMake, groupByKey } from '../base/lists.ts';
import { baseName } from '../base/paths.ts';
import { type SafeText, safeJson, safeText } from '../base/safe-text.ts';
import { smallestUnits } from '../base/units.ts';
import { Numbering } from '../model/column.ts';
import type { ReportContext } from '../reports/report.ts';
import { type ExportedRun, exportedRuns, noCostError, samplesOf, stackRefusal } from './as-stacks.ts';
import { type Exporter, writerOf } from './exporter.ts';

const FORMAT_VERSION = 47;

type FirefoxColumns = Readonly<Record<string, readonly unknown[]>>;

/** Collects the samples of a thread. Its tables contain only the frames and functions that the samples use. */
class FirefoxThread {
  private readonly strings = new Numbering<string>();
  private readonly frames = new Numbering<number>();
  private readonly functions = new Numbering<number>();
  private readonly resources = new Numbering<number>();
  /** Stack index by the indices of prefix and frame. */
  private readonly stacks = new Map<number, number>();
  private readonly stackTable = { frame: [] as number[], prefix: [] as (number | null)[] };
  private readonly samples = { stack: [] as number[], time: [] as number[], weight: [] as number[] };

  constructor(private readonly run: ExportedRun) {}

  addSample(stack: number, weight: number, ms: number): void {
    const { start, frame } = this.run.profile.stacks;
    let prefix = -1;
    for (let k = start[stack + 1] - 1; k >= start[stack]; k--) prefix = this.stackIndex(prefix, this.frames.numberOf(frame[k]));
    this.samples.stack.push(prefix);
    this.samples.time.push(ms);
    this.samples.weight.push(weight);
  }

  private stackIndex(prefix: number, frame: number): number {
    const key = (prefix + 1) * this.run.profile.frames.routine.length + frame;
    return getOrMake(this.stacks, key, () => {
      this.stackTable.prefix.push(prefix < 0 ? null : prefix);
      return this.stackTable.frame.push(frame) - 1;
    });
  }

  /** The tables of the thread. Frames are numbered first, then functions, then resources: each refers to the next. */
  tables(weightType: string): { readonly tables: Readonly<Record<string, FirefoxColumns>>; readonly strings: readonly string[] } {
    const { profile } = this.run;
    const { frames, routines } = profile;
    const filled = (length: number, values: Readonly<Record<string, unknown>>): FirefoxColumns =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Array<unknown>(length).fill(value)]));
    const text = (value: string | null): number | null => (value === null ? null : this.strings.numberOf(value));
    const frameRows = Array.from(this.frames, ([frame]) => frame);
    const func = frameRows.map((frame) => this.functions.numberOf(frames.routine[frame]));
    const functionRows = Array.from(this.functions, ([routine]) => routine);
    const resource = functionRows.map((r) => (routines.object[r] < 0 ? -1 : this.resources.numberOf(routines.object[r])));
    const objects = Array.from(this.resources, ([object]) => object);
    const [m, n, s] = [frameRows.length, functionRows.length, this.stackTable.frame.length];
    const tables = {
      samples: { ...this.samples, weightType: [weightType] },
      stackTable: { ...this.stackTable, ...filled(s, { category: 0, subcategory: 0 }) },
      frameTable: {
        ...filled(m, { address: -1, category: 0, subcategory: 0 }),
        func,
        ...filled(m, { nativeSymbol: null, innerWindowID: 0, implementation: null, column: null }),
        inlineDepth: frameRows.map((frame) => frames.inlined?.[frame] ?? 0),
        line: frameRows.map((frame) => frames.line[frame] || null),
      },
      funcTable: {
        name: functionRows.map((r) => this.strings.numberOf(exportedName(profile, r))),
        ...filled(n, { isJS: false, relevantForJS: false }),
        resource,
        fileName: functionRows.map((r) => text(fileName(profile, routines.file[r]))),
        ...filled(n, { lineNumber: null, columnNumber: null }),
      },
      resourceTable: {
        lib: objects,
        name: objects.map((object) => this.strings.numberOf(baseName(objectName(profile, object) ?? ''))),
        ...filled(objects.length, { host: null, type: LIBRARY_RESOURCE_TYPE }),
      },
      nativeSymbols: { libIndex: [], address: [], name: [], functionSize: [] },
      markers: { data: [], name: [], startTime: [], endTime: [], phase: [], category: [] },
    };
    return { tables, strings: Array.from(this.strings, ([value]) => value) };
  }
}

/** The resource type of libraries and programs in the Firefox Profiler. */
const LIBRARY_RESOURCE_TYPE = 1;
/** Number of values that are written at once. */
const VALUES_PER_PIECE = 1000;

function* listPieces(name: string, values: readonly unknown[]): Generator<SafeText> {
  yield safeText`${safeJson(name)}:[`;
  for (let i = 0; i < values.length; i += VALUES_PER_PIECE)
    yield safeText`${i > 0 ? ',' : ''}${safeJson(values.slice(i, i + VALUES_PER_PIECE)).slice(1, -1)}`;
  yield safeText`]`;
}

function* threadPieces(head: object, thread: FirefoxThread, weightType: string): Generator<SafeText> {
  const { tables, strings } = thread.tables(weightType);
  yield safeText`${safeJson(head).slice(0, -1)}`;
  for (const [name, columns] of Object.entries(tables)) {
    const [first] = Object.values(columns);
    yield safeText`,\n${safeJson(name)}:{"length":${String(first.length)}`;
    for (const [column, values] of Object.entries(columns)) {
      yield safeText`,`;
      if (column === 'weightType') yield safeText`"weightType":${safeJson(values[0])}`;
      else yield* listPieces(column, values);
    }
    yield safeText`}`;
  }
  yield safeText`,\n`;
  yield* listPieces('stringArray', strings);
  yield safeText`}`;
}

/** The JSON members of a thread, except its tables. */
function threadHead({ profile }: ExportedRun, part: number): object {
  const { thread = null, pid = null, command = null } = part < 0 ? {} : profile.parts[part];
  const name = command ?? baseName(profile.command ?? profile.paths[0] ?? profile.format);
  return {
    ...{ processType: 'default', processStartupTime: 0, processShutdownTime: null },
    ...{ registerTime: 0, unregisterTime: null, pausedRanges: [] },
    ...{ name, isMainThread: part <= 0, processName: name, pid: String(pid ?? 0), tid: thread ?? Math.max(0, part) },
  };
}

function* firefoxPieces(context: ReportContext, version: string): Generator<SafeText> {
  const [run] = exportedRuns(context);
  const { profile, events, estimated } = run;
  const [event] = events;
  const unit = smallestUnits(event.unit);
  const [weightType, factor] =
    unit?.of === 'ns' ? ['tracing-ms', unit.factor / 1e6] : unit ? ['bytes', unit.factor] : ['samples', 1];
  const byPart = groupByKey(samplesOf(run), ([stack]) => profile.stacks.part[stack]);
  if (byPart.size === 0) throw noCostError(event);
  const title = [profile.command ?? profile.paths[0] ?? profile.format, ...(estimated ? [estimated] : [])].join(' ');
  const meta = {
    ...{ interval: 1, startTime: 0, processType: 0, product: `${title}: ${event.name}`, stackwalk: 0, debug: false },
    ...{ version: 29, preprocessedProfileVersion: FORMAT_VERSION, importedFrom: `proftui ${version}`, symbolicated: true },
    categories: [{ name: 'Other', color: 'grey', subcategories: ['Other'] }],
    ...{ markerSchema: [], extensions: { length: 0, id: [], name: [], baseURL: [] } },
    sampleUnits: { time: 'ms', eventDelay: 'ms', threadCPUDelta: 'ns' },
  };
  const libs = Array.from(profile.objects.name, (_, object) => {
    const path = objectName(profile, object) ?? '';
    const name = baseName(path);
    return { arch: null, name, path, debugName: name, debugPath: path, breakpadId: '', codeId: null };
  });
  const head: SafeText = safeJson({ meta, libs, pages: [], counters: [], profilerOverhead: [] });
  yield safeText`${head.slice(0, -1)},\n"threads":[`;
  let written = 0;
  for (const [part, samples] of [...byPart].sort(([a], [b]) => a - b)) {
    const thread = new FirefoxThread(run);
    for (const [stack, cost, ns] of samples) thread.addSample(stack, Number(cost) * factor, ns / 1e6);
    if (written++ > 0) yield safeText`,\n`;
    yield* threadPieces(threadHead(run, part), thread, weightType);
  }
  yield safeText`]}\n`;
}

export const firefox: Exporter = {
  name: 'firefox',
  title: 'a processed profile of the Firefox Profiler, of the event that is shown',
  endings: ['.firefox.json', '.profile.json'],
  refusal: (context) => stackRefusal(context, false),
  write: writerOf(firefoxPieces),
};
