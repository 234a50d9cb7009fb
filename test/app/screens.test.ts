// Sessions replayed without a terminal, against screens that a person can read.

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { render } from 'ink-testing-library';
import { createElement } from 'react';
import { routineName } from '../../src/analysis/names/names.ts';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { initialState } from '../../src/app/first-state.ts';
import { keyLabel } from '../../src/app/keymap.ts';
import { panelRows } from '../../src/app/panels.ts';
import { drawPanes } from '../../src/app/panes.ts';
import { parseSession, SESSION_HEAD } from '../../src/app/session.ts';
import { cursorRoutine } from '../../src/app/state.ts';
import { applyAnswer, update } from '../../src/app/update.ts';
import { SessionError } from '../../src/base/errors.ts';
import { exporters } from '../../src/exports/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { Screen } from '../../src/tui/Screen.tsx';
import { unpack } from '../support/bundle.ts';
import { existing, namesIn, ROOT, readMaybeGz } from '../support/fixtures.ts';
import { foldedProfile } from '../support/folded.ts';
import { matchesGolden } from '../support/golden.ts';
import { type Player, play, pressIn } from '../support/keys.ts';
import { profileOf } from '../support/kinds.ts';
import { long, some } from '../support/long.ts';

// Paths as someone in the checkout would type them: screens show them.
process.chdir(ROOT);
const at = (name: string) => existing(join('fixtures', name));
const SOURCES = ['fixtures/callgrind'];
const screen = (player: Player) => toPlainText(drawScreen(player.state)) + '\n';
const body = (player: Player) => toPlainText(drawPanes(player.state)) + '\n';

/** Whole screens, tabs and keys included; of all other views the body is enough. */
const WHOLE: ReadonlySet<string> = new Set(['overview-80', 'overview-200', 'routines-80', 'routines-40', 'gantt-120']);

function matches(name: string, player: Player): void {
  if (WHOLE.has(name)) matchesGolden(`screens/${name}.txt`, screen(player));
  else matchesGolden(`views/${name}.txt`, body(player));
}

/** Builds are folders: their bundles are unpacked first. */
const BUILDS: [name: string, bundle: string, set: string, width: number, height: number, keys: string[]][] = [
  ['overview-build', 'mbedtls-ninja', 'build', 80, 24, ['overview']],
  ['gantt-120', 'tidepool-ninja-accumulated', 'build', 120, 20, []],
  ['gantt-40', 'tidepool-ninja-accumulated', 'build', 40, 10, [']', ']', '+']],
  ['gantt-zoomed', 'tidepool-ninja-failing', 'build', 100, 24, ['{o:go to the next failed step}', 'z', '{o:target}', 'right']],
  ['gantt-zero', 'edge', 'zero-durations', 80, 12, ['right', '+']],
  ['steps-120', 'tidepool-ninja-accumulated', 'build', 120, 24, ['steps', 'sort-next', 'j']],
  ['targets-100', 'tidepool-ninja-accumulated', 'build', 100, 24, ['targets']],
  ['targets-by-role', 'tidepool-ninja-accumulated', 'build', 80, 16, ['targets', '{o:role}']],
  ['waterfall-80', 'tidepool-ninja-accumulated', 'build', 80, 24, [':', '<waterfall view>', 'enter']],
  ['critical-100', 'tidepool-ninja-accumulated', 'build', 100, 30, ['critical', 'G']],
  ['load-100', 'tidepool-ninja-accumulated', 'build', 100, 12, ['utilization']],
  ['step-80', 'tidepool-ninja-accumulated', 'build', 80, 24, [']', ']', ']', 'enter']],
  ['step-hostile', 'edge', 'hostile-text', 80, 24, ['g', 'enter']],
];

/** Two events get columns: one that was recorded and one that is a sum. */
const SPACED = ['v', '<Bcm>', 'space', 'esc', 'v', '<L1m>', 'space', 'esc'];

