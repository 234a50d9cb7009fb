// Syntax highlighting with highlight.js. Lines are highlighted one by one when they are drawn, so only the first line of a
// multi-line comment is recognized.
import hljs from 'highlight.js/lib/core';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import go from 'highlight.js/lib/languages/go';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import { getOrCache } from '../../base/lists.ts';
import { type Style, spansText } from '../../base/style.ts';

const GRAMMARS = { c, cpp, go, python, rust };
for (const [name, language] of Object.entries(GRAMMARS)) hljs.registerLanguage(name, language);

export type Language = keyof typeof GRAMMARS;

/** Languages by file name ending. */
const LANGUAGE_BY_ENDING = new Map<string, Language>([
  ['c', 'c'],
  ...['cc', 'cpp', 'cxx', 'C', 'h', 'hh', 'hpp', 'hxx', 'ipp', 'tcc', 'inl'].map((e) => [e, 'cpp'] as const),
  ['go', 'go'],
  ['py', 'python'],
  ['rs', 'rust'],
]);

/** The language of a file; undefined if it is unknown. C++ standard headers have no file name ending. */
export function languageOf(file: string): Language | undefined {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  if (dot < 0) return /\/c\+\+\//.test(file) ? 'cpp' : undefined;
  return LANGUAGE_BY_ENDING.get(name.slice(dot + 1));
}

/** Styles by the scope names of highlight.js. */
const STYLE_BY_SCOPE: Readonly<Record<string, Style>> = {
  keyword: 'keyword',
  type: 'keyword',
  literal: 'literal',
  number: 'literal',
  string: 'literal',
  char: 'literal',
  comment: 'comment',
  meta: 'comment',
};

/** Maximum characters of a highlighted line. Longer lines are generated code. */
const MAX_LINE_LENGTH = 400;
const MAX_CACHED_LINES = 4000;
const highlightedLines = new Map<string, readonly (readonly [text: string, style: Style])[]>();

/** A line of source as styled spans, whose joined texts are the line. */
export function highlightLine(text: string, language: Language): readonly (readonly [text: string, style: Style])[] {
  if (text.length > MAX_LINE_LENGTH || text.trim() === '') return [[text, 'plain']];
  return getOrCache(highlightedLines, `${language} ${text}`, MAX_CACHED_LINES, () => {
    const spans = parseMarkup(hljs.highlight(text, { language, ignoreIllegals: true }).value);
    // If the highlighted text differs from the line, show the plain line.
    return spansText(spans) === text ? spans : [[text, 'plain']];
  });
}

const MARKUP_PATTERN = /<(\/?span)(?: class="hljs-([a-z_]+)[^"]*")?>|([^<]+)/g; // bounded: a line of LONGEST characters

/** Parses the HTML of highlight.js: `<span class="hljs-keyword">`, `</span>`, and text with five HTML entities. */
function parseMarkup(markup: string): (readonly [string, Style])[] {
  const out: [string, Style][] = [];
  const open: Style[] = [];
  for (const [, tag, scope, text] of markup.matchAll(MARKUP_PATTERN)) {
    if (tag === '/span') open.pop();
    else if (tag) open.push(STYLE_BY_SCOPE[scope ?? ''] ?? open.at(-1) ?? 'plain');
    else if (text) {
      const style = open.at(-1) ?? 'plain';
      const plain = text.replace(/&(lt|gt|amp|quot|#x27);/g, (_, name: string) => HTML_ENTITIES[name] ?? '');
      const last = out.at(-1);
      // Blanks join the previous span.
      if (last && (last[1] === style || plain.trim() === '')) last[0] += plain;
      else out.push([plain, style]);
    }
  }
  return out;
}

const HTML_ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#x27': "'" };
