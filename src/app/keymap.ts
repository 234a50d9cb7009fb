// The keys that work in every view, and how a key becomes an action. Footer, help, palette and README are generated from these.
import { grainsOf } from '../analysis/stacks/granularity.ts';
import { appliedTo } from '../analysis/transforms/applied.ts';
import { refusal } from '../analysis/transforms/apply.ts';
import type { Question } from '../model/head.ts';
import { questionsOf } from '../model/kinds.ts';
import { type AnyView, type AnyViewAction, views, viewsOf } from '../views/index.ts';
import type { Key } from '../views/open-view.ts';
import type { Action, AppAction, Edit } from './action.ts';
import { withheldFolder } from './needs.ts';
import { noGuess } from './renames.ts';
import { noSplit } from './split.ts';
import { type AppState, activeView, contextOf, openView } from './state.ts';

export interface GlobalBinding extends Key<AppAction> {
  readonly off?: (state: AppState) => string | undefined;
  /** False where this profile can never use the key: help, palette and footer then leave it out. */
  readonly usable?: (state: AppState) => boolean;
}

/** A key of every view, or of one. */
export type AnyBinding = GlobalBinding | Key<AnyViewAction>;

/** What a view asks for, in the user's words. */
const WORDS: Readonly<Partial<Record<Question, string>>> = { instrs: 'instructions', lines: 'source lines', trees: 'calls' };

/** In some profile. */
const hasDigit = (v: AnyView, digit: string) => v.digit === digit || v.digitBesideCalls === digit;

const ofProfile = (digit: string) => (state: AppState) => {
  const { analysis } = state;
  if (viewsOf(analysis).some((v) => v.digit === digit)) return undefined;
  const asked = views.filter((v) => hasDigit(v, digit)).flatMap((v) => v.asks);
  const hidden = appliedTo(analysis.profile).length > 0 && asked.some((q) => questionsOf(state.loaded).has(q));
  if (hidden) return `${digit} needs what is not left once something is set: S lists it, Z takes the latest change back`;
  const lacks = analysis.profile.lacks?.find((l) => asked.includes(l.table));
  if (!lacks) return `${digit} has no view of this kind of profile`;
  const how = lacks.option ? `; ${analysis.profile.format} records them with ${lacks.option}` : '';
  return `this profile has no ${WORDS[lacks.table] ?? lacks.table}${how}`;
};
const DIGITS = [...new Set(views.flatMap((v) => [v.digit, ...(v.digitBesideCalls ? [v.digitBesideCalls] : [])]))].sort();

const hasGrains = (state: AppState) => grainsOf(state.loaded).length > 1;
const hasStacks = (state: AppState) => state.analysis.costing.can.has('stacks');
const noStacks = (state: AppState) => (hasStacks(state) ? undefined : 'only profiles with sampled stacks can be regrouped');

/** Why nothing of this profile can be chosen to count: of a build, a range of time can. */
const noTransforms = ({ loaded }: AppState) =>
  loaded.kind === 'steps' ? undefined : refusal(loaded, { word: 'focus', pattern: '' });
