// Unpacks gzip data, one member after the other. Node's own gunzip loses the last output if other bytes follow the last member.
import { crc32, createInflateRaw, gunzipSync, inflateRawSync } from 'node:zlib';
import { DEFAULT_LIMITS, type Limits, MIN_EXPANSION_LIMIT, raiseLimitHint } from '../../base/limits.ts';
import { FormatError, type Problem, systemReason } from '../../base/problem.ts';
import { formatBytes } from '../../base/units.ts';
import { isGzip } from '../stat.ts';

/** Bounds what all compressed inputs of one profile unpack to, so that many small bombs are one large one. */
export class UnpackBudget {
  packed = 0;
  private unpacked = 0;

  constructor(private readonly limits: Pick<Limits, 'expansion'> = DEFAULT_LIMITS) {}

  /** Counts unpacked bytes. Throws FormatError if they are more than the packed ones may expand to. */
  addUnpacked(bytes: number, path: string): void {
    this.unpacked += bytes;
    const most = Math.max(MIN_EXPANSION_LIMIT, this.packed * this.limits.expansion);
    if (this.unpacked <= most) return;
    const found = `data that unpacks to more than ${formatBytes(most)}`;
    const hint = raiseLimitHint('expansion');
    throw new FormatError({ path, offset: this.unpacked, expected: 'compressed data of a profile', found, hint });
  }
}

const CHUNK_BYTES = 1 << 20;
/** Length of a member's header without its optional fields, and of its trailer: checksum and length. */
const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;
/** The most bytes of a header's optional fields. */
const MAX_HEADER_BYTES = 1 << 17;

/** Chunks of which a reader looks at the first bytes, or takes some and gives the others back. */
export class PeekableChunks {
  private held: Uint8Array = new Uint8Array(0);

  constructor(private readonly chunks: AsyncGenerator<Uint8Array>) {}

  giveBack(bytes: Uint8Array): void {
    this.held = Uint8Array.from(bytes);
  }

  /** The next bytes; empty at the end. */
  async next(): Promise<Uint8Array> {
    const { held } = this;
    this.held = new Uint8Array(0);
    if (held.length > 0) return held;
    let { value, done } = await this.chunks.next();
    while (!done && value.length === 0) ({ value, done } = await this.chunks.next());
    return done ? held : value;
  }

  /** All bytes that were not taken. */
  async *rest(): AsyncGenerator<Uint8Array> {
    if (this.held.length > 0) yield await this.next();
    yield* this.chunks;
  }

  /** At least `least` bytes, unless the input ends before. They are not taken. */
  async peek(least: number): Promise<Uint8Array> {
    while (this.held.length < least) {
      const { value, done } = await this.chunks.next();
      if (done) break;
      // The buffer of the chunk may be reused for the next one.
      this.held = Buffer.concat([this.held, value]);
    }
    return this.held;
  }

  drop(bytes: number): void {
    this.held = this.held.subarray(bytes);
  }
}

/** Length of a member's header (RFC 1952, section 2.3); undefined if these bytes do not hold all of it. */
function headerLength(bytes: Uint8Array): number | undefined {
  const flags = bytes[3];
  let at = HEADER_BYTES;
  if (flags & 4) at += 2 + bytes[at] + 256 * bytes[at + 1];
  for (const text of [8, 16]) {
    if (!(flags & text)) continue;
    const end = bytes.indexOf(0, at);
    if (end < 0) return undefined;
    at = end + 1;
  }
  if (flags & 2) at += 2;
  return at <= bytes.length ? at : undefined;
}

/** Takes a member's header; false if there is none. */
async function takeHeader(input: PeekableChunks): Promise<boolean> {
  for (let least = 512; ; least *= 2) {
    const bytes = await input.peek(least);
    const length = isGzip(bytes) && bytes[2] === 8 ? headerLength(bytes) : undefined;
    if (length !== undefined) input.drop(length);
    if (length !== undefined || bytes.length < least || least > MAX_HEADER_BYTES) return length !== undefined;
  }
}

