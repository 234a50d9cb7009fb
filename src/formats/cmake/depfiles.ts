// The files that compilers have read, in a build tree that CMake made for make: a rule beside each object (x.cpp.o.d). CMake gathers these
// rules in compiler_depend.make when make is run the next time. The build.make of a target has its objects, and all else that they need.
import { absolutePath } from '../../base/paths.ts';
import { decodeBytes } from '../../model/strings.ts';
import type { Folder } from '../loader.ts';
import { recordedRoot, relativeTo } from './compiler-traces.ts';
import { join } from './data-folder.ts';
import { FileGraph, OBJECT } from './file-graph.ts';

const [TAB, NEWLINE, HASH, COLON, BACKSLASH] = [9, 10, 35, 58, 92];
const isBlank = (byte: number | undefined) => byte === 32 || byte === TAB || byte === 13;

/** Lists the folders of all targets, one per line. */
const TARGETS = 'CMakeFiles/TargetDirectories.txt';
/** Limit of the files read in a tree; beyond it, no header costs are computed. */
const MOST_FILES = 400_000;

export interface MakeRule {
  readonly outputs: readonly string[];
  readonly inputs: readonly string[];
}

/** The rules of a makefile, without commands. Variables are not expanded. */
export function* rulesIn(bytes: Uint8Array): Generator<MakeRule> {
  let outputs: readonly string[] | undefined;
  let words: string[] = [];
  for (let at = 0; at <= bytes.length; ) {
    const byte = bytes[at];
    if (byte === NEWLINE || at === bytes.length) {
      if (outputs) yield { outputs, inputs: words };
      outputs = undefined;
      words = [];
      at++;
      while (bytes[at] === TAB) at = nextLine(bytes, at);
    } else if (byte === HASH) at = lineEnd(bytes, at);
    else if (byte === COLON && !outputs) {
      outputs = words;
      words = [];
      at++;
    } else if (isBlank(byte)) at++;
    else if (byte === BACKSLASH && isLineEnd(bytes, at + 1)) at = nextLine(bytes, at);
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

const nextLine = (bytes: Uint8Array, from: number) => Math.min(lineEnd(bytes, from) + 1, bytes.length);

const isLineEnd = (bytes: Uint8Array, at: number) =>
  at >= bytes.length || bytes[at] === NEWLINE || (bytes[at] === 13 && bytes[at + 1] === NEWLINE);

/** A colon is part of a word unless a blank follows: `C:/x`. */
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
  // A second colon in a rule is a word of its own.
  return Math.min(Math.max(at, from + 1), bytes.length);
}

const unescapeWord = (word: string) => word.replace(/\\([ #:\\])|\$(\$)/g, '$1$2');

function* inputsIn(bytes: Uint8Array): Generator<string> {
  for (const { inputs } of rulesIn(bytes)) yield* inputs;
}

/** The file graph of a tree that CMake generated for make; otherwise undefined. `tree`: its path in the folder. */
export function readMakeGraph(folder: Folder, tree: string): FileGraph | undefined {
  const root = recordedRoot(folder, tree);
  const listed = folder.read(join(tree, TARGETS));
  if (!listed || root === undefined) return undefined;
  const graph = new FileGraph(root);
  let files = 0;
  const read = (path: string) => {
    if (++files > MOST_FILES) graph.giveUp();
    const inTree = graph.isIncomplete ? undefined : relativeTo(root, absolutePath(root, path));
    return inTree === undefined ? undefined : folder.read(join(tree, inTree));
  };
  const targets = new Set<string>();
  for (let at = 0; at < listed.length && targets.size < MOST_FILES; at = nextLine(listed, at))
    targets.add(decodeBytes(listed, at, lineEnd(listed, at)).trimEnd());
  for (const target of targets) addTarget(graph, target, read);
  return graph;
}

function addTarget(graph: FileGraph, target: string, read: (path: string) => Uint8Array | undefined): void {
  const makefile = read(`${target}/build.make`);
  if (!makefile) return;
  const objects = new Set<string>();
  for (const { outputs, inputs } of rulesIn(makefile))
    for (const output of outputs) {
      graph.addRule(output, inputs);
      if (OBJECT.test(output)) objects.add(output);
    }
  let found = 0;
  for (const object of objects) {
    const depfile = read(`${object}.d`);
    if (!depfile) continue;
    found++;
    graph.addCompile(object, inputsIn(depfile));
  }
  const gathered = found > 0 ? undefined : read(`${target}/compiler_depend.make`);
  for (const { outputs, inputs } of gathered ? rulesIn(gathered) : [])
    for (const output of outputs) if (OBJECT.test(output)) graph.addCompile(output, inputs);
}
