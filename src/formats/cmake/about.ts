// A kept build in a few words: whether anything was built, how many steps, how long, with what result. It is written into
// the first line of the file, so that a list of builds need not unpack them.
import { Numbering } from '../../model/groups.ts';
import { idleUs, jobsIn, lastedUs, type Staged, stageSpans } from '../../model/steps/stages.ts';
import type { About } from '../loader.ts';
import { isObject, type JsonObject, listOf, numberOf, parseJson, textOf } from '../shared/json.ts';
import { END_HOOKS, resultOf, stageOf, WHOLE } from './snippet.ts';

const TRACES = /-ftime-trace|(?:^|\s)@/;
/** The roles of steps that make something. */
const MAKES = new Set(['compile', 'link']);
const CLEAN = /(?:^|\s)(?:--target|-t)[ =]clean(?:\s|$)/;
/** The target `test` runs CTest as a custom command. */
const TESTS = /(?:^|[/\\])ctest(?:\.exe)?"?(?:\s|$)/;

/** The hook's facts, where steps have none. */
const HOOKED: ReadonlyMap<string, About['what']> = new Map([
  ['postCMakeInstall', 'install'],
  ['postCTest', 'tests'],
  ['postGenerate', 'configure'],
]);

const text = (value: unknown): string => textOf(value) ?? '';

function whatOf(roles: ReadonlySet<string>, clean: boolean, custom: boolean): About['what'] {
  if (roles.has('compile') || roles.has('link')) return 'build';
  if (clean) return 'clean';
  if (roles.has('test') || roles.has('ctest')) return 'tests';
  if (roles.has('install') || roles.has('cmakeInstall')) return 'install';
  if (custom) return 'build';
  if (roles.has('configure')) return 'configure';
  return roles.has('custom') ? 'tests' : 'nothing';
}

/** How long a step took in one build, by what it is in all of them. */
export interface Took {
  readonly key: string;
  /** '' for none. */
  readonly target: string;
  readonly ms: number;
  readonly failed: boolean;
}

/** Adds up the snippets that an index lists. */
export class BuildSummary {
  readonly took: Took[] = [];
  /** Compilers have written traces, as far as commands say: those in a file of arguments do not. */
  traced = false;
  private readonly roles = new Set<string>();
  private readonly configs = new Set<string>();
  private readonly seen = new Map<string, number>();
  private fromMs = Number.POSITIVE_INFINITY;
  private readonly ran: Staged[] = [];
  private steps = 0;
  private failures = 0;
  private failedWholes = 0;
  private parallel = 0;
  private clean = false;
  private custom = false;

  /** Adds a snippet; what is no object does not count. */
  add(s: unknown): void {
    if (!isObject(s)) return;
    const role = text(s['role']);
    const [startMs, ms] = [numberOf(s['timeStart']) ?? 0, numberOf(s['duration']) ?? -1];
    this.roles.add(role);
    if (role === 'compile') this.traced ||= 'traceFile' in s || TRACES.test(text(s['command']));
    if (MAKES.has(role)) this.configs.add(text(s['config']));
    else {
      const command = text(s['command']);
      this.clean ||= CLEAN.test(command);
      this.custom ||= role === 'custom' && !TESTS.test(command);
    }
    // CMake writes the exit code of a test, which says nothing of what CTest made of it.
    const failed = role !== 'test' && (resultOf(s) ?? 0) !== 0;
    if (failed && WHOLE.has(role)) this.failedWholes++;
    else if (failed) this.failures++;
    this.steps++;
    // A test that never ran has no start.
    if (!(startMs > 0 && ms >= 0)) return;
    this.fromMs = Math.min(this.fromMs, startMs);
    const [startUs, endUs] = [startMs * 1000, (startMs + ms) * 1000];
    this.ran.push({ ...stageOf(role), isWhole: WHOLE.has(role), part: 0, startUs, endUs });
    if (WHOLE.has(role)) {
      this.parallel = Math.max(this.parallel, jobsIn(text(s['command'])) ?? 0);
      return;
    }
    const plain = keyOf(s, role);
    // Commands of one rule have the same outputs: each is another step.
    const times = (this.seen.get(plain) ?? 0) + 1;
    this.seen.set(plain, times);
    this.took.push({ key: times === 1 ? plain : `${plain} (${times})`, target: text(s['target']), ms, failed });
  }

