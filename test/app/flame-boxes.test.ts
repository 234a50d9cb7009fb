// How boxes of the flame graph look: fills, names, edges, sums of narrow frames, and what stands for fills without colours.
import assert from 'node:assert/strict';
import test from 'node:test';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { wholeViewText } from '../../src/tui/write-view.ts';
import { type Player, play } from '../support/keys.ts';
import { loadText } from '../support/load.ts';

/** main costs 50 by itself, calls a (200), b (150), and `tiny` routines that cost 100 together: 500 in all. */
function program(tiny: number): string {
  const names = Array.from({ length: tiny }, (_, i) => [`tiny${String(i).padStart(2, '0')}`, 100 / tiny] as const);
  const all = [['a', 200], ['b', 150], ...names] as const;
  const calls = all.map(([name, cost]) => `cfn=${name}\ncalls=1 1\n1 ${cost}\n`).join('');
  return `events: Ir\nfn=main\n1 50\n${calls}${all.map(([name, cost]) => `fn=${name}\n1 ${cost}\n`).join('')}`;
}

const open = async (
  width: number,
  options: { readonly ascii?: boolean; readonly fills?: boolean; readonly tiny?: number } = {},
) => {
  const { tiny = 20, ...look } = options;
  const player = play(await loadText(callgrind, program(tiny)), { width, height: 16, ...look }).press('flame', 'g');
  return look.fills === false ? player : player.choose('self', 'o', 'colour by');
};
/** The lines of boxes: each span, and * before lit ones. */
const boxes = (p: Player) =>
  drawScreen(p.state)
    .slice(2, -2)
    .map(({ spans }) => spans.map(([text, style, lit]) => `${lit ? '*' : ''}${style}[${text}]`).join(''));
const at = (text: string, cells: number) => text.padEnd(cells);

test('a box fills its share of the cells, and a gap at the end is what its parent costs by itself', async () => {
  const p = await open(60);
  // Of 60 cells: 24 for 40%, 18 for 30%, 12 for 20%, and 6 for the 10% of main itself.
  // Lines that no box needs have the details.
  assert.deepEqual(boxes(p).slice(0, 5), [
    `*heat3[${at('▶main', 60)}]`,
    `*heat3[${at(' 10.00% / 100.0%', 60)}]`,
    `heat5[${at(' a', 24)}]heat5[${at('▏b', 18)}]rest[${at('▏▸20 20.00%', 12)}]`,
    `heat5[${at(' 40.00% / 40.00%', 24)}]heat5[${at('▏30.00% / 30.00%', 18)}]rest[${at('▏', 12)}]`,
    `plain[${at('', 29)}]dim[│]bold[${at(' Calls, share of it', 29)}]`,
  ]);
});

test('of a sum of narrow frames, no number is cut, and boxes under three cells have no text', async () => {
  const line = async (width: number) => toPlainText(drawScreen((await open(width)).state)).split('\n')[4];
  // 11 cells have room for all, 8 for the number alone, and 2 for nothing.
  assert.match(await line(55), / a +▏b +▏▸20 20\.00%$/);
  assert.match(await line(40), / a +▏b +▏▸20$/);
  assert.match(await line(10), /^ a {2}▏b ▏$/);
});

test('Enter on narrow frames gives them the whole width; Bksp and Esc lead back', async () => {
  const p = await open(60);
  p.press('j', 'l', 'l');
  assert.match(boxes(p)[2], /\*rest\[▶▸20 20\.00% \]$/);
  assert.match(toPlainText(drawScreen(p.state)), / 20 frames too narrow to show: 100 20\.00%/);
  p.press('j');
  assert.match(p.state.message?.text ?? '', /too narrow to show; Enter zooms in/);
  p.press('enter');
  // Each of 20 has 3 of 60 cells; main is above.
  assert.deepEqual(boxes(p)[0], `rest[${at(' main', 60)}]`);
  assert.equal(boxes(p)[2], `*heat2[▶  ]${'heat2[▏  ]'.repeat(19)}`);
  assert.match(toPlainText(drawScreen(p.state)), /in main \(narrow frames\)/);
  p.press('l', 'k', 'backspace');
  assert.match(boxes(p)[2], /rest\[▏▸20 20\.00% \]$/);
  p.press('j', 'l', 'l', 'enter', 'esc');
  assert.match(boxes(p)[2], /rest\[▏▸20 20\.00% \]$/);
});

test('narrow frames that the whole width is too little for are said to be so', async () => {
  const p = await open(40, { tiny: 100 });
  p.press('j', 'l', 'l', 'enter');
  assert.match(p.state.message?.text ?? '', /even with the whole width, these frames are too narrow/);
});

