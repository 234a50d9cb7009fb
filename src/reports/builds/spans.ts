// Steps as other tools read them: Trace Event JSON for Perfetto and chrome://tracing, and OTLP JSON spans for what stores traces. Both
// are JSON with all there is of each step, and are written piece by piece.

import type { Analysis } from '../../analysis/answers/analysis.ts';
import { lanesOf } from '../../analysis/answers/steps/lanes.ts';
import { activeSteps, endUs, failed, ran, recordedName, stepText, stepTexts, WHOLE } from '../../analysis/answers/steps/steps.ts';
import { dependencies } from '../../analysis/builds/needs.ts';
import { addTo } from '../../base/lists.ts';
import { joinSafe, safeJson, safeText } from '../../base/safe-text.ts';
import type { ProfileOf } from '../../model/profile.ts';
import type { TextName } from '../../model/steps/columns.ts';
import type { Steps } from '../../model/steps/tables.ts';
import { stringAt } from '../../model/strings.ts';
import { oneText } from '../one-text.ts';
import { Pieces, type Write } from '../pieces.ts';
import type { Report } from '../print.ts';
import { ofKind, type ReportContext } from '../report.ts';

type Context = ReportContext<'steps'>;

const TEXTS: readonly TextName[] = [
  'target',
  'detail',
  'source',
  'language',
  'config',
  'command',
  'directory',
  'caveat',
  'trace',
];

/** Facts about a step beside its name, role and times. */
function factsOf(profile: ProfileOf<'steps'>, step: number): Record<string, string | number> {
  const { steps } = profile;
  const facts: Record<string, string | number> = {};
  for (const column of TEXTS) {
    const text = stepText(profile, column, step);
    if (text !== null) facts[column] = text;
  }
  if (!Number.isNaN(steps.result[step])) facts['result'] = steps.result[step];
  if (!Number.isNaN(steps.cpuUs[step])) facts['cpuUs'] = steps.cpuUs[step];
  const outputs = steps.outputPath.subarray(steps.outputStart[step], steps.outputStart[step + 1]);
  if (outputs.length > 0) facts['outputs'] = Array.from(outputs, (o) => stringAt(profile.strings, o)).join(' ');
  return facts;
}

/** The steps that ran and match. */
function chosen({ analysis, filtered, matches }: Context): number[] {
  const { profile } = analysis;
  return Array.from(activeSteps(analysis)).filter(
    (i) => ran(profile.steps, i) && (!filtered || matches(...stepTexts(profile, i))),
  );
}

/** The chosen steps that another one needs, or hands over to: by the build file or the commands, else by the flows of a trace. */
function* arrows(analysis: Analysis<'steps'>, steps: ReadonlySet<number>): Generator<readonly [from: number, to: number]> {
  const needs = dependencies(analysis);
  for (const [step, list] of needs ?? []) if (steps.has(step)) for (const of of list) if (steps.has(of)) yield [of, step];
  const { linkFrom, linkTo } = analysis.profile.steps;
  for (let k = 0; k < linkFrom.length; k++) if (steps.has(linkFrom[k]) && steps.has(linkTo[k])) yield [linkFrom[k], linkTo[k]];
}

/** Slices lie in their tracks, where they contain each other; steps of a build in lanes, where none overlap. */
function threadsOf(analysis: Analysis<'steps'>): {
  readonly count: number;
  readonly titles: readonly string[];
  readonly of: ArrayLike<number>;
} {
  const { steps, routines } = analysis.profile;
  if (routines.name.length === 0) return lanesOf(analysis);
  const titles = steps.tracks.map(({ name, tid }) => name ?? `thread ${tid}`);
  return { count: titles.length, titles, of: steps.track };
}

