// Splits a stream of chunks into whole lines or other pieces that a format reads at once, with the base class of those readers.
// Every buffer passed on is a plain Uint8Array: Buffers among them would make byte loops polymorphic, and slow.
import { type LimitName, type Limits, limitProblem } from '../../base/limits.ts';
import { FormatError, type Problem } from '../../base/problem.ts';
import { plural } from '../../base/units.ts';
import { GrowableColumn, MAX_RESERVED_ROWS, type PartId } from '../../model/column.ts';
import type { Sink } from '../../model/sink.ts';
import { NamedStackWriter } from '../../model/stacks/writer.ts';
import type { Loader, Source } from '../loader.ts';

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
class PendingBytes extends GrowableColumn<Uint8Array> {
  add(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    // Allocate far more than needed: a large value is then copied only once, and unwritten pages cost nothing.
    if (length > this.data.length) this.reserve(Math.max(2 * length, Math.min(16 * length, MAX_RESERVED_ROWS)));
    this.data.set(chunk, this.length);
    this.length = length;
  }

  /** Drops the first bytes. */
  drop(count: number): void {
    this.data.copyWithin(0, count, this.length);
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
  take: (bytes: Uint8Array) => number | Promise<number>,
  limit: LimitName,
  most: number = limits[limit],
  where: (offset: number) => FilePosition = (offset) => ({ offset }),
) {
  const held = new PendingBytes(Uint8Array, 0);
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
    if (held.length === 0) held.add(chunk.subarray(await take(chunk)));
    else {
      held.add(chunk);
      if (held.length < enough) continue;
      held.drop(await take(held.done()));
    }
    checkRest();
  }
  if (held.length > left) {
    held.drop(await take(held.done()));
    checkRest();
  }
  return { read, rest: held.done() };
}

const LINE_FEED = 10;

/** The end of the line that has bytes[from], without its line feed. */
export function lineEnd(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(LINE_FEED, from);
  return end < 0 ? bytes.length : end;
}

export const nextLineStart = (bytes: Uint8Array, from: number) => Math.min(lineEnd(bytes, from) + 1, bytes.length);

interface LineReader {
  /** Reads the line bytes[from..to), without its line feed and the file's byte-order mark. */
  readLine(bytes: Uint8Array, from: number, to: number): void;
  /** Reads the start of a long line before the line ends; returns how many bytes it took. Then not lines but what is left has a limit. */
  readLongLine?(bytes: Uint8Array): number;
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
    const { limits } = sink;
    const reader = new ReaderClass(sink, path, source);
    let started = false;
    let lines = 0;
    const where = () => ({ line: lines + 1 });
    const take = (bytes: Uint8Array): number => {
      // The byte-order mark has three bytes, so wait until all three are there.
      if (!started && bytes.length < 3 && !bytes.includes(LINE_FEED)) return 0;
      let from = started ? 0 : byteOrderMarkLength(bytes);
      started = true;
      for (let to = bytes.indexOf(LINE_FEED, from); to >= 0; to = bytes.indexOf(LINE_FEED, from)) {
        if (!reader.readLongLine && to - from > limits.line)
          throw new FormatError({ path, ...where(), ...limitProblem(limits, 'line', to - from) });
        reader.readLine(bytes, from, to);
        lines++;
        from = to + 1;
      }
      return from + (reader.readLongLine?.(bytes.subarray(from)) ?? 0);
    };
    const limit = reader.readLongLine ? 'value' : 'line';
    const { read, rest } = await readPieces(source, limits, signal, take, limit, undefined, where);
    if (read === 0 && content !== undefined) throw new FormatError({ path, line: 0, expected: content, found: 'an empty file' });
    reader.finish(started ? rest : rest.subarray(byteOrderMarkLength(rest)), source);
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

export type FilePosition = Pick<Problem, 'line' | 'offset'>;

/** The base class of all formats' readers, which holds the file's path and its sink, and reports problems. */
export abstract class FileReader {
  /** Index of the file's first part. */
  protected readonly part: PartId;
  /** Number of the current line, from 1, in a format of lines. */
  lineNo = 0;
  /** Lines that other programs wrote between records: their number, and the first of them. */
  protected others = 0;
  private firstOther = { line: 0, text: '' };

  constructor(
    protected readonly sink: Sink,
    protected readonly path: string,
  ) {
    this.part = sink.parts.length;
  }

  /** The position of the current line, in a format of lines. */
  protected get position(): FilePosition {
    return { line: this.lineNo };
  }

  protected error(where: FilePosition, expected: string, found: string, hint?: string): FormatError {
    return new FormatError({ path: this.path, ...where, expected, found, ...(hint === undefined ? {} : { hint }) });
  }

  errorAt(offset: number, expected: string, found: string): FormatError {
    return this.error({ offset }, expected, found);
  }

  /** A problem of the current line, whose text is quoted. */
  protected lineError(expected: string, text: string): FormatError {
    return this.error(this.position, expected, text === '' ? 'an empty line' : `"${text.slice(0, 100)}"`);
  }

  /** Marks the file as cut off, with a note on what is shown. An earlier problem of this kind stays. */
  markCut(where: FilePosition, expected: string, hint: string): void {
    this.sink.cut ??= { path: this.path, ...where, expected, found: 'the end of the file', hint };
  }

  protected warn(where: FilePosition, expected: string, found: string): void {
    this.sink.warn({ path: this.path, ...where, expected, found });
  }

  /** Warns of a line that is left out, although it may count: the profile is incomplete. */
  protected leaveOut(where: FilePosition, expected: string, found: string): void {
    this.sink.leaveOut({ path: this.path, ...where, expected, found }, 'LINES LEFT OUT');
  }

  /** Counts the current line as one of another program. */
  protected countOtherLine(text: string): void {
    if (this.others++ === 0) this.firstOther = { line: this.lineNo, text: text.slice(0, 100) };
  }

  /** The first line of another program as a problem. */
  protected otherLineError(expected: string, hint?: string): FormatError {
    const { line, text } = this.firstOther;
    return this.error({ line }, expected, `"${text}"`, hint);
  }

  /** Warns of the lines of other programs, of which the first is quoted. */
  protected warnOfOtherLines(expected: string): void {
    const { others, firstOther } = this;
    if (others === 0) return;
    const more = others > 1 ? `, and ${plural(others - 1, 'more line')} like it` : '';
    this.warn({ line: firstOther.line }, expected, `"${firstOther.text}"${more}; left out`);
  }

  /** Throws FormatError if a length exceeds the limit. */
  protected checkLimit(name: LimitName, length: number, where: FilePosition): void {
    if (length > this.sink.limits[name]) throw this.limitError(name, where, length);
  }

  protected limitError(name: LimitName, where: FilePosition, length?: number): FormatError {
    return new FormatError({ path: this.path, ...where, ...limitProblem(this.sink.limits, name, length) });
  }
}

/** Base class for readers of stacks with function names. */
export abstract class StackReader extends FileReader {
  protected readonly writer = this.sink.writerFor(NamedStackWriter);
}

/** The number in bytes[from..to), which are not decoded; undefined for anything but 1 to `most` digits. */
export function wholeNumberIn(bytes: Uint8Array, from: number, to: number, most: number): number | undefined {
  if (to === from || to - from > most) return undefined;
  let out = 0;
  for (let i = from; i < to; i++) {
    const digit = bytes[i] - 48;
    if (digit < 0 || digit > 9) return undefined;
    out = 10 * out + digit;
  }
  return out;
}
