// Writes steps in time: build steps, slices of a trace, commands of a log. Each has a start, a duration and a track.
// Times are in microseconds; whole microseconds stay exact.
import { firstIndexWhere, getOrMake } from '../../base/lists.ts';
import {
  finishColumns,
  GrowableColumn,
  indexBy,
  invertRows,
  mergeRuns,
  Numbering,
  type NumericArray,
  pickColumn,
  pickRows,
  type RoutineId,
  type StringId,
} from '../column.ts';
import type { Event, Head } from '../head.ts';
import type { Sink, TableWriter } from '../sink.ts';
import { GaugeColumns, mapTextNames, StepColumns } from './columns.ts';
import type { Compiles, Rebuilds } from './compiles.ts';
import { type StageSpan, type StepStage, stageSpans } from './stages.ts';
import {
  clockSlackUs,
  REPEATED_TEXTS,
  type RunningBuild,
  STEP_KIND,
  STEP_KINDS,
  type StepFacts,
  type StepKind,
  type Steps,
  SUM_KIND,
  type TextName,
  type Timeline,
  type Track,
  UNIQUE_TEXTS,
  WHOLE_KIND,
} from './tables.ts';

/** A step to be written: its texts and other properties. */
export interface StepNote extends Readonly<Partial<Record<TextName, string | undefined>>> {
  readonly name: string;
  readonly kind?: StepKind;
  readonly track: number;
  readonly part: number;
  /** The start in microseconds; NaN if unknown. */
  readonly startUs: number;
  readonly durationUs: number;
  /** The exit code or result; null if unknown or meaningless, infinite if the step failed with an unknown code. */
  readonly result?: number | null;
  readonly outputs?: readonly { readonly path: string; readonly bytes: number | null }[];
}

/** Whether a number is a valid time in microseconds: small enough that sums of times are finite. */
export const isValidTime = (us: number): boolean => Math.abs(us) <= 2 ** 62;

export type RowCounts = Readonly<Record<'steps' | 'gauges', number>>;

/** Pairs of steps, as row numbers in the order of writing. */
export class StepPairs {
  readonly from = new GrowableColumn(Uint32Array);
  readonly to = new GrowableColumn(Uint32Array);

  push(from: number, to: number): void {
    this.from.push(from);
    this.to.push(to);
  }
}

/** The compilers' work while it is being summed. */
export interface CompilesDraft {
  /** Builds the tables. `rename`: makes function names readable. `place`: the final row of a step, by its row as written. */
  done(rename: (name: string) => string, place: (step: number) => number): Compiles;
}

export class StepWriter implements TableWriter {
  readonly facts: StepFacts = { originUs: null, cores: null, memoryBytes: null };
  /** The work of the steps' compilers, if they left traces. */
  compiles: CompilesDraft | undefined;
  /** The costs of changing a header. Steps are row numbers in the order of writing. */
  rebuilds: Rebuilds | undefined;
  /** Set for a running build. Steps are row numbers in the order of writing. */
  live: RunningBuild | undefined;
  /** Maps a step's role to its stage, for files that distinguish stages. */
  stageOf: ((role: string | undefined) => StepStage) | undefined;
  /** Makes the name of a function, as a compiler wrote it, readable. */
  demangle: (name: string) => string = (name) => name;
  readonly columns = new StepColumns();
  /** Their names and order may still come. */
  readonly tracks: { -readonly [Field in keyof Track]: Track[Field] }[] = [];
  readonly gauges = new GaugeColumns();
  /** Pairs of steps of which the first hands over to the second. */
  readonly links = new StepPairs();
  /** Dependencies from the build system's file, as pairs of a step and what it needs; undefined if there is no file. */
  needs: StepPairs | undefined;
  /** Dependencies from the order of targets, in addition to those in commands. */
  readonly targetNeeds = new StepPairs();
  /** The steps on the build tool's own critical path, in order. */
  readonly critical: number[] = [];
  /** How many steps of each pool of the build system's file can run at once. */
  readonly pools = new Map<string, number>();
  /** Tracks whose steps run in parallel, where only `whole` steps contain others. */
  readonly parallel = new Set<number>();
  /** The build system's targets by name. If there are several configure runs, the last one counts. */
  readonly targets = new Map<string, { type: string | null; labels: readonly string[] }>();
  /** The files whose times have their own origin: their rows, and the origin in microseconds since 1970 (null if unknown). */
  readonly clocks: Readonly<{ path: string; from: RowCounts; to: RowCounts; originUs: number | null }>[] = [];
  /** True for traces, where each slice name is a routine. Names of build steps are not routines. */
  namesAreRoutines = false;
  private readonly trackOf = new Numbering<string>();
  private readonly textIds = new Map<string, StringId>();

