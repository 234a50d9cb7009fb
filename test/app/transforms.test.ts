// What counts, on the screen: chosen for what is under the cursor, changed, undone, copied as flags, kept, offered.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { parseTransform, transformText } from '../../src/analysis/profiles/transforms/transform.ts';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { panelRows } from '../../src/app/panels.ts';
import { printCommand } from '../../src/app/print-command.ts';
import { loadProfile } from '../../src/io/load.ts';
import { eventValue } from '../../src/model/head.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { foldedProfile } from '../support/folded.ts';
import { type Player, play } from '../support/keys.ts';
import { LOADED_PLAINLY } from '../support/loaded-with.ts';
import { fullStacks } from '../support/stacks.ts';

const demo = await loadProfile([join(FIXTURES, 'callgrind/default.callgrind.out')]);
const size = { width: 100, height: 24 };
const shown = (p: Player) => toPlainText(drawScreen(p.state));
const total = ({ state: { analysis } }: Player) => eventValue(analysis.events[0], analysis.totals.total, 0);
const stack = ({ state }: Player) => state.transforms.map(({ transform, on }) => (on ? '' : '-') + transformText(transform));
test('S offers what can be done with the routine under the cursor; what is set stands under the title', () => {
  const p = play(demo, size).press('S');
  const offered = panelRows(p.state).map(({ cells }) => Object.values(cells).join(': '));
  assert.equal(offered[0], 'focus _dl_lookup_symbol_x: keep only stacks with it');
  assert.ok(
    offered.some((row) => row.startsWith('hide file elf/dl-lookup.c: ')),
    offered.join('\n'),
  );
  p.press('enter');
  assert.match(shown(p).split('\n')[1], /^ S {2}focus _dl_lookup_symbol_x +\d\d\.\d\d% is left/);
  assert.equal(p.state.analysis.profile.transformed?.applied.length, 1);
  // What is left is the routine's inclusive cost, which callgrind_annotate has as 1,339,420.
  assert.equal(Math.round(total(p)), 1_339_420);
});

test('of stacks, S offers the same for the one call under the cursor in Tree and Flame', () => {
  const stacks = foldedProfile([
    ['main;a;f;g', 10],
    ['main;b;f;g', 20],
  ]);
  for (const view of ['flame', 'tree']) {
    const p = play(stacks, size).press(view, '/').type('g').press('enter');
    const offered = () => panelRows(p.press('S').state).map(({ cells }) => Object.values(cells)[0]);
    const [, path = ''] = /^ignore path (.*)$/m.exec(offered().join('\n')) ?? [];
    assert.match(path, /^main;[ab];f;g$/);
    p.press('esc').choose(`ignore path ${path}`, 'S');
    assert.equal(total(p), path === 'main;b;f;g' ? 10 : 20);
    assert.deepEqual(stack(p), [`ignore=path:^${path}$`]);
  }
  // Inverted, and in lists of routines, a row is no single call.
  const inverted = play(stacks, size).press('tree', 'i', 'S');
  assert.ok(panelRows(inverted.state).every(({ cells }) => !Object.values(cells)[0].includes(' path ')));
});

test('each can be switched off, moved and removed in the list; undo takes a change back', () => {
  const p = play(demo, size);
  for (const text of ['focus=run_words', 'hide=^std::', 'merge=^demo::parse']) p.press('S').type(text).press('enter');
  assert.deepEqual(stack(p), ['focus=run_words', 'hide=^std::', 'merge=^demo::parse']);
  const all = total(p);
  p.press('S', 'space');
  assert.deepEqual(stack(p), ['-focus=run_words', 'hide=^std::', 'merge=^demo::parse']);
  assert.ok(total(p) > all);
  assert.match(shown(p), /^ S {2}\(focus=run_words\) › hide=\^std::/m);
  p.press('space', 'right');
  assert.deepEqual(stack(p), ['hide=^std::', 'focus=run_words', 'merge=^demo::parse']);
  p.press('left', 'delete', 'esc');
  assert.deepEqual(stack(p), ['hide=^std::', 'merge=^demo::parse']);
  p.choose('undo', 'S');
  assert.deepEqual(stack(p), ['focus=run_words', 'hide=^std::', 'merge=^demo::parse']);
  assert.equal(total(p), all);
  while (p.state.transformsBefore.length > 0) p.choose('undo', 'S');
  assert.deepEqual(stack(p), []);
  assert.match(shown(p.press(':').type('undo').press('enter')), /Nothing to undo; S sets a focus/);
  assert.equal(total(p), 3_117_398);
});

