// Heap profiles as text: each flavour against the sites that it was written from, and against allocations that were sampled here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { defaultEvent } from '../../src/analysis/answers/analysis.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { FormatError } from '../../src/base/problem.ts';
import { heapText, scaleSampled } from '../../src/formats/heap-text.ts';
import { chooseLoader } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import { eventValue } from '../../src/model/head.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { loadBytes } from '../support/load.ts';

/** Objects and bytes in use and allocated, and the innermost frame's return address. */
const SITES = [
  [1, 64, 1, 64, 0x4011f6],
  [3, 98304, 9, 294912, 0x4011f6],
  [0, 0, 40, 2621440, 0x40125a],
  [5, 5242880, 7, 7340032, 0x4012c1],
] as const;
const RATE = 524288;
const NAMES = ['inuse_objects', 'inuse_space', 'alloc_objects', 'alloc_space'];

async function load(bytes: Uint8Array | string) {
  const data = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  assert.equal(chooseLoader(data.subarray(0, 4096), 'unknown'), heapText);
  const profile = profileOf(await loadBytes(heapText, data), 'stacks');
  assert.deepEqual(checkProfile(profile), []);
  return profile;
}

type Loaded = Awaited<ReturnType<typeof load>>;

function totalsOf(profile: Loaded): Record<string, number> {
  const { totals } = analysisOf(profile, 'stacks');
  return Object.fromEntries(profile.events.map((e) => [e.name, eventValue(e, totals.total, 0)]));
}

/** Self cost of the event that opens, by routine; those that cost nothing are left out. */
function selfOf(profile: Loaded): Record<string, number> {
  const analysis = analysisOf(profile, 'stacks');
  const event = defaultEvent(analysis);
  const all = Array.from(
    profile.routines.name,
    (_, r) => [routineName(profile, r), eventValue(event, analysis.totals.self, r)] as const,
  );
  return Object.fromEntries(all.filter(([, cost]) => cost !== 0));
}

const fixture = (name: string) => load(readMaybeGz(join(FIXTURES, 'heap-text', name)));
const sum = (of: (site: (typeof SITES)[number]) => number): number => SITES.reduce((n, site) => n + of(site), 0);
/** An allocation of S bytes is met with the probability 1 - exp(-S/rate). */
const chance = (objects: number, bytes: number) => (objects === 0 ? 1 : 1 - Math.exp(-bytes / objects / RATE));

test('all allocations: counts as they are written, and their sums those of the first line', async () => {
  const profile = await fixture('all.heap');
  const [objects, bytes, allObjects, allBytes] = /(\d+): +(\d+) \[ +(\d+): +(\d+)\]/
    .exec(readFileSync(join(FIXTURES, 'heap-text/all.heap'), 'utf8'))!
    .slice(1)
    .map(Number);
  assert.deepEqual(totalsOf(profile), {
    inuse_space: bytes,
    alloc_space: allBytes,
    inuse_objects: objects,
    alloc_objects: allObjects,
  });
  assert.deepEqual(
    profile.warnings.filter((w) => /add up/.test(w.expected)),
    [],
  );
  // No object is here that would name the addresses: they are one routine.
  assert.deepEqual(Object.values(selfOf(profile)), [bytes]);
});

for (const name of ['sampled.heap', 'go.heap', 'jemalloc.heap'])
  test(`${name}: sampled sites stand for what they were sampled from`, async () => {
    const found = totalsOf(await fixture(name));
    const wanted = NAMES.map((_, column) =>
      sum((site) => Math.trunc(site[column] / chance(site[column & ~1], site[(column & ~1) + 1]))),
    );
    assert.deepEqual(
      NAMES.map((event) => found[event]),
      wanted,
    );
  });

test('growth has what is in use alone, and Java names come with the profile', async () => {
  const growth = totalsOf(await fixture('growth.heap'));
  assert.deepEqual(growth, { inuse_space: sum((s) => s[1]), inuse_objects: sum((s) => s[0]) });
  const java = selfOf(await fixture('java.heap'));
  assert.deepEqual(Object.keys(java).sort(), ['com.example.Grow.buffer', 'com.example.Grow.table']);
  assert.equal(java['com.example.Grow.table'], Math.trunc(5242880 / chance(5, 5242880)));
});

test('Go: functions are named below each stack, inlined ones too, and what the runtime allocates belongs to its caller', async () => {
  const profile = await fixture('go.heap');
  const names = Array.from(profile.routines.name, (_, r) => routineName(profile, r));
  for (const name of [
    'main.buffer',
    'main.reserve',
    'main.scratch',
    'main.table',
    'main.load',
    'main.parse',
    'main.main',
    'runtime.main',
  ])
    assert.ok(names.includes(name), name);
  const { frames, stacks } = profile;
  const stack = Array.from(stacks.frame.subarray(stacks.start[0], stacks.start[1]), (f) => [
    routineName(profile, frames.routine[f]),
    frames.line[f],
  ]);
  // The address in front, of mallocgc, has no name in the file: it is the runtime's.
  assert.deepEqual(stack.slice(0, 4), [
    ['main.buffer', 12],
    ['main.reserve', 30],
    ['main.load', 17],
    ['main.main', 40],
  ]);
});

