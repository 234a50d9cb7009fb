// For every rule, a profile of which it has something to say and one of which it has not: real ones of the fixtures, or small ones made for it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { allEvents } from '../../src/analysis/answers/events.ts';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { runToEnd } from '../../src/base/slices.ts';
import { rules } from '../../src/findings/index.ts';
import { phraseText } from '../../src/findings/phrase.ts';
import { type Evidence, evidenceOf, type FindingRule, type RuleResult } from '../../src/findings/rule.ts';
import { aprof } from '../../src/formats/aprof/index.ts';
import { buildTrace } from '../../src/formats/build-trace.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { ninjaLog } from '../../src/formats/ninja-log.ts';
import { traceEvents as traceLoader } from '../../src/formats/trace-events/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import type { CacheUse } from '../../src/model/steps/history.ts';
import type { TestResult } from '../../src/model/steps/tests.ts';
import { Interner } from '../../src/model/strings.ts';
import { aprofReport, type Called, pointsOf } from '../support/aprof.ts';
import { unpack } from '../support/bundle.ts';
import { compile, treeOf } from '../support/cmake-tree.ts';
import { FIXTURES, readJson } from '../support/fixtures.ts';
import { profileOf } from '../support/kinds.ts';
import { loadText } from '../support/load.ts';

/** A profile, and the source files that were changed after it. */
interface Made {
  readonly profile: Profile;
  readonly newer?: readonly string[];
}

export type Case = () => Promise<Made>;

export const file =
  (...paths: readonly string[]): Case =>
  async () => ({ profile: await loadProfile(paths.map((path) => join(FIXTURES, path))) });

const bundle = (name: string): Case => {
  return async () => {
    const folder = unpack(join(FIXTURES, `cmake/${name}.json.gz`));
    return { profile: await loadProfile([join(folder, 'build')]) };
  };
};

/** A kept build of one tree: eight seconds lie between the configure step and the build of the first; the third failed. */
export const keptBuild = (nth: number): Case => {
  return async () => {
    const folder = join(unpack(join(FIXTURES, 'cmake/pools.json')), 'ninja-4/.proftui');
    return { profile: await loadProfile([join(folder, readdirSync(folder).sort()[nth])]) };
  };
};

/** The kept build of a tree with pools. */
/** The profile of Bazel in the fixtures, its analysis so much longer. */
const bazel = (longerUs: number): Case => {
  return async () => {
    const profile = readJson<{ traceEvents: { name: string; ts?: number }[] }>(
      join(FIXTURES, 'trace-events/bazel/build.profile.json'),
    );
    const { ts: end = 0 } = profile.traceEvents.find(({ name }) => name === 'Build artifacts') ?? {};
    const traceEvents = profile.traceEvents.map((e) => (e.ts !== undefined && e.ts >= end ? { ...e, ts: e.ts + longerUs } : e));
    return { profile: await loadText(traceLoader, JSON.stringify({ traceEvents })) };
  };
};

const pool = (name: string): Case => {
  return async () => {
    const folder = join(unpack(join(FIXTURES, 'cmake/pools.json')), name, '.proftui');
    return { profile: await loadProfile(readdirSync(folder).map((file) => join(folder, file))) };
  };
};

/** The build with such a record of a compiler cache. */
export const withCache = (build: Case, cache: CacheUse): Case => {
  return async () => {
    const { profile } = await build();
    if (profile.kind !== 'steps' || !profile.steps.history) throw new Error('there are no kept builds');
    const { history } = profile.steps;
    const builds = history.builds.map(({ path, buildInfo: about }) => ({ path, buildInfo: { ...about, cache } }));
    return { profile: { ...profile, steps: { ...profile.steps, history: { ...history, builds } } } };
  };
};

export const against = (now: Case, before: Case): Case => {
  return async () => ({
    profile: compareProfiles((await now()).profile, (await before()).profile, { pathMaps: [], renames: [], normalize: false }),
  });
};

