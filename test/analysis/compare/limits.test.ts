// The limits of --fail-if: every rule of their grammar, what they refuse, and that numbers are compared exactly. The profiles are made here,
// so the answers are known.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { analyse } from '../../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../../src/analysis/answers/analysis.ts';
import { allEvents } from '../../../src/analysis/answers/events.ts';
import { baseComparisonText } from '../../../src/analysis/limits/grammar.ts';
import { checkLimit, limitLines, limitsJson, parseLimit } from '../../../src/analysis/limits/limits.ts';
import { type CompareOptions, compareProfiles } from '../../../src/analysis/profiles/compare/compare.ts';
import { parseRename } from '../../../src/analysis/profiles/compare/renames.ts';
import { ChoiceError } from '../../../src/base/errors.ts';
import { aprof } from '../../../src/formats/aprof/index.ts';
import { cachegrind, callgrind } from '../../../src/formats/callgrind/index.ts';
import { folded } from '../../../src/formats/folded.ts';
import type { Loader } from '../../../src/formats/loader.ts';
import { ninjaLog } from '../../../src/formats/ninja-log.ts';
import { perfScript } from '../../../src/formats/perf-script/index.ts';
import { against, type Case, keptBuild, withCache } from '../../findings/cases.ts';
import { loadText } from '../../support/load.ts';
import { long } from '../../support/long.ts';
import { PLAINLY } from '../../support/versus.ts';

interface Routine {
  readonly self: number | bigint;
  readonly calls?: number;
}
type Run = Readonly<Record<string, Routine | number | bigint>>;

/** A program whose main calls the other routines: costs of one event by routine. */
function callgrindText(run: Run, event = 'Ir'): string {
  const routines = Object.entries(run).map(([name, r]) => ({ name, ...(typeof r === 'object' ? r : { self: r }) }));
  const called = routines.filter(({ name }) => name !== 'main');
  return [
    `events: ${event}`,
    'fl=a.c',
    'fn=main',
    `1 ${routines.find(({ name }) => name === 'main')?.self ?? 0}`,
    ...called.flatMap(({ name, self, calls = 1 }) => [`cfn=${name}`, `calls=${calls} 1`, `2 ${self}`]),
    ...called.flatMap(({ name, self }) => [`fn=${name}`, `3 ${self}`]),
    '',
  ].join('\n');
}

interface Choices extends Partial<CompareOptions> {
  readonly loader?: Loader;
  readonly derive?: readonly string[];
}

async function pair(now: string, before: string | undefined, choices: Choices = {}): Promise<Analysis> {
  const { loader = callgrind, derive = [], ...options } = choices;
  const ours = await loadText(loader, now);
  const profile = before === undefined ? ours : compareProfiles(ours, await loadText(loader, before), { ...PLAINLY, ...options });
  return analyse(profile, allEvents(profile.events, derive));
}
const runs = (now: Run, before: Run, choices: Choices = {}) => pair(callgrindText(now), callgrindText(before), choices);
const ofRun = (now: Run) => pair(callgrindText(now), undefined);

const check = (expr: string, analysis: Analysis) => checkLimit(parseLimit(expr), analysis);
const exceeds = (expr: string, analysis: Analysis) => check(expr, analysis).exceeded;
const line = (expr: string, analysis: Analysis) => limitLines([check(expr, analysis)]).join('\n');

/** Asserts which of the limits are exceeded. */
function assertLimits(analysis: Analysis, limits: Readonly<Record<string, boolean>>): void {
  assert.deepEqual(Object.fromEntries(Object.keys(limits).map((expr) => [expr, exceeds(expr, analysis)])), limits);
}

function refused(run: () => unknown, message: RegExp): void {
  assert.throws(run, (error) => error instanceof ChoiceError && message.test(error.message));
}

const BEFORE: Run = { main: 1000, parse_a: { self: 4000, calls: 10 }, parse_b: { self: 2000, calls: 5 }, old: 1000 };
const NOW: Run = { main: 1000, parse_a: { self: 4400, calls: 12 }, parse_b: { self: 2040, calls: 5 }, fresh: 360 };

