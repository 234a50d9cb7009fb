// The columns of labels of samples: what the samples with each value of a label cost.
import { type TagCost, tagRows } from '../analysis/answers/stacks/tags.ts';
import { memo } from '../base/memo.ts';
import { type CostTable, eventValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';
import { barColumn, largest, shown, words } from './builders.ts';
import type { Column, ColumnContext, Table } from './column.ts';
import { showsChange } from './compared.ts';
import { costCell, costRoom, costsByName, eventColumns, shareCell, shareColumn } from './costs.ts';
import type { Listing } from './listing.ts';

const rowsOf = ({ analysis }: ColumnContext<'stacks'>) => tagRows(analysis.profile, analysis.partsOff);
const mostOf = memo((tags: readonly TagCost[], costs: CostTable, event: Event) =>
  largest(tags, (r) => eventValue(event, costs, r.row)),
);
const table: Table<TagCost, 'stacks'> = { keys: ['label', 'value', 'cost'], columns };

export const tagList: Listing<TagCost, 'stacks'> = {
  ...{ name: 'labels', asks: ['labels'], kind: 'stacks' },
  table: () => table,
  all: (c) => rowsOf(c).tags,
  texts: (tag) => [tag.value, tag.key],
};

function columns(c: ColumnContext<'stacks'>): Column<TagCost>[] {
  const { costs, tags } = rowsOf(c);
  const cost = (r: TagCost) => eventValue(c.event, costs, r.row);
  return [
    shown('cost', (r) => costCell(c, costs, r.row), {
      ...costRoom(c, 'cost'),
      rank: 9,
      key: cost,
      value: (r) => costsByName(c.analysis.events, costs, r.row),
    }),
    ...shareColumn<TagCost>(c, 'cost%', (r) => shareCell(c, cost(r))),
    ...(showsChange(c) ? [] : barColumn<TagCost>(c, cost, mostOf(tags, costs, c.event))),
    words('label', (r) => r.key, { width: 14, rank: 9, cut: 'end' }),
    words('value', (r) => r.value, {
      ...{ width: 20, flex: 1, rank: 9, cut: 'middle' },
      value: (r) => (r.value === '' ? null : r.value),
      text: (r) => (r.value === '' ? { text: '(samples without it)', style: 'dim' } : r.value),
    }),
    ...eventColumns<TagCost>(
      c,
      (event, r) => costCell(c, costs, r.row, false, event),
      (event) => ({
        rank: 3,
        key: (r) => eventValue(event, costs, r.row),
      }),
    ),
  ];
}
