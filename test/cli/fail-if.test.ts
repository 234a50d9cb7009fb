// --fail-if: what is written where, and the exit code; 2 and 1 go before 3.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { existing, FIXTURES } from '../support/fixtures.ts';
import { long } from '../support/long.ts';
import { run } from '../support/run.ts';
import { runWarm } from '../support/warm.ts';

const folder = mkdtempSync(join(tmpdir(), 'proftui-fail-if-'));
const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const profile = (main: number, parse: number) =>
  `events: Ir\nfl=a.c\nfn=main\n1 ${main}\ncfn=parse\ncalls=1 1\n2 ${parse}\nfn=parse\n3 ${parse}\n`;
const OLD = file('old.out', profile(1000, 5000));
const NEW = file('new.out', profile(1000, 5100));
// What was to follow `calls=` is missing.
const CUT = file('cut.out', `${profile(1000, 5100)}cfn=main\ncalls=1 1\n`);
const failIf = (...exprs: string[]) => exprs.flatMap((expr) => ['--fail-if', expr]);

test('alone: silence and 0 if all limits are kept, else those that were exceeded and 3', () => {
  assert.deepEqual(run([NEW, '--base', OLD, ...failIf('Ir > +2%', 'routine parse calls > +1')]), {
    code: 0,
    out: '',
    err: '',
  });
  assert.deepEqual(run([NEW, '--base', OLD, ...failIf('Ir > +1%', 'Ir > +5%', 'routine /^p/ self Ir > +99')]), {
    code: 3,
    out: '',
    err:
      'Ir > +1%: exceeded: 6,000 -> 6,100 (+1.67%, +100)\n' +
      'routine /^p/ self Ir > +99: exceeded: 5,000 -> 5,100 (+2.00%, +100) in parse\n',
  });
  assert.deepEqual(run([NEW, ...failIf('Ir > 6_000')]), { code: 3, out: '', err: 'Ir > 6_000: exceeded: 6,100\n' });
  assert.deepEqual(run(['-', ...failIf('Ir > 6_100')], { input: profile(1000, 5100) }), { code: 0, out: '', err: '' });
});

long('a run against itself keeps +0% in every format', () => {
  for (const [name, expr] of [
    ['callgrind/default.callgrind.out', 'Ir > +0%'],
    ['cachegrind/heat.cachegrind.out', 'any routine self Ir > +0%'],
    ['gperftools/threads.prof', 'any routine inclusive samples > +0%'],
    ['aprof/sorts/sorts_29651_0_4.aprof', 'law worse'],
    ['ninja-log/mbedtls/.ninja_log', 'any step duration > +0%'],
  ] as const) {
    const path = existing(join(FIXTURES, name));
    // A log of ninja has only commands that succeeded.
    const err = name.startsWith('ninja-log')
      ? `${expr}: not exceeded, but the file does not say whether the build came to its end\n`
      : '';
    assert.deepEqual(runWarm([path, '--base', path, ...failIf(expr)]), { code: 0, out: '', err }, name);
  }
});

test('with --print the view is written too, and JSON has all limits', () => {
  const { code, out, err } = runWarm([
    NEW,
    '--base',
    OLD,
    '--print',
    'routines',
    '--json',
    ...failIf('Ir > +1%', 'any routine self Ir > +5%'),
  ]);
  assert.equal(code, 3);
  assert.equal(err, 'Ir > +1%: exceeded: 6,000 -> 6,100 (+1.67%, +100)\n');
  const { limits, rows } = JSON.parse(out) as { limits: unknown; rows: unknown[] };
  assert.deepEqual(limits, [
    { expr: 'Ir > +1%', exceeded: true, base: 6000, now: 6100 },
    { expr: 'any routine self Ir > +5%', exceeded: false, base: 5000, now: 5100, where: 'parse' },
  ]);
  assert.equal(rows.length, 2);
  const text = runWarm([NEW, '--base', OLD, '--print', 'routines', ...failIf('Ir > +2%')]);
  assert.deepEqual([text.code, text.err], [0, '']);
  assert.match(text.out, /parse/);
  assert.doesNotMatch(runWarm([NEW, '--print', 'routines', '--json']).out, /"limits"/);
});

