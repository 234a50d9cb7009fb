// The fuzzer with a fixed seed, all finds that were kept, and the fuzzer itself: it finds what it is for.
import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { Child } from '../fuzz/child.ts';
import { type Failure, keyOf } from '../fuzz/failure.ts';
import { findsIn, trialsOf } from '../fuzz/finds.ts';
import { fuzz, judged } from '../fuzz/fuzz.ts';
import { toBytes, toText } from '../fuzz/input.ts';
import { TARGETS } from '../fuzz/seeds.ts';
import { shrink } from '../fuzz/shrink.ts';
import { readBeacon } from '../fuzz/steps.ts';
import { rawIn } from '../fuzz/texts.ts';
import { makeTrial } from '../fuzz/trial.ts';
import { FIXTURES } from './support/fixtures.ts';
import { long, longest } from './support/long.ts';

const [FEW, MANY] = [40, 300];
const SEED = 'continuous integration';
const WATCHDOG_MS = 10_000;

/** Does the work of each item, so many at a time, each of them with a worker of its own. */
async function withWorkers<T>(items: readonly T[], work: (item: T, child: Child) => Promise<void>): Promise<void> {
  const left = [...items];
  const workers = Array.from({ length: Math.min(2, availableParallelism()) }, async () => {
    const child = new Child();
    try {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item, child);
    } finally {
      child.close();
    }
  });
  await Promise.all(workers);
}

const told = (failure: Failure, about: string) => `${about}: ${keyOf(failure)}\n${failure.detail}`;

async function findsNothing(inputs: number): Promise<void> {
  const found: string[] = [];
  await withWorkers(TARGETS, async (target, child) => {
    const options = { seed: SEED, inputs, seconds: Number.POSITIVE_INFINITY, watchdogMs: WATCHDOG_MS, shrinkSeconds: 0 };
    const result = await fuzz(target, child, options);
    assert.ok(result.inputs === inputs || result.finds.length > 0);
    // What cannot be read says little of what comes after reading; a strict format refuses most of what was mutated.
    if (result.finds.length === 0) assert.ok(result.loaded > inputs / 6, `${target}: ${result.loaded} inputs could be read`);
    for (const { input, failure } of result.finds) found.push(told(failure, `${target}, input ${input}`));
  });
  assert.deepEqual(
    found,
    [],
    `npm run fuzz -- FORMAT --inputs ${inputs} --seed '${SEED}' makes them small:\n${found.join('\n\n')}`,
  );
}

long(`${FEW} inputs of every format: nothing is found`, () => findsNothing(FEW));

longest(`${MANY} inputs of every format: nothing is found`, () => findsNothing(MANY));

long('nothing is wrong with what was found once', async () => {
  const finds = findsIn(join(FIXTURES, 'finds'));
  assert.ok(finds.length > 0);
  const found: string[] = [];
  await withWorkers(finds, async ({ path, target }, child) => {
    assert.ok(TARGETS.includes(target), `${path} starts with the name of a format`);
    const wrong = new Map<string, string>();
    for (const trial of trialsOf(path, target))
      for (const failure of await judged(child, trial, WATCHDOG_MS)) wrong.set(keyOf(failure), told(failure, path));
    found.push(...wrong.values());
  });
  assert.deepEqual(found, [], found.join('\n\n'));
});

long('the same seed gives the same inputs, another seed others', () => {
  for (const target of TARGETS) {
    const of = (seed: string) => Array.from({ length: 20 }, (_, i) => JSON.stringify(makeTrial(target, seed, i)));
    assert.deepEqual(of('a'), of('a'));
    assert.notDeepEqual(of('a'), of('b'));
  }
});

test('inputs are of a size that is quick to read', () => {
  const sizes = Array.from({ length: 300 }, (_, i) => makeTrial('callgrind', 'sizes', i).input.files[0].bytes.length);
  assert.ok(sizes.every((n) => n <= 1 << 20));
  assert.ok(sizes.filter((n) => n <= 64 << 10).length > 280);
});

test('a find is made small, and keeps what makes it fail', async () => {
  const text = Array.from({ length: 200 }, (_, i) => `line ${i} of a long file`).join('\n');
  const trial = makeTrial('callgrind', 'shrink', 0);
  const given = { ...trial, input: { opened: 1, files: [{ path: 'a', bytes: toBytes(`${text}\nxBADx\n${text}`) }] } };
  const small = await shrink(given, async (t) => toText(t.input.files[0].bytes).includes('BAD'), Date.now() + WATCHDOG_MS);
  assert.equal(toText(small.input.files[0].bytes), 'BAD');
  assert.deepEqual(small.plan.keys, []);
});

long('a worker that does not answer, or dies, is noticed', async () => {
  const child = new Child(new URL('support/bad-worker.mjs', import.meta.url));
  const trial = makeTrial('callgrind', 'any', 0);
  const named = (path: string) => ({ ...trial, input: { opened: 1, files: [{ path, bytes: toBytes('') }] } });
  const [hang] = await judged(child, named('hang'), 1000);
  assert.equal(keyOf(hang), 'hang in load: no end');
  const [death] = await judged(child, named('die'), WATCHDOG_MS);
  assert.match(keyOf(death), /^abort in load: /);
  assert.deepEqual(await judged(child, named('fine'), WATCHDOG_MS), []);
  child.close();
});

test('raw characters are seen, and what only looks odd is not', () => {
  for (const raw of ['a\u001b[0m', 'a\u0085', 'a\u202eb', '\ud800', 'x\udc00']) assert.ok(rawIn(raw), JSON.stringify(raw));
  for (const fine of ['plain', '\u65e5\u672c', '\u{1f469}\u200d\u{1f469}', '␛[0m']) assert.equal(rawIn(fine), undefined);
  assert.deepEqual(readBeacon('3 17 report tree json   '), { count: 3, input: 17, step: 'report tree json' });
});
