// proftui-linux-x64 or proftui-linux-arm64: the program and a Node in one file, for servers without Node.
// `npm run sea -- [--target linux-arm64 [--sysroot FOLDER]] [NODE]`; NODE is another binary of Node to put in, or for a processor other than this
// one, the Node whose version is put in. FOLDER has libraries of that processor: qemu then runs the result, which is else only looked at.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { inject } from 'postject';
import { buildAll, changed, commit, oneScript, shared, threads } from './build.mjs';

// The executable is compared with what dist/ says.
if (!existsSync('dist/main.cjs')) await buildAll();

/** Processors: their number in the header of an ELF file, their loader, and the program of Debian's qemu-user that runs their code. */
const PROCESSORS = {
  x64: { machine: 62, loader: 'ld-linux-x86-64', emulator: 'qemu-x86_64', strip: 'x86_64-linux-gnu-strip' },
  arm64: { machine: 183, loader: 'ld-linux-aarch64', emulator: 'qemu-aarch64', strip: 'aarch64-linux-gnu-strip' },
};
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { target: { type: 'string', default: 'linux-x64' }, sysroot: { type: 'string' } },
});
const arch = flags.target.replace(/^linux-/, '');
if (!Object.hasOwn(PROCESSORS, arch) || flags.target !== `linux-${arch}`)
  throw new Error(`--target ${flags.target}: expected linux-x64 or linux-arm64`);
const processor = PROCESSORS[arch];
/** For another processor, nothing can be compiled here in advance, nor run without an emulator. */
const isForeign = arch !== process.arch;

const WORK = '.cache/sea';
const OUT = `proftui-${flags.target}`;
const MAJOR = 24;
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
mkdirSync(WORK, { recursive: true });

/** The Node to put in: its npm package, as in journeys.mjs. It writes the blob, too: compiled code is only good for the same version. */
function nodeBinary() {
  const prefix = `.cache/node-${MAJOR}`;
  const binary = `${prefix}/node_modules/node/bin/node`;
  if (!existsSync(binary))
    execFileSync('npm', ['install', '--no-save', '--prefix', prefix, `node@${MAJOR}`], { stdio: 'inherit' });
  return binary;
}

/** The same version of Node for another processor, from its npm package. Its checksum must be that in the registry. */
function foreignNode(version) {
  const name = `node-${flags.target}`;
  const folder = `.cache/${name}-${version}`;
  if (!existsSync(folder)) {
    const npm = (...words) => JSON.parse(execFileSync('npm', [...words, '--json'], { encoding: 'utf8' }));
    const draft = `${folder}.part`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { recursive: true });
    const [, expected] = /^sha512-(\S+)$/.exec(npm('view', `${name}@${version}`, 'dist.integrity')) ?? [];
    const [{ filename }] = npm('pack', `${name}@${version}`, '--pack-destination', draft);
    const digest = createHash('sha512')
      .update(readFileSync(`${draft}/${filename}`))
      .digest('base64');
    if (digest !== expected) throw new Error(`${name}@${version}: its SHA-512 is ${digest}; the registry says ${expected}`);
    console.log(`${name}@${version}: SHA-512 as the registry says`);
    execFileSync('tar', ['-C', draft, '--strip-components=1', '-xzf', `${draft}/${filename}`]);
    rmSync(`${draft}/${filename}`);
    renameSync(draft, folder);
  }
  return `${folder}/bin/node`;
}

/** re2js in the script itself, loaded with the first expression: there is no file beside it. */
const innerRe2 = changed('inner-re2', [
  [
    /src\/base\/pattern\.ts$/,
    "import { RE2JS } from 're2js';",
    "const RE2JS = { compile: (text) => require('re2js').RE2JS.compile(text) };",
  ],
]);

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
// As bin/proftui.js, without the cache of compiled code: it is in the executable.
const launcher = `
const nothing = () => {};
process.on('SIGUSR1', nothing).off('SIGUSR1', nothing);
const [, , word, ...more] = process.argv;
if (more.length === 0 && (word === '-V' || word === '--version')) process.stdout.write('proftui ${version} (${commit && `commit ${commit}, `}node ' + process.version + ', ' + process.platform + '-' + process.arch + ')\\n');
else require('./src/cli/main.ts').main(process.argv.slice(2), '${version}').then((code) => { process.exitCode = code; });
`;
writeFileSync(`${WORK}/launcher.cjs`, launcher.replaceAll('./src/', '../../src/'));
await build({
  ...shared,
  entryPoints: { main: `${WORK}/launcher.cjs`, ...threads },
  outdir: WORK,
  format: 'iife',
  plugins: [...shared.plugins, innerRe2, oneScript],
  // Only names of a file that is nowhere.
  define: { ...shared.define, 'import.meta': '{"url":"file:///proftui"}' },
  supported: { 'dynamic-import': false },
});

