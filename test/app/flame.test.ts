// The flame graph on the screen: where keys lead, what a search says, and what a key costs the terminal.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { percentageBase } from '../../src/analysis/answers/analysis.ts';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { panelRows } from '../../src/app/panels.ts';
import { activeView, contextOf, cursorRoutine, eventOf, openView } from '../../src/app/state.ts';
import { formatPercent } from '../../src/base/units.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { eventValue } from '../../src/model/head.ts';
import { FrameWriter } from '../../src/tui/frame-writer.ts';
import { styledLine } from '../../src/tui/theme.ts';
import { existing, FIXTURES } from '../support/fixtures.ts';
import { type Player, play } from '../support/keys.ts';
import { loadText } from '../support/load.ts';
import { long } from '../support/long.ts';
import { fullStacks } from '../support/stacks.ts';
import { versus } from '../support/versus.ts';

const at = (name: string) => join(FIXTURES, name);
const screen = (p: Player) => toPlainText(drawScreen(p.state));
const message = (p: Player) => p.state.message?.text ?? '';
/** The lit box: its line with the name, without mark and filling. */
const lit = (p: Player) =>
  (
    drawScreen(p.state)
      .map((line) => line.spans.filter(([, , on]) => on).map(([text]) => text))
      .find((texts) => texts.length > 0) ?? []
  )
    .join('')
    .replace(/^▶/, '')
    .trim();
const demo = async (width = 120, height = 40) =>
  play(await loadProfile([at('callgrind/default.callgrind.out')]), { width, height }).press('flame', 'g');

test('down goes to the costliest frame, or back to where the cursor was; the ends of the way say so', async () => {
  const p = await demo();
  assert.equal(lit(p), 'ld-linux-x86-64.so.2+0x1ab70');
  p.press('j', 'l');
  assert.equal(lit(p), '(below main)');
  p.press('j', 'j', 'k', 'k', 'k');
  assert.equal(lit(p), 'ld-linux-x86-64.so.2+0x1ab70');
  p.press('down', 'down', 'down');
  assert.equal(lit(p), '(below main)');
  p.press('g', 'k');
  assert.match(message(p), /this is a root/);
  p.press('h');
  assert.match(message(p), /this is the first frame/);
  p.press('j', 'j', 'j', 'j', 'j', 'j', 'j', 'j', 'j', 'j');
  assert.match(message(p), /too narrow to show|calls nothing|recursion/);
});

test('Enter gives a frame the whole width; Bksp undoes that before it goes back, and Esc undoes all', async () => {
  const p = await demo();
  const first = screen(p);
  p.press('j', 'l', 'enter');
  assert.match(screen(p), /^[▶ ]\(below main\) *$/m);
  p.press('j', 'j', 'j', 'enter', 'backspace');
  assert.equal(activeView(p.state).id, 'flame');
  assert.match(screen(p), /^[▶ ]\(below main\) *$/m);
  p.press('backspace');
  assert.match(screen(p), /^ _dl_start/m);
  p.press('enter', 'j', 'enter', 'esc', 'g');
  assert.equal(screen(p), first);
  p.press('backspace');
  assert.equal(activeView(p.state).id, 'routines');
  p.press('flame', 'enter', 'enter');
  assert.match(message(p), /whole width already/);
});

test('a search says how many frames match and what they cost, each call once, as groups do', async () => {
  const p = await demo();
  p.press('/').type('_dl_').press('enter');
  const { analysis } = p.state;
  const { name } = analysis.profile.routines;
  const hit = (r: number) => new TextDecoder().decode(bytesOf(p, name[r])).toLowerCase().includes('_dl_');
  const groupOf = Int32Array.from(name.keys(), (r) => (hit(r) ? 0 : -1));
  const event = eventOf(p.state);
  const found = analysis.costing.groups({ groupOf, groups: 1, columns: event.terms.map(([, c]) => c) });
  assert.ok(found);
  const share = formatPercent(eventValue(event, found.costs, 0), percentageBase(analysis, event));
  assert.match(message(p), /^\d+ frames match, ≈?[\d.]+% of the total/);
  assert.ok(message(p).includes(`${found.estimated[0] === 1 ? '≈' : ''}${share} of the total`), message(p));
  const frames = Number(/^\d+/.exec(message(p))?.[0]);
  const seen = new Set<string>();
  for (let k = 0; k < frames; k++) {
    seen.add(`${p.state.views.get('flame')?.cursor(contextOf(p.state))} ${screen(p)}`);
    assert.match(lit(p), /_dl|…|^.?$/);
    p.press('n');
  }
  assert.match(message(p), /search wrapped around/);
});

