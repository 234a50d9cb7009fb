// Reads the project file .proftui.json of the current folder: source folders and favourite routines.
// The folder may come from anyone, so the file's paths count only after the user's consent, which is stored elsewhere.

import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../base/attempt.ts';
import { FormatError } from '../../base/problem.ts';
import { isObject, type JsonObject, listOf, objectOf, parseJson, readJson } from '../../formats/shared/json.ts';
import { whileLocked } from '../disk/locked.ts';
import { privateFolder } from '../disk/private-folder.ts';
import { fileTypeOf, RefusedError, readRegular } from '../disk/regular.ts';
import { replaceFile } from '../disk/writing.ts';
import { realPath } from '../stat.ts';

export const PROJECT_FILE = '.proftui.json';
const MAX_PROJECT_BYTES = 1 << 20;

export interface ProjectPaths {
  readonly sourceDirs: readonly string[];
  readonly pathMaps: readonly (readonly [from: string, to: string])[];
}

export interface Project extends ProjectPaths {
  /** Names of the user's favourite routines. */
  readonly favourites: readonly string[];
  /** The saved stack of transforms; it is offered, never applied automatically. */
  readonly transforms: readonly string[];
  /** Saved stacks with a name. */
  readonly focusSets: Readonly<Record<string, readonly string[]>>;
}

export const EMPTY_PROJECT: Project = { sourceDirs: [], pathMaps: [], favourites: [], transforms: [], focusSets: {} };

/**
 * Reads the folder's project file; an empty project if there is none. Throws RefusedError for another user's file or one
 * that is not regular, FormatError for invalid contents, and system errors as they are.
 */
export const readProject = (): Project => readProjectObject()?.project ?? EMPTY_PROJECT;

/** The project, and the file's JSON object with any other members; undefined without a file. Throws like readProject(). */
function readProjectObject(): { readonly project: Project; readonly members: JsonObject } | undefined {
  const stat = attempt(() => lstatSync(PROJECT_FILE));
  if (!stat) return undefined;
  const uid = process.getuid?.();
  if (!stat.isFile()) throw new RefusedError(stat.isSymbolicLink() ? 'a link' : `${fileTypeOf(stat)}, not a regular file`);
  if (uid !== undefined && stat.uid !== uid && stat.uid !== 0) throw new RefusedError('a file of another user');
  const json = readJson(readRegular(PROJECT_FILE, MAX_PROJECT_BYTES, 'none').bytes);
  if (json.wrong !== undefined) throw projectError(json.wrong);
  return { project: parseProject(json.value), members: objectOf(json.value) };
}

const isTextList = (list: unknown): list is string[] => Array.isArray(list) && list.every((t) => typeof t === 'string');
const isRecordOfTexts = (value: JsonObject): value is Record<string, string[]> => Object.values(value).every(isTextList);
const isPathMap = (pair: unknown): pair is [string, string] => isTextList(pair) && pair.length === 2;

const EXPECTED_PROJECT =
  '{"sourceDirs": ["DIR"], "pathMaps": [["FROM", "TO"]], "favourites": ["NAME"], "transforms": ["WORD=PATTERN"], "focusSets": {"NAME": ["WORD=PATTERN"]}}';
const projectError = (found: string) => new FormatError({ path: PROJECT_FILE, expected: EXPECTED_PROJECT, found });

function parseProject(value: unknown): Project {
  if (!isObject(value)) throw projectError('something else');
  const sourceDirs = value['sourceDirs'] ?? [];
  const pathMaps = value['pathMaps'] ?? [];
  const favourites = value['favourites'] ?? [];
  const transforms = value['transforms'] ?? [];
  if (!isTextList(sourceDirs)) throw projectError('sourceDirs that is not a list of strings');
  if (!Array.isArray(pathMaps) || !pathMaps.every(isPathMap)) throw projectError('pathMaps that is not a list of pairs');
  if (!isTextList(favourites)) throw projectError('favourites that is not a list of strings');
  if (!isTextList(transforms)) throw projectError('transforms that is not a list of strings');
  const focusSets = objectOf(value['focusSets']);
  if (!isRecordOfTexts(focusSets)) throw projectError('focusSets with something else than lists of strings');
  return { sourceDirs, pathMaps, favourites, transforms, focusSets };
}

