// The rows of the panels (keys, events, commands); Panel.tsx draws them.

import { describeEvent } from '../analysis/answers/events.ts';
import { extraColumnNames, PER_CALL_COLUMN, RECORDED_COLUMN } from '../analysis/answers/part-columns.ts';
import { routineFile, routineName, routineObject } from '../analysis/names/names.ts';
import { refusalReason, rootKeys } from '../analysis/profiles/transforms/apply.ts';
import { partKeys } from '../analysis/profiles/transforms/call-graph-roots.ts';
import { exactPattern, type Transform, transformLabel, transformText } from '../analysis/profiles/transforms/transform.ts';
import { toAscii } from '../base/ascii.ts';
import { mapOf, memo, withFirst } from '../base/lists.ts';
import { rankChoices } from '../base/match.ts';
import { readablePath } from '../base/paths.ts';
import { fit, visible } from '../base/text.ts';
import { formatCost } from '../base/units.ts';
import { costText } from '../columns/costs.ts';
import { COLUMN_MEANINGS, MARK_MEANINGS } from '../columns/meanings.ts';
import { exporters } from '../exports/index.ts';
import { type Event, exactValue } from '../model/head.ts';
import { type ViewId, views, viewsOf } from '../views/index.ts';
import { type Action, APP_COMMANDS } from './action.ts';
import { NAME_MODE_TEXTS } from './choices.ts';
import {
  actionOfBinding,
  disabledReason,
  helpTextOf,
  isGlobalBinding,
  type KeyBinding,
  keyLabel,
  missingDataText,
  optionBindings,
  sortBinding,
  usableBindings,
} from './keymap.ts';
import { type AppState, activeView, contextOf, cursorRoutine, eventOf, openView } from './state.ts';

/** Lines above the rows of a panel: the typed text and the column headings. */
export const PANEL_HEAD_LINES = 2;

/** The index of the first visible row in a panel of this height, and the number of visible rows. */
export function visiblePanelRows(row: number, rows: number, height: number): { readonly top: number; readonly shown: number } {
  const shown = Math.max(1, height - PANEL_HEAD_LINES);
  return { top: Math.max(0, Math.min(row - (shown >> 1), rows - shown)), shown };
}

const GROUP_TITLES = { move: 'move', view: 'views', show: 'show', find: 'find', do: 'do' } as const;

function helpRows(state: AppState): PanelRow[] {
  const view = activeView(state);
  // Keys with a footer text come first. Keys that move come last, because users try arrows and paging without help.
  const priority = (b: KeyBinding) => (b.footer !== undefined ? 0 : b.group === 'move' ? 2 : 1);
  // Narrow screens have no room for the group.
  const cells = (keys: string, action: string, where: string) => {
    return { keys: state.ascii ? toAscii(keys) : keys, action, ...(state.width < 100 ? {} : { where }) };
  };
  const isDigit = (b: KeyBinding) => isGlobalBinding(b) && b.action.type === 'digit';
  const usable = usableBindings(state);
  const bindings = usable.filter(({ keys: [key] }, i) => key !== undefined && usable.findIndex((b) => b.keys[0] === key) === i);
  const rows = bindings
    .filter((b) => !isDigit(b))
    .sort((a, b) => priority(a) - priority(b))
    .map((b) => {
      const where = !isGlobalBinding(b) && b.group !== 'move' ? view.title : GROUP_TITLES[b.group];
      return { cells: cells(keyLabelsOf(b, state), helpTextOf(state, b), where) };
    });
  const numbered = cells(`1 - ${bindings.filter(isDigit).length}`, 'the view with this number', GROUP_TITLES.view);
  const views = viewsWithoutDigit(state).map((v) => ({
    cells: cells(`: ${v.title.toLowerCase()}`, `the ${v.title} view`, GROUP_TITLES.view),
    action: { type: 'view', view: v.id } as const,
  }));
  const columns = openView(state)
    .columnNames(contextOf(state))
    .flatMap((name) => {
      const [heading, meaning] = COLUMN_MEANINGS.get(name) ?? [];
      return heading === undefined || meaning === undefined ? [] : [{ cells: cells(heading, meaning, 'column') }];
    });
  const marks = MARK_MEANINGS.map(([mark, meaning]) => ({ cells: cells(mark, meaning, 'mark') }));
  return matchingRows(state.panel?.text ?? '', [...rows, { cells: numbered }, ...views, ...columns, ...marks]);
}

