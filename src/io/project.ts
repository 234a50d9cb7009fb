// Where a project's sources are, saved on request in a file in the folder where proftui is started.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { FormatError } from '../base/problem.ts';

const PROJECT_FILE = '.proftui.json';

export interface Project {
  readonly sourceDirs: readonly string[];
  readonly pathMaps: readonly (readonly [from: string, to: string])[];
  /** Names of routines that the user keeps an eye on. */
  readonly favourites?: readonly string[];
}

/** Reads the folder's project file; an empty project if there is none. Throws FormatError if the file is invalid. */
export function readProject(): Project {
  if (!existsSync(PROJECT_FILE)) return { sourceDirs: [], pathMaps: [] };
  const wrong = (found: string): never => {
    throw new FormatError({ path: PROJECT_FILE, expected: '{"sourceDirs": ["DIR"], "pathMaps": [["FROM", "TO"]]}', found });
  };
  let value: { sourceDirs?: unknown; pathMaps?: unknown; favourites?: unknown } | null = null;
  try {
    value = JSON.parse(readFileSync(PROJECT_FILE, 'utf8'));
  } catch (error) {
    wrong((error as Error).message);
  }
  const texts = (list: unknown): list is string[] => Array.isArray(list) && list.every((t) => typeof t === 'string');
  const { sourceDirs = [], pathMaps = [], favourites = [] } = value ?? {};
  if (!texts(sourceDirs)) return wrong('sourceDirs that is not a list of strings');
  if (!Array.isArray(pathMaps) || !pathMaps.every((m) => texts(m) && m.length === 2))
    return wrong('pathMaps that is not a list of pairs');
  if (!texts(favourites)) return wrong('favourites that is not a list of strings');
  return { sourceDirs, pathMaps: pathMaps as [string, string][], favourites };
}

/** Command-line folders before the project's, without duplicates; for a path mapped by both, the command line wins. */
export function joinProject(project: Project, given: Project): Project {
  const maps = [...given.pathMaps, ...project.pathMaps.filter(([from]) => !given.pathMaps.some(([f]) => f === from))];
  return {
    sourceDirs: [...new Set([...given.sourceDirs, ...project.sourceDirs])],
    pathMaps: maps,
    favourites: project.favourites ?? [],
  };
}

export function rememberProject(project: Project): void {
  writeFileSync(PROJECT_FILE, JSON.stringify(project, null, 2) + '\n');
}

/** Saves the favourites, keeping everything else in the project file. */
export function rememberFavourites(favourites: readonly string[]): void {
  rememberProject({ ...readProject(), favourites });
}
