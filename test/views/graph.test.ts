// Graph: what its boxes say is what the edges say, and it stays within its bounds at any size.
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { costliestRoutine, edgesAround, type Neighbour, neighboursOf } from '../../src/analysis/answers/neighbours.ts';
import { objectName, routineName } from '../../src/analysis/names/names.ts';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { drawPanes } from '../../src/app/panes.ts';
import { printCommand } from '../../src/app/print-command.ts';
import { contextOf, cursorRoutine, openView } from '../../src/app/state.ts';
import { FormatError } from '../../src/base/problem.ts';
import { cellWidth } from '../../src/base/text.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { eventValue } from '../../src/model/head.ts';
import { questionsOf } from '../../src/model/profile.ts';
import { placeBoxes } from '../../src/pictures/graph-layout.ts';
import { existing, FIXTURES } from '../support/fixtures.ts';
import { type Player, play } from '../support/keys.ts';
import { loadText } from '../support/load.ts';
import { LOADED_PLAINLY } from '../support/loaded-with.ts';
import { long, most, some } from '../support/long.ts';
import { versus } from '../support/versus.ts';
import { runWarm } from '../support/warm.ts';

const at = (name: string) => existing(join(FIXTURES, name));
const DEFAULT = 'callgrind/default.callgrind.out';
const body = ({ state }: Player) => toPlainText(drawPanes(state));

/** Profiles of the fixtures that have calls, all of them in `npm run test:long`. */
async function* withCalls(): AsyncGenerator<readonly [name: string, analysis: Analysis]> {
  const inputs = /\.(prof|aprof)(\.gz)?$|\.out(\.gz|-\d+|\.\d+)?$|time-trace\/.*\.json(\.gz)?$/;
  const names = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }).filter((name) => inputs.test(name));
  for (const name of some(names)) {
    const path = join(FIXTURES, name);
    if (statSync(path).size > 150_000) continue;
    try {
      const profile = await loadProfile([path]);
      if (questionsOf(profile).has('calls')) yield [name, analyse(profile, profile.events)];
    } catch (error) {
      // Some are made to be refused.
      assert.ok(error instanceof FormatError, `${name}: ${error}`);
    }
  }
}

long('of every fixture, callers and callees are the edges into and out of a routine, the costliest first', async () => {
  let profiles = 0;
  for await (const [name, analysis] of withCalls()) {
    const { edges, profile } = analysis;
    const [event] = analysis.events;
    if (!event) continue;
    profiles++;
    const all = Array.from(edges.caller.keys());
    const step = Math.max(1, Math.floor(profile.routines.name.length / 20));
    for (let r = 0; r < profile.routines.name.length; r += step) {
      for (const [way, near, far] of [
        ['callers', edges.callee, edges.caller],
        ['callees', edges.caller, edges.callee],
      ] as const) {
        const expected = all.filter((e) => near[e] === r);
        const found = neighboursOf(analysis, event, r, 0, way);
        assert.deepEqual(
          found.flatMap((n) => n.edges).sort((a, b) => a - b),
          expected,
          `${name}: ${way} of ${r}`,
        );
        for (const n of found) {
          assert.equal(n.edges.length, 1);
          assert.equal(far[n.edges[0]], n.routine);
          assert.equal(n.value, eventValue(event, edges.costs, n.edges[0]));
        }
        for (let i = 1; i < found.length; i++) assert.ok(Math.abs(found[i - 1].value) >= Math.abs(found[i].value), name);
      }
      const around = edgesAround(analysis, event, r);
      const levels = (level: number) => new Set(around.filter((g) => g.level === level).map((g) => g.edge));
      const callers = new Set(all.filter((e) => edges.callee[e] === r).map((e) => edges.caller[e]));
      const callees = new Set(all.filter((e) => edges.caller[e] === r).map((e) => edges.callee[e]));
      assert.deepEqual(levels(-1), new Set(around.filter((g) => edges.callee[g.edge] === r && g.level < 0).map((g) => g.edge)));
      assert.equal(levels(-1).size, all.filter((e) => edges.callee[e] === r).length);
      assert.equal(levels(1).size, all.filter((e) => edges.caller[e] === r).length);
      const far = (of: Uint32Array, near: ReadonlySet<number>) => all.filter((e) => of[e] !== r && near.has(of[e]));
      assert.deepEqual(
        [...levels(-2)].sort((a, b) => a - b),
        far(edges.callee, callers),
        name,
      );
      assert.deepEqual(
        [...levels(2)].sort((a, b) => a - b),
        far(edges.caller, callees),
        name,
      );
      assert.equal(around.length, levels(-2).size + levels(-1).size + levels(1).size + levels(2).size, 'an edge once a side');
    }
  }
  assert.ok(profiles > most(50), `${profiles} profiles`);
});

