// The keys that work in every view, and the action for each key. Footer, help, palette and README are generated from this table.
import { RECORDED_COLUMN } from '../analysis/answers/part-columns.ts';
import { granularitiesOf } from '../analysis/profiles/granularity/stacks.ts';
import { transformTexts } from '../analysis/profiles/transforms/applied.ts';
import { reasonAgainstInlined, refusalReason } from '../analysis/profiles/transforms/apply.ts';
import { groupByKey, mapOf } from '../base/lists.ts';
import type { Question } from '../model/head.ts';
import { questionsOf } from '../model/profile.ts';
import { type AnyView, type AnyViewAction, MOST_DIGITS, views, viewsOf } from '../views/index.ts';
import type { ViewKey } from '../views/open-view.ts';
import type { KeyGroup } from '../views/view.ts';
import type { Action, AppAction, PanelKind, TransformChange } from './action.ts';
import { inputAction } from './input.ts';
import { withheldFolder } from './needs.ts';
import { canCloseView } from './places.ts';
import { noRenameGuessReason } from './renames.ts';
import { noSplitReason } from './split.ts';
import { type AppState, activeView, contextOf, openView, splitSizes } from './state.ts';

export interface GlobalBinding extends ViewKey<AppAction> {
  /** For an action without a key: the panel that lists it. */
  readonly menu?: PanelKind;
  readonly off?: (state: AppState) => string | undefined;
  /** False if the key never works with this profile: help, palette and footer omit it. */
  readonly usable?: (state: AppState) => boolean;
  /** True if the key is useless now: the footer omits it. */
  readonly idle?: (state: AppState) => boolean;
}

type OwnParts = Pick<GlobalBinding, 'footer' | 'off' | 'usable' | 'idle'>;

/** Makes a global binding. `keys`: key names separated by blanks. */
const bindKeys = (keys: string, action: AppAction, group: KeyGroup, help: string, own?: OwnParts): GlobalBinding => ({
  ...{ keys: keys.split(' '), action, help, group, ...own },
});

/** Makes a binding without a key: only the panel `menu` lists it. */
const inMenu = (menu: PanelKind, action: AppAction, group: KeyGroup, help: string, own?: OwnParts): GlobalBinding => ({
  ...{ keys: [], menu, action, help, group, ...own },
});

export type KeyBinding = GlobalBinding | ViewKey<AnyViewAction>;

/** The names of the data that views need, in the user's words. */
const DATA_NAMES: Readonly<Partial<Record<Question, string>>> = {
  ...{
    instrs: 'instructions',
    lines: 'source lines',
    trees: 'calls',
    history: 'kept builds (History needs several of one folder)',
    compiles: 'phases of the compilers',
    tests: 'results from the test runner (exit codes of tests are in Steps)',
  },
};

/** The data that the file could have and lacks, all or among `tables`: `: it has no instructions (callgrind records them with …)`; '' if none. */
export function missingDataText({ profile }: AppState['analysis'], tables?: readonly Question[]): string {
  const lacking = (profile.lacks ?? []).filter(({ table }) => tables?.includes(table) !== false);
  const reasons = Array.from(
    groupByKey(lacking, ({ option }) => option),
    ([option, lacks]) => {
      const names = new Set(lacks.map(({ table }) => DATA_NAMES[table] ?? table));
      return `no ${[...names].join(', no ')}${option ? ` (${profile.format} records them with ${option})` : ''}`;
    },
  );
  return reasons.length > 0 ? `: it has ${reasons.join(', ')}` : '';
}

const noViewReason = (digit: string) => (state: AppState) => {
  const { analysis } = state;
  const shown = viewsOf(analysis);
  if (shown.some((v) => v.digit === digit)) return undefined;
  const asked = views.filter(({ id }) => !shown.some((v) => v.id === id)).flatMap((v) => v.requires);
  const isHidden = transformTexts(analysis.profile).length > 0 && asked.some((q) => questionsOf(state.loaded).has(q));
  const why = isHidden ? '; S lists the focus, which hides some' : missingDataText(analysis);
  return `this profile has ${shown.filter((v) => v.digit !== '').length} views${why}`;
};
const noTreeReason = ({ analysis }: AppState) =>
  viewsOf(analysis).some(({ id }) => id === 'tree') ? undefined : 'no calls were recorded, so callers are unknown';
