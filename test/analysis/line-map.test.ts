// Where lines of the base's file are in this run's: what changed is found, no two lines become one, and no text takes for ever.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { identityMap, isOldLine, mapByStarts, mapByText, OLD_LINE_OFFSET } from '../../src/analysis/answers/compared/line-map.ts';
import type { LineMap } from '../../src/analysis/answers/costing.ts';
import { longest } from '../support/long.ts';

const text = (...lines: string[]) => lines;
const numbered = (n: number, of = (i: number) => `line ${i}`) => Array.from({ length: n }, (_, i) => of(i));
/** The new lines of the first old ones; `-` for those without. */
const shown = (map: LineMap, lines: number) =>
  numbered(lines, (i) => (isOldLine(map.now(i + 1)) ? '-' : String(map.now(i + 1)))).join(' ');

/** A text of few different lines, or of many. */
const texts = fc.oneof(fc.array(fc.constantFrom('a', 'b', 'c', '}', '')), fc.array(fc.integer({ min: 0, max: 60 }).map(String)));

test('texts: what stays, what is inserted, what is deleted', () => {
  const file = text('a', 'b', 'c', 'd');
  assert.equal(shown(mapByText(file, file), 4), '1 2 3 4');
  assert.equal(shown(mapByText(file, text('new', 'a', 'b', 'new', 'c', 'd', 'new')), 4), '2 3 5 6');
  assert.equal(shown(mapByText(file, text('a', 'd')), 4), '1 - - 2');
  assert.equal(shown(mapByText(file, text('a', 'B', 'c', 'd')), 4), '1 2 3 4');
  assert.equal(shown(mapByText(file, text('a', '}', 'c', 'd')), 4), '1 - 3 4');
  assert.equal(shown(mapByText(file, []), 4), '- - - -');
  assert.equal(mapByText([], file).now(1), OLD_LINE_OFFSET + 1);
  assert.equal(mapByText(file, text('a', 'd')).now(3), OLD_LINE_OFFSET + 3);
});

test('texts: blanks at the end of a line do not count, those before it do', () => {
  assert.equal(shown(mapByText(text('a\r', 'b \t', '  c'), text('a', 'b', '}')), 3), '1 2 -');
});

test('texts: line 0 is unknown, and a line that no file has becomes that', () => {
  for (const map of [mapByText(['a'], ['b']), mapByStarts([{ before: 2 ** 31 - 1, now: 1 }]), identityMap]) {
    assert.equal(map.now(0), 0);
    assert.equal(map.now(OLD_LINE_OFFSET), 0);
    assert.equal(map.now(2 ** 32 - 1), 0);
    assert.equal(map.after(0), 0);
  }
  assert.equal(identityMap.now(7), 7);
  assert.ok(mapByText(['a'], ['b']).now(OLD_LINE_OFFSET - 1) < 2 ** 32);
});

test('texts: an old line is listed below what was above it', () => {
  const map = mapByText(text('gone', 'a', 'gone', 'gone', 'b', 'gone'), text('new', 'a', 'new', 'b', 'new'));
  assert.deepEqual(
    [1, 3, 4, 6, 7, 1000].map((line) => map.after(line)),
    [0, 2, 2, 4, 4, 4],
  );
  assert.equal(mapByText([], text('a')).after(5), 0);
});

test('texts: lines keep their order, are the same text or marked as changed, and none is found twice', () => {
  fc.assert(
    fc.property(texts, texts, (before, now) => {
      const map = mapByText(before, now);
      let last = 0;
      let lastEqual = 0;
      before.forEach((line, i) => {
        const at = map.now(i + 1);
        if (isOldLine(at)) {
          assert.equal(at, OLD_LINE_OFFSET + i + 1);
          assert.equal(map.after(i + 1), lastEqual);
          return;
        }
        if (map.change?.(at) !== 'changed') {
          assert.equal(now[at - 1], line);
          lastEqual = at;
        }
        assert.ok(at > last, `${at} after ${last}`);
        last = at;
      });
    }),
  );
});

/** The lines with their marks, as in a diff: of the base's text, and of this run's. */
const marked = (before: readonly string[], now: readonly string[]) => {
  const { change } = mapByText(before, now);
  const marks = { new: '+', changed: '~', gone: '-', moved: '>', none: ' ' };
  const of = (lines: readonly string[], from: number) => lines.map((line, i) => marks[change?.(from + i + 1) ?? 'none'] + line);
  return [of(before, OLD_LINE_OFFSET), of(now, 0)] as const;
};

