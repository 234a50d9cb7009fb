// No key leads to a view that the profile does not have: each key of each view, then Enter.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { drawScreen } from '../../src/app/draw.ts';
import { bindingsOf } from '../../src/app/keymap.ts';
import { activeView } from '../../src/app/state.ts';
import { traceEvents } from '../../src/formats/trace-events/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { viewsOf } from '../../src/views/index.ts';
import { existing, FIXTURES } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';
import { loadText } from '../support/load.ts';
import { long } from '../support/long.ts';

const FILES = [
  'callgrind/instr-jumps.callgrind.out',
  'callgrind/nothing.callgrind.out',
  'callgrind/xtree-leak.callgrind.out',
  'cachegrind/heat.cachegrind.out',
  'gperftools/symbolized.prof',
  'gperftools/empty.prof',
  'aprof/sorts-cct/sorts_29653_0_4.aprof',
  'aprof/edge/06-old-version-2.aprof',
  'ninja-log/mbedtls/.ninja_log',
  'trace-events/clang-time-trace/parse.json',
  'trace-events/hand/async.json',
  'build-trace/harbor.trace',
];

function pressAll(profile: Profile): void {
  const p = play(profile, { width: 100, height: 30 });
  const views = viewsOf(p.state.analysis).map((v) => v.id);
  for (const view of views) {
    p.act({ type: 'view', view });
    const opened = p.state;
    for (const { keys } of bindingsOf(activeView(opened)))
      for (const key of keys.filter((k) => !['q', 'ctrl-c', 'e', 'R'].includes(k))) {
        p.state = opened;
        assert.doesNotThrow(() => drawScreen(p.press(key, 'enter').state), `${view}: ${key} enter`);
        assert.ok(views.includes(p.state.view), `${view}: ${key} enter leads to ${p.state.view}`);
      }
    p.state = opened;
  }
}

for (const file of FILES)
  long(`no key and Enter lead to a view that is not there: ${file}`, async () => {
    pressAll(await loadProfile([existing(join(FIXTURES, file))]));
  });

long('the same of traces with nothing, and with two slices at the end of what doubles can tell apart', async () => {
  const slice = (ts: number) => `{"ph":"X","name":"a","ts":${ts},"dur":1,"pid":1,"tid":1}`;
  for (const trace of ['[]', `[${slice(0)},${slice(2 ** 53)}]`, `[${slice(2 ** 60)},${slice(2 ** 60 + 256)}]`])
    pressAll(await loadText(traceEvents, trace));
});