const noOwn = ({ loaded }: AppState) => refusal(loaded, { word: 'only-own' });

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
      off: ofProfile(digit),
      usable: (state) => ofProfile(digit)(state) === undefined,
    }),
  ),
  { keys: ['tab'], action: { type: 'next-view', by: 1 }, help: 'next view; of two, the other one', group: 'view' },
  { keys: ['shift-tab'], action: { type: 'next-view', by: -1 }, help: 'previous view', group: 'view' },
  {
    keys: ['|'],
    action: { type: 'split', how: 'beside' },
    help: 'a second view beside this one, which follows it',
    group: 'view',
    off: (s) => noSplit(s, 'beside'),
  },
  {
    keys: ['_'],
    action: { type: 'split', how: 'below' },
    help: 'a second view below this one, which follows it',
    group: 'view',
    off: (s) => noSplit(s, 'below'),
  },
  {
    keys: ['backspace', '('],
    action: { type: 'back' },
    help: 'go back to where you were',
    group: 'view',
    off: (s) => (s.back.length === 0 && !s.outer ? 'there is nowhere to go back to' : undefined),
  },
  {
    keys: [')'],
    action: { type: 'forward' },
    help: 'go forward again',
    group: 'view',
    off: (s) => (s.forward.length === 0 ? 'there is nowhere to go forward to' : undefined),
  },
  { keys: ['/'], action: { type: 'prompt', kind: 'search' }, help: 'search in this view', group: 'find', footer: 'search' },
  {
    keys: ['n'],
    action: { type: 'search', by: 1 },
    help: 'jump to the next match',
    group: 'find',
    off: (s) => (s.search === '' ? 'no search yet; / starts one' : undefined),
  },
  {
    keys: ['N'],
    action: { type: 'search', by: -1 },
    help: 'jump to the previous match',
    group: 'find',
    off: (s) => (s.search === '' ? 'no search yet; / starts one' : undefined),
  },
  {
    keys: ['&'],
    action: { type: 'prompt', kind: 'filter' },
    help: 'show matching rows: fuzzy, /regexp/, ! inverts',
    group: 'find',
    footer: 'filter',
  },
  { keys: ['m'], action: { type: 'wait', kind: 'mark' }, help: 'mark the routine with a letter', group: 'find' },
  {
    keys: ["'"],
    action: { type: 'wait', kind: 'to-mark' },
    help: 'go to a marked routine',
    group: 'find',
    off: (s) => (s.marks.size === 0 ? 'no routine is marked; m marks one' : undefined),
  },
  { keys: ['v'], action: { type: 'panel', kind: 'events' }, help: 'choose the event', group: 'show', footer: 'event' },
  {
    keys: ['V'],
    action: { type: 'measure' },
    help: 'of two runs: the difference, its share, this run, or the base',
    group: 'show',
    footer: 'Δ/now',
    off: (s) =>
      !s.analysis.before
        ? 'nothing is compared; B chooses what to compare with'
        : s.analysis.costing.can.has('routines')
          ? undefined
          : 'only costs of routines have a difference to show',
    usable: (s) => s.analysis.before !== undefined && s.analysis.costing.can.has('routines'),
  },
  {
    keys: ['J'],
    action: { type: 'accept-guess' },
    help: 'take the new routine for the one that is gone, as it is guessed',
    group: 'do',
    off: noGuess,
    usable: (s) => s.analysis.before !== undefined,
  },
  { keys: ['B'], action: { type: 'choose-base' }, help: 'compare with another run', group: 'do' },
  { keys: ['%'], action: { type: 'percent' }, help: 'percent of total, percent of parent, or none', group: 'show' },
  {
    keys: ['T'],
    action: { type: 'names' },
    help: 'names as there is room, without templates, without parameters, or whole',
    group: 'show',
    off: (s) => (s.analysis.costing.can.has('routines') ? undefined : 'the profile has no routines'),
  },
  {
    keys: ['S'],
    action: { type: 'panel', kind: 'transforms' },
    help: 'choose what counts: focus, ignore, hide and the like, for what is under the cursor',
    group: 'show',
    footer: 'focus',
    off: noTransforms,
    usable: (s) => noTransforms(s) === undefined,
  },
  {
    keys: ['O'],
    action: { type: 'only-own' },
    help: 'only your own code: what lies outside the source folders becomes its caller’s',
    group: 'show',
    off: noOwn,
    usable: (s) => noOwn(s) === undefined,
  },
  {
    keys: ['Z'],
    action: { type: 'undo-transforms' },
    help: 'take back the latest change of what counts',
    group: 'show',
    off: (s) => (s.transformsBefore.length === 0 ? 'nothing was changed in what counts; S changes it' : undefined),
    usable: (s) => noTransforms(s) === undefined,
  },
  {
    keys: ['~'],
    action: { type: 'take-kept' },
    help: 'take what was kept in this folder of what counts',
    group: 'show',
    off: (s) => (s.keptTransforms.length === 0 ? 'nothing is kept in this folder; S keeps what is set' : undefined),
    usable: (s) => s.keptTransforms.length > 0,
  },
  { keys: ['D'], action: { type: 'prompt', kind: 'derive' }, help: 'define an event by a formula', group: 'show' },
  {
    keys: ['u'],
    action: { type: 'grain' },
    help: 'samples by routine, line, address, file or object; slices of a trace by name or detail',
    group: 'show',
    footer: 'by',
    off: (s) => (hasGrains(s) ? undefined : 'only sampled stacks and slices with details can be regrouped'),
    usable: hasGrains,
  },
  {
    keys: ['U'],
    action: { type: 'unknowns' },
    help: 'group addresses without a symbol, or show each',
    group: 'show',
    off: noStacks,
    usable: hasStacks,
  },
  { keys: ['e'], action: { type: 'edit' }, help: 'open $EDITOR at the line', group: 'do' },
  {
    keys: ['K'],
    action: { type: 'show-source' },
    help: 'show a source that lies outside the folders of the profile',
    group: 'do',
    off: (s) => (withheldFolder(s) === undefined ? 'no source is kept back here' : undefined),
  },
  { keys: ['y'], action: { type: 'copy' }, help: 'copy the name under the cursor', group: 'do' },
  { keys: ['C'], action: { type: 'copy-command' }, help: 'copy the command that prints this view', group: 'do' },
  {
    keys: ['P'],
    action: { type: 'prompt', kind: 'write' },
    help: 'write the view to a file: text, or .json .csv .tsv .svg',
    group: 'do',
  },
  {
    keys: ['E'],
    action: { type: 'prompt', kind: 'export' },
    help: 'export the profile as it is shown to a file that another tool reads',
    group: 'do',
  },
  { keys: ['R'], action: { type: 'reload' }, help: 'reload the file and stay here', group: 'do' },
  {
    keys: ['@'],
    action: { type: 'follow-file' },
    help: 'follow what is being written, or stop that',
    group: 'do',
  },
  {
    keys: ['M'],
    action: { type: 'merge' },
    help: 'merge the other files of this run',
    group: 'do',
    off: (s) => (s.siblings.length === 0 ? 'there are no other files of this run' : undefined),
  },
  { keys: [':'], action: { type: 'panel', kind: 'palette' }, help: 'run any command by name', group: 'do' },
  { keys: ['?', 'f1'], action: { type: 'panel', kind: 'help' }, help: 'help: all keys', group: 'do', footer: 'help' },
  { keys: ['esc'], action: { type: 'escape' }, help: 'close the panel or prompt; remove the filter', group: 'do' },
  { keys: ['ctrl-z'], action: { type: 'suspend' }, help: 'suspend; fg returns', group: 'do' },
  { keys: ['ctrl-l'], action: { type: 'redraw' }, help: 'redraw the screen', group: 'do' },
  { keys: ['q', 'ctrl-c'], action: { type: 'quit' }, help: 'quit', group: 'do', footer: 'quit' },
];

