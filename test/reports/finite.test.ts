// No number of a report is NaN or infinite: JSON would silently say null.
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { FormatError } from '../../src/base/problem.ts';
import { traceEvents } from '../../src/formats/trace-events/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadText } from '../support/load.ts';
import { long, most, some } from '../support/long.ts';
import { wrongNumbers } from '../support/reports.ts';

const INPUTS =
  /\.(prof|aprof|trace|ninja_log)(\.\d+)?(\.gz)?$|\.out(\.gz|-\d+|\.\d+)?$|(hand|time-trace)\/(?!truth|expected).*\.json(\.gz)?$/;

long('no report of a fixture has a number that is none', async () => {
  let profiles = 0;
  const wrong = new Set<string>();
  for (const name of some(readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }))) {
    const path = join(FIXTURES, name);
    if (!INPUTS.test(name) || statSync(path).size > 150_000) continue;
    try {
      const profile = await loadProfile([path]);
      for (const place of await wrongNumbers(profile)) wrong.add(`${name}: ${place}`);
      profiles++;
    } catch (error) {
      // Some are made to be refused.
      assert.ok(error instanceof FormatError, `${name}: ${error}`);
    }
  }
  assert.ok(profiles > most(100), `${profiles} profiles`);
  assert.deepEqual([...wrong], []);
});

test('nor has one of an empty trace, of numbers beyond doubles, or of the largest times', async () => {
  const slice = (ts: string, dur: string) => `{"ph":"X","name":"a","ts":${ts},"dur":${dur},"pid":1,"tid":1}`;
  const counter = (value: string) => `{"ph":"C","name":"c","ts":1,"args":{"v":${value}}}`;
  const traces = [
    '[]',
    '{"traceEvents":[]}',
    `[${slice('1', '0')}]`,
    `[${slice('1e999', '1')},${slice('1', '-1e999')},${counter('1e999')},${counter('1e308')}]`,
    `[${slice('-4e18', '4e18')},${slice('4e18', '4e18')},${slice('1', '1e308')}]`,
  ];
  for (const trace of traces) assert.deepEqual([...(await wrongNumbers(await loadText(traceEvents, trace)))], [], trace);
});
