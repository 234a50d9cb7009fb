// Which files a path means: the profiles of a folder, and the files of one run beside the one that was named.
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { loaders } from '../formats/index.ts';

export interface Found {
  readonly path: string;
  readonly format: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** The profiles of a folder, the newest first: files with a usual name that a loader takes by their first bytes. */
export function profilesIn(folder: string): Found[] {
  const out: Found[] = [];
  for (const name of readdirSync(folder)) {
    const usual = loaders.filter((l) => l.fileNames.test(name));
    if (usual.length === 0) continue;
    const path = join(folder, name);
    try {
      const stat = statSync(path);
      if (!stat.isFile() || stat.size === 0) continue;
      const head = readHead(path);
      const loader = loaders.find((l) => l.detect(head, path) === 'yes') ?? loaders.find((l) => l.detect(head, path) === 'maybe');
      if (loader) out.push({ path, format: loader.name, bytes: stat.size, modifiedMs: stat.mtimeMs });
    } catch {
      // A file that cannot be read or unpacked is none to offer; naming it says why.
    }
  }
  return out.sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? -1 : 1));
}

function readHead(path: string): Uint8Array {
  const fd = openSync(path, 'r');
  try {
    const raw = Buffer.alloc(16384);
    const got = raw.subarray(0, readSync(fd, raw, 0, raw.length, 0));
    if (got[0] !== 0x1f || got[1] !== 0x8b) return got.subarray(0, 4096);
    // The data may go on behind what was read: finishFlush takes what is there.
    return gunzipSync(got, { finishFlush: 2, maxOutputLength: 1 << 20 }).subarray(0, 4096);
  } finally {
    closeSync(fd);
  }
}

/**
 * The other files of the run that a file belongs to: callgrind writes NAME.PART, NAME-THREAD and NAME.PART-THREAD beside
 * NAME. In the order of part and thread, the file itself included; just the file where it is alone.
 */
export function filesOfRun(path: string): string[] {
  if (path === '-') return [path];
  const name = basename(path);
  const stem = runName(name);
  let names: string[];
  try {
    names = readdirSync(dirname(path));
  } catch {
    return [path];
  }
  const rows = names.flatMap((n) => {
    if (n === stem || n === stem + '.gz') return [{ n, part: n === name ? 0 : 0, thread: 0 }];
    if (!n.startsWith(stem)) return [];
    const m = /^(?:\.(\d+))?(?:-(\d+))?(?:\.gz)?$/.exec(n.slice(stem.length));
    return m ? [{ n, part: m[1] ? Number(m[1]) : Number.MAX_SAFE_INTEGER, thread: m[2] ? Number(m[2]) : 0 }] : [];
  });
  if (rows.length < 2 || !rows.some((r) => r.n === name)) return [path];
  // The plain name is the last part (or the empty file that --separate-threads leaves).
  const last = rows.find((r) => r.n === stem);
  if (last) last.part = Number.MAX_SAFE_INTEGER;
  rows.sort((a, b) => a.part - b.part || a.thread - b.thread || (a.n < b.n ? -1 : 1));
  return rows.map((r) => (r.n === name ? path : join(dirname(path), r.n)));
}

/** callgrind.out.123.4-05 is of the run callgrind.out.123: the process number belongs to the name. */
function runName(name: string): string {
  const pid = /^((?:callgrind|cachegrind)\.out\.\d+)(?:\.\d+)?(?:-\d+)?(?:\.gz)?$/.exec(name);
  if (pid) return pid[1]!;
  return name.replace(/\.gz$/, '').replace(/(?<=\.out)(?:\.\d+)?(?:-\d+)?$/, '');
}
