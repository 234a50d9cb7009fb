// Writes processes: what a build executed, in file order, and who started whom. No times.
import { programName } from '../../base/paths.ts';
import { cutCircles } from '../circles.ts';
import type { Head } from '../head.ts';
import type { Sink, TableWriter } from '../sink.ts';
import type { Processes, ProcessTrace } from './tables.ts';

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
  private readonly notes: ProcessNote[] = [];

  constructor(private readonly sink: Sink) {}

  get rows(): number {
    return this.notes.length;
  }

  push(note: ProcessNote): void {
    this.notes.push(note);
  }

  /** A build trace has no cost: its one event counts the programs. */
  finish(): Pick<Head, 'events' | 'columns'> & ProcessTrace {
    return {
      kind: 'processes',
      events: [{ name: 'events', unit: 'count', longName: 'programs executed', terms: [[1, 0]] }],
      columns: 1,
      processes: this.tables(),
    };
  }

  private tables(): Processes {
    const { notes, sink } = this;
    const n = notes.length;
    const text = (t: string) => sink.strings.textId(t);
    const argStart = new Uint32Array(n + 1);
    const envStart = new Uint32Array(n + 1);
    notes.forEach((note, i) => {
      argStart[i + 1] = argStart[i] + note.args.length;
      envStart[i + 1] = envStart[i] + note.env.length;
    });
    const args = new Uint32Array(argStart[n]);
    const envName = new Uint32Array(envStart[n]);
    const envValue = new Int32Array(envStart[n]);
    notes.forEach((note, i) => {
      note.args.forEach((a, k) => {
        args[argStart[i] + k] = text(a);
      });
      note.env.forEach(([name, value], k) => {
        envName[envStart[i] + k] = text(name);
        envValue[envStart[i] + k] = value === null ? -1 : text(value);
      });
    });
    return {
      id: Uint32Array.from(notes, (p) => text(p.id)),
      parent: this.parents(),
      part: Uint32Array.from(notes, (p) => p.part),
      line: Uint32Array.from(notes, (p) => p.line),
      executable: Uint32Array.from(notes, (p) => text(p.executable)),
      program: Uint32Array.from(notes, (p) => sink.routine(text(programName(p.executable)), -1, -1)),
      directory: Int32Array.from(notes, (p) => (p.directory === null ? -1 : text(p.directory))),
      argStart,
      args,
      envStart,
      envName,
      envValue,
    };
  }

  /** The latest earlier event with the parent's id, else the first later one; -1 for roots. What would close a cycle is a root. */
  private parents(): Int32Array {
    const { notes, sink } = this;
    const parent = new Int32Array(notes.length).fill(-1);
    const latest = new Map<string, number>();
    const first = new Map<string, number>();
    notes.forEach((p, i) => {
      const key = `${p.part} ${p.id}`;
      if (!first.has(key)) first.set(key, i);
    });
    const warn = (i: number, found: string) =>
      sink.warn({ path: sink.parts[notes[i].part].path, line: notes[i].line, expected: 'a valid parent_id', found });
    notes.forEach((p, i) => {
      if (p.parentId !== null && p.parentId !== '-1') {
        const key = `${p.part} ${p.parentId}`;
        const at = latest.get(key) ?? first.get(key);
        if (at === undefined) warn(i, `${p.parentId}, which no event has: event ${p.id} is shown at the top`);
        else if (at === i) warn(i, `its own id ${p.id}: it is shown at the top`);
        else parent[i] = at;
      }
      latest.set(`${p.part} ${p.id}`, i);
    });
    cutCircles(parent, (k) => warn(k, `${notes[k].parentId}, which is below it: event ${notes[k].id} is shown at the top`));
    return parent;
  }
}
