// What P writes and what the copied command prints: the view as it is, in its order, with its filter. The truth for the command is
// the program itself: it prints, as JSON, what P writes.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { type LoadFlags, printCommand } from '../../src/app/print-command.ts';
import { DEFAULT_LIMITS } from '../../src/base/limits.ts';
import { groupByKey } from '../../src/base/lists.ts';
import { readablePath } from '../../src/base/paths.ts';
import { quoteWord } from '../../src/base/safe-text.ts';
import { loaders } from '../../src/formats/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { readSource, sourceOrReason } from '../../src/io/sources/source-text.ts';
import { wholeViewText, writeView, writeViewPieces } from '../../src/tui/write-view.ts';
import { existing, ROOT } from '../support/fixtures.ts';
import { type Player, play, pressIn } from '../support/keys.ts';
import { loadText } from '../support/load.ts';
import { LOADED_PLAINLY } from '../support/loaded-with.ts';

process.chdir(ROOT);
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const SOURCES = ['fixtures/callgrind'];
const LOADED: LoadFlags = { ...LOADED_PLAINLY, sourceDirs: SOURCES };
const PLACES = { source: (file: string) => sourceOrReason(readSource(file, { dirs: SOURCES, maps: [], profiles: [] })) };

async function written(p: Player, path: string): Promise<string> {
  let out = '';
  await writeViewPieces(path, p.state, version, PLACES, async (piece) => {
    out += piece;
  });
  return out;
}

async function open(file: string, keys: readonly string[], options = {}): Promise<Player> {
  const profile = await loadProfile([existing(join('fixtures', file))]);
  const p = play(profile, { width: 100, height: 24, ...options }, SOURCES);
  for (const key of keys) pressIn(p, key);
  return p;
}

const CACHE = 'callgrind/cache-branch.callgrind.out';
const APROF = 'aprof/sorts-cct/sorts_29653_0_4.aprof';

/** Views as keys leave them. */
const SEEN: [file: string, keys: string[], options?: object][] = [
  [CACHE, []],
  [CACHE, ['{s:inclusive}']],
  [CACHE, ['{s:inclusive}', 'reverse']],
  [CACHE, ['sort-next', 'sort-next']],
  [CACHE, ['&', "<it's>", 'enter', 'esc', '&', '<!/^_dl/>', 'enter', 'v', '<Dr>', 'enter']],
  [CACHE, ['&', '<-x>', 'enter']],
  [CACHE, ['{v:a new one}', '<Cost=Ir + 10 L1m>', 'enter', '{s:self}']],
  [CACHE, ['calls', 'routines', 'j', 'enter']],
  [CACHE, ['j', 'enter', 'sort-next']],
  [CACHE, ['j', 'graph']],
  [CACHE, ['tree']],
  [CACHE, ['tree', 'i', ']']],
  [CACHE, ['info']],
  ['callgrind/default.callgrind.out', ['/', '<skip_spa>', 'enter', 'source']],
  ['callgrind/instr-jumps.callgrind.out', ['/', '<count_pr>', 'enter', 'instrs']],
  ['callgrind/combined-threads.callgrind.out', ['info', '/', '<1  part>', 'enter', '+', 'routines']],
  ['gperftools/symbolized.prof', ['u']],
  ['gperftools/symbolized.prof', ['{o:group addresses without a symbol, or show each}', 'tree', 'i']],
  [APROF, []],
  [APROF, ['{s:incl}']],
  [APROF, ['sort-next', '&', '<sort>', 'enter']],
  [APROF, ['/', '<insertion_sort>', 'enter', 'enter']],
  ['ninja-log/mbedtls/.ninja_log', []],
  ['ninja-log/mbedtls/.ninja_log', ['steps']],
  ['ninja-log/mbedtls/.ninja_log', ['steps', 'sort-next', 'reverse']],
  ['ninja-log/mbedtls/.ninja_log', ['targets', 'sort-next', 'sort-next']],
  ['ninja-log/mbedtls/.ninja_log', ['critical']],
  ['ninja-log/mbedtls/.ninja_log', ['utilization']],
  ['ninja-log/tidepool-ninja-failing/.ninja_log', ['steps']],
  ['build-trace/harbor.trace', ['&', '<wave.c>', 'enter']],
];

