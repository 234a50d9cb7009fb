// Transforms of stacks against a slow reference that rewrites each stack, one list of names at a time.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { totalsInSlices } from '../../../src/analysis/answers/stacks/stacks.ts';
import { fileName, routineName } from '../../../src/analysis/names/names.ts';
import { transformProfile } from '../../../src/analysis/profiles/transforms/apply.ts';
import { parseTransform, splitPattern } from '../../../src/analysis/profiles/transforms/transform.ts';
import { runToEnd } from '../../../src/base/slices.ts';
import { checkProfile } from '../../../src/model/check.ts';
import type { ProfileOf } from '../../../src/model/profile.ts';
import { Sink } from '../../../src/model/sink.ts';
import { AddressStackWriter, NamedStackWriter } from '../../../src/model/stacks/writer.ts';
import { profileOf } from '../../support/kinds.ts';

interface Frame {
  readonly name: string;
  /** Of the routine: a merged one has none. */
  readonly file: string | null;
  /** Of the frame. */
  readonly at: string | null;
  readonly line: number;
}

interface Stack {
  readonly part: number;
  readonly count: number;
  readonly frames: readonly Frame[];
}

const OWN = {
  folders: ['/home/me/own'],
  maps: [['/build', '/home/me/own']],
  hasFile: (path: string) => path === 'own/x.c',
} as const;
const FILES = ['own/x.c', '../other/y.c', '/build/z.c', '/usr/w.c', null];

const frame = fc
  .record({ name: fc.integer({ min: 0, max: 6 }), line: fc.integer({ min: 0, max: 3 }) })
  .map(({ name, line }): Frame => {
    const file = FILES[name % FILES.length];
    return { name: 'abcdefg'[name], file, at: file, line: file === null ? 0 : line };
  });
const stacksOf = fc.array(
  fc.record({
    part: fc.integer({ min: 0, max: 1 }),
    count: fc.integer({ min: 1, max: 9 }),
    frames: fc.array(frame, { minLength: 1, maxLength: 9 }),
  }),
  { minLength: 1, maxLength: 12 },
);
const pattern = fc.constantFrom(
  'a',
  '[ab]',
  '^[c-e]$',
  'routine:[fg]',
  'file:y\\.c',
  'line:x\\.c:[12]',
  '›',
  '^\\(',
  'none',
  '.',
);
const word = fc.constantFrom('focus', 'ignore', 'hide', 'show', 'show-from', 'prune-from', 'merge', 'merge');
const path = fc.constantFrom('path:^a;b$', 'path:^[a-c];[a-g]$', 'path:;c$', 'path:^d$', 'path:a;.*;a');
const transform = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(word, pattern).map(([w, p]) => `${w}=${p}`) },
  { weight: 3, arbitrary: fc.tuple(word, path).map(([w, p]) => `${w === 'merge' ? 'hide' : w}=${p}`) },
  { weight: 3, arbitrary: fc.constantFrom('collapse=recursion', 'collapse=chains', 'collapse=chains', 'only-own') },
);

function profileOfStacks(stacks: readonly Stack[]): ProfileOf<'stacks'> {
  const sink = new Sink();
  sink.paths.push('test');
  const writer = sink.writerFor(NamedStackWriter);
  for (const part of [0, 1]) {
    writer.periods.push(0);
    sink.addPart({ path: 'test', part, events: ['samples'] });
  }
  for (const { part, count, frames } of stacks)
    writer.add(
      part,
      frames.map((f) => writer.frame(f.name, f.file, f.line)),
      count,
    );
  return profileOf(sink.finish('test'), 'stacks');
}

/** Whether a pattern means a frame of a stack; prune-from without a target means names alone. */
function means(text: string, word: string, frames: readonly Frame[]): (f: Frame, at: number) => boolean {
  const { target, expression } = splitPattern(text);
  if (target === 'path') {
    const names = frames.map(({ name }) => name);
    return (_, at) => new RegExp(expression, 'u').test(names.slice(at).reverse().join(';'));
  }
  const is = (value: string | null) => value !== null && new RegExp(expression, 'u').test(value);
  if (target === 'line') return (f) => f.at !== null && is(`${f.at}:${f.line}`);
  return (f) =>
    (target !== 'file' && is(f.name)) || (target !== 'routine' && (word !== 'prune-from' || target === 'file') && is(f.file));
}

const isOwn = ({ file }: Frame) => file !== '/usr/w.c';
const key = (f: Frame) => `${f.name}\n${f.file}`;

function cutRecursion(frames: readonly Frame[]): Frame[] {
  const path: Frame[] = [];
  for (const f of [...frames].reverse()) {
    const at = path.findIndex((above) => key(above) === key(f));
    if (at >= 0) path.length = at;
    path.push(f);
  }
  return path.reverse();
}

