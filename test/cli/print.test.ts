// --print, --check and errors, by the built program without a terminal.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { existing, FIXTURES, ROOT, readJson } from '../support/fixtures.ts';
import { matchesGolden } from '../support/golden.ts';
import { long } from '../support/long.ts';
import { run } from '../support/run.ts';
import { runWarm } from '../support/warm.ts';

const at = (name: string) => existing(join('fixtures/callgrind', name));
const here = { cwd: ROOT };
const DEFAULT = at('default.callgrind.out');
interface Costs {
  readonly Ir: number;
}

const json = (args: readonly string[]) => {
  const { code, out, err } = runWarm([...args, '--json'], here);
  assert.equal(code, 0, err);
  return JSON.parse(out) as {
    rows: Record<string, never>[];
    view: string;
    totals: Record<string, unknown>;
    warnings: unknown[];
    events: { name: string }[];
  };
};

const TEXTS: [name: string, args: string[]][] = [
  ['summary', [DEFAULT]],
  ['routines', [DEFAULT, '--print', 'routines']],
  ['routines-by-calls', [DEFAULT, '--print', 'routines', '--sort', 'calls', '--limit', '5']],
  ['calls', [DEFAULT, '--print', 'calls', '--routine', 'main']],
  ['callers', [DEFAULT, '--print', 'tree', '--inverted', '--routine', 'do_lookup_x', '--limit', '10']],
  ['lines', [DEFAULT, '--print', 'lines', '--routine', 'main']],
  ['source', [DEFAULT, '--print', 'source', '--routine', 'demo::skip_spaces', '--source-dir', 'fixtures/callgrind']],
  ['source-file', [DEFAULT, '--print', 'source', '--filter', 'workers.cpp', '--source-dir', 'fixtures/callgrind']],
  [
    'source-mapped',
    [at('heat.callgrind.out'), '--print', 'source', '--routine', 'quicksort', '--path-map', '/build/heat-1.0=fixtures/callgrind'],
  ],
  ['instrs', [at('instr-jumps.callgrind.out'), '--print', 'instrs', '--routine', 'demo::count_primes']],
  ['tree', [DEFAULT, '--print', 'tree']],
  ['tree-inverted', [DEFAULT, '--print', 'tree', '--inverted', '--limit', '12']],
  ['cachegrind', ['fixtures/cachegrind/heat.cachegrind.out.gz', '--print', 'routines', '--event', 'D1mr', '--limit', '10']],
];

for (const [name, args] of TEXTS) {
  test(`text of ${name}`, () => {
    const { code, out, err } = runWarm([...args, '--width', '80'], here);
    assert.equal(code, 0, err);
    for (const line of out.split('\n')) assert.ok([...line].length <= 80, line);
    matchesGolden(`print/${name}.txt`, out);
  });
}

test('--print source has the costliest file first, with calls where less than a quarter is own cost, and a row a line and callee', () => {
  type Call = { callee: object; inclusive: Costs; recursive: boolean };
  const args = [at('cache-branch.callgrind.out'), '--print', 'source', '--routine', 'demo::run_words', '--json'];
  const { rows }: { rows: { file: string; self: Costs; calls: Call[] }[] } = JSON.parse(runWarm(args, here).out);
  const [selves, sums] = [new Map<string, number>(), new Map<string, number>()];
  for (const { file, self, calls } of rows) {
    const called = calls.reduce((n, c) => n + (c.recursive ? 0 : c.inclusive.Ir), 0);
    selves.set(file, (selves.get(file) ?? 0) + self.Ir);
    sums.set(file, (sums.get(file) ?? 0) + self.Ir + called);
    assert.equal(new Set(calls.map((c) => JSON.stringify(c.callee))).size, calls.length);
  }
  const [own, costs] = [selves, sums].map((of) => [...of.values()]);
  const total = (of: number[]) => of.reduce((n, cost) => n + cost, 0);
  assert.ok(costs.length > 5);
  assert.ok(total(own) < total(costs) / 4);
  assert.deepEqual(
    costs,
    [...costs].sort((a, b) => b - a),
  );
  // Another order than by own cost.
  assert.notEqual(own[0], Math.max(...own));
  assert.equal([...sums.keys()][0], 'src/words.cpp');
});

