// The functions at addresses of an object, as its debug information has them: frames in a forest, from the function that has the code to what
// is inlined into it. What many addresses of a line share is one frame, so a million addresses take little memory.
import { GrowableColumn } from './column.ts';
import { Numbering } from './groups.ts';
import type { NamedFrame } from './stacks/samples.ts';

/** Frames are numbered so that a frame comes after the one that it is inlined into. */
export interface CodeFrames {
  /** By frame: the one it is inlined into; -1 for a function that is not inlined. */
  readonly parent: Int32Array;
  /** Its function, a row of `texts`. */
  readonly name: Uint32Array;
  /** The file of the code, or of the call that was inlined, a row of `texts`; -1 is unknown. */
  readonly file: Int32Array;
  /** Its line; 0 is unknown. */
  readonly line: Uint32Array;
  /** Names of functions and files; '' is unknown. */
  readonly texts: readonly string[];
  /** The innermost frame of each address. */
  readonly leafOf: ReadonlyMap<number, number>;
}

/** By object of a profile: the functions at its addresses, with names as people write them. */
export type Inlines = ReadonlyMap<number, CodeFrames>;

/** Frames that are being written. */
export class FrameRows {
  readonly parent = new GrowableColumn(Int32Array);
  readonly name = new GrowableColumn(Uint32Array);
  readonly file = new GrowableColumn(Int32Array);
  readonly line = new GrowableColumn(Uint32Array);
  readonly texts: string[] = [];
  readonly leafOf = new Map<number, number>();
  private readonly numbers = new Numbering<string>();
  /** Numbers of a file and line; of these and a function; and of these and a frame: all are below MOST. */
  private readonly locations = new Numbering<number>();
  private readonly calls = new Numbering<number>();
  private readonly frames = new Numbering<number>();

  /** Adds an address. `frames`: the innermost first, at least one. */
  add(address: number, frames: readonly NamedFrame[]): void {
    let leaf = -1;
    for (let k = frames.length - 1; k >= 0; k--) {
      const { name, file, line } = frames[k];
      leaf = this.frameId(leaf, this.textId(name), file === null ? -1 : this.textId(file), line);
    }
    this.leafOf.set(address, leaf);
  }

  /** The number of a name. */
  textId(text: string): number {
    const number = this.numbers.numberOf(text);
    this.texts[number] = text;
    return number;
  }

  /** Adds a frame that is not there yet. */
  push(parent: number, name: number, file: number, line: number): number {
    this.parent.push(parent);
    this.name.push(name);
    this.file.push(file);
    this.line.push(line);
    return this.parent.length - 1;
  }

  /** The frames of an address, the innermost first; undefined if none are known. */
  framesAt(address: number): readonly NamedFrame[] | undefined {
    const leaf = this.leafOf.get(address);
    if (leaf === undefined) return undefined;
    const out: NamedFrame[] = [];
    for (let f = leaf; f >= 0; f = this.parent.data[f]) {
      const file = this.file.data[f];
      out.push({ name: this.texts[this.name.data[f]], file: file < 0 ? null : this.texts[file], line: this.line.data[f] });
    }
    return out;
  }

  /** `change`: how people write the name of a function. */
  done(change: (name: string) => string): CodeFrames {
    const { parent, name, file, line, texts, leafOf } = this;
    return { parent: parent.done(), name: name.done(), file: file.done(), line: line.done(), texts: texts.map(change), leafOf };
  }

  /** Finds or adds a frame. */
  frameId(parent: number, name: number, file: number, line: number): number {
    const { frames } = this;
    // Frames that were pushed are looked for only once something is added.
    for (let f = frames.size; f < this.parent.length; f++)
      frames.numberOf(this.keyOf(this.parent.data[f], this.name.data[f], this.file.data[f], this.line.data[f]));
    const frame = frames.numberOf(this.keyOf(parent, name, file, line));
    return frame < this.parent.length ? frame : this.push(parent, name, file, line);
  }

  private keyOf(parent: number, name: number, file: number, line: number): number {
    const location = this.locations.numberOf((file + 1) * KEY_BASE + (line % KEY_BASE));
    return (parent + 1) * KEY_BASE + this.calls.numberOf(name * KEY_BASE + location);
  }
}

/** Two numbers below it are one whole number together. */
const KEY_BASE = 2 ** 26;