const VIEW_DIGITS = Array.from({ length: MOST_DIGITS }, (_, i) => `${i + 1}`);

function noRegroupingReason({ loaded }: AppState): string | undefined {
  if (loaded.kind === 'callgraph') return reasonAgainstInlined(loaded);
  return granularitiesOf(loaded).length > 1 ? undefined : 'only sampled stacks and slices with details can be regrouped';
}

const noStacksReason = ({ analysis }: AppState) =>
  analysis.costing.can.has('stacks') ? undefined : 'only profiles with sampled stacks can be regrouped';
/** The reason why this profile cannot be narrowed; undefined if it can. For a build, transforms are time ranges only. */
const noTransformsReason = ({ loaded }: AppState) =>
  loaded.kind === 'steps' ? undefined : refusalReason(loaded, { word: 'focus', pattern: '' });

/** A key that never works with this profile if there is a reason against it now. */
const usableUnless = (off: (state: AppState) => string | undefined) => ({ off, usable: (s: AppState) => off(s) === undefined });
const NEEDS_SEVERAL_PARTS = usableUnless((s) => (s.analysis.profile.parts.length < 2 ? 'there is only one part' : undefined));
const COLUMNS_HELP = 'the columns of a table and their order; of code: all numbers, self cost, none';
const ONLY_OWN_HELP = 'only your own code: code outside the source folders is charged to its caller';
const NEEDS_SEARCH = { off: (s: AppState) => (s.search === '' ? 'no search yet; / starts one' : undefined) };

