// Where a project's sources are, remembered on request in a file of the folder that proftui is started in.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { FormatError } from '../base/problem.ts';

export const PROJECT_FILE = '.proftui.json';

export interface Project {
  readonly sourceDirs: readonly string[];
  readonly pathMaps: readonly (readonly [from: string, to: string])[];
  /** Names of routines that the user keeps an eye on. */
  readonly favourites?: readonly string[];
}

/** What the folder's file says; nothing where there is none. Throws FormatError for a file that cannot be used. */
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
  if (!texts(sourceDirs)) return wrong('sourceDirs that are no list of texts');
  if (!Array.isArray(pathMaps) || !pathMaps.every((m) => texts(m) && m.length === 2))
    return wrong('pathMaps that are no list of pairs');
  if (!texts(favourites)) return wrong('favourites that are no list of texts');
  return { sourceDirs, pathMaps: pathMaps as [string, string][], favourites };
}

/** The folders of the command line before the project's, each once; a path mapped by both goes where the command line says. */
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

/** Keeps the favourites beside what the folder's file already says. */
export function rememberFavourites(favourites: readonly string[]): void {
  rememberProject({ ...readProject(), favourites });
}
