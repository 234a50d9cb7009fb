// The target of a loader: names, parts, events, warnings, and the tables of one kind. All files of a run share one sink.
import { DEFAULT_LIMITS, type Limits } from '../base/limits.ts';
import type { Problem } from '../base/problem.ts';
import type { Unit } from '../base/units.ts';
import { isOneOfSeveral } from './canonical-name.ts';
import { NameRows, type PartId, type RoutineId, scaleCapacities } from './column.ts';
import type { Formula } from './formula.ts';
import type { Head, Part, RecordingTime } from './head.ts';
import type { Profile, ProfileTables } from './profile.ts';
import { RoutineTable } from './routine-table.ts';
import { Interner } from './strings.ts';

/** Facts about an event, as in an `event:` line: a long name, a formula, or both. */
export interface EventNote extends Formula {
  readonly unit?: Unit;
  /** The cost of one sample. */
  readonly each?: number;
}

/** A preview: the routines with the most self cost so far. */
export interface Preview {
  /** The first event of the file. The costs are those of this event. */
  readonly event: string;
  readonly total: number;
  /** The routines, most expensive first. */
  readonly routines: readonly { readonly name: string; readonly self: number }[];
}

export interface TableWriter {
  /** The number of rows written so far, for the progress line. */
  readonly rows: number;
  /** Finishes the tables, and the part of the head that depends on them. Called once. */
  finish(): Pick<Head, 'events' | 'columns'> & ProfileTables;
  /** A preview while a file is still being read; undefined if there is nothing to show yet. */
  preview?(most: number): Preview | undefined;
}

export interface ShownNames {
  /** Whether the displayed form of a name may differ from the recorded one. */
  readonly mayDiffer: (bytes: Uint8Array, from: number, to: number) => boolean;
  /** The routines, of the first `tested` ones, whose names may differ. */
  readonly candidates: readonly RoutineId[];
  readonly tested: number;
  /** The displayed name of a routine, by its recorded name and its file ('' if unknown). */
  readonly nameOf: (recorded: string, file: string) => string;
}

const MAX_WARNINGS = 200;
const MAX_FOUND_LENGTH = 500;

const EMPTY_PART = { part: null, thread: null, pid: null, command: null, notes: [], positions: [], summary: null, totals: null };

export class Sink {
  readonly strings = new Interner();
  readonly parts: Part[] = [];
  readonly paths: string[] = [];
  readonly eventNotes: EventNote[] = [];
  readonly warnings: Problem[] = [];
  command: string | null = null;
  taken: RecordingTime | undefined;
  creator: string | null = null;
  cut: Problem | undefined;
  readonly eventNames: string[] = [];
  readonly notes: string[] = [];
  readonly settings = new Map<string, string>();
  readonly files = new NameRows();
  readonly objects = new NameRows();
  readonly routines = new RoutineTable();
  /** Set once all names are known. */
  shown: ShownNames | undefined;
  private moreWarnings = 0;
  /** The writer of the tables; undefined until a loader asks for one. */
  currentWriter: TableWriter | undefined;

  /** Creates a sink. `limits`: when loaders refuse a file. `compilers`: programs that the user declared to be compilers. */
  constructor(
    readonly limits: Limits = DEFAULT_LIMITS,
    readonly compilers: readonly string[] = [],
  ) {}

  /** The routines whose names pass the test, of those from `first` on. */
  routinesWhere(passes: (bytes: Uint8Array, from: number, to: number) => boolean, first = 0): RoutineId[] {
    const { data } = this.routines.name;
    const found: RoutineId[] = [];
    for (let r = first; r < this.routines.count; r++) if (this.strings.test(data[r], passes)) found.push(r);
    return found;
  }

