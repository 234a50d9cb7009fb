// --mouse in a terminal: reports are asked for only with the flag, act, and are given up whenever the terminal is given back.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { afterEach } from 'node:test';
import { parseSession } from '../../src/app/session.ts';
import { FIXTURES, ROOT } from '../support/fixtures.ts';
import { endAll, openPty, type Session } from '../support/pty.ts';

const PROFILE = join(FIXTURES, 'callgrind/default.callgrind.out');
const node = process.env['PROFTUI_TEST_NODE'];
const PROGRAM = `'${node ?? process.execPath}' '${join(ROOT, 'bin/proftui.js')}'`;
const open = (args: readonly string[], options: Parameters<typeof openPty>[1] = {}) =>
  openPty([PROFILE, ...args], { ...(node ? { node } : {}), ...options });

afterEach(endAll);

const ON = '\u001b[?1000h\u001b[?1006h';
const OFF = '\u001b[?1006l\u001b[?1000l';
/** A report of the left button or the wheel, cells counted from 1 as terminals do. */
const report = (button: number, x: number, y: number, end = 'M') => `\u001b[<${button};${x};${y}${end}`;
const clickAt = (x: number, y: number) => report(0, x, y) + report(0, x, y, 'm');
const count = (s: Session, sequence: string) => s.output().split(sequence).length - 1;

