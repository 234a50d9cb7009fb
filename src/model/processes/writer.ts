// Writes the processes of a build, in file order and without times, and which process started which.
import { getOrMake } from '../../base/lists.ts';
import { programName } from '../../base/paths.ts';
import { breakCycles } from '../circles.ts';
import { finishColumns, GrowableColumn, type PartId, type RoutineId, type StringId } from '../column.ts';
import type { Head } from '../head.ts';
import type { Sink, TableWriter } from '../sink.ts';
import type { ProcessTrace } from './tables.ts';

/** A process; its texts are string ids of the sink. */
export interface ProcessNote {
  readonly id: StringId;
  /** The parent's id; -1 if the file names no parent. */
  readonly parentId: StringId;
  readonly part: PartId;
  readonly line: number;
  readonly executable: StringId;
  /** The directory of the process; -1 if it is unknown. */
  readonly directory: StringId;
  readonly args: ArrayLike<StringId>;
  /** Changes of environment variables. A value of -1 means that the variable was removed. */
  readonly env: readonly (readonly [name: StringId, value: StringId])[];
}

export class ProcessWriter implements TableWriter {
  /** Texts are string ids, because a trace may have a million processes with fifty arguments each. */
  private readonly id = new GrowableColumn(Uint32Array);
  /** The parent's id; -1 if the file names no parent. */
  private readonly parentId = new GrowableColumn(Int32Array);
  private readonly part = new GrowableColumn(Uint32Array);
  private readonly line = new GrowableColumn(Uint32Array);
  private readonly executable = new GrowableColumn(Uint32Array);
  private readonly program = new GrowableColumn(Uint32Array);
  private readonly directory = new GrowableColumn(Int32Array);
  private readonly argStart = new GrowableColumn(Uint32Array);
  private readonly args = new GrowableColumn(Uint32Array);
  private readonly envStart = new GrowableColumn(Uint32Array);
  private readonly envName = new GrowableColumn(Uint32Array);
  private readonly envValue = new GrowableColumn(Int32Array);
  /** By executable: its program. */
  private readonly programs = new Map<StringId, RoutineId>();

  constructor(private readonly sink: Sink) {
    this.argStart.push(0);
    this.envStart.push(0);
  }

  get rows(): number {
    return this.id.length;
  }

  push(note: ProcessNote): void {
    this.id.push(note.id);
    this.parentId.push(note.parentId);
    this.part.push(note.part);
    this.line.push(note.line);
    this.executable.push(note.executable);
    this.program.push(getOrMake(this.programs, note.executable, this.addProgram));
    this.directory.push(note.directory);
    const { args } = this;
    const argsEnd = args.length + note.args.length;
    // Arguments are written without push(), which is slow because it is called for all types of columns.
    if (argsEnd > args.data.length) args.reserve(Math.max(argsEnd, 2 * args.length));
    for (let k = 0; k < note.args.length; k++) args.data[args.length + k] = note.args[k];
    args.length = argsEnd;
    this.argStart.push(this.args.length);
    for (const [name, value] of note.env) {
      this.envName.push(name);
      this.envValue.push(value);
    }
    this.envStart.push(this.envName.length);
  }

  private readonly addProgram = (executable: StringId): RoutineId => {
    const { strings } = this.sink;
    return this.sink.routines.findOrAdd(strings.textId(programName(strings.text(executable))), -1, -1);
  };

  /** Builds the tables. A build trace has no costs: its one event counts the programs. */
  finish(): Pick<Head, 'events' | 'columns'> & ProcessTrace {
    const { id, part, line, executable, program, directory, argStart, args, envStart, envName, envValue } = this;
    return {
      kind: 'processes',
      events: [{ name: 'events', unit: 'count', longName: 'programs executed', terms: [[1, 0]] }],
      columns: 1,
      compilers: this.sink.compilers,
      processes: {
        parent: this.resolveParents(),
        ...finishColumns({ id, part, line, executable, program, directory, argStart, args, envStart, envName, envValue }),
      },
    };
  }

  /** Finds parents: the latest earlier event with the parent's id, else the first later one; -1 for roots. Cycles are broken. */
  private resolveParents(): Int32Array {
    const { sink, rows } = this;
    const [id, parentId, part, line] = [this.id.data, this.parentId.data, this.part.data, this.line.data];
    const parent = new Int32Array(rows).fill(-1);
    /** By id: its latest row in the current part. Rows before `from` belong to other parts, because parts are contiguous. */
    const latest = new Int32Array(sink.strings.count).fill(-1);
    const first = new Int32Array(sink.strings.count).fill(-1);
    const warn = (i: number, found: string) =>
      sink.warn({ path: sink.parts[part[i]].path, line: line[i], expected: 'a valid parent_id', found });
    const text = (of: number) => sink.strings.text(of);
    for (let from = 0, to = 0; from < rows; from = to) {
      while (to < rows && part[to] === part[from]) to++;
      for (let i = to - 1; i >= from; i--) first[id[i]] = i;
      for (let i = from; i < to; i++) {
        if (parentId[i] >= 0) {
          const before = latest[parentId[i]];
          const at = before >= from ? before : first[parentId[i]];
          if (at < from) warn(i, `${text(parentId[i])}, which no event has: event ${text(id[i])} is shown at the top`);
          else if (at === i) warn(i, `its own id ${text(id[i])}: it is shown at the top`);
          else parent[i] = at;
        }
        latest[id[i]] = i;
      }
    }
    breakCycles(parent, (k) => warn(k, `${text(parentId[k])}, which is below it: event ${text(id[k])} is shown at the top`));
    return parent;
  }
}
