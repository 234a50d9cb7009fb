// What a view is: state and a drawing of it. Pure: no Ink, no files. Which views a profile gets follows from its tables.
import type { Analysis } from '../analysis/analysis.ts';
import type { Matcher } from '../base/match.ts';
import type { Event, TableName } from '../model/profile.ts';

/** How text looks; the theme says with which colours. No meaning is carried by it alone. */
export type Style = 'plain' | 'dim' | 'bold' | 'accent' | 'header' | 'title' | 'hot' | 'warm' | 'call' | 'match' | 'error';
/** `lit`: the part of the row under the cursor that is shown inverse. */
export type Span = readonly [text: string, style: Style, lit?: boolean];

export interface ScreenLine {
  readonly spans: readonly Span[];
  /** The row under the cursor. It carries a marker character; what matters in it is inverse, not all: a move writes two rows. */
  readonly cursor?: boolean;
}

/** What a key does; plain data, so that a session can be recorded and replayed. */
export interface Action {
  readonly type: string;
  readonly [key: string]: string | number | boolean | undefined;
}

export interface Binding<S> {
  /** Key names as app/keys.ts makes them: `j`, `down`, `ctrl-d`, `pageup`. */
  readonly keys: readonly string[];
  readonly action: Action;
  readonly help: string;
  readonly group: 'move' | 'view' | 'show' | 'find' | 'do';
  /** A word for the footer; the first ones that fit are shown. */
  readonly footer?: string;
  /** Why the key can do nothing now; undefined where it can. */
  readonly off?: (state: S, context: ViewContext) => string | undefined;
}

export interface SourceText {
  readonly path: string;
  readonly lines: readonly string[];
  readonly newer: boolean;
}

/** Percentages are of the whole, of what stands above (tree, calls), or not shown. */
export type PercentMode = 'total' | 'parent' | 'none';

export interface ViewContext {
  readonly analysis: Analysis;
  readonly event: Event;
  /** Events that have columns of their own beside it. */
  readonly extraEvents: readonly Event[];
  readonly percent: PercentMode;
  readonly width: number;
  readonly height: number;
  readonly ascii: boolean;
  /** The routine that all views are about; -1 none. */
  readonly focus: number;
  readonly filter: string;
  readonly matcher: Matcher | undefined;
  /** Source texts by the profile's file name; a string says why there is none. Absent: not asked for yet. */
  readonly sources: ReadonlyMap<string, SourceText | string>;
  /** Instruction texts by routine number. */
  readonly disassembly: ReadonlyMap<number, ReadonlyMap<string, string> | string>;
  /** The step that all views are about; -1 none. */
  readonly step: number;
  /** Routines that carry a mark. */
  readonly marks: ReadonlyMap<string, number>;
  /** Names of routines that the user keeps an eye on. */
  readonly favourites: ReadonlySet<string>;
  /** The run to compare with; undefined where there is none. */
  readonly base: Analysis | undefined;
  /** Facts of the session that Info shows. */
  readonly notes: readonly string[];
}

/** A file that a view wants to show. */
export interface Need {
  readonly source: string;
}

export interface View<S> {
  readonly id: string;
  readonly title: string;
  /** The key that shows it. Views that no profile has together may share one. */
  readonly digit: string;
  /** Its cursor chooses the routine; other views are about the one in focus. */
  readonly ownCursor?: boolean;
  readonly requires: readonly TableName[];
  /** Only where there is a profile to compare with. */
  readonly comparing?: boolean;
  readonly keys: readonly Binding<S>[];
  /** The report that `P` writes for this view. */
  readonly report: string;
  init(context: ViewContext): S;
  /** Also called with {type: 'sync'} whenever the context has changed. */
  update(state: S, action: Action, context: ViewContext): S;
  /** Exactly context.height lines, none wider than context.width cells; touches only the rows on screen. */
  draw(state: S, context: ViewContext): ScreenLine[];
  /** Goes on for so many milliseconds with what takes long; true where nothing is left. What is shown until then is shown as such. */
  work?(state: S, context: ViewContext, ms: number): boolean;
  /** Prepares for so many milliseconds, while no key waits, what a key may ask for; true where nothing is left. Nothing shown changes. */
  idle?(context: ViewContext, ms: number): boolean;
  rows(state: S, context: ViewContext): number;
  cursor(state: S): number;
  moveTo(state: S, row: number, context: ViewContext): S;
  /** The text that a search looks at. */
  rowText(state: S, row: number, context: ViewContext): string;
  /** The routine under the cursor; -1 none. */
  routineAt(state: S, context: ViewContext): number;
  /** The step under the cursor, for views of steps; entering one, they get {type: 'find-step', step}. */
  stepAt?(state: S, context: ViewContext): number;
  /** The row under the cursor in full, for the line above the footer. */
  detail(state: S, context: ViewContext): string;
  /** Where the cursor is in a source file; for the editor. */
  place?(state: S, context: ViewContext): { file: string; line: number } | undefined;
  needs?(state: S, context: ViewContext): Need[];
  /** What an action asks of the app: `show` another routine or view, `event`, `toggle-part`, `want-disassembly`, `favourite`. */
  asks?(state: S, action: Action, context: ViewContext): Action | undefined;
  /** How the view looks at its rows: sort, grouping, mode; for the title line. */
  mode?(state: S, context: ViewContext): string;
}

export function blankLine(): ScreenLine {
  return { spans: [] };
}

export function textLine(text: string, style: Style = 'plain'): ScreenLine {
  return { spans: [[text, style]] };
}
