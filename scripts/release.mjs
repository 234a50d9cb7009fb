// Everything that a release consists of, in release/: the npm package, the executables for x64 and arm64, their archives and Debian packages,
// a list of what is in them (CycloneDX) and the checksums of all. `npm run release -- --check` only looks whether the version can be released.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildAll, crates } from './build.mjs';

process.chdir(new URL('..', import.meta.url).pathname);
const { name, version, description, license } = JSON.parse(readFileSync('package.json', 'utf8'));
const OUT = 'release';

const run = (command, ...words) => execFileSync(command, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** Reasons not to release this version. */
function problems() {
  const out = [];
  const [, first = ''] = /^## (.*)$/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
  if (!new RegExp(`^\\[?${version.replaceAll('.', '\\.')}\\]? - \\d{4}-\\d\\d-\\d\\d$`).test(first))
    out.push(`CHANGELOG.md: expected the first section to be ## ${version} - YEAR-MONTH-DAY, found ## ${first}`);
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')).version;
  if (lock !== version) out.push(`package-lock.json: expected version ${version}, found ${lock}`);
  const changed = run('git', 'status', '--porcelain').trim();
  if (changed !== '') out.push(`expected a clean work tree, found changes:\n${changed}`);
  if (run('git', 'tag', '--list', `v${version}`).trim() !== '') out.push(`the tag v${version} exists already`);
  return out;
}

/** meow is a bundle itself, and lists what is in it. */
const INNER = 'build/licenses.md';
const bundledIn = (text) =>
  [...text.matchAll(/^Name: (.*)\nVersion: (.*)\nLicense: (.*)$/gm)].map(([, name, version, license]) => ({
    name,
    version,
    license,
  }));

/** The parts of the artefacts, as the bundler saw them. */
function billOf(folders, node) {
  const library = ({ name, version, license }) => ({
    type: 'library',
    ...{ name, version, 'bom-ref': `npm:${name}@${version}`, purl: `pkg:npm/${name.replace('@', '%40')}@${version}` },
    licenses: [license.includes(' ') ? { expression: license } : { license: { id: license } }],
  });
  const packages = folders.flatMap((folder) => [
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
    ...(existsSync(join(folder, INNER)) ? bundledIn(readFileSync(join(folder, INNER), 'utf8')) : []),
  ]);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        ...{ name, version, description, 'bom-ref': `${name}@${version}`, purl: `pkg:npm/${name}@${version}` },
        licenses: [{ license: { id: license } }],
      },
    },
    components: [
      ...packages.map(library),
      // The versions are those of the package that contains their WebAssembly.
      ...crates.map((crate) => ({ type: 'library', name: crate, 'bom-ref': `cargo:${crate}`, purl: `pkg:cargo/${crate}` })),
      {
        type: 'platform',
        ...{ name: 'node', version: node, 'bom-ref': `node@${node}`, purl: `pkg:generic/node@${node}` },
        description: 'only in the executables, the archives and the Debian packages',
        licenses: [{ license: { id: 'MIT' } }],
      },
    ],
  };
}

const found = problems();
if (found.length > 0) {
  process.stderr.write(`${found.join('\n')}\n`);
  process.exit(1);
}
if (process.argv.includes('--check')) process.exit(0);

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT);
const folders = await buildAll();
for (const target of ['linux-x64', 'linux-arm64'])
  for (const script of ['sea', 'package']) run(process.execPath, `scripts/${script}.mjs`, '--target', target);
run('npm', 'pack', '--pack-destination', OUT);
const made = new RegExp(`^${name}(?:[-_].*\\.(?:tar\\.gz|deb)|-linux-(?:x64|arm64))$`);
for (const file of readdirSync('.').filter((file) => made.test(file))) renameSync(file, join(OUT, file));
const { version: node } = JSON.parse(readFileSync('.cache/node-24/node_modules/node/package.json', 'utf8'));
writeFileSync(join(OUT, `${name}-${version}.cdx.json`), `${JSON.stringify(billOf(folders, node), null, 2)}\n`);
const sums = readdirSync(OUT).sort();
const digest = (file) =>
  createHash('sha256')
    .update(readFileSync(join(OUT, file)))
    .digest('hex');
writeFileSync(join(OUT, 'SHA256SUMS'), sums.map((file) => `${digest(file)}  ${file}\n`).join(''));
for (const file of [...sums, 'SHA256SUMS']) console.log(join(OUT, file));
