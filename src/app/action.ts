// Actions of keys: plain data, so that a session can be recorded and replayed. One table gives their types and checks those of files.
import { type AnyViewAction, type ViewId, viewNamed } from '../views/index.ts';

export const PROMPTS = ['search', 'filter', 'write', 'export', 'derive'] as const;
export type PromptKind = (typeof PROMPTS)[number];
export const PANELS = ['help', 'events', 'palette', 'bases', 'transforms', 'sort', 'options', 'save'] as const;
export type PanelKind = (typeof PANELS)[number];
/** A change to a transform of the stack. */
export const CHANGES = ['toggle', 'remove', 'earlier', 'later'] as const;
export type TransformChange = (typeof CHANGES)[number];
/** Editing of a line of text. */
const EDITS = ['backspace', 'delete', 'left', 'right', 'home', 'end', 'clear', 'word'] as const;
export type Edit = (typeof EDITS)[number];

/** Commands available in every view that take an argument. */
export const COMMANDS = [
  { name: 'apply', arg: 'focus=RE', help: 'narrow the profile: focus=, ignore=, hide=, show=, merge=, time=, only-own …' },
  { name: 'derive', arg: 'NAME=FORMULA', help: 'define an event by a formula' },
  { name: 'write', arg: 'FILE', help: 'write the view to a file' },
  { name: 'export', arg: 'FILE', help: 'export the shown profile for another tool; the file ending selects the format' },
  { name: 'open', arg: 'PATH', help: 'open another profile; Backspace goes back to this one' },
  { name: 'set', arg: 'NAME VALUE', help: 'keep a setting: theme, ascii, mouse, sort, columns, source-dir, keys …' },
  { name: 'note', arg: 'TEXT', help: 'add a note to the routine under the cursor; - removes it' },
  { name: 'filter', arg: 'TEXT', help: 'show only matching rows' },
  { name: 'search', arg: 'TEXT', help: 'search in this view' },
  { name: 'source-dir', arg: 'DIR', help: 'look for sources in this folder, too' },
  { name: 'base', arg: 'PATH', help: 'compare with this profile, folder or build' },
  { name: 'column', arg: 'NAME', help: 'show or hide a column for an event, a part or a thread' },
] as const;

export type CommandName = (typeof COMMANDS)[number]['name'];

type Guard<T> = (value: unknown) => value is T;

const text: Guard<string> = (v) => typeof v === 'string';
const number: Guard<number> = (v) => typeof v === 'number';
const whole: Guard<number> = (v): v is number => Number.isSafeInteger(v);
const optional =
  <T>(guard: Guard<T>): Guard<T | undefined> =>
  (v): v is T | undefined =>
    v === undefined || guard(v);
const oneOf =
  <T extends string>(choices: readonly T[]): Guard<T> =>
  (v): v is T =>
    choices.some((choice) => choice === v);
/** Forwards or back. */
const way: Guard<1 | -1> = (v) => v === 1 || v === -1;
/** A size of the screen: the largest terminal has fewer. */
const size: Guard<number> = (v): v is number => whole(v) && v >= 1 && v <= 10_000;
/** A row or column of the screen, counted from 0. */
const cell: Guard<number> = (v): v is number => whole(v) && v >= 0;
const viewId: Guard<ViewId> = (v): v is ViewId => text(v) && viewNamed(v) !== undefined;
/** The actions of views hold plain values, nested at most four levels deep. */
const isFlat = (v: unknown, depth: number): boolean =>
  typeof v !== 'object' || v === null || (depth > 0 && Object.values(v).every((inner) => isFlat(inner, depth - 1)));
const viewAction: Guard<AnyViewAction> = (v): v is AnyViewAction => typeof v === 'object' && v !== null && isFlat(v, 4);

/** Actions without fields. */
const PLAIN = [
  'none work redraw quit suspend escape back leave forward percent names all-parts panel-toggle accept grain unknowns edit',
  'show-source copy copy-command reload follow-file merge measure accept-guess choose-base base-before no-base follow',
  'split-wide only-own undo-transforms keep-transforms take-kept',
] as const;

/** The fields of the other actions besides their type. */
const FIELDS = {
  /** Adds a transform, written as for --apply. */
  transform: { text },
  'change-transform': { at: whole, change: oneOf(CHANGES) },
  /** To a row by its number, in Source to a line. */
  'go-to': { number: whole },
  resize: { width: size, height: size },
  say: { text },
  /** The next key names a mark, to set or to go to. */
  wait: { kind: oneOf(['mark', 'to-mark']) },
  mark: { letter: text },
  'to-mark': { letter: text },
  digit: { digit: text },
  view: { view: viewId },
  'next-view': { by: way },
  show: { view: viewId, routine: number, context: optional(number) },
  event: { name: text },
  'extra-event': { name: text },
  'toggle-part': { part: whole },
  'only-part': { part: whole },
  prompt: { kind: oneOf(PROMPTS) },
  panel: { kind: oneOf(PANELS) },
  split: { how: oneOf(['beside', 'below', 'next']) },
  'panel-move': { by: whole },
  /** Changes the transform in the panel's row. */
  'panel-change': { change: oneOf(CHANGES) },
  input: { text },
  'input-set': { text },
  'input-edit': { edit: oneOf(EDITS) },
  /** Recalls an earlier line of this kind of prompt: older by 1, newer by -1. */
  'input-older': { by: way },
  command: { name: oneOf(COMMANDS.map((c) => c.name)), argument: text },
  /** A command of a view: prompts for its argument, or runs with it. */
  ask: { view: viewId, command: text },
  'view-command': { view: viewId, name: text, argument: text },
  search: { by: way },
  favourite: { name: text },
  'want-disassembly': { routine: whole },
  'open-profile': { path: text },
  /** A left click on a cell; one step of the wheel over it, down (1) or up (-1). */
  click: { x: cell, y: cell },
  wheel: { by: way, x: cell, y: cell },
};

type SplitWords<S extends string> = S extends `${infer A} ${infer B}` ? A | SplitWords<B> : S;
type Guarded<G> = G extends Guard<infer T> ? T : never;
type FieldsOf<F> = {
  readonly [K in keyof F as undefined extends Guarded<F[K]> ? never : K]: Guarded<F[K]>;
} & { readonly [K in keyof F as undefined extends Guarded<F[K]> ? K : never]?: Exclude<Guarded<F[K]>, undefined> };

/** Each action of the app by its type. */
export type AppActions = { [T in SplitWords<(typeof PLAIN)[number]>]: { readonly type: T } } & {
  [T in keyof typeof FIELDS]: { readonly type: T } & FieldsOf<(typeof FIELDS)[T]>;
};
export type AppAction = AppActions[keyof AppActions];
export type Action = AppAction | { readonly type: 'in-view'; readonly view: ViewId; readonly action: AnyViewAction };

const CHECKS: ReadonlyMap<unknown, Readonly<Record<string, Guard<unknown>>>> = new Map([
  ...PLAIN.flatMap((words) => words.split(' ')).map((type) => [type, {}] as const),
  ...Object.entries(FIELDS),
  // The view looks up the key with this action, and ignores it if there is none.
  ['in-view', { view: viewId, action: viewAction }],
]);

/** Whether a value from a file is an action. */
export function isAction(value: unknown): value is Action {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  const shape = CHECKS.get(fields.get('type'));
  return shape !== undefined && Object.entries(shape).every(([name, check]) => check(fields.get(name)));
}
