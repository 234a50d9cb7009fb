// Every gperftools profile of the fixtures against its ground truth: records, stacks, addresses, symbols, frames, totals.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { nameInData, objectName, routineObject } from '../../src/analysis/names/names.ts';
import { formatAddress } from '../../src/base/units.ts';
import { gperftools } from '../../src/formats/gperftools/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { findLineTool } from '../../src/io/symbols/line-tool.ts';
import { checkProfile } from '../../src/model/check.ts';
import type { Profile } from '../../src/model/profile.ts';
import { stringAt } from '../../src/model/strings.ts';
import { FIXTURES, readJson, readMaybeGz } from '../support/fixtures.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { loadBytes } from '../support/load.ts';

type Frame = [name: string | null, file: string | null, line: number | null];
interface Truth {
  periodMicroseconds: number;
  records: number;
  samples: number;
  distinctStacks: number;
  mappings: number;
  samplesByObject: Record<string, number>;
  symbols: { object: string; symbol: string; flat: number; cum: number }[];
  functions: { object: string; name: string; flat: number; cum: number }[];
  pcs: { pc: string; role: string; object: string | null; address: string | null; symbol: string | null; frames: Frame[] }[];
  stacks: [number, number[]][];
}

const FOLDER = join(FIXTURES, 'gperftools');
const NAMES = [
  'pie-g',
  'nopie-g',
  'pie',
  'nopie',
  'stripped',
  'plug',
  'threads',
  'preload',
  'freq100',
  'freq1000',
  'empty',
  'signal',
];
const OURS = '/srv/demo/gp/';

/** Binaries of the age of the profiles, so that no clock of a checkout says that they changed. */
const BIN = mkdtempSync(join(tmpdir(), 'proftui-bin-'));
mkdirSync(BIN, { recursive: true });
for (const name of readdirSync(join(FOLDER, 'bin'))) {
  copyFileSync(join(FOLDER, 'bin', name), join(BIN, name));
  utimesSync(join(BIN, name), 1e9, 1e9);
}
process.env['XDG_CACHE_HOME'] = mkdtempSync(join(tmpdir(), 'proftui-cache-'));

const fileOf = (name: string) => join(FOLDER, name === 'signal' ? 'signal.prof.0' : `${name}.prof`);
const load = (name: string) => {
  const path = fileOf(name);
  return loadProfile([name === 'signal' ? path : `${path}.gz`], { symbols: { binaries: [], dirs: [BIN], maps: [] } });
};

const sumOf = (column: ArrayLike<number>) => Array.from(column).reduce((a, b) => a + b, 0);

/** The demangler leaves the return type of template functions out; the truth has it. */
const plain = (name: string) => name.replace(/^unsigned int (?=step<)/, '');

