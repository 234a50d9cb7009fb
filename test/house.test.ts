// The rules of the house: who imports whom, how long files are, no key twice, generated parts of the README fresh.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import test from 'node:test';
import { globalBindings } from '../src/app/keymap.ts';
import { loaders } from '../src/formats/index.ts';
import { reports } from '../src/reports/index.ts';
import { views } from '../src/views/index.ts';
import { ROOT } from './support/fixtures.ts';

/** Folder: the folders of src that it may import; `node` and `npm:NAME` are what else it may have. */
const MAY: Record<string, string[]> = {
  base: ['npm:string-width', 'npm:fuzzysort'],
  model: ['base'],
  formats: ['model', 'base'],
  analysis: ['model', 'base', 'npm:simple-statistics', 'npm:ml-regression-theil-sen'],
  columns: ['analysis', 'model', 'base'],
  reports: ['columns', 'analysis', 'model', 'base'],
  views: ['columns', 'analysis', 'model', 'base'],
  app: ['views', 'columns', 'analysis', 'model', 'base'],
  io: ['formats', 'model', 'base', 'node', 'npm:gecko-profiler-demangle/index_bg.js'],
  tui: [
    'app',
    'io',
    'reports',
    'views',
    'columns',
    'analysis',
    'model',
    'base',
    'node',
    'npm:ink',
    'npm:react',
    'npm:ink-table',
    'npm:string-width',
  ],
  cli: ['tui', 'reports', 'columns', 'io', 'formats', 'analysis', 'model', 'base', 'node'],
};

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((e) =>
    e.isDirectory() ? filesIn(join(folder, e.name)) : [join(folder, e.name)],
  );
}

const sources = filesIn(join(ROOT, 'src'));

test('every import is allowed', () => {
  const wrong: string[] = [];
  for (const file of sources) {
    const folder = relative(join(ROOT, 'src'), file).split('/')[0];
    const allowed = MAY[folder];
    assert.ok(allowed, `${folder} is in the table`);
    for (const [, from, lazy] of readFileSync(file, 'utf8').matchAll(
      /^(?:import|export|\}) .*from '([^']+)';$|\bimport\('([^']+)'\)/gm,
    )) {
      const target = from ?? lazy;
      const kind = target.startsWith('.')
        ? relative(join(ROOT, 'src'), join(file, '..', target)).split('/')[0]
        : target.startsWith('node:')
          ? 'node'
          : `npm:${target}`;
      if (kind !== folder && !allowed.includes(kind)) wrong.push(`${relative(ROOT, file)} imports ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('no source file is longer than 400 lines', () => {
  const long = sources
    .map((f) => [relative(ROOT, f), readFileSync(f, 'utf8').split('\n').length] as const)
    .filter(([, n]) => n > 401);
  assert.deepEqual(long, []);
});

test('every source file says in its first line what it is for', () => {
  const without = sources.filter((f) => !/^(\/\/|\/\*\*)/.test(readFileSync(f, 'utf8'))).map((f) => relative(ROOT, f));
  assert.deepEqual(without, []);
});

test('no key stands twice in a view, and none of a view hides a number, Tab, ?, : or q', () => {
  const kept = [...views.map((v) => v.digit), 'tab', '?', ':', 'q', 'ctrl-c', 'esc', '/', 'n', 'N'];
  for (const view of views) {
    const keys = view.keys.flatMap((b) => b.keys);
    assert.equal(new Set(keys).size, keys.length, `${view.id}: ${keys.filter((k, i) => keys.indexOf(k) !== i)}`);
    assert.deepEqual(
      keys.filter((k) => kept.includes(k)),
      [],
      view.id,
    );
  }
  const keys = globalBindings.flatMap((b) => b.keys);
  assert.equal(new Set(keys).size, keys.length);
});

test('no profile has two views of one digit: what they require never comes together', () => {
  const together = (a: (typeof views)[number], b: (typeof views)[number]) => {
    const needs = new Set([...a.asks, ...b.asks]);
    return loaders.some((l) => [...needs].every((t) => l.provides.includes(t)));
  };
  for (const a of views)
    for (const b of views) if (a.id < b.id && a.digit === b.digit) assert.ok(!together(a, b), `${a.id} and ${b.id}`);
});

test('names in the registries are different', () => {
  for (const names of [loaders.map((l) => l.name), views.map((v) => v.id), reports.map((r) => r.name)])
    assert.equal(new Set(names).size, names.length);
});

test('every view writes a report that there is', () => {
  for (const view of views)
    assert.ok(
      reports.some((r) => r.name === view.report.name),
      view.id,
    );
});

test('the tables of the README are made from the registries', () => {
  execFileSync(process.execPath, ['--import', 'tsx', join(ROOT, 'scripts/readme.ts'), '--check'], { cwd: ROOT, stdio: 'pipe' });
});

test('the WebAssembly in src is made from its sources', () => {
  execFileSync(process.execPath, [join(ROOT, 'scripts/wasm.mjs'), '--check'], { cwd: ROOT, stdio: 'pipe' });
});
