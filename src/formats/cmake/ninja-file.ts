// build.ninja: what every output is built from. Only the edges are read: the steps already have the commands of rules.
// Format: https://ninja-build.org/manual.html, "Ninja file reference". Paths are expanded with top-level variables only;
// ninja would also use those of the build block.
import { absolutePath, normalPath } from '../../base/paths.ts';
import type { StepNote } from '../../model/steps/writer.ts';
import { decodeBytes } from '../../model/strings.ts';

/** Inputs of each output, by its absolute path: explicit, implicit and order-only (||), since ninja waits for all of them. */
export type BuildGraph = ReadonlyMap<string, readonly string[]>;

const MOST_FILES = 1000;

/** The graph of a build file and its includes; undefined if there is none. `root` is the folder that ninja runs in. */
export function readNinja(read: (name: string) => Uint8Array | undefined, name: string, root: string): BuildGraph | undefined {
  const graph = new Map<string, readonly string[]>();
  const variables = new Map<string, string>();
  const files = [name];
  const seen = new Set(files);
  let found = false;
  // Included files are read after the file that includes them; CMake sets its variables before.
  for (let k = 0; k < files.length && k < MOST_FILES; k++) {
    const bytes = read(files[k]);
    if (!bytes) continue;
    found = true;
    for (const line of statements(bytes)) {
      const included = /^(?:include|subninja) (.+)$/.exec(line);
      if (included) {
        const path = words(included[1], variables)[0] ?? '';
        // Only files below the build file: it must not point anywhere else.
        if (!seen.has(path) && !path.startsWith('/') && !path.split('/').includes('..')) {
          seen.add(path);
          files.push(path);
        }
      } else if (line.startsWith('build ')) {
        const [left, right] = edge(line.slice(6), variables);
        // The first word after the colon is the rule.
        const inputs = right.slice(1).map((path) => fromFolder(root, path));
        for (const out of left) graph.set(absolutePath(root, out), inputs);
      } else {
        const variable = /^([\w.-]+) *= *(.*)$/.exec(line);
        if (variable) variables.set(variable[1], words(variable[2], variables).join(' '));
      }
    }
  }
  return found ? graph : undefined;
}

/** Top-level lines, with `$` continuations joined. */
function* statements(bytes: Uint8Array): Generator<string> {
  let held = '';
  for (let from = 0; from < bytes.length; ) {
    let end = bytes.indexOf(10, from);
    if (end < 0) end = bytes.length;
    const line = decodeBytes(bytes, from, end > from && bytes[end - 1] === 13 ? end - 1 : end);
    from = end + 1;
    const dollars = /\$*$/.exec(line)![0].length;
    if (dollars % 2 === 1) {
      held += (held === '' ? line : line.trimStart()).slice(0, -1);
      continue;
    }
    const whole = held === '' ? line : held + line.trimStart();
    held = '';
    // Indented lines are the variables of the block above.
    if (whole !== '' && !/^[\s#]/.test(whole)) yield whole;
  }
}

const PIECE = /\$([ :$])|\$\{([\w.-]+)\}|\$([\w-]+)|([^$\s:|]+)|([:|\s])|(\$)/g;

/** The words on both sides of the colon, without the bars that separate kinds of paths. */
function edge(text: string, variables: ReadonlyMap<string, string>): [string[], string[]] {
  const sides: [string[], string[]] = [[], []];
  let side: 0 | 1 = 0;
  let word = '';
  const end = () => {
    if (word !== '') sides[side].push(word);
    word = '';
  };
  for (const m of text.matchAll(PIECE)) {
    if (m[5] === undefined) word += m[1] ?? (m[4] || (m[6] ?? variables.get(m[2] ?? m[3]) ?? ''));
    else if (m[5] === ':' && side === 1) word += ':';
    else {
      end();
      if (m[5] === ':') side = 1;
    }
  }
  end();
  // |@ starts validations, which nothing waits for.
  const at = sides[1].indexOf('@');
  return at < 0 ? sides : [sides[0], sides[1].slice(0, at)];
}

const words = (text: string, variables: ReadonlyMap<string, string>): string[] => edge(text.replaceAll(':', '$:'), variables)[0];

const fromFolder = (folder: string, path: string): string => normalPath(absolutePath(folder, path));

/** Pairs of indexes into `notes`: the first step needs the second. Follows files that no recorded step made to ones that one did. */
export function needsOf(notes: readonly StepNote[], graph: BuildGraph, root: string): [step: number, of: number][] {
  const madeBy = new Map<string, number[]>();
  const outputs = notes.map((note) =>
    (note.outputs ?? []).map(({ path }) => {
      const fromRoot = fromFolder(root, path);
      return graph.has(fromRoot) || note.directory === undefined ? fromRoot : fromFolder(note.directory, path);
    }),
  );
  outputs.forEach((list, i) => {
    for (const path of list) {
      const makers = madeBy.get(path);
      if (makers) makers.push(i);
      else madeBy.set(path, [i]);
    }
  });
  const pairs: [number, number][] = [];
  outputs.forEach((list, i) => {
    const queue = list.flatMap((path) => graph.get(path) ?? []);
    const seen = new Set(queue);
    const found = new Set<number>();
    for (let k = 0; k < queue.length; k++) {
      const makers = madeBy.get(queue[k]);
      if (makers) for (const m of makers) found.add(m);
      else
        for (const next of graph.get(queue[k]) ?? []) {
          if (seen.has(next)) continue;
          seen.add(next);
          queue.push(next);
        }
    }
    // Commands for the same output run in sequence: rm, ar, ranlib.
    for (const path of list) for (const m of madeBy.get(path)!) if (notes[m].startUs < notes[i].startUs) found.add(m);
    found.delete(i);
    for (const m of found) pairs.push([i, m]);
  });
  return pairs;
}