/** name, profile, width, height, keys as pressIn() takes them. */
const SESSIONS: [name: string, file: string, width: number, height: number, keys: string[]][] = [
  ['routines-80', 'callgrind/default.callgrind.out', 80, 24, []],
  ['routines-200', 'callgrind/default.callgrind.out', 200, 40, ['{s:inclusive}', 'j', 'j']],
  ['routines-40', 'callgrind/default.callgrind.out', 40, 10, ['j']],
  ['routines-by-file', 'callgrind/default.callgrind.out', 80, 24, ['{o:file}', 'enter']],
  ['routines-by-class', 'callgrind/default.callgrind.out', 80, 24, ['{o:class}', '+']],
  ['routines-cycles-folded', 'callgrind/recs1.callgrind.out', 80, 24, ['{o:cycle}', '/', '<cycle>', 'enter', 'enter']],
  ['routines-templates', 'callgrind/default.callgrind.out', 120, 24, ['names', '&', '<Matrix>', 'enter']],
  ['routines-events', 'callgrind/cache-branch.callgrind.out', 160, 24, ['v', '<L1m>', 'space', 'esc']],
  ['calls-80', 'callgrind/default.callgrind.out', 80, 24, ['j', 'j', 'enter']],
  ['calls-percent-of-focus', 'callgrind/default.callgrind.out', 100, 24, ['enter', 'percent', 'percent']],
  ['graph-80', 'callgrind/default.callgrind.out', 80, 24, ['/', '<run_words>', 'enter', 'graph', 'j']],
  ['graph-200', 'callgrind/default.callgrind.out', 200, 60, ['/', '<run_words>', 'enter', 'graph', 'k']],
  ['graph-40', 'callgrind/default.callgrind.out', 40, 10, ['/', '<run_words>', 'enter', 'graph', 'j', 'l', 'j']],
  ['graph-cycle', 'callgrind/recs1.callgrind.out', 80, 24, ['graph', 'j', 'enter', 'j', 'enter']],
  ['tree-hot', 'callgrind/default.callgrind.out', 80, 24, ['tree', ']']],
  ['tree-inverted', 'callgrind/default.callgrind.out', 100, 24, ['tree', 'i', ']']],
  ['flame-80', 'callgrind/default.callgrind.out', 80, 24, ['flame', 'j', 'j', 'l']],
  ['flame-200', 'callgrind/default.callgrind.out', 200, 40, ['flame', '/', '<run_matrix>', 'enter', 'enter', 'j', '{o:object}']],
  ['flame-40', 'callgrind/default.callgrind.out', 40, 10, ['flame', '{o:object}', ']']],
  ['flame-inverted', 'gperftools/pie.prof', 100, 24, ['flame', 'i', 'j', '&', '<sort>', 'enter']],
  ['flame-contexts', 'aprof/sorts-cct/sorts_29653_0_4.aprof', 100, 24, ['flame', ']']],
  ['source-80', 'callgrind/instr-jumps.callgrind.out', 80, 24, ['/', '<count_pr>', 'enter', 'source']],
  ['source-whole-file', 'callgrind/default.callgrind.out', 100, 40, ['/', '<run_calc>', 'enter', 'source', '{o:on}']],
  ['source-missing', 'callgrind/default.callgrind.out', 80, 24, ['source', ']']],
  ['instrs-100', 'callgrind/instr-jumps.callgrind.out', 100, 30, ['/', '<count_pr>', 'enter', 'instrs']],
  ['instrs-files-100', 'callgrind/instr-jumps.callgrind.out', 100, 24, ['/', '<run_words>', 'enter', 'instrs']],
  ['instrs-files-80', 'callgrind/instr-jumps.callgrind.out', 80, 16, ['/', '<run_words>', 'enter', 'instrs']],
  ['lines-80', 'callgrind/cache-branch.callgrind.out', 80, 24, ['lines']],
  ['lines-40', 'callgrind/cache-branch.callgrind.out', 40, 10, ['lines', 'j', 'j']],
  [
    'lines-200',
    'callgrind/cache-branch.callgrind.out',
    200,
    24,
    // Only lines of the sources beside the profile, since headers of the system differ.
    ['lines', '&', '<file:src/>', 'enter', 'v', '<L1m>', 'space', 'esc', 'sort-next', 'sort-next'],
  ],
  ['lines-by-file', 'callgrind/cache-branch.callgrind.out', 100, 16, ['lines', '&', '<words>', 'enter', '<', 'reverse']],
  ['source-events-160', 'callgrind/cache-branch.callgrind.out', 160, 24, ['/', '<run_words>', 'enter', 'source', ...SPACED]],
  ['source-events-80', 'callgrind/cache-branch.callgrind.out', 80, 24, ['/', '<run_words>', 'enter', 'source', ...SPACED]],
  ['source-events-self', 'callgrind/cache-branch.callgrind.out', 80, 12, ['/', '<run_words>', 'enter', 'source', ...SPACED, 'c']],
  ['info', 'callgrind/combined-threads.callgrind.out', 100, 30, ['info']],
  ['info-part-off', 'callgrind/combined-threads.callgrind.out', 100, 30, ['info', '/', '<1  part>', 'enter', '+', 'routines']],
  ['cachegrind', 'cachegrind/heat.cachegrind.out', 100, 24, ['enter']],
  ['negative', 'cachegrind/diff.cachegrind.out', 100, 24, []],
  ['nothing', 'callgrind/nothing.callgrind.out', 80, 24, []],
  ['cut-off', 'callgrind/edge/i06-truncated-in-a-word.callgrind.out', 80, 24, ['info']],
  ['long-name', 'callgrind/edge/v39-long-name.callgrind.out', 80, 24, []],
  ['wide-counts', 'callgrind/edge/v24-counters-over-2-to-53.callgrind.out', 80, 24, []],
  ['samples-80', 'gperftools/symbolized.prof', 80, 24, []],
  ['samples-calls', 'gperftools/symbolized.prof', 100, 24, ['/', '<sort_all>', 'enter', 'enter']],
  ['samples-graph', 'gperftools/symbolized.prof', 80, 24, ['/', '<sort_all>', 'enter', 'graph']],
  ['samples-tree', 'gperftools/symbolized.prof', 80, 24, ['tree', ']']],
  ['samples-tree-inverted', 'gperftools/symbolized.prof', 80, 24, ['tree', 'i', ']']],
  ['samples-by-address', 'gperftools/symbolized.prof', 80, 24, ['u', 'u']],
  ['samples-info', 'gperftools/edge/v11-pcs-outside-all-mappings.prof', 80, 24, ['info']],
  ['samples-40', 'gperftools/symbolized.prof', 40, 10, ['u', '{s:inclusive}']],
  ['growth-80', 'aprof/sorts-cct/sorts_29653_0_4.aprof', 80, 24, []],
  ['growth-200', 'aprof/sorts-cct/sorts_29653_0_4.aprof', 200, 24, ['&', '<sizes>5 r2>0.99>', 'enter', 'sort-next', 'star']],
  ['growth-hidden', 'aprof/readlog-rms/readlog_29659_0_4.aprof', 120, 20, ['/', '<count_lines>', 'enter']],
  ['curve-120', 'aprof/sorts-cct/sorts_29653_0_4.aprof', 120, 30, ['/', '<insertion_sort>', 'enter', 'enter', 'left']],
  [
    'curve-80',
    'aprof/sorts-cct/sorts_29653_0_4.aprof',
    80,
    24,
    ['/', '<merge_sort>', 'enter', 'enter', '{o:all}', '{o:logarithmic sizes}', '{o:logarithmic costs}'],
  ],
  ['curve-40', 'aprof/sorts-cct/sorts_29653_0_4.aprof', 40, 10, ['/', '<merge_sort>', 'enter', 'enter']],
  [
    'curve-ratio',
    'aprof/sorts-cct/sorts_29653_0_4.aprof',
    100,
    20,
    ['/', '<merge_sort>', 'enter', 'enter', 'p', 'p', 'p', 'p', 'p'],
  ],
  [
    'curve-predict',
    'aprof/sorts-cct/sorts_29653_0_4.aprof',
    100,
    20,
    ['/', '<insertion_sort>', 'enter', 'enter', '{o:by 2^k}', '{o:predict the cost at any size}', '<1000>', 'enter'],
  ],
  ['contexts-tree', 'aprof/sorts-cct/sorts_29653_0_4.aprof', 100, 20, ['tree', ']']],
  [
    'context-curve',
    'aprof/matrix-cct/matrix_29657_0_4.aprof',
    100,
    20,
    ['/', '<multiply>', 'enter', 'enter', '{o:points of the next calling context, then of all}'],
  ],
  ['gantt-clang', 'trace-events/clang-time-trace/parse.json', 120, 20, []],
  ['gantt-ninja-log', 'ninja-log/mbedtls/.ninja_log', 120, 16, []],
  ['processes-100', 'build-trace/harbor.trace', 100, 24, ['j', 'j', 'j', 'j', 'j', 'j', 'j', 'right']],
  ['processes-filter', 'build-trace/harbor.trace', 80, 24, ['&', '<wave.c>', 'enter']],
  ['processes-40', 'build-trace/harbor.trace', 40, 10, ['j']],
  ['processes-hostile', 'build-trace/edge/control.trace', 80, 24, ['j', 'enter']],
  ['programs-80', 'build-trace/mbedtls-make.trace', 80, 24, ['programs']],
  ['compiles-100', 'build-trace/harbor.trace', 100, 24, ['compiles', 'j']],
  ['process-80', 'build-trace/harbor.trace', 80, 24, ['/', '<wave.c>', 'enter', 'enter']],
  ['flame-processes-80', 'build-trace/harbor.trace', 80, 24, ['flame', 'j', 'j', 'j', 'j']],
  ['flame-processes-40', 'build-trace/mbedtls-make.trace', 40, 10, ['flame', 'i']],
  ['trace-names', 'trace-events/clang-time-trace/parse.json', 100, 16, ['routines']],
  ['overview-80', 'callgrind/instr-jumps.callgrind.out', 80, 24, ['overview', 'g']],
  ['overview-200', 'callgrind/instr-jumps.callgrind.out', 200, 60, ['overview', 'g', 'j']],
  ['overview-40', 'callgrind/instr-jumps.callgrind.out', 40, 10, ['overview', 'g']],
  ['overview-heap', 'pprof/heap.pb.gz', 80, 24, ['overview', 'g']],
  ['overview-lines', 'cachegrind/demo.cachegrind.out', 80, 24, ['overview', 'g']],
  ['overview-growth', 'aprof/sorts-cct/sorts_29653_0_4.aprof', 80, 24, ['overview', 'g']],
  ['overview-processes', 'build-trace/harbor.trace', 80, 24, ['overview', 'g']],
];

