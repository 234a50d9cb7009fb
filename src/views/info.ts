// Info: what the file says of itself, its parts to switch on and off, its events, its totals, every warning.
import { wholeOf } from '../analysis/analysis.ts';
import { problemLine } from '../base/problem.ts';
import { cutEnd, fit, visible } from '../base/text.ts';
import { formatCost, formatCount, formatPercent, plural } from '../base/units.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import { hasTable } from '../model/profile.ts';
import { at, LIST_KEYS, type List, moveList, START } from './parts/list.ts';
import type { Binding, ScreenLine, Style, View, ViewContext } from './view.ts';

export interface InfoState {
  readonly list: List;
}

interface Row {
  readonly text: string;
  readonly style: Style;
  readonly part?: number;
  readonly event?: string;
}

function rowsOf(c: ViewContext): Row[] {
  const { profile, totals, events, partsOff } = c.analysis;
  const rows: Row[] = [];
  const head = (text: string) => rows.push({ text, style: 'bold' });
  // What is longer than the screen is wide goes on in the next row: nobody can shift these.
  const say = (text: string, style: Style = 'plain') => {
    let rest = visible(text);
    for (let indent = '  '; rest !== ''; indent = '      ') {
      const room = Math.max(8, c.width - 1 - indent.length);
      let piece = cutEnd(rest, room);
      const blank = piece.length < rest.length ? piece.lastIndexOf(' ') : -1;
      if (blank > room / 3) piece = piece.slice(0, blank + 1);
      if (piece === '') break;
      rows.push({ text: indent + piece, style });
      rest = rest.slice(piece.length);
    }
  };
  if (profile.cut) say(`The file was cut off: ${problemLine(profile.cut)}`, 'error');
  head('Profile');
  for (const path of profile.paths) say(path);
  say(`format    ${profile.format}${profile.creator ? `, written by ${profile.creator}` : ''}`);
  say(`command   ${profile.command ?? '???'}`);
  const pids = [...new Set(profile.parts.map((p) => p.pid).filter((p) => p !== null))];
  if (pids.length > 0) say(`pid       ${pids.join(' ')}`);
  const has = (n: number | undefined, noun: string) => (n === undefined ? [] : [plural(n, noun)]);
  const holds = [
    // A build has none of the three.
    ...(hasTable(profile, 'routines') ? [plural(profile.routines.name.length, 'routine')] : []),
    ...(profile.files.name.length > 0 ? [plural(profile.files.name.length, 'file')] : []),
    ...(profile.objects.name.length > 0 || !(profile.steps || profile.processes)
      ? [plural(profile.objects.name.length, 'object')]
      : []),
    ...has(profile.steps?.name.length, 'step'),
    ...has(profile.processes?.id.length, 'process'),
    ...has(profile.inputs?.size.length, 'point'),
    ...has(profile.contexts?.id.length, 'context'),
    ...has(profile.stacks?.part.length, 'stack'),
    ...has(profile.places?.high.length, 'address'),
    ...has(profile.lines?.line.length, 'cost line'),
    ...has(profile.calls?.span.length, 'call row'),
    ...has(profile.jumps?.span.length, 'jump'),
  ];
  say(`holds     ${holds.join(', ')}`);
  if (totals.cycles.count > 0)
    say(`cycles    ${totals.cycles.count}: their members' inclusive cost is without the calls inside the cycle`);
  const { lacks = [] } = profile;
  if (lacks.length > 0) {
    const how = [...new Set(lacks.flatMap((l) => l.option ?? []))];
    const names = lacks.map((l) => (l.table === 'instrs' ? 'instructions' : l.table)).join(', ');
    say(`lacks     ${names}${how.length > 0 ? ` (${profile.format} records them with ${how.join(' ')})` : ''}`, 'dim');
  }
  for (const note of c.notes) say(note);
  head(`Parts (${profile.parts.length}; Space switches one on and off)`);
  profile.parts.forEach((p, i) => {
    const on = !partsOff.has(i);
    const name = [
      p.part === null ? '' : `part ${p.part}`,
      p.thread === null ? '' : `thread ${p.thread}`,
      p.pid === null ? '' : `pid ${p.pid}`,
    ]
      .filter((t) => t)
      .join(', ');
    const trigger = p.notes.find((n) => n.startsWith('Trigger:')) ?? p.notes.find((n) => n.startsWith('Timerange:')) ?? '';
    const sum = p.totals?.[0] ?? p.summary?.[0];
    // Without its totals: line a part may be cut: its summary is what was promised.
    const cost = sum === undefined ? '' : `  ${p.totals ? '' : 'of '}${formatCost(sum, events[0].unit)} ${p.events[0]}`;
    rows.push({
      text: `  [${on ? 'x' : ' '}] ${i + 1}  ${name || 'the whole file'}${cost}  ${trigger}`,
      style: on ? 'plain' : 'dim',
      part: i,
    });
  });
  head('Events (Enter chooses one)');
  for (const e of events) {
    const total = e.per ? eventValue(e, totals.total, 0) : exactValue(e, totals.total, 0);
    const whole = wholeOf(c.analysis, e);
    const more =
      !e.per && whole !== Number(total)
        ? `, of ${formatCount(whole)} by the summary (${formatPercent(Number(total), whole)} has a place)`
        : '';
    const about = [e.longName, e.formula ? `= ${e.formula}` : undefined].filter((t) => t).join('  ');
    rows.push({
      text: `  ${e === c.event ? '*' : ' '} ${fit(e.name, 10)} ${formatCost(total, e.unit)}${more}  ${about}`,
      style: 'plain',
      event: e.name,
    });
  }
  const notes = [
    ...new Set(
      [...(profile.notes ?? []), ...profile.parts.flatMap((p) => p.notes)].filter((n) => !/^(Trigger|Timerange):|: *$/.test(n)),
    ),
  ];
  if (notes.length > 0) head('Notes');
  for (const note of notes.slice(0, 20)) say(note);
  head(`Warnings (${profile.warnings.length})`);
  for (const w of profile.warnings) say(problemLine(w), 'warm');
  if (profile.warnings.length === 0) say('none');
  return rows;
}

