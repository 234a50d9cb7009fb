// The command line: what is taken, what is refused, and what each flag does to what is printed.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import test from 'node:test';
import fc from 'fast-check';
import { UsageError } from '../../src/base/errors.ts';
import type { FlagSpec } from '../../src/cli/flag-spec.ts';
import { flagSpecs } from '../../src/cli/flag-table.ts';
import { parseFlags } from '../../src/cli/flags.ts';
import { HELP_SUBJECTS, helpOnSubject, helpText, shortHelp } from '../../src/cli/help.ts';
import { loadProfile } from '../../src/io/load.ts';
import { reports } from '../../src/reports/index.ts';
import { type ReportContext, ReportError } from '../../src/reports/report.ts';
import { unpack } from '../support/bundle.ts';
import { existing, FIXTURES, ROOT } from '../support/fixtures.ts';
import { long, some } from '../support/long.ts';
import { contextOf } from '../support/reports.ts';
import { run } from '../support/run.ts';
import { runWarm } from '../support/warm.ts';

const DEFAULT = join(FIXTURES, 'callgrind/default.callgrind.out');
const BIN = join(ROOT, 'bin/proftui.js');
const here = { cwd: ROOT };
const options = (...argv: string[]) => parseFlags(argv, {});
const refused = async (argv: readonly string[], message: RegExp) =>
  assert.rejects(options(...argv), (e) => e instanceof UsageError && message.test(e.message), argv.join(' '));

long('a value comes through as it was typed, whatever is in it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), fc.array(fc.string({ unit: 'binary' })), async (text, several) => {
      const many = several.map((s) => `--derive=${s}`);
      const { filter, derive, paths } = await options(`--filter=${text}`, ...many, '--', text);
      assert.deepEqual([filter, derive, paths], [text, several, [text]]);
      if (!text.startsWith('--')) assert.equal((await options('--filter', text)).filter, text);
    }),
  );
  for (const text of ['-x', '-', '"quoted"', "'q'", '', ' ', 'a=b', 'true', '0x10', '__proto__', 'a\nb', '-1'])
    assert.equal((await options('--filter', text)).filter, text);
});

test('flags and paths in any order, one dash for -h and -V', async () => {
  const o = await options('a', '--json', 'true', '-', '--limit', '1e1', '--path-map=/a=/b', 'false', '--no-color', '--', '--csv');
  assert.deepEqual(o.paths, ['a', 'true', '-', 'false', '--csv']);
  assert.deepEqual([o.form, o.limit, o.color, o.pathMaps], ['json', 10, false, [['/a', '/b']]]);
  assert.equal((await options('a')).color, true);
  assert.equal((await options('-h')).help, true);
  assert.equal((await options('-V', 'x')).version, true);
});

test('what meow would let pass is refused', async () => {
  const wrong: [string[], RegExp][] = [
    [['--prnt', 'x'], /unknown flag --prnt; did you mean --print/],
    [['--no-json'], /unknown flag --no-json; did you mean --json/],
    [['--colour'], /unknown flag --colour; did you mean --color/],
    [['--pathMap', 'a=b'], /unknown flag --pathMap/],
    [['--sourceDir=x'], /unknown flag/],
    [['--__proto__=x'], /unknown flag/],
    [['--=x'], /unknown flag/],
    [['---json'], /unknown flag/],
    [['-x'], /unknown flag -x; flags start with two dashes/],
    [['-hV'], /unknown flag -hV/],
    [['-1'], /unknown flag -1/],
    [['-json'], /unknown flag -json/],
    [['--json=true'], /--json takes no value/],
    [['--no-color=1'], /--no-color takes no value/],
    [['--limit', 'abc'], /--limit takes a number, not abc/],
    [['--limit='], /--limit takes a number/],
    [['--limit', '1.5'], /whole number/],
    [['--limit', '-1'], /whole number/],
    [['--limit', '0x10'], /--limit takes a number, not 0x10/],
    [['--limit', 'Infinity'], /takes a number/],
    [['--width', '10'], /--width takes a whole number of columns from 40/],
    [['--at', ' 1'], /--at takes a number/],
    [['--limit', '1', '--limit', '2'], /--limit can only be set once/],
    [['--print', 'a', '--print=b'], /--print can only be set once/],
    [['--print'], /--print needs a value: VIEW/],
    [['--print', '--json'], /--print needs a value/],
    [['--print', '--', 'x'], /--print needs a value/],
    [['--filter', '--__proto__'], /--filter needs a value/],
    [['--filter', '---'], /--filter needs a value/],
    [['--json', '--csv'], /only one form/],
    [['--sort', ''], /--sort takes COLUMN/],
  ];
  for (const [argv, message] of wrong) await refused(argv, message);
});

