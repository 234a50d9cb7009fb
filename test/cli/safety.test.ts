// What a profile, a folder or another user's files may do to the one who opens them: nothing.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import { update } from '../../src/app/update.ts';
import { safeJson, visible } from '../../src/base/safe-text.ts';
import { loaderNamed } from '../../src/io/load.ts';
import { findProgram } from '../../src/io/programs.ts';
import { editorCommand } from '../../src/tui/outside.ts';
import { FIXTURES, ROOT } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';
import { loadText } from '../support/load.ts';
import { long, some } from '../support/long.ts';
import { run } from '../support/run.ts';
import { runWarm } from '../support/warm.ts';

const folder = () => realpathSync(mkdtempSync(join(tmpdir(), 'proftui-safety-')));
const DEFAULT = join(FIXTURES, 'callgrind/default.callgrind.out');

function allFiles(at: string): string[] {
  return readdirSync(at, { recursive: true, encoding: 'utf8' });
}

test('compiled code is kept in the user’s own cache folder or nowhere, never in a shared temporary one', () => {
  const at = folder();
  const [tmp, cache] = [join(at, 'tmp'), join(at, 'cache')];
  mkdirSync(tmp);
  const env = { TMPDIR: tmp, XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: '' };
  assert.equal(run([DEFAULT, '--print', 'summary'], { env }).code, 0);
  assert.deepEqual(allFiles(tmp), []);
  const own = join(cache, 'proftui/compiled');
  assert.equal(allFiles(own).length, 1);
  assert.equal(statSync(join(cache, 'proftui')).mode & 0o777, 0o700);
  // Where others could write, nothing is kept and nothing is read.
  const shared = join(at, 'shared');
  mkdirSync(shared);
  chmodSync(shared, 0o777);
  assert.equal(run([DEFAULT, '--print', 'summary'], { env: { ...env, XDG_CACHE_HOME: shared } }).code, 0);
  assert.deepEqual(allFiles(shared), []);
  assert.deepEqual(allFiles(tmp), []);
});

const which = (name: string) => ({ program: findProgram(name) ?? name, found: findProgram(name) !== undefined });

test('the editor gets an absolute path, which no name of a profile turns into an option', () => {
  const cwd = process.cwd();
  assert.deepEqual(editorCommand('vim', '-c!touch pwned', 3), { ...which('vim'), args: ['+3', '--', `${cwd}/-c!touch pwned`] });
  assert.deepEqual(editorCommand(`"/opt/my editors/nvim" -u 'a b'`, '/x.c', 1), {
    program: '/opt/my editors/nvim',
    found: true,
    args: ['-u', 'a b', '+1', '--', '/x.c'],
  });
  assert.deepEqual(editorCommand('code --wait', '/x.c', 7), { ...which('code'), args: ['--wait', '--goto', '/x.c:7'] });
  assert.deepEqual(editorCommand('emacsclient -t', '/x.c', 7), { ...which('emacsclient'), args: ['-t', '+7', '/x.c'] });
  assert.deepEqual(editorCommand('subl', '+x.c', 7), { ...which('subl'), args: [`${cwd}/+x.c:7`] });
  assert.equal(editorCommand('  ', '/x.c', 1), undefined);
});

/** A folder with a profile whose source lies in a folder that only .proftui.json names. */
function projectFolder(): {
  at: string;
  texts: (more?: readonly string[]) => { found: boolean; err: string; code: number | null };
} {
  const at = folder();
  mkdirSync(join(at, 'run'));
  mkdirSync(join(at, 'src'));
  writeFileSync(join(at, 'src/x.c'), 'first\nsecond\n');
  const old = new Date(2020, 1, 1);
  utimesSync(join(at, 'src/x.c'), old, old);
  writeFileSync(join(at, 'run/callgrind.out.1'), '# callgrind format\nevents: Ir\nfl=x.c\nfn=main\n2 10\nsummary: 10\n');
  const env = { XDG_STATE_HOME: join(at, 'state') };
  return {
    at,
    texts(more = []) {
      const args = ['callgrind.out.1', '--print', 'source', '--routine', 'main', '--json', ...more];
      const { code, out, err } = runWarm(args, { cwd: join(at, 'run'), env });
      return { code, err, found: out.includes('"text":"second"') };
    },
  };
}

