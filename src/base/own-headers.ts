// Recognizes the project's own headers: those below its root, and all headers outside of system folders.
import { commonFolderOf, folderOf } from './paths.ts';

/** Folders that are not the root of a project, even if all sources lie below them. */
const SHARED_FOLDERS = new Set(['', '/usr', '/opt', '/home', '/usr/include', '/usr/local', '/usr/src']);

/** The root of a project: the common folder of its sources, or the parent of a folder `src`; '' if that is a system folder. */
export function projectRoot(sources: readonly string[]): string {
  const folders = sources.filter((path) => path.startsWith('/')).map(folderOf);
  if (folders.length === 0) return '';
  const common = folders.reduce(commonFolderOf).slice(0, -1);
  const root = /\/(?:src|source|lib)$/.test(common) ? common.slice(0, common.lastIndexOf('/')) : common;
  return SHARED_FOLDERS.has(root) ? '' : root;
}

/** Whether a header belongs to a compiler or the system, so that the user cannot remove its includes. */
export function isSystemHeader(path: string, root: string): boolean {
  if (root !== '' && path.startsWith(`${root}/`)) return false;
  return path.startsWith('/usr/') || path.startsWith('/opt/') || path.includes('/include/c++/');
}
