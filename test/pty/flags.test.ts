// Flags on a real terminal: followed on the screen, or refused with exit 2 before it opens or after the terminal is given back.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { afterEach } from 'node:test';
import { flagSpecs } from '../../src/cli/flag-table.ts';
import { FIXTURES, ROOT } from '../support/fixtures.ts';
import { long } from '../support/long.ts';
import { endAll, openPty } from '../support/pty.ts';

const PROFILE = join(FIXTURES, 'callgrind/default.callgrind.out');
const node = process.env['PROFTUI_TEST_NODE'];
const open = (args: readonly string[]) => openPty(args, node ? { node } : {});

afterEach(endAll);

long('what only --print can follow is refused on a terminal', async () => {
  const printed = flagSpecs.filter((f) => f.printed);
  assert.deepEqual(
    printed.map((f) => f.name),
    [
      'json',
      'csv',
      'tsv',
      'csv-safe',
      'markdown',
      'jsonl',
      'run',
      'notes',
      'quickfix',
      'svg',
      'limit',
      'width',
      'threshold',
      'depth',
      'cluster',
      'unit',
      'context',
      'coverage',
    ],
  );
  for (const { name, arg, completes } of printed) {
    const s = open([PROFILE, `--${name}`, ...(arg ? [Array.isArray(completes) ? completes[0] : '80'] : [])]);
    assert.equal((await s.exited).exitCode, 2, name);
    assert.match(s.screen(), new RegExp(`--${name} is for --print`));
    assert.doesNotMatch(s.output(), /\?1049h/);
  }
});

long('what the profile does not have is refused, and the terminal is given back', async () => {
  for (const [args, message] of [
    [['--sort', 'nope'], /--sort nope: no such column; there are self/],
    [['--event', 'nope'], /--event nope: no such event; there are Ir/],
    [['--routine', 'nope'], /--routine nope: the profile has no such routine/],
    [['--parts', '7'], /--parts 7: expected numbers from 1 to 1/],
    [['--at', '5'], /--at: the profile has no Curve view/],
    [['--derive', 'X=Nope'], /Nope is not recorded/],
    [['--filter', '/(/'], /invalid regular expression/],
  ] as const) {
    const s = open([PROFILE, ...args]);
    assert.equal((await s.exited).exitCode, 2, args.join(' '));
    assert.match(s.screen().replace(/\n/g, ''), message);
    assert.deepEqual(s.modes(), { alternate: false, cursorHidden: false });
  }
});

test('flags are followed on the screen, also by the views that open later', async () => {
  const s = open([PROFILE, '--sort', 'calls', '--inverted', '--routine', 'demo::count_primes']);
  await s.until(/callers of demo::co.*\n.*\[6 Tree\]/);
  s.send('2');
  await s.until(/▼calls routine[\s\S]*▶ +45,636/);
  s.send('qq');
  assert.equal((await s.exited).exitCode, 0);
});

test('the disassembly comes by itself', async () => {
  const s = open([join(FIXTURES, 'callgrind/instr-jumps.callgrind.out.gz'), '--disassemble', '--routine', 'demo::count_primes']);
  // The program is not at hand here: why there is no text is said, without a key.
  await s.until(/\[\d Instrs\][\s\S]*(not found|no such|missing|is not|cannot)/i);
  s.send('qq');
  await s.exited;
});

long('a profile from a pipe, without a dash; it cannot be read again', async () => {
  const program = `'${node ?? process.execPath}' '${join(ROOT, 'bin/proftui.js')}'`;
  for (const command of [
    `cat '${PROFILE}' | ${program} --sort self`,
    `${program} --sort self <(gzip -c '${PROFILE}')`,
    `${program} --sort self < '${PROFILE}'`,
  ]) {
    const s = openPty(['-c', command], { node: '/bin/bash', program: '--norc' });
    await s.until(/▶ +662,012/);
    s.send('jj');
    await s.until(/▶ +502,345/);
    s.send('R');
    await s.until(/from a pipe can be read only once/);
    s.send('qq');
    assert.equal((await s.exited).exitCode, 0, command);
  }
});

test('a slow pipe on standard input is waited for, and opens the screen; the folder has another profile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  copyFileSync(join(FIXTURES, 'callgrind/toggle.callgrind.out'), join(folder, 'callgrind.out.1'));
  const program = `'${node ?? process.execPath}' '${join(ROOT, 'bin/proftui.js')}'`;
  const command = `cd '${folder}'; mkfifo go; (read line < go; cat '${PROFILE}') | ${program} --sort self`;
  const s = openPty(['-c', command], { node: '/bin/bash', program: '--norc' });
  await s.untilOutput(/waiting for a profile on standard input/);
  writeFileSync(join(folder, 'go'), 'now\n');
  await s.until(/▶ +662,012/);
  s.send('qq');
  await s.untilOutput(/\?1049l/);
});

test('--fail-if opens no screen', async () => {
  const kept = open([PROFILE, '--fail-if', 'Ir > 1G']);
  assert.equal((await kept.exited).exitCode, 0);
  assert.equal(kept.output(), '');
  const exceeded = open([PROFILE, '--fail-if', 'Ir > 1k']);
  assert.equal((await exceeded.exited).exitCode, 3);
  assert.match(exceeded.output(), /^Ir > 1k: exceeded: 3,117,398\r\n$/);
});
