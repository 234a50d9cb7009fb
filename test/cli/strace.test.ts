// What the program starts, opens for writing and connects to, as the kernel saw it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test, { after } from 'node:test';
import { existing, FIXTURES, ROOT } from '../support/fixtures.ts';
import { endAll, openPty } from '../support/pty.ts';

const STRACE = ['/usr/bin/strace', '/bin/strace'].find((path) => existsSync(path));
/** Tracing may be forbidden where strace is installed. */
const works = STRACE !== undefined && spawnSync(STRACE, ['-o', '/dev/null', '/bin/true']).status === 0;
after(endAll);
const skip = !works && 'strace is not installed, or not allowed';
const CALLS =
  'execve,execveat,open,openat,openat2,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,rmdir,link,linkat,symlink,symlinkat,chmod,fchmodat,truncate,socket,connect,bind';

interface Seen {
  /** The programs that were started, by their last name. */
  readonly started: Set<string>;
  /** Files and folders that were made, changed or removed. */
  readonly written: Set<string>;
  /** Families of sockets, `AF_UNIX` left out. */
  readonly sockets: Set<string>;
}

/** Reads strace's log; paths of other processes are taken relative to `cwd`, since none of them changes its folder. */
function seen(log: string, cwd: string): Seen {
  const out: Seen = { started: new Set(), written: new Set(), sockets: new Set() };
  for (const line of readFileSync(log, 'utf8').split('\n')) {
    const call = /^\d+ +(\w+)\((.*)$/.exec(line);
    if (!call || / = -1 /.test(line)) continue;
    const [, name, args] = call;
    const paths = [...args.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, path]) => resolve(cwd, path));
    if (name.startsWith('exec')) out.started.add(paths[0].slice(paths[0].lastIndexOf('/') + 1));
    else if (name === 'socket') {
      if (!args.startsWith('AF_UNIX')) out.sockets.add(args.split(',')[0]);
    } else if (name.startsWith('open')) {
      if (/O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/.test(args)) out.written.add(paths[0]);
    } else if (!['connect', 'bind'].includes(name)) for (const path of paths) out.written.add(path);
  }
  return out;
}

const folder = () => realpathSync(mkdtempSync(join(tmpdir(), 'proftui-strace-')));

/** Runs the program without a terminal under strace, with a home of its own. */
function trace(at: string, args: readonly string[]): Seen {
  const home = join(at, 'home');
  mkdirSync(home, { recursive: true });
  const { status, stderr } = spawnSync(
    STRACE ?? '',
    ['-f', '-qq', '-e', `trace=${CALLS}`, '-o', join(at, 'log'), process.execPath, join(ROOT, 'bin/proftui.js'), ...args],
    {
      cwd: at,
      encoding: 'utf8',
      input: '',
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        TMPDIR: join(at, 'tmp'),
        // A server that must not be asked.
        DEBUGINFOD_URLS: 'http://127.0.0.1:9/',
      },
    },
  );
  assert.equal(status, 0, stderr);
  return seen(join(at, 'log'), at);
}

/** What was written outside the folders that docs/security.md names. */
function strayed({ written }: Seen, allowed: readonly string[]): string[] {
  const system = ['/dev/null', '/dev/tty', '/dev/ptmx'];
  return [...written].filter(
    (path) =>
      !system.includes(path) && !path.startsWith('/dev/pts/') && !allowed.some((a) => path === a || path.startsWith(`${a}/`)),
  );
}

const only = (names: Iterable<string>, allowed: readonly string[]) => [...names].filter((name) => !allowed.includes(name));

test('printing a Callgrind profile starts nothing and writes only into the cache', { skip }, () => {
  const at = folder();
  const found = trace(at, [join(FIXTURES, 'callgrind/default.callgrind.out'), '--print', 'source', '--filter', '.cpp']);
  assert.deepEqual([...found.started], ['node']);
  assert.deepEqual(strayed(found, [join(at, 'home/.cache')]), []);
  assert.deepEqual([...found.sockets], []);
});

/** Programs that start another one with bounds (startProgram). */
const BOUNDS = ['setpriv', 'prlimit'];

test('symbolizing starts a line tool at most, asks no network, and writes only into the cache', { skip }, () => {
  const at = folder();
  const program = join(FIXTURES, 'gperftools/bin/spin-pie-g');
  const found = trace(at, [program, join(FIXTURES, 'gperftools/pie-g.prof.gz'), '--print', 'routines']);
  assert.deepEqual(only(found.started, ['node', ...BOUNDS, 'llvm-symbolizer', 'addr2line']), []);
  assert.deepEqual(strayed(found, [join(at, 'home/.cache')]), []);
  assert.deepEqual([...found.sockets], []);
});