export const globalBindings: readonly GlobalBinding[] = [
  ...VIEW_DIGITS.map((digit) =>
    bindKeys(digit, { type: 'digit', digit }, 'view', `the view on tab ${digit}`, usableUnless(noViewReason(digit))),
  ),
  bindKeys('!', { type: 'view', view: 'findings' }, 'view', 'all findings'),
  bindKeys('tab shift-tab', { type: 'other-pane' }, 'view', 'go to the other pane', {
    off: (s) => (splitSizes(s) ? undefined : 'there is one pane: | opens a second, digits choose views'),
  }),
  bindKeys('|', { type: 'split', how: 'next' }, 'view', 'a second view beside or below this one, or none', {
    off: (s) => noSplitReason(s, 'next'),
  }),
  bindKeys('backspace', { type: 'back' }, 'view', 'go back to where you were', {
    off: (s) => (s.back.length === 0 && !s.outer ? 'there is nowhere to go back to' : undefined),
  }),
  inMenu('options', { type: 'forward' }, 'view', 'go forward again', {
    off: (s) => (s.forward.length === 0 ? 'there is nowhere to go forward to' : undefined),
  }),
  bindKeys('^', { type: 'callers' }, 'view', 'all callers of the routine under the cursor, by share', usableUnless(noTreeReason)),
  bindKeys('.', { type: 'to-subject' }, 'move', 'go back to the routine in focus', {
    off: (s) => (s.focus < 0 ? 'no routine was opened yet' : undefined),
  }),
  bindKeys('s', { type: 'panel', kind: 'sort' }, 'show', 'sort: the columns to choose from', {
    footer: 'sort',
    ...usableUnless((s) => (sortBinding(s) ? undefined : `${activeView(s).title} has one order`)),
  }),
  bindKeys('c', { type: 'prompt', kind: 'columns' }, 'show', COLUMNS_HELP, {
    ...usableUnless((s) => (openView(s).columnNames(contextOf(s)).length > 0 ? undefined : 'this view is no table')),
  }),
  bindKeys('o', { type: 'panel', kind: 'options' }, 'show', 'options of this view: tables, groups, colours …', {
    footer: 'options',
    off: (s) => (optionBindings(s).length > 0 ? undefined : `${activeView(s).title} has no options`),
  }),
  bindKeys('/', { type: 'prompt', kind: 'search' }, 'find', 'search in this view', { footer: 'search' }),
  bindKeys('n', { type: 'search', by: 1 }, 'find', 'jump to the next match', NEEDS_SEARCH),
  bindKeys('N', { type: 'search', by: -1 }, 'find', 'jump to the previous match', NEEDS_SEARCH),
  bindKeys('&', { type: 'prompt', kind: 'filter' }, 'find', 'show matching rows: fuzzy, /regexp/, ! inverts', {
    footer: 'filter',
    idle: (s) => activeView(s).unfiltered === true,
  }),
  bindKeys('m', { type: 'wait', kind: 'mark' }, 'find', 'mark the routine with a letter'),
  bindKeys("'", { type: 'wait', kind: 'to-mark' }, 'find', "go to a marked routine; '' goes to the place before"),
  bindKeys('v', { type: 'panel', kind: 'events' }, 'show', 'choose the event', {
    footer: 'event',
    idle: (s) => s.analysis.events.length < 2,
  }),
  bindKeys('V', { type: 'measure' }, 'show', 'with a base: difference, percent, this run or the base', {
    footer: 'Δ/%/now',
    ...usableUnless(({ analysis }) => {
      if (!analysis.before) return 'nothing is compared; B chooses what to compare with';
      return analysis.costing.can.has('routines') ? undefined : 'This view has no differences';
    }),
  }),
  inMenu('options', { type: 'accept-guess' }, 'do', 'accept the suggested rename', {
    off: noRenameGuessReason,
    usable: (s) => s.analysis.before !== undefined,
  }),
  inMenu('options', { type: 'toggle-renames' }, 'do', 'apply sure renames, or keep a row in each run', {
    usable: (s) => s.versus !== undefined,
  }),
  bindKeys('B', { type: 'choose-base' }, 'do', 'compare with another run', { footer: 'compare' }),
  inMenu('events', { type: 'extra-event', name: RECORDED_COLUMN }, 'show', 'a column with the inclusive costs as recorded', {
    ...usableUnless((s) => (s.analysis.totals.recorded ? undefined : 'Inclusive costs equal the recorded ones')),
  }),
  inMenu('options', { type: 'percent' }, 'show', 'percent of the routine, of the total, of the parent, or none'),
  inMenu('options', { type: 'names' }, 'show', 'name style: fit, no templates, no parameters, full', {
    off: (s) => (s.analysis.costing.can.has('routines') ? undefined : 'the profile has no routines'),
  }),
  bindKeys('S', { type: 'panel', kind: 'transforms' }, 'show', 'narrow the profile to routines or files: focus, hide …', {
    footer: 'focus',
    ...usableUnless(noTransformsReason),
    // Builds have only time ranges, which are typed.
    idle: (s) => s.transforms.length === 0 && refusalReason(s.loaded, { word: 'focus', pattern: '' }) !== undefined,
  }),
  inMenu('transforms', { type: 'only-own' }, 'show', ONLY_OWN_HELP, {
    ...usableUnless(({ loaded }) => refusalReason(loaded, { word: 'only-own' })),
  }),
  inMenu('transforms', { type: 'undo-transforms' }, 'show', 'undo the last focus change', {
    off: (s) => (s.transformsBefore.length === 0 ? 'Nothing to undo; S sets a focus' : undefined),
    usable: (s) => noTransformsReason(s) === undefined,
  }),
  inMenu('transforms', { type: 'take-kept' }, 'show', 'apply the focus saved for this folder', {
    ...usableUnless((s) =>
      s.keptTransforms.has('') ? undefined : 'No unnamed focus is saved for this folder; S saves the present one',
    ),
  }),
  inMenu('events', { type: 'prompt', kind: 'derive' }, 'show', 'define an event by a formula'),
  bindKeys('u', { type: 'grain' }, 'show', 'regroup: inlined code on or off; by line, address, file …', {
    footer: 'regroup',
    ...usableUnless(noRegroupingReason),
  }),
  inMenu('options', { type: 'unknowns' }, 'show', 'group addresses without a symbol, or show each', usableUnless(noStacksReason)),
  inMenu('options', { type: 'syntax' }, 'show', 'instructions in Intel syntax, or in that of AT&T', {
    ...usableUnless((s) => (s.view === 'instrs' ? undefined : 'only Instrs has instructions')),
  }),
  inMenu('events', { type: 'only-part', part: -1 }, 'show', 'show only the next thread or part, most expensive first', {
    ...NEEDS_SEVERAL_PARTS,
  }),
  inMenu('events', { type: 'only-part', part: -2 }, 'show', 'show only the previous thread or part', NEEDS_SEVERAL_PARTS),
  bindKeys('e', { type: 'edit' }, 'do', 'open $EDITOR at the line'),
  inMenu('options', { type: 'show-source' }, 'do', 'show a source outside the folders of the profile', {
    off: (s) => (withheldFolder(s) === undefined ? 'No withheld source here' : undefined),
  }),
  bindKeys('y', { type: 'copy' }, 'do', 'copy the name under the cursor'),
  bindKeys('E', { type: 'panel', kind: 'save' }, 'do', 'save or copy the view, the profile or the command', {
    footer: 'save',
  }),
  inMenu('save', { type: 'prompt', kind: 'write' }, 'do', 'write the view to a file; the ending chooses the form'),
  inMenu('save', { type: 'copy-command' }, 'do', 'copy the command that prints this view'),
  bindKeys('R', { type: 'reload' }, 'do', 'reload the file and stay here'),
  inMenu('options', { type: 'follow-file' }, 'do', 'follow the file while it grows, or stop'),
  inMenu('options', { type: 'merge' }, 'do', 'merge the other files of this run', {
    off: (s) => (s.siblings.length === 0 ? 'No other files of this run' : undefined),
  }),
  bindKeys(':', { type: 'panel', kind: 'palette' }, 'do', 'run any command by name'),
  bindKeys('? f1', { type: 'panel', kind: 'help' }, 'do', 'help: all keys', { footer: 'help' }),
  bindKeys('esc', { type: 'escape' }, 'do', 'close the panel or prompt; remove the filter'),
  bindKeys('ctrl-z', { type: 'suspend' }, 'do', 'suspend; fg returns'),
  bindKeys('ctrl-l', { type: 'redraw' }, 'do', 'redraw the screen'),
  bindKeys('q ctrl-c', { type: 'quit' }, 'do', 'go back, or quit; ^C always quits', { footer: 'quit' }),
];