test('meow is loaded only when there are flags, and leaves the command line to ps', () => {
  const program = join(ROOT, 'dist/main.cjs');
  // A variable that meow's parser reads when it is loaded.
  const probe = `
    import { createRequire } from 'node:module';
    const get = (env, name) => { if (name === 'YARGS_MIN_NODE_VERSION') console.error('meow'); return env[name]; };
    process.env = new Proxy({ ...process.env }, { get });
    createRequire(import.meta.url)(${JSON.stringify(program)}).main(process.argv.slice(1), '0');`;
  const loaded = (...args: string[]) =>
    spawnSync(process.execPath, ['--input-type=module', '-e', probe, DEFAULT, ...args], { encoding: 'utf8' }).stderr;
  assert.equal(loaded(), '');
  assert.equal(loaded('--ascii'), 'meow\n');
  const title = `const before = process.title; await main([...process.argv.slice(1)], '0'); console.error(process.title === before);`;
  const script = `import { createRequire } from 'node:module'; const { main } = createRequire(import.meta.url)(${JSON.stringify(program)}); ${title}`;
  const named = spawnSync(process.execPath, ['--input-type=module', '-e', script, DEFAULT, '--ascii', '--print', 'summary'], {
    encoding: 'utf8',
  });
  assert.match(named.stderr, /true\n$/);
});

test('the table of flags is sound, and --help is made of it', () => {
  const names = flagSpecs.flatMap((f: FlagSpec) => (f.short ? [f.name, f.short] : [f.name]));
  assert.equal(new Set(names).size, names.length);
  for (const f of flagSpecs) assert.equal(f.type === 'boolean', f.arg === undefined, f.name);
  const help = helpText();
  for (const line of help.split('\n')) assert.ok([...line].length <= 80, line);
  for (const f of flagSpecs) assert.ok(help.includes(`  --${f.name}`) || help.includes(`, --${f.name}`), f.name);
  for (const r of reports) for (const word of [r.name, ...r.sorts]) assert.match(help, new RegExp(`[ (]${word}(,|\\n|:)`));
});

test('every flag is read: its option, or its name in a list of flags that are', () => {
  const declares = /flag-(table|spec|values)|help|completion|command-line/;
  const readers = ['src/cli', 'src/tui'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => !declares.test(name))
      .map((name) => `${folder}/${name}`),
  );
  const code = [...readers, 'src/io/load.ts', 'src/reports/options.ts', 'src/analysis/profiles/transforms/transform.ts']
    .map((file) => readFileSync(join(ROOT, file), 'utf8').replace(/\/\/.*|\/\*[\s\S]*?\*\/|VIEWS_OF_OPTIONS: [\s\S]*?\n};/g, ''))
    .join('\n');
  const isRead = ({ key, name }: FlagSpec) => new RegExp(`[.{,(]\\s*${key}\\b|'${name}'`).test(code);
  assert.equal(isRead({ ...flagSpecs[0], key: 'noSuchFlag', name: 'no-such-flag' }), false);
  assert.deepEqual(
    flagSpecs.filter((flag) => !isRead(flag)).map((flag) => flag.name),
    [],
  );
});

