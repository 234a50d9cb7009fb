// The file, folder or pipe at a path, without opening it. A name in a profile may be anything: too long, with a zero byte, a link that leads to itself.
import { realpathSync, type Stats, statSync } from 'node:fs';
import { attempt } from '../base/attempt.ts';

// Compressed files, known by their first bytes and never by their names.

export const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b;

/** undefined for what is not there or cannot be reached. Opening it says why. */
export const statOf = (path: string): Stats | undefined => attempt(() => statSync(path));

export const isFolder = (path: string): boolean => statOf(path)?.isDirectory() === true;

export const isFile = (path: string): boolean => statOf(path)?.isFile() === true;

/** The path with links resolved; undefined if it does not exist. */
export const realPath = (path: string): string | undefined => attempt(() => realpathSync(path));
