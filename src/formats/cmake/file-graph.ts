// The files of a build tree, and what is made anew when one of them changes: by the build file, and by what compilers said that they had read.
import { isForeign, projectRoot } from '../../base/own-headers.ts';
import { absolutePath, isBelow, normalPath } from '../../base/paths.ts';
import { Numbering } from '../../model/groups.ts';

/** Beyond these, nothing is said of headers: pairs of a file and one made from it; units in the lists that are kept; units in all lists. */
const MOST_PAIRS = 20_000_000;
const MOST_KEPT = 20_000_000;
const MOST_LISTED = 400_000_000;

/** The objects and precompiled headers that compilers make. */
export const OBJECT = /\.(o|obj|gch|pch)$/;
const SOURCE = /\.(c|cc|cp|cpp|cxx|c\+\+|m|mm|cu|hip|cl|s|sx|asm|i|ii|f|for|ftn|f\d\d|swift|rs|cppm|ixx)$/i; // bounded: nothing repeats

/** A file that a compiler makes, and the first source that it has read; '' if it has read none. Paths are absolute and normal. */
export interface Unit {
  readonly output: string;
  readonly source: string;
}

export class FileGraph {
  readonly units: Unit[] = [];
  private readonly paths = new Numbering<string>();
  /** Paths as they are written, of which many are the same file. */
  private readonly written = new Map<string, number>();
  /** By file: those that are made from it, its number as a unit, and whether a compiler has read it as a header. */
  private readonly madeFrom: number[][] = [];
  private readonly unit: number[] = [];
  private readonly isHeader: boolean[] = [];
  private pairs = 0;
  private kept = 0;
  private listed = 0;

  /** `root`: the folder that relative paths are in; '' if unknown. */
  constructor(readonly root: string) {}

  /** Whether there is more than is followed. */
  get isBeyond(): boolean {
    return this.pairs > MOST_PAIRS || this.kept > MOST_KEPT || this.listed > MOST_LISTED;
  }

  /** There is more than is followed. */
  giveUp(): void {
    this.pairs = Number.POSITIVE_INFINITY;
  }

  /** An output is made from files. */
  make(output: string, inputs: Iterable<string>): void {
    if (this.isBeyond) return;
    const made = this.file(output);
    for (const input of inputs) this.pair(made, this.file(input));
  }

  /** A compiler has read files to make an output. */
  compile(output: string, inputs: Iterable<string>): void {
    if (this.isBeyond) return;
    const made = this.file(output);
    let source: string | undefined;
    for (const input of inputs) {
      const file = this.file(input);
      this.pair(made, file);
      this.isHeader[file] ||= !SOURCE.test(input);
      if (!this.isHeader[file]) source ??= this.absolute(input);
    }
    if (this.unit[made] >= 0) return;
    this.unit[made] = this.units.length;
    this.units.push({ output: this.absolute(output), source: source ?? '' });
  }

  /** The headers of the project itself that units have read, and the units that are compiled again when one changes: valid until the next. */
  *rebuilt(): Generator<{ readonly header: string; readonly units: Uint32Array }> {
    const sources = this.units.map(({ source }) => source).filter((source) => this.root === '' || !isBelow(this.root, source));
    const project = projectRoot(sources);
    const after = this.after();
    for (const [path, file] of this.paths) {
      if (!this.isHeader[file] || this.unit[file] >= 0 || isForeign(path, project)) continue;
      const units = after(file);
      if (this.isBeyond) return;
      yield { header: path, units };
    }
  }

  private absolute(path: string): string {
    return normalPath(absolutePath(this.root, path));
  }

  private file(path: string): number {
    let file = this.written.get(path);
    if (file !== undefined) return file;
    file = this.paths.of(this.absolute(path));
    this.written.set(path, file);
    if (file < this.madeFrom.length) return file;
    this.madeFrom.push([]);
    this.unit.push(-1);
    this.isHeader.push(false);
    return file;
  }

  private pair(made: number, file: number): void {
    if (++this.pairs <= MOST_PAIRS) this.madeFrom[file].push(made);
  }

  /**
   * A function from a file to the units that are compiled again when it changes. What is made from files is looked at once, and its list is
   * kept, however many files it is made from. A ring of files ends where it closes.
   */
  private after(): (file: number) => Uint32Array {
    const { madeFrom } = this;
    const known: (Uint32Array | undefined)[] = [];
    const isDone: boolean[] = [];
    const join = this.joiner((file) => known[file] ?? NONE);
    return (file) => {
      const open = madeFrom[file].filter((made) => !isDone[made]);
      for (let top = open.at(-1); top !== undefined && !this.isBeyond; top = open.at(-1)) {
        const isNew = known[top] === undefined;
        known[top] ??= NONE;
        const below = isNew ? madeFrom[top].filter((made) => known[made] === undefined) : [];
        for (const made of below) open.push(made);
        if (below.length > 0) continue;
        open.pop();
        if (isDone[top]) continue;
        isDone[top] = true;
        const { list, isOwn } = join(top);
        known[top] = isOwn ? list.slice() : list;
        if (isOwn) this.kept += list.length;
      }
      return join(file).list;
    };
  }

  /** A function that joins the lists of all that is made from a file: the one list that there is, or its own, valid until it is called again. */
  private joiner(
    listOf: (file: number) => Uint32Array,
  ): (file: number) => { readonly list: Uint32Array; readonly isOwn: boolean } {
    const seen = new Uint32Array(this.units.length);
    const own = new Uint32Array(this.units.length);
    let round = 0;
    return (file) => {
      const lists = new Set<Uint32Array>();
      let count = 0;
      const add = (unit: number) => {
        if (seen[unit] === round) return;
        seen[unit] = round;
        own[count++] = unit;
      };
      round++;
      for (const made of this.madeFrom[file]) {
        if (this.unit[made] >= 0) add(this.unit[made]);
        lists.add(listOf(made));
      }
      lists.delete(NONE);
      const [list = NONE] = lists;
      this.listed += count + list.length;
      if (count === 0 && lists.size <= 1) return { list, isOwn: false };
      for (const other of lists) {
        this.listed += other.length;
        for (let k = 0; k < other.length; k++) add(other[k]);
      }
      return { list: own.subarray(0, count), isOwn: true };
    };
  }
}

const NONE = new Uint32Array(0);
