// Computes the cost of changing a header, from ninja's .ninja_deps or from the dependency files that compilers wrote for make.
import { absolutePath, normalizedPath } from '../../base/paths.ts';
import { FormatError } from '../../base/problem.ts';
import { finishColumns, growableTable, pushRow } from '../../model/column.ts';
import type { Sink } from '../../model/sink.ts';
import type { Rebuilds } from '../../model/steps/compiles.ts';
import type { StepWriter } from '../../model/steps/writer.ts';
import type { Folder } from '../loader.ts';
import { joinPaths } from './data-folder.ts';
import { readMakeGraph } from './depfiles.ts';
import { type CompiledFile, FileGraph, OBJECT_FILE } from './file-graph.ts';
import { readNinjaDeps } from './ninja-deps.ts';
import { type BuildFile, relativeToRoot } from './ninja-file.ts';

const DEPS_FILE = '.ninja_deps';

/** A build tree: its path in a folder, and its ninja build file if there is one. */
export interface TreeInFolder {
  readonly folder: Folder;
  readonly at: string;
  readonly file: BuildFile | undefined;
}

/** Reads ninja's dependency file; undefined if it is missing or, with a warning, if it is broken. */
function readDeps({ folder, at }: TreeInFolder, sink: Sink) {
  const bytes = folder.read(joinPaths(at, DEPS_FILE));
  try {
    const deps = bytes && readNinjaDeps(bytes, normalizedPath(`${folder.path}/${joinPaths(at, DEPS_FILE)}`));
    if (deps?.cut) sink.warn(deps.cut);
    return deps;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    sink.warn({ ...error.problem, found: `${error.problem.found}; what headers cost is left out` });
    return undefined;
  }
}

/** The file graph of a ninja tree; undefined if the tree has no dependency file. */
export function readNinjaGraph(tree: TreeInFolder, sink: Sink): FileGraph | undefined {
  const deps = readDeps(tree, sink);
  if (!deps) return undefined;
  const { file } = tree;
  const graph = new FileGraph(file?.root ?? '');
  for (const [output, edge] of file?.edges ?? []) graph.addRule(output, edge.inputs.slice(0, edge.orderOnly));
  for (const [output, inputs] of deps.inputs) {
    const path = deps.paths[output];
    // .ninja_deps may list outputs that the build file no longer builds.
    if (file && !file.edges.has(normalizedPath(absolutePath(file.root, path)))) continue;
    const files = Array.from(inputs, (input) => deps.paths[input]);
    if (OBJECT_FILE.test(path)) graph.addCompile(path, files);
    else graph.addRule(path, files);
  }
  return graph;
}

/** Adds the costs of changing each header, from the durations of the steps from row `first` on. */
export function addRebuildCosts(rows: StepWriter, first: number, tree: TreeInFolder): void {
  if (rows.rebuilds) return;
  const graph = readNinjaGraph(tree, rows.sink) ?? readMakeGraph(tree.folder, tree.at);
  if (graph) rows.rebuilds = computeRebuildCosts(graph, rows, first);
}

/** The cost of changing each header; undefined if there are no headers or, with a warning, if the graph is too large. */
function computeRebuildCosts(graph: FileGraph, rows: StepWriter, first: number): Rebuilds | undefined {
  const { units, root } = graph;
  const latest = latestStepsByFile(rows, first, root);
  const step = Int32Array.from(units, ({ output }) => latest.get(output) ?? -1);
  const kept = recordedUnitTimes(rows);
  const us = Float64Array.from(step, (row, k) => (row >= 0 ? rows.columns.durationUs.data[row] : kept(units[k])));
  const headers = growableTable({ name: Uint32Array, us: Float64Array, units: Uint32Array, worst: Uint32Array });
  for (const { header, units: again } of graph.rebuildsByHeader()) {
    if (again.length === 0) continue;
    let [sum, worst] = [0, again[0]];
    for (const unit of again) {
      sum += us[unit] || 0;
      if (us[unit] > us[worst] || Number.isNaN(us[worst])) worst = unit;
    }
    pushRow(headers, { name: rows.textId(header), us: sum, units: again.length, worst });
  }
  if (graph.isIncomplete) {
    const found = 'more: what headers cost is left out';
    const { sink } = rows;
    sink.warn({ path: sink.paths.at(-1) ?? '', expected: 'dependencies of files that can be followed in some seconds', found });
    return undefined;
  }
  if (headers.name.length === 0) return undefined;
  return {
    units: { name: Uint32Array.from(units, ({ output }) => rows.textId(relativeToRoot(graph, output))), step, us },
    headers: finishColumns(headers),
  };
}

/** By file: the latest step from row `first` on that made it. */
function latestStepsByFile(rows: StepWriter, first: number, root: string): Map<string, number> {
  const { startUs } = rows.columns;
  const latest = new Map<string, number>();
  for (let row = first; row < rows.rows; row++) {
    if (rows.columns.hasNoStart(row)) continue;
    for (const output of rows.outputsOf(row)) {
      const path = normalizedPath(absolutePath(rows.text('directory', row) ?? root, output));
      const other = latest.get(path);
      if (other === undefined || startUs.data[row] >= startUs.data[other]) latest.set(path, row);
    }
  }
  return latest;
}

/** A function from a unit to its duration in the last kept build that compiled it, in microseconds; NaN if unknown. */
function recordedUnitTimes(rows: StepWriter): (unit: CompiledFile) => number {
  const { history } = rows.facts;
  if (!history) return () => Number.NaN;
  const builds = history.builds.length;
  const indexOfKey = new Map(Array.from(history.key, (key, place) => [rows.sink.strings.text(key), place]));
  return ({ output, source }) => {
    const target = /\/([^/]+)\.dir\//.exec(output)?.[1] ?? ''; // bounded: each run is looked at once
    const index = indexOfKey.get(`compile ${target} ${source}`) ?? indexOfKey.size;
    const ms = history.ms.subarray(index * builds, (index + 1) * builds).findLast((took) => !Number.isNaN(took));
    return (ms ?? Number.NaN) * 1000;
  };
}
