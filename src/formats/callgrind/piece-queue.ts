// Pieces on their way through other threads, read in the order of the file. There are never more of them than keep the threads busy.
import type { Threads } from '../loader.ts';
import { joinBytes } from '../shared/stream.ts';
import type { LineReader } from './line-reader.ts';
import type { DigestedPiece, Piece } from './pieces.ts';

const FN = new TextEncoder().encode('\nfn=');
/** Without an fn= in so many bytes there are no pieces to be had. */
const MOST = 32 << 20;
/** Digests of a piece take about as many bytes as it. */
const ROOM = 8 << 20;
const NOTHING: { readonly buffer?: ArrayBuffer; readonly room?: ArrayBuffer } = {};

export class PieceQueue {
  private readonly waiting: Promise<unknown>[] = [];
  /** Buffers that came back. */
  private readonly spare: { readonly buffer?: ArrayBuffer; readonly room?: ArrayBuffer }[] = [];
  private hopeless = false;
  private readonly reader: LineReader;
  private readonly threads: Threads | undefined;
  private readonly large: number;

  constructor(reader: LineReader, threads: Threads | undefined, large: number) {
    this.reader = reader;
    this.threads = threads;
    this.large = large;
  }

  /** A file of this size is worth the threads, and its lines are of a form that digests take. */
  wants(size: number): boolean {
    return this.threads !== undefined && size >= this.large && !this.hopeless && this.reader.form() !== undefined;
  }

  /** Takes over `rest` and the chunk behind it, up to their last fn=. Returns what comes after that. */
  async add(rest: readonly Uint8Array[], chunk: Uint8Array): Promise<Uint8Array[]> {
    const cut = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).lastIndexOf(FN) + 1;
    if (cut === 0) {
      const more = [...rest, chunk.slice()];
      this.hopeless = more.reduce((n, r) => n + r.length, 0) > MOST;
      return more;
    }
    const parts = [...rest, chunk.subarray(0, cut)];
    const { buffer, room } = this.spare.pop() ?? NOTHING;
    const length = parts.reduce((n, part) => n + part.length, 0);
    // A little more than this piece needs, so that the next one fits too.
    const large = buffer && buffer.byteLength >= length ? buffer : new ArrayBuffer(length + (length >> 2));
    const bytes = joinBytes(parts, large);
    const piece: Piece = { bytes, form: this.reader.form()!, room: room ?? new ArrayBuffer(ROOM) };
    const digested = this.threads!.run(piece, [bytes.buffer, piece.room]);
    // Where this load fails before it comes back, nobody waits for it.
    digested.catch(() => {});
    this.waiting.push(digested);
    if (this.waiting.length > this.threads!.count + 1) await this.readNext();
    return [chunk.slice(cut)];
  }

  async drain(): Promise<void> {
    while (this.waiting.length > 0) await this.readNext();
  }

  private async readNext(): Promise<void> {
    const piece = (await this.waiting.shift()) as DigestedPiece;
    this.reader.readDigested(piece);
    this.spare.push({ buffer: piece.bytes.buffer as ArrayBuffer, room: piece.room });
  }
}
