// Maps styles to escape sequences. A theme's colours can be read on its backgrounds; where the background is unknown, on black
// and on white. They are from the 256-colour cube, which terminals do not redefine as they do the first 16 colours.

import { visible } from '../base/safe-text.ts';
import { type Fill, isFill, type Style, type ThemeName } from '../base/style.ts';
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
  keyword: '',
  literal: '',
  comment: '',
  ...{ heat1: '', heat2: '', heat3: '', heat4: '1', heat5: '1' },
  ...{ less1: '', less2: '', less3: '', same: '', more1: '', more2: '', more3: '' },
  ...{ area1: '', area2: '', area3: '', area4: '', area5: '' },
  rest: '2',
  found: '1;4',
};

const SYNTAX_EITHER = { keyword: 98, literal: 29, comment: 243 };

/** Colours of text by style, as numbers of the 256-colour cube. Heat is one hue, so that hot is told from warm by weight, too. */
export const PALETTES = {
  /** Six colours of the cube have a contrast of 4.5 on black and on white: a grey and five others. */
  either: {
    ...{ dim: 243, accent: 63, hot: 131, warm: 131, call: 29, match: 163, error: 131 },
    ...SYNTAX_EITHER,
  },
  dark: {
    ...{ dim: 248, accent: 80, hot: 210, warm: 215, call: 114, match: 213, error: 210 },
    keyword: 147,
    literal: 114,
    comment: 248,
  },
  light: {
    ...{ dim: 240, accent: 24, hot: 124, warm: 94, call: 22, match: 90, error: 124 },
    keyword: 90,
    literal: 22,
    comment: 240,
  },
  /** Text has the terminal's own colours, which nothing exceeds in contrast. */
  'high-contrast': {},
  /** The first 16 colours, whose contrast nobody knows: no colour but that of fills. */
  basic: {},
} as const satisfies Record<string, Partial<Record<Style, number>>>;

/** Backgrounds of fills, as numbers of the 256-colour cube. */
const BACKGROUNDS: Readonly<Record<Exclude<Fill, 'rest'>, number>> = {
  ...{ heat1: 180, heat2: 221, heat3: 214, heat4: 208, heat5: 160 },
  ...{ less1: 152, less2: 110, less3: 68, same: 144, more1: 217, more2: 210, more3: 203 },
  ...{ area1: 116, area2: 180, area3: 150, area4: 182, area5: 174 },
  found: 213,
};
/** Lighter and darker ones, so that text on them has a contrast of 7. */
const CLEAR: typeof BACKGROUNDS = {
  ...{ heat1: 230, heat2: 228, heat3: 220, heat4: 208, heat5: 88 },
  ...{ less1: 195, less2: 117, less3: 18, same: 255, more1: 224, more2: 216, more3: 52 },
  ...{ area1: 159, area2: 229, area3: 157, area4: 225, area5: 223 },
  found: 226,
};
const GREY = { either: 246, dark: 240, light: 252, 'high-contrast': 250 } as const;

const BLACK = 16;
const WHITE = 231;
/** The luminance on which black and white text have the same contrast, by WCAG 2. */
const MIDDLE = Math.sqrt(1.05 * 0.05) - 0.05;

