// Parses one step of CMake's instrumentation: a snippet file, or the `args` of an event in CMake's trace.
// Specification: cmake-instrumentation(7), data version 1. Newer minor versions add fields.
// Real files differ: a crashed test has result 0, sizes outside the top folder are 0, and tests that never ran have time 0.

import type { StepStage } from '../../model/steps/stages.ts';
import type { StepNote, StepWriter } from '../../model/steps/writer.ts';
import { COLOURS } from '../shared/build-output.ts';
import { isObject, type JsonObject, listOf, numberOf, textOf, textOfAny } from '../shared/json.ts';

/** Roles of steps that contain other steps. */
export const WHOLE_ROLES: ReadonlySet<string> = new Set(['cmakeBuild', 'build', 'cmakeInstall', 'ctest']);

/** The hooks at the end of a build. With both, CMake records a step for the whole build, whichever command ran it. */
export const END_HOOKS: readonly string[] = ['postBuild', 'postCMakeBuild'];

const STAGE_BY_ROLE: ReadonlyMap<string | undefined, StepStage> = new Map([
  // Each configure step begins a stage. The next generate step ends it.
  ['configure', { name: 'configure', follows: false }],
  ['generate', { name: 'configure', follows: true }],
  ['test', { name: 'test' }],
  ['ctest', { name: 'test' }],
  ['install', { name: 'install' }],
  ['cmakeInstall', { name: 'install' }],
]);

export const stageOf = (role: string | undefined): StepStage => STAGE_BY_ROLE.get(role) ?? { name: 'build' };

const KNOWN_KEYS = new Set([
  ...['version', 'role', 'command', 'workingDir', 'result', 'interruptSignal', 'timeStart', 'duration'],
  ...['target', 'targetType', 'source', 'language', 'config', 'outputs', 'outputSizes', 'stdout', 'stderr'],
]);

/** Limit of times (the year 2255): up to here, microseconds are exact in a double. */
const MAX_TIME_MS = 9e12;

const nonEmptyText = (value: unknown): string | undefined => textOf(value) || undefined;

/**
 * The file that a scan for the imports of C++ modules makes; undefined for other steps. CMake records such a scan as a compile, and the
 * object instead, which the compile makes later.
 */
function scanOutputOf(s: JsonObject): string | undefined {
  const command = s['role'] === 'compile' ? textOf(s['command']) : undefined;
  return command?.includes('.ddi') ? command.split(/[\s="]/).find((word) => word.endsWith('.ddi')) : undefined;
}

/** By role: the key of the text that names a step. Other steps are named by their target. */
const NAMING_KEYS = new Map(Object.entries({ compile: 'source', test: 'testName', custom: 'command' }));

export function stepName(s: JsonObject, scanned = scanOutputOf(s)): string {
  const role = nonEmptyText(s['role']) ?? '???';
  if (scanned !== undefined) return `scan: ${nonEmptyText(s['source']) ?? '???'}`;
  const what = nonEmptyText(s[NAMING_KEYS.get(role) ?? 'target']);
  return what === undefined ? role : `${role}: ${what}`;
}

/** The id of the build that a step belongs to, from CMake 4.4 on; undefined if it has none. */
export const buildIdOf = (s: JsonObject): string | undefined =>
  s['buildID'] === undefined ? undefined : textOfAny(s['buildID']);

/** The exit code of a step, or 128 + signal if a signal ended it (as in shells); null if unknown. */
export function exitCodeOf(s: JsonObject): number | null {
  const signal = numberOf(s['interruptSignal']);
  return numberOf(s['result']) || (signal === undefined ? (numberOf(s['result']) ?? null) : SIGNAL_EXIT_BASE + signal);
}

const SIGNAL_EXIT_BASE = 128;

/** Why the exit code of a step is doubtful; undefined if it is not. */
function exitCodeCaveatOf(s: JsonObject): string | undefined {
  const signal = numberOf(s['interruptSignal']);
  if (signal !== undefined) return `interrupted by signal ${signal}`;
  return s['role'] === 'test' && s['result'] === 0 ? 'CMake also writes 0 for tests that crashed or timed out' : undefined;
}

/** The step, with times in microseconds since 1970, or a text that describes its problem. */
export function parseSnippet(s: JsonObject, part: number, track: number): StepNote | string {
  const role = nonEmptyText(s['role']);
  if (role === undefined) return 'no role';
  const start = numberOf(s['timeStart']);
  const duration = numberOf(s['duration']);
  if (start === undefined) return `${role} without timeStart`;
  if (duration === undefined) return `${role} without duration`;
  if (start < 0 || duration < 0) return `${role} with a negative time`;
  if (start > MAX_TIME_MS || duration > MAX_TIME_MS)
    return `${role} with a time of ${Math.max(start, duration)} ms, which is out of range`;
  const paths = listOf(s['outputs']).filter((o): o is string => typeof o === 'string');
  const sizes = listOf(s['outputSizes']);
  // fromEntries() keeps a key named __proto__, too.
  const more = Object.entries(s).filter(([key]) => !KNOWN_KEYS.has(key));
  const written = [s['stdout'], s['stderr']].flatMap((text) => nonEmptyText(text)?.trimEnd() || []).join('\n');
  // Compilers write colours if they are told to.
  const messages = written.replace(COLOURS, '');
  const scanned = scanOutputOf(s);
  const neverRan = start === 0 && !WHOLE_ROLES.has(role);
  return {
    name: stepName(s, scanned),
    role,
    kind: neverRan ? 'unrun' : WHOLE_ROLES.has(role) ? 'whole' : 'step',
    track,
    part,
    startUs: neverRan ? Number.NaN : start * 1000,
    // For a step that never ran, CMake's duration is the time since boot: ignore it.
    durationUs: neverRan ? 0 : duration * 1000,
    result: exitCodeOf(s),
    caveat: exitCodeCaveatOf(s),
    // An empty target name is valid.
    target: textOf(s['target']),
    source: nonEmptyText(s['source']),
    language: nonEmptyText(s['language']),
    config: nonEmptyText(s['config']),
    command: nonEmptyText(s['command']),
    directory: nonEmptyText(s['workingDir']),
    // CMake writes the size 0 if it could not determine the size, so 0 does not mean an empty file.
    outputs:
      scanned === undefined
        ? paths.map((path, i) => ({ path, bytes: numberOf(sizes[i]) || null }))
        : [{ path: scanned, bytes: null }],
    more: more.length > 0 ? JSON.stringify(Object.fromEntries(more)) : undefined,
    messages: messages || undefined,
  };
}

const GAUGES = [
  ['HostMemoryUsed', 'host memory', 'KiB'],
  ['CPULoadAverage', 'host load', ''],
] as const;

/** Writes the host's memory and load before and after a step, if the snippet has them. */
export function writeGauges(rows: StepWriter, s: JsonObject, { startUs, durationUs }: StepNote): void {
  const d = s['dynamicSystemInformation'];
  if (!isObject(d)) return;
  const times = Object.entries({ before: startUs, after: startUs + durationUs });
  for (const [key, name, unit] of GAUGES)
    for (const [when, us] of times) {
      const value = numberOf(d[`${when}${key}`]);
      if (value !== undefined) rows.gauges.add(name, undefined, unit, us, value);
    }
}