export const graph = (...lines: readonly string[]): Case => {
  return async () => ({
    profile: await loadText(callgrind, ['# callgrind format', 'version: 1', ...lines, ''].join('\n')),
  });
};

/** A run with a simulated cache of that size. */
const cached = (bytes: number): Case => graph(`desc: D1 cache: ${bytes} B, 64 B`, 'events: Ir D1mr', 'fn=main', '1 900 90');

/** A program of which these routines take a third each, called by its work. */
const calling = (...names: readonly string[]): Case =>
  graph(
    ...['events: Ir', 'ob=/usr/bin/work', 'fl=work.cc', 'fn=work', '1 100'],
    ...names.flatMap((name) => ['cob=/usr/lib/libx.so', `cfi=x.cc`, `cfn=${name}`, 'calls=9 1', '5 100']),
    ...names.flatMap((name) => ['ob=/usr/lib/libx.so', 'fl=x.cc', `fn=${name}`, '1 100']),
  );

const growth =
  (...roots: readonly Called[]): Case =>
  async () => ({ profile: await loadText(aprof, aprofReport(roots)) });

/** A build trace of commands that make runs in /src. */
export const traced = (...commands: readonly string[]): Case => {
  return async () => {
    const event = (args: readonly string[], id: number) =>
      JSON.stringify({ id, parent_id: id === 1 ? 0 : 1, work_dir: '/src', executable: `/bin/${args[0]}`, args });
    const lines = ['{"version": "101"}', ...['make', ...commands].map((line, i) => event(line.split(' '), i + 1))];
    return { profile: await loadText(buildTrace, `${lines.join('\n')}\n`) };
  };
};
/** Compiles of so many sources, each with these options. */
const compiles = (count: number, options: string) =>
  Array.from({ length: count }, (_, k) => `gcc ${options} -c f${k}.c -o f${k}.o`);
const OPTIMIZED = traced(...compiles(12, '-O2'));

/** A build tree with kept builds: by build, the milliseconds of each source that was compiled. */
export const kept = (builds: readonly Readonly<Record<string, number>>[]): Case => {
  return async () => {
    const profile = profileOf((await bundle('tidepool-ninja-content')()).profile, 'steps');
    const sources = [...new Set(builds.flatMap((b) => Object.keys(b)))];
    const names = Array.from({ length: sources.length }, (_, i) => profile.steps.name[i]);
    const ms = Float64Array.from(sources.flatMap((source) => builds.map((b) => b[source] ?? Number.NaN)));
    const history = {
      builds: builds.map((_, b) => ({
        path: `build-${b}`,
        buildInfo: { what: 'build' as const, hook: 'postBuild', startMs: Date.UTC(2026, 0, 1 + b) },
      })),
      key: Uint32Array.from(names),
      target: new Int32Array(sources.length).fill(-1),
      ms,
    };
    return { profile: { ...profile, steps: { ...profile.steps, history } } };
  };
};

/** A compile step of a made build. */
interface MadeStep {
  readonly name: string;
  readonly at: number;
  /** Microseconds. */
  readonly us: number;
}

/** So many steps one behind the other on each of the lanes; step k takes (100 + 10 k) ms times a factor. */
export function lanes(count: number, steps: number, factor: number): MadeStep[] {
  const ends = Array.from({ length: count }, () => 0);
  return Array.from({ length: steps }, (_, k) => {
    const us = (100_000 + 10_000 * k) * factor;
    const lane = ends.indexOf(Math.min(...ends));
    const at = ends[lane];
    ends[lane] += us;
    return { name: `src/file${k}.cpp.o`, at, us };
  });
}

const lasting = (steps: readonly MadeStep[]): Case => {
  return async () => {
    const line = ({ name, at, us }: MadeStep, k: number) =>
      `${Math.round(at / 1000)}\t${Math.round((at + us) / 1000)}\t1\t${name}\t${(k + 1).toString(16)}\n`;
    const inOrder = [...steps].sort((a, b) => a.at + a.us - b.at - b.us);
    return { profile: await loadText(ninjaLog, `# ninja log v5\n${inOrder.map(line).join('')}`) };
  };
};