/** The relative luminance of red, green and blue from 0 to 1, by WCAG 2. */
function luminanceOf(rgb: readonly number[]): number {
  const [r, g, b] = rgb.map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The luminance of a colour of the 256-colour cube. */
function luminance(colour: number): number {
  const levels = [0, 95, 135, 175, 215, 255];
  const at = colour - 16;
  const grey = 8 + 10 * (colour - 232);
  const rgb = colour >= 232 ? [grey, grey, grey] : [levels[Math.floor(at / 36)], levels[Math.floor(at / 6) % 6], levels[at % 6]];
  return luminanceOf(rgb.map((v) => v / 255));
}

const filled = (background: number) => `38;5;${luminance(background) > MIDDLE ? BLACK : WHITE};48;5;${background}`;

/** Black on the light ones of 16 colours; an underline tells apart what has the same. No area looks like heat5, which marks what failed. */
const [GREEN, YELLOW, CYAN, LIGHT] = ['30;42', '30;43', '30;46', '30;47'];
const BASIC: Readonly<Record<Fill, string>> = {
  ...{ heat1: LIGHT, heat2: CYAN, heat3: GREEN, heat4: YELLOW, heat5: `4;${YELLOW}` },
  ...{ less1: GREEN, less2: CYAN, less3: `4;${CYAN}`, same: LIGHT, more1: `4;${GREEN}`, more2: YELLOW, more3: `4;${YELLOW}` },
  ...{ area1: CYAN, area2: YELLOW, area3: GREEN, area4: `4;${CYAN}`, area5: `4;${GREEN}` },
  rest: `4;${LIGHT}`,
  found: `4;${LIGHT}`,
};

/** The code of a fill, with its text. */
export function fillCode(fill: Fill, palette: keyof typeof PALETTES): string {
  if (palette === 'basic') return BASIC[fill];
  const backgrounds = palette === 'high-contrast' ? CLEAR : BACKGROUNDS;
  return `${fill === 'found' ? '1;4;' : ''}${filled(fill === 'rest' ? GREY[palette] : backgrounds[fill])}`;
}

export interface Theme {
  /** Undefined for no colours. */
  readonly palette: keyof typeof PALETTES | undefined;
}

export interface ThemeWishes {
  readonly theme: ThemeName;
  readonly color: boolean;
}

/**
 * The theme for a terminal. Where it has only 16 colours, whose contrast nobody knows, only fills have a colour, unless
 * FORCE_COLOR asks for colours. `reply`: the terminal's answer about its background.
 */
export function themeFor({ theme, color }: ThemeWishes, colours: number, env: NodeJS.ProcessEnv, reply = ''): Theme {
  const forced = env['FORCE_COLOR'] !== undefined;
  if (!color || theme === 'none' || (colours < 8 && !forced)) return { palette: undefined };
  if (colours < 256 && !forced) return { palette: 'basic' };
  return { palette: theme === 'auto' ? (paletteOn(reply) ?? paletteBy(env['COLORFGBG'])) : theme };
}

/** Whether the colours depend on a background that the terminal has not named: then it is asked. */
export const asksBackground = (wishes: ThemeWishes, theme: Theme): boolean =>
  wishes.theme === 'auto' && theme.palette === 'either';

/** Asks for the background: the terminal answers with what COLOUR reads, or not at all. */
export const ASK_BACKGROUND = '\u001b]11;?\u001b\\';
const COLOUR = /^11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i;

/** The least contrast of text, by WCAG 2. */
const LEAST = 4.5;

/** The palette that can be read on the background that the terminal named; undefined if it named none. On a grey of the middle, none is better than another. */
function paletteOn(reply: string): Theme['palette'] {
  const digits = COLOUR.exec(reply)?.slice(1);
  if (!digits) return undefined;
  const behind = luminanceOf(digits.map((hex) => Number.parseInt(hex, 16) / (16 ** hex.length - 1)));
  const contrast = (colour: number) => {
    const own = luminance(colour);
    return (Math.max(own, behind) + 0.05) / (Math.min(own, behind) + 0.05);
  };
  const palette = behind < MIDDLE ? 'dark' : 'light';
  return Object.values(PALETTES[palette]).every((colour) => contrast(colour) >= LEAST) ? palette : 'either';
}

/** The colours of some terminals in COLORFGBG: `15;0` is white on black. */
function paletteBy(colours: string | undefined): Theme['palette'] {
  const background = /;(\d+)$/.exec(colours ?? '')?.[1]; // bounded: a variable of the environment
  if (background === undefined) return 'either';
  return background === '7' || background === '15' ? 'light' : Number(background) <= 8 ? 'dark' : 'either';
}

function codeOf(style: Style, palette: Theme['palette']): string {
  if (palette && isFill(style)) return fillCode(style, palette);
  const attributes = ATTRIBUTES[style];
  const colours: Partial<Record<Style, number>> = palette ? PALETTES[palette] : {};
  const colour = colours[style];
  // Dim text is what a high contrast is to avoid; hot and warm are told apart by weight.
  if (palette === 'high-contrast' && style === 'dim') return '';
  if (colour === undefined) return attributes;
  // The effect of SGR 2 on a colour is up to the terminal.
  return style === 'dim' || attributes === '' ? `38;5;${colour}` : `${attributes};38;5;${colour}`;
}

/** The code of text under the cursor: inverse. */
function litCode(style: Style, code: string, palette: Theme['palette']): string {
  // Bold makes grey of the black of some terminals' 16 colours.
  if (isFill(style)) return palette === undefined ? '7;1' : palette === 'basic' ? `7;${code}` : `7;1;${code}`;
  // On many terminals, dim inverse text is unreadable.
  return code === '' || style === 'dim' ? '7' : `7;${code}`;
}

/** One line with its escape sequences. */
export function styledLine(line: ScreenLine, theme: Theme): string {
  let out = '';
  for (const [drawn, style, lit] of line.spans) {
    if (drawn === '') continue;
    // Views make text visible before they measure it; what one forgot ends here.
    const text = visible(drawn);
    const own = codeOf(style, theme.palette);
    const code = lit ? litCode(style, own, theme.palette) : own;
    out += code === '' ? text : `\u001b[${code}m${text}\u001b[0m`;
  }
  return out;
}

/** The colours of the terminal, as Node tells by its name. CI says nothing of a terminal that is there. */
export function coloursOf(stdout: NodeJS.WriteStream): number {
  const { CI, ...env } = process.env;
  return 2 ** stdout.getColorDepth(env);
}
