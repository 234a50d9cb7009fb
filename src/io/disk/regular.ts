// Reads files named by a profile, folder or build tree: only regular files of bounded size, and no files of the kernel.
// A profile may name any path. A FIFO blocks, reading a device may have effects, and files of /proc have size 0 but no end.
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { attempt } from '../../base/attempt.ts';
import { getOrMake } from '../../base/lists.ts';
import { isPathBelow } from '../../base/paths.ts';
import { systemReason } from '../../base/problem.ts';

/** Thrown if a file is refused. The message contains the reason without the path. */
export class RefusedError extends Error {}

/** File systems in memory of the kernel, by their magic numbers in <linux/magic.h>: proc, sysfs, cgroup, cgroup2, debugfs, tracefs,
 * securityfs, configfs, bpf, efivarfs, pstore, devpts, mqueue. */
const KERNEL_FILE_SYSTEMS = new Set([
  0x9fa0, 0x62656572, 0x27e0eb, 0x63677270, 0x64626720, 0x74726163, 0x73636673, 0x62656570, 0xcafe4a11, 0xde5e81e4, 0x6165676c,
  0x1cd1, 0x19800202,
]);

/** Magic numbers of tmpfs and ramfs, the file systems of /dev and /dev/shm. */
const MEMORY_FILE_SYSTEMS = new Set([0x01021994, 0x858458f6]);
const KERNEL_PATH = /^\/(?:proc|sys|dev)(?:\/|$)/;

/** By device number, because asking the system for each file of a build tree would take as long as reading the files. */
const fileSystemByDevice = new Map<number, 'kernel' | 'memory' | 'disk'>();

/** True for a file of the kernel: below /proc, /sys or /dev after links are resolved, or on such a file system elsewhere. */
function isKernelFile(path: string, { dev }: Stats): boolean {
  const system = getOrMake(fileSystemByDevice, dev, () => {
    const { type } = statfsSync(path);
    return KERNEL_FILE_SYSTEMS.has(type) ? 'kernel' : MEMORY_FILE_SYSTEMS.has(type) ? 'memory' : 'disk';
  });
  return system === 'kernel' || KERNEL_PATH.test(system === 'memory' ? realpathSync.native(path) : resolve(path));
}

export function fileTypeOf(stat: Stats): string {
  if (stat.isDirectory()) return 'a folder';
  if (stat.isFIFO()) return 'a FIFO';
  if (stat.isSocket()) return 'a socket';
  return stat.isCharacterDevice() || stat.isBlockDevice() ? 'a device' : 'something else';
}

const notRegularError = (stat: Stats) => new RefusedError(`${fileTypeOf(stat)}, not a regular file`);

/** Links are followed, unless the policy is `none`: then the last name of the path must not be a link. */
export type SymlinkPolicy = 'follow' | 'none';

const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Opens a regular file without blocking. Throws RefusedError for other kinds of files, and system errors unchanged. */
export function openRegular(path: string, links: SymlinkPolicy = 'follow'): { fd: number; stat: Stats } {
  // The type is checked before opening, because opening a device may already have an effect.
  const before = statSync(path);
  if (!before.isFile()) throw notRegularError(before);
  if (isKernelFile(path, before)) throw new RefusedError('a file of the kernel; proftui reads none');
  const fd = openSync(path, READ_FLAGS | (links === 'none' ? constants.O_NOFOLLOW : 0));
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw notRegularError(stat);
    return { fd, stat };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

const PIECE_BYTES = 1 << 20;

/** The unread rest of an open file; undefined if it has more than `most` bytes. `size` is only a hint. */
function readAtMost(fd: number, size: number, most: number): Buffer | undefined {
  let bytes = Buffer.allocUnsafe(Math.min(size, most) + 1);
  let length = 0;
  for (;;) {
    if (length === bytes.length) {
      if (length > most) return undefined;
      bytes = Buffer.concat([bytes], Math.min(most + 1, length + Math.max(PIECE_BYTES, length)));
    }
    const n = readSync(fd, bytes, length, bytes.length - length, null);
    if (n === 0) return length > most ? undefined : bytes.subarray(0, length);
    length += n;
  }
}

/** Reads a whole regular file. Throws RefusedError for other kinds of files and for more than `most` bytes. */
export function readRegular(path: string, most: number, links: SymlinkPolicy = 'follow'): { bytes: Buffer; stat: Stats } {
  const { fd, stat } = openRegular(path, links);
  try {
    const bytes = readAtMost(fd, stat.size, most);
    if (bytes === undefined) throw new RefusedError(`more than ${most} bytes`);
    return { bytes, stat };
  } finally {
    closeSync(fd);
  }
}

const SMALL_FILE_BYTES = 256 << 10;

/**
 * Reads small files of a folder that its listing calls regular, into one buffer. A result is valid until the next call;
 * undefined if the file needs a closer look. Returns undefined for a folder of the kernel.
 */
export function makeListedFileReader(folder: string): ((name: string) => Uint8Array | undefined) | undefined {
  if (attempt(() => isKernelFile(folder, statSync(folder)), true)) return undefined;
  const buffer = new Uint8Array(SMALL_FILE_BYTES);
  const prefix = join(folder, '/');
  return (name) =>
    attempt(() => {
      // O_NOFOLLOW refuses links created since the listing, and O_NONBLOCK keeps a FIFO from blocking.
      const fd = openSync(prefix + name, READ_FLAGS | constants.O_NOFOLLOW);
      try {
        const length = readSync(fd, buffer, 0, SMALL_FILE_BYTES, null);
        return length < SMALL_FILE_BYTES ? buffer.subarray(0, length) : undefined;
      } finally {
        closeSync(fd);
      }
    });
}

/** The bytes of a regular file from an offset, at most `most`. Throws RefusedError and system errors. */
function readFrom(path: string, most: number, offsetIn: (size: number) => number, links?: SymlinkPolicy): Buffer {
  const { fd, stat } = openRegular(path, links);
  try {
    const bytes = Buffer.alloc(most);
    return bytes.subarray(0, readSync(fd, bytes, 0, most, offsetIn(stat.size)));
  } finally {
    closeSync(fd);
  }
}

/** The first bytes of a regular file. Throws like readFrom(). */
export const readStart = (path: string, most: number, links?: SymlinkPolicy): Buffer => readFrom(path, most, () => 0, links);

/** The last bytes of a regular file. Throws like readFrom(). */
export const readEnd = (path: string, most: number): Buffer => readFrom(path, most, (size) => Math.max(0, size - most));

/** Why a file is refused: it is not regular, or a file of the kernel. undefined if it is readable or missing. */
export function refusalReason(path: string): string | undefined {
  try {
    closeSync(openRegular(path).fd);
  } catch (error) {
    if (error instanceof RefusedError) return error.message;
  }
  return undefined;
}

/** Why a file was not read, for messages that name it. */
export const refusalText = (error: unknown): string => (error instanceof RefusedError ? error.message : systemReason(error));

/** A regular file below a folder, reached without links or `..`, since build trees may be hostile. Throws RefusedError. */
export function readInside(folder: string, relative: string, most: number): Buffer {
  const root = realpathSync(folder);
  const path = join(root, relative);
  if (!isPathBelow(root, path)) throw new RefusedError('outside the folder');
  if (realpathSync(dirname(path)) !== dirname(path)) throw new RefusedError('a link leads there');
  return readRegular(path, most, 'none').bytes;
}