for (const [name, file, width, height, keys] of SESSIONS) {
  test(`screen ${name}`, async () => {
    const player = play(await loadProfile([at(file)]), { width, height }, SOURCES);
    for (const key of keys) pressIn(player, key);
    matches(name, player);
  });
}

for (const [name, bundle, set, width, height, keys] of BUILDS) {
  test(`screen ${name}`, async () => {
    const player = play(await loadProfile([join(unpack(at(`cmake/${bundle}.json`).replace(/\.gz$/, '')), set)]), {
      width,
      height,
    });
    for (const key of keys) pressIn(player, key);
    matches(name, player);
  });
}

/** After every key, each screen is ASCII, and no wider than it would be otherwise. */
function drawsAscii(player: Player, keys: readonly string[]): void {
  for (const key of ['', ...keys]) {
    if (key !== '') pressIn(player, key);
    const drawn = screen(player);
    assert.match(drawn, /^[\x0a\x20-\x7e]*$/, key);
    assert.ok(drawn.split('\n').every((line) => line.length <= player.state.width));
    for (const row of panelRows(player.state))
      if (player.state.panel?.kind === 'help') assert.match(row.cells['keys'], /^[\x20-\x7e]*$/);
  }
}

long('with --ascii, every character of every screen is ASCII', async () => {
  for (const [, file, width, height, keys] of some(SESSIONS))
    drawsAscii(play(await loadProfile([at(file)]), { width, height, ascii: true }, SOURCES), [
      ...keys,
      '?',
      'esc',
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '8',
      '9',
    ]);
  for (const [, bundle, set, width, height, keys] of some(BUILDS)) {
    const profile = await loadProfile([join(unpack(at(`cmake/${bundle}.json`).replace(/\.gz$/, '')), set)]);
    drawsAscii(play(profile, { width, height, ascii: true }), [...keys, '1', '2', '3', '4', '5', '6', '7', '8', '9']);
  }
});