test('the total of an event: in all, the difference, and its percentage', async () => {
  const grown = await runs({ main: 1100 }, { main: 1000 });
  assertLimits(grown, {
    'Ir > 1000': true,
    'Ir > 1100': false,
    'Ir >= 1100': true,
    'Ir < 1100': false,
    'Ir <= 1100': true,
    'Ir > +99': true,
    'Ir > +100': false,
    'Ir >= +100': true,
    'Ir > +9.99%': true,
    'Ir > +10%': false,
    'Ir >= +10%': true,
    'Ir < +10%': false,
    'Ir <= +10%': true,
    'Ir > -5%': true,
    'Ir>+9%': true,
    '  Ir  >  +  9  %  ': true,
    '"Ir" > +9%': true,
    "'Ir' > +9%": true,
    'Ir > +9.99% of total': true,
    'Ir > 100% of total': false,
    'Ir >= 100% of total': true,
  });
  const fallen = await runs({ main: 900 }, { main: 1000 });
  assertLimits(fallen, {
    'Ir < -9%': true,
    'Ir < -10%': false,
    'Ir <= -10%': true,
    'Ir < -99': true,
    'Ir < -100': false,
    'Ir < −9%': true,
    'Ir > -11%': true,
    'Ir > +0%': false,
  });
  assert.equal(line('Ir > +1%', grown), 'Ir > +1%: exceeded: 1,000 -> 1,100 (+10.00%, +100)');
  assert.equal(line('Ir > +1', grown), 'Ir > +1: exceeded: 1,000 -> 1,100 (+10.00%, +100)');
  assert.equal(line('Ir > +10%', grown), '');
});

test('numbers may have thousands, fractions and scales', async () => {
  const grown = await runs({ main: 2_500_000 }, { main: 1_000_000 });
  assertLimits(grown, {
    'Ir > 2_499_999': true,
    'Ir > 2,499,999': true,
    'Ir > 2_500_000': false,
    'Ir > 2.49M': true,
    'Ir > 2.5M': false,
    'Ir > +1499k': true,
    'Ir > +1500K': false,
    'Ir > 0.001G': true,
    'Ir > 0.001T': false,
    'Ir > 2.5 M': false,
  });
});

test('times and amounts of memory have units, whatever the unit of the event', async () => {
  const one = (event: string) => pair(callgrindText({ main: 250_000 }, event), undefined);
  const time = await one('Time_(10ns)');
  assertLimits(time, {
    'Time_(10ns) > 2499us': true,
    'Time_(10ns) > 2.5ms': false,
    'Time_(10ns) >= 2_500µs': true,
    'Time_(10ns) > 249999': true,
    'Time_(10ns) > 0.01s': false,
  });
  refused(() => exceeds('Time_(10ns) > 2MiB', time), /2MiB: Time_\(10ns\) is no amount of memory/);
  const memory = await one('Memory_(bytes)');
  // 250,000 bytes are 244.14 KiB.
  assertLimits(memory, { 'Memory_(bytes) > 244KiB': true, 'Memory_(bytes) > 245kB': false, 'Memory_(bytes) > 0.2MiB': true });
  refused(() => exceeds('Memory_(bytes) > 1ms', memory), /1ms: Memory_\(bytes\) is no time/);
  assertLimits(await one('inuse_space(MB)'), { 'inuse_space(MB) > 244GiB': true, 'inuse_space(MB) > 245GiB': false });
});

test('a share of the total is one of the base for what differs, else of this run', async () => {
  const analysis = await runs(NOW, BEFORE);
  // 7,800 now, 8,000 before; parse_a has grown by 400, 5 % of that.
  assertLimits(analysis, {
    'any routine self Ir > +5% of total': false,
    'any routine self Ir >= +5% of total': true,
    'any routine self Ir > 56% of total': true,
    'any routine self Ir > 56.5% of total': false,
  });
  assert.equal(
    line('any routine self Ir >= +4.4% of total', analysis),
    'any routine self Ir >= +4.4% of total: exceeded: 4,000 -> 4,400 (+5.00% of total, +400) in parse_a, and in 1 other routine',
  );
});

test('routines by pattern: one that exceeds the limit is enough, and the worst is named', async () => {
  const analysis = await runs(NOW, BEFORE);
  assertLimits(analysis, {
    'routine /^parse/ self Ir > +5%': true,
    'routine /^parse/ self Ir > +10%': false,
    'routine /^PARSE/i self Ir > +5%': true,
    'routine /parse_[/b]$/ self Ir > +1%': true,
    'routine /parse_(?:b|\\/)/ self Ir > +2%': false,
    'routine /main/ inclusive Ir > +0%': false,
    'routine /main/ inclusive Ir < -2%': true,
  });
});