long('2 for what is no limit, or cannot be checked: nothing is written', () => {
  const wrong: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [failIf('Ir + 1%'), /^proftui: --fail-if: expected one of > >= < <=, found "\+ 1%"\n {4}Ir \+ 1%\n {7}\^\n$/],
    [failIf('Ir > +1%', 'Irr > 1'), /^proftui: --fail-if 'Irr > 1': no such event as Irr; there are Ir\n$/],
    [failIf('Ir > +1%', 'routine /nope/ self Ir > 1'), /no routine of either run matches\n$/],
    [failIf('build duration > +1%'), /new\.out \(callgrind\) has no steps\n$/],
    [['--check', ...failIf('Ir > 1')], /--check and --fail-if: one of them at a time\n$/],
    [['--json', ...failIf('Ir > 1')], /--json is for --print VIEW: name the view to write\n$/],
    [['--limit', '5', ...failIf('Ir > 1')], /--limit is for --print VIEW/],
    [['--print', 'nope', ...failIf('Ir > 1')], /--print nope: no such view/],
    [['--print', 'routines', ...failIf('Ir > +1%', 'Ir >')], /expected a number/],
    [['--fail-if'], /--fail-if needs a value: EXPR/],
  ];
  for (const [args, message] of wrong) {
    const { code, out, err } = runWarm([NEW, '--base', OLD, ...args]);
    assert.deepEqual([code, out], [2, ''], args.join(' '));
    assert.match(err, message);
  }
  for (const [expr, part] of [
    ['Ir > +1%', '\\+1%'],
    ['Ir > 1 and < -5', '-5'],
    ['law worse', 'law worse'],
  ]) {
    const { code, err } = runWarm([NEW, ...failIf(expr)]);
    assert.equal(code, 2);
    assert.match(err, new RegExp(`^proftui: --fail-if: ${part} needs --base, which names the run to compare with\\n$`));
  }
});

long('1 for a file that is wrong, even where a limit is exceeded', () => {
  const missing = runWarm([join(folder, 'missing'), ...failIf('Ir > 1')]);
  assert.deepEqual([missing.code, missing.out], [1, '']);
  assert.equal(runWarm([NEW, '--base', join(folder, 'missing'), ...failIf('Ir > 1')]).code, 1);
  // What is no limit is said before anything is read.
  assert.equal(runWarm([join(folder, 'missing'), ...failIf('Ir >')]).code, 2);
  assert.equal(runWarm([join(folder, 'missing'), ...failIf('Ir > +1')]).code, 2);
  for (const args of [
    [CUT, ...failIf('Ir > 1')],
    [CUT, ...failIf('Ir > 1M')],
    [NEW, '--base', CUT, ...failIf('Ir > 1M')],
    [CUT, '--base', OLD, '--print', 'routines', ...failIf('Ir > +1%')],
  ]) {
    const { code, err } = runWarm(args);
    assert.equal(code, 1, args.join(' '));
    assert.match(err, /cut\.out:\d+: expected /);
  }
  // A view that the profile cannot answer.
  assert.equal(runWarm([NEW, '--print', 'steps', ...failIf('Ir > 1')]).code, 1);
});

test('names of a profile act on no terminal, neither does the limit itself', () => {
  const hostile = file('hostile.out', readFileSync(NEW, 'utf8').replaceAll('parse', 'pa\u001b[31mrse'));
  const { code, err } = runWarm([hostile, ...failIf('routine /\u001b|\n/ self Ir > 1')]);
  assert.equal(code, 3);
  assert.equal(err, 'routine /␛|␊/ self Ir > 1: exceeded: 5,100 in pa␛[31mrse\n');
});

test('a base that was cut off ends with 1, and is said', () => {
  const whole = existing(join(FIXTURES, 'callgrind/default.callgrind.out'));
  const cut = join(mkdtempSync(join(tmpdir(), 'proftui-')), 'cut.out');
  writeFileSync(cut, readFileSync(whole).subarray(0, 60_000));
  const { code, err, out } = runWarm([whole, '--base', cut, '--print', 'routines']);
  assert.equal(code, 1, err);
  assert.match(err, /cut\.out/);
  assert.match(out, /note: the base is cut off/);
});
