// Applies one action to a state. Pure: work outside is returned as effects.

import { notesOf } from '../analysis/answers/notes.ts';
import type { BaseRun } from '../analysis/profiles/compare/compare.ts';
import { transformText } from '../analysis/profiles/transforms/transform.ts';
import type { CodeText, FoundSource } from '../base/source-text.ts';
import type { KeptNote, Profile } from '../model/profile.ts';
import { type AnyViewAction, type ViewId, viewNamed } from '../views/index.ts';
import type { ShowRequest, ViewRequest } from '../views/view.ts';
import type { Action, AppActions, CommandName } from './action.ts';
import { chooseBase, compareWithBase, compareWithPrevious, showNextMeasure } from './base-choice.ts';
import { CHOICE_HANDLERS, chooseColumns, defineEvent, toggleColumn } from './choices.ts';
import { continueSearch, finishSearch, ROW_HANDLERS, searchText, setFilter } from './commands.ts';
import { detailRowCount } from './detail.ts';
import { editNote, markRoutine } from './edit-note.ts';
import { compareLoaded, type InlinedFunctionsRead, isInlinedShown, showInlinedFunctions, toggleInlined } from './inlined.ts';
import { addBaseSource, addSource, addSourceDir, requestViewData, withheldFolder } from './needs.ts';
import { acceptPanelRow, changePanelTransform, movePanelCursor, openPanel, togglePanelColumn } from './panel-update.ts';
import { panelRows, withoutTriedRow } from './panels.ts';
import {
  canCloseView,
  goInHistory,
  markAsEntered,
  openBaseStep,
  openNestedProfile,
  openViewOfRoutine,
  switchView,
  takeSubject,
} from './places.ts';
import { targetOfPointer } from './pointer.ts';
import { cancelPrompt, PROMPT_HANDLERS, promptForArgument, restoreView, savePromptLine } from './prompts.ts';
import { changeGranularity, type LoadedProfile, replaceProfile } from './reload.ts';
import { acceptRenameGuess, toggleSureRenames } from './renames.ts';
import { openInOtherPane, PANE_HANDLERS, syncOtherPane, updateFollower, withOtherPaneActive } from './split.ts';
import {
  type ActionHandlers,
  type AppState,
  activeView,
  appliesFilter,
  type BaseOffer,
  contextOf,
  cursorRoutine,
  type Effect,
  openView,
  splitSizes,
  type UpdateResult,
  withMessage,
  withView,
} from './state.ts';
import { addTransform, continueTransforms, stopTransforms, TRANSFORM_HANDLERS } from './transforms.ts';

/** Results of effects, whose data cannot be part of recorded actions. */
export type EffectAnswer =
  | { readonly type: 'opened'; readonly profile: Profile; readonly notes: readonly KeptNote[] }
  | { readonly type: 'source-dir'; readonly dir: string }
  | { readonly type: 'source-read'; readonly file: string; readonly text: FoundSource; readonly base?: boolean }
  | { readonly type: 'disassembled'; readonly routine: number; readonly text: CodeText | string; readonly asked: boolean }
  | ({ readonly type: 'loaded' } & LoadedProfile)
  | ({ readonly type: 'inlines-read' } & InlinedFunctionsRead)
  | { readonly type: 'bases-found'; readonly offers: readonly BaseOffer[] }
  | { readonly type: 'base-loaded'; readonly versus: BaseRun; readonly path: string };

export function update(state: AppState, action: Action): UpdateResult {
  // Until the work is done, the state stays the same: its results are drawn after the last slice.
  if (action.type === 'work' && !state.reshaping && !continueWork(state))
    return [state.unfinished ? state : { ...state, unfinished: true }, []];
  // Keys typed ahead are about the row that a search is on its way to; Esc and the pointer are about what is shown.
  const isAhead = state.seeking && !state.prompt && !QUIET_ACTIONS.has(action.type) && !STOPS_SEARCH.has(action.type);
  const [found, before] = isAhead ? syncView(finishSearch(state), []) : [state, []];
  const [next, effects] = applyAction(found, action);
  return syncView(next, [...before, ...effects]);
}

