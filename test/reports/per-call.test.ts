// Costs per call: those of truth.json divided, and what they tell of two runs.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { eventInMeasure } from '../../src/analysis/answers/compared/measure.ts';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { reports } from '../../src/reports/index.ts';
import type { ReportContext } from '../../src/reports/report.ts';
import { existing, FIXTURES, namesIn, readJson } from '../support/fixtures.ts';
import { loadText } from '../support/load.ts';
import { contextOf } from '../support/reports.ts';
import { PLAINLY } from '../support/versus.ts';

interface Truth {
  readonly events: readonly string[];
  readonly functions: readonly {
    readonly name: string;
    readonly file: string | null;
    readonly object: string | null;
    readonly self: readonly number[];
    readonly callsIn: number;
    readonly outToOthers: readonly number[];
    readonly cycle: unknown;
  }[];
}
interface Row {
  readonly routine: string;
  readonly recordedName?: string;
  readonly file: string | null;
  readonly object: string | null;
  readonly calls: number;
  readonly self: Record<string, number>;
  readonly inclusive: Record<string, number>;
  readonly perCall: { readonly self: Record<string, number>; readonly inclusive: Record<string, number> } | null;
}

async function textOf(name: string, context: ReportContext, form: 'json' | 'text' = 'json'): Promise<string> {
  let text = '';
  await reports.find((r) => r.name === name)?.write(form, context, '0', async (piece) => void (text += piece));
  return text;
}

test('self and inclusive cost per call are those of truth.json', async () => {
  const folder = join(FIXTURES, 'callgrind');
  let compared = 0;
  for (const file of namesIn(folder, /\.truth\.json(\.gz)?$/)) {
    const stem = file.replace(/\.truth\.json(\.gz)?$/, '');
    const path = ['.callgrind.out', '.callgrind.out-01'].map((end) => existing(join(folder, stem + end)));
    const profile = await loadProfile([path[0]]).catch(() => undefined);
    if (!profile || profile.parts.length > 1) continue;
    const truth = readJson<Truth>(join(folder, `${stem}.truth.json`));
    const rows: Row[] = JSON.parse(
      await textOf('routines', { ...contextOf(profile), routine: undefined, limit: Number.POSITIVE_INFINITY }),
    ).rows;
    const byKey = new Map(rows.map((row) => [`${row.recordedName ?? row.routine} ${row.file} ${row.object}`, row]));
    for (const { name, file: of, object, self, callsIn, outToOthers, cycle } of truth.functions) {
      const row = byKey.get(`${name} ${of} ${object}`);
      if (!row || cycle !== null) continue;
      if (callsIn === 0) assert.equal(row.perCall, null, `${stem} ${name}`);
      for (const [e, event] of truth.events.entries()) {
        if (callsIn === 0 || !(event in row.self)) continue;
        assert.equal(row.perCall?.self[event], self[e] / callsIn, `${stem} ${name} ${event}`);
        assert.equal(row.perCall?.inclusive[event], (self[e] + outToOthers[e]) / callsIn, `${stem} ${name} ${event}`);
        compared++;
      }
    }
  }
  assert.ok(compared > 3000, `${compared}`);
});

/** Calls of f by main, and what they cost. */
const callsOf = (calls: number, cost: number) =>
  loadText(callgrind, `events: Ir\nfn=main\n1 10\ncfn=f\ncalls=${calls} 5\n2 ${cost}\nfn=f\n5 ${cost}\n`);

test('of two runs: the base has its own, and the difference is that of the averages', async () => {
  const [before, now] = [await callsOf(10, 1000), await callsOf(40, 3000)];
  const profile = compareProfiles(now, before, PLAINLY);
  const context = { ...contextOf(profile), routine: undefined };
  const rows: (Row & { readonly base: Row })[] = JSON.parse(await textOf('routines', context)).rows;
  const f = rows.find((row) => row.routine === 'f');
  assert.deepEqual([f?.perCall?.self, f?.base.perCall?.self], [{ Ir: 75 }, { Ir: 100 }]);
  const event = eventInMeasure(context.analysis, context.event, 'delta');
  const shown = await textOf('routines', { ...context, event, extraParts: ['perCall'] }, 'text');
  assert.match(shown, /Δ self\/call/);
  assert.match(shown, /\+2,000 .* -25 +-25 f\b/);
});
