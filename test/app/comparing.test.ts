// Two runs on the screen: what is shown of them, how a base is chosen, and what is guessed.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { applyAnswer } from '../../src/app/update.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';
import { loadText } from '../support/load.ts';
import { versus } from '../support/versus.ts';

const shop = (version: string) => loadProfile([join(FIXTURES, `compare/${version}/shop.callgrind.out.gz`)]);
const [before, now] = [await shop('v1'), await shop('v2')];
const size = { width: 140, height: 24 };
const both = (more: object = {}) => play(now, { ...size, versus: versus(before), ...more });
/** Both runs, with a row in each for routines that were only renamed. */
const apart = () => play(now, { ...size, versus: versus(before, { noRenames: true }) });
const shown = (p: { readonly state: Parameters<typeof drawScreen>[0] }) => toPlainText(drawScreen(p.state));
/** Rows of the view, without blanks at their ends. */
const rowOf = (text: string, name: string) =>
  text.split('\n').find((line) => line.includes(name)) ?? assert.fail(`${name} in\n${text}`);

test('the title has the total before and now; rows have the difference, what it is of, and new and gone', () => {
  const text = shown(apart());
  // By callgrind_annotate: 12,756,765 and 12,723,897 with the two instructions of the summary that no line has.
  assert.match(text, /Ir 12,756,763 → 12,723,895 -0\.26%/);
  // Self costs by callgrind_annotate: stem 703,679, normalize 707,049, Index::add 2,058,982 and 1,774,181.
  assert.match(rowOf(text, 'stem('), /\+703,679 .* 0 +703,679 new\? +\+1,390,077/);
  assert.match(rowOf(text, 'normalize'), /-707,049 .* 707,049 +0 gone/);
  assert.match(rowOf(text, 'Index::add'), /-284,801 +-2\.23% .* -13\.83% +2,058,982 +1,774,181 /);
});

test('V goes through the difference, its share, this run and the base, in every view', () => {
  const p = both();
  assert.match(shown(p), /▼Δ self/);
  p.press('V');
  assert.match(shown(p), /▼Δ% self[\s\S]*-13\.83%/);
  p.press('V');
  assert.match(shown(p), /▼self[\s\S]*\(now\)|\(now\)[\s\S]*▼self/);
  assert.match(rowOf(shown(p), 'Index::add'), /1,774,181/);
  p.press('V');
  assert.match(shown(p), /\(before\)/);
  assert.match(rowOf(shown(p), 'Index::add'), /2,058,982/);
  p.press('V');
  assert.match(shown(p), /▼Δ self/);
  for (const view of ['calls', 'tree', 'source', 'instrs']) {
    p.press(view);
    assert.match(shown(p), /Δ (self|incl)/, view);
  }
  const alone = play(now, size);
  alone.press('V');
  assert.match(shown(alone), /nothing is compared; B chooses what to compare with/);
});

test('o takes stem for normalize, as guessed: the same numbers, one row', () => {
  const p = apart();
  p.press('g');
  assert.match(shown(p), /Renamed to stem\b[^?]*\?\s+o accepts: [\s\S]*same callers and callees/);
  p.choose('accept the suggested rename');
  const text = shown(p);
  assert.match(text, /normalize.* is stem.* now/);
  // 703,679 - 707,049.
  assert.match(rowOf(text, ' stem'), /-3,370 .* 707,049 +703,679 name/);
  p.press(':').type('accept').press('enter');
  assert.match(shown(p), /both runs have this routine/);
});

