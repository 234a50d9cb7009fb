// Go's text dumps and Austin's text. The fixtures are of ../shared/corpus/reports/sampled, with the answers of its README.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { austin } from '../../src/formats/austin.ts';
import { goText } from '../../src/formats/go-text.ts';
import type { Loader } from '../../src/formats/loader.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { stringAt } from '../../src/model/strings.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadText } from '../support/load.ts';

/** By routine: self and inclusive cost of an event. */
function costsOf(profile: Profile, event: string): Record<string, readonly [self: number, inclusive: number]> {
  const { totals } = analyse(profile, profile.events);
  const column = profile.events.find(({ name }) => name === event)?.terms[0]?.[1];
  assert.ok(column !== undefined, event);
  const rows = Array.from(totals.calls, (_, r) => [
    routineName(profile, r),
    [totals.self[column][r], totals.inclusive[column][r]] as const,
  ]);
  return Object.fromEntries(rows);
}

/** The labels of all stacks, `key=value`, with the first cost of their stacks. */
function labelsOf(profile: Profile): Record<string, number> {
  assert.ok(profile.kind === 'stacks' && profile.labels);
  const { set, start, key, value } = profile.labels;
  const found: Record<string, number> = {};
  for (const [row, s] of set.entries())
    for (let l = start[s]; l < start[s + 1]; l++) {
      const text = `${stringAt(profile.strings, key[l])}=${stringAt(profile.strings, value[l])}`;
      found[text] = (found[text] ?? 0) + profile.stacks.costs[0][row];
    }
  return found;
}

test('goroutines are counted by stack, with debug=1 and debug=2', async () => {
  for (const form of ['debug1', 'debug2']) {
    const profile = await loadProfile([join(FIXTURES, `go-text/goroutine_${form}.txt`)]);
    assert.equal(profile.format, 'go-text');
    const costs = costsOf(profile, 'goroutines');
    assert.deepEqual(costs['main.blocked'], [7, 7], form);
    assert.deepEqual(costs['main.main'], [0, 1], form);
    assert.deepEqual(profile.warnings, []);
  }
  const profile = await loadProfile([join(FIXTURES, 'go-text/goroutine_debug2.txt')]);
  assert.deepEqual(labelsOf(profile), { 'state=running': 1, 'state=chan receive': 7, 'created by=main.main': 7 });
});

test('contention is time by the clock of the file, and a mutex profile is scaled by its sampling period', async () => {
  const block = costsOf(await loadProfile([join(FIXTURES, 'go-text/block_debug1.txt')]), 'delay');
  assert.deepEqual(block['sync.(*Mutex).Lock'], [340_565_738, 340_565_738]);
  const counts = costsOf(await loadProfile([join(FIXTURES, 'go-text/mutex_debug1.txt')]), 'contentions');
  assert.deepEqual(counts['sync.(*Mutex).Unlock'], [79, 79]);
  const sampled = '--- mutex:\ncycles/second=1000000000\nsampling period=5\n300 2 @ 0x1\n#\t0x1\tf+0x1\t/a.go:1\n';
  const scaled = await loadText(goText, sampled);
  assert.deepEqual(costsOf(scaled, 'delay')['f'], [1500, 1500]);
  assert.deepEqual(costsOf(scaled, 'contentions')['f'], [10, 10]);
});

test('a crash is a dump of goroutines: states, waits, elided frames and lines of the program', async () => {
  const text = `panic: boom

goroutine 18 gp=0x1 m=3 mp=0x2 [select, 12 minutes, locked to thread]:
net/http.(*conn).serve(0xc000, {0x1, 0x2})
	/go/src/net/http/server.go:2009 +0x5f4
main.Map[...](...)
	/srv/map.go:7
...additional frames elided...
created by net/http.(*Server).Serve in goroutine 1
	/go/src/net/http/server.go:3285 +0x4b4

goroutine 19 [running]:
	goroutine running on other thread; stack unavailable

rax    0x0
`;
  const profile = await loadText(goText, text);
  assert.deepEqual(Object.keys(costsOf(profile, 'goroutines')), [
    'net/http.(*conn).serve',
    'main.Map[...]',
    '(frames elided)',
    'goroutine running on other thread; stack unavailable',
  ]);
  assert.deepEqual(labelsOf(profile), {
    'state=select': 1,
    'wait=12 minutes': 1,
    'created by=net/http.(*Server).Serve': 1,
    'state=running': 1,
  });
  assert.match(profile.warnings[0].found, /^"panic: boom", and 1 more line like it; left out$/);
});

