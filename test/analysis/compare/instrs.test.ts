// Instructions of two runs: which are the same, against objdump's text of both binaries and a slow search for the longest common text.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../../src/analysis/answers/analysis.ts';
import { requestCode } from '../../../src/analysis/answers/code-wanted.ts';
import { pairInstrs } from '../../../src/analysis/answers/compared/instr-pairs.ts';
import { eventInMeasure } from '../../../src/analysis/answers/compared/measure.ts';
import type { MergedInstrs } from '../../../src/analysis/answers/costing.ts';
import { addressOf, listInstrs, rowOfJumpAddress } from '../../../src/analysis/answers/instr-listing.ts';
import { findRoutines, routineName } from '../../../src/analysis/names/names.ts';
import { compareProfiles } from '../../../src/analysis/profiles/compare/compare.ts';
import type { CodeText } from '../../../src/base/source-text.ts';
import { instrRow, instrTable, instructionText, jumpsAt } from '../../../src/columns/instrs.ts';
import { callgrind } from '../../../src/formats/callgrind/index.ts';
import { loadProfile } from '../../../src/io/load.ts';
import { exactValue } from '../../../src/model/head.ts';
import type { Profile } from '../../../src/model/profile.ts';
import { existing, FIXTURES, readMaybeGz } from '../../support/fixtures.ts';
import { loadText } from '../../support/load.ts';
import { long } from '../../support/long.ts';
import { contextOf } from '../../support/reports.ts';
import { PLAINLY } from '../../support/versus.ts';

const FOLDER = join(FIXTURES, 'compare');
const shop = (version: string) => loadProfile([existing(join(FOLDER, version, 'shop.callgrind.out'))]);
const [v1, v2] = await Promise.all([shop('v1'), shop('v2')]);

function compared(now: Profile, before: Profile): Analysis {
  const profile = compareProfiles(now, before, PLAINLY);
  return analyse(profile, profile.events);
}

/** Addresses and texts by objdump. */
function codeOf(version: string): ReadonlyMap<string, string> {
  const text = readMaybeGz(join(FOLDER, version, 'code.txt')).toString('utf8');
  return new Map(
    [...text.matchAll(/^ +([0-9a-f]+):\t(.*)$/gm)].map(([, at, code]) => [`0x${at}`, code.replace(/\s+/g, ' ').trim()]),
  );
}

