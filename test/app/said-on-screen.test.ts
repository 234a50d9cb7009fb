// What screens say of their rows: columns and marks in the help, the order of Growth, and what lies around a step.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { panelRows } from '../../src/app/panels.ts';
import { contextOf, openView } from '../../src/app/state.ts';
import { COLUMN_MEANINGS } from '../../src/columns/meanings.ts';
import { loadProfile } from '../../src/io/load.ts';
import { unpack } from '../support/bundle.ts';
import { existing, FIXTURES } from '../support/fixtures.ts';
import { type Player, play } from '../support/keys.ts';
import { versus } from '../support/versus.ts';

const SIZE = { width: 80, height: 24 };
const load = (path: string) => loadProfile([existing(join(FIXTURES, path))]);
const open = async (path: string): Promise<Player> => play(await load(path), SIZE);
const openBuild = async (): Promise<Player> =>
  play(await loadProfile([join(unpack(join(FIXTURES, 'cmake/mbedtls-ninja.json.gz')), 'build')]), SIZE);
const screen = ({ state }: Player) => toPlainText(drawScreen(state));

/** The first line of the help that has the text. */
function helpFor(p: Player, text: string): string {
  p.press('?').type(text);
  const [row] = panelRows(p.state);
  p.press('esc');
  return `${row?.cells['keys']}: ${row?.cells['action']}`;
}

test('help explains the columns of the view by their headings, and the marks', async () => {
  const build = await openBuild();
  build.press('steps');
  assert.match(helpFor(build, 'weighted'), /^weighted: .*shared among the steps that ran at once/);
  build.press('critical');
  assert.match(helpFor(build, 'why it started'), /^waited for: why it started no earlier/);
  const code = await open('callgrind/default.callgrind.out');
  code.press('routines');
  assert.match(helpFor(code, 'cum%'), /^cum%: .*added up/);
  assert.match(helpFor(code, '≈'), /^≈: an estimate/);
});

test('each column that help explains is one of a view', async () => {
  const all: readonly (readonly [Player, readonly string[]])[] = [
    [await openBuild(), ['steps', 'critical', 'targets', 'utilization']],
    [await open('clang-traces/whole-build'), ['compilers']],
    [await open('callgrind/default.callgrind.out'), ['routines', 'calls']],
    [await open('aprof/sorts-cct/sorts_29653_0_4.aprof'), ['growth']],
  ];
  const known = new Set(
    all.flatMap(([p, views]) => views.flatMap((view) => openView(p.press(view).state).columnNames(contextOf(p.state)))),
  );
  // Only comparisons have the first two; gains are simulated in the background.
  const absent = [...COLUMN_MEANINGS.keys()].filter((name) => !known.has(name) && !['change%', 'state', 'gain'].includes(name));
  assert.deepEqual(absent, []);
});

test('Growth is in the order of cost times the factor that it shows, at least', async () => {
  for (const file of [
    'sorts-cct/sorts_29653_0_4.aprof',
    'matrix-cct/matrix_29657_0_4.aprof',
    'containers/containers_29655_0_1.aprof',
  ]) {
    const p = await open(`aprof/${file}`);
    const rows = screen(p.press('growth')).matchAll(/^[▶ ]+([\d,]+) .*? (≥?[\d.]+k?)? [▁▂▃▄▅▆▇█ ]{8} \S/gm);
    // Routines with too few sizes have no bars, and come last.
    const products = Array.from(rows).flatMap(([line, cost, factor = '1']) => {
      const times = Number(factor.replace(/[≥k]/g, '')) * (factor.endsWith('k') ? 1000 : 1);
      return /[▁▂▃▄▅▆▇█]/.test(line) ? [Number(cost.replaceAll(',', '')) * times] : [];
    });
    assert.ok(products.length >= 2, `${file}: ${products.length}`);
    // The factors have three digits.
    for (const [k, product] of products.slice(1).entries()) assert.ok(product <= products[k] * 1.01, `${file}, row ${k + 1}`);
  }
});

test('a step of a comparison has its time in the base; a slice has the slices around it and in it', async () => {
  const kept = (hour: string) => load(`cmake/kept/build-2026-11-01T${hour}-00-00-0000.json.gz`);
  const build = play(await kept('09'), { ...SIZE, versus: versus(await kept('00')) });
  build.press('steps', 'enter');
  assert.match(screen(build), /time +182ms.*\n +before 139ms \(\+43ms, \+31%\)/);
  const trace = await open('trace-events/clang-time-trace/parse.json');
  trace.press('steps').press('/').type('tidal.h').press('enter', 'enter');
  assert.match(screen(trace), /inside +Frontend +\d+ms\n +contains +Source string/);
});
