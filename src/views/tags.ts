// Labels: what a profiler or a program attached to samples, and what the samples with each value cost.
import type { Analysis } from '../analysis/analysis.ts';
import { type TagCost, tagFilter, tagRows } from '../analysis/stacks/tags.ts';
import { visible } from '../base/text.ts';
import { plural } from '../base/units.ts';
import { tagColumns } from '../columns/tags.ts';
import { rowsView } from './parts/rows-view.ts';
import { ofKind } from './view.ts';

const rowsOf = (analysis: Analysis<'stacks'>) => tagRows(analysis.profile, analysis.partsOff);

export const tags = rowsView<'labels', TagCost, 'stacks'>({
  id: 'labels',
  title: 'Labels',
  digit: '7',
  asks: ['labels'],
  of: ofKind('stacks'),
  report: 'labels',
  sorts: 'same',
  empty: 'no sample has a label',
  rows: (analysis) => rowsOf(analysis).tags,
  columns: (c) => tagColumns(c, rowsOf(c.analysis).costs),
  texts: (tag) => [tag.value, tag.key],
  detail: (tag) => visible(`${tag.key}=${tag.value === '' ? '?' : tag.value}`),
  mode: (rows) => `${plural(new Set(rows.map((r) => r.key)).size, 'label')}, ${plural(rows.length, 'value')}`,
  enter: (tag) => ({
    type: 'transform',
    transform: tag.value === '' ? { word: 'tag-ignore', pattern: `${tag.key}=` } : { word: 'tag-focus', pattern: tagFilter(tag) },
  }),
  enterKey: { help: 'only the samples with this label (S takes it back)', footer: 'only these' },
});
