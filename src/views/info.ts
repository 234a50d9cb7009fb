// Info: the file's metadata, parts (to turn on and off), events, totals and warnings.

import { isOfKind, wholeOf } from '../analysis/answers/analysis.ts';
import { measured } from '../analysis/answers/compared/measure.ts';
import { compareNotes, matchNotes } from '../analysis/answers/compared/notes.ts';
import type { Totals } from '../analysis/answers/costing.ts';
import { isDifference } from '../analysis/answers/differences.ts';
import { meaningOf } from '../analysis/answers/events.ts';
import { spansOf } from '../analysis/answers/steps/steps.ts';
import { appliedTo } from '../analysis/profiles/transforms/applied.ts';
import { problemLine } from '../base/problem.ts';
import type { Style } from '../base/style.ts';
import { fit, wrapped } from '../base/text.ts';
import { formatCost, formatCount, formatPercent, plural } from '../base/units.ts';
import { timeText } from '../columns/times.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import type { Event, Part } from '../model/head.ts';
import { idleUs, lastedUs, STAGES } from '../model/steps/stages.ts';
import { entry } from './open-view.ts';
import { drawLines, fieldText } from './parts/lines.ts';
import { at, type List, listView, START } from './parts/list.ts';
import { remembered } from './parts/remembered.ts';
import { type Binding, key, ofAnyKind, type ViewContext } from './view.ts';

interface InfoState {
  readonly list: List;
  /** The rows that the cursor is in: it stays at its part when they change. */
  readonly rows: readonly Row[];
}

interface InfoAction {
  readonly type: 'part' | 'all-parts' | 'choose';
}

interface Row {
  readonly text: string;
  readonly style: Style;
  readonly part?: number;
  readonly event?: string;
}

const head = (text: string): Row => ({ text, style: 'bold' });

/** Wraps text that is too long for the screen: these rows cannot be scrolled sideways. */
function say(c: ViewContext, text: string, style: Style = 'plain'): Row[] {
  const room = (indent: number) => Math.max(8, c.width - 1 - indent);
  const [first = '', ...rest] = wrapped(fieldText(text), room(2), room(6), 1 / 3);
  return [{ text: `  ${first}`, style }, ...rest.map((piece) => ({ text: `      ${piece}`, style }))];
}

function makeRows(c: ViewContext): readonly Row[] {
  const { profile, events } = c.analysis;
  const { cut, parts, warnings } = profile;
  const shown = (note: string) => !/^(Trigger|Timerange):/.test(note) && !note.trimEnd().endsWith(':');
  const notes = [...new Set([...(profile.notes ?? []), ...parts.flatMap((p) => p.notes)].filter(shown))];
  return [
    ...(cut ? say(c, `The file is cut off: ${problemLine(cut)}`, 'error') : []),
    head('Profile'),
    ...profileRows(c),
    ...baseRows(c),
    head(parts.length > 1 ? `Parts (${parts.length}; + switches one on and off, Enter shows one alone)` : 'Parts (1)'),
    ...parts.map((part, i) => partRow(c, part, i)),
    head('Events (Enter chooses one)'),
    ...events.map((e) => eventRow(c, e)),
    ...(notes.length > 0 ? [head('Notes')] : []),
    ...notes.slice(0, 20).flatMap((note) => say(c, note)),
    head(`Warnings (${warnings.length})`),
    ...warnings.flatMap((w) => say(c, problemLine(w), 'warm')),
    ...(warnings.length === 0 ? say(c, 'none') : []),
  ];
}

/** Tables and the nouns for their rows. */
const NOUNS = [
  ['steps', 'step'],
  ['processes', 'process'],
  ['points', 'point'],
  ['contexts', 'context'],
  ['stacks', 'stack'],
  ['addresses', 'address'],
  ['costLines', 'cost line'],
  ['callSites', 'call row'],
  ['jumps', 'jump'],
] as const;

