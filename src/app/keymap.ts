// The keys that work in every view, and how a key becomes an action. Footer, help, palette and README are generated from these.
import { RECORDED } from '../analysis/answers/part-columns.ts';
import { granularitiesOf } from '../analysis/profiles/granularity/stacks.ts';
import { transformTexts } from '../analysis/profiles/transforms/applied.ts';
import { reasonAgainstInlined, refusalReason } from '../analysis/profiles/transforms/apply.ts';
import { formatCount } from '../base/units.ts';
import type { Question } from '../model/head.ts';
import { questionsOf } from '../model/kinds.ts';
import { type AnyView, type AnyViewAction, views, viewsOf } from '../views/index.ts';
import type { ViewKey } from '../views/open-view.ts';
import type { KeyGroup } from '../views/view.ts';
import type { Action, AppAction, Edit, PanelKind } from './action.ts';
import { withheldFolder } from './needs.ts';
import { canLeave } from './places.ts';
import { whyNoGuess } from './renames.ts';
import { whyNoSplit } from './split.ts';
import { type AppState, activeView, contextOf, openView } from './state.ts';

export interface GlobalBinding extends ViewKey<AppAction> {
  /** The panel that has the action as a row, where it has no key. */
  readonly menu?: PanelKind;
  readonly off?: (state: AppState) => string | undefined;
  /** False where this profile can never use the key: help, palette and footer then leave it out. */
  readonly usable?: (state: AppState) => boolean;
  /** True if the key has no use now: the footer leaves it out. */
  readonly idle?: (state: AppState) => boolean;
}

/** `keys`: key names, separated by spaces; '' for an action that only a menu has. */
function bindKeys(
  keys: string,
  action: AppAction,
  group: KeyGroup,
  help: string,
  own: Pick<GlobalBinding, 'footer' | 'off' | 'usable' | 'idle' | 'menu'> = {},
): GlobalBinding {
  return { keys: keys === '' ? [] : keys.split(' '), action, help, group, ...own };
}

/** A key of every view, or of one. */
export type AnyBinding = GlobalBinding | ViewKey<AnyViewAction>;

/** The data that a view needs, in the user's words. */
const WORDS: Readonly<Partial<Record<Question, string>>> = { instrs: 'instructions', lines: 'source lines', trees: 'calls' };

/** Whether the view has this digit in any profile. */
const hasDigit = (v: AnyView, digit: string) => v.digit === digit || v.digitBesideCalls === digit;

const whyNoView = (digit: string) => (state: AppState) => {
  const { analysis } = state;
  if (viewsOf(analysis).some((v) => v.digit === digit)) return undefined;
  const asked = views.filter((v) => hasDigit(v, digit)).flatMap((v) => v.requires);
  const hidden = transformTexts(analysis.profile).length > 0 && asked.some((q) => questionsOf(state.loaded).has(q));
  if (hidden) return `${digit} needs data that the present focus removed: S lists the focus and undoes it`;
  const lacks = analysis.profile.lacks?.find((l) => asked.includes(l.table));
  if (!lacks) return `This kind of profile has no view on ${digit}`;
  const how = lacks.option ? `; ${analysis.profile.format} records them with ${lacks.option}` : '';
  return `this profile has no ${WORDS[lacks.table] ?? lacks.table}${how}`;
};
const DIGITS = [...new Set(views.flatMap((v) => [v.digit, v.digitBesideCalls ?? '']))].filter((digit) => digit !== '').sort();

function whyNoRegrouping({ loaded }: AppState): string | undefined {
  if (loaded.kind === 'callgraph') return reasonAgainstInlined(loaded);
  return granularitiesOf(loaded).length > 1 ? undefined : 'only sampled stacks and slices with details can be regrouped';
}
const hasStacks = (state: AppState) => state.analysis.costing.can.has('stacks');
const whyNoStacks = (state: AppState) => (hasStacks(state) ? undefined : 'only profiles with sampled stacks can be regrouped');

/** The reason why this profile cannot be narrowed. A build has only time ranges. */
const whyNoTransforms = ({ loaded }: AppState) =>
  loaded.kind === 'steps' ? undefined : refusalReason(loaded, { word: 'focus', pattern: '' });
