// Filters and searches in slices: whatever a key may take, in the end every view shows the same, and keys are heard in between.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Action } from '../../src/app/action.ts';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { initialState } from '../../src/app/first-state.ts';
import type { AppState } from '../../src/app/state.ts';
import { update } from '../../src/app/update.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { viewsOf } from '../../src/views/index.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadText } from '../support/load.ts';
import { long } from '../support/long.ts';

const SIZE = { width: 110, height: 30 };
const PROFILES: readonly (readonly [path: string, patterns: readonly string[]])[] = [
  ['callgrind/default.callgrind.out', ['strcp', '/^_dl.*s$/', 'dlrlct', '!/a.*b/']],
  ['aprof/sorts/sorts_29651_0_4.aprof.gz', ['sort', '/(\\w+\\W*)+t/', 'qsrt', '!/.*a.*/']],
  ['ninja-log/mbedtls/.ninja_log.gz', ['core', '/\\w+\\.c.*/', 'tdpl', '!/c.*m/']],
  ['build-trace/harbor.trace.gz', ['cc', '/-o\\s+\\w+.*/', 'gcc1', '!/a.*s/']],
];

/** Does an action, and what is left of it in slices; how many it took. */
function done(state: AppState, action: Action): [AppState, number] {
  let [next] = update(state, action);
  let slices = 0;
  for (; next.unfinished; slices++) {
    assert.ok(slices < 100_000);
    [next] = update(next, { type: 'work' });
  }
  return [next, slices];
}

const screen = (state: AppState) => toPlainText(drawScreen(state));

function compare(profile: Profile, action: Action, then: readonly Action[]): number {
  let total = 0;
  for (const view of viewsOf(initialState(profile, SIZE).analysis)) {
    let [whole] = done(initialState(profile, SIZE), { type: 'view', view: view.id });
    let [sliced] = done(initialState(profile, { ...SIZE, timeBudgetMs: 0 }), { type: 'view', view: view.id });
    for (const a of [action, ...then]) {
      const [next, slices] = done(sliced, a);
      total += slices;
      // Rows that are not there yet may have moved the cursor.
      const home: Action = { type: 'in-view', view: view.id, action: { type: 'home' } };
      [sliced] = a === action ? done(next, home) : [next];
      const seen = screen(sliced);
      [whole] = done(whole, a);
      if (a === action) [whole] = done(whole, home);
      assert.equal(seen, screen(whole), `${view.id} ${JSON.stringify(a)}`);
    }
  }
  return total;
}

for (const [path, patterns] of PROFILES)
  long(`filters and searches end with the same screen in slices as at once: ${path}`, async () => {
    const profile = await loadProfile([`${FIXTURES}/${path}`]);
    let slices = 0;
    for (const argument of patterns) {
      slices += compare(profile, { type: 'command', name: 'filter', argument }, []);
      slices += compare(profile, { type: 'command', name: 'search', argument: argument.replace('!', '') }, [
        { type: 'search', by: 1 },
        { type: 'search', by: -1 },
      ]);
    }
    assert.ok(slices > 20, `${slices} slices`);
  });

test('conditions and sorting by laws in Growth go on in slices', async () => {
  const profile = await loadProfile([`${FIXTURES}/aprof/sorts/sorts_29651_0_4.aprof.gz`]);
  const where: Action = { type: 'command', name: 'filter', argument: 'sizes>3 r2>=0.5' };
  const next: Action = { type: 'in-view', view: 'growth', action: { type: 'sort-next' } };
  let slices = 0;
  let [whole] = done(initialState(profile, SIZE), { type: 'view', view: 'growth' });
  let [sliced] = done(initialState(profile, { ...SIZE, timeBudgetMs: 0 }), { type: 'view', view: 'growth' });
  for (const action of [where, ...Array<Action>(12).fill(next)]) {
    const [state, n] = done(sliced, action);
    const seen = screen(state);
    sliced = state;
    slices += n;
    [whole] = done(whole, action);
    assert.equal(seen, screen(whole), JSON.stringify(action));
  }
  assert.ok(slices > 20, `${slices} slices`);
});

test('a search of many rows is heard of, and Esc stops it', async () => {
  const lines = ['events: Ir'];
  for (let i = 0; i < 50_000; i++) lines.push(`fn=(${i}) some::long::name_of_${i}(int)\n${i} ${60_000 - i}`);
  const profile = await loadText(callgrind, `${lines.join('\n')}\n`);
  const search: Action = { type: 'command', name: 'search', argument: '/(\\w+\\W*)+_49000\\(/' };
  const [start] = update(initialState(profile, { ...SIZE, view: 'routines', timeBudgetMs: 0 }), { type: 'none' });
  const [looking] = update(start, search);
  assert.ok(looking.unfinished && looking.seeking);
  assert.match(screen(looking), /searching …, Esc stops it/);
  const [stopped] = update(looking, { type: 'escape' });
  assert.ok(!stopped.unfinished);
  assert.match(screen(stopped), /search stopped/);
  const [found, slices] = done(start, search);
  assert.ok(slices > 20, `${slices}`);
  assert.match(screen(found), /name_of_49000/);
});

test('keys typed behind a search are about the row that it finds', async () => {
  const profile = await loadProfile([`${FIXTURES}/callgrind/default.callgrind.out`]);
  const search: Action = { type: 'command', name: 'search', argument: 'skip_spa' };
  for (const view of ['overview', 'routines'] as const) {
    const [start] = update(initialState(profile, { ...SIZE, view, timeBudgetMs: 0 }), { type: 'none' });
    const [looking] = update(start, search);
    assert.ok(looking.seeking, view);
    assert.match(screen(update(looking, { type: 'view', view: 'source' })[0]), /skip_spaces/, view);
    assert.match(screen(update(looking, { type: 'search', by: 1 })[0]), /▶.*skip_spaces/, view);
  }
});
