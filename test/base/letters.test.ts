// Filters by letters, against the rule as it is written down.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { compileLettersTest, compileScan } from '../../src/base/letters.ts';

/** All ways of placing the letters are tried: each later in the word of the one before, or at a word's start; the first anywhere. */
function slow(pattern: string, name: string): boolean {
  const kind = (c: string | undefined) =>
    c === undefined || /[^a-z0-9\u0080-\uffff]/i.test(c) ? 'other' : /[A-Z]/.test(c) ? 'upper' : 'lower';
  const words: number[] = [];
  const starts: boolean[] = [];
  for (let i = 0; i < name.length; i++) {
    const [here, before] = [kind(name[i]), kind(name[i - 1])];
    starts[i] = here === 'other' || before === 'other' || (here === 'upper' && before === 'lower');
    words[i] = (words[i - 1] ?? 0) + (starts[i] ? 1 : 0);
  }
  const place = (letter: number, after: number): boolean => {
    if (letter === pattern.length) return true;
    for (let i = after + 1; i < name.length; i++) {
      if (name[i].toLowerCase() !== pattern[letter]) continue;
      if (letter > 0 && !starts[i] && words[i] !== words[after]) continue;
      if (place(letter + 1, i)) return true;
    }
    return false;
  };
  return place(0, -1);
}

const bytes = (text: string) => Buffer.from(text, 'latin1');

test('letters: what the rule says', () => {
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ':', '1'), minLength: 1, maxLength: 6 });
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'A', 'B', 'C', ':', '_', '1', ' '), maxLength: 16 });
  let hits = 0;
  fc.assert(
    fc.property(pattern, name, (p, n) => {
      const expected = slow(p, n);
      if (expected) hits++;
      assert.equal(compileLettersTest(bytes(p))(bytes(n), 0, n.length), expected, `${p} in ${n}`);
    }),
    { numRuns: 20_000 },
  );
  assert.ok(hits > 1000, `${hits} matched`);
  const finds = (p: string, n: string) => compileLettersTest(bytes(p))(bytes(n), 0, n.length);
  assert.ok(finds('cprm', 'count_primes'));
  assert.ok(finds('vecpush', 'std::vector<int>::push_back(int const&)'));
  assert.ok(finds('cp', 'CountPrimes'));
  // No letter out of the middle of another word.
  assert.ok(!finds('vecush', 'std::vector<int>::push_back(int const&)'));
});

test('the text as it stands, in both cases, in each string by itself', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', '_'), minLength: 1, maxLength: 4 }),
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'B', '_'), maxLength: 8 }), { minLength: 1, maxLength: 6 }),
      fc.nat(5),
      (p, names, skip) => {
        const start = new Uint32Array(names.length + 1);
        names.forEach((n, i) => {
          start[i + 1] = start[i] + n.length;
        });
        const from = skip % names.length;
        const hit = new Uint8Array(names.length);
        compileScan(bytes(p))(bytes(names.join('')), start, from, names.length, hit);
        assert.deepEqual(
          Array.from(hit),
          names.map((n, i) => (i >= from && n.toLowerCase().includes(p) ? 1 : 0)),
        );
      },
    ),
    { numRuns: 10_000 },
  );
});
