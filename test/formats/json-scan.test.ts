// What is written plainly is read from its bytes, the rest by JSON.parse: both ways must say the same of any file, or refuse it for the same reason.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { FormatError } from '../../src/base/problem.ts';
import { buildTrace, BuildTraceReader as EventReader } from '../../src/formats/build-trace.ts';
import { cpuprofile, CpuprofileReader as NodeReader } from '../../src/formats/cpuprofile.ts';
import type { Loader } from '../../src/formats/loader.ts';
import { valueEnd } from '../../src/formats/shared/json.ts';
import { makeObjectLoader } from '../../src/formats/shared/json-object.ts';
import { makeLineLoader } from '../../src/formats/shared/stream.ts';
import { SpeedscopeReader as ProfileReader, speedscope } from '../../src/formats/speedscope.ts';
import { checkProfile } from '../../src/model/check.ts';
import { stringAt } from '../../src/model/strings.ts';
import { dumpProfile } from '../support/dump.ts';
import { FIXTURES, namesIn, readMaybeGz } from '../support/fixtures.ts';
import { profileOf } from '../support/kinds.ts';
import { loadBytes } from '../support/load.ts';
import { long, most } from '../support/long.ts';

/** Elements and lists that were read from their bytes. */
let taken = 0;

class CountedNodes extends NodeReader {
  override readPlainElement(...given: Parameters<NodeReader['readPlainElement']>): number {
    const to = super.readPlainElement(...given);
    if (to > 0) taken++;
    return to;
  }
  override readPlainMember(...given: Parameters<NodeReader['readPlainMember']>): boolean {
    const isTaken = super.readPlainMember(...given);
    if (isTaken) taken++;
    return isTaken;
  }
}
class ParsedNodes extends NodeReader {
  override readPlainElement(): number {
    return -1;
  }
  override readPlainMember(): boolean {
    return false;
  }
}
class CountedEvents extends EventReader {
  override readPlainEvent(...given: Parameters<EventReader['readPlainEvent']>): boolean {
    const isTaken = super.readPlainEvent(...given);
    if (isTaken) taken++;
    return isTaken;
  }
}
class ParsedEvents extends EventReader {
  override readPlainEvent(): boolean {
    return false;
  }
}
class CountedProfiles extends ProfileReader {
  override readPlainElement(...given: Parameters<ProfileReader['readPlainElement']>): number {
    const to = super.readPlainElement(...given);
    if (to > 0) taken++;
    return to;
  }
}
class ParsedProfiles extends ProfileReader {
  override readPlainElement(): number {
    return -1;
  }
}
const fromBytes: Record<string, Loader> = {
  'build-trace': { ...buildTrace, load: makeLineLoader(CountedEvents, 'a build trace') },
  cpuprofile: { ...cpuprofile, load: makeObjectLoader('nodes', CountedNodes) },
  speedscope: { ...speedscope, load: makeObjectLoader('profiles', CountedProfiles) },
};
const parsed: Record<string, Loader> = {
  'build-trace': { ...buildTrace, load: makeLineLoader(ParsedEvents, 'a build trace') },
  cpuprofile: { ...cpuprofile, load: makeObjectLoader('nodes', ParsedNodes) },
  speedscope: { ...speedscope, load: makeObjectLoader('profiles', ParsedProfiles) },
};

/** A profile as text, or why it is refused. */
async function said(loader: Loader, bytes: Uint8Array, chunk?: number): Promise<string> {
  try {
    const profile = await loadBytes(loader, bytes, chunk);
    assert.deepEqual(checkProfile(profile), []);
    const times = profile.kind === 'stacks' && profile.times ? Object.values(profile.times).map(String) : [];
    const notes = profile.parts.map((part) => part.notes);
    return [...dumpProfile(profile), ...times, JSON.stringify(notes)].join('\n');
  } catch (error) {
    assert.ok(error instanceof FormatError, String(error instanceof Error ? error.stack : error));
    return `refused: ${JSON.stringify(error.problem)}`;
  }
}

const PIECES = [1, 7, 4096];
async function agrees(format: string, text: string | Uint8Array, pieces: readonly number[] = PIECES): Promise<string> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  let last = '';
  for (const piece of pieces) {
    last = await said(parsed[format], bytes, piece);
    assert.equal(await said(fromBytes[format], bytes, piece), last, `in pieces of ${piece}`);
  }
  return last;
}

