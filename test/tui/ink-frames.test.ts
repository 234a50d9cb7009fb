// Frames of Ink: what happens where drawing fails.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Text } from 'ink';
import { createElement, type ReactElement } from 'react';
import { openFrameRenderer } from '../../src/tui/ink-frames.ts';

function Fails({ now }: { readonly now: boolean }): ReactElement {
  if (now) throw new Error('cannot be drawn');
  return createElement(Text, null, 'drawn');
}

test('an error of drawing is thrown, first or later, and Ink shows nothing of it', () => {
  for (const first of [true, false]) {
    const shown: string[] = [];
    const frames = openFrameRenderer(80, 24, (lines) => shown.push(lines.join('\n')));
    if (!first) frames.draw(createElement(Fails, { now: false }));
    assert.throws(() => frames.draw(createElement(Fails, { now: true })), /^Error: cannot be drawn$/);
    frames.close();
    assert.doesNotMatch(shown.join('\n'), /cannot be drawn|\bat /);
    assert.equal(shown.length, first ? 0 : 1, shown.join('\n---\n'));
  }
});
