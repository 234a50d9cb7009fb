// Maps styles to escape sequences. A theme's colours can be read on its backgrounds; where the background is unknown, on black
// and on white. They are from the 256-colour cube, which terminals do not redefine as they do the first 16 colours.

import { visible } from '../base/safe-text.ts';
import type { Style, ThemeName } from '../base/style.ts';
import type { ScreenLine } from '../views/view.ts';

/** Bold, dim, underlined, inverse: without colours, these must tell the styles apart. */
const ATTRIBUTES: Record<Style, string> = {
  plain: '',
  dim: '2',
  bold: '1',
  accent: '',
  header: '1;4',
  title: '7',
  hot: '1',
  warm: '',
  call: '',
  match: '1;4',
  error: '1',
  hue1: '',
  hue2: '',
  hue3: '',
  hue4: '',
  hue5: '',
  keyword: '',
  literal: '',
  comment: '',
};

const hues = (hue1: number, hue2: number, hue3: number, hue4: number, hue5: number) => ({ hue1, hue2, hue3, hue4, hue5 });

const SYNTAX_EITHER = { keyword: 98, literal: 29, comment: 243 };

/** Colours of text by style, as numbers of the 256-colour cube. Heat is one hue, so that hot is told from warm by weight, too. */
export const PALETTES = {
  /** Six colours of the cube have a contrast of 4.5 on black and on white: a grey and five hues. */
  either: {
    ...{ dim: 243, accent: 63, hot: 131, warm: 131, call: 29, match: 163, error: 131 },
    ...hues(63, 131, 29, 163, 98),
    ...SYNTAX_EITHER,
  },
  dark: {
    ...{ dim: 248, accent: 80, hot: 210, warm: 215, call: 114, match: 213, error: 210 },
    ...hues(80, 215, 114, 213, 147),
    keyword: 147,
    literal: 114,
    comment: 248,
  },
  light: {
    ...{ dim: 240, accent: 24, hot: 124, warm: 94, call: 22, match: 90, error: 124 },
    ...hues(24, 94, 22, 90, 160),
    keyword: 90,
    literal: 22,
    comment: 240,
  },
} as const satisfies Record<string, Partial<Record<Style, number>>>;

export interface Theme {
  /** Undefined for no colours. */
  readonly palette: keyof typeof PALETTES | undefined;
}

export interface ThemeWishes {
  readonly theme: ThemeName;
  readonly color: boolean;
}

/**
 * The theme for a terminal. Where it has only 16 colours, whose contrast nobody knows, attributes stand alone, unless
 * FORCE_COLOR asks for colours.
 */
export function themeFor({ theme, color }: ThemeWishes, colours: number, env: NodeJS.ProcessEnv): Theme {
  const enough = colours >= 256 || env['FORCE_COLOR'] !== undefined;
  if (!color || theme === 'none' || !enough) return { palette: undefined };
  return { palette: theme === 'auto' ? backgroundOf(env['COLORFGBG']) : theme };
}

/** The colours of some terminals in COLORFGBG: `15;0` is white on black. */
function backgroundOf(colours: string | undefined): Theme['palette'] {
  const background = /;(\d+)$/.exec(colours ?? '')?.[1]; // bounded: a variable of the environment
  if (background === undefined) return 'either';
  return background === '7' || background === '15' ? 'light' : Number(background) <= 8 ? 'dark' : 'either';
}

function codeOf(style: Style, palette: Theme['palette']): string {
  const attributes = ATTRIBUTES[style];
  const colours: Partial<Record<Style, number>> = palette ? PALETTES[palette] : {};
  const colour = colours[style];
  if (colour === undefined) return attributes;
  // The effect of SGR 2 on a colour is up to the terminal.
  return style === 'dim' || attributes === '' ? `38;5;${colour}` : `${attributes};38;5;${colour}`;
}

/** One line with its escape sequences. */
export function styledLine(line: ScreenLine, theme: Theme): string {
  let out = '';
  for (const [drawn, style, lit] of line.spans) {
    if (drawn === '') continue;
    // Views make text visible before they measure it; what one forgot ends here.
    const text = visible(drawn);
    let code = codeOf(style, theme.palette);
    // On many terminals, dim inverse text is unreadable.
    if (lit) code = code === '' || style === 'dim' ? '7' : `7;${code}`;
    out += code === '' ? text : `\u001b[${code}m${text}\u001b[0m`;
  }
  return out;
}

/** The colours of the terminal, as Node tells by its name. CI says nothing of a terminal that is there. */
export function coloursOf(stdout: NodeJS.WriteStream): number {
  const { CI, ...env } = process.env;
  return 2 ** stdout.getColorDepth(env);
}
