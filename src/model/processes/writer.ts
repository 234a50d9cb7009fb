// Writes processes: what a build executed, in file order, and who started whom. No times.
import { programName } from '../../base/paths.ts';
import { cutCircles } from '../circles.ts';
import { Grow, type RoutineId } from '../column.ts';
import type { Head } from '../head.ts';
import type { Sink, TableWriter } from '../sink.ts';
import { done } from '../table.ts';
import type { ProcessTrace } from './tables.ts';

export interface ProcessNote {
  readonly id: string;
  /** null where the file names no parent. */
  readonly parentId: string | null;
  readonly part: number;
  readonly line: number;
  readonly executable: string;
  readonly directory: string | null;
  readonly args: readonly string[];
  readonly env: readonly (readonly [name: string, value: string | null])[];
}

export class ProcessWriter implements TableWriter {
  /** Texts as numbers of the sink's strings: a trace has a million processes, with some fifty arguments each. */
  private readonly id = new Grow(Uint32Array);
  /** -1 where the file names no parent. */
  private readonly parentId = new Grow(Int32Array);
  private readonly part = new Grow(Uint32Array);
  private readonly line = new Grow(Uint32Array);
  private readonly executable = new Grow(Uint32Array);
  private readonly program = new Grow(Uint32Array);
  private readonly directory = new Grow(Int32Array);
  private readonly argStart = new Grow(Uint32Array);
  private readonly args = new Grow(Uint32Array);
  private readonly envStart = new Grow(Uint32Array);
  private readonly envName = new Grow(Uint32Array);
  private readonly envValue = new Grow(Int32Array);
  /** The program of each executable. */
  private readonly programs = new Map<string, RoutineId>();

  constructor(private readonly sink: Sink) {
    this.argStart.push(0);
    this.envStart.push(0);
  }

  get rows(): number {
    return this.id.length;
  }

  push(note: ProcessNote): void {
    const { strings } = this.sink;
    this.id.push(strings.textId(note.id));
    this.parentId.push(note.parentId === null || note.parentId === '-1' ? -1 : strings.textId(note.parentId));
    this.part.push(note.part);
    this.line.push(note.line);
    this.executable.push(strings.textId(note.executable));
    this.program.push(this.programOf(note.executable));
    this.directory.push(note.directory === null ? -1 : strings.textId(note.directory));
    for (const arg of note.args) this.args.push(strings.textId(arg));
    this.argStart.push(this.args.length);
    for (const [name, value] of note.env) {
      this.envName.push(strings.textId(name));
      this.envValue.push(value === null ? -1 : strings.textId(value));
    }
    this.envStart.push(this.envName.length);
  }

  private programOf(executable: string): RoutineId {
    let program = this.programs.get(executable);
    if (program === undefined) {
      program = this.sink.routine(this.sink.strings.textId(programName(executable)), -1, -1);
      this.programs.set(executable, program);
    }
    return program;
  }

  /** A build trace has no cost: its one event counts the programs. */
  finish(): Pick<Head, 'events' | 'columns'> & ProcessTrace {
    const { id, part, line, executable, program, directory, argStart, args, envStart, envName, envValue } = this;
    return {
      kind: 'processes',
      events: [{ name: 'events', unit: 'count', longName: 'programs executed', terms: [[1, 0]] }],
      columns: 1,
      processes: {
        parent: this.parents(),
        ...done({ id, part, line, executable, program, directory, argStart, args, envStart, envName, envValue }),
      },
    };
  }

  /** The latest earlier event with the parent's id, else the first later one; -1 for roots. What would close a cycle is a root. */
  private parents(): Int32Array {
    const { sink, rows } = this;
    const [id, parentId, part, line] = [this.id.data, this.parentId.data, this.part.data, this.line.data];
    const parent = new Int32Array(rows).fill(-1);
    const latest = new Map<number, number>();
    const first = new Map<number, number>();
    /** The key of an id in a part. Small numbers where there is one part. */
    const key = (i: number, of: number) => part[i] * 2 ** 32 + of;
    for (let i = 0; i < rows; i++) if (!first.has(key(i, id[i]))) first.set(key(i, id[i]), i);
    const warn = (i: number, found: string) =>
      sink.warn({ path: sink.parts[part[i]].path, line: line[i], expected: 'a valid parent_id', found });
    const text = (of: number) => sink.strings.text(of);
    for (let i = 0; i < rows; i++) {
      if (parentId[i] >= 0) {
        const at = latest.get(key(i, parentId[i])) ?? first.get(key(i, parentId[i]));
        if (at === undefined) warn(i, `${text(parentId[i])}, which no event has: event ${text(id[i])} is shown at the top`);
        else if (at === i) warn(i, `its own id ${text(id[i])}: it is shown at the top`);
        else parent[i] = at;
      }
      latest.set(key(i, id[i]), i);
    }
    cutCircles(parent, (k) => warn(k, `${text(parentId[k])}, which is below it: event ${text(id[k])} is shown at the top`));
    return parent;
  }
}
