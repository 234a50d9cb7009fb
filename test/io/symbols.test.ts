// Symbols of ELF files: tables of both widths and orders, separate debug files, hostile files, and the tools for lines.

import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { loadProfile } from '../../src/io/load.ts';
import { demangle } from '../../src/io/symbols/demangle.ts';
import { addressOfOffset, openFileBytes, readElf } from '../../src/io/symbols/elf.ts';
import { findDebugFile } from '../../src/io/symbols/find-object.ts';
import { findLineTool, LineParser, readAddressLines } from '../../src/io/symbols/line-tool.ts';
import { findSymbols } from '../../src/io/symbols/symbol-table.ts';
import { FrameRows } from '../../src/model/code-frames.ts';
import { buildElf, bytesOf, elfOf, type Sym } from '../support/elf.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { profileOf } from '../support/kinds.ts';

const FOLDER = join(FIXTURES, 'gperftools');
process.env['XDG_CACHE_HOME'] = mkdtempSync(join(tmpdir(), 'proftui-cache-'));

const SYMBOLS: Sym[] = [
  { name: 'outer', value: 0x10010, size: 0x100, type: 2, bind: 1 },
  { name: 'local_inner', value: 0x10040, size: 0x10, type: 2, bind: 0 },
  { name: 'pick_at_load', value: 0x10120, size: 8, type: 10, bind: 1 },
  { name: '__alias', value: 0x10130, size: 8, type: 2, bind: 1 },
  { name: 'alias@@V_1', value: 0x10130, size: 8, type: 2, bind: 1 },
  { name: 'weak', value: 0x10130, size: 8, type: 2, bind: 2 },
  { name: 'assembly', value: 0x10200, size: 0, type: 0, bind: 0 },
  { name: 'a_table', value: 0x10150, size: 8, type: 1, bind: 1 },
  { name: 'imported', value: 0, size: 0, type: 2, bind: 1, section: 0 },
];

for (const wide of [true, false]) {
  for (const little of [true, false]) {
    for (const dynamic of [false, true]) {
      test(`${wide ? 64 : 32} bit, ${little ? 'little' : 'big'} endian, ${dynamic ? '.dynsym' : '.symtab'}: sizes, local, IFUNC, aliases`, async () => {
        const elf = elfOf(bytesOf(buildElf(wide, little, SYMBOLS, dynamic)));
        const at = [
          0x10000, 0x10010, 0x10045, 0x10050, 0x1010f, 0x10110, 0x10127, 0x10128, 0x10131, 0x10150, 0x101ff, 0x10200, 0x102ff,
          0x10300,
        ];
        const found = await findSymbols(elf, Float64Array.from(at));
        assert.deepEqual(
          found.map((f) => f?.name),
          [
            undefined,
            'outer',
            'local_inner',
            'outer',
            'outer',
            undefined,
            'pick_at_load',
            undefined,
            'alias',
            undefined,
            undefined,
            // Without a size: up to the end of its section.
            'assembly',
            'assembly',
            undefined,
          ],
        );
        assert.equal(addressOfOffset(elf, 0x110), 0x10010);
        assert.equal(addressOfOffset(elf, 0x400), undefined);
      });
    }
  }
}

test('a program of 100 MB is not read whole', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'proftui-')), 'large');
  copyFileSync(join(FOLDER, 'bin/spin-pie-g'), path);
  truncateSync(path, 100 << 20);
  const file = openFileBytes(path);
  let read = 0;
  const elf = elfOf({
    ...file,
    read: (o, n) => {
      const b = file.read(o, n);
      read += b.length;
      return b;
    },
  });
  const found = await findSymbols(
    elf,
    Float64Array.from({ length: 1000 }, (_, i) => 0x1100 + i),
  );
  file.close();
  assert.ok(found.filter((f) => f !== undefined).length > 900);
  assert.ok(read < 5 << 20, `${read} bytes`);
});