test('--print instrs has the calls of each instruction', () => {
  const args = [at('instr-jumps.callgrind.out'), '--print', 'instrs', '--routine', 'demo::run_workers()', '--json'];
  const {
    rows,
  }: { rows: { self: Costs; inclusive: Costs; calls: { count: number; inclusive: Costs; recursive: boolean }[] }[] } = JSON.parse(
    runWarm(args, here).out,
  );
  assert.ok(rows.some((r) => r.calls.length > 0));
  for (const { self, inclusive, calls } of rows)
    assert.equal(
      inclusive.Ir,
      calls.reduce((n, c) => n + (c.recursive ? 0 : c.inclusive.Ir), self.Ir),
    );
});

long('JSON has the shape of the contract', () => {
  const routines = json([DEFAULT, '--print', 'routines']);
  assert.equal(routines.view, 'routines');
  assert.equal(routines.rows.length, 576);
  assert.deepEqual(routines.rows[0], {
    routine: '_dl_lookup_symbol_x',
    file: './elf/./elf/dl-lookup.c',
    object: '/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2',
    calls: 1871,
    self: { Ir: 662012 },
    inclusive: { Ir: 1339420 },
    perCall: { self: { Ir: 662012 / 1871 }, inclusive: { Ir: 1339420 / 1871 } },
    code: 'loader',
  });
  const [summary] = json([DEFAULT, '--print', 'summary']).rows;
  assert.deepEqual(
    [summary['command'], summary['pid'], summary['parts'], summary['routines'], summary['files'], summary['objects']],
    ['./demo 40', 28496, 1, 576, 309, 8],
  );
  const calls = json([DEFAULT, '--print', 'calls', '--routine', 'do_lookup_x']);
  assert.deepEqual(Object.keys(calls.rows[0]), ['caller', 'callee', 'file', 'line', 'count', 'inclusive', 'perCall']);
  const tree = json([DEFAULT, '--print', 'tree', '--limit', '3']);
  assert.deepEqual(
    tree.rows.map((r) => [r['id'], r['parent'], r['depth']]),
    [
      [0, null, 0],
      [1, 0, 1],
      [2, 1, 2],
    ],
  );
  const [instr] = json([at('instr-jumps.callgrind.out'), '--print', 'instrs', '--routine', 'demo::count_primes']).rows;
  assert.match(String(instr['address']), /^0x[0-9a-f]+$/);
});

test('costs beyond 2^53 are decimal strings', () => {
  const wide = json([join('fixtures/callgrind/edge/v24-counters-over-2-to-53.callgrind.out'), '--print', 'routines']);
  assert.deepEqual(wide.totals, { Ir: '18446744073709551615', Dr: '9007199254740995' });
});

test('CSV and TSV have a heading and all rows', () => {
  const csv = runWarm([DEFAULT, '--print', 'routines', '--csv'], here).out.split('\r\n');
  assert.equal(
    csv[0],
    'routine,file,object,calls,self.Ir,inclusive.Ir,perCall.self.Ir,perCall.inclusive.Ir,code,cycle,recordedName,estimated',
  );
  assert.equal(csv.length, 578);
  assert.ok(csv.some((l) => l.startsWith('"demo::Matrix<double, 8ul>::operator*(')));
  const tsv = runWarm([DEFAULT, '--print', 'lines', '--tsv', '--limit', '3'], here).out.split('\n');
  assert.equal(tsv[0], 'routine\tfile\tline\tself.Ir');
});

long('no control character of a name reaches the output in any form', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const file = join(folder, 'evil');
  writeFileSync(file, 'events: Ir\nfl=a\u001b[31m.c\nfn=evil\u001b]0;owned\u0007\u202ename\u009b2J\ttab\n1 10\n');
  for (const form of [[], ['--json'], ['--csv'], ['--tsv'], ['--markdown']]) {
    for (const view of ['summary', 'routines', 'lines']) {
      const { code, out, err } = runWarm([file, '--print', view, ...form]);
      assert.equal(code, 0, `${view} ${form}: ${err}`);
      assert.doesNotMatch(
        (out + err).replaceAll('\r\n', '\n').replaceAll('\t', ''),
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/,
        `${view} ${form}`,
      );
    }
  }
});