/** Command-line folders before the project's, without duplicates; for a path mapped by both, the command line wins. */
export function mergePaths(project: ProjectPaths, given: ProjectPaths): ProjectPaths {
  const maps = [...given.pathMaps, ...project.pathMaps.filter(([from]) => !given.pathMaps.some(([f]) => f === from))];
  return { sourceDirs: [...new Set([...given.sourceDirs, ...project.sourceDirs])], pathMaps: maps };
}

/** Changes the project and keeps all other members of its file. Throws system errors, and the errors of readProject(). */
export function changeProject(change: (project: Project) => Partial<Project>): Project {
  return whileLocked(PROJECT_FILE, () => {
    const { project, members } = readProjectObject() ?? { project: EMPTY_PROJECT, members: {} };
    const changed = { ...project, ...change(project) };
    replaceFile(PROJECT_FILE, `${JSON.stringify({ ...members, ...changed }, null, 2)}\n`);
    return changed;
  });
}

/** Adds or removes a favourite routine in the project file. */
export function saveFavourite(name: string, on: boolean): void {
  changeProject(({ favourites }) => {
    const others = favourites.filter((other) => other !== name);
    return { favourites: on ? [...others, name] : others };
  });
}

/** Saves a stack of transforms, under a name or as the folder's; an empty one removes what was saved. */
export function saveFocus(name: string, texts: readonly string[]): void {
  changeProject(({ focusSets }) => {
    if (name === '') return { transforms: texts };
    const others = Object.entries(focusSets).filter(([other]) => other !== name);
    return { focusSets: Object.fromEntries(texts.length === 0 ? others : [...others, [name, texts]]) };
  });
}

export const hasPaths = ({ sourceDirs, pathMaps }: ProjectPaths): boolean => sourceDirs.length + pathMaps.length > 0;

/** The user's consent to the paths of a project file; undefined if never asked, or if the paths have changed. */
export async function storedConsent(places: ProjectPaths): Promise<boolean | undefined> {
  const key = await consentKey(places);
  return readConsents().find((answer) => answer.key === key)?.yes;
}

/** Saves the user's consent or refusal. Returns false if it cannot be saved. */
export async function saveConsent(places: ProjectPaths, yes: boolean): Promise<boolean> {
  const path = consentFile();
  if (path === undefined) return false;
  const key = await consentKey(places);
  const save = () => {
    const others = readConsents().filter((answer) => answer.key !== key);
    replaceFile(path, `${JSON.stringify([...others.slice(-MAX_CONSENTS), { key, yes }])}\n`);
    return true;
  };
  return attempt(() => whileLocked(path, save), false);
}

const MAX_CONSENTS = 1000;

interface StoredConsent {
  readonly key: string;
  readonly yes: boolean;
}

/** The folder with links resolved, since consent is for the folder and not its name; the name if it does not exist. */
export const realFolder = (folder: string): string => realPath(folder) ?? folder;

/** A hash of the current folder's real path and the paths in its project file. */
async function consentKey({ sourceDirs, pathMaps }: ProjectPaths): Promise<string> {
  // node:crypto is loaded only here, because it takes 4 ms and few folders have a project file.
  const { createHash } = await import('node:crypto');
  return createHash('sha256')
    .update(JSON.stringify([realFolder('.'), sourceDirs.map(realFolder), pathMaps.map(([from, to]) => [from, realFolder(to)])]))
    .digest('hex');
}

function consentFile(): string | undefined {
  const folder = privateFolder('state');
  return folder === undefined ? undefined : join(folder, 'projects.json');
}

function readConsents(): readonly StoredConsent[] {
  const path = consentFile();
  if (path === undefined || !existsSync(path)) return [];
  // An unreadable file counts as empty.
  return attempt(() => listOf(parseJson(readRegular(path, MAX_PROJECT_BYTES, 'none').bytes)).filter(isStoredConsent), []);
}

const isStoredConsent = (value: unknown): value is StoredConsent =>
  isObject(value) && typeof value['key'] === 'string' && typeof value['yes'] === 'boolean';