/** A profile that has the view. */
const PROFILES: Record<string, string> = {
  calls: 'callgrind/default.callgrind.out',
  instrs: 'callgrind/instr-jumps.callgrind.out.gz',
  lines: 'callgrind/default.callgrind.out',
  // GCC says more of its phases than clang.
  phases: 'gcc-time-report/two-units.log',
  routines: 'callgrind/default.callgrind.out',
  inputs: 'aprof/sorts/sorts_29651_0_4.aprof.gz',
  steps: 'ninja-log/tidepool-ninja-failing/.ninja_log',
  processes: 'build-trace/mbedtls-make.trace.gz',
  compiles: 'clang-traces/whole-build',
  history: 'cmake/kept/build-2026-11-01T09-00-00-0000.json.gz',
  tests: 'ctest/fates',
  rebuilds: join(unpack(join(FIXTURES, 'ninja-log/ferry.json')), '.ninja_log'),
  labels: 'pprof/cpu.pb.gz',
  stacks: 'pprof/cpu.pb.gz',
  snapshots: 'massif/stages.massif.out',
  times: 'perf-script/phases.perf.gz',
};

long('--sort takes the columns that a view declares, and no others', async () => {
  const contexts = new Map<string, ReportContext>();
  // Changes are of steps or of routines: they need two runs, so the program prints them.
  for (const report of reports.filter((r) => r.sorts.length > 0 && r.name !== 'changes')) {
    const file = resolve(FIXTURES, PROFILES[report.name] ?? PROFILES[report.requires[0]] ?? PROFILES['calls']);
    const context = contexts.get(file) ?? contextOf(await loadProfile([file]));
    contexts.set(file, context);
    const write = (column: string) =>
      report.write(
        report.isArray ? 'json' : 'text',
        { ...context, limit: 5, sort: { column, descending: false } },
        '0',
        async () => {},
      );
    for (const column of report.sorts.slice(0, 2)) await write(column === 'EVENT' ? 'Ir' : column);
    // What is refused names the others.
    const isComplete = ({ message }: Error) => report.sorts.every((column) => column === 'EVENT' || message.includes(column));
    await assert.rejects(
      write('nope'),
      (e) => e instanceof ReportError && /^--sort nope: no such column; there are/.test(e.message) && isComplete(e),
      report.name,
    );
  }
  const log = join(FIXTURES, PROFILES['steps']);
  const printed = (name: string, column: string) =>
    runWarm([log, '--base', log, '--print', name, '--limit', '5', '--sort', column]);
  const sorts = reports.find((r) => r.name === 'changes')?.sorts.slice(0, 5) ?? [];
  for (const column of sorts.slice(0, 2)) assert.equal(printed('changes', `${column}:asc`).code, 0, column);
  const wrong = printed('changes', 'nope');
  assert.equal(wrong.code, 2);
  for (const column of sorts) assert.ok(wrong.err.includes(column), column);
  const unsorted = printed('summary', 'nope');
  assert.equal(unsorted.code, 2);
  assert.match(unsorted.err, /in an order of their own/);
});

type Row = Record<string, never> & { id?: number; parent?: number | null; calls?: number | null; name?: string; file?: string };
const rowsOf = (args: readonly string[]): Row[] => {
  const { code, out, err } = runWarm([...args, '--json'], here);
  assert.equal(code, 0, err);
  const value = JSON.parse(out) as { rows: Row[] } | Row[];
  return Array.isArray(value) ? value : value.rows;
};

long('--sort orders siblings of the tree, changes, compiles, the lines and instructions of a routine', () => {
  const tree = rowsOf([DEFAULT, '--print', 'tree', '--sort', 'calls:asc']);
  const last = new Map<number | null | undefined, number>();
  for (const { parent, calls } of tree) {
    if (typeof calls !== 'number') continue;
    assert.ok(calls >= (last.get(parent) ?? 0), `${calls} after ${last.get(parent)}`);
    last.set(parent, calls);
  }
  assert.ok(last.size > 10);
  const log = join(FIXTURES, PROFILES['steps']);
  const names = rowsOf([log, '--base', log, '--parts', '1', '--print', 'changes', '--sort', 'name']).map((r) => r.name ?? '');
  assert.ok(names.length > 3);
  assert.deepEqual(names, [...names].sort());
  const files = rowsOf([join(FIXTURES, PROFILES['processes']), '--print', 'compile-commands', '--sort', 'file:desc']);
  assert.deepEqual(
    files.map((r) => r.file),
    files
      .map((r) => r.file)
      .sort()
      .reverse(),
  );
  const self = (args: readonly string[]) => rowsOf(args).map((r) => Number((r['self'] as Record<string, number>)['Ir']));
  for (const [profile, view] of [
    [DEFAULT, 'lines'],
    [join(FIXTURES, PROFILES['instrs']), 'instrs'],
  ]) {
    const args = [profile, '--print', view, '--routine', 'demo::count_primes'];
    const costs = self([...args, '--sort', 'self']);
    assert.ok(costs.length > 3);
    assert.deepEqual(
      costs,
      [...costs].sort((a, b) => b - a),
    );
    assert.notDeepEqual(self(args), costs);
  }
});

