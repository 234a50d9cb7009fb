// Claims that were made once and did not hold: each by a small profile that shows it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { ROUTINE_GRANULARITY } from '../../src/analysis/profiles/granularity/stacks.ts';
import { buildShownProfile } from '../../src/analysis/profiles/shown.ts';
import { runToEnd } from '../../src/base/slices.ts';
import { isNameless, subjectByName } from '../../src/findings/cost/code-names.ts';
import { gatherFindings } from '../../src/findings/gather.ts';
import { phraseText } from '../../src/findings/say.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadText } from '../support/load.ts';
import { PLAINLY } from '../support/versus.ts';
import { against, type Case, evidence, file, graph, kept, tested } from './cases.ts';

const told = async (of: Case): Promise<string[]> => runToEnd(gatherFindings(evidence(await of()))).map(phraseText);
const saying = (all: readonly string[], rule: RegExp): string => all.find((text) => rule.test(text)) ?? '';

/** Routines: their line and self cost, and their calls: callee, count, line of the call, cost, line of the callee. */
const program = (...routines: readonly (readonly [name: string, self: string, ...calls: string[]])[]): Case =>
  graph(
    'events: Ir',
    'fl=a.c',
    ...routines.flatMap(([name, self, ...calls]) => [
      `fn=${name}`,
      self,
      ...calls.flatMap((call) => {
        const [callee, count, at, cost] = call.split(' ');
        return [`cfn=${callee}`, `calls=${count} 1`, `${at} ${cost}`];
      }),
    ]),
  );

test('what members of a cycle call in it is no cost that a caller makes', async () => {
  const all = await told(
    program(
      ['main', '1 10', 'expr 1 2 100000'],
      ['x1', '1 10', 'expr 1 2 1000'],
      ['x2', '1 10', 'expr 1 2 1000'],
      ['expr', '20 40000', 'term 1000 21 1500000'],
      ['term', '30 62000', 'expr 997 31 1400000'],
    ),
  );
  assert.match(
    saying(all, /inclusive cost of expr/),
    /^main, one of 3 callers, causes 98\.04% of the inclusive cost of expr: 98\.0\d% of Ir at a\.c:2$/,
  );
});

test('a line is told for the part that it makes', async () => {
  const thirds = await told(
    program(
      ['main', '1 10', 'drive 1 2 3000010'],
      ['drive', '20 10', 'hot 1000 21 1000000', 'hot 1000 22 1000000', 'hot 1000 23 1000000'],
      ['hot', '50 3000000'],
    ),
  );
  assert.match(saying(thirds, /^hot/), /; all from drive, on average 3,000 per call of drive$/);
  const twice = await told(
    program(['main', '1 10', 'g 1000 2 1000000'], ['g', '20 10000', 'f 2000 21 990000'], ['f', '50 990000']),
  );
  assert.match(saying(twice, /^f /), /; all from g at a\.c:21, on average 2 per call of g$/);
  assert.ok(twice.every((text) => !/loop/.test(text)));
});

test('a line is in a loop where a recorded jump goes back over it, and only there', async () => {
  const drive = (...jump: string[]) =>
    graph(
      ...['events: Ir', 'fl=a.c', 'fn=main', '1 10', 'cfn=drive', 'calls=1 20', '2 1010010', 'fn=drive', '20 10'],
      ...['cfn=hot', 'calls=1000 50', '21 1000000', ...jump, '23 10000', 'fn=hot', '50 1000000'],
    );
  const told21 = async (of: Case) => saying(await told(of), /^hot/);
  assert.match(
    await told21(drive('jcnd=999/1000 20', '22')),
    /all from drive at a\.c:21, in a loop, on average 1,000 per call of drive$/,
  );
  // Forwards, or back to a line behind the call.
  for (const jump of ['jcnd=999/1000 25', 'jcnd=999/1000 22'])
    assert.match(await told21(drive(jump, '22')), /all from drive at a\.c:21, on average 1,000 per call of drive$/);
});

test('who calls often is told by calls, not by what they cost', async () => {
  const all = await told(
    program(
      ['main', '1 10', 'A 1 2 9000110', 'B 1 3 1000110'],
      ['A', '20 100', 'f 1 21 9000010'],
      ['B', '30 100', 'f 100000 31 1000000'],
      ['f', '50 1000010', 'compute 1 51 9000000'],
      ['compute', '60 9000000'],
    ),
  );
  assert.match(saying(all, /^f /), /100,001 calls of 10 each; nearly all from B at a\.c:31/);
});

test('one’s own routines are not taken for the linker’s or an allocator’s', async () => {
  const all = await told(
    program(['do_lookup', '70 400000'], ['tc_parse', '80 300000'], ['dl_items', '90 300000'], ['je_ne', '95 100000']),
  );
  assert.deepEqual(
    all.filter((text) => /linker|llocating/.test(text)),
    [],
  );
  assert.match(saying(all, /^do_lookup/), /^do_lookup has a self cost of 36\.36% of Ir$/);
});

