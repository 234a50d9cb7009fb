// One bundle and its worker in dist/, with everything in them, and the licences of what is in them.
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url).pathname;
process.chdir(root);

/**
 * string-width, loaded with the first text that needs it: its expressions and tables take 30 ms at the start, and most profiles have only
 * names of ASCII. Ink asks it for every text, so this stands in its place for all.
 */
const lazyWidth = {
  name: 'lazy-width',
  setup(to) {
    to.onResolve({ filter: /^string-width$/ }, ({ pluginData }) =>
      pluginData === 'real' ? undefined : { path: 'string-width', namespace: 'lazy' },
    );
    to.onLoad({ filter: /.*/, namespace: 'lazy' }, () => ({
      contents: `let real;
        export default (text, options) =>
          typeof text === 'string' && /^[\\x20-\\x7e]*$/.test(text) ? text.length : (real ??= require('real-string-width').default)(text, options);`,
      resolveDir: process.cwd(),
    }));
    to.onResolve({ filter: /^real-string-width$/ }, ({ resolveDir }) =>
      to.resolve('string-width', { kind: 'import-statement', resolveDir, pluginData: 'real' }),
    );
  },
};
/** re2js, a file of its own, loaded with the first expression that needs it. */
const lazyRe2 = {
  name: 'lazy-re2',
  setup(to) {
    to.onResolve({ filter: /^re2js$/ }, () => ({ path: 're2js', namespace: 'lazy-re2' }));
    to.onResolve({ filter: /^\.\/re2js\.cjs$/ }, () => ({ path: './re2js.cjs', external: true }));
    to.onLoad({ filter: /.*/, namespace: 'lazy-re2' }, () => ({
      contents: `export const RE2JS = { compile: (source) => require('./re2js.cjs').RE2JS.compile(source) };`,
    }));
  },
};
/**
 * meow without what is not asked of it: reading and normalizing package.json (5,000 lines of 7,300), and a name for the process, which
 * would hide the command line from ps. Importing node:process opens standard input; the global does not.
 */
const smallMeow = {
  name: 'small-meow',
  setup(to) {
    const cuts = {
      'dependencies.js': [
        ["import process$1 from 'node:process';", 'const process$1 = process;'],
        ['var libExports = requireLib$1();', ''],
        ['var normalizeExports = requireNormalize();', ''],
        ['const normalizePackageData = getDefaultExportFromCjs(normalizeExports);', 'const normalizePackageData = () => {};'],
        ['promisify(execFile);', ''],
        ["const filePath = findUpSync('package.json', options);", 'return undefined;'],
      ],
      'index.js': [
        ["import process from 'node:process';", ''],
        ['process.title = getProcessTitle(parsedOptions.pkg);', ''],
      ],
      'options.js': [["import process from 'node:process';", '']],
      'validate.js': [["import process from 'node:process';", '']],
    };
    to.onLoad({ filter: /[\\/]meow[\\/]build[\\/](dependencies|index|options|validate)\.js$/ }, ({ path }) => {
      let contents = readFileSync(path, 'utf8');
      for (const [from, into] of cuts[basename(path)]) {
        if (!contents.includes(from)) throw new Error(`${path} has no more: ${from}`);
        contents = contents.replace(from, () => into);
      }
      return { contents };
    });
  },
};
/** What every build has in common: scripts/sea.mjs makes another. */
export const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  jsx: 'automatic',
  // Half the bytes to parse at start; keeping names would cost a call for every function.
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  // DEV=true in someone's environment would make Ink look for its developer tools.
  // Nothing here asks the network; Ink's layout engine would load Node's client for its own WebAssembly, 15 ms.
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"', fetch: 'undefined' },
  // Ink's developer tools, which nothing asks for.
  external: ['react-devtools-core'],
  plugins: [lazyWidth, smallMeow],
};
export const threads = {
  'load-worker': 'src/io/load-worker.ts',
  'task-worker': 'src/io/task-worker.ts',
  'read-worker': 'src/io/read-worker.ts',
};
/** Makes dist/ and the licences of what is in it. */
export async function buildAll() {
  rmSync('dist', { recursive: true, force: true });
  const result = await build({
    ...shared,
    entryPoints: { main: 'src/cli/main.ts', 'compile-cache': 'src/io/disk/compile-cache.ts', ...threads },
    outdir: 'dist',
    // Ink and React go to a chunk of their own: what prints never loads them.
    splitting: true,
    format: 'esm',
    plugins: [...shared.plugins, lazyRe2],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  const re2 = await build({
    entryPoints: ['node_modules/re2js/build/index.js'],
    outfile: 'dist/re2js.cjs',
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });

  copyFileSync('node_modules/gecko-profiler-demangle/index_bg.wasm', 'dist/demangle.wasm');

  const packages = new Set();
  for (const input of Object.keys({ ...result.metafile.inputs, ...re2.metafile.inputs })) {
    const m = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (m) packages.add(input.slice(0, m[0].length - 1));
  }
  const notices = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((f) => /^(licen[cs]e|copying)/i.test(f));
    const text = file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8').trim() : `Licence: ${license}`;
    // meow is a bundle itself, and lists what is in it.
    const inner = join(folder, 'build/licenses.md');
    const more = existsSync(inner) ? `\nIt contains:\n\n${readFileSync(inner, 'utf8').trim()}\n` : '';
    return `${name} ${version} (${license})\n\n${text}\n${more}`;
  });
  const rule = `\n${'-'.repeat(80)}\n\n`;
  writeFileSync('THIRD-PARTY-NOTICES.txt', `The bundle in dist/ contains these packages.${rule}${notices.join(rule)}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAll();
