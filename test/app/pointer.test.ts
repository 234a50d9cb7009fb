// Clicks and the wheel, cell by cell: they act on what is drawn there, at three sizes.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { createElement } from 'react';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { parseSession, SESSION_HEAD } from '../../src/app/session.ts';
import { type AppState, frameHeightsOf, panelPlace } from '../../src/app/state.ts';
import { update } from '../../src/app/update.ts';
import { SessionError } from '../../src/base/errors.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { openFrameRenderer } from '../../src/tui/ink-frames.ts';
import { Screen } from '../../src/tui/Screen.tsx';
import { viewsOf } from '../../src/views/index.ts';
import { existing, FIXTURES } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';
import { long, some } from '../support/long.ts';

const SIZES = [
  [40, 10],
  [80, 24],
  [200, 60],
] as const;
const load = (file: string) => loadProfile([existing(join(FIXTURES, file))]);
const PROFILE = 'callgrind/default.callgrind.out';

const linesOf = (state: AppState) => toPlainText(drawScreen(state)).split('\n');
const marked = (state: AppState) => linesOf(state).find((line) => line.startsWith('▶'));
const click = (state: AppState, x: number, y: number) => update(state, { type: 'click', x, y })[0];
const wheel = (state: AppState, by: 1 | -1, x: number, y: number) => update(state, { type: 'wheel', by, x, y })[0];
/** The tab of Calls. */
const CALLS = '3';
const bodyTop = (state: AppState) => frameHeightsOf(state).title + frameHeightsOf(state).tabs;