/** Asked for and given up so many times, in turn, within the alternate screen; no motion is ever asked for. */
function givenBack(s: Session, times: number): void {
  assert.deepEqual([count(s, ON), count(s, OFF)], [times, times]);
  const turns = s.output().match(/\u001b\[\?(?:1049|1000|1006)[hl]/g) ?? [];
  const turn = ['?1049h', '?1000h', '?1006h', '?1006l', '?1000l', '?1049l'].map((mode) => `\u001b[${mode}`);
  assert.deepEqual(turns, Array(times).fill(turn).flat());
  assert.doesNotMatch(s.output(), /\u001b\[\?100[23]h/);
  assert.deepEqual(s.modes(), { alternate: false, cursorHidden: false });
}

test('clicks move, open and sort, the wheel scrolls, and quitting gives the mouse back', async () => {
  const record = join(mkdtempSync(join(tmpdir(), 'proftui-')), 'session.jsonl');
  const s = open(['--sort', 'self', '--mouse', '--record', record]);
  await s.until(/▶ +662,012/);
  s.send(clickAt(20, 6));
  await s.until(/▶ +502,345/);
  s.send(report(65, 20, 6));
  await s.until(/▶ +101,174/);
  s.send(`${report(64, 20, 6)}k`);
  await s.until(/▶ +506,160/);
  s.send(clickAt(24, 3));
  await s.until(/▼incl[\s\S]*▶/);
  /** The column of a tab, from 1; names are cut when the row is narrow. */
  const tabColumn = (label: string) => {
    const at = s.screen().split('\n')[1].indexOf(label);
    assert.ok(at >= 0, label);
    return at + 2;
  };
  s.send(clickAt(tabColumn('3 C'), 2));
  await s.until(/\[3 Calls\]/);
  // Garbage, other buttons, and a report in two writes.
  s.send('\u001b[<0;1;1;1M\u001b[<2;20;6M\u001b[<0;99999999999;1M\u001b[M !\u0020');
  s.send(`\u001b[<0;${tabColumn('2 R')}`);
  await new Promise((resolve) => setTimeout(resolve, 60));
  s.send(';2M');
  await s.until(/\[2 Routines\]/);
  s.send('\u001b');
  await s.until(/nothing to close/);
  s.send('\u0003');
  assert.equal((await s.exited).exitCode, 0);
  givenBack(s, 1);
  const actions = parseSession(readFileSync(record, 'utf8'));
  assert.deepEqual(
    actions.map(({ type }) => type).filter((type) => type !== 'work'),
    ['resize', 'click', 'wheel', 'wheel', 'in-view', 'click', 'click', 'click', 'escape', 'quit'],
  );
  const again = open(['--sort', 'self', '--play', record]);
  await again.until(/\[2 Routines\][\s\S]*▼incl/);
  again.send('qq');
  await again.exited;
});

test('profiles of a folder are chosen by the wheel and by clicks', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  for (const name of ['a', 'b', 'c', 'd', 'e']) copyFileSync(PROFILE, join(folder, `callgrind.out.${name}`));
  const s = openPty([folder, '--mouse'], node ? { node } : {});
  const [first] = /callgrind\.out\.[a-e](?=[^\n]*\n)/.exec((await s.until(/▶[\s\S]*Enter open/)).split('▶')[1]) ?? [];
  s.send(report(65, 5, 5));
  await s.until(/(?:callgrind\.out\.[a-e][^\n]*\n[^\n]*){3}▶/);
  s.send(clickAt(5, 3));
  await s.until(new RegExp(`▶ +${first}`));
  s.send(clickAt(5, 1) + clickAt(5, 12) + clickAt(5, 3));
  await s.until(new RegExp(`${first}.*\\./demo 40[\\s\\S]*\\[1 Overview\\]`));
  s.send('qq');
  assert.equal((await s.exited).exitCode, 0);
  givenBack(s, 1);
});

test('without --mouse nothing of the mouse is written', async () => {
  const s = open(['--sort', 'self']);
  await s.until(/▶ +662,012/);
  s.send('jqq');
  await s.exited;
  assert.doesNotMatch(s.output(), /\u001b\[\?(?:9|1[0-9]{3})[hl](?<!1049[hl])/);
});

test('pasted reports are text, and the terminal after a paste reports again', async () => {
  const s = open(['--sort', 'self', '--mouse']);
  await s.until(/▶ +662,012/);
  s.send(`/\u001b[200~skip${report(0, 3, 6)}_spa\u001b[201~`);
  await s.until(/^\/skip\[<0;3;6M_spa *$/m);
  s.send(`\u001b`);
  await s.until(/▶ +662,012[\s\S]*Enter details/);
  s.send(clickAt(3, 6));
  await s.until(/▶ +502,345/);
  s.send('qq');
  await s.exited;
  givenBack(s, 1);
});

test('signals and crashes give the mouse back', async () => {
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    const s = open(['--sort', 'self', '--mouse']);
    await s.until(/▶ +662,012/);
    s.kill(signal);
    assert.equal((await s.exited).exitCode, code);
    givenBack(s, 1);
  }
  const crashed = open(['--mouse'], { env: { PROFTUI_TEST_CRASH: 'screen' } });
  assert.equal((await crashed.exited).exitCode, 70);
  givenBack(crashed, 1);
});

test('the shell and the editor have the mouse while they have the terminal', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const editor = join(folder, 'editor.sh');
  writeFileSync(editor, `#!/bin/sh\ntouch ${folder}/edited\n`, { mode: 0o755 });
  const s = openPty(['--norc', '-i'], {
    node: '/bin/bash',
    program: '--noprofile',
    env: { PS1: 'shell> ', VISUAL: editor },
  });
  await s.until(/shell>/);
  s.send(`${PROGRAM} '${PROFILE}' --sort self --mouse --source-dir '${join(FIXTURES, 'callgrind')}'\r`);
  await s.until(/▶ +662,012/);
  s.send('\u001a');
  await s.until(/Stopped[\s\S]*shell>/);
  givenBack(s, 1);
  s.send('fg\r');
  await s.until(/▶ +662,012/);
  s.send(clickAt(5, 6));
  await s.until(/▶ +502,345/);
  s.send('/skip_spa\r4');
  await s.until(/▶ +45,204/);
  s.send('e');
  await s.untilOutput(/(?:\?1000h[\s\S]*){3}/);
  s.send(`${report(64, 5, 6)}qq`);
  await s.until(/fg[\s\S]*shell>/);
  givenBack(s, 3);
  s.send('exit\r');
  await s.exited;
});

test('flags of the screen are refused where none opens', () => {
  for (const flags of ['--mouse', '--play x', '--record x'])
    for (const args of [`--print routines ${flags}`, flags, `--check ${flags}`]) {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', `${PROGRAM} '${PROFILE}' ${args}`], { encoding: 'utf8' });
      assert.deepEqual([status, stdout], [2, ''], args);
      assert.match(stderr, new RegExp(`^proftui: ${flags.split(' ')[0]} needs a terminal, and does not go with --print`));
    }
});