long('wrong flags: exit 2 and a word on standard error', () => {
  const cases: [string[], RegExp][] = [
    [['--prnt', 'x'], /unknown flag --prnt; did you mean --print/],
    [[DEFAULT, '--print', 'nope'], /no such view; there are brief, summary, findings, routines/],
    [[DEFAULT, '--print', 'routines', '--event', 'Nope'], /no such event; there are Ir/],
    [[DEFAULT, '--print', 'routines', '--sort', 'nope'], /no such column/],
    [[DEFAULT, '--print', 'routines', '--filter', '/(/'], /invalid regular expression/],
    [[DEFAULT, '--print', 'source', '--coverage', '101'], /--coverage takes a percentage from 0 to 100/],
    [[DEFAULT, '--print', 'lines', '--routine', 'no such'], /no such routine/],
    [[DEFAULT, '--print', 'lines', '--routine', 'parse_'], /fits \d+ routines:\n/],
    [[DEFAULT, '--json', '--csv'], /only one form/],
    [[DEFAULT, '--limit', 'x'], /--limit/],
    [[DEFAULT, '--format', 'nope'], /no such format; there are callgrind/],
    [[DEFAULT, '--print', 'routines', '--parts', '2'], /numbers from 1 to 1/],
    [[DEFAULT, '--print', 'routines', '--derive', 'X=Nope'], /Nope is not recorded/],
    [['--path-map', 'x', DEFAULT], /FROM=TO/],
    [[DEFAULT, '--print'], /needs a value/],
    [['-x'], /two dashes/],
  ];
  for (const [args, message] of cases) {
    const { code, out, err } = runWarm(args, here);
    assert.equal(code, 2, `${args}: ${err}`);
    assert.match(err, message);
    assert.equal(out, '', `${args}`);
  }
});

long('wrong files: exit 1, the place, what was expected and found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  writeFileSync(join(folder, 'empty'), '');
  spawnSync('mkfifo', [join(folder, 'fifo')]);
  mkdirSync(join(folder, 'none'));
  mkdirSync(join(folder, 'above', 'build', 'deep'), { recursive: true });
  mkdirSync(join(folder, 'above', 'empty'));
  for (const build of ['build', 'build-2']) {
    mkdirSync(join(folder, 'above', build), { recursive: true });
    copyFileSync(join(ROOT, DEFAULT), join(folder, 'above', build, 'callgrind.out.1'));
  }
  const cases: [string[], RegExp][] = [
    [[join(folder, 'missing')], /missing: expected a file that can be read, found no such file/],
    [[join(folder, 'none')], /expected a profile in this folder, found none\nhint: make one with/],
    [
      [join(folder, 'above')],
      /found none\nhint: folders in it have profiles:\n {2}proftui \S+\/above\/build\n {2}proftui \S+\/above\/build-2\n?$/,
    ],
    [[join(folder, 'fifo')], /expected a regular file, found a FIFO/],
    [['/dev/zero'], /expected a regular file, found a device/],
    [[join(folder, 'empty')], /:0: expected a profile, found an empty file/],
    [[process.execPath], /expected a profile, found an ELF program/],
    [['fixtures/cachegrind/heat.cachegrind.out.gz', '--print', 'calls'], /expected a profile with calls/],
    [['fixtures/callgrind'], /expected one profile, found \d+ in this folder/],
    [[DEFAULT, 'fixtures/cachegrind/heat.cachegrind.out.gz'], /expected a callgrind profile like/],
  ];
  for (const [args, message] of cases) {
    const { code, out, err } = runWarm(args, here);
    assert.equal(code, 1, `${args}: ${err}`);
    assert.match(err, message);
    assert.equal(out, '');
  }
});

long('a folder whose only profile has an unusual name opens it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  copyFileSync(join(ROOT, DEFAULT), join(folder, 'yesterday'));
  writeFileSync(join(folder, 'notes.txt'), 'build 3; all well 12\n');
  const { code, out } = runWarm([folder, '--print', 'summary'], here);
  assert.equal(code, 0);
  assert.match(out, /^callgrind: \S+\/yesterday\n/);
});

