// What a change of a header costs, by what ninja keeps in .ninja_deps, or by what compilers wrote beside their objects for make.
import { absolutePath, normalPath } from '../../base/paths.ts';
import { FormatError } from '../../base/problem.ts';
import type { Sink } from '../../model/sink.ts';
import type { Rebuilds } from '../../model/steps/rebuilds.ts';
import type { StepWriter } from '../../model/steps/writer.ts';
import type { Folder } from '../loader.ts';
import { join } from './data-folder.ts';
import { makeGraph } from './depfiles.ts';
import { FileGraph, OBJECT, type Unit } from './file-graph.ts';
import { readNinjaDeps } from './ninja-deps.ts';
import type { BuildFile } from './ninja-file.ts';

const DEPS_FILE = '.ninja_deps';

/** What changes make ninja compile again; undefined if it has kept nothing. */
export function ninjaGraph({ folder, at, file }: Tree, sink: Sink): FileGraph | undefined {
  const bytes = folder.read(join(at, DEPS_FILE));
  if (!bytes) return undefined;
  try {
    const { paths, inputs, cut } = readNinjaDeps(bytes, normalPath(`${folder.path}/${join(at, DEPS_FILE)}`));
    if (cut) sink.warn(cut);
    const graph = new FileGraph(file?.root ?? '');
    for (const [output, edge] of file?.edges ?? []) graph.make(output, edge.inputs.slice(0, edge.orderOnly));
    for (const [output, files] of inputs) {
      const path = paths[output];
      // ninja forgets an output some time after the build file has.
      if (file && !file.edges.has(normalPath(absolutePath(file.root, path)))) continue;
      const read = Array.from(files, (input) => paths[input]);
      if (OBJECT.test(path)) graph.compile(path, read);
      else graph.make(path, read);
    }
    return graph;
  } catch (error) {
    // The steps are there without it.
    if (!(error instanceof FormatError)) throw error;
    sink.warn({ ...error.problem, found: `${error.problem.found}; what headers cost is left out` });
    return undefined;
  }
}

/** A build tree: where it is in a folder, and the build file of ninja, if there is one. */
export interface Tree {
  readonly folder: Folder;
  readonly at: string;
  readonly file: BuildFile | undefined;
}

/** Adds what changes of headers cost to the steps from row `first` on. */
export function addRebuilds(rows: StepWriter, first: number, tree: Tree, sink: Sink): void {
  if (rows.rebuilds) return;
  const graph = ninjaGraph(tree, sink) ?? makeGraph(tree.folder, tree.at);
  if (graph) rows.rebuilds = rebuildsIn(graph, rows, first, sink);
}

/** The costs of headers, by the rows of steps as written; undefined if compilers have read none, or, with a warning, too many. */
function rebuildsIn(graph: FileGraph, rows: StepWriter, first: number, sink: Sink): Rebuilds | undefined {
  const { units, root } = graph;
  const latest = latestOf(rows, first, root);
  const step = Int32Array.from(units, ({ output }) => latest.get(output) ?? -1);
  const kept = keptTimes(rows);
  const us = Float64Array.from(step, (row, k) => (row >= 0 ? rows.columns.durationUs.data[row] : kept(units[k])));
  const headers: { name: number; us: number; units: number; worst: number }[] = [];
  for (const { header, units: again } of graph.rebuilt()) {
    if (again.length === 0) continue;
    let [sum, worst] = [0, again[0]];
    for (const unit of again) {
      sum += us[unit] || 0;
      if (us[unit] > us[worst] || Number.isNaN(us[worst])) worst = unit;
    }
    headers.push({ name: rows.textId(header), us: sum, units: again.length, worst });
  }
  if (graph.isBeyond) {
    const found = 'more: what headers cost is left out';
    sink.warn({ path: sink.paths.at(-1) ?? '', expected: 'dependencies of files that can be followed in some seconds', found });
    return undefined;
  }
  if (headers.length === 0) return undefined;
  const name = (output: string) => (root !== '' && output.startsWith(`${root}/`) ? output.slice(root.length + 1) : output);
  return {
    units: { name: Uint32Array.from(units, ({ output }) => rows.textId(name(output))), step, us },
    headers: {
      name: Uint32Array.from(headers, (h) => h.name),
      us: Float64Array.from(headers, (h) => h.us),
      units: Uint32Array.from(headers, (h) => h.units),
      worst: Uint32Array.from(headers, (h) => h.worst),
    },
  };
}

/** By file, the latest of the steps from row `first` on that made it. */
function latestOf(rows: StepWriter, first: number, root: string): Map<string, number> {
  const { startUs } = rows.columns;
  const latest = new Map<string, number>();
  for (let row = first; row < rows.rows; row++) {
    if (rows.columns.neverRan(row)) continue;
    for (const output of rows.outputsOf(row)) {
      const path = normalPath(absolutePath(rows.text('directory', row) ?? root, output));
      const other = latest.get(path);
      if (other === undefined || startUs.data[row] >= startUs.data[other]) latest.set(path, row);
    }
  }
  return latest;
}

/** How long units took in the last of the kept builds that compiled them, in microseconds; NaN if none says. */
function keptTimes(rows: StepWriter): (unit: Unit) => number {
  const { history } = rows;
  if (!history) return () => Number.NaN;
  const builds = history.builds.length;
  const places = new Map(Array.from(history.key, (key, place) => [rows.textOf(key), place]));
  return ({ output, source }) => {
    const target = /\/([^/]+)\.dir\//.exec(output)?.[1] ?? ''; // bounded: each run is looked at once
    const place = places.get(`compile ${target} ${source}`) ?? places.size;
    const ms = history.ms.subarray(place * builds, (place + 1) * builds).findLast((took) => !Number.isNaN(took));
    return (ms ?? Number.NaN) * 1000;
  };
}