long('the places of .proftui.json count after a yes, which holds for these places in this folder', () => {
  const { at, texts } = projectFolder();
  const file = join(at, 'run/.proftui.json');
  writeFileSync(file, JSON.stringify({ sourceDirs: [join(at, 'src')] }));
  const before = texts();
  assert.equal(before.found, false);
  assert.match(before.err, /^proftui: \.proftui\.json is not used: it names sources in .*src, .* run proftui --remember\n/);
  const yes = texts(['--remember']);
  assert.equal(yes.found, true);
  assert.match(yes.err, /remembered for this folder: sources in .*src/);
  const after = texts();
  assert.equal(after.found, true);
  assert.equal(after.err, '');
  assert.equal(statSync(join(at, 'state/proftui/projects.json')).mode & 0o777, 0o600);
  // Somebody changes the file, or copies it elsewhere.
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, JSON.stringify({ sourceDirs: [join(at, 'src'), '/etc'] }));
  assert.equal(texts().found, false);
  writeFileSync(file, text);
  assert.equal(texts().found, true);
  mkdirSync(join(at, 'copy'));
  writeFileSync(join(at, 'copy/.proftui.json'), text);
  const copied = runWarm([DEFAULT, '--print', 'summary'], { cwd: join(at, 'copy'), env: { XDG_STATE_HOME: join(at, 'state') } });
  assert.match(copied.err, /\.proftui\.json is not used/);
  // Favourites alone are harmless.
  writeFileSync(file, JSON.stringify({ favourites: ['main'] }));
  assert.equal(texts().err, '');
});

long('a yes is to a folder, not to its name; and nobody is asked about more places than they would read', () => {
  const { at, texts } = projectFolder();
  const file = join(at, 'run/.proftui.json');
  symlinkSync('../src', join(at, 'run/link'));
  writeFileSync(file, JSON.stringify({ sourceDirs: ['link'] }));
  assert.match(texts().err, /sources in link \(.*\/src\)/);
  assert.equal(texts(['--remember']).found, true);
  assert.equal(texts().found, true);
  rmSync(join(at, 'run/link'));
  symlinkSync('/etc', join(at, 'run/link'));
  assert.match(texts().err, /is not used: it names sources in link \(\/etc\)/);
  writeFileSync(file, JSON.stringify({ sourceDirs: Array.from({ length: 21 }, (_, i) => `d${i}`) }));
  assert.match(texts().err, /it names 21 places; at most 20 are allowed/);
});

long('a .proftui.json that is a link, a FIFO or too large is not used, and not waited for', () => {
  const { at, texts } = projectFolder();
  const file = join(at, 'run/.proftui.json');
  symlinkSync(join(at, 'none'), file);
  assert.match(texts().err, /\.proftui\.json is not used: a link/);
  assert.match(texts(['--remember', '--source-dir', '/tmp']).err, /--remember: \.proftui\.json: a link/);
  assert.ok(!existsSync(join(at, 'none')));
  const piped = projectFolder();
  assert.equal(spawnSync('mkfifo', [join(piped.at, 'run/.proftui.json')]).status, 0);
  assert.match(piped.texts().err, /is not used: a FIFO/);
  const large = projectFolder();
  writeFileSync(join(large.at, 'run/.proftui.json'), ' '.repeat(2 << 20));
  assert.match(large.texts().err, /is not used: more than 1048576 bytes/);
});

test('a source outside the profile’s folders: --print says which --source-dir shows it', () => {
  const { at } = projectFolder();
  const profile = join(at, 'run/callgrind.out.1');
  writeFileSync(profile, readFileSync(profile, 'utf8').replace('fl=x.c', `fl=${at}/src/x.c`));
  const printed = (more: readonly string[]) =>
    runWarm(['callgrind.out.1', '--print', 'source', '--routine', 'main', ...more], { cwd: join(at, 'run') });
  const { out } = printed([]);
  assert.ok(!out.includes('second'), out);
  assert.ok(out.replace(/\s+/g, ' ').includes(`--source-dir ${at}/src shows it`), out);
  assert.ok(printed(['--source-dir', join(at, 'src')]).out.includes('second'));
});

