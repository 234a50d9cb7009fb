// The columns of own code with the library code that it calls, and of self cost by whose code it is.
import { eventInMeasure } from '../analysis/answers/compared/measure.ts';
import { routineFile, routineLocation, routineName, routineObject } from '../analysis/names/names.ts';
import { type OwnCost, ownCostsOf } from '../analysis/profiles/own-costs.ts';
import { barText } from '../base/text.ts';
import { formatPercent, unitCells } from '../base/units.ts';
import { eventValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import { dataColumn, displayColumn } from './builders.ts';
import type { Column, ColumnContext } from './column.ts';
import { costColumnLayout, costsByName, costText, percentageBaseIn, shareCell, shareColumn } from './costs.ts';
import { makeListing } from './listing.ts';
import { hasFiles, nameCell, routineKey } from './names.ts';

/** Cells of a bar: more on wider screens. */
const barWidth = ({ width }: ColumnContext): number => (width < 100 ? 6 : width < 160 ? 8 : 16);

const ownBar = (c: ColumnContext, most: number, of: (row: OwnCost) => number): Column<OwnCost>[] =>
  most > 0
    ? [
        displayColumn('bar', (r) => barText(of(r) / most, barWidth(c)), {
          title: '',
          width: barWidth(c),
          rank: 2,
          only: 'screen',
        }),
      ]
    : [];

/** The event of this run, whatever the screen shows of a comparison. */
const eventNow = ({ analysis, event }: ColumnContext): Event => eventInMeasure(analysis, event, 'now');

/** The cost of the shown event. People see it where it has a unit, or where there is room. */
const costData = (c: ColumnContext, text?: (row: OwnCost) => string): Column<OwnCost> =>
  dataColumn('cost', (r) => ({ [eventNow(c).name]: r.value }), {
    ...{ ...costColumnLayout(c, 'cost', c.event, 1), rank: unitCells(c.event.unit) > 0 ? 7 : 1 },
    text,
  });

function costColumns(c: ColumnContext): Column<OwnCost>[] {
  const now = { ...c, event: eventNow(c) };
  const rows = ownCostsOf(c.analysis, c.event).ready?.rows ?? [];
  if (c.analysis.before) {
    const delta: ColumnContext = { ...c, event: eventInMeasure(c.analysis, c.event, 'delta') };
    const change = (r: OwnCost) => r.value - r.before;
    const side = (id: 'before' | 'now', of: (r: OwnCost) => number): Column<OwnCost> =>
      displayColumn(id, (r) => costText(now, of(r), r.estimated), { ...costColumnLayout(now, id), title: id, rank: 5 });
    return [
      ...shareColumn<OwnCost>(delta, 'share', (r) => shareCell(delta, change(r)), { title: 'Δ%', rank: 9 }),
      displayColumn('delta', (r) => costText(delta, change(r), r.estimated), { ...costColumnLayout(delta, 'cost'), rank: 8 }),
      costData(c),
      dataColumn('before', (r) => ({ [eventNow(c).name]: r.before })),
      ...ownBar(c, rows.length > 0 ? change(rows[0]) : 0, (r) => Math.max(0, change(r))),
      side('before', (r) => r.before),
      side('now', (r) => r.value),
    ];
  }
  const { self, inclusive } = c.analysis.totals;
  const { can } = c.analysis.costing;
  const share = (of: number) => (c.event.per ? '' : formatPercent(of, percentageBaseIn(c)));
  const recorded = (id: 'self' | 'inclusive', title: string, costs: typeof self): Column<OwnCost>[] =>
    can.has(id)
      ? [
          displayColumn(`${id}%`, (r) => share(eventValue(c.event, costs, r.routine)), {
            title,
            width: 7,
            align: 'right',
            rank: 4,
            style: 'dim',
          }),
        ]
      : [];
  const shareText = (r: OwnCost) => {
    const cell = shareCell(c, r.value);
    return { ...cell, text: (r.estimated ? '≈' : '') + cell.text };
  };
  return [
    costData(c, (r) => costText(c, r.value, r.estimated)),
    ...shareColumn<OwnCost>(c, 'share', shareText, { title: 'share', rank: 9 }),
    ...ownBar(c, rows[0]?.value ?? 0, (r) => r.value),
    ...recorded('self', 'self', self),
    ...recorded('inclusive', 'incl', inclusive),
  ];
}

function columnsOf(c: ColumnContext): Column<OwnCost>[] {
  const { analysis } = c;
  const { profile, totals, costing, events } = analysis;
  return [
    ...costColumns(c),
    displayColumn('routine', (r) => nameCell(c, r.routine, { style: 'bold' }), {
      ...{ width: 24, flex: 3, cut: 'middle', rank: 9 },
      value: (r) => routineKey(analysis, r.routine).routine,
    }),
    dataColumn('file', (r) => routineFile(profile, r.routine), {
      ...{ width: 14, flex: 1, cut: 'start', rank: 3, style: 'dim' },
      text: hasFiles(c) ? (r) => routineLocation(profile, r.routine) : undefined,
    }),
    dataColumn('object', (r) => routineObject(profile, r.routine)),
    dataColumn('self', (r) => (costing.can.has('self') ? costsByName(events, totals.self, r.routine) : null)),
    dataColumn('inclusive', (r) => (costing.can.has('inclusive') ? costsByName(events, totals.inclusive, r.routine) : null)),
    dataColumn('estimated', (r) => r.estimated || undefined, { optional: true }),
  ];
}

export const ownCodeList = makeListing<OwnCost, Kind>({
  ...{ name: 'own-code', requires: ['routines', 'self'] },
  keys: ['routine', 'file', 'object', 'cost', 'self', 'inclusive'],
  columns: columnsOf,
  all: (c) => ownCostsOf(c.analysis, c.event).now().rows,
  texts: (r, { analysis: { profile } }) => [routineName(profile, r.routine), routineFile(profile, r.routine) ?? ''],
});
