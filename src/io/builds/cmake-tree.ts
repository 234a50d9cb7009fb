// Inspects a CMake build tree without running anything: its state, its CMake program, and its source folder.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt } from '../../base/attempt.ts';
import { FormatError } from '../../base/problem.ts';
import { readRegular } from '../disk/regular.ts';
import { isFolder, namesIn } from '../stat.ts';

export interface BuildTree {
  /** `missing`: no folder; `fresh`: not configured; `plain`: configured, without recording; `recording`: builds are recorded. */
  readonly state: 'missing' | 'fresh' | 'plain' | 'recording';
  /** The CMake program that configured the tree; `cmake` if unknown or missing. */
  readonly cmake: string;
  /** The source folder; undefined if unknown. */
  readonly source: string | undefined;
  /** True if this CMake can copy compiler traces into its data. */
  readonly copiesTraces?: boolean;
}

/** The first CMake version that records builds. */
const MIN_CMAKE_VERSION = [4, 3] as const;
/** The first CMake version that copies compiler traces (`compileTrace`); older ones refuse queries with unknown options. */
const MIN_COPYING_VERSION = [4, 4] as const;
/** The generators whose builds CMake can record. */
const RECORDING_GENERATORS = /Makefiles$|^Ninja|^FASTBuild/;
const MAX_FILE_BYTES = 64 << 20;

/** Inspects a build tree. Throws FormatError with the reason if builds of this tree cannot be recorded. */
export function inspectTree(build: string): BuildTree {
  const problem = (expected: string, found: string, hint: string, path = build) =>
    new FormatError({ path, expected, found, hint });
  const above = dirname(build);
  const unconfigured = { cmake: 'cmake', source: existsSync(join(above, 'CMakeLists.txt')) ? above : undefined };
  if (!existsSync(build)) {
    const hint = `create ${above} first, or check the name`;
    if (!isFolder(above)) throw problem('a folder to build in', 'neither this folder nor the one above it', hint);
    return { state: 'missing', ...unconfigured };
  }
  const treeFolder = 'the folder that CMake builds in';
  if (!isFolder(build)) throw problem(treeFolder, 'a file', 'name the folder given to cmake -B');
  const cacheFile = join(build, 'CMakeCache.txt');
  const cache = readTextFile(cacheFile);
  if (cache === undefined) {
    const found = 'a source folder: it has CMakeLists.txt and no CMakeCache.txt';
    const hint = 'name the folder given to cmake -B; to build inside the source folder, configure it first';
    if (existsSync(join(build, 'CMakeLists.txt'))) throw problem(treeFolder, found, hint);
    return { state: 'fresh', ...unconfigured };
  }
  const entry = (name: string) => new RegExp(`^${name}:[A-Z]+=(.*?)\\r?$`, 'm').exec(cache)?.[1] || undefined;
  const version = ['MAJOR', 'MINOR', 'PATCH'].map((p) => entry(`CMAKE_CACHE_${p}_VERSION`));
  const command = entry('CMAKE_COMMAND');
  const [major, minor] = version.map(Number);
  if (major < MIN_CMAKE_VERSION[0] || (major === MIN_CMAKE_VERSION[0] && minor < MIN_CMAKE_VERSION[1]))
    throw problem(
      `a tree of CMake ${MIN_CMAKE_VERSION.join('.')} or later, which can record builds`,
      `CMake ${version.filter((v) => v).join('.')}${command ? ` (${command})` : ''}`,
      'configure it with a newer CMake, then repeat this',
      cacheFile,
    );
  const generator = entry('CMAKE_GENERATOR');
  const expected = 'the generator Ninja or Makefiles: CMake records no others';
  if (generator !== undefined && !RECORDING_GENERATORS.test(generator))
    throw problem(expected, generator, 'configure another folder with -G Ninja', cacheFile);
  return {
    state: hasLaunchers(build) ? 'recording' : 'plain',
    cmake: command !== undefined && existsSync(command) ? command : 'cmake',
    source: entry('CMAKE_HOME_DIRECTORY'),
    copiesTraces: major > MIN_COPYING_VERSION[0] || (major === MIN_COPYING_VERSION[0] && minor >= MIN_COPYING_VERSION[1]),
  };
}

/** True if the build files run commands through CMake's recorder, as they do once a configure step has seen the query. */
function hasLaunchers(build: string): boolean {
  const inner = join(build, 'CMakeFiles');
  const more = namesIn(inner).filter((name) => name.endsWith('.ninja'));
  const files = [join(build, 'Makefile'), join(build, 'build.ninja'), ...more.map((name) => join(inner, name))];
  return files.some((file) => /--(start-)?instrument/.test(readTextFile(file) ?? ''));
}

/** The text of a regular file; undefined if it is missing, or too large for a file of CMake. */
const readTextFile = (path: string): string | undefined =>
  attempt(() => readRegular(path, MAX_FILE_BYTES).bytes.toString('latin1'));
