// Every transform of one call graph whose numbers can be followed by hand.
//   main 10 -> a (100: 10 by itself), main -> b (60: 20 by itself); a -> lib (60), a -> leaf (30), b -> lib (40); lib 40 -> leaf (60); leaf 90
// So 60 of the 100 that arrive in lib came from a; what a and b have of leaf by way of lib is an estimate, 36 and 24.

import assert from 'node:assert/strict';
import test from 'node:test';
import { analyse } from '../../../src/analysis/answers/analyse.ts';
import { transformProfile } from '../../../src/analysis/profiles/transforms/apply.ts';
import { parseTransform } from '../../../src/analysis/profiles/transforms/transform.ts';
import { ChoiceError } from '../../../src/base/errors.ts';
import { calls } from '../../../src/reports/calls.ts';
import { lines } from '../../../src/reports/lines.ts';
import { routines } from '../../../src/reports/routines.ts';
import { tree } from '../../../src/reports/tree.ts';
import { contextOf } from '../../support/reports.ts';
import { found, graphIn } from '../../support/stacks-as-graph.ts';

const OWN = { folders: [], maps: [], hasFile: (path: string) => path === 'own.c' };

const TEXT = `events: Ir
fl=own.c
fn=main
1 10
cfn=a
calls=1 1
2 100
cfn=b
calls=2 1
3 60
fn=a
11 10
cfi=/usr/lib.c
cfn=lib
calls=6 1
12 60
cfi=/usr/lib.c
cfn=leaf
calls=3 1
13 30
fn=b
21 20
cfi=/usr/lib.c
cfn=lib
calls=4 1
22 40
fl=/usr/lib.c
fn=lib
31 40
cfn=leaf
calls=10 1
32 60
fn=leaf
41 90
`;

const graph = () => graphIn(TEXT);

/** As \`name 12\` and \`caller>callee 34\`, ≈ before estimates. */
async function left(...texts: string[]): Promise<string[]> {
  const { self, edges, estimated } = found(transformProfile({ ...(await graph()), own: OWN }, texts.map(parseTransform)));
  const row = (what: 'self' | 'edges', [key, [cost]]: [string, readonly number[]]) =>
    `${key} ${estimated[what].has(key) ? '≈' : ''}${Math.round(cost * 1000) / 1000}`;
  return [...[...self].map((each) => row('self', each)), ...[...edges].map((each) => row('edges', each))].sort();
}

const CASES: readonly (readonly [text: string, wanted: readonly string[]])[] = [
  ['focus=^a$', ['a 10', 'a>leaf 30', 'a>lib 60', 'leaf ≈66', 'lib ≈24', 'lib>leaf ≈36', 'main>a 100']],
  ['ignore=^a$', ['b 20', 'b>lib 40', 'leaf ≈24', 'lib ≈16', 'lib>leaf ≈24', 'main 10', 'main>b 60']],
  ['show-from=^lib$', ['leaf ≈60', 'lib 40', 'lib>leaf 60']],
  [
    'prune-from=^lib$',
    ['a 10', 'a>leaf 30', 'a>lib 60', 'b 20', 'b>lib 40', 'leaf ≈30', 'lib 100', 'main 10', 'main>a 100', 'main>b 60'],
  ],
  ['hide=^lib$', ['a ≈34', 'a>leaf ≈66', 'b ≈36', 'b>leaf ≈24', 'leaf 90', 'main 10', 'main>a 100', 'main>b 60']],
  // What has a single way to go is known: nobody needs a share.
  ['hide=^leaf$', ['a 40', 'a>lib 60', 'b 20', 'b>lib 40', 'lib 100', 'main 10', 'main>a 100', 'main>b 60']],
  ['show=^(a|b)$', ['a 100', 'b 60']],
  ['only-own', ['a 100', 'b 60', 'main 10', 'main>a 100', 'main>b 60']],
  [
    'merge=^(a|b)$',
    [
      '(^(a|b)$) 30',
      '(^(a|b)$)>leaf 30',
      '(^(a|b)$)>lib 100',
      'leaf 90',
      'lib 40',
      'lib>leaf 60',
      'main 10',
      'main>(^(a|b)$) 160',
    ],
  ],
];

