// Curves of two runs over each other: what the screen shows and what is printed.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { drawPanes } from '../../src/app/panes.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { aprofReport, type Called, pointsOf } from '../support/aprof.ts';
import { matchesGolden } from '../support/golden.ts';
import { type Player, play } from '../support/keys.ts';
import { long } from '../support/long.ts';
import { versus } from '../support/versus.ts';
import { runWarm } from '../support/warm.ts';

const dir = mkdtempSync(join(tmpdir(), 'proftui-curves-'));
after(() => rmSync(dir, { recursive: true }));

/** `sort` is called by `parse`, and by another routine of each run. */
function report(name: string, growth: (n: number) => number, count: number, first: number, other: string): string {
  const uneven = (n: number) => growth(n) * (1 + 0.03 * Math.sin(n * 7.3));
  const points = pointsOf(uneven, count, 10, first).map(([n, cost]): [number, number, number] => [
    n,
    cost,
    2 + ((n + first) % 3),
  ]);
  const sort: Called = { name: 'sort', points };
  const elsewhere: Called = { name: 'sort', points: pointsOf((n) => 9 * n, 8, 40, 5) };
  const main: Called = {
    name: 'main',
    points: [[1, 5]],
    calls: [
      { name: 'parse', calls: [sort] },
      { name: other, points: pointsOf((n) => 5 * n), calls: [elsewhere] },
    ],
  };
  const path = join(dir, `${name}.aprof`);
  writeFileSync(path, aprofReport([main]).replace('k 100', 'k 9000000'));
  return path;
}

const NOW = report('now', (n) => (n * n) / 2 + 8 * n, 30, 10, 'emit');
const OLD = report('old', (n) => 12 * n * Math.log2(n), 34, 20, 'drop');
const [now, old] = await Promise.all([loadProfile([NOW]), loadProfile([OLD])]);

const open = (of: Profile, base: Profile, width: number, height: number, ascii = false) =>
  play(of, { width, height, ascii, versus: versus(base) })
    .press('/')
    .type('sort')
    .press('enter', 'enter');
const shown = (player: Player) => toPlainText(drawScreen(player.state));
const body = (player: Player) => toPlainText(drawPanes(player.state));

test('points and laws of both runs, and a table of the sizes of either', () => {
  matchesGolden('views/curve-compared-80.txt', `${body(open(now, old, 80, 24))}\n`);
  const wide = open(now, old, 160, 30);
  matchesGolden('views/curve-compared-160.txt', `${body(wide)}\n`);
  assert.match(shown(wide), /sort: n² \(before n log n\)/);
  assert.match(shown(wide), /size 350: gone; before \d calls?, worst 34,671.*n log n says 35,\d{3}/);
  wide.press('k', 'k', 'k', 'k', 'k', 'left');
  assert.match(
    shown(wide),
    /size 290: 2 calls \(before 3\), worst 43,811 \(before 28,107\).*; n²\s+says 46,\d{3}, before n log n said 28,\d{3}/,
  );
  wide.press('g', 'j');
  assert.match(shown(wide), /size 10: new; 4 calls, worst 127/);
  wide.choose('predict the cost at any size').type('1000').press('enter');
  assert.match(shown(wide), /sort at 1,000: ≈54\d,\d{3} .* if it grows as n²; before ≈120,\d{3} by n log n|before ≈120/);
});

test('every plot has both runs: kinds, smoothed, in buckets, zoomed, by contexts', () => {
  const player = open(now, old, 120, 30);
  for (const kind of ['cost', 'frequency', 'variance', 'total', 'amortized', 'ratio']) {
    // Where no point of this run hides them.
    if (kind !== 'variance') assert.match(body(player), /○[\s\S]*○/, kind);
    assert.match(body(player), /before +Δ +Δ%/, kind);
    player.press('p');
  }
  player.choose('by 2^k').choose('on', 'o', 'average');
  assert.match(shown(player), /sort: n².* \(before .*\), buckets of 2\^k, smoothed/);
  assert.match(body(player), / 256 +46,966 +34,671 /);
  player.choose('off', 'o', 'average').choose('none', 'o', 'buckets').press('G', '+', '+');
  // At the right end, only the base has points, and the zoom goes that far.
  assert.match(body(player), /350 .*gone/);
  assert.match(shown(player), /zoomed/);
  player.press('0').choose('points of the next calling context, then of all');
  assert.match(shown(player), /sort in main → parse: n² \(before n log n\)/);
  player.choose('points of the next calling context, then of all');
  assert.match(shown(player), /sort in main → emit: n \(new\)/);
  assert.match(body(player), /before: no points/);
});

test('another fitted curve is that of both runs, and without one there is none', () => {
  const player = open(now, old, 100, 24);
  assert.match(body(player), /⠒ n² .*· n log n /);
  player.choose('power');
  assert.match(body(player), /⠒ n\^1\.\d\d .*○ before, · n\^1\.\d\d /s);
  player.choose('off', 'o', 'fitted');
  assert.match(body(player), /○ before\s*$/m);
  assert.doesNotMatch(body(player), /⠒/);
});