function joinChains(stacks: readonly Stack[]): Stack[] {
  const all = stacks.map((s) => s.frames.map(key));
  const only = (list: (string | undefined)[]) => (new Set(list).size === 1 ? list[0] : undefined);
  const callees = (r: string) => all.flatMap((keys) => keys.flatMap((k, i) => (k === r && i > 0 ? [keys[i - 1]] : [])));
  const callers = (r: string) => all.flatMap((keys) => keys.flatMap((k, i) => (k === r ? [keys[i + 1]] : [])));
  const next = (r: string) => {
    const callee = only(callees(r));
    return callee !== undefined && only(callers(callee)) === r ? callee : undefined;
  };
  const nextOf = new Map([...new Set(all.flat())].map((r) => [r, next(r)]));
  const before = (r: string) => [...nextOf].find(([, n]) => n === r)?.[0];
  const nameUpTo = (r: string): string => {
    const above = before(r);
    return above === undefined ? r.split('\n')[0] : `${nameUpTo(above)} › ${r.split('\n')[0]}`;
  };
  const lastOf = (r: string): string => {
    const next = nextOf.get(r);
    return next === undefined ? r : lastOf(next);
  };
  const places = new Map(stacks.flatMap((s) => s.frames.map((f) => [key(f), f.file] as const)));
  return stacks.map((s) => ({
    ...s,
    frames: s.frames
      .filter((f, i) => i === 0 || nextOf.get(key(f)) !== key(s.frames[i - 1]))
      .map((f) => ({ ...f, name: nameUpTo(lastOf(key(f))), file: places.get(lastOf(key(f))) ?? null })),
  }));
}

function rewritten(frames: readonly Frame[], text: string): readonly Frame[] {
  if (text === 'collapse=recursion') return cutRecursion(frames);
  if (text === 'only-own')
    return frames.some(isOwn) ? frames.filter(isOwn) : [{ name: '(outside)', file: null, at: null, line: 0 }];
  const [word, wanted] = [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)];
  const hit = means(wanted, word, frames);
  const [first, last] = [frames.findIndex(hit), frames.findLastIndex(hit)];
  switch (word) {
    case 'focus':
      return first >= 0 ? frames : [];
    case 'ignore':
      return first >= 0 ? [] : frames;
    case 'hide':
      return frames.filter((f, at) => !hit(f, at));
    case 'show':
      return frames.filter(hit);
    case 'show-from':
      return frames.slice(0, last + 1);
    case 'prune-from':
      return frames.slice(Math.max(0, first));
    default:
      return frames.flatMap((f, i) => {
        if (!hit(f, i)) return [f];
        return i > 0 && hit(frames[i - 1], i - 1) ? [] : [{ ...f, name: `(${splitPattern(wanted).expression})`, file: null }];
      });
  }
}

function reference(stacks: readonly Stack[], texts: readonly string[]): Stack[] {
  let left = [...stacks];
  for (const text of texts) {
    if (text === 'collapse=chains') left = joinChains(left);
    else left = left.map((s) => ({ ...s, frames: rewritten(s.frames, text) })).filter((s) => s.frames.length > 0);
  }
  return left;
}

/** What each stack costs, by its part and its frames. */
function summed(stacks: readonly Stack[]): Map<string, number> {
  const out = new Map<string, number>();
  for (const { part, count, frames } of stacks) {
    const text = `${part}: ${frames.map((f) => `${f.name} ${f.file} ${f.at} ${f.line}`).join('; ')}`;
    out.set(text, (out.get(text) ?? 0) + count);
  }
  return new Map([...out].sort());
}

function stacksIn(profile: ProfileOf<'stacks'>): Stack[] {
  const { frames, stacks, routines } = profile;
  return Array.from(stacks.part, (part, s) => ({
    part,
    count: stacks.costs[0][s],
    frames: Array.from(stacks.frame.subarray(stacks.start[s], stacks.start[s + 1]), (f) => ({
      name: routineName(profile, frames.routine[f]),
      file: fileName(profile, routines.file[frames.routine[f]]),
      at: fileName(profile, frames.file[f]),
      line: frames.line[f],
    })),
  }));
}

const apply = (profile: ProfileOf<'stacks'>, texts: readonly string[]) =>
  profileOf(transformProfile({ ...profile, own: OWN }, texts.map(parseTransform)), 'stacks');

