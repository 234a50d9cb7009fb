import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { compileFilter, PatternError, rankChoices } from '../../src/base/match.ts';
import { FormatError, formatProblem } from '../../src/base/problem.ts';
import {
  cellWidth,
  cutEnd,
  cutStart,
  cutWords,
  firstCodeUnits,
  fit,
  graphemesOf,
  keepEnds,
  PLAIN,
  visible,
} from '../../src/base/text.ts';
import {
  formatAddress,
  formatBytes,
  formatChange,
  formatCost,
  formatCount,
  formatPercent,
  formatRatio,
  formatShort,
  formatShortCost,
  padUnit,
  plural,
  shortenNumber,
} from '../../src/base/units.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 60 });

test('visible text has no control, bidi or invisible character', () => {
  assert.equal(visible('a\u001b[2Jb\nc\u009b1m\u202ed\u200b'), 'a␛[2Jb␊c<009B>1m<202E>d<200B>');
  fc.assert(
    fc.property(anyText, (text) => {
      assert.doesNotMatch(visible(text), /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200e\u200f\ufeff]/);
    }),
  );
});

test('fitted text is exactly as wide as asked', () => {
  fc.assert(
    fc.property(
      anyText,
      fc.integer({ min: 0, max: 30 }),
      fc.constantFrom('left', 'right'),
      fc.constantFrom('end', 'start', 'middle', 'place', 'path'),
      (text, width, align, cut) => {
        assert.equal(stringWidth(fit(visible(text), width, align as 'left', cut as 'end')), width);
      },
    ),
  );
  assert.equal(fit('日本語テキスト', 6), '日本… ');
  assert.equal(fit('abcdefgh', 5, 'left', 'middle'), 'ab…gh');
  assert.equal(fit('x'.repeat(10_000), 4), 'xxx…');
});

test('where a name ends with a place, its line number is the last to go', () => {
  const text = 'sorting::Sorter<double>::quick(int, int) spin.cpp:1234';
  for (let width = 6; width < text.length; width++) assert.match(fit(text, width, 'left', 'place'), /:1234$/);
  assert.equal(fit(text, 30, 'left', 'place'), 'sorting::Sorter<…spin.cpp:1234');
  assert.equal(fit(`${text} (inl)`, 30, 'left', 'place'), 'sorting::S…spin.cpp:1234 (inl)');
  assert.equal(fit(`${text} (inl)`, 13, 'left', 'place'), '…p:1234 (inl)');
  assert.equal(fit(`${text} (inl)`, 8, 'left', 'place'), '…pp:1234');
  assert.equal(fit('a name without a place', 8, 'left', 'place'), 'a na…ace');
});

test('the step of a build keeps its role and the end of its path', () => {
  assert.equal(fit('compile: build/tests/test_suite_ecdh.c', 24, 'left', 'path'), 'compile: test_su…_ecdh.c');
  assert.equal(fit('compile: build/tests/test_suite_ecdh.c', 30, 'left', 'path'), 'compile: …/test_suite_ecdh.c  ');
  assert.equal(fit('build/tests/test_suite_ecdh.c', 26, 'left', 'path'), '…/tests/test_suite_ecdh.c ');
  assert.equal(fit('/srv/demo/src/main.cpp', 16, 'left', 'start'), '…/src/main.cpp  ');
  assert.equal(fit('compile: a.c', 14, 'left', 'path'), 'compile: a.c  ');
  // Without room for a path behind the role, and without a role, the middle goes.
  assert.equal(fit('compile: build/tests/test_suite_ecdh.c', 12, 'left', 'path'), 'compil…cdh.c');
  assert.equal(fit('a step without a role', 11, 'left', 'path'), 'a ste… role');
});

test('a cut text is a start or an end of the text', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), fc.integer({ min: 0, max: 20 }), (text, width) => {
      assert.ok(text.startsWith(cutEnd(text, width)));
      assert.ok(text.endsWith(cutStart(text, width)));
      assert.ok(cellWidth(cutEnd(text, width)) <= width);
    }),
  );
});

test('every plain character is one cell', () => {
  for (let c = 0; c < 0x10000; c++) {
    const text = String.fromCharCode(c);
    if (PLAIN.test(text)) assert.equal(stringWidth(text), 1, c.toString(16));
  }
});

