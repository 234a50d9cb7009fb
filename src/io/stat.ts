// Looks up the file, folder or pipe at a path without opening it. A path from a profile may be invalid, or a link to itself.
import { readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { attempt } from '../base/attempt.ts';

// Compressed files are recognized by their first bytes, never by their names.

export const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b;

/** The state of a file; undefined if it is missing or unreachable. Opening it reports the reason. */
export const statOf = (path: string): Stats | undefined => attempt(() => statSync(path));

export const isFolder = (path: string): boolean => statOf(path)?.isDirectory() === true;

/** The names in a folder; none if it is missing or unreadable. */
export const namesIn = (folder: string): string[] => attempt(() => readdirSync(folder), []);

export const isFile = (path: string): boolean => statOf(path)?.isFile() === true;

/** The path with links resolved; undefined if it does not exist. */
export const realPath = (path: string): string | undefined => attempt(() => realpathSync(path));