/** The key bindings of a view, followed by the global ones. The first binding of a key wins. */
export const bindingsOf = (view: AnyView): readonly KeyBinding[] => [...view.keys, ...globalBindings];

/** The key that sorts the active view; its options are the columns to sort by. */
export const sortBinding = (state: AppState): ViewKey<AnyViewAction> | undefined => activeView(state).keys.find((b) => b.sorts);

/** The active bindings, without keys that never work with this profile. */
export function usableBindings(state: AppState): readonly KeyBinding[] {
  const view = activeView(state);
  const context = contextOf(state);
  return bindingsOf(view).filter((b) => (isGlobalBinding(b) ? (b.usable?.(state) ?? true) : view.usable(b.action, context)));
}

/** Whether a binding is global, not one of the active view. */
export const isGlobalBinding = (binding: KeyBinding): binding is GlobalBinding => globalBindings.some((b) => b === binding);

/** The help text of a key; for a digit, the view that it shows. */
export function helpTextOf(state: AppState, binding: KeyBinding): string {
  if (!isGlobalBinding(binding) || binding.action.type !== 'digit') return binding.help;
  const { digit } = binding.action;
  const view = viewsOf(state.analysis).find((v) => v.digit === digit);
  return view ? `${view.title} view` : binding.help;
}

