// The report of labels of samples.
import { type TagCost, tagRows } from '../analysis/stacks/tags.ts';
import { tagTable } from '../columns/tags.ts';
import { report } from './print.ts';

export const tags = report<TagCost, 'stacks'>({
  name: 'labels',
  title: 'labels of samples, and what the samples with each of their values cost',
  asks: ['labels'],
  compares: false,
  sorts: ['cost', 'label', 'value'],
  kind: 'stacks',
  table: ({ analysis }) => tagTable(tagRows(analysis.profile, analysis.partsOff).costs),
  all: ({ analysis }) => tagRows(analysis.profile, analysis.partsOff).tags,
  texts: (tag) => [tag.value, tag.key],
});