test('what is said of routines: the one that is furthest beyond, else the nearest', async () => {
  const analysis = await runs(NOW, BEFORE);
  const { expr, ...said } = check('routine /^parse/ self Ir > +1%', analysis);
  assert.equal(expr, 'routine /^parse/ self Ir > +1%');
  assert.deepEqual(said, {
    exceeded: true,
    base: 4000,
    now: 4400,
    what: 'routine',
    where: 'parse_a',
    others: 1,
    text: '4,000 -> 4,400 (+10.00%, +400)',
  });
  const kept = check('routine /^parse/ self Ir > +50%', analysis);
  assert.deepEqual([kept.exceeded, kept.where, kept.others, limitLines([kept])], [false, 'parse_a', 0, []]);
  assert.deepEqual(limitsJson([check('routine parse_b self Ir > +50%', analysis), check('Ir > 1', analysis)]), [
    { expr: 'routine parse_b self Ir > +50%', exceeded: false, base: 2000, now: 2040, where: 'parse_b' },
    { expr: 'Ir > 1', exceeded: true, base: 8000, now: 7800 },
  ]);
  // The largest difference, where the limit is one.
  assert.equal(check('any routine self Ir > +1', analysis).where, 'parse_a');
  assert.equal(check('any routine self Ir < -1', analysis).where, 'old');
});

test('calls and costs are compared with the mean of several runs, not with their sum', async () => {
  // What two runs add up to: 10 and 12 calls, 100 instructions each.
  const mean = { count: 2, how: 'mean', scale: 0.5, spread: new Map() } as const;
  const grown = await runs({ main: 0, f: { self: 150, calls: 14 } }, { main: 0, f: { self: 200, calls: 22 } }, { runs: mean });
  assertLimits(grown, {
    'routine f calls > +2': true,
    'routine f calls > +3': false,
    'routine f calls >= +3': true,
    'routine f calls > +27%': true,
    'routine f calls > +28%': false,
    'routine f self Ir > +49': true,
    'routine f self Ir > +50': false,
  });
});

test('routines by name: as --routine means it, in quotes if there are blanks', async () => {
  const analysis = await runs(
    { main: 1, 'a b': 20, 'f(int)': 20, 'std::x<int>': 20, 'say "hi"': 20 },
    { main: 1, 'a b': 10, 'f(int)': 10, 'std::x<int>': 10, 'say "hi"': 10 },
  );
  for (const name of ['"a b"', "'a b'", 'f', 'f(int)', 'std::x<int>', '"std::x<int>"', '"say \\"hi\\""', '\'say "hi"\'', 'a.c:f'])
    assert.ok(exceeds(`routine ${name} self Ir > +99%`, analysis), name);
  refused(
    () => check('routine i self Ir > 1', analysis),
    /^--fail-if 'routine i self Ir > 1': routine i fits 4 routines:\n {2}main {2}a\.c/,
  );
});

test('calls are counted, and "and" joins what must hold of the same routine', async () => {
  const analysis = await runs(NOW, BEFORE);
  assertLimits(analysis, {
    'routine parse_a calls > +10%': true,
    'routine parse_a calls > +20%': false,
    'routine parse_a calls > 11': true,
    'routine /^parse/ calls > +1': true,
    'routine parse_a self Ir > +5% and > +399': true,
    'routine parse_a self Ir > +5% and > +400': false,
    'routine parse_a self Ir > +5% and calls > +1': true,
    'routine parse_a self Ir > +5% and calls > +2': false,
    'routine parse_a self Ir > +5% and calls > +1 and inclusive Ir > 4400': false,
    // Each holds of a routine, but both of none.
    'routine /^parse/ self Ir > +5% and < 2100': false,
    'Ir > 1 and < 2': false,
    'Ir > 1 and < 10k and >= -3%': true,
  });
  assert.equal(check('routine parse_a calls > +10% and self Ir > +1', analysis).text, '10 -> 12 (+20.00%, +2)');
});

