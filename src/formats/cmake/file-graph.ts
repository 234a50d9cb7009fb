// The files of a build tree, and what is made anew when one of them changes: by the build file, and by what compilers said that they had read.
import { isForeign, projectRoot } from '../../base/own-headers.ts';
import { absolutePath, isBelow, normalPath } from '../../base/paths.ts';
import { Numbering } from '../../model/groups.ts';

/** Pairs of a file and one that is made from it; beyond, there is no table. */
const MOST_PAIRS = 20_000_000;
/** Steps on the way from headers to units; beyond, there is no table. */
const MOST_STEPS = 400_000_000;

/** The objects and precompiled headers that compilers make. */
export const OBJECT = /\.(o|obj|gch|pch)$/;
const SOURCE = /\.(c|cc|cp|cpp|cxx|c\+\+|m|mm|cu|hip|cl|s|sx|asm|i|ii|f|for|ftn|f\d\d|swift|rs|cppm|ixx)$/i;

/** A file that a compiler makes, and the source that it has read; '' if it has read none. Paths are absolute. */
export interface Unit {
  readonly output: string;
  readonly source: string;
}

export class FileGraph {
  readonly units: Unit[] = [];
  private readonly numbers = new Numbering<string>();
  /** By file: those that are made from it. */
  private readonly madeFrom: number[][] = [];
  /** By the file of a unit: its number. */
  private readonly unitOf = new Map<number, number>();
  private readonly read = new Set<number>();
  private pairs = 0;
  private steps = 0;

  /** `root`: the folder that relative paths are in; '' if unknown. */
  constructor(readonly root: string) {}

  /** Whether there is too much to say what is compiled again. */
  get isBeyond(): boolean {
    return this.pairs > MOST_PAIRS || this.steps > MOST_STEPS;
  }

  /** An output is made from files. */
  make(output: string, inputs: Iterable<string>): void {
    const made = this.file(output);
    for (const input of inputs) if (++this.pairs <= MOST_PAIRS) this.madeFrom[this.file(input)].push(made);
  }

  /** A compiler has read files to make an output; the first source among them is that of the unit. */
  compile(output: string, inputs: Iterable<string>): void {
    const made = this.file(output);
    let source = '';
    for (const input of inputs) {
      if (++this.pairs > MOST_PAIRS) break;
      const file = this.file(input);
      this.madeFrom[file].push(made);
      if (!SOURCE.test(input)) this.read.add(file);
      else if (source === '') source = this.absolute(input);
    }
    if (this.unitOf.has(made)) return;
    this.unitOf.set(made, this.units.length);
    this.units.push({ output: this.absolute(output), source });
  }

  /** The headers of the project itself that units have read, and the units that are compiled again when one changes. */
  *rebuilt(): Generator<{ readonly header: string; readonly units: readonly number[] }> {
    const sources = this.units.map(({ source }) => source).filter((source) => this.root === '' || !isBelow(this.root, source));
    const project = projectRoot(sources);
    const files = [...this.numbers.keys()];
    const after = this.after();
    for (const file of this.read) {
      if (this.unitOf.has(file) || isForeign(files[file], project)) continue;
      const units = after(file);
      if (this.isBeyond) return;
      yield { header: files[file], units };
    }
  }

  private absolute(path: string): string {
    return normalPath(absolutePath(this.root, path));
  }

  private file(path: string): number {
    const file = this.numbers.of(this.absolute(path));
    if (file === this.madeFrom.length) this.madeFrom.push([]);
    return file;
  }

  /**
   * A function from a file to the units that are compiled again when it changes. What is made from a file is looked at once, however many
   * files it is made from; a ring of files ends where it closes.
   */
  private after(): (file: number) => readonly number[] {
    const { madeFrom, unitOf } = this;
    const known = new Map<number, readonly number[]>();
    const isDone = new Set<number>();
    const seen = new Uint32Array(this.units.length);
    let round = 0;
    const join = (file: number): readonly number[] => {
      const sets = new Set<readonly number[]>();
      const units: number[] = [];
      round++;
      const add = (unit: number) => {
        if (seen[unit] !== round) units.push(unit);
        seen[unit] = round;
      };
      for (const made of madeFrom[file]) {
        const unit = unitOf.get(made);
        if (unit !== undefined) add(unit);
        sets.add(known.get(made) ?? NONE);
      }
      sets.delete(NONE);
      const [first = NONE] = sets;
      // One list serves all files of which only that is made.
      if (units.length === 0 && sets.size <= 1) return first;
      for (const set of sets) {
        this.steps += set.length;
        for (const unit of set) add(unit);
      }
      return units;
    };
    return (file) => {
      const open = [...madeFrom[file]];
      for (let top = open.at(-1); top !== undefined && !this.isBeyond; top = open.at(-1)) {
        const below = known.has(top) ? [] : madeFrom[top].filter((made) => !known.has(made));
        if (!known.has(top)) known.set(top, NONE);
        for (const made of below) open.push(made);
        if (below.length > 0) continue;
        open.pop();
        if (isDone.has(top)) continue;
        isDone.add(top);
        known.set(top, join(top));
      }
      const units = join(file);
      this.steps += units.length;
      return units;
    };
  }
}

const NONE: readonly number[] = [];
