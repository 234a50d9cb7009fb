// Computes the cost of changing a header, from ninja's .ninja_deps or from the dependency files that compilers wrote for make.

import { absolutePath, normalizedPath } from '../../base/paths.ts';
import { FormatError } from '../../base/problem.ts';
import { formatCount } from '../../base/units.ts';
import type { Sink } from '../../model/sink.ts';
import type { Rebuilds } from '../../model/steps/rebuilds.ts';
import type { StepWriter } from '../../model/steps/writer.ts';
import { decodeBytes, startsWithAscii } from '../../model/strings.ts';
import type { Folder } from '../loader.ts';
import { recordedRoot, relativeTo } from './compiler-traces.ts';
import { joinPaths } from './data-folder.ts';
import { type CompiledFile, FileGraph, OBJECT_FILE } from './file-graph.ts';
import { type BuildFile, relativeToRoot } from './ninja-file.ts';

const DEPS_FILE = '.ninja_deps';

/** A build tree: its path in a folder, and its ninja build file if there is one. */
interface TreeInFolder {
  readonly folder: Folder;
  readonly at: string;
  readonly file: BuildFile | undefined;
}

/** Reads ninja's dependency file; undefined if it is missing or, with a warning, if it is broken. */
function readDeps({ folder, at }: TreeInFolder, sink: Sink) {
  const bytes = folder.read(joinPaths(at, DEPS_FILE));
  try {
    const deps = bytes && readNinjaDeps(bytes, normalizedPath(`${folder.path}/${joinPaths(at, DEPS_FILE)}`));
    if (deps?.cut) sink.warn(deps.cut);
    return deps;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    sink.warn({ ...error.problem, found: `${error.problem.found}; what headers cost is left out` });
    return undefined;
  }
}

/** The file graph of a ninja tree; undefined if the tree has no dependency file. */
export function readNinjaGraph(tree: TreeInFolder, sink: Sink): FileGraph | undefined {
  const deps = readDeps(tree, sink);
  if (!deps) return undefined;
  const { file } = tree;
  const graph = new FileGraph(file?.root ?? '');
  for (const [output, edge] of file?.edges ?? []) graph.addRule(output, edge.inputs.slice(0, edge.orderOnly));
  for (const [output, inputs] of deps.inputs) {
    const path = deps.paths[output];
    // .ninja_deps may list outputs that the build file no longer builds.
    if (file && !file.edges.has(normalizedPath(absolutePath(file.root, path)))) continue;
    const files = Array.from(inputs, (input) => deps.paths[input]);
    if (OBJECT_FILE.test(path)) graph.addCompile(path, files);
    else graph.addRule(path, files);
  }
  return graph;
}

/** Adds the costs of changing each header, from the durations of the steps from row `first` on. */
export function addRebuildCosts(rows: StepWriter, first: number, tree: TreeInFolder, sink: Sink): void {
  if (rows.rebuilds) return;
  const graph = readNinjaGraph(tree, sink) ?? readMakeGraph(tree.folder, tree.at);
  if (graph) rows.rebuilds = computeRebuildCosts(graph, rows, first, sink);
}

