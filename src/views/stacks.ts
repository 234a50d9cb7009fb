// Lists of samples: each distinct stack, and the labels with the cost of the samples that have each value.
import { tagFilter } from '../analysis/answers/stacks/tags.ts';
import { visible } from '../base/text.ts';
import { plural } from '../base/units.ts';
import { labelsText, routinesOfStack, stackList } from '../columns/stacks.ts';
import { tagList } from '../columns/tags.ts';
import { rowsView } from './parts/rows-view.ts';

export const stacksView = rowsView({
  id: 'stacks',
  title: 'Stacks',
  lists: [stackList],
  empty: 'no stack has any cost',
  detail: (row, c) => [plural(routinesOfStack(c, row).length, 'frame'), labelsText(c, row)].filter(Boolean).join(', '),
  mode: (rows) => plural(rows.length, 'stack'),
  enter: (row, c) => ({ type: 'show', view: 'calls', routine: routinesOfStack(c, row).at(-1) }),
  noEnterReason: (row, c) => (routinesOfStack(c, row).length === 0 ? 'the stack has no frame' : undefined),
  enterKey: { help: 'callers and callees of the innermost routine', footer: 'its calls' },
});

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
