// A view: state and how to draw it. Pure: no Ink, no files. A profile gets the views whose questions it can answer.

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

/** `lit`: the part of the row under the cursor that is shown inverse. */
export type Span = readonly [text: string, style: Style, lit?: boolean];

export interface ScreenLine {
  readonly spans: readonly Span[];
  /** The row under the cursor. It has a marker; only its main text is inverse, since every cursor move rewrites two rows. */
  readonly cursor?: boolean;
}

/** The order that --sort asks for; without a direction, the column's usual one. */
export interface SortChoice {
  readonly column: string;
  readonly descending: boolean | undefined;
}

/** Choices by flags. A view takes what concerns it when it opens. */
export interface Choices {
  readonly sort?: SortChoice | undefined;
  readonly inverted?: boolean;
  /** Inverted from the routine that was named: its callers. */
  readonly callers?: boolean;
  readonly contexts?: boolean;
  readonly disassemble?: boolean;
  readonly at?: number | undefined;
}

/** A flag that is about a view. `command`: the view's command that does what the flag says, with the flag's value. */
export interface Follows {
  readonly flag: 'inverted' | 'contexts' | 'disassemble' | 'at';
  readonly command?: string;
  /** A question that the profile must answer for it, besides those of the view. */
  readonly asks?: Question;
}

export interface ViewContext<K extends Kind = Kind> extends ColumnContext<K> {
  readonly medium: 'screen';
  readonly height: number;
  /** Fills can be seen; without colours, something else must tell cells from others. */
  readonly fills: boolean;
  readonly ascii: boolean;
  /** The routine in focus, which all views are about; -1 for none. */
  readonly focus: number;
  /** The focus is the whole cycle of that routine. */
  readonly wholeCycle: boolean;
  readonly filter: string;
  readonly matcher: Matcher | undefined;
  /** Source texts by the profile's file name; a string says why there is none. Absent: not requested yet. */
  readonly sources: ReadonlyMap<string, SourceText | string>;
  /** The same of the base, by its own names. */
  readonly baseSources: ReadonlyMap<string, SourceText | string>;
  /** Instruction texts by routine number; a string says why there are none. Absent: not requested yet. */
  readonly disassembly: ReadonlyMap<number, CodeText | string>;
  /** The step that all views are about; -1 for none. */
  readonly step: number;
  readonly choices: Choices;
  /** Milliseconds a key may spend on work that can continue later. */
  readonly patienceMs: number;
}

/** A line of a source file, by the profile's name of the file. */
export interface Position {
  readonly file: string;
  readonly line: number;
}

/** The action of a key; plain data, so that a session can be recorded and replayed. `value`: a choice of its options. */
export interface ViewAction {
  readonly type: string;
  readonly by?: number;
  readonly column?: string;
  readonly value?: string;
}

/** Values that a menu shows: an action with a `value` takes that, without one the next of them. */
export interface Options<S, K extends Kind = Kind> {
  /** Heads the values: `group by`. */
  readonly of: string;
  readonly values: (state: S, context: ViewContext<K>) => readonly string[];
  readonly now: (state: S, context: ViewContext<K>) => string;
}

/** Shows another view, for the item under the cursor or for what is named here. */
export interface Show {
  readonly type: 'show';
  readonly view: string;
  readonly event?: string;
  readonly routine?: number;
  /** One of the routine's calling contexts. */
  readonly context?: number;
  readonly place?: Position;
  readonly step?: number;
  /** The row of that name. */
  readonly row?: string;
}

/** Requests of a view's action to the app. */
export type Request =
  | Show
  | { readonly type: 'event'; readonly name: string }
  | { readonly type: 'toggle-part' | 'only-part'; readonly part: number }
  | { readonly type: 'all-parts' }
  | { readonly type: 'want-disassembly'; readonly routine: number }
  | { readonly type: 'favourite'; readonly name: string }
  | { readonly type: 'open-profile'; readonly path: string }
  /** Adds a transform to the stack of those that are set: a range of time takes the place of one that is set already. */
  | { readonly type: 'transform'; readonly transform: Transform }
  /** Shows a step of the build that this one is compared with. */
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
  /** The rows of the menus `s` and `o`. An action without keys or options is one row of them. */
  readonly options?: Options<S, K>;
  /** Why the key is disabled now; undefined if it is not. */
  readonly off?: (state: S, context: ViewContext<K>) => string | undefined;
  /** Why it would change nothing; asked when it is pressed, since it takes longer to tell than the footer has time. */
  readonly still?: (state: S, context: ViewContext<K>) => string | undefined;
  /** True where the key now means what it means in every other view. */
  readonly passes?: (state: S, context: ViewContext<K>) => boolean;
  /** False where this profile can never use the key: help, palette and footer then leave it out. */
  readonly usable?: (context: ViewContext<K>) => boolean;
}

