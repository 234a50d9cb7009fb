// The state of a session: plain data that only update() changes.

import { defaultEvent } from '../analysis/answers/analysis.ts';
import { eventInMeasure } from '../analysis/answers/compared/measure.ts';
import { extraColumnNames } from '../analysis/answers/part-columns.ts';
import type { BaseRun } from '../analysis/profiles/compare/compare.ts';
import type { ShapingOptions } from '../analysis/profiles/shown.ts';
import type { ChosenTransform, KeptTransforms } from '../analysis/profiles/transforms/transform.ts';
import { ChoiceError } from '../base/errors.ts';
import { type Matcher, PatternError } from '../base/match.ts';
import { FormatError } from '../base/problem.ts';
import type { Syntax } from '../base/source-text.ts';
import type { Event, Measure } from '../model/head.ts';
import type { KeptNote, Profile } from '../model/profile.ts';
import { type AnyView, type ViewId, viewNamed, viewsOf } from '../views/index.ts';
import type { OpenView } from '../views/open-view.ts';
import type { ViewContext } from '../views/view.ts';
import type { AppActions, PanelKind, PROMPT_KINDS } from './action.ts';

/** A location in the history: a view and the routine in focus. */
export interface ViewLocation {
  readonly view: ViewId;
  readonly focus: number;
  /** The focus is the complete cycle of the routine. */
  readonly wholeCycle?: boolean;
  /** A view or profile was opened from this location; q closes it and returns here. */
  readonly entered?: boolean;
}

/** The request of a prompt: the argument of a command of the app or of a view. */
export type Prompt =
  | { readonly kind: (typeof PROMPT_KINDS)[number] }
  | { readonly kind: 'view'; readonly view: ViewId; readonly command: string; readonly label: string };

/** A line of text being typed: in a prompt at the bottom, or at the top of a panel to narrow its list. */
export interface EditedText {
  readonly text: string;
  readonly cursor: number;
}

/** A panel: its row, and the views as they were when it opened, before it applied a row under its cursor. */
export type OpenPanel = {
  readonly kind: PanelKind;
  readonly row: number;
  readonly before?: Pick<AppState, 'views'>;
} & EditedText;

/** The state before a search or filter prompt. Typing changes the view at once, and Esc restores this state. */
export interface ViewBeforePrompt {
  readonly id: ViewId;
  /** The view before the prompt; undefined if another profile was loaded that cannot keep its state. */
  readonly view: OpenView | undefined;
  readonly filter: string;
  readonly search: string;
}

/** A search that continues between keys. */
export interface PendingSearch {
  readonly by: 1 | -1;
  /** The row where the search started, and the number of rows searched since. */
  readonly from: number;
  readonly seen: number;
  /** The best match so far: a row, and one of MATCH_RANKS. The search goes on for a better one. */
  readonly best?: { readonly row: number; readonly rank: number } | undefined;
  /** Whether the text was just typed: a list of names then goes to its best row. */
  readonly isTyped: boolean;
}

/** Two views on the screen. `view`, `focus` and `step` of the state belong to the active pane. */
export interface ScreenSplit {
  readonly how: 'beside' | 'below';
  readonly side: 'first' | 'second';
  readonly other: Required<Omit<ViewLocation, 'entered'>> & { readonly step: number };
  /** The screen was split automatically. A view that has a pane of its own then takes the full width. */
  readonly isAutomatic?: boolean;
  /** The routine, step and source line that the second view followed last. */
  readonly followed: string;
}

/** Minimum columns for two views side by side, and minimum rows for two views below each other. */
export const MIN_SPLIT_SIZES = { beside: 120, below: 40 } as const;

/** A stack of transforms whose profile is being computed in slices. */
export interface PendingTransforms {
  readonly job: Generator<undefined, Profile>;
  /** The message to show once the profile is ready. */
  readonly message: string;
  /** The transforms of the profile still shown. They are restored if the new profile cannot be computed. */
  readonly old: Pick<AppState, 'transforms' | 'transformsBefore'>;
}

