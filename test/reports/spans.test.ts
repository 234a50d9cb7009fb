// Steps for other tools: what is written as a trace is read back as the same steps; OTLP has whole ids and exact times.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { activeSteps, hasRun, jobsOf, recordedName } from '../../src/analysis/answers/steps/steps.ts';
import { dependenciesOf } from '../../src/analysis/builds/needs.ts';
import { traceEvents } from '../../src/formats/trace-events/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { ProfileOf } from '../../src/model/profile.ts';
import { reports } from '../../src/reports/index.ts';
import { unpack } from '../support/bundle.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { loadText } from '../support/load.ts';
import { contextOf } from '../support/reports.ts';
import { runWarm } from '../support/warm.ts';

const PATHS = [
  join(unpack(join(FIXTURES, 'cmake/tidepool-ninja-accumulated.json')), 'build'),
  join(FIXTURES, 'ninja-log/tidepool-ninja-failing/.ninja_log'),
  join(FIXTURES, 'trace-events/hand/flows.json'),
  join(FIXTURES, 'trace-events/hand/counters.json'),
  join(FIXTURES, 'trace-events/hand/hostile-text.json'),
  join(FIXTURES, 'clang-traces/whole-build'),
];

async function written(name: string, profile: ProfileOf<'steps'>): Promise<string> {
  const found = reports.find((r) => r.name === name);
  assert.ok(found);
  const out: string[] = [];
  await found.write('text', contextOf(profile, new Set()), '0', async (text) => {
    out.push(text);
  });
  return out.join('');
}

/** Name, duration and start after the first one. */
function stepsOf(profile: ProfileOf<'steps'>): string[] {
  const { steps } = profile;
  const list = Array.from(activeSteps(analysisOf(profile, 'steps'))).filter((i) => hasRun(steps, i));
  const first = Math.min(...list.map((i) => steps.startUs[i]));
  return list.map((i) => `${recordedName(profile, i)} ${steps.durationUs[i]} ${steps.startUs[i] - first}`).sort();
}

for (const path of PATHS) {
  test(`${path.slice(-40)}: as a trace and back it is the same steps, counters and arrows`, async () => {
    const profile = profileOf(await loadProfile([path]), 'steps');
    const back = profileOf(await loadText(traceEvents, await written('trace', profile)), 'steps');
    assert.deepEqual(stepsOf(back), stepsOf(profile));
    const values = (p: typeof profile) => p.steps.gauges.flatMap((g) => [...g.value]).sort((a, b) => a - b);
    assert.deepEqual(values(back), values(profile));
    const jobs = (p: typeof profile) => jobsOf(analysisOf(p, 'steps')).length;
    assert.equal(jobs(back), jobs(profile), 'wholes are no jobs');
    const needs = [...(dependenciesOf(analysisOf(profile, 'steps')).now() ?? [])].flatMap(([, list]) => list).length;
    if (profile.steps.linkFrom.length === 0 && profile.format === 'cmake') assert.equal(back.steps.linkFrom.length, needs);
  });

  test(`${path.slice(-40)}: OTLP spans have ids of their own, parents and links that are there, and exact times`, async () => {
    const profile = profileOf(await loadProfile([path]), 'steps');
    interface Span {
      readonly traceId: string;
      readonly spanId: string;
      readonly parentSpanId?: string;
      readonly name: string;
      readonly startTimeUnixNano: string;
      readonly endTimeUnixNano: string;
      readonly links?: readonly { readonly spanId: string }[];
    }
    const said = JSON.parse(await written('otlp', profile)) as {
      resourceSpans: [{ scopeSpans: [{ spans: Span[] }] }];
    };
    const { spans: all } = said.resourceSpans[0].scopeSpans[0];
    const roots = all.filter((s) => s.parentSpanId === undefined);
    const parts = new Set(Array.from(activeSteps(analysisOf(profile, 'steps')), (i) => profile.steps.part[i]));
    assert.ok(roots.length <= parts.size && (all.length === 0 || roots.length > 0), 'a root for each run');
    const spans = all.filter((s) => s.parentSpanId !== undefined);
    const ids = new Set(all.map((s) => s.spanId));
    assert.equal(ids.size, all.length);
    assert.equal(new Set(spans.map((s) => s.traceId)).size, 1);
    const first = spans.reduce(
      (least, s) => (BigInt(s.startTimeUnixNano) < least ? BigInt(s.startTimeUnixNano) : least),
      10n ** 30n,
    );
    for (const s of spans) {
      assert.match(s.traceId, /^(?!0+$)[0-9a-f]{32}$/);
      assert.match(s.spanId, /^(?!0+$)[0-9a-f]{16}$/);
      assert.ok(s.parentSpanId === undefined || ids.has(s.parentSpanId));
      for (const link of s.links ?? []) assert.ok(ids.has(link.spanId));
    }
    const times = spans.map(
      (s) =>
        `${s.name} ${Number(BigInt(s.endTimeUnixNano) - BigInt(s.startTimeUnixNano)) / 1000} ${Number(BigInt(s.startTimeUnixNano) - first) / 1000}`,
    );
    // A nanosecond is the finest that OTLP has.
    const near = (text: string) => text.replace(/[\d.]+(?:e-?\d+)?/g, (n) => Number(n).toFixed(2));
    assert.deepEqual(times.map(near).sort(), stepsOf(profile).map(near).sort());
  });
}

test('--print trace has the slices of the compilers inside their steps, each as its -ftime-trace has it', () => {
  const folder = join(FIXTURES, 'clang-traces/whole-build');
  const { out } = runWarm([folder, '--print', 'trace']);
  type Event = Record<'ts' | 'dur' | 'tid', number> & { ph: string; name: string; cat?: string; args?: { detail?: string } };
  const events: Event[] = JSON.parse(out).traceEvents;
  const compiles = events.filter(({ cat }) => cat === 'compile');
  const inside = events.filter(({ cat }) => cat === 'compiler');
  let [checked, files] = [0, 0];
  for (const step of compiles) {
    const own = inside.filter(({ tid, ts }) => tid === step.tid && ts >= step.ts && ts <= step.ts + step.dur);
    const path = join(folder, `${step.name.replace(/^compile: /, '').replace(/\.cpp$/, '')}.cpp.json.gz`);
    const raw: Event[] = JSON.parse(readMaybeGz(path).toString()).traceEvents;
    const whole = raw.find(({ name }) => name === 'ExecuteCompiler');
    assert.ok(whole);
    const wanted = raw.filter(
      ({ ph, name, tid }) => ph === 'X' && tid === whole.tid && name !== whole.name && !/^Total /.test(name),
    );
    const text = ({ name, ts, dur, args }: Event, from: number) => `${name} ${Math.round(ts - from)} ${dur} ${args?.detail}`;
    assert.deepEqual(own.map((e) => text(e, step.ts)).sort(), wanted.map((e) => text(e, whole.ts)).sort(), step.name);
    checked += own.length;
    files++;
  }
  assert.equal(checked, inside.length, 'each is in one step');
  assert.ok(files > 30 && checked > 10_000);
});
