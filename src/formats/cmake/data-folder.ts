// Where CMake's instrumentation data is, and what its files are called.
import type { Entry, Folder } from '../loader.ts';

const SNIPPET = /^[A-Za-z]+-[0-9a-f]{8,}-\d{4}-\d\d-\d\dT[\d-]+\.json$/;
export const INDEX = /^index-.*\.json$/;

/** Possible data folders, relative to what was opened. */
export const PLACES = ['.cmake/instrumentation/v1/data', 'instrumentation/v1/data', 'v1/data', 'data', ''] as const;

/** The build tree, seen from its data folder. */
export const TREE = '../../../..';

export const isSnippet = (name: string) => SNIPPET.test(name) && !INDEX.test(name);
export const join = (a: string, b: string) => (a === '' ? b : `${a}/${b}`);

/** There may be very many: it ends at the first. */
function holdsSnippet(folder: Folder, at: string): boolean {
  const snippet = (n: Entry) => !n.folder && isSnippet(n.name);
  return folder.some?.(at, snippet) ?? folder.list(at).some(snippet);
}

/** The data folder of a build tree or part of one; undefined if there is none. */
export function dataFolder(folder: Folder): string | undefined {
  const holds = (at: string) => {
    // These folder names are common: only the files in them are conclusive.
    const inside = [
      ['index', INDEX],
      ['trace', /^trace-.*\.json(\.gz)?$/],
      ['content', /^cmake-.*\.json$/],
    ] as const;
    if (inside.some(([sub, files]) => folder.list(join(at, sub)).some((n) => files.test(n.name)))) return true;
    return holdsSnippet(folder, at);
  };
  for (const at of PLACES) if ((at !== '' || !folder.list('').some((n) => n.name === '.cmake')) && holds(at)) return at;
  // In CMake 4.0 to 4.2 it was experimental, in folders named after the feature gate's UUID.
  for (const above of ['.cmake', '']) {
    const old = folder.list(above).filter((n) => n.folder && /^instrumentation-[0-9a-f-]+$/.test(n.name));
    for (const { name } of old) if (holds(join(above, `${name}/v1/data`))) return join(above, `${name}/v1/data`);
  }
  // A build tree with an empty data folder still counts.
  return folder.list('.cmake/instrumentation/v1').some((n) => n.name === 'data' && n.folder) ? PLACES[0] : undefined;
}

/** Whether there are steps that nothing has taken yet. */
export function hasSnippets(folder: Folder): boolean {
  const data = dataFolder(folder);
  return data !== undefined && holdsSnippet(folder, data);
}