/** Events in the order of lanes as threads, then counters and flows. Times count from the first step, as the file's own may be long ago. */
function* traceEvents(context: Context): Generator<object> {
  const { analysis } = context;
  const { profile } = analysis;
  const { steps } = profile;
  const lanes = threadsOf(analysis);
  const process = { pid: 1 };
  yield { ph: 'M', name: 'process_name', ...process, args: { name: nameOf(profile) } };
  for (let lane = 0; lane < lanes.count; lane++) {
    const name = lanes.titles[lane] || `lane ${lane + 1}`;
    yield { ph: 'M', name: 'thread_name', ...process, tid: lane + 1, args: { name } };
    yield { ph: 'M', name: 'thread_sort_index', ...process, tid: lane + 1, args: { sort_index: lane } };
  }
  const list = chosen(context);
  // A step inside another one lies in its lane; a whole build in none.
  const laneOf = (i: number): number => {
    let at = i;
    while (lanes.of[at] < 0 && steps.parent[at] >= 0) at = steps.parent[at];
    return lanes.of[at];
  };
  const at = (i: number) => ({ ...process, tid: laneOf(i) + 1 });
  for (const i of list)
    yield {
      ph: 'X',
      name: recordedName(profile, i),
      // A second category for what holds other steps, which is how it is read back.
      cat: `${stepText(profile, 'role', i) ?? 'step'}${steps.kind[i] === WHOLE ? ',whole' : ''}`,
      ts: steps.startUs[i],
      dur: steps.durationUs[i],
      ...at(i),
      args: factsOf(profile, i),
    };
  for (const { name, us, value } of steps.gauges)
    for (let k = 0; k < us.length; k++) yield { ph: 'C', name, ts: us[k], ...process, args: { value: value[k] } };
  let id = 0;
  for (const [from, to] of arrows(analysis, new Set(list))) {
    const flow = { cat: 'needs', name: 'needs', id: ++id };
    // An arrow begins inside the slice that it is of: at its end, another may have begun.
    yield { ph: 's', ...flow, ts: endUs(steps, from) - Math.min(1, steps.durationUs[from] / 2), ...at(from) };
    yield { ph: 'f', bp: 'e', ...flow, ts: Math.max(steps.startUs[to], endUs(steps, from)), ...at(to) };
  }
}

async function writeTrace(given: ReportContext, write: Write): Promise<void> {
  const context = ofKind('steps', given);
  const { originUs } = context.analysis.profile.steps;
  const pieces = new Pieces(write);
  await pieces.add(safeText`{"displayTimeUnit":"ms",`);
  if (originUs !== null) await pieces.add(joinSafe([safeText`"beginningOfTime":`, safeJson(originUs), safeText`,`], ''));
  await pieces.add(safeText`"traceEvents":[`);
  let first = true;
  for (const event of traceEvents(context)) {
    await pieces.add(joinSafe([first ? safeText`\n` : safeText`,\n`, safeJson(event)], ''));
    first = false;
  }
  await pieces.add(safeText`\n]}\n`);
  await pieces.flush();
}

type Value = { readonly stringValue: string } | { readonly intValue: string } | { readonly doubleValue: number };

const attributeOf = (value: string | number): Value =>
  typeof value === 'string'
    ? { stringValue: value }
    : Number.isSafeInteger(value)
      ? { intValue: `${value}` }
      : { doubleValue: value };

const attributes = (facts: Readonly<Record<string, string | number>>, prefix: string) =>
  Object.entries(facts).map(([key, value]) => ({ key: `${prefix}${key}`, value: attributeOf(value) }));

/** So many hexadecimal digits of a number that differs from build to build, and is never all zero. */
function hex(seed: string, digits: number): string {
  let out = '';
  for (let part = 0; out.length < digits; part++) {
    let hash = 0x811c9dc5 ^ part;
    for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    out += ((hash ^ (hash >>> 13)) >>> 0).toString(16).padStart(8, '0');
  }
  return out.slice(0, digits);
}

/** Microseconds as whole nanoseconds: a double has no room for them since 1970. */
const nano = (originUs: number, us: number): string => {
  const whole = Math.floor(us);
  return `${BigInt(Math.floor(originUs) + whole) * 1000n + BigInt(Math.round((us - whole + (originUs - Math.floor(originUs))) * 1000))}`;
};

const nameOf = ({ command, paths, format }: ProfileOf<'steps'>) => command ?? paths[0] ?? format;

