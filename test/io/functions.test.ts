// Functions of stripped programs, from .eh_frame; names of PLT stubs; the plainest of several names.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { recordedNameOf, routineName, routineObject } from '../../src/analysis/names/names.ts';
import { drawScreen } from '../../src/app/draw.ts';
import { initialState } from '../../src/app/first-state.ts';
import { warningText } from '../../src/base/problem.ts';
import { loadProfile } from '../../src/io/load.ts';
import { demangle } from '../../src/io/symbols/demangle.ts';
import { findStubs } from '../../src/io/symbols/plt-stubs.ts';
import { findSymbols } from '../../src/io/symbols/symbol-table.ts';
import { type CodeRange, findFunctionRanges } from '../../src/io/symbols/unwind-ranges.ts';
import type { Profile } from '../../src/model/profile.ts';
import { buildElf, bytesOf, elfOf, stripElf } from '../support/elf.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { analysisOf } from '../support/kinds.ts';

const FOLDER = join(FIXTURES, 'gperftools');
const BINARIES = ['spin-pie-g', 'spin-nopie-g', 'spin-pie', 'spin-nopie', 'spin-stripped', 'spin-preload', 'libplug.so'];
const PROFILES = ['pie-g', 'nopie-g', 'pie', 'nopie', 'stripped', 'plug', 'threads', 'preload', 'freq100', 'freq1000'];

/** Flat and cumulative samples of our own objects by routine. */
function samplesOf(profile: Profile): Map<string, string> {
  const { totals } = analysisOf(profile, 'stacks');
  const out = new Map<string, string>();
  for (let r = 0; r < profile.routines.name.length; r++) {
    const object = routineObject(profile, r) ?? '';
    if (object.startsWith('/srv/demo/gp/') && totals.inclusive[0][r] > 0)
      out.set(`${object} ${routineName(profile, r)}`, `${totals.self[0][r]} ${totals.inclusive[0][r]}`);
  }
  return out;
}

/** The routines that are stubs of the linker, as `samplesOf` names them. */
const stubsOf = (profile: Profile): ReadonlySet<string> =>
  new Set(
    Array.from(profile.routines.name.keys())
      .filter((r) => recordedNameOf(profile, r)?.endsWith('@plt'))
      .map((r) => `${routineObject(profile, r)} ${routineName(profile, r)}`),
  );

for (const name of PROFILES) {
  test(`${name}: a stripped program has the same functions with the same samples`, async () => {
    const [plain, stripped] = [mkdtempSync(join(tmpdir(), 'proftui-')), mkdtempSync(join(tmpdir(), 'proftui-'))];
    for (const binary of BINARIES) {
      const data = readFileSync(join(FOLDER, 'bin', binary));
      // Both without debug information: inlined functions have no code range of their own.
      const symbols = Uint8Array.from(data);
      for (const at of indexesOf(data, '.debug_')) symbols.set(Buffer.from('.nodata'), at);
      writeFileSync(join(plain, binary), symbols);
      writeFileSync(join(stripped, binary), stripElf(data, true));
      for (const folder of [plain, stripped]) utimesSync(join(folder, binary), 1e9, 1e9);
    }
    const load = (folder: string) =>
      loadProfile([join(FOLDER, `${name}.prof.gz`)], { symbols: { binaries: [], dirs: [folder], maps: [] } });
    const [wanted, got] = [await load(plain), await load(stripped)];
    assert.deepEqual(
      [...got.warnings, ...wanted.warnings].filter((w) => w.sign !== 'NO NAMES'),
      [],
    );
    // Each function of the symbol table is one of the unwind table, by its start.
    const named = new Map<string, string>();
    const stubs = stubsOf(wanted);
    for (const [key, samples] of samplesOf(wanted)) {
      if (stubs.has(key)) continue;
      const [object, ...words] = key.split(' ');
      const base = object.slice(object.lastIndexOf('/') + 1);
      named.set(`${object} ${base}+0x${startsOf(join(plain, base)).get(words.join(' '))?.toString(16)}`, samples);
    }
    assert.ok(named.size > 10);
    const bare = new Map([...samplesOf(got)].filter(([key]) => !startsOfStubs.has(key)));
    assert.deepEqual(bare, named);
    assert.ok(got.notes?.some((n) => /more by function, from \.eh_frame/.test(n)));
  });
}