const keyLabelsOf = ({ keys }: KeyBinding, { ascii }: AppState) => keys.map((key) => keyLabel(key, ascii)).join(' ');

/** The views that only the palette and links lead to. */
const viewsWithoutDigit = ({ analysis }: AppState) => viewsOf(analysis).filter((v) => v.digit === '' && v.id !== 'findings');

/** The costs of the routine under the cursor in an event; no cells without a routine, and empty ones without an event. */
function cellsOfRoutine(state: AppState, event?: Event): PanelRow['cells'] {
  const { totals, costing } = state.analysis;
  const routine = cursorRoutine(state);
  const kinds = (['self', 'inclusive'] as const).filter((what) => routine >= 0 && state.width >= 60 && costing.can.has(what));
  const cost = (what: 'self' | 'inclusive', of: Event) =>
    costText(contextOf(state), exactValue(of, totals[what], routine), totals.estimated?.[what][routine] === 1, of);
  return Object.fromEntries(kinds.map((what) => [what, event ? cost(what, event) : '']));
}

const EXTRA_COLUMN_MEANINGS = mapOf({
  [RECORDED_COLUMN]: 'recorded sums (recursion counted repeatedly)',
  [PER_CALL_COLUMN]: 'self and inclusive cost divided by the calls',
});

function eventRows(state: AppState): PanelRow[] {
  const { analysis } = state;
  const none = cellsOfRoutine(state);
  const cells = (event: string, meaning: string, total = '', costs = none) => ({ event, total, ...costs, meaning });
  const rows = analysis.events.map((e): PanelRow => {
    const mark = e.name === state.event ? '*' : state.extraColumns.includes(e.name) ? '+' : ' ';
    const total = formatCost(exactValue(e, analysis.totals.total, 0), e.unit);
    return {
      cells: cells(`${mark} ${e.name}`, describeEvent(e).join(' '), total, cellsOfRoutine(state, e)),
      action: { type: 'event', name: e.name },
    };
  });
  const extra = extraColumnNames(analysis).map((name): PanelRow => {
    const meaning = EXTRA_COLUMN_MEANINGS.get(name) ?? `in Routines: a column with only the cost of ${name}`;
    return {
      cells: cells(`${state.extraColumns.includes(name) ? '+' : ' '} ${name}`, meaning),
      action: { type: 'extra-event', name },
    };
  });
  const text = state.panel?.text ?? '';
  const derive: PanelRow = { cells: cells('  a new one', 'defined by a formula'), action: { type: 'prompt', kind: 'derive' } };
  const parts = usableBindings(state)
    .filter((b) => b.action.type === 'only-part')
    .map((b) => bindingRow(state, b, cells('  only one part', helpTextOf(state, b))));
  const found = matchingRows(text, [...rows, ...extra, derive, ...parts]);
  // Events with exactly the typed name come first.
  const same = (r: PanelRow) => r.cells['event'].slice(2).toLowerCase() === text.trim().toLowerCase();
  return withFirst(found, same);
}

/** The row that does what a key does, or tells why it cannot. */
const bindingRow = (state: AppState, binding: KeyBinding, cells: PanelRow['cells']): PanelRow => ({
  cells,
  action: actionOfBinding(state, binding),
  off: disabledReason(state, binding),
});

/** The present values of the options of the app, by action type. */
const presentValues = ({ percent, names, granularity, syntax, following }: AppState): Readonly<Record<string, string>> => ({
  ...{ percent, names: NAME_MODE_TEXTS[names], syntax, 'follow-file': following ? 'following' : 'not following' },
  unknowns: `one routine per ${granularity.unknowns}`,
});

/** One row per value that an action can choose; without values, one row for the action itself. */
function optionRows(state: AppState, binding: KeyBinding): PanelRow[] {
  const options = isGlobalBinding(binding) ? undefined : openView(state).options(binding.action, contextOf(state));
  if (!options || options.values.length < 2 || isGlobalBinding(binding)) {
    const option = helpTextOf(state, binding);
    return [bindingRow(state, binding, { option, choice: presentValues(state)[binding.action.type] ?? '' })];
  }
  const off = disabledReason(state, binding);
  return options.values.map((value) => ({
    cells: { option: options.label, choice: `${value === options.current ? '*' : ' '} ${value}` },
    action: { type: 'in-view', view: state.view, action: { ...binding.action, value } },
    off,
  }));
}

