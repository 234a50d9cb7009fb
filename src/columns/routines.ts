// The columns of routines: one row per routine; on the screen, a row may also be a group of routines, or a cycle.

import { type Analysis, splitsCosts } from '../analysis/answers/analysis.ts';
import { countInMeasure, countsInMeasure } from '../analysis/answers/compared/measure.ts';
import { noteOf } from '../analysis/answers/notes.ts';
import { magnitudes, orderByNumber, orderByString, sortStrings } from '../analysis/answers/order.ts';
import { analysisOfColumn, RECORDED_COLUMN } from '../analysis/answers/part-columns.ts';
import { nameIdOf, routineFile, routineLocation, routineObject, UNKNOWN_NAME } from '../analysis/names/names.ts';
import { hasCode, isOwnRoutine, originOf } from '../analysis/names/origin.ts';
import { memo } from '../base/lists.ts';
import { baseName } from '../base/paths.ts';
import type { TableCell } from '../base/style.ts';
import { barText } from '../base/text.ts';
import { formatCount, formatPercent } from '../base/units.ts';
import { type CostTable, type Event, eventValue } from '../model/head.ts';
import { dataColumn, displayColumn, flagColumn } from './builders.ts';
import { bySize, type Column, type ColumnContext, onScreen, type TableColumns } from './column.ts';
import { callCountText, callsTitle, routineSides, showsChange } from './compared.ts';
import {
  callCountAt,
  costCell,
  costColumn,
  costColumnLayout,
  costsByName,
  costText,
  estimatedColumn,
  extraEventColumns,
  isNarrow,
  makeEventOrder,
  markWidth,
  percentageBaseIn,
  recordedColumn,
  shareCell,
  shareColumn,
} from './costs.ts';
import { hasFiles, inlinedMark, nameCell, namesakeColumn, recordedNameColumn, routineKey } from './names.ts';
import { perCallColumns } from './per-call.ts';
import { BAR_CELLS, changeBar, changeColumns } from './routine-changes.ts';
import {
  analysisOfRow,
  isEstimatedCost,
  isPartOfRoutine,
  type RoutineRow,
  routineCostsOf,
  selfCostOfRow,
} from './routine-row.ts';

const BAR_WIDTH = 10;

export const routineTable: TableColumns<RoutineRow> = {
  keys: ['routine', 'file', 'object', 'calls', 'self', 'inclusive', 'cycle'],
  sides: (c, row) => routineSides(c, row.routine),
  columns(c) {
    const { inlined } = c.analysis.totals;
    const isEstimated = (r: RoutineRow) => isEstimatedCost(c.analysis, 'self', r) || isEstimatedCost(c.analysis, 'inclusive', r);
    return [
      ...selfColumns(c),
      ...changeColumns<RoutineRow>(c, {
        value: (event, r) => selfCostOfRow(analysisOfRow(c.analysis, r), event, r),
        isEstimated: (r) => isEstimatedCost(c.analysis, 'self', r),
        sides: (r) => (r.group ? undefined : routineSides(c, r.routine)),
        order: (event) => makeEventOrder(event, c.analysis.totals.self, c.analysis.totals.calls.length),
      }),
      ...inclusiveColumns(c),
      countColumn(c),
      ...callCostColumns(c),
      ...otherEventColumns(c),
      nameColumn(c),
      ...fileAndObjectColumns(c),
      cycleColumn(c),
      // `inGroup` is undefined in tables without groups.
      { id: 'group', title: 'group', value: (r) => r.inGroup },
      ...noteColumn(c),
      ...unrecordedColumn(c),
      ...namesakeColumn<RoutineRow>(c, (r) => r.routine),
      ...recordedNameColumn<RoutineRow>(c, (r) => r.routine),
      ...flagColumn<RoutineRow>('inlined', inlined !== undefined, (r) => inlined?.[r.routine]),
      ...estimatedColumn(c, isEstimated),
      ...codeColumn(c),
    ];
  },
};

export const nameSort = memo(({ profile: { strings, routines } }: Analysis) =>
  sortStrings(strings, (r) => routines.name[r], routines.name.length),
);

/** A context for sorting that has a column named `sort`. */
export function sortingContext(analysis: Analysis, event: Event, sort: string): ColumnContext {
  return {
    ...{ analysis, event, extraEvents: [], extraParts: [sort], base: undefined, favourites: new Set() },
    ...{ percent: 'none', names: 'whole', medium: 'text', width: 80 },
  };
}

/** Cost that callers paid and that no body explains, for machines; a part of `inclusive`. */
function unrecordedColumn({ analysis }: ColumnContext): Column<RoutineRow>[] {
  const { unrecorded } = analysis.totals;
  if (!unrecorded) return [];
  return [dataColumn('unrecorded', (r) => (r.group ? null : costsByName(analysis.events, unrecorded, r.routine)))];
}

