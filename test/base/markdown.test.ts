// Texts in Markdown: read again as GitHub reads them, names are what they were, and nothing else becomes anything.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { codeBlock, inlineCode, joinMarked, proseToMarkdown, tableRow } from '../../src/base/markdown.ts';
import { visible } from '../../src/base/safe-text.ts';
import { readInline, readMarkdown, seen } from '../support/markdown.ts';

const HOSTILE = [
  '</td><script>alert(1)</script>',
  'a|b',
  '|',
  'a\\|b',
  '\\\\||',
  'a\\',
  '`x`',
  '`',
  '```',
  ' ` ',
  ' a ',
  ' ',
  '   ',
  '@everyone',
  'a@b.com',
  '![x](http://e)',
  '[x][y]',
  'http://e',
  'www.e.com',
  '<https://e>',
  '&lt;',
  '&#64;all',
  '<!--',
  '#12',
  'GH-12',
  'a/b#1',
  '0123abc',
  ':smile:',
  '%1',
  '~bug',
  '~"a bug"',
  '~~a~~',
  '**a**',
  '_a_',
  '$x$',
  '{{x}}',
  '- x',
  '-',
  '---',
  '+ x',
  '> x',
  '1. x',
  '1) x',
  '# x',
  '/close',
];
const texts = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: fc.constantFrom(...'`|\\ @#<>&*_[]()!~:/.-+$%1aW'), maxLength: 12 }),
  fc.string({ unit: 'binary' }),
);

test('a name in code marks is read as it was, in a line and in a table', () => {
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      const [first, second] = [visible(a), visible(b)];
      const inline = readInline(inlineCode(first));
      assert.equal(seen(inline), first);
      assert.match(inline.outside, /^(?:\0|&#124;)*$/);
      const row = tableRow([inlineCode(first), '1', inlineCode(second)]);
      const { tables } = readMarkdown(`### \`x\`\n\n| a | b | c |\n| --- | ---: | --- |\n${row}\n`);
      assert.deepEqual(tables[0].rows[0].map(seen), [first, '1', second]);
    }),
    { numRuns: 2000 },
  );
  assert.equal(inlineCode(''), '');
});

test('words are read as they were, and whatever could become more than words is in code marks', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const words = visible(text);
      // Fails where something outside of code marks is more than words.
      const { items } = readMarkdown(`### x\n\n- x ${proseToMarkdown(words)}\n- ${proseToMarkdown(words).trim()}\n`);
      for (const item of items) assert.equal(seen(item).replace(/^x /, '').trim(), words.replace(/ +/g, ' ').trim(), words);
    }),
    { numRuns: 2000 },
  );
  for (const hostile of HOSTILE) {
    if (/^ *a? *$|^\/close$/.test(hostile)) continue;
    const { outside } = readInline(proseToMarkdown(hostile));
    assert.match(outside, /^ ?(?:\0|&#124;)+ ?$/, hostile);
  }
});

test('our own words stay words', () => {
  for (const words of [
    '1,234,567',
    '12.34%',
    '-7,454',
    '+4,526',
    '0x557e444cb1d9',
    '≈59,437 (95 %: 51,623 to 68,432) if it grows as n log n',
    '=> ↻ ',
    ' (inl) ↻ +3',
    '… 570 more (--limit N)',
    '+N: N callees below 0.05% of the total are left out (--threshold PERCENT)',
    'simulated: ≈ 12 ms unchanged with 4 jobs; simulations are unreliable here',
    '?',
    '.',
    'r²',
    '×10',
    '',
  ])
    assert.equal(proseToMarkdown(words), words);
  // The mark of an estimate in ASCII: two of them would strike out what is between.
  assert.equal(proseToMarkdown('~1 and ~2'), '\\~1 and \\~2');
  assert.equal(proseToMarkdown('=> @ '), '=> @ ');
});

test('code marks beside each other stay two, and a block ends where it should', () => {
  assert.equal(joinMarked(['`a`', '', '`b`', ' c']), '`a` `b` c');
  const lines = ['```', '  ````text', '~~~'];
  assert.deepEqual(readMarkdown(`### x\n\n${codeBlock(lines).join('\n')}\n`).blocks, [lines.join('\n')]);
});
