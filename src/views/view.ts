// What a view is: state and a drawing of it. Pure: no Ink, no files. Which views a profile gets follows from what it can answer.

import type { Analysis } from '../analysis/analysis.ts';
import { isOfKind } from '../analysis/analysis.ts';
import type { Matcher } from '../base/match.ts';
import type { SourceText } from '../base/source-text.ts';
import type { Style } from '../base/style.ts';
import type { ColumnContext } from '../columns/column.ts';
import type { Question } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';

/** `lit`: the part of the row under the cursor that is shown inverse. */
export type Span = readonly [text: string, style: Style, lit?: boolean];

export interface ScreenLine {
  readonly spans: readonly Span[];
  /** The row under the cursor. It carries a marker character; what matters in it is inverse, not all: a move writes two rows. */
  readonly cursor?: boolean;
}

export interface ViewContext<K extends Kind = Kind> extends ColumnContext<K> {
  readonly medium: 'screen';
  readonly height: number;
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
}

/** What a key does; plain data, so that a session can be recorded and replayed. */
export interface ViewAction {
  readonly type: string;
  readonly by?: number;
  readonly column?: string;
}

/** What an action of a view asks of the app. */
export type Request =
  /** Another view, about what the cursor is on; or about a routine, and one of its calling contexts. */
  | { readonly type: 'show'; readonly view: string; readonly routine?: number; readonly context?: number }
  | { readonly type: 'event'; readonly name: string }
  | { readonly type: 'toggle-part'; readonly part: number }
  | { readonly type: 'all-parts' }
  | { readonly type: 'want-disassembly'; readonly routine: number }
  | { readonly type: 'favourite'; readonly name: string }
  | { readonly type: 'open-profile'; readonly path: string }
  /** Asks for the words of a command of this view. */
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
  /** Why the key can do nothing now; undefined where it can. */
  readonly off?: (state: S, context: ViewContext<K>) => string | undefined;
}

/** A command that takes words. */
export interface Command<S, K extends Kind = Kind> {
  readonly name: string;
  readonly arg: string;
  readonly help: string;
  /** Stands before what is typed. */
  readonly prompt: string;
  /** What stands there at first. */
  start?(state: S): string;
  run(
    state: S,
    argument: string,
    context: ViewContext<K>,
  ): { readonly state?: S; readonly say?: string; readonly wrong?: boolean };
}

/** What is known of a view without its state. */
export interface ViewHead {
  readonly title: string;
  /** The key that shows it. Views that no profile has together may share one. */
  readonly digit: string;
  readonly asks: readonly Question[];
  /** Only where there is a profile to compare with. */
  readonly comparing?: boolean;
  /** It lists all routines, and the cursor chooses one: the place to come back to is the routine under the cursor. */
  readonly listsRoutines?: boolean;
  /** The report that `P` writes for this view; of the routine in focus, or of all. */
  readonly report: { readonly name: string; readonly ofFocus: boolean };
}

export interface View<Id extends string, S, A extends ViewAction, K extends Kind = Kind> extends ViewHead {
  readonly id: Id;
  /** What it is about: profiles of any kind, or of one. */
  readonly of: (context: ViewContext) => ViewContext<K>;
  readonly keys: readonly Binding<S, A, K>[];
  readonly commands?: readonly Command<S, K>[];
  init(context: ViewContext<K>): S;
  update(state: S, action: A, context: ViewContext<K>): S;
  /** After anything else has changed: the focus, the size, the filter. The same state where nothing follows from it. */
  sync(state: S, context: ViewContext<K>): S;
  /** Exactly context.height lines, none wider than context.width cells; touches only the rows on screen. */
  draw(state: S, context: ViewContext<K>): ScreenLine[];
  /** Goes on for so many milliseconds with what takes long; true where nothing is left. What is shown until then is shown as such. */
  work?(state: S, context: ViewContext<K>, ms: number): boolean;
  /** Prepares for so many milliseconds, while no key waits, what a key may ask for; true where nothing is left. Nothing shown changes. */
  idle?(context: ViewContext<K>, ms: number): boolean;
  rows(state: S, context: ViewContext<K>): number;
  cursor(state: S): number;
  moveTo(state: S, row: number, context: ViewContext<K>): S;
  /** The text that a search looks at. */
  rowText(state: S, row: number, context: ViewContext<K>): string;
  /** The routine under the cursor, or the one it is about; -1 none. */
  routineAt?(state: S, context: ViewContext<K>): number;
  /** The cursor to a routine, where it has a row. */
  findRoutine?(state: S, routine: number, context: ViewContext<K>): S;
  /** The step under the cursor, for views of steps; and the cursor to one. */
  stepAt?(state: S, context: ViewContext<K>): number;
  findStep?(state: S, step: number, context: ViewContext<K>): S;
  /** The same of one of the routine's calling contexts. */
  ofContext?(state: S, calling: number, context: ViewContext<K>): S;
  /** The row under the cursor in full, for the line above the footer. */
  detail(state: S, context: ViewContext<K>): string;
  /** Where the cursor is in a source file; for the editor. */
  place?(state: S, context: ViewContext<K>): { file: string; line: number } | undefined;
  /** Source files that it wants to show. */
  needs?(state: S, context: ViewContext<K>): string[];
  /** What an action asks of the app, instead of changing the view. */
  request?(state: S, action: A, context: ViewContext<K>): Request | undefined;
  /** How the view looks at its rows: sort, grouping, mode; for the title line. */
  mode?(state: S, context: ViewContext<K>): string;
  /** What is left of the state where another profile of the same run takes the place of this one. Absent: nothing. */
  rebase?(state: S, from: Analysis, to: Analysis): S;
}

/** Profiles of every kind. */
export const ofAnyKind = (context: ViewContext): ViewContext => context;

function isContextOf<K extends Kind>(context: ViewContext, kind: K): context is ViewContext<K> {
  return isOfKind(context.analysis, kind);
}

/** Profiles of one kind; views of others are never opened with them. */
export function ofKind<K extends Kind>(kind: K): (context: ViewContext) => ViewContext<K> {
  return (context) => {
    if (isContextOf(context, kind)) return context;
    throw new Error(`a view of ${kind} was opened with a profile of ${context.analysis.profile.kind}`);
  };
}

export function textLine(text: string, style: Style = 'plain'): ScreenLine {
  return { spans: [[text, style]] };
}
