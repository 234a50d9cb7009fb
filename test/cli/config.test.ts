// The user's settings: what they do, what is wrong in them, and what the screen keeps of them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { configSchema } from '../../scripts/config-schema.ts';
import { readSettings } from '../../src/cli/config.ts';
import { parseSetting, SETTINGS, settingProblem } from '../../src/io/user/settings.ts';
import { FIXTURES, ROOT } from '../support/fixtures.ts';
import { long } from '../support/long.ts';
import { endAll, openPty } from '../support/pty.ts';

const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
after(() => rmSync(folder, { recursive: true, force: true }));
afterEach(endAll);
const DEFAULT = join(FIXTURES, 'callgrind/default.callgrind.out');
const env = { XDG_CONFIG_HOME: folder };
const file = join(folder, 'proftui/config.json');
mkdirSync(join(folder, 'proftui'), { mode: 0o700 });
const write = (settings: object) => writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
const run = (...words: string[]) =>
  spawnSync(process.execPath, [join(ROOT, 'bin/proftui.js'), ...words], { encoding: 'utf8', env: { ...process.env, ...env } });

test('what settings say counts where no flag does; what is wrong is told and left out', () => {
  const told: string[] = [];
  const said = readSettings(
    () => ({ theme: 'light', ascii: 'yes', 'source-dir': ['/a'], sort: 'inclusive', columns: ['Dr'], keys: { x: 'y' }, odd: 1 }),
    (text) => told.push(text),
  );
  assert.deepEqual(Object.fromEntries(said.values), { theme: 'light', 'source-dir': ['/a'] });
  assert.deepEqual([said.sort, said.columns, [...said.keys]], ['inclusive', ['Dr'], [['x', 'y']]]);
  assert.match(told[0], /ascii: ascii is true or false/);
  assert.match(told[1], /odd: there are theme, ascii/);
});

long('--show-config lists them; what is no JSON, and a link, is told and not used', () => {
  write({ theme: 'light' });
  assert.match(run('--show-config').stdout, /theme +"light"/);
  writeFileSync(file, '{');
  const wrong = run(DEFAULT, '--print', 'summary');
  assert.equal(wrong.status, 0);
  assert.match(wrong.stderr, /config\.json is not used: .*expected an object with settings/);
  assert.equal(run('--show-config').status, 0);
  write({ 'path-map': ['nope'], theme: '\u001b[31m' });
  assert.match(
    run(DEFAULT, '--print', 'summary').stderr,
    /theme is one of[\s\S]*the settings are not used: --path-map takes FROM=TO/,
  );
  assert.match(run('--show-config').stdout, /theme +\(not used: theme is one of/);
  rmSync(file);
  writeFileSync(join(folder, 'other.json'), '{"ascii":true}');
  symlinkSync(join(folder, 'other.json'), file);
  const { status, stderr } = run(DEFAULT, '--print', 'summary');
  assert.equal(status, 0);
  assert.match(stderr, /is not used: a link/);
  rmSync(file);
});

test('the schema is the one in docs, and has every setting', () => {
  const schema = JSON.parse(readFileSync(join(ROOT, 'docs/config.schema.json'), 'utf8'));
  assert.deepEqual(schema, JSON.parse(JSON.stringify(configSchema())));
  for (const { name } of SETTINGS) assert.ok(schema.properties[name], name);
});

test(':set reads words as values', () => {
  const value = (text: string) => parseSetting(text)[1];
  assert.equal(value('mouse on'), true);
  assert.equal(value('ascii off'), false);
  assert.deepEqual(value('columns Dr, Dw'), ['Dr', 'Dw']);
  assert.deepEqual(value('keys ctrl-n=j'), { 'ctrl-n': 'j' });
  assert.throws(() => value('theme pink'), /theme is one of auto, dark/);
  assert.throws(() => value('colour red'), /there is no setting colour/);
  assert.equal(settingProblem(SETTINGS[0], 'dark'), undefined);
  assert.throws(() => value('keys ctrl-c=j'), /ctrl-c always quits/);
});

test('on the screen: sort, keys and :set count, and what was typed comes back', async () => {
  write({ sort: 'inclusive', keys: { 'ctrl-n': 'j' } });
  const session = openPty([DEFAULT], { env, cols: 100 });
  await session.until(/By whose code/);
  session.send('2');
  await session.until(/▼ *incl/);
  const first = await session.until(/▶/);
  const rowOf = (screen: string) => screen.split('\n').findIndex((line) => line.includes('▶'));
  session.send('\x0e');
  const at = rowOf(first);
  await session.until(new RegExp(`^(?:.*\\n){${at + 1}}▶`));
  session.send('/main\r');
  await session.until(/main/);
  session.send('/');
  session.send('\x1b[A');
  // The prompt is the last line; behind it come the keys again.
  await session.until(/\n *\/main *$/);
  session.send('\x1b');
  await session.until(/q (?:quit|back) *$/);
  session.send(':set theme light\r');
  await session.until(/theme is kept in/);
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).theme, 'light');
  session.send('qq');
  assert.equal((await session.exited).exitCode, 0);
});

long('notes and marks are kept beside the profile, and --notes prints them', async () => {
  const here = join(folder, 'notes');
  mkdirSync(here);
  const profile = join(here, 'callgrind.out.1');
  writeFileSync(profile, readFileSync(DEFAULT));
  const session = openPty(['--sort', 'self', profile], { env: { XDG_CONFIG_HOME: join(folder, 'none') }, cols: 120 });
  await session.until(/2 Routines/);
  session.send(':note looked at twice\r');
  await session.until(/noted; :note - removes it/);
  session.send('jma');
  await session.until(/is marked a/);
  session.send('qq');
  await session.exited;
  const { notes } = JSON.parse(readFileSync(`${profile}.notes.json`, 'utf8'));
  assert.deepEqual(
    notes.map((n: { note: string; mark?: string }) => [n.note, n.mark]),
    [
      ['looked at twice', undefined],
      ['', 'a'],
    ],
  );
  const again = openPty(['--sort', 'self', profile], { env: { XDG_CONFIG_HOME: join(folder, 'none') }, cols: 120 });
  await again.until(/\[note: looked at twice\]/);
  again.send("'a");
  await again.until(/operator\*/);
  again.send('qq');
  await again.exited;
  const rows = JSON.parse(run(profile, '--print', 'routines', '--json', '--notes', '--limit', '2').stdout).rows;
  assert.deepEqual([rows[0].note, rows[1].note], ['looked at twice', null]);
  assert.equal(run(profile, '--print', 'lines', '--json', '--notes').status, 2);
});
