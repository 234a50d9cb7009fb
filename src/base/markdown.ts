// Writes Markdown for GitHub and GitLab in which profile text cannot become a link, image, HTML, mention or reference.

/** Formats text as inline code, or '' for empty text. The fence is longer than any run of backticks in the text. */
export function inlineCode(text: string): string {
  // A bar in a table needs a backslash before it. If the bar already has one, parsers disagree about where the cell ends.
  return text
    .split(/(?<=\\)\|/)
    .map(wrapInBackticks)
    .join('&#124;');
}

function wrapInBackticks(text: string): string {
  if (text === '') return '';
  const marks = '`'.repeat(longestBacktickRun(text) + 1);
  // Markdown strips one space at each end. The added space separates backticks of the text from the fence.
  const padding = /^`|`$/.test(text) || (/^ /.test(text) && / $/.test(text) && /[^ ]/.test(text)) ? ' ' : '';
  return `${marks}${padding}${text}${padding}${marks}`;
}

export function codeBlock(lines: readonly string[]): string[] {
  const fence = '`'.repeat(Math.max(3, longestBacktickRun(lines.join('\n')) + 1));
  return [`${fence}text`, ...lines, fence];
}

function longestBacktickRun(text: string): number {
  let most = 0;
  for (const [run] of text.matchAll(/`+/g)) most = Math.max(most, run.length);
  return most;
}

/** Text whose characters have no meaning in Markdown within a line. */
const PLAIN_CHARACTERS = /^[\p{L}\p{N} ,.;:()%+\-=>?'"/~@≈×→↻⋯…]*$/u;
/** Text that would start a list or a quotation. */
const BLOCK_START = /^[-+>](?:[-+> ]|$)|^\d{1,9}[.)](?: |$)/;
// Text that GitHub and GitLab turn into links after Markdown, so backslashes do not help.
// Addresses, people, emoji, milestones, labels, issues of other projects, commits.
const AUTO_LINK = /:\S|www\.|@\S|\S@|%["\w]|~["a-z]|[a-z]-\d|\b[0-9a-f]{7}/i;

/** Formats our own words, which may quote a profile. Text that Markdown would interpret becomes inline code as a whole. */
export function proseToMarkdown(text: string): string {
  const line = text.replace(/ +/g, ' ');
  const words = line.replace(/^ | $/g, '');
  const isPlain = PLAIN_CHARACTERS.test(words) && !BLOCK_START.test(words) && !AUTO_LINK.test(words);
  // Two estimate marks in ASCII (~) would strike through the text between them.
  const shown = isPlain ? words.replaceAll('~', '\\~') : inlineCode(words);
  return (/^ ./.test(line) ? ' ' : '') + shown + (/ $/.test(line) ? ' ' : '');
}

/** Joins marked texts; adds a space where two fences would touch. */
export const joinMarked = (texts: readonly string[]): string =>
  texts.reduce((before, text) => before + (before.endsWith('`') && text.startsWith('`') ? ' ' : '') + text, '');

export function tableRow(cells: readonly string[]): string {
  // A bar ends a cell even within code marks.
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
