// The report of labels of samples.
import { tagList } from '../columns/tags.ts';
import { listReport } from './print.ts';

export const tags = listReport({
  ...tagList,
  title: 'sample labels, and the cost per value',
  columns: ['events'],
  compares: false,
  sorts: ['cost', 'label', 'value'],
});