test('separate debug files: by debug link, by build id, and none of another build', () => {
  const split = join(FOLDER, 'split/spin-pie-g');
  const elf = elfOf(openFileBytes(split));
  assert.equal(elf.debugLink?.name, 'spin-pie-g.debug');
  assert.match(elf.buildId!, /^[0-9a-f]{40}$/);
  const linked = findDebugFile(elf, split, []);
  assert.ok(typeof linked === 'object' && linked.path.endsWith('split/spin-pie-g.debug'));
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const home = join(folder, '.build-id', elf.buildId!.slice(0, 2));
  mkdirSync(home, { recursive: true });
  copyFileSync(join(FOLDER, 'split/spin-pie-g.debug'), join(home, `${elf.buildId!.slice(2)}.debug`));
  const byId = findDebugFile(elf, '/nowhere/spin-pie-g', [folder]);
  assert.ok(typeof byId === 'object' && byId.path.startsWith(folder));
  copyFileSync(join(FOLDER, 'bin/spin-nopie-g'), join(home, `${elf.buildId!.slice(2)}.debug`));
  assert.match(String(findDebugFile(elf, '/nowhere/spin-pie-g', [folder])), /another build/);
  elf.bytes.close();
});

test('a stripped program gets its names and lines from its debug file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  for (const name of ['spin-pie-g', 'spin-pie-g.debug']) {
    copyFileSync(join(FOLDER, 'split', name), join(folder, name));
    utimesSync(join(folder, name), 1e9, 1e9);
  }
  const whole = await loadProfile([join(FOLDER, 'pie-g.prof.gz')], {
    symbols: { binaries: [], dirs: [join(FOLDER, 'bin')], maps: [] },
  });
  const split = await loadProfile([join(FOLDER, 'pie-g.prof.gz')], { symbols: { binaries: [], dirs: [folder], maps: [] } });
  const names = (p: typeof whole) => Array.from(p.routines.name, (_, r) => routineName(p, r)).sort();
  assert.deepEqual(names(split), names(whole));
  assert.deepEqual(Array.from(profileOf(split, 'stacks').frames.line), Array.from(profileOf(whole, 'stacks').frames.line));
});

test('a program that is newer, or another one, gives a warning that stays in sight', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  copyFileSync(join(FOLDER, 'pie.prof.gz'), join(folder, 'pie.prof.gz'));
  utimesSync(join(folder, 'pie.prof.gz'), 1e9, 1e9);
  copyFileSync(join(FOLDER, 'bin/spin-pie'), join(folder, 'spin-pie'));
  const newer = await loadProfile([join(folder, 'pie.prof.gz')], {
    symbols: { binaries: [[null, join(folder, 'spin-pie')]], dirs: [], maps: [] },
  });
  assert.ok(newer.warnings.some((w) => w.sign === 'OBJECT CHANGED' && /newer/.test(w.found)));
  truncateSync(join(folder, 'spin-pie'), 0x900);
  utimesSync(join(folder, 'spin-pie'), 1e9, 1e9);
  const smaller = await loadProfile([join(folder, 'pie.prof.gz')], {
    symbols: { binaries: [[null, join(folder, 'spin-pie')]], dirs: [], maps: [] },
  });
  assert.ok(smaller.warnings.some((w) => w.sign === 'OBJECT CHANGED' && /smaller/.test(w.found)));
});

test('a symbolized raw profile opens without the binaries, with inlined functions', async () => {
  const none = { binaries: [], dirs: [], maps: [['/', '/nowhere/']] as const };
  const profile = await loadProfile([join(FOLDER, 'symbolized.prof.gz')], { symbols: none });
  const names = new Set(Array.from(profile.routines.name, (_, r) => routineName(profile, r)));
  for (const name of [
    'crunch(unsigned long, int)',
    'weigh',
    'sorting::Sorter<double>::quick(int, int)',
    'unsigned int step<4>(unsigned int)',
    'main',
  ])
    assert.ok(names.has(name), name);
  assert.ok(![...names].some((n) => /<[0-9a-f]{16}>/.test(n)));
  assert.equal(profile.cut, undefined);
  assert.deepEqual(
    profile.events.map((e) => e.name),
    ['samples'],
  );
  // The truth of plug.prof, of which it was made, counts these.
  const { totals } = analyse(profile, profile.events);
  const of = (name: string) => Array.from(profile.routines.name, (_, r) => r).find((r) => routineName(profile, r) === name)!;
  for (const [name, flat, cumulative] of [
    ['sorting::Sorter<double>::quick(int, int)', 120, 120],
    ['msort_with_tmp', 72, 135],
    ['main', 0, 483],
    ['sort_all(unsigned int)', 0, 373],
  ] as const)
    assert.deepEqual([totals.self[0][of(name)], totals.inclusive[0][of(name)]], [flat, cumulative], name);
});

