// Signals, a terminal that goes away, and crashes, with the built program in a terminal: the terminal is given back whole.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { afterEach } from 'node:test';
import { existing, FIXTURES, ROOT } from '../support/fixtures.ts';
import { long } from '../support/long.ts';
import { endAll, openPty, type Session } from '../support/pty.ts';

const PROFILE = join(FIXTURES, 'callgrind/default.callgrind.out');
const NODE = process.env['PROFTUI_TEST_NODE'] ?? process.execPath;
const PROGRAM = `'${NODE}' '${join(ROOT, 'bin/proftui.js')}'`;
/** Loads for ever, from a pipe that stays open. */
const LOADING = `mkfifo pipe; exec 3<>pipe; echo "pid=$$"; exec ${PROGRAM} - <&3`;
const COLS = 160;

afterEach(endAll);

const newFolder = () => mkdtempSync(join(tmpdir(), 'proftui-'));

/**
 * Runs a command in a shell without job control, between two lines that say how the terminal is set up; `$$` is the command's own.
 * The shell then waits for a line: a terminal whose last process has ended may be closed before all of its output is read.
 */
function inShell(command: string, options: Parameters<typeof openPty>[1] = {}): Session {
  const script = `stty -g; sh -c '${command.replaceAll("'", "'\\''")}'; echo "code=$?"; stty -g; read line`;
  return openPty([script], { node: '/bin/sh', program: '-c', cols: COLS, cwd: newFolder(), ...options });
}

/** A program whose process tells its number first. */
const numbered = (command: string) => `echo "pid=$$"; exec ${command}`;
const pidOf = (s: Session) => Number(/pid=(\d+)/.exec(s.output())?.[1]);