/** The data of a member, whose header was taken. Throws if they are cut or damaged. */
async function* inflateMember(input: PeekableChunks): AsyncGenerator<Uint8Array> {
  const raw = createInflateRaw({ chunkSize: CHUNK_BYTES });
  let failed: unknown;
  const feed = async () => {
    for (let chunk = await input.next(); chunk.length > 0; chunk = await input.next()) {
      const before = raw.bytesWritten;
      await new Promise((resolve) => raw.write(chunk, resolve));
      const used = raw.bytesWritten - before;
      // Other bytes follow those of the member.
      if (used < chunk.length) return input.giveBack(chunk.subarray(used));
    }
    raw.end();
  };
  const fed = feed().catch((error: unknown) => {
    failed = error;
    raw.destroy(error instanceof Error ? error : undefined);
  });
  try {
    yield* raw;
    await fed;
  } finally {
    raw.destroy();
  }
  if (failed) throw failed;
}

/**
 * The data of all members. A problem after the first data is passed to `onProblem`; `isCut`: data are missing, else other bytes follow
 * them. Throws FormatError if no data come before it.
 */
export async function* gunzipChunks(
  packed: AsyncGenerator<Uint8Array>,
  path: string,
  budget: UnpackBudget,
  onProblem: (problem: Problem, isCut: boolean) => void,
): AsyncGenerator<Uint8Array> {
  const input = new PeekableChunks(packed);
  let unpacked = 0;
  try {
    while (await takeHeader(input)) {
      const start = unpacked;
      let checksum = 0;
      for await (const chunk of inflateMember(input)) {
        unpacked += chunk.length;
        checksum = crc32(chunk, checksum);
        budget.addUnpacked(chunk.length, path);
        yield chunk;
      }
      await takeTrailer(input, checksum, unpacked - start);
    }
    if (await hasOnlyZeros(input)) return;
    if (isGzip(await input.peek(2))) throw new Error('unexpected end of file');
    onProblem({ path, expected: 'the end of the gzip data', found: 'other bytes after it; left out' }, false);
  } catch (error) {
    if (error instanceof FormatError) throw error;
    const problem: Problem = {
      path,
      offset: unpacked,
      expected: 'complete gzip data',
      found: systemReason(error),
      hint: 'the offset is into the uncompressed data; the file may be cut off',
    };
    if (unpacked === 0) throw new FormatError(problem);
    onProblem(problem, true);
  } finally {
    await packed.return(undefined);
  }
}

async function takeTrailer(input: PeekableChunks, checksum: number, length: number): Promise<void> {
  const trailer = Buffer.from(await input.peek(TRAILER_BYTES));
  if (trailer.length < TRAILER_BYTES) throw new Error('unexpected end of file');
  if (trailer.readUInt32LE(0) !== checksum || trailer.readUInt32LE(4) !== length % 2 ** 32)
    throw new Error('incorrect data check');
  input.drop(TRAILER_BYTES);
}

/** True if no other bytes than zeros follow: padding, which gzip ignores as well. */
async function hasOnlyZeros(input: PeekableChunks): Promise<boolean> {
  for (let bytes = await input.next(); bytes.length > 0; bytes = await input.next()) {
    const other = bytes.findIndex((byte) => byte !== 0);
    if (other < 0) continue;
    input.giveBack(bytes.subarray(other));
    return false;
  }
  return true;
}

/** The data of a small file, which other bytes may follow. Throws if it is cut, damaged, or larger than `most` bytes. */
export function gunzipWhole(bytes: Uint8Array, most: number): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: most });
  } catch (error) {
    const length = headerLength(bytes);
    if (length === undefined || systemReason(error) !== 'incorrect header check') throw error;
    return inflateRawSync(bytes.subarray(length), { maxOutputLength: most });
  }
}