long('a cut file is printed as far as it is whole, with exit 1 and the line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const file = join(folder, 'callgrind.out.1');
  writeFileSync(file, readFileSync(join(ROOT, DEFAULT)).subarray(0, 100_000));
  const { code, out, err } = runWarm([file, '--print', 'routines', '--json']);
  assert.equal(code, 1);
  assert.ok((JSON.parse(out) as { rows: unknown[] }).rows.length > 100);
  assert.match(err, /callgrind\.out\.1:\d+: expected /);
  assert.equal(runWarm([file, '--check']).code, 1);
  const gz = readFileSync(join(FIXTURES, 'callgrind/bb.callgrind.out.gz'));
  writeFileSync(join(folder, 'cut.gz'), gz.subarray(0, gz.length >> 1));
  const packed = runWarm([join(folder, 'cut.gz'), '--print', 'routines', '--json']);
  assert.equal(packed.code, 1);
  assert.ok((JSON.parse(packed.out) as { rows: unknown[] }).rows.length > 50);
  assert.match(packed.err, /cut\.gz/);
});

test('--check says sound, --formats and --help list, --version is the version', () => {
  assert.match(runWarm([DEFAULT, '--check'], here).out, /576 routines, 10,761 cost lines: sound/);
  assert.match(runWarm(['--formats']).out, /^callgrind\n/);
  assert.match(runWarm(['--help', 'print']).out, /--print VIEW/);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const text = run(['--version']).out;
  const rest = `node ${process.version}, ${process.platform}-${process.arch}`;
  assert.match(text, /^proftui [\d.]+ \((?:commit [0-9a-f]{7}, )?node v[\d.]+, \w+-\w+\)\n$/);
  assert.ok(text.startsWith(`proftui ${version} (`) && text.endsWith(`${rest})\n`));
  const { commit } = JSON.parse(run(['--version', '--json']).out) as { commit: string | null };
  assert.equal(text, `proftui ${version} (${commit === null ? '' : `commit ${commit}, `}${rest})\n`);
});

long('a folder with one profile, the newest of several, and standard input', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  copyFileSync(join(ROOT, DEFAULT), join(folder, 'callgrind.out.1'));
  writeFileSync(join(folder, 'notes.txt'), 'no profile');
  assert.match(runWarm([folder]).out, /routines: +576/);
  copyFileSync(join(FIXTURES, 'callgrind/toggle.callgrind.out'), join(folder, 'callgrind.out.2'));
  assert.match(runWarm([], { cwd: folder }).out, /callgrind: callgrind\.out\.2|callgrind: .*callgrind\.out\.2/);
  assert.match(run(['-'], { input: readFileSync(join(ROOT, DEFAULT)) }).out, /routines: +576/);
  assert.match(run(['-'], { input: readFileSync(join(FIXTURES, 'callgrind/bb.callgrind.out.gz')) }).out, /routines: +578/);
});

test('threads are merged, and the empty file stands for them', () => {
  const name = (n: string) => at(`threads.callgrind.out${n}`);
  const merged = runWarm([name('-01'), name('-02'), name('-03'), '--print', 'routines', '--json'], here).out;
  const rows = (text: string) => (JSON.parse(text) as { rows: unknown[] }).rows;
  assert.equal(rows(merged).length, 578);
  assert.deepEqual(rows(runWarm([name(''), '--print', 'routines', '--json'], here).out), rows(merged));
  const second = runWarm([name('-01'), name('-02'), name('-03'), '--parts', '2', '--print', 'summary', '--json'], here).out;
  assert.equal((JSON.parse(second) as { totals: { Ir: number } }).totals.Ir, 40289);
});

test('headless runs never load Ink', () => {
  // Ink's layout engine is the only WebAssembly that is made later; one that is loaded on demand would be no part of it.
  const probe = `
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = (...given) => { console.error('layout'); return instantiate(...given); };
    import('${join(ROOT, 'dist/main.cjs')}').then(({ main }) => main(process.argv.slice(1), '0'));`;
  const start = (...args: string[]) =>
    spawnSync(process.execPath, ['--input-type=module', '-e', probe, ...args], { encoding: 'utf8' });
  const { stdout, stderr } = start(join(ROOT, DEFAULT));
  assert.match(stdout, /576/);
  assert.equal(stderr, '');
  assert.match(readFileSync(join(ROOT, 'dist/main.cjs'), 'utf8'), /WebAssembly\.instantiate/);
});

