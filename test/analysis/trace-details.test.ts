// What slices of a trace are about: shown with their names, and as routines of their own.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { activeSteps, isPath, recordedName, stepName, stepText } from '../../src/analysis/answers/steps/steps.ts';
import { granularitiesOf, regroup } from '../../src/analysis/profiles/granularity/stacks.ts';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import type { ProfileOf } from '../../src/model/profile.ts';
import { unpack } from '../support/bundle.ts';
import { existing, FIXTURES, readJson } from '../support/fixtures.ts';
import { type Player, play } from '../support/keys.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { long } from '../support/long.ts';
import { runWarm } from '../support/warm.ts';

const screen = (player: Player) => toPlainText(drawScreen(player.state));

const CLANG = join(FIXTURES, 'trace-events/clang-time-trace');

interface Truth {
  byName: Record<string, { count: number; totalUs: number; selfUs: number }>;
  longest: { name: string; us: number; detail: string }[];
}
const truth = readJson<Record<string, Truth>>(join(CLANG, 'truth.json'));

interface Slice {
  name: string;
  ts: number;
  dur: number;
  detail: string | undefined;
}

/** The slices of a trace, read without the program. */
function slicesOf(file: string): Slice[] {
  type Event = { ph: string; name: string; ts: number; dur: number; args?: { detail?: string; count?: number } };
  const { traceEvents } = readJson<{ traceEvents: Event[] }>(join(CLANG, file));
  return traceEvents
    .filter((e) => e.ph === 'X' && !(e.name.startsWith('Total ') && e.args?.count !== undefined))
    .map(({ name, ts, dur, args }) => ({ name, ts, dur, detail: args?.detail }));
}

/** Self time by name and detail: what of a slice is in none of those that lie directly inside it. Slow, and by definition. */
function slowSelf(slices: readonly Slice[]): Map<string, number> {
  const inside = (a: Slice, b: Slice) => a !== b && a.ts >= b.ts && a.ts + a.dur <= b.ts + b.dur && !(a.dur === b.dur);
  const out = new Map<string, number>();
  const add = (s: Slice, us: number) => {
    const key = `${s.name}\n${s.detail ?? ''}`;
    out.set(key, (out.get(key) ?? 0) + us);
  };
  for (const s of slices) {
    add(s, s.dur);
    let least: Slice | undefined;
    for (const t of slices) if (inside(s, t) && (!least || t.dur < least.dur)) least = t;
    if (least) add(least, -s.dur);
  }
  return out;
}

/** Name and detail of each routine, from one of its slices. */
function namedBy(profile: ProfileOf<'steps'>): Map<number, readonly [name: string, detail: string]> {
  const { routine } = profile.steps;
  const named = Array.from(routine.keys()).filter((i) => routine[i] >= 0);
  return new Map(named.map((i) => [routine[i], [recordedName(profile, i), stepText(profile, 'detail', i) ?? '']]));
}

for (const file of Object.keys(truth)) {
  test(`${file}: self times by detail add up to those by name`, async () => {
    const plain = profileOf(await loadProfile([existing(join(CLANG, file))]), 'steps');
    assert.deepEqual(granularitiesOf(plain), ['routine', 'detail']);
    const analysis = analysisOf(regroup(plain, { name: 'detail', unknowns: 'object' }), 'steps');
    const { profile, totals } = analysis;
    assert.deepEqual(checkProfile(profile), []);
    const sums = new Map<string, [number, number]>();
    for (const [r, [name]] of namedBy(profile)) {
      const [calls, self] = sums.get(name) ?? [0, 0];
      sums.set(name, [calls + totals.calls[r], self + totals.self[0][r]]);
    }
    const { byName } = truth[file];
    assert.deepEqual(
      Object.fromEntries([...sums].sort()),
      Object.fromEntries(
        Object.keys(byName)
          .map((n) => [n, [byName[n].count, byName[n].selfUs]] as const)
          .sort(),
      ),
    );
    assert.deepEqual(analysis.totals.total, analysisOf(plain, 'steps').totals.total);
  });
}