long('--base goes with every view but one, and only with a profile that can be compared', () => {
  for (const view of ['routines', 'summary', 'tree'])
    assert.equal(runWarm([DEFAULT, '--base', DEFAULT, '--print', view]).code, 0, view);
  const trace = join(FIXTURES, PROFILES['processes']);
  const array = runWarm([trace, '--base', trace, '--print', 'compile-commands']);
  assert.equal(array.code, 2);
  assert.match(array.err, /--base: the form of compile-commands cannot hold two runs/);
  const aprof = join(FIXTURES, PROFILES['inputs']);
  const other = runWarm([aprof, '--base', DEFAULT, '--print', 'curves']);
  assert.equal(other.code, 1);
  assert.match(
    other.err,
    /expected a profile of inputs to compare with, found one of callgraph .*\nhint: profiles of aprof can be compared with other profiles of costs by size of input/,
  );
  for (const flag of [
    '--measure=now',
    '--rename=a=b',
    '--normalize',
    '--samples',
    '--runs=min',
    '--base-source-dir=.',
    '--base-rev=HEAD',
  ]) {
    const alone = runWarm([DEFAULT, flag, '--print', 'routines']);
    assert.equal(alone.code, 2, flag);
    assert.match(alone.err, /says how runs are compared: --base PATH names the other one/);
  }
});

long('routines of one name are told apart by their file', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'proftui-')), 'callgrind.out.1');
  writeFileSync(file, 'events: Ir\nfl=/w/src/a.c\nfn=run\n1 10\nfn=a::b\n2 1\nfl=/w/lib/a.c\nfn=run\n3 20\nfn=a::b\n4 2\n');
  const lines = (routine: string) => runWarm([file, '--print', 'lines', '--routine', routine, '--csv']);
  const both = lines('run');
  assert.equal(both.code, 2);
  assert.match(both.err, /fits 2 routines:\n.*src\/a\.c.*\n.*lib\/a\.c.*\n--routine FILE:NAME/);
  for (const [routine, line] of [
    ['src/a.c:run', 1],
    ['/w/lib/a.c:run', 3],
    ['run file:lib/a.c', 3],
    ['src/a.c:a::b', 2],
    ['a::b file:/w/lib/a.c', 4],
  ] as const)
    assert.match(lines(routine).out, new RegExp(`,${line},`), routine);
  assert.equal(lines('c.c:run').code, 2);
  assert.equal(lines('a.c:run').code, 2);
});

long('text is as wide as --width says, and 200 columns into a pipe', () => {
  const widest = (...args: string[]) =>
    Math.max(
      ...runWarm([DEFAULT, '--print', 'routines', ...args])
        .out.split('\n')
        .map((l) => [...l].length),
    );
  for (const width of [40, 80, 120]) assert.ok(widest('--width', String(width)) <= width);
  assert.ok(widest() <= 200 && widest() > 120);
  // Names of up to 100 characters are whole there.
  const names = rowsOf([DEFAULT, '--print', 'routines', '--limit', '40']).map((r) => String(r['routine']));
  const { out } = runWarm([DEFAULT, '--print', 'routines']);
  // Text has them without versions and clones.
  const shown = (name: string) => name.replace(/@.*|\.constprop\.0$/, '');
  for (const name of names) assert.ok(name.length > 100 || out.includes(shown(name)), name);
});