test('texts: lines that are new, gone, or elsewhere', () => {
  const before = text('int main() {', '  print();', '  // sorted', '  sort();', '}', '');
  const now = text('int main() {', '  for (;;) {', '  }', '  print(); ', '}', '', '', '  // sorted');
  assert.deepEqual(marked(before, now), [
    [' int main() {', '   print();', '>  // sorted', '-  sort();', ' }', ' '],
    [' int main() {', '+  for (;;) {', '+  }', '   print(); ', ' }', ' ', '+', '>  // sorted'],
  ]);
  // A line that is there twice and then once is not moved; braces alone are never.
  assert.deepEqual(marked(text('a', 'a', 'b'), text('a', 'b')), [
    [' a', '-a', ' b'],
    [' a', ' b'],
  ]);
  assert.deepEqual(marked(text('}', 'a', 'b'), text('a', 'b', '}')), [
    ['-}', ' a', ' b'],
    [' a', ' b', '+}'],
  ]);
  assert.equal(mapByText(['a'], ['b']).change?.(0), undefined);
  assert.equal(mapByText(['a'], ['b']).change?.(2), undefined);
  // A line that shares half of its words with one in its place, or is alone in the place of one, is that line changed.
  assert.deepEqual(
    marked(
      text('{', 'double w = log(n);', 'sum += w * idf(term);', '}', 'return sum;', 'end', 'free(a);', 'free(b);', 'x'),
      text('{', 'sum += weight(w) * idf(term);', 'log("done");', '}', 'return total + 1;', 'end', 'c()', 'd()', 'x'),
    ),
    [
      [' {', '-double w = log(n);', '-sum += w * idf(term);', ' }', '-return sum;', ' end', '-free(a);', '-free(b);', ' x'],
      [' {', '~sum += weight(w) * idf(term);', '+log("done");', ' }', '~return total + 1;', ' end', '+c()', '+d()', ' x'],
    ],
  );
  // Without texts nothing is known.
  assert.equal(mapByStarts([{ before: 1, now: 3 }]).change, undefined);
  assert.equal(identityMap.change, undefined);
});

test('texts: without the lines that are marked both are the same, and as many of each text have moved in both', () => {
  fc.assert(
    fc.property(texts, texts, (before, now) => {
      const [old, own] = marked(before, now);
      const having = (lines: readonly string[], marks: string) =>
        lines.filter((l) => marks.includes(l[0])).map((l) => l.slice(1));
      assert.deepEqual(having(old, ' '), having(own, ' '));
      assert.deepEqual(having(old, '>').sort(), having(own, '>').sort());
      const gone = new Set(having(old, '-').filter((line) => /\w/.test(line)));
      assert.ok(having(own, '+').every((line) => !gone.has(line)));
    }),
  );
});

test('texts too different for a shortest script: lines that both have once, and what lies between them', () => {
  const rewritten = (mark: string) => (i: number) => (i % 10 === 0 ? `kept ${i}` : i % 10 === 5 ? '}' : `${mark}${i}`);
  const before = numbered(20_000, rewritten('old'));
  const now = ['first', ...numbered(20_000, rewritten('new'))];
  const map = mapByText(before, now);
  for (const [i, line] of before.entries())
    assert.equal(map.now(i + 1), /^(kept|\})/.test(line) ? i + 2 : OLD_LINE_OFFSET + i + 1, line);
});

longest('texts of 100,000 lines, alike, repeated or with nothing in common, take no more than a moment', () => {
  let seed = 1;
  const random = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
  const N = 100_000;
  const shuffled = numbered(N);
  for (let i = N - 1; i > 0; i--) {
    const k = random(i + 1);
    [shuffled[i], shuffled[k]] = [shuffled[k], shuffled[i]];
  }
  const pairs: [string, string[], string[]][] = [
    ['nothing in common', numbered(N), numbered(N, (i) => `other ${i}`)],
    ['one line', numbered(N, () => '}'), numbered(N - 5000, () => '}')],
    ['three lines', numbered(N, () => String(random(3))), numbered(N, () => String(random(3)))],
    ['some of many lines', numbered(N, () => String(random(N))), numbered(N, () => String(random(N)))],
    ['another order', numbered(N), shuffled],
    ['backwards', numbered(N), numbered(N).reverse()],
    [
      'long pieces between anchors',
      numbered(N, (i) => (i % 2000 ? `a${i}` : `${i}`)),
      numbered(N, (i) => (i % 2000 ? `b${i}` : `${i}`)),
    ],
    [
      'repeats between anchors',
      numbered(N, (i) => (i % 300 ? `${random(4)}` : `at ${i}`)),
      numbered(N, (i) => (i % 300 ? `${random(4)}` : `at ${i}`)),
    ],
  ];
  for (const [what, before, now] of pairs) {
    const from = performance.now();
    const map = mapByText(before, now);
    assert.ok(performance.now() - from < 10_000, what);
    const found = before.map((_, i) => map.now(i + 1)).filter((line) => !isOldLine(line));
    assert.ok(
      found.every((line, i) => i === 0 || line > found[i - 1]),
      what,
    );
  }
});

