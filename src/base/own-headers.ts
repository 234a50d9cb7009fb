// Which headers are the project's own: those below its root, wherever that is; else all that are not in a system's folders.

/** Folders that are nobody's project, though all sources may lie below them. */
const SHARED = new Set(['', '/usr', '/opt', '/home', '/usr/include', '/usr/local', '/usr/src']);

/** The folder that all sources lie in, one up from `src`; '' where they have none in common but a shared one. */
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

/** True for headers of compilers and systems: nobody can take an include out of these. */
export function isForeign(path: string, root: string): boolean {
  if (root !== '' && path.startsWith(`${root}/`)) return false;
  return path.startsWith('/usr/') || path.startsWith('/opt/') || path.includes('/include/c++/');
}