for (const [width, height] of SIZES) {
  const size = `${width}x${height}`;
  const after = (profile: Profile, ...keys: string[]) => play(profile, { width, height }).press(...keys).state;

  test(`each cell of the tabs shows its view: ${size}`, async () => {
    const profile = await load(PROFILE);
    const state = after(profile, 'calls');
    const y = frameHeightsOf(state).title;
    const tabs = [
      ...linesOf(state)
        [y].padEnd(width)
        .matchAll(/[[ \]](\d)(?: [A-Z][a-z]+)(?=[[\] ›]|$)/g),
    ];
    const all = viewsOf(state.analysis).filter(({ partOf }) => partOf === undefined).length;
    assert.ok(width < 100 ? tabs.length >= 3 : tabs.length === all, `${tabs.length} of ${all}`);
    for (let x = 0; x < width; x++) {
      const digit = tabs.find((t) => x >= t.index && x < t.index + t[0].length)?.[1] ?? CALLS;
      const next = click(state, x, y);
      if (digit === CALLS) assert.equal(next, state, `cell ${x}`);
      else assert.equal(next.view, after(profile, digit).view, `cell ${x}`);
    }
  });

  test(`each row gets the cursor, and opens when it has it: ${size}`, async () => {
    const profile = await load(PROFILE);
    for (const keys of [
      ['j', 'j'],
      ['G', 'k'],
      ['tree', ']'],
      ['info', 'j'],
    ]) {
      const state = after(profile, ...keys);
      const lines = linesOf(state);
      const top = bodyTop(state) + (state.view === 'info' ? 0 : 1);
      const end = height - frameHeightsOf(state).detail - frameHeightsOf(state).footer;
      for (let y = top; y < end; y++) {
        const next = click(state, y % width, y);
        if (lines[y] === '') assert.equal(next, state);
        else if (lines[y].startsWith('▶')) assert.deepEqual(linesOf(next), linesOf(after(profile, ...keys, 'enter')), `${keys}`);
        else assert.equal(marked(next)?.slice(1), lines[y].slice(1), `${keys}: line ${y}`);
      }
      for (let y = end; y < height - frameHeightsOf(state).footer; y++) assert.equal(click(state, 1, y), state, 'the detail');
    }
  });

  long(`each heading sorts by its column, and again the other way round: ${size}`, async () => {
    for (const [file, keys, fixed] of [
      [PROFILE, ['routines'], /%/],
      [PROFILE, ['i', 'G'], /%/],
      ['ninja-log/mbedtls/.ninja_log', ['steps'], /^#$|%|step|all:|result|0\)/],
      ['aprof/sorts-cct/sorts_29653_0_4.aprof', ['growth'], /^$/],
    ] as const) {
      const state = after(await load(file), ...keys);
      const y = bodyTop(state);
      const heading = linesOf(state)[y];
      let sorted = 0;
      for (const { 0: word, index } of heading.matchAll(/[^\s▲▼]+/g)) {
        // The arrow takes the place of the last letters where the column has no room for both.
        const arrow = (s: AppState): string => {
          const found = /[▲▼](\S*)|(\S*)[▲▼]/.exec(linesOf(s)[y]);
          const title = (found?.[1] || found?.[2])?.replace('…', '') ?? '?';
          assert.ok(word.startsWith(title), `${word}: ${linesOf(s)[y]}`);
          return found?.[0].includes('▲') ? 'up' : 'down';
        };
        for (let x = index; x < index + word.length; x++) {
          const once = click(state, x, y);
          if (fixed.test(word) || once === state) continue;
          const twice = click(once, x, y);
          sorted++;
          assert.notEqual(arrow(once), arrow(twice), heading);
        }
      }
      assert.ok(sorted > 3, `${file}: ${heading}`);
    }
  });

  long(`rows of panels are chosen where they are drawn, and taken by a click on the one that is chosen: ${size}`, async () => {
    const profile = await load('callgrind/cache-branch.callgrind.out');
    for (const keys of [['?'], [':', 'pagedown', 'pagedown'], ['v', 'down']]) {
      const state = after(profile, ...keys);
      let drawn: readonly string[] = [];
      const theme = { palette: undefined } as const;
      const frames = openFrameRenderer(width, height, (lines) => {
        drawn = lines.map((line) => line.replace(/\u001b\[[0-9;]*m/g, '').trimEnd());
      });
      const look = (s: AppState) => {
        frames.draw(createElement(Screen, { state: s, theme }), false);
        return drawn;
      };
      const lines = look(state);
      let chosen = 0;
      for (let y = 0; y < height; y++) {
        const next = click(state, 3, y);
        if (/^ +▶/.test(lines[y] ?? '')) {
          assert.deepEqual(look(next), look(after(profile, ...keys, ...(keys[0] === '?' ? [] : ['enter']))), `line ${y}`);
          continue;
        }
        if (next === state) continue;
        chosen++;
        // Drawing tall panels takes long.
        if (y > 10 && y < height - 6) continue;
        assert.equal(
          look(next)
            .find((line) => /^ +▶/.test(line))
            ?.replace('▶', ' '),
          lines[y],
          `${keys}: line ${y}`,
        );
      }
      const rows = lines.slice(panelPlace(state).top + 2, -1 - frameHeightsOf(state).detail).filter((line) => line !== '');
      assert.equal(chosen, rows.length - 1, lines.join('\n'));
      frames.close();
    }
  });

  test(`keys that the footer names are pressed by a click: ${size}`, async () => {
    const profile = await load(PROFILE);
    const state = after(profile);
    const line = linesOf(state)[height - 1];
    for (const [name, key] of [
      ['Enter details', 'enter'],
      ['? help', '?'],
      ['i incl', 'i'],
    ]) {
      const at = line.indexOf(name);
      if (at < 0) continue;
      for (let x = at; x < at + name.length; x++)
        assert.deepEqual(linesOf(click(state, x, height - 1)), linesOf(after(profile, key)), name);
    }
    assert.ok(line.includes('q back'));
    const home = click(state, line.indexOf('q back'), height - 1);
    assert.equal(home.view, 'overview');
    const at = linesOf(home)[height - 1].indexOf('q quit');
    assert.deepEqual(update(home, { type: 'click', x: at, y: height - 1 })[1], [{ type: 'quit' }]);
  });
}

test('the wheel moves three rows, as the keys of the view would, and says nothing at the end', async () => {
  const { state } = play(await load(PROFILE), { width: 80, height: 24 });
  const three = play(await load(PROFILE), { width: 80, height: 24 }).press('j', 'j', 'j').state;
  assert.equal(marked(wheel(state, 1, 5, 5)), marked(three));
  assert.equal(marked(wheel(wheel(state, 1, 5, 5), -1, 5, 5)), marked(state));
  assert.equal(wheel(state, -1, 5, 5).message, undefined);
  // The title, the tabs and the footer have nothing to scroll.
  for (const y of [0, 1, 23, 24, 1000]) assert.equal(wheel(state, 1, 5, y), state);
  const help = play(await load(PROFILE), { width: 80, height: 24 }).press('?').state;
  assert.equal(wheel(help, 1, 5, 0).panel?.row, 3);
  assert.equal(wheel(wheel(help, 1, 5, 0), -1, 5, 0).panel?.row, 0);
  const build = play(await load('ninja-log/mbedtls/.ninja_log'), { width: 80, height: 24 });
  const lane = wheel(build.state, 1, 5, 5);
  // All but why the third key did nothing.
  const pressed = linesOf(build.press('down', 'down', 'down').state);
  assert.deepEqual(linesOf(lane).toSpliced(-2, 1), pressed.toSpliced(-2, 1));
});

test('what has no use for the pointer does nothing and says nothing', async () => {
  const profile = await load(PROFILE);
  for (const keys of [['/'], ['&', 'a'], ['m']]) {
    const { state } = play(profile, { width: 80, height: 24 }).press(...keys);
    for (let y = 0; y < 25; y++) {
      assert.equal(click(state, 3, y), state, `${keys}`);
      assert.equal(wheel(state, 1, 3, y), state, `${keys}`);
    }
  }
  const { state } = play(profile, { width: 80, height: 24 }).press("'", 'a');
  assert.match(state.message?.text ?? '', /no routine is marked a/);
  assert.equal(click(state, 3, 0), state, 'a message stays');
  assert.equal(click(state, 3, 5).message, undefined, 'unless the cursor moves');
});

long('any cell, in every view, also far outside: nothing is thrown, and the screen keeps its size', async () => {
  for (const file of some([
    PROFILE,
    'aprof/sorts-cct/sorts_29653_0_4.aprof',
    'build-trace/harbor.trace',
    'ninja-log/mbedtls/.ninja_log',
    'callgrind/nothing.callgrind.out',
  ])) {
    const profile = await load(file);
    for (const [width, height] of [
      [40, 10],
      [80, 24],
      [1, 1],
      [12, 3],
    ] as const)
      for (const { id } of viewsOf(play(profile, { width, height }).state.analysis)) {
        const { state } = play(profile, { width, height }).act({ type: 'view', view: id });
        const cells = Array.from({ length: height + 2 }, (_, y) => y).flatMap((y) =>
          Array.from({ length: Math.ceil((width + 2) / (1 + (width >> 3))) }, (_, k) => [k * (1 + (width >> 3)), y] as const),
        );
        for (const [x, y] of some(cells)) assert.equal(linesOf(click(state, x, y)).length, height, `${id} ${x},${y}`);
        assert.equal(linesOf(wheel(click(state, 65535, 65535), 1, 0, height >> 1)).length, height);
      }
  }
});

test('a session may hold clicks on cells, and no others', () => {
  const lines = ['{"type":"click","x":3,"y":4}', '{"type":"wheel","by":-1,"x":0,"y":0}'];
  assert.equal(parseSession([SESSION_HEAD, ...lines].join('\n')).length, 2);
  for (const line of [
    '{"type":"click","x":3}',
    '{"type":"click","x":-1,"y":4}',
    '{"type":"click","x":1.5,"y":4}',
    '{"type":"wheel","x":1,"y":4}',
    '{"type":"wheel","by":3,"x":1,"y":4}',
  ])
    assert.throws(() => parseSession(`${SESSION_HEAD}\n${line}`), SessionError, line);
});
