// The places that a folder's .proftui.json names: used after the user said yes to them, once.
import { resolve } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { FormatError } from '../base/problem.ts';
import { joinSafe, safeText } from '../base/safe-text.ts';
import { refusal } from '../io/disk/regular.ts';
import {
  answerFor,
  hasPlaces,
  joinPlaces,
  keepAnswer,
  type Places,
  PROJECT_FILE,
  type Project,
  readProject,
  realFolder,
  rememberProject,
} from '../io/user/project.ts';
import { askYesOrNo } from './ask.ts';
import { complainOf } from './output.ts';

const NOTHING: Project = { sourceDirs: [], pathMaps: [], favourites: [], transforms: [] };

/** The settings of a folder's project file, none where it is invalid. `ask`: there is a screen, so the user can be asked. */
export async function projectHere(how: 'ask' | 'tell' | 'nothing'): Promise<Project> {
  if (how === 'nothing') return NOTHING;
  const project = readOwn();
  if (!hasPlaces(project)) return project;
  const names = namesOf(project);
  if (names.length > MOST_PLACES) {
    complainOf(`${PROJECT_FILE} is not used: it names ${names.length} places; at most ${MOST_PLACES} are allowed`);
    return { ...project, sourceDirs: [], pathMaps: [] };
  }
  const said = (await answerFor(project)) ?? (how === 'ask' ? await askFor(project) : undefined);
  if (said) return project;
  if (said === undefined)
    complainOf(`${PROJECT_FILE} is not used: it names ${names.join(', ')}, which needs your consent: run proftui --remember`);
  return { ...project, sourceDirs: [], pathMaps: [] };
}

const wrongIn = ({ problem }: FormatError): string => `expected ${problem.expected}, found ${problem.found}`;

function readOwn(): Project {
  try {
    return readProject();
  } catch (error) {
    complainOf(`${PROJECT_FILE} is not used: ${error instanceof FormatError ? wrongIn(error) : refusal(error)}`);
    return NOTHING;
  }
}

/** --remember: saves the places, which is a yes to those that are saved already. Throws UsageError, FormatError. */
export async function remember(given: Places): Promise<Project> {
  try {
    const project = readProject();
    const joined = { ...project, ...joinPlaces(project, given) };
    rememberProject(joined);
    if (!(await keepAnswer(joined, true))) complainOf('--remember: cannot store your consent: no private state folder');
    if (hasPlaces(joined)) complainOf(`remembered for this folder: ${namesOf(joined).join(', ')}`);
    return joined;
  } catch (error) {
    if (error instanceof FormatError) throw error;
    throw new UsageError(`--remember: ${PROJECT_FILE}: ${refusal(error)}`);
  }
}

/** More places than this are not asked about, and not used: nobody would read them all. */
const MOST_PLACES = 20;
const LONGEST = 200;

/** A folder as it is named, and where it is if that is elsewhere. */
function shownFolder(folder: string): string {
  const real = realFolder(folder);
  const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
  return real === resolve(folder) ? cut(folder) : `${cut(folder)} (${cut(real)})`;
}

/** A place each. */
function namesOf({ sourceDirs, pathMaps }: Places): string[] {
  return [
    ...sourceDirs.map((dir) => `sources in ${shownFolder(dir)}`),
    ...pathMaps.map(([from, to]) => `sources of ${from.slice(0, LONGEST)} in ${shownFolder(to)}`),
  ];
}

/** Asks on the terminal. undefined: neither yes nor no, or there is nobody to ask. */
async function askFor(places: Places): Promise<boolean | undefined> {
  const lines = namesOf(places).map((name) => safeText`  ${name}\n`);
  const question = joinSafe(
    [
      safeText`${PROJECT_FILE} in this folder names\n`,
      ...lines,
      safeText`Use them, now and from now on? y, n, or Enter to decide later: `,
    ],
    '',
  );
  const yes = askYesOrNo(question);
  if (yes !== undefined) await keepAnswer(places, yes);
  return yes;
}