/** The cost of changing each header; undefined if there are no headers or, with a warning, if the graph is too large. */
function computeRebuildCosts(graph: FileGraph, rows: StepWriter, first: number, sink: Sink): Rebuilds | undefined {
  const { units, root } = graph;
  const latest = latestStepsByFile(rows, first, root);
  const step = Int32Array.from(units, ({ output }) => latest.get(output) ?? -1);
  const kept = recordedUnitTimes(rows);
  const us = Float64Array.from(step, (row, k) => (row >= 0 ? rows.columns.durationUs.data[row] : kept(units[k])));
  const headers: { name: number; us: number; units: number; worst: number }[] = [];
  for (const { header, units: again } of graph.rebuildsByHeader()) {
    if (again.length === 0) continue;
    let [sum, worst] = [0, again[0]];
    for (const unit of again) {
      sum += us[unit] || 0;
      if (us[unit] > us[worst] || Number.isNaN(us[worst])) worst = unit;
    }
    headers.push({ name: rows.textId(header), us: sum, units: again.length, worst });
  }
  if (graph.isIncomplete) {
    const found = 'more: what headers cost is left out';
    sink.warn({ path: sink.paths.at(-1) ?? '', expected: 'dependencies of files that can be followed in some seconds', found });
    return undefined;
  }
  if (headers.length === 0) return undefined;
  return {
    units: { name: Uint32Array.from(units, ({ output }) => rows.textId(relativeToRoot(graph, output))), step, us },
    headers: {
      name: Uint32Array.from(headers, (h) => h.name),
      us: Float64Array.from(headers, (h) => h.us),
      units: Uint32Array.from(headers, (h) => h.units),
      worst: Uint32Array.from(headers, (h) => h.worst),
    },
  };
}

/** By file: the latest step from row `first` on that made it. */
function latestStepsByFile(rows: StepWriter, first: number, root: string): Map<string, number> {
  const { startUs } = rows.columns;
  const latest = new Map<string, number>();
  for (let row = first; row < rows.rows; row++) {
    if (rows.columns.neverRan(row)) continue;
    for (const output of rows.outputsOf(row)) {
      const path = normalizedPath(absolutePath(rows.text('directory', row) ?? root, output));
      const other = latest.get(path);
      if (other === undefined || startUs.data[row] >= startUs.data[other]) latest.set(path, row);
    }
  }
  return latest;
}

/** A function from a unit to its duration in the last kept build that compiled it, in microseconds; NaN if unknown. */
function recordedUnitTimes(rows: StepWriter): (unit: CompiledFile) => number {
  const { history } = rows.facts;
  if (!history) return () => Number.NaN;
  const builds = history.builds.length;
  const indexOfKey = new Map(Array.from(history.key, (key, place) => [rows.textOf(key), place]));
  return ({ output, source }) => {
    const target = /\/([^/]+)\.dir\//.exec(output)?.[1] ?? ''; // bounded: each run is looked at once
    const index = indexOfKey.get(`compile ${target} ${source}`) ?? indexOfKey.size;
    const ms = history.ms.subarray(index * builds, (index + 1) * builds).findLast((took) => !Number.isNaN(took));
    return (ms ?? Number.NaN) * 1000;
  };
}

// Finds the files that compilers read, in a CMake build tree for make: each object has a rule beside it (x.cpp.o.d).
// The next make run gathers these rules in compiler_depend.make. A target's build.make lists its objects and its other inputs.

const [TAB, NEWLINE, HASH, COLON, BACKSLASH] = [9, 10, 35, 58, 92];
const isBlank = (byte: number | undefined) => byte === 32 || byte === TAB || byte === 13;

/** The file that lists the folders of all targets, one per line. */
const TARGET_LIST_FILE = 'CMakeFiles/TargetDirectories.txt';
/** Maximum number of files read in a build tree. If there are more, no header costs are computed. */
const MAX_FILES = 400_000;

/** The rules of a makefile, without their commands. Variables are not expanded. */
export function* makeRulesIn(bytes: Uint8Array): Generator<{ outputs: readonly string[]; inputs: readonly string[] }> {
  let outputs: readonly string[] | undefined;
  let words: string[] = [];
  for (let at = 0; at <= bytes.length; ) {
    const byte = bytes[at];
    if (byte === NEWLINE || at === bytes.length) {
      if (outputs) yield { outputs, inputs: words };
      outputs = undefined;
      words = [];
      at++;
      while (bytes[at] === TAB) at = nextLineStart(bytes, at);
    } else if (byte === HASH) at = lineEnd(bytes, at);
    else if (byte === COLON && !outputs) {
      outputs = words;
      words = [];
      at++;
    } else if (isBlank(byte)) at++;
    else if (byte === BACKSLASH && isLineEnd(bytes, at + 1)) at = nextLineStart(bytes, at);
    else {
      const end = wordEnd(bytes, at);
      words.push(unescapeWord(decodeBytes(bytes, at, end)));
      at = end;
    }
  }
}