test('hostile ELF files give a reason or fewer symbols, never a crash or a hang', async () => {
  const originals = ['spin-pie-g', 'spin-nopie', 'libplug.so'].map((n) => readFileSync(join(FOLDER, 'bin', n)));
  const edit = fc.tuple(fc.nat(), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.integer({ min: 1, max: 8 }));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...originals),
      fc.array(edit, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      fc.option(fc.nat()),
      async (original, edits, inHeaders, cut) => {
        let data = Uint8Array.from(original);
        const sections = Number(new DataView(data.buffer).getBigUint64(40, true));
        for (const [at, value, length] of edits) {
          // Headers are few bytes of the file, and most of what can go wrong.
          const range = inHeaders ? [64 + 13 * 56, data.length - sections] : [data.length, 0];
          const place = at % (range[0] + range[1]);
          const from = inHeaders && place >= range[0] ? sections + place - range[0] : place;
          data.fill(value, from, Math.min(data.length, from + length));
        }
        if (cut !== null) data = data.subarray(0, cut % data.length);
        const count = { read: 0 };
        const elf = readElf(bytesOf(data, count));
        if (typeof elf === 'string') return;
        const addresses = Float64Array.from({ length: 300 }, (_, i) => 0x1000 + 16 * i);
        const names = await findSymbols(elf, addresses);
        assert.equal(names.length, addresses.length);
        const found = findDebugFile(elf, '/nowhere/x', []);
        if (typeof found === 'object') found.elf.bytes.close();
        // Nothing is read again and again.
        assert.ok(count.read < 64 * 1024 * 1024, `${count.read} bytes read`);
      },
    ),
    { numRuns: 400, seed: 20261121 },
  );
});

test('12,000 symbol tables that are all the whole file: the first few are read', async () => {
  const data = readFileSync(join(FOLDER, 'bin/spin-pie-g'));
  const count = { read: 0 };
  const elf = elfOf(bytesOf(data, count));
  const table = elf.sections.find((s) => s.type === 2);
  assert.ok(table);
  const wide = { ...table, offset: 0, bytes: data.length };
  const many = { ...elf, sections: [...elf.sections, ...Array<typeof wide>(12_000).fill(wide)] };
  count.read = 0;
  const [symbol] = await findSymbols(many, Float64Array.of(elf.segments.find((s) => s.executable)?.address ?? 0));
  assert.ok(count.read < 8 * data.length, `${count.read} bytes`);
  assert.ok(symbol === undefined || symbol.name !== '');
});

test('a section count of 2^32 ends with the file', async () => {
  const data = buildElf(true, true, SYMBOLS);
  const view = new DataView(data.buffer);
  view.setUint16(60, 0, true);
  view.setBigUint64(2048 + 32, 2n ** 32n, true);
  const elf = elfOf(bytesOf(data));
  assert.ok(elf.sections.length <= (4096 - 2048) / 64);
  assert.equal((await findSymbols(elf, Float64Array.of(0x10010)))[0]?.name, 'outer');
});

test('C++ and Rust names are demangled, templates kept; others are left alone', () => {
  assert.equal(demangle('_ZN7sorting6SorterIiE5quickEii'), 'sorting::Sorter<int>::quick(int, int)');
  assert.equal(demangle('_ZNSt6vectorIiSaIiEE9push_backERKi'), 'std::vector<int, std::allocator<int> >::push_back(int const&)');
  assert.equal(demangle('_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE'), 'core::fmt::Write::write_fmt');
  assert.equal(demangle('main'), 'main');
  assert.equal(demangle('_Z'), '_Z');
});

