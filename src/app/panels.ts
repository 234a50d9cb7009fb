// The lists that panels show: keys, events, commands. Rows only; the screen draws them.
import { rank } from '../base/match.ts';
import { formatCost } from '../base/units.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import { viewsOf } from '../views/index.ts';
import type { Action } from '../views/view.ts';
import { bindingsOf, helpOf, keyLabel, offReason } from './keymap.ts';
import { type AppState, activeView } from './state.ts';

export interface PanelRow {
  readonly cells: Readonly<Record<string, string>>;
  /** What Enter does. */
  readonly action: Action | undefined;
  readonly off?: string | undefined;
}

const GROUP_TITLES = { move: 'move', view: 'views', show: 'show', find: 'find', do: 'do' } as const;

export function helpRows(state: AppState): PanelRow[] {
  const view = activeView(state);
  const own = new Set<unknown>(view.keys);
  const rows = bindingsOf(view).map((b) => ({
    cells: {
      keys: b.keys.map(keyLabel).join(' '),
      'what it does': helpOf(state, b),
      where: own.has(b) && b.group !== 'move' ? view.title : GROUP_TITLES[b.group],
    },
    action: undefined,
  }));
  return rank(state.panel?.text ?? '', rows, (r) => Object.values(r.cells).join(' '));
}

export function eventRows(state: AppState): PanelRow[] {
  const { analysis } = state;
  const rows = analysis.events.map((e) => ({
    cells: {
      event: `${e.name === state.event ? '*' : state.extraEvents.includes(e.name) ? '+' : ' '} ${e.name}`,
      total: formatCost(e.per ? eventValue(e, analysis.totals.total, 0) : exactValue(e, analysis.totals.total, 0), e.unit),
      'what it counts': [e.longName, e.formula ? `= ${e.formula}` : ''].filter((t) => t).join(' '),
    },
    action: { type: 'event', name: e.name },
  }));
  return rank(state.panel?.text ?? '', rows, (r) => Object.values(r.cells).join(' '));
}

/** Commands that take words after their name, as they are typed. */
export const COMMANDS = [
  { name: 'derive', arg: 'NAME=FORMULA', help: 'an event of your own' },
  { name: 'write', arg: 'FILE', help: 'write the view to a file' },
  { name: 'filter', arg: 'TEXT', help: 'only routines that match' },
  { name: 'search', arg: 'TEXT', help: 'search in this view' },
  { name: 'where', arg: 'CONDITIONS', help: 'only routines whose law fits: sizes>5 r2>0.9' },
  { name: 'predict', arg: 'SIZE', help: 'the cost at a size that was not measured' },
  { name: 'column', arg: 'EVENT', help: 'a column for another event, or away with it' },
] as const;

export function paletteRows(state: AppState): PanelRow[] {
  const text = state.panel?.text ?? '';
  const typed = COMMANDS.find((c) => text.startsWith(c.name + ' '));
  if (typed) {
    const argument = text.slice(typed.name.length + 1).trim();
    return [
      {
        cells: { command: `${typed.name} ${argument || typed.arg}`, key: '' },
        action: { type: 'command', name: typed.name, argument },
      },
    ];
  }
  const rows: PanelRow[] = bindingsOf(activeView(state))
    .filter((b) => b.action.type !== 'panel' || b.action['kind'] !== 'palette')
    .map((b) => ({
      cells: { command: helpOf(state, b), key: b.keys.map(keyLabel).join(' ') },
      action: b.action,
      off: offReason(state, b),
    }));
  // What other views can do: there first, then that.
  for (const v of viewsOf(state.analysis.profile, state.base)) {
    if (v.id === state.view) continue;
    for (const b of v.keys.filter((k) => k.group !== 'move')) {
      const action = { type: 'in-view', view: v.id, action: JSON.stringify(b.action) };
      rows.push({ cells: { command: `${v.title}: ${b.help}`, key: '' }, action });
    }
  }
  for (const c of COMMANDS)
    rows.push({
      cells: { command: `${c.name} ${c.arg}: ${c.help}`, key: '' },
      action: { type: 'input-set', text: c.name + ' ' },
    });
  return rank(text, rows, (r) => r.cells['command']);
}

export function panelRows(state: AppState): PanelRow[] {
  if (state.panel?.kind === 'help') return helpRows(state);
  if (state.panel?.kind === 'events') return eventRows(state);
  return state.panel ? paletteRows(state) : [];
}
