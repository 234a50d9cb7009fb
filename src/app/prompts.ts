// Prompts: opening them, typing into them, taking back what was typed. A search or filter acts while it is typed.
import { compileFilter, PatternError, searchFor } from '../base/match.ts';
import { type ViewId, viewNamed } from '../views/index.ts';
import type { PromptKind } from './action.ts';
import { search } from './commands.ts';
import { type AppState, type Before, type Input, openView, type Prompt, say, withView } from './state.ts';

export function openPrompt(state: AppState, kind: PromptKind): AppState {
  const text = kind === 'filter' ? state.filter : '';
  const before = { id: state.view, view: openView(state), filter: state.filter, search: state.search };
  return { ...state, prompt: { kind, text, cursor: text.length, before } };
}

/** Prompts for the argument of a view's command. */
export function ask(state: AppState, view: ViewId, name: string): AppState {
  const found = viewNamed(view)?.commands.find((c) => c.name === name);
  if (!found) return state;
  const text = view === state.view ? openView(state).commandStart(name) : '';
  return { ...state, prompt: { kind: 'view', view, command: name, label: found.prompt, text, cursor: text.length } };
}

export function typed(state: AppState, change: (input: Input) => Input): AppState {
  if (state.panel) return { ...state, panel: { ...state.panel, ...change(state.panel), row: 0 } };
  const { prompt } = state;
  if (!prompt) return state;
  const next = { ...state, prompt: { ...prompt, ...change(prompt) } };
  return next.prompt.text === prompt.text ? next : tried(next, next.prompt.text.trim());
}

/** By what lines of a prompt are remembered: search and filter, and each command, have their own. */
const kindOf = (prompt: Prompt): string => (prompt.kind === 'view' ? `${prompt.view} ${prompt.command}` : prompt.kind);

const MOST_LINES = 50;

/** Remembers what was accepted. */
export function remembered(state: AppState): AppState {
  const { prompt, typed: lines } = state;
  const text = prompt?.text.trim() ?? '';
  if (!prompt || text === '') return state;
  const kind = kindOf(prompt);
  const others = (lines.get(kind) ?? []).filter((line) => line !== text);
  return { ...state, typed: new Map([...lines, [kind, [text, ...others].slice(0, MOST_LINES)]]) };
}

/** Puts an older (1) or newer (-1) line into the prompt; nothing after the newest. */
export function older(state: AppState, by: 1 | -1): AppState {
  const { prompt } = state;
  if (!prompt) return state;
  const lines = state.typed.get(kindOf(prompt)) ?? [];
  const at = (prompt.older ?? -1) + by;
  if (at >= lines.length) return say(state, lines.length === 0 ? 'No earlier line' : 'This is the oldest line');
  const text = lines[at] ?? '';
  const there: AppState = { ...state, message: undefined, prompt: { ...prompt, older: Math.max(-1, at) } };
  return typed(there, () => ({ text, cursor: text.length }));
}

/** The typed text as the search or filter; as long as it is not a regular expression, the one before stays. */
function tried(state: AppState, text: string): AppState {
  const { prompt } = state;
  if (prompt?.kind === 'filter') {
    const next = setFilter(state, text);
    return next.matcher === state.matcher ? { ...next, message: state.message } : next;
  }
  if (prompt?.kind !== 'search' || !prompt.before) return state;
  const from = withBefore({ ...state, message: undefined }, prompt.before);
  if (text === '' || !searchFor(text)) return { ...from, search: prompt.before.search };
  return search({ ...from, search: text }, 1);
}

/** Without accepting it: as it was before the prompt. */
export function takenBack(state: AppState): AppState {
  const closed: AppState = { ...state, prompt: undefined };
  const { kind, before } = state.prompt ?? {};
  if (kind === 'filter' && before) return withBefore(setFilter(closed, before.filter), before);
  if (kind === 'search' && before) return withBefore({ ...closed, search: before.search, marking: false }, before);
  return closed;
}

/** The view as it was when the prompt was opened, if it is still one of the profile's. */
export function withBefore(state: AppState, { view, id }: Before): AppState {
  return view && id === state.view ? withView(state, view) : state;
}

export function setFilter(state: AppState, text: string): AppState {
  if (text === '') return { ...state, filter: '', matcher: undefined };
  try {
    return { ...state, filter: text, matcher: compileFilter(text) };
  } catch (error) {
    if (error instanceof PatternError) return say(state, error.message, 'error');
    throw error;
  }
}
