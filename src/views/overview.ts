// The Overview: what matters first, then where the cost is, each row with the place that Enter opens. It is the first view of a profile,
// and made of sections: the findings, and the first rows of tables that other views show whole.

import { isContextOf } from '../analysis/answers/analysis.ts';
import { routineDetail } from '../analysis/names/names.ts';
import { hasCode, isOwnRoutine, OWN } from '../analysis/names/origin.ts';
import { shortName } from '../analysis/names/short.ts';
import { ownCostsOf } from '../analysis/profiles/own-costs.ts';
import { withFirst } from '../base/lists.ts';
import { textOfCell } from '../base/style.ts';
import { cellWidth, cutWords, fit, keepEnds, visible, wrapText } from '../base/text.ts';
import { formatCost, formatPercent, formatShort, plural, smallestUnits } from '../base/units.ts';
import type { Column } from '../columns/column.ts';
import { percentageBaseIn } from '../columns/costs.ts';
import type { TableListing } from '../columns/listing.ts';
import { ownCodeList, ownCostRows } from '../columns/own-code.ts';
import { rowsByCode } from '../columns/routine-groups.ts';
import type { RoutineRow } from '../columns/routine-row.ts';
import { routineTable } from '../columns/routines.ts';
import { withoutLeadingShare } from '../findings/row.ts';
import { phraseText } from '../findings/say.ts';
import { eventValue } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import { findingLine, findingStyle, findingsJob, noFindingsReason, requestToOpen, SHARE_WIDTH } from './findings.ts';
import { type LineBlock, linesView } from './parts/lines-view.ts';
import { layOutTable } from './parts/table.ts';
import { detailViewId } from './routines.ts';
import { type ShowRequest, type Span, textLine, type ViewContext } from './view.ts';

/** The first rows of a table, under a heading. */
export interface OverviewSection {
  readonly applies: (c: ViewContext) => boolean;
  /** Works for `ms` milliseconds on what the section shows; true once done. */
  readonly work: (c: ViewContext, ms: number) => boolean;
  /** Whether the rows are known, so that the sections below have their place. */
  readonly isReady: (c: ViewContext) => boolean;
  /** The lines for at most `most` rows, with one line that counts the others. */
  readonly lines: (c: ViewContext, most: number) => readonly LineBlock[];
  /** The section gets at most this many rows, however tall the screen is. Absent: as many as fit. */
  readonly most?: number;
}

interface TableSectionSpec<T, K extends Kind> {
  readonly list: TableListing<T, K>;
  /** Whether a profile with the rows shows the section. Absent: it does. */
  readonly applies?: (c: ViewContext<K>) => boolean;
  readonly heading: (c: ViewContext<K>) => string;
  readonly view: string;
  readonly opens: (row: T, c: ViewContext<K>) => ShowRequest;
  /** The full text of a row. Absent: the routine that it opens, or the texts of the list. */
  readonly detail?: (row: T) => string;
  /** The rows in the order of the section; undefined until they are known. Absent: those of the list. */
  readonly rows?: (c: ViewContext<K>) => readonly T[] | undefined;
  readonly work?: (c: ViewContext<K>, ms: number) => boolean;
  /** Describes the rows that do not fit, with their sum. */
  readonly rest?: (rows: readonly T[], c: ViewContext<K>) => string;
  readonly most?: number;
  /** A line below the rows about what has no rows. */
  readonly after?: (c: ViewContext<K>) => string | undefined;
  /** How many of the rows are worth a line. Absent: all. */
  readonly majorRows?: (rows: readonly T[], c: ViewContext<K>) => number;
}

export const headingBlock = (text: string, width: number): LineBlock => ({
  lines: [textLine(cutWords(` ${text}`, width), 'header')],
});

/** The line of a section whose rows are not known yet. */
const LOOKING: LineBlock = { lines: [textLine(' looking …', 'dim')], isPending: true };