/** The same with a command for each step, by its name. */
const withCommands = (steps: readonly MadeStep[], commandOf: (name: string) => string): Case => {
  return async () => {
    const profile = profileOf((await lasting(steps)()).profile, 'steps');
    const strings = Interner.fromStrings(profile.strings);
    const command = Int32Array.from(profile.steps.name, (id) => strings.textId(commandOf(strings.text(id))));
    return { profile: { ...profile, strings: strings.finish(), steps: { ...profile.steps, command } } };
  };
};

/** The same with the commands of its compiles. */
export const commanded = (steps: readonly MadeStep[], flags: string): Case =>
  withCommands(steps, (name) => `c++ ${flags} -c ${name.replace(/\.o$/, '')} -o ${name}`);

/** A build of steps that need others, one after the other as soon as these are there: its commands name them. Milliseconds. */
const waiting = (steps: Readonly<Record<string, readonly [ms: number, ...needs: string[]]>>): Case => {
  const ends = new Map<string, number>();
  const made = Object.entries(steps).map(([name, [ms, ...needs]]) => {
    const at = Math.max(0, ...needs.map((need) => ends.get(need) ?? 0));
    ends.set(name, at + ms);
    return { name, at: at * 1000, us: ms * 1000 };
  });
  return withCommands(made, (name) => `make ${(steps[name] ?? []).slice(1).join(' ')} -o ${name}`);
};

/** A build with tests of these results. */
export const tested = (...results: readonly (readonly [name: string, status: TestResult['status']])[]): Case => {
  return async () => {
    const profile = profileOf((await file('ctest/fates')()).profile, 'steps');
    const tests = results.map(([name, status]) => ({ name, status, ms: 5, reason: '', output: '', command: '', labels: [] }));
    return { profile: { ...profile, steps: { ...profile.steps, tests } } };
  };
};

/** A build on a host with so much memory. */
const onHost = (memoryBytes: number): Case => {
  return async () => {
    const profile = profileOf((await bundle('tidepool-ninja-accumulated')()).profile, 'steps');
    return { profile: { ...profile, steps: { ...profile.steps, memoryBytes } } };
  };
};

/** A build of two compiles that both write these messages. */
const messages = (stderr: string): Case => {
  return async () => ({
    profile: await loadProfile([treeOf(['a.c', 'b.c'].map((source) => compile(0, 9, source, { stderr }))).index]),
  });
};

const warned = (sign: string | undefined): Case => {
  return async () => {
    const { profile } = await file('pprof/cpu.pb.gz')();
    const warning = {
      path: 'shown',
      expected: 'the object that ran',
      found: 'shown is newer than the profile',
      ...(sign ? { sign } : {}),
    };
    return { profile: { ...profile, warnings: [warning] } };
  };
};

const changed = (...newer: readonly string[]): Case => {
  return async () => ({ ...(await file('callgrind/default.callgrind.out')()), newer });
};

const v = (version: 1 | 2, name: string) => file(`compare/v${version}/shop.${name}.gz`);
const aprofFile = (name: string) => file(`aprof/${name}.aprof.gz`);
const square = (n: number) => n * n;
const linear = (n: number) => 10 * n;

const EVENTS = ['events: Ir Bc Bcm Bi Bim', 'fl=a.c'];
/** Two runs in which `leaf` is called as often as these say, and costs so much a call. */
const EVENT = ['events: Ir', 'fl=a.c'];
const OUT = ['cfn=out', 'calls=1 9', '3 10', 'fn=out', '9 10'];
const CALLED = graph(...EVENT, 'fn=mix', '5 5000', 'fn=main', '1 1000', 'cfn=mix', 'calls=10 5', '2 5000', ...OUT);

