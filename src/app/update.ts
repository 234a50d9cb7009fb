// One action, one new state. Pure: whatever must be done outside is returned as effects.
import { type KeptNote, notesOf } from '../analysis/answers/notes.ts';
import type { Versus } from '../analysis/profiles/compare/versus.ts';
import { transformText } from '../analysis/profiles/transforms/transform.ts';
import type { CodeText } from '../base/code-text.ts';
import type { SourceText, Withheld } from '../base/source-text.ts';
import type { Profile } from '../model/profile.ts';
import { type AnyViewAction, type ViewId, viewNamed, viewsOf } from '../views/index.ts';
import type { Request, Show } from '../views/view.ts';
import type { Action, AppAction } from './action.ts';
import { chooseBase, compareWith, compareWithPrevious, nextMeasure } from './base-choice.ts';
import { favourite, nextNames, nextPercent, showOnly, switchParts, toggleColumn, togglePart } from './choices.ts';
import { copy, edit, goToNumber, search, seek } from './commands.ts';
import { detailRowsOf } from './detail.ts';
import { compareLoaded, type InlinesRead, showInlines, showsInlined, toggleInlined } from './inlined.ts';
import { editText, insertText } from './input.ts';
import { addBaseSource, addSource, addSourceDir, requestNeeds, withheldFolder } from './needs.ts';
import { keptNotes } from './noting.ts';
import { accepted, changeInPanel, movePanel, startRow, toggleInPanel } from './panel-update.ts';
import { baseStep, canLeave, entered, goTo, leave, openedInside, setMark, show, travel } from './places.ts';
import { pointed } from './pointer.ts';
import { ask, older, openPrompt, remembered, setFilter, takenBack, typed, withBefore } from './prompts.ts';
import { changeGrain, type Loaded, replaceProfile } from './reload.ts';
import { acceptGuess } from './renames.ts';
import { command } from './run-command.ts';
import { aside, flip, follow, settleOther, splitWide, switchSplit, untangled, workOnOther } from './split.ts';
import {
  type AppState,
  activeView,
  type BaseOffer,
  contextOf,
  type Effect,
  openView,
  type Step,
  say,
  splitSizes,
  tabBeside,
  withView,
} from './state.ts';
import { addTransform, applyToTransforms, goOn, stopReshaping } from './transforms.ts';

/** Results of effects; they carry data that recorded actions cannot. */
export type Answer =
  | { readonly type: 'opened'; readonly profile: Profile; readonly notes: readonly KeptNote[] }
  | { readonly type: 'source-dir'; readonly dir: string }
  | {
      readonly type: 'source-read';
      readonly file: string;
      readonly text: SourceText | Withheld | string;
      readonly base?: boolean;
    }
  | { readonly type: 'disassembled'; readonly routine: number; readonly text: CodeText | string; readonly asked: boolean }
  | ({ readonly type: 'loaded' } & Loaded)
  | ({ readonly type: 'inlines-read' } & InlinesRead)
  | { readonly type: 'bases-found'; readonly offers: readonly BaseOffer[] }
  | { readonly type: 'base-loaded'; readonly versus: Versus; readonly path: string };

export function update(state: AppState, action: Action): Step {
  // The results of the slices are only put together to be drawn, and after the last slice.
  if (action.type === 'work' && !state.reshaping && !workOn(state))
    return [state.unfinished ? state : { ...state, unfinished: true }, []];
  const [next, effects] = apply(state, action);
  return settle(next, effects);
}

/** Continues long work; true when nothing is left. */
function workOn(state: AppState): boolean {
  const done = openView(state).work(contextOf(state), state.patienceMs);
  return (splitSizes(state) === undefined || workOnOther(state)) && done;
}

/** Prepares what a key may need; true when nothing is left. */
export function prepare(state: AppState): boolean {
  return activeView(state).idle(contextOf(state), state.patienceMs);
}

