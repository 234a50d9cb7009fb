// The abilities of terminals, by their names in TERM: over SSH, the name is all that is known. After terminfo's entries.

export interface Capabilities {
  /** Has CSI n X, which erases cells. */
  readonly erasesCells: boolean;
  /** Has CSI n G, which moves to a column. */
  readonly movesToColumn: boolean;
  /** Reads control strings (OSC), or ignores them whole: the query for the background, and texts for the clipboard. */
  readonly readsStrings: boolean;
  /** The number of colours by the name: 0, 16, 256, or 2^24. */
  readonly colours: number;
}

export const XTERM: Capabilities = { erasesCells: true, movesToColumn: true, readsStrings: true, colours: 16 };
const VT100: Capabilities = { erasesCells: false, movesToColumn: false, readsStrings: false, colours: 0 };

/** Terminals without a cursor that can be moved, or with sequences of their own. */
const NO_SCREEN =
  /^(?:$|dumb|unknown|network|dialup|switch|teletype|tty\d|lpr|emacs|vt5[0-2]$|adm|wy(?:se)?[\d-]|tvi|hp|h19|ibm3|3270|viewdata)/;

/** The first pattern that matches decides. Terminals with an unknown name get what all have that follow the VT100. */
const FAMILIES: readonly (readonly [RegExp, Capabilities])[] = [
  [/-direct\d{0,4}$/, { ...XTERM, colours: 2 ** 24 }],
  [/-256color\b/, { ...XTERM, colours: 256 }],
  [/^(?:xterm-)?(?:kitty|foot|alacritty|ghostty|wezterm|contour|konsole|vte|gnome|mintty|rio)\b/, { ...XTERM, colours: 256 }],
  [/^(?:xterm|screen|tmux|rxvt|st|putty|mlterm|iterm2?|nsterm|cygwin|eterm|teraterm|dtterm)\b/i, XTERM],
  [/^(?:linux|fbterm|jfbterm|kmscon|bterm)\b/, { ...XTERM, readsStrings: false, colours: 16 }],
  [/^(?:ansi|cons25|pccon|wsvt25|vt525)/, { ...VT100, movesToColumn: true, colours: 16 }],
  [/^vt[2-4]\d\d/, { ...VT100, erasesCells: true }],
  [/^/, VT100],
];

/** The capabilities of a terminal by its name in TERM; undefined if it cannot show a screen. */
export const capabilitiesOf = (term: string = ''): Capabilities | undefined =>
  NO_SCREEN.test(term) ? undefined : FAMILIES.find(([name]) => name.test(term))?.[1];