function bytesOf({ state }: Player, id: number): Uint8Array {
  const { bytes, start } = state.analysis.profile.strings;
  return bytes.subarray(start[id], start[id + 1]);
}

test('what is too narrow to show is found by the search of the tree, and zoomed into', async () => {
  const p = await demo(80, 24);
  p.press('/').type('collatz_worker').press('enter');
  assert.match(lit(p), /collatz/);
  p.press('/').type('no such routine').press('enter');
  assert.match(message(p), /nothing in the tree matches no such routine/);
  const q = play(fullStacks(6, 5), { width: 40, height: 20 }).press('flame');
  assert.doesNotMatch(screen(q), /level_4/);
  q.press('/').type('level_4_routine_3').press('enter');
  assert.match(message(q), /too narrow to show/);
  assert.match(lit(q), /\S/);
});

test('a filter keeps every frame in its place, and dims what does not match', async () => {
  const p = await demo();
  const before = screen(p).split('\n').slice(2, 12);
  p.press('&').type('demo::').press('enter');
  assert.deepEqual(screen(p).split('\n').slice(2, 12), before);
  const spans = drawScreen(p.state).flatMap((line) => line.spans);
  assert.ok(spans.some(([text, style]) => text.includes('_dl_start') && style === 'rest'));
  assert.ok(spans.some(([text, style]) => text.includes('demo::') && style !== 'rest'));
});

test('the routine under the cursor is the one that other views show, and the other way round', async () => {
  const p = await demo();
  p.press('j', 'j', 'j');
  const routine = cursorRoutine(p.state);
  p.press('calls');
  assert.equal(p.state.focus, routine);
  p.press('routines', '/').type('do_lookup_x').press('enter', 'flame');
  assert.match(lit(p), /do_lookup_x/);
  p.press('i');
  assert.match(lit(p), /do_lookup_x/);
});

test('of two runs, boxes are as wide as this run, and a sign says what changed', async () => {
  const text = (a: number, b: number) =>
    `events: Ir\nfn=main\n1 10\ncfn=quicker_now\ncalls=1 1\n1 ${a}\ncfn=slower_now\ncalls=1 1\n1 ${b}\nfn=quicker_now\n1 ${a}\nfn=slower_now\n1 ${b}\n`;
  const now = await loadText(callgrind, text(400, 700));
  const before = await loadText(callgrind, text(600, 500));
  const p = play(now, { width: 80, height: 20, versus: versus(before) });
  for (const measure of ['', 'V']) {
    if (measure !== '') p.press(measure);
    p.press('flame');
    assert.match(screen(p), /[ ▶]\+ slower_now *[▏▶]- quicker_now/);
  }
  p.press('g', 'j');
  assert.match(screen(p), /700 63\.06%, self 63\.06%, \+18\.02% of the base/);
});

test('the cursor starts at the topmost own code; of two runs, at the own code that costs most more', async () => {
  const single = play(await loadProfile([at('callgrind/default.callgrind.out')]), { width: 80, height: 24, view: 'flame' });
  assert.equal(lit(single), 'main');
  const text = (a: number, b: number, c: number) =>
    `events: Ir\nfl=/home/u/a.c\nfn=main\n1 10\ncfn=one\ncalls=1 1\n1 ${a}\ncfn=two\ncalls=1 1\n1 ${b}\ncfn=three\ncalls=1 1\n1 ${c}\nfn=one\n1 ${a}\nfn=two\n1 ${b}\nfn=three\n1 ${c}\n`;
  const [now, before] = [await loadText(callgrind, text(700, 300, 420)), await loadText(callgrind, text(900, 200, 400))];
  assert.equal(lit(play(now, { width: 80, height: 20, view: 'flame', versus: versus(before) })), '+ two');
});

test('an event that is a ratio has no flame graph, and that is said', async () => {
  const p = play(await loadProfile([at('callgrind/cache-branch.callgrind.out.gz')]), { width: 100, height: 20 });
  p.press('flame', ':').type('derive CPI=CEst/Ir').press('enter');
  assert.match(screen(p), /CPI is a ratio: its parts do not add up to a whole; v chooses an event/);
  p.press('j', ']', 'enter', 'i');
  assert.match(message(p), /is a ratio/);
});