const assets = {
  'demangle.wasm': 'dist/demangle.wasm',
  ...Object.fromEntries(['words.out.gz', 'words.cpp'].map((name) => [name, `fixtures/tour/${name}`])),
  ...Object.fromEntries(Object.keys(threads).map((n) => [`${n}.js`, `${WORK}/${n}.js`])),
};
const config = {
  main: `${WORK}/main.js`,
  output: `${WORK}/blob`,
  disableExperimentalSEAWarning: true,
  // Compiled code is only good for the processor that it was compiled on.
  useCodeCache: !isForeign,
  assets,
};
writeFileSync(`${WORK}/config.json`, JSON.stringify(config));
const node = positionals[0] ?? nodeBinary();
execFileSync(node, ['--experimental-sea-config', `${WORK}/config.json`], { stdio: 'inherit' });
const base = isForeign ? foreignNode(execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1)) : node;
copyFileSync(base, OUT);
chmodSync(OUT, 0o755);
// Symbols of Node that nobody looks up: 10 MB. What is injected must come after that. GNU's strip knows its own processor only.
const strips = isForeign ? ['llvm-strip', processor.strip] : ['strip'];
if (!strips.some((program) => spawnSync(program, [OUT]).status === 0))
  console.log(`without ${strips.join(' or ')}, it keeps the symbols of Node`);
const blob = readFileSync(config.output);
await inject(OUT, 'NODE_SEA_BLOB', blob, { sentinelFuse: FUSE });

const made = readFileSync(OUT);
if (made.readUInt32BE(0) !== 0x7f454c46 || made.readUInt16LE(18) !== processor.machine)
  throw new Error(`${OUT} is no ELF file for ${arch}`);
if (!made.includes(blob) || !made.includes(`${FUSE}:1`)) throw new Error(`${OUT} does not contain the program`);
console.log(`${OUT}: an ELF file for ${arch} that contains the program`);

/** The words that start the executable here; undefined if nothing here runs its code. */
function starter() {
  if (!isForeign) return [`./${OUT}`];
  if (flags.sysroot === undefined) return undefined;
  const emulator = execFileSync('sh', ['-c', `command -v ${processor.emulator}`], { encoding: 'utf8' }).trim();
  return [emulator, '-L', flags.sysroot, `./${OUT}`];
}

/** It must say what the program says: with threads for loading and for pieces, the demangler and re2js, and with nothing on the PATH. */
function compare([program, ...first]) {
  const [big, samples] = [`${WORK}/big.callgrind.out`, 'fixtures/gperftools/signal.prof.0'];
  writeFileSync(big, gunzipSync(readFileSync('fixtures/callgrind/real-python.callgrind.out.gz')).toString().repeat(10));
  for (const words of [
    ['--version'],
    ['--print', 'summary', 'fixtures/callgrind/default.callgrind.out'],
    ['--print', 'routines', big],
    ['--print', 'routines', samples, '--binary', 'fixtures/gperftools/bin/spin-pie-g', '--filter', '/(\\w+:)+.*s.*t/'],
    ['--print', 'nothing'],
  ]) {
    const run = (...command) =>
      spawnSync(command[0], [...command.slice(1), ...words], { encoding: 'utf8', env: { PATH: '' }, maxBuffer: 1 << 28 });
    // The Node that wrote the blob has the version of the one inside.
    const [{ status, stdout, stderr }, same] = [run(program, ...first), run(resolve(node), 'bin/proftui.js')];
    const expected = words[0] === '--version' ? same.stdout.replace(`-${process.arch})`, `-${arch})`) : same.stdout;
    if (status !== same.status || stdout !== expected || stderr !== same.stderr || stdout + stderr === '')
      throw new Error(
        `${OUT} ${words.join(' ')}: exit ${status}, ${stdout.length} characters, not ${expected.length}; ${stderr}`,
      );
    console.log(`same: ${words.join(' ')}: ${stdout.length} characters, exit ${status}`);
  }
}
const command = starter();
if (command) compare(command);
else console.log(`not run: --sysroot FOLDER names libraries for ${arch}, with which ${processor.emulator} runs it`);

// The libraries that it needs of the system. README.md says them.
const LIBRARIES = ['libdl', 'libstdc++', 'libm', 'libgcc_s', 'libpthread', 'libc', 'linux-vdso', processor.loader];
const ldd = isForeign
  ? spawnSync('readelf', ['--dynamic', '--wide', OUT], { encoding: 'utf8' })
  : spawnSync('ldd', [OUT], { encoding: 'utf8' });
if (ldd.error) console.log(`without ${isForeign ? 'readelf (binutils)' : 'ldd'}, its libraries are not checked`);
const listed = ldd.error ? [] : ldd.stdout.trim().split('\n');
const needed = isForeign ? listed.flatMap((line) => /\(NEEDED\).*\[(.*)\]/.exec(line)?.[1] ?? []) : listed;
for (const line of needed) {
  const name = line
    .trim()
    .split('/')
    .at(line.trim().startsWith('/') ? -1 : 0)
    .split('.so')[0];
  if (line.includes('not found') || !LIBRARIES.includes(name))
    throw new Error(`${OUT} needs a library that README.md does not name: ${line}`);
}
console.log(`${OUT}: ${(statSync(OUT).size / 1e6).toFixed(1)} MB`);