/** Continues unfinished work of the visible views; true once done. */
function continueWork(state: AppState): boolean {
  const panes = splitSizes(state) ? [state, withOtherPaneActive(state)] : [state];
  return panes.map((pane) => openView(pane).work(contextOf(pane), state.timeBudgetMs)).every(Boolean);
}

/** Computes data that later keys may need; true once done. */
export const prepareForKeys = (state: AppState): boolean => activeView(state).idle(contextOf(state), state.timeBudgetMs);

export const applyAnswer = (state: AppState, a: EffectAnswer): UpdateResult => syncView(...asUpdateResult(takeAnswer(state, a)));

function takeAnswer(state: AppState, a: EffectAnswer): AppState | UpdateResult {
  switch (a.type) {
    case 'source-read':
      return a.base ? addBaseSource(state, a.file, a.text) : addSource(state, a.file, a.text);
    case 'source-dir':
      return addSourceDir(state, a.dir);
    case 'disassembled': {
      const next = { ...state, disassembly: new Map(state.disassembly).set(a.routine, a.text) };
      // If the user asked for the disassembly, a message tells why there is none; otherwise only the view shows the reason.
      if (!a.asked) return next;
      return typeof a.text === 'string' ? withMessage(next, a.text, 'error') : withMessage(next, '');
    }
    case 'loaded': {
      const next = replaceProfile(a.notes ? { ...state, notes: notesOf(a.notes) } : state, a);
      return isInlinedShown(state) ? [next, [{ type: 'read-inlines' }]] : next;
    }
    case 'inlines-read':
      return showInlinedFunctions(state, a);
    case 'bases-found':
      return { ...state, offers: a.offers };
    case 'base-loaded':
      return compareLoaded(state, a.versus, a.path);
    case 'opened':
      return openNestedProfile(state, a.profile, a.notes);
  }
}

/** Syncs the view with the context, and requests what it needs. */
function syncView(before: AppState, effects: readonly Effect[]): UpdateResult {
  const state = updateFollower(openInOtherPane(takeSubject(before)));
  const context = contextOf(state);
  const unfinished = !continueWork(state) || state.awaitsSubject || state.seeking !== undefined || state.reshaping !== undefined;
  const synced = openView(state).sync(context);
  let next = withView(state, synced);
  if (unfinished !== next.unfinished) next = { ...next, unfinished };
  // If the details need more lines, fewer remain for the view, so it is synced again.
  const detailRows = detailRowCount(next);
  if (detailRows !== next.detailRows) {
    next = { ...next, detailRows };
    next = withView(next, openView(next).sync(contextOf(next)));
  }
  const asked = requestViewData(next, synced, context, effects);
  return splitSizes(next) ? syncOtherPane(asked) : asked;
}

/** Actions that neither clear the message nor stop a search. */
const QUIET_ACTIONS: ReadonlySet<string> = new Set(['none', 'work', 'resize', 'follow', 'split-wide']);
/** Actions that stop a search instead of waiting for it. */
const STOPS_SEARCH: ReadonlySet<string> = new Set(['escape', 'click', 'wheel']);

function applyAction(from: AppState, action: Action): UpdateResult {
  if (action.type === 'work') return [from.reshaping ? continueTransforms(from) : continueSearch(from), []];
  if (action.type === 'click' || action.type === 'wheel') {
    const done = targetOfPointer(from, action);
    return done ? applyAction(done.state, done.action) : [from, []];
  }
  const quiet = QUIET_ACTIONS.has(action.type) || (!from.message && !from.seeking);
  const state = quiet ? from : { ...from, message: undefined, seeking: undefined };
  // Esc stops a search before it closes anything else.
  if (action.type === 'escape' && from.seeking && !from.prompt && !from.panel) return [withMessage(state, 'search stopped'), []];
  if (action.type === 'escape' && from.reshaping && !from.prompt && !from.panel) return [stopTransforms(from), []];
  if (action.type === 'in-view') return applyViewAction({ ...state, awaitsSubject: false }, action.view, action.action);
  return asUpdateResult(runHandler(state, action.type, action));
}

