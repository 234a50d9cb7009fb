// Documents can be read at once: sentences of at most 30 words, and none of the patterns that only look like English.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../support/fixtures.ts';

const MAX_WORDS = 30;
/** Sentences that may be longer, in all documents together. */
const LONG_SENTENCES = 10;

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

/** "alone" for "only", "a row a step" for "one row per step", "no number that is none" for "no NaN". */
const NOT_ENGLISH = /\balone\b|\ba (?:row|line|bar|column|lane) an? [a-z]|\bthat is none\b|\bwhat is to be\b/;

/** The sentences of a page: paragraphs and items of lists, without code, tables, headings and the addresses of links. */
function sentencesOf(markdown: string): string[] {
  const paragraphs: string[] = [];
  let isOpen = false;
  for (const line of markdown.replace(/^```[\s\S]*?^```/gm, '').split('\n')) {
    const text = line.trim();
    if (text === '' || /^(?:#|\||<)/.test(text)) isOpen = false;
    else if (isOpen && !/^(?:-|\d+\.) /.test(text)) paragraphs.push(`${paragraphs.pop() ?? ''} ${text}`);
    else {
      paragraphs.push(text.replace(/^(?:-|\d+\.) /, ''));
      isOpen = true;
    }
  }
  return paragraphs.flatMap((paragraph) =>
    paragraph
      .replace(/`[^`]*`/g, 'X')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .split(/(?<=[.!?]) +(?=[A-Z*_"“(])/),
  );
}

test('sentences are found in paragraphs and lists, without code and tables', () => {
  const page =
    '# Head of all\n\nOne `a. B` two.\nThree [four](x.md). _Five_\n\n| six. Seven |\n- eight\n  nine. Ten\n\n```\nno. Words\n```\n';
  assert.deepEqual(sentencesOf(page), ['One X two.', 'Three four.', '_Five_', 'eight nine.', 'Ten']);
});

test('sentences of the documents have at most 30 words', () => {
  const long = pages.flatMap((page) =>
    sentencesOf(readFileSync(join(ROOT, page), 'utf8'))
      .filter((sentence) => sentence.split(/\s+/).length > MAX_WORDS)
      .map((sentence) => `${page}: ${sentence}`),
  );
  assert.ok(long.length <= LONG_SENTENCES, long.join('\n'));
});

test('no pattern that only looks like English', () => {
  const found = pages.flatMap((page) =>
    readFileSync(join(ROOT, page), 'utf8')
      .split('\n')
      .flatMap((line, i) => (NOT_ENGLISH.test(line) ? [`${page}:${i + 1}: ${line}`] : [])),
  );
  assert.deepEqual(found, []);
});
