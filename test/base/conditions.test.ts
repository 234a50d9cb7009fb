// The syntax of filters that know columns.
import assert from 'node:assert/strict';
import test from 'node:test';
import { parseConditions } from '../../src/base/conditions.ts';

const NAMES = ['self', 'calls', 'file', 'duration', 'count', 'line', 'routine'];
const parse = (text: string) => parseConditions(text, () => NAMES);

test('of columns, blanks around an operator and other spellings of operators and numbers change nothing', () => {
  for (const [text, same] of [
    ['self > 1%', 'self>1%'],
    ['self >= 5 calls< 3', 'self>=5 calls<3'],
    ['! self > 3', '!self>3'],
    ['self==662012', 'self=662012'],
    ['self!=3', '!self=3'],
    ['!self != 3', 'self=3'],
    ['file != a.cpp', '!file=a.cpp'],
    ['file:"matrix.hpp"', 'file:matrix.hpp'],
    ['file: matrix', 'file:matrix'],
    ['self > 1 | calls>3', 'self>1|calls>3'],
  ])
    assert.deepEqual(parse(text), parse(same), text);
  assert.deepEqual(parse('file:"my code x.cpp" x'), [
    [{ column: 'file', operator: ':', value: 'my code x.cpp', isNot: false }, { word: 'x' }],
  ]);
  for (const text of ['self>1e5', 'self>.5%', 'self>abc', 'self>', 'self.Ir>5%', 'durationMs > 5', 'file:'])
    assert.equal(parse(text)?.[0].length, 1, text);
});

test('names stay names, also those that begin like columns', () => {
  for (const text of [
    ...['count<int>', 'count<std::pair<int, int>>', 'line::begin', 'file.cpp:12', 'operator<', 'operator==(a, b)', 'operator!='],
    ...['vector<int', 'std::map<int, foo', 'x > y', 'slef > 1', 'std = c', 'f(self', 'parse|', 'N != 3', 'file://x', 'a->b'],
  ])
    assert.equal(parse(text), undefined, text);
});

test('what is wrong as a whole is refused', () => {
  for (const text of ['(self>1%)', '( self > 1 | calls>3 )', '!(self>1)', 'file:x | (calls > 3)'])
    assert.throws(() => parse(text), /parentheses are not supported/, text);
  for (const text of ['self>1%|', '|self>1', 'self>1 || calls>3', 'x=y|'])
    assert.throws(() => parse(text), /a condition is missing beside \|/, text);
});
