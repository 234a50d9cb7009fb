// --print source without a routine: the files of a program by cost, until they have the wanted share of it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { loadProfile } from '../../src/io/load.ts';
import { reports } from '../../src/reports/index.ts';
import type { ReportContext } from '../../src/reports/report.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { contextOf } from '../support/reports.ts';
import { runWarm } from '../support/warm.ts';

interface Row {
  readonly file: string;
  readonly line: number;
  readonly self: Record<string, number>;
}

async function written(context: ReportContext, form: 'json' | 'text'): Promise<string> {
  let text = '';
  await reports.find((r) => r.name === 'source')?.write(form, context, '0', async (piece) => void (text += piece));
  return text;
}

/** By file: the self cost, as a reader of lines sums it up: `fl=`, `fi=` and `fe=` name the file of the cost lines behind them. */
function costsByFile(): Map<string, number> {
  const names = new Map<string, string>();
  const costs = new Map<string, number>();
  let [file, isCall] = ['', false];
  for (const line of readFileSync(join(FIXTURES, 'callgrind/default.callgrind.out'), 'utf8').split('\n')) {
    const m = /^(?:fl|fi|fe|cfi|cfl)=(\(\d+\))(?: (.*))?$/.exec(line);
    if (m) {
      if (m[2] !== undefined) names.set(m[1], m[2]);
      if (!line.startsWith('c')) file = names.get(m[1]) ?? '';
    } else if (line.startsWith('calls=')) isCall = true;
    else if (/^[-+*\d]/.test(line)) {
      if (!isCall) costs.set(file, (costs.get(file) ?? 0) + Number(line.split(' ')[1]));
      isCall = false;
    }
  }
  return costs;
}

test('files come by cost until they have the share; what is left is told', async () => {
  const profile = await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]);
  const context = { ...contextOf(profile), routine: undefined, limit: Number.POSITIVE_INFINITY };
  const truth = [...costsByFile()].sort((a, b) => b[1] - a[1]);
  // Code without a file is in none of them.
  const all = truth.filter(([file]) => file !== '???').reduce((sum, [, cost]) => sum + cost, 0);
  for (const coverage of [10, 50, 90, 99, 100]) {
    const rows: Row[] = JSON.parse(await written({ ...context, coverage }, 'json')).rows;
    const found = new Map<string, number>();
    for (const { file, self } of rows) found.set(file, (found.get(file) ?? 0) + Number(self?.['Ir'] ?? 0));
    for (const [file, cost] of found) assert.equal(cost, costsByFile().get(file), file);
    const sum = [...found.values()].reduce((a, b) => a + b, 0);
    assert.ok(sum >= (all * coverage) / 100, `${coverage}: ${sum}`);
    // One file less would not be enough.
    const least = Math.min(...[...found.values()].filter((cost) => cost > 0));
    if (coverage < 100) assert.ok(sum - least < (all * coverage) / 100, `${coverage}: ${sum} - ${least}`);
  }
  assert.match(
    await written({ ...context, coverage: 50 }, 'text'),
    /… 305 more files: 36\.42% \(--coverage 100\)\ncode without a file: 1\.67%\n$/,
  );
});

test('lines around those with cost, and where the gaps are', () => {
  const file = join(FIXTURES, 'callgrind/default.callgrind.out');
  const args = [
    file,
    '--print',
    'source',
    '--filter',
    'calc.cpp',
    '--source-dir',
    join(FIXTURES, 'callgrind'),
    '--limit',
    '1000',
  ];
  const lines = (context: string) => runWarm([...args, '--context', context]).out.split('\n');
  const [none, one] = [lines('0'), lines('1')];
  assert.ok(none.includes('-- line 26'), none.join('\n'));
  assert.ok(one.length > none.length);
  assert.ok(none.filter((line) => line.startsWith('-- line')).length > one.filter((line) => line.startsWith('-- line')).length);
});
