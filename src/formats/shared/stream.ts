// Splits a stream of chunks into whole lines, or whatever a format takes as one piece. Every buffer passed on is a plain Uint8Array:
// a Buffer among them would make the byte loops polymorphic, and slow.
import type { Source } from '../loader.ts';

/** Length of the byte-order mark at the start of a file: 3, or 0 if there is none. */
export function markLength(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** The start of a file for detection: one character per byte, without the byte-order mark. */
export function headText(head: Uint8Array): string {
  return new TextDecoder('latin1').decode(head.subarray(markLength(head)));
}

/** Joins the pieces into one array, in the given buffer if it is large enough. */
export function joinBytes(pieces: readonly Uint8Array[], buffer?: ArrayBuffer): Uint8Array<ArrayBuffer> {
  const length = pieces.reduce((n, piece) => n + piece.length, 0);
  const out = new Uint8Array(buffer && buffer.byteLength >= length ? buffer : new ArrayBuffer(length), 0, length);
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

/** What is left at the end of a stream. */
export interface Left {
  /** Total bytes read. */
  readonly read: number;
  /** Bytes not taken. */
  readonly rest: Uint8Array;
}

/** Passes the chunks to `take`, which returns how many bytes it took; the others come again, followed by the next chunk. */
export async function readPieces(source: Source, signal: AbortSignal, take: (bytes: Uint8Array) => number): Promise<Left> {
  let rest: Uint8Array = new Uint8Array(0);
  let read = 0;
  for await (const piece of source.chunks()) {
    signal.throwIfAborted();
    const chunk = new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
    read += chunk.length;
    const bytes = rest.length > 0 ? joinBytes([rest, chunk]) : chunk;
    rest = bytes.slice(take(bytes));
  }
  return { read, rest };
}

/**
 * Passes each line to `line` as bytes[from..to), without its line feed and the file's byte-order mark. What follows the last line
 * feed is returned as the rest. `open` may take bytes of a line whose end has not been read yet, and returns how many it took.
 */
export async function readLines(
  source: Source,
  signal: AbortSignal,
  line: (bytes: Uint8Array, from: number, to: number) => void,
  open: (bytes: Uint8Array) => number = () => 0,
): Promise<Left> {
  let started = false;
  const left = await readPieces(source, signal, (bytes) => {
    // It takes three bytes to recognize the mark.
    if (!started && bytes.length < 3 && !bytes.includes(LINE_FEED)) return 0;
    let from = started ? 0 : markLength(bytes);
    started = true;
    for (let to = bytes.indexOf(LINE_FEED, from); to >= 0; to = bytes.indexOf(LINE_FEED, from)) {
      line(bytes, from, to);
      from = to + 1;
    }
    return from + open(bytes.subarray(from));
  });
  return started ? left : { ...left, rest: left.rest.subarray(markLength(left.rest)) };
}

const LINE_FEED = 10;

/** The whole file, for formats of small files. */
export async function readWhole(source: Source, signal: AbortSignal): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source.chunks()) {
    signal.throwIfAborted();
    pieces.push(piece.slice());
  }
  return joinBytes(pieces);
}
