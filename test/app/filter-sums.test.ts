// The sum of what a filter left, and what an open prompt does when another profile comes.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { applyAnswer } from '../../src/app/update.ts';
import { loadProfile } from '../../src/io/load.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';

const load = (name: string) => loadProfile([join(FIXTURES, name)]);

test('the sum of a filter is that of the event, also of one made of others', async () => {
  const profile = await load('callgrind/default.callgrind.out');
  const title = (derive: string[]) => {
    const p = play(profile, { width: 240, height: 40, derive });
    if (derive.length > 0) p.act({ type: 'event', name: 'Twice' });
    p.press('&').type('demo').press('enter');
    return toPlainText(drawScreen(p.state)).split('\n')[1];
  };
  const sumOf = (line: string) => Number(/self ([\d,]+)/.exec(line)?.[1].replaceAll(',', ''));
  const once = sumOf(title([]));
  assert.ok(once > 0);
  assert.equal(sumOf(title(['Twice=2 Ir'])), 2 * once);
});

test('a profile of another kind that comes while a prompt is open leaves nothing of the old views behind', async () => {
  const [routines, steps] = [
    await load('callgrind/default.callgrind.out'),
    await load('ninja-log/tidepool-ninja-failing/.ninja_log'),
  ];
  for (const key of ['/', '&'])
    for (const end of ['enter', 'esc']) {
      const p = play(steps, { width: 100, height: 30 });
      p.press(key).type('ma');
      const [next] = applyAnswer(p.state, { type: 'loaded', profile: routines, siblings: [], derive: [], why: 'loaded' });
      p.state = next;
      p.type(']').press(end);
      assert.match(toPlainText(drawScreen(p.state)), /default\.callgrind/);
      assert.equal(p.state.prompt, undefined);
    }
});
