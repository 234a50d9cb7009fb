// The regular expressions and the texts of a source file, found by a small tokenizer.

export interface Literal {
  readonly source: string;
  readonly flags: string;
  /** From 1. */
  readonly line: number;
  /** What its line says of how long its text can be: `// bounded: a line of the terminal`. */
  readonly bounded: string | undefined;
}

/** A string, or a piece of a template. */
export interface Text {
  /** Without quotes, escapes as written. */
  readonly text: string;
  /** From 1: the line of its start. */
  readonly line: number;
}

/** What may stand before a literal; after anything else, a slash divides. */
const BEFORE = /(?:^|[(,=:[!&|?{;+*%~^<-]|=>|\b(?:return|typeof|case|in|of|do|else|yield|await|void|delete|throw|new))$/;
const BODY = /\/((?:[^\\/[\n]|\\.|\[(?:[^\\\]\n]|\\.)*\])+)\/([a-z]*)/y;
const SKIPPED = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const TEXT = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
const WORD = /[\w$]+/y;

export const regexesIn = (text: string): readonly Literal[] => literalsIn(text).regexes;

/** Text between JSX tags is not among them. */
export const textsIn = (text: string): readonly Text[] => literalsIn(text).texts;

function literalsIn(text: string): { readonly regexes: readonly Literal[]; readonly texts: readonly Text[] } {
  const lines = text.split('\n');
  const regexes: Literal[] = [];
  const texts: Text[] = [];
  /** For each `${` that is open, how many braces are open within. */
  const templates: number[] = [];
  let before = '';
  let at = /^#!.*/.exec(text)?.[0].length ?? 0;
  const take = (sticky: RegExp): RegExpExecArray | undefined => {
    sticky.lastIndex = at;
    const m = sticky.exec(text);
    if (m) at += m[0].length;
    return m ?? undefined;
  };
  const lineOf = (from: number) => text.slice(0, from).split('\n').length;
  /** To the end of a template or its next `${`. */
  const template = () => {
    const from = at;
    while (at < text.length && text[at] !== '`' && !text.startsWith('${', at)) at += text[at] === '\\' ? 2 : 1;
    texts.push({ text: text.slice(from, at), line: lineOf(from) });
    before = text[at] === '`' ? ')' : '{';
    if (before === '{') templates.push(0);
    at += before === '{' ? 2 : 1;
  };
  while (at < text.length) {
    if (take(SKIPPED)) continue;
    const c = text[at];
    // JSX: </Text> and />.
    const tag = text[at + 1] === '>' || before === '<';
    const from = at;
    if (c === '/' && !tag && BEFORE.test(before)) {
      const m = take(BODY);
      if (m) {
        const line = lineOf(from);
        regexes.push({ source: m[1], flags: m[2], line, bounded: /\/\/ bounded: (\S.*)/.exec(lines[line - 1])?.[1] });
        before = ')';
        continue;
      }
    }
    const word = take(WORD) ?? take(TEXT);
    if (word) {
      before = word[0];
      if (/^['"]/.test(before)) texts.push({ text: before.slice(1, -1), line: lineOf(from) });
      continue;
    }
    at++;
    before = c === '>' && before === '=' ? '=>' : c;
    const inner = templates.length - 1;
    if (c === '`') template();
    else if (c === '{' && inner >= 0) templates[inner]++;
    else if (c === '}' && inner >= 0 && templates[inner]-- === 0) {
      templates.pop();
      template();
    }
  }
  return { regexes, texts };
}