const resourceOf = (profile: ProfileOf<'steps'>) => ({
  'service.name': nameOf(profile),
  // A .ninja_log has no date.
  ...(profile.steps.originUs === null
    ? { 'build.date': 'not recorded: times count from the start of the log, not from 1970' }
    : {}),
  'host.cpus': profile.steps.cores ?? 'unknown',
  'profile.path': profile.paths.join(' '),
});

/** From the first start of steps to their last end. */
function spanOf(steps: Steps, list: readonly number[]): readonly [from: number, to: number] {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const i of list) [from, to] = [Math.min(from, steps.startUs[i]), Math.max(to, endUs(steps, i))];
  return [from, to];
}

async function writeOtlp(given: ReportContext, write: Write, version = ''): Promise<void> {
  const context = ofKind('steps', given);
  const { analysis } = context;
  const { profile } = analysis;
  const { steps } = profile;
  const originUs = steps.originUs ?? 0;
  const seed = [...profile.paths, originUs, steps.name.length, profile.command ?? ''].join('\n');
  const traceId = hex(seed, 32);
  // Eight bytes: of the build, and of the step.
  const spanId = (i: number) => `${hex(`span ${seed}`, 8)}${(i + 1).toString(16).padStart(8, '0')}`;
  const list = chosen(context);
  const kept = new Set(list);
  const waits = new Map<number, number[]>();
  for (const [from, to] of arrows(analysis, kept)) addTo(waits, to, from);
  const resource = { attributes: attributes(resourceOf(profile), '') };
  const scope = { name: 'proftui', ...(version ? { version } : {}) };
  const pieces = new Pieces(write);
  const open = [
    safeText`{"resourceSpans":[{"resource":`,
    safeJson(resource),
    safeText`,"scopeSpans":[{"scope":`,
    safeJson(scope),
  ];
  await pieces.add(joinSafe([...open, safeText`,"spans":[`], ''));
  // One span for each run holds what lies in no other.
  const roots = new Map(list.map((i) => [steps.part[i], spanId(steps.name.length + steps.part[i])]));
  let first = true;
  const put = async (span: object) => {
    await pieces.add(joinSafe([first ? safeText`\n` : safeText`,\n`, safeJson(span)], ''));
    first = false;
  };
  for (const [part, root] of roots) {
    const [from, to] = spanOf(
      steps,
      list.filter((i) => steps.part[i] === part),
    );
    const times = { startTimeUnixNano: nano(originUs, from), endTimeUnixNano: nano(originUs, to) };
    await put({ traceId, spanId: root, name: nameOf(profile), kind: 1, ...times, status: {} });
  }
  for (const i of list) {
    const parent = steps.parent[i];
    const role = stepText(profile, 'role', i);
    const bad = failed(steps, i);
    await put({
      traceId,
      spanId: spanId(i),
      parentSpanId: parent >= 0 && kept.has(parent) ? spanId(parent) : roots.get(steps.part[i]),
      name: recordedName(profile, i),
      kind: 1,
      startTimeUnixNano: nano(originUs, steps.startUs[i]),
      endTimeUnixNano: nano(originUs, endUs(steps, i)),
      attributes: attributes({ ...(role === null ? {} : { role }), ...factsOf(profile, i) }, 'build.'),
      ...(waits.has(i) ? { links: (waits.get(i) ?? []).map((of) => ({ traceId, spanId: spanId(of) })) } : {}),
      status: bad ? { code: 2, message: `result ${steps.result[i]}` } : {},
    });
  }
  await pieces.add(safeText`\n]}]}]}\n`);
  await pieces.flush();
}

const exported = (
  name: string,
  title: string,
  text: (context: ReportContext, write: Write, version: string) => Promise<void>,
): Report =>
  oneText(
    { name, title, asks: ['steps'], array: true },
    `${name} is JSON that other tools read; --print steps has its rows in every form`,
    text,
  );

export const trace = exported('trace', 'steps as Trace Event JSON, for Perfetto and chrome://tracing', writeTrace);
export const otlp = exported('otlp', 'steps as OTLP JSON spans, for Jaeger, Tempo and other stores of traces', writeOtlp);
