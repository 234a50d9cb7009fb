// Heap profiles of V8: a walk over the parsed JSON, a program whose allocations are known, calls a thousand deep, and files that are wrong.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { routineFile, routineName } from '../../src/analysis/names/names.ts';
import { FormatError } from '../../src/base/problem.ts';
import { heapprofile } from '../../src/formats/heapprofile.ts';
import { checkProfile } from '../../src/model/check.ts';
import { eventValue } from '../../src/model/head.ts';
import type { Profile } from '../../src/model/profile.ts';
import { FIXTURES, namesIn, readMaybeGz } from '../support/fixtures.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { loadBytes, loadText } from '../support/load.ts';

const FOLDER = join(FIXTURES, 'heapprofile');

interface Node {
  readonly id?: number;
  readonly callFrame: { readonly functionName: string; readonly url?: string };
  readonly selfSize: number;
  readonly children?: readonly Node[] | null;
}
interface Json {
  readonly head: Node;
  readonly samples?: readonly { readonly nodeId: number }[];
}

/** Bytes and objects of functions by name and file, and the bytes of all below them. */
type Sums = Map<string, { self: number; all: number; objects: number }>;

const rowOf = (sums: Sums, key: string) => sums.get(key) ?? sums.set(key, { self: 0, all: 0, objects: 0 }).get(key)!; // just set

function walked({ head, samples = [] }: Json): Sums {
  const sums: Sums = new Map();
  const open: { node: Node; above: readonly string[] }[] = [{ node: head, above: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, above } = next;
    const { functionName, url = '' } = node.callFrame;
    const isRoot = functionName === '(root)';
    const key = `${functionName || '(anonymous)'} ${decodeURI(url.replace(/^file:\/\//, ''))}`;
    const path = isRoot ? above : [...above, key];
    const objects = samples.filter(({ nodeId }) => nodeId === node.id).length;
    const own = path.length > 0 ? path : [key];
    if (path.length > 0 || node.selfSize > 0) {
      const row = rowOf(sums, own[own.length - 1]);
      row.self += node.selfSize;
      row.objects += objects;
      for (const above of new Set(own)) rowOf(sums, above).all += node.selfSize;
    }
    for (const child of node.children ?? []) open.push({ node: child, above: path });
  }
  return sums;
}

/** The same of a profile, and the inclusive cost only of what is one routine. */
function loaded(profile: Profile): Sums {
  const { totals } = analysisOf(profile, 'stacks');
  const [space, samples] = profile.events;
  const sums: Sums = new Map();
  const routines = new Map<string, number>();
  for (let r = 0; r < profile.routines.name.length; r++) {
    const key = `${routineName(profile, r)} ${routineFile(profile, r) ?? ''}`;
    const row = rowOf(sums, key);
    row.self += eventValue(space, totals.self, r);
    row.objects += samples ? eventValue(samples, totals.self, r) : 0;
    row.all = eventValue(space, totals.inclusive, r);
    routines.set(key, (routines.get(key) ?? 0) + 1);
  }
  for (const [key, count] of routines) if (count > 1) rowOf(sums, key).all = Number.NaN;
  return sums;
}

for (const name of namesIn(FOLDER, /\.heapprofile(\.gz)?$/))
  test(`${name}: bytes and objects of every function are those of a walk over the JSON`, async () => {
    const bytes = readMaybeGz(join(FOLDER, name));
    const profile = await loadBytes(heapprofile, bytes);
    assert.deepEqual(checkProfile(profile), []);
    const [truth, ours] = [walked(JSON.parse(bytes.toString('utf8')) as Json), loaded(profile)];
    assert.deepEqual([...ours.keys()].sort(), [...truth.keys()].sort());
    let whole = 0;
    for (const [key, { self, all, objects }] of truth) {
      const row = rowOf(ours, key);
      assert.deepEqual([row.self, row.objects], [self, objects], key);
      if (Number.isNaN(row.all)) continue;
      assert.equal(row.all, all, key);
      whole++;
    }
    assert.ok(whole > 0);
  });

test('a program whose allocations are known: the lists that it keeps, and few of those that it drops', async () => {
  const sums = loaded(await loadBytes(heapprofile, readMaybeGz(join(FOLDER, 'keep.heapprofile'))));
  const [, { self, objects }] = [...sums].find(([key]) => key.startsWith('list '))!; // the program calls it
  const bytes = 1000 * 8 + 16;
  assert.ok(self >= 100 * bytes && self < 120 * bytes, `${self}`);
  assert.ok(objects >= 100, `${objects}`);
});

/** A chain of nodes, each below the one before; the last has bytes. */
const chain = (n: number): string =>
  `{"head":${Array.from({ length: n }, (_, i) => `{"callFrame":{"functionName":"f${i % 7}"},"selfSize":${i + 1 === n ? 9 : 0},"children":[`).join('')}${']}'.repeat(n)}}`;

test('a tree of 40,000 levels is read: nothing limits its depth but the frames of its stacks', async () => {
  for (const depth of [1000, 40_000]) {
    const profile = profileOf(await loadText(heapprofile, chain(depth)), 'stacks');
    assert.equal(profile.stacks.frame.length, depth);
    assert.equal(loaded(profile).get('f0 ')?.all, 9);
  }
});

test('a tree without a sampled object is told', async () => {
  const profile = await loadText(
    heapprofile,
    '{"head":{"callFrame":{"functionName":"(root)"},"selfSize":0,"id":1,"children":[]},"samples":[]}',
  );
  assert.match(profile.warnings[0].found, /no sampled object in use/);
});

test('the wrong part of a file is named, with its place', async () => {
  const refused = (text: string, expected: RegExp) =>
    assert.rejects(
      loadText(heapprofile, text),
      (e) =>
        e instanceof FormatError && expected.test(`${e.problem.expected}: ${e.problem.found}`) && e.problem.offset !== undefined,
    );
  const frame = '"callFrame":{"functionName":"f"}';
  await refused('[]', /an object with head: "\[\]"/);
  await refused('{"samples":[]}', /an object with head: an object without it/);
  await refused(`{"head":{${frame},"selfSize":1,"children":[]}`, /the end of the object: the end of the file/);
  await refused(`{"head":{${frame},"selfSize":1,"children":[7]}}`, /a node: "7\]\}\}"/);
  await refused(`{"head":{${frame},"children":[]}}`, /a node with a callFrame and a selfSize: one without/);
  await refused('{"head":{"selfSize":1}}', /a node with a callFrame and a selfSize: one without/);
  await refused(`{"head":{${frame},"selfSize":-1}}`, /a selfSize in bytes: -1/);
  await refused(`{"head":{${frame},"selfSize":1e999}}`, /a selfSize in bytes/);
  await refused(`{"head":{"callFrame":${'['.repeat(600)}${']'.repeat(600)}}}`, /a callFrame: JSON nested deeper than 512/);
  await refused(`{"head":{${frame},"selfSize":1},"samples":[{"size":1}]}`, /a sample with a nodeId: \{"size":1\}/);
  await refused(`{"head":{${frame},"selfSize":1},"samples":[}`, /a sample: "\}"/);
  await refused(`{"head":{${frame},7}}`, /a key: "7\}\}"/);
});
