// The interface of a view: its state and how to draw it, without Ink or files. A profile gets the views it has data for.

import type { Analysis } from '../analysis/answers/analysis.ts';
import { isOfKind } from '../analysis/answers/analysis.ts';
import type { ColumnSort } from '../analysis/answers/part-columns.ts';
import type { Transform } from '../analysis/profiles/transforms/transform.ts';
import type { CodeText } from '../base/code-text.ts';
import type { Matcher, Search } from '../base/match.ts';
import type { SourceText } from '../base/source-text.ts';
import type { Style } from '../base/style.ts';
import type { ColumnContext } from '../columns/column.ts';
import type { LineRow } from '../columns/lines.ts';
import type { RoutineRow } from '../columns/routine-row.ts';
import type { Question } from '../model/head.ts';
import type { Kind, Profile } from '../model/profile.ts';

/** `lit`: shown inverse, for the cursor. */
export type Span = readonly [text: string, style: Style, lit?: boolean];

export interface ScreenLine {
  readonly spans: readonly Span[];
  /** True for the row under the cursor. */
  readonly cursor?: boolean;
}

/** The sort order of --sort. `descending` undefined: the column's usual direction. */
export interface SortChoice {
  readonly column: string;
  readonly descending: boolean | undefined;
}

/** Settings from the command line. A view reads its own when it opens. */
export interface FlagChoices {
  readonly sort?: SortChoice | undefined;
  readonly inverted?: boolean;
  /** Show only the callers of the routine in focus. */
  readonly callers?: boolean;
  readonly contexts?: boolean;
  readonly disassemble?: boolean;
  readonly at?: number | undefined;
}

/** A command-line flag for this view. `command`: the view's command to run with the value of the flag. */
export interface ViewFlag {
  readonly flag: 'inverted' | 'contexts' | 'disassemble' | 'at';
  readonly command?: string;
  /** Data that the flag needs, besides the data that the view needs. */
  readonly asks?: Question;
}

export interface ViewContext<K extends Kind = Kind> extends ColumnContext<K> {
  readonly medium: 'screen';
  readonly height: number;
  /** Whether the terminal shows background colours. If not, boxes and bars have brackets. */
  readonly fills: boolean;
  readonly ascii: boolean;
  /** The routine in focus, shared by all views; -1 for none. */
  readonly focus: number;
  /** True if the focus is the whole cycle of that routine. */
  readonly wholeCycle: boolean;
  readonly filter: string;
  readonly matcher: Matcher | undefined;
  /** Source texts by file name in the profile; a string is the reason for a missing text. No entry: not requested yet. */
  readonly sources: ReadonlyMap<string, SourceText | string>;
  /** Source texts of the base, by file name in the base. */
  readonly baseSources: ReadonlyMap<string, SourceText | string>;
  /** Instruction texts by routine; a string is the reason for a missing text. No entry: not requested yet. */
  readonly disassembly: ReadonlyMap<number, CodeText | string>;
  /** The selected step, shared by all views; -1 for none. */
  readonly step: number;
  readonly choices: FlagChoices;
  /** Milliseconds that a key may spend on resumable work. */
  readonly timeBudgetMs: number;
}

/** A line of a source file, by the profile's name of the file. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
}

/** The action of a key: plain data, so that sessions can be recorded. `value`: the option that a menu selected. */
export interface ViewAction {
  readonly type: string;
  readonly by?: number;
  readonly column?: string;
  readonly value?: string;
}

/** The values in a menu. An action with a `value` selects it; an action without one selects the next value. */
export interface MenuOptions<S, K extends Kind = Kind> {
  /** Heads the values: `group by`. */
  readonly label: string;
  readonly values: (state: S, context: ViewContext<K>) => readonly string[];
  readonly current: (state: S, context: ViewContext<K>) => string;
}

