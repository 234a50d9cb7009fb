// Reads Markdown strictly: only what proftui writes, by the rules of GitHub's tables and code marks. Written without a look at the writer.
import assert from 'node:assert/strict';

/** A line of Markdown: the texts in code marks, and what stands outside them. */
export interface Inline {
  readonly codes: readonly string[];
  /** Each code is a `\0` here. */
  readonly outside: string;
}

export interface Table {
  readonly head: readonly Inline[];
  readonly align: readonly ('left' | 'right')[];
  readonly rows: readonly (readonly Inline[])[];
}

export interface Document {
  readonly title: Inline;
  readonly headings: readonly Inline[];
  readonly items: readonly Inline[];
  readonly lines: readonly Inline[];
  readonly tables: readonly Table[];
  readonly blocks: readonly string[];
}

/** Code marks are closed by a run of as many backticks as opened them; a blank at both ends is left out. */
export function readInline(text: string): Inline {
  const codes: string[] = [];
  let outside = '';
  for (let at = 0; at < text.length; ) {
    if (text[at] !== '`') {
      // A backslash takes what follows it.
      const taken = text[at] === '\\' ? 2 : 1;
      outside += text.slice(at, at + taken);
      at += taken;
      continue;
    }
    const [run] = /^`+/.exec(text.slice(at)) ?? [''];
    const from = at + run.length;
    const end = [...text.slice(from).matchAll(/`+/g)].find(([r]) => r.length === run.length)?.index;
    assert.ok(end !== undefined, `code marks that nothing closes: ${text}`);
    const code = text.slice(from, from + end);
    codes.push(/^ .* $/.test(code) && /[^ ]/.test(code) ? code.slice(1, -1) : code);
    outside += '\0';
    at = from + end + run.length;
  }
  return { codes, outside };
}

/** Nothing outside of code marks is more than words. */
function plain(inline: Inline, line: string): Inline {
  const { outside } = inline;
  const known = outside.replaceAll('&nbsp;', '').replaceAll('&#124;', ' ').replace(/\\~/g, '');
  assert.doesNotMatch(known, /[`*_[\]<&\\|#{}$^!~]|@\w|\w@|:\/\/|www\.|:\w+:|\0\0/, line);
  return inline;
}

/** The cells of a row: a bar with a backslash before it is part of a cell. A backslash before that one is refused: parsers differ. */
function cellsOf(line: string): Inline[] {
  assert.match(line, /^\| .* \|$/);
  assert.doesNotMatch(line, /\\\\\|/, 'a backslash before an escaped bar');
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => plain(readInline(cell.trim().replaceAll('\\|', '|')), line));
}

function readTable(lines: readonly string[]): Table {
  const [head, marks, ...rows] = lines;
  const align = marks.slice(2, -2).split(' | ');
  for (const mark of align) assert.match(mark, /^---:?$/, marks);
  const table = { head: cellsOf(head), rows: rows.map(cellsOf) };
  for (const row of [table.head, ...table.rows]) assert.equal(row.length, align.length, lines.join('\n'));
  return { ...table, align: align.map((mark) => (mark.endsWith(':') ? 'right' : 'left')) };
}

function listItem(line: string): Inline {
  const text = line.slice(2);
  assert.doesNotMatch(text, /^ |^[-+*>#=](?: |$)|^\d+[.)](?: |$)|^---/, line);
  return plain(readInline(text), line);
}

/** Fails for every line that is not a heading, a list item, a table, a block of code, or a line of words between blank ones. */
export function readMarkdown(text: string): Document {
  assert.match(text, /[^\n]\n$/);
  const lines = text.slice(0, -1).split('\n');
  const out = {
    headings: [] as Inline[],
    items: [] as Inline[],
    lines: [] as Inline[],
    tables: [] as Table[],
    blocks: [] as string[],
  };
  let title: Inline | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    const apart = at === 0 || lines[at - 1] === '';
    const fence = /^(`{3,})text$/.exec(line);
    if (fence) {
      const end = lines.indexOf(fence[1], at);
      assert.ok(end > at, 'the block ends');
      out.blocks.push(lines.slice(at + 1, end).join('\n'));
      at = end;
    } else if (line.startsWith('|')) {
      assert.ok(apart, `a blank line above ${line}`);
      const end = lines.findIndex((l, i) => i >= at && l === '');
      const rows = lines.slice(at, end < 0 ? undefined : end);
      out.tables.push(readTable(rows));
      at += rows.length - 1;
    } else if (line.startsWith('### ')) title = plain(readInline(line.slice(4)), line);
    else if (line.startsWith('#### ')) out.headings.push(plain(readInline(line.slice(5)), line));
    else if (line.startsWith('-')) out.items.push(listItem(line));
    else if (line !== '') {
      assert.ok(apart && (lines[at + 1] ?? '') === '', `blank lines around ${line}`);
      assert.match(line, /^[\p{L}…\\]/u);
      out.lines.push(plain(readInline(line), line));
    }
  }
  assert.ok(title, 'a heading');
  return { ...out, title };
}

/** What a reader sees. */
export function seen({ codes, outside }: Inline): string {
  const rest = [...codes];
  return outside
    .replaceAll('&nbsp;', '\u00a0')
    .replaceAll('&#124;', '|')
    .replaceAll('\\~', '~')
    .replace(/\0/g, () => rest.shift() ?? '');
}
