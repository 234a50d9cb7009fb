import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { fileName, objectName, routineName } from '../../src/analysis/names/names.ts';
import { loadProfile } from '../../src/io/load.ts';
import { openFileBytes, readElf } from '../../src/io/symbols/elf.ts';
import { findLineTool } from '../../src/io/symbols/line-tool.ts';
import { findLoadBiases } from '../../src/io/symbols/placing.ts';

const OBJECT = '/home/dev/levels/levels';
const BINARY = resolve('fixtures/perf-script/bin/levels');
const TEXT = gunzipSync(readFileSync('fixtures/perf-script/levels.perf.gz')).toString();

/** What perf itself says of the innermost frames in the object: samples by line, and by address in the object's file. */
const [LINES, ADDRESSES] = readFileSync('fixtures/perf-script/levels.truth.txt', 'utf8')
  .trim()
  .split('\n\n')
  .map((part) => new Map(part.split('\n').map((row) => [row.split(' ')[0], Number(row.split(' ')[1])])));

async function load(text: string, binary: string | undefined, anyway = false) {
  const profile = await loadProfile(['levels.perf'], {
    bytes: Buffer.from(text),
    symbols: { binaries: binary === undefined ? [] : [[OBJECT, binary]], dirs: [], maps: [], anyway },
  });
  assert.ok(profile.kind === 'stacks');
  return profile;
}

/** Samples of the innermost frames in the object, by address in its file; without one, by 0. */
async function byAddress(text: string, binary: string | undefined = BINARY): Promise<Map<string, number>> {
  const profile = await load(text, binary);
  const { stacks, places } = profile;
  const out = new Map<string, number>();
  if (!places) return out;
  for (let s = 0; s < stacks.part.length; s++) {
    const place = places.ofFrame[stacks.frame[stacks.start[s]]];
    const object = places.object[place];
    if (object < 0 || objectName(profile, object) !== OBJECT) continue;
    const own = (places.ownHigh[place] * 2 ** 32 + places.ownLow[place]).toString(16);
    out.set(own, (out.get(own) ?? 0) + stacks.costs[0][s]);
  }
  return out;
}

const sorted = (counts: ReadonlyMap<string, number>) => [...counts].sort(([a], [b]) => (a < b ? -1 : 1));

