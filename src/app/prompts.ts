// Opens, edits, accepts and cancels prompts. A search or filter takes effect while the user types it.
import { tryCompileSearch } from '../base/match.ts';
import { baseName } from '../base/paths.ts';
import { type ViewId, viewNamed } from '../views/index.ts';
import { searchText, setFilter } from './commands.ts';
import { insertText, TEXT_EDITORS } from './input.ts';
import { withoutTriedRow } from './panels.ts';
import {
  type ActionHandlers,
  type AppState,
  contextOf,
  type EditedText,
  openView,
  type Prompt,
  type ViewBeforePrompt,
  withMessage,
  withView,
} from './state.ts';

export function promptForArgument(state: AppState, view: ViewId, name: string): AppState {
  const found = viewNamed(view)?.commands.find((c) => c.name === name);
  if (!found) return state;
  return { ...state, prompt: { kind: 'view', view, command: name, label: found.prompt, text: '', cursor: 0 } };
}

function applyInput(state: AppState, change: (input: EditedText) => EditedText): AppState {
  if (state.panel) return { ...withoutTriedRow(state), panel: { ...state.panel, ...change(state.panel), row: 0 } };
  const { prompt } = state;
  if (!prompt) return state;
  const next = { ...state, prompt: { ...prompt, ...change(prompt) } };
  return next.prompt.text === prompt.text ? next : tryPromptText(next, next.prompt.text.trim());
}

/** The key of a prompt's history. Search, filter and each command have separate histories. */
const promptHistoryKey = (prompt: Prompt): string => (prompt.kind === 'view' ? `${prompt.view} ${prompt.command}` : prompt.kind);

const MAX_REMEMBERED_LINES = 50;

/** Saves the accepted text in the history of the prompt. */
export function savePromptLine(state: AppState): AppState {
  const { prompt, typed: lines } = state;
  const text = prompt?.text.trim() ?? '';
  if (!prompt || text === '') return state;
  const kind = promptHistoryKey(prompt);
  const others = (lines.get(kind) ?? []).filter((line) => line !== text);
  return { ...state, typed: new Map([...lines, [kind, [text, ...others].slice(0, MAX_REMEMBERED_LINES)]]) };
}

/** Applies the search or filter typed so far. An invalid pattern leaves the previous one unchanged. */
function tryPromptText(state: AppState, text: string): AppState {
  const { prompt } = state;
  if (prompt?.kind === 'filter') {
    const next = setFilter(state, text);
    return next.matcher === state.matcher ? { ...next, message: state.message } : next;
  }
  if (prompt?.kind !== 'search' || !prompt.before) return state;
  const from = restoreView({ ...state, message: undefined }, prompt.before);
  if (text === '' || !tryCompileSearch(text)) return { ...from, search: prompt.before.search };
  return searchText(from, text);
}

/** Cancels the prompt, and restores the search or filter that it replaced. */
export function cancelPrompt(state: AppState): AppState {
  const closed: AppState = { ...state, prompt: undefined };
  const { kind, before } = state.prompt ?? {};
  if (kind === 'filter' && before) return restoreView(setFilter(closed, before.filter), before);
  if (kind === 'search' && before) return restoreView({ ...closed, search: before.search, marking: false }, before);
  return closed;
}

/** Restores the view as it was when the prompt opened, if the profile still has that view. */
export const restoreView = (state: AppState, { view, id }: ViewBeforePrompt): AppState =>
  view && id === state.view ? withView(state, view) : state;

/** The handlers of prompts and typed text, by action type. */
export const PROMPT_HANDLERS = {
  prompt(state, { kind, ending }) {
    const start = ending === undefined ? '' : baseName(state.analysis.profile.paths[0] ?? '');
    const names = kind === 'columns' ? (contextOf(state).chosenColumns ?? openView(state).columnNames(contextOf(state))) : [];
    const text = kind === 'filter' ? state.filter : start + (ending ?? '') + names.join(', ');
    const before = { id: state.view, view: openView(state), filter: state.filter, search: state.search };
    return { ...state, prompt: { kind, text, cursor: text.length - (ending ?? '').length, before } };
  },
  ask: (state, { view, command }) => promptForArgument(state, view, command),
  input: (state, { text }) => applyInput(state, (input) => insertText(input, text)),
  /** Replaces the text of the prompt by an older (1) or newer (-1) one; '' after the newest. */
  'input-older'(state, { by }) {
    const { prompt } = state;
    if (!prompt) return state;
    const lines = state.typed.get(promptHistoryKey(prompt)) ?? [];
    const at = (prompt.older ?? -1) + by;
    if (at >= lines.length) return withMessage(state, lines.length === 0 ? 'No earlier line' : 'This is the oldest line');
    const text = lines[at] ?? '';
    const recalled: AppState = { ...state, message: undefined, prompt: { ...prompt, older: Math.max(-1, at) } };
    return applyInput(recalled, () => ({ text, cursor: text.length }));
  },
  /** Completes the name of a column in a filter as far as it is certain, and lists the names that begin so. */
  'input-complete'(state) {
    const { prompt } = state;
    if (prompt?.kind !== 'filter' && prompt?.kind !== 'columns') return state;
    const [word = ''] = /[\w%]*$/.exec(prompt.text.slice(0, prompt.cursor)) ?? []; // bounded: a filter that the user types
    const view = openView(state);
    const all = prompt.kind === 'columns' ? view.columnNames(contextOf(state)) : view.filterColumns(contextOf(state));
    const names = all.filter((name) => name.startsWith(word));
    const [first] = names;
    if (first === undefined) return withMessage(state, word === '' ? 'The view has no columns' : `No column begins with ${word}`);
    const common = Array.from(first).findIndex((letter, k) => names.some((name) => name[k] !== letter));
    const add = first.slice(word.length, common < 0 ? undefined : common);
    const completed = applyInput(state, (input) => insertText(input, add));
    return names.length === 1 ? completed : withMessage(completed, `Columns: ${names.join(' ')}`);
  },
  'input-edit': (state, { edit }) => applyInput(state, TEXT_EDITORS[edit]),
  'input-set': (state, { text }) => applyInput(state, () => ({ text, cursor: text.length })),
} satisfies Partial<ActionHandlers>;