export interface StatusMessage {
  readonly text: string;
  /** `waiting`: until what is followed can be read again. */
  readonly kind: 'info' | 'error' | 'waiting';
}

/** A nearby profile that can serve as base. */
export interface BaseOffer {
  readonly path: string;
  readonly name: string;
  /** Format and modification time of the profile. */
  readonly description: string;
}

/** The fields that contextOf() hands to the views as they are. */
type FieldsOfViews =
  | ('analysis' | 'percent' | 'names' | 'focus' | 'wholeCycle' | 'step' | 'choices' | 'fills' | 'ascii')
  | ('sources' | 'baseSources' | 'disassembly' | 'favourites' | 'timeBudgetMs');

export interface AppState extends Pick<ViewContext, FieldsOfViews>, Omit<ShapingOptions, 'transforms'> {
  /** The profile as loaded. `analysis` has its transforms and `granularity` applied. */
  readonly loaded: Profile;
  /** The stack of transforms, the first added first. */
  readonly transforms: readonly ChosenTransform[];
  /** Earlier stacks of transforms, for undo; the latest is last. */
  readonly transformsBefore: readonly (readonly ChosenTransform[])[];
  /** The change of transforms being computed; `analysis` is still the one before the change. */
  readonly reshaping?: PendingTransforms | undefined;
  /** The stack of transforms saved for this folder; the focus panel offers it. */
  readonly keptTransforms: KeptTransforms;
  readonly event: string;
  /** Names of events, parts and threads that have additional columns. */
  readonly extraColumns: readonly string[];
  /** By kind of profile and view, `callgraph routines`: the names of the columns that the user chose, in order. */
  readonly chosenColumns: ReadonlyMap<string, readonly string[]>;
  readonly view: ViewId;
  readonly views: ReadonlyMap<ViewId, OpenView>;
  /** The second view; undefined if there is only one. */
  readonly split?: ScreenSplit | undefined;
  readonly back: readonly ViewLocation[];
  readonly forward: readonly ViewLocation[];
  readonly width: number;
  readonly height: number;
  /** The number of detail lines above the footer. */
  readonly detailRows: number;
  readonly message: StatusMessage | undefined;
  readonly prompt?: (Prompt & EditedText & { readonly before?: ViewBeforePrompt; readonly older?: number }) | undefined;
  /** Texts typed earlier, by kind of prompt, latest first. */
  readonly typed: ReadonlyMap<string, readonly string[]>;
  readonly panel?: OpenPanel | undefined;
  /** Set after the keys m and ' until the letter of the mark is typed. */
  readonly waiting?: 'mark' | 'to-mark' | undefined;
  readonly filter: string;
  readonly matcher?: Matcher | undefined;
  readonly search: string;
  readonly seeking?: PendingSearch | undefined;
  /** Whether search matches are highlighted; Esc ends it. */
  readonly marking: boolean;
  readonly marks: ReadonlyMap<string, number>;
  /** The number of files whose source texts are known for both this run and the base. */
  readonly linedFiles: number;
  /** Files whose source is shown only with the user's consent, with the folder of each. */
  readonly withheld: ReadonlyMap<string, string>;
  readonly syntax: Syntax;
  /** Source folders added in this session, latest first. */
  readonly sourceDirs: readonly string[];
  /** Other files of the same run, which can be merged with the open one. */
  readonly siblings: readonly string[];
  /** Notes and marks of routines, by keyOfRoutine(). */
  readonly notes: ReadonlyMap<string, KeptNote>;
  /** Possible bases near the opened profile; undefined while they are being looked up. */
  readonly offers?: readonly BaseOffer[] | undefined;
  /** Whether the profile is reloaded while another program writes it. */
  readonly following?: boolean;
  /** The profile before the last reload. */
  readonly previous?: Profile | undefined;
  /** Which numbers are shown: this run, the base, or their difference. */
  readonly measure: Measure;
  /** Whether some work is left that can continue later. */
  readonly unfinished: boolean;
  /** Whether the view was opened before the Overview knew its first routine, which becomes the focus once it is known. */
  readonly awaitsSubject: boolean;
  readonly tour?: number | undefined;
  /** The profile from which this one was opened: for the trace of a build step, the build. */
  readonly outer?: AppState | undefined;
}