  about(hook: string): About {
    const { fromMs } = this;
    // A whole fails with its steps; by itself if ninja or CTest says so.
    const failures = this.failures || this.failedWholes;
    const stages = stageSpans(this.ran);
    const idleMs = idleUs(stages) / 1000;
    return {
      what: whatOf(this.roles, this.clean, this.custom),
      hook,
      steps: this.steps,
      durationMs: lastedUs(stages) / 1000,
      ...(idleMs > 0 ? { idleMs } : {}),
      // Tests may run inside of a build: then its end is in the next set.
      failed: failures > 0 || (END_HOOKS.includes(hook) && stages.some((s) => s.name === 'build' && !s.hasWhole)),
      configs: [...this.configs].slice(0, 8),
      failures,
      workMs: this.took.reduce((sum, t) => sum + t.ms, 0),
      jobs: this.took.length,
      ...(this.parallel > 0 ? { parallel: this.parallel } : {}),
      ...(fromMs < Number.POSITIVE_INFINITY ? { startMs: fromMs } : {}),
    };
  }
}

/** The identity of a step across builds: its role, target and what it makes; commands change with their options. */
function keyOf(s: JsonObject, role: string): string {
  const what =
    role === 'test'
      ? text(s['testName'])
      : text(s['source']) || text(listOf(s['outputs'])[0]) || (role === 'custom' ? text(s['command']) : '');
  return [role, text(s['config']), text(s['target']), what.slice(0, LONGEST)].filter((word) => word !== '').join(' ');
}

const LONGEST = 500;

/** From the first lines of a kept build; of older ones, only what the hook says. */
export function aboutKept(head: string): About | undefined {
  const [first, second = ''] = head.split('\n', 2);
  const said = parseJson(first);
  if (said === undefined) return undefined;
  const about = isObject(said) ? said['about'] : undefined;
  const hook = /\\"hook\\"\s*:\s*\\"(\w+)\\"/.exec(second)?.[1] ?? ''; // bounded: each run is looked at once
  if (!isObject(about)) return hook === '' ? undefined : { what: HOOKED.get(hook) ?? 'build', hook };
  const { what, failed } = about;
  const [steps, durationMs] = [numberOf(about['steps']), numberOf(about['durationMs'])];
  return {
    what: WHATS.find((w) => w === what) ?? 'build',
    hook: text(about['hook']),
    ...(steps !== undefined && durationMs !== undefined ? { steps, durationMs } : {}),
    ...(typeof failed === 'boolean' ? { failed } : {}),
    ...numbersOf(about),
    ...(Array.isArray(about['configs']) ? { configs: listOf(about['configs']).map(text) } : {}),
  };
}

/** Fields that older versions did not write. */
function numbersOf(about: JsonObject): Partial<About> {
  const [git, job, host, cache] = [text(about['git']), text(about['job']), text(about['host']), about['cache']];
  const [hits, misses] = isObject(cache) ? [numberOf(cache['hits']), numberOf(cache['misses'])] : [];
  const [uncached, reason] = isObject(cache) ? [numberOf(cache['uncached']), text(cache['reason'])] : [];
  const number = (key: 'failures' | 'idleMs' | 'workMs' | 'jobs' | 'startMs' | 'parallel') => {
    const value = numberOf(about[key]);
    return value === undefined ? {} : { [key]: value };
  };
  return {
    ...number('failures'),
    ...number('idleMs'),
    ...number('workMs'),
    ...number('jobs'),
    ...number('startMs'),
    ...number('parallel'),
    ...(git === '' ? {} : { git }),
    ...(job === '' ? {} : { job }),
    ...(host === '' ? {} : { host }),
    ...(hits !== undefined && misses !== undefined
      ? { cache: { hits, misses, ...(uncached ? { uncached } : {}), ...(reason ? { reason } : {}) } }
      : {}),
  };
}

/** The steps of a kept build and how long each took, from the value of its `course`; none if that is broken. */
export function courseIn(value: unknown): Took[] {
  if (!isObject(value)) return [];
  const [keys, ms, failed] = [listOf(value['keys']), listOf(value['ms']), new Set(listOf(value['failed']))];
  const [targets, targetOf] = [listOf(value['targets']), listOf(value['target'])];
  return keys.flatMap((key, k) => {
    const took = numberOf(ms[k]);
    const target = text(targets[numberOf(targetOf[k]) ?? -1]);
    return typeof key === 'string' && took !== undefined ? [{ key, target, ms: took, failed: failed.has(k) }] : [];
  });
}

/** The same as it is kept: columns are half as long as rows. */
export function courseOf(took: readonly Took[]): object {
  const targets = new Numbering<string>();
  const target = took.map((t) => targets.of(t.target));
  return {
    keys: took.map((t) => t.key),
    ms: took.map((t) => t.ms),
    failed: took.flatMap((t, k) => (t.failed ? [k] : [])),
    targets: [...targets.keys()],
    target,
  };
}

const WHATS: readonly About['what'][] = ['build', 'clean', 'install', 'tests', 'configure', 'nothing'];