for (const [file, keys, options] of SEEN) {
  test(`the copied command prints what P writes: ${file} ${keys.join(' ')}`, async () => {
    const p = await open(file, keys, options);
    const made = printCommand(p.state, LOADED);
    assert.ok('command' in made, JSON.stringify(made));
    const [name, ...rest] = made.command.split(' ');
    assert.equal(name, 'proftui');
    const command = `'${process.execPath}' '${join(ROOT, 'bin/proftui.js')}' ${rest.join(' ')} --json`;
    const printed = spawnSync('sh', ['-c', command], { encoding: 'utf8', maxBuffer: 1 << 28 });
    assert.equal(printed.status, 0, printed.stderr);
    const wrote = JSON.parse(await written(p, 'x.json')) as { rows: unknown[] };
    assert.deepEqual(JSON.parse(printed.stdout), wrote, made.command);
    assert.ok(wrote.rows.length > 0 || keys.includes('<-x>'), 'the case shows something');
  });
}

/** Views that no flag says as they are. */
const UNSAID: [file: string, keys: string[], why: RegExp, written?: true][] = [
  [CACHE, ['{o:file}', 'sort-next', 'sort-next'], /routines grouped by file/, true],
  [CACHE, ['&', '<no such routine>', 'enter', 'calls'], /no routine is in focus|without a routine in focus/],
  [APROF, ['star', '{o:show only favourites, or all}'], /only favourites/, true],
  [APROF, ['/', '<insertion_sort>', 'enter', 'enter', 'p'], /the plot "calls"/],
  [APROF, ['/', '<insertion_sort>', 'enter', 'enter', '{o:all}'], /all three costs/],
  [APROF, ['/', '<insertion_sort>', 'enter', 'enter', '{o:on}'], /logarithmic/],
  ['callgrind/default.callgrind.out', ['/', '<run_calc>', 'enter', 'source', '{o:on}'], /the whole file/],
  ['ninja-log/mbedtls/.ninja_log', ['targets', '{o:folder}'], /steps by folder/],
  ['ninja-log/mbedtls/.ninja_log', ['+'], /a part of the time/],
  ['ninja-log/mbedtls/.ninja_log', ['enter'], /only one step/],
  ['ninja-log/mbedtls/.ninja_log', ['critical', 'sort-next'], /sorted by/],
];

for (const [file, keys, why, data] of UNSAID) {
  test(`what flags cannot say has no command, and P writes it as text${data ? ' or data' : ' alone'}: ${file} ${keys.join(' ')}`, async () => {
    const p = await open(file, keys);
    const made = printCommand(p.state, LOADED);
    assert.ok('refused' in made && why.test(made.refused), JSON.stringify(made));
    if (data) assert.ok((await written(p, 'x.csv')).split('\r\n').length > 2);
    else await assert.rejects(written(p, 'x.csv'), why);
    assert.ok((await written(p, 'x.txt')).length > 100);
  });
}

test('text has every row of the view, in its order, and no cursor', async () => {
  const p = await open('callgrind/default.callgrind.out', ['{o:file}', 'enter', 'j']);
  const text = wholeViewText(p.state);
  assert.match(text, /^callgrind: .*\n.*\nevent: Ir, total 3,117,398\nRoutines: 576 routines by file\n/);
  const rows = text.trimEnd().split('\n').slice(6);
  const { rows: all } = JSON.parse(await written(p, 'x.json')) as { rows: { group: string }[] };
  const first = /▾ (\S+) /.exec(text)![1];
  assert.equal(
    rows.length,
    new Set(all.map((r) => r.group)).size + all.filter((r) => r.group.endsWith(first)).length,
    'a row a file, and those of the open one',
  );
  const screen = toPlainText(drawScreen({ ...p.state, width: 160 }))
    .split('\n')
    .slice(3, -2);
  assert.deepEqual(
    screen.map((line) => line.replace('▶', ' ')),
    rows.slice(0, screen.length),
  );
});

