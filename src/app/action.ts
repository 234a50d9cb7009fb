// User actions as plain data, so that sessions can be recorded and replayed. One table gives their types and checks files.
import { type AnyViewAction, type ViewId, viewNamed } from '../views/index.ts';

export const PROMPT_KINDS = ['search', 'filter', 'write', 'export', 'derive', 'columns'] as const;
export const PANEL_KINDS = ['help', 'events', 'palette', 'bases', 'transforms', 'sort', 'options', 'save'] as const;
export type PanelKind = (typeof PANEL_KINDS)[number];
/** Changes that a key can make to a transform in the stack of transforms. */
export const TRANSFORM_CHANGES = ['toggle', 'remove', 'earlier', 'later'] as const;
export type TransformChange = (typeof TRANSFORM_CHANGES)[number];
/** Keys that edit the text in a prompt or panel. */
const TEXT_EDITS = ['backspace', 'delete', 'left', 'right', 'home', 'end', 'clear', 'word'] as const;
export type TextEdit = (typeof TEXT_EDITS)[number];

/** Commands available in every view that take an argument. */
export const APP_COMMANDS = [
  { name: 'apply', arg: 'focus=RE', help: 'narrow the profile: focus=, ignore=, hide=, show=, merge=, time=, only-own …' },
  { name: 'derive', arg: 'NAME=FORMULA', help: 'define an event by a formula' },
  { name: 'write', arg: 'FILE', help: 'write the view to a file' },
  { name: 'export', arg: 'FILE', help: 'export the shown profile for another tool; the file ending selects the format' },
  { name: 'open', arg: 'PATH', help: 'open another profile; Backspace goes back to this one' },
  { name: 'add', arg: 'PATH', help: 'add a file to this profile, as another part' },
  { name: 'set', arg: 'NAME VALUE', help: 'keep a setting: theme, ascii, mouse, sort, columns, source-dir, keys …' },
  { name: 'note', arg: 'TEXT', help: 'add a note to the routine under the cursor; - removes it' },
  { name: 'filter', arg: 'TEXT', help: 'show only matching rows' },
  { name: 'search', arg: 'TEXT', help: 'search in this view' },
  { name: 'source-dir', arg: 'DIR', help: 'look for sources in this folder, too' },
  { name: 'base', arg: 'PATH', help: 'compare with this profile, folder or build' },
  { name: 'columns', arg: 'NAMES', help: 'the columns of this view and their order; without names, all of them' },
  { name: 'column', arg: 'NAME', help: 'show or hide a column for an event, a part or a thread' },
] as const;

export type CommandName = (typeof APP_COMMANDS)[number]['name'];

type Guard<T> = (value: unknown) => value is T;

const text: Guard<string> = (v) => typeof v === 'string';
const isNumber: Guard<number> = (v) => typeof v === 'number';
const isWholeNumber: Guard<number> = (v): v is number => Number.isSafeInteger(v);
const optionalGuard =
  <T>(guard: Guard<T>): Guard<T | undefined> =>
  (v): v is T | undefined =>
    v === undefined || guard(v);
const guardOneOf =
  <T extends string>(choices: readonly T[]): Guard<T> =>
  (v): v is T =>
    choices.some((choice) => choice === v);
/** A direction: 1 is forwards, -1 is back. */
const isDirection: Guard<1 | -1> = (v) => v === 1 || v === -1;
/** A screen width or height. 10,000 is more than any terminal has. */
const isScreenSize: Guard<number> = (v): v is number => isWholeNumber(v) && v >= 1 && v <= 10_000;
/** A row or column of the screen, counted from 0. */
const isCellIndex: Guard<number> = (v): v is number => isWholeNumber(v) && v >= 0;
const isViewId: Guard<ViewId> = (v): v is ViewId => text(v) && viewNamed(v) !== undefined;
/** The actions of views hold plain values, nested at most four levels deep. */
const isPlainValue = (v: unknown, depth: number): boolean =>
  typeof v !== 'object' || v === null || (depth > 0 && Object.values(v).every((inner) => isPlainValue(inner, depth - 1)));
const isViewAction: Guard<AnyViewAction> = (v): v is AnyViewAction => typeof v === 'object' && v !== null && isPlainValue(v, 4);

const FIELDLESS_ACTIONS = [
  'none work redraw quit suspend escape back leave forward other-pane to-subject callers percent names all-parts panel-toggle accept grain unknowns syntax edit',
  'show-source copy copy-command reload follow-file merge measure accept-guess toggle-renames choose-base base-before no-base follow',
  'split-wide only-own undo-transforms',
] as const;

