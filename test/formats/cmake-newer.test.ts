// CMake's data of 4.4 and later: ids of builds, signals, messages; and what older data lets conclude of them.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { isOfKind } from '../../src/analysis/answers/analysis.ts';
import { inactiveParts } from '../../src/analysis/answers/parts.ts';
import { activeSteps, buildDurationUs, stepName, stepText } from '../../src/analysis/answers/steps/steps.ts';
import { contradictedNeeds, dependenciesOf, longestChain } from '../../src/analysis/builds/needs.ts';
import { simulation, simulationWarning } from '../../src/analysis/builds/simulate.ts';
import { stepWarnings } from '../../src/analysis/builds/warnings.ts';
import { stepsFailedRule } from '../../src/findings/builds/failed-steps.ts';
import { warningsRule } from '../../src/findings/builds/warnings.ts';
import { rules } from '../../src/findings/index.ts';
import { phraseText } from '../../src/findings/say.ts';
import { BuildSummary } from '../../src/formats/cmake/about.ts';
import { collectBuild } from '../../src/io/builds/cmake-builds.ts';
import { loadProfile } from '../../src/io/load.ts';
import { evidence, saidBy } from '../findings/cases.ts';
import { compile, START, treeOf } from '../support/cmake-tree.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { profileOf } from '../support/kinds.ts';

async function analysed(index: string) {
  const profile = await loadProfile([index]);
  const analysis = analyse(profile, profile.events, inactiveParts(profile, undefined));
  assert.ok(isOfKind(analysis, 'steps'), 'no steps');
  return analysis;
}

test('an interrupted build does not merge into the next: its steps are an older part, and the summary is of the newest', async () => {
  const id = (buildID: string | number) => ({ buildID });
  const { index } = treeOf([
    { role: 'configure', timeStart: 9000, duration: 500, result: 0 },
    compile(10_000, 900, 'b.c', id('two')),
    compile(0, 700, 'a.c', id(1)),
    compile(800, 100, 'b.c', { ...id(1), result: 130, interruptSignal: 2 }),
    { role: 'link', timeStart: 11_000, duration: 300, target: 'app', result: 0, outputs: ['app'], ...id('two') },
    { role: 'cmakeBuild', timeStart: 9900, duration: 1500, result: 0, ...id('two') },
  ]);
  const analysis = await analysed(index);
  const { profile } = analysis;
  const names = Array.from(activeSteps(analysis), (step) => stepName(profile, step));
  assert.deepEqual(names, ['configure', 'cmakeBuild', 'compile: b.c', 'link: app']);
  assert.equal(buildDurationUs(analysis), 2_000_000);
  assert.deepEqual(
    profile.parts.map((p) => [p.older ?? false, p.notes[0]]),
    [
      [true, 'an earlier build, whose end is not recorded: 2 steps'],
      [false, 'set of the hook postCMakeBuild: 4 steps'],
    ],
  );
  const interrupted = profile.steps.result.indexOf(130);
  assert.equal(stepText(profile, 'caveat', interrupted), 'interrupted by signal 2');
  const kept = await collectBuild(index);
  assert.ok(kept, 'nothing was kept');
  const { about } = JSON.parse(gunzipSync(readFileSync(kept)).toString().split('\n')[0]);
  assert.deepEqual(
    [about.what, about.failed, about.steps, about.durationMs, about.startMs],
    ['build', false, 4, 2000, START + 9000],
  );
  const again = await analysed(kept);
  assert.deepEqual(
    Array.from(activeSteps(again), (step) => stepName(again.profile, step)),
    names,
  );
});

test('one build, or none with an id, stays one part', async () => {
  for (const more of [{}, { buildID: 'one' }]) {
    const { index } = treeOf([compile(0, 700, 'a.c', more), compile(800, 100, 'b.c', more)]);
    const { profile } = await analysed(index);
    assert.equal(profile.parts.length, 1);
  }
});

test('a whole build that ended with 2 was interrupted, or failed outside of steps, if no step failed', async () => {
  const whole = { role: 'cmakeBuild', timeStart: 0, duration: 1000, result: 2 };
  const caveats = async (result: number) => {
    const { profile } = await analysed(treeOf([whole, compile(100, 200, 'a.c', { result })]).index);
    return Array.from(profile.steps.name.keys(), (step) => stepText(profile, 'caveat', step));
  };
  assert.deepEqual(await caveats(0), ['interrupted, or failed outside of the recorded steps', null]);
  assert.deepEqual(await caveats(1), [null, null]);
});

