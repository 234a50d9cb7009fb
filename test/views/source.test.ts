// Source on the screen: which file and line it opens, and where its keys go.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { drawPanes } from '../../src/app/panes.ts';
import { loaderNamed, loadProfile } from '../../src/io/load.ts';
import { existing, FIXTURES } from '../support/fixtures.ts';
import { type Player, play } from '../support/keys.ts';
import { loadText } from '../support/load.ts';

const FOLDER = join(FIXTURES, 'callgrind');
const body = (p: Player) => toPlainText(drawPanes(p.state)).split('\n');
const whole = (p: Player) => toPlainText(drawScreen(p.state));
const cursorLine = (p: Player) => body(p).find((l) => l.startsWith('▶')) ?? '';

async function sourceOf(file: string, routine: string, width = 100): Promise<Player> {
  const player = play(await loadProfile([existing(join(FOLDER, file))]), { width, height: 24 }, [FOLDER]);
  return player.press('/').type(routine).press('enter', 'enter', 'source');
}

test('Source opens an own file before headers that cost more', async () => {
  const p = await sourceOf('cache-branch.callgrind.out', 'run_words');
  assert.match(body(p)[0], /src\/words\.cpp/);
  assert.match(whole(p), /file 1 of \d+/);
});

test('] goes through the hot lines of all files of the routine, and starts again', async () => {
  const p = await sourceOf('cache-branch.callgrind.out', 'run_words');
  const titles = new Set<string>();
  const ranks = new Map<string, number>();
  const [costs, others]: number[][] = [[], []];
  p.press(':').type('hottest line').press('enter');
  for (let k = 0; k < 400 && !/again from the first/.test(whole(p)); k++) {
    titles.add(body(p)[0].trim());
    const file = body(p)[0].trim().split(' ').at(-1) ?? '';
    ranks.set(file, (ranks.get(file) ?? 0) + 1);
    assert.match(
      whole(p),
      k === 0 ? /this is the hottest line/ : new RegExp(`hot line ${ranks.get(file)} of \\d+ in this file, \\d+ in all: `),
    );
    (/words\.cpp/.test(body(p)[0]) ? costs : others).push(
      Number(/([\d,]+) +<?[\d.]+%/.exec(cursorLine(p))?.[1].replaceAll(',', '') ?? 0),
    );
    p.press(']');
  }
  assert.ok(titles.size >= 3, 'more than one file');
  for (const each of [costs, others])
    assert.deepEqual(
      each,
      [...each].sort((a, b) => b - a),
      'the costliest with their calls first, those of the own file before others',
    );
  assert.match(whole(p), /hot line 1 of \d+ in this file, \d+ in all, again from the first/);
  p.press('[');
  assert.match(whole(p), /again from the last/);
});

test('a driver opens at its costliest call', async () => {
  const p = await sourceOf('instr-jumps.callgrind.out', '/^main$/');
  assert.match(cursorLine(p), /251,582 +71\.44% █ +14 .*run_words/);
});

test('o lists the files of the routine by cost, Enter shows one at its costliest line', async () => {
  const p = await sourceOf('cache-branch.callgrind.out', 'run_words');
  const list = () => p.choose('list the files with code of the routine, with their costs');
  list();
  const rows = body(p).slice(1, 6);
  assert.match(rows[0], /▶ +446 .*src\/words\.cpp/);
  assert.match(rows[1], / 84,074 .*stl_algo\.h/);
  assert.match(body(p)[0], /self.*incl.*file with code of the routine/);
  // Keys that need a line say what to do first.
  p.press(']');
  assert.match(p.state.message?.text ?? '', /choose a file first/);
  p.press('enter');
  assert.match(body(p)[0], /src\/words\.cpp/);
  list();
  list();
  assert.match(body(p)[0], /src\/words\.cpp/, 'again closes the list');
  list().press('esc');
  assert.match(body(p)[0], /src\/words\.cpp/, 'and so does Esc');
});

test('one file: the menu says so', async () => {
  const p = await sourceOf('instr-jumps.callgrind.out', 'count_pr');
  p.choose('list the files with code of the routine, with their costs');
  assert.match(p.state.message?.text ?? '', /only one file/);
});

test('c hides the columns of inclusive cost, then all numbers', async () => {
  const p = await sourceOf('default.callgrind.out', 'run_calc', 80);
  assert.match(body(p)[0], /self +incl +of it +line/);
  p.press('c');
  assert.match(body(p)[0], /self +of it +line/);
  assert.doesNotMatch(body(p)[0], /incl/);
  p.press('c');
  assert.match(body(p)[0], /^ +line src/);
  p.press('c');
  assert.match(body(p)[0], /incl/);
});

