// Reads whole Callgrind lines into the sink, with the digest (WebAssembly) where possible, because it is faster.
// The scanner is the reference implementation: it reads everything that the digest refuses.
import { applyDigest, isSameForm, lineFormOf } from './apply.ts';
import { columnViewsOf, type DigestedPiece, type Digester, type LineForm, openDigester } from './digest.ts';
import type { PartReader } from './parts.ts';
import type { Scanner } from './scan.ts';

/** Bytes at the start of a file that the scanner reads, so that the form of the lines is known. */
const SCANNED_START_BYTES = 4096;
/** After this many refusals in a row, the digest is no longer tried. */
const MAX_REFUSALS = 3;

/** Options of LineReader. `lastKey`: the key of a file's last line. The other options are for tests. */
export interface LineReaderOptions {
  readonly lastKey?: PartReader['lastKey'];
  readonly scannerOnly?: boolean;
  readonly scannedBytes?: number;
  readonly mostBytes?: number;
  /** File size in bytes from which other threads help. */
  readonly threadsFromBytes?: number;
}

export class LineReader {
  private readonly digester: Digester | undefined;
  private readonly scannedBytes: number;
  private readonly mostBytes: number;
  private refusals = 0;
  /** Number of bytes read by digests. The scanner read all other bytes. */
  digested = 0;

  constructor(
    private readonly scanner: Scanner,
    options: LineReaderOptions = {},
  ) {
    this.digester = options.scannerOnly ? undefined : openDigester();
    this.scannedBytes = options.scannedBytes ?? SCANNED_START_BYTES;
    this.mostBytes = Math.min(this.digester?.mostBytes ?? 0, options.mostBytes ?? Number.POSITIVE_INFINITY);
  }

  /** Reads whole lines: buf[end - 1] is a line end. */
  read(buf: Uint8Array, p: number, end: number): void {
    const { scanner, digester } = this;
    while (p < end) {
      if (!digester || this.refusals >= MAX_REFUSALS) {
        scanner.scan(buf, p, end);
        return;
      }
      if (!this.canDigest()) {
        const to = lineEndAt(buf, Math.min(p + (scanner.isWaiting ? 1 : this.scannedBytes), end));
        scanner.scan(buf, p, to);
        p = to;
        continue;
      }
      // The end of the last whole line that the digester may read at once; p if there is none.
      const to = Math.max(p, buf.lastIndexOf(10, Math.min(end, p + this.mostBytes) - 1) + 1);
      const digest = to > p ? digester.digest(buf, p, to, lineFormOf(scanner.parts), scanner.base) : undefined;
      if (digest && digest.used > 0) {
        this.refusals = 0;
        this.digested += digest.used;
        p += applyDigest(scanner, digest, buf, p);
      } else {
        // An empty digest (a calls= line whose second line is missing) does not count as a refusal.
        if (!digest) this.refusals++;
        const next = to > p ? to : lineEndAt(buf, Math.min(p + this.mostBytes, end));
        scanner.scan(buf, p, next);
        p = next;
      }
    }
  }

  /** Applies the digests of a piece; the scanner reads the bytes that they do not cover. */
  readDigested({ bytes, digests, room }: DigestedPiece): void {
    const { scanner } = this;
    let p = 0;
    for (const { at, ...counts } of digests) {
      const { base } = scanner;
      if (!this.canDigest() || !isSameForm(counts.form, lineFormOf(scanner.parts)) || (!counts.form.hasInstr && base.high !== 0))
        break;
      this.digested += counts.used;
      p += applyDigest(scanner, { ...counts, ...columnViewsOf(counts, room, at) }, bytes, p);
    }
    if (p < bytes.length) this.read(bytes, p, bytes.length);
  }

  /** The form of the lines; undefined if digests do not support it. */
  digestForm(): LineForm | undefined {
    return this.digester && this.refusals < MAX_REFUSALS && this.canDigest() ? lineFormOf(this.scanner.parts) : undefined;
  }

  private canDigest(): boolean {
    const { parts, base, isWaiting } = this.scanner;
    const takes = this.digester?.supportsForm(lineFormOf(parts)) ?? false;
    return parts.hasBody && !parts.hasBb && base.bb === 0 && !isWaiting && takes;
  }
}

/** The position after the line that contains buf[p - 1]. */
const lineEndAt = (buf: Uint8Array, p: number): number => buf.indexOf(10, p - 1) + 1;