for (const file of namesIn(join(ROOT, 'test/sessions'), /\.jsonl$/)) {
  test(`recorded session ${file}`, async () => {
    const actions = parseSession(readFileSync(join(ROOT, 'test/sessions', file), 'utf8'));
    const profile = await loadProfile([at('callgrind/default.callgrind.out')]);
    let [state] = update(initialState(profile, { width: 80, height: 24 }), { type: 'none' });
    for (const action of actions) {
      [state] = update(state, action);
      drawPanes(state);
    }
    matchesGolden(`views/session-${file}.txt`, toPlainText(drawPanes(state)) + '\n');
  });
}

test('a session line that is no action is named', () => {
  assert.throws(
    () => parseSession(`${SESSION_HEAD}\n{"type":"none"}\nnonsense`),
    (e: unknown) => e instanceof SessionError && /line 3/.test(e.message),
  );
  for (const line of [
    '[1]',
    '{"type":"view","view":"nowhere"}',
    '{"type":"resize","width":"wide","height":2}',
    '{"type":"event"}',
  ])
    assert.throws(
      () => parseSession(`${SESSION_HEAD}\n${line}`),
      (e: unknown) => e instanceof SessionError && /line 2: expected an action/.test(e.message),
      line,
    );
});

test('sessions of other versions are refused', () => {
  for (const text of ['{"type":"none"}\n', '{"session":2}\n', '', '{"session":3}\n{"type":"none"}\n'])
    assert.throws(
      () => parseSession(text),
      (e: unknown) => e instanceof SessionError && /expected a session of version 5/.test(e.message),
    );
  assert.deepEqual(parseSession(`# of today\n${SESSION_HEAD}\n{"type":"none"}\n`), [{ type: 'none' }]);
});