for (const [format, names, least] of [
  ['build-trace', /\.trace(\.gz)?$/, 300],
  ['cpuprofile', /\.cpuprofile(\.gz)?$/, 500],
  ['speedscope', /\.speedscope\.json$/, 4],
] as const)
  long(`${format}: fixtures are read from their bytes as JSON.parse reads them`, async () => {
    taken = 0;
    for (const name of namesIn(`${FIXTURES}/${format}`, names)) {
      const bytes = readMaybeGz(`${FIXTURES}/${format}/${name}`);
      await agrees(format, bytes, bytes.length > 1 << 16 ? [4096] : PIECES);
    }
    assert.ok(taken >= least, `${taken} were read from their bytes`);
  });

/** Mostly `usual`, else anything. */
const mostly = (usual: fc.Arbitrary<unknown>, weight = 30) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: fc.oneof(odd, fc.jsonValue({ maxDepth: 2 })) });
const odd = fc.constantFrom(-0, 0.1 + 0.2, 1e-7, 1e21, 1e300, 2 ** 53, 123456789012345680000, -3, 1.5, null, 'x', [], [1], {});
const word = fc.constantFrom('f', 'g', '(root)', '(anonymous)', '', 'ä', 'a"b\\', '__proto__');
const some = <T>(element: fc.Arbitrary<T>, maxLength = 5) => fc.array(element, { maxLength });
const record = (fields: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[]) =>
  fc.record(fields, { requiredKeys, noNullPrototype: true });

const space = fc.constantFrom(0, 1);
const id = fc.oneof(
  { weight: 9, arbitrary: fc.nat(5) },
  { weight: 1, arbitrary: fc.constantFrom('1', -1, '-1', 1.5, null, 2 ** 60) },
);
const event = record(
  {
    id: mostly(id),
    parent_id: mostly(id),
    work_dir: mostly(word),
    executable: mostly(fc.constantFrom('/bin/sh', 'gcc', '')),
    args: mostly(some(mostly(word, 99), 3)),
    'env-diff': mostly(fc.dictionary(word, mostly(word), { maxKeys: 2 })),
    version: odd,
  },
  ['id', 'parent_id', 'work_dir', 'executable', 'args'],
);
const lineEnd = fc.constantFrom('\n', '\n', '\r\n', ',\n', ' ', '\n\n');
const trace = fc
  .tuple(fc.array(fc.tuple(event, lineEnd), { maxLength: 8 }), space)
  .map(([events, by]) => `{"version":101}\n${events.map(([value, end]) => JSON.stringify(value, null, by) + end).join('')}`);

const callFrame = record(
  {
    functionName: mostly(word),
    url: fc.constantFrom('', 'a.js', 'file:///a%20b.js', 'file://%zz'),
    lineNumber: mostly(fc.nat(3)),
  },
  [],
);
const tick = record({ line: mostly(fc.nat(9)), ticks: mostly(fc.nat(3)), id: odd }, ['line', 'ticks']);
const node = record(
  {
    callFrame: mostly(callFrame, 99),
    hitCount: mostly(fc.nat(3)),
    children: mostly(some(mostly(fc.integer({ min: 2, max: 9 })), 2)),
    parent: mostly(fc.nat(4), 3),
    positionTicks: mostly(some(mostly(tick), 3)),
    line: odd,
  },
  ['callFrame', 'hitCount'],
);
const v8 = fc
  .record({
    nodes: fc.array(node, { minLength: 1, maxLength: 8 }),
    taken: some(fc.tuple(mostly(fc.nat(7), 99), mostly(fc.integer({ min: -1, max: 9 }), 99)), 12),
    more: record({ startTime: mostly(fc.nat(9)), endTime: mostly(fc.nat(99)) }, []),
    timed: fc.boolean(),
  })
  .map(({ nodes, taken, more, timed }) => ({
    nodes: nodes.map((n, i) => ({ id: i + 1, ...n })),
    ...more,
    ...(timed
      ? { samples: taken.map(([n]) => (typeof n === 'number' ? 1 + (n % nodes.length) : n)), timeDeltas: taken.map(([, d]) => d) }
      : {}),
  }));

const frames = some(mostly(record({ name: mostly(word), file: fc.constantFrom('a.c', null), line: mostly(fc.nat(3)) }, []), 99));
const unit = fc.constantFrom('none', 'seconds', 'bytes', 'microseconds');
const about = { name: mostly(word), unit: mostly(unit, 99), startValue: mostly(fc.nat(9)), endValue: mostly(fc.nat(99)) };
const sampled = fc
  .tuple(
    record({ type: fc.constant('sampled'), ...about }, ['type']),
    some(fc.tuple(mostly(some(mostly(fc.nat(1), 99)), 99), mostly(fc.nat(9)))),
  )
  .map(([profile, of]) => ({ ...profile, samples: of.map(([stack]) => stack), weights: of.map(([, weight]) => weight) }));
