// Maps styles to escape sequences. The colours of a theme are readable on its background; if the background is unknown, on black
// and on white. They are from the 256-colour cube, because terminals redefine only the first 16 colours.

import { visible } from '../base/safe-text.ts';
import { type Fill, isFill, type Style, type THEMES } from '../base/style.ts';
import type { ScreenLine } from '../views/view.ts';
import type { Capabilities } from './capabilities.ts';

/** Attributes of styles: bold, dim, underlined, inverse. Without colours, only these distinguish the styles; most have none. */
const STYLE_ATTRIBUTES: Partial<Record<Style, string>> = {
  ...{ bold: '1', accent: '1', hot: '1', more: '1', error: '1', heat4: '1', heat5: '1' },
  ...{ dim: '2', rest: '2' },
  ...{ header: '1;4', match: '1;4', found: '1;4' },
  title: '7',
};

/** Text colours of each style in the 256-colour cube. Hot and warm have similar hues, so they also differ in weight. */
export const TEXT_PALETTES = {
  /** For black and white backgrounds. Only six colours of the cube have a contrast of 4.5 on both. See also CHIPS. */
  either: {
    ...{ dim: 243, call: 29, match: 163, error: 131 },
    ...{ keyword: 98, literal: 29, comment: 243 },
  },
  dark: {
    ...{ dim: 248, accent: 117, hot: 209, warm: 221, call: 114, more: 215, less: 117, match: 183, error: 210 },
    ...{ keyword: 147, literal: 114, comment: 248 },
  },
  light: {
    ...{ dim: 241, accent: 25, hot: 88, warm: 94, call: 22, more: 124, less: 25, match: 90, error: 124 },
    ...{ keyword: 90, literal: 22, comment: 240 },
  },
  /** Text keeps the default colour of the terminal, which has the highest contrast. */
  'high-contrast': {},
  /** For terminals with 16 colours of unknown contrast: only fills have colours. */
  basic: {},
} as const satisfies Record<string, Partial<Record<Style, number>>>;

/** The colours of bars and marks of plots, which are no text: a contrast of 3 suffices. */
export const BAR_COLOURS: Partial<Record<keyof typeof TEXT_PALETTES, number>> = { either: 166, dark: 215, light: 166 };

/** On an unknown background, heat and differences are black on a background of their own. */
export const CHIPS: Partial<Record<Style, number>> = { hot: 208, warm: 223, more: 208, less: 111 };

/**
 * Background colours of fills in the 256-colour cube. For eyes that are blind for red, green or blue, own code (`more`) and libraries
 * (`less`) stay apart; steps of one hue differ in brightness.
 */
const FILL_BACKGROUNDS: Readonly<Record<Exclude<Fill, 'rest'>, number>> = {
  ...{ heat1: 180, heat2: 221, heat3: 214, heat4: 208, heat5: 161 },
  ...{ less1: 153, less2: 111, less3: 69, same: 252, other2: 248, other3: 244, more1: 223, more2: 215, more3: 208 },
  ...{ area1: 111, area2: 150, area3: 244, area4: 225, area5: 180 },
  found: 183,
};
/** Background colours of fills, so light or dark that text on them has a contrast of 7. */
const HIGH_CONTRAST_BACKGROUNDS: typeof FILL_BACKGROUNDS = {
  ...{ heat1: 230, heat2: 228, heat3: 220, heat4: 208, heat5: 88 },
  ...{ less1: 195, less2: 117, less3: 18, same: 255, other2: 252, other3: 249, more1: 224, more2: 216, more3: 52 },
  ...{ area1: 159, area2: 229, area3: 157, area4: 225, area5: 223 },
  found: 226,
};
const REST_BACKGROUNDS = { either: 246, dark: 240, light: 250, 'high-contrast': 250 } as const;

const BLACK = 16;
const WHITE = 231;
/** The luminance of a background on which black and white text have equal contrast, by WCAG 2. */
const MIDDLE_LUMINANCE = Math.sqrt(1.05 * 0.05) - 0.05;

