// Builds, then runs the tests of every file under test/, or of those named; with --long those that take long, and those alone.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build, stop } from 'esbuild';
import { ownPlace } from './own-place.mjs';

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

// In one build, with a chunk for what several share: through tsx each file loads all its sources anew, 0.3 to 1.4 CPU seconds more.
mkdirSync('.cache', { recursive: true });
const bundles = mkdtempSync(join(root, '.cache/tests-'));
await build({
  entryPoints: files,
  outdir: bundles,
  outbase: '.',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  jsx: 'automatic',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
  plugins: [ownPlace],
});
await stop();
/** Files that share a process, which loads sources and fixtures once: a process of its own costs each half a second of CPU. */
const TOGETHER = 8;
/** Files that change what others in the process see. */
const ALONE = /process\.(env(\[[^\]]+\]|\.\w+) =|chdir|umask|on\()|delete process\.env|mock\.|globalThis|test\/pty/;

/** Without --long, inputs are drawn by one seed: a failure is then that of a change. --long draws new ones. */
const seeded = join(bundles, 'seeded.mjs');
writeFileSync(seeded, "import fc from 'fast-check';\nfc.configureGlobal({ seed: 20261128 });\n");

function groupsOf(all) {
  const groups = [];
  for (const file of all) {
    const last = groups.at(-1);
    const isAlone = ALONE.test(file) || ALONE.test(readFileSync(file, 'utf8'));
    if (!isAlone && last && last.folder === dirname(file) && last.files.length < TOGETHER) last.files.push(file);
    else groups.push({ folder: isAlone ? '' : dirname(file), files: [file] });
  }
  return groups.map(({ files: own }, k) => {
    const path = join(bundles, `group-${k}.test.js`);
    const isDrawn = !isLong && own.some((file) => readFileSync(file, 'utf8').includes("from 'fast-check'"));
    const imports = [
      ...(isDrawn ? [`import ${JSON.stringify(seeded)};\n`] : []),
      ...own.map((file) => `import ${JSON.stringify(join(bundles, file.replace(/\.tsx?$/, '.js')))};\n`),
    ];
    writeFileSync(path, imports.join(''));
    return path;
  });
}
const entries = groupsOf(files);
// Caches and answers of the user stay out of it.
const home = mkdtempSync(join(tmpdir(), 'proftui-test-'));
// One file more at a time than there are cores: many tests wait, for a program or for what must not happen.
const atOnce = `--test-concurrency=${availableParallelism() + 1}`;
const only = isLong ? ['--test-only'] : [];
const result = spawnSync(
  process.execPath,
  ['--enable-source-maps', '--test', ...only, atOnce, '--test-reporter', 'spec', ...entries],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(isLong ? { PROFTUI_TESTS: 'long' } : {}),
      NODE_ENV: 'test',
      // Folders that tests make are gone with it.
      TMPDIR: home,
      XDG_CACHE_HOME: join(home, 'cache'),
      XDG_STATE_HOME: join(home, 'state'),
    },
  },
);
for (const folder of [home, bundles]) rmSync(folder, { recursive: true, force: true });
process.exitCode = result.status ?? 1;
