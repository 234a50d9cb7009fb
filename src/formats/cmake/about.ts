// The summary of a kept build: what was built, how many steps ran, how long they took, and whether they failed.
// The summary is the first line of the file, so that listing builds does not decompress whole files.
import { getOrMake } from '../../base/lists.ts';
import { Numbering } from '../../model/column.ts';
import { jobsIn, type StageStep, stageSpans, summedSpansUs, totalIdleUs } from '../../model/steps/stages.ts';
import type { About } from '../loader.ts';
import { isObject, type JsonObject, listOf, numberOf, objectOf, parseJson, textOf } from '../shared/json.ts';
import { buildIdOf, END_HOOKS, exitCodeOf, stageOf, WHOLE_ROLES } from './snippet.ts';

const TRACE_OPTION = /-ftime-trace|(?:^|\s)@/;
/** Roles of steps that produce objects, libraries or programs. */
const ROLES_WITH_OUTPUT = new Set(['compile', 'link']);
const CLEAN_COMMAND = /(?:^|\s)(?:--target|-t)[ =]clean(?:\s|$)/;
/** The command of CTest, which the target `test` runs as a custom command. */
const CTEST_COMMAND = /(?:^|[/\\])ctest(?:\.exe)?"?(?:\s|$)/;

/** The kind of a build by its hook, for kept builds without a summary. */
const KIND_BY_HOOK: ReadonlyMap<string, About['what']> = new Map([
  ['postCMakeInstall', 'install'],
  ['postCTest', 'tests'],
  ['postGenerate', 'configure'],
]);

const textOrEmpty = (value: unknown): string => textOf(value) ?? '';

function buildKindOf(roles: ReadonlySet<string>, clean: boolean, custom: boolean): About['what'] {
  if (roles.has('compile') || roles.has('link')) return 'build';
  if (clean) return 'clean';
  if (roles.has('test') || roles.has('ctest')) return 'tests';
  if (roles.has('install') || roles.has('cmakeInstall')) return 'install';
  if (custom) return 'build';
  if (roles.has('configure')) return 'configure';
  return roles.has('custom') ? 'tests' : 'nothing';
}

/** The duration of a step in one build. `key` identifies the step across builds. */
export interface StepDuration {
  readonly key: string;
  /** The target's name; '' if there is none. */
  readonly target: string;
  readonly ms: number;
  readonly failed: boolean;
}

export class BuildSummary {
  durations: StepDuration[] = [];
  /** True if a compile has a trace file, or its command has -ftime-trace or a response file (@FILE). */
  hasTraces = false;
  private readonly roles = new Set<string>();
  private readonly configs = new Set<string>();
  private readonly seen = new Map<string, number>();
  private fromMs = Number.POSITIVE_INFINITY;
  private ran: StageStep[] = [];
  private steps = 0;
  private failures = 0;
  private failedWholeSteps = 0;
  private parallel = 0;
  private clean = false;
  private custom = false;

  /** By id of the build: its summary. An interrupted build has no end, so its snippets come with those of the next one. */
  private readonly byBuild = new Map<string, BuildSummary>();

  /** Adds a snippet; values that are not objects are ignored. */
  add(s: unknown): void {
    if (!isObject(s)) return;
    const id = buildIdOf(s);
    const own = id === undefined ? this : getOrMake(this.byBuild, id, () => new BuildSummary());
    own.addOwn(s);
    this.hasTraces ||= own.hasTraces;
  }

  /** The summary of the newest build, with the steps that belong to no build. */
  newest(): BuildSummary {
    const [newest] = [...this.byBuild.values()].sort((a, b) => b.fromMs - a.fromMs);
    if (!newest) return this;
    newest.durations = this.durations.concat(newest.durations);
    newest.ran = newest.ran.concat(this.ran);
    for (const role of this.roles) newest.roles.add(role);
    for (const config of this.configs) newest.configs.add(config);
    newest.clean ||= this.clean;
    newest.custom ||= this.custom;
    newest.fromMs = Math.min(newest.fromMs, this.fromMs);
    newest.steps += this.steps;
    newest.failures += this.failures;
    newest.failedWholeSteps += this.failedWholeSteps;
    newest.parallel = Math.max(newest.parallel, this.parallel);
    return newest;
  }

  private addOwn(s: JsonObject): void {
    const role = textOrEmpty(s['role']);
    const [startMs, ms] = [numberOf(s['timeStart']) ?? 0, numberOf(s['duration']) ?? -1];
    this.roles.add(role);
    if (role === 'compile') this.hasTraces ||= 'traceFile' in s || TRACE_OPTION.test(textOrEmpty(s['command']));
    if (ROLES_WITH_OUTPUT.has(role)) this.configs.add(textOrEmpty(s['config']));
    else {
      const command = textOrEmpty(s['command']);
      this.clean ||= CLEAN_COMMAND.test(command);
      this.custom ||= role === 'custom' && !CTEST_COMMAND.test(command);
    }
    // CMake records a test's exit code, which does not show whether CTest counts the test as failed.
    const failed = role !== 'test' && (exitCodeOf(s) ?? 0) !== 0;
    if (failed && WHOLE_ROLES.has(role)) this.failedWholeSteps++;
    else if (failed) this.failures++;
    this.steps++;
    // Tests that never ran have start time 0.
    if (!(startMs > 0 && ms >= 0)) return;
    this.fromMs = Math.min(this.fromMs, startMs);
    const [startUs, endUs] = [startMs * 1000, (startMs + ms) * 1000];
    this.ran.push({ ...stageOf(role), isWhole: WHOLE_ROLES.has(role), part: 0, startUs, endUs });
    if (WHOLE_ROLES.has(role)) {
      this.parallel = Math.max(this.parallel, jobsIn(textOrEmpty(s['command'])) ?? 0);
      return;
    }
    const plain = stepKeyOf(s, role);
    // Several commands of one rule have the same key: number them, since each is a separate step.
    const times = (this.seen.get(plain) ?? 0) + 1;
    this.seen.set(plain, times);
    this.durations.push({ key: times === 1 ? plain : `${plain} (${times})`, target: textOrEmpty(s['target']), ms, failed });
  }