/** A side effect, run outside of update(). applyAnswer() takes its result. */
export type Effect =
  | { readonly type: 'quit' | 'suspend' | 'reload' | 'merge' }
  | { readonly type: 'edit'; readonly file: string; readonly line: number }
  | { readonly type: 'copy' | 'set'; readonly text: string }
  /** Copies the command line that prints the view. */
  | { readonly type: 'copy-command' }
  | { readonly type: 'write' | 'export' | 'open-file' | 'add-file' | 'open' | 'load-base'; readonly path: string }
  /** `base`: a source of the base; `file` is then its name in the base. */
  | { readonly type: 'source'; readonly file: string; readonly base?: boolean }
  /** Adds a source folder. The answer has its path, if it exists. */
  | { readonly type: 'source-dir'; readonly dir: string }
  /** `asked`: requested by the user. Without a request, only trusted object files are disassembled. */
  | { readonly type: 'disassemble'; readonly routine: number; readonly asked: boolean }
  | { readonly type: 'keep-panes'; readonly panes: 'one' | 'two' }
  | { readonly type: 'keep-columns'; readonly texts: readonly string[] }
  | { readonly type: 'keep-favourite'; readonly name: string; readonly on: boolean }
  | { readonly type: 'keep-notes'; readonly changes: readonly KeptNote[] }
  | { readonly type: 'keep-transforms'; readonly name: string; readonly texts: readonly string[] }
  /** Searches for profiles near this one that can serve as base. */
  | { readonly type: 'find-bases' }
  /** Reads inlined functions from debug information: for the open profile, or for `versus`, which becomes the base. */
  | { readonly type: 'read-inlines'; readonly versus?: BaseRun; readonly path?: string };

/** The options that turn the loaded profile into the shown one. */
export const shapingOf = ({ granularity, transforms, own, versus }: AppState): ShapingOptions => ({
  granularity,
  transforms: transforms.flatMap(({ transform, on }) => (on ? [transform] : [])),
  own,
  versus,
});

/** The heights of the parts of the screen; `above` the body are title, transforms and tabs. Short screens omit some parts. */
export function frameHeightsOf({ height, detailRows, transforms }: Pick<AppState, 'height' | 'detailRows' | 'transforms'>) {
  const [title, stack, tabs] = [height >= 14 ? 1 : 0, transforms.length > 0 && height >= 7 ? 1 : 0, height >= 5 ? 1 : 0];
  const [detail, footer] = [height >= 8 ? detailRows : 0, height >= 3 ? 1 : 0];
  const above = title + stack + tabs;
  return { title, stack, tabs, detail, footer, above, body: Math.max(1, height - above - detail - footer) };
}

/** The number of rows of a menu: what it changes stays in sight above it. */
const MENU_HEIGHT = 8;
const MENUS: ReadonlySet<PanelKind> = new Set<PanelKind>(['sort', 'options', 'events']);

/** The first row of an open panel on the screen, and its height: a menu is at the bottom, a list takes the whole body. */
export function panelPlace(state: AppState): { readonly top: number; readonly height: number } {
  const { above, body } = frameHeightsOf(state);
  const height = state.panel && MENUS.has(state.panel.kind) ? Math.min(MENU_HEIGHT, body) : body;
  return { top: above + body - height, height };
}

type PaneSize = Pick<AppState, 'width' | 'height'>;

