// What is kept between sessions: --resume, recent files; and the tour.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { FIXTURES } from '../support/fixtures.ts';
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
  const first = openPty([DEFAULT], { env });
  await first.until(/1 Routines/);
  first.send('3x');
  await first.until(/\[3 Tree\]/);
  first.send('q');
  assert.equal((await first.exited).exitCode, 0);
  const again = openPty(['--resume'], { env, cwd: empty });
  await again.until(/\[3 Tree\]/);
  again.send('q');
  await again.exited;
  const here = openPty([], { env, cwd: empty });
  await here.until(/Recently opened[\s\S]*default\.callgrind\.out/);
  here.send('\r');
  await here.until(/\[1 Routines\]/);
  here.send('q');
  assert.equal((await here.exited).exitCode, 0);
  const both = openPty(['--resume', DEFAULT], { env });
  await both.untilOutput(/it goes with no file/);
  assert.equal((await both.exited).exitCode, 2);
  assert.match(readFileSync(join(folder, 'state/proftui/last-session.jsonl'), 'utf8'), /^# opened \["/);
});

test('the tour goes on when what it asks for is done, and only then', async () => {
  const tour = openPty(['--tour'], { env, cols: 110 });
  await tour.until(/1\/15 {2}Routines, highest self cost first/);
  tour.send('j');
  await tour.until(/2\/15 .*Press i to sort/);
  tour.send('i');
  await tour.until(/3\/15 .*matters most/);
  tour.send('j');
  await tour.until(/3\/15 .*matters most/);
  for (const [keys, next] of [
    ['!', /4\/15 .*Press 3/],
    ['3', /5\/15 .*Press x/],
    ['x', /6\/15 .*Press 2/],
    ['2', /7\/15 .*Backspace/],
    ['\x7f', /8\/15 .*Press 1/],
    ['1', /9\/15 .*to search/],
    ['/count\r', /10\/15 .*source/],
    ['4', /count_words[\s\S]*11\/15 .*hot line/],
    ['h', /12\/15 .*flame/],
    ['I', /13\/15 .*narrows the profile/],
    ['S', /focus/],
    ['\x1b', /14\/15 .*all keys/],
    ['?', /Help /],
    ['\x1b', /15\/15 .*End of the tour/],
  ] as const) {
    tour.send(keys);
    await tour.until(next);
  }
  tour.send('q');
  assert.equal((await tour.exited).exitCode, 0);
});
