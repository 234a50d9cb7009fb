// The interface of views: state and drawing, without Ink or files. A profile gets the views that it has data for.

import { type Analysis, isContextOf } from '../analysis/answers/analysis.ts';
import type { ColumnSort } from '../analysis/answers/part-columns.ts';
import type { Transform } from '../analysis/profiles/transforms/transform.ts';
import type { CompiledSearch, Matcher } from '../base/match.ts';
import type { CodeText, SourceText } from '../base/source-text.ts';
import type { ScreenLine, Span, Style } from '../base/style.ts';
import type { ColumnContext } from '../columns/column.ts';
import type { ChosenRows } from '../columns/listing.ts';
import type { Question } from '../model/head.ts';
import type { Kind, Profile } from '../model/profile.ts';

export type { ScreenLine, Span } from '../base/style.ts';

/** Choices by flags. Each view reads the ones it supports when it opens. */
export interface FlagChoices {
  /** By --sort. `descending` undefined: the usual direction of the column. */
  readonly sort?: { readonly column: string; readonly descending: boolean | undefined } | undefined;
  readonly inverted?: boolean;
  /** Show only the callers of the routine in focus. */
  readonly callers?: boolean;
  readonly contexts?: boolean;
  readonly disassemble?: boolean;
  readonly at?: number | undefined;
  /** By --by: keys of groups of routines. */
  readonly grouping?: string | undefined;
}

/** A flag for this view. `command`: the command of the view that is run with the value of the flag. */
export interface ViewFlag {
  readonly flag: 'inverted' | 'contexts' | 'disassemble' | 'at' | 'grouping';
  readonly command?: string;
  /** Data that the flag needs, besides the data that the view requires. */
  readonly asks?: Question;
}

export interface ViewContext<K extends Kind = Kind> extends ColumnContext<K> {
  readonly medium: 'screen';
  readonly height: number;
  /** Whether the terminal shows background colours. Without them, boxes and bars have brackets. */
  readonly fills: boolean;
  readonly ascii: boolean;
  /** The routine in focus, shared by all views; -1 for none. */
  readonly focus: number;
  /** Whether the focus is the complete cycle of the routine. */
  readonly wholeCycle: boolean;
  readonly filter: string;
  readonly matcher: Matcher | undefined;
  /** Source texts by file name in the profile; a string tells why there is no text. Absent: not requested yet. */
  readonly sources: ReadonlyMap<string, SourceText | string>;
  /** Source texts of the base, by file name in the base. */
  readonly baseSources: ReadonlyMap<string, SourceText | string>;
  /** Instruction texts by routine; a string tells why there is no text. Absent: not requested yet. */
  readonly disassembly: ReadonlyMap<number, CodeText | string>;
  /** The selected step, shared by all views; -1 for none. */
  readonly step: number;
  readonly choices: FlagChoices;
  /** The names of the columns that the user chose for the active view; undefined for all. */
  readonly chosenColumns?: readonly string[] | undefined;
  /** Milliseconds that a key may spend on work that can continue later. */
  readonly timeBudgetMs: number;
}

/** A line of a source file, by the profile's name of the file. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
}

/** The action of a key: plain data, so that sessions can be recorded. `value`: the value that the user selected in a menu. */
export interface ViewAction {
  readonly type: string;
  readonly by?: number;
  readonly column?: string;
  readonly value?: string;
}

/** The values of an option. An action with a `value` selects that value, an action without one the next value. */
export interface MenuOptions<S, K extends Kind = Kind> {
  /** The heading of the values in a menu, such as `group by`. */
  readonly label: string;
  readonly values: (state: S, context: ViewContext<K>) => readonly string[];
  readonly current: (state: S, context: ViewContext<K>) => string;
}

/** A request to show another view, for the item under the cursor or for the item given here. */
export interface ShowRequest {
  readonly type: 'show';
  readonly view: string;
  readonly event?: string | undefined;
  readonly routine?: number | undefined;
  readonly context?: number | undefined;
  readonly place?: SourcePosition | undefined;
  readonly step?: number | undefined;
  /** The name of the row that gets the cursor. */
  readonly row?: string | undefined;
}