const leaf = (calls: number, each: number): Case =>
  graph(
    'events: Ir',
    ...['fl=a.c', 'fn=main', '1 1000', 'cfn=busy', `calls=${calls} 5`, `2 ${calls * (each + 1)}`],
    ...['fn=busy', `5 ${calls}`, 'cfn=leaf', `calls=${calls} 9`, `6 ${calls * each}`, 'fn=leaf', `9 ${calls * each}`],
  );

/** A function with lambdas that cost so much, in the order of the source. */
const lambdas = (...costs: readonly number[]): Case =>
  graph(
    'events: Ir',
    'fl=a.c',
    ...costs.flatMap((cost, k) => [`fn=work()::{lambda(int)#${k + 1}}::operator()(int) const`, `${k + 1} ${cost}`]),
  );

/** A dozen routines that cost so much each. */
const dozen = (cost: (nth: number) => number): Case =>
  graph('events: Ir', 'fl=a.c', ...Array.from({ length: 12 }, (_, k) => [`fn=routine${k}`, `${k + 1} ${cost(k)}`]).flat());

export const DEFAULT = file('callgrind/default.callgrind.out');
const CONTENT = bundle('tidepool-ninja-content');

/** By rule. */
export const CASES: Readonly<Record<string, { readonly speaks: Case; readonly silent: Case }>> = {
  cut: { speaks: aprofFile('pipeline-crashed/pipeline_29666_0_4'), silent: DEFAULT },
  doubtful: { speaks: warned('OBJECT CHANGED'), silent: warned(undefined) },
  'newer-sources': { speaks: changed('src/matrix.hpp'), silent: changed() },
  'total-summary': { speaks: aprofFile('containers/containers_29655_0_1'), silent: DEFAULT },
  'failed-tests': { speaks: file('ctest/fates'), silent: tested(['a', 'passed'], ['b', 'not run']) },
  'tests-changed': {
    speaks: against(
      tested(['a', 'failed'], ['b', 'passed'], ['c', 'failed']),
      tested(['a', 'passed'], ['b', 'failed'], ['c', 'failed']),
    ),
    silent: against(tested(['a', 'passed'], ['b', 'passed']), tested(['a', 'passed'], ['b', 'not run'])),
  },
  'flaky-tests': { speaks: tested(['a', 'failed'], ['a', 'passed']), silent: file('ctest/fates') },
  memory: { speaks: onHost(1e9), silent: onHost(64e9) },
  warnings: { speaks: messages('a.h:3:9: warning: unused'), silent: messages('done, without a warning') },
  'memory-use': { speaks: file('dhat/alloc.dhat.json'), silent: file('dhat/words.dhat.json') },
  'few-samples': { speaks: file('perf-script/header.perf.gz'), silent: file('pprof/cpu.pb.gz') },
  noise: {
    speaks: against(file('gperftools/pie.prof.gz'), file('gperftools/pie-g.prof.gz')),
    silent: against(file('gperftools/pie.prof.gz'), file('gperftools/freq100.prof.gz')),
  },
  'total-change': { speaks: against(leaf(1000, 80), leaf(1000, 40)), silent: against(leaf(1000, 40), leaf(1000, 40)) },
  'not-recorded': { speaks: aprofFile('sorts/sorts_29651_0_4'), silent: aprofFile('sorts-cct/sorts_29653_0_4') },
  grows: { speaks: aprofFile('containers/containers_29655_0_1'), silent: aprofFile('matrix-cct/matrix_29657_0_4') },
  'contexts-differ': {
    speaks: growth(
      { name: 'fast', points: pointsOf(linear), calls: [{ name: 'find', points: pointsOf(linear) }] },
      { name: 'slow', points: pointsOf(square), calls: [{ name: 'find', points: pointsOf(square) }] },
    ),
    silent: growth(
      { name: 'fast', points: pointsOf(linear), calls: [{ name: 'find', points: pointsOf(linear) }] },
      { name: 'slow', points: pointsOf(linear), calls: [{ name: 'find', points: pointsOf((n) => 11 * n) }] },
    ),
  },
  'hidden-input': { speaks: aprofFile('readlog-rms/readlog_29659_0_4'), silent: aprofFile('readlog-drms/readlog_29661_0_4') },
  'laws-worse': {
    speaks: against(growth({ name: 'find', points: pointsOf(square) }), growth({ name: 'find', points: pointsOf(linear) })),
    silent: against(growth({ name: 'find', points: pointsOf(linear) }), growth({ name: 'find', points: pointsOf(square) })),
  },
  'called-often': { speaks: aprofFile('matrix-cct/matrix_29657_0_4'), silent: DEFAULT },
  differences: { speaks: file('compare/shop.cg_diff.out.gz'), silent: v(1, 'cachegrind.out') },
  'high-self-cost': { speaks: aprofFile('sorts/sorts_29651_0_4'), silent: file('callgrind/cacheuse.callgrind.out.gz') },
  'one-edge': { speaks: file('pprof/cpu.pb.gz'), silent: file('callgrind/cacheuse.callgrind.out.gz') },
  'inlined-code': { speaks: v(1, 'callgrind.out'), silent: DEFAULT },
  'few-lines': { speaks: file('cpuprofile/fib.cpuprofile.gz'), silent: DEFAULT },
  allocation: { speaks: file('pprof/cpu.pb.gz'), silent: DEFAULT },
  copying: { speaks: file('perf-script/header.perf.gz'), silent: DEFAULT },
  strings: { speaks: v(1, 'callgrind.out'), silent: DEFAULT },
  hashing: { speaks: file('pprof/cpu.pb.gz'), silent: DEFAULT },
  comparing: { speaks: v(1, 'callgrind.out'), silent: DEFAULT },
  regexes: { speaks: calling('std::__detail::_Executor<char*>::_M_dfs(long)', 're_search_internal'), silent: DEFAULT },
  sorting: { speaks: calling('void std::__introsort_loop<int*>(int*, int*)', 'msort_with_tmp.part.0'), silent: DEFAULT },
  io: { speaks: calling('_IO_new_file_write', '__libc_write'), silent: DEFAULT },
  sleeping: { speaks: file('perf-script/waits.perf.gz'), silent: DEFAULT },
  locking: { speaks: calling('pthread_mutex_lock@@GLIBC_2.2.5', '__lll_lock_wait'), silent: DEFAULT },
  exceptions: { speaks: calling('_Unwind_RaiseException', 'uw_frame_state_for'), silent: DEFAULT },
  compression: { speaks: calling('deflate_fast', 'longest_match'), silent: DEFAULT },
  library: { speaks: v(1, 'callgrind.out'), silent: file('pprof/cpu.pb.gz') },
  linking: { speaks: file('cachegrind/heat-branch.cachegrind.out.gz'), silent: file('pprof/cpu.pb.gz') },
  'start-up': { speaks: DEFAULT, silent: file('callgrind/google-pprof.callgrind.out') },
  recursion: { speaks: aprofFile('sorts-cct/sorts_29653_0_4'), silent: v(1, 'callgrind.out') },
  'recursion-depth': { speaks: file('pprof/cpu.pb.gz'), silent: file('perf-script/header.perf.gz') },
  cycles: { speaks: file('callgrind/real-python.callgrind.out.gz'), silent: DEFAULT },
  'cache-misses': {
    // Line 2 has 986 of 1,000 last-level misses and 60 % of the instructions: the mean is its own.
    speaks: graph(
      ...['events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw', 'fl=a.c', 'fn=main'],
      ...['1 4000 1000 0 0 14 0 0 14 0', '2 6000 1500 0 0 986 0 0 986 0'],
    ),
    // The dynamic linker's relocations alone.
    silent: file('callgrind/cacheuse.callgrind.out.gz'),
  },
  mispredictions: {
    speaks: file('cachegrind/heat-branch.cachegrind.out.gz'),
    // Every line mispredicts alike.
    silent: graph(...EVENTS, 'fn=main', '1 100 20 5 0 0', '2 100 20 5 0 0'),
  },
  'hot-instruction': { speaks: file('gperftools/stripped.prof.gz'), silent: DEFAULT },
  'names-missing': { speaks: file('gperftools/stripped.prof.gz'), silent: file('pprof/cpu.pb.gz') },
  'lines-unknown': { speaks: file('cpuprofile/words.cpuprofile.gz'), silent: file('pprof/cpu.pb.gz') },
  'lines-unknown-counted': { speaks: file('callgrind/real-git.callgrind.out.gz'), silent: DEFAULT },
  'one-thread': { speaks: file('callgrind/combined-threads.callgrind.out.gz'), silent: file('perf-script/header.perf.gz') },
  'waited-for': { speaks: bundle('tidepool-ninja-accumulated'), silent: bundle('tidepool-ninja-failing') },
  'late-start': { speaks: bundle('tidepool-ninja-incremental'), silent: bundle('mbedtls-ninja') },
  'failed-steps': { speaks: keptBuild(2), silent: bundle('tidepool-ninja-unity') },
  'idle-between': { speaks: keptBuild(0), silent: bundle('tidepool-ninja-unity') },
  'test-run-failed': { speaks: bundle('tidepool-make-hooks'), silent: bundle('mbedtls-ninja') },
  overloaded: { speaks: pool('make-16'), silent: pool('ninja-1') },
  'long-phase': { speaks: bazel(4_000_000), silent: bazel(0) },
  'narrow-end': { speaks: bundle('tidepool-ninja-unity'), silent: bundle('mbedtls-ninja') },
  'slow-steps': { speaks: bundle('tidepool-ninja-multi-config'), silent: bundle('tidepool-ninja-cdash') },
  'every-build': {
    speaks: kept(Array.from({ length: 6 }, (_, b) => ({ 'version.cpp': 900, [`part${b}.cpp`]: 400, [`other${b}.cpp`]: 300 }))),
    silent: kept(Array.from({ length: 6 }, () => ({ 'version.cpp': 900, 'a.cpp': 400 }))),
  },
  'slower-since': {
    speaks: kept(Array.from({ length: 12 }, (_, b) => ({ 'a.cpp': b < 6 ? 500 + b : 1000 + b, 'b.cpp': 800 + b }))),
    silent: kept(Array.from({ length: 12 }, (_, b) => ({ 'a.cpp': 500 + b, 'b.cpp': 800 + b }))),
  },
  'against-last': {
    speaks: kept([
      { 'a.cpp': 500, 'b.cpp': 800, 'c.cpp': 100 },
      { 'a.cpp': 900, 'b.cpp': 810, 'c.cpp': 100 },
    ]),
    silent: kept([
      { 'a.cpp': 900, 'b.cpp': 810, 'c.cpp': 100 },
      { 'a.cpp': 500, 'b.cpp': 800, 'c.cpp': 100 },
    ]),
  },
  'compile-phase': { speaks: file('gcc-time-report/make.log'), silent: file('clang-traces/whole-build') },
  header: { speaks: file('clang-traces/whole-build'), silent: file('gcc-time-report/make.log') },
  template: { speaks: file('clang-traces/whole-build/util'), silent: file('clang-traces/whole-build') },
  'test-time': { speaks: bundle('re2-make'), silent: bundle('tidepool-ninja-cdash') },
  'link-steps': { speaks: bundle('tidepool-ninja-unity'), silent: bundle('tidepool-ninja-cdash') },
  'more-calls': { speaks: against(leaf(3000, 40), leaf(1000, 40)), silent: against(leaf(1000, 80), leaf(1000, 40)) },
  'costlier-calls': { speaks: against(leaf(1000, 80), leaf(1000, 40)), silent: against(leaf(1000, 40), leaf(1000, 40)) },
  'all-alike': {
    speaks: against(
      dozen((k) => 1300 + 130 * k),
      dozen((k) => 1000 + 100 * k),
    ),
    silent: against(
      dozen((k) => (k < 6 ? 3000 : 1000) + 100 * k),
      dozen((k) => 1000 + 100 * k),
    ),
  },
  'recordings-differ': { speaks: against(cached(262144), cached(32768)), silent: against(cached(32768), cached(32768)) },
  renumbered: {
    speaks: against(lambdas(60, 1000, 200), lambdas(1000, 200)),
    silent: against(lambdas(500, 200), lambdas(1000, 200)),
  },
  'other-program': { speaks: against(file('callgrind/real-git.callgrind.out.gz'), DEFAULT), silent: against(DEFAULT, DEFAULT) },
  exchanged: {
    speaks: against(
      dozen((k) => (k === 3 ? 2000 : k === 7 ? 9000 : 1000)),
      dozen((k) => (k === 3 ? 9000 : k === 7 ? 2000 : 1000)),
    ),
    silent: against(
      dozen((k) => (k === 3 ? 2000 : k === 7 ? 9000 : 1000)),
      dozen((k) => (k === 3 ? 4000 : k === 7 ? 2000 : 1000)),
    ),
  },
  'new-code': { speaks: against(v(2, 'callgrind.out'), v(1, 'callgrind.out')), silent: against(leaf(1000, 80), leaf(1000, 40)) },
  'moved-cost': {
    speaks: against(v(2, 'callgrind.out'), v(1, 'callgrind.out')),
    silent: against(leaf(1000, 80), leaf(1000, 40)),
  },
  // main calls mix 10 times, which costs 5,000: then its work is in main, or it is gone.
  'inlined-into': {
    speaks: against(graph(...EVENT, 'fn=main', '1 6000', ...OUT), CALLED),
    silent: against(graph(...EVENT, 'fn=main', '1 1000', ...OUT), CALLED),
  },
  'slower-host': {
    speaks: against(lasting(lanes(2, 12, 1.6)), lasting(lanes(2, 12, 1))),
    silent: against(lasting(lanes(2, 12, 1).map((s, i) => (i === 3 ? { ...s, us: 3 * s.us } : s))), lasting(lanes(2, 12, 1))),
  },
  'flags-differ': {
    speaks: against(commanded(lanes(2, 12, 1.6), '-O3 -g'), commanded(lanes(2, 12, 1), '-O2')),
    silent: against(commanded(lanes(2, 12, 1.6), '-O2'), commanded(lanes(2, 12, 1), '-O2')),
  },
  'unknown-compilers': {
    speaks: traced(...compiles(3, '-O2'), 'mycc -O2 a.c -o out', 'mycc -O2 b.c -o out', 'ar rc x.a f0.o'),
    // Neither tools that read sources are compilers, nor what runs one.
    silent: traced(...compiles(3, '-O2'), 'ctags -o tags a.c', 'python3 gen.py -o a.c', 'grep -c main a.c', 'sh -c cc'),
  },
  'not-optimized': {
    speaks: traced(...compiles(11, '-O2'), 'gcc -O2 -O0 -c slow.c -o slow.o', 'gcc -c fast.S -o fast.o'),
    silent: OPTIMIZED,
  },
  'repeated-compiles': {
    speaks: traced(
      ...compiles(6, '-O2'),
      ...[1, 2].map((k) => `gcc -O2 -c f0.c -o again${k}.o`),
      'gcc -O2 -DSECOND -c f1.c -o second.o',
    ),
    silent: traced(...compiles(12, '-O2'), 'gcc -O2 -c f0.c -o again.o'),
  },
  'compiler-checks': {
    speaks: traced(...compiles(6, '-O2'), ...Array.from({ length: 4 }, () => 'gcc -c conftest.c')),
    silent: OPTIMIZED,
  },
  'compiles-differ': {
    speaks: against(traced(...compiles(9, '-O0'), 'gcc -O0 -c new.c'), OPTIMIZED),
    silent: against(OPTIMIZED, OPTIMIZED),
  },
  'few-jobs': { speaks: bundle('mbedtls-ninja'), silent: bundle('tidepool-ninja-unity') },
  'build-change': {
    speaks: against(lasting(lanes(4, 24, 1.2)), lasting(lanes(4, 24, 1))),
    silent: against(lasting(lanes(4, 24, 1.02)), lasting(lanes(4, 24, 1))),
  },
  uncached: {
    speaks: withCache(keptBuild(0), { hits: 0, misses: 1, uncached: 39, reason: 'unsupported_compiler_option' }),
    silent: withCache(keptBuild(0), { hits: 39, misses: 1 }),
  },
  'cache-hits': {
    speaks: against(withCache(keptBuild(1), { hits: 0, misses: 39 }), withCache(keptBuild(0), { hits: 39, misses: 0 })),
    silent: against(withCache(keptBuild(1), { hits: 30, misses: 9 }), withCache(keptBuild(0), { hits: 33, misses: 6 })),
  },
  'jobs-differ': {
    speaks: against(lasting(lanes(2, 24, 1)), lasting(lanes(4, 24, 1))),
    silent: against(lasting(lanes(4, 24, 1.2)), lasting(lanes(4, 24, 1))),
  },
  'chain-grew': {
    // The generator of d takes longer than a and b now.
    speaks: against(
      waiting({ 'a.o': [3000], 'b.o': [2000, 'a.o'], 'g.h': [4500], 'd.o': [3000, 'g.h'], app: [1000, 'b.o', 'd.o'] }),
      waiting({ 'a.o': [3000], 'b.o': [2000, 'a.o'], 'g.h': [500], 'd.o': [3000, 'g.h'], app: [1000, 'b.o', 'd.o'] }),
    ),
    // The same steps are waited for.
    silent: against(
      waiting({ 'a.o': [5000], 'b.o': [2000, 'a.o'], app: [1000, 'b.o'] }),
      waiting({ 'a.o': [3000], 'b.o': [2000, 'a.o'], app: [1000, 'b.o'] }),
    ),
  },
  'steps-added': {
    speaks: against(lasting(lanes(2, 16, 1)), lasting(lanes(2, 12, 1))),
    silent: against(lasting(lanes(2, 12, 1)), lasting(lanes(2, 12, 1))),
  },
  'slower-steps': {
    speaks: against(bundle('tidepool-ninja-unity'), bundle('tidepool-ninja-accumulated')),
    silent: against(CONTENT, CONTENT),
  },
};