/** All stubs of an object are one range of its unwind table. */
const startsOfStubs = new Set(
  BINARIES.flatMap((binary) =>
    elfOf(bytesOf(readFileSync(join(FOLDER, 'bin', binary))))
      .sections.filter((s) => /^\.plt/.test(s.name))
      .map((s) => `/srv/demo/gp/${binary} ${binary}+0x${s.address.toString(16)}`),
  ),
);

function indexesOf(data: Buffer, text: string): number[] {
  const out: number[] = [];
  for (let at = data.indexOf(text); at >= 0; at = data.indexOf(text, at + 1)) out.push(at);
  return out;
}

const known = new Map<string, Map<string, number>>();

/** Start addresses by demangled name, read from the symbol table by a loop that knows nothing of ours. */
function startsOf(path: string): Map<string, number> {
  let out = known.get(path);
  if (out) return out;
  known.set(path, (out = new Map()));
  const data = readFileSync(path);
  const elf = elfOf(bytesOf(data));
  for (const table of elf.sections.filter((s) => s.type === 2 || s.type === 11)) {
    const strings = elf.sections[table.link];
    for (let at = table.offset; at < table.offset + table.bytes; at += 24) {
      if ((data[at + 4] & 15) !== 2 || data.readUInt16LE(at + 6) === 0) continue;
      const from = strings.offset + data.readUInt32LE(at);
      out.set(demangle(data.toString('latin1', from, data.indexOf(0, from))), Number(data.readBigUInt64LE(at + 8)));
    }
  }
  return out;
}

test('the unwind table gives the same functions when section headers are gone', () => {
  for (const binary of BINARIES) {
    const elf = elfOf(bytesOf(readFileSync(join(FOLDER, 'bin', binary))));
    const at = Float64Array.from({ length: 600 }, (_, i) => (elf.segments.find((s) => s.executable)?.address ?? 0) + 4 * i);
    const ranges = findFunctionRanges(elf, at);
    assert.ok(ranges.filter((r) => r !== undefined).length > 20, binary);
    assert.deepEqual(findFunctionRanges({ ...elf, sections: [] }, at), ranges);
  }
});

interface Entry {
  readonly start: number;
  readonly bytes: number;
}

/** Puts a section .eh_frame at file offset 0x700 (address 0x40700) in place of the symbols: one head, and an entry a function. */
function withUnwind(wide: boolean, little: boolean, augmentation: string, coding: number, entries: readonly Entry[]): Uint8Array {
  const data = buildElf(wide, little, []);
  const view = new DataView(data.buffer);
  let at = 0x700;
  const u32 = (v: number) => {
    view.setUint32(at, v >>> 0, little);
    at += 4;
  };
  const word = (v: number) => {
    if (wide && (coding & 15) === 0) {
      view.setBigUint64(at, BigInt(v), little);
      at += 8;
    } else u32(v);
  };
  const head = at;
  u32(20);
  u32(0);
  const letters = [...Buffer.from(augmentation, 'latin1')];
  data.set([1, ...letters, 0, 1, 0x7c, 8, ...(augmentation === '' ? [] : [1, coding])], at);
  at = head + 24;
  for (const { start, bytes } of entries) {
    const from = at;
    u32(wide && (coding & 15) === 0 ? 20 : 12);
    u32(at - head);
    const place = at - 0x700 + 0x40700;
    word(coding & 0x10 ? start - place : start);
    word(bytes);
    at = from + 4 + (wide && (coding & 15) === 0 ? 20 : 12);
  }
  u32(0);
  const size = wide ? 64 : 40;
  const w = wide ? 8 : 4;
  const section = 2048 + 2 * size;
  const put = (offset: number, v: number) =>
    wide ? view.setBigUint64(section + offset, BigInt(v), little) : view.setUint32(section + offset, v, little);
  view.setUint32(section + 4, 1, little);
  put(8 + w, 0x40700);
  put(8 + 2 * w, 0x700);
  put(8 + 3 * w, at - 0x700);
  // Its name, and the table of names as the header says.
  view.setUint32(section, 100, little);
  data.set(Buffer.from('.eh_frame\0', 'latin1'), 3100);
  view.setUint16(24 + 3 * w + 4 + 10, 3, little);
  const strings = 2048 + 3 * size + 8 + 3 * w;
  if (wide) view.setBigUint64(strings, 200n, little);
  else view.setUint32(strings, 200, little);
  return data;
}