/** The relative luminance of an RGB colour with components from 0 to 1, by WCAG 2. */
function luminanceOfRgb(rgb: readonly number[]): number {
  const [r, g, b] = rgb.map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function luminanceOfColour(colour: number): number {
  const levels = [0, 95, 135, 175, 215, 255];
  const at = colour - 16;
  const grey = 8 + 10 * (colour - 232);
  const rgb = colour >= 232 ? [grey, grey, grey] : [levels[Math.floor(at / 36)], levels[Math.floor(at / 6) % 6], levels[at % 6]];
  return luminanceOfRgb(rgb.map((v) => v / 255));
}

const codeOnBackground = (background: number) =>
  `38;5;${luminanceOfColour(background) > MIDDLE_LUMINANCE ? BLACK : WHITE};48;5;${background}`;

/** Black on light colours of the 16. Fills with equal colours differ by underline, and no area looks like heat5 (failed). */
const [GREEN, YELLOW, CYAN, LIGHT] = ['30;42', '30;43', '30;46', '30;47'];
const BASIC_FILL_CODES: Readonly<Record<Fill, string>> = {
  ...{ heat1: LIGHT, heat2: CYAN, heat3: GREEN, heat4: YELLOW, heat5: `4;${YELLOW}` },
  ...{ less1: GREEN, less2: CYAN, less3: `4;${CYAN}`, more1: `4;${GREEN}`, more2: YELLOW, more3: `4;${YELLOW}` },
  ...{ same: LIGHT, other2: LIGHT, other3: `4;${LIGHT}` },
  ...{ area1: CYAN, area2: YELLOW, area3: GREEN, area4: `4;${CYAN}`, area5: `4;${GREEN}` },
  ...{ rest: `4;${LIGHT}`, found: `4;${LIGHT}` },
};

/** The SGR codes of a fill: its background colour, and black or white text. */
export function fillCode(fill: Fill, palette: keyof typeof TEXT_PALETTES): string {
  if (palette === 'basic') return BASIC_FILL_CODES[fill];
  const backgrounds = palette === 'high-contrast' ? HIGH_CONTRAST_BACKGROUNDS : FILL_BACKGROUNDS;
  return `${fill === 'found' ? '1;4;' : ''}${codeOnBackground(fill === 'rest' ? REST_BACKGROUNDS[palette] : backgrounds[fill])}`;
}

export interface Theme {
  /** The colour palette; undefined for no colours. */
  readonly palette: keyof typeof TEXT_PALETTES | undefined;
}

export interface ThemeOptions {
  readonly theme: (typeof THEMES)[number];
  readonly color: boolean;
}

/**
 * The theme for a terminal. With 16 colours, whose contrast is unknown, only fills have colours, unless FORCE_COLOR is set.
 * `reply`: the reply of the terminal to the query for its background colour.
 */
export function chooseTheme({ theme, color }: ThemeOptions, colours: number, env: NodeJS.ProcessEnv, reply = ''): Theme {
  const forced = env['FORCE_COLOR'] !== undefined;
  if (!color || theme === 'none' || (colours < 8 && !forced)) return { palette: undefined };
  if (colours < 256 && !forced) return { palette: 'basic' };
  return { palette: theme === 'auto' ? (paletteForReply(reply) ?? paletteFromEnvironment(env['COLORFGBG'])) : theme };
}

/** Whether the theme depends on the background colour of the terminal, which must then be queried. */
export const needsBackground = (wishes: ThemeOptions, theme: Theme, { readsStrings }: Capabilities): boolean =>
  readsStrings && wishes.theme === 'auto' && theme.palette === 'either';

/** The query for the background colour. The terminal replies in the form of BACKGROUND_REPLY, or not at all. */
export const ASK_BACKGROUND = '\u001b]11;?\u001b\\';
const BACKGROUND_REPLY = /^11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i;

/** Minimum contrast of text, by WCAG 2. */
const MIN_CONTRAST = 4.5;

/** The palette that is readable on the background in the reply; undefined without a reply. `either` suits medium grey. */
function paletteForReply(reply: string): Theme['palette'] {
  const digits = BACKGROUND_REPLY.exec(reply)?.slice(1);
  if (!digits) return undefined;
  const background = luminanceOfRgb(digits.map((hex) => Number.parseInt(hex, 16) / (16 ** hex.length - 1)));
  const contrast = (colour: number) => {
    const own = luminanceOfColour(colour);
    return (Math.max(own, background) + 0.05) / (Math.min(own, background) + 0.05);
  };
  const palette = background < MIDDLE_LUMINANCE ? 'dark' : 'light';
  return Object.values(TEXT_PALETTES[palette]).every((colour) => contrast(colour) >= MIN_CONTRAST) ? palette : 'either';
}

/** The palette for COLORFGBG, which some terminals set: `15;0` means white on black. */
function paletteFromEnvironment(colours: string | undefined): Theme['palette'] {
  const background = /;(\d+)$/.exec(colours ?? '')?.[1]; // bounded: a variable of the environment
  if (background === undefined) return 'either';
  return background === '7' || background === '15' ? 'light' : Number(background) <= 8 ? 'dark' : 'either';
}

function styleCode(style: Style, palette: Theme['palette']): string {
  if (palette && isFill(style)) return fillCode(style, palette);
  const attributes = STYLE_ATTRIBUTES[style] ?? '';
  const colours: Partial<Record<Style, number>> = palette ? TEXT_PALETTES[palette] : {};
  const colour = style === 'bar' ? palette && BAR_COLOURS[palette] : colours[style];
  // The high-contrast palette does not dim text.
  if (palette === 'high-contrast' && style === 'dim') return '';
  if (colour === undefined) return attributes;
  // Dim text gets only its colour: terminals differ in how they dim a colour.
  return style === 'dim' || attributes === '' ? `38;5;${colour}` : `${attributes};38;5;${colour}`;
}

/** Text with its code; `isChip`: blanks around it stay without background. */
function codedText(text: string, code: string, isChip: boolean): string {
  const shown = isChip ? text.trim() : text;
  if (code === '' || shown === '') return text;
  const at = text.indexOf(shown);
  return `${text.slice(0, at)}\u001b[${code}m${shown}\u001b[0m${text.slice(at + shown.length)}`;
}

/** The SGR code of text under the cursor, which is inverse. */
function cursorCode(style: Style, code: string, palette: Theme['palette']): string {
  // With 16 colours, bold is not used: some terminals show bold black as grey.
  if (isFill(style)) return palette === undefined ? '7;1' : palette === 'basic' ? `7;${code}` : `7;1;${code}`;
  // Dim text is not dimmed here: dim inverse text is unreadable on many terminals.
  return code === '' || style === 'dim' ? '7' : `7;${code}`;
}

export function styledLine(line: ScreenLine, theme: Theme): string {
  let out = '';
  for (const [drawn, style, lit] of line.spans) {
    if (drawn === '') continue;
    // Views have already replaced control characters; this is a second line of defence.
    const text = visible(drawn);
    const own = styleCode(style, theme.palette);
    const chip = theme.palette === 'either' && !lit ? CHIPS[style] : undefined;
    const codes = lit ? [cursorCode(style, own, theme.palette)] : [own, chip ? codeOnBackground(chip) : ''];
    out += codedText(text, codes.filter((code) => code !== '').join(';'), chip !== undefined);
  }
  return out;
}

/**
 * The number of colours, by the terminal's name; of terminals like xterm, COLORTERM may tell of more. CI variables are ignored: they do
 * not describe a terminal.
 */
export function colourCountOf(
  stdout: Pick<NodeJS.WriteStream, 'getColorDepth'>,
  { CI, ...env }: NodeJS.ProcessEnv,
  { colours, readsStrings }: Capabilities,
): number {
  const said = 2 ** stdout.getColorDepth(env);
  if (env['FORCE_COLOR'] !== undefined) return said;
  return readsStrings ? Math.max(colours, said) : colours;
}