/** A build tree as CMake leaves it for collect; `trace` is what its one snippet names. */
function buildTree(trace: string): { build: string; index: string; data: string } {
  const build = join(folder(), 'build');
  const data = join(build, '.cmake/instrumentation/v1/data');
  mkdirSync(join(data, 'index'), { recursive: true });
  const snippet = { version: 1, role: 'compile', timeStart: 1, duration: 2, result: 0, traceFile: trace };
  writeFileSync(join(data, 'compile-1.json'), JSON.stringify(snippet));
  const index = join(data, 'index/index-2026-01-01T00-00-01-0000.json');
  writeFileSync(index, JSON.stringify({ version: 1, hook: 'postBuild', snippets: ['compile-1.json'] }));
  return { build, index, data };
}

const keptIn = (build: string) =>
  readdirSync(join(build, '.proftui'))
    .filter((name) => name.endsWith('.gz'))
    .map((name) => gunzipSync(readFileSync(join(build, '.proftui', name))).toString());

test('collect keeps no file that a link leads to, and does not wait for a FIFO', () => {
  const { build, index, data } = buildTree('trace/t.json');
  mkdirSync(join(data, 'trace'));
  writeFileSync(join(build, '../secret'), '{"secret": 1}');
  symlinkSync('../../../../../../secret', join(data, 'trace/t.json'));
  assert.ok(existsSync(join(data, 'trace/t.json')));
  const linked = run(['cmake', 'collect', index]);
  assert.equal(linked.code, 0);
  assert.equal(keptIn(build).length, 1, linked.err);
  assert.ok(!keptIn(build)[0].includes('secret'));
  const piped = buildTree('t.json');
  assert.equal(spawnSync('mkfifo', [join(piped.data, 't.json')]).status, 0);
  assert.equal(run(['cmake', 'collect', piped.index]).code, 0);
  assert.equal(keptIn(piped.build).length, 1);
});

test('collect deletes its own leftovers only, and writes into no linked folder', () => {
  const { build, index } = buildTree('none.json');
  const elsewhere = join(build, '../elsewhere');
  mkdirSync(elsewhere);
  const old = new Date(2020, 1, 1);
  writeFileSync(join(elsewhere, 'work.tmp'), 'work');
  utimesSync(join(elsewhere, 'work.tmp'), old, old);
  symlinkSync(elsewhere, join(build, '.proftui'));
  const { code, err } = run(['cmake', 'collect', index]);
  assert.equal(code, 0);
  assert.match(err, /this build is not kept: .*\.proftui is a link, not a folder/);
  assert.deepEqual(readdirSync(elsewhere), ['work.tmp']);
  const own = buildTree('none.json');
  mkdirSync(join(own.build, '.proftui'));
  const [draft, foreign] = ['.build-x.json.gz-123-0123456789ab.tmp', 'foreign.tmp'].map((n) => join(own.build, '.proftui', n));
  for (const path of [draft, foreign]) {
    writeFileSync(path, '');
    utimesSync(path, old, old);
  }
  assert.equal(run(['cmake', 'collect', own.index]).code, 0);
  assert.ok(!existsSync(draft) && existsSync(foreign));
});

test('enable writes through no link in the tree', () => {
  const at = folder();
  mkdirSync(join(at, 'build'));
  mkdirSync(join(at, 'elsewhere'));
  symlinkSync(join(at, 'elsewhere'), join(at, 'build/.cmake'));
  const { code, err } = runWarm(['cmake', 'enable', join(at, 'build')]);
  assert.equal(code, 1);
  assert.match(err, /^.*build: expected a build tree that can be written, found .*\.cmake is a link, not a folder\n$/);
  assert.deepEqual(readdirSync(join(at, 'elsewhere')), []);
});