/** The text without addresses of other code and of data, which move. */
const bare = (text: string): string =>
  text
    .replace(/ *#.*/, '')
    .replace(/0x[0-9a-f]+\(%rip\)/, '(%rip)')
    .replace(/\b[0-9a-f]+ </, '<')
    .replace(/\+0x[0-9a-f]+>/, '>');

const hex = (high: ArrayLike<number> | undefined, low: ArrayLike<number> | undefined, row: number): string =>
  `0x${((BigInt(high?.[row] ?? 0) << 32n) + BigInt(low?.[row] ?? 0)).toString(16)}`;

const routineOf = (analysis: Analysis, name: string): number => findRoutines(analysis.profile, name)[0];

/** How many elements two lists have together in the same order, by the whole table. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let above = new Uint32Array(b.length + 1);
  for (const x of a) {
    const row = new Uint32Array(b.length + 1);
    b.forEach((y, j) => {
      row[j + 1] = x === y ? above[j] + 1 : Math.max(above[j + 1], row[j]);
    });
    above = row;
  }
  return above[b.length];
}

test('a run against itself: every instruction is its own pair, and no cost differs', () => {
  for (const run of [v1, v2]) {
    const analysis = compared(run, run);
    let rows = 0;
    for (const r of analysis.totals.calls.keys()) {
      const { high, low, highBefore, lowBefore, sides, costs } = analysis.costing.instrs(r);
      assert.deepEqual([highBefore, lowBefore], [high, low]);
      assert.ok(sides?.every((side) => side === 3));
      for (const event of analysis.events)
        for (const at of low.keys()) assert.equal(exactValue(eventInMeasure(analysis, event, 'delta'), costs, at), 0);
      rows += low.length;
    }
    assert.ok(rows > 10_000);
  }
});

test('the differences of the rows of a routine add up to that of its self cost, and each run keeps its rows in its order', () => {
  for (const [now, before] of [
    [v2, v1],
    [v1, v2],
  ]) {
    const analysis = compared(now, before);
    let sums = 0;
    for (const r of analysis.totals.calls.keys()) {
      const { low, high, lowBefore, highBefore, sides, costs } = analysis.costing.instrs(r);
      for (const event of analysis.events) {
        const delta = eventInMeasure(analysis, event, 'delta');
        let sum = 0;
        for (const at of low.keys()) sum += Number(exactValue(delta, costs, at));
        assert.equal(
          sum,
          Number(exactValue(delta, analysis.totals.self, r)),
          `${routineName(analysis.profile, r)}: ${event.name}`,
        );
        sums++;
      }
      const rowsOf = (side: number, h: typeof high | undefined, l: typeof low | undefined) =>
        [...low.keys()].flatMap((at) => ((sides?.[at] ?? 0) & side ? [BigInt(hex(h, l, at))] : []));
      for (const addresses of [rowsOf(1, high, low), rowsOf(2, highBefore, lowBefore)])
        addresses.forEach((address, i) => {
          assert.ok(i === 0 || address > addresses[i - 1]);
        });
    }
    assert.ok(sums > 3000, `${sums} sums`);
  }
});

test('pairs have the same text, by objdump of both binaries', () => {
  const analysis = compared(v2, v1);
  const [now, before] = [codeOf('v2'), codeOf('v1')];
  const figures = ['Index::add', 'main'].map((name) => {
    const { high, low, highBefore, lowBefore, sides } = analysis.costing.instrs(routineOf(analysis, name));
    const [ours, theirs]: string[][] = [[], []];
    let [pairs, mnemonics, texts] = [0, 0, 0];
    for (const at of low.keys()) {
      const a = now.get(hex(high, low, at)) ?? '';
      const b = before.get(hex(highBefore, lowBefore, at)) ?? '';
      const side = sides?.[at] ?? 0;
      if (side & 1) ours.push(bare(a));
      if (side & 2) theirs.push(bare(b));
      if (side !== 3) continue;
      pairs++;
      assert.ok(a !== '' && b !== '');
      if (a.split(' ')[0] === b.split(' ')[0]) mnemonics++;
      if (bare(a) === bare(b)) texts++;
    }
    return { pairs, mnemonics: mnemonics / pairs, texts: texts / longestCommon(ours, theirs) };
  });
  const [add, main] = figures;
  assert.ok(add.pairs >= 150 && add.mnemonics === 1 && add.texts > 0.98, JSON.stringify(add));
  assert.ok(main.pairs >= 200 && main.mnemonics > 0.94 && main.texts > 0.92, JSON.stringify(main));
});

test("only addresses of this run are looked for in its binary, and the base's rows get no text and no jumps of it", () => {
  const analysis = compared(v2, v1);
  const instructions = codeOf('v2');
  for (const name of ['Index::add', 'main']) {
    const r = routineOf(analysis, name);
    const wanted = requestCode(analysis, r);
    assert.ok(typeof wanted === 'object');
    for (const address of wanted.addresses) assert.ok(instructions.has(`0x${address.toString(16)}`));
    const code: CodeText = { instructions, bytes: new Map(), doubt: undefined };
    const listing = listInstrs(analysis, r, code, true);
    let gone = 0;
    for (const at of listing.instrs.low.keys()) {
      const row = instrRow(listing, at);
      if (listing.instrs.sides?.[at] !== 2) {
        assert.equal(instructionText(row), instructions.get(addressOf(listing, at)));
        assert.equal(rowOfJumpAddress(listing, listing.instrs.high[at], listing.instrs.low[at]), at);
        continue;
      }
      gone++;
      assert.equal(instructionText(row), undefined);
      assert.equal(jumpsAt(row).length, 0);
      assert.equal(listing.gaps.has(at), false);
      assert.ok(codeOf('v1').has(addressOf(listing, at)), 'its address is that of the base');
    }
    assert.ok(gone > 10);
    // All that this binary has between its own rows, and nothing twice.
    const never = [...listing.gaps.values()].flatMap((gap) => gap.never);
    assert.equal(new Set(never).size, never.length);
    assert.equal(never.filter((address) => wanted.addresses.includes(BigInt(address))).length, 0);
  }
});

test('machines get the address in the base', () => {
  const analysis = compared(v2, v1);
  const listing = listInstrs(analysis, routineOf(analysis, 'Index::add'), undefined, true);
  const options = {
    addressWidth: 8,
    locationFormat: { withFile: false, cells: 6 },
    several: false,
    withCalls: true,
    callsHere: true,
  };
  const [now, before] = [undefined, 'before' as const].map((side) => {
    const column = instrTable(options)
      .columns({ ...contextOf(analysis.profile), analysis, base: analysis.before, ...(side ? { side } : {}) })
      .find(({ id }) => id === 'address');
    return (at: number) => column?.value?.(instrRow(listing, at));
  });
  // By nm, add begins at 2d8c in v2, and at 2fcc in v1.
  assert.deepEqual([now(0), before(0)], ['0x2d8c', '0x2fcc']);
  const { sides = new Uint8Array(0) } = listing.instrs;
  assert.equal(before(sides.indexOf(1)), null);
  assert.equal(before(sides.indexOf(2)), now(sides.indexOf(2)));
});

const HEAD = 'positions: instr line\nevents: Ir\nob=x\nfl=a.c\n';

test('a routine that only the base has: its addresses are not looked for in this binary', async () => {
  const now = await loadText(callgrind, `${HEAD}fn=main\n0x10 1 5\n`);
  const before = await loadText(callgrind, `${HEAD}fn=main\n0x10 1 5\nfn=old\n0x20 9 5\n`);
  const analysis = compared(now, before);
  assert.match(String(requestCode(analysis, routineOf(analysis, 'old'))), /only the base has instructions of this routine/);
  assert.match(String(requestCode(compared(before, before), 99)), /no instructions are recorded/);
});

/** Instructions from `[address, line]`. */
function instrsOf(rows: readonly (readonly [bigint, number])[]): MergedInstrs {
  return {
    high: Uint32Array.from(rows, ([a]) => Number(a >> 32n)),
    low: Uint32Array.from(rows, ([a]) => Number(a & 0xffffffffn)),
    file: new Int32Array(rows.length),
    line: Uint32Array.from(rows, ([, line]) => line),
    costs: [],
  };
}

function pairsOf(now: readonly (readonly [bigint, number])[], before: readonly (readonly [bigint, number])[]): number[] {
  const [ours, theirs] = [instrsOf(now), instrsOf(before)];
  const found = [...pairInstrs(ours, theirs, theirs.line, false).found];
  // Whichever run is the base, the same are pairs.
  const back = [...pairInstrs(theirs, ours, ours.line, false).found];
  found.forEach((row, i) => {
    assert.ok(row === 0 || back[row - 1] === i + 1);
  });
  assert.equal(found.filter((row) => row > 0).length, back.filter((row) => row > 0).length);
  return found;
}

/** A routine of instructions of 1 to 8 bytes, a few a line. */
function program(count: number, start: bigint, seed: number): [bigint, number][] {
  let [at, line, state] = [start, 10, seed];
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    const row: [bigint, number] = [at, line];
    at += BigInt(1 + ((state >>> 16) % 8));
    if ((state >>> 20) % 4 === 0) line += ((state >>> 24) % 5) - 1;
    return row;
  });
}

