// The outputs that were not made because a step failed, found with the build file.
import { addTo } from '../../base/lists.ts';
import type { StepWriter } from '../../model/steps/writer.ts';
import { type BuildEdge, type BuildFile, outputsOfStep } from './ninja-file.ts';

/** Limit of the listed outputs; few builds exceed it. */
const MOST_LISTED = 100_000;

/** False for phony outputs and CMake's utility targets, which no build makes. */
export const isRealOutput = (output: string, { rule }: BuildEdge) => rule !== 'phony' && !output.endsWith('.util');

/**
 * The outputs that need an output of a failed step and that no step has made, as absolute paths: first those that nothing else of the list
 * needs, also by way of names for other files. One for each rule that has several.
 */
export function unbuiltOutputs(rows: StepWriter, from: number, file: BuildFile): string[] {
  const failed: string[] = [];
  const made = new Set<string>();
  for (let row = from; row < rows.rows; row++) {
    const outputs = outputsOfStep(rows, row, file);
    if (rows.columns.result.get(row) > 0) failed.push(...outputs);
    else for (const output of outputs) made.add(output);
  }
  if (failed.length === 0) return [];
  const usedBy = new Map<string, string[]>();
  for (const [output, { inputs }] of file.edges) for (const input of inputs) addTo(usedBy, input, output);
  const found = new Map<BuildEdge, string>();
  const seen = new Set(failed);
  for (let path = failed.pop(); path !== undefined && found.size < MOST_LISTED; path = failed.pop()) {
    for (const output of usedBy.get(path) ?? []) {
      const edge = file.edges.get(output);
      if (!edge || made.has(output)) continue;
      if (seen.has(output)) continue;
      seen.add(output);
      failed.push(output);
      if (isRealOutput(output, edge) && !found.has(edge)) found.set(edge, output);
    }
  }
  const isNeeded = new Set<string>();
  for (const { inputs } of found.keys()) {
    const open = [...inputs];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (isNeeded.has(path)) continue;
      isNeeded.add(path);
      const edge = file.edges.get(path);
      if (edge && !isRealOutput(path, edge)) for (const input of edge.inputs) open.push(input);
    }
  }
  const all = [...found.values()];
  return [...all.filter((path) => !isNeeded.has(path)), ...all.filter((path) => isNeeded.has(path))];
}
