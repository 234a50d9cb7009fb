// Journeys with the built program in a terminal: open, move, search, resize, quit; and the terminal given back, however it ends.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { afterEach } from 'node:test';
import { FIXTURES, ROOT } from '../support/fixtures.ts';
import { long } from '../support/long.ts';
import { endAll, openPty } from '../support/pty.ts';

const PROFILE = join(FIXTURES, 'callgrind/default.callgrind.out');
// Other Nodes run the same journeys: scripts/journeys.mjs sets this.
const node = process.env['PROFTUI_TEST_NODE'];
const open = (args: readonly string[], options: Parameters<typeof openPty>[1] = {}) =>
  openPty(args, { ...(node ? { node } : {}), ...options });

afterEach(endAll);

function restored(s: ReturnType<typeof openPty>): void {
  assert.deepEqual(s.modes(), { alternate: false, cursorHidden: false });
  assert.match(s.output(), /\u001b\[\?7h/, 'wrapping is on again');
}

test('opens, finds the hot line, searches, resizes, quits', async () => {
  const s = open(['--sort', 'self', PROFILE, '--source-dir', join(FIXTURES, 'callgrind')]);
  await s.until(/▶ +662,012 +21\.24%.*_dl_lookup_symbol_x/);
  // The terminal's cursor is at the selection, for screen readers: behind all else in the frame.
  await s.untilOutput(/\u001b\[\?25h/);
  assert.deepEqual(s.modes(), { alternate: true, cursorHidden: false });
  s.send('/skip_spa\r');
  await s.until(/▶ +88,084.*skip_spaces/);
  s.send('4');
  await s.until(/▶ +45,204.*while \(std::isspace/);
  s.send('3');
  await s.until(/● demo::skip_spaces/);
  s.resize(120, 40);
  await s.until(/\[3 Calls\].* of demo::skip_spaces/);
  s.resize(40, 10);
  await s.until(/\[3 Calls\]/);
  s.send('qq');
  assert.equal((await s.exited).exitCode, 0);
  restored(s);
});

test('several keys in one write come through in order, escape sequences among them', async () => {
  const s = open(['--sort', 'self', PROFILE]);
  await s.until(/▶ +662,012/);
  s.send('\u001b[B\u001b[B\u001b[Bj\u001b[Ak');
  await s.until(/▶ +502,345/);
  s.send('\u001b[F');
  await s.until(/▶ +1 +<0\.01% .*_dl_sysdep_start_cleanup/);
  s.send('\u001b[H');
  await s.until(/▶ +662,012/);
  s.send('\u001bOP');
  await s.until(/type to narrow/);
  s.send('\u001b');
  await s.until(/▶ +662,012/);
  s.send('\u0003');
  assert.equal((await s.exited).exitCode, 0);
  restored(s);
});

/** A colour of the text. */
const COLOUR = /\u001b\[(?:[0-9;]*;)?38;5;\d+m/;

test('draws under CI=1 and DEV=true; colours as the environment and the flags say', async () => {
  const cases: [colours: boolean, env: Record<string, string>, args: string[]][] = [
    [true, { CI: '1' }, []],
    [true, { DEV: 'true' }, []],
    [false, { NO_COLOR: '1' }, []],
    [false, { FORCE_COLOR: '0' }, []],
    [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, []],
    [false, { FORCE_COLOR: '1' }, ['--no-color']],
    [false, {}, ['--theme', 'none']],
    [true, {}, ['--theme', 'light']],
  ];
  for (const [colours, env, args] of cases) {
    const s = open(['--sort', 'self', PROFILE, ...args], { env: { COLORTERM: '', ...env } });
    await s.until(/▶ +662,012/);
    assert.equal(COLOUR.test(s.output()), colours, JSON.stringify([env, args]));
    // Never those of the 16 colours, which each terminal has its own of.
    assert.doesNotMatch(s.output().replace(/38;5;\d+/g, ''), /\u001b\[(?:[0-9;]*;)?[39][0-7]m/);
    s.send('qq');
    assert.equal((await s.exited).exitCode, 0);
  }
});

test('a dumb terminal, which cannot be drawn on, gets the summary and no escape sequence', async () => {
  const s = open([PROFILE], { env: { TERM: 'dumb' } });
  assert.equal((await s.exited).exitCode, 0);
  assert.match(s.output(), /callgrind: /);
  assert.doesNotMatch(s.output(), /\u001b/);
});

test('what cannot be written or read is told in one line, and the terminal is left alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const cases: [args: string[], message: RegExp][] = [
    [[PROFILE, '--record', join(folder, 'none/session.jsonl')], /--record .*none\/session\.jsonl: no such file or directory/],
    [[PROFILE, '--record', folder], /--record .*: a folder/],
    [[PROFILE, '--play', join(folder, 'none')], /--play .*none: no such file or directory/],
  ];
  for (const [args, message] of cases) {
    const s = open(args, { cols: 200 });
    assert.equal((await s.exited).exitCode, 2);
    assert.match(s.output(), message);
    assert.equal(s.output().trim().split('\n').length, 1, s.output());
    assert.doesNotMatch(s.output(), /\u001b/);
  }
});

test('without a terminal: --play is refused, and a screen without keys, too', () => {
  const run = (command: string) => spawnSync('setsid', ['-w', 'sh', '-c', command], { encoding: 'utf8' });
  const program = `'${node ?? process.execPath}' '${join(ROOT, 'bin/proftui.js')}'`;
  const played = run(`${program} '${PROFILE}' --play '${join(ROOT, 'test/sessions/triage.jsonl')}' | cat; exit 0`);
  assert.match(played.stderr, /^proftui: --play needs a terminal.*\n$/);
  const printed = run(`${program} '${PROFILE}' --print routines --play x`);
  assert.equal(printed.status, 2);
  assert.equal(printed.stdout, '');
});

test('no /dev/tty for the keys, no place to remember: one line, and no screen', async () => {
  const program = `'${node ?? process.execPath}' '${join(ROOT, 'bin/proftui.js')}'`;
  const shell = (command: string) => openPty(['-c', command], { node: '/bin/bash', program: '--norc', cols: 200 });
  const alone = shell(`cat '${PROFILE}' | setsid -w ${program} -`);
  assert.equal((await alone.exited).exitCode, 2);
  assert.match(alone.output(), /^proftui: keys come from the terminal, and \/dev\/tty cannot be opened: .*\r\n$/);
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  symlinkSync('/none/project.json', join(folder, '.proftui.json'));
  const kept = shell(`cd '${folder}' && ${program} '${PROFILE}' --remember --source-dir /tmp`);
  assert.equal((await kept.exited).exitCode, 2);
  assert.match(kept.output(), /^proftui: --remember: \.proftui\.json: a link\r\n$/);
});

test('pasted text is text: in a search as it stands, and no keys without one', async () => {
  const s = open(['--sort', 'self', PROFILE]);
  await s.until(/▶ +662,012/);
  assert.match(s.output(), /\u001b\[\?2004h/);
  s.send('\u001b[200~q\u0001jj\r\u001b[201~');
  await s.until(/Paste into a search/);
  assert.match(s.screen(), /▶ +662,012/);
  s.send('/\u001b[200~skip_spa\r\n\u001b[201~');
  await s.until(/^\/skip_spa *$/m);
  s.send('\r');
  await s.until(/▶ +88,084.*skip_spaces/);
  s.send('qq');
  assert.equal((await s.exited).exitCode, 0);
  assert.match(s.output(), /\u001b\[\?2004l/);
});

long('copies through tmux where it has the screen, and says what is sure', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const tmux = join(folder, 'tmux');
  const copy = async (env: Record<string, string>, message: RegExp) => {
    const s = open(['--sort', 'self', PROFILE], {
      cols: 120,
      env: { PATH: `${folder}:${process.env['PATH']}`, TMUX: '', ...env },
    });
    await s.until(/▶ +662,012/);
    s.send('y');
    await s.until(message);
    s.send('qq');
    await s.exited;
    return s.output();
  };
  const OSC = /\u001b\]52;c;([A-Za-z0-9+/=]+)\u0007/;
  const sent = OSC.exec(await copy({}, /sent to the terminal: _dl_lookup_symbol_x/));
  assert.equal(Buffer.from(sent![1], 'base64').toString(), '_dl_lookup_symbol_x');
  const script = (text: string) => writeFileSync(tmux, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  script(`echo "$@" > ${folder}/args; cat > ${folder}/text`);
  assert.doesNotMatch(await copy({ TMUX: '/tmp/x,1,0' }, /copied: _dl_lookup_symbol_x/), OSC);
  assert.equal(readFileSync(join(folder, 'args'), 'utf8'), 'load-buffer -w -\n');
  assert.equal(readFileSync(join(folder, 'text'), 'utf8'), '_dl_lookup_symbol_x');
  // As tmux 3.1 does.
  script(`[ "$2" = -w ] && exit 1; cat > ${folder}/old`);
  await copy({ TMUX: '/tmp/x,1,0' }, /copied to the buffer of tmux: _dl_lookup_symbol_x/);
  assert.equal(readFileSync(join(folder, 'old'), 'utf8'), '_dl_lookup_symbol_x');
  script('exit 1');
  assert.match(await copy({ TMUX: '/tmp/x,1,0' }, /sent to the terminal: _dl_lookup_symbol_x/), OSC);
});

for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  test(`the terminal is given back after ${signal}`, async () => {
    const s = open(['--sort', 'self', PROFILE]);
    await s.until(/▶ +662,012/);
    s.kill(signal);
    assert.equal((await s.exited).exitCode, code);
    restored(s);
  });
}

test('the terminal is given back after a crash, and the error is told', async () => {
  const s = open(['--sort', 'self', PROFILE], { env: { PROFTUI_TEST_CRASH: 'screen' } });
  const { exitCode } = await s.exited;
  assert.notEqual(exitCode, 0);
  restored(s);
  assert.match(s.screen() + s.output(), /crash on request/);
});

test('a wrong file: the error is on the screen that was there before, exit 1', async () => {
  const s = open(['--sort', 'self', join(FIXTURES, 'callgrind/edge/i09-garbage-cost.callgrind.out')]);
  assert.equal((await s.exited).exitCode, 1);
  restored(s);
  assert.match(s.screen().replace(/\n/g, ''), /:6: expected a count, found "2x0"/);
});

test('an idle screen writes nothing', async () => {
  const s = open(['--sort', 'self', PROFILE]);
  await s.until(/▶ +662,012/);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const before = s.output().length;
  await new Promise((resolve) => setTimeout(resolve, 1500));
  assert.equal(s.output().length, before);
  s.send('qq');
  await s.exited;
});

test('a cursor move is at most 1 KB, and never clears the screen', async () => {
  const s = open(['--sort', 'self', PROFILE], { cols: 200, rows: 60 });
  await s.until(/▶ +662,012/);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const before = s.output().length;
  s.send('j');
  await s.until(/▶ +506,160/);
  const bytes = s.output().length - before;
  assert.ok(bytes <= 1024, `${bytes} bytes`);
  assert.doesNotMatch(s.output().slice(before), /\u001b\[2J/);
  s.send('qq');
  await s.exited;
});

test('the terminal is asked for its background after the first frame; its answer among keys is no key, and sets the colours', async () => {
  const s = open(['--sort', 'self', PROFILE]);
  await s.untilOutput(/\u001b\]11;\?/);
  assert.match(s.output().split('\u001b]11;?')[0], /_dl_lookup_symbol_x/);
  s.send('j\u001b]11;rgb:1e1e/');
  s.send('1e1e/1e1e\u0007j');
  await s.until(/▶ +502,345/);
  // The grey of the dark theme.
  await s.untilOutput(/38;5;248m/);
  s.send('qq');
  await s.exited;
  restored(s);
});

test('a link that falls behind gets the newest frame, not all of them; a burst of keys is one frame', async () => {
  const s = open(['--sort', 'self', PROFILE], { cols: 200, rows: 60 });
  await s.until(/▶ +662,012/);
  // Each key by itself is a page of thousands of bytes, or the way back.
  s.stall();
  for (let i = 0; i < 300; i++) {
    s.send(i % 2 === 0 ? ' ' : 'b');
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  s.send('g');
  const before = s.output().length;
  s.goOn();
  s.send('j');
  await s.until(/▶ +506,160/);
  const behind = s.output().length - before;
  assert.ok(behind < 300_000, `${behind} bytes for 302 keys`);
  // 200 keys in one write: in order, and a frame for all of them.
  const mark = s.output().length;
  s.send('j'.repeat(150) + 'k'.repeat(49) + 'g');
  await s.until(/▶ +662,012/);
  assert.ok(s.output().length - mark < 20_000, `${s.output().length - mark} bytes`);
  s.send('qq');
  await s.exited;
});

test('names with escape sequences stay visible marks', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const file = join(folder, 'callgrind.out.1');
  writeFileSync(file, 'events: Ir\nfl=a\u001b[31m.c\nfn=evil\u001b]0;owned\u0007\u202ename\u009b2J\n1 10\n');
  const s = open([file]);
  await s.until(/evil␛\]0;owned␇<202E>name<009B>2J/);
  assert.doesNotMatch(s.output(), /owned\u0007|\u202e|\u009b2J|a\u001b\[31m/);
  s.send('9qq');
  await s.exited;
});

test('suspends to the shell and comes back', async () => {
  const s = openPty(['--norc', '-i'], { node: '/bin/bash', program: '--noprofile', env: { PS1: 'shell> ' } });
  await s.until(/shell>/);
  s.send(`'${node ?? process.execPath}' '${join(ROOT, 'bin/proftui.js')}' '${PROFILE}' --sort self\r`);
  await s.until(/▶ +662,012/);
  s.send('j\u001a');
  await s.until(/Stopped[\s\S]*shell>/);
  assert.deepEqual(s.modes(), { alternate: false, cursorHidden: false });
  s.send('fg\r');
  await s.until(/▶ +506,160/);
  s.send('j');
  await s.until(/▶ +502,345/);
  s.send('qq');
  await s.until(/fg[\s\S]*shell>/);
  s.send('stty -a | grep -o " icanon"; exit\r');
  await s.until(/ icanon/);
  await s.exited;
});

test('an editor has the terminal, and gives it back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const editor = join(folder, 'editor.sh');
  writeFileSync(editor, `#!/bin/sh\necho "$@" > ${folder}/args\n`, { mode: 0o755 });
  const s = open(['--sort', 'self', PROFILE, '--source-dir', join(FIXTURES, 'callgrind')], {
    env: { EDITOR: editor, VISUAL: '' },
  });
  await s.until(/▶ +662,012/);
  s.send('/skip_spa\r4');
  await s.until(/▶ +45,204/);
  s.send('e');
  await s.untilOutput(/\?1049h[\s\S]*\?1049l[\s\S]*\?1049h/);
  s.send('j');
  await s.until(/▶ +37,920 +29\.92%/);
  assert.match(readFileSync(join(folder, 'args'), 'utf8'), /^\+18 .*fixtures\/callgrind\/src\/calc\.cpp\n$/);
  s.send('qq');
  assert.equal((await s.exited).exitCode, 0);
});

test('a folder with sources is named without leaving', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  copyFileSync(PROFILE, join(folder, 'callgrind.out.5'));
  const s = open(['--sort', 'self', join(folder, 'callgrind.out.5')], { cwd: folder });
  await s.until(/▶ +662,012/);
  s.send('/skip_spa\r4');
  await s.until(/no source here \(:source-dir DIR/);
  s.send(':source-dir nowhere\r');
  await s.until(/nowhere is not a folder/);
  s.send(`:source-dir ${join(FIXTURES, 'callgrind')}\r`);
  await s.until(/▶ +45,204.*while \(std::isspace/);
  s.send('qq');
  assert.equal((await s.exited).exitCode, 0);
});

test('the profile may come from standard input, the keys from the terminal', async () => {
  const command = `cat '${PROFILE}' | '${node ?? process.execPath}' '${join(ROOT, 'bin/proftui.js')}' - --sort self`;
  const s = openPty(['-c', command], { node: '/bin/bash', program: '--norc' });
  await s.until(/▶ +662,012/);
  s.send('jj');
  await s.until(/▶ +502,345/);
  s.send('qq');
  assert.equal((await s.exited).exitCode, 0);
  restored(s);
});

test('a folder gives its profiles to choose from; other files of a run are merged on request', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  for (const part of ['01', '02', '03'])
    copyFileSync(join(FIXTURES, `callgrind/threads.callgrind.out-${part}`), join(folder, `callgrind.out.77-${part}`));
  const s = open([folder]);
  await s.until(/Profiles of callgrind in/);
  s.send('G\r');
  await s.until(/\[1 Overview\]/);
  await s.until(/2 other files of this run are here: o merges/);
  s.send('omerge\r');
  await s.until(/merged 3 files/);
  s.send(':info\r');
  await s.until(/Parts \(3/);
  const elsewhere = mkdtempSync(join(tmpdir(), 'proftui-'));
  copyFileSync(join(FIXTURES, 'callgrind/threads.callgrind.out-01'), join(elsewhere, 'callgrind.out.78'));
  s.send(`:add ${join(elsewhere, 'none')}\r`);
  await s.until(/none: expected a file/);
  s.send(`:add ${join(elsewhere, 'callgrind.out.78')}\r`);
  await s.until(/Parts \(4/);
  s.send('qq');
  assert.equal((await s.exited).exitCode, 0);
});

long('reload keeps the place; recording can be played', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const file = join(folder, 'callgrind.out.1');
  const text = readFileSync(PROFILE, 'utf8');
  writeFileSync(file, text);
  const record = join(folder, 'session.jsonl');
  const s = open(['--sort', 'self', file, '--record', record]);
  await s.until(/▶ +662,012/);
  s.send('jj');
  await s.until(/▶ +502,345/);
  writeFileSync(file, text.replace('fn=(1066)', '# new\nfn=(1066)'));
  s.send('R');
  await s.until(/reloaded/);
  assert.match(s.screen(), /▶ +502,345/);
  s.send('qq');
  await s.exited;
  assert.match(readFileSync(record, 'utf8'), /"type":"move","by":1/);
  const again = open([file, '--play', join(ROOT, 'test/sessions/triage.jsonl')]);
  await again.until(/\[3 Calls\]/);
  // Enter led there: q would go back.
  again.send('\u0003');
  await again.exited;
  // A session of an older version: its actions mean something else now.
  const old = join(folder, 'old.jsonl');
  writeFileSync(old, '{"type":"resize","width":80,"height":24}\n{"type":"enter"}\n');
  const refused = open(['--sort', 'self', file, '--play', old]);
  assert.equal((await refused.exited).exitCode, 2);
  assert.match(refused.output(), /old\.jsonl.*expected a session of version 5, found none/);
});

test('a recording that cannot go on says so, and the session does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  mkdirSync(join(folder, 'sub'));
  const s = open(['--sort', 'self', PROFILE, '--record', join(folder, 'sub/session.jsonl')], { cols: 160 });
  await s.until(/▶ +662,012/);
  rmSync(join(folder, 'sub'), { recursive: true });
  s.send('j');
  await s.until(/--record .*session\.jsonl: no such file or directory; nothing more is recorded/);
  s.send('j');
  await s.until(/▶ +502,345/);
  s.send('qq');
  assert.equal((await s.exited).exitCode, 0);
});

test('keys are heard while a file loads: it can be cancelled', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const fifo = join(folder, 'never-ends');
  spawnSync('mkfifo', [fifo]);
  const command = `exec 3<>'${fifo}'; '${node ?? process.execPath}' '${join(ROOT, 'bin/proftui.js')}' - --sort self <&3`;
  const s = openPty(['-c', command], { node: '/bin/bash', program: '--norc' });
  await s.until(/q cancels/);
  s.send('qq');
  assert.equal((await s.exited).exitCode, 130);
  restored(s);
});
