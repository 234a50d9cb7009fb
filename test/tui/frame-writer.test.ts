// The writer against a real terminal emulator: after any sequence of frames the screen holds the last one.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { drawScreen } from '../../src/app/draw.ts';
import { loadProfile } from '../../src/io/load.ts';
import { parseCells } from '../../src/tui/cells.ts';
import { FrameWriter } from '../../src/tui/frame-writer.ts';
import { styledLine } from '../../src/tui/theme.ts';
import { cellsOf, openEmulator, write } from '../support/emulator.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';

const styled = fc
  .tuple(
    fc.constantFrom('', '1', '2', '7', '36', '1;31', '7;33', '1;4', '30;42', '38;5;16;48;5;180', '7;1;38;5;16;48;5;180'),
    fc.string({ unit: fc.constantFrom('a', 'b', ' ', ' ', 'x', '日', 'é', 'e\u0301', '…', '█', '▶', '0', '9'), maxLength: 12 }),
  )
  .map(([code, text]) => (code === '' ? text : `\u001b[${code}m${text}\u001b[0m`));
const line = fc.array(styled, { maxLength: 5 }).map((parts) => parts.join(''));

test('any frames leave the screen as a full repaint would', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 4, max: 40 }),
      fc.integer({ min: 1, max: 14 }),
      fc.array(
        fc.oneof(fc.record({ lines: fc.array(line, { maxLength: 16 }) }), fc.record({ scroll: fc.integer({ min: -5, max: 5 }) })),
        { minLength: 1, maxLength: 8 },
      ),
      async (cols, rows, steps) => {
        const terminal = openEmulator(cols, rows);
        const writer = new FrameWriter();
        await write(terminal, '\u001b[?7l');
        let lines: string[] = [];
        for (const step of steps) {
          if ('lines' in step) lines = step.lines;
          else
            lines =
              step.scroll > 0
                ? [...lines.slice(step.scroll), 'new']
                : ['new', ...lines.slice(0, Math.max(1, lines.length + step.scroll))];
          await write(terminal, writer.renderFrame(lines, cols, rows));
        }
        const fresh = openEmulator(cols, rows);
        await write(fresh, '\u001b[?7l' + new FrameWriter().renderFrame(lines, cols, rows));
        assert.deepEqual(cellsOf(terminal), cellsOf(fresh));
      },
    ),
    { numRuns: 150 },
  );
});

test('the same frame again writes nothing', () => {
  const writer = new FrameWriter();
  assert.notEqual(writer.renderFrame(['a', 'b'], 10, 2), '');
  assert.equal(writer.renderFrame(['a', 'b'], 10, 2), '');
  writer.invalidate();
  assert.notEqual(writer.renderFrame(['a', 'b'], 10, 2), '');
});

test("the terminal's cursor is shown where the selection begins, in a prompt at its end, and hidden without one", async () => {
  const terminal = openEmulator(20, 8);
  const writer = new FrameWriter();
  const at = async (...lines: string[]) => {
    const out = writer.renderFrame(lines, 20, 8);
    await write(terminal, out);
    const { cursorX, cursorY } = terminal.buffer.active;
    return [cursorX, cursorY, out.includes('\u001b[?25h'), out.includes('\u001b[?25l')];
  };
  const title = '\u001b[7mtitle\u001b[0m';
  const row = '\u001b[7m▶ two  2\u001b[0m';
  assert.deepEqual(await at(title, 'one', row, 'three'), [0, 2, true, false]);
  assert.deepEqual(await at(title, 'one', 'two', row), [0, 3, false, false]);
  // A frame: filled, bold, behind others.
  assert.deepEqual(await at(title, 'one', 'ab\u001b[7;1;38;5;16;48;5;208mframe\u001b[0m'), [2, 2, false, false]);
  // A finding of three lines, the first of which says most.
  assert.deepEqual(await at(title, 'one', row, row, row), [0, 2, false, false]);
  assert.deepEqual(await at(title, 'one', row, 'three', '/ab\u001b[7m \u001b[0m'), [3, 4, false, false]);
  assert.deepEqual((await at(title, 'one')).slice(2), [false, true]);
  assert.equal(writer.renderFrame([title, 'one'], 20, 8), '');
  assert.deepEqual(await at(title, row), [0, 1, true, false]);
  assert.equal(writer.renderFrame([title, row], 20, 8), '');
});

test('a list that scrolls by a line costs a scroll region and the new line', () => {
  const writer = new FrameWriter();
  const rows = (from: number) => [
    'title',
    ...Array.from({ length: 50 }, (_, i) => `row ${from + i} ${'x'.repeat(150)}`),
    'footer',
  ];
  writer.renderFrame(rows(0), 200, 52);
  const out = writer.renderFrame(rows(1), 200, 52);
  assert.ok(out.length < 250, `${out.length} bytes`);
  assert.doesNotMatch(out, /\u001b\[2J/);
});

test('cells have canonical styles', () => {
  const cells = parseCells('\u001b[1m\u001b[31mab\u001b[22mc\u001b[39md\u001b[7m日\u001b[27m', 8);
  assert.deepEqual(
    cells.map((c) => [c.text, c.style]),
    [
      ['a', '1;31'],
      ['b', '1;31'],
      ['c', '31'],
      ['d', ''],
      ['日', '7'],
      ['', '7'],
      [' ', ''],
      [' ', ''],
    ],
  );
  assert.equal(
    parseCells('\u001b]0;title\u0007x\u001b[2Jy', 2)
      .map((c) => c.text)
      .join(''),
    'xy',
  );
});

for (const path of ['callgrind/default.callgrind.out', 'cachegrind/demo.cachegrind.out.gz', 'pprof/cpu.pb.gz'])
  test(`${path}: a page of a table writes at most 12 KB, a move 1 KB, the pane beside it included`, async () => {
    const p = play(await loadProfile([join(FIXTURES, path)]), { width: 200, height: 60 });
    const writer = new FrameWriter();
    const bytes = (key: string) => {
      const lines = drawScreen(p.press(key).state).map((line) => styledLine(line, { palette: 'dark' }));
      return Buffer.byteLength(writer.renderFrame(lines, 200, 60));
    };
    for (const view of ['routines', 'lines']) {
      bytes(view);
      for (const key of [' ', ' ', 'b', 'G', 'g']) assert.ok(bytes(key) <= 12_288, `${view} ${key}`);
      for (const key of ['j', 'k', 'j', 'j']) assert.ok(bytes(key) <= 1024, `${view} ${key}`);
    }
  });