test('from nothing to anything exceeds every percentage; what is gone is 0 now', async () => {
  const analysis = await runs({ ...NOW, empty: 0, grown: 5 }, { ...BEFORE, empty: 0, grown: 0 });
  assertLimits(analysis, {
    'routine fresh self Ir > +1000000%': true,
    'routine fresh calls > +1000000%': true,
    'routine grown self Ir > +1000000%': true,
    'routine empty self Ir > +0%': false,
    'routine empty self Ir >= +1%': false,
    'routine empty self Ir > -1%': true,
    'routine old self Ir > +0%': false,
    'routine old self Ir < -99%': true,
    'routine old self Ir < -100%': false,
    'routine old self Ir < 1': true,
  });
  assert.deepEqual(limitsJson([check('routine fresh self Ir > +5%', analysis), check('routine old self Ir < -5%', analysis)]), [
    { expr: 'routine fresh self Ir > +5%', exceeded: true, base: null, now: 360, where: 'fresh' },
    { expr: 'routine old self Ir < -5%', exceeded: true, base: 1000, now: 0, where: 'old' },
  ]);
  assert.match(line('routine fresh self Ir > +5%', analysis), /: 0 -> 360 \(new\) in fresh$/);
  assert.match(line('routine grown self Ir > +5%', analysis), /: 0 -> 5 \(\+5\) in grown$/);
  const fromNothing = await runs({ main: 1 }, { main: 0 });
  assertLimits(fromNothing, { 'Ir > +1000000%': true, 'Ir > +1000000% of total': true, 'Ir > +0%': true, 'Ir > +1': false });
  const nothing = await runs({ main: 0 }, { main: 0 });
  assertLimits(nothing, { 'Ir > +0%': false, 'Ir > +0% of total': false, 'Ir >= +0%': true, 'Ir >= 0': true, 'Ir > 0': false });
});

test('a routine is known by either name', async () => {
  const options = { renames: [parseRename('parse_old=read_new')] };
  const analysis = await runs({ main: 1, read_new: 20 }, { main: 1, parse_old: 10 }, options);
  for (const which of ['/^parse/', '/^read/', 'parse_old', 'read_new', 'any'])
    assert.deepEqual(
      limitsJson([check(which === 'any' ? 'any routine self Ir > +5%' : `routine ${which} self Ir > +5%`, analysis)])[0].where,
      'read_new',
      which,
    );
});

test('no rounding: neither of large numbers nor of percentages', async () => {
  // 2^60 and one more are the same double.
  const large = 2n ** 60n;
  const analysis = await runs({ main: large + 1n }, { main: large });
  assertLimits(analysis, {
    'Ir > +0%': true,
    'Ir > +0': true,
    'Ir > +1': false,
    [`Ir > ${large}`]: true,
    [`Ir > ${large + 1n}`]: false,
  });
  assert.match(line('Ir > +0%', analysis), /1,152,921,504,606,846,976 -> 1,152,921,504,606,846,977 \(\+<0\.01%, \+1\)$/);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 10 ** 12 }), fc.integer({ min: 1, max: 5000 }), async (units, tenths) => {
      // `tenths` tenths of a percent of `units` thousands are a whole number, and exactly the limit.
      const [before, now] = [1000 * units, 1000 * units + tenths * units];
      const percent = `${Math.floor(tenths / 10)}.${tenths % 10}`;
      const at = await runs({ main: now }, { main: before });
      const over = await runs({ main: now + 1 }, { main: before });
      assert.deepEqual([exceeds(`Ir > +${percent}%`, at), exceeds(`Ir >= +${percent}%`, at)], [false, true]);
      assert.deepEqual([exceeds(`Ir > +${percent}%`, over), exceeds(`Ir <= +${percent}%`, over)], [true, false]);
    }),
    { numRuns: 30 },
  );
});

long('a run against itself keeps every limit on differences, scaled or not, whatever the formula', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 2 ** 45 }), { minLength: 1, maxLength: 6 }), async (costs) => {
      const run = Object.fromEntries(costs.map((self, i) => [`r${i}`, { self, calls: i + 1 }]));
      // The base is three times as large, so that it has to be scaled.
      const thrice = Object.fromEntries(costs.map((self, i) => [`r${i}`, { self: self * 3, calls: i + 1 }]));
      const derive = ['Third=Ir / 3', 'Share=Third/Ir', 'Tenth=0.1 Ir'];
      for (const analysis of [await runs(run, run, { derive }), await runs(run, thrice, { derive, normalize: true })])
        for (const event of ['Ir', 'Third', 'Share', 'Tenth'])
          for (const subject of ['', 'any routine self ', 'any routine inclusive '])
            for (const amount of ['> +0%', '> +0', '< +0%', '< -0'])
              assert.ok(!exceeds(`${subject}${event} ${amount}`, analysis), `${subject}${event} ${amount}: ${costs}`);
      assert.ok(!exceeds('any routine calls > +0%', await runs(run, run)));
    }),
    { numRuns: 30 },
  );
});

