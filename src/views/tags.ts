// The Labels view: key-value pairs attached to samples, with the cost of the samples that have each value.
import { tagFilter } from '../analysis/answers/stacks/tags.ts';
import { visible } from '../base/text.ts';
import { plural } from '../base/units.ts';
import { tagList } from '../columns/tags.ts';
import { rowsView } from './parts/rows-view.ts';

export const tagsView = rowsView({
  id: 'labels',
  title: 'Labels',
  columns: ['events'],
  lists: [tagList],
  empty: 'no sample has a label',
  detail: (tag) => visible(`${tag.key}=${tag.value === '' ? '?' : tag.value}`),
  mode: (rows) => `${plural(new Set(rows.map((r) => r.key)).size, 'label')}, ${plural(rows.length, 'value')}`,
  enter: (tag) => ({
    type: 'transform',
    transform: tag.value === '' ? { word: 'tag-ignore', pattern: `${tag.key}=` } : { word: 'tag-focus', pattern: tagFilter(tag) },
  }),
  enterKey: { help: 'keep only samples with this label', footer: 'only these' },
});