long('without a path, what comes in by standard input is read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  copyFileSync(join(FIXTURES, 'callgrind/toggle.callgrind.out'), join(folder, 'callgrind.out.1'));
  const sh = (command: string) => {
    const { stdout, status } = spawnSync('bash', ['-c', command.replaceAll('proftui', `'${process.execPath}' '${BIN}'`)], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { out: stdout, code: status };
  };
  const whole = /routines: +576/;
  assert.match(sh(`cat '${DEFAULT}' | proftui`).out, whole);
  assert.match(sh(`gzip -c '${DEFAULT}' | proftui --print summary`).out, whole);
  assert.match(sh(`proftui < '${DEFAULT}'`).out, whole);
  assert.match(sh(`proftui <(cat '${DEFAULT}')`).out, whole);
  assert.match(sh(`proftui <(gzip -c '${DEFAULT}') --check`).out, /576 routines/);
  assert.match(sh(`mkfifo late; (sleep 0.1; cat '${DEFAULT}' > late) & proftui late`).out, whole);
  assert.match(run([], { cwd: folder, input: readFileSync(DEFAULT) }).out, whole);
  // Nothing in it: the folder is looked at.
  assert.match(sh('{ cat > /dev/null; proftui; } < callgrind.out.1').out, /callgrind: callgrind\.out\.1/);
  for (const nothing of ['</dev/null', '<&-']) assert.match(sh(`proftui ${nothing}`).out, /callgrind\.out\.1/, nothing);
  // A path that is named goes before.
  assert.match(sh(`cat '${DEFAULT}' | proftui callgrind.out.1`).out, /callgrind\.out\.1/);
  // What is wrong with a pipe is said as it is of a file.
  for (const bad of ["printf '\\x1f\\x8bgarbage'", 'echo nonsense', 'true'])
    assert.equal(sh(`proftui <(${bad}) 2>&1`).code, 1, bad);
  assert.match(sh("proftui <(printf '\\x1f\\x8bgarbage') 2>&1").out, /\/dev\/fd\/\d+.*expected complete gzip data/);
  // A pipe that nobody writes to is no profile.
  assert.equal(sh('mkfifo never; proftui never').code, 1);
});

long('a pipe is waited for: ten seconds for its first byte, and the folder is never opened instead', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  copyFileSync(join(FIXTURES, 'callgrind/toggle.callgrind.out'), join(folder, 'callgrind.out.1'));
  const HINT = /waiting for a profile on standard input/;
  const bytes = readFileSync(DEFAULT);
  /** `feed`: called once the program has started, and when the hint has come; it writes into the pipe, or ends it. */
  const piped = (args: string, feed: (pipe: Writable, hinted: boolean) => void) =>
    new Promise<{ out: string; err: string; code: number | null }>((resolve) => {
      const child = spawn(process.execPath, [BIN, ...args.split(' ')], { cwd: folder });
      let [out, err] = ['', ''];
      child.stdin.on('error', () => {});
      child.stdout.on('data', (data) => (out += data));
      child.stderr.on('data', (data) => {
        err += data;
        if (HINT.test(err)) feed(child.stdin, true);
      });
      child.on('exit', () => child.stdin.destroy());
      child.on('close', (code) => resolve({ out, err, code }));
      feed(child.stdin, false);
    });
  const print = '--print summary';
  const never = () => {};
  const [now, hinted, late, nothing, silent, waited, ...others] = await Promise.all([
    piped(print, (pipe, said) => said || pipe.end(bytes)),
    piped(print, (pipe, said) => said && pipe.end(bytes)),
    piped(print, (pipe, said) => said && setTimeout(() => pipe.end(bytes), 7000)),
    piped(print, (pipe, said) => said || pipe.end()),
    piped(print, never),
    piped(`- ${print}`, (pipe, said) => said || setTimeout(() => pipe.end(bytes), 12_000)),
    ...['--formats', `. ${print}`, `callgrind.out.1 ${print}`].map((args) => piped(args, never)),
  ]);
  for (const { out, code } of [now, hinted, late, waited]) {
    assert.match(out, /routines: +576/);
    assert.equal(code, 0);
  }
  assert.deepEqual([nothing.out, nothing.code], ['', 2]);
  assert.match(nothing.err, /standard input ended without a byte/);
  assert.deepEqual([silent.out, silent.code], ['', 2]);
  assert.match(silent.err, /no data on standard input: name a file, `-` to wait, `\.` for this folder/);
  for (const { out, err, code } of others) {
    assert.deepEqual([err, code], ['', 0]);
    assert.match(out, /callgrind/);
  }
});

