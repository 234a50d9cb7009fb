// Paths as profiles have them: of any machine, so none of the functions of this one.

/** Without `.`, `..` and doubled separators. A `..` above the root is dropped. */
export function normalPath(path: string): string {
  const windows = /^[A-Za-z]:/.test(path);
  if (!(windows ? /[\\/]\.{0,2}([\\/]|$)/ : /\/\.{0,2}(\/|$)/).test(path)) return path;
  const parts: string[] = [];
  for (const part of path.split(windows ? /[\\/]/ : '/')) {
    if (part === '..') {
      const above = parts.at(-1);
      if (parts.length > 1 && above !== '..') parts.pop();
      else if (above !== '' && !(windows && parts.length === 1)) parts.push(part);
    } else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part);
  }
  return parts.join(windows ? '\\' : '/');
}

/** The path seen from a folder: joined and normal where it is relative, else as it is; relative where the folder is not known. */
export function absolutePath(directory: string, path: string): string {
  if (directory === '' || path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path)) return path;
  return normalPath(/^[A-Za-z]:/.test(directory) ? `${directory}\\${path}` : `${directory}/${path}`);
}