export function answer(state: AppState, a: Answer): Step {
  switch (a.type) {
    case 'source-read':
      return settle(a.base ? addBaseSource(state, a.file, a.text) : addSource(state, a.file, a.text), []);
    case 'source-dir':
      return settle(addSourceDir(state, a.dir), []);
    case 'disassembled': {
      const next = { ...state, disassembly: new Map(state.disassembly).set(a.routine, a.text) };
      // A view shows by itself why there is no text; only who asked for it gets an answer.
      if (!a.asked) return settle(next, []);
      return settle(typeof a.text === 'string' ? say(next, a.text, 'error') : say(next, ''), []);
    }
    case 'loaded':
      return settle(
        replaceProfile(a.notes ? { ...state, notes: notesOf(a.notes) } : state, a),
        showsInlined(state) ? [{ type: 'read-inlines' }] : [],
      );
    case 'inlines-read':
      return settle(showInlines(state, a), []);
    case 'bases-found':
      return settle({ ...state, offers: a.offers }, []);
    case 'base-loaded':
      return settle(...compareLoaded(state, a.versus, a.path));
    case 'opened':
      return settle(openedInside(state, a.profile, a.notes), []);
  }
}

/** Syncs the view with the context, and requests what it needs. */
function settle(before: AppState, effects: readonly Effect[]): Step {
  const state = untangled(before);
  const context = contextOf(state);
  const unfinished = !workOn(state) || state.seeking !== undefined || state.reshaping !== undefined;
  const synced = openView(state).sync(context);
  let next = withView(state, synced);
  if (unfinished !== next.unfinished) next = { ...next, unfinished };
  // A name that takes more lines leaves fewer to the view.
  const detailRows = detailRowsOf(next);
  if (detailRows !== next.detailRows) {
    next = { ...next, detailRows };
    next = withView(next, openView(next).sync(contextOf(next)));
  }
  const asked = requestNeeds(next, synced, context, effects);
  return splitSizes(next) ? settleOther(asked) : asked;
}

/** Actions that neither clear the message nor stop a search. */
const QUIET: ReadonlySet<string> = new Set(['none', 'work', 'resize', 'follow', 'split-wide']);

function apply(full: AppState, action: Action): Step {
  if (action.type === 'work') return [full.reshaping ? goOn(full) : seek(full), []];
  if (action.type === 'click' || action.type === 'wheel') {
    const done = pointed(full, action);
    return done ? apply(done.state, done.action) : [full, []];
  }
  const quiet = QUIET.has(action.type) || (!full.message && !full.seeking);
  const state = quiet ? full : { ...full, message: undefined, seeking: undefined };
  // Esc stops a search before it closes anything else.
  if (action.type === 'escape' && full.seeking && !full.prompt && !full.panel) return [say(state, 'search stopped'), []];
  if (action.type === 'escape' && full.reshaping && !full.prompt && !full.panel) return [stopReshaping(full), []];
  if (action.type === 'in-view') return inView(state, action.view, action.action);
  return (
    applyToInput(state, action) ??
    applyToPlace(state, action) ??
    applyToTransforms(state, action) ??
    applyToProfile(state, action) ?? [state, []]
  );
}

/** Prompts, panels, and what is typed into them. */
function applyToInput(state: AppState, action: AppAction): Step | undefined {
  switch (action.type) {
    case 'escape':
      return [closeOne(state), []];
    case 'say':
      return [say(state, action.text), []];
    case 'wait':
      return [{ ...state, waiting: action.kind, message: { text: 'type a letter or digit …', kind: 'info' } }, []];
    case 'prompt':
      return [openPrompt(state, action.kind), []];
    case 'ask':
      return [ask(state, action.view, action.command), []];
    case 'panel':
      return [{ ...state, panel: { kind: action.kind, text: '', cursor: 0, row: startRow(state, action.kind) } }, []];
    case 'panel-move':
      return [movePanel(state, action.by), []];
    case 'panel-toggle':
      return [toggleInPanel(state), []];
    case 'panel-change':
      return [changeInPanel(state, action.change), []];
    case 'input':
      return [typed(state, (input) => insertText(input, action.text)), []];
    case 'input-older':
      return [older(state, action.by), []];
    case 'input-edit':
      return [typed(state, (input) => editText(input, action.edit)), []];
    case 'input-set':
      return [typed(state, () => ({ text: action.text, cursor: action.text.length })), []];
    case 'accept':
      return state.panel ? acceptPanel(state, state.panel.row) : acceptPrompt(state);
    case 'command':
      return command(state, action.name, action.argument);
    case 'view-command':
      return [viewCommand(state, action.view, action.name, action.argument), []];
    default:
      return undefined;
  }
}

