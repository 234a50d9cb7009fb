// Instrs on the screen: calls, gaps, source lines, and the place shared with Source.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { findEdge } from '../../src/analysis/answers/callgraph/call-sites.ts';
import { requestCode } from '../../src/analysis/answers/code-wanted.ts';
import { addressOf, listInstrs } from '../../src/analysis/answers/instr-listing.ts';
import { findRoutines, nameInData, routineName } from '../../src/analysis/names/names.ts';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { drawPanes } from '../../src/app/panes.ts';
import { applyAnswer } from '../../src/app/update.ts';
import type { CodeText } from '../../src/base/source-text.ts';
import { loadProfile } from '../../src/io/load.ts';
import { recordedCost } from '../support/claims.ts';
import { existing, FIXTURES, readJson } from '../support/fixtures.ts';
import { type Player, play } from '../support/keys.ts';
import { loadAnalysis } from '../support/load.ts';

const FOLDER = join(FIXTURES, 'callgrind');
const body = (p: Player) => toPlainText(drawPanes(p.state)).split('\n');
const whole = (p: Player) => toPlainText(drawScreen(p.state));
const cursorLine = (p: Player) => body(p).find((l) => l.startsWith('▶')) ?? '';

async function instrsOf(file: string, routine: string, width = 120): Promise<Player> {
  const player = play(await loadProfile([existing(join(FOLDER, file))]), { width, height: 90 }, [FOLDER]);
  return player.press('/').type(routine).press('enter', 'enter', 'instrs');
}

/** A text for the recorded instructions, and for some between them. */
function codeFor(p: Player, between: readonly number[]): CodeText {
  const listing = listInstrs(p.state.analysis, p.state.focus, undefined, true);
  const all = [
    ...Array.from(listing.instrs.low, (_, row) => addressOf(listing, row)),
    ...between.map((a) => `0x${a.toString(16)}`),
  ];
  return {
    instructions: new Map(all.map((a) => [a, `insn ${a}`])),
    bytes: new Map(all.map((a) => [a, '90 cc'])),
    doubt: undefined,
  };
}

function arrives(p: Player, text: CodeText | string): void {
  [p.state] = applyAnswer(p.state, { type: 'disassembled', routine: p.state.focus, text, asked: false });
}

test('calls of every instruction add up to the calls of the ground truth, and inclusive cost to that of the routine', async () => {
  for (const name of ['instr-jumps', 'instr-only', 'real-python']) {
    const a = await loadAnalysis(existing(join(FOLDER, `${name}.callgrind.out`)));
    const truth = readJson<{
      functions: { name: string }[];
      calls: [caller: number, callee: number, count: number, cost: number[]][];
    }>(join(FOLDER, `${name}.truth.json`));
    const add = (map: Map<string, [number, number]>, key: string, count: number, cost: number) => {
      const [n, c] = map.get(key) ?? [0, 0];
      map.set(key, [n + count, c + cost]);
    };
    const theirs = new Map<string, [number, number]>();
    for (const [caller, callee, count, cost] of truth.calls)
      add(theirs, `${truth.functions[caller].name} > ${truth.functions[callee].name}`, count, cost[0]);
    const mine = new Map<string, [number, number]>();
    for (let r = 0; r < a.profile.routines.name.length; r++) {
      const { calls, callsAt, inclusive } = listInstrs(a, r, undefined, true);
      for (const rows of callsAt.values())
        for (const i of rows)
          add(
            mine,
            `${nameInData(a.profile, r)} > ${nameInData(a.profile, calls!.callee[i])}`,
            calls!.count[i],
            recordedCost(a, r, calls!, i, 0),
          );
      // A line of a recursion may be on the stack with another of its routine.
      if (a.totals.cycles.of[r] > 0 || findEdge(a.edges, r, r) >= 0) continue;
      assert.equal(
        inclusive[0].reduce((x, y) => x + y, 0),
        a.totals.inclusive[0][r],
        `${name}: ${routineName(a.profile, r)}`,
      );
    }
    assert.deepEqual(mine, theirs, name);
  }
});

test('call rows have the cost of the callee, and Enter goes there', async () => {
  const p = await instrsOf('instr-jumps.callgrind.out', '/^main$/');
  // The instruction whose call costs most is the hottest.
  const at = body(p).findIndex((l) => l.startsWith('▶'));
  assert.match(body(p)[at], /251,581 +71\.44%.* main\.cpp/);
  assert.match(body(p)[at + 1], / 251,580 .*⇒ demo::run_words\(\) \(1 call\)/);
  p.press('j');
  assert.match(whole(p), /demo::run_words/);
  p.press('enter');
  assert.equal(routineName(p.state.analysis.profile, p.state.focus), 'demo::run_words()');
  assert.equal(p.state.view, 'instrs');
  p.press('backspace');
  assert.equal(routineName(p.state.analysis.profile, p.state.focus), 'main');
});

test('Enter on the instruction itself follows its call, too', async () => {
  const p = await instrsOf('instr-jumps.callgrind.out', '/^main$/');
  p.press('enter');
  assert.equal(routineName(p.state.analysis.profile, p.state.focus), 'demo::run_words()');
});

test('Enter follows a jump; where there is neither call nor jump, it says so', async () => {
  const p = await instrsOf('instr-jumps.callgrind.out', 'count_pr');
  p.press('g', 'enter');
  assert.match(p.state.message?.text ?? '', /No call or local jump/);
  while (!cursorLine(p).includes('→ 0x75b4')) p.press('j');
  p.press('enter');
  assert.match(cursorLine(p), /0x75b4 /);
});

