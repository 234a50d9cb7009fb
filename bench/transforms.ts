// npm run bench:transforms -- [FILE]: what transforms take, and how long a key would wait at most while they are worked out. Twenty of them on a
// million stacks that are made up; each word on a call graph: FILE, or one of 100,000 made-up routines. Everything is given against the
// time of reading or making the same profile in the same run: the machines are noisy.
import { analyse } from '../src/analysis/answers/analyse.ts';
import { routineName } from '../src/analysis/names/names.ts';
import { ROUTINE_GRANULARITY } from '../src/analysis/profiles/granularity/stacks.ts';
import { buildShownProfileInSlices } from '../src/analysis/profiles/shown.ts';
import { exactPattern, parseTransform, type Transform } from '../src/analysis/profiles/transforms/transform.ts';
import { drawScreen } from '../src/app/draw.ts';
import { initialState } from '../src/app/first-state.ts';
import type { AppState } from '../src/app/state.ts';
import { update } from '../src/app/update.ts';
import { loadProfile } from '../src/io/load.ts';
import type { Profile } from '../src/model/profile.ts';
import { manyRoutines } from './many-routines.ts';
import { DEPTH, manyStacks } from './many-stacks.ts';

const STACKS = 1_000_000;
const ROUTINES = 100_000;
const RUNS = 5;
/** As tui/run.tsx has it. */
const PATIENCE_MS = 10;

const TWENTY = [
  'hide=level_3_routine_1$',
  'focus=level_1_',
  'ignore=level_5_routine_17$',
  'collapse=recursion',
  'merge=^level_2_routine_[0-4]',
  'hide=file:file_33',
  'show-from=level_[01]_',
  'prune-from=level_14_routine_9',
  'focus=level_9_|level_8_',
  'ignore=level_11_routine_[78]$',
  'hide=level_4_routine_1',
  'merge=file:level_6/',
  'show=level|\\(',
  'ignore=line:file_77.c:1',
  'hide=level_7_routine_[0-8]$',
  'focus=.',
  'collapse=recursion',
  'prune-from=level_12_routine_5',
  'ignore=nothing_of_that_name',
  'collapse=chains',
];

const round = (ms: number) => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
const say = (text: string) => process.stdout.write(`${text}\n`);

interface Measured {
  readonly cpu: number;
  readonly longest: number;
}

/** The least of several runs: what else the machine does only ever adds to it. */
function least(runs: readonly Measured[]): Measured {
  return { cpu: Math.min(...runs.map((r) => r.cpu)), longest: Math.min(...runs.map((r) => r.longest)) };
}

/** CPU so far, of all threads: others on the machine do not count. */
function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function cpuOf(work: () => void): number {
  const before = cpu();
  work();
  return cpu() - before;
}

/** The job alone: its CPU, and the most CPU between two of its pauses. */
function job(profile: Profile, transforms: readonly Transform[]): Measured {
  let longest = 0;
  const all = cpuOf(() => {
    const steps = buildShownProfileInSlices(profile, {
      granularity: ROUTINE_GRANULARITY,
      transforms,
      own: undefined,
      versus: undefined,
    });
    for (let last = cpu(), done = false; !done; ) {
      done = steps.next().done === true;
      const now = cpu();
      longest = Math.max(longest, now - last);
      last = now;
    }
  });
  return { cpu: all, longest };
}

/** The program without its terminal, until the frame that shows what is left: its CPU, and the longest turn. */
function screen(profile: Profile, keptTransforms: readonly Transform[]): Measured & { readonly last: number } {
  const kept = new Map([['', keptTransforms]]);
  let state: AppState = { ...initialState(profile, { width: 200, height: 60, timeBudgetMs: PATIENCE_MS }), keptTransforms: kept };
  [state] = update(state, { type: 'none' });
  drawScreen(state);
  let longest = 0;
  let last = 0;
  const all = cpuOf(() => {
    for (let reshaping = true, next: Parameters<typeof update>[1] = { type: 'take-kept' }; reshaping; next = { type: 'work' }) {
      const from = cpu();
      [state] = update(state, next);
      reshaping = state.reshaping !== undefined;
      if (!reshaping) drawScreen(state);
      last = cpu() - from;
      longest = Math.max(longest, last);
    }
  });
  return { cpu: all, longest, last };
}

function measure(name: string, profile: Profile, texts: readonly string[], made: number): void {
  const transforms = texts.map(parseTransform);
  const alone = least(Array.from({ length: RUNS }, () => job(profile, transforms)));
  const runs = Array.from({ length: RUNS }, () => screen(profile, transforms));
  const shown = least(runs);
  const last = Math.min(...runs.map((r) => r.last));
  say(
    `${name.padEnd(24)} ${(shown.cpu / made).toFixed(2)} of that: CPU ${round(shown.cpu)} to the frame, the job ${round(alone.cpu)}; ` +
      `longest pause ${round(alone.longest)}, longest turn ${round(shown.longest)}, the last ${round(last)}`,
  );
}

/** A routine of some cost, not the costliest: what people look for. */
function someRoutine(profile: Profile): string {
  const [inclusive] = analyse(profile, profile.events).totals.inclusive;
  const order = [...inclusive.keys()].sort((a, b) => inclusive[b] - inclusive[a]);
  return routineName(profile, order[Math.floor(order.length / 20)]);
}

const [file] = process.argv.slice(2);
if (file !== 'stacks') {
  let graph: Profile | undefined;
  const started = process.cpuUsage();
  graph = file === undefined ? await manyRoutines(ROUTINES) : await loadProfile([file]);
  const { user, system } = process.cpuUsage(started);
  const loaded = (user + system) / 1000;
  say(`call graph: ${file ?? `${ROUTINES} routines`}, ${graph.routines.name.length} routines; read with CPU of ${round(loaded)}`);
  const some = exactPattern('routine', someRoutine(graph));
  for (const word of ['focus', 'ignore', 'show-from', 'prune-from', 'hide', 'merge'])
    measure(word, graph, [`${word}=${some}`], loaded);
  measure('show=file:a', graph, ['show=file:a'], loaded);
  for (const text of ['only-own', 'collapse=recursion', 'collapse=chains']) measure(text, graph, [text], loaded);
}
let stacks: Profile | undefined;
const made = cpuOf(() => {
  stacks = manyStacks(STACKS);
});
if (stacks) {
  say(`stacks: ${STACKS} of ${DEPTH} frames, made with CPU of ${round(made)}`);
  measure('a focus', stacks, TWENTY.slice(1, 2), made);
  measure('20 transforms', stacks, TWENTY, made);
}
