// Regular expressions of users: both engines give the same answers, neither can be kept busy.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { compileFilter, compileSearch, matchesAny, PatternError } from '../../src/base/match.ts';
import { compilePattern } from '../../src/base/pattern.ts';
import { parsePattern } from '../../src/base/pattern-grammar.ts';
import { long } from '../support/long.ts';

/** Far more than anything here takes; what backtracks takes years. */
const WATCHDOG = { timeout: 60_000 };

const LETTERS = [
  ...'aAbBkKsSxX09_ :<>(),.*-é',
  'ſ',
  'K',
  'ß',
  'σ',
  'ς',
  '\n',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '\v',
  '😀',
  '\ud83d',
];
const text = fc.array(fc.constantFrom(...LETTERS), { maxLength: 14 }).map((all) => all.join(''));

const atom = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...'abBkKsSx09_:<>, é', 'ſ', 'ß', 'σ', '😀', '\u00a0') },
  fc.constantFrom('.', '\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\.', '\\*', '\\(', '\\/', '\\<', '\\-', '\\x41', '\\u{1F600}'),
  fc.constantFrom(
    '[ab]',
    '[^ab]',
    '[a-x]',
    '[\\w.-]',
    '[^\\W_]',
    '[\\s:]',
    '[^\\S\\d]',
    '[-a]',
    '[a-]',
    '[+--]',
    '[]',
    '[^]',
    '[\\b]',
    '[\\]]',
  ),
  fc.constantFrom('\\p{L}', '\\P{Lu}', '\\p{Script=Greek}', '[\\p{L}\\d]', '\\u0041', '\\cA', '\\0', '\\t', '\\ud83d\\ude00'),
);
const { expression } = fc.letrec<{ expression: string; part: string }>((tie) => ({
  expression: fc
    .array(fc.array(tie('part'), { maxLength: 4 }), { minLength: 1, maxLength: 3 })
    .map((all) => all.map((parts) => parts.join('')).join('|')),
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc.constantFrom('^', '$', '\\b', '\\B'),
    fc
      .tuple(
        fc.oneof(
          atom,
          fc.tuple(fc.constantFrom('(', '(?:', '(?<n>'), tie('expression')).map(([open, e]) => `${open}${e})`),
        ),
        fc.constantFrom('', '?', '??', '{2}', '{1,2}', '{0,2}?', '*', '+', '*?', '+?', '{1,}'),
      )
      .map((both) => both.join('')),
  ),
}));
const flags = fc.subarray(['i', 'm', 's']).map((all) => all.join(''));

