// Why a program is slower, down to the user's line: on hand-made runs whose answer is known.
import assert from 'node:assert/strict';
import test from 'node:test';
import { eventInMeasure } from '../../src/analysis/answers/compared/measure.ts';
import { runToEnd } from '../../src/base/slices.ts';
import { gatherFindings } from '../../src/findings/gather.ts';
import { rules } from '../../src/findings/index.ts';
import { evidenceOf, type RuleResult } from '../../src/findings/rule.ts';
import { phraseText } from '../../src/findings/say.ts';
import { MEASURES } from '../../src/model/head.ts';
import { against, type Case, commanded, evidence, file, graph, lanes, saidBy } from './cases.ts';

const HEAD = ['events: Ir', 'cmd: ./prog', ''];
/** `main` in prog.cpp, whose inlined code of the library is in stl_algo.h. */
const run = (...lines: readonly string[]): Case => graph(...HEAD, ...lines);

const said = async (id: string, now: Case, before: Case): Promise<readonly RuleResult[]> => {
  const rule = rules.find((r) => r.id === id);
  assert.ok(rule);
  return saidBy(rule, evidence(await against(now, before)()));
};

/** As `--print findings` shows them. */
const shown = async (now: Case, before: Case) => runToEnd(gatherFindings(evidence(await against(now, before)())));

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
  const [remark] = await said('costlier-calls', now, run(...SORTED));
  assert.match(
    phraseText(remark),
    /^The self cost of main rose from 1\.50k to 14\.5k, by 866\.7% of the base; ≈ 4\.00k more at prog\.cpp:12$/,
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
  assert.deepEqual(remarks.map(phraseText), [
    'normalize is new and costs 330 including callees, 130 self, 32.67% of the base, in 100 calls from count at prog.cpp:6',
  ]);
  // New code is seen where it is called.
  assert.deepEqual([remarks[0].target.view, remarks[0].target.file, remarks[0].target.line], ['source', '/home/u/prog.cpp', 6]);
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
    phraseText(remark),
    'std::sort is gone; it cost 5.00k, 83.33% of the base, in 1 call from main; the self cost of main rose by 7.00k',
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
  const [remark] = await said('costlier-calls', program(5000), program(1000));
  assert.match(phraseText(remark), /^The self cost of reserve rose from 1\.00k to 5\.00k, by 0\.40% of the base/);
  const all = await shown(program(5000), program(1000));
  assert.deepEqual(
    all.map(({ rule }) => rule),
    ['costlier-calls', 'total-change'],
  );
  // 50 of 1,001,000 is less than 0.01 %, though it is all that changed.
  assert.deepEqual(
    (await shown(program(1050), program(1000))).map(({ rule }) => rule),
    ['total-change'],
  );
});

test('calls explain a difference only if they predict it to within a fifth', async () => {
  const program = (calls: number, self: number) =>
    run('fl=/home/u/prog.cpp', 'fn=main', '1 10', 'cfn=leaf', `calls=${calls} 9`, `2 ${self}`, '', 'fn=leaf', `9 ${self}`);
  // 500 more calls at 10 each predict 5,000, and 3,500 came.
  assert.deepEqual(await said('more-calls', program(1000, 8500), program(500, 5000)), []);
  const [remark] = await said('more-calls', program(1000, 10_000), program(500, 5000));
  assert.match(
    remark.why,
    /^its self cost in both runs; at the base's cost per call, the additional calls explain 5\.00k of the difference of 5\.00k$/,
  );
});

test('a line that only moved is not told as one that costs more, though the source is not there', async () => {
  const before = run('fl=/home/u/prog.cpp', 'fn=main', '10 9000', '11 500');
  const now = run('fl=/home/u/prog.cpp', 'fn=main', '11 9000', '12 500', '14 3000');
  const [remark] = await said('costlier-calls', now, before);
  assert.match(phraseText(remark), /; ≈ 3\.00k more at prog\.cpp:14$/);
  assert.equal(remark.target.line, 14);
  assert.match(remark.why, /paired by place and cost/);
});

test('a routine that became cheaper in a header leads to its source, not to the own line that rose', async () => {
  const lines = (own: number, header: number) =>
    run('fl=/home/u/prog.cpp', 'fn=main', `10 ${own}`, 'fi=/usr/include/c++/12/bits/stl_algo.h', `99 ${header}`);
  const [remark] = await said('costlier-calls', lines(1200, 1000), lines(1000, 5000));
  assert.doesNotMatch(phraseText(remark), / at /);
  assert.deepEqual([remark.target.view, remark.target.line], ['source', undefined]);
});

/** `main`, which calls `callee` and costs so much itself. */
const calling = (callee: string, cost: number, self = 1000) =>
  run(
    'fl=/home/u/prog.cpp',
    'fn=main',
    `1 ${self}`,
    `cfn=${callee}`,
    'calls=1 50',
    `2 ${cost}`,
    '',
    `fn=${callee}`,
    `50 ${cost}`,
  );

test('a routine that another took the place of is told with it', async () => {
  const remarks = await said('new-code', calling('bubble', 9000), calling('std::sort', 2000));
  assert.deepEqual(remarks.map(phraseText), [
    'bubble is new and costs 9.00k, 300.0% of the base, in 1 call from main at prog.cpp:2; it probably replaces std::sort (2.00k), which main called in the base',
  ]);
  assert.equal(remarks[0].sign, 1);
});

