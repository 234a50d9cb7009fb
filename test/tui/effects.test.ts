// What a profile names is opened only if it is a regular file.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { loadProfile } from '../../src/io/load.ts';
import { type EffectContext, runEffect } from '../../src/tui/effects.ts';
import { existing, FIXTURES } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';

test('a trace that a build names is opened only if it is a regular file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-open-'));
  assert.equal(spawnSync('mkfifo', [join(folder, 'fifo.json')]).status, 0);
  writeFileSync(join(folder, 'real.json'), '[]');
  symlinkSync('real.json', join(folder, 'link.json'));
  const p = play(await loadProfile([existing(join(FIXTURES, 'callgrind/default.callgrind.out'))]), { width: 80, height: 24 });
  const context = { state: () => p.state, applyStep: ([state]) => void (p.state = state) } satisfies Partial<EffectContext>;
  for (const [name, why] of [
    ['fifo.json', /fifo\.json: a FIFO, not a regular file/],
    ['link.json', /link\.json: a link/],
    ['none.json', /none\.json: no such file/],
  ] as const) {
    // The effect ends before it needs anything else of its context.
    runEffect({ type: 'open', path: join(folder, name) }, context as unknown as EffectContext);
    assert.match(p.state.message?.text ?? '', why);
  }
});
