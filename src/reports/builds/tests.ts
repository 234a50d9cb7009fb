// The report of test results.
import { testList } from '../../columns/builds/tests.ts';
import { listReport } from '../print.ts';

export const tests = listReport({
  ...testList,
  title: 'results of the tests of a build, failed and slowest first; with --base, those that fail since first',
  sorts: ['status', 'duration', 'reason', 'test', 'labels'],
});
