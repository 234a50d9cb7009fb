// The functions at addresses of an object, as its debug information has them: frames in a forest, from the function that has the code to what
// is inlined into it. What many addresses of a line share is one frame, so a million addresses take little memory.
import { Grow } from './column.ts';
import { Numbering } from './groups.ts';
import type { NamedFrame } from './stacks/samples.ts';

/** By object of a profile: the functions at its addresses, with names as people write them. */
export type Inlines = ReadonlyMap<number, CodeFrames>;

export class CodeFrames {
  /** By frame: the one it is inlined into; -1 for a function that is not inlined. */
  readonly parent = new Grow(Int32Array);
  /** Its function, a row of `texts`. */
  readonly name = new Grow(Uint32Array);
  /** The file of the code, or of the call that was inlined, a row of `texts`; -1 is unknown. */
  readonly file = new Grow(Int32Array);
  /** Its line; 0 is unknown. */
  readonly line = new Grow(Uint32Array);
  /** Names of functions and files as the debug information has them; '' is unknown. */
  readonly texts: string[] = [];
  /** The innermost frame of each address. */
  readonly leafOf = new Map<number, number>();
  private readonly frames = new Numbering<string>();
  private readonly numbers = new Numbering<string>();

  /** Adds an address. `frames`: the innermost first, at least one. */
  add(address: number, frames: readonly NamedFrame[]): void {
    let leaf = -1;
    for (let k = frames.length - 1; k >= 0; k--) {
      const { name, file, line } = frames[k];
      leaf = this.frame(leaf, this.text(name), file === null ? -1 : this.text(file), line);
    }
    this.leafOf.set(address, leaf);
  }

  /** The number of a name. */
  text(text: string): number {
    const number = this.numbers.of(text);
    this.texts[number] = text;
    return number;
  }

  /** Finds or adds a frame. */
  frame(parent: number, name: number, file: number, line: number): number {
    const frame = this.frames.of(`${parent} ${name} ${file} ${line}`);
    if (frame < this.parent.length) return frame;
    this.parent.push(parent);
    this.name.push(name);
    this.file.push(file);
    this.line.push(line);
    return frame;
  }

  /** The frames of an address, the innermost first; undefined if none are known. */
  at(address: number): readonly NamedFrame[] | undefined {
    const leaf = this.leafOf.get(address);
    if (leaf === undefined) return undefined;
    const out: NamedFrame[] = [];
    for (let f = leaf; f >= 0; f = this.parent.data[f]) {
      const file = this.file.data[f];
      out.push({ name: this.texts[this.name.data[f]], file: file < 0 ? null : this.texts[file], line: this.line.data[f] });
    }
    return out;
  }

  /** The same with other names of functions. */
  renamed(change: (name: string) => string): CodeFrames {
    const out = new CodeFrames();
    const text = this.texts.map((name) => out.text(name));
    const names = new Map<number, number>();
    const frames = Int32Array.from(this.parent.done(), () => -1);
    for (let f = 0; f < frames.length; f++) {
      const [parent, name, file] = [this.parent.data[f], this.name.data[f], this.file.data[f]];
      let known = names.get(name);
      if (known === undefined) names.set(name, (known = out.text(change(this.texts[name]))));
      frames[f] = out.frame(parent < 0 ? -1 : frames[parent], known, file < 0 ? -1 : text[file], this.line.data[f]);
    }
    for (const [address, leaf] of this.leafOf) out.leafOf.set(address, frames[leaf]);
    return out;
  }
}
