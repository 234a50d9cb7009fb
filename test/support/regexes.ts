// The regular expressions that stand in a source file, found by a small tokenizer.

export interface Literal {
  readonly source: string;
  readonly flags: string;
  /** From 1. */
  readonly line: number;
  /** What its line says of how long its text can be: `// bounded: a line of the terminal`. */
  readonly bounded: string | undefined;
}

/** What may stand before a literal; after anything else, a slash divides. */
const BEFORE = /(?:^|[(,=:[!&|?{;+*%~^<-]|=>|\b(?:return|typeof|case|in|of|do|else|yield|await|void|delete|throw|new))$/;
const BODY = /\/((?:[^\\/[\n]|\\.|\[(?:[^\\\]\n]|\\.)*\])+)\/([a-z]*)/y;
const SKIPPED = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const TEXT = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
const WORD = /[\w$]+/y;

export function regexesIn(text: string): Literal[] {
  const lines = text.split('\n');
  const out: Literal[] = [];
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
  /** To the end of a template or its next `${`. */
  const template = () => {
    while (at < text.length && text[at] !== '`' && !text.startsWith('${', at)) at += text[at] === '\\' ? 2 : 1;
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
        const line = text.slice(0, from).split('\n').length;
        out.push({ source: m[1], flags: m[2], line, bounded: /\/\/ bounded: (\S.*)/.exec(lines[line - 1])?.[1] });
        before = ')';
        continue;
      }
    }
    const word = take(WORD) ?? take(TEXT);
    if (word) {
      before = word[0];
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
  return out;
}
