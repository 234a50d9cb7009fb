// The Info view: metadata, parts (to turn on and off), events, totals and warnings of the profile.

import { isOfKind, percentageBase } from '../analysis/answers/analysis.ts';
import { eventInMeasure } from '../analysis/answers/compared/measure.ts';
import { compareNotes, matchNotes } from '../analysis/answers/compared/notes.ts';
import { isDifference } from '../analysis/answers/differences.ts';
import { describeEvent } from '../analysis/answers/events.ts';
import { threadNames } from '../analysis/answers/part-columns.ts';
import { isJob, stageSpansOf } from '../analysis/answers/steps/steps.ts';
import { transformTexts } from '../analysis/profiles/transforms/applied.ts';
import { memo } from '../base/lists.ts';
import { problemLine } from '../base/problem.ts';
import type { Style } from '../base/style.ts';
import { cellWidth, fit, keepEnds, visible, wrapText } from '../base/text.ts';
import { formatCost, formatCount, formatPercent, plural } from '../base/units.ts';
import { timeText } from '../columns/times.ts';
import { unrecordedText } from '../columns/unrecorded.ts';
import { type Event, exactValue, type Part, type Question } from '../model/head.ts';
import type { ProfileOf } from '../model/profile.ts';
import { STAGES, summedSpansUs, totalIdleUs } from '../model/steps/stages.ts';
import { drawTextRows, printableFieldText, type TextRow } from './parts/lines.ts';
import { listView, START, type StateWithList, withCursorAt } from './parts/list.ts';
import { cacheLast, contentWithoutHeight } from './parts/remembered.ts';
import { type Binding, key, type ViewContext } from './view.ts';

interface InfoState extends StateWithList {
  /** The rows for which the cursor was placed, to find its part or event after a change. */
  readonly rows: readonly InfoRow[];
}

interface InfoRow extends TextRow {
  readonly part?: number;
  readonly event?: string;
}

const headingRow = (text: string): InfoRow => ({ text, style: 'bold' });

/** Wraps a text to several rows, because this view does not scroll sideways. */
function wrapRows(c: ViewContext, text: string, style: Style = 'plain'): InfoRow[] {
  const widthAfter = (indent: number) => Math.max(8, c.width - 1 - indent);
  const [first = '', ...rest] = wrapText(printableFieldText(text), widthAfter(2), widthAfter(6), 1 / 3);
  return [{ text: `  ${first}`, style }, ...rest.map((piece) => ({ text: `      ${piece}`, style }))];
}

const MAX_NOTES = 200;

function makeInfoRows(c: ViewContext): readonly InfoRow[] {
  const { profile, events } = c.analysis;
  const nameWidth = events.reduce((most, { name }) => Math.max(most, Math.min(c.width >> 2, cellWidth(name))), 10);
  const { cut, parts, warnings } = profile;
  const isShown = (note: string) => !/^(Trigger|Timerange):/.test(note) && !note.trimEnd().endsWith(':');
  const threads = threadNames(parts);
  const notes = [...new Set([...(profile.notes ?? []), ...parts.flatMap((p) => p.notes)].filter(isShown))];
  return [
    ...(cut ? wrapRows(c, `${cut.sign ? 'Left out' : 'The file is cut off'}: ${problemLine(cut)}`, 'error') : []),
    headingRow('Profile'),
    ...profileRows(c),
    ...baseRows(c),
    headingRow(parts.length > 1 ? `Parts (${parts.length}; + switches one on and off, Enter shows only one)` : 'Parts (1)'),
    ...parts.map((part, i) => partRow(c, part, i, threads[i])),
    headingRow('Events (Enter chooses one)'),
    ...events.map((e) => eventRow(c, e, nameWidth)),
    ...(notes.length > 0 ? [headingRow('Notes')] : []),
    ...notes.slice(0, MAX_NOTES).flatMap((note) => wrapRows(c, note)),
    ...(notes.length > MAX_NOTES ? wrapRows(c, `${formatCount(notes.length - MAX_NOTES)} more`) : []),
    headingRow(`Warnings (${warnings.length})`),
    ...warnings.flatMap((w) => wrapRows(c, problemLine(w), 'warm')),
    ...(warnings.length === 0 ? wrapRows(c, 'none') : []),
  ];
}

