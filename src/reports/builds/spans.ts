// Exports steps to other tools: Trace Event JSON for Perfetto and chrome://tracing, and OTLP JSON spans for trace stores.
// Both contain every recorded fact of a step, and are written piece by piece.

import type { Analysis } from '../../analysis/answers/analysis.ts';
import { lanesOf } from '../../analysis/answers/steps/lanes.ts';
import { endUs, outputsOf, recordedName, resultText, stepFailed, stepText } from '../../analysis/answers/steps/steps.ts';
import { dependenciesOf } from '../../analysis/builds/needs.ts';
import { groupByKey } from '../../base/lists.ts';
import { joinSafe, type SafeText, safeJson, safeText } from '../../base/safe-text.ts';
import type { ProfileOf } from '../../model/profile.ts';
import { type TextName, WHOLE_KIND } from '../../model/steps/tables.ts';
import { jsonRows } from '../pieces.ts';
import { makeTextReport } from '../print.ts';
import { contextOfKind, type ReportContext } from '../report.ts';
import { matchingSteps } from './steps.ts';

const TEXT_COLUMNS: readonly TextName[] = [
  ...(['target', 'detail', 'source', 'language', 'config'] as const),
  ...(['command', 'directory', 'caveat', 'trace'] as const),
];

/** The recorded facts of a step, except its name, role and times. */
function stepFacts(profile: ProfileOf<'steps'>, step: number): Record<string, string | number> {
  const { steps } = profile;
  const facts: Record<string, string | number> = {};
  for (const column of TEXT_COLUMNS) {
    const text = stepText(profile, column, step);
    if (text !== null) facts[column] = text;
  }
  if (Number.isFinite(steps.result[step])) facts['result'] = steps.result[step];
  if (!Number.isNaN(steps.cpuUs[step])) facts['cpuUs'] = steps.cpuUs[step];
  const outputs = outputsOf(profile, step);
  if (outputs.length > 0) facts['outputs'] = outputs.join(' ');
  return facts;
}

/** Yields pairs of dependent steps, both among `steps`: from the build file or the commands, and from the flows of a trace. */
function* dependencyPairs(
  analysis: Analysis<'steps'>,
  steps: ReadonlySet<number>,
): Generator<readonly [from: number, to: number]> {
  const needs = dependenciesOf(analysis).now();
  for (const [step, list] of needs ?? []) if (steps.has(step)) for (const of of list) if (steps.has(of)) yield [of, step];
  const { linkFrom, linkTo } = analysis.profile.steps;
  for (let k = 0; k < linkFrom.length; k++) if (steps.has(linkFrom[k]) && steps.has(linkTo[k])) yield [linkFrom[k], linkTo[k]];
}

/** The threads in the output: for a trace, its tracks, in which slices nest; for a build, lanes in which no steps overlap. */
function traceThreads(analysis: Analysis<'steps'>) {
  const { steps, routines } = analysis.profile;
  if (routines.name.length === 0) return lanesOf(analysis);
  const titles = steps.tracks.map(({ name, tid }) => name ?? `thread ${tid}`);
  return { count: titles.length, titles, of: steps.track };
}