test('with equal totals asked for, the base is as it is scaled', async () => {
  // The same program, twice as long; b took a third of it, and takes half now.
  const analysis = await runs({ a: 500, b: 500 }, { a: 1333, b: 667 }, { normalize: true });
  assertLimits(analysis, {
    'Ir > +0%': false,
    'Ir < -0%': false,
    'routine b self Ir > +49%': true,
    'routine b self Ir > +50%': false,
  });
  assert.equal(check('routine b self Ir > +49%', analysis).base, 333.5);
});

test('without a base only what is about this run can be asked', async () => {
  const analysis = await ofRun(NOW);
  assertLimits(analysis, {
    'Ir > 7_799': true,
    'Ir > 7_800': false,
    'any routine self Ir > 50% of total': true,
    'any routine self Ir > 60% of total': false,
    'routine parse_a calls >= 12': true,
  });
  assert.equal(
    line('any routine self Ir > 50% of total', analysis),
    'any routine self Ir > 50% of total: exceeded: 4,400 (56.41% of total) in parse_a',
  );
  assert.deepEqual(limitsJson([check('Ir > 1', analysis)]), [{ expr: 'Ir > 1', exceeded: true, base: null, now: 7800 }]);
  for (const [expr, part] of [
    ['Ir > +1%', '+1%'],
    ['Ir > 5 and < -1_000', '-1_000'],
    ['routine main self Ir > + 2 % of total', '+ 2 % of total'],
    ['law worse', 'law worse'],
    ['build duration > +1s', '+1s'],
  ]) {
    assert.equal(baseComparisonText(parseLimit(expr)), part);
    refused(() => check(expr, analysis), /needs a run to compare with$/);
  }
  assert.equal(baseComparisonText(parseLimit('Ir > 5% of total and < 7')), undefined);
  refused(() => check('routine /nope/ self Ir > 1', analysis), /no routine of the profile matches/);
});

test('what the profile does not have is refused, and the message says what there is', async () => {
  const analysis = await runs(NOW, BEFORE);
  refused(() => check('Irr > 1', analysis), /^--fail-if 'Irr > 1': no such event as Irr; there are Ir$/);
  refused(() => check('any routine self ir > +1%', analysis), /no such event as ir; there are Ir$/);
  for (const which of ['/nope/', 'nope', '"no pe"'])
    refused(() => check(`routine ${which} self Ir > 1`, analysis), /: no routine of either run matches$/);
  refused(() => check('Ir > +5ms', analysis), /\+5ms: Ir is no time$/);
  refused(() => check('any routine calls > 5s', analysis), /5s: a number of calls is no time$/);
  for (const expr of ['build duration > 1', 'any step duration > 1'])
    refused(() => check(expr, analysis), /test \(callgrind\) has no steps$/);
  refused(() => check('law worse', analysis), /test \(callgrind\) has no costs by input size$/);
  const ratio = await runs(NOW, BEFORE, { derive: ['R=Ir/2', 'Q=R/Ir'] });
  assert.ok(exceeds('Q > 0.4', ratio));
  refused(() => check('any routine self Q > +1% of total', ratio), /\+1% of total: Q is a ratio, which has no shares$/);

  const flat = ['events: Ir', 'fl=a.c', 'fn=main', '1 100', ''].join('\n');
  const lines = await pair(flat, flat, { loader: cachegrind });
  assert.ok(exceeds('any routine self Ir > 99', lines));
  refused(() => check('any routine inclusive Ir > 1', lines), /test \(cachegrind\) has no inclusive costs$/);
  refused(() => check('any routine calls > 1', lines), /test \(cachegrind\) has no counts of calls$/);

  const withEvent = (event: string) => ['version: 1', `events: Ir ${event}`, 'fl=a.c', 'fn=main', '1 2 3', ''].join('\n');
  const differ = await pair(withEvent('Dr'), withEvent('Dw'));
  assert.ok(exceeds('Ir > 1', differ));
  refused(() => check('Dr > 1', differ), /the base has no event Dr; both runs have Ir$/);
  refused(() => check('Dw > 1', differ), /only the base has an event Dw; both runs have Ir$/);
});