/** A request that an action of a view can make to the app. */
export type ViewRequest =
  | ShowRequest
  | { readonly type: 'event' | 'favourite'; readonly name: string }
  | { readonly type: 'toggle-part' | 'only-part'; readonly part: number }
  | { readonly type: 'all-parts' }
  | { readonly type: 'want-disassembly'; readonly routine: number }
  | { readonly type: 'open-profile'; readonly path: string }
  /** Adds a transform. A new time range replaces the previous one. */
  | { readonly type: 'transform'; readonly transform: Transform }
  | { readonly type: 'base-step'; readonly step: number }
  /** Prompts for the argument of one of this view's commands. */
  | { readonly type: 'ask'; readonly command: string };

export type KeyGroup = 'move' | 'view' | 'show' | 'find' | 'do';

export interface Binding<S, A, K extends Kind = Kind> {
  /** Key names as tui/terminal.ts makes them: `j`, `down`, `ctrl-d`, `pageup`. */
  readonly keys: readonly string[];
  readonly action: A;
  readonly help: string;
  readonly group: KeyGroup;
  /** The word for the key in the footer, which shows as many words as fit. */
  readonly footer?: string;
  /** The values to choose from in the menus `s` and `o`. An action without keys and options has a single row there. */
  readonly options?: MenuOptions<S, K>;
  /** Why the key is disabled now; undefined if it is not. */
  readonly off?: (state: S, context: ViewContext<K>) => string | undefined;
  /** The reason why the key has no effect now. Asked only when the key is pressed: it may be slow. */
  readonly noEffectReason?: (state: S, context: ViewContext<K>) => string | undefined;
  /** True if the view does not handle the key now, so that the global binding applies. */
  readonly passesToApp?: (state: S, context: ViewContext<K>) => boolean;
  /** False if the key never works with this profile: help, palette and footer omit it. */
  readonly usable?: (context: ViewContext<K>) => boolean;
  /** Whether the values of `options` are the rows of the menu `s`. */
  readonly sorts?: true;
}

/** Makes a key binding. `keys`: key names separated by blanks; '' for an action that only menus and commands offer. */
export function key<S, const A extends ViewAction, K extends Kind>(
  keys: string,
  action: A,
  group: KeyGroup,
  help: string,
  own: Omit<Binding<S, A, K>, 'keys' | 'action' | 'group' | 'help'> = {},
): Binding<S, A, K> {
  return { keys: keys === '' ? [] : keys.split(' '), action, help, group, ...own };
}

export interface ViewCommand<K extends Kind = Kind> {
  readonly name: string;
  readonly arg: string;
  readonly help: string;
  /** The label of the prompt for the argument. */
  readonly prompt: string;
  /** The answer, as a message. */
  run(argument: string, context: ViewContext<K>): string;
}

/** The flags of `--print` that reproduce a view, besides report, event and filter. */
export interface PrintedView {
  /** The report, if it differs from the view's usual one. */
  readonly report?: string | undefined;
  readonly sort?: { readonly column: string; readonly descending: boolean };
  readonly inverted?: boolean;
  /** The value of --by: the command prints the report of groups. */
  readonly grouping?: string | undefined;
  /** The values of other flags. */
  readonly flags?: Readonly<Record<string, string>>;
  /** The routine that the report is about, if that is not always the focus; undefined for none. */
  readonly routine?: number | undefined;
  readonly disassemble?: boolean;
  /** The part of the state that no flag can express. No command reproduces it, and a report needs `shownRows`. */
  readonly notInReport?: string | undefined;
  readonly shownRows?: ChosenRows;
}

/** The state after a search, and the message about it. */
export interface SearchResult<S> {
  readonly state: S;
  readonly say?: string;
  readonly wrong?: boolean;
  /** True if the search is unfinished; call find() again. */
  readonly more?: boolean;
}

