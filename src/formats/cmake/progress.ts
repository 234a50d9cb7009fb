// How far a build is that runs, by the build file: of what `all` needs, how much has been made.
import type { Sink } from '../../model/sink.ts';
import { lastedUs } from '../../model/steps/stages.ts';
import { StepWriter } from '../../model/steps/writer.ts';
import { type BuildFile, type Edge, outputsOfStep } from './ninja-file.ts';
import { stageOf } from './snippet.ts';
import { isMade } from './stopped.ts';

/** Fewer steps say nothing about the others. */
const LEAST = 10;

/** The commands that `all` needs, those of its dependencies among them. */
function commandsOfAll({ edges, root }: BuildFile): ReadonlySet<Edge> {
  const found = new Set<Edge>();
  const all = root === '' ? 'all' : `${root}/all`;
  const seen = new Set([all]);
  const open = [all];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const edge = edges.get(path);
    if (!edge) continue;
    if (isMade(path, edge)) found.add(edge);
    for (const input of edge.inputs) {
      if (seen.has(input)) continue;
      seen.add(input);
      open.push(input);
    }
  }
  return found;
}

/**
 * Says of a build that runs how many of the commands it has run; if no kept build says how long it takes, also when it may end: if the others take as
 * long as those did. The times of the steps from `first` on are since 1970, their part is `part`.
 */
export function addProgress(sink: Sink, first: number, part: number, file: BuildFile): void {
  const rows = sink.tables(StepWriter);
  const { live } = rows;
  const all = live && commandsOfAll(file);
  if (!live || !all || all.size === 0) return;
  const runs = new Set(live.running.step);
  const made = new Set<Edge>();
  for (let row = first; row < rows.rows; row++) {
    if (runs.has(row)) continue;
    for (const path of outputsOfStep(rows, row, file)) {
      const edge = file.edges.get(path);
      if (edge && all.has(edge)) made.add(edge);
    }
  }
  const stages = rows.stages(stageOf).filter((s) => s.part === part && s.name === 'build');
  const leftUs = made.size < LEAST ? Number.NaN : (lastedUs(stages) * (all.size - made.size)) / made.size;
  // Other builds of the tree made what this one does not.
  const isFirst = (rows.history?.builds.length ?? 0) === 0;
  const expectedEndUs = Number.isNaN(live.expectedEndUs) && isFirst ? live.atUs + leftUs : live.expectedEndUs;
  rows.live = { ...live, expectedEndUs, ...(isFirst ? { made: { done: made.size, of: all.size } } : {}) };
}