test('any chain of transforms leaves the stacks that rewriting them one by one leaves', () => {
  fc.assert(
    fc.property(stacksOf, fc.array(transform, { minLength: 1, maxLength: 5 }), (stacks, texts) => {
      const profile = profileOfStacks(stacks);
      const left = apply(profile, texts);
      assert.deepEqual(checkProfile(left), []);
      assert.deepEqual(summed(stacksIn(left)), summed(reference(stacks, texts)), texts.join(' '));
      const { inclusive } = runToEnd(totalsInSlices(left, undefined));
      assert.ok(
        inclusive[0].every((cost) => cost > 0),
        'no routine is left without a cost',
      );
      assert.deepEqual(summed(stacksIn(profile)), summed(stacks), 'the profile itself stays');
    }),
    { numRuns: 250 },
  );
});

/** Stacks as people write them, the root first. */
const written = (...lines: readonly string[]) =>
  profileOfStacks(
    lines.map((line) => ({
      part: 0,
      count: 1,
      frames: line
        .split(' ')
        .reverse()
        .map((name, i) => ({ name, file: 'x.c', at: 'x.c', line: i + 1 })),
    })),
  );
const rootFirst = (profile: ProfileOf<'stacks'>) =>
  stacksIn(profile).map((s) =>
    s.frames
      .map((f) => f.name)
      .reverse()
      .join(' '),
  );

test('collapsed recursion: no routine stands twice on a path, and the leaf has its own line', () => {
  const left = apply(written('main a b a c', 'main a b a b', 'main a a', 'x y z x w y v'), ['collapse=recursion']);
  assert.deepEqual(rootFirst(left), ['main a c', 'main a b', 'main a', 'x w y v']);
  assert.deepEqual(
    stacksIn(left).map((s) => s.frames[0].line),
    [1, 1, 1, 1],
  );
});

// A stack that ends in the middle of a chain ends in the chain.
test('collapsed chains are the longest ones, and circles end', () => {
  const chains = apply(written('main a b c', 'main a b c d', 'main x'), ['collapse=chains']);
  assert.deepEqual(rootFirst(chains), ['main a › b › c › d', 'main a › b › c › d', 'main x']);
  assert.deepEqual(rootFirst(apply(written('main a b a b', 'main x'), ['collapse=chains'])), ['main a › b a › b', 'main x']);
  assert.deepEqual(rootFirst(apply(written('a a a'), ['collapse=chains'])), ['a a a']);
  assert.deepEqual(rootFirst(apply(written('m a b c a b c', 'm d'), ['collapse=chains'])), ['m a › b › c a › b › c', 'm d']);
});

test('with all stacks dropped there is a sound profile without stacks and routines', () => {
  const left = apply(written('main a', 'main b'), ['ignore=main']);
  assert.deepEqual(checkProfile(left), []);
  assert.equal(left.stacks.part.length, 0);
  assert.equal(left.routines.name.length, 0);
});

/** main calls f, into which g and then h are inlined. */
function inlinedProfile(): ProfileOf<'stacks'> {
  const sink = new Sink();
  const { samples, periods } = sink.writerFor(AddressStackWriter);
  sink.paths.push('test');
  periods.push(0);
  samples.mappings.push([{ start: 0n, end: 0x1000n, offset: 0n, executable: true, path: '/bin/test' }]);
  const part = sink.addPart({ path: 'test', part: null, events: ['samples'] });
  samples.stacks.add(part, Uint32Array.of(samples.addressId(part, 0, 1), samples.addressId(part, 0, 2)), 2, 3);
  const named = (name: string) => ({ name, file: '/usr/x.c', line: 1 });
  samples.names[0] = [named('h'), named('g'), named('f')];
  samples.names[1] = [named('main')];
  return profileOf(sink.finish('test'), 'stacks');
}

test('what is inlined stays so when its caller is hidden; merged with what is not, it is not', () => {
  const inlined = (...texts: readonly string[]) => {
    const left = apply(inlinedProfile(), texts);
    assert.deepEqual(checkProfile(left), []);
    const flags = runToEnd(totalsInSlices(left, undefined)).inlined;
    return Array.from(left.routines.name.keys(), (r) => `${routineName(left, r)} ${flags?.[r] ?? '-'}`).sort();
  };
  assert.deepEqual(inlined('focus=main'), ['f 0', 'g 1', 'h 1', 'main 0']);
  assert.deepEqual(inlined('hide=f$'), ['g 1', 'h 1', 'main 0']);
  assert.deepEqual(inlined('merge=^[gh]$'), ['(^[gh]$) 1', 'f 0', 'main 0']);
  assert.deepEqual(inlined('merge=^[fg]$'), ['(^[fg]$) 0', 'h 1', 'main 0']);
  assert.deepEqual(inlined('hide=f$', 'collapse=chains'), ['main › g › h -']);
  assert.deepEqual(inlined('only-own'), ['(outside) -']);
});
