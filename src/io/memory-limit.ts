// The memory that this process may use, if less than the machine's: a container or a batch system ends what takes more, without a word.
import { totalmem } from 'node:os';
import { attempt } from '../base/attempt.ts';
import { formatBytes } from '../base/units.ts';
import { readStart } from './disk/regular.ts';
import { isGzip, statOf } from './stat.ts';

/** Below this limit, one thread reads a file: each has a heap of its own. */
const MIN_BYTES_FOR_THREADS = 1 << 30;
/** The memory of a load, measured with Callgrind files of 20 to 200 MB, in one thread. */
const FIXED_BYTES = 110 << 20;
const BYTES_PER_BYTE = 1.5;
/** A typical ratio of compressed profiles. */
const GZIP_RATIO = 6;

/** The limit of the process's cgroup in bytes; undefined without one below the memory of the machine. */
function memoryLimit(): number | undefined {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : undefined;
}

export const mayUseThreads = (limit = memoryLimit()): boolean => limit === undefined || limit >= MIN_BYTES_FOR_THREADS;

/** A warning if files will probably not fit into the memory that the process may use; undefined if they will. */
export function memoryWarning(paths: readonly string[], limit = memoryLimit()): string | undefined {
  if (limit === undefined) return undefined;
  const sizes = paths.map((path) => {
    const stat = statOf(path);
    if (!stat?.isFile()) return 0;
    return attempt(() => isGzip(readStart(path, 2)), false) ? stat.size * GZIP_RATIO : stat.size;
  });
  const need = FIXED_BYTES + BYTES_PER_BYTE * sizes.reduce((sum, size) => sum + size, 0);
  if (need <= limit) return undefined;
  return `reading ${paths.join(' ')} takes about ${formatBytes(need)}, but this process may use only ${formatBytes(limit)}: raise the limit of the container or job`;
}
