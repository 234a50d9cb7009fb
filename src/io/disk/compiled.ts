// Keeps the compiled code of the program between runs: compiling takes a third of the time until the first frame. V8 trusts
// such code. So the file is in a private folder, its name is the hash of the source, and it begins with its own digest.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { privateFolder } from './private-folder.ts';
import { replaceFile } from './writing.ts';

const digestOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const DIGEST = 32;

/** The newest files are kept: for the screen and for printing, for some versions of the program. */
const MOST_FILES = 6;
/** By then the first frame is drawn, and V8 has not dropped its functions yet. */
const FIRST_FRAME_MS = 3000;

/**
 * Runs an ASCII-only CommonJS script, and returns its exports. `use`: runs of one use need the same functions, so each use
 * has its own file of compiled code. Without a private folder nothing is kept.
 */
export function runCompiled(path: string, use: 'screen' | 'print'): unknown {
  const source = readFileSync(path);
  const folder = process.env['NODE_DISABLE_COMPILE_CACHE'] ? undefined : privateFolder('cache', 'compiled');
  const name = `${digestOf(source).toString('hex')}-${process.version}-${process.arch}-${use}`;
  const cachedData = folder === undefined ? undefined : readIntactCode(join(folder, name));
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${source.toString('latin1')}\n})`;
  const script = new Script(wrapped, { filename: path, ...(cachedData ? { cachedData } : {}) });
  if (folder !== undefined && (!cachedData || script.cachedDataRejected)) keepLater(script, folder, name);
  const made = { exports: {} };
  script.runInThisContext()(made.exports, createRequire(path), made, path, dirname(path));
  return made.exports;
}

/** The compiled code of a file; undefined if it is missing or damaged. */
function readIntactCode(path: string): Buffer | undefined {
  try {
    const bytes = readFileSync(path);
    const code = bytes.subarray(DIGEST);
    return digestOf(code).equals(bytes.subarray(0, DIGEST)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Saves the code of the functions that have run: soon after the first frame, or at exit. */
function keepLater(script: Script, folder: string, name: string): void {
  let isKept = false;
  const keep = () => {
    // A failed run has compiled few functions.
    if (isKept || process.exitCode) return;
    isKept = true;
    const code = script.createCachedData();
    try {
      replaceFile(join(folder, name), Buffer.concat([digestOf(code), code]));
      removeOld(folder);
    } catch {
      // The disk is full: the next start is slower.
    }
  };
  setTimeout(keep, FIRST_FRAME_MS).unref();
  process.once('exit', keep);
}

function removeOld(folder: string): void {
  const files = readdirSync(folder).map((name) => {
    const path = join(folder, name);
    return { path, ms: statSync(path).mtimeMs };
  });
  for (const { path } of files.sort((a, b) => b.ms - a.ms).slice(MOST_FILES)) rmSync(path, { recursive: true, force: true });
}