/** A binding. `keys`: their names, with blanks between them; without any, menus and commands have it. */
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
export interface Command<S, K extends Kind = Kind> {
  readonly name: string;
  readonly arg: string;
  readonly help: string;
  /** The label of its prompt. */
  readonly prompt: string;
  /** The initial text of its prompt. */
  start?(state: S): string;
  run(
    state: S,
    argument: string,
    context: ViewContext<K>,
  ): { readonly state?: S; readonly say?: string; readonly wrong?: boolean };
}

/** A view as `--print` says it, beyond its report, event and filter. */
export interface Printed {
  /** The report, where it is not the view's usual one. */
  readonly report?: string | undefined;
  readonly sort?: { readonly column: string; readonly descending: boolean };
  readonly inverted?: boolean;
  /** The routine that it is about, where its report is not always of the focus; undefined for none. */
  readonly routine?: number | undefined;
  readonly disassemble?: boolean;
  /** State of the view that has no flag: then no command stands for it, and no report unless it gets the rows that were chosen. */
  readonly unsaid?: string | undefined;
  readonly chosen?: {
    readonly routines?: Iterable<RoutineRow>;
    /** The routines of growth laws. */
    readonly lawsOf?: Iterable<number>;
    readonly lines?: Iterable<LineRow>;
  };
}

/** Where a search leads, and what to say of it. */
export interface Found<S> {
  readonly state: S;
  readonly say?: string;
  readonly wrong?: boolean;
  /** It is not known yet: another call goes on. */
  readonly more?: boolean;
}

/** The view after a click in it; `act`: what is there is opened, as by Enter. */
export interface ViewClick<S> {
  readonly state: S;
  readonly act?: boolean;
}

/** The properties of a view that do not depend on its state. */
export interface ViewHead {
  readonly title: string;
  /** The key that shows it; '' for none: Tab and `:` lead there. Views that never occur in the same profile may share one. */
  readonly digit: string;
  /** Its key where the profile has calls, and so a view of calls or a tree with that digit. */
  readonly digitBesideCalls?: string;
  readonly asks: readonly Question[];
  /** A profile that answers this one has the view, too. */
  readonly orAsks?: Question;
  /** Only shown if there is a profile to compare with. */
  readonly comparing?: boolean;
  /** Flags that the view follows, besides those that concern all views. */
  readonly follows?: readonly Follows[];
  /** Views that can follow its cursor, beside or below it: the first that the profile has does. Absent: the usual ones. */
  readonly followers?: { readonly beside: readonly string[]; readonly below: readonly string[] };
  /** The columns that the user can add to it. Absent: none. */
  readonly columns?: readonly ColumnSort[];
  /** It lists all routines: going back returns to the routine under the cursor. */
  readonly listsRoutines?: boolean;
  /** It has a pane of its own on wide screens. */
  readonly hasPane?: boolean;
  /** The view whose options lead to it: it has a tab only while it is open. */
  readonly partOf?: string;
  /** It shows everything, whatever the filter. */
  readonly unfiltered?: boolean;
  /** It can have nothing to say of a profile: it is left out. */
  readonly silent?: (profile: Profile) => boolean;
  /** It has little to say of a profile: another view rather follows the first. */
  readonly isPoor?: (profile: Profile) => boolean;
  /** It must look at the whole profile before it shows anything: another view opens first. */
  readonly isSlow?: boolean;
  /** The report that `P` writes for this view, for the routine in focus or for all. */
  readonly report: { readonly name: string; readonly ofFocus: boolean };
}

