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
 * Says of a tree's first build, while it runs, how many of the commands it has run, and when it would end if the others took as long as those did. A
 * later build need not make what others made, and these say how long it takes. The times of the steps from `first` on are since 1970, their part is
 * `part`.
 */
export function addProgress(sink: Sink, first: number, part: number, file: BuildFile): void {
  const rows = sink.tables(StepWriter);
  const { live, history } = rows;
  if (!live || (history && history.builds.length > 0)) return;
  const all = commandsOfAll(file);
  if (all.size === 0) return;
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
  rows.live = { ...live, expectedEndUs: live.atUs + leftUs, made: { done: made.size, of: all.size } };
}