test('time in which nothing ran is no routine that costs', async () => {
  const all = await told(program(['(idle)', '70 900000'], ['parse', '80 100000'], ['emit', '90 50000']));
  assert.deepEqual(
    all.filter((text) => text.includes('(idle)')),
    [],
  );
});

test('a line that several routines have is one line', async () => {
  const of = (name: string, cost: number) => [`fn=${name}`, '1 100', '2 100', '3 100', '4 100', 'fi=v.h', `5 ${cost}`, 'fe=a.c'];
  const all = await told(graph('events: Ir', 'fl=a.c', ...of('f', 6000), ...of('g', 5900)));
  assert.match(saying(all, /accounts? for/), /^One line accounts for 93\.70% of Ir: v\.h:5/);
});

test('of a difference, the greatest changes are named: nothing is a share of its total', async () => {
  const all = runToEnd(gatherFindings(evidence(await file('compare/shop.cg_diff.out.gz')())));
  assert.ok(all.length > 1 && all.every((f) => f.rule === 'differences'));
});

test('what transforms left is no small recording', async () => {
  const { profile: loaded } = await file('pprof/cpu.pb.gz')();
  const focus = { word: 'focus', pattern: 'insert' } as const;
  const profile = buildShownProfile(loaded, {
    granularity: ROUTINE_GRANULARITY,
    transforms: [focus],
    own: undefined,
    versus: undefined,
  });
  const all = await told(async () => ({ profile }));
  assert.ok(all.length > 0);
  assert.deepEqual(
    all.filter((text) => /^Only|main takes/.test(text)),
    [],
  );
});

test('a small last build makes no change the whole of it; a test that ran twice is one test', async () => {
  const builds = Array.from({ length: 12 }, (_, b) => ({ 'a.cpp': b < 6 ? 500 + b : 1000 + b, 'b.cpp': 800 + b }));
  const all = runToEnd(gatherFindings(evidence(await kept([...builds, { 'c.cpp': 10 }])())));
  const slower = all.find((f) => f.rule === 'slower-since');
  // 506 ms more of the 1,011 and 811 ms that both took last, and of c.cpp.
  assert.ok(slower?.share !== undefined && Math.abs(slower.share - 506 / (1011 + 811 + 10)) < 0.001, `${slower?.share}`);
  const tests = await told(tested(['a', 'failed'], ['a', 'failed'], ['b', 'passed']));
  assert.match(saying(tests, /failed/), /^1 of 2 tests failed: a$/);
});

test('a step that takes longer from build to build is said to drift, not to have changed in one of them', async () => {
  const wave = [0, 6, -5, 3, -2, 5, -6, 2, 0, -3, 4, -4];
  const builds = wave.map((ms, b) => ({ 'a.cpp': 600 + 20 * b + ms, 'b.cpp': 800 + ms }));
  const text = saying(await told(kept(builds)), /takes longer/);
  // The line through them goes from 600 to 820 ms.
  assert.match(text, /takes longer from build to build: 6\d\dms in the first of 12 builds, 8\d\dms now, 3\d\.\d\d% more$/);
});

test('an address with a level or its callers is code without a name', () => {
  for (const name of ['0x4005d0', "0x00000000005012c0'2", "0x4005d0'main"]) assert.ok(isNameless(name), name);
  for (const name of ["parse'2", "0xygen'2", 'x0x1']) assert.ok(!isNameless(name), name);
});

test('names that end like nobody’s variant are the program’s own, unless its object says otherwise', async () => {
  const of = async (object: string, name: string) => {
    const { profile } = await graph('events: Ir', `ob=${object}`, 'fl=a.c', `fn=${name}`, '1 10')();
    return subjectByName(profile, 0);
  };
  for (const name of ['strlen_loop', 'printf_like', 'memcpy_gpu']) assert.equal(await of('/home/me/prog', name), undefined, name);
  assert.equal(await of('/home/me/prog', '__memcpy_avx_unaligned_erms'), 'code copying');
  assert.equal(await of('/home/me/prog', 'memcpy_sse2'), 'code copying');
  assert.equal(await of('/lib/x86_64-linux-gnu/libc-2.31.so', 'printf_positional'), 'code strings');
});

test('a wrapper of malloc does not cause what it passes on', async () => {
  const all = await told(
    program(
      ['main', '1 10', 'build 1 2 100110'],
      ['build', '20 50000', 'Perl_safesysmalloc 100 21 50110'],
      ['Perl_safesysmalloc', '30 10', '__libc_malloc 100 31 50100'],
      ['__libc_malloc', '50 20000', '_int_malloc 100 51 30100'],
      ['_int_malloc', '60 30100'],
    ),
  );
  assert.match(saying(all, /^Allocating/), /; build causes /);
});

