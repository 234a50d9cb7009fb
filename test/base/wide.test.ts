// The width of hostile text: measured in no time, and what is shown of it fits.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { cellWidth, cutEnd, cutStart, fit, graphemesOf, keepEnds, visible } from '../../src/base/text.ts';

const PIECES = ['日', '\u0301', '👩\u200d', '😀', '🇩🇪', 'ж', 'ᄀ', 'क्', 'ก็', '\u200d', '\ufe0f', '⃣', 'a\u0301', '\ud83d', 'é<'];

test('text of any length is measured and cut at once', { timeout: 60_000 }, () => {
  for (const piece of PIECES)
    for (const text of [piece.repeat(80_000), `a${piece.repeat(500_000)}`, `${'x'.repeat(300)}${piece.repeat(80_000)}y`]) {
      assert.ok(cellWidth(text) > 1000 || text.length < 2048, JSON.stringify(piece));
      for (const cut of ['end', 'start', 'middle', 'place'] as const) assert.equal(cellWidth(fit(text, 40, 'left', cut)), 40);
      assert.ok(text.startsWith(cutEnd(text, 40)) && text.endsWith(cutStart(text, 40)));
    }
});

const unit = fc.oneof(
  fc.constantFrom(...PIECES, 'a', ' ', '::', '🏴', '👩‍👩‍👧‍👦', '한', 'ﾊﾞ'),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
);
const text = fc.array(unit, { maxLength: 400 }).map((all) => visible(all.join('')));

test('up to what screens have, the width is what string-width says, and graphemes are what the segmenter says', () => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  fc.assert(
    fc.property(text, (s) => {
      const whole = Array.from(segmenter.segment(s), (g) => g.segment);
      if (whole.some((g) => g.length > 100)) return;
      assert.deepEqual(
        Array.from(graphemesOf(s), (g) => g.segment),
        whole,
      );
      if (s.length <= 2048) assert.equal(cellWidth(s), stringWidth(s));
    }),
  );
});

test('what is shown of a long text is the same without its middle', () => {
  fc.assert(
    fc.property(
      text,
      fc.nat(5),
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom('end', 'start', 'middle', 'place'),
      (s, times, width, cut) => {
        const long = s.repeat(10 ** times % 9999);
        assert.equal(fit(visible(keepEnds(long, width)), width, 'left', cut), fit(visible(long), width, 'left', cut));
      },
    ),
  );
});
