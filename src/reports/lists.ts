// Reports that are lists: snapshots, labels, the timeline.
import { snapshotList } from '../columns/snapshots.ts';
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
