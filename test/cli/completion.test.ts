// The scripts that complete flags, run by the shells that are installed, and the manual page, read by man.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { completionText } from '../../src/cli/completion.ts';
import { flagSpecs } from '../../src/cli/flag-table.ts';
import { loaders } from '../../src/formats/index.ts';
import { FIXTURES, ROOT } from '../support/fixtures.ts';

const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const program = join(folder, 'proftui');
writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'bin/proftui.js')}" "$@"\n`);
chmodSync(program, 0o755);
const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
const DEFAULT = join(FIXTURES, 'pprof/heap.pb.gz');

const missing = (shell: string) => (spawnSync(shell, ['--version']).error ? `${shell} is not installed` : false);

/** What bash offers for the last of the words. */
function offered(...words: string[]): string[] {
  const script = join(folder, 'proftui.bash');
  writeFileSync(script, completionText('bash'));
  const typed = ['proftui', ...words].map((w) => `'${w}'`).join(' ');
  const asked = `source '${script}'; COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _proftui; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', asked], { encoding: 'utf8', env })
    .split('\n')
    .filter((line) => line !== '');
}

test('bash offers flags, views, formats, and the events of the file', { skip: missing('bash') }, () => {
  assert.deepEqual(offered('--exp'), ['--export']);
  assert.deepEqual(
    offered('--'),
    flagSpecs.map((f) => `--${f.name}`),
  );
  assert.ok(offered('--print', 'rou').includes('routines'));
  assert.deepEqual(
    offered('--format', ''),
    loaders.map((l) => l.name),
  );
  assert.ok(offered('--export', 's').includes('speedscope'));
  assert.deepEqual(offered(DEFAULT, '--event', 'alloc'), ['alloc_objects', 'alloc_space']);
  assert.deepEqual(offered('--event', ''), []);
  assert.deepEqual(offered('cma'), ['cmake']);
  assert.deepEqual(offered('cmake', ''), ['enable', 'disable']);
  assert.deepEqual(offered('cmake', 'enable', ''), [], 'the shell completes paths');
});

test('zsh takes the script', { skip: missing('zsh') }, () => {
  const script = join(folder, '_proftui');
  writeFileSync(script, completionText('zsh'));
  assert.equal(spawnSync('zsh', ['-n', script], { encoding: 'utf8' }).stderr, '');
});

test('fish offers flags and events', { skip: missing('fish') }, () => {
  const script = join(folder, 'proftui.fish');
  writeFileSync(script, completionText('fish'));
  const offers = (line: string) =>
    execFileSync('fish', ['-c', `source '${script}'; complete -C '${line}'`], { encoding: 'utf8', env });
  assert.match(offers('proftui --exp'), /--export/);
  assert.match(offers(`proftui ${DEFAULT} --event alloc`), /alloc_space/);
});

test('man shows the manual page without a complaint', { skip: missing('man') }, () => {
  const page = join(ROOT, 'docs/proftui.1');
  const { status, stdout, stderr } = spawnSync('man', ['--warnings', '-l', page], {
    encoding: 'utf8',
    env: { ...env, LC_ALL: 'C.UTF-8', MANWIDTH: '100', PAGER: 'cat' },
  });
  assert.equal(status, 0);
  assert.equal(stderr, '');
  for (const { name } of flagSpecs) assert.ok(stdout.replaceAll('‐', '-').includes(`--${name}`), name);
});