test('two stacks of one frame name it once', async () => {
  const site = '1: 10 [1: 10] @ 0x101\n#\t0x100\tmain.f+0x1\t/a.go:1\n\n';
  const profile = await load(`heap profile: 2: 20 [2: 20] @ heapprofile\n${site}${site}`);
  assert.equal(profile.stacks.frame.length, 1);
});

test('frames of the allocator are left out where they are innermost, and nowhere else', async () => {
  const text =
    'heap profile: 1: 10 [1: 10] @ heapprofile\n1: 10 [1: 10] @ 0x101 0x201 0x301 0x201\n' +
    '#\t0x100\tmalloc+0x1\t/m.c:1\n#\t0x200\toperator new(unsigned long)+0x1\t/n.c:1\n#\t0x300\tmain+0x1\t/x.c:1\n';
  const profile = await load(text.replace('operator new(unsigned long)', 'tc_new'));
  const { frames, stacks } = profile;
  assert.deepEqual(
    Array.from(stacks.frame, (f) => routineName(profile, frames.routine[f])),
    ['main', 'tc_new'],
  );
  assert.match(profile.notes!.join(), /2 frames of the allocator left out/);
});

test('estimates are right on the average: allocations of known sizes, sampled by a Poisson process', () => {
  let seed = 88172645;
  const random = () => {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    return (seed >>> 0) / 2 ** 32;
  };
  for (const size of [1000, 100_000, 1_000_000]) {
    const made = 400_000;
    let met = 0;
    let left = -Math.log(1 - random()) * RATE;
    for (let i = 0; i < made; i++) {
      left -= size;
      if (left > 0) continue;
      met++;
      left = -Math.log(1 - random()) * RATE;
    }
    const [objects, bytes] = scaleSampled(met, met * size, RATE);
    // Four standard deviations of so many samples.
    const most = 4 / Math.sqrt(met);
    assert.ok(Math.abs(objects / made - 1) < most, `${size}: ${objects} of ${made}`);
    assert.ok(Math.abs(bytes / (made * size) - 1) < most);
  }
});

test('sums that differ from the first line are said; broken lines are refused by number', async () => {
  const cut = await load('heap profile: 2: 30 [2: 30] @ heapprofile\n1: 10 [1: 10] @ 0x100\n');
  assert.ok(cut.warnings.some((w) => /add up to 2 objects in use/.test(w.expected) && w.found === '1'));
  for (const [text, line] of [
    ['heap profile: 1: 10 [1: 10] @ heapprofile\n1: 10 @ 0x100\n', 2],
    ['heap profile: 1: 10 [1: 10] @ heapprofile\n1: 10 [1: 10] @ zzz\n', 2],
    ['heap_v2/512\n  t*: 1: 10 [0: 0]\n@ 0x1 0x2\n  nonsense\n', 4],
  ] as const)
    await assert.rejects(load(text), (e) => e instanceof FormatError && e.problem.line === line);
});

test('a profile of Go is no text of perf script, whatever its counts', async () => {
  for (const text of [
    'heap profile: 13: 1595680 [47130736: 2584596557304] @ heap/1048576\n',
    'heap profile: 1: 2 [3: 4] @ heap_v2/1\n',
  ])
    assert.equal(chooseLoader(Buffer.from(`${text}1: 2 [3: 4] @ 0x420cef 0x422151\n`), 'x.perf'), heapText);
});

test('objects of next to no bytes stand for many, and not for infinitely many', () => {
  // 1 - exp(-x) is x for a small x.
  const [objects, bytes] = scaleSampled(2_564_294_967_295, 4, 84_587);
  const scale = 84_587 / (4 / 2_564_294_967_295);
  assert.ok(Math.abs(objects / (2_564_294_967_295 * scale) - 1) < 1e-12 && Math.abs(bytes / (4 * scale) - 1) < 1e-12);
});

test('a jemalloc profile that ends before its last site is cut off, wherever that is', async () => {
  const lines = readMaybeGz(join(FIXTURES, 'heap-text/jemalloc.heap')).toString().split('\n');
  const end = lines.findIndex((line) => line.startsWith('MAPPED_LIBRARIES'));
  const lastCounts = lines.slice(0, end).findLastIndex((line) => line.startsWith('  t*'));
  for (let k = 3; k <= end; k++) {
    const { cut } = await loadBytes(heapText, Buffer.from(`${lines.slice(0, k).join('\n')}\n`));
    assert.equal(cut !== undefined, k <= lastCounts, `${k} of ${lastCounts}`);
  }
});
