// Why a program is slower, down to the user's line: on hand-made runs whose answer is known.
import assert from 'node:assert/strict';
import test from 'node:test';
import { rules } from '../../src/findings/index.ts';
import type { Remark } from '../../src/findings/rule.ts';
import { textOf } from '../../src/findings/say.ts';
import { against, type Case, evidence, graph, saidBy } from './cases.ts';

const HEAD = ['events: Ir', 'cmd: ./prog', ''];
/** `main` in prog.cpp, whose inlined code of the library is in stl_algo.h. */
const run = (...lines: readonly string[]): Case => graph(...HEAD, ...lines);

const said = async (id: string, now: Case, before: Case): Promise<readonly Remark[]> => {
  const rule = rules.find((r) => r.id === id);
  assert.ok(rule);
  return saidBy(rule, evidence(await against(now, before)()));
};

const SORTED = [
  'fl=/home/u/prog.cpp',
  'fn=main',
  '10 1000',
  'fi=/usr/include/c++/12/bits/stl_algo.h',
  '99 500',
  'fe=/home/u/prog.cpp',
];

test('a routine that costs more by itself names the line of one’s own file, though a header costs more', async () => {
  const now = run('fl=/home/u/prog.cpp', 'fn=main', '10 1000', '12 4000', 'fi=/usr/include/c++/12/bits/stl_algo.h', '99 9500');
  const [remark] = await said('dearer-calls', now, run(...SORTED));
  assert.match(
    textOf(remark),
    /^The self cost of main rose from 1\.50k to 14\.5k, by 866\.7% of the base; 4\.00k more at prog\.cpp:12$/,
  );
  assert.deepEqual([remark.target.file, remark.target.line], ['/home/u/prog.cpp', 12]);
});

test('a new routine is one finding with its new callees, and says how often who calls it', async () => {
  const before = run('fl=/home/u/prog.cpp', 'fn=main', '1 10', 'cfn=count', 'calls=1 5', '2 1000', '', 'fn=count', '5 1000');
  const now = run(
    ...['fl=/home/u/prog.cpp', 'fn=main', '1 10', 'cfn=count', 'calls=1 5', '2 1330', ''],
    ...['fn=count', '5 1000', 'cfn=normalize', 'calls=100 20', '6 330', ''],
    ...['fn=normalize', '20 130', 'cfn=lower', 'calls=400 30', '21 200', '', 'fn=lower', '30 200'],
  );
  const remarks = await said('new-code', now, before);
  assert.deepEqual(remarks.map(textOf), [
    'normalize is new and costs 330 with its callees, 130 by itself, 32.67% of the base, in 100 calls from count',
  ]);
});

test('a routine that is gone says what its caller does itself instead', async () => {
  const before = run(
    'fl=/home/u/prog.cpp',
    'fn=main',
    '1 1000',
    'cfn=std::sort',
    'calls=1 50',
    '2 5000',
    '',
    'fn=std::sort',
    '50 5000',
  );
  const now = run('fl=/home/u/prog.cpp', 'fn=main', '1 1000', '3 7000');
  const [remark] = await said('new-code', now, before);
  assert.equal(
    textOf(remark),
    'std::sort is gone; it cost 5.00k, 83.33% of the base, in 1 call from main; the code of main itself costs 7.00k more',
  );
});

test('a change that is most of the difference is named, though it is less than 1 % of the base', async () => {
  const program = (reserve: number) =>
    run(
      'fl=/home/u/prog.cpp',
      'fn=main',
      '1 1000000',
      'cfn=reserve',
      'calls=1 50',
      `2 ${reserve}`,
      '',
      'fn=reserve',
      `50 ${reserve}`,
    );
  const [remark] = await said('dearer-calls', program(5000), program(1000));
  assert.match(textOf(remark), /^The self cost of reserve rose from 1\.00k to 5\.00k, by 0\.40% of the base/);
});

test('calls explain a difference only if they predict it to within a fifth', async () => {
  const program = (calls: number, self: number) =>
    run('fl=/home/u/prog.cpp', 'fn=main', '1 10', 'cfn=leaf', `calls=${calls} 9`, `2 ${self}`, '', 'fn=leaf', `9 ${self}`);
  // 500 more calls at 10 each predict 5,000, and 3,500 came.
  assert.deepEqual(await said('more-calls', program(1000, 8500), program(500, 5000)), []);
  const [remark] = await said('more-calls', program(1000, 10_000), program(500, 5000));
  assert.match(
    remark.why,
    /^its self cost in both runs; at the base's cost of a call, more calls make 5\.00k of the difference of 5\.00k$/,
  );
});
