// Compiles assembly/ to WebAssembly, as a module of text in src: what runs from the sources and from the bundle is the same.
// --check only compares, and exits with 1 where the module is not what the sources make.
import { readFileSync, writeFileSync } from 'node:fs';
import asc from 'assemblyscript/asc';

const SOURCE = 'assembly/callgrind-digest.ts';
const TARGET = 'src/formats/callgrind/digest-code.ts';
process.chdir(new URL('..', import.meta.url).pathname);
let code;
const { error, stderr } = await asc.main(
  [
    SOURCE,
    '-o',
    'code.wasm',
    '-O3',
    '--enable',
    'simd',
    '--runtime',
    'stub',
    '--noAssert',
    '--use',
    'abort=',
    '--initialMemory',
    '128',
    '--pedantic',
  ],
  {
    writeFile: (_, contents) => {
      code = Buffer.from(contents);
    },
  },
);
process.stderr.write(stderr.toString());
if (error) throw error;
const text = `// Made by \`npm run wasm\` of ${SOURCE}; not to be edited.\n// biome-ignore format: one line\nexport const DIGEST_CODE = '${code.toString('base64')}';\n`;
if (!process.argv.includes('--check')) writeFileSync(TARGET, text);
else if (readFileSync(TARGET, 'utf8') !== text) {
  process.stderr.write(`${TARGET} is not what ${SOURCE} makes: npm run wasm\n`);
  process.exitCode = 1;
}