test('data have the groups of the screen, in its order, with every routine', async () => {
  type Rows = {
    rows: {
      routine: string;
      file: string;
      object: string;
      cycle?: number;
      group?: string | null;
      self: { Ir: number };
      calls: number | null;
    }[];
  };
  const rowsOf = async (p: Player) => (JSON.parse(await written(p, 'x.json')) as Rows).rows;
  const plain = await rowsOf(await open(CACHE, []));
  assert.ok(plain.every((r) => !('group' in r)));
  const key = (r: Rows['rows'][number]) => JSON.stringify([r.routine, r.file, r.object]);
  const objects = await rowsOf(await open(CACHE, ['{o:object}']));
  assert.deepEqual(objects.map(key).sort(), plain.map(key).sort());
  // By file, a routine is in each file that has lines of it, with what these cost.
  const p = await open(CACHE, ['{o:file}']);
  const rows = await rowsOf(p);
  assert.ok(rows.length > plain.length);
  assert.equal(new Set(rows.map((r) => `${key(r)} ${r.group}`)).size, rows.length);
  const inFiles = groupByKey(rows, key);
  assert.deepEqual([...inFiles.keys()].sort(), plain.map(key).sort());
  for (const r of plain) {
    const parts = inFiles.get(key(r)) ?? [];
    assert.equal(
      parts.reduce((sum, part) => sum + part.self.Ir, 0),
      r.self.Ir,
    );
    for (const part of parts) assert.equal(part.calls, parts.length === 1 ? r.calls : null);
    if (parts.length === 1) assert.equal(parts[0].group, readablePath(r.file));
  }
  const shown = [...toPlainText(drawScreen(p.state)).matchAll(/▸ (\S+) \(/g)].map(([, name]) => name);
  const groups = [...new Set(rows.map((r) => r.group!))];
  assert.ok(shown.length > 10);
  for (const [i, name] of shown.entries()) assert.ok(groups[i].endsWith(name) || name.includes('…'), `${name} ${groups[i]}`);
  const cycles = await rowsOf(await open('callgrind/recs1.callgrind.out', ['{o:cycle}']));
  assert.ok(cycles.some((r) => r.cycle !== undefined));
  for (const r of cycles) assert.equal(r.group, r.cycle === undefined ? null : `<cycle ${r.cycle}>`);
  const laws = await rowsOf(await open(APROF, ['&', '<sizes>5>', 'enter']));
  const all = (JSON.parse(await written(await open(APROF, []), 'x.json')) as { rows: { points: number; routine: string }[] })
    .rows;
  assert.deepEqual(
    laws.map((r) => r.routine),
    all.filter((r) => r.points > 5).map((r) => r.routine),
  );
});

test('text follows inversion and filter', async () => {
  const tree = wholeViewText((await open(CACHE, ['tree', 'i', ']'])).state);
  assert.match(tree, /\nTree: inverted, /);
  const p = await open(CACHE, ['&', '<matrix>', 'enter']);
  const text = wholeViewText(p.state);
  assert.match(text, /\nfilter: matrix\n/);
  const rows = text.trimEnd().split('\n').slice(7);
  assert.ok(rows.length > 3 && rows.every((row) => /matrix/i.test(row)), text);
  const gantt = wholeViewText((await open('ninja-log/mbedtls/.ninja_log', [], { height: 10 })).state);
  assert.match(gantt, /\nGantt: /);
});

test('a file is made once, in the home folder where ~ says so, and not at all for what cannot be written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const p = await open(CACHE, []);
  const path = join(folder, 'out.csv');
  assert.equal(await writeView(path, p.state, version, PLACES), path);
  assert.match(readFileSync(path, 'utf8'), /^routine,file,object,calls,self\.Ir/);
  await assert.rejects(writeView(path, p.state, version, PLACES), { code: 'EEXIST' });
  const tsv = await writeView(join(folder, 'out.TSV'), p.state, version, PLACES);
  assert.match(readFileSync(tsv, 'utf8'), /^routine\tfile\t/);
  await assert.rejects(writeView(join(folder, 'out.svg'), p.state, version, PLACES), /Routines cannot be drawn/);
  assert.throws(() => readFileSync(join(folder, 'out.svg')), /ENOENT/);
  await assert.rejects(writeView('~/no such folder of proftui/x.txt', p.state, version, PLACES), { code: 'ENOENT' });
  const curve = await open(APROF, ['/', '<insertion_sort>', 'enter', 'enter']);
  assert.match(await written(curve, 'x.svg'), /^<svg/);
});

