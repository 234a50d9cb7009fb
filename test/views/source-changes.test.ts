// Source of two runs: which lines are new, gone or elsewhere, in text, as data and on the screen.
import assert from 'node:assert/strict';
import test from 'node:test';
import { withSourceTexts } from '../../src/analysis/answers/analyse.ts';
import { eventInMeasure } from '../../src/analysis/answers/compared/measure.ts';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { baseFileName, textsOfBothRuns } from '../../src/analysis/profiles/compare/texts.ts';
import { toPlainText } from '../../src/app/draw.ts';
import { drawPanes } from '../../src/app/panes.ts';
import { applyAnswer } from '../../src/app/update.ts';
import type { SourceText } from '../../src/base/source-text.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { source } from '../../src/reports/source.ts';
import { type Player, play } from '../support/keys.ts';
import { loadText } from '../support/load.ts';
import { contextOf } from '../support/reports.ts';
import { PLAINLY, versus } from '../support/versus.ts';

const filler = (n: number) => Array.from({ length: n }, (_, i) => `// line ${i}`);
const OLD = ['int main() {', '  print();', '  // The order.', '  std::sort(v);', '}', ...filler(60), '// an old remark'];
const NEW = [
  'int main() {',
  '  for (;;)',
  '    swap();',
  '  // The order.',
  '}',
  ...filler(30),
  '// a new remark',
  ...filler(60).slice(30),
  '  print();',
];
const NAMES = { old: '/p/v1/main.cpp', now: '/p/v2/main.cpp' };
const textOf = (path: string, lines: readonly string[]): SourceText => ({ path, lines: [...lines], newer: false });

/** main calls print and std::sort in the base; print from another line, and swap, now. */
const before = await loadText(
  callgrind,
  `events: Ir\nfl=${NAMES.old}\nfn=main\n1 4\n2 1\ncfn=print\ncalls=1 1\n2 70\n4 10\ncfn=std::sort\ncalls=1 1\n4 2293\nfn=print\n1 70\nfn=std::sort\n1 2293\n`,
);
const now = await loadText(
  callgrind,
  `events: Ir\nfl=${NAMES.now}\nfn=main\n1 4\n2 900\n3 300\n67 1\ncfn=print\ncalls=1 1\n67 70\nfn=print\n1 70\n`,
);

function context(withText: boolean) {
  const plain = contextOf(compareProfiles(now, before, PLAINLY));
  const [ours, theirs] = withText ? [textOf(NAMES.now, NEW), textOf(NAMES.old, OLD)] : ['none', 'none'];
  const analysis = withSourceTexts(
    plain.analysis,
    textsOfBothRuns(
      plain.analysis,
      () => ours,
      () => theirs,
      true,
    ),
  );
  const main = [...analysis.profile.routines.name.keys()][0];
  return {
    ...plain,
    analysis,
    event: eventInMeasure(analysis, plain.event, 'delta'),
    routine: main,
    source: () => ours,
    baseSource: (file: number) => (baseFileName(analysis, file) === null ? undefined : theirs),
    limit: Number.POSITIVE_INFINITY,
  };
}

async function written(
  form: 'text' | 'jsonl' | 'csv',
  of: ReturnType<typeof context> | ReturnType<typeof contextOf>,
): Promise<string> {
  let all = '';
  await source.write(form, of, '0', async (text) => {
    all += text;
  });
  return all;
}