const TABLE_NOUNS = [
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

/** Names of missing tables that their views do not have. */
const LACKING_NAMES = new Map<Question, string>([
  ['instrs', 'instructions'],
  ['tests', 'results from the test runner'],
  ['compiles', 'phases of the compilers'],
]);

function profileRows(c: ViewContext): InfoRow[] {
  const { profile, totals, costing } = c.analysis;
  const { files, objects, routines, lacks = [] } = profile;
  const pids = [...new Set(profile.parts.map((p) => p.pid).filter((p) => p !== null))];
  const holds = [
    // Builds have no routines, files or objects.
    ...(costing.can.has('routines') ? [plural(routines.name.length, 'routine')] : []),
    ...(files.name.length > 0 ? [plural(files.name.length, 'file')] : []),
    ...(objects.name.length > 0 || !isBuildProfile(c) ? [plural(objects.name.length, 'object')] : []),
    ...TABLE_NOUNS.flatMap(([id, noun]) => {
      const rows = costing.counts[id];
      return rows === undefined ? [] : [plural(rows, noun)];
    }),
  ];
  const cycles = totals.cycles.count;
  const unrecorded = unrecordedText(c.analysis);
  const missed = lacks.flatMap(({ table, option }) => {
    // Trees are built from calls, so missing `trees` are not mentioned.
    if (table === 'trees') return [];
    const name = LACKING_NAMES.get(table) ?? table;
    return option === undefined ? name : `${name} (recorded with ${option})`;
  });
  return [
    ...profile.paths.flatMap((path) => wrapRows(c, path)),
    ...wrapRows(c, `format    ${profile.format}${profile.creator ? `, written by ${profile.creator}` : ''}`),
    ...wrapRows(c, `command   ${profile.command ?? 'not recorded'}`),
    ...(pids.length > 0 ? wrapRows(c, `pid       ${pids.join(' ')}`) : []),
    ...wrapRows(c, `holds     ${holds.join(', ')}`),
    ...stageRows(c),
    ...(cycles > 0 ? wrapRows(c, `cycles    ${cycles}: each cost counts once; costs with ≈ are estimates`) : []),
    ...(unrecorded ? wrapRows(c, `missing   calls cost more than is recorded below them: ${unrecorded}`, 'warm') : []),
    ...(missed.length > 0 ? wrapRows(c, `lacks     ${missed.join(', ')}`, 'dim') : []),
  ];
}

/** The stages of a build, and the idle time between stages, which the duration does not include. */
function stageRows(c: ViewContext): InfoRow[] {
  const { analysis } = c;
  const spans = isOfKind(analysis, 'steps') ? stageSpansOf(analysis) : [];
  if (spans.length === 0) return [];
  const idle = totalIdleUs(spans);
  const took = STAGES.flatMap((name) => {
    const own = spans.filter((s) => s.name === name);
    return own.length === 0 ? [] : [`${name} ${timeText(summedSpansUs(own))}${own.length > 1 ? ` (${own.length})` : ''}`];
  });
  return wrapRows(c, `stages    ${[...took, ...(idle > 0 ? [`${timeText(idle)} idle between them`] : [])].join(', ')}`);
}

function baseRows(c: ViewContext): InfoRow[] {
  const { analysis } = c;
  const { before } = analysis;
  if (!before) return [];
  const matched = analysis.costing.can.has('routines') ? matchNotes(analysis) : [];
  return [
    headingRow('Compared with (B chooses another run)'),
    ...before.profile.paths.flatMap((path) => wrapRows(c, path)),
    ...(before.profile.command === null ? [] : wrapRows(c, `command   ${before.profile.command}`)),
    ...(matched.length > 0 ? [headingRow('Matched by')] : []),
    ...matched.flatMap((note) => wrapRows(c, note)),
    ...compareNotes(analysis, analysis.events).flatMap((note) => wrapRows(c, note)),
  ];
}

const isBuildProfile = ({ analysis: { costing } }: ViewContext) => costing.can.has('steps') || costing.can.has('processes');

function partRow({ analysis }: ViewContext, p: Part, i: number, thread: string | null): InfoRow {
  const on = !analysis.partsOff.has(i);
  const [part, pid] = [p.part, p.pid].map((id, k) => (id === null ? [] : [`${k === 0 ? 'part' : 'pid'} ${id}`]));
  const ids = [...part, ...(thread === null ? [] : [visible(keepEnds(thread, 60))]), ...pid];
  const trigger = p.notes.find((n) => n.startsWith('Trigger:')) ?? p.notes.find((n) => n.startsWith('Timerange:')) ?? '';
  const sum = p.totals?.[0] ?? p.summary?.[0];
  // A part without a `totals:` line may be incomplete, so the cost in its summary is shown instead.
  const [event] = p.events;
  const cost =
    sum === undefined || event === undefined
      ? ''
      : `  ${p.totals ? '' : 'of '}${formatCost(sum, analysis.events[0].unit)} ${event}`;
  const made =
    analysis.profile.kind === 'steps' && analysis.profile.parts.length > 1 ? `  ${jobsOfParts(analysis.profile)[i]}` : '';
  return {
    text: `  [${on ? 'x' : ' '}] ${i + 1}  ${ids.join(', ') || 'the whole file'}${cost}${made}  ${trigger}`,
    style: on ? 'plain' : 'dim',
    part: i,
  };
}

/** By part: its jobs, as `24 steps, 11.5s`. */
const jobsOfParts = memo(({ steps, parts }: ProfileOf<'steps'>): readonly string[] => {
  const sums = parts.map(() => ({ count: 0, us: 0 }));
  for (const [i, part] of steps.part.entries()) {
    if (!isJob(steps, i)) continue;
    sums[part].count++;
    sums[part].us += steps.durationUs[i];
  }
  return sums.map(({ count, us }) => `${plural(count, 'step')}, ${timeText(us)}`);
}, 2);

function eventRow(c: ViewContext, e: Event, nameWidth: number): InfoRow {
  const { totals, before } = c.analysis;
  const total = exactValue(e, totals.total, 0);
  const whole = percentageBase(c.analysis, e);
  const [share, all] = [formatPercent(Number(total), whole), formatCost(whole, e.unit)];
  const ofFile = () => (isDifference(c.analysis, e) ? `, both signs: ${all} without them` : `, ${share} of the file's ${all}`);
  const ofWhole = () => (transformTexts(c.analysis.profile).length > 0 ? `, ${share} of ${all}` : ofFile());
  const more = e.per || whole === Number(total) ? '' : ofWhole();
  const totalBefore = () => exactValue(eventInMeasure(c.analysis, e, 'before'), totals.total, 0);
  const then = before ? ` (before ${formatCost(totalBefore(), e.unit)})` : '';
  const meaning = describeEvent(e).join('  ');
  // Durations have the format of the title line.
  const totalNow = c.analysis.profile.kind === 'steps' && e.unit === 'us' ? timeText(Number(total)) : formatCost(total, e.unit);
  return {
    text: `  ${e.name === c.event.name ? '*' : ' '} ${fit(e.name, nameWidth)} ${totalNow}${then}  ${meaning}${more}`,
    style: 'plain',
    event: e.name,
  };
}

const infoRows = cacheLast(makeInfoRows, contentWithoutHeight);

const rowUnderCursor = (state: InfoState, c: ViewContext): Partial<InfoRow> => infoRows(c)[state.list.cursor] ?? {};

function noPartSwitchReason(state: InfoState, c: ViewContext): string | undefined {
  const { profile, partsOff } = c.analysis;
  const { part } = rowUnderCursor(state, c);
  if (part === undefined) return 'the cursor is not on a part';
  if (profile.parts.length === 1) return 'there is only one part';
  return partsOff.size === profile.parts.length - 1 && !partsOff.has(part) ? 'the last part cannot be turned off' : undefined;
}

const KEYS: readonly Binding<InfoState, { readonly type: 'part' | 'all-parts' | 'choose' }>[] = [
  key('+ =', { type: 'part' }, 'do', 'turn the part on or off in all views', { footer: 'part on/off', off: noPartSwitchReason }),
  key('0', { type: 'all-parts' }, 'do', 'turn all parts on', {
    off: (_, c) => (c.analysis.partsOff.size === 0 ? 'all parts are on' : undefined),
  }),
  key('enter', { type: 'choose' }, 'do', 'show only this event or part in all views', {
    footer: 'only this',
    off(state, c) {
      const { part, event } = rowUnderCursor(state, c);
      if (event === c.event.name) return 'this event is shown already';
      const isPart = part !== undefined && c.analysis.profile.parts.length > 1;
      return event === undefined && !isPart ? 'move to an event or a part first' : undefined;
    },
  }),
];

export const infoView = listView({
  id: 'info',
  title: 'Info',
  unfiltered: true,
  requires: [],
  report: { name: 'summary', ofFocus: false },
  linesAbove: 0,
  without: ['space'],
  keys: KEYS,
  init(c): InfoState {
    const rows = infoRows(c);
    // The cursor starts at the first part, if there are several, or event: Enter chooses one of them.
    const several = c.analysis.profile.parts.length > 1 ? 'part' : 'event';
    const first = rows.findIndex((row) => row[several] !== undefined);
    // The path of the file stays in sight.
    return { list: { ...START, cursor: first > 0 && first < c.height ? first : 0 }, rows };
  },
  /** Keeps the cursor on its part or event if rows appear or disappear above it. */
  adaptToContext(state, c) {
    const rows = infoRows(c);
    if (rows.length === state.rows.length) return state;
    const { part, event } = state.rows[state.list.cursor] ?? {};
    const row = part === undefined && event === undefined ? -1 : rows.findIndex((r) => r.part === part && r.event === event);
    return { rows, list: row < 0 ? state.list : withCursorAt(state.list, row, rows.length, c.height) };
  },
  draw: (state, c) => drawTextRows(infoRows(c), state.list, c),
  rowCount: (_, c) => infoRows(c).length,
  rowText: (_, row, c) => infoRows(c)[row].text,
  routineAt: (_, c) => c.focus,
  request(state, action, c) {
    if (action.type === 'all-parts') return { type: 'all-parts' };
    const { part, event: name } = rowUnderCursor(state, c);
    if (action.type === 'part' && part !== undefined) return { type: 'toggle-part', part };
    if (action.type !== 'choose') return undefined;
    if (name !== undefined) return { type: 'event', name };
    return part === undefined ? undefined : { type: 'only-part', part };
  },
  detail: (state, c) => rowUnderCursor(state, c).text?.trim() ?? '',
  rebase: (state) => state,
});