/** Asserts that what follows finds the terminal as it was, and returns the exit code. */
async function ended(s: Session): Promise<number> {
  // A reply of the terminal that comes after the end of the program is echoed.
  await s.untilOutput(/code=\d+\r?\n(?:\^\[\[0n)?[0-9a-f]+(?::[0-9a-f]+){10,}\r?\n/m);
  s.send('\r');
  await s.exited;
  restored(s);
  const set =
    s
      .output()
      .replaceAll('^[[0n', '')
      .match(/^[0-9a-f]+(?::[0-9a-f]+){10,}/gm) ?? [];
  assert.equal(set.length, 2, s.output());
  assert.equal(set[0], set[1], 'stty -g');
  return Number(/code=(\d+)/.exec(s.output())?.[1]);
}

function restored(s: Session): void {
  assert.deepEqual(s.modes(), { alternate: false, cursorHidden: false });
  const last = (mode: string) => s.output().lastIndexOf(`\u001b[?${mode}`);
  assert.ok(last('7h') >= last('7l'), 'wrapping is on again');
  assert.ok(last('2004l') >= last('2004h'), 'pasted text is plain again');
  assert.doesNotMatch(s.output(), /^\s+at .*:\d+:\d+/m, 'no stack');
  assert.doesNotMatch(s.output(), /Debugger listening/);
}

const NUMBERS = { QUIT: 3, ABRT: 6, USR1: 10, XCPU: 24 };

test('signals that end the program: the terminal is given back, the code is 128 and the number', async () => {
  for (const [name, number] of Object.entries(NUMBERS)) {
    const s = inShell(numbered(`${PROGRAM} '${PROFILE}' --sort self`));
    await s.until(/▶ +662,012/);
    process.kill(pidOf(s), `SIG${name}`);
    assert.equal(await ended(s), 128 + number, name);
  }
});

long('signals while a file loads, and sizes from 1x1 to 500x200', async () => {
  for (const name of ['TERM', 'USR1', 'HUP'] as const) {
    const s = inShell(LOADING);
    await s.until(/q cancels/);
    for (const [cols, rows] of [
      [1, 1],
      [500, 200],
      [COLS, 24],
    ] as const)
      s.resize(cols, rows);
    await s.until(/q cancels/);
    process.kill(pidOf(s), `SIG${name}`);
    assert.equal(await ended(s), { TERM: 143, USR1: 138, HUP: 129 }[name]);
  }
});

test('SIGUSR1 opens no debugger, and what prints ends by it like any program', async () => {
  const s = openPty(
    [
      '-c',
      // It runs once it has read what is in the pipe.
      `mkfifo pipe; exec 3<>pipe; echo 'events: Ir' >&3; ${PROGRAM} - --print summary <&3 & ` +
        // The last line is read before the terminal may close: see inShell.
        'while read -t 0 -u 3; do sleep 0.1; done; kill -USR1 $!; wait $!; echo code=$?; read line',
    ],
    {
      node: '/bin/bash',
      program: '--norc',
      cwd: newFolder(),
    },
  );
  await s.untilOutput(/code=\d+/);
  s.send('\r');
  await s.exited;
  assert.match(s.output(), /code=138/);
  assert.doesNotMatch(s.output(), /Debugger listening/);
});

/** An interactive shell with job control. */
async function shell(options: { silent?: boolean } = {}): Promise<Session> {
  const folder = newFolder();
  // The shell, too, has pasted text in brackets.
  writeFileSync(join(folder, 'inputrc'), 'set enable-bracketed-paste off\n');
  const s = openPty(['--norc', '-i'], {
    node: '/bin/bash',
    program: '--noprofile',
    cols: COLS,
    cwd: folder,
    env: { PS1: 'shell> ', INPUTRC: join(folder, 'inputrc') },
    ...options,
  });
  await s.until(/shell>/);
  return s;
}

test('Ctrl-Z stops the whole job: also what stands between the shell and the program', async () => {
  for (const command of [
    `sh -c "${PROGRAM} '${PROFILE}' --sort self; true"`,
    `'${NODE}' '${join(ROOT, 'scripts/start.mjs')}' '${PROFILE}' --sort self`,
  ]) {
    const s = await shell();
    s.send(`${command}\r`);
    await s.until(/▶ +662,012/);
    s.send('j\u001a');
    await s.until(/Stopped[\s\S]*shell>/);
    restored(s);
    s.send('fg\r');
    await s.until(/▶ +506,160/);
    s.send('j');
    await s.until(/▶ +502,345/);
    assert.doesNotMatch(s.output(), /Cannot suspend: no job-control shell/);
    s.send('qq');
    await s.until(/fg[\s\S]*shell>/);
    restored(s);
    s.send('exit\r');
    await s.exited;
  }
});

test('SIGTSTP from elsewhere is Ctrl-Z; after SIGSTOP, too, the screen comes back whole', async () => {
  for (const name of ['SIGTSTP', 'SIGSTOP'] as const) {
    // The answer of a terminal that comes while the program is stopped goes to the shell: this terminal gives none.
    const s = await shell({ silent: true });
    s.send(`sh -c '${numbered(PROGRAM.replaceAll("'", ''))} ${PROFILE} --sort self'\r`);
    await s.until(/▶ +662,012/);
    process.kill(pidOf(s), name);
    await s.until(/Stopped[\s\S]*shell>/);
    s.send('clear; echo other text\r');
    await s.until(/^other text/m);
    s.send('fg\r');
    await s.until(/▶ +662,012/);
    assert.doesNotMatch(s.screen(), /other text/);
    s.send('j');
    await s.until(/▶ +506,160/);
    s.send('qq');
    await s.until(/shell>/);
    restored(s);
    s.send('exit\r');
    await s.exited;
  }
});

test('Ctrl-Z without a shell that could let it go on: the screen stays, and says why', async () => {
  const s = inShell(`${PROGRAM} '${PROFILE}' --sort self`);
  await s.until(/▶ +662,012/);
  s.send('\u001a');
  await s.until(/Cannot suspend: no job-control shell/);
  s.send('j');
  await s.until(/▶ +506,160/);
  s.send('qq');
  assert.equal(await ended(s), 0);
});

test('keys of an editor are its own: Ctrl-C ends it, and Ctrl-Z stops it with the program', async () => {
  const s = await shell();
  const editor = join(newFolder(), 'editor');
  writeFileSync(editor, '#!/bin/sh\ntrap "echo again" CONT\necho editing\nwhile :; do sleep 0.1; done\n');
  chmodSync(editor, 0o755);
  s.send(`VISUAL=${editor} ${PROGRAM} '${PROFILE}' --sort self --source-dir '${join(FIXTURES, 'callgrind')}'\r`);
  await s.until(/▶ +662,012/);
  s.send('/skip_spa\r4');
  await s.until(/▶ +45,204/);
  s.send('e');
  await s.until(/^editing/m);
  s.send('\u001a');
  await s.until(/Stopped[\s\S]*shell>/);
  s.send('fg\r');
  await s.until(/^again/m);
  s.send('\u0003');
  await s.until(/▶ +45,204/);
  s.send('qq');
  await s.until(/shell>/);
  restored(s);
  s.send('exit\r');
  await s.exited;
});

/** Waits for a file that a shell writes when a program has ended, as long as a slow machine may take. */
async function codeIn(file: string): Promise<string> {
  for (let i = 0; i < 200; i++) {
    if (existsSync(file) && readFileSync(file, 'utf8').endsWith('\n')) return readFileSync(file, 'utf8').trim();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the program has not ended');
}

test('a terminal that goes away ends the program with 129: with SIGHUP and without, on the screen and while loading', async () => {
  const screen = `${PROGRAM} '${PROFILE}' --sort self 2> errors`;
  for (const [command, shown] of [
    [`${screen}; echo $? > code`, /▶ +662,012/],
    // In a session of its own, a program is not told.
    [`setsid -w sh -c "${screen}; echo \\$? > code"`, /▶ +662,012/],
    [`(${LOADING} 2> errors); echo $? > code`, /q cancels/],
  ] as const) {
    const folder = newFolder();
    const s = openPty([`trap '' HUP; ${command}`], { node: '/bin/sh', program: '-c', cwd: folder });
    await s.until(shown);
    s.hangUp();
    assert.equal(await codeIn(join(folder, 'code')), '129', command);
    assert.equal(readFileSync(join(folder, 'errors'), 'utf8'), '');
  }
});

test('an error in the program: two lines, the terminal as it was, and --debug for a report', async () => {
  const env = { PROFTUI_TEST_CRASH: 'screen' };
  const plain = inShell(`${PROGRAM} '${PROFILE}' --filter 'a b'`, { env });
  assert.equal(await ended(plain), 70);
  const [, first, second] = /(proftui: .*)\r\n(proftui \S+: .*)\r\ncode/.exec(plain.output()) ?? [];
  assert.equal(first, 'proftui: an error in the program itself: crash on request');
  assert.match(second, /^proftui \S+: please report it at https:\/\/\S+ with the output of: /);
  assert.ok(second.endsWith(`: proftui --debug ${PROFILE} --filter 'a b'`), second);
  const debug = openPty([PROFILE, '--debug'], { env, node: NODE, cols: COLS });
  assert.equal((await debug.exited).exitCode, 70);
  assert.match(
    debug.screen(),
    /please report it at \S+ with these lines:\n +at .*\n[\s\S]* proftui \d.*node v\d.*\n +TERM=xterm-256color, .*160x24/,
  );
  assert.equal(debug.output().includes(ROOT), false, 'no folders');
});

test('a thread that ends while it loads is an error, and nothing that is waited for', async () => {
  const env = { PROFTUI_TEST_CRASH: 'thread' };
  const s = inShell(`${PROGRAM} '${join(FIXTURES, 'ninja-log/mbedtls/.ninja_log.gz')}'`, { env });
  assert.equal(await ended(s), 70);
  assert.match(s.output(), /proftui: an error in the program itself: the thread that loads ended without an answer/);
});

test('keys and signals are answered while the run to compare with loads', async () => {
  const build = join(FIXTURES, 'ninja-log/mbedtls/.ninja_log.gz');
  const command = `mkfifo pipe; exec 3<>pipe; echo "pid=$$"; exec ${PROGRAM} '${build}' --base pipe`;
  const byKey = inShell(command);
  await byKey.until(/^ pipe *\n[\s\S]*q cancels/);
  byKey.send('qq');
  assert.equal(await ended(byKey), 130);
  const bySignal = inShell(command);
  await bySignal.until(/^ pipe *\n[\s\S]*q cancels/);
  process.kill(pidOf(bySignal), 'SIGTERM');
  assert.equal(await ended(bySignal), 143);
});

test('keys that are pressed while it loads are done once it has loaded', async () => {
  const profile = join(FIXTURES, 'callgrind/default.callgrind.out');
  const cwd = newFolder();
  const s = inShell(`mkfifo pipe go; (exec 3>pipe; read line < go; cat '${profile}' >&3) & exec ${PROGRAM} pipe`, { cwd });
  await s.until(/^ pipe *\n[\s\S]*q cancels/);
  s.send('6');
  s.send(']');
  s.send('3');
  writeFileSync(join(cwd, 'go'), 'now\n');
  await s.until(/\[3 Calls\]/);
  s.send('\x03');
  assert.equal(await ended(s), 0);
});

test('--record that cannot begin leaves no file', async () => {
  const folder = newFolder();
  const s = inShell(`ulimit -f 0; ${PROGRAM} '${PROFILE}' --record session.jsonl`, { cwd: folder });
  assert.equal(await ended(s), 2);
  assert.match(s.output(), /proftui: --record session\.jsonl: the file would become longer than is allowed/);
  assert.equal(existsSync(join(folder, 'session.jsonl')), false);
});

test('--record on a full disk: told once, no half line is left, and the session goes on', async () => {
  const folder = newFolder();
  const s = inShell(`ulimit -f 1; ${PROGRAM} '${PROFILE}' --sort self --record session.jsonl`, { cwd: folder });
  await s.until(/▶ +662,012/);
  s.send('j'.repeat(40));
  await s.until(/--record session\.jsonl: .*; nothing more is recorded/);
  s.send('g');
  await s.until(/^(?![\s\S]*nothing more is recorded)[\s\S]*▶ +662,012/);
  s.send('qq');
  assert.equal(await ended(s), 0);
  const text = readFileSync(join(folder, 'session.jsonl'), 'utf8');
  assert.ok(text.length > 400 && text.endsWith('}\n'), text.slice(-60));
  for (const line of text.trimEnd().split('\n')) JSON.parse(line);
});

long('what prints into a reader that leaves, or on a full disk, is quiet or says so in one line', () => {
  const sh = (command: string) => spawnSync('bash', ['-c', command], { encoding: 'utf8', cwd: newFolder() });
  const left = sh(`${PROGRAM} '${PROFILE}' --print lines --json | head -1; echo \${PIPESTATUS[0]}`);
  assert.match(left.stdout, /^\{.*\n0\n$/);
  assert.equal(left.stderr, '');
  const cut = sh(`ulimit -f 1; ${PROGRAM} '${PROFILE}' --print routines > file`);
  assert.deepEqual([cut.status, cut.stderr], [1, 'proftui: standard output: the file would become longer than is allowed\n']);
  const full = sh(`${PROGRAM} '${PROFILE}' --print routines > /dev/full`);
  assert.deepEqual([full.status, full.stderr], [1, 'proftui: standard output: the disk is full\n']);
  const errors = sh(`${PROGRAM} none 2> /dev/full`);
  assert.deepEqual([errors.status, errors.stdout], [1, '']);
});

test(':write and * on a full disk: told, nothing half-written is left, and the session goes on', async () => {
  const folder = newFolder();
  const aprof = existing(join(FIXTURES, 'aprof/sorts-cct/sorts_29653_0_4.aprof'));
  writeFileSync(join(folder, '.proftui.json'), '{"favourites":["main"]}\n');
  const s = inShell(`ulimit -f 0; ${PROGRAM} '${aprof}'`, { cwd: folder });
  await s.until(/Growth/);
  s.send('2:write out.json\r');
  await s.until(/out\.json: the file would become longer than is allowed/);
  s.send(':favourite\r');
  await s.until(/\.proftui\.json: the file would become longer than is allowed/);
  s.send('qq');
  assert.equal(await ended(s), 0);
  assert.deepEqual(readdirSync(folder), ['.proftui.json']);
  assert.equal(readFileSync(join(folder, '.proftui.json'), 'utf8'), '{"favourites":["main"]}\n');
});
