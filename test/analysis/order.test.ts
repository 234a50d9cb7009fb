// Orders against a comparing sort.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { orderByNumber, orderByString } from '../../src/analysis/answers/order.ts';
import { Interner } from '../../src/model/strings.ts';

const shuffled = (n: number) => fc.shuffledSubarray(Array.from({ length: n }, (_, i) => i));

/** Rows by comparing, equal ones in the order of `among`. */
function slow<T>(keys: readonly T[], compare: (a: T, b: T) => number, descending: boolean, among: readonly number[]): number[] {
  return among
    .map((row, at) => ({ row, at }))
    .sort((a, b) => (descending ? -1 : 1) * compare(keys[a.row], keys[b.row]) || a.at - b.at)
    .map((x) => x.row);
}

test('numbers: whole, large, negative, fractions, infinite', () => {
  const number = fc.oneof(
    fc.nat(5),
    fc.nat(),
    fc.constantFrom(-0, 4294967295, 4294967296, 2 ** 53, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
    fc.double({ noNaN: true }),
  );
  const compare = (a: number, b: number) => (a < b ? -1 : a > b ? 1 : 0);
  fc.assert(
    fc.property(
      fc.oneof(fc.array(fc.nat(100)), fc.array(number)).chain((keys) => fc.tuple(fc.constant(keys), shuffled(keys.length))),
      fc.boolean(),
      ([keys, among], descending) => {
        assert.deepEqual(
          Array.from(orderByNumber(keys, descending, Uint32Array.from(among))),
          slow(keys, compare, descending, among),
        );
        const all = keys.map((_, i) => i);
        assert.deepEqual(Array.from(orderByNumber(keys, descending)), slow(keys, compare, descending, all));
      },
    ),
    { numRuns: 2000 },
  );
});

test('strings: prefixes of each other, alike for long, of any bytes', () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'b', '\0', 'é', '\u{10ffff}'), maxLength: 9 }),
    fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 4 }).map((s) => `std::vector<int, std::allocator<int> >::${s}`),
  );
  fc.assert(
    fc.property(fc.array(fc.option(text, { freq: 20 }), { maxLength: 60 }), fc.boolean(), (texts, descending) => {
      const interner = new Interner();
      const ids = texts.map((t) => (t === null ? -1 : interner.textId(t)));
      const got = orderByString(interner.finish(), (row) => ids[row], ids.length, descending);
      // Nothing is before the empty string.
      const compare = (a: string | null, b: string | null) =>
        a === b ? 0 : a === null ? -1 : b === null ? 1 : Buffer.compare(Buffer.from(a), Buffer.from(b));
      assert.deepEqual(
        Array.from(got),
        slow(
          texts,
          compare,
          descending,
          texts.map((_, i) => i),
        ),
      );
    }),
    { numRuns: 3000 },
  );
});

test('unknown numbers come last, both ways', () => {
  const keys = [0.5, Number.NaN, -2.5, 3];
  assert.deepEqual([...orderByNumber(keys, true)], [3, 0, 2, 1]);
  assert.deepEqual([...orderByNumber(keys, false)], [2, 0, 3, 1]);
});
