// The keys that work in every view, and how a key becomes an action. Footer, help, palette and README are made from these.
import { type AnyView, type AnyViewAction, views, viewsOf } from '../views/index.ts';
import type { Key } from '../views/open-view.ts';
import type { Action, AppAction, Edit } from './action.ts';
import { type AppState, activeView, contextOf, openView } from './state.ts';

export interface GlobalBinding extends Key<AppAction> {
  readonly off?: (state: AppState) => string | undefined;
}

/** A key of every view, or of one. */
export type AnyBinding = GlobalBinding | Key<AnyViewAction>;

const ofProfile = (digit: string) => (state: AppState) => {
  if (viewsOf(state.analysis, state.base).some((v) => v.digit === digit)) return undefined;
  const needs = new Set(views.filter((v) => v.digit === digit).map((v) => v.asks.join(' and ')));
  return `this profile has no ${[...needs].join(' or ')}`;
};
const DIGITS = [...new Set(views.map((v) => v.digit))].sort();

const noStacks = (state: AppState) =>
  state.analysis.costing.can.has('stacks') ? undefined : 'only sampled stacks can be shown by something other than routines';

const GLOBAL: readonly GlobalBinding[] = [
  ...DIGITS.map(
    (digit): GlobalBinding => ({
      keys: [digit],
      action: { type: 'digit', digit },
      help: `${views
        .filter((v) => v.digit === digit)
        .map((v) => v.title)
        .join(' or ')} view`,
      group: 'view',
      off: ofProfile(digit),
    }),
  ),
  { keys: ['tab'], action: { type: 'next-view', by: 1 }, help: 'next view', group: 'view' },
  { keys: ['shift-tab'], action: { type: 'next-view', by: -1 }, help: 'previous view', group: 'view' },
  {
    keys: ['backspace', '('],
    action: { type: 'back' },
    help: 'back to where you were',
    group: 'view',
    off: (s) => (s.back.length === 0 && !s.outer ? 'there is nowhere to go back to' : undefined),
  },
  {
    keys: [')'],
    action: { type: 'forward' },
    help: 'forward again',
    group: 'view',
    off: (s) => (s.forward.length === 0 ? 'you did not go back' : undefined),
  },
  { keys: ['/'], action: { type: 'prompt', kind: 'search' }, help: 'search in this view', group: 'find', footer: 'search' },
  {
    keys: ['n'],
    action: { type: 'search', by: 1 },
    help: 'next match',
    group: 'find',
    off: (s) => (s.search === '' ? 'nothing was searched for; / searches' : undefined),
  },
  {
    keys: ['N'],
    action: { type: 'search', by: -1 },
    help: 'previous match',
    group: 'find',
    off: (s) => (s.search === '' ? 'nothing was searched for; / searches' : undefined),
  },
  {
    keys: ['&'],
    action: { type: 'prompt', kind: 'filter' },
    help: 'only rows that match: fuzzy, /regexp/, ! inverts',
    group: 'find',
    footer: 'filter',
  },
  { keys: ['m'], action: { type: 'wait', kind: 'mark' }, help: 'mark the routine with a letter', group: 'find' },
  {
    keys: ["'"],
    action: { type: 'wait', kind: 'to-mark' },
    help: 'go to the routine marked with a letter',
    group: 'find',
    off: (s) => (s.marks.size === 0 ? 'no routine is marked; m marks one' : undefined),
  },
  { keys: ['v'], action: { type: 'panel', kind: 'events' }, help: 'choose the event', group: 'show', footer: 'event' },
  { keys: ['%'], action: { type: 'percent' }, help: 'percent of the whole, percent of parent, or none', group: 'show' },
  { keys: ['D'], action: { type: 'prompt', kind: 'derive' }, help: 'an event of your own from a formula', group: 'show' },
  {
    keys: ['u'],
    action: { type: 'grain' },
    help: 'samples by routine, line, address, file, object',
    group: 'show',
    footer: 'by',
    off: noStacks,
  },
  {
    keys: ['U'],
    action: { type: 'unknowns' },
    help: 'addresses without a symbol: one routine per object, or one per address',
    group: 'show',
    off: noStacks,
  },
  { keys: ['e'], action: { type: 'edit' }, help: 'open $EDITOR at the line', group: 'do' },
  { keys: ['y'], action: { type: 'copy' }, help: 'copy the name under the cursor (OSC 52)', group: 'do' },
  { keys: ['P'], action: { type: 'prompt', kind: 'write' }, help: 'write the view to a file', group: 'do' },
  { keys: ['R'], action: { type: 'reload' }, help: 'reload the file and stay here', group: 'do' },
  {
    keys: ['M'],
    action: { type: 'merge' },
    help: 'merge the other files of this run',
    group: 'do',
    off: (s) => (s.siblings.length === 0 ? 'no other files of this run are here' : undefined),
  },
  { keys: [':'], action: { type: 'panel', kind: 'palette' }, help: 'all commands, by name', group: 'do' },
  { keys: ['?', 'f1'], action: { type: 'panel', kind: 'help' }, help: 'help: all keys', group: 'do', footer: 'help' },
  { keys: ['esc'], action: { type: 'escape' }, help: 'close what is open, remove the filter', group: 'do' },
  { keys: ['ctrl-z'], action: { type: 'suspend' }, help: 'suspend; fg returns', group: 'do' },
  { keys: ['ctrl-l'], action: { type: 'redraw' }, help: 'redraw the screen', group: 'do' },
  { keys: ['q', 'ctrl-c'], action: { type: 'quit' }, help: 'quit', group: 'do', footer: 'quit' },
];

