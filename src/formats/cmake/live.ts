// A build that runs: CMake writes a step when it ends, and the system says what has not ended yet.
import { absolutePath } from '../../base/paths.ts';
import type { Sink } from '../../model/sink.ts';
import { type BuildHistory, FULL, type KeptBuild } from '../../model/steps/history.ts';
import { lastedUs } from '../../model/steps/stages.ts';
import { StepWriter } from '../../model/steps/writer.ts';
import type { RunningCommand } from '../loader.ts';
import { stageOf } from './snippet.ts';

interface Guess {
  readonly role: string;
  readonly name: string;
  readonly source?: string;
  readonly output?: string;
}

/** The outputs of a command line, as far as it names them. */
function guessOf(command: string): Guess {
  const words = command.split(/\s+/);
  const after = (option: string) => {
    const at = words.indexOf(option);
    return at < 0 ? undefined : words[at + 1];
  };
  const [source, output] = [after('-c'), after('-o')];
  const program = (words[0] ?? '').replace(/^.*\//, '');
  if (source !== undefined) return { role: 'compile', name: `compile: ${source}`, source, ...(output ? { output } : {}) };
  if (/^(ar|ranlib|ld|lld|gold|mold)\b/.test(program) || output !== undefined)
    return { role: 'link', name: `link: ${output ?? program}`, ...(output ? { output } : {}) };
  return { role: 'custom', name: `custom: ${command.slice(0, 200)}` };
}

/** Whether a key of the history is of this command. */
const isOf = (key: string, { role, source, output }: Guess): boolean =>
  key.startsWith(`${role} `) && (key.endsWith(` ${source}`) || key.endsWith(` ${output}`));

/** The last kept build that succeeded and had all to do. */
function lastComplete({ builds }: BuildHistory): KeptBuild | undefined {
  const good = builds.filter(({ about }) => about.what === 'build' && about.failed !== true);
  const most = good.reduce((n, { about }) => Math.max(n, about.jobs ?? 0), 0);
  return good.findLast(({ about }) => (about.jobs ?? 0) >= FULL * most);
}

/** Adds the commands that run to the steps, whose times are since 1970, and says when the build may end. */
export function addRunning(
  sink: Sink,
  commands: readonly RunningCommand[] | undefined,
  nowMs: number,
  track: number,
  part: number,
): void {
  const rows = sink.tables(StepWriter);
  const { history } = rows;
  const directory = rows.text('directory', rows.rows - 1);
  const builds = history?.builds.length ?? 0;
  const keys = history ? Array.from(history.key, (key) => sink.strings.text(key)) : [];
  const running = (commands ?? []).map(({ command, startMs }) => {
    const guess = guessOf(command);
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
      (k) => isOf(k, guess) || (source !== undefined && isOf(k, { ...guess, source: absolutePath(directory ?? '', source) })),
    );
    let beforeMs = Number.NaN;
    // In the last build in which it ran.
    if (key >= 0 && history)
      for (let b = builds - 1; b >= 0 && Number.isNaN(beforeMs); b--) beforeMs = history.ms[key * builds + b];
    return { step, beforeUs: beforeMs * 1000 };
  });
  const tookMs = history && lastComplete(history)?.about.durationMs;
  const soFarUs = lastedUs(rows.stages(stageOf).filter((s) => s.part === part));
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