const whyNoOwnCode = ({ loaded }: AppState) => refusalReason(loaded, { word: 'only-own' });

const PARTS_ONLY: Pick<GlobalBinding, 'off' | 'usable'> = {
  off: (s) => (s.analysis.profile.parts.length < 2 ? 'there is only one part' : undefined),
  usable: (s) => s.analysis.profile.parts.length > 1,
};

const GLOBAL: readonly GlobalBinding[] = [
  ...DIGITS.map(
    (digit): GlobalBinding => ({
      keys: [digit],
      action: { type: 'digit', digit },
      help: `${views
        .filter((v) => hasDigit(v, digit))
        .map((v) => v.title)
        .join(' or ')} view`,
      group: 'view',
      off: whyNoView(digit),
      usable: (state) => whyNoView(digit)(state) === undefined,
    }),
  ),
  bindKeys('tab', { type: 'next-view', by: 1 }, 'view', 'next view, or the other pane'),
  bindKeys('shift-tab', { type: 'next-view', by: -1 }, 'view', 'previous view'),
  bindKeys('|', { type: 'split', how: 'next' }, 'view', 'a second view that follows this one: beside it, below it, or none', {
    off: (s) => whyNoSplit(s, 'next'),
  }),
  bindKeys('backspace (', { type: 'back' }, 'view', 'go back to where you were', {
    off: (s) => (s.back.length === 0 && !s.outer ? 'there is nowhere to go back to' : undefined),
  }),
  bindKeys(')', { type: 'forward' }, 'view', 'go forward again', {
    off: (s) => (s.forward.length === 0 ? 'there is nowhere to go forward to' : undefined),
  }),
  bindKeys('s', { type: 'panel', kind: 'sort' }, 'show', 'sort: the columns to choose from', {
    footer: 'sort',
    off: (s) => (sortBinding(s) ? undefined : `${activeView(s).title} has one order`),
    usable: (s) => sortBinding(s) !== undefined,
  }),
  bindKeys('o', { type: 'panel', kind: 'options' }, 'show', 'options of this view: tables, groups, colours …', {
    footer: 'options',
    off: (s) => (optionBindings(s).length > 0 ? undefined : `${activeView(s).title} has no options`),
  }),
  bindKeys('/', { type: 'prompt', kind: 'search' }, 'find', 'search in this view', { footer: 'search' }),
  bindKeys('n', { type: 'search', by: 1 }, 'find', 'jump to the next match', {
    off: (s) => (s.search === '' ? 'no search yet; / starts one' : undefined),
  }),
  bindKeys('N', { type: 'search', by: -1 }, 'find', 'jump to the previous match', {
    off: (s) => (s.search === '' ? 'no search yet; / starts one' : undefined),
  }),
  bindKeys('&', { type: 'prompt', kind: 'filter' }, 'find', 'show matching rows: fuzzy, /regexp/, ! inverts', {
    footer: 'filter',
    idle: (s) => activeView(s).unfiltered === true,
  }),
  bindKeys('m', { type: 'wait', kind: 'mark' }, 'find', 'mark the routine with a letter'),
  bindKeys("'", { type: 'wait', kind: 'to-mark' }, 'find', 'go to a marked routine', {
    off: (s) => (s.marks.size === 0 ? 'no routine is marked; m marks one' : undefined),
  }),
  bindKeys('v', { type: 'panel', kind: 'events' }, 'show', 'choose the event', {
    footer: 'event',
    idle: (s) => s.analysis.events.length < 2,
  }),
  bindKeys('V', { type: 'measure' }, 'show', 'with a base: show difference, percent, this run, or the base', {
    footer: 'Δ/now',
    off: (s) =>
      !s.analysis.before
        ? 'nothing is compared; B chooses what to compare with'
        : s.analysis.costing.can.has('routines')
          ? undefined
          : 'This view has no differences',
    usable: (s) => s.analysis.before !== undefined && s.analysis.costing.can.has('routines'),
  }),
  bindKeys('', { type: 'accept-guess' }, 'do', 'accept the suggested rename', {
    menu: 'options',
    off: whyNoGuess,
    usable: (s) => s.analysis.before !== undefined,
  }),
  bindKeys('B', { type: 'choose-base' }, 'do', 'compare with another run', { footer: 'compare' }),
  bindKeys('', { type: 'extra-event', name: RECORDED }, 'show', 'a column with the inclusive costs as recorded', {
    menu: 'events',
    off: (s) => (s.analysis.totals.recorded ? undefined : 'Inclusive costs equal the recorded ones'),
    usable: (s) => s.analysis.totals.recorded !== undefined,
  }),
  bindKeys('%', { type: 'percent' }, 'show', 'percent of total, percent of parent, or none'),
  bindKeys('T', { type: 'names' }, 'show', 'name style: fit, no templates, no parameters, full', {
    off: (s) => (s.analysis.costing.can.has('routines') ? undefined : 'the profile has no routines'),
  }),
  bindKeys(
    'S',
    { type: 'panel', kind: 'transforms' },
    'show',
    'focus, ignore, hide …: narrow the profile to certain routines or files',
    { footer: 'focus', off: whyNoTransforms, usable: (s) => whyNoTransforms(s) === undefined },
  ),
  bindKeys('', { type: 'only-own' }, 'show', 'only your own code: code outside the source folders is charged to its caller', {
    menu: 'transforms',
    off: whyNoOwnCode,
    usable: (s) => whyNoOwnCode(s) === undefined,
  }),
  bindKeys('', { type: 'undo-transforms' }, 'show', 'undo the last focus change', {
    menu: 'transforms',
    off: (s) => (s.transformsBefore.length === 0 ? 'Nothing to undo; S sets a focus' : undefined),
    usable: (s) => whyNoTransforms(s) === undefined,
  }),
  bindKeys('', { type: 'take-kept' }, 'show', 'apply the focus saved for this folder', {
    menu: 'transforms',
    off: (s) => (s.keptTransforms.length === 0 ? 'No focus is saved for this folder; S saves the present one' : undefined),
    usable: (s) => s.keptTransforms.length > 0,
  }),
  bindKeys('', { type: 'prompt', kind: 'derive' }, 'show', 'define an event by a formula', { menu: 'events' }),
  bindKeys(
    'u',
    { type: 'grain' },
    'show',
    'regroup: inlined functions on or off; samples by routine, line, address, file or object; slices of a trace by name or detail',
    {
      footer: 'regroup',
      off: whyNoRegrouping,
      usable: (s) => whyNoRegrouping(s) === undefined,
    },
  ),
  bindKeys('', { type: 'unknowns' }, 'show', 'group addresses without a symbol, or show each', {
    menu: 'options',
    off: whyNoStacks,
    usable: hasStacks,
  }),
  bindKeys('\\', { type: 'only-part', part: -1 }, 'show', 'show the next thread or part alone, most expensive first', PARTS_ONLY),
  bindKeys('`', { type: 'only-part', part: -2 }, 'show', 'show the previous thread or part alone', PARTS_ONLY),
  bindKeys('e', { type: 'edit' }, 'do', 'open $EDITOR at the line'),
  bindKeys('', { type: 'show-source' }, 'do', 'show a source outside the folders of the profile', {
    menu: 'options',
    off: (s) => (withheldFolder(s) === undefined ? 'No withheld source here' : undefined),
  }),
  bindKeys('y', { type: 'copy' }, 'do', 'copy the name under the cursor'),
  bindKeys('E', { type: 'panel', kind: 'save' }, 'do', 'save or copy: the view, the profile for another tool, the command', {
    footer: 'save',
  }),
  bindKeys('', { type: 'prompt', kind: 'write' }, 'do', 'write the view to a file: text, or .json .csv .tsv .svg', {
    menu: 'save',
  }),
  bindKeys(
    '',
    { type: 'prompt', kind: 'export' },
    'do',
    'export the profile for another tool; the file ending selects the format',
    {
      menu: 'save',
    },
  ),
  bindKeys('', { type: 'copy-command' }, 'do', 'copy the command that prints this view', { menu: 'save' }),
  bindKeys('R', { type: 'reload' }, 'do', 'reload the file and stay here'),
  bindKeys('@', { type: 'follow-file' }, 'do', 'follow the file while it grows, or stop'),
  bindKeys('', { type: 'merge' }, 'do', 'merge the other files of this run', {
    menu: 'options',
    off: (s) => (s.siblings.length === 0 ? 'No other files of this run' : undefined),
  }),
  bindKeys(':', { type: 'panel', kind: 'palette' }, 'do', 'run any command by name'),
  bindKeys('? f1', { type: 'panel', kind: 'help' }, 'do', 'help: all keys', { footer: 'help' }),
  bindKeys('esc', { type: 'escape' }, 'do', 'close the panel or prompt; remove the filter'),
  bindKeys('ctrl-z', { type: 'suspend' }, 'do', 'suspend; fg returns'),
  bindKeys('ctrl-l', { type: 'redraw' }, 'do', 'redraw the screen'),
  bindKeys('q ctrl-c', { type: 'quit' }, 'do', 'go back, or quit; ^C always quits', { footer: 'quit' }),
];

