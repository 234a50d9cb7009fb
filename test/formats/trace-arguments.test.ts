// Which argument of events of one name is shown with it: TypeScript's, CMake's and rustc's traces, and generated ones against a plain reading.
import assert from 'node:assert/strict';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { stepText } from '../../src/analysis/answers/steps/steps.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { chooseGrouping } from '../../src/analysis/profiles/choices.ts';
import { granularitiesOf, regroup } from '../../src/analysis/profiles/granularity/stacks.ts';
import { traceEvents } from '../../src/formats/trace-events/index.ts';
import { profileOf } from '../support/kinds.ts';
import { loadText } from '../support/load.ts';
import { random as randomOf } from '../support/random.ts';

interface Slice {
  readonly name: string;
  readonly args: unknown;
}

async function detailsOf(slices: readonly Slice[], space = ''): Promise<(string | null)[]> {
  const events = slices.map((s, k) => ({ ...s, ph: 'X', pid: 1, tid: 1, ts: 10 * k, dur: 5 }));
  const profile = profileOf(await loadText(traceEvents, JSON.stringify(events, undefined, space)), 'steps');
  return Array.from(profile.steps.name.keys(), (step) => stepText(profile, 'detail', step));
}

const slices = (name: string, ...args: unknown[]): Slice[] => args.map((each) => ({ name, args: each }));

test('the argument with the most values names an event; of equals, the place', async () => {
  const tsc = slices('checkSourceFile', { path: '/a.ts', id: 1 }, { path: '/b.ts', id: 2 });
  const cmake = slices(
    'message',
    { functionArgs: 'STATUS one', location: 'CMakeLists.txt:1' },
    { functionArgs: 'STATUS two', location: 'CMakeLists.txt:2' },
  );
  const rustc = slices('typeck', { arg0: 'crate::a' }, { arg0: 'crate::b', crate: 'one' });
  for (const space of ['', ' '])
    assert.deepEqual(await detailsOf([...tsc, ...cmake, ...rustc], space), [
      ...['/a.ts', '/b.ts', 'CMakeLists.txt:1', 'CMakeLists.txt:2', 'crate::a', 'crate::b'],
    ]);
});

test('ids, numbers, equal values and nested objects name nothing; a detail stays what it is', async () => {
  const frames = slices('Paint', { frame: '0x1AF3C0', layer: 7, data: { url: 'x' } }, { frame: '0x1AF3C8', layer: 8, data: {} });
  const same = slices('Layout', { mode: 'full' }, { mode: 'full' });
  const clang = slices('Source', { detail: 'a.h', path: '/x/a.h' }, { detail: 'b.h', path: '/x/b.h' });
  assert.deepEqual(await detailsOf([...frames, ...same, ...clang]), [null, null, null, null, 'a.h', 'b.h']);
  assert.deepEqual(await detailsOf(slices('Layout', { mode: 'full' })), ['full'], 'a single event');
});

test('what is copied is what is parsed: escapes, nesting, keys as values, blanks', async () => {
  const random = randomOf(65);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const words = ['path', 'a b', 'say "x"', 'back\\slash', 'ü€', '{', 'value', ''];
  for (let run = 0; run < 60; run++) {
    const args = Array.from({ length: 8 }, (_, k) => {
      const path = `/dir/${k}/${pick(words)}`;
      const more = [{ kind: pick(words) }, { n: k }, { inner: { path: pick(words) } }, {}];
      return random() < 0.5 ? { ...pick(more), path, ...pick(more) } : { path, ...pick(more) };
    });
    const found = await detailsOf(slices('work', ...args), pick(['', ' ', '\t']));
    assert.deepEqual(
      found,
      args.map(({ path }) => path),
      JSON.stringify(args),
    );
  }
});

test('--by KEY groups slices by that argument; what can be grouped by is named', async () => {
  const events = [
    ['work', { path: '/a.ts', kind: 'call' }, 30],
    ['work', { path: '/b.ts', kind: 'call' }, 20],
    ['work', { path: '/a.ts', kind: 'read' }, 7],
    ['rest', { path: '/a.ts' }, 5],
    ['none', {}, 3],
  ] as const;
  const text = JSON.stringify(
    events.map(([name, args, dur], k) => ({ ...{ ph: 'X', pid: 1, tid: 1, ts: 100 * k }, name, args, dur })),
  );
  const profile = profileOf(await loadText(traceEvents, text), 'steps');
  assert.deepEqual(granularitiesOf(profile), ['routine', 'detail', 'path', 'kind']);
  const by = (name: string) => {
    const grouped = regroup(profile, { name, unknowns: 'object' });
    const { totals } = analyse(grouped, grouped.events);
    return Object.fromEntries(Array.from(totals.calls, (_, r) => [routineName(grouped, r), totals.self[0][r]]));
  };
  assert.deepEqual(by('path'), { 'work a.ts': 37, 'work b.ts': 20, 'rest a.ts': 5, none: 3 });
  assert.deepEqual(by('kind'), { 'work call': 50, 'work read': 7, rest: 5, none: 3 });
  assert.throws(
    () => chooseGrouping(profile, { name: 'line', unknowns: 'object' }),
    /--by line: this profile can be grouped by routine, detail, path, kind, file, directory, /,
  );
});