export function tableSection<T, K extends Kind>(spec: TableSectionSpec<T, K>): OverviewSection {
  const { list, opens } = spec;
  /** Reads a profile of the kind of the list; `otherwise` stands for other profiles. */
  const ifOfKind = <R>(c: ViewContext, read: (c: ViewContext<K>) => R, otherwise: R): R =>
    isContextOf(c, list.kind) ? read(c) : otherwise;
  const rowsOf = (c: ViewContext<K>) => (spec.rows ? spec.rows(c) : list.all(c));
  const detail = (row: T, c: ViewContext<K>) => {
    const { routine } = opens(row, c);
    if (spec.detail) return spec.detail(row);
    return routine === undefined ? list.texts(row, c).join('  ') : routineDetail(c.analysis.profile, routine);
  };
  const lines = (c: ViewContext<K>, most: number): readonly LineBlock[] => {
    const rows = rowsOf(c);
    const title = headingBlock(spec.heading(c), c.width);
    if (!rows) return [title, LOOKING];
    const after = spec.after?.(c);
    const last = after === undefined ? [] : [moreLine(after, spec.view, c)];
    if (rows.length === 0) return last.length === 0 ? [] : [title, ...last];
    const major = Math.min(most, spec.majorRows?.(rows, c) ?? rows.length);
    const shown = rows.slice(0, rows.length <= major ? major : Math.max(1, Math.min(major, most - 1)));
    // A column without text in the few rows leaves its room to the names.
    const hasText = ({ text }: Column<T>) => shown.some((row) => textOfCell(text?.(row) ?? '') !== '');
    const table = layOutTable(list.table(c).columns(c).filter(hasText), c.width);
    const columnTitles: LineBlock = { lines: [{ spans: table.heading.spans.map(([text]): Span => [text, 'dim']) }] };
    const first = shown.map((row): LineBlock => {
      const [text] = list.texts(row, c);
      return { lines: [{ spans: table.spansOf(row) }], row: { opens: opens(row, c), text, detail: detail(row, c) } };
    });
    const others = rows.slice(shown.length);
    const more = others.length > 0 ? [moreLine(spec.rest?.(others, c) ?? `${others.length} more`, spec.view, c)] : [];
    return [title, columnTitles, ...first, ...more, ...last];
  };
  const hasData = (c: ViewContext<K>) => list.requires.every((question) => c.analysis.costing.can.has(question));
  return {
    ...(spec.most === undefined ? {} : { most: spec.most }),
    applies: (all) => ifOfKind(all, (c) => hasData(c) && (spec.applies?.(c) ?? true), false),
    work: (all, ms) => ifOfKind(all, (c) => spec.work?.(c, ms) ?? true, true),
    isReady: (all) => ifOfKind(all, (c) => rowsOf(c) !== undefined, true),
    lines: (all, most) => ifOfKind(all, (c) => lines(c, most), []),
  };
}

const moreLine = (text: string, view: string, c: ViewContext): LineBlock => ({
  lines: [textLine(cutWords(`▸ ${text}`, c.width - 1), 'dim')],
  row: { opens: { type: 'show', view }, text, detail: `Enter opens ${view}` },
});

/** Whether routines are what the profile is about; in profiles of input sizes, growth is. */
const isOfRoutines = ({ analysis: { profile } }: ViewContext): boolean => hasCode(profile) && profile.kind !== 'inputs';

const MIN_SHARE = 0.001;

/** The section of profiles of routines: own code with the library code that it calls. */
const ownSection = tableSection({
  list: ownCodeList,
  // A ratio has no cost that could be summed; a change in percent is of one that can be.
  applies: (c) => isOfRoutines(c) && (!c.event.per || c.event.measure === 'percent'),
  heading: ownHeading,
  view: 'routines',
  rows(c) {
    // Probable renames are known with the findings.
    if (!c.analysis.before) return ownCostRows(c);
    return findingsJob(c).ready && ownCostRows(c)?.filter(({ value, before }) => value > before);
  },
  work: (c, ms) => ownCostsOf(c.analysis, c.event).run(ms),
  opens: ({ routine }, c) => ({ type: 'show', view: detailViewId(c) ?? 'routines', routine }),
  majorRows(rows, c) {
    const least = MIN_SHARE * percentageBaseIn(c);
    return rows.filter((r) => r.value - r.before >= least).length;
  },
  after: cheaperText,
  rest: (rows, c) => {
    const sum = rows.reduce((all, { value, before }) => all + value - before, 0);
    return `${shareText(c, sum)}${plural(rows.length, 'more own routine')}`;
  },
});