test('the cost of a call stands under inclusive, and calls within a cycle are marked', async () => {
  const p = await sourceOf('recs1.callgrind.out', 'parse_term', 100);
  const calls = body(p).filter((l) => l.includes('⇒'));
  assert.ok(calls.length > 0);
  const inclusive = body(p)[0].indexOf('incl');
  for (const line of calls) assert.equal(line.slice(1, inclusive - 6).trim(), '', line);
  assert.ok(calls.some((l) => l.includes('⇒ ↻ demo::parse_factor')));
});

test('no number is cut, however narrow the screen', async () => {
  for (const width of [40, 50, 60, 70, 80, 100]) {
    const p = await sourceOf('default.callgrind.out', 'parse_factor', width);
    for (const press of [...['c', 'c', 'c'].map((key) => () => p.press(key)), () => p.choose('on', 'o', 'whole file')]) {
      for (const line of body(p)) assert.doesNotMatch(line, /\d…|\d,…|…\d+(,\d+)* calls/, line);
      press();
    }
  }
});

test('a folder with sources is added without leaving, and kept', async () => {
  const profile = await loadProfile([existing(join(FOLDER, 'default.callgrind.out'))]);
  const p = play(profile, { width: 100, height: 24 });
  p.press('/').type('skip_spa').press('enter', 'enter', 'source');
  assert.doesNotMatch(body(p).join(), /isspace\(static_cast/);
  const before = cursorLine(p);
  p.press(':').type(`source-dir ${FOLDER}`).press('enter');
  assert.match(p.state.message?.text ?? '', /Also searching sources in /);
  assert.match(cursorLine(p), /isspace\(static_cast/);
  assert.equal(cursorLine(p).slice(0, 34), before.slice(0, 34), 'at the same line');
  assert.deepEqual(p.state.sourceDirs, [FOLDER]);
});

test('keys that lead nowhere say why', async () => {
  const p = await sourceOf('edge/v01-minimal.callgrind.out', 'main');
  p.press(']');
  assert.match(p.state.message?.text ?? '', /no other line costs any/);
});

test('a source outside the profile’s folders is shown from the menu, which says when none is withheld', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-source-'));
  writeFileSync(join(folder, 'x.c'), 'one\ntwo\n');
  const loader = loaderNamed('callgrind');
  assert.ok(loader);
  const profile = await loadText(loader, `events: Ir\nfl=${folder}/x.c\nfn=main\n2 10\n`);
  const p = play(profile, { width: 100, height: 20 });
  const show = () => p.press(':').type('show a source').press('enter');
  show();
  assert.match(toPlainText(drawScreen(p.state)), /No withheld source here/);
  p.press('source');
  assert.match(toPlainText(drawScreen(p.state)), /o shows sources in .*proftui-source-.*, outside this\s+profile's folders/);
  assert.doesNotMatch(toPlainText(drawScreen(p.state)), /2 two/);
  p.choose('show a source outside the folders of the profile');
  assert.match(toPlainText(drawScreen(p.state)), /2 two/);
  assert.match(toPlainText(drawScreen(show().state)), /No withheld source here/);
});

test('a cost at line 4,294,967,295 of a short file is a row, not a listing of four thousand million', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-source-'));
  writeFileSync(join(folder, 'x.c'), 'one\ntwo\n');
  const loader = loaderNamed('callgrind');
  assert.ok(loader);
  const profile = await loadText(loader, 'events: Ir\nfl=x.c\nfn=main\n2 10\n4294967295 5\n');
  const p = play(profile, { width: 100, height: 20 }, [folder]).press('source').choose('off', 'o', 'folded');
  const text = toPlainText(drawScreen(p.state));
  assert.match(text, /10 +66\.\d+% █ +2 two/);
  assert.match(text, /5 +33\.\d+% █ 4294967295/);
});

test('code of the routine in other files has a row behind its last line with cost, with what it costs; Enter lists the files', async () => {
  const p = await sourceOf('instr-jumps.callgrind.out', 'split');
  const lines = body(p);
  const at = lines.findIndex((line) => line.includes('▸'));
  assert.match(lines[at - 1], / 49 \}$/);
  // The inclusive cost of the routine, as callgrind_annotate has it, is that of its lines here and of the headers.
  const here = lines.slice(0, at).reduce((sum, line) => {
    const [, incl] = /^.\s+[\d,]+ +([\d,]+) +<?[\d.]+%.* \d+ /.exec(line) ?? [];
    return sum + Number(incl?.replaceAll(',', '') ?? 0);
  }, 0);
  assert.equal(here, 8 + 31_157 + 8);
  assert.ok(lines[at].includes(`▸ ${(100 * (1 - here / 133_492)).toFixed(2)}% in 8 headers`), lines[at]);
  for (let k = 0; k < 10 && !cursorLine(p).includes('▸'); k++) p.press('down');
  p.press('enter');
  assert.match(whole(p), /sstream/);
});