  buildInfo(hook: string): About {
    const { fromMs } = this;
    // A step that contains others fails if one of them fails, so its own failure counts only if no other step failed.
    const failures = this.failures || this.failedWholeSteps;
    const stages = stageSpans(this.ran);
    const idleMs = totalIdleUs(stages) / 1000;
    return {
      what: buildKindOf(this.roles, this.clean, this.custom),
      hook,
      steps: this.steps,
      durationMs: summedSpansUs(stages) / 1000,
      ...(idleMs > 0 ? { idleMs } : {}),
      // If tests run within a build, the record of the build's end is in the next set of snippets.
      failed: failures > 0 || (END_HOOKS.includes(hook) && stages.some((s) => s.name === 'build' && !s.hasWhole)),
      configs: [...this.configs].slice(0, 8),
      failures,
      workMs: this.durations.reduce((sum, t) => sum + t.ms, 0),
      jobs: this.durations.length,
      ...(this.parallel > 0 ? { parallel: this.parallel } : {}),
      ...(fromMs < Number.POSITIVE_INFINITY ? { startMs: fromMs } : {}),
    };
  }
}

/** The key of a step across builds: its role, configuration, target and output. Commands change with their options. */
function stepKeyOf(s: JsonObject, role: string): string {
  const what =
    role === 'test'
      ? textOrEmpty(s['testName'])
      : textOrEmpty(s['source']) || textOrEmpty(listOf(s['outputs'])[0]) || (role === 'custom' ? textOrEmpty(s['command']) : '');
  return [role, textOrEmpty(s['config']), textOrEmpty(s['target']), what.slice(0, MAX_OUTPUT_LENGTH)]
    .filter((word) => word !== '')
    .join(' ');
}

const MAX_OUTPUT_LENGTH = 500;

/** Reads the build info from the first lines of a kept build. Older versions recorded only the hook. */
export function readBuildInfo(head: string): About | undefined {
  const [first, second = ''] = head.split('\n', 2);
  const header = parseJson(first);
  if (header === undefined) return undefined;
  const { about } = objectOf(header);
  const hook = /\\"hook\\"\s*:\s*\\"(\w+)\\"/.exec(second)?.[1] ?? ''; // bounded: each run is looked at once
  if (!isObject(about)) return hook === '' ? undefined : { what: KIND_BY_HOOK.get(hook) ?? 'build', hook };
  const { what, failed } = about;
  const [steps, durationMs] = [numberOf(about['steps']), numberOf(about['durationMs'])];
  return {
    what: BUILD_KINDS.find((w) => w === what) ?? 'build',
    hook: textOrEmpty(about['hook']),
    ...(steps !== undefined && durationMs !== undefined ? { steps, durationMs } : {}),
    ...(typeof failed === 'boolean' ? { failed } : {}),
    ...optionalFieldsOf(about),
    ...(Array.isArray(about['configs']) ? { configs: listOf(about['configs']).map(textOrEmpty) } : {}),
  };
}

const NUMBER_FIELDS = ['failures', 'idleMs', 'workMs', 'jobs', 'startMs', 'parallel'] as const satisfies (keyof About)[];
const TEXT_FIELDS = ['git', 'job', 'host'] as const satisfies (keyof About)[];

/** The optional fields of the build info, which older versions did not write. */
function optionalFieldsOf(about: JsonObject): Partial<About> {
  const cache = objectOf(about['cache']);
  const [hits, misses, uncached] = ['hits', 'misses', 'uncached'].map((key) => numberOf(cache[key]));
  const reason = textOrEmpty(cache['reason']);
  const numbers = NUMBER_FIELDS.map((key) => [key, numberOf(about[key])] as const);
  const texts = TEXT_FIELDS.map((key) => [key, textOf(about[key]) || undefined] as const);
  return {
    ...Object.fromEntries([...numbers, ...texts].filter(([, value]) => value !== undefined)),
    ...(hits !== undefined && misses !== undefined
      ? { cache: { hits, misses, ...(uncached ? { uncached } : {}), ...(reason ? { reason } : {}) } }
      : {}),
  };
}

/** The step durations of a kept build, from the JSON of its durations file; empty if the JSON is invalid. */
export function readStepDurations(value: unknown): StepDuration[] {
  if (!isObject(value)) return [];
  const [keys, ms, failed] = [listOf(value['keys']), listOf(value['ms']), new Set(listOf(value['failed']))];
  const [targets, targetOf] = [listOf(value['targets']), listOf(value['target'])];
  return keys.flatMap((key, k) => {
    const took = numberOf(ms[k]);
    const target = textOrEmpty(targets[numberOf(targetOf[k]) ?? -1]);
    return typeof key === 'string' && took !== undefined ? [{ key, target, ms: took, failed: failed.has(k) }] : [];
  });
}

/** The step durations as JSON columns, which need half the space of rows. */
export function durationsToJson(durations: readonly StepDuration[]): object {
  const targets = new Numbering<string>();
  const target = durations.map((t) => targets.numberOf(t.target));
  return {
    keys: durations.map((t) => t.key),
    ms: durations.map((t) => t.ms),
    failed: durations.flatMap((t, k) => (t.failed ? [k] : [])),
    targets: [...targets.keys()],
    target,
  };
}

const BUILD_KINDS: readonly About['what'][] = ['build', 'clean', 'install', 'tests', 'configure', 'nothing'];