test('the number of a view that the profile does not have says what is missing', async () => {
  const p = play(await loadProfile([at('callgrind/default.callgrind.out')]), { width: 80, height: 24 });
  p.press('9');
  assert.match(p.state.message!.text, /has 8 views: it has no instructions \(callgrind records them with --dump-instr=yes\)/);
  assert.equal(p.state.view, 'routines');
  assert.match(screen(p), /this profile has 8 views/);
});

test('Enter on a name of a trace shows what lies around it and in it', async () => {
  const p = play(await loadProfile([at('trace-events/clang-time-trace/parse.json')]), { width: 100, height: 20 });
  p.press('routines', 'enter');
  assert.equal(p.state.view, 'calls');
  assert.match(screen(p), /ExecuteCompiler|Frontend/);
  p.press('tree');
  assert.match(screen(p), /ExecuteCompiler/);
  p.press(':').type('compilers view').press('enter');
  assert.equal(p.state.view, 'compilers');
});

test('zooming into times that doubles cannot tell apart ends', async () => {
  const p = play(await loadProfile([at('trace-events/hand/odd-values.json')]), { width: 80, height: 24 });
  p.press('G', 'z', '+', '+', '+', '+');
  assert.equal(screen(p).split('\n').length, 25);
});

test('back and forward go where one was', async () => {
  const p = play(await loadProfile([at('callgrind/default.callgrind.out')]), { width: 80, height: 24 });
  p.press('j', 'enter');
  const first = p.state.focus;
  p.press('up', 'enter');
  assert.notEqual(p.state.focus, first);
  p.press('source', 'backspace', 'backspace');
  assert.deepEqual([p.state.view, p.state.focus], ['calls', first]);
  p.press('backspace');
  assert.equal(p.state.view, 'routines');
  p.press('backspace');
  assert.match(p.state.message!.text, /nowhere to go back/);
  p.choose('go forward again').choose('go forward again');
  assert.equal(p.state.view, 'calls');
  assert.notEqual(p.state.focus, first);
});

test('marks, filters, search and escape', async () => {
  const p = play(await loadProfile([at('callgrind/default.callgrind.out')]), { width: 80, height: 24 });
  p.press('j', 'j', 'm', 'a', 'G', "'", 'a');
  assert.match(screen(p), /▶ +502,345.*do_lookup_x/);
  p.press('/').type('no such thing').press('enter');
  assert.match(p.state.message!.text, /No match for ".*" in Routines/);
  p.press('&').type('matrix').press('enter');
  assert.match(screen(p), /12 of 576 routines/);
  p.press('&', 'ctrl-u').type('!matrix').press('enter');
  assert.match(screen(p), /564 of 576 routines/);
  p.press('&', 'ctrl-u').type('matrix').press('enter');
  p.press('&', 'ctrl-u').type('/(/').press('enter');
  assert.equal(p.state.message!.kind, 'error');
  assert.equal(p.state.filter, 'matrix');
  p.press('esc');
  assert.equal(p.state.filter, '');
  p.press('esc');
  assert.match(p.state.message!.text, /q goes back/);
  p.press('q', 'esc');
  assert.match(p.state.message!.text, /q quits/);
  assert.ok(!p.effects.includes('quit'));
  p.press('q');
  assert.ok(p.effects.includes('quit'));
});

test('a reload drops what a view cannot carry over: a context chosen in Curve', async () => {
  const path = at('aprof/matrix-cct/matrix_29657_0_4.aprof');
  const p = play(await loadProfile([path]), { width: 100, height: 20 });
  p.press('/').type('multiply').press('enter', 'enter').choose('points of the next calling context, then of all').press('right');
  assert.match(screen(p), /multiply in _start/);
  const routine = p.state.focus;
  // The same program, run again: its contexts are others, and fewer.
  for (const other of [path, at('aprof/sorts-cct/sorts_29653_0_4.aprof'), at('aprof/edge/01-every-tag.aprof')]) {
    const profile = await loadProfile([other]);
    const [state] = applyAnswer(p.state, { type: 'loaded', profile, derive: [], siblings: [], why: 'reloaded' });
    assert.equal(toPlainText(drawScreen(state)).split('\n').length, 20);
    if (other === path) assert.equal(state.focus, routine);
  }
});

