// External input of drms reports: the numbers on their lines, added up apart from the loader.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';
import { runWarm } from '../support/warm.ts';

interface Law {
  readonly routine: string;
  readonly externalInput: number | null;
}

const lawsOf = (path: string): readonly Law[] => JSON.parse(runWarm([path, '--print', 'curves', '--json']).out).rows;

for (const folder of ['readlog-drms', 'pipeline-drms'])
  for (const name of readdirSync(join(FIXTURES, 'aprof', folder)).filter((n) => /\.aprof(\.gz)?$/.test(n)))
    test(`${folder}/${name}: the share of system calls and other threads in the input`, () => {
      const path = join(FIXTURES, 'aprof', folder, name);
      const names = new Map<string, string>();
      const cells = new Map<string, { external: number; all: number }>();
      for (const line of readMaybeGz(path.replace(/\.gz$/, '')).toString().split('\n')) {
        const routine = /^r "(.*)" ".*" (\d+)/.exec(line);
        if (routine) names.set(routine[2], routine[1]);
        const [tag, id, size, , , , , calls, , , , , , , , syscall, thread] = line.split(/\s+/);
        if (tag !== 'p') continue;
        const sum = cells.get(id) ?? { external: 0, all: 0 };
        cells.set(id, { external: sum.external + Number(syscall) + Number(thread), all: sum.all + Number(size) * Number(calls) });
      }
      const shares = (values: Iterable<number>) => [...values].map((v) => v.toFixed(9)).sort();
      const known = [...cells.values()].filter(({ all }) => all > 0);
      const given = lawsOf(path).flatMap(({ externalInput }) => externalInput ?? []);
      assert.ok(known.length > 20 && names.size > 20);
      assert.deepEqual(shares(given), shares(known.map(({ external, all }) => external / all)));
    });

test('a report by rms has none, and no column', () => {
  const [name] = readdirSync(join(FIXTURES, 'aprof/readlog-rms')).filter((n) => /\.aprof(\.gz)?$/.test(n));
  const path = join(FIXTURES, 'aprof/readlog-rms', name);
  assert.ok(lawsOf(path).every(({ externalInput }) => externalInput === null));
  assert.doesNotMatch(runWarm([path, '--print', 'curves']).out, /external/);
});