/** The rows of the save panel: everything that can be saved or copied, each form of an export with its ending. */
function saveRows(state: AppState): PanelRow[] {
  const cells = (what: string, ending: string, about: string) => ({ 'save or copy': what, ending, about });
  const [view, command] = usableBindings(state).filter((b) => isGlobalBinding(b) && b.menu === 'save');
  const forms = exporters.map((e): PanelRow => {
    const off = e.refusal({ analysis: state.analysis, event: eventOf(state) });
    const action = { type: 'prompt', kind: 'export', ending: e.endings[0] } as const;
    return { cells: cells(e.name, e.endings[0], off ? `no: ${off}` : e.title), action, off: off && `${e.name}: ${off}` };
  });
  return [
    bindingRow(state, view, cells('this view', '.txt .json .csv .tsv .svg', helpTextOf(state, view))),
    ...forms,
    bindingRow(state, command, cells('command', '', helpTextOf(state, command))),
  ];
}

/** The commands with an argument, each with its action: those of the app, and those of the views that this profile has. */
const commandsWithArgument = ({ analysis }: AppState) => [
  ...APP_COMMANDS.map((c) => ({ ...c, action: { type: 'command', name: c.name } as const })),
  ...viewsOf(analysis).flatMap(({ id: view, commands }) =>
    commands.map((c) => ({ ...c, action: { type: 'view-command', view, name: c.name } as const })),
  ),
];

function paletteRows(state: AppState): PanelRow[] {
  const text = state.panel?.text ?? '';
  const rowWithoutKey = (command: string, action: Action): PanelRow => ({ cells: { command, key: '' }, action });
  if (/^\d{1,9}$/.test(text)) return [rowWithoutKey(`go to row or line ${text}`, { type: 'go-to', number: Number(text) })];
  const commands = commandsWithArgument(state);
  const typed = commands.find((c) => text.startsWith(c.name + ' '));
  if (typed) {
    const argument = text.slice(typed.name.length + 1).trim();
    return [rowWithoutKey(`${typed.name} ${argument || typed.arg}`, { ...typed.action, argument })];
  }
  const present = viewsOf(state.analysis);
  const absent = views.find((v) => v.title.toLowerCase() === text.trim().toLowerCase() && !present.some(({ id }) => id === v.id));
  if (absent) {
    const off = `this profile has no ${absent.title}${missingDataText(state.analysis, absent.requires)}`;
    return [{ ...rowWithoutKey(`${absent.title} view: ${off}`, { type: 'view', view: absent.id }), off }];
  }
  const keys = usableBindings(state).filter(
    (b) => !isGlobalBinding(b) || b.action.type !== 'panel' || b.action.kind !== 'palette',
  );
  const rowOf = (b: KeyBinding) => bindingRow(state, b, { command: helpTextOf(state, b), key: keyLabelsOf(b, state) });
  const moves = keys.filter((b) => b.group === 'move').map(rowOf);
  const rows = keys.filter((b) => b.group !== 'move').map(rowOf);
  const context = contextOf(state);
  for (const v of viewsWithoutDigit(state)) rows.push(rowWithoutKey(`${v.title} view`, { type: 'view', view: v.id }));
  // The actions of other views. Each of them first switches to its view.
  for (const v of viewsOf(state.analysis)) {
    if (v.id === state.view) continue;
    for (const b of v.keys.filter((k) => k.group !== 'move' && v.usable(k.action, context)))
      rows.push(rowWithoutKey(`${v.title}: ${b.help}`, { type: 'in-view', view: v.id, action: b.action }));
  }
  for (const c of commands) rows.push(rowWithoutKey(`${c.name} ${c.arg}: ${c.help}`, { type: 'input-set', text: c.name + ' ' }));
  if (text === '') return [...rows, ...moves];
  const synonyms = splitIntoWords(text).map((word) => COMMAND_SYNONYMS.get(word) ?? word);
  const matching = [synonyms, splitIntoWords(text)].flatMap((words) => matchingCommands(words, [...rows, ...moves], state.view));
  return [...new Set(matching)];
}

/** Commands that contain all words; else the best fuzzy matches. Whole words and the active view rank first. */
function matchingCommands(words: readonly string[], rows: readonly PanelRow[], view: ViewId): PanelRow[] {
  const own = (r: PanelRow) => splitIntoWords(r.cells['command']);
  const matching = rows.filter((r) => words.every((word) => own(r).some((w) => w.startsWith(word))));
  // Letters that are scattered over a long text are no reason to run it.
  if (matching.length === 0) return rankChoices(words.join(' '), rows, (r) => r.cells['command'], 0.3);
  const rankOf = (r: PanelRow) =>
    (words.every((word) => own(r).includes(word)) ? 0 : 4) +
    (r.action?.type === 'in-view' && r.action.view !== view ? 2 : 0) +
    (words[0] === own(r)[0] ? 0 : 1);
  return matching.sort((x, y) => rankOf(x) - rankOf(y));
}