export const globalBindings = GLOBAL;

/** The active bindings: the view's take precedence over the global ones. */
export function bindingsOf(view: AnyView): readonly AnyBinding[] {
  return [...view.keys, ...GLOBAL];
}

/** The key that sorts the active view: its options are the sort columns. */
export function sortBinding(state: AppState): ViewKey<AnyViewAction> | undefined {
  return activeView(state).keys.find((b) => b.keys.includes('>'));
}

/** The active bindings that this profile can use. */
export function usableBindings(state: AppState): readonly AnyBinding[] {
  const view = activeView(state);
  const context = contextOf(state);
  return bindingsOf(view).filter((b) => (isGlobal(b) ? (b.usable?.(state) ?? true) : view.usable(b.action, context)));
}

/** Whether a key works in every view; the others belong to the active view. */
export function isGlobal(binding: AnyBinding): binding is GlobalBinding {
  return GLOBAL.some((b) => b === binding);
}

/** The help text of a key. If views share a digit, only the view of this profile is named. */
export function helpOf(state: AppState, binding: AnyBinding): string {
  if (!isGlobal(binding) || binding.action.type !== 'digit') return binding.help;
  const { digit } = binding.action;
  const view = viewsOf(state.analysis).find((v) => v.digit === digit);
  return view ? `${view.title} view` : binding.help;
}

