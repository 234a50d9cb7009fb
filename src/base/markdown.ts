// Texts in Markdown as GitHub and GitLab read it: nothing of a profile becomes a link, a picture, HTML, a mention or a reference.

/** A text as inline code. The fence is longer than any run of backticks in it. Empty for an empty text. */
export function inCodeMarks(text: string): string {
  // In a table a bar needs a backslash before it. If it has one of its own, parsers disagree about where the cell ends.
  return text
    .split(/(?<=\\)\|/)
    .map(wrapInMarks)
    .join('&#124;');
}

function wrapInMarks(text: string): string {
  if (text === '') return '';
  const marks = '`'.repeat(longestRun(text) + 1);
  // Markdown strips one space at each end; the space separates backticks from the fence.
  const padding = /^`|`$/.test(text) || (/^ /.test(text) && / $/.test(text) && /[^ ]/.test(text)) ? ' ' : '';
  return `${marks}${padding}${text}${padding}${marks}`;
}

/** Lines that stay as they are, in a block of their own. */
export function codeBlock(lines: readonly string[]): string[] {
  const fence = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1));
  return [`${fence}text`, ...lines, fence];
}

function longestRun(text: string): number {
  let most = 0;
  for (const [run] of text.matchAll(/`+/g)) most = Math.max(most, run.length);
  return most;
}

/** Characters without a meaning in Markdown within a line. */
const QUIET = /^[\p{L}\p{N} ,.;:()%+\-=>?'"/~@≈×→↻⋯…]*$/u;
/** The start of a list or a quotation. */
const BLOCK = /^[-+>](?:[-+> ]|$)|^\d{1,9}[.)](?: |$)/;
// GitHub and GitLab make links of these once Markdown is done, so no backslash helps: addresses, people, emoji, milestones, labels,
// issues elsewhere, commits.
const LINK = /:\S|www\.|@\S|\S@|%["\w]|~["a-z]|[a-z]-\d|\b[0-9a-f]{7}/i;

/**
 * Our own words as they are. They may have pieces of a profile in them: what Markdown, GitHub or GitLab would make something of goes
 * into code marks as a whole. Runs of blanks become one.
 */
export function plainWords(text: string): string {
  const line = text.replace(/ +/g, ' ');
  const words = line.replace(/^ | $/g, '');
  const isPlain = QUIET.test(words) && !BLOCK.test(words) && !LINK.test(words);
  // Two estimate marks in ASCII (~) would strike through the text between them.
  const shown = isPlain ? words.replaceAll('~', '\\~') : inCodeMarks(words);
  return (/^ ./.test(line) ? ' ' : '') + shown + (/ $/.test(line) ? ' ' : '');
}

/** Joins marked texts; adds a space where two fences would touch. */
export function joinMarked(texts: readonly string[]): string {
  return texts.reduce((before, text) => before + (before.endsWith('`') && text.startsWith('`') ? ' ' : '') + text, '');
}

/** A row of a table. */
export function tableRow(cells: readonly string[]): string {
  // A bar ends a cell even within code marks.
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