function profileRows(c: ViewContext): Row[] {
  const { profile, totals, costing } = c.analysis;
  const { files, objects, routines, lacks = [] } = profile;
  const pids = [...new Set(profile.parts.map((p) => p.pid).filter((p) => p !== null))];
  const holds = [
    // A build has none of these three.
    ...(costing.can.has('routines') ? [plural(routines.name.length, 'routine')] : []),
    ...(files.name.length > 0 ? [plural(files.name.length, 'file')] : []),
    ...(objects.name.length > 0 || !isOfBuild(c) ? [plural(objects.name.length, 'object')] : []),
    ...NOUNS.flatMap(([id, noun]) => {
      const rows = costing.counts[id];
      return rows === undefined ? [] : [plural(rows, noun)];
    }),
  ];
  const out = [
    ...profile.paths.flatMap((path) => say(c, path)),
    ...say(c, `format    ${profile.format}${profile.creator ? `, written by ${profile.creator}` : ''}`),
    ...say(c, `command   ${profile.command ?? '???'}`),
    ...(pids.length > 0 ? say(c, `pid       ${pids.join(' ')}`) : []),
    ...say(c, `holds     ${holds.join(', ')}`),
    ...stageRows(c),
  ];
  if (totals.cycles.count > 0)
    out.push(...say(c, `cycles    ${totals.cycles.count}: each cost counts once; costs with ≈ are estimates`));
  // Trees are made of calls: without these, nobody misses them.
  const missed = lacks.filter((l) => l.table !== 'trees');
  if (missed.length > 0) {
    const names = missed.map(({ table, option }) => {
      const name = table === 'instrs' ? 'instructions' : table;
      return option === undefined ? name : `${name} (recorded with ${option})`;
    });
    out.push(...say(c, `lacks     ${names.join(', ')}`, 'dim'));
  }
  return out;
}

/** The stages of a build, and the time between them, which its duration leaves out. */
function stageRows(c: ViewContext): Row[] {
  const { analysis } = c;
  const spans = isOfKind(analysis, 'steps') ? spansOf(analysis) : [];
  if (spans.length === 0) return [];
  const idle = idleUs(spans);
  const took = STAGES.flatMap((name) => {
    const own = spans.filter((s) => s.name === name);
    return own.length === 0 ? [] : [`${name} ${timeText(lastedUs(own))}${own.length > 1 ? ` (${own.length})` : ''}`];
  });
  return say(c, `stages    ${[...took, ...(idle > 0 ? [`${timeText(idle)} idle between them`] : [])].join(', ')}`);
}

function baseRows(c: ViewContext): Row[] {
  const { analysis } = c;
  const { before } = analysis;
  if (!before) return [];
  const matched = analysis.costing.can.has('routines') ? matchNotes(analysis) : [];
  return [
    head('Compared with (B chooses another run)'),
    ...before.profile.paths.flatMap((path) => say(c, path)),
    ...(before.profile.command === null ? [] : say(c, `command   ${before.profile.command}`)),
    ...(matched.length > 0 ? [head('Matched by')] : []),
    ...matched.flatMap((note) => say(c, note)),
    ...compareNotes(analysis, analysis.events).flatMap((note) => say(c, note)),
  ];
}

const isOfBuild = ({ analysis: { costing } }: ViewContext) => costing.can.has('steps') || costing.can.has('processes');

function partRow({ analysis }: ViewContext, p: Part, i: number): Row {
  const on = !analysis.partsOff.has(i);
  const name = [
    p.part === null ? '' : `part ${p.part}`,
    p.thread === null ? '' : `thread ${p.thread}`,
    p.pid === null ? '' : `pid ${p.pid}`,
  ]
    .filter((t) => t)
    .join(', ');
  const trigger = p.notes.find((n) => n.startsWith('Trigger:')) ?? p.notes.find((n) => n.startsWith('Timerange:')) ?? '';
  const sum = p.totals?.[0] ?? p.summary?.[0];
  // A part without a totals: line may be cut off: then show the cost promised by its summary.
  const [event] = p.events;
  const cost =
    sum === undefined || event === undefined
      ? ''
      : `  ${p.totals ? '' : 'of '}${formatCost(sum, analysis.events[0].unit)} ${event}`;
  return {
    text: `  [${on ? 'x' : ' '}] ${i + 1}  ${name || 'the whole file'}${cost}  ${trigger}`,
    style: on ? 'plain' : 'dim',
    part: i,
  };
}