/** The action of a binding; actions of a view include the id of the view. */
export const actionOfBinding = (state: AppState, binding: KeyBinding): Action =>
  isGlobalBinding(binding) ? binding.action : { type: 'in-view', view: state.view, action: binding.action };

const KEY_LABELS = mapOf({
  ...{ enter: 'Enter', esc: 'Esc', space: 'Space', tab: 'Tab', 'shift-tab': 'S-Tab', backspace: 'Bksp', f1: 'F1' },
  ...{ pagedown: 'PgDn', pageup: 'PgUp', home: 'Home', end: 'End', up: '↑', down: '↓', left: '←', right: '→' },
});

const ARROW_KEYS = new Set(['up', 'down', 'left', 'right']);

/** The name of a key as shown on the screen. */
export function keyLabel(key: string, ascii = false): string {
  if (ascii && ARROW_KEYS.has(key)) return key[0].toUpperCase() + key.slice(1);
  return KEY_LABELS.get(key) ?? (key.startsWith('ctrl-') ? '^' + key.slice(5).toUpperCase() : key);
}

/** The reason why a key is disabled now; undefined if it is enabled. */
export const disabledReason = (state: AppState, binding: KeyBinding): string | undefined =>
  isGlobalBinding(binding) ? binding.off?.(state) : openView(state).off(binding.action, contextOf(state));

/** The rows of the options menu: view actions without a key or with several values, then the global actions of the menu. */
export function optionBindings(state: AppState): KeyBinding[] {
  const sort = sortBinding(state);
  return usableBindings(state).filter((b) =>
    isGlobalBinding(b)
      ? b.menu === 'options' && disabledReason(state, b) === undefined
      : b !== sort && (b.keys.length === 0 || openView(state).options(b.action, contextOf(state)) !== undefined),
  );
}

/** The action of a key; `typed`: the characters that the key produces. A key without use yields a message that says why. */
export function actionForKey(state: AppState, key: string, typed: string): Action {
  if (key === 'ctrl-c') return { type: 'quit' };
  if (state.waiting) {
    if (key === 'esc') return { type: 'escape' };
    if (state.waiting === 'to-mark' && typed === "'") return { type: 'to-mark', letter: typed };
    return /^[a-zA-Z0-9]$/.test(typed)
      ? { type: state.waiting, letter: typed }
      : { type: 'say', text: 'a mark is a letter or a digit' };
  }
  // While the help is open and nothing is typed, q closes it: nobody searches the help for only a q.
  if (state.panel?.kind === 'help' && state.panel.text === '' && key === 'q') return { type: 'escape' };
  const change = state.panel?.kind === 'transforms' && state.panel.text === '' ? PANEL_CHANGE_KEYS.get(key) : undefined;
  if (change) return { type: 'panel-change', change };
  if (state.prompt || state.panel) return inputAction(key, typed, state.panel !== undefined);
  // A key that the view does not handle now is left to the global binding.
  const isHandled = (b: KeyBinding) => isGlobalBinding(b) || !openView(state).passesToApp(b.action, contextOf(state));
  const bindingOf = (name: string) => bindingsOf(activeView(state)).find((b) => b.keys.includes(name) && isHandled(b));
  // If the view has something to go back from, such as a zoom, q does that before it closes the view.
  const back = key === 'q' ? bindingOf('backspace') : undefined;
  const binding = back && !isGlobalBinding(back) ? back : bindingOf(key);
  if (key === 'q' && binding?.action.type === 'quit' && canCloseView(state)) return { type: 'leave' };
  if (!binding) return { type: 'say', text: `${keyLabel(key)} does nothing in ${activeView(state).title}; ? lists the keys` };
  const reason = disabledReason(state, binding);
  return reason === undefined ? actionOfBinding(state, binding) : { type: 'say', text: reason };
}

const PANEL_CHANGE_KEYS = mapOf<TransformChange>({ delete: 'remove', left: 'earlier', right: 'later' });
