// Claims of sampled heaps, traces and kept builds that rest on little: each by a small profile whose answer is known.
import assert from 'node:assert/strict';
import { copyFileSync, rmSync } from 'node:fs';
import test from 'node:test';
import { narrowWindows } from '../../src/analysis/builds/narrow.ts';
import { longestChain } from '../../src/analysis/builds/needs.ts';
import { unchangedUsOf } from '../../src/analysis/builds/simulate.ts';
import { runToEnd } from '../../src/base/slices.ts';
import { gatherFindings } from '../../src/findings/gather.ts';
import { phraseText } from '../../src/findings/say.ts';
import { aprof } from '../../src/formats/aprof/index.ts';
import { firefox } from '../../src/formats/firefox/index.ts';
import { heapText } from '../../src/formats/heap-text.ts';
import type { Loader } from '../../src/formats/loader.ts';
import { traceEvents } from '../../src/formats/trace-events/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { compile, type Snippet, treeOf } from '../support/cmake-tree.ts';
import { analysisOf } from '../support/kinds.ts';
import { loadText } from '../support/load.ts';
import { type Case, evidence, kept } from './cases.ts';

const told = async (of: Case): Promise<string[]> => runToEnd(gatherFindings(evidence(await of()))).map(phraseText);
const text =
  (loader: Loader, of: string): Case =>
  async () => ({ profile: await loadText(loader, of) });

test('two sampled objects are few, however many bytes they stand for; a recorded heap is no sample', async () => {
  const site = (kind: string) => `heap profile: 2: 64 [2: 64] @ ${kind}\n 2: 64 [2: 64] @ 0x1234\n`;
  const sampled = text(heapText, site('heap_v2/524288'));
  assert.ok((await told(sampled)).includes('Only 2 samples: shares are uncertain (0x1233: 100.0%)'));
  const { profile } = await sampled();
  // Each of the two stands for 512 KiB; the sizes of others may differ.
  const [bytes] = profile.events;
  assert.deepEqual([Math.round(bytes.each ?? 0), bytes.uneven], [524304, true]);
  assert.match(bytes.longName ?? '', /≈/);
  assert.ok(!(await told(text(heapText, site('heapprofile')))).some((said) => said.startsWith('Only')));
});

test('slices without a duration are doubtful', async () => {
  const slice = (more: object) => ({ name: 'a', ph: 'X', ts: 0, pid: 1, tid: 1, ...more });
  const of = (...slices: object[]) => text(traceEvents, JSON.stringify(slices));
  const doubt = 'The numbers may be wrong: 1 slice without a duration, shown as 0';
  assert.ok((await told(of(slice({ dur: 5 }), slice({ name: 'b', ts: 6 })))).includes(doubt));
  assert.ok(!(await told(of(slice({ dur: 5 }), slice({ name: 'b', ts: 6, dur: 0 })))).includes(doubt));
});

test('a version of a format that came later is told', async () => {
  const of = (version: number) =>
    loadText(
      firefox,
      JSON.stringify({
        meta: { interval: 1, preprocessedProfileVersion: version },
        threads: [
          {
            ...{
              name: 'a',
              samples: { stack: [0], time: [0], length: 1 },
              stackTable: { frame: [0], prefix: [null], length: 1 },
            },
            ...{ frameTable: { func: [0], length: 1 }, funcTable: { name: [0], length: 1 }, stringArray: ['f'] },
          },
        ],
      }),
    );
  assert.deepEqual((await of(50)).warnings.length, 0);
  assert.deepEqual(
    (await of(99)).warnings.map(({ found }) => found),
    ['version 99: read as version 70'],
  );
});

test('steps that all take longer since one build are told together; one of them alone is named', async () => {
  const names = ['a.cpp', 'b.cpp', 'c.cpp', 'd.cpp', 'e.cpp', 'f.cpp'];
  const builds = (slower: (name: string) => boolean) =>
    kept(
      Array.from({ length: 12 }, (_, b) =>
        Object.fromEntries(names.map((name, k) => [name, (500 + 100 * k + b) * (b >= 6 && slower(name) ? 1.5 : 1)])),
      ),
    );
  const since = (all: readonly string[]) => all.filter((said) => /since the build of/.test(said));
  const [together, ...others] = since(await told(builds(() => true)));
  assert.match(together, /^6 of 6 steps take longer since the build of .* more together, so no single step is blamed$/);
  assert.deepEqual(others, []);
  // One step is ten times slower, two others by little: it is named.
  const most = kept(
    Array.from({ length: 12 }, (_, b) => ({
      'a.cpp': (b >= 6 ? 5000 : 500) + b,
      'b.cpp': (b >= 6 ? 550 : 500) + b,
      'c.cpp': (b >= 6 ? 560 : 500) + b,
    })),
  );
  assert.ok(!since(await told(most)).some((said) => /no single step/.test(said)));
  const alone = since(await told(builds((name) => name === 'f.cpp')));
  assert.equal(alone.length, 1);
  assert.match(alone[0], /has taken 1\.5\ds since/);
});

