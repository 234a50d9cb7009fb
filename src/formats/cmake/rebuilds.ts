// The costs of changing a header: by ninja's .ninja_deps, or by the files that compilers wrote beside their objects for make.
import { absolutePath, normalPath } from '../../base/paths.ts';
import { FormatError } from '../../base/problem.ts';
import type { Sink } from '../../model/sink.ts';
import type { Rebuilds } from '../../model/steps/rebuilds.ts';
import type { StepWriter } from '../../model/steps/writer.ts';
import type { Folder } from '../loader.ts';
import { join } from './data-folder.ts';
import { makeGraph } from './depfiles.ts';
import { FileGraph, OBJECT, type Unit } from './file-graph.ts';
import { type NinjaDeps, readNinjaDeps } from './ninja-deps.ts';
import type { BuildFile } from './ninja-file.ts';

const DEPS_FILE = '.ninja_deps';

/** A build tree: where it is in a folder, and the build file of ninja, if there is one. */
export interface Tree {
  readonly folder: Folder;
  readonly at: string;
  readonly file: BuildFile | undefined;
}

/** The file of ninja; undefined if there is none or, with a warning, a broken one: the steps are there without it. */
function depsOf({ folder, at }: Tree, sink: Sink): NinjaDeps | undefined {
  const bytes = folder.read(join(at, DEPS_FILE));
  try {
    const deps = bytes && readNinjaDeps(bytes, normalPath(`${folder.path}/${join(at, DEPS_FILE)}`));
    if (deps?.cut) sink.warn(deps.cut);
    return deps;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    sink.warn({ ...error.problem, found: `${error.problem.found}; what headers cost is left out` });
    return undefined;
  }
}

/** The files of a tree of ninja; undefined if it has kept nothing of them. */
export function ninjaGraph(tree: Tree, sink: Sink): FileGraph | undefined {
  const deps = depsOf(tree, sink);
  if (!deps) return undefined;
  const { file } = tree;
  const graph = new FileGraph(file?.root ?? '');
  for (const [output, edge] of file?.edges ?? []) graph.make(output, edge.inputs.slice(0, edge.orderOnly));
  for (const [output, inputs] of deps.inputs) {
    const path = deps.paths[output];
    // ninja forgets an output some time after the build file has.
    if (file && !file.edges.has(normalPath(absolutePath(file.root, path)))) continue;
    const files = Array.from(inputs, (input) => deps.paths[input]);
    if (OBJECT.test(path)) graph.compile(path, files);
    else graph.make(path, files);
  }
  return graph;
}

/** Adds the costs of changing a header to the steps from row `first` on. */
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