/** Words that other programs use, with the proftui word for each. */
const COMMAND_SYNONYMS = mapOf({
  ...{ diff: 'compare', exit: 'quit', split: 'second', pane: 'second', window: 'second', yank: 'copy', grep: 'search' },
  ...{ theme: 'setting', color: 'colour', delete: 'remove', bookmark: 'mark' },
});

const splitIntoWords = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}-]+/u)
    .filter((word) => word !== ''); // bounded: a command

/** Possible bases of the profile. The last row takes the typed text as a path. */
function baseRows(state: AppState): PanelRow[] {
  const text = state.panel?.text.trim() ?? '';
  const row = (path: string, about: string, action: PanelRow['action']): PanelRow => ({
    cells: { 'compare with': path, about },
    action,
  });
  const rows = [
    ...(state.previous ? [row('the previous load', 'this file, before it was reloaded', { type: 'base-before' })] : []),
    ...(state.analysis.before ? [row('nothing', 'only this run', { type: 'no-base' })] : []),
    ...(state.offers ?? []).map(({ path, name, description }) =>
      row(name, description, { type: 'command', name: 'base', argument: path }),
    ),
  ];
  const found = matchingRows(text, rows);
  return [...found, ...(text === '' ? [] : [row(visible(text), 'as typed', { type: 'command', name: 'base', argument: text })])];
}

/** Several parts of a frame need the rows. */
export const panelRows = memo((shown: AppState): PanelRow[] => {
  const state = withoutTriedRow(shown);
  const { kind, text = '' } = state.panel ?? {};
  if (kind === 'help') return helpRows(state);
  if (kind === 'events') return eventRows(state);
  if (kind === 'bases') return baseRows(state);
  if (kind === 'transforms') return transformRows(state);
  if (kind === 'palette') return paletteRows(state);
  if (kind === 'save') return matchingRows(text, saveRows(state));
  const sort = sortBinding(state);
  const bindings = kind === 'options' ? optionBindings(state) : kind === 'sort' && sort ? [sort] : [];
  const rows = bindings.flatMap((b) => optionRows(state, b));
  return matchingRows(text, rows);
}, 1);

/** The effect of each transform, as shown in the focus panel. */
const TRANSFORM_MEANINGS = {
  focus: 'keep only stacks with it',
  ignore: 'drop stacks with it',
  hide: 'drop its frames; their cost goes to the callers',
  show: 'keep only its frames',
  'show-from': 'keep it and its callees, drop its callers',
  'prune-from': 'its callees become its self cost',
  merge: 'merge its frames into one',
} as const;

type OfferedWord = keyof typeof TRANSFORM_MEANINGS;
const ROUTINE_WORDS: readonly OfferedWord[] = ['focus', 'ignore', 'hide', 'show-from', 'prune-from'];
const FILE_WORDS: readonly OfferedWord[] = ['focus', 'ignore', 'hide', 'show', 'merge'];

const PROFILE_TRANSFORMS: readonly (readonly [Transform, string])[] = [
  [{ word: 'only-own' }, 'code outside the source folders is charged to its caller'],
  [{ word: 'collapse', what: 'recursion' }, 'each routine appears once per stack'],
  [{ word: 'collapse', what: 'chains' }, 'chains of single calls become one frame'],
];