export const globalBindings = GLOBAL;

/** The bindings that hold now: the view's before the global ones. */
export function bindingsOf(view: AnyView): readonly AnyBinding[] {
  return [...view.keys, ...GLOBAL];
}

/** A key of every view; the others are the active view's own. */
export function isGlobal(binding: AnyBinding): binding is GlobalBinding {
  return GLOBAL.some((b) => b === binding);
}

/** What a key does here: of the views that share a digit only the one that this profile has is named, if it has one. */
export function helpOf(state: AppState, binding: AnyBinding): string {
  if (!isGlobal(binding) || binding.action.type !== 'digit') return binding.help;
  const { digit } = binding.action;
  const view = viewsOf(state.analysis, state.base).find((v) => v.digit === digit);
  return view ? `${view.title} view` : binding.help;
}

/** What pressing the key does: a view's own action goes to that view. */
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

/** How a key is called on the screen. */
export function keyLabel(key: string): string {
  return LABELS.get(key) ?? (key.startsWith('ctrl-') ? '^' + key.slice(5).toUpperCase() : key);
}

/** Why a binding can do nothing now. */
export function offReason(state: AppState, binding: AnyBinding): string | undefined {
  if (isGlobal(binding)) return binding.off?.(state);
  return openView(state).off(binding.action, contextOf(state));
}

/** The action of a key, as text from the terminal comes in `typed`. Every key gives one, if only the reason why it does nothing. */
export function actionFor(state: AppState, key: string, typed: string): Action {
  if (state.waiting) {
    if (key === 'esc' || key === 'ctrl-c') return { type: 'escape' };
    return /^[a-zA-Z0-9]$/.test(typed)
      ? { type: state.waiting, letter: typed }
      : { type: 'say', text: 'a mark is a letter or a digit' };
  }
  if (state.prompt || state.panel) return inputAction(key, typed, state.panel !== undefined);
  const binding = bindingsOf(activeView(state)).find((b) => b.keys.includes(key));
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

function inputAction(key: string, typed: string, panel: boolean): Action {
  if (key === 'esc' || key === 'ctrl-c') return { type: 'escape' };
  if (key === 'enter') return { type: 'accept' };
  if (panel) {
    const by = PANEL_MOVES.get(key);
    if (by !== undefined) return { type: 'panel-move', by };
    if (key === 'space') return { type: 'panel-toggle' };
  }
  const edit = EDITS.get(key);
  if (edit) return { type: 'input-edit', edit };
  // One character, or several that were pasted; control characters are no text.
  const text = [...typed].filter((ch) => ch >= ' ' && ch !== '\u007f').join('');
  return text === '' ? { type: 'none' } : { type: 'input', text };
}
