// Keeps the program's compiled code between runs, because compilation takes a third of the time until the first frame.
// V8 trusts compiled code, so the file is in a private folder, named by the source's hash, and begins with its digest.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { attempt } from '../../base/attempt.ts';
import { privateFolder } from './private-folder.ts';
import { replaceFile } from './writing.ts';

const digestOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const DIGEST_BYTES = 32;

/** Number of compiled files that are kept, newest first: two uses (screen, print) for some versions of the program. */
const MAX_FILES = 6;
/** By this time the first frame is drawn, and V8 has not yet discarded compiled functions. */
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
  if (folder !== undefined && (!cachedData || script.cachedDataRejected)) saveCodeLater(script, folder, name);
  const made = { exports: {} };
  script.runInThisContext()(made.exports, createRequire(path), made, path, dirname(path));
  return made.exports;
}

function readIntactCode(path: string): Buffer | undefined {
  return attempt(() => {
    const bytes = readFileSync(path);
    const code = bytes.subarray(DIGEST_BYTES);
    return digestOf(code).equals(bytes.subarray(0, DIGEST_BYTES)) ? code : undefined;
  });
}

/** Saves the code of the functions that have run, soon after the first frame or at exit. */
function saveCodeLater(script: Script, folder: string, name: string): void {
  let isKept = false;
  const keep = () => {
    // A failed run has compiled only few functions.
    if (isKept || process.exitCode) return;
    isKept = true;
    const code = script.createCachedData();
    try {
      replaceFile(join(folder, name), Buffer.concat([digestOf(code), code]));
      removeOldFiles(folder);
    } catch {
      // If the disk is full, only the next start is slower.
    }
  };
  setTimeout(keep, FIRST_FRAME_MS).unref();
  process.once('exit', keep);
}

function removeOldFiles(folder: string): void {
  const files = readdirSync(folder).map((name) => {
    const path = join(folder, name);
    return { path, ms: statSync(path).mtimeMs };
  });
  for (const { path } of files.sort((a, b) => b.ms - a.ms).slice(MAX_FILES)) rmSync(path, { recursive: true, force: true });
}
