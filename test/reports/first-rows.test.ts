// The first routines by self cost are printed without the flow through cycles, where that changes nothing.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { analysisSoFar } from '../../src/analysis/answers/analyse.ts';
import { loadProfile } from '../../src/io/load.ts';
import { reports } from '../../src/reports/index.ts';
import type { ReportContext } from '../../src/reports/report.ts';
import { FIXTURES, namesIn } from '../support/fixtures.ts';
import { contextOf } from '../support/reports.ts';

async function textOf(context: ReportContext, form: 'text' | 'json' | 'csv'): Promise<string> {
  let text = '';
  await reports.find((r) => r.name === 'routines')?.write(form, context, '0', async (piece) => void (text += piece));
  return text;
}

test('the output is the same with the flow and without it', async () => {
  const folder = join(FIXTURES, 'callgrind');
  let without = 0;
  for (const file of namesIn(folder, /callgrind\.out(-\d+)?(\.gz)?$/))
    for (const limit of [1, 5, 40]) {
      // A profile of its own, for which nothing is known yet. Some files are wrong on purpose.
      const profile = await loadProfile([join(folder, file)]).catch(() => undefined);
      if (!profile) continue;
      const context = { ...contextOf(profile), routine: undefined, limit };
      const forms = ['text', 'json', 'csv'] as const;
      const first = [];
      for (const form of forms) first.push(await textOf(context, form));
      if (analysisSoFar(context.analysis)) without++;
      assert.ok(context.analysis.totals.inclusive);
      for (const [i, form] of forms.entries()) assert.equal(await textOf(context, form), first[i], `${file} ${form} ${limit}`);
    }
  assert.ok(without > 20, `${without}`);
});
