// The programs of docs/library.md: each compiles with strict types, and runs.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { FIXTURES, ROOT, readMaybeGz } from '../support/fixtures.ts';

// Inside of the package, which finds itself by its name.
mkdirSync(join(ROOT, '.cache'), { recursive: true });
const sources = mkdtempSync(join(ROOT, '.cache/documented-'));
const folder = mkdtempSync(join(tmpdir(), 'proftui-documented-'));
after(() => {
  for (const made of [sources, folder]) rmSync(made, { recursive: true, force: true });
});

const programs = [...readFileSync(join(ROOT, 'docs/library.md'), 'utf8').matchAll(/^```ts\n(.*?)^```/gms)].map(
  ([, text]) => text,
);
programs.forEach((text, k) => {
  writeFileSync(join(sources, `p${k}.mts`), text);
});
for (const [name, fixture] of [
  ['callgrind.out.12345', 'callgrind/default.callgrind.out'],
  ['callgrind.out.2', 'callgrind/recs1.callgrind.out.gz'],
  ['.ninja_log', 'ninja-log/tidepool-ninja-unity/.ninja_log'],
] as const)
  writeFileSync(join(folder, name), readMaybeGz(join(FIXTURES, fixture)));
copyFileSync(join(FIXTURES, 'pprof/cpu.pb.gz'), join(folder, 'cpu.pb.gz'));

test('every program of the page compiles with strict types', () => {
  assert.ok(programs.length >= 5);
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const flags =
    '--strict --exactOptionalPropertyTypes --noUnusedLocals --target es2022 --module nodenext --types node --rootDir . --ignoreConfig'.split(
      ' ',
    );
  const files = programs.map((_, k) => join(sources, `p${k}.mts`));
  const { status, stdout } = spawnSync(tsc, [...flags, '--outDir', join(sources, 'out'), ...files], {
    encoding: 'utf8',
    cwd: ROOT,
  });
  assert.equal(status, 0, stdout);
});

for (const [k, text] of programs.entries())
  test(`and runs: ${/(?:analyse|load)\([^)]*/.exec(text)?.[0]}`, () => {
    const out = execFileSync(process.execPath, [join(sources, `out/.cache/${basename(sources)}/p${k}.mjs`)], {
      encoding: 'utf8',
      cwd: folder,
    });
    assert.notEqual(out, '');
    assert.doesNotMatch(out, /undefined undefined/);
  });