test('of two runs, the costliest routine is the most changed one', async () => {
  const [now, old] = await Promise.all([loadText(callgrind, shop(900, 1, 500)), loadText(callgrind, shop(100, 7))]);
  const p = play(now, { width: 80, height: 24, versus: versus(old) });
  const c = contextOf(p.state);
  assert.equal(routineName(c.analysis.profile, costliestRoutine(c.analysis, c.event)), 'main');
});

const list = (values: readonly number[]): Neighbour[] =>
  [...values].sort((a, b) => Math.abs(b) - Math.abs(a)).map((value, i) => ({ routine: i, edges: [i], value }));

test('boxes of a level stand side by side, the chosen one among them, the costlier the wider; what has no room is summed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.integer({ min: -1000, max: 1_000_000 }), fc.constantFrom(0, Infinity)), {
        minLength: 1,
        maxLength: 60,
      }),
      fc.nat(),
      fc.integer({ min: 0, max: 2_000_000 }),
      fc.integer({ min: 1, max: 220 }),
      (values, pick, whole, width) => {
        const boxes = list(values);
        const chosen = pick % boxes.length;
        const places = placeBoxes(boxes, chosen, whole, width);
        let end = -1;
        for (const { x, width: w } of places) {
          assert.ok(x > end || (x === 0 && end === -1), JSON.stringify(places));
          assert.ok(w >= 1 && x + w <= width, JSON.stringify(places));
          end = x + w - 1;
        }
        const shown = places.filter((p) => p.index >= 0);
        assert.ok(shown.some((p) => p.index === chosen));
        for (let i = 1; i < shown.length; i++) {
          assert.equal(shown[i].index, shown[i - 1].index + 1);
          assert.ok(shown[i].width <= shown[i - 1].width);
        }
        const rests = places.flatMap((p) => p.rest ?? []);
        if (width < 40) return;
        assert.equal(rests.reduce((n, r) => n + r.count, 0) + shown.length, boxes.length);
        const finite = values.every(Number.isFinite);
        const sum = (of: readonly number[]) => of.reduce((a, b) => a + b, 0);
        if (finite) assert.equal(sum(rests.map((r) => r.value)) + sum(shown.map((p) => boxes[p.index].value)), sum(values));
      },
    ),
    { numRuns: 500 },
  );
});

test('widths are shares of the routine where there is room', () => {
  assert.deepEqual(
    placeBoxes(list([50, 25]), 0, 100, 161).map((p) => p.width),
    [80, 40],
  );
  // What is summed has its own box, and leaves nothing blank.
  const many = placeBoxes(list([400, ...Array.from({ length: 60 }, () => 10)]), 0, 1000, 80);
  assert.equal(many.at(-1)?.rest?.count, 61 - (many.length - 1));
  assert.ok(Math.max(...many.map((p) => p.x + p.width)) >= 78, JSON.stringify(many));
  const next = placeBoxes(list([400, ...Array.from({ length: 60 }, () => 10)]), 20, 1000, 80);
  assert.deepEqual(new Set(next.filter((p) => !p.rest).map((p) => p.width)), new Set([15]), 'no wider on later pages');
  // Without a cost, all are as narrow as a name allows.
  assert.deepEqual(
    placeBoxes(list([0, 0]), 0, 0, 80).map((p) => p.width),
    [15, 15],
  );
});