function lineEnd(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(NEWLINE, from);
  return end < 0 ? bytes.length : end;
}

const nextLineStart = (bytes: Uint8Array, from: number) => Math.min(lineEnd(bytes, from) + 1, bytes.length);

const isLineEnd = (bytes: Uint8Array, at: number) =>
  at >= bytes.length || bytes[at] === NEWLINE || (bytes[at] === 13 && bytes[at + 1] === NEWLINE);

/** The end of a word. A colon is part of the word unless a blank follows it: `C:/x`. */
function wordEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === NEWLINE || isBlank(byte)) break;
    if (byte === COLON && (isBlank(bytes[at + 1]) || isLineEnd(bytes, at + 1))) break;
    if (byte !== BACKSLASH) continue;
    if (isLineEnd(bytes, at + 1)) break;
    at++;
  }
  // A second colon in a rule is a separate word.
  return Math.min(Math.max(at, from + 1), bytes.length);
}

const unescapeWord = (word: string) => word.replace(/\\([ #:\\])|\$(\$)/g, '$1$2');

function* inputPathsIn(bytes: Uint8Array): Generator<string> {
  for (const { inputs } of makeRulesIn(bytes)) yield* inputs;
}

/** The file graph of a CMake build tree for make; undefined for other trees. `tree`: its path in the folder. */
export function readMakeGraph(folder: Folder, tree: string): FileGraph | undefined {
  const root = recordedRoot(folder, tree);
  const listed = folder.read(joinPaths(tree, TARGET_LIST_FILE));
  if (!listed || root === undefined) return undefined;
  const graph = new FileGraph(root);
  let files = 0;
  const read = (path: string) => {
    if (++files > MAX_FILES) graph.markIncomplete();
    const inTree = graph.isIncomplete ? undefined : relativeTo(root, absolutePath(root, path));
    return inTree === undefined ? undefined : folder.read(joinPaths(tree, inTree));
  };
  const targets = new Set<string>();
  for (let at = 0; at < listed.length && targets.size < MAX_FILES; at = nextLineStart(listed, at))
    targets.add(decodeBytes(listed, at, lineEnd(listed, at)).trimEnd());
  for (const target of targets) addTargetRules(graph, target, read);
  return graph;
}

function addTargetRules(graph: FileGraph, target: string, read: (path: string) => Uint8Array | undefined): void {
  const makefile = read(`${target}/build.make`);
  if (!makefile) return;
  const objects = new Set<string>();
  for (const { outputs, inputs } of makeRulesIn(makefile))
    for (const output of outputs) {
      graph.addRule(output, inputs);
      if (OBJECT_FILE.test(output)) objects.add(output);
    }
  let found = 0;
  for (const object of objects) {
    const depfile = read(`${object}.d`);
    if (!depfile) continue;
    found++;
    graph.addCompile(object, inputPathsIn(depfile));
  }
  const gathered = found > 0 ? undefined : read(`${target}/compiler_depend.make`);
  for (const { outputs, inputs } of gathered ? makeRulesIn(gathered) : [])
    for (const output of outputs) if (OBJECT_FILE.test(output)) graph.addCompile(output, inputs);
}

// Reads .ninja_deps, versions 3 and 4: the inputs of each output, as its compiler recorded them. See ninja's src/deps_log.h.
// The file has `# ninjadeps`, a version, and records. A record has a size, whose high bit marks dependencies, and its data:
// either a path and its check number, or an output, its time and its inputs as path numbers. Paths are numbered from 0.
// ninja appends, so an output's last record counts. An unfinished record is ignored. Numbers are 32-bit little-endian.

const SIGNATURE = '# ninjadeps\n';
const FIRST_RECORD_OFFSET = SIGNATURE.length + 4;
const DEPS_FLAG = 2 ** 31;
/** Maximum size of a record, as in ninja itself. */
const MAX_RECORD_BYTES = 2 ** 19 - 1;
const MAX_PATHS = 4_000_000;
const NUL = 0;

class NinjaDepsReader {
  readonly paths: string[] = [];
  /** By output: the byte range of its input numbers in the last record. */
  readonly inputsOf = new Map<number, readonly [from: number, to: number]>();
  private readonly view: DataView;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly path: string,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Reads the records. Returns the start of a truncated last record, else the end of the file. */
  readRecords(): number {
    const { bytes } = this;
    const start = bytes.length === 0 ? 'an empty file' : `"${decodeBytes(bytes, 0, Math.min(bytes.length, 12))}"`;
    if (bytes.length < FIRST_RECORD_OFFSET || !startsWithAscii(bytes, 0, SIGNATURE)) throw this.error(0, '# ninjadeps', start);
    const version = this.wordAt(SIGNATURE.length);
    if (version !== 3 && version !== 4) throw this.error(SIGNATURE.length, 'version 3 or 4', `version ${version}`);
    const timeEnd = version === 3 ? 8 : 12;
    for (let at = FIRST_RECORD_OFFSET; ; ) {
      if (at + 4 > bytes.length) return at;
      const head = this.wordAt(at);
      const size = head % DEPS_FLAG;
      if (size > MAX_RECORD_BYTES || size % 4 !== 0)
        throw this.error(at, `a record of at most ${MAX_RECORD_BYTES} bytes, in fours`, `one of ${size}`);
      const end = at + 4 + size;
      if (end > bytes.length) return at;
      if (head < DEPS_FLAG) this.readPath(at + 4, end);
      else if (size < timeEnd) throw this.error(at, 'an output and its time', `a record of ${size} bytes`);
      else this.inputsOf.set(this.pathNumberAt(at + 4), [at + 4 + timeEnd, end]);
      at = end;
    }
  }

  /** The path numbers in bytes[from..to). */
  pathNumbersAt(from: number, to: number): Uint32Array {
    return Uint32Array.from({ length: (to - from) / 4 }, (_, k) => this.pathNumberAt(from + 4 * k));
  }

  error(offset: number, expected: string, found: string): FormatError {
    return new FormatError({ path: this.path, offset, expected, found });
  }

  private wordAt(at: number): number {
    return this.view.getUint32(at, true);
  }

  private pathNumberAt(at: number): number {
    const id = this.wordAt(at);
    if (id >= this.paths.length) throw this.error(at, `the number of one of ${this.paths.length} paths`, `${id}`);
    return id;
  }

  private readPath(from: number, end: number): void {
    const id = this.paths.length;
    if (id === MAX_PATHS) throw this.error(from, `at most ${formatCount(MAX_PATHS)} paths`, 'more');
    let to = end - 4;
    for (let pad = 0; pad < 3 && to > from && this.bytes[to - 1] === NUL; pad++) to--;
    if (to <= from) throw this.error(from, 'a path', 'none');
    const check = ~this.wordAt(end - 4) >>> 0;
    if (check !== id) throw this.error(end - 4, `the check of path ${id}`, `that of path ${check}`);
    this.paths.push(decodeBytes(this.bytes, from, to));
  }
}

/**
 * Reads a .ninja_deps file. `inputs`: by the path number of an output, the path numbers of its inputs. `cut`: the problem of a truncated last
 * record. Throws FormatError if the file is invalid.
 */
export function readNinjaDeps(bytes: Uint8Array, path: string) {
  const reader = new NinjaDepsReader(bytes, path);
  const end = reader.readRecords();
  const { paths, inputsOf } = reader;
  const inputs = new Map(Array.from(inputsOf, ([output, [from, to]]) => [output, reader.pathNumbersAt(from, to)]));
  const isWhole = end === bytes.length;
  const cut = isWhole
    ? undefined
    : reader.error(end, 'a whole record', `${bytes.length - end} bytes of one; left out, as by ninja`);
  return { paths, inputs, cut: cut?.problem };
}
