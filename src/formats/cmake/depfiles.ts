// Finds the files that compilers read, in a CMake build tree for make: each object has a rule beside it (x.cpp.o.d).
// The next make run gathers these rules in compiler_depend.make. A target's build.make lists its objects and its other inputs.
import { absolutePath } from '../../base/paths.ts';
import { decodeBytes } from '../../model/strings.ts';
import type { Folder } from '../loader.ts';
import { lineEnd, nextLineStart } from '../shared/stream.ts';
import { recordedRoot, relativeTo } from './compiler-traces.ts';
import { joinPaths } from './data-folder.ts';
import { FileGraph, OBJECT_FILE } from './file-graph.ts';

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
      words.push(decodeBytes(bytes, at, end).replace(/\\([ #:\\])|\$(\$)/g, '$1$2'));
      at = end;
    }
  }
}

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
    graph.addCompile(object, Array.from(makeRulesIn(depfile), ({ inputs }) => inputs).flat());
  }
  const gathered = found > 0 ? undefined : read(`${target}/compiler_depend.make`);
  for (const { outputs, inputs } of gathered ? makeRulesIn(gathered) : [])
    for (const output of outputs) if (OBJECT_FILE.test(output)) graph.addCompile(output, inputs);
}
