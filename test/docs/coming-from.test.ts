// docs/coming-from.md: every command on the right runs on a real file and prints rows.
import assert from 'node:assert/strict';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import stringArgv from 'string-argv';
import { unpack } from '../support/bundle.ts';
import { sections } from '../support/coming-from.ts';
import { existing, FIXTURES, ROOT } from '../support/fixtures.ts';
import { runWarm } from '../support/warm.ts';

const folder = mkdtempSync(join(tmpdir(), 'proftui-coming-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const FILES = {
  'perf.txt': 'perf-script/srcline.perf.gz',
  'old.perf.txt': 'perf-script/phases.perf.gz',
  'cpu.pb.gz': 'pprof/cpu.pb.gz',
  'Test.xml': 'ctest/Test.xml',
  'callgrind.out.1': 'callgrind/default.callgrind.out',
  'callgrind.out.0': 'callgrind/args.callgrind.out',
  'cachegrind.out.1': 'cachegrind/demo.cachegrind.out',
};

function prepare(): void {
  for (const [name, path] of Object.entries(FILES)) copyFileSync(existing(join(FIXTURES, path)), join(folder, name));
  const old = runWarm(['cpu.pb.gz', '--ignore', 'sort', '--export', 'pprof', '-o', 'old.pb.gz'], { cwd: folder });
  assert.equal(old.code, 0, old.err);
  const build = unpack(join(FIXTURES, 'cmake/tidepool-ninja-cdash.json.gz'));
  for (const name of ['build', 'old-build']) cpSync(join(build, 'build'), join(folder, name), { recursive: true });
  // A tree with several kept builds, none of which failed.
  const pools = unpack(join(FIXTURES, 'cmake/pools.json.gz'));
  cpSync(join(pools, 'ninja-4'), join(folder, 'recorded/build'), { recursive: true });
  cpSync(join(pools, 'ninja-1'), join(folder, 'recorded/old-build'), { recursive: true });
  mkdirSync(join(folder, 'src'));
  cpSync(join(FIXTURES, 'callgrind/src'), join(folder, 'src'), { recursive: true });
}

test('a page for each tool, of at most 40 lines', () => {
  const text = readFileSync(join(ROOT, 'docs/coming-from.md'), 'utf8');
  const parts = text.split(/^## /m).slice(1);
  assert.deepEqual([...sections().keys()], ['perf', 'pprof', 'KCachegrind', 'callgrind_annotate', 'CDash']);
  for (const part of parts) assert.ok(part.trimEnd().split('\n').length <= 40, part.slice(0, 20));
});

test('every command runs, and has rows', () => {
  prepare();
  let commands = 0;
  for (const [tool, lines] of sections())
    for (const { there, here } of lines) {
      const command = /^`(proftui [^`]*)`/.exec(here)?.[1];
      if (command === undefined) {
        assert.match(here, /^`o`|^not needed/, `${tool}: ${there}`);
        continue;
      }
      commands++;
      const args = stringArgv(command).slice(1);
      // What opens the screen is loaded, and its findings are printed.
      const isPrinted = args.includes('--print') || args.includes('--export');
      const { code, out, err } = runWarm([...args, ...(isPrinted ? [] : ['--print', 'findings'])], {
        cwd: / build/.test(command) && !command.includes('!result') ? join(folder, 'recorded') : folder,
      });
      assert.equal(code, 0, `${command}: ${err}`);
      if (args.includes('--export')) continue;
      assert.ok(out.trimEnd().split('\n').length >= 4, `${command}: ${out}`);
      assert.doesNotMatch(out, /no row matches|has no rows|nothing is left/, command);
    }
  assert.ok(commands > 45, `${commands}`);
});
