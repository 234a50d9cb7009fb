// Lines on the screen: its rows are those of the file, and Enter, filter, search and the other views go where they should.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { drawPanes } from '../../src/app/panes.ts';
import { printCommand } from '../../src/app/print-command.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { loaderNamed, loadProfile } from '../../src/io/load.ts';
import { costLines, summed } from '../support/cost-lines.ts';
import { existing, FIXTURES } from '../support/fixtures.ts';
import { type Player, play } from '../support/keys.ts';
import { loadText } from '../support/load.ts';
import { LOADED_PLAINLY } from '../support/loaded-with.ts';
import { versus } from '../support/versus.ts';

const FOLDER = join(FIXTURES, 'callgrind');
const FILE = existing(join(FOLDER, 'cacheuse.callgrind.out'));
const screen = (p: Player) => toPlainText(drawScreen(p.state));
const rows = (p: Player) =>
  toPlainText(drawPanes(p.state))
    .split('\n')
    .slice(1)
    .filter((row) => row.trim() !== '');
const cursorLine = (p: Player) => rows(p).find((row) => row.startsWith('▶')) ?? '';

async function linesOf(options: { width?: number; height?: number; timeBudgetMs?: number } = {}): Promise<Player> {
  return play(await loadProfile([FILE]), { width: 160, height: 40, ...options }, [FOLDER]).press('lines');
}

test('the hottest lines of the program are those of the file, by any event', async () => {
  const wanted = [...summed(costLines(FILE).lines, (l) => `${l.routine}\n${l.place}\n${l.file}\n${l.line}`).values()];
  const p = await linesOf();
  p.press('g');
  for (const event of ['Ir', 'D1mr']) {
    if (event !== 'Ir') p.act({ type: 'event', name: event }).press('g');
    const shown = rows(p).map((row) => Number(/[\d,]+/.exec(row)?.[0].replaceAll(',', '')));
    assert.ok(shown.length > 20);
    const most = wanted.map((costs) => costs[event]).sort((a, b) => b - a);
    assert.deepEqual(shown, most.slice(0, shown.length), event);
  }
  assert.match(screen(p), new RegExp(`${wanted.length.toLocaleString('en')} lines`));
});

test('Enter and 4 show the source at the line, Backspace the list as it was', async () => {
  for (const key of ['enter', 'source']) {
    const p = await linesOf();
    p.press('/').type('words.cpp:36').press('enter');
    const line = cursorLine(p);
    assert.match(line, / 36 .*hash/);
    p.press(key);
    assert.equal(p.state.view, 'source');
    assert.match(cursorLine(p), / 36 /, key);
    assert.match(toPlainText(drawPanes(p.state)), /src\/words\.cpp/);
    p.press('backspace');
    assert.equal(p.state.view, 'lines');
    assert.equal(cursorLine(p), line);
  }
});

test('the routine under the cursor comes along, also while the lines are summed', async () => {
  for (const timeBudgetMs of [0, Number.POSITIVE_INFINITY]) {
    const p = play(await loadProfile([FILE]), { width: 160, height: 40, timeBudgetMs }, [FOLDER]);
    p.press('/').type('count_primes').press('enter');
    const work = () => {
      while (p.state.unfinished || p.state.seeking) p.act({ type: 'work' });
    };
    work();
    p.press('lines');
    if (timeBudgetMs === 0) {
      assert.match(screen(p), /adding up the lines …/);
      p.press('enter');
      assert.match(p.state.message?.text ?? '', /there is no line here/);
    }
    work();
    assert.match(cursorLine(p), /count_primes/);
  }
});

test('the filter keeps lines of a file, and says so where there are none', async () => {
  const p = await linesOf();
  p.press('&').type('dl-new-hash.h').press('enter');
  const wanted = costLines(FILE).lines.filter(({ file }) => file.endsWith('/dl-new-hash.h'));
  const count = summed(wanted, (l) => `${l.routine}\n${l.place}\n${l.line}`).size;
  assert.match(screen(p), new RegExp(`${count} of [\\d,]+ lines`));
  assert.ok(rows(p).every((row) => /dl-new-hash\.h/.test(row)));
  p.press('&').type('zzzz').press('enter');
  assert.match(screen(p), /no line matches/);
});

