// The target of a loader: names, parts, events and warnings, and the tables of one kind. One sink takes all files of a run.
import { type Limits, USUAL_LIMITS } from '../base/limits.ts';
import type { Problem } from '../base/problem.ts';
import type { Unit } from '../base/units.ts';
import {
  type FileId,
  GrowableColumn,
  type ObjectId,
  type PartId,
  type RoutineId,
  type StringId,
  scaleCapacities,
} from './column.ts';
import { Numbering } from './groups.ts';
import type { Head, Part, Taken } from './head.ts';
import type { Profile, Tables } from './profile.ts';
import { RoutineTable } from './routine-table.ts';
import { Interner } from './strings.ts';

/** An `event:` line or its equivalent: a long name, a formula, or both. */
export interface EventNote {
  readonly name: string;
  readonly longName?: string;
  readonly formula?: string;
  readonly unit?: Unit;
  /** The cost of a sample. */
  readonly each?: number;
  readonly path: string;
  readonly line?: number;
}

/** The routines with the most self cost in what has been read so far. */
export interface Preview {
  /** The file's first event, which the costs are of. */
  readonly event: string;
  readonly total: number;
  /** The most expensive first. */
  readonly routines: readonly { readonly name: string; readonly self: number }[];
}

/** Writes the tables of one kind. */
export interface TableWriter {
  /** Rows written so far, for the progress line. */
  readonly rows: number;
  /** The kind's tables, and the part of the head that follows from them. Called once. */
  finish(): Pick<Head, 'events' | 'columns'> & Tables;
  preview?(most: number): Preview | undefined;
}

const WARNINGS = 200;
const MOST_FOUND = 500;

const NO_PART = { part: null, thread: null, pid: null, command: null, notes: [], positions: [], summary: null, totals: null };

export class Sink {
  readonly strings = new Interner();
  readonly parts: Part[] = [];
  readonly paths: string[] = [];
  readonly eventNotes: EventNote[] = [];
  readonly warnings: Problem[] = [];
  command: string | null = null;
  taken: Taken | undefined;
  creator: string | null = null;
  cut: Problem | undefined;
  readonly eventNames: string[] = [];
  /** Facts about how the file was read, for Info. */
  readonly notes: string[] = [];
  private moreWarnings = 0;
  private writer: TableWriter | undefined;
  private readonly files = new GrowableColumn(Uint32Array);
  private readonly fileOf = new Numbering<StringId>();
  private readonly objects = new GrowableColumn(Uint32Array);
  private readonly objectOf = new Numbering<StringId>();
  private readonly routines = new RoutineTable();

  /** `limits`: reasons for which loaders refuse a file. `compilers`: programs that the user calls compilers. */
  constructor(
    readonly limits: Limits = USUAL_LIMITS,
    readonly compilers: readonly string[] = [],
  ) {}

  fileId(name: StringId): FileId {
    return addName(this.files, this.fileOf, name);
  }

  objectId(name: StringId): ObjectId {
    return addName(this.objects, this.objectOf, name);
  }

  fileName(file: FileId): StringId {
    return file < 0 ? -1 : this.files.data[file];
  }

  findRoutine(name: StringId, file: FileId, object: ObjectId): RoutineId {
    return this.routines.findId(name, file, object);
  }

  /** Finds or makes the routine. `line`: where it starts, if others have its name, file and object; else 0. */
  routineId(name: StringId, file: FileId, object: ObjectId, line = 0): RoutineId {
    return this.routines.findOrAdd(name, file, object, line);
  }

  /** The routine of that name where this one is. */
  routineNamedAt(routine: RoutineId, name: StringId): RoutineId {
    const { file, object } = this.routines;
    return this.routineId(name, file.data[routine], object.data[routine]);
  }

  objectName(object: ObjectId): StringId {
    return this.objects.data[object];
  }

  routineText(routine: RoutineId): string {
    return this.strings.text(this.routines.name.data[routine]);
  }

  routineFile(routine: RoutineId): FileId {
    return this.routines.file.data[routine];
  }

  get routineCount(): number {
    return this.routines.count;
  }

  /** Adds a part; omitted properties are unknown or empty. */
  addPart(part: Pick<Part, 'path' | 'events'> & Partial<Part>): PartId {
    return this.parts.push({ ...NO_PART, ...part }) - 1;
  }

  /** Reserves room for `times` × the current names. */
  scaleCapacity(times: number): void {
    scaleCapacities(this, times);
    this.routines.scaleCapacity(times);
    this.strings.scaleCapacity(times);
  }

  /** The writer of a kind's tables, shared by all files of the run. */
  writerFor<T extends TableWriter>(make: new (sink: Sink) => T): T {
    if (this.writer instanceof make) return this.writer;
    if (this.writer) throw new Error('all files of a run must be of the same kind');
    const made = new make(this);
    this.writer = made;
    return made;
  }

  /** The writer of the tables, once a loader has asked for one. */
  get currentWriter(): TableWriter | undefined {
    return this.writer;
  }

  /** Rows written so far. */
  get rows(): number {
    return this.writer?.rows ?? 0;
  }

  /** A preview while a file is still being read; undefined if there is nothing to show yet. */
  preview(most: number): Preview | undefined {
    return this.writer?.preview?.(most);
  }

  warn(problem: Problem): void {
    if (this.warnings.length < WARNINGS) this.warnings.push({ ...problem, found: clipText(problem.found) });
    else this.moreWarnings++;
  }

  finish(format: string): Profile {
    if (!this.writer) throw new Error(`the ${format} loader wrote no tables`);
    const last = this.warnings.at(-1);
    if (last && this.moreWarnings > 0)
      this.warnings.push({ path: last.path, expected: `at most ${WARNINGS} warnings`, found: `${this.moreWarnings} more` });
    // Tables first: they may add names to the head.
    const tables = this.writer.finish();
    return { ...this.head(format), ...tables };
  }

  private head(format: string): Omit<Head, 'events' | 'columns'> {
    return {
      format,
      paths: this.paths,
      command: this.command,
      creator: this.creator,
      strings: this.strings.finish(),
      parts: this.parts,
      files: { name: this.files.done() },
      objects: { name: this.objects.done() },
      routines: this.routines.done(),
      ...(this.taken ? { taken: this.taken } : {}),
      ...(this.notes.length > 0 ? { notes: this.notes } : {}),
      warnings: this.warnings,
      ...(this.cut ? { cut: this.cut } : {}),
    };
  }
}

/** The found text, without the rest of a long line, and without keeping that in memory. */
function clipText(found: string): string {
  return found.length > MOST_FOUND ? `${[...found.slice(0, MOST_FOUND)].join('')}…` : found;
}

function addName(names: GrowableColumn<Uint32Array>, known: Numbering<StringId>, name: StringId): number {
  const id = known.numberOf(name);
  if (id === names.length) names.push(name);
  return id;
}