/** Shows another view, for the item under the cursor or for the item named here. */
export interface ShowRequest {
  readonly type: 'show';
  readonly view: string;
  readonly event?: string;
  readonly routine?: number;
  /** One of the routine's calling contexts. */
  readonly context?: number;
  readonly place?: SourcePosition;
  readonly step?: number;
  /** The row of that name. */
  readonly row?: string;
}

/** Requests of a view's action to the app. */
export type ViewRequest =
  | ShowRequest
  | { readonly type: 'event'; readonly name: string }
  | { readonly type: 'toggle-part' | 'only-part'; readonly part: number }
  | { readonly type: 'all-parts' }
  | { readonly type: 'want-disassembly'; readonly routine: number }
  | { readonly type: 'favourite'; readonly name: string }
  | { readonly type: 'open-profile'; readonly path: string }
  /** Adds a transform. A new time range replaces the previous one. */
  | { readonly type: 'transform'; readonly transform: Transform }
  /** Shows a step of the base build. */
  | { readonly type: 'base-step'; readonly step: number }
  /** Prompts for the argument of one of this view's commands. */
  | { readonly type: 'ask'; readonly command: string };

export type KeyGroup = 'move' | 'view' | 'show' | 'find' | 'do';

export interface Binding<S, A, K extends Kind = Kind> {
  /** Key names as tui/key-names.ts makes them: `j`, `down`, `ctrl-d`, `pageup`. */
  readonly keys: readonly string[];
  readonly action: A;
  readonly help: string;
  readonly group: KeyGroup;
  /** A word for the footer; the first ones that fit are shown. */
  readonly footer?: string;
  /** Rows in the menus `s` and `o`. An action without keys and options has one row there. */
  readonly options?: MenuOptions<S, K>;
  /** Why the key is disabled now; undefined if it is not. */
  readonly off?: (state: S, context: ViewContext<K>) => string | undefined;
  /** The reason why the key has no effect now. Asked only when the key is pressed: it may be slow. */
  readonly noEffectReason?: (state: S, context: ViewContext<K>) => string | undefined;
  /** True if the view does not handle the key now, so it has its usual meaning. */
  readonly passesToApp?: (state: S, context: ViewContext<K>) => boolean;
  /** False if the key never works with this profile: help, palette and footer omit it. */
  readonly usable?: (context: ViewContext<K>) => boolean;
}

/** Makes a binding. `keys`: key names separated by blanks; '' for an action that only menus and commands offer. */
export function key<S, const A extends ViewAction, K extends Kind>(
  keys: string,
  action: A,
  group: KeyGroup,
  help: string,
  own: Omit<Binding<S, A, K>, 'keys' | 'action' | 'group' | 'help'> = {},
): Binding<S, A, K> {
  return { keys: keys === '' ? [] : keys.split(' '), action, help, group, ...own };
}

/** A command that takes an argument. */
export interface ViewCommand<S, K extends Kind = Kind> {
  readonly name: string;
  readonly arg: string;
  readonly help: string;
  /** The label of its prompt. */
  readonly prompt: string;
  /** The initial text of its prompt. */
  initialArgument?(state: S): string;
  run(
    state: S,
    argument: string,
    context: ViewContext<K>,
  ): { readonly state?: S; readonly say?: string; readonly wrong?: boolean };
}

/** The flags of `--print` for a view, besides report, event and filter. */
export interface PrintedView {
  /** The report, if it differs from the view's usual one. */
  readonly report?: string | undefined;
  readonly sort?: { readonly column: string; readonly descending: boolean };
  readonly inverted?: boolean;
  /** The routine of the report, if the report is not always about the focus; undefined for none. */
  readonly routine?: number | undefined;
  readonly disassemble?: boolean;
  /** The state that no flag can express. No command reproduces it, and a report needs `shownRows`. */
  readonly notInReport?: string | undefined;
  readonly shownRows?: {
    readonly routines?: Iterable<RoutineRow>;
    /** The routines of growth laws. */
    readonly lawsOf?: Iterable<number>;
    readonly lines?: Iterable<LineRow>;
  };
}

