// One action, one new state. Pure: what must be done outside comes back as effects.
import { analyse } from '../analysis/analysis.ts';
import { deriveEvent } from '../analysis/events.ts';
import { predictText } from '../analysis/laws.ts';
import { routineName } from '../analysis/names.ts';
import { parseWhere } from '../analysis/where.ts';
import { compileFilter, PatternError } from '../base/match.ts';
import { FormatError } from '../base/problem.ts';
import type { Profile } from '../model/profile.ts';
import { viewsOf } from '../views/index.ts';
import type { Action, SourceText } from '../views/view.ts';
import { copy, edit, search } from './commands.ts';
import { editText, insertText } from './input.ts';
import { panelRows } from './panels.ts';
import { goTo, show, travel } from './places.ts';
import { changeGrain, replaceProfile } from './reload.ts';
import {
  type AppState,
  activeView,
  contextOf,
  type Effect,
  type Input,
  type PromptKind,
  type Step,
  say,
  startState,
  viewState,
  withView,
} from './state.ts';

/** Answers from outside; they carry what no recorded action can. */
export type Answer =
  | { readonly type: 'opened'; readonly profile: Profile }
  | { readonly type: 'source-read'; readonly file: string; readonly text: SourceText | string }
  | { readonly type: 'disassembled'; readonly routine: number; readonly text: ReadonlyMap<string, string> | string }
  | {
      readonly type: 'loaded';
      readonly profile: Profile;
      readonly derive: readonly string[];
      readonly siblings: readonly string[];
      readonly why: string;
    };

export function update(state: AppState, action: Action): Step {
  // What the slices find is put together when it is drawn, and when there are no more of them.
  if (action.type === 'work' && !workOn(state)) return [state.unfinished ? state : { ...state, unfinished: true }, []];
  const [next, effects] = apply(state, action);
  return settle(next, effects);
}

/** Goes on with what takes long; true where nothing is left. */
function workOn(state: AppState): boolean {
  return activeView(state).work?.(viewState(state), contextOf(state), state.patienceMs) ?? true;
}

/** Prepares what a key may ask for; true where nothing is left. */
export function prepare(state: AppState): boolean {
  return activeView(state).idle?.(contextOf(state), state.patienceMs) ?? true;
}

export function answer(state: AppState, a: Answer): Step {
  switch (a.type) {
    case 'source-read':
      return settle({ ...state, sources: new Map(state.sources).set(a.file, a.text) }, []);
    case 'disassembled': {
      const next = { ...state, disassembly: new Map(state.disassembly).set(a.routine, a.text) };
      return settle(typeof a.text === 'string' ? say(next, a.text, 'error') : say(next, ''), []);
    }
    case 'loaded':
      return settle(replaceProfile(state, a), []);
    case 'opened': {
      const { width, height, ascii, patienceMs } = state;
      const inner = startState(a.profile, { width, height, ascii, patienceMs, favourites: [...state.favourites] });
      return settle(say({ ...inner, outer: { ...state, message: undefined } }, 'Bksp goes back to the build'), []);
    }
  }
}

/** The view follows the context, and says what files it needs. */
function settle(state: AppState, effects: readonly Effect[]): Step {
  const view = activeView(state);
  const context = contextOf(state);
  const before = viewState(state);
  const unfinished = !workOn(state);
  const synced = view.update(before, { type: 'sync' }, context);
  let next = synced === state.viewStates[state.view] ? state : withView(state, synced);
  if (unfinished !== next.unfinished) next = { ...next, unfinished };
  const out = [...effects];
  for (const need of view.needs?.(synced, context) ?? []) {
    if (next.sources.has(need.source)) continue;
    // Asked for once: until it comes, the costs stand by line.
    next = { ...next, sources: new Map(next.sources).set(need.source, 'reading the source …') };
    out.push({ type: 'source', file: need.source });
  }
  return [next, out];
}