/** The stack of transforms, then transforms to add. The last row adds the typed text as a transform. */
export function transformRows(state: AppState): PanelRow[] {
  const text = state.panel?.text.trim() ?? '';
  const row = (what: string, means: string, action: PanelRow['action'], off?: string): PanelRow => ({
    // The last 44 cells show the effect of the transform.
    cells: { focus: fit(what, Math.max(20, state.width - 44), 'left', 'middle').trimEnd(), '': means },
    action,
    off,
  });
  const add = (transform: Transform, means: string, label?: string) => {
    const action = { type: 'transform', text: transformText(transform) } as const;
    return row(visible(label ?? transformLabel(transform)), means, action, refusalReason(state.loaded, transform));
  };
  const rows = [
    ...state.transforms.map(({ transform, on }, at) => {
      const means = on ? 'on; Space switches it off, Del removes it, ← → move it' : 'off; Space switches it on, Del removes it';
      const what = `${on ? '*' : ' '} ${visible(transformLabel(transform))}`;
      return row(what, means, { type: 'change-transform', at, change: 'toggle' });
    }),
    ...offeredTargets(state).flatMap(([target, name, words]) =>
      name === null
        ? []
        : words.map((word) => {
            const label = target === 'routine' ? undefined : `${word} ${target} ${readablePath(name)}`;
            return add({ word, pattern: exactPattern(target, name) }, TRANSFORM_MEANINGS[word], label);
          }),
    ),
    ...rootKeys(state.loaded)
      .slice(0, MAX_LABEL_ROWS)
      .map((key) =>
        add({ word: 'tag-root', pattern: key }, ROOT_FRAME_MEANINGS[partKeys(state.loaded).includes(key) ? 'parts' : 'labels']),
      ),
    ...PROFILE_TRANSFORMS.filter(([transform]) => refusalReason(state.loaded, transform) === undefined).map((of) => add(...of)),
    ...(state.loaded.kind === 'steps'
      ? [row('time=1s..2s', TIME_HINT, { type: 'transform', text: 'time=1s..2s' }, TIME_HINT)]
      : []),
    ...(state.transforms.length > 0 ? [row('save', 'this focus for the folder', { type: 'keep-transforms' })] : []),
    ...(state.transformsBefore.length > 0 ? [row('undo', 'undo the last change', { type: 'undo-transforms' })] : []),
    ...Array.from(state.keptTransforms, ([name, kept]) =>
      row(visible(`apply ${name || 'saved'}`), visible(kept.map(transformLabel).join(', ')), { type: 'take-kept', name }),
    ),
  ];
  const found = matchingRows(text, rows);
  if (text === '') return found;
  const isSet = state.transforms.some(({ on }) => on);
  const canSave = isSet ? !/=/.test(text) : state.keptTransforms.has(text);
  const keep = { type: 'keep-transforms', name: text } as const;
  const named = row(visible(`${isSet ? 'save as' : 'remove'} ${text}`), 'the focus of this name', keep);
  return [...found, row(visible(text), 'as typed', { type: 'transform', text }), ...(canSave ? [named] : [])];
}

const TIME_HINT = 'type a range: only what runs in it counts';
const ROOT_FRAME_MEANINGS = { parts: 'add a root frame per thread or part', labels: 'add a root frame per value of this label' };

/** Maximum labels that are offered, one row each. */
const MAX_LABEL_ROWS = 20;

type OfferedTarget = readonly [Parameters<typeof exactPattern>[0], name: string | null, readonly OfferedWord[]];

/** The subjects of offered transforms: the routine under the cursor, its source line, file and object; null if unknown. */
function offeredTargets(state: AppState): OfferedTarget[] {
  const { profile, costing } = state.analysis;
  const routine = cursorRoutine(state);
  const view = openView(state);
  const location = view.sourcePosition(contextOf(state));
  const hasLine = location && location.line > 0 && costing.can.has('stacks');
  const hasPaths = costing.can.has('stacks') || costing.can.has('contexts');
  const path = (hasPaths && view.pathAt(contextOf(state))?.map((r) => routineName(profile, r))) || [];
  // A name with a semicolon could be of two frames.
  const isPath = path.length > 1 && !path.some((name) => name.includes(';'));
  return [
    ['routine', routine < 0 ? null : routineName(profile, routine), ROUTINE_WORDS],
    ['path', isPath ? path.join(';') : null, ROUTINE_WORDS],
    ['line', hasLine ? `${location.file}:${location.line}` : null, ['focus', 'ignore']],
    ['file', location?.file ?? (routine < 0 ? null : routineFile(profile, routine)), FILE_WORDS],
    ['object', routine < 0 ? null : routineObject(profile, routine), FILE_WORDS],
  ];
}

export interface PanelRow {
  readonly cells: Readonly<Record<string, string>>;
  readonly action?: Action | undefined;
  readonly off?: string | undefined;
}

/** The state without what the row under the cursor of a menu has changed so far. */
export const withoutTriedRow = (state: AppState): AppState => ({ ...state, ...state.panel?.before });

/** The rows that match the typed text in any cell, best first. */
export const matchingRows = (text: string, rows: readonly PanelRow[]): PanelRow[] =>
  rankChoices(text, rows, (r) => Object.values(r.cells).join(' '));