/** In a comparison: the own routines that cost less. */
function cheaperText(c: ViewContext): string | undefined {
  if (!c.analysis.before || !findingsJob(c).ready) return undefined;
  const less = ownCostRows(c)?.filter(({ value, before }) => value < before) ?? [];
  if (less.length === 0) return undefined;
  const names = less.slice(-3).map(({ routine }) => shortName(c.analysis.profile, routine, MAX_NAME_CELLS));
  const sum = less.reduce((all, { value, before }) => all + value - before, 0);
  return `${shareText(c, sum)}${plural(less.length, 'own routine')} cost less: ${names.reverse().join(', ')}`;
}

const MAX_NAME_CELLS = 24;

/** The section on whose code it is: self costs, so that its rows add up to the total. */
const originSection = tableSection<RoutineRow, Kind>({
  list: {
    ...{ name: 'routines', requires: ['routines', 'self'] },
    // Names win the room of the bar.
    table: () => ({
      ...routineTable,
      columns: (c) =>
        routineTable
          .columns(c)
          .filter(({ id }) => id !== 'bar')
          .map((column) => (column.id === 'routine' ? { ...column, title: 'code (routines)' } : column)),
    }),
    all: ({ analysis, event }) => withFirst(rowsByCode(analysis, event), ({ group }) => group?.label === OWN),
    texts: ({ group }) => [group?.label ?? ''],
  },
  applies: isOfRoutines,
  heading: () => 'By whose code',
  view: 'routines',
  most: 5,
  detail: ({ group }) => group?.label ?? '',
  opens: ({ group }) => ({ type: 'show', view: 'routines', routine: group?.routines[0] }),
});

const shareText = (c: ViewContext, value: number): string =>
  c.event.per ? '' : `${value > 0 && c.analysis.before ? '+' : ''}${formatPercent(value, percentageBaseIn(c))}  `;

function ownHeading(c: ViewContext): string {
  const found = ownCostsOf(c.analysis, c.event).ready;
  if (c.analysis.before) return 'Own code that costs more, each routine with the library code it calls';
  const sum = found?.rows.reduce((all, { value }) => all + value, 0) ?? Number.NaN;
  const share = found && !c.event.per ? `: ${formatPercent(sum, percentageBaseIn(c))}` : '';
  return found?.isSelf ? `Own code by itself${share}` : `Own code with the library code it calls${share}`;
}

/** For code of others, the costliest own routine: its source and calls can be changed. Undefined for own code, and in comparisons. */
function ownRoutineInstead(c: ViewContext, routine: number | undefined): number | undefined {
  if (routine === undefined || c.analysis.before || isOwnRoutine(c.analysis.profile, routine)) return undefined;
  return isOfRoutines(c) ? ownCostRows(c)?.[0]?.routine : undefined;
}

/** From this height on, each finding may take two lines; below, only the first, which is under the cursor, or each of three. */
const MIN_HEIGHT_TO_WRAP = 30;

