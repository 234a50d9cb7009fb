// Opens input bytes: a regular file, a pipe or standard input. Gzip is recognized by the first bytes, never by the name.
import { closeSync, constants, createReadStream, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { FormatError, type Problem, systemReason } from '../../base/problem.ts';
import { formatBytes } from '../../base/units.ts';
import type { Source } from '../../formats/loader.ts';
import { fileTypeOf } from '../disk/regular.ts';
import { isGzip, statOf } from '../stat.ts';
import { decodeChunks, decodeWhole, encodingOf } from './encoding.ts';
import { gunzipChunks, PeekableChunks, UnpackBudget } from './gunzip.ts';

const CHUNK_BYTES = 4 << 20;
/** Chunk size for small files that are loaded on the thread that handles keys, which it does between chunks. */
const SMALL_CHUNK_BYTES = 256 << 10;
const HEAD_BYTES = 4096;

export interface OpenSource extends Source {
  /** The first bytes, gunzipped, for format detection. */
  readonly head: Uint8Array;
  /** The file's size and the bytes read so far, as on disk (compressed). */
  readonly fileSize: number | undefined;
  readonly bytesRead: () => number;
  /**
   * After reading: compressed data that ended early; all data before that point is intact. Functions, not getters: the spread operator reads a getter
   * before anything is read. Absent: a source cannot have the problem.
   */
  readonly cutProblem?: () => Problem | undefined;
  /** After reading: bytes after the compressed data, which were left out. */
  readonly trailingProblem?: () => Problem | undefined;
  /** After reading: the file was written to meanwhile, so that its parts may not belong together. */
  readonly changeProblem?: () => Problem | undefined;
}

/** Opens a file, named pipe (`<(zcat F)`) or standard input, which begins with `input`. Throws FormatError if unreadable. */
export async function openSource(path: string, input?: Uint8Array, budget = new UnpackBudget()): Promise<OpenSource> {
  if (path === '-') return openStream(standardInput(), { path: '-', budget, held: input });
  // Opening a FIFO without a writer must not wait.
  const fd = orUnreadable(path, () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
  const stat = fstatSync(fd);
  if (stat.isFIFO()) return openPipe(fd, path, budget);
  // A stream closes its descriptor itself, whatever happens.
  let ownsFile = true;
  try {
    if (!stat.isFile())
      throw new FormatError({ path, expected: 'a regular file', found: fileTypeOf(stat), hint: 'name a profile file' });
    const { size } = stat;
    const changeProblem = () => changeOf(path, stat);
    const first = Buffer.alloc(HEAD_BYTES);
    const head = orUnreadable(path, () => first.subarray(0, readSync(fd, first, 0, HEAD_BYTES, 0)));
    if (!isGzip(head)) return { ...decodeSource(fileSource(fd, path, size, head)), changeProblem };
    const unpackedBytes = unpackedSize(fd, size);
    // Reads the open descriptor, because another file may have the name by now.
    const stream = createReadStream('', { fd, start: 0, highWaterMark: CHUNK_BYTES });
    ownsFile = false;
    return { ...(await openStream(stream, { path, budget, fileSize: size, unpackedSize: unpackedBytes })), changeProblem };
  } catch (error) {
    if (ownsFile) closeSync(fd);
    throw error;
  }
}

/** Opens bytes in memory, compressed or not. `path`: their name in messages. */
export const openBytes = (bytes: Uint8Array, path: string, budget = new UnpackBudget()): Promise<OpenSource> =>
  openStream(Readable.from([bytes]), { path, budget, fileSize: bytes.length });

/** True if the input can be read more than once: a file or a folder can, a pipe or standard input cannot. */
export function canReadAgain(path: string): boolean {
  // A missing file passes this test, and opening it reports the error.
  return path !== '-' && !statOf(path)?.isFIFO();
}

/** Milliseconds that a pipe may be without a writer, for `zcat F > pipe & proftui pipe`. */
const WRITER_TIMEOUT_MS = 500;
const POLL_MS = 5;

/** Opens a pipe. Throws FormatError if no writer appears in time. */
async function openPipe(fd: number, path: string, budget: UnpackBudget): Promise<OpenSource> {
  const first = Buffer.alloc(HEAD_BYTES);
  for (let waited = 0; waited <= WRITER_TIMEOUT_MS; waited += POLL_MS) {
    try {
      const n = readSync(fd, first, 0, HEAD_BYTES, null);
      if (n > 0) return openStream(pipeStream(fd), { path, budget, held: first.subarray(0, n) });
    } catch (error) {
      // EAGAIN: a writer exists, but has not written yet.
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN')
        return openStream(pipeStream(fd), { path, budget });
      closeSync(fd);
      throw unreadableError(path, error);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  closeSync(fd);
  const hint = 'a pipe can be read only once, while something writes to it: zcat F | proftui -';
  throw new FormatError({ path, expected: 'a regular file', found: 'a FIFO without a writer', hint });
}

/** A stream that reads a pipe. A pipe may be non-blocking, and only a Socket can wait for its data. */
const pipeStream = (fd: number): NodeJS.ReadableStream => new Socket({ fd, readable: true, writable: false });

/** How a file differs from what it was when it was opened. A new file under its name is no change: the old one was read to its end. */
function changeOf(path: string, before: Stats): Problem | undefined {
  const now = statOf(path);
  if (!now || now.dev !== before.dev || now.ino !== before.ino) return undefined;
  if (now.size === before.size && now.mtimeMs === before.mtimeMs) return undefined;
  const sizes = now.size === before.size ? 'its contents changed' : `${formatBytes(before.size)} became ${formatBytes(now.size)}`;
  return {
    path,
    expected: 'a file that does not change while it is read',
    found: `one that was written meanwhile: ${sizes}`,
    sign: 'CHANGED MEANWHILE',
    hint: 'R reads it again; --follow waits for a program that still writes it',
  };
}

/** The result of a call of the file system. Throws FormatError if it fails. */
export function orUnreadable<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw unreadableError(path, error);
  }
}

function unreadableError(path: string, error: unknown, offset?: number): FormatError {
  const at = offset === undefined ? {} : { offset };
  return new FormatError({ path, ...at, expected: 'a file that can be read', found: systemReason(error) });
}

function fileSource(fd: number, path: string, size: number, head: Uint8Array): OpenSource {
  let read = 0;
  const chunk = size <= CHUNK_BYTES ? SMALL_CHUNK_BYTES : CHUNK_BYTES;
  return {
    path,
    size,
    fileSize: size,
    head,
    bytesRead: () => read,
    async *chunks() {
      const buffer = new Uint8Array(chunk);
      try {
        for (;;) {
          const n = readSync(fd, buffer, 0, chunk, null);
          if (n === 0) break;
          read += n;
          yield buffer.subarray(0, n);
          // Lets the thread handle other events (cancel).
          await new Promise<void>((resolve) => setImmediate(resolve));
        }
      } catch (error) {
        throw error instanceof Error && 'syscall' in error ? unreadableError(path, error, read) : error;
      } finally {
        closeSync(fd);
      }
    },
  };
}

/** Standard input, opened by descriptor: a worker's process.stdin is another stream. */
function standardInput(): NodeJS.ReadableStream {
  const stat = fstatSync(0);
  if (stat.isFIFO() || stat.isSocket()) return pipeStream(0);
  return createReadStream('', { fd: 0, autoClose: false, highWaterMark: 1 << 20 });
}

/** The uncompressed size in a gzip trailer: modulo 4 GiB, and of the last member only. A hint, not to be trusted. */
function unpackedSize(fd: number, size: number): number | undefined {
  const word = Buffer.alloc(4);
  if (size < 18 || readSync(fd, word, 0, 4, size - 4) < 4) return undefined;
  const recorded = word.readUInt32LE();
  // Deflate compresses by at most 1032:1.
  return recorded >= size && recorded <= size * 1032 ? recorded : undefined;
}

interface StreamOptions {
  readonly path: string;
  readonly budget: UnpackBudget;
  readonly fileSize?: number;
  readonly unpackedSize?: number | undefined;
  /** The bytes that were already read from the stream. */
  readonly held?: Uint8Array | undefined;
}

/** Opens a stream, and gunzips it if it is compressed. */
export async function openStream(stream: AsyncIterable<string | Uint8Array>, options: StreamOptions): Promise<OpenSource> {
  const { path, budget, fileSize, unpackedSize, held } = options;
  let read = 0;
  let cut: Problem | undefined;
  let trailing: Problem | undefined;
  const countedChunks = async function* () {
    try {
      for (const chunks of [held ? [held] : [], stream])
        for await (const chunk of chunks) {
          const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
          read += bytes.length;
          budget.packed += bytes.length;
          yield bytes;
        }
    } catch (error) {
      if (error instanceof FormatError) throw error;
      throw new FormatError({ path, offset: read, expected: 'data that can be read', found: systemReason(error) });
    }
  };
  const input = new PeekableChunks(countedChunks());
  const packed = isGzip(await input.peek(2));
  const unpacked = packed
    ? gunzipChunks(input.rest(), path, budget, (problem, isCut) => {
        if (isCut) cut = problem;
        else trailing = problem;
      })
    : input.rest();
  const output = new PeekableChunks(unpacked);
  const head = await output.peek(HEAD_BYTES);
  return decodeSource({
    path,
    size: packed ? unpackedSize : fileSize,
    fileSize,
    head: head.subarray(0, HEAD_BYTES),
    bytesRead: () => read,
    cutProblem: () => cut,
    trailingProblem: () => trailing,
    chunks: () => output.rest(),
  });
}

/** A source of UTF-8 text, or of other data as they are. */
function decodeSource(source: OpenSource): OpenSource {
  const encoding = encodingOf(source.head);
  if (encoding === undefined) return source;
  return { ...source, size: undefined, head: decodeWhole(source.head), chunks: () => decodeChunks(source.chunks(), encoding) };
}