test('--help fits a screen and leads to the rest; subjects together are the whole', () => {
  assert.ok(shortHelp().split('\n').length <= 24);
  const whole = helpText();
  for (const subject of Object.keys(HELP_SUBJECTS)) {
    const text = helpOnSubject(subject) ?? '';
    assert.match(shortHelp(), new RegExp(`proftui --help ${subject} `));
    assert.ok(text !== '' && whole.includes(text), subject);
    if (subject === 'compare' || subject === 'views') assert.equal(runWarm(['--help', subject]).out, `${text}\n`);
  }
  for (const { name } of flagSpecs)
    assert.ok(
      Object.keys(HELP_SUBJECTS).some((s) => s !== 'all' && helpOnSubject(s)?.includes(`--${name}`)),
      name,
    );
  const { code, err } = runWarm(['--help', 'sorting']);
  assert.equal(code, 2);
  assert.match(err, /no such subject; there are print, shown/);
});

test('a program whose files are missing says what to run, without a stack', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  mkdirSync(join(folder, 'bin'));
  copyFileSync(BIN, join(folder, 'bin/proftui.js'));
  const start = () => spawnSync(process.execPath, [join(folder, 'bin/proftui.js'), 'x'], { encoding: 'utf8' });
  for (const step of ['nothing', 'package.json', 'a broken bundle']) {
    if (step === 'package.json') copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
    if (step === 'a broken bundle') {
      mkdirSync(join(folder, 'dist'));
      for (const name of ['main.cjs', 'compiled.js']) writeFileSync(join(folder, 'dist', name), 'const = 1');
    }
    const { status, stderr } = start();
    assert.equal(status, 2, step);
    assert.match(
      stderr,
      /^proftui: cannot start: .*\nhint: a file of the package is missing or broken: install it again\n$/,
      step,
    );
  }
  mkdirSync(join(folder, 'src/cli'), { recursive: true });
  writeFileSync(join(folder, 'src/cli/main.ts'), '');
  assert.match(start().stderr, /hint: npm ci && npm run build builds it/);
});