long('at any size it draws its lines, one box is lit, and no more than 32 cells of it', async () => {
  for (const file of [
    DEFAULT,
    'callgrind/recs1.callgrind.out',
    'callgrind/edge/v14-names.callgrind.out',
    'gperftools/symbolized.prof',
  ]) {
    const player = play(await loadProfile([at(file)]), { width: 80, height: 24 });
    player.press('graph');
    assert.equal(player.state.view, 'graph', file);
    const keys = ['', 'k', 'l', 'k', 'G', '.', 'j', 'l', 'j', 'G', 'enter', 'percent', 'names', 'names', 'names'];
    for (const key of keys) {
      if (key !== '') player.press(key);
      const { state } = player;
      const context = contextOf(state);
      for (const width of [1, 2, 3, 4, 5, 6, 10, 12, 20, 34, 40, 59, 60, 80, 119, 120, 200])
        for (const height of [1, 2, 3, 4, 5, 6, 7, 9, 12, 16, 17, 18, 20, 27, 56])
          for (const ascii of [false, true]) {
            const size = { ...context, width, height, ascii };
            const view = openView(state).sync(size);
            const lines = view.draw(size);
            const where = `${file} ${key} ${width}x${height}`;
            assert.equal(lines.length, height, where);
            for (const { spans } of lines) assert.ok(cellWidth(spans.map(([t]) => t).join('')) <= width, where);
            const lit = lines.flatMap(({ spans }) => spans.filter(([, , is]) => is).map(([t]) => t));
            assert.ok(lit.length <= 1 && cellWidth(lit.join('')) <= 32, where);
            assert.equal(lines.filter((l) => l.cursor).length, 1, where);
            if (width >= 12) assert.equal(lit.length, 1, where);
          }
    }
  }
});

test('every row is a box that the cursor reaches, and rowText is its name', async () => {
  const p = play(await loadProfile([at(DEFAULT)]), { width: 80, height: 24 });
  p.press('/').type('run_words').press('enter', 'graph');
  const c = contextOf(p.state);
  const view = openView(p.state);
  const rows = view.rowCount(c);
  assert.ok(rows > 20, `${rows} rows`);
  for (let row = 0; row < rows; row++) {
    const moved = view.moveTo(row, c);
    assert.equal(routineName(c.analysis.profile, moved.routineAt(c)), view.rowText(row, c), `row ${row}`);
    const lit = moved.draw(c).flatMap(({ spans }) => spans.filter(([, , is]) => is));
    assert.equal(lit.length, 1, `row ${row} is drawn`);
  }
});

test('keys walk among boxes and levels, Enter moves the focus, Backspace comes back', async () => {
  const profile = await loadProfile([at(DEFAULT)]);
  const p = play(profile, { width: 80, height: 24 });
  const name = () => routineName(profile, cursorRoutine(p.state));
  p.press('/').type('run_words').press('enter', 'graph');
  const { focus } = p.state;
  assert.equal(name(), 'demo::run_words()');
  assert.match(toPlainText(drawScreen(p.state)), /callers 1, callees 14/);
  p.press('up');
  assert.equal(name(), 'main');
  p.press('l');
  assert.match(p.state.message?.text ?? '', /last of the callers/);
  p.press('up', 'up');
  assert.match(p.state.message?.text ?? '', /2 levels of callers/);
  assert.equal(name(), '(below main)');
  p.press('.', 'down');
  assert.match(name(), /^demo::split/);
  const below = body(p);
  p.press('right');
  assert.notEqual(body(p).split('\n').slice(-3).join('\n'), below.split('\n').slice(-3).join('\n'), 'callees of another callee');
  const inner = name();
  p.press('down', 'down');
  p.press('up');
  assert.equal(name(), inner, 'back on the box that it came from');
  p.press('enter');
  assert.equal(routineName(profile, p.state.focus), inner);
  assert.equal(p.state.view, 'graph');
  assert.equal(name(), inner);
  p.press('backspace');
  assert.equal(p.state.focus, focus);
  assert.equal(p.state.view, 'graph');
  // The routine under the cursor is what other views open on.
  p.press('j', 'calls');
  assert.match(routineName(profile, p.state.focus), /^demo::split/);
});

test('search finds boxes that have no room, and the filter keeps those that match', async () => {
  const profile = await loadProfile([at(DEFAULT)]);
  const p = play(profile, { width: 80, height: 24 });
  p.press('/').type('run_words').press('enter', 'graph');
  p.press('j', 'G');
  const last = routineName(profile, cursorRoutine(p.state));
  assert.match(body(p), /\+\d+ more/);
  p.press('.').press('/').type(last).press('enter');
  assert.equal(routineName(profile, cursorRoutine(p.state)), last);
  p.press('.', '&').type('split').press('enter');
  assert.match(body(p), /no callers that match split/);
  assert.match(body(p), /demo::split/);
  assert.doesNotMatch(body(p), /more/);
});