  constructor(readonly sink: Sink) {}

  get rows(): number {
    return this.columns.rows;
  }

  rowsSoFar(): RowCounts {
    return { steps: this.rows, gauges: this.gauges.rows };
  }

  trackId(pid: string, tid: string): number {
    const at = this.trackOf.numberOf(`${pid}\n${tid}`);
    if (at === this.tracks.length) this.tracks.push({ pid, tid, name: null, processName: null, sort: 0, processSort: 0 });
    return at;
  }

  /** A track without a title, because the tool does not name it. Its steps run in parallel. */
  untitledTrack(pid: string, tid: string): number {
    const at = this.trackId(pid, tid);
    const note = this.tracks[at];
    note.name = '';
    note.processName = '';
    this.parallel.add(at);
    return at;
  }

  /** The id of a text; -1 for undefined. */
  textId(text: string | undefined): StringId {
    return text === undefined ? -1 : this.sink.strings.textId(text);
  }

  /** A text of a step that was written; undefined if the step has none. */
  text(name: TextName, row: number): string | undefined {
    const id = this.columns.text[name].get(row);
    return id < 0 ? undefined : this.sink.strings.text(id);
  }

  setText(name: TextName, row: number, text: string | undefined): void {
    this.columns.text[name].set(row, this.textId(text));
  }

  /** Works like setText(), but faster for repeated texts, such as targets: ids are cached, so known texts are not encoded again. */
  setWord(name: (typeof REPEATED_TEXTS)[number], row: number, text: string | undefined): void {
    if (text === undefined) return;
    let id = this.textIds.get(text);
    if (id === undefined) {
      id = this.sink.strings.textId(text);
      if (this.textIds.size < MAX_KEPT_TEXTS && text.length <= MAX_KEPT_LENGTH) this.textIds.set(text, id);
    }
    this.columns.text[name].set(row, id);
  }

  /** Adds an output of a step. `bytes`: its size, null if unknown. */
  addOutput(row: number, path: StringId, bytes: number | null): void {
    const { columns } = this;
    columns.outputStep.push(row);
    columns.outputPath.push(path);
    columns.outputBytes.push(bytes ?? Number.NaN);
  }

  outputsOf(row: number): string[] {
    const { outputStep, outputPath } = this.columns;
    const firstOf = (step: number) => firstIndexWhere(outputStep.length, (i) => outputStep.data[i] >= step);
    return Array.from(outputPath.data.subarray(firstOf(row), firstOf(row + 1)), (id) => this.sink.strings.text(id));
  }

  /** Writes a step; returns its row. */
  add(note: StepNote): number {
    const { columns } = this;
    const { track, part, startUs, durationUs, kind } = note;
    const row = this.addTimes(this.sink.strings.textId(note.name), track, part, startUs, durationUs, kind);
    columns.result.set(row, note.result ?? Number.NaN);
    for (const name of REPEATED_TEXTS) this.setWord(name, row, note[name]);
    for (const name of UNIQUE_TEXTS) if (note[name] !== undefined) this.setText(name, row, note[name]);
    for (const { path, bytes } of note.outputs ?? []) this.addOutput(row, this.sink.strings.textId(path), bytes);
    return row;
  }

