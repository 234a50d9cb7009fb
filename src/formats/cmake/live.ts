// Adds a running build: CMake records a step when the step ends, and the operating system lists the commands that run now.
// The progress of a first build is estimated from how many of the commands needed by the target `all` have run.
import { absolutePath } from '../../base/paths.ts';
import { type BuildHistory, type KeptBuild, MIN_FULL_BUILD_SHARE } from '../../model/steps/history.ts';
import { summedSpansUs } from '../../model/steps/stages.ts';
import type { StepWriter } from '../../model/steps/writer.ts';
import type { RunningCommand } from '../loader.ts';
import { type BuildEdge, type BuildFile, outputsOfStep } from './ninja-file.ts';
import { stageOf } from './snippet.ts';
import { isRealOutput } from './stopped.ts';

function guessStep(command: string) {
  const words = command.split(/\s+/);
  const wordAfter = (option: string) => {
    const at = words.indexOf(option);
    return at < 0 ? undefined : words[at + 1];
  };
  const [source, output] = [wordAfter('-c'), wordAfter('-o')];
  const program = (words[0] ?? '').replace(/^.*\//, '');
  const files = { source, output: output || undefined };
  if (source !== undefined) return { role: 'compile', name: `compile: ${source}`, ...files };
  if (/^(ar|ranlib|ld|lld|gold|mold)\b/.test(program) || output !== undefined)
    return { role: 'link', name: `link: ${output ?? program}`, ...files };
  return { role: 'custom', name: `custom: ${command.slice(0, 200)}`, ...files };
}

const isKeyOfStep = (key: string, { role, source, output }: ReturnType<typeof guessStep>): boolean =>
  key.startsWith(`${role} `) && (key.endsWith(` ${source}`) || key.endsWith(` ${output}`));

/** The last kept build that did not fail and that ran nearly all steps. */
function lastCompleteBuild({ builds }: BuildHistory): KeptBuild | undefined {
  const good = builds.filter(({ buildInfo }) => buildInfo.what === 'build' && buildInfo.failed !== true);
  const most = good.reduce((n, { buildInfo }) => Math.max(n, buildInfo.jobs ?? 0), 0);
  return good.findLast(({ buildInfo }) => (buildInfo.jobs ?? 0) >= MIN_FULL_BUILD_SHARE * most);
}

/** Adds the running commands as steps (times since 1970), and estimates the end of the build. */
export function addLiveSteps(rows: StepWriter, commands: readonly RunningCommand[] | undefined, track: number, part: number) {
  const nowMs = Date.now();
  const { history } = rows.facts;
  const directory = rows.text('directory', rows.rows - 1);
  const builds = history?.builds.length ?? 0;
  const keys = history ? Array.from(history.key, (key) => rows.sink.strings.text(key)) : [];
  const running = (commands ?? []).map(({ command, startMs }) => {
    const guess = guessStep(command);
    const { role, name, source, output } = guess;
    const target = output === undefined ? undefined : /CMakeFiles\/([^/]+)\.dir\//.exec(output)?.[1]; // bounded: each run is looked at once
    const step = rows.add({
      ...{ name, role, source, target, command, directory, track, part },
      startUs: startMs * 1000,
      durationUs: Math.max(0, nowMs - startMs) * 1000,
      result: null,
      caveat: 'still running',
      outputs: output === undefined ? [] : [{ path: output, bytes: null }],
    });
    const key = keys.findIndex(
      (k) =>
        isKeyOfStep(k, guess) ||
        (source !== undefined && isKeyOfStep(k, { ...guess, source: absolutePath(directory ?? '', source) })),
    );
    let beforeMs = Number.NaN;
    // The expected duration is that of the latest build with this step.
    if (key >= 0 && history)
      for (let b = builds - 1; b >= 0 && Number.isNaN(beforeMs); b--) beforeMs = history.ms[key * builds + b];
    return { step, beforeUs: beforeMs * 1000 };
  });
  const tookMs = history && lastCompleteBuild(history)?.buildInfo.durationMs;
  const soFarUs = summedSpansUs(rows.stages(stageOf).filter((s) => s.part === part));
  rows.live = {
    atUs: nowMs * 1000,
    running: {
      step: Uint32Array.from(running, (r) => r.step),
      beforeUs: Float64Array.from(running, (r) => r.beforeUs),
    },
    expectedEndUs: tookMs === undefined ? Number.NaN : nowMs * 1000 + tookMs * 1000 - soFarUs,
    ...(commands === undefined ? { unknown: 'this system does not say which commands run' } : {}),
  };
}

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
export function addBuildProgress(rows: StepWriter, first: number, part: number, file: BuildFile): void {
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