long('source folders are remembered for the folder on request', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const args = [join(ROOT, DEFAULT), '--print', 'source', '--routine', 'demo::skip_spaces', '--json'];
  // The sources lie beside the fixture: moved away, only the folder that was named has them.
  copyFileSync(join(ROOT, DEFAULT), join(folder, 'callgrind.out.1'));
  args[0] = 'callgrind.out.1';
  const texts = (more: readonly string[]) => {
    const { out, code, err } = runWarm([...args, ...more], { cwd: folder });
    assert.equal(code, 0, err);
    return (JSON.parse(out) as { rows: { text: string | null }[] }).rows.some((r) => r.text !== null);
  };
  assert.equal(texts([]), false);
  assert.equal(texts(['--source-dir', join(FIXTURES, 'callgrind')]), true);
  assert.equal(texts([]), false);
  assert.equal(texts(['--source-dir', join(FIXTURES, 'callgrind'), '--remember']), true);
  assert.equal(texts([]), true);
  writeFileSync(join(folder, '.proftui.json'), '{"sourceDirs": 1}');
  const broken = runWarm(args, { cwd: folder });
  assert.equal(broken.code, 0);
  assert.match(broken.err, /\.proftui\.json is not used: expected .* found sourceDirs that is not a list of strings/);
  // It would be overwritten.
  assert.equal(runWarm([...args, '--remember'], { cwd: folder }).code, 1);
});

test('a filter takes the text as it stands where a name has it, scattered letters where none does', () => {
  const names = (filter: string) =>
    json([DEFAULT, '--print', 'routines', '--filter', filter]).rows.map((r) => String(r['routine']));
  const primes = names('count_primes');
  assert.ok(primes.length === 1 && primes[0].includes('count_primes'));
  assert.ok(names('cntprimes').some((n) => n.includes('count_primes')));
  const not = names('!matrix');
  assert.ok(not.length > 500 && not.every((n) => !/matrix/i.test(n)));
});

long('a program before its profile names its addresses; a wrong granularity is a wrong flag', () => {
  const folder = 'fixtures/gperftools';
  const args = [`${folder}/bin/spin-pie`, `${folder}/pie.prof.gz`, '--print', 'routines', '--json'];
  const { rows, events } = JSON.parse(runWarm(args, here).out);
  assert.deepEqual(
    events.map((e: { name: string; unit: string }) => `${e.name} ${e.unit}`),
    ['samples samples', 'time ns'],
  );
  const crunch = rows.find((r: { routine: string }) => r.routine === 'crunch(unsigned long, int)');
  const truth = readJson<{ symbols: { symbol: string; flat: number; cum: number }[] }>(join(ROOT, folder, 'pie.truth.json'));
  const wanted = truth.symbols.find((s) => s.symbol === 'crunch(unsigned long, int)')!;
  assert.deepEqual([crunch.self.samples, crunch.inclusive.samples, crunch.calls], [wanted.flat, wanted.cum, null]);
  assert.equal(crunch.self.time, wanted.flat * 4_000_000);
  const byObject = JSON.parse(runWarm([...args.slice(1), '--by', 'object', '--event', 'time'], here).out);
  assert.equal(byObject.event, 'time');
  assert.ok(byObject.rows.some((r: { routine: string }) => r.routine === '/srv/demo/gp/spin-pie'));
  const wrong = runWarm([...args, '--by', 'moon'], here);
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /--by moon: this profile can be grouped by routine, line, address, file, object/);
});

test('a comparison says the total of the base first', () => {
  const [before, now] = ['i11-line-below-zero', 'i12-id-redefined'].map(
    (name) => `fixtures/callgrind/edge/${name}.callgrind.out`,
  );
  const { out } = runWarm(['--base', before, now, '--print', 'routines'], here);
  assert.match(out, /^event: Ir \(instructions executed\), 6 → 30 \(\+24, 5\.0×\)$/m);
});

