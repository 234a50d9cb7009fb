// What is kept between sessions: --resume, recent files; and the tour.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { FIXTURES } from '../support/fixtures.ts';
import { long } from '../support/long.ts';
import { endAll, openPty } from '../support/pty.ts';

const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
after(() => rmSync(folder, { recursive: true, force: true }));
afterEach(endAll);
const env = { XDG_STATE_HOME: join(folder, 'state') };
const DEFAULT = join(FIXTURES, 'callgrind/default.callgrind.out');

test('--resume opens what was open, and is where it was; where there is no profile, recent ones are offered', async () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const none = openPty(['--resume'], { env });
  await none.untilOutput(/no session is kept yet/);
  assert.equal((await none.exited).exitCode, 2);
  const first = openPty(['--sort', 'self', DEFAULT], { env });
  await first.until(/2 Routines/);
  first.send('6]');
  await first.until(/\[6 Tree\]/);
  first.send('\x03');
  assert.equal((await first.exited).exitCode, 0);
  const again = openPty(['--resume'], { env, cwd: empty });
  await again.until(/\[6 Tree\]/);
  again.send('qq');
  await again.exited;
  const here = openPty([], { env, cwd: empty });
  await here.until(/Recently opened[\s\S]*default\.callgrind\.out/);
  here.send('\r');
  await here.until(/\[1 Overview\]/);
  here.send('qq');
  assert.equal((await here.exited).exitCode, 0);
  const both = openPty(['--resume', DEFAULT], { env });
  await both.untilOutput(/chooses the profile: give no file/);
  assert.equal((await both.exited).exitCode, 2);
  assert.match(readFileSync(join(folder, 'state/proftui/last-session.jsonl'), 'utf8'), /^# opened \["/);
});

long('the tour goes on with the key that it asks for, and with no other; Esc leaves it', async () => {
  const tour = openPty(['--tour'], { env, cols: 110 });
  await tour.until(/Tour 1\/16[\s\S]*Overview: findings/);
  tour.send('k');
  await tour.until(/Tour 1\/16/);
  tour.send('j');
  await tour.until(/Tour 2\/16[\s\S]*Press 2 for all routines/);
  for (const [keys, next] of [
    ['2', /Tour 3\/16[\s\S]*Press s for the columns/],
    ['s', /Sort by/],
    ['incl\r', /Tour 5\/16[\s\S]*Press 6/],
    ['j', /Tour 5\/16/],
    ['6', /Tour 6\/16[\s\S]*Press \]/],
    [']', /Tour 7\/16[\s\S]*Press 3/],
    ['3', /Tour 8\/16[\s\S]*Backspace/],
    ['\x7f', /Tour 9\/16[\s\S]*Press 2/],
    ['2', /Tour 10\/16[\s\S]*to search/],
    ['/count\r', /Tour 11\/16[\s\S]*source/],
    ['4', /count_words[\s\S]*Tour 12\/16[\s\S]*hot line/],
    [']', /Tour 13\/16[\s\S]*flame/],
    ['5', /Tour 14\/16[\s\S]*narrow the profile/],
    ['S', /focus/],
    ['\x1b', /Tour 15\/16[\s\S]*all keys/],
    ['?', /Help: /],
    ['\x1b', /Tour 16\/16[\s\S]*End of the tour/],
  ] as const) {
    tour.send(keys);
    await tour.until(next);
  }
  tour.send('qq');
  assert.equal((await tour.exited).exitCode, 0);
  const left = openPty(['--tour'], { env, cols: 60 });
  await left.until(/Tour 1\/16/);
  left.send('\x1b');
  await left.until(/^(?![\s\S]*Tour)[\s\S]*2 Routines/);
  left.send('qq');
  assert.equal((await left.exited).exitCode, 0);
});