test('labels of debug=1 are read, and a dump with fewer goroutines than it promises is cut', async () => {
  const text = 'goroutine profile: total 5\n2 @ 0x1 0x2\n# labels: {"kind":"worker"}\n#\t0x1\tf+0x1\t/a.go:1\n\n';
  const profile = await loadText(goText, text);
  assert.deepEqual(labelsOf(profile), { 'kind=worker': 2 });
  assert.equal(profile.cut?.expected, '5 goroutines, as the first line says');
  const whole = await loadText(goText, text.replace('total 5', 'total 2'));
  assert.equal(whole.cut, undefined);
});

test('stacks of a program without symbols have addresses as frames', async () => {
  const profile = await loadText(goText, 'threadcreate profile: total 3\n3 @ 0x43 0x7f\n');
  assert.deepEqual(costsOf(profile, 'threads'), { '0x43': [3, 3], '0x7f': [0, 3] });
});

test('Austin: functions with lines, processes and threads as labels, time and memory as events', async () => {
  for (const mode of ['wall', 'full']) {
    const profile = await loadProfile([join(FIXTURES, `austin/austin_${mode}.txt`)]);
    assert.equal(profile.format, 'austin');
    const costs = costsOf(profile, 'time');
    assert.deepEqual(costs, { work: [800, 800], '<module>': [0, 800], idle: [200, 200] });
    assert.deepEqual(labelsOf(profile), { 'process=100': 1000, 'thread=101': 800, 'thread=102': 200 });
    assert.equal(profile.events.find(({ name }) => name === 'time')?.unit, 'us');
    assert.ok(profile.kind === 'stacks');
    const { frames } = profile;
    const lines = Array.from(frames.line).filter((_, f) => routineName(profile, frames.routine[f]) === 'work');
    assert.deepEqual(lines, [40, 41]);
  }
  const full = await loadProfile([join(FIXTURES, 'austin/austin_full.txt')]);
  assert.deepEqual(costsOf(full, 'memory')['work'], [1024, 1024]);
  assert.deepEqual(costsOf(full, 'cpu')['work'], [500, 500]);
});

test('Austin: names with colons, other lines, other modes, and numbers that do not fit the mode', async () => {
  const text = '# austin: 3.6.0\n# mode: memory\nhello\nP1;T2;C:\\app\\run.py:<listcomp>:3 -40\n';
  const profile = await loadText(austin, text);
  assert.deepEqual(costsOf(profile, 'memory'), { '<listcomp>': [-40, -40] });
  assert.equal(profile.kind === 'stacks' && stringAt(profile.strings, profile.files.name[0]), 'C:\\app\\run.py');
  assert.match(profile.warnings[0].found, /^"hello"; left out$/);
  await assert.rejects(loadText(austin, `${text}P1;T2;a:b:1 1,2\n`), /:5: expected one number, found 1,2/);
  await assert.rejects(
    loadText(austin, '# austin: 3.6.0\n# mode: full\nP1;T2;a:b:1 7\n'),
    /samples of mode full, found 1 number/,
  );
});

test('both are known by their content, and folded stacks are not taken for them', () => {
  const detect = ({ detect: of }: Loader, text: string) => of(Buffer.from(text), 'x');
  assert.equal(detect(austin, 'P1;T0:2;a.py:f:1 5\nP1;T0:2;a.py:f:2 7\n'), 'yes');
  assert.equal(detect(austin, 'main;work 5\nmain;rest 7\n'), 'no');
  assert.equal(detect(goText, 'goroutine;work 5\n'), 'no');
  assert.equal(detect(goText, 'some text about goroutine 1 [running]:\n'), 'no');
});