/** Yields the names of lanes (as threads), then steps, counters and flows. Times start at the first step. */
function* traceEvents(context: ReportContext<'steps'>): Generator<object> {
  const { analysis } = context;
  const { profile } = analysis;
  const { steps } = profile;
  const lanes = traceThreads(analysis);
  const process = { pid: 1 };
  yield { ph: 'M', name: 'process_name', ...process, args: { name: buildNameOf(profile) } };
  for (let lane = 0; lane < lanes.count; lane++) {
    const name = lanes.titles[lane] || `lane ${lane + 1}`;
    yield { ph: 'M', name: 'thread_name', ...process, tid: lane + 1, args: { name } };
    yield { ph: 'M', name: 'thread_sort_index', ...process, tid: lane + 1, args: { sort_index: lane } };
  }
  const list = matchingSteps(context);
  // A nested step uses the lane of its parent; a whole build has no lane.
  const laneOf = (i: number): number => {
    let at = i;
    while (lanes.of[at] < 0 && steps.parent[at] >= 0) at = steps.parent[at];
    return lanes.of[at];
  };
  const threadOf = (i: number) => ({ ...process, tid: laneOf(i) + 1 });
  for (const i of list) {
    yield {
      ph: 'X',
      name: recordedName(profile, i),
      // The second category marks steps that contain other steps; the reader of this format looks for it.
      cat: `${stepText(profile, 'role', i) ?? 'step'}${steps.kind[i] === WHOLE_KIND ? ',whole' : ''}`,
      ts: steps.startUs[i],
      dur: steps.durationUs[i],
      ...threadOf(i),
      args: stepFacts(profile, i),
    };
    for (const { name, us, durationUs, detail } of context.slicesOf?.(i) ?? [])
      yield {
        ...{ ph: 'X', name, cat: 'compiler', ts: steps.startUs[i] + us, dur: durationUs, ...threadOf(i) },
        ...(detail === undefined ? {} : { args: { detail } }),
      };
  }
  for (const { name, us, value } of steps.gauges)
    for (let k = 0; k < us.length; k++) yield { ph: 'C', name, ts: us[k], ...process, args: { value: value[k] } };
  let id = 0;
  for (const [from, to] of dependencyPairs(analysis, new Set(list))) {
    const flow = { cat: 'needs', name: 'needs', id: ++id };
    // A flow starts just before the end of its slice: at the end itself, another slice may have started.
    yield { ph: 's', ...flow, ts: endUs(steps, from) - Math.min(1, steps.durationUs[from] / 2), ...threadOf(from) };
    yield { ph: 'f', bp: 'e', ...flow, ts: Math.max(steps.startUs[to], endUs(steps, from)), ...threadOf(to) };
  }
}

function* tracePieces(context: ReportContext<'steps'>): Generator<SafeText> {
  const { originUs } = context.analysis.profile.steps;
  yield safeText`{"displayTimeUnit":"ms",`;
  if (originUs !== null) yield joinSafe([safeText`"beginningOfTime":`, safeJson(originUs), safeText`,`], '');
  yield safeText`"traceEvents":[`;
  yield* jsonRows(traceEvents(context));
  yield safeText`\n]}\n`;
}

function otlpValueOf(value: string | number) {
  if (typeof value === 'string') return { stringValue: value };
  return Number.isSafeInteger(value) ? { intValue: `${value}` } : { doubleValue: value };
}

const otlpAttributes = (facts: Readonly<Record<string, string | number>>, prefix: string) =>
  Object.entries(facts).map(([key, value]) => ({ key: `${prefix}${key}`, value: otlpValueOf(value) }));

function hashToHex(seed: string, digits: number): string {
  let out = '';
  for (let part = 0; out.length < digits; part++) {
    let hash = 0x811c9dc5 ^ part;
    for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    out += ((hash ^ (hash >>> 13)) >>> 0).toString(16).padStart(8, '0');
  }
  return out.slice(0, digits);
}

/** Converts microseconds to nanoseconds, as text. Uses BigInt: nanoseconds since 1970 exceed the precision of a double. */
const nanosecondsText = (originUs: number, us: number): string => {
  const whole = Math.floor(us);
  return `${BigInt(Math.floor(originUs) + whole) * 1000n + BigInt(Math.round((us - whole + (originUs - Math.floor(originUs))) * 1000))}`;
};

const buildNameOf = ({ command, paths, format }: ProfileOf<'steps'>) => command ?? paths[0] ?? format;