const scope = fc.tuple(frames, some(sampled, 3), fc.boolean()).map(([list, profiles, before]) => {
  const shared = { frames: [{ name: 'a' }, { name: 'b' }, ...list] };
  return before ? { exporter: 'x', shared, profiles } : { profiles, shared };
});

/** The same, and as somebody has broken it: a piece put in, or some bytes left out. */
const broken = fc.tuple(
  fc.nat(),
  fc.constantFrom('', '', '[', ']', '{', '}', ',', '"', ':', '0', '-', '.', 'e5', ' ', '\\u0061', 'ä', '\u0001'),
  fc.nat(2),
);
const textOf = (value: fc.Arbitrary<object>) => fc.tuple(value, space).map(([made, by]) => JSON.stringify(made, null, by));
for (const [format, made] of [
  ['build-trace', trace],
  ['cpuprofile', textOf(v8)],
  ['speedscope', textOf(scope)],
] as const)
  long(`${format}: any profile, right or broken, is read from its bytes as JSON.parse reads it`, async () => {
    let right = 0;
    await fc.assert(
      fc.asyncProperty(made, broken, async (text, [at, piece, without]) => {
        if (!(await agrees(format, text)).startsWith('refused')) right++;
        const cut = at % text.length;
        await agrees(format, text.slice(0, cut) + piece + text.slice(cut + without));
      }),
      { numRuns: most(300) },
    );
    assert.ok(right > most(90), `${right} were right`);
  });

test('a file that is broken behind a wrong frame or unit is refused for its JSON', async () => {
  const frames = { frames: [{ name: 'a' }] };
  for (const [wrong, refused] of [
    [{ samples: [[1e300]] }, 'the number of a shared frame'],
    [{ unit: 'stones', samples: [[0]] }, 'a unit of'],
  ] as const) {
    const profile = { type: 'sampled', name: 'x', unit: 'none', ...wrong, weights: [1] };
    const text = JSON.stringify({ shared: frames, profiles: [profile, profile] });
    assert.match(await agrees('speedscope', text), new RegExp(refused));
    assert.match(await agrees('speedscope', text.replace('"weights":[1]', '"weights":[1')), /"expected":"a profile"/);
  }
});

test('lists and profiles that are plain are read from their bytes', async () => {
  const samples = [[0, 1], [], [1, 1, 0]];
  const profile = { type: 'sampled', name: 'Thread "1" ä', unit: 'seconds', samples, weights: [0.1 + 0.2, 1e-7, 5] };
  const shared = { frames: [{ name: 'a' }, { name: 'b' }] };
  for (const text of [
    { shared, profiles: [profile] },
    { profiles: [profile, profile], shared },
  ]) {
    taken = 0;
    assert.match(await agrees('speedscope', JSON.stringify(text), [1 << 20]), /stack/);
    assert.equal(taken, text.profiles.length);
  }
  taken = 0;
  const frame = { functionName: 'f', scriptId: '1', url: 'a.js', lineNumber: 0, columnNumber: 1 };
  const root = { id: 1, callFrame: frame, hitCount: 1, children: [], positionTicks: [{ line: 1, ticks: 1 }] };
  const text = JSON.stringify({ nodes: [root, { ...root, id: 2 }], startTime: 0, endTime: 9, samples: [1], timeDeltas: [-3] });
  assert.match(await agrees('cpuprofile', text, [1 << 20]), /stack/);
  assert.equal(taken, 4);
});

test('speedscope: samples are rows in whatever order a profile has its keys', async () => {
  const [name, unit, samples, weights] = ['p', 'none', [[0, 1], [1], [0, 1]], [1, 2, 3]];
  const frames = [{ name: 'a' }, { name: 'b' }];
  const of = (profile: object) => said(speedscope, Buffer.from(JSON.stringify({ shared: { frames }, profiles: [profile] })));
  const first = await of({ type: 'sampled', name, unit, samples, weights });
  assert.match(first, /stack/);
  // As a tool writes them that sorts keys.
  assert.equal(await of({ name, samples, type: 'sampled', unit, weights }), first);
  assert.equal(await of({ samples, weights, unit, type: 'sampled', name }), first);
  assert.match(await of({ name, samples, type: 'sampled', unit: 'parsecs', weights }), /refused.*a unit of none/);
});

