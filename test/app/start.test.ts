// The first screen: what flags chose is there, and what the profile does not have is refused.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { drawScreen } from '../../src/app/draw.ts';
import type { StartOptions } from '../../src/app/first-state.ts';
import { openSession } from '../../src/app/start.ts';
import { type AppState, contextOf, openView } from '../../src/app/state.ts';
import { applyAnswer, update } from '../../src/app/update.ts';
import { ChoiceError } from '../../src/base/errors.ts';
import { FormatError } from '../../src/base/problem.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { viewsOf } from '../../src/views/index.ts';
import { existing, FIXTURES } from '../support/fixtures.ts';
import { versus } from '../support/versus.ts';

const profileOf = (path: string): Promise<Profile> => loadProfile([existing(join(FIXTURES, path))]);
const calls = await profileOf('callgrind/default.callgrind.out');
const threads = await loadProfile(
  ['-01', '-02', '-03'].map((n) => existing(join(FIXTURES, `callgrind/threads.callgrind.out${n}`))),
);
const instrs = await profileOf('callgrind/instr-jumps.callgrind.out');
const aprof = await profileOf('aprof/sorts/sorts_29651_0_4.aprof.gz');
const contexts = await profileOf('aprof/matrix-cct/matrix_29657_0_4.aprof.gz');
const log = await profileOf('ninja-log/tidepool-ninja-failing/.ninja_log');

const open = (profile: Profile, options: Partial<StartOptions>) => openSession(profile, { width: 120, height: 30, ...options });
const screen = (state: AppState) =>
  drawScreen(state)
    .map((line) => line.spans.map(([text]) => text).join(''))
    .join('\n');
const firstScreen = (profile: Profile, options: Partial<StartOptions>) => screen(open(profile, options)[0]);
const refuses = (profile: Profile, options: Partial<StartOptions>, message: RegExp) =>
  assert.throws(
    () => open(profile, options),
    (error) => error instanceof ChoiceError && message.test(error.message),
  );
const sort = (column: string, descending?: boolean) => ({ choices: { sort: { column, descending } } });

test('--sort: the order of the first view that has the column', () => {
  assert.match(firstScreen(calls, sort('calls')), /\[2 Routines\][\s\S]*▼calls[\s\S]*▶ +37,920.*isspace/);
  assert.match(firstScreen(calls, sort('calls', false)), /▲calls/);
  assert.match(firstScreen(calls, sort('routine')), /routine▲/);
  assert.match(firstScreen(calls, sort('count')), /\[3 Calls\].*of demo::Matrix/);
  for (const name of ['duration', 'durationMs', 'time'])
    assert.match(firstScreen(log, sort(name)), /\[\d Steps\][\s\S]*▼time/, name);
  assert.match(firstScreen(log, sort('start')), /▲start/);
  assert.match(firstScreen(aprof, sort('sizes')), /\[2 Growth\][\s\S]*▼/);
  refuses(calls, sort('nope'), /--sort nope: no such column; there are self, .*calls.*routine/);
  refuses(log, sort('inclusive'), /--sort inclusive: no such column; there are .*time, duration/);
});

test('every column that a view names for --sort orders rows, up and down', () => {
  const rowsOf = (state: AppState) => {
    const [view, context] = [openView(state), contextOf(state)];
    return Array.from({ length: view.rowCount(context) }, (_, row) => view.rowText(row, context)).join('\n');
  };
  let names = 0;
  let turned = 0;
  for (const profile of [calls, instrs, aprof, log]) {
    // Runs that a later one has replaced, too.
    const parts = `1-${profile.parts.length}`;
    const [state] = open(profile, { parts });
    for (const name of new Set(viewsOf(state.analysis).flatMap((view) => view.sortNames(contextOf(state))))) {
      const [up, down] = [false, true].map((descending) => rowsOf(open(profile, { parts, ...sort(name, descending) })[0]));
      names++;
      if (up !== down) turned++;
    }
  }
  // A column whose values are all the same has one order; Calls has no direction.
  assert.ok(names > 25 && turned >= 0.8 * names, `${turned} of ${names}`);
});

test('--event, --parts and --filter; a wrong event or part is refused', () => {
  refuses(calls, { event: 'nope' }, /--event nope: no such event; there are Ir/);
  refuses(calls, { parts: '2' }, /--parts 2: expected numbers from 1 to 1/);
  const total = (options: Partial<StartOptions>) => open(threads, options)[0].analysis.totals.total[0][0];
  const one = [1, 2, 3].map((n) => total({ parts: String(n) }));
  assert.equal(one[1], 40289);
  assert.equal(
    one.reduce((a, b) => a + b, 0),
    total({}),
  );
  assert.equal(total({ parts: '1,3' }), one[0] + one[2]);
  assert.match(firstScreen(calls, { filter: 'count_primes' }), /▶ +45,636/);
});