  /**
   * Gives routines their displayed names, once. By routine: the one that it is then. Only if `merges`, other spellings of one name become one
   * routine; undefined if all stay.
   */
  showRoutines(merges: boolean): Uint32Array | undefined {
    const { routines, strings, shown } = this;
    this.shown = undefined;
    if (!shown) return undefined;
    const { name, file, object, line } = routines;
    const candidates = [...shown.candidates, ...this.routinesWhere(shown.mayDiffer, shown.tested)];
    if (candidates.length === 0) return undefined;
    const into = Uint32Array.from({ length: routines.count }, (_, r) => r);
    const made = new Map<string, RoutineId>();
    for (const r of candidates) {
      const recorded = strings.text(name.data[r]);
      const id = strings.textId(shown.nameOf(recorded, this.fileOfRoutine(r)));
      if (id === name.data[r]) continue;
      const place = [file.data[r], object.data[r], line.data[r]] as const;
      const key = [id, ...place].join(' ');
      const same = merges && !isOneOfSeveral(recorded) ? (made.get(key) ?? routines.findId(id, ...place)) : -1;
      if (same >= 0) into[r] = same;
      else {
        made.set(key, r);
        routines.recorded.set(r, name.data[r]);
        name.data[r] = id;
      }
    }
    return into;
  }

  routineText(routine: RoutineId): string {
    return this.strings.text(this.routines.name.data[routine]);
  }

  /** The file of a routine; '' if unknown. */
  fileOfRoutine(routine: RoutineId): string {
    const file = this.routines.file.data[routine];
    return file < 0 ? '' : this.strings.text(this.files.name.data[file]);
  }

  /** Adds a part. Omitted properties are unknown or empty. */
  addPart(part: Pick<Part, 'path' | 'events'> & Partial<Part>): PartId {
    return this.parts.push({ ...EMPTY_PART, ...part }) - 1;
  }

  /** Multiplies the reserved capacity for names by `times`. */
  scaleCapacity(times: number): void {
    for (const table of [this.files, this.objects, this.routines]) scaleCapacities(table, times);
    this.strings.scaleCapacity(times);
  }

  /** The writer of a kind of tables, which all files of the run share. */
  writerFor<T extends TableWriter>(make: new (sink: Sink) => T): T {
    if (this.currentWriter instanceof make) return this.currentWriter;
    if (this.currentWriter) throw new Error('all files of a run must be of the same kind');
    const made = new make(this);
    this.currentWriter = made;
    return made;
  }

  warn(problem: Problem): void {
    if (this.warnings.length < MAX_WARNINGS) this.warnings.push({ ...problem, found: clipText(problem.found) });
    else this.moreWarnings++;
  }

  /** Warns of data that could not be read. The first such problem marks the profile as incomplete, with the sign `sign`. */
  leaveOut(problem: Problem, sign: string): void {
    this.warn(problem);
    this.cut ??= { ...problem, found: clipText(problem.found), sign, hint: 'what cannot be read is left out; Info lists it' };
  }

  finish(format: string): Profile {
    if (!this.currentWriter) throw new Error(`the ${format} loader wrote no tables`);
    const last = this.warnings.at(-1);
    if (last && this.moreWarnings > 0)
      this.warnings.push({ path: last.path, expected: `at most ${MAX_WARNINGS} warnings`, found: `${this.moreWarnings} more` });
    // Tables are finished first, because they may add names to the head.
    const tables = this.currentWriter.finish();
    this.showRoutines(false);
    return {
      format,
      paths: this.paths,
      command: this.command,
      creator: this.creator,
      strings: this.strings.finish(),
      parts: this.parts,
      files: { name: this.files.name.done() },
      objects: { name: this.objects.name.done() },
      routines: this.routines.done(),
      ...(this.taken ? { taken: this.taken } : {}),
      ...(this.settings.size > 0 ? { settings: this.settings } : {}),
      ...(this.notes.length > 0 ? { notes: this.notes } : {}),
      warnings: this.warnings,
      ...(this.cut ? { cut: this.cut } : {}),
      ...tables,
    };
  }
}

/** Shortens the found text, and copies it so that a long line does not stay in memory. */
const clipText = (found: string): string =>
  found.length > MAX_FOUND_LENGTH ? `${[...found.slice(0, MAX_FOUND_LENGTH)].join('')}…` : found;
