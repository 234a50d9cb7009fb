// The report of groups of routines: one row per group, and with several keys those within another group below it.
import { nameInData, routineName } from '../analysis/names/names.ts';
import { keysOfGrouping, splitRoutines } from '../analysis/profiles/granularity/groups.ts';
import { dataColumn, displayColumn, numberColumn } from '../columns/builders.ts';
import type { Column, ColumnContext } from '../columns/column.ts';
import { costCell, costColumnLayout, costsByName, estimatedColumn, shareCell, shareColumn } from '../columns/costs.ts';
import { costlyRoutines, groupsOf, nestedGroups } from '../columns/routine-groups.ts';
import type { RoutineGroup } from '../columns/routine-row.ts';
import { eventValue } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import { makeReport } from './print.ts';
import { type ReportContext, routineMatches, sortRows } from './report.ts';

/** A group whose costs are known, or a routine of it. */
type GroupRow = Pick<RoutineGroup, 'path' | 'label' | 'routines' | 'estimated'> & Required<Pick<RoutineGroup, 'costs'>>;

const groupingOf = ({ grouping = 'file' }: ReportContext) => grouping;

function sortedGroups(context: ReportContext): readonly GroupRow[] {
  const split = splitRoutines(context.analysis, groupingOf(context));
  const matching = { ...context, analysis: split.analysis };
  const order = costlyRoutines(split, context.event).filter((r) => routineMatches(matching, r));
  const groups = groupsOf(split, context.event, order, [...split.analysis.totals.self.keys()]);
  const rows = groups.flatMap((group): GroupRow[] => (group.costs ? [{ ...group, costs: group.costs }] : []));
  return sortRows(context, rows, groupColumns(context), 'self');
}

function* groupRows(context: ReportContext): Generator<GroupRow> {
  const grouping = groupingOf(context);
  const { analysis, keys } = splitRoutines(context.analysis, grouping);
  const { profile, totals } = analysis;
  for (const row of nestedGroups(sortedGroups(context), () => true)) {
    yield row;
    if (row.path.length < keys.length || keysOfGrouping(grouping).at(-1) !== 'routine') continue;
    const rows = Array.from(row.routines, (r): GroupRow => {
      const estimated = totals.estimated?.inclusive[r] === 1 || totals.selfEstimated?.[r] === 1;
      const name = routineName(profile, r);
      const costs = { self: totals.self, inclusive: totals.inclusive, row: r };
      return { path: [...row.path, nameInData(profile, r)], label: name, routines: Uint32Array.of(r), costs, estimated };
    });
    yield* sortRows(context, rows, groupColumns(context), 'self');
  }
}

function groupColumns(c: ColumnContext & { readonly grouping?: string | undefined }): Column<GroupRow>[] {
  const { event, analysis } = c;
  const keys = keysOfGrouping(c.grouping ?? 'file');
  const costColumns = (what: 'self' | 'inclusive'): Column<GroupRow>[] => {
    const isKnown = analysis.costing.can.has(what);
    const isEstimated = (r: GroupRow) => r.estimated && what === 'inclusive';
    const value = (r: GroupRow) => {
      const table = isKnown ? r.costs[what] : undefined;
      return table ? eventValue(event, table, r.costs.row) : Number.NaN;
    };
    const cell = (r: GroupRow) => {
      const table = r.costs[what];
      return table && !Number.isNaN(value(r)) ? costCell(c, table, r.costs.row, isEstimated(r)) : '?';
    };
    return [
      dataColumn(
        what,
        (r) => (isKnown && r.costs[what] ? costsByName(analysis.events, r.costs[what], r.costs.row, isEstimated(r)) : null),
        { ...costColumnLayout(c, what), key: (r) => Math.abs(value(r)), text: isKnown ? cell : undefined },
      ),
      ...(isKnown ? shareColumn<GroupRow>(c, `${what}%`, (r) => shareCell(c, value(r))) : []),
    ];
  };
  return [
    dataColumn('level', (r) => r.path.length),
    ...keys.map((id, k): Column<GroupRow> => ({ id, title: id, key: (r) => r.path[k] ?? '' })),
    dataColumn('by', (r) => Object.fromEntries(keys.map((key, k) => [key, r.path[k] ?? null]))),
    ...costColumns('self'),
    ...costColumns('inclusive'),
    numberColumn('routines', (r) => r.routines.length),
    ...estimatedColumn<GroupRow>(c, (r) => r.estimated),
    displayColumn('name', (r) => '  '.repeat(r.path.length - 1) + r.label, { title: keys.join(', '), flex: 1, cut: 'middle' }),
  ];
}

export const groups = makeReport<GroupRow, Kind>({
  name: 'groups',
  title: 'routines in groups: --by KEY[,KEY,KEY], by file without it',
  requires: ['routines'],
  compares: false,
  sorts: ['self', 'inclusive', 'routines'],
  table: (context) => ({
    keys: ['level', 'by', 'self', 'inclusive', 'routines'],
    columns: (c) => groupColumns({ ...c, grouping: groupingOf(context) }),
  }),
  rows: groupRows,
});
