// The report of phases of sampled threads.
import { phaseList } from '../columns/timeline.ts';
import { listReport } from './print.ts';

export const timeline = listReport({
  ...phaseList,
  title: 'what each thread was busy with, by time (sampled)',
  compares: false,
  sorts: ['start', 'duration', 'cost', 'thread', 'routine'],
});
