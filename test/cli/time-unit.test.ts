// --unit in views of builds: the recorded milliseconds of JSON, divided.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { VIEWS_OF_TIMES } from '../../src/reports/options.ts';
import { unpack } from '../support/bundle.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { runWarm } from '../support/warm.ts';

const BUILDS = [
  join(FIXTURES, 'ninja-log/tidepool-ninja-ccache/.ninja_log'),
  join(unpack(join(FIXTURES, 'cmake/tidepool-ninja-failing.json')), 'build'),
  join(FIXTURES, 'clang-traces/whole-build'),
];

const tsvOf = (args: readonly string[]) => {
  const { code, out } = runWarm([...args, '--tsv']);
  return code === 0
    ? out
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t'))
    : undefined;
};

const UNITS = { ns: [1e6, 'Ns'], us: [1e3, 'Us'], ms: [1, 'Ms'], s: [1e-3, 'S'] } as const;

test('times of every view of a build are in the unit, in TSV and in text', () => {
  let compared = 0;
  for (const path of BUILDS)
    for (const view of VIEWS_OF_TIMES) {
      const args = [path, '--print', view, '--limit', '20'];
      const recorded = tsvOf(args);
      // Without times, --unit is refused.
      if (!recorded?.[0].some((name) => name.endsWith('Ms'))) continue;
      for (const [unit, [factor, ending]] of Object.entries(UNITS).slice(path === BUILDS[0] ? 0 : 3)) {
        const given = tsvOf([...args, '--unit', unit]);
        assert.deepEqual(
          given?.[0],
          recorded[0].map((name) => name.replace(/Ms$/, ending)),
        );
        for (const [r, cells] of (given ?? []).entries())
          for (const [c, cell] of cells.entries()) {
            const was: string = recorded[r][c];
            if (r === 0) continue;
            if (!recorded[0][c].endsWith('Ms') || was === '') assert.equal(cell, was);
            else
              assert.ok(
                Math.abs(Number(cell) - Number(was) * factor) <= 1e-9 * Math.abs(Number(cell)),
                `${view} ${unit}: ${was}, ${cell}`,
              );
            compared++;
          }
      }
    }
  assert.ok(compared > 2000, String(compared));
});

test('in text, the numbers are those of milliseconds moved by the unit, with all decimals', () => {
  const [args, starts] = [
    [BUILDS[0], '--print', 'steps', '--limit', '20'],
    (line: string) => Number(line.trim().split(/\s+/)[0].replaceAll(',', '')),
  ];
  const linesOf = (more: readonly string[]) => runWarm([...args, ...more]).out.split('\n');
  const [recorded, given] = [linesOf([]), linesOf(['--unit', 's'])];
  const head = given.findIndex((line) => line.startsWith('start s'));
  for (let i = head + 1; /^[\d ]/.test(given[i]); i++)
    assert.ok(Math.abs(starts(given[i]) - starts(recorded[i]) / 1e3) < 1e-9, given[i]);
});

test('what has no times, or no such unit, is refused', () => {
  for (const [args, why] of [
    [[BUILDS[0], '--print', 'steps', '--unit', 'MiB'], /--unit MiB: the times of a build are in ns, us, ms or s/],
    [[BUILDS[0], '--print', 'steps', '--unit', 's', '--json'], /--unit is for text, markdown, csv, tsv/],
    [[BUILDS[0], '--print', 'findings', '--unit', 's'], /findings does not use it/],
  ] as const) {
    const { code, err } = runWarm([...args]);
    assert.equal(code, 2, err);
    assert.match(err, why);
  }
});
