// Filters in slices: the same rows as at once, and as the words of the filter say.
import assert from 'node:assert/strict';
import test from 'node:test';
import { NameFilter } from '../../src/analysis/names/filtering.ts';
import { routineFile, routineName, routineObject } from '../../src/analysis/names/names.ts';
import { initialState } from '../../src/app/first-state.ts';
import { update } from '../../src/app/update.ts';
import { compileFilter, matchesAny } from '../../src/base/match.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadText } from '../support/load.ts';

const PATTERNS = ['malloc', 'strcp', 'ld', '/^_dl.*s$/', '!libc', '!/a/', 'mllc', 'dlrlct', 'qqqq', 'é', 'vfprintf c', '!', ''];

test('what a filter takes is what its matcher says, of names, files and objects', async () => {
  const profile = await loadProfile([`${FIXTURES}/callgrind/default.callgrind.out`]);
  const rows = Array.from(profile.routines.name.keys());
  const texts = (r: number) => [routineName(profile, r), routineFile(profile, r) ?? '', routineObject(profile, r) ?? ''];
  const order = Uint32Array.from(rows).reverse();
  const sizes = new Set<number>();
  for (const pattern of PATTERNS) {
    const matcher = compileFilter(pattern);
    const { literal } = matcher;
    const asItStands = literal && rows.some((r) => texts(r).some(literal));
    const expected = rows.filter((r) => (asItStands ? texts(r).some(literal) : matchesAny(matcher, texts(r))));
    const filtering = new NameFilter(profile, matcher);
    assert.ok(filtering.run(order, Number.POSITIVE_INFINITY));
    assert.deepEqual(
      rows.filter((r) => filtering.hit[r]),
      expected,
      pattern,
    );
    sizes.add(expected.length);
  }
  assert.ok(sizes.size > 5);
});

test('a filter that is not done says so, goes on, and ends with the same rows', async () => {
  const lines = ['events: Ir'];
  for (let i = 0; i < 50_000; i++) lines.push(`fn=(${i}) some::long::name_of_${i}(int)\n${i} ${i % 977}`);
  const profile = await loadText(callgrind, `${lines.join('\n')}\n`);
  const size = { width: 100, height: 30 };
  const filter = { type: 'command', name: 'filter', argument: 'sln77' } as const;
  const [whole] = update(initialState(profile, { ...size, view: 'routines' }), filter);
  let [state] = update(initialState(profile, { ...size, view: 'routines', timeBudgetMs: 0 }), filter);
  assert.ok(state.unfinished && !whole.unfinished);
  let slices = 0;
  for (; state.unfinished; slices++) [state] = update(state, { type: 'work' });
  assert.ok(slices > 20, `${slices} slices`);
  const { contextOf, openView } = await import('../../src/app/state.ts');
  const shown = (s: typeof state) => openView(s).draw(contextOf(s));
  assert.deepEqual(shown(state), shown(whole));
  // Keys are heard in between.
  let [other] = update(initialState(profile, { ...size, view: 'routines', timeBudgetMs: 0 }), filter);
  [other] = update(other, { type: 'escape' });
  assert.ok(!other.unfinished && other.filter === '');
});
