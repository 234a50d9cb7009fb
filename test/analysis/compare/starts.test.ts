// Where routines start, for lines whose texts are not at hand.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { firstLines, lineMapsOf } from '../../../src/analysis/answers/compared/lines-of-files.ts';
import { compareProfiles } from '../../../src/analysis/profiles/compare/compare.ts';
import { speedscope } from '../../../src/formats/speedscope.ts';
import { loadProfile } from '../../../src/io/load.ts';
import type { Profile } from '../../../src/model/profile.ts';
import { stringAt } from '../../../src/model/strings.ts';
import { existing, FIXTURES } from '../../support/fixtures.ts';
import { loadText } from '../../support/load.ts';

const startsOf = async (...texts: string[]): Promise<number[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-starts-'));
  try {
    const paths = texts.map((_, i) => join(folder, `callgrind.out.1.${i + 1}`));
    texts.forEach((text, i) => {
      writeFileSync(paths[i], text);
    });
    return [...firstLines(await loadProfile(paths))];
  } finally {
    rmSync(folder, { recursive: true });
  }
};

test('without addresses, a routine starts at its first row: what is inlined into it may stand further up', async () => {
  assert.deepEqual(await startsOf('events: Ir\nfl=a.c\nfn=main\n20 7\n5 100\n+16 1\nfn=f\n0 1\n9 1\n8 1\n'), [20, 9]);
});

test('of parts, one that begins inside the routine has its first row further down', async () => {
  const part = (number: number, rows: string) => `pid: 1\npart: ${number}\nevents: Ir\nfl=a.c\nfn=main\n${rows}`;
  assert.deepEqual(await startsOf(part(1, '20 7\n25 1\n5 9\n'), part(2, '25 6\n6 1\n')), [20]);
});

test('with addresses, a routine starts at its first instruction', async () => {
  assert.deepEqual(await startsOf('positions: instr line\nevents: Ir\nfl=a.c\nfn=main\n0x20 5 1\n0x10 20 1\n'), [20]);
});

/** The lines of the base with rows, by file; and the map of each file. */
function* linesOf({ compared }: Profile): Generator<readonly [file: string, line: number, now: number]> {
  assert.ok(compared);
  const { now, before, fileSides } = compared;
  assert.ok(before.kind === 'callgraph' || before.kind === 'stacks');
  const { spans, lines } = before;
  const maps = lineMapsOf(now, before);
  const met = new Set<string>();
  for (let s = 0; s < spans.routine.length; s++) {
    const file = spans.file[s];
    if (file < 0 || fileSides[file] !== 3) continue;
    for (let i = spans.start[s]; i < spans.start[s + 1]; i++) {
      const line = lines.line[i];
      if (line === 0 || met.has(`${file} ${line}`)) continue;
      met.add(`${file} ${line}`);
      yield [stringAt(before.strings, before.files.name[file]), line, maps(file).now(line)];
    }
  }
}

const compared = (now: Profile, before: Profile) => compareProfiles(now, before, { pathMaps: [], renames: [], normalize: false });

test('Callgrind and Cachegrind order the rows of a routine in different ways: no line of one program moves', async () => {
  const [callgrind, cachegrind] = await Promise.all(
    ['callgrind', 'cachegrind'].map((tool) => loadProfile([existing(join(FIXTURES, `compare/v1/shop.${tool}.out`))])),
  );
  for (const both of [compared(callgrind, cachegrind), compared(cachegrind, callgrind)]) {
    const all = [...linesOf(both)];
    assert.ok(all.length > 2000);
    assert.deepEqual(
      all.filter(([, line, now]) => line !== now),
      [],
    );
  }
});

test('samples: of a file that stayed no line moves, of one with new lines at its top nearly all do', async () => {
  let found = 0;
  for (let seed = 11; seed <= 30; seed++) {
    let state = seed * 7919;
    const random = (below: number) => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return Math.floor((state / 2147483648) * below);
    };
    /** Samples of 20 routines in each of two files, of 16 lines each; `added`: lines at the top of the second. */
    const run = (added: number) => {
      const frames = Array.from({ length: 400 }, () => {
        const [k, file] = [random(20), random(2)];
        // A few lines of each routine are hot.
        const at = (7 * k + 5 * Math.floor(16 * (random(1000) / 1000) ** 3)) % 16;
        const line = 1 + 20 * k + at + (file === 1 ? added : 0);
        return { name: `f${file}_${k}`, file: file === 1 ? 'new.c' : 'old.c', line };
      });
      const samples = frames.map((_, k) => [k]);
      const profile = {
        type: 'sampled',
        name: 'p',
        unit: 'none',
        startValue: 0,
        endValue: 400,
        samples,
        weights: samples.map(() => 1),
      };
      const schema = { $schema: 'https://www.speedscope.app/file-format-schema.json' };
      return loadText(speedscope, JSON.stringify({ ...schema, shared: { frames }, profiles: [profile] }));
    };
    const all = [...linesOf(compared(await run(7), await run(0)))];
    const of = (name: string) => all.filter(([file]) => file.endsWith(name));
    assert.ok(of('old.c').length > 50);
    assert.deepEqual(
      of('old.c').filter(([, line, now]) => line !== now),
      [],
    );
    if (of('new.c').filter(([, line, now]) => now === line + 7).length > 0.9 * of('new.c').length) found++;
  }
  // The lines of a few samples may fit a neighbouring distance as well.
  assert.ok(found >= 18, `${found} of 20`);
});
