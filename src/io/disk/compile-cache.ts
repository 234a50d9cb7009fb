// Where Node keeps compiled code between runs: the launcher asks before it loads anything else. Code that another user could write would
// run as this one, and Node itself checks no owner.
import { privateFolder } from './private-folder.ts';

/** The folder for compiled code; undefined if there is none that is the user's alone. */
export const compileCacheFolder = (): string | undefined => privateFolder('cache', 'compiled');