for (const name of NAMES) {
  const truth = readJson<Truth>(join(FOLDER, `${name}.truth.json`));

  test(`${name}: records, stacks and addresses are the truth's`, async () => {
    const profile = await loadBytes(gperftools, readMaybeGz(fileOf(name)));
    assert.deepEqual(checkProfile(profile), []);
    const { stacks, places } = profileOf(profile, 'stacks');
    assert.equal(sumOf(stacks.costs[0]), truth.samples);
    assert.match(profile.parts[0].notes[0], new RegExp(`; ${truth.records} records; .* ${truth.mappings} mappings`));
    if (truth.samples > 0)
      assert.equal(profile.events.find((e) => e.name === 'time')!.terms[0][0], truth.periodMicroseconds * 1000);
    const mine = new Map<string, number>();
    for (let s = 0; s < stacks.part.length; s++) {
      const list = Array.from(stacks.frame.subarray(stacks.start[s], stacks.start[s + 1]), (f, k) => {
        const p = places!.ofFrame[f];
        const looked = BigInt(formatAddress(places!.high[p], places!.low[p]));
        return `0x${(k === 0 ? looked : looked + 1n).toString(16)}`;
      });
      mine.set(list.join(' '), stacks.costs[0][s]);
    }
    const wanted = new Map(truth.stacks.map(([count, list]) => [list.map((p) => truth.pcs[p].pc).join(' '), count]));
    assert.equal(wanted.size, truth.distinctStacks);
    assert.deepEqual(mine, wanted);
    const byObject: Record<string, number> = {};
    for (let s = 0; s < stacks.part.length; s++) {
      const object = objectName(profile, places!.object[places!.ofFrame[stacks.frame[stacks.start[s]]]])!;
      byObject[object] = (byObject[object] ?? 0) + stacks.costs[0][s];
    }
    assert.deepEqual(byObject, truth.samplesByObject);
  });

  test(`${name}: addresses in the files, symbols, flat and cumulative samples by symbol are the truth's`, async () => {
    const profile = await load(name);
    assert.deepEqual(checkProfile(profile), []);
    const outer = byName(profile, (frames) => frames.at(-1)!);
    const wanted = new Map(truth.symbols.map((s) => [`${s.object} ${plain(s.symbol)}`, [s.flat, s.cum]]));
    const symbols = new Set(wanted.keys());
    assert.deepEqual(new Map([...outer].filter(([key]) => symbols.has(key))), wanted);
    // And nothing of ours has another name, but the stubs of .plt, which have no symbol.
    const others = [...outer.keys()].filter((key) => key.startsWith(OURS) && !symbols.has(key));
    assert.ok(
      others.every((key) => /@plt$/.test(key)),
      others.join(),
    );
    const { places } = profileOf(profile, 'stacks');
    const own = new Map<string, string>();
    for (let p = 0; p < places!.high.length; p++)
      own.set(formatAddress(places!.high[p], places!.low[p]), formatAddress(places!.ownHigh[p], places!.ownLow[p]));
    for (const pc of truth.pcs) {
      if (!pc.object?.startsWith(OURS)) continue;
      const looked = BigInt(pc.pc) - (pc.role === 'caller' ? 1n : 0n);
      assert.equal(own.get(`0x${looked.toString(16)}`), pc.address, pc.pc);
    }
  });

  test(`${name}: files, lines and inlined functions are the truth's`, {
    skip: !findLineTool() && 'no symbolizer here',
  }, async () => {
    const profile = await load(name);
    const { stacks, frames, places, files, routines, strings } = profileOf(profile, 'stacks');
    const text = (p: number) => formatAddress(places!.high[p], places!.low[p]);
    const mine = new Map<string, Frame[]>();
    for (let f = 0; f < places!.ofFrame.length; f++) {
      const key = text(places!.ofFrame[f]);
      const file = frames.file[f];
      const frame: Frame = [
        nameInData(profile, frames.routine[f]),
        frames.line[f] === 0 || file < 0 ? null : stringAt(strings, files.name[file]),
        frames.line[f] || null,
      ];
      mine.set(key, [...(mine.get(key) ?? []), frame]);
    }
    const expected = truth.pcs.map((pc) => expectedFrames(pc));
    truth.pcs.forEach((pc, i) => {
      if (!pc.object?.startsWith(OURS) || pc.symbol === null) return;
      const key = `0x${(BigInt(pc.pc) - (pc.role === 'caller' ? 1n : 0n)).toString(16)}`;
      const got = mine.get(key)!;
      // Debug information of our own binaries is complete: the same number of frames, files and lines.
      assert.deepEqual(
        got.map(([, file, line]) => [file, line]),
        expected[i].map(([, file, line]) => [file, line]),
        pc.pc,
      );
      got.forEach(([mineName], k) => {
        const wanted = expected[i][k][0]!;
        // addr2line takes the symbol's name for the innermost of some inlined frames, though the line is the other function's.
        const slip = k < got.length - 1 && (wanted === plain(pc.symbol!) || wanted === 'plug_entry');
        if (!slip) assert.equal(mineName, wanted, pc.pc);
      });
    });
    // Every sample of ours is a sample of one of these functions: flat sums by object agree.
    const analysis = analysisOf(profile, 'stacks');
    const flat = new Map<string, number>();
    for (let r = 0; r < routines.name.length; r++) {
      const object = routineObject(profile, r)!;
      if (object?.startsWith(OURS)) flat.set(object, (flat.get(object) ?? 0) + analysis.totals.self[0][r]);
    }
    for (const [object, samples] of Object.entries(truth.samplesByObject))
      if (object.startsWith(OURS)) assert.equal(flat.get(object), samples);
    // A routine's own numbers, from the truth's stacks and frames.
    const counted = new Map<string, [number, number]>();
    for (const [count, list] of truth.stacks) {
      const keys = list.flatMap((p) => {
        const pc = truth.pcs[p];
        if (!pc.object?.startsWith(OURS) || pc.symbol === null) return [`other ${p}`];
        return mine
          .get(`0x${(BigInt(pc.pc) - (pc.role === 'caller' ? 1n : 0n)).toString(16)}`)!
          .map(([n]) => `${pc.object} ${n}`);
      });
      for (const key of new Set(keys)) {
        const [f, c] = counted.get(key) ?? [0, 0];
        counted.set(key, [f + (keys[0] === key ? count : 0), c + count]);
      }
    }
    for (let r = 0; r < routines.name.length; r++) {
      const key = `${routineObject(profile, r)} ${nameInData(profile, r)}`;
      if (!key.startsWith(OURS) || key.endsWith('@plt')) continue;
      assert.deepEqual([analysis.totals.self[0][r], analysis.totals.inclusive[0][r]], counted.get(key), key);
    }
    for (let s = 0; s < stacks.part.length; s++) assert.ok(stacks.start[s + 1] > stacks.start[s]);
    // Inlined wherever it was seen: all frames of an address but the outermost are.
    const inlined = new Map<string, boolean>();
    for (const pc of truth.pcs) {
      const looked = BigInt(pc.pc) - (pc.role === 'caller' ? 1n : 0n);
      const list = pc.object?.startsWith(OURS) && pc.symbol !== null ? (mine.get(`0x${looked.toString(16)}`) ?? []) : [];
      list.forEach(([n], k) => {
        const key = `${pc.object} ${n}`;
        inlined.set(key, (inlined.get(key) ?? true) && k < pc.frames.length - 1);
      });
    }
    for (let r = 0; r < routines.name.length; r++) {
      const always = inlined.get(`${routineObject(profile, r)} ${nameInData(profile, r)}`);
      if (always !== undefined) assert.equal(analysis.totals.inlined?.[r] === 1, always, nameInData(profile, r));
    }
  });
}

