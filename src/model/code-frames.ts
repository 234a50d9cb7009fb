// The functions at addresses of an object, from debug information. Each frame has as parent the frame it is inlined into.
// Addresses with the same line and functions share a frame, so a million addresses take little memory.
import { finishColumns, GrowableColumn, Numbering } from './column.ts';
import type { NamedFrame } from './stacks/samples.ts';

/** A table of frames. A frame comes after the one that it is inlined into. */
export interface CodeFrames {
  /** By frame: the frame it is inlined into; -1 for a function that is not inlined. */
  readonly parent: Int32Array;
  /** By frame: its function, as an index into `texts`. */
  readonly name: Uint32Array;
  /** By frame: the file of its code, or of the inlined call in it, as an index into `texts`; -1 is unknown. */
  readonly file: Int32Array;
  /** By frame: its line; 0 is unknown. */
  readonly line: Uint32Array;
  /** The names of functions and files; '' is unknown. */
  readonly texts: readonly string[];
  /** By address: its innermost frame. */
  readonly leafOf: ReadonlyMap<number, number>;
}

/** By object of a profile: the functions at its addresses, with readable names. */
export type Inlines = ReadonlyMap<number, CodeFrames>;

/** The instructions of an object, for which its functions are looked up. */
export interface ObjectAddresses {
  /** The object's number in the profile, and its recorded path. */
  readonly object: number;
  readonly path: string;
  /** True if the object is the profiled program itself. */
  readonly isMain: boolean;
  /** Each address once, ascending, and the line that was recorded there; 0 if unknown. */
  readonly address: Float64Array;
  readonly line: Uint32Array;
}

/** A table of code frames that is being written. */
export class FrameRows {
  readonly parent = new GrowableColumn(Int32Array);
  readonly name = new GrowableColumn(Uint32Array);
  readonly file = new GrowableColumn(Int32Array);
  readonly line = new GrowableColumn(Uint32Array);
  readonly texts: string[] = [];
  readonly leafOf = new Map<number, number>();
  private readonly numbers = new Numbering<string>();
  /** Numbers for pairs: (file, line), (function, location) and (parent, call). All are below KEY_BASE. */
  private readonly locations = new Numbering<number>();
  private readonly calls = new Numbering<number>();
  private readonly frames = new Numbering<number>();

  textId(text: string): number {
    const number = this.numbers.numberOf(text);
    this.texts[number] = text;
    return number;
  }

  /** Adds a frame that is not in the table yet. */
  push(parent: number, name: number, file: number, line: number): number {
    this.parent.push(parent);
    this.name.push(name);
    this.file.push(file);
    this.line.push(line);
    return this.parent.length - 1;
  }

  /** The frames of an address, innermost first; undefined if none are known. */
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

  /** Finishes the table. `change`: makes the name of a function readable. */
  done(change: (name: string) => string): CodeFrames {
    return { ...finishColumns<FrameRows>(this), texts: this.texts.map(change), leafOf: this.leafOf };
  }

  frameId(parent: number, name: number, file: number, line: number): number {
    const { frames } = this;
    // Frames added with push() are entered into the lookup table only when it is needed.
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

/** Pairs of numbers below this are combined into one exact integer. */
const KEY_BASE = 2 ** 26;