long('completions: bash completes flags, and values that are names', () => {
  const script = runWarm(['--completion', 'bash']).out;
  const complete = (...words: string[]) => {
    const list = words.map((w) => `'${w}'`).join(' ');
    const program = `${script}\ncompopt() { :; }; COMP_WORDS=(proftui ${list}); COMP_CWORD=${words.length}; _proftui; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr, status } = spawnSync('bash', ['-c', program], { encoding: 'utf8', cwd: ROOT });
    assert.equal(status, 0, stderr);
    return stdout.split('\n').filter((line) => line !== '');
  };
  assert.deepEqual(complete('--pri'), ['--print']);
  assert.deepEqual(
    complete('-').filter((w) => w.startsWith('--')),
    flagSpecs.map((f) => `--${f.name}`),
  );
  assert.deepEqual(complete('--print', 'cur'), ['curves', 'curve']);
  assert.deepEqual(complete('--print', '=', 'tre'), ['tree']);
  assert.deepEqual(complete('x', '--by', ''), [
    ...['routine', 'line', 'address', 'file', 'object', 'detail'],
    ...['directory', 'code', 'namespace', 'class', 'function'],
  ]);
  assert.deepEqual(complete('--source-dir', 'src/b'), ['src/base']);
  assert.deepEqual(complete('--base', 'READ'), ['README.md']);
  assert.deepEqual(complete('--filter', '--'), []);
  for (const shell of ['zsh', 'fish']) {
    const { out } = runWarm(['--completion', shell]);
    for (const f of flagSpecs) assert.match(out, new RegExp(shell === 'zsh' ? `--${f.name}=?\\[` : ` -l ${f.name} `));
    for (const line of out.split('\n')) assert.equal((line.replace(/\\'/g, '').match(/'/g)?.length ?? 0) % 2, 0, line);
  }
  assert.equal(runWarm(['--completion', 'csh']).code, 2);
});

test('-h and -V are --help and --version', () => {
  assert.equal(runWarm(['-h']).out, `${shortHelp()}\n`);
  assert.equal(run(['-V']).out, run(['--version']).out);
  assert.equal(run(['-V', '-V']).out, run(['--version']).out);
});

test('tree --threshold leaves out every row below it, roots too, and says how many', () => {
  const dir = mkdtempSync(join(tmpdir(), 'proftui tree-'));
  const file = join(dir, 'callgrind.out.1');
  const calls =
    'fn=main\n1 900\ncfn=dear\ncalls=1 1\n1 90\ncfn=cheap\ncalls=1 1\n1 5\nfn=dear\n1 90\nfn=cheap\n1 5\nfn=thread\n1 5\n';
  writeFileSync(file, `events: Ir\n${calls}`);
  const namesAt = (...more: string[]) =>
    rowsOf([file, '--print', 'tree', ...more]).map((r) => (r as unknown as { routine: string }).routine);
  assert.deepEqual(namesAt(), ['main', 'dear', 'cheap', 'thread']);
  assert.deepEqual(namesAt('--threshold', '1'), ['main', 'dear']);
  assert.match(runWarm([file, '--print', 'tree', '--threshold', '1'], here).out, /^1 root below it, too$/m);
  rmSync(dir, { recursive: true });
});

long('--filter is never ignored: what matches nothing changes the output of a view, or is refused', () => {
  const files = [
    'callgrind/default.callgrind.out',
    'ninja-log/tidepool-ninja-failing/.ninja_log',
    'aprof/edge/01-every-tag.aprof',
  ];
  const unheard = files.flatMap((name) => {
    const file = existing(join(ROOT, 'fixtures', name));
    return some(reports).flatMap((report) => {
      const print = (...args: string[]) => runWarm([file, '--print', report.name, ...args], here);
      const all = print();
      assert.ok([0, 1, 2].includes(all.code ?? -1), `${name} ${report.name}: ${all.code} ${all.err}`);
      if (all.code !== 0 || /no rows|no findings|nothing to/i.test(all.out)) return [];
      const filtered = print('--filter', '/^no row is called so$/');
      const isRefused = filtered.code === 2 && /--filter/.test(filtered.err);
      return isRefused || filtered.out !== all.out ? [] : [`${name} ${report.name}`];
    });
  });
  assert.deepEqual(unheard, []);
});

test('--base: a build without any step is no build to compare with', () => {
  const dir = mkdtempSync(join(tmpdir(), 'proftui base-'));
  writeFileSync(join(dir, '.ninja_log'), '# ninja log v5\n');
  const { code, err } = runWarm(
    [join(FIXTURES, PROFILES['steps']), '--base', join(dir, '.ninja_log'), '--print', 'changes'],
    here,
  );
  assert.equal(code, 1);
  assert.match(err, /expected a build to compare with/);
  rmSync(dir, { recursive: true });
});

test('--base compares the last runs of two ninja logs', () => {
  const dir = mkdtempSync(join(tmpdir(), 'proftui base-'));
  const log = (rows: string[]) => `# ninja log v5\n${rows.join('\n')}\n`;
  const [before, now] = [join(dir, 'before', '.ninja_log'), join(dir, 'now', '.ninja_log')];
  mkdirSync(join(dir, 'before'));
  mkdirSync(join(dir, 'now'));
  // Two runs each: the later one begins again at 0 and makes a.o once more.
  writeFileSync(before, log(['0\t900\t1\ta.o\t1', '900\t1000\t1\tb.o\t2', '0\t100\t2\ta.o\t1']));
  writeFileSync(now, log(['0\t50\t3\ta.o\t1', '50\t60\t3\tb.o\t2', '0\t900\t4\ta.o\t1']));
  const rows = rowsOf([now, '--base', before, '--print', 'changes']) as unknown as {
    name: string;
    changeMs: number;
    kind: string;
  }[];
  assert.deepEqual(
    rows.map((r) => [r.name, r.changeMs, r.kind]),
    [['a.o', 800, 'slower']],
  );
  rmSync(dir, { recursive: true });
});