/** At most `most` findings. `spare`: lines of a small screen that nothing else needs: the first findings take them. */
function findingLines(c: ViewContext, most: number, spare = 0): LineBlock[] {
  const found = findingsJob(c).ready?.findings;
  const title = c.analysis.before ? 'What changed' : 'What matters';
  if (!found) return [headingBlock(title, c.width), LOOKING];
  const renames = c.analysis.profile.compared?.appliedRenames ?? [];
  const applied = renames.length === 0 ? '' : `, ${plural(renames.length, 'rename')} applied`;
  const remarks = found.filter(({ isNote }) => isNote).length;
  const count =
    found.length === 0
      ? noFindingsReason(c)
      : `${plural(found.length, 'finding')}${remarks > 0 && remarks < found.length ? `, ${remarks} about ${c.analysis.before ? 'both runs' : 'the recording'}` : ''}`;
  const shown = found.slice(0, found.length <= most ? most : Math.max(1, most - 1));
  const room = c.width - SHARE_WIDTH - 2;
  let left = spare;
  const lines = shown.map((finding, i): LineBlock => {
    const { lead, parts } = withoutLeadingShare(finding);
    const opens = requestToOpen(finding);
    const text = visible(keepEnds(phraseText({ parts }), 2000));
    const isTall = c.height >= MIN_HEIGHT_TO_WRAP;
    const isFew = found.length < (isTall ? 4 : c.height >= MIN_HEIGHT_FOR_TOTALS ? 3 : 0);
    const usual = isFew ? 2 : isTall || (most > 3 && (i === 0 || found.length <= 3)) ? 1 : 0;
    const more = usual + left;
    const pieces = more === 0 ? [text] : wrapText(text, room, room, 0.5);
    const [first = '', ...others] = [...pieces.slice(0, more), pieces.slice(more).join(' ')].filter((piece) => piece !== '');
    left -= Math.max(0, others.length - usual);
    const line = (mark: string, piece: string) =>
      findingLine(mark, findingStyle(finding), cutWords(piece, room), finding.isNote ? 'dim' : 'plain');
    return {
      lines: [line(lead || '!', first), ...others.map((piece) => line('', piece))],
      row: { opens, routine: ownRoutineInstead(c, opens.routine), text, detail: `${lead} ${text}`.trim() },
    };
  });
  const rest = found.length - shown.length;
  const more = rest > 0 ? [moreLine(plural(rest, 'more finding'), 'findings', c)] : [];
  const renamed = renames.slice(0, MAX_RENAME_LINES).map((text): LineBlock => {
    const line = `${fit('=', SHARE_WIDTH, 'right')} ${visible(keepEnds(text, 500))}`;
    const detail = `renamed: ${visible(text)}; o keeps the names apart`;
    return {
      lines: [textLine(cutWords(line, c.width - 1), 'dim')],
      row: { opens: { type: 'show', view: 'info' }, text, detail },
    };
  });
  return [headingBlock(`${title}  ${count}${applied}`, c.width), ...lines, ...more, ...renamed];
}

/** Renames that are taken for certain, each with a line. Info has all. */
const MAX_RENAME_LINES = 2;

/** Smaller screens have one line about the recording; on larger ones, the totals of other events may have a second one. */
const MIN_HEIGHT_FOR_TOTALS = 18;

/** Lines about the recording; Enter opens Info. */
function recordingLine(c: ViewContext): LineBlock {
  const { kind, creator, format, parts, warnings, cut } = c.analysis.profile;
  const { events } = c.analysis;
  const { name, longName, unit } = c.event;
  // Names of counts and of memory are short; those of times say what they are.
  const isShort = (unit === 'count' && kind !== 'processes') || unit === 'bytes';
  const only = warnings.length === 1 ? `: ${warnings[0].found}` : '';
  const facts = [
    creator ?? format,
    ...(kind === 'processes' ? ['no times'] : []),
    ...(isShort && longName && !longName.startsWith(name) ? [`${name}: ${longName}`] : []),
    ...(parts.length > 1 ? [plural(parts.length, 'part')] : []),
    cut ? 'incomplete' : warnings.length > 0 ? `${plural(warnings.length, 'warning')}${only}` : 'no warnings',
  ];
  const others = events.filter((event) => event.name !== name && !event.per);
  // Events of the same unit say most beside the shown one.
  others.sort((a, b) => Number(b.unit === unit) - Number(a.unit === unit));
  const totals = others.map((event) => {
    const total = eventValue(event, c.analysis.totals.total, 0);
    return `${event.name} ${smallestUnits(event.unit) ? formatCost(total, event.unit) : formatShort(total)}`;
  });
  const rows = [`Recording  ${visible(keepEnds(facts.join(', '), 500))}`];
  const most = c.height < MIN_HEIGHT_FOR_TOTALS ? 1 : 2;
  // Numbers are whole, or left out.
  for (const [k, total] of totals.entries()) {
    const longer = `${rows[rows.length - 1]}${k === 0 ? '; also' : ','} ${visible(total)}`;
    if (cellWidth(longer) < c.width) rows[rows.length - 1] = longer;
    else if (rows.length < most) rows.push(`           also ${visible(total)}`);
    else break;
  }
  const text = rows.join(' ');
  return {
    lines: rows.map((line) => textLine(cutWords(line, c.width - 1), cut || warnings.length > 0 ? 'warm' : 'dim')),
    row: { opens: { type: 'show', view: 'info' }, text, detail: 'Enter opens Info: files, parts, events, warnings' },
  };
}

