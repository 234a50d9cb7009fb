// The source folders and path mappings in a folder's .proftui.json: used only after the user consented, once.
import { resolve } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { FormatError } from '../base/problem.ts';
import { safeLines, visible } from '../base/safe-text.ts';
import { refusalText } from '../io/disk/regular.ts';
import {
  changeProject,
  EMPTY_PROJECT,
  hasPaths,
  mergePaths,
  PROJECT_FILE,
  type Project,
  type ProjectPaths,
  readProject,
  realFolder,
  saveConsent,
  storedConsent,
} from '../io/user/project.ts';
import { askYesOrNo } from './ask.ts';
import { writeNotice } from './output.ts';

/** Reads the folder's project file; empty if the file is invalid. `ask`: a screen opens, so the user can be asked for consent. */
export async function loadFolderProject(mode: 'ask' | 'tell' | 'nothing'): Promise<Project> {
  if (mode === 'nothing') return EMPTY_PROJECT;
  const project = readProjectFile();
  if (!hasPaths(project)) return project;
  const names = pathTexts(project);
  if (names.length > MAX_PROJECT_PATHS) {
    writeNotice(`${PROJECT_FILE} is not used: it names ${names.length} places; at most ${MAX_PROJECT_PATHS} are allowed`);
    return { ...project, sourceDirs: [], pathMaps: [] };
  }
  const isAllowed = (await storedConsent(project)) ?? (mode === 'ask' ? await askForConsent(project) : undefined);
  if (isAllowed) return project;
  if (isAllowed === undefined)
    writeNotice(`${PROJECT_FILE} is not used: it names ${names.join(', ')}, which needs your consent: run proftui --remember`);
  return { ...project, sourceDirs: [], pathMaps: [] };
}

const problemText = ({ problem }: FormatError): string => `expected ${problem.expected}, found ${problem.found}`;

function readProjectFile(): Project {
  try {
    return readProject();
  } catch (error) {
    writeNotice(`${PROJECT_FILE} is not used: ${error instanceof FormatError ? problemText(error) : refusalText(error)}`);
    return EMPTY_PROJECT;
  }
}

/** --remember: saves folders and mappings, and records consent to all saved ones. Throws UsageError, FormatError. */
export async function saveProjectPaths(given: ProjectPaths): Promise<Project> {
  try {
    const joined = changeProject((project) => mergePaths(project, given));
    if (!(await saveConsent(joined, true))) writeNotice('--remember: cannot store your consent: no private state folder');
    if (hasPaths(joined)) writeNotice(`remembered for this folder: ${pathTexts(joined).join(', ')}`);
    return joined;
  } catch (error) {
    if (error instanceof FormatError) throw error;
    throw new UsageError(`--remember: ${PROJECT_FILE}: ${refusalText(error)}`);
  }
}

/** Maximum number of paths in a project file. More are not used: nobody would check them all before consenting. */
const MAX_PROJECT_PATHS = 20;
const MAX_PATH_LENGTH = 200;

/** A folder's path, followed by its real path if that differs. */
function folderText(folder: string): string {
  const real = realFolder(folder);
  const shorten = (text: string) => (text.length > MAX_PATH_LENGTH ? `${text.slice(0, MAX_PATH_LENGTH)}…` : text);
  return real === resolve(folder) ? shorten(folder) : `${shorten(folder)} (${shorten(real)})`;
}

/** One text for each source folder and path mapping. */
function pathTexts({ sourceDirs, pathMaps }: ProjectPaths): string[] {
  return [
    ...sourceDirs.map((dir) => `sources in ${folderText(dir)}`),
    ...pathMaps.map(([from, to]) => `sources of ${from.slice(0, MAX_PATH_LENGTH)} in ${folderText(to)}`),
  ];
}

/** Asks for consent on the terminal and stores the answer. Returns undefined without a clear answer or a terminal. */
async function askForConsent(paths: ProjectPaths): Promise<boolean | undefined> {
  const names = pathTexts(paths).map((name) => `  ${visible(name)}\n`);
  const question = 'Use them, now and from now on? y, n, or Enter to decide later: ';
  const yes = askYesOrNo(safeLines(`${PROJECT_FILE} in this folder names\n${names.join('')}${question}`));
  if (yes !== undefined) await saveConsent(paths, yes);
  return yes;
}
