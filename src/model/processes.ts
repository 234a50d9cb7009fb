// Processes: what a build executed, in the order of the file, with who started whom. No times.
import type { Processes } from './profile.ts';
import type { Sink } from './sink.ts';

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

export class ProcessRows {
  readonly notes: ProcessNote[] = [];

  push(note: ProcessNote): void {
    this.notes.push(note);
  }

  finish(sink: Sink): Processes {
    const { notes } = this;
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
      parent: this.parents(sink),
      part: Uint32Array.from(notes, (p) => p.part),
      line: Uint32Array.from(notes, (p) => p.line),
      executable: Uint32Array.from(notes, (p) => text(p.executable)),
      directory: Int32Array.from(notes, (p) => (p.directory === null ? -1 : text(p.directory))),
      argStart,
      args,
      envStart,
      envName,
      envValue,
    };
  }

  /** The latest event before with the parent's id, else the first after; -1 for roots. What would close a circle is a root. */
  private parents(sink: Sink): Int32Array {
    const { notes } = this;
    const parent = new Int32Array(notes.length).fill(-1);
    const latest = new Map<string, number>();
    const first = new Map<string, number>();
    notes.forEach((p, i) => {
      const key = `${p.part} ${p.id}`;
      if (!first.has(key)) first.set(key, i);
    });
    const warn = (i: number, found: string) =>
      sink.warn({ path: sink.parts[notes[i].part].path, line: notes[i].line, expected: 'a parent_id of an event', found });
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
    // 1: on the way up that is being walked; 2: known to end at a root.
    const state = new Uint8Array(notes.length);
    for (let i = 0; i < notes.length; i++) {
      const way: number[] = [];
      let k = i;
      while (k >= 0 && state[k] === 0) {
        state[k] = 1;
        way.push(k);
        k = parent[k];
      }
      if (k >= 0 && state[k] === 1) {
        warn(k, `${notes[k].parentId}, which is below it: event ${notes[k].id} is shown at the top`);
        parent[k] = -1;
      }
      for (const w of way) state[w] = 2;
    }
    return parent;
  }
}