test('a build that failed without a step failed to configure, if CMake began to configure meanwhile', async () => {
  const { tree, index } = treeOf([{ role: 'cmakeBuild', timeStart: 0, duration: 1000, result: 1 }]);
  const kindOf = async () => {
    const kept = await collectBuild(index);
    return JSON.parse(
      gunzipSync(readFileSync(kept ?? ''))
        .toString()
        .split('\n')[0],
    ).about.what;
  };
  mkdirSync(join(tree, 'CMakeFiles'));
  const stamp = join(tree, 'CMakeFiles/cmake.check_cache');
  writeFileSync(stamp, '# dependency checking');
  const touch = (ms: number) => utimesSync(stamp, ms / 1000, ms / 1000);
  touch(START - 5000);
  assert.equal(await kindOf(), 'nothing');
  touch(START + 500);
  assert.equal(await kindOf(), 'configure');
});

test('messages of steps: in Step, counted by file as warnings, and a finding names the file with most', async () => {
  const header = 'In file included from a.c:1:\nutil.h:3:9: warning: unused variable [-Wunused]\nutil.h:9: warning: again\n';
  const { index } = treeOf([
    compile(0, 700, 'a.c', { stderr: header, stdout: 'built a\n', targetLabels: ['core'] }),
    compile(0, 700, 'b.c', {
      stderr: '\x1b[01m\x1b[Kutil.h:3:9:\x1b[m\x1b[K \x1b[01;35m\x1b[Kwarning: \x1b[m\x1b[Kunused variable\n',
    }),
    compile(0, 700, 'c.c', { stdout: 'c.c(7): warning C4996: deprecated\nthe warning was ignored\nnote: no warning here\n' }),
    {
      role: 'link',
      timeStart: 800,
      duration: 300,
      target: 'app',
      result: 0,
      outputs: ['app'],
      stderr: 'ld: warning: x.o: missing .note.GNU-stack\n',
    },
  ]);
  const analysis = await analysed(index);
  const { profile } = analysis;
  const warnings = stepWarnings(analysis);
  assert.ok(warnings, 'no messages');
  const counts = new Map([...warnings.counts].map(([step, count]) => [stepName(profile, step), count]));
  assert.deepEqual(
    counts,
    new Map([
      ['compile: a.c', 2],
      ['compile: b.c', 1],
      ['compile: c.c', 1],
      ['link: app', 1],
    ]),
  );
  assert.deepEqual(
    [...warnings.byFile].map(([file, steps]) => [file, steps.length]),
    [
      ['util.h', 3],
      ['c.c', 1],
    ],
  );
  const [said] = saidBy(warningsRule, evidence({ profile }));
  assert.equal(phraseText(said), 'The commands wrote 5 warnings, 3 of them from util.h');
  const first = profile.steps.name.findIndex((_, step) => stepName(profile, step) === 'compile: a.c');
  assert.equal(stepText(profile, 'messages', first), `built a\n${header.trimEnd()}`);
  assert.match(stepText(profile, 'more', first) ?? '', /"targetLabels":\["core"\]/);
  assert.equal(stepWarnings(await analysed(treeOf([compile(0, 7, 'a.c')]).index)), undefined);
});

test('a build that an older version kept is summed up again in History', async () => {
  const { tree, index } = treeOf([
    { role: 'configure', timeStart: 0, duration: 500, result: 0 },
    compile(3_600_000, 700, 'a.c'),
    { role: 'cmakeBuild', timeStart: 3_599_900, duration: 1000, result: 0 },
  ]);
  const kept = await collectBuild(index);
  assert.ok(kept, 'nothing was kept');
  const [head, ...lines] = gunzipSync(readFileSync(kept)).toString().split('\n');
  const { about } = JSON.parse(head);
  assert.equal(about.durationMs, 1500);
  const { jobs: _, idleMs: __, ...old } = { ...about, durationMs: 3_600_900 };
  writeFileSync(kept, gzipSync([JSON.stringify({ proftuiBuild: 1, about: old }), ...lines].join('\n')));
  const profile = await loadProfile([tree]);
  assert.ok(profile.kind === 'steps');
  assert.deepEqual(
    profile.steps.history?.builds.map(({ buildInfo }) => [buildInfo.durationMs, buildInfo.jobs]),
    [[1500, 2]],
  );
});

test('dependencies that the record contradicts are not believed: nothing is advised, and it is said how many they are', async () => {
  const { profile } = await analysed(join(FIXTURES, 'cmake/chains/postbuild.json.gz'));
  const { needs } = profile.steps;
  assert.ok(needs, 'no needs');
  const given = analyse(profile, profile.events, new Set());
  const reversed = { ...profile, steps: { ...profile.steps, needs: { step: needs.of, of: needs.step } } };
  const turned = analyse(reversed, profile.events, new Set());
  assert.ok(isOfKind(given, 'steps') && isOfKind(turned, 'steps'), 'no steps');
  assert.equal(contradictedNeeds(given), 0);
  assert.equal(contradictedNeeds(turned), needs.step.length);
  const s = simulation(turned);
  assert.ok(s, 'no simulation');
  assert.match(
    simulationWarning(s),
    /^\d+ steps? began before a step that build files say they need; simulations are unreliable here$/,
  );
  const advised = ['waited-for', 'late-start', 'few-jobs'];
  const said = rules.filter((rule) => advised.includes(rule.id)).flatMap((rule) => saidBy(rule, evidence({ profile: reversed })));
  assert.deepEqual(said.map(phraseText), []);
});