export interface View<Id extends string, S, A extends ViewAction, K extends Kind = Kind> extends ViewHead {
  readonly id: Id;
  /** Narrows the context to the kind of profile this view is for. */
  readonly of: (context: ViewContext) => ViewContext<K>;
  readonly keys: readonly Binding<S, A, K>[];
  readonly commands?: readonly Command<S, K>[];
  init(context: ViewContext<K>): S;
  /** The columns that --sort takes here. */
  sorts?(context: ViewContext<K>): readonly string[];
  update(state: S, action: A, context: ViewContext<K>): S;
  /** Called after anything else has changed (focus, size, filter). Returns the same state if unaffected. */
  sync(state: S, context: ViewContext<K>): S;
  /** Exactly context.height lines, none wider than context.width cells; touches only the rows on screen. */
  draw(state: S, context: ViewContext<K>): ScreenLine[];
  /** The same with all its rows, at most `most`, and no cursor. Absent: as drawn, with the height that `tall` says. */
  whole?(state: S, context: ViewContext<K>, most: number): ScreenLine[];
  tall?(context: ViewContext<K>): number;
  /** How `--print` says it. Absent: report, event and filter are enough. */
  printed?(state: S, context: ViewContext<K>): Printed;
  /** Continues long work for `ms` milliseconds; true when nothing is left. Until then, results are marked as partial. */
  work?(state: S, context: ViewContext<K>, ms: number): boolean;
  /** While idle, prepares what a key may need for `ms` milliseconds; true when nothing is left. Must not change what is shown. */
  idle?(context: ViewContext<K>, ms: number): boolean;
  /** Closes what is open in the view; undefined if nothing is. */
  close?(state: S): S | undefined;
  rows(state: S, context: ViewContext<K>): number;
  /** The row under the cursor. */
  cursor(state: S, context: ViewContext<K>): number;
  moveTo(state: S, row: number, context: ViewContext<K>): S;
  /** A click on a cell of what is drawn, counted from 0; undefined if nothing is there. Absent: a click does nothing. */
  clickAt?(state: S, x: number, y: number, context: ViewContext<K>): ViewClick<S> | undefined;
  /** Moves the cursor to what has this number (from 1); undefined if nothing has. Absent: numbers are those of rows. */
  goTo?(state: S, number: number, context: ViewContext<K>): S | undefined;
  /** The text to search in. */
  rowText(state: S, row: number, context: ViewContext<K>): string;
  /**
   * Goes to the next place that matches, for a view whose rows are only a part of what it has; works for about `ms` milliseconds.
   * `text` is the search as typed. Absent: the rows are searched.
   */
  find?(state: S, text: string, search: Search, by: 1 | -1, context: ViewContext<K>, ms: number): Found<S>;
  /** The routine under the cursor, or the one the view is about; -1 for none. */
  routineAt?(state: S, context: ViewContext<K>): number;
  /** The number of the cycle under the cursor, where a whole one is a row; 0 for none. */
  cycleAt?(state: S, context: ViewContext<K>): number;
  /** Moves the cursor to a routine, if it has a row. */
  findRoutine?(state: S, routine: number, context: ViewContext<K>): S;
  /** For views of steps: the step under the cursor, and moving the cursor to one. */
  stepAt?(state: S, context: ViewContext<K>): number;
  findStep?(state: S, step: number, context: ViewContext<K>): S;
  /** The view that follows the cursor best where it is now; undefined: the first of the followers. */
  companion?(state: S, context: ViewContext<K>): string | undefined;
  /** Shows one of the routine's calling contexts instead of the whole routine. */
  ofContext?(state: S, calling: number, context: ViewContext<K>): S;
  /** The row under the cursor in full, for the line above the footer. */
  detail(state: S, context: ViewContext<K>): string;
  /** Where the cursor is in a source file; for the editor, and for the other views of the same code. */
  place?(state: S, context: ViewContext<K>): Position | undefined;
  /** Moves the cursor to a line of a source file, if it has a row. */
  goToPlace?(state: S, place: Position, context: ViewContext<K>): S;
  /** Moves the cursor to the row of this name, if there is one. */
  goToRow?(state: S, name: string, context: ViewContext<K>): S;
  /** Source files that the view needs. */
  needs?(state: S, context: ViewContext<K>): string[];
  /** The routine whose instruction text the view shows; -1 for none. */
  needsCode?(state: S, context: ViewContext<K>): number;
  /** The request an action makes to the app instead of changing the view. */
  request?(state: S, action: A, context: ViewContext<K>): Request | undefined;
  /** The message about an action, from the state after it. */
  said?(state: S, action: A, context: ViewContext<K>): string | undefined;
  /** How the view presents its rows (sort, grouping, mode), for the tab line, which has so many cells for it. */
  mode?(state: S, context: ViewContext<K>, room: number): string;
  /** The state to keep when another profile of the same run replaces this one. Absent: start afresh. */
  rebase?(state: S, from: Analysis, to: Analysis): S;
}

/** Profiles of every kind. */
export const ofAnyKind = (context: ViewContext): ViewContext => context;

function isContextOf<K extends Kind>(context: ViewContext, kind: K | undefined): context is ViewContext<K> {
  return kind === undefined || isOfKind(context.analysis, kind);
}

/** Profiles of one kind, or of any. Throws for any other kind, which never happens: such views are not offered. */
export function ofKind<K extends Kind>(kind: K | undefined): (context: ViewContext) => ViewContext<K> {
  return (context) => {
    if (isContextOf(context, kind)) return context;
    throw new Error(`a view for ${kind} was opened with a profile of ${context.analysis.profile.kind}`);
  };
}

export function textLine(text: string, style: Style = 'plain'): ScreenLine {
  return { spans: [[text, style]] };
}
