// Splits a stream of chunks into whole lines or other pieces that a format reads at once.
// Every buffer passed on is a plain Uint8Array: Buffers among them would make byte loops polymorphic, and slow.
import { type LimitName, type Limits, limitProblem } from '../../base/limits.ts';
import { FormatError } from '../../base/problem.ts';
import { growColumn, MAX_RESERVED_ROWS } from '../../model/column.ts';
import type { Sink } from '../../model/sink.ts';
import type { Loader, Source } from '../loader.ts';
import type { FilePosition } from './file-reader.ts';

/** Length of the byte-order mark at the start of a file: 3, or 0 if there is none. */
export const byteOrderMarkLength = (bytes: Uint8Array): number =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;

/** The start of a file for detection: one character per byte, without the byte-order mark. */
export const headText = (head: Uint8Array): string => new TextDecoder('latin1').decode(head.subarray(byteOrderMarkLength(head)));

/** Joins the pieces into one array, in the given buffer, which is large enough. */
export function joinBytes(pieces: readonly Uint8Array[], buffer?: ArrayBuffer): Uint8Array<ArrayBuffer> {
  const length = pieces.reduce((n, piece) => n + piece.length, 0);
  const out = new Uint8Array(buffer ?? new ArrayBuffer(length), 0, length);
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

/** Bytes that the loader has not consumed yet. Each byte is copied only a few times, regardless of the chunk size. */
class PendingBytes {
  private buffer = new Uint8Array(0);
  length = 0;

  get bytes(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }

  add(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (length > this.buffer.length) {
      // Allocate far more than needed: a large value is then copied only once, and unwritten pages cost nothing.
      const capacity = Math.max(2 * length, Math.min(16 * length, MAX_RESERVED_ROWS));
      this.buffer = growColumn(this.buffer, capacity, this.length);
    }
    this.buffer.set(chunk, this.length);
    this.length = length;
  }

  /** Drops the first bytes. */
  drop(count: number): void {
    this.buffer.copyWithin(0, count, this.length);
    this.length -= count;
  }
}

/**
 * Passes the chunks to `take`, which returns how many bytes it took; the others come again, together with more. What was left comes
 * again when twice as many bytes are there: so a loader may look at all of them each time, and any file is still read in linear time.
 * Throws FormatError if more than `most` bytes are left, as many as the limit allows unless the loader says otherwise. `where`: how to
 * name the offset of what is left. Returns the number of bytes read, and the bytes at the end that were not taken.
 */
export async function readPieces(
  source: Source,
  limits: Limits,
  signal: AbortSignal,
  take: (bytes: Uint8Array) => number,
  limit: LimitName,
  most: number = limits[limit],
  where: (offset: number) => FilePosition = (offset) => ({ offset }),
) {
  const held = new PendingBytes();
  let read = 0;
  /** Number of bytes that `take` did not consume, and the number of bytes needed before the next call. */
  let left = 0;
  let enough = 0;
  const checkRest = () => {
    left = held.length;
    if (left > most) throw new FormatError({ path: source.path, ...where(read - left), ...limitProblem(limits, limit) });
    enough = Math.min(2 * left, most + 1);
  };
  for await (const piece of source.chunks()) {
    signal.throwIfAborted();
    const chunk = new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
    read += chunk.length;
    if (held.length === 0) held.add(chunk.subarray(take(chunk)));
    else {
      held.add(chunk);
      if (held.length < enough) continue;
      held.drop(take(held.bytes));
    }
    checkRest();
  }
  if (held.length > left) {
    held.drop(take(held.bytes));
    checkRest();
  }
  return { read, rest: held.bytes };
}

/**
 * Passes each line to `line` as bytes[from..to), without its line feed and the file's byte-order mark. What follows the last line
 * feed is returned as the rest. Throws FormatError at a line that is longer than the limit. `openLine` reads the start of a long line before the
 * line ends, and returns how many bytes it took; its limit is for the others, instead of the limit `line`.
 */
export async function readLines(
  source: Source,
  limits: Limits,
  signal: AbortSignal,
  line: (bytes: Uint8Array, from: number, to: number) => void,
  openLine?: { take(bytes: Uint8Array): number; readonly limit: LimitName },
) {
  let started = false;
  let lines = 0;
  const where = () => ({ line: lines + 1 });
  const take = (bytes: Uint8Array): number => {
    // The byte-order mark has three bytes, so wait until all three are there.
    if (!started && bytes.length < 3 && !bytes.includes(LINE_FEED)) return 0;
    let from = started ? 0 : byteOrderMarkLength(bytes);
    started = true;
    for (let to = bytes.indexOf(LINE_FEED, from); to >= 0; to = bytes.indexOf(LINE_FEED, from)) {
      if (!openLine && to - from > limits.line)
        throw new FormatError({ path: source.path, ...where(), ...limitProblem(limits, 'line', to - from) });
      line(bytes, from, to);
      lines++;
      from = to + 1;
    }
    return openLine ? from + openLine.take(bytes.subarray(from)) : from;
  };
  const left = await readPieces(source, limits, signal, take, openLine?.limit ?? 'line', undefined, where);
  return started ? left : { ...left, rest: left.rest.subarray(byteOrderMarkLength(left.rest)) };
}

const LINE_FEED = 10;

interface LineReader {
  readLine(bytes: Uint8Array, from: number, to: number): void;
  /** Finishes the profile. `rest`: an unterminated last line. */
  finish(rest: Uint8Array, source: Source): void;
}

/** Makes the load function of a format with lines. `content`: what an empty file lacks, if the reader does not report that. */
export function makeLineLoader(
  ReaderClass: new (sink: Sink, path: string, source: Source) => LineReader,
  content?: string,
): Loader['load'] {
  return async (source, sink, signal) => {
    const { path } = source;
    const reader = new ReaderClass(sink, path, source);
    const { rest, read } = await readLines(source, sink.limits, signal, (bytes, from, to) => reader.readLine(bytes, from, to));
    if (read === 0 && content !== undefined) throw new FormatError({ path, line: 0, expected: content, found: 'an empty file' });
    reader.finish(rest, source);
  };
}

/** Makes the load function of a format whose reader takes pieces, as readPieces() does. `mostOf`: the bytes that may be left. */
export function makePieceLoader(
  ReaderClass: new (sink: Sink, path: string) => { take(bytes: Uint8Array): number; finish(rest: Uint8Array): void },
  limit: LimitName,
  mostOf: (limits: Limits) => number = (limits) => limits[limit],
): Loader['load'] {
  return async (source, sink, signal) => {
    const reader = new ReaderClass(sink, source.path);
    const { rest } = await readPieces(source, sink.limits, signal, (bytes) => reader.take(bytes), limit, mostOf(sink.limits));
    reader.finish(rest);
  };
}