test('the profiled program is known by its command line, arguments or not', async () => {
  const a = await loadAnalysis(existing(join(FOLDER, 'instr-jumps.callgrind.out')));
  assert.equal(a.profile.command, './demo 3');
  const isMain = (name: string) => {
    const wanted = requestCode(a, findRoutines(a.profile, name)[0]);
    return typeof wanted === 'object' ? wanted.isMain : wanted;
  };
  assert.equal(isMain('demo::count_primes'), true);
  assert.equal(isMain('do_lookup_x'), false);
});

test('the text is requested by itself, once for each routine', async () => {
  const p = await instrsOf('instr-jumps.callgrind.out', 'count_pr');
  p.press('j', 'j', 'source', 'instrs');
  assert.equal(p.effects.filter((e) => e === 'disassemble').length, 1);
  arrives(p, 'object /srv/demo/demo not found');
  assert.match(whole(p), /object \/srv\/demo\/demo not found {2}/);
  assert.equal(p.state.message, undefined, 'nobody asked');
});

test('instructions that never ran are a row that opens; one or two are shown', async () => {
  const p = await instrsOf('instr-jumps.callgrind.out', '/^main$/');
  const { instrs } = listInstrs(p.state.analysis, p.state.focus, undefined, true);
  // The branch for an argument that was not given.
  const row = Array.from(instrs.low.keys()).find((i) => i > 0 && instrs.low[i] - instrs.low[i - 1] > 15);
  assert.ok(row !== undefined);
  const from = instrs.low[row - 1];
  const gap = instrs.low[row] - from;
  const bytes = () => body(p).find((l) => l.includes('⋯'));
  p.press('g');
  assert.match(bytes() ?? '', new RegExp(`⋯ ${gap} bytes to the next executed instruction`));
  const never = [5, 6, 7, 8, 9].map((k) => from + k);
  arrives(p, codeFor(p, never));
  assert.match(bytes() ?? '', /⋯ 5 instructions never ran \(Enter opens\)/);
  p.press('/')
    .type(`0x${from.toString(16)}`)
    .press('enter');
  while (!cursorLine(p).includes('⋯')) p.press('j');
  p.press('enter');
  const opened = body(p).filter((l) => /^.\s+0x[0-9a-f]+ +\. .*insn/.test(l));
  assert.deepEqual(
    opened.map((l) => Number(/0x[0-9a-f]+/.exec(l)?.[0])),
    never,
  );
  const short = await instrsOf('instr-jumps.callgrind.out', '/^main$/');
  arrives(short, codeFor(short, never.slice(0, 2)));
  assert.doesNotMatch(body(short).join('\n'), /⋯/);
  assert.equal(body(short.press('g')).filter((l) => / +\. .*insn/.test(l)).length, 2);
});

test('the cursor stays at its instruction when the text arrives', async () => {
  const p = await instrsOf('instr-jumps.callgrind.out', '/^main$/');
  const before = /0x[0-9a-f]+/.exec(cursorLine(p))?.[0];
  const { instrs } = listInstrs(p.state.analysis, p.state.focus, undefined, true);
  arrives(p, codeFor(p, [instrs.low[0] + 1]));
  assert.equal(/0x[0-9a-f]+/.exec(cursorLine(p))?.[0], before);
  assert.match(cursorLine(p), /insn/);
});

test('o shows the source lines between the instructions', async () => {
  const p = await instrsOf('instr-jumps.callgrind.out', 'count_pr');
  const before = cursorLine(p);
  p.choose('on');
  assert.equal(cursorLine(p), before, 'the cursor stays');
  assert.match(body(p).join('\n'), /workers\.cpp:25 +for \(unsigned d = 2; d \* d <= n; \+\+d\)/);
  p.choose('off');
  assert.doesNotMatch(body(p).join('\n'), /workers\.cpp:25/);
});

test('the place follows between Source and Instrs', async () => {
  const p = await instrsOf('instr-jumps.callgrind.out', 'count_pr', 100);
  p.press('source');
  // By one line with cost further: its costliest instruction is where Instrs goes.
  p.press(']');
  const line = /(\d+) [│╭╰ ]/.exec(cursorLine(p).slice(20))?.[1];
  assert.ok(line !== undefined && line !== '25');
  p.press('instrs');
  assert.match(cursorLine(p), new RegExp(` ${line} `));
  p.press('g', 'source');
  assert.match(cursorLine(p), / 23 /, 'the first instruction is of line 23');
  p.press('instrs');
  assert.match(cursorLine(p), /0x758c/, 'and back to that instruction, not to another of its line');
});

test('the costliest instruction first; ] goes on and starts again', async () => {
  const p = await instrsOf('instr-jumps.callgrind.out', 'count_pr');
  const [r] = findRoutines(p.state.analysis.profile, 'demo::count_primes');
  const { instrs } = listInstrs(p.state.analysis, r, undefined, true);
  const costs: number[] = [];
  for (let k = 0; k < instrs.low.length; k++, p.press(']'))
    costs.push(Number(/0x[0-9a-f]+ +([\d,]+)/.exec(cursorLine(p))?.[1].replaceAll(',', '')));
  assert.deepEqual(
    costs,
    [...instrs.costs[0]].sort((x, y) => y - x),
  );
  assert.match(whole(p), /no\. 1 of 36 by cost, again from the first/);
});

test('c makes room for the text', async () => {
  const p = await instrsOf('instr-jumps.callgrind.out', '/^main$/', 80);
  assert.match(body(p)[0], /self .*incl/);
  p.press('c');
  assert.doesNotMatch(body(p)[0], /incl/);
  p.press('c');
  assert.doesNotMatch(body(p)[0], /self/);
});