test('s sorts by the columns shown; the lines of a file are in their order', async () => {
  const p = await linesOf();
  p.press('g').choose('file', 's');
  assert.match(screen(p), /file▲/);
  const lines = rows(p)
    .map((row) => /([\d?]+) (\S.*?) {2,}(\S+)$/.exec(row))
    .flatMap((m) => (m ? [[m[3], Number(m[1]) || 0] as const] : []));
  for (const [k, [file, line]] of lines.entries())
    if (k > 0 && lines[k - 1][0] === file) assert.ok(line >= lines[k - 1][1], `${file}:${line}`);
  p.choose('self', 's');
  assert.match(screen(p), /▼self/);
});

test('C says the order by cost, and what no flag says', async () => {
  const p = await linesOf();
  const command = () => printCommand(p.state, LOADED_PLAINLY);
  p.act({ type: 'extra-event', name: 'D1mr' });
  assert.match(JSON.stringify(command()), /--print lines --columns D1mr --sort self:desc/);
  p.choose('file', 's');
  assert.match(JSON.stringify(command()), /No flag reproduces this: lines sorted by file/);
});

test('a column of an event that the view does not have says where it is', async () => {
  const p = await linesOf();
  p.press('calls', 'v').type('D1mr').press('space');
  assert.match(p.state.message?.text ?? '', /D1mr has a column in Routines, Source, Instrs, Lines/);
  p.press('esc', 'lines');
  assert.match(screen(p), / D1mr /);
});

test('two runs: what changed most comes first, with both values', async () => {
  // Line 1 went from 130 to 100; 50 on line 2 are new, 70 on line 3 gone.
  const callgrind = loaderNamed('callgrind');
  assert.ok(callgrind);
  const before = await loadText(callgrind, 'events: Ir\nfl=a.c\nfn=f\n1 130\n3 70\n');
  const p = play(await loadText(callgrind, 'events: Ir\nfl=a.c\nfn=f\n1 100\n2 50\n'), {
    width: 100,
    height: 12,
    versus: versus(before),
  });
  p.press('lines', 'g');
  const cells = () => rows(p).map((row) => row.replace('▶', ' ').trim().split(/ +/));
  assert.deepEqual(cells(), [
    ['-70', '-35.00%', '70', '0', 'gone', '3', 'f', 'a.c'],
    ['+50', '+25.00%', '0', '50', 'new', '2', 'f', 'a.c'],
    ['-30', '-15.00%', '-23.08%', '130', '100', '1', 'f', 'a.c'],
  ]);
});

test('from 110 columns on, Lines shows the text of the lines whose source is known', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'proftui-lines-'));
  try {
    writeFileSync(join(dir, 'a.c'), 'int main(void) {\n\treturn\twork();\n}\n');
    const profile = await loadText(callgrind, 'events: Ir\nfl=a.c\nfn=main\n1 5\n2 90\nfl=other.c\nfn=work\n7 3\n');
    const open = (width: number) => play(profile, { width, height: 20 }, [dir]).press('lines');
    const shown = (width: number) =>
      toPlainText(drawScreen(open(width).state))
        .split('\n')
        .slice(2, 6);
    const [heading, first, second, third] = shown(120);
    assert.match(heading, / source *$/);
    assert.match(first, /^▶ +90 .* 2 main .* a\.c +return work\(\); *$/);
    assert.match(second, / 5 .* 1 main .* a\.c +int main\(void\) \{ *$/);
    assert.match(third, / 3 .* 7 work .* other\.c *$/);
    assert.doesNotMatch(shown(109).join('\n'), /source|return work/);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
