#!/usr/bin/env node
// Starts the bundle. What needs nothing of it (--version) does not wait for it.
import { existsSync, readFileSync } from 'node:fs';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';

// Whoever sends SIGUSR1 would have Node open its debugger. A listener takes that away, and without it again the signal ends the program.
const nothing = () => {};
process.on('SIGUSR1', nothing).off('SIGUSR1', nothing);

try {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (process.argv.length === 3 && ['-V', '--version'].includes(process.argv[2])) {
    // A reader that is gone needs no answer; a full disk is told.
    process.stdout.on('error', (error) => {
      if (error.code === 'EPIPE') process.exit(0);
      process.stderr.write(`proftui: standard output: ${error.code === 'ENOSPC' ? 'the disk is full' : error.message}\n`);
      process.exit(1);
    });
    const file = new URL('../dist/commit', import.meta.url);
    const commit = existsSync(file) ? `commit ${readFileSync(file, 'utf8')}, ` : '';
    // As versionText() in src/cli/version.ts.
    process.stdout.write(`proftui ${version} (${commit}node ${process.version}, ${process.platform}-${process.arch})\n`);
  } else if (major < 20 || (major === 20 && minor < 19)) {
    process.stderr.write(`proftui: needs Node 20.19 or later, this is ${process.versions.node}\n`);
    process.exitCode = 2;
  } else {
    // React decides by this, when it is loaded, whether it carries its development checks.
    process.env['NODE_ENV'] = 'production';
    const { runCompiled } = await import('../dist/compiled.js');
    const use = isatty(1) && !process.argv.includes('--print') ? 'screen' : 'print';
    const { main } = runCompiled(fileURLToPath(new URL('../dist/main.cjs', import.meta.url)), use);
    process.exitCode = await main(process.argv.slice(2), version);
  }
} catch (error) {
  // The program says itself what goes wrong in it: here, a file of its own is missing or broken.
  const isCheckout = existsSync(new URL('../src/cli/main.ts', import.meta.url));
  const hint =
    error?.code === 'EMFILE' || error?.code === 'ENFILE'
      ? 'raise the limit of open files: ulimit -n 256'
      : error?.code === 'EACCES'
        ? 'the files of the package cannot be read by this user'
        : isCheckout
          ? 'npm ci && npm run build builds it'
          : 'a file of the package is missing or broken: install it again';
  process.stderr.write(
    `proftui: cannot start: ${error instanceof Error ? error.message.split('\n')[0] : error}\n` + `hint: ${hint}\n`,
  );
  process.exitCode = 2;
}