  /** Writes the times of a step, and returns its row. Other properties may follow. */
  addTimes(name: StringId, track: number, part: number, startUs: number, durationUs: number, kind: StepKind = 'step'): number {
    const { columns } = this;
    columns.name.push(name);
    columns.kind.push(STEP_KINDS.indexOf(kind));
    columns.track.push(track);
    columns.part.push(part);
    columns.startUs.push(startUs);
    columns.durationUs.push(durationUs);
    return columns.rows - 1;
  }

  stages(stageOf: (role: string | undefined) => StepStage): StageSpan[] {
    const { columns } = this;
    const rows = Array.from({ length: this.rows }, (_, row) => row).filter((row) => !columns.hasNoStart(row));
    return stageSpans(
      rows.map((row) => ({
        ...stageOf(this.text('role', row)),
        isWhole: columns.kind.data[row] === WHOLE_KIND,
        part: columns.part.data[row],
        startUs: columns.startUs.data[row],
        endUs: columns.endUs(row),
      })),
    );
  }

  /** Shifts the times of rows that have been written. */
  shift(from: RowCounts, to: RowCounts, byUs: number): void {
    const { startUs } = this.columns;
    for (let i = from.steps; i < to.steps; i++) startUs.data[i] += byUs;
    this.gauges.shift(from.gauges, to.gauges, byUs);
  }

  finish(): Pick<Head, 'events' | 'columns'> & Timeline {
    this.align();
    const longName = this.namesAreRoutines ? 'elapsed time' : 'summed time of the steps';
    const time: Event = { name: 'time', unit: 'us', longName, terms: [[1, 0]] };
    return { kind: 'steps', events: [time], columns: 1, steps: this.buildTables() };
  }

  /** Puts files with recorded start times on one clock, which starts with the earliest of them. */
  private align(): void {
    const { clocks, sink } = this;
    const known = clocks.flatMap((c) => (c.originUs === null ? [] : [c.originUs]));
    if (known.length === 0) return;
    const origin = known.reduce((least, us) => Math.min(least, us), Number.POSITIVE_INFINITY);
    this.facts.originUs = origin;
    for (const { path, from, to, originUs } of clocks) {
      if (originUs === null) {
        const found = 'none: its times cannot be aligned with those of the other files';
        sink.warn({ path, expected: 'the time at which it began', found });
        continue;
      }
      if (originUs !== origin) this.shift(from, to, originUs - origin);
    }
  }

  private buildTables(): Steps {
    const { columns } = this;
    const n = columns.rows;
    // By start, then longest first. Steps that never ran count as time 0.
    const start = columns.startUs.done().map((us) => us || 0);
    const order = mergeRuns(start, columns.durationUs.done());
    // By row as written: its row after sorting. A row of -1 is no step.
    const rowOf = order && invertRows(new Uint32Array(n), order);
    const sorted = <A extends NumericArray>(column: A): A => (order ? pickColumn(column, order) : column);
    // All text columns without values share one array; so do all number columns.
    const noText = new Int32Array(n).fill(-1);
    const noNumber = new Float64Array(n).fill(Number.NaN);
    const placeOf = (row: number) => (row >= 0 && rowOf ? rowOf[row] : row);
    const placesOf = (rows: GrowableColumn<Uint32Array>) => (rowOf ? rows.done().map(placeOf) : rows.done());
    const needsOf = ({ from, to }: StepPairs) => ({ step: placesOf(from), of: placesOf(to) });
    const outputs = indexBy(placesOf(columns.outputStep), n);
    const { live, rebuilds } = this;
    const { outputStep: _, outputPath: __, outputBytes: ___, ...rows } = finishColumns(columns);
    const spans = order ? pickRows(rows, order) : rows;
    return {
      ...spans,
      ...mapTextNames((text) => sorted(columns.text[text].done(n, noText))),
      parent: findParents(spans, this.parallel),
      cpuUs: sorted(columns.cpuUs.done(n, noNumber)),
      result: sorted(columns.result.done(n, noNumber)),
      routine: this.routinesOf(spans.name, spans.kind, noText),
      outputStart: outputs.from,
      ...pickRows({ outputPath: columns.outputPath.done(), outputBytes: columns.outputBytes.done() }, outputs.order),
      linkFrom: placesOf(this.links.from),
      linkTo: placesOf(this.links.to),
      ...this.facts,
      ...(this.pools.size > 0 ? { pools: Array.from(this.pools, ([name, depth]) => ({ name, depth })) } : {}),
      ...(this.needs ? { needs: needsOf(this.needs) } : {}),
      ...(this.critical.length > 0 ? { critical: Uint32Array.from(this.critical, placeOf) } : {}),
      ...(this.targetNeeds.from.length > 0 ? { targetNeeds: needsOf(this.targetNeeds) } : {}),
      tracks: this.tracks,
      gauges: this.gauges.series(this.tracks),
      parallel: [...this.parallel],
      targets: [...this.targets].map(([target, t]) => ({ name: target, ...t })),
      ...(live ? { live: { ...live, running: { ...live.running, step: live.running.step.map(placeOf) } } } : {}),
      ...(this.stageOf ? { stages: this.stages(this.stageOf) } : {}),
      ...(this.compiles ? { compiles: this.compiles.done(this.demangle, placeOf) } : {}),
      ...(rebuilds ? { rebuilds: { ...rebuilds, units: { ...rebuilds.units, step: rebuilds.units.step.map(placeOf) } } } : {}),
    };
  }