test('after a reload, back does not lead to a view that the profile no longer has', async () => {
  const p = play(await loadProfile([at('callgrind/instr-jumps.callgrind.out')]), { width: 80, height: 24 });
  const reload = async (file: string) => {
    const profile = await loadProfile([at(file)]);
    [p.state] = applyAnswer(p.state, { type: 'loaded', profile, derive: [], siblings: [], why: 'reloaded' });
  };
  p.press('instrs', 'routines');
  await reload('callgrind/default.callgrind.out');
  p.press('backspace');
  assert.equal(p.state.view, 'routines');
  await reload('callgrind/instr-jumps.callgrind.out');
  assert.match(screen(p), /\[2 Routines\]/);
  // Of another kind, and back.
  for (const file of ['ninja-log/tidepool-ninja-failing/.ninja_log', 'aprof/edge/01-every-tag.aprof']) {
    await reload(file);
    p.press('3', 'backspace', 'backspace', 'routines');
    assert.equal(screen(p).split('\n').length, 25, file);
  }
});

test('a profile with lines left out says so in the title, and one that was cut off says that', async () => {
  for (const [file, sign] of [
    ['aprof/edge/10-unknown-tags.aprof', undefined],
    ['aprof/edge/17-negative.aprof', 'LINES LEFT OUT'],
    ['aprof/edge/18-truncated.aprof', 'CUT OFF'],
    ['callgrind/edge/i06-truncated-in-a-word.callgrind.out', 'CUT OFF'],
  ] as const) {
    const p = play(await loadProfile([at(file)]), { width: 100, height: 24 });
    const [title] = screen(p).split('\n');
    assert.deepEqual(/LINES LEFT OUT|CUT OFF/.exec(title)?.[0], sign, file);
    // Without a title line, the tabs have it.
    p.act({ type: 'resize', width: 80, height: 10 });
    assert.deepEqual(/LINES LEFT OUT|CUT OFF/.exec(screen(p).split('\n')[0])?.[0], sign, file);
  }
});

test('T chooses how names are shown, for all views, and the title says so', async () => {
  const player = play(await loadProfile([at('callgrind/default.callgrind.out')]), { width: 110, height: 24 });
  const screen = () => toPlainText(drawScreen(player.state));
  assert.match(screen(), / demo::collatz\(unsigned long\)/);
  player.press('names');
  assert.match(screen(), /no templates {2}Ir/);
  player.press('names');
  assert.match(screen(), /no parameters {2}Ir/);
  assert.match(screen(), / demo::collatz( |\n)/);
  player.press('/').type('collatz').press('enter', 'calls');
  assert.match(screen().split('\n').slice(0, 2).join('\n'), /of demo::collatz\b/);
  assert.match(screen(), /● demo::collatz( |\n)/);
  player.press('names');
  assert.match(screen(), /full names {2}Ir/);
  assert.match(screen(), /● demo::collatz\(unsigned long\)/);
});

test('the name under the cursor stands in full above the footer, and leaves most of the screen to the list', async () => {
  const long = await loadProfile([at('callgrind/default.callgrind.out')]);
  for (const [width, height, lines] of [
    [80, 24, 3],
    [40, 10, 2],
  ]) {
    const player = play(long, { width, height });
    const rows = () => toPlainText(drawScreen(player.state)).split('\n');
    for (let k = 0; k < 40; k++, player.press('j')) {
      const name = routineName(long, cursorRoutine(player.state));
      const shown = rows().slice(-1 - player.state.detailRows, -1);
      assert.ok(shown.length <= lines);
      assert.equal(rows().length, height);
      assert.ok(height - player.state.detailRows >= height / 2 + 2);
      const text = shown
        .map((line) => line.slice(1))
        .join('')
        .replaceAll(' ', '');
      if (name.length < lines * (width - 10)) assert.ok(text.startsWith(name.replaceAll(' ', '')), `${name}: ${text}`);
      else assert.ok(text.endsWith('…') || text.includes(name.replaceAll(' ', '')), text);
      assert.equal(rows().filter((line) => line.startsWith('▶')).length, 1);
    }
  }
});

test('an event of the user has a column and can be chosen', async () => {
  const p = play(await loadProfile([at('callgrind/cache-branch.callgrind.out')]), { width: 120, height: 24 });
  p.choose('a new one', 'v').type('CPI=CEst/Ir').press('enter');
  assert.equal(p.state.event, 'CPI');
  p.press('v').type('Dr').press('enter');
  assert.equal(p.state.event, 'Dr');
  p.press(':').type('column Dw').press('enter');
  assert.deepEqual(p.state.extraColumns, ['Dw']);
  p.choose('a new one', 'v').type('Bad=Nope').press('enter');
  assert.match(p.state.message!.text, /Nope is not recorded/);
});

