// Rows of the Tree view: chains in one row, names that stay readable far down, where the hottest path ends, all callers of a routine.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { routineName } from '../../src/analysis/names/names.ts';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { printCommand } from '../../src/app/print-command.ts';
import { cursorRoutine } from '../../src/app/state.ts';
import { cellWidth } from '../../src/base/text.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { foldedProfile } from '../support/folded.ts';
import { type Player, play } from '../support/keys.ts';
import { loadText } from '../support/load.ts';
import { LOADED_PLAINLY } from '../support/loaded-with.ts';

const screen = (p: Player) => toPlainText(drawScreen(p.state)).split('\n');
const withoutBar = (line: string) => line.replaceAll(/[▏▎▍▌▋▊▉█]|(?<=% )#+/g, ' ');
const rows = (p: Player) => {
  const lines = screen(p);
  const heading = lines.findIndex((line) => /[▼v](incl|cost)/.test(line));
  const own = lines.slice(heading + 1, -1 - Math.max(1, p.state.detailRows)).filter((line) => line.trim() !== '');
  return own.map(withoutBar);
};
/** Names and marks, without what stands before and behind them. */
const names = (p: Player) =>
  rows(p).map((line) =>
    line
      .replace(/^.*?%(?:\s+(?:≈?[\d.,]+[kMGT]?|\?)(?= ))*/u, '')
      .trim()
      .replace(/ {2,}\S+$/, ''),
  );
const under = (p: Player) => withoutBar(screen(p).find((line) => line.startsWith('▶')) ?? '');
const focus = (p: Player) => routineName(p.state.analysis.profile, cursorRoutine(p.state));
const message = (p: Player) => p.state.message?.text ?? '';
/** Beside the tabs, or in the title. */
const mode = (p: Player) => screen(p).slice(0, 2).join(' ');

const tree = (stacks: readonly (readonly [string, number])[], width = 120, height = 30) =>
  play(foldedProfile(stacks), { width, height }).press('tree', 'g');

const BRANCHES = [
  ['main;run;loop;left;deep', 6],
  ['main;run;loop;right', 3],
  ['main;run;loop', 1],
] as const;

test('nodes without branches are one row, with the focus on the last', () => {
  const p = tree(BRANCHES);
  assert.deepEqual(names(p), ['▾ main › run › loop', 'left › deep', 'right']);
  assert.equal(focus(p), 'loop');
  assert.match(under(p), /10 +100\.0% +1 /, 'inclusive of the first, self of the last');
  assert.match(screen(p).at(-2) ?? '', /^ 3 in a row: main › run › loop/);
  assert.match(mode(p), /3 rows/);
  assert.deepEqual(
    names(play(foldedProfile(BRANCHES), { width: 120, height: 30, ascii: true }).press('tree'))[0],
    '- main > run > loop',
  );
});

test('a chain opens into single rows, and is joined again', () => {
  const p = tree(BRANCHES).press('right');
  assert.deepEqual(names(p), ['▾ main', '▾ run', '▾ loop', 'left › deep', 'right']);
  assert.equal(focus(p), 'main');
  p.press('right', 'right');
  assert.equal(focus(p), 'loop');
  // Closed at its last node, then up the chain, then joined.
  p.press('left');
  assert.deepEqual(names(p), ['▾ main', '▾ run', '▸ loop']);
  p.press('left');
  assert.equal(focus(p), 'run');
  p.press('left');
  assert.deepEqual(names(p), ['▸ main › run › loop']);
  p.press('enter');
  assert.deepEqual(names(p), ['▾ main › run › loop', 'left › deep', 'right']);
  p.press('left', 'left');
  assert.deepEqual(names(p), ['▸ main › run › loop']);
});

test('what ends in a node ends its chain', () => {
  const p = tree([...BRANCHES, ['main;run', 2]]);
  assert.deepEqual(names(p), ['▾ main › run', '▾ loop', 'left › deep', 'right']);
});

test('what costs most is open at first, as far as all rows fit on the screen', () => {
  const wide = (child: string) => Array.from({ length: 12 }, (_, i): [string, number] => [`main;${child};${child}${i}`, i + 1]);
  const lines: [string, number][] = [
    ...wide('large'),
    ['main;middle;leaf', 20],
    ['main;middle;other', 20],
    ['main;small;a', 1],
    ['main;small;b', 1],
  ];
  const tall = ['▾ main', '▾ large', ...wide('large').map((_, i) => `large${11 - i}`), '▾ middle', 'leaf', 'other', '▸ small'];
  assert.deepEqual(names(tree(lines, 80, 30)), tall, 'below 5 % stays closed');
  assert.deepEqual(names(tree(lines, 80, 16)), ['▾ main', '▸ large', '▾ middle', 'leaf', 'other', '▸ small']);
});

test('Tree opens where the routine in focus costs most, however deep', () => {
  const calls = (...names: string[]) => names.join(';');
  const deep = Array.from({ length: 8 }, (_, k) => [`left${k}`, 'right']).flat();
  const lines: [string, number][] = [
    [calls('main', 'cheap', 'target'), 3],
    [calls('main', 'costly', 'inner', 'target', 'x'), 9],
    [calls('main', 'costly', 'inner', 'other'), 1],
    ...deep.map((name, k): [string, number] => [calls('main', 'wide', name, `leaf${k}`), 5]),
  ];
  const p = play(foldedProfile(lines), { width: 100, height: 12 }).press('/').type('target').press('enter', 'tree');
  assert.match(under(p), /target/);
  const at = rows(p).findIndex((line) => line.startsWith('▶'));
  assert.match(rows(p)[at], /target/);
  assert.match(rows(p).slice(0, at).join('\n'), /costly/);
});

const NAMES = Array.from({ length: 1000 }, (_, i) => `level${i}`);

test('a thousand nodes are one row: moving, taking apart, a search inside', () => {
  const p = tree([[NAMES.join(';'), 5]], 80, 24);
  assert.equal(rows(p).length, 1);
  assert.match(rows(p)[0], /level0 › …996 › .*level999/);
  assert.equal(focus(p), 'level999');
  p.press('/').type('level500').press('enter');
  assert.equal(focus(p), 'level999');
  assert.match(under(p), /level500 › …497 › .*level999/);
  assert.equal(rows(p).length, 2);
  p.press('left');
  assert.equal(rows(p).length, 2, 'first to the parent');
  p.press('left');
  assert.equal(rows(p).length, 1);
  p.press('right');
  assert.match(mode(p), /1,000 rows/);
  p.press('G');
  assert.equal(focus(p), 'level999');
  p.press('k');
  assert.equal(focus(p), 'level998');
  p.press('left');
  assert.equal(rows(p).length, 1);
});

test('a longer one goes on in the next row', () => {
  const p = tree([[Array.from({ length: 2500 }, (_, i) => `f${i}`).join(';'), 5]]).press(']');
  assert.deepEqual([rows(p).length, focus(p)], [3, 'f2499']);
});

test('a search goes from match to match within a chain, and back', () => {
  const p = tree([['main;alpha1;b;alpha2;c', 5]])
    .press('/')
    .type('alpha')
    .press('enter');
  assert.match(under(p), /alpha1 › b › alpha2/);
  p.press('n');
  assert.match(under(p), /\d +alpha2 › c/);
  p.press('n');
  assert.match(under(p), /alpha1 › b/);
});

test('what a filter keeps is the last of its row', () => {
  const p = tree(BRANCHES).press('&').type('run').press('enter', 'g');
  assert.deepEqual(names(p), ['main › run']);
  assert.equal(focus(p), 'run');
  p.press('esc');
  assert.equal(names(p)[0], '▾ main › run › loop');
});

test('a routine inside a chain is found from another view, and stays in focus', () => {
  const p = tree(BRANCHES).press('routines', '/').type('run').press('enter', 'tree');
  assert.match(under(p), /main › run › loop/);
  assert.equal(focus(p), 'run');
  p.press('j', 'k');
  assert.equal(focus(p), 'loop');
});

test('roots of the inverted tree stand alone, and callers with one caller are joined', () => {
  const p = tree(BRANCHES).press('i', 'enter');
  assert.deepEqual(names(p), ['▾ deep', 'left › loop › run › main', '▸ right', '▸ loop']);
  assert.equal(focus(p.press('j')), 'main');
});

const GRAPH = `events: Ir Dr
fn=main
1 0 0
cfn=run
calls=1 0
2 100 3
cfn=init
calls=1 0
3 0 5
fn=run
4 100 3
fn=init
5 0 5
`;

test('of a call graph, calls that cost nothing do not end a chain, and are found', async () => {
  const p = play(await loadText(callgrind, GRAPH), { width: 120, height: 30 }).press('tree');
  assert.deepEqual(names(p), ['main › run']);
  p.press('/').type('init').press('enter');
  assert.deepEqual(names(p), ['▾ main', 'run', 'init']);
  assert.equal(focus(p), 'init');
  const other = play(await loadText(callgrind, GRAPH), { width: 120, height: 30 })
    .press('tree')
    .act({ type: 'event', name: 'Dr' });
  other.press('enter');
  assert.deepEqual(names(other), ['▾ main', 'init', 'run'], 'in another event both cost something');
});

/** Every level has a cost of its own, so that there is no chain. */
const DEEP = Array.from({ length: 40 }, (_, i): [string, number] => [
  Array.from({ length: i + 1 }, (_, k) => `namespace_of::function_with_a_long_name_${k}`).join(';'),
  987_654_321 * (41 - i),
]);

test('25 levels down and 80 cells wide, names have 35 cells, percentages stay, and no number is cut', () => {
  const p = tree(DEEP, 80, 24).press('+', ...Array.from({ length: 30 }, () => 'j'));
  const deep = rows(p).filter((line) => Number(/⋯(\d+)/.exec(line)?.[1]) >= 25);
  assert.ok(deep.length > 3);
  for (const line of deep) {
    const [, cost, percent, name] = /^.\s*(\S+)\s+(\S+%)\s.*?⋯\d+ [▸▾ ] (.*)$/.exec(line) ?? [];
    assert.match(cost, /^\d[\d.]*[kMGT]$/, line);
    assert.match(percent, /^\d+\.\d\d%$/, line);
    assert.ok(cellWidth(name ?? '') >= 35, line);
  }
  // Where there is room, nothing is shortened.
  assert.match(screen(tree(DEEP, 140, 24)).join('\n'), /849,382,716,060/);
});

test('the hottest path ends where the cost splits, says so, and goes on when asked again', () => {
  const p = tree([
    ['main;a;b;c1', 4],
    ['main;a;b;c2', 3],
    ['main;a;b;c3;d', 3],
    ['main;other', 2],
    ['main', 1],
  ]).press(']');
  assert.equal(focus(p), 'b');
  assert.equal(message(p), 'the cost splits here: 3 callees, the largest has 40%');
  p.press(']');
  assert.equal(focus(p), 'c1');
  assert.equal(message(p), 'nothing below');
});

test('the hottest path ends where a routine itself costs most', () => {
  const p = tree([
    ['main;a;b', 3],
    ['main;a', 6],
    ['main;c', 1],
  ]).press(']');
  assert.equal(focus(p), 'a');
  assert.equal(message(p), 'Stopped: 67% is in a itself');
  p.press(']');
  assert.equal(focus(p), 'b');
});

test('all callers of a routine by its inclusive cost, and back to where the tree was', () => {
  const p = tree([
    ['main;a;f;g;f', 5],
    ['main;b;f', 3],
    ['main;b', 1],
  ])
    .press('star', '/')
    .type('f')
    .press('enter');
  assert.match(under(p), /f › g › f/);
  p.press('right');
  assert.equal(focus(p), 'f');
  const before = screen(p);
  p.press('^');
  assert.match(mode(p), /all callers of f, 3 rows, exact/);
  assert.deepEqual(names(p), ['▾ f', 'a › main', 'b › main']);
  assert.match(rows(p)[0], /^▶ +8 +88\.89%/);
  const print = printCommand(p.state, LOADED_PLAINLY);
  assert.ok('command' in print && /--routine f --inverted/.test(print.command), JSON.stringify(print));
  for (const key of ['^', 'i', 'esc']) {
    assert.deepEqual(screen(p.press(key)), before, key);
    p.press('^');
  }
  // Another routine is looked for in the whole tree.
  p.press('routines', 'g', '/').type('g').press('enter', 'tree');
  assert.doesNotMatch(mode(p), /all callers/);
});

test('all callers follow another event, and another granularity', async () => {
  const p = play(await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]), { width: 120, height: 40 });
  p.press('routines', '/').type('strcmp').press('enter', 'tree', '^');
  assert.match(mode(p), /all callers of strcmp, .*estimated from call shares/);
  assert.match(under(p), /strcmp/);
  p.act({ type: 'toggle-part', part: 0 });
  assert.match(mode(p), /all callers of strcmp/);
});

