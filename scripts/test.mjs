// Builds, then runs the tests of every file under test/, or of those named; with --long those that take long, and those alone.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
process.chdir(root);
const built = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
if (built.status !== 0) process.exit(1);

function testsIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return testsIn(path);
    return /\.test\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

const isLong = process.argv.includes('--long');
const given = process.argv.slice(2).filter((word) => word !== '--long');
const all = given.length > 0 ? given : testsIn('test').sort();
// Only some files have tests that take long (test/support/long.ts).
const files = isLong ? all.filter((file) => readFileSync(file, 'utf8').includes('support/long.ts')) : all;
// Caches and answers of the user stay out of it.
const home = mkdtempSync(join(tmpdir(), 'proftui-test-'));
// As many files at a time as there are cores: Node leaves one of them idle, which is half of a small machine.
const atOnce = `--test-concurrency=${availableParallelism()}`;
const only = isLong ? ['--test-only'] : [];
const result = spawnSync(process.execPath, ['--import', 'tsx', '--test', ...only, atOnce, '--test-reporter', 'spec', ...files], {
  stdio: 'inherit',
  env: {
    ...process.env,
    ...(isLong ? { PROFTUI_TESTS: 'long' } : {}),
    NODE_ENV: 'test',
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_STATE_HOME: join(home, 'state'),
  },
});
rmSync(home, { recursive: true, force: true });
process.exitCode = result.status ?? 1;
