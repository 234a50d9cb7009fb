// pprof's words on a profile of a Go program: flat and cum of every function are what go tool pprof says.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { routineName } from '../../../src/analysis/names/names.ts';
import { transformProfile } from '../../../src/analysis/profiles/transforms/apply.ts';
import { parseTransform } from '../../../src/analysis/profiles/transforms/transform.ts';
import { checkProfile } from '../../../src/model/check.ts';
import { FIXTURES, readMaybeGz } from '../../support/fixtures.ts';
import { analysisOf } from '../../support/kinds.ts';
import { readRaw, readTop } from '../../support/pprof-raw.ts';

const at = (name: string) => join(FIXTURES, 'pprof', name);
const whole = readRaw(readMaybeGz(at('cpu.raw.txt')).toString('utf8'));

const RUNS: readonly (readonly [file: string, transforms: readonly string[]])[] = [
  ['samples', []],
  ['focus-insert', ['focus=insert']],
  ['ignore-runtime', ['ignore=^runtime']],
  ['hide-runtime', ['hide=^runtime\\.']],
  ['show-main', ['show=^main\\.']],
  ['show_from-main', ['show-from=^main\\.']],
  ['prune_from-runtime', ['prune-from=^runtime\\.']],
];

for (const [file, words] of RUNS)
  test(`${words[0] ?? 'no word'}: every function costs what pprof says, of a total that stays`, () => {
    const profile = transformProfile(whole, words.map(parseTransform));
    assert.deepEqual(checkProfile(profile), []);
    const { totals } = analysisOf(profile, 'stacks');
    const found = new Map<string, [flat: number, cum: number]>();
    for (let r = 0; r < profile.routines.name.length; r++)
      found.set(routineName(profile, r), [totals.self[0][r], totals.inclusive[0][r]]);
    assert.equal(found.size, profile.routines.name.length, 'no two functions of one name');
    const text = readFileSync(at(`cpu.${file}.top.txt`), 'utf8');
    assert.deepEqual(new Map([...found].sort()), new Map([...readTop(text)].sort()));
    const [, shown, total] = /accounting for (\d+), .* of (\d+) total/.exec(text) ?? [];
    assert.equal(totals.total[0][0], Number(shown));
    assert.equal(totals.whole[0][0], Number(total));
  });
