// The report of labels of samples.
import { tagList } from '../columns/tags.ts';
import { listReport } from './print.ts';

export const tags = listReport({
  ...tagList,
  title: 'labels of samples, and what the samples with each of their values cost',
  columns: ['events'],
  compares: false,
  sorts: ['cost', 'label', 'value'],
});