test('recursion is marked: by itself, and within a cycle', async () => {
  const text = `# callgrind format
events: Ir
fn=main
1 10
cfn=fib
calls=1 1
1 350
fn=fib
1 300
cfn=fib
calls=9 1
1 200
cfn=ping
calls=1 1
2 50
fn=ping
1 20
cfn=pong
calls=2 1
1 30
fn=pong
1 25
cfn=ping
calls=1 1
1 5
`;
  const p = play(await loadText(callgrind, text), { width: 100, height: 24 });
  p.press('/').type('fib').press('enter', 'graph');
  assert.equal(body(p).match(/↻ fib/g)?.length, 3, body(p));
  p.press('/').type('ping').press('enter', 'enter');
  assert.match(body(p), /● ping/);
  assert.match(body(p), /↻ pong/);
  assert.equal(play(await loadText(callgrind, text), { width: 100, height: 24, ascii: true }).press('graph').state.ascii, true);
  const ascii = play(await loadText(callgrind, text), { width: 100, height: 24, ascii: true });
  ascii.press('/').type('fib').press('enter', 'graph');
  assert.match(body(ascii), /@ fib/);
});

/** main costs so much itself, and calls a routine that costs so much, so often. */
const shop = (cost: number, calls: number, own = 10) => `# callgrind format
events: Ir
fn=work
1 ${cost}
fn=main
1 ${own}
cfn=work
calls=${calls} 1
2 ${cost}
`;

test('of two runs, boxes show the difference that Calls shows', async () => {
  const [now, old] = await Promise.all([loadText(callgrind, shop(900, 1)), loadText(callgrind, shop(1100, 7))]);
  const p = play(now, { width: 100, height: 30, versus: versus(old) });
  p.press('/').type('main').press('enter', 'graph');
  assert.match(body(p), /work\s.*\n.*-18\.02% {2}-200\b/);
  assert.match(body(p), /-6 calls/);
  p.press('calls');
  assert.match(body(p), /-200 -18\.02%.*-6 .*work/);
  p.press('graph', 'V', 'V', 'V');
  assert.match(body(p), /work\s.*\n.*1,100/);
});

test('samples have no counts of calls', async () => {
  const p = play(await loadProfile([at('gperftools/symbolized.prof')]), { width: 120, height: 40 });
  p.press('graph');
  assert.doesNotMatch(body(p), /\bcalls?\b/);
  assert.match(body(p), /self /);
});

test('edges have the distance of a search by width, up to any depth, each once a side', async () => {
  const profile = await loadProfile([at(DEFAULT)]);
  const analysis = analyse(profile, profile.events);
  const [event] = profile.events;
  const { caller, callee } = analysis.edges;
  const edges = Array.from(caller.keys());
  for (const r of [costliestRoutine(analysis, event), 0, 5, 17])
    for (const depth of [1, 3, 99]) {
      const wanted: string[] = [];
      for (const sign of [-1, 1]) {
        const [near, far] = sign < 0 ? [callee, caller] : [caller, callee];
        const distance = new Map([[r, 0]]);
        for (let d = 0; d < depth; d++)
          for (const e of edges.filter((i) => distance.get(near[i]) === d)) {
            wanted.push(`${e} ${sign * (d + 1)}`);
            if (!distance.has(far[e])) distance.set(far[e], d + 1);
          }
      }
      const found = edgesAround(analysis, event, r, depth);
      assert.deepEqual(found.map(({ edge, level }) => `${edge} ${level}`).sort(), wanted.sort(), `${r} ${depth}`);
      assert.ok(
        found.every(({ level }, i) => i === 0 || Math.abs(level) >= Math.abs(found[i - 1].level)),
        'the nearest first',
      );
    }
});

const printed = (p: Player) => JSON.stringify(printCommand(p.state, LOADED_PLAINLY));

test('+ adds a level of callers and callees, - takes one away, and E prints as many', async () => {
  const p = play(await loadProfile([at(DEFAULT)]), { width: 100, height: 60 });
  p.press('/').type('run_matrix').press('enter', 'graph');
  const boxes = () => body(p).split('┌').length - 1;
  const two = boxes();
  p.press('+');
  assert.ok(boxes() > two);
  assert.match(printed(p), /--depth 3/);
  p.press('-', '-');
  assert.ok(boxes() < two);
  assert.match(printed(p), /--depth 1/);
  p.press('-');
  assert.match(p.state.message?.text ?? '', /one level is the least/);
  p.press('up', 'up');
  assert.match(p.state.message?.text ?? '', /one level of callers/);
});

