// proftui-linux-x64: the program and a Node in one file, for servers without Node. `npm run sea [NODE]`; NODE is another binary of Node to put in.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { inject } from 'postject';
import { buildAll, changed, commit, oneScript, shared, threads } from './build.mjs';

// The executable is compared with what dist/ says.
if (!existsSync('dist/main.cjs')) await buildAll();

const WORK = '.cache/sea';
const OUT = 'proftui-linux-x64';
const MAJOR = 24;
mkdirSync(WORK, { recursive: true });

/** The Node to put in: its npm package, as in journeys.mjs. It writes the blob, too: compiled code is only good for the same version. */
function nodeBinary() {
  const prefix = `.cache/node-${MAJOR}`;
  const binary = `${prefix}/node_modules/node/bin/node`;
  if (!existsSync(binary))
    execFileSync('npm', ['install', '--no-save', '--prefix', prefix, `node@${MAJOR}`], { stdio: 'inherit' });
  return binary;
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
// What bin/proftui.js does, without the cache of compiled code: it is in the executable.
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
  useCodeCache: true,
  assets,
};
writeFileSync(`${WORK}/config.json`, JSON.stringify(config));
const node = process.argv[2] ?? nodeBinary();
execFileSync(node, ['--experimental-sea-config', `${WORK}/config.json`], { stdio: 'inherit' });
copyFileSync(node, OUT);
// Symbols of Node that nobody looks up: 10 MB. What is injected must come after that.
if (spawnSync('strip', [OUT]).error) console.log('without strip (binutils), it keeps the symbols of Node');
await inject(OUT, 'NODE_SEA_BLOB', readFileSync(config.output), {
  sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
});

// It must say what the program says: with threads for loading and for pieces, the demangler and re2js, and with nothing on the PATH.
const [big, samples] = [`${WORK}/big.callgrind.out`, 'fixtures/gperftools/signal.prof.0'];
writeFileSync(big, gunzipSync(readFileSync('fixtures/callgrind/real-python.callgrind.out.gz')).toString().repeat(10));
for (const words of [
  ['--version'],
  ['--print', 'routines', big],
  ['--print', 'routines', samples, '--binary', 'fixtures/gperftools/bin/spin-pie-g', '--filter', '/(\\w+:)+.*s.*t/'],
  ['--print', 'nothing'],
]) {
  const run = (program, ...first) =>
    spawnSync(program, [...first, ...words], { encoding: 'utf8', env: { PATH: '' }, maxBuffer: 1 << 28 });
  const [{ status, stdout, stderr }, same] = [run(`./${OUT}`), run(process.execPath, 'bin/proftui.js')];
  if (status !== same.status || stdout !== same.stdout || stderr !== same.stderr || stdout + stderr === '')
    throw new Error(
      `${OUT} ${words.join(' ')}: exit ${status}, ${stdout.length} characters, not ${same.stdout.length}; ${stderr}`,
    );
  console.log(`same: ${words.join(' ')}: ${stdout.length} characters, exit ${status}`);
}
// What it needs of the system. README.md says it.
const LIBRARIES = ['libdl', 'libstdc++', 'libm', 'libgcc_s', 'libpthread', 'libc', 'linux-vdso', 'ld-linux-x86-64'];
const ldd = spawnSync('ldd', [OUT], { encoding: 'utf8' });
for (const line of ldd.error ? [] : ldd.stdout.trim().split('\n')) {
  const name = line
    .trim()
    .split('/')
    .at(line.trim().startsWith('/') ? -1 : 0)
    .split('.so')[0];
  if (line.includes('not found') || !LIBRARIES.includes(name))
    throw new Error(`${OUT} needs a library that README.md does not name: ${line}`);
}
console.log(`${OUT}: ${(statSync(OUT).size / 1e6).toFixed(1)} MB`);