interface Line {
  readonly line: number;
  readonly text: string;
  readonly change?: string | null;
  readonly state?: string;
  readonly base?: {
    readonly self: { readonly Ir: number };
    readonly calls: readonly { readonly callee: { readonly routine: string }; readonly inclusive: { readonly Ir: number } }[];
  } | null;
}
const rowsOf = (text: string): Line[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('data say which lines are new, gone or moved; one that is gone has its calls in the base', async () => {
  const rows = rowsOf(await written('jsonl', context(true)));
  const of = (change: string | null) => rows.filter((r) => r.change === change).map(({ line, text }) => `${line} ${text.trim()}`);
  assert.deepEqual(of('gone'), ['4 std::sort(v);', '66 // an old remark']);
  assert.deepEqual(of('new'), ['2 for (;;)', '3 swap();', '36 // a new remark']);
  // In both places, of which the old one had a cost.
  assert.deepEqual(of('moved'), ['2 print();', '67 print();']);
  const sort = rows.find((r) => r.text.includes('sort'));
  assert.equal(sort?.base?.self.Ir, 10);
  assert.deepEqual(
    sort?.base?.calls.map(({ callee, inclusive }) => [callee.routine, inclusive.Ir]),
    [['std::sort', 2293]],
  );
  assert.deepEqual(
    rows.filter((r) => r.change === 'new').map((r) => [r.state, r.base]),
    Array(3).fill(['new', null]),
  );
});

test('text has a mark for them, whether they cost anything or not', async () => {
  const lines = (await written('text', context(true))).split('\n');
  const at = (pattern: RegExp) => lines.findIndex((line) => pattern.test(line));
  assert.ok(at(/ -4 - {3}std::sort\(v\);$/) > 0, lines.join('\n'));
  assert.match(lines[at(/ -4 - /) + 1], /-2,293 .*=> std::sort/);
  for (const pattern of [
    / 2 \+ {3}for/,
    / 36 \+ \/\/ a new remark$/,
    / -66 - \/\/ an old remark$/,
    / -2 > {3}print/,
    / 67 > {3}print/,
    / 1 {3}int main/,
  ])
    assert.ok(at(pattern) > 0, `${pattern} in\n${lines.join('\n')}`);
});

test('without the texts nothing is guessed, and a run alone has no such column', async () => {
  const rows = rowsOf(await written('jsonl', context(false)));
  assert.ok(rows.length > 3 && rows.every((r) => r.change === null));
  assert.doesNotMatch(await written('text', context(false)), / [+>] /);
  const alone = { ...contextOf(now), source: () => textOf(NAMES.now, NEW) };
  assert.ok(rowsOf(await written('jsonl', alone)).every((r) => !('change' in r)));
  assert.doesNotMatch((await written('csv', alone)).split('\n')[0], /change/);
  assert.match((await written('csv', context(true))).split('\n')[0], /,change,/);
});

test('on the screen, new and removed lines are in no fold', () => {
  const p: Player = play(now, { width: 100, height: 60, versus: versus(before, {}) });
  p.press('/').type('main').press('enter', 'enter', 'source');
  for (const [file, lines, base] of [
    [NAMES.now, NEW, false],
    [NAMES.old, OLD, true],
  ] as const)
    p.state = applyAnswer(p.state, { type: 'source-read', file, text: textOf(file, lines), base })[0];
  const shown = toPlainText(drawPanes(p.state));
  for (const pattern of [
    /⋯ \d+ lines without cost/,
    / 2 \+ {3}for/,
    / 36 \+ \/\/ a new remark/,
    / -66 - \/\/ an old remark/,
    / -4 - {3}std::sort\(v\);\s*\n.*-2,293 .*⇒ std::sort/,
    / 67 > {3}print/,
  ])
    assert.match(shown, pattern);
});

test('a fall in headers leads to the row of the other files, not to the own line that rose', async () => {
  const run = (own: number, header: number) =>
    loadText(
      callgrind,
      `events: Ir\nfl=/p/main.cpp\nfn=main\n1 4\ncfn=work\ncalls=3 2\n1 ${own + header}\nfn=work\n3 ${own}\nfi=/usr/include/c++/12/bits/stl_algo.h\n5 ${header}\nfe=/p/main.cpp\n4 1\n`,
    );
  const p = play(compareProfiles(await run(400, 6000), await run(100, 10_000), PLAINLY), {
    ...{ width: 100, height: 24, view: 'findings' },
  });
  const lines = () => drawPanes(p.state).map((line) => toPlainText([line]));
  assert.match(lines()[0], /^▶.*self cost of work fell/);
  p.press('enter');
  assert.equal(p.state.view, 'source');
  assert.match(lines().find((line) => line.startsWith('▶')) ?? '', /▸ -4,000 in 1 header/, lines().join('\n'));
});
