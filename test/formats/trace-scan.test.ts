// Events that are written plainly are read from their bytes, the others by JSON.parse: both ways must say the same of any event.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { stepText } from '../../src/analysis/answers/steps/steps.ts';
import { traceEvents } from '../../src/formats/trace-events/index.ts';
import { TraceEventScan } from '../../src/formats/trace-events/scan.ts';
import type { TextName } from '../../src/model/steps/tables.ts';
import { stringAt } from '../../src/model/strings.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { profileOf } from '../support/kinds.ts';
import { loadText } from '../support/load.ts';
import { long } from '../support/long.ts';

const TEXTS: readonly TextName[] = ['role', 'target', 'detail', 'source', 'command', 'more'];

/** All that a trace says, with its arguments as values: they may be written in several ways. */
async function said(json: string): Promise<unknown> {
  const profile = profileOf(await loadText(traceEvents, json), 'steps');
  const { steps, parts, warnings } = profile;
  const rows = Array.from(steps.name, (name, i) => [
    stringAt(profile.strings, name),
    ...[
      steps.kind[i],
      steps.track[i],
      steps.parent[i],
      steps.startUs[i],
      steps.durationUs[i],
      steps.cpuUs[i],
      steps.routine[i] < 0,
    ],
    ...TEXTS.map((column) => {
      const text = stepText(profile, column, i);
      return column === 'more' && text !== null ? JSON.parse(text) : text;
    }),
  ]);
  const links = Array.from(steps.linkFrom, (from, k) => [from, steps.linkTo[k]]);
  const { tracks, originUs, cores, gauges } = steps;
  return {
    rows,
    links,
    tracks,
    originUs,
    cores,
    gauges,
    notes: parts.map((p) => p.notes),
    warnings: warnings.map((w) => w.found),
  };
}

/** The same events, each with a key that is not written plainly. */
const odd = (events: readonly unknown[]): string =>
  `[${events.map((e) => JSON.stringify(e).replace(/^\{(?=.)/, (open) => `${open}"\\u0078":0${JSON.stringify(e) === '{}' ? '' : ','}`)).join(',')}]`;

function eventsIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const list = typeof value === 'object' && value !== null && 'traceEvents' in value ? value.traceEvents : undefined;
  return Array.isArray(list) ? list : undefined;
}

test('of every fixture, events read from their bytes are those that JSON.parse reads', async () => {
  let [traces, plain] = [0, 0];
  for (const folder of ['trace-events/hand', 'trace-events/clang-time-trace']) {
    for (const name of readdirSync(join(FIXTURES, folder))) {
      if (!/\.json$/.test(name) || /truth|expected/.test(name)) continue;
      let value: unknown;
      try {
        value = JSON.parse(readFileSync(join(FIXTURES, folder, name), 'utf8'));
      } catch {
        continue; // cut on purpose
      }
      const events = eventsIn(value);
      if (!events || events.length === 0) continue;
      assert.deepEqual(await said(JSON.stringify(events)), await said(odd(events)), name);
      traces++;
      plain += events.filter((e) => scans(JSON.stringify(e))).length;
    }
  }
  assert.ok(traces >= 15 && plain > 150, `${traces} traces, ${plain} plain events`);
});

function scans(json: string): boolean {
  const bytes = new TextEncoder().encode(json);
  return new TraceEventScan().scan(bytes, 0, bytes.length) === bytes.length;
}

const word = fc.oneof(
  fc.constantFrom('a', 'Source', 'Total x', '', 'detail', 'role', 'quote"d', 'back\\slash', 'ä', '\n'),
  fc.string(),
);
const number = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, 1e21, 1e-7, 0.1, 123.456, 2 ** 53, 1763700000123456.8, 1e300),
);
const any = fc.oneof(word, number, fc.constant(null), fc.boolean(), fc.jsonValue({ maxDepth: 3 }));
const event = fc.record(
  {
    ph: fc.oneof({ weight: 9, arbitrary: fc.constantFrom('X', 'B', 'E', 'X', 'C', 'i', 's', 'f', 'M', 'b', 'e') }, any),
    ts: fc.oneof({ weight: 9, arbitrary: fc.oneof(fc.nat(1000), number) }, any),
    dur: fc.oneof({ weight: 9, arbitrary: fc.nat(1000) }, any),
    tdur: fc.oneof(fc.nat(1000), any),
    name: fc.oneof({ weight: 9, arbitrary: word }, any),
    cat: fc.oneof({ weight: 9, arbitrary: word }, any),
    pid: fc.oneof({ weight: 9, arbitrary: fc.nat(3) }, any),
    tid: fc.oneof({ weight: 9, arbitrary: fc.nat(3) }, any),
    id: fc.oneof(fc.nat(3), word),
    args: fc.oneof(
      fc.record({ detail: fc.oneof(word, any), count: any, x: any }, { requiredKeys: [] }),
      fc.dictionary(word, any),
      any,
    ),
    sf: any,
  },
  { requiredKeys: ['ph', 'ts'] },
);

long('of any events, those read from their bytes are those that JSON.parse reads', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 12 }), fc.boolean(), async (events, spaced) => {
      assert.deepEqual(await said(JSON.stringify(events, null, spaced ? 1 : 0)), await said(odd(events)));
    }),
    { numRuns: 1500 },
  );
});

test('what is not valid JSON is no plain event', () => {
  const good = '{"ph":"X","ts":1.5,"dur":2,"name":"a","pid":1,"tid":2,"args":{"detail":"d","n":[1,{"b":true}],"o":null}}';
  assert.ok(scans(good));
  assert.ok(scans(good.replace('"n":[', '"n": [ ').replace('{"ph"', '{ \n"ph"')));
  for (const [from, to] of [
    ['1.5', '1.'],
    ['1.5', '01.5'],
    ['1.5', '.5'],
    ['1.5', '+1'],
    ['1.5', '1e5'],
    ['1.5', '99999999999999999'],
    ['[1,', '[1,,'],
    ['[1,', '[1'],
    ['}]', ',}]'],
    ['}]', '}}'],
    ['true', 'truE'],
    ['null', 'nul'],
    ['"o":', '"o"'],
    ['"o":', 'o:'],
    ['"d"', '"d\u0001"'],
    ['"d"', "'d'"],
    ['"args"', '"\\u0061rgs"'],
    ['"name"', '"name" "x"'],
  ])
    assert.ok(!scans(good.replace(from, to)), `${from} → ${to}`);
  const bytes = new TextEncoder().encode(good);
  for (let end = 0; end < bytes.length; end++) assert.equal(new TraceEventScan().scan(bytes, 0, end), -1, `cut at ${end}`);
});