/** The view after a click. `act`: whether to open the clicked item, like Enter. */
export interface ViewClick<S> {
  readonly state: S;
  readonly act?: boolean;
}

/** The properties of a view that do not depend on its state. */
export interface ViewHead {
  readonly title: string;
  readonly requires: readonly Question[];
  /** Data that alone is enough for the view, without `requires`, because a later table can be made from it. */
  readonly orRequires?: Question | undefined;
  /** Whether the view needs a base to compare with. */
  readonly comparing?: boolean;
  readonly follows?: readonly ViewFlag[];
  /** Views that can be shown beside or below this one; the first that the profile has is used. Absent: default views. */
  readonly followers?: { readonly beside: readonly string[]; readonly below: readonly string[] } | undefined;
  /** The kinds of columns that the user can add. Absent: none. */
  readonly columns?: readonly ColumnSort[];
  /** Whether the view lists all routines. Going back to it returns to the routine that was under the cursor. */
  readonly listsRoutines?: boolean;
  /** Whether the view shows the details of its cursor by itself, and is not split automatically. */
  readonly hasPane?: boolean;
  /** The view that opens this one from its menu. This view has a tab only while it is open. */
  readonly partOf?: string | undefined;
  /** Whether the view ignores the filter. */
  readonly unfiltered?: boolean;
  /** True if the view has nothing to show for the profile: it is not offered. */
  readonly silent?: ((profile: Profile) => boolean) | undefined;
  /** True if the view shows little for the profile, so that another view is preferred as second view. */
  readonly isPoor?: (profile: Profile) => boolean;
  /** The report that the key `P` writes. `ofFocus`: whether it is about the routine in focus. */
  readonly report: { readonly name: string; readonly ofFocus: boolean };
}