const partAt = (state: InfoState, c: ViewContext) => rowsOf(c)[state.list.cursor]?.part;
const eventAt = (state: InfoState, c: ViewContext) => rowsOf(c)[state.list.cursor]?.event;

const KEYS: readonly Binding<InfoState>[] = [
  ...(LIST_KEYS as readonly Binding<InfoState>[]).filter((k) => !k.keys.includes('space')),
  { keys: ['pagedown', 'ctrl-f'], action: { type: 'page', by: 1 }, help: 'page down', group: 'move' },
  {
    keys: ['space'],
    action: { type: 'part' },
    help: 'switch the part on or off, in all views',
    group: 'do',
    footer: 'part on/off',
    off: (state, c) =>
      partAt(state, c) === undefined
        ? 'the cursor is on no part'
        : c.analysis.profile.parts.length === 1
          ? 'there is one part only'
          : c.analysis.partsOff.size === c.analysis.profile.parts.length - 1 && !c.analysis.partsOff.has(partAt(state, c)!)
            ? 'the last part stays on'
            : undefined,
  },
  {
    keys: ['a'],
    action: { type: 'all-parts' },
    help: 'all parts on',
    group: 'do',
    off: (_, c) => (c.analysis.partsOff.size === 0 ? 'all parts are on' : undefined),
  },
  {
    keys: ['enter'],
    action: { type: 'choose-event' },
    help: 'the event that all views show',
    group: 'do',
    footer: 'event',
    off: (state, c) => (eventAt(state, c) === undefined ? 'the cursor is on no event' : undefined),
  },
];

export const info: View<InfoState> = {
  id: 'info',
  title: 'Info',
  digit: '6',
  requires: [],
  report: 'summary',
  keys: KEYS,
  init: () => ({ list: START }),
  update: (state, action, c) => ({ ...state, list: moveList(state.list, action, rowsOf(c).length, c.height) }),
  draw(state, c) {
    const rows = rowsOf(c);
    const out: ScreenLine[] = [];
    for (let i = state.list.top; i < rows.length && out.length < c.height; i++) {
      const cursor = i === state.list.cursor;
      out.push({
        spans: [
          [cursor ? (c.ascii ? '>' : '▶') : ' ', 'plain'],
          [fit(visible(rows[i].text), c.width - 1), rows[i].style, cursor],
        ],
        ...(cursor ? { cursor } : {}),
      });
    }
    while (out.length < c.height) out.push({ spans: [] });
    return out;
  },
  rows: (_, c) => rowsOf(c).length,
  cursor: (state) => state.list.cursor,
  moveTo: (state, row, c) => ({ ...state, list: at(state.list, row, rowsOf(c).length, c.height) }),
  rowText: (_, row, c) => rowsOf(c)[row].text,
  routineAt: (_, c) => c.focus,
  asks(state, action, c) {
    if (action.type === 'part') return { type: 'toggle-part', part: partAt(state, c) };
    if (action.type === 'choose-event') return { type: 'event', name: eventAt(state, c) };
    return undefined;
  },
  detail: (state, c) => rowsOf(c)[state.list.cursor]?.text.trim() ?? '',
};
