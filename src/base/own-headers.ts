// Recognizes the project's own headers: those below its root, and all outside of system folders.

/** Folders that belong to no project, even if all sources lie below them. */
const SHARED = new Set(['', '/usr', '/opt', '/home', '/usr/include', '/usr/local', '/usr/src']);

/** The common folder of all sources, one up from `src`; '' if they only share a system folder. */
export function projectRoot(sources: readonly string[]): string {
  const folders = sources.filter((path) => path.startsWith('/')).map((path) => path.split('/').slice(0, -1));
  if (folders.length === 0) return '';
  let [common] = folders;
  for (const other of folders) {
    const differs = common.findIndex((name, at) => other[at] !== name);
    if (differs >= 0) common = common.slice(0, differs);
  }
  const up = ['src', 'source', 'lib'].includes(common.at(-1) ?? '') ? common.slice(0, -1) : common;
  const root = up.join('/');
  return SHARED.has(root) ? '' : root;
}

/** True for headers of compilers and systems, whose includes nobody can remove. */
export function isSystemHeader(path: string, root: string): boolean {
  if (root !== '' && path.startsWith(`${root}/`)) return false;
  return path.startsWith('/usr/') || path.startsWith('/opt/') || path.includes('/include/c++/');
}