/** For machines: whose code a routine is, if that is known of any. */
const codeColumn = ({ analysis: { profile } }: ColumnContext): Column<RoutineRow>[] =>
  hasCode(profile) ? [dataColumn('code', (r) => (r.group ? undefined : originOf(profile, r.routine)), { optional: true })] : [];

/** The column of the user's notes; only with --notes. */
const noteColumn = ({ analysis, notes }: ColumnContext): Column<RoutineRow>[] =>
  notes ? [{ id: 'note', title: 'note', value: (r) => noteOf(notes, analysis.profile, r.routine) ?? null }] : [];

/** The columns of self cost, its bar and its share. These columns compute no inclusive costs. */
export function selfColumns(c: ColumnContext): Column<RoutineRow>[] {
  const { events, costing } = c.analysis;
  const whole = percentageBaseIn(c);
  const known = costing.can.has('self');
  const costs = (r: RoutineRow) => routineCostsOf(c.analysis, 'self', r);
  const self = (r: RoutineRow) => r.group?.self ?? eventValue(c.event, ...costs(r));
  const isEstimated = (r: RoutineRow) => isEstimatedCost(c.analysis, 'self', r);
  const text = (r: RoutineRow): string | TableCell => {
    if (r.group) return { text: costText(c, r.group.self, isEstimated(r)), style: 'bold' };
    return known ? costCell(c, ...costs(r), isEstimated(r)) : '?';
  };
  const bar = (r: RoutineRow): TableCell =>
    showsChange(c) ? changeBar(c, r) : { text: barText(self(r) / whole, BAR_WIDTH), style: 'bar' };
  return [
    costColumn<RoutineRow>(c, 'self', 'self', (r) => (known ? costsByName(events, ...costs(r), isEstimated(r)) : null), {
      rank: 9,
      order: (descending, among) => orderBySelf(c.analysis, c.event, descending, among),
      ...bySize(self),
      text: known || c.medium === 'screen' ? text : undefined,
    }),
    ...(known || c.medium === 'screen'
      ? shareColumn<RoutineRow>(c, 'self%', (r) => (known ? shareCell(c, self(r)) : '?'), { rank: showsChange(c) ? 7 : 8 })
      : []),
    displayColumn('bar', bar, {
      title: '',
      width: showsChange(c) ? BAR_CELLS : BAR_WIDTH,
      rank: showsChange(c) ? 3 : 2,
      only: 'screen',
    }),
  ];
}

/** The columns of inclusive cost, its share, and the running sum of self cost. */
function inclusiveColumns(c: ColumnContext): Column<RoutineRow>[] {
  const { totals, events, costing } = c.analysis;
  const known = costing.can.has('inclusive');
  const isEstimated = (r: RoutineRow) => isEstimatedCost(c.analysis, 'inclusive', r);
  const costs = (r: RoutineRow) => routineCostsOf(c.analysis, 'inclusive', r);
  const text = (r: RoutineRow) => {
    // Inside cycles, the cost is still being computed.
    if (Number.isNaN(inclusive(r)) && !c.event.per) return '…';
    if (!r.group) return costCell(c, ...costs(r), isEstimated(r));
    return r.group.inclusive === undefined ? '?' : costText(c, r.group.inclusive, r.group.estimated);
  };
  const json = (r: RoutineRow) => (known ? costsByName(events, ...costs(r), isEstimated(r)) : null);
  const inclusive = (r: RoutineRow) => (r.group ? r.group.inclusive : eventValue(c.event, ...costs(r)));
  const share = (r: RoutineRow) => {
    const value = inclusive(r);
    return value === undefined ? '?' : Number.isNaN(value) && !c.event.per ? '…' : shareCell(c, value);
  };
  return [
    costColumn<RoutineRow>(c, 'inclusive', onScreen(c, 'incl', 'inclusive'), json, {
      rank: 7,
      order: makeEventOrder(c.event, totals.inclusive, totals.calls.length),
      ...bySize((r: RoutineRow) => inclusive(r) ?? Number.NaN),
      text: known ? text : undefined,
    }),
    ...(known ? shareColumn<RoutineRow>(c, 'inclusive%', share, { rank: showsChange(c) ? 4 : 6 }) : []),
    displayColumn('cum%', (r) => (r.running === undefined || c.event.per ? '' : formatPercent(r.running, percentageBaseIn(c))), {
      width: 7,
      align: 'right',
      rank: 1,
      only: 'screen',
    }),
  ];
}

