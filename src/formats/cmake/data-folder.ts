// Finds the folder of CMake's instrumentation data, and recognizes its files by their names.
import { decodeBytes } from '../../model/strings.ts';
import type { Folder, FolderEntry } from '../loader.ts';

const SNIPPET_NAME = /^[A-Za-z]+-[0-9a-f]{8,}-\d{4}-\d\d-\d\dT[\d-]+\.json$/;
export const INDEX_NAME = /^index-.*\.json$/;

/** Possible data folders, relative to the opened folder. */
export const DATA_FOLDERS = ['.cmake/instrumentation/v1/data', 'instrumentation/v1/data', 'v1/data', 'data', ''] as const;

/** The path from the data folder up to its build tree. */
export const TREE_FROM_DATA = '../../../..';

export const isSnippet = (name: string) => SNIPPET_NAME.test(name) && !INDEX_NAME.test(name);
export const joinPaths = (a: string, b: string) => (a === '' ? b : `${a}/${b}`);

/** The text of a file; '' if there is none. */
export const readTextFile = (folder: Pick<Folder, 'read'>, path: string): string => {
  const bytes = folder.read(path);
  return bytes ? decodeBytes(bytes, 0, bytes.length) : '';
};

/** True if the folder has a snippet. Stops at the first one, since a folder may have very many. */
function hasSnippetIn(folder: Folder, at: string): boolean {
  const snippet = (n: FolderEntry) => !n.folder && isSnippet(n.name);
  return folder.some?.(at, snippet) ?? folder.list(at).some(snippet);
}

/** The data folder of a build tree or part of one; undefined if there is none. */
export function findDataFolder(folder: Folder): string | undefined {
  const hasData = (at: string) => {
    // These folder names are common, so only the files inside are conclusive.
    const inside = [
      ['index', INDEX_NAME],
      ['trace', /^trace-.*\.json(\.gz)?$/],
      ['content', /^cmake-.*\.json$/],
    ] as const;
    if (inside.some(([sub, files]) => folder.list(joinPaths(at, sub)).some((n) => files.test(n.name)))) return true;
    return hasSnippetIn(folder, at);
  };
  for (const at of DATA_FOLDERS) if ((at !== '' || !folder.list('').some((n) => n.name === '.cmake')) && hasData(at)) return at;
  // In CMake 4.0 to 4.2 the folder name contains the UUID of the experimental feature.
  for (const above of ['.cmake', '']) {
    const old = folder.list(above).filter((n) => n.folder && /^instrumentation-[0-9a-f-]+$/.test(n.name));
    for (const { name } of old) if (hasData(joinPaths(above, `${name}/v1/data`))) return joinPaths(above, `${name}/v1/data`);
  }
  // A build tree with an empty data folder still counts as one with data.
  return folder.list('.cmake/instrumentation/v1').some((n) => n.name === 'data' && n.folder) ? DATA_FOLDERS[0] : undefined;
}

/** True if there are snippets that no callback has collected yet. */
export function hasSnippets(folder: Folder): boolean {
  const data = findDataFolder(folder);
  return data !== undefined && hasSnippetIn(folder, data);
}