function apply(full: AppState, action: Action): Step {
  // What was said about the last key is over with the next.
  const state =
    full.message && action.type !== 'none' && action.type !== 'work' && action.type !== 'resize' && action.type !== 'sync'
      ? { ...full, message: undefined }
      : full;
  const text = (key: string) => String(action[key] ?? '');
  switch (action.type) {
    case 'none':
    case 'work':
    case 'redraw':
      return [state, []];
    case 'resize':
      return [{ ...state, width: Number(action['width']), height: Number(action['height']) }, []];
    case 'quit':
      return [state, [{ type: 'quit' }]];
    case 'suspend':
      return [state, [{ type: 'suspend' }]];
    case 'say':
      return [say(state, text('text')), []];
    case 'escape':
      return [closeOne(state), []];
    case 'wait':
      return [
        {
          ...state,
          waiting: (text('kind') || undefined) as AppState['waiting'],
          message: text('kind') ? { text: 'a letter …', kind: 'info' } : undefined,
        },
        [],
      ];
    case 'mark':
      return [setMark(state, text('letter')), []];
    case 'to-mark': {
      const routine = state.marks.get(text('letter'));
      const off = { ...state, waiting: undefined };
      return [routine === undefined ? say(off, `nothing is marked ${text('letter')}`) : show(off, state.view, routine), []];
    }
    case 'view':
      return [
        goTo(state, text('id') || viewsOf(state.analysis.profile, state.base).find((v) => v.digit === text('digit'))!.id),
        [],
      ];
    case 'in-view':
      return apply(settle(goTo(state, text('view')), [])[0], JSON.parse(text('action')) as Action);
    case 'next-view': {
      const list = [...viewsOf(state.analysis.profile, state.base)].sort((a, b) => (a.digit < b.digit ? -1 : 1));
      const at = list.findIndex((v) => v.id === state.view) + Number(action['by']);
      return [goTo(state, list[(at + list.length) % list.length].id), []];
    }
    case 'show': {
      const there = show(state, text('view'), Number(action['routine']));
      return action['context'] === undefined
        ? [there, []]
        : viewAction(there, { type: 'of-context', context: action['context'] });
    }
    case 'back':
    case 'forward':
      return [travel(state, action.type), []];
    case 'event':
      return [
        { ...state, event: text('name'), extraEvents: state.extraEvents.filter((e) => e !== text('name')), panel: undefined },
        [],
      ];
    case 'extra-event': {
      const name = text('name');
      const extraEvents = state.extraEvents.includes(name)
        ? state.extraEvents.filter((e) => e !== name)
        : [...state.extraEvents, name];
      return [{ ...state, extraEvents }, []];
    }
    case 'percent': {
      const percent = state.percent === 'total' ? 'parent' : state.percent === 'parent' ? 'none' : 'total';
      const told = {
        total: 'percent of the whole',
        parent: 'percent of what stands above (Calls, Tree)',
        none: 'no percentages',
      }[percent];
      return [say({ ...state, percent }, told), []];
    }
    case 'toggle-part':
      return [toggleParts(state, Number(action['part'])), []];
    case 'all-parts':
      return [toggleParts(state, -1), []];
    case 'prompt':
      return [openPrompt(state, text('kind') as PromptKind, text('text')), []];
    case 'panel':
      return [{ ...state, panel: { kind: text('kind') as 'help', text: '', cursor: 0, row: 0 } }, []];
    case 'panel-move':
    case 'panel-toggle':
      return [panelStep(state, action), []];
    case 'input':
    case 'input-edit':
    case 'input-set':
      return [typeText(state, action), []];
    case 'accept':
      return state.panel ? acceptPanel(state) : acceptPrompt(state);
    case 'command':
      return command(state, text('name'), text('argument'));
    case 'grain':
    case 'unknowns':
      return [changeGrain(state, action.type), []];
    case 'search':
      return [search(state, Number(action['by'])), []];
    case 'edit':
      return edit(state);
    case 'copy':
      return copy(state);
    case 'reload':
      return [say(state, 'loading …'), [{ type: 'reload' }]];
    case 'open-profile':
      return [say(state, 'loading …'), [{ type: 'open', path: text('path') }]];
    case 'merge':
      return [say(state, 'loading …'), [{ type: 'merge' }]];
    case 'favourite': {
      const favourites = new Set(state.favourites);
      const name = text('name');
      if (!favourites.delete(name)) favourites.add(name);
      const said = say({ ...state, favourites }, `${name} is ${favourites.has(name) ? 'a favourite' : 'no favourite any more'}`);
      return [said, [{ type: 'keep-favourites', names: [...favourites] }]];
    }
    case 'want-disassembly': {
      const routine = Number(action['routine']);
      const known = state.disassembly.get(routine);
      if (typeof known === 'object') return [say(state, 'the instruction text is there'), []];
      return [say(state, 'asking objdump …'), [{ type: 'disassemble', routine }]];
    }
    default:
      return viewAction(state, action);
  }
}

/** An action of the active view; it may ask the app for more. */
function viewAction(state: AppState, action: Action): Step {
  const view = activeView(state);
  const context = contextOf(state);
  const before = viewState(state);
  const asked = view.asks?.(before, action, context);
  if (asked) return apply(state, asked);
  return [withView(state, view.update(before, action, context)), []];
}

function closeOne(state: AppState): AppState {
  if (state.prompt) return { ...state, prompt: undefined };
  if (state.panel) return { ...state, panel: undefined };
  if (state.waiting) return { ...state, waiting: undefined };
  if (state.filter !== '') return say({ ...state, filter: '', matcher: undefined }, 'the filter is gone');
  return say(state, 'nothing is open; q quits');
}

