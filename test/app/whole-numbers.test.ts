// Numbers of the line of details are whole at every width: a part of one is another number.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { detailLines } from '../../src/app/detail.ts';
import { contextOf, openView } from '../../src/app/state.ts';
import { loadProfile } from '../../src/io/load.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';
import { long } from '../support/long.ts';

const loaded = await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]);

long('the details of a box in Graph have whole numbers at every width', () => {
  const numbersIn = (text: string) => text.split(/\s+|…/).filter((word) => /^[\d.,]+[kM%]?$/.test(word));
  let seen = 0;
  for (let width = 40; width <= 160; width++)
    for (const keys of ['graph', 'graph j', 'graph j j', 'flame', 'flame j', 'tree', 'tree j']) {
      const player = play(loaded, { width, height: 24 });
      player.press(...keys.split(' '));
      const whole = new Set(numbersIn(openView(player.state).detail(contextOf(player.state))));
      const lines = detailLines(player.state);
      const numbers = numbersIn(lines.join(' '));
      seen += numbers.length;
      assert.deepEqual(
        numbers.filter((n) => !whole.has(n)),
        [],
        `${width}: ${lines.join(' | ')}`,
      );
    }
  assert.ok(seen > 900);
});