test('a build by make: rules say what generated files and commands of targets are for', async () => {
  // A program needs gen.h and data.c, each by a command, and a library whose target waits for the custom target `tool`. Real builds took
  // 5.28 s with -j1 and 4.19 s with -j2, of which CMake's own start takes 0.25 s.
  const analysis = await analysed(join(FIXTURES, 'cmake/chains/make-generated.json.gz'));
  const { profile } = analysis;
  const needs = dependenciesOf(analysis).now();
  const stepOf = (part: string) =>
    Array.from(profile.steps.name.keys()).find((step) => stepName(profile, step).includes(part)) ?? -1;
  const needsOf = (part: string) =>
    (needs?.get(stepOf(part)) ?? []).map((step) => stepName(profile, step).replace(/\/\S*\//, ''));
  assert.deepEqual(needsOf('u.c'), ['custom: sleep 1.5'], 'the library waits for the custom target');
  for (const source of ['a.c', 'b.c', 'data.c'])
    for (const command of ['custom: cmake -E touch gen.h', 'custom: cmake -E touch data.c', 'link: util'])
      assert.ok(
        needsOf(`compile: /srv/case/${source === 'data.c' ? 'build/' : ''}${source}`).includes(command),
        `${source} ${command}`,
      );
  const s = simulation(analysis);
  assert.ok(s, 'no simulation');
  assert.equal(s.contradicted, 0);
  assert.ok(Math.abs(s.asItWasUs - s.measuredUs) < 0.02 * s.measuredUs, `${s.asItWasUs} of ${s.measuredUs}`);
  const [alone] = s.withJobs;
  assert.ok(Math.abs(alone.us / 1e6 + 0.25 - 5.28) < 0.53, `${alone.us} with one job`);
  const chain = longestChain(analysis).map((step) => stepName(profile, step).replace(/\/\S*\//, ''));
  assert.deepEqual(
    chain.filter((name) => name.startsWith('custom')),
    ['custom: sleep 1.5', 'custom: sleep 1.2', 'custom: cmake -E touch gen.h', 'custom: sleep 0.9'],
  );
});

test('a summary takes as many steps without a build as there are', () => {
  const summary = new BuildSummary();
  for (let i = 0; i < 200_000; i++) summary.add({ role: 'custom', timeStart: START + i, duration: 1, result: 0 });
  summary.add({ role: 'custom', timeStart: START, duration: 5, result: 0, buildID: 'one' });
  const newest = summary.newest();
  assert.equal(newest.durations.length, 200_001);
  assert.equal(newest.durations.at(-1)?.ms, 5, 'those without a build come first');
});

test('the finding about failed steps has the first line about an error that a compiler wrote, without control characters', async () => {
  const stderr =
    'In file included from error.c:1:\na.h:2:9: warning: odd\na.c:7:3: \u001b[1merror: no member named \u0007x\na.c:9: error: later\n';
  const failed = compile(0, 9, 'a.c', { result: 1, stderr });
  const silent = compile(10, 9, 'b.c', { result: 1, stderr: 'killed' });
  const said = async (...steps: Parameters<typeof treeOf>[0]) =>
    saidBy(stepsFailedRule, evidence({ profile: await loadProfile([treeOf(steps).index]) })).map(phraseText);
  const [text] = await said(silent, failed);
  assert.match(text, /; first error: a\.c:7:3: error: no member named \S*x$/);
  assert.doesNotMatch(text, /[\u0000-\u001f]/);
  const [without] = await said(silent);
  assert.doesNotMatch(without, /first error/);
});

test('what CTest kept of failed and warning commands is in their steps, if it is of their build', async () => {
  const tree = (startMs: number) => {
    const made = treeOf([
      compile(startMs, 40, 'bad.c', { outputs: ['CMakeFiles/bad.dir/bad.c.o'], result: 1 }),
      compile(startMs, 30, 'util.c', { outputs: ['CMakeFiles/util.dir/util.c.o'] }),
      compile(startMs, 30, 'main.c', { outputs: ['CMakeFiles/ok.dir/main.c.o'] }),
    ]);
    const xml = readFileSync(join(FIXTURES, 'ctest/Build.xml'), 'utf8')
      .replaceAll('/srv/dash/build', made.tree)
      .replace(/<StartBuildTime>\d+/, `<StartBuildTime>${START / 1000}`);
    mkdirSync(join(made.tree, 'Testing/20261128-1740'), { recursive: true });
    writeFileSync(join(made.tree, 'Testing/TAG'), '20261128-1740\nExperimental\n');
    writeFileSync(join(made.tree, 'Testing/20261128-1740/Build.xml'), xml);
    return made.tree;
  };
  const messagesOf = async (folder: string) => {
    const { profile } = await analysed(folder);
    return new Map(Array.from(profile.steps.name.keys(), (i) => [stepName(profile, i), stepText(profile, 'messages', i)]));
  };
  const messages = await messagesOf(tree(1000));
  assert.match(
    messages.get('compile: bad.c') ?? '',
    /^\/srv\/dash\/src\/bad\.c: In function ‘main’:\n.*bad\.c:2:10: error: ‘missing’/,
  );
  assert.doesNotMatch(messages.get('compile: bad.c') ?? '', /CTest: warning/);
  assert.match(messages.get('compile: util.c') ?? '', /warning: unused variable ‘unused’/);
  assert.equal(messages.get('compile: main.c'), null);
  // Steps that began before the build of Build.xml keep none.
  assert.equal((await messagesOf(tree(-5000))).get('compile: bad.c'), null);
});

test('without launchers, CTest names the sources of its messages: they are in the steps that compile them, if that is one', async () => {
  const sources = ['/srv/dash/src/a.c', '/srv/dash/src/b.c', '/srv/dash/src/c.c', '/srv/dash/other/src/b2.c'];
  const messagesOf = async (more: readonly string[]) => {
    const { tree } = treeOf([...sources, ...more].map((source, k) => compile(1000 + k, 30, source, { outputs: [`o${k}.o`] })));
    const xml = readFileSync(join(FIXTURES, 'ctest/Build-without-launchers.xml'), 'utf8').replace(
      /<StartBuildTime>\d+/,
      `<StartBuildTime>${START / 1000}`,
    );
    mkdirSync(join(tree, 'Testing/20261128-1740'), { recursive: true });
    writeFileSync(join(tree, 'Testing/TAG'), '20261128-1740\nExperimental\n');
    writeFileSync(join(tree, 'Testing/20261128-1740/Build.xml'), xml);
    const { profile } = await analysed(tree);
    return Array.from(profile.steps.name.keys(), (i) => stepText(profile, 'messages', i)?.split('\n') ?? []);
  };
  // As `cc` printed them; h.h is of no step that is named.
  const [a, b, c, other] = await messagesOf([]);
  assert.deepEqual(a, ['/srv/dash/src/a.c:2:19: warning: unused variable ‘unused’ [-Wunused-variable]']);
  assert.equal(b.length, 3);
  assert.match(b[0], /b\.c:1:22: error: ‘undeclared_name’ undeclared/);
  assert.deepEqual([c, other], [[], []]);
  // Two steps compile src/b.c: nothing tells which of them wrote it.
  const two = await messagesOf(['/srv/dash/src/b.c']);
  assert.deepEqual([two[0].length, two[1], two[4]], [1, [], []]);
});

test('the messages of CTest are in the steps of a bare log of ninja whose last line was written during that build', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const log = join(folder, '.ninja_log');
  const line = (from: number, to: number, output: string) => `${from}\t${to}\t0\t${output}\t1\n`;
  writeFileSync(
    log,
    `# ninja log v5\n${line(0, 30, 'CMakeFiles/util.dir/util.c.o')}${line(0, 40, 'CMakeFiles/ok.dir/main.c.o')}`,
  );
  mkdirSync(join(folder, 'Testing/20261128-1740'), { recursive: true });
  writeFileSync(join(folder, 'Testing/TAG'), '20261128-1740\nExperimental\n');
  const xml = readFileSync(join(FIXTURES, 'ctest/Build.xml'), 'utf8').replace(
    /<StartBuildTime>\d+/,
    `<StartBuildTime>${START / 1000}`,
  );
  const written = join(folder, 'Testing/20261128-1740/Build.xml');
  writeFileSync(written, xml);
  utimesSync(written, START / 1000 + 10, START / 1000 + 10);
  const messages = async (loggedSeconds: number) => {
    utimesSync(log, START / 1000 + loggedSeconds, START / 1000 + loggedSeconds);
    const profile = profileOf(await loadProfile([log]), 'steps');
    return Array.from(profile.steps.name.keys(), (i) => stepText(profile, 'messages', i));
  };
  const [main, util] = await messages(5);
  assert.match(util ?? '', /warning: unused variable ‘unused’/);
  assert.equal(main, null);
  // A build before it, and one after it.
  assert.deepEqual(
    [await messages(-5), await messages(60)],
    [
      [null, null],
      [null, null],
    ],
  );
  rmSync(folder, { recursive: true });
});
