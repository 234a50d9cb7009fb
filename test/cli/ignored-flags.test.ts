// Flags about rows, with every view of --print: they change what is printed, or are refused.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { flagSpecs } from '../../src/cli/flag-table.ts';
import { loadProfile } from '../../src/io/load.ts';
import { questionsOf } from '../../src/model/profile.ts';
import { reports } from '../../src/reports/index.ts';
import { UNFILTERED_REPORTS } from '../../src/reports/options.ts';
import { type ReportContext, ReportError } from '../../src/reports/report.ts';
import { unpack } from '../support/bundle.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { contextOf } from '../support/reports.ts';
import { runWarm } from '../support/warm.ts';

const PROFILES = [
  'callgrind/default.callgrind.out',
  'ninja-log/mbedtls/.ninja_log.gz',
  'aprof/sorts/sorts_29651_0_4.aprof.gz',
  'gperftools/nopie-g.prof.gz',
  'trace-events/hand/unbalanced.json',
];

const viewsOf = (flag: string) => flagSpecs.find(({ name }) => name === flag)?.views ?? [];

test('flags name views that there are, and the others refuse them', () => {
  const names = new Set(reports.map((r) => r.name));
  for (const { name, views = [] } of flagSpecs) for (const view of views) assert.ok(names.has(view), `--${name} ${view}`);
  const file = join(FIXTURES, 'callgrind/default.callgrind.out');
  for (const { name, views, type, completes } of flagSpecs) {
    // The summary uses --measure.
    if (!views || views.includes('summary')) continue;
    const { code, err } = runWarm([
      file,
      '--print',
      'summary',
      `--${name}`,
      ...(type === 'boolean' ? [] : [Array.isArray(completes) ? completes[0] : '1']),
    ]);
    assert.equal(code, 2, name);
    assert.match(err, new RegExp(`--${name}: summary does not use it; views that do: ${views.join(', ')}`));
  }
});

async function csvOf(name: string, context: ReportContext): Promise<string | undefined> {
  let text = '';
  try {
    await reports.find((r) => r.name === name)?.write('csv', context, '0', async (piece) => void (text += piece));
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    return undefined;
  }
  return text;
}

for (const path of PROFILES)
  test(`--filter and --threshold act on the views of ${path} that do not refuse them`, async () => {
    const profile = await loadProfile([join(FIXTURES, path)]);
    const answers = questionsOf(profile);
    const context = { ...contextOf(profile), limit: Number.POSITIVE_INFINITY, inverted: true };
    for (const { name, requires, uncut, isArray, forms } of reports) {
      if (uncut || isArray || !forms.has('csv') || !requires.every((q) => answers.has(q))) continue;
      const plain = await csvOf(name, context);
      const whole = name === 'source' ? context : { ...context, routine: undefined };
      if (plain === undefined || plain.split('\r\n').length <= 2) continue;
      if (!UNFILTERED_REPORTS.has(name))
        assert.notEqual(await csvOf(name, { ...context, filtered: true, matches: () => false }), plain, `--filter ${name}`);
      if (viewsOf('threshold').includes(name))
        assert.notEqual(await csvOf(name, { ...whole, threshold: 100 }), await csvOf(name, whole), `--threshold ${name}`);
      if (viewsOf('routine').includes(name) && name !== 'curve')
        assert.notEqual(
          await csvOf(name, { ...context, routine: undefined }),
          await csvOf(name, { ...context, routine: 1 }),
          name,
        );
    }
  });

test('flags about data that the profile does not have are refused', () => {
  const aprof = join(FIXTURES, 'aprof/sorts/sorts_29651_0_4.aprof.gz');
  const folder = unpack(join(FIXTURES, 'cmake/tidepool-ninja-accumulated.json.gz'));
  const call = join(FIXTURES, 'callgrind/default.callgrind.out');
  for (const [args, why] of [
    [[aprof, '--print', 'inputs', '--contexts'], /--contexts: this aprof profile has no calling contexts/],
    [[folder, '--print', 'targets', '--weight', 'bytes'], /perf script, whose fields --weight chooses, found a cmake profile/],
    [[call, '--print', 'summary', '--limit', '3'], /--limit: summary has a length of its own/],
  ] as const) {
    const { code, err } = runWarm([...args]);
    assert.notEqual(code, 0, args.join(' '));
    assert.match(err, why);
  }
});

test('stages are filtered by name', () => {
  const folder = unpack(join(FIXTURES, 'cmake/tidepool-ninja-accumulated.json.gz'));
  const names = (...more: string[]): string[] =>
    JSON.parse(runWarm([folder, '--print', 'stages', '--json', ...more]).out).rows.map(({ name }: { name: string }) => name);
  const all = names();
  assert.ok(all.length > 1, all.join());
  assert.deepEqual(
    names('--filter', `/^${all[0]}$/`),
    all.filter((name) => name === all[0]),
  );
});
