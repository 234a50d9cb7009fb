// Paths as profiles record them, from any machine. Node's path functions do not apply, because they follow the current machine.

/** Normalizes a path: removes `.`, `..` and doubled separators. A `..` above the root is dropped. */
export function normalizedPath(path: string): string {
  const windows = /^[A-Za-z]:/.test(path);
  if (!(windows ? /[\\/]\.{0,2}([\\/]|$)/ : /\/\.{0,2}(\/|$)/).test(path)) return path;
  const parts: string[] = [];
  for (const part of path.split(windows ? /[\\/]/ : '/')) {
    if (part === '..') {
      const above = parts.at(-1);
      if (above !== undefined && above !== '' && above !== '..' && !(windows && parts.length === 1)) parts.pop();
      else if (above !== '' && !(windows && parts.length === 1)) parts.push(part);
    } else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part);
  }
  return parts.join(windows ? '\\' : '/');
}

/** Joins a relative path to its folder and normalizes it. Absolute paths stay. If the folder is unknown, so does the path. */
export function absolutePath(directory: string, path: string): string {
  if (directory === '' || path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path)) return path;
  return normalizedPath(/^[A-Za-z]:/.test(directory) ? `${directory}\\${path}` : `${directory}/${path}`);
}

/** A path for people: without `./`, and without the repeated folder in `./malloc/./malloc/malloc.c` of Debian's glibc. */
export function readablePath(path: string): string {
  if (!path.includes('./')) return path;
  let from = 0;
  while (path.startsWith('./', from)) from += 2;
  // In `./X/./X/`, a compiler's folder is followed by the same folder in the file's path. A path like `a/a/x.c` stays.
  const again = from > 0 ? path.indexOf('/./', from) : -1;
  if (again > 0 && path.startsWith(path.slice(from, again + 1), again + 3)) from = again + 3;
  const shown = path.slice(from);
  const tidy = shown.includes('/./') ? shown.replaceAll(/\/(?:\.\/)+/g, '/') : shown;
  return tidy === '' ? path : tidy;
}

/** Whether a path is a folder or lies below it, judged by names only. */
export const isPathBelow = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

/** A path of Windows (`C:\\src\\a.c`, `\\\\server\\share\\a.c`, `src\\a.c`) with slashes and its drive in upper case. Other paths stay. */
export function withSlashes(path: string): string {
  const isDrive = /^[A-Za-z]:[\\/]/.test(path);
  if (!isDrive && (!path.includes('\\') || (path.includes('/') && !path.startsWith('\\\\')))) return path;
  const plain = path.replaceAll('\\', '/');
  return isDrive ? plain[0].toUpperCase() + plain.slice(1) : plain;
}

/** The path at its new place, if it is FROM or lies below it; undefined if not. Windows paths match with either slash. */
export function mappedPath(path: string, [from, to]: readonly [from: string, to: string]): string | undefined {
  const [folder, file] = [withSlashes(from), withSlashes(path)];
  return isPathBelow(folder, file) ? to + file.slice(folder.length) : undefined;
}

/** The last part of a path, of Unix or Windows. */
export function baseName(path: string): string {
  const plain = path.includes('\\') ? withSlashes(path) : path;
  return plain.slice(plain.lastIndexOf('/') + 1);
}

/** The last part of a Unix or Windows path, without `.exe`. */
export const programName = (path: string): string => path.slice(folderOf(path).length).replace(/\.exe$/i, '');

/** The folder of a path, with its last separator; '' if there is none. */
export const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

/** The folders that two paths begin with, with the last separator. */
export function commonFolderOf(a: string, b: string): string {
  let k = 0;
  while (k < a.length && a[k] === b[k]) k++;
  return folderOf(a.slice(0, k));
}

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
