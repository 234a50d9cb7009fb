// The Ink components, drawn by Ink.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { render } from 'ink-testing-library';
import { loadProfile } from '../../src/io/load.ts';
import { keyName } from '../../src/tui/key-names.ts';
import { Chooser, Loading } from '../../src/tui/Loading.tsx';
import { Screen } from '../../src/tui/Screen.tsx';
import { styledLine } from '../../src/tui/theme.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { matchesGolden } from '../support/golden.ts';
import { play } from '../support/keys.ts';

const THEME = { color: false, dumb: true };

test('the screen has as many lines as the terminal, with a panel or without', async () => {
  const player = play(await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]), { width: 90, height: 24 });
  for (const keys of [[], ['?'], ['j', 'j']]) {
    player.press(...keys);
    const { lastFrame, unmount } = render(<Screen state={player.state} theme={THEME} />);
    assert.equal(lastFrame()!.split('\n').length, 24);
    unmount();
  }
});

for (const [name, keys] of [
  ['help', ['?']],
  ['events', ['v']],
  ['palette', [':', ...'hottest']],
] as const) {
  test(`panel ${name}`, async () => {
    const player = play(await loadProfile([join(FIXTURES, 'callgrind/cache-branch.callgrind.out.gz')]), {
      width: 80,
      height: 24,
    });
    player.press(...keys);
    const { lastFrame, unmount } = render(<Screen state={player.state} theme={THEME} />);
    // The tabs above it are of all views.
    matchesGolden(`panels/${name}.txt`, lastFrame()!.split('\n').slice(2, -2).join('\n') + '\n');
    unmount();
  });
}

test('progress and chooser', () => {
  const progress = { path: 'callgrind.out.1', bytes: 50 << 20, size: 200 << 20, routines: 1234, rows: 5_000_000 };
  const loading = render(
    <Loading state={{ paths: ['callgrind.out.1'], progress, startedMs: 0, nowMs: 1000 }} width={60} height={24} ascii />,
  );
  assert.match(loading.lastFrame()!, /25%/);
  assert.match(loading.lastFrame()!, /50\.0 MiB of 200 MiB, 50\.0 MiB\/s/);
  assert.match(loading.lastFrame()!, /q cancels/);
  const preview = {
    event: 'Ir',
    total: 4000,
    routines: [
      { name: 'hot\u001b[2J', self: 3000 },
      { name: '', self: 1000 },
    ],
  };
  loading.rerender(
    <Loading
      state={{ paths: ['callgrind.out.1'], progress: { ...progress, preview }, startedMs: 0, nowMs: 1000 }}
      width={60}
      height={24}
      ascii
    />,
  );
  assert.match(loading.lastFrame()!, / 3,000 +75\.00% {2}hot␛\[2J *\n +1,000 +25\.00% {2}\?\?\?/);
  loading.unmount();
  const found = ['a', 'b\u001b[2J'].map((path) => ({ path, format: 'callgrind', bytes: 1024, modifiedMs: 0 }));
  const chooser = render(<Chooser state={{ folder: '.', found, row: 1, nowMs: 60_000 }} width={60} height={10} ascii />);
  assert.match(chooser.lastFrame()!, />b␛\[2J +callgrind {2}1\.00 KiB {2}1 min ago/);
  chooser.unmount();
  const about = { what: 'build', hook: 'postBuild', steps: 12, durationMs: 1810, failed: true } as const;
  const kept = [{ path: 'build-2026-11-21.json.gz', format: 'cmake', bytes: 1, modifiedMs: 0, about }];
  for (const width of [80, 40]) {
    const list = render(<Chooser state={{ folder: '.', found: kept, row: 0, nowMs: 60_000 }} width={width} height={10} ascii />);
    assert.match(
      list.lastFrame()!,
      width < 70 ? /12 steps +1\.81s failed/ : /build +postBuild +12 steps +1\.81s failed +1 min ago/,
    );
    list.unmount();
  }
});

test('styles: none without colours but attributes, none at all on a dumb terminal', () => {
  const line = {
    spans: [
      ['12', 'hot', true],
      ['x', 'dim', true],
    ],
    cursor: true,
  } as const;
  assert.equal(styledLine(line, { color: true, dumb: false }), '\u001b[7;1;31m12\u001b[0m\u001b[7mx\u001b[0m');
  assert.equal(styledLine(line, { color: false, dumb: false }), '\u001b[7;1m12\u001b[0m\u001b[7mx\u001b[0m');
  assert.equal(styledLine(line, { color: false, dumb: true }), '12x');
});

test('key names', () => {
  const named = [
    [keyName('j', { name: 'j', sequence: 'j' }), 'j'],
    [keyName('G', { name: 'g', sequence: 'G', shift: true }), 'G'],
    [keyName(undefined, { name: 'down', sequence: '\u001b[B' }), 'down'],
    [keyName('\u0004', { name: 'd', ctrl: true }), 'ctrl-d'],
    [keyName('\r', { name: 'return' }), 'enter'],
    [keyName(' ', { name: 'space' }), 'space'],
    [keyName('\t', { name: 'tab', shift: true }), 'shift-tab'],
    [keyName('%', { sequence: '%' }), '%'],
    [keyName(undefined, { name: 'f1' }), 'f1'],
    [keyName('é', { sequence: 'é' }), 'é'],
    [keyName('x', { name: 'x', meta: true }), undefined],
  ];
  for (const [got, wanted] of named) assert.equal(got, wanted);
});