/** Sorts routines by self cost, then by recorded inclusive cost, which is known without the cost flow through cycles. */
function orderBySelf({ totals, costing }: Analysis, event: Event, descending: boolean, among?: Uint32Array): Uint32Array {
  const order = (costs: CostTable) => makeEventOrder(event, costs, totals.calls.length);
  const ties = costing.can.has('inclusive') ? order(totals.recorded ?? totals.inclusive)(true, among) : among;
  return order(totals.self)(descending, ties);
}

/** The routines in the order of their self cost, the most expensive first. */
export const routinesBySelf = memo((analysis: Analysis, event: Event): Uint32Array => orderBySelf(analysis, event, true));

function countColumn(c: ColumnContext): Column<RoutineRow> {
  const { totals, costing } = c.analysis;
  const counts = costing.can.has('counts');
  const splits = splitsCosts(c.analysis);
  const text = (r: RoutineRow) => {
    const { group, routine } = r;
    if (group) return '';
    // Call counts are those of the whole routine, not of its lines in one file.
    if (isPartOfRoutine(r)) return '?';
    const isEstimated = splits && totals.estimated?.inclusive[routine] === 1 && totals.calls[routine] > 0;
    const before = totals.inclusive.at(-1)?.[routine] ?? 0;
    if (c.medium === 'screen' && showsChange(c) && countInMeasure(c.analysis, 'delta', totals.calls[routine], before) === 0)
      return '';
    return callCountText(c, totals.calls[routine], before, isEstimated);
  };
  const value = (r: RoutineRow) =>
    counts && !isPartOfRoutine(r) ? callCountAt(c, totals.calls, totals.inclusive, r.routine) : null;
  const countsShown = () => countsInMeasure(c.analysis, c.event.measure, totals.calls, totals.inclusive);
  return dataColumn('calls', value, {
    title: callsTitle(c),
    width: isNarrow(c) ? 6 : Math.max(showsChange(c) ? 10 : 9, formatCount(highestCallCount(c.analysis)).length),
    align: 'right',
    rank: showsChange(c) ? 3 : 4,
    measured: true,
    order: (descending, among) => orderByNumber(magnitudes(countsShown()), descending, among),
    text: counts && highestCallCount(c.analysis) > 0 ? text : undefined,
  });
}

/** Costs per call; none for groups and for parts of routines, whose calls are unknown. */
function callCostColumns(c: ColumnContext): Column<RoutineRow>[] {
  const { totals } = c.analysis;
  const cost = (what: 'self' | 'inclusive') => ({
    of: (event: Event, r: RoutineRow) => eventValue(event, ...routineCostsOf(c.analysis, what, r)),
    isEstimated: (r: RoutineRow) => isEstimatedCost(c.analysis, what, r),
  });
  return perCallColumns<RoutineRow>(c, { self: cost('self'), inclusive: cost('inclusive') }, (r) =>
    r.group || isPartOfRoutine(r) ? undefined : [totals.calls[r.routine], totals.inclusive.at(-1)?.[r.routine] ?? 0],
  );
}

/** The highest call count of any routine, in either run; 0 if the file records calls without counts. */
const highestCallCount = memo(({ totals: { calls, inclusive }, before }: Analysis): number => {
  const counts = before ? [calls, inclusive[inclusive.length - 1]] : [calls];
  return counts.reduce((most, column) => column.reduce((m: number, count) => Math.max(m, count), most), 0);
}, 3);

/** Columns of self cost in the other events: shown on request, always sortable. */
function otherEventColumns(c: ColumnContext): Column<RoutineRow>[] {
  const { totals, events } = c.analysis;
  const value = (e: Event, r: RoutineRow) => selfCostOfRow(analysisOfRow(c.analysis, r), e, r);
  const sorting = (e: Event) => ({
    order: makeEventOrder(e, totals.self, totals.calls.length),
    ...bySize((r: RoutineRow) => Number(value(e, r))),
  });
  const hidden = events.filter((e) => !c.extraEvents.includes(e));
  return [
    ...extraEventColumns<RoutineRow>(c, (e, r) => costText(c, value(e, r), isEstimatedCost(c.analysis, 'self', r), e), sorting),
    ...partColumns(c),
    ...hidden.map((e): Column<RoutineRow> => ({ id: e.name, title: e.name, ...sorting(e) })),
  ];
}

