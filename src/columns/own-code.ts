// The columns of own code with the library code that it calls, on the screen. `--print routines --only-own` has the same costs.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { eventInMeasure } from '../analysis/answers/compared/measure.ts';
import { routineFile, routineName } from '../analysis/names/names.ts';
import { findOffersUnasked } from '../analysis/profiles/compare/offered.ts';
import { type OwnCost, ownCostsOf } from '../analysis/profiles/own-costs.ts';
import { memo, sortedByKey } from '../base/lists.ts';
import { formatPercent, unitCells } from '../base/units.ts';
import { type CostTable, eventValue } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import { barColumn, displayColumn } from './builders.ts';
import type { Column, ColumnContext } from './column.ts';
import { costColumnLayout, costText, percentageBaseIn, shareCell, shareColumn } from './costs.ts';
import { makeListing } from './listing.ts';
import { fileOrObjectColumn, nameCell } from './names.ts';

/** The increase since the base, and both values. */
function changedColumns(c: ColumnContext, most: number): Column<OwnCost>[] {
  const [delta, now] = (['delta', 'now'] as const).map((measure) => ({
    ...c,
    event: eventInMeasure(c.analysis, c.event, measure),
  }));
  const change = (r: OwnCost) => r.value - r.before;
  const cost = (id: string, context: ColumnContext, of: (r: OwnCost) => number, rank: number): Column<OwnCost> =>
    displayColumn(id, (r) => costText(context, of(r), r.estimated), { ...costColumnLayout(context, id), rank });
  return [
    ...shareColumn<OwnCost>(delta, 'share', (r) => shareCell(delta, change(r)), { title: '%', rank: 9 }),
    cost('cost', delta, change, 8),
    ...barColumn(c, change, most),
    cost('before', now, (r) => r.before, 5),
    cost('now', now, (r) => r.value, 5),
  ];
}

function costColumns(c: ColumnContext, most: number): Column<OwnCost>[] {
  const { totals, costing } = c.analysis;
  const recorded = (id: 'self' | 'inclusive', title: string, costs: CostTable): Column<OwnCost>[] => {
    const text = (r: OwnCost) => (c.event.per ? '' : formatPercent(eventValue(c.event, costs, r.routine), percentageBaseIn(c)));
    // Without inclusive costs, the share is that of the self cost.
    return costing.can.has('inclusive') && costing.can.has(id)
      ? [displayColumn(id, text, { title, width: 7, align: 'right', rank: 4, style: 'dim' })]
      : [];
  };
  const share = (r: OwnCost) => ({ ...shareCell(c, r.value), text: (r.estimated ? '≈' : '') + shareCell(c, r.value).text });
  return [
    // Where the event has no unit, the share says as much.
    displayColumn('cost', (r) => costText(c, r.value, r.estimated), {
      ...costColumnLayout(c, 'cost', c.event, 1),
      rank: unitCells(c.event.unit) > 0 ? 7 : 1,
    }),
    ...shareColumn<OwnCost>(c, 'share', share, { title: 'share', rank: 9 }),
    ...barColumn<OwnCost>(c, (r) => r.value, most),
    ...recorded('self', 'self', totals.self),
    ...recorded('inclusive', 'incl', totals.inclusive),
  ];
}

/** The rows of two runs: a routine that was probably renamed is an estimate, whose old name has its cost before. */
const withOldNames = memo((rows: readonly OwnCost[], analysis: Analysis): readonly OwnCost[] => {
  const byRoutine = new Map(rows.map((row) => [row.routine, row]));
  for (const { now, removed } of findOffersUnasked(analysis)) {
    const [is, was] = [byRoutine.get(now), byRoutine.get(removed)];
    if (!is || !was) continue;
    byRoutine.set(now, { ...is, before: is.before + was.before, estimated: true });
    byRoutine.delete(removed);
  }
  return sortedByKey([...byRoutine.values()], ({ value, before }) => value - before, true);
});

/** The costs of own code, highest increase or cost first; undefined until they are known. */
export function ownCostRows({ analysis, event }: ColumnContext): readonly OwnCost[] | undefined {
  const rows = ownCostsOf(analysis, event).ready?.rows;
  return rows && analysis.before ? withOldNames(rows, analysis) : rows;
}

export const ownCodeList = makeListing<OwnCost, Kind>({
  ...{ name: 'own-code', requires: ['routines', 'self'] },
  columns(c) {
    const [first] = ownCostRows(c) ?? [];
    const most = first ? first.value - first.before : 0;
    return [
      ...(c.analysis.before ? changedColumns(c, most) : costColumns(c, most)),
      displayColumn('routine', (r) => nameCell(c, r.routine, { style: 'bold' }), { width: 24, flex: 3, cut: 'middle', rank: 9 }),
      fileOrObjectColumn<OwnCost>(c, (r) => r.routine, { width: 14, rank: 3 }),
    ];
  },
  all: (c) => ownCostsOf(c.analysis, c.event).now().rows,
  texts: (r, { analysis: { profile } }) => [routineName(profile, r.routine), routineFile(profile, r.routine) ?? ''],
});
