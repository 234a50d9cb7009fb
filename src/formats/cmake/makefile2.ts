// Reads CMakeFiles/Makefile2, which CMake writes for make: a target starts when the targets that it depends on are complete.
// The file has one line per dependency of a target, such as `CMakeFiles/app.dir/all: lib/CMakeFiles/core.dir/all`. It also names the
// build.make of each target, whose rules say what its files need: `app: CMakeFiles/app.dir/a.c.o`. All of a target's compiles wait for the
// generated files of `CMakeFiles/app.dir/depend: gen.h`. Paths are relative to CMAKE_BINARY_DIR.

import { addToList } from '../../base/lists.ts';
import { absolutePath } from '../../base/paths.ts';
import type { StepWriter } from '../../model/steps/writer.ts';
import type { Folder } from '../loader.ts';
import { readTextFile } from './data-folder.ts';
import { isBelow } from './ninja-lines.ts';

const TARGET_NEED_LINE = /^(\S{1,4000})\.dir\/all: (\S{1,4000})\.dir\/all\r?$/;

const BUILD_MAKE_LINE = /^\t.* -f (\S{1,4000}\.dir\/build\.make) \S{1,4000}\/build\r?$/gm; // bounded: counted repeats
const RULE_LINE = /^([^\s:#.][^\s:]{0,4000}): (\S{1,4000})\r?$/gm; // bounded: counted repeats
/** Needs that no step makes. */
const NO_STEP = /\/(?:flags|depend|compiler_depend|progress)\.make$|compiler_depend\.ts$|cmake_force$|\.[is]$/;
const BINARY_DIR_LINE = /^CMAKE_BINARY_DIR = (.{1,4000}?)\r?$/m;

const BUILD_MAKE_SUFFIX = '.dir/build.make';

/** The files build.make of all targets, relative to the build tree. */
export const buildMakeFilesIn = (makefile: string): string[] =>
  [...new Set(Array.from(makefile.matchAll(BUILD_MAKE_LINE), ([, path]) => path))].filter(isBelow);

const rulesIn = (text: string): RegExpExecArray[] => [...text.matchAll(RULE_LINE)].filter(([, , need]) => !NO_STEP.test(need));

/** The lines of a build.make that say which files need which, and where the build tree was. */
export const ruleLinesIn = (text: string): string =>
  [BINARY_DIR_LINE.exec(text)?.[0] ?? '', ...rulesIn(text).map(([line]) => line)].join('\n');

/** A target waits for at most this many last steps of another target. An object library has thousands of compiles and no link. */
const MAX_LAST_STEPS = 16;

const targetNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** By target: the targets that must be complete before it starts. */
function targetNeedsIn(makefile: string): Map<string, string[]> {
  const needs = new Map<string, string[]>();
  for (const line of makefile.split('\n')) {
    const [, target, needed] = TARGET_NEED_LINE.exec(line) ?? [];
    if (target !== undefined && needed !== undefined) addToList(needs, targetNameOf(target), targetNameOf(needed));
  }
  return needs;
}

/**
 * Adds pairs of steps from row `from` on, ordered like their targets in Makefile2, and by the rules of each target.
 * `read`: a file of the build tree.
 */
export function orderStepsByTarget(rows: StepWriter, from: number, makefile: string, read: Folder['read']): void {
  const needs = targetNeedsIn(makefile);
  const steps = new Map<string, number[]>();
  for (let row = from; row < rows.rows; row++) {
    const target = rows.text('target', row);
    if (target !== undefined) addToList(steps, target, row);
  }
  const pairs = rows.targetNeeds;
  let madeBy: ReadonlyMap<string, readonly number[]> | undefined;
  for (const path of buildMakeFilesIn(makefile)) {
    const text = readTextFile({ read }, path);
    const tree = BINARY_DIR_LINE.exec(text)?.[1];
    if (tree === undefined) continue;
    const makers = (madeBy ??= makersOf(rows, from, tree));
    const target = targetNameOf(path.slice(0, -BUILD_MAKE_SUFFIX.length));
    const own = new Set(steps.get(target));
    const compiles = [...own].filter((row) => rows.text('role', row) === 'compile');
    for (const [, file, need] of rulesIn(text)) {
      const [making, made] = [file, need].map((name) => makers.get(absolutePath(tree, name)) ?? []);
      // CMake records no target for commands: those that make or need files of this target become its steps.
      for (const row of [...making, ...made]) if (rows.text('target', row) === undefined) own.add(row);
      for (const row of file.endsWith('.dir/depend') ? compiles : making)
        for (const earlier of made) if (row !== earlier) pairs.push(row, earlier);
    }
    if (own.size > 0) steps.set(target, [...own]);
  }
  for (const [target, own] of steps)
    for (const needed of nearestTargetsWithSteps(target, needs, steps)) {
      const all = steps.get(needed) ?? [];
      // A library's link step waits for the library's other steps, so it represents them all.
      const links = all.filter((row) => rows.text('role', row) === 'link');
      const last = links.length > 0 ? links : all.sort((a, b) => rows.columns.endUs(a) - rows.columns.endUs(b));
      for (const earlier of last.slice(-MAX_LAST_STEPS)) for (const row of own) pairs.push(row, earlier);
    }
}

/** By path of a file: the steps from row `from` on that make it. Outputs are relative to the step's folder, or to the build tree. */
function makersOf(rows: StepWriter, from: number, tree: string): Map<string, number[]> {
  const out = new Map<string, number[]>();
  for (let row = from; row < rows.rows; row++)
    for (const path of rows.outputsOf(row))
      for (const place of new Set([absolutePath(rows.text('directory', row) ?? tree, path), absolutePath(tree, path)]))
        addToList(out, place, row);
  return out;
}

/** The nearest targets with steps that a target waits for. A target without steps (header library) is replaced by its needs. */
function nearestTargetsWithSteps(
  target: string,
  needs: ReadonlyMap<string, readonly string[]>,
  steps: ReadonlyMap<string, unknown>,
): string[] {
  const reached = new Set(needs.get(target));
  // The loop also visits the targets that are added meanwhile.
  for (const next of reached) if (!steps.has(next)) for (const further of needs.get(next) ?? []) reached.add(further);
  return [...reached].filter((name) => steps.has(name));
}