test('the answers of the line tools are read, whatever pieces they come in', () => {
  const text =
    '0x12c4\nweigh\nsrc/a b:c.cpp:56 (discriminator 3)\n_ZL6crunchmi\nsrc/spin.cpp:64\n0x1030\n??\n??:0\n0x99\nf\nx.c:?\n';
  for (const size of [1, 5, 1000]) {
    const frames = new FrameRows();
    const parser = new LineParser(frames);
    for (let i = 0; i < text.length; i += size) parser.parseChunk(text.slice(i, i + size));
    parser.end();
    assert.deepEqual(frames.framesAt(0x12c4), [
      { name: 'weigh', file: 'src/a b:c.cpp', line: 56 },
      { name: '_ZL6crunchmi', file: 'src/spin.cpp', line: 64 },
    ]);
    assert.deepEqual(frames.framesAt(0x1030), [{ name: '', file: null, line: 0 }]);
    assert.deepEqual(frames.framesAt(0x99), [{ name: 'f', file: 'x.c', line: 0 }]);
  }
});

test('a line tool that says nothing is stopped with the load', async () => {
  const sleep = ['/bin/sleep', '/usr/bin/sleep'].find((p) => existsSync(p))!;
  const abort = new AbortController();
  const asked = readAddressLines({ name: 'sleep', path: sleep, args: () => ['60'] }, 'x', [1], new FrameRows(), abort.signal);
  setTimeout(() => abort.abort(), 50);
  await assert.rejects(asked, { name: 'AbortError' });
});

test('what a tool said of a build is asked once', { skip: !findLineTool() && 'no symbolizer here' }, async () => {
  const cache = mkdtempSync(join(tmpdir(), 'proftui-cache-'));
  const [before, path] = [process.env['XDG_CACHE_HOME'], process.env['PATH']];
  process.env['XDG_CACHE_HOME'] = cache;
  const load = () =>
    loadProfile([join(FOLDER, 'pie-g.prof.gz')], {
      symbols: { binaries: [[null, join(FOLDER, 'bin/spin-pie-g')]], dirs: [], maps: [['/usr', '/nowhere']] },
    });
  const first = await load();
  assert.ok(existsSync(join(cache, 'proftui/lines')));
  // A tool of the same name that knows nothing: the answers come from the cache.
  const bin = mkdtempSync(join(tmpdir(), 'proftui-bin-'));
  copyFileSync(['/bin/false', '/usr/bin/false'].find((p) => existsSync(p))!, join(bin, findLineTool()!.name));
  process.env['PATH'] = bin;
  const second = await load();
  process.env['PATH'] = path;
  process.env['XDG_CACHE_HOME'] = before;
  assert.deepEqual(Array.from(profileOf(second, 'stacks').frames.line), Array.from(profileOf(first, 'stacks').frames.line));
});

test('what a line tool complains of is kept, although it found lines; alone it is the reason', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-tool-'));
  const script = (text: string) => {
    const path = join(folder, 'tool');
    writeFileSync(path, `#!/bin/sh\necho 'DWARF error: could not find abbrev 7' >&2\necho 'more' >&2\n${text}`);
    chmodSync(path, 0o755);
    return { name: 'addr2line', path, args: () => [] };
  };
  const never = new AbortController().signal;
  const known = new FrameRows();
  const answered = await readAddressLines(script("printf '0x1\\nmain\\na.c:7\\n'"), 'x', [1], known, never);
  assert.deepEqual(answered, { said: 'addr2line: DWARF error: could not find abbrev 7' });
  assert.equal(known.leafOf.size, 1);
  const failed = await readAddressLines(script('exit 1'), 'x', [1], new FrameRows(), never);
  assert.deepEqual(failed, { wrong: 'addr2line: DWARF error: could not find abbrev 7' });
});