test('self time by detail is what a slow reference finds', async () => {
  const file = 'parse.json';
  const slices = slicesOf(file);
  const plain = await loadProfile([existing(join(CLANG, file))]);
  const { profile, totals } = analysisOf(regroup(plain, { name: 'detail', unknowns: 'object' }), 'steps');
  const mine = new Map([...namedBy(profile)].map(([r, names]) => [names.join('\n'), totals.self[0][r]]));
  const slow = slowSelf(slices);
  assert.ok(slow.size > 50, `${slow.size}`);
  assert.deepEqual(new Map([...mine].sort()), new Map([...slow].sort()));
});

test('a slice says what it is about: a file by its name, anything else in full', async () => {
  const profile = profileOf(await loadProfile([existing(join(CLANG, 'parse.json'))]), 'steps');
  const names = new Map(
    Array.from(activeSteps(analysisOf(profile, 'steps')), (i) => [profile.steps.durationUs[i], stepName(profile, i)]),
  );
  for (const { name, us, detail } of truth['parse.json'].longest)
    assert.equal(
      names.get(us),
      detail === '' ? name : `${name} ${/^[./]/.test(detail) ? detail.slice(detail.lastIndexOf('/') + 1) : detail}`,
    );
  for (const path of ['/usr/include/c++/12/vector', 'C:\\src\\a b.h', 'src/main.cpp', './x.h', '../y'])
    assert.ok(isPath(path), path);
  for (const text of ['Path::operator/', 'std::vector<int>', 'operator/(A, B)', 'main.cpp', 'folder/', '', '/'])
    assert.ok(!isPath(text), text);
});

test('builds have no details: steps of one target stay one target, and nothing is regrouped', async () => {
  const folder = join(unpack(join(FIXTURES, 'cmake/tidepool-ninja-accumulated.json')), 'build');
  const profile = profileOf(await loadProfile([folder]), 'steps');
  assert.ok(profile.steps.target.some((t) => t >= 0));
  assert.ok(profile.steps.detail.every((d) => d < 0));
  assert.deepEqual(granularitiesOf(profile), ['routine']);
  assert.equal(regroup(profile, { name: 'detail', unknowns: 'object' }), profile);
});

long('rows, headings and what is printed have the detail; JSON keeps name and target apart', async () => {
  const path = existing(join(CLANG, 'parse.json'));
  const p = play(await loadProfile([path]), { width: 80, height: 24 });
  p.press('steps', '/').type('Source vector').press('enter');
  assert.match(screen(p), /Source vector/);
  p.press('enter');
  assert.match(screen(p).split('\n').slice(0, 2).join(), /Source vector/, 'the heading of the step');
  p.press('gantt');
  assert.match(screen(p).split('\n').at(-2) ?? '', /Source vector/, 'what Gantt says of the step');
  p.press('routines', 'u');
  assert.match(screen(p), /by detail/);
  assert.match(screen(p), /Source basic_string\.h/);
  const text = runWarm([path, '--print', 'steps', '--filter', 'Source vector']).out;
  assert.match(text, /Source vector/);
  const { rows } = JSON.parse(runWarm([path, '--print', 'steps', '--json']).out) as { rows: { name: string; target: string }[] };
  assert.ok(rows.some((r) => r.name === 'Source' && r.target.endsWith('/vector')));
  const by = runWarm([path, '--print', 'routines', '--by', 'detail', '--json']).out;
  const routines = (JSON.parse(by) as { rows: { routine: string; file: string | null }[] }).rows;
  assert.ok(routines.some((r) => r.routine === 'Source vector' && r.file?.endsWith('/vector')));
  const wrong = runWarm([path, '--print', 'routines', '--by', 'line']);
  assert.deepEqual([wrong.code, wrong.out], [2, '']);
  assert.match(wrong.err, /--by line: this profile can be grouped by routine, detail/);
});