test('numbers as text', () => {
  assert.equal(formatCount(1234567), '1,234,567');
  assert.equal(formatCount(-1234), '-1,234');
  assert.equal(formatCount(18446744073709551615n), '18,446,744,073,709,551,615');
  assert.equal(formatCount(0.5), '0.50');
  assert.equal(formatShort(999), '999');
  assert.equal(formatShort(999_999), '1.00M');
  assert.equal(formatShort(12_345), '12.3k');
  assert.equal(formatPercent(1, 8), '12.50%');
  assert.equal(formatPercent(1, 0), '-');
  assert.deepEqual([formatPercent(-1, 1e6), formatChange(-1e-6), formatRatio(Number.NaN)], ['-<0.01%', '0.00%', '-']);
  assert.deepEqual([1.99, 2, 98.94, 98.96, 1568.8, 1e6, -0.5].map(formatChange), [
    '+199.0%',
    '3.0×',
    '99.9×',
    '100×',
    '1.57k×',
    '1.00M×',
    '-50.00%',
  ]);
  assert.equal(formatBytes(1536), '1.50 KiB');
  assert.equal(formatAddress(0xffffffff, 0x80000010), '0xffffffff80000010');
  assert.equal(formatAddress(0, 0x4010), '0x4010');
  assert.equal(plural(1, 'process'), '1 process');
  assert.equal(plural(2, 'process'), '2 processes');
});

test('a short number is at most six cells', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 15), max: 10 ** 15 }), (n) => assert.ok(formatShort(n).length <= 6, formatShort(n))),
  );
});

test('a problem prints its line, a caret and a hint', () => {
  const problem = {
    path: 'callgrind.out.77',
    line: 412,
    expected: 'a cost line or fn=',
    found: '"cals=1 0x40"',
    excerpt: 'cals=1 0x40',
    column: 0,
    hint: 'look there',
  };
  assert.equal(
    formatProblem(problem),
    'callgrind.out.77:412: expected a cost line or fn=, found "cals=1 0x40"\n    cals=1 0x40\n    ^\nhint: look there',
  );
  assert.match(
    new FormatError({ path: 'a\u001b[1m', offset: 16, expected: 'x', found: 'y' }).message,
    /^a␛\[1m: byte 0x10: expected x, found y$/,
  );
});

test('filters: fuzzy, regular expressions, inverted', () => {
  assert.ok(compileFilter('matmul').test('demo::Matrix<double>::matmul(int)'));
  assert.ok(compileFilter('Mtrx').test('Matrix'));
  assert.ok(!compileFilter('zzz').test('Matrix'));
  assert.ok(compileFilter('/^de.*x/').test('demo::x'));
  assert.ok(!compileFilter('/^De/').test('demo'));
  assert.ok(compileFilter('/^De/i').test('demo'));
  assert.ok(!compileFilter('!/demo/').test('demo::x'));
  assert.ok(compileFilter('').test('anything'));
  assert.throws(() => compileFilter('/(/'), PatternError);
  assert.deepEqual(rankChoices('hot', ['photo', 'hot path', 'cold'], (t) => t)[0], 'hot path');
});

test('no short number is longer than its room, and none loses its size', () => {
  const doubles = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e20, max: 1e20 });
  fc.assert(
    fc.property(doubles, (v) => {
      assert.ok(formatShort(v).length <= 6, formatShort(v));
      assert.ok(formatRatio(v).length <= 8, formatRatio(v));
    }),
  );
  for (const [value, short, ratio] of [
    [0.0123, '0.0123', '0.01230'],
    [-0.0123, '-0.012', '-0.01230'],
    [1.23456, '1.23', '1.2346'],
    [2711700, '2.71M', '2.71M'],
    [3860, '3.86k', '3,860'],
    [999.7, '1.00k', '999.70'],
    [0.0000004, '4e-7', '4e-7'],
  ] as const) {
    assert.equal(formatShort(value), short);
    assert.equal(formatRatio(value), ratio);
  }
});

test('a number that has no room gets shorter, other text stays', () => {
  assert.equal(shortenNumber('3,068,712', 6), '3.07M');
  assert.equal(shortenNumber('3,068,712', 9), '3,068,712');
  assert.equal(shortenNumber('≈3,068,712', 7), '≈3.07M');
  assert.equal(shortenNumber('-12,345,678', 6), '-12.3M');
  assert.equal(shortenNumber('9.52 ms', 6), '9.52ms');
  assert.equal(shortenNumber('0x12345678', 6), '0x12345678');
});

test('text is cut between words, and never within a number', () => {
  assert.equal(cutWords('7,555 of 6,818,128 routines by file', 24), '7,555 of 6,818,128…');
  assert.equal(cutWords('7,555 of 6,818,128 routines', 12), '7,555 of…');
  assert.equal(cutWords('7,555,123', 5), '…');
  assert.equal(cutWords('all of it', 20), 'all of it');
});

/** A half of a character. */
const HALF = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