export interface View<Id extends string, S, A extends ViewAction, K extends Kind = Kind> extends ViewHead {
  readonly id: Id;
  /** The kind of profile that the view is for. Absent: every kind. */
  readonly kind?: K | undefined;
  /** Makes the context of the view from that of the screen. Absent: ofKind(kind). */
  readonly narrowContext?: (context: ViewContext) => ViewContext<K>;
  readonly keys: readonly Binding<S, A, K>[];
  readonly commands?: readonly ViewCommand<K>[];
  init(context: ViewContext<K>): S;
  sortNames?(context: ViewContext<K>): readonly string[];
  /** The names of the columns that a filter can have conditions on. Absent: none, and the view ignores such filters. */
  filterColumns?(state: S, context: ViewContext<K>): readonly string[];
  /** The names of the columns on the screen that the user can choose and put in order. Absent: none. */
  columnNames?(state: S, context: ViewContext<K>): readonly string[];
  update(state: S, action: A, context: ViewContext<K>): S;
  /** Adapts the state after a change of focus, size or filter. Returns the same object if the state stays unchanged. */
  sync(state: S, context: ViewContext<K>): S;
  /** Draws exactly context.height lines, none wider than context.width. Must read only rows that are on the screen. */
  draw(state: S, context: ViewContext<K>): ScreenLine[];
  /** Draws all rows, but at most `most`, without a cursor. Absent: draw() is used with the height `fullHeight`. */
  drawAll?(state: S, context: ViewContext<K>, most: number): ScreenLine[];
  fullHeight?(state: S, context: ViewContext<K>): number;
  /** The flags of `--print` for this state. Absent: report, event and filter reproduce the view. */
  printed?(state: S, context: ViewContext<K>): PrintedView;
  /** Continues unfinished work for `ms` milliseconds; true once done. Until then, results are marked as partial. */
  work?(state: S, context: ViewContext<K>, ms: number): boolean;
  /** Computes data for later keys, for `ms` milliseconds; true once done. Must not change what the screen shows. */
  idle?(context: ViewContext<K>, ms: number): boolean;
  /** Closes a list or zoom that is open; undefined if there is none. */
  close?(state: S): S | undefined;
  rowCount(state: S, context: ViewContext<K>): number;
  /** The index of the row under the cursor. */
  cursor(state: S, context: ViewContext<K>): number;
  moveTo(state: S, row: number, context: ViewContext<K>): S;
  /** Handles a click on a cell, counted from 0; undefined if the cell is empty. Absent: clicks do nothing. */
  clickAt?(state: S, x: number, y: number, context: ViewContext<K>): ViewClick<S> | undefined;
  /** Moves the cursor to an item by its number from 1; undefined if there is none. Absent: row numbers are used. */
  goToNumber?(state: S, number: number, context: ViewContext<K>): S | undefined;
  rowText(state: S, row: number, context: ViewContext<K>): string;
  /**
   * Finds the next match, for views that show only some of their items as rows. Works for about `ms` milliseconds.
   * `text` is the search as typed. Absent: the app searches the rows.
   */
  find?(state: S, text: string, search: CompiledSearch, by: 1 | -1, context: ViewContext<K>, ms: number): SearchResult<S>;
  /** The routine under the cursor, or the routine that the view is about; -1 for none. */
  routineAt?(state: S, context: ViewContext<K>): number;
  /** The routines from the root to the node under the cursor, for views of trees; absent or undefined if it has no single path. */
  pathAt?(state: S, context: ViewContext<K>): readonly number[] | undefined;
  /** The number of the cycle under the cursor, for views with one row per cycle; 0 for none. */
  cycleAt?(state: S, context: ViewContext<K>): number;
  /** Moves the cursor to a routine, if it has a row. */
  findRoutine?(state: S, routine: number, context: ViewContext<K>): S;
  /** For views of steps: the step under the cursor. findStep() moves the cursor to a step. */
  stepAt?(state: S, context: ViewContext<K>): number;
  findStep?(state: S, step: number, context: ViewContext<K>): S;
  /** The id of the second view that suits the row under the cursor; undefined: the first of `followers`. */
  bestFollower?(state: S, context: ViewContext<K>): string | undefined;
  /** Shows the data of one calling context of the routine instead of the whole routine. */
  showContext?(state: S, calling: number, context: ViewContext<K>): S;
  /** The full text of the row under the cursor, for the line above the footer. */
  detail(state: S, context: ViewContext<K>): string;
  /** The source position under the cursor, for the editor and for other views of this code. */
  sourcePosition?(state: S, context: ViewContext<K>): SourcePosition | undefined;
  /** Moves the cursor to a line of a source file, if it has a row. */
  goToSourceLine?(state: S, place: SourcePosition, context: ViewContext<K>): S;
  /** Moves the cursor to the row with this name, if there is one. */
  goToRow?(state: S, name: string, context: ViewContext<K>): S;
  neededSources?(state: S, context: ViewContext<K>): string[];
  /** The routine whose instruction text the view shows; -1 for none. */
  disassembledRoutine?(state: S, context: ViewContext<K>): number;
  /** The request that an action makes to the app; undefined if the action changes the view. */
  request?(state: S, action: A, context: ViewContext<K>): ViewRequest | undefined;
  /** The message to show after an action. `state`: the state after the action. */
  messageAfter?(state: S, action: A, context: ViewContext<K>): string | undefined;
  /** The text in the tab line: sort order, grouping and mode. `width`: the cells available there. */
  mode?(state: S, context: ViewContext<K>, width: number): string;
  /** The state after a reload or a change of transforms. Absent: the view restarts. */
  rebase?(state: S, from: Analysis, to: Analysis): S;
}

/** Narrows a context to a kind of profile; undefined: any kind. Throws for another kind, but such views are never offered. */
export function ofKind<K extends Kind>(kind: K | undefined): (context: ViewContext) => ViewContext<K> {
  return (context) => {
    if (isContextOf(context, kind)) return context;
    throw new Error(`a view for ${kind} was opened with a profile of ${context.analysis.profile.kind}`);
  };
}

export const spanLine = (...spans: readonly Span[]): ScreenLine => ({ spans });
export const textLine = (text: string, style: Style = 'plain'): ScreenLine => spanLine([text, style]);