/** Calls the handler of an action. Generic, so that the types of action and handler match. */
const runHandler = <T extends keyof AppActions>(state: AppState, type: T, action: AppActions[T]) =>
  ACTION_HANDLERS[type](state, action);
const asUpdateResult = (done: AppState | UpdateResult): UpdateResult => ('loaded' in done ? [done, []] : done);
const keepState = (state: AppState): AppState => state;
const requestEffect =
  (effect: Effect, message?: string) =>
  (state: AppState): UpdateResult => [message === undefined ? state : withMessage(state, message), [effect]];

const ACTION_HANDLERS: ActionHandlers = {
  ...ROW_HANDLERS,
  ...PROMPT_HANDLERS,
  ...PANE_HANDLERS,
  ...CHOICE_HANDLERS,
  ...TRANSFORM_HANDLERS,
  // Panels, messages, and what closes or accepts.
  say: (state, { text }) => withMessage(state, text),
  wait: (state, { kind }) => ({ ...state, waiting: kind, message: { text: 'type a letter or digit …', kind: 'info' } }),
  escape: closeTopmost,
  panel: (state, { kind }) => openPanel(state, kind),
  'panel-move': (state, { by }) => tryPanelRow(movePanelCursor(state, by)),
  'panel-toggle': togglePanelColumn,
  'panel-change': (state, { change }) => changePanelTransform(state, change),
  accept: (state) => (state.panel ? acceptPanel(state, state.panel.row) : acceptPrompt(state)),
  command: (state, { name, argument }) => runCommand(state, name, argument),
  'view-command': (state, { view, name, argument }) => runViewCommand(state, view, name, argument),
  // Navigation: routines, marks, matches.
  resize: (state, { width, height }) => ({ ...state, width, height }),
  show: (state, { view, routine, context }) => showRoutine(state, view, routine, context),
  back: (state) => goInHistory(state, 'back'),
  forward: (state) => goInHistory(state, 'forward'),
  'to-subject'(state) {
    const found = openView(state).findRoutine(state.focus, contextOf(state));
    return found ? withView(state, found) : withMessage(state, `${activeView(state).title} has no rows of routines`);
  },
  mark: (state, { letter }) => markRoutine(state, letter),
  callers: showAllCallers,
  'to-mark'(state, { letter }) {
    const off = { ...state, waiting: undefined };
    if (letter === "'")
      return state.back.length > 0 ? goInHistory(off, 'back') : withMessage(off, 'there is no place before this one');
    const routine = state.marks.get(letter);
    return routine === undefined
      ? withMessage(off, `no routine is marked ${letter}`)
      : openViewOfRoutine(off, state.view, routine);
  },
  // Changes of which part of the profile is shown and how, and requests for an effect on it.
  measure: showNextMeasure,
  'accept-guess': acceptRenameGuess,
  'toggle-renames': toggleSureRenames,
  'choose-base': chooseBase,
  'base-before': compareWithPrevious,
  'no-base': (state) => compareWithBase(state, undefined, ''),
  grain: (state) => (state.loaded.kind === 'callgraph' ? toggleInlined(state) : changeGranularity(state, 'grain')),
  unknowns: (state) => changeGranularity(state, 'unknowns'),
  syntax: (state) => [{ ...state, syntax: state.syntax === 'att' ? 'intel' : 'att', disassembly: new Map() }, []],
  'show-source'(state) {
    const folder = withheldFolder(state);
    return [state, folder === undefined ? [] : [{ type: 'source-dir', dir: folder }]];
  },
  'follow-file'(state) {
    const following = !state.following;
    return withMessage({ ...state, following }, following ? 'Following: updates within a second' : 'No longer following');
  },
  'want-disassembly'(state, { routine }) {
    if (typeof state.disassembly.get(routine) === 'object') return withMessage(state, 'already disassembled');
    return requestEffect({ type: 'disassemble', routine, asked: true }, 'running objdump …')(state);
  },
  // These actions are handled in applyAction().
  none: keepState,
  work: keepState,
  click: keepState,
  wheel: keepState,
  redraw: keepState,
  quit: requestEffect({ type: 'quit' }),
  suspend: requestEffect({ type: 'suspend' }),
  'copy-command': requestEffect({ type: 'copy-command' }),
  reload: requestEffect({ type: 'reload' }, 'loading …'),
  merge: requestEffect({ type: 'merge' }, 'loading …'),
  'open-profile': (state, { path }) => requestEffect({ type: 'open', path }, 'loading …')(state),
};