/** The sizes of the two panes, with one line between them; undefined if only one view is shown or fits. */
export function splitSizes(state: AppState): readonly [first: PaneSize, second: PaneSize] | undefined {
  const { split, width } = state;
  if (!split || (split.how === 'beside' ? width : state.height) < MIN_SPLIT_SIZES[split.how]) return undefined;
  if (split.isAutomatic && [state.view, split.other.view].some((id) => viewNamed(id)?.hasPane)) return undefined;
  const lead = viewNamed(split.side === 'first' ? state.view : split.other.view);
  if (split.isAutomatic && !lead?.followers?.beside.length) return undefined;
  const { body: height } = frameHeightsOf(state);
  const isBeside = split.how === 'beside';
  const first = isBeside ? width >> 1 : Math.ceil((height - 1) * 0.6);
  const second = (isBeside ? width : height) - 1 - first;
  // The second pane beside has a line for its title, that below has it in the line between them.
  if (isBeside)
    return [
      { width: first, height },
      { width: second, height: height - 1 },
    ];
  return [
    { width, height: first },
    { width, height: second },
  ];
}

export const eventOf = (state: AppState): Event =>
  state.analysis.events.find((e) => e.name === state.event) ?? defaultEvent(state.analysis);

export const appliesFilter = (state: AppState): boolean => {
  const { unfiltered, filtersColumns } = activeView(state);
  return !unfiltered && (!state.matcher?.conditions || filtersColumns);
};

/** The key of chosen columns. */
export const placeOfColumns = ({ analysis, view }: AppState): string => `${analysis.profile.kind} ${view}`;

export function contextOf(state: AppState): ViewContext {
  const { analysis, extraColumns, measure, percent, names, focus, wholeCycle, step, choices, fills, ascii } = state;
  const { sources, baseSources, disassembly, favourites, timeBudgetMs } = state;
  const applies = appliesFilter(state);
  const pane = splitSizes(state)?.[state.split?.side === 'second' ? 1 : 0];
  return {
    ...{ analysis, percent, names, focus, wholeCycle, step, choices, fills, ascii },
    ...{ sources, baseSources, disassembly, favourites, timeBudgetMs },
    ...(pane ?? { width: Math.max(1, state.width), height: frameHeightsOf(state).body }),
    medium: 'screen',
    chosenColumns: state.chosenColumns.get(placeOfColumns(state)),
    event: eventInMeasure(analysis, eventOf(state), measure),
    extraEvents: extraColumns.flatMap((name) => {
      const event = analysis.events.find((e) => e.name === name && name !== state.event);
      return event ? [eventInMeasure(analysis, event, measure)] : [];
    }),
    extraParts: extraColumns.filter((name) => extraColumnNames(analysis).includes(name)),
    filter: applies ? state.filter : '',
    matcher: applies ? state.matcher : undefined,
    base: analysis.before,
  };
}

export function activeView(state: AppState): AnyView {
  const all = viewsOf(state.analysis);
  return all.find((v) => v.id === state.view) ?? all[0];
}

/** The active view with its state, which is created at the first visit. */
export const openView = (state: AppState): OpenView => state.views.get(state.view) ?? activeView(state).open(contextOf(state));

/** The routine under the cursor; -1 for none. */
export const cursorRoutine = (state: AppState): number => openView(state).routineAt(contextOf(state));

export const withView = (state: AppState, view: OpenView): AppState =>
  state.views.get(state.view) === view ? state : { ...state, views: new Map(state.views).set(state.view, view) };

export const withMessage = (state: AppState, text: string, kind: StatusMessage['kind'] = 'info'): AppState => ({
  ...state,
  message: text === '' ? undefined : { text, kind },
});

/** The changed state. After an error in the user's input, only the message changes. */
export function withErrorMessage(state: AppState, change: () => AppState): AppState {
  try {
    return change();
  } catch (error) {
    if (!(error instanceof FormatError || error instanceof ChoiceError || error instanceof PatternError)) throw error;
    return withMessage(state, error.message, 'error');
  }
}

export type UpdateResult = readonly [state: AppState, effects: readonly Effect[]];

/** The handlers of actions: each returns the state after its action, or that state with effects. */
export type ActionHandlers = {
  readonly [T in keyof AppActions]: (state: AppState, action: AppActions[T]) => AppState | UpdateResult;
};
