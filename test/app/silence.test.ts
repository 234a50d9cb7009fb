// Every key that a view offers does something, or says why it does not.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { actionOfBinding, bindingsOf, disabledReason, isGlobalBinding } from '../../src/app/keymap.ts';
import { activeView } from '../../src/app/state.ts';
import { loadProfile } from '../../src/io/load.ts';
import { viewsOf } from '../../src/views/index.ts';
import { LIST_KEYS, SHIFT_KEYS } from '../../src/views/parts/list.ts';
import { existing, ROOT } from '../support/fixtures.ts';
import { type Player, play } from '../support/keys.ts';
import { long } from '../support/long.ts';

process.chdir(ROOT);

const FILES = [
  'callgrind/default.callgrind.out',
  'callgrind/instr-jumps.callgrind.out',
  'callgrind/nothing.callgrind.out',
  'cachegrind/heat.cachegrind.out',
  'gperftools/symbolized.prof',
  'aprof/sorts-cct/sorts_29653_0_4.aprof',
  'aprof/edge/01-every-tag.aprof',
  'ninja-log/mbedtls/.ninja_log',
  'trace-events/clang-time-trace/parse.json',
  'build-trace/harbor.trace',
];

/** Movement that has come to its end is seen to have; a name style changes names, which may all be short. */
const SEEN = new Set([...[...LIST_KEYS, ...SHIFT_KEYS].flatMap((b) => b.keys), 'names']);
/** Here the same keys are not those of a list. */
const VIEWS = ['gantt', 'curve', 'graph', 'flame'];
const MOVED = new Set(['right', 'left', 'down', 'up'].flatMap((key) => VIEWS.map((view) => `${view} ${key}`)));

const seen = (p: Player) => toPlainText(drawScreen(p.state));

/** The view's own keys that change nothing on the screen, request nothing and say nothing. */
function silentKeys(p: Player): string[] {
  const before = p.state;
  const shown = seen(p);
  const out: string[] = [];
  for (const b of bindingsOf(activeView(p.state))) {
    const key: string | undefined = b.keys[0];
    // Without a key, a menu or a command does it, which says why it cannot.
    if (key === undefined && disabledReason(p.state, b) !== undefined) continue;
    if (isGlobalBinding(b) || (key !== undefined && SEEN.has(key) && !MOVED.has(`${activeView(p.state).id} ${key}`))) continue;
    p.state = { ...before, message: undefined };
    const effects = p.effects.length;
    const quiet = seen(p);
    if (key === undefined) p.act(actionOfBinding(p.state, b));
    else p.press(key);
    if (seen(p) === quiet && p.state.message === undefined && p.effects.length === effects) out.push(key ?? b.help);
    p.state = before;
  }
  assert.equal(seen(p), shown);
  return out;
}

for (const file of FILES) {
  long(`no key of a view is silent: ${file}`, async () => {
    const p = play(await loadProfile([existing(join('fixtures', file))]), { width: 120, height: 30 });
    const found: string[] = [];
    const look = (where: string) => found.push(...silentKeys(p).map((key) => `${activeView(p.state).id}, ${where}: ${key}`));
    for (const focus of [false, true]) {
      if (focus) p.press('routines', 'g', 'enter');
      for (const { id } of viewsOf(p.state.analysis)) {
        p.act({ type: 'view', view: id });
        look('as it opens');
        p.press('G');
        look('at the end');
        p.press('g');
        look('at the start');
        p.press('&').type('no row is named so').press('enter');
        look('with no row');
        p.press('esc');
      }
    }
    assert.deepEqual([...new Set(found)], []);
  });
}