/** The truth's frames, the outermost one with the symbol's name: addr2line has it short where something was inlined into it. */
function expectedFrames(pc: Truth['pcs'][number]): Frame[] {
  return pc.frames.map(([name, file, line], k): Frame => {
    const full = k === pc.frames.length - 1 && pc.symbol !== null ? pc.symbol : (name ?? '');
    return [plain(full), line === null ? null : file, line];
  });
}

/** Flat and cumulative samples by object and the name of one frame a place. */
function byName(profile: Profile, pick: (frames: number[]) => number): Map<string, [number, number]> {
  const { stacks, frames, places } = profileOf(profile, 'stacks');
  const ofPlace = new Map<number, number[]>();
  for (let f = 0; f < places!.ofFrame.length; f++)
    ofPlace.set(places!.ofFrame[f], [...(ofPlace.get(places!.ofFrame[f]) ?? []), f]);
  const out = new Map<string, [number, number]>();
  const key = (place: number) => {
    const f = pick(ofPlace.get(place)!);
    return `${objectName(profile, places!.object[place])} ${nameInData(profile, frames.routine[f])}`;
  };
  for (let s = 0; s < stacks.part.length; s++) {
    const count = stacks.costs[0][s];
    const keys = Array.from(stacks.frame.subarray(stacks.start[s], stacks.start[s + 1]), (f) => key(places!.ofFrame[f]));
    for (const k of new Set(keys)) {
      const [flat, cum] = out.get(k) ?? [0, 0];
      out.set(k, [flat + (keys[0] === k ? count : 0), cum + count]);
    }
  }
  return out;
}
