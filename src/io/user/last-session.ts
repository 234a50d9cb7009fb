// Stores the last session and the recently opened files in the user's state folder.
import { join, resolve } from 'node:path';
import { attempt } from '../../base/attempt.ts';
import { listOf, parseJson, textOf } from '../../formats/shared/json.ts';
import { whileLocked } from '../disk/locked.ts';
import { privateFolder } from '../disk/private-folder.ts';
import { readRegular } from '../disk/regular.ts';
import { replaceFile } from '../disk/writing.ts';
import { type ProfileFile, profileFileAt } from '../find.ts';

const SESSION_FILE = 'last-session.jsonl';
const RECENT_FILE = 'recent.json';
const MAX_FILE_BYTES = 4 << 20;
const MAX_RECENT_FILES = 30;
/** Prefixes of a session's first two lines (files, working folder), which a replay skips as comments. */
const OPENED_PREFIX = '# opened ';
const FOLDER_PREFIX = '# in ';

/** The file of the last session, what was opened, and in which folder; undefined if there is none. */
export function lastSession(): { file: string; paths: string[]; folder: string | undefined } | undefined {
  const folder = privateFolder('state');
  if (folder === undefined) return undefined;
  const file = join(folder, SESSION_FILE);
  const [first = '', second = ''] = (readTextOwnedByUser(file) ?? '').split('\n', 2);
  const paths = first.startsWith(OPENED_PREFIX) ? textsOf(parseJson(first.slice(OPENED_PREFIX.length))) : [];
  const workingFolder = second.startsWith(FOLDER_PREFIX) ? textOf(parseJson(second.slice(FOLDER_PREFIX.length))) : undefined;
  return paths.length > 0 ? { file, paths, folder: workingFolder } : undefined;
}

/** Saves a session in the format of --record, and its files as recent ones. Without a private folder, nothing is saved. */
export function saveSession(paths: readonly string[], session: string, workingFolder?: string): void {
  const folder = privateFolder('state');
  if (folder === undefined) return;
  try {
    const whole = paths.map((path) => resolve(path));
    replaceFile(
      join(folder, SESSION_FILE),
      `${OPENED_PREFIX}${JSON.stringify(whole)}\n${FOLDER_PREFIX}${JSON.stringify(workingFolder ?? process.cwd())}\n${session}`,
    );
    const recent = join(folder, RECENT_FILE);
    whileLocked(recent, () => {
      const others = recentFiles().filter((path) => !whole.includes(path));
      replaceFile(recent, JSON.stringify([...whole, ...others].slice(0, MAX_RECENT_FILES)));
    });
  } catch {
    // The disk is full at the end of a session: there is no screen left for a message.
  }
}

/** Recently opened files, latest first; some may no longer exist. */
export function recentFiles(): string[] {
  const folder = privateFolder('state');
  return folder === undefined ? [] : textsOf(parseJson(readTextOwnedByUser(join(folder, RECENT_FILE)) ?? ''));
}

const textsOf = (value: unknown): string[] => listOf(value).flatMap((one) => textOf(one) ?? []);

function readTextOwnedByUser(path: string): string | undefined {
  return attempt(() => {
    const { bytes, stat } = readRegular(path, MAX_FILE_BYTES, 'none');
    return stat.uid === (process.getuid?.() ?? stat.uid) ? bytes.toString() : undefined;
  });
}

// Recently opened profiles that still exist, for the chooser.

export const recentProfiles = (): ProfileFile[] => recentFiles().flatMap((path) => profileFileAt(path) ?? []);