  /** By step: the routine of a slice; none for build steps and sums. */
  private routinesOf(name: Uint32Array, kind: Uint8Array, none: Int32Array): Int32Array {
    if (!this.namesAreRoutines) return none;
    const known = new Map<StringId, RoutineId>();
    const addRoutine = (id: StringId) => this.sink.routines.findOrAdd(id, -1, -1);
    return Int32Array.from(name, (id, i) => (kind[i] === SUM_KIND ? -1 : getOrMake(known, id, addRoutine)));
  }
}

/** The maximum length of cached texts, and the maximum number of them. */
const MAX_KEPT_LENGTH = 200;
const MAX_KEPT_TEXTS = 1 << 16;

type SpanColumns = Pick<Steps, 'kind' | 'part' | 'track' | 'startUs' | 'durationUs'>;

/**
 * For steps in order of start: the innermost step of the same part and track that contains each; -1 if none does. A step may end
 * a little after the one that contains it, since both ends are rounded. On tracks whose steps run in parallel, only whole ones contain
 * others.
 */
function findParents({ kind, part, track, startUs, durationUs }: SpanColumns, parallel: ReadonlySet<number>): Int32Array {
  const n = kind.length;
  const parent = new Int32Array(n).fill(-1);
  const open = new Map<number, number[]>();
  const slack = clockSlackUs(startUs, durationUs);
  const tracks = track.reduce((most, t) => Math.max(most, t), 0) + 1;
  const endOf = (row: number) => startUs[row] + durationUs[row];
  let [lastKey, stack]: [number, number[]] = [-1, []];
  for (let row = 0; row < n; row++) {
    const start = startUs[row];
    if (Number.isNaN(start) || (kind[row] !== STEP_KIND && kind[row] !== WHOLE_KIND)) continue;
    const key = part[row] * tracks + track[row];
    if (key !== lastKey) {
      lastKey = key;
      stack = getOrMake(open, key, () => []);
    }
    const isParallel = parallel.has(track[row]);
    const end = endOf(row);
    // A step of length zero at the very end of another is not inside it, unless both have the same start.
    for (let top = stack.at(-1); top !== undefined && endOf(top) <= start; top = stack.at(-1)) {
      if (durationUs[row] === 0 && endOf(top) === start && startUs[top] === start) break;
      stack.pop();
    }
    for (let k = stack.length - 1; k >= 0; k--) {
      const last = endOf(stack[k]);
      if (last < end - slack || (last < end && (last - start <= slack || isParallel))) continue;
      parent[row] = stack[k];
      break;
    }
    if (kind[row] !== WHOLE_KIND && isParallel) continue;
    // Steps that end before this one are removed: a later step inside them is inside this one, too.
    for (let top = stack.at(-1); top !== undefined && endOf(top) < end - slack; top = stack.at(-1)) stack.pop();
    stack.push(row);
  }
  return parent;
}