test('all calls of a routine count, also its own and those of its cycle', async () => {
  const cycle = await told(
    program(
      ['main', '2 10000', 'even 1 3 90000'],
      ['even', '3 60000', 'odd 5000 4 400000'],
      ['odd', '4 30000', 'even 4999 5 390000'],
    ),
  );
  assert.match(saying(cycle, /^even .* called often/), /5,000 calls of 12 each; 99\.98% of them from odd /);
  const direct = await told(program(['main', '1 20000', 'leaf 1100 2 80000'], ['leaf', '3 80000', 'leaf 900 4 36000']));
  assert.match(saying(direct, /^leaf .* called often/), /2,000 calls of 40 each; 55\.00% of them from main /);
});

test('a change that rounds to nothing is said as the difference itself', async () => {
  const total = (cost: number) => program(['main', `1 ${cost}`]);
  assert.match(
    saying(await told(against(total(1_000_000), total(1_000_001))), /^Overall/),
    /^Overall, 1 fewer Ir than the base \(1\.00M\)$/,
  );
});

test('all goroutines of one moment are no small sample', async () => {
  const all = await told(file('pprof/goroutine.pb.gz'));
  assert.ok(all.every((text) => !/^Only/.test(text)));
});

test('calls that were not counted are no recursion', async () => {
  const all = await told(program(['main', '1 10', 'f 0 2 1010'], ['f', '20 10', 'f 0 21 500', 'g 0 22 1000'], ['g', '30 1000']));
  assert.ok(
    all.every((text) => !/calls itself/.test(text)),
    all.join('\n'),
  );
});

test('what a thread does is not before or after main', async () => {
  const all = await told(
    program(
      ['(below main)', '1 1', 'main 1 2 100'],
      ['main', '10 100'],
      ['_pthread_start', '20 10', 'work 1 21 900'],
      ['work', '30 900'],
    ),
  );
  assert.ok(
    all.every((text) => !/outside main/.test(text)),
    all.join('\n'),
  );
});

const advice = async (of: Case): Promise<string> =>
  runToEnd(gatherFindings(evidence(await of())))
    .map((f) => `${f.rule}: ${f.try ?? ''}`)
    .join('\n');

test('flags are recommended only where the format can use them', async () => {
  // Its frames have names or none: nothing looks for the objects of its addresses.
  assert.match(
    await advice(file('dhat/words-stripped.dhat.json')),
    /^names-missing: install the debug package of libstdc\+\+\.so\.6\.0\.30, or set DEBUGINFOD_URLS, and record again$/m,
  );
  assert.match(
    await advice(file('gperftools/stripped.prof.gz')),
    /^names-missing: give the unstripped binary \(--binary PATH\)/m,
  );
  // A cycle f, g with a caller of each, of an event that other tools count.
  const cycle = (event: string) =>
    graph(
      ...[`events: ${event}`, 'fl=a.c', 'fn=main', '1 10', 'cfn=f', 'calls=1 20', '2 600', 'cfn=g', 'calls=1 30', '3 600'],
      ...['fn=f', '20 500', 'cfn=g', 'calls=5 30', '21 400', 'fn=g', '30 500', 'cfn=f', 'calls=5 20', '31 400'],
    );
  assert.match(await advice(cycle('Ir')), /^cycles: record with --separate-recs=5 or --separate-callers=3 /m);
  assert.match(await advice(cycle('curB')), /^cycles: $/m);
});

test('of a profile that is cut anywhere, no cost exceeds that of the whole, and nothing is concluded from the missing part', async () => {
  const path = join(FIXTURES, 'callgrind/default.callgrind.out');
  const text = readFileSync(path, 'utf8');
  const selfCosts = (profile: Profile) => Array.from(analyse(profile, profile.events).totals.self[0]).sort((a, b) => b - a);
  const whole = await loadProfile([path]);
  const all = selfCosts(whole);
  const total = all.reduce((a, b) => a + b, 0);
  let seen = 0;
  for (let end = 4000; end < text.length - 1; end += Math.ceil(text.length / 23)) {
    const profile = await loadText(callgrind, text.slice(0, end));
    if (!profile.cut) continue;
    seen++;
    const { totals } = analyse(profile, profile.events);
    assert.ok(totals.total[0][0] <= total, `${end}: ${totals.total[0][0]} of ${total}`);
    for (const [rank, cost] of selfCosts(profile).entries()) assert.ok(cost <= all[rank], `${end}: no. ${rank}`);
    const said = runToEnd(gatherFindings(evidence({ profile }))).map((f) => phraseText(f));
    assert.ok(!said.some((sentence) => /outside main/.test(sentence)), said.join('\n'));
    for (const compared of [compareProfiles(profile, whole, PLAINLY), compareProfiles(whole, profile, PLAINLY)]) {
      const differing = runToEnd(gatherFindings(evidence({ profile: compared }))).map((f) => phraseText(f));
      assert.match(differing[0], /^The (profile|base) is cut off at line \d+; differences/);
      assert.equal(differing.length, 1, differing.join('\n'));
    }
  }
  assert.ok(seen > 15);
});
