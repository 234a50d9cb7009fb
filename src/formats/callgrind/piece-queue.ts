// Pieces being digested on other threads, read in file order. There are only as many as it takes to keep the threads busy.
import type { Threads } from '../loader.ts';
import { joinBytes } from '../shared/stream.ts';
import type { LineReader } from './line-reader.ts';
import type { DigestedPiece, Piece } from './pieces.ts';

const FN = new TextEncoder().encode('\nfn=');
/** After this many bytes without an fn=, the file is not split into pieces. */
const MOST = 32 << 20;
/** The digests of a piece take about as many bytes as the piece. */
const ROOM = 8 << 20;
const NOTHING: { readonly buffer?: ArrayBuffer; readonly room?: ArrayBuffer } = {};

export class PieceQueue {
  private readonly waiting: Promise<unknown>[] = [];
  /** Buffers returned by the threads, for reuse. */
  private readonly spare: { readonly buffer?: ArrayBuffer; readonly room?: ArrayBuffer }[] = [];
  private hopeless = false;

  constructor(
    private readonly reader: LineReader,
    private readonly threads: Threads | undefined,
    private readonly large: number,
  ) {}

  /** True if a file of this size is worth using threads, and digests support its lines. */
  wants(size: number): boolean {
    return this.threads !== undefined && size >= this.large && !this.hopeless && this.reader.form() !== undefined;
  }

  /** Queues `rest` and the chunk after it, up to their last fn=. Returns what comes after that. */
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
    // With spare room, so that the next piece fits too.
    const large = buffer && buffer.byteLength >= length ? buffer : new ArrayBuffer(length + (length >> 2));
    const bytes = joinBytes(parts, large);
    const piece: Piece = { bytes, form: this.reader.form()!, room: room ?? new ArrayBuffer(ROOM) };
    const digested = this.threads!.run(piece, [bytes.buffer, piece.room]);
    // If this load fails first, nobody awaits the piece: its rejection must not go unhandled.
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