/** The text as perf writes it where it prints the addresses of processes: each has the object somewhere else. */
const inProcesses = (text: string, bases: readonly number[]) =>
  bases
    .map((base, k) =>
      text
        .replace(/^(levels \s*)\d+\/\d+/gm, `$1${500 + k}/${500 + k}`)
        .replace(
          /^(\s+)([0-9a-f]+)( \S+ \(\/home\/dev)/gm,
          (_, blank, address, rest) => `${blank}${(Number.parseInt(address, 16) + base).toString(16)}${rest}`,
        ),
    )
    .join('');

test('addresses of perf script are those of the object file, as perf says them', async () => {
  assert.deepEqual(sorted(await byAddress(TEXT)), sorted(ADDRESSES));
});

test('addresses of processes, each with the object somewhere else, are placed by the names of functions', async () => {
  const twice = await byAddress(inProcesses(TEXT, [0x555555554000, 0x7f1234567000]));
  assert.deepEqual(sorted(twice), sorted(new Map([...ADDRESSES].map(([a, n]) => [a, 2 * n]))));
});

test('an object whose functions are elsewhere is another one: the names stay, and no address is its own', async () => {
  const other = TEXT.replace(/ spin \(\/home/g, ' SIEVE (/home')
    .replace(/ sieve \(\/home/g, ' spin (/home')
    .replace(/ SIEVE /g, ' sieve ');
  const found = [...(await byAddress(other)).keys()];
  const profile = await load(other, BINARY);
  // Addresses in memory are all that is known: the file's lines are not theirs.
  assert.ok(!profile.frames.line.some((line) => line > 0));
  assert.ok(found.every((address) => !ADDRESSES.has(address)) || found.length > 0);
  assert.equal((await load(TEXT, undefined)).places, undefined, 'without the object, functions are all that is kept');
});

test('lines of perf script are those that perf says', { skip: !findLineTool() && 'no symbolizer here' }, async () => {
  const profile = await load(TEXT, BINARY);
  const lines = new Map<string, number>();
  const { stacks, frames } = profile;
  for (let s = 0; s < stacks.part.length; s++) {
    const frame = stacks.frame[stacks.start[s]];
    if (frames.line[frame] === 0 || fileName(profile, frames.file[frame])?.endsWith('levels.c') !== true) continue;
    const line = `levels.c:${frames.line[frame]}`;
    lines.set(line, (lines.get(line) ?? 0) + stacks.costs[0][s]);
  }
  assert.deepEqual(sorted(lines), sorted(LINES));
});

test('instructions of a function have the samples of what is inlined into it, as perf annotate counts', {
  skip: !findLineTool() && 'no symbolizer here',
}, async () => {
  const profile = await load(TEXT, BINARY);
  const { costing } = analyse(profile, profile.events);
  const routineOf = (name: string) => Array.from(profile.routines.name.keys()).filter((r) => routineName(profile, r) === name);
  const code = (name: string) => {
    const [routine, ...others] = routineOf(name);
    assert.equal(others.length, 0);
    const instrs = costing.code?.(routine).instrs(routine);
    assert.ok(instrs);
    return new Map(Array.from(instrs.low, (low, at) => [low.toString(16), instrs.costs[0][at]]));
  };
  const [spin, sieve, mix] = [code('spin'), code('sieve'), code('mix')];
  // The two functions are all of the object that was sampled.
  assert.deepEqual(sorted(new Map([...spin, ...sieve])), sorted(ADDRESSES));
  assert.ok(mix.size > 0 && [...mix.keys()].every((address) => spin.has(address)));
  const [own] = routineOf('spin');
  assert.ok(costing.instrs(own).low.length < spin.size, 'its own instructions are fewer');
});

test('addresses of a samply profile count from where the object begins', async () => {
  const samples = [...ADDRESSES].flatMap(([hex, n]) => Array<number>(n).fill(Number.parseInt(hex, 16)));
  const addresses = [...new Set(samples)];
  const table = (id: string) => ({
    meta: { interval: 1, preprocessedProfileVersion: 57 },
    libs: [{ name: 'levels', path: OBJECT, codeId: id }],
    shared: {
      stackTable: { length: addresses.length, frame: addresses.map((_, i) => i), prefix: addresses.map(() => null) },
      frameTable: { address: addresses, func: addresses.map((_, i) => i), inlineDepth: addresses.map(() => 0) },
      funcTable: { name: addresses.map((_, i) => i), resource: addresses.map(() => 0) },
      resourceTable: { lib: [0], name: [0], type: [1] },
      stringArray: addresses.map((a) => `0x${a.toString(16)}`),
    },
    threads: [
      {
        name: 'levels',
        pid: '7',
        tid: 7,
        samples: { stack: samples.map((a) => addresses.indexOf(a)), timeDeltas: samples.map(() => 1) },
      },
    ],
  });
  const elf = readElf(openFileBytes(BINARY));
  assert.ok(typeof elf !== 'string' && elf.buildId !== null);
  const own = JSON.stringify(table(elf.buildId));
  assert.deepEqual(sorted(await byAddress(own)), sorted(ADDRESSES));
  const profile = await load(own, BINARY);
  const names = (of: typeof profile) => [...new Set(Array.from(of.routines.name.keys(), (r) => routineName(of, r)))];
  const named = names(profile).filter((name) => !/^0x/.test(name));
  assert.ok(named.includes('spin') && named.includes('sieve'), named.join());
  assert.ok(profile.times, 'samples keep their times');
  // Another build gives no names, unless the user says so.
  const other = JSON.stringify(table('00ff'.repeat(10)));
  const nameless = await load(other, BINARY);
  assert.deepEqual(names(nameless), ['0x... [levels]']);
  assert.match(
    nameless.warnings.map((w) => w.found).join(),
    /its build ID is [0-9a-f]{40}, not (00ff){10}: it gives no names .*anyway/,
  );
  assert.deepEqual(
    nameless.warnings.filter((w) => w.sign === 'OBJECT CHANGED'),
    [],
  );
  const anyway = await load(other, BINARY, true);
  assert.ok(names(anyway).includes('spin'));
  assert.ok(anyway.warnings.some((w) => w.sign === 'OBJECT CHANGED' && /its build ID is/.test(w.found)));
  // Without the object, addresses of a library are one routine.
  assert.deepEqual(names(await load(own, undefined)), ['0x... [levels]']);
});

test('one large function leaves several places, and no name leaves none', async () => {
  const elf = readElf(openFileBytes(BINARY));
  assert.ok(typeof elf !== 'string');
  const at = async (name: string, address: number) => (await findLoadBiases([elf], new Map([[1, [{ address, name }]]]))).get(1);
  assert.equal(await at('spin', 0x55550000011c2), 0x5555000000000);
  assert.equal(await at('nothing_of_this', 0x11c2), undefined);
  assert.equal(await at('operator new(unsigned long)', 0x11c2), undefined);
  // It is outside of the function in any page.
  assert.equal(await at('spin', 0x1500), Number.NaN);
});

test('an object was rebuilt only if a name is elsewhere: where no name can be compared, that is what is said', async () => {
  const named = inProcesses(TEXT, [0x5555_5555_4000]);
  const said = async (text: string) => (await load(text, BINARY)).warnings.map(({ found }) => found).join();
  const renamed = (name: string) => named.replace(/^(\s+[0-9a-f]+ )\S+( \(\/home\/dev)/gm, `$1${name}$2`);
  assert.doesNotMatch(await said(named), /rebuilt|where it was loaded/);
  // perf names stubs of calls even in programs without symbols.
  assert.match(await said(renamed('[unknown]')), /the profile has no name in levels that tells where it was loaded/);
  assert.doesNotMatch(await said(renamed('qsort@plt')), /rebuilt/);
  const elsewhere = named.replace(/^(\s+)([0-9a-f]+)( \S+ \(\/home\/dev)/gm, (_, blank, a, rest) => {
    const moved = Number.parseInt(a, 16) + 0x777 * (1 + (Number.parseInt(a, 16) % 13));
    return `${blank}${moved.toString(16)}${rest}`;
  });
  const notes = (await load(elsewhere, BINARY)).notes ?? [];
  assert.ok(
    notes.some((note) => /its functions are not where the profile has them/.test(note)),
    notes.join(),
  );
});

test('the header of perf script and records of mappings before the first sample are no reason to refuse the file', async () => {
  const header = ['# ========', '# captured on    : Mon Nov 30 04:00:00 2026', '# cmdline : perf record ./levels'];
  const features = Array.from({ length: 200 }, (_, k) => `# sibling sockets : ${k}, and more of it`);
  const line = (k: number) =>
    `levels 5 ${k}.000000: PERF_RECORD_MMAP2 5/5: [0x${(k * 4096).toString(16)}(0x1000) @ 0 08:01 1 2]: r-xp /lib/l${k}.so`;
  const records = Array.from({ length: 300 }, (_, k) => line(k + 1));
  const samples = (await load(TEXT, BINARY)).stacks.part.length;
  for (const before of [[...header, ...features], records, [...header, ...records]]) {
    assert.ok(before.join('\n').length > 4096);
    const profile = await load(`${before.join('\n')}\n${TEXT}`, BINARY);
    assert.equal(profile.stacks.part.length, samples);
  }
});