test('--routine: the cursor and the focus of all views are on it', () => {
  const [state] = open(calls, { routine: 'demo::count_primes' });
  assert.match(screen(state), /▶ +45,636 .*count_primes/);
  const inCalls = update(state, { type: 'digit', digit: '3' })[0];
  assert.match(screen(inCalls), /\[3 Calls\].*of demo::count_primes/);
  refuses(calls, { routine: 'no such' }, /--routine no such: the profile has no such routine/);
  refuses(calls, { routine: 'parse_' }, /fits \d+ routines:\n/);
  // An expression lists all that match, as with --print.
  const [several] = open(calls, { routine: '/parse_/' });
  assert.equal(several.view, 'routines');
  assert.match(screen(several), /parse_/);
  assert.equal(several.filter, '/parse_/');
  refuses(calls, { routine: '/parse_/', filter: 'x' }, /give one of them/);
});

test('--inverted, --contexts, --at and --disassemble open the view that they are about', () => {
  assert.match(firstScreen(calls, { choices: { inverted: true } }), /\[6 Tree\].*inverted|inverted[\s\S]*\[6 Tree\]/);
  const at = { choices: { at: 1000 }, routine: 'insertion_sort' };
  assert.match(firstScreen(aprof, at), /\[3 Curve\][\s\S]*insertion_sort at 1,000: ≈9[89]\d,\d{3}/);
  assert.match(firstScreen(contexts, { choices: { contexts: true }, routine: 'multiply' }), / in .*→[\s\S]*\[3 Curve\]/);
  // With no routine, the one under the cursor.
  assert.match(firstScreen(aprof, { choices: { at: 1000 } }), /\[3 Curve\][\s\S]* at 1,000: /);
  const [state, effects] = open(instrs, { choices: { disassemble: true }, routine: 'demo::count_primes' });
  assert.match(screen(state), /\[\d Instrs\]/);
  assert.deepEqual(effects, [{ type: 'disassemble', asked: false, routine: state.focus }]);
  const again = update(state, { type: 'none' })[1].filter(({ type }) => type === 'disassemble');
  assert.deepEqual(again, [], 'asked for once');
  refuses(calls, { choices: { disassemble: true } }, /--disassemble: the profile has no Instrs view/);
  refuses(log, { choices: { inverted: true } }, /--inverted: the profile has no Tree view/);
  refuses(calls, { choices: { at: 1 } }, /--at: the profile has no Curve view/);
  refuses(aprof, { choices: { contexts: true } }, /--contexts: the profile has no contexts/);
  for (const profile of [calls, log, aprof]) assert.doesNotThrow(() => open(profile, { versus: versus(profile) }));
  assert.throws(() => open(calls, { versus: versus(aprof) }), FormatError);
});

test('several flags at once: each has its effect where it belongs', () => {
  const [state] = open(calls, { choices: { inverted: true, sort: { column: 'calls', descending: undefined } }, filter: 'demo' });
  assert.match(screen(state), /\[6 Tree\].*inverted|inverted[\s\S]*\[6 Tree\]/);
  assert.match(screen(update(state, { type: 'digit', digit: '2' })[0]), /▼calls/);
});

test('parts that a later run has replaced are off, unless --parts names them', () => {
  const off = (parts?: string) => [...open(log, { parts })[0].analysis.partsOff];
  assert.deepEqual([off(), off('1-2'), off('1')], [[0], [], [1]]);
});

test('--by: a granularity that changes nothing is refused, with those that would', async () => {
  const samples = await profileOf('gperftools/symbolized.prof');
  const trace = await profileOf('trace-events/clang-time-trace/parse.json');
  const by = (grain: string) => ({ granularity: { name: grain, unknowns: 'object' } as const });
  refuses(trace, by('line'), /--by line: this profile can be grouped by routine, detail, file, /);
  refuses(samples, by('detail'), /--by detail: .* grouped by routine, line, address, file, object, directory, /);
  for (const grain of ['line', 'detail'] as const) refuses(log, by(grain), /this profile has no routines to group/);
  assert.equal(open(trace, by('detail'))[0].analysis.profile.granularity, 'detail');
  assert.equal(open(samples, by('line'))[0].analysis.profile.granularity, 'line');
  assert.equal(open(log, by('routine'))[0].granularity.name, 'routine');
});

test('a reload keeps parts off only while the parts are the same', () => {
  const [state] = open(log, { parts: '1' });
  const off = (profile: Profile) =>
    applyAnswer(state, { type: 'loaded', profile, derive: [], siblings: [], why: 'reloaded' })[0].analysis.partsOff;
  assert.deepEqual([...off({ ...log })], [1], 'as chosen');
  // Another run: the first two are old now.
  const [first, second] = log.parts;
  const parts = [first, { ...second, older: true }, { ...second, part: 3 }];
  assert.deepEqual([...off({ ...log, parts })], [0, 1]);
});
