// Reads whole lines into the sink in the faster of two ways: with the digest (WebAssembly), or with the scanner, which is the
// reference and reads what the digest refuses.
import { applyDigest, formOf, sameForm } from './apply.ts';
import { type Digester, type LineForm, openDigester } from './digest.ts';
import type { PartReader } from './parts.ts';
import { type DigestedPiece, unpack } from './pieces.ts';
import type { Scanner } from './scan.ts';

/** Bytes that the scanner reads at the start of a file, to learn the form of the lines. */
const START = 4096;
/** After this many refusals in a row, the digest is no longer tried. */
const PATIENCE = 3;

/** The line that ends a file; and for tests: scanner only, where the digest starts, and the size of its pieces. */
export interface Reading {
  readonly lastKey?: PartReader['lastKey'];
  readonly plain?: boolean;
  readonly start?: number;
  readonly most?: number;
  /** File size in bytes from which other threads help. */
  readonly large?: number;
}

export class LineReader {
  private readonly digester: Digester | undefined;
  private readonly start: number;
  private readonly most: number;
  private refused = 0;
  /** Bytes read by digests; the scanner read the rest. */
  digested = 0;

  constructor(
    private readonly scanner: Scanner,
    reading: Reading = {},
  ) {
    this.digester = reading.plain ? undefined : openDigester();
    this.start = reading.start ?? START;
    this.most = Math.min(this.digester?.most ?? 0, reading.most ?? Number.POSITIVE_INFINITY);
  }

  /** Reads whole lines: buf[end - 1] is a line end. */
  read(buf: Uint8Array, p: number, end: number): void {
    const { scanner, digester } = this;
    while (p < end) {
      if (!digester || this.refused >= PATIENCE) {
        scanner.scan(buf, p, end);
        return;
      }
      if (!this.ready()) {
        const to = lineEnd(buf, Math.min(p + (scanner.waiting ? 1 : this.start), end));
        scanner.scan(buf, p, to);
        p = to;
        continue;
      }
      const to = lastLineEnd(buf, p, Math.min(end, p + this.most));
      const digest = to > p ? digester.digest(buf, p, to, formOf(scanner.parts), scanner.base) : undefined;
      if (digest && digest.used > 0) {
        this.refused = 0;
        this.digested += digest.used;
        p += applyDigest(scanner, digest, buf, p);
      } else {
        // A single line at the end that waits for its second line does not count as a refusal.
        if (!digest) this.refused++;
        const next = to > p ? to : lineEnd(buf, Math.min(p + this.most, end));
        scanner.scan(buf, p, next);
        p = next;
      }
    }
  }

  /** Reads a piece from its digests, as far as they go. */
  readDigested({ bytes, digests, room }: DigestedPiece): void {
    const { scanner } = this;
    let p = 0;
    for (const packed of digests) {
      const { base } = scanner;
      if (!this.ready() || !sameForm(packed.form, formOf(scanner.parts)) || (!packed.form.hasInstr && base.high !== 0)) break;
      this.digested += packed.used;
      p += applyDigest(scanner, unpack(packed, room), bytes, p);
    }
    if (p < bytes.length) this.read(bytes, p, bytes.length);
  }

  /** The form of the lines, if digests support it. */
  form(): LineForm | undefined {
    return this.digester && this.refused < PATIENCE && this.ready() ? formOf(this.scanner.parts) : undefined;
  }

  /** True if the form of the lines is known and digests support it. */
  private ready(): boolean {
    const { parts, base, waiting } = this.scanner;
    const takes = this.digester?.takes(formOf(parts)) ?? false;
    return parts.hasBody && !parts.hasBb && base.bb === 0 && !waiting && takes;
  }
}

/** The end of the line that contains buf[p - 1]. */
function lineEnd(buf: Uint8Array, p: number): number {
  return buf.indexOf(10, p - 1) + 1;
}

/** The end of the last whole line in buf[from..to); `from` if there is none. */
function lastLineEnd(buf: Uint8Array, from: number, to: number): number {
  const end = buf.lastIndexOf(10, to - 1) + 1;
  return Math.max(from, end);
}
