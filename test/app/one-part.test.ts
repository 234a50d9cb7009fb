// One thread or part of several: by one key, and from the list of parts.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import { partsByCost } from '../../src/analysis/answers/part-columns.ts';
import { drawScreen } from '../../src/app/draw.ts';
import { perfScript } from '../../src/formats/perf-script/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { type Player, play } from '../support/keys.ts';
import { loadText } from '../support/load.ts';

const PATH = join(FIXTURES, 'callgrind/combined-threads.callgrind.out.gz');
const loaded = await loadProfile([PATH]);
/** By thread, the sum of its `totals:` lines. */
const totals = new Map<string, number>();
for (const part of gunzipSync(readFileSync(PATH))
  .toString('latin1')
  .split(/^(?=part: |thread: )/m)) {
  const thread = /^thread: (\d+)$/m.exec(part)?.[1];
  const total = /^totals: (\d+)/m.exec(part)?.[1];
  if (thread !== undefined && total !== undefined) totals.set(thread, (totals.get(thread) ?? 0) + Number(total));
}
const ordered = [...totals].sort((a, b) => b[1] - a[1]);

const start = () => play(loaded, { width: 100, height: 40 });
const total = ({ state }: Player) => state.analysis.totals.total[0][0];
const message = ({ state }: Player) => state.message?.text;

test('v shows one thread after the other, the most expensive first, and then all again', () => {
  assert.ok(ordered.length > 1);
  const player = start();
  const all = total(player);
  for (const [thread, cost] of ordered) {
    player.press('only-part');
    assert.deepEqual([message(player), total(player)], [`only thread ${thread}`, cost]);
  }
  player.press('only-part');
  assert.deepEqual([message(player), total(player), player.state.analysis.partsOff.size], ['all parts', all, 0]);
});

test('the row below goes the other way, so that any of four threads is two keys away', () => {
  const player = start();
  const all = total(player);
  for (const [thread, cost] of [...ordered].reverse()) {
    player.act({ type: 'only-part', part: -2 });
    assert.deepEqual([message(player), total(player)], [`only thread ${thread}`, cost]);
  }
  player.act({ type: 'only-part', part: -2 });
  assert.deepEqual([message(player), total(player)], ['all parts', all]);
  // A key forth, a key back.
  player.press('only-part').press('only-part').act({ type: 'only-part', part: -2 });
  assert.equal(message(player), `only thread ${ordered[0][0]}`);
});

test('Enter on a part in Info shows it alone, and again all', () => {
  const player = start().press('info');
  const lines = () => drawScreen(player.state).map((line) => line.spans.map(([text]) => text).join(''));
  const cursor = () => lines().find((line) => line.startsWith('▶')) ?? '';
  while (!/thread 2/.test(cursor())) player.press('j');
  const all = total(player);
  player.press('enter');
  assert.equal(player.state.analysis.partsOff.size, loaded.parts.length - 1);
  player.press('enter');
  assert.equal(total(player), all);
});

test('with one part, the key says that there is no other', async () => {
  const one = play(await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]), { width: 100, height: 40 });
  assert.match(message(one.press('only-part')) ?? '', /there is only one part/);
});

test('threads of perf script go by what they cost, though no line states it', async () => {
  const sample = (thread: number, period: number) => `app 7/${thread} 1.0: ${period} cycles:\n\t401000 burn+0x0 (/bin/app)\n\n`;
  const text = [sample(101, 10), sample(102, 900), sample(103, 300)].join('');
  const player = play(await loadText(perfScript, text), { width: 100, height: 40 });
  const shown = ['102', '103', '101'].map((thread) => [`only thread ${thread}`, message(player.press('only-part'))]);
  for (const [expected, said] of shown) assert.equal(said, expected);
});

test('threads of two processes with one number are two', async () => {
  const dump = (pid: number, thread: number, cost: number) =>
    `pid: ${pid}\nthread: ${thread}\nevents: Ir\nfn=main\n1 ${cost}\ntotals: ${cost}\n`;
  const text = (pid: number, cost: number) => `# callgrind format\n${dump(pid, 1, cost)}${dump(pid, 2, 5)}`;
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const paths = [7, 8].map((pid) => join(folder, `callgrind.out.${pid}`));
  for (const [k, path] of paths.entries()) writeFileSync(path, text(7 + k, k === 0 ? 100 : 900));
  const profile = await loadProfile(paths);
  rmSync(folder, { recursive: true });
  assert.deepEqual(
    partsByCost(profile).map(({ name }) => name),
    ['thread 1 of 8', 'thread 1 of 7', 'thread 2 of 7', 'thread 2 of 8'],
  );
});

test('Memory: Enter on the snapshot whose stacks are counted says so; stacks of several are not added', async () => {
  const player = play(await loadProfile([join(FIXTURES, 'massif/stages.massif.out')]), {
    width: 80,
    height: 24,
    view: 'snapshots',
  });
  const shown = () => player.state.analysis.profile.parts.filter((_, i) => !player.state.analysis.partsOff.has(i));
  const [peak] = shown();
  assert.equal(shown().length, 1);
  player.press('enter');
  assert.match(player.state.message?.text ?? '', /only its stacks are shown/);
  assert.deepEqual(shown(), [peak]);
  // Another snapshot takes its place.
  for (let k = 0; k < 20 && shown()[0] === peak; k++) player.press('k', 'enter');
  assert.equal(shown().length, 1);
  assert.notEqual(shown()[0], peak);
});

test('the title names the snapshot that is shown', async () => {
  const p = play(await loadProfile([join(FIXTURES, 'massif/words.massif.out')]), { width: 100, height: 30, view: 'snapshots' });
  const title = () =>
    drawScreen(p.state)[0]
      .spans.map(([text]) => text)
      .join('');
  assert.match(title(), / peak snapshot {2}inuse_space 106 KiB/);
  const before = p.state.view;
  // In the file, the detailed snapshots are 8, 17, 29, 46, 62 and 82.
  while (
    !/^▶ +17 /m.test(
      drawScreen(p.state)
        .map(({ spans }) => spans.map(([text]) => text).join(''))
        .join('\n'),
    )
  )
    p.press('up');
  p.press('enter');
  assert.equal(p.state.view, before);
  assert.match(title(), / snapshot 17 {2}inuse_space/);
});
