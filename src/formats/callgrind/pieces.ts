// Digests pieces of a large Callgrind file on other threads. The digests are returned in one buffer and applied in file order.
// A piece starts at an fn= line, where Valgrind writes absolute positions, so the preceding lines need not be known.
import type { LoaderTask } from '../loader.ts';
import {
  CALL_COLUMNS,
  type Digest,
  type Digester,
  JUMP_COLUMNS,
  type LastPosition,
  type LineForm,
  MARK_FLAG,
  MARK_WORD,
  openDigester,
  WORDS_PER_MARK,
} from './digest.ts';

export interface FilePiece {
  readonly bytes: Uint8Array;
  readonly form: LineForm;
  /** Buffer for the digests. It is reused because its pages are already allocated. */
  readonly digestBuffer: ArrayBuffer;
}

/** The bytes of a piece and its digests, which end early if the digester refused a line. */
export interface DigestedPiece {
  readonly bytes: Uint8Array;
  readonly digests: readonly PackedDigest[];
  readonly room: ArrayBuffer;
}

type DigestCounts = Pick<Digest, 'form' | 'used' | 'rows' | 'calls' | 'jumps' | 'marks' | 'wide' | 'lined'>;

interface PackedDigest extends DigestCounts {
  readonly at: number;
}

let digester: Digester | undefined;

/** The task that runs on another thread. Its only state is the digester, which is reused. */
export const digestPiece: LoaderTask<FilePiece, DigestedPiece> = ({ bytes, form, digestBuffer }) => {
  digester ??= openDigester();
  const digests: PackedDigest[] = [];
  let base: LastPosition | undefined;
  let at = 0;
  for (let p = 0; digester && p < bytes.length; ) {
    const to = bytes.lastIndexOf(10, Math.min(bytes.length, p + digester.mostBytes) - 1) + 1;
    const digest = to > p ? digester.digest(bytes, p, to, form, base) : undefined;
    if (!digest || digest.used === 0) break;
    const end = digest.marks * WORDS_PER_MARK;
    if (digest.mark[end + MARK_WORD.flags] & MARK_FLAG.known) {
      const [low, high, line] = digest.mark.subarray(end + MARK_WORD.base, end + MARK_WORD.base + 3);
      base = { low: low >>> 0, high: high >>> 0, line: line >>> 0 };
    }
    const needed = at + bytesOfDigest(digest);
    if (needed > digestBuffer.byteLength) {
      const larger = new ArrayBuffer(needed * 2);
      new Uint8Array(larger).set(new Uint8Array(digestBuffer, 0, at));
      digestBuffer = larger;
    }
    digests.push(packDigest(digest, digestBuffer, at));
    at = needed;
    p += digest.used;
  }
  return { result: { bytes, digests, room: digestBuffer }, transfer: [bytes.buffer as ArrayBuffer, digestBuffer] };
};

function packDigest(d: Digest, digestBuffer: ArrayBuffer, at: number): PackedDigest {
  const { form, used, rows, calls, jumps, marks, wide, lined } = d;
  const counts = { form, used, rows, calls, jumps, marks, wide, lined };
  const copy = columnViewsOf(counts, digestBuffer, at);
  copy.line.set(d.line);
  copy.address.set(d.address);
  for (const table of ['costs', 'call', 'callCosts', 'jump'] as const)
    for (const [k, column] of d[table].entries()) copy[table][k].set(column);
  copy.mark.set(d.mark);
  copy.conditional.set(d.conditional);
  return { ...counts, at };
}

export const unpackDigest = ({ at, ...counts }: PackedDigest, digestBuffer: ArrayBuffer): Digest => ({
  ...counts,
  ...columnViewsOf(counts, digestBuffer, at),
});

/** Size of a digest in bytes, rounded up to a multiple of 4; the byte column (conditional) comes last. */
function bytesOfDigest({ form, rows, calls, jumps, marks }: DigestCounts): number {
  const { events } = form;
  const words = rows * (2 + events) + calls * (CALL_COLUMNS + events) + jumps * JUMP_COLUMNS + (marks + 1) * WORDS_PER_MARK;
  return (words + Math.ceil(jumps / 4)) * 4;
}

function columnViewsOf({ form, rows, calls, jumps, marks }: DigestCounts, buffer: ArrayBuffer, at: number) {
  const words = (length: number) => new Uint32Array(buffer, (at += length * 4) - length * 4, length);
  const ints = (length: number) => new Int32Array(buffer, (at += length * 4) - length * 4, length);
  const columnsOf = <T>(columns: number, make: () => T) => Array.from({ length: columns }, make);
  return {
    line: words(rows),
    address: words(rows),
    costs: columnsOf(form.events, () => words(rows)),
    call: columnsOf(CALL_COLUMNS, () => ints(calls)),
    callCosts: columnsOf(form.events, () => words(calls)),
    jump: columnsOf(JUMP_COLUMNS, () => ints(jumps)),
    mark: ints((marks + 1) * WORDS_PER_MARK),
    conditional: new Uint8Array(buffer, at, jumps),
  };
}
