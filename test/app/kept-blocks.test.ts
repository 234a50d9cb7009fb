// Lines of Overview and Findings that are kept from key to key are those that are made anew.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import type { Action } from '../../src/app/action.ts';
import { detailLines } from '../../src/app/detail.ts';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { initialState } from '../../src/app/first-state.ts';
import type { AppState } from '../../src/app/state.ts';
import { update } from '../../src/app/update.ts';
import { loadProfile } from '../../src/io/load.ts';
import { existing, FIXTURES } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';
import { versus } from '../support/versus.ts';

const SIZE = { width: 100, height: 30, timeBudgetMs: 0 };
const load = (path: string) => loadProfile([existing(join(FIXTURES, path))]);
const screen = (state: AppState) => toPlainText(drawScreen(state));
const finished = (state: AppState): AppState => {
  let next = state;
  do [next] = update(next, { type: 'work' });
  while (next.unfinished);
  return next;
};

test('lines kept from key to key are those made anew', async () => {
  const other = initialState(await load('folded/perf.folded'), SIZE);
  const base = versus(await load('compare/v1/shop.callgrind.out'));
  const opened = [
    initialState(await load('callgrind/instr-jumps.callgrind.out'), SIZE),
    initialState(await load('pprof/heap.pb.gz'), SIZE),
    initialState(await load('compare/v2/shop.callgrind.out'), { ...SIZE, versus: base }),
    initialState(await load('ninja-log/mbedtls/.ninja_log'), SIZE),
  ];
  const keys: readonly (string | Action)[] = ['j', 'j', 'V', 'percent', { type: 'resize', width: 70, height: 12 }, 'k', 'v'];
  let looking = 0;
  for (const start of opened)
    for (const view of ['overview', 'findings'] as const) {
      let [state] = update(start, { type: 'view', view });
      if (/looking …|analysing …/.test(screen(state))) looking++;
      for (const key of keys) {
        state = finished(state);
        const player = play(state.analysis.profile, SIZE);
        player.state = state;
        state = finished((typeof key === 'string' ? player.press(key) : player.act(key)).state);
        const seen = screen(state);
        for (const evicting of ['overview', 'findings'] as const) screen(update(other, { type: 'view', view: evicting })[0]);
        assert.equal(screen(state), seen, `${view} ${JSON.stringify(key)}`);
      }
    }
  assert.ok(looking > 2, `${looking} were drawn before their work was done`);
});

test('the details of a group of routines name the group', async () => {
  const player = play(await load('callgrind/instr-jumps.callgrind.out'), { width: 80, height: 24 }).press('overview');
  const details: string[] = [];
  for (let row = 0; row < 20; row++) details.push(detailLines(player.press('j').state).join(' '));
  assert.ok(details.includes(' own') || details.includes('own'), details.join('\n'));
  assert.ok(details.some((text) => text.trim() === 'loader  ld-linux-x86-64.so.2'));
});

test('the Overview stops at what is not known yet, so that no line that is read moves later', async () => {
  for (const path of ['callgrind/instr-jumps.callgrind.out', 'pprof/heap.pb.gz', 'ninja-log/mbedtls/.ninja_log']) {
    let [state] = update(initialState(await load(path), SIZE), { type: 'none' });
    const known: string[][] = [];
    for (;;) {
      // Without title, tabs, details and footer.
      const lines = screen(state).split('\n').slice(2, -4);
      const pending = lines.findIndex((line) => line.includes('looking …'));
      if (pending >= 0)
        assert.deepEqual(
          lines
            .slice(pending + 1)
            .join('')
            .trim(),
          '',
          lines.join('\n'),
        );
      // Headings gain counts and sums.
      known.push((pending < 0 ? lines : lines.slice(0, pending)).map((line) => (/^ [A-Z]/.test(line) ? 'heading' : line)));
      if (!state.unfinished) break;
      [state] = update(state, { type: 'work' });
    }
    const last = known.at(-1)!;
    assert.ok(last.length > 10, path);
    for (const lines of known) assert.deepEqual(last.slice(0, lines.length), lines, path);
  }
});
