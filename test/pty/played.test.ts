// Sessions that are played: nothing outside of the screen is repeated, what is loaded is awaited, and no other file is lost to --record.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { SESSION_HEAD } from '../../src/app/session.ts';
import { long } from '../support/long.ts';
import { openPty } from '../support/pty.ts';

const folder = mkdtempSync(join(tmpdir(), 'proftui-played-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const env = { XDG_CONFIG_HOME: join(folder, 'config'), XDG_STATE_HOME: join(folder, 'state') };
const folded = (name: string, routine: string) => {
  const path = join(folder, `${name}.folded`);
  writeFileSync(path, `${routine};leaf 10\n${routine} 5\n`);
  return path;
};
const session = (name: string, actions: readonly object[]) => {
  const path = join(folder, name);
  writeFileSync(path, `${[SESSION_HEAD, ...actions.map((a) => JSON.stringify(a))].join('\n')}\n`);
  return path;
};

test('a session of somebody else writes no file, changes no setting and starts no program', async () => {
  const written = join(folder, 'aliases');
  const file = folded('hostile', 'main');
  const played = session('triage.jsonl', [
    { type: 'resize', width: 150, height: 40 },
    { type: 'command', name: 'write', argument: written },
    { type: 'command', name: 'set', argument: 'theme light' },
    { type: 'command', name: 'note', argument: 'not mine' },
    { type: 'favourite', name: 'main' },
    { type: 'suspend' },
    { type: 'view', view: 'flame' },
  ]);
  mkdirSync(join(folder, 'here'));
  const s = openPty([file, '--play', played], { env, cwd: join(folder, 'here'), cols: 100 });
  await s.until(/\[\d Flame\][\s\S]*played without \d actions that write files/);
  s.send('\u0003');
  await s.exited;
  const made = [written, join(folder, 'config/proftui/config.json'), `${file}.notes.json`, join(folder, 'here/.proftui.json')];
  assert.deepEqual(
    made.filter((path) => existsSync(path)),
    [],
  );
});

test('what comes after another profile is opened is of that one; the screen is the terminal’s, not the recorded one', async () => {
  const [a, b] = [folded('a', 'of_a'), folded('b', 'of_b')];
  const played = session('open.jsonl', [
    { type: 'resize', width: 150, height: 40 },
    { type: 'command', name: 'open', argument: b },
    { type: 'view', view: 'tree' },
  ]);
  const s = openPty([a, '--play', played], { env, cols: 80 });
  const screen = await s.until(/\[\d Tree\][\s\S]*of_b[\s\S]*q back/);
  assert.doesNotMatch(screen, /of_a/);
  s.send('\u0003');
  await s.exited;
});

test('--record starts a session anew, and refuses every other file', async () => {
  const file = folded('p', 'main');
  const text = readFileSync(file, 'utf8');
  const refused = openPty([file, '--record', file], { env });
  assert.equal((await refused.exited).exitCode, 2);
  assert.match(refused.output(), /expected a new file or a session, found another file/);
  assert.equal(readFileSync(file, 'utf8'), text);
  const own = session('own.jsonl', [{ type: 'suspend' }]);
  const s = openPty([file, '--record', own], { env });
  await s.until(/2 Rout/);
  s.send('\u0003');
  await s.exited;
  assert.doesNotMatch(readFileSync(own, 'utf8'), /suspend/);
});

long('--follow goes on with the profile that it was given for, whatever is opened from it', async () => {
  const [a, b] = [folded('live', 'of_live'), folded('still', 'of_still')];
  const s = openPty([a, '--follow'], { env, cols: 100 });
  await s.until(/of_live/);
  s.send(`:open ${b}\r`);
  await s.until(/of_still/);
  writeFileSync(a, 'of_live;leaf 10\nof_live 500\n');
  await new Promise((resolve) => setTimeout(resolve, 2500));
  assert.match(s.screen(), /of_still/);
  s.send('\u007f');
  await s.until(/510/);
  s.send('\u0003');
  await s.exited;
});

test('notes of a profile that is opened from another stay', async () => {
  const [a, b] = [folded('first', 'main'), folded('second', 'other')];
  writeFileSync(`${b}.notes.json`, JSON.stringify({ notes: [{ routine: 'leaf', file: null, object: null, note: 'precious' }] }));
  const s = openPty(['--sort', 'self', a], { env, cols: 120 });
  await s.until(/2 Routines/);
  s.send(`:open ${b}\r`);
  await s.until(/returns to the previous profile/);
  s.send('2jk');
  await s.until(/\[note: precious\]/);
  s.send('j:note another\r');
  await s.until(/noted; :note - removes it/);
  s.send('\u0003');
  await s.exited;
  const { notes } = JSON.parse(readFileSync(`${b}.notes.json`, 'utf8'));
  assert.deepEqual(
    notes.map(({ note }: { note: string }) => note),
    ['precious', 'another'],
  );
});
