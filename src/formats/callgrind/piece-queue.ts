// A queue of file pieces that other threads digest, read in file order. It holds only enough pieces to keep the threads busy.
import type { Threads } from '../loader.ts';
import { joinBytes } from '../shared/stream.ts';
import type { LineReader } from './line-reader.ts';
import type { DigestedPiece, FilePiece } from './pieces.ts';

const FN_LINE_START = new TextEncoder().encode('\nfn=');
/** After this many bytes without an fn= line, the file is no longer split into pieces. */
const MAX_UNSPLIT_BYTES = 32 << 20;
/** Size of the buffer for a piece's digests, which take about as many bytes as the piece. */
const DIGEST_BUFFER_BYTES = 8 << 20;

export class PieceQueue {
  private readonly waiting: Promise<unknown>[] = [];
  /** Buffers returned by the threads, for reuse. */
  private readonly spareBuffers: { readonly buffer: ArrayBuffer; readonly digestBuffer: ArrayBuffer }[] = [];
  private cannotSplit = false;

  constructor(
    private readonly reader: LineReader,
    private readonly threads: Threads | undefined,
    private readonly threadsFromBytes: number,
  ) {}

  /** True if the file is large enough for threads and digests support the form of its lines. */
  isWorthThreads(size: number): boolean {
    return (
      this.threads !== undefined && size >= this.threadsFromBytes && !this.cannotSplit && this.reader.digestForm() !== undefined
    );
  }

  /** Queues `rest` and the chunk up to the chunk's last fn= line. Returns the bytes from that line on. */
  async add(rest: readonly Uint8Array[], chunk: Uint8Array): Promise<Uint8Array[]> {
    const cut = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).lastIndexOf(FN_LINE_START) + 1;
    if (cut === 0) {
      const more = [...rest, chunk.slice()];
      this.cannotSplit = more.reduce((n, r) => n + r.length, 0) > MAX_UNSPLIT_BYTES;
      return more;
    }
    const parts = [...rest, chunk.subarray(0, cut)];
    const spare = this.spareBuffers.pop();
    const length = parts.reduce((n, part) => n + part.length, 0);
    // The buffer is a quarter larger than the piece, so that the next piece fits into it, too.
    const large = spare && spare.buffer.byteLength >= length ? spare.buffer : new ArrayBuffer(length + (length >> 2));
    const bytes = joinBytes(parts, large);
    const digestBuffer = spare?.digestBuffer ?? new ArrayBuffer(DIGEST_BUFFER_BYTES);
    const piece: FilePiece = { bytes, form: this.reader.digestForm()!, digestBuffer };
    const digested = this.threads!.run(piece, [bytes.buffer, digestBuffer]);
    // If loading fails earlier, nobody awaits this piece; the handler avoids an unhandled rejection.
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
    this.spareBuffers.push({ buffer: piece.bytes.buffer as ArrayBuffer, digestBuffer: piece.room });
  }
}
