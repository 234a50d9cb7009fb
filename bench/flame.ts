// npm run bench:flame -- [STACKS]: the flame graph of a million stacks that are made up: opening it, and then frames of it, with a tree of more
// than a million nodes once everything is unfolded. CPU of all threads, the least of several runs.
import { childrenOf, type Tree } from '../src/analysis/answers/tree.ts';
import { drawScreen } from '../src/app/draw.ts';
import { initialState } from '../src/app/first-state.ts';
import { type AppState, eventOf } from '../src/app/state.ts';
import { update } from '../src/app/update.ts';
import type { Profile } from '../src/model/profile.ts';
import type { AnyViewAction } from '../src/views/index.ts';
import { treeOf } from '../src/views/tree/places.ts';
import { manyStacks } from './many-stacks.ts';

const STACKS = Number(process.argv[2] ?? 1_000_000);
const RUNS = 3;
/** As tui/run.tsx has it. */
const PATIENCE_MS = 10;
const FRAMES = 300;
const MOST_NODES = 1_200_000;

const say = (text: string) => process.stdout.write(`${text}\n`);

function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Opens the view, and goes on until nothing is left to unfold for the screen. */
function open(profile: Profile) {
  let state: AppState = initialState(profile, { width: 200, height: 60, timeBudgetMs: PATIENCE_MS });
  [state] = update(state, { type: 'none' });
  drawScreen(state);
  const began = cpu();
  let longest = 0;
  let first = 0;
  for (let next: Parameters<typeof update>[1] = { type: 'view', view: 'flame' }; ; next = { type: 'work' }) {
    const from = cpu();
    [state] = update(state, next);
    drawScreen(state);
    const turn = cpu() - from;
    if (first === 0) first = turn;
    else longest = Math.max(longest, turn);
    if (!state.unfinished) break;
  }
  return { state, first, longest, all: cpu() - began };
}

/** Frames after keys that move the cursor, and zoom: the median and the 99th percentile. */
function frames(from: AppState, actions: readonly AnyViewAction[]): string {
  let state = from;
  const took: number[] = [];
  for (let i = 0; i < FRAMES; i++) {
    const before = cpu();
    [state] = update(state, { type: 'in-view', view: 'flame', action: actions[i % actions.length] });
    drawScreen(state);
    took.push(cpu() - before);
  }
  took.sort((a, b) => a - b);
  return `${took[FRAMES >> 1].toFixed(1)} ms, at the 99th percentile ${took[Math.floor(FRAMES * 0.99)].toFixed(1)} ms`;
}

/** Unfolds everything, breadth first, up to so many nodes. */
function unfoldAll(tree: Tree, event: AppState['analysis']['events'][number], most: number): number {
  const open = [...tree.roots];
  for (let k = 0; k < open.length && tree.nodes.length < most; k++)
    if (tree.source.canUnfold(tree, tree.nodes[open[k]])) open.push(...childrenOf(tree, open[k], event));
  return tree.nodes.length;
}

const profile = manyStacks(STACKS);

say(`${STACKS} stacks`);
const runs = Array.from({ length: RUNS }, () => open(profile));
const least = (of: (run: (typeof runs)[number]) => number) => `${Math.round(Math.min(...runs.map(of)))} ms`;
say(
  `opened: ${least((r) => r.all)} until the screen is full; the first turn ${least((r) => r.first)}, the longest after it ${least((r) => r.longest)}`,
);
const [{ state }] = runs;
const tree = treeOf(state.analysis, false, eventOf(state), -1);
const keys = ['down', 'down', 'up'] as const;
say(
  `a move in it: ${frames(
    state,
    keys.map((type) => ({ type })),
  )}`,
);
const before = cpu();
const nodes = unfoldAll(tree, eventOf(state), MOST_NODES);
say(`${nodes} nodes unfolded: ${Math.round(cpu() - before)} ms`);
say(
  `a move: ${frames(
    state,
    keys.map((type) => ({ type })),
  )}`,
);
say(`a zoom, and back: ${frames(state, [{ type: 'down' }, { type: 'zoom' }, { type: 'unzoom' }])}`);