function* otlpSpans(context: ReportContext<'steps'>): Generator<object> {
  const { analysis } = context;
  const { profile } = analysis;
  const { steps } = profile;
  const originUs = steps.originUs ?? 0;
  const seed = [...profile.paths, originUs, steps.name.length, profile.command ?? ''].join('\n');
  const traceId = hashToHex(seed, 32);
  // Eight bytes: four from the build, four from the step.
  const spanId = (i: number) => `${hashToHex(`span ${seed}`, 8)}${(i + 1).toString(16).padStart(8, '0')}`;
  const list = matchingSteps(context);
  const kept = new Set(list);
  const dependenciesOf = groupByKey(dependencyPairs(analysis, kept), ([, to]) => to);
  // One root span per run: the parent of all steps without a parent of their own.
  const roots = new Map(list.map((i) => [steps.part[i], spanId(steps.name.length + steps.part[i])]));
  for (const [part, root] of roots) {
    const own = list.filter((i) => steps.part[i] === part);
    const from = own.reduce((first, i) => Math.min(first, steps.startUs[i]), Number.POSITIVE_INFINITY);
    const to = own.reduce((last, i) => Math.max(last, endUs(steps, i)), Number.NEGATIVE_INFINITY);
    const times = { startTimeUnixNano: nanosecondsText(originUs, from), endTimeUnixNano: nanosecondsText(originUs, to) };
    yield { traceId, spanId: root, name: buildNameOf(profile), kind: 1, ...times, status: {} };
  }
  for (const i of list) {
    const parent = steps.parent[i];
    const role = stepText(profile, 'role', i);
    yield {
      traceId,
      spanId: spanId(i),
      parentSpanId: parent >= 0 && kept.has(parent) ? spanId(parent) : roots.get(steps.part[i]),
      name: recordedName(profile, i),
      kind: 1,
      startTimeUnixNano: nanosecondsText(originUs, steps.startUs[i]),
      endTimeUnixNano: nanosecondsText(originUs, endUs(steps, i)),
      attributes: otlpAttributes({ ...(role === null ? {} : { role }), ...stepFacts(profile, i) }, 'build.'),
      ...(dependenciesOf.has(i) ? { links: dependenciesOf.get(i)?.map(([of]) => ({ traceId, spanId: spanId(of) })) } : {}),
      status: stepFailed(steps, i) ? { code: 2, message: `result ${resultText(steps.result[i])}` } : {},
    };
  }
}

function* otlpPieces(context: ReportContext<'steps'>, version: string): Generator<SafeText> {
  const { profile } = context.analysis;
  // A .ninja_log records no date.
  const dated = { 'build.date': 'not recorded: times count from the start of the log, not from 1970' };
  const facts = {
    ...{ 'service.name': buildNameOf(profile), ...(profile.steps.originUs === null ? dated : {}) },
    ...{ 'host.cpus': profile.steps.cores ?? 'unknown', 'profile.path': profile.paths.join(' ') },
  };
  const resource = { attributes: otlpAttributes(facts, '') };
  const scope = { name: 'proftui', ...(version ? { version } : {}) };
  yield joinSafe([safeText`{"resourceSpans":[{"resource":`, safeJson(resource), safeText`,"scopeSpans":[{"scope":`], '');
  yield joinSafe([safeJson(scope), safeText`,"spans":[`], '');
  yield* jsonRows(otlpSpans(context));
  yield safeText`\n]}]}]}\n`;
}

const makeSpanReport = (name: string, title: string, pieces: typeof otlpPieces) =>
  makeTextReport(
    { name, title, requires: ['steps'], isArray: true },
    `${name} is JSON that other tools read; --print steps has its rows in every form`,
    (context, version) => pieces(contextOfKind('steps', context), version),
  );

export const trace = makeSpanReport('trace', 'steps as Trace Event JSON, for Perfetto and chrome://tracing', tracePieces);
export const otlp = makeSpanReport('otlp', 'steps as OTLP JSON spans, for Jaeger, Tempo and other stores of traces', otlpPieces);
