// Routines, groups and counts of calls of two runs: what is shown is of the measure, and what changed most comes first.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { drawPanes } from '../../src/app/panes.ts';
import { loadProfile } from '../../src/io/load.ts';
import { type Player, play } from '../support/keys.ts';
import { long } from '../support/long.ts';
import { versus } from '../support/versus.ts';
import { runWarm } from '../support/warm.ts';

const dir = mkdtempSync(join(tmpdir(), 'proftui-compared-'));
after(() => rmSync(dir, { recursive: true }));

interface Costs {
  readonly main: number;
  /** Of a routine each, in files of their own, and how often main calls them. */
  readonly faster: readonly [cost: number, calls: number];
  readonly slower: readonly [cost: number, calls: number];
}

function profile(name: string, { main, faster, slower }: Costs): string {
  const path = join(dir, `${name}.out`);
  const call = (file: string, fn: string, line: number, [cost, calls]: readonly [number, number]) =>
    `cfi=${file}.c\ncfn=${fn}\ncalls=${calls} 1\n${line} ${cost}\n`;
  const body = (file: string, fn: string, [cost]: readonly [number, number]) => `fl=${file}.c\nfn=${fn}\n1 ${cost}\n`;
  writeFileSync(
    path,
    `# callgrind format\ncmd: ./prog\nevents: Ir\n\n${body('faster', 'faster', faster)}${body('slower', 'slower', slower)}` +
      // Two routines in a cycle.
      `fl=ring.c\nfn=ping\n1 ${faster[0]}\ncfn=pong\ncalls=5 2\n1 10\nfn=pong\n2 ${faster[0]}\ncfn=ping\ncalls=4 1\n2 10\n` +
      `fl=main.c\nfn=main\n1 ${main}\n${call('faster', 'faster', 2, faster)}${call('slower', 'slower', 2, slower)}` +
      'cfi=ring.c\ncfn=ping\ncalls=1 1\n3 100\n',
  );
  return path;
}

const OLD = profile('old', { main: 1000, faster: [9000, 700], slower: [500, 20] });
const NOW = profile('now', { main: 1010, faster: [1000, 690], slower: [900, 60] });
const [now, old] = await Promise.all([loadProfile([NOW]), loadProfile([OLD])]);

const open = (options: { width?: number; ascii?: boolean } = {}) =>
  play(now, { width: 130, height: 24, versus: versus(old), ...options });
const body = ({ state }: Player) => toPlainText(drawPanes(state));
/** The lines of the body that begin with the cursor or a cost, from the heading on. */
const rows = (player: Player) => body(player).split('\n').slice(1);
const place = (player: Player, what: string | RegExp) => rows(player).findIndex((line) => line.search(what) >= 0);

test('a group of files or a cycle that became cheaper is above one that became dearer by less', () => {
  const files = open().choose('file');
  assert.match(body(files), /faster\.c \(1\)/);
  const order = ['ring.c', 'faster.c', 'slower.c', 'main.c'].map((name) => place(files, name));
  assert.deepEqual(order, [0, 1, 2, 3], body(files));
  const cycles = open();
  cycles.choose('cycle');
  assert.equal(place(cycles, '<cycle 1>'), 0, body(cycles));
  assert.equal(place(cycles, / slower\b/), 2, body(cycles));
});

long('counts of calls are those of the run that is shown', () => {
  const routines = open();
  assert.match(body(routines), /-10\s.*faster\b/);
  routines.press('V', 'V');
  assert.match(body(routines), /690 faster\b/);
  routines.press('V');
  assert.match(body(routines), /700 faster /);
  const calls = routines.press('/').type('main').press('enter', 'calls');
  assert.match(body(calls), /\b700\s+→ faster/);
  const printed = runWarm(['--print', 'routines', '--base', OLD, NOW, '--measure', 'before']);
  assert.match(printed.out, /\b700\b.*faster/);
  assert.match(runWarm(['--print', 'tree', '--base', OLD, NOW, '--measure', 'before']).out, /\b700\b.*faster/);
  assert.match(runWarm(['--print', 'calls', '--base', OLD, NOW, '--measure', 'before']).out, /\b700\b.*faster/);
  assert.match(
    runWarm(['--print', 'source', '--routine', 'main', '--base', OLD, NOW, '--measure', 'before']).out,
    /faster(?: \(| ×)700/,
  );
});

test('sorted by calls, the largest difference comes first', () => {
  const { out: stdout } = runWarm(['--print', 'routines', '--base', OLD, NOW, '--sort', 'calls']);
  assert.ok(stdout.indexOf('slower') < stdout.indexOf('faster'), stdout);
  const calls = runWarm(['--print', 'calls', '--base', OLD, NOW, '--sort', 'count']).out;
  assert.ok(calls.indexOf('slower') < calls.indexOf('faster'), calls);
});

test('a share of the total says nothing beside a share of what it was: there is no empty column', () => {
  const routines = open().press('V');
  assert.doesNotMatch(body(routines).split('\n')[0], / % /);
  assert.match(body(routines).split('\n')[0], /Δ% self/);
});

test('headings of a narrow screen are whole where there is room', () => {
  const routines = open({ width: 40 }).press('V');
  assert.match(body(routines).split('\n')[0], /Δ% self/);
});

test('in ASCII the key that goes through the measures has a name of letters', () => {
  const screen = toPlainText(drawScreen(open({ ascii: true }).state));
  assert.match(screen, /V d\/%\/now/);
});

test('in ASCII no heading of a printed comparison has another sign', () => {
  const { out } = runWarm(['--print', 'changes', '--ascii', '--base', OLD, NOW]);
  assert.match(out, /d calls/);
  assert.doesNotMatch(out, /[^\n\x20-\x7e]/);
});