test('a second focus narrows the first, and the copied command says so', () => {
  const p = play(demo, size);
  p.press('S').type('focus=run_matrix').press('enter');
  p.press('S').type('focus=helper').press('enter');
  const made = printCommand(p.state, LOADED_PLAINLY);
  assert.ok('command' in made && made.command.includes('--apply focus=run_matrix --apply focus=helper'), JSON.stringify(made));
  const one = printCommand(play(demo, size).press('S').type('hide=^std::').press('enter').state, LOADED_PLAINLY);
  assert.ok('command' in one && one.command.includes("--hide '^std::'"), JSON.stringify(one));
});

test('% offers percentages of what is left; they stay those of the whole otherwise', () => {
  const p = play(demo, size).press('S').type('focus=run_words').press('enter');
  assert.match(shown(p), / 8\.07% is left/);
  const first = () => shown(p).split('\n')[4];
  const whole = Number(/(\d+\.\d+)%/.exec(first())?.[1]);
  p.press('percent', 'percent');
  assert.match(shown(p), /percent of the focused total/);
  const left = Number(/(\d+\.\d+)%/.exec(first())?.[1]);
  assert.ok(Math.abs(left * 0.0807 - whole) < 0.05, `${left}% of 8.07% is ${whole}%`);
  const plain = play(demo, size).press('percent');
  assert.doesNotMatch(shown(plain), /what is left/);
});

test('where nothing is left there are no rows, and a message', () => {
  const p = play(demo, size).press('S').type('focus=no such routine').press('enter');
  assert.match(shown(p), /nothing is left/);
  for (const key of ['routines', 'calls', 'tree', 'source', 'info', 'flame', 'graph', 'i', ']', 'enter']) p.press(key);
  assert.equal(total(p), 0);
  p.choose('undo', 'S');
  assert.equal(total(p), 3_117_398);
});

test('what the profile cannot follow is refused, and nothing changes', async () => {
  const p = play(demo, size);
  for (const [text, said] of [
    ['focus=(', /unterminated group/],
    ['blur=x', /focus=, ignore=/],
    ['time=1..2', /time is for traces, builds, and samples with times/],
    ['focus=line:a.c:1', /only sampled stacks say which line was on the stack/],
    ['hide=path:^main;a$', /only sampled stacks say by which path it was called/],
    ['merge=path:a', /a path is of one frame; hide leaves it out/],
  ] as const) {
    p.press('S').type(text).press('enter');
    assert.match(shown(p), said);
    assert.deepEqual(stack(p), []);
    // What was typed can be mended.
    assert.equal(p.state.panel?.text ?? text, text);
    p.press('esc');
  }
  const trace = await loadProfile([join(FIXTURES, 'build-trace/harbor.trace.gz')]);
  assert.match(shown(play(trace, size).press('S')), /--filter chooses processes/);
});