test('frames join the boxes of one object: each stays in its level, names are on the line away from the focus', async () => {
  const profile = await loadProfile([at('callgrind/real-git.callgrind.out.gz')]);
  const p = play(profile, { width: 120, height: 40 });
  p.press('/').type('0x294780').press('enter', 'graph');
  const focus = p.state.focus;
  const boxes = () => {
    const c = contextOf(p.state);
    const view = openView(p.state);
    const rows = Array.from({ length: view.rowCount(c) }, (_, row) => view.moveTo(row, c).routineAt(c));
    return rows.map((r) => ({ r, object: objectName(profile, profile.routines.object[r]) ?? '' }));
  };
  const plain = boxes();
  p.choose('object', 'o', 'frames by');
  assert.match(p.state.message?.text ?? '', /one object are side by side/);
  const c = contextOf(p.state);
  const [event] = c.analysis.events;
  const centre = boxes().findIndex(({ r }) => r === focus);
  const callees = boxes().slice(centre + 1, centre + 1 + neighboursOf(c.analysis, event, focus, 0, 'callees').length);
  assert.deepEqual(
    callees.map(({ r }) => r).sort(),
    neighboursOf(c.analysis, event, focus, 0, 'callees')
      .map((n) => n.routine)
      .sort(),
  );
  const runs = callees.filter(({ object }, i) => object !== callees[i - 1]?.object).map(({ object }) => object);
  assert.equal(runs.length, new Set(runs).size, `each object is there once: ${runs}`);
  assert.ok(runs.length > 1);
  const lines = body(p).split('\n');
  const below = lines.findIndex((line) => /●/.test(line));
  assert.ok(
    lines.slice(0, below).some((line) => /┌─ git ─/.test(line)),
    'callers by their upper line',
  );
  assert.ok(
    lines.slice(below).some((line) => /└─ git ─/.test(line)),
    'callees by their lower line',
  );
  const printed = printCommand(p.state, LOADED_PLAINLY);
  assert.ok('command' in printed && / --cluster object$/.test(printed.command), JSON.stringify(printed));
  p.choose('none', 'o', 'frames by');
  assert.deepEqual(boxes(), plain);
  assert.doesNotMatch(body(p), /─ git ─/);
});

test('boxes below the least cost are left out, on the screen and in print, and the title says how many are left', async () => {
  const profile = await loadProfile([at(DEFAULT)]);
  const p = play(profile, { width: 140, height: 40 });
  p.press('/').type('main').press('enter', 'graph');
  const { focus } = p.state;
  const c = contextOf(p.state);
  const callees = neighboursOf(c.analysis, c.event, focus, 0, 'callees');
  // A slow reference: one percent of the profile's own sum.
  const large = callees.filter(({ value }) => value * 100 >= eventValue(c.event, c.analysis.totals.total, 0));
  assert.ok(large.length > 1 && large.length < callees.length);
  p.choose('1%', 'o', 'least cost');
  assert.match(toPlainText(drawScreen(p.state)), new RegExp(`callees ${large.length} of at least 1%`));
  assert.doesNotMatch(body(p), /more/);
  assert.match(printed(p), / --threshold 1"/);
  const drawn = (...more: string[]) =>
    runWarm([at(DEFAULT), '--print', 'graph', '--routine', 'main', '--depth', '1', ...more]).out;
  const boxesIn = (text: string) => text.split('┌').length - 1;
  assert.equal(boxesIn(drawn('--threshold', '1')), 1 + 1 + large.length, 'the caller, the routine, its callees');
  assert.ok(boxesIn(drawn()) > 2 + large.length);
});

test('the picture as SVG has the text of the printed drawing, and valid entities', async () => {
  for (const more of [[], ['--cluster', 'file'], ['--threshold', '1', '--depth', '3']]) {
    const args = [at(DEFAULT), '--print', 'graph', '--routine', 'demo::run_matrix(int)', ...more];
    const svg = runWarm([...args, '--svg']).out;
    const rows = Array.from(svg.matchAll(/<text [^>]*textLength[^>]*>(.*)<\/text>/g), ([, row]) =>
      row
        .replace(/<[^>]*>/g, '')
        .replace(/&lt;/g, '<')
        .replace(/&gt;/g, '>')
        .replace(/&quot;/g, '"')
        .replace(/&amp;/g, '&')
        .trimEnd(),
    );
    assert.ok(rows.length > 10);
    assert.ok(runWarm([...args, '--width', '120']).out.includes(rows.join('\n')), more.join(' '));
    assert.doesNotMatch(svg, /&(?!(?:lt|gt|quot|amp|#\d+);)/);
  }
});
