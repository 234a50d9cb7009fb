// Decides which profile to open: from flags, the folder's project file and standard input.

import { join, resolve } from 'node:path';
import { type KeptTransforms, parseTransform } from '../analysis/profiles/transforms/transform.ts';
import { ChoiceError, UsageError } from '../base/errors.ts';
import { getOrMake } from '../base/lists.ts';
import { FormatError } from '../base/problem.ts';
import { safeLines, safeText, visible } from '../base/safe-text.ts';
import { refusalText } from '../io/disk/regular.ts';
import { splitPrograms } from '../io/find.ts';
import { tourFiles } from '../io/own-files.ts';
import { perfStamp } from '../io/perf-data.ts';
import { waitForInput } from '../io/standard-input.ts';
import { isFile } from '../io/stat.ts';
import { lastSession } from '../io/user/last-session.ts';
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
import { capabilitiesOf } from '../tui/capabilities.ts';
import type { FlagOptions } from './flags.ts';
import { writeNotice } from './output.ts';
import { askYesOrNo } from './terminal.ts';

/** `playedIn`: the folder in which the replayed session was recorded. */
type GivenOptions = FlagOptions & { readonly playedIn?: string };

/** Replaces --resume and --tour by the profile to open. Throws UsageError. */
export function resolveResumeAndTour(given: FlagOptions): GivenOptions {
  const { resume, tour } = given;
  if (!resume && !tour) return given;
  if (given.paths.length > 0 || (resume && (tour || given.play !== undefined)))
    throw new UsageError(`${resume ? '--resume' : '--tour'} chooses the profile: give no file, and not --play`);
  if (tour) {
    const files = tourFiles();
    if (!files) throw new UsageError('--tour: no private folder for its profile: set HOME or XDG_CACHE_HOME');
    return { ...given, ...files };
  }
  const last = lastSession();
  if (!last) throw new UsageError('--resume: no session is kept yet');
  return { ...given, paths: last.paths, play: last.file, ...(last.folder === undefined ? {} : { playedIn: last.folder }) };
}

/** Whether to open the screen: not for printing flags, without a terminal, or on a terminal that cannot position the cursor. */
export function wantsScreen({ print: view, check: only, formats, failIf, export: format, output }: FlagOptions): boolean {
  const printing = view !== undefined || only || formats || failIf.length > 0 || format !== undefined || output !== undefined;
  return process.stdout.isTTY && capabilitiesOf(process.env['TERM']) !== undefined && !printing;
}

/** The folders of the user's own code: the source folders, or else the current folder. `maps`: prefixes of recorded paths, each with its replacement on this machine. */
function ownPaths(sourceDirs: readonly string[], maps: readonly (readonly [from: string, to: string])[]) {
  const folders = (sourceDirs.length > 0 ? sourceDirs : ['.']).map((dir) => resolve(dir));
  const known = new Map<string, boolean>();
  return {
    folders,
    maps,
    /** True if one of the folders has a file at this relative path. */
    hasFile(relative: string): boolean {
      return getOrMake(known, relative, () => folders.some((folder) => isFile(join(folder, relative))));
    },
  };
}

/** Adds the settings of the folder's project file, and standard input if a profile is piped in. */
export async function resolveInputOptions(given: GivenOptions) {
  const project = await (given.remember
    ? saveProjectPaths(given)
    : loadFolderProject(given.formats ? 'nothing' : wantsScreen(given) ? 'ask' : 'tell'));
  const sourcePaths = mergePaths(project, given);
  const { programs, others } = splitPrograms(given.paths);
  const { symbols } = given;
  const binaries = [...symbols.binaries, ...programs.map((p) => [null, p] as const)];
  const input = others.length === 0 && !given.formats ? await readPipedInput() : undefined;
  const paths = input ? ['-'] : others;
  return {
    ...given,
    ...sourcePaths,
    favourites: project.favourites,
    keptTransforms: parseSavedTransforms(project),
    own: ownPaths(sourcePaths.sourceDirs, sourcePaths.pathMaps),
    paths,
    input,
    perf: given.runPerf ? ('any' as const) : wantsScreen(given) ? askToRunPerf(paths) : [],
    symbols: { ...symbols, binaries, maps: sourcePaths.pathMaps },
  };
}

/** Asks for each perf.data file whether perf may read it. Returns the stamps of the allowed files. */
function askToRunPerf(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const stamp = perfStamp(path);
    if (stamp === undefined) return [];
    const question = safeText`${path} is perf.data of Linux perf.\nRun perf script on it? perf reads the objects that the file names. y or n: `;
    return askYesOrNo(question) ? [stamp] : [];
  });
}

/** The first bytes of standard input; undefined if it is a terminal or closed. Throws UsageError for an empty pipe. */
async function readPipedInput(): Promise<Uint8Array | undefined> {
  const input = await waitForInput(() =>
    writeNotice('waiting for a profile on standard input; for this folder, name it: proftui .'),
  );
  if (input === 'ended') throw new UsageError('standard input ended without a byte: name a file, or `.` for this folder');
  if (input === 'silent') throw new UsageError('no data on standard input: name a file, `-` to wait, `.` for this folder');
  return input;
}

export type InputOptions = Awaited<ReturnType<typeof resolveInputOptions>>;

/** Parses saved transforms. Reports and skips invalid ones: a user or another version may have edited the file. */
function parseSavedTransforms({ transforms, focusSets }: Project): KeptTransforms {
  const parse = (texts: readonly string[]) =>
    texts.flatMap((text) => {
      try {
        return [parseTransform(text)];
      } catch (error) {
        if (!(error instanceof ChoiceError)) throw error;
        writeNotice(`the saved focus in ${PROJECT_FILE} is not offered: ${error.message}`);
        return [];
      }
    });
  const sets = [['', transforms] as const, ...Object.entries(focusSets)].map(([name, texts]) => [name, parse(texts)] as const);
  return new Map(sets.filter(([, kept]) => kept.length > 0));
}

// The source folders and path mappings in a folder's .proftui.json: used only after the user consented, once.

/** Reads the folder's project file; empty if the file is invalid. `ask`: a screen opens, so the user can be asked for consent. */
async function loadFolderProject(mode: 'ask' | 'tell' | 'nothing'): Promise<Project> {
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

function readProjectFile(): Project {
  try {
    return readProject();
  } catch (error) {
    const { expected, found } = error instanceof FormatError ? error.problem : {};
    const why = expected === undefined ? refusalText(error) : `expected ${expected}, found ${found}`;
    writeNotice(`${PROJECT_FILE} is not used: ${why}`);
    return EMPTY_PROJECT;
  }
}

/** --remember: saves folders and mappings, and records consent to all saved ones. Throws UsageError, FormatError. */
async function saveProjectPaths(given: ProjectPaths): Promise<Project> {
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