/** The action of a key; actions of a view carry the view's id. */
export function actionOf(state: AppState, binding: AnyBinding): Action {
  return isGlobal(binding) ? binding.action : { type: 'in-view', view: state.view, action: binding.action };
}

const LABELS = new Map(
  Object.entries({
    enter: 'Enter',
    esc: 'Esc',
    space: 'Space',
    tab: 'Tab',
    'shift-tab': 'S-Tab',
    backspace: 'Bksp',
    pagedown: 'PgDn',
    pageup: 'PgUp',
    home: 'Home',
    end: 'End',
    up: '↑',
    down: '↓',
    left: '←',
    right: '→',
    f1: 'F1',
  }),
);

const ARROWS = new Set(['up', 'down', 'left', 'right']);

/** A key's name on the screen. */
export function keyLabel(key: string, ascii = false): string {
  if (ascii && ARROWS.has(key)) return key[0].toUpperCase() + key.slice(1);
  return LABELS.get(key) ?? (key.startsWith('ctrl-') ? '^' + key.slice(5).toUpperCase() : key);
}

/** The reason why a key has no effect now; undefined if it has one. */
export function offReason(state: AppState, binding: AnyBinding): string | undefined {
  if (isGlobal(binding)) return binding.off?.(state);
  return openView(state).off(binding.action, contextOf(state));
}

/** The rows of the options menu: view actions without a key or with several values, then global actions of this menu. */
export function optionBindings(state: AppState): AnyBinding[] {
  const sort = sortBinding(state);
  return usableBindings(state).filter((b) =>
    isGlobal(b)
      ? b.menu === 'options' && offReason(state, b) === undefined
      : b !== sort && (b.keys.length === 0 || openView(state).options(b.action, contextOf(state)) !== undefined),
  );
}