function eventRow(c: ViewContext, e: Event): Row {
  const { totals, before } = c.analysis;
  const total = e.per ? eventValue(e, totals.total, 0) : exactValue(e, totals.total, 0);
  const whole = wholeOf(c.analysis, e);
  const more =
    !e.per && whole !== Number(total)
      ? appliedTo(c.analysis.profile).length > 0
        ? `, ${formatPercent(Number(total), whole)} of ${formatCost(whole, e.unit)}`
        : isDifference(c.analysis, e)
          ? `, percentages of ${formatCost(whole, e.unit)}, the sum without signs`
          : `, of ${formatCount(whole)} in the file's summary (${formatPercent(Number(total), whole)} attributed)`
      : '';
  const then = before ? ` (before ${totalText(measured(c.analysis, e, 'before'), totals)})` : '';
  const about = meaningOf(e).join('  ');
  // Steps have the units of the title.
  const said = c.analysis.profile.kind === 'steps' && e.unit === 'us' ? timeText(Number(total)) : formatCost(total, e.unit);
  return {
    text: `  ${e.name === c.event.name ? '*' : ' '} ${fit(e.name, 10)} ${said}${then}${more}  ${about}`,
    style: 'plain',
    event: e.name,
  };
}

const totalText = (e: Event, { total }: Totals): string => formatCost(exactValue(e, total, 0), e.unit);

const lastRows = remembered(makeRows);
const rowsOf = (c: ViewContext): readonly Row[] => lastRows(c, undefined);

/** The row that the cursor starts on: of several parts, the first. */
const firstPart = (c: ViewContext) =>
  c.analysis.profile.parts.length > 1 ? rowsOf(c).findIndex((row) => row.part !== undefined) : 0;

const partAt = (state: InfoState, c: ViewContext) => rowsOf(c)[state.list.cursor]?.part;
const eventAt = (state: InfoState, c: ViewContext) => rowsOf(c)[state.list.cursor]?.event;

/** Rows come and go above the cursor, such as that of cycles: it stays on its part or event. */
function settle(state: InfoState, c: ViewContext): InfoState {
  const rows = rowsOf(c);
  if (rows.length === state.rows.length) return state;
  const { part, event } = state.rows[state.list.cursor] ?? {};
  const row = part === undefined && event === undefined ? -1 : rows.findIndex((r) => r.part === part && r.event === event);
  return { rows, list: row < 0 ? state.list : at(state.list, row, rows.length, c.height) };
}

function whyNoSwitch(state: InfoState, c: ViewContext): string | undefined {
  const { profile, partsOff } = c.analysis;
  const part = partAt(state, c);
  if (part === undefined) return 'the cursor is not on a part';
  if (profile.parts.length === 1) return 'there is only one part';
  return partsOff.size === profile.parts.length - 1 && !partsOff.has(part) ? 'the last part cannot be turned off' : undefined;
}

const KEYS: readonly Binding<InfoState, InfoAction>[] = [
  key('+ =', { type: 'part' }, 'do', 'turn the part on or off in all views', { footer: 'part on/off', off: whyNoSwitch }),
  key('0', { type: 'all-parts' }, 'do', 'turn all parts on', {
    off: (_, c) => (c.analysis.partsOff.size === 0 ? 'all parts are on' : undefined),
  }),
  key('enter', { type: 'choose' }, 'do', 'show this event, or this part alone, in all views', {
    footer: 'only this',
    off: (state, c) =>
      eventAt(state, c) === undefined && (partAt(state, c) === undefined || c.analysis.profile.parts.length === 1)
        ? 'move to an event or a part first'
        : undefined,
  }),
];

export const info = entry(
  listView({
    id: 'info',
    title: 'Info',
    unfiltered: true,
    digit: '6',
    asks: [],
    report: { name: 'summary', ofFocus: false },
    of: ofAnyKind,
    above: 0,
    without: ['space'],
    keys: KEYS,
    init: (c): InfoState => ({ list: { ...START, cursor: firstPart(c) }, rows: rowsOf(c) }),
    settle,
    draw: (state, c) => drawLines(rowsOf(c), state.list, c),
    rows: (_, c) => rowsOf(c).length,
    rowText: (_, row, c) => rowsOf(c)[row].text,
    routineAt: (_, c) => c.focus,
    request(state, action, c) {
      if (action.type === 'all-parts') return { type: 'all-parts' };
      const [part, name] = [partAt(state, c), eventAt(state, c)];
      if (action.type === 'part' && part !== undefined) return { type: 'toggle-part', part };
      if (action.type !== 'choose') return undefined;
      if (name !== undefined) return { type: 'event', name };
      return part === undefined ? undefined : { type: 'only-part', part };
    },
    detail: (state, c) => rowsOf(c)[state.list.cursor]?.text.trim() ?? '',
    printed: () => ({}),
    rebase: (state) => state,
  }),
);
