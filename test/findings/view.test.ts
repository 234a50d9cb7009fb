// Findings on the screen: exactly as many lines as there are, none too wide, no number of a share cut, at any size; clicks and keys agree.
import assert from 'node:assert/strict';
import test from 'node:test';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { initialState } from '../../src/app/first-state.ts';
import { update } from '../../src/app/update.ts';
import { cellWidth } from '../../src/base/text.ts';
import { shareText } from '../../src/findings/row.ts';
import type { Finding } from '../../src/findings/rule.ts';
import { long } from '../support/long.ts';
import { CASES } from './cases.ts';

const press = (state: Parameters<typeof update>[0], ...actions: Parameters<typeof update>[1][]) =>
  actions.reduce((s, action) => update(s, action)[0], state);

long('at any size its lines fit, and the share of the finding under the cursor is whole', async () => {
  for (const id of ['start-up', 'more-calls', 'moved-cost', 'waited-for']) {
    const { profile } = await CASES[id].speaks();
    for (const [width, height] of [
      [24, 8],
      [40, 10],
      [80, 24],
      [200, 60],
    ]) {
      let state = press(initialState(profile, { width, height }), { type: 'view', view: 'findings' }, { type: 'none' });
      assert.equal(state.view, 'findings', id);
      for (let i = 0; i < 3; i++) {
        const lines = toPlainText(drawScreen(state)).split('\n');
        assert.ok(
          lines.every((line) => cellWidth(line) <= width),
          `${id} ${width}x${height}`,
        );
        assert.equal(lines.filter((line) => line.startsWith('▶')).length, 1, `${id} ${width}x${height}`);
        const first = lines.find((line) => line.startsWith('▶')) ?? '';
        assert.match(first, /^▶ *(!|≈?[+-]?\d[\d.]*%) /u, first);
        state = press(state, { type: 'in-view', view: 'findings', action: { type: 'move', by: 1 } });
      }
    }
  }
});

test('the longest share fits in front of its sentence', () => {
  const remark = {
    rule: '',
    isNote: false,
    subject: '',
    why: '',
    parts: [],
    figures: [],
    target: { view: '', report: '' },
    estimated: true,
  } as const;
  const widths = [0.01, 0.99994, 1, 9.9994, 12, 190.5].flatMap((share) =>
    ([1, -1] as const).map((sign) => cellWidth(shareText({ ...remark, share, sign } satisfies Finding))),
  );
  assert.ok(Math.max(...widths) <= 8, `${widths}`);
});
