// Writes the processes of a build, in file order and without times, and which process started which.
import { getOrMake } from '../../base/lists.ts';
import { programName } from '../../base/paths.ts';
import { breakCycles } from '../circles.ts';
import { finishColumns, growableTable, type PartId, type RoutineId, type StringId } from '../column.ts';
import type { Head } from '../head.ts';
import type { Sink, TableWriter } from '../sink.ts';
import type { Processes, ProcessTrace } from './tables.ts';

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
  private readonly columns = growableTable({
    ...{ id: Uint32Array, parentId: Int32Array, part: Uint32Array, line: Uint32Array },
    ...{ executable: Uint32Array, program: Uint32Array, directory: Int32Array },
    ...{ argStart: Uint32Array, args: Uint32Array },
    ...{ envStart: Uint32Array, envName: Uint32Array, envValue: Int32Array },
  });
  /** By executable: its program. */
  private readonly programs = new Map<StringId, RoutineId>();

  constructor(private readonly sink: Sink) {
    this.columns.argStart.push(0);
    this.columns.envStart.push(0);
  }

  get rows(): number {
    return this.columns.id.length;
  }

  push(note: ProcessNote): void {
    const { columns } = this;
    columns.id.push(note.id);
    columns.parentId.push(note.parentId);
    columns.part.push(note.part);
    columns.line.push(note.line);
    columns.executable.push(note.executable);
    columns.program.push(getOrMake(this.programs, note.executable, this.addProgram));
    columns.directory.push(note.directory);
    const { args } = columns;
    args.reserveMore(note.args.length);
    // Arguments are written without push(), which is slow because it is called for all types of columns.
    for (let k = 0; k < note.args.length; k++) args.data[args.length + k] = note.args[k];
    args.length += note.args.length;
    columns.argStart.push(args.length);
    for (const [name, value] of note.env) {
      columns.envName.push(name);
      columns.envValue.push(value);
    }
    columns.envStart.push(columns.envName.length);
  }

  private readonly addProgram = (executable: StringId): RoutineId => {
    const { strings } = this.sink;
    return this.sink.routines.findOrAdd(strings.textId(programName(strings.text(executable))), -1, -1);
  };

  /** Builds the tables. A build trace has no costs: its one event counts the programs. */
  finish(): Pick<Head, 'events' | 'columns'> & ProcessTrace {
    const { parentId, ...columns } = finishColumns(this.columns);
    return {
      kind: 'processes',
      events: [{ name: 'events', unit: 'count', longName: 'programs executed', terms: [[1, 0]] }],
      columns: 1,
      compilers: this.sink.compilers,
      processes: { parent: this.resolveParents(columns, parentId), ...columns },
    };
  }

  /** Finds parents: the latest earlier event with the parent's id, else the first later one; -1 for roots. Cycles are broken. */
  private resolveParents({ id, part, line }: Pick<Processes, 'id' | 'part' | 'line'>, parentId: Int32Array): Int32Array {
    const { sink, rows } = this;
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
