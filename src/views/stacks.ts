// The Stacks view: each distinct stack of the samples, most expensive first.
import { plural } from '../base/units.ts';
import { labelsText, routinesOfStack, stackList } from '../columns/stacks.ts';
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
