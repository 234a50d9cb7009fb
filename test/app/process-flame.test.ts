// The flame graph of a build trace on the screen: programs as wide as their processes and all that these started.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { refusalReason } from '../../src/analysis/profiles/transforms/apply.ts';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { applyAnswer } from '../../src/app/update.ts';
import { cellWidth } from '../../src/base/text.ts';
import { buildTrace } from '../../src/formats/build-trace.ts';
import { loadProfile } from '../../src/io/load.ts';
import { viewsOf } from '../../src/views/index.ts';
import { existing, FIXTURES } from '../support/fixtures.ts';
import { type Player, play } from '../support/keys.ts';
import { loadText } from '../support/load.ts';
import { versus } from '../support/versus.ts';

const SIZES = [
  [80, 24],
  [40, 10],
  [200, 60],
] as const;

const trace = (name: string) => loadProfile([existing(join(FIXTURES, 'build-trace', name))]);
const screen = (p: Player) => toPlainText(drawScreen(p.state));
const message = (p: Player) => p.state.message?.text ?? '';
const detail = (p: Player) => screen(p).split('\n').at(-2) ?? '';
const mbedtls = async (width = 80, height = 24) => play(await trace('mbedtls-make.trace'), { width, height }).press('flame');

test('processes have a flame graph, and none of the views of routines', async () => {
  const p = await mbedtls();
  assert.deepEqual(
    viewsOf(p.state.analysis).map((v) => v.id),
    ['overview', 'findings', 'processes', 'process', 'programs', 'compiles', 'flame', 'info'],
  );
  assert.match(refusalReason(p.state.loaded, { word: 'only-own' }) ?? '', /is for stacks and calls/);
  p.press('info');
  assert.match(screen(p), /holds {5}1,800 processes/);
  assert.doesNotMatch(screen(p), /lacks|routines/);
});

test('the detail says program, number of processes and share, at every size', async () => {
  for (const [width, height] of SIZES) {
    const p = await mbedtls(width, height);
    for (const key of ['', 'j', 'j', 'j', 'k', 'l', 'G', 'enter', 'backspace', 'i', ']', 'g']) {
      if (key !== '') p.press(key);
      const lines = screen(p).split('\n');
      assert.ok(lines.length === height && lines.every((line) => cellWidth(line) <= width), `${key} at ${width}x${height}`);
      assert.match(detail(p), /^ [\w.+-]+: [\d,]+ process(es)? [\d.]+%/, `${key} at ${width}x${height}`);
    }
    p.press('i', 'g');
    assert.match(detail(p), / make: 1,800 processes 100\.0%/);
    p.press('j', 'j');
    assert.match(detail(p), / cc: 1,126 processes 62\.56%(, self 15\.11%)?$/);
  }
});

test('search, filter, zoom and the reasons of keys are those of a tree of programs', async () => {
  const p = await mbedtls(100, 30);
  p.press('/').type('cc1').press('enter');
  assert.match(message(p), /^1 frame matches, 15\.72% of the total/);
  p.press('j');
  assert.match(message(p), /this program starts nothing/);
  p.press('enter');
  assert.match(screen(p), /top-down, in cc1/);
  p.press('backspace').choose('colour by whose code, self cost, object, file, or change');
  assert.match(message(p), /the profile names no objects or files/);
  p.press('i', 'G', 'j', 'j');
  assert.match(message(p), /nothing starts this program|too narrow/);
  p.press('i', '&').type('collect2').press('enter');
  const spans = drawScreen(p.state).flatMap((line) => line.spans);
  assert.ok(spans.some(([text, style]) => /^.as/.test(text) && style === 'rest'));
  assert.ok(spans.some(([text, style]) => /collect2/.test(text) && style !== 'rest'));
});

test('a trace without processes says so', async () => {
  const p = play(await trace('edge/head-only.trace'), { width: 80, height: 24 }).press('flame');
  assert.match(screen(p), /there are no frames/);
});

const line = (id: number, parent: number, executable: string) =>
  `{"id": ${id}, "parent_id": ${parent}, "work_dir": "/w", "executable": "${executable}", "args": ["x"]}\n`;

test('of two builds, a frame is as wide as this one, and says what changed', async () => {
  const build = (programs: string[]) =>
    loadText(
      buildTrace,
      `{"version": "101"}\n${line(1, -1, '/usr/bin/make')}${programs.map((p, k) => line(k + 2, 1, p)).join('')}`,
    );
  const now = await build(['gcc', 'gcc', 'gcc', 'new']);
  // The same programs have other numbers in the base.
  const before = await build(['gone', 'ld', 'gcc', '/bin/gcc']);
  const p = play(now, { width: 80, height: 24, versus: versus(before) }).press('flame');
  assert.match(screen(p), / \+ gcc +▏\+ new/);
  p.press('j');
  assert.match(detail(p), / gcc: 3 processes 60\.00%, self 60\.00%, \+20\.00% of the base/);
  p.press('programs');
  assert.doesNotMatch(screen(p), /gone/);
});

test('a reload keeps the frame under the cursor and the zoom', async () => {
  const p = await mbedtls();
  p.press('j', 'j', 'enter', 'j');
  const before = screen(p);
  const profile = await trace('mbedtls-make.trace');
  [p.state] = applyAnswer(p.state, { type: 'loaded', profile, derive: [], siblings: [], why: 'reloaded', again: true });
  p.state = { ...p.state, message: undefined };
  assert.equal(screen(p).split('\n').slice(1, -1).join('\n'), before.split('\n').slice(1, -1).join('\n'));
});
