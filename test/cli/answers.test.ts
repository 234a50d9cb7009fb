// The answers of the command line to slips: help wherever it is asked for, suggestions, empty results, and exit codes.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { noSuchText, suggestionFor } from '../../src/base/match.ts';
import { parseFlags } from '../../src/cli/flags.ts';
import { HELP_SUBJECTS, shortHelp } from '../../src/cli/help.ts';
import { reports } from '../../src/reports/index.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { runWarm } from '../support/warm.ts';

const CALLGRIND = `${FIXTURES}/callgrind/default.callgrind.out`;

test('--help and -h print help wherever they are', () => {
  for (const args of [
    [CALLGRIND, '--help'],
    ['-h', CALLGRIND, '--print', 'routines'],
    ['--print', 'nonsense', '--help'],
    ['no such file', '-h'],
  ])
    assert.deepEqual(runWarm(args), { code: 0, out: `${shortHelp()}\n`, err: '' }, args.join(' '));
  assert.equal(runWarm(['--help', 'printt']).code, 2);
  for (const subject of Object.keys(HELP_SUBJECTS)) assert.equal(runWarm(['--help', subject]).code, 0);
  // As the value of a flag, -h is text; after --, a path.
  assert.match(runWarm([CALLGRIND, '--print', 'routines', '--filter', '-h']).out, /^callgrind:/);
  assert.equal(runWarm(['--', '--help']).code, 1);
});

test('a choice with up to two typing errors is suggested', () => {
  const names = reports.map((r) => r.name);
  assert.equal(suggestionFor('routinez', names), '; did you mean routines?');
  assert.equal(suggestionFor('ruotines', names), '; did you mean routines?');
  assert.equal(suggestionFor('sumary', names), '; did you mean summary?');
  assert.equal(suggestionFor('zzzzzz', names), '');
  assert.equal(noSuchText('event', 'ir', ['Ir', 'Dr']), 'no such event; there are Ir, Dr; did you mean Ir?');
  // One error in a long word is always mended; a word of one letter never suggests.
  fc.assert(
    fc.property(
      fc.constantFrom(...names.filter((n) => n.length > 6)),
      fc.nat(),
      fc.constantFrom('drop', 'swap', 'twice'),
      (name, k, how) => {
        const i = 1 + (k % (name.length - 2));
        const [a, b] = [name.slice(0, i), name.slice(i)];
        const slip = how === 'drop' ? a + b.slice(1) : how === 'twice' ? a + name[i] + b : a + (b[1] ?? '') + b[0] + b.slice(2);
        assert.match(suggestionFor(slip, [name, 'x']), new RegExp(`mean ${name}`));
      },
    ),
  );
  assert.equal(suggestionFor('q', ['w', 'e']), '');
  for (const [args, wanted] of [
    [['--print', 'routinez'], /no such view; .*did you mean routines\?/],
    [['--print', 'routines', '--event', 'Irr'], /no such event; there are Ir; did you mean Ir\?/],
    [['--print', 'routines', '--sort', 'slef'], /no such column; .*did you mean self\?/],
    [['--print', 'routines', '--limti', '3'], /unknown flag --limti; did you mean --limit\?/],
    [['--print', 'routines', '--by', 'objct'], /can be grouped by .*did you mean object\?/],
    [['--print', 'routines', '--by', 'object,clas'], /--by object,clas: clas: .*did you mean class\?/],
  ] as const) {
    const { code, err } = runWarm([CALLGRIND, ...args]);
    assert.equal(code, 2);
    assert.match(err, wanted);
  }
});

test('a result without rows says why, and keeps the header of CSV and TSV', () => {
  const print = (...args: string[]) => runWarm([CALLGRIND, '--print', 'routines', ...args]).out;
  for (const [form, between] of [
    ['--csv', ','],
    ['--tsv', '\t'],
  ]) {
    const [header] = print(form, '--limit', '1').split(/\r?\n/);
    assert.equal(print(form, '--filter', 'zzzzzz').trimEnd(), header);
    assert.ok(header.split(between).includes('self.Ir'));
    assert.ok(print(form, '--focus', 'zzzzzz').split(/\r?\n/)[0].split(between).includes('self.Ir'));
  }
  assert.match(print('--filter', 'zzzzzz'), /^no row matches the filter$/m);
  assert.match(print('--focus', 'zzzzzz'), /^nothing is left after focus=zzzzzz$/m);
  assert.equal(JSON.parse(print('--json', '--filter', 'zzzzzz')).note, 'no row matches the filter');
  assert.deepEqual(JSON.parse(print('--json', '--filter', 'zzzzzz')).rows, []);
  const some = JSON.parse(print('--json', '--limit', '1'));
  assert.equal(some.note, undefined);
  assert.equal(some.schemaVersion, 1);
  // With --limit 0, there are rows: none is shown.
  assert.doesNotMatch(print('--limit', '0'), /no rows/);
  assert.equal(JSON.parse(print('--json', '--limit', '0')).note, undefined);
});

test('a profile that cannot answer ends with 1, wrong flags with 2', () => {
  for (const args of [
    ['--print', 'steps'],
    ['--export', 'trace'],
    ['--print', 'routines', '--time', '1..2'],
    ['--print', 'routines', '--tag-focus', 'x'],
  ])
    assert.equal(runWarm([CALLGRIND, ...args]).code, 1, args.join(' '));
  for (const args of [
    ['--export', 'nonsense'],
    ['--time', 'x'],
    ['--event', 'x'],
  ])
    assert.equal(runWarm([CALLGRIND, '--print', 'routines', ...args]).code, 2, args.join(' '));
});

test('--color decides, else the environment does; --no-color is never', async () => {
  const color = async (args: string[], env: Record<string, string>) =>
    (await parseFlags(args, { LANG: 'C.UTF-8', ...env }, undefined, () => {})).color;
  assert.equal(await color([], {}), true);
  assert.equal(await color([], { NO_COLOR: '1' }), false);
  assert.equal(await color(['--color=always'], { NO_COLOR: '1', TERM: 'dumb' }), true);
  assert.equal(await color(['--color', 'never'], { FORCE_COLOR: '1' }), false);
  assert.equal(await color(['--color=auto'], { NO_COLOR: '1' }), false);
  assert.equal(await color(['--color=always', '--no-color'], {}), false);
});