/** Applies an action of a view, after switching to that view. It may be a request to the app instead of a change of the view. */
function applyViewAction(from: AppState, view: ViewId, action: AnyViewAction): UpdateResult {
  const state = view === from.view ? from : syncView(switchView(from, view), [])[0];
  const context = contextOf(state);
  const opened = openView(state);
  const request = opened.request(action, context);
  if (request) return answerRequest(state, request);
  const why = opened.noEffectReason(action, context);
  if (why !== undefined) return [withMessage(state, why), []];
  const done = opened.act(action, context) ?? opened;
  const next = withView(state, done);
  const message = done.messageAfter(action, context);
  return [message === undefined ? next : withMessage(next, message), []];
}

function answerRequest(state: AppState, request: ViewRequest): UpdateResult {
  switch (request.type) {
    case 'show':
      return [openRequestedView(state, request), []];
    case 'ask':
      return [promptForArgument(state, state.view, request.command), []];
    case 'base-step':
      return [openBaseStep(state, request.step), []];
    case 'transform':
      return [addTransform(state, transformText(request.transform)), []];
    default:
      return applyAction(state, request);
  }
}

/** Opens the requested view, with its cursor on the requested row, source line or step. */
function openRequestedView(from: AppState, { view: wanted, event, routine, context, place, step, row }: ShowRequest): AppState {
  const view = viewNamed(wanted)?.id;
  if (!view) return from;
  const extraColumns = from.extraColumns.filter((name) => name !== event);
  const state = event === undefined || event === from.event ? from : { ...from, event, extraColumns };
  const shown = routine === undefined ? switchView(state, view) : showRoutine(state, view, routine, context);
  const opened = markAsEntered(state, shown);
  const withStep = step === undefined ? opened : { ...opened, step };
  const open = openView(withStep);
  const targetContext = contextOf(withStep);
  if (place) return withView(withStep, open.goToSourceLine(place, targetContext));
  if (row !== undefined) return withView(withStep, open.goToRow(row, targetContext));
  return step === undefined ? withStep : withView(withStep, open.findStep(step, targetContext) ?? open);
}

function showRoutine(state: AppState, view: ViewId, routine: number, calling: number | undefined): AppState {
  const there = openViewOfRoutine(state, view, routine);
  return calling === undefined ? there : withView(there, openView(there).showContext(calling, contextOf(there)));
}

/** Shows the tree of all callers of the routine under the cursor, or of the one in focus. */
function showAllCallers(state: AppState): UpdateResult {
  const under = cursorRoutine(state);
  const routine = under < 0 ? state.focus : under;
  if (routine < 0) return [withMessage(state, 'the cursor is not on a routine'), []];
  // A tree that shows the callers of another routine goes back to the complete one first.
  const tree = state.views.get('tree')?.close();
  const from = tree ? { ...state, views: new Map(state.views).set('tree', tree) } : state;
  return applyViewAction(markAsEntered(state, openViewOfRoutine(from, 'tree', routine)), 'tree', { type: 'callers' });
}

