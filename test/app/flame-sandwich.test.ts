// One routine of the flame graph between all its callers and all that it calls: what stands where, where keys lead, and what is printed.
import assert from 'node:assert/strict';
import test from 'node:test';
import { routineName } from '../../src/analysis/names/names.ts';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { printCommand } from '../../src/app/print-command.ts';
import { cursorRoutine } from '../../src/app/state.ts';
import { foldedProfile } from '../support/folded.ts';
import { type Player, play } from '../support/keys.ts';
import { LOADED_PLAINLY } from '../support/loaded-with.ts';
import { versus } from '../support/versus.ts';

const screen = (p: Player) => toPlainText(drawScreen(p.state)).split('\n');
const focus = (p: Player) => routineName(p.state.analysis.profile, cursorRoutine(p.state));
/** The names in a row of boxes, from the left. */
const row = (line: string) => line.split(/[▶▏+ ]+/).filter((text) => text !== '');
const boxes = (p: Player) => screen(p).slice(2, 8).map(row);

// f costs 60 of 100: 40 by a, 20 by b; it calls g for 35 and h for 15, and itself once.
const STACKS: [string, number][] = [
  ['main;a;f;g', 25],
  ['main;a;f;h;f;g', 15],
  ['main;b;f', 10],
  ['main;b;f;g', 10],
  ['main;c', 40],
];
const open = (width = 80, height = 14) => play(foldedProfile(STACKS), { width, height, fills: true }).press('flame');

test('^ shows all callers of the frame above it and all that it calls below, and the whole graph again', () => {
  const p = open().press('/').type('f').press('enter');
  assert.equal(focus(p), 'f');
  const before = screen(p).slice(0, 12);
  p.press('^');
  assert.match(screen(p).join('\n'), /f: callers and callees, exact/);
  // Nearest callers are next to f; every call of f counts, the outer one of a recursion once.
  assert.deepEqual(boxes(p).slice(0, 6), [['main', 'main'], ['a', 'b'], ['f'], ['g', 'h'], ['f'], ['g']]);
  assert.equal(focus(p), 'f');
  assert.match(screen(p)[12], / 60 60\.00%/);
  for (const key of ['^', 'esc', 'i']) {
    assert.deepEqual(screen(p.press(key)).slice(0, 12), before, key);
    p.press('^');
  }
});

test('keys walk through the routine from callees to callers and back; Enter gives a frame of a side the width', () => {
  const p = open().press('/').type('f').press('enter', '^');
  const seen = ['k', 'k', 'l', 'j', 'j', 'j', 'l', 'k', 'k'].map((key) => focus(p.press(key)));
  assert.deepEqual(seen, ['a', 'main', 'main', 'a', 'f', 'g', 'h', 'f', 'a']);
  p.press('l');
  assert.equal(focus(p), 'b');
  p.press('enter');
  assert.deepEqual(boxes(p).slice(0, 3), [['main'], ['b'], ['f']]);
  p.press('backspace', 'G');
  assert.equal(focus(p), 'main');
  p.press('g');
  assert.equal(focus(p), 'f');
  // A search looks on the side of the cursor first, then on the other.
  p.press('/').type('b').press('enter');
  assert.equal(focus(p), 'b');
});

test('callers and callees are printed one above the other, and E names the command', () => {
  const p = open().press('/').type('f').press('enter', '^');
  const print = printCommand(p.state, LOADED_PLAINLY);
  assert.ok('command' in print && /--print flame .*--routine f/.test(print.command), JSON.stringify(print));
  assert.doesNotMatch(print.command, /--inverted/);
});

test('of two runs, and after another choice of parts, the sandwich stays; without the routine, the whole graph is shown', () => {
  const before = foldedProfile([
    ['main;a;f;g', 10],
    ['main;c', 40],
  ]);
  const p = play(foldedProfile(STACKS), { width: 100, height: 30, fills: true, versus: versus(before) });
  p.press('flame', '/').type('f').press('enter', '^');
  assert.match(screen(p).join('\n'), /f: callers and callees/);
  assert.deepEqual(
    screen(p)
      .slice(2, 20)
      .map(row)
      .filter((names) => names[0] === 'f' || names.includes('a'))[0],
    ['a', 'b'],
  );
  p.act({ type: 'transform', text: 'hide=routine:^f$' });
  assert.doesNotMatch(screen(p).join('\n'), /all callers/);
});

test('from callers too narrow to show, the way down leads to the routine, too', () => {
  const many = Array.from({ length: 60 }, (_, k): [string, number] => [`main;caller${k};f;g`, 1]);
  const p = play(foldedProfile([...many, ['main;wide;f;g', 60]]), { width: 80, height: 14, fills: true }).press('flame', '/');
  p.type('f').press('enter', '^');
  assert.equal(focus(p), 'f');
  p.press('k', 'l');
  assert.match(screen(p).join('\n'), /60 frames too narrow to show/);
  p.press('j');
  assert.equal(focus(p), 'f');
  assert.match(screen(p).join('\n'), /▶f/);
});
