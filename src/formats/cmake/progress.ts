// Estimates the progress of a running build: how many of the commands needed by the target `all` have run.
import type { Sink } from '../../model/sink.ts';
import { summedSpansUs } from '../../model/steps/stages.ts';
import { StepWriter } from '../../model/steps/writer.ts';
import { type BuildEdge, type BuildFile, outputsOfStep } from './ninja-file.ts';
import { stageOf } from './snippet.ts';
import { isRealOutput } from './stopped.ts';

const MIN_COMPLETED_STEPS = 10;

/** The commands that the target `all` needs, directly or indirectly. */
function commandsForAll({ edges, root }: BuildFile): ReadonlySet<BuildEdge> {
  const found = new Set<BuildEdge>();
  const needed = new Set([root === '' ? 'all' : `${root}/all`]);
  // The loop also visits the inputs that are added meanwhile.
  for (const path of needed) {
    const edge = edges.get(path);
    if (edge && isRealOutput(path, edge)) found.add(edge);
    for (const input of edge?.inputs ?? []) needed.add(input);
  }
  return found;
}

/**
 * Estimates the end of a tree's first build while it runs: the remaining commands are assumed to take as long on average.
 * Later builds use the durations of kept builds instead. Steps from row `first` on have times since 1970.
 */
export function addBuildProgress(sink: Sink, first: number, part: number, file: BuildFile): void {
  const rows = sink.writerFor(StepWriter);
  const { live, facts } = rows;
  if (!live || (facts.history && facts.history.builds.length > 0)) return;
  const all = commandsForAll(file);
  if (all.size === 0) return;
  const runs = new Set(live.running.step);
  const made = new Set<BuildEdge>();
  for (let row = first; row < rows.rows; row++) {
    if (runs.has(row)) continue;
    for (const path of outputsOfStep(rows, row, file)) {
      const edge = file.edges.get(path);
      if (edge && all.has(edge)) made.add(edge);
    }
  }
  const stages = rows.stages(stageOf).filter((s) => s.part === part && s.name === 'build');
  const leftUs = made.size < MIN_COMPLETED_STEPS ? Number.NaN : (summedSpansUs(stages) * (all.size - made.size)) / made.size;
  rows.live = { ...live, expectedEndUs: live.atUs + leftUs, made: { done: made.size, of: all.size } };
}