for (const [text, wanted] of CASES)
  test(`${text}, by hand`, async () => {
    assert.deepEqual(await left(text), [...wanted].sort());
  });

test("what nothing of one's own called is one routine: the total stays", async () => {
  const text = TEXT.replace('fl=own.c', 'fl=/usr/start.c')
    .replace('\nfn=a\n', '\nfl=own.c\nfn=a\n')
    .replace(/cfn=([ab])/g, 'cfi=own.c\ncfn=$1');
  const now = found(transformProfile({ ...(await graphIn(text)), own: OWN }, [{ word: 'only-own' }]));
  assert.deepEqual(Object.fromEntries(now.self), { '(outside)': [10], a: [100], b: [60] });
  assert.deepEqual(Object.fromEntries(now.edges), { '(outside)>a': [100], '(outside)>b': [60] });
});

test('what hidden code cost is on the line of its call', async () => {
  const profile = transformProfile({ ...(await graph()), own: OWN }, [{ word: 'hide', pattern: '^leaf$' }]);
  const { costing } = analyse(profile, profile.events);
  const { line, costs } = costing.lines({ routine: 1 });
  assert.deepEqual(
    [...line].map((n, i) => [n, costs[0][i]]),
    [
      [11, 10],
      [13, 30],
    ],
  );
});

test('collapsed recursion and chains', async () => {
  const text =
    'events: Ir\nfn=main\ncfn=one\ncalls=1 1\n1 30\nfn=one\ncfn=two\ncalls=1 1\n2 30\nfn=two\n3 20\ncfn=two\ncalls=5 1\n3 25\ncfn=end\ncalls=1 1\n4 10\nfn=end\n5 10\n';
  const profile = await graphIn(text);
  const of = (...texts: string[]) => {
    const { self, edges } = found(transformProfile({ ...profile, own: OWN }, texts.map(parseTransform)));
    return { self: Object.fromEntries(self), edges: Object.fromEntries(edges) };
  };
  assert.deepEqual(of('collapse=recursion').edges, { 'main>one': [30], 'one>two': [30], 'two>end': [10] });
  assert.deepEqual(of('collapse=chains').edges, { 'main › one>two': [30], 'two>two': [25], 'two>end': [10] });
  assert.deepEqual(of('collapse=recursion', 'collapse=chains'), {
    self: { 'main › one › two › end': [30] },
    edges: {},
  });
});

test('a line is nothing that a call graph knows', async () => {
  const profile = await graph();
  assert.throws(() => transformProfile({ ...profile, own: OWN }, [parseTransform('focus=line:x.c:1')]), ChoiceError);
});

test('estimates are marked and rounded, for people and for machines', async () => {
  const profile = transformProfile({ ...(await graph()), own: OWN }, [parseTransform('focus=^b$')]);
  const context = contextOf(profile);
  const written = async (print: (write: (text: string) => Promise<void>) => Promise<void>) => {
    let out = '';
    await print(async (text) => {
      out += text;
    });
    return out;
  };
  for (const report of [routines, calls, lines, tree]) {
    const leaf = { ...context, routine: report === lines ? [...profile.routines.name.keys()].length - 1 : undefined };
    assert.match(await written((write) => report.write('text', leaf, '0', write)), /≈24/, report.name);
    const { rows } = JSON.parse(await written((write) => report.write('json', leaf, 'x', write)));
    assert.ok(rows.length > 0, report.name);
    for (const row of rows) {
      const values = [row.self?.Ir, row.inclusive?.Ir].filter((value) => value !== undefined);
      assert.ok(values.every(Number.isInteger), JSON.stringify(row));
    }
    assert.ok(
      rows.some((row: { estimated?: boolean }) => row.estimated === true),
      report.name,
    );
    if (report !== tree)
      assert.ok(
        rows.every((row: { estimated?: boolean }) => row.estimated !== false),
        report.name,
      );
  }
});
