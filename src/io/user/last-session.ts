// The last session and the recently opened files, in the user's own folder of state.
import { join, resolve } from 'node:path';
import { listOf, parseJson, textOf } from '../../formats/shared/json.ts';
import { privateFolder } from '../disk/private-folder.ts';
import { readRegular } from '../disk/regular.ts';
import { replaceFile } from '../disk/writing.ts';
import { type Found, foundAt } from '../find.ts';

const SESSION = 'last-session.jsonl';
const RECENT = 'recent.json';
const LARGEST = 4 << 20;
const MOST_RECENT = 30;
/** Before the list of files, and the folder that other paths are relative to, on the first two lines of a session: comments to those who play it. */
const OPENED = '# opened ';
const FOLDER = '# in ';

interface LastSession {
  readonly file: string;
  readonly paths: readonly string[];
  readonly folder: string | undefined;
}

/** The file of the last session, what was opened, and in which folder; undefined if there is none. */
export function lastSession(): LastSession | undefined {
  const folder = privateFolder('state');
  if (folder === undefined) return undefined;
  const file = join(folder, SESSION);
  const [first = '', second = ''] = (textIn(file) ?? '').split('\n', 2);
  const paths = first.startsWith(OPENED) ? textsOf(parseJson(first.slice(OPENED.length))) : [];
  const within = second.startsWith(FOLDER) ? textOf(parseJson(second.slice(FOLDER.length))) : undefined;
  return paths.length > 0 ? { file, paths, folder: within } : undefined;
}

/** Keeps a session, as --record writes it, and its files among the recent ones. Where there is no folder for it, nothing is kept. */
export function keepSession(paths: readonly string[], session: string, within: string = process.cwd()): void {
  const folder = privateFolder('state');
  if (folder === undefined) return;
  const whole = paths.map((path) => resolve(path));
  try {
    replaceFile(join(folder, SESSION), `${OPENED}${JSON.stringify(whole)}\n${FOLDER}${JSON.stringify(within)}\n${session}`);
    const others = recentFiles().filter((path) => !whole.includes(path));
    replaceFile(join(folder, RECENT), JSON.stringify([...whole, ...others].slice(0, MOST_RECENT)));
  } catch {
    // A full disk, at the end of a session: there is nobody left to tell.
  }
}

/** The latest first; they may be gone. */
export function recentFiles(): string[] {
  const folder = privateFolder('state');
  return folder === undefined ? [] : textsOf(parseJson(textIn(join(folder, RECENT)) ?? ''));
}

const textsOf = (value: unknown): string[] => listOf(value).flatMap((one) => textOf(one) ?? []);

function textIn(path: string): string | undefined {
  try {
    const { bytes, stat } = readRegular(path, LARGEST, 'none');
    return stat.uid === (process.getuid?.() ?? stat.uid) ? bytes.toString() : undefined;
  } catch {
    return undefined;
  }
}

// Recently opened profiles that still exist, for the chooser.

export const recentProfiles = (): Found[] => recentFiles().flatMap((path) => foundAt(path) ?? []);