test('children below 0.1 % of all and 1 % of their parent share one row with their sum; Enter shows them, and so does a search', () => {
  // 30 small ones of 1 each; all cost 100,000.
  const small = Array.from({ length: 30 }, (_, k) => [`main;loop;small_${k}`, 1] as const);
  const p = tree([['main;loop;big', 60_000], ['main;loop;half', 39_000], ['main;loop', 970], ...small], 120, 50);
  const shown = () => names(p).map((line) => line.replace(/^[▶ ]*/, ''));
  assert.deepEqual(shown(), ['▾ main › loop', 'big', 'half', '▸ 30 more, each below 0.1%']);
  // The shown rows and the self cost of loop add up to its cost.
  const costOf = (row: number) => Number(/^[▶ ]*([\d,]+)/.exec(rows(p)[row])?.[1].replaceAll(',', ''));
  assert.equal(costOf(0), costOf(1) + costOf(2) + costOf(3) + 970);
  assert.equal(costOf(3), 30);
  p.press('G');
  assert.match(screen(p).at(-2) ?? '', /each below 0\.1% of all and 1% of their parent; Enter shows them/);
  p.press('enter');
  assert.equal(rows(p).length, 33);
  assert.match(under(p), /small_/);
  // Closed and opened again, they share a row again.
  p.press('g', 'enter', 'enter');
  assert.equal(shown().at(-1), '▸ 30 more, each below 0.1%');
  p.press('G', 'h');
  assert.match(under(p), /main › loop/);
  p.press('/').type('small_17').press('enter');
  assert.match(under(p), /small_17/);
  assert.equal(rows(p).length, 33);
  // A single small child, and children of a small parent, have their rows.
  const few = tree(
    [
      ['main;big', 100_000],
      ['main;tiny;a', 5],
      ['main;tiny;b', 4],
      ['main;other', 1],
    ],
    120,
    50,
  );
  few.press('G', 'enter');
  assert.match(rows(few).join('\n'), /2 more, each below 0\.1%|tiny/);
  few.press('/').type('tiny').press('enter', 'l');
  assert.match(rows(few).join('\n'), /tiny[\s\S]* a\b[\s\S]* b\b/);
});