const FUNCTIONS = [
  { start: 0x10010, bytes: 0x30 },
  { start: 0x10080, bytes: 0x10 },
  { start: 0x10040, bytes: 0x20 },
];

for (const wide of [true, false])
  for (const little of [true, false])
    for (const [augmentation, coding] of [
      ['', 0x00],
      ['zR', 0x1b],
      ['zR', 0x03],
      ['zRS', 0x1b],
    ] as const)
      test(`${wide ? 64 : 32} bit, ${little ? 'little' : 'big'} endian, "${augmentation}" ${coding}: functions of .eh_frame`, () => {
        const elf = elfOf(bytesOf(withUnwind(wide, little, augmentation, coding, FUNCTIONS)));
        const at = [0x1000f, 0x10010, 0x1003f, 0x10040, 0x1005f, 0x10060, 0x10085, 0x10090];
        const range = (k: number): CodeRange => ({
          start: FUNCTIONS[k].start,
          end: FUNCTIONS[k].start + FUNCTIONS[k].bytes,
          isTrampoline: augmentation === 'zRS',
        });
        assert.deepEqual(findFunctionRanges(elf, Float64Array.from(at)), [
          undefined,
          range(0),
          range(0),
          range(2),
          range(2),
          undefined,
          range(1),
          undefined,
        ]);
      });

test('hostile unwind tables and stubs give fewer functions, never a crash; nothing is read again and again', async () => {
  const originals = ['spin-pie-g', 'spin-nopie', 'libplug.so'].map((n) => readFileSync(join(FOLDER, 'bin', n)));
  const edit = fc.tuple(fc.nat(), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.integer({ min: 1, max: 8 }));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...originals),
      fc.array(edit, { minLength: 1, maxLength: 12 }),
      fc.constantFrom('.eh_frame', '.plt', '.rela.plt', '.dynsym', 'headers'),
      fc.option(fc.nat()),
      async (original, edits, where, cut) => {
        let data = Uint8Array.from(original);
        const home = elfOf(bytesOf(original)).sections.find((s) => s.name === where) ?? { offset: 0, bytes: 1000 };
        for (const [at, value, length] of edits) {
          const from = home.offset + (at % home.bytes);
          data.fill(value, from, Math.min(data.length, from + length));
        }
        if (cut !== null) data = data.subarray(0, cut % data.length);
        const count = { read: 0 };
        let elf: ReturnType<typeof elfOf>;
        try {
          elf = elfOf(bytesOf(data, count));
        } catch {
          return;
        }
        const addresses = Float64Array.from({ length: 300 }, (_, i) => 0x1000 + 16 * i);
        for (const [i, range] of findFunctionRanges(elf, addresses).entries())
          if (range) assert.ok(range.start <= addresses[i] && addresses[i] < range.end);
        for (const [address, stub] of await findStubs(elf, addresses)) assert.ok(stub.start <= address && stub.name !== '@plt');
        assert.ok(count.read < 64 << 20, `${count.read} bytes read`);
      },
    ),
    { numRuns: 600, seed: 20261121 },
  );
});

