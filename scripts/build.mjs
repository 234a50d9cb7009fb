// The program as one script in dist/, the library and the threads as modules, and the licences of what is in them.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { rowTypes } from './row-types.mjs';

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
 * A process object for meow: its name for the process would hide the command line from ps, and importing node:process opens standard
 * input, which the global does not.
 */
const meowsProcess = {
  name: 'meows-process',
  setup(to) {
    to.onResolve({ filter: /^(node:)?process$/ }, ({ importer }) =>
      /[\\/]meow[\\/]/.test(importer) ? { path: 'process', namespace: 'meow' } : undefined,
    );
    to.onLoad({ filter: /.*/, namespace: 'meow' }, () => ({
      contents: "module.exports = Object.create(process, { title: { value: 'proftui', writable: true } });",
    }));
  },
};
/**
 * Ink without what nothing asks of it: its developer tools (49 kB), its own terminal buffer (76 kB), which `render` makes only with an
 * option, and all of mnemonist but the one map that it uses.
 */
const smallInk = {
  name: 'small-ink',
  setup(to) {
    to.onLoad({ filter: /ink\/build\/devtools\.js$/ }, () => ({ contents: 'export {};' }));
    to.onLoad({ filter: /ink\/build\/terminal-buffer\.js$/ }, () => ({ contents: 'export default class {}' }));
    to.onResolve({ filter: /^mnemonist$/ }, ({ resolveDir }) => ({
      path: 'mnemonist',
      namespace: 'one-map',
      pluginData: resolveDir,
    }));
    to.onLoad({ filter: /.*/, namespace: 'one-map' }, ({ pluginData }) => ({
      contents: `exports.LRUMapWithDelete = require('mnemonist/lru-map-with-delete');`,
      resolveDir: pluginData,
    }));
  },
};

/** Files with other texts in place of some of theirs: [which file, the text, the other]. */
export const changed = (name, changes) => ({
  name,
  setup(to) {
    for (const [filter, from, into] of changes)
      to.onLoad({ filter }, ({ path }) => {
        const contents = readFileSync(path, 'utf8');
        if (!contents.includes(from)) throw new Error(`${path} has no more: ${from}`);
        return { contents: contents.replace(from, () => into), loader: path.endsWith('.ts') ? 'ts' : 'js' };
      });
  },
});

/** meow without the rules of npm for package.json: it is given a name and a version. */
const smallMeow = changed('small-meow', [
  [
    /meow\/build\/dependencies\.js$/,
    'var normalizeExports = requireNormalize();\nconst normalizePackageData = getDefaultExportFromCjs(normalizeExports);',
    'const normalizePackageData = () => {};',
  ],
]);

/** One script can neither import files nor await at its top, as the package of Ink's layout engine does. */
export const oneScript = changed('one-script', [
  [
    /yoga-layout\/dist\/src\/index\.js$/,
    'const Yoga = wrapAssembly(await loadYoga());\nexport default Yoga;',
    'let Yoga; export { Yoga as default }; export const ready = loadYoga().then((made) => { Yoga = wrapAssembly(made); });',
  ],
  [/ink\/build\/reconciler\.js$/, "await import('./devtools.js');", ''],
  [
    /src\/cli\/main\.ts$/,
    "await import('../tui/run.tsx');",
    "await import('../tui/run.tsx');\n await (await import('yoga-layout')).ready;",
  ],
]);

/** What every build has in common: scripts/sea.mjs makes another. */
/** The commit that is built; '' outside of a git checkout. */
const { stdout } = spawnSync('git', ['rev-parse', '--short=7', 'HEAD'], { encoding: 'utf8' });
export const commit = existsSync('.git') ? (stdout ?? '').trim() : '';

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
  define: {
    'process.env.NODE_ENV': '"production"',
    'process.env.DEV': '"false"',
    fetch: 'undefined',
    PROFTUI_COMMIT: JSON.stringify(commit),
  },
  plugins: [lazyWidth, meowsProcess, smallInk, smallMeow],
};
export const threads = {
  'load-worker': 'src/io/load-worker.ts',
  'task-worker': 'src/io/task-worker.ts',
  'read-worker': 'src/io/read-worker.ts',
};
/** Packages that name their licence without its text, and who holds the rights. */
const HOLDERS = {
  'yoga-layout': 'Facebook, Inc. and its affiliates',
  '@alcalzone/ink-table': 'Matic Zavadlal and AlCalzone',
  'median-quickselect': 'mad-gooze (https://github.com/mad-gooze)',
};

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