test('instructions start objdump and nothing else', { skip }, () => {
  const at = folder();
  const args = [
    existing(join(FIXTURES, 'callgrind/instr-jumps.callgrind.out')),
    '--print',
    'instrs',
    '--routine',
    'demo::count_primes',
  ];
  const found = trace(at, [...args, '--disassemble', '--binary', process.execPath]);
  assert.deepEqual(only(found.started, ['node', ...BOUNDS, 'objdump']), []);
  assert.deepEqual(strayed(found, [join(at, 'home/.cache')]), []);
  assert.deepEqual([...found.sockets], []);
});

test('a build tree is read without starting anything, and collect writes only into it', { skip }, () => {
  const at = folder();
  const data = join(at, 'build/.cmake/instrumentation/v1/data');
  mkdirSync(join(data, 'index'), { recursive: true });
  const cache = [
    'CMAKE_COMMAND:INTERNAL=/bin/evil',
    'CMAKE_CACHE_MAJOR_VERSION:INTERNAL=4',
    'CMAKE_CACHE_MINOR_VERSION:INTERNAL=3',
  ];
  writeFileSync(join(at, 'build/CMakeCache.txt'), cache.join('\n'));
  const snippet = { version: 1, role: 'compile', timeStart: 1, duration: 2, result: 0 };
  writeFileSync(join(data, 'compile-00000000000000000001-2026-01-01T00-00-00-0001.json'), JSON.stringify(snippet));
  const index = join(data, 'index/index-2026-01-01T00-00-01-0000.json');
  writeFileSync(
    index,
    JSON.stringify({ version: 1, hook: 'postBuild', snippets: ['compile-00000000000000000001-2026-01-01T00-00-00-0001.json'] }),
  );
  for (const args of [
    ['cmake', 'collect', index],
    ['cmake', 'enable', join(at, 'build')],
    ['build', '--print', 'steps'],
  ]) {
    const found = trace(at, args);
    assert.deepEqual([...found.started], ['node'], args.join(' '));
    assert.deepEqual(strayed(found, [join(at, 'home/.cache'), join(at, 'build')]), [], args.join(' '));
    assert.deepEqual([...found.sockets], [], args.join(' '));
  }
});

test('the screen starts the editor that the user asks for, and nothing else', { skip }, async () => {
  const at = folder();
  mkdirSync(join(at, 'home'));
  const editor = join(at, 'my editor');
  writeFileSync(editor, '#!/bin/sh\nprintf "%s\\n" "$@" > "$0.args"\n', { mode: 0o755 });
  const profile = join(at, 'callgrind.out.1');
  writeFileSync(join(at, 'x.c'), 'one\ntwo\n');
  writeFileSync(profile, '# callgrind format\nevents: Ir\nfl=x.c\nfn=main\n2 10\nsummary: 10\n');
  const strace = ['-f', '-qq', '-e', `trace=${CALLS}`, '-o', join(at, 'log'), process.execPath, join(ROOT, 'bin/proftui.js')];
  const s = openPty([...strace.slice(1), profile], {
    node: STRACE ?? '',
    program: strace[0],
    env: { HOME: join(at, 'home'), EDITOR: `'${editor}' --flag`, VISUAL: '', XDG_CACHE_HOME: '', XDG_STATE_HOME: '', TMUX: '' },
  });
  await s.until(/▶ +10/);
  s.send(':source\r');
  await s.until(/2 two/);
  s.send('e');
  for (let wait = 0; wait < 100 && !existsSync(`${editor}.args`); wait++) await new Promise((done) => setTimeout(done, 50));
  await s.until(/2 two/);
  s.send('qq');
  await s.exited;
  const args = readFileSync(`${editor}.args`, 'utf8').split('\n');
  assert.match(args[0], /^--flag$/);
  assert.match(args[2], /^\//, 'an absolute path');
  const found = seen(join(at, 'log'), ROOT);
  assert.deepEqual(only(found.started, ['node', 'my editor', 'sh']), []);
  // The last session is kept in the folder of the state.
  assert.deepEqual(strayed(found, [join(at, 'home/.cache'), join(at, 'home/.local'), `${editor}.args`]), []);
  assert.deepEqual([...found.sockets], []);
});
