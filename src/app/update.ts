// One action, one new state. Pure: whatever must be done outside is returned as effects.
import { type KeptNote, notesOf } from '../analysis/answers/notes.ts';
import type { Versus } from '../analysis/profiles/compare/versus.ts';
import { transformText } from '../analysis/profiles/transforms/transform.ts';
import type { CodeText } from '../base/code-text.ts';
import type { SourceText, Withheld } from '../base/source-text.ts';
import type { Profile } from '../model/profile.ts';
import { type AnyViewAction, type ViewId, viewNamed, viewsOf } from '../views/index.ts';
import type { Request, Show } from '../views/view.ts';
import type { Action, AppActions } from './action.ts';
import { chooseBase, compareWith, compareWithPrevious, nextMeasure } from './base-choice.ts';
import { favourite, nextNames, nextPercent, showOnly, switchParts, toggleColumn, togglePart } from './choices.ts';
import { copy, edit, goToNumber, search, seek } from './commands.ts';
import { detailRowsOf } from './detail.ts';
import { keptNotes } from './edit-note.ts';
import { compareLoaded, type InlinesRead, showInlines, showsInlined, toggleInlined } from './inlined.ts';
import { editText, insertText } from './input.ts';
import { addBaseSource, addSource, addSourceDir, requestNeeds, withheldFolder } from './needs.ts';
import { accepted, changeInPanel, movePanel, startRow, toggleInPanel } from './panel-update.ts';
import { baseStep, canLeave, entered, goTo, leave, openedInside, setMark, show, travel } from './places.ts';
import { pointed } from './pointer.ts';
import { ask, older, openPrompt, remembered, setFilter, takenBack, typed, withBefore } from './prompts.ts';
import { changeGrain, type Loaded, replaceProfile } from './reload.ts';
import { acceptGuess } from './renames.ts';
import { command } from './run-command.ts';
import { aside, fitted, flip, follow, settleOther, splitWide, switchSplit, untangled, workOnOther } from './split.ts';
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
import { addTransform, goOn, stopReshaping, TRANSFORMS } from './transforms.ts';

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
  const state = fitted(untangled(before));
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
  return asStep(run(state, action.type, action));
}

type Handlers = { readonly [T in keyof AppActions]: (state: AppState, action: AppActions[T]) => AppState | Step };

/** A function of its own, in which the type of an action and its handler belong together. */
const run = <T extends keyof AppActions>(state: AppState, type: T, action: AppActions[T]) => HANDLERS[type](state, action);
const asStep = (done: AppState | Step): Step => ('loaded' in done ? [done, []] : done);
const same = (state: AppState): AppState => state;
const outside =
  (effect: Effect, message?: string) =>
  (state: AppState): Step => [message === undefined ? state : say(state, message), [effect]];

/** Prompts, panels, and what is typed into them. */
const INPUT = {
  say: (state, { text }) => say(state, text),
  wait: (state, { kind }) => ({ ...state, waiting: kind, message: { text: 'type a letter or digit …', kind: 'info' } }),
  escape: closeOne,
  prompt: (state, { kind }) => openPrompt(state, kind),
  ask: (state, { view, command: name }) => ask(state, view, name),
  panel: (state, { kind }) => ({ ...state, panel: { kind, text: '', cursor: 0, row: startRow(state, kind) } }),
  'panel-move': (state, { by }) => movePanel(state, by),
  'panel-toggle': toggleInPanel,
  'panel-change': (state, { change }) => changeInPanel(state, change),
  input: (state, { text }) => typed(state, (input) => insertText(input, text)),
  'input-older': (state, { by }) => older(state, by),
  'input-edit': (state, action) => typed(state, (input) => editText(input, action.edit)),
  'input-set': (state, { text }) => typed(state, () => ({ text, cursor: text.length })),
  accept: (state) => (state.panel ? acceptPanel(state, state.panel.row) : acceptPrompt(state)),
  command: (state, { name, argument }) => command(state, name, argument),
  'view-command': (state, { view, name, argument }) => viewCommand(state, view, name, argument),
} satisfies Partial<Handlers>;

/** Navigation: the view, the routine, marks, matches. */
const PLACES = {
  resize: (state, { width, height }) => ({ ...state, width, height }),
  digit(state, { digit }) {
    const view = viewsOf(state.analysis).find((v) => v.digit === digit);
    return view ? goTo(aside(state, view.id), view.id) : state;
  },
  view: (state, { view }) => goTo(aside(state, view), view),
  split: (state, { how }) => switchSplit(state, how),
  'split-wide': splitWide,
  follow,
  'next-view': (state, { by }) => (splitSizes(state) ? flip(state) : goTo(state, tabBeside(state, by))),
  show: (state, { view, routine, context }) => showRoutine(state, view, routine, context),
  leave,
  back: (state) => travel(state, 'back'),
  forward: (state) => travel(state, 'forward'),
  mark: (state, { letter }) => keptNotes(state, setMark(state, letter)),
  'to-mark'(state, { letter }) {
    const routine = state.marks.get(letter);
    const off = { ...state, waiting: undefined };
    return routine === undefined ? say(off, `no routine is marked ${letter}`) : show(off, state.view, routine);
  },
  search: (state, { by }) => search(state, by),
  'go-to': (state, { number }) => goToNumber(state, number),
} satisfies Partial<Handlers>;

/** The shown part of the profile, and effects on it. */
const PROFILE = {
  event(state, { name }) {
    const extraColumns = state.extraColumns.filter((e) => e !== name);
    return { ...state, event: name, extraColumns, panel: undefined };
  },
  'extra-event': (state, { name }) => toggleColumn(state, name),
  percent: nextPercent,
  measure: nextMeasure,
  names: nextNames,
  'accept-guess': acceptGuess,
  'choose-base': chooseBase,
  'base-before': compareWithPrevious,
  'no-base': (state) => compareWith(state, undefined, ''),
  'toggle-part': (state, { part }) => togglePart(state, part),
  'only-part': (state, { part }) => showOnly(state, part),
  'all-parts': (state) => switchParts(state, []),
  grain: (state) => (state.loaded.kind === 'callgraph' ? toggleInlined(state) : changeGrain(state, 'grain')),
  unknowns: (state) => changeGrain(state, 'unknowns'),
  'show-source'(state) {
    const folder = withheldFolder(state);
    return [state, folder === undefined ? [] : [{ type: 'source-dir', dir: folder }]];
  },
  'follow-file'(state) {
    const following = !state.following;
    return say({ ...state, following }, following ? 'Following: updates within a second' : 'No longer following');
  },
  favourite: (state, { name }) => favourite(state, name),
  'want-disassembly'(state, { routine }) {
    if (typeof state.disassembly.get(routine) === 'object') return say(state, 'already disassembled');
    return outside({ type: 'disassemble', routine, asked: true }, 'running objdump …')(state);
  },
} satisfies Partial<Handlers>;

const HANDLERS: Handlers = {
  ...INPUT,
  ...PLACES,
  ...PROFILE,
  ...TRANSFORMS,
  // apply() sees to these.
  none: same,
  work: same,
  click: same,
  wheel: same,
  redraw: same,
  edit,
  copy,
  quit: outside({ type: 'quit' }),
  suspend: outside({ type: 'suspend' }),
  'copy-command': outside({ type: 'copy-command' }),
  reload: outside({ type: 'reload' }, 'loading …'),
  merge: outside({ type: 'merge' }, 'loading …'),
  'open-profile': (state, { path }) => outside({ type: 'open', path }, 'loading …')(state),
};

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
