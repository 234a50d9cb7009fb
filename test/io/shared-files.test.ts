// Files that several proftui use at once, that must not be overwritten, or that cannot be reached.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { whileLocked } from '../../src/io/disk/locked.ts';
import { overwrittenInput, replaceFile } from '../../src/io/disk/writing.ts';
import { changeProject, readProject, saveFocus } from '../../src/io/user/project.ts';
import { ROOT } from '../support/fixtures.ts';

const folder = mkdtempSync(join(tmpdir(), 'proftui-shared-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

/** Runs TypeScript in a process of its own, from the root of the project. */
const script = (code: string, env: Record<string, string> = {}) =>
  [['--import', 'tsx', '--input-type=module', '-e', code], { cwd: ROOT, env: { ...process.env, ...env } }] as const;

test('what eight processes add to one file at once is all there', async () => {
  const file = at('counter');
  writeFileSync(file, '');
  const code = `
    import { appendFileSync, readFileSync } from 'node:fs';
    import { whileLocked } from './src/io/disk/locked.ts';
    import { replaceFile } from './src/io/disk/writing.ts';
    for (let k = 0; k < 10; k++)
      whileLocked(${JSON.stringify(file)}, () => replaceFile(${JSON.stringify(file)}, readFileSync(${JSON.stringify(file)}, 'utf8') + process.pid + '\\n'));`;
  const ended = Array.from({ length: 8 }, () => {
    const [args, options] = script(code);
    return new Promise((resolve) => spawn(process.execPath, args, options).on('close', resolve));
  });
  assert.deepEqual(await Promise.all(ended), Array(8).fill(0));
  assert.equal(readFileSync(file, 'utf8').trim().split('\n').length, 80);
  assert.equal(existsSync(at('.counter.lock')), false);
});

test('a lock that a killed program has left is taken away', () => {
  const file = at('stale');
  const lock = at('.stale.lock');
  const { pid = 1 } = spawnSync('true');
  writeFileSync(lock, String(pid));
  assert.equal(
    whileLocked(file, () => 'done'),
    'done',
  );
  // Of another machine: its process number says nothing, its age does.
  writeFileSync(lock, String(process.pid));
  utimesSync(lock, new Date(), new Date(Date.now() - 60_000));
  assert.equal(
    whileLocked(file, () => 'done'),
    'done',
  );
});

test('replacing a file keeps its mode; the project file keeps members that proftui does not know', () => {
  const file = at('private.json');
  writeFileSync(file, '{}');
  chmodSync(file, 0o600);
  replaceFile(file, '{"a":1}', 0o644);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const before = process.cwd();
  process.chdir(folder);
  try {
    writeFileSync('.proftui.json', '{"$schema": "x.json", "favourites": ["f"]}');
    chmodSync('.proftui.json', 0o640);
    changeProject(({ favourites }) => ({ favourites: [...favourites, 'g'] }));
    assert.equal(JSON.parse(readFileSync('.proftui.json', 'utf8')).$schema, 'x.json');
    assert.deepEqual(readProject().favourites, ['f', 'g']);
    saveFocus('', ['focus=f']);
    saveFocus('no std', ['hide=^std::']);
    saveFocus('__proto__', ['hide=x']);
    saveFocus('gone', ['hide=y']);
    saveFocus('gone', []);
    assert.deepEqual(readProject().transforms, ['focus=f']);
    assert.deepEqual(Object.entries(readProject().focusSets), [
      ['no std', ['hide=^std::']],
      ['__proto__', ['hide=x']],
    ]);
    assert.equal(statSync('.proftui.json').mode & 0o777, 0o640);
  } finally {
    process.chdir(before);
  }
});

test('an output that is an input is found under any name', () => {
  mkdirSync(at('tree/deep'), { recursive: true });
  for (const name of ['m.out', 'tree/deep/x', 'other', 'src.cpp']) writeFileSync(at(name), 'text');
  symlinkSync(at('m.out'), at('link'));
  linkSync(at('m.out'), at('hard'));
  const inUse = { paths: [at('m.out'), at('tree')], searched: [folder], names: new Set(['src.cpp']) };
  for (const output of ['m.out', './m.out', 'tree/../m.out', 'link', 'hard', 'tree/deep/x', 'src.cpp'])
    assert.notEqual(overwrittenInput(at(output), inUse), undefined, output);
  for (const output of ['other', 'new', 'tree/new']) assert.equal(overwrittenInput(at(output), inUse), undefined, output);
});

test('a home folder that cannot be made is not made, and nothing waits for it', () => {
  const code = `
    import { privateFolder, homeFolder } from './src/io/disk/private-folder.ts';
    console.log(JSON.stringify([privateFolder('cache') ?? null, homeFolder()]));`;
  for (const home of ['/proc', at('none'), '/dev/null', '/proc/self/none']) {
    const [args, options] = script(code, { HOME: home, XDG_CACHE_HOME: '' });
    const { stdout, status } = spawnSync(process.execPath, args, { ...options, encoding: 'utf8', timeout: 20_000 });
    assert.deepEqual([JSON.parse(stdout), status], [[null, home], 0], home);
  }
  assert.equal(existsSync(at('none')), false);
});