/** Steps one after the other: milliseconds by output. */
function ninjaText(steps: Readonly<Record<string, number>>): string {
  let at = 0;
  const lines = Object.entries(steps).map(([output, ms], i) => {
    const from = at;
    at += ms;
    return `${from}\t${at}\t${i + 1}\t${output}\t${(i + 1).toString(16)}`;
  });
  return ['# ninja log v5', ...lines, ''].join('\n');
}

test('builds and their steps', async () => {
  const before = { 'a.cpp.o': 1000, 'b.cpp.o': 2000, 'long name.o': 10, app: 500 };
  const now = { 'a.cpp.o': 1600, 'b.cpp.o': 2010, 'long name.o': 10, 'c.cpp.o': 300, app: 500 };
  const analysis = await pair(ninjaText(now), ninjaText(before), { loader: ninjaLog });
  // 4,420 ms now, 3,510 before.
  assertLimits(analysis, {
    'build duration > +25%': true,
    'build duration > +26%': false,
    'build durationMs > +909': true,
    'build duration > +910': false,
    'build duration > +909ms': true,
    'build duration > +0.91s': false,
    'build duration > 4.4s': true,
    'build duration > 4_420_000us': false,
    'build duration > 4_419_999_999ns': true,
    'build duration > 0.1min': false,
    'build duration > +20% and > +1s': false,
    // One command after the other: the work is the duration.
    'build work > 4.4s': true,
    'build work > 4.42s': false,
    'build work > +909': true,
    'build work > +910': false,
    'step /\\.cpp\\.o$/ durationMs > +500': true,
    'step /\\.cpp\\.o$/ durationMs > +600': false,
    'step /b\\.cpp/ duration > +0%': true,
    'step a.cpp.o duration > +59%': true,
    'step a.cpp.o duration > +60%': false,
    'step "long name.o" duration > +0%': false,
    'step long duration > 9': true,
    'step c.cpp.o duration > +1000%': true,
    'any step duration > +50% and > +0.5s': true,
    'any step duration > 2.01s': false,
  });
  assert.equal(
    line('step /cpp/ duration > +100ms', analysis),
    'step /cpp/ duration > +100ms: exceeded: 1 s -> 1.60 s (+60.00%, +600 ms) in a.cpp.o, and in 1 other step',
  );
  assert.deepEqual(limitsJson([check('build duration > +1%', analysis), check('step c.cpp.o duration > +1%', analysis)]), [
    { expr: 'build duration > +1%', exceeded: true, base: 3510, now: 4420 },
    { expr: 'step c.cpp.o duration > +1%', exceeded: true, base: null, now: 300, where: 'c.cpp.o' },
  ]);
  refused(() => check('step /nope/ duration > 1', analysis), /no step of either build matches$/);
  refused(() => check('any header duration > 1', analysis), /has no times of headers, as clang writes them with -ftime-trace$/);
  refused(() => check('target app duration > 1', analysis), /no target matches$/);
  refused(() => check('law worse', analysis), /has no costs by input size$/);
  refused(() => check('any routine self time > 1', analysis), /test \(ninja-log\) has no routines$/);
  const alone = await pair(ninjaText(now), undefined, { loader: ninjaLog });
  assertLimits(alone, {
    'build duration > 4419': true,
    'any step duration > 2s': true,
    'any step duration > 2.01s': false,
    'time > 4s': true,
  });
  assert.equal(line('any step duration > 2s', alone), 'any step duration > 2s: exceeded: 2.01 s in b.cpp.o');
  refused(() => check('step nope duration > 1', alone), /no step of the build matches$/);
});

/** Routines whose worst cost is a function of the size of their input. */
function aprofText(laws: Readonly<Record<string, (n: number) => number>>): string {
  const lines = Object.entries(laws).flatMap(([name, cost], r) => [
    `r "${name}" "/x/demo" ${r + 1}`,
    ...Array.from({ length: 20 }, (_, i) => {
      const n = 10 * (i + 1);
      const c = Math.round(cost(n));
      return `p ${r + 1} ${n} ${c} ${c} ${c} 1 ${c} 0`;
    }),
  ]);
  return ['v 2', 'k 1000', 'e 0', 'm bb-count', 'a ./demo', 'f ./demo', ...lines, ''].join('\n');
}

