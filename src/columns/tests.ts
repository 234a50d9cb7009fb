// The columns of test results.
import type { Style } from '../base/style.ts';
import type { TestResult } from '../model/steps/tests.ts';
import { type Column, type ColumnContext, onScreen, type Table } from './column.ts';
import { ms, msText, time } from './times.ts';

const STYLES: Readonly<Record<TestResult['status'], Style>> = { passed: 'plain', failed: 'error', 'not run': 'warm' };

/** Failed first, then what did not run, then the slowest. */
export const testOrder = (a: TestResult, b: TestResult): number =>
  rankOf(b) - rankOf(a) || (b.ms || 0) - (a.ms || 0) || (a.name < b.name ? -1 : 1);
const rankOf = ({ status }: TestResult): number => (status === 'failed' ? 2 : status === 'not run' ? 1 : 0);

export const testTable: Table<TestResult, 'steps'> = {
  keys: 'test status reason durationMs labels command'.split(' '),
  columns: (c) => columns(c),
};

function columns(c: ColumnContext<'steps'>): Column<TestResult>[] {
  return [
    {
      ...{ id: 'status', title: 'status', width: 9, rank: 9 },
      value: (t) => t.status,
      text: (t) => ({ text: `${t.status === 'failed' ? '✗ ' : '  '}${t.status}`, style: STYLES[t.status] }),
      key: (t) => -rankOf(t),
    },
    {
      ...{ id: 'durationMs', also: 'duration', align: 'right', width: 8, rank: 9 },
      title: onScreen(c, 'time', 'ms'),
      value: (t) => ms(t.ms * 1000),
      text: (t) => (Number.isNaN(t.ms) ? '' : onScreen(c, time(t.ms * 1000), msText(t.ms * 1000))),
      key: (t) => t.ms || 0,
    },
    {
      ...{ id: 'reason', title: 'reason', width: 12, rank: 6, cut: 'end' },
      value: (t) => t.reason || null,
      text: (t) => t.reason,
      key: (t) => t.reason,
    },
    {
      ...{ id: 'test', title: 'test', width: 20, flex: 1, cut: 'middle', rank: 9 },
      value: (t) => t.name,
      text: (t) => t.name,
      key: (t) => t.name,
    },
    {
      ...{ id: 'labels', title: 'labels', width: 16, rank: 4, cut: 'end', style: 'dim' },
      value: (t) => [...t.labels],
      text: (t) => t.labels.join(' '),
      key: (t) => t.labels.join(' '),
    },
    { id: 'command', title: 'command', value: (t) => t.command || null },
  ];
}
