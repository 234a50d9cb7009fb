// Where bytes come from: a regular file or standard input, gunzipped if it is gzip (by its first bytes, never by its name).
import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { Socket } from 'node:net';
import { createGunzip } from 'node:zlib';
import { FormatError, type Problem } from '../base/problem.ts';
import type { Source } from '../formats/loader.ts';

const CHUNK = 4 << 20;
const HEAD = 4096;

export interface OpenSource extends Source {
  /** The first bytes, gunzipped, for detection. */
  readonly head: Uint8Array;
  /** Bytes of the file, and read so far, as they lie on the disk. */
  readonly fileSize: number | undefined;
  readonly bytesRead: () => number;
  /** Set while it is read, where packed data ends too early: what came before was whole. */
  readonly cut?: Problem | undefined;
}

/** Opens a profile file. Throws FormatError for what is no regular file, or cannot be read, with the reason. */
export async function openSource(path: string): Promise<OpenSource> {
  if (path === '-') return openStream(standardInput(), '-', undefined);
  let fd: number;
  try {
    // O_NONBLOCK: opening a FIFO without a writer must not wait.
    fd = openSync(path, 0x800);
  } catch (error) {
    throw new FormatError({ path, expected: 'a file that can be read', found: reason(error) });
  }
  const stat = fstatSync(fd);
  if (!stat.isFile()) {
    closeSync(fd);
    const kind = stat.isDirectory()
      ? 'a directory'
      : stat.isFIFO()
        ? 'a FIFO'
        : stat.isSocket()
          ? 'a socket'
          : stat.isCharacterDevice() || stat.isBlockDevice()
            ? 'a device'
            : 'something else';
    const hint = stat.isFIFO() ? 'to read from a pipe: … | proftui -' : 'name a profile file';
    throw new FormatError({ path, expected: 'a regular file', found: kind, hint });
  }
  const head = Buffer.alloc(HEAD);
  let got: number;
  try {
    got = readSync(fd, head, 0, HEAD, 0);
  } catch (error) {
    closeSync(fd);
    throw new FormatError({ path, expected: 'a file that can be read', found: reason(error) });
  }
  if (isGzip(head.subarray(0, got))) {
    const unpacked = unpackedSize(fd, stat.size);
    closeSync(fd);
    return openStream(createReadStream(path, { highWaterMark: CHUNK }), path, stat.size, unpacked);
  }
  let read = 0;
  return {
    path,
    size: stat.size,
    fileSize: stat.size,
    head: head.subarray(0, got),
    bytesRead: () => read,
    async *chunks() {
      const buffer = new Uint8Array(CHUNK);
      try {
        for (;;) {
          const n = readSync(fd, buffer, 0, CHUNK, null);
          if (n === 0) break;
          read += n;
          yield buffer.subarray(0, n);
          // Gives the thread's other events (cancel) their turn.
          await new Promise<void>((resolve) => setImmediate(resolve));
        }
      } catch (error) {
        if (error instanceof Error && 'syscall' in error) {
          throw new FormatError({ path, offset: read, expected: 'a file that can be read', found: reason(error) });
        }
        throw error;
      } finally {
        closeSync(fd);
      }
    },
  };
}

/** By its number: process.stdin of a worker is not the process's. A pipe may be set not to block, which only a socket can wait for. */
function standardInput(): NodeJS.ReadableStream {
  const stat = fstatSync(0);
  if (stat.isFIFO() || stat.isSocket()) return new Socket({ fd: 0, readable: true, writable: false });
  return createReadStream('', { fd: 0, autoClose: false, highWaterMark: 1 << 20 });
}

function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'no such file';
  if (code === 'EACCES' || code === 'EPERM') return 'no permission to read it';
  if (code === 'EISDIR') return 'a directory';
  return message ?? String(error);
}

/** What a gzip file says at its end about its size unpacked: modulo 4 GB, and of its last member alone. Not for trusting. */
function unpackedSize(fd: number, size: number): number | undefined {
  const word = Buffer.alloc(4);
  if (size < 18 || readSync(fd, word, 0, 4, size - 4) < 4) return undefined;
  const said = word.readUInt32LE();
  // Deflate does not pack by more than 1032 to 1.
  return said >= size && said <= size * 1032 ? said : undefined;
}

/** A stream, gunzipped if need be. The chunks that detection took are handed on first. */
async function openStream(
  stream: NodeJS.ReadableStream,
  path: string,
  fileSize: number | undefined,
  unpackedSize?: number,
): Promise<OpenSource> {
  let read = 0;
  const iterator = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const raw = {
    next: () =>
      iterator.next().catch((error: unknown) => {
        throw new FormatError({ path, offset: read, expected: 'data that can be read', found: reason(error) });
      }),
  };
  const first: Buffer[] = [];
  let had = 0;
  while (had < 2) {
    const { value, done } = await raw.next();
    if (done) break;
    first.push(Buffer.from(value));
    had += value.length;
    read += value.length;
  }
  async function* rest(): AsyncGenerator<Buffer> {
    yield* first;
    for (;;) {
      const { value, done } = await raw.next();
      if (done) return;
      read += value.length;
      yield value;
    }
  }
  const start = Buffer.concat(first);
  let cut: Problem | undefined;
  const onCut = (problem: Problem) => {
    cut = problem;
  };
  const unpacked = isGzip(start) ? gunzip(rest(), path, onCut) : rest();
  const held: Uint8Array[] = [];
  let headLength = 0;
  while (headLength < HEAD) {
    const { value, done } = await unpacked.next();
    if (done) break;
    held.push(Uint8Array.from(value));
    headLength += value.length;
  }
  return {
    path,
    size: isGzip(start) ? unpackedSize : fileSize,
    fileSize,
    head: Buffer.concat(held).subarray(0, HEAD),
    bytesRead: () => read,
    get cut() {
      return cut;
    },
    async *chunks() {
      for (const chunk of held.splice(0)) yield chunk;
      yield* unpacked;
    },
  };
}

/** Waits until the stream takes more, or takes nothing any more. */
function room(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      stream.off('drain', go).off('close', go);
      resolve();
    };
    stream.on('drain', go).on('close', go);
  });
}

async function* gunzip(packed: AsyncIterable<Buffer>, path: string, onCut: (problem: Problem) => void): AsyncGenerator<Buffer> {
  const gz = createGunzip({ chunkSize: 1 << 20 });
  let failed: unknown;
  const feed = (async () => {
    try {
      for await (const chunk of packed) {
        if (gz.destroyed) return;
        if (!gz.write(chunk)) await room(gz);
      }
      gz.end();
    } catch (error) {
      failed = error;
      gz.destroy(error as Error);
    }
  })();
  let unpacked = 0;
  try {
    for await (const chunk of gz) {
      unpacked += chunk.length;
      yield chunk;
    }
    await feed;
  } catch (error) {
    if (failed instanceof FormatError) throw failed;
    const problem: Problem = {
      path,
      offset: unpacked,
      expected: 'whole gzip data',
      found: (error as Error).message,
      hint: 'the offset is in the unpacked data; the file may be cut off',
    };
    if (unpacked === 0) throw new FormatError(problem);
    onCut(problem);
  } finally {
    gz.destroy();
  }
}