const ofBuild = async (...snippets: readonly Snippet[]): Promise<string[]> => {
  const { tree } = treeOf(snippets);
  const profile = await loadProfile([tree]);
  rmSync(tree, { recursive: true });
  return told(async () => ({ profile }));
};

test('tests that fail without a record of their runner are named', async () => {
  const ran = (testName: string, timeStart: number, result: number): Snippet => ({
    role: 'test',
    testName,
    timeStart,
    duration: 100,
    result,
  });
  const all = await ofBuild(compile(0, 900, 'a.c'), ran('parse', 1000, 3), ran('draw', 1200, 0), ran('print', 1400, 8));
  assert.ok(
    all.includes('2 of 3 tests ended with an exit code other than 0: test: parse (3) and test: print (8)'),
    all.join('\n'),
  );
  assert.ok(!(await ofBuild(compile(0, 900, 'a.c'), ran('draw', 1200, 0))).some((said) => said.includes('ended with')));
});

test('a build that ended with 0 is not one that failed, though a command did', async () => {
  const steps = (result: number) => [
    compile(100, 500, 'b.c', { result: 1 }),
    { role: 'cmakeBuild', command: 'cmake --build .', timeStart: 50, duration: 700, result },
  ];
  assert.match(
    (await ofBuild(...steps(0))).join('\n'),
    /^The build ended with exit code 0, but commands failed in 1 step: .*b\.c/m,
  );
  assert.match((await ofBuild(...steps(1))).join('\n'), /^The build failed in 1 step: .*b\.c/m);
});

test('a step that the indexes of two hooks list counts once', async () => {
  const { tree, index } = treeOf([compile(0, 1000, 'a.c'), compile(1000, 2000, 'b.c')]);
  const other = index.replace('10-00-00-0000.json', '10-00-01-0000.json');
  copyFileSync(index, other);
  const [whole, twice] = [
    '1 of the indexes have snippets of another only; counted once',
    '2 snippets that another index lists, too; counted once',
  ];
  for (const [paths, found] of [
    [[tree], whole],
    [[index, other], twice],
  ] as const) {
    const profile = await loadProfile(paths);
    assert.ok(profile.kind === 'steps');
    assert.deepEqual(Array.from(profile.steps.durationUs), [1e6, 2e6]);
    assert.deepEqual(
      profile.warnings.map((w) => w.found),
      [found],
    );
  }
  rmSync(tree, { recursive: true });
});

test('one expensive call among equal ones is no hidden input; calls that all differ are', async () => {
  const report = (costs: readonly number[]) => {
    const sum = costs.reduce((all, cost) => all + cost, 0);
    const squares = costs.reduce((all, cost) => all + cost * cost, 0);
    const [least, most] = [Math.min(...costs), Math.max(...costs)];
    const point = [1, 8, least, most, sum, squares, costs.length, sum, sum, least, most, squares].join(' ');
    const head = ['v 6', `k ${sum}`, 'e 1355000000', 'm bb-count', 'i rms', 't 4', 'a ./demo', 'f ./demo'];
    return text(aprof, [...head, 'r "read" "/opt/demo" 0', `q ${point}`, 'x 0 1 -1', ''].join('\n'));
  };
  const twenty = (cost: (k: number) => number) => Array.from({ length: 20 }, (_, k) => cost(k));
  const hidden = (all: readonly string[]) => all.some((said) => /^read costs .* although/.test(said));
  assert.ok(!hidden(await told(report(twenty((k) => (k === 0 ? 5000 : 10))))));
  assert.ok(hidden(await told(report(twenty((k) => 10 + 30 * k)))));
});

test('two builds in one set have no chain across the time between them, though a file is compiled twice', async () => {
  const link = (timeStart: number): Snippet => {
    return {
      role: 'link',
      timeStart,
      duration: 1000,
      target: 'app',
      result: 0,
      outputs: ['app'],
      command: 'cc a.c.o b.c.o -o app',
    };
  };
  const { tree } = treeOf([
    ...[compile(0, 1000, 'a.c'), compile(0, 3000, 'b.c'), link(3000)],
    ...[compile(60_000, 2000, 'a.c'), link(62_000)],
  ]);
  const analysis = analysisOf(await loadProfile([tree]), 'steps');
  rmSync(tree, { recursive: true });
  const { durationUs } = analysis.profile.steps;
  // The second build's chain is compile and link, 3 s; the first build's is b.c and its link, 4 s.
  assert.deepEqual(
    longestChain(analysis).map((i) => durationUs[i] / 1e6),
    [3, 1],
  );
  assert.equal(unchangedUsOf(analysis).now(), 7e6);
  for (const { fromUs, toUs } of narrowWindows(analysis)) assert.ok(toUs - fromUs <= 3.1e6, `${fromUs} to ${toUs}`);
});
