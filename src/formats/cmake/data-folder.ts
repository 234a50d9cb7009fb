// Where CMake's instrumentation data is, and what its files are called.
import type { Folder, FolderEntry } from '../loader.ts';

const SNIPPET = /^[A-Za-z]+-[0-9a-f]{8,}-\d{4}-\d\d-\d\dT[\d-]+\.json$/;
export const INDEX = /^index-.*\.json$/;

/** Possible data folders, relative to what was opened. */
export const PLACES = ['.cmake/instrumentation/v1/data', 'instrumentation/v1/data', 'v1/data', 'data', ''] as const;

/** The build tree, seen from its data folder. */
export const TREE = '../../../..';

export const isSnippet = (name: string) => SNIPPET.test(name) && !INDEX.test(name);
export const join = (a: string, b: string) => (a === '' ? b : `${a}/${b}`);

/** True if the folder has a snippet. Stops at the first one, since there may be very many. */
function hasSnippetIn(folder: Folder, at: string): boolean {
  const snippet = (n: FolderEntry) => !n.folder && isSnippet(n.name);
  return folder.some?.(at, snippet) ?? folder.list(at).some(snippet);
}

/** The data folder of a build tree or part of one; undefined if there is none. */
export function dataFolder(folder: Folder): string | undefined {
  const hasData = (at: string) => {
    // These folder names are common: only the files in them are conclusive.
    const inside = [
      ['index', INDEX],
      ['trace', /^trace-.*\.json(\.gz)?$/],
      ['content', /^cmake-.*\.json$/],
    ] as const;
    if (inside.some(([sub, files]) => folder.list(join(at, sub)).some((n) => files.test(n.name)))) return true;
    return hasSnippetIn(folder, at);
  };
  for (const at of PLACES) if ((at !== '' || !folder.list('').some((n) => n.name === '.cmake')) && hasData(at)) return at;
  // In CMake 4.0 to 4.2 the folder name contains the UUID of the experimental feature.
  for (const above of ['.cmake', '']) {
    const old = folder.list(above).filter((n) => n.folder && /^instrumentation-[0-9a-f-]+$/.test(n.name));
    for (const { name } of old) if (hasData(join(above, `${name}/v1/data`))) return join(above, `${name}/v1/data`);
  }
  // A build tree with an empty data folder still counts.
  return folder.list('.cmake/instrumentation/v1').some((n) => n.name === 'data' && n.folder) ? PLACES[0] : undefined;
}

/** True if there are snippets that no callback has collected yet. */
export function hasSnippets(folder: Folder): boolean {
  const data = dataFolder(folder);
  return data !== undefined && hasSnippetIn(folder, data);
}
