// The keys that sort a table.
import assert from 'node:assert/strict';
import test from 'node:test';
import { START } from '../../src/views/parts/list.ts';
import { changeSorting } from '../../src/views/parts/sorting.ts';

const STATE = { sort: 'self', descending: true, list: START };

test('the next column, and the first one after the last', () => {
  const next = (sort: string, value?: string) =>
    changeSorting(
      { ...STATE, sort },
      value === undefined ? { type: 'sort-next' } : { type: 'sort-next', value },
      ['self', 'name'],
      (id) => id !== 'name',
    );
  assert.deepEqual([next('self').sort, next('name').sort], ['name', 'self']);
  assert.equal(next('self').descending, false);
  // The column that is sorted by already is reversed.
  assert.deepEqual([next('self', 'self').descending, next('name', 'self').descending], [false, true]);
});

test('without columns, while rows are still gathered, the order stays as it is', () => {
  assert.deepEqual(
    changeSorting(STATE, { type: 'sort-next' }, [], () => true),
    STATE,
  );
});
