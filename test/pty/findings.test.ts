// Findings with the built program in a terminal: one key shows them, Enter goes to the place, Backspace comes back.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { afterEach } from 'node:test';
import { FIXTURES } from '../support/fixtures.ts';
import { endAll, openPty } from '../support/pty.ts';

afterEach(endAll);

test('! shows findings, Enter the line of one with its event, Backspace the findings again', async () => {
  const s = openPty(['--sort', 'self', join(FIXTURES, 'cachegrind/heat-branch.cachegrind.out.gz')]);
  await s.until(/\[2 Routines\]/);
  s.send('!');
  await s.until(/\[Findings\][\s\S]*▶ +50\.95% The dynamic linker/);
  s.send('j');
  await s.until(/▶ +21\.66% quicksort has a self cost of 21\.66% of Ir; its/);
  s.send('\r');
  await s.until(/\[3 Source\][\s\S]*▶ .*28/);
  s.send('\x7f');
  await s.until(/\[Findings\]/);
  s.resize(40, 10);
  await s.until(/^ ?1.*\[Findings\]/m);
  s.send('qq');
  assert.equal((await s.exited).exitCode, 0);
});

test('a profile of which there is nothing to tell says so', async () => {
  const s = openPty(['--sort', 'self', join(FIXTURES, 'callgrind/nothing.callgrind.out')]);
  await s.until(/\[2 Routines\]/);
  s.send('!');
  await s.until(/No findings: the profile is empty/);
  s.send('qq');
  assert.equal((await s.exited).exitCode, 0);
});

test('a profile of a folder that cannot be read leads back to the list, with the reason', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-list-'));
  copyFileSync(join(FIXTURES, 'massif/stages.massif.out'), join(folder, 'a.massif.out'));
  // The older one is the last of the list.
  utimesSync(join(folder, 'a.massif.out'), 1e9, 1e9);
  writeFileSync(join(folder, 'bad.callgrind.out'), 'events: Ir\nfl=a\nfn=b\nxx yy\n');
  // What a tool printed about a profile is no profile.
  writeFileSync(join(folder, 'xtmemory.ms_print.txt'), `${'-'.repeat(80)}\nCommand: ./a\nMassif arguments: (none)\n`);
  const s = openPty([folder]);
  await s.until(/bad\.callgrind\.out/);
  assert.doesNotMatch(s.screen(), /ms_print/);
  s.send('/bad\r');
  await s.until(/bad\.callgrind\.out:4: expected a header line/);
  s.send('\x1b');
  await s.until(/a\.massif\.out/);
  s.send('G\r');
  await s.until(/\[1 Overview\]/);
  s.send('q');
  assert.equal((await s.exited).exitCode, 0);
  rmSync(folder, { recursive: true });
});