/** The fields of each action type that has fields, besides `type`. */
const ACTION_FIELDS = {
  /** Adds a transform, written as for --apply. */
  transform: { text },
  /** Saves the stack for this folder, or applies a saved one. `name`: of a set; absent: the folder's stack without a name. */
  'keep-transforms': { name: optionalGuard(text) },
  'take-kept': { name: optionalGuard(text) },
  'change-transform': { at: isWholeNumber, change: guardOneOf(TRANSFORM_CHANGES) },
  /** Moves the cursor to the row with this number; in Source, to the line with this number. */
  'go-to': { number: isWholeNumber },
  resize: { width: isScreenSize, height: isScreenSize },
  say: { text },
  /** Waits for the letter of a mark, which is then set or gone to. */
  wait: { kind: guardOneOf(['mark', 'to-mark']) },
  mark: { letter: text },
  'to-mark': { letter: text },
  digit: { digit: text },
  view: { view: isViewId },
  show: { view: isViewId, routine: isNumber, context: optionalGuard(isNumber) },
  event: { name: text },
  'extra-event': { name: text },
  'toggle-part': { part: isWholeNumber },
  'only-part': { part: isWholeNumber },
  /** `ending`: the end of the file name that is asked for. */
  prompt: { kind: guardOneOf(PROMPT_KINDS), ending: optionalGuard(text) },
  panel: { kind: guardOneOf(PANEL_KINDS) },
  split: { how: guardOneOf(['beside', 'below', 'next']) },
  'panel-move': { by: isWholeNumber },
  'panel-change': { change: guardOneOf(TRANSFORM_CHANGES) },
  input: { text },
  'input-set': { text },
  'input-edit': { edit: guardOneOf(TEXT_EDITS) },
  /** Recalls an earlier line of this kind of prompt: older by 1, newer by -1. */
  'input-older': { by: isDirection },
  'input-complete': {},
  command: { name: guardOneOf(APP_COMMANDS.map((c) => c.name)), argument: text },
  /** Prompts for the argument of a view's command; `view-command` runs the command with its argument. */
  ask: { view: isViewId, command: text },
  'view-command': { view: isViewId, name: text, argument: text },
  search: { by: isDirection },
  favourite: { name: text },
  'want-disassembly': { routine: isWholeNumber },
  'open-profile': { path: text },
  /** A click with the left button on a cell. `wheel`: one step of the mouse wheel over a cell, down (1) or up (-1). */
  click: { x: isCellIndex, y: isCellIndex },
  wheel: { by: isDirection, x: isCellIndex, y: isCellIndex },
};

type SplitWords<S extends string> = S extends `${infer A} ${infer B}` ? A | SplitWords<B> : S;
type GuardedType<G> = G extends Guard<infer T> ? T : never;
type FieldTypesOf<F> = {
  readonly [K in keyof F as undefined extends GuardedType<F[K]> ? never : K]: GuardedType<F[K]>;
} & { readonly [K in keyof F as undefined extends GuardedType<F[K]> ? K : never]?: Exclude<GuardedType<F[K]>, undefined> };

export type AppActions = { [T in SplitWords<(typeof FIELDLESS_ACTIONS)[number]>]: { readonly type: T } } & {
  [T in keyof typeof ACTION_FIELDS]: { readonly type: T } & FieldTypesOf<(typeof ACTION_FIELDS)[T]>;
};
export type AppAction = AppActions[keyof AppActions];
export type Action = AppAction | { readonly type: 'in-view'; readonly view: ViewId; readonly action: AnyViewAction };

const FIELD_GUARDS: ReadonlyMap<unknown, Readonly<Record<string, Guard<unknown>>>> = new Map([
  ...FIELDLESS_ACTIONS.flatMap((words) => words.split(' ')).map((type) => [type, {}] as const),
  ...Object.entries(ACTION_FIELDS),
  // The view looks up its key with this action, and ignores an action that none of its keys has.
  ['in-view', { view: isViewId, action: isViewAction }],
]);

/** Whether a value read from a session file is an action. */
export function isAction(value: unknown): value is Action {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  const shape = FIELD_GUARDS.get(fields.get('type'));
  return shape !== undefined && Object.entries(shape).every(([name, check]) => check(fields.get(name)));
}