long('at any size there are as many lines as the screen has, none wider', async () => {
  const profiles = [
    await loadProfile([at('callgrind/default.callgrind.out')]),
    await loadProfile([at('callgrind/edge/v39-long-name.callgrind.out')]),
    await loadProfile([at('gperftools/symbolized.prof.gz')]),
  ];
  for (const profile of profiles)
    for (const [width, height] of [
      [1, 1],
      [2, 3],
      [5, 8],
      [40, 10],
      [80, 24],
      [133, 37],
      [250, 70],
    ])
      for (const ascii of [false, true]) {
        const p = play(profile, { width, height, ascii }).press('flame');
        for (const key of ['c', ']', 'enter', 'i', 'G', 'backspace']) {
          const lines = drawScreen(p.press(key).state);
          assert.equal(lines.length, height);
          for (const line of lines) assert.ok(line.spans.reduce((n, [text]) => n + [...text].length, 0) <= width);
        }
      }
});

test('a move writes less than 2 KB, a zoom less than 24 KB', async () => {
  for (const profile of [await loadProfile([at('callgrind/default.callgrind.out')]), fullStacks(5, 6)]) {
    const p = play(profile, { width: 200, height: 60 });
    const writer = new FrameWriter();
    const bytes = (key: string) => {
      p.press(key);
      const lines = drawScreen(p.state).map((line) => styledLine(line, { palette: 'dark' }));
      return Buffer.byteLength(writer.renderFrame(lines, 200, 60));
    };
    bytes('flame');
    for (const key of ['j', 'j', 'l', 'l', 'h', 'k', 'j', 'j', 'g', ']']) {
      const n = bytes(key);
      assert.ok(n < 2048, `${key}: ${n} bytes`);
    }
    for (const key of ['enter', 'backspace', 'k', 'k', 'enter', 'c', 'i']) {
      const n = bytes(key);
      assert.ok(n < 24_576, `${key}: ${n} bytes`);
    }
  }
});

test('with names of 700 characters, too, a move writes less than 2 KB', async () => {
  const types = (i: number) => Array.from({ length: 100 }, (_, k) => `t${(k * 7919 + i * 104_729) % 99_991}`).join(', ');
  const call = (i: number) => `cfn=f${i + 1}<${types(i + 1)}>(int)\ncalls=1 1\n1 ${(19 - i) * 10}\n`;
  const routines = Array.from({ length: 20 }, (_, i) => `fn=f${i}<${types(i)}>(int)\n1 10\n${i < 19 ? call(i) : ''}`);
  const p = play(await loadText(callgrind, `events: Ir\nfl=a.c\n${routines.join('')}`), { width: 200, height: 60 }).press(
    'flame',
  );
  const writer = new FrameWriter();
  const bytes = (key?: string) => {
    const lines = drawScreen((key ? p.press(key) : p).state).map((line) => styledLine(line, { palette: 'either' }));
    return Buffer.byteLength(writer.renderFrame(lines, 200, 60));
  };
  bytes();
  assert.equal(bytes(), 0);
  for (const key of ['j', 'j', 'j', 'k', 'j', 'j', 'j', 'k', 'k']) {
    const n = bytes(key);
    assert.ok(n < 2048, `${key}: ${n} bytes`);
  }
});

/** A trace as it is shown once its slices are a tree, whatever its Costing says of that today. */
async function trace(width: number, height: number): Promise<Player> {
  const p = play(await loadProfile([at('trace-events/clang-time-trace/parse.json.gz')]), { width, height });
  const { analysis } = p.state;
  const can = new Set([...analysis.costing.can, 'calls'] as const);
  p.state = { ...p.state, analysis: { ...analysis, costing: { ...analysis.costing, can } } };
  return p.act({ type: 'view', view: 'flame' });
}

test('slices of a trace stand where they were in time, track by track; the keys walk and zoom there', async () => {
  const p = (await trace(100, 24)).press('time');
  assert.match(screen(p), /in time order, showing/);
  const lines = () => drawScreen(p.state);
  const first = lit(p);
  assert.match(first, /^\w/);
  const seen = new Set([first]);
  for (const key of ['j', 'l', 'j', ']']) {
    p.press(key);
    seen.add(lit(p));
  }
  assert.ok(seen.size >= 4, [...seen].join());
  const before = screen(p);
  p.press('k', 'k', 'enter');
  assert.match(screen(p), /in time order, in /);
  for (const line of lines()) assert.ok(line.spans.reduce((n, [text]) => n + text.length, 0) <= 100);
  p.press('backspace');
  assert.equal(p.state.view, 'flame');
  assert.doesNotMatch(screen(p), /in time order, in /);
  assert.notEqual(before, '');
  p.press('i');
  assert.match(message(p), /only frames by cost can be inverted/);
  p.press('/').type('Frontend').press('enter');
  assert.match(lit(p), /Frontend/);
  p.press('time');
  assert.doesNotMatch(screen(p), /in time order/);
});

