// The base's source text: from the disk, and from git, which runs nothing that a hostile repository names.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { isWithheld, type SourceText } from '../../src/base/source-text.ts';
import { findProgram } from '../../src/io/programs.ts';
import { readAtRevision, revisionProblem } from '../../src/io/sources/git.ts';
import { type BaseSourcePaths, readBaseSource } from '../../src/io/sources/source-text.ts';
import { long } from '../support/long.ts';

const skip = findProgram('git') === undefined && 'git is not installed';
const folder = () => realpathSync(mkdtempSync(join(tmpdir(), 'proftui-base-')));

/** Runs git in a test's repository, which no configuration of the machine has to do with; returns what it says. */
function git(at: string, ...args: string[]): string {
  const { PATH } = process.env;
  const env = { PATH, HOME: at, GIT_CONFIG_NOSYSTEM: '1' };
  const author = ['-c', 'user.name=n', '-c', 'user.email=n@example.org', '-c', 'init.defaultBranch=main'];
  const { status, stdout, stderr } = spawnSync('git', [...author, ...args], { cwd: at, env, encoding: 'utf8' });
  assert.equal(status, 0, `git ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

function write(at: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(at, name, '..'), { recursive: true });
    writeFileSync(join(at, name), text);
  }
}

function commit(at: string, files: Readonly<Record<string, string>>): void {
  write(at, files);
  git(at, 'add', '-A');
  git(at, 'commit', '-qm', 'x');
}

/** A repository with two commits: `old`, a tag, and the one that is checked out. */
function repository(at = folder()): string {
  mkdirSync(at, { recursive: true });
  git(at, 'init', '-q');
  commit(at, { 'src/deep er/x.c': 'one\n', 'src/gone.c': 'gone\n', 'src/link to.c': 'target\n' });
  git(at, 'tag', 'old');
  unlinkSync(join(at, 'src/gone.c'));
  commit(at, { 'src/deep er/x.c': 'zero\r\none\n', 'src/new.c': 'new\n' });
  return at;
}

const places = (dir: string, rev?: string): BaseSourcePaths => ({ dirs: [dir], maps: [], profiles: [], rev });

function textOf(found: ReturnType<typeof readBaseSource>): SourceText {
  assert.ok(typeof found === 'object' && !isWithheld(found), JSON.stringify(found));
  return found;
}

test('without a revision: as any source, from the places of the base', () => {
  const at = folder();
  write(at, { 'old/src/x.c': 'one\n', 'elsewhere/y.c': 'y\n' });
  assert.deepEqual(textOf(readBaseSource('/build/src/x.c', places(join(at, 'old')))).lines, ['one']);
  assert.match(String(readBaseSource('/build/src/none.c', places(at))), /no source here \(--base-source-dir DIR/);
  const other = readBaseSource(join(at, 'elsewhere/y.c'), places(join(at, 'old')));
  assert.ok(typeof other === 'object' && isWithheld(other));
});

test('with a revision: the file as it was then', { skip }, () => {
  const at = repository();
  const then = textOf(readBaseSource('/build/src/deep er/x.c', places(at, 'old')));
  assert.deepEqual(then, { path: 'old:src/deep er/x.c', lines: ['one'], newer: false });
  assert.deepEqual(textOf(readBaseSource(join(at, 'src/deep er/x.c'), places(at, 'HEAD'))).lines, ['zero', 'one']);
  assert.deepEqual(textOf(readBaseSource('deep er/x.c', places(join(at, 'src'), 'main~1'))).lines, ['one']);
  const hash = git(at, 'rev-parse', '--short', 'old');
  assert.deepEqual(textOf(readBaseSource('deep er/x.c', places(join(at, 'src'), hash))).lines, ['one']);
});

test('with a revision: a file that was deleted since, and one behind a link', { skip }, () => {
  const at = repository();
  assert.deepEqual(textOf(readBaseSource(join(at, 'src/gone.c'), places(at, 'old'))).lines, ['gone']);
  assert.deepEqual(textOf(readBaseSource('/build/src/gone.c', places(at, 'old'))).lines, ['gone']);
  const linked = join(folder(), 'linked');
  symlinkSync(join(at, 'src'), linked);
  assert.deepEqual(textOf(readBaseSource('/build/deep er/x.c', places(linked, 'old'))).lines, ['one']);
  // What was a link then is followed as far as the repository goes.
  unlinkSync(join(at, 'src/link to.c'));
  symlinkSync('new.c', join(at, 'src/link to.c'));
  symlinkSync('/etc/passwd', join(at, 'src/out.c'));
  commit(at, {});
  unlinkSync(join(at, 'src/out.c'));
  unlinkSync(join(at, 'src/link to.c'));
  write(at, { 'src/link to.c': 'file', 'src/out.c': 'out' });
  assert.deepEqual(textOf(readBaseSource('src/link to.c', places(at, 'HEAD'))).lines, ['new']);
  assert.match(String(readBaseSource('src/out.c', places(at, 'HEAD'))), /HEAD does not have src\/out\.c/);
});

test('with a revision: why there is no text', { skip }, () => {
  const at = repository();
  const why = (file: string, rev: string, dir = at) => String(readBaseSource(file, places(dir, rev)));
  assert.equal(why('src/new.c', 'old'), `${at}/src/new.c is not shown: old does not have src/new.c`);
  assert.equal(why('src/deep er/x.c', 'none'), `${at}/src/deep er/x.c is not shown: ${at} has no revision none`);
  assert.match(why('src/deep er/x.c', 'HEAD@{99}'), /not shown: git: log for 'HEAD' only has 2 entries/);
  assert.match(why('src/deep er/x.c', 'old..HEAD'), /has no revision old\.\.HEAD/);
  assert.match(why('src/deep er/x.c', 'old^{tree}'), /has no revision old\^\{tree\}/);
  assert.match(why('src/none/none.c', 'old'), /^no source here \(--base-source-dir DIR/);
  assert.match(why('src/none.c', 'none'), /src\/none\.c is not shown: .* has no revision none/);
  assert.match(why('???', 'old'), /does not say which file/);
  const loose = folder();
  write(loose, { 'x.c': 'x' });
  assert.match(why('x.c', 'old', loose), /not in a git repository/);
  mkdirSync(join(loose, '.git'));
  assert.match(why('x.c', 'old', loose), /not shown: git: not a git repository/);
  commit(at, { 'src/data.c': 'a\0b' });
  assert.match(why('src/data.c', 'HEAD'), /not text/);
});

test('with a revision: no text beyond the limit, nor all of it read', { skip }, () => {
  const at = repository();
  commit(at, { 'large.c': 'x\n'.repeat(2 << 20) });
  const x = join(at, 'src/deep er/x.c');
  assert.equal(readAtRevision(x, 'old', 4).bytes.toString(), 'one\n');
  assert.throws(() => readAtRevision(x, 'old', 3), /more than 3 bytes/);
  assert.throws(() => readAtRevision(join(at, 'large.c'), 'HEAD', 1 << 20), /more than 1048576 bytes/);
});

test('with a revision: what lies outside the folders of the profile needs a yes', { skip }, () => {
  const at = repository();
  const found = readBaseSource(join(at, 'src/deep er/x.c'), places(folder(), 'old'));
  assert.deepEqual(found, { folder: at });
});

test('a revision that could be anything else is refused', { skip }, () => {
  const at = repository();
  for (const rev of ['--output=x', '-p', '', 'old\nHEAD', 'old\0', 'old:src', ':/x'])
    assert.match(String(readBaseSource('src/deep er/x.c', places(at, rev))), /a revision must not be empty, start with -/);
  for (const rev of ['old', 'HEAD~3', 'v1.0^{}', 'HEAD@{1 day ago}', 'feature/x-y'])
    assert.equal(revisionProblem(rev), undefined);
});

test('where the user is, the revision means what it means there: in a submodule, the commit that belongs to it', { skip }, () => {
  const at = repository();
  const sub = repository(join(at, 'lib'));
  git(at, 'update-index', '--add', '--cacheinfo', `160000,${git(sub, 'rev-parse', 'HEAD')},lib`);
  git(at, 'commit', '-qm', 'submodule');
  git(at, 'tag', 'both');
  // In the submodule, `both` is an older commit than the one that the project had then.
  git(sub, 'tag', 'both', 'old');
  const before = process.cwd();
  try {
    for (const [cwd, lines] of [
      [at, ['zero', 'one']],
      [join(at, 'src'), ['zero', 'one']],
      [sub, ['one']],
      [tmpdir(), ['one']],
    ] as const) {
      process.chdir(cwd);
      assert.deepEqual(textOf(readBaseSource('src/deep er/x.c', places(sub, 'both'))).lines, lines, cwd);
    }
    // A repository that is no part of the project, and the project's own other work trees.
    process.chdir(at);
    const tree = join(at, 'trees/t');
    git(at, 'worktree', 'add', '-q', '--detach', tree);
    assert.deepEqual(textOf(readBaseSource('src/deep er/x.c', places(tree, 'old'))).lines, ['one']);
  } finally {
    process.chdir(before);
  }
});

test('variables that lead git elsewhere do not', { skip }, () => {
  const [at, other] = [repository(), repository()];
  commit(other, { 'src/deep er/x.c': 'other\n' });
  process.env['GIT_DIR'] = join(other, '.git');
  process.env['GIT_WORK_TREE'] = other;
  try {
    assert.deepEqual(textOf(readBaseSource('src/deep er/x.c', places(at, 'HEAD'))).lines, ['zero', 'one']);
  } finally {
    delete process.env['GIT_DIR'];
    delete process.env['GIT_WORK_TREE'];
  }
});

/** A program that leaves a file named like its first argument, and the names of those files. */
function trap(): { program: string; sprung: () => string[] } {
  const at = folder();
  const program = join(at, 'program');
  write(at, { program: `#!/bin/sh\n: > "${at}/sprung/$1"\nexit 1\n`, 'sprung/.keep': '' });
  chmodSync(program, 0o755);
  return { program, sprung: () => readdirSync(join(at, 'sprung')).filter((name) => name !== '.keep') };
}

test('no program of a repository is run: filters, conversions, monitors, hooks, pagers', { skip }, () => {
  const at = repository();
  const { program, sprung } = trap();
  commit(at, { '.gitattributes': '*.c diff=evil filter=evil\n' });
  write(at, { 'hooks/x': '' });
  for (const name of ['post-checkout', 'post-index-change', 'reference-transaction'])
    symlinkSync(program, join(at, 'hooks', name));
  const settings: [string, string][] = [
    ['diff.evil.textconv', `${program} textconv`],
    ['diff.external', `${program} external`],
    ['core.fsmonitor', `${program} monitor`],
    ['core.hooksPath', join(at, 'hooks')],
    ['core.pager', `${program} pager`],
    ['pager.cat-file', `${program} pager`],
    ['core.sshCommand', `${program} ssh`],
    ['gpg.program', `${program} gpg`],
    ['log.showSignature', 'true'],
    ['alias.cat-file', `!${program} alias`],
    ...['smudge', 'clean', 'process'].map((kind): [string, string] => [`filter.evil.${kind}`, `${program} filter`]),
  ];
  for (const [name, value] of settings) git(at, 'config', name, value);
  assert.deepEqual(textOf(readBaseSource('src/deep er/x.c', places(at, 'old'))).lines, ['one']);
  assert.deepEqual(sprung(), []);
  spawnSync('git', ['status'], { cwd: at });
  spawnSync('git', ['show', '--textconv', 'old:src/deep er/x.c'], { cwd: at });
  assert.notDeepEqual(sprung(), [], 'the trap works');
});

test('what a partial clone lacks is not fetched', { skip }, () => {
  for (const kind of ['upload', 'ext', 'ssh']) {
    const at = repository();
    const { program, sprung } = trap();
    const blob = git(at, 'rev-parse', 'old:src/deep er/x.c');
    rmSync(join(at, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    const url = { upload: at, ext: `ext::${program} ext`, ssh: 'ssh://host/x' }[kind] ?? '';
    const settings: [string, string][] = [
      ['core.repositoryFormatVersion', '1'],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.url', url],
      ['remote.origin.uploadpack', `${program} upload`],
      ['core.sshCommand', `${program} ssh`],
      ['protocol.allow', 'always'],
      ['protocol.ext.allow', 'always'],
    ];
    for (const [name, value] of settings) git(at, 'config', name, value);
    assert.match(String(readBaseSource('src/deep er/x.c', places(at, 'old'))), /old does not have src\/deep er\/x\.c/);
    assert.deepEqual(sprung(), []);
    spawnSync('git', ['cat-file', 'blob', blob], { cwd: at });
    assert.deepEqual(sprung(), [kind], 'the trap works');
  }
});

test('a folder of sources that looks like a repository is none', { skip }, () => {
  const other = repository();
  commit(other, { 'x.c': 'wrong\n' });
  git(other, 'tag', '-f', 'old');
  const at = repository();
  const sources = join(at, 'src/deep er');
  git(sources, 'clone', '-q', '--bare', other, 'bare');
  for (const name of readdirSync(join(sources, 'bare'))) renameSync(join(sources, 'bare', name), join(sources, name));
  assert.equal(git(sources, 'show', 'old:x.c'), 'wrong', 'the trap works');
  assert.deepEqual(textOf(readBaseSource('src/deep er/x.c', places(at, 'old'))).lines, ['one']);
});

test('a repository of somebody else is not read, unless the user says so to git', {
  skip: skip || (process.getuid?.() !== 0 && 'needs root'),
}, () => {
  const at = repository();
  for (const path of [at, join(at, '.git')]) chownSync(path, 12345, 12345);
  const read = () => readBaseSource('src/deep er/x.c', places(at, 'old'));
  const before = process.env['GIT_CONFIG_GLOBAL'];
  const config = join(folder(), 'config');
  process.env['GIT_CONFIG_GLOBAL'] = config;
  try {
    writeFileSync(config, '');
    assert.match(String(read()), /x\.c is not shown: git: detected dubious ownership in repository at/);
    writeFileSync(config, `[safe]\n\tdirectory = ${at}\n`);
    assert.deepEqual(textOf(read()).lines, ['one']);
  } finally {
    if (before === undefined) delete process.env['GIT_CONFIG_GLOBAL'];
    else process.env['GIT_CONFIG_GLOBAL'] = before;
  }
});

long('a repository in which git would wait for ever', { skip: skip || (process.platform === 'win32' && 'no FIFO') }, () => {
  const at = repository();
  rmSync(join(at, '.git/config'));
  spawnSync('mkfifo', [join(at, '.git/config')]);
  assert.match(String(readBaseSource('src/deep er/x.c', places(at, 'old'))), /not shown: git took more than 5 s/);
  // It is not asked again, though now it would answer: each other file would have waited as long.
  rmSync(join(at, '.git/config'));
  writeFileSync(join(at, '.git/config'), '[core]\n\trepositoryformatversion = 0\n');
  assert.match(String(readBaseSource('src/deep er/x.c', places(at, 'old'))), /not shown: git took more than 5 s/);
});
