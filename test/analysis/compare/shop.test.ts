// Two versions of one program against what other tools say of them: callgrind_annotate of each Callgrind file, cg_diff of the Cachegrind files.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../../src/analysis/answers/analysis.ts';
import { eventInMeasure } from '../../../src/analysis/answers/compared/measure.ts';
import { fileName, nameInData } from '../../../src/analysis/names/names.ts';
import { type CompareOptions, compareProfiles } from '../../../src/analysis/profiles/compare/compare.ts';
import { parseRename } from '../../../src/analysis/profiles/compare/renames.ts';
import { loadProfile } from '../../../src/io/load.ts';
import { eventValue, type Measure } from '../../../src/model/head.ts';
import { existing, FIXTURES, readJson } from '../../support/fixtures.ts';
import { PLAINLY } from '../../support/versus.ts';

const FOLDER = join(FIXTURES, 'compare');

async function shop(tool: 'callgrind' | 'cachegrind', options: Partial<CompareOptions> = {}): Promise<Analysis> {
  const [before, now] = await Promise.all(['v1', 'v2'].map((v) => loadProfile([existing(join(FOLDER, v, `shop.${tool}.out`))])));
  const profile = compareProfiles(now, before, { ...PLAINLY, ...options });
  return analyse(profile, profile.events);
}

interface Truth {
  readonly events: readonly string[];
  readonly totals: { readonly before: readonly number[]; readonly after: readonly number[] };
  readonly self: Readonly<
    Record<string, { readonly before: readonly number[] | null; readonly after: readonly number[] | null }>
  >;
  readonly new: readonly string[];
  readonly gone: readonly string[];
}

const truth = readJson<Truth>(join(FOLDER, 'truth.json'));
/** callgrind_annotate knows code without symbols by its address, which is one routine an object here. */
const nameless = (name: string) => /^0x|^\[|^\?\?\?$/.test(name);

/** Self costs by name, event by event; code without symbols is one name. */
function costsByName(analysis: Analysis, measure: Measure): Map<string, number[]> {
  const out = new Map<string, number[]>();
  for (const r of analysis.totals.calls.keys()) {
    const name = nameInData(analysis.profile, r);
    const key = nameless(name) ? 'nameless' : name;
    const values = analysis.events.map((event) => eventValue(eventInMeasure(analysis, event, measure), analysis.totals.self, r));
    out.set(
      key,
      (out.get(key) ?? values.map(() => 0)).map((v, i) => v + values[i]),
    );
  }
  return out;
}

test('self costs before and now, of every routine in every event, as callgrind_annotate has them', async () => {
  const analysis = await shop('callgrind');
  assert.deepEqual(
    analysis.events.map((e) => e.name),
    truth.events,
  );
  const wanted = (side: 'before' | 'after') => {
    const out = new Map<string, number[]>();
    const zeros = truth.events.map(() => 0);
    for (const [name, costs] of Object.entries(truth.self)) {
      const key = nameless(name) ? 'nameless' : name;
      const known = out.get(key) ?? zeros;
      out.set(
        key,
        known.map((v, i) => v + (costs[side]?.[i] ?? 0)),
      );
    }
    return out;
  };
  const sorted = (map: ReadonlyMap<string, readonly number[]>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  assert.deepEqual(sorted(costsByName(analysis, 'before')), sorted(wanted('before')));
  assert.deepEqual(sorted(costsByName(analysis, 'now')), sorted(wanted('after')));
  // The summary of each file is what percentages are of.
  for (const [i, event] of analysis.events.entries()) {
    assert.equal(eventValue(eventInMeasure(analysis, event, 'now'), analysis.totals.whole, 0), truth.totals.after[i], event.name);
    assert.equal(
      eventValue(eventInMeasure(analysis, event, 'before'), analysis.totals.whole, 0),
      truth.totals.before[i],
      event.name,
    );
  }
});

test('what is new and gone, as callgrind_annotate has it; with --rename, neither stem nor normalize', async () => {
  const alone = (analysis: Analysis, side: number) => {
    const sides = analysis.profile.compared?.routineSides ?? new Uint8Array(0);
    return Array.from(sides.keys())
      .filter((r) => sides[r] === side)
      .map((r) => nameInData(analysis.profile, r))
      .sort();
  };
  const plain = await shop('callgrind');
  const named = (names: readonly string[]) => names.filter((name) => !nameless(name)).sort();
  assert.deepEqual(alone(plain, 1), named(truth.new));
  assert.deepEqual(alone(plain, 2), named(truth.gone));
  const renamed = await shop('callgrind', { renames: [parseRename('normalize=stem')] });
  assert.deepEqual(
    alone(renamed, 1),
    named(truth.new).filter((name) => !name.startsWith('stem(')),
  );
  assert.deepEqual(
    alone(renamed, 2),
    named(truth.gone).filter((name) => !name.startsWith('normalize(')),
  );
});

test('Cachegrind: the difference of every file and routine is that of cg_diff', async () => {
  const path = (file: string | null) => (file ?? '???').replace(/v[12]/, 'vN');
  const theirs = await loadProfile([existing(join(FOLDER, 'shop.cg_diff.out'))]);
  const wanted = analyse(theirs, theirs.events);
  const analysis = await shop('cachegrind');
  const sums = (of: Analysis, measure: Measure) => {
    const out = new Map<string, Map<string, number>>();
    for (const r of of.totals.calls.keys()) {
      const { file, costs } = of.costing.lines({ routine: r });
      for (const [i, f] of file.entries()) {
        const key = `${path(fileName(of.profile, f))} ${nameInData(of.profile, r)}`;
        const row = out.get(key) ?? new Map<string, number>();
        for (const event of of.events)
          row.set(event.name, (row.get(event.name) ?? 0) + eventValue(eventInMeasure(of, event, measure), costs, i));
        out.set(key, row);
      }
    }
    return out;
  };
  const [ours, others] = [sums(analysis, 'delta'), sums(wanted, 'now')];
  let compared = 0;
  for (const [key, row] of others) {
    // Code without symbols is one routine here.
    if (nameless(key.slice(key.lastIndexOf(' ') + 1))) continue;
    for (const [event, value] of row) {
      assert.equal(ours.get(key)?.get(event), value, `${key}: ${event}`);
      compared++;
    }
  }
  assert.ok(compared > 3000, `${compared} numbers`);
  const total = (of: Analysis, event: string, measure: Measure) =>
    eventValue(eventInMeasure(of, of.events.find((e) => e.name === event) ?? of.events[0], measure), of.totals.total, 0);
  for (const { name } of analysis.events) assert.equal(total(analysis, name, 'delta'), total(wanted, name, 'now'), name);
});
