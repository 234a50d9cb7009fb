// Reports that are lists: snapshots, labels, the timeline, distinct stacks.
import { textOfCell } from '../base/style.ts';
import { plural } from '../base/units.ts';
import { costText, shareCell } from '../columns/costs.ts';
import { snapshotList } from '../columns/snapshots.ts';
import { costOfStack, labelsText, namesOfStack, samplesOfStack, stackList } from '../columns/stacks.ts';
import { tagList } from '../columns/tags.ts';
import { phaseList } from '../columns/timeline.ts';
import { makeListReport } from './print.ts';

export const snapshots = makeListReport({
  ...snapshotList,
  title: 'memory at each snapshot of a run',
  compares: false,
  sorts: ['snapshot', 'time', 'total', 'heap', 'extra', 'stacks', 'kind'],
});

export const tags = makeListReport({
  ...tagList,
  title: 'sample labels, and the cost per value',
  columns: ['events'],
  compares: false,
  sorts: ['cost', 'label', 'value'],
});

export const timeline = makeListReport({
  ...phaseList,
  title: 'what each thread was busy with, by time (sampled)',
  compares: false,
  sorts: ['start', 'duration', 'cost', 'thread', 'routine'],
});

// In text, a stack has a line per frame, innermost first, as pprof prints -traces.
export const stacks = makeListReport({
  ...stackList,
  title: 'each distinct stack of samples with its labels, most expensive first',
  compares: false,
  sorts: ['cost'],
  usual: 'cost',
  table(context) {
    const table = stackList.table(context);
    return { ...table, columns: (c) => table.columns(c).map(({ text, ...column }) => column) };
  },
  sentence(row, context) {
    const { event } = context;
    const cost = costOfStack(context, row);
    const count = event.unit === 'samples' ? null : samplesOfStack(context, row);
    const facts = [
      `${costText(context, cost)} ${event.name}`,
      count === null ? '' : plural(Number(count), 'sample'),
      labelsText(context, row),
    ];
    const names = namesOfStack(context, row);
    return {
      lead: textOfCell(shareCell(context, Number(cost))),
      parts: [{ text: facts.filter(Boolean).join(' · '), isName: false }],
      detailLines: names.length === 0 ? ['(no frame)'] : names.reverse(),
    };
  },
});