test('a sum that is zoomed into has another sum, until all frames were seen', async () => {
  // main calls r00 for half of all, r01 for a quarter, and so on: 5 of them have a cell of 40 each time.
  const costs = Array.from({ length: 20 }, (_, k) => [`r${String(k).padStart(2, '0')}`, 2 ** (19 - k)] as const);
  const calls = costs.map(([name, cost]) => `cfn=${name}\ncalls=1 1\n1 ${cost}\n`).join('');
  const text = `events: Ir\nfn=main\n1 1\n${calls}${costs.map(([name, cost]) => `fn=${name}\n1 ${cost}\n`).join('')}`;
  const p = play(await loadText(callgrind, text), { width: 40, height: 10 }).press('flame', 'g', 'j');
  const seen: string[] = [];
  const cursor = () => /r\d\d|narrow/.exec(toPlainText(drawScreen(p.state)).split('\n').at(-2) ?? '')?.[0] ?? '';
  for (let zooms = 0; seen.length < costs.length && zooms < 10; zooms++) {
    for (; cursor().startsWith('r') && !seen.includes(cursor()); p.press('l')) seen.push(cursor());
    p.press('enter');
  }
  assert.deepEqual(
    seen,
    costs.map(([name]) => name),
  );
});

test('without colours, brackets stand for fills; in ASCII, marks are ASCII', async () => {
  const lines = async (options: Parameters<typeof open>[1]) =>
    toPlainText(drawScreen((await open(60, options)).press('j').state))
      .split('\n')
      .slice(2, 5);
  assert.deepEqual(await lines({ fills: false }), [
    `[main${'─'.repeat(54)}]`,
    `[${at('10.00% / 100.0%', 58)}]`,
    `▶a${'─'.repeat(21)}][b${'─'.repeat(15)}][▸20 20.00%]`,
  ]);
  assert.deepEqual(await lines({ fills: false, ascii: true }), [
    `[main${'-'.repeat(54)}]`,
    `[${at('10.00% / 100.0%', 58)}]`,
    `>a${'-'.repeat(21)}][b${'-'.repeat(15)}][+20 20.00%]`,
  ]);
  assert.deepEqual(await lines({ ascii: true }), [' main', ' 10.00% / 100.0%', `${at('>a', 24)}${at('|b', 18)}|+20 20.00%`]);
});

test('written as text, boxes have brackets', async () => {
  assert.match(wholeViewText((await open(60, { tiny: 100 })).state), /\n\[main─+\]\n\[a─+\]\[b─+\]\[▸100 20\.00% +\]\n/);
});

test('without colours, the menu says that there are none', async () => {
  const p = (await open(60, { fills: false })).choose('colour by whose code, self cost, object, file, or change');
  assert.match(p.state.message?.text ?? '', /no colours here/);
});

test('a match in a fill is filled, too', async () => {
  const p = (await open(60)).press('/').type('b').press('enter');
  const styles = drawScreen(p.state)
    .slice(2, 6)
    .flatMap(({ spans }) => spans.filter(([text]) => text.trim() !== '').map(([, style]) => style));
  assert.ok(!styles.includes('match'), styles.join());
});

test('from 120 columns and 34 lines on, details of the frame are below the boxes: name, file, costs, callers, callees', async () => {
  const long = `deep<${'std::vector<int>, '.repeat(3)}int>()`;
  const text = [
    'events: Ir\nfl=a.c\nfn=main\n1 100\ncfi=b.c\ncfn=mid\ncalls=3 1\n1 900\n',
    `fl=b.c\nfn=mid\n5 200\ncfn=${long}\ncalls=7 1\n6 600\ncfn=small\ncalls=1 1\n6 100\nfn=${long}\n7 600\nfn=small\n8 100\n`,
  ].join('');
  const profile = await loadText(callgrind, text);
  for (const [width, height] of [
    [119, 40],
    [80, 24],
  ]) {
    const small = play(profile, { width, height }).press('flame', 'g', 'j');
    const text = toPlainText(drawScreen(small.state));
    // Smaller screens have callers and callees in lines that no box needs, and no column of facts.
    assert.match(text, /^ Called by +│ Calls, share of it *$/m);
    assert.match(text, /^ +100\.0% {2}main +│ +66\.67% {2}deep</m);
    assert.doesNotMatch(text, /inclusive +900/);
  }
  for (const width of [120, 200]) {
    const p = play(profile, { width, height: 40 }).press('flame', 'g', 'j');
    const columns = () =>
      toPlainText(drawScreen(p.state))
        .split('\n')
        .filter((line) => line.includes('│'))
        .map((line) => line.split('│').map((cell) => cell.trimEnd()));
    const [facts, callers, callees] = [0, 1, 2].map((k) => columns().map((cells) => cells[k]));
    assert.equal(facts[0], ' mid');
    assert.match(facts.join('\n'), / file +b\.c\n +inclusive +900 {2}90\.00%\n +self +200 {2}20\.00%\n +calls +3\n/);
    assert.deepEqual(callers.slice(0, 2), [' Called by', '   100.0%  main']);
    assert.equal(callees[0], ' Calls, share of it');
    // 600 and 100 of the 900 that mid costs.
    assert.match(callees[1], /^ +66\.67% {2}deep</);
    assert.equal(callees[2], '   11.11%  small');
    p.press('j');
    const name = columns().map((cells) => cells[0]);
    const end = name.findIndex((line) => / file /.test(line));
    assert.equal(name.slice(0, end).join('').replace(/ /g, ''), long.replace(/ /g, ''));
    // A click on the details moves nothing: no box is there.
    const before = drawScreen(p.state);
    p.act({ type: 'click', x: 10, y: 30 });
    assert.deepEqual(drawScreen(p.state), before);
    p.press('i');
    assert.doesNotMatch(toPlainText(drawScreen(p.state)), / self .*│/);
  }
});
