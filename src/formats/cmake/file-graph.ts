// The graph of a build tree's files: which files are rebuilt if one changes, from the build file and the dependency files.
import { getOrMake } from '../../base/lists.ts';
import { absolutePath, isPathBelow, isSystemHeader, normalizedPath, projectRoot } from '../../base/paths.ts';
import { Numbering } from '../../model/column.ts';

/** Limits for input-output pairs, units in kept lists, and units in all lists. Beyond them, no header costs are computed. */
const MAX_PAIRS = 20_000_000;
const MAX_KEPT_UNITS = 20_000_000;
const MAX_LISTED_UNITS = 400_000_000;

/** Names of the objects and precompiled headers that compilers make. */
export const OBJECT_FILE = /\.(o|obj|gch|pch)$/;
const SOURCE_FILE = /\.(c|cc|cp|cpp|cxx|c\+\+|m|mm|cu|hip|cl|s|sx|asm|i|ii|f|for|ftn|f\d\d|swift|rs|cppm|ixx)$/i; // bounded: nothing repeats

/** A compiled file and its first source file ('' for none). Paths are absolute and normalized. */
export type CompiledFile = Readonly<Record<'output' | 'source', string>>;

export class FileGraph {
  readonly units: CompiledFile[] = [];
  private readonly paths = new Numbering<string>();
  /** File index by path as written. Several written paths may name one file. */
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

  /** True if a limit was reached, so that the graph is incomplete. */
  get isIncomplete(): boolean {
    return this.pairs > MAX_PAIRS || this.kept > MAX_KEPT_UNITS || this.listed > MAX_LISTED_UNITS;
  }

  markIncomplete(): void {
    this.pairs = Number.POSITIVE_INFINITY;
  }

  addRule(output: string, inputs: Iterable<string>): void {
    if (this.isIncomplete) return;
    const made = this.fileIndexOf(output);
    for (const input of inputs) this.addPair(made, this.fileIndexOf(input));
  }

  /** Adds a compile in which the compiler read the inputs to make the output. */
  addCompile(output: string, inputs: Iterable<string>): void {
    if (this.isIncomplete) return;
    const made = this.fileIndexOf(output);
    let source: string | undefined;
    for (const input of inputs) {
      const file = this.fileIndexOf(input);
      this.addPair(made, file);
      this.isHeader[file] ||= !SOURCE_FILE.test(input);
      if (!this.isHeader[file]) source ??= this.absolute(input);
    }
    if (this.unit[made] >= 0) return;
    this.unit[made] = this.units.length;
    this.units.push({ output: this.absolute(output), source: source ?? '' });
  }

  /** The project's own headers, each with the units that depend on it; `units` is valid until the next header. */
  *rebuildsByHeader(): Generator<{ readonly header: string; readonly units: Uint32Array }> {
    const sources = this.units
      .map(({ source }) => source)
      .filter((source) => this.root === '' || !isPathBelow(this.root, source));
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
    return normalizedPath(absolutePath(this.root, path));
  }

  private fileIndexOf(path: string): number {
    const file = getOrMake(this.indexByWrittenPath, path, () => this.paths.numberOf(this.absolute(path)));
    if (file < this.madeFrom.length) return file;
    this.madeFrom.push([]);
    this.unit.push(-1);
    this.isHeader.push(false);
    return file;
  }

  private addPair(made: number, file: number): void {
    if (++this.pairs <= MAX_PAIRS) this.madeFrom[file].push(made);
  }

  /** Returns a function from a file to the units recompiled if it changes. Each list is computed once; cycles are cut. */
  private makeUnitLookup(): (file: number) => Uint32Array {
    const { madeFrom } = this;
    const known: (Uint32Array | undefined)[] = [];
    const isDone: boolean[] = [];
    const join = this.makeJoiner((file) => known[file] ?? NO_UNITS);
    return (file) => {
      const open = madeFrom[file].filter((made) => !isDone[made]);
      for (let top = open.at(-1); top !== undefined && !this.isIncomplete; top = open.at(-1)) {
        const isNew = known[top] === undefined;
        known[top] ??= NO_UNITS;
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

  /** Returns a function that joins the unit lists of all files made from a file. Own lists are valid until the next call. */
  private makeJoiner(listOf: (file: number) => Uint32Array) {
    const seen = new Uint32Array(this.units.length);
    const own = new Uint32Array(this.units.length);
    let round = 0;
    return (file: number) => {
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
      lists.delete(NO_UNITS);
      const [list = NO_UNITS] = lists;
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

const NO_UNITS = new Uint32Array(0);