/** Navigation: the view, the routine, marks, matches. */
function applyToPlace(state: AppState, action: AppAction): Step | undefined {
  switch (action.type) {
    case 'resize':
      return [{ ...state, width: action.width, height: action.height }, []];
    case 'digit': {
      const view = viewsOf(state.analysis).find((v) => v.digit === action.digit);
      return [view ? goTo(aside(state, view.id), view.id) : state, []];
    }
    case 'view':
      return [goTo(aside(state, action.view), action.view), []];
    case 'split':
      return switchSplit(state, action.how);
    case 'split-wide':
      return [splitWide(state), []];
    case 'follow':
      return [follow(state), []];
    case 'next-view':
      return [splitSizes(state) ? flip(state) : goTo(state, tabBeside(state, action.by)), []];
    case 'show':
      return [showRoutine(state, action.view, action.routine, action.context), []];
    case 'leave':
      return [leave(state), []];
    case 'back':
    case 'forward':
      return [travel(state, action.type), []];
    case 'mark':
      return keptNotes(state, setMark(state, action.letter));
    case 'to-mark': {
      const routine = state.marks.get(action.letter);
      const off = { ...state, waiting: undefined };
      return [routine === undefined ? say(off, `no routine is marked ${action.letter}`) : show(off, state.view, routine), []];
    }
    case 'search':
      return [search(state, action.by), []];
    case 'go-to':
      return [goToNumber(state, action.number), []];
    default:
      return undefined;
  }
}

/** The shown part of the profile, and effects on it. */
function applyToProfile(state: AppState, action: AppAction): Step | undefined {
  switch (action.type) {
    case 'quit':
    case 'suspend':
      return [state, [{ type: action.type }]];
    case 'event': {
      const extraColumns = state.extraColumns.filter((e) => e !== action.name);
      return [{ ...state, event: action.name, extraColumns, panel: undefined }, []];
    }
    case 'extra-event':
      return [toggleColumn(state, action.name), []];
    case 'percent':
      return [nextPercent(state), []];
    case 'measure':
      return [nextMeasure(state), []];
    case 'accept-guess':
      return [acceptGuess(state), []];
    case 'choose-base':
      return chooseBase(state);
    case 'base-before':
      return [compareWithPrevious(state), []];
    case 'no-base':
      return [compareWith(state, undefined, ''), []];
    case 'names':
      return [nextNames(state), []];
    case 'toggle-part':
      return [togglePart(state, action.part), []];
    case 'only-part':
      return [showOnly(state, action.part), []];
    case 'all-parts':
      return [switchParts(state, []), []];
    case 'grain':
      return state.loaded.kind === 'callgraph' ? toggleInlined(state) : [changeGrain(state, 'grain'), []];
    case 'unknowns':
      return [changeGrain(state, action.type), []];
    case 'edit':
      return edit(state);
    case 'show-source': {
      const folder = withheldFolder(state);
      return [state, folder === undefined ? [] : [{ type: 'source-dir', dir: folder }]];
    }
    case 'copy':
      return copy(state);
    case 'copy-command':
      return [state, [{ type: action.type }]];
    case 'follow-file': {
      const following = !state.following;
      const said = following ? 'Following: updates within a second' : 'No longer following';
      return [say({ ...state, following }, said), []];
    }
    case 'reload':
    case 'merge':
      return [say(state, 'loading …'), [{ type: action.type }]];
    case 'open-profile':
      return [say(state, 'loading …'), [{ type: 'open', path: action.path }]];
    case 'favourite':
      return favourite(state, action.name);
    case 'want-disassembly':
      if (typeof state.disassembly.get(action.routine) === 'object') return [say(state, 'already disassembled'), []];
      return [say(state, 'running objdump …'), [{ type: 'disassemble', routine: action.routine, asked: true }]];
    default:
      return undefined;
  }
}