const ISC = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that
the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY
DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION,
ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`;

/** The text of the licence that a package names. Fails for one that nobody has looked at. */
function licenceOf(name, license) {
  const holder = HOLDERS[name];
  const text = { MIT, ISC }[license];
  if (!holder || !text)
    throw new Error(`${name}: its licence (${license}) has no text, and scripts/build.mjs does not know its holder`);
  return `Copyright (c) ${holder}\n\n${text}`;
}

/** What the WebAssembly of gecko-profiler-demangle is made of. */
const CRATES = `demangle.wasm, of gecko-profiler-demangle (Apache-2.0 OR MIT, see above), contains these Rust crates:

cpp_demangle      https://github.com/gimli-rs/cpp_demangle
rustc-demangle    https://github.com/rust-lang/rustc-demangle
msvc-demangler    https://github.com/mstange/msvc-demangler-rust

They are the work of their authors, who let them be used under the MIT licence:

${MIT}`;

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const LIBRARY = ['version', 'load', 'number', 'FormatError', 'analyse', 'formats', 'reports', 'report', 'exporters'];

/** The Rust crates in demangle.wasm, which is compiled without a list of them. */
export const crates = ['cpp_demangle', 'rustc-demangle', 'msvc-demangler'];

/** Makes dist/ and the licences of what is in it. Returns the folders of the packages that were bundled. */
export async function buildAll() {
  rmSync('dist', { recursive: true, force: true });
  const result = await build({
    ...shared,
    entryPoints: { library: 'src/library/index.ts', compiled: 'src/io/disk/compiled.ts', ...threads },
    outdir: 'dist',
    splitting: true,
    format: 'esm',
    plugins: [...shared.plugins, lazyRe2],
    define: { ...shared.define, PROFTUI_VERSION: JSON.stringify(version) },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  // One script, whose compiled code is kept (src/io/disk/compiled.ts): V8 takes the code of a script, not of a module.
  const program = await build({
    ...shared,
    entryPoints: { main: 'src/cli/main.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    plugins: [...shared.plugins, lazyRe2, oneScript],
    supported: { 'dynamic-import': false },
    define: { ...shared.define, 'import.meta': '__meta' },
    banner: { js: "const __meta = { url: require('node:url').pathToFileURL(__filename).href };" },
    write: false,
  });
  // esbuild leaves other characters in expressions and tagged templates; nothing asks these for their raw text.
  const escaped = (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
  for (const { path, text } of program.outputFiles) writeFileSync(path, text.replace(/[^\0-\x7f]/g, escaped));
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

  if (commit !== '') writeFileSync('dist/commit', commit);
  copyFileSync('node_modules/gecko-profiler-demangle/index_bg.wasm', 'dist/demangle.wasm');

  mkdirSync('dist/tour', { recursive: true });
  for (const file of ['words.out.gz', 'words.cpp']) copyFileSync(`fixtures/tour/${file}`, `dist/tour/${file}`);
  // What the library is, is said by one file of types.
  const general = /\/\*\* By report, the type of its rows\..*?\*\/\nexport type ReportRows = .*?;\n/s;
  const written = readFileSync('src/library/types.ts', 'utf8');
  if (!general.test(written)) throw new Error('src/library/types.ts: expected the type ReportRows with its comment');
  const types = written.replace(general, () => `${rowTypes()}\n`);
  writeFileSync(
    'dist/library.d.ts',
    `${types}\n${LIBRARY.map((name) => `export declare const ${name}: Library['${name}'];`).join('\n')}\n`,
  );

  const packages = new Set();
  for (const input of Object.keys({ ...result.metafile.inputs, ...program.metafile.inputs, ...re2.metafile.inputs })) {
    const m = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (m) packages.add(input.slice(0, m[0].length - 1));
  }
  const notices = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((f) => /^(licen[cs]e|copying)/i.test(f));
    const text =
      file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8').trim() : licenceOf(name, license);
    // meow is a bundle itself, and lists what is in it.
    const inner = join(folder, 'build/licenses.md');
    const more = existsSync(inner) ? `\nIt contains:\n\n${readFileSync(inner, 'utf8').trim()}\n` : '';
    return `${name} ${version} (${license})\n\n${text}\n${more}`;
  });
  const rule = `\n${'-'.repeat(80)}\n\n`;
  writeFileSync(
    'THIRD-PARTY-NOTICES.txt',
    `The bundle in dist/ contains these packages.${rule}${[...notices, CRATES].join(rule)}\n`,
  );
  return [...packages].sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAll();