test('in ASCII the two runs are told apart as well', () => {
  const player = open(now, old, 100, 24, true);
  assert.match(body(player), /^[\x0a\x20-\x7e]*$/);
  assert.match(body(player), /\. n\^2 .* o before, - n log n/);
  assert.match(body(player), / o.*-.*o/);
});

test('a run against itself has no change, and a routine that is gone is all before', () => {
  assert.doesNotMatch(body(open(now, now, 160, 40)), /[+-]\d|new|gone/);
  // Growth has what this run measured; Routines has both.
  const gone = play(now, { width: 120, height: 30, versus: versus(old) })
    .press('routines', '/')
    .type('drop')
    .press('enter', 'curve');
  assert.match(shown(gone), /drop: gone \(before n\)/);
  assert.match(body(gone), /· n \(r² 1\.0000\)/);
  assert.match(body(gone), /200 +1,000 +gone/);
});

interface Printed {
  readonly before: { readonly worst: { readonly best: string }; readonly predicted: { readonly cost: number } };
  readonly worst: { readonly best: string };
  readonly rows: readonly ({ readonly [key: string]: unknown } & { readonly base: { readonly [key: string]: number } | null })[];
}
const print = (...args: string[]): Printed => JSON.parse(runWarm([...args, '--json']).out);

for (const view of ['curve', 'inputs'])
  long(`--print ${view}: each size of either run is one row, which has what it was`, () => {
    const args = ['--print', view, '--routine', 'sort'];
    const both = print(NOW, '--base', OLD, ...args);
    const [alone, before] = [print(NOW, ...args), print(OLD, ...args)];
    // What is now is as without a base.
    const ours = both.rows.filter((r) => r['state'] !== 'gone').map(({ base: _, state: __, ...row }) => row);
    assert.deepEqual(ours, alone.rows);
    const theirs = both.rows.flatMap(({ base, ...r }) => (base ? [[r['size'], base['calls'], base['sum'], base['max']]] : []));
    assert.deepEqual(
      theirs,
      before.rows.map((r) => [r['size'], r['calls'], r['sum'], r['max']]),
    );
    const states = new Set(both.rows.map((r) => r['state']));
    assert.deepEqual([...states].sort(), ['both', 'gone', 'new']);
    for (const row of both.rows.filter((r) => r['state'] === 'gone'))
      assert.deepEqual([row['calls'], row['sum'], row['max']], [0, 0, 0]);
    // The other way round, what is new is gone.
    const turned = print(OLD, '--base', NOW, ...args);
    const swap = { new: 'gone', gone: 'new', both: 'both' } as const;
    assert.deepEqual(
      turned.rows.map((r) => [r['size'], r['state']]),
      both.rows.map((r) => [r['size'], swap[r['state'] as keyof typeof swap]]),
    );
  });

test('--print inputs --contexts: contexts are matched by their paths', () => {
  const { rows } = print(NOW, '--base', OLD, '--print', 'inputs', '--routine', 'sort', '--contexts');
  const count = (context: number, state: string) => rows.filter((r) => r['context'] === context && r['state'] === state).length;
  assert.deepEqual([count(3, 'both'), count(3, 'new'), count(3, 'gone')], [29, 1, 5]);
  assert.deepEqual([count(5, 'new'), count(5, 'gone')], [8, 8], 'under emit they are new, under drop gone');
});

long('--print curve: both laws in the data, the text and the picture', () => {
  const args = ['--print', 'curve', '--routine', 'sort', '--at', '1000'];
  const both = print(NOW, '--base', OLD, ...args);
  assert.deepEqual([both.worst.best, both.before.worst.best], ['n2', 'nLogN']);
  assert.ok(Math.abs(both.before.predicted.cost / 120_000 - 1) < 0.1);
  const text = runWarm([NOW, '--base', OLD, ...args, '--limit', '5']).out;
  assert.match(text, /^\* measured {3}\. n²: /m);
  assert.match(text, /^○ before {5}· n log n: /m);
  assert.match(text, /^before: at 1,000: ≈120,\d{3} /m);
  assert.match(text, /^size +calls +worst +before +Δ +Δ%\n +5 +1 +45 +45 +0 +0\n +10 +4 +127 +new$/m);
  assert.match(runWarm([NOW, '--base', OLD, '--print', 'inputs', '--limit', '3', '--routine', 'sort']).out, /max before +Δ max/);
  const svg = runWarm([NOW, '--base', OLD, ...args.slice(0, 4), '--svg']).out;
  assert.match(svg, /sort: n² \(before n log n\)/);
  assert.match(svg, /stroke-dasharray[\s\S]*>before<\/text>/);
});