test('hits and misses of a compiler cache', async () => {
  const made = async (build: Case) => {
    const { profile } = await build();
    return analyse(profile, profile.events);
  };
  const [now, then] = [
    withCache(keptBuild(1), { hits: 3, misses: 4, uncached: 2, reason: 'recache' }),
    withCache(keptBuild(0), { hits: 9, misses: 0 }),
  ];
  assertLimits(await made(against(now, then)), {
    'build hits < -5': true,
    'build hits < -6': false,
    'build hits < -50%': true,
    'build hits < 4': true,
    'build misses > 5': true,
    'build misses > 6': false,
    'build misses > +5': true,
  });
  const without = await made(keptBuild(1));
  assert.throws(() => check('build hits < 4', without), /no record of a compiler cache/);
});

test('laws of growth', async () => {
  const linear = (n: number) => 5 * n;
  const square = (n: number) => n * n;
  const cube = (n: number) => n ** 3;
  const laws = (now: Parameters<typeof aprofText>[0], before: Parameters<typeof aprofText>[0]) =>
    pair(aprofText(now), aprofText(before), { loader: aprof });
  const analysis = await laws(
    { sort: square, merge: linear, search: cube, better: linear, fresh: cube },
    { sort: linear, merge: linear, search: linear, better: square, gone: linear },
  );
  assertLimits(analysis, {
    'law worse': true,
    'law /sort/ worse': true,
    'law sort worse': true,
    'law "merge" worse': false,
    'law /^(merge|better|fresh|gone)$/ worse': false,
  });
  assert.equal(line('law worse', analysis), 'law worse: exceeded: n -> n^3 in search, and in 1 other routine');
  assert.deepEqual(limitsJson([check('law sort worse', analysis), check('law merge worse', analysis)]), [
    { expr: 'law sort worse', exceeded: true, base: 'n', now: 'n2', where: 'sort' },
    { expr: 'law merge worse', exceeded: false, base: null, now: null },
  ]);
  refused(() => check('law /nope/ worse', analysis), /no routine of either run matches$/);
  const same = await laws({ sort: square }, { sort: square });
  assertLimits(same, { 'law worse': false, 'bb-count > +0%': false, 'any routine inclusive bb-count > +0%': false });
});

test('beyond noise: what is counted is exact, samples differ by chance, and where noise is unknown nothing is decided', async () => {
  const counted = await runs({ main: 0, f: 101 }, { main: 0, f: 100 });
  assert.deepEqual([exceeds('Ir > +0% beyond noise', counted), exceeds('Ir > +5% beyond noise', counted)], [true, false]);
  const stacks = (f: number, g: number) =>
    ['f', 'g'].map((name, i) => `prog 1 1.0: 1000 cycles: \n\t1 ${name} (/bin/prog)\n\n`.repeat([f, g][i])).join('');
  const samples = await pair(stacks(120, 400), stacks(100, 400), { loader: perfScript });
  assert.deepEqual(
    ['cycles > +1%', 'cycles > +1% beyond noise', 'routine f self cycles > +10% beyond noise'].map((l) => exceeds(l, samples)),
    [true, false, false],
  );
  const twice = await pair(stacks(200, 400), stacks(100, 400), { loader: perfScript });
  assert.equal(exceeds('any routine self cycles > +10% beyond noise', twice), true);
  const unknown = await pair('main;f 120\n', 'main;f 100\n', { loader: folded });
  assert.throws(() => check('samples > +1% beyond noise', unknown), /noise of samples is unknown/);
  const said = await pair('main;f 120\n', 'main;f 100\n', { loader: folded, samples: true });
  assert.equal(exceeds('samples > +1% beyond noise', said), false);
  const misses = await pair(callgrindText({ main: 5 }, 'D1mr'), callgrindText({ main: 4 }, 'D1mr'));
  assert.throws(() => check('D1mr > +1% beyond noise', misses), /several runs of the base/);
  assert.throws(() => parseLimit('Ir > 5 beyond noise'), /an amount with a sign/);
});

