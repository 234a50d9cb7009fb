// Frames beside those that flamegraph.pl drew of the same stacks: the name, level and cost of each.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { print, rowsOf, wordsFor } from '../support/coming-from.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';

const FILES = { 'perf.txt': 'folded/perf.folded' };
const FRAME_HEIGHT = 16;
const withoutEntities = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
const toNumber = (text: string) => Number(text.replaceAll(',', ''));

test('flamegraph.pl: the cost of every frame, and its share', () => {
  interface Row {
    readonly depth: number;
    readonly routine: string;
    readonly inclusive: { readonly samples: number };
  }
  const svg = readMaybeGz(join(FIXTURES, 'folded/perf.flamegraph.svg')).toString();
  const frames = [...svg.matchAll(/<title>(.*) \(([\d,]+) samples, ([\d.]+)%\)<\/title><rect x="\S+" y="(\d+)"/g)];
  const lowest = Math.max(...frames.map(([, , , , y]) => Number(y)));
  const expected = frames
    .filter(([, name]) => name !== 'all')
    .map(([, name, samples, , y]) => [(lowest - Number(y)) / FRAME_HEIGHT - 1, withoutEntities(name), toNumber(samples)]);
  const words = wordsFor('perf', 'flamegraph.pl');
  const rows = rowsOf<Row>(
    words.filter((word) => word !== '--svg'),
    FILES,
  );
  assert.deepEqual(rows.map(({ depth, routine, inclusive }) => [depth, routine, inclusive.samples]).sort(), expected.sort());
  assert.equal(expected.length, 101);
  // Shares have two places there, and those of wide frames one here.
  const drawn = print(words, FILES).matchAll(/<title>(.*?)&#10;([\d,]+) samples, ([\d.]+)%/g);
  const shares = new Map(frames.map(([, , samples, share]) => [toNumber(samples), Number(share)]));
  let compared = 0;
  for (const [, name, samples, share] of drawn) {
    const places = share.split('.')[1].length;
    assert.equal(Number(share), Number(shares.get(toNumber(samples))?.toFixed(places)), name);
    compared++;
  }
  assert.equal(compared, 101);
});