export const globalBindings = GLOBAL;

/** The active bindings: the view's take precedence over the global ones. */
export function bindingsOf(view: AnyView): readonly AnyBinding[] {
  return [...view.keys, ...GLOBAL];
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

/** The help for a key; where views share a digit, it names only the one this profile has, if any. */
export function helpOf(state: AppState, binding: AnyBinding): string {
  if (!isGlobal(binding) || binding.action.type !== 'digit') return binding.help;
  const { digit } = binding.action;
  const view = viewsOf(state.analysis).find((v) => v.digit === digit);
  return view ? `${view.title} view` : binding.help;
}

/** What pressing the key does; a view's actions are addressed to that view. */
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

/** Why a binding is disabled now; undefined if it is not. */
export function offReason(state: AppState, binding: AnyBinding): string | undefined {
  if (isGlobal(binding)) return binding.off?.(state);
  return openView(state).off(binding.action, contextOf(state));
}

/** Whether a view leaves its key to what it means everywhere. */
function passes(state: AppState, binding: AnyBinding): boolean {
  return !isGlobal(binding) && openView(state).passes(binding.action, contextOf(state));
}

/** The action for a key; `typed` is its text from the terminal. Every key yields one, if only to say why it does nothing. */
export function actionFor(state: AppState, key: string, typed: string): Action {
  if (state.waiting) {
    if (key === 'esc' || key === 'ctrl-c') return { type: 'escape' };
    return /^[a-zA-Z0-9]$/.test(typed)
      ? { type: state.waiting, letter: typed }
      : { type: 'say', text: 'a mark is a letter or a digit' };
  }
  // Nobody looks for a q in the help.
  if (state.panel?.kind === 'help' && state.panel.text === '' && key === 'q') return { type: 'escape' };
  const change = state.panel?.kind === 'transforms' && state.panel.text === '' ? PANEL_CHANGES.get(key) : undefined;
  if (change) return { type: 'panel-change', change };
  if (state.prompt || state.panel) return inputAction(key, typed, state.panel !== undefined);
  const binding = bindingsOf(activeView(state)).find((b) => b.keys.includes(key) && !passes(state, b));
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
  if (key === 'esc' || key === 'ctrl-c') return { type: 'escape' };
  if (key === 'enter') return { type: 'accept' };
  if (panel) {
    const by = PANEL_MOVES.get(key);
    if (by !== undefined) return { type: 'panel-move', by };
    if (key === 'space') return { type: 'panel-toggle' };
  }
  if (!panel && (key === 'up' || key === 'down')) return { type: 'input-older', by: key === 'up' ? 1 : -1 };
  const edit = EDITS.get(key);
  if (edit) return { type: 'input-edit', edit };
  const text = textOf(typed);
  return text === '' ? { type: 'none' } : { type: 'input', text };
}

/** Without control characters. */
function textOf(typed: string): string {
  return [...typed].filter((ch) => ch >= ' ' && ch !== '\u007f').join('');
}

/** Pasted text goes into the line that is being typed, as one line; its letters are no keys. */
export function pasteAction(state: AppState, pasted: string): Action {
  const text = textOf(pasted.replace(/[\r\n\t]+/g, ' ')).trim();
  if (text === '') return { type: 'none' };
  if (state.prompt || state.panel) return { type: 'input', text };
  return { type: 'say', text: 'nothing takes the pasted text: open a search (/), a filter (&) or the commands (:) first' };
}