test('characters that are not seen are shown, those that emoji need stay', () => {
  const hidden = [
    '\u00ad',
    '\u034f',
    '\u200c',
    '\u3164',
    '\u{e0061}',
    '\u{e0100}',
    '\u{1d173}',
    '\ufffe',
    '\ud800',
    '\u061c',
    '\u2066',
  ];
  for (const c of hidden) {
    const code = (c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    assert.equal(visible(`a${c}b`), `a<${code}>b`);
    assert.equal(JSON.parse(safeJson(`a${c}b`)), `a${c}b`);
    assert.match(safeJson(`a${c}b`), /^"a(\\u[0-9a-f]{4})+b"$/);
  }
  for (const text of ['👩‍👩', '❤️', 'é', 'e\u0301', '漢字', 'ñ']) assert.equal(visible(text), text);
});

test('what y copies is what is seen', async () => {
  const loader = loaderNamed('callgrind');
  assert.ok(loader);
  const p = play(await loadText(loader, 'events: Ir\nfn=x\u001b[201~\rid\n1 1\n'), { width: 80, height: 24 });
  const [, effects] = update(p.state, { type: 'copy' });
  assert.deepEqual(effects, [{ type: 'copy', text: 'x␛[201~␍id' }]);
});

const RAW = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
const EVIL = '\u001b]0;x\u0007\u001b[31m\u009b31m\u202e';

long('no escape sequence of a profile reaches what is printed: names, events, long names, file headings', () => {
  const at = folder();
  const path = join(at, `callgrind.out.${EVIL}`);
  writeFileSync(join(at, 'x.c'), `${EVIL}\n`);
  writeFileSync(
    path,
    `# callgrind format\nversion: 1\ncreator: ${EVIL}\ncmd: ${EVIL}\nevent: Ir : long ${EVIL}\nevent: E${EVIL} : ${EVIL}\nevents: Ir E${EVIL}\n` +
      `ob=${EVIL}\nfl=${EVIL}.c\nfn=${EVIL}f\n1 2 3\ncfn=g${EVIL}\ncalls=1 1\n1 5 5\nfl=x.c\nfn=g${EVIL}\n1 5 5\n`,
  );
  const views = ['summary', 'routines', 'calls', 'lines', 'source', 'tree'];
  const forms = [[], ['--json'], ['--csv'], ['--tsv'], ['--markdown'], ['--ascii']];
  // Of each view, other forms where only some cases are tried.
  for (const [v, view] of views.entries())
    for (const form of some([...forms.slice(v % 3), ...forms.slice(0, v % 3)])) {
      const which = view === 'source' ? ['--filter', '.c'] : [];
      const { code, out, err } = runWarm([path, '--print', view, ...form, ...which], { cwd: at });
      assert.equal(code, 0, `${view} ${form.join()}: ${err}`);
      const crlf = form[0] === '--csv' ? out.replaceAll('\r\n', '\n') : out;
      const tabs = form[0] === '--tsv' ? crlf : crlf.replaceAll('\t', '\u0000');
      assert.doesNotMatch(tabs.replaceAll('\r', '\u0000'), RAW, `${view} ${form.join()}`);
      assert.doesNotMatch(err.replaceAll('\r', '\u0000'), RAW);
    }
  for (const args of [[join(at, `none${EVIL}`)], [path, '--print', `no${EVIL}`], [path, `--flag${EVIL}`], ['--check', path]]) {
    const { out, err } = runWarm(args, { cwd: at });
    assert.doesNotMatch((out + err).replaceAll(/[\t\r]/g, '\u0000'), RAW, args.join(' '));
  }
});

test('keys of a trace’s args are columns of CSV and TSV: no line end, tab or escape in a header', () => {
  const at = folder();
  const key = `k\n\t\r${EVIL}`;
  const event = { ph: 'X', name: 'n', ts: 1, dur: 2, pid: 1, tid: 1, args: { [key]: { [key]: '=1+1' } } };
  const path = join(at, 't.json');
  writeFileSync(path, JSON.stringify([event, { ...event, ts: 5 }]));
  for (const form of ['--csv', '--tsv']) {
    const { code, out, err } = runWarm([path, '--print', 'steps', form]);
    assert.equal(code, 0, err);
    const lines = out.split(form === '--csv' ? '\r\n' : '\n');
    assert.equal(lines.length, 4, 'a header, two rows, and the end of the last');
    assert.doesNotMatch(form === '--tsv' ? lines.join('').replaceAll('\t', '') : lines.join('').replaceAll('\t', '\u0000'), RAW);
    assert.equal(new Set(lines.slice(0, 3).map((l) => l.split('\t').length)).size, 1);
  }
});

long('an event named __proto__ is an event, and no key of an object gets lost', () => {
  const path = join(folder(), 'callgrind.out.1');
  writeFileSync(
    path,
    '# callgrind format\nevents: __proto__ constructor\nfn=toString\n1 5 7\ncfn=g\ncalls=1 1\n1 2 3\nfn=g\n1 2 3\n',
  );
  for (const view of ['routines', 'calls', 'lines', 'tree']) {
    const { out, code, err } = runWarm([path, '--print', view, '--json']);
    assert.equal(code, 0, err);
    assert.match(out, /"totals":\{"__proto__":7,"constructor":10\}/);
    assert.match(out, /"(?:self|inclusive)":\{"__proto__":\d,"constructor":\d/);
  }
  assert.match(runWarm([path, '--print', 'routines', '--csv']).out, /self\.__proto__,self\.constructor/);
});

test('--csv-safe keeps spreadsheets from running what a profile says', () => {
  const at = folder();
  const path = join(at, 'callgrind.out.1');
  const names = ['=cmd()', '+x', '-x', '@x', '＝x', 'plain'];
  writeFileSync(path, `# callgrind format\nevents: Ir\n${names.map((n) => `fn=${n}\n1 5\n`).join('')}`);
  const routines = (more: readonly string[]) => runWarm([path, '--print', 'routines', '--csv', ...more]).out;
  const plain = routines([]);
  const safe = routines(['--csv-safe']);
  for (const name of names.slice(0, 5)) {
    assert.match(plain, new RegExp(`(^|,)\\${name.replace('()', '\\(\\)')}`, 'm'));
    assert.ok(safe.includes(`'${name}`), safe);
    assert.doesNotMatch(safe, new RegExp(`(^|,)\\${name.replace('()', '\\(\\)')}`, 'm'));
  }
  assert.ok(safe.includes('plain') && !safe.includes("'plain"));
  assert.equal(runWarm([path, '--print', 'routines', '--json', '--csv-safe']).code, 2);
});

test('only the folders of io and a few named files touch the disk, and only one writes to the terminal', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((f) => /\.tsx?$/.test(f));
  const opens =
    /\b(?:openSync|readFileSync|createReadStream|createWriteStream|writeFileSync|appendFileSync|readFile|writeFile|open|copyFileSync|truncateSync)\b/;
  const found = files.filter((file) => {
    const text = readFileSync(join(ROOT, 'src', file), 'utf8');
    const names = [...text.matchAll(/import \{([^}]*)\} from 'node:fs(?:\/promises)?';/g)].map(([, list]) => list).join();
    return opens.test(names);
  });
  assert.deepEqual(found.sort(), [
    // The user is asked on the terminal, and /dev/null takes its place when it has gone.
    'cli/terminal.ts',
    // The program itself, and its compiled code.
    'io/disk/compiled.ts',
    'io/disk/locked.ts',
    'io/disk/regular.ts',
    'io/disk/writing.ts',
    // Files of the program itself.
    'io/own-files.ts',
    // What the kernel says of the user's own processes, for a build that is followed.
    'io/running.ts',
    // What the user named, pipes included.
    'io/sources/source.ts',
    // The state of this process's own standard input.
    'io/standard-input.ts',
    // What --record and --play name.
    'tui/recording.ts',
    // Keys from /dev/tty.
    'tui/terminal.ts',
  ]);
  const writers = files.filter((file) =>
    /process\.std(?:out|err)\.write|console\./.test(readFileSync(join(ROOT, 'src', file), 'utf8')),
  );
  assert.deepEqual(writers.sort(), ['cli/output.ts']);
});
