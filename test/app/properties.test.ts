// Any keys, at any size: every view stays within its box, and nothing throws.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { drawScreen } from '../../src/app/draw.ts';
import { globalBindings } from '../../src/app/keymap.ts';
import { cellWidth } from '../../src/base/text.ts';
import { loadProfile } from '../../src/io/load.ts';
import { views } from '../../src/views/index.ts';
import { existing, FIXTURES } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';

const keys = [...new Set([...globalBindings, ...views.flatMap((v) => v.keys)].flatMap((b) => [...b.keys]))].filter(
  (k) => !['q', 'ctrl-c', 'e', 'R'].includes(k),
);
const FILES = [
  'callgrind/instr-jumps.callgrind.out',
  'callgrind/edge/v35-invalid-utf8.callgrind.out',
  'callgrind/edge/v39-long-name.callgrind.out',
  'callgrind/xtree-leak.callgrind.out',
  'callgrind/nothing.callgrind.out',
  'cachegrind/diff.cachegrind.out',
  'callgrind/recs1.callgrind.out',
  'callgrind/edge/v14-names.callgrind.out',
];

for (const file of FILES) {
  test(`any keys at any size: ${file}`, async () => {
    const profile = await loadProfile([existing(join(FIXTURES, file))]);
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            { weight: 4, arbitrary: fc.constantFrom(...keys) },
            { weight: 1, arbitrary: fc.constantFrom('a', 'é', '(', 'enter', 'x') },
          ),
          { maxLength: 40 },
        ),
        fc.integer({ min: 1, max: 220 }),
        fc.integer({ min: 1, max: 60 }),
        fc.boolean(),
        (pressed, width, height, ascii) => {
          const player = play(profile, { width, height, ascii }, [join(FIXTURES, 'callgrind')]);
          for (const key of pressed) player.press(key);
          player.act({ type: 'resize', width: (width % 97) + 1, height: (height % 31) + 1 });
          const { state } = player;
          const lines = drawScreen(state);
          assert.equal(lines.length, state.height);
          for (const line of lines) {
            const text = line.spans.map(([t]) => t).join('');
            assert.ok(cellWidth(text) <= state.width, `${cellWidth(text)} cells in ${state.width}: ${text}`);
            assert.doesNotMatch(text, /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
}
