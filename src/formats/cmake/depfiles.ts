// What compilers said that they had read, in a build tree that CMake made for make: a rule of make beside each object (x.cpp.o.d). CMake gathers
// these rules in compiler_depend.make when make is run the next time. Each target has a build.make with its objects, and with what else they need.
import { decodeBytes } from '../../model/strings.ts';
import type { Folder } from '../loader.ts';
import { below, recordedRoot } from './compiler-traces.ts';
import { join } from './data-folder.ts';
import { FileGraph, OBJECT } from './file-graph.ts';

const [TAB, NEWLINE, HASH, COLON, BACKSLASH] = [9, 10, 35, 58, 92];
const isBlank = (byte: number | undefined) => byte === 32 || byte === TAB || byte === 13;

/** The folders of all targets, a line each. */
const TARGETS = 'CMakeFiles/TargetDirectories.txt';

export interface Rule {
  readonly outputs: readonly string[];
  readonly inputs: readonly string[];
}

/** The rules in a file of make, without their commands. Variables stay as they are written. */
export function* rulesIn(bytes: Uint8Array): Generator<Rule> {
  let outputs: readonly string[] | undefined;
  let words: string[] = [];
  for (let at = 0; at <= bytes.length; ) {
    const byte = bytes[at];
    if (byte === NEWLINE || at === bytes.length) {
      if (outputs) yield { outputs, inputs: words };
      outputs = undefined;
      words = [];
      at++;
      while (bytes[at] === TAB) at = lineEnd(bytes, at) + 1;
    } else if (byte === HASH) at = lineEnd(bytes, at);
    else if (byte === COLON && !outputs) {
      outputs = words;
      words = [];
      at++;
    } else if (isBlank(byte)) at++;
    else if (byte === BACKSLASH && isLineEnd(bytes, at + 1)) at = lineEnd(bytes, at) + 1;
    else {
      const end = wordEnd(bytes, at);
      words.push(plain(decodeBytes(bytes, at, end)));
      at = end;
    }
  }
}

function lineEnd(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(NEWLINE, from);
  return end < 0 ? bytes.length : end;
}

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
  // A colon by itself, behind another, is a word.
  return Math.min(Math.max(at, from + 1), bytes.length);
}

const plain = (word: string) => word.replace(/\\([ #:\\])|\$(\$)/g, '$1$2');

function* inputsIn(bytes: Uint8Array): Generator<string> {
  for (const { inputs } of rulesIn(bytes)) yield* inputs;
}

/** What changes make compile again in a tree made for make; undefined if it is none. `tree`: where it is in the folder. */
export function makeGraph(folder: Folder, tree: string): FileGraph | undefined {
  const root = recordedRoot(folder, tree);
  const targets = folder.read(join(tree, TARGETS));
  if (!targets || root === undefined) return undefined;
  const graph = new FileGraph(root);
  for (let from = 0; from < targets.length; from = lineEnd(targets, from) + 1) {
    const target = below(root, decodeBytes(targets, from, lineEnd(targets, from)).trimEnd());
    const rules = target === undefined ? undefined : folder.read(join(tree, `${target}/build.make`));
    if (!rules) continue;
    const objects = new Set<string>();
    for (const { outputs, inputs } of rulesIn(rules))
      for (const output of outputs) {
        graph.make(output, inputs);
        if (OBJECT.test(output)) objects.add(output);
      }
    let said = 0;
    for (const object of objects) {
      const depfile = below(root, `${root}/${object}.d`);
      const bytes = depfile === undefined ? undefined : folder.read(join(tree, depfile));
      if (!bytes) continue;
      said++;
      graph.compile(object, inputsIn(bytes));
    }
    const gathered = said > 0 ? undefined : folder.read(join(tree, `${target}/compiler_depend.make`));
    for (const { outputs, inputs } of gathered ? rulesIn(gathered) : [])
      for (const output of outputs) if (OBJECT.test(output)) graph.compile(output, inputs);
  }
  return graph;
}
