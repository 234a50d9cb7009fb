// The program is one script, and its compiled code is kept between runs: to compile it is a third of the time until the first frame. V8 runs
// such code as it is. So it lies in a folder of the user's own, its file is named after the source that it is of, and it begins with its digest.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { privateFolder } from './private-folder.ts';
import { replaceFile } from './writing.ts';

const digestOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const DIGEST = 32;

/** Files that are left, the newest: of the screen and of what prints, for some versions of the program. */
const MOST_FILES = 6;
/** By then the first frame is drawn, and V8 has not dropped its functions yet. */
const FIRST_FRAME_MS = 3000;

/**
 * Runs a CommonJS script of ASCII characters alone, and returns what it exports. `use`: runs of one use need much the same functions, and
 * have a file of compiled code of their own. Without a private folder nothing is kept.
 */
export function runCompiled(path: string, use: 'screen' | 'print'): unknown {
  const source = readFileSync(path);
  const folder = process.env['NODE_DISABLE_COMPILE_CACHE'] ? undefined : privateFolder('cache', 'compiled');
  const name = `${digestOf(source).toString('hex')}-${process.version}-${process.arch}-${use}`;
  const cachedData = folder === undefined ? undefined : intact(join(folder, name));
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${source.toString('latin1')}\n})`;
  const script = new Script(wrapped, { filename: path, ...(cachedData ? { cachedData } : {}) });
  if (folder !== undefined && (!cachedData || script.cachedDataRejected)) keepLater(script, folder, name);
  const made = { exports: {} };
  script.runInThisContext()(made.exports, createRequire(path), made, path, dirname(path));
  return made.exports;
}

/** The compiled code of a file; undefined if there is none, or not all of it as it was written. */
function intact(path: string): Buffer | undefined {
  try {
    const bytes = readFileSync(path);
    const code = bytes.subarray(DIGEST);
    return digestOf(code).equals(bytes.subarray(0, DIGEST)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the code of the functions that have run. */
function keepLater(script: Script, folder: string, name: string): void {
  let isKept = false;
  const keep = () => {
    // A run that failed has called few functions.
    if (isKept || process.exitCode) return;
    isKept = true;
    const code = script.createCachedData();
    try {
      replaceFile(join(folder, name), Buffer.concat([digestOf(code), code]));
      removeOld(folder);
    } catch {
      // A full disk: it starts as fast as without.
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