test('words are quoted so that sh reads them back; names with control characters are refused', async () => {
  const words = ["it's", 'a b', '$HOME', '`id`', '"', '\\', '!x', '*', '~', '#x', '', 'é ü', '-x', 'a;b', '=ls', '(x)', "''"];
  const quoted = words.map((word) => quoteWord(word)!);
  const { stdout } = spawnSync('sh', ['-c', `printf '%s\\0' ${quoted.join(' ')}`], { encoding: 'utf8' });
  assert.deepEqual(stdout.split('\0').slice(0, -1), words);
  for (const word of ['a\nb', 'a\u001b[31m', '\u202ex', 'a\u009bb', '\ud800']) assert.equal(quoteWord(word), undefined);
  const callgrind = loaders.find((l) => l.name === 'callgrind')!;
  const profile = await loadText(
    callgrind,
    'events: Ir\nfl=a.c\nfn=evil\u001b]0;owned\u0007\n1 10\ncfn=x\ncalls=1 1\n1 5\nfn=x\n1 5\n',
  );
  const p = play(profile, { width: 100, height: 24 });
  p.press('enter');
  const made = printCommand(p.state, LOADED);
  assert.ok('refused' in made && /control characters/.test(made.refused), JSON.stringify(made));
});

test('a profile from a pipe, and a routine that neither its file nor its object tells apart, have no command', async () => {
  const p = await open(CACHE, []);
  const { analysis } = p.state;
  const piped = { ...p.state, analysis: { ...analysis, profile: { ...analysis.profile, paths: ['-'] } } };
  const made = printCommand(piped, LOADED);
  assert.ok('refused' in made && /through a pipe/.test(made.refused));
  const callgrind = loaders.find((l) => l.name === 'callgrind')!;
  const twice = play(
    await loadText(callgrind, 'events: Ir\nfl=a.c\nfn=same\n1 10\ncfn=x\ncalls=1 1\n1 5\nfn=x\n1 5\nfl=b.c\nfn=same\n1 20\n'),
    { width: 100, height: 24 },
  );
  twice.press('enter');
  const placed = printCommand(twice.state, LOADED);
  assert.ok('command' in placed && / --routine b\.c:same /.test(placed.command), JSON.stringify(placed));
  const thrice = play(
    await loadText(callgrind, 'events: Ir\nob=one\nfl=a.c\nfn=same\n1 20\nfl=b.c\nfn=same\n1 2\nob=two\nfl=a.c\nfn=same\n1 1\n'),
    { width: 100, height: 24 },
  );
  thrice.press('enter');
  const other = printCommand(thrice.state, LOADED);
  assert.ok('refused' in other && /several routines are named same/.test(other.refused), JSON.stringify(other));
});

test('what the profile was loaded with is part of the command', async () => {
  const p = await open(CACHE, []);
  const made = printCommand(p.state, {
    format: 'callgrind',
    limits: { ...DEFAULT_LIMITS, line: 1 << 30 },
    compiler: ['zig c++'],
    symbols: {
      binaries: [
        ['a.so', '/x y/a.so'],
        [null, './demo'],
      ],
      dirs: ['/usr/lib/debug'],
    },
    sourceDirs: ['-s'],
    pathMaps: [['/from', '/to']],
  });
  assert.ok('command' in made);
  assert.match(
    made.command,
    / --format callgrind --max line=1073741824 --compiler 'zig c\+\+' --binary 'a\.so=\/x y\/a\.so' --binary \.\/demo --symbol-path \/usr\/lib\/debug --source-dir=-s --path-map \/from=\/to$/,
  );
});
