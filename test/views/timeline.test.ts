// Bars of lanes and strips in cells: every step is in a bar or counted, numbers are whole, and bars that touch are told apart.

import assert from 'node:assert/strict';
import test from 'node:test';
import { barGlyphs, drawBlockChart, drawLane, type LaneSpec, mergedCountLabel } from '../../src/views/parts/timeline.ts';

/** A lane of steps as [start, end]; names are a letter each. */
function lane(steps: readonly (readonly [number, number])[], fills: boolean, cursor = -1): LaneSpec {
  return {
    steps: steps.map((_, k) => k),
    start: (s) => steps[s][0],
    end: (s) => steps[s][1],
    bar: (s) => ({ label: () => `step${s}`, letter: 'C', style: 'area1', highlighted: s === cursor }),
    isSeparate: (from, to) => from <= cursor && cursor < to,
    mergedBar: (from, to) => ({
      ...{ style: 'rest', highlighted: from <= cursor && cursor < to, label: (room) => mergedCountLabel(to - from, room) },
    }),
    glyphs: barGlyphs({ fills, ascii: false }),
  };
}

const text = (spec: LaneSpec, to: number, width: number) =>
  drawLane(spec, { from: 0, to }, width)
    .map(([own]) => own)
    .join('');

const STEPS = [
  [0, 10],
  [10, 20],
  [22, 23],
  [24, 26],
  [26, 26.2],
  [26.4, 26.5],
  [27, 27.1],
  [30, 40],
] as const;

test('bars are filled or in brackets; the first cell of one that touches another says so; short ones are counted', () => {
  assert.equal(text(lane(STEPS, true), 40, 40), ' step0    ▏step1      C  C…3   step7    ');
  assert.equal(text(lane(STEPS, false), 40, 40), '[step0───][step1───]  C [C…3  [step7───]');
  assert.equal(text(lane(STEPS, true, 1), 40, 40).slice(8, 14), '  ▶ste');
  // The one under the cursor does not go together with its neighbours.
  assert.equal(text(lane(STEPS, true, 5), 40, 40).slice(20, 30), '  C  C2▏  ');
});

test('every step that is in the window is in a bar or counted, at every width', () => {
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let round = 0; round < 200; round++) {
    const steps: [number, number][] = [];
    for (let at = 0; steps.length < 60; ) {
      const length = random() < 0.7 ? random() : 10 * random();
      steps.push([at, at + length]);
      at += length + (random() < 0.5 ? 0 : 3 * random());
    }
    const end = steps.at(-1)?.[1] ?? 1;
    const width = 5 + Math.floor(random() * 200);
    let counted = 0;
    const spec = lane(steps, true);
    const seen: LaneSpec = {
      ...spec,
      bar: (s) => {
        counted++;
        return spec.bar(s);
      },
      // Asked for a label where it is drawn alone.
      mergedBar: (from, to) => ({
        ...spec.mergedBar(from, to),
        label: (room) => {
          counted += to - from;
          return mergedCountLabel(to - from, room);
        },
      }),
    };
    const spans = drawLane(seen, { from: 0, to: end }, width);
    assert.equal(
      spans.reduce((sum, [own]) => sum + own.length, 0),
      width,
    );
    assert.equal(counted, steps.length, `${width} cells, round ${round}`);
  }
});

test('a count is shown whole or not at all', () => {
  for (const count of [2, 9, 10, 123, 4567])
    for (let room = 1; room < 8; room++) {
      const label = mergedCountLabel(count, room);
      assert.ok(label.length <= room);
      const digits = label.replace('…', '');
      assert.ok(digits === '' || digits === String(count), label);
    }
});

test('a strip goes from the least to the most, over all its rows', () => {
  const rows = drawBlockChart([0, 10, 15, 20, 12.5], [10, 20], 2);
  assert.deepEqual(rows, ['   █ ', ' ▁██▄']);
  assert.deepEqual(drawBlockChart([5, 5], [0, 5], 1), ['██']);
});
