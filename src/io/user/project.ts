// The project file .proftui.json of the folder where proftui is started: places of sources, and favourite routines. Anybody may
// have made the folder, so its paths count only after a yes of the user, which is kept elsewhere, by path and contents.

import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../base/attempt.ts';
import { FormatError } from '../../base/problem.ts';
import { isObject, listOf, parseJson, readJson } from '../../formats/shared/json.ts';
import { privateFolder } from '../disk/private-folder.ts';
import { kindOf, RefusedError, readRegular } from '../disk/regular.ts';
import { replaceFile } from '../disk/writing.ts';
import { realPath } from '../stat.ts';

export const PROJECT_FILE = '.proftui.json';
const LARGEST = 1 << 20;

export interface Places {
  readonly sourceDirs: readonly string[];
  readonly pathMaps: readonly (readonly [from: string, to: string])[];
}

export interface Project extends Places {
  /** Names of routines that the user keeps an eye on. */
  readonly favourites: readonly string[];
  /** The stack of transforms of its profiles, which is only ever offered. */
  readonly transforms: readonly string[];
}

const NOTHING: Project = { sourceDirs: [], pathMaps: [], favourites: [], transforms: [] };

/**
 * Reads the folder's project file; an empty project if there is none. Throws RefusedError if the file is not the user's own or no regular
 * file, what the system throws, and FormatError if its contents are invalid.
 */
export function readProject(): Project {
  const stat = lstatSync(PROJECT_FILE, { throwIfNoEntry: false });
  if (!stat) return NOTHING;
  const uid = process.getuid?.();
  if (!stat.isFile()) throw new RefusedError(stat.isSymbolicLink() ? 'a link' : `${kindOf(stat)}, not a regular file`);
  if (uid !== undefined && stat.uid !== uid && stat.uid !== 0) throw new RefusedError('a file of another user');
  const text = readRegular(PROJECT_FILE, LARGEST, 'none').bytes;
  const wrong = (found: string) =>
    new FormatError({
      path: PROJECT_FILE,
      expected: '{"sourceDirs": ["DIR"], "pathMaps": [["FROM", "TO"]], "favourites": ["NAME"], "transforms": ["WORD=PATTERN"]}',
      found,
    });
  const json = readJson(text);
  if (json.wrong !== undefined) throw wrong(json.wrong);
  return projectOf(json.value, wrong);
}

const isTexts = (list: unknown): list is string[] => Array.isArray(list) && list.every((t) => typeof t === 'string');
const isMap = (pair: unknown): pair is [string, string] => isTexts(pair) && pair.length === 2;

function projectOf(value: unknown, wrong: (found: string) => FormatError): Project {
  if (!isObject(value)) throw wrong('something else');
  const sourceDirs = value['sourceDirs'] ?? [];
  const pathMaps = value['pathMaps'] ?? [];
  const favourites = value['favourites'] ?? [];
  const transforms = value['transforms'] ?? [];
  if (!isTexts(sourceDirs)) throw wrong('sourceDirs that is not a list of strings');
  if (!Array.isArray(pathMaps) || !pathMaps.every(isMap)) throw wrong('pathMaps that is not a list of pairs');
  if (!isTexts(favourites)) throw wrong('favourites that is not a list of strings');
  if (!isTexts(transforms)) throw wrong('transforms that is not a list of strings');
  return { sourceDirs, pathMaps, favourites, transforms };
}

/** Command-line folders before the project's, without duplicates; for a path mapped by both, the command line wins. */
export function joinPlaces(project: Places, given: Places): Places {
  const maps = [...given.pathMaps, ...project.pathMaps.filter(([from]) => !given.pathMaps.some(([f]) => f === from))];
  return { sourceDirs: [...new Set([...given.sourceDirs, ...project.sourceDirs])], pathMaps: maps };
}

/** Saves the project. Throws RefusedError if the file there is a link or another user's, and what the system throws. */
export function rememberProject(project: Project): void {
  replaceFile(PROJECT_FILE, JSON.stringify(project, null, 2) + '\n');
}

/** Saves the favourites, keeping everything else in the project file. */
export function rememberFavourite(name: string, on: boolean): void {
  const project = readProject();
  const others = project.favourites.filter((other) => other !== name);
  rememberProject({ ...project, favourites: on ? [...others, name] : others });
}

/** Saves what counts, keeping everything else in the project file. */
export function rememberTransforms(transforms: readonly string[]): void {
  rememberProject({ ...readProject(), transforms });
}

export const hasPlaces = ({ sourceDirs, pathMaps }: Places): boolean => sourceDirs.length + pathMaps.length > 0;

/** The user's decision about the places in a folder's project file; undefined if they were never asked, or the places have changed. */
export async function answerFor(places: Places): Promise<boolean | undefined> {
  const key = await keyOf(places);
  return readAnswers().find((answer) => answer.key === key)?.yes;
}

/** Keeps what the user said. False if there is no place to keep it. */
export async function keepAnswer(places: Places, yes: boolean): Promise<boolean> {
  const path = answersFile();
  if (path === undefined) return false;
  const key = await keyOf(places);
  const others = readAnswers().filter((answer) => answer.key !== key);
  try {
    replaceFile(path, JSON.stringify([...others.slice(-MOST_ANSWERS), { key, yes }]) + '\n');
    return true;
  } catch {
    return false;
  }
}

const MOST_ANSWERS = 1000;

interface Answer {
  readonly key: string;
  readonly yes: boolean;
}

/** Where a folder is, through links: what is agreed to is that folder, not its name. The name, if there is none. */
export function realFolder(folder: string): string {
  return realPath(folder) ?? folder;
}

/** The folder's real path and those of the places, as one hash. */
async function keyOf({ sourceDirs, pathMaps }: Places): Promise<string> {
  // Loaded here alone: it takes 4 ms of a start, and few folders have such a file.
  const { createHash } = await import('node:crypto');
  return createHash('sha256')
    .update(JSON.stringify([realpathSync('.'), sourceDirs.map(realFolder), pathMaps.map(([from, to]) => [from, realFolder(to)])]))
    .digest('hex');
}

function answersFile(): string | undefined {
  const folder = privateFolder('state');
  return folder === undefined ? undefined : join(folder, 'projects.json');
}

function readAnswers(): readonly Answer[] {
  const path = answersFile();
  if (path === undefined || !existsSync(path)) return [];
  // Unreadable values count as absent.
  return attempt(() => listOf(parseJson(readRegular(path, LARGEST, 'none').bytes)).filter(isAnswer), []);
}

function isAnswer(value: unknown): value is Answer {
  return isObject(value) && typeof value['key'] === 'string' && typeof value['yes'] === 'boolean';
}
