// --threshold: rows that are left out are counted, and with what is shown they are the whole.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { reports } from '../../src/reports/index.ts';
import type { ReportContext } from '../../src/reports/report.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadText } from '../support/load.ts';
import { contextOf } from '../support/reports.ts';

interface Row {
  readonly rest?: true;
  readonly rows?: number;
  readonly self?: Record<string, number>;
  readonly inclusive?: Record<string, number>;
}

async function textOf(
  name: string,
  context: ReportContext,
  form: 'json' | 'text' | 'csv' | 'markdown' | 'jsonl',
): Promise<string> {
  let text = '';
  await reports.find((r) => r.name === name)?.write(form, context, '0', async (piece) => void (text += piece));
  return text;
}

for (const path of ['callgrind/default.callgrind.out', 'callgrind/cacheuse.callgrind.out.gz', 'gperftools/nopie-g.prof.gz'])
  test(`rows and the rest of ${path} are the whole, for every event`, async () => {
    const profile = await loadProfile([join(FIXTURES, path)]);
    const context = { ...contextOf(profile), routine: undefined, limit: Number.POSITIVE_INFINITY };
    const event = context.event.name;
    const whole = context.analysis.totals.total[context.event.terms[0][1]][0];
    for (const name of ['routines', 'lines', 'instrs'] as const)
      for (const threshold of [0.5, 2, 10, 100]) {
        const all: Row[] = JSON.parse(await textOf(name, context, 'json').catch(() => '{"rows":[]}')).rows;
        if (all.length === 0) continue;
        const shown: Row[] = JSON.parse(await textOf(name, { ...context, threshold }, 'json')).rows;
        const sums = (rows: readonly Row[], e: string) => rows.reduce((sum, { self }) => sum + Number(self?.[e] ?? 0), 0);
        for (const e of Object.keys(all[0].self ?? {})) assert.equal(sums(shown, e), sums(all, e), `${name} ${threshold} ${e}`);
        const rest = shown.at(-1);
        const left = all.filter(({ self }) => Number(self?.[event]) < (whole * threshold) / 100);
        assert.equal(rest?.rest ? rest.rows : 0, left.length, `${name} ${threshold}`);
        assert.equal(shown.filter((row) => !row.rest).length, all.length - left.length);
      }
  });

test('text, Markdown, CSV and JSON Lines have the rest; calls, whose costs overlap, only count it', async () => {
  const profile = await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]);
  const context = { ...contextOf(profile), routine: undefined, threshold: 5 };
  for (const form of ['text', 'markdown', 'csv'] as const)
    assert.match(await textOf('routines', context, form), /572 rows below 5%: self 1,082,463, 34\.72%/, form);
  assert.match(await textOf('routines', context, 'jsonl'), /"rest":true,"rows":572,"self":\{"Ir":1082463\}\}\n$/);
  // A limit below the rows that are shown does not change what is left out.
  assert.match(await textOf('routines', { ...context, limit: 2 }, 'text'), /more rows[\s\S]*572 rows below 5%/);
  const calls: Row[] = JSON.parse(await textOf('calls', { ...context, limit: Number.POSITIVE_INFINITY }, 'json')).rows;
  const rest = calls.at(-1);
  assert.deepEqual(Object.keys(rest ?? {}), ['rest', 'rows']);
  assert.ok(calls.slice(0, -1).every(({ inclusive }) => Number(inclusive?.['Ir']) >= 3_117_398 * 0.05));
});

test('beyond 2^53 the rest is exact', async () => {
  const big = 2n ** 60n;
  const lines = [
    'events: Ir',
    'fn=main',
    `1 ${big}`,
    'fn=a',
    `2 ${2n ** 54n + 1n}`,
    'fn=b',
    '3 3',
    'fn=c',
    `4 ${2n ** 54n + 1n}`,
  ];
  const profile = await loadText(callgrind, `${lines.join('\n')}\n`);
  const context = { ...contextOf(profile), routine: undefined, threshold: 10, limit: Number.POSITIVE_INFINITY };
  const json = JSON.parse(await textOf('routines', context, 'json'));
  assert.deepEqual(json.rows.at(-1), { rest: true, rows: 3, self: { Ir: String(2n * (2n ** 54n + 1n) + 3n) } });
  assert.deepEqual(json.percentagesOf, { Ir: String(big + 2n * (2n ** 54n + 1n) + 3n) });
});

test('sorted by inclusive cost, the threshold is of that, as in perf report and pprof; without such costs the sort is refused', async () => {
  const profile = await loadProfile([join(FIXTURES, 'pprof/cpu.pb.gz')]);
  const sort = { column: 'inclusive', descending: true };
  const context = { ...contextOf(profile), routine: undefined, sort, limit: Number.POSITIVE_INFINITY };
  const all: Row[] = JSON.parse(await textOf('routines', context, 'json')).rows;
  const shown: Row[] = JSON.parse(await textOf('routines', { ...context, threshold: 10 }, 'json')).rows;
  const [event] = Object.keys(all[0].inclusive ?? {});
  const whole = Math.max(...all.map(({ inclusive }) => Number(inclusive?.[event])));
  const total = Number(JSON.parse(await textOf('routines', context, 'json')).totals[event]);
  assert.ok(whole < total);
  const kept = all.filter(({ inclusive }) => Number(inclusive?.[event]) >= total / 10);
  assert.deepEqual(
    shown.filter((row) => !row.rest),
    kept,
  );
  assert.deepEqual(shown.at(-1), { rest: true, rows: all.length - kept.length });
  const lines = await loadProfile([join(FIXTURES, 'cachegrind/demo.cachegrind.out.gz')]);
  await assert.rejects(textOf('routines', { ...contextOf(lines), routine: undefined, sort }, 'json'), /no inclusive costs/);
});