/** Columns of self cost by part or thread, and of recorded costs, if the user chose them. */
function partColumns(c: ColumnContext): Column<RoutineRow>[] {
  return c.extraParts.flatMap((name) => {
    if (name === RECORDED_COLUMN)
      return recordedColumn<RoutineRow>(c, c.analysis.totals.recorded, (r) => (r.group || isPartOfRoutine(r) ? -1 : r.routine));
    const partAnalysis = analysisOfColumn(c.analysis, name);
    if (!partAnalysis) return [];
    const { self, calls } = partAnalysis.totals;
    const partAnalysisOf = (r: RoutineRow) => analysisOfColumn(analysisOfRow(c.analysis, r), name) ?? partAnalysis;
    const costs = (r: RoutineRow) => [partAnalysisOf(r).totals.self, r.costs?.row ?? r.routine] as const;
    const isEstimated = (r: RoutineRow) => isEstimatedCost(partAnalysis, 'self', r);
    const value = (r: RoutineRow) => selfCostOfRow(partAnalysisOf(r), c.event, r);
    return {
      ...costColumnLayout(c, name, c.event, markWidth(c, 'self')),
      id: name,
      rank: 5,
      value: (r: RoutineRow) => costsByName(partAnalysis.events, ...costs(r), isEstimated(r)),
      text: (r: RoutineRow) => costText(c, value(r), isEstimated(r)),
      ...bySize((r: RoutineRow) => Number(value(r))),
      order: makeEventOrder(c.event, self, calls.length),
    };
  });
}

function nameColumn(c: ColumnContext): Column<RoutineRow> {
  const { profile, totals } = c.analysis;
  const { name } = profile.routines;
  const screenText = (r: RoutineRow): string | TableCell => {
    if (r.group) {
      const mark = r.open ? '▾' : '▸';
      const indent = '  '.repeat(r.group.path.length - 1);
      return { text: `${indent}${mark} ${r.group.label} (${formatCount(r.group.routines.length)})`, style: 'bold' };
    }
    const cycle = totals.cycles.of[r.routine];
    const cycleMark = cycle > 0 ? `↻${cycle} ` : '';
    return nameCell(c, r.routine, {
      before: `${'  '.repeat(r.nested ?? 0)}${cycleMark}`,
      ...(hasCode(profile) && isOwnRoutine(profile, r.routine) ? { style: 'bold' as const } : {}),
      after: inlinedMark(totals.inlined?.[r.routine]),
    });
  };
  const text = (r: RoutineRow) => {
    const cycle = totals.cycles.of[r.routine];
    return nameCell(c, r.routine, { after: inlinedMark(totals.inlined?.[r.routine]) + (cycle > 0 ? ` (cycle ${cycle})` : '') });
  };
  return displayColumn('routine', onScreen(c, screenText, text), {
    width: isNarrow(c) ? 14 : 28,
    flex: 3,
    cut: profile.granularity === 'line' ? 'place' : 'middle',
    rank: 9,
    ascends: true,
    order: (descending, among) =>
      orderByString(profile.strings, (r) => name[r], name.length, descending, among, nameSort(c.analysis)),
    key: (r) => r.group?.name ?? '',
    value: (r) => routineKey(c.analysis, r.routine).routine,
  });
}

/** The columns of files and objects, if recorded. Text shows the object only on wide lines, or if there are no files. */
function fileAndObjectColumns(c: ColumnContext): Column<RoutineRow>[] {
  const { profile } = c.analysis;
  const { file, object, name } = profile.routines;
  const objectText = (r: RoutineRow) => {
    const path = r.group ? null : routineObject(profile, r.routine);
    return r.group ? '' : path ? onScreen(c, baseName(path), path) : UNKNOWN_NAME;
  };
  const fileText = (r: RoutineRow) => (r.group ? '' : routineLocation(profile, r.routine));
  const objects = profile.objects.name.length > 0;
  const files = hasFiles(c);
  const layout = (names: Parameters<typeof nameIdOf>[0], of: ArrayLike<number>): Partial<Column<RoutineRow>> => ({
    ...{ cut: 'start', style: 'dim', ascends: true },
    order: (descending, among) => orderByString(profile.strings, (r) => nameIdOf(names, of[r]), name.length, descending, among),
  });
  return [
    dataColumn('file', (r) => routineFile(profile, r.routine), {
      ...{ ...layout(profile.files, file), width: 14, flex: 1, rank: 3 },
      text: files ? fileText : undefined,
    }),
    dataColumn('object', (r) => routineObject(profile, r.routine), {
      ...{ ...layout(profile.objects, object), width: 12, flex: 0.5, rank: 0 },
      ...(c.medium === 'text' && files ? { from: 120 } : {}),
      text: objects ? objectText : undefined,
    }),
  ];
}

function cycleColumn(c: ColumnContext): Column<RoutineRow> {
  const { of } = c.analysis.totals.cycles;
  return dataColumn('cycle', (r) => (of[r.routine] > 0 ? of[r.routine] : undefined), {
    optional: true,
    order: (descending, among) => orderByNumber(of, descending, among),
  });
}
