// Runs the journeys of the built program under other Nodes: `npm run test:nodes`. The npm package `node` brings a binary.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const root = new URL('..', import.meta.url).pathname;
process.chdir(root);
let failed = false;
for (const major of process.argv.slice(2)) {
  const prefix = `${root}.cache/node-${major}`;
  const binary = `${prefix}/node_modules/node/bin/node`;
  if (!existsSync(binary)) spawnSync('npm', ['install', '--no-save', '--prefix', prefix, `node@${major}`], { stdio: 'inherit' });
  const version = spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout.trim();
  process.stdout.write(`journeys under ${version}\n`);
  const result = spawnSync(
    process.execPath,
    [
      '--import',
      'tsx',
      '--test',
      'test/pty/journeys.test.ts',
      'test/pty/flags.test.ts',
      'test/pty/signals.test.ts',
      'test/cli/print.test.ts',
    ],
    {
      stdio: 'inherit',
      env: { ...process.env, PROFTUI_TEST_NODE: binary, NODE_ENV: 'test' },
    },
  );
  failed ||= result.status !== 0;
}
process.exitCode = failed ? 1 : 0;