/** The state after a search, and the message about it. */
export interface SearchResult<S> {
  readonly state: S;
  readonly say?: string;
  readonly wrong?: boolean;
  /** True if the search is unfinished; call find() again. */
  readonly more?: boolean;
}

/** The view after a click. `act`: open the clicked item, like Enter. */
export interface ViewClick<S> {
  readonly state: S;
  readonly act?: boolean;
}

/** The properties of a view that do not depend on its state. */
export interface ViewHead {
  readonly title: string;
  /** The key that shows the view; '' if only Tab and `:` do. Views for different kinds of profiles may share a key. */
  readonly digit: string;
  /** The key in profiles with calls, where Calls or Tree uses `digit`. */
  readonly digitBesideCalls?: string;
  readonly requires: readonly Question[];
  /** An alternative to `requires`: this data alone is enough for the view. */
  readonly orRequires?: Question;
  /** Only shown if there is a profile to compare with. */
  readonly comparing?: boolean;
  /** Flags for this view, besides those for all views. */
  readonly follows?: readonly ViewFlag[];
  /** Views to show beside or below this one. The first that the profile has is used. Absent: the default ones. */
  readonly followers?: { readonly beside: readonly string[]; readonly below: readonly string[] };
  /** The columns that the user can add. Absent: none. */
  readonly columns?: readonly ColumnSort[];
  /** The view lists all routines. Going back returns to the routine under the cursor. */
  readonly listsRoutines?: boolean;
  /** The view has its own second pane on wide screens. */
  readonly hasPane?: boolean;
  /** The view whose menu opens this one. This view has a tab only while it is open. */
  readonly partOf?: string;
  /** The filter does not apply to this view. */
  readonly unfiltered?: boolean;
  /** True if the view has nothing to show for the profile: it is not offered. */
  readonly silent?: (profile: Profile) => boolean;
  /** True if the view shows little for the profile: another follower is preferred. */
  readonly isPoor?: (profile: Profile) => boolean;
  /** The view has to read the whole profile first, so another view opens at the start. */
  readonly isSlow?: boolean;
  /** The report that `P` writes for this view, for the routine in focus or for all. */
  readonly report: { readonly name: string; readonly ofFocus: boolean };
}

