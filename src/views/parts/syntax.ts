// Syntax highlighting with highlight.js. Lines are highlighted one by one when they are drawn, so only the first line of a
// multi-line comment is recognized.
import hljs from 'highlight.js/lib/core';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import go from 'highlight.js/lib/languages/go';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import type { Style } from '../../base/style.ts';

const LANGUAGES = { c, cpp, go, python, rust };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

export type Language = keyof typeof LANGUAGES;

/** Languages by file extension. */
const ENDINGS = new Map<string, Language>([
  ['c', 'c'],
  ...['cc', 'cpp', 'cxx', 'C', 'h', 'hh', 'hpp', 'hxx', 'ipp', 'tcc', 'inl'].map((e) => [e, 'cpp'] as const),
  ['go', 'go'],
  ['py', 'python'],
  ['rs', 'rust'],
]);

/** The language of a file; undefined if it is not highlighted. C++ standard headers have no extension. */
export function languageOf(file: string): Language | undefined {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  if (dot < 0) return /\/c\+\+\//.test(file) ? 'cpp' : undefined;
  return ENDINGS.get(name.slice(dot + 1));
}

/** Styles by scope of highlight.js. */
const STYLES: Readonly<Record<string, Style>> = {
  keyword: 'keyword',
  type: 'keyword',
  literal: 'literal',
  number: 'literal',
  string: 'literal',
  char: 'literal',
  comment: 'comment',
  meta: 'comment',
};

/** Longer lines are not highlighted: they are generated code. */
const LONGEST = 400;
const MOST_KNOWN = 4000;
const highlightedLines = new Map<string, readonly (readonly [text: string, style: Style])[]>();

/** A line as styled spans. Their texts joined are the line. */
export function highlightLine(text: string, language: Language): readonly (readonly [text: string, style: Style])[] {
  if (text.length > LONGEST || text.trim() === '') return [[text, 'plain']];
  const key = `${language} ${text}`;
  let spans = highlightedLines.get(key);
  if (!spans) {
    if (highlightedLines.size > MOST_KNOWN) highlightedLines.clear();
    spans = spansOf(hljs.highlight(text, { language, ignoreIllegals: true }).value);
    // Never show a changed text: fall back to plain.
    if (spans.map(([part]) => part).join('') !== text) spans = [[text, 'plain']];
    highlightedLines.set(key, spans);
  }
  return spans;
}

const MARKUP = /<(\/?span)(?: class="hljs-([a-z_]+)[^"]*")?>|([^<]+)/g; // bounded: a line of LONGEST characters

/** Parses the HTML of highlight.js: `<span class="hljs-keyword">`, `</span>`, and text with five entities. */
function spansOf(markup: string): (readonly [string, Style])[] {
  const out: [string, Style][] = [];
  const open: Style[] = [];
  for (const [, tag, scope, text] of markup.matchAll(MARKUP)) {
    if (tag === '/span') open.pop();
    else if (tag) open.push(STYLES[scope ?? ''] ?? open.at(-1) ?? 'plain');
    else if (text) {
      const style = open.at(-1) ?? 'plain';
      const plain = text.replace(/&(lt|gt|amp|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? '');
      const last = out.at(-1);
      // Blanks join the span before them.
      if (last && (last[1] === style || plain.trim() === '')) last[0] += plain;
      else out.push([plain, style]);
    }
  }
  return out;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#x27': "'" };