test('what is no limit is refused: what was expected, and where', () => {
  const wrong: Readonly<Record<string, readonly [expected: RegExp, column: number]>> = {
    '> 5': [/a limit, like Ir > \+1%.*, found "> 5"/, 0],
    Ir: [/one of > >= < <=, found the end/, 2],
    'Ir + 1%': [/one of > >= < <=, found "\+ 1%"/, 3],
    'Ir = 5': [/one of > >= < <=, found "= 5"/, 3],
    'Ir =< 5': [/one of > >= < <=, found "=< 5"/, 3],
    'Ir >': [/a number, like 1000, \+500 or \+5%, found the end/, 4],
    'Ir > many': [/a number, like .*, found "many"/, 5],
    'Ir > 1,5%': [/a number, like .*, found "1,5%"/, 5],
    'Ir > 1.5.2': [/a number, like .*, found "1\.5\.2"/, 5],
    [`Ir > ${'1'.repeat(41)}`]: [/a number of at most 40 digits/, 5],
    'Ir > 5%': [/a sign before a percentage, as in \+5%, or of total after it, found 5%/, 5],
    'Ir > +5 of total': [/a percentage before of total, found \+5/, 5],
    'any routine calls > 5% of total': [/of total only for the costs of an event, not for calls, found 5% of total/, 20],
    'build duration > +5% of total': [/of total only for .*, not for duration/, 17],
    'Ir > +5% or < 2': [/and, beyond noise, or the end, found "or < 2"/, 9],
    'Ir > +5% of': [/and, beyond noise, or the end, found "of"/, 9],
    'Ir > 5x': [/and, beyond noise, or the end, found "x"/, 6],
    'Ir > 5 and': [/a limit, like .*, found the end/, 10],
    'any > 5': [/routine, step, target, header or test after any, found "> 5"/, 4],
    'any build duration > 5': [/routine, step, target, header or test after any, found "build duration > 5"/, 4],
    routine: [/the name of a routine, in quotes if it has blanks, or \/regular expression\/, found the end/, 7],
    'routine main Ir > 5': [/self EVENT, inclusive EVENT or calls, found "Ir > 5"/, 13],
    'routine main self > 5': [/the name of an event, found "> 5"/, 18],
    'routine "main self Ir > 5': [/with its end, found ""main self Ir > 5"/, 8],
    'routine /main self Ir > 5': [/with its end, found "\/main self Ir > 5"/, 8],
    'routine // self Ir > 5': [/with its end/, 8],
    'routine /x/g self Ir > 5': [/with its end/, 8],
    'routine /(/ self Ir > 5': [/a regular expression, found invalid regular expression: unterminated group/, 8],
    'routine /(a+)\\1+$/ self Ir > 5': [/a regular expression, found /, 8],
    'step x Ir > 5': [/duration, found "Ir > 5"/, 7],
    'build > 5': [/duration, work, chain, hits, misses or failed, found "> 5"/, 6],
    law: [/the name of a routine/, 3],
    'law better': [/worse, found the end/, 10],
    'law worse than before': [/nothing after worse, found "than before"/, 10],
    'law worse and worse': [/nothing after worse, found "and worse"/, 10],
  };
  for (const [text, [message, column]] of Object.entries(wrong))
    assert.throws(
      () => parseLimit(text),
      (error) => {
        assert.ok(error instanceof ChoiceError, text);
        const [said, shown, mark] = error.message.split('\n');
        assert.match(said, /^--fail-if: expected .*/);
        assert.match(said, message);
        assert.deepEqual([shown, mark], [`    ${text}`, `    ${' '.repeat(column)}^`], text);
        return true;
      },
      text,
    );
  refused(() => parseLimit(' '), /^--fail-if: expected a limit, like .*, found the end$/);
});

test('what a pattern costs does not depend on who wrote it', async () => {
  const started = performance.now();
  const long = `${'a'.repeat(200_000)}b`;
  const analysis = await runs({ [long]: 1 }, { [long]: 1 });
  refused(() => check('routine /^(a+)+$/ self Ir > 5', analysis), /no routine/);
  assert.ok(performance.now() - started < 10_000);
});

long('any text is a limit or is refused', () => {
  const words = [
    'Ir',
    'routine',
    'any',
    'step',
    'build',
    'law',
    'worse',
    'self',
    'inclusive',
    'calls',
    'duration',
    '/x/',
    '"q"',
    '>',
    '<=',
    '+5%',
    '7k',
    'of total',
    'and',
    "'",
    '\\',
    '%',
  ];
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...words), { maxLength: 9 }).map((all) => all.join(' ')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      try {
        assert.equal(parseLimit(text).expr, text);
      } catch (error) {
        assert.ok(error instanceof ChoiceError, String(error));
      }
    }),
    { numRuns: 2000 },
  );
});