function closeTopmost(state: AppState): AppState {
  if (state.waiting) return { ...state, waiting: undefined, message: undefined };
  if (state.prompt) return cancelPrompt(state);
  if (state.panel) return { ...withoutTriedRow(state), panel: undefined };
  const closed = openView(state).close();
  if (closed) return withView(state, closed);
  if (state.marking) return { ...state, marking: false };
  if (state.filter !== '') return withMessage({ ...state, filter: '', matcher: undefined }, 'filter removed');
  return withMessage(state, `nothing to close; q ${canCloseView(state) ? 'goes back' : 'quits'}`);
}

/** Applies the row under the cursor of a menu of the view, if it chooses a value; the menu stays open, and Esc takes it back. */
function tryPanelRow(shown: AppState): AppState {
  const { panel } = shown;
  if (!panel?.before) return shown;
  const state = withoutTriedRow(shown);
  const { action, off } = panelRows(state)[panel.row] ?? {};
  if (off || action?.type !== 'in-view' || !('value' in action.action)) return state;
  return openView(state).request(action.action, contextOf(state)) ? state : applyViewAction(state, action.view, action.action)[0];
}

function acceptPanel(state: AppState, at: number): UpdateResult {
  const [next, action] = acceptPanelRow(state, at);
  if (!action) return [next, []];
  const done = applyAction(next, action);
  // An error keeps the panel open, so that the user can correct the typed text.
  const isWrong = action.type === 'transform' && done[0].message?.kind === 'error';
  return isWrong ? [{ ...state, message: done[0].message }, []] : done;
}

function acceptPrompt(from: AppState): UpdateResult {
  const state = savePromptLine(from);
  const { prompt } = state;
  if (!prompt) return [state, []];
  const closed: AppState = { ...state, prompt: undefined };
  const text = prompt.text.trim();
  if (prompt.kind === 'filter') {
    const set = setFilter(closed, text);
    const rows = text === '' || set.message?.kind === 'error' || appliesFilter(set);
    const lists = set.matcher?.conditions ? 'views with columns' : 'lists of routines and steps';
    const next = rows ? set : withMessage(set, `${activeView(set).title} ignores the filter; it applies to ${lists}`);
    // An invalid pattern restores the filter before the prompt.
    return [next.message?.kind === 'error' ? { ...cancelPrompt(state), message: next.message } : next, []];
  }
  // Typing has moved the cursor to the match already, so the search restarts from where the prompt was opened.
  if (prompt.kind === 'search' && prompt.before && text !== '')
    return runCommand(restoreView(closed, prompt.before), 'search', text);
  return prompt.kind === 'view'
    ? [runViewCommand(closed, prompt.view, prompt.command, text), []]
    : runCommand(closed, prompt.kind, text);
}

function runViewCommand(from: AppState, view: ViewId, name: string, argument: string): AppState {
  const state = view === from.view ? from : syncView(switchView(from, view), [])[0];
  return withMessage(state, openView(state).command(name, argument, contextOf(state)));
}

/** Commands that work in all views. */
const COMMANDS: Readonly<Record<CommandName, (state: AppState, argument: string) => UpdateResult>> = {
  filter: (state, text) => [setFilter(state, text), []],
  search: (state, text) => [searchText(state, text), []],
  apply: (state, text) => [addTransform(state, text), []],
  derive: (state, text) => [defineEvent(state, text), []],
  column: (state, name) => [toggleColumn(state, name), []],
  columns: chooseColumns,
  'source-dir': (state, dir) => [state, [{ type: 'source-dir', dir }]],
  base: (state, path) => [withMessage(state, 'loading …'), [{ type: 'load-base', path }]],
  open: (state, path) => [withMessage(state, 'loading …'), [{ type: 'open-file', path }]],
  add: (state, path) => [withMessage(state, 'loading …'), [{ type: 'add-file', path }]],
  note: editNote,
  set: (state, text) => [state, [{ type: 'set', text }]],
  write: (state, path) => [state, [{ type: 'write', path }]],
  export: (state, path) => [state, [{ type: 'export', path }]],
};

function runCommand(state: AppState, name: CommandName, argument: string): UpdateResult {
  return argument === '' && name !== 'columns' && name !== 'filter' ? [state, []] : COMMANDS[name](state, argument);
}
