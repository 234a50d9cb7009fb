// The places that a folder's .proftui.json names: used after the user said yes to them, once.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { FormatError } from '../base/problem.ts';
import { safeText } from '../base/safe-text.ts';
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
  rememberProject,
} from '../io/project.ts';
import { complainOf } from './output.ts';
import { UsageError } from './usage-error.ts';

/** What counts of a folder's project file. `ask`: there is a screen, so the user can be asked. Throws FormatError if it is invalid. */
export async function projectHere(ask: boolean): Promise<Project> {
  const project = readOwn();
  if (!hasPlaces(project)) return project;
  const said = (await answerFor(project)) ?? (ask ? await askFor(project) : undefined);
  if (said) return project;
  if (said === undefined && !ask)
    complainOf(`${PROJECT_FILE} is not used: it names ${namesOf(project)}, which takes your yes; proftui --remember gives it`);
  return { ...project, sourceDirs: [], pathMaps: [] };
}

function readOwn(): Project {
  try {
    return readProject();
  } catch (error) {
    if (error instanceof FormatError) throw error;
    complainOf(`${PROJECT_FILE} is not used: ${refusal(error)}`);
    return { sourceDirs: [], pathMaps: [], favourites: [] };
  }
}

/** --remember: saves the places, which is a yes to those that are saved already. Throws UsageError, FormatError. */
export async function remember(given: Places): Promise<Project> {
  try {
    const project = readProject();
    const joined = { ...project, ...joinPlaces(project, given) };
    rememberProject(joined);
    if (!(await keepAnswer(joined, true)))
      complainOf('--remember: your yes cannot be kept, since there is no folder of your own for it');
    if (hasPlaces(joined)) complainOf(`remembered for this folder: ${namesOf(joined)}`);
    return joined;
  } catch (error) {
    if (error instanceof FormatError) throw error;
    throw new UsageError(`--remember: ${PROJECT_FILE}: ${refusal(error)}`);
  }
}

const namesOf = ({ sourceDirs, pathMaps }: Places) =>
  [...sourceDirs.map((dir) => `sources in ${dir}`), ...pathMaps.map(([from, to]) => `sources of ${from} in ${to}`)].join(', ');

/** Asks on the terminal, before the screen opens. undefined: neither yes nor no, or there is nobody to ask. */
async function askFor(places: Places): Promise<boolean | undefined> {
  let terminal: number;
  try {
    terminal = openSync('/dev/tty', 'r+');
  } catch {
    return undefined;
  }
  try {
    const question = safeText`${PROJECT_FILE} in this folder names ${namesOf(places)}.\nUse them, now and from now on? y, n, or Enter to decide later: `;
    writeSync(terminal, question);
    const answer = Buffer.alloc(256);
    const said = answer.toString('utf8', 0, readSync(terminal, answer)).trim().toLowerCase();
    const yes = /^y(es)?$/.test(said);
    if (!yes && !/^no?$/.test(said)) return undefined;
    await keepAnswer(places, yes);
    return yes;
  } finally {
    closeSync(terminal);
  }
}