/** The expression in each engine; undefined if it is none (a name that stands twice). */
function both(source: string, flagged: string): { v8: RegExp; re2: RE2JS } | undefined {
  const plain = source.replaceAll('\\<', '<').replaceAll('\\-', '\\x2d');
  try {
    const v8 = new RegExp(plain, `gu${flagged}`);
    const { re2, unsupported: lacks } = parsePattern(plain, flagged);
    return lacks ? undefined : { v8, re2: RE2JS.compile((flagged ? `(?${flagged})` : '') + re2) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

long('V8 and re2js give the same answers, and mark the same places', WATCHDOG, () => {
  let compared = 0;
  fc.assert(
    fc.property(expression, flags, fc.array(text, { minLength: 5, maxLength: 20 }), (source, flagged, texts) => {
      const engines = both(source, flagged);
      if (!engines) return;
      const { v8, re2 } = engines;
      for (const t of texts) {
        // RE2 knows one end of a line; word boundaries beside the long s and the sign of Kelvin differ if case is ignored.
        const s = flagged.includes('m') ? t.replace(/[\r\u2028\u2029]/g, '') : t;
        if (flagged.includes('i') && /\\b/i.test(source) && /[ſK]/.test(s)) continue;
        if (/\p{Surrogate}/u.test(s)) continue;
        // V8 looks between the halves of a pair, too.
        if (source.includes('\\B') && /[\ud800-\udfff]/.test(s)) continue;
        const matcher = re2.matcher(s);
        const found: string[] = [];
        while (matcher.find()) if (matcher.end() > matcher.start()) found.push(`${matcher.start()}-${matcher.end()}`);
        const all = Array.from(s.matchAll(v8));
        assert.equal(re2.test(s), all.length > 0, `${source} ${flagged} ${JSON.stringify(s)}`);
        compared++;
        // A group that may be empty is repeated in different ways.
        if (/[)][*+?{]/.test(source)) continue;
        assert.deepEqual(
          found,
          all.filter((m) => m[0] !== '').map((m) => `${m.index}-${m.index + m[0].length}`),
          `${source} ${flagged} ${JSON.stringify(s)}`,
        );
      }
    }),
    { numRuns: 3000 },
  );
  assert.ok(compared > 5000);
});

test('no expression takes long, whatever the text', WATCHDOG, () => {
  const texts = ['ab', 'a', 'foo', '<(', 'a::b<', 'é', '😀', ' '].map((t) => t.repeat(300_000));
  for (const source of [
    '(\\w+\\W*)+foo!',
    '(x+x+)+y',
    '(a|a)*z',
    '.*.*=',
    '^(a?){50}a{50}$',
    '(a|ab|b){1,30}z',
    '((a{0,6}){0,6}){0,6}q',
  ])
    for (const t of texts) assert.equal(compileFilter(`/${source}/`).test(t), false, source);
  assert.ok(compileSearch('/(\\w+\\W*)+foo/').test('a b c foo'));
});

test('what can only match in a few ways runs in V8, with all that V8 has', () => {
  for (const [pattern, name] of [
    ['/std(?!::vector)/', 'std::map'],
    ['/(?<=lib)ab/', 'libab'],
    ['/\\p{Alphabetic}{3}/', 'abc'],
    ['/operator\\<\\</', 'operator<<(int)'],
    ['/a\\-b/i', 'A-B'],
  ])
    assert.ok(compileFilter(pattern).test(name), pattern);
  assert.ok(matchesAny(compileFilter('!/x.*y/'), ['abc', 'yx']));
});

test('what re2js lacks is said, with what to write instead', () => {
  for (const [pattern, says] of [
    ['/^(?!.*foo).*bar/', /\(\?!…\).*filter by !\/…\//],
    ['/(?=.*a)(?=.*b)/', /one\.\*two\|two\.\*one/],
    ['/(?<=a+)b/', /as part of the expression/],
    ['/(?<!a)b+/', /filter by !/],
    ['/(a|b)\\1/', /\\1 is not supported; write the text/],
    ['/(a+)\\1/', /\\1.*write the text/],
    ['/(?<n>a+)\\k<n>/', /\\k<n>.*write the text/],
    ['/\\p{RGI_Emoji}+/', /invalid property/],
    ['/\\p{Letter}+/', /short names/],
    ['/(a{100}){100}b*/', /more than 1000|too large/],
    ['/([ab]{30}c{30}|d){40}b*/', /more than 1000|too large/],
    ['/(/', /^invalid regular expression: unterminated group$/],
    ['/a**/', /^invalid regular expression: nothing to repeat$/],
    [`/${'a'.repeat(2000)}/`, /2000 characters; at most 1000 are allowed/],
  ] as const)
    assert.throws(
      () => compileFilter(pattern),
      (error) => error instanceof PatternError && says.test(error.message),
      pattern,
    );
});

test('of names that are too long for an expression, their beginning is looked at', () => {
  const { maxLength: most, test: matches } = compilePattern('(a{0,90}b{0,90}c)+d', '');
  assert.ok(most > 1000 && most < 100_000, String(most));
  assert.ok(matches(`${'x'.repeat(most - 2)}cd`) && !matches(`${'x'.repeat(most)}cd`));
});
