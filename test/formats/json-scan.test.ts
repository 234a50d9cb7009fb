// What is written plainly is read from its bytes, the rest by JSON.parse: both ways must say the same of any file, or refuse it for the same reason.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { FormatError } from '../../src/base/problem.ts';
import type { Loader } from '../../src/formats/loader.ts';
import { loadsObject } from '../../src/formats/shared/json-object.ts';
import { Reader as ProfileReader, speedscope } from '../../src/formats/speedscope.ts';
import { checkProfile } from '../../src/model/check.ts';
import { dumpProfile } from '../support/dump.ts';
import { FIXTURES, namesIn, readMaybeGz } from '../support/fixtures.ts';
import { loadBytes } from '../support/load.ts';
import { long, most } from '../support/long.ts';

/** Elements and lists that were read from their bytes. */
let taken = 0;

class CountedProfiles extends ProfileReader {
  override quick(...given: Parameters<ProfileReader['quick']>): number {
    const to = super.quick(...given);
    if (to > 0) taken++;
    return to;
  }
}
class ParsedProfiles extends ProfileReader {
  override quick(): number {
    return -1;
  }
}
const fromBytes: Record<string, Loader> = {
  speedscope: { ...speedscope, load: loadsObject('profiles', CountedProfiles) },
};
const parsed: Record<string, Loader> = {
  speedscope: { ...speedscope, load: loadsObject('profiles', ParsedProfiles) },
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

for (const [format, names, least] of [['speedscope', /\.speedscope\.json$/, 4]] as const)
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
for (const [format, made] of [['speedscope', scope]] as const)
  long(`${format}: any profile, right or broken, is read from its bytes as JSON.parse reads it`, async () => {
    let right = 0;
    await fc.assert(
      fc.asyncProperty(made, fc.boolean(), broken, async (profile, spaced, [at, piece, without]) => {
        const text = JSON.stringify(profile, null, spaced ? 1 : 0);
        if (!(await agrees(format, text)).startsWith('refused')) right++;
        const cut = at % text.length;
        await agrees(format, text.slice(0, cut) + piece + text.slice(cut + without));
      }),
      { numRuns: most(300) },
    );
    assert.ok(right > most(90), `${right} were right`);
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
});

// --- Paths of callers

test('speedscope: events are the samples between them', async () => {
  const shared = { frames: ['a', 'b', 'a', 'c'].map((name) => ({ name })) };
  const of = (profile: object) => said(speedscope, Buffer.from(JSON.stringify({ shared, profiles: [profile, profile] })));
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
      const about = { name: 'p', unit: 'none', startValue: 0, endValue: at };
      assert.equal(await of({ type: 'evented', ...about, events }), await of({ type: 'sampled', ...about, samples, weights }));
    }),
    { numRuns: 200 },
  );
});