test('starts: a line keeps its distance from its routine, as far as no other begins there', () => {
  const map = mapByStarts([
    { before: 10, now: 12 },
    { before: 20, now: 15 },
    { before: 30, now: 40 },
  ]);
  assert.deepEqual(
    [1, 9, 10, 12, 13, 19, 20, 29, 30, 1000].map((line) => map.now(line)),
    [1, 9, 12, 14, OLD_LINE_OFFSET + 13, OLD_LINE_OFFSET + 19, 15, 24, 40, 1010],
  );
  assert.deepEqual(
    [13, 19].map((line) => map.after(line)),
    [14, 14],
  );
});

test('starts: routines in another order, and lines above all of them', () => {
  const map = mapByStarts([
    { before: 10, now: 50 },
    { before: 20, now: 5 },
  ]);
  assert.deepEqual(
    [4, 5, 9, 10, 19, 20, 64, 65].map((line) => map.now(line)),
    [4, OLD_LINE_OFFSET + 5, OLD_LINE_OFFSET + 9, 50, 59, 5, 49, OLD_LINE_OFFSET + 65],
  );
  assert.deepEqual([map.after(7), map.after(65)], [4, 49]);
  assert.equal(mapByStarts([]).now(17), 17);
});

test('starts: the first of two with the same start before or now', () => {
  const map = mapByStarts([
    { before: 10, now: 20 },
    { before: 10, now: 30 },
    { before: 40, now: 20 },
    { before: 50, now: 60 },
  ]);
  assert.deepEqual(
    [10, 19, 20, 40, 49, 50].map((line) => map.now(line)),
    [20, 29, OLD_LINE_OFFSET + 20, OLD_LINE_OFFSET + 40, OLD_LINE_OFFSET + 49, 60],
  );
  // Listed below the last line that has a place.
  assert.equal(map.after(45), 29);
});

test('the other way round, the same lines belong together', () => {
  const checked = (there: LineMap, back: LineMap, lines: number) => {
    const pairs = (map: LineMap) =>
      Array.from({ length: lines }, (_, i) => i + 1).flatMap((line) =>
        isOldLine(map.now(line)) ? [] : [[line, map.now(line)] as const],
      );
    const inverted = pairs(back).map(([line, now]) => [now, line] as const);
    const within = (list: readonly (readonly [number, number])[]) => list.filter(([a, b]) => a <= lines && b <= lines);
    assert.deepEqual(
      within(pairs(there)),
      within(inverted).sort(([a], [b]) => a - b),
    );
  };
  const [moved, back] = [text('a', 'moved', 'other', 'z'), text('a', 'other', 'moved', 'z')];
  checked(mapByText(moved, back), mapByText(back, moved), 4);
  fc.assert(fc.property(texts, texts, (a, b) => checked(mapByText(a, b), mapByText(b, a), Math.max(a.length, b.length))));
  const line = fc.integer({ min: 0, max: 60 });
  const starts = fc.array(fc.record({ before: line, now: line }), { maxLength: 12 });
  // The order of the routines is that of the run that is compared.
  fc.assert(
    fc.property(starts, (list) => {
      const swapped = list.map(({ before, now }) => ({ before: now, now: before })).reverse();
      checked(mapByStarts(list), mapByStarts(swapped), 100);
    }),
  );
});

test('starts: whatever they are, no two old lines become one, and an old line is listed below the last one that has a place', () => {
  const line = fc.integer({ min: 0, max: 60 });
  fc.assert(
    fc.property(fc.array(fc.record({ before: line, now: line }), { maxLength: 12 }), (starts) => {
      const map = mapByStarts(starts);
      const taken = new Set<number>();
      let last = 0;
      for (let old = 1; old <= 80; old++) {
        const now = map.now(old);
        if (isOldLine(now)) {
          assert.equal(now, OLD_LINE_OFFSET + old);
          assert.equal(map.after(old), last);
          continue;
        }
        assert.ok(now > 0 && !taken.has(now), `${old} → ${now}`);
        taken.add(now);
        last = now;
      }
      assert.equal(map.now(0), 0);
    }),
  );
});

test('starts: a million lines among 100,000 routines are found at once', () => {
  const map = mapByStarts(Array.from({ length: 100_000 }, (_, i) => ({ before: 10 * i + 10, now: 10 * i + 15 })));
  const from = performance.now();
  for (let line = 10; line < 1_000_000; line++) assert.equal(map.now(line), line + 5);
  assert.ok(performance.now() - from < 10_000);
});
