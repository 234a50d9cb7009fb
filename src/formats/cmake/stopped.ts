// Finds the outputs that were not made because a step failed, from the build file.
import { addToList, withFirst } from '../../base/lists.ts';
import type { StepWriter } from '../../model/steps/writer.ts';
import { type BuildEdge, type BuildFile, outputsOfStep, relativeToRoot } from './ninja-file.ts';

/** Maximum number of listed outputs. Few builds exceed it. */
const MAX_LISTED_OUTPUTS = 100_000;

/** False for phony outputs and CMake's utility targets, which no build makes. */
export const isRealOutput = (output: string, { rule }: BuildEdge) => rule !== 'phony' && !output.endsWith('.util');

/** Unmade outputs that need a failed step's output, relative to the build file's folder, one per rule. Those that no other needs come first. */
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
  for (const [output, { inputs }] of file.edges) for (const input of inputs) addToList(usedBy, input, output);
  const found = new Map<BuildEdge, string>();
  const seen = new Set(failed);
  for (let path = failed.pop(); path !== undefined && found.size < MAX_LISTED_OUTPUTS; path = failed.pop())
    for (const output of usedBy.get(path) ?? []) {
      const edge = file.edges.get(output);
      if (!edge || made.has(output) || seen.has(output)) continue;
      seen.add(output);
      failed.push(output);
      if (isRealOutput(output, edge) && !found.has(edge)) found.set(edge, output);
    }
  const isNeeded = new Set([...found.keys()].flatMap(({ inputs }) => inputs));
  // The loop also visits the inputs that are added meanwhile.
  for (const path of isNeeded) {
    const edge = file.edges.get(path);
    if (edge && !isRealOutput(path, edge)) for (const input of edge.inputs) isNeeded.add(input);
  }
  return withFirst([...found.values()], (path) => !isNeeded.has(path)).map((path) => relativeToRoot(file, path));
}