/** The evidence of a made profile, with the event that the screen would open with. */
export function evidence({ profile, newer = [] }: Made): Evidence {
  const analysis = analyse(profile, allEvents(profile.events, []));
  const costs = ({ terms }: (typeof analysis.events)[number]) => terms.some(([, c]) => analysis.totals.total[c][0] !== 0);
  const event = analysis.events.find(costs) ?? analysis.events[0];
  if (!event) throw new Error('a profile without events');
  return evidenceOf(analysis, event, newer);
}

/** What one rule says. */
export function saidBy(rule: FindingRule, e: Evidence): readonly RuleResult[] {
  if (!rule.applies(e)) return [];
  return runToEnd(rule.find(e));
}

/** The profiles of a rule; throws if it has none. */
export function caseOf({ id }: { readonly id: string }): { readonly speaks: Case; readonly silent: Case } {
  const found = CASES[id];
  if (!found) throw new Error(`${id}: add a profile where the rule speaks and one where it is silent to test/findings/cases.ts`);
  return found;
}

/** What all rules say of a profile, by rule. */
export const saidByRules = (profile: Profile): Record<string, string[]> =>
  Object.fromEntries(
    rules.flatMap((rule) => {
      const texts = saidBy(rule, evidence({ profile })).map(phraseText);
      return texts.length > 0 ? [[rule.id, texts]] : [];
    }),
  );

/** The same as text, `rule: sentence` by line. */
export const saidText = (profile: Profile): string =>
  Object.entries(saidByRules(profile))
    .flatMap(([id, texts]) => texts.map((text) => `${id}: ${text}`))
    .join('\n');