function setMark(state: AppState, letter: string): AppState {
  const off: AppState = { ...state, waiting: undefined };
  const routine = activeView(state).routineAt(viewState(state), contextOf(state));
  if (routine < 0) return say(off, 'the cursor is on no routine');
  const name = routineName(state.analysis.profile, routine);
  return say(
    { ...off, marks: new Map(state.marks).set(letter, routine) },
    `${name} is marked ${letter}; ' ${letter} comes back to it`,
  );
}

function toggleParts(state: AppState, part: number): AppState {
  const { analysis } = state;
  const off = new Set(part < 0 ? [] : analysis.partsOff);
  if (part >= 0 && !off.delete(part)) off.add(part);
  return { ...state, analysis: analyse(analysis.profile, analysis.events, off) };
}

function openPrompt(state: AppState, kind: PromptKind, given: string): AppState {
  const text = kind === 'filter' ? state.filter : given;
  return { ...state, prompt: { kind, text, cursor: text.length } };
}

function typeText(state: AppState, action: Action): AppState {
  const change = (input: Input): Input =>
    action.type === 'input'
      ? insertText(input, String(action['text']))
      : action.type === 'input-set'
        ? { text: String(action['text']), cursor: String(action['text']).length }
        : editText(input, String(action['edit']));
  if (state.panel) return { ...state, panel: { ...state.panel, ...change(state.panel), row: 0 } };
  if (state.prompt) return { ...state, prompt: { ...state.prompt, ...change(state.prompt) } };
  return state;
}

function panelStep(state: AppState, action: Action): AppState {
  const { panel } = state;
  if (!panel) return state;
  const rows = panelRows(state);
  if (action.type === 'panel-move') {
    return { ...state, panel: { ...panel, row: Math.max(0, Math.min(rows.length - 1, panel.row + Number(action['by']))) } };
  }
  // Space is text where it can be; on events it switches a column.
  if (panel.kind !== 'events') return { ...state, panel: { ...panel, ...insertText(panel, ' ') } };
  const name = rows[panel.row]?.action?.['name'];
  if (name === undefined || name === state.event) return state;
  return apply(state, { type: 'extra-event', name: String(name) })[0];
}

function acceptPanel(state: AppState): Step {
  const row = panelRows(state)[state.panel!.row];
  if (state.panel!.kind === 'help' || !row) return [{ ...state, panel: undefined }, []];
  if (row.action?.type === 'input-set') return [typeText(state, row.action), []];
  const closed = { ...state, panel: undefined };
  if (row.off) return [say(closed, row.off), []];
  return row.action ? apply(closed, row.action) : [closed, []];
}

function acceptPrompt(state: AppState): Step {
  const { prompt } = state;
  if (!prompt) return [state, []];
  const closed: AppState = { ...state, prompt: undefined };
  return command(closed, prompt.kind, prompt.text.trim());
}

function command(state: AppState, name: string, argument: string): Step {
  switch (name) {
    case 'search':
      return [argument === '' ? state : search({ ...state, search: argument }, 1), []];
    case 'filter':
      return [setFilter(state, argument), []];
    case 'derive':
      return [argument === '' ? state : derive(state, argument), []];
    case 'where':
    case 'predict':
      return viewCommand(state, name, argument);
    case 'column':
      return apply(state, { type: 'extra-event', name: argument });
    case 'write':
      return argument === '' ? [state, []] : [state, [{ type: 'write', path: argument, report: activeView(state).report }]];
    default:
      return [state, []];
  }
}

/** A command that the views with points know: the active one, else the first that does. */
function viewCommand(state: AppState, name: 'where' | 'predict', argument: string): Step {
  const { analysis } = state;
  if (!analysis.profile.inputs) return [say(state, 'the profile has no cost by input size'), []];
  if (name === 'where') {
    const wrong = parseWhere(argument, analysis);
    if (typeof wrong === 'string') return [say(state, wrong, 'error'), []];
    const there = goTo(state, 'growth');
    return viewAction(there, { type: 'where', text: argument });
  }
  return [say(state, predictText(analysis, state.focus, argument, state.ascii)), []];
}

function setFilter(state: AppState, text: string): AppState {
  if (text === '') return { ...state, filter: '', matcher: undefined };
  try {
    return { ...state, filter: text, matcher: compileFilter(text) };
  } catch (error) {
    if (error instanceof PatternError) return say(state, error.message, 'error');
    throw error;
  }
}

function derive(state: AppState, text: string): AppState {
  const { analysis } = state;
  try {
    const event = deriveEvent(text, analysis.events);
    return say(
      { ...state, analysis: analyse(analysis.profile, [...analysis.events, event], analysis.partsOff), event: event.name },
      `${event.name} is an event now`,
    );
  } catch (error) {
    if (error instanceof FormatError) return say(state, error.message, 'error');
    throw error;
  }
}
