// Syntax colours: the text stays what it is, and what is coloured is what a reader would expect.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { highlightLine, languageOf } from '../../src/views/parts/syntax.ts';

const styled = (text: string) =>
  highlightLine(text, 'cpp')
    .filter(([, style]) => style !== 'plain')
    .map(([part, style]) => `${style}:${part.trim()}`);

test('keywords, literals and comments have their styles', () => {
  assert.deepEqual(styled('  return n < 2 ? n : fib(n - 1); // done'), [
    'keyword:return',
    'literal:2',
    'literal:1',
    'comment:// done',
  ]);
  assert.deepEqual(styled('const char *s = "a<b&c";'), ['keyword:const char', 'literal:"a<b&c"']);
  assert.deepEqual(highlightLine('   ', 'cpp'), [['   ', 'plain']]);
});

test('any line is the same text, whatever is made of it', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 120, unit: 'grapheme' }),
      fc.constantFrom('c', 'cpp', 'go', 'python', 'rust'),
      (text, language) => {
        assert.equal(
          highlightLine(text, language)
            .map(([part]) => part)
            .join(''),
          text,
        );
      },
    ),
    { numRuns: 500 },
  );
});

test('languages go by the ending of a name; headers of the library have none', () => {
  assert.equal(languageOf('src/a.cpp'), 'cpp');
  assert.equal(languageOf('/usr/include/c++/12/vector'), 'cpp');
  assert.equal(languageOf('a.c'), 'c');
  assert.equal(languageOf('main.go'), 'go');
  assert.equal(languageOf('notes.txt'), undefined);
});
