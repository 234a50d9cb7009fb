// The keys that sort a table.
import assert from 'node:assert/strict';
import test from 'node:test';
import { START } from '../../src/views/parts/list.ts';
import { changeSorting } from '../../src/views/parts/sorting.ts';

const STATE = { sort: 'self', descending: true, list: START };

test('the next column, and the first one after the last', () => {
  const next = (sort: string, by: 1 | -1) =>
    changeSorting({ ...STATE, sort }, { type: 'sort-next', by }, ['self', 'name'], (id) => id !== 'name');
  assert.deepEqual([next('self', 1).sort, next('name', 1).sort, next('self', -1).sort], ['name', 'self', 'name']);
  assert.equal(next('self', 1).descending, false);
});

test('without columns, while rows are still gathered, the order stays as it is', () => {
  for (const by of [1, -1] as const)
    assert.deepEqual(
      changeSorting(STATE, { type: 'sort-next', by }, [], () => true),
      STATE,
    );
});