/** An action of a view: switches to the view first. It may make a request to the app instead of changing the view. */
function inView(from: AppState, view: ViewId, action: AnyViewAction): Step {
  const state = view === from.view ? from : settle(goTo(from, view), [])[0];
  const context = contextOf(state);
  const opened = openView(state);
  const request = opened.request(action, context);
  if (request) return answerRequest(state, request);
  const why = opened.still(action, context);
  if (why !== undefined) return [say(state, why), []];
  const done = opened.act(action, context) ?? opened;
  const next = withView(state, done);
  const said = done.said(action, context);
  return [said === undefined ? next : say(next, said), []];
}

function answerRequest(state: AppState, request: Request): Step {
  switch (request.type) {
    case 'show':
      return [showAsked(state, request), []];
    case 'ask':
      return [ask(state, state.view, request.command), []];
    case 'base-step':
      return [baseStep(state, request.step), []];
    case 'transform':
      return [addTransform(state, transformText(request.transform)), []];
    default:
      return apply(state, request);
  }
}

/** Another view, with the cursor where it was asked to be. */
function showAsked(from: AppState, { view: wanted, event, routine, context, place, step, row }: Show): AppState {
  const view = viewNamed(wanted)?.id;
  if (!view) return from;
  const extraColumns = from.extraColumns.filter((name) => name !== event);
  const state = event === undefined || event === from.event ? from : { ...from, event, extraColumns };
  const there = entered(state, routine === undefined ? goTo(state, view) : showRoutine(state, view, routine, context));
  const asked = step === undefined ? there : { ...there, step };
  const open = openView(asked);
  const at = contextOf(asked);
  if (place) return withView(asked, open.goToPlace(place, at));
  if (row !== undefined) return withView(asked, open.goToRow(row, at));
  return step === undefined ? asked : withView(asked, open.findStep(step, at) ?? open);
}

function showRoutine(state: AppState, view: ViewId, routine: number, calling: number | undefined): AppState {
  const there = show(state, view, routine);
  return calling === undefined ? there : withView(there, openView(there).ofContext(calling, contextOf(there)));
}

function closeOne(state: AppState): AppState {
  if (state.waiting) return { ...state, waiting: undefined, message: undefined };
  if (state.prompt) return takenBack(state);
  if (state.panel) return { ...state, panel: undefined };
  const closed = openView(state).close();
  if (closed) return withView(state, closed);
  if (state.marking) return { ...state, marking: false };
  if (state.filter !== '') return say({ ...state, filter: '', matcher: undefined }, 'filter removed');
  return say(state, `nothing to close; q ${canLeave(state) ? 'goes back' : 'quits'}`);
}

function acceptPanel(state: AppState, at: number): Step {
  const [next, action] = accepted(state, at);
  if (!action) return [next, []];
  const done = apply(next, action);
  // Typed text can be corrected.
  const isWrong = action.type === 'transform' && done[0].message?.kind === 'error';
  return isWrong ? [{ ...state, message: done[0].message }, []] : done;
}

function acceptPrompt(from: AppState): Step {
  const state = remembered(from);
  const { prompt } = state;
  if (!prompt) return [state, []];
  const closed: AppState = { ...state, prompt: undefined };
  const text = prompt.text.trim();
  if (prompt.kind === 'filter') {
    const set = setFilter(closed, text);
    const rows = text === '' || set.message?.kind === 'error' || !activeView(set).unfiltered;
    const next = rows ? set : say(set, `${activeView(set).title} ignores the filter; it applies to lists of routines and steps`);
    // A pattern that cannot be: the filter is again what it was before.
    return [next.message?.kind === 'error' ? { ...takenBack(state), message: next.message } : next, []];
  }
  // The match is shown already; the search starts again from where it began.
  if (prompt.kind === 'search' && prompt.before && text !== '') return command(withBefore(closed, prompt.before), 'search', text);
  return prompt.kind === 'view'
    ? [viewCommand(closed, prompt.view, prompt.command, text), []]
    : command(closed, prompt.kind, text);
}

/** A command of a view: switches to the view first. */
function viewCommand(from: AppState, view: ViewId, name: string, argument: string): AppState {
  const state = view === from.view ? from : settle(goTo(from, view), [])[0];
  const done = openView(state).command(name, argument, contextOf(state));
  if (done.wrong) return say(from, done.say ?? '', 'error');
  const next = withView(state, done.view);
  return done.say === undefined ? next : say(next, done.say);
}
