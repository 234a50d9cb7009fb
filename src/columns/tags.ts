// The columns of sample labels: the cost of all samples with each value of a label.
import { type TagCost, tagRows } from '../analysis/answers/stacks/tags.ts';
import { groupByKey, memo, withFirst } from '../base/lists.ts';
import { type CostTable, type Event, eventValue } from '../model/head.ts';
import type { ProfileOf } from '../model/profile.ts';
import { barColumn, displayColumn, largestMagnitude, wordColumn } from './builders.ts';
import type { Column, ColumnContext } from './column.ts';
import { showsChange } from './compared.ts';
import { costCell, costColumnLayout, costsByName, extraEventColumns, shareCell, shareColumn } from './costs.ts';
import { makeListing } from './listing.ts';

const labelCostsOf = ({ analysis }: ColumnContext<'stacks'>) => tagRows(analysis.profile, analysis.partsOff);
const largestCost = memo((rows: readonly { readonly row: number }[], costs: CostTable, event: Event) =>
  largestMagnitude(rows, (r) => eventValue(event, costs, r.row)),
);

/** The labels that tell samples apart; one value that all have says nothing about a row. `total`: the first cost of all samples. */
const tellingKeysOf = memo((profile: ProfileOf<'stacks'>, partsOff: ReadonlySet<number>, total: number): ReadonlySet<string> => {
  const { tags, costs } = tagRows(profile, partsOff);
  const isTelling = ([first, ...more]: readonly TagCost[]) => more.length > 0 || costs[0][first.row] !== total;
  return new Set([...groupByKey(tags, ({ key }) => key)].flatMap(([key, list]) => (isTelling(list) ? key : [])));
});

/** The labels with several values. */
export const tellingKeys = ({ analysis: { profile, partsOff, totals } }: ColumnContext<'stacks'>): ReadonlySet<string> =>
  tellingKeysOf(profile, partsOff, totals.total[0]?.[0] ?? 0);

const tellingFirst = memo((tags: readonly TagCost[], keys: ReadonlySet<string>) => withFirst(tags, ({ key }) => keys.has(key)));

export const tagList = makeListing<TagCost, 'stacks'>({
  ...{ name: 'labels', requires: ['labels'], kind: 'stacks' },
  keys: ['label', 'value', 'cost'],
  columns: tagColumns,
  all: (c) => (c.medium === 'text' ? labelCostsOf(c).tags : tellingFirst(labelCostsOf(c).tags, tellingKeys(c))),
  texts: (tag) => [tag.value, tag.key],
});

export function sampleCostColumns<Row extends { readonly row: number }>(
  c: ColumnContext<'stacks'>,
  costs: CostTable,
  rows: readonly Row[],
): Column<Row>[] {
  const cost = (r: Row) => eventValue(c.event, costs, r.row);
  return [
    displayColumn('cost', (r) => costCell(c, costs, r.row), {
      ...costColumnLayout(c, 'cost'),
      rank: 9,
      key: cost,
      value: (r) => costsByName(c.analysis.events, costs, r.row),
    }),
    ...shareColumn<Row>(c, 'cost%', (r) => shareCell(c, cost(r))),
    ...(showsChange(c) ? [] : barColumn<Row>(c, cost, largestCost(rows, costs, c.event))),
  ];
}

function tagColumns(c: ColumnContext<'stacks'>): Column<TagCost>[] {
  const { costs, tags } = labelCostsOf(c);
  const ofEvent = (event: Event) => ({ rank: 3, key: (r: TagCost) => eventValue(event, costs, r.row) });
  return [
    ...sampleCostColumns<TagCost>(c, costs, tags),
    wordColumn('label', (r) => r.key, { width: 14, rank: 9, cut: 'end' }),
    wordColumn('value', (r) => r.value, {
      ...{ width: 20, flex: 1, rank: 9, cut: 'middle' },
      value: (r) => (r.value === '' ? null : r.value),
      text: (r) => (r.value === '' ? { text: '(samples without it)', style: 'dim' } : r.value),
    }),
    ...extraEventColumns<TagCost>(c, (event, r) => costCell(c, costs, r.row, false, event), ofEvent),
  ];
}
