// How files are opened and written: nothing but regular files, never for ever, never through links, whole or not at all.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { DEFAULT_LIMITS, type Limits } from '../../src/base/limits.ts';
import { isWithheld } from '../../src/base/source-text.ts';
import { privateFolder } from '../../src/io/disk/private-folder.ts';
import { openRegular, RefusedError, readInside, readRegular } from '../../src/io/disk/regular.ts';
import { draftPath, isStaleDraft, makeFoldersInside, NewFile, replaceFile } from '../../src/io/disk/writing.ts';
import { filesOfRun } from '../../src/io/find.ts';
import { UnpackBudget } from '../../src/io/sources/gunzip.ts';
import { openSource } from '../../src/io/sources/source.ts';
import { readSource } from '../../src/io/sources/source-text.ts';
import { type Elf, openFileBytes, readElf } from '../../src/io/symbols/elf.ts';
import { findBlockingFile, findDebugFile } from '../../src/io/symbols/find-object.ts';
import { readLineCache, writeLineCache } from '../../src/io/symbols/line-cache.ts';
import { FrameRows } from '../../src/model/code-frames.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { addFrames } from '../support/inlined.ts';
import { long } from '../support/long.ts';

// macOS has its temporary folder behind a link.
const folder = () => realpathSync(mkdtempSync(join(tmpdir(), 'proftui-disk-')));

function fifo(path: string): string {
  assert.equal(spawnSync('mkfifo', [path]).status, 0);
  return path;
}

test('a FIFO, a device, a folder and the files of the kernel are refused at once, also behind links', () => {
  const at = folder();
  const link = (name: string, to: string) => {
    symlinkSync(to, join(at, name));
    return join(at, name);
  };
  const cases: [string, RegExp][] = [
    [fifo(join(at, 'fifo')), /a FIFO, not a regular file/],
    [link('to-fifo', join(at, 'fifo')), /a FIFO/],
    [at, /a folder/],
    ['/dev/zero', /a device/],
    [link('zero', '/dev/zero'), /a device/],
  ];
  if (existsSync('/proc/self/pagemap'))
    cases.push(
      ['/proc/self/pagemap', /a file of the kernel/],
      [link('proc', '/proc/self/environ'), /a file of the kernel/],
      [join(link('folder', '/proc/self'), 'status'), /a file of the kernel/],
      ['/sys/kernel/mm/transparent_hugepage/enabled', /a file of the kernel|no such file/],
    );
  for (const [path, why] of cases)
    assert.throws(
      () => readRegular(path, 1 << 20),
      (error: unknown) => error instanceof Error && why.test(error.message + ('code' in error ? ' no such file' : '')),
      path,
    );
  assert.throws(() => openRegular(join(at, 'none')), { code: 'ENOENT' });
});

test('reading stops at the limit, whatever the size says', () => {
  const path = join(folder(), 'file');
  writeFileSync(path, 'x'.repeat(3_000_000));
  assert.equal(readRegular(path, 3_000_000).bytes.length, 3_000_000);
  assert.throws(() => readRegular(path, 2_999_999), /more than 2999999 bytes/);
  assert.throws(() => readRegular(path, 0), RefusedError);
  writeFileSync(path, '');
  assert.equal(readRegular(path, 0).bytes.length, 0);
});

test('what is read inside a folder is inside it, and no link leads out', () => {
  const at = folder();
  const inside = join(at, 'tree');
  mkdirSync(join(inside, 'sub'), { recursive: true });
  writeFileSync(join(at, 'secret'), 'secret');
  writeFileSync(join(inside, 'sub/own'), 'own');
  symlinkSync('../secret', join(inside, 'link'));
  symlinkSync(at, join(inside, 'up'));
  assert.equal(readInside(inside, 'sub/own', 10).toString(), 'own');
  for (const path of ['link', 'up/secret', '../secret', 'sub/../../secret'])
    assert.throws(() => readInside(inside, path, 10), Error, path);
  // The tree itself may be a link: the user named it.
  symlinkSync(inside, join(at, 'tree link'));
  assert.equal(readInside(join(at, 'tree link'), 'sub/own', 10).toString(), 'own');
});

