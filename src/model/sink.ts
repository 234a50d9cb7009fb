// What a loader writes into. One sink takes all files of a run; finishSink() makes the profile of it.
import type { Problem } from '../base/problem.ts';
import type { Unit } from '../base/units.ts';
import {
  Dense,
  expectRows,
  type FileId,
  Grow,
  MOST_EXPECTED,
  type ObjectId,
  type PartId,
  type RoutineId,
  type StringId,
} from './column.ts';
import { type CostColumns, splitHalves } from './cost-columns.ts';
import { resolveFormulas } from './formula.ts';
import { finishInputs } from './input-tables.ts';
import type { ContextNote, InputRows } from './inputs.ts';
import type { ProcessRows } from './processes.ts';
import type { Event, Part, Profile } from './profile.ts';
import { CallRows, JumpRows, LineRows, SpanRows } from './rows.ts';
import { finishSampled } from './sampled.ts';
import type { Samples } from './samples.ts';
import { finishProcesses, finishSteps } from './step-tables.ts';
import type { StepRows } from './steps.ts';
import { Interner } from './strings.ts';

/** An `event:` line or its like: a long name, a formula, or both. */
export interface EventNote {
  readonly name: string;
  readonly longName?: string;
  readonly formula?: string;
  readonly unit?: Unit;
  readonly path: string;
  readonly line?: number;
}

const WARNINGS = 200;

export class Sink {
  readonly strings = new Interner();
  readonly lines = new LineRows();
  readonly calls = new CallRows();
  readonly jumps = new JumpRows();
  readonly spans = new SpanRows();
  readonly parts: Part[] = [];
  readonly paths: string[] = [];
  readonly eventNotes: EventNote[] = [];
  readonly warnings: Problem[] = [];
  command: string | null = null;
  creator: string | null = null;
  cut: Problem | undefined;
  readonly eventNames: string[] = [];
  /** Sampled stacks, instead of the rows above. */
  samples: Samples | undefined;
  /** Points of cost by input size, and the contexts they are of, instead of the rows above. */
  inputs: InputRows | undefined;
  /** Steps in time, instead of the rows above. */
  steps: StepRows | undefined;
  /** Processes of a build, instead of the rows above. */
  processes: ProcessRows | undefined;
  namesAreRoutines = false;
  readonly notes: string[] = [];
  readonly contexts: ContextNote[] = [];
  readonly aliases: { readonly routine: RoutineId; readonly mangled?: StringId; readonly full?: StringId }[] = [];
  private moreWarnings = 0;
  private readonly files = new Grow(Uint32Array);
  private readonly fileOf = new Map<StringId, FileId>();
  private readonly objects = new Grow(Uint32Array);
  private readonly objectOf = new Map<StringId, ObjectId>();
  private readonly routineName = new Grow(Uint32Array);
  private readonly routineFile = new Grow(Int32Array);
  private readonly routineObject = new Grow(Int32Array);
  /** Routines of one name, as a list through `sameName`; a name has few. */
  private readonly firstOfName = new Dense();
  private readonly sameName = new Grow(Int32Array);

  file(name: StringId): FileId {
    return idOf(this.files, this.fileOf, name);
  }

  object(name: StringId): ObjectId {
    return idOf(this.objects, this.objectOf, name);
  }

  fileName(file: FileId): StringId {
    return file < 0 ? -1 : this.files.data[file];
  }

  findRoutine(name: StringId, file: FileId, object: ObjectId): RoutineId {
    let at: RoutineId = this.firstOfName.get(name);
    while (at >= 0 && !(this.routineFile.data[at] === file && this.routineObject.data[at] === object))
      at = this.sameName.data[at];
    return at;
  }

  /** Finds or makes the routine. */
  routine(name: StringId, file: FileId, object: ObjectId): RoutineId {
    const known = this.findRoutine(name, file, object);
    if (known >= 0) return known;
    const id = this.routineName.length;
    this.routineName.push(name);
    this.routineFile.push(file);
    this.routineObject.push(object);
    this.sameName.push(this.firstOfName.get(name));
    this.firstOfName.set(name, id);
    return id;
  }

  objectName(object: ObjectId): StringId {
    return this.objects.data[object];
  }

  routineText(routine: RoutineId): string {
    return this.strings.text(this.routineName.data[routine]);
  }

  get routineCount(): number {
    return this.routineName.length;
  }

  /** The cost column of each event name, made where it is new. */
  eventColumns(names: readonly string[]): number[] {
    const out = names.map((name) => {
      const at = this.eventNames.indexOf(name);
      return at >= 0 ? at : this.eventNames.push(name) - 1;
    });
    this.lines.costs.ensureColumns(this.eventNames.length);
    this.calls.costs.ensureColumns(this.eventNames.length);
    return out;
  }

  addPart(part: Part): PartId {
    return this.parts.push(part) - 1;
  }