test('the change of a caller is told with the costliest of the callees that are gone, once', async () => {
  const before = run(
    ...['fl=/home/u/prog.cpp', 'fn=main', '1 1000', 'cfn=sort', 'calls=1 50', '2 5000', 'cfn=fill', 'calls=1 60', '3 3000', ''],
    ...['fn=sort', '50 5000', '', 'fn=fill', '60 3000'],
  );
  const remarks = await said('new-code', run('fl=/home/u/prog.cpp', 'fn=main', '1 9000'), before);
  assert.deepEqual(remarks.map(phraseText), [
    'sort is gone; it cost 5.00k, 55.56% of the base, in 1 call from main; the self cost of main rose by 8.00k',
    'fill is gone; it cost 3.00k, 33.33% of the base, in 1 call from main',
  ]);
});

test('a new routine is found by the cost of its callees, though hundreds of others changed more by themselves', async () => {
  const others = (self: number) => Array.from({ length: 300 }, (_, i) => [`fn=other${i}`, `5 ${self}`, '']).flat();
  const program = (self: number, callee: string) =>
    run(
      ...['fl=/home/u/prog.cpp', 'fn=main', '1 10', `cfn=${callee}`, 'calls=1 50', '2 90001', ''],
      ...[`fn=${callee}`, '50 1', 'cfn=work', 'calls=1 60', '51 90000', '', 'fn=work', '60 90000', '', ...others(self)],
    );
  const plain = run(
    ...[
      'fl=/home/u/prog.cpp',
      'fn=main',
      '1 10',
      'cfn=work',
      'calls=1 60',
      '2 90000',
      '',
      'fn=work',
      '60 90000',
      '',
      ...others(100),
    ],
  );
  const [remark] = await said('new-code', program(150, 'drive'), plain);
  assert.match(
    phraseText(remark),
    /^drive is new and costs 90\.0k including callees, 1 self, .*, in 1 call from main at prog\.cpp:2$/,
  );
});

test('a routine that is called far less often says that its caller costs more itself', async () => {
  const program = (calls: number, main: number) =>
    run(
      'fl=/home/u/prog.cpp',
      'fn=main',
      `1 ${main}`,
      'cfn=leaf',
      `calls=${calls} 9`,
      `2 ${calls * 10}`,
      '',
      'fn=leaf',
      `9 ${calls * 10}`,
    );
  const [far] = await said('more-calls', program(10, 9000), program(1000, 1000));
  assert.match(
    phraseText(far),
    /^leaf is called less often: 10 times instead of 1,000, .*; the self cost of main rose by 8\.00k$/,
  );
  const [some] = await said('more-calls', program(800, 9000), program(1000, 1000));
  assert.doesNotMatch(phraseText(some), /the self cost of main/);
});

test('of a recorded program, the first findings name the user’s line that made it slower', async () => {
  // Two versions of a program; fixtures/compare/README.md has the lines and costs, counted from the files by hand.
  const version = (v: 1 | 2) => file(`compare/slower/v${v}/slower.callgrind.out.gz`);
  const first = (await shown(version(2), version(1))).slice(0, 2);
  assert.deepEqual(
    first.map(({ rule }) => rule),
    ['new-code', 'costlier-calls'],
  );
  const [added, main] = first;
  assert.match(
    phraseText(added),
    /^normalize\(.*\) is new and costs 2\.75M including callees, 1\.87M self, .* in 10,000 calls from countStrings\(/,
  );
  assert.match(phraseText(main), /^The self cost of main rose from 2\.83M to 4\.36M, .*; ≈ 719k more at prog\.cpp:43$/);
  assert.deepEqual(main.figures.find(({ name }) => name === 'line')?.value, 718_800);
  assert.match(main.target.file ?? '', /prog\.cpp$/);
  assert.equal(main.target.line, 43);
});

test('a response file hides flags: commands that read another one are not compared', async () => {
  const steps = lanes(2, 12, 1);
  const flags = (now: string, before: string) => said('flags-differ', commanded(steps, now), commanded(steps, before));
  assert.deepEqual(await flags('@a.dir/flags.rsp', '-O2 -Iinclude'), []);
  assert.deepEqual(await flags('-O2 -Iinclude', '@a.dir/flags.rsp'), []);
  assert.equal((await flags('-O3 @includes.rsp', '-O2 @includes.rsp')).length, 1);
});

test('the findings of a comparison are the same, whichever run is shown', async () => {
  const now = run('fl=/home/u/prog.cpp', 'fn=main', '10 1000', '12 4000', 'fi=/usr/include/c++/12/bits/stl_algo.h', '99 9500');
  const { analysis, event } = evidence(await against(now, run(...SORTED))());
  const texts = MEASURES.map((measure) =>
    runToEnd(gatherFindings(evidenceOf(analysis, eventInMeasure(analysis, event, measure), []))).map(phraseText),
  );
  assert.match(texts[0].join('\n'), /rose from 1\.50k to 14\.5k/);
  for (const text of texts) assert.deepEqual(text, texts[0]);
});