const one = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

test('the same code elsewhere: one pair each, however high its addresses are', () => {
  const code = program(300, 0x1000n, 1);
  for (const by of [0n, 0x5555_5555_4000n, 0xffff_ffff_8100_0003n]) {
    const moved = code.map(([at, line]) => [at + by, line] as const);
    assert.deepEqual(pairsOf(moved, code), one(300));
    // As lines are alike once mapped, or as they were recorded.
    const below = code.map(([at, line]) => [at + by, line + 7] as const);
    const found = pairInstrs(instrsOf(below), instrsOf(code), instrsOf(below).line, false).found;
    assert.deepEqual([...found], one(300));
  }
});

test('the same code on another way: what only one run executed has no pair', () => {
  const code = program(300, 0x1000n, 2).map(([at]) => [at, 0] as const);
  // Without lines only addresses say it.
  const way = (skipped: number) => code.filter((_, i) => Math.floor(i / 20) % 5 !== skipped);
  const [now, before] = [way(1), way(3)];
  const found = pairsOf(now, before);
  before.forEach(([at], i) => {
    assert.equal(found[i], now.findIndex(([there]) => there === at) + 1);
  });
});

test('samples of the same code: pairs have the same address, however few both runs met', () => {
  const code = program(300, 0x1000n, 6);
  const met = (by: number) => instrsOf(code.filter((_, i) => i % by === 0));
  // Every 21st is in both, 15 of 43.
  const [now, before] = [met(3), met(7)];
  const { found } = pairInstrs(now, before, before.line, true);
  before.low.forEach((low, i) => {
    assert.equal(found[i], now.low.indexOf(low) + 1);
  });
});

test('instructions put in between: all others have their pair', () => {
  const code = program(300, 0x1000n, 3);
  // Five of a new line, of two bytes each.
  const [above, below] = [code.slice(0, 120), code.slice(120)];
  const added = [0n, 2n, 4n, 6n, 8n].map((by) => [below[0][0] + by, 999] as const);
  const now = [...above, ...added, ...below.map(([at, line]) => [at + 10n, line] as const)];
  assert.deepEqual(pairsOf(now, code), [...one(120), ...one(180).map((row) => row + 125)]);
});

long('of a hundred thousand instructions in new order, pairs go up together', () => {
  const [now, before] = [program(100_000, 0x1000n, 4), program(100_000, 0x9000n, 5)];
  const { found } = pairInstrs(instrsOf(now), instrsOf(before), instrsOf(before).line, false);
  let last = 0;
  for (const row of found) {
    assert.ok(row === 0 || row > last);
    if (row > 0) last = row;
  }
});