test('a rename beyond doubt is applied, told, and undone by o', () => {
  const p = both();
  // 703,679 - 707,049, as callgrind_annotate has them of stem and normalize.
  assert.match(rowOf(shown(p), ' stem'), /-3,370 .* 707,049 +703,679 name/);
  const { compared } = p.state.analysis.profile;
  assert.equal(compared?.appliedRenames?.length, 1);
  assert.match(compared.appliedRenames[0], /^normalize → stem \(same callers and callees, inclusive cost -0\.46%\)$/);
  for (p.press('overview'); p.state.unfinished; ) p.act({ type: 'work' });
  assert.match(shown(p), /1 rename applied[\s\S]* = normalize → stem \(same callers/);
  p.press('routines', 'g').choose('apply sure renames, or keep a row in each run');
  assert.match(rowOf(shown(p), 'stem('), /\+703,679 .* 0 +703,679 new/);
  p.choose('apply sure renames, or keep a row in each run');
  assert.match(shown(p), /renamed: normalize/);
  assert.match(rowOf(shown(p), ' stem'), /-3,370/);
});

test('B: the run before a reload, nothing, and what is not there', async () => {
  const p = play(now, size);
  const [state] = applyAnswer(p.state, {
    type: 'loaded',
    profile: before,
    derive: [],
    siblings: [],
    why: 'reloaded',
    again: true,
  });
  assert.match(toPlainText(drawScreen(state)), /reloaded; B compares with the previous load/);
  const q = play(now, size);
  q.state = state;
  q.press('B');
  q.press('enter');
  assert.match(shown(q), /Ir 12,723,895 → 12,756,763 \+0\.26%/);
  q.press('B');
  q.press('down', 'enter');
  assert.match(shown(q), /Comparison off/);
  assert.doesNotMatch(shown(q), /→ 12/);
});

test('what can no longer be compared is said, and the profile is shown alone', async () => {
  const other: Profile = await loadText(callgrind, 'events: Other\nfl=a.c\nfn=f\n1 1\n');
  const [state] = applyAnswer(both().state, {
    type: 'loaded',
    profile: other,
    derive: [],
    siblings: [],
    why: 'reloaded',
    again: true,
  });
  assert.equal(state.analysis.before, undefined);
  assert.match(toPlainText(drawScreen(state)), /Comparison off: .*expected an event that this run has/);
});

test('a guess that was accepted and no longer fits is dropped by a reload', () => {
  const p = apart();
  p.press('g').choose('accept the suggested rename');
  assert.equal(p.state.versus?.options.renames.length, 1);
  const [state] = applyAnswer(p.state, {
    type: 'loaded',
    profile: before,
    derive: [],
    siblings: [],
    why: 'reloaded',
    again: true,
  });
  assert.equal(state.versus?.options.renames.length, 0);
  assert.match(toPlainText(drawScreen(state)), /Ir 12,756,763 → 12,756,763 0\.00%/);
});

test('Instrs: the cursor stays at its instruction when texts say that it is none of the base', async () => {
  const HEAD = 'positions: instr line\nevents: Ir\nob=x\nfl=a.c\nfn=main\n';
  // Of different lengths, so that addresses say nothing.
  const run = await loadText(callgrind, `${HEAD}0x10 1 1\n0x13 2 1\n0x15 3 1\n0x1a 4 9\n`);
  const base = await loadText(callgrind, `${HEAD}0x80 1 1\n0x82 2 1\n0x86 3 1\n0x87 4 5\n`);
  const p = play(run, { ...size, versus: versus(base) });
  p.press('/').type('main').press('enter', 'enter', 'instrs', 'x');
  const cursor = () => shown(p).match(/▶ *((?:- )?\S+)/)?.[1];
  assert.equal(cursor(), '0x1a');
  assert.doesNotMatch(shown(p), /- 0x8/);
  const read = (lines: readonly string[], old: boolean) => {
    [p.state] = applyAnswer(p.state, { type: 'source-read', file: 'a.c', text: { path: 'a.c', lines, newer: false }, base: old });
  };
  read(['a', 'b', 'c', 'd'], false);
  read(['p', 'q', 'r', 's'], true);
  assert.equal(cursor(), '0x1a');
  assert.match(shown(p), /- 0x87 +-5/);
  p.press('g');
  assert.equal(cursor(), '- 0x80');
});

test('Source opens at the line that grew most with its calls, whichever text of the two runs arrives first', async () => {
  const program = (lines: string, called: number) =>
    loadText(callgrind, `events: Ir\nfl=/home/u/a.c\nfn=work\n${lines}fn=lib\n1 ${called}\n`);
  const call = (line: number, cost: number) => `cfn=lib\ncalls=1 1\n${line} ${cost}\n`;
  // Two lines are inserted; one with 2,000 of self cost becomes one that calls 3,000.
  const oldText = ['int work() {', '  slow();', '  same();', '}'];
  const newText = ['// a', '// b', 'int work() {', '  fresh();', '  same();', '}'];
  const old = await program(`2 2000\n3 50\n${call(3, 100)}`, 100);
  const grown = await program(`4 10\n${call(4, 3000)}5 50\n${call(5, 100)}`, 3100);
  const path = '/home/u/a.c';
  const text = (lines: string[]) => ({ path, lines, newer: false });
  const answers = [
    { type: 'source-read', file: path, text: text(newText) },
    { type: 'source-read', base: true, file: path, text: text(oldText) },
  ] as const;
  for (const order of [answers, [...answers].reverse()]) {
    const p = play(grown, { ...size, versus: versus(old) });
    p.act({ type: 'show', view: 'source', routine: 0 });
    for (const answer of order) [p.state] = applyAnswer(p.state, answer);
    assert.match(rowOf(shown(p), '▶'), /\+1,010 .* 4 ~ +fresh\(\);/);
    // A line that the user chose keeps the cursor.
    const q = play(grown, { ...size, versus: versus(old) });
    q.act({ type: 'show', view: 'source', routine: 0 }).press('j', 'j');
    const chosen = rowOf(shown(q), '▶');
    for (const answer of order) [q.state] = applyAnswer(q.state, answer);
    assert.equal(/ (\d+) /.exec(rowOf(shown(q), '▶').slice(40))?.[1], / (\d+) /.exec(chosen.slice(40))?.[1], chosen);
  }
});

test('Overview sums costs of own code, but no ratios', () => {
  const own = /Own code that costs more/;
  const open = (more: object) => both({ view: 'overview', ...more });
  assert.match(shown(open({})), own);
  const p = open({});
  p.press('V');
  assert.match(shown(p), /Ir: the change in percent/);
  assert.match(shown(p), own);
  assert.doesNotMatch(shown(open({ derive: ['rate=D1mr/Dr'], event: 'rate' })), own);
});

test('a routine that was probably renamed is not the one that costs more: before, it cost what its old name did', async () => {
  const [now, before] = await Promise.all(
    ['v2', 'v1'].map((run) => loadProfile([join(FIXTURES, 'compare', run, 'shop.folded.gz')])),
  );
  const p = play(now, { ...size, view: 'overview', versus: versus(before) });
  for (let turns = 0; p.state.unfinished && turns < 1e4; turns++) p.act({ type: 'work' });
  const screen = shown(p);
  const more = screen.slice(screen.indexOf('Own code that costs more'));
  // stem is what normalize was.
  assert.doesNotMatch(more, /\bstem\b/);
  assert.doesNotMatch(more, /cost less: .*normalize/);
  assert.match(more, /own routines cost less/);
  const routines = shown(p.press('routines'));
  assert.match(routines, /30 +0 gone\? +-215 .*normalize/);
  assert.match(routines, /0 +25 new\? +\+209 .*stem/);
  assert.match(routines, /53 +0 gone +-53 .*std::__find_if/);
  // What really is new stays, with what it calls of libm: of 1,512 samples, the innermost own frame of 49 is weight.
  assert.match(more, /\+3\.01% +\+49 .* 0 +49 .*weight/);
  // split, with the library code it calls, went from 319 samples to 310.
  assert.doesNotMatch(more, /\+\d.*split/);
});