test('speedscope: of two errors in one profile, the same one is named in whatever order the file has its members', async () => {
  const shared = { frames: [{ name: 'a' }] };
  const profile = { type: 'sampled', name: 'p', unit: 'none', samples: [[-3]], weights: [1e300] };
  for (const weights of [[1e300], [1, 1]])
    for (const text of [
      { shared, profiles: [{ ...profile, weights }] },
      { profiles: [{ ...profile, weights }], shared },
    ])
      assert.match(await agrees('speedscope', JSON.stringify(text)), /refused.*the number of a shared frame/);
});

test('the end of a value is found in long lists of numbers and texts', () => {
  const number = fc.oneof(fc.nat(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
  const element = fc.oneof(
    { weight: 20, arbitrary: number },
    { weight: 1, arbitrary: fc.string() },
    fc.array(number),
    fc.constant({}),
  );
  const lists = fc.array(element, { minLength: 400, maxLength: 900, size: 'max' });
  fc.assert(
    fc.property(lists, fc.nat(), fc.nat(7), fc.constantFrom(0, 1), (list, cut, before, by) => {
      const text = JSON.stringify(list, null, by);
      const bytes = Buffer.from(`${' '.repeat(before)}${text},"]`);
      const end = bytes.length - 3;
      assert.equal(valueEnd(bytes, before, bytes.length), end);
      assert.equal(valueEnd(bytes, before, before + (cut % (end - before))), -1);
    }),
    { numRuns: 100 },
  );
});

// --- Paths of callers

long('speedscope: events are the samples between them', async () => {
  const shared = { frames: ['a', 'b', 'a', 'c'].map((name) => ({ name })) };
  // Only samples can be empty, which a note counts.
  const of = async (profile: object) =>
    (await said(speedscope, Buffer.from(JSON.stringify({ shared, profiles: [profile, profile] })))).replace(
      /.*without a stack.*\n/g,
      '',
    );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(6), fc.nat(2)), { maxLength: 60 }), async (steps) => {
      const [open, events, samples, weights]: [number[], object[], number[][], number[]] = [[], [], [], []];
      let at = 0;
      for (const [frame, wait] of steps) {
        if (wait > 0) {
          samples.push([...open]);
          weights.push(wait);
        }
        at += wait;
        if (frame < 4) open.push(frame);
        else if (open.length === 0) continue;
        events.push(frame < 4 ? { type: 'O', frame, at } : { type: 'C', frame: open.pop(), at });
      }
      for (let frame = open.pop(); frame !== undefined; frame = open.pop()) events.push({ type: 'C', frame, at });
      const about = { name: 'p', unit: 'none', startValue: 0, endValue: at };
      assert.equal(await of({ type: 'evented', ...about, events }), await of({ type: 'sampled', ...about, samples, weights }));
    }),
    { numRuns: 200 },
  );
});

test('cpuprofile: the stack of a node is the walk to its root, and equal stacks are one', async () => {
  const call = fc.tuple(fc.nat(), fc.constantFrom('a', 'b', 'c', '(root)'), fc.nat(2));
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 40 }), fc.boolean(), async (calls, isReversed) => {
      const parents = calls.map(([parent], i) => (i === 0 ? -1 : parent % i));
      const nodes = calls.map(([, functionName, hitCount], i) => ({
        ...{ id: i, callFrame: { functionName }, hitCount },
        children: parents.flatMap((parent, child) => (parent === i ? [child] : [])),
      }));
      const expected = new Map<string, number>();
      calls.forEach(([, name, hits], i) => {
        if (hits === 0 || name === '(root)') return;
        const stack: string[] = [];
        for (let at = i; at >= 0; at = parents[at]) if (calls[at][1] !== '(root)') stack.push(calls[at][1]);
        expected.set(stack.join(), (expected.get(stack.join()) ?? 0) + hits);
      });
      const text = JSON.stringify({ nodes: isReversed ? nodes.reverse() : nodes });
      const { frames, routines, stacks, strings } = profileOf(await loadBytes(cpuprofile, Buffer.from(text)), 'stacks');
      const name = (f: number) => stringAt(strings, routines.name[frames.routine[f]]);
      const found = Array.from(stacks.part, (_, s): [string, number] => [
        Array.from(stacks.frame.subarray(stacks.start[s], stacks.start[s + 1]), name).join(),
        stacks.costs[0][s],
      ]);
      assert.equal(found.length, expected.size);
      assert.deepEqual(new Map(found), expected);
    }),
    { numRuns: 200 },
  );
});
