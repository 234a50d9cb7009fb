// One bundle and its worker in dist/, with everything in them, and the licences of what is in them.
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url).pathname;
process.chdir(root);
rmSync('dist', { recursive: true, force: true });
const result = await build({
  entryPoints: { main: 'src/cli/main.ts', 'load-worker': 'src/io/load-worker.ts', 'task-worker': 'src/io/task-worker.ts' },
  outdir: 'dist',
  bundle: true,
  // Ink and React go to a chunk of their own: what prints never loads them.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  jsx: 'automatic',
  // Half the bytes to parse at start; keeping names would cost a call for every function.
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': '"production"' },
  // Ink's developer tools: asked for by an environment variable that the program does not know.
  external: ['react-devtools-core'],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});

copyFileSync('node_modules/gecko-profiler-demangle/index_bg.wasm', 'dist/demangle.wasm');

const packages = new Set();
for (const input of Object.keys(result.metafile.inputs)) {
  const m = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (m) packages.add(input.slice(0, m[0].length - 1));
}
const notices = [...packages].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((f) => /^(licen[cs]e|copying)/i.test(f));
  const text = file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8').trim() : `Licence: ${license}`;
  return `${name} ${version} (${license})\n\n${text}\n`;
});
const rule = `\n${'-'.repeat(80)}\n\n`;
writeFileSync('THIRD-PARTY-NOTICES.txt', `The bundle in dist/ contains these packages.${rule}${notices.join(rule)}`);