long('aprof: laws, points, a plot, a picture, a comparison', () => {
  const sorts = 'fixtures/aprof/sorts/sorts_29651_0_4.aprof.gz';
  const json = (...args: string[]) => JSON.parse(runWarm([sorts, ...args, '--json'], here).out);
  const { rows } = json('--print', 'curves', '--base', 'fixtures/aprof/sorts-cct/sorts_29653_0_4.aprof.gz');
  const insertion = rows.find((r: { routine: string }) => r.routine === 'insertion_sort');
  assert.deepEqual([insertion.best, insertion.points, insertion.calls, insertion.undecided], ['n2', 50, 150, false]);
  assert.equal(insertion.cost['bb-count'], 1656835);
  assert.equal(insertion.before.best, 'n2');
  assert.deepEqual(Object.keys(insertion.fits), ['constant', 'logN', 'n', 'nLogN', 'n2', 'n3']);
  const points = json('--print', 'inputs', '--routine', 'insertion_sort').rows;
  assert.equal(points.length, 50);
  assert.deepEqual(Object.keys(points[0]), [
    'routine',
    'object',
    'size',
    'calls',
    'min',
    'max',
    'sum',
    'sumSquares',
    'real',
    'selfSum',
    'selfMin',
    'selfMax',
    'selfSumSquares',
  ]);
  const at = json('--print', 'curve', '--routine', 'insertion_sort', '--at', '1000');
  // Its worst costs are n (n - 2), exactly.
  const { low, cost, high, law } = at.predicted;
  assert.ok(low < 998_000 && 998_000 < high && Math.abs(cost / 998_000 - 1) < 0.05, `${low} ${cost} ${high}`);
  assert.equal(law, 'n2');
  const contexts = JSON.parse(
    runWarm(
      [
        'fixtures/aprof/matrix-cct/matrix_29657_0_4.aprof.gz',
        '--print',
        'inputs',
        '--contexts',
        '--routine',
        'multiply',
        '--json',
      ],
      here,
    ).out,
  ).rows;
  assert.ok(new Set(contexts.map((r: { context: number }) => r.context)).size > 1);
  const svg = runWarm([sorts, '--print', 'curve', '--routine', 'insertion_sort', '--svg'], here).out;
  assert.match(svg, /^<svg [\s\S]*<\/svg>\n$/);
  assert.equal(svg.match(/<circle/g)!.length, 50);
  const text = runWarm([sorts, '--print', 'curve', '--routine', 'insertion_sort', '--ascii'], here).out;
  assert.match(text, /^[\x0a\x20-\x7e]*$/);
  // The report states more (its k line) than its routines have; percentages are of that.
  assert.match(runWarm([sorts, '--print', 'routines', '--limit', '1'], here).out, /total 2,986,945, percentages of 2,987,022\n/);
  // A law that is marked, or assumed by a prediction, is named.
  assert.match(
    runWarm([sorts, '--print', 'curve', '--routine', 'merge_sort', '--at', '999'], here).out,
    /if it grows as n log n\n/,
  );
  const power = [
    'fixtures/aprof/matrix-cct/matrix_29657_0_4.aprof.gz',
    '--print',
    'curves',
    '--routine',
    'power_trace',
    '--json',
  ];
  const [row] = JSON.parse(runWarm(power, here).out).rows;
  assert.deepEqual([row.best, Math.round(100 * row.exponent), row.undecided], ['power', 134, true]);
  assert.equal(runWarm([sorts, '--print', 'routines', '--svg'], here).code, 2);
});

test('a folder with the threads of one aprof run opens as that run', () => {
  const { out } = runWarm(['fixtures/aprof/pipeline-drms', '--print', 'summary', '--json'], here);
  assert.equal(JSON.parse(out).rows[0].parts, 2);
});

long('compile-commands is the array alone, whole without --limit; processes are in the order of the file', () => {
  const trace = 'fixtures/build-trace/mbedtls-make.trace.gz';
  const plain = runWarm([trace, '--print', 'compile-commands'], here);
  assert.equal(plain.code, 0, plain.err);
  const entries = JSON.parse(plain.out) as { directory: string; file: string; arguments: string[] }[];
  assert.equal(entries.length, 283);
  assert.equal(runWarm([trace, '--print', 'compile-commands', '--json'], here).out, plain.out);
  const { rows } = json([trace, '--print', 'processes']);
  assert.equal(rows.length, 1800);
  assert.deepEqual(
    rows.map((r) => r['id']),
    Array.from({ length: 1800 }, (_, i) => i + 1),
  );
  assert.equal(rows.filter((r) => r['kind'] === 'compile').length, 283);
  assert.equal(rows[1]['parent'], 1);
  assert.equal(rows[1]['depth'], 2);
});
