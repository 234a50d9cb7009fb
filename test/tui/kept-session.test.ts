// A session that is kept can be read again, however much was pasted.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { lastSession } from '../../src/io/user/last-session.ts';
import { KeptSession } from '../../src/tui/kept-session.ts';
import { SessionPlayer } from '../../src/tui/playing.ts';

test('a session with many long pastes is kept from its start, as far as it is read again', () => {
  const before = process.env['XDG_STATE_HOME'];
  const folder = mkdtempSync(join(tmpdir(), 'proftui-state-'));
  process.env['XDG_STATE_HOME'] = folder;
  try {
    const kept = new KeptSession();
    kept.paths = ['/a/callgrind.out'];
    const paste = { type: 'input', text: '世'.repeat(10_000) } as const;
    for (let k = 0; k < 500; k++) kept.add(k % 2 === 0 ? paste : { type: 'none' });
    // What comes later builds on what was left out.
    kept.add({ type: 'none' });
    kept.save();
    const last = lastSession();
    assert.deepEqual([last?.paths, last?.folder], [['/a/callgrind.out'], process.cwd()]);
    const lines = readFileSync(last?.file ?? '', 'utf8')
      .trimEnd()
      .split('\n')
      .slice(3);
    assert.ok(lines.length > 150 && lines.length < 250, `${lines.length} lines`);
    lines.forEach((line, k) => {
      assert.equal(line, JSON.stringify(k % 2 === 0 ? paste : { type: 'none' }));
    });
  } finally {
    if (before === undefined) delete process.env['XDG_STATE_HOME'];
    else process.env['XDG_STATE_HOME'] = before;
    rmSync(folder, { recursive: true });
  }
});

test('paths of a session are relative to the folder in which it was recorded', async () => {
  const opened = async (folder: string | undefined, path: string) => {
    const playing = new SessionPlayer(folder);
    const effects: unknown[] = [];
    const done = playing.play([{ type: 'none' }], () => effects.push(...playing.filterEffects([{ type: 'open-file', path }])));
    playing.loadEnded();
    await done;
    return effects;
  };
  assert.deepEqual(await opened('/home/dev/build', '../old/b.out'), [{ type: 'open-file', path: '/home/dev/old/b.out' }]);
  assert.deepEqual(await opened('/home/dev/build', '/tmp/b.out'), [{ type: 'open-file', path: '/tmp/b.out' }]);
  assert.deepEqual(await opened(undefined, 'b.out'), [{ type: 'open-file', path: 'b.out' }]);
});