test('samples with times are calls in time, thread by thread; those without say so', async () => {
  const of = async (file: string) =>
    play(await loadProfile([join(FIXTURES, file)]), { width: 100, height: 24 }).act({ type: 'view', view: 'flame' });
  const p = (await of('speedscope/gil.speedscope.json')).press('time');
  assert.match(screen(p), /in time order, showing 420ms/);
  assert.match(screen(p), /spin +.count +.spin/);
  // The longest call inside; the one before it is of the other function.
  p.press('j', 'j');
  assert.equal(lit(p), 'count');
  p.press('h');
  assert.equal(lit(p), 'spin');
  assert.match(screen(p), /spin[^:]*: \d+(\.\d+)?ms from \d/);
  // Other views are about the routine of the call.
  p.press('calls');
  assert.match(screen(p), /● spin/);
  p.press('flame', 'time');
  assert.doesNotMatch(screen(p), /in time order/);
  assert.match(message((await of('folded/perf.folded')).press('time')), /no times of calls/);
  const threads = (await of('perf-script/two-events.perf.gz')).press('time');
  assert.match(screen(threads), /words \/ thread \d+/);
});

test('in time order, too, a move writes less than 512 bytes, and every size is kept', async () => {
  const p = await trace(200, 60);
  const writer = new FrameWriter();
  const bytes = (key: string) => {
    const lines = drawScreen(p.press(key).state).map((line) => styledLine(line, { palette: 'dark' }));
    return Buffer.byteLength(writer.renderFrame(lines, 200, 60));
  };
  bytes('time');
  for (const key of ['j', 'j', 'l', 'l', 'k', 'h', 'j', 'g']) {
    const n = bytes(key);
    assert.ok(n < 512, `${key}: ${n} bytes`);
  }
  assert.ok(bytes('enter') < 16_000);
  for (const [width, height] of [
    [1, 1],
    [3, 5],
    [40, 10],
    [250, 70],
  ]) {
    p.act({ type: 'resize', width, height });
    const lines = drawScreen(p.state);
    assert.equal(lines.length, height);
    for (const line of lines) assert.ok(line.spans.reduce((n, [text]) => n + text.length, 0) <= width);
  }
});

test('the rows of a menu apply while the cursor moves over them; Esc takes all back, Enter keeps the one', async () => {
  const p = await demo(80, 24);
  const picture = () => drawScreen(p.state).slice(0, 12);
  const before = picture();
  p.press('o');
  const rows = panelRows(p.state).map(({ cells }) => cells['choice']);
  assert.deepEqual(rows.slice(0, 4), ['* code', '  self', '  object', '  file']);
  const seen = rows.slice(0, 4).map((_, i) => {
    if (i > 0) p.press('down');
    assert.deepEqual(
      panelRows(p.state).map(({ cells }) => cells['choice']),
      rows,
      'the rows stay as they were',
    );
    return JSON.stringify(picture());
  });
  assert.equal(new Set(seen).size, 4, 'each colours another way');
  const plainRow = rows.indexOf('');
  p.act({ type: 'panel-move', by: plainRow - 3 });
  assert.deepEqual(picture(), before, 'a row that is no value tries nothing');
  p.press('up', 'esc');
  assert.deepEqual(picture(), before);
  p.press('o', 'down', 'down').type('self');
  assert.deepEqual(picture(), before, 'typed text only narrows');
  p.press('enter');
  assert.equal(JSON.stringify(picture()), seen[1]);
  assert.equal(p.state.panel, undefined);
});

test('sorting is tried, too, and Enter does not reverse what the menu has sorted', async () => {
  const p = (await demo(80, 24)).press('routines');
  const heading = () => /^.*▼.*$/m.exec(screen(p))?.[0].trim();
  assert.match(heading()!, /^▼self/);
  p.press('s', 'down');
  assert.match(heading()!, /▼incl/);
  p.press('esc');
  assert.match(heading()!, /^▼self/);
  p.press('s', 'down', 'enter');
  assert.match(heading()!, /▼incl/);
});

test('the hot path of deep recursion ends where a name still has room, unless it began below that', async () => {
  const deep = await loadProfile([existing(join(FIXTURES, 'pprof/cpu.pb.gz'))]);
  const p = play(deep, { width: 80, height: 24 }).press('flame', ']');
  const marked = () =>
    toPlainText(drawScreen(p.state))
      .split('\n')
      .find((line) => line.includes('▶')) ?? '';
  assert.match(marked(), /▶insert/);
  const before = p.state;
  p.press(']');
  assert.equal(openView(p.state).cursor(contextOf(p.state)), openView(before).cursor(contextOf(before)), 'it is the end');
  p.press('enter', ']');
  assert.notEqual(openView(p.state).cursor(contextOf(p.state)), openView(before).cursor(contextOf(before)), 'Enter makes room');
});
