// The report of labels of samples.
import { type TagCost, tagRows } from '../analysis/stacks/tags.ts';
import { tagTable } from '../columns/tags.ts';
import { report } from './print.ts';
import { ofKind, sorted } from './report.ts';

export const tags = report<TagCost, 'stacks'>({
  name: 'labels',
  title: 'labels of samples, and what the samples with each of their values cost',
  asks: ['labels'],
  compares: false,
  sorts: ['cost', 'label', 'value'],
  of: ofKind('stacks'),
  table: ({ analysis }) => tagTable(tagRows(analysis.profile, analysis.partsOff).costs),
  rows(context) {
    const { profile, partsOff } = context.analysis;
    const { tags: all, costs } = tagRows(profile, partsOff);
    return sorted(
      context,
      all.filter((t) => !context.filtered || context.matches(t.value, t.key)),
      tagTable(costs).columns(context),
    );
  },
});