export interface View<Id extends string, S, A extends ViewAction, K extends Kind = Kind> extends ViewHead {
  readonly id: Id;
  /** Narrows the context to the kind of profile this view is for. */
  readonly narrowContext: (context: ViewContext) => ViewContext<K>;
  readonly keys: readonly Binding<S, A, K>[];
  readonly commands?: readonly ViewCommand<S, K>[];
  init(context: ViewContext<K>): S;
  /** The column names that --sort accepts. */
  sortNames?(context: ViewContext<K>): readonly string[];
  update(state: S, action: A, context: ViewContext<K>): S;
  /** Adapts the state after a change of focus, size or filter. Returns the same object if nothing changes. */
  sync(state: S, context: ViewContext<K>): S;
  /** Exactly context.height lines, none wider than context.width cells; touches only the rows on screen. */
  draw(state: S, context: ViewContext<K>): ScreenLine[];
  /** Draws all rows, at most `most`, without a cursor. Absent: draw() with the height `fullHeight`. */
  drawAll?(state: S, context: ViewContext<K>, most: number): ScreenLine[];
  fullHeight?(context: ViewContext<K>): number;
  /** The flags of `--print` for this state. Absent: report, event and filter are enough. */
  printed?(state: S, context: ViewContext<K>): PrintedView;
  /** Continues long work for `ms` milliseconds; true once done. Until then, results are marked as partial. */
  work?(state: S, context: ViewContext<K>, ms: number): boolean;
  /** Prepares data for later keys, for `ms` milliseconds; true once done. Must not change the screen. */
  idle?(context: ViewContext<K>, ms: number): boolean;
  /** Closes an open list or zoom; undefined if there is none. */
  close?(state: S): S | undefined;
  rowCount(state: S, context: ViewContext<K>): number;
  /** The row under the cursor. */
  cursor(state: S, context: ViewContext<K>): number;
  moveTo(state: S, row: number, context: ViewContext<K>): S;
  /** Handles a click on a cell, counted from 0; undefined if the cell is empty. Absent: clicks do nothing. */
  clickAt?(state: S, x: number, y: number, context: ViewContext<K>): ViewClick<S> | undefined;
  /** Moves the cursor to the item with this number, from 1; undefined if there is none. Absent: the number is a row. */
  goToNumber?(state: S, number: number, context: ViewContext<K>): S | undefined;
  /** The text to search in. */
  rowText(state: S, row: number, context: ViewContext<K>): string;
  /**
   * Finds the next match, for views that show only some of their items as rows. Works for about `ms` milliseconds.
   * `text` is the search as typed. Absent: the app searches the rows.
   */
  find?(state: S, text: string, search: Search, by: 1 | -1, context: ViewContext<K>, ms: number): SearchResult<S>;
  /** The routine under the cursor, or the routine of the view; -1 for none. */
  routineAt?(state: S, context: ViewContext<K>): number;
  /** The number of the cycle under the cursor, for views with one row per cycle; 0 for none. */
  cycleAt?(state: S, context: ViewContext<K>): number;
  /** Moves the cursor to a routine, if it has a row. */
  findRoutine?(state: S, routine: number, context: ViewContext<K>): S;
  /** For views of steps: reads the step under the cursor, and moves the cursor to a step. */
  stepAt?(state: S, context: ViewContext<K>): number;
  findStep?(state: S, step: number, context: ViewContext<K>): S;
  /** The best follower for the row under the cursor; undefined: the first follower. */
  bestFollower?(state: S, context: ViewContext<K>): string | undefined;
  /** Shows one of the routine's calling contexts instead of the whole routine. */
  showContext?(state: S, calling: number, context: ViewContext<K>): S;
  /** The full text of the row under the cursor, for the line above the footer. */
  detail(state: S, context: ViewContext<K>): string;
  /** The source line under the cursor, for the editor and for other views of the same code. */
  sourcePosition?(state: S, context: ViewContext<K>): SourcePosition | undefined;
  /** Moves the cursor to a line of a source file, if it has a row. */
  goToSourceLine?(state: S, place: SourcePosition, context: ViewContext<K>): S;
  /** Moves the cursor to the row of this name, if there is one. */
  goToRow?(state: S, name: string, context: ViewContext<K>): S;
  /** Source files that the view needs. */
  neededSources?(state: S, context: ViewContext<K>): string[];
  /** The routine whose instruction text the view shows; -1 for none. */
  disassembledRoutine?(state: S, context: ViewContext<K>): number;
  /** The request an action makes to the app instead of changing the view. */
  request?(state: S, action: A, context: ViewContext<K>): ViewRequest | undefined;
  /** The message about an action, from the state after it. */
  messageAfter?(state: S, action: A, context: ViewContext<K>): string | undefined;
  /** The sort order, grouping and mode of the view, for the tab line; `width` is the space there. */
  mode?(state: S, context: ViewContext<K>, width: number): string;
  /** The state after a reload or transform of the same run. Absent: the view starts again. */
  rebase?(state: S, from: Analysis, to: Analysis): S;
}

/** For views of every kind of profile. */
export const ofAnyKind = (context: ViewContext): ViewContext => context;

function isContextOf<K extends Kind>(context: ViewContext, kind: K | undefined): context is ViewContext<K> {
  return kind === undefined || isOfKind(context.analysis, kind);
}

/** For views of one kind of profile, or of any. Throws for another kind; such views are never offered. */
export function ofKind<K extends Kind>(kind: K | undefined): (context: ViewContext) => ViewContext<K> {
  return (context) => {
    if (isContextOf(context, kind)) return context;
    throw new Error(`a view for ${kind} was opened with a profile of ${context.analysis.profile.kind}`);
  };
}

export function textLine(text: string, style: Style = 'plain'): ScreenLine {
  return { spans: [[text, style]] };
}
