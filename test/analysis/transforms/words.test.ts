// What a stack of transforms is as text: read again it is the same, and flags say it in an order that means the same.
import assert from 'node:assert/strict';
import test from 'node:test';
import { routineName } from '../../../src/analysis/names/names.ts';
import { isInFolders, markOwnRoutines } from '../../../src/analysis/names/origin.ts';
import { parseTimeRange, timeRangeText } from '../../../src/analysis/profiles/transforms/time-range.ts';
import {
  exactPattern,
  orderTransforms,
  parseTransform,
  splitPattern,
  transformFlags,
  transformLabel,
  transformText,
} from '../../../src/analysis/profiles/transforms/transform.ts';
import { ChoiceError } from '../../../src/base/errors.ts';
import { compilePattern } from '../../../src/base/pattern.ts';
import { runToEnd } from '../../../src/base/slices.ts';
import { callgrind } from '../../../src/formats/callgrind/index.ts';
import { loadText } from '../../support/load.ts';

test('a transform read from its text has that text again', () => {
  for (const text of [
    'focus=main',
    'hide=^std::',
    'prune-from=a=b',
    'merge=object:libc',
    'collapse=chains',
    'only-own',
    'time=1.5s..2s',
    'time=..300ms',
    'time=120s..',
  ])
    assert.equal(transformText(parseTransform(text)), text);
});

test('what is no transform is refused, and says what there is', () => {
  for (const [text, said] of [
    ['focus', /expected a regular expression/],
    ['focus=', /expected a regular expression/],
    ['focus=(', /focus=\(: /],
    ['blur=x', /focus=, ignore=/],
    ['collapse=all', /recursion or chains/],
    ['time=2..1', /does not end after its start/],
    ['time=1', /FROM\.\.TO/],
    ['time=..', /FROM\.\.TO/],
  ] as const)
    assert.throws(
      () => parseTransform(text),
      (error) => error instanceof ChoiceError && said.test(error.message),
      text,
    );
});

test('a name is meant as it is, whatever characters it has', () => {
  for (const name of ['operator()(int)', 'a/b.c', 'x[3]', '~S<T*, 4>::f^$', 'a\\b', 'a|b', 'naïve-π', '{closure#0}']) {
    const { target, expression } = splitPattern(exactPattern('routine', name));
    assert.equal(target, 'routine');
    const { test: matches } = compilePattern(expression, '');
    assert.ok(matches(name), name);
    assert.ok(!matches(`x${name}`) && !matches(`${name}x`), name);
  }
  // A qualified name is no kind of pattern.
  assert.equal(splitPattern('file::open').target, undefined);
  assert.equal(splitPattern('file:open').target, 'file');
});

test('words of the command line act in the order of pprof; several of one are alternatives', () => {
  const words = orderTransforms(
    new Map([
      ['hide', ['b']],
      ['focus', ['x', 'y|z']],
    ]),
  );
  assert.deepEqual(words.map(transformText), ['focus=(?:x)|(?:y|z)', 'hide=b']);
  const files = orderTransforms(new Map([['focus', ['file:a', 'file:b']]]));
  assert.deepEqual(files.map(transformText), ['focus=file:(?:a)|(?:b)']);
  assert.throws(() => orderTransforms(new Map([['focus', ['file:a', 'b']]])), ChoiceError);
});

test('flags say a stack by its own words only if their order means the same', () => {
  const flags = (...texts: string[]) => transformFlags(texts.map(parseTransform)).map((f) => f.join(' '));
  assert.deepEqual(flags('focus=a', 'hide=b', 'only-own', 'merge=c', 'merge=d'), [
    'focus a',
    'hide b',
    'only-own',
    'merge c',
    'merge d',
  ]);
  // The second narrows the first; as two --focus they would be alternatives.
  assert.deepEqual(flags('focus=a', 'focus=b'), ['apply focus=a', 'apply focus=b']);
  assert.deepEqual(flags('hide=b', 'time=1s..2s', 'focus=a'), ['time 1s..2s', 'apply hide=b', 'apply focus=a']);
});

test('a range of time is exact to the microsecond', () => {
  for (const us of [1, 999, 1000, 1234, 999_999, 1_000_001, 61_000_000, 123_456_789_012]) {
    const range = { fromUs: us, toUs: us + 1 };
    assert.deepEqual(parseTimeRange(timeRangeText(range)), range);
  }
  assert.deepEqual(parseTimeRange('2..3'), { fromUs: 2e6, toUs: 3e6 });
  assert.deepEqual(parseTimeRange('1min..'), { fromUs: 6e7, toUs: Number.POSITIVE_INFINITY });
});

test('a file is in a folder by its path, or as a file of that name there', () => {
  const files = [
    '/home/me/app/a.c',
    '/home/me/app2/b.c',
    'src/c.c',
    './d.c',
    '../e.c',
    '/usr/include/f.h',
    '/build/app/g.c',
    '/home/me/app/../x/h.c',
    '???',
    'src/missing.c',
    '/ci/work/lib/i.c',
    '/ci/other/i.c',
  ];
  const there = new Set(['src/c.c', 'd.c', 'lib/i.c']);
  const own = { folders: ['/home/me/app'], maps: [['/build', '/home/me']] as const, hasFile: (path: string) => there.has(path) };
  assert.deepEqual(
    files.map((file) => Number(isInFolders(file, own))),
    [1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 0],
  );
});

/** The names of own routines, the folder /home/u/src being one's own. */
async function ownNames(text: string): Promise<string[]> {
  const profile = await loadText(callgrind, text);
  const own = runToEnd(markOwnRoutines({ ...profile, own: { folders: ['/home/u/src'], maps: [], hasFile: () => false } }));
  return Array.from(profile.routines.name, (_, r) => routineName(profile, r)).filter((_, r) => own[r] === 1);
}

test('a routine with a line in an own folder is own, whichever file was inlined first', async () => {
  const [vector, hash] = ['fl=/usr/include/c++/12/bits/stl_vector.h', 'fi=/home/u/src/hash.cpp'];
  const grow = ['fn=HashTable::grow()', '987 5', hash, '12 30', 'fe=/usr/include/c++/12/bits/stl_vector.h', '988 5'];
  const calling = ['fn=HashTable::find()', '900 1', hash, 'cfl=/usr/include/string.h', 'cfn=memcmp', 'calls=1 1', '20 7'];
  // Code of unknown place, and a switch of files without a line.
  const others = [
    'fn=std::vector<int>::reserve(unsigned long)',
    '70 9',
    'fi=???',
    '0 4',
    hash,
    'fe=/usr/include/c++/12/bits/stl_vector.h',
    '71 1',
  ];
  const text = [
    'events: Ir',
    vector,
    ...grow,
    vector,
    ...calling,
    vector,
    ...others,
    'fl=/usr/include/string.h',
    'fn=memcmp',
    '1 7',
    '',
  ];
  assert.deepEqual(await ownNames(text.join('\n')), ['HashTable::grow()', 'HashTable::find()']);
});

test('people read names where a pattern means one alone', () => {
  const label = (text: string) => transformLabel(parseTransform(text));
  assert.equal(label(`focus=${exactPattern('routine', 'f(int*) [clone .1]')}`), 'focus f(int*) [clone .1]');
  assert.equal(label(`hide=${exactPattern('file', 'src/a.c')}`), 'hide file src/a.c');
  assert.equal(label('hide=^std::'), 'hide=^std::');
  assert.equal(label('focus=routine:^a|b$'), 'focus=routine:^a|b$');
  assert.equal(label('only-own'), 'only-own');
});
