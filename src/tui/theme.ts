// Maps styles to escape sequences. Uses only the 16 terminal colours, which follow the user's theme, light or dark.

import type { Style } from '../base/style.ts';
import type { ScreenLine } from '../views/view.ts';

const CODES: Record<Style, string> = {
  plain: '',
  dim: '2',
  bold: '1',
  accent: '36',
  header: '1;4',
  title: '7',
  hot: '1;31',
  warm: '33',
  call: '36',
  match: '1;35',
  error: '1;31',
};

/** Drops colours but keeps attributes: bold, dim, underline and inverse. */
function withoutColour(code: string): string {
  return code
    .split(';')
    .filter((c) => c.length < 2)
    .join(';');
}

export interface Theme {
  readonly color: boolean;
  /** No escape sequences at all (TERM=dumb). */
  readonly dumb: boolean;
}

/** One line with its escape sequences. */
export function styledLine(line: ScreenLine, theme: Theme): string {
  if (theme.dumb) return line.spans.map(([text]) => text).join('');
  let out = '';
  for (const [text, style, lit] of line.spans) {
    if (text === '') continue;
    let code = theme.color ? CODES[style] : withoutColour(CODES[style]);
    // On many terminals, dim inverse text is unreadable.
    if (lit) code = code === '' || code === '2' ? '7' : `7;${code}`;
    out += code === '' ? text : `\u001b[${code}m${text}\u001b[0m`;
  }
  return out;
}