  /** So many times the rows and names that there are now will come: room for them is made at once. */
  expect(times: number): void {
    const { lines, calls } = this;
    lines.reserve(Math.min(MOST_EXPECTED, Math.ceil(lines.rows * times)));
    for (const table of [calls, this.jumps, this.spans, this]) expectRows(table, times);
    calls.costs.reserve(Math.min(MOST_EXPECTED, Math.max(calls.costs.capacity, Math.ceil(calls.rows * times))), calls.rows);
    this.strings.expect(times);
  }

  warn(problem: Problem): void {
    if (this.warnings.length < WARNINGS) this.warnings.push(problem);
    else this.moreWarnings++;
  }

  finish(format: string): Profile {
    if (this.moreWarnings > 0) {
      const last = this.warnings.at(-1)!;
      this.warnings.push({ path: last.path, expected: `at most ${WARNINGS} warnings`, found: `${this.moreWarnings} more` });
    }
    // Tables first: they add names to those that the heading holds.
    const tables = this.tables();
    return { ...this.heading(format), ...tables };
  }

  private tables() {
    if (this.samples) return finishSampled(this, this.samples);
    if (this.inputs) return finishInputs(this, this.inputs);
    if (this.steps) return finishSteps(this, this.steps);
    if (this.processes) return finishProcesses(this, this.processes);
    return this.finishRows();
  }

  private heading(format: string) {
    return {
      format,
      paths: this.paths,
      command: this.command,
      creator: this.creator,
      strings: this.strings.finish(),
      parts: this.parts,
      files: { name: this.files.done() },
      objects: { name: this.objects.done() },
      routines: { name: this.routineName.done(), file: this.routineFile.done(), object: this.routineObject.done() },
      warnings: this.warnings,
      ...(this.cut ? { cut: this.cut } : {}),
    };
  }

  private finishRows() {
    const { lines, calls, jumps, spans } = this;
    spans.start.push(lines.rows);
    const raw = this.eventNames.length;
    const lineCosts: (Uint32Array | Float64Array)[] = [];
    const callCosts: (Uint32Array | Float64Array)[] = [];
    const exact = new Map<number, { high: number; low: number }>();
    let columns = raw;
    for (let c = 0; c < raw; c++) {
      lineCosts.push(lines.costs.columns[c].subarray(0, lines.rows));
      callCosts.push(calls.costs.columns[c].subarray(0, calls.rows));
    }
    for (let c = 0; c < raw; c++) {
      const beyond = lines.costs.beyond.has(c) || calls.costs.beyond.has(c);
      if (!beyond && sumIsExact(lines.costs, lines.rows, c) && sumIsExact(calls.costs, calls.rows, c)) continue;
      const l = splitHalves(lineCosts[c], lines.rows, lines.costs.beyond.get(c));
      const k = splitHalves(callCosts[c], calls.rows, calls.costs.beyond.get(c));
      lineCosts.push(l.high, l.low);
      callCosts.push(k.high, k.low);
      exact.set(c, { high: columns, low: columns + 1 });
      columns += 2;
    }
    const events = this.finishEvents(exact);
    return {
      events,
      columns,
      spans: {
        routine: spans.routine.done(),
        file: spans.file.done(),
        part: spans.part.done(),
        high: spans.high.done(),
        start: spans.start.done(),
      },
      lines: lines.finish(lineCosts),
      ...(calls.rows > 0 ? { calls: calls.finish(callCosts) } : {}),
      ...(jumps.line.length > 0 ? { jumps: jumps.finish(spans.high.done()) } : {}),
    };
  }

  private finishEvents(exact: Map<number, { high: number; low: number }>): Event[] {
    const recorded: Event[] = this.eventNames.map((name, c) => {
      const note = this.eventNotes.find((n) => n.name === name && n.longName !== undefined);
      const half = exact.get(c);
      return {
        name,
        unit: this.eventNotes.find((n) => n.name === name && n.unit)?.unit ?? 'count',
        ...(note?.longName ? { longName: note.longName } : {}),
        terms: [[1, c]],
        ...(half ? { exact: { high: [[1, half.high]], low: [[1, half.low]] } } : {}),
      };
    });
    const seen = new Set(this.eventNames);
    const notes = this.eventNotes.filter((n) => n.formula !== undefined && !seen.has(n.name) && seen.add(n.name));
    return [...recorded, ...resolveFormulas(notes, recorded, (p) => this.warn(p))];
  }
}

function idOf<T extends number>(names: Grow<Uint32Array>, known: Map<StringId, T>, name: StringId): T {
  const id = known.get(name);
  if (id !== undefined) return id;
  const next = names.length as T;
  names.push(name);
  known.set(name, next);
  return next;
}

/** No sum over rows of the column reaches 2^53. */
function sumIsExact(costs: CostColumns, rows: number, c: number): boolean {
  const column = costs.columns[c];
  // Without negative values no sum is larger than that of all.
  if (column instanceof Uint32Array) return costs.sumsTo(rows)[c] < 2 ** 53;
  let plus = 0;
  let minus = 0;
  for (let i = 0; i < rows; i++) {
    const v = column[i];
    if (v >= 0) plus += v;
    else minus -= v;
  }
  return Math.max(plus, minus) < 2 ** 53;
}