test('a symbol without a size ends where the unwind table has another function', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const data = Uint8Array.from(readFileSync(join(FOLDER, 'bin/spin-pie')));
  // Only _init keeps its symbol, without a size: it would cover everything up to the end of .text or to the next one.
  const elf = elfOf(bytesOf(data));
  const table = elf.sections.find((s) => s.type === 2);
  assert.ok(table);
  const main = startsOf(join(FOLDER, 'bin/spin-pie')).get('main');
  const text = elf.sections.find((s) => s.name === '.text');
  assert.ok(main !== undefined && text);
  const view = new DataView(data.buffer);
  for (let at = table.offset; at < table.offset + table.bytes; at += 24) {
    const first = Number(view.getBigUint64(at + 8, true)) === text.address;
    view.setBigUint64(at + 16, 0n, true);
    if (!first) view.setUint16(at + 6, 0, true);
  }
  writeFileSync(join(folder, 'spin-pie'), data);
  utimesSync(join(folder, 'spin-pie'), 1e9, 1e9);
  const profile = await loadProfile([join(FOLDER, 'pie.prof.gz')], { symbols: { binaries: [], dirs: [folder], maps: [] } });
  const names = Array.from(profile.routines.name, (_, r) => routineName(profile, r));
  assert.ok(names.includes(`spin-pie+0x${main.toString(16)}`), names.join());
});

test('PLT stubs are named after what they call', async () => {
  const load = (name: string) =>
    loadProfile([join(FOLDER, `${name}.prof.gz`)], { symbols: { binaries: [], dirs: [join(FOLDER, 'bin')], maps: [] } });
  const profile = await load('plug');
  const { totals } = analysisOf(profile, 'stacks');
  const r = Array.from(profile.routines.name, (_, k) => k).find((k) => recordedNameOf(profile, k) === 'sin@plt') ?? -1;
  assert.equal(routineName(profile, r), 'sin');
  // One sample of the truth lies in libplug.so and in no symbol.
  assert.deepEqual([totals.self[0][r], totals.inclusive[0][r], routineObject(profile, r)], [1, 1, '/srv/demo/gp/libplug.so']);
});

test('PLT stubs of x86-64 and AArch64', async () => {
  // As `objdump -d -j .plt` of binutils 2.40 shows them.
  const spin = elfOf(bytesOf(readFileSync(join(FOLDER, 'bin/libplug.so'))));
  const plt = spin.sections.find((s) => s.name === '.plt');
  assert.ok(plt);
  const stubs = await findStubs(spin, [plt.address, plt.address + 0x10, plt.address + 0x1f]);
  assert.deepEqual(
    [...stubs.values()].map((s) => s.name),
    ['sin@plt', 'sin@plt'],
  );
  assert.equal(stubs.get(plt.address + 0x1f)?.start, plt.address + 0x10);
  for (const bti of [0, 4]) {
    const elf = elfOf(bytesOf(armElf(bti)));
    const found = await findStubs(elf, [0x4004a0, 0x4004a0 + bti + 12]);
    assert.deepEqual(
      [...found.values()],
      [
        { name: 'memcmp@plt', start: 0x4004a0 },
        { name: 'memcmp@plt', start: 0x4004a0 },
      ],
    );
  }
});

/** An AArch64 object with one stub at 0x4004a0, after `bti` bytes of `bti c`: adrp x16, 0x411000; ldr x17, [x16, #8]. */
function armElf(bti: number): Uint8Array {
  const data = buildElf(true, true, [{ name: 'memcmp', value: 0, size: 0, type: 2, bind: 1, section: 0 }], true);
  const view = new DataView(data.buffer);
  view.setUint16(18, 183, true);
  // Symbol 0 is none: the function is symbol 1.
  data.copyWithin(1024 + 24, 1024, 1024 + 24);
  data.fill(0, 1024, 1024 + 24);
  const section = (i: number, name: number, type: number, flags: number, address: number, offset: number, size: number) => {
    const at = 2048 + i * 64;
    view.setUint32(at, name, true);
    view.setUint32(at + 4, type, true);
    view.setBigUint64(at + 8, BigInt(flags), true);
    view.setBigUint64(at + 16, BigInt(address), true);
    view.setBigUint64(at + 24, BigInt(offset), true);
    view.setBigUint64(at + 32, BigInt(size), true);
  };
  view.setBigUint64(2048 + 2 * 64 + 32, 48n, true);
  view.setBigUint64(2048 + 3 * 64 + 32, 200n, true);
  section(1, 100, 1, 6, 0x4004a0, 0x100, 32);
  section(4, 105, 4, 2, 0, 0x600, 24);
  view.setUint32(2048 + 4 * 64 + 40, 2, true);
  data.set(Buffer.from('.plt\0.rela.plt\0', 'latin1'), 3100);
  view.setUint16(60, 5, true);
  view.setUint16(62, 3, true);
  const code = [...(bti ? [0xd503245f] : []), 0xb0000090, 0xf9400611, 0x91002210, 0xd61f0220];
  for (const [i, word] of code.entries()) view.setUint32(0x100 + 4 * i, word, true);
  view.setBigUint64(0x600, 0x411008n, true);
  view.setBigUint64(0x608, (1n << 32n) | 1026n, true);
  return data;
}

