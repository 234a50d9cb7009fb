// Finds the traces of clang's -ftime-trace: beside the object, with the extension .json, or at the path of -ftime-trace=PATH.
// CMake's records name objects by paths of the machine that built them. These paths are not trusted:
// only regular files inside the build tree that is open are read.
import { getOrMake } from '../../base/lists.ts';
import { absolutePath, normalizedPath } from '../../base/paths.ts';
import type { StepWriter } from '../../model/steps/writer.ts';
import type { Folder } from '../loader.ts';
import type { StepTrace } from '../trace-events/compile-totals.ts';
import { joinPaths, readTextFile } from './data-folder.ts';

/** The value of -ftime-trace=, plain, in quotes, or in a quoted word as CMake writes it. */
const TRACE_OPTION = /(?:^|\s)(?:"-ftime-trace=([^"]+)"|-ftime-trace=(?:"([^"]+)"|([^\s"]+)))/; // bounded: each run is looked at once

/** Tolerance in comparisons of file times: file system clocks are coarser than CMake's, and may lag. */
const CLOCK_TOLERANCE_MS = 1000;

/** Adds traces to the compile steps from row `first` on; returns those written by their steps. Times are since 1970. */
export function addTraces(rows: StepWriter, first: number, folder: Folder, root: string): StepTrace[] {
  const recorded = recordedRoot(folder, root);
  const own: StepTrace[] = [];
  if (recorded === undefined) return own;
  const lists = new Map<string, ReadonlySet<string>>();
  const isListed = (path: string) => {
    const cut = path.lastIndexOf('/');
    const parent = path.slice(0, Math.max(0, cut));
    const listNames = () => new Set(folder.list(joinPaths(root, parent)).flatMap((n) => (n.folder ? [] : [n.name])));
    return getOrMake(lists, parent, listNames).has(path.slice(cut + 1));
  };
  const { columns } = rows;
  for (let row = first; row < columns.rows; row++) {
    if (rows.text('role', row) !== 'compile' || columns.text.trace.get(row) >= 0 || columns.hasNoStart(row)) continue;
    for (const path of tracePathsOf(rows, row, recorded)) {
      const inTree = relativeTo(recorded, path);
      if (inTree === undefined || !isListed(inTree)) continue;
      const writtenMs = folder.modifiedMs?.(joinPaths(root, inTree));
      if (writtenMs === undefined) continue;
      rows.setText('trace', row, normalizedPath(`${folder.path}/${joinPaths(root, inTree)}`));
      const caveat = traceCaveatOf(rows, row, writtenMs);
      rows.setText('traceCaveat', row, caveat);
      if (caveat === undefined) own.push({ step: row, relative: joinPaths(root, inTree) });
      break;
    }
  }
  return own;
}

function withoutEndSlashes(folder: string): string {
  let end = folder.length;
  while (end > 1 && folder[end - 1] === '/') end--;
  return folder.slice(0, end);
}

/** The path of the build tree in the records; undefined if the folder is not a build tree. */
export function recordedRoot(folder: Folder, root: string): string | undefined {
  const cache = readTextFile(folder, joinPaths(root, 'CMakeCache.txt'));
  const recorded = /^CMAKE_CACHEFILE_DIR:INTERNAL=(.+)$/m.exec(cache)?.[1];
  return recorded === undefined ? undefined : withoutEndSlashes(recorded.replace(/\r$/, ''));
}

/** The path relative to a folder; undefined if it is not inside that folder. */
export function relativeTo(folder: string, path: string): string | undefined {
  const normal = normalizedPath(path);
  return normal.startsWith(`${folder}/`) ? normal.slice(folder.length + 1) : undefined;
}

/** Possible paths of a step's trace on the machine that recorded it, likeliest first. */
function tracePathsOf(rows: StepWriter, row: number, recorded: string): string[] {
  const from = rows.text('directory', row) ?? recorded;
  const [, word, value, plain] = TRACE_OPTION.exec(rows.text('command', row) ?? '') ?? [];
  const given = word ?? value ?? plain;
  const outputs = rows.outputsOf(row).map((path) => absolutePath(from, path));
  const objects = outputs.filter((path) => /\.(o|obj)$/.test(path));
  const besides = objects.map((path) => path.replace(/\.[^./]+$/, '.json')); // bounded: each run is looked at once
  if (given === undefined) return besides;
  const path = absolutePath(from, given);
  // The path given to -ftime-trace= may be a file or a folder.
  return [path, ...besides.map((json) => `${withoutEndSlashes(path)}/${json.slice(json.lastIndexOf('/') + 1)}`), ...besides];
}

/** Why a trace may belong to another compile; undefined if its time matches the step. */
function traceCaveatOf(rows: StepWriter, row: number, writtenMs: number): string | undefined {
  const [startMs, endMs] = [rows.columns.startUs.data[row] / 1000, rows.columns.endUs(row) / 1000];
  const when = `written ${new Date(writtenMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  if (writtenMs > endMs + CLOCK_TOLERANCE_MS) return `newer than this step: ${when}, by a later compile`;
  if (writtenMs < startMs - CLOCK_TOLERANCE_MS) return `older than this step: ${when}, by an earlier compile`;
  return /-ftime-trace|(^|\s)@/.test(rows.text('command', row) ?? '-ftime-trace') ? undefined : 'its command has no -ftime-trace';
}
