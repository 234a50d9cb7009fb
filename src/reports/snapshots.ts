// The report of snapshots of a program's memory.
import { snapshotList } from '../columns/snapshots.ts';
import { listReport } from './print.ts';

export const snapshots = listReport({
  ...snapshotList,
  title: 'memory at each snapshot of a run',
  compares: false,
  sorts: ['snapshot', 'time', 'total', 'heap', 'extra', 'stacks', 'kind'],
});
