// Facts about a CMake build tree, without running anything: its state, its CMake, and its source folder.

import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt } from '../../base/attempt.ts';
import { FormatError } from '../../base/problem.ts';
import { readRegular } from '../disk/regular.ts';
import { isFolder } from '../stat.ts';

export interface BuildTree {
  /** `missing`: no folder; `fresh`: not configured; `plain`: configured without recording; `recording`: records its builds. */
  readonly state: 'missing' | 'fresh' | 'plain' | 'recording';
  /** The CMake that configured the tree; `cmake` if unknown or missing. */
  readonly cmake: string;
  /** The source folder, where it is known. */
  readonly source: string | undefined;
  /** CMake copies the traces of compilers into its data on request. */
  readonly copiesTraces?: boolean;
}

/** The first version that records builds. */
const LEAST = [4, 3] as const;
/** The first version that copies compiler traces (`compileTrace`); older ones refuse a query with an unknown option. */
const COPIES = [4, 4] as const;
/** The generators that record builds. */
const RECORDS = /Makefiles$|^Ninja|^FASTBuild/;
const LARGEST = 64 << 20;

/** Throws FormatError with the reason if builds of this tree cannot be recorded. */
export function inspectTree(build: string): BuildTree {
  const problem = (expected: string, found: string, hint: string, path = build) =>
    new FormatError({ path, expected, found, hint });
  if (!existsSync(build)) {
    const above = dirname(build);
    if (!isFolder(above))
      throw problem(
        'a folder to build in',
        'neither this folder nor the one above it',
        `create ${above} first, or check the name`,
      );
    return { state: 'missing', cmake: 'cmake', source: existsSync(join(above, 'CMakeLists.txt')) ? above : undefined };
  }
  if (!isFolder(build)) throw problem('the folder that CMake builds in', 'a file', 'name the folder given to cmake -B');
  const cacheFile = join(build, 'CMakeCache.txt');
  const cache = readText(cacheFile);
  if (cache === undefined) {
    if (existsSync(join(build, 'CMakeLists.txt')))
      throw problem(
        'the folder that CMake builds in',
        'a source folder: it has CMakeLists.txt and no CMakeCache.txt',
        'name the folder given to cmake -B; to build inside the source folder, configure it first',
      );
    const above = dirname(build);
    return { state: 'fresh', cmake: 'cmake', source: existsSync(join(above, 'CMakeLists.txt')) ? above : undefined };
  }
  const entry = (name: string) => new RegExp(`^${name}:[A-Z]+=(.*?)\\r?$`, 'm').exec(cache)?.[1] || undefined;
  const version = ['MAJOR', 'MINOR', 'PATCH'].map((p) => entry(`CMAKE_CACHE_${p}_VERSION`));
  const command = entry('CMAKE_COMMAND');
  const [major, minor] = version.map(Number);
  if (major < LEAST[0] || (major === LEAST[0] && minor < LEAST[1]))
    throw problem(
      `a tree of CMake ${LEAST.join('.')} or later, which can record builds`,
      `CMake ${version.filter((v) => v).join('.')}${command ? ` (${command})` : ''}`,
      'configure it with a newer CMake, then repeat this',
      cacheFile,
    );
  const generator = entry('CMAKE_GENERATOR');
  if (generator !== undefined && !RECORDS.test(generator))
    throw problem(
      'the generator Ninja or Makefiles: CMake records no others',
      generator,
      'configure another folder with -G Ninja',
      cacheFile,
    );
  return {
    state: hasLaunchers(build) ? 'recording' : 'plain',
    cmake: command !== undefined && existsSync(command) ? command : 'cmake',
    source: entry('CMAKE_HOME_DIRECTORY'),
    copiesTraces: major > COPIES[0] || (major === COPIES[0] && minor >= COPIES[1]),
  };
}

/** Whether the build files run their commands through CMake's recorder: they do from the first configure after a query is there. */
function hasLaunchers(build: string): boolean {
  const inner = join(build, 'CMakeFiles');
  const more = isFolder(inner) ? readdirSync(inner).filter((name) => name.endsWith('.ninja')) : [];
  const files = [join(build, 'Makefile'), join(build, 'build.ninja'), ...more.map((name) => join(inner, name))];
  return files.some((file) => /--(start-)?instrument/.test(readText(file) ?? ''));
}

/** The text of a regular file; undefined if there is none, or it is too large to be one of CMake's. */
const readText = (path: string): string | undefined => attempt(() => readRegular(path, LARGEST).bytes.toString('latin1'));