/** Whether the view leaves this key to the global binding. */
function leavesKeyToGlobal(state: AppState, binding: AnyBinding): boolean {
  return !isGlobal(binding) && openView(state).passesToApp(binding.action, contextOf(state));
}

/** The action for a key; `typed` is its text from the terminal. Every key yields one, if only to say why it does nothing. */
export function actionFor(state: AppState, key: string, typed: string): Action {
  if (key === 'ctrl-c') return { type: 'quit' };
  if (state.waiting) {
    if (key === 'esc') return { type: 'escape' };
    return /^[a-zA-Z0-9]$/.test(typed)
      ? { type: state.waiting, letter: typed }
      : { type: 'say', text: 'a mark is a letter or a digit' };
  }
  // In the help, q closes the panel: no one searches for a single q.
  if (state.panel?.kind === 'help' && state.panel.text === '' && key === 'q') return { type: 'escape' };
  const change = state.panel?.kind === 'transforms' && state.panel.text === '' ? PANEL_CHANGES.get(key) : undefined;
  if (change) return { type: 'panel-change', change };
  if (state.prompt || state.panel) return inputAction(key, typed, state.panel !== undefined);
  const bindingOf = (name: string) =>
    bindingsOf(activeView(state)).find((b) => b.keys.includes(name) && !leavesKeyToGlobal(state, b));
  // A view that can go back by itself, for example out of a zoom, does so before q leaves it.
  const back = key === 'q' ? bindingOf('backspace') : undefined;
  const binding = back && !isGlobal(back) ? back : bindingOf(key);
  if (key === 'q' && binding?.action.type === 'quit' && canLeave(state)) return { type: 'leave' };
  if (!binding) return { type: 'say', text: `${keyLabel(key)} does nothing in ${activeView(state).title}; ? lists the keys` };
  const reason = offReason(state, binding);
  return reason === undefined ? actionOf(state, binding) : { type: 'say', text: reason };
}

const EDITS = new Map<string, Edit>(
  Object.entries({
    backspace: 'backspace',
    'ctrl-h': 'backspace',
    delete: 'delete',
    left: 'left',
    right: 'right',
    home: 'home',
    end: 'end',
    'ctrl-a': 'home',
    'ctrl-e': 'end',
    'ctrl-u': 'clear',
    'ctrl-w': 'word',
  } as const),
);

const PANEL_MOVES = new Map(
  Object.entries({ up: -1, down: 1, pageup: -10, pagedown: 10, 'ctrl-p': -1, 'ctrl-n': 1, tab: 1, 'shift-tab': -1 }),
);

const PANEL_CHANGES = new Map(Object.entries({ delete: 'remove', left: 'earlier', right: 'later' } as const));

function inputAction(key: string, typed: string, panel: boolean): Action {
  if (key === 'esc') return { type: 'escape' };
  if (key === 'enter') return { type: 'accept' };
  if (panel) {
    const by = PANEL_MOVES.get(key);
    if (by !== undefined) return { type: 'panel-move', by };
    if (key === 'space') return { type: 'panel-toggle' };
  }
  if (!panel && (key === 'up' || key === 'down')) return { type: 'input-older', by: key === 'up' ? 1 : -1 };
  const edit = EDITS.get(key);
  if (edit) return { type: 'input-edit', edit };
  const text = printableText(typed);
  return text === '' ? { type: 'none' } : { type: 'input', text };
}

/** Without control characters. */
function printableText(typed: string): string {
  return [...typed].filter((ch) => ch >= ' ' && ch !== '\u007f').join('');
}

/** The largest paste that is accepted: pastes are for one line of input. */
export const LONGEST_PASTE = 10_000;

/** Inserts pasted text into the line being typed, as one line. It never acts as keys. */
export function pasteAction(state: AppState, pasted: string): Action {
  if (pasted.length > LONGEST_PASTE)
    return { type: 'say', text: `A paste of more than ${formatCount(LONGEST_PASTE)} characters is not taken` };
  const text = printableText(pasted.replace(/[\r\n\t]+/g, ' ')).trim();
  if (text === '') return { type: 'none' };
  if (state.prompt || state.panel) return { type: 'input', text };
  return { type: 'say', text: 'Paste into a search (/), a filter (&) or the commands (:)' };
}