test('of several names of a function, the plainest one is shown', async () => {
  const at = (name: string, bind: number) => ({ name, value: 0x10010, size: 16, type: 2, bind });
  for (const [names, wanted] of [
    [[at('__libc_free', 1), at('cfree@GLIBC_2.2.5', 1), at('free', 1), at('__GI___libc_free', 0)], 'free'],
    [[at('__clone3', 0), at('clone3', 0)], 'clone3'],
    [[at('__clone', 1), at('clone', 2)], 'clone'],
    // A name that only old programs are linked with.
    [[at('old@V_1', 1), at('renamed@@V_2', 1)], 'renamed'],
  ] as const) {
    const [symbol] = await findSymbols(elfOf(bytesOf(buildElf(true, true, [...names]))), Float64Array.of(0x10018));
    assert.equal(symbol?.name, wanted);
    assert.equal(symbol?.names.length, names.length);
  }
});

test('when most samples have no names, the first screen says why, and which flag helps', async () => {
  const warned = async (folder: string | undefined) => {
    const symbols = { binaries: [], dirs: folder ? [folder] : [], maps: folder ? [] : [['/', '/nowhere/'] as const] };
    const profile = await loadProfile([join(FOLDER, 'pie.prof.gz')], { symbols });
    const state = initialState(profile, { width: 120, height: 30 });
    assert.ok(
      drawScreen(state)[0].spans.some(([text]) => /NO NAMES|OBJECT CHANGED/.test(text)) || folder === join(FOLDER, 'bin'),
    );
    return { said: state.message?.text, found: profile.warnings.map((w) => w.found).filter((f) => /without names/.test(f)) };
  };
  const missing = await warned(undefined);
  assert.deepEqual(missing.found, ['82 % of the samples without names (--binary PATH): spin-pie is not on this machine']);
  assert.equal(missing.said, `spin-pie: ${missing.found[0]}`);
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  writeFileSync(join(folder, 'spin-pie'), stripElf(readFileSync(join(FOLDER, 'bin/spin-pie')), true));
  const rebuilt = await warned(folder);
  assert.match(
    rebuilt.found.join(),
    /^\d+ % of the samples without names \(--binary PATH\): spin-pie was rebuilt since; give the binary that ran/,
  );
  // The profile is newer than the program: its time stamp is that of the checkout.
  utimesSync(join(folder, 'spin-pie'), 1e9, 1e9);
  const stripped = await warned(folder);
  assert.match(
    stripped.found.join(),
    /^(\d+) % of the samples without names \(--binary PATH\): spin-pie is stripped; give the binary with symbols/,
  );
  assert.deepEqual((await warned(join(FOLDER, 'bin'))).found, []);
});

test('a warning in text names the file that it is about', () => {
  const problem = { path: '/lib/x.so', expected: 'names', found: 'none' };
  assert.equal(warningText(problem, ['/lib/x.so']), 'none (expected names)');
  assert.equal(warningText({ ...problem, sign: 'NO NAMES' }, ['/lib/x.so']), 'none');
  assert.equal(warningText(problem, ['a.prof']), 'x.so: none (expected names)');
  assert.equal(warningText({ ...problem, line: 7 }, ['/lib/x.so', 'b']), 'line 7: x.so: none (expected names)');
});