test('a file is replaced whole, for the user alone, and never through a link', () => {
  const at = folder();
  const path = join(at, 'file');
  replaceFile(path, 'one');
  replaceFile(path, 'two');
  assert.equal(readFileSync(path, 'utf8'), 'two');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  writeFileSync(join(at, 'login'), 'before');
  symlinkSync(join(at, 'login'), join(at, 'link'));
  symlinkSync(join(at, 'not there'), join(at, 'dangling'));
  for (const name of ['link', 'dangling']) assert.throws(() => replaceFile(join(at, name), 'x'), /a symbolic link/);
  mkdirSync(join(at, 'folder'));
  assert.throws(() => replaceFile(join(at, 'folder'), 'x'), /a folder/);
  assert.throws(() => replaceFile(fifo(join(at, 'fifo')), 'x'), /a FIFO/);
  assert.equal(readFileSync(join(at, 'login'), 'utf8'), 'before');
  assert.ok(!existsSync(join(at, 'not there')));
  const drafts = readdirSync(at).filter((name) => isStaleDraft(name, { mtimeMs: 0 }));
  assert.deepEqual(drafts, [], 'no draft stays');
});

test('what cannot be written whole leaves nothing', { skip: process.platform !== 'linux' && 'ulimit -f is of Linux' }, () => {
  const at = folder();
  writeFileSync(join(at, 'file'), 'before');
  const code = `import { replaceFile } from ${JSON.stringify(join(import.meta.dirname, '../../src/io/disk/writing.ts'))};
    process.on('SIGXFSZ', () => {});
    try { replaceFile('file', 'x'.repeat(1 << 20)); } catch (error) { console.log(error.code); }`;
  // The limit counts for whatever the process writes, the cache of tsx too.
  const node = `ulimit -f 64; exec '${process.execPath}' --import '${import.meta.resolve('tsx')}' --input-type=module -e "$CODE"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', node], {
    cwd: at,
    env: { ...process.env, CODE: code, TSX_DISABLE_CACHE: '1' },
    encoding: 'utf8',
  });
  assert.match(stdout, /EFBIG/, stderr);
  assert.deepEqual(readdirSync(at), ['file']);
  assert.equal(readFileSync(join(at, 'file'), 'utf8'), 'before');
});

test('folders below a tree are made, unless a link stands there', () => {
  const at = folder();
  assert.equal(makeFoldersInside(join(at, 'tree'), 'a/b'), join(at, 'tree/a/b'));
  mkdirSync(join(at, 'elsewhere'));
  symlinkSync(join(at, 'elsewhere'), join(at, 'tree/c'));
  assert.throws(() => makeFoldersInside(join(at, 'tree'), 'c/d'), /c is a link, not a folder/);
  assert.deepEqual(readdirSync(join(at, 'elsewhere')), []);
});

/** Runs `use` with the cache below `base`. */
function withCache<T>(base: string, use: () => T): T {
  const before = process.env['XDG_CACHE_HOME'];
  process.env['XDG_CACHE_HOME'] = base;
  try {
    return use();
  } finally {
    if (before === undefined) delete process.env['XDG_CACHE_HOME'];
    else process.env['XDG_CACHE_HOME'] = before;
  }
}

test('the folder for caches is only the user’s, or there is none', () => {
  const at = folder();
  const own = withCache(join(at, 'new'), () => privateFolder('cache', 'lines'));
  assert.equal(own, join(at, 'new/proftui/lines'));
  assert.equal(lstatSync(join(at, 'new/proftui')).mode & 0o777, 0o700);
  // Others may look: mended. Others may write: what is in it may be theirs.
  chmodSync(join(at, 'new/proftui'), 0o755);
  assert.ok(withCache(join(at, 'new'), () => privateFolder('cache')));
  assert.equal(lstatSync(join(at, 'new/proftui')).mode & 0o777, 0o700);
  chmodSync(join(at, 'new/proftui'), 0o777);
  assert.equal(
    withCache(join(at, 'new'), () => privateFolder('cache')),
    undefined,
  );
  // A link, a file, a folder that anybody may write without the sticky bit.
  mkdirSync(join(at, 'linked'));
  mkdirSync(join(at, 'target'));
  symlinkSync(join(at, 'target'), join(at, 'linked/proftui'));
  mkdirSync(join(at, 'file'));
  writeFileSync(join(at, 'file/proftui'), '');
  mkdirSync(join(at, 'shared'));
  chmodSync(join(at, 'shared'), 0o777);
  mkdirSync(join(at, 'sticky'));
  chmodSync(join(at, 'sticky'), 0o1777);
  for (const name of ['linked', 'file', 'shared'])
    assert.equal(
      withCache(join(at, name), () => privateFolder('cache')),
      undefined,
      name,
    );
  assert.ok(withCache(join(at, 'sticky'), () => privateFolder('cache')));
  if (process.getuid?.() === 0) {
    chownSync(join(at, 'sticky/proftui'), 65534, 65534);
    assert.equal(
      withCache(join(at, 'sticky'), () => privateFolder('cache')),
      undefined,
      'of another user',
    );
  }
});

test('the line cache answers for the very file only: another one with the same build ID has none', () => {
  const at = folder();
  const [victim, other] = [join(at, 'victim'), join(at, 'other')];
  writeFileSync(victim, 'x');
  writeFileSync(other, 'y');
  const frames = new FrameRows();
  const given = [{ name: '__proto__', file: 'a.c', line: 3 }];
  addFrames(frames, 1, given);
  withCache(join(at, 'cache'), () => {
    writeLineCache({ path: other, buildId: 'abc', tool: 't' }, frames);
    assert.deepEqual(readLineCache({ path: other, buildId: 'abc', tool: 't' }).framesAt(1), given);
    assert.equal(readLineCache({ path: victim, buildId: 'abc', tool: 't' }).leafOf.size, 0);
    assert.equal(readLineCache({ path: other, buildId: 'abc', tool: 'u' }).leafOf.size, 0);
    writeFileSync(other, 'longer');
    assert.equal(readLineCache({ path: other, buildId: 'abc', tool: 't' }).leafOf.size, 0, 'the file has changed');
  });
});

test('sources beside the profile are shown; elsewhere that they are there is said, and the project that a yes is about', () => {
  const at = folder();
  for (const dir of ['run', 'project/.git', 'project/src', 'secret']) mkdirSync(join(at, dir), { recursive: true });
  writeFileSync(join(at, 'run/x.c'), 'int x;\n');
  writeFileSync(join(at, 'project/src/y.c'), 'int y;\n');
  writeFileSync(join(at, 'secret/key'), 'secret\n');
  symlinkSync(join(at, 'secret/key'), join(at, 'run/link.c'));
  const places = { dirs: [], maps: [], profiles: [join(at, 'run/callgrind.out.1')] };
  const shown = readSource(join(at, 'run/x.c'), places);
  assert.ok(typeof shown === 'object' && 'lines' in shown);
  assert.deepEqual(shown.lines, ['int x;']);
  const outside = readSource(join(at, 'project/src/y.c'), places);
  assert.deepEqual(outside, { folder: join(at, 'project') });
  const asked = readSource(join(at, 'project/src/y.c'), { ...places, dirs: [join(at, 'project')] });
  assert.ok(typeof asked === 'object' && !isWithheld(asked));
  // A link in the profile's folder leads out of it; a program that is none allows nothing.
  const linked = readSource('link.c', places);
  assert.ok(typeof linked === 'object' && isWithheld(linked));
  const named = readSource(join(at, 'secret/key'), { ...places, programs: [join(at, 'secret/key'), join(at, 'secret/none')] });
  assert.ok(typeof named === 'object' && isWithheld(named));
});

test('a source that is a FIFO or of the kernel is not waited for, nor read', () => {
  const at = folder();
  fifo(join(at, 'x.c'));
  const places = { dirs: [at, '/proc/self'], maps: [], profiles: [] };
  assert.match(String(readSource('x.c', places)), /x\.c is not shown: a FIFO/);
  if (existsSync('/proc/self/pagemap'))
    assert.match(String(readSource('/proc/self/pagemap', places)), /not shown: a file of the kernel/);
});

test('a debug link to a FIFO: no debug file, and no tool that would wait for it', () => {
  const at = folder();
  const bytes = openFileBytes(join(FIXTURES, 'gperftools/bin/spin-pie-g'));
  const read = readElf(bytes);
  assert.ok(typeof read === 'object');
  const elf: Elf = { ...read, buildId: null, debugLink: { name: 'x.debug', crc: 1 } };
  assert.equal(findBlockingFile(elf, join(at, 'program'), []), undefined);
  fifo(join(at, 'x.debug'));
  assert.equal(findDebugFile(elf, join(at, 'program'), []), undefined);
  assert.equal(findBlockingFile(elf, join(at, 'program'), []), join(at, 'x.debug'));
  assert.equal(findBlockingFile({ ...elf, debugLink: null, debugAltLink: join(at, 'x.debug') }, '/p', []), join(at, 'x.debug'));
  bytes.close();
});

long('compressed data that grows beyond all measure is refused with the flag that allows it', async () => {
  const path = join(folder(), 'bomb.gz');
  writeFileSync(path, gzipSync(Buffer.alloc(300 << 20)));
  const unpack = async (limits?: Limits) => {
    let bytes = 0;
    for await (const chunk of (await openSource(path, undefined, new UnpackBudget(limits))).chunks()) bytes += chunk.length;
    return bytes;
  };
  await assert.rejects(unpack(), /expected compressed data of a profile, found data that unpacks to more than 256/);
  assert.equal(await unpack({ ...DEFAULT_LIMITS, expansion: 2000 }), 300 << 20);
});

test('no folder is the user’s where HOME is empty or relative, or a folder above is open to all', () => {
  const home = process.env['HOME'];
  const cache = process.env['XDG_CACHE_HOME'];
  delete process.env['XDG_CACHE_HOME'];
  try {
    for (const wrong of ['', 'relative', '.']) {
      process.env['HOME'] = wrong;
      assert.equal(privateFolder('cache'), undefined, wrong);
    }
  } finally {
    process.env['HOME'] = home;
    if (cache !== undefined) process.env['XDG_CACHE_HOME'] = cache;
  }
  assert.ok(!existsSync('relative'));
  const at = folder();
  mkdirSync(join(at, 'open/own'), { recursive: true });
  chmodSync(join(at, 'open'), 0o777);
  assert.equal(
    withCache(join(at, 'open/own'), () => privateFolder('cache')),
    undefined,
  );
});

test('a FIFO beside a profile is no part of its run', () => {
  const at = folder();
  writeFileSync(join(at, 'callgrind.out.7'), '');
  writeFileSync(join(at, 'callgrind.out.7-02'), 'events: Ir\nfn=f\n1 1\n');
  fifo(join(at, 'callgrind.out.7-01'));
  assert.deepEqual(filesOfRun(join(at, 'callgrind.out.7-02')), [join(at, 'callgrind.out.7-02')]);
});

test('the project of the current folder is shown: builds lie beside the sources', () => {
  const at = folder();
  for (const dir of ['p/.git', 'p/src', 'p/build', 'q']) mkdirSync(join(at, dir), { recursive: true });
  writeFileSync(join(at, 'p/src/x.c'), 'x\n');
  writeFileSync(join(at, 'q/y.c'), 'y\n');
  const before = process.cwd();
  process.chdir(join(at, 'p/build'));
  try {
    const places = { dirs: [], maps: [], profiles: [] };
    const shown = readSource(join(at, 'p/src/x.c'), places);
    assert.ok(typeof shown === 'object' && !isWithheld(shown));
    const other = readSource(join(at, 'q/y.c'), places);
    assert.ok(typeof other === 'object' && isWithheld(other));
  } finally {
    process.chdir(before);
  }
});

test('drafts that a killed program has left go with the next writing, and no others', () => {
  const at = folder();
  const path = join(at, 'out.svg');
  // A process that has ended.
  const gone = spawnSync('true').pid;
  const draft = (pid: number, ageHours: number, of = path) => {
    const name = draftPath(of).replace(`-${process.pid}-`, `-${pid}-`);
    writeFileSync(name, 'half');
    const when = Date.now() / 1000 - ageHours * 3600;
    utimesSync(name, when, when);
    return name;
  };
  const left = draft(gone, 30);
  const kept = [draft(gone, 1), draft(process.pid, 30), draft(gone, 30, join(at, 'other.svg'))];
  const second = draft(gone, 30);
  const old = draftPath(path).replace(`-${process.pid}-`, `-${gone}-`);
  symlinkSync(kept[0], old);
  const file = new NewFile(path);
  file.write(Buffer.from('whole'));
  file.finish();
  assert.equal(readFileSync(path, 'utf8'), 'whole');
  assert.ok(!existsSync(left) && !existsSync(second), 'leftovers are gone');
  for (const name of [...kept, old]) assert.ok(existsSync(name), name);
});
