// npm run bench:slices: filters and searches over a million routines: how long they take in all, and how long a key would wait at most.
import { drawScreen } from '../src/app/draw.ts';
import { initialState } from '../src/app/first-state.ts';
import type { AppState } from '../src/app/state.ts';
import { update } from '../src/app/update.ts';
import { manyRoutines } from './many-routines.ts';

const ROUTINES = Number(process.argv[2] ?? 1_000_000);
/** As tui/run.tsx has it. */
const PATIENCE_MS = 10;
const SHOW_MS = 60;

const started = performance.now();
const profile = await manyRoutines(ROUTINES);
process.stdout.write(`loaded ${ROUTINES} routines in ${Math.round(performance.now() - started)} ms\n`);

let state: AppState = initialState(profile, { width: 200, height: 60, timeBudgetMs: PATIENCE_MS });

/** Does an action and what is left of it, as the screen does; says how long all and the longest turn took. */
function time(name: string, action: Parameters<typeof update>[1]): void {
  const start = performance.now();
  let longest = 0;
  let shown = 0;
  for (let next = action; ; next = { type: 'work' }) {
    const from = performance.now();
    [state] = update(state, next);
    if (!state.unfinished || from - shown >= SHOW_MS) {
      drawScreen(state);
      shown = performance.now();
    }
    longest = Math.max(longest, performance.now() - from);
    if (!state.unfinished) break;
  }
  const all = performance.now() - start;
  process.stdout.write(
    `${name.padEnd(34)} ${Math.round(all).toString().padStart(6)} ms, longest turn ${Math.round(longest)} ms\n`,
  );
}

const filter = (argument: string) => ({ type: 'command', name: 'filter', argument }) as const;
time('first frame', { type: 'none' });
for (const text of [
  'method_99',
  'mthd9',
  '/method_9.*7/',
  '/(\\w+\\W*)+foo/',
  '/CLASS12.*char/i',
  '!/x.*y/',
  '!/method_1/',
  '/a|b|c/',
]) {
  time(`filter ${text}`, filter(text));
  time('  and none', filter(''));
}
for (const text of ['method_999999', '/method_9{6}.*/', '/(\\w+\\W*)+foo/'])
  time(`search ${text}`, { type: 'command', name: 'search', argument: text });