/** Screens with fewer rows show only findings and the first section. */
const MIN_HEIGHT_FOR_ALL = 14;

/**
 * The rows of each section: those with a maximum get theirs, and the others share what is left. What is not known yet comes last, so that
 * nothing above or below it moves later.
 */
function linesOf(sections: readonly OverviewSection[], c: ViewContext): readonly LineBlock[] {
  const applying = sections.filter((section) => section.applies(c));
  const isSmall = c.height < MIN_HEIGHT_FOR_ALL;
  const found = findingLines(c, isSmall ? 3 : Math.max(4, Math.floor(c.height / 5)));
  if (!findingsJob(c).ready) return found;
  const pending = applying.findIndex((section) => !section.isReady(c));
  const all = isSmall ? applying.slice(0, 1) : pending < 0 ? applying : applying.slice(0, pending + 1);
  const recording = isSmall || pending >= 0 ? [] : [recordingLine(c)];
  const most = Math.max(2, Math.floor(c.height / 6));
  const bounded = all.map((section) => (section.most ? section.lines(c, Math.min(section.most, most)) : undefined));
  const above = found.reduce((sum, { lines }) => sum + lines.length, 0);
  const used = above + recording.length + bounded.reduce((sum, lines) => sum + (lines?.length ?? 2), 0);
  const open = bounded.filter((lines) => !lines).length;
  const each = Math.max(3, Math.floor((c.height - used) / Math.max(1, open)));
  const blocks = all.map(({ lines }, i) => bounded[i] ?? lines(c, each));
  const count = (list: readonly LineBlock[]) => list.reduce((sum, { lines }) => sum + lines.length, 0);
  // Sections without room are left to their views.
  while (blocks.length > 1 && count([...found, ...blocks.flat()]) + recording.length > c.height) blocks.pop();
  // Rows that no section needs are for the last one with a maximum.
  const free = c.height - count([...found, ...blocks.flat(), ...recording]);
  if (isSmall && free > 0) return [...findingLines(c, 3, free), ...blocks.flat()];
  const last = pending < 0 && free > 0 ? all.slice(0, blocks.length).findLastIndex((section) => section.most !== undefined) : -1;
  if (last >= 0) blocks[last] = all[last].lines(c, Math.min(all[last].most ?? most, most) + free);
  return [...found, ...blocks.flat(), ...recording];
}

/** Makes the view. `domainSections`: the sections for builds, traces and input sizes, which come before those of routines. */
export function overviewView(domainSections: readonly OverviewSection[]) {
  const sections = [...domainSections, ownSection, originSection];
  return linesView({
    id: 'overview',
    title: 'Overview',
    unfiltered: true,
    help: 'open what the row is about',
    footer: 'open',
    blocks: (c) => linesOf(sections, c),
    mode: (_, c) => (findingsJob(c).ready ? '' : 'looking …'),
    work: (_, c, ms) => findingsJob(c).run(ms) && sections.every((section) => !section.applies(c) || section.work(c, ms)),
    writtenHeight: 60,
  });
}