test('effects: editor, clipboard, file, reload', async () => {
  const p = play(await loadProfile([at('callgrind/default.callgrind.out')]), { width: 80, height: 24 });
  p.press('e', 'y').choose('this view', 'E').type('out.txt').press('enter', 'R', 'ctrl-z');
  assert.deepEqual(
    p.effects.filter((e) => e !== 'source'),
    ['edit', 'copy', 'write', 'reload', 'suspend'],
  );
  p.press(':').type('merge').press('enter');
  assert.match(p.state.message!.text, /No other files of this run/);
});

test('the menu of E shows every form of an export with its ending', async () => {
  const p = play(await loadProfile([at('callgrind/default.callgrind.out')]), { width: 80, height: 24 });
  p.press('E');
  const { lastFrame, unmount } = render(createElement(Screen, { state: p.state, theme: { palette: undefined } }));
  const lines = (lastFrame() ?? '').replace(/ +/g, ' ');
  unmount();
  for (const { endings, name } of exporters) assert.ok(lines.includes(` ${name} ${endings[0]} `), `${name}: ${lines}`);
  // A name is typed before the ending.
  p.type('speedscope').press('enter', 'ctrl-u').type('mine');
  assert.equal(p.state.prompt?.text, 'mine.speedscope.json');
  assert.deepEqual(p.press('enter').effects.slice(-1), ['export']);
});

test('a form that cannot hold the profile says why, and asks for no name', async () => {
  const p = play(await loadProfile([join(unpack(at('cmake/tidepool-ninja-accumulated.json')), 'build')]), {
    width: 80,
    height: 24,
  });
  p.press('E').type('pprof');
  assert.match(panelRows(p.state)[0].cells['about'], /^no: build steps have no stacks/);
  p.press('enter');
  assert.equal(p.state.prompt, undefined);
  assert.match(p.state.message!.text, /^pprof: build steps have no stacks/);
});

test('help lists every key of the view, and narrows', async () => {
  const p = play(await loadProfile([at('callgrind/default.callgrind.out')]), { width: 100, height: 30 });
  p.press('?');
  const all = panelRows(p.state).length;
  assert.ok(all > 40);
  assert.ok(panelRows(p.state).some((r) => r.cells['keys'].includes(keyLabel('enter'))));
  p.press('end');
  assert.equal(p.state.panel?.row, all - 1);
  p.press('home');
  assert.equal(p.state.panel?.row, 0);
  p.type('sort');
  assert.ok(panelRows(p.state).length < all && panelRows(p.state).length >= 4);
  p.press('esc');
  assert.equal(p.state.panel, undefined);
});

test('the palette does what its row says', async () => {
  const p = play(await loadProfile([at('callgrind/default.callgrind.out')]), { width: 100, height: 30 });
  p.press(':').type('Tree view').press('enter');
  assert.equal(p.state.view, 'tree');
  p.press(':').type('Instrs view');
  const offered = panelRows(p.state).map(({ cells }) => cells.command);
  assert.ok(!offered.some((row) => row.startsWith('Instrs')), 'what the profile cannot show is not offered');
  p.press('esc');
});

test('q closes what Enter opened, the innermost first, goes to the Overview, and then quits; views chosen by key are no levels', async () => {
  const p = play(await loadProfile([at('callgrind/default.callgrind.out')]), { width: 100, height: 30 });
  const footer = () => toPlainText(drawScreen(p.state)).split('\n').at(-1) ?? '';
  p.press('j', 'j', 'tree', 'source', 'routines');
  const routine = cursorRoutine(p.state);
  assert.match(footer(), / q back$/);
  p.press('enter');
  assert.equal(p.state.view, 'calls');
  assert.match(footer(), / q back$/);
  const inner = p.state.focus;
  p.press('j', 'j', 'enter');
  assert.notEqual(p.state.focus, inner);
  p.press('info', 'q');
  assert.deepEqual([p.state.view, p.state.focus], ['calls', inner]);
  p.press('q');
  assert.deepEqual([p.state.view, cursorRoutine(p.state)], ['routines', routine]);
  p.choose('inclusive', 's').press('flame', 'j', 'enter');
  const zoomed = toPlainText(drawScreen(p.state));
  p.press('q');
  assert.notEqual(toPlainText(drawScreen(p.state)), zoomed);
  assert.equal(p.state.view, 'flame');
  p.press('q');
  assert.equal(p.state.view, 'overview');
  assert.match(footer(), / q quit$/);
  assert.notEqual(p.effects.at(-1), 'quit');
  p.press('q');
  assert.equal(p.effects.at(-1), 'quit');
});