test('a cut is never within a character, however long its cluster is', () => {
  const pieces = [
    '\u{1f600}',
    '\u{1f468}\u200d',
    'a',
    '日',
    'e\u0301',
    '\u{1f3fd}',
    '\u{1f468}\u200d'.repeat(40),
    '/',
    '\u{20000}',
  ];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...pieces), { maxLength: 400 }),
      fc.integer({ min: 0, max: 90 }),
      fc.constantFrom('end', 'start', 'middle', 'place', 'path'),
      (list, width, cut) => {
        const text = list.join('');
        const cuts = [cutEnd(text, width), cutStart(text, width), keepEnds(text, width), firstCodeUnits(text, width)];
        for (const shown of [...cuts, fit(text, width, 'left', cut as 'end')]) assert.doesNotMatch(shown, HALF);
        for (const { segment } of graphemesOf(text)) assert.doesNotMatch(segment, HALF);
      },
    ),
  );
  assert.equal(keepEnds('\u{1f600}'.repeat(2000), 10).length % 2, 0);
});

/** What a text with a unit stands for, by the words of the units alone: in nanoseconds or bytes. */
function parsedCost(text: string): number {
  const factors = { ns: 1, µs: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9, d: 86_400e9 };
  const bytes = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, PiB: 2 ** 50 };
  const known = new Map(Object.entries({ ...factors, ...bytes }));
  const size = Array.from(text.replaceAll(',', '').matchAll(/([\d.]+) ?([a-zµ]+|[KMGTP]?i?B)/g)).reduce(
    (sum, [, number, unit]) => sum + Number(number) * (known.get(unit) ?? Number.NaN),
    0,
  );
  return text.startsWith('-') ? -size : size;
}

test('a time or an amount of memory has three digits and the unit in which they are readable', () => {
  const times = [2_500_483_000, 9e6, 9_520_000, 500_000, 1, 999.6e3, 59.94e9, 88e9, 3725e9, 273_600e9, -2_100_000, 0];
  assert.deepEqual(
    times.map((ns) => formatCost(ns, 'ns')),
    ['2.50 s', '9 ms', '9.52 ms', '500 µs', '1 ns', '1.00 ms', '59.9 s', '1m28s', '62m05s', '3d04h', '-2.10 ms', '0 s'],
  );
  assert.equal(formatCost(250_048_300, '10ns'), '2.50 s');
  assert.deepEqual(
    [1_385_520, 49_357, 36, 1023.7 * 1024, 4096, -4096, 0].map((bytes) => formatCost(bytes, 'bytes')),
    ['1.32 MiB', '48.2 KiB', '36 B', '1.00 MiB', '4 KiB', '-4 KiB', '0 B'],
  );
  assert.deepEqual(
    [formatCost(1.5, 'MB'), formatCost(2n ** 60n, 'bytes'), formatCost(2n ** 53n, 'ns')],
    ['1.50 MiB', '1,024 PiB', '104d06h'],
  );
  for (let size = 0.01; size < 1e17; size *= 1.37)
    for (const [unit, value] of [
      ['ns', size],
      ['bytes', Math.round(size)],
      ['ns', -Math.round(size)],
    ] as const) {
      const text = formatCost(value, unit);
      // Three digits are off by half a per cent at most; minutes and hours by half a second in a minute, an hour in two days.
      const off = unit === 'ns' && size >= 59.95e9 ? 0.0105 : 0.00501;
      assert.ok(Math.abs(parsedCost(text) - value) <= Math.max(off * Math.abs(value), 0.005), `${value} ${unit}: ${text}`);
      assert.ok(text.length <= (unit === 'ns' ? 7 : 9) + (value < 0 ? 1 : 0), text);
    }
});

test('a short time or amount of memory takes six cells', () => {
  const short = (ms: number) => formatShortCost(ms * 1e6, 'ns');
  assert.deepEqual([6.75, 28.75, 156.25, 0.75, 0.012, 0, 7.5, -6.75].map(short), [
    '6.75ms',
    '28.8ms',
    '156ms',
    '750µs',
    '12µs',
    '0s',
    '7.5ms',
    '-6.8ms',
  ]);
  assert.deepEqual(
    [1_385_520, 49_357, 36, -4096].map((bytes) => formatShortCost(bytes, 'bytes')),
    ['1.32M', '48.2K', '36B', '-4K'],
  );
  for (let ms = 0.001; ms < 1e9; ms *= 1.37) {
    assert.ok(short(ms).length <= 6, short(ms));
    assert.ok(Math.abs(parsedCost(short(ms)) - ms * 1e6) <= 0.0105 * ms * 1e6, `${ms}: ${short(ms)}`);
  }
});

test('costs in a column are aligned by their last digit', () => {
  assert.deepEqual(
    [padUnit('2.50 s', 2), padUnit('≈9 ms', 2), padUnit('1m28s', 2), padUnit('36 B', 3), padUnit('12', 0)],
    ['2.50 s ', '≈9 ms', '1m28s', '36 B  ', '12'],
  );
});
