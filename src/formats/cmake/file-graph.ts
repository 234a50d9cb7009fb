// The files of a build tree, and what is rebuilt if one changes, by the build file and the compilers' dependency files.
import { isSystemHeader, projectRoot } from '../../base/own-headers.ts';
import { absolutePath, isBelow, normalPath } from '../../base/paths.ts';
import { Numbering } from '../../model/groups.ts';

/** Limits: pairs of input and output; units in the lists that are kept; units in all lists. Beyond, no header costs. */
const MOST_PAIRS = 20_000_000;
const MOST_KEPT = 20_000_000;
const MOST_LISTED = 400_000_000;

/** The objects and precompiled headers that compilers make. */
export const OBJECT = /\.(o|obj|gch|pch)$/;
const SOURCE = /\.(c|cc|cp|cpp|cxx|c\+\+|m|mm|cu|hip|cl|s|sx|asm|i|ii|f|for|ftn|f\d\d|swift|rs|cppm|ixx)$/i; // bounded: nothing repeats

/** A compiled file and its first source file ('' for none). Paths are absolute and normalized. */
export interface CompiledFile {
  readonly output: string;
  readonly source: string;
}

export class FileGraph {
  readonly units: CompiledFile[] = [];
  private readonly paths = new Numbering<string>();
  /** File index by path as written: many paths are the same file. */
  private readonly indexByWrittenPath = new Map<string, number>();
  /** By file: the files made from it, its index in `units` (or -1), and whether a compiler read it as a header. */
  private readonly madeFrom: number[][] = [];
  private readonly unit: number[] = [];
  private readonly isHeader: boolean[] = [];
  private pairs = 0;
  private kept = 0;
  private listed = 0;

  /** `root`: the folder that relative paths are in; '' if unknown. */
  constructor(readonly root: string) {}

  /** True if a limit was reached: the graph is incomplete. */
  get isIncomplete(): boolean {
    return this.pairs > MOST_PAIRS || this.kept > MOST_KEPT || this.listed > MOST_LISTED;
  }

  /** Marks the graph as incomplete. */
  giveUp(): void {
    this.pairs = Number.POSITIVE_INFINITY;
  }

  /** Adds a build rule: the output is made from the inputs. */
  addRule(output: string, inputs: Iterable<string>): void {
    if (this.isIncomplete) return;
    const made = this.fileIndexOf(output);
    for (const input of inputs) this.addPair(made, this.fileIndexOf(input));
  }

  /** Adds a compile: the compiler read the inputs to make the output. */
  addCompile(output: string, inputs: Iterable<string>): void {
    if (this.isIncomplete) return;
    const made = this.fileIndexOf(output);
    let source: string | undefined;
    for (const input of inputs) {
      const file = this.fileIndexOf(input);
      this.addPair(made, file);
      this.isHeader[file] ||= !SOURCE.test(input);
      if (!this.isHeader[file]) source ??= this.absolute(input);
    }
    if (this.unit[made] >= 0) return;
    this.unit[made] = this.units.length;
    this.units.push({ output: this.absolute(output), source: source ?? '' });
  }

  /** The project's own headers and the units that are recompiled if one changes; `units` is valid until the next header. */
  *rebuildsByHeader(): Generator<{ readonly header: string; readonly units: Uint32Array }> {
    const sources = this.units.map(({ source }) => source).filter((source) => this.root === '' || !isBelow(this.root, source));
    const project = projectRoot(sources);
    const after = this.makeUnitLookup();
    for (const [path, file] of this.paths) {
      if (!this.isHeader[file] || this.unit[file] >= 0 || isSystemHeader(path, project)) continue;
      const units = after(file);
      if (this.isIncomplete) return;
      yield { header: path, units };
    }
  }

  private absolute(path: string): string {
    return normalPath(absolutePath(this.root, path));
  }

  private fileIndexOf(path: string): number {
    let file = this.indexByWrittenPath.get(path);
    if (file !== undefined) return file;
    file = this.paths.numberOf(this.absolute(path));
    this.indexByWrittenPath.set(path, file);
    if (file < this.madeFrom.length) return file;
    this.madeFrom.push([]);
    this.unit.push(-1);
    this.isHeader.push(false);
    return file;
  }

  private addPair(made: number, file: number): void {
    if (++this.pairs <= MOST_PAIRS) this.madeFrom[file].push(made);
  }

  /**
   * A function from a file to the units that are recompiled if it changes. The list of each file is computed once and kept.
   * Cycles of files are cut.
   */
  private makeUnitLookup(): (file: number) => Uint32Array {
    const { madeFrom } = this;
    const known: (Uint32Array | undefined)[] = [];
    const isDone: boolean[] = [];
    const join = this.makeJoiner((file) => known[file] ?? NONE);
    return (file) => {
      const open = madeFrom[file].filter((made) => !isDone[made]);
      for (let top = open.at(-1); top !== undefined && !this.isIncomplete; top = open.at(-1)) {
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

  /** A function that joins the unit lists of all files made from a file. Its own list is valid until the next call. */
  private makeJoiner(
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