test('a stranger finds a command by its word, or by that of another program', async () => {
  const p = play(await loadProfile([at('callgrind/default.callgrind.out')]), { width: 100, height: 30 });
  const first = {
    ...{
      sort: 's',
      focus: 'S',
      compare: 'B',
      diff: 'B',
      export: '',
      save: 'E',
      write: '',
      split: '|',
      pane: '|',
      quit: 'q ^C',
      exit: 'q ^C',
    },
    ...{ undo: '', help: '? F1', event: 'v', back: 'Bksp', search: '/', reload: 'R', copy: 'y' },
  };
  for (const [word, key] of Object.entries(first)) {
    p.press(':').type(word);
    assert.equal(panelRows(p.state)[0].cells['key'], key, word);
    p.press('esc');
  }
  p.press(':').type('nosuchthing').press('enter');
  assert.match(p.state.message?.text ?? '', /No match for "nosuchthing"/);
  assert.equal(p.state.panel, undefined);
});

test("a step's own trace opens from it, and Bksp goes back to where the build was left", async () => {
  const folder = join(unpack(at('cmake/tidepool-ninja-accumulated.json').replace(/\.gz$/, '')), 'build');
  const data = join(folder, '.cmake/instrumentation/v1/data');
  const name = readdirSync(data).find(
    (n) => n.startsWith('compile-') && /src\/parse\.cpp"/.test(readFileSync(join(data, n), 'utf8')),
  )!;
  const snippet = JSON.parse(readFileSync(join(data, name), 'utf8')) as Record<string, unknown>;
  mkdirSync(join(data, 'traces'));
  writeFileSync(join(data, 'traces/parse.json'), readMaybeGz('fixtures/trace-events/clang-time-trace/parse.json'));
  writeFileSync(join(data, name), JSON.stringify({ ...snippet, traceFile: 'traces/parse.json' }));
  const p = play(await loadProfile([folder]), { width: 100, height: 24 });
  p.press('steps', 'j', 'enter', 'enter');
  assert.match(p.state.message!.text, /no compiler trace for this step/);
  p.press('steps', '/').type('parse.cpp').press('enter', 'enter');
  const build = p.state;
  p.press('enter');
  assert.equal(p.effects.at(-1), 'open');
  const path = join(data, 'traces/parse.json');
  [p.state] = applyAnswer(p.state, { type: 'opened', notes: [], profile: await loadProfile([path]) });
  assert.equal(p.state.analysis.profile.format, 'trace-events');
  p.press('routines', 'backspace');
  assert.equal(p.state.analysis.profile.format, 'trace-events', 'first to the view before');
  p.press('backspace');
  assert.equal(p.state.analysis.profile.format, 'cmake');
  assert.equal(p.state.view, 'step');
  assert.equal(p.state.step, build.step);
  // A name that leads out of the folder is told, and opened by nobody.
  writeFileSync(join(data, name), JSON.stringify({ ...snippet, traceFile: '../../../../../../etc/passwd' }));
  const other = await loadProfile([folder]);
  assert.ok(other.warnings.some((w) => /etc\/passwd.*not opened/.test(w.found)));
  assert.ok(profileOf(other, 'steps').steps.trace.every((t) => t < 0));
});

test('of many profiles that are opened from each other, Backspace returns to the last seven and the first', async () => {
  const named = (name: string) => foldedProfile([[name, 1]]);
  const p = play(named('first'), { width: 80, height: 24 });
  for (let n = 1; n <= 20; n++) [p.state] = applyAnswer(p.state, { type: 'opened', notes: [], profile: named(`profile${n}`) });
  const names: string[] = [];
  for (let n = 0; n < 30; n++) {
    names.push(routineName(p.state.analysis.profile, 0));
    p.press('backspace');
  }
  const wanted = [...[20, 19, 18, 17, 16, 15, 14, 13].map((n) => `profile${n}`), 'first'];
  assert.deepEqual([...new Set(names)], wanted);
});

test('the title has no number that is cut, at any width', async () => {
  const p = play(await loadProfile([at('pprof/heap.pb.gz')]), { width: 80, height: 24 }).press('routines');
  for (let width = 30; width < 160; width++) {
    p.act({ type: 'resize', width, height: 24 });
    const [title] = toPlainText(drawScreen(p.state)).split('\n');
    assert.doesNotMatch(title, /\d…/, `${width}: ${title}`);
  }
});