test('what was kept is offered, and taken from S alone', () => {
  const kept = new Map([
    ['', [parseTransform('focus=run_words')]],
    ['no calc', [parseTransform('ignore=run_calc'), parseTransform('hide=^std::')]],
  ]);
  const p = play(demo, { ...size, keptTransforms: kept });
  assert.match(shown(p), /S has a saved focus for this folder: focus=run_words; no calc/);
  assert.equal(total(p), 3_117_398);
  p.choose('apply saved', 'S');
  assert.deepEqual(stack(p), ['focus=run_words']);
  p.press('S').type('save').press('enter');
  assert.ok(p.effects.includes('keep-transforms'));
  p.choose('apply no calc', 'S');
  assert.deepEqual(stack(p), ['ignore=run_calc', 'hide=^std::']);
  p.press('S')
    .type('words only')
    .press(...Array(9).fill('down'), 'enter');
  assert.match(shown(p), /words only is saved for this folder; S offers it the next time/);
  assert.deepEqual(p.state.keptTransforms.get('words only')?.map(transformText), ['ignore=run_calc', 'hide=^std::']);
  assert.equal(p.state.keptTransforms.size, 3);
  const other = play(demo, { ...size, keptTransforms: kept });
  other
    .press('S')
    .type('no calc')
    .press(...Array(9).fill('down'), 'enter');
  assert.match(shown(other), /no calc is no longer saved/);
  assert.deepEqual([...other.state.keptTransforms.keys()], ['']);
});

test('only-own leaves only the own code, and all again', () => {
  const own = { folders: [], maps: [], hasFile: (path: string) => path.startsWith('src/') };
  const p = play(demo, { ...size, own }).choose('only-own', 'S');
  assert.equal(Math.round(total(p)), 3_117_398);
  assert.match(shown(p), /\(outside\)/);
  p.choose('only-own', 'S');
  assert.deepEqual(stack(p), ['-only-own']);
  assert.equal(total(p), 3_117_398);
});

test('Calls marks the costs of edges that several ways share', () => {
  const p = play(demo, size).press('S').type('ignore=parse_expr').press('enter');
  p.press('/').type('do_lookup_x').press('enter', 'calls');
  assert.match(shown(p), /≈[\d,]+ +100\.0% █+ +≈[\d,]+ .*● do_lookup_x/);
});

test('a large change is worked out between keys: the old numbers stay until then, Esc stops it', () => {
  const profile = fullStacks(6, 6);
  const p = play(profile, { ...size, timeBudgetMs: 0 });
  const before = total(p);
  p.act({ type: 'transform', text: 'collapse=recursion' });
  assert.ok(p.state.reshaping && p.state.unfinished);
  assert.equal(total(p), before);
  p.press('j');
  assert.ok(p.state.reshaping, 'keys are heard meanwhile');
  p.press('esc');
  assert.equal(p.state.reshaping, undefined);
  assert.deepEqual(stack(p), []);
  p.act({ type: 'transform', text: 'ignore=nothing at all' });
  for (let k = 0; k < 10_000 && p.state.reshaping; k++) p.act({ type: 'work' });
  assert.deepEqual(stack(p), ['ignore=nothing at all']);
  assert.equal(total(p), before);
});

test('of a build, S lists the range of time that is set, and Del removes it', async () => {
  const log = await loadProfile([join(FIXTURES, 'ninja-log/tidepool-ninja-unity/.ninja_log')]);
  const p = play(log, size);
  p.act({ type: 'transform', text: 'time=..1ms' });
  assert.deepEqual(stack(p), ['time=..1ms']);
  p.press('S', 'delete', 'esc');
  assert.deepEqual(stack(p), []);
  p.press('S').type('focus=x').press('enter');
  assert.match(shown(p), /focus is for stacks and calls; --filter chooses build steps/);
});

test('a change that changes nothing says so; one that does, does not', () => {
  const p = play(demo, size);
  for (const [text, says] of [
    ['hide=no such name', true],
    ['ignore=no such name', true],
    ['hide=^isspace$', false],
    ['collapse=recursion', false],
    ['prune-from=parse_expr', false],
  ] as const) {
    p.press('S').type(text).press('enter');
    assert.equal(/it changes nothing here/.test(shown(p)), says, text);
    p.press('Z');
  }
});
